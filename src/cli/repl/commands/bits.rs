//! `:bits`: the bits of a value, with what they mean.

use super::super::super::tree;
use super::super::Flow;
use super::super::shell::Shell;
use super::expression;
use crate::array::bits::{Field, Word, bits};
use crate::array::show::{Show, array_text};
use crate::session::Shown;
use std::fmt::Write;

/// So many elements of an array are shown.
const ELEMENTS_MOST: usize = 8;

/// `:bits EXPR`
pub(super) fn show(shell: &mut Shell, text: &str) -> Flow {
    if let Some(values) = expression::values(shell, text) {
        let pages: Vec<String> = values.iter().map(page).collect();
        shell.screen.answer(&pages.join("\n"));
    }
    Flow::Continue
}

fn page(value: &Shown) -> String {
    let mut text = String::new();
    if value.array.shape().is_empty() {
        let dtype = value.array.dtype();
        let stored = if value.elem.is_weak() { format!(", held as {dtype}") } else { String::new() };
        let _ = writeln!(text, "{} : {}{stored}\n", array_text(&value.array, &Show::default()), value.elem);
        for (at, word) in bits(value.array.get(0)).iter().enumerate() {
            let gap = if at > 0 { "\n" } else { "" };
            if !word.part.is_empty() {
                let _ = writeln!(text, "{gap}  the {} part, {}", word.part, word.text);
            }
            whole(word, &mut text);
        }
        return text;
    }
    let _ = writeln!(text, "{} of {}", elements(value.array.len()), value.type_text());
    if value.array.is_empty() {
        return text;
    }
    text.push('\n');
    list(value, &mut text);
    text
}

fn elements(count: usize) -> String {
    match count {
        0 => "no element".to_owned(),
        1 => "the only element".to_owned(),
        2..=ELEMENTS_MOST => format!("the {count} elements"),
        _ => format!("the first {ELEMENTS_MOST} elements"),
    }
}

/// The fields under their initials, then the facts.
fn whole(word: &Word, text: &mut String) {
    let gap = if word.facts.is_empty() { "" } else { "\n" };
    let _ = writeln!(text, "  {}\n  {}   {}{gap}", heads(&word.fields), painted(&word.fields), word.hex);
    let names = word.facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, fact) in &word.facts {
        let colour = word.fields.iter().position(|field| field.name == *name).map_or("", |at| colour(at, &word.fields));
        let reset = if colour.is_empty() { "" } else { "\x1b[0m" };
        let _ = writeln!(text, "  {colour}{}{reset}  {fact}", tree::pad(name, names));
    }
}

/// One line for each element, wide enough for all of them.
fn list(value: &Shown, text: &mut String) {
    let count = value.array.len().min(ELEMENTS_MOST);
    let words: Vec<Vec<Word>> = (0..count).map(|at| bits(value.array.get(at))).collect();
    let places = words.iter().flatten().map(|word| word.text.chars().count()).max().unwrap_or(0);
    if let Some(first) = words.first().and_then(|words| words.first()) {
        let _ = writeln!(text, "  {}  {}", " ".repeat(places), heads(&first.fields));
    }
    for word in words.iter().flatten() {
        let _ = writeln!(text, "  {:>places$}  {}   {}", word.text, painted(&word.fields), word.hex);
    }
    if value.array.len() > count {
        let _ = writeln!(text, "  … and {} more", value.array.len() - count);
    }
    if let Some(first) = words.first().and_then(|words| words.first()) {
        let short = first.fields.iter().filter(|field| head(field).len() != field.name.len());
        let meant: Vec<String> = short.map(|field| format!("{} {}", letter(field), field.name)).collect();
        // A single sign needs no words.
        if meant.len() > 1 {
            let _ = writeln!(text, "\n  {}", meant.join(", "));
        }
    }
}

/// `s exponent significand`: what the fields below are, also without colours.
fn heads(fields: &[Field]) -> String {
    let last = fields.len() - 1;
    let words = fields.iter().enumerate().map(|(at, field)| {
        let word = head(field);
        let gap = if at == last { 0 } else { field.digits.len().saturating_sub(word.len()) };
        format!("{}{word}\x1b[0m{}", colour(at, fields), " ".repeat(gap))
    });
    words.collect::<Vec<_>>().join(" ")
}

/// The name of a field where it fits above its bits, else a letter for each of them.
fn head(field: &Field) -> String {
    let len = field.digits.len();
    if field.name.len() <= len { field.name.to_owned() } else { letter(field).repeat(len) }
}

fn letter(field: &Field) -> &'static str {
    match field.name {
        // `s` is the sign.
        "significand" => "m",
        name => &name[..1],
    }
}

fn painted(fields: &[Field]) -> String {
    let words = fields.iter().enumerate().map(|(at, field)| format!("{}{}\x1b[0m", colour(at, fields), field.digits));
    words.collect::<Vec<_>>().join(" ")
}

/// Red, green and blue from the left; the last field is always blue.
fn colour(at: usize, fields: &[Field]) -> &'static str {
    match at {
        _ if at + 1 == fields.len() => "\x1b[34m",
        0 => "\x1b[31m",
        _ => "\x1b[32m",
    }
}
