//! `jax`: jax.numpy with 64-bit types enabled.
//!
//! The lattice is that of the JAX enhancement proposal 9407, in which weak types are nodes of their own. Floats of one
//! byte lie above all integers and literals, and nothing above them: they meet no other float. What the functions of
//! jax.numpy make of the joined type was read off jax 0.12.0.

use super::{
    DEFAULTS_32, DEFAULTS_64, InPlace, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules,
    WidthRules,
};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::lattice::Lattice;
use crate::promotion::rule::{
    ANY, BITS, BYTES, COMPLEX, FLOATS, INEXACT, INTEGERS, Literals, NUMBERS, REAL, REAL_NUMBERS, SMALL_FLOATS, Set,
    TRUTH, bool_as_i32, bool_as_i64, to_bool, to_complex, to_i64, to_part,
};
use crate::promotion::{Class, Rule, Weakness};
use crate::types::{DType, Elem, Kind};
use std::sync::LazyLock;

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&JAX, &JAX32, &STRICT, &LAX, &LAX32];

/// The widths of systems without 64-bit types.
const NARROW_ONLY: WidthRules = WidthRules { defaults: DEFAULTS_32, is_option: false, narrow: true };

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
    ("f*", "f8_e4m3 f8_e5m2 bf16 f16 c*"),
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
    about: SystemPage {
        summary: "jax.numpy with 64-bit types: int32 / int32 is float32, and int64 with float32 stays float32",
        source: "JEP 9407; jax 0.12.0 with jax_enable_x64",
        differs: &["It is the default."],
        current: true,
    },
    join: Join::Lattice(LazyLock::new(|| Lattice::from_rows(EDGES))),
    weak: WeakRules { scalars: Scalars::AsArrays, literals: true, results: true },
    widths: WidthRules { defaults: DEFAULTS_64, is_option: true, narrow: false },
    rules: OperationRules { of_class: rule, exceptions: &[EXCEPTIONS], in_place: InPlace::Exact },
    checks: SystemChecks { inexact: true, outside_laws: "", tensors: false },
    storage: StorageTypes::NOTHING,
};

/// `jax` without 64-bit types.
pub(super) static JAX32: System = System {
    name: "jax32",
    about: SystemPage {
        summary: "jax.numpy as it starts: no 64-bit types",
        source: "jax 0.12.0 with jax_enable_x64=False",
        differs: &[
            "There are no 64-bit types: literals are i32, f32, c64, and a script that asks for others is refused.",
            "In tables every 64-bit operand counts as 32 bits.",
        ],
        current: false,
    },
    join: Join::Lattice(LazyLock::new(|| Lattice::from_rows(EDGES))),
    widths: NARROW_ONLY,
    ..JAX
};

/// `jax` without implicit promotion.
pub(super) static STRICT: System = System {
    name: "jax-strict",
    about: SystemPage {
        summary: "jax.numpy that refuses implicit promotion; literals still take the dtype they meet",
        source: "jax 0.12.0 with jax_numpy_dtype_promotion=\"strict\"",
        differs: &["Strong operands must have one dtype, and a literal may not change it: u8 + 1.5 is refused."],
        current: false,
    },
    join: Join::Strict,
    ..JAX
};

/// jax.lax: what jax.numpy is made of.
pub(super) static LAX: System = System {
    name: "jax-lax",
    about: SystemPage {
        summary: "jax.lax: operands have one dtype, and a literal is i64, f64 or c128",
        source: "jax.lax of jax 0.12.0 with jax_enable_x64",
        differs: &[
            "Nothing is promoted, and a literal meets only its default dtype: f32 + 1.5 is refused.",
            "bool has no arithmetic; functions of floats refuse integers; i32 / i32 is i32, as division towards zero.",
            "Reductions keep their dtype, and argmax gives i32.",
        ],
        current: false,
    },
    join: Join::Identical,
    rules: OperationRules { of_class: lax, exceptions: &[LAX_EXCEPTIONS], ..JAX.rules },
    ..JAX
};

/// jax.lax without 64-bit types.
pub(super) static LAX32: System = System {
    name: "jax-lax32",
    about: SystemPage {
        summary: "jax.lax without 64-bit types",
        source: "jax.lax of jax 0.12.0 with jax_enable_x64=False",
        ..LAX.about
    },
    join: Join::Identical,
    widths: NARROW_ONLY,
    ..LAX
};

const SIGNED: Set = NUMBERS.without(&[DType::U8, DType::U16, DType::U32, DType::U64]);

const LAX_EXCEPTIONS: &[(&str, Rule)] = &[
    ("positive", Rule::keep(ANY)),
    ("where", Rule::keep(ANY).refusing(&[("i*", "i32 i64"), ("f*", "f32 f64"), ("c*", "c64 c128")])),
    ("atan2", Rule::keep(INEXACT)),
    ("sigmoid", Rule::keep(INEXACT)),
    ("cummax", Rule::keep(NUMBERS).harden().literals(Literals::NotFirst)),
    ("cummin", Rule::keep(NUMBERS).harden().literals(Literals::NotFirst)),
    ("any", Rule::keep(BITS).harden().literals(Literals::NotFirst)),
    ("conj", Rule::keep(COMPLEX.and(&[DType::F32, DType::F64])).giving(to_complex)),
];

#[expect(clippy::wildcard_enum_match_arm, reason = "jax.lax treats the other classes as jax.numpy does")]
fn lax(class: Class) -> Rule {
    let reduction = |accepts| Rule::keep(accepts).harden().literals(Literals::NotFirst);
    match class {
        Class::Arithmetic | Class::Subtraction | Class::Negation | Class::Division | Class::Square => {
            Rule::keep(NUMBERS)
        }
        Class::FloorDivision => Rule::keep(REAL_NUMBERS),
        Class::Power => Rule::keep(INEXACT).meeting(&POWER),
        Class::Shift => Rule::keep(INTEGERS),
        Class::Magnitude => Rule::keep(SIGNED).giving(to_part),
        Class::Sign => Rule::keep(NUMBERS),
        Class::Part => Rule::keep(COMPLEX).giving(to_part),
        Class::Inexact => Rule::keep(INEXACT),
        Class::RealInexact | Class::Rounding | Class::Round => Rule::keep(FLOATS),
        Class::Predicate => Rule::keep(FLOATS).giving(to_bool),
        Class::Logical => Rule::keep(TRUTH),
        Class::Sum | Class::Product | Class::Accumulation => reduction(NUMBERS),
        Class::Mean | Class::Quantile => reduction(INEXACT),
        Class::Variance => reduction(INEXACT).giving(to_part),
        Class::ArgIndex => reduction(ANY).giving(to_i32),
        Class::Reduction => reduction(ANY),
        other => rule(other),
    }
}

/// A float or complex number raised to an integer of any dtype.
static POWER: Join = Join::Base;

fn to_f64(_: Elem) -> Elem {
    Elem::Strong(DType::F64)
}

/// Whole numbers are rounded in `f64`.
fn whole_to_f64(elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => Elem::Strong(DType::F64),
        Kind::Float | Kind::Complex => elem,
    }
}

pub(super) fn to_i32(_: Elem) -> Elem {
    Elem::Strong(DType::I32)
}

/// Fourier transforms are of complex numbers.
fn spectral(elem: Elem) -> Elem {
    to_complex(inexact(elem))
}

const AVERAGED: Rule = Rule::keep(ANY).through(inexact).harden();

/// Operations that are unlike the rest of their class.
const EXCEPTIONS: &[(&str, Rule)] = &[
    ("atan2", Rule::keep(ANY).through(inexact)),
    ("rint", Rule::keep(ANY).through(whole_to_f64).weak(Weakness::NotIntegers)),
    ("argsort", Rule::keep(ANY).giving(to_i64).harden()),
    ("topk", Rule::keep(REAL)),
    ("isin", Rule::keep(ANY).giving(to_bool).harden()),
    ("bincount", Rule::keep(NUMBERS).harden()),
    ("unique", Rule::keep(ANY).weak(Weakness::NotComplex)),
    ("union1d", Rule::keep(ANY).weak(Weakness::NotComplex)),
    ("intersect1d", Rule::keep(ANY).harden()),
    ("heaviside", Rule::keep(REAL).through(inexact).weak(Weakness::First)),
    // Their signs are looked at as bits, of 16 and more.
    ("copysign", Rule::keep(REAL.but(BYTES)).through(inexact)),
    ("gamma", Rule::keep(REAL.but(BYTES)).through(inexact)),
    // Averages, convolutions, polynomials of roots and their quotients are floats.
    ("average", AVERAGED),
    ("cov", AVERAGED),
    ("corrcoef", AVERAGED),
    ("trapezoid", AVERAGED),
    ("gradient", AVERAGED),
    ("logsumexp", AVERAGED),
    // The largest element is taken out with `-`, which `bool` has not.
    ("softmax", Rule::keep(NUMBERS).through(inexact).harden()),
    ("log_softmax", Rule::keep(NUMBERS).through(inexact).harden()),
    ("poly", AVERAGED),
    ("polydiv", AVERAGED),
    ("convolve", Rule::keep(ANY).through(inexact)),
    ("i0", Rule::keep(ANY).through(inexact)),
    ("linalg.cross", Rule::keep(ANY).harden()),
    ("clip", Rule::keep(REAL)),
    ("unwrap", Rule::keep(REAL).through(whole_to_f64).harden()),
    ("linalg.inv", Rule::keep(ANY.but(SMALL_FLOATS)).through(inexact).harden()),
    // Small matrices are written out, so halves do.
    ("linalg.det", Rule::keep(ANY).through(inexact)),
    ("linalg.slogdet", Rule::keep(ANY).through(inexact)),
];

pub(super) fn rule(class: Class) -> Rule {
    match class {
        Class::Arithmetic | Class::Selection | Class::Extremum | Class::Conjugate => Rule::keep(ANY),
        Class::Subtraction | Class::Negation | Class::Sign | Class::Round => Rule::keep(NUMBERS),
        Class::Part | Class::Magnitude => Rule::keep(ANY).giving(to_part),
        Class::Division | Class::Inexact => Rule::keep(ANY).through(inexact),
        Class::Spacing => Rule::keep(ANY).through(inexact).harden(),
        Class::RealInexact => Rule::keep(REAL).through(inexact),
        Class::FloorDivision => Rule::keep(REAL).through(bool_as_i32),
        Class::Power => Rule::keep(ANY).through(bool_as_i32).base().weak(Weakness::Power),
        Class::Square => Rule::keep(ANY).through(bool_as_i32),
        Class::Bitwise => Rule::keep(BITS),
        Class::Shift => Rule::keep(BITS).through(bool_as_i32),
        Class::Equality | Class::Ordering => Rule::keep(ANY).giving(to_bool),
        Class::Logical => Rule::keep(ANY).giving(to_bool).weak(Weakness::All),
        Class::Predicate => Rule::keep(ANY).giving(to_bool).weak(Weakness::NotIntegers),
        Class::Closeness => Rule::keep(ANY).through(inexact).giving(to_bool),
        Class::Angle => Rule::keep(ANY).through(default_float).giving(to_part).harden(),
        Class::Rounding => Rule::keep(REAL),
        Class::Ordered => Rule::keep(REAL_NUMBERS),
        Class::Integral => Rule::keep(INTEGERS).weak(Weakness::All),
        Class::Sum | Class::Product => Rule::keep(ANY).through(widest).harden(),
        Class::Accumulation => Rule::keep(ANY).through(bool_as_i64).harden(),
        Class::Mean => Rule::keep(ANY).through(inexact).harden().asking(NUMBERS),
        Class::Quantile => Rule::keep(REAL).through(inexact).harden(),
        Class::Interpolation => Rule::keep(REAL.but(BYTES)).through(inexact).apart().weak(Weakness::All),
        Class::Histogram => Rule::keep(REAL).through(inexact).harden(),
        Class::Rank => Rule::keep(REAL).giving(to_f64).harden(),
        Class::Weights => Rule::keep(ANY).through(inexact).harden().with_asked(),
        Class::Search => Rule::keep(ANY).giving(to_i32).harden(),
        Class::Variance => Rule::keep(ANY).through(inexact).giving(to_part).harden().asking(INEXACT),
        Class::Reduction => Rule::keep(ANY).harden(),
        Class::ArgIndex => Rule::keep(REAL).giving(to_i64).harden(),
        Class::Count => Rule::keep(ANY).giving(to_i64).harden(),
        Class::Truth => Rule::keep(ANY).giving(to_bool).harden(),
        Class::Spectrum => Rule::keep(ANY).through(spectral).harden(),
        Class::RealSpectrum => Rule::keep(REAL.but(SMALL_FLOATS)).through(inexact).giving(to_complex).harden(),
        Class::InverseRealSpectrum => Rule::keep(ANY).through(spectral).giving(to_part).harden(),
        Class::Solution => Rule::keep(ANY.but(SMALL_FLOATS)).through(inexact),
        Class::Factor => Rule::keep(ANY.but(SMALL_FLOATS)).through(inexact),
        Class::Values => Rule::keep(ANY.but(SMALL_FLOATS)).through(inexact).giving(to_part),
        Class::Eigenvalues => Rule::keep(ANY.but(SMALL_FLOATS)).through(inexact).giving(to_complex),
    }
}

/// Integers become floats: `f32` up to 32 bits, `f64` for 64.
fn inexact(elem: Elem) -> Elem {
    match elem {
        Elem::WeakInt => Elem::WeakFloat,
        Elem::Strong(dtype) if !dtype.kind().is_inexact() => {
            Elem::Strong(if dtype.size() == 8 { DType::F64 } else { DType::F32 })
        }
        other @ (Elem::Strong(_) | Elem::WeakFloat | Elem::WeakComplex) => other,
    }
}

/// Integers become the default float.
fn default_float(elem: Elem) -> Elem {
    match elem {
        Elem::Strong(dtype) if !dtype.kind().is_inexact() => Elem::Strong(DType::F64),
        other @ (Elem::Strong(_) | Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex) => inexact(other),
    }
}

/// Integers are summed in 64 bits of their signedness, weak ones at the default width.
fn widest(elem: Elem) -> Elem {
    match elem.kind() {
        _ if elem.is_weak() => elem,
        Kind::Bool | Kind::Signed => Elem::Strong(DType::I64),
        Kind::Unsigned => Elem::Strong(DType::U64),
        Kind::Float | Kind::Complex => elem,
    }
}
