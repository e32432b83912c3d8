//! `:bits`: the bits of a value, with what they mean.

use super::super::super::painted::{StyledText, TextStyle};
use super::super::super::tree;
use super::super::AfterInput;
use super::super::shell::Shell;
use super::expression;
use crate::array::bits::{BitField, BitWord, bits};
use crate::array::show::{Show, array_text};
use crate::diagnostic::wrap;
use crate::session::ShownValue;
use std::fmt::Write;

/// The most elements of an array that are shown.
const MAX_ELEMENTS: usize = 8;

/// The least columns that a fact takes, however narrow the window is.
const MIN_ROOM: usize = 20;

/// `:bits EXPR`
pub(super) fn show(shell: &mut Shell, text: &str) -> AfterInput {
    if let Some(values) = expression::values(shell, text) {
        let mut pages = StyledText::default();
        for (at, value) in values.iter().enumerate() {
            pages.push(if at > 0 { "\n" } else { "" });
            page(value, shell.screen.columns(), &mut pages);
        }
        shell.screen.show(pages);
    }
    AfterInput::Continue
}

fn page(value: &ShownValue, columns: usize, text: &mut StyledText) {
    if value.array.shape().is_empty() {
        let dtype = value.array.dtype();
        let stored = if value.elem.is_weak() { format!(", held as {dtype}") } else { String::new() };
        let _ = writeln!(text, "{} : {}{stored}\n", array_text(&value.array, &Show::default()), value.elem);
        for (at, word) in bits(value.array.get(0)).iter().enumerate() {
            let gap = if at > 0 { "\n" } else { "" };
            if !word.part.is_empty() {
                let _ = writeln!(text, "{gap}  the {} part, {}", word.part, word.text);
            }
            whole(word, columns, text);
        }
        return;
    }
    let _ = writeln!(text, "{} of {}", elements(value.array.len()), value.type_text());
    if value.array.is_empty() {
        return;
    }
    text.push("\n");
    list(value, columns, text);
}

fn elements(count: usize) -> String {
    match count {
        0 => "no element".to_owned(),
        1 => "the only element".to_owned(),
        2..=MAX_ELEMENTS => format!("the {count} elements"),
        _ => format!("the first {MAX_ELEMENTS} elements"),
    }
}

/// Whether the bits and the hexadecimal number fit side by side, behind `before` columns.
fn fits(word: &BitWord, before: usize, columns: usize) -> bool {
    let bits: usize = word.fields.iter().map(|field| field.digits.len() + 1).sum();
    before + bits + 2 + word.hex.len() <= columns
}

/// The fields under their initials, then the facts.
fn whole(word: &BitWord, columns: usize, text: &mut StyledText) {
    let gap = if word.facts.is_empty() { "" } else { "\n" };
    text.push("  ");
    heads(&word.fields, text);
    text.push("\n  ");
    digits(&word.fields, text);
    let between = if fits(word, 2, columns) { "   " } else { "\n  " };
    let _ = writeln!(text, "{between}{}{gap}", word.hex);
    let names = word.facts.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    for (name, fact) in &word.facts {
        text.push("  ");
        let padded = tree::pad(name, names);
        match word.fields.iter().position(|field| field.name == *name) {
            Some(at) => text.ink(colour(at, &word.fields), &padded),
            None => text.push(&padded),
        }
        // Behind two blanks, the name, and two blanks more.
        let room = columns.saturating_sub(names + 4).max(MIN_ROOM);
        let _ = writeln!(text, "  {}", wrap::lines(fact, room, room).join(&format!("\n{}", " ".repeat(names + 4))));
    }
}

/// One line for each element, wide enough for all of them; where the window is not as wide, the value stands below.
fn list(value: &ShownValue, columns: usize, text: &mut StyledText) {
    let count = value.array.len().min(MAX_ELEMENTS);
    let words: Vec<Vec<BitWord>> = (0..count).map(|at| bits(value.array.get(at))).collect();
    let places = words.iter().flatten().map(|word| word.text.chars().count()).max().unwrap_or(0);
    let wide = words.iter().flatten().all(|word| fits(word, places + 4, columns));
    if let Some(first) = words.first().and_then(|words| words.first()) {
        text.push(&" ".repeat(if wide { places + 4 } else { 2 }));
        heads(&first.fields, text);
        text.push("\n");
    }
    for word in words.iter().flatten() {
        match wide {
            true => {
                let _ = write!(text, "  {:>places$}  ", word.text);
                digits(&word.fields, text);
                let _ = writeln!(text, "   {}", word.hex);
            }
            false => {
                text.push("  ");
                digits(&word.fields, text);
                let _ = writeln!(text, "\n    {:>places$}   {}", word.text, word.hex);
            }
        }
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
fn heads(fields: &[BitField], text: &mut StyledText) {
    let last = fields.len() - 1;
    for (at, field) in fields.iter().enumerate() {
        let word = head(field);
        let gap = if at == last { 0 } else { field.digits.len().saturating_sub(word.len()) + 1 };
        text.ink(colour(at, fields), &word);
        text.push(&" ".repeat(gap));
    }
}

/// The name of a field where it fits above its bits, else a letter for each of them.
fn head(field: &BitField) -> String {
    let len = field.digits.len();
    if field.name.len() <= len { field.name.to_owned() } else { letter(field).repeat(len) }
}

fn letter(field: &BitField) -> &'static str {
    match field.name {
        // `s` is the sign.
        "significand" => "m",
        name => &name[..1],
    }
}

fn digits(fields: &[BitField], text: &mut StyledText) {
    for (at, field) in fields.iter().enumerate() {
        text.push(if at > 0 { " " } else { "" });
        text.ink(colour(at, fields), &field.digits);
    }
}

/// Red, green and blue from the left; the last field is always blue.
fn colour(at: usize, fields: &[BitField]) -> TextStyle {
    match at {
        _ if at + 1 == fields.len() => TextStyle::Blue,
        0 => TextStyle::Red,
        _ => TextStyle::Green,
    }
}
