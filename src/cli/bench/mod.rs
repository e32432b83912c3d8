//! `arr bench`: how fast a script runs, and how near to the machine's own speed that is.
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
use crate::diagnostic::Outcome;
use crate::exec::{self, RunError};
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
    /// As many as the largest input or result has.
    elements: usize,
    /// Of the inputs, read once, and of the results, written once.
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
    let name = scripts::shown(&command.file);
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
    let filled = session.fill(&input, command.seed).map_err(|found| {
        output::diagnostics(&found, &session.sources);
        Outcome::Refused
    })?;
    let arrays: Vec<(String, Array)> = filled.iter().map(|one| (one.name.clone(), one.array.clone())).collect();
    let prepared = session.prepare(&Input { arrays: &arrays, ..input });
    output::notes(&prepared.notes);
    output::findings(&prepared.diagnostics, &session.sources, command.running.verbose);
    let Some(program) = &prepared.checked.program else { return Err(prepared.outcome.max(Outcome::Refused)) };
    if program.outputs.is_empty() && program.checks.is_empty() {
        output::report(&format!("error: `{name}` computes nothing: end it with an output or an expression to measure"));
        return Err(Outcome::Refused);
    }
    let failed = |error: &RunError| {
        let (diagnostic, outcome) = session::lost_input(program).unwrap_or_else(|| session::run_error(error, program));
        output::diagnostics([&diagnostic], &session.sources);
        outcome
    };
    let threads = options.threads.map_or_else(exec::available_threads, NonZeroUsize::get);
    let run = measure::runs(program, &options, command.time).map_err(|error| failed(&error))?;
    if let Some((diagnostic, outcome)) = session::lost_input(program) {
        output::diagnostics([&diagnostic], &session.sources);
        return Err(outcome);
    }
    let (inputs, outputs) = (inputs(program, &filled), outputs(program));
    let both = || inputs.iter().chain(&outputs);
    let bytes = both().map(|operand| operand.elements() * operand.dtype.size()).sum();
    let benched = BenchReport {
        script: &name,
        elements: both().map(BenchOperand::elements).max().unwrap_or(1).max(1),
        bytes,
        threads,
        front: prepared.times.parse + prepared.times.load + prepared.times.check,
        run,
        copy: copy::bandwidth(bytes, threads, &options).map_err(|error| failed(&error))?,
        inputs,
        outputs,
    };
    Ok(output::print(&match command.json || command.running.format == Some(ValueFormat::Json) {
        true => report::json(&benched),
        false => report::text(&benched),
    }))
}

impl BenchOperand {
    fn elements(&self) -> usize {
        self.shape.iter().product()
    }
}

/// The inputs that the results depend on.
fn inputs(program: &Program, filled: &[FilledInput]) -> Vec<BenchOperand> {
    let nodes = program.nodes.iter().zip(program.needed()).filter(|(_, needed)| *needed);
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
