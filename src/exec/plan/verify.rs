//! The rules of every plan, in the order in which they are checked:
//!
//! 1. A buffer gets its memory once and loses it at most once. Steps name it in between, and a buffer that is given
//!    keeps its memory.
//! 2. Every element that loops touch lies in its storage: in an input between the first and the last byte of its
//!    elements, in a buffer or a constant among its bytes.
//! 3. Loops read nothing that they have overwritten. In one buffer, either no element is both read and written, or each
//!    element goes back where it was read from, through a block of scratch. Spaces of up to 4096 elements are compared
//!    element by element.
//! 4. A buffer is read, given or checked when something has written to it.
//! 5. The loops have as many rounds as the space has elements.

use super::nest::positions;
use super::storage::{Storage, StoredArray};
use super::{LoopNest, NestKind, Origin, Plan, PlanStep, Use};
use crate::array::extent;
use crate::exec::space::{LoopDim, Odometer};
use crate::ir::verify::ensure;
use crate::types::DType;
use std::ops::Range;

/// Elements that are compared one by one.
const MAX_COMPARED_ELEMENTS: usize = 4096;

#[derive(Clone, Copy, PartialEq, Eq)]
enum BufferState {
    Fresh,
    /// The buffer has memory, but nothing is written to it.
    Allocated,
    Written,
    Released,
}

/// Checks a plan.
///
/// # Errors
/// The first broken rule.
pub(super) fn plan(plan: &Plan) -> Result<(), String> {
    let mut buffers = vec![BufferState::Fresh; plan.buffers.len()];
    for (index, step) in plan.steps.iter().enumerate() {
        self::step(plan, step, &mut buffers).map_err(|reason| format!("step {index} of the plan: {reason}"))?;
    }
    plan.outputs.iter().try_for_each(|output| is_there(output, &buffers))
}

fn step(plan: &Plan, step: &PlanStep, buffers: &mut [BufferState]) -> Result<(), String> {
    match step {
        PlanStep::Allocate(buffer) => {
            let state = &mut buffers[*buffer as usize];
            ensure(*state == BufferState::Fresh, "a buffer gets its memory twice")?;
            *state = BufferState::Allocated;
            Ok(())
        }
        PlanStep::Release(buffer) => {
            let state = &mut buffers[*buffer as usize];
            ensure(matches!(state, BufferState::Allocated | BufferState::Written), "a buffer has nothing to lose")?;
            *state = BufferState::Released;
            Ok(())
        }
        PlanStep::Check { at, .. } => {
            is_there(at, buffers)?;
            ensure(at.dtype == DType::I64 && at.sizes.iter().product::<usize>() == 1, "a check is a scalar")
        }
        PlanStep::Run(nest) => loops(plan, nest, buffers),
    }
}

fn is_there(array: &StoredArray, buffers: &[BufferState]) -> Result<(), String> {
    match array.storage {
        Storage::Buffer(buffer) if !array.is_empty() => {
            ensure(buffers[buffer as usize] == BufferState::Written, "what is given or checked was not made")
        }
        Storage::Buffer(_) | Storage::Input(_) | Storage::Constant(_) => Ok(()),
    }
}

/// The bytes of a storage, seen from its first element.
fn bytes(plan: &Plan, storage: Storage) -> Range<isize> {
    let all = |sizes: &[usize], dtype: DType| extent(sizes, dtype.size()).map_or(0, |(_, bytes)| bytes as isize);
    match storage {
        Storage::Buffer(buffer) => {
            let buffer = &plan.buffers[buffer as usize];
            0..all(&buffer.sizes, buffer.dtype)
        }
        Storage::Constant(constant) => 0..plan.constants[constant as usize].dtype().size() as isize,
        Storage::Input(input) => {
            let Some(layout) = plan.inputs.iter().find(|layout| layout.input == input) else { return 0..0 };
            reach(0, layout.sizes.iter().copied().zip(layout.strides.iter().copied()), layout.dtype)
        }
    }
}

/// The bytes that are touched from an offset on, along axes with a length and a stride.
fn reach(offset: isize, axes: impl Iterator<Item = (usize, isize)>, dtype: DType) -> Range<isize> {
    let (mut low, mut high) = (offset, offset + dtype.size() as isize);
    for (len, stride) in axes {
        let reach = (len as isize - 1).wrapping_mul(stride);
        if reach < 0 { low += reach } else { high += reach }
    }
    low..high
}

fn loops(plan: &Plan, step: &LoopNest, buffers: &mut [BufferState]) -> Result<(), String> {
    let (loops, nest) = (&step.loops, &step.nest);
    let touched = |operand: usize| {
        let Origin::At { storage, offset } = step.origins[operand] else { return None };
        let axes = loops.space.iter().copied().zip(loops.strides[operand].iter().copied());
        let used = operand.checked_sub(loops.inputs()).and_then(|output| loops.outputs.get(output));
        let dtype = match used {
            // The loop makes positions. The elements at these positions go where this operand says, if there are any.
            Some((_, Use::Gather { .. })) if bytes(plan, storage).is_empty() => return Some((storage, offset, 0..0)),
            Some((_, Use::Gather { .. })) => DType::U8,
            Some((_, Use::Fold(fold))) => fold.result(loops.dtypes[operand]),
            _ => loops.dtypes[operand],
        };
        Some((storage, offset, reach(offset, axes, dtype)))
    };
    let nothing = loops.space.contains(&0);
    for operand in 0..loops.dtypes.len() {
        let Some((storage, _, range)) = touched(operand) else { continue };
        let writes = operand >= loops.inputs();
        if let Storage::Buffer(buffer) = storage {
            let state = &mut buffers[buffer as usize];
            let usable =
                if writes { [BufferState::Allocated, BufferState::Written] } else { [BufferState::Written; 2] };
            ensure(
                usable.contains(state) || nothing && !writes,
                "a buffer is used that has no memory, or is not written",
            )?;
            if writes {
                *state = BufferState::Written;
            }
        } else {
            ensure(!writes, "only buffers are written")?;
        }
        let there = bytes(plan, storage);
        let inside = there.start <= range.start && range.end <= there.end;
        ensure(nothing || inside, "an operand leaves its storage")?;
    }
    for reader in &step.readers {
        let there =
            matches!(reader.storage, Storage::Buffer(buffer) if buffers[buffer as usize] != BufferState::Written);
        ensure(!there || reader.is_empty || reader.len == 0, "what is read by position was not made")?;
    }
    for output in loops.inputs()..loops.dtypes.len() {
        for input in 0..loops.inputs() {
            ensure(nothing || keeps_apart(step, output, input), "loops read what they have overwritten")?;
        }
    }
    let elements: usize = loops.space.iter().product();
    let rounds = positions(&nest.outer) * positions(&nest.between) * nest.inner.len;
    ensure(nest.kind == NestKind::Element || nothing || rounds == elements, "the loops do not cover the space")
}

/// Whether two operands share no element, or share each element at its place, through scratch.
fn keeps_apart(step: &LoopNest, output: usize, input: usize) -> bool {
    let loops = &step.loops;
    let (Origin::At { storage, offset }, Origin::At { storage: other, offset: from }) =
        (step.origins[output], step.origins[input])
    else {
        return true;
    };
    if storage != other {
        return true;
    }
    let buffered = step.nest.kind == NestKind::Element || loops.outputs[output - loops.inputs()].1 == Use::Buffered;
    let along = |operand: usize| loops.space.iter().zip(&loops.strides[operand]).filter(|(len, _)| **len != 1);
    if offset == from && along(output).eq(along(input)) && buffered {
        return true;
    }
    let elements: usize = loops.space.iter().product();
    elements > MAX_COMPARED_ELEMENTS || are_disjoint(loops.space.iter().copied(), step, [output, input], [offset, from])
}

/// Whether two operands have no byte in common, element by element.
fn are_disjoint(lens: impl Iterator<Item = usize>, step: &LoopNest, operands: [usize; 2], offsets: [isize; 2]) -> bool {
    let loops = &step.loops;
    let stride = |axis: usize| operands.map(|operand| loops.strides[operand][axis]);
    let dims: Vec<LoopDim> =
        lens.enumerate().map(|(axis, len)| LoopDim { len, strides: stride(axis).as_slice().into() }).collect();
    let mut odometer = Odometer::new(&dims, 2);
    let size = loops.dtypes[operands[1]].size() as isize;
    let (mut written, mut read) = (std::collections::BTreeSet::new(), Vec::new());
    loop {
        written.insert(offsets[0] + odometer.offsets()[0]);
        read.push(offsets[1] + odometer.offsets()[1]);
        if !odometer.advance() {
            break;
        }
    }
    read.iter().all(|&at| written.range(at - size + 1..at + size).next().is_none())
}
