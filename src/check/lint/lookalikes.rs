//! Names with letters of several scripts, or of an unexpected one.

use super::Lint;
use crate::diagnostic::codes;
use crate::syntax::report::lookalike;
use crate::types::DType;

impl Lint<'_, '_> {
    /// Reports names that only look like others, or like words of the language.
    pub(super) fn lookalikes(&mut self) {
        let known = |name: &str| crate::ops::by_name(name).is_some() || name.parse::<DType>().is_ok();
        let doubtful = |it: &&crate::syntax::lookalike::Lookalike| it.mixed || it.twin.is_some() || known(&it.latin);
        for found in self.request.script.lookalikes.iter().filter(doubtful) {
            let level = self.level(&codes::syntax::MIXED_SCRIPT, found.span);
            self.report(lookalike(found, self.text(found.span), level));
        }
    }
}
