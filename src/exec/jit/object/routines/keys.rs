//! Keys as code: unsigned words whose order is the order of elements, as `exec::routine::keys` has them.
//!
//! A complex number has three words, and a later one counts more: the key of its imaginary part, the key of its real
//! part, and a number that says which of the parts are NaN.

use crate::exec::jit::object::writer::CodeWriter;
use crate::scalar::Scalar;
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};

/// The words of an element: how many bytes each has, the least first.
pub(super) fn words(dtype: DType) -> Vec<i64> {
    match dtype.is_complex() {
        true => vec![dtype.part().size() as i64, dtype.part().size() as i64, 1],
        false => vec![dtype.size() as i64],
    }
}

/// Word number `number` of the element at an address.
pub(super) fn word(w: &mut CodeWriter, dtype: DType, from: Value, number: usize) -> Value {
    let part = dtype.part();
    let of_part = |w: &mut CodeWriter, at: i64| {
        let place = w.plus(from, at * part.size() as i64);
        real(w, part, place)
    };
    match (dtype.is_complex(), number) {
        (false, _) => real(w, dtype, from),
        (true, 0) => of_part(w, 1),
        (true, 1) => of_part(w, 0),
        _ => {
            let most = (u64::MAX >> (64 - part.bits())) as i64;
            let [first, second] = [0, 1].map(|at| {
                let key = of_part(w, at);
                let most = w.int(most);
                let is = w.b.ins().icmp(IntCC::Equal, key, most);
                w.b.ins().uextend(types::I64, is)
            });
            let twice = w.times(first, 2);
            w.add(twice, second)
        }
    }
}

/// The bits of an element, without a sign.
fn bits(w: &mut CodeWriter, size: usize, from: Value) -> Value {
    let flags = MemFlagsData::new().with_notrap();
    match size {
        1 => w.b.ins().uload8(types::I64, flags, from, 0),
        2 => w.b.ins().uload16(types::I64, flags, from, 0),
        4 => {
            let word = w.b.ins().load(types::I32, flags, from, 0);
            w.b.ins().uextend(types::I64, word)
        }
        _ => w.load(from, 0),
    }
}

fn real(w: &mut CodeWriter, dtype: DType, from: Value) -> Value {
    let bits = bits(w, dtype.size(), from);
    let (sign, all) = (1i64 << (dtype.bits() - 1), (u64::MAX >> (64 - dtype.bits())) as i64);
    let sign = w.int(sign);
    match dtype.kind() {
        Kind::Bool | Kind::Unsigned => bits,
        Kind::Signed => w.b.ins().bxor(bits, sign),
        Kind::Float | Kind::Complex => {
            // Infinity, or the largest number if the dtype has no infinity.
            let top = Scalar::of_f64(dtype, dtype.top()).bits as i64;
            let (all, top) = (w.int(all), w.int(top));
            let size = w.b.ins().band_not(bits, sign);
            let positive = w.b.ins().icmp(IntCC::Equal, size, bits);
            let flip = w.b.ins().select(positive, sign, all);
            let key = w.b.ins().bxor(bits, flip);
            let is_zero = w.is(size, IntCC::Equal, 0);
            let key = w.b.ins().select(is_zero, sign, key);
            let is_nan = w.b.ins().icmp(IntCC::UnsignedGreaterThan, size, top);
            w.b.ins().select(is_nan, all, key)
        }
    }
}

/// Whether one element comes before another, or is equal to it where that counts too.
pub(super) fn before(w: &mut CodeWriter, dtype: DType, a: Value, b: Value, or_equal: bool) -> Value {
    let last = if or_equal { IntCC::UnsignedLessThanOrEqual } else { IntCC::UnsignedLessThan };
    let mut known = None;
    for number in 0..words(dtype).len() {
        let (a, b) = (word(w, dtype, a, number), word(w, dtype, b, number));
        known = Some(match known {
            None => w.b.ins().icmp(last, a, b),
            Some(below) => {
                let less = w.b.ins().icmp(IntCC::UnsignedLessThan, a, b);
                let same = w.b.ins().icmp(IntCC::Equal, a, b);
                let below = w.b.ins().band(same, below);
                w.b.ins().bor(less, below)
            }
        });
    }
    known.expect("every element has a key")
}
