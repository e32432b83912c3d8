//! Assignment to a `var`. A variable keeps its dtype and shape, and what is stored in it is under the system's rule for
//! updates in place.
//!
//! Values are not references: an assignment gives the name another value, and who has the old one keeps it.

use crate::check::infer::Ctx;
use crate::check::infer::found::facts::Subject;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::dtypes;
use crate::ops::elsewhere::{self, ChangedArray};
use crate::ops::{self, Notation};
use crate::promotion::systems::{self, InPlace};
use crate::promotion::verdict::{self, Effect};
use crate::promotion::{self, Class};
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Name, Operator, Pattern, StmtKind, TypeExpr};
use crate::types::{DType, Elem, shape};

/// How something is assigned: `=`, or the operator of `+=`.
#[derive(Clone, Copy)]
pub(in crate::check) struct Update {
    pub(in crate::check) op: Option<Operator>,
    /// The function that stores a value in a part of an array, which is written where `=` is in a statement.
    pub(in crate::check) function: Option<&'static str>,
    /// The whole statement.
    pub(in crate::check) span: Span,
}

impl Update {
    /// `=`, `+=`, `add_at`
    pub(in crate::check) fn shown(self) -> String {
        match self.op {
            Some(op) => format!("{}=", op.notation),
            None => self.function.unwrap_or("=").to_owned(),
        }
    }
}

impl Ctx<'_> {
    /// `var x = …`: a weak value takes its default dtype here.
    pub(in crate::check) fn declare_variable(&mut self, name: &Name, ty: Option<&TypeExpr>, value: ExprId) {
        let span = self.frame.script.expr(value).span;
        let found = if ty.is_some() { self.infer_open(value) } else { self.infer(value) };
        let found = self.annotate(found, span, ty);
        if !self.bindable(name) {
            return;
        }
        let value = match self.operand(found, span) {
            Some(operand) => match self.node(&operand) {
                Some(node) => self.computed_value(node, self.graph.builder.dtype(node).into(), operand.origin),
                None => Value::Error,
            },
            None => Value::Error,
        };
        self.note_error(&value, span);
        self.frame.scope.define_variable(&name.text, value, name.span);
    }

    /// `x = …`, `x += …`, `x[i] = …`. The answer is `None` where nothing is assigned.
    pub(in crate::check) fn assign(
        &mut self,
        target: ExprId,
        op: Option<Operator>,
        value: ExprId,
        span: Span,
    ) -> Option<()> {
        let script = self.frame.script;
        let place = script.expr(target).span;
        let update = Update { op, function: None, span };
        let kind = &script.expr(target).kind;
        if let ExprKind::Index(base, index) = kind {
            return self.assign_at(*base, index, update, value, place);
        }
        let ExprKind::Name(name) = kind else {
            self.infer(value);
            return None;
        };
        let given = self.infer_open(value);
        // What does not parse was reported.
        if matches!(script.expr(value).kind, ExprKind::Error) && self.definition(name, place).is_none() {
            self.frame.scope.define_variable(name, Value::Error, place);
            return None;
        }
        let variable = self.variable(name, place, update)?;
        let given = self.mean_stored(name, given, update, script.expr(value).span);
        let given = self.operand(given, script.expr(value).span)?;
        if let Some(op) = op.filter(|_| !self.is_variable(name)) {
            let row = Self::operator(Notation::Infix(op.notation));
            let result = self.apply_operator(row, vec![variable, given], span, op.span);
            self.note_error(&result, span);
            self.frame.scope.define(name, result, place);
            return Some(());
        }
        let stored = self.value_after_update(name, &variable, given, update)?;
        self.note_error(&stored, span);
        self.update(name, stored, place);
        Some(())
    }

    /// The variable with this name, as an operand; reports what is none.
    pub(in crate::check) fn variable(&mut self, name: &str, span: Span, update: Update) -> Option<Operand> {
        let defined = self.definition(name, span);
        match self.frame.scope.find(name) {
            Some(binding) if self.frame.scope.is_sealed(name) => {
                let declared = binding.span;
                self.error(report::assigned_in_loop(name, span, declared));
                None
            }
            Some(binding) if binding.mutable || self.request.usage.defines => {
                let value = binding.value.clone();
                let value = self.unless_disproved(name, value);
                self.operand(value, span)
            }
            Some(binding) => {
                let (declared, broken) = (binding.span, matches!(binding.value, Value::Error));
                let keyword = self.keyword_of_let(declared);
                if !broken {
                    self.error(report::not_a_variable(name, span, declared, keyword, update.op.is_none()));
                }
                None
            }
            None if defined.is_some() => {
                self.error(report::constant_name(name, span));
                None
            }
            None if ops::by_name(name).is_some() || name.parse::<Elem>().is_ok() => {
                self.error(report::constant_name(name, span));
                None
            }
            None => {
                let near = self.meant(name, |ctx| ctx.frame.scope.variables());
                let start = update.op.is_none().then_some(Span { end: update.span.start, ..update.span });
                self.error(report::unknown_variable(name, near.as_deref(), start, span));
                // What follows from that is not told again.
                self.frame.scope.define_variable(name, Value::Error, span);
                None
            }
        }
    }

    /// Whether a name was declared with `var`. At a prompt other names are updated too, by giving them another value.
    fn is_variable(&self, name: &str) -> bool {
        self.frame.scope.find(name).is_some_and(|binding| binding.mutable)
    }

    /// Gives a name another value.
    pub(in crate::check) fn update(&mut self, name: &str, stored: Value, place: Span) {
        match self.frame.scope.find(name).filter(|binding| binding.mutable).map(|binding| binding.span) {
            Some(declared) => self.frame.scope.define_variable(name, stored, declared),
            None => self.frame.scope.define(name, stored, place),
        }
    }

    /// After an assignment that is wrong, nothing is known of the value of the name. Errors that follow from it are not
    /// reported.
    pub(in crate::check) fn forget_stored(&mut self, target: ExprId) {
        let Some((name, _)) = self.frame.script.indexed_name(target) else { return };
        if self.frame.scope.is_sealed(name) {
            // The step may be walked again, with the value that the name has.
            self.frame.stored_in_step.push(name.to_owned());
        } else {
            self.frame.scope.doubt(name);
        }
    }

    /// The same of the array that a call was to change, as it does elsewhere: `h` of `np.add(a, b, out=h)`, of
    /// `h.fill(0)` and of `np.add.at(h, i, 1)`.
    pub(in crate::check) fn forget_changed(&mut self, call: ExprId) {
        let script = self.frame.script;
        let ExprKind::Call(callee, args) = &script.expr(call).kind else { return };
        for arg in args.iter().filter(|arg| arg.name.as_ref().is_some_and(|name| name.text == "out")) {
            let kind = &script.expr(arg.value).kind;
            let first = if let ExprKind::Tuple(items) = kind { items.first().copied() } else { None };
            self.forget_stored(first.unwrap_or(arg.value));
        }
        let callee = script.expr(*callee);
        let before = if let ExprKind::Attribute(base, _) = &callee.kind { Some(*base) } else { None };
        let path = before.map(|base| self.text(script.expr(base).span));
        let Some((name, _)) = callee.last_name() else { return };
        let array = match elsewhere::changed_by(path, name) {
            Some(ChangedArray::BeforeDot) => before,
            Some(ChangedArray::FirstArgument) => args.first().map(|arg| arg.value),
            None => None,
        };
        if let Some(array) = array {
            self.forget_stored(array);
        }
    }

    /// Behind a loop, nothing is known of the names that its step was to store in.
    pub(in crate::check) fn forget_stored_in_step(&mut self) {
        if !self.frame.scope.is_step() {
            for name in std::mem::take(&mut self.frame.stored_in_step) {
                self.frame.scope.doubt(&name);
            }
        }
    }

    /// The word `let` of the statement that binds a name, if one does.
    fn keyword_of_let(&self, declared: Span) -> Option<Span> {
        let stmts = self.frame.script.stmts.iter();
        let stmt = stmts.filter(|stmt| report::covers(stmt.span, declared)).find(
            |stmt| matches!(&stmt.kind, StmtKind::Let { pattern: Pattern::Name(name), .. } if name.span == declared),
        )?;
        Some(Span { end: stmt.span.start + 3, ..stmt.span })
    }

    /// What a variable holds after an update with a value.
    pub(in crate::check) fn value_after_update(
        &mut self,
        name: &str,
        old: &Operand,
        given: Operand,
        update: Update,
    ) -> Option<Value> {
        let node = self.node(old)?;
        let dtype = self.graph.builder.dtype(node);
        let before = self.settings.system;
        if let InPlace::Like(other) = before.rules.in_place {
            self.settings.system = systems::find(other).unwrap_or(before);
            self.settings_change();
        }
        let met = self.typed.facts.len();
        let result = self.update_result(old, &given, update);
        let rule = self.settings.system.rules.in_place;
        if !self.follows(before) {
            self.settings.system = before;
            self.settings_change();
        }
        let result = result?;
        let found = self.settings.harden(result.elem);
        if !rule.allows(found, dtype) {
            // What the operands cost each other is no matter where the result is refused.
            self.typed.facts.truncate(met);
            self.error(report::update_dtype(name, dtype, old, &given, &result, &update.shown(), before.name));
            return None;
        }
        if shape::broadcast(&result.shape, &old.shape).as_ref() != Ok(&old.shape) {
            self.error(report::update_shape(name, old, &result, given.span));
            return None;
        }
        if !self.stores(name, found, dtype, &given, &update.shown()) {
            return None;
        }
        self.enter(old.origin, &given);
        let mut node = self.node(&result)?;
        let mut expand = self.graph.expand();
        if expand.dtype(node).is_complex() && !dtype.is_complex() {
            // What a system stores of a complex number among real ones is its real part.
            (node, _) = expand.parts(node);
        }
        let node = self.convert_silently(node, dtype, given.span);
        let node = self.graph.expand().broadcast(node, &old.shape);
        Some(self.computed_value(node, dtype.into(), old.origin))
    }

    /// What is to be stored, in the dtype that the system gives it.
    fn update_result(&mut self, old: &Operand, given: &Operand, update: Update) -> Option<Operand> {
        let value = match update.op {
            Some(op) => {
                let row = Self::operator(Notation::Infix(op.notation));
                self.apply_operator(row, vec![old.clone(), given.clone()], update.span, op.span)
            }
            None => {
                let pair = [old.clone(), given.clone()];
                let asked = Operand::all_asked(&pair);
                if !given.elem.is_weak() && promotion::result(self.settings.system, Class::Selection, &asked).is_err() {
                    // What is stored meets nothing: it is of the variable's dtype, or it is not.
                    return Some(given.clone());
                }
                let shown = update.function.unwrap_or("=");
                let (decision, nodes) = self.meet(Class::Selection, shown, &pair, given.span)?;
                let elem = Elem::Strong(self.settings.harden(decision.result));
                self.computed_value(nodes[1], elem, given.origin)
            }
        };
        self.operand(value, given.span)
    }

    /// Reports what storing a result in a narrower variable loses, and answers whether the program may go on.
    fn stores(&mut self, name: &str, from: DType, to: DType, given: &Operand, shown: &str) -> bool {
        let effects = verdict::effects(&[from.into()], to.into(), |elem| self.settings.harden(elem));
        let row = effects.iter().find_map(|effect| match effect {
            Effect::PrecisionLoss { .. } => Some(&dtypes::PRECISION_LOSS),
            Effect::RangeLoss { .. } => Some(&dtypes::RANGE_LOSS),
            Effect::Implicit | Effect::KindChange | Effect::Widening => None,
        });
        let Some(row) = row.filter(|_| from != to) else { return true };
        let level = self.level(row, given.span);
        let (name, given, shown) = (name.to_owned(), given.clone(), shown.to_owned());
        self.found(Subject::Stored { row, level, name, from, to, given, shown });
        level != Level::Deny
    }
}
