//! Inputs from a terminal. They are edited, completed, coloured, and kept in a history.

mod brackets;
mod calls;
mod complete;
mod continued;
mod helper;
mod hint;
mod history;
mod members;
mod words;

use super::shell::Shell;
use super::{AfterInput, line, paint, paste};
use crate::cli::painted::StyledText;
use crate::diagnostic::Outcome;
use continued::{BackspaceKey, EnterKey, PromptWidth};
use helper::Helper;
use hint::Abandon;
use history::HistoryFile;
use rustyline::config::{BellStyle, Builder, Config};
use rustyline::error::{ReadlineError, Signal};
use rustyline::history::{History, MemHistory};
use rustyline::{ColorMode, CompletionType, Editor, EventHandler, KeyCode, KeyEvent, Modifiers};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use words::SessionWords;

/// Talks until the session ends. Returns how it ended; nothing when this terminal cannot be edited on.
pub(super) fn talk(shell: &mut Shell) -> Option<Outcome> {
    let config = config();
    let memory = MemHistory::with_config(&config);
    let Ok(mut editor) = Editor::<Helper, MemHistory>::with_history(config, memory) else { return None };
    let mut file = HistoryFile::open(super::folders::history());
    let width = PromptWidth::default();
    editor.set_helper(Some(Helper::new(shell.screen.colour, width.clone())));
    let key = |code| KeyEvent(code, Modifiers::NONE);
    editor.bind_sequence(key(KeyCode::Enter), EventHandler::Conditional(Box::new(EnterKey(width.clone()))));
    editor.bind_sequence(key(KeyCode::Backspace), EventHandler::Conditional(Box::new(BackspaceKey(width.clone()))));
    let abandoned = Arc::new(AtomicBool::new(false));
    editor.bind_sequence(KeyEvent::ctrl('C'), EventHandler::Conditional(Box::new(Abandon(abandoned.clone()))));
    let mut remembered = 0;
    shell.screen.report(&banner(shell));
    loop {
        if let Some(helper) = editor.helper_mut() {
            helper.words = SessionWords::of(&shell.session);
        }
        let prompt = format!("arr:{}> ", shell.history.count + 1);
        if remembered != prompt.len() {
            // Later lines of earlier inputs stand below this prompt.
            remembered = prompt.len();
            width.set(remembered);
            remember(&mut editor, file.entries(), &width);
        }
        let mut styled = StyledText::default();
        styled.ink(paint::COMMAND, prompt.trim_end());
        styled.push(" ");
        let styled = if shell.screen.colour { styled.with_colours().to_owned() } else { styled.plain() };
        let line = editor.readline(&(prompt, styled));
        if abandoned.swap(false, Ordering::Relaxed) {
            continue;
        }
        let text = match line {
            Ok(text) => paste::without_prompts(&width.outside(&text)),
            Err(ReadlineError::Interrupted | ReadlineError::Signal(Signal::Interrupt | Signal::Resize)) => continue,
            Err(ReadlineError::Io(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                shell.screen.error("these keys are not UTF-8");
                continue;
            }
            Err(_) => return Some(Outcome::Done),
        };
        if text.trim().is_empty() {
            continue;
        }
        if file.add(text.trim_end()) {
            remember(&mut editor, file.entries(), &width);
        }
        if let AfterInput::Leave(code) = inputs(shell, &text) {
            return Some(code);
        }
    }
}

/// One input; where several were pasted with their prompts, or commands among them, each on its own.
fn inputs(shell: &mut Shell, text: &str) -> AfterInput {
    let mut gather = super::gather::Gather::default();
    if !text.trim_end().contains('\n') || !text.lines().any(super::gather::is_command) {
        return line::input(shell, text);
    }
    for typed in text.lines() {
        if let Some((_, text)) = gather.line(typed)
            && let left @ AfterInput::Leave(_) = line::input(shell, &text)
        {
            return left;
        }
    }
    gather.rest().map_or(AfterInput::Continue, |(_, text)| line::input(shell, &text))
}

/// Without colours too the editor is told that there are some: only then does it ask how a line is to be shown, and
/// draws the marks of later lines.
fn config() -> Config {
    let builder = Config::builder()
        .completion_type(CompletionType::List)
        .completion_show_all_if_ambiguous(true)
        .completion_prompt_limit(200)
        .bell_style(BellStyle::None)
        .tab_stop(4)
        .bracketed_paste(true)
        .color_mode(ColorMode::Forced);
    let sized = builder.max_history_size(history::MAX_INPUTS);
    sized.map(Builder::build).unwrap_or_default()
}

/// Gives the editor the history of the file.
fn remember(editor: &mut Editor<Helper, MemHistory>, entries: &[String], width: &PromptWidth) {
    let history = editor.history_mut();
    let _ = history.clear();
    for entry in entries {
        let _ = history.add(&width.inside(entry));
    }
}

/// One line, also in a narrow window.
fn banner(shell: &Shell) -> String {
    let settings = &shell.session.settings;
    let version = env!("CARGO_PKG_VERSION");
    let long = format!(
        "arr {version} ({}, mode {}): `:help` shows the commands, Ctrl-D leaves",
        settings.system.name,
        settings.mode.name()
    );
    let short = format!("arr {version}: :help helps, Ctrl-D leaves");
    let fits = |text: &String| text.chars().count() < shell.screen.columns();
    [long, short].into_iter().find(fits).unwrap_or_else(|| format!("arr {version}"))
}
