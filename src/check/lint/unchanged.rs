//! Statements that change nothing, though they change an array in NumPy. They are calls of their own, or store into a
//! copy that is a view there.

use super::Lint;
use super::bindings::Reads;
use super::loops;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::ops::elsewhere::{self, Counterpart};
use crate::ops::{self, Creation, Form};
use crate::source::Span;
use crate::syntax::ast::{Block, ExprId, ExprKind, Index, Name, Script, Stmt, StmtKind};
use std::collections::{HashMap, HashSet};

/// The attributes that say nothing of the elements.
const SHAPE: [&str; 4] = ["shape", "size", "ndim", "dtype"];

/// How many statements behind a part are looked at.
const MAX_SEARCHED_STATEMENTS: usize = 256;

/// How a variable begins that would be a view of another one in NumPy.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ViewForm {
    /// `g`, which has all elements.
    Whole,
    /// `g.T`, which has all elements too.
    Transposed,
    /// `g[1:3]`
    Slice,
    /// `g[0]`, which is an element of a vector.
    Row,
}

/// A variable that begins as a part of another one, its source. A store in the variable matters if the source is read
/// behind it.
struct SlicedVariable<'s> {
    name: &'s str,
    source: &'s str,
    /// `x[1:3]`
    value: ExprId,
    /// Whether any store in the variable counts. If not, only stores with brackets count, which show that it is an
    /// array.
    is_array: bool,
}

/// What stands behind a variable: statements of the same block, and its value.
#[derive(Clone, Copy)]
struct LaterStatements<'s> {
    stmts: &'s [Stmt],
    result: Option<ExprId>,
}

/// A store in a part.
#[derive(Clone, Copy)]
struct LostStore<'s> {
    stmt: &'s Stmt,
    /// Whether the source, or another part, was changed since the part was made: to put the part back undoes that.
    is_mixed: bool,
}

/// The variables of a script that begin as another one, or as a part of one.
type SlicedNames<'s> = HashSet<&'s str>;

impl Lint<'_, '_> {
    /// Reports statements that only seem to change an array which later ones read.
    pub(super) fn unchanged_arrays(&mut self) {
        let script: &Script = self.request.script;
        let Some((_, before)) = script.stmts.split_last() else { return };
        for stmt in before {
            let StmtKind::Expr { value, .. } = stmt.kind else { continue };
            let Some((array, is_reshaped)) = self.changed_elsewhere(value) else { continue };
            let span = script.expr(value).span;
            let level = self.level(&lints::UNCHANGED_ARRAY, span);
            if level == Level::Allow {
                continue;
            }
            let (name, written) = (self.text(script.expr(array).span).to_owned(), self.text(span).to_owned());
            // A part that is a view in NumPy takes the result too: `m[0] = m[0].sort()`.
            let source = self.source_of(script, array).map(|(source, _)| source);
            let is_variable = script
                .stmts
                .iter()
                .any(|stmt| matches!(&stmt.kind, StmtKind::Var { name: own, .. } if Some(own.text.as_str()) == source));
            let is_name = matches!(script.expr(array).kind, ExprKind::Name(_));
            let keep = match is_variable && !is_reshaped {
                true => Some(format!("{name} = ")),
                false => is_name.then(|| format!("let {name} = ")),
            };
            self.report(report::unchanged_array(level, &name, &written, keep.as_deref(), span));
        }
    }

    /// Reports stores in a variable that is a part of another one, if the other one is read behind: a view in NumPy
    /// would change it too. If the variable is all of the other one, stores in the other one are reported too. Returns
    /// where the reported variables are defined.
    pub(super) fn unchanged_sources(&mut self, reads: &Reads) -> Vec<Span> {
        let script: &Script = self.request.script;
        let mut told = Vec::new();
        self.unchanged_in(reads, LaterStatements { stmts: &script.stmts, result: None }, &mut told);
        for stmt in &script.stmts {
            if let StmtKind::Fn(function) = &stmt.kind {
                let Block { stmts, result, .. } = &function.body;
                self.unchanged_in(reads, LaterStatements { stmts, result: *result }, &mut told);
            }
        }
        for it in loops(script) {
            let Block { stmts, result, .. } = &it.body;
            self.unchanged_in(reads, LaterStatements { stmts, result: *result }, &mut told);
        }
        told
    }

    /// The same of the variables of one block.
    fn unchanged_in(
        &mut self,
        reads: &Reads,
        LaterStatements { stmts, result }: LaterStatements,
        told: &mut Vec<Span>,
    ) {
        let script: &Script = self.request.script;
        let begun = stmts.iter().filter_map(|stmt| {
            let StmtKind::Var { name, value, .. } = &stmt.kind else { return None };
            self.source_of(script, *value).map(|_| name.text.as_str())
        });
        let parts: SlicedNames = begun.collect();
        if parts.is_empty() {
            return;
        }
        // Whether the last definition of a name is a variable.
        let mut defined: HashMap<&str, bool> = HashMap::new();
        for (at, stmt) in stmts.iter().enumerate() {
            let is_variable = matches!(stmt.kind, StmtKind::Var { .. });
            if let StmtKind::Var { name, value, .. } = &stmt.kind
                && let Some((source, form)) = self.source_of(script, *value)
                && source != name.text
                && defined.get(source) == Some(&true)
            {
                let behind = LaterStatements { stmts: &stmts[at + 1..], result };
                let is_array = form == ViewForm::Slice || self.is_array(name);
                let part = SlicedVariable { name: &name.text, source, value: *value, is_array };
                let mut found = self.lost_store((reads, &parts), &part, behind).map(|store| (store, false));
                // A store in the source may be meant for elements outside of the part.
                if found.is_none() && matches!(form, ViewForm::Whole | ViewForm::Transposed) {
                    let whole = SlicedVariable { name: source, source: &name.text, ..part };
                    found = self.lost_store((reads, &parts), &whole, behind).map(|store| (store, true));
                }
                if let Some((LostStore { stmt, is_mixed }, is_reverse)) = found {
                    told.push(name.span);
                    let level = self.level(&lints::UNCHANGED_ARRAY, stmt.span);
                    if level != Level::Allow {
                        let part = script.expr(*value).span;
                        let written = self.text(part);
                        let back = if is_reverse {
                            format!("{} = {written}", name.text)
                        } else if form == ViewForm::Transposed {
                            format!("{source} = {}.T", name.text)
                        } else {
                            format!("{written} = {}", name.text)
                        };
                        let shared = report::SharedElsewhere { name: &name.text, source, written, part, back };
                        self.report(report::unchanged_source(level, &shared, (stmt.span, is_mixed), is_reverse));
                    }
                }
            }
            defined.extend(stmt.kind.names().iter().map(|name| (name.text.as_str(), is_variable)));
        }
    }

    /// Whether a variable of the script has axes.
    fn is_array(&self, name: &Name) -> bool {
        let binding = self.scope.find(&name.text).filter(|binding| binding.span == name.span);
        let Some(Value::Computed(computed)) = binding.map(|binding| &binding.value) else { return false };
        !self.graph.builder.shape(computed.node).is_empty()
    }

    /// The name of the array of which a value is a part that NumPy would not copy. The value is that name, its
    /// transpose, or that name indexed by slices and by integers that are written out. A value without elements is no
    /// part.
    fn source_of<'s>(&self, script: &'s Script, value: ExprId) -> Option<(&'s str, ViewForm)> {
        let name_of = |id: ExprId| {
            let ExprKind::Name(name) = &script.expr(id).kind else { return None };
            Some(name.as_str())
        };
        if let Some(name) = name_of(value) {
            return Some((name, ViewForm::Whole));
        }
        if let ExprKind::Attribute(base, view) = &script.expr(value).kind {
            return name_of(*base).filter(|_| view.text == "T").map(|name| (name, ViewForm::Transposed));
        }
        let ExprKind::Index(base, index) = &script.expr(value).kind else { return None };
        let name = name_of(*base)?;
        let number = |id: ExprId| self.text(script.expr(id).span).parse::<i64>().ok();
        let is_known = |index: &Index| match *index {
            Index::At(id) => number(id).is_some(),
            Index::Slice(from, Some(to), None, _) => {
                let from = from.map_or(Some(0), number);
                let has_elements = |(from, to): (i64, i64)| to != 0 && (to > from || (to < 0) != (from < 0));
                from.zip(number(to)).is_none_or(has_elements)
            }
            Index::Slice(..) | Index::Ellipsis(_) | Index::NewAxis(_) => true,
        };
        let is_slice = index.iter().any(|index| matches!(index, Index::Slice(..)));
        let form = if is_slice { ViewForm::Slice } else { ViewForm::Row };
        index.iter().all(is_known).then_some((name, form))
    }

    /// The last store in a part before its source is read, where no statement takes both: whoever compares them, or
    /// puts the part back, knows that they are two values.
    fn lost_store<'s>(
        &self,
        (reads, parts): (&Reads, &SlicedNames),
        part: &SlicedVariable,
        behind: LaterStatements<'s>,
    ) -> Option<LostStore<'s>> {
        let script: &Script = self.request.script;
        let SlicedVariable { name: part, source, value, is_array } = *part;
        let names_in = |wanted: &str, place: Span| {
            let places = reads.get(wanted).map_or(&[][..], Vec::as_slice);
            let next = places.get(places.partition_point(|&at| at < place.start));
            next.is_some_and(|&at| at < place.end)
        };
        let (mut store, mut is_mixed) = (None, false);
        for stmt in behind.stmts.iter().take(MAX_SEARCHED_STATEMENTS) {
            let name_of = |target| script.indexed_name(target).map(|(name, _)| name);
            let base = if let StmtKind::Assign { target, .. } = stmt.kind { name_of(target) } else { None };
            let names = |wanted: &str| names_in(wanted, stmt.span);
            let names_source = names(source);
            if names(part) && (names_source || base == Some(source)) {
                return None;
            }
            if store.is_some() && names_source && takes(script, stmt, source) {
                return store;
            }
            let only_gives = matches!(stmt.kind, StmtKind::Output { value: None, .. });
            if !only_gives && stmt.kind.names().iter().any(|name| name.text == source || name.text == part) {
                return None;
            }
            let StmtKind::Assign { target, op, .. } = &stmt.kind else { continue };
            let is_whole = op.is_none() && matches!(script.expr(*target).kind, ExprKind::Name(_));
            let place = |id: ExprId| self.text(script.expr(id).span);
            match base {
                // What has another value as a whole is no view any more.
                Some(name) if is_whole && (name == source || name == part) => return None,
                Some(name) if name == part => {
                    let is_name = matches!(script.expr(*target).kind, ExprKind::Name(_));
                    if is_array || !is_name {
                        store = Some(LostStore { stmt, is_mixed });
                    }
                }
                Some(name) if name == source => {
                    is_mixed = true;
                    // The elements of the part have other values now, in NumPy too.
                    if op.is_none() && (is_all(script, *target) || place(*target) == place(value)) {
                        store = None;
                    }
                }
                Some(name) => is_mixed |= parts.contains(name),
                None => {}
            }
        }
        let result = behind.result.filter(|_| behind.stmts.len() <= MAX_SEARCHED_STATEMENTS)?;
        let place = script.expr(result).span;
        let is_read = names_in(source, place) && !names_in(part, place);
        store.filter(|_| is_read && gives(script, result, source))
    }

    /// The array that a call changes in NumPy, if it is a name or a part of one, and whether it gives it
    /// another shape.
    fn changed_elsewhere(&self, call: ExprId) -> Option<(ExprId, bool)> {
        let script: &Script = self.request.script;
        let ExprKind::Call(callee, args) = &script.expr(call).kind else { return None };
        let first = || args.first().filter(|arg| arg.name.is_none()).map(|arg| arg.value);
        // A function of the script with this name does something else.
        let is_own = |name: &str| {
            script.stmts.iter().any(|stmt| matches!(&stmt.kind, StmtKind::Fn(function) if function.name.text == name))
        };
        let callee = script.expr(*callee);
        let (name, _) = callee.last_name()?;
        let array = if let ExprKind::Attribute(before, _) = &callee.kind {
            let path = self.text(script.expr(*before).span);
            let is_module = elsewhere::modules::find(path).is_some();
            let changes = elsewhere::changes_an_array(Some(path), name);
            changes.then(|| if is_module { first() } else { Some(*before) })??
        } else {
            elsewhere::changes_an_array(None, name).then(first)??
        };
        script.indexed_name(array).filter(|_| !is_own(name)).map(|_| (array, elsewhere::changes_a_shape(name)))
    }
}

/// Whether a statement takes the elements of a variable. The target of an assignment is not taken.
fn takes(script: &Script, stmt: &Stmt, name: &str) -> bool {
    if matches!(&stmt.kind, StmtKind::Output { name: own, value: None, .. } if own.text == name) {
        return true;
    }
    let mut walk = StoreWalk { script, name, open: Vec::new() };
    walk.statement(stmt);
    walk.meets()
}

/// Whether an expression takes the elements of a variable.
fn gives(script: &Script, value: ExprId, name: &str) -> bool {
    StoreWalk { script, name, open: vec![value] }.meets()
}

/// A walk to where the elements of a variable are taken. Its shape and its dtype alone say nothing of them, and
/// bodies may have a name of their own with its spelling.
struct StoreWalk<'s> {
    script: &'s Script,
    name: &'s str,
    /// What is still to be looked at.
    open: Vec<ExprId>,
}

impl StoreWalk<'_> {
    /// Whether the elements are taken anywhere.
    fn meets(&mut self) -> bool {
        while let Some(id) = self.open.pop() {
            if self.is_name(id) {
                return true;
            }
            self.expression(id);
        }
        false
    }

    fn is_name(&self, id: ExprId) -> bool {
        matches!(&self.script.expr(id).kind, ExprKind::Name(own) if own == self.name)
    }

    fn statement(&mut self, stmt: &Stmt) {
        if let StmtKind::Assign { target, value, .. } = stmt.kind {
            let target = &self.script.expr(target).kind;
            let base = if let ExprKind::Index(base, _) = target { Some(*base) } else { None };
            target.each_child(&mut |id| {
                if base != Some(id) {
                    self.open.push(id);
                }
            });
            self.open.push(value);
            return;
        }
        stmt.kind.each_child(&mut |id| self.open.push(id));
        if let StmtKind::Fn(function) = &stmt.kind
            && !function.params.iter().any(|param| param.name.text == self.name)
        {
            self.body(&function.body);
        }
    }

    fn body(&mut self, body: &Block) {
        for stmt in &body.stmts {
            self.statement(stmt);
            if stmt.kind.names().iter().any(|own| own.text == self.name) {
                return;
            }
        }
        self.open.extend(body.result);
    }

    fn expression(&mut self, id: ExprId) {
        let script = self.script;
        let kind = &script.expr(id).kind;
        if let ExprKind::Loop(it) = kind {
            self.open.extend(it.head());
            if !it.names().any(|own| own.text == self.name) {
                self.open.extend(it.condition());
                self.body(&it.body);
            }
            return;
        }
        // Only the shape or the dtype of this one is read.
        let shape_of = if let ExprKind::Attribute(base, name) = kind {
            SHAPE.contains(&name.text.as_str()).then_some(*base)
        } else if let ExprKind::Call(callee, args) = kind {
            args.first().filter(|_| reads_shape_alone(script, *callee)).map(|arg| arg.value)
        } else {
            None
        };
        let shape_of = shape_of.filter(|&base| self.is_name(base));
        kind.each_child(&mut |id| {
            if shape_of != Some(id) {
                self.open.push(id);
            }
        });
    }
}

/// Whether a function takes nothing of its operand but its shape and its dtype: `zeros_like(x)`, `len(x)`.
fn reads_shape_alone(script: &Script, callee: ExprId) -> bool {
    let Some((name, _)) = script.expr(callee).last_name() else { return false };
    if let Some(op) = ops::find(name) {
        return matches!(op.form, Form::Make(Creation::Like(_)));
    }
    let Some(Counterpart::Code { forms, .. }) = elsewhere::find(name).map(|row| row.becomes) else { return false };
    let is_shape =
        |code: &str| SHAPE.iter().any(|own| code.strip_prefix("x.").is_some_and(|rest| rest.starts_with(*own)));
    forms.iter().all(|form| is_shape(form.code) && form.code.matches("x.").count() == 1)
}

/// Whether an index takes the whole array: `x[:]`.
fn is_all(script: &Script, target: ExprId) -> bool {
    let is_all = |index: &Index| matches!(index, Index::Slice(None, None, None, _) | Index::Ellipsis(_));
    matches!(&script.expr(target).kind, ExprKind::Index(_, index) if index.iter().all(is_all))
}
