//! `arr check`: scripts are checked, nothing runs.

use super::args::CheckArgs;
use super::context::{Context, Contexts};
use super::fix_run::FixRun;
use super::scripts::{collect, display_name, exact, read_script, script_text};
use super::target::ReportTarget;
use super::{bindings, choose, compare, fix, memory, outlook, output, report, suppress};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::io::Location;
use crate::io::argument::{Argument, BoundValue};
use crate::session::{Preparation, ReadPolicy, Session};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// `arr check FILE…`
pub(super) fn files(command: CheckArgs) -> Outcome {
    checked(&command).unwrap_or_else(|outcome| outcome)
}

/// How it ended; as an error, where nothing was looked at.
fn checked(command: &CheckArgs) -> Result<Outcome, Outcome> {
    let fixing = command.fix || command.diff;
    if command.unsafe_fixes && !fixing {
        return Err(output::usage(
            "`--unsafe-fixes` says which fixes `--fix` and `--diff` carry out; give one of them",
        ));
    }
    if let Some(text) = report::conflict(&command.format, command.statistics) {
        return Err(output::usage(&text));
    }
    // What is wrong whatever `arr.toml` says is told once.
    command.rules.settings()?;
    let (bindings, paths): (Vec<OsString>, Vec<OsString>) = command.files.iter().cloned().partition(is_binding);
    let arguments = bindings::arguments(&bindings)?;
    let scripts = collect(&paths)?;
    if scripts.is_empty() {
        return Err(output::usage("there is no script to check"));
    }
    let from_stream = scripts.iter().any(|path| path.as_os_str() == "-");
    if command.add_suppressions && from_stream {
        return Err(output::usage("`--add-suppressions` rewrites files, not standard input"));
    }
    if !command.compare.is_empty() {
        return Ok(compared(command, &scripts, &arguments));
    }
    let taken = fixing && (command.diff || from_stream);
    if taken && command.format.iter().any(ReportTarget::prints) {
        return Err(output::usage(
            "standard output takes the fixed text; give the format a file: `--format json=FILE`",
        ));
    }
    if command.plan && command.format.iter().any(ReportTarget::prints) {
        return Err(output::usage("standard output takes the plan; give the format a file: `--format json=FILE`"));
    }
    let files = report::ReportFiles::prepare(&command.format)?;
    let mut contexts = Contexts::new(&command.rules);
    let read = read(command, &scripts, &arguments, &mut contexts);
    files.clash(read.iter().map(PathBuf::as_path))?;
    let fixes = FixRun { all: command.unsafe_fixes, diff: command.diff, ..FixRun::default() };
    let (session, found) = Default::default();
    let unused = None;
    let mut checking = CheckRun { command, arguments: &arguments, session, found, fixes, read, unused };
    let mut outcome = Outcome::Done;
    for path in scripts {
        outcome = outcome.max(checking.script(&path, &mut contexts).unwrap_or_else(|outcome| outcome));
    }
    let CheckRun { session, found, fixes, read, unused, .. } = checking;
    let whom = |name: &String| format!("`{name}` is given, and no script that was checked uses it");
    output::notes(&unused.unwrap_or_default().iter().map(whom).collect::<Vec<_>>());
    let outcome = if command.diff {
        outcome.max(Outcome::refused_if(fixes.fixed > 0))
    } else {
        // Which files a script names is known by now.
        match files.clash(read.iter().map(PathBuf::as_path)) {
            Ok(()) => {
                report::write(&found, &session.sources, (&command.format, &files), command.statistics, taken, outcome)
            }
            Err(clash) => outcome.max(clash),
        }
    };
    if fixing {
        fixes.report(&found);
    }
    Ok(outcome)
}

/// What is known while scripts are looked at one after the other.
struct CheckRun<'c> {
    command: &'c CheckArgs,
    arguments: &'c [Argument],
    session: Session,
    found: Diagnostics,
    fixes: FixRun,
    /// The files that are read, which no report may replace.
    read: Vec<PathBuf>,
    /// The names that are given and that no script has used so far, once one was checked.
    unused: Option<Vec<String>>,
}

impl CheckRun<'_> {
    /// Fixes, silences and checks a script, as far as the command says. Returns how that ended.
    fn script(&mut self, path: &Path, contexts: &mut Contexts) -> Result<Outcome, Outcome> {
        let CheckRun { command, arguments, session, found, fixes, read, unused } = self;
        let name = display_name(path);
        let Context { settings, reading } = &contexts.of(path, &mut session.sources, found)?;
        session.reading = reading.clone();
        let mut failed = Outcome::Done;
        let called = if command.format.iter().any(ReportTarget::is_for_programs) { exact(path) } else { name.clone() };
        let mut text = script_text(path, &called).map_err(|(why, outcome)| {
            found.push(*why);
            outcome
        })?;
        if command.fix || command.diff {
            let folder = path.parent();
            let (name, all) = (&name, fixes.all);
            let job = fix::FixJob { name, text: &text, folder, arguments, settings, reading, all };
            // What cannot be written stays as it is, with all that is found in it.
            match fixes.fix(path, &job) {
                Ok(fixed) => text = fixed,
                Err(outcome) => failed = outcome,
            }
        }
        if command.add_suppressions && failed.is_done() {
            let new = || Session { settings: settings.clone(), reading: reading.clone(), ..Session::default() };
            text = suppress::add(path, &name, text, arguments, new)?;
        }
        session.settings = settings.clone();
        let prepared = one(session, path, &called, &text, arguments, found);
        let mut outcome = prepared.outcome.max(failed);
        // Of a script that is wrong nobody knows what it would use.
        let own = match prepared.checked.program {
            Some(_) => prepared.checked.unused,
            None => Vec::new(),
        };
        match unused {
            Some(unused) => unused.retain(|name| own.contains(name)),
            None => *unused = Some(own),
        }
        if command.plan && outcome == Outcome::Done {
            let reading = ReadPolicy { windows: Some(memory::windows(command.max_mem)), ..reading.clone() };
            let data = Session { settings: settings.clone(), reading, ..Session::default() };
            let input = fix::input(&name, &text, path.parent(), arguments);
            outcome = outlook::show(data, &input, command.max_mem);
        }
        read.extend(prepared.files);
        Ok(outcome)
    }
}

/// `--compare`: systems side by side.
fn compared(command: &CheckArgs, scripts: &[PathBuf], arguments: &[Argument]) -> Outcome {
    let format = match command.format.as_slice() {
        [target] if target.is_plain() => target.format,
        _ => return output::usage("`--compare` writes one of text, concise and json to standard output"),
    };
    let texts: Result<Vec<_>, Outcome> =
        scripts.iter().map(|path| Ok((path, read_script(path, &display_name(path))?))).collect();
    match (texts, choose::systems(&command.compare)) {
        (Ok(texts), Ok(systems)) => match command.rules.context(scripts[0].parent(), None) {
            Ok(Context { settings, reading }) => {
                compare::scripts(&texts, arguments, (&settings, &reading), &systems, format)
            }
            Err(outcome) => outcome,
        },
        (Err(outcome), _) | (_, Err(outcome)) => outcome,
    }
}

fn one(
    session: &mut Session,
    path: &Path,
    name: &str,
    text: &str,
    arguments: &[Argument],
    found: &mut Diagnostics,
) -> Preparation {
    let mut prepared = session.check(&fix::input(name, text, path.parent(), arguments));
    output::notes(&prepared.notes);
    found.append(std::mem::take(&mut prepared.diagnostics));
    prepared
}

/// The files that the command line names to be read, and the rules of the scripts' folders: no report may replace them.
fn read(command: &CheckArgs, scripts: &[PathBuf], arguments: &[Argument], contexts: &mut Contexts) -> Vec<PathBuf> {
    let mut folders: Vec<Option<&Path>> = scripts.iter().map(|script| script.parent()).collect();
    folders.dedup();
    let data = arguments.iter().filter_map(|argument| match &argument.value {
        Some(BoundValue::File(path)) => Some(Location::parse(path.as_os_str()).path),
        _ => None,
    });
    let rules = folders.into_iter().filter_map(|folder| contexts.rules_file(folder));
    scripts.iter().cloned().chain(data).chain(rules).chain(command.rules.files().map(Path::to_path_buf)).collect()
}

/// Whether an argument is `NAME:TYPE` or `NAME=…` and not a path.
fn is_binding(text: &OsString) -> bool {
    let Some(text) = text.to_str() else { return false };
    let name_end = text.find([':', '=']).unwrap_or(0);
    name_end > 0 && !text[..name_end].contains(['/', '.']) && !Path::new(text).exists()
}
