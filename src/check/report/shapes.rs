//! Messages about shapes.

use super::ranges::beside_operator;
use super::{quoted, rename, with_operand};
use crate::check::infer::values::annotation::Annotation;
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{names, shapes};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::Op;
use crate::source::Span;
use crate::types::affine::Atom;
use crate::types::equal::Equation;
use crate::types::shape::{Mismatch, show};
use crate::types::{DType, Dim, Shape};

/// What to write so that shapes fit.
pub(in crate::check) struct ShapeFix {
    pub(in crate::check) text: String,
    /// The edits that write it, where nothing else can be meant.
    pub(in crate::check) edits: Option<Vec<Edit>>,
}

/// The verb for an operator, for sentences such as `cannot add i32[3] and f32[4]`.
fn combine(shown: &str) -> String {
    match shown {
        "+" => "add".to_owned(),
        "-" => "subtract".to_owned(),
        "*" => "multiply".to_owned(),
        "/" | "//" => "divide".to_owned(),
        "==" | "!=" | "<" | "<=" | ">" | ">=" => "compare".to_owned(),
        other => format!("apply `{other}` to"),
    }
}

pub(in crate::check) fn shapes_differ(
    shown: &str,
    left: &Operand,
    right: &Operand,
    mismatch: &Mismatch,
    (ways, counted): (Vec<ShapeFix>, bool),
    at: Span,
) -> Diagnostic {
    let (left_text, right_text) = (left.describe(), right.describe());
    let message = format!("cannot {} {left_text} and {right_text}: {mismatch}", combine(shown));
    let diagnostic = Diagnostic::error(&shapes::SHAPES_DIFFER, at, message);
    let diagnostic = diagnostic.label(left.span, left_text).label(right.span, right_text);
    let told = !ways.is_empty();
    let diagnostic = ways.into_iter().fold(diagnostic, |diagnostic, way| match way.edits {
        Some(edits) => diagnostic.fix(way.text, Fix { edits, keeps_values: true }),
        None => diagnostic.help(way.text),
    });
    match mismatch {
        Mismatch::Names { .. } if told => diagnostic,
        Mismatch::Names { left, right, .. } if left.always_differs(right) => {
            diagnostic.note(format!("whatever the data, {left} and {right} are different lengths"))
        }
        Mismatch::Names { left: x, right: y, from_right } => {
            // Axes that meet are as far from the last one.
            let axes = [left, right].map(|operand| operand.shape.len().saturating_sub(from_right + 1));
            maybe_equal(diagnostic, [left, right], [x, y], axes, counted)
        }
        Mismatch::Sizes { from_right, .. } => {
            let place = if *from_right == 0 { "the last axis".to_owned() } else { format!("axis -{}", from_right + 1) };
            diagnostic.note(format!("shapes are aligned at the right; they differ at {place}"))
        }
    }
}

pub(in crate::check) fn axis_out_of_range(axis: i64, operand: &Operand, span: Span) -> Diagnostic {
    let rank = operand.shape.len();
    let message = match rank {
        0 => "a scalar has no axes".to_owned(),
        1 => format!("there is no axis {axis}: {} has one axis, 0", operand.describe()),
        _ => format!("there is no axis {axis}: {} has axes 0 to {}", operand.describe(), rank - 1),
    };
    with_operand(Diagnostic::error(&shapes::BAD_AXIS, span, message), operand)
}

/// The axes of a table, as pandas calls them.
const AXIS_WORDS: &[(&str, &str)] = &[("index", "0"), ("rows", "0"), ("columns", "1")];

/// What to write for a word that stands for an axis.
pub(in crate::check) fn with_axis_number(diagnostic: Diagnostic, word: &str, span: Span) -> Diagnostic {
    match AXIS_WORDS.iter().find(|(name, _)| *name == word) {
        Some((_, axis)) => diagnostic.fix(format!("axes have no names: write `{axis}`"), rename(span, axis)),
        None => diagnostic,
    }
}

pub(in crate::check) fn axis_twice(operand: &Operand, span: Span) -> Diagnostic {
    let message = format!("an axis of {} is named twice", operand.describe());
    Diagnostic::error(&shapes::BAD_AXIS, span, message).label(span, "negative axes count from the end")
}

pub(in crate::check) fn several_axes(op: &Op, span: Span) -> Diagnostic {
    let message = format!("`{}` goes along one axis", op.name);
    Diagnostic::error(&shapes::BAD_AXIS, span, message)
        .label(span, "several axes")
        .help("give one number, or `None` for all elements in C order")
}

pub(in crate::check) fn axis_needed(op: &Op, operand: &Operand, at: Span) -> Diagnostic {
    let message =
        format!("`{}` of all elements of {} has a length that is not known here", op.name, operand.describe());
    let diagnostic = Diagnostic::error(&shapes::SYMBOLIC_DIMENSION, at, message);
    with_operand(diagnostic, operand).help("say which axis is meant: `axis=-1` is the last")
}

/// How to say that two shapes are equal where data decides them.
pub(super) const SAY_SHAPES: &str =
    "where they are equal, give them names, and `assert a.shape == b.shape`: the run checks it";

/// Whether shapes may be equal, for all that is known, and are not.
pub(super) fn may_agree(one: &[Dim], other: &[Dim]) -> bool {
    let open = |(a, b): (&Dim, &Dim)| a == b || a.known().is_none() || b.known().is_none();
    one.len() == other.len() && one != other && one.iter().zip(other).all(open)
}

/// How to say that two lengths of these axes are equal: data decides them if they are counted.
fn maybe_equal(
    diagnostic: Diagnostic,
    operands: [&Operand; 2],
    [left, right]: [&Dim; 2],
    axes: [usize; 2],
    counted: bool,
) -> Diagnostic {
    let one = |dim: &Dim| matches!(dim, Dim::Affine(form) if form.is_name());
    let ranks = operands.map(|operand| operand.shape.len());
    // An assertion or another type helps where a name can be another length.
    if counted && left.equation(right) == Equation::Open {
        let diagnostic = match (ranks, one(left) != one(right)) {
            ([1, 1], true) => {
                let name = if one(left) { left } else { right };
                diagnostic.help(format!(
                    "if they are equal, cut the other to the length {name}: `b[:len(a)]` is as long as `a`"
                ))
            }
            _ => diagnostic.help("if they are equal, cut both to one length that has a name"),
        };
        return diagnostic.note("`assert` checks that they are equal, but makes no single length of them");
    }
    diagnostic.help(match ranks {
        [1, 1] if counted => {
            "where they are equal, give them names, and `assert len(a) == len(b)`: the run checks it".to_owned()
        }
        [own, other] if own == other && axes[0] == axes[1] && counted => SAY_SHAPES.to_owned(),
        _ if counted => format!(
            "where they are equal, give them names, and `assert a.shape[{}] == b.shape[{}]`: the run checks it",
            axes[0], axes[1]
        ),
        _ if one(left) && one(right) => {
            format!("if they are equal, use one name for both: `[{left}]` instead of `[{right}]`")
        }
        _ => match reached(left, right).or_else(|| reached(right, left)) {
            Some(asserted) => format!("if they are equal, say `{asserted}` before: the run checks it"),
            None => format!("if they are equal, say so in the types of the inputs, so that {left} is {right}"),
        },
    })
}

/// What a script asserts so that `min(12, n)` is 12: `assert n >= 12`.
fn reached(least: &Dim, number: &Dim) -> Option<String> {
    let (Dim::Affine(form), Dim::Const(number)) = (least, number) else { return None };
    let ([(Atom::Least(one, other), 1)], 0) = (form.terms.as_slice(), form.constant) else { return None };
    let number = i64::try_from(*number).ok()?;
    let name = match (one.known(), other.known()) {
        (Some(own), None) if own == number => other,
        (None, Some(own)) if own == number => one,
        _ => return None,
    };
    name.is_name().then(|| format!("assert {name} >= {number}"))
}

/// Whether two lengths differ, or may be equal, in words.
fn apart(left: &Dim, right: &Dim) -> &'static str {
    match are_apart(left, right) {
        true => "differ",
        false => "are not known to be equal",
    }
}

/// Whether two lengths differ, whatever the data.
fn are_apart(left: &Dim, right: &Dim) -> bool {
    left.known().is_some() && right.known().is_some() || left.always_differs(right)
}

pub(in crate::check) fn lengths_differ(
    op: &Op,
    left: &Operand,
    right: &Operand,
    counted: bool,
    at: Span,
) -> Diagnostic {
    let one = Dim::Const(1);
    let (last, first) = (left.shape.last().unwrap_or(&one), right.shape.first().unwrap_or(&one));
    let message = format!(
        "cannot {} {} and {}: length {last} and {first} {}",
        combine(op.name),
        left.describe(),
        right.describe(),
        apart(last, first)
    );
    let diagnostic = with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), left), right);
    match are_apart(last, first) {
        true => diagnostic.note("the last axis of the first operand goes along the second, and nothing is repeated"),
        false => {
            let axes = [left.shape.len().saturating_sub(1), 0];
            maybe_equal(diagnostic, [left, right], [last, first], axes, counted)
        }
    }
}

/// Lengths that go along each other in a product and differ, or may: those of these axes.
pub(in crate::check) fn product_lengths(
    op: &Op,
    (left, axis): (&Operand, usize),
    (right, other): (&Operand, usize),
    texts: [&str; 2],
    counted: bool,
    at: Span,
) -> Diagnostic {
    let (x, y) = (&left.shape[axis], &right.shape[other]);
    let apart = apart(x, y);
    let message = match (left.shape.len(), right.shape.len()) {
        (2, 2) if (axis, other) == (1, 0) => format!(
            "`{}` takes as many columns of {} as {} has rows: {x} and {y} {apart}",
            op.shown(),
            left.describe(),
            right.describe()
        ),
        _ => format!(
            "`{}` goes along axis {axis} of {} and axis {other} of {}: length {x} and {y} {apart}",
            op.shown(),
            left.describe(),
            right.describe()
        ),
    };
    let diagnostic = with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), left), right);
    let fits = |left: &[Dim], right: &[Dim]| matches!((left, right), ([.., x], [y, ..]) if x == y);
    let turned = |operand: &Operand| operand.shape.iter().rev().cloned().collect::<Vec<_>>();
    let symbol = matches!(op.notation, Some(crate::ops::Notation::Infix(_))) && left.shape.len() == 2;
    match are_apart(x, y) {
        _ if symbol && right.shape.len() == 2 && fits(&left.shape, &turned(right)) => {
            let help = format!("`{} @ {}.T`", beside_operator(texts[0]), beside_operator(texts[1]));
            diagnostic.help(format!("the second operand transposed fits: {help}"))
        }
        _ if symbol && right.shape.len() <= 2 && fits(&turned(left), &right.shape) => {
            let help = format!("`{}.T @ {}`", beside_operator(texts[0]), beside_operator(texts[1]));
            diagnostic.help(format!("the first operand transposed fits: {help}"))
        }
        true => diagnostic.note("what is multiplied and summed has one length in both, and nothing is repeated"),
        false => maybe_equal(diagnostic, [left, right], [x, y], [axis, other], counted),
    }
}

/// A product or a part of matrices, of an operand with too few axes.
pub(in crate::check) fn too_few_axes(op: &Op, operand: &Operand, wanted: &str, at: Span) -> Diagnostic {
    let message =
        format!("`{}` takes {wanted}, and {} has {}", op.shown(), operand.describe(), axes(operand.shape.len()));
    let diagnostic = with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), operand);
    match op.notation {
        Some(_) if operand.shape.is_empty() => diagnostic.help("a scalar is multiplied by `*`"),
        _ => diagnostic,
    }
}

fn axes(count: usize) -> String {
    match count {
        0 => "none".to_owned(),
        1 => "one".to_owned(),
        count => count.to_string(),
    }
}

/// Axes before the last ones that do not broadcast.
pub(in crate::check) fn places_differ(
    op: &Op,
    (left, x): (&Operand, &Shape),
    (right, y): (&Operand, &Shape),
    at: Span,
) -> Diagnostic {
    let message = format!(
        "`{}` of {} and {}: the axes {} and {} do not broadcast",
        op.shown(),
        left.describe(),
        right.describe(),
        show(x),
        show(y)
    );
    with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), left), right)
}

/// A matrix that has no inverse and no eigenvalues.
pub(in crate::check) fn not_square(op: &Op, operand: &Operand, at: Span) -> Diagnostic {
    let sides: Vec<String> = operand.shape[operand.shape.len() - 2..].iter().map(ToString::to_string).collect();
    let message =
        format!("`{}` takes a square matrix, and {} is {} by {}", op.shown(), operand.describe(), sides[0], sides[1]);
    with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), operand)
}

/// The two sides of a system of equations.
pub(in crate::check) fn sides_differ(op: &Op, left: &Operand, right: &Operand, at: Span) -> Diagnostic {
    let rows = |operand: &Operand| match operand.shape.as_slice() {
        [only] => only.to_string(),
        [.., rows, _] => rows.to_string(),
        [] => "no".to_owned(),
    };
    let message =
        format!("`{}`: the matrix has {} rows, and the right-hand side {}", op.shown(), rows(left), rows(right));
    let found = with_operand(with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), left), right);
    match right.shape.len() {
        2.. => found.help("a vector for each matrix is written as a matrix of one column, `b[..., None]`"),
        _ => found,
    }
}

/// An `ord` that a norm has not.
pub(in crate::check) fn not_a_norm(of_matrices: bool, at: Span) -> Diagnostic {
    let message = match of_matrices {
        true => "`ord` of a norm of matrices is 1, -1, 2, -2, inf, -inf, \"fro\" or \"nuc\"",
        false => "`ord` of a norm of vectors is a number",
    };
    Diagnostic::error(&names::WRONG_VALUE, at, message).label(at, "is none of them")
}

/// As many axes of one operand as of the other.
pub(in crate::check) fn axes_in_pairs(left: usize, right: usize, at: Span) -> Diagnostic {
    let message = format!("`axes` names {left} of the first operand and {right} of the second: they go in pairs");
    Diagnostic::error(&names::WRONG_VALUE, at, message)
}

pub(in crate::check) fn too_many_axes(count: i64, left: &Operand, right: &Operand, at: Span) -> Diagnostic {
    let message =
        format!("`axes` is {count}, and that many axes {} and {} do not have", left.describe(), right.describe());
    with_operand(with_operand(Diagnostic::error(&names::WRONG_VALUE, at, message), left), right)
}

/// A text of `einsum` that says nothing.
pub(in crate::check) fn not_subscripts(problem: &str, at: Span) -> Diagnostic {
    let message = format!("these subscripts of `einsum` {problem}");
    Diagnostic::error(&names::WRONG_VALUE, at, message)
        .help("each operand has a letter for each axis: `einsum(\"ij,jk->ik\", a, b)` is `a @ b`")
}

pub(in crate::check) fn fill_shape(op: &Op, operand: &Operand, dims: &[Dim], at: Span) -> Diagnostic {
    let message = format!("`{}` cannot repeat {} to the shape {}", op.name, operand.describe(), shape_text(dims));
    with_operand(Diagnostic::error(&shapes::SHAPES_DIFFER, at, message), operand)
}

fn shape_text(dims: &[Dim]) -> String {
    if dims.is_empty() { "of a scalar".to_owned() } else { show(dims) }
}

pub(in crate::check) fn ragged_array(first: (&Shape, Span), other: (&Shape, Span)) -> Diagnostic {
    let words = |shape: &Shape| match shape.as_slice() {
        [] => "a scalar".to_owned(),
        dims => format!("shape {}", show(dims)),
    };
    Diagnostic::error(&shapes::RAGGED_ARRAY, other.1, "the elements of an array literal have one shape")
        .label(other.1, words(other.0))
        .label(first.1, words(first.0))
}

pub(in crate::check) fn bad_dimension(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&shapes::BAD_DIMENSION, span, format!("`{text}` is not a dimension"))
        .help("a dimension is a number, a name, or arithmetic on them: `[3, n, 2*n - 1, n//2, min(5, n)]`")
}

pub(in crate::check) fn empty_reduction(op: &Op, axis: usize, operand: &Operand, at: Span) -> Diagnostic {
    let message = format!("`{}` of nothing has no value: axis {axis} has length 0", op.name);
    with_operand(Diagnostic::error(&shapes::EMPTY_REDUCTION, at, message), operand)
}

/// A transform of nothing.
pub(in crate::check) fn no_points(op: &Op, axis: usize, operand: &Operand, at: Span) -> Diagnostic {
    let message = format!("`{}` of no elements has no value: axis {axis} would have length 0", op.name);
    with_operand(Diagnostic::error(&shapes::EMPTY_REDUCTION, at, message), operand)
}

pub(in crate::check) fn rank_limit(rank: usize, span: Span) -> Diagnostic {
    Diagnostic::error(&shapes::RANK_LIMIT, span, format!("{rank} dimensions; the limit is {}", crate::array::MAX_RANK))
}

/// An array that is too large; of no dimensions where these cannot even be counted.
pub(in crate::check) fn too_large(dims: &[Dim], dtype: DType, span: Span) -> Diagnostic {
    let array =
        if dims.is_empty() { format!("an array of {dtype}") } else { format!("an array {dtype}{}", show(dims)) };
    Diagnostic::error(&shapes::TOO_LARGE, span, format!("{array} has more elements than an array may have"))
        .label(span, "more than 2^48 elements")
}

pub(in crate::check) fn symbolic_dimension(what: &str, dim: &Dim, span: Span) -> Diagnostic {
    let message = format!("{what} is a number, and the size `{dim}` is not known here");
    Diagnostic::error(&shapes::SYMBOLIC_DIMENSION, span, message)
        .label(span, "known once data is bound")
        .help("as a size, in `zeros(n)` or `arange(n)`, it may stay a name")
}

/// `part` is the name of the value, if several stand at this place.
pub(in crate::check) fn annotated_shape(
    operand: &Operand,
    dims: &[Dim],
    annotation: &Annotation,
    part: Option<&str>,
) -> Diagnostic {
    let what = part.map_or_else(|| "this".to_owned(), quoted);
    let found =
        if operand.shape.is_empty() { "a scalar".to_owned() } else { format!("of shape {}", show(&operand.shape)) };
    let wanted = if dims.is_empty() { "a scalar".to_owned() } else { show(dims) };
    let diagnostic = Diagnostic::error(
        &shapes::ANNOTATED_SHAPE,
        operand.span,
        format!("{what} is {found}, and {wanted} is annotated"),
    );
    with_operand(diagnostic.label(annotation.span, format!("{wanted} is wanted")), operand)
}

pub(in crate::check) fn axes_do_not_pair(found: usize, wanted: usize, span: Span) -> Diagnostic {
    let message = format!("{found} {} and {wanted} places are no pairs", if found == 1 { "axis" } else { "axes" });
    Diagnostic::error(&shapes::BAD_AXIS, span, message)
}

pub(in crate::check) fn no_equal_parts(operand: &Operand, axis: usize, span: Span) -> Diagnostic {
    let message = format!("an axis of length {} cannot be cut into this many equal parts", operand.shape[axis]);
    with_operand(Diagnostic::error(&shapes::BAD_AXIS, span, message), operand)
        .help("`array_split` makes parts that differ by one; positions to cut at are a tuple: `split(x, (2, 5))`")
}

/// A length that may be no multiple of the number of parts.
pub(in crate::check) fn open_parts(operand: &Operand, axis: usize, count: i64, span: Span) -> Diagnostic {
    let message =
        format!("the length {} of axis {axis} is no multiple of {count} that is known here", operand.shape[axis]);
    let found = with_operand(Diagnostic::error(&shapes::SYMBOLIC_DIMENSION, span, message), operand)
        .help(format!("a length of an input is declared as `{count}*n`; `array_split` makes parts that differ by one"));
    match axis {
        0 => found.help(format!("what is left over is cut off by `x[:len(x)//{count}*{count}]`")),
        _ => found,
    }
}

pub(in crate::check) fn initial_needed(op: &Op, at: Span) -> Diagnostic {
    let message = format!("`{}` of the elements that a mask chooses needs `initial`", op.name);
    Diagnostic::error(&shapes::EMPTY_REDUCTION, at, message)
        .note("a mask may choose nothing, and then `initial` is the result")
        .help(format!("write `{}(x, where=mask, initial=…)`, or `{}(x[mask])`", op.name, op.name))
}

pub(in crate::check) fn shapes_do_not_meet(one: &[Dim], other: &[Dim], at: Span) -> Diagnostic {
    let shown = |shape: &[Dim]| format!("({})", shape.iter().map(Dim::to_string).collect::<Vec<_>>().join(", "));
    let message = format!("the shapes {} and {} do not broadcast", shown(one), shown(other));
    Diagnostic::error(&shapes::SHAPES_DIFFER, at, message)
}
