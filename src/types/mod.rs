//! The checker's knowledge of a value before anything runs.
//!
//! [`dtype`] is the table of dtypes, [`elem`] adds the weak types, [`shape`] the dimensions, which are forms
//! ([`affine`]) over names and other unknowns ([`affine::Atom`]).

pub mod affine;
mod division;
pub mod dtype;
pub mod elem;
pub mod equal;
mod most;
pub mod parts;
pub mod shape;
mod written;

pub use affine::Affine;
pub use dtype::{DType, Kind};
pub use elem::Elem;
pub(crate) use most::most as most_of;
pub use shape::{Dim, Shape};

use std::fmt;

/// The type of an array or scalar: what its elements are, and its shape.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ArrayType {
    /// The dtype or weak type of the elements.
    pub elem: Elem,
    /// The dimensions; none for a scalar.
    pub shape: Shape,
}

impl ArrayType {
    /// A scalar type.
    pub fn scalar(elem: impl Into<Elem>) -> ArrayType {
        ArrayType { elem: elem.into(), shape: Shape::new() }
    }
}

impl fmt::Display for ArrayType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.elem, shape::show(&self.shape))
    }
}
