//! Files at the prompt, `:load` or `:save`. Arrays come from files, or go into them.

use super::super::super::{interrupt, parsers};
use super::super::AfterInput;
use super::super::describe::describe;
use super::super::folders;
use super::super::shell::{ScriptPiece, Shell};
use super::{expression, words};
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::running;
use crate::io::{self, Location, ReadOptions};
use crate::session::{Input, ReadPolicy, Reply, ShownValue, legal_name};
use crate::source::stop::Stop;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// `:load FILE [as NAME]`, with options of tables among the words.
pub(super) fn load(shell: &mut Shell, text: &str) -> AfterInput {
    let mut reading = shell.session.reading.clone();
    let (file, name) = match file_and_name(text, &mut reading) {
        Ok(found) => found,
        Err(message) => {
            shell.screen.error(&message);
            return AfterInput::Continue;
        }
    };
    let path = folders::place(&file);
    let (mut lines, mut left) = match name {
        Some(name) => (vec![(name, file_text(&path))], Vec::new()),
        None => told_apart(&members(&path, &reading), &reading),
    };
    let before = shell.present();
    // The user names the file: it may lie anywhere.
    let anywhere = ReadPolicy { allowed: vec![PathBuf::from("/")], by_user: true, ..reading };
    let own = std::mem::replace(&mut shell.session.reading, anywhere);
    let mut reply = bind(shell, &lines);
    if let Some(bad) = unreadable(shell, &reply).filter(|bad| bad.len() < lines.len()) {
        // What holds numbers is worth having without the rest.
        lines = lines.into_iter().enumerate().filter(|(at, _)| !bad.contains_key(at)).map(|(_, line)| line).collect();
        left.extend(bad.into_values());
        reply = bind(shell, &lines);
    }
    let reply = shell.report(reply);
    shell.session.reading = own;
    let input_name = shell.name();
    shell.latest.piece =
        Some(ScriptPiece { name: input_name, text: script(&lines).trim_end().to_owned(), before: before.clone() });
    if !reply.outcome.is_done() {
        return AfterInput::Continue;
    }
    shell.done(before, &format!(":load {text}"));
    for (name, _) in &lines {
        // `w: bf16[n]` says the type too.
        let name = name.split(':').next().unwrap_or(name).trim();
        if let Some((stored, _)) = shell.session.env.get(name) {
            shell.screen.report(&format!("{name} : {}", describe(&shell.session.sources, stored)));
        }
    }
    left.iter().for_each(|why| shell.screen.report(&format!("left out: {why}")));
    AfterInput::Continue
}

/// The statements that give names their arrays, a line each.
fn script(lines: &[(String, String)]) -> String {
    lines.iter().map(|(name, path)| format!("let {name} = load(\"{path}\")\n")).collect()
}

fn bind(shell: &mut Shell, lines: &[(String, String)]) -> Reply {
    let (name, script) = (shell.name(), script(lines));
    let options = shell.options();
    shell.attempt(&Input { options, ..Input::new(&name, script.trim_end()) })
}

/// The lines whose arrays are not of numbers, each with why; `None` when anything else is wrong, or nothing.
fn unreadable(shell: &Shell, reply: &Reply) -> Option<BTreeMap<usize, String>> {
    let errors = reply.diagnostics.iter().filter(|found| found.is_error());
    let line = |found: &Diagnostic| {
        let span = found.span().filter(|_| found.code.id == running::BAD_ARRAY_FILE.id)?;
        let (line, _) = shell.session.sources.line_column(span.source, span.start);
        Some((line - 1, found.message.clone()))
    };
    errors.map(line).collect::<Option<BTreeMap<_, _>>>().filter(|bad| !bad.is_empty())
}

/// `d.npz:x as y` read apart. The options are those of the command line, and hold for this file alone.
fn file_and_name(text: &str, reading: &mut ReadPolicy) -> Result<(String, Option<String>), String> {
    let parted = text.rsplit_once(" as ").or_else(|| Some((text.strip_suffix(" as")?, "")));
    let (file, name) = match parted {
        Some((file, name)) => {
            let (name, options) = name.split_at(name.find(" --").unwrap_or(name.len()));
            (format!("{file}{options}"), Some(name.trim().to_owned()))
        }
        None => (text.to_owned(), None),
    };
    let mut files = Vec::new();
    let mut all = words::words(&file)?.into_iter();
    while let Some(word) = all.next() {
        if !word.starts_with("--") {
            files.push(word);
            continue;
        }
        let (option, value) = match word.split_once('=') {
            Some((option, value)) => (option, Some(value.to_owned())),
            None if is_flag(&word) => (word.as_str(), None),
            None => (word.as_str(), all.next()),
        };
        set_option(reading, option, value)?;
    }
    match (files.as_slice(), name.as_deref()) {
        (_, Some("")) => Err("a name belongs after `as`".to_owned()),
        ([file], _) => Ok((file.clone(), name)),
        (_, _) => Err("one file at a time; a name with blanks belongs between quotes: \"my file.npy\"".to_owned()),
    }
}

/// Whether an option of `:load` has no value.
fn is_flag(option: &str) -> bool {
    matches!(option, "--no-header" | "--copy")
}

/// Heeds an option of the command line that says how a file is read.
fn set_option(reading: &mut ReadPolicy, option: &str, value: Option<String>) -> Result<(), String> {
    if is_flag(option) && value.is_some() {
        return Err(format!("`{option}` takes no value"));
    }
    let given = value.ok_or_else(|| format!("a value belongs after `{option}`"));
    match option {
        "--no-header" => reading.table.header = false,
        "--copy" => reading.copy = true,
        "--missing" => reading.table.missing = Some(parsers::number(&given?)?),
        "--delimiter" => reading.table.delimiter = Some(parsers::delimiter(&given?)?),
        "--format-in" => reading.format = Some(parsers::format(&given?)?),
        _ => {
            return Err(format!(
                "`:load` has no option `{option}`; it has --missing, --delimiter, --no-header, --format-in and --copy"
            ));
        }
    }
    Ok(())
}

/// Which array of which file the user names.
fn location(path: &Path, reading: &ReadPolicy) -> Location {
    Location::named_by_user(path.as_os_str(), &ReadOptions { format: reading.format, ..ReadOptions::default() })
}

/// The arrays of a file that holds several and of which none is named, else the file itself.
fn members(path: &Path, reading: &ReadPolicy) -> Vec<PathBuf> {
    let location = location(path, reading);
    let names = match location.member {
        None => io::members_by(&location.path, reading.table, reading.format).unwrap_or_default(),
        Some(_) => Vec::new(),
    };
    if names.is_empty() {
        return vec![path.to_path_buf()];
    }
    let with = |name: &String| {
        let mut whole = path.as_os_str().to_owned();
        whole.push(":");
        whole.push(name);
        PathBuf::from(whole)
    };
    names.iter().map(with).collect()
}

/// The names of arrays with the texts of their paths, and of those that are left out, why: a name that several would
/// have is that of the array that is called so.
fn told_apart(paths: &[PathBuf], reading: &ReadPolicy) -> (Vec<(String, String)>, Vec<String>) {
    let mut named: BTreeMap<String, Vec<usize>> = BTreeMap::new();
    let found: Vec<(String, bool)> = paths.iter().map(|path| own_name(path, reading)).collect();
    for (at, (name, _)) in found.iter().enumerate() {
        named.entry(name.clone()).or_default().push(at);
    }
    let (mut lines, mut left) = (Vec::new(), Vec::new());
    for (at, (path, (name, is_own))) in paths.iter().zip(&found).enumerate() {
        let all = &named[name];
        let is_first = all[0] == at && !all.iter().any(|&other| found[other].1);
        if *is_own || is_first {
            lines.push((name.clone(), file_text(path)));
        } else {
            let shown = io::error::printable_path(path);
            left.push(format!("`{shown}`, because another one is `{name}`; `:load \"{shown}\" as NAME` loads it"));
        }
    }
    (lines, left)
}

/// The name of the array that a path leads to, and whether the file itself calls it so.
fn own_name(path: &Path, reading: &ReadPolicy) -> (String, bool) {
    let location = location(path, reading);
    let name = name_of(&location);
    let is_own = location.member.as_deref() == Some(name.as_str());
    (name, is_own)
}

/// A path between the quotes of `load`.
fn file_text(path: &Path) -> String {
    path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"")
}

/// The name of an array: its member's, or the file's stem, with `_` for what no name may have.
fn name_of(location: &Location) -> String {
    let stem = location.path.file_stem().unwrap_or_default().to_string_lossy();
    legal_name(location.member.as_deref().unwrap_or(&stem))
}

/// `:save EXPR FILE`
pub(super) fn save(shell: &mut Shell, text: &str) -> AfterInput {
    let (wanted, file) = match words::before_last(text) {
        Ok(Some((wanted, file))) => (wanted, folders::place(&file)),
        Ok(None) => {
            shell.screen.error("what is to be written, and where: `:save NAME FILE`");
            return AfterInput::Continue;
        }
        Err(message) => {
            shell.screen.error(&message);
            return AfterInput::Continue;
        }
    };
    // Whether it can be written is known before anything is computed.
    let target = match io::prepare(&file) {
        Ok(target) => target,
        Err(error) => return refuse(shell, &error),
    };
    let Some(values) = expression::values(shell, wanted) else { return AfterInput::Continue };
    let [value] = values.as_slice() else {
        shell.screen.error(&format!("`{wanted}` is {} values; a file takes one", values.len()));
        return AfterInput::Continue;
    };
    let replaced = target.identity().is_some();
    if let Err(error) = io::write_until(&target, &value.array, Stop(Some(interrupt::stop_flag()))) {
        return refuse(shell, &error);
    }
    let instead = if replaced { ", in place of the file that was there" } else { "" };
    let bytes = io::error::size((value.array.len() * value.array.dtype().size()) as u64);
    shell.screen.report(&format!(
        "wrote {}: {}, {bytes}{instead}",
        io::error::printable_path(&file),
        stored_type(value)
    ));
    if let Some(unsaid) = target.unsaid(value.name.as_ref().unwrap_or(&value.text), &value.array) {
        shell.screen.report(&format!("note: {unsaid}"));
    }
    AfterInput::Continue
}

/// The type that a file has: a weak value has its default dtype there.
fn stored_type(value: &ShownValue) -> String {
    let strong = ShownValue { elem: value.array.dtype().into(), ..value.clone() };
    let weak = if value.elem.is_weak() { format!(" ({} here)", value.type_text()) } else { String::new() };
    format!("{}{weak}", strong.type_text())
}

fn refuse(shell: &Shell, error: &io::IoError) -> AfterInput {
    let diagnostic: Diagnostic = error.diagnostic();
    shell.screen.diagnostics([&diagnostic], &shell.session.sources);
    AfterInput::Continue
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_made_of_files_and_members() {
        let of = |text: &str| name_of(&Location::parse(text.as_ref()));
        assert_eq!([of("a/b.npy"), of("my-data 2.npy"), of("2020.npy")], ["b", "my_data_2", "x_2020"]);
        assert_eq!([of("d.npz:spot"), of("m.safetensors:layer.0.weight")], ["spot", "layer_0_weight"]);
        assert_eq!([of("f32.npy"), of("let.npy"), of("é.npy")], ["x_f32", "x_let", "é"]);
    }

    #[test]
    fn a_file_may_be_quoted_and_a_name_given() {
        let read = |text: &str| file_and_name(text, &mut ReadPolicy::default());
        assert_eq!(read("a.npy"), Ok(("a.npy".to_owned(), None)));
        assert_eq!(read("\"a b.npy\" as x"), Ok(("a b.npy".to_owned(), Some("x".to_owned()))));
        assert!(read("a.npy b.npy").is_err() && read("a.npy as ").is_err());
        assert_eq!(read("a.npy as"), Err("a name belongs after `as`".to_owned()));
    }

    #[test]
    fn options_stand_among_the_words() {
        let mut reading = ReadPolicy::default();
        let text = "t.csv --missing -1 as x --delimiter=; --no-header";
        assert_eq!(file_and_name(text, &mut reading), Ok(("t.csv".to_owned(), Some("x".to_owned()))));
        let table = reading.table;
        assert_eq!((table.missing, table.delimiter, table.header), (Some(-1), Some(b';'), false));
        for wrong in ["t.csv --missing", "t.csv --missing x", "t.csv --loud", "t.csv --copy=1"] {
            assert!(file_and_name(wrong, &mut reading).is_err(), "{wrong}");
        }
    }
}
