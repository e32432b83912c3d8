//! The builtins, family by family, from their rows.

use super::operators::{class, results};
use crate::ops::{self, Form, Notation};
use std::fmt::Write;

pub(super) fn chapter() -> String {
    let mut text = include_str!("builtins.md").to_owned();
    for (family, rows) in ops::families() {
        let _ = writeln!(text, "### {}{}\n", family[..1].to_uppercase(), &family[1..]);
        for op in rows {
            let written = match op.notation {
                Some(Notation::Attribute(_) | Notation::Infix(_) | Notation::Prefix(_)) => {
                    format!(", `{}`", op.usage())
                }
                None => String::new(),
            };
            let aliases: String = op.aliases().iter().map(|alias| format!(", also `{alias}`")).collect();
            let special = if op.special.is_empty() { String::new() } else { format!(". {}", op.special) };
            let (expression, value) = op.examples[0];
            let gives = if matches!(
                op.form,
                Form::Cast(_) | Form::Load(_) | Form::Make(_) | Form::Written(_) | Form::Question(_)
            ) {
                String::new()
            } else {
                format!(" ({}: {})", class(op), results(op).join(" "))
            };
            let _ = writeln!(
                text,
                "- **`{}`**{written}{aliases}: {}{special}. `{expression}` is `{value}`.{gives}",
                op.signature(),
                op.summary
            );
        }
        text.push('\n');
    }
    text
}
