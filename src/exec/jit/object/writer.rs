//! The writer of an object's functions. It writes numbers, loops, conditions, memory, and calls of loops.

use super::form::LinearForm;
use super::module::ObjectCode;
use super::refusal::BuildRefusal;
use super::scalars::address_of_data;
use super::shared::{self, LoopCode};
use crate::exec::jit::clif::numbers::plain;
use crate::exec::stepping::Loop;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    Block, BlockArg, Function, InstBuilder, Signature, StackSlot, StackSlotData, StackSlotKind, UserFuncName, Value,
    types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_module::{FuncId, Module};
use std::collections::HashMap;

/// Writes a function of an object.
pub(super) struct CodeWriter<'w, 'f> {
    pub(super) b: &'w mut FunctionBuilder<'f>,
    pub(super) object: &'w mut ObjectCode,
    /// Stack for operands of a loop, by their number, and for scratch, by its bytes.
    operands: HashMap<usize, StackSlot>,
    scratch: HashMap<usize, StackSlot>,
    /// Stack for the distances of operands from row to row.
    distances: HashMap<usize, StackSlot>,
    /// The table of loops, in a function that levels share.
    loops: Option<Value>,
}

/// A loop that is being written.
pub(super) struct BegunLoop {
    /// The number of this turn.
    pub(super) at: Value,
    head: Block,
    after: Block,
}

/// Bytes of an operand's description.
const OPERAND: i32 = 16;

/// Bytes of a line of caches: no row of scratch lies on two.
const LINE: i64 = 64;

/// Defines a function of an object.
pub(super) fn define(
    object: &mut ObjectCode,
    id: FuncId,
    signature: Signature,
    write: impl FnOnce(&mut CodeWriter, &[Value]) -> Result<(), BuildRefusal>,
) -> Result<(), BuildRefusal> {
    let mut function = Function::with_name_signature(UserFuncName::user(0, id.as_u32()), signature);
    let mut context = FunctionBuilderContext::new();
    let mut b = FunctionBuilder::new(&mut function, &mut context);
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params = b.block_params(entry).to_vec();
    let (operands, scratch, distances) = Default::default();
    write(&mut CodeWriter { b: &mut b, object, operands, scratch, distances, loops: None }, &params)?;
    b.seal_all_blocks();
    b.finalize(object.module.target_config());
    object.define(id, function)
}

/// What a function of an object gives to who calls it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ReturnedValue {
    Nothing,
    Word,
}

/// A function of an object that others call, by its name; it is written when it is first asked for.
pub(super) fn helper(
    object: &mut ObjectCode,
    name: String,
    (params, returned): (usize, ReturnedValue),
    write: impl FnOnce(&mut CodeWriter, &[Value]) -> Result<(), BuildRefusal>,
) -> Result<FuncId, BuildRefusal> {
    if let Some(known) = object.known(&name) {
        return Ok(known);
    }
    // A function that levels share is called with a table of loops too.
    let shares = object.shares();
    let signature =
        object.signature(params + usize::from(shares), (returned == ReturnedValue::Word).then_some(types::I64));
    let id = object.local(&signature)?;
    define(object, id, signature, |w, params| match params.split_last() {
        Some((&table, own)) if shares => {
            w.find_loops(table);
            write(w, own)
        }
        _ => write(w, params),
    })?;
    object.keep(name, id);
    Ok(id)
}

impl CodeWriter<'_, '_> {
    pub(super) fn int(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    pub(super) fn add(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().iadd(a, b)
    }

    pub(super) fn sub(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().isub(a, b)
    }

    pub(super) fn mul(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().imul(a, b)
    }

    pub(super) fn plus(&mut self, a: Value, b: i64) -> Value {
        self.b.ins().iadd_imm_s(a, b)
    }

    pub(super) fn times(&mut self, a: Value, b: i64) -> Value {
        self.b.ins().imul_imm_s(a, b)
    }

    pub(super) fn least(&mut self, a: Value, b: Value) -> Value {
        self.b.ins().smin(a, b)
    }

    pub(super) fn is(&mut self, a: Value, how: IntCC, b: i64) -> Value {
        self.b.ins().icmp_imm_s(how, a, b)
    }

    pub(super) fn load(&mut self, from: Value, offset: i32) -> Value {
        self.b.ins().load(types::I64, plain(), from, offset)
    }

    pub(super) fn store(&mut self, value: Value, to: Value, offset: i32) {
        self.b.ins().store(plain(), value, to, offset);
    }

    /// The bytes from one element to the next along each axis of an array in C order.
    pub(super) fn dense_strides(&mut self, dtype: DType, sizes: &[Value]) -> Vec<Value> {
        let mut strides = vec![self.int(dtype.size() as i64); sizes.len()];
        for axis in (0..sizes.len().saturating_sub(1)).rev() {
            strides[axis] = self.mul(strides[axis + 1], sizes[axis + 1]);
        }
        strides
    }

    /// Does something if a condition holds.
    pub(super) fn when<E>(&mut self, condition: Value, then: impl FnOnce(&mut Self) -> Result<(), E>) -> Result<(), E> {
        let after = self.begin_if(condition);
        then(self)?;
        self.end_if(after);
        Ok(())
    }

    /// Begins code that runs if a condition holds. `end_if` ends it, with the block that this returns.
    pub(super) fn begin_if(&mut self, condition: Value) -> Block {
        let (yes, after) = (self.b.create_block(), self.b.create_block());
        self.b.ins().brif(condition, yes, &[], after, &[]);
        self.b.switch_to_block(yes);
        after
    }

    pub(super) fn end_if(&mut self, after: Block) {
        self.b.ins().jump(after, &[]);
        self.b.switch_to_block(after);
    }

    /// Does something for each number below a count, which may be less than one.
    pub(super) fn each<E>(
        &mut self,
        count: Value,
        body: impl FnOnce(&mut Self, Value) -> Result<(), E>,
    ) -> Result<(), E> {
        let zero = self.int(0);
        self.through(zero, count, 1, body)
    }

    /// Does something for each number from `first` on that is below `end`, `step` apart.
    pub(super) fn through<E>(
        &mut self,
        first: Value,
        end: Value,
        step: i64,
        body: impl FnOnce(&mut Self, Value) -> Result<(), E>,
    ) -> Result<(), E> {
        let turn = self.begin_loop(first, end);
        body(self, turn.at)?;
        let next = self.plus(turn.at, step);
        self.end_loop(turn, next);
        Ok(())
    }

    /// Begins code that runs for numbers from `first` on that are below `end`. `end_loop` ends it, and says the next
    /// number.
    pub(super) fn begin_loop(&mut self, first: Value, end: Value) -> BegunLoop {
        let (head, inside, after) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let at = self.b.append_block_param(head, types::I64);
        self.b.ins().jump(head, &[first.into()]);
        self.b.switch_to_block(head);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, at, end);
        self.b.ins().brif(more, inside, &[], after, &[]);
        self.b.switch_to_block(inside);
        BegunLoop { at, head, after }
    }

    pub(super) fn end_loop(&mut self, turn: BegunLoop, next: Value) {
        self.b.ins().jump(turn.head, &[next.into()]);
        self.b.switch_to_block(turn.after);
    }

    /// Like `begin_loop`, for the parts of a length. Each part has `most` elements, and the last one may have fewer.
    /// Returns also how many elements the part has.
    pub(super) fn begin_parts(&mut self, len: Value, most: i64) -> (BegunLoop, Value) {
        let zero = self.int(0);
        let turn = self.begin_loop(zero, len);
        let left = self.sub(len, turn.at);
        let most = self.int(most);
        let count = self.least(left, most);
        (turn, count)
    }

    /// Takes stack memory for the function.
    pub(super) fn stack(&mut self, bytes: usize) -> StackSlot {
        let data = StackSlotData::new(StackSlotKind::ExplicitSlot, bytes.max(16) as u32, 4);
        self.b.create_sized_stack_slot(data)
    }

    pub(super) fn stack_address(&mut self, slot: StackSlot) -> Value {
        self.b.ins().stack_addr(types::I64, slot, 0)
    }

    /// Sets the table of loops, which levels hand on to functions that they share.
    pub(super) fn find_loops(&mut self, table: Value) {
        self.loops = Some(table);
    }

    /// Calls a function of the object.
    pub(super) fn call(&mut self, function: FuncId, arguments: &[Value]) -> Vec<Value> {
        if let (Some(place), Some(table)) = (shared::place(function), self.loops) {
            let distance = self.b.ins().sload32(plain(), table, place);
            let address = self.add(table, distance);
            let signature = self.object.signature(arguments.len(), None);
            let signature = self.b.import_signature(signature);
            let call = self.b.ins().call_indirect(signature, address, arguments);
            return self.b.inst_results(call).to_vec();
        }
        let table = self.loops.filter(|_| self.object.is_shared(function));
        let arguments: Vec<Value> = arguments.iter().copied().chain(table).collect();
        let function = self.object.callee(function, self.b.func);
        let call = self.b.ins().call(function, &arguments);
        self.b.inst_results(call).to_vec()
    }

    /// Calls a function that returns a code. If the code says that something is wrong, it goes to `fail`.
    pub(super) fn call_or(&mut self, function: FuncId, arguments: &[Value], fail: Block) {
        let code = self.call(function, arguments)[0];
        let next = self.b.create_block();
        self.b.ins().brif(code, fail, &[BlockArg::from(code)], next, &[]);
        self.b.switch_to_block(next);
    }

    /// Writes the block that returns what `of` makes of its parameter, a code. This is the only way out.
    pub(super) fn end(&mut self, fail: Block, of: impl FnOnce(&mut Self, Value) -> Value) {
        let code = self.b.append_block_param(fail, types::I64);
        self.b.switch_to_block(fail);
        let code = of(self, code);
        self.b.ins().return_(&[code]);
    }

    /// The address of data of the object.
    pub(super) fn data(&mut self, bytes: Vec<u8>) -> Result<Value, BuildRefusal> {
        let index = self.object.data(bytes)?;
        Ok(address_of_data(self.b, index))
    }

    /// Runs elements of a loop whose operands are at addresses, with distances between elements.
    pub(super) fn run(&mut self, code: LoopCode, operands: &[(Value, Value)], start: Value, len: Value) {
        let one = self.int(1);
        self.run_in_rows(code, operands, (start, len), (one, None));
    }

    /// Runs elements of `rows` rows of a loop, at least one, if the code goes from row to row. After each row, operands
    /// move by the distances `to_next`.
    pub(super) fn run_rows(
        &mut self,
        code: LoopCode,
        operands: &[(Value, Value)],
        elements: (Value, Value),
        rows: Value,
        to_next: &[Value],
    ) {
        let slot = match self.distances.get(&to_next.len()) {
            Some(&slot) => slot,
            None => {
                let slot = self.stack(8 * to_next.len());
                self.distances.insert(to_next.len(), slot);
                slot
            }
        };
        let place = self.stack_address(slot);
        to_next.iter().enumerate().for_each(|(at, &distance)| self.store(distance, place, 8 * at as i32));
        self.run_in_rows(code, operands, elements, (rows, Some(place)));
    }

    fn run_in_rows(
        &mut self,
        code: LoopCode,
        operands: &[(Value, Value)],
        (start, len): (Value, Value),
        (rows, to_next): (Value, Option<Value>),
    ) {
        let slot = match self.operands.get(&operands.len()) {
            Some(&slot) => slot,
            None => {
                let slot = self.stack(operands.len() * OPERAND as usize);
                self.operands.insert(operands.len(), slot);
                slot
            }
        };
        let described = self.stack_address(slot);
        for (index, &(address, stride)) in operands.iter().enumerate() {
            self.store(address, described, index as i32 * OPERAND);
            self.store(stride, described, index as i32 * OPERAND + 8);
        }
        let slot = match self.scratch.get(&code.scratch) {
            Some(&slot) => slot,
            None => {
                let slot = self.stack(code.scratch + LINE as usize);
                self.scratch.insert(code.scratch, slot);
                slot
            }
        };
        let scratch = self.stack_address(slot);
        if !code.is_wide {
            self.call(code.function, &[scratch, described, start, len]);
            return;
        }
        let scratch = self.plus(scratch, LINE - 1);
        let scratch = self.b.ins().band_imm_s(scratch, -LINE);
        let to_next = to_next.unwrap_or_else(|| self.int(0));
        self.call(code.function, &[scratch, described, start, len, rows, to_next]);
    }

    /// Runs a loop whose operands are dense, from their beginning.
    pub(super) fn run_dense(&mut self, code: &Loop, operands: &[(Value, i64)], len: Value) -> Result<(), BuildRefusal> {
        let code = self.object.loop_code(code)?;
        let operands: Vec<(Value, Value)> = operands.iter().map(|&(address, size)| (address, self.int(size))).collect();
        let zero = self.int(0);
        self.run(code, &operands, zero, len);
        Ok(())
    }

    /// Copies bytes.
    pub(super) fn copy(&mut self, to: Value, from: Value, bytes: Value) {
        let config = self.object.module.target_config();
        self.b.call_memcpy(config, to, from, bytes);
    }

    /// Copies one element of a size.
    pub(super) fn copy_element(&mut self, size: usize, from: Value, to: Value) {
        for at in 0..size.div_ceil(8) as i32 {
            let element = self.b.ins().load(word_of(size), plain(), from, 8 * at);
            self.b.ins().store(plain(), element, to, 8 * at);
        }
    }

    /// Writes an element whose bits are 0.
    pub(super) fn clear_element(&mut self, size: usize, to: Value) {
        let zero = self.b.ins().iconst(word_of(size), 0);
        for at in 0..size.div_ceil(8) as i32 {
            self.b.ins().store(plain(), zero, to, 8 * at);
        }
    }

    /// Copies elements with distances, by a function.
    pub(super) fn copy_apart(
        &mut self,
        size: usize,
        from: (Value, Value),
        to: (Value, Value),
        count: Value,
    ) -> Result<(), BuildRefusal> {
        // All levels share this function.
        let function = self.object.in_variant(0, |object| {
            helper(object, format!("copy {size}"), (5, ReturnedValue::Nothing), |w, params| {
                let [from, from_next, to, to_next, count] = *params else { unreachable!("it has five parameters") };
                w.copy_strided(size, (from, from_next), (to, to_next), count);
                w.b.ins().return_(&[]);
                Ok(())
            })
        })?;
        self.call(function, &[from.0, from.1, to.0, to.1, count]);
        Ok(())
    }

    /// Copies elements with distances.
    pub(super) fn copy_strided(&mut self, size: usize, from: (Value, Value), to: (Value, Value), count: Value) {
        let done: Result<(), ()> = self.each(count, |w, index| {
            let (from_distance, to_distance) = (w.mul(index, from.1), w.mul(index, to.1));
            let (from, to) = (w.add(from.0, from_distance), w.add(to.0, to_distance));
            w.copy_element(size, from, to);
            Ok(())
        });
        done.expect("copies are always written");
    }
}

impl LinearForm {
    /// Writes the value of this form, for these values of its unknowns.
    pub(super) fn write(&self, w: &mut CodeWriter, unknowns: &[Value]) -> Value {
        let mut sum = None;
        for (monomial, factor) in &self.terms {
            let product = monomial.iter().map(|&at| unknowns[at]).reduce(|product, value| w.mul(product, value));
            let term = match product {
                None => w.int(*factor),
                Some(product) if *factor == 1 => product,
                Some(product) => w.times(product, *factor),
            };
            sum = Some(sum.map_or(term, |sum| w.add(sum, term)));
        }
        sum.unwrap_or_else(|| w.int(0))
    }
}

/// The integer that an element of `size` bytes is copied as. An element of sixteen bytes is copied as two of them.
fn word_of(size: usize) -> types::Type {
    match size {
        1 => types::I8,
        2 => types::I16,
        4 => types::I32,
        _ => types::I64,
    }
}
