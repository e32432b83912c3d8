//! Loops whose steps compute numbers one by one: tables from below, marches, sieves.
//!
//! Such a step reads elements of arrays at positions, computes numbers, and puts some of them in states. Planned as
//! kernels it costs about a microsecond, however little it does. Here the whole loop, with the loops in its step,
//! becomes one function: numbers are in registers, states lie where they are, and an element is computed where it is
//! read.
//!
//! ```text
//! fn(asked, arrays, scalars, from, to) -> Ended:
//!   head:   is there another step?            no: all steps are done
//!   body:   conditions, then numbers          a condition fails: Fault
//!           loops within, in the same way
//!           elements are put in states
//! ```
//!
//! Nothing here says what is wrong. A fault ends the loop, and whoever called runs it again step by step, from its
//! beginning, to say what happened where. So a state that nobody copied must not be given.

mod calls;
mod elements;
mod prims;
mod stores;
mod turns;
mod writer;

use super::cache::count_as_compiling;
use super::check;
use super::clif::numbers::plain;
use super::compile::{CodeMemory, assemble};
use super::isa::{Effort, GENERATOR, isa};
use crate::array::Sizes;
use crate::exec::machine::{Level, level};
use crate::ir::NodeKind;
use crate::ir::loops::ProgramLoop;
use crate::panics::catch_failure;
use crate::types::{DType, Dim, Shape, shape};
use calls::{ByAddress, PrimCalls};
use cranelift_codegen::ir::{AbiParam, Function, InstBuilder, Signature, UserFuncName, types};
use cranelift_codegen::isa::{OwnedTargetIsa, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use writer::is_one;

pub(in crate::exec::jit) use turns::{LoopArgument, LoopTurns, write};
#[cfg(feature = "object")]
pub(in crate::exec::jit) use writer::LoopSurroundings;
pub(in crate::exec::jit) use writer::{Exits, Lengths};

/// The function that a loop inside a step calls now and then, when `done` of its `count` steps are done. The loop stops
/// if the answer is not 0.
pub(crate) type AskFunction = unsafe extern "C" fn(*mut u8, done: i64, count: i64) -> i64;

/// What the code asks, and whom: the first word is the function.
#[repr(C)]
pub(crate) struct AskedBy {
    pub(crate) ask: AskFunction,
    pub(crate) context: *mut u8,
}

type Entry = unsafe extern "C" fn(*const AskedBy, *const *mut u8, *mut u64, from: i64, to: i64) -> i64;

/// How steps ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum LoopEnd {
    /// All are done.
    Done,
    /// The condition of the loop does not hold any more.
    Before,
    /// A condition of a step failed.
    Fault,
    /// Who was asked said stop.
    Stopped,
}

impl LoopEnd {
    const ALL: [LoopEnd; 4] = [LoopEnd::Done, LoopEnd::Before, LoopEnd::Fault, LoopEnd::Stopped];
}

/// What an argument is: dtype and sizes. One of one element is a number, any other an array in C order.
pub(crate) type ArgumentKind = (DType, Sizes);

/// The code of a loop.
pub(crate) struct ScalarLoop {
    entry: Entry,
    _memory: CodeMemory,
    /// What the code calls by its address.
    _calls: PrimCalls,
}

#[expect(unsafe_code, reason = "the arguments of a loop are addresses")]
impl ScalarLoop {
    /// Runs the steps from one to before another.
    ///
    /// # Safety
    /// `arrays` are the addresses of the arguments that are arrays, and `scalars` the bits of those that are numbers,
    /// each in the order of the step's inputs without the counter, of the kinds that the code was compiled for. Nobody
    /// else reads or writes arrays that are states. `asked` may be called.
    pub(crate) unsafe fn run(
        &self,
        asked: &AskedBy,
        arrays: &[*mut u8],
        scalars: &mut [u64],
        (from, to): (u64, u64),
    ) -> LoopEnd {
        // SAFETY: the code lives as long as `self`; the caller promises arguments of the kinds that it was compiled
        // for.
        let ended = unsafe { (self.entry)(asked, arrays.as_ptr(), scalars.as_mut_ptr(), from as i64, to as i64) };
        LoopEnd::ALL[ended as usize]
    }
}

/// Whether a loop only computes numbers, for arguments of the kinds that its step says.
pub(crate) fn takes(of: &ProgramLoop) -> bool {
    // An input that nothing reads may be anything.
    let mut kinds = vec![(DType::Bool, Sizes::new()); of.step.inputs.len()];
    for node in of.step.nodes.iter() {
        if let NodeKind::Input(input) = node.kind {
            let Some(sizes) = shape::sizes(&node.shape) else { return false };
            kinds[input as usize] = (node.dtype, sizes.into());
        }
    }
    kinds.remove(of.states);
    catch_failure(GENERATOR, || Ok(isa_of(level(), false).is_ok_and(|isa| written(of, &kinds, &*isa).is_some())))
        == Ok(true)
}

/// Compiles a loop for arguments of these kinds: those of the step's inputs but for the counter. Nothing where a step
/// does something else than to compute numbers.
///
/// # Errors
/// When Cranelift refuses what was written.
#[expect(unsafe_code, reason = "the code that Cranelift made is an address until it is called as a function")]
pub(crate) fn compile(
    of: &ProgramLoop,
    kinds: &[ArgumentKind],
    level: Level,
    verify: bool,
) -> Result<Option<ScalarLoop>, String> {
    let verify = verify || cfg!(debug_assertions);
    count_as_compiling(|| {
        catch_failure(GENERATOR, || {
            let isa = isa_of(level, verify)?;
            let Some((function, calls)) = written(of, kinds, &*isa) else { return Ok(None) };
            if verify {
                check::function_that_divides(&function)?;
            }
            let (address, memory) = assemble(function, isa)?;
            // SAFETY: the function was compiled with this signature.
            let entry = unsafe { std::mem::transmute::<*const u8, Entry>(address) };
            Ok(Some(ScalarLoop { entry, _memory: memory, _calls: calls }))
        })
    })
}

fn isa_of(level: Level, verify: bool) -> Result<OwnedTargetIsa, String> {
    isa(level, Effort { optimize: true, single_pass: false, verify })
}

/// The function of a loop, and the prims that it calls.
fn written(of: &ProgramLoop, kinds: &[ArgumentKind], isa: &dyn TargetIsa) -> Option<(Function, PrimCalls)> {
    let mut signature = Signature::new(isa.default_call_conv());
    signature.params.extend([AbiParam::new(types::I64); 5]);
    signature.returns.push(AbiParam::new(types::I64));
    let mut function = Function::with_name_signature(UserFuncName::user(0, 0), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut function, &mut context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [asked, arrays, scalars, from, to] = b.block_params(entry).try_into().ok()?;
    let (mut numbers, mut pointers) = ((0..).map(|number| 8 * number), (0..).map(|array| 8 * array));
    let mut args = Vec::with_capacity(kinds.len());
    for (dtype, sizes) in kinds {
        let shape: Shape = sizes.iter().map(|&size| Dim::Const(size as u64)).collect();
        let place = match is_one(&shape) {
            // Of a word that begins with the number, and whose other bits are 0.
            true => b.ins().iadd_imm_s(scalars, numbers.next()?),
            false => b.ins().load(types::I64, plain(), arrays, pointers.next()?),
        };
        args.push(LoopArgument { dtype: *dtype, shape, place });
    }
    let exits = Exits { fault: b.create_block(), stopped: b.create_block() };
    let mut around = ByAddress::new(&mut b, asked);
    let turns = LoopTurns { from, to, asks: false };
    let ended = write(&mut b, &mut around, &Lengths::new(), exits, of, &args, turns)?;
    b.ins().return_(&[ended]);
    for (block, code) in [(exits.fault, 2), (exits.stopped, 3)] {
        b.switch_to_block(block);
        let code = b.ins().iconst(types::I64, code);
        b.ins().return_(&[code]);
    }
    b.seal_all_blocks();
    b.finalize(isa.frontend_config());
    Some((function, around.calls))
}
