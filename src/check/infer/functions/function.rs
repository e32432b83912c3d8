//! The walk of a function's body, with given values for its parameters.
//!
//! A call is walked anew for the values that it is given, unless it was made before with the same ones; nodes are
//! shared by the builder, so what is computed twice is in the program once.

use super::closure::{CapturedValue, Closure};
use super::library::Exports;
use super::memo::{Key, Memo};
use super::unit::{MAX_CALLS, Unit};
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::{KeyUse, Subject};
use crate::check::infer::found::walk_cause::WalkCause;
use crate::check::infer::state::env::Scope;
use crate::check::infer::state::frame::Frame;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::ReadLength;
use crate::source::Span;
use crate::syntax::ast::{Block, DimsExpr, ExprKind, FunctionParam, TypeExpr};
use crate::types::{Dim, Elem};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// How many expressions the calls of a program may come to.
pub const MAX_EXPRESSIONS: u32 = 1_000_000;
/// Levels of expressions that are walked on one stack before a call takes a new one: every thread has room for these.
const FIRST_STACK_LEVELS: u32 = 64;
/// Levels that a stack of [`STACK_BYTES`] bytes has room for, and a body of the deepest nesting beyond them.
const STACK_LEVELS: u32 = 2000;
const STACK_BYTES: usize = 64 << 20;

/// The state of calls.
#[derive(Default, Debug)]
pub(in crate::check) struct Calls {
    pub(in crate::check) unit: Unit,
    pub(in crate::check) memo: Memo,
    /// Functions whose bodies were walked.
    walked: HashSet<usize>,
    /// Functions of used files, each with the statement that uses the file.
    pub(in crate::check) others: Vec<(Arc<Closure>, Span)>,
    /// What the used files define, once they were checked.
    pub(in crate::check) exports: Option<Exports>,
    /// What the script sees, while a function is walked.
    pub(in crate::check) outside: Scope,
    /// Functions that the session keeps, as functions of this program.
    pub(in crate::check) restored: HashMap<usize, Arc<Closure>>,
    pub(in crate::check) depth: Depth,
}

/// How far the walk has come into calls and expressions.
#[derive(Debug)]
pub(in crate::check) struct Depth {
    /// How many calls are open.
    open: u32,
    spent: u32,
    /// Whether the calls came to too many expressions, which was reported.
    exhausted: bool,
    level: u32,
    room: u32,
    /// The call that led into the library, while one of its functions is walked.
    pub(in crate::check) site: Option<Span>,
    /// How many nodes there were before the step of each loop that is open.
    loops: Vec<usize>,
    /// How many steps of loops are open that are only tried.
    trials: u32,
}

impl Default for Depth {
    fn default() -> Depth {
        let (room, loops) = (FIRST_STACK_LEVELS, Vec::new());
        Depth { open: 0, spent: 0, exhausted: false, level: 0, room, site: None, loops, trials: 0 }
    }
}

impl Calls {
    /// Whether the body of a function is being walked.
    pub(in crate::check) fn inside(&self) -> bool {
        self.depth.open > 0
    }

    /// Forgets what was found, so that the next call is walked as if it were the first. What was
    /// spent stays.
    pub(in crate::check) fn forget(&mut self) {
        self.memo = Memo::default();
        self.restored.clear();
        self.depth.exhausted = false;
    }
}

impl Depth {
    /// Whether the limit of expressions was reported.
    pub(in crate::check) fn is_reported(&mut self) -> &mut bool {
        &mut self.exhausted
    }

    /// Lets calls and loops from now on come to `most` expressions.
    pub(in crate::check) fn allow(&mut self, most: u32) {
        self.spent = MAX_EXPRESSIONS.saturating_sub(most);
    }

    /// How many more expressions they may come to. It is `None` if they came to too many.
    pub(in crate::check) fn left(&self) -> Option<u32> {
        MAX_EXPRESSIONS.checked_sub(self.spent)
    }

    /// Enters the step of a loop, before which there are `nodes` nodes.
    pub(in crate::check) fn enter_loop(&mut self, nodes: usize) {
        self.loops.push(nodes);
    }

    /// Out of the step of a loop.
    pub(in crate::check) fn leave_loop(&mut self) {
        self.loops.pop();
    }

    /// How many nodes there were before the outermost loop whose step is walked.
    pub(in crate::check) fn outermost_loop(&self) -> Option<usize> {
        self.loops.first().copied()
    }

    /// Whether a step of a loop is walked.
    pub(in crate::check) fn is_in_loop(&self) -> bool {
        !self.loops.is_empty()
    }

    /// Enters a step that is only tried.
    pub(in crate::check) fn enter_trial(&mut self) {
        self.trials += 1;
    }

    /// Out of a step that was only tried.
    pub(in crate::check) fn leave_trial(&mut self) {
        self.trials -= 1;
    }

    /// Whether what is walked is only tried.
    pub(in crate::check) fn is_trial(&self) -> bool {
        self.trials > 0
    }

    /// One level deeper into an expression.
    pub(in crate::check) fn enter(&mut self) {
        self.level += 1;
        self.spent += u32::from(self.open > 0 || self.is_in_loop());
    }

    /// One level back.
    pub(in crate::check) fn leave(&mut self) {
        self.level -= 1;
    }
}

/// The dtypes in a value, behind those of others. What has no dtype adds `None`.
fn dtypes_of(value: Option<&Value>, found: &mut Vec<Option<Elem>>) {
    match value {
        Some(Value::Tuple(items)) => items.iter().for_each(|item| dtypes_of(Some(item), found)),
        Some(Value::Computed(it)) => found.push(Some(it.elem)),
        Some(Value::Literal(it)) => found.push(Some(it.elem)),
        Some(Value::Const(it)) => found.push(Some(it.elem())),
        Some(Value::DType(dtype)) => found.push(Some(Elem::Strong(*dtype))),
        _ => found.push(None),
    }
}

impl Ctx<'_> {
    /// A call of a function that is written in the language; `at` is its name there.
    pub(in crate::check) fn call_function(
        &mut self,
        closure: &Arc<Closure>,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        if given.iter().flatten().any(|(value, _)| matches!(value, Value::Error)) {
            return Value::Error;
        }
        let is_library = closure.script.source.is_library();
        let cause = if is_library { WalkCause::Written(span) } else { WalkCause::Call(span) };
        let site = if span.source.is_library() { self.calls.depth.site } else { Some(span) };
        let key = Key::new(closure, &given, site.filter(|_| is_library));
        if let Some(result) = self.calls.memo.find(&key, &given) {
            self.draw_again(&key, cause);
            return result;
        }
        if self.calls.depth.open >= MAX_CALLS {
            return self.error(report::call_depth(&closure.function().name.text, MAX_CALLS, at));
        }
        if self.is_exhausted(at) {
            return Value::Error;
        }
        let args = given.clone();
        let mut dtypes = Vec::with_capacity(given.len());
        given.iter().for_each(|given| dtypes_of(given.as_ref().map(|(value, _)| value), &mut dtypes));
        self.findings.note_call(closure.place().1, dtypes);
        let facts = self.typed.facts.len();
        let walk = |ctx: &mut Self| ctx.within_function(closure, cause, |ctx| ctx.body(closure, Some(given)));
        // An error in the library is reported at the call.
        let shown = !is_library && !span.source.is_library();
        self.graph.calls.extend(shown.then_some(span));
        let mut result = self.with_room(|ctx| ctx.at_call(closure, span, walk));
        if shown {
            self.graph.calls.pop();
        }
        if is_library && !span.source.is_library() {
            result = self.result_of_bundled(closure, &args, result, (span, at));
        }
        let facts = self.typed.facts.iter().skip(facts);
        let drawn = facts.filter_map(|fact| if let Subject::Drawn(drawn) = fact.about { Some(drawn) } else { None });
        let mut known = HashSet::new();
        let drawn: Vec<KeyUse> = drawn.filter(|it| known.insert((it.key, it.at))).collect();
        self.calls.memo.keep(key, closure, args, result.clone(), drawn);
        result
    }

    /// A call that was made before draws from the same keys once more.
    fn draw_again(&mut self, key: &Key, cause: WalkCause) {
        let drawn = self.calls.memo.drawn(key);
        if drawn.is_empty() {
            return;
        }
        let outer = self.findings.enter(cause);
        drawn.into_iter().for_each(|it| self.found(Subject::Drawn(it)));
        self.findings.leave(outer);
    }

    /// Whether calls and loops came to too many expressions, which is reported once.
    pub(in crate::check) fn is_exhausted(&mut self, at: Span) -> bool {
        let exhausted = self.calls.depth.spent > MAX_EXPRESSIONS;
        if exhausted && !std::mem::replace(&mut self.calls.depth.exhausted, true) {
            self.error(report::expansion_limit(MAX_EXPRESSIONS, at));
        }
        exhausted
    }

    /// Walks the functions that nothing calls, as far as their annotations say what they take, and `after` each does
    /// what is to be done with what was found. They are no part of the program.
    pub(in crate::check) fn unused_functions(&mut self, mut after: impl FnMut(&mut Self)) {
        self.graph.finish();
        self.typed.record.end_program();
        let own = self.calls.unit.closures().into_iter().map(|closure| (closure, WalkCause::Nothing));
        let others = std::mem::take(&mut self.calls.others).into_iter();
        let all: Vec<_> = own.chain(others.map(|(closure, used)| (closure, WalkCause::Use(used)))).collect();
        for (closure, cause) in all {
            let name = closure.function().name.span;
            let ready = self.ready(&closure, name);
            if matches!(ready, Value::Error) || self.calls.walked.contains(&(Arc::as_ptr(&closure) as usize)) {
                continue;
            }
            self.calls.memo = Memo::default();
            self.within_function(&closure, cause, |ctx| ctx.body(&closure, None));
            after(self);
            if self.graph.leave() {
                self.calls.restored.clear();
            }
        }
    }

    /// The value of a function's body for arguments that `given` makes where the function is defined.
    pub(in crate::check) fn try_call(
        &mut self,
        closure: &Arc<Closure>,
        given: impl FnOnce(&mut Self) -> Option<Vec<GivenValue>>,
    ) -> Value {
        self.within_function(closure, WalkCause::Nothing, |ctx| match given(ctx) {
            Some(given) => ctx.body(closure, Some(given)),
            None => Value::Error,
        })
    }

    /// Does something with stack enough for the deepest expression.
    fn with_room<T: Send>(&mut self, f: impl FnOnce(&mut Self) -> T + Send) -> T
    where
        Self: Send,
    {
        if self.calls.depth.level < self.calls.depth.room {
            return f(self);
        }
        let room = std::mem::replace(&mut self.calls.depth.room, self.calls.depth.level + STACK_LEVELS);
        let result = std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
            let handle = thread.spawn_scoped(scope, || f(self)).expect("the machine has room for one more thread");
            match handle.join() {
                Ok(result) => result,
                Err(panic) => std::panic::resume_unwind(panic),
            }
        });
        self.calls.depth.room = room;
        result
    }

    /// Does something where a function is defined: its script, what it captured, dimensions of its own. What is
    /// reported there shows the call.
    fn within_function<T>(&mut self, closure: &Arc<Closure>, cause: WalkCause, f: impl FnOnce(&mut Self) -> T) -> T {
        let script = self.scripts.get(&closure.script);
        let mut frame = std::mem::replace(&mut self.frame, Frame::of(script));
        let outermost = !self.calls.inside();
        if outermost {
            self.calls.outside = std::mem::take(&mut frame.scope);
        }
        for (name, captured) in closure.captures() {
            if let CapturedValue::Live(value) = captured {
                self.frame.scope.define(name, value.clone(), closure.function().name.span);
            }
        }
        self.findings.suppressed.add(script, self.request.sources);
        let outer = self.findings.enter(cause);
        self.calls.depth.open += 1;
        let result = f(self);
        self.calls.depth.open -= 1;
        self.findings.leave(outer);
        if outermost {
            frame.scope = std::mem::take(&mut self.calls.outside);
        }
        self.frame = frame;
        result
    }

    /// The value of a function's body. Without arguments, its annotations say what they are, and what they do not
    /// say is not known.
    fn body(&mut self, closure: &Arc<Closure>, given: Option<Vec<GivenValue>>) -> Value {
        let function = closure.function();
        let called = given.is_some();
        let given = given.unwrap_or_else(|| vec![None; function.params.len()]);
        let mut values = Vec::with_capacity(given.len());
        for (param, given) in function.params.iter().zip(given) {
            values.push(match (given, param.default) {
                (Some((value, span)), _) => (value, span),
                (None, Some(default)) => {
                    let value = if param.ty.is_some() { self.infer_open(default) } else { self.infer(default) };
                    (value, self.frame.script.expr(default).span)
                }
                (None, None) => (self.placeholder(param), param.name.span),
            });
        }
        for (param, (value, span)) in function.params.iter().zip(&values) {
            self.bind_dims(param.ty.as_ref(), value, *span);
        }
        let mut broken = false;
        for (param, (value, span)) in function.params.iter().zip(values) {
            let value = self.parameter(closure, param, value, span);
            broken |= matches!(value, Value::Error);
            self.frame.scope.define(&param.name.text, value, param.name.span);
        }
        if broken && called {
            return Value::Error;
        }
        self.calls.walked.insert(Arc::as_ptr(closure) as usize);
        let (value, span) = self.block(&function.body, function.result.is_some());
        self.annotate(value, span, function.result.as_ref())
    }

    /// Statements, then the value of the block.
    pub(in crate::check) fn block(&mut self, block: &Block, open: bool) -> (Value, Span) {
        for stmt in &block.stmts {
            self.statement(stmt);
        }
        match block.result {
            Some(result) if open => (self.infer_open(result), self.frame.script.expr(result).span),
            Some(result) => (self.infer(result), self.frame.script.expr(result).span),
            None => (Value::Error, block.span),
        }
    }

    /// A value of a parameter's annotated type. Where that is not complete, it is an error.
    fn placeholder(&mut self, param: &FunctionParam) -> Value {
        let Some(ty) = &param.ty else { return Value::Error };
        let Some(annotation) = self.annotation(ty, None) else { return Value::Error };
        let (Some(dtype), Some(dims)) = (annotation.dtype, annotation.dims) else { return Value::Error };
        let node = self.graph.builder.input(&param.name.text, param.name.span, dtype, dims);
        self.computed_value(node, dtype.into(), ty.span)
    }

    /// The names among a parameter's dimensions stand for the sizes of its argument.
    fn bind_dims(&mut self, ty: Option<&TypeExpr>, value: &Value, at: Span) {
        let Some(TypeExpr { dims: DimsExpr::List(list), .. }) = ty else { return };
        let Some(shape) = self.shape_of(value).filter(|shape| shape.len() == list.len()) else { return };
        let node = if let Value::Computed(computed) = value { Some(computed.node) } else { None };
        for (axis, (&dim, size)) in list.iter().zip(shape).enumerate() {
            if let ExprKind::Name(name) = &self.frame.script.expr(dim).kind {
                let of = node.map(|node| (node, axis as u32));
                self.graph.builder.note_length(ReadLength { dim: size.clone(), of });
                self.frame.dims.entry(name.clone()).or_insert((Some(size), at));
            }
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value is an array or a constant")]
    pub(in crate::check::infer) fn shape_of(&self, value: &Value) -> Option<Vec<Dim>> {
        match value {
            Value::Computed(computed) => Some(self.graph.builder.shape(computed.node).clone()),
            Value::Literal(literal) => Some(literal.shape.iter().map(|&size| Dim::Const(size as u64)).collect()),
            Value::Const(_) => Some(Vec::new()),
            _ => None,
        }
    }

    /// An argument as its parameter's annotation wants it.
    fn parameter(&mut self, closure: &Closure, param: &FunctionParam, value: Value, span: Span) -> Value {
        let Some(ty) = &param.ty else { return value };
        if let Some(shape) = self.shape_of(&value)
            && let DimsExpr::List(list) = &ty.dims
            && list.len() == shape.len()
        {
            for (&dim, size) in list.iter().zip(&shape) {
                let ExprKind::Name(name) = &self.frame.script.expr(dim).kind else { continue };
                if let Some((Some(known), from)) = self.frame.dims.get(name)
                    && known != size
                {
                    let (known, from) = (known.clone(), *from);
                    self.typed.single_axes.misfit(&known, size);
                    let function = &closure.function().name.text;
                    return self.error(report::dimension_differs(
                        function,
                        &param.name.text,
                        name,
                        (&known, from),
                        (size, span),
                        self.frame.script.expr(dim).span,
                    ));
                }
            }
        }
        self.annotate(value, span, Some(ty))
    }
}
