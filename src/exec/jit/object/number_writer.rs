//! Nodes that compute the numbers of lengths.

use crate::hash::QuickMap;
use crate::ir::{Fold, Node, NodeId, NodeKind, View};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::affine::{Affine, Atom};
use crate::types::{DType, Dim, Shape};

/// The nodes of a program, with numbers that are computed from lengths. Equal nodes are stored once.
#[derive(Default)]
pub(super) struct NumberWriter {
    pub(super) nodes: Vec<Node>,
    known: QuickMap<Node, NodeId>,
}

impl NumberWriter {
    pub(super) fn add(&mut self, node: Node) -> NodeId {
        if let Some(&known) = self.known.get(&node) {
            return known;
        }
        let id = NodeId(self.nodes.len() as u32);
        self.known.insert(node.clone(), id);
        self.nodes.push(node);
        id
    }

    fn scalar(&mut self, kind: NodeKind) -> NodeId {
        self.add(Node { kind, dtype: DType::I64, shape: Shape::new() })
    }

    fn whole(&mut self, number: i64) -> NodeId {
        self.scalar(NodeKind::Const(Scalar::of(number)))
    }

    fn prim(&mut self, prim: Prim, a: NodeId, b: NodeId) -> NodeId {
        self.scalar(NodeKind::Map(prim, [Some(a), Some(b), None]))
    }

    /// What is made of each element of an array and of one value.
    pub(super) fn meeting(&mut self, prim: Prim, array: NodeId, value: NodeId) -> NodeId {
        let Node { dtype, shape, .. } = self.nodes[array.index()].clone();
        self.add(Node { kind: NodeKind::Map(prim, [Some(array), Some(value), None]), dtype, shape })
    }

    /// The number that a form is.
    pub(super) fn number(&mut self, form: &Affine) -> NodeId {
        let mut sum = None;
        for (atom, times) in &form.terms {
            let mut part = self.atom(atom);
            if *times != 1 {
                let times = self.whole(*times);
                part = self.prim(Prim::Mul, part, times);
            }
            sum = Some(sum.map_or(part, |sum| self.prim(Prim::Add, sum, part)));
        }
        let Some(sum) = sum else { return self.whole(form.constant) };
        if form.constant == 0 {
            return sum;
        }
        let constant = self.whole(form.constant);
        self.prim(Prim::Add, sum, constant)
    }

    /// The number that an unknown is. It is a sum of ones, or is computed if it may be below 0.
    fn atom(&mut self, atom: &Atom) -> NodeId {
        let alone = Affine { terms: vec![(atom.clone(), 1)], constant: 0 };
        match atom {
            Atom::Quotient(dividend, divisor) if !alone.is_never_negative() => {
                let (dividend, divisor) = (self.number(dividend), self.whole(*divisor));
                self.prim(Prim::FloorDiv, dividend, divisor)
            }
            Atom::Least(left, right) if !alone.is_never_negative() => {
                let (left, right) = (self.number(left), self.number(right));
                self.prim(Prim::Min, left, right)
            }
            Atom::Product(factors) if !alone.is_never_negative() => {
                let one = self.whole(1);
                factors.iter().fold(one, |product, factor| {
                    let factor = self.atom(factor);
                    self.prim(Prim::Mul, product, factor)
                })
            }
            Atom::Name(_) | Atom::Quotient(..) | Atom::Least(..) | Atom::Product(_) => {
                let one = self.whole(1);
                let kind = NodeKind::View { arg: one, view: View::Broadcast };
                let shape = vec![Dim::Affine(Box::new(alone))];
                let ones = self.add(Node { kind, dtype: DType::I64, shape });
                self.scalar(NodeKind::Fold { fold: Fold::Sum, arg: ones, axes: vec![0], keep: false })
            }
        }
    }
}
