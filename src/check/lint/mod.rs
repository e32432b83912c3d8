//! Findings about what is legal and seldom meant, a file for each kind; their wording is in `report::lints`.
//!
//! Those about values are asked where the values are made, those about names when the script was walked. Each is quiet
//! where ranges or constants prove that no value can be other than it looks.

mod accumulate;
mod bindings;
mod floats;
mod negation;
pub(in crate::check) mod overflow;
mod precedence;
mod shadow;
pub(in crate::check) mod suppress;
pub(in crate::check) mod unasked;

use super::infer::Ctx;
use crate::diagnostic::Level;
use crate::diagnostic::codes::Row;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, Script};

/// How many expressions are looked at around another one.
const NEARBY: usize = 16;

impl Ctx<'_> {
    /// How much a finding weighs whose primary place is `at`: nothing where a comment silences it.
    pub(in crate::check) fn level(&mut self, row: &'static Row, at: Span) -> Level {
        match self.findings.suppressed.silences(row, at, self.request.sources) {
            true => Level::Allow,
            false => self.settings.level(row),
        }
    }

    /// The expressions that end at a place or soon after it: the arena is in the order of their ends.
    fn nearby(&self, end: u32) -> impl Iterator<Item = &Expr> {
        let exprs = &self.frame.script.exprs;
        exprs[exprs.partition_point(|expr| expr.span.end < end)..].iter().take(NEARBY)
    }

    /// What only a look at the whole script shows.
    pub(in crate::check) fn lint_script(&mut self) {
        if self.request.whole {
            self.shadowed_builtins();
            self.unused_bindings();
        }
    }
}

/// The names that expressions read, with their places: also the functions that are called as methods.
fn names_read(script: &Script) -> impl Iterator<Item = (&str, Span)> {
    script.exprs.iter().filter_map(|expr| match &expr.kind {
        ExprKind::Name(name) => Some((name.as_str(), expr.span)),
        ExprKind::Call(callee, _) => match &script.expr(*callee).kind {
            ExprKind::Attribute(_, name) => Some((name.text.as_str(), name.span)),
            _ => None,
        },
        _ => None,
    })
}
