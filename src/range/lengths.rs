//! The greatest possible counts: elements of an array, and sizes made of the lengths of arrays.
//!
//! No array has more than [`MAX_ELEMENTS`], so lengths, counts and positions are small numbers also where nothing is
//! known of the data: `count_nonzero(m) / n` loses nothing in `f64`. Of bytes there are fewer still, [`BYTES`], so that
//! `sum(image) / n` loses nothing either.

use super::integers;
use crate::array::MAX_ELEMENTS;
use crate::ir::routine::Routine;
use crate::ir::{Fold, Node, NodeId, NodeKind, Program, View};
use crate::scalar::prim::Prim;
use crate::types::affine::{Affine, Atom};
use crate::types::{Dim, Shape};

const MAX_LENGTH: i128 = MAX_ELEMENTS as i128;

/// The most bytes that are summed: 35 terabytes.
const BYTES: u64 = 1 << 45;

/// The most elements that a reduction over these axes of a node combines; `None` for no bound.
pub(super) fn most(program: &Program, arg: NodeId, axes: &[u32]) -> Option<u64> {
    let node = program.node(arg);
    let NodeKind::View { view: View::Broadcast, .. } = node.kind else {
        return Some(if is_of_bytes(program, arg) { BYTES } else { MAX_ELEMENTS as u64 });
    };
    // A size as a number is a sum of that many ones, which no array needs to have.
    let count = axes.iter().try_fold(1i128, |count, &axis| {
        count.checked_mul(match &node.shape[axis as usize] {
            Dim::Const(size) => i128::from(*size),
            Dim::Affine(form) => longest(program, form)?,
        })
    });
    u64::try_from(count?).ok()
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

/// Whether the elements of a node are how many labels of a line are of each kind: together they are no more than it
/// has.
pub(super) fn are_shares(program: &Program, node: NodeId) -> bool {
    let node = program.node(node);
    if let NodeKind::View { view: View::Reshape | View::Transpose(_), arg } = node.kind {
        are_shares(program, arg)
    } else {
        matches!(node.kind, NodeKind::Routine { routine: Routine::Count, .. }) && node.shape.len() == 1
    }
}

/// The largest value of a size, each of whose names is the length of an array.
fn longest(program: &Program, form: &Affine) -> Option<i128> {
    form.terms.iter().filter(|(_, times)| *times > 0).try_fold(i128::from(form.constant), |sum, (atom, times)| {
        sum.checked_add(longest_atom(program, atom)?.checked_mul(i128::from(*times))?)
    })
}

fn longest_atom(program: &Program, atom: &Atom) -> Option<i128> {
    match atom {
        Atom::Name(_) => Some(MAX_LENGTH),
        Atom::Quotient(dividend, divisor) if *divisor > 0 => Some(longest(program, dividend)? / i128::from(*divisor)),
        Atom::Quotient(..) => None,
        Atom::Least(left, right) => Some(longest(program, left)?.min(longest(program, right)?)),
        // The lengths of one array, whose elements these are.
        Atom::Product(_) => {
            let whole = Affine { terms: vec![(atom.clone(), 1)], constant: 0 };
            let has = |node: &Node| node.shape.len() > 1 && elements(&node.shape).is_some_and(|count| count == whole);
            program.nodes.iter().any(has).then_some(MAX_LENGTH)
        }
    }
}

fn elements(shape: &Shape) -> Option<Affine> {
    shape.iter().try_fold(Affine::constant(1), |count, dim| count.multiply(&dim.form()?))
}
