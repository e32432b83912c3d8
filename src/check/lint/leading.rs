//! Lines that begin with a sign: they are statements of their own, and seem to go on with the line above.

use super::Lint;
use crate::check::report;
use crate::diagnostic::Level;
use crate::diagnostic::codes::lints;
use crate::source::Span;
use crate::syntax::ast::{Script, StmtKind};

impl Lint<'_, '_> {
    /// Reports statements that begin with a sign, right below a statement that ends with a value.
    pub(super) fn leading_signs(&mut self) {
        let script: &Script = self.request.script;
        for pair in script.stmts.windows(2) {
            let (before, span) = (pair[0].span, pair[1].span);
            if !matches!(pair[1].kind, StmtKind::Expr { .. }) || !ends_with_value(&pair[0].kind) {
                continue;
            }
            let Some(sign) = self.leading_sign(before, span) else { continue };
            let level = self.level(&lints::LEADING_SIGN, sign);
            if level != Level::Allow {
                let sign_text = self.text(sign).to_owned();
                let end = Span { start: before.end, ..before };
                self.report(report::leading_sign(level, (sign, &sign_text), end));
            }
        }
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
            && lines[1..lines.len() - 1].iter().all(is_comment);
        let is_indented = between.ends_with([' ', '\t']);
        let is_meant = text.starts_with('-') && blanks == 0 && !is_indented;
        (is_next && !is_meant).then(|| Span { end: span.start + 1 + blanks as u32, ..span })
    }
}

/// Whether a statement ends with a value.
fn ends_with_value(kind: &StmtKind) -> bool {
    matches!(
        kind,
        StmtKind::Let { .. }
            | StmtKind::Var { .. }
            | StmtKind::Assign { .. }
            | StmtKind::Output { value: Some(_), .. }
            | StmtKind::Expr { .. }
    )
}
