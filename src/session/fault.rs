//! What goes wrong while a program runs, in the user's words.

use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::{inputs, running, shapes};
use crate::exec::RunError;
use crate::io;
use crate::ir::{Fault, NodeKind, Program};

/// What went wrong while running, as a diagnostic, with its exit code.
pub(super) fn run_error(error: &RunError, program: &Program) -> (Diagnostic, u8) {
    match error {
        RunError::OutOfMemory { needed, limit } => {
            let needed =
                needed.map_or("more memory than can be addressed".to_owned(), |bytes| io::error::size(bytes as u64));
            let limit =
                limit.map(|bytes| format!(", and the limit is {}", io::error::size(bytes as u64))).unwrap_or_default();
            let message = format!("the program needs {needed}{limit}");
            (Diagnostic::unlocated(&running::OUT_OF_MEMORY, message).help("`--max-mem SIZE` raises the limit"), 1)
        }
        RunError::Interrupted => (Diagnostic::unlocated(&inputs::INTERRUPTED, "interrupted"), 130),
        RunError::CheckFailed { check, index } => (check_failed(program, *check, *index), 1),
        RunError::EmptyReduction { .. } => {
            let message = "the smallest or largest of nothing has no value";
            (Diagnostic::unlocated(&shapes::EMPTY_REDUCTION, message), 1)
        }
        RunError::Unbound { input } => {
            let name = &program.inputs[*input].name;
            (
                Diagnostic::error(
                    &inputs::MISSING_INPUT,
                    program.inputs[*input].span,
                    format!("input `{name}` has no data"),
                ),
                1,
            )
        }
        RunError::UnknownSize { .. } | RunError::Internal(_) => {
            (Diagnostic::unlocated(&inputs::INTERNAL, format!("internal error: {error}; please report this")), 101)
        }
    }
}

/// A failed run-time check: the place, the element, and what is wrong with it.
fn check_failed(program: &Program, check: usize, index: u64) -> Diagnostic {
    let check = &program.checks[check];
    match &check.fault {
        Fault::OutOfRange { input, range, value } => {
            let shape = &program.node(*value).shape;
            let sizes = crate::types::shape::sizes(shape).unwrap_or_default();
            let place = position(index as usize, &sizes);
            let found = match &program.node(*value).kind {
                NodeKind::Input(input) => {
                    program.inputs[*input as usize].value.as_ref().map(|array| array.get(index as usize))
                }
                NodeKind::Const(scalar) => Some(*scalar),
                _ => None,
            };
            let value = found.map(crate::array::show::scalar_text).unwrap_or_else(|| "a value".to_owned());
            let message = format!("`{input}`{place} is {value}, outside of {range}");
            Diagnostic::error(&inputs::OUT_OF_RANGE, check.span, message)
                .label(check.span, format!("declared in {range}"))
        }
        Fault::Overflow { op, dtype, .. } => {
            let message = format!("`{op}` overflows {dtype} at element {index}");
            Diagnostic::error(&inputs::OVERFLOW, check.span, message)
        }
        Fault::DivisionByZero { op, .. } => {
            let message = format!("`{op}` divides by zero at element {index}");
            Diagnostic::error(&inputs::DIVISION_BY_ZERO, check.span, message)
        }
        Fault::LossyCast { dtype, .. } => {
            let message = format!("the cast to {dtype} changes the value at element {index}");
            Diagnostic::error(&inputs::LOSSY_CAST, check.span, message)
        }
    }
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
