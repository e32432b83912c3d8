//! Values of complex functions: argument, result.
//!
//! Finite ones were computed with 60 digits and rounded; those of infinities, NaN and signed zeros are CPython's
//! `cmath`, or NumPy's where `cmath` has no function. Where Annex G leaves the sign of a part open, there is no point.
#![expect(clippy::approx_constant, reason = "results happen to be multiples of pi")]

mod circular;
mod exponentials;
mod hyperbolic;

const INF: f64 = f64::INFINITY;
const NAN: f64 = f64::NAN;

/// Name of the row, argument, result.
type Point = (&'static str, [f64; 2], [f64; 2]);

/// All points.
pub(super) fn points() -> impl Iterator<Item = &'static Point> {
    [circular::POINTS, exponentials::POINTS, hyperbolic::POINTS].into_iter().flatten()
}
