//! Follows a plan. Buffers get their memory, operands their addresses, and the loops run.
//!
//! [`memory`] holds what the buffers of a run hold, [`bound`] the loops of a step with their addresses. A thread that
//! runs loops has a [`worker`]. [`map`] runs those whose elements are independent, in one [`call`] if they are few, [`rows`] and [`columns`] those that
//! fold or scan, cut into units by [`reduce`]; [`element`] computes a single one, [`gather`] reads by position,
//! [`stream`] stores past the caches, and [`windowed`] runs over arrays that are larger than memory, in [`parts`] that
//! take [`turns`]. The step of a loop, which runs on what it made the time before, has its addresses found once:
//! [`repeated`].
#![expect(unsafe_code, reason = "loops get addresses of buffers, whose parts several threads write at once")]

mod bound;
mod call;
mod columns;
mod element;
mod gather;
mod in_order;
mod map;
mod memory;
mod parts;
mod reduce;
pub(super) mod repeated;
mod rows;
mod stream;
pub(super) mod windowed;
mod worker;

use super::lent::LentMemory;
use super::memory::Meter;
use super::options::{Options, RunError};
use super::plan::{LoopNest, NestKind, Origin, PlanStep, Storage, StoredArray, plan_with_code};
use super::plan_with_code::{PlanWithCode, StepCode};
use crate::array::{Array, Sizes, Strides, c_strides};
use crate::ir::{NodeId, Program};
use bound::BoundLoops;
pub(crate) use memory::InputArrays;
pub(super) use memory::RunInputs;
use memory::{RunMemory, could_hold};
use smallvec::{SmallVec, smallvec};

/// Runs a program as planned; it may write to memory that is lent for nodes.
pub(super) fn run(
    program: &Program,
    options: &Options,
    lent: &[(NodeId, &LentMemory)],
) -> Result<Vec<Array>, RunError> {
    run_metered(program, options, lent, &mut Meter::new(options.max_memory))
}

/// An array of the same elements in memory of its own.
pub(super) fn copy_of(array: &Array, options: &Options) -> Result<Array, RunError> {
    copied_metered(array, options, &mut Meter::new(options.max_memory))
}

/// An array of the same elements in memory of its own, which the meter counts.
pub(super) fn copied_metered(array: &Array, options: &Options, meter: &mut Meter) -> Result<Array, RunError> {
    // SAFETY: the loop writes every element; when it fails, the memory is dropped unread.
    let bytes = unsafe { meter.uninit(array.dtype(), array.shape())? };
    copy(array, bytes.as_ptr() as usize, &c_strides(array.shape(), array.dtype().size()), options)?;
    Ok(Array::from_bytes(array.dtype(), array.shape(), bytes))
}

/// Copies the elements of an array to memory that is lent.
pub(super) fn copy_to(array: &Array, lent: &LentMemory, options: &Options) -> Result<(), RunError> {
    copy(array, lent.first().addr(), lent.strides(), options)
}

/// Copies the elements of an array to an address and strides where there is room for them.
fn copy(array: &Array, to: usize, strides: &[isize], options: &Options) -> Result<(), RunError> {
    let storage = Storage::Input(0);
    let (sizes, own) = (Sizes::from_slice(array.shape()), Strides::from_slice(array.strides()));
    let from = StoredArray { storage, dtype: array.dtype(), sizes, strides: own, offset: 0 };
    if from.is_empty() {
        return Ok(());
    }
    let nest = LoopNest::copy(&from, Origin::At { storage, offset: 0 }, strides);
    let addresses = smallvec![array.pointer() as usize, to];
    over(&BoundLoops { nest: &nest, code: &StepCode::default(), addresses, tables: SmallVec::new() }, options)
}

/// Runs a program as planned; the meter counts what its buffers hold.
pub(super) fn run_metered(
    program: &Program,
    options: &Options,
    lent: &[(NodeId, &LentMemory)],
    meter: &mut Meter,
) -> Result<Vec<Array>, RunError> {
    let plan = plan_with_code(program, options, lent)?;
    run_planned(&plan, RunInputs::of(program), options, lent, meter)
}

/// Follows a plan that is for these inputs.
pub(super) fn run_planned(
    plan: &PlanWithCode,
    inputs: RunInputs,
    options: &Options,
    lent: &[(NodeId, &LentMemory)],
    meter: &mut Meter,
) -> Result<Vec<Array>, RunError> {
    could_hold(plan, meter)?;
    let mut memory = RunMemory::new(inputs, plan, lent, meter);
    for (step, code) in plan.coded_steps() {
        match step {
            PlanStep::Allocate(buffer) => memory.allocate(*buffer)?,
            PlanStep::Release(buffer) => memory.release(*buffer),
            PlanStep::Run(nest) => {
                options.poll()?;
                over(&BoundLoops::new(nest, code, |storage| memory.address(storage)), options)?;
            }
            PlanStep::Check { check, at } => {
                let fault = memory.fault(at);
                if fault >= 0 {
                    return Err(RunError::CheckFailed { check: *check, index: fault as u64 });
                }
            }
        }
    }
    Ok(memory.outputs())
}

/// Runs loops, whose innermost is compiled when it first runs.
fn over(bound: &BoundLoops, options: &Options) -> Result<(), RunError> {
    let nest = bound.nest;
    if nest.nest.kind == NestKind::Element {
        return bound.compute_element(options.watch());
    }
    bound.code.prepare(nest, options);
    match nest.nest.kind {
        NestKind::Element | NestKind::Map => bound.run_map(options),
        NestKind::Rows => bound.run_rows(options),
        NestKind::Columns => bound.run_columns(options),
    }
}
