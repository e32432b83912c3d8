//! Machine code of a loop in memory, from its making to its end.
//!
//! Each loop has a module of its own, so that its memory can be given back. Whatever goes wrong inside Cranelift, a
//! panic included, becomes an error: the loop is then interpreted.
#![expect(unsafe_code, reason = "the code that Cranelift made is an address until it is called as a function")]

use super::isa::{Effort, GENERATOR, isa};
use super::lower::VectorBody;
use super::packed::{self, PackedLoop};
use super::{check, clif, lower, x86};
use crate::array::bytes::AlignedBytes;
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, LoopOperand, Recurrence};
use crate::panics::catch_failure;
use crate::types::DType;
use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::Function;
use cranelift_codegen::isa::OwnedTargetIsa;
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Module, default_libcall_names};
use std::sync::Mutex;

/// Registers of code with more instructions than this are allocated in linear time.
const LINEAR_ABOVE_INSTS: usize = 1500;

/// The machine code of a loop. Whoever runs it holds it in an `Arc`, so it is never freed under their feet.
pub(super) struct CompiledLoop {
    /// Bytes of scratch that it needs.
    pub(super) scratch: usize,
    code: Machine,
}

/// What a loop is called with: `(scratch, operands, start, len)`.
type ClifEntry = unsafe extern "C" fn(*mut u8, *const LoopOperand, start: usize, len: usize);

/// The code, with whoever gives its memory back.
enum Machine {
    /// Of vectors of 128 bits.
    Cranelift { entry: ClifEntry, _memory: CodeMemory, _tables: TablesInMemory },
    /// Of vectors of 256 or 512 bits.
    X86(x86::MachineLoop),
    /// Of vectors of 256 or 512 bits, by way of dense operands.
    Packed(PackedLoop),
}

impl CompiledLoop {
    /// Runs elements.
    ///
    /// # Safety
    /// As for [`crate::exec::stepping::Code::run`]; `scratch` has as many bytes as the code needs, aligned to 64.
    pub(super) unsafe fn run(&self, scratch: *mut u8, operands: &[LoopOperand], start: usize, len: usize) {
        // SAFETY: the code lives as long as `self`; the caller promises elements of the operands, and scratch of the
        // size that the code needs.
        unsafe {
            match &self.code {
                Machine::Cranelift { entry, .. } => {
                    entry(scratch, operands.as_ptr(), start, len);
                }
                Machine::X86(routine) => routine.run(scratch, operands, start, len),
                Machine::Packed(packed) => packed.run(scratch, operands, start, len),
            }
        }
    }

    /// Runs the same elements of `rows` rows and returns true, if the code goes from row to row by itself. Other code
    /// runs nothing and returns false.
    ///
    /// # Safety
    /// As for [`CompiledLoop::run`], of every row.
    pub(super) unsafe fn rows_at_once(
        &self,
        scratch: *mut u8,
        operands: &[LoopOperand],
        elements: (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) -> bool {
        match &self.code {
            Machine::X86(routine) if routine.has_rows => {
                // SAFETY: the code has rows; the caller promises elements of each, and scratch of the size that it
                // needs.
                unsafe { routine.run_rows(scratch, operands, elements, rows, to_next) };
                true
            }
            Machine::Cranelift { .. } | Machine::X86(_) | Machine::Packed(_) => false,
        }
    }
}

/// Memory with code that a module made. It is given back when the last one who has it is gone.
pub(super) struct CodeMemory(Mutex<Option<Box<JITModule>>>);

impl Drop for CodeMemory {
    fn drop(&mut self) {
        if let Some(module) = self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner()).take() {
            // SAFETY: nobody else has this value, so nobody runs its code, now or later.
            unsafe { module.free_memory() };
        }
    }
}

/// Compiles a loop for a level, which must be one that [runs here](Level::runs_here).
pub(super) fn compile(code: &Loop, level: Level, verify: bool) -> Result<CompiledLoop, String> {
    // Whatever goes wrong there, Cranelift compiles what is left to it.
    if let Ok(Some(routine)) = catch_failure(GENERATOR, || Ok(x86::compile(code, level))) {
        return Ok(CompiledLoop { scratch: routine.scratch, code: Machine::X86(routine) });
    }
    if let Ok(Some(packed)) = catch_failure(GENERATOR, || Ok(packed::compile(code, level))) {
        return Ok(CompiledLoop { scratch: packed.scratch, code: Machine::Packed(packed) });
    }
    if code.streams() {
        return Err("Cranelift has no stores that pass the caches by".to_owned());
    }
    catch_failure(GENERATOR, || {
        let written = write(code, level, verify)?;
        finish(written, level)
    })
}

/// The machine code of a recurrence.
pub(super) struct CompiledRecurrence {
    pub(super) code: CompiledLoop,
    /// Elements side by side.
    pub(super) lanes: usize,
}

/// Compiles a recurrence for a level, which must be one that [runs here](Level::runs_here).
pub(super) fn compile_recurrence(code: &Recurrence, level: Level, verify: bool) -> Result<CompiledRecurrence, String> {
    catch_failure(GENERATOR, || {
        let target = isa(level, Effort { optimize: true, single_pass: false, verify: false })?;
        let body = lower::lower(&code.step, lower::TargetAbilities::default());
        let tables = tables(&body)?;
        let places: Vec<usize> = tables.iter().map(|table| table.as_slice().as_ptr() as usize).collect();
        let link = clif::Link::Here { tables: &places, level };
        let (function, lanes) = clif::recurrence(code, &body, link, target.frontend_config());
        let long = function.dfg.num_insts() > LINEAR_ABOVE_INSTS;
        let effort = Effort { optimize: !long, single_pass: long, verify: verify || cfg!(debug_assertions) };
        if effort.verify {
            check::function(&function)?;
        }
        let code = finish(ClifFunction { function, effort, scratch: clif::REPORT, tables }, level)?;
        Ok(CompiledRecurrence { code, lanes })
    })
}

/// Elements of tables in memory, where code finds them.
type TablesInMemory = Vec<AlignedBytes>;

/// A function for Cranelift.
struct ClifFunction {
    function: Function,
    effort: Effort,
    /// Bytes of scratch that it needs.
    scratch: usize,
    tables: TablesInMemory,
}

/// Loops that gather their elements one by one are as fast without the middle end, which takes a fifth of the time that
/// they compile; ten operations of dense f64 are slower by a fifth.
fn effort(code: &Loop, function: &Function, verify: bool) -> Effort {
    let is_dense = |input: &LoopInput| matches!(input, LoopInput::Array(_, step) if !step.is_sparse());
    let long = function.dfg.num_insts() > LINEAR_ABOVE_INSTS;
    Effort {
        optimize: !long && code.inputs.iter().all(is_dense),
        single_pass: long,
        verify: verify || cfg!(debug_assertions),
    }
}

/// The function of a loop, checked, and how it is to be compiled.
fn write(code: &Loop, level: Level, verify: bool) -> Result<ClifFunction, String> {
    let target = isa(level, Effort { optimize: true, single_pass: false, verify: false })?;
    let body = lower::lower(code, lower::TargetAbilities::default());
    let tables = tables(&body)?;
    let places: Vec<usize> = tables.iter().map(|table| table.as_slice().as_ptr() as usize).collect();
    let (function, scratch) =
        clif::function(code, &body, clif::Link::Here { tables: &places, level }, target.frontend_config());
    let effort = effort(code, &function, verify);
    if effort.verify {
        check::function(&function)?;
    }
    Ok(ClifFunction { function, effort, scratch, tables })
}

fn tables(body: &VectorBody) -> Result<TablesInMemory, String> {
    let in_memory = |(dtype, table): &(DType, Vec<u64>)| {
        let bytes = dtype.size();
        let mut memory = AlignedBytes::zeroed(table.len() * bytes).map_err(|_| "there is no memory".to_owned())?;
        for (place, bits) in memory.as_mut_slice().chunks_exact_mut(bytes).zip(table) {
            place.copy_from_slice(&bits.to_le_bytes()[..bytes]);
        }
        Ok(memory)
    };
    body.tables.iter().map(in_memory).collect()
}

fn finish(
    ClifFunction { function, effort, scratch, tables }: ClifFunction,
    level: Level,
) -> Result<CompiledLoop, String> {
    let (address, memory) = assemble(function, isa(level, effort)?)?;
    // SAFETY: the function was compiled with this signature.
    let entry = unsafe { std::mem::transmute::<*const u8, ClifEntry>(address) };
    Ok(CompiledLoop { scratch, code: Machine::Cranelift { entry, _memory: memory, _tables: tables } })
}

/// The code of a function, and the memory that it lies in.
pub(super) fn assemble(function: Function, isa: OwnedTargetIsa) -> Result<(*const u8, CodeMemory), String> {
    refuse_unwritable_profile()?;
    let mut module = Box::new(JITModule::new(JITBuilder::with_isa(isa, default_libcall_names())));
    let id = module.declare_anonymous_function(&function.signature).map_err(|error| error.to_string())?;
    let mut context = Context::for_function(function);
    let defined = module.define_function(id, &mut context).map_err(|error| error.to_string());
    let defined = defined.and_then(|()| module.finalize_definitions().map_err(|error| error.to_string()));
    let address = defined.map(|()| module.get_finalized_function(id));
    let memory = CodeMemory(Mutex::new(Some(module)));
    Ok((address?, memory))
}

/// With `PERF_BUILDID_DIR` set, Cranelift writes a file for the profiler and panics where it cannot.
fn refuse_unwritable_profile() -> Result<(), String> {
    if std::env::var_os("PERF_BUILDID_DIR").is_none() {
        return Ok(());
    }
    let path = format!("/tmp/perf-{}.map", std::process::id());
    let opened = std::fs::OpenOptions::new().create(true).append(true).open(&path);
    opened.map(drop).map_err(|error| format!("PERF_BUILDID_DIR is set and {path} cannot be written: {error}"))
}

/// The text of a loop's code: as Cranelift's IR, or as assembly.
pub(super) fn text(code: &Loop, level: Level, assembly: bool) -> Result<String, String> {
    if assembly && let Some(text) = x86::text(code, level) {
        return Ok(text);
    }
    catch_failure(GENERATOR, || {
        let ClifFunction { function, effort, .. } = write(code, level, false)?;
        if !assembly {
            return Ok(function.display().to_string());
        }
        let isa = isa(level, effort)?;
        let mut context = Context::for_function(function);
        context.set_disasm(true);
        let compiled = context.compile(&*isa, &mut ControlPlane::default()).map_err(|error| error.inner.to_string())?;
        compiled.vcode.clone().ok_or_else(|| "no assembly was kept".to_owned())
    })
}

/// The function of a loop, for tests.
#[cfg(test)]
pub(super) fn function_of(code: &Loop) -> Function {
    write(code, Level::best(), true).expect("every loop has a function").function
}
