//! Assignment to elements that a mask or positions choose: `y[mask] = v`, `y[i] = v`, and what `add_at` makes.
//!
//! One by a mask alone chooses between old and new everywhere; any other puts one value after the other, so that the
//! last one stays.

use super::select::IndexArrays;
use super::selected_elements::SelectionMask;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Fold, NodeId, View};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Shape, shape};

impl Ctx<'_> {
    /// An array with other values everywhere under a mask; the values have the shape of what is shown.
    pub(in crate::check) fn replaced_under(
        &mut self,
        whole: NodeId,
        (chosen, mask): (&IndexArrays, &Operand),
        value: NodeId,
    ) -> Option<NodeId> {
        let view = self.shown_by(whole, chosen);
        let shape = self.graph.builder.shape(view).clone();
        let behind = shape.len() - chosen.axis - chosen.count();
        let mask = self.node(mask)?;
        let over: Shape = self.graph.builder.shape(mask).clone();
        let over = over.into_iter().chain(std::iter::repeat_n(Dim::Const(1), behind)).collect();
        let mask = self.graph.builder.view(mask, View::Reshape, over);
        let value = self.graph.builder.broadcast(value, &shape);
        let mut e = self.graph.expand();
        let new = e.select(mask, value, view);
        let new = e.broadcast(new, &shape);
        Some(self.put_back(whole, chosen, new))
    }

    /// The array that `x[i] = v` and `add_at(x, i, v)` make; the values have the shape of what is chosen.
    pub(in crate::check) fn replaced_at(
        &mut self,
        (operand, whole): (&Operand, NodeId),
        chosen: &IndexArrays,
        value: NodeId,
        scatter: Scatter,
        span: Span,
    ) -> Option<NodeId> {
        let view = self.shown_by(whole, chosen);
        let flat = self.under_one(view, chosen, span)?;
        let shape = self.graph.builder.shape(view).clone();
        let positions = self.places_of(operand, view, chosen)?;
        let new = self.scatter_at(flat, positions, value, chosen.axis, scatter);
        let Some(new) = new else {
            self.error(report::open_count(&chosen.selectors[0].array, span));
            return None;
        };
        let new = self.graph.builder.view(new, View::Reshape, shape);
        Some(self.put_back(whole, chosen, new))
    }

    /// The values of an assignment by a mask, one for each element of the array. A vector that is as long as the mask
    /// counts is spread to where the mask is true. Where only the run knows the count, the run checks the length of the
    /// vector.
    pub(in crate::check) fn spread(
        &mut self,
        given: Operand,
        whole: NodeId,
        (chosen, mask): (&IndexArrays, &Operand),
    ) -> Option<Operand> {
        let view = self.shown_by(whole, chosen);
        self.masks_fit(view, chosen)?;
        let axes = self.graph.builder.shape(view).clone();
        let (before, behind) = (&axes[..chosen.axis], &axes[chosen.axis + chosen.count()..]);
        let one: Shape = before.iter().chain([&Dim::Const(1)]).chain(behind).cloned().collect();
        if given.shape.len() <= behind.len() && shape::broadcast(&given.shape, &one).ok().as_ref() == Some(&one) {
            // Every chosen element gets the same value, so nobody asks how many are chosen.
            return Some(given);
        }
        let kept = self.kept(mask)?;
        let whole: Shape = before.iter().chain([&kept.len]).chain(behind).cloned().collect();
        let place = given.shape.len().checked_sub(behind.len() + 1);
        let wanted = place.map(|place| given.shape[place].clone());
        let counted = wanted.filter(|len| *len != Dim::Const(1) && *len != kept.len && kept.len.known().is_none());
        let mut fits = given.shape.clone();
        if let (Some(place), Some(_)) = (place, &counted) {
            fits[place] = kept.len.clone();
        }
        if shape::broadcast(&fits, &whole).ok().as_ref() != Some(&whole) {
            let diagnostic = report::not_for_a_mask(&given, &whole, mask);
            let diagnostic = self.with_names(diagnostic, given.shape.iter().chain(&whole));
            self.error(diagnostic);
            return None;
        }
        if let Some(wanted) = &counted {
            self.count_holds(&kept, wanted, true, given.span);
        }
        let Some(place) = place else { return Some(given) };
        let node = self.node(&given)?;
        let (lens, node) = match given.shape[place] == Dim::Const(1) {
            true => (vec![Dim::Const(1); chosen.count()], node),
            false => (mask.shape.clone(), self.spread_along(node, &kept, place)),
        };
        let shape = self.graph.builder.shape(node);
        let shape: Shape = shape[..place].iter().chain(&lens).chain(&shape[place + 1..]).cloned().collect();
        let node = self.graph.builder.view(node, View::Reshape, shape);
        let span = given.span;
        self.operand(Self::view_of(&given, node), span)
    }

    /// Elements along an axis, each at its place under the mask. Where the mask is false, any other element may stand.
    fn spread_along(&mut self, node: NodeId, kept: &SelectionMask, axis: usize) -> NodeId {
        let mut e = self.graph.expand();
        let ones = e.convert(kept.mask, DType::I64);
        let running = e.0.scan(Fold::Sum, ones, 0);
        let one = e.whole(1);
        let positions = e.prim(Prim::Sub, &[running, one]);
        let zero = e.whole(0);
        let positions = e.prim(Prim::Max, &[positions, zero]);
        self.graph.builder.gather(node, positions, axis)
    }

    /// An array with values put, or combined, at positions along an axis; the values have the axes of the positions in
    /// its place.
    pub(in crate::check) fn scatter_at(
        &mut self,
        base: NodeId,
        positions: NodeId,
        value: NodeId,
        axis: usize,
        scatter: Scatter,
    ) -> Option<NodeId> {
        let shape = self.graph.builder.shape(base).clone();
        let places = self.graph.builder.shape(positions).clone();
        let len = places.iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim))?;
        let positions = self.graph.builder.view(positions, View::Reshape, vec![len.clone()]);
        let full = crate::ir::build::gathered_shape(&shape, &places, axis);
        let value = self.graph.builder.broadcast(value, &full);
        let lines: Shape =
            shape[..axis].iter().cloned().chain([len.clone()]).chain(shape[axis + 1..].iter().cloned()).collect();
        let value = self.graph.builder.view(value, View::Reshape, lines);
        let last = shape.len() - 1;
        let (base, value) = (self.move_axis_to(base, axis, last), self.move_axis_to(value, axis, last));
        let mut before = self.graph.builder.shape(base).clone();
        before.pop();
        before.push(len);
        let positions = self.graph.builder.broadcast(positions, &before);
        let node = self.scattered_lines(scatter, base, positions, value);
        Some(self.move_axis_to(node, last, axis))
    }

    /// Lines with values put, or combined, at positions. The parts of complex numbers are put by themselves.
    fn scattered_lines(&mut self, scatter: Scatter, base: NodeId, positions: NodeId, value: NodeId) -> NodeId {
        if scatter == Scatter::Set || !self.graph.builder.dtype(base).is_complex() {
            return self.graph.builder.routine(Routine::Scatter(scatter), &[base, positions, value], None);
        }
        let mut e = self.graph.expand();
        let (own, given) = (e.shape(base), e.shape(value));
        let (parts, values) = (e.parts(base), e.parts(value));
        let mut of = |base, value| {
            let (base, value) = (e.broadcast(base, &own), e.broadcast(value, &given));
            e.routine(Routine::Scatter(scatter), &[base, positions, value], None)
        };
        let (re, im) = (of(parts.0, values.0), of(parts.1, values.1));
        self.graph.expand().pair(re, im)
    }
}
