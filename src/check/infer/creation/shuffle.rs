//! Random orders or choices of elements. The calls say which elements there are, and how many are taken.

use super::random::RandomCall;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{Fault, Fold, NodeId, Slice, View};
use crate::ops::distributions::Distribution;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind, Shape};

/// What is put in order, or chosen from.
pub(super) enum Elements {
    /// The numbers below a length.
    Below(Dim),
    /// The elements along an axis.
    Along(Operand, usize),
}

impl Elements {
    fn len(&self) -> &Dim {
        match self {
            Elements::Below(len) => len,
            Elements::Along(operand, axis) => &operand.shape[*axis],
        }
    }
}

impl Ctx<'_> {
    fn elements(&mut self, asked: &RandomCall) -> Option<Elements> {
        let (value, at) = asked.elements.clone()?;
        if let Value::Dim(len) = value {
            return Some(Elements::Below(len));
        }
        let operand = self.operand(value.clone(), at)?;
        if !operand.shape.is_empty() {
            let (axis, axis_at) = asked.axis.unwrap_or((0, asked.at));
            let axis = self.several_axes(&operand, &[axis], axis_at)?[0];
            return Some(Elements::Along(operand, axis));
        }
        if !operand.elem.kind().is_integer() {
            self.error(report::no_elements(asked.op, &operand));
            return None;
        }
        self.size_given(value, at).map(Elements::Below)
    }

    /// Positions as the system's integers.
    fn counted(&mut self, node: NodeId, asked: &RandomCall) -> Value {
        let dtype = self.settings.harden(Elem::WeakInt);
        let node = self.graph.builder.convert(node, dtype);
        self.computed_value(node, dtype.into(), asked.span)
    }

    pub(super) fn permutation(&mut self, asked: &RandomCall) -> Option<Value> {
        match self.elements(asked)? {
            Elements::Below(len) => {
                if !self.extent_fits(std::slice::from_ref(&len), DType::I64, asked.span) {
                    return None;
                }
                let order = self.graph.expand().random_order(asked.key, &len);
                Some(self.counted(order, asked))
            }
            Elements::Along(operand, axis) if asked.flag && operand.shape.len() > 1 => {
                let node = self.node(&operand)?;
                let node = self.shuffled_lines(asked, node, axis)?;
                Some(Self::view_of(&operand, node))
            }
            Elements::Along(operand, axis) => {
                let node = self.node(&operand)?;
                let order = self.graph.expand().random_order(asked.key, &operand.shape[axis]);
                let node = self.graph.builder.gather(node, order, axis);
                Some(Self::view_of(&operand, node))
            }
        }
    }

    /// Each line along an axis in an order of its own.
    fn shuffled_lines(&mut self, asked: &RandomCall, node: NodeId, axis: usize) -> Option<NodeId> {
        let shape = self.graph.builder.shape(node).clone();
        let last = shape.len() - 1;
        let Some(count) = product(&shape) else {
            self.error(report::too_large(&shape, DType::U32, asked.span));
            return None;
        };
        let rounds = self.graph.expand().rounds(asked.key, &count);
        let mut lines = self.move_axis_to(node, axis, last);
        for round in rounds {
            let bits = self.graph.expand().random_bits(round.key, DType::U32, &shape);
            let bits = self.move_axis_to(bits, axis, last);
            let mut e = self.graph.expand();
            let order = e.order_of(bits, round);
            lines = e.along(lines, order)?;
        }
        Some(self.move_axis_to(lines, last, axis))
    }

    pub(super) fn choice(&mut self, asked: &RandomCall) -> Option<Value> {
        let elements = self.elements(asked)?;
        let (len, shape) = (elements.len().clone(), asked.shape.clone().unwrap_or_default());
        let count = product(&shape).filter(|_| self.extent_fits(&shape, DType::I64, asked.span))?;
        let (wanted, there) = (count.known(), len.known());
        if there == Some(0) && wanted != Some(0)
            || !asked.flag && matches!((wanted, there), (Some(w), Some(t)) if w > t)
        {
            self.error(report::too_many_wanted(asked.op, &count, &len, asked.at));
            return None;
        }
        let places = match asked.values[0].clone() {
            None if asked.flag => self.even_places(asked, &len, &shape),
            None => {
                let order = self.graph.expand().random_order(asked.key, &len);
                self.first_places(order, count, shape)
            }
            Some(p) => self.likely_places(asked, &p, (&len, count), shape)?,
        };
        match elements {
            Elements::Below(_) => Some(self.counted(places, asked)),
            Elements::Along(operand, axis) => {
                let whole = crate::ir::build::gathered_shape(&operand.shape, self.graph.builder.shape(places), axis);
                if !self.extent_fits(&whole, self.settings.harden(operand.elem), asked.span) {
                    return None;
                }
                // Of a length that data decides there may be none.
                let places = match there {
                    Some(_) => places,
                    None => self.guarded_position(places, axis, &len, asked.at),
                };
                let node = self.node(&operand)?;
                let node = self.graph.builder.gather(node, places, axis);
                Some(Self::view_of(&operand, node))
            }
        }
    }

    /// Places that are all equally likely, drawn as the system's integers.
    fn even_places(&mut self, asked: &RandomCall, len: &Dim, shape: &Shape) -> NodeId {
        let drawn = self.settings.harden(Elem::WeakInt);
        let mut e = self.graph.expand();
        let count = e.dim(len);
        let node = e.random_below(asked.key, drawn, shape, count);
        let node = e.convert(node, DType::I64);
        e.broadcast(node, shape)
    }

    fn first_places(&mut self, order: NodeId, count: Dim, shape: Shape) -> NodeId {
        let region = [Slice { start: Dim::Const(0), step: 1 }];
        let first = self.graph.builder.slice(order, &region, vec![count]);
        self.graph.builder.view(first, View::Reshape, shape)
    }

    /// Places with probabilities.
    fn likely_places(
        &mut self,
        asked: &RandomCall,
        p: &Operand,
        (len, count): (&Dim, Dim),
        shape: Shape,
    ) -> Option<NodeId> {
        if p.shape != [len.clone()] || matches!(p.elem.kind(), Kind::Bool | Kind::Complex) {
            self.error(report::probabilities_of_other_shape(asked.op, p, len));
            return None;
        }
        let dtype = match p.elem.kind() {
            Kind::Float => self.settings.harden(p.elem),
            Kind::Bool | Kind::Unsigned | Kind::Signed | Kind::Complex => self.settings.harden(Elem::WeakFloat),
        };
        let p = match p.is_exact() {
            true => self.exact(p, dtype, None)?,
            false => self.node(p)?,
        };
        let p = self.graph.expand().convert(p, dtype);
        let least = if asked.flag { Dim::Const(u64::from(count != Dim::Const(0))) } else { count.clone() };
        self.require_likely(p, &least, asked.at);
        let mut e = self.graph.expand();
        if asked.flag {
            return Some(e.random_places(asked.key, p, &shape, count));
        }
        let order = e.weighted_order(asked.key, p, len);
        Some(self.first_places(order, count, shape))
    }

    /// Has the run check that every probability is a number that is not below 0, and that at least `least` of them are
    /// above 0.
    fn require_likely(&mut self, p: NodeId, least: &Dim, at: Span) {
        let mut e = self.graph.expand();
        let zero = e.number(p, 0.0);
        let (there, infinity) = (e.prim(Prim::Le, &[zero, p]), e.number(p, f64::INFINITY));
        let finite = e.prim(Prim::Lt, &[p, infinity]);
        let likely = e.prim(Prim::And, &[there, finite]);
        let none = e.not(likely);
        self.graph.refuse(none, Fault::Refused { text: "{value} is no probability", value: p }, at);
        let mut e = self.graph.expand();
        let above = e.prim(Prim::Lt, &[zero, p]);
        let above = e.convert(above, DType::I64);
        let (value, wanted) = (e.fold(Fold::Sum, above, &[0]), e.dim(least));
        let few = e.prim(Prim::Lt, &[value, wanted]);
        let text = match *least == Dim::Const(1) {
            true => "no probability is above 0",
            false => "more elements are taken than have a probability above 0: {value} do",
        };
        self.graph.refuse(few, Fault::Refused { text, value }, at);
    }

    /// `random.categorical(key, logits)`
    pub(super) fn categorical(&mut self, asked: &RandomCall) -> Option<Value> {
        let logits = asked.values[0].clone()?;
        if logits.elem.kind() != Kind::Float || logits.shape.is_empty() {
            self.error(report::no_logits(&logits));
            return None;
        }
        let (axis, axis_at) = asked.axis.unwrap_or((-1, asked.at));
        let axis = self.several_axes(&logits, &[axis], axis_at)?[0];
        let mut own = logits.shape.clone();
        let len = own.remove(axis);
        let shape = asked.shape.clone().unwrap_or_else(|| own.clone());
        let Some(before) = shape.len().checked_sub(own.len()).filter(|&before| shape[before..] == own[..]) else {
            self.error(report::fill_shape(asked.op, &logits, &shape, asked.at));
            return None;
        };
        let mut whole = shape.clone();
        whole.insert(before + axis, len);
        let dtype = self.settings.harden(logits.elem);
        if !self.extent_fits(&whole, dtype, asked.span) {
            return None;
        }
        let node = self.node(&logits)?;
        let mut e = self.graph.expand();
        let noise = e.draw_from(asked.key, Distribution::Gumbel, dtype, &whole);
        let (noise, node) = (e.widen(noise), e.widen(node));
        let sum = e.add(noise, node);
        let sum = e.convert(sum, dtype);
        let sum = e.widen(sum);
        let best = e.fold(Fold::ArgMax, sum, &[before + axis]);
        Some(self.counted(best, asked))
    }
}

/// How many elements a shape has.
fn product(shape: &[Dim]) -> Option<Dim> {
    shape.iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim))
}
