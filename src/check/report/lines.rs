//! Messages about operations over whole lines.

use super::shapes::may_agree;
use super::views::shorten;
use super::{rename, with_operand};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{names, shapes};
use crate::diagnostic::{Diagnostic, suggest};
use crate::ops::Op;
use crate::source::Span;
use crate::types::Dim;

pub(in crate::check) fn not_a_word(param: &str, found: &str, words: &[&str], at: Span) -> Diagnostic {
    let known: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
    let message = format!("`{param}` is one of {}, not {found}", known.join(", "));
    let diagnostic = Diagnostic::error(&names::WRONG_VALUE, at, message).label(at, "is none of them");
    // The name of a function is no misspelt word.
    let word = Some(found.trim_matches('"')).filter(|word| crate::ops::by_name(word).is_none());
    match word.and_then(|word| suggest::closest(word, words.iter().copied())) {
        Some(near) => {
            let near = format!("\"{near}\"");
            diagnostic.fix(format!("there is `{near}`: is that what is meant?"), rename(at, &near))
        }
        None => diagnostic,
    }
}

/// A rule that says how many bins there are.
pub(in crate::check) fn bins_by_word(op: &Op, at: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, at, format!("`bins` of `{}` is a number, or the edges", op.name))
        .label(at, "a rule by which data would decide it")
        .help("say how many there are, `bins=10`; by the rule of Sturges n elements have `ceil(log2(n)) + 1`")
}

pub(in crate::check) fn not_fractions(q: &Operand) -> Diagnostic {
    let message = format!("`q` is a real number or a vector of them, not {}", q.describe());
    with_operand(Diagnostic::error(&names::WRONG_VALUE, q.span, message), q)
}

pub(in crate::check) fn not_a_vector(op: &Op, param: &str, operand: &Operand) -> Diagnostic {
    let message = format!("`{param}` of `{}` is a vector, not {}", op.name, operand.describe());
    let found = with_operand(Diagnostic::error(&shapes::BAD_AXIS, operand.span, message), operand);
    match operand.shape.len() {
        0 => found.help("a vector of one element is written `[x]`"),
        _ => found.help("`ravel(x)` has all elements along one axis"),
    }
}

pub(in crate::check) fn too_many_wanted(op: &Op, wanted: &Dim, len: &Dim, at: Span) -> Diagnostic {
    let message = format!("`{}` of {wanted} elements, where there are {len}", op.name);
    Diagnostic::error(&names::WRONG_VALUE, at, message).label(at, "as many as the axis is long, at most")
}

/// `max(a, 0)`; `along` is the text of both, where the second may be meant as an axis.
pub(in crate::check) fn reduction_of_two(name: &str, along: Option<[&str; 2]>, at: Span) -> Diagnostic {
    let pairwise = if name == "min" { "minimum" } else { "maximum" };
    let found = Diagnostic::error(&names::WRONG_ARGUMENTS, at, format!("`{name}` reduces one array along axes"))
        .label(at, "given several values")
        .fix(format!("of two values, element by element, write `{pairwise}(x, y)`"), rename(at, pairwise));
    match along {
        Some([array, axis]) => found.help(format!("along an axis write `{name}({}, axis={axis})`", shorten(array))),
        None => found,
    }
}

pub(in crate::check) fn mask_of_other_shape(mask: &Operand, axes: &[Dim]) -> Diagnostic {
    let axes = crate::types::shape::show(axes);
    let own = crate::types::shape::show(&mask.shape);
    let message = format!("a mask of shape {own} does not lie over axes of shape {axes}");
    with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, mask.span, message), mask)
        .help("a mask has one truth value for each element, or for each place along the first axes")
}

pub(in crate::check) fn positions_differ(first: &Operand, other: &Operand) -> Diagnostic {
    let message = format!("positions of {} and {} do not broadcast", first.describe(), other.describe());
    let found = with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, other.span, message), other);
    let found = found.label(first.span, first.describe());
    let found = match may_agree(&first.shape, &other.shape) {
        true => found
            .help("for pairs, where they are equal, give them names, and `assert len(i) == len(j)`: the run checks it"),
        false => found,
    };
    found.help("for rows and columns of a grid write `x[i[:, None], j]`")
}

pub(in crate::check) fn not_for_a_mask(given: &Operand, kept: &[Dim], mask: &Operand) -> Diagnostic {
    let kept = crate::types::shape::show(kept);
    let message = format!("what the mask keeps has shape {kept}, and {} does not fit in", given.describe());
    with_operand(with_operand(Diagnostic::error(&shapes::UPDATE_SHAPE, given.span, message), given), mask)
        .help("of values for the whole array take those under the mask, `y[mask] = v[mask]`")
}

pub(in crate::check) fn not_counts(counts: &Operand) -> Diagnostic {
    let message = format!("elements are repeated as often as integers say, not {}", counts.describe());
    with_operand(Diagnostic::error(&names::WRONG_VALUE, counts.span, message), counts)
}

pub(in crate::check) fn counts_differ(operand: &Operand, axis: usize, counts: &Operand) -> Diagnostic {
    let len = &operand.shape[axis];
    let message =
        format!("axis {axis} of {} has {len} elements, and the counts are {}", operand.describe(), counts.describe());
    with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, counts.span, message), operand), counts)
        .help("there is one count for each element, or one for all")
}

pub(in crate::check) fn no_window(operand: &Operand, axis: usize, len: &Dim, at: Span) -> Diagnostic {
    let own = &operand.shape[axis];
    let message =
        format!("a window of {len} does not lie in axis {axis} of {}, which has length {own}", operand.describe());
    with_operand(Diagnostic::error(&shapes::BAD_DIMENSION, at, message), operand)
        .help("a window has at least one element, and at most those of its axis")
}

pub(in crate::check) fn no_bins(op: &Op, at: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, at, format!("`{}` needs at least one bin", op.name)).label(at, "no bins")
}

pub(in crate::check) fn not_an_interval(param: &str, found: String, at: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, at, format!("`{param}` is a pair of real numbers, not {found}"))
        .label(at, "is none")
        .help(format!("write the lower end and the upper one, `{param}=(0, 1)`"))
}

pub(in crate::check) fn positions_of_lines(op: &Op, x: &Operand, index: &Operand, at: Span) -> Diagnostic {
    let message = format!("`{}` of {} takes no positions {}", op.name, x.describe(), index.describe());
    with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), x), index)
        .help("positions have as many axes as the array, and but for the one that is gone along the same lengths")
}
