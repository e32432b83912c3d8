//! Masks and integer arrays between brackets: `x[x > 0]`, `x[i]`, `x[:, i, j]`, and assignment to what they choose.
//!
//! The other indices are views first. What a mask keeps is a dimension of its own, the count of that mask; positions are
//! checked when the program runs. An assignment by a mask chooses between old and new everywhere; one by positions puts
//! one value after the other, so that the last one stays.

use super::Ctx;
use super::operand::{Operand, OperandForm};
use super::pick::Pick;
use super::value::Value;
use crate::check::report;
use crate::ir::routine::{Routine, Scatter};
use crate::ir::{Fold, NodeId, View};
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::source::{SourceId, Span};
use crate::syntax::ast::Index;
use crate::types::{DType, Dim, Elem, Kind, Shape, shape};
use std::collections::HashSet;

/// The arrays of an index, and the axes of what the other indices show that they stand for.
pub(in crate::check) struct Chosen {
    arrays: Vec<Operand>,
    mask: bool,
    /// The first of the axes, and how many.
    axis: usize,
    count: usize,
    /// What the other indices do.
    picks: Vec<Pick>,
}

impl Chosen {
    /// Positions along the first axes of an operand.
    pub(in crate::check) fn first_axes(operand: &Operand, arrays: Vec<Operand>) -> Chosen {
        let picks = operand.shape.iter().cloned().map(super::pick::whole).collect();
        Chosen { count: arrays.len(), arrays, mask: false, axis: 0, picks }
    }
}

impl Ctx<'_> {
    /// The items of an index, and a value for each; a tuple stands for its items. `None` after an error.
    pub(in crate::check) fn index_values(&mut self, index: &[Index]) -> Option<(Vec<Index>, Vec<Value>)> {
        let (mut items, mut values) = (Vec::with_capacity(index.len()), Vec::with_capacity(index.len()));
        for item in index {
            let value = match item {
                Index::At(id) => self.infer(*id),
                Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => Value::None,
            };
            match value {
                Value::Tuple(several) if index.len() == 1 => {
                    items.extend(several.iter().map(|_| item.clone()));
                    values.extend(several.iter().cloned());
                }
                value => {
                    items.push(item.clone());
                    values.push(value);
                }
            }
        }
        (!values.iter().any(|value| matches!(value, Value::Error))).then_some((items, values))
    }

    /// The arrays of an index; `Some(None)` where there are none, `None` after an error.
    #[allow(
        clippy::option_option,
        reason = "None for an error that was reported, Some(None) for an index without arrays"
    )]
    pub(in crate::check) fn arrays_in(
        &mut self,
        operand: &Operand,
        index: &[Index],
        values: &[Value],
        span: Span,
    ) -> Option<Option<Chosen>> {
        let mut arrays: Vec<(usize, Operand)> = Vec::new();
        for (place, (item, value)) in index.iter().zip(values).enumerate() {
            let Index::At(id) = item else { continue };
            if !matches!(value, Value::Literal(_) | Value::Computed(_)) {
                continue;
            }
            let at = self.frame.script.expr(*id).span;
            let array = self.operand(value.clone(), at)?;
            let sorts = matches!(array.elem.kind(), Kind::Bool | Kind::Unsigned | Kind::Signed);
            // Of nothing there is no dtype: a list without items has no positions.
            let nothing = matches!(&array.form, OperandForm::Literal(literal) if literal.consts.is_empty());
            if !array.shape.is_empty() && (sorts || nothing) {
                arrays.push((place, array));
            }
        }
        if arrays.is_empty() {
            return Some(None);
        }
        let is_mask = |array: &Operand| array.elem == Elem::Strong(DType::Bool);
        let masks = arrays.iter().filter(|(_, array)| is_mask(array)).count();
        if masks > 0 && arrays.len() > 1 {
            self.error(report::mask_beside_arrays(&arrays[1].1));
            return None;
        }
        if Self::is_apart(index, values, &arrays) {
            self.error(report::arrays_apart(&arrays[0].1, span));
            return None;
        }
        let count = if masks > 0 { arrays[0].1.shape.len() } else { arrays.len() };
        // The arrays stand for whole axes among the other indices.
        let mut others: Vec<Index> = Vec::with_capacity(index.len());
        let mut kept: Vec<Value> = Vec::with_capacity(index.len());
        for (place, (item, value)) in index.iter().zip(values).enumerate() {
            match arrays.iter().find(|(at, _)| *at == place) {
                None => {
                    others.push(item.clone());
                    kept.push(value.clone());
                }
                Some((_, array)) => {
                    for _ in 0..if masks > 0 { count } else { 1 } {
                        others.push(Index::Slice(None, None, None, array.span));
                        kept.push(Value::None);
                    }
                }
            }
        }
        let whole = others.iter().enumerate().filter(|(_, item)| matches!(item, Index::Slice(None, None, None, at) if arrays.iter().any(|(_, array)| array.span == *at)));
        let first = whole.map(|(at, _)| at).next()?;
        let picks = self.picks(operand, &others, kept, span)?;
        let axis = self.axis_of(operand, &others, first, &picks);
        Some(Some(Chosen {
            arrays: arrays.into_iter().map(|(_, array)| array).collect(),
            mask: masks > 0,
            axis,
            count,
            picks,
        }))
    }

    /// Whether something stands between the arrays of an index, or between them and a single position.
    fn is_apart(index: &[Index], values: &[Value], arrays: &[(usize, Operand)]) -> bool {
        // Between the first and the last array stands nothing else; single positions are arrays to NumPy.
        let first = arrays[0].0;
        let last = arrays[arrays.len() - 1].0;
        let single =
            |at: usize| matches!((&index[at], &values[at]), (Index::At(_), value) if !matches!(value, Value::None));
        let apart = (first..=last).any(|at| !arrays.iter().any(|(place, _)| *place == at));
        let far = (0..index.len()).any(|at| {
            single(at) && !arrays.iter().any(|(place, _)| *place == at) && {
                let (low, high) = if at < first { (at, first) } else { (last, at) };
                (low..high).any(|between| !single(between))
            }
        });
        apart || far
    }

    /// The axis of what picks show that an item of an index stands for.
    fn axis_of(&self, operand: &Operand, index: &[Index], item: usize, picks: &[Pick]) -> usize {
        // Each item is one pick, an ellipsis as many as it takes.
        let dots = index[..item].iter().any(|item| matches!(item, Index::Ellipsis(_)));
        let named = index.iter().filter(|item| !matches!(item, Index::Ellipsis(_) | Index::NewAxis(_))).count();
        let place = if dots { item - 1 + operand.shape.len().saturating_sub(named) } else { item };
        picks[..place].iter().filter(|pick| !matches!(pick, Pick::At(_) | Pick::Computed(_))).count()
    }

    /// `x[mask]`, `x[i]`.
    pub(in crate::check) fn chosen_elements(
        &mut self,
        operand: &Operand,
        chosen: &Chosen,
        span: Span,
    ) -> Option<NodeId> {
        let node = self.node(operand)?;
        let view = self.selected(node, &chosen.picks);
        match chosen.mask {
            true => self.masked(view, chosen, span),
            false => {
                let (flat, positions) = self.merged(view, chosen, span)?;
                let shape = crate::ir::build::gathered(
                    self.graph.builder.shape(flat),
                    self.graph.builder.shape(positions),
                    chosen.axis,
                );
                let dtype = self.graph.builder.dtype(flat);
                self.extent_fits(&shape, dtype, span).then(|| self.graph.builder.gather(flat, positions, chosen.axis))
            }
        }
    }

    /// All that the other indices show.
    pub(in crate::check) fn all_of(&mut self, whole: NodeId, chosen: &Chosen) -> NodeId {
        self.selected(whole, &chosen.picks)
    }

    /// A mask as a vector, and the dimension that it makes.
    pub(in crate::check) fn count_of(&mut self, mask: &Operand) -> Option<(NodeId, Dim)> {
        let node = self.node(mask)?;
        let Some(len) = Self::element_count(&mask.shape) else {
            self.error(report::open_count(mask, mask.span));
            return None;
        };
        let flat = self.graph.builder.view(node, View::Reshape, vec![len]);
        let count = self.graph.builder.convert(flat, DType::I64);
        let count = self.graph.builder.fold(Fold::Sum, count, &[0], false);
        let mut names = self.fresh_lengths(1);
        let dim = self.graph.builder.length(count, mask.span, || names.remove(0));
        Some((flat, dim))
    }

    /// Where the axes of a mask are those of the array.
    fn mask_fits(&mut self, view: NodeId, chosen: &Chosen) -> bool {
        let mask = &chosen.arrays[0];
        let axes = self.graph.builder.shape(view)[chosen.axis..chosen.axis + chosen.count].to_vec();
        if axes == mask.shape {
            return true;
        }
        let diagnostic = report::mask_of_other_shape(mask, &axes);
        let diagnostic = self.with_names(diagnostic, mask.shape.iter().chain(&axes));
        self.error(diagnostic);
        false
    }

    /// An array whose axes under a mask are one.
    fn under_one(&mut self, view: NodeId, chosen: &Chosen, span: Span) -> Option<NodeId> {
        let shape = self.graph.builder.shape(view).clone();
        let (axis, end) = (chosen.axis, chosen.axis + chosen.count);
        let len = shape[axis..end].iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim));
        let Some(len) = len else {
            self.error(report::open_count(&chosen.arrays[0], span));
            return None;
        };
        let merged: Shape = shape[..axis].iter().cloned().chain([len]).chain(shape[end..].iter().cloned()).collect();
        Some(self.graph.builder.view(view, View::Reshape, merged))
    }

    fn masked(&mut self, view: NodeId, chosen: &Chosen, span: Span) -> Option<NodeId> {
        if !self.mask_fits(view, chosen) {
            return None;
        }
        let flat = self.under_one(view, chosen, span)?;
        let (mask, count) = self.count_of(&chosen.arrays[0])?;
        if self.graph.builder.shape(flat).len() == 1 {
            return Some(self.graph.builder.routine(Routine::Compress, &[flat, mask], Some(count)));
        }
        let positions = self.graph.builder.routine(Routine::Positions, &[mask], Some(count));
        Some(self.graph.builder.gather(flat, positions, chosen.axis))
    }

    /// An array whose axes with positions are one, and the positions along it.
    fn merged(&mut self, view: NodeId, chosen: &Chosen, span: Span) -> Option<(NodeId, NodeId)> {
        let shape = self.graph.builder.shape(view).clone();
        let shown = Operand {
            form: OperandForm::Node(view, None),
            elem: self.graph.builder.dtype(view).into(),
            shape: shape.clone(),
            span,
            origin: span,
        };
        let mut place: Option<NodeId> = None;
        let mut common = Shape::new();
        for (nth, array) in chosen.arrays.iter().enumerate() {
            match shape::broadcast(&common, &array.shape) {
                Ok(joined) => common = joined,
                Err(_) => {
                    self.error(report::positions_differ(&chosen.arrays[0], array));
                    return None;
                }
            }
            let axis = chosen.axis + nth;
            let own = match self.known_positions(&shown, axis, array, array.span)? {
                Some(known) => self.array(known, array.span),
                None => {
                    let node = self.node(array)?;
                    self.guarded_position(node, axis, &shape[axis], array.span)
                }
            };
            place = Some(match place {
                None => own,
                Some(before) => {
                    let mut e = Expand(&mut self.graph.builder);
                    let len = e.dim(&shape[axis]);
                    let before = e.prim(Prim::Mul, &[before, len]);
                    e.prim(Prim::Add, &[before, own])
                }
            });
        }
        let place = self.graph.builder.broadcast(place?, &common);
        Some((self.under_one(view, chosen, span)?, place))
    }

    /// The array that `x[mask] = v`, `x[i] = v` and `add_at(x, i, v)` make.
    pub(in crate::check) fn replaced_elements(
        &mut self,
        whole: NodeId,
        chosen: &Chosen,
        value: NodeId,
        scatter: Scatter,
        span: Span,
    ) -> Option<NodeId> {
        let view = self.selected(whole, &chosen.picks);
        let flat = self.under_one(view, chosen, span)?;
        let shape = self.graph.builder.shape(view).clone();
        let new = if chosen.mask {
            let mask = self.node(&chosen.arrays[0])?;
            let len = self.graph.builder.shape(flat)[chosen.axis].clone();
            let mask = self.graph.builder.view(mask, View::Reshape, vec![len]);
            let behind = self.graph.builder.shape(flat).len() - chosen.axis - 1;
            let lens: Shape = self
                .graph
                .builder
                .shape(mask)
                .iter()
                .cloned()
                .chain(std::iter::repeat_n(Dim::Const(1), behind))
                .collect();
            let mask = self.graph.builder.view(mask, View::Reshape, lens);
            let full = self.graph.builder.shape(flat).clone();
            let value = self.graph.builder.broadcast(value, &shape);
            let value = self.graph.builder.view(value, View::Reshape, full.clone());
            let mut e = Expand(&mut self.graph.builder);
            let node = e.select(mask, value, flat);
            e.broadcast(node, &full)
        } else {
            let (_, positions) = self.merged(view, chosen, span)?;
            self.scattered(flat, positions, value, chosen.axis, scatter)?
        };
        let new = self.graph.builder.view(new, View::Reshape, shape);
        Some(self.replaced(whole, &chosen.picks, new))
    }

    /// The elements that an assignment by a mask writes, for every element of the array: a vector as long as the count
    /// is spread to where the mask is true.
    pub(in crate::check) fn spread(&mut self, given: Operand, whole: NodeId, chosen: &Chosen) -> Option<Operand> {
        let view = self.selected(whole, &chosen.picks);
        if !self.mask_fits(view, chosen) {
            return None;
        }
        let (mask, count) = self.count_of(&chosen.arrays[0])?;
        let axes = self.graph.builder.shape(view);
        let kept: Shape =
            axes[..chosen.axis].iter().chain([&count]).chain(&axes[chosen.axis + chosen.count..]).cloned().collect();
        let behind = axes.len() - chosen.axis - chosen.count;
        if shape::broadcast(&given.shape, &kept).ok().as_ref() != Some(&kept) {
            let diagnostic = report::not_for_a_mask(&given, &kept, &chosen.arrays[0]);
            let diagnostic = self.with_names(diagnostic, given.shape.iter().chain(&kept));
            self.error(diagnostic);
            return None;
        }
        let place = given.shape.len().checked_sub(behind + 1);
        let Some(place) = place else { return Some(given) };
        if given.shape[place] == Dim::Const(1) {
            let lens: Shape = given.shape[..place]
                .iter()
                .cloned()
                .chain(std::iter::repeat_n(Dim::Const(1), chosen.count))
                .chain(given.shape[place + 1..].iter().cloned())
                .collect();
            let node = self.node(&given)?;
            let node = self.graph.builder.view(node, View::Reshape, lens.clone());
            return Some(Operand { form: OperandForm::Node(node, None), shape: lens, ..given });
        }
        let node = self.node(&given)?;
        let mut e = Expand(&mut self.graph.builder);
        let ones = e.convert(mask, DType::I64);
        let running = e.0.scan(Fold::Sum, ones, 0);
        let one = e.whole(1);
        let positions = e.prim(Prim::Sub, &[running, one]);
        let zero = e.whole(0);
        let positions = e.prim(Prim::Max, &[positions, zero]);
        let spread = self.graph.builder.gather(node, positions, place);
        let node = self.graph.builder.view(spread, View::Reshape, {
            let shape = self.graph.builder.shape(spread);
            let masked = self.graph.builder.shape(view)[chosen.axis..chosen.axis + chosen.count].iter().cloned();
            shape[..place].iter().cloned().chain(masked).chain(shape[place + 1..].iter().cloned()).collect()
        });
        let shape = self.graph.builder.shape(node).clone();
        let form = OperandForm::Node(node, None);
        Some(Operand { form, shape, ..given })
    }

    /// An array with values put, or combined, at positions along an axis; the values have the axes of the positions in
    /// its place.
    pub(in crate::check) fn scattered(
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
        let full = crate::ir::build::gathered(&shape, &places, axis);
        let value = self.graph.builder.broadcast(value, &full);
        let lines: Shape =
            shape[..axis].iter().cloned().chain([len.clone()]).chain(shape[axis + 1..].iter().cloned()).collect();
        let value = self.graph.builder.view(value, View::Reshape, lines);
        let last = shape.len() - 1;
        let (base, value) = (self.turned(base, axis, last), self.turned(value, axis, last));
        let mut before = self.graph.builder.shape(base).clone();
        before.pop();
        before.push(len);
        let positions = self.graph.builder.broadcast(positions, &before);
        let node = self.scattered_lines(scatter, base, positions, value);
        Some(self.turned(node, last, axis))
    }

    /// Lines with values put, or combined, at positions; the parts of complex numbers by themselves.
    fn scattered_lines(&mut self, scatter: Scatter, base: NodeId, positions: NodeId, value: NodeId) -> NodeId {
        if scatter == Scatter::Set || !self.graph.builder.dtype(base).is_complex() {
            return self.graph.builder.routine(Routine::Scatter(scatter), &[base, positions, value], None);
        }
        let mut e = Expand(&mut self.graph.builder);
        let (own, given) = (e.shape(base), e.shape(value));
        let (parts, values) = (e.parts(base), e.parts(value));
        let mut of = |base, value| {
            let (base, value) = (e.broadcast(base, &own), e.broadcast(value, &given));
            e.routine(Routine::Scatter(scatter), &[base, positions, value], None)
        };
        let (re, im) = (of(parts.0, values.0), of(parts.1, values.1));
        Expand(&mut self.graph.builder).pair(re, im)
    }

    /// Whether an index chooses by a mask.
    pub(in crate::check) fn is_masked(chosen: &Chosen) -> bool {
        chosen.mask
    }

    /// Names for lengths that nothing in the text has: `k`, or `k1`, `k2` …
    pub(in crate::check) fn fresh_lengths(&self, count: usize) -> Vec<String> {
        if count == 0 {
            return Vec::new();
        }
        let sources = self.request.sources;
        let texts = (0..sources.len()).map(|at| sources.get(SourceId(at as u32)).text.as_str());
        // What stands in a comment is no name.
        let lines = texts.flat_map(str::lines).map(|line| match line.split_once('#') {
            Some((code, _)) if !code.contains('"') => code,
            _ => line,
        });
        let words: HashSet<&str> =
            lines.flat_map(|line| line.split(|c: char| !c.is_alphanumeric() && c != '_')).collect();
        let lengths = &self.graph.builder.program().lengths;
        let free = |name: &String| {
            !words.contains(name.as_str())
                && !self.frame.dims.contains_key(name)
                && !lengths.iter().any(|length| length.name == *name)
        };
        let names = std::iter::once("k".to_owned()).chain((1..).map(|number| format!("k{number}")));
        names.into_iter().filter(free).take(count).collect()
    }

    /// `x[mask]` and `x[i]` as a value.
    pub(in crate::check) fn chosen_value(&mut self, operand: &Operand, chosen: &Chosen, span: Span) -> Value {
        match self.chosen_elements(operand, chosen, span) {
            Some(node) => Self::viewed(operand, node),
            None => Value::Error,
        }
    }
}
