//! Loops over scattered elements, by way of packed blocks.
//!
//! Wide vectors are loaded whole, so a loop with much to do for each element gets its elements side by side. A block of
//! them is copied to scratch, the loop over dense operands runs, and results are copied to their places. Where there is
//! little to do, vectors of 128 bits made of single elements are as fast.
#![expect(unsafe_code, reason = "scattered elements are copied between addresses with strides")]

use super::lower::{TargetAbilities, VectorOp, VectorStep, lower};
use super::x86::{self, MachineLoop};
use crate::exec::block::copy_strided;
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, LoopOperand, Step};

/// The most elements of a block.
const MAX_BLOCK_ELEMENTS: usize = 512;
/// Bytes of rows that leave room in the first-level cache for what they are copied from.
const SCRATCH_BYTES: usize = 16 << 10;
/// Bytes between rows, so that not all of them begin at the same place of a page.
const ROW_GAP_BYTES: usize = 64;
/// Loops of at most so many steps are not worth a copy of their operands.
const MAX_UNPACKED_STEPS: usize = 16;

/// The code of a loop over dense operands, for operands of which some are not.
pub(super) struct PackedLoop {
    dense: MachineLoop,
    /// Of each operand, inputs first: bytes of an element, and whether it is copied.
    operands: Vec<(usize, bool)>,
    inputs: usize,
    /// Elements of a block.
    block: usize,
    /// Bytes of scratch that the code needs.
    pub(super) scratch: usize,
}

fn is_apart(step: Step) -> bool {
    matches!(step, Step::Back | Step::Strided | Step::Alternate)
}

/// Compiles a loop if a copy of its operands is worth it.
pub(super) fn compile(code: &Loop, level: Level) -> Option<PackedLoop> {
    let computes = |step: &&VectorStep| !matches!(step.op, VectorOp::Const(_));
    if lower(code, TargetAbilities::default()).steps.iter().filter(computes).count() <= MAX_UNPACKED_STEPS {
        return None;
    }
    let mut dense = code.clone();
    let mut operands = Vec::new();
    for input in &mut dense.inputs {
        match input {
            LoopInput::Array(dtype, step) => {
                operands.push((dtype.size(), is_apart(*step)));
                *step = if is_apart(*step) { Step::Dense } else { *step };
            }
            LoopInput::Count => operands.push((0, false)),
        }
    }
    for index in 0..dense.outputs.len() {
        let (bytes, output) = (code.dtype(code.outputs[index].value).size(), &mut dense.outputs[index]);
        operands.push((bytes, is_apart(output.step)));
        output.step = if is_apart(output.step) { Step::Dense } else { output.step };
    }
    if operands.iter().all(|(_, copied)| !copied) {
        return None;
    }
    let dense = x86::compile(&dense, level)?;
    let copied = || operands.iter().filter(|(_, copied)| *copied).map(|(bytes, _)| bytes);
    let block = (SCRATCH_BYTES / copied().sum::<usize>() / ROW_GAP_BYTES * ROW_GAP_BYTES)
        .clamp(ROW_GAP_BYTES, MAX_BLOCK_ELEMENTS);
    let rows: usize = copied().map(|bytes| bytes * block + ROW_GAP_BYTES).sum();
    let scratch = dense.scratch.next_multiple_of(64) + rows;
    Some(PackedLoop { dense, operands, inputs: code.inputs.len(), block, scratch })
}

impl PackedLoop {
    /// Runs elements.
    ///
    /// # Safety
    /// As for [`crate::exec::stepping::Code::run`]; `scratch` has as many bytes as the code needs, aligned to 64.
    pub(super) unsafe fn run(&self, scratch: *mut u8, operands: &[LoopOperand], start: usize, len: usize) {
        let rows = scratch.wrapping_add(self.dense.scratch.next_multiple_of(64));
        for done in (0..len).step_by(self.block) {
            let count = self.block.min(len - done);
            let mut row = rows;
            let mut dense = operands.to_vec();
            for (index, (operand, &(bytes, copied))) in dense.iter_mut().zip(&self.operands).enumerate() {
                let first = operand.address.wrapping_add_signed(operand.stride.wrapping_mul((start + done) as isize));
                operand.address = first;
                if !copied {
                    continue;
                }
                if index < self.inputs {
                    // SAFETY: the caller promises these elements of the input, and the row has room for a block.
                    unsafe { copy_strided(bytes, first as *const u8, operand.stride, row, bytes as isize, count) };
                }
                *operand = LoopOperand { address: row as usize, stride: bytes as isize };
                row = row.wrapping_add(bytes * self.block + ROW_GAP_BYTES);
            }
            // SAFETY: the caller promises scratch, and operands that are not copied; rows hold a block of the others.
            unsafe { self.dense.run(scratch, &dense, 0, count) };
            for index in (self.inputs..operands.len()).filter(|&index| self.operands[index].1) {
                let (bytes, to) = (self.operands[index].0, operands[index]);
                let first = to.address.wrapping_add_signed(to.stride.wrapping_mul((start + done) as isize));
                let row = dense[index].address as *const u8;
                // SAFETY: the caller promises room for these elements, and the row holds the block that was computed.
                unsafe { copy_strided(bytes, row, bytes as isize, first as *mut u8, to.stride, count) };
            }
        }
    }
}
