//! An f64 that nobody asked for. It is the default dtype of `zeros(n)` and `linspace(0, 1, n)`, in some systems that of
//! array literals, and that of the mean of integers. Alone it harms nothing; where it meets narrower values, they
//! become f64 too.
//!
//! Each such value is known by the place where its dtype was decided, which names, functions and the session keep.

use super::Lint;
use crate::check::infer::creation::elements::has_stated_dtype;
use crate::check::infer::found::f64_origins::{Cause, F64Origin, F64Origins, is_wide};
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::promotion::{self, Class, Decision, Operation};
use crate::source::Span;
use crate::syntax::ast::ExprKind;
use crate::types::{DType, Elem};
use std::collections::HashSet;

/// What is known of such values.
#[derive(Debug, Default)]
pub(super) struct UnaskedValues {
    f64_origins: F64Origins,
    /// The origins that were reported, by their places: what follows from one is not reported again.
    told: HashSet<Span>,
    /// The origin of the next result, set when its operands met.
    next: Option<F64Origin>,
    /// Where the last promotion is whose cost was reported.
    pub(super) costly: Option<Span>,
}

impl UnaskedValues {
    /// The origins, which the session keeps.
    pub(super) fn into_f64_origins(self) -> F64Origins {
        self.f64_origins
    }
}

/// A number of 32 bits or fewer.
fn is_narrow(dtype: DType) -> bool {
    dtype != DType::Bool && dtype.part().bits() <= 32
}

impl Lint<'_, '_> {
    /// A call or a literal has the default dtype, as nothing says otherwise; `span` is where its dtype was decided.
    pub(super) fn born(&mut self, dtype: DType, cause: Cause, span: Span) {
        self.known.unasked.next = None;
        match is_wide(dtype) {
            true => self.known.unasked.f64_origins.insert(span, Some(F64Origin { span, cause, alone: true })),
            false => self.known.unasked.f64_origins.remove(&span),
        };
    }

    /// The result of the operation whose operands met last has the default dtype, as nothing says otherwise.
    pub(super) fn born_of_operation(&mut self, dtype: DType, span: Span) {
        match self.known.unasked.next.take().filter(|_| is_wide(dtype)) {
            Some(f64_origin) => self.known.unasked.f64_origins.insert(span, Some(f64_origin)),
            None => self.known.unasked.f64_origins.remove(&span),
        };
    }

    /// A function that came with the language gave a call an f64, and the call names no dtype. Nobody asked for it,
    /// unless an operand is an f64 that somebody wrote.
    pub(super) fn bundled_result(&mut self, shown: &str, operands: &[Operand], dtype: DType, (call, at): (Span, Span)) {
        let wide = operands.iter().filter(|operand| operand.elem.strong().is_some_and(is_wide));
        let f64_origins: Option<Vec<F64Origin>> = wide.map(|operand| self.f64_origin(operand)).collect();
        let Some(f64_origins) = f64_origins else {
            self.known.unasked.f64_origins.remove(&call);
            return;
        };
        self.known.unasked.next = None;
        let is_narrow_float = |dtype: DType| is_narrow(dtype) && (dtype.is_float() || dtype.is_complex());
        if operands.iter().any(|operand| operand.elem.strong().is_some_and(is_narrow_float)) {
            let elem = Elem::Strong(dtype);
            let decision = Decision { joined: elem, compute: elem, result: elem, weak: false };
            self.f64_appears(shown, operands, decision, at);
        }
        let own = F64Origin { span: call, cause: Cause::Operation, alone: true };
        let f64_origin = self.known.unasked.next.take().or(f64_origins.first().copied()).unwrap_or(own);
        self.known.unasked.f64_origins.insert(call, Some(f64_origin));
    }

    /// A value becomes part of what began elsewhere. An f64 that somebody wrote needs an f64 there.
    pub(super) fn enter(&mut self, into: Span, given: &Operand) {
        if given.elem.strong().is_some_and(is_wide) && self.f64_origin(given).is_none() {
            self.known.unasked.f64_origins.insert(into, None);
        }
    }

    fn f64_origin(&self, operand: &Operand) -> Option<F64Origin> {
        match self.known.unasked.f64_origins.get(&operand.origin) {
            Some(found) => *found,
            None => self.request.env.and_then(|env| env.f64_origin(operand.origin)),
        }
    }

    /// Whether the function that stands at a place is called with a `dtype=` of its own.
    fn asks_for_dtype(&self, function: Span) -> bool {
        let Some(script) = self.script(function) else { return false };
        self.nearby(function).any(|expr| {
            let ExprKind::Call(callee, args) = &expr.kind else { return false };
            let callee = script.expr(*callee);
            let is_own = callee.span == function
                || matches!(&callee.kind, ExprKind::Attribute(_, name) if name.span == function);
            is_own && args.iter().any(|arg| arg.name.as_ref().is_some_and(|name| name.text == "dtype"))
        })
    }

    /// Whether the call that a list is given to says the dtype.
    fn is_cast(&self, list: Span) -> bool {
        self.script(list).is_some_and(|script| has_stated_dtype(script, list, |span| self.text(span)))
    }

    /// Whether operands meet as a narrow dtype when those that are f64 are f32.
    fn would_be_narrow(&self, operands: &[Operand]) -> bool {
        let narrowed = operands.iter().map(|operand| match operand.elem.strong().filter(|dtype| is_wide(*dtype)) {
            Some(_) => promotion::Operand {
                elem: Elem::Strong(DType::F32),
                constant: false,
                value: None,
                ..operand.as_promotion_operand()
            },
            None => operand.as_promotion_operand(),
        });
        let asked: Vec<promotion::Operand> = narrowed.collect();
        promotion::result(self.known.settings.system, Operation::from(Class::Selection), &asked)
            .is_ok_and(|it| it.joined.strong().is_none_or(|dtype| !is_wide(dtype)))
    }

    /// Reports where values of 32 bits or fewer become f64 although nobody wrote f64.
    pub(super) fn f64_appears(&mut self, shown: &str, operands: &[Operand], decision: Decision, at: Span) {
        self.known.unasked.next = None;
        let is_costly = self.known.unasked.costly.take() == Some(at);
        let result = self.known.settings.harden(decision.result);
        if !is_wide(result) || self.asks_for_dtype(at) || self.is_cast(at) {
            return;
        }
        let strong = |operand: &&Operand, wanted: fn(DType) -> bool| operand.elem.strong().is_some_and(wanted);
        let f64_origins: Vec<(bool, Option<F64Origin>)> =
            operands.iter().map(|operand| (strong(&operand, is_wide), self.f64_origin(operand))).collect();
        if f64_origins.iter().any(|(wide, f64_origin)| *wide && f64_origin.is_none()) {
            return;
        }
        let f64_origin = f64_origins.iter().find_map(|(_, f64_origin)| *f64_origin);
        // A float literal that makes floats of integers is `weak-default`, and so is what follows from it.
        let literal = operands.iter().any(|operand| operand.elem == Elem::WeakFloat);
        let integer = operands.iter().any(|operand| strong(&operand, DType::is_integer));
        let float = operands.iter().any(|operand| strong(&operand, |dtype| dtype.is_float() || dtype.is_complex()));
        let defaults = literal && integer && !float;
        // Of scalars and of wide integers it is not told, so what follows is, unless it takes the dtype that it meets.
        let is_narrow_integer = |dtype: DType| dtype.is_integer() && is_narrow(dtype);
        let is_told = |operand: &Operand| strong(&operand, is_narrow_integer) && !operand.shape.is_empty();
        let told = defaults && (decision.weak || operands.iter().any(is_told));
        if told {
            self.known.unasked.told.insert(at);
        }
        if f64_origin.is_some() || defaults || !decision.weak {
            let own = F64Origin { span: at, cause: Cause::Operation, alone: true };
            let f64_origin = f64_origin.unwrap_or(own);
            let alone = f64_origin.alone && self.would_be_narrow(operands);
            self.known.unasked.next = Some(F64Origin { alone, ..f64_origin });
        }
        // What comes of the code of the library is told of the call.
        if at.source.is_library() {
            return;
        }
        if defaults || decision.weak || !operands.iter().any(|operand| strong(&operand, is_narrow)) {
            return;
        }
        let wide = operands.iter().find(|operand| strong(operand, is_wide));
        // Nobody sees the code of the library, so the call counts as the origin.
        let f64_origin = f64_origin.map(|f64_origin| match wide.filter(|_| f64_origin.span.source.is_library()) {
            Some(wide) => F64Origin { span: wide.span, cause: Cause::Operation, alone: true },
            None => f64_origin,
        });
        if wide.is_none() && self.is_fleeting(shown, self.around(at, operands)) {
            return;
        }
        let key = f64_origin.map_or(at, |f64_origin| f64_origin.span);
        let is_new = self.set(&lints::F64_APPEARS) != Level::Allow && self.known.unasked.told.insert(key);
        // What the promotion costs says that the operands meet as f64.
        if is_new && !(is_costly && wide.is_none()) {
            self.tell_of_f64((shown, result), operands, f64_origin, at);
        }
    }

    /// Reports that narrow operands became f64.
    fn tell_of_f64(
        &mut self,
        (shown, result): (&str, DType),
        operands: &[Operand],
        f64_origin: Option<F64Origin>,
        at: Span,
    ) {
        let find = |wanted: fn(DType) -> bool| operands.iter().find(|it| it.elem.strong().is_some_and(wanted));
        let Some(narrow) = find(|dtype| is_narrow(dtype) && !dtype.is_integer()).or_else(|| find(is_narrow)) else {
            return;
        };
        let wide = find(is_wide);
        // An f64 of narrow floats comes from the widest integers that they meet, or from a number.
        let is_other = |it: &&Operand| it.elem.strong().is_none_or(DType::is_integer);
        let others = operands.iter().filter(|it| !narrow.elem.kind().is_integer() && is_other(it));
        let cause = others.max_by_key(|it| it.elem.strong().map(DType::bits));
        let level = self.level(&lints::F64_APPEARS, at);
        let made = f64_origin.map(|f64_origin| (f64_origin, self.text(f64_origin.span).to_owned()));
        let texts = [narrow, wide.or(cause).unwrap_or(narrow)].map(|operand| self.text(operand.span).to_owned());
        let keep = report::narrow_float(narrow);
        let asked = [narrow.elem, Elem::Strong(keep)].map(promotion::Operand::array);
        let joined = promotion::result(self.known.settings.system, Operation::from(Class::Selection), &asked);
        let stays = joined.is_ok_and(|it| it.joined.strong().is_some_and(|dtype| dtype.part() == keep));
        self.report(report::f64_appears(
            level,
            (shown, result),
            (narrow, &texts[0]),
            wide.map(|it| (it, &*texts[1], stays)),
            cause.map(|it| (it, &*texts[1])),
            made,
            at,
        ));
    }
}
