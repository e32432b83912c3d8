//! The cause of a walk of a function or of a file.

use crate::source::Span;

/// A walk of a function or a file; the first is that of the script.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::check) struct WalkId(pub(in crate::check) u32);

/// What led to the walk of a function or of a file.
#[derive(Clone, Copy, Debug)]
pub(in crate::check) enum WalkCause {
    /// A call.
    Call(Span),
    /// A call of a function that came with the language.
    Written(Span),
    /// A `use` statement, for the file.
    File(Span),
    /// A `use` statement, for a function of the file that nothing calls.
    Use(Span),
    /// Nothing: a function of the script that nothing calls.
    Nothing,
}
