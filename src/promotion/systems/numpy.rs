//! `numpy`: NumPy 2. Literals are weak, and everything else is not.
//!
//! The table is what `numpy.add` answers; it is no lattice: `(u8 + i8) + f16` is f32 and `u8 + (i8 + f16)` is f16.
//! Functions that need floats take each operand to the smallest float that holds it and join those.

use super::{
    DEFAULTS_64, InPlace, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules, WidthRules, grid,
    jax, table,
};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::rule::{
    ANY, BITS, Literals, NUMBERS, REAL, REAL_NUMBERS, SMALL_FLOATS, Set, bool_as_i8, same, to_bool, to_complex, to_i64,
    to_part, whole_to,
};
use crate::promotion::{Class, Operation, Rule, Weakness};
use crate::types::{DType, Elem, Kind};

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&NUMPY, &NUMPY1];

/// The row.
pub(super) static NUMPY: System = System {
    name: "numpy",
    about: SystemPage {
        summary: "NumPy 2: int32 / int32 is float64, and int64 with float32 is float64",
        source: "NumPy 2.5 (NEP 50); bfloat16 and float8 by ml_dtypes 0.6",
        differs: &[
            "Results are never weak: `mask * 3` is i64. Floats are as wide as the integers they meet: i32 with f32 is f64.",
            "`/` and `mean` of integers are f64; sqrt goes by width, f16 to f64, erf f32 to f64; `bool // bool` is i8.",
            "The table is no lattice: the order of operations can change a dtype.",
        ],
        current: true,
    },
    join: table(|| grid(include_str!("tables/numpy.txt"), DEFAULTS_64)),
    weak: WeakRules { scalars: Scalars::AsArrays, literals: false, results: false },
    widths: WidthRules { defaults: DEFAULTS_64, is_option: true, narrow: false },
    rules: OperationRules { of_class: rule, exceptions: &[EXCEPTIONS], in_place: InPlace::SameKind },
    checks: SystemChecks { inexact: true, outside_laws: "f8_e4m3 f8_e5m2 bf16 i* f* c*", tensors: false },
    storage: StorageTypes::NOTHING,
};

/// NumPy 1, where scalars count by value.
pub(super) static NUMPY1: System = System {
    name: "numpy1",
    about: SystemPage {
        summary: "NumPy 1: a scalar counts as the smallest dtype that holds its value",
        source: "NumPy 1.26; bfloat16 by ml_dtypes 0.5",
        differs: &[
            "As numpy; but beside arrays of its kind or above a scalar has the smallest dtype that holds its value:",
            "u8 + 1 is u8, u8 + 1000 is u16, u8 - 1 is u8, i8 + 200 is i16, f32 + 1e300 is f64. Integers fit 64 bits.",
            "A value that is not known before the program runs counts as a small one.",
        ],
        current: false,
    },
    join: table(|| grid(include_str!("tables/numpy.txt"), DEFAULTS_64)),
    weak: WeakRules { scalars: Scalars::ByValue, ..NUMPY.weak },
    rules: OperationRules { of_class: rule_1, ..NUMPY.rules },
    ..NUMPY
};

const QUANTILE: Rule = Rule::keep(REAL_NUMBERS).through(to_f64).harden().with_asked().with_picked();

/// These make arrays of what they are given, and an array of a number has its default dtype.
const MULTIPLIED: Rule = Rule::keep(ANY).literals(Literals::AsArrays);

/// Two operands are rows of one array, which `numpy.result_type` decides; no dtype of it holds both halves.
const COVARIANCE: Rule = Rule::keep(ANY).through(at_least_f64).harden().refusing(&[("bf16", "f16")]);

/// Exponentials and their sums; the largest element is taken out with `-`, which `bool` has not.
const SHARES: Rule = Rule::keep(NUMBERS).through(smallest_float).harden();

/// SciPy's special functions, which compute nothing in halves.
const SPECIAL: Rule = Rule::keep(REAL).through(special);

const EXCEPTIONS: &[(&str, Rule)] = &[
    (Operation::LIST.name, MULTIPLIED.meeting(&RESULT_TYPE)),
    ("dot", MULTIPLIED),
    ("inner", MULTIPLIED),
    ("outer", MULTIPLIED),
    ("kron", MULTIPLIED),
    ("tensordot", MULTIPLIED),
    ("setxor1d", MULTIPLIED),
    ("clip", Rule::keep(ANY).literals(Literals::FirstAsArray)),
    ("positive", Rule::keep(NUMBERS)),
    ("reciprocal", Rule::keep(ANY).through(bool_as_i8)),
    ("digitize", Rule::keep(REAL).giving(to_i64).harden()),
    ("bincount", Rule::keep(REAL).through(always_f64).harden()),
    ("rank", Rule::keep(REAL.without(&[DType::Bf16])).giving(always_f64).harden()),
    ("quantile", QUANTILE.picked_by_integers()),
    ("percentile", QUANTILE),
    ("nanquantile", QUANTILE.picked_by_integers()),
    ("nanpercentile", QUANTILE),
    ("cov", COVARIANCE),
    ("corrcoef", COVARIANCE),
    ("linalg.cross", Rule::keep(NUMBERS).meeting(&RESULT_TYPE)),
    ("trapezoid", Rule::keep(ANY).through(to_f64).harden()),
    ("gradient", Rule::keep(NUMBERS).through(normed).of_first().harden()),
    // 0.0 is added to each before they meet.
    ("polydiv", Rule::keep(ANY).through(to_f64).apart().literals(Literals::AsArrays).harden()),
    ("linalg.norm", Rule::keep(ANY).through(normed).giving(to_part).harden()),
    ("softmax", SHARES),
    ("log_softmax", SHARES),
    ("erf", SPECIAL),
    ("erfc", SPECIAL),
    ("gamma", SPECIAL),
    ("lgamma", SPECIAL),
    ("sigmoid", SPECIAL),
];

/// A selection asks `numpy.result_type`, which knows bfloat16 less well than the arithmetic does.
static RESULT_TYPE: Join = table(|| grid(include_str!("tables/numpy_result_type.txt"), DEFAULTS_64));

#[expect(clippy::wildcard_enum_match_arm, reason = "the other classes are as in jax")]
pub(super) fn rule(class: Class) -> Rule {
    match class {
        Class::Division | Class::Spacing => Rule::keep(ANY).through(to_f64),
        Class::FloorDivision => Rule::keep(REAL).through(bool_as_i8),
        Class::Power => Rule::keep(ANY).through(bool_as_i8).at(2, Class::Square),
        Class::Square | Class::Conjugate => Rule::keep(ANY).through(bool_as_i8),
        Class::Part => jax::rule(class).weak(Weakness::Attribute),
        Class::Shift => Rule::keep(BITS).through(bool_as_i8),
        Class::Inexact => Rule::keep(ANY).through(smallest_float).each(),
        Class::RealInexact => Rule::keep(REAL).through(smallest_float).each(),
        Class::Angle => Rule::keep(ANY).through(angled).giving(to_part),
        Class::Closeness => Rule::keep(ANY).through(to_f64).giving(to_bool),
        Class::Round => Rule::keep(ANY).through(rounding),
        Class::Selection => Rule::keep(ANY).meeting(&RESULT_TYPE),
        Class::Accumulation => jax::rule(Class::Sum),
        Class::Mean | Class::Quantile => Rule::keep(ANY).through(to_f64).harden(),
        Class::Search => Rule::keep(ANY).giving(to_i64).harden(),
        Class::Interpolation => Rule::keep(REAL).through(always_f64).harden(),
        Class::Histogram => Rule::keep(REAL).through(to_f64).giving(to_i64).harden(),
        Class::Weights => Rule::keep(ANY).harden(),
        Class::Variance => Rule::keep(ANY).through(to_f64).giving(to_part).harden(),
        Class::ArgIndex => Rule::keep(ANY).giving(to_i64).harden(),
        Class::Spectrum => Rule::keep(ANY).through(spectral).harden(),
        Class::RealSpectrum => Rule::keep(REAL).through(sampled).giving(to_complex).harden(),
        Class::InverseRealSpectrum => Rule::keep(ANY).through(spectral).giving(to_part).harden(),
        Class::Solution | Class::Factor => Rule::keep(FACTORED).through(factored).apart().harden(),
        Class::Values => Rule::keep(FACTORED).through(factored).giving(to_part).harden(),
        Class::Eigenvalues => Rule::keep(FACTORED).through(factored).giving(to_complex).harden(),
        other => jax::rule(other),
    }
}

#[expect(clippy::wildcard_enum_match_arm, reason = "the other classes are as in NumPy 2")]
fn rule_1(class: Class) -> Rule {
    match class {
        Class::Rounding => Rule::keep(REAL).through(smallest_float),
        Class::FloorDivision | Class::Power | Class::Bitwise | Class::Shift => rule(class).search(),
        Class::Selection => Rule::keep(ANY).refusing(&[("bf16", "f16 u16 u32 u64 i16 i32 i64 i*")]),
        other => rule(other),
    }
}

/// Integers are divided and averaged in `f64`.
fn to_f64(elem: Elem) -> Elem {
    whole_to(DType::F64, elem)
}

/// Matrices have factors in every dtype but one.
const FACTORED: Set = ANY.without(&[DType::F16]);

/// Integers, `bf16` and floats of one byte are factored in `f64`.
fn factored(elem: Elem) -> Elem {
    if SMALL_FLOATS.contains(elem) { Elem::Strong(DType::F64) } else { to_f64(elem) }
}

/// Norms and slopes of `f16` stay what they are, those of floats that NumPy does not know are of `f64`.
fn normed(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::F16) { elem } else { factored(elem) }
}

/// Small floats become `f32`.
fn single(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(dtype) => Elem::Strong(dtype.computed_in()),
        weak @ (Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex) => weak,
    }
}

/// Samples are `f32` at least, and integers `f64`.
fn sampled(elem: Elem) -> Elem {
    single(to_f64(elem))
}

/// The smallest float that holds the integer, but `f32` at least.
fn special(elem: Elem) -> Elem {
    single(smallest_float(elem))
}

/// Fourier transforms are of complex numbers.
fn spectral(elem: Elem) -> Elem {
    to_complex(sampled(elem))
}

/// Lines through points are drawn in `f64`, and ranks are numbers of `f64`.
fn always_f64(_: Elem) -> Elem {
    Elem::Strong(DType::F64)
}

/// Covariances are taken in `f64` and `c128`.
fn at_least_f64(elem: Elem) -> Elem {
    Elem::Strong(if elem.kind() == Kind::Complex { DType::C128 } else { DType::F64 })
}

/// The smallest float that holds the integer: `f16` for 8 bits, `f32` for 16, else `f64`.
fn smallest_float(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(dtype) if dtype.is_integer() || dtype == DType::Bool => Elem::Strong(match dtype.size() {
            1 => DType::F16,
            2 => DType::F32,
            _ => DType::F64,
        }),
        other @ (Elem::Strong(_) | Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex) => to_f64(other),
    }
}

/// The imaginary part of a real number is a literal 0, beside which `bool` is an `i64`.
fn angled(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::Bool) { Elem::Strong(DType::F64) } else { smallest_float(elem) }
}

/// `bool` is rounded as `f16`.
fn rounding(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::Bool) { Elem::Strong(DType::F16) } else { same(elem) }
}
