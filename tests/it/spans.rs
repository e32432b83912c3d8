//! Places are true: the text of each expression reads as that expression again, and labels and edits lie in their
//! texts. The programs are those of `tests/spec`.

use crate::lab;
use crate::spec;
use arrlang::diagnostic::Diagnostics;
use arrlang::source::{Sources, Span};
use arrlang::syntax::ast::{ExprId, ExprKind, MAX_DEPTH, Script, Stmt, StmtKind};
use arrlang::syntax::{parse, print};
use std::collections::HashSet;
use std::sync::Arc;

/// The tree of a text, which nothing else owns. `None` if its syntax has errors.
fn read(text: &str) -> Option<(Sources, Script)> {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let id = sources.add("spans.arr", text);
    let script = parse(&sources, id, &mut found);
    let script = Arc::into_inner(script).expect("nobody keeps a tree that was only read");
    (!found.has_errors()).then_some((sources, script))
}

/// An expression as text, a node a line. Places are counted from its own beginning.
fn printed(sources: &Sources, script: &mut Script, id: ExprId) -> Vec<String> {
    let span = script.expr(id).span;
    script.stmts = vec![Stmt { kind: StmtKind::Expr { value: id, silent: false }, span, doc: Vec::new() }];
    let text = print::print(sources, script);
    let moved = |line: &str| {
        let (node, place) = line.rsplit_once(" @").expect("each line ends with a place");
        let (from, to) = place.split_once("..").expect("a place has two ends");
        let [from, to] = [from, to].map(|end| end.parse::<u32>().expect("an end is a number"));
        format!("{node} @{}..{}", from.wrapping_sub(span.start), to.wrapping_sub(span.start))
    };
    text.lines().map(moved).collect()
}

/// What the text of an expression reads as, where it stands alone: in parentheses, but a loop is a statement.
fn read_again(text: &str, is_loop: bool) -> Option<Vec<String>> {
    let alone = if is_loop { text.to_owned() } else { format!("({text})") };
    let (sources, mut script) = read(&alone)?;
    let [Stmt { kind: StmtKind::Expr { value, .. }, .. }] = script.stmts[..] else { return None };
    let inner = match script.expr(value).kind {
        ExprKind::Paren(inner) if !is_loop => inner,
        _ => value,
    };
    Some(printed(&sources, &mut script, inner))
}

/// The expressions that do not stand alone: `var` is a name only before the parenthesis of its call.
fn callees(script: &Script) -> HashSet<ExprId> {
    let callee = |kind: &ExprKind| if let ExprKind::Call(callee, _) = kind { Some(*callee) } else { None };
    script.exprs.iter().filter_map(|expr| callee(&expr.kind)).collect()
}

#[test]
fn the_text_of_an_expression_is_that_expression() {
    let (mut count, mut wrong) = (0, Vec::new());
    for text in spec::texts("tests/spec") {
        let Some((sources, mut script)) = read(&text) else { continue };
        let callees = callees(&script);
        for number in 0..script.exprs.len() {
            let id = ExprId(number as u32);
            let expr = script.expr(id);
            // Parentheses around it would be one level too many.
            if callees.contains(&id) || expr.depth + 1 >= MAX_DEPTH {
                continue;
            }
            let (own, is_loop) = (sources.text(expr.span), matches!(expr.kind, ExprKind::Loop(_)));
            let again = read_again(own, is_loop);
            count += 1;
            if again.as_ref() != Some(&printed(&sources, &mut script, id)) {
                wrong.push(format!("`{own}` of\n{text}reads as {again:#?}"));
            }
        }
    }
    assert!(count > 5_000, "{count} expressions");
    assert!(wrong.is_empty(), "{} of {count}: {}", wrong.len(), wrong[..wrong.len().min(5)].join("\n"));
}

/// Whether a place lies in its text, between characters.
fn fits(sources: &Sources, span: Span) -> bool {
    sources.get(span.source).text.get(span.range()).is_some()
}

#[test]
fn labels_and_edits_lie_in_their_texts() {
    let (mut count, mut wrong) = (0, Vec::new());
    for text in spec::texts("tests/spec").into_iter().chain(spec::texts("tests/corpus")) {
        for mode in arrlang::promotion::verdict::Mode::ALL {
            let (session, prepared) = lab::check(&text, mode);
            for found in &prepared.diagnostics {
                let helps = found.helps.iter().flat_map(|help| [&help.fix, &help.restates]).flatten();
                let edits = helps.flat_map(|fix| &fix.edits).map(|edit| edit.span);
                for span in found.labels.iter().map(|label| label.span).chain(edits) {
                    count += 1;
                    if !fits(&session.sources, span) {
                        wrong.push(format!("{} at {span:?} of\n{text}", found.code.id));
                    }
                }
            }
        }
    }
    assert!(count > 1000, "{count} places");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
