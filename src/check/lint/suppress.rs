//! Comments that silence nothing.

use super::Lint;
use crate::check::report::{self, SuppressionFlaw};
use crate::diagnostic::codes::{self, lints};
use crate::diagnostic::{Level, suggest};
use crate::source::Span;
use crate::syntax::ast::StmtKind;

impl Lint<'_, '_> {
    /// The blanks between a comment and what stands before it on its line.
    fn blanks_before(&self, comment: Span) -> Span {
        let source = self.request.sources.get(comment.source);
        let line = source.line_range(source.line_of(comment.start)).start;
        let code = source.text[line..comment.start as usize].trim_end_matches([' ', '\t']).len();
        Span { start: (line + code) as u32, end: comment.start, ..comment }
    }

    /// Reports the suppressions of the script that silence nothing. If there are errors, nobody can know which these
    /// are.
    pub(super) fn lint_suppressions(&mut self, broken: bool) {
        let row = &lints::UNUSED_SUPPRESSION;
        let list = self.findings.suppressed.take(self.request.script.source);
        let silent: Vec<(u32, u32)> = list
            .iter()
            .filter(|it| it.names.iter().any(|named| named.row.is_some_and(|named| std::ptr::eq(named, row))))
            .map(|it| (it.from, it.to))
            .collect();
        let level = self.set(row);
        // Other data may bring a finding that these data do not.
        let has_inputs = self.request.script.stmts.iter().any(|stmt| matches!(stmt.kind, StmtKind::Input { .. }));
        let given = has_inputs || !self.request.given.bound.is_empty() || !self.request.files.loaded.is_empty();
        let has_data = self.request.usage.needs_data && given;
        let broken = broken || self.findings.has_errors();
        for suppression in &list {
            let at = suppression.comment;
            if level == Level::Allow || silent.iter().any(|&(from, to)| from <= at.start && at.start <= to) {
                continue;
            }
            if let Some(span) = suppression.malformed {
                self.report(report::idle_suppression(level, &SuppressionFlaw::Malformed, span, at, at, ""));
            }
            for named in &suppression.names {
                let text = self.request.sources.text(named.span);
                let idle = match named.row {
                    None => {
                        SuppressionFlaw::Unknown(text, suggest::closest(text, codes::findings().map(|row| row.name)))
                    }
                    Some(row) if row.levels == codes::ERROR => SuppressionFlaw::Error(text),
                    Some(_) if suppression.alone => SuppressionFlaw::Alone(text),
                    // Findings that are allowed are not looked for, and errors hide what follows from them.
                    Some(row) if named.used || broken || has_data || self.set(row) == Level::Allow => continue,
                    Some(_) => SuppressionFlaw::Unused(text),
                };
                let comment = self.request.sources.text(at);
                let found = report::idle_suppression(level, &idle, named.span, at, self.blanks_before(at), comment);
                self.report(found);
            }
        }
    }
}
