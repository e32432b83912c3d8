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
use super::run::windowed::Flow;
use super::run::{self, copy_of, copy_to};
use super::{environment, preflight, reference, staged, stages};
use crate::array::Array;
use crate::ir::{NodeId, Program};
use crate::types::shape;
use smallvec::SmallVec;

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
    let mut direct: SmallVec<[(NodeId, &LentMemory); 2]> = SmallVec::new();
    for (at, (output, memory)) in program.outputs.iter().zip(lent).enumerate() {
        let Some(memory) = memory else { continue };
        let node = program.node(output.node);
        // A length that data decides is known afterwards.
        let open = program.lengths_of(&node.shape).next().is_some();
        if !open && !shape::sizes(&node.shape).is_some_and(|sizes| memory.fits(node.dtype, &sizes)) {
            return Err(RunError::Misfit { output: at });
        }
        let mut others = lent.iter().enumerate().filter(|(other, _)| *other != at).filter_map(|(_, it)| it.as_ref());
        let mut inputs = program.inputs.iter().filter_map(|input| input.value.as_ref());
        let apart = !inputs.any(|array| memory.overlaps(array)) && !others.any(|other| memory.overlaps_memory(other));
        if options.engine != Engine::Reference && !open && memory.is_dense() && apart {
            direct.push((output.node, memory));
        }
    }
    let arrays = run_over(program, options, &direct)?;
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
    let mut arrays = match options.engine {
        Engine::Reference => {
            let needed = program.needed_nodes();
            preflight::prepare(program, &needed)?;
            reference::run(program, options, &needed)?
        }
        Engine::Jit | Engine::Blocks if stages::has_stages(program) => staged::run(program, options)?,
        Engine::Jit | Engine::Blocks => run::run(program, options, lent)?,
    };
    for (array, output) in arrays.iter_mut().zip(&program.outputs) {
        if array.is_foreign() && !lent.iter().any(|(node, _)| *node == output.node) {
            *array = copy_of(array, options)?;
        }
    }
    Ok(arrays)
}
