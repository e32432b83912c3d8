//! `torch`: PyTorch, where neither literals nor tensors of no dimensions widen within a kind.
//!
//! The table is `torch.result_type` of tensors with dimensions; unsigned integers above 8 bits meet only floats.

use super::{
    InPlace, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules, WidthRules, grid, numpy,
};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::rule::{
    ANY, BYTES, COMPLEX, FLOATS, INEXACT, Literals, NUMBERS, REAL, REAL_NUMBERS, SMALL_FLOATS, bool_as_i64, to_bool,
    to_complex, to_i64, to_part, whole_to,
};
use crate::promotion::{Class, Operation, Rule};
use crate::types::{DType, Elem, Kind};
use std::sync::LazyLock;

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&TORCH];

/// What Python numbers are in tensors.
const DEFAULTS: [DType; 3] = [DType::I64, DType::F32, DType::C64];

/// The row.
pub(super) static TORCH: System = System {
    name: "torch",
    about: SystemPage {
        summary: "PyTorch: int64 / int64 is float32, and a scalar tensor does not widen an array of its kind",
        source: "PyTorch 2.15",
        differs: &[
            "Floats are f32 by default: `/`, sqrt and their like give f32 for every integer. Results are never weak.",
            "A scalar counts only if its kind is above that of every array: f32[n] + f64 is f32[n]. `-` takes no bool.",
            "u16, u32 and u64 meet floats and themselves only; `maximum` takes no literals, mean no integers, `@` one dtype.",
        ],
        current: true,
    },
    join: Join::Chain(LazyLock::new(|| grid(include_str!("tables/torch.txt"), DEFAULTS))),
    weak: WeakRules { scalars: Scalars::ByKind, ..numpy::NUMPY.weak },
    widths: WidthRules { defaults: DEFAULTS, ..numpy::NUMPY.widths },
    rules: OperationRules { of_class: rule, exceptions: &[EXCEPTIONS], in_place: InPlace::Category },
    checks: SystemChecks { outside_laws: "i* f* c*", tensors: true, ..numpy::NUMPY.checks },
    storage: StorageTypes { dtypes: BYTES, classes: STORED, names: &["multiply"], are_met: false },
};

/// What takes floats of one byte, as far as it was tried on a processor; `multiply` does too, but for literals.
const STORED: &[Class] =
    &[Class::Equality, Class::Selection, Class::Predicate, Class::Magnitude, Class::Truth, Class::Logical];

const EXCEPTIONS: &[(&str, Rule)] = &[
    (Operation::LIST.name, Rule::keep(ANY).literals(Literals::AsArrays)),
    ("multiply", Rule::keep(ANY).refusing(&[("f8_e4m3", "i* f*"), ("f8_e5m2", "i* f*")])),
    ("bincount", Rule::keep(REAL).through(weighted).harden()),
    ("imag", Rule::keep(COMPLEX).giving(to_part)),
    ("copysign", Rule::keep(REAL).through(to_float).literals(Literals::NotFirst)),
    ("clip", Rule::keep(REAL)),
    ("any", Rule::keep(ANY).giving(truth).harden()),
    ("sort", Rule::keep(REAL).harden()),
    ("all", Rule::keep(ANY).giving(truth).harden()),
    ("positive", Rule::keep(NUMBERS)),
    ("argsort", Rule::keep(REAL).giving(to_i64).harden()),
    ("topk", Rule::keep(REAL_NUMBERS).harden()),
    ("isin", Rule::keep(REAL_NUMBERS).each().giving(to_bool).harden()),
    ("frexp", Rule::keep(FLOATS).harden()),
    // These subtract, and no `bool` is subtracted.
    ("cov", AVERAGED),
    ("corrcoef", AVERAGED),
    ("trapezoid", AVERAGED),
    ("gradient", AVERAGED.apart()),
    // Its maximum is that of real numbers.
    ("logsumexp", Rule::keep(REAL).through(to_float).harden()),
    ("einsum", Rule::keep(ANY).with_sums()),
    ("heaviside", Rule::keep(REAL).meeting(&ONE_DTYPE).literals(Literals::Refused)),
    // It gives both operands axes first, so a tensor of no dimensions takes part as any other.
    ("kron", Rule::keep(ANY).literals(Literals::AsArrays)),
    ("matmul", ALIKE),
    ("dot", ALIKE),
    ("inner", ALIKE),
    ("vecdot", ALIKE),
    ("tensordot", ALIKE),
    ("linalg.multi_dot", ALIKE),
    ("linalg.cross", ALIKE),
    ("convolve", ALIKE),
    ("correlate", ALIKE),
    ("allclose", ALIKE),
];

/// Products and comparisons of arrays with one dtype.
const ALIKE: Rule = Rule::keep(ANY).meeting(&ONE_DTYPE);

/// Averages and differences are of floats. Halves stay what they are beside integers.
const AVERAGED: Rule = Rule::keep(NUMBERS).through(to_float).each().harden();

/// Arrays have one dtype, and numbers take it.
static ONE_DTYPE: Join = Join::Strict;

/// Both sides of a system of equations have one dtype.
static IDENTICAL: Join = Join::Identical;

#[expect(clippy::wildcard_enum_match_arm, reason = "the other classes are as in numpy")]
fn rule(class: Class) -> Rule {
    match class {
        Class::Subtraction => Rule::keep(NUMBERS).each(),
        Class::Division | Class::Inexact => Rule::keep(ANY).through(to_float),
        // Ends that are tensors are taken as numbers of Python.
        Class::Spacing => Rule::keep(ANY).through(to_float).giving(to_default),
        Class::RealInexact => Rule::keep(REAL).through(to_float).literals(Literals::Refused),
        Class::Angle => Rule::keep(ANY).through(to_float).giving(to_part),
        Class::Closeness => Rule::keep(ANY).through(to_float).giving(to_bool).meeting(&ONE_DTYPE),
        Class::Extremum => Rule::keep(REAL).literals(Literals::Refused),
        Class::Logical | Class::Integral => numpy::rule(class).literals(Literals::Refused),
        Class::Sign | Class::Selection => Rule::keep(ANY),
        Class::Power => Rule::keep(ANY).through(bool_as_i64),
        Class::Part => Rule::keep(ANY).giving(to_part),
        Class::FloorDivision | Class::Square | Class::Shift => numpy::rule(class).through(bool_as_i64),
        Class::Conjugate => Rule::keep(ANY),
        Class::Round => Rule::keep(ANY),
        Class::Sum | Class::Product | Class::Accumulation => Rule::keep(ANY).through(summed).harden(),
        Class::Mean => Rule::keep(INEXACT).harden(),
        Class::Quantile => Rule::keep(FLOATS).harden(),
        Class::Histogram => Rule::keep(FLOATS).harden(),
        Class::Variance => Rule::keep(INEXACT).giving(to_part).harden(),
        Class::ArgIndex => Rule::keep(REAL_NUMBERS).giving(to_i64).harden(),
        Class::Spectrum => Rule::keep(ANY.but(SMALL_FLOATS)).through(spectral).harden(),
        Class::RealSpectrum => Rule::keep(REAL.but(SMALL_FLOATS)).through(to_float).giving(to_complex).harden(),
        Class::InverseRealSpectrum => Rule::keep(ANY.but(SMALL_FLOATS)).through(spectral).giving(to_part).harden(),
        Class::Solution => Rule::keep(INEXACT.but(SMALL_FLOATS)).meeting(&IDENTICAL).harden(),
        Class::Factor => Rule::keep(INEXACT.but(SMALL_FLOATS)).harden(),
        Class::Values => Rule::keep(INEXACT.but(SMALL_FLOATS)).giving(to_part).harden(),
        Class::Eigenvalues => Rule::keep(INEXACT.but(SMALL_FLOATS)).giving(to_complex).harden(),
        other => numpy::rule(other),
    }
}

/// Integers become the default float.
fn to_float(elem: Elem) -> Elem {
    whole_to(DType::F32, elem)
}

/// What a number of Python has: the default dtype of its kind.
fn to_default(elem: Elem) -> Elem {
    match elem.kind() {
        _ if elem.is_weak() => elem,
        Kind::Bool => elem,
        Kind::Unsigned | Kind::Signed => Elem::Strong(DType::I64),
        Kind::Float => Elem::Strong(DType::F32),
        Kind::Complex => Elem::Strong(DType::C64),
    }
}

/// Fourier transforms are of complex numbers.
fn spectral(elem: Elem) -> Elem {
    to_complex(to_float(elem))
}

/// Integers of every dtype are summed as `i64`.
fn summed(elem: Elem) -> Elem {
    match elem.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => Elem::Strong(DType::I64),
        Kind::Float | Kind::Complex => elem,
    }
}

/// Weights are added in `f64`, but `f32` stays.
fn weighted(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::F32) { elem } else { Elem::Strong(DType::F64) }
}

/// The truth of bytes is a byte.
fn truth(elem: Elem) -> Elem {
    if elem == Elem::Strong(DType::U8) { elem } else { Elem::Strong(DType::Bool) }
}
