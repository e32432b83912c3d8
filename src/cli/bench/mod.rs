//! `arr bench`: how fast a script runs. The machine's own speed stands beside it.
//!
//! `measure` runs the checked program again and again, `copy` measures what the machine can do, `report` writes both.

mod copy;
mod measure;
mod report;

use super::args::Bench;
use super::context::Context;
use super::formats::ValueFormat;
use super::{bindings, output, run, scripts};
use crate::array::Array;
use crate::diagnostic::{Diagnostic, Outcome};
use crate::exec::{self, Options, RunError};
use crate::ir::{NodeKind, Program};
use crate::session::{self, FilledInput, Input, Session};
use crate::types::{DType, shape};
use measure::Measurement;
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

/// `arr bench FILE`
pub(super) fn script(command: Bench) -> Outcome {
    answer(&command).unwrap_or_else(|outcome| outcome)
}

/// Everything that is reported.
struct BenchReport<'a> {
    script: &'a str,
    /// The inputs that the results depend on.
    inputs: Vec<BenchOperand>,
    outputs: Vec<BenchOperand>,
    /// The elements of the largest input or result.
    elements: usize,
    /// The bytes of the inputs, each read once, and of the results, each written once.
    bytes: usize,
    threads: usize,
    /// Parsing, reading data, checking.
    front: Duration,
    run: Measurement,
    /// Bytes a second of a copy, read and written.
    copy: f64,
}

/// An input or a result.
struct BenchOperand {
    name: String,
    dtype: DType,
    shape: Vec<usize>,
    /// The least and greatest of the random numbers that it is filled with.
    random: Option<(f64, f64)>,
}

fn answer(command: &Bench) -> Result<Outcome, Outcome> {
    let Context { settings, reading } = command.rules.context(command.file.parent(), Some(&command.running))?;
    let name = scripts::display_name(&command.file);
    let text = scripts::read_script(&command.file, &name)?;
    let arguments = bindings::arguments(&command.inputs)?;
    let options = run::options(&command.running);
    let mut session = Session { settings, reading, ..Session::default() };
    let input = Input {
        arguments: &arguments,
        whole: true,
        folder: command.file.parent().filter(|_| command.file != Path::new("-")),
        options,
        ..Input::new(&name, &text)
    };
    let script = prepared(&mut session, &input, command)?;
    let report = measured(&script, &session, &name, &options, command.time)?;
    Ok(output::print(&match command.json || command.running.format == Some(ValueFormat::Json) {
        true => report::json(&report),
        false => report::text(&report),
    }))
}

/// What is measured.
struct PreparedScript {
    program: Program,
    filled: Vec<FilledInput>,
    /// The time for parsing, reading data and checking.
    front: Duration,
}

/// Fills the inputs, and checks the script. What there is to say of it is reported.
fn prepared(session: &mut Session, input: &Input, command: &Bench) -> Result<PreparedScript, Outcome> {
    let filled = session.fill(input, command.seed).map_err(|found| {
        output::diagnostics(&found, &session.sources);
        Outcome::Refused
    })?;
    let arrays: Vec<(String, Array)> = filled.iter().map(|one| (one.name.clone(), one.array.clone())).collect();
    let prepared = session.prepare(&Input { arrays: &arrays, ..input.clone() });
    output::notes(&prepared.notes);
    output::findings(&prepared.diagnostics, &session.sources, command.running.verbose);
    let Some(program) = prepared.checked.program else { return Err(prepared.outcome.max(Outcome::Refused)) };
    if program.outputs.is_empty() && program.checks.is_empty() {
        let name = input.name;
        output::report(&format!("error: `{name}` computes nothing: end it with an output or an expression to measure"));
        return Err(Outcome::Refused);
    }
    Ok(PreparedScript { program, filled, front: prepared.times.parse + prepared.times.load + prepared.times.check })
}

/// Measures the program, and the machine. A run that fails is reported.
fn measured<'a>(
    PreparedScript { program, filled, front }: &PreparedScript,
    session: &Session,
    name: &'a str,
    options: &Options,
    time: Duration,
) -> Result<BenchReport<'a>, Outcome> {
    let told = |(diagnostic, outcome): (Diagnostic, Outcome)| {
        output::diagnostics([&diagnostic], &session.sources);
        outcome
    };
    let failed =
        |error: &RunError| told(session::lost_input(program).unwrap_or_else(|| session::run_error(error, program)));
    let threads = options.threads.map_or_else(exec::available_threads, NonZeroUsize::get);
    let run = measure::runs(program, options, time).map_err(|error| failed(&error))?;
    if let Some(lost) = session::lost_input(program) {
        return Err(told(lost));
    }
    let (inputs, outputs) = (inputs(program, filled), outputs(program));
    let both = || inputs.iter().chain(&outputs);
    let bytes = both().map(|operand| operand.elements() * operand.dtype.size()).sum();
    Ok(BenchReport {
        script: name,
        elements: both().map(BenchOperand::elements).max().unwrap_or(1).max(1),
        bytes,
        threads,
        front: *front,
        run,
        copy: copy::bandwidth(bytes, threads, options).map_err(|error| failed(&error))?,
        inputs,
        outputs,
    })
}

impl BenchOperand {
    fn elements(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The inputs that the results depend on.
fn inputs(program: &Program, filled: &[FilledInput]) -> Vec<BenchOperand> {
    let nodes = program.nodes.iter().zip(program.needed_nodes()).filter(|(_, needed)| *needed);
    let inputs = nodes.filter_map(|(node, _)| {
        let NodeKind::Input(index) = node.kind else { return None };
        let name = program.inputs[index as usize].name.clone();
        let random = filled.iter().find(|one| one.name == name).map(|one| one.bounds);
        Some(BenchOperand { name, dtype: node.dtype, shape: shape::sizes(&node.shape)?, random })
    });
    inputs.collect()
}

fn outputs(program: &Program) -> Vec<BenchOperand> {
    let outputs = program.outputs.iter().filter_map(|output| {
        let node = program.node(output.node);
        let name = output.name.clone().unwrap_or_default();
        Some(BenchOperand { name, dtype: node.dtype, shape: shape::sizes(&node.shape)?, random: None })
    });
    outputs.collect()
}
