//! The way from text to tree: [`lexer`] → [`brackets`] → newline filter ([`layout`]) → generated parser →
//! [`ast::Script`].
//!
//! Nothing here fails: whatever the text, there is a tree, and what is wrong with it is in the sink. The grammar
//! is `grammar/arr.lalrpop`; its productions call [`builder`]. Brackets are matched before the parser runs, and the
//! parser goes on after an error at the next statement or closing bracket, so one run shows every mistake once.
//!
//! ```
//! use arrlang::{diagnostic::Diagnostics, source::Sources, syntax};
//! let mut sources = Sources::new();
//! let id = sources.add("demo.arr", "let x = (1 +\nlet y = 2\n");
//! let mut sink = Diagnostics::new();
//! let script = syntax::parse(&sources, id, &mut sink);
//! assert_eq!(script.stmts.len(), 2);
//! assert!(sink.has_errors());
//! ```

pub mod allow;
pub mod ast;
mod brackets;
mod builder;
mod characters;
mod doc;
mod foreign;
pub mod format;
mod habits;
mod keywords;
mod layout;
pub mod lexer;
pub mod lookalike;
mod names;
pub mod number;
pub mod print;
mod recover;
pub mod report;
mod statement_parts;
mod statements;
mod string;
#[cfg(test)]
mod tests;
mod token;
mod verify;
mod view;

pub use ast::MAX_NAME;
#[cfg(feature = "cli")]
pub(crate) use view::PendingLines;
pub use view::{TokenKind, is_incomplete, tokens};

use crate::diagnostic::Diagnostics;
use crate::source::stop::Stop;
use crate::source::{SourceId, Sources, Span};
use ast::Script;
use std::sync::Arc;

lalrpop_util::lalrpop_mod!(
    #[allow(
        clippy::all,
        clippy::restriction,
        clippy::pedantic,
        missing_docs,
        unreachable_pub,
        unused,
        unused_qualifications,
        reason = "LALRPOP writes it"
    )]
    arr
);

/// How many bytes a script may have.
pub const MAX_SCRIPT: usize = 64 << 20;

/// Parses one source. What is wrong with it goes into `sink`, a mistake once; the tree holds all that could be read.
/// Functions outlive the input that defines them and keep their tree, so it is shared.
pub fn parse(sources: &Sources, id: SourceId, sink: &mut Diagnostics) -> Arc<Script> {
    parse_until(sources, id, sink, Stop::default())
}

/// As [`parse`], unless told to stop: then the tree and the sink hold what was found so far, which means nothing.
pub fn parse_until(sources: &Sources, id: SourceId, sink: &mut Diagnostics, stop: Stop) -> Arc<Script> {
    let text = sources.get(id).text.as_str();
    let mut script = Script { source: id, ..Script::default() };
    if text.len() > MAX_SCRIPT {
        sink.push(report::long_script(Span::new(id, 0, 0), text.len(), MAX_SCRIPT));
        return Arc::new(script);
    }
    let before = sink.error_count();
    let lexer::TokenStream { tokens, comments, mut flaws } = lexer::lex_until(text, id, sink, stop);
    if stop.now() {
        return Arc::new(script);
    }
    let brackets::BracketFault { repairs, deep } = brackets::repair(text, &tokens, id, &mut flaws, sink);
    let matched = sink.error_count();
    let mut builder = builder::Builder::new(text, id);
    let mut tainted = Vec::new();
    let input = layout::TokenizedText { text, source: id, tokens: &tokens };
    let layout = layout::TokenFilter::new(input, repairs, &flaws, &mut tainted, sink, stop);
    if let Err(error) = arr::ScriptParser::new().parse(&mut builder, layout) {
        builder.failures.push(recover::Failure::new(error, recover::ExpectedTokens::from_names));
    }
    if stop.now() {
        return Arc::new(script);
    }
    // The layout reports nothing but nesting.
    if sink.error_count() == matched {
        deep.into_iter().for_each(|unclosed| sink.push(unclosed));
    }
    script.told = recover::explain(text, id, &tokens, &builder.failures, &tainted, sink);
    for span in builder.too_deep.iter().filter(|span| !recover::covers(&tainted, span.start)) {
        sink.push(report::nesting(*span));
    }
    let told = |span: Option<Span>| span.is_some_and(|span| recover::covers(&tainted, span.start));
    builder.findings.iter().filter(|finding| !told(finding.span())).for_each(|finding| sink.push(finding.clone()));
    // What silences a complaint was reported itself. Should it not have been, the complaint stands: no statement is
    // left out of the tree without a word.
    if sink.error_count() == before {
        script.told = recover::explain(text, id, &tokens, &builder.failures, &[], sink);
        builder.too_deep.iter().for_each(|span| sink.push(report::nesting(*span)));
        builder.findings.iter().filter(|finding| finding.is_error()).for_each(|finding| sink.push(finding.clone()));
    }
    if sink.error_count() > before && text.contains("//") {
        *sink = std::mem::take(sink).revise(|found| habits::with_comment(found, text, id, &tokens));
    }
    script.stmts = builder.pending;
    script.exprs = builder.exprs;
    script.comments = comments;
    script.broken = builder.broken;
    script.lookalikes = lookalike::find(text, id, &tokens);
    doc::attach(text, &mut script);
    Arc::new(script)
}
