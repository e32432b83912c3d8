//! `arr explain`: the page of a code or finding, or why an expression or a column has its dtype.

use super::args::Explain;
use super::formats::FormatRow;
use super::{cells, compare, output, page as pages, why};
use crate::diagnostic::{Outcome, codes, page, suggest};

/// `arr explain precision-loss`, `arr explain 'x * y'`
pub(super) fn answer(command: &Explain) -> Outcome {
    if let Some(location) = cells::column(&command.name).filter(|_| command.inputs.is_empty()) {
        return cells::explain(&command.name, &location, command.format);
    }
    match codes::find(&command.name) {
        Some(row) if command.inputs.is_empty() => match command.format {
            FormatRow::Text => pages::show(&pages::plain(&page::page(row))),
            FormatRow::Json => output::json(&page::json(row)),
        },
        None if looks_like_a_name(&command.name) && command.inputs.is_empty() => unknown(&command.name),
        _ if command.compare.is_empty() => why::expression(command),
        _ => compare::expression(command),
    }
}

/// Whether it can only be meant as the name of a page: a hyphenated word or a code, and no expression of known names.
fn looks_like_a_name(text: &str) -> bool {
    let word = |part: &str| part.len() > 1 && part.chars().all(|c| c.is_ascii_lowercase());
    let hyphenated = text.split('-').count() > 1 && text.split('-').all(word);
    let code = text.strip_prefix(['E', 'e']).is_some_and(|digits| digits.parse::<u32>().is_ok());
    hyphenated || code || word(text) && text.len() > 4 && crate::ops::find(text).is_none()
}

fn unknown(name: &str) -> Outcome {
    let names = codes::all().flat_map(|row| [row.id, row.name]);
    // A slip in a name, or a part of one.
    let near: Vec<&str> = match suggest::closest(name, names) {
        Some(near) => vec![near],
        None => codes::all().map(|row| row.name).filter(|known| known.split('-').any(|part| part == name)).collect(),
    };
    let near: Vec<String> = near.into_iter().map(|near| format!("`{near}`")).collect();
    let hint = if near.is_empty() { String::new() } else { format!("; there is {}", near.join(", ")) };
    output::usage(&format!("there is no code or finding `{name}`{hint}"))
}
