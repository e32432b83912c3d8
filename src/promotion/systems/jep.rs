//! `jep-0` … `jep-3-bf16`, with `python`: the lattices that the JAX enhancement proposal 9407 considers on its way.
//!
//! The proposal starts from Python's own three types and asks where each dtype belongs. The earlier candidates have
//! no common dtype for some pairs: then there is no answer. bfloat16 is in the last one alone.

use super::{OperationRules, StorageTypes, System, SystemPage, jax};
use crate::promotion::join::Join;
use crate::promotion::lattice::Lattice;
use crate::promotion::rule::BYTES;
use crate::promotion::{Class, Rule};
use crate::types::{DType, Elem};
use std::sync::LazyLock;

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&JEP_0, &JEP_1, &JEP_2, &JEP_3, &JEP_3_BF16, &PYTHON];

/// Edges that all candidates share.
const COMMON: &[(&str, &str)] = &[
    ("bool", "i*"),
    ("i*", "u8 i8"),
    ("f*", "c* f16"),
    ("c*", "c64"),
    ("u8", "u16 i16"),
    ("u16", "u32 i32"),
    ("u32", "u64 i64"),
    ("i8", "i16"),
    ("i16", "i32"),
    ("i32", "i64"),
    ("f16", "f32"),
    ("f32", "f64 c64"),
    ("f64", "c128"),
    ("c64", "c128"),
];

/// The lattice of the common edges and these.
fn lattice(edges: &[(&str, &str)]) -> Lattice {
    Lattice::from_rows(&[COMMON, edges].concat())
}

/// Integers meet floats through literals alone.
pub(super) static JEP_0: System = System {
    name: "jep-0",
    about: SystemPage {
        summary: "integers meet floats through literals alone",
        source: "JEP 9407",
        differs: &["Integers and floats have no common dtype, nor have u64 and signed integers. There is no bf16."],
        current: false,
    },
    join: Join::Lattice(LazyLock::new(|| lattice(&[("i*", "f*")]))),
    storage: StorageTypes::only(BYTES, &[]),
    ..jax::JAX
};

/// Each signed integer is below the float that holds it.
pub(super) static JEP_1: System = System {
    name: "jep-1",
    about: SystemPage {
        summary: "each signed integer is below the float that holds it",
        differs: &["i8 is below f16, i16 below f32, i32 below f64; i64 and u64 meet no floats. There is no bf16."],
        ..JEP_0.about
    },
    join: Join::Lattice(LazyLock::new(|| lattice(&[("i*", "f*"), ("i8", "f16"), ("i16", "f32"), ("i32", "f64")]))),
    ..JEP_0
};

/// Each signed integer is below the float of its width.
pub(super) static JEP_2: System = System {
    name: "jep-2",
    about: SystemPage {
        summary: "each signed integer is below the float of its width",
        differs: &["i16 is below f16, i32 below f32, i64 below f64; u64 meets no floats. There is no bf16."],
        ..JEP_0.about
    },
    join: Join::Lattice(LazyLock::new(|| lattice(&[("i*", "f*"), ("i16", "f16"), ("i32", "f32"), ("i64", "f64")]))),
    ..JEP_0
};

/// Every integer is below every float.
pub(super) static JEP_3: System = System {
    name: "jep-3",
    about: SystemPage {
        summary: "every integer is below every float",
        differs: &["u64 and signed integers have no common dtype, nor has u64 with floats. There is no bf16."],
        ..JEP_0.about
    },
    join: Join::Lattice(LazyLock::new(|| lattice(&[("i64", "f*")]))),
    ..JEP_0
};

/// Every integer is below every float, with bfloat16.
pub(super) static JEP_3_BF16: System = System {
    name: "jep-3-bf16",
    about: SystemPage {
        summary: "every integer is below every float, with bfloat16",
        differs: &["u64 and signed integers have no common dtype, nor has u64 with floats."],
        ..JEP_0.about
    },
    join: Join::Lattice(LazyLock::new(|| lattice(&[("i64", "f*"), ("f*", "bf16"), ("bf16", "f32")]))),
    ..JEP_0
};

/// Python's own numbers.
pub(super) static PYTHON: System = System {
    name: "python",
    about: SystemPage {
        summary: "Python's numbers: int, float, complex",
        source: "JEP 9407, from the Python language",
        differs: &[
            "There are only literals: an integer with a float is a float, a float with a complex number complex.",
            "Truths count as integers: `true + true` is 2, `true / true` is 1.0.",
            "Not everywhere: `+true` is true and `~true` is false, where Python has 1 and -2.",
        ],
        current: false,
    },
    join: Join::Lattice(LazyLock::new(|| Lattice::from_rows(&[("bool", "i*"), ("i*", "f*"), ("f*", "c*")]))),
    rules: OperationRules { of_class: python, ..jax::JAX.rules },
    ..jax::JAX
};

/// In Python a truth is an integer.
#[expect(clippy::wildcard_enum_match_arm, reason = "the other classes are as in jax")]
fn python(class: Class) -> Rule {
    use Class::{Arithmetic, Division, FloorDivision, Inexact, Magnitude, Mean, Negation, Power, RealInexact};
    use Class::{Round, Shift, Square, Subtraction, Variance};
    let rule = jax::rule(class);
    match class {
        Arithmetic | Subtraction | Negation | FloorDivision | Power | Square | Shift | Magnitude | Round => {
            Rule { accepts: rule.accepts.and(&[DType::Bool]), ..rule.through(bool_as_weak) }
        }
        Division | Inexact | RealInexact | Mean | Variance => rule.through(fraction),
        _ => rule,
    }
}

/// A truth counts as 0 or 1, a weak integer.
fn bool_as_weak(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::Bool) { Elem::WeakInt } else { elem }
}

/// Integers and truths become floats.
fn fraction(elem: Elem) -> Elem {
    if bool_as_weak(elem) == Elem::WeakInt { Elem::WeakFloat } else { elem }
}
