//! Functions of complex numbers, made of real prims.
//!
//! Each follows Annex G of the C standard: its branch cuts, where a signed zero says which side is meant, and its
//! values at infinities and NaN. The formulas keep clear of overflow inside: parts are scaled by powers of two
//! where a square would leave the range.
//!
//! `sin`, `cos`, `tan` and their inverses are those of the hyperbolic functions, turned by `i`.

mod exponential;
mod hyperbolic;
mod inverse;

pub(super) use exponential::{exp, exp2, expm1, log, log1p, log2, log10, power, sign, sqrt};
pub(super) use hyperbolic::{cos, cosh, sin, sinh, tan, tanh};
pub(super) use inverse::{acos, acosh, asin, asinh, atan, atanh};
