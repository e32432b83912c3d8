//! The transcendental functions, each written once.
//!
//! They are straight-line code: the same operations for every element, choices between values rather than branches,
//! so that a loop over them vectorises. Only IEEE operations and explicit fused multiplications are used, so the bits
//! are the same in every build. All but [`gamma`] are written over [`lanes`], numbers or vectors; of others that of
//! `f32` is computed in `f64` and rounded once. Results are within one representable value of the correctly rounded one
//! ([`gamma`] says which are not); special values are those of C's Annex F.
//!
//! ```
//! use arrlang::scalar::math::{exp::Exp, lanes::apply};
//! assert_eq!(apply::<Exp, f32, f32>(1.0), std::f32::consts::E);
//! ```
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    reason = "tables and coefficients have the digits that they were computed with"
)]

pub mod angle;
pub mod erf;
pub mod erfc;
pub mod exp;
pub mod gamma;
pub mod hyperbolic;
pub mod inverse;
pub mod lanes;
pub mod log;
mod pieces;
pub mod power;
pub mod sigmoid;
pub mod trig;

/// The polynomial with these coefficients, the constant first.
#[inline(always)]
fn horner<const N: usize>(x: f64, coefficients: &[f64; N]) -> f64 {
    let mut value = coefficients[N - 1];
    for i in (0..N - 1).rev() {
        value = value.mul_add(x, coefficients[i]);
    }
    value
}

#[cfg(test)]
mod tests;
