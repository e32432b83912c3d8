//! Lines that begin with a sign. They are statements of their own, and seem to go on with the line above.

use super::Lint;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Script, Stmt, StmtKind};

impl Lint<'_, '_> {
    /// Reports statements that begin with a sign, right below a statement that ends with a value. The value of a body
    /// stands there as a statement does.
    pub(super) fn leading_signs(&mut self) {
        for (before, span, ends_body) in self.neighbours() {
            let Some(sign) = self.leading_sign(before, span) else { continue };
            let level = self.level(&lints::LEADING_SIGN, sign);
            if level != Level::Allow {
                let sign_text = self.text(sign).to_owned();
                let end = Span { start: before.end, ..before };
                self.report(report::leading_sign(level, (sign, &sign_text), end, ends_body));
            }
        }
    }

    /// Statements that end with a value, each with the expression behind it and whether that is the value of a body,
    /// from the first to the last.
    fn neighbours(&self) -> Vec<(Span, Span, bool)> {
        let script: &Script = self.request.script;
        let mut blocks: Vec<(&[Stmt], Option<ExprId>)> = vec![(script.stmts.as_slice(), None)];
        blocks.extend(script.exprs.iter().filter_map(|expr| {
            let ExprKind::Loop(it) = &expr.kind else { return None };
            Some((it.body.stmts.as_slice(), it.body.result))
        }));
        let mut found: Vec<(Span, Span, bool)> = Vec::new();
        while let Some((stmts, result)) = blocks.pop() {
            for stmt in stmts {
                if let StmtKind::Fn(function) = &stmt.kind {
                    blocks.push((function.body.stmts.as_slice(), function.body.result));
                }
            }
            for pair in stmts.windows(2) {
                if matches!(pair[1].kind, StmtKind::Expr { .. }) && self.ends_with_value(&pair[0].kind) {
                    found.push((pair[0].span, pair[1].span, false));
                }
            }
            if let (Some(last), Some(result)) = (stmts.last(), result)
                && self.ends_with_value(&last.kind)
            {
                found.push((last.span, script.expr(result).span, true));
            }
        }
        found.sort_unstable_by_key(|(_, span, _)| span.start);
        found
    }

    /// The sign, with the blanks behind it, where the statement on the next line seems to be meant to go on.
    fn leading_sign(&self, before: Span, span: Span) -> Option<Span> {
        let text = self.text(span);
        let rest = text.strip_prefix(['+', '-'])?;
        let blanks = rest.len() - rest.trim_start_matches([' ', '\t']).len();
        let between = self.text(Span { start: before.end, end: span.start, ..span });
        // The rest of the line above, lines between the two, and what the sign is indented by.
        let lines: Vec<&str> = between.split('\n').collect();
        let is_comment = |line: &&str| line.trim_start().starts_with('#');
        let is_next = lines.len() > 1
            && !lines[0].trim_start().starts_with(';')
            && lines[1..lines.len() - 1].iter().all(is_comment)
            && lines[lines.len() - 1].trim_start().is_empty();
        let is_indented = self.indent(before).zip(self.indent(span)).is_some_and(|(above, own)| own > above);
        let is_meant = text.starts_with('-') && blanks == 0 && !is_indented;
        (is_next && !is_meant).then(|| Span { end: span.start + 1 + blanks as u32, ..span })
    }

    /// How many blanks the line begins with in which something starts; nothing where a body begins before it in that
    /// line, whose statements have an indent of their own.
    fn indent(&self, span: Span) -> Option<usize> {
        let before = self.text(Span { start: 0, end: span.start, ..span });
        let line = before.rsplit('\n').next().unwrap_or_default();
        (!line.contains('{')).then(|| line.len() - line.trim_start_matches([' ', '\t']).len())
    }

    /// Whether a statement ends with a value.
    fn ends_with_value(&self, kind: &StmtKind) -> bool {
        if let StmtKind::Fn(function) = kind {
            return !self.text(function.body.span).starts_with('{');
        }
        kind.value().is_some()
    }
}
