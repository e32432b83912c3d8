//! `sum(x, dtype=f64, where=m, initial=1)`: what a reduction is told beside its axes.
//!
//! Elements are converted first, those that do not take part become what changes nothing, and the result is combined
//! with `initial`, which becomes its dtype.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ops::masked::{self, MaskFiller};
use crate::ops::{self, Op, Role};
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind};

/// What is left to do with the result.
#[derive(Default)]
pub(super) struct AfterReduction {
    /// The dtype of the result, and where it is written.
    pub(in crate::check::infer) dtype: Option<(DType, Span)>,
    pub(super) initial: Option<(Value, Span)>,
}

/// The argument of a role, taken from the others.
fn taken(op: &Op, given: &mut [GivenValue], role: Role) -> Option<(Value, Span)> {
    let place = op.params.iter().position(|param| param.role == role)?;
    given[place].take().filter(|(value, _)| !matches!(value, Value::None))
}

impl Ctx<'_> {
    /// Does what comes before a reduction, and answers what comes after it, or the value, where that is all.
    pub(super) fn before_reduction(
        &mut self,
        op: &'static Op,
        given: &mut Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Result<AfterReduction, Value> {
        let mut after = AfterReduction::default();
        if let Some((dtype, dtype_span)) = taken(op, given, Role::DType) {
            let dtype = self.dtype_of(&dtype, dtype_span).ok_or(Value::Error)?;
            let (value, value_span) = given[0].take().ok_or(Value::Error)?;
            let system = self.settings.system;
            if !system.rule_of(op.into()).asked.dtypes.contains(dtype.into()) {
                let operand = self.operand(value, value_span).ok_or(Value::Error)?;
                return Err(self.error(report::asked_dtype_refused(op.shown(), dtype, &operand, system.name, at)));
            }
            let value = self.cast(value, value_span, dtype, value_span);
            given[0] = Some((value, value_span));
            after.dtype = Some((dtype, dtype_span));
        }
        after.initial = taken(op, given, Role::Filling);
        let Some((mask, mask_span)) = taken(op, given, Role::Condition) else { return Ok(after) };
        let Some(reducer) = masked::of(op) else { return Ok(after) };
        let fill = match reducer.masked {
            MaskFiller::Neutral(number) => Value::Const(crate::constant::Const::Int(number.into())),
            MaskFiller::Initial => match &after.initial {
                Some((value, _)) => value.clone(),
                None => return Err(self.error(report::initial_needed(op, at))),
            },
            MaskFiller::Ways(ways) => {
                let place = op.params.iter().position(|param| param.role == Role::Condition);
                given[place.ok_or(Value::Error)?] = Some((mask, mask_span));
                if let Some((value, value_span)) = given[0].take() {
                    let value = self.averaged_bool(op, value, value_span, at).ok_or(Value::Error)?;
                    given[0] = Some((value, value_span));
                }
                let value = self.call_written((op, ways), std::mem::take(given), span, at);
                return Err(self.after_reduction(op, after, value, span, at));
            }
        };
        let select = ops::by_name("where").ok_or(Value::Error)?;
        let (value, value_span) = given[0].take().ok_or(Value::Error)?;
        // What a reduction starts with becomes the dtype of the elements, and so does what stands for a bool.
        let starts = matches!(reducer.masked, MaskFiller::Initial);
        let elem = self.operand(value.clone(), value_span).map(|operand| operand.elem);
        let fill = match elem {
            Some(Elem::Strong(dtype)) if starts || dtype == DType::Bool => self.cast(fill, mask_span, dtype, mask_span),
            _ => fill,
        };
        let parts = vec![Some((mask, mask_span)), Some((value, value_span)), Some((fill, mask_span))];
        given[0] = Some((self.call_builtin(select, parts, span, at), value_span));
        Ok(after)
    }

    /// A `bool` in the dtype that it is averaged in: the code of the row has a number beside it, which would decide
    /// otherwise. What is none stays.
    fn averaged_bool(&mut self, op: &'static Op, value: Value, value_span: Span, at: Span) -> Option<Value> {
        let operand = self.operand(value.clone(), value_span)?;
        if operand.elem.kind() != Kind::Bool {
            return Some(value);
        }
        let (decision, nodes) = self.meet_for(op, &[operand], at)?;
        let dtype = self.settings.harden(decision.compute);
        Some(self.computed_value(nodes[0], dtype.into(), value_span))
    }

    /// What stands for an operand without elements where a reduction starts with a value: that value alone.
    pub(super) fn initial_alone(
        &mut self,
        operand: &Operand,
        axes: &[usize],
        initial: &(Value, Span),
    ) -> Option<Operand> {
        let (value, span) = initial.clone();
        let dtype = self.settings.harden(operand.elem);
        let value = self.cast(value, span, dtype, span);
        let one = self.operand(value, span)?;
        let mut shape = operand.shape.clone();
        axes.iter().for_each(|&axis| shape[axis] = Dim::Const(1));
        let node = self.node(&one)?;
        let node = self.graph.builder.broadcast(node, &shape);
        self.operand(Self::view_of(&one, node), span)
    }

    /// The result of a reduction, with what it starts with, in the dtype that was given.
    pub(super) fn after_reduction(
        &mut self,
        op: &'static Op,
        after: AfterReduction,
        result: Value,
        span: Span,
        at: Span,
    ) -> Value {
        let combine = masked::of(op).and_then(|reducer| ops::by_name(reducer.combine?));
        let mut result = result;
        if let (Some((initial, initial_span)), Some(combine), Value::Computed(computed)) =
            (after.initial, combine, &result)
        {
            let dtype = self.graph.builder.dtype(computed.node);
            let initial = self.cast(initial, initial_span, dtype, initial_span);
            result = self.call_builtin(combine, vec![Some((initial, initial_span)), Some((result, span))], span, at);
        }
        match (after.dtype, &result) {
            (Some((dtype, _)), Value::Computed(computed)) if computed.elem != Elem::Strong(dtype) => {
                self.cast(result, span, dtype, span)
            }
            _ => result,
        }
    }
}
