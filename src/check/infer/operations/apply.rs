//! The application of an operation. It promotes, fits shapes, and makes the nodes that compute the result.

use crate::check::infer::Ctx;
use crate::check::infer::found::f64_origins::is_wide;
use crate::check::infer::found::facts::{AppliedOp, Expansion, Subject, WrappingPlace};
use crate::check::infer::values::literal;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::ir::build::{Conversion, ProgramBuilder};
use crate::ops::expand::Expand;
use crate::ops::{Form, Op, ScaledOperation, power};
use crate::promotion::join::Scalars;
use crate::promotion::systems::System;
use crate::promotion::verdict;
use crate::promotion::{self, Class, Decision, Operation, Refusal};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Kind, shape};
use std::borrow::Cow;
use std::sync::Arc;

/// What is applied, and where it stands.
#[derive(Clone, Copy)]
pub(in crate::check) struct Application {
    /// Who decides.
    pub(in crate::check) system: &'static System,
    pub(in crate::check) op: &'static Op,
    /// The operation whose promotion rule applies: `op`, or another one if the call leaves out optional operands.
    pub(in crate::check) called: &'static Op,
    /// The expression.
    pub(in crate::check) span: Span,
    /// The operator, or the name of the function.
    pub(in crate::check) at: Span,
    /// Whether the result is weak, where that was asked already.
    pub(in crate::check) weak: Option<bool>,
    /// Whether it is a call, and no operator.
    pub(in crate::check) is_call: bool,
}

impl Ctx<'_> {
    /// An operator between operands. `and`, `or` and `not` take `bool` only.
    pub(in crate::check) fn apply_operator(
        &mut self,
        op: &'static Op,
        operands: Vec<Operand>,
        span: Span,
        at: Span,
    ) -> Value {
        if op.class == Class::Logical
            && let Some(other) = operands.iter().find(|operand| operand.elem != Elem::Strong(DType::Bool))
        {
            return self.error(report::not_bool(op, other, self.text(other.span)));
        }
        self.apply_notation(op, operands, span, at)
    }

    /// An operation of operands and numbers.
    pub(in crate::check) fn apply_to(
        &mut self,
        asked: Application,
        conditions: &[Operand],
        operands: Vec<Operand>,
        numbers: &[f64],
    ) -> Value {
        let Application { system, op, called, span, at, .. } = asked;
        if conditions.is_empty()
            && let Some(exact) = self.exact_value(asked, &operands)
        {
            return exact;
        }
        if !self.shapes_fit(op, conditions.iter().chain(&operands), at) {
            return Value::Error;
        }
        if let Form::Compare(expand) = op.form
            && is_integer_comparison(&operands)
        {
            return self.compare_integers(asked, expand, operands);
        }
        if let (Form::Scaled(scaled), Some(Const::Int(count))) = (op.form, operands.get(1).and_then(Operand::constant))
        {
            let count = count.clone();
            return self.scale_by(asked, scaled, operands, count);
        }
        let Some((decision, nodes)) = self.meet_in(system, called, &operands, at) else { return Value::Error };
        let mut args = Vec::with_capacity(conditions.len() + nodes.len());
        for condition in conditions {
            let Some(node) = self.node(condition) else { return Value::Error };
            args.push(node);
        }
        args.extend(nodes);
        let before = self.graph.builder.program().nodes.len();
        let node = self.graph.build_guarded(self.settings.checked, |builder| expand(builder, op, &args, numbers));
        let nodes = before..self.graph.builder.program().nodes.len();
        let arms = self.arms(op, &operands);
        let is_stored = operands.iter().any(Operand::is_stored);
        let how = Expansion::Row(args, numbers.into());
        self.found(Subject::Applied(AppliedOp { op, operands, how, node, nodes, span, at }));
        if !matches!(op.form, Form::Compare(_)) {
            self.may_wrap(before, op.shown(), at);
        }
        let made = self.made(node, decision, span, arms);
        if let (Value::Const(value), true) = (&made, is_stored) {
            return Value::Const(value.clone().as_stored());
        }
        made
    }

    /// A finished node as a value of the decided type.
    pub(in crate::check) fn made(
        &mut self,
        node: NodeId,
        decision: Decision,
        span: Span,
        arms: Option<Arc<[Const]>>,
    ) -> Value {
        let dtype = self.settings.harden(decision.result);
        let node = self.graph.expand().convert(node, dtype);
        let elem = match decision.result {
            result if decision.weak && result != Elem::Strong(DType::Bool) => System::weak_of(result.kind()),
            _ => Elem::Strong(dtype),
        };
        // Where prims are guarded they stay; a literal that is made of literals is one all the same.
        let kept = || self.settings.checked.then(|| self.of_constants(node)).flatten();
        if elem.is_weak()
            && let Some(scalar) = self.graph.builder.as_constant(node).or_else(kept)
        {
            return Value::Const(literal::weak_constant(scalar));
        }
        self.born_of_operation(dtype, span);
        Value::Computed(NodeValue { node, elem, origin: span, arms: arms.filter(|_| elem.is_weak()) })
    }

    pub(in crate::check) fn shapes_fit<'o>(
        &mut self,
        op: &Op,
        operands: impl Iterator<Item = &'o Operand> + Clone,
        at: Span,
    ) -> bool {
        let mut shape: Cow<[Dim]> = Cow::Borrowed(&[]);
        for (place, operand) in operands.clone().enumerate() {
            if operand.shape.is_empty() || *operand.shape == *shape {
                continue;
            }
            if shape.is_empty() {
                shape = Cow::Borrowed(&operand.shape);
                continue;
            }
            match shape::broadcast(&shape, &operand.shape) {
                Ok(joined) => shape = Cow::Owned(joined),
                Err(mismatch) => {
                    let before: Vec<&Operand> = operands.take(place).collect();
                    let other =
                        before.iter().rev().find(|other| shape::broadcast(&other.shape, &operand.shape).is_err());
                    let other = other.copied().unwrap_or(before[0]);
                    let mut ways = self.ways_to_fit(other, operand, op.shown());
                    if let shape::Mismatch::Names { left, right, .. } = &mismatch
                        && ways.is_empty()
                    {
                        ways.extend(self.said_by_call([left, right]));
                    }
                    let counted = self.any_counted([&other.shape[..], &operand.shape]);
                    let (shape::Mismatch::Sizes { left, right, .. } | shape::Mismatch::Names { left, right, .. }) =
                        &mismatch;
                    self.typed.single_axes.misfit(left, right);
                    let found = report::shapes_differ(op.shown(), other, operand, &mismatch, (ways, counted), at);
                    let found = self.with_counts(found, [left, right]);
                    self.error(found);
                    return false;
                }
            }
        }
        true
    }

    pub(in crate::check) fn meet_for(
        &mut self,
        op: &'static Op,
        operands: &[Operand],
        at: Span,
    ) -> Option<(Decision, Vec<NodeId>)> {
        self.meet_in(self.settings.system, op, operands, at)
    }

    fn meet_in(
        &mut self,
        system: &'static System,
        op: &'static Op,
        operands: &[Operand],
        at: Span,
    ) -> Option<(Decision, Vec<NodeId>)> {
        if op.class == Class::Ordering && operands.iter().any(|operand| operand.elem.kind() == Kind::Complex) {
            self.error(report::complex_ordering(op, operands, at));
            return None;
        }
        let asked = Operand::all_asked(operands);
        if let Some(outside) = op.outside(system, &asked) {
            let refusal = Refusal::Unsupported(outside);
            self.report_refusal(refusal, op.class, op.shown(), operands, at);
            return None;
        }
        self.meet_at(system, op.into(), op.shown(), (operands, &asked), at)
    }

    pub(in crate::check) fn report_refusal(
        &mut self,
        refusal: Refusal,
        class: Class,
        shown: &str,
        operands: &[Operand],
        at: Span,
    ) {
        let system = self.settings.system.name;
        let texts: Vec<String> = operands.iter().map(|operand| self.text(operand.span).to_owned()).collect();
        self.error(report::refusal(refusal, class, shown, operands, &texts, system, at));
    }

    /// Brings operands to the type that the class computes in, reporting what that costs.
    pub(in crate::check) fn meet(
        &mut self,
        operation: impl Into<Operation>,
        shown: &'static str,
        operands: &[Operand],
        span: Span,
    ) -> Option<(Decision, Vec<NodeId>)> {
        let asked = Operand::all_asked(operands);
        self.meet_at(self.settings.system, operation.into(), shown, (operands, &asked), span)
    }

    fn meet_at(
        &mut self,
        system: &'static System,
        operation: Operation,
        shown: &'static str,
        (operands, asked): (&[Operand], &[promotion::Operand]),
        at: Span,
    ) -> Option<(Decision, Vec<NodeId>)> {
        let class = operation.class;
        let decision = self.decide(system, operation, shown, (operands, asked), at)?;
        let compute = self.settings.harden(decision.compute);
        let fractional = compute.kind().is_inexact();
        // Some systems divide integers as integers; the rows mean fractions, but for those that a system names.
        if !fractional && class.is_fractional() && !self.settings.system.names(operation.name) {
            let system = self.settings.system.name;
            let what = format!("`{shown}` of integers as integers, which `{system}` asks for,");
            self.error(report::not_supported(
                &what,
                "convert an operand first, as in `f64(x)`; integers are divided by `//`",
                at,
            ));
            return None;
        }
        if self.follows(system) && !self.costs(operation, shown, operands, decision, at) {
            return None;
        }
        if is_wide(self.settings.harden(decision.result)) {
            self.found(Subject::Meeting { shown, operands: operands.to_vec(), decision, at });
        }
        let dtype = compute;
        let meets = operands.iter().find(|operand| !operand.elem.is_weak());
        let mut nodes = Vec::with_capacity(operands.len());
        for operand in operands {
            nodes.push(self.bring(class, operand, dtype, meets)?);
        }
        self.share_words(operands, &mut nodes);
        Some((decision, nodes))
    }

    pub(super) fn decide(
        &mut self,
        system: &'static System,
        operation: Operation,
        shown: &'static str,
        (operands, asked): (&[Operand], &[promotion::Operand]),
        at: Span,
    ) -> Option<Decision> {
        let values = self.scalar_values(system, operands);
        let valued: Vec<promotion::Operand> = asked
            .iter()
            .zip(&values)
            .map(|(it, value)| promotion::Operand { value: it.value.or(value.as_ref()), ..*it })
            .collect();
        let asked = if values.is_empty() { asked } else { &valued[..] };
        let decision = promotion::result(system, operation, asked)
            .map(|it| Decision { weak: it.weak || are_python_numbers(operation.class, operands), ..it });
        if !self.follows(system) {
            // Literals are computed at their own width, whatever they become where nothing else decides.
            let own = |elem: Elem| Elem::Strong(system.harden(elem));
            return decision.ok().map(|it| Decision { compute: own(it.compute), result: own(it.result), ..it });
        }
        self.note_step(operation, shown, operands, at);
        match decision {
            Ok(decision) => Some(decision),
            Err(refusal) => {
                self.report_refusal(refusal, operation.class, shown, operands, at);
                None
            }
        }
    }

    /// The known values of scalars with a dtype, for systems that count by value. Under other systems the list is
    /// empty.
    pub(in crate::check::infer) fn scalar_values(&self, system: &System, operands: &[Operand]) -> Vec<Option<Const>> {
        if system.weak.scalars != Scalars::ByValue {
            return Vec::new();
        }
        let value = |operand: &Operand| match &operand.form {
            OperandForm::Node(node, _) if operand.shape.is_empty() => {
                self.of_constants(*node).map(literal::weak_constant)
            }
            OperandForm::Node(..) | OperandForm::Const(_) | OperandForm::Literal(_) => None,
        };
        operands.iter().map(value).collect()
    }

    /// One operand in the dtype that is computed in.
    pub(in crate::check::infer) fn bring(
        &mut self,
        class: Class,
        operand: &Operand,
        dtype: DType,
        meets: Option<&Operand>,
    ) -> Option<NodeId> {
        match &operand.form {
            OperandForm::Const(value) if matches!(class, Class::Equality | Class::Ordering) => {
                // Comparisons do not ask literals to fit; what overflows is an infinity.
                let scalar = value.fit(dtype).unwrap_or_else(|_| value.round_to(dtype));
                self.lossy_literal(value, scalar, operand.span);
                Some(self.graph.builder.constant(scalar))
            }
            // The operation asks for the truth of a number. A selection only moves values, so they have to be truth
            // values.
            OperandForm::Const(_) | OperandForm::Literal(_)
                if dtype == DType::Bool && operand.elem.is_weak() && class != Class::Selection =>
            {
                let node = self.node(operand)?;
                Some(self.graph.expand().convert(node, dtype))
            }
            OperandForm::Const(value) => {
                let node = self.exact(operand, dtype, meets)?;
                self.stored_constant(value, operand, dtype, meets)?;
                Some(node)
            }
            OperandForm::Literal(_) => self.exact(operand, dtype, meets),
            OperandForm::Node(node, arms) => {
                let from = self.graph.builder.dtype(*node);
                if operand.is_open() && !verdict::exact(from, dtype) {
                    self.check_size(*node, dtype, operand.span);
                }
                if operand.elem.is_weak() && !verdict::exact(from, dtype) {
                    self.weak_narrowing(operand, arms.as_deref(), from, dtype, meets)?;
                }
                match arms.as_deref().is_some_and(|arms| arms.iter().any(|arm| !matches!(arm, Const::Int(_)))) {
                    // A choice of float constants is rounded as these are.
                    true => Some(self.graph.expand().convert(*node, dtype)),
                    false => Some(self.convert_silently(*node, dtype, operand.span)),
                }
            }
        }
    }

    /// A conversion that nobody wrote. Where it can change an integer, `--checked` guards it as a cast.
    pub(in crate::check) fn convert_silently(&mut self, from: NodeId, dtype: DType, span: Span) -> NodeId {
        let to = self.graph.expand().convert(from, dtype);
        if !verdict::exact(self.graph.builder.dtype(from), dtype) {
            self.note_guard(WrappingPlace::Cast(from, to), span);
            self.graph.builder.note_conversion(Conversion { from, to, span });
        }
        to
    }

    /// The only values that a weak result can have, when its operands are constants or masks.
    pub(in crate::check) fn arms(&self, op: &'static Op, operands: &[Operand]) -> Option<Arc<[Const]>> {
        let known = |operand: &Operand| match &operand.form {
            OperandForm::Const(value) => Some(vec![value.clone()]),
            OperandForm::Literal(literal) => Some(literal.consts.clone()),
            OperandForm::Node(_, arms) => arms.as_ref().map(|arms| arms.to_vec()),
        };
        match (op.class, operands) {
            (Class::Selection, [..]) => {
                let arms: Option<Vec<Vec<Const>>> = operands.iter().map(known).collect();
                arms.map(|arms| arms.concat().into())
            }
            // It will be a constant, which then must fit.
            _ if operands.iter().all(|operand| operand.constant().is_some() || operand.is_open()) => Some([].into()),
            (_, [x, y]) if op.masks => {
                let mask = |operand: &Operand| operand.elem == Elem::Strong(DType::Bool);
                let factor = if mask(x) {
                    known(y)
                } else if mask(y) {
                    known(x)
                } else {
                    None
                };
                factor.map(|mut arms| {
                    arms.push(Const::Int(0.into()));
                    arms.into()
                })
            }
            _ => None,
        }
    }
}

fn scaled_prim(e: &mut Expand, scaled: ScaledOperation, x: NodeId, y: NodeId) -> NodeId {
    match scaled {
        ScaledOperation::Power => power::power(e, x, y),
        ScaledOperation::ShiftLeft => e.prim(Prim::Shl, &[x, y]),
        ScaledOperation::ShiftRight => e.prim(Prim::Shr, &[x, y]),
    }
}

/// The nodes of one row. Small floats are computed in `f32` and rounded once.
fn expand(builder: &mut ProgramBuilder, op: &'static Op, args: &[NodeId], numbers: &[f64]) -> NodeId {
    let mut e = Expand(builder);
    let half = args.iter().map(|&arg| e.dtype(arg)).find(|dtype| dtype.is_small_float());
    let wide: Vec<NodeId> = args.iter().map(|&arg| e.widen(arg)).collect();
    let node = match op.form {
        Form::Map(expand) => expand(&mut e, &wide),
        Form::Tuned(expand) => expand(&mut e, &wide, numbers),
        Form::Kept(expand) => expand(&mut e, args, numbers),
        Form::Compare(expand) => expand(&mut e, wide[0], wide[1]),
        Form::Scaled(scaled) => scaled_prim(&mut e, scaled, wide[0], wide[1]),
        Form::Fold(_)
        | Form::Scan(_)
        | Form::Matrices(_)
        | Form::Spectrum(_)
        | Form::Random(_)
        | Form::Make(_)
        | Form::Cast(_)
        | Form::Layout(_)
        | Form::Lines(_)
        | Form::Places(_)
        | Form::Load(_)
        | Form::Question(_)
        | Form::Written(_) => {
            unreachable!("the callers know these forms")
        }
    };
    match half {
        Some(dtype) if e.dtype(node) == dtype.computed_in() => e.convert(node, dtype),
        _ => node,
    }
}

impl Expansion {
    /// The nodes of an operation once more, of other arguments.
    pub(in crate::check) fn again(&self, op: &'static Op, builder: &mut ProgramBuilder, args: &[NodeId]) -> NodeId {
        match self {
            Expansion::Row(_, numbers) => expand(builder, op, args, numbers),
            Expansion::Scaled(scaled, _, count) => {
                power::by_constant(&mut Expand(builder), *scaled, args[0], count).unwrap_or(args[0])
            }
            Expansion::Compared | Expansion::Inside => args[0],
        }
    }
}

/// Whether both operands are integers, which are compared exactly.
fn is_integer_comparison(operands: &[Operand]) -> bool {
    operands.iter().all(|operand| !operand.elem.kind().is_inexact())
}

/// Whether an operation is one of numbers that Python computes before any library sees them: the counter of a loop, and
/// what is made of it and of literals.
fn are_python_numbers(class: Class, operands: &[Operand]) -> bool {
    use Class::{Arithmetic, Bitwise, Division, FloorDivision, Negation, Power, Shift, Subtraction};
    let is_number = |operand: &Operand| operand.elem.is_weak() && operand.shape.is_empty();
    matches!(class, Arithmetic | Subtraction | Negation | Division | FloorDivision | Power | Bitwise | Shift)
        && operands.iter().all(is_number)
        && operands.iter().any(|operand| operand.constant().is_none())
}
