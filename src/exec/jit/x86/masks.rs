//! Masks: truth values in registers.
//!
//! With AVX-512 they are mask registers, a bit for each element whatever its width. With AVX2 they are vectors, whose
//! lanes are all ones or zeros and as wide as what was compared; where two widths meet, they are widened or narrowed.

use super::assembler::{InstructionRow, VectorBits};
use super::lower::Lowering;
use super::rows::{self, avx2};
use super::steps::{Instruction, InstructionForm, Reg, RegClass};
use crate::scalar::prim::Prim;
use crate::types::Kind;

/// What is made of two truth values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Logic {
    And,
    /// Whether the first is false and the second is true.
    AndNot,
    Or,
    Xor,
    Equal,
}

impl Lowering<'_> {
    /// Notes that the vector `mask` holds truth values in lanes of `bytes` bytes.
    fn truths(&mut self, bytes: usize, mask: Reg) -> Reg {
        self.truth_bytes.insert(mask, bytes);
        mask
    }

    /// Truth values in lanes of `bytes` bytes. The size matters only where masks are vectors.
    pub(super) fn truths_in(&mut self, bytes: usize, mask: Reg) -> Reg {
        let Some(&from) = self.truth_bytes.get(&mask) else { return mask };
        let mask = self.resize(mask, Kind::Signed, from, bytes);
        self.truths(bytes, mask)
    }

    /// A comparison of floats, as the immediate says.
    pub(super) fn compare_floats(&mut self, bytes: usize, (a, b): (Reg, Reg), how: u8) -> Reg {
        let (row, length) = (rows::float(rows::FCMP, bytes), self.length(bytes));
        if self.target.has_masks() {
            return self.test(row, length, (a, b), Some(how));
        }
        let step = Instruction { first: Some(a), immediate: Some(how), ..self.blank(row, length, b) };
        let mask = self.step(RegClass::Vector, step);
        self.truths(bytes, mask)
    }

    /// A comparison of integers: `Eq`, `Ne`, `Lt` or `Le`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons come here, and `Le` is the one left")]
    pub(super) fn compare_integers(&mut self, prim: Prim, kind: Kind, bytes: usize, [a, b]: [Reg; 2]) -> Reg {
        let signed = kind == Kind::Signed;
        if self.target.has_masks() {
            let how = match prim {
                Prim::Eq => 0,
                Prim::Ne => 4,
                Prim::Lt => 1,
                _ => 2,
            };
            let widths = if signed { rows::CMP_SIGNED } else { rows::CMP_UNSIGNED };
            return self.test(rows::of(widths, bytes), self.length(bytes), (a, b), Some(how));
        }
        match (prim, signed) {
            (Prim::Eq, _) => self.vector_test(avx2::EQUAL, bytes, a, b),
            (Prim::Lt, true) => self.vector_test(avx2::MORE, bytes, b, a),
            // As signed, once the sign bits are turned over.
            (Prim::Lt, false) if bytes == 8 => {
                let [a, b] = [a, b].map(|x| self.sign_turned(bytes, x));
                self.vector_test(avx2::MORE, bytes, b, a)
            }
            // The lesser of the two is the first.
            (Prim::Le, false) if bytes < 8 => {
                let least = self.binary(rows::of(rows::MIN_UNSIGNED, bytes), self.length(bytes), a, b);
                self.vector_test(avx2::EQUAL, bytes, least, a)
            }
            _ => {
                let (opposite, operands) = if prim == Prim::Ne { (Prim::Eq, [a, b]) } else { other_way(prim, [a, b]) };
                let mask = self.compare_integers(opposite, kind, bytes, operands);
                self.not(mask)
            }
        }
    }

    fn vector_test(&mut self, rows: [InstructionRow; 4], bytes: usize, a: Reg, b: Reg) -> Reg {
        let mask = self.binary(rows::of(rows, bytes), self.length(bytes), a, b);
        self.truths(bytes, mask)
    }

    /// Integers with their sign bit turned over.
    pub(super) fn sign_turned(&mut self, bytes: usize, x: Reg) -> Reg {
        let sign = self.constant(bytes, 1 << (8 * bytes - 1));
        self.binary(rows::XOR, self.length(bytes), x, sign)
    }

    /// Where two integers have a bit in common.
    pub(super) fn common_bits(&mut self, bytes: usize, a: Reg, b: Reg) -> Reg {
        if self.target.has_masks() {
            return self.test(rows::of(rows::TEST, bytes), self.length(bytes), (a, b), None);
        }
        let common = if a == b { a } else { self.binary(rows::AND, self.length(bytes), a, b) };
        let zero = self.constant(bytes, 0);
        self.compare_integers(Prim::Ne, Kind::Signed, bytes, [common, zero])
    }

    /// Two truth values made one.
    pub(super) fn logic(&mut self, how: Logic, a: Reg, b: Reg) -> Reg {
        if self.target.has_masks() {
            let row = match how {
                Logic::And => rows::KAND,
                Logic::AndNot => rows::KANDN,
                Logic::Or => rows::KOR,
                Logic::Xor => rows::KXOR,
                Logic::Equal => rows::KXNOR,
            };
            return self.masks(row, Some(a), b);
        }
        let bytes = self.truth_bytes[&a].max(self.truth_bytes[&b]);
        let [a, b] = [a, b].map(|mask| self.truths_in(bytes, mask));
        let row = match how {
            Logic::And => rows::AND,
            Logic::AndNot => avx2::AND_NOT,
            Logic::Or => rows::OR,
            Logic::Xor | Logic::Equal => rows::XOR,
        };
        let mask = self.binary(row, self.length(bytes), a, b);
        self.truths(bytes, mask);
        if how == Logic::Equal { self.not(mask) } else { mask }
    }

    pub(super) fn not(&mut self, mask: Reg) -> Reg {
        if self.target.has_masks() {
            return self.masks(rows::KNOT, None, mask);
        }
        let bytes = self.truth_bytes[&mask];
        let ones = self.constant(bytes, u128::MAX);
        let mask = self.binary(rows::XOR, self.length(bytes), mask, ones);
        self.truths(bytes, mask)
    }

    /// An instruction of mask registers alone.
    fn masks(&mut self, row: InstructionRow, first: Option<Reg>, last: Reg) -> Reg {
        let step = Instruction { form: InstructionForm::Masks, first, ..self.blank(row, self.target.whole(), last) };
        self.step(RegClass::Mask, step)
    }

    /// `yes` where the mask says so, else `no`.
    pub(super) fn blend(&mut self, bytes: usize, mask: Reg, yes: Reg, no: Reg) -> Reg {
        let rows = if self.target.has_masks() { rows::BLEND } else { avx2::BLEND };
        let mask = self.truths_in(bytes, mask);
        let length = self.length(bytes);
        let step = Instruction {
            first: Some(no),
            mask: Some((mask, false)),
            ..self.blank(rows::of(rows, bytes), length, yes)
        };
        self.step(RegClass::Vector, step)
    }

    /// Lanes where the mask says so, else 0.
    pub(super) fn kept(&mut self, bytes: usize, mask: Reg, x: Reg) -> Reg {
        if self.target.has_masks() {
            let step = Instruction {
                mask: Some((mask, true)),
                ..self.blank(self.target.moving(bytes), self.length(bytes), x)
            };
            return self.step(RegClass::Vector, step);
        }
        let mask = self.truths_in(bytes, mask);
        self.binary(rows::AND, self.length(bytes), mask, x)
    }

    /// An instruction of one operand, whose result has lanes of `bytes` bytes. Lanes outside the mask become 0.
    pub(super) fn unary_where(
        &mut self,
        row: InstructionRow,
        length: VectorBits,
        bytes: usize,
        last: Reg,
        mask: Reg,
    ) -> Reg {
        if self.target.has_masks() {
            let step = Instruction { mask: Some((mask, true)), ..self.blank(row, length, last) };
            return self.step(RegClass::Vector, step);
        }
        let value = self.unary(row, length, last, None);
        self.kept(bytes, mask, value)
    }

    /// An instruction of two operands. Lanes outside the mask are those of `tied`.
    pub(super) fn binary_where(
        &mut self,
        row: InstructionRow,
        bytes: usize,
        mask: Reg,
        tied: Reg,
        [first, last]: [Reg; 2],
    ) -> Reg {
        let length = self.length(bytes);
        if self.target.has_masks() {
            let mask = Some((mask, false));
            let step = Instruction { tied: Some(tied), first: Some(first), mask, ..self.blank(row, length, last) };
            return self.step(RegClass::Vector, step);
        }
        let value = self.binary(row, length, first, last);
        self.blend(bytes, mask, value, tied)
    }
}

/// `not (a < b)` is `b <= a`.
fn other_way(prim: Prim, [a, b]: [Reg; 2]) -> (Prim, [Reg; 2]) {
    (if prim == Prim::Lt { Prim::Le } else { Prim::Lt }, [b, a])
}
