//! Runs of programs, with results of their own or in memory of the caller.
//!
//! Where memory that is lent is in C order and no input overlaps it, loops write to it at once; otherwise a result is
//! made aside and copied. Either way the elements are those that a result of our own would have.
//!
//! ```
//! use arrlang::exec::{LentMemory, Options, run_into};
//! use arrlang::ir::{ProgramOutput, build::ProgramBuilder};
//! use arrlang::types::{DType, Dim};
//! let mut b = ProgramBuilder::default();
//! let node = b.iota(0, vec![Dim::Const(4)]);
//! b.output(ProgramOutput { name: None, node, span: Default::default(), weak: false });
//! let mut memory = [0i64; 4];
//! let lent = LentMemory::slice(DType::I64, &[4], &mut memory);
//! run_into(&b.finish(), &Options::default(), &[Some(lent)]).unwrap();
//! assert_eq!(memory, [0, 1, 2, 3]);
//! ```

use super::lent::LentMemory;
use super::memory::Meter;
use super::options::{Engine, Options, RunError};
use super::plan::{Demands, InputLayout, LentNodes, plan_with_code};
use super::plan_with_code::PlanWithCode;
use super::run::windowed::Flow;
use super::run::{self, InputArrays, RunInputs, copy_of, copy_to};
use super::{environment, preflight, reference, staged, stages};
use crate::array::Array;
use crate::ir::{Node, NodeId, Program};
use crate::types::shape;
use smallvec::SmallVec;
use std::sync::Arc;

/// Runs a program: one array for each of its outputs.
///
/// # Errors
/// What went wrong first; see [`RunError`].
pub fn run(program: &Program, options: &Options) -> Result<Vec<Array>, RunError> {
    run_over(program, options, &[])
}

/// Runs a program: an array for each of its outputs, or `None` for those that memory is lent for, which holds the
/// elements then. After an error the memory holds anything.
///
/// # Errors
/// As for [`run`]; and [`RunError::Misfit`] when memory has another dtype or shape than its output.
pub fn run_into(
    program: &Program,
    options: &Options,
    lent: &[Option<LentMemory>],
) -> Result<Vec<Option<Array>>, RunError> {
    let direct = lent_directly(program, RunInputs::of(program), options, lent)?;
    let arrays = run_over(program, options, &direct)?;
    put_back(arrays, options, lent)
}

/// Nodes with the memory that loops write them to.
type DirectlyLent<'l, 'm> = SmallVec<[(NodeId, &'l LentMemory<'m>); 2]>;

/// The memory that loops can write to at once, where no input and no other memory overlaps it.
fn lent_directly<'l, 'm>(
    program: &Program,
    inputs: RunInputs,
    options: &Options,
    lent: &'l [Option<LentMemory<'m>>],
) -> Result<DirectlyLent<'l, 'm>, RunError> {
    let mut direct = DirectlyLent::new();
    for (at, (output, memory)) in program.outputs.iter().zip(lent).enumerate() {
        let Some(memory) = memory else { continue };
        let node = program.node(output.node);
        // A length that data decides is known afterwards.
        let open = program.lengths_of(&node.shape).next().is_some();
        if !open && !shape::sizes(&node.shape).is_some_and(|sizes| memory.fits(node.dtype, &sizes)) {
            return Err(RunError::Misfit { output: at });
        }
        let mut others = lent.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, it)| it.as_ref());
        let apart =
            !inputs.given().any(|array| memory.overlaps(array)) && !others.any(|other| memory.overlaps_memory(other));
        if options.engine != Engine::Reference && !open && memory.is_dense() && apart {
            direct.push((output.node, memory));
        }
    }
    Ok(direct)
}

/// Copies results to memory that is lent, unless they are there; the other results are given.
fn put_back(
    arrays: Vec<Array>,
    options: &Options,
    lent: &[Option<LentMemory>],
) -> Result<Vec<Option<Array>>, RunError> {
    if lent.is_empty() {
        return Ok(arrays.into_iter().map(Some).collect());
    }
    let mut given = Vec::with_capacity(arrays.len());
    for (at, array) in arrays.into_iter().enumerate() {
        given.push(match lent.get(at).and_then(Option::as_ref) {
            // It may show what was made in memory that is lent.
            None if array.is_foreign() => Some(copy_of(&array, options)?),
            None => Some(array),
            Some(memory) => {
                if !memory.fits(array.dtype(), array.shape()) {
                    return Err(RunError::Misfit { output: at });
                }
                if array.pointer() != memory.first() || !array.is_foreign() {
                    copy_to(&array, memory, options)?;
                }
                None
            }
        });
    }
    Ok(given)
}

/// The plan of a program that has run, for arrays that lie as they did then. Whoever keeps it looks for no plan.
#[derive(Debug)]
pub(crate) struct PlannedCall {
    plan: Arc<PlanWithCode>,
    /// The nodes of the program.
    nodes: Arc<Vec<Node>>,
    demands: Demands,
    lent: LentNodes,
}

impl PlannedCall {
    /// What is known of a program that has just run with its data, and with this memory; `None` if it has stages.
    pub(crate) fn of(program: &Program, options: &Options, lent: &[Option<LentMemory>]) -> Option<PlannedCall> {
        if options.engine == Engine::Reference || options.verify || stages::has_stages(program) {
            return None;
        }
        let direct = lent_directly(program, RunInputs::of(program), options, lent).ok()?;
        let plan = plan_with_code(program, options, &direct).ok()?;
        let (nodes, demands) = (program.nodes.clone(), Demands::of(options));
        Some(PlannedCall { plan, nodes, demands, lent: direct.into_iter().map(|(node, _)| node).collect() })
    }

    /// Whether a run is over so soon that nothing else is worth beginning meanwhile.
    pub(crate) fn is_brief(&self) -> bool {
        self.plan.is_brief()
    }

    /// Runs the program on other arrays, as [`run_into`] does. `None`, and nothing was done, if they lie in another way,
    /// or something else is asked for, or of another program: memory that fits its results need not fit those of the plan.
    ///
    /// # Errors
    /// As for [`run_into`].
    pub(crate) fn run(
        &self,
        program: &Program,
        arrays: InputArrays,
        options: &Options,
        lent: &[Option<LentMemory>],
    ) -> Option<Result<Vec<Option<Array>>, RunError>> {
        let inputs = RunInputs::of_call(arrays);
        let lies = |known: &InputLayout| {
            inputs.get(known.input).is_some_and(|array| known.is_of(array) && array.has_addresses())
        };
        let same = Arc::ptr_eq(&self.nodes, &program.nodes) && self.demands == Demands::of(options);
        if !same || !self.plan.inputs.iter().all(lies) {
            return None;
        }
        let direct = match lent_directly(program, inputs, options, lent) {
            Ok(direct) if self.lent.iter().copied().eq(direct.iter().map(|(node, _)| *node)) => direct,
            Ok(_) => return None,
            Err(misfit) => return Some(Err(misfit)),
        };
        let _environment = environment::IeeeDefaults::set();
        let arrays = run::run_planned(&self.plan, inputs, options, &direct, &mut Meter::new(options.max_memory));
        let own = arrays.and_then(|arrays| owned(arrays, program, options, &direct));
        Some(own.and_then(|arrays| put_back(arrays, options, lent)))
    }
}

/// Runs a program whose inputs and outputs may be larger than memory: inputs that are files are read, and outputs that
/// something takes are given to it, a window at a time, where the loops allow it. An array for each output that nothing
/// took.
///
/// # Errors
/// As for [`run`]; and [`RunError::Unreadable`] and [`RunError::Unwritable`].
pub fn run_through(program: &Program, options: &Options, flow: &Flow) -> Result<Vec<Option<Array>>, RunError> {
    if options.engine == Engine::Reference || stages::has_stages(program) {
        return Ok(run(program, options)?.into_iter().map(Some).collect());
    }
    if options.verify {
        crate::ir::verify::program(program).map_err(RunError::Internal)?;
    }
    let _environment = environment::IeeeDefaults::set();
    run::windowed::run(program, options, flow)
}

/// The program with those inputs in memory that have no addresses; `None` if all have.
fn in_memory(program: &Program, options: &Options) -> Result<Option<Program>, RunError> {
    let has = |value: &Option<Array>| value.as_ref().is_none_or(Array::has_addresses);
    if program.inputs.iter().all(|input| has(&input.value)) {
        return Ok(None);
    }
    let (mut program, mut meter) = (program.clone(), Meter::new(options.max_memory));
    for (at, input) in program.inputs.iter_mut().enumerate() {
        if let Some(array) = input.value.as_ref().filter(|array| !array.has_addresses()) {
            input.value = Some(run::windowed::whole(array, at, &mut meter)?);
        }
    }
    Ok(Some(program))
}

/// Copies the elements of an array to memory that is lent.
///
/// # Errors
/// [`RunError::Misfit`] when they do not fit, and what may happen to a run.
pub fn copy_into(array: &Array, memory: &LentMemory, options: &Options) -> Result<(), RunError> {
    if !memory.fits(array.dtype(), array.shape()) {
        return Err(RunError::Misfit { output: 0 });
    }
    copy_to(array, memory, options)
}

/// Runs a program; where memory is lent for nodes, results may be in it. What a result shows of memory of somebody
/// else is copied.
fn run_over(program: &Program, options: &Options, lent: &[(NodeId, &LentMemory)]) -> Result<Vec<Array>, RunError> {
    if options.verify {
        crate::ir::verify::program(program).map_err(RunError::Internal)?;
    }
    let whole = in_memory(program, options)?;
    let program = whole.as_ref().unwrap_or(program);
    let _environment = environment::IeeeDefaults::set();
    let arrays = match options.engine {
        Engine::Reference => {
            let needed = program.needed_nodes();
            preflight::prepare(program, &needed)?;
            reference::run(program, options, &needed)?
        }
        Engine::Jit | Engine::Blocks if stages::has_stages(program) => staged::run(program, options)?,
        Engine::Jit | Engine::Blocks => run::run(program, options, lent)?,
    };
    owned(arrays, program, options, lent)
}

/// Results, in which what they show of memory of somebody else is copied.
fn owned(
    mut arrays: Vec<Array>,
    program: &Program,
    options: &Options,
    lent: &[(NodeId, &LentMemory)],
) -> Result<Vec<Array>, RunError> {
    for (array, output) in arrays.iter_mut().zip(&program.outputs) {
        if array.is_foreign() && !lent.iter().any(|(node, _)| *node == output.node) {
            *array = copy_of(array, options)?;
        }
    }
    Ok(arrays)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::ProgramOutput;
    use crate::ir::build::ProgramBuilder;
    use crate::source::Span;
    use crate::types::Dim;

    /// The numbers from 0 on.
    fn program(len: u64) -> Program {
        let mut b = ProgramBuilder::default();
        let node = b.iota(0, vec![Dim::Const(len)]);
        b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
        b.finish()
    }

    #[test]
    fn a_plan_that_is_kept_is_for_its_own_program_alone() {
        let (own, longer, options) = (program(4), program(8), Options::default());
        run(&own, &options).unwrap();
        let known = PlannedCall::of(&own, &options, &[]).unwrap();
        let none = InputArrays { arrays: &[], places: &[] };
        let again = known.run(&own.clone(), none, &options, &[]).unwrap().unwrap();
        assert_eq!(again[0].as_ref().unwrap().to_vec::<i64>(), [0, 1, 2, 3]);
        assert!(known.run(&longer, none, &options, &[]).is_none());
        let blocks = Options { engine: Engine::Blocks, ..options };
        assert!(known.run(&own, none, &blocks, &[]).is_none());
        assert!(PlannedCall::of(&own, &Options { verify: true, ..options }, &[]).is_none());
    }
}
