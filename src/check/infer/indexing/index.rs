//! Indexing: the elements that `a[i, lo:hi, ..., None]` means. Views show them.

use super::pick::{IndexEffect, kept_shape, literal_selected, whole};
use super::select::adds_axis;
use super::span as python;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::ir::{Fault, NodeId, ReadLength, Slice};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Index};
use crate::types::{Affine, DType, Dim, Elem, Kind};
use std::str::FromStr;

/// So many counts of masks in one form are looked at.
const MAX_COUNTS: usize = 4;

impl Ctx<'_> {
    /// `base[index]`
    pub(in crate::check) fn index(&mut self, base: ExprId, index: &[Index], span: Span) -> Value {
        let script = self.frame.script;
        let base_span = script.expr(base).span;
        if let ExprKind::Name(name) = &script.expr(base).kind
            && DType::from_str(name).is_ok()
        {
            return self.error(report::type_in_expression(self.text(span), span, base_span));
        }
        if let Some(value) = self.foreign_brackets(base, index) {
            return value;
        }
        let value = self.infer(base);
        if let Value::Tuple(items) = &value {
            let found = self.tuple_item(items, index, span);
            // The lengths that were read last, before the brackets, are those of the shape.
            if matches!(&script.expr(base).kind, ExprKind::Attribute(..)) {
                self.keep_read(items, &found);
            }
            return found;
        }
        let Some(operand) = self.operand(value, base_span) else { return Value::Error };
        let Some((index, values)) = self.index_values(index) else { return Value::Error };
        let index = index.as_slice();
        let Some(chosen) = self.arrays_in(&operand, index, &values, span) else { return Value::Error };
        if let Some(chosen) = chosen {
            return self.chosen_value(&operand, &chosen, span);
        }
        let Some(picks) = self.picks(&operand, index, values, span) else { return Value::Error };
        if let OperandForm::Literal(literal) = &operand.form
            && let Some(value) = literal_selected(literal, &picks)
        {
            return value;
        }
        let Some(node) = self.node(&operand) else { return Value::Error };
        let node = self.select_picked(node, &picks);
        Self::view_of(&operand, node)
    }

    /// `x.shape[0]` reads one length of the shape and not the others.
    fn keep_read(&mut self, items: &[Value], found: &Value) {
        let kept = found.clone().items();
        let dims = items.iter().filter_map(|item| if let Value::Dim(dim) = item { Some(dim) } else { None });
        let is_other = |dim: &&Dim| !kept.iter().any(|item| matches!(item, Value::Dim(own) if own == *dim));
        let others: Vec<&Dim> = dims.filter(is_other).collect();
        self.graph.builder.forget_read(&others);
    }

    /// `minmax(x)[0]`, `x.shape[1:]`
    fn tuple_item(&mut self, items: &[Value], index: &[Index], span: Span) -> Value {
        let len = items.len() as i64;
        match index {
            [Index::At(id)] => {
                let at = self.frame.script.expr(*id).span;
                let value = self.infer(*id);
                if matches!(value, Value::Error) {
                    return value;
                }
                let Some(position) = self.form(&value).and_then(|form| form.known()) else {
                    return self.error(report::tuple_index(at));
                };
                match usize::try_from(if position < 0 { position + len } else { position }) {
                    Ok(found) if found < items.len() => items[found].clone(),
                    _ => self.error(report::tuple_index_out_of_range(position, items.len(), at)),
                }
            }
            [Index::Slice(start, stop, step, at)] => {
                let mut bounds = [None; 3];
                for (slot, id) in bounds.iter_mut().zip([start, stop, step]) {
                    let value = id.map(|id| self.infer(id));
                    let Ok(bound) = self.bound(id.zip(value)) else { return Value::Error };
                    match bound.map(|(form, _)| form.known()) {
                        None => {}
                        Some(Some(known)) => *slot = Some(known),
                        Some(None) => return self.error(report::tuple_index(*at)),
                    }
                }
                let step = bounds[2].unwrap_or(1);
                if step == 0 {
                    return self.error(report::zero_slice_step(*at));
                }
                let (first, count) = python::exact(bounds[0], bounds[1], step, len);
                Value::Tuple((0..count).map(|nth| items[(first + step * nth) as usize].clone()).collect())
            }
            _ => self.error(report::tuple_index(span)),
        }
    }

    /// What an index means for an operand: as many picks as it has axes, and the new axes between them.
    pub(in crate::check) fn picks(
        &mut self,
        operand: &Operand,
        index: &[Index],
        values: Vec<Value>,
        span: Span,
    ) -> Option<Vec<IndexEffect>> {
        let rank = operand.shape.len();
        let dots: Vec<Span> = index
            .iter()
            .filter_map(|item| match item {
                Index::Ellipsis(span) => Some(*span),
                Index::At(_) | Index::Slice(..) | Index::NewAxis(_) => None,
            })
            .collect();
        if let [first, second, ..] = dots[..] {
            self.error(report::two_ellipses(first, second));
            return None;
        }
        let taken = index.iter().zip(&values).filter(|(item, value)| !adds_axis(item, value)).count() - dots.len();
        if taken > rank {
            self.error(report::too_many_indices(taken, operand, span));
            return None;
        }
        let mut picks = Vec::with_capacity(rank + index.len());
        let mut axis = 0;
        for (item, value) in index.iter().zip(values) {
            match item {
                _ if adds_axis(item, &value) => picks.push(IndexEffect::New),
                Index::At(id) => {
                    let at = self.frame.script.expr(*id).span;
                    picks.push(self.position(operand, axis, value, at)?);
                    axis += 1;
                }
                Index::Slice(start, stop, step, at) => {
                    picks.push(self.positions(operand, axis, [*start, *stop, *step], *at)?);
                    axis += 1;
                }
                Index::Ellipsis(_) => {
                    picks.extend(operand.shape[axis..axis + rank - taken].iter().cloned().map(whole));
                    axis += rank - taken;
                }
                Index::NewAxis(_) => {}
            }
        }
        picks.extend(operand.shape[axis..].iter().cloned().map(whole));
        let shown = kept_shape(&picks);
        let dtype = self.settings.harden(operand.elem);
        self.extent_fits(&shown, dtype, span).then_some(picks)
    }

    /// `a[i]`: one position of an axis.
    fn position(&mut self, operand: &Operand, axis: usize, value: Value, at: Span) -> Option<IndexEffect> {
        let len = &operand.shape[axis];
        if !self.is_counted(len)
            && !self.depends_on_data(&value)
            && let Some(form) = self.form(&value)
        {
            return self.static_position(operand, axis, &form, at).map(IndexEffect::At);
        }
        let index = self.index_operand(value, at)?;
        let node = self.node(&index)?;
        Some(IndexEffect::Computed(self.guarded_position(node, axis, len, at)))
    }

    /// A value that says where: integers.
    pub(in crate::check) fn index_operand(&mut self, value: Value, at: Span) -> Option<Operand> {
        if matches!(value, Value::Tuple(_) | Value::Str(_) | Value::DType(_) | Value::Builtin(_)) {
            self.error(report::not_an_index(value.describe(), at));
            return None;
        }
        let index = self.operand(value, at)?;
        if index.elem.kind().is_integer() {
            return Some(index);
        }
        let text = self.text(at).to_owned();
        self.error(match index.elem {
            Elem::Strong(DType::Bool) => report::bool_index(&index, &text),
            Elem::Strong(_) | Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex => {
                report::inexact_index(&index, &text)
            }
        });
        None
    }

    /// A position that is known, counted from the start.
    pub(in crate::check) fn static_position(
        &mut self,
        operand: &Operand,
        axis: usize,
        form: &Affine,
        at: Span,
    ) -> Option<Dim> {
        let dim = &operand.shape[axis];
        let Some(len) = dim.form() else { return Dim::of(form.clone()) };
        let minus_one = Affine::constant(-1);
        let never_below = |low: &Affine, high: &Affine| high.plus(low, -1).is_some_and(|gap| gap.is_never_negative());
        let negative = match form.known() {
            Some(value) => value < 0,
            None => never_below(form, &Affine::constant(0)),
        };
        let position = if negative { len.plus(form, 1) } else { Some(form.clone()) };
        let inside = position.filter(|position| !never_below(&len, position) && !never_below(position, &minus_one));
        let Some(dim) = inside.and_then(Dim::of) else {
            let diagnostic = report::index_out_of_range(form, axis, operand, at);
            let diagnostic = self.with_names(diagnostic, [dim]);
            self.error(diagnostic);
            return None;
        };
        Some(dim)
    }

    /// Computed positions as `i64` counted from the start, checked when the program runs.
    pub(in crate::check) fn guarded_position(&mut self, index: NodeId, axis: usize, len: &Dim, at: Span) -> NodeId {
        let inside = self.lies_inside(index, len.known());
        if !inside {
            self.find_outside(index, axis, len, at);
        }
        let mut e = self.graph.expand();
        let from = e.dtype(index);
        let wide = e.convert(index, DType::I64);
        if inside {
            return wide;
        }
        let count = e.dim(len);
        let zero = e.integer(DType::I64, 0);
        let below = e.prim(Prim::Lt, &[wide, zero]);
        let (place, outside) = if from == DType::U64 {
            // Beyond 63 bits: far outside, whatever the length.
            let far = e.integer(DType::I64, i64::MAX.into());
            let place = e.select(below, far, wide);
            (place, e.prim(Prim::Le, &[count, place]))
        } else if from.kind() == Kind::Signed {
            let from_end = e.add(wide, count);
            // From -n to n-1 is from 0 to 2n-1, and what is below that is much more without a sign.
            let (distance, room) = (e.bitcast(from_end, DType::U64), e.add(count, count));
            let room = e.bitcast(room, DType::U64);
            (e.select(below, from_end, wide), e.prim(Prim::Le, &[room, distance]))
        } else {
            (wide, e.prim(Prim::Le, &[count, wide]))
        };
        let fault = Fault::Index { index, axis: axis as u32, len: len.clone() };
        self.graph.refuse(outside, fault, at);
        place
    }

    /// `a[start:stop:step]`: a run of positions.
    fn positions(
        &mut self,
        operand: &Operand,
        axis: usize,
        bounds: [Option<ExprId>; 3],
        at: Span,
    ) -> Option<IndexEffect> {
        let mut forms = Vec::with_capacity(3);
        let mut broken = false;
        let values = bounds.map(|id| id.map(|id| (id, self.infer(id))));
        if let Some(window) = self.window(operand, axis, &values, at) {
            return window;
        }
        if let Some(between) = self.between(operand, axis, &values, at) {
            return between;
        }
        for bound in values.iter().cloned() {
            match self.bound(bound) {
                Ok(bound) => forms.push(bound),
                Err(()) => broken = true,
            }
        }
        if broken {
            return None;
        }
        let [start, stop, step] = [&forms[0], &forms[1], &forms[2]].map(|bound| bound.as_ref().map(|(form, _)| form));
        let dim = &operand.shape[axis];
        let step = self.slice_step(step, at)?;
        let mut open = [start, stop].into_iter().flatten().filter_map(|bound| Dim::of(bound.clone()));
        let counted = self.is_counted(dim) || open.any(|bound| self.is_counted(&bound));
        let all_known = |bound: Option<&Affine>| bound.map_or(Some(0), Affine::known).is_some();
        let found = match dim.form().and_then(|len| len.known()) {
            Some(len) if all_known(start) && all_known(stop) => {
                let known = |bound: Option<&Affine>| bound.and_then(Affine::known);
                let (first, count) = python::exact(known(start), known(stop), step, len);
                Some((Affine::constant(first), Affine::constant(count)))
            }
            _ => {
                let found = dim.form().and_then(|len| match counted {
                    true => self.symbolic_within_counts([start, stop], step, &len, MAX_COUNTS),
                    false => python::symbolic(start, stop, step, &len, false),
                });
                if let Some((_, count)) = &found {
                    self.note_sides([start, stop], step, count);
                }
                found.map(|(first, count)| (self.within_counts(first), self.within_counts(count)))
            }
        };
        let Some((first, count)) = found else {
            return self.computed_run(dim, values.each_ref(), at);
        };
        let len = Dim::of(count).unwrap_or(Dim::Const(0));
        let whole_axis = len == *dim && step == 1;
        let empty = len == Dim::Const(0);
        let start = Dim::of(first).filter(|_| !empty && !whole_axis).unwrap_or(Dim::Const(0));
        Some(IndexEffect::Run(Slice { start, step: if empty || len == Dim::Const(1) { 1 } else { step } }, len))
    }

    /// Notes the lengths that decide from which end the bounds of a slice count.
    fn note_sides(&mut self, bounds: [Option<&Affine>; 2], step: i64, count: &Affine) {
        let deciding = bounds.into_iter().flatten().filter_map(|bound| python::deciding(bound, step, count));
        for dim in deciding.filter_map(Dim::of) {
            self.graph.builder.note_length(ReadLength { dim, of: None });
        }
    }

    /// As [`python::symbolic`] where data decide. A mask keeps no more than there is, so for a mask over `n` elements
    /// `n - k` is a bound from the start. It is written as the length of `x[k:]` is, `max(0, n-k)`.
    fn symbolic_within_counts(
        &self,
        [start, stop]: [Option<&Affine>; 2],
        step: i64,
        len: &Affine,
        most_counts: usize,
    ) -> Option<(Affine, Affine)> {
        if let Some(found) = python::symbolic(start, stop, step, len, true) {
            return Some(found);
        }
        let most_counts = most_counts.checked_sub(1)?;
        let (name, most) =
            [start, stop, Some(len)].into_iter().flatten().find_map(|form| self.most_of_a_count(form))?;
        let less = format!("{name} less");
        let kept = most.plus(&Affine::name(&less), -1)?;
        let shorter = |form: &Affine| form.substitute(&|it| (it == name).then(|| kept.clone()));
        let bound = |bound: Option<&Affine>| match bound {
            None => Some(None),
            Some(bound) => shorter(bound).map(Some),
        };
        let (start, stop, len) = (bound(start)?, bound(stop)?, shorter(len)?);
        let found = self.symbolic_within_counts([start.as_ref(), stop.as_ref()], step, &len, most_counts)?;
        let left = most.plus(&Affine::name(&name).least(&most)?, -1)?;
        let back = |form: &Affine| form.substitute(&|it| (it == less).then(|| left.clone()));
        Some((back(&found.0)?, back(&found.1)?))
    }

    /// A size. What a mask leaves is written as in slices: `zeros(n-k)` is as long as `x[:n-k]`.
    pub(in crate::check) fn size_within_counts(&self, size: Dim) -> Dim {
        if !self.is_counted(&size) {
            return size;
        }
        let kept = |form: Affine| self.symbolic_within_counts([None, Some(&form)], 1, &form, MAX_COUNTS);
        size.form().and_then(kept).and_then(|(_, count)| Dim::of(count)).unwrap_or(size)
    }

    /// The form, where a mask keeps no more than there is: `min(k, n)` is `k` for a mask over `n` elements.
    pub(in crate::check) fn within_counts(&self, form: Affine) -> Affine {
        let seen = self.seen_within_counts(&form, MAX_COUNTS);
        seen.filter(Affine::is_never_negative).unwrap_or(form)
    }

    /// With `n` less a size in the place of `k`, forms see which is smaller.
    fn seen_within_counts(&self, form: &Affine, most_counts: usize) -> Option<Affine> {
        let Some((name, most)) = self.most_of_a_count(form).filter(|_| most_counts > 0) else {
            return Some(form.clone());
        };
        let put =
            |form: &Affine, name: &str, instead: &Affine| form.substitute(&|it| (it == name).then(|| instead.clone()));
        let less = format!("{name} less");
        let shorter = put(form, &name, &most.plus(&Affine::name(&less), -1)?)?;
        let seen = self.seen_within_counts(&shorter, most_counts - 1)?;
        put(&seen, &less, &most.plus(&Affine::name(&name), -1)?)
    }

    /// A name in a form that is the count of a mask, and how many elements the mask has.
    fn most_of_a_count(&self, form: &Affine) -> Option<(String, Affine)> {
        let (program, dim) = (self.graph.builder.program(), Dim::of(form.clone())?);
        self.graph
            .builder
            .lengths_in(&dim)
            .into_iter()
            .find_map(|length| Some((length.name.clone(), program.most_counted(length)?.form()?)))
    }

    /// Whether only data decide a length.
    pub(in crate::check) fn is_counted(&self, len: &Dim) -> bool {
        self.graph.builder.is_counted(len)
    }

    /// Whether only data decide one of some lengths.
    pub(in crate::check) fn any_counted<'d>(&self, shapes: impl IntoIterator<Item = &'d [Dim]>) -> bool {
        shapes.into_iter().flatten().any(|dim| self.graph.builder.is_counted(dim))
    }

    /// A bound of a slice, if there is one. `Err` says that an error was reported.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value is a bound")]
    pub(in crate::check) fn bound(&mut self, bound: Option<(ExprId, Value)>) -> Result<Option<(Affine, Span)>, ()> {
        let Some((id, value)) = bound else { return Ok(None) };
        let at = self.frame.script.expr(id).span;
        if let Some(form) = self.form(&value) {
            return Ok(Some((form, at)));
        }
        match value {
            Value::Error => Err(()),
            // Beyond 63 bits is beyond every end: clipped.
            Value::Const(Const::Int(bound)) => {
                let far = if bound.sign() == num_bigint::Sign::Minus { i64::MIN } else { i64::MAX };
                Ok(Some((Affine::constant(far), at)))
            }
            Value::None => Ok(None),
            value => {
                let is_array = match &value {
                    Value::Computed(computed) => !self.graph.builder.shape(computed.node).is_empty(),
                    Value::Literal(_) => true,
                    _ => false,
                };
                let integer = matches!(&value, Value::Computed(computed)
                    if computed.elem.kind().is_integer());
                let text = self.text(at).to_owned();
                let what = match &value {
                    Value::Computed(computed) => Some(computed.elem),
                    Value::Const(value) => Some(value.elem()),
                    _ => None,
                };
                self.error(match what {
                    _ if is_array && (integer || what.is_none()) => report::array_as_bound(at),
                    Some(_) if integer => report::computed_bound(&text, at),
                    Some(elem) => report::bound_not_integer(elem, &text, at),
                    None => report::not_an_index(value.describe(), at),
                });
                Err(())
            }
        }
    }
}
