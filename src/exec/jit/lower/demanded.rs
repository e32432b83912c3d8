//! Demanded bits: which bits of a 64-bit integer any later step depends on.
//!
//! In `(a*1103515245 + 12345) & 0x7fffffff` nobody asks for more than the lower 31 bits of the product. Where the lower
//! half is enough, AVX2 multiplies by one instruction instead of four.

use super::body::{VectorBody, VectorOp, VectorStep};
use crate::scalar::prim::Prim;

impl VectorBody {
    /// The bits of each step's result that later steps read. Of results that are not integers of 64 bits they mean
    /// nothing.
    pub(in crate::exec::jit) fn demanded_bits(&self) -> Vec<u64> {
        let mut demanded = vec![0u64; self.steps.len()];
        for (at, step) in self.steps.iter().enumerate().rev() {
            for (index, value) in step.args().enumerate() {
                demanded[value.0 as usize] |= self.bits_read_of(step, index, demanded[at]);
            }
        }
        demanded
    }

    /// The bits of an operand that a step reads, where `own` are those demanded of its result.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other operation reads all bits")]
    fn bits_read_of(&self, step: &VectorStep, index: usize, own: u64) -> u64 {
        let VectorOp::Prim(prim) = step.op else { return u64::MAX };
        let constant = |index: usize| self.constant(step.operands[index]).map(|bits| bits as u64);
        let is_whole = step.dtype.is_integer() && step.dtype.size() == 8;
        match prim {
            Prim::Convert => match step.operands[0].map(|from| self.dtype(from)) {
                Some(from) if from.is_integer() && step.dtype.is_integer() && step.dtype.size() < 8 => {
                    u64::MAX >> (64 - step.dtype.bits())
                }
                Some(from) if from.is_integer() && is_whole => own,
                _ => u64::MAX,
            },
            _ if !is_whole => u64::MAX,
            Prim::And => own & constant(1 - index).unwrap_or(u64::MAX),
            Prim::Or | Prim::Xor | Prim::Not => own,
            Prim::Select if index > 0 => own,
            // A digit depends on none above it.
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Neg => u64::MAX.checked_shr(own.leading_zeros()).unwrap_or(0),
            Prim::Shl if index == 0 => match constant(1) {
                Some(count) if count < 64 => own >> count,
                _ => u64::MAX,
            },
            _ => u64::MAX,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::body::Virtual;
    use super::*;
    use crate::types::DType;

    fn step(op: VectorOp, dtype: DType, args: &[u32]) -> VectorStep {
        VectorStep::new(op, dtype, &args.iter().copied().map(Virtual).collect::<Vec<_>>())
    }

    fn prim(prim: Prim, dtype: DType, args: &[u32]) -> VectorStep {
        step(VectorOp::Prim(prim), dtype, args)
    }

    fn of(last: &[VectorStep]) -> Vec<u64> {
        let load = |input| step(VectorOp::Load { input, part: 0 }, DType::I64, &[]);
        let number = |bits| step(VectorOp::Const(bits), DType::I64, &[]);
        let product = prim(Prim::Mul, DType::I64, &[0, 1]);
        let mut steps = vec![load(0), load(1), number(0x7fff_ff00), product];
        steps.extend_from_slice(last);
        VectorBody { steps, tables: Vec::new() }.demanded_bits()
    }

    #[test]
    fn a_mask_says_which_bits_of_a_product_count() {
        let store = step(VectorOp::Store { output: 0 }, DType::I64, &[5]);
        let found = of(&[prim(Prim::Add, DType::I64, &[3, 0]), prim(Prim::And, DType::I64, &[4, 2]), store]);
        // The sum's upper digits depend on the lower ones.
        assert_eq!((found[5], found[4], found[3], found[0]), (u64::MAX, 0x7fff_ff00, 0x7fff_ffff, 0x7fff_ffff));
    }

    #[test]
    fn a_second_reader_may_want_all_bits() {
        let first = step(VectorOp::Store { output: 0 }, DType::I64, &[4]);
        let second = step(VectorOp::Store { output: 1 }, DType::I64, &[3]);
        assert_eq!(of(&[prim(Prim::And, DType::I64, &[3, 2]), first, second])[3], u64::MAX);
    }

    #[test]
    fn quotients_comparisons_and_shifts_to_the_right_read_all_bits() {
        for prim_of in [Prim::Shr, Prim::FloorDiv, Prim::Rem, Prim::Min] {
            let store = step(VectorOp::Store { output: 0 }, DType::I64, &[5]);
            let found = of(&[prim(prim_of, DType::I64, &[3, 2]), prim(Prim::And, DType::I64, &[4, 2]), store]);
            assert_eq!(found[3], u64::MAX, "{prim_of:?}");
        }
        let store = step(VectorOp::Store { output: 0 }, DType::I32, &[4]);
        assert_eq!(of(&[prim(Prim::Convert, DType::I32, &[3]), store])[3], 0xffff_ffff);
    }
}
