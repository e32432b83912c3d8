//! The steps of a plan as code: nested loops around the loops that [`super::module`] holds.

use super::form::LinearForm;
use super::loops::map_loop;
use super::refusal::BuildRefusal;
use super::symbolic::{ByPosition, Dimension, ElementsAt, OperandStart, OutputUse, SymbolicNest};
use super::writer::CodeWriter;
use crate::exec::plan::{NestKind, Storage};
use crate::kernel::BLOCK;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use std::collections::HashMap;

/// What a function returns when all is well, and when it is not.
pub(super) mod code {
    pub(in super::super) const OK: i64 = 0;
    /// An input or an output has another length than the script says.
    pub(in super::super) const SHAPE: i64 = 1;
    /// An output overlaps an input or another output.
    pub(in super::super) const ALIAS: i64 = 2;
    /// The smallest or largest of nothing.
    pub(in super::super) const EMPTY: i64 = 3;
    /// More elements than memory can hold, or a length below 0.
    pub(in super::super) const SIZE: i64 = 4;
    /// The processor lacks the instructions of every level.
    pub(in super::super) const PROCESSOR: i64 = 5;
    /// The caller does not want to wait.
    pub(in super::super) const INTERRUPT: i64 = 6;
    /// The first check of the script; the others follow.
    pub(in super::super) const CHECK: i64 = 16;
}

/// Writes what stands inside of nested loops, at some addresses.
type NestBody<'i, D> = &'i mut dyn FnMut(&mut D, &[Value]) -> Result<(), BuildRefusal>;

/// Writes the steps of a plan.
pub(super) struct Driver<'d, 'w, 'f> {
    pub(super) w: &'d mut CodeWriter<'w, 'f>,
    /// The values of the unknowns.
    pub(super) unknowns: Vec<Value>,
    /// Where inputs, buffers and constants begin.
    pub(super) storages: HashMap<Storage, Value>,
    /// Memory for blocks and states, and how much of it is used.
    pub(super) workspace: Value,
    pub(super) used: i64,
    /// The most that was used.
    pub(super) most: i64,
    /// The block that a failure goes to, with its code.
    pub(super) fail: Block,
    /// Whether a fold that needs an element may have none.
    pub(super) starts: bool,
}

impl Driver<'_, '_, '_> {
    /// Writes a number of the plan.
    pub(super) fn form(&mut self, form: &LinearForm) -> Value {
        form.write(self.w, &self.unknowns)
    }

    /// Writes the address of the element with index 0 everywhere.
    pub(super) fn address(&mut self, storage: Storage, offset: &LinearForm) -> Value {
        let base = self.storages[&storage];
        let offset = self.form(offset);
        self.w.add(base, offset)
    }

    /// Takes memory of the workspace.
    pub(super) fn room(&mut self, bytes: i64) -> Value {
        let place = self.w.plus(self.workspace, self.used);
        self.used += (bytes + 63) / 64 * 64;
        self.most = self.most.max(self.used);
        place
    }

    pub(super) fn fail_if(&mut self, condition: Value, code: i64) {
        let next = self.w.b.create_block();
        let code = self.w.int(code);
        self.w.b.ins().brif(condition, self.fail, &[BlockArg::from(code)], next, &[]);
        self.w.b.switch_to_block(next);
    }

    /// Ends the call with a code if a check has found something.
    pub(super) fn check(&mut self, code: i64, at: &ElementsAt<LinearForm>) {
        let address = self.address(at.storage, &at.offset);
        let found = self.w.load(address, 0);
        let bad = self.w.is(found, IntCC::SignedGreaterThanOrEqual, 0);
        self.fail_if(bad, code);
    }

    /// Writes the loops of a nest.
    pub(super) fn nest(&mut self, nest: &SymbolicNest<LinearForm>) -> Result<(), BuildRefusal> {
        let begins = nest.begins.iter().map(|begin| match begin {
            OperandStart::Count(first) => self.form(first),
            OperandStart::At { storage, offset } => self.address(*storage, offset),
        });
        let begins: Vec<Value> = begins.collect();
        self.used = 0;
        if let Some(rest) = self.counts(nest, &begins)? {
            return if rest.outputs.is_empty() { Ok(()) } else { self.nest(&rest) };
        }
        match nest.kind {
            NestKind::Element | NestKind::Map => self.map(nest, begins),
            NestKind::Rows => self.rows(nest, begins),
            NestKind::Columns => self.columns(nest, begins),
        }
    }

    /// Copies an array in C order to an address.
    pub(super) fn copy_out(&mut self, from: &ElementsAt<LinearForm>, to: Value) -> Result<(), BuildRefusal> {
        let begin = self.address(from.storage, &from.offset);
        let sizes: Vec<Value> = from.sizes.iter().map(|size| self.form(size)).collect();
        let strides: Vec<Value> = from.strides.iter().map(|stride| self.form(stride)).collect();
        self.copy_array(from.dtype, &sizes, (begin, &strides), to)
    }

    /// Copies an array with these sizes and strides in C order to an address.
    pub(super) fn copy_array(
        &mut self,
        dtype: DType,
        sizes: &[Value],
        from: (Value, &[Value]),
        to: Value,
    ) -> Result<(), BuildRefusal> {
        let dense = self.w.dense_strides(dtype, sizes);
        self.copy_between(dtype, sizes, from, (to, &dense))
    }

    /// Copies an array from some strides to others.
    pub(super) fn copy_between(
        &mut self,
        dtype: DType,
        sizes: &[Value],
        (from, strides): (Value, &[Value]),
        (to, others): (Value, &[Value]),
    ) -> Result<(), BuildRefusal> {
        let Some(last) = sizes.len().checked_sub(1) else {
            self.w.copy_element(dtype.size(), from, to);
            return Ok(());
        };
        let dims: Vec<(Value, Vec<Value>)> =
            (0..last).map(|axis| (sizes[axis], vec![strides[axis], others[axis]])).collect();
        self.around(&dims, vec![from, to], &mut |driver, places| {
            let (from, to) = ((places[0], strides[last]), (places[1], others[last]));
            driver.w.copy_apart(dtype.size(), from, to, sizes[last])
        })
    }

    /// Writes nested loops, outermost first, that move some addresses.
    pub(super) fn around(
        &mut self,
        dims: &[(Value, Vec<Value>)],
        places: Vec<Value>,
        body: NestBody<'_, Self>,
    ) -> Result<(), BuildRefusal> {
        let Some(((len, strides), rest)) = dims.split_first() else { return body(self, &places) };
        let (head, inside, after) = (self.w.b.create_block(), self.w.b.create_block(), self.w.b.create_block());
        let index = self.w.b.append_block_param(head, types::I64);
        let zero = self.w.int(0);
        self.w.b.ins().jump(head, &[zero.into()]);
        self.w.b.switch_to_block(head);
        let more = self.w.b.ins().icmp(IntCC::SignedLessThan, index, *len);
        self.w.b.ins().brif(more, inside, &[], after, &[]);
        self.w.b.switch_to_block(inside);
        let moved = places.iter().zip(strides).map(|(&place, &stride)| {
            let distance = self.w.mul(index, stride);
            self.w.add(place, distance)
        });
        let moved: Vec<Value> = moved.collect();
        self.around(rest, moved, body)?;
        let next = self.w.plus(index, 1);
        self.w.b.ins().jump(head, &[next.into()]);
        self.w.b.switch_to_block(after);
        Ok(())
    }

    pub(super) fn dims(&mut self, dims: &[Dimension<LinearForm>]) -> Vec<(Value, Vec<Value>)> {
        let mut all = Vec::new();
        for dim in dims {
            let strides = dim.strides.iter().map(|stride| self.form(stride)).collect();
            all.push((self.form(&dim.len), strides));
        }
        all
    }

    /// Writes loops whose elements are independent.
    fn map(&mut self, nest: &SymbolicNest<LinearForm>, begins: Vec<Value>) -> Result<(), BuildRefusal> {
        let inputs = nest.dtypes.len() - nest.outputs.len();
        let of_map = map_loop(nest);
        let code = match nest.kind {
            // Vectors are no faster for one element, so all levels share the code of the lowest.
            NestKind::Element => self.w.object.in_variant(0, |object| object.loop_code(&of_map))?,
            NestKind::Map | NestKind::Rows | NestKind::Columns => self.w.object.loop_code(&of_map)?,
        };
        let dims = self.dims(&nest.outer);
        let len = self.form(&nest.inner.len);
        let moves: Vec<Value> = nest.moves.iter().map(|stride| self.form(stride)).collect();
        let strides: Vec<Value> = nest.inner.strides.iter().map(|stride| self.form(stride)).collect();
        let scratched: Vec<usize> = (0..nest.outputs.len())
            .filter(|&output| nest.outputs[output].1 != OutputUse::Store)
            .map(|at| at + inputs)
            .collect();
        let rooms: HashMap<usize, Value> = scratched
            .iter()
            .map(|&operand| (operand, self.room((BLOCK * nest.dtypes[operand].size()) as i64)))
            .collect();
        let some = self.w.is(len, IntCC::SignedGreaterThan, 0);
        let after = self.w.begin_if(some);
        if let (Some(((rows, to_next), outer)), true, true) = (dims.split_last(), code.has_rows, scratched.is_empty()) {
            let any = self.w.is(*rows, IntCC::SignedGreaterThan, 0);
            let none = self.w.begin_if(any);
            self.around(outer, begins, &mut |driver, places| {
                let zero = driver.w.int(0);
                let operands: Vec<(Value, Value)> = places.iter().copied().zip(moves.iter().copied()).collect();
                driver.w.run_rows(code, &operands, (zero, len), *rows, to_next);
                Ok(())
            })?;
            self.w.end_if(none);
            self.w.end_if(after);
            return Ok(());
        }
        self.around(&dims, begins, &mut |driver, places| {
            let zero = driver.w.int(0);
            if scratched.is_empty() {
                let operands: Vec<(Value, Value)> = places.iter().copied().zip(moves.iter().copied()).collect();
                driver.w.run(code, &operands, zero, len);
                return Ok(());
            }
            let (turn, count) = driver.w.begin_parts(len, BLOCK as i64);
            let start = turn.at;
            let mut operands: Vec<(Value, Value)> = places.iter().copied().zip(moves.iter().copied()).collect();
            for (&operand, &room) in &rooms {
                let distance = driver.w.times(start, nest.dtypes[operand].size() as i64);
                operands[operand].0 = driver.w.sub(room, distance);
            }
            driver.w.run(code, &operands, start, count);
            for &operand in &scratched {
                let distance = driver.w.mul(start, strides[operand]);
                let to = driver.w.add(places[operand], distance);
                let size = nest.dtypes[operand].size();
                match nest.outputs[operand - inputs].1 {
                    OutputUse::Gather(reader) => {
                        driver.gather(&nest.readers[reader], rooms[&operand], count, (to, strides[operand]));
                    }
                    OutputUse::Store | OutputUse::Buffered | OutputUse::Reduced => {
                        let own = driver.w.int(size as i64);
                        driver.w.copy_strided(size, (rooms[&operand], own), (to, strides[operand]), count);
                    }
                }
            }
            let next = driver.w.plus(start, BLOCK as i64);
            driver.w.end_loop(turn, next);
            Ok(())
        })?;
        self.w.end_if(after);
        Ok(())
    }

    /// Reads elements by their positions.
    fn gather(
        &mut self,
        reader: &ByPosition<LinearForm>,
        positions: Value,
        count: Value,
        (to, to_next): (Value, Value),
    ) {
        let table = self.address(reader.storage, &reader.offset);
        let dims = self.dims(&reader.dims);
        let (len, stride, run) = (self.form(&reader.len), self.form(&reader.stride), self.form(&reader.run));
        let size = reader.dtype.size();
        let done: Result<(), ()> = self.w.each(count, |w, at| {
            let place = w.times(at, 8);
            let place = w.add(positions, place);
            let position = w.load(place, 0);
            // A position outside is a fault that a check reports. Here it reads the nearest element.
            let last = w.plus(len, -1);
            let position = w.least(position, last);
            let zero = w.int(0);
            let position = w.b.ins().smax(position, zero);
            let distance = w.mul(position, stride);
            let from = w.add(table, distance);
            let moved = w.mul(at, to_next);
            let to = w.add(to, moved);
            walk(w, &dims, [from, to], &mut |w, [from, to]| {
                let size_value = w.int(size as i64);
                w.copy_strided(size, (from, size_value), (to, size_value), run);
            });
            Ok(())
        });
        done.expect("reads are always written");
    }
}

/// Writes nested loops that move two addresses.
fn walk(
    w: &mut CodeWriter,
    dims: &[(Value, Vec<Value>)],
    places: [Value; 2],
    body: &mut dyn FnMut(&mut CodeWriter, [Value; 2]),
) {
    let Some(((len, strides), rest)) = dims.split_first() else { return body(w, places) };
    let done: Result<(), ()> = w.each(*len, |w, index| {
        let moved = [0, 1].map(|at| {
            let distance = w.mul(index, strides[at]);
            w.add(places[at], distance)
        });
        walk(w, rest, moved, body);
        Ok(())
    });
    done.expect("walks are always written");
}
