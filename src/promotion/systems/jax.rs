//! `jax`: jax.numpy with 64-bit types enabled.
//!
//! The lattice is that of the JAX enhancement proposal 9407, in which weak types are nodes of their own. What the
//! functions of jax.numpy make of the joined type was read off jax 0.12.0.

use super::{InPlace, System, WIDE};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::lattice::Lattice;
use crate::promotion::rule::{ANY, BITS, INTEGERS, NUMBERS, REAL, to_bool, to_i64, to_part};
use crate::promotion::{Class, Rule, Weakness};
use crate::types::{DType, Elem, Kind};
use std::sync::LazyLock;

/// From each node to those directly above it.
const EDGES: &[(&str, &str)] = &[
    ("bool", "i*"),
    ("i*", "u8 i8"),
    ("u8", "u16 i16"),
    ("u16", "u32 i32"),
    ("u32", "u64 i64"),
    ("u64", "f*"),
    ("i8", "i16"),
    ("i16", "i32"),
    ("i32", "i64"),
    ("i64", "f*"),
    ("f*", "bf16 f16 c*"),
    ("bf16", "f32"),
    ("f16", "f32"),
    ("f32", "f64 c64"),
    ("f64", "c128"),
    ("c*", "c64"),
    ("c64", "c128"),
];

/// The row.
pub(super) static JAX: System = System {
    name: "jax",
    summary: "jax.numpy with 64-bit types: int32 / int32 is float32, and int64 with float32 stays float32",
    source: "JEP 9407; jax 0.12.0 with jax_enable_x64",
    differs: &["It is the default."],
    current: true,
    join: Join::Lattice(LazyLock::new(|| Lattice::from_rows(EDGES))),
    scalars: Scalars::AsArrays,
    defaults: WIDE,
    width_option: true,
    weak_literals: true,
    keeps_weak: true,
    rule,
    exceptions: EXCEPTIONS,
    reports_inexact: true,
    in_place: InPlace::Exact,
};

/// Operations that are unlike the rest of their class.
const EXCEPTIONS: &[(&str, Rule)] = &[("atan2", Rule::keep(ANY).through(inexact))];

pub(super) fn rule(class: Class) -> Rule {
    match class {
        Class::Arithmetic | Class::Selection | Class::Extremum | Class::Conjugate => Rule::keep(ANY),
        Class::Subtraction | Class::Negation | Class::Sign | Class::Round => Rule::keep(NUMBERS),
        Class::Part | Class::Magnitude => Rule::keep(ANY).giving(to_part),
        Class::Division | Class::Inexact => Rule::keep(ANY).through(inexact),
        Class::RealInexact => Rule::keep(REAL).through(inexact),
        Class::FloorDivision => Rule::keep(REAL).through(counting),
        Class::Power => Rule::keep(ANY).through(counting).base().weak(Weakness::Power),
        Class::Square => Rule::keep(ANY).through(counting),
        Class::Bitwise => Rule::keep(BITS),
        Class::Shift => Rule::keep(BITS).through(counting),
        Class::Equality | Class::Ordering => Rule::keep(ANY).giving(to_bool),
        Class::Logical => Rule::keep(ANY).giving(to_bool).weak(Weakness::All),
        Class::Predicate => Rule::keep(ANY).giving(to_bool).weak(Weakness::NotIntegers),
        Class::Rounding => Rule::keep(REAL),
        Class::Integral => Rule::keep(INTEGERS),
        Class::Sum | Class::Product => Rule::keep(ANY).through(widest).hardened(),
        Class::Accumulation => Rule::keep(ANY).through(counted).hardened(),
        Class::Mean => Rule::keep(ANY).through(inexact).hardened(),
        Class::Variance => Rule::keep(ANY).through(inexact).giving(to_part).hardened(),
        Class::Reduction => Rule::keep(ANY).hardened(),
        Class::ArgIndex => Rule::keep(REAL).giving(to_i64).hardened(),
        Class::Count => Rule::keep(ANY).giving(to_i64).hardened(),
        Class::Truth => Rule::keep(ANY).giving(to_bool).hardened(),
    }
}

/// Integers become floats: `f32` up to 32 bits, `f64` for 64.
fn inexact(elem: Elem) -> Elem {
    match elem {
        Elem::WeakInt => Elem::WeakFloat,
        Elem::Strong(dtype) if matches!(dtype.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed) => {
            Elem::Strong(if dtype.size() == 8 { DType::F64 } else { DType::F32 })
        }
        other => other,
    }
}

/// `bool` counts as `i32`.
fn counting(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(DType::Bool) => Elem::Strong(DType::I32),
        other => other,
    }
}

/// `bool` counts as `i64`.
fn counted(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(DType::Bool) => Elem::Strong(DType::I64),
        other => other,
    }
}

/// Integers are summed in 64 bits of their signedness.
fn widest(elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Bool | Kind::Signed => Elem::Strong(DType::I64),
        Kind::Unsigned => Elem::Strong(DType::U64),
        Kind::Float | Kind::Complex => elem,
    }
}
