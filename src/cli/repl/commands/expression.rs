//! The expression that a command is about: checked or computed in the session, of which it changes nothing.

use super::super::super::output;
use super::super::progress;
use super::super::shell::Shell;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::promotion::verdict::Mode;
use crate::session::{Input, Preparation, Reply, Session, ShownValue};
use crate::source::Sources;
use crate::syntax;
use crate::syntax::ast::StmtKind;

/// Whether a text is one expression, or nothing that can be read: what is wrong with that is told in its place.
fn is_expression(text: &str) -> bool {
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let source = sources.add("", text);
    let script = syntax::parse(&sources, source, &mut found);
    found.has_errors() || matches!(script.stmts.as_slice(), [stmt] if matches!(stmt.kind, StmtKind::Expr { .. }))
}

/// Whether a command can go on with a text; if not, why was told.
fn accept(shell: &Shell, text: &str) -> bool {
    let fits = is_expression(text);
    if !fits {
        shell.screen.error("this command is about one expression; statements are inputs of their own");
    }
    fits
}

/// The program of an expression, without its data; `None` when something is wrong, which was told.
pub(super) fn check_expression(shell: &mut Shell, text: &str) -> Option<Preparation> {
    prepared(shell, text, Session::check)
}

/// As [`check_expression`], with the data to run it.
pub(super) fn with_data(shell: &mut Shell, text: &str) -> Option<Preparation> {
    prepared(shell, text, Session::prepare)
}

fn prepared(
    shell: &mut Shell,
    text: &str,
    prepare: impl FnOnce(&mut Session, &Input) -> Preparation,
) -> Option<Preparation> {
    if !accept(shell, text) {
        return None;
    }
    let name = shell.name();
    let input = Input { options: shell.options(), ..Input::new(&name, text) };
    let prepared = prepare(&mut shell.session, &input);
    errors(shell, &prepared.diagnostics);
    (prepared.outcome.is_done()).then_some(prepared)
}

/// The values of an expression; `None` when something is wrong, which was told.
pub(super) fn values(shell: &mut Shell, text: &str) -> Option<Vec<ShownValue>> {
    reply(shell, text).map(|reply| reply.values)
}

/// What comes of an expression; `None` when something is wrong, which was told.
pub(super) fn reply(shell: &mut Shell, text: &str) -> Option<Reply> {
    if accept(shell, text) { script(shell, text) } else { None }
}

/// What comes of a text; `None` when something is wrong, which was told.
pub(super) fn script(shell: &mut Shell, text: &str) -> Option<Reply> {
    let name = shell.name();
    let input = Input { options: shell.options(), ..Input::new(&name, text) };
    let reply = progress::with_progress(shell.screen.live, || shell.session.peek(&input));
    shell.screen.reads(&reply.values);
    output::notes(&reply.notes);
    errors(shell, &reply.diagnostics);
    (reply.outcome.is_done()).then_some(reply)
}

/// Tells what is wrong; the rest is for `:why`.
pub(super) fn errors(shell: &Shell, found: &Diagnostics) {
    let errors: Vec<&Diagnostic> = found.iter().filter(|diagnostic| diagnostic.is_error()).collect();
    shell.screen.diagnostics(errors, &shell.session.sources);
}

/// As [`check_expression`] without data, in the mode that refuses least: for commands that tell what the others say.
pub(super) fn checked_in_mode_all(shell: &mut Shell, text: &str) -> Option<Preparation> {
    let mode = std::mem::replace(&mut shell.session.settings.mode, Mode::All);
    let prepared = check_expression(shell, text);
    shell.session.settings.mode = mode;
    prepared
}
