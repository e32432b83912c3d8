//! `arr check`: scripts are checked, nothing runs.

use super::args::Check;
use super::context::{Context, Contexts};
use super::mending::Mending;
use super::scripts::{collect, read_script, shown};
use super::{bindings, choose, compare, fix, memory, outlook, output, report, suppress, target};
use crate::diagnostic::Diagnostics;
use crate::io::Location;
use crate::io::argument::{Argument, Value};
use crate::session::{Prepared, Reading, Session};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `arr check FILE…`
pub(super) fn files(command: Check) -> u8 {
    let mends = command.fix || command.diff;
    if command.unsafe_fixes && !mends {
        return output::usage("`--unsafe-fixes` says which fixes `--fix` and `--diff` carry out; give one of them");
    }
    if let Some(text) = report::conflict(&command.format, command.statistics) {
        return output::usage(&text);
    }
    // What is wrong whatever `arr.toml` says is told once.
    if let Err(code) = command.rules.settings() {
        return code;
    }
    let (bindings, paths): (Vec<OsString>, Vec<OsString>) = command.files.iter().cloned().partition(is_binding);
    let arguments = match bindings::arguments(&bindings) {
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
    if !command.compare.is_empty() {
        return compared(&command, &scripts, &arguments);
    }
    let taken = mends && (command.diff || scripts.iter().any(|path| path.as_os_str() == "-"));
    if taken && command.format.iter().any(target::Target::prints) {
        return output::usage("standard output takes the fixed text; give the format a file: `--format json=FILE`");
    }
    let files = match report::Files::prepare(&command.format) {
        Ok(files) => files,
        Err(code) => return code,
    };
    let mut read = read(&command, &scripts, &arguments);
    if let Err(code) = files.clash(read.iter().map(PathBuf::as_path)) {
        return code;
    }
    let mut contexts = Contexts::new(&command.rules);
    let mut session = Session::default();
    let mut found = Diagnostics::new();
    let mut mending = Mending { all: command.unsafe_fixes, diff: command.diff, ..Mending::default() };
    let mut code = 0;
    for path in scripts {
        let name = shown(&path);
        let Context { settings, reading } = match contexts.of(&path, &mut session.sources, &mut found) {
            Ok(context) => context,
            Err(exit) => {
                code = code.max(exit);
                continue;
            }
        };
        session.reading = reading.clone();
        let text = read_script(&path, &name).and_then(|text| {
            let folder = path.parent();
            let (name, arguments, settings, reading, all) = (&name, &arguments, &settings, &reading, mending.all);
            let job = fix::Job { name, text: &text, folder, arguments, settings, reading, all };
            if mends { mending.mend(&path, &job) } else { Ok(text) }
        });
        let text = text.and_then(|text| {
            let new = || Session { settings: settings.clone(), reading: reading.clone(), ..Session::default() };
            if command.add_suppressions { suppress::add(&path, &name, text, &arguments, new) } else { Ok(text) }
        });
        match text {
            Ok(text) => {
                session.settings = settings.clone();
                let prepared = one(&mut session, &path, &name, &text, &arguments, &mut found);
                if command.plan && prepared.exit == 0 {
                    let reading = Reading { windows: Some(memory::windows(command.max_mem)), ..reading.clone() };
                    let data = Session { settings: settings.clone(), reading, ..Session::default() };
                    let input = fix::input(&name, &text, path.parent(), &arguments);
                    code = code.max(outlook::show(data, &input, command.max_mem));
                }
                code = code.max(prepared.exit);
                read.extend(prepared.files);
            }
            Err(exit) => code = code.max(exit),
        }
    }
    let code = if command.diff {
        code.max(mending.fixed.min(1) as u8)
    } else {
        // Which files a script names is known by now.
        match files.clash(read.iter().map(PathBuf::as_path)) {
            Ok(()) => {
                report::write(&found, &session.sources, (&command.format, &files), command.statistics, taken, code)
            }
            Err(exit) => code.max(exit),
        }
    };
    if mends {
        mending.tell(&found);
    }
    code
}

/// `--compare`: systems side by side.
fn compared(command: &Check, scripts: &[PathBuf], arguments: &[Argument]) -> u8 {
    let format = match command.format.as_slice() {
        [target] if target.is_plain() => target.format,
        _ => return output::usage("`--compare` writes one of text, concise and json to standard output"),
    };
    let texts: Result<Vec<_>, u8> = scripts.iter().map(|path| Ok((path, read_script(path, &shown(path))?))).collect();
    match (texts, choose::systems(&command.compare)) {
        (Ok(texts), Ok(systems)) => match command.rules.context(scripts[0].parent(), None) {
            Ok(Context { settings, reading }) => {
                compare::scripts(&texts, arguments, (&settings, &reading), &systems, format)
            }
            Err(code) => code,
        },
        (Err(code), _) | (_, Err(code)) => code,
    }
}

fn one(
    session: &mut Session,
    path: &Path,
    name: &str,
    text: &str,
    arguments: &[Argument],
    found: &mut Diagnostics,
) -> Prepared {
    let mut prepared = session.prepare(&fix::input(name, text, path.parent(), arguments), false);
    output::notes(&prepared.notes);
    found.append(std::mem::take(&mut prepared.diagnostics));
    prepared
}

/// The files that the command line names to be read, and the rules of the scripts' folders: no report may replace them.
fn read(command: &Check, scripts: &[PathBuf], arguments: &[Argument]) -> Vec<PathBuf> {
    let mut folders: Vec<Option<&Path>> = scripts.iter().map(|script| script.parent()).collect();
    folders.dedup();
    let data = arguments.iter().filter_map(|argument| match &argument.value {
        Some(Value::File(path)) => Some(Location::parse(path.as_os_str()).path),
        _ => None,
    });
    let rules = folders.into_iter().filter_map(super::context::rules_file);
    scripts.iter().cloned().chain(data).chain(rules).chain(command.rules.files().map(Path::to_path_buf)).collect()
}

/// Whether an argument is `NAME:TYPE` or `NAME=…` and not a path.
fn is_binding(text: &OsString) -> bool {
    let Some(text) = text.to_str() else { return false };
    let name_end = text.find([':', '=']).unwrap_or(0);
    name_end > 0 && !text[..name_end].contains(['/', '.']) && !Path::new(text).exists()
}
