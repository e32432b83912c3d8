//! `tf`, `tf-numpy`, `tf-legacy`: TensorFlow. The first is as it is, the others have its conversion modes and its older
//! NumPy behaviour.
//!
//! Each TensorFlow operation has a list of the dtypes that it takes, and converts nothing by itself. `tf-numpy` adds
//! the table that TensorFlow ships to most Python operators, but not to all: `<` still asks for one dtype.

use super::jax::to_i32;
use super::{
    DEFAULTS_64, InPlace, NamedRules, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules,
    WidthRules, grid, jax, numpy, table,
};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::rule::{
    ANY, BITS, BYTES, COMPLEX, FLOATS, INEXACT, INTEGERS, Literals, NUMBERS, REAL, REAL_NUMBERS, SMALL_FLOATS, Set,
    TRUTH, bool_as_i8, to_bool, to_complex, to_i64, to_part, to_quotient,
};
use crate::promotion::{Class, Rule};
use crate::types::{DType, Elem, Kind};

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&TF, &TF_NUMPY, &TF_LEGACY];

/// What Python numbers are in tensors.
const DEFAULTS: [DType; 3] = [DType::I32, DType::F32, DType::C128];

/// Plain TensorFlow.
pub(super) static TF: System = System {
    name: "tf",
    about: SystemPage {
        summary: "TensorFlow: operands have one dtype, and a literal takes it",
        source: "TensorFlow 2.21",
        differs: &[
            "Nothing is promoted: operands have one dtype, which a literal takes if its kind allows. Results are never weak.",
            "`/` of integers is f32 for 8 and 16 bits, else f64; functions of floats refuse integers.",
            "Literals are i32, f32 and c128 by default; sums and means keep their dtype.",
        ],
        current: true,
    },
    join: Join::Leading,
    weak: WeakRules { scalars: Scalars::AsArrays, literals: false, results: false },
    widths: WidthRules { defaults: DEFAULTS, is_option: true, narrow: false },
    rules: OperationRules {
        of_class: rule,
        exceptions: &[
            &[
                ("multiply", Rule::keep(ANY).bool_wins()),
                ("positive", Rule::refuse()),
                ("where", Rule::keep(ANY.but(BYTES))),
            ],
            KERNELS,
        ],
        in_place: InPlace::Exact,
    },
    checks: SystemChecks { inexact: true, outside_laws: "", tensors: false },
    storage: StorageTypes::only(BYTES, &[Class::Selection]),
};

/// TensorFlow with its conversion modes.
pub(super) static TF_NUMPY: System = System {
    name: "tf-numpy",
    about: SystemPage {
        summary: "TensorFlow with NumPy behaviour and a dtype conversion mode, all or safe",
        source: "TensorFlow 2.21, tf.experimental.numpy dtype_conversion_mode",
        differs: &[
            "The table is that of jax but for weak types: literals are i32*, f32* and c128*, and integers with f32* are f64*.",
            "Only operators convert: `<`, `&`, where and functions ask for one dtype, which a literal takes.",
            "`/` of integers is f32 for 8 and 16 bits, else f64; sums and means keep their dtype.",
        ],
        ..TF.about
    },
    join: table(|| grid(include_str!("tables/tf_numpy.txt"), DEFAULTS)),
    weak: WeakRules { literals: true, results: true, ..TF.weak },
    rules: OperationRules {
        of_class: converting,
        exceptions: &[
            &[
                ("multiply", Rule::keep(ANY).bool_wins()),
                ("positive", Rule::keep(NUMBERS)),
                ("invert", Rule::keep(BITS)),
                ("not_equal", Rule::keep(ANY).giving(to_bool).meeting(&ONE).harden()),
            ],
            KERNELS,
        ],
        ..TF.rules
    },
    checks: SystemChecks { inexact: false, ..TF.checks },
    ..TF
};

/// TensorFlow with NumPy behaviour as it was before the conversion modes.
pub(super) static TF_LEGACY: System = System {
    name: "tf-legacy",
    about: SystemPage {
        summary: "TensorFlow with NumPy behaviour, the older rules",
        source: "TensorFlow 2.21, tf.experimental.numpy in mode legacy",
        differs: &[
            "NumPy's table; bf16 has no common dtype with f16 and with integers above 8 bits. Results are never weak.",
            "Functions of floats make f64 of every integer, and of bf16; sums are 64 bits wide.",
            "abs, sign and negation refuse unsigned integers.",
        ],
        current: false,
    },
    join: table(|| grid(include_str!("tables/tf_legacy.txt"), DEFAULTS_64)),
    widths: WidthRules { defaults: DEFAULTS_64, ..TF.widths },
    rules: OperationRules { of_class: legacy, exceptions: &[], in_place: InPlace::Like("tf") },
    checks: SystemChecks { outside_laws: "i* f* c*", ..TF.checks },
    // A complex literal makes c64 of them.
    storage: StorageTypes { are_met: true, ..StorageTypes::only(BYTES, &[Class::Selection]) },
    ..TF
};

/// What the kernels of orders, groups and matrices take: places are `i32`, groups of complex numbers have sums and
/// products, some have one for halves, and nothing is weak.
const KERNELS: NamedRules = &[
    ("sort", Rule::keep(REAL_NUMBERS).harden()),
    ("argsort", Rule::keep(REAL_NUMBERS).giving(to_i32).harden()),
    ("topk", Rule::keep(REAL_NUMBERS).harden()),
    ("searchsorted", Rule::keep(REAL_NUMBERS).giving(to_i32).meeting(&IDENTICAL).harden()),
    ("unique", Rule::keep(REAL).harden()),
    ("segment_sum", Rule::keep(NUMBERS).harden()),
    ("segment_prod", Rule::keep(NUMBERS).harden()),
    ("segment_mean", Rule::keep(REAL_NUMBERS).through(to_quotient).harden()),
    ("segment_min", Rule::keep(REAL_NUMBERS).harden()),
    ("segment_max", Rule::keep(REAL_NUMBERS).harden()),
    ("linalg.qr", Rule::keep(INEXACT.without(&[DType::Bf16])).harden()),
    ("linalg.eigvalsh", Rule::keep(INEXACT.but(SMALL_FLOATS)).harden()),
    ("linalg.norm", Rule::keep(INEXACT).harden()),
];

/// Operands that have one dtype.
static IDENTICAL: Join = Join::Identical;

/// Everything but `bool` and unsigned integers.
const SIGNED: Set = NUMBERS.without(&[DType::U8, DType::U16, DType::U32, DType::U64]);

/// One dtype for all operands.
static ONE: Join = Join::Leading;

fn rule(class: Class) -> Rule {
    match class {
        Class::Arithmetic | Class::Subtraction | Class::Square | Class::Conjugate | Class::Round => Rule::keep(NUMBERS),
        Class::Division => Rule::keep(NUMBERS).through(to_quotient),
        Class::Spacing => Rule::keep(NUMBERS).through(to_quotient).harden(),
        Class::FloorDivision => Rule::keep(REAL_NUMBERS),
        Class::Power | Class::Negation | Class::Sign => Rule::keep(SIGNED),
        Class::Magnitude => Rule::keep(SIGNED).giving(part),
        Class::Bitwise => Rule::keep(BITS),
        Class::Shift | Class::Integral => Rule::keep(INTEGERS),
        Class::Equality => Rule::keep(ANY).giving(to_bool),
        Class::Ordering => Rule::keep(REAL_NUMBERS).giving(to_bool),
        Class::Logical => Rule::keep(TRUTH),
        Class::Predicate => Rule::keep(FLOATS).giving(to_bool),
        Class::Inexact => Rule::keep(INEXACT),
        Class::RealInexact | Class::Rounding => Rule::keep(FLOATS),
        Class::Part => Rule::keep(NUMBERS).giving(part),
        Class::Extremum => Rule::keep(REAL_NUMBERS),
        Class::Selection => Rule::keep(ANY),
        Class::Sum | Class::Product | Class::Mean => Rule::keep(NUMBERS),
        Class::Accumulation => Rule::keep(NUMBERS).harden().literals(Literals::NotFirst),
        Class::Quantile => Rule::keep(REAL_NUMBERS),
        Class::Interpolation | Class::Histogram => Rule::keep(REAL_NUMBERS).through(to_quotient),
        Class::Rank => jax::rule(class),
        Class::Weights => Rule::keep(REAL_NUMBERS).harden(),
        Class::Search => Rule::keep(REAL_NUMBERS).giving(to_i64).harden(),
        Class::Variance => Rule::keep(INEXACT).giving(to_part),
        Class::Reduction => Rule::keep(REAL_NUMBERS),
        Class::ArgIndex => Rule::keep(REAL).giving(to_i64).harden().literals(Literals::NotFirst),
        Class::Count => Rule::keep(ANY).giving(to_i64).harden(),
        Class::Truth => Rule::keep(TRUTH).giving(to_bool),
        Class::Closeness => Rule::keep(INEXACT).giving(to_bool),
        Class::Angle => Rule::keep(INEXACT).giving(to_part),
        Class::Ordered => Rule::keep(REAL_NUMBERS),
        Class::Spectrum => Rule::keep(COMPLEX).harden(),
        Class::RealSpectrum => Rule::keep(FLOATS.but(SMALL_FLOATS)).giving(to_complex).harden(),
        Class::InverseRealSpectrum => Rule::keep(COMPLEX).giving(part).harden(),
        Class::Solution => Rule::keep(INEXACT.but(SMALL_FLOATS)).meeting(&IDENTICAL).harden(),
        Class::Factor => Rule::keep(INEXACT.but(SMALL_FLOATS)).harden(),
        Class::Values => Rule::keep(INEXACT.but(SMALL_FLOATS)).giving(part).harden(),
        Class::Eigenvalues => Rule::keep(INEXACT.but(SMALL_FLOATS)).giving(rotated).harden(),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the conversion modes leave the other classes as they are")]
fn converting(class: Class) -> Rule {
    match class {
        Class::Ordering | Class::Selection | Class::RealInexact | Class::Logical | Class::Shift => {
            rule(class).meeting(&ONE).harden()
        }
        Class::Bitwise => rule(class).meeting(&ONE).harden().literals(Literals::NotFirst),
        Class::Equality | Class::Extremum | Class::Predicate => rule(class).harden(),
        other => rule(other),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other classes are as in plain TensorFlow")]
fn legacy(class: Class) -> Rule {
    match class {
        Class::Arithmetic => Rule::keep(ANY),
        Class::Extremum => Rule::keep(REAL),
        Class::Round => Rule::keep(ANY),
        Class::Division | Class::Spacing => Rule::keep(ANY).through(legacy_divided),
        Class::FloorDivision => Rule::keep(REAL).through(bool_as_i8),
        Class::Ordering => Rule::keep(REAL).giving(to_bool),
        Class::Shift => Rule::keep(INTEGERS).meeting(&ONE),
        Class::Inexact => Rule::keep(ANY).through(wide_float),
        Class::RealInexact => Rule::keep(FLOATS),
        Class::Rounding => Rule::keep(REAL).through(wide_float),
        Class::Predicate => Rule::keep(REAL).giving(to_bool),
        Class::Logical => Rule::keep(ANY).through(to_bool).each(),
        Class::Sum | Class::Product => numpy::rule(class),
        Class::Accumulation => Rule::keep(ANY).through(accumulated),
        Class::Mean | Class::Variance | Class::Quantile => numpy::rule(class),
        Class::Reduction => Rule::keep(REAL),
        Class::ArgIndex => Rule::keep(REAL).giving(to_i64),
        Class::Truth => jax::rule(class),
        other => rule(other),
    }
}

/// The parts of a complex literal are `f64`, unlike other literals.
fn part(elem: Elem) -> Elem {
    if elem == Elem::WeakComplex { Elem::Strong(DType::F64) } else { to_part(elem) }
}

/// The eigenvalues of a float literal are `c64`, unlike other complex literals.
fn rotated(elem: Elem) -> Elem {
    if elem == Elem::WeakFloat { Elem::Strong(DType::C64) } else { to_complex(elem) }
}

/// The quotient of truth values is `f64` too.
fn legacy_divided(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::Bool) { Elem::Strong(DType::F64) } else { to_quotient(elem) }
}

/// Integers and bf16 become `f64`.
fn wide_float(elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => Elem::Strong(DType::F64),
        Kind::Float | Kind::Complex if elem == Elem::Strong(DType::Bf16) => Elem::Strong(DType::F64),
        Kind::Float | Kind::Complex => elem,
    }
}

/// Running sums of integers are `i64`; those of `u64` have only `f64` in common with that.
fn accumulated(elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Unsigned if elem == Elem::Strong(DType::U64) => Elem::Strong(DType::F64),
        Kind::Bool | Kind::Unsigned | Kind::Signed => Elem::Strong(DType::I64),
        Kind::Float | Kind::Complex => elem,
    }
}
