//! Exact arithmetic on literals: which operations have it.

use std::cmp::Ordering;

/// What an operation makes of literals, exactly: `2 ** 100`, `1 / 3`, `7 // 2 > 3`. The values are computed in
/// `check::infer::values::literal`.
#[derive(Clone, Copy, Debug)]
pub enum ExactOp {
    /// The negative.
    Neg,
    /// The same number.
    Positive,
    /// The magnitude of an integer.
    Abs,
    /// The bits of an integer, flipped.
    Invert,
    /// The square of an integer.
    Square,
    /// The real part.
    Real,
    /// The imaginary part.
    Imag,
    /// The sum.
    Add,
    /// The difference.
    Subtract,
    /// The product.
    Multiply,
    /// The quotient, a float.
    Divide,
    /// The quotient of integers, rounded down.
    FloorDivide,
    /// What is left of an integer by [`ExactOp::FloorDivide`].
    Remainder,
    /// What is left of an integer when its quotient is rounded to 0.
    TruncatedRemainder,
    /// A power of an integer.
    Power,
    /// The bits that both integers have.
    And,
    /// The bits that one of the integers has.
    Or,
    /// The bits that exactly one of the integers has.
    Xor,
    /// The smaller integer.
    Minimum,
    /// The larger integer.
    Maximum,
    /// An integer times a power of two.
    ShiftLeft,
    /// An integer by a power of two, rounded down.
    ShiftRight,
    /// Whether two numbers are in an order; `None` is the order of not-a-number and any number.
    Compare(fn(Option<Ordering>) -> bool),
}
