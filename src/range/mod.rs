//! The values that the nodes of a program can have: interval arithmetic over the prims.
//!
//! A [`Range`] is sound: whatever the data, an element lies in it. It begins at what is declared (`input x: u16[n] in
//! [0, 4095]`), at constants, coordinates and dtypes, and goes through every prim as [`integer`] and [`float`] say;
//! what they do not know is every value of the dtype. [`nodes::Ranges`] keeps one for each node.
//!
//! The checker asks three things: whether every value exists in another dtype ([`Interval::exists_in`]), so that a
//! conversion changes nothing; whether none overflows there ([`Interval::within`]); and what integers an operation can
//! reach before they wrap ([`nodes::Ranges::exact_range`]).
//!
//! ```
//! use arrlang::range::Interval;
//! use arrlang::types::DType;
//! let counts = Interval::Integer { low: 0, high: 4095 };
//! assert!(counts.exists_in(DType::F32), "every integer up to 2^24 is an f32");
//! assert!(!counts.exists_in(DType::F16), "above 2^11 not every integer is an f16");
//! ```

mod arms;
mod bits;
pub mod carried;
pub mod data;
pub mod float;
mod growth;
mod hashes;
mod inner;
pub mod integer;
mod lengths;
pub mod loops;
pub mod mended;
mod never;
pub mod nodes;
mod prims;
mod relations;
mod routines;
mod sorted;
mod steps;
#[cfg(test)]
mod tests;
pub mod users;
mod weighted;

use crate::array::MAX_ELEMENTS;
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::types::{DType, Kind};
pub(crate) use prims::decide;

/// Values that something can have.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Interval {
    /// Truth values and integers, both ends included.
    Integer {
        /// The smallest; `i128::MIN` for no bound.
        low: i128,
        /// The largest; `i128::MAX` for no bound.
        high: i128,
    },
    /// Floats, both ends included.
    Float {
        /// The smallest.
        low: f64,
        /// The largest.
        high: f64,
        /// Whether it may be not-a-number.
        nan: bool,
        /// Whether every finite value is an integer.
        whole: bool,
    },
    /// Complex numbers, of which nothing is known.
    Complex,
}

/// An interval, and where its ends come from.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Range {
    /// The values.
    pub interval: Interval,
    /// Whether the low end follows from what somebody wrote (a declared range, a constant), not from a dtype alone.
    pub low_stated: bool,
    /// Whether the high end follows from what somebody wrote, not from a dtype alone.
    pub high_stated: bool,
    /// Whether an end was read off data: another run may have other data.
    pub of_data: bool,
}

impl Range {
    /// Every value of a dtype.
    pub fn of_dtype(dtype: DType) -> Range {
        Range { interval: Interval::of_dtype(dtype), low_stated: false, high_stated: false, of_data: false }
    }

    /// An interval that somebody wrote.
    pub fn stated(interval: Interval) -> Range {
        Range { interval, low_stated: true, high_stated: true, of_data: false }
    }

    /// An interval that holds the data that is bound now.
    pub fn of_data(interval: Interval) -> Range {
        Range { interval, low_stated: false, high_stated: false, of_data: true }
    }

    /// What counts elements or says where one is: from `least` to the most that an array may have.
    fn counted(least: i128) -> Range {
        let interval = Interval::Integer { low: least, high: MAX_ELEMENTS as i128 };
        Range { interval, low_stated: true, high_stated: false, of_data: false }
    }

    /// Other values whose ends come from the same places.
    fn with(self, interval: Interval) -> Range {
        Range { interval, ..self }
    }

    /// The multiples of 10^`zeros` that are nearest to integers, before they wrap in a dtype. `None` where all
    /// become 0.
    pub fn to_multiples(self, zeros: f64, dtype: DType) -> Option<Range> {
        let Interval::Integer { low, high } = self.interval else { return None };
        let factor = (zeros > 0.0).then(|| 10i128.checked_pow(zeros as u32))?.filter(|it| *it <= integers(dtype).1)?;
        let near = |value: i128| integer::nearest_multiple(value, factor);
        Some(self.with(Interval::Integer { low: near(low), high: near(high) }))
    }

    /// Whether both ends are stated.
    pub fn is_stated(&self) -> bool {
        self.low_stated && self.high_stated
    }
}

impl Interval {
    /// Every value of a dtype.
    pub fn of_dtype(dtype: DType) -> Interval {
        match dtype.kind() {
            Kind::Bool | Kind::Unsigned | Kind::Signed => {
                let (low, high) = integers(dtype);
                Interval::Integer { low, high }
            }
            Kind::Float => Interval::Float { low: f64::NEG_INFINITY, high: f64::INFINITY, nan: true, whole: false },
            Kind::Complex => Interval::Complex,
        }
    }

    /// One value.
    pub fn of_scalar(scalar: Scalar) -> Interval {
        match scalar.dtype.kind() {
            Kind::Bool | Kind::Unsigned | Kind::Signed => {
                Interval::Integer { low: scalar.to_i128(), high: scalar.to_i128() }
            }
            Kind::Float => {
                let wide = eval::eval(Prim::Convert, DType::F64, &[scalar]);
                let value = f64::from_bits(wide.bits as u64);
                match value.is_nan() {
                    true => Interval::of_dtype(scalar.dtype),
                    false => Interval::Float { low: value, high: value, nan: false, whole: is_whole(value) },
                }
            }
            Kind::Complex => Interval::Complex,
        }
    }

    /// Whether every value exists in a dtype, so that a conversion to it changes none.
    pub fn exists_in(&self, dtype: DType) -> bool {
        let row = dtype.row();
        match (*self, dtype.kind()) {
            (Interval::Integer { low, high }, Kind::Bool | Kind::Unsigned | Kind::Signed) => {
                let (least, most) = integers(dtype);
                least <= low && high <= most
            }
            (Interval::Integer { low, high }, Kind::Float | Kind::Complex) => {
                let largest = 1i128 << row.value_bits;
                -largest <= low && high <= largest
            }
            (Interval::Float { low, high, nan, whole }, Kind::Bool | Kind::Unsigned | Kind::Signed) => {
                // 2^63 as a float is above every i64, and so on: compare as integers once they are known to be small.
                let (least, most) = integers(dtype);
                let small = low.abs() < 2f64.powi(100) && high.abs() < 2f64.powi(100);
                whole && !nan && small && least <= low as i128 && high as i128 <= most
            }
            (Interval::Float { low, high, whole, .. }, Kind::Float | Kind::Complex) => {
                let largest = 2f64.powi(row.value_bits as i32);
                whole && -largest <= low && high <= largest
            }
            (Interval::Complex, _) => false,
        }
    }

    /// Whether no finite value overflows in a dtype: integers wrap in integers, anything may be infinite in floats.
    pub fn within(&self, dtype: DType) -> bool {
        match (*self, dtype.kind()) {
            (Interval::Integer { low, high }, Kind::Float | Kind::Complex) => {
                let most = largest_finite(dtype);
                -most <= low as f64 && high as f64 <= most
            }
            (Interval::Float { low, high, .. }, Kind::Float | Kind::Complex) => {
                let most = largest_finite(dtype);
                -most <= low && high <= most
            }
            _ => self.exists_in(dtype),
        }
    }

    /// Every value of both.
    #[must_use]
    pub fn union(self, other: Interval) -> Interval {
        match (self, other) {
            (Interval::Integer { low, high }, Interval::Integer { low: l, high: h }) => {
                Interval::Integer { low: low.min(l), high: high.max(h) }
            }
            (Interval::Float { low, high, nan, whole }, Interval::Float { low: l, high: h, nan: n, whole: w }) => {
                Interval::Float { low: low.min(l), high: high.max(h), nan: nan || n, whole: whole && w }
            }
            _ => Interval::Complex,
        }
    }

    /// The least and the greatest value of integers.
    fn integer_ends(&self) -> Option<integer::Ends> {
        match *self {
            Interval::Integer { low, high } => Some((low, high)),
            Interval::Float { .. } | Interval::Complex => None,
        }
    }

    /// The value, when there is only one.
    pub fn single(&self) -> Option<i128> {
        self.integer_ends().filter(|(low, high)| low == high).map(|(low, _)| low)
    }
}

impl std::fmt::Display for Interval {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let integer = |value: i128| match value {
            i128::MIN => "-inf".to_owned(),
            i128::MAX => "inf".to_owned(),
            value => value.to_string(),
        };
        match *self {
            Interval::Integer { low, high } => write!(f, "[{}, {}]", integer(low), integer(high)),
            Interval::Float { low, high, .. } => write!(f, "[{low}, {high}]"),
            Interval::Complex => f.write_str("any complex number"),
        }
    }
}

/// The smallest and the largest value of an integer dtype or `bool`.
pub fn integers(dtype: DType) -> (i128, i128) {
    let bits = dtype.row().value_bits;
    match dtype.kind() {
        Kind::Bool => (0, 1),
        Kind::Signed => (-(1 << bits), (1 << bits) - 1),
        Kind::Unsigned | Kind::Float | Kind::Complex => (0, (1 << bits) - 1),
    }
}

/// The largest finite value of a float dtype, or of the parts of a complex one.
pub fn largest_finite(dtype: DType) -> f64 {
    dtype.largest_part()
}

fn is_whole(value: f64) -> bool {
    value.is_infinite() || value == value.trunc()
}
