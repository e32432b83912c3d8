//! An f64 that nobody asked for: the default dtype of `zeros(n)` and `linspace(0, 1, n)`, of array literals in some
//! systems, of the mean of integers. Alone it harms nothing; where it meets narrower values, they become f64 too.
//!
//! Each such value is known by the place where its dtype was decided, which names, functions and the session keep.

use crate::check::infer::Ctx;
use crate::check::infer::operands::Operand;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::promotion::Decision;
use crate::source::Span;
use crate::types::{DType, Elem};
use std::collections::{HashMap, HashSet};

/// How an f64 came to be that nobody wrote.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    /// A call without `dtype=`.
    Call,
    /// An array literal.
    Literal,
    /// An operation on narrower values or on integers.
    Operation,
}

/// Where that was.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Birth {
    /// The call, the literal or the operator.
    pub(crate) span: Span,
    /// How.
    pub(crate) cause: Cause,
}

/// The f64 that nobody asked for, by the places where their dtype was decided.
pub(crate) type Births = HashMap<Span, Birth>;

/// What is known of them.
#[derive(Debug, Default)]
pub(in crate::check) struct Unasked {
    births: Births,
    /// Those that were reported: what follows from one is not reported again.
    told: HashSet<Span>,
    /// That of the operation whose result is made next.
    next: Option<Birth>,
}

impl Unasked {
    /// What the session keeps.
    pub(in crate::check) fn take(self) -> Births {
        self.births
    }
}

fn is_wide(dtype: DType) -> bool {
    matches!(dtype, DType::F64 | DType::C128)
}

/// A number of 32 bits or fewer.
fn is_narrow(dtype: DType) -> bool {
    dtype != DType::Bool && dtype.part().bits() <= 32
}

impl Ctx<'_> {
    /// A call or a literal has the default dtype, as nothing says otherwise; `span` is where its dtype was decided.
    pub(in crate::check) fn born(&mut self, dtype: DType, cause: Cause, span: Span) {
        self.findings.unasked.next = None;
        match is_wide(dtype) {
            true => self.findings.unasked.births.insert(span, Birth { span, cause }),
            false => self.findings.unasked.births.remove(&span),
        };
    }

    /// The same for the result of the operation whose operands met last.
    pub(in crate::check) fn born_of_operation(&mut self, dtype: DType, span: Span) {
        match self.findings.unasked.next.take().filter(|_| is_wide(dtype)) {
            Some(birth) => self.findings.unasked.births.insert(span, birth),
            None => self.findings.unasked.births.remove(&span),
        };
    }

    fn birth(&self, operand: &Operand) -> Option<Birth> {
        let kept = || self.request.env.and_then(|env| env.birth(operand.origin));
        self.findings.unasked.births.get(&operand.origin).copied().or_else(kept)
    }

    /// Reports where values of 32 bits or fewer become f64 although nobody wrote f64.
    pub(in crate::check) fn f64_appears(&mut self, shown: &str, operands: &[Operand], decision: Decision, at: Span) {
        self.findings.unasked.next = None;
        let result = self.settings.harden(decision.result);
        if !is_wide(result) {
            return;
        }
        let strong = |operand: &&Operand, wanted: fn(DType) -> bool| operand.elem.strong().is_some_and(wanted);
        let births: Vec<(bool, Option<Birth>)> =
            operands.iter().map(|operand| (strong(&operand, is_wide), self.birth(operand))).collect();
        if births.iter().any(|(wide, birth)| *wide && birth.is_none()) {
            return;
        }
        let birth = births.iter().find_map(|(_, birth)| *birth);
        // A float literal that makes floats of integers is `weak-default`, and so is what follows from it.
        let literal = operands.iter().any(|operand| operand.elem == Elem::WeakFloat);
        let integer = operands.iter().any(|operand| strong(&operand, |dtype| dtype.is_integer()));
        let float = operands.iter().any(|operand| strong(&operand, |dtype| dtype.is_float() || dtype.is_complex()));
        let told = literal && integer && !float;
        if told {
            self.findings.unasked.told.insert(at);
        }
        if birth.is_some() || told || !decision.weak {
            self.findings.unasked.next = Some(birth.unwrap_or(Birth { span: at, cause: Cause::Operation }));
        }
        let Some(narrow) = operands.iter().find(|operand| strong(operand, is_narrow)) else { return };
        if told || decision.weak {
            return;
        }
        let key = birth.map_or(at, |birth| birth.span);
        if self.settings.level(&lints::F64_APPEARS) == Level::Allow || !self.findings.unasked.told.insert(key) {
            return;
        }
        let level = self.level(&lints::F64_APPEARS, at);
        let made = birth.map(|birth| (birth, self.text(birth.span).to_owned()));
        let wide = operands.iter().find(|operand| strong(operand, is_wide));
        let texts = [narrow, wide.unwrap_or(narrow)].map(|operand| self.text(operand.span).to_owned());
        self.findings.push(report::f64_appears(
            level,
            shown,
            result,
            (narrow, &texts[0]),
            wide.map(|it| (it, &*texts[1])),
            made,
            at,
        ));
    }
}
