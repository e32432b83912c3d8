//! A statement of each kind, from what it defines to what it puts out.

use crate::check::infer::Ctx;
use crate::check::infer::found::facts::Subject;
use crate::check::infer::functions::memo::Memo;
use crate::check::infer::state::frame::Interface;
use crate::check::infer::values::operand::OperandForm;
use crate::check::infer::values::value::{Literal, Value};
use crate::check::setting::{self, SettingForm};
use crate::check::{RESULT, report};
use crate::constant::Const;
use crate::ir::ProgramOutput;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, LoopDomain, Name, Pattern, SettingWord, Stmt, StmtKind, TypeExpr};
use crate::types::Elem;
use std::collections::hash_map::Entry;
use std::sync::Arc;

impl Ctx<'_> {
    /// The statements of the script, and `after` each what is to be done with what was found.
    pub(in crate::check) fn script(&mut self, mut after: impl FnMut(&mut Self)) {
        let script = self.frame.script;
        self.bind_sizes();
        self.collect_functions(self.request.script);
        for (at, stmt) in script.stmts.iter().enumerate() {
            if self.request.stop.now() {
                return;
            }
            self.calls.unit.now = at;
            self.statement(stmt);
            after(self);
        }
    }

    /// Says that settings are others from here on.
    pub(in crate::check) fn settings_change(&mut self) {
        self.found(Subject::Settings(Box::new(self.settings.clone())));
    }

    pub(in crate::check) fn statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Error => {
                let script = self.frame.script;
                for name in script.broken.iter().filter(|name| report::covers(stmt.span, name.span)) {
                    self.typed.used.push(name.text.clone());
                    if self.frame.scope.is_step() {
                        self.frame.stored_in_step.push(name.text.clone());
                    }
                    self.frame.scope.define(&name.text, Value::Error, name.span);
                }
            }
            StmtKind::Promotion(words) => self.promotion(words, stmt.span),
            StmtKind::Input { name, ty, range, default } => {
                if self.bindable(name) && self.declare(Interface::Input, name) {
                    self.input(name, ty, *range, *default);
                }
            }
            StmtKind::Let { pattern, ty, value } => self.bind(pattern, ty.as_ref(), *value),
            StmtKind::Output { name, ty, value } => {
                self.declare(Interface::Output, name);
                if self.named_output(name, ty.as_ref(), *value, stmt.span).is_none() {
                    self.note_unreported(stmt.span);
                }
            }
            StmtKind::Expr { value, .. } => {
                let (call, span) = (*value, self.frame.script.expr(*value).span);
                let value = self.infer(call);
                if matches!(value, Value::Error) {
                    self.forget_changed(call);
                }
                if self.request.usage.results {
                    self.frame.scope.define(RESULT, value.clone(), span);
                }
                self.print(value, span);
            }
            StmtKind::Var { name, ty, value } => self.declare_variable(name, ty.as_ref(), *value),
            StmtKind::Assign { target, op, value } => {
                if self.assign(*target, *op, *value, stmt.span).is_none() {
                    self.note_unreported(stmt.span);
                    self.forget_stored(*target);
                }
            }
            StmtKind::Fn(function) => {
                self.define_function(&function.name.text, function.name.span);
            }
            StmtKind::Assert(condition) => self.assert(*condition),
            StmtKind::Use { path, path_span } => self.use_file(path, *path_span),
        }
        self.forget_stored_in_step();
        self.learn_noted();
    }

    /// `promotion jax safe, width=32, checked`
    fn promotion(&mut self, words: &[SettingWord], span: Span) {
        // At a prompt a later input may state other settings; a script states them once, at its beginning.
        if self.calls.unit.now > 0 && !self.request.usage.defines {
            self.error(report::late_promotion(span));
            return;
        }
        // What was found under other settings does not hold any more.
        self.calls.memo = Memo::default();
        for setting in words {
            let (word, value) = (&setting.word, setting.value.as_ref());
            match value {
                Some(value) => self.valued_setting(word, value),
                None => self.setting_word(word),
            }
        }
        self.settings_change();
    }

    /// `width=32`
    fn valued_setting(&mut self, word: &Name, value: &Name) {
        let Some(row) = setting::find(&word.text).filter(|row| row.form == SettingForm::Value) else {
            self.error(report::bad_setting(&report::only_valued(), word.span));
            return;
        };
        if self.settings.fixed.has(row) && row.words().contains(&value.text.as_str()) {
            return;
        }
        if let Err(message) = row.set(&mut self.settings, &value.text) {
            self.error(report::bad_setting(&message, value.span));
        }
    }

    /// `jax`, `safe`, `checked`
    fn setting_word(&mut self, word: &Name) {
        if let Some(system) = self.request.files.systems.get(&word.text) {
            self.settings.system = system;
            return;
        }
        if self.settings.fixed.has(&setting::SYSTEM) && self.text(word.span).starts_with(['"', '\'']) {
            // A file that the command line overrides is not even read.
            return;
        }
        match setting::of_word(&word.text) {
            Some((row, _)) if self.settings.fixed.has(row) => {}
            Some((row, value)) => row.set(&mut self.settings, value).expect("the row lists the word"),
            None => {
                let known: Vec<String> = setting::words().collect();
                let near = crate::diagnostic::suggest::closest(&word.text, known.iter().map(String::as_str));
                self.error(report::unknown_setting(&word.text, near, word.span));
            }
        }
    }

    /// Whether a name may be bound; dtype names may not.
    pub(in crate::check) fn bindable(&mut self, name: &Name) -> bool {
        if name.text.parse::<Elem>().is_ok() {
            self.error(report::dtype_bound(&name.text, name.span));
            return false;
        }
        true
    }

    /// A value that is taken apart into names: not the one array of a `scan`, whose first axis is that of its rows. Who
    /// takes that apart wants its last states beside it.
    fn no_states(&mut self, found: Value, value: ExprId, pattern: Span) -> Value {
        match (&self.frame.script.expr(value).kind, &found) {
            (ExprKind::Loop(of), Value::Computed(_)) if matches!(of.over, LoopDomain::Rows { .. }) => {
                self.error(report::states_of_scan(&found, pattern, self.frame.script.expr(value).span))
            }
            _ => found,
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value can be taken apart")]
    fn bind(&mut self, pattern: &Pattern, ty: Option<&TypeExpr>, value: ExprId) {
        let expr = self.frame.script.expr(value);
        let span = expr.span;
        let found = match &expr.kind {
            ExprKind::Tuple(items) if ty.is_some() && matches!(pattern, Pattern::Tuple(..)) => {
                let found = Value::Tuple(items.iter().map(|&item| self.infer_open(item)).collect());
                self.note_type(value, &found);
                found
            }
            _ if ty.is_some() => self.infer_open(value),
            _ => self.infer(value),
        };
        if matches!(found, Value::Error) {
            self.forget_changed(value);
        }
        match pattern {
            Pattern::Name(name) => {
                let found = self.annotate(found, span, ty);
                self.note_error(&found, span);
                if self.bindable(name) {
                    self.frame.scope.define(&name.text, found, name.span);
                }
            }
            Pattern::Tuple(names, pattern_span) => {
                let found = self.no_states(found, value, *pattern_span);
                let found = if ty.is_some() { open_parts(found, names.len()) } else { found };
                let items = match self.parts_of(found, names.len(), *pattern_span, span) {
                    Value::Tuple(items) if items.len() == names.len() => items.to_vec(),
                    Value::Error => vec![Value::Error; names.len()],
                    Value::Tuple(items) => {
                        let found = report::tuple_count(names.len(), items.len(), *pattern_span, span);
                        let is_scan =
                            matches!(&expr.kind, ExprKind::Loop(of) if matches!(of.over, LoopDomain::Rows { .. }));
                        self.error(if is_scan { report::with_rows_of_scan(found) } else { found });
                        vec![Value::Error; names.len()]
                    }
                    other => {
                        self.error(report::not_a_tuple(&other, *pattern_span, span));
                        vec![Value::Error; names.len()]
                    }
                };
                let written = if let ExprKind::Tuple(items) = &expr.kind { items.as_slice() } else { &[] };
                // Of several wrong parts at one place, only the first is reported.
                let mut wrong = false;
                for (index, (name, item)) in names.iter().zip(items).enumerate() {
                    let item = match written.get(index) {
                        Some(&part) => self.annotate(item, self.frame.script.expr(part).span, ty),
                        None if wrong => Value::Error,
                        None => self.annotate_part(item, span, ty, Some(name.text.as_str())),
                    };
                    wrong |= ty.is_some() && matches!(item, Value::Error);
                    self.note_error(&item, span);
                    if self.bindable(name) {
                        self.frame.scope.define(&name.text, item, name.span);
                    }
                }
            }
        }
    }

    /// `output score = …`, or `output score` for a name that is bound.
    fn named_output(&mut self, name: &Name, ty: Option<&TypeExpr>, value: Option<ExprId>, span: Span) -> Option<()> {
        let (found, at) = match value {
            Some(value) => (
                if ty.is_some() { self.infer_open(value) } else { self.infer(value) },
                self.frame.script.expr(value).span,
            ),
            None => match self.own_or_stored(&name.text) {
                Some(value) => (value, name.span),
                None => {
                    self.error(report::unknown_name(&name.text, None, None, self.request.usage, name.span));
                    return None;
                }
            },
        };
        let found = self.annotate(found, at, ty);
        // `output y` and `output y = y` leave a name as it is, with all that is known of it.
        let kept = value.is_none_or(
            |value| matches!(&self.frame.script.expr(value).kind, ExprKind::Name(own) if *own == name.text),
        );
        if matches!(found, Value::Error) {
            self.frame.scope.define(&name.text, Value::Error, name.span);
            return None;
        }
        let operand = self.operand(found, at)?;
        // An output hardens at its declaration.
        let node = self.node(&operand)?;
        let dtype = self.graph.builder.dtype(node);
        let value = self.computed_value(node, dtype.into(), operand.origin);
        if !kept || is_hardened(&operand.form, operand.elem) || self.frame.scope.find(&name.text).is_none() {
            self.frame.scope.define(&name.text, value, name.span);
        }
        self.typed.outputs.push(dtype.into());
        self.graph.builder.output(ProgramOutput { name: Some(name.text.clone()), node, span, weak: false });
        Some(())
    }

    /// What a name stands for by the script, or by an earlier input of the session.
    fn own_or_stored(&mut self, name: &str) -> Option<Value> {
        let stored = self.request.env.is_some_and(|env| env.get(name).is_some());
        if stored || self.frame.scope.find(name).is_some() { self.visible(name) } else { None }
    }

    /// Whether this is the first input, or output, of its name in the script.
    fn declare(&mut self, interface: Interface, name: &Name) -> bool {
        match self.frame.text_places.declared.entry((interface, name.text.clone())) {
            Entry::Vacant(free) => {
                free.insert(name.span);
                true
            }
            Entry::Occupied(first) => {
                let first = *first.get();
                let word = if interface == Interface::Input { "input" } else { "output" };
                self.error(report::declared_twice(word, &name.text, first, name.span));
                false
            }
        }
    }

    /// A bare expression is printed.
    #[expect(clippy::wildcard_enum_match_arm, reason = "`operand` knows which of the other values can be printed")]
    fn print(&mut self, value: Value, span: Span) {
        match value {
            Value::Tuple(items) => {
                for item in items.iter() {
                    self.print(item.clone(), span);
                }
            }
            Value::Error => {}
            Value::Builtin(op) => {
                self.error(report::function_printed(op, span));
            }
            Value::Function(closure) => {
                let name = &closure.function().name.text;
                self.error(report::own_function_printed(name, &closure.signature(self.request.sources), span));
            }
            Value::DType(dtype) => {
                let command = self.promotion_command(span);
                self.error(report::dtype_printed(dtype, command.as_deref(), span));
            }
            other => {
                let Some(operand) = self.operand(other, span) else { return self.note_unreported(span) };
                if let Some(Const::Int(value)) = operand.constant()
                    && Const::Int(value.clone()).fit(self.settings.harden(Elem::WeakInt)).is_err()
                {
                    let dtype = self.settings.harden(Elem::WeakInt);
                    let text = self.text(span);
                    self.error(report::no_dtype_holds(operand.constant().expect("matched above"), dtype, text, span));
                    return;
                }
                let Some(node) = self.node(&operand) else { return self.note_unreported(span) };
                self.typed.outputs.push(operand.elem);
                self.graph.builder.output(ProgramOutput { name: None, node, span, weak: operand.elem.is_weak() });
            }
        }
    }
}

/// The `count` rows of a list, each without a dtype until an annotation states one. Any other value stays as it is.
fn open_parts(value: Value, count: usize) -> Value {
    let Value::Literal(list) = &value else { return value };
    let [length, rest @ ..] = list.shape.as_slice() else { return value };
    let size = rest.iter().product::<usize>();
    if *length != count || size == 0 || count == 0 {
        return value;
    }
    let row = |consts: &[Const]| match rest {
        [] => Value::Const(consts[0].clone()),
        [..] => Value::Literal(Arc::new(Literal { elem: list.elem, consts: consts.to_vec(), shape: rest.to_vec() })),
    };
    Value::Tuple(list.consts.chunks(size).map(row).collect())
}

/// Whether a value takes its dtype where it becomes an output.
fn is_hardened(form: &OperandForm, elem: Elem) -> bool {
    elem.is_weak() || !matches!(form, OperandForm::Node(..))
}
