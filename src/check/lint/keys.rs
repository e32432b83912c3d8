//! Keys that random numbers are drawn from twice.

use super::Lint;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ir::NodeId;
use crate::source::Span;

impl Lint<'_, '_> {
    /// Reports a key from which numbers were drawn before. Where one is made in place, `random.key(0)`, the same numbers
    /// are meant.
    pub(super) fn reused_key(&mut self, key: NodeId, at: Span) {
        let first = *self.known.drawn.entry(key).or_insert(at);
        if first == at || [first, at].into_iter().any(|place| self.text(place).contains('(')) {
            return;
        }
        let level = self.level(&lints::REUSED_KEY, at);
        if level != Level::Allow {
            let text = self.text(at).to_owned();
            self.report(report::reused_key(level, &text, first, at));
        }
    }
}
