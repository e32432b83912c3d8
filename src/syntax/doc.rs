//! The `##` lines that document a statement: those directly above it, each on a line of its own.

use super::ast::Script;

/// Gives every statement the documentation that stands directly above it.
pub(crate) fn attach(text: &str, script: &mut Script) {
    let comments = &script.comments;
    if !comments.iter().any(|comment| comment.doc) {
        return;
    }
    let mut next = 0;
    for stmt in &mut script.stmts {
        while comments.get(next).is_some_and(|comment| comment.span.start < stmt.span.start) {
            next += 1;
        }
        let mut below = stmt.span.start as usize;
        let mut first = next;
        while let Some(comment) = first.checked_sub(1).map(|at| comments[at]) {
            let range = comment.span.range();
            if !comment.doc
                || range.end > below
                || !is_line_break(&text[range.end..below])
                || !begins_line(text, range.start)
            {
                break;
            }
            below = range.start;
            first -= 1;
        }
        stmt.doc = comments[first..next].to_vec();
    }
}

/// One line end, and blanks.
fn is_line_break(gap: &str) -> bool {
    gap.bytes().filter(|&byte| byte == b'\n').count() == 1 && gap.trim().is_empty()
}

fn begins_line(text: &str, at: usize) -> bool {
    text[..at].trim_end_matches([' ', '\t', '\u{feff}']).bytes().last().is_none_or(|byte| byte == b'\n')
}
