//! An input goes through all phases. It is parsed, checked and run, and what it defines is kept if nothing failed.

use super::{Input, Preparation, ReadPolicy, Reply, ShownValue, Times};
use super::{defines, fault, kept_values, streamed_results};
use crate::array::Array;
use crate::check::env::Env;
use crate::check::setting;
use crate::check::{self, CheckedScript, Request, Settings};
use crate::diagnostic::codes::inputs;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::exec;
use crate::io::Roots;
use crate::io::table::ReadUpTo;
use crate::ir::{Program, ProgramOutput};
use crate::promotion::verdict::Mode;
use crate::source::stop::Stop;
use crate::source::{SourceId, Sources};
use crate::syntax;
use crate::syntax::ast::{Script, StmtKind};
use crate::types::Elem;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Names, settings and sources that last from input to input.
#[derive(Clone, Debug, Default)]
pub struct Session {
    /// All texts, for rendering diagnostics.
    pub sources: Sources,
    /// Names that earlier inputs defined.
    pub env: Env,
    /// System, mode, width, levels.
    pub settings: Settings,
    /// How data is read, and which files.
    pub reading: ReadPolicy,
    /// What the texts in files may read, for functions of theirs that later inputs call.
    pub roots: HashMap<SourceId, Roots>,
}

impl Session {
    /// Evaluates one input; its names stay when nothing failed.
    pub fn evaluate(&mut self, input: &Input) -> Reply {
        self.run(input, true)
    }

    /// Evaluates one input of which nothing stays.
    ///
    /// ```
    /// use arrlang::session::{Input, Session};
    /// let mut session = Session::default();
    /// assert_eq!(session.peek(&Input::new("<demo>", "let x = 2; x * 3")).values[0].array.to_vec::<i64>(), [6]);
    /// assert!(session.env.names().is_empty());
    ///
    /// // Its text stays, for the diagnostics of the reply. A process that lives long gives it back.
    /// session.sources.truncate(0);
    /// // And memory that is kept for the next large result.
    /// arrlang::array::bytes::release_idle();
    /// ```
    pub fn peek(&mut self, input: &Input) -> Reply {
        self.run(input, false)
    }

    fn run(&mut self, input: &Input, keep: bool) -> Reply {
        let mut prepared = self.prepare(input);
        let notes = std::mem::take(&mut prepared.notes);
        let mut reply = Reply { outcome: prepared.outcome, notes, times: prepared.times, ..Reply::default() };
        let Some(mut program) = prepared.checked.program.take() else {
            reply.diagnostics = prepared.diagnostics;
            return reply;
        };
        if let Some(why) = refused(&prepared, &program, &self.sources, &input.options) {
            return reply.fail(prepared.diagnostics, Some(why));
        }
        let given = program.outputs.len();
        if keep {
            kept_values::outputs(&mut program, &prepared.checked);
        }
        exec::take_compile_time();
        let started = Instant::now();
        let noted = RefCell::default();
        let options = exec::Options { notes: input.options.notes.or(Some(&noted)), ..input.options };
        let (outcome, written) = match streamed_results::run(&program, &options, input, self.reading.windows) {
            Ok((arrays, written)) => (Ok(arrays), written),
            Err(streamed_results::NoResults::Run(error)) => (Err(error), Vec::new()),
            Err(streamed_results::NoResults::Misused(why)) => return reply.misuse(prepared.diagnostics, why),
            Err(streamed_results::NoResults::Io(error)) => {
                return reply.fail(prepared.diagnostics, Some((error.diagnostic(), error.outcome())));
            }
        };
        reply.times.compile = exec::take_compile_time();
        reply.times.run = started.elapsed().saturating_sub(reply.times.compile);
        reply.notes.append(&mut noted.borrow_mut());
        let failed = outcome.as_ref().err().map(|error| fault::run_error(error, &program));
        // What a run says about data that vanished meanwhile means nothing, whatever it says.
        let read = || fault::inputs(&program);
        let failed = fault::lost_file_error(read()).or(failed);
        let Some(mut arrays) = outcome.ok().filter(|_| failed.is_none()) else {
            return reply.fail(prepared.diagnostics, failed);
        };
        for (array, output) in arrays.iter_mut().zip(&program.outputs) {
            if let Some(logical) = program.logical(output.node) {
                *array = array.clone().with_logical(logical.clone());
            }
        }
        let mut names = arrays.split_off(given).into_iter();
        let shown = program.outputs[..given].iter().zip(&prepared.checked.outputs).zip(arrays);
        reply.values = shown.map(|((output, &elem), array)| self.shown(output, elem, array)).collect();
        reply.written = written;
        let mut defined = Vec::new();
        if keep {
            let mut keep = kept_values::ValueKeeper::new(&program, &prepared.checked.equal);
            let names = prepared.checked.names.into_iter().map(|it| (keep.value(&it.value, &mut names), it));
            defined.extend(names);
        }
        // Asked last: keeping reads too.
        let lost = fault::lost_file_error(read());
        if lost.is_none() {
            prepared.diagnostics.append(fault::changed_file_warnings(&prepared.watches, read(), &self.settings));
        }
        if lost.is_some() || prepared.diagnostics.has_errors() {
            return reply.fail(prepared.diagnostics, lost);
        }
        reply.diagnostics = prepared.diagnostics;
        if !keep {
            return reply;
        }
        for (stored, check::NameDefinition { name, span, variable, .. }) in defined {
            self.env.set(&name, stored, span);
            self.env.set_variable(&name, variable);
        }
        self.env.keep_f64_origins(prepared.checked.f64_origins);
        if let Some(number) = input.result.filter(|_| !reply.values.is_empty()) {
            self.env.number_result(number);
        }
        self.settings = Settings { fixed: self.settings.fixed, ..prepared.checked.settings };
        reply
    }

    /// Parses and checks an input, and reads the data it names, for a run.
    pub fn prepare(&mut self, input: &Input) -> Preparation {
        self.prepared(input, ReadUpTo::Elements)
    }

    /// Parses and checks an input, and reads of the data it names only what the arguments say of it.
    pub fn check(&mut self, input: &Input) -> Preparation {
        self.prepared(input, ReadUpTo::Header)
    }

    fn prepared(&mut self, input: &Input, kept: ReadUpTo) -> Preparation {
        let needs_data = kept == ReadUpTo::Elements;
        let mut diagnostics = Diagnostics::new();
        let mut times = Times::default();
        let started = Instant::now();
        let source = self.sources.add(input.name, input.text);
        let stop = Stop(input.options.interrupt);
        let mut script = syntax::parse_until(&self.sources, source, &mut diagnostics, stop);
        if let Some(script) = Arc::get_mut(&mut script).filter(|_| input.defines) {
            defines::by_assignment(script, &self.env);
        }
        times.parse = started.elapsed();

        let started = Instant::now();
        let (given, library) = self.gather(input, kept, &script, &mut diagnostics);
        times.load = started.elapsed();

        let started = Instant::now();
        let request = Request {
            script: &script,
            sources: &self.sources,
            settings: self.settings.clone(),
            env: Some(&self.env),
            given: check::GivenNames {
                bound: &given.bound,
                declared: &given.declared,
                offered: &given.bindings.offered,
            },
            files: check::GivenFiles { loaded: &given.opened.loaded, library: &library, systems: &given.systems },
            usage: check::ScriptUse {
                needs_data,
                free_names: input.free_names,
                whole: input.whole,
                results: input.result.is_some(),
                defines: input.defines,
            },
            stop,
        };
        // Names that could not be read would be reported a second time as missing.
        let checked = match given.outcome {
            Outcome::Done => check::check(&request, &mut diagnostics),
            Outcome::Refused | Outcome::Misused | Outcome::Unreachable | Outcome::Broken | Outcome::Interrupted => {
                CheckedScript::nothing(self.settings.clone())
            }
        };
        diagnostics = self.with_files(diagnostics);
        diagnostics.sort();
        times.check = started.elapsed();
        if stop.now() {
            let checked = CheckedScript::nothing(self.settings.clone());
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(fault::interrupted());
            return Preparation {
                script,
                checked,
                diagnostics,
                notes: Vec::new(),
                outcome: Outcome::Interrupted,
                times,
                files: given.named,
                watches: Vec::new(),
            };
        }
        let ours = diagnostics.iter().any(|found| found.code.id == inputs::INTERNAL.id);
        let failed = match diagnostics.has_errors() {
            true if ours => Outcome::Broken,
            true => given.opened.outcome.max(Outcome::Refused),
            false => Outcome::Done,
        };
        let outcome = if given.outcome.is_done() { failed } else { given.outcome };
        let mut notes = given.notes;
        notes.extend(loosened(&script, &self.settings));
        if checked.program.is_some() && (needs_data || input.free_names) {
            notes.extend(checked.unused.iter().map(|name| format!("`{name}` is given, and nothing uses it")));
        }
        Preparation { script, checked, diagnostics, notes, outcome, times, files: given.named, watches: given.watches }
    }

    fn shown(&self, output: &ProgramOutput, elem: Elem, array: Array) -> ShownValue {
        let (line, _) = self.sources.line_column(output.span.source, output.span.start);
        ShownValue { name: output.name.clone(), line, text: self.sources.text(output.span).to_owned(), elem, array }
    }
}

/// Why a program does not begin to run.
fn refused(
    prepared: &Preparation,
    program: &Program,
    sources: &Sources,
    options: &exec::Options,
) -> Option<(Diagnostic, Outcome)> {
    // What was lost in an earlier input is zeros that no longer fault.
    if let Some((lost, outcome)) = fault::lost_file_error(fault::inputs(program)) {
        let lost = lost.help("names that stand for it stand for the old file until it is loaded again");
        return Some((lost, outcome));
    }
    if !options.verify {
        return None;
    }
    let typed = || prepared.checked.record.verify(&prepared.script, Some(program));
    prepared
        .script
        .verify(sources)
        .and_then(|()| typed())
        .err()
        .map(|reason| fault::run_error(&exec::RunError::Internal(reason), program))
}

/// A sentence when the command line allows more than the script's own `promotion` line.
fn loosened(script: &Script, settings: &Settings) -> Option<String> {
    let own = script.stmts.iter().find_map(|stmt| {
        let StmtKind::Promotion(words) = &stmt.kind else { return None };
        words.iter().find_map(|setting| Mode::find(&setting.word.text))
    })?;
    let given = settings.mode;
    (settings.fixed.has(&setting::MODE) && given < own)
        .then(|| format!("`--mode {}` is looser than the script's own mode, `{}`", given.name(), own.name()))
}
