//! Which dtype an operation has, why, and what that costs.
//!
//! [`result`] is the one entry point, whatever the system: operands and the class of the operation go in, a
//! [`Decision`] or a [`Refusal`] comes out. What a system does is its row in [`systems`]; what a promotion loses is
//! computed by [`verdict`] from the dtypes' parameters.
//!
//! ```
//! use arrlang::promotion::{Class, Operand, result, systems};
//! use arrlang::types::{DType, Elem};
//! let operands = [DType::I8, DType::U32].map(|dtype| Operand::array(Elem::Strong(dtype)));
//! let decision = result(systems::default(), Class::Arithmetic, &operands).unwrap();
//! assert_eq!(decision.result, Elem::Strong(DType::I64));
//! ```

pub mod lattice;
pub mod systems;
pub mod verdict;

use crate::types::{DType, Elem, Kind};
use systems::System;

/// What sort of operation it is: systems map a class and the operands to a dtype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// `+ *`
    Arithmetic,
    /// `-` of two operands
    Subtraction,
    /// `-` of one operand
    Negation,
    /// `/`
    Division,
    /// `// %`
    FloorDivision,
    /// `**`
    Power,
    /// `& | ^ ~`
    Bitwise,
    /// `<< >>`
    Shift,
    /// `== !=`
    Equality,
    /// `< <= > >=`
    Ordering,
    /// `and or not` and `logical_and …`: any dtype goes in, `bool` comes out
    Logical,
    /// `isnan isinf isfinite`
    Predicate,
    /// `isclose`: computed as floats, `bool` comes out
    Closeness,
    /// `sqrt exp log sin …`: defined for complex numbers too
    Inexact,
    /// `cbrt erf hypot atan2 …`: real only
    RealInexact,
    /// `floor ceil trunc`
    Rounding,
    /// `round`
    Round,
    /// `abs`
    Magnitude,
    /// `real imag`
    Part,
    /// `angle`: a float, of complex numbers that of their parts
    Angle,
    /// `conj`
    Conjugate,
    /// `sign`
    Sign,
    /// `square`
    Square,
    /// `minimum maximum clip`
    Extremum,
    /// `relu`: real numbers, kept
    Ordered,
    /// `where` and array literals: a join and nothing else
    Selection,
    /// `gcd lcm popcount clz`
    Integral,
    /// `sum`
    Sum,
    /// `prod`
    Product,
    /// `cumsum cumprod`
    Accumulation,
    /// `mean`
    Mean,
    /// `var std`
    Variance,
    /// `min max` as reductions
    Reduction,
    /// `argmin argmax`
    ArgIndex,
    /// `count_nonzero`
    Count,
    /// `any all`
    Truth,
}

/// How many dimensions an operand has, as far as a rule may ask.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rank {
    /// A scalar.
    Zero,
    /// An array.
    NonZero,
    /// Not known yet.
    Unknown,
}

/// One operand of a promotion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operand {
    /// Its dtype or weak type.
    pub elem: Elem,
    /// Its rank.
    pub rank: Rank,
    /// Whether it is a literal constant (as opposed to a computed weak value).
    pub constant: bool,
}

impl Operand {
    /// An array of this type; weak types are literals.
    pub fn array(elem: Elem) -> Operand {
        Operand { elem, rank: if elem.is_weak() { Rank::Zero } else { Rank::NonZero }, constant: elem.is_weak() }
    }
}

/// What a system answers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    /// What the operands are joined to, before the operation says what it makes of that.
    pub joined: Elem,
    /// What operands are converted to before the operation.
    pub compute: Elem,
    /// What comes out.
    pub result: Elem,
    /// Whether the result is weak; a weak `bool` behaves like a strong one.
    pub weak: bool,
}

/// Why a system has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// These operands have no common dtype in the system.
    NoJoin(Elem, Elem),
    /// The operation is not defined for this type.
    Unsupported(Elem),
}

/// How one class works in one system.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The kinds that the joined type may have.
    pub accepts: &'static [Kind],
    /// From the joined type to the type that the operation computes in.
    pub compute: fn(Elem) -> Elem,
    /// From that to the type of the result.
    pub result: fn(Elem) -> Elem,
    /// When a weak result is made strong.
    pub weak: Weakness,
}

/// Whether the result of weak operands is weak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakness {
    /// Weak in, weak out.
    Kept,
    /// Always strong, at the default width.
    Hardened,
    /// Strong if the second operand is a strong integer or `bool`, or a computed weak integer (JAX's `power`).
    HardenedByExponent,
}

/// Every kind.
pub const ANY: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex];
/// Everything but `bool`.
pub const NUMBERS: &[Kind] = &[Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex];
/// Everything but complex numbers.
pub const REAL: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float];
/// Real numbers, without `bool`.
pub const ORDERED: &[Kind] = &[Kind::Unsigned, Kind::Signed, Kind::Float];
/// Integers and `bool`.
pub const BITS: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed];
/// Integers.
pub const INTEGERS: &[Kind] = &[Kind::Unsigned, Kind::Signed];

impl Rule {
    /// The joined type is the result, for these kinds.
    pub const fn keep(accepts: &'static [Kind]) -> Rule {
        Rule { accepts, compute: same, result: same, weak: Weakness::Kept }
    }

    /// The operation computes in another type, and gives it.
    pub const fn through(self, compute: fn(Elem) -> Elem) -> Rule {
        Rule { compute, ..self }
    }

    /// The result has another type than the one computed in.
    pub const fn giving(self, result: fn(Elem) -> Elem) -> Rule {
        Rule { result, ..self }
    }

    /// Results are never weak.
    pub const fn hardened(self) -> Rule {
        Rule { weak: Weakness::Hardened, ..self }
    }
}

fn same(elem: Elem) -> Elem {
    elem
}

/// `bool`, whatever goes in.
pub fn to_bool(_: Elem) -> Elem {
    Elem::Strong(DType::Bool)
}

/// `i64`, whatever goes in.
pub fn to_i64(_: Elem) -> Elem {
    Elem::Strong(DType::I64)
}

/// A complex type's parts; every other type itself.
pub fn to_part(elem: Elem) -> Elem {
    match elem {
        Elem::WeakComplex => Elem::WeakFloat,
        Elem::Strong(dtype) => Elem::Strong(dtype.part()),
        other => other,
    }
}

/// The dtype, weakness and conversions of an operation.
///
/// # Errors
/// The [`Refusal`], when the system does not define the operation for these operands.
pub fn result(system: &System, class: Class, operands: &[Operand]) -> Result<Decision, Refusal> {
    let joined = system.join(operands)?;
    let rule = (system.rule)(class);
    if !rule.accepts.contains(&joined.kind()) {
        let culprit = operands.iter().find(|operand| !rule.accepts.contains(&operand.elem.kind()));
        return Err(Refusal::Unsupported(culprit.map_or(joined, |operand| operand.elem)));
    }
    let compute = (rule.compute)(joined);
    let made = (rule.result)(compute);
    let harden = match rule.weak {
        Weakness::Kept => false,
        Weakness::Hardened => true,
        Weakness::HardenedByExponent => operands.get(1).is_some_and(|exponent| {
            let kind = exponent.elem.kind();
            let integer = matches!(kind, Kind::Unsigned | Kind::Signed);
            let bool_exponent = kind == Kind::Bool && joined == Elem::WeakInt;
            (integer && !(exponent.elem.is_weak() && exponent.constant)) || bool_exponent
        }),
    };
    let result = if harden { Elem::Strong(system.harden(made)) } else { made };
    let weak = !harden && joined.is_weak() && (result.is_weak() || result == Elem::Strong(DType::Bool));
    Ok(Decision { joined, compute, result, weak })
}
