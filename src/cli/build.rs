//! `arr build`: a script as an object with a header, or as a library. Programs call it in which there is no `arr`.

use super::args::{Build, Emit, EmitCode};
use super::bindings;
use super::context::Context;
use super::emit;
use super::lengths;
use super::output;
use super::scripts::{display_name, read_script};
use crate::diagnostic::codes::inputs::NO_SUCH_INPUT;
use crate::diagnostic::codes::running::{NO_OBJECT, NOT_LINKED};
use crate::diagnostic::{Diagnostic, Outcome};
use crate::io::argument::Argument;
use crate::io::error::IoError;
use crate::io::scratch::ScratchFolder;
use crate::io::text::commit;
use crate::io::write::clash;
use crate::io::write::{Target, prepare_text};
use crate::ir::Program;
use crate::session::{Input, Preparation, Session};
use crate::source::{Sources, Span};
#[cfg(all(feature = "object", target_arch = "x86_64"))]
use crate::syntax::ast::{DimsExpr, ExprId};
use crate::syntax::ast::{Stmt, StmtKind};
use clap::ValueEnum;
use std::ffi::OsString;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

/// What the output is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OutputKind {
    Object,
    Archive,
    Shared,
    Header,
}

impl OutputKind {
    /// What the name of a file says.
    fn of_name(path: &Path) -> Option<OutputKind> {
        match path.extension()?.to_str()? {
            "o" => Some(OutputKind::Object),
            "a" => Some(OutputKind::Archive),
            "so" => Some(OutputKind::Shared),
            "h" => Some(OutputKind::Header),
            _ => None,
        }
    }
}

impl EmitCode {
    /// The kind of the output. `None` for a text.
    fn kind(self) -> Option<OutputKind> {
        match self {
            EmitCode::Obj => Some(OutputKind::Object),
            EmitCode::Archive => Some(OutputKind::Archive),
            EmitCode::Shared => Some(OutputKind::Shared),
            EmitCode::Header => Some(OutputKind::Header),
            EmitCode::Clif | EmitCode::Asm | EmitCode::Ir => None,
        }
    }

    /// How it is written.
    fn name(self) -> String {
        self.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
    }
}

/// `arr build FILE`
pub(super) fn script(command: &Build) -> Outcome {
    match built(command) {
        Ok(()) => Outcome::Done,
        Err(outcome) => outcome,
    }
}

fn built(command: &Build) -> Result<(), Outcome> {
    let targets = targets(command)?;
    let script = display_name(&command.file);
    let text = read_script(&command.file, &script)?;
    let name = function_name(command)?;
    let mut versions: Vec<Version> = Vec::new();
    let asked = if command.at.is_empty() { vec![String::new()] } else { command.at.clone() };
    for at in &asked {
        let arguments = types(at)?;
        let own = if asked.len() == 1 { name.clone() } else { format!("{name}_{}", suffix(&arguments)) };
        if versions.iter().any(|known| known.name == own) {
            return Err(output::usage(&format!("two `--at` make a function `{own}`: give each types of its own")));
        }
        versions.push(version((own, &arguments), command, (&script, &text))?);
    }
    let Targets { code, header, listing } = &targets;
    let all: Vec<&Target> = code.iter().map(|(_, target)| target).chain(header).chain(listing).collect();
    let read = std::iter::once(command.file.as_path()).chain(command.rules.files());
    let named = versions.iter().flat_map(|version| &version.prepared.files);
    if let Some(told) = clash(&all, read.chain(named.map(PathBuf::as_path))) {
        return Err(output::usage(&told));
    }
    if command.emit == Some(EmitCode::Ir) {
        return list(&targets, &programs(&versions)?);
    }
    let made = compiled(&versions, command);
    match made.map_err(|refused| refusal(&refused, &versions[0].sources))? {
        BuildResult::Listing(text) => list(&targets, &text),
        BuildResult::Files(files) => write(&targets, command, &files),
    }
}

/// Writes a text to its file, or prints it.
fn list(targets: &Targets, text: &str) -> Result<(), Outcome> {
    if let Some(target) = &targets.listing {
        return commit(target, text).map_err(|error| output::report_refusal(&error));
    }
    let outcome = output::print(text);
    if outcome.is_done() { Ok(()) } else { Err(outcome) }
}

/// The programs, as `arr eval --emit ir` shows them; several each below its name.
fn programs(versions: &[Version]) -> Result<String, Outcome> {
    let mut text = String::new();
    for version in versions {
        if versions.len() > 1 {
            let _ = writeln!(text, "{}:", version.name);
        }
        text += &emit::text(Emit::Ir, &version.program).map_err(|message| output::usage(&message))?;
    }
    Ok(text)
}

/// A function of the object.
struct Version {
    name: String,
    program: Program,
    prepared: Preparation,
    sources: Sources,
}

/// What headers and the texts of codes say of a script.
#[cfg(all(feature = "object", target_arch = "x86_64"))]
impl crate::exec::jit::object::ScriptTexts for Version {
    /// The `##` lines above what is declared at a place.
    fn about(&self, span: Span) -> String {
        self.declared(span).map_or_else(String::new, |stmt| stmt.doc_text(&self.sources))
    }

    fn default(&self, span: Span) -> Option<String> {
        let StmtKind::Input { name, ty, default: Some(value), .. } = &self.declared(span)?.kind else { return None };
        let value = self.sources.text(self.prepared.script.expr(*value).span);
        let declared = format!("input {}: {} = {value}", name.text, self.sources.text(ty.span));
        let mut alone = Session { settings: self.prepared.checked.settings.clone(), ..Session::default() };
        let is_whole = !value.contains('\n') && alone.check(&Input::new(&self.name, &declared)).outcome.is_done();
        is_whole.then(|| value.to_owned())
    }

    fn says_number(&self, span: Span, axis: usize) -> bool {
        let Some(StmtKind::Input { ty, .. }) = self.declared(span).map(|stmt| &stmt.kind) else { return true };
        let DimsExpr::List(lengths) = &ty.dims else { return matches!(ty.dims, DimsExpr::Scalar) };
        let text = |id: ExprId| self.sources.text(self.prepared.script.expr(id).span);
        lengths.get(axis).is_none_or(|&length| !text(length).contains(char::is_alphabetic))
    }

    /// In one line.
    fn said(&self, span: Span) -> Option<(String, usize)> {
        let words: Vec<&str> = self.sources.text(span).split_whitespace().collect();
        Some((words.join(" "), self.sources.line_column(span.source, span.start).0))
    }
}

#[cfg(all(feature = "object", target_arch = "x86_64"))]
impl Version {
    /// The statement at a place.
    fn declared(&self, span: Span) -> Option<&Stmt> {
        let script = &self.prepared.script;
        let inside = |of: Span| of.source == span.source && of.start <= span.start && span.end <= of.end;
        script.stmts.iter().find(|stmt| script.source == span.source && inside(stmt.span))
    }
}

/// The script with the types that one `--at` gives.
fn version(
    (name, arguments): (String, &[Argument]),
    command: &Build,
    (script, text): (&str, &str),
) -> Result<Version, Outcome> {
    let Context { settings, reading } = command.rules.context(command.file.parent(), None)?;
    let mut session = Session { settings, reading, ..Session::default() };
    let input = Input { folder: command.file.parent(), arguments, ..Input::new(script, text) };
    let mut prepared = session.check(&input);
    let declares = |name: &str| {
        let is = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Input { name: of, .. } if of.text == name);
        prepared.script.stmts.iter().any(is)
    };
    // A statement that cannot be read declares nothing, so its error is reported first.
    let is_read = !prepared.diagnostics.iter().any(|told| told.code.is_syntax());
    if let Some(unknown) = arguments.iter().find(|argument| is_read && !declares(&argument.name)) {
        let told = format!("the script has no input `{}`, of which `--at` gives the type", unknown.name);
        output::diagnostics([&Diagnostic::unlocated(&NO_SUCH_INPUT, told)], &session.sources);
        return Err(Outcome::Refused);
    }
    output::diagnostics(&prepared.diagnostics, &session.sources);
    let Some(mut program) = prepared.checked.program.take().filter(|_| prepared.outcome.is_done()) else {
        return Err(prepared.outcome.max(Outcome::Refused));
    };
    if let Some(word) = program.open_word() {
        let message = format!("which code {} has is known only with the data: compare with a number", word.name);
        return Err(refusal(&NoObject { message, span: Some(word.span) }, &session.sources));
    }
    if let Some(open) = open(&program) {
        let message = format!("the type of `{open}` is not fixed: give it with `--at {open}:f32[n]`");
        return Err(output::usage(&message));
    }
    lengths::fix(&mut program, arguments).map_err(|told| output::usage(&format!("`--at` says {told}")))?;
    Ok(Version { name, program, prepared, sources: session.sources })
}

/// The types that one `--at` gives.
fn types(at: &str) -> Result<Vec<Argument>, Outcome> {
    let parts = parts(at);
    let is_bare = |part: &&str| !part.contains([':', '=']);
    if let Some(bare) = parts.iter().filter_map(|part| part.to_str()).find(is_bare) {
        return Err(output::usage(&format!(
            "`--at` gives types, and `{bare}` has none: write `NAME:TYPE`, as in `--at x:f32[n]`"
        )));
    }
    let arguments = bindings::arguments(&parts)?;
    match arguments.iter().find(|argument| argument.value.is_some()) {
        Some(valued) => {
            let name = &valued.name;
            Err(output::usage(&format!("`--at` gives types, and `{name}` has a value: write `--at {name}:f32[n]`")))
        }
        None => Ok(arguments),
    }
}

/// What was asked for.
enum BuildResult {
    Files(BuiltFiles),
    Listing(String),
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
fn compiled(versions: &[Version], command: &Build) -> Result<BuildResult, NoObject> {
    use crate::exec::jit::{Listing, object};
    let programs: Vec<(&str, &Program)> = versions.iter().map(|of| (of.name.as_str(), &of.program)).collect();
    let (triple, cpu) = (command.target.as_deref(), command.cpu.as_deref());
    let order = object::BuildOrder { programs: &programs, triple, cpu, script: &versions[0] };
    let made = match command.emit {
        Some(EmitCode::Clif) => order.listing(Listing::Clif).map(BuildResult::Listing),
        Some(EmitCode::Asm) => order.listing(Listing::Asm).map(BuildResult::Listing),
        Some(EmitCode::Obj | EmitCode::Archive | EmitCode::Shared | EmitCode::Header | EmitCode::Ir) | None => order
            .build()
            .map(|object::BuiltObject { object, header }| BuildResult::Files(BuiltFiles { object, header })),
    };
    made.map_err(|object::NotBuilt { reason, span }| NoObject { message: reason.to_string(), span })
}

/// Without the feature `object` there is none.
#[cfg(not(all(feature = "object", target_arch = "x86_64")))]
fn compiled(_: &[Version], _: &Build) -> Result<BuildResult, NoObject> {
    Err(NoObject { message: "this arr was installed without the cargo feature `object`".to_owned(), span: None })
}

/// Why a script cannot be built, at its line.
fn refusal(refused: &NoObject, sources: &Sources) -> Outcome {
    let told = match refused.span {
        Some(span) => Diagnostic::error(&NO_OBJECT, span, refused.message.clone()),
        None => Diagnostic::unlocated(&NO_OBJECT, refused.message.clone()),
    };
    output::diagnostics([&told], sources);
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

/// Files that are written: the code and the header, or the text of a listing. A text without a file is printed.
struct Targets {
    code: Option<(OutputKind, Target)>,
    header: Option<Target>,
    listing: Option<Target>,
}

/// Where the text of a listing goes.
fn listing(form: EmitCode, command: &Build) -> Result<Targets, Outcome> {
    if command.header.is_some() {
        let told = format!("`--emit {}` makes no header: it cannot be used with `--header`", form.name());
        return Err(output::usage(&told));
    }
    let file = command.output.as_deref().filter(|path| path.as_os_str() != "-");
    if let Some(path) = file.filter(|path| OutputKind::of_name(path).is_some()) {
        return Err(contradiction(form, path));
    }
    let listing = file.map(prepare_text).transpose().map_err(|error| output::report_refusal(&error))?;
    Ok(Targets { code: None, header: None, listing })
}

/// The error for an option and a name that say different things of the output.
fn contradiction(form: EmitCode, output: &Path) -> Outcome {
    let (form, name) = (form.name(), crate::io::error::printable_path(output));
    output::usage(&format!("`--emit {form}` and the name `{name}` say different things of the output"))
}

fn targets(command: &Build) -> Result<Targets, Outcome> {
    let target = |path: &Path| match path.as_os_str() == "-" {
        true => Err(output::usage("`-` is no file, and `arr build` writes files: give a name")),
        false => prepare_text(path).map_err(|error: IoError| output::report_refusal(&error)),
    };
    if let Some(form) = command.emit.filter(|form| form.kind().is_none()) {
        return listing(form, command);
    }
    let listing = None;
    let header = command.header.as_deref().map(target).transpose()?;
    let Some(output) = &command.output else {
        return match command.emit {
            Some(form) => Err(output::usage(&format!("`--emit {}` says what `-o` is: give `-o FILE`", form.name()))),
            None => Ok(Targets { code: None, header, listing }),
        };
    };
    let kind = kind(output, command.emit)?;
    let code = target(output)?;
    match (kind, &header) {
        (OutputKind::Header, None) => Ok(Targets { code: None, header: Some(code), listing }),
        (OutputKind::Header, Some(_)) => Err(output::usage("`-o` is a header already, so `--header` is one too many")),
        (OutputKind::Object | OutputKind::Archive | OutputKind::Shared, _) => {
            Ok(Targets { code: Some((kind, code)), header, listing })
        }
    }
}

/// What the output is: what `--emit` says, or its name.
fn kind(output: &Path, emit: Option<EmitCode>) -> Result<OutputKind, Outcome> {
    let name = crate::io::error::printable_path(output);
    let stated = emit.and_then(|form| Some((form, form.kind()?)));
    match (stated, OutputKind::of_name(output)) {
        (Some((form, stated)), Some(named)) if stated != named => Err(contradiction(form, output)),
        (Some((_, kind)), _) | (None, Some(kind)) => Ok(kind),
        (None, None) => Err(output::usage(&format!(
            "the name of the output says what it is, .o, .a or .so, or .h for the header: `{name}`; else `--emit` says it"
        ))),
    }
}

fn write(targets: &Targets, command: &Build, built: &BuiltFiles) -> Result<(), Outcome> {
    let told = |error: IoError| output::report_refusal(&error);
    if let Some((kind, target)) = &targets.code {
        let code = match kind {
            OutputKind::Archive | OutputKind::Shared => linked(*kind, command, &built.object)?,
            OutputKind::Object | OutputKind::Header => built.object.clone(),
        };
        target.commit(|to| to.write_all(&code)).map_err(told)?;
    }
    if let Some(header) = &targets.header {
        header.commit(|to| to.write_all(built.header.as_bytes())).map_err(told)?;
    }
    Ok(())
}

/// The words of a command of C's tools: what a variable says, or the usual one, for the machine that the code is for.
fn tool(command: &Build, variable: &str, usual: &str, of_others: &str) -> Vec<String> {
    let given = std::env::var(variable).unwrap_or_default();
    let words: Vec<String> = given.split_whitespace().map(str::to_owned).collect();
    if !words.is_empty() {
        return words;
    }
    let triple = command.target.as_deref().unwrap_or(std::env::consts::ARCH);
    match triple.starts_with(std::env::consts::ARCH) {
        true => vec![usual.to_owned()],
        // Debian's names.
        false => {
            vec![format!("{}-{of_others}", triple.replace("-unknown-", "-").replacen("riscv64gc-", "riscv64-", 1))]
        }
    }
}

/// What the tools of C make of an object.
fn linked(kind: OutputKind, command: &Build, object: &[u8]) -> Result<Vec<u8>, Outcome> {
    let failed = |error: &dyn std::fmt::Display| {
        let told = Diagnostic::unlocated(&NOT_LINKED, error.to_string());
        output::diagnostics([&told.help("a name that ends in .o needs no other program")], &Sources::new());
        Outcome::Unreachable
    };
    let folder = ScratchFolder::new(&["code.o", "made"]);
    let folder = folder.map_err(|error| failed(&format!("there is no folder for parts: {error}")))?;
    let (from, to) = (folder.path().join("code.o"), folder.path().join("made"));
    std::fs::write(&from, object).map_err(|error| failed(&format!("parts cannot be written: {error}")))?;
    let (words, more) = match kind {
        OutputKind::Shared => (tool(command, "CC", "cc", "gcc"), ["-shared", "-o"].as_slice()),
        OutputKind::Object | OutputKind::Archive | OutputKind::Header => {
            (tool(command, "AR", "ar", "ar"), ["rcs"].as_slice())
        }
    };
    let program = words.join(" ");
    let ran = Command::new(&words[0]).args(&words[1..]).args(more).arg(&to).arg(&from).output();
    let ran = ran.map_err(|error| failed(&format!("`{program}` makes this file, and cannot be run: {error}")))?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let told = format!("`{program}` fails with {}: {}", ran.status, said.trim());
        return Err(failed(&told.trim_end_matches([':', ' '])));
    }
    std::fs::read(&to).map_err(|_| failed(&format!("`{program}` says that all is well, and has made no file")))
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

/// The name of the function: what `--name` says, or that of the file.
fn function_name(command: &Build) -> Result<String, Outcome> {
    let stem = command.file.file_stem().unwrap_or_default().to_string_lossy();
    let (name, plain) = match &command.name {
        Some(name) => (name.as_str(), name.clone()),
        None => (&*stem, stem.replace(['-', '.', ' '], "_")),
    };
    let begins = plain.trim_start_matches('_').starts_with(|c: char| c.is_ascii_alphabetic());
    match begins && plain.chars().all(|c| c.is_ascii_alphanumeric() || c == '_') {
        true => Ok(plain),
        false => Err(output::usage(&format!("`{name}` is no name of a function in C: give one with `--name`"))),
    }
}
