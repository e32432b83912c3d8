//! The elements that a mask or positions between brackets choose: `x[x > 0]`, `x[i]`, `x[i, mask]`.
//!
//! What a mask keeps is a dimension of its own, the count of that mask. Beside other arrays it stands for the positions
//! where it is true. Positions are checked when the program runs.

use super::select::{IndexArrays, Selector};
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::routine::Routine;
use crate::ir::{Fault, Fold, NodeId, View};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Shape, shape};

/// A mask as a vector, and how many it keeps: an `i64` scalar, and the dimension that it makes.
pub(in crate::check) struct SelectionMask {
    pub(in crate::check) mask: NodeId,
    pub(in crate::check) count: NodeId,
    pub(in crate::check) len: Dim,
}

impl Ctx<'_> {
    /// `x[mask]` and `x[i]` as a value.
    pub(in crate::check) fn chosen_value(&mut self, operand: &Operand, chosen: &IndexArrays, span: Span) -> Value {
        match self.chosen_elements(operand, chosen, span) {
            Some(node) => Self::view_of(operand, node),
            None => Value::Error,
        }
    }

    /// `x[mask]`, `x[i]`.
    pub(in crate::check) fn chosen_elements(
        &mut self,
        operand: &Operand,
        chosen: &IndexArrays,
        span: Span,
    ) -> Option<NodeId> {
        let node = self.node(operand)?;
        let view = self.shown_by(node, chosen);
        self.masks_fit(view, chosen)?;
        let flat = self.under_one(view, chosen, span)?;
        let positions = match chosen.only_mask() {
            Some(mask) if chosen.wanted.is_none() => {
                let SelectionMask { mask, len, .. } = self.kept(mask)?;
                if self.graph.builder.shape(flat).len() == 1 {
                    return Some(self.graph.builder.routine(Routine::Compress, &[flat, mask], Some(len)));
                }
                self.graph.builder.routine(Routine::Positions, &[mask], Some(len))
            }
            _ => self.places_of(operand, view, chosen)?,
        };
        let (own, places) = (self.graph.builder.shape(flat), self.graph.builder.shape(positions));
        let shape = crate::ir::build::gathered_shape(own, places, chosen.axis);
        let dtype = self.graph.builder.dtype(flat);
        self.extent_fits(&shape, dtype, span).then(|| self.graph.builder.gather(flat, positions, chosen.axis))
    }

    /// A mask as a vector, and the dimension that it makes.
    pub(in crate::check) fn kept(&mut self, mask: &Operand) -> Option<SelectionMask> {
        let node = self.node(mask)?;
        let len = self.known_count(mask, mask.span)?;
        let flat = self.graph.builder.view(node, View::Reshape, vec![len]);
        let count = self.graph.builder.convert(flat, DType::I64);
        let count = self.graph.builder.fold(Fold::Sum, count, &[0]);
        let len = self.counted_length(count, mask.span);
        Some(SelectionMask { mask: flat, count, len })
    }

    /// Reports a mask whose axes are not those of the array.
    pub(in crate::check) fn masks_fit(&mut self, view: NodeId, chosen: &IndexArrays) -> Option<()> {
        let mut axis = chosen.axis;
        for Selector { array, axes, .. } in &chosen.selectors {
            let under = self.graph.builder.shape(view)[axis..axis + axes].to_vec();
            axis += axes;
            if array.elem == DType::Bool.into() && under != array.shape {
                let diagnostic = report::mask_of_other_shape(array, &under);
                let diagnostic = self.with_names(diagnostic, array.shape.iter().chain(&under));
                let apart = array.shape.iter().zip(&under).find(|(own, len)| own != len);
                let way = apart.and_then(|(own, len)| self.said_by_call([own, len]));
                self.error(match way {
                    Some(way) => diagnostic.help(way.text),
                    None => diagnostic,
                });
                return None;
            }
        }
        Some(())
    }

    /// What is shown, with the axes that the arrays stand for as one.
    pub(in crate::check) fn under_one(&mut self, view: NodeId, chosen: &IndexArrays, span: Span) -> Option<NodeId> {
        let shape = self.graph.builder.shape(view).clone();
        let (axis, end) = (chosen.axis, chosen.axis + chosen.count());
        let Some(len) = Self::element_count(&shape[axis..end]) else {
            self.error(report::open_count(&chosen.selectors[0].array, span));
            return None;
        };
        let merged: Shape = shape[..axis].iter().cloned().chain([len]).chain(shape[end..].iter().cloned()).collect();
        Some(self.graph.builder.view(view, View::Reshape, merged))
    }

    /// The positions that the arrays name together, along the axes that they stand for as one.
    pub(in crate::check) fn places_of(
        &mut self,
        operand: &Operand,
        view: NodeId,
        chosen: &IndexArrays,
    ) -> Option<NodeId> {
        let lens = self.graph.builder.shape(view)[chosen.axis..].to_vec();
        let integers = chosen.selectors.iter().filter(|selector| !selector.is_mask());
        // What stands beside masks says how many each keeps, else what is stored there.
        let beside = integers.filter_map(|it| it.array.shape.last()).find(|len| **len != Dim::Const(1)).cloned();
        let stored = beside.is_none() && chosen.wanted.is_some();
        let mut wanted = beside.or_else(|| chosen.wanted.clone());
        let mut place: Option<NodeId> = None;
        let mut common = Shape::new();
        let mut axis = 0;
        for selector in &chosen.selectors {
            let array = &selector.array;
            let own = match selector.is_mask() {
                true => self.places_under(array, &mut wanted, stored)?,
                false => self.own_positions(operand, selector)?,
            };
            match shape::broadcast(&common, self.graph.builder.shape(own)) {
                Ok(joined) => common = joined,
                Err(_) => {
                    self.error(report::positions_differ(&chosen.selectors[0].array, array));
                    return None;
                }
            }
            let mut e = self.graph.expand();
            let mut whole = place;
            for len in &lens[axis..axis + selector.axes] {
                let len = e.dim(len);
                whole = whole.map(|before| e.prim(Prim::Mul, &[before, len]));
            }
            axis += selector.axes;
            place = Some(whole.map_or(own, |before| e.prim(Prim::Add, &[before, own])));
        }
        Some(self.graph.builder.broadcast(place?, &common))
    }

    /// Positions along the axis of an operand that they stand for.
    fn own_positions(&mut self, operand: &Operand, selector: &Selector) -> Option<NodeId> {
        let Selector { array, from, .. } = selector;
        match self.known_positions(operand, *from, array, array.span)? {
            Some(known) => Some(self.array(known, array.span)),
            None => {
                let node = self.node(array)?;
                Some(self.guarded_position(node, *from, &operand.shape[*from], array.span))
            }
        }
    }

    /// Where a mask is true, as many times as the arrays beside it want; the first mask wants for the others.
    fn places_under(&mut self, mask: &Operand, wanted: &mut Option<Dim>, stored: bool) -> Option<NodeId> {
        let kept = self.kept(mask)?;
        let places = self.graph.builder.routine(Routine::Positions, &[kept.mask], Some(kept.len.clone()));
        let wanted = wanted.get_or_insert_with(|| kept.len.clone());
        if kept.len == *wanted || kept.len.known().is_some() {
            return Some(places);
        }
        self.count_holds(&kept, wanted, stored, mask.span);
        let each = self.graph.builder.iota(0, vec![wanted.clone()]);
        // One that is kept stands beside all.
        let mut e = self.graph.expand();
        let (zero, one) = (e.integer(DType::I64, 0), e.integer(DType::I64, 1));
        let single = e.prim(Prim::Eq, &[kept.count, one]);
        let each = if stored { each } else { e.select(single, zero, each) };
        Some(self.graph.builder.gather(places, each, 0))
    }

    /// Has the run check that a mask keeps `wanted` elements: as many as values are stored there, or as positions stand
    /// beside the mask. Beside positions, a mask that keeps one element is right too.
    pub(in crate::check) fn count_holds(&mut self, kept: &SelectionMask, wanted: &Dim, stored: bool, at: Span) {
        let mut e = self.graph.expand();
        let len = e.dim(wanted);
        let mut other = e.prim(Prim::Ne, &[kept.count, len]);
        if !stored {
            let one = e.integer(DType::I64, 1);
            let several = e.prim(Prim::Ne, &[kept.count, one]);
            other = e.prim(Prim::And, &[other, several]);
        }
        let fault = Fault::Count { count: kept.count, wanted: wanted.clone(), stored };
        self.graph.refuse(other, fault, at);
    }
}
