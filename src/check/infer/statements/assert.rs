//! `assert`: a condition that is decided now if it can be. An equality between dimensions holds from here on.
//! Everything else is a condition of the program.

use crate::check::infer::Ctx;
use crate::check::infer::functions::memo::Memo;
use crate::check::infer::values::agree::Agreement;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{Fault, NodeId, NodeKind};
use crate::scalar::prim::Prim;
use crate::source::{Span, library_line};
use crate::syntax::ast::{ExprId, ExprKind, Operator};
use crate::types::affine::{Affine, Atom};
use crate::types::equal::Equation;
use crate::types::{DType, Dim, Elem, parts};

/// Each fact about a length is put into all that is known: a script with more of them is checked by its assertions alone.
const MAX_FACTS: usize = 256;

/// What is known of a comparison of values that are no arrays.
enum KnownComparison {
    Holds,
    Fails,
    /// Sizes without data.
    Open,
}

/// The sides of a comparison, and the operators between them.
type Sides<'s> = (&'s [(Value, Span)], &'s [(Operator, ExprId)]);

impl Ctx<'_> {
    /// `assert a.shape == b.shape and min(a) > 0`: each part of an `and` by itself.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other condition is one value")]
    pub(in crate::check) fn assert(&mut self, condition: ExprId) {
        let script = self.frame.script;
        let around = self.frame.assertions.named.take();
        let mut left = vec![condition];
        while let Some(id) = left.pop() {
            self.frame.assertions.named = Some(Vec::new());
            match &script.expr(id).kind {
                ExprKind::Paren(inner) => left.push(*inner),
                ExprKind::Infix(op, a, b) if op.notation == "and" => left.extend([*b, *a]),
                ExprKind::Compare(first, rest) => self.assert_comparison(id, *first, rest),
                _ => {
                    let value = self.infer(id);
                    self.assert_value(value, script.expr(id).span, None, None);
                }
            }
        }
        self.frame.assertions.named = around;
    }

    fn assert_comparison(&mut self, id: ExprId, first: ExprId, rest: &[(Operator, ExprId)]) {
        let span = self.frame.script.expr(id).span;
        let mut values = Vec::with_capacity(rest.len() + 1);
        for id in std::iter::once(first).chain(rest.iter().map(|&(_, id)| id)) {
            values.push((self.infer(id), self.place(id)));
        }
        // A length beside data is a number, as in any comparison.
        let is_data = |value: &Value| matches!(value, Value::Computed(_) | Value::Literal(_));
        let of_data = values.iter().any(|(value, _)| is_data(value))
            && values.iter().all(|(value, _)| is_data(value) || matches!(value, Value::Const(_) | Value::Dim(_)));
        let symbolic = !of_data
            && values.iter().any(|(value, _)| {
                matches!(value, Value::Tuple(_) | Value::Dim(_) | Value::DType(_) | Value::Str(_) | Value::None)
            });
        if values.iter().any(|(value, _)| matches!(value, Value::Error)) {
            return self.note_unreported(span);
        }
        if !symbolic {
            let sides = values.clone();
            let value = self.compare(values, rest, span);
            self.assert_value(value, span, Some((&sides, rest)), None);
            return;
        }
        for (index, (op, _)) in rest.iter().enumerate() {
            let ((a, a_span), (b, b_span)) = (values[index].clone(), values[index + 1].clone());
            match self.settle(&a, op.notation, &b, span) {
                Some(KnownComparison::Fails) => {
                    let (a, b) = (self.shown(&a), self.shown(&b));
                    self.disprove();
                    self.error(report::assertion_false(span, &[(a, a_span), (b, b_span)]));
                    return;
                }
                Some(KnownComparison::Holds) => {}
                Some(KnownComparison::Open) => {
                    let fact = self.fact(&a, op.notation, &b, span);
                    let parts = fact.as_ref().and_then(|(before, size)| Some([before.clone(), parts::part_of(size)?]));
                    self.assert_sizes(&a, op.notation, &b, (span, parts));
                    self.learned(fact);
                }
                None => {
                    let (a, b) = (a.describe(), b.describe());
                    self.error(report::not_comparable(op, a, a_span, b, b_span));
                    return;
                }
            }
        }
    }

    /// Compares values of compile time; dimensions that are to be equal are, from here on. Nothing for values that
    /// cannot be compared.
    fn settle(&mut self, a: &Value, op: &str, b: &Value, span: Span) -> Option<KnownComparison> {
        let truth = |holds| if holds { KnownComparison::Holds } else { KnownComparison::Fails };
        if !matches!(op, "==" | "!=") {
            let (a, b) = (self.form(a)?, self.form(b)?);
            let (Some(a), Some(b)) = (a.known(), b.known()) else {
                return Some(if never_holds(&a, op, &b) { KnownComparison::Fails } else { KnownComparison::Open });
            };
            return Some(truth(match op {
                "<" => a < b,
                "<=" => a <= b,
                ">" => a > b,
                _ => a >= b,
            }));
        }
        Some(match self.agreement(a, b)? {
            Agreement::Equal => truth(op == "=="),
            Agreement::Different => truth(op == "!="),
            Agreement::Unknown(pairs) if op == "!=" => {
                let differ = pairs.iter().any(|(a, b)| a.equation(b) == Equation::Never);
                if differ { KnownComparison::Holds } else { KnownComparison::Open }
            }
            Agreement::Unknown(pairs) => {
                let mut open = false;
                for (a, b) in pairs {
                    match self.equate(&self.graph.equal().of(&a), &self.graph.equal().of(&b), span) {
                        KnownComparison::Holds => {}
                        KnownComparison::Fails => return Some(KnownComparison::Fails),
                        KnownComparison::Open => open = true,
                    }
                }
                if open { KnownComparison::Open } else { KnownComparison::Holds }
            }
        })
    }

    /// A comparison of sizes that only data decides, as a condition of the program. It may say what part of a length
    /// there is before and behind it.
    fn assert_sizes(&mut self, a: &Value, op: &str, b: &Value, (span, parts): (Span, Option<[String; 2]>)) {
        let pairs = match (self.form(a), self.form(b)) {
            (Some(a), Some(b)) => vec![(a, b)],
            _ => match self.agreement(a, b) {
                Some(Agreement::Unknown(pairs)) => pairs.iter().filter_map(|(a, b)| a.form().zip(b.form())).collect(),
                _ => return,
            },
        };
        let mut all: Option<NodeId> = None;
        for (a, b) in &pairs {
            let (a, b) = (self.size_node(a), self.size_node(b));
            let mut e = self.graph.expand();
            let holds = match op {
                "<" => e.prim(Prim::Lt, &[a, b]),
                "<=" => e.prim(Prim::Le, &[a, b]),
                ">" => e.prim(Prim::Lt, &[b, a]),
                ">=" => e.prim(Prim::Le, &[b, a]),
                _ => e.prim(Prim::Eq, &[a, b]),
            };
            all = Some(all.map_or(holds, |all| e.prim(Prim::And, &[all, holds])));
        }
        let Some(mut node) = all else { return };
        if op == "!=" {
            node = self.graph.expand().not(node);
        }
        let value = self.computed_value(node, DType::Bool.into(), span);
        self.assert_value(value, span, None, parts);
    }

    /// What a comparison of sizes says of a name, which holds from here on: `n >= 3`, `n % 2 == 0`.
    fn fact(&self, a: &Value, op: &str, b: &Value, span: Span) -> Option<(String, Dim)> {
        if !self.may_learn(span) {
            return None;
        }
        let equal = |value: &Value| self.form(&self.with_equal(value));
        fact_of(&equal(a)?, op, &equal(b)?).filter(|fact| self.is_by_types(fact))
    }

    /// Takes note that a length is no less than what is wanted of it, as the run refuses others. Values of the same
    /// statement do not know it yet.
    pub(in crate::check) fn note_long_enough(&mut self, len: &Dim, wanted: &Dim, span: Span) {
        if self.may_learn(span) {
            let gap = len.form().zip(wanted.form()).and_then(|(len, wanted)| len.plus(&wanted, -1));
            self.frame.long_enough.extend(gap);
        }
    }

    /// What a statement found out about lengths holds behind it. The statements of a step stand inside of another.
    pub(in crate::check) fn learn_noted(&mut self) {
        if self.calls.depth.is_in_loop() {
            return;
        }
        for gap in std::mem::take(&mut self.frame.long_enough) {
            let gap = Dim::of(gap).and_then(|gap| self.graph.equal().of(&gap).form());
            self.learned(gap.and_then(|gap| parts::of_least(&gap)));
        }
    }

    /// Whether what is found out here holds from here on. A step of a loop may not be taken, and there is an end to
    /// what is known.
    fn may_learn(&self, span: Span) -> bool {
        self.graph.equal().len() < MAX_FACTS && !self.calls.depth.is_in_loop() && library_line(span).is_none()
    }

    /// Whether inputs decide a length of which something is said. What data decides is no less and no more for it.
    fn is_by_types(&self, (name, _): &(String, Dim)) -> bool {
        !self.is_counted(&Dim::name(name))
    }

    /// A name is a size from here on.
    fn learned(&mut self, fact: Option<(String, Dim)>) {
        let Some((name, size)) = fact.filter(|fact| self.is_by_types(fact)) else { return };
        self.graph.equate(&name, &size);
        self.calls.memo = Memo::default();
    }

    /// A size as an `i64`, also where it would be below 0: `n - 3`.
    pub(in crate::check::infer) fn size_node(&mut self, form: &Affine) -> NodeId {
        let form =
            Dim::of(form.clone()).and_then(|dim| self.graph.equal().of(&dim).form()).unwrap_or_else(|| form.clone());
        let mut e = self.graph.expand();
        let mut sum = e.whole(form.constant);
        for (atom, times) in &form.terms {
            let length = match atom {
                Atom::Name(name) => e.dim(&Dim::name(name)),
                Atom::Quotient(..) | Atom::Least(..) | Atom::Product(_) => {
                    e.dim(&Dim::Affine(Box::new(Affine { constant: 0, terms: vec![(atom.clone(), 1)] })))
                }
            };
            let times = e.whole(*times);
            let part = e.prim(Prim::Mul, &[length, times]);
            sum = e.prim(Prim::Add, &[sum, part]);
        }
        sum
    }

    /// Makes two sizes equal from here on, if they can be. Where data decides one, the program checks it first.
    fn equate(&mut self, a: &Dim, b: &Dim, span: Span) -> KnownComparison {
        // What is counted last goes: nothing that it is counted from may wait for it.
        let counted = |name: &str| {
            let lengths = &self.graph.builder.program().lengths;
            lengths.iter().position(|length| length.name == name).map_or(0, |at| at + 1)
        };
        match a.equation_for(b, counted) {
            Equation::Always => KnownComparison::Holds,
            Equation::Never => KnownComparison::Fails,
            Equation::Open => KnownComparison::Open,
            Equation::Name(name, dim) => {
                // An input is as long as it is, and nothing waits for what is counted from it.
                let own = counted(&name);
                let lengths = &self.graph.builder.program().lengths;
                if lengths.iter().any(|length| dim.has_name(&length.name) && counted(&length.name) > own) {
                    return KnownComparison::Open;
                }
                if own > 0 {
                    self.check_lengths(&name, a, b, span);
                }
                self.graph.equate(&name, &dim);
                self.calls.memo = Memo::default();
                KnownComparison::Holds
            }
        }
    }

    /// Two lengths, one of which is counted, are equal: checked before anything is made that is as long as the name
    /// says.
    fn check_lengths(&mut self, name: &str, a: &Dim, b: &Dim, span: Span) {
        let (Some(a), Some(b)) = (a.form(), b.form()) else { return };
        let (a, b) = (self.size_node(&a), self.size_node(&b));
        let program = self.graph.builder.program();
        let mut nodes = vec![a, b];
        nodes.extend(program.waiting_for(name, &[a, b]));
        let differs = self.graph.expand().prim(Prim::Ne, &[a, b]);
        self.graph.refuse(differs, Fault::Lengths { nodes }, span);
    }

    /// A condition: decided now when it is known, else checked when the program runs.
    fn assert_value(&mut self, value: Value, span: Span, sides: Option<Sides>, parts: Option<[String; 2]>) {
        let Some(operand) = self.operand(value, span) else { return self.note_unreported(span) };
        if operand.elem != Elem::Strong(DType::Bool) {
            self.error(report::assertion_not_bool(&operand, self.text(span)));
            return;
        }
        let Some(node) = self.node(&operand) else { return self.note_unreported(span) };
        if let Some(scalar) = self.graph.builder.as_constant(node) {
            if scalar.bits == 0 {
                let sides = sides.map_or(&[][..], |(sides, _)| sides);
                if !sides.is_empty() && sides.iter().all(|(side, _)| self.form(side).is_some()) {
                    self.disprove();
                }
                let shown: Vec<(String, Span)> = sides.iter().map(|(value, span)| (self.shown(value), *span)).collect();
                self.error(report::assertion_false(span, &shown));
            }
            return;
        }
        let said = library_line(span).and_then(|line| Some(line.split_once("  # ")?.1));
        let fault = Fault::Asserted { op: self.comparison_sign(sides), operands: self.compared(node), said, parts };
        let wrong = self.graph.expand().not(node);
        self.graph.refuse(wrong, fault, span);
        // A step that is not taken looks at nothing.
        if !self.calls.depth.is_in_loop() {
            self.graph.ranges.assume(self.graph.builder.program(), node);
            // Of a function that nothing calls the program does not know what holds.
            if !self.graph.is_finished() {
                self.graph.ranges.relate(self.graph.builder.program(), node);
            }
        }
    }

    /// The one sign of a comparison, to show both sides of it.
    fn comparison_sign(&self, sides: Option<Sides>) -> Option<&'static str> {
        match sides {
            Some((_, [(op, _)])) => Some(op.notation),
            _ => None,
        }
    }

    /// The two sides of a comparison, if a condition is one.
    fn compared(&self, node: NodeId) -> Vec<NodeId> {
        let NodeKind::Map(Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le, [Some(a), Some(b), None]) =
            self.graph.builder.program().node(node).kind
        else {
            return Vec::new();
        };
        vec![a, b]
    }

    /// What is known of a value, in words.
    fn shown(&self, value: &Value) -> String {
        match value {
            Value::Const(value) => value.to_string(),
            Value::Dim(dim) => self.graph.equal().of(dim).to_string(),
            Value::DType(dtype) => dtype.to_string(),
            Value::Str(text) => format!("{text:?}"),
            Value::Tuple(items) => {
                let items: Vec<String> = items.iter().take(8).map(|item| self.shown(item)).collect();
                match items.as_slice() {
                    [one] => format!("({one},)"),
                    items => format!("({})", items.join(", ")),
                }
            }
            Value::Computed(computed) => match self.graph.builder.as_constant(computed.node) {
                Some(scalar) => crate::array::show::scalar_text(scalar),
                None => value.describe().to_owned(),
            },
            other @ (Value::Error
            | Value::Literal(_)
            | Value::None
            | Value::Absent(_)
            | Value::Builtin(_)
            | Value::Function(_)) => other.describe().to_owned(),
        }
    }
}

/// What a comparison of sizes says of a name.
fn fact_of(left: &Affine, op: &str, right: &Affine) -> Option<(String, Dim)> {
    let (high, low, more) = match op {
        ">=" | "==" => (left, right, 0),
        ">" => (left, right, 1),
        "<=" => (right, left, 0),
        "<" => (right, left, 1),
        _ => return None,
    };
    // It is 0 where they are equal, and else at least 0 where the comparison holds.
    let gap = high.plus(low, -1)?.plus(&Affine::constant(more), -1)?;
    if op == "==" { parts::of_remainder(&gap) } else { parts::of_least(&gap) }
}

/// Whether a comparison of sizes holds for none that the names can have.
fn never_holds(a: &Affine, op: &str, b: &Affine) -> bool {
    let (low, high, gap) = match op {
        "<" => (b, a, 0),
        "<=" => (b, a, 1),
        ">" => (a, b, 0),
        _ => (a, b, 1),
    };
    let above = high.plus(low, -1).and_then(|above| above.plus(&Affine::constant(gap), -1));
    above.is_some_and(|above| above.is_never_negative())
}
