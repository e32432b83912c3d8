//! The code that describes an input. Inputs of one rank share the functions that do it.
//!
//! ```text
//! describe(input, bytes of an element, words): strides | whether it lies in C order | bytes | first byte | behind it
//! settle(input, words, place, scratch): where it lies in C order, and the scratch behind
//! ```

use super::driver::{Driver, code};
use super::inputs::ByteProduct;
use super::refusal::BuildRefusal;
use super::writer::{CodeWriter, ReturnedValue, helper};
use crate::types::DType;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use std::collections::HashMap;

const WORD: i64 = 8;

/// Words behind the strides: see above.
pub(super) const DENSE_WORD: usize = 0;
pub(super) const BYTES_WORD: usize = 1;
pub(super) const LOW_WORD: usize = 2;
pub(super) const HIGH_WORD: usize = 3;
pub(super) const WORDS: usize = 4;

/// Where the parts of a description are: data, lengths, strides.
const SHAPE: i32 = 8;
const STRIDES: i32 = 16;

/// An input that a function describes.
#[derive(Clone, Copy)]
pub(super) struct DescribedInput {
    /// The address of its description.
    pub(super) param: Value,
    pub(super) rank: usize,
    pub(super) dtype: DType,
}

/// Describes an input: in line if it is the only one of its rank, else by a function. A failure goes to `fail` with its
/// code.
pub(super) fn describe(
    w: &mut CodeWriter,
    input: DescribedInput,
    words: Value,
    is_only: bool,
    fail: Block,
) -> Result<(), BuildRefusal> {
    let DescribedInput { param, rank, dtype } = input;
    let size = w.int(dtype.size() as i64);
    if is_only {
        write_describe(w, param, (rank, size), words, fail);
        return Ok(());
    }
    let function = w.object.in_variant(0, |object| {
        helper(object, format!("describe {rank}"), (3, ReturnedValue::Word), |w, params| {
            let [param, size, words] = *params else { unreachable!("it has three parameters") };
            let fail = w.b.create_block();
            write_describe(w, param, (rank, size), words, fail);
            let ok = w.int(code::OK);
            w.b.ins().return_(&[ok]);
            w.end(fail, |_, code| code);
            Ok(())
        })
    })?;
    w.call_or(function, &[param, size, words], fail);
    Ok(())
}

fn write_describe(w: &mut CodeWriter, param: Value, (rank, size): (usize, Value), words: Value, fail: Block) {
    let (data, shape, given) = (w.load(param, 0), w.load(param, SHAPE), w.load(param, STRIDES));
    let word = |axis: usize| (WORD as usize * axis) as i32;
    let mut product = ByteProduct { bytes: size, over: None };
    let mut dense = None;
    let (mut low, mut high) = (data, w.add(data, size));
    for axis in (0..rank).rev() {
        let len = w.load(shape, word(axis));
        // An input without strides lies in C order.
        let (read, strided) = (w.b.create_block(), w.b.create_block());
        let stride = w.b.append_block_param(strided, types::I64);
        w.b.ins().brif(given, read, &[], strided, &[product.bytes.into()]);
        w.b.switch_to_block(read);
        let own = w.load(given, word(axis));
        w.b.ins().jump(strided, &[own.into()]);
        w.b.switch_to_block(strided);
        w.store(stride, words, word(axis));
        let same = w.b.ins().icmp(IntCC::Equal, stride, product.bytes);
        let short = w.is(len, IntCC::SignedLessThan, 2);
        let fits = w.b.ins().bor(same, short);
        dense = Some(dense.map_or(fits, |dense| w.b.ins().band(dense, fits)));
        let steps = w.plus(len, -1);
        let reach = w.mul(steps, stride);
        let zero = w.int(0);
        let down = w.least(reach, zero);
        low = w.add(low, down);
        let up = w.sub(reach, down);
        high = w.add(high, up);
        product.times(w, len);
    }
    let ByteProduct { bytes, over } = product;
    if let Some(over) = over {
        let next = w.b.create_block();
        let code = w.int(code::SIZE);
        w.b.ins().brif(over, fail, &[BlockArg::from(code)], next, &[]);
        w.b.switch_to_block(next);
    }
    // An input without elements begins behind everything.
    let none = w.is(bytes, IntCC::Equal, 0);
    let never = w.int(-1);
    let low = w.b.ins().select(none, never, low);
    let dense = match dense {
        Some(dense) => w.b.ins().uextend(types::I64, dense),
        None => w.int(1),
    };
    for (at, value) in [(DENSE_WORD, dense), (BYTES_WORD, bytes), (LOW_WORD, low), (HIGH_WORD, high)] {
        w.store(value, words, word(rank + at));
    }
}

/// Stores at `place` where an input lies in C order, and copies the input if it does not lie so already: in line if it
/// is the only one of its rank and size, else by a function. Returns the scratch that a copy leaves.
pub(super) fn settle(
    w: &mut CodeWriter,
    input: DescribedInput,
    [words, place, top]: [Value; 3],
    is_only: bool,
) -> Result<Value, BuildRefusal> {
    if is_only {
        return write_settle(w, input, [words, place, top]);
    }
    let DescribedInput { param, rank, dtype } = input;
    let function = w.object.in_variant(0, |object| {
        helper(object, format!("settle {rank} {}", dtype.size()), (4, ReturnedValue::Word), |w, params| {
            let [param, words, place, top] = *params else { unreachable!("it has four parameters") };
            let left = write_settle(w, DescribedInput { param, ..input }, [words, place, top])?;
            w.b.ins().return_(&[left]);
            Ok(())
        })
    })?;
    Ok(w.call(function, &[param, words, place, top])[0])
}

fn write_settle(
    w: &mut CodeWriter,
    input: DescribedInput,
    [words, place, top]: [Value; 3],
) -> Result<Value, BuildRefusal> {
    let DescribedInput { param, rank, dtype } = input;
    let behind = |word: usize| (WORD as usize * (rank + word)) as i32;
    let (data, dense) = (w.load(param, 0), w.load(words, behind(DENSE_WORD)));
    w.store(data, place, 0);
    let [copied, after] = [(); 2].map(|()| w.b.create_block());
    let left = w.b.append_block_param(after, types::I64);
    w.b.ins().brif(dense, after, &[top.into()], copied, &[]);
    w.b.switch_to_block(copied);
    w.store(top, place, 0);
    let shape = w.load(param, SHAPE);
    let word = |axis: usize| (WORD as usize * axis) as i32;
    let sizes: Vec<Value> = (0..rank).map(|axis| w.load(shape, word(axis))).collect();
    let strides: Vec<Value> = (0..rank).map(|axis| w.load(words, word(axis))).collect();
    let (unknowns, storages) = (Vec::new(), HashMap::new());
    // Copies do not fail.
    let mut driver =
        Driver { w: &mut *w, unknowns, storages, workspace: top, used: 0, most: 0, fail: after, starts: false };
    driver.copy_array(dtype, &sizes, (data, &strides), top)?;
    let bytes = w.load(words, behind(BYTES_WORD));
    let end = w.add(top, bytes);
    let end = w.plus(end, 63);
    let end = w.b.ins().band_imm_s(end, -64);
    w.b.ins().jump(after, &[end.into()]);
    w.b.switch_to_block(after);
    Ok(left)
}
