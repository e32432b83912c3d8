//! The parameters of an operation.

/// What a parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An array or scalar that takes part in promotion.
    Operand,
    /// One that may be left out: then the operation is the one of this name, of the others.
    Optional(&'static str),
    /// A `bool` array that does not.
    Condition,
    /// `axis=`: a number, a tuple of numbers, or `None` for all axes.
    Axes,
    /// `axis=`: one number, or `None` for all elements in C order.
    Axis,
    /// `ddof=`: how many elements do not count when squares are averaged.
    Freedom,
    /// `true` or `false`, known now.
    Flag,
    /// `keepdims=`: a flag, whether axes that are reduced stay, of length 1.
    Keep,
    /// A dtype.
    DType,
    /// A size or a tuple of sizes.
    Shape,
    /// One size.
    Size,
    /// A number that is known now.
    Number,
    /// A whole number that is known now.
    Whole,
    /// A value that becomes the dtype of an operand and takes no part in promotion.
    Filling,
    /// The name of a file, a string literal.
    Path,
    /// Arrays in a tuple or a list, which take part in promotion. An operand right behind them is promoted with them.
    Arrays,
    /// Arrays in a tuple or a list, each of which becomes the dtype of the first operand.
    Fillings,
    /// Arrays that are given one by one.
    Several,
    /// A shape in which one length may be -1; its lengths may also be given one by one.
    Sizes,
    /// All axes in a new order; they may also be given one by one.
    Order,
    /// An integer array of positions.
    Positions,
    /// Numbers between 0 and 1, or 100: one, or a vector.
    Fractions,
    /// Integers that are known now: one, or a tuple.
    Counts,
    /// A word out of a few, a string literal.
    Text,
    /// Which norm: a number that is known now, or a word.
    Norm,
    /// Numbers that elements are counted with; may be left out.
    Weights,
    /// How many bins, or their edges.
    Bins,
    /// Two real numbers, or `None`.
    Interval,
    /// What random numbers are drawn from: two words.
    Key,
    /// An array, or a length that stands for the numbers below it.
    Elements,
    /// An option with which the operation is written in the language ([`options`](super::options)).
    Written,
}

impl Role {
    /// Whether what it stands for may be given as several arguments.
    pub fn is_variadic(self) -> bool {
        matches!(self, Role::Sizes | Role::Order | Role::Several)
    }
}

/// A parameter of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name, for keyword arguments and messages.
    pub name: &'static str,
    /// What it stands for.
    pub role: Role,
    /// The default as written in the documentation; `None` when it must be given.
    pub default: Option<&'static str>,
}

/// A parameter that takes part in promotion, and has to be given.
pub(super) const fn operand(name: &'static str) -> Param {
    Param { name, role: Role::Operand, default: None }
}

pub(super) const X: &[Param] = &[operand("x")];
pub(super) const XY: &[Param] = &[operand("x"), operand("y")];
pub(super) const XYZ: &[Param] = &[operand("x"), operand("y"), operand("z")];
