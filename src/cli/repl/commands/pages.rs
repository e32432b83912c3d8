//! Pages to read at the prompt, `:doc`, `:table` or `:lattice`. They are what is written down, and the rules of the
//! system in use.

use super::super::super::{choose, doc, lattice as picture, table as tables};
use super::super::AfterInput;
use super::super::describe::describe;
use super::super::shell::Shell;
use super::{TABLE, general};
use crate::check::env::SessionValue;
use crate::diagnostic::{codes, page};

/// `:doc [NAME]`
pub(super) fn doc(shell: &mut Shell, name: &str) -> AfterInput {
    let found = match name {
        "" => Some(doc::DocPage::Text(doc::index())),
        _ => of_name(shell, name)
            .map(doc::DocPage::Text)
            .or_else(|| doc::page(name))
            .or_else(|| of_code(name).or_else(|| of_command(name)).map(doc::DocPage::Text)),
    };
    match found {
        Some(page) => shell.screen.page(&page.drawn()),
        None => {
            let own = shell.session.env.names();
            let others: Vec<&str> = own.into_iter().chain(codes::findings().map(|row| row.name)).collect();
            shell.screen.error(&doc::no_page(name, &others));
        }
    }
    AfterInput::Continue
}

/// What a name of the session is, and where it was defined.
fn of_name(shell: &Shell, name: &str) -> Option<String> {
    let (stored, span) = shell.session.env.get(name)?;
    let sources = &shell.session.sources;
    let (line, _) = sources.line_column(span.source, span.start);
    let place = format!("defined in {}, line {line}", sources.get(span.source).name);
    Some(match stored {
        SessionValue::Function(closure) => {
            let text = closure.doc(sources);
            let text: String = text.lines().map(|line| format!("  {line}\n")).collect();
            format!("fn {}\n\n{text}  {place}\n", closure.signature(sources))
        }
        other
        @ (SessionValue::Array(..) | SessionValue::Const(_) | SessionValue::Tuple(_) | SessionValue::Other(_)) => {
            format!("{name} : {}\n\n  {place}\n", describe(&shell.session.sources, other))
        }
    })
}

fn of_code(name: &str) -> Option<String> {
    codes::find(name).map(page::page)
}

fn of_command(name: &str) -> Option<String> {
    let word = name.strip_prefix(':')?;
    TABLE.iter().find(|row| row.name == word || row.aliases.contains(&word)).map(general::page)
}

/// `:table [OP]`
pub(super) fn table(shell: &mut Shell, name: &str) -> AfterInput {
    let op = if name.is_empty() { "+" } else { name };
    match choose::promoting(op) {
        Ok(op) => {
            let table = tables::cells(&shell.session.settings, op);
            shell.screen.show(tables::text(&table, shell.screen.columns()));
        }
        Err(why) => shell.screen.error(&why.text(":doc")),
    }
    AfterInput::Continue
}

/// `:lattice [DTYPE…]`
pub(super) fn lattice(shell: &mut Shell, names: &str) -> AfterInput {
    let marked: Vec<&str> = names.split([',', ' ']).filter(|name| !name.is_empty()).collect();
    match picture::drawn(shell.session.settings.system, &marked, shell.screen.columns()) {
        Ok(text) => shell.screen.answer(&text),
        Err(message) => shell.screen.error(&message),
    }
    AfterInput::Continue
}
