//! Variables and what is assigned to them, with views that must not see it.

use super::write::{Name, Writer};
use arrlang::types::DType;
use std::fmt::Write;

impl Writer<'_> {
    /// A variable, a few assignments, and what it and an earlier view of it hold then.
    pub(super) fn variable(&mut self) -> String {
        let (number, start) = (self.number, self.array());
        let w = Name { text: format!("w{number}"), ..start.clone() };
        let mut lines = format!("var {} = {}\n", w.text, start.text);
        let view = if start.shape.is_empty() { String::new() } else { format!("[{}]", self.index(&start)) };
        let _ = writeln!(lines, "let u{number} = {}{view}", w.text);
        for _ in 0..=self.below(4) {
            let (index, once) = match self.below(4) {
                _ if w.shape.is_empty() => (String::new(), true),
                0 => (String::new(), true),
                1 => (format!("[{}]", self.chosen_index(&w)), false),
                _ => (format!("[{}]", self.index(&w)), true),
            };
            let symbol = if self.below(2) == 0 || !once { "" } else { self.update(w.dtype) };
            let value = self.value(&w, &index);
            let _ = writeln!(lines, "{}{index} {symbol}= {value}", w.text);
        }
        lines + &format!("output v{number} = {}\noutput z{number} = u{number}\n", w.text)
    }

    /// An operator whose result has the dtype of its operands.
    fn update(&mut self, dtype: DType) -> &'static str {
        if dtype == DType::Bool {
            self.one_of(&["&", "|", "^"])
        } else if dtype.is_integer() {
            self.one_of(&["+", "-", "*", "//", "%", "&", "|", "^", "<<", ">>"])
        } else if dtype == dtype.part() {
            self.one_of(&["+", "-", "*", "/", "//", "%", "**"])
        } else {
            self.one_of(&["+", "-", "*", "/"])
        }
    }

    /// What fits the part of a variable: a number, the part itself, or the part of what the variable began as.
    fn value(&mut self, w: &Name, index: &str) -> String {
        let scalar = self.names.iter().rev().find(|name| name.shape.is_empty() && name.dtype == w.dtype).cloned();
        match self.below(5) {
            0 => format!("{}({})", w.dtype, self.below(5)),
            1 => format!("{}{index}", w.text),
            2 if !w.shape.is_empty() => format!("{}({}[::-1]{index})", w.dtype, w.text),
            3 => scalar.map_or("1".to_owned(), |scalar| scalar.text),
            _ if w.dtype == DType::Bool => "true".to_owned(),
            _ => format!("{}({}{index} * 2)", w.dtype, w.text),
        }
    }
}
