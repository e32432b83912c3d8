//! Values for a person at a terminal: never more than a screen, never wider than the window.

use super::super::painted::StyledText;
use super::paint;
use super::screen::Screen;
use crate::array::Array;
use crate::array::show::{Show, array_text};
use crate::session::ShownValue;
use crate::syntax::{TokenKind, tokens};
use std::fmt::Write;

/// A value with its name and type.
pub(super) fn text(value: &ShownValue, show: &Show, screen: &Screen) -> StyledText {
    let (columns, rows) = (screen.columns(), screen.rows());
    let mut text = String::new();
    let shown = fitting(&value.array, show, columns, rows);
    if let Some(name) = &value.name {
        let gap = if shown.contains('\n') { "\n" } else { " " };
        let _ = write!(text, "{name} ={gap}");
    }
    text.push_str(&shown);
    let ty = value.type_text();
    let last = text.rsplit('\n').next().unwrap_or_default();
    let gap = if last.chars().count() + ty.chars().count() + 3 > columns { '\n' } else { ' ' };
    let mut text = StyledText::from(format!("{text}{gap}: ").as_str());
    text.ink(paint::DTYPE, &ty);
    text.push("\n");
    text
}

/// An array as text that fits the window, if any summary does.
fn fitting(array: &Array, show: &Show, columns: usize, rows: usize) -> String {
    // Room for the input above and the prompt below.
    let most = rows.saturating_sub(2).max(3);
    let show = Show { width: columns.saturating_sub(1).max(20), ..*show };
    let summaries = [3, 2, 1].map(|edge_items| Show { threshold: 0, edge_items, ..show });
    let mut text = array_text(array, &show);
    for summary in summaries {
        if text.lines().count() <= most {
            break;
        }
        text = array_text(array, &summary);
    }
    text
}

/// The lines of a text that end in `;`, counted from 1: what ends there is not shown.
pub(super) fn silent_lines(text: &str) -> Vec<usize> {
    if !text.contains(';') {
        return Vec::new();
    }
    let found: Vec<_> = tokens(text).into_iter().filter(|(kind, _)| *kind != TokenKind::Comment).collect();
    let ends = found.iter().enumerate().filter(|(at, (_, range))| {
        let rest = found.get(at + 1).map_or(&text[range.end..], |(_, next)| &text[range.end..next.start]);
        &text[range.clone()] == ";" && (rest.contains('\n') || at + 1 == found.len())
    });
    ends.map(|(_, (_, range))| text[..range.start].matches('\n').count() + 1).collect()
}

/// Whether a value is to be shown: its statement does not end in a line that ends in `;`.
pub(super) fn is_shown(value: &ShownValue, silent: &[usize]) -> bool {
    !silent.contains(&(value.line + value.text.matches('\n').count()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_semicolon_at_the_end_of_a_line_silences_it() {
        assert_eq!(silent_lines("1; 2;\n3\n4 ; # four\n\"a;\"\n5;"), [1, 3, 5]);
        assert!(silent_lines("1; 2").is_empty());
        assert!(silent_lines("1 # not this;").is_empty());
    }

    #[test]
    fn arrays_stay_within_the_window() {
        let array = Array::from_elements(&[40, 30], &[1.5f32; 1200]);
        for (columns, rows) in [(80, 24), (40, 10), (20, 5)] {
            let text = fitting(&array, &Show::default(), columns, rows);
            assert!(text.lines().all(|line| line.len() < columns), "{text}");
        }
        let tall = Array::from_elements(&[60, 2], &[1u8; 120]);
        assert!(fitting(&tall, &Show::default(), 80, 24).lines().count() <= 22);
        assert_eq!(fitting(&tall, &Show::default(), 80, 100).lines().count(), 60);
    }
}
