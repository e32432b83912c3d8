//! Routines as code. They are operations over whole lines and matrices, in the order that [`crate::exec`]'s routines
//! have.
//!
//! Operands and results lie in C order, so a line follows the one before.

mod keys;
mod lines;
mod product;
mod segment;
mod sort;

use super::inputs::EntryWriter;
use super::refusal::BuildRefusal;
use super::running::StagedWriter;
use super::staged::{ArrayOf, RoutineCall};
use crate::ir::routine::Routine;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Whether a routine has code: what libraries compute has none.
pub(super) fn is_built(routine: Routine) -> bool {
    !matches!(routine, Routine::Library(_))
}

impl EntryWriter<'_, '_, '_> {
    /// The bytes that a routine needs besides its operands and its result.
    pub(super) fn call_scratch(&mut self, call: &RoutineCall) -> Value {
        if !matches!(call.routine, Routine::Sort | Routine::ArgSort { .. } | Routine::Ranks) {
            return self.w.int(0);
        }
        let len = call.args[0].1.shape.last().map(|dim| self.dim(dim));
        let len = len.unwrap_or_else(|| self.w.int(1));
        let bytes = self.w.times(len, sort::PAIRS);
        let bytes = self.w.plus(bytes, sort::COUNTS);
        self.pad(bytes)
    }
}

/// A line of each operand and of the result: where it lies, and how many elements it has.
struct RoutineLine {
    args: Vec<(Value, Value)>,
    out: (Value, Value),
    scratch: Value,
}

impl StagedWriter<'_, '_, '_> {
    /// The sizes of a line or a matrix, and how many lines or matrices there are.
    fn own_axes(&mut self, kind: &ArrayOf, axes: usize) -> (Vec<Value>, Value) {
        let mut sizes = self.sizes(kind);
        let own = sizes.split_off(sizes.len() - axes);
        let mut count = self.w.int(1);
        for size in sizes {
            count = self.w.mul(count, size);
        }
        (own, count)
    }

    /// Writes a routine whose operands lie at addresses.
    pub(super) fn call(
        &mut self,
        call: &RoutineCall,
        args: &[Value],
        out: Value,
        scratch: Value,
    ) -> Result<(), BuildRefusal> {
        self.poll();
        if call.routine.row().axes == 2 {
            return self.matrices(call, args, out);
        }
        let (own, count) = self.own_axes(&call.result, 1);
        let out_len = own[0];
        let lens: Vec<Value> = call.args.iter().map(|(_, kind)| self.own_axes(kind, 1).0[0]).collect();
        let zero = self.w.int(0);
        let turn = self.w.begin_loop(zero, count);
        self.poll();
        let mut lines = Vec::new();
        for ((&arg, (_, kind)), &len) in args.iter().zip(&call.args).zip(&lens) {
            let bytes = self.w.times(len, kind.dtype.size() as i64);
            let distance = self.w.mul(turn.at, bytes);
            lines.push((self.w.add(arg, distance), len));
        }
        let bytes = self.w.times(out_len, call.result.dtype.size() as i64);
        let distance = self.w.mul(turn.at, bytes);
        let out = (self.w.add(out, distance), out_len);
        RoutineLine { args: lines, out, scratch }.write(self.w, call)?;
        let next = self.w.plus(turn.at, 1);
        self.w.end_loop(turn, next);
        Ok(())
    }

    /// Writes products of matrices, some rows at a time.
    fn matrices(&mut self, call: &RoutineCall, args: &[Value], out: Value) -> Result<(), BuildRefusal> {
        /// Rows between two looks at the flag.
        const BAND: i64 = 32;
        let dtype = call.args[0].1.dtype;
        let function = if call.routine == Routine::ProductFits {
            product::fits(self.w, dtype)?
        } else {
            product::product(self.w, dtype)?
        };
        let (own, count) = self.own_axes(&call.result, 2);
        let (rows, columns) = (own[0], own[1]);
        let products = self.own_axes(&call.args[0].1, 2).0[1];
        let (size, result) = (dtype.size() as i64, call.result.dtype.size() as i64);
        let bytes = |running: &mut Self, a: Value, b: Value, size: i64| {
            let elements = running.w.mul(a, b);
            running.w.times(elements, size)
        };
        let left_bytes = bytes(self, rows, products, size);
        let right_bytes = bytes(self, products, columns, size);
        let out_bytes = bytes(self, rows, columns, result);
        let zero = self.w.int(0);
        let turn = self.w.begin_loop(zero, count);
        let mut places = Vec::new();
        for (base, bytes) in [(args[0], left_bytes), (args[1], right_bytes), (out, out_bytes)] {
            let distance = self.w.mul(turn.at, bytes);
            places.push(self.w.add(base, distance));
        }
        let (band, height) = self.w.begin_parts(rows, BAND);
        self.poll();
        let from = bytes(self, band.at, products, size);
        let left = self.w.add(places[0], from);
        let from = bytes(self, band.at, columns, result);
        let to = self.w.add(places[2], from);
        self.w.call(function, &[left, places[1], to, height, products, columns]);
        let next = self.w.plus(band.at, BAND);
        self.w.end_loop(band, next);
        let next = self.w.plus(turn.at, 1);
        self.w.end_loop(turn, next);
        Ok(())
    }
}

impl RoutineLine {
    fn write(&self, w: &mut super::writer::CodeWriter, call: &RoutineCall) -> Result<(), BuildRefusal> {
        let dtype = call.args[0].1.dtype;
        match call.routine {
            Routine::Sort => self.sort(w, dtype),
            Routine::ArgSort { descending } => self.argsort(w, dtype, descending),
            Routine::Ranks => self.ranks(w, dtype),
            Routine::SearchLeft => self.search(w, dtype, false),
            Routine::SearchRight => self.search(w, dtype, true),
            Routine::Firsts => self.firsts(w, dtype),
            Routine::Segment(fold) => self.segment(w, dtype, fold),
            Routine::Scatter(scatter) => self.scatter(w, dtype, scatter),
            Routine::Count => self.count(w, dtype),
            Routine::Compress => self.compress(w, dtype.size()),
            Routine::Positions => self.positions(w),
            Routine::Product | Routine::ProductFits | Routine::Library(_) => unreachable!("these are of no lines"),
        }
    }

    /// The address of an element of an operand.
    fn element(&self, w: &mut super::writer::CodeWriter, arg: usize, at: Value, size: usize) -> Value {
        let distance = w.times(at, size as i64);
        w.b.ins().iadd(self.args[arg].0, distance)
    }

    /// The address of an element of the result.
    fn place(&self, w: &mut super::writer::CodeWriter, at: Value, size: usize) -> Value {
        let distance = w.times(at, size as i64);
        w.b.ins().iadd(self.out.0, distance)
    }
}
