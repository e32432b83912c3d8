//! The loop around a body.
//!
//! ```text
//! fn(scratch, operands, start, len):
//!   addresses of operands at `start`; elements that repeat are loaded
//!   body:    a chunk; again while a whole one is left
//!   tail:    the last elements of inputs go to scratch, then once more the body, which stores to scratch
//!   finish:  the last elements of outputs come from there
//! ```
//!
//! So there is one copy of the body, and nothing beyond the last element is touched.

use super::ClifWriter;
use super::memory::ElementCursor;
use super::numbers::plain;
use crate::exec::stepping::{LoopInput, Step};
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};

/// Bytes of an operand's description.
const OPERAND: i32 = 16;

/// Where an operand is in an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access {
    /// The address of the chunk's first element; of a count, its value.
    pub(super) address: Value,
    /// The distance to the next element, or value.
    pub(super) stride: Value,
    pub(super) step: Step,
    /// Of elements in memory; a count has none.
    pub(super) dtype: Option<DType>,
}

impl Access {
    /// The elements of the chunk.
    pub(super) fn place(&self) -> ElementCursor {
        match self.step {
            Step::Strided | Step::Alternate => ElementCursor::Strided(self.address, self.stride),
            Step::Back => ElementCursor::Back(self.address),
            Step::Dense | Step::Repeat | Step::Stream => ElementCursor::Dense(self.address),
        }
    }

    fn moves(&self) -> bool {
        self.step != Step::Repeat
    }

    fn size(&self) -> usize {
        self.dtype.map_or(0, DType::size)
    }
}

/// An operand's row of scratch.
#[derive(Clone, Copy)]
struct ScratchRow {
    /// Which operand.
    operand: usize,
    address: Value,
    size: usize,
    /// Whether its elements lie backwards.
    back: bool,
    output: bool,
}

impl ClifWriter<'_, '_> {
    /// Writes the function; the bytes of scratch that it needs.
    pub(super) fn frame(&mut self) -> usize {
        let entry = self.b.create_block();
        self.b.append_block_params_for_function_params(entry);
        self.b.switch_to_block(entry);
        let [scratch, operands, start, len] =
            self.b.block_params(entry).try_into().expect("the signature has four parameters");
        let base = self.find_operands(operands, start);
        self.find_constants();
        self.load_repeated_inputs(&base);
        let (rows, bytes) = self.rows(&base, scratch);
        let [body, rest, tail, finish, done] = [(); 5].map(|()| self.b.create_block());
        self.start(&base, len, [body, rest]);
        self.body(&base, [body, rest]);

        // What is left: some elements, none, or less than none after the last ones.
        let left = self.b.append_block_param(rest, types::I64);
        self.b.switch_to_block(rest);
        let some = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, left, 0);
        let other = self.b.create_block();
        self.b.ins().brif(some, tail, &[], other, &[]);
        self.b.switch_to_block(other);
        let none = self.b.ins().icmp_imm_s(IntCC::Equal, left, 0);
        self.b.ins().brif(none, done, &[], finish, &[]);

        self.b.switch_to_block(tail);
        let arguments = self.tail(&base, &rows, len, left);
        self.b.ins().jump(body, &arguments);

        self.b.switch_to_block(finish);
        let count = self.b.ins().iadd_imm_s(left, self.chunk as i64);
        self.finish(&base, &rows, len, count);
        self.b.ins().jump(done, &[]);
        self.b.switch_to_block(done);
        self.b.ins().return_(&[]);
        bytes
    }

    /// Operands at `start`.
    pub(super) fn find_operands(&mut self, operands: Value, start: Value) -> Vec<Access> {
        let inputs = self.code.inputs.iter().map(|input| match *input {
            LoopInput::Array(dtype, step) => (Some(dtype), step),
            LoopInput::Count => (None, Step::Strided),
        });
        let outputs = self.code.outputs.iter().map(|output| (Some(self.code.dtype(output.value)), output.step));
        let described: Vec<(Option<DType>, Step)> = inputs.chain(outputs).collect();
        let mut accesses = Vec::with_capacity(described.len());
        for (index, (dtype, step)) in described.into_iter().enumerate() {
            let at = index as i32 * OPERAND;
            let address = self.b.ins().load(types::I64, plain(), operands, at);
            let size = dtype.map_or(0, DType::size) as i64;
            let stride = match step {
                Step::Strided | Step::Alternate => self.b.ins().load(types::I64, plain(), operands, at + 8),
                Step::Repeat => self.b.ins().iconst(types::I64, 0),
                Step::Back => self.b.ins().iconst(types::I64, -size),
                Step::Dense | Step::Stream => self.b.ins().iconst(types::I64, size),
            };
            let access = Access { address, stride, step, dtype };
            let address = if access.moves() { self.moved(&access, start) } else { address };
            accesses.push(Access { address, ..access });
        }
        accesses
    }

    /// The address of an operand's element.
    fn moved(&mut self, access: &Access, index: Value) -> Value {
        let distance = self.b.ins().imul(index, access.stride);
        self.b.ins().iadd(access.address, distance)
    }

    pub(super) fn load_repeated_inputs(&mut self, base: &[Access]) {
        for (input, access) in base[..self.code.inputs.len()].iter().enumerate() {
            if let (Some(dtype), Step::Repeat) = (access.dtype, access.step) {
                self.values.repeated[input] = Some(self.load_repeated(dtype, access.address));
            }
        }
    }

    /// Where the last elements of operands go, and the bytes of all.
    fn rows(&mut self, base: &[Access], scratch: Value) -> (Vec<ScratchRow>, usize) {
        let (mut rows, mut end) = (Vec::new(), 0);
        for (operand, access) in base.iter().enumerate().filter(|(_, access)| access.moves() && access.dtype.is_some())
        {
            let address = self.b.ins().iadd_imm_s(scratch, end as i64);
            let output = operand >= self.code.inputs.len();
            rows.push(ScratchRow { operand, address, size: access.size(), back: access.step == Step::Back, output });
            end += (self.chunk * access.size()).next_multiple_of(64);
        }
        (rows, end)
    }

    /// To the body if a whole chunk is there.
    fn start(&mut self, base: &[Access], len: Value, [body, rest]: [Block; 2]) {
        let mut arguments = vec![BlockArg::from(len)];
        for access in base.iter().filter(|access| access.moves()) {
            arguments.extend([BlockArg::from(access.address), BlockArg::from(access.stride)]);
        }
        let whole = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, len, self.chunk as i64);
        self.b.ins().brif(whole, body, &arguments, rest, &[len.into()]);
    }

    /// The body, of a chunk where its parameters say.
    fn body(&mut self, base: &[Access], [body, rest]: [Block; 2]) {
        let left = self.b.append_block_param(body, types::I64);
        self.accesses = base.to_vec();
        for access in self.accesses.iter_mut().filter(|access| access.moves()) {
            let [address, stride] = [(); 2].map(|()| self.b.append_block_param(body, types::I64));
            // A distance that is known is no matter of the iteration.
            let stride = if access.step.is_sparse() { stride } else { access.stride };
            *access = Access { address, stride, ..*access };
        }
        self.b.switch_to_block(body);
        self.find_constants_again();
        self.steps();
        let left = self.b.ins().iadd_imm_s(left, -(self.chunk as i64));
        let chunk = self.number(self.chunk);
        let mut arguments = vec![BlockArg::from(left)];
        for access in self.accesses.clone().into_iter().filter(Access::moves) {
            let next = self.moved(&access, chunk);
            arguments.extend([BlockArg::from(next), BlockArg::from(access.stride)]);
        }
        let again = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, left, self.chunk as i64);
        self.b.ins().brif(again, body, &arguments, rest, &[left.into()]);
    }

    /// Copies the last elements of inputs. Returns what the body is called with.
    fn tail(&mut self, base: &[Access], rows: &[ScratchRow], len: Value, left: Value) -> Vec<BlockArg> {
        let done = self.b.ins().isub(len, left);
        let inputs: Vec<ScratchRow> = rows.iter().filter(|row| !row.output).copied().collect();
        self.copy(base, &inputs, done, left);
        let mut arguments = vec![BlockArg::from(left)];
        for (operand, access) in base.iter().enumerate().filter(|(_, access)| access.moves()) {
            let (address, stride) = match rows.iter().find(|row| row.operand == operand) {
                None => (self.moved(access, done), access.stride),
                Some(row) if row.back => (self.last(row), access.stride),
                Some(row) => (row.address, self.number(row.size)),
            };
            arguments.extend([BlockArg::from(address), BlockArg::from(stride)]);
        }
        arguments
    }

    /// The place of the first element of those that lie backwards.
    fn last(&mut self, row: &ScratchRow) -> Value {
        self.b.ins().iadd_imm_s(row.address, ((self.chunk - 1) * row.size) as i64)
    }

    /// Copies the last elements of outputs.
    fn finish(&mut self, base: &[Access], rows: &[ScratchRow], len: Value, count: Value) {
        let done = self.b.ins().isub(len, count);
        let outputs: Vec<ScratchRow> = rows.iter().filter(|row| row.output).copied().collect();
        self.copy(base, &outputs, done, count);
    }

    /// Copies elements between operands, behind those that are done, and their rows.
    fn copy(&mut self, base: &[Access], rows: &[ScratchRow], done: Value, count: Value) {
        if rows.is_empty() {
            return;
        }
        let [head, after] = [(); 2].map(|()| self.b.create_block());
        let index = self.b.append_block_param(head, types::I64);
        let zero = self.number(0);
        let mut places = Vec::new();
        for row in rows {
            places.push((self.moved(&base[row.operand], done), if row.back { self.last(row) } else { row.address }));
        }
        self.b.ins().jump(head, &[zero.into()]);
        self.b.switch_to_block(head);
        for (row, (operand, scratch)) in rows.iter().zip(places) {
            let at = self.moved(&Access { address: operand, ..base[row.operand] }, index);
            let distance = self.b.ins().imul_imm_s(index, if row.back { -(row.size as i64) } else { row.size as i64 });
            let place = self.b.ins().iadd(scratch, distance);
            let (from, to) = if row.output { (place, at) } else { (at, place) };
            self.copy_element(row.size, from, to);
        }
        let next = self.b.ins().iadd_imm_s(index, 1);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, next, count);
        self.b.ins().brif(more, head, &[next.into()], after, &[]);
        self.b.switch_to_block(after);
    }
}
