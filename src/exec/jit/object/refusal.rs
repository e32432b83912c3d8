//! Why a program becomes no object: a sentence, and what it is about as values, by which its place is found.

use crate::source::Span;
use crate::types::Dim;

/// Why there is no object.
#[derive(Clone, Debug)]
pub struct NotBuilt {
    /// A sentence.
    pub message: String,
    /// The line that it is about, if it is about one.
    pub span: Option<Span>,
    /// The length that is below 0 or too large for some inputs, if that is why.
    pub(super) length: Option<Dim>,
}

impl From<String> for NotBuilt {
    fn from(message: String) -> NotBuilt {
        NotBuilt { message, span: None, length: None }
    }
}
