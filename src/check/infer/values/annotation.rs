//! The meaning of a type annotation.

use crate::source::Span;
use crate::types::{DType, Shape, shape};

/// A type annotation, resolved. `None` stands for `_` and `[..]`.
#[derive(Clone, Debug)]
pub(in crate::check) struct Annotation {
    pub(in crate::check) dtype: Option<DType>,
    pub(in crate::check) dims: Option<Shape>,
    pub(in crate::check) span: Span,
}

/// What an annotation says, for messages.
pub(in crate::check) fn annotation_text(annotation: &Annotation) -> String {
    let dtype = annotation.dtype.map_or("_", DType::name);
    match &annotation.dims {
        Some(dims) => format!("{dtype}{}", shape::show(dims)),
        None => format!("{dtype}[..]"),
    }
}
