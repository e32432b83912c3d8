//! The same elements in another shape or order.

use crate::array::Array;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::ir::{NodeId, Slice, View};
use crate::ops::{Op, Rearrangement};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::types::{Affine, DType, Dim, Shape, shape};

/// How far elements are shifted.
#[derive(Clone, Copy)]
enum ShiftBy {
    Known(i64),
    /// By an `i64` scalar of the run, or a length.
    Computed(NodeId),
}

impl Ctx<'_> {
    /// A row whose arguments are shapes, axes and counts.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other row is of one array, which comes first")]
    pub(in crate::check) fn layout(
        &mut self,
        op: &'static Op,
        layout: Rearrangement,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        match layout {
            Rearrangement::Stack => return self.stack(op, given, span, at),
            Rearrangement::Concat => return self.concat(op, given, span, at),
            Rearrangement::Diff => return self.diff(op, given, span, at),
            Rearrangement::Pad => return self.pad(op, given, span),
            Rearrangement::Beside(how) => return self.beside(op, how, given, span, at),
            Rearrangement::Block => return self.in_blocks(op, given, span, at),
            Rearrangement::Arrange(how) => return self.arrange((op, how), given, span).unwrap_or(Value::Error),
            _ => {}
        }
        let mut given = given.into_iter();
        let Some(operand) = self.array_given(given.next().flatten()) else { return Value::Error };
        let rest: Vec<GivenValue> = given.collect();
        let made = match layout {
            Rearrangement::Ravel => self.flatten(&operand, span).map(Operand::into_value),
            Rearrangement::Reshape => self.reshaped(&operand, rest, span),
            Rearrangement::BroadcastTo => self.repeated(&operand, rest, span),
            Rearrangement::Transpose => self.transposed(&operand, rest),
            Rearrangement::SwapAxes => self.swapped(&operand, rest),
            Rearrangement::ExpandDims => self.expanded(&operand, rest, span),
            Rearrangement::Squeeze => self.squeezed(&operand, rest),
            Rearrangement::Flip => self.flipped(&operand, rest),
            Rearrangement::Roll => self.shifted(&operand, rest, span),
            Rearrangement::Take => self.taken(&operand, rest, span),
            Rearrangement::Stack
            | Rearrangement::Concat
            | Rearrangement::Diff
            | Rearrangement::Pad
            | Rearrangement::Beside(_)
            | Rearrangement::Block
            | Rearrangement::Arrange(_) => None,
        };
        made.unwrap_or(Value::Error)
    }

    /// The operand that a row is about.
    pub(in crate::check) fn array_given(&mut self, given: GivenValue) -> Option<Operand> {
        let (value, span) = given?;
        let operand = self.operand(value, span)?;
        self.as_array(operand)
    }

    /// What becomes an array has a dtype of its own where only numbers of the text are weak.
    pub(in crate::check) fn as_array(&mut self, operand: Operand) -> Option<Operand> {
        if !operand.elem.is_weak() || self.settings.system.weak.results {
            return Some(operand);
        }
        let dtype = self.settings.harden(operand.elem);
        let node = self.exact(&operand, dtype, None)?;
        Some(Operand { form: OperandForm::Node(node, None), elem: dtype.into(), ..operand })
    }

    fn reshape_to(&mut self, operand: &Operand, shape: Shape, span: Span) -> Option<Value> {
        let dtype = self.settings.harden(operand.elem);
        if !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        let node = self.node(operand)?;
        let node = self.graph.builder.view(node, View::Reshape, shape);
        Some(Self::view_of(operand, node))
    }

    fn reshaped(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let (sizes, at) = given.into_iter().next().flatten()?;
        let items = sizes.items();
        let total = self.known_count(operand, span)?;
        let (mut dims, mut open) = (Shape::new(), None);
        for item in items {
            match self.form(&item) {
                Some(form) if form.known() == Some(-1) => {
                    if open.replace(dims.len()).is_some() {
                        self.error(report::two_open_lengths(at));
                        return None;
                    }
                    dims.push(Dim::Const(1));
                }
                Some(form) => match Dim::of(form.clone()) {
                    Some(dim) => dims.push(dim),
                    None => {
                        self.error(report::negative_size(form.constant, at));
                        return None;
                    }
                },
                None => {
                    self.whole(&item, at, "a size")?;
                }
            }
        }
        let Some(product) = Self::element_count(&dims) else {
            self.report_uncounted(operand, &dims, span);
            return None;
        };
        if let Some(open) = open {
            let (Some(all), Some(others)) = (total.form(), product.form()) else { return None };
            let exact = all.floor_divide(&others).filter(|len| len.multiply(&others).as_ref() == Some(&all));
            match exact.and_then(Dim::of) {
                Some(len) => dims[open] = len,
                None => {
                    let diagnostic = report::no_open_length(operand, &dims, open, &total, &product, at);
                    let diagnostic = self.with_names(diagnostic, [&total, &product]);
                    self.error(diagnostic);
                    return None;
                }
            }
        } else if total != product {
            let mut diagnostic = report::reshape_count(operand, &dims, &total, &product, at);
            if let Some(way) = self.said_by_call([&total, &product]) {
                diagnostic = diagnostic.help(way.text);
            }
            let diagnostic = self.with_names(diagnostic, [&total, &product]);
            self.typed.single_axes.misfit(&total, &product);
            self.error(diagnostic);
            return None;
        }
        self.reshape_to(operand, dims, span)
    }

    /// Reports a shape whose elements cannot be counted: there are too many, or there is no form for how many.
    pub(in crate::check) fn report_uncounted(&mut self, operand: &Operand, dims: &[Dim], span: Span) -> Value {
        match dims.iter().all(|dim| dim.known().is_some()) {
            true => self.error(report::too_large(&[], self.settings.harden(operand.elem), span)),
            false => self.error(report::open_count(operand, span)),
        }
    }

    fn repeated(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let (sizes, at) = given.into_iter().next().flatten()?;
        let dims = self.shape_given(sizes, at)?;
        if shape::broadcast(&operand.shape, &dims).ok().as_ref() != Some(&dims) {
            let diagnostic = report::not_repeated(operand, &dims, at);
            let diagnostic = self.with_names(diagnostic, operand.shape.iter().chain(&dims));
            self.error(diagnostic);
            return None;
        }
        let dtype = self.settings.harden(operand.elem);
        if !self.extent_fits(&dims, dtype, span) {
            return None;
        }
        let node = self.node(operand)?;
        let node = self.graph.builder.broadcast(node, &dims);
        Some(Self::view_of(operand, node))
    }

    pub(in crate::check) fn permute(&mut self, operand: &Operand, order: Vec<usize>) -> Option<Value> {
        let node = self.node(operand)?;
        let shape = order.iter().map(|&axis| operand.shape[axis].clone()).collect();
        let order = order.into_iter().map(|axis| axis as u32).collect();
        let node = self.graph.builder.view(node, View::Transpose(order), shape);
        Some(Self::view_of(operand, node))
    }

    fn transposed(&mut self, operand: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let rank = operand.shape.len();
        let Some((axes, at)) = given.into_iter().next().flatten() else {
            return self.permute(operand, (0..rank).rev().collect());
        };
        let Some(list) = self.axes_given(axes, at)? else { return self.permute(operand, (0..rank).rev().collect()) };
        let sorted = self.resolve_axes(operand, &list, at)?;
        if sorted.len() != rank {
            self.error(report::not_all_axes(operand, self.text(operand.span), &list, at));
            return None;
        }
        let from_start = |axis: i64| if axis < 0 { axis + rank as i64 } else { axis } as usize;
        self.permute(operand, list.into_iter().map(from_start).collect())
    }

    fn swapped(&mut self, operand: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let mut axes = Vec::with_capacity(2);
        for (value, at) in given.into_iter().flatten() {
            let axis = self.whole(&value, at, "an axis")?;
            axes.extend(self.resolve_axes(operand, &[axis], at)?);
        }
        let [first, second] = axes[..] else { return None };
        let mut order: Vec<usize> = (0..operand.shape.len()).collect();
        order.swap(first, second);
        self.permute(operand, order)
    }

    /// Where the new axes of a result are, ascending; they count among all of its axes.
    pub(in crate::check) fn new_axes(&mut self, operand: &Operand, list: &[i64], at: Span) -> Option<Vec<usize>> {
        let mut result = operand.clone();
        result.shape.extend(list.iter().map(|_| Dim::Const(1)));
        self.resolve_axes(&result, list, at)
    }

    fn expanded(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let (axes, at) = given.into_iter().next().flatten()?;
        let list = self.axes_given(axes, at)?.unwrap_or_default();
        let mut shape = operand.shape.clone();
        for axis in self.new_axes(operand, &list, at)? {
            shape.insert(axis, Dim::Const(1));
        }
        self.reshape_to(operand, shape, span)
    }

    fn squeezed(&mut self, operand: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let axes = match given.into_iter().next().flatten() {
            None | Some((Value::None, _)) => {
                self.typed.single_axes.axes_to_remove((operand.span, self.calls.depth.site), &operand.shape)
            }
            Some((axes, at)) => {
                let list = self.axes_given(axes, at)?.unwrap_or_default();
                let axes = self.resolve_axes(operand, &list, at)?;
                if let Some(&axis) = axes.iter().find(|&&axis| !self.is_at_most_one(&operand.shape[axis])) {
                    self.error(report::not_single(operand, axis, at));
                    return None;
                }
                axes
            }
        };
        let kept = operand.shape.iter().enumerate().filter(|(axis, _)| !axes.contains(axis));
        let shape = kept.map(|(_, dim)| dim.clone()).collect();
        let mut lens = operand.shape.clone();
        axes.iter().for_each(|&axis| lens[axis] = Dim::Const(1));
        if lens == operand.shape {
            return self.reshape_to(operand, shape, operand.span);
        }
        // There is an element to take: a run knows all lengths, and a library looks whether a slice lies in its array.
        let node = self.node(operand)?;
        let node = self.graph.builder.slice(node, &vec![Slice::all(); lens.len()], lens);
        let node = self.graph.builder.view(node, View::Reshape, shape);
        Some(Self::view_of(operand, node))
    }

    /// Whether a length is 1 wherever there is an element at all: that of `x[:1]`, if data does not decide it.
    fn is_at_most_one(&self, len: &Dim) -> bool {
        let least = |len: Affine| len.least(&Affine::constant(1));
        *len == Dim::Const(1)
            || len.known().is_none() && !self.is_counted(len) && len.form().and_then(least) == len.form()
    }

    fn flipped(&mut self, operand: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let axes = self.axes_or_all(operand, given.into_iter().next().flatten())?;
        self.flip_along(operand, &axes)
    }

    /// The same elements backwards along axes.
    pub(in crate::check) fn flip_along(&mut self, operand: &Operand, axes: &[usize]) -> Option<Value> {
        let node = self.node(operand)?;
        let mut region = vec![Slice::all(); operand.shape.len()];
        for &axis in axes {
            let last = operand.shape[axis].add_scaled(&Dim::Const(1), -1).unwrap_or(Dim::Const(0));
            let short = matches!(operand.shape[axis], Dim::Const(0 | 1));
            region[axis] = if short { Slice::all() } else { Slice { start: last, step: -1 } };
        }
        let node = self.graph.builder.slice(node, &region, operand.shape.clone());
        Some(Self::view_of(operand, node))
    }

    /// The axes that are given, or all.
    fn axes_or_all(&mut self, operand: &Operand, given: GivenValue) -> Option<Vec<usize>> {
        let Some((value, at)) = given else { return Some((0..operand.shape.len()).collect()) };
        match self.axes_given(value, at)? {
            None => Some((0..operand.shape.len()).collect()),
            Some(list) => self.resolve_axes(operand, &list, at),
        }
    }

    fn shifted(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let mut given = given.into_iter();
        let (shift, at) = given.next().flatten()?;
        let shifts = shift.items();
        let shifts = shifts.iter().map(|item| self.shift_given(item, at)).collect::<Option<Vec<ShiftBy>>>()?;
        let axes = match given.next().flatten() {
            None | Some((Value::None, _)) => None,
            Some((value, axes_at)) => self.axes_given(value, axes_at)?.map(|list| (list, axes_at)),
        };
        let Some((list, axes_at)) = axes else {
            let flat = self.flatten(operand, span)?;
            let mut node = self.node(&flat)?;
            for shift in shifts {
                node = self.rolled_along(operand, node, 0, shift, span)?;
            }
            let node = self.graph.builder.view(node, View::Reshape, operand.shape.clone());
            return Some(Self::view_of(operand, node));
        };
        if shifts.len() != list.len() && shifts.len() != 1 {
            self.error(report::shift_count(shifts.len(), list.len(), at));
            return None;
        }
        let mut node = self.node(operand)?;
        for (index, &axis) in list.iter().enumerate() {
            let axis = self.resolve_axes(operand, &[axis], axes_at)?[0];
            node = self.rolled_along(operand, node, axis, shifts[index % shifts.len()], span)?;
        }
        Some(Self::view_of(operand, node))
    }

    fn shift_given(&mut self, item: &Value, at: Span) -> Option<ShiftBy> {
        if let Value::Dim(Dim::Affine(form)) = item {
            return Some(ShiftBy::Computed(self.size_node(form)));
        }
        match self.computed_integer(item) {
            Some(node) => Some(ShiftBy::Computed(self.as_long(node))),
            None => self.whole(item, at, "a shift").map(ShiftBy::Known),
        }
    }

    fn rolled_along(
        &mut self,
        operand: &Operand,
        node: NodeId,
        axis: usize,
        shift: ShiftBy,
        span: Span,
    ) -> Option<NodeId> {
        let rolled = match shift {
            ShiftBy::Known(shift) => self.roll_axis(node, axis, shift),
            ShiftBy::Computed(shift) => Some(self.rolled_by(node, axis, shift)),
        };
        if rolled.is_none() {
            self.error(report::open_count(operand, span));
        }
        rolled
    }

    fn taken(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let mut given = given.into_iter();
        let (indices, at) = given.next().flatten()?;
        let indices = self.index_operand(indices, at)?;
        let (operand, axis) = match given.next().flatten() {
            None | Some((Value::None, _)) => (self.flatten(operand, span)?, 0),
            Some((axis, axis_at)) => {
                let axis = self.whole(&axis, axis_at, "an axis")?;
                (operand.clone(), self.resolve_axes(operand, &[axis], axis_at)?[0])
            }
        };
        let shape = crate::ir::build::gathered_shape(&operand.shape, &indices.shape, axis);
        if !self.extent_fits(&shape, self.settings.harden(operand.elem), span) {
            return None;
        }
        let positions = match self.known_positions(&operand, axis, &indices, at)? {
            Some(array) => self.array(array, at),
            None => {
                let node = self.node(&indices)?;
                self.guarded_position(node, axis, &operand.shape[axis], at)
            }
        };
        let node = self.node(&operand)?;
        let node = self.graph.builder.gather(node, positions, axis);
        Some(Self::view_of(&operand, node))
    }

    /// Positions that are written as literals are checked now, when the length of the axis is known too.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for what is not known")]
    pub(in crate::check) fn known_positions(
        &mut self,
        operand: &Operand,
        axis: usize,
        indices: &Operand,
        at: Span,
    ) -> Option<Option<Array>> {
        let consts = match &indices.form {
            OperandForm::Const(value) => vec![value.clone()],
            OperandForm::Literal(literal) => literal.consts.clone(),
            OperandForm::Node(..) => return Some(None),
        };
        if operand.shape[axis].known().is_none() {
            return Some(None);
        }
        let mut positions = Vec::with_capacity(consts.len());
        for value in consts {
            let form = self.form(&Value::Const(value)).unwrap_or(Affine::constant(i64::MAX));
            let position = self.static_position(operand, axis, &form, at)?;
            positions.push(Scalar::of(position.known().unwrap_or(0) as i64));
        }
        let sizes = shape::sizes(&indices.shape).unwrap_or_default();
        Some(Some(Array::from_scalars(DType::I64, &sizes, positions)))
    }
}

impl Operand {
    /// The value that it is an operand of.
    pub(in crate::check) fn into_value(self) -> Value {
        match self.form {
            OperandForm::Const(value) => Value::Const(value),
            OperandForm::Literal(literal) => Value::Literal(literal),
            OperandForm::Node(node, arms) => {
                Value::Computed(NodeValue { node, elem: self.elem, origin: self.origin, arms })
            }
        }
    }
}
