//! An f64 that nobody asked for, by the place where its dtype was decided. Names, functions and the session keep that
//! place.

use crate::source::Span;
use crate::types::DType;
use std::collections::HashMap;

/// How an f64 came to be that nobody wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A call without `dtype=`.
    Call,
    /// An array literal.
    Literal,
    /// An operation on narrower values or on integers.
    Operation,
}

/// Where that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct F64Origin {
    /// The call, the literal or the operator.
    pub(crate) span: Span,
    /// How.
    pub(crate) cause: Cause,
    /// Whether what was made of it would be narrow, were it narrow itself: no integer makes an f64 of it too.
    pub(crate) alone: bool,
}

/// The f64 that nobody asked for, by the places where their dtype was decided. `None` where a value that somebody wrote
/// as f64 went in since.
pub(crate) type F64Origins = HashMap<Span, Option<F64Origin>>;

/// Whether a dtype is as wide as the default float.
pub(in crate::check) fn is_wide(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
}
