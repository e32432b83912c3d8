//! Sorting or searching as code: stable, NaN last, both zeros equal.
//!
//! Pairs of a key and a position are sorted byte by byte from the lowest, few of them by insertion.
//!
//! ```text
//! scratch: a count of each byte | pairs | pairs
//! ```

use super::RoutineLine;
use super::keys::{before, word, words};
use crate::exec::jit::object::refusal::BuildRefusal;
use crate::exec::jit::object::writer::{CodeWriter, ReturnedValue, helper};
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};
use cranelift_frontend::Variable;
use cranelift_module::FuncId;

/// Bytes of the counts.
pub(super) const COUNTS: i64 = 256 * 8;
/// Bytes of the two pairs of an element.
pub(super) const PAIRS: i64 = 2 * PAIR;
const PAIR: i64 = 16;
/// At most `MAX_INSERTED_PAIRS` pairs are sorted by insertion.
const MAX_INSERTED_PAIRS: i64 = 32;

/// The place of a pair, or of a count.
fn at(w: &mut CodeWriter, base: Value, index: Value, size: i64) -> Value {
    let distance = w.times(index, size);
    w.add(base, distance)
}

/// `(line, count, scratch)`: returns the pairs in order.
fn order(w: &mut CodeWriter, dtype: DType, descending: bool) -> Result<FuncId, BuildRefusal> {
    let name = format!("order {dtype}{}", if descending { " descending" } else { "" });
    helper(w.object, name, (3, ReturnedValue::Word), |w, params| {
        let [line, count, counts] = *params else { unreachable!("it has three parameters") };
        let pairs = w.plus(counts, COUNTS);
        let others = at(w, pairs, count, PAIR);
        let [here, there] = [pairs, others].map(|place| {
            let variable = w.b.declare_var(types::I64);
            w.b.def_var(variable, place);
            variable
        });
        w.each(count, |w, index| {
            let pair = at(w, pairs, index, PAIR);
            w.store(index, pair, 8);
            Ok::<(), BuildRefusal>(())
        })?;
        let few = w.is(count, IntCC::SignedLessThanOrEqual, MAX_INSERTED_PAIRS);
        for (number, bytes) in words(dtype).into_iter().enumerate() {
            let pairs = w.b.use_var(here);
            w.each(count, |w, index| {
                let pair = at(w, pairs, index, PAIR);
                let position = w.load(pair, 8);
                let element = at(w, line, position, dtype.size() as i64);
                let key = word(w, dtype, element, number);
                let key = if descending { w.b.ins().bnot(key) } else { key };
                w.store(key, pair, 0);
                Ok::<(), BuildRefusal>(())
            })?;
            let (insert, digits, after) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
            w.b.ins().brif(few, insert, &[], digits, &[]);
            w.b.switch_to_block(insert);
            insertion(w, pairs, count);
            w.b.ins().jump(after, &[]);
            w.b.switch_to_block(digits);
            by_digits(w, [here, there], counts, count, bytes)?;
            w.b.ins().jump(after, &[]);
            w.b.switch_to_block(after);
        }
        let sorted = w.b.use_var(here);
        w.b.ins().return_(&[sorted]);
        Ok(())
    })
}

fn insertion(w: &mut CodeWriter, pairs: Value, count: Value) {
    let one = w.int(1);
    let turn = w.begin_loop(one, count);
    let pair = at(w, pairs, turn.at, PAIR);
    let (key, position) = (w.load(pair, 0), w.load(pair, 8));
    let (head, look, shift, put) = (w.b.create_block(), w.b.create_block(), w.b.create_block(), w.b.create_block());
    let place = w.b.append_block_param(head, types::I64);
    w.b.ins().jump(head, &[pair.into()]);
    w.b.switch_to_block(head);
    let more = w.b.ins().icmp(IntCC::UnsignedGreaterThan, place, pairs);
    w.b.ins().brif(more, look, &[], put, &[]);
    w.b.switch_to_block(look);
    let below = w.plus(place, -PAIR);
    let other = w.load(below, 0);
    let larger = w.b.ins().icmp(IntCC::UnsignedGreaterThan, other, key);
    w.b.ins().brif(larger, shift, &[], put, &[]);
    w.b.switch_to_block(shift);
    let other_position = w.load(below, 8);
    w.store(other, place, 0);
    w.store(other_position, place, 8);
    w.b.ins().jump(head, &[below.into()]);
    w.b.switch_to_block(put);
    w.store(key, place, 0);
    w.store(position, place, 8);
    let next = w.plus(turn.at, 1);
    w.end_loop(turn, next);
}

/// Sorts by one byte of the keys after the other, from the lowest. A byte that all keys share costs no move.
fn by_digits(
    w: &mut CodeWriter,
    [here, there]: [Variable; 2],
    counts: Value,
    count: Value,
    bytes: i64,
) -> Result<(), BuildRefusal> {
    let (bytes, digits) = (w.int(bytes), w.int(256));
    let digit = |w: &mut CodeWriter, pair: Value, shift: Value| {
        let key = w.load(pair, 0);
        let digit = w.b.ins().ushr(key, shift);
        let digit = w.b.ins().band_imm_s(digit, 255);
        (key, at(w, counts, digit, 8))
    };
    w.each(bytes, |w, byte| {
        let shift = w.times(byte, 8);
        let (from, to) = (w.b.use_var(here), w.b.use_var(there));
        w.each(digits, |w, index| {
            let (zero, slot) = (w.int(0), at(w, counts, index, 8));
            w.store(zero, slot, 0);
            Ok::<(), BuildRefusal>(())
        })?;
        w.each(count, |w, index| {
            let pair = at(w, from, index, PAIR);
            let (_, slot) = digit(w, pair, shift);
            let sum = w.load(slot, 0);
            let sum = w.plus(sum, 1);
            w.store(sum, slot, 0);
            Ok::<(), BuildRefusal>(())
        })?;
        let (_, first) = digit(w, from, shift);
        let same = w.load(first, 0);
        let differ = w.b.ins().icmp(IntCC::NotEqual, same, count);
        w.when(differ, |w| {
            let (start, zero) = (w.b.declare_var(types::I64), w.int(0));
            w.b.def_var(start, zero);
            w.each(digits, |w, index| {
                let slot = at(w, counts, index, 8);
                let (own, sum) = (w.load(slot, 0), w.b.use_var(start));
                w.store(sum, slot, 0);
                let next = w.add(sum, own);
                w.b.def_var(start, next);
                Ok::<(), BuildRefusal>(())
            })?;
            w.each(count, |w, index| {
                let pair = at(w, from, index, PAIR);
                let (key, slot) = digit(w, pair, shift);
                let place = w.load(slot, 0);
                let next = w.plus(place, 1);
                w.store(next, slot, 0);
                let (target, position) = (at(w, to, place, PAIR), w.load(pair, 8));
                w.store(key, target, 0);
                w.store(position, target, 8);
                Ok::<(), BuildRefusal>(())
            })?;
            w.b.def_var(here, to);
            w.b.def_var(there, from);
            Ok(())
        })
    })
}

impl RoutineLine {
    /// Sorts a line. Returns the pairs, whose positions are in order.
    fn ordered(&self, w: &mut CodeWriter, dtype: DType, descending: bool) -> Result<Value, BuildRefusal> {
        let function = order(w, dtype, descending)?;
        let (line, count) = self.args[0];
        Ok(w.call(function, &[line, count, self.scratch])[0])
    }

    pub(super) fn sort(&self, w: &mut CodeWriter, dtype: DType) -> Result<(), BuildRefusal> {
        let pairs = self.ordered(w, dtype, false)?;
        w.each(self.args[0].1, |w, index| {
            let pair = at(w, pairs, index, PAIR);
            let position = w.load(pair, 8);
            let (from, to) = (self.element(w, 0, position, dtype.size()), self.place(w, index, dtype.size()));
            w.copy_element(dtype.size(), from, to);
            Ok(())
        })
    }

    pub(super) fn argsort(&self, w: &mut CodeWriter, dtype: DType, descending: bool) -> Result<(), BuildRefusal> {
        let pairs = self.ordered(w, dtype, descending)?;
        w.each(self.out.1, |w, index| {
            let pair = at(w, pairs, index, PAIR);
            let (position, to) = (w.load(pair, 8), self.place(w, index, 8));
            w.store(position, to, 0);
            Ok(())
        })
    }

    /// The elements at places of the order; 0 for a place that does not exist.
    pub(super) fn ranks(&self, w: &mut CodeWriter, dtype: DType) -> Result<(), BuildRefusal> {
        let pairs = self.ordered(w, dtype, false)?;
        let (count, size) = (self.args[0].1, dtype.size());
        w.each(self.args[1].1, |w, index| {
            let from = self.element(w, 1, index, 8);
            let (place, to) = (w.load(from, 0), self.place(w, index, size));
            let exists = w.b.ins().icmp(IntCC::UnsignedLessThan, place, count);
            w.clear_element(size, to);
            w.when(exists, |w| {
                let pair = at(w, pairs, place, PAIR);
                let position = w.load(pair, 8);
                let from = self.element(w, 0, position, size);
                w.copy_element(size, from, to);
                Ok(())
            })
        })
    }

    /// Finds by halving how many elements come before each value.
    pub(super) fn search(&self, w: &mut CodeWriter, dtype: DType, right: bool) -> Result<(), BuildRefusal> {
        w.each(self.args[1].1, |w, index| {
            let value = self.element(w, 1, index, dtype.size());
            let (head, inside, done) = (w.b.create_block(), w.b.create_block(), w.b.create_block());
            let [low, high] = [(); 2].map(|()| w.b.append_block_param(head, types::I64));
            let zero = w.int(0);
            w.b.ins().jump(head, &[zero.into(), self.args[0].1.into()]);
            w.b.switch_to_block(head);
            let more = w.b.ins().icmp(IntCC::SignedLessThan, low, high);
            w.b.ins().brif(more, inside, &[], done, &[]);
            w.b.switch_to_block(inside);
            let sum = w.add(low, high);
            let middle = w.b.ins().ushr_imm_u(sum, 1);
            let element = self.element(w, 0, middle, dtype.size());
            let is_before = before(w, dtype, element, value, right);
            let above = w.plus(middle, 1);
            let low = w.b.ins().select(is_before, above, low);
            let high = w.b.ins().select(is_before, high, middle);
            w.b.ins().jump(head, &[low.into(), high.into()]);
            w.b.switch_to_block(done);
            let to = self.place(w, index, 8);
            let found = w.b.block_params(head)[0];
            w.store(found, to, 0);
            Ok(())
        })
    }

    /// Whether each element differs from the one before it.
    pub(super) fn firsts(&self, w: &mut CodeWriter, dtype: DType) -> Result<(), BuildRefusal> {
        let flags = cranelift_codegen::ir::MemFlagsData::new().with_notrap();
        w.each(self.args[0].1, |w, index| {
            let is_first = w.is(index, IntCC::Equal, 0);
            let one = w.int(1);
            let last = w.sub(index, one);
            // The first is compared with itself.
            let other = w.b.ins().select(is_first, index, last);
            let (here, there) = (self.element(w, 0, index, dtype.size()), self.element(w, 0, other, dtype.size()));
            let mut differs = is_first;
            for number in 0..words(dtype).len() {
                let (a, b) = (word(w, dtype, here, number), word(w, dtype, there, number));
                let other = w.b.ins().icmp(IntCC::NotEqual, a, b);
                differs = w.b.ins().bor(differs, other);
            }
            let to = self.place(w, index, 1);
            w.b.ins().store(flags, differs, to, 0);
            Ok(())
        })
    }
}
