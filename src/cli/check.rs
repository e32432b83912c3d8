//! `arr check`: scripts are checked, nothing runs.

use super::args::{Check, CheckFormat};
use super::context::{Context, Contexts};
use super::{choose, compare, output, run, suppress};
use crate::diagnostic::{machine, render};
use crate::io;
use crate::io::argument::Argument;
use crate::session::{Input, Session};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `arr check FILE…`
pub(super) fn files(command: Check) -> u8 {
    let settings = match command.rules.settings() {
        Ok(settings) => settings,
        Err(code) => return code,
    };
    let (bindings, paths): (Vec<OsString>, Vec<OsString>) = command.files.iter().cloned().partition(is_binding);
    let arguments = match run::arguments(&bindings) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let mut scripts = Vec::new();
    for path in paths {
        if let Err(code) = collect(Path::new(&path), &mut scripts) {
            return code;
        }
    }
    if scripts.is_empty() {
        return output::usage("there is no script to check");
    }
    if command.add_suppressions && scripts.iter().any(|path| path.as_os_str() == "-") {
        return output::usage("`--add-suppressions` rewrites files, not standard input");
    }
    let mut contexts = Contexts::new(&command.rules);
    if !command.compare.is_empty() {
        let texts: Result<Vec<_>, u8> =
            scripts.iter().map(|path| Ok((path, run::read_script(path, &shown(path))?))).collect();
        return match (texts, choose::systems(&command.compare)) {
            (Ok(texts), Ok(systems)) => {
                let Context { settings, reading } = match contexts.of(&scripts[0]) {
                    Ok(context) => context,
                    Err(code) => return code,
                };
                compare::scripts(&texts, &arguments, (&settings, &reading), &systems, command.format)
            }
            (Err(code), _) | (_, Err(code)) => code,
        };
    }
    let reading = command.rules.reading(None);
    let mut session = Session { settings: settings.clone(), reading, ..Session::default() };
    let mut found = crate::diagnostic::Diagnostics::new();
    let mut code = 0;
    for path in scripts {
        let name = shown(&path);
        let (settings, reading) = match contexts.of(&path) {
            Ok(Context { settings, reading }) => (settings, reading),
            Err(exit) => {
                code = code.max(exit);
                continue;
            }
        };
        session.reading = reading.clone();
        let text = run::read_script(&path, &name).and_then(|text| {
            let new = || Session { settings: settings.clone(), reading: reading.clone(), ..Session::default() };
            if command.add_suppressions { suppress::add(&path, &name, text, &arguments, new) } else { Ok(text) }
        });
        match text {
            Ok(text) => {
                session.settings = settings.clone();
                let exit = one(&mut session, &path, &name, &text, &arguments, &mut found);
                code = code.max(exit);
            }
            Err(exit) => code = code.max(exit),
        }
    }
    code.max(write(&found, &session, command.format))
}

fn one(
    session: &mut Session,
    path: &Path,
    name: &str,
    text: &str,
    arguments: &[Argument],
    found: &mut crate::diagnostic::Diagnostics,
) -> u8 {
    let input = Input { arguments, folder: path.parent(), whole: true, ..Input::new(name, text) };
    let prepared = session.prepare(&input, false);
    output::notes(&prepared.notes);
    found.append(prepared.diagnostics);
    prepared.exit
}

fn write(found: &crate::diagnostic::Diagnostics, session: &Session, format: CheckFormat) -> u8 {
    match format {
        CheckFormat::Text => {
            output::diagnostics(found, &session.sources);
            let errors = found.error_count();
            if !found.is_empty() {
                output::complain(&render::summary(errors, found.len() - errors));
            }
            0
        }
        CheckFormat::Concise => {
            let mut text = Vec::new();
            let _ = render::concise(found, &session.sources, &mut text);
            output::print(&String::from_utf8_lossy(&text))
        }
        CheckFormat::Json => output::print(&format!("{:#}\n", machine::json(found, &session.sources))),
    }
}

/// What diagnostics call a script.
pub(super) fn shown(path: &Path) -> String {
    if path.as_os_str() == "-" { "<stdin>".to_owned() } else { io::error::shown(path) }
}

/// Whether an argument is `NAME:TYPE` or `NAME=…` and not a path.
fn is_binding(text: &OsString) -> bool {
    let Some(text) = text.to_str() else { return false };
    let name_end = text.find([':', '=']).unwrap_or(0);
    name_end > 0 && !text[..name_end].contains(['/', '.']) && !Path::new(text).exists()
}

/// A script, or every `*.arr` below a folder, in the order of their names.
fn collect(path: &Path, scripts: &mut Vec<PathBuf>) -> Result<(), u8> {
    if !path.is_dir() {
        scripts.push(path.to_path_buf());
        return Ok(());
    }
    let entries = std::fs::read_dir(path).and_then(|entries| entries.collect::<Result<Vec<_>, _>>());
    let mut entries = entries.map_err(|error| {
        let error = io::error::IoError::reading(path, &error);
        output::diagnostics([&error.diagnostic()], &crate::source::Sources::new());
        error.exit_code()
    })?;
    entries.sort_by_key(std::fs::DirEntry::file_name);
    for entry in entries {
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if is_folder || entry.path().extension().is_some_and(|extension| extension == "arr") {
            collect(&entry.path(), scripts)?;
        }
    }
    Ok(())
}
