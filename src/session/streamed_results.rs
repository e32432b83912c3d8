//! Results that are written to their files while they are computed.
//!
//! A file is begun for each result that is large and goes to one. What the run gives to it is in no array afterwards:
//! in its place stands an array of the same type that has one element, and no memory.

use super::Input;
use crate::array::Array;
use crate::array::mapping::WriteAt;
use crate::exec::{self, Flow, RunError};
use crate::io::IoError;
use crate::io::write::StagedFile;
use crate::ir::Program;
use crate::source::Span;
use crate::types::shape;

/// Why there are no results.
pub(super) enum NoResults {
    Run(RunError),
    Io(IoError),
    /// What the command line asks for makes no sense.
    Misused(String),
}

/// The results, with those that are in files by their number.
type Results = (Vec<Array>, Vec<(usize, StagedFile)>);

/// Runs a program; results of at least `windows` bytes are written while they are computed.
pub(super) fn run(
    program: &Program,
    options: &exec::Options,
    input: &Input,
    windows: Option<usize>,
) -> Result<Results, NoResults> {
    let text = |span: Span| input.text.get(span.start as usize..span.end as usize).unwrap_or_default();
    let said: Vec<_> = program.outputs.iter().map(|it| (it.name.as_deref(), text(it.span))).collect();
    if let Some(why) = input.destinations.and_then(|destinations| destinations.why_not_mixed(&said)) {
        return Err(NoResults::Misused(why));
    }
    let mut begun = match (input.destinations, windows) {
        (Some(destinations), Some(least)) => destinations.begin(program, least).map_err(NoResults::Io)?,
        _ => Vec::new(),
    };
    let has_windows = |array: &Array| array.mapping().is_some_and(|mapping| mapping.windows().is_some());
    let passes = program.inputs.iter().filter_map(|input| input.value.as_ref()).any(has_windows);
    if !passes && begun.iter().all(Option::is_none) {
        return Ok((exec::run(program, options).map_err(NoResults::Run)?, Vec::new()));
    }
    begun.resize_with(program.outputs.len(), || None);
    let outputs = begun.iter().map(|file| file.as_ref().map(|file| file as &dyn WriteAt)).collect();
    let flow = Flow { outputs, window: None, progress: input.progress.map(|progress| progress.0) };
    let given = exec::run_through(program, options, &flow).map_err(|error| {
        let RunError::Unwritable { output, reason } = error else { return NoResults::Run(error) };
        match &begun[output] {
            Some(file) => NoResults::Io(file.refusal(reason)),
            None => NoResults::Run(RunError::Unwritable { output, reason }),
        }
    })?;
    let (mut arrays, mut written) = (Vec::with_capacity(given.len()), Vec::new());
    for (at, (array, file)) in given.into_iter().zip(begun).enumerate() {
        arrays.push(match (array, file) {
            (Some(array), _) => array,
            (None, file) => {
                let file = file.expect("something took it").finish().map_err(NoResults::Io)?;
                written.push((at, file));
                stand_in(program, at)
            }
        });
    }
    Ok((arrays, written))
}

/// An array of the type of an output.
fn stand_in(program: &Program, output: usize) -> Array {
    let node = program.node(program.outputs[output].node);
    let sizes = shape::sizes(&node.shape).expect("it was computed");
    Array::zeros(node.dtype, &[]).expect("an element has room").broadcast_to(&sizes)
}
