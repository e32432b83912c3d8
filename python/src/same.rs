//! Whether a program with inputs is one with numbers in their place, node by node.
//!
//! Operations on numbers alone, which checking has done already in the second, must give the same bits there. What
//! comes of a number goes into plain arithmetic only, of which nothing that is reported depends on the value of one
//! operand. Integers of which a number decides the range, as in `x & k` or `x % k`, go into no more arithmetic.

use arrlang::ir::{Node, NodeId, NodeKind, Program};
use arrlang::scalar::Scalar;
use arrlang::scalar::eval::eval;
use arrlang::scalar::prim::Prim;
use arrlang::types::DType;
use std::collections::HashMap;

/// So many operations on numbers alone there may be.
const FOLDED: usize = 4;

/// A program with inputs beside one with numbers.
pub(crate) struct Comparison<'p> {
    general: &'p Program,
    special: &'p Program,
    /// The numbers by the names of the inputs, and whether they are floats.
    numbers: HashMap<&'p str, (Scalar, bool)>,
    /// The nodes of the second by what they are.
    known: HashMap<&'p Node, u32>,
}

/// What a node of the first program is in the second.
#[derive(Clone, Copy)]
struct Found {
    node: Option<u32>,
    /// Whether it depends on a number.
    open: bool,
    /// Its value, if it is known; whether numbers are in it, and floats alone.
    value: Option<(Scalar, bool, bool)>,
    range: Range,
}

/// Which integers a node may be, as far as numbers decide it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// All of its dtype, whatever the numbers are.
    Full,
    /// Always the same ones.
    Fixed,
    /// Others for other numbers: what is reported of arithmetic with it would depend on them.
    Open,
}

impl<'p> Comparison<'p> {
    /// Both, with the numbers of the second and whether each is a float.
    pub(crate) fn new(
        general: &'p Program,
        special: &'p Program,
        numbers: HashMap<&'p str, (Scalar, bool)>,
    ) -> Comparison<'p> {
        let known = special.nodes.iter().zip(0..).collect();
        Comparison { general, special, numbers, known }
    }

    /// How many operations on numbers alone there are; `None` where the programs differ.
    pub(crate) fn folds(&self) -> Option<usize> {
        let needed = self.general.needed_nodes();
        let (mut found, mut folds) = (Vec::with_capacity(needed.len()), 0);
        for (node, needed) in self.general.nodes.iter().zip(needed) {
            let none = Found { node: None, open: false, value: None, range: Range::Fixed };
            let one = if needed { self.find(node, &found)? } else { none };
            folds += usize::from(matches!(node.kind, NodeKind::Map(..)) && one.value.is_some_and(|(_, open, _)| open));
            found.push(one);
        }
        let (ours, theirs) = (&self.general.outputs, &self.special.outputs);
        let same = ours.len() == theirs.len()
            && ours.iter().zip(theirs).all(|(ours, theirs)| {
                let there = found[ours.node.index()].node;
                there == Some(theirs.node.0) && ours.name == theirs.name && ours.weak == theirs.weak
            });
        (same && folds <= FOLDED).then_some(folds)
    }

    fn find(&self, node: &Node, found: &[Found]) -> Option<Found> {
        if let Some(value) = self.value(node, found) {
            let constant = Node { kind: NodeKind::Const(value.0), dtype: node.dtype, shape: node.shape.clone() };
            let range = if value.1 { Range::Open } else { Range::Fixed };
            return Some(Found { node: self.known.get(&constant).copied(), open: value.1, value: Some(value), range });
        }
        let open = node.operands().any(|id| found[id.index()].open);
        if open && !self.is_plain(node, found) {
            return None;
        }
        let range = self.range(node, found, open)?;
        let there = |id: &NodeId| found[id.index()].node.map(NodeId);
        let kind = match &node.kind {
            NodeKind::Input(index) => {
                let name = &self.general.inputs[*index as usize].name;
                NodeKind::Input(self.special.inputs.iter().position(|input| input.name == *name)? as u32)
            }
            NodeKind::Map(prim, args) => {
                let mut own = [None; 3];
                for (own, arg) in own.iter_mut().zip(args) {
                    *own = arg.as_ref().map(|arg| there(arg).ok_or(())).transpose().ok()?;
                }
                NodeKind::Map(*prim, own)
            }
            NodeKind::Iota { .. } => node.kind.clone(),
            NodeKind::Fold { fold, arg, axes, keep } => {
                NodeKind::Fold { fold: *fold, arg: there(arg)?, axes: axes.clone(), keep: *keep }
            }
            NodeKind::Scan { fold, arg, axis } => NodeKind::Scan { fold: *fold, arg: there(arg)?, axis: *axis },
            NodeKind::View { arg, view } => NodeKind::View { arg: there(arg)?, view: view.clone() },
            // Rarer kinds are compiled for each number.
            _ => return None,
        };
        Some(Found { node: Some(self.counterpart(node, kind)?), open, value: None, range })
    }

    /// The node of this kind in the second program; operands of a sum have no order.
    fn counterpart(&self, node: &Node, kind: NodeKind) -> Option<u32> {
        let own = Node { kind, dtype: node.dtype, shape: node.shape.clone() };
        if let Some(at) = self.known.get(&own) {
            return Some(*at);
        }
        let NodeKind::Map(prim @ (Prim::Add | Prim::Mul | Prim::Min | Prim::Max | Prim::Eq | Prim::Ne), [x, y, None]) =
            own.kind
        else {
            return None;
        };
        self.known.get(&Node { kind: NodeKind::Map(prim, [y, x, None]), ..own }).copied()
    }

    /// The value of what is made of numbers alone; whether open ones are in it, and whether all of these are floats.
    fn value(&self, node: &Node, found: &[Found]) -> Option<(Scalar, bool, bool)> {
        let (prim, args) = match &node.kind {
            NodeKind::Const(scalar) => return Some((*scalar, false, true)),
            NodeKind::Input(index) => {
                let (value, float) = self.numbers.get(self.general.inputs[*index as usize].name.as_str())?;
                return Some((*value, true, *float));
            }
            NodeKind::Map(prim, args) => (*prim, args),
            _ => return None,
        };
        let args = args.iter().flatten().map(|arg| found[arg.index()].value).collect::<Option<Vec<_>>>()?;
        let (open, floats) = (args.iter().any(|(_, open, _)| *open), args.iter().all(|(_, _, floats)| *floats));
        let exact = match prim {
            Prim::Neg => true,
            // What is too large for a narrower float is an error there.
            Prim::Convert => {
                node.dtype.is_float() && args[0].0.dtype.is_float() && args[0].0.dtype.bits() < node.dtype.bits()
            }
            // Floats that meet each other are computed with in `f64`.
            Prim::Add | Prim::Sub | Prim::Mul => floats && node.dtype == DType::F64,
            Prim::Div => floats && node.dtype == DType::F64 && !args[1].1,
            _ => false,
        };
        let scalars: Vec<Scalar> = args.iter().map(|(scalar, ..)| *scalar).collect();
        (exact && open).then(|| (eval(prim, node.dtype, &scalars), true, floats))
    }

    /// Which integers come of a node that is no number; `None` where what is reported of it may depend on an open
    /// number.
    fn range(&self, node: &Node, found: &[Found], open: bool) -> Option<Range> {
        let number = |id: &NodeId| found[id.index()].value.is_some_and(|(_, open, _)| open);
        let is = |id: &NodeId, range: Range| !number(id) && found[id.index()].range == range;
        let args: Vec<NodeId> = node.operands().collect();
        let none_open = || args.iter().all(|arg| !is(arg, Range::Open));
        let is_integer = node.dtype.is_integer();
        let NodeKind::Map(prim, _) = &node.kind else {
            return match &node.kind {
                NodeKind::Input(_) => Some(Range::Full),
                NodeKind::View { arg, .. } => Some(found[arg.index()].range),
                _ => none_open().then_some(Range::Fixed),
            };
        };
        if !open || !is_integer {
            // A truth value or a float of an integer is one of its range.
            return (!open || none_open() || *prim == Prim::Select).then_some(Range::Fixed);
        }
        let (numbers, others): (Vec<NodeId>, Vec<NodeId>) = args.iter().partition(|arg| number(arg));
        match prim {
            Prim::Select | Prim::And | Prim::Or | Prim::Not | Prim::Min | Prim::Max => Some(Range::Open),
            // By a number, of anything: what is reported of dividing is reported of the divisor.
            Prim::FloorDiv | Prim::Rem => {
                (numbers[..] == args[1..] && is(&args[0], Range::Full)).then_some(Range::Open)
            }
            // All numbers of a dtype, and another one that is not 0: they are all of them again.
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg => match others.iter().all(|arg| is(arg, Range::Full)) {
                true => Some(Range::Full),
                false => (numbers.is_empty() && none_open()).then_some(Range::Fixed),
            },
            _ => none_open().then_some(Range::Fixed),
        }
    }

    /// Whether an operation is one of which nothing is reported that depends on an open number, and neither is of what
    /// is made of it.
    fn is_plain(&self, node: &Node, found: &[Found]) -> bool {
        let NodeKind::Map(prim, args) = &node.kind else { return true };
        let number = |id: &NodeId| found[id.index()].value.is_some();
        let args = || args.iter().flatten();
        match prim {
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Select | Prim::Neg | Prim::And | Prim::Or | Prim::Not => true,
            Prim::Div => node.dtype.is_float(),
            Prim::Min | Prim::Max | Prim::FloorDiv | Prim::Rem => node.dtype.is_float() || node.dtype.is_integer(),
            Prim::Convert => args().all(|arg| self.general.node(*arg).dtype.is_float() == node.dtype.is_float()),
            // Ranges decide no comparison of a number with an array of which nothing is known.
            Prim::Lt | Prim::Le => args().all(|arg| {
                let node = self.general.node(*arg);
                let ordered = node.dtype.is_float() || node.dtype.is_integer();
                number(arg) || (ordered && matches!(node.kind, NodeKind::Input(_)))
            }),
            Prim::Eq | Prim::Ne => false,
            Prim::Pow => {
                let is_input = |id: NodeId| matches!(self.general.node(id).kind, NodeKind::Input(_));
                node.dtype.is_float() && args().all(|arg| !found[arg.index()].open || !number(arg) || is_input(*arg))
            }
            // Functions of floats, but not of a number itself, which may be computed in another way, as a power is.
            _ => node.dtype.is_float() && !args().any(number),
        }
    }
}
