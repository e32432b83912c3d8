//! Keys that random numbers are drawn from more than once.

use super::Lint;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ir::NodeId;
use crate::source::Span;

impl Lint<'_, '_> {
    /// Reports a key from which numbers were drawn before, or are in every step of a loop. Where one is made in place,
    /// `random.key(0)`, the same numbers are meant.
    pub(super) fn reused_key(&mut self, key: NodeId, at: Span, stays: bool) {
        let first = *self.known.drawn.entry(key).or_insert(at);
        let in_place = [first, at].into_iter().any(|place| self.text(place).contains('('));
        if in_place || (first == at && !stays) {
            return;
        }
        let level = self.level(&lints::REUSED_KEY, at);
        if level != Level::Allow {
            let text = self.text(at).to_owned();
            self.report(match stays {
                true => report::same_key(level, &text, at),
                false => report::reused_key(level, &text, first, at),
            });
        }
    }
}
