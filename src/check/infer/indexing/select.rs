//! Masks or integer arrays between brackets: `x[x > 0]`, `x[i]`, `x[:, i, j]`, `x[i, :, mask]`: which axes they stand
//! for.
//!
//! The other indices are views first. All arrays together make one place in the result: where the first of them stands,
//! or before all other axes when something stands between them. The view is turned so that their axes lie side by side
//! there; then what reads or writes sees no difference.

use super::pick::{IndexEffect, kept_shape, whole};
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::Value;
use crate::ir::{NodeId, View};
use crate::source::Span;
use crate::syntax::ast::{ExprId, Index};
use crate::types::{DType, Dim, Elem};

/// An array of an index.
pub(in crate::check) struct Selector {
    pub(in crate::check) array: Operand,
    /// The first axis of the operand that it stands for, and how many: a mask stands for as many as it has.
    pub(in crate::check) from: usize,
    pub(in crate::check) axes: usize,
}

impl Selector {
    fn new(array: Operand, from: usize) -> Selector {
        let axes = if is_mask(&array) { array.shape.len() } else { 1 };
        Selector { array, from, axes }
    }

    pub(in crate::check) fn is_mask(&self) -> bool {
        is_mask(&self.array)
    }
}

fn is_mask(array: &Operand) -> bool {
    array.elem == Elem::Strong(DType::Bool)
}

/// The arrays of an index, and the axes of what the other indices show that they stand for.
pub(in crate::check) struct IndexArrays {
    pub(in crate::check) selectors: Vec<Selector>,
    /// The first of the axes. The others follow.
    pub(in crate::check) axis: usize,
    /// What the other indices do.
    pub(in crate::check) picks: Vec<IndexEffect>,
    /// The order of the axes of what they show, where that is another.
    order: Option<Vec<usize>>,
    /// How many elements values stand there for, where masks alone decide how many there are.
    pub(in crate::check) wanted: Option<Dim>,
}

impl IndexArrays {
    /// The chosen elements, where values of this shape are put. If there is more than one value along the chosen axis,
    /// there are as many values as elements.
    pub(in crate::check) fn holding(mut self, values: &[Dim]) -> IndexArrays {
        let behind = kept_shape(&self.picks).len() - self.axis - self.count();
        let len = values.len().checked_sub(behind + 1).map(|place| &values[place]);
        self.wanted = len.filter(|len| **len != Dim::Const(1)).cloned();
        self
    }

    /// Positions and masks along the first axes of an operand. It is `None` where the operand has fewer axes.
    pub(in crate::check) fn first_axes(operand: &Operand, arrays: Vec<Operand>) -> Option<IndexArrays> {
        let mut from = 0;
        let mut selectors = Vec::with_capacity(arrays.len());
        for array in arrays {
            let selector = Selector::new(array, from);
            from += selector.axes;
            selectors.push(selector);
        }
        let picks = operand.shape.iter().cloned().map(whole).collect();
        (from <= operand.shape.len()).then_some(IndexArrays { selectors, axis: 0, picks, order: None, wanted: None })
    }

    /// How many axes the arrays stand for.
    pub(in crate::check) fn count(&self) -> usize {
        self.selectors.iter().map(|selector| selector.axes).sum()
    }

    /// The mask that is the only array.
    pub(in crate::check) fn only_mask(&self) -> Option<&Operand> {
        if let [only] = &self.selectors[..] { only.is_mask().then_some(&only.array) } else { None }
    }
}

/// Whether an item of an index adds an axis.
pub(in crate::check) fn adds_axis(item: &Index, value: &Value) -> bool {
    match item {
        Index::NewAxis(_) => true,
        Index::At(_) => matches!(value, Value::None),
        Index::Slice(..) | Index::Ellipsis(_) => false,
    }
}

impl Ctx<'_> {
    /// The items of an index, and a value for each. A tuple stands for its items. `None` after an error.
    pub(in crate::check) fn index_values(&mut self, index: &[Index]) -> Option<(Vec<Index>, Vec<Value>)> {
        let (mut items, mut values) = (Vec::with_capacity(index.len()), Vec::with_capacity(index.len()));
        for item in index {
            let value = match item {
                Index::At(id) => self.infer(*id),
                Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => Value::None,
            };
            if let Value::Tuple(several) = &value
                && index.len() == 1
            {
                items.extend(several.iter().map(|_| item.clone()));
                values.extend(several.iter().cloned());
            } else {
                items.push(item.clone());
                values.push(value);
            }
        }
        (!values.iter().any(|value| matches!(value, Value::Error))).then_some((items, values))
    }

    /// The arrays of an index. It is `Some(None)` where there are none, and `None` after an error.
    #[expect(
        clippy::option_option,
        reason = "None for an error that was reported, Some(None) for an index without arrays"
    )]
    pub(in crate::check) fn arrays_in(
        &mut self,
        operand: &Operand,
        index: &[Index],
        values: &[Value],
        span: Span,
    ) -> Option<Option<IndexArrays>> {
        let mut arrays: Vec<Option<Operand>> = Vec::with_capacity(index.len());
        for (item, value) in index.iter().zip(values) {
            arrays.push(match item {
                Index::At(id) => self.array_of_index(*id, value)?,
                Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => None,
            });
        }
        if arrays.iter().all(Option::is_none) {
            return Some(None);
        }
        // The arrays stand for whole axes among the other indices.
        let mut others: Vec<Index> = Vec::with_capacity(index.len());
        let mut kept: Vec<Value> = Vec::with_capacity(index.len());
        let mut places: Vec<usize> = Vec::with_capacity(index.len());
        for ((item, value), array) in index.iter().zip(values).zip(&arrays) {
            places.push(others.len());
            match array {
                None => {
                    others.push(item.clone());
                    kept.push(value.clone());
                }
                Some(array) => {
                    let axes = if is_mask(array) { array.shape.len() } else { 1 };
                    others.extend((0..axes).map(|_| Index::Slice(None, None, None, array.span)));
                    kept.extend((0..axes).map(|_| Value::None));
                }
            }
        }
        let picks = self.picks(operand, &others, kept.clone(), span)?;
        let shown = axes_of(operand, &others, &kept, &picks);
        let apart = is_apart(index, values, &arrays);
        let mut selectors = Vec::with_capacity(arrays.len());
        let mut taken: Vec<usize> = Vec::new();
        for (array, place) in arrays.into_iter().zip(places) {
            let Some(array) = array else { continue };
            let AxisPair { from, view } = shown[place];
            let selector = Selector::new(array, from);
            taken.extend(view..view + selector.axes);
            selectors.push(selector);
        }
        let rank = kept_shape(&picks).len();
        let rest: Vec<usize> = (0..rank).filter(|axis| !taken.contains(axis)).collect();
        let axis = if apart { 0 } else { taken.first().copied().unwrap_or(0) };
        let order: Vec<usize> = rest[..axis].iter().chain(&taken).chain(&rest[axis..]).copied().collect();
        let order = (!order.is_sorted()).then_some(order);
        Some(Some(IndexArrays { selectors, axis, picks, order, wanted: None }))
    }

    /// The array that an item of an index is. It is `Some(None)` where the item is none.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for no array")]
    fn array_of_index(&mut self, id: ExprId, value: &Value) -> Option<Option<Operand>> {
        if !matches!(value, Value::Literal(_) | Value::Computed(_)) {
            return Some(None);
        }
        let at = self.frame.script.expr(id).span;
        let array = self.operand(value.clone(), at)?;
        let sorts = !array.elem.kind().is_inexact();
        // Of nothing there is no dtype: a list without items has no positions.
        let nothing = matches!(&array.form, OperandForm::Literal(literal) if literal.consts.is_empty());
        Some((!array.shape.is_empty() && (sorts || nothing)).then_some(array))
    }

    /// What the other indices show, with the axes of the arrays side by side.
    pub(in crate::check) fn shown_by(&mut self, whole: NodeId, chosen: &IndexArrays) -> NodeId {
        let view = self.select_picked(whole, &chosen.picks);
        match &chosen.order {
            Some(order) => self.in_order(view, order),
            None => view,
        }
    }

    /// Puts back what [`Ctx::shown_by`] shows.
    pub(in crate::check) fn put_back(&mut self, whole: NodeId, chosen: &IndexArrays, shown: NodeId) -> NodeId {
        let view = match &chosen.order {
            Some(order) => {
                let mut back = vec![0; order.len()];
                order.iter().enumerate().for_each(|(to, &from)| back[from] = to);
                self.in_order(shown, &back)
            }
            None => shown,
        };
        self.replace_picked(whole, &chosen.picks, view)
    }

    fn in_order(&mut self, node: NodeId, order: &[usize]) -> NodeId {
        let shape = self.graph.builder.shape(node).clone();
        let turned = order.iter().map(|&axis| shape[axis].clone()).collect();
        self.graph.builder.view(node, View::Transpose(order.iter().map(|&axis| axis as u32).collect()), turned)
    }

    /// A dimension of as many as an `i64` says, which is not below 0: the one that is known for it, or a new one.
    pub(in crate::check) fn counted_length(&mut self, count: NodeId, span: Span) -> Dim {
        let mut names = self.fresh_lengths(1);
        self.graph.builder.length(count, span, || names.remove(0))
    }

    /// Names for lengths that nothing in the text has: `k`, or `k1`, `k2` …
    pub(in crate::check) fn fresh_lengths(&mut self, count: usize) -> Vec<String> {
        if count == 0 {
            return Vec::new();
        }
        let words = self.scripts.words(self.request.sources);
        let (written, dims) = (|name: &str| words.contains(name), &self.frame.dims);
        self.graph.builder.free_lengths(count, written, |name| dims.contains_key(name))
    }
}

/// Where an item of an index begins: the axis of the operand, and the axis of what the picks show.
#[derive(Clone, Copy)]
struct AxisPair {
    from: usize,
    view: usize,
}

/// Where each item of an index begins.
fn axes_of(operand: &Operand, index: &[Index], values: &[Value], picks: &[IndexEffect]) -> Vec<AxisPair> {
    let named = index.iter().zip(values).filter(|(item, value)| !adds_axis(item, value));
    let named = named.filter(|(item, _)| !matches!(item, Index::Ellipsis(_))).count();
    let mut first = 0;
    let mut places = Vec::with_capacity(index.len());
    for item in index {
        let before = picks.get(..first).unwrap_or(picks);
        let from = before.iter().filter(|pick| !matches!(pick, IndexEffect::New)).count();
        let view = before.iter().filter(|pick| !matches!(pick, IndexEffect::At(_) | IndexEffect::Computed(_))).count();
        places.push(AxisPair { from, view });
        // Each item is one pick, an ellipsis as many as it takes.
        first += if matches!(item, Index::Ellipsis(_)) { operand.shape.len().saturating_sub(named) } else { 1 };
    }
    places
}

/// Whether something stands between the arrays of an index and its single positions, which are arrays to NumPy.
fn is_apart(index: &[Index], values: &[Value], arrays: &[Option<Operand>]) -> bool {
    let single = |at: usize| matches!(&index[at], Index::At(_)) && !matches!(&values[at], Value::None);
    let mut places = (0..index.len()).filter(|&at| arrays[at].is_some() || single(at));
    let Some(first) = places.next() else { return false };
    let last = places.next_back().unwrap_or(first);
    (first..=last).any(|at| arrays[at].is_none() && !single(at))
}
