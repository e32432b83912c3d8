//! Messages about parts of arrays, from indexing to reshapes.

use super::{quoted, with_operand};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{names, shapes, views};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::Op;
use crate::source::Span;
use crate::types::affine::Atom;
use crate::types::shape::show;
use crate::types::{Affine, DType, Dim, Elem, Kind};

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
        Some(len) => allowed(len),
        None => format!("the last one is `{}`", len.add_scaled(&Dim::Const(1), -1).unwrap_or(Dim::Const(0))),
    };
    with_operand(Diagnostic::error(&views::INDEX_OUT_OF_RANGE, at, message).label(at, allowed), operand)
}

/// The positions of an axis.
fn allowed(len: u64) -> String {
    match len {
        0 => "there is no element to take".to_owned(),
        len => format!("from 0 to {}, or from -{len} to -1 counted from the end", len - 1),
    }
}

/// A position that is computed and outside of its axis, and where it stands among others.
pub(in crate::check) fn position_outside(
    position: i128,
    place: Option<i128>,
    axis: usize,
    len: u64,
    at: Span,
) -> Diagnostic {
    let place = place.map_or_else(String::new, |place| format!(" at [{place}]"));
    let message = format!("index {position} is out of range{place}: axis {axis} has length {len}");
    Diagnostic::error(&views::INDEX_OUT_OF_RANGE, at, message).label(at, allowed(len))
}

/// Positions between two ends, all of which are outside of their axis.
pub(in crate::check) fn positions_outside((low, high): (i128, i128), axis: usize, len: u64, at: Span) -> Diagnostic {
    if low == high {
        return position_outside(low, None, axis, len, at);
    }
    let far = i128::from(u32::MAX);
    let which = match () {
        () if high >= far => format!("an index of at least {low}"),
        () if low <= -far => format!("an index of at most {high}"),
        () => format!("an index from {low} to {high}"),
    };
    let message = format!("{which} is out of range: axis {axis} has length {len}");
    Diagnostic::error(&views::INDEX_OUT_OF_RANGE, at, message).label(at, allowed(len))
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

pub(in crate::check) fn computed_bound(text: &str, at: Span) -> Diagnostic {
    let message = format!("{} is computed, and the step of a slice is known before anything runs", quoted(text));
    Diagnostic::error(&views::OPEN_SHAPE, at, message)
        .label(at, "known only when the program runs")
        .help("every k-th element from `a` on is at `x[a + k*arange(count)]`; of n there are `(n - 1 - a)//k + 1`")
}

pub(in crate::check) fn bound_not_integer(elem: Elem, text: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, format!("the bounds of a slice are integers, not {elem}"))
        .label(at, elem.to_string())
        .help(format!("for a quotient of integers write `//`; a cast is `i64({})`", shorten(text)))
}

pub(in crate::check) fn array_as_bound(at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, "a bound or a step of a slice is one integer, not an array")
        .label(at, "an array")
        .help("an array of positions stands alone: `x[i]`; one of them is a bound: `x[i[0]:]`")
}

pub(in crate::check) fn not_an_index(what: &str, at: Span) -> Diagnostic {
    Diagnostic::error(&views::NOT_AN_INDEX, at, format!("an index is an integer, a slice, `...` or `None`, not {what}"))
        .label(at, what)
        .help("indices of several axes are separated by commas, without parentheses: `x[0, 1]`")
}

pub(in crate::check) fn inexact_index(index: &Operand, text: &str) -> Diagnostic {
    let message = format!("an index is an integer, not {}", index.elem);
    let diagnostic = with_operand(Diagnostic::error(&views::NOT_AN_INDEX, index.span, message), index);
    if index.elem.kind() == Kind::Complex {
        return diagnostic.help("say which real number is meant: `real(z)` or `abs(z)`");
    }
    let diagnostic = match text.contains('/') {
        true => diagnostic.help("for a quotient of integers write `//`"),
        false => diagnostic,
    };
    diagnostic.fix("cast it if it is whole", cast(index.span, text))
}

pub(in crate::check) fn bool_index(index: &Operand, text: &str) -> Diagnostic {
    let diagnostic =
        with_operand(Diagnostic::error(&views::NOT_AN_INDEX, index.span, "an index is an integer, not bool"), index);
    diagnostic.fix("cast it if 0 or 1 is meant", cast(index.span, text))
}

pub(super) fn shorten(text: &str) -> String {
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

pub(in crate::check) fn open_count(operand: &Operand, span: Span) -> Diagnostic {
    let message = format!("the number of elements of {} has no form that could be shown", operand.describe());
    with_operand(Diagnostic::error(&views::OPEN_SHAPE, span, message), operand)
        .help("bind the data: then it is a number")
}

pub(in crate::check) fn arrays_in_a_list(op: &Op, text: &str, span: Span) -> Diagnostic {
    let message = format!("`{}` takes its arrays in one list", op.name);
    let found = Diagnostic::error(&names::WRONG_ARGUMENTS, span, message).label(span, "outside of a list");
    match repeated_list(text) {
        Some(item) => found.help(format!("no list is repeated by `*`: write `{}([{item}, {item}])`", op.name)),
        None => found.help(format!("write `{}([{}])`", op.name, shorten(text))),
    }
}

/// The items of a list that Python would repeat: `x` of `[x]*3`.
fn repeated_list(text: &str) -> Option<&str> {
    let (list, count) = text.rsplit_once('*')?;
    let item = list.trim().strip_prefix('[')?.strip_suffix(']')?;
    let mut depth = 0i32;
    let is_list = item.chars().all(|c| {
        depth += i32::from(c == '[') - i32::from(c == ']');
        depth >= 0
    });
    (is_list && count.trim().chars().all(|c| c.is_ascii_digit())).then_some(item)
}

/// Sizes or arrays that are given one by one and belong into one list. `call` and `text` are the place and the text of
/// the call, `items` and `texts` those of its items. The first item of a method stands before the dot, and goes into
/// the list.
pub(in crate::check) fn side_by_side(
    op: &Op,
    what: &str,
    (call, text): (Span, &str),
    (items, texts): (Span, &str),
) -> Diagnostic {
    let (from, to) = ((items.start - call.start) as usize, (items.end - call.start) as usize);
    let is_method = text[..from].chars().all(|c| c == '(' || c.is_whitespace());
    let written = match is_method {
        true => format!("{}([{texts}]{}", op.name, &text[to..]),
        false => format!("{}[{}]{}", &text[..from], &text[from..to], &text[to..]),
    };
    let help = match written.chars().count() <= 60 && !written.contains('\n') {
        true => format!("write `{written}`"),
        false => "put them between `[` and `]`".to_owned(),
    };
    let edits = match is_method {
        true => vec![Edit { span: call, text: written }],
        false => vec![
            Edit { span: Span { end: items.start, ..items }, text: "[".to_owned() },
            Edit { span: items.after(), text: "]".to_owned() },
        ],
    };
    Diagnostic::error(&names::WRONG_ARGUMENTS, items, format!("`{}` takes its {what} in one list", op.name))
        .label(items, "one by one")
        .fix(help, Fix { edits, keeps_values: false })
}

/// An array where a list of arrays is needed, and what it could be in its place.
pub(in crate::check) fn outside_of_a_list(op: &Op, instead: Option<String>, span: Span) -> Diagnostic {
    let diagnostic =
        Diagnostic::error(&names::WRONG_ARGUMENTS, span, format!("`{}` takes its arrays in one list", op.name))
            .label(span, "outside of a list");
    match instead {
        Some(text) => diagnostic.fix(
            format!("write `{}` in its place", shorten(&text)),
            Fix { edits: vec![Edit { span, text }], keeps_values: false },
        ),
        None => diagnostic,
    }
}

pub(in crate::check) fn no_arrays(op: &Op, span: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_ARGUMENTS, span, format!("`{}` needs at least one array", op.name))
        .label(span, "none")
}

/// Lists of blocks that are no rows and columns.
pub(in crate::check) fn uneven_blocks(op: &Op, span: Span) -> Diagnostic {
    let message = format!("the arrays of `{}` stand in equally many lists, and no list is empty", op.name);
    Diagnostic::error(&names::WRONG_ARGUMENTS, span, message)
        .label(span, "these lists")
        .help("a row of one array is a list too: `block([[a, b], [c]])`")
}

/// Parts whose lengths differ, or may: data decides some of them if they are counted.
pub(in crate::check) fn unequal_parts(
    op: &Op,
    (first, other): (&Operand, &Operand),
    axis: Option<usize>,
    counted: bool,
) -> Diagnostic {
    let (left, right) = (first.describe(), other.describe());
    let message = format!("cannot `{}` {left} and {right}", op.name);
    let diagnostic = Diagnostic::error(&shapes::SHAPES_DIFFER, other.span, message);
    let diagnostic = with_operand(with_operand(diagnostic, first), other);
    let names = first.shape.iter().chain(&other.shape).any(|dim| dim.known().is_none());
    let diagnostic = diagnostic.note(match axis {
        None => "arrays side by side have one shape".to_owned(),
        Some(axis) => format!("all axes but axis {axis} have equal lengths"),
    });
    match (names, axis) {
        (true, _) if counted => diagnostic.help(
            "where they are equal, give them names, and assert it, as in `assert len(a) == len(b)`: the run checks it",
        ),
        (true, _) => diagnostic.help("if lengths are equal, use one name for them in the types of the inputs"),
        (false, None) => diagnostic.help("to put arrays one after the other write `concat`"),
        (false, Some(_)) => diagnostic,
    }
}

pub(in crate::check) fn scalar_part(op: &Op, scalar: &Operand) -> Diagnostic {
    let message = format!("`{}` goes along an axis, and {} has none", op.name, scalar.describe());
    with_operand(Diagnostic::error(&shapes::BAD_AXIS, scalar.span, message), scalar)
        .help("`stack` makes a new axis, as an array literal does: `[a, b]`")
}

pub(in crate::check) fn diff_count(times: i64, most: i64, span: Span) -> Diagnostic {
    let message = format!("differences are taken 0 to {most} times, not {times}");
    Diagnostic::error(&names::WRONG_VALUE, span, message).label(span, "out of range")
}

pub(in crate::check) fn pad_value(span: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, span, "only a margin of mode \"constant\" or \"linear_ramp\" has a value")
        .label(span, "this margin is made of elements")
        .help("leave out either `value` or `mode`")
}

pub(in crate::check) fn several_margins(rank: usize, span: Span) -> Diagnostic {
    let message = format!("a value is a number, `(before, after)`, or such a pair for each of {}", count(rank, "axis"));
    Diagnostic::error(&names::WRONG_VALUE, span, message).label(span, "none of these")
}

pub(in crate::check) fn pad_nothing(operand: &Operand, axis: usize, span: Span) -> Diagnostic {
    let message = format!("{} has no elements along axis {axis} to make a margin of", operand.describe());
    with_operand(Diagnostic::error(&shapes::BAD_AXIS, span, message), operand)
        .help("only a margin of mode \"constant\" needs none; `0` in `width` leaves an axis as it is")
}

pub(in crate::check) fn pad_width(rank: usize, span: Span) -> Diagnostic {
    let message = format!("a width is a number, `(before, after)`, or such a pair for each of {}", count(rank, "axis"));
    Diagnostic::error(&names::WRONG_VALUE, span, message).label(span, "none of these")
}

pub(in crate::check) fn fill_differs(fill: &Operand, x: &Operand, dtype: DType) -> Diagnostic {
    let message = format!("the margin is one {dtype}, not {}", fill.describe());
    with_operand(with_operand(Diagnostic::error(&names::WRONG_VALUE, fill.span, message), fill), x)
        .help(format!("cast it: `{dtype}(…)`"))
}

pub(in crate::check) fn shift_count(shifts: usize, axes: usize, at: Span) -> Diagnostic {
    let message = format!("{} for {}", count(shifts, "shift"), count(axes, "axis"));
    Diagnostic::error(&names::WRONG_VALUE, at, message).label(at, "one shift, or one for each axis")
}

fn elements(dim: &Dim) -> String {
    if *dim == Dim::Const(1) { "1 element".to_owned() } else { format!("{dim} elements") }
}

pub(in crate::check) fn reshape_count(
    operand: &Operand,
    dims: &[Dim],
    total: &Dim,
    product: &Dim,
    at: Span,
) -> Diagnostic {
    let (has, wants) = (elements(total), elements(product));
    let shape = if dims.is_empty() { "a scalar".to_owned() } else { show(dims) };
    let message = format!("cannot reshape {} with {has} to {shape} with {wants}", operand.describe());
    let diagnostic = with_operand(Diagnostic::error(&views::BAD_RESHAPE, at, message).label(at, wants), operand);
    match (total.known().is_some() && product.known().is_some(), dims.iter().find_map(quotient)) {
        (true, _) => diagnostic.help("one length may be -1: it is computed from the others"),
        (false, Some((name, by))) => diagnostic.help(format!(
            "`{name}//{by}` drops what is left over: declare the length as `{by}*{name}`, and write `{name}` for `{name}//{by}`"
        )),
        (false, None) => diagnostic.help(format!(
            "they may be equal, but nothing says so: with a name for the array, `assert x.size == {product}` does"
        )),
    }
}

/// The name that a length is a part of, and which part.
fn quotient(dim: &Dim) -> Option<(String, i64)> {
    let Dim::Affine(form) = dim else { return None };
    match form.terms.as_slice() {
        [(Atom::Quotient(of, by), 1)] if form.constant == 0 && of.is_name() => Some((of.to_string(), *by)),
        _ => None,
    }
}

pub(in crate::check) fn no_open_length(
    operand: &Operand,
    dims: &[Dim],
    open: usize,
    total: &Dim,
    product: &Dim,
    at: Span,
) -> Diagnostic {
    let lengths = dims.iter().enumerate();
    let shown: Vec<String> =
        lengths.map(|(axis, dim)| if axis == open { "-1".to_owned() } else { dim.to_string() }).collect();
    let message = format!("cannot reshape {} to [{}]", operand.describe(), shown.join(", "));
    let why = match product {
        Dim::Const(0) => "any length in place of -1 gives 0 elements".to_owned(),
        Dim::Const(_) | Dim::Affine(_) => format!("{total} is no multiple of {product} that is known here"),
    };
    let diagnostic = with_operand(Diagnostic::error(&views::BAD_RESHAPE, at, message).label(at, why), operand);
    match (total, product) {
        (Dim::Affine(form), Dim::Const(2..)) if form.is_name() => diagnostic.help(format!(
            "a length of an input is declared as `{product}*{total}`; of one that data decides, `assert x.size == …` says what it is"
        )),
        _ => diagnostic,
    }
}

pub(in crate::check) fn two_open_lengths(at: Span) -> Diagnostic {
    Diagnostic::error(&views::BAD_RESHAPE, at, "only one length of a shape may be -1")
        .label(at, "the others must be given")
}

pub(in crate::check) fn not_repeated(operand: &Operand, dims: &[Dim], at: Span) -> Diagnostic {
    let shape = if dims.is_empty() { "a scalar".to_owned() } else { show(dims) };
    let message = format!("cannot repeat {} to {shape}", operand.describe());
    with_operand(Diagnostic::error(&views::VALUE_SHAPE, at, message).label(at, format!("{shape} is wanted")), operand)
        .help("shapes are aligned at the right; axes of length 1 and missing ones are repeated")
}

/// Axes of which some are missing; `x` is what they are of.
pub(in crate::check) fn not_all_axes(operand: &Operand, x: &str, given: &[i64], at: Span) -> Diagnostic {
    let (axes, rank) = (count(given.len(), "axis"), operand.shape.len());
    let message = format!("{axes} for {}, which has {rank}", operand.describe());
    let diagnostic = with_operand(Diagnostic::error(&shapes::BAD_AXIS, at, message), operand)
        .help("`axes` names every axis once, in the new order");
    match given {
        [first, second] if rank > 2 => {
            diagnostic.help(format!("`swapaxes({x}, {first}, {second})` exchanges two axes"))
        }
        _ => diagnostic,
    }
}

pub(in crate::check) fn not_single(operand: &Operand, axis: usize, at: Span) -> Diagnostic {
    let message = format!("axis {axis} of {} has length {}, not 1", operand.describe(), operand.shape[axis]);
    with_operand(Diagnostic::error(&views::BAD_RESHAPE, at, message), operand)
        .help("to take one element of it away with the axis, index it: `x[0]`")
}
