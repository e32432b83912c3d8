//! Interprets inner loops a block of elements at a time.
//!
//! Each instruction has a row of scratch; loads gather into it, prims are block functions over it. This is what runs
//! where no code can be compiled, and what compiled code is compared with.
#![expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]

use super::stepping::{Code, Loop, LoopInput, LoopOperand, Step};
use super::vmath::{BlockFn, block_fn};
use crate::array::bytes::{AlignedBytes, OutOfMemory};
use crate::kernel::{BLOCK, InstId, InstOp};
use crate::types::DType;

/// An inner loop, ready to be interpreted.
pub(crate) struct Interpreter<'l> {
    code: &'l Loop,
    functions: Vec<Option<BlockFn>>,
    /// Where the row of each instruction begins.
    rows: Vec<usize>,
    /// Elements of a row.
    room: usize,
    scratch: AlignedBytes,
}

impl<'l> Interpreter<'l> {
    pub(crate) fn new(code: &'l Loop) -> Result<Interpreter<'l>, OutOfMemory> {
        Interpreter::for_blocks(code, BLOCK)
    }

    /// An interpreter for blocks of at most `room` elements. `room` is a multiple of 64.
    pub(crate) fn for_blocks(code: &'l Loop, room: usize) -> Result<Interpreter<'l>, OutOfMemory> {
        let mut rows = Vec::with_capacity(code.body.insts.len());
        let mut end = 0;
        let mut functions = Vec::with_capacity(code.body.insts.len());
        for inst in &code.body.insts {
            rows.push(end);
            end += room * inst.dtype.size();
            functions.push(match inst.op {
                InstOp::Prim(prim, args) => {
                    let dtypes: Vec<DType> = args.iter().flatten().map(|&arg| code.dtype(arg)).collect();
                    block_fn(prim, &dtypes, inst.dtype)
                }
                InstOp::Load(_) | InstOp::Iota(_) | InstOp::Const(_) => None,
            });
        }
        let mut scratch = AlignedBytes::zeroed(end)?;
        for (inst, &row) in code.body.insts.iter().zip(&rows) {
            if let InstOp::Const(bits) = inst.op {
                let size = inst.dtype.size();
                for place in scratch.as_mut_slice()[row..][..room * size].chunks_exact_mut(size) {
                    place.copy_from_slice(&bits.to_le_bytes()[..size]);
                }
            }
        }
        Ok(Interpreter { code, functions, rows, room, scratch })
    }

    fn row(&mut self, value: InstId) -> *mut u8 {
        self.scratch.as_mut_ptr().wrapping_add(self.rows[value.0 as usize])
    }

    /// Interprets one block of elements.
    ///
    /// # Safety
    /// As for [`Code::run`]; `len` is at most the `room` of a row.
    unsafe fn run_block(&mut self, operands: &[LoopOperand], start: usize, len: usize) {
        let code = self.code;
        for (index, inst) in code.body.insts.iter().enumerate() {
            let row = self.row(InstId(index as u32));
            match inst.op {
                InstOp::Const(_) => {}
                InstOp::Load(source) | InstOp::Iota(source) => {
                    let operand = operands[source as usize];
                    let stride = operand.stride;
                    let first = operand.address.wrapping_add_signed(stride.wrapping_mul(start as isize));
                    match code.inputs[source as usize] {
                        // SAFETY: the row has room for a block, and the caller promises elements that can be read.
                        LoopInput::Array(dtype, step) => unsafe {
                            let from = first as *const u8;
                            match step {
                                Step::Dense => std::ptr::copy_nonoverlapping(from, row, len * dtype.size()),
                                Step::Repeat | Step::Back | Step::Alternate | Step::Strided | Step::Stream => {
                                    copy_strided(dtype.size(), from, stride, row, dtype.size() as isize, len);
                                }
                            }
                            if dtype == DType::Bool {
                                std::slice::from_raw_parts_mut(row, len).iter_mut().for_each(|x| *x = (*x != 0).into());
                            }
                        },
                        LoopInput::Count => {
                            let count = |at: usize| first.wrapping_add_signed(stride.wrapping_mul(at as isize)) as i64;
                            let begin = self.rows[index];
                            let places = self.scratch.as_mut_slice()[begin..][..8 * len].as_chunks_mut::<8>().0;
                            places.iter_mut().enumerate().for_each(|(at, place)| *place = count(at).to_ne_bytes());
                        }
                    }
                }
                InstOp::Prim(_, args) => {
                    let mut pointers = [std::ptr::null_mut(); 3];
                    for (pointer, arg) in pointers.iter_mut().zip(args.into_iter().flatten()) {
                        *pointer = self.row(arg);
                    }
                    let function = self.functions[index].expect("every prim of a verified kernel has one");
                    // SAFETY: rows have room for a block, and operands were computed before.
                    unsafe { function(row, pointers[0], pointers[1], pointers[2], len) };
                }
            }
        }
        for (output, operand) in code.outputs.iter().zip(&operands[code.inputs.len()..]) {
            let size = code.dtype(output.value).size();
            let to = operand.address.wrapping_add_signed(operand.stride.wrapping_mul(start as isize)) as *mut u8;
            let row = self.row(output.value);
            // SAFETY: the caller promises room for these elements; the row has them.
            unsafe { copy_strided(size, row, size as isize, to, operand.stride, len) };
        }
    }
}

impl Code for Interpreter<'_> {
    unsafe fn run(&mut self, operands: &[LoopOperand], start: usize, len: usize) {
        for first in (0..len).step_by(self.room) {
            // SAFETY: part of the elements that the caller speaks of.
            unsafe { self.run_block(operands, start + first, self.room.min(len - first)) };
        }
    }
}

/// Copies elements from one stride to another.
///
/// # Safety
/// `size` is that of a dtype. From `from` on, `len` elements of `size` bytes can be read, each `from_stride` bytes
/// behind the last. From `to` on, as many can be written, each `to_stride` bytes behind the last. Both have any
/// alignment.
pub(crate) unsafe fn copy_strided(
    size: usize,
    from: *const u8,
    from_stride: isize,
    to: *mut u8,
    to_stride: isize,
    len: usize,
) {
    /// # Safety
    /// As for `copy_strided`; an element has the size of `T`.
    unsafe fn elements<T: Copy>(from: *const u8, from_stride: isize, to: *mut u8, to_stride: isize, len: usize) {
        for at in 0..len as isize {
            // SAFETY: `at` is below `len`, so the caller promises the element at both places; no alignment is needed.
            unsafe {
                let element = from.offset(at * from_stride).cast::<T>().read_unaligned();
                to.offset(at * to_stride).cast::<T>().write_unaligned(element);
            }
        }
    }
    // SAFETY: the caller promises elements of `size` bytes, which is the size of the type that is chosen.
    unsafe {
        match size {
            1 => elements::<u8>(from, from_stride, to, to_stride, len),
            2 => elements::<u16>(from, from_stride, to, to_stride, len),
            4 => elements::<u32>(from, from_stride, to, to_stride, len),
            8 => elements::<u64>(from, from_stride, to, to_stride, len),
            _ => elements::<u128>(from, from_stride, to, to_stride, len),
        }
    }
}
