//! Calls that take elements from places, or put them there: `take_along_axis`, `put_along_axis`, `add_at`.

use super::select::IndexArrays;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{FoldedGroups, Subject};
use crate::check::infer::statements::assign::Update;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{NodeId, View};
use crate::ops::places::Places;
use crate::ops::{Op, Role};
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Shape, shape};

/// The arguments of a call, by their names.
struct PlacesArguments {
    x: Operand,
    indices: Vec<Operand>,
    values: Option<Operand>,
    /// The axis, or nothing for all elements.
    axis: Option<(i64, Span)>,
    at: Span,
}

impl Ctx<'_> {
    pub(in crate::check) fn call_places(
        &mut self,
        op: &'static Op,
        places: Places,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        self.placed(op, places, given, span, at).unwrap_or(Value::Error)
    }

    fn placed(
        &mut self,
        op: &'static Op,
        places: Places,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let found = self.place_arguments(op, places, given, span)?;
        match places {
            Places::Combine(fold) => self.combined_at(op, found, Scatter::With(fold), span, at),
            Places::TakeAlong | Places::PutAlong => self.along_lines(op, found, span, at),
        }
    }

    fn place_arguments(
        &mut self,
        op: &'static Op,
        places: Places,
        given: Vec<GivenValue>,
        span: Span,
    ) -> Option<PlacesArguments> {
        let (mut operands, mut indices, mut axis) = (Vec::new(), Vec::new(), None);
        let mut indices_at = span;
        for (param, given) in op.params.iter().zip(given) {
            match (param.role, given) {
                (Role::Positions, Some((Value::Tuple(items), at))) if !items.is_empty() => {
                    indices_at = at;
                    for item in items.iter() {
                        indices.push(self.places_operand(places, item.clone(), at)?);
                    }
                }
                (Role::Positions, Some((value, at))) => {
                    indices_at = at;
                    indices.push(self.places_operand(places, value, at)?);
                }
                (Role::Axis, given) => {
                    let default = param.default.and_then(|text| text.parse().ok());
                    axis = match given {
                        Some((Value::None, _)) => None,
                        Some((value, axis_at)) => Some((self.whole(&value, axis_at, "an axis")?, axis_at)),
                        None => default.map(|axis| (axis, span)),
                    };
                }
                (_, given) => {
                    let (value, at) = given?;
                    operands.push(self.operand(value, at)?);
                }
            }
        }
        let mut operands = operands.into_iter();
        let x = operands.next()?;
        Some(PlacesArguments { x, indices, values: operands.next(), axis, at: indices_at })
    }

    /// What says where: integers, or a mask where values are combined.
    fn places_operand(&mut self, places: Places, value: Value, at: Span) -> Option<Operand> {
        if matches!(places, Places::Combine(_)) && matches!(value, Value::Literal(_) | Value::Computed(_)) {
            let mask = self.operand(value.clone(), at)?;
            if mask.elem == Elem::Strong(DType::Bool) && !mask.shape.is_empty() {
                return Some(mask);
            }
        }
        self.index_operand(value, at)
    }

    /// An array with values combined at positions along its first axes.
    fn combined_at(
        &mut self,
        op: &'static Op,
        found: PlacesArguments,
        scatter: Scatter,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let PlacesArguments { x, indices, values, at: indices_at, .. } = found;
        let count = indices.len();
        let Some(chosen) = IndexArrays::first_axes(&x, indices) else {
            self.error(report::too_many_indices(count, &x, indices_at));
            return None;
        };
        let values = values?;
        let chosen = chosen.holding(&values.shape);
        let (x, whole) = self.hardened(op, x, at)?;
        let part = self.chosen_elements(&x, &chosen, span)?;
        let stored = self.stored_in(op, &x, part, values, span)?;
        if let Scatter::With(fold) = scatter {
            // Every element may go to one place.
            let count = Self::element_count(self.graph.builder.shape(stored));
            self.found(Subject::Grouped(FoldedGroups {
                op,
                operand: x.clone(),
                weighs: false,
                node: stored,
                into: Some(whole),
                fold,
                count,
                at,
            }));
        }
        let before = self.graph.builder.program().nodes.len();
        let node = self.replaced_at((&x, whole), &chosen, stored, scatter, span)?;
        self.may_wrap(before, op.shown(), at);
        Some(self.computed_value(node, self.graph.builder.dtype(node).into(), x.origin))
    }

    /// Where the row has a meaning: an operand in its own dtype, a weak one in the default dtype.
    fn hardened(&mut self, op: &'static Op, x: Operand, at: Span) -> Option<(Operand, NodeId)> {
        self.meet_for(op, std::slice::from_ref(&x), at)?;
        let node = self.node(&x)?;
        let elem = self.graph.builder.dtype(node).into();
        Some((Operand { form: OperandForm::Node(node, None), elem, ..x }, node))
    }

    /// Values in the dtype and shape of a part of an array, by the rule for updates in place.
    fn stored_in(&mut self, op: &'static Op, x: &Operand, part: NodeId, values: Operand, span: Span) -> Option<NodeId> {
        let shown = format!("{}[…]", self.text(x.span));
        let part = self.operand(Self::view_of(x, part), span)?;
        let update = Update { op: None, function: Some(op.shown()), span };
        let stored = self.value_after_update(&shown, &part, values, update)?;
        let stored = self.operand(stored, span)?;
        self.node(&stored)
    }

    /// Elements of each line at positions of its own, or lines with other elements there.
    fn along_lines(&mut self, op: &'static Op, found: PlacesArguments, span: Span, at: Span) -> Option<Value> {
        let PlacesArguments { x, mut indices, values, axis, at: indices_at } = found;
        let index = indices.pop()?;
        let puts = values.is_some();
        let (x, _) = if puts { self.hardened(op, x, at)? } else { (x, NodeId(0)) };
        let (x, own, axis) = match axis {
            Some((axis, axis_at)) => {
                let axis = self.resolve_axes(&x, &[axis], axis_at)?[0];
                (x.clone(), x.shape.clone(), axis)
            }
            None => (self.flatten(&x, span)?, x.shape.clone(), 0),
        };
        let before = |shape: &Shape| {
            let mut others = shape.clone();
            others.remove(axis);
            others
        };
        let others = match index.shape.len() == x.shape.len() && indices.is_empty() {
            true => shape::broadcast(&before(&x.shape), &before(&index.shape)).ok(),
            false => None,
        };
        // What is put somewhere is as large as it was.
        let Some(others) = others.filter(|others| !puts || *others == before(&x.shape)) else {
            self.error(report::positions_of_lines(op, &x, &index, indices_at));
            return None;
        };
        let position = match self.known_positions(&x, axis, &index, indices_at)? {
            Some(array) => self.array(array, indices_at),
            None => {
                let node = self.node(&index)?;
                self.guarded_position(node, axis, &x.shape[axis], indices_at)
            }
        };
        let full = |len: &Dim| {
            let mut shape = others.clone();
            shape.insert(axis, len.clone());
            shape
        };
        let wanted = full(&index.shape[axis]);
        if !self.extent_fits(&wanted, self.settings.harden(x.elem), span) {
            return None;
        }
        let node = self.node(&x)?;
        let last = x.shape.len() - 1;
        let base = self.graph.builder.broadcast(node, &full(&x.shape[axis]));
        let position = self.graph.builder.broadcast(position, &wanted);
        let (base, position) = (self.move_axis_to(base, axis, last), self.move_axis_to(position, axis, last));
        let result = match values {
            None => self.graph.expand().along(base, position),
            Some(values) => {
                let part = self.graph.expand().along(base, position)?;
                let part = self.move_axis_to(part, last, axis);
                let stored = self.stored_in(op, &x, part, values, span)?;
                let stored = self.move_axis_to(stored, axis, last);
                Some(self.graph.builder.routine(Routine::Scatter(Scatter::Set), &[base, position, stored], None))
            }
        };
        let Some(result) = result else {
            self.error(report::open_count(&x, span));
            return None;
        };
        let result = self.move_axis_to(result, last, axis);
        if puts {
            let result = self.graph.builder.view(result, View::Reshape, own);
            return Some(self.computed_value(result, self.graph.builder.dtype(result).into(), x.origin));
        }
        Some(Self::view_of(&x, result))
    }
}
