//! Messages about random numbers.

use super::with_operand;
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{lints, names};
use crate::diagnostic::{Diagnostic, Level};
use crate::ops::Op;
use crate::ops::threefry::ORIGINAL_WORDS;
use crate::source::Span;
use crate::types::{DType, Dim, Elem};

fn wrong(message: String, operand: &Operand) -> Diagnostic {
    with_operand(Diagnostic::error(&names::WRONG_VALUE, operand.span, message), operand)
}

pub(in crate::check) fn not_a_key(operand: &Operand, text: &str) -> Diagnostic {
    let found = wrong(format!("a key is u32[2], not {}", operand.describe()), operand);
    let words = operand.elem == Elem::Strong(DType::U32) && operand.shape.last() == Some(&Dim::Const(2));
    match operand.shape.len() {
        0 if operand.elem.kind().is_integer() => found.help(format!("write `random.key({text})`")),
        2 if words => found.help(format!("these are keys: take one of them, `{text}[0]`")),
        _ => found.help("make one of a number, `random.key(7)`, or of another key, `random.split(key)[0]`"),
    }
}

pub(in crate::check) fn not_a_seed(operand: &Operand) -> Diagnostic {
    wrong(format!("a key is made with one integer, not {}", operand.describe()), operand)
}

pub(in crate::check) fn not_drawn_in(op: &Op, dtype: DType, words: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, at, format!("`{}` draws {words}, not {dtype}", op.name))
        .label(at, "not here")
}

pub(in crate::check) fn too_many_words(op: &Op, at: Span) -> Diagnostic {
    let message = format!("with `random=original`, `{}` draws at most {ORIGINAL_WORDS} words of 32 bits", op.name);
    Diagnostic::error(&names::WRONG_VALUE, at, message)
        .label(at, "more than that")
        .help("split the key, and draw parts of the array")
}

pub(in crate::check) fn not_an_integer_bound(op: &Op, operand: &Operand) -> Diagnostic {
    wrong(format!("the bounds of `{}` are integers, not {}", op.name, operand.describe()), operand)
        .help("for numbers between say `random.uniform`")
}

pub(in crate::check) fn not_a_probability(operand: &Operand) -> Diagnostic {
    wrong(format!("a probability is a float, not {}", operand.describe()), operand)
}

pub(in crate::check) fn parameter_of_other_dtype(op: &Op, operand: &Operand, dtype: DType) -> Diagnostic {
    let message = format!("`{}` draws {dtype}, which does not hold what {} does", op.name, operand.elem);
    wrong(message, operand).help(format!("draw that, `dtype={}`, or convert it, `{dtype}(…)`", operand.elem))
}

pub(in crate::check) fn no_elements(op: &Op, operand: &Operand) -> Diagnostic {
    wrong(format!("`{}` takes an array or a length, not {}", op.name, operand.describe()), operand)
}

pub(in crate::check) fn probabilities_of_other_shape(op: &Op, p: &Operand, len: &Dim) -> Diagnostic {
    wrong(format!("`p` of `{}` is a real number for each of {len} elements, not {}", op.name, p.describe()), p)
}

pub(in crate::check) fn no_logits(operand: &Operand) -> Diagnostic {
    wrong(format!("logits are floats along an axis, not {}", operand.describe()), operand)
}

/// A key from which numbers are drawn in every step of a loop, and the counter of that loop.
pub(in crate::check) fn same_key(level: Level, text: &str, counter: Option<&str>, at: Span) -> Diagnostic {
    let message = format!("numbers are drawn from `{text}` in every step, which gives the same ones each time");
    let from = match counter {
        Some(counter) => format!("`random.fold_in({text}, {counter})` makes a key of each step from its counter"),
        None => format!("`random.fold_in({text}, t)` makes a key of each step from a counter, `repeat … as t`"),
    };
    Diagnostic::new(&lints::REUSED_KEY, level, message)
        .label(at, "no step changes it")
        .help(format!("{from}; where the same numbers are meant, draw them before the loop"))
}

pub(in crate::check) fn reused_key(level: Level, text: &str, first: Span, at: Span) -> Diagnostic {
    Diagnostic::new(
        &lints::REUSED_KEY,
        level,
        format!("numbers are drawn from `{text}` again, which gives the same ones"),
    )
    .label(at, "again")
    .label(first, "drawn from here")
    .help(format!("draw from another key: `random.split({text})` makes two"))
}

/// Two calls of a function that draws from the key that it is given.
pub(in crate::check) fn reused_key_in_calls(level: Level, first: Span, call: Span, drawn: Span) -> Diagnostic {
    let message = "this call draws numbers from a key that a call before it drew from, which gives the same ones";
    let diagnostic =
        Diagnostic::new(&lints::REUSED_KEY, level, message).label(call, "again").label(first, "first here");
    let diagnostic = if drawn.source.is_library() { diagnostic } else { diagnostic.label(drawn, "drawn from here") };
    diagnostic.help("give each call a key of its own: `random.split` makes two of one")
}
