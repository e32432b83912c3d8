//! Errors that nobody reported never end in success.
//!
//! [`Value::Error`] silences what follows from an error, so it may stand only where one was reported. Where it comes
//! out of an expression, and where a statement does nothing, the place is noted. When the walk then ends without an
//! error, the program lacks something that was written. That is a mistake of `arr`, which says so.

use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::diagnostic::Diagnostics;
use crate::source::Span;

impl Ctx<'_> {
    /// Notes a value that stands for an error.
    pub(in crate::check) fn note_error(&mut self, value: &Value, span: Span) {
        if matches!(value, Value::Error) {
            self.note_unreported(span);
        }
    }

    /// Notes that what stands here is not in the program. What nothing calls is walked with parameters of which
    /// nothing is known, and is in no program.
    pub(in crate::check) fn note_unreported(&mut self, span: Span) {
        if !self.graph.is_finished() {
            self.findings.unreported.get_or_insert(span);
        }
    }
}

/// Reports what is missing from a program without errors.
pub(in crate::check) fn explain(place: Option<Span>, sink: &mut Diagnostics) {
    if let Some(span) = place.filter(|_| !sink.has_errors()) {
        sink.push(report::unexplained(span));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::codes::inputs;
    use crate::source::SourceId;

    #[test]
    fn what_is_unreported_is_a_mistake_of_ours_unless_an_error_explains_it() {
        let span = Span::new(SourceId::default(), 3, 5);
        let mut sink = Diagnostics::new();
        explain(None, &mut sink);
        assert!(sink.is_empty());
        explain(Some(span), &mut sink);
        let codes: Vec<_> = sink.iter().map(|found| (found.code.id, found.span())).collect();
        assert_eq!(codes, [(inputs::INTERNAL.id, Some(span))]);
        explain(Some(span), &mut sink);
        assert_eq!(sink.len(), 1);
    }
}
