//! The greatest possible counts. They are those of the elements of an array, and sizes made of the lengths of arrays.
//!
//! No array has more than [`MAX_ELEMENTS`], so lengths, counts and positions are small numbers also where nothing is
//! known of the data: `count_nonzero(m) / n` loses nothing in `f64`. Of bytes there are fewer still, [`MAX_SUMMED_BYTES`],
//! so that `sum(image) / n` loses nothing either. Behind `assert n <= 4096` a length is no more than that.

use super::integer::Ends;
use super::{Interval, Range, integers};
use crate::array::MAX_ELEMENTS;
use crate::ir::routine::Routine;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use crate::types::affine::{Affine, Atom};
use crate::types::{DType, Dim, Shape, most_of};

const MAX_LENGTH: i128 = MAX_ELEMENTS as i128;

/// The most bytes that are summed: 35 terabytes.
const MAX_SUMMED_BYTES: u64 = 1 << 45;

/// The most elements that a reduction over these axes of a node combines; `None` for no bound.
pub(super) fn most(program: &Program, arg: NodeId, axes: &[u32]) -> Option<u64> {
    let node = program.node(arg);
    let count = axes.iter().try_fold(1i128, |count, &axis| {
        count.checked_mul(match &node.shape[axis as usize] {
            Dim::Const(size) => i128::from(*size),
            Dim::Affine(form) => longest(program, form)?,
        })
    });
    let count = count.and_then(|count| u64::try_from(count).ok());
    // A size as a number is a sum of that many ones, which no array needs to have.
    if let NodeKind::View { view: View::Broadcast, .. } = node.kind {
        return count;
    }
    let held = if is_of_bytes(program, arg) { MAX_SUMMED_BYTES } else { MAX_ELEMENTS as u64 };
    Some(count.map_or(held, |count| count.min(held)))
}

/// The most elements that a line has, which is the last axis of a node.
pub(super) fn longest_line(program: &Program, node: NodeId) -> i128 {
    let longest = program.node(node).shape.last().and_then(|len| match len {
        Dim::Const(size) => Some(i128::from(*size)),
        Dim::Affine(form) => longest(program, form),
    });
    longest.map_or(MAX_LENGTH, |longest| longest.clamp(0, MAX_LENGTH))
}

/// Whether a sum, or a running one, of integers from 0 to `high` fits its dtype.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a sum")]
pub(super) fn sum_fits(program: &Program, node: NodeId, high: i128) -> bool {
    let found = program.node(node);
    let (arg, axes) = match &found.kind {
        NodeKind::Fold { fold: Fold::Sum, arg, axes, .. } => (*arg, axes.as_slice()),
        NodeKind::Scan { fold: Fold::Sum, arg, axis } => (*arg, std::slice::from_ref(axis)),
        _ => return false,
    };
    let dims = &program.node(arg).shape;
    let known = axes.iter().try_fold(1u64, |count, &axis| count.checked_mul(dims[axis as usize].known()?));
    let count = known.or_else(|| most(program, arg, axes));
    found.dtype.is_integer()
        && count.is_some_and(|count| high.saturating_mul(i128::from(count)) <= integers(found.dtype).1)
}

/// Whether a node is an integer of one byte, in whatever dtype it is summed.
fn is_of_bytes(program: &Program, node: NodeId) -> bool {
    let node = program.node(node);
    if let NodeKind::Map(Prim::Convert, [Some(arg), ..]) = node.kind {
        is_of_bytes(program, arg)
    } else {
        node.dtype.is_integer() && node.dtype.size() == 1
    }
}

/// What the elements of a node come to together at most, where they are how many labels of a line are of each kind: no
/// more than it has.
fn shares(program: &Program, node: NodeId) -> Option<i128> {
    let node = program.node(node);
    if let NodeKind::View { view: View::Reshape | View::Transpose(_), arg } = node.kind {
        return shares(program, arg);
    }
    let NodeKind::Routine { routine: Routine::Count, args } = &node.kind else { return None };
    (node.shape.len() == 1).then(|| longest_line(program, args[0]))
}

/// The ends of a sum, or a running one, of shares of a line, each as often as another number says. `None` for other
/// nodes, and where an `i64` does not hold it.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is a sum")]
pub(super) fn sum_of_shares(program: &Program, node: &Node, of: &impl Fn(NodeId) -> Range) -> Option<Ends> {
    match &node.kind {
        NodeKind::Fold { fold: Fold::Sum, arg, .. } | NodeKind::Scan { fold: Fold::Sum, arg, .. } => {
            if let Some(total) = shares(program, *arg) {
                return fitting((0, total), node.dtype);
            }
            let is_share =
                |it: NodeId| shares(program, it).filter(|_| program.node(it).shape == program.node(*arg).shape);
            let (total, often) = factors(program, *arg, is_share)?;
            fitting(often_taken(total, of(often))?, node.dtype)
        }
        NodeKind::Routine { routine: Routine::Product, args } => {
            let total = |at: usize| shares(program, args[at]);
            let (total, often) = match (total(0), total(1)) {
                (Some(total), _) => (total, args[1]),
                (None, Some(total)) => (total, args[0]),
                (None, None) => return None,
            };
            fitting(often_taken(total, of(often))?, node.dtype)
        }
        _ => None,
    }
}

/// The ends of what all steps of a loop add together that add this node, where it is the share that the counter says, as
/// often as another number says: no step reads a share that another has read.
pub(super) fn counted_shares(
    program: &Program,
    node: NodeId,
    (counter, steps): (NodeId, u64),
    of: &impl Fn(NodeId) -> Range,
) -> Option<Ends> {
    let read = |it: NodeId| {
        let NodeKind::Gather { arg, index, .. } = program.node(it).kind else { return None };
        let [len] = program.node(arg).shape.as_slice() else { return None };
        let is_read_once = index == counter && len.known().is_some_and(|len| len >= steps);
        is_read_once.then(|| shares(program, arg))?
    };
    let dtype = program.node(node).dtype;
    if let Some(total) = read(node) {
        return fitting((0, total), dtype);
    }
    let (total, often) = factors(program, node, read)?;
    fitting(often_taken(total, of(often))?, dtype)
}

/// The factor of a product of which something is known, as that, and the other factor.
fn factors(program: &Program, node: NodeId, known: impl Fn(NodeId) -> Option<i128>) -> Option<(i128, NodeId)> {
    let NodeKind::Map(Prim::Mul, [Some(a), Some(b), None]) = program.node(node).kind else { return None };
    known(a).map(|total| (total, b)).or_else(|| known(b).map(|total| (total, a)))
}

/// The ends of shares that come to `total` together, each of them so often.
fn often_taken(total: i128, often: Range) -> Option<Ends> {
    match often.interval {
        Interval::Integer { low, high } => Some((low.min(0).checked_mul(total)?, high.max(0).checked_mul(total)?)),
        Interval::Float { .. } | Interval::Complex => None,
    }
}

/// The ends, if they are those of an `i64`, as counts are.
fn fitting((low, high): Ends, dtype: DType) -> Option<Ends> {
    (dtype == DType::I64 && Interval::of_dtype(dtype).contains(low, high)).then_some((low, high))
}

/// The largest value of a size, each of whose names is the length of an array.
fn longest(program: &Program, form: &Affine) -> Option<i128> {
    form.terms.iter().filter(|(_, times)| *times > 0).try_fold(i128::from(form.constant), |sum, (atom, times)| {
        sum.checked_add(longest_atom(program, atom)?.checked_mul(i128::from(*times))?)
    })
}

fn longest_atom(program: &Program, atom: &Atom) -> Option<i128> {
    match atom {
        Atom::Name(name) => Some(most_of(name).map_or(MAX_LENGTH, |most| MAX_LENGTH.min(i128::from(most)))),
        Atom::Quotient(dividend, divisor) if *divisor > 0 => Some(longest(program, dividend)? / i128::from(*divisor)),
        Atom::Quotient(..) => None,
        Atom::Least(left, right) => Some(longest(program, left)?.min(longest(program, right)?)),
        // The lengths of one array, whose elements these are.
        Atom::Product(factors) => {
            let whole = Affine { terms: vec![(atom.clone(), 1)], constant: 0 };
            let has = |node: &Node| node.shape.len() > 1 && elements(&node.shape).is_some_and(|count| count == whole);
            let asserted = factors.iter().try_fold(1i128, |product, factor| match factor {
                Atom::Name(name) => product.checked_mul(i128::from(most_of(name)?)),
                Atom::Quotient(..) | Atom::Least(..) | Atom::Product(_) => None,
            });
            let held = program.nodes.iter().any(has).then_some(MAX_LENGTH);
            held.into_iter().chain(asserted).min()
        }
    }
}

fn elements(shape: &Shape) -> Option<Affine> {
    shape.iter().try_fold(Affine::constant(1), |count, dim| count.multiply(&dim.form()?))
}
