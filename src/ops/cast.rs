//! Casts that take their dtype as an argument. The plain cast is also the dtype itself, called: `f32(x)`.

use super::expand::Expand;
use super::{Cast, CastRefusal, Form, Op, Param, Role, operand, row};
use crate::ir::NodeId;
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

const CAST: &[Param] = &[operand("x"), Param { name: "dtype", role: Role::DType, default: None }];

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "the value in another dtype",
        special: "`astype(x, f32)` is the same as `f32(x)`. The dtype may also be a string: `\"f32\"`",
        examples: &[("astype(1.7, i32)", "1"), ("[1, 2].astype(f32)", "[1.0, 2.0]"), ("astype(3, \"f64\")", "3.0")],
        ..row("astype", CAST, Class::Selection, Form::Cast(Cast::Plain))
    },
    Op {
        summary: "the nearest value of an integer dtype",
        special: "A value outside the range of the dtype becomes the smallest or largest one. Floats round half to \
                  even, and nan gives 0",
        examples: &[
            ("saturate(300, u8)", "255"),
            ("saturate(-2.5, i8)", "-2"),
            ("saturate([nan, inf], i16)", "[0, 32767]"),
        ],
        ..row("saturate", CAST, Class::Selection, Form::Cast(Cast::Own { refuses: no_saturation, expand: saturate }))
    },
    Op {
        summary: "the same bits, read as a dtype of the same size",
        special: "A bool can be read as another dtype, but nothing can be read as bool, because most bytes are no bool",
        examples: &[("bitcast(1.0f32, u32)", "1065353216"), ("bitcast(255u8, i8)", "-1"), ("bitcast(true, u8)", "1")],
        ..row(
            "bitcast",
            CAST,
            Class::Selection,
            Form::Cast(Cast::Own { refuses: no_bitcast, expand: |e, x, to| e.bitcast(x, to) }),
        )
    },
];

fn no_saturation(from: DType, to: DType) -> Option<CastRefusal> {
    match (from.kind(), to.kind()) {
        (Kind::Complex, _) => Some(CastRefusal::Complex),
        (_, Kind::Unsigned | Kind::Signed) => None,
        _ => Some(CastRefusal::NoEnds(to)),
    }
}

fn saturate(e: &mut Expand, x: NodeId, to: DType) -> NodeId {
    let from = e.dtype(x);
    match (from.integer_range(), to.integer_range()) {
        (Some((low, high)), Some((to_low, to_high))) if from.is_integer() => {
            let (low, high) = (e.integer(from, low.max(to_low)), e.integer(from, high.min(to_high)));
            let above = e.prim(Prim::Max, &[x, low]);
            let inside = e.prim(Prim::Min, &[above, high]);
            e.convert(inside, to)
        }
        // A float that is out of range converts to the nearest end by itself.
        _ if from.is_float() => {
            let wide = e.convert(x, from.computed_in());
            let whole = e.prim(Prim::Round, &[wide]);
            e.convert(whole, to)
        }
        _ => e.convert(x, to),
    }
}

fn no_bitcast(from: DType, to: DType) -> Option<CastRefusal> {
    match (from, to) {
        _ if from.is_complex() || to.is_complex() => Some(CastRefusal::ComplexBits),
        (DType::Bool, DType::Bool) => None,
        (_, DType::Bool) => Some(CastRefusal::BoolBits),
        _ if from.size() != to.size() => Some(CastRefusal::Sizes(from, to)),
        _ => None,
    }
}

/// Where a number is not itself as an integer: integers that wrap, floats that are NaN or beyond the integers that they
/// become. `to` is the conversion of `from`, a real number.
///
/// # Panics
/// When `from` is a float and `to` is no integer.
pub fn changes(e: &mut Expand, from: NodeId, to: NodeId) -> NodeId {
    let (source, target) = (e.dtype(from), e.dtype(to));
    if source.is_integer() {
        let back = e.convert(to, source);
        let differs = e.prim(Prim::Ne, &[back, from]);
        // A sign that flips survives the way back where the widths are equal.
        let sign = match (source.kind(), target.kind()) {
            (Kind::Signed, Kind::Unsigned) => Some(e.is_negative(from)),
            (Kind::Unsigned, Kind::Signed) => Some(e.is_negative(to)),
            _ => None,
        };
        return sign.map_or(differs, |sign| e.prim(Prim::Or, &[differs, sign]));
    }
    let wide = e.convert(from, DType::F64);
    let whole = e.prim(Prim::Trunc, &[wide]);
    let back = e.convert(to, DType::F64);
    // 2^64 and 2^63 are rounded up from the largest integers: what reaches them is outside.
    let (_, high) = target.integer_range().expect("the target is an integer dtype");
    let bound = e.of(DType::F64, (high + 1) as f64);
    let differs = e.prim(Prim::Ne, &[back, whole]);
    let reaches = e.prim(Prim::Le, &[bound, whole]);
    e.prim(Prim::Or, &[differs, reaches])
}
