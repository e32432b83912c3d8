//! `arr build`: a script as an object, a library and a header, for programs in which there is no `arr`.

use super::args::Build;
use super::bindings;
use super::context::Context;
use super::output;
use super::scripts::{read_script, shown};
use crate::diagnostic::Outcome;
use crate::io::argument::Argument;
use crate::io::error::IoError;
use crate::io::write::clash;
use crate::io::write::{Target, prepare_text};
use crate::ir::Program;
use crate::session::{Input, Session};
use crate::source::{Sources, Span};
use std::ffi::OsString;
use std::process::Command;

/// What the name of the output asks for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    Object,
    Archive,
    Shared,
}

/// `arr build FILE`
pub(super) fn script(command: &Build) -> Outcome {
    match built(command) {
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}

fn built(command: &Build) -> Result<(), Outcome> {
    let Context { settings, reading } = command.rules.context(command.file.parent(), None)?;
    let (kind, targets) = targets(command)?;
    let script = shown(&command.file);
    let text = read_script(&command.file, &script)?;
    let stem = command.file.file_stem().and_then(|stem| stem.to_str()).unwrap_or("script");
    let name = c_name(command.name.as_deref().unwrap_or(stem)).map_err(|message| output::usage(&message))?;
    let mut versions = Vec::new();
    let asked = if command.at.is_empty() { vec![String::new()] } else { command.at.clone() };
    for at in &asked {
        let arguments = bindings::arguments(&parts(at))?;
        let mut session = Session { settings: settings.clone(), reading: reading.clone(), ..Session::default() };
        let input = Input { folder: command.file.parent(), arguments: &arguments, ..Input::new(&script, &text) };
        let prepared = session.prepare(&input, false);
        output::diagnostics(&prepared.diagnostics, &session.sources);
        let Some(program) = prepared.checked.program.filter(|_| prepared.outcome.is_done()) else {
            return Err(prepared.outcome.max(Outcome::Refused));
        };
        if let Some(open) = open(&program) {
            let message = format!("the type of `{open}` is not fixed: give it with `--at {open}:f32[n]`");
            return Err(output::usage(&message));
        }
        let own = if asked.len() == 1 { name.clone() } else { format!("{name}_{}", suffix(&arguments)) };
        versions.push((own, program, session.sources));
    }
    let functions: Vec<(&str, &Program)> = versions.iter().map(|(name, program, _)| (name.as_str(), program)).collect();
    let built = compiled(&functions, (command.target.as_deref(), command.cpu.as_deref()));
    let built = built.map_err(|refused| refusal(&refused, &script, &versions[0].2))?;
    write(kind, &targets, command, &built)
}

/// The code, and the header.
struct BuiltFiles {
    object: Vec<u8>,
    header: String,
}

/// Why there is none: a sentence, and what of the script it is about.
struct NoObject {
    message: String,
    span: Option<Span>,
}

#[cfg(all(feature = "object", target_arch = "x86_64"))]
fn compiled(
    functions: &[(&str, &Program)],
    (target, cpu): (Option<&str>, Option<&str>),
) -> Result<BuiltFiles, NoObject> {
    use crate::exec::jit::object;
    match object::build(functions, target, cpu) {
        Ok(object::Built { object, header }) => Ok(BuiltFiles { object, header }),
        Err(object::NotBuilt { message, span }) => Err(NoObject { message, span }),
    }
}

/// Without the feature `object` there is none.
#[cfg(not(all(feature = "object", target_arch = "x86_64")))]
fn compiled(_: &[(&str, &Program)], _: (Option<&str>, Option<&str>)) -> Result<BuiltFiles, NoObject> {
    Err(NoObject { message: "this arr was installed without the cargo feature `object`".to_owned(), span: None })
}

/// Why a script cannot be built, at its line.
fn refusal(refused: &NoObject, shown: &str, sources: &Sources) -> Outcome {
    let place = refused.span.map(|span| sources.line_column(span.source, span.start).0);
    let place = place.map_or_else(|| shown.to_owned(), |line| format!("{shown}:{line}"));
    output::complain(&format!("{place} cannot be built: {}", refused.message));
    Outcome::Refused
}

/// An input whose dtype or rank is not known.
fn open(program: &Program) -> Option<&str> {
    let unknown = |input: &&crate::ir::ProgramInput| {
        !program.nodes.iter().any(|node| {
        matches!(node.kind, crate::ir::NodeKind::Input(number) if program.inputs[number as usize].name == input.name)
    })
    };
    program.inputs.iter().find(unknown).map(|input| input.name.as_str())
}

/// Files that are written: the code, and the header.
struct Targets {
    code: Target,
    header: Option<Target>,
}

fn targets(command: &Build) -> Result<(OutputKind, Targets), Outcome> {
    let told = |error: IoError| output::refused(&error);
    let extension = command.output.extension().and_then(|it| it.to_str());
    let kind = match extension {
        Some("o") => OutputKind::Object,
        Some("a") => OutputKind::Archive,
        Some("so") => OutputKind::Shared,
        _ => {
            let name = crate::io::error::shown(&command.output);
            return Err(output::usage(&format!("the name of the output says what it is, .o, .a or .so: `{name}`")));
        }
    };
    let code = prepare_text(&command.output).map_err(told)?;
    let header = command.header.as_deref().map(prepare_text).transpose().map_err(told)?;
    let all: Vec<&Target> = std::iter::once(&code).chain(&header).collect();
    if let Some(told) = clash(&all, [command.file.as_path()]) {
        return Err(output::usage(&told));
    }
    Ok((kind, Targets { code, header }))
}

fn write(kind: OutputKind, targets: &Targets, command: &Build, built: &BuiltFiles) -> Result<(), Outcome> {
    let code = match kind {
        OutputKind::Object => built.object.clone(),
        OutputKind::Archive | OutputKind::Shared => linked(kind, command, &built.object)?,
    };
    let told = |error: IoError| output::refused(&error);
    targets.code.commit(|to| to.write_all(&code)).map_err(told)?;
    if let Some(header) = &targets.header {
        header.commit(|to| to.write_all(built.header.as_bytes())).map_err(told)?;
    }
    Ok(())
}

/// What the tools of C make of an object.
fn linked(kind: OutputKind, command: &Build, object: &[u8]) -> Result<Vec<u8>, Outcome> {
    let cross = command.target.as_deref().and_then(|triple| {
        let triple = triple.replace("-unknown-", "-");
        (!triple.starts_with(std::env::consts::ARCH)).then_some(triple)
    });
    let tool = |name: &str, variable: &str, other: &str| match (std::env::var(variable), &cross) {
        (Ok(given), _) if !given.is_empty() => given,
        (_, Some(triple)) => format!("{triple}-{other}"),
        _ => name.to_owned(),
    };
    let failed = |error: &dyn std::fmt::Display| {
        output::complain(&format!("{error}"));
        Outcome::Unreachable
    };
    let folder = tempfile::tempdir().map_err(|error| failed(&error))?;
    let from = folder.path().join("code.o");
    std::fs::write(&from, object).map_err(|error| failed(&error))?;
    let (program, arguments, to) = match kind {
        OutputKind::Shared => {
            let to = folder.path().join("code.so");
            (tool("cc", "CC", "gcc"), vec!["-shared".into(), "-o".into(), to.clone().into_os_string(), from.into()], to)
        }
        _ => {
            let to = folder.path().join("code.a");
            (tool("ar", "AR", "ar"), vec!["rcs".into(), to.clone().into_os_string(), from.into()], to)
        }
    };
    let ran = Command::new(&program).args(&arguments).output();
    let ran = ran.map_err(|error| {
        failed(&format!(
            "`{program}` links this file, and cannot be run: {error}; a name that ends in .o needs no other program"
        ))
    })?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        return Err(failed(&format!("`{program}` could not link: {}", said.trim())));
    }
    std::fs::read(&to).map_err(|error| failed(&error))
}

/// `x:f32[n, m],y:f64` in parts: commas inside brackets are of shapes.
fn parts(at: &str) -> Vec<OsString> {
    let (mut parts, mut depth) = (vec![String::new()], 0i32);
    for character in at.chars() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        parts.last_mut().expect("there is one").push(character);
    }
    parts.into_iter().map(|part| part.trim().into()).filter(|part: &OsString| !part.is_empty()).collect()
}

/// `f32_i64`: what tells versions of a function apart.
fn suffix(arguments: &[Argument]) -> String {
    let types: Vec<String> = arguments.iter().map(|argument| argument.type_text.clone().unwrap_or_default()).collect();
    let plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
    types.join("_").chars().map(plain).collect::<String>().trim_matches('_').to_owned()
}

/// A name that C takes.
fn c_name(name: &str) -> Result<String, String> {
    let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() || c == '_' { c } else { '_' }).collect();
    match plain.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
        true => Ok(plain),
        false => Err(format!("`{name}` is no name of a function: give one with `--name`")),
    }
}
