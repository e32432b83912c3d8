//! Indexing, dimensions, layout.

use super::super::operands::Operand;
use super::{quoted, with_operand};
use crate::diagnostic::codes::{names, views};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::source::Span;
use crate::types::shape::show;
use crate::types::{Affine, Dim, Elem};

fn count(number: usize, noun: &str) -> String {
    let plural = match (number, noun) {
        (1, noun) => noun.to_owned(),
        (_, "index") => "indices".to_owned(),
        (_, "axis") => "axes".to_owned(),
        (_, noun) => format!("{noun}s"),
    };
    format!("{number} {plural}")
}

pub(in crate::check) fn index_out_of_range(index: &Affine, axis: usize, operand: &Operand, at: Span) -> Diagnostic {
    let len = &operand.shape[axis];
    let message = format!("index {index} is out of range: axis {axis} of {} has length {len}", operand.describe());
    let allowed = match len.known() {
        Some(0) => "there is no element to take".to_owned(),
        Some(len) => format!("from 0 to {}, or from -{len} to -1 counted from the end", len - 1),
        None => format!("the last one is `{}`", len.add_scaled(&Dim::Const(1), -1).unwrap_or(Dim::Const(0))),
    };
    with_operand(Diagnostic::error(&views::INDEX_OUT_OF_RANGE, at, message).label(at, allowed), operand)
}

pub(in crate::check) fn too_many_indices(taken: usize, operand: &Operand, span: Span) -> Diagnostic {
    let message = match operand.shape.len() {
        0 => format!("{} is a scalar and has no axis to index", operand.describe()),
        rank => format!("{} for {}, which has {}", count(taken, "index"), operand.describe(), count(rank, "axis")),
    };
    with_operand(Diagnostic::error(&views::TOO_MANY_INDICES, span, message), operand)
}

pub(in crate::check) fn two_ellipses(first: Span, second: Span) -> Diagnostic {
    Diagnostic::error(&views::TOO_MANY_INDICES, second, "an index has at most one `...`")
        .label(first, "stands for all axes that are not named")
        .label(second, "nothing is left for this one")
        .help("for all elements of one axis write `:`")
}

pub(in crate::check) fn tuple_index(at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, "an item of a tuple is named by one integer that is known here")
        .label(at, "this is not")
        .help("the items may have different types: `t[0]`, `t[-1]`, `t[1:]`")
}

pub(in crate::check) fn tuple_index_out_of_range(position: i64, items: usize, at: Span) -> Diagnostic {
    let message = format!("index {position} is out of range: the tuple has {}", count(items, "item"));
    Diagnostic::error(&views::INDEX_OUT_OF_RANGE, at, message).label(at, "items are counted from 0")
}

pub(in crate::check) fn zero_slice_step(at: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, at, "the step of a slice cannot be 0").label(at, "never moves on")
}

pub(in crate::check) fn symbolic_step(text: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&views::OPEN_SHAPE, at, format!("the step of {} is not known here", quoted(text)))
        .label(at, "its length depends on it")
        .help("a step is a number; with data bound, a size is one too")
}

pub(in crate::check) fn open_slice(text: &str, dim: &Dim, at: Span) -> Diagnostic {
    let message = format!("how many elements {} takes of `{dim}` is not known here", quoted(text));
    Diagnostic::error(&views::OPEN_SHAPE, at, message)
        .label(at, "from near one end to near the other")
        .help("count both bounds from the same end, or bind the data: then the length is a number")
}

pub(in crate::check) fn computed_bound(text: &str, at: Span) -> Diagnostic {
    let message = format!("{} is computed, and the bounds of a slice decide a shape", quoted(text));
    Diagnostic::error(&views::OPEN_SHAPE, at, message)
        .label(at, "known only when the program runs")
        .help("shapes are known before anything runs: bounds are numbers and sizes, `x[1:n//2]`")
        .help("to blank out the rest, compare positions: `where(arange(x.shape[0]) < k, x, 0)`")
}

pub(in crate::check) fn bound_not_integer(elem: Elem, text: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, format!("the bounds of a slice are integers, not {elem}"))
        .label(at, elem.to_string())
        .help(format!("for a quotient of integers write `//`; a cast is `i64({})`", shortened(text)))
}

pub(in crate::check) fn not_an_index(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, format!("an index is an integer, a slice, `...` or `None`, not {what}"))
        .label(at, what)
        .help("indices of several axes are separated by commas, without parentheses: `x[0, 1]`")
}

pub(in crate::check) fn inexact_index(index: &Operand, text: &str) -> Diagnostic {
    let message = format!("an index is an integer, not {}", index.elem);
    with_operand(Diagnostic::error(&views::NOT_AN_INDEX, index.span, message), index)
        .fix("cast it if it is whole", cast(index.span, text))
}

pub(in crate::check) fn bool_index(index: &Operand, text: &str) -> Diagnostic {
    let diagnostic = with_operand(
        Diagnostic::error(
            &views::NOT_AN_INDEX,
            index.span,
            if index.shape.is_empty() {
                "an index is an integer, not bool".to_owned()
            } else {
                "a mask in brackets would have a shape that only the data decides".to_owned()
            },
        ),
        index,
    );
    match index.shape.is_empty() {
        true => diagnostic.fix("cast it if 0 or 1 is meant", cast(index.span, text)),
        false => diagnostic.help(format!(
            "keep the shape and replace what is masked out: `where({}, x, 0)`; a sum needs nothing else",
            shortened(text)
        )),
    }
}

pub(in crate::check) fn array_index(index: &Operand, text: &str) -> Diagnostic {
    let message = format!("an index is one integer; this is {}", index.describe());
    with_operand(Diagnostic::error(&views::NOT_AN_INDEX, index.span, message), index)
        .help(format!("for the elements at several positions write `take(x, {}, axis=0)`", shortened(text)))
}

fn shortened(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if one_line.chars().count() > 40 { "…".to_owned() } else { one_line }
}

fn cast(span: Span, text: &str) -> Fix {
    Fix { edits: vec![Edit { span, text: format!("i64({text})") }], keeps_values: false }
}

pub(in crate::check) fn sizes_unknown(pairs: &[(Dim, Dim)], span: Span) -> Diagnostic {
    let all: Vec<String> = pairs.iter().map(|(left, right)| format!("`{left}` and `{right}`")).collect();
    let message = format!("whether {} are equal is not known here", all.join(", and whether "));
    Diagnostic::error(&views::OPEN_SHAPE, span, message)
        .label(span, "known once data is bound")
        .help("if they are equal, use one name for both in the types of the inputs")
}

pub(in crate::check) fn value_does_not_fill(value: &Operand, region: &[Dim], at: Span) -> Diagnostic {
    let target = if region.is_empty() { "a single element".to_owned() } else { format!("a region {}", show(region)) };
    let message = format!("{} does not fill {target}", value.describe());
    with_operand(Diagnostic::error(&views::VALUE_SHAPE, value.span, message), value)
        .label(at, format!("{target} is assigned"))
        .help("a value is repeated to the region's shape and never enlarges it")
}

pub(in crate::check) fn open_count(operand: &Operand, span: Span) -> Diagnostic {
    let message = format!("the number of elements of {} has no form that could be shown", operand.describe());
    with_operand(Diagnostic::error(&views::OPEN_SHAPE, span, message), operand)
        .help("bind the data: then it is a number")
}
