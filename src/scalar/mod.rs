//! Primitive operations on single elements: which there are, and what they mean.
//!
//! [`prim`] lists them, [`eval`] is their one meaning, used by the reference evaluator one element at a time and
//! by the compiled kernels a block at a time. [`math`] holds the transcendental functions.

pub mod convert;
pub mod divide;
pub mod eval;
pub mod math;
pub mod number;
pub mod prim;
#[cfg(test)]
mod tests;

use crate::types::{DType, Kind};

/// The product of `count` factors `base`, at least one, by squaring. The factors are numbers, or stand for what will be
/// numbers.
pub fn by_squaring<T: Copy>(base: T, mut count: u32, mut times: impl FnMut(T, T) -> T) -> T {
    let (mut square, mut made) = (base, None);
    loop {
        if count & 1 == 1 {
            made = Some(made.map_or(square, |made| times(made, square)));
        }
        count >>= 1;
        match made {
            Some(made) if count == 0 => return made,
            _ => square = times(square, square),
        }
    }
}

/// One element: its dtype and its bits (a complex number has its real part in the low half).
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Scalar {
    /// The dtype.
    pub dtype: DType,
    /// The low `8 * dtype.size()` bits; the others are 0. A `bool` is 0 or 1.
    pub bits: u128,
}

impl Scalar {
    /// The value of an integer or a `bool`.
    #[inline]
    pub fn to_i128(self) -> i128 {
        let unused = 128 - self.dtype.bits();
        match self.dtype.kind() {
            Kind::Signed => (self.bits << unused) as i128 >> unused,
            Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => self.bits as i128,
        }
    }
}
