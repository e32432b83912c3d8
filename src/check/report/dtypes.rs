//! Messages about dtypes.

use super::{Casts, WrittenOperation, cast_fix, near_zero, quoted, with_operand};
use crate::array::show::scalar_text;
use crate::check::infer::found::facts::PromotionCost;
use crate::check::infer::values::annotation::Annotation;
use crate::check::infer::values::literal::ConstantFault;
use crate::check::infer::values::operand::{Operand, rounds};
use crate::constant::{Const, Misfit};
use crate::diagnostic::codes::dtypes;
use crate::diagnostic::{Diagnostic, Edit, Fix, Level};
use crate::ops::Op;
use crate::promotion::verdict::{self, Effect, Mode};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};
use num_bigint::BigInt;

/// How large a float can be, in words.
pub(super) const LARGEST_F64_TEXT: &str = "the largest f64 is about 1.8e308";

/// What a dtype can hold, in words.
pub(super) fn range(dtype: DType) -> String {
    match dtype.integer_range() {
        Some((low, high)) => format!("{dtype} holds {low} to {high}"),
        None => format!("the largest {dtype} is {}", plain(largest(dtype))),
    }
}

fn largest(dtype: DType) -> f64 {
    dtype.largest_part()
}

/// The smallest number that a float dtype can hold, in words.
fn least(dtype: DType) -> String {
    // In two steps: the inverse of what it is computed from is beyond all floats.
    let exponent = dtype.part().row().min_exponent;
    let smallest = 2f64.powi(exponent / 2) * 2f64.powi(exponent - exponent / 2);
    format!("the smallest {dtype} above 0 is about {smallest:.4e}")
}

/// A lone float is shown as it was written: 1e-400 is 0 in every float.
fn misfit_words(value: &Const, misfit: Misfit, dtype: DType) -> String {
    let value = match value {
        Const::Float(decimal) => decimal.text.as_deref().map_or_else(|| value.to_string(), str::to_owned),
        Const::Int(_) | Const::Complex(..) => value.to_string(),
    };
    match (misfit, dtype.kind()) {
        (Misfit::Range, _) => format!("{value} does not fit {dtype}"),
        (Misfit::Overflow, _) => format!("{value} is too large for {dtype}"),
        (Misfit::Underflow, _) => format!("{value} is too small for {dtype}: it becomes 0"),
        (Misfit::Kind, Kind::Bool) => format!("{value} is a number, not bool"),
        (Misfit::Kind, Kind::Unsigned | Kind::Signed) => {
            format!("{value} is not a whole number, and {dtype} holds nothing else")
        }
        (Misfit::Kind, _) => format!("{value} is complex and {dtype} is not"),
    }
}

pub(in crate::check) fn misfit(
    value: &Const,
    misfit: Misfit,
    dtype: DType,
    operand: &Operand,
    meets: Option<&Operand>,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(&dtypes::LITERAL_OUT_OF_RANGE, operand.span, misfit_words(value, misfit, dtype));
    let limit = match misfit {
        Misfit::Range | Misfit::Overflow => range(dtype),
        Misfit::Underflow => least(dtype),
        Misfit::Kind => format!("meets {dtype}"),
    };
    let diagnostic = diagnostic.label(operand.span, limit);
    let Some(meets) = meets else { return diagnostic };
    let diagnostic = with_operand(diagnostic, meets);
    let fits = |wider: DType| verdict::exact(dtype, wider) && value.fit(wider).is_ok();
    let of = |kind: Kind| DType::ALL.into_iter().find(|&wider| wider.kind() == kind && fits(wider));
    let wider = of(dtype.kind()).or_else(|| of(Kind::Signed).filter(|_| dtype.kind() == Kind::Unsigned));
    let Some(wider) = wider.filter(|_| meets.elem.strong().is_some()) else { return diagnostic };
    diagnostic.fix(format!("convert the other operand: `{wider}(…)` has room for both"), cast_fix(meets, wider))
}

pub(in crate::check) fn suffix_misfit(value: &Const, misfit: Misfit, dtype: DType, span: Span) -> Diagnostic {
    let limit = if misfit == Misfit::Underflow { least(dtype) } else { range(dtype) };
    Diagnostic::error(&dtypes::LITERAL_OUT_OF_RANGE, span, misfit_words(value, misfit, dtype)).label(span, limit)
}

pub(in crate::check) fn range_misfit(bound: &BigInt, misfit: Misfit, dtype: DType, span: Span) -> Diagnostic {
    let words = misfit_words(&Const::Int(bound.clone()), misfit, dtype);
    Diagnostic::error(&dtypes::LITERAL_OUT_OF_RANGE, span, words).label(span, range(dtype))
}

pub(in crate::check) fn no_dtype_holds(value: &Const, dtype: DType, text: &str, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(&dtypes::NO_DTYPE_HOLDS, span, format!("{value} does not fit {dtype}, the default integer"))
            .label(span, range(dtype));
    match (value.fit(DType::U64), value.fit(DType::F64)) {
        (Ok(_), _) => diagnostic.help(format!("it fits u64: write `u64({value})` or `{value}u64`")),
        (Err(_), Ok(float)) if rounds(value, float) => {
            diagnostic.help(format!("as a float it is rounded: write `f64({text})`"))
        }
        (Err(_), Ok(_)) => diagnostic.help(format!("it is exact as a float: write `f64({text})`")),
        (Err(_), Err(_)) => diagnostic.help("it is too large for every float too"),
    }
}

/// A dtype of 64 bits in a system that has none.
pub(in crate::check) fn no_wide_dtype(wide: DType, narrow: DType, system: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::UNSUPPORTED_DTYPE, at, format!("`{system}` has no 64-bit types, so no {wide}"))
        .label(at, format!("{wide} here"))
        .help(format!("write {narrow}, or choose a system with 64-bit types"))
}

/// Where PyTorch and JAX put arrays.
const DEVICES: &[&str] = &["cpu", "cuda", "gpu", "mps", "tpu", "xpu"];

pub(in crate::check) fn unknown_dtype(name: &str, span: Span) -> Diagnostic {
    let names = DType::ALL.iter().flat_map(|dtype| [dtype.row().name, dtype.row().long]);
    let diagnostic = Diagnostic::error(&dtypes::UNKNOWN_DTYPE, span, format!("`{name}` is not a dtype"));
    if let Some(dtype) = DType::ALL.iter().find(|dtype| dtype.name() == name) {
        let bytes = if *dtype == DType::I8 { DType::I64 } else { DType::U64 };
        return Diagnostic::error(&dtypes::UNKNOWN_DTYPE, span, format!("`\"{name}\"` may mean two dtypes"))
            .label(span, "8 bytes in NumPy, 8 bits without the quotes")
            .help(format!("write `{bytes}` or `{dtype}`, or `\"{}\"`, without a doubt", bytes.row().long));
    }
    if DEVICES.contains(&name.split(':').next().unwrap_or(name)) {
        return diagnostic
            .label(span, "a device")
            .help("nothing here needs a device: leave the call out, or name a dtype, as in `x.to(f32)`");
    }
    let known = match name {
        "float" | "double" => Some("f64"),
        "int" | "long" => Some("i64"),
        "half" => Some("f16"),
        "complex" => Some("c128"),
        other => {
            // As NumPy writes them in files: `<f4`.
            let code = other.trim_start_matches(['<', '>', '=', '|']);
            let same = |dtype: &&DType| dtype.row().descr.trim_start_matches(['<', '|']) == code;
            let known = DType::ALL.iter().find(same).map(|dtype| dtype.name());
            known.or_else(|| crate::diagnostic::suggest::closest(other, names))
        }
    };
    match known {
        Some(near) => {
            let fix = Fix { edits: vec![Edit { span, text: near.to_owned() }], keeps_values: false };
            diagnostic.fix(format!("there is `{near}`"), fix)
        }
        None => diagnostic.help(format!("dtypes are {}", crate::types::dtype::NAMES)),
    }
}

pub(in crate::check) fn constant_too_big(span: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::CONSTANT_TOO_BIG, span, "this integer constant has more than 4096 bits")
        .label(span, "exact constants stop there")
        .note("no float holds it either: the largest f64 is about 1.8e308")
}

pub(in crate::check) fn constant_fault(
    fault: ConstantFault,
    op: &Op,
    operands: &[Operand],
    span: Span,
    at: Span,
) -> Diagnostic {
    match fault {
        ConstantFault::TooBig => constant_too_big(span),
        ConstantFault::ZeroDivision => {
            let is_zero = |it: &Operand| it.constant().is_some_and(|value| value.parts() == (0.0, 0.0));
            let message = match is_zero(&operands[1]) {
                true => format!("`{}` of a constant by zero has no value", op.shown()),
                false => format!("`{}` divides by this zero, so it has no value", op.shown()),
            };
            let zero = if is_zero(&operands[1]) { &operands[1] } else { &operands[0] };
            let diagnostic = Diagnostic::error(&dtypes::CONSTANT_DIVISION_BY_ZERO, at, message);
            diagnostic.label(zero.span, "this is 0").help("constants are exact; for an infinity write `inf`")
        }
        ConstantFault::LargeOperand(_) => {
            let is_large = |it: &&Operand| match it.constant() {
                Some(value @ Const::Int(_)) => value.parts().0.is_infinite(),
                Some(Const::Float(_) | Const::Complex(..)) | None => false,
            };
            let place = operands.iter().find(is_large).map_or(span, |it| it.span);
            let message = "this integer is too large for every float, and has to become one";
            Diagnostic::error(&dtypes::INFINITE_LITERAL, place, message).label(place, LARGEST_F64_TEXT)
        }
    }
}

pub(in crate::check) fn negative_exponent(base: &Operand, exponent: &Operand, text: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::NEGATIVE_EXPONENT, at, "an integer to a negative power is a fraction")
        .label(base.span, base.describe())
        .label(exponent.span, "negative")
        .fix(format!("make the base a float: `f64({text})`"), cast_fix(base, DType::F64))
}

/// A value whose dtype is not that of its annotation. `text` is the text at the place; `part` is the name of the value,
/// if several stand there.
pub(in crate::check) fn annotated_dtype(
    operand: &Operand,
    dtype: DType,
    annotation: &Annotation,
    text: &str,
    part: Option<&str>,
) -> Diagnostic {
    let what = part.map_or_else(|| "this".to_owned(), quoted);
    let diagnostic = Diagnostic::error(
        &dtypes::ANNOTATED_DTYPE,
        operand.span,
        format!("{what} is {}, and {dtype} is annotated", operand.elem),
    )
    .label(annotation.span, format!("{dtype} is wanted"));
    let diagnostic = with_operand(diagnostic, operand);
    match part {
        None => {
            diagnostic.fix(format!("an annotation never converts: write `{dtype}({text})`"), cast_fix(operand, dtype))
        }
        Some(_) => diagnostic
            .help(format!("an annotation never converts: name the parts without it, then write `{dtype}(…)` of each")),
    }
}

pub(in crate::check) fn complex_to_real(operand: &Operand, dtype: DType, span: Span) -> Diagnostic {
    let message = format!("a cast from {} to {dtype} would drop the imaginary part", operand.elem);
    with_operand(Diagnostic::error(&dtypes::COMPLEX_TO_REAL, span, message), operand)
        .help("say which real number is meant: `real(z)` or `abs(z)`")
}

pub(in crate::check) fn complex_ordering(op: &Op, operands: &[Operand], at: Span) -> Diagnostic {
    let message = format!("complex numbers have no order: `{}` is not defined for them", op.shown());
    let diagnostic = Diagnostic::error(&dtypes::COMPLEX_ORDERING, at, message);
    let complex = operands.iter().filter(|operand| operand.elem.kind() == Kind::Complex);
    complex.fold(diagnostic, with_operand).help("compare `abs(z)`, or the parts")
}

/// What a promotion costs.
pub(in crate::check) fn promotion_cost(
    cost: &PromotionCost,
    effect: Effect,
    written: &WrittenOperation,
    mode: Mode,
    casts: &Casts,
) -> Diagnostic {
    let PromotionCost { row, level, shown, operands, to, at, .. } = cost;
    let (row, level, shown, to, at) = (*row, *level, *shown, *to, *at);
    let names: Vec<String> = operands.iter().map(|operand| operand.elem.to_string()).collect();
    let meet = format!("{} meet as {to}", names.join(" and "));
    let (message, why) = match effect {
        Effect::Implicit => (format!("{meet}: mode `none` converts nothing"), format!("`{shown}` needs one dtype")),
        Effect::KindChange if operands.iter().any(|operand| operand.elem.kind().is_inexact()) => {
            (format!("{meet}: the literal changes the kind"), format!("gives {to}"))
        }
        Effect::KindChange => {
            (format!("{meet}, a float"), format!("above 2^{} not every integer exists in {to}", to.row().value_bits))
        }
        Effect::RangeLoss { operand } => (
            format!("{meet}, which cannot hold the largest {}", names[operand]),
            format!("the largest {to} is {}", plain(largest(to))),
        ),
        Effect::PrecisionLoss { operand } => {
            (format!("{meet}, which cannot hold every {}", names[operand]), precision_words(&operands[operand], to))
        }
        Effect::Widening => {
            (format!("{} widen to {} bits: they meet as {to}", names.join(" and "), to.bits()), format!("gives {to}"))
        }
    };
    let diagnostic = Diagnostic::new(row, level, message).label(at, why);
    let mut diagnostic = operands.iter().fold(diagnostic, with_operand);
    diagnostic = promotion_helps(diagnostic, effect, shown, operands, written, to, casts);
    let note = match (level, mode) {
        (Level::Deny, Mode::None) if row.levels[Mode::Safe as usize] != Level::Deny => {
            format!("allowed in modes `all` and `safe`; `arr explain {}`", row.name)
        }
        (Level::Deny, Mode::Safe | Mode::None) => format!("allowed in mode `all`; `arr explain {}`", row.name),
        _ => format!("`arr explain {}`", row.name),
    };
    diagnostic.note(note)
}

fn plain(value: f64) -> String {
    if value < 1e6 { format!("{value}") } else { format!("about {value:.4e}") }
}

fn precision_words(operand: &Operand, to: DType) -> String {
    match operand.elem.kind() {
        Kind::Float | Kind::Complex => format!("{to} has {} significant bits", to.row().value_bits),
        Kind::Bool | Kind::Unsigned | Kind::Signed => {
            format!("above 2^{} not every integer exists in {to}", to.row().value_bits)
        }
    }
}

/// What becomes of a value that is too large for a dtype.
fn beyond(dtype: DType) -> &'static str {
    match dtype.part().row().infinities {
        _ if dtype.is_integer() => "wraps",
        true => "becomes inf",
        false => "becomes nan",
    }
}

/// What a cast to the dtype where operands meet says.
fn rounding_words(effect: Effect, cast: &str, first_stays: bool, to: DType) -> String {
    match effect {
        Effect::RangeLoss { .. } => format!("{cast} keeps {to}; what is too large {}", beyond(to)),
        _ if first_stays => format!("{cast} says that rounding is meant"),
        Effect::Implicit | Effect::PrecisionLoss { .. } | Effect::Widening | Effect::KindChange => {
            format!("{cast} keeps {to} and says that rounding is meant")
        }
    }
}

/// The smallest edits: a dtype that holds both exactly, and the cast that says that rounding is meant.
fn promotion_helps(
    diagnostic: Diagnostic,
    effect: Effect,
    shown: &str,
    operands: &[Operand],
    written: &WrittenOperation,
    to: DType,
    asked: &Casts,
) -> Diagnostic {
    let &Casts { keeps, first_stays, widest, .. } = asked;
    // What is changed stands around what it is changed with, and no cast can be written there.
    let is_part = asked.stays.as_ref().is_some_and(|it| it.is_part);
    let mut strong: Vec<usize> = (0..operands.len()).filter(|&index| !operands[index].elem.is_weak()).collect();
    let several = strong.len() > 1;
    strong.retain(|&index| !(first_stays || is_part) || index > 0);
    let casted = |casts: &[(usize, DType)]| format!("`{}`", written.with_casts(shown, operands, casts));
    let merged = |casts: &[(usize, DType)]| Fix {
        edits: casts.iter().flat_map(|&(index, dtype)| cast_fix(&operands[index], dtype).edits).collect(),
        keeps_values: keeps(casts),
    };
    match effect {
        Effect::Widening => {
            let casts: Vec<(usize, DType)> = strong.iter().map(|&index| (index, to)).collect();
            match &asked.stays {
                Some(stays) => diagnostic.help(format!("{} {to}", stays.words)),
                None if first_stays => diagnostic,
                None => diagnostic.fix(format!("{} says that {to} is meant", casted(&casts)), merged(&casts)),
            }
        }
        Effect::Implicit | Effect::KindChange | Effect::PrecisionLoss { .. } | Effect::RangeLoss { .. } => {
            let dtypes: Vec<DType> = operands.iter().filter_map(|operand| operand.elem.strong()).collect();
            let holds = DType::ALL.into_iter().find(|&wide| dtypes.iter().all(|&dtype| verdict::exact(dtype, wide)));
            let holds = holds.filter(|wide| wide.part().bits() <= widest);
            let mut diagnostic = diagnostic;
            // A cast to the dtype where the operands meet writes down what happens anyway; one to a wider dtype gives
            // results that are not rounded, which are other values.
            if let Some(wide) = holds {
                // Only the operands that lose need a cast; the others join them exactly.
                let lossy =
                    |index: usize| operands[index].elem.strong().is_some_and(|dtype| !verdict::exact(dtype, to));
                let casts: Vec<(usize, DType)> = strong
                    .iter()
                    .filter(|&&index| {
                        operands[index].elem != Elem::Strong(wide)
                            && (lossy(index) || first_stays || effect == Effect::Implicit)
                    })
                    .map(|&index| (index, wide))
                    .collect();
                let stays = asked.stays.as_ref().filter(|it| operands[it.operand].elem != Elem::Strong(wide));
                if let Some(stays) = stays {
                    diagnostic = diagnostic.help(format!("{} {wide}", stays.words));
                } else if let Some(casts) = asked.that_meet(casts, &strong, operands, wide) {
                    let exactly = if several { "converts both exactly" } else { "converts exactly" };
                    // Of a comparison, a place or a fraction it is another.
                    let is_result = !first_stays && (asked.gives)(&casts).is_some_and(|(_, result)| result == wide);
                    let words = match is_result {
                        false => format!("{} {exactly}", casted(&casts)),
                        true => format!("{} {exactly} (the result is {wide})", casted(&casts)),
                    };
                    diagnostic = diagnostic.fix(words, merged(&casts));
                }
            }
            let rounding: Vec<(usize, DType)> = strong
                .iter()
                .filter(|&&index| {
                    operands[index].elem.strong().is_some_and(|dtype| dtype != to && !verdict::exact(dtype, to))
                })
                .map(|&index| (index, to))
                .collect();
            let Some(rounding) = asked.that_meet(rounding, &strong, operands, to) else { return diagnostic };
            // What it does anyway, written down, would only hide the finding: words, no fix.
            let words = rounding_words(effect, &casted(&rounding), first_stays, to);
            diagnostic.restate(words, merged(&rounding))
        }
    }
}

/// What an operation does to integers by itself.
pub(in crate::check) fn own_cost(cost: &PromotionCost, texts: &[String], narrow: bool, is_update: bool) -> Diagnostic {
    let PromotionCost { row, level, shown, operands, from, to, at, .. } = cost;
    let (row, level, shown, from, to, at) = (*row, *level, *shown, *from, *to, *at);
    if row.name == dtypes::WEAK_DEFAULT.name {
        let message = format!("a float literal makes this {to}, the default float");
        let diagnostic =
            operands.iter().fold(Diagnostic::new(row, level, message).label(at, format!("gives {to}")), with_operand);
        let integer = operands.iter().position(|operand| operand.elem.strong().is_some_and(DType::is_integer));
        return match integer {
            Some(0) if is_update => diagnostic,
            Some(index) if to == DType::F32 => diagnostic.help(format!("`{to}({})` says so", texts[index])),
            Some(index) => diagnostic
                .help(format!("`{to}({})` says so; `f32({})` takes half the memory", texts[index], texts[index])),
            None => diagnostic,
        };
    }
    let message = format!("`{shown}` turns {from} into {to}, which cannot hold every {from}");
    let words = format!("above 2^{} not every integer exists in {to}", to.row().value_bits);
    let diagnostic = operands.iter().fold(Diagnostic::new(row, level, message).label(at, words), with_operand);
    // A cast of a literal leaves the integers that it meets as they are.
    let loses = |it: &Operand| !it.is_exact() && it.elem.strong().is_some_and(|dtype| !verdict::exact(dtype, to));
    let loser = operands.iter().position(loses).unwrap_or_default();
    let text = &texts[loser];
    let diagnostic = match to == DType::F64 || narrow {
        true => diagnostic.help(format!("`{to}({text})` says that rounding is meant")),
        false => {
            diagnostic.fix(format!("`f64({text})` converts exactly up to 2^53"), cast_fix(&operands[loser], DType::F64))
        }
    };
    diagnostic.note(format!("`arr explain {}`", row.name))
}

pub(in crate::check) fn weak_narrowing(
    level: Level,
    operand: &Operand,
    from: DType,
    dtype: DType,
    meets: Option<&Operand>,
    text: &str,
) -> Diagnostic {
    let message = format!("{} was computed as {from} and is converted to {dtype} here", quoted(text));
    let diagnostic = Diagnostic::new(&dtypes::WEAK_NARROWING, level, message)
        .label(operand.span, format!("{}, stored as {from}", operand.elem));
    let diagnostic = meets.map_or(diagnostic.clone(), |meets| with_operand(diagnostic, meets));
    diagnostic.help(format!("`{dtype}({text})` says that it is meant"))
}

pub(in crate::check) fn constant_comparison(
    level: Level,
    op: &Op,
    operand: &Operand,
    other: &Operand,
    dtype: DType,
    span: Span,
) -> Diagnostic {
    let message = format!("`{}` has the same answer for every {dtype}", op.shown());
    let diagnostic = Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message).label(span, range(dtype));
    with_operand(diagnostic, other).label(operand.span, "outside of that range")
}

pub(in crate::check) fn shift_out_of_range(
    level: Level,
    op: &Op,
    x: &Operand,
    count: &Operand,
    dtype: DType,
) -> Diagnostic {
    let message = format!("`{}` moves every bit of {dtype} out", op.shown());
    let diagnostic = Diagnostic::new(&dtypes::SHIFT_OUT_OF_RANGE, level, message)
        .label(count.span, format!("{dtype} has {} bits", dtype.bits()));
    with_operand(diagnostic, x)
}

/// A literal that is another number in the float dtype that it meets, or has few digits there.
pub(in crate::check) fn lossy_literal(level: Level, value: &Const, becomes: Scalar, span: Span) -> Diagnostic {
    let dtype = becomes.dtype;
    // All digits of a large number: the shortest text of a small float may be another number.
    let exact = scalar_text(eval::eval(Prim::Convert, DType::F64, &[becomes]));
    let is_too_large = value.parts().0.abs() > largest(dtype);
    let (becomes, why) = match value {
        _ if is_too_large => (exact, range(dtype)),
        Const::Int(_) => (exact, format!("above 2^{} not every integer exists in {dtype}", dtype.row().value_bits)),
        Const::Float(_) | Const::Complex(..) => {
            (near_zero(value, becomes), format!("so close to 0 {dtype} has few significant bits left"))
        }
    };
    let few = if matches!(value, Const::Int(_)) || is_too_large { "" } else { ", with fewer digits than usual" };
    let message = format!("{value} is {becomes} in {dtype}{few}");
    Diagnostic::new(&dtypes::LOSSY_LITERAL, level, message).label(span, why)
}
