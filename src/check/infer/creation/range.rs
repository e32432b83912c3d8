//! Numbers in a row: `arange` and `linspace`.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::f64_origins::Cause;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::{Const, Misfit};
use crate::ir::{Fault, NodeId};
use crate::ops::Op;
use crate::ops::elsewhere::is_atom;
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{Affine, DType, Dim, Elem, Kind};
use num_bigint::BigInt;
use num_traits::{FromPrimitive, ToPrimitive};

/// A bound of a range.
#[derive(Clone)]
enum RangeBound {
    Number(Const),
    Dim(Dim),
    /// An `i64` that only the run knows.
    Computed(NodeId),
}

impl Ctx<'_> {
    pub(in crate::check) fn range(&mut self, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let [start, stop, step, dtype]: [GivenValue; 4] = given.try_into().expect("the row has four parameters");
        let (start, stop) = match (start, stop) {
            (start, None | Some((Value::None, _))) => (None, start),
            (start, stop) => (start, stop),
        };
        let (stop, stop_span) = stop?;
        let counted = self.counted_text(&start, &step);
        let stop = self.bound_given(stop, &counted, stop_span)?;
        let mut number = |given: GivenValue, default: i32| match given {
            None => Some(RangeBound::Number(Const::Int(default.into()))),
            Some((value, at)) => self.bound_given(value, &counted, at),
        };
        let (start, step) = (number(start, 0)?, number(step, 1)?);
        let dtype = self.dtype_given(dtype)?;
        match (start, stop, step) {
            (RangeBound::Number(start), RangeBound::Number(stop), RangeBound::Number(step)) => {
                match (&start, &stop, &step) {
                    (Const::Int(start), Const::Int(stop), Const::Int(step)) => {
                        self.integer_range(start, stop, step, dtype, span)
                    }
                    _ => self.float_range(start.parts().0, stop.parts().0, step.parts().0, dtype, span),
                }
            }
            (start, stop, step)
                if [&start, &stop, &step].iter().any(|bound| matches!(bound, RangeBound::Computed(_))) =>
            {
                self.counted_range([start, stop, step], dtype, span)
            }
            (start, stop, step) => self.symbolic_range(start, stop, step, dtype, span),
        }
    }

    /// A range as it is written with the number of its steps: `start + step*arange(n)`.
    fn counted_text(&self, start: &GivenValue, step: &GivenValue) -> String {
        let text = |given: &GivenValue| given.as_ref().map(|(_, span)| self.text(*span));
        let operand = |text: &str| if is_atom(text) { text.to_owned() } else { format!("({text})") };
        let start =
            text(start).filter(|text| *text != "0").map_or_else(String::new, |text| format!("{} + ", operand(text)));
        let step =
            text(step).filter(|text| *text != "1").map_or_else(String::new, |text| format!("{}*", operand(text)));
        format!("{start}{step}arange(n)")
    }

    /// A bound; `counted` is the range as it is written with the number of its steps.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value is a bound")]
    fn bound_given(&mut self, value: Value, counted: &str, span: Span) -> Option<RangeBound> {
        match value {
            Value::Const(value) if value.elem() != Elem::WeakComplex => Some(RangeBound::Number(value)),
            Value::Dim(dim @ Dim::Affine(_)) => Some(RangeBound::Dim(dim)),
            Value::Const(_) | Value::Computed(_) | Value::Dim(_) | Value::Tuple(_) => {
                if let Some(node) = self.computed_integer(&value) {
                    return Some(RangeBound::Computed(self.long_bound(node)));
                }
                if let Value::Computed(computed) = &value
                    && computed.elem.kind() == Kind::Float
                    && self.graph.builder.shape(computed.node).is_empty()
                {
                    let operand = self.operand(value, span)?;
                    self.error(report::bound_of_data(&operand, counted, span));
                    return None;
                }
                let whole = self.whole(&value, span, "a bound of `arange`")?;
                Some(RangeBound::Number(Const::Int(whole.into())))
            }
            Value::Error => None,
            _ => {
                self.error(report::not_a_whole_number("a bound of `arange`", span));
                None
            }
        }
    }

    fn integer_range(
        &mut self,
        start: &BigInt,
        stop: &BigInt,
        step: &BigInt,
        dtype: Option<DType>,
        span: Span,
    ) -> Option<Value> {
        if crate::constant::is_zero(step) {
            self.error(report::zero_step(span));
            return None;
        }
        let one = BigInt::from(if step.sign() == num_bigint::Sign::Minus { 1 } else { -1 });
        let count: BigInt = ((stop - start + step + &one) / step).max(BigInt::ZERO);
        let last = start + step * BigInt::max(&count - 1, BigInt::ZERO);
        let dtype = dtype.unwrap_or_else(|| self.settings.harden(Elem::WeakInt));
        // Of no elements none leaves the dtype.
        let is_held = |bound: &BigInt| count == BigInt::ZERO && bound.to_i64().is_some();
        for bound in [start, &last].into_iter().filter(|&bound| !is_held(bound)) {
            if let Err(misfit) = Const::Int(bound.clone()).fit(dtype) {
                self.error(report::range_misfit(bound, misfit, dtype, span));
                return None;
            }
        }
        let before = if count > BigInt::from(1) { &last - step } else { last.clone() };
        for bound in [start, &last, &before].map(|bound| Const::Int(bound.clone())) {
            if count > BigInt::ZERO
                && let Ok(becomes) = bound.fit(dtype)
                && !span.source.is_library()
                && self.lossy_literal(&bound, becomes, span)
            {
                break;
            }
        }
        let Some(count) = count.to_u64() else {
            self.error(report::too_large(&[], dtype, span));
            return None;
        };
        let dim = Dim::Const(count);
        if !self.extent_fits(std::slice::from_ref(&dim), dtype, span) {
            return None;
        }
        let mut e = self.graph.expand();
        // Wrapping arithmetic in 64 bits is exact for every element, as the ends fit.
        let start = e.integer(DType::I64, start.to_i128().unwrap_or(0));
        Some(self.stepped(dim, start, step.to_i128().unwrap_or(0), dtype, span))
    }

    /// A range whose length data decides.
    fn counted_range(
        &mut self,
        [start, stop, step]: [RangeBound; 3],
        dtype: Option<DType>,
        span: Span,
    ) -> Option<Value> {
        let step = match step {
            RangeBound::Number(Const::Int(step)) => step.to_i64(),
            RangeBound::Number(_) | RangeBound::Dim(_) | RangeBound::Computed(_) => None,
        };
        let Some(step) = step.filter(|step| *step != 0) else {
            self.error(match step {
                Some(_) => report::zero_step(span),
                None => report::whole_of_data("the step of `arange`", span),
            });
            return None;
        };
        let mut node = |bound: RangeBound| match bound {
            RangeBound::Computed(node) => Some(node),
            RangeBound::Dim(dim) => Some(self.length_node(&dim)),
            RangeBound::Number(Const::Int(value)) => Some(self.graph.expand().whole(value.to_i64()?)),
            RangeBound::Number(_) => None,
        };
        let (Some(start), Some(stop)) = (node(start), node(stop)) else {
            self.error(report::not_a_whole_number("a bound of `arange`", span));
            return None;
        };
        let (far, near) = if step > 0 { (stop, start) } else { (start, stop) };
        // From 0 on there are as many as in `zeros(stop)`.
        let distance = match self.graph.builder.as_constant(near).map(|near| near.bits) {
            Some(0) => far,
            _ => self.distance(far, near, span),
        };
        let distance = self.straight(distance);
        let count = self.steps_within(distance, step);
        let dtype = dtype.unwrap_or_else(|| self.settings.harden(Elem::WeakInt));
        self.range_fits(start, count, step, dtype, span);
        let dim = self.counted_length(count, span);
        Some(self.stepped(dim, start, step.into(), dtype, span))
    }

    /// How far two ends are apart; refused, when the program runs, where no `i64` holds that.
    fn distance(&mut self, far: NodeId, near: NodeId, span: Span) -> NodeId {
        let mut e = self.graph.expand();
        let distance = e.0.map(Prim::Sub, &[far, near]);
        let zero = e.whole(0);
        let (ahead, below) = (e.prim(Prim::Lt, &[near, far]), e.prim(Prim::Lt, &[distance, zero]));
        let wrapped = e.prim(Prim::And, &[ahead, below]);
        let text = "`arange` from or to {value} is longer than any array";
        self.graph.refuse(wrapped, Fault::Refused { text, value: far }, span);
        distance
    }

    /// Refuses a range, when the program runs, whose ends a narrower integer does not hold.
    fn range_fits(&mut self, start: NodeId, count: NodeId, step: i64, dtype: DType, span: Span) {
        let Some((low, high)) = dtype.integer_range().filter(|_| dtype.size() < DType::I64.size()) else { return };
        let mut e = self.graph.expand();
        let (one, by) = (e.whole(1), e.whole(step));
        let steps = e.prim(Prim::Sub, &[count, one]);
        let zero = e.whole(0);
        let steps = e.prim(Prim::Max, &[steps, zero]);
        let far = e.prim(Prim::Mul, &[steps, by]);
        let last = e.prim(Prim::Add, &[start, far]);
        let (low, high) = (e.integer(DType::I64, low), e.integer(DType::I64, high));
        let any = e.prim(Prim::Lt, &[zero, count]);
        for end in [start, last] {
            let mut e = self.graph.expand();
            let (below, above) = (e.prim(Prim::Lt, &[end, low]), e.prim(Prim::Lt, &[high, end]));
            let outside = e.prim(Prim::Or, &[below, above]);
            let outside = e.prim(Prim::And, &[any, outside]);
            let text = "`arange` comes to {value}, which its dtype does not hold";
            self.graph.refuse(outside, Fault::Refused { text, value: end }, span);
        }
    }

    /// A range whose length has a name.
    fn symbolic_range(
        &mut self,
        start: RangeBound,
        stop: RangeBound,
        step: RangeBound,
        dtype: Option<DType>,
        span: Span,
    ) -> Option<Value> {
        let unknown = [&stop, &start, &step].into_iter().find_map(|bound| match bound {
            RangeBound::Dim(dim) => Some(dim.clone()),
            RangeBound::Number(_) | RangeBound::Computed(_) => None,
        });
        let form = |bound: &RangeBound| match bound {
            RangeBound::Dim(dim) => dim.form(),
            RangeBound::Number(Const::Int(value)) => value.to_i64().map(Affine::constant),
            RangeBound::Number(_) | RangeBound::Computed(_) => None,
        };
        if form(&step).and_then(|step| step.known()) == Some(0) {
            self.error(report::zero_step(span));
            return None;
        }
        let found = form(&start).zip(form(&stop)).zip(form(&step)).and_then(|((start, stop), step)| {
            let step = step.known()?;
            let (far, near) = if step > 0 { (&stop, &start) } else { (&start, &stop) };
            let distance = self.distance_within_counts(far.plus(near, -1)?);
            // The distance and what is missing in its last step: rounded up.
            let size = step.checked_abs()?;
            let count = distance.plus(&Affine::constant(size - 1), 1)?.floor_divide(&Affine::constant(size))?;
            Some((Dim::of(count)?, Dim::of(start)?, step))
        });
        let Some((count, start, step)) = found else {
            let dim = unknown.expect("one bound is a dimension");
            self.error(report::symbolic_dimension("a bound of `arange`", &dim, span));
            return None;
        };
        let dtype = dtype.unwrap_or_else(|| self.settings.harden(Elem::WeakInt));
        let start = self.length_node(&start);
        Some(self.stepped(count, start, step.into(), dtype, span))
    }

    /// How far two ends are apart. Where data decide that, there may be nothing between: `max(0, distance)`.
    fn distance_within_counts(&self, distance: Affine) -> Affine {
        let is_counted = Dim::of(distance.clone()).is_some_and(|dim| self.is_counted(&dim));
        if !is_counted || distance.is_never_negative() {
            return distance;
        }
        distance.or_none().unwrap_or(distance)
    }

    /// `start + i*step` in 64 bits, then in the dtype.
    fn stepped(&mut self, count: Dim, start: NodeId, step: i128, dtype: DType, span: Span) -> Value {
        let index = self.graph.builder.iota(0, vec![count]);
        let mut e = self.graph.expand();
        let zero = e.0.as_constant(start).is_some_and(|start| start.bits == 0);
        let step = (step != 1).then(|| e.integer(DType::I64, step));
        let node = step.map_or(index, |step| e.mul(index, step));
        let node = if zero { node } else { e.add(node, start) };
        let node = e.convert(node, dtype);
        self.computed_value(node, dtype.into(), span)
    }

    fn float_range(&mut self, start: f64, stop: f64, step: f64, dtype: Option<DType>, span: Span) -> Option<Value> {
        let count = ((stop - start) / step).ceil();
        if step == 0.0 || !count.is_finite() {
            self.error(report::zero_step(span));
            return None;
        }
        let count = count.max(0.0);
        let default = self.settings.harden(Elem::WeakFloat);
        self.born(dtype.map_or(default, |_| DType::Bool), Cause::Call, span);
        let dtype = dtype.unwrap_or(default);
        if count >= 2f64.powi(62) {
            self.error(report::too_large(&[], dtype, span));
            return None;
        }
        let dims = vec![Dim::Const(count as u64)];
        if !self.extent_fits(&dims, dtype, span) {
            return None;
        }
        let ends = [start, start + (count - 1.0) * step];
        let beyond = |end: f64| misfit(BigInt::from_f64(end.trunc()), dtype);
        if dtype.is_integer()
            && count > 0.0
            && let Some((whole, misfit)) = ends.into_iter().find_map(beyond)
        {
            self.error(report::range_misfit(&whole, misfit, dtype, span));
            return None;
        }
        let index = self.graph.builder.iota(0, dims);
        let mut e = self.graph.expand();
        let index = e.convert(index, DType::F64);
        let (start, step) = (e.of(DType::F64, start), e.of(DType::F64, step));
        let scaled = e.prim(Prim::Mul, &[index, step]);
        let node = e.prim(Prim::Add, &[scaled, start]);
        let node = e.convert(node, dtype);
        Some(self.computed_value(node, dtype.into(), span))
    }

    /// `linspace(start, stop, num)`, by NumPy's formula.
    pub(in crate::check) fn linspace(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let [start, stop, num, endpoint, dtype]: [GivenValue; 5] =
            given.try_into().expect("the row has five parameters");
        let mut operands = Vec::with_capacity(2);
        for (value, value_span) in [start?, stop?] {
            let operand = self.operand(value, value_span)?;
            if !operand.shape.is_empty() {
                self.error(report::not_a_scalar(op, &operand));
                return None;
            }
            operands.push(operand);
        }
        let num = match num {
            None => Dim::Const(50),
            Some((value, value_span)) => self.size_given(value, value_span)?,
        };
        let endpoint = match endpoint {
            None => true,
            Some((value, value_span)) => self.flag(&op.params[3], value, value_span)?,
        };
        let dtype = self.dtype_given(dtype)?;
        let (decision, nodes) = self.meet_for(op, &operands, at)?;
        let default = self.settings.harden(decision.result);
        let asked = dtype.is_some() || operands.iter().any(|operand| operand.elem.strong() == Some(DType::F64));
        self.born(if asked { DType::Bool } else { default }, Cause::Call, span);
        let dtype = dtype.unwrap_or(default);
        let reached = if num == Dim::Const(0) {
            0
        } else if endpoint && num != Dim::Const(1) {
            2
        } else {
            1
        };
        for end in operands.iter().take(reached).filter_map(Operand::constant).filter(|_| dtype.is_integer()) {
            let whole = if let Const::Int(whole) = end { Some(whole.clone()) } else { None };
            if let Some((whole, misfit)) = misfit(whole.or_else(|| BigInt::from_f64(end.parts().0.floor())), dtype) {
                self.error(report::range_misfit(&whole, misfit, dtype, span));
                return None;
            }
        }
        let shape = vec![num];
        if !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        let index = self.graph.builder.iota(0, shape.clone());
        let mut e = self.graph.expand();
        let wide = e.dtype(nodes[0]).computed_in();
        let ends = [nodes[0], nodes[1]].map(|node| e.convert(node, wide));
        let node = linspace(&mut e, index, ends, &shape[0], endpoint);
        let node = if dtype.is_integer() && !e.dtype(node).is_complex() { e.prim(Prim::Floor, &[node]) } else { node };
        if e.dtype(node).is_complex() && !dtype.is_complex() && dtype != DType::Bool {
            let complex = operands.iter().find(|operand| operand.elem.kind() == Kind::Complex).unwrap_or(&operands[0]);
            self.error(report::complex_to_real(complex, dtype, span));
            return None;
        }
        let node = e.convert(node, dtype);
        Some(self.computed_value(node, dtype.into(), span))
    }
}

/// A whole number that does not fit an integer dtype, and why.
fn misfit(whole: Option<BigInt>, dtype: DType) -> Option<(BigInt, Misfit)> {
    let whole = whole?;
    let misfit = Const::Int(whole.clone()).fit(dtype).err()?;
    Some((whole, misfit))
}

/// `i*step + start` with `step = (stop - start)/div`, the last element `stop` itself; where the step is 0, as it
/// underflowed or the ends are equal, `i/div*(stop - start) + start`.
fn linspace(e: &mut Expand, index: NodeId, [start, stop]: [NodeId; 2], num: &Dim, endpoint: bool) -> NodeId {
    let dtype = e.dtype(start);
    let i = e.convert(index, dtype);
    let delta = e.sub(stop, start);
    let (count, one) = (e.dim(num), e.integer(DType::I64, 1));
    let last = e.prim(Prim::Sub, &[count, one]);
    if endpoint && *num == Dim::Const(1) {
        let offset = e.mul(i, delta);
        return e.add(offset, start);
    }
    // One number has no distance to another.
    let between = if num.known().is_none() { e.prim(Prim::Max, &[last, one]) } else { last };
    let div = e.convert(if endpoint { between } else { count }, dtype);
    let step = e.div(delta, div);
    let (zero, far) = (e.number(step, 0.0), e.mul(i, step));
    let flat = e.equal(step, zero);
    let offset = match e.0.as_constant(flat) {
        Some(flat) if flat.bits == 0 => far,
        _ => {
            let part = e.div(i, div);
            let near = e.mul(part, delta);
            e.select(flat, near, far)
        }
    };
    let node = e.add(offset, start);
    if !endpoint {
        return node;
    }
    let mut at_end = e.prim(Prim::Eq, &[index, last]);
    if num.known().is_none() {
        // The only one of one is the first.
        let none = e.integer(DType::I64, 0);
        let several = e.prim(Prim::Lt, &[none, last]);
        let several = e.broadcast(several, &vec![num.clone()]);
        at_end = e.prim(Prim::And, &[at_end, several]);
    }
    e.select(at_end, stop, node)
}
