//! Evaluation from the command line: `arr run`, `arr eval`.

use super::args::{Eval, ExecutionArgs, RunArgs};
use super::bindings::arguments;
use super::context::Context;
use super::formats::ValueFormat;
use super::library::LibraryFile;
use super::progress::ProgressLine;
use super::scripts::{display_name, read_script};
use super::{emit, memory, output};
use crate::check::Settings;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::exec;
use crate::io;
use crate::io::IoError;
use crate::io::argument::OutputArgument;
use crate::io::encode::{NamedArray, NumberStyle};
use crate::io::write::{StagedFile, Target};
use crate::session::{Destinations, Input, Progress, Reply, Session, ShownValue, Times};
use crate::source::Sources;
use crate::source::stop::Stop;
use crate::syntax;
use crate::syntax::ast::StmtKind;
use std::ffi::OsString;
use std::path::Path;

/// `arr run FILE`
pub(super) fn script(command: RunArgs) -> Outcome {
    let context = match command.rules.context(command.file.parent(), Some(&command.running)) {
        Ok(context) => context,
        Err(outcome) => return outcome,
    };
    let name = display_name(&command.file);
    let library = match LibraryFile::find_library(&command.file) {
        Ok(library) => library,
        Err(code) => return code,
    };
    if let Some(option) = command.rules.set.first().filter(|_| library.is_some()) {
        return output::usage(&format!("`--{option}` is fixed when a library is built: give it to `arr build`"));
    }
    let text = match &library {
        Some(library) => Ok(library.script()),
        None => read_script(&command.file, &name),
    };
    let text = match text {
        Ok(text) => text,
        Err(outcome) => return outcome,
    };
    let folder = command.file.parent();
    let (inputs, outputs) = (&command.inputs, &command.output);
    let kept = std::iter::once(command.file.as_path()).chain(command.rules.files()).collect();
    let library = library.as_ref();
    let job = RunJob { name: &name, text: &text, folder, free_names: false, inputs, outputs, kept, library };
    job.run(context, &command.running)
}

/// `arr eval EXPR`
pub(super) fn expression(command: Eval) -> Outcome {
    if command.expression.trim().is_empty() {
        return output::usage("there is no expression: give one, as in `arr eval '2**10'`");
    }
    let context = match command.rules.context(None, Some(&command.running)) {
        Ok(context) => context,
        Err(outcome) => return outcome,
    };
    if let Some(stage) = command.emit {
        return emit::stage(stage, &command, context);
    }
    let text = &command.expression;
    let (inputs, outputs) = (&command.inputs, &command.output);
    let kept = command.rules.files().collect();
    let job = RunJob { name: "<eval>", text, folder: None, free_names: true, inputs, outputs, kept, library: None };
    job.run(context, &command.running)
}

/// How the command line wants programs to run.
pub(super) fn options(running: &ExecutionArgs) -> exec::Options<'static> {
    exec::Options {
        on_progress: Some(output::note),
        verify: running.verify,
        max_memory: running.max_mem.or_else(memory::ceiling),
        threads: running.threads(),
        ..exec::Options::default()
    }
}

/// A text with everything that the command line says about running it.
struct RunJob<'a> {
    name: &'a str,
    text: &'a str,
    /// The script's folder.
    folder: Option<&'a Path>,
    free_names: bool,
    inputs: &'a [OsString],
    outputs: &'a [OsString],
    /// Files that no output may replace.
    kept: Vec<&'a Path>,
    /// What computes the results of the text's inputs, where that is no script.
    library: Option<&'a LibraryFile>,
}

impl RunJob<'_> {
    fn run(&self, context: Context, running: &ExecutionArgs) -> Outcome {
        let Context { settings, mut reading } = context;
        reading.windows = Some(memory::windows(running.max_mem));
        let arguments = match arguments(self.inputs) {
            Ok(arguments) => arguments,
            Err(outcome) => return outcome,
        };
        if let Some(told) = self.library.and_then(|library| library.unknown_input(&arguments)) {
            output::diagnostics([&told], &Sources::new());
            return Outcome::Refused;
        }
        let mut outputs = Vec::with_capacity(self.outputs.len());
        for text in self.outputs {
            match OutputArgument::parse(text) {
                Ok(output) => outputs.push(output),
                Err(error) => return output::usage(&error.message),
            }
        }
        if running.format == Some(ValueFormat::Text) && outputs.iter().any(|output| output.path.as_os_str() == "-") {
            return output::usage(
                "`-o -` writes npy, csv or json; values are printed as text where no `-o` names them",
            );
        }
        let destinations = match Destinations::prepare(&outputs, running.standard()) {
            Ok(destinations) => destinations,
            Err(error) => {
                output::diagnostics([&error.diagnostic()], &Sources::new());
                return error.outcome();
            }
        };
        if let Some(message) = destinations.clash(&self.kept) {
            return output::usage(&message);
        }
        let mut session = Session { settings, reading, ..Session::default() };
        let options = options(running);
        let progress = ProgressLine::default();
        let show = |done, total| progress.show(done, total);
        let input = Input {
            arguments: &arguments,
            destinations: Some(&destinations).filter(|_| self.library.is_none()),
            progress: Some(Progress(&show)),
            free_names: self.free_names,
            whole: !self.free_names && self.library.is_none(),
            folder: self.folder,
            options,
            ..Input::new(self.name, self.text)
        };
        let mut reply = session.peek(&input);
        progress.clear();
        output::notes(&reply.notes);
        output::findings(&reply.diagnostics, &session.sources, running.verbose);
        if let Some(why) = &reply.misused {
            return output::usage(why);
        }
        if !reply.outcome.is_done() {
            return reply.outcome;
        }
        if let Some(library) = self.library {
            match library.results(&reply.values) {
                Ok(values) => reply.values = values,
                Err(code) => return code,
            }
        }
        let spent = reply.times;
        let silent = reply.values.is_empty() && self.library.is_none();
        let code = deliver(reply, &destinations, running, &session.settings);
        if silent && code.is_done() && computes_nothing(self.text, self.free_names) {
            output::note("there is nothing to compute: the script has no `output` and no bare expression");
        }
        if running.verbose {
            times(&spent);
        }
        code
    }
}

/// Whether none of a script's statements shows or asserts anything. One without statements may be meant so, unless it
/// was typed as an expression.
fn computes_nothing(text: &str, typed: bool) -> bool {
    let mut sources = Sources::new();
    let source = sources.add("", text.to_owned());
    let script = syntax::parse(&sources, source, &mut Diagnostics::new());
    let says = |kind: &StmtKind| matches!(kind, StmtKind::Output { .. } | StmtKind::Expr { .. } | StmtKind::Assert(_));
    (typed || !script.stmts.is_empty()) && !script.stmts.iter().any(|stmt| says(&stmt.kind))
}

/// Writes the outputs that have a file, prints the others.
fn deliver(mut reply: Reply, destinations: &Destinations, running: &ExecutionArgs, settings: &Settings) -> Outcome {
    let through = std::mem::take(&mut reply.written);
    let assigned = match destinations.assign(&reply.values) {
        Ok(assigned) => assigned,
        Err(message) => return output::usage(&message),
    };
    let is = |at: usize, value: &ShownValue| std::ptr::eq(&raw const reply.values[at], value);
    let written =
        |value: &ShownValue| assigned.iter().any(|(_, values)| values.iter().any(|it| std::ptr::eq(*it, value)));
    let mut left: Vec<&ShownValue> = reply.values.iter().filter(|value| !written(value)).collect();
    let said: Vec<_> = reply.values.iter().map(|value| (value.name.as_deref(), value.text.as_str())).collect();
    if let Some(why) = destinations.why_not_mixed(&said) {
        return output::usage(&why);
    }
    let standard = Target::standard_output(running.standard());
    let mut files = assigned.clone();
    files.retain(|(_, values)| !values.iter().any(|value| through.iter().any(|(at, _)| is(*at, value))));
    let format = running.format.unwrap_or_default();
    if matches!(format, ValueFormat::Csv | ValueFormat::Npy) && !left.is_empty() {
        files.push((&standard, std::mem::take(&mut left)));
    }
    let through = through.into_iter().map(|(_, file)| file).collect();
    let staged = match staged(&files, through, running) {
        Ok(staged) => staged,
        Err(error) => return output::report_refusal(&error),
    };
    // Values that are parts of inputs were read only now.
    let late = changed(&reply, settings);
    if late.has_errors() {
        output::findings(&late, &Sources::new(), running.verbose);
        return Outcome::Refused;
    }
    if let Err(error) = staged.into_iter().try_for_each(StagedFile::replace) {
        return output::report_refusal(&error);
    }
    for (target, values) in &assigned {
        let names = values.iter().map(|value| (value.name.as_ref().unwrap_or(&value.text), &value.array));
        names.filter_map(|(name, array)| target.unsaid(name, array)).for_each(|text| output::note(&text));
    }
    let code = match output::values(left, format, &running.show()) {
        Ok(fate) => fate.outcome(),
        Err(error) => output::report_refusal(&error),
    };
    let late = changed(&reply, settings);
    output::findings(&late, &Sources::new(), running.verbose);
    code.max(Outcome::refused_if(late.has_errors()))
}

/// Findings about files that changed since the program ran, if results are parts of them.
fn changed(reply: &Reply, settings: &Settings) -> Diagnostics {
    let mut late = Diagnostics::new();
    for warning in io::mapped::changed_file_warnings(reply.values.iter().map(|value| &value.array)) {
        if !reply.diagnostics.iter().chain(&late).any(|known| known.message == warning.message) {
            late.push(warning.diagnostic().weighing(settings.level(warning.code)));
        }
    }
    late
}

/// Writes the files that were not written while their values were computed, each under a temporary name. No file is
/// replaced unless all are written.
fn staged(
    files: &[(&Target, Vec<&ShownValue>)],
    mut staged: Vec<StagedFile>,
    running: &ExecutionArgs,
) -> Result<Vec<StagedFile>, IoError> {
    let style = NumberStyle { digits: running.precision.map(usize::from) };
    for (target, values) in files {
        // A table without names has the texts of its values; elsewhere, and where one text is that of several, they are
        // numbered, as NumPy does.
        let is_alone = |text: &str| values.iter().filter(|it| it.name.is_none() && it.text == text).count() == 1;
        let named = |(at, value): (usize, &&ShownValue)| match &value.name {
            Some(name) => name.clone(),
            None if target.format().is_table() && is_alone(&value.text) => value.text.clone(),
            None => format!("arr_{at}"),
        };
        let names: Vec<String> = values.iter().enumerate().map(named).collect();
        let arrays = names.iter().zip(values).map(|(name, value)| NamedArray { name, array: &value.array });
        staged.push(io::stage(target, &arrays.collect::<Vec<_>>(), style, Stop::default())?);
    }
    Ok(staged)
}

fn times(times: &Times) {
    let ms = |duration: std::time::Duration| duration.as_secs_f64() * 1e3;
    output::report(&format!(
        "parse {:.3} ms, load {:.3} ms, check {:.3} ms, compile {:.3} ms, run {:.3} ms; instructions: {}",
        ms(times.parse),
        ms(times.load),
        ms(times.check),
        ms(times.compile),
        ms(times.run),
        exec::machine::level()
    ));
}
