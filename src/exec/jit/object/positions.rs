//! Folds that keep the position of an element, with scans.

use super::folds::{FoldCode, HEAD};
use super::refusal::BuildRefusal;
use super::scalars::scalar_type;
use super::writer::CodeWriter;
use crate::ir::Fold;
use crate::types::Kind;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

impl FoldCode {
    /// Whether an element is better than the best so far, and takes its place.
    fn better(&self, w: &mut CodeWriter, element: Value, best: Value) -> Value {
        let less = |w: &mut CodeWriter, a: Value, b: Value| match self.dtype.kind() {
            Kind::Signed => w.b.ins().icmp(IntCC::SignedLessThan, a, b),
            _ if self.dtype.is_float() => w.b.ins().fcmp(FloatCC::LessThan, a, b),
            Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => w.b.ins().icmp(IntCC::UnsignedLessThan, a, b),
        };
        let better = if self.fold == Fold::ArgMin { less(w, element, best) } else { less(w, best, element) };
        if !self.dtype.is_float() {
            return better;
        }
        // The first NaN wins.
        let [new, old] = [element, best].map(|value| w.b.ins().fcmp(FloatCC::Unordered, value, value));
        let first_nan = w.b.ins().band_not(new, old);
        let beaten = w.b.ins().band_not(better, old);
        w.b.ins().bor(beaten, first_nan)
    }

    /// Looks at one element for a position.
    fn look(&self, w: &mut CodeWriter, place: Value, element_at: Value, number: Value) {
        let flags = MemFlagsData::new().with_notrap();
        let ty = scalar_type(self.dtype);
        let element = w.b.ins().load(ty, flags, element_at, 0);
        let known = w.load(place, 0);
        let none = w.is(known, IntCC::SignedLessThan, 0);
        let takes = if self.fold == Fold::FirstTrue {
            let holds = w.b.ins().icmp_imm_s(IntCC::NotEqual, element, 0);
            w.b.ins().band(none, holds)
        } else {
            let best = w.b.ins().load(ty, flags, place, 8);
            let better = self.better(w, element, best);
            w.b.ins().bor(none, better)
        };
        let done: Result<(), ()> = w.when(takes, |w| {
            w.store(number, place, 0);
            w.b.ins().store(flags, element, place, 8);
            Ok(())
        });
        done.expect("stores are always written");
    }

    pub(super) fn positions(
        &self,
        w: &mut CodeWriter,
        state: Value,
        from: Value,
        count: Value,
        first: Value,
    ) -> Result<(), BuildRefusal> {
        w.each(count, |w, at| {
            let distance = w.times(at, self.size);
            let element = w.add(from, distance);
            let number = w.add(first, at);
            self.look(w, state, element, number);
            Ok(())
        })
    }

    /// Looks at one element for each of several results side by side. All of them are the term with the number
    /// `number`.
    pub(super) fn row_positions(
        &self,
        w: &mut CodeWriter,
        state: Value,
        from: Value,
        width: Value,
        number: Value,
    ) -> Result<(), BuildRefusal> {
        w.each(width, |w, at| {
            let distance = w.times(at, self.size);
            let element = w.add(from, distance);
            let place = self.position(w, state, at);
            self.look(w, place, element, number);
            Ok(())
        })
    }

    /// Begins a scan. Its state says whether there is a total so far, and which.
    pub(super) fn begin_scan(&self, w: &mut CodeWriter, state: Value) {
        let zero = w.int(0);
        w.store(zero, state, 0);
    }

    /// Replaces a block of one row by its running totals.
    pub(super) fn scan(
        &self,
        w: &mut CodeWriter,
        state: Value,
        elements: Value,
        count: Value,
    ) -> Result<(), BuildRefusal> {
        if self.is_single() {
            self.scan_single(w, state, elements, count);
            return Ok(());
        }
        let (size, one) = (self.size, w.int(1));
        let totals = w.plus(state, HEAD);
        w.each(count, |w, at| {
            let distance = w.times(at, size);
            let element = w.add(elements, distance);
            self.accumulate(w, state, totals, element, one)
        })
    }

    /// Replaces elements of rows side by side by their running totals.
    pub(super) fn accumulate(
        &self,
        w: &mut CodeWriter,
        state: Value,
        totals: Value,
        elements: Value,
        width: Value,
    ) -> Result<(), BuildRefusal> {
        let begun = w.load(state, 0);
        w.when(begun, |w| {
            let size = self.size;
            w.run_dense(&self.combine, &[(totals, size), (elements, size), (elements, size)], width)
        })?;
        let one = w.int(1);
        w.store(one, state, 0);
        let bytes = w.times(width, self.size);
        w.copy(totals, elements, bytes);
        Ok(())
    }
}
