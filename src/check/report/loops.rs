//! Findings about loops: counts, conditions, states that do not stay what they are.

use super::shapes::{SAY_SHAPES, may_agree};
use super::{cast_fix, quoted, with_operand};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{loops, shapes};
use crate::source::Span;
use crate::types::shape::{self as shapes_of, show};
use crate::types::{DType, Dim, Kind};

pub(in crate::check) fn not_a_count(count: &Operand, text: &str) -> Diagnostic {
    let message = format!("a loop is repeated a number of times, not {} times", count.describe());
    let found = with_operand(Diagnostic::error(&loops::LOOP_HEAD, count.span, message), count);
    match count.elem {
        _ if !count.shape.is_empty() => found.help("its count is one integer: `x.shape[0]` for as many steps as rows"),
        crate::types::Elem::Strong(DType::Bool) => {
            found.help(format!("a condition stands after the count: `repeat 1000 while {text} with …`"))
        }
        crate::types::Elem::Strong(_)
        | crate::types::Elem::WeakInt
        | crate::types::Elem::WeakFloat
        | crate::types::Elem::WeakComplex => found.help(format!("convert it first: `i64({text})`")),
    }
}

pub(in crate::check) fn not_a_loop_condition(condition: &Operand, text: &str) -> Diagnostic {
    let message = format!("a loop goes on while something is true, and {} is {}", quoted(text), condition.describe());
    with_operand(Diagnostic::error(&loops::LOOP_HEAD, condition.span, message), condition)
        .help(format!("compare: `{text} != 0`"))
}

pub(in crate::check) fn open_scan_axis(at: Span) -> Diagnostic {
    Diagnostic::error(&loops::LOOP_HEAD, at, "the axis of a scan is a number")
        .label(at, "known only when the program runs")
        .help("axes count from 0; -1 is the last")
}

pub(in crate::check) fn no_scan_axis(axis: i64, array: &Operand, at: Span) -> Diagnostic {
    let message = match array.shape.len() {
        0 => format!("a scan goes along an axis, and {} has none", array.describe()),
        _ => format!("{} has no axis {axis}", array.describe()),
    };
    with_operand(Diagnostic::error(&shapes::BAD_AXIS, at, message), array)
}

pub(in crate::check) fn scans_differ(first: &Operand, other: &Operand, axis: usize) -> Diagnostic {
    let len = |it: &Operand| it.shape.get(axis).map_or_else(|| "no such axis".to_owned(), Dim::to_string);
    let message = format!(
        "arrays that are scanned together are equally long along axis {axis}: {} and {}",
        len(first),
        len(other)
    );
    let found = Diagnostic::error(&shapes::SHAPES_DIFFER, other.span, message);
    with_operand(with_operand(found, first), other)
}

pub(in crate::check) fn state_twice(name: &str, first: Span, again: Span) -> Diagnostic {
    Diagnostic::error(&loops::LOOP_HEAD, again, format!("the loop carries `{name}` twice"))
        .label(first, "here")
        .label(again, "and here")
        .help("give one of them another name")
}

/// A state that a step gives another dtype; `text` is what the step gives, and `wider` what a start without a dtype
/// could be.
pub(in crate::check) fn state_dtype(
    name: &str,
    dtype: DType,
    start: &Operand,
    (next, text): (&Operand, &str),
    wider: Option<String>,
) -> Diagnostic {
    let message = format!("`{name}` is {dtype} before the step and {} after it", next.elem);
    let found = with_operand(Diagnostic::error(&loops::LOOP_STATE, next.span, message), next);
    let found = found.label(start.span, format!("`{name}` begins as {dtype}"));
    let found = found.note("a state keeps its dtype through all steps");
    if next.elem.kind() == Kind::Complex && dtype.kind() != Kind::Complex {
        return found.help("let the start be complex too");
    }
    // A cast to integers would wrap from then on, and say that this is meant.
    let words = format!("convert it: `{dtype}({text})`");
    let found = match dtype.is_integer() {
        true => found.help(words),
        false => found.fix(words, cast_fix(next, dtype)),
    };
    match wider {
        Some(wider) => found.help(format!("or let the start have a dtype that holds both: `{name} = {wider}`")),
        None => found.help("or let the start have the wider dtype"),
    }
}

/// A state that a step gives another shape; whether the step itself counts a length of it, and whether it would grow
/// again if it began with that shape.
pub(in crate::check) fn state_shape(
    name: &str,
    shape: &[Dim],
    (start, text): (&Operand, &str),
    next: &Operand,
    (counted, grows): (bool, bool),
) -> Diagnostic {
    let shown = |shape: &[Dim]| if shape.is_empty() { "a scalar".to_owned() } else { show(shape) };
    let message = format!("`{name}` is {} before the step and {} after it", shown(shape), shown(&next.shape));
    let found = with_operand(Diagnostic::error(&loops::LOOP_STATE, next.span, message), next);
    let found = found.label(start.span, format!("`{name}` begins as {}", shown(shape)));
    let found = found.note("a state keeps its shape through all steps");
    match start.shape.len() < next.shape.len() {
        true if counted => found.help("a step decides this length: fill an array of constant length, at positions"),
        true if grows => found,
        // A length that data decides has no name in the text, nor has one that follows from others.
        true if next.shape.iter().all(|dim| dim.known().is_some()) => {
            let begun = repeated(start, text, &next.shape);
            found.help(format!("let it begin with that shape: `{name} = {begun}`"))
        }
        true => found.help("let it begin with that shape"),
        false if may_agree(shape, &next.shape) && counted => found.help(format!(
            "keep all of `{name}`, and carry a mask beside it that says which elements count, as in \
             `where(mask, {name}, 0)`"
        )),
        false if may_agree(shape, &next.shape) => found.help(SAY_SHAPES),
        false if shapes_of::broadcast(&next.shape, shape).as_deref() == Ok(shape) => {
            found.help(format!("if it is meant to be repeated: `broadcast_to(…, {name}.shape)`"))
        }
        false => found,
    }
}

/// A condition that is an array of which a state has not the shape.
pub(in crate::check) fn unfit_mask(name: &str, shape: &[Dim], start: Span, mask: &[Dim], at: Span) -> Diagnostic {
    let (own, wanted) = (show(shape), show(mask));
    let message = format!("the condition, {wanted}, does not broadcast to the state `{name}`, which is {own}");
    let found = Diagnostic::error(&loops::LOOP_STATE, at, message)
        .label(at, wanted)
        .label(start, format!("`{name}` begins as {own}"))
        .note("where the condition is an array, each element of the states goes on while its own condition holds");
    let equal = may_agree(shape, mask) && !mask.contains(&Dim::Const(1));
    let found = if equal { found.help(SAY_SHAPES) } else { found };
    found.help("one truth value ends the whole loop: say `any(…)` or `all(…)` of the condition")
}

/// What a loop begins with, repeated to a shape that has more axes.
fn repeated(start: &Operand, text: &str, shape: &[Dim]) -> String {
    let shape = tuple(shape);
    let suffix = text.trim_start_matches(['0', '.']);
    let is_zero = text.starts_with('0') && (suffix.is_empty() || suffix.parse::<DType>().is_ok());
    match start.elem.strong() {
        _ if !start.shape.is_empty() => format!("broadcast_to({text}, {shape})"),
        _ if !is_zero => format!("full({shape}, {text})"),
        Some(dtype) if dtype != DType::F64 => format!("zeros({shape}, dtype={dtype})"),
        _ => format!("zeros({shape})"),
    }
}

/// `(3, n)`
fn tuple(shape: &[Dim]) -> String {
    let dims: Vec<String> = shape.iter().map(Dim::to_string).collect();
    if let [one] = &dims[..] { one.clone() } else { format!("({})", dims.join(", ")) }
}

/// A body that gives more or fewer values than the loop carries.
pub(in crate::check) fn step_gives(names: &[&str], count: usize, rows: bool, at: Span) -> Diagnostic {
    let values = |count: usize| if count == 1 { "one value".to_owned() } else { format!("{count} values") };
    let wanted = values(names.len());
    let list = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
    let message = match rows {
        true => {
            format!("a step of this scan gives the next {list} and a row of the result, and this is {}", values(count))
        }
        false => format!("a step gives the next {list}, {wanted}, and this is {}", values(count)),
    };
    let found = Diagnostic::error(&loops::LOOP_STEP, at, message).label(at, values(count));
    let next = names.join(", ");
    match (rows, names) {
        (true, [one]) => found.help(format!("end the body with the next state and the row: `({one}, {one})`")),
        (true, _) => found.help(format!("end the body with the next states and the row: `({next}, row)`")),
        (false, [one]) => found.help(format!("end the body with the next `{one}`")),
        (false, _) => found.help(format!("end the body with all of them: `({next})`")),
    }
}

/// A row that makes no result.
pub(in crate::check) fn unfit_row(row: &Operand, axis: usize, changes: bool) -> Diagnostic {
    let message = match changes {
        true => "the rows of a result have one length, and a step decides that of this one".to_owned(),
        false => format!("rows of {} cannot lie side by side along axis {axis}", row.describe()),
    };
    with_operand(Diagnostic::error(&loops::LOOP_STEP, row.span, message), row)
}

/// Another number of names than a `scan` has results.
pub(in crate::check) fn with_rows_of_scan(found: Diagnostic) -> Diagnostic {
    found.help(
        "a `scan` gives the rows of its results, and not its last states: a state that is a result, too, is at last its \
         last row, `rows[-1]`",
    )
}
