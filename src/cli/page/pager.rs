//! The pager: a text that is longer than the terminal goes through `$PAGER`, else through `less`.

use super::super::painted::StyledText;
use super::super::{interrupt, output, programs};
use crate::diagnostic::wrap;
use std::io::{IsTerminal, Write};
use std::process::{Command, Stdio};

/// Shows a text in the pager; false where it is to be printed: nobody scrolls, the text is short, or there is no pager.
pub(in super::super) fn show(text: &StyledText) -> bool {
    let text = if output::colours() { text.with_colours().to_owned() } else { text.plain() };
    scroll(&text).is_some()
}

fn scroll(text: &str) -> Option<()> {
    let seen = output::is_watched() && std::io::stdin().is_terminal();
    let (columns, rows) = interrupt::terminal_size().filter(|_| seen)?;
    let lines = |line: &str| wrap::width(line).saturating_sub(1) / columns.max(1) + 1;
    // The prompt takes a line.
    if text.lines().map(lines).sum::<usize>() < rows {
        return None;
    }
    let mut child = Command::new("/bin/sh");
    child.arg("-c").arg(command()?).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        // Colours as they are, and the text stays on the screen.
        child.env("LESS", "FRX");
    }
    // Ctrl-C is for the pager.
    interrupt::session(interrupt::Manner::Terminal);
    interrupt::done();
    let Ok(mut child) = child.spawn() else {
        interrupt::begin();
        return None;
    };
    if let Some(mut pipe) = child.stdin.take() {
        // Who has read enough closes its end.
        let _ = pipe.write_all(text.as_bytes());
    }
    let ended = child.wait().ok().and_then(|status| status.code());
    interrupt::begin();
    // The shell says so where there is no such command: then the text is printed.
    ended.is_none_or(|code| !matches!(code, 126 | 127)).then_some(())
}

/// The command for the shell. `PAGER` may hold options; an empty one and `cat` mean none.
fn command() -> Option<String> {
    match std::env::var("PAGER") {
        Ok(told) if matches!(told.trim(), "" | "cat") => None,
        Ok(told) => Some(told),
        Err(_) => programs::find("less").map(|_| "less".to_owned()),
    }
}
