//! Faults of a running program, in the user's words.

use crate::array::show::scalar_text;
use crate::array::{Array, MAX_ELEMENTS};
use crate::check::Settings;
use crate::diagnostic::codes::{dtypes, inputs, running, shapes, views};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::exec::RunError;
use crate::io;
use crate::ir::{Check, Fault, NodeId, NodeKind, Program, ProgramOutput};
use crate::source::Span;
use crate::types::Dim;

/// How many calls a message shows.
const SHOWN_CALLS: usize = 3;

/// What went wrong while running, as a diagnostic, with how the run ended.
pub fn run_error(error: &RunError, program: &Program) -> (Diagnostic, Outcome) {
    match error {
        RunError::OutOfMemory { needed, limit } => {
            let size = |bytes: &usize| io::error::size(*bytes as u64);
            // Nobody set a limit that it exceeds: the system has no more.
            let message = match (needed, limit) {
                (Some(needed), Some(limit)) if needed > limit => {
                    format!("the program needs at least {}, and the limit is {}", size(needed), size(limit))
                }
                (Some(needed), _) => {
                    format!("the program needs at least {}, and the system gives it no more memory", size(needed))
                }
                (None, Some(limit)) => {
                    format!("the program needs more memory than can be addressed, and the limit is {}", size(limit))
                }
                (None, None) => "the program needs more memory than there is".to_owned(),
            };
            let found = Diagnostic::unlocated(&running::OUT_OF_MEMORY, message);
            let raised = matches!((needed, limit), (Some(needed), Some(limit)) if needed > limit);
            (if raised { found.help("`--max-mem SIZE` raises the limit") } else { found }, Outcome::Refused)
        }
        RunError::Interrupted => (interrupted(), Outcome::Interrupted),
        RunError::Step(step) => {
            let (found, code) = run_error(&step.error, &step.program);
            let of = match (&step.counter, step.program.inputs.first()) {
                (Some(counter), _) => format!("the loop over `{counter}`"),
                (None, Some(state)) if !state.name.is_empty() => format!("the loop that carries `{}`", state.name),
                _ => "a loop".to_owned(),
            };
            (found.note(format!("in step {} of {of}, counted from 0", step.number)), code)
        }
        RunError::CheckFailed { check, index } => {
            let found = check_failed(program, *check, *index);
            let calls = program.checks[*check].calls.iter().take(SHOWN_CALLS);
            (calls.fold(found, |found, call| found.label(*call, "in this call")), Outcome::Refused)
        }
        RunError::EmptyReduction { .. } => {
            let message = "the smallest or largest of nothing has no value";
            (Diagnostic::unlocated(&shapes::EMPTY_REDUCTION, message), Outcome::Refused)
        }
        RunError::TooShort { node } | RunError::UnknownSize { node } if !program.lengths.is_empty() => {
            (too_short(program, *node), Outcome::Refused)
        }
        RunError::TooManyElements { node } => (too_many(program, *node), Outcome::Refused),
        RunError::Unbound { input } => {
            let name = &program.inputs[*input].name;
            (
                Diagnostic::error(
                    &inputs::MISSING_INPUT,
                    program.inputs[*input].span,
                    format!("input `{name}` has no data"),
                ),
                Outcome::Refused,
            )
        }
        RunError::Unreadable { input, reason } => {
            let message = format!("cannot read all of input `{}`: {reason}", program.inputs[*input].name);
            (Diagnostic::unlocated(&running::FILE_UNREADABLE, message), Outcome::Unreachable)
        }
        RunError::Unwritable { output, reason } => {
            let name = program.outputs[*output].name.as_deref();
            let result = name.map_or("the result".to_owned(), |name| format!("`{name}`"));
            let message = format!("cannot write {result}: {reason}");
            (Diagnostic::unlocated(&running::FILE_UNWRITABLE, message), Outcome::Unreachable)
        }
        RunError::Misfit { .. } | RunError::UnknownSize { .. } | RunError::TooShort { .. } | RunError::Internal(_) => (
            Diagnostic::unlocated(&inputs::INTERNAL, format!("internal error: {error}; please report this")),
            Outcome::Broken,
        ),
    }
}

/// The error for an array that data makes larger than any array may be.
fn too_many(program: &Program, node: NodeId) -> Diagnostic {
    let node = program.node(node);
    let most = MAX_ELEMENTS.ilog2();
    let message = format!("an array of {} has more elements than an array may have, which are 2^{most}", node.dtype);
    match program.lengths_of(&node.shape).next() {
        Some(length) => Diagnostic::error(&shapes::TOO_LARGE, length.span, message)
            .label(length.span, format!("`{}` is the length of this", length.name)),
        None => Diagnostic::unlocated(&shapes::TOO_LARGE, message),
    }
}

/// More is taken of an array than the data left in it.
fn too_short(program: &Program, node: NodeId) -> Diagnostic {
    let shapes = std::iter::once(node).chain(program.node(node).operands()).map(|id| &program.node(id).shape);
    let length = shapes.flat_map(|shape| program.lengths_of(shape)).next();
    // Of `x[k]` only the place waits.
    let length = length.or_else(|| program.lengths_in(program.node(node)).next());
    let is_mask = length.is_some_and(|length| program.counts_a_mask(length));
    let (message, of) = match is_mask {
        true => ("a mask keeps too few elements for what is taken of them", "count of this mask"),
        false => ("there are too few elements for what is taken of them", "length of this"),
    };
    let found = match length {
        Some(length) => Diagnostic::error(&views::INDEX_OUT_OF_RANGE, length.span, message)
            .label(length.span, format!("`{}` is the {of}", length.name)),
        None => Diagnostic::unlocated(&views::INDEX_OUT_OF_RANGE, message),
    };
    found.help("positions, cuts and differences of a selection need elements that are there")
}

/// The arrays that a program reads.
pub(super) fn inputs(program: &Program) -> impl Iterator<Item = &Array> {
    program.inputs.iter().filter_map(|input| input.value.as_ref())
}

/// Says that a file behind one of these arrays became shorter, with how that ends: results that were computed from it
/// are worthless.
pub(super) fn lost_file_error<'a>(arrays: impl IntoIterator<Item = &'a Array>) -> Option<(Diagnostic, Outcome)> {
    io::mapped::lost_file_error(arrays).map(|error| (error.diagnostic(), error.outcome()))
}

/// Says that a file behind an input of a program became shorter, with how that ends. This is for callers that run
/// programs without a session.
pub fn lost_input(program: &Program) -> Option<(Diagnostic, Outcome)> {
    lost_file_error(inputs(program))
}

/// Warns of files that somebody wrote to while they were in use, each once: the files that this input opened, and those
/// that hold arrays of earlier inputs.
pub(super) fn changed_file_warnings<'a>(
    opened: &[io::watch::FileWatch],
    arrays: impl IntoIterator<Item = &'a Array>,
    settings: &Settings,
) -> Diagnostics {
    let mut warnings: Vec<io::Warning> =
        opened.iter().filter(|it| it.has_changed()).map(io::watch::FileWatch::warning).collect();
    warnings.extend(io::mapped::changed_file_warnings(arrays));
    let mut found = Diagnostics::new();
    for (at, warning) in warnings.iter().enumerate() {
        if !warnings[..at].iter().any(|other| other.message == warning.message) {
            found.push(warning.diagnostic().weighing(settings.level(warning.code)));
        }
    }
    found
}

/// Someone did not want to wait.
pub(super) fn interrupted() -> Diagnostic {
    Diagnostic::unlocated(&inputs::INTERRUPTED, "interrupted")
}

/// A failed run-time check: the place, the element, and what is wrong with it.
fn check_failed(program: &Program, check: usize, index: u64) -> Diagnostic {
    let check = &program.checks[check];
    let (place, values) = witnesses(program, check, index as usize);
    let at = |op: &str| match values.as_slice() {
        [] => format!("`{op}`"),
        values if op.starts_with(char::is_alphabetic) => format!("`{op}({})`", values.join(", ")),
        [x] if x.starts_with('-') => format!("`{op}({x})`"),
        [x] => format!("`{op}{x}`"),
        [x, y, ..] => format!("`{x} {op} {y}`"),
    };
    let element = if place.is_empty() { String::new() } else { format!(" at {place}") };
    let value = values.first().map_or("the value", String::as_str);
    match &check.fault {
        Fault::OutOfRange { input, range, .. } => {
            let message = format!("`{input}`{place} is {value}, outside of {range}");
            Diagnostic::error(&inputs::OUT_OF_RANGE, check.span, message)
                .label(check.span, format!("declared in {range}"))
        }
        Fault::Overflow { op: "**", .. } if values.get(1).is_some_and(|exponent| exponent.starts_with('-')) => {
            fraction(check, &at("**"), &element)
        }
        Fault::Overflow { op, dtype, .. } => {
            let message = format!("{} overflows {dtype}{element}", at(op));
            Diagnostic::error(&inputs::OVERFLOW, check.span, message).label(check.span, format!("does not fit {dtype}"))
        }
        Fault::Total { op, dtype, .. } => {
            let message = format!("`{op}` comes to {} and overflows {dtype}{element}", whole(value));
            Diagnostic::error(&inputs::OVERFLOW, check.span, message).label(check.span, format!("does not fit {dtype}"))
        }
        Fault::Division { op, dtype, .. } if values.get(1).is_some_and(|divisor| divisor != "0") => {
            let message = format!("{} overflows {dtype}{element}", at(op));
            Diagnostic::error(&inputs::OVERFLOW, check.span, message).label(check.span, format!("does not fit {dtype}"))
        }
        Fault::Division { op, .. } => {
            let message = format!("{} divides by zero{element}", at(op));
            Diagnostic::error(&inputs::DIVISION_BY_ZERO, check.span, message).label(check.span, "the divisor is 0")
        }
        Fault::Index { axis, len, .. } => {
            let len = values.get(1).map_or_else(|| len.to_string(), Clone::clone);
            let message = format!("index {value} is out of range{element}: axis {axis} has length {len}");
            Diagnostic::error(&views::INDEX_OUT_OF_RANGE, check.span, message)
                .label(check.span, format!("computed as {value}"))
        }
        Fault::Count { wanted, stored, .. } => miscounted(check, value, &wanted.to_string(), *stored),
        Fault::Refused { text, .. } => {
            let place = place.trim_matches(['[', ']']);
            let message = text.replace("{value}", value).replace("{place}", if place.is_empty() { "0" } else { place });
            Diagnostic::error(&inputs::OUT_OF_RANGE, check.span, message)
                .label(check.span, format!("computed as {value}"))
        }
        Fault::Nothing { function, axis } => {
            let message = format!("`{function}` of nothing has no value: axis {axis} of the selection has length 0");
            Diagnostic::error(&shapes::EMPTY_REDUCTION, check.span, message).label(check.span, "of no elements")
        }
        Fault::NotBuilt { function, feature } => {
            let message = format!("this `arr` was built without `{function}`");
            Diagnostic::error(&inputs::NOT_BUILT, check.span, message)
                .label(check.span, format!("needs the feature `{feature}`"))
                .help(format!("`cargo install --path . --features {feature}` builds one that has it"))
        }
        Fault::Unfit { function, is } => {
            let which = if place.is_empty() { "the matrix".to_owned() } else { format!("the matrix at {place}") };
            Diagnostic::error(&inputs::UNFIT_MATRIX, check.span, format!("`{function}`: {which} is {is}"))
                .label(check.span, format!("{is} when this ran"))
        }
        Fault::Asserted { said: Some(said), .. } => {
            Diagnostic::error(&dtypes::ASSERTION_FAILED, check.span, *said).label(check.span, "")
        }
        Fault::Asserted { op, .. } => not_so(check, *op, &values, &element),
        Fault::Lengths { .. } => not_so(check, Some("=="), &values, &element),
        Fault::LossyCast { dtype, .. } => {
            let message = format!("{value} does not fit {dtype}{element}");
            Diagnostic::error(&inputs::LOSSY_CAST, check.span, message)
                .label(check.span, format!("the cast to {dtype} changes it"))
        }
    }
}

/// A power of integers has a negative exponent.
fn fraction(check: &Check, power: &str, element: &str) -> Diagnostic {
    Diagnostic::error(&inputs::OVERFLOW, check.span, format!("{power} is no integer{element}"))
        .label(check.span, "a negative exponent")
        .help("powers of floats have fractions: convert the base, as in `f64(x)`")
}

/// What a script asserts of these values does not hold.
fn not_so(check: &Check, op: Option<&str>, values: &[String], element: &str) -> Diagnostic {
    let message = match (op, values) {
        (Some(op), [x, y]) if matches!(op, ">" | ">=") => format!("`{y} {op} {x}`"),
        (Some(op), [x, y]) => format!("`{x} {op} {y}`"),
        _ => "it is false".to_owned(),
    };
    let message = format!("this assertion does not hold: {message}{element}");
    Diagnostic::error(&dtypes::ASSERTION_FAILED, check.span, message).label(check.span, "asserted here")
}

/// A mask keeps another number of elements than stand beside it, as values to store or as positions.
fn miscounted(check: &Check, value: &str, wanted: &str, stored: bool) -> Diagnostic {
    let plural = |count: &str, of: &str| format!("{count} {of}{}", if count == "1" { "" } else { "s" });
    let kept = plural(value, "element");
    let beside = plural(wanted, if stored { "value" } else { "position" });
    let found = |message: String| Diagnostic::error(&views::MASK_COUNT, check.span, message);
    match stored {
        true => found(format!("the mask keeps {kept}, and {beside} are stored there"))
            .label(check.span, plural(wanted, "value"))
            .help("of values for the whole array take those under the mask, `y[mask] = v[mask]`"),
        false => found(format!("the mask keeps {kept}, beside {beside}")).label(check.span, format!("keeps {value}")),
    }
}

/// A whole number that was computed in `f64`, which holds those below 2^53 exactly.
fn whole(value: &str) -> String {
    match value.parse::<f64>() {
        Ok(float) if float.abs() < 2f64.powi(53) => format!("{float}"),
        Ok(float) if float.is_infinite() => "a number beyond 10^308".to_owned(),
        _ => format!("about {value}"),
    }
}

/// The index of the element at fault, and the values of the operands there: they are computed once more.
fn witnesses(program: &Program, check: &Check, index: usize) -> (String, Vec<String>) {
    let nodes = match &check.fault {
        Fault::Index { index, len, .. } => {
            let length = program.lengths.iter().find(|length| *len == Dim::name(&length.name));
            [*index].into_iter().chain(length.map(|length| length.node)).collect()
        }
        Fault::Count { count, .. } => vec![*count],
        Fault::OutOfRange { value, .. }
        | Fault::Refused { value, .. }
        | Fault::LossyCast { value, .. }
        | Fault::Total { exact: value, .. } => {
            vec![*value]
        }
        Fault::Overflow { operands, .. } | Fault::Division { operands, .. } | Fault::Asserted { operands, .. } => {
            operands.clone()
        }
        Fault::Lengths { nodes } => nodes[..2].to_vec(),
        Fault::Nothing { .. } | Fault::NotBuilt { .. } | Fault::Unfit { .. } => Vec::new(),
    };
    let options = crate::exec::Options::default();
    let sizes = if let NodeKind::Fold { arg, .. } = program.node(check.node).kind {
        crate::types::shape::sizes(&program.node(arg).shape).or_else(|| shape_of(program, arg, &options))
    } else {
        // What was known before anything ran is a scalar.
        Some(Vec::new())
    };
    let Some(sizes) = sizes else { return (String::new(), Vec::new()) };
    let values = crate::exec::elements_at(program, &nodes, &sizes, index, &options).unwrap_or_default();
    (position(index, &sizes), values.into_iter().map(scalar_text).collect())
}

/// `[1, 2]` for a flat index, and nothing for a scalar.
fn position(flat: usize, sizes: &[usize]) -> String {
    if sizes.is_empty() {
        return String::new();
    }
    let mut rest = flat;
    let mut place: Vec<String> = Vec::with_capacity(sizes.len());
    for &size in sizes.iter().rev() {
        place.push((rest % size.max(1)).to_string());
        rest /= size.max(1);
    }
    place.reverse();
    format!("[{}]", place.join(", "))
}

/// The sizes of a node whose lengths data decides: it is computed once more.
fn shape_of(program: &Program, node: NodeId, options: &crate::exec::Options) -> Option<Vec<usize>> {
    let output = ProgramOutput { name: None, node, span: Span::default(), weak: false };
    let asked = Program { outputs: vec![output], checks: Vec::new(), ..program.clone() };
    Some(crate::exec::run(&asked, options).ok()?.first()?.shape().to_vec())
}
