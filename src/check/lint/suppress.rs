//! `# arr: allow(NAME)`: which findings the comments of the scripts silence, and which comments silence none.

use crate::check::infer::Ctx;
use crate::check::{Request, report};
use crate::diagnostic::codes::{self, Row, lints};
use crate::diagnostic::{Level, suggest};
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax::allow;
use crate::syntax::ast::{Block, Script, Stmt, StmtKind};
use std::collections::HashMap;

/// What the comments of all scripts silence.
#[derive(Default, Debug)]
pub(in crate::check) struct Suppressions {
    sources: HashMap<SourceId, Silenced>,
}

/// The suppressions of one source, and which of them are about a line.
#[derive(Default, Debug)]
struct Silenced {
    list: Vec<Suppression>,
    lines: HashMap<usize, Vec<usize>>,
}

/// One comment.
#[derive(Debug)]
struct Suppression {
    comment: Span,
    /// Its line, and the statement that begins or ends there: what it silences has its place between these bytes.
    from: u32,
    to: u32,
    /// Whether nothing else is on its line.
    alone: bool,
    names: Vec<Named>,
    /// The characters that look like a suppression and are none.
    malformed: Option<Span>,
}

/// A name between the parentheses.
#[derive(Debug)]
struct Named {
    row: Option<&'static Row>,
    span: Span,
    used: bool,
}

/// What is wrong with a suppression.
pub(in crate::check) enum Idle<'s> {
    /// It silences nothing.
    Unused(&'s str),
    /// It is on a line of its own.
    Alone(&'s str),
    /// No finding has the name; perhaps this one is meant.
    Unknown(&'s str, Option<&'s str>),
    /// The name is that of an error.
    Error(&'s str),
    /// It does not say `allow(NAME)`.
    Malformed,
}

impl Suppressions {
    /// Those of the script and of the files that it uses.
    pub(in crate::check) fn of(request: &Request) -> Suppressions {
        let mut found = Suppressions::default();
        found.add(request.script, request.sources);
        request.library.files.iter().for_each(|(script, _)| found.add(script, request.sources));
        found
    }

    /// Adds those of another script.
    pub(in crate::check) fn add(&mut self, script: &Script, sources: &Sources) {
        if script.comments.is_empty() || self.sources.contains_key(&script.source) {
            return;
        }
        let source = sources.get(script.source);
        let mut found: Vec<Suppression> = script
            .comments
            .iter()
            .filter_map(|comment| suppression(comment.span, source, sources.text(comment.span)))
            .collect();
        if !found.is_empty() {
            widen(&mut found, &script.stmts, source);
        }
        let mut silenced = Silenced { list: found, ..Silenced::default() };
        for (index, it) in silenced.list.iter().enumerate().filter(|(_, it)| !it.alone) {
            for line in source.line_of(it.from)..=source.line_of(it.to) {
                silenced.lines.entry(line).or_default().push(index);
            }
        }
        self.sources.insert(script.source, silenced);
    }

    /// Whether a comment silences a finding at this place; it is used from then on.
    pub(in crate::check) fn silences(&mut self, row: &'static Row, at: Span, sources: &Sources) -> bool {
        let Some(Silenced { list, lines }) = self.sources.get_mut(&at.source).filter(|it| !it.list.is_empty()) else {
            return false;
        };
        let mut silent = false;
        for &index in lines.get(&sources.get(at.source).line_of(at.start)).into_iter().flatten() {
            let it = &mut list[index];
            if it.from <= at.start && at.start <= it.to {
                for named in it.names.iter_mut().filter(|named| named.row.is_some_and(|named| std::ptr::eq(named, row)))
                {
                    named.used = true;
                    silent = true;
                }
            }
        }
        silent
    }
}

fn suppression(comment: Span, source: &Source, text: &str) -> Option<Suppression> {
    let inside = |range: std::ops::Range<usize>| Span {
        start: comment.start + range.start as u32,
        end: comment.start + range.end as u32,
        ..comment
    };
    let line = source.line_range(source.line_of(comment.start));
    let alone = source.text[line.start..comment.start as usize].trim().is_empty();
    let (names, malformed) = match allow::names(text)? {
        Ok(names) => (names, None),
        Err(range) => (Vec::new(), Some(inside(range))),
    };
    let names = names.into_iter().map(|range| {
        let row = codes::find(&text[range.clone()]);
        Named { row, span: inside(range), used: false }
    });
    let (from, to) = (line.start as u32, comment.start);
    Some(Suppression { comment, from, to, alone, names: names.collect(), malformed })
}

/// A comment where a statement begins or ends is about the whole statement, but for the statements of a block.
fn widen(found: &mut [Suppression], stmts: &[Stmt], source: &Source) {
    let mut blocks: Vec<&Block> = Vec::new();
    let mut about = |span: Span| {
        for at in [span.start, span.end] {
            // The comment on this line, if there is one: they are in order, one to a line.
            let next = found.partition_point(|it| it.comment.start < at);
            let Some(it) = found.get_mut(next) else { continue };
            if source.line_of(it.comment.start) == source.line_of(at) {
                (it.from, it.to) = (it.from.min(span.start), it.to.max(span.end));
            }
        }
    };
    let mut left: Vec<&Stmt> = stmts.iter().collect();
    while let Some(stmt) = left.pop() {
        match &stmt.kind {
            StmtKind::Fn(function) if !function.body.stmts.is_empty() => blocks.push(&function.body),
            _ => about(stmt.span),
        }
        if let Some(block) = blocks.pop() {
            left.extend(&block.stmts);
        }
    }
}

impl Ctx<'_> {
    /// The blanks between a comment and what stands before it on its line.
    fn blanks_before(&self, comment: Span) -> Span {
        let source = self.request.sources.get(comment.source);
        let line = source.line_range(source.line_of(comment.start)).start;
        let code = source.text[line..comment.start as usize].trim_end_matches([' ', '\t']).len();
        Span { start: (line + code) as u32, end: comment.start, ..comment }
    }

    /// Reports the suppressions of the script that silence nothing; where something is wrong nobody can know.
    pub(in crate::check) fn lint_suppressions(&mut self, broken: bool) {
        let row = &lints::UNUSED_SUPPRESSION;
        let Some(Silenced { list, .. }) = self.findings.suppressed.sources.remove(&self.frame.script.source) else {
            return;
        };
        let silent: Vec<(u32, u32)> = list
            .iter()
            .filter(|it| it.names.iter().any(|named| named.row.is_some_and(|named| std::ptr::eq(named, row))))
            .map(|it| (it.from, it.to))
            .collect();
        let level = self.settings.level(row);
        let broken = broken || self.findings.has_errors();
        for suppression in &list {
            let at = suppression.comment;
            if level == Level::Allow || silent.iter().any(|&(from, to)| from <= at.start && at.start <= to) {
                continue;
            }
            if let Some(span) = suppression.malformed {
                self.findings.push(report::idle_suppression(level, &Idle::Malformed, span, at, at, ""));
            }
            for named in &suppression.names {
                let text = self.request.sources.text(named.span);
                let idle = match named.row {
                    None => Idle::Unknown(text, suggest::closest(text, codes::findings().map(|row| row.name))),
                    Some(row) if row.levels == codes::ERROR => Idle::Error(text),
                    Some(_) if suppression.alone => Idle::Alone(text),
                    // What is allowed is not looked for, and errors hide what follows from them.
                    Some(row) if named.used || broken || self.settings.level(row) == Level::Allow => continue,
                    Some(_) => Idle::Unused(text),
                };
                let comment = self.request.sources.text(at);
                let found = report::idle_suppression(level, &idle, named.span, at, self.blanks_before(at), comment);
                self.findings.push(found);
            }
        }
    }
}
