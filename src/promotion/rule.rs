//! The rule of one class of operations in one system: what it takes, what it computes in, what comes out.
//!
//! A rule is three columns of dtypes and two of order. The dtypes are the types that are accepted, the map to the type
//! that is computed in, and the map from that to the result. The order says whether operands are joined before or after
//! the first map, and whether weak operands give a weak result.
//!
//! ```text
//! Rule::keep(ANY).through(to_float)          // `/`: join, then integers become floats
//! Rule::keep(REAL).through(to_float).each()  // `atan2`: every operand becomes a float, then they join
//! ```

use super::join::Join;
use super::{Class, Operand};
use crate::constant::Const;
use crate::types::{DType, Elem, Kind};

/// A set of dtypes; weak types belong to it with the kind they have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Set(u32);

const WEAK: [(Kind, u32); 3] = [
    (Kind::Signed, 1 << Elem::WeakInt.index()),
    (Kind::Float, 1 << Elem::WeakFloat.index()),
    (Kind::Complex, 1 << Elem::WeakComplex.index()),
];

impl Set {
    /// Every type of these kinds.
    pub const fn kinds(kinds: &[Kind]) -> Set {
        let mut bits = 0;
        let mut at = 0;
        while at < kinds.len() {
            let mut dtype = 0;
            while dtype < DType::ALL.len() {
                if crate::types::dtype::ROWS[dtype].kind as u8 == kinds[at] as u8 {
                    bits |= 1 << dtype;
                }
                dtype += 1;
            }
            let mut weak = 0;
            while weak < WEAK.len() {
                if WEAK[weak].0 as u8 == kinds[at] as u8 {
                    bits |= WEAK[weak].1;
                }
                weak += 1;
            }
            at += 1;
        }
        Set(bits)
    }

    /// The small floats.
    const fn small_floats() -> Set {
        let mut bits = 0;
        let mut dtype = 0;
        while dtype < DType::ALL.len() {
            if crate::types::dtype::ROWS[dtype].computed_in as usize != dtype {
                bits |= 1 << dtype;
            }
            dtype += 1;
        }
        Set(bits)
    }

    /// The floats of this size.
    const fn floats_of_bytes(size: usize) -> Set {
        let mut bits = 0;
        let mut dtype = 0;
        while dtype < DType::ALL.len() {
            let row = &crate::types::dtype::ROWS[dtype];
            if row.kind as u8 == Kind::Float as u8 && row.size == size {
                bits |= 1 << dtype;
            }
            dtype += 1;
        }
        Set(bits)
    }

    /// Without the types of another set.
    pub const fn but(self, other: Set) -> Set {
        Set(self.0 & !other.0)
    }

    /// Without these dtypes.
    pub const fn without(self, dtypes: &[DType]) -> Set {
        let mut bits = self.0;
        let mut at = 0;
        while at < dtypes.len() {
            bits &= !(1 << dtypes[at] as u32);
            at += 1;
        }
        Set(bits)
    }

    /// The set with these dtypes added.
    pub const fn and(self, dtypes: &[DType]) -> Set {
        let mut bits = self.0;
        let mut at = 0;
        while at < dtypes.len() {
            bits |= 1 << dtypes[at] as u32;
            at += 1;
        }
        Set(bits)
    }

    /// Whether the type belongs to it.
    pub fn contains(self, elem: Elem) -> bool {
        self.0 >> elem.index() & 1 == 1
    }
}

/// Every type.
pub const ANY: Set = Set::kinds(&[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex]);
/// Everything but `bool`.
pub const NUMBERS: Set = Set::kinds(&[Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex]);
/// Everything but complex numbers.
pub const REAL: Set = Set::kinds(&[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float]);
/// Integers and floats.
pub const REAL_NUMBERS: Set = Set::kinds(&[Kind::Unsigned, Kind::Signed, Kind::Float]);
/// Integers and `bool`.
pub const BITS: Set = Set::kinds(&[Kind::Bool, Kind::Unsigned, Kind::Signed]);
/// Integers.
pub const INTEGERS: Set = Set::kinds(&[Kind::Unsigned, Kind::Signed]);
/// Floats and complex numbers.
pub const INEXACT: Set = Set::kinds(&[Kind::Float, Kind::Complex]);
/// Floats.
pub const FLOATS: Set = Set::kinds(&[Kind::Float]);
/// Complex numbers.
pub const COMPLEX: Set = Set::kinds(&[Kind::Complex]);
/// Floats that are computed in another dtype.
pub const SMALL_FLOATS: Set = Set::small_floats();
/// Floats of one byte.
pub const BYTES: Set = Set::floats_of_bytes(1);
/// `bool` alone.
pub const TRUTH: Set = Set::kinds(&[Kind::Bool]);
/// Nothing: the system does not have the operation.
pub const NOTHING: Set = Set(0);

/// How one class works in one system.
#[derive(Clone, Copy, Debug)]
pub struct Rule {
    /// The types that the joined type may be.
    pub accepts: Set,
    /// From the joined type to the type that the operation computes in.
    pub compute: fn(Elem) -> Elem,
    /// From that to the type of the result.
    pub result: fn(Elem) -> Elem,
    /// How operands meet.
    pub meet: JoinRule,
    /// When a weak result is made strong.
    pub weak: Weakness,
    /// Where literals may stand.
    pub literals: Literals,
    /// Pairs of dtypes that may not meet, in either order, although the system has a common type for them.
    pub refuses: &'static [(&'static str, &'static str)],
    /// A literal second operand of this value makes the operator one of this class, of the first operand alone. The
    /// function stays what it is.
    pub instead: Option<(i32, Class)>,
    /// What may be asked for beside the operands.
    pub asked: AskedTypes,
    /// Whether what a product adds up of one operand alone is added as `sum` adds it.
    pub sums_apart: bool,
}

/// How the operands of one class meet.
#[derive(Clone, Copy, Debug)]
pub struct JoinRule {
    /// Whether operands are joined before or after the first map.
    pub order: JoinOrder,
    /// How they are joined, where it is not as the system joins everywhere else.
    pub join: Option<&'static Join>,
    /// Whether a scalar that unsigned arrays do not hold counts as signed, where scalars count by value: NumPy 1
    /// searches its loops in order, and looks at signed integers first.
    pub searched: bool,
}

/// What the dtypes do that a call asks for: `dtype=`, the fractions of a quantile, weights.
#[derive(Clone, Copy, Debug)]
pub struct AskedTypes {
    /// What may be asked for with `dtype=`.
    pub dtypes: Set,
    /// Whether what says what is asked for and has a dtype, as the fractions of a quantile, meets the operands; weights
    /// meet what they weigh.
    pub meets: bool,
    /// Whether a method that picks an element, as some of quantiles do, keeps its dtype.
    pub keeps_picked: bool,
    /// Whether fractions that are integers, which are 0 and 1, pick elements with the default method.
    pub whole_picks: bool,
}

/// Whether operands are joined first, or mapped first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JoinOrder {
    /// Join, then map: `i16` and `u16` are `i32`, and that is divided as `f64`.
    JoinThenMap,
    /// Map, then join: `u8` and `i8` both become `f16`.
    MapThenJoin,
    /// Map, then join, also where the operands have a type in common that would do. Of three operands, the first two
    /// are joined before they are mapped.
    MapApart,
    /// As join, then map; but a `bool` operand makes everything `bool` (TensorFlow's `*` is then a conjunction).
    BoolWins,
    /// As join, then map; but a literal integer exponent takes no part: `true ** 2` is the square of a `bool`.
    Base,
    /// The first operand decides alone: the others take the type that it is mapped to.
    First,
}

/// Where an operation takes literals.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Literals {
    /// Everywhere.
    Taken,
    /// Not as the first operand.
    NotFirst,
    /// Not beside other operands: arrays only.
    Refused,
    /// Everywhere, as the arrays that are made of them: a literal has its default dtype before it meets anything.
    AsArrays,
    /// Everywhere; the first operand as the array that is made of it.
    FirstAsArray,
}

/// Whether the result of weak operands is weak.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakness {
    /// Weak in, weak out.
    Kept,
    /// Weak only if every operand is.
    All,
    /// Weak in, weak out, but only if the first operand is a literal.
    First,
    /// Weak in, weak out, but weak integers give a strong result.
    NotIntegers,
    /// Weak in, weak out, but weak complex numbers give a strong result.
    NotComplex,
    /// Weak in, weak out; of a literal in systems without other weak values too: it is an attribute of Python's number.
    Attribute,
    /// Always strong, at the default width.
    Hardened,
    /// JAX's `power`: integers give a strong result unless the exponent is a literal, and so does a strong integer
    /// exponent of a weak float.
    Power,
}

impl Rule {
    /// The joined type is the result, for these types.
    pub const fn keep(accepts: Set) -> Rule {
        Rule {
            accepts,
            compute: same,
            result: same,
            meet: JoinRule { order: JoinOrder::JoinThenMap, join: None, searched: false },
            weak: Weakness::Kept,
            literals: Literals::Taken,
            refuses: &[],
            instead: None,
            asked: AskedTypes { dtypes: ANY, meets: false, keeps_picked: false, whole_picks: false },
            sums_apart: false,
        }
    }

    /// The system does not have the operation.
    pub const fn refuse() -> Rule {
        Rule::keep(NOTHING)
    }

    const fn ordered(self, order: JoinOrder) -> Rule {
        Rule { meet: JoinRule { order, ..self.meet }, ..self }
    }

    /// Each operand is taken to another type by itself, whatever they have in common; of three, the first two together.
    pub const fn apart(self) -> Rule {
        self.ordered(JoinOrder::MapApart)
    }

    /// The first operand decides alone.
    pub const fn of_first(self) -> Rule {
        self.ordered(JoinOrder::First)
    }

    /// The operation computes in another type, and gives it.
    pub const fn through(self, compute: fn(Elem) -> Elem) -> Rule {
        Rule { compute, ..self }
    }

    /// Every operand is mapped before they are joined.
    pub const fn each(self) -> Rule {
        self.ordered(JoinOrder::MapThenJoin)
    }

    /// A literal integer exponent takes no part in the join.
    pub const fn base(self) -> Rule {
        self.ordered(JoinOrder::Base)
    }

    /// The result has another type than the one computed in.
    pub const fn giving(self, result: fn(Elem) -> Elem) -> Rule {
        Rule { result, ..self }
    }

    /// Results are never weak.
    pub const fn harden(self) -> Rule {
        Rule { weak: Weakness::Hardened, ..self }
    }

    /// Operands meet in another way than elsewhere.
    pub const fn meeting(self, join: &'static Join) -> Rule {
        Rule { meet: JoinRule { join: Some(join), ..self.meet }, ..self }
    }

    /// A `bool` operand makes it a conjunction.
    pub const fn bool_wins(self) -> Rule {
        self.ordered(JoinOrder::BoolWins)
    }

    /// Where literals may stand.
    pub const fn literals(self, literals: Literals) -> Rule {
        Rule { literals, ..self }
    }

    /// These pairs may not meet.
    pub const fn refusing(self, refuses: &'static [(&'static str, &'static str)]) -> Rule {
        Rule { refuses, ..self }
    }

    /// A literal second operand of this value makes it another operation: `x ** 2` is a square.
    pub const fn at(self, value: i32, class: Class) -> Rule {
        Rule { instead: Some((value, class)), ..self }
    }

    /// What is asked for meets the operands, if it is an array or has a dtype.
    pub const fn with_asked(self) -> Rule {
        Rule { asked: AskedTypes { meets: true, ..self.asked }, ..self }
    }

    /// A picked element keeps its dtype.
    pub const fn with_picked(self) -> Rule {
        Rule { asked: AskedTypes { keeps_picked: true, ..self.asked }, ..self }
    }

    /// Fractions that are integers pick elements.
    pub const fn picked_by_integers(self) -> Rule {
        Rule { asked: AskedTypes { whole_picks: true, ..self.asked }, ..self }
    }

    /// With `dtype=` only these may be asked for.
    pub const fn asking(self, dtypes: Set) -> Rule {
        Rule { asked: AskedTypes { dtypes, ..self.asked }, ..self }
    }

    /// What is added up of one operand alone is a sum.
    pub const fn with_sums(self) -> Rule {
        Rule { sums_apart: true, ..self }
    }

    /// A scalar that unsigned arrays do not hold counts as signed.
    pub const fn search(self) -> Rule {
        Rule { meet: JoinRule { searched: true, ..self.meet }, ..self }
    }

    /// The operation that it is for these operands, if it is another one.
    pub(super) fn instead(&self, operands: &[Operand]) -> Option<Class> {
        let (value, class) = self.instead?;
        let second = operands.get(1).filter(|operand| operand.constant)?.value?;
        (*second == Const::Int(value.into())).then_some(class)
    }

    /// When results are weak.
    pub const fn weak(self, weak: Weakness) -> Rule {
        Rule { weak, ..self }
    }
}

/// The type itself.
pub fn same(elem: Elem) -> Elem {
    elem
}

/// A type, but for `bool`, which counts as a dtype.
fn bool_as(dtype: DType, elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::Bool) { Elem::Strong(dtype) } else { elem }
}

/// `bool` counts as `i8`.
pub fn bool_as_i8(elem: Elem) -> Elem {
    bool_as(DType::I8, elem)
}

/// `bool` counts as `i32`.
pub fn bool_as_i32(elem: Elem) -> Elem {
    bool_as(DType::I32, elem)
}

/// `bool` counts as `i64`.
pub fn bool_as_i64(elem: Elem) -> Elem {
    bool_as(DType::I64, elem)
}

/// `bool`, whatever goes in.
pub fn to_bool(_: Elem) -> Elem {
    Elem::Strong(DType::Bool)
}

/// `i64`, whatever goes in.
pub fn to_i64(_: Elem) -> Elem {
    Elem::Strong(DType::I64)
}

/// The float in which a type is divided: that of integers of up to 16 bits and of `bool` is `f32`, that of others `f64`.
pub fn to_quotient(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(dtype) if !dtype.kind().is_inexact() => {
            Elem::Strong(if dtype.size() > 2 { DType::F64 } else { DType::F32 })
        }
        Elem::WeakInt => Elem::Strong(DType::F64),
        other @ (Elem::Strong(_) | Elem::WeakFloat | Elem::WeakComplex) => other,
    }
}

/// Floats and complex numbers themselves; what has no fraction as this float, or as a number without a width.
pub fn whole_to(float: DType, elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed if elem.is_weak() => Elem::WeakFloat,
        Kind::Bool | Kind::Unsigned | Kind::Signed => Elem::Strong(float),
        Kind::Float | Kind::Complex => elem,
    }
}

/// A complex type's parts; every other type itself.
pub fn to_part(elem: Elem) -> Elem {
    match elem {
        Elem::WeakComplex => Elem::WeakFloat,
        Elem::Strong(dtype) => Elem::Strong(dtype.part()),
        other @ (Elem::WeakInt | Elem::WeakFloat) => other,
    }
}

/// The complex type whose parts hold the type.
pub fn to_complex(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(dtype) => Elem::Strong(dtype.complex()),
        Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex => Elem::WeakComplex,
    }
}
