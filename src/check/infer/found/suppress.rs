//! `# arr: allow(NAME)`: which findings the comments of the scripts silence.

use crate::check::Request;
use crate::diagnostic::codes::{self, Row};
use crate::source::{Source, SourceId, Sources, Span};
use crate::syntax::allow;
use crate::syntax::ast::{Block, Script, Stmt, StmtKind};
use std::collections::HashMap;

/// What the comments of all scripts silence.
#[derive(Default, Debug)]
pub(in crate::check) struct Suppressions {
    sources: HashMap<SourceId, LineSuppressions>,
}

/// The suppressions of one source, and which of them are about a line.
#[derive(Default, Debug)]
struct LineSuppressions {
    list: Vec<Suppression>,
    lines: HashMap<usize, Vec<usize>>,
}

/// One comment.
#[derive(Debug)]
pub(in crate::check) struct Suppression {
    pub(in crate::check) comment: Span,
    /// Its line, and the statement that begins or ends there: what it silences has its place between these bytes.
    pub(in crate::check) from: u32,
    pub(in crate::check) to: u32,
    /// Whether nothing else is on its line.
    pub(in crate::check) alone: bool,
    pub(in crate::check) names: Vec<NamedFinding>,
    /// The characters that look like a suppression and are none.
    pub(in crate::check) malformed: Option<Span>,
}

/// A name between the parentheses.
#[derive(Debug)]
pub(in crate::check) struct NamedFinding {
    pub(in crate::check) row: Option<&'static Row>,
    pub(in crate::check) span: Span,
    pub(in crate::check) used: bool,
}

impl Suppressions {
    /// The suppressions of a source, taken from here.
    pub(in crate::check) fn take(&mut self, source: SourceId) -> Vec<Suppression> {
        self.sources.remove(&source).map(|silenced| silenced.list).unwrap_or_default()
    }

    /// The suppressions of the script and of the files that it uses.
    pub(in crate::check) fn of(request: &Request) -> Suppressions {
        let mut found = Suppressions::default();
        found.add(request.script, request.sources);
        request.files.library.files.iter().for_each(|(script, _)| found.add(script, request.sources));
        found
    }

    /// Adds the suppressions of another script.
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
        let mut silenced = LineSuppressions { list: found, ..LineSuppressions::default() };
        for (index, it) in silenced.list.iter().enumerate().filter(|(_, it)| !it.alone) {
            for line in source.line_of(it.from)..=source.line_of(it.to) {
                silenced.lines.entry(line).or_default().push(index);
            }
        }
        self.sources.insert(script.source, silenced);
    }

    /// Whether a comment silences a finding at this place; it is used from then on.
    pub(in crate::check) fn silences(&mut self, row: &'static Row, at: Span, sources: &Sources) -> bool {
        let Some(LineSuppressions { list, lines }) = self.sources.get_mut(&at.source).filter(|it| !it.list.is_empty())
        else {
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
        NamedFinding { row, span: inside(range), used: false }
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
        if let StmtKind::Fn(function) = &stmt.kind
            && !function.body.stmts.is_empty()
        {
            blocks.push(&function.body);
        } else {
            about(stmt.span);
        }
        if let Some(block) = blocks.pop() {
            left.extend(&block.stmts);
        }
    }
}
