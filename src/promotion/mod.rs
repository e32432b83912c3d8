//! The promotion of operands, with its reason, at its cost.
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

pub mod explain;
pub mod grid;
pub mod join;
pub mod lattice;
pub mod laws;
pub mod rule;
pub mod systems;
pub mod table;
pub mod user;
pub mod verdict;

pub use rule::{Rule, Weakness};

use crate::constant::Const;
use crate::types::{DType, Elem, Kind};
use grid::GridType;
use rule::{JoinOrder, Literals};
use std::borrow::Cow;
use systems::System;

/// What sort of operation it is: systems map a class and the operands to a dtype.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Class {
    /// `+ *` and `dot`
    Arithmetic,
    /// `-` of two operands
    Subtraction,
    /// `-` of one operand
    Negation,
    /// `/`
    Division,
    /// `linspace`: as a quotient, and never weak
    Spacing,
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
    /// `where`, array literals, `full`, `zeros_like`: a join and nothing else
    Selection,
    /// `gcd lcm popcount clz`
    Integral,
    /// `sum nansum`
    Sum,
    /// `prod`
    Product,
    /// `cumsum cumprod`
    Accumulation,
    /// `mean nanmean`
    Mean,
    /// `median quantile percentile`: an average of real numbers
    Quantile,
    /// `interp`: a line through points
    Interpolation,
    /// `histogram`: counts, and edges in the dtype that is computed in
    Histogram,
    /// `weights=` of counts: what these are sums in
    Weights,
    /// `searchsorted digitize`: a place among elements of the common dtype
    Search,
    /// `rank`: a float, whatever the elements
    Rank,
    /// `var std norm`
    Variance,
    /// `min max nanmin nanmax cummax cummin`: kept
    Reduction,
    /// `argmin argmax`
    ArgIndex,
    /// `count_nonzero`
    Count,
    /// `any all`
    Truth,
    /// `fft`: complex in, complex out
    Spectrum,
    /// `rfft`: real in, complex out
    RealSpectrum,
    /// `irfft`: complex in, real out
    InverseRealSpectrum,
    /// `solve inv`: the answer to a system of equations
    Solution,
    /// `det cholesky qr svd eigh`: what a matrix is made of
    Factor,
    /// `svdvals eigvalsh`: real numbers that belong to a matrix
    Values,
    /// `eig eigvals`: complex ones
    Eigenvalues,
}

impl Class {
    /// Whether its results are answers: `bool`, whatever the operands are.
    pub fn is_question(self) -> bool {
        use Class::{Closeness, Equality, Logical, Ordering, Predicate};
        matches!(self, Equality | Ordering | Logical | Predicate | Closeness)
    }

    /// Whether its results are fractions, so that no integers are computed in: a system that computes in them divides.
    pub fn is_fractional(self) -> bool {
        use Class::{Histogram, Inexact, Interpolation, Mean, Quantile, RealInexact, Spacing};
        matches!(self, Spacing | Inexact | RealInexact | Mean | Quantile | Interpolation | Histogram)
    }
}

/// An operation as a system sees it: its class, and its name where a system treats it unlike the rest of the class.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Operation {
    /// The name of the operation, or nothing when only the class is meant.
    pub name: &'static str,
    /// Its class.
    pub class: Class,
    /// Whether it is called by its name where an operator does the same: `power(x, 2)`.
    pub is_call: bool,
}

impl Operation {
    /// An array literal of what is computed.
    pub const LIST: Operation = Operation { name: "[…]", class: Class::Selection, is_call: false };
}

impl From<Class> for Operation {
    fn from(class: Class) -> Operation {
        Operation { name: "", class, is_call: false }
    }
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
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Operand<'c> {
    /// Its dtype or weak type.
    pub elem: Elem,
    /// Its rank.
    pub rank: Rank,
    /// Whether it is a literal constant (as opposed to a computed weak value).
    pub constant: bool,
    /// Its exact value, where it is known; systems whose weak rule goes by value look at it.
    pub value: Option<&'c Const>,
}

impl Operand<'_> {
    /// An array of this type; weak types are literals.
    pub fn array(elem: Elem) -> Operand<'static> {
        let rank = if elem.is_weak() { Rank::Zero } else { Rank::NonZero };
        Operand { elem, rank, constant: elem.is_weak(), value: None }
    }

    /// The same operand with another type.
    pub(crate) fn with_type(self, elem: Elem) -> Self {
        Operand { elem, ..self }
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
    /// Whether the result is weak; a weak `bool` behaves like a strong one. A weak type that is not kept becomes the
    /// default dtype, and a weak result may have another width than the default: then `result` is a dtype.
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

/// The dtype, weakness and conversions of an operation.
///
/// # Errors
/// The [`Refusal`], when the system does not define the operation for these operands.
pub fn result(system: &System, operation: impl Into<Operation>, operands: &[Operand]) -> Result<Decision, Refusal> {
    let operation = operation.into();
    let rule = system.rule_of(operation);
    system.refuse_stored(operation, operands)?;
    if let (Some(class), [base, ..], false) = (rule.instead(operands), operands, operation.is_call) {
        return result(system, class, &[*base]);
    }
    let operands = &*as_arrays(system, &rule, operands);
    let operands = &*system.stored_operands(operands);
    let meet = rule.meet;
    let join = |operands: &[Operand]| system.join_by(meet.join.unwrap_or(&system.join), operands, meet.searched);
    refuse(&rule, operands)?;
    refuse(&rule, &system.operands_by_value(operands, meet.searched))?;
    let (joined, compute) = match meet.order {
        JoinOrder::Base if operands.get(1).is_some_and(is_literal_count) => {
            let joined = join(&operands[..1])?;
            accept(&rule, joined.elem, operands)?;
            (joined, (rule.compute)(joined.elem))
        }
        JoinOrder::BoolWins if operands.iter().any(|operand| operand.elem == Elem::Strong(DType::Bool)) => {
            // The truth of the other operand is asked for; nothing of it is lost.
            let other = operands.iter().map(|operand| operand.elem).find(|elem| elem.kind() != Kind::Bool);
            let truth = Elem::Strong(DType::Bool);
            (GridType { elem: other.unwrap_or(truth), weak: false }, truth)
        }
        JoinOrder::First if !operands.is_empty() => of_first(&rule, join(&operands[..1])?, operands)?,
        JoinOrder::JoinThenMap | JoinOrder::Base | JoinOrder::BoolWins | JoinOrder::First => {
            let joined = join(operands)?;
            accept(&rule, joined.elem, operands)?;
            (joined, (rule.compute)(joined.elem))
        }
        JoinOrder::MapThenJoin | JoinOrder::MapApart => {
            for operand in operands {
                accept(&rule, operand.elem, operands)?;
            }
            let whole = join(operands);
            match whole {
                // What they have in common is what the operation computes in: no operand takes a way of its own.
                Ok(whole) if meet.order == JoinOrder::MapThenJoin && (rule.compute)(whole.elem) == whole.elem => {
                    (whole, whole.elem)
                }
                _ => {
                    // A literal is first what it meets: `1` beside u8 is a u8, beside a bool an integer of its own.
                    let met = whole.map(|whole| system.harden(whole.elem));
                    let own = |it: &Operand| match met {
                        Ok(met) if it.elem.is_weak() && operands.len() > 1 && meet.order != JoinOrder::MapApart => {
                            met.into()
                        }
                        _ => it.elem,
                    };
                    let mapped = |it: &Operand| Operand::array((rule.compute)(own(it)));
                    let apart = match (meet.order, operands) {
                        // A place is looked up among others of its type; what stands there is mapped by itself.
                        (JoinOrder::MapApart, &[at, places, values]) => {
                            vec![Operand::array(join(&[at, places])?.elem), values]
                        }
                        _ => operands.to_vec(),
                    };
                    let mapped: Vec<Operand> =
                        system.operands_by_value(&apart, meet.searched).iter().map(mapped).collect();
                    let joined = join(&mapped)?;
                    (whole.unwrap_or(joined), joined.elem)
                }
            }
        }
    };
    let made = system.storage_type((rule.result)(compute));
    let compute = system.storage_type(compute);
    let divides = matches!(
        operation.class,
        Class::Spacing | Class::Mean | Class::Quantile | Class::Interpolation | Class::Histogram
    ) || operation.class == Class::Division && compute.kind() == Kind::Bool;
    let compute = if divides { rule::to_quotient(compute) } else { compute };
    let harden = hardens(&rule, operands, joined.elem);
    let attribute = rule.weak == Weakness::Attribute && operands.iter().all(|operand| operand.constant);
    // Truths that count as numbers of Python are as weak as these.
    let counted = made.is_weak() && !joined.elem.is_weak();
    let weak = (system.weak.results || attribute) && !harden && (joined.weak || counted);
    Ok(Decision { joined: joined.elem, compute, result: made, weak })
}

/// What the first operand decides for all. No complex number becomes a real one.
fn of_first(rule: &Rule, first: GridType, operands: &[Operand]) -> Result<(GridType, Elem), Refusal> {
    accept(rule, first.elem, operands)?;
    let is_complex = |elem: Elem| elem.kind() == Kind::Complex;
    if let Some(above) = operands.iter().find(|it| is_complex(it.elem) && !is_complex(first.elem)) {
        return Err(Refusal::Unsupported(above.elem));
    }
    let compute = (rule.compute)(first.elem);
    Ok((if operands.len() > 1 { compute.into() } else { first }, compute))
}

/// Whether a rule makes a weak result of these operands, which meet as `joined`, strong.
fn hardens(rule: &Rule, operands: &[Operand], joined: Elem) -> bool {
    match rule.weak {
        Weakness::Kept | Weakness::Attribute => false,
        Weakness::All => operands.iter().any(|operand| !operand.elem.is_weak() && !operand.constant),
        Weakness::First => operands.first().is_some_and(|first| !first.constant),
        Weakness::NotIntegers => joined == Elem::WeakInt,
        Weakness::NotComplex => joined == Elem::WeakComplex,
        Weakness::Hardened => true,
        Weakness::Power => match operands {
            [_, exponent] if joined == Elem::WeakInt => !is_literal_count(exponent),
            [base, exponent] => base.elem.is_weak() && exponent.elem.strong().is_some_and(DType::is_integer),
            _ => false,
        },
    }
}

/// The operands as an operation takes them: where it makes arrays of literals, these have their default dtypes.
fn as_arrays<'o, 'c>(system: &System, rule: &Rule, operands: &'o [Operand<'c>]) -> Cow<'o, [Operand<'c>]> {
    match rule.literals {
        Literals::AsArrays => operands.iter().map(|it| Operand::array(system.harden(it.elem).into())).collect(),
        Literals::FirstAsArray => {
            let mut operands = operands.to_vec();
            if let Some(first) = operands.first_mut() {
                *first = first.with_type(system.harden(first.elem).into());
            }
            operands.into()
        }
        Literals::Taken | Literals::NotFirst | Literals::Refused => operands.into(),
    }
}

fn refuse(rule: &Rule, operands: &[Operand]) -> Result<(), Refusal> {
    let literal = |operand: &&Operand| operand.constant && operand.rank == Rank::Zero;
    let refused = match rule.literals {
        Literals::Taken | Literals::AsArrays | Literals::FirstAsArray => None,
        Literals::NotFirst => operands.first().filter(literal),
        Literals::Refused if operands.len() > 1 => operands.iter().find(literal),
        Literals::Refused => None,
    };
    if let Some(literal) = refused {
        return Err(Refusal::Unsupported(literal.elem));
    }
    let named = |elem: Elem, names: &str| names.split(' ').any(|name| name == elem.name());
    for (at, left) in operands.iter().enumerate() {
        for right in &operands[at + 1..] {
            let meets = |(one, other): &(&str, &str)| {
                named(left.elem, one) && named(right.elem, other) || named(left.elem, other) && named(right.elem, one)
            };
            if rule.refuses.iter().any(meets) {
                return Err(Refusal::NoJoin(left.elem, right.elem));
            }
        }
    }
    Ok(())
}

fn is_literal_count(operand: &Operand) -> bool {
    operand.constant && (operand.elem == Elem::WeakInt || operand.elem == Elem::Strong(DType::Bool))
}

fn accept(rule: &Rule, elem: Elem, operands: &[Operand]) -> Result<(), Refusal> {
    // Where nothing takes part, there is nothing to refuse.
    if rule.accepts.contains(elem) || operands.is_empty() {
        return Ok(());
    }
    let culprit = operands.iter().find(|operand| !rule.accepts.contains(operand.elem));
    Err(Refusal::Unsupported(culprit.map_or(elem, |operand| operand.elem)))
}
