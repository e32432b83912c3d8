//! The table of attributes that are no operations. An array says them of itself, and its transpose is one. Those that
//! are operations, as `real`, have rows with [`Notation::Attribute`].
//!
//! ```
//! use arrlang::ops::attributes::{self, Attribute};
//! assert_eq!(attributes::find("ndim"), Some(Attribute::Rank));
//! assert_eq!(attributes::find("real"), None);
//! ```

use super::{Notation, Op, all};

/// What an attribute gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Attribute {
    /// The array with its axes in reverse order.
    Transpose,
    /// The lengths of the axes, a tuple.
    Shape,
    /// The dtype of the elements.
    DType,
    /// How many axes there are.
    Rank,
    /// How many elements there are.
    Count,
}

/// All attributes, with how they are written.
pub static ATTRIBUTES: [(&str, Attribute); 5] = [
    ("T", Attribute::Transpose),
    ("shape", Attribute::Shape),
    ("dtype", Attribute::DType),
    ("ndim", Attribute::Rank),
    ("size", Attribute::Count),
];

/// The attribute of this name.
pub fn find(name: &str) -> Option<Attribute> {
    ATTRIBUTES.iter().find(|(own, _)| *own == name).map(|(_, attribute)| *attribute)
}

/// The operation that is written as this attribute.
pub fn operation(name: &str) -> Option<&'static Op> {
    all().find(|op| matches!(op.notation, Some(Notation::Attribute(attribute)) if attribute == name))
}
