//! The shell: a session with what a person at it needs.

use super::super::args::{ExecutionArgs, Repl};
use super::super::context::Context;
use super::super::formats::ValueFormat;
use super::super::painted::StyledText;
use super::super::{interrupt, memory, output};
use super::describe::describe;
use super::past::{InputManner, Past, Pasts, forget_old_results, is_result};
use super::screen::Screen;
use super::{answer, gather, progress};
use crate::array::show::Show;
use crate::check::env::{Env, SessionValue};
use crate::diagnostic::codes::running;
use crate::diagnostic::{Diagnostic, Diagnostics, Level, Outcome};
use crate::exec;
use crate::session::{Input, Reply, Session, ShownValue};
use crate::source::{Sources, Span};
use std::io::IsTerminal;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A name with its value, and where it was defined.
pub(super) struct DefinedName<'s> {
    pub(super) name: &'s str,
    value: &'s SessionValue,
    span: Span,
}

/// A session, the inputs that made it, and where answers go.
pub(super) struct Shell {
    /// Names, settings, sources.
    pub(super) session: Session,
    start: ShellStart,
    /// How inputs are run and answered.
    pub(super) manner: InputManner,
    pub(super) history: InputHistory,
    pub(super) latest: LatestInput,
    /// Whether a person types the inputs.
    pub(super) at_terminal: bool,
    /// Where answers go.
    pub(super) screen: Screen,
}

/// What a session begins with.
struct ShellStart {
    /// What `:reset` goes back to.
    context: Context,
    /// What runs the user's `init.arr`, if it is wanted.
    init: Option<fn(&mut Shell)>,
}

/// The inputs that worked.
pub(super) struct InputHistory {
    /// How many there were. The next one is called `<repl:N>`, where `N` is one more.
    pub(super) count: usize,
    /// Their texts, in order.
    pub(super) inputs: Vec<String>,
    /// What there was before each of the last inputs and commands that changed something.
    past: Pasts,
}

impl InputHistory {
    /// Nothing was said yet; what can be brought back will take at most `most` bytes.
    fn within(most: usize) -> InputHistory {
        InputHistory { count: 0, inputs: Vec::new(), past: Pasts::within(most) }
    }
}

/// The last input, whether it worked or not.
#[derive(Default)]
pub(super) struct LatestInput {
    /// What was found in it.
    pub(super) found: Diagnostics,
    /// The last piece of a script.
    pub(super) piece: Option<ScriptPiece>,
    /// The sources that it brought, if it failed: they are forgotten when the next one comes.
    failed: Option<std::ops::Range<usize>>,
    /// Whether it was stopped by Ctrl-C.
    pub(super) stopped: bool,
}

/// Adds the command that reads the file, where a text may not read it.
fn with_load(found: Diagnostic, sources: &Sources) -> Diagnostic {
    let written = found.span().map_or("", |span| sources.text(span));
    let is_data = written.starts_with(['"', '\'']) && !written.contains(".toml");
    if found.code.id != running::FILE_NOT_ALLOWED.id || !is_data {
        return found;
    }
    let help = format!("here `:load {written}` reads it");
    found.help(help)
}

/// A piece of a script, and what there was before it.
pub(super) struct ScriptPiece {
    pub(super) name: String,
    pub(super) text: String,
    pub(super) before: Past,
}

impl Shell {
    /// A shell in which nothing was said yet. If the options are wrong, that is told, and the error is how the command
    /// ends.
    pub(super) fn new(command: Repl, init: Option<fn(&mut Shell)>) -> Result<Shell, Outcome> {
        let context = command.rules.context(None, Some(&command.running))?;
        let mut shell = Shell {
            session: session(&context),
            start: ShellStart { context, init },
            history: InputHistory::within(kept_bytes(&command.running)),
            manner: InputManner { running: command.running, ..InputManner::default() },
            latest: LatestInput::default(),
            at_terminal: std::io::stdin().is_terminal(),
            screen: Screen::new(),
        };
        shell.begin();
        Ok(shell)
    }

    /// Does what every session begins with; nothing of it counts as said.
    fn begin(&mut self) {
        if let Some(init) = self.start.init {
            init(self);
            self.latest.found = Diagnostics::new();
            self.history.count = 0;
            self.history.inputs.clear();
            self.history.past.clear();
        }
    }

    /// A piece of a script: its values are answered, and its names stay when nothing failed.
    pub(super) fn script(&mut self, text: &str) {
        if gather::is_empty(text) {
            return;
        }
        let name = self.name();
        let before = self.present();
        let result = Some(self.history.count + 1);
        let reply = self.evaluate(&Input { options: self.options(), result, defines: true, ..Input::new(&name, text) });
        self.latest.piece = Some(ScriptPiece { name, text: text.trim_end().to_owned(), before: before.clone() });
        if reply.outcome.is_done() {
            let silent = answer::silent_lines(text);
            self.tell_defined(&before.env, &silent);
            self.done(before, text);
        }
        self.answer(&reply.values, text);
    }

    /// The names that were defined since, in the order of their definitions.
    pub(super) fn defined_since(&self, before: &Env) -> Vec<DefinedName<'_>> {
        let env = &self.session.env;
        let place = |env: &Env, name: &str| env.get(name).map(|(_, span)| *span);
        let names = env.names().into_iter().filter(|name| !is_result(name) && place(env, name) != place(before, name));
        let defined = |name| env.get(name).map(|(value, span)| DefinedName { name, value, span: *span });
        let mut found: Vec<DefinedName> = names.filter_map(defined).collect();
        found.sort_by_key(|defined| defined.span);
        found
    }

    /// Shows at a terminal, in one faint line, the types of the names that an input defined. A line that ends in `;`
    /// shows none.
    fn tell_defined(&self, before: &Env, silent: &[usize]) {
        if !self.screen.terminal || self.manner.running.format == Some(ValueFormat::Json) {
            return;
        }
        let line = |span: Span| self.session.sources.line_column(span.source, span.start).0;
        let shown = self.defined_since(before).into_iter().filter(|defined| !silent.contains(&line(defined.span)));
        let types = shown.filter_map(|DefinedName { name, value, .. }| match value {
            SessionValue::Function(_) => None,
            value @ (SessionValue::Array(..)
            | SessionValue::Const(_)
            | SessionValue::Tuple(_)
            | SessionValue::Other(_)) => Some(format!("{name} : {}", describe(&self.session.sources, value))),
        });
        let types: Vec<String> = types.collect();
        if !types.is_empty() {
            self.screen.whisper(&types.join(", "));
        }
    }

    /// What diagnostics call the next input.
    pub(super) fn name(&self) -> String {
        format!("<repl:{}>", self.history.count + 1)
    }

    /// Counts an input that worked, and makes what there was before it something that [`Shell::undo`] goes back to.
    pub(super) fn done(&mut self, before: Past, text: &str) {
        forget_old_results(&mut self.session.env, kept_bytes(&self.manner.running));
        self.history.past.push(before, &self.session.env);
        self.history.count += 1;
        self.history.inputs.push(text.trim_end().to_owned());
    }

    /// Shows values, but for those that end in a line that ends in `;`.
    pub(super) fn answer(&mut self, values: &[ShownValue], text: &str) {
        let silent = answer::silent_lines(text);
        let shown = values.iter().filter(|value| answer::is_shown(value, &silent));
        if self.manner.running.format == Some(ValueFormat::Json) {
            return match output::values(shown, ValueFormat::Json, &self.manner.show) {
                Ok(fate) => self.screen.wrote(fate),
                Err(error) => self.screen.diagnostics([&error.diagnostic()], &Sources::new()),
            };
        }
        let mut answered = StyledText::default();
        for value in shown {
            match self.screen.terminal {
                true => answered.append(&answer::text(value, &self.manner.show, &self.screen)),
                false => {
                    let mut text = String::new();
                    output::value_text(value, &self.manner.show, &mut text);
                    answered.push(&text);
                }
            }
            if self.manner.summary && !value.array.shape().is_empty() {
                answered.push(&super::stats::line(self.options(), value));
            }
        }
        self.screen.show(answered);
    }

    /// Evaluates something and reports what is wrong with it; the values are left to the caller. A mistake of ours
    /// does not cost the session.
    pub(super) fn evaluate(&mut self, input: &Input) -> Reply {
        let reply = self.attempt(input);
        self.report(reply)
    }

    /// As [`Shell::evaluate`], but nothing is reported yet.
    pub(super) fn attempt(&mut self, input: &Input) -> Reply {
        if let Some(failed) = self.latest.failed.take().filter(|failed| failed.end == self.session.sources.len()) {
            self.session.sources.truncate(failed.start);
        }
        let known = self.session.sources.len();
        let session = &mut self.session;
        session.reading.stop = input.options.interrupt.map(|_| interrupt::stop_flag());
        let caught =
            catch_unwind(AssertUnwindSafe(|| progress::with_progress(self.screen.live, || session.evaluate(input))));
        self.session.reading.stop = None;
        let reply = caught.unwrap_or_else(|_| Reply { outcome: Outcome::Broken, ..Reply::default() });
        self.screen.note_outcome(reply.outcome);
        if !reply.outcome.is_done() {
            self.latest.failed = Some(known..self.session.sources.len());
        }
        reply
    }

    /// Reports what is wrong with an input.
    pub(super) fn report(&mut self, mut reply: Reply) -> Reply {
        self.screen.reads(&reply.values);
        self.latest.stopped |= reply.outcome == Outcome::Interrupted;
        output::notes(&reply.notes);
        let sources = &self.session.sources;
        self.latest.found = std::mem::take(&mut reply.diagnostics).revise(|found| with_load(found, sources));
        self.report_findings();
        reply
    }

    /// Errors in full; other findings as one line, or in full when every one is to be.
    fn report_findings(&self) {
        let verbose = self.manner.running.verbose;
        let shown: Vec<_> = self.latest.found.iter().filter(|found| verbose || found.is_error()).collect();
        if !shown.is_empty() {
            return self.screen.diagnostics(shown, &self.session.sources);
        }
        let warnings = self.latest.found.iter().filter(|found| found.level == Level::Warn);
        let mut names: Vec<&str> = warnings.map(|found| found.code.name).collect();
        let (count, told) = match names.len() {
            0 => return,
            1 => ("1 warning".to_owned(), "it"),
            many => (format!("{many} warnings"), "them"),
        };
        names.sort_unstable();
        names.dedup();
        self.screen.report(&format!("{count}: {}; :why shows {told}", names.join(", ")));
    }

    /// How programs are run.
    pub(super) fn options(&self) -> exec::Options<'static> {
        exec::Options {
            on_progress: Some(output::note),
            verify: self.manner.running.verify,
            max_memory: self.manner.running.max_mem.or_else(memory::ceiling),
            threads: self.manner.running.threads(),
            interrupt: Some(interrupt::stop_flag()),
            ..exec::Options::default()
        }
    }

    /// What there is now, for [`Shell::done`].
    pub(super) fn present(&self) -> Past {
        Past::new(self.session.env.clone(), self.session.settings.clone(), self.manner.clone(), self.history.count)
    }

    /// Goes back to before the last change; false when there is none.
    pub(super) fn undo(&mut self) -> bool {
        let Some(past) = self.history.past.pop() else { return false };
        (self.session.env, self.session.settings, self.history.count) = (past.env, past.settings, past.count);
        self.manner = past.manner;
        self.session.reading.max_bytes = self.manner.running.max_mem.or_else(memory::ceiling);
        self.history.inputs.truncate(self.history.count);
        true
    }

    /// Forgets every name and setting. The texts stay: diagnostics may point into them, and [`Shell::undo`] goes back.
    pub(super) fn reset(&mut self) {
        let before = self.present();
        self.session.env = Env::default();
        self.session.settings = self.start.context.settings.clone();
        (self.manner.summary, self.manner.show) = (false, Show::default());
        (self.latest.piece, self.latest.found) = (None, Diagnostics::new());
        let unsaid = InputHistory { count: self.history.count, ..InputHistory::within(0) };
        let history = std::mem::replace(&mut self.history, unsaid);
        self.begin();
        self.history = history;
        self.done(before, ":reset");
    }
}

fn session(begin: &Context) -> Session {
    let Context { settings, reading } = begin.clone();
    Session { settings, reading, ..Session::default() }
}

/// How many bytes results may take that have only a number for a name, and as many what can be brought back.
fn kept_bytes(running: &ExecutionArgs) -> usize {
    const MAX_KEPT_BYTES: usize = 1 << 30;
    running.max_mem.or_else(memory::ceiling).map_or(MAX_KEPT_BYTES, |ceiling| MAX_KEPT_BYTES.min(ceiling / 8))
}
