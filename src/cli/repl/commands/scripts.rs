//! Scripts at the prompt, `:run` or `:edit`: whole texts, evaluated as if they were typed.

use super::super::super::{interrupt, programs, scripts};
use super::super::AfterInput;
use super::super::folders;
use super::super::shell::{ScriptPiece, Shell};
use super::words;
use crate::check::env::SessionValue;
use crate::io;
use crate::io::argument::Argument;
use crate::session::Input;
use crate::source::Span;
use std::process::{Command, Stdio};

/// `:run FILE [NAME=VALUE…]`
pub(super) fn run(shell: &mut Shell, text: &str) -> AfterInput {
    let words = match words::words(text) {
        Ok(words) => words,
        Err(message) => {
            shell.screen.error(&message);
            return AfterInput::Continue;
        }
    };
    let path = folders::place(&words[0]);
    if path.as_os_str() == "-" {
        // The shell itself reads standard input, and holds it.
        shell.screen.error("`:run` reads a file, and `-` is none; `./-` is a file of that name");
        return AfterInput::Continue;
    }
    let name = io::error::printable_path(&path);
    let Ok(script) = scripts::read_script(&path, &name) else { return AfterInput::Continue };
    let arguments = match arguments(&words[1..]) {
        Ok(arguments) => arguments,
        Err(message) => {
            shell.screen.error(&message);
            return AfterInput::Continue;
        }
    };
    let before = shell.present();
    let folder = path.parent();
    let options = shell.options();
    let result = Some(shell.history.count + 1);
    let reply = shell.evaluate(&Input { arguments: &arguments, folder, options, result, ..Input::new(&name, &script) });
    shell.latest.piece =
        Some(ScriptPiece { name: name.clone(), text: script.trim_end().to_owned(), before: before.clone() });
    shell.answer(&reply.values, &script);
    if reply.outcome.is_done() {
        let mut new: Vec<&str> = shell.defined_since(&before.env).into_iter().map(|defined| defined.name).collect();
        new.sort_unstable();
        if !new.is_empty() {
            shell.screen.report(&format!("defined: {}", new.join(", ")));
        }
        shell.done(before, &format!(":run {text}"));
    }
    AfterInput::Continue
}

/// Values for the inputs of a script.
fn arguments(words: &[String]) -> Result<Vec<Argument>, String> {
    Argument::parse_all(words).map_err(|error| match &error.help {
        Some(help) => format!("{}; {help}", error.message),
        None => error.message,
    })
}

/// `:edit [NAME]`
pub(super) fn edit(shell: &mut Shell, name: &str) -> AfterInput {
    let text = match source(shell, name) {
        Ok(text) => text,
        Err(message) => {
            shell.screen.error(&message);
            return AfterInput::Continue;
        }
    };
    match edited(&text) {
        Ok(changed) if changed.trim_end() == text.trim_end() => shell.screen.report("nothing was changed"),
        Ok(changed) if changed.trim().is_empty() => shell.screen.report("nothing is left, so nothing is evaluated"),
        Ok(changed) => shell.script(&changed),
        Err(message) => shell.screen.error(&message),
    }
    AfterInput::Continue
}

/// The text that defines a name; without a name the last input.
fn source(shell: &Shell, name: &str) -> Result<String, String> {
    if name.is_empty() {
        return Ok(shell.latest.piece.as_ref().map(|last| last.text.clone()).unwrap_or_default());
    }
    let sources = &shell.session.sources;
    match shell.session.env.get(name) {
        Some((SessionValue::Function(closure), _)) => Ok(sources.text(closure.place().1).to_owned()),
        Some((_, span)) => Ok(statement(shell, *span)),
        None => Err(format!("there is no name `{name}` here; `:vars` lists them")),
    }
}

/// The statement that a place lies in.
fn statement(shell: &Shell, place: Span) -> String {
    let sources = &shell.session.sources;
    let script = crate::syntax::parse(sources, place.source, &mut crate::diagnostic::Diagnostics::new());
    let found = script.stmts.iter().find(|stmt| stmt.span.to(place) == stmt.span);
    sources.text(found.map_or(place, |stmt| stmt.span)).to_owned()
}

/// Editors to fall back on, the first that is there.
const USUAL_EDITORS: [&str; 3] = ["vi", "vim", "nano"];

/// What the user's editor makes of a text.
fn edited(text: &str) -> Result<String, String> {
    use std::io::IsTerminal;
    let set = |name: &str| std::env::var(name).ok().filter(|command| !command.trim().is_empty());
    let terminal = std::io::stdin().is_terminal();
    let there = || USUAL_EDITORS.into_iter().find(|name| programs::find(name).is_some()).map(str::to_owned);
    let editor = set("VISUAL").or_else(|| set("EDITOR")).or_else(|| there().filter(|_| terminal));
    let editor = editor.ok_or_else(|| match terminal {
        true => {
            let usual = USUAL_EDITORS.join(", ");
            format!("there is no editor: `VISUAL` and `EDITOR` name none, and none of {usual} is here")
        }
        false => "`:edit` needs a terminal, or an editor that `VISUAL` or `EDITOR` names".to_owned(),
    })?;
    let scratch = io::scratch::ScratchFile::new(text).map_err(|error| format!("no file to edit: {error}"))?;
    // The variable may hold options too, so the shell reads it, as git does.
    let mut command = Command::new("/bin/sh");
    command.arg("-c").arg(format!("{editor} \"$1\"")).arg("edit").arg(scratch.path());
    if !terminal {
        // The rest of a pipe is for this shell.
        command.stdin(Stdio::null());
    }
    // What is typed there is for the editor.
    interrupt::done();
    let status = command.status();
    interrupt::begin();
    match status {
        Ok(status) if status.success() => scratch.read().map_err(|error| format!("the text cannot be read: {error}")),
        Ok(_) => Err(format!("the editor `{editor}` failed, so nothing is evaluated")),
        Err(error) => Err(format!("the editor `{editor}` cannot be started: {error}")),
    }
}
