//! The free names of a function or script, in order of use.

use crate::ops::elsewhere::modules;
use crate::source::Span;
use crate::syntax::ast::{Block, DimsExpr, ExprId, ExprKind, FunctionDefinition, Script, Stmt, StmtKind, TypeExpr};
use std::collections::{HashMap, HashSet};

/// A name and where a function uses it first.
#[derive(Clone, Debug)]
pub(in crate::check) struct FreeName {
    pub(in crate::check) name: String,
    pub(in crate::check) span: Span,
}

/// What is still to be looked at.
enum FreeTask<'s> {
    Expr(ExprId),
    Bind(&'s str),
    /// Forgets the names that were bound since this many names were bound.
    Forget(usize),
    /// The names of dimensions are the function's own.
    Type(&'s TypeExpr),
    Block(&'s Block),
    /// A function of the script, whose own names end with it.
    Function(&'s FunctionDefinition),
}

/// The free names of a function.
pub(in crate::check) fn names(script: &Script, function: &FunctionDefinition) -> Vec<FreeName> {
    let mut tasks = Vec::new();
    function_tasks(function, &mut tasks);
    FreeNames::new(true).walk(script, tasks)
}

/// The names of values that a script takes from outside: its inputs, and what it reads and does not bind itself. A name
/// that is called is a function's.
///
/// ```
/// use arrlang::{check::free_names, diagnostic::Diagnostics, source::Sources, syntax};
/// let mut sources = Sources::new();
/// let source = sources.add("demo.arr", "input a: f32[n]\nlet s = sum(a) / n\na - s * k\n");
/// let script = syntax::parse(&sources, source, &mut Diagnostics::new());
/// assert_eq!(free_names(&script), ["a", "k"]);
/// ```
pub fn free_names(script: &Script) -> Vec<String> {
    let mut walk = FreeNames::new(false);
    let mut tasks = Vec::new();
    for stmt in script.stmts.iter().rev() {
        stmt_tasks(stmt, &mut tasks);
        if let StmtKind::Fn(function) = &stmt.kind {
            tasks.push(FreeTask::Function(function));
        }
    }
    script.broken.iter().for_each(|name| walk.bind(&name.text));
    script.told.iter().for_each(|name| walk.bind(name));
    for stmt in &script.stmts {
        if let StmtKind::Input { name, .. } = &stmt.kind {
            walk.read(&name.text, name.span);
        } else if let StmtKind::Fn(function) = &stmt.kind {
            // A function may be used above its definition.
            walk.bind(&function.name.text);
        }
    }
    walk.walk(script, tasks).into_iter().map(|free| free.name).collect()
}

/// The parts of a function, first on top. Defaults are evaluated where it is defined, so its parameters hide no names
/// there.
fn function_tasks<'s>(function: &'s FunctionDefinition, tasks: &mut Vec<FreeTask<'s>>) {
    tasks.push(FreeTask::Block(&function.body));
    for param in function.params.iter().rev() {
        tasks.push(FreeTask::Bind(&param.name.text));
        tasks.extend(param.ty.as_ref().map(FreeTask::Type));
    }
    tasks.extend(function.params.iter().rev().filter_map(|param| param.default).map(FreeTask::Expr));
}

/// The parts of a block, first on top.
fn block_tasks<'s>(block: &'s Block, tasks: &mut Vec<FreeTask<'s>>) {
    tasks.extend(block.result.map(FreeTask::Expr));
    block.stmts.iter().rev().for_each(|stmt| stmt_tasks(stmt, tasks));
}

/// The parts of a statement, first on top.
fn stmt_tasks<'s>(stmt: &'s Stmt, tasks: &mut Vec<FreeTask<'s>>) {
    let kind = &stmt.kind;
    tasks.extend(kind.names().iter().map(|name| FreeTask::Bind(&name.text)));
    tasks.extend(kind.ty().map(FreeTask::Type));
    // The last one is looked at first: the value of an assignment comes before its target.
    kind.each_child(&mut |id| tasks.push(FreeTask::Expr(id)));
}

struct FreeNames<'s> {
    /// How often each name is bound at this place.
    bound: HashMap<&'s str, u32>,
    order: Vec<&'s str>,
    seen: HashSet<&'s str>,
    found: Vec<FreeName>,
    /// Whether names that are called are found, too.
    calls: bool,
}

impl<'s> FreeNames<'s> {
    fn new(calls: bool) -> FreeNames<'s> {
        FreeNames { bound: HashMap::new(), order: Vec::new(), seen: HashSet::new(), found: Vec::new(), calls }
    }

    fn walk(mut self, script: &'s Script, mut tasks: Vec<FreeTask<'s>>) -> Vec<FreeName> {
        while let Some(task) = tasks.pop() {
            match task {
                FreeTask::Expr(id) => self.expr(script, id, &mut tasks),
                FreeTask::Bind(name) => self.bind(name),
                FreeTask::Forget(len) => self.forget(len),
                FreeTask::Type(ty) => self.dims(script, ty),
                FreeTask::Block(block) => block_tasks(block, &mut tasks),
                FreeTask::Function(function) => {
                    tasks.push(FreeTask::Forget(self.order.len()));
                    function_tasks(function, &mut tasks);
                }
            }
        }
        self.found
    }

    fn bind(&mut self, name: &'s str) {
        *self.bound.entry(name).or_default() += 1;
        self.order.push(name);
    }

    fn forget(&mut self, len: usize) {
        for name in self.order.drain(len..) {
            *self.bound.entry(name).or_insert(1) -= 1;
        }
    }

    fn dims(&mut self, script: &'s Script, ty: &'s TypeExpr) {
        let DimsExpr::List(list) = &ty.dims else { return };
        let mut left = list.clone();
        while let Some(id) = left.pop() {
            let kind = &script.expr(id).kind;
            if let ExprKind::Name(name) = kind {
                self.bind(name);
            } else if matches!(kind, ExprKind::Infix(..) | ExprKind::Paren(_)) {
                // Names inside of anything else are not bound.
                kind.each_child(&mut |id| left.push(id));
            }
        }
    }

    /// Whether the function binds no such name here.
    fn is_free(&self, name: &str) -> bool {
        self.bound.get(name).is_none_or(|&times| times == 0)
    }

    fn name(&mut self, name: &'s str, span: Span) {
        if self.is_free(name) {
            self.read(name, span);
        }
    }

    fn read(&mut self, name: &'s str, span: Span) {
        if self.seen.insert(name) {
            self.found.push(FreeName { name: name.to_owned(), span });
        }
    }

    fn expr(&mut self, script: &'s Script, id: ExprId, tasks: &mut Vec<FreeTask<'s>>) {
        let expr = script.expr(id);
        if let ExprKind::Loop(it) = &expr.kind {
            tasks.push(FreeTask::Forget(self.order.len()));
            tasks.push(FreeTask::Block(&it.body));
            tasks.extend(it.condition().map(FreeTask::Expr));
            tasks.extend(it.names().map(|name| FreeTask::Bind(&name.text)));
            let head: Vec<ExprId> = it.head().collect();
            tasks.extend(head.into_iter().rev().map(FreeTask::Expr));
            return;
        }
        if let ExprKind::Name(name) = &expr.kind {
            self.name(name, expr.span);
        } else if let ExprKind::Call(callee, _) = &expr.kind
            && let ExprKind::Attribute(base, name) = &script.expr(*callee).kind
            && self.calls
        {
            // `x.f(…)` is `f(x, …)`, but `np.f(…)` is that of the library.
            let path = script.dotted_name(*base, |name| self.is_free(name));
            if path.is_none_or(|path| modules::find(&path).is_none()) {
                self.name(&name.text, name.span);
            }
        }
        let first = tasks.len();
        expr.kind.each_child(&mut |id| tasks.push(FreeTask::Expr(id)));
        tasks[first..].reverse();
        if let ExprKind::Call(callee, _) = &expr.kind
            && matches!(script.expr(*callee).kind, ExprKind::Name(_))
            && !self.calls
        {
            // The callee stands on top.
            tasks.pop();
        }
    }
}
