//! `use "lib.arr"`: functions and constants of another file.
//!
//! A used file is checked by itself, before the names that it defines are those of the file that uses it too. The
//! checker reads nothing: the files are in the [`UsedFiles`], each after those that it uses itself.

use super::unit::Unit;
use crate::check::infer::Ctx;
use crate::check::infer::found::walk_cause::WalkCause;
use crate::check::infer::state::frame::Frame;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::check::setting;
use crate::ir::NodeKind;
use crate::promotion::systems;
use crate::source::{SourceId, Span};
use crate::syntax::ast::{Script, SettingWord, Stmt, StmtKind};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// The files that `use` statements name.
#[derive(Debug, Default)]
pub struct UsedFiles {
    /// The file that a path in a source means. It is `None` for what was reported.
    pub named: BTreeMap<(SourceId, String), Option<Arc<Script>>>,
    /// Every file once, after those that it uses, with the statement that named it first.
    pub files: Vec<(Arc<Script>, Span)>,
}

/// A name that a file gives to those that use it.
#[derive(Clone, Debug)]
pub(in crate::check) struct Export {
    name: String,
    value: Value,
    span: Span,
}

/// What each file gives to those that use it.
pub(in crate::check) type Exports = HashMap<SourceId, Vec<Export>>;

impl<'a> Ctx<'a> {
    /// `use "lib.arr"`
    pub(in crate::check) fn use_file(&mut self, path: &str, path_span: Span) {
        let library = self.request.files.library;
        if self.calls.exports.is_none() {
            self.calls.exports = Some(Exports::default());
            for (script, used) in &library.files {
                let found = self.library_file(script, *used);
                self.calls.exports.get_or_insert_default().insert(script.source, found);
            }
        }
        match library.named.get(&(self.frame.script.source, path.to_owned())) {
            Some(Some(script)) => {
                let exports = self.calls.exports.as_ref().and_then(|exports| exports.get(&script.source));
                for Export { name, value, span } in exports.cloned().unwrap_or_default() {
                    self.frame.scope.define(&name, value, span);
                }
            }
            Some(None) => {}
            None => {
                self.error(report::not_supported(
                    "`use` where no files are read",
                    "write the functions into this script",
                    path_span,
                ));
            }
        }
    }

    /// Checks a used file, and answers the names that it defines.
    fn library_file(&mut self, script: &'a Arc<Script>, used: Span) -> Vec<Export> {
        let unit = std::mem::take(&mut self.calls.unit);
        let frame = std::mem::replace(&mut self.frame, Frame::of(script));
        self.scripts.look(script);
        self.findings.suppressed.add(script, self.request.sources);
        let outer = self.findings.enter(WalkCause::File(used));
        self.collect_functions(script);
        self.calls.unit.library = true;
        for (at, stmt) in script.stmts.iter().enumerate() {
            self.calls.unit.now = at;
            self.library_statement(stmt);
        }
        for closure in self.calls.unit.closures() {
            let name = closure.function().name.span;
            if matches!(self.ready(&closure, name), Value::Function(_)) {
                self.calls.others.push((closure, used));
            }
        }
        self.findings.leave(outer);
        let scope = std::mem::replace(&mut self.frame, frame).scope;
        self.calls.unit = unit;
        let own =
            |stmt: &Stmt, span: Span| !matches!(stmt.kind, StmtKind::Use { .. }) && report::covers(stmt.span, span);
        let names =
            scope.take().into_iter().map(|(name, binding)| Export { name, value: binding.value, span: binding.span });
        // Only what the file defines itself: what it uses is its own business.
        let names = names.filter(|Export { span, .. }| {
            let at = script.stmts.partition_point(|stmt| stmt.span.end <= span.start);
            span.source == script.source && script.stmts.get(at).is_some_and(|stmt| own(stmt, *span))
        });
        names.collect()
    }

    fn library_statement(&mut self, stmt: &Stmt) {
        match &stmt.kind {
            StmtKind::Error => {}
            StmtKind::Fn(_) | StmtKind::Use { .. } => self.statement(stmt),
            StmtKind::Promotion(words) => self.library_promotion(words),
            StmtKind::Let { .. } => {
                self.statement(stmt);
                for name in stmt.kind.names() {
                    let value = self.frame.scope.find(&name.text).map(|binding| binding.value.clone());
                    if value.is_some_and(|value| !self.is_constant(&value)) {
                        self.error(report::computed_in_library(&name.text, name.span));
                        self.frame.scope.define(&name.text, Value::Error, name.span);
                    }
                }
            }
            StmtKind::Input { .. }
            | StmtKind::Var { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Output { .. }
            | StmtKind::Expr { .. }
            | StmtKind::Assert(_) => {
                self.error(report::statement_in_library(&stmt.kind, stmt.span));
            }
        }
    }

    /// Whether a value is known before anything runs.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is computed, and every other value is known")]
    fn is_constant(&self, value: &Value) -> bool {
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::Computed(computed) => {
                    let program = self.graph.builder.program();
                    let literal = match program.node(computed.node).kind {
                        NodeKind::Const(_) => true,
                        NodeKind::Input(input) => program.inputs[input as usize].is_literal(),
                        _ => false,
                    };
                    if !literal {
                        return false;
                    }
                }
                Value::Tuple(items) => left.extend(items.iter()),
                _ => {}
            }
        }
        true
    }

    /// One program has one system: a used file may say for which it is written.
    fn library_promotion(&mut self, words: &[SettingWord]) {
        for setting in words {
            let (word, span) = (&setting.word.text, setting.word.span);
            let system = systems::find(word).or_else(|| self.request.files.systems.get(word.as_str()).copied());
            match (system, &setting.value) {
                (Some(system), None) => {
                    if system.name != self.settings.system.name && !self.settings.fixed.has(&setting::SYSTEM) {
                        self.error(report::other_system(system.name, self.settings.system.name, span));
                    }
                }
                (None, Some(_)) => {}
                (None, None) if setting::of_word(word).is_some() => {}
                _ => {
                    self.error(report::unknown_setting(word, None, span));
                }
            }
        }
    }

    /// Sets the functions of this file aside while those of another are walked.
    pub(in crate::check) fn is_library(&self) -> bool {
        let Unit { library, .. } = self.calls.unit;
        library
    }
}
