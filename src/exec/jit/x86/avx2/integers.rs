//! Integers of 64 bits.

use super::super::lower::{ChunkValue, Lowering};
use super::super::rows::{self, avx2};
use super::super::steps::{PreloadedValue, Reg};
use crate::scalar::prim::Prim;
use crate::types::Kind;

impl Lowering<'_> {
    /// Arithmetic that there is no instruction for; `None` where there is one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim needs more here than its instruction")]
    pub(in super::super) fn quads(&mut self, prim: Prim, kind: Kind, args: &[ChunkValue]) -> Option<Reg> {
        let operand = |index: usize| args[index].vector();
        Some(match prim {
            Prim::Mul => self.multiply_quads(operand(0), operand(1)),
            Prim::Min | Prim::Max => {
                let (a, b) = (operand(0), operand(1));
                let less = self.compare_integers(Prim::Lt, kind, 8, [a, b]);
                let (yes, no) = if prim == Prim::Min { (a, b) } else { (b, a) };
                self.blend(8, less, yes, no)
            }
            Prim::Abs if kind == Kind::Signed => {
                let zero = self.constant(8, 0);
                let negative = self.compare_integers(Prim::Lt, Kind::Signed, 8, [operand(0), zero]);
                let turned = self.binary(rows::XOR, self.length(8), operand(0), negative);
                self.binary(rows::of(rows::SUB, 8), self.length(8), turned, negative)
            }
            _ => return None,
        })
    }

    /// `a * b`, of which the products of the lower halves are whole, and those of a lower and an upper one count for
    /// the upper half alone.
    pub(super) fn multiply_quads(&mut self, a: Reg, b: Reg) -> Reg {
        let (length, add) = (self.length(8), rows::of(rows::ADD, 8));
        let low = self.binary(avx2::MULTIPLY_LOW, length, a, b);
        let mut cross = None;
        for (upper, lower) in [(a, b), (b, a)] {
            if self.has_upper_half(upper) {
                let upper = self.shift_right(8, upper, 32);
                let product = self.binary(avx2::MULTIPLY_LOW, length, upper, lower);
                cross = Some(match cross {
                    None => product,
                    Some(other) => self.binary(add, length, product, other),
                });
            }
        }
        let Some(cross) = cross else { return low };
        let cross = self.shift_left(8, cross, 32);
        self.binary(add, length, low, cross)
    }

    /// Whether a vector is not known to have zeros there.
    fn has_upper_half(&self, x: Reg) -> bool {
        let known = self.body.fixed.iter().find(|(reg, _)| *reg == x);
        match known {
            Some((_, PreloadedValue::Constant(bytes))) => bytes.chunks_exact(8).any(|lane| lane[4..] != [0; 4]),
            _ => true,
        }
    }

    /// A shift to the right that keeps the sign, by counts of lanes: one outside of the width is the greatest inside
    /// it.
    pub(in super::super) fn shift_signed_quads_by(&mut self, x: Reg, count: Reg) -> Reg {
        let (length, shifts) = (self.length(8), rows::of(rows::SHIFTS_RIGHT, 8));
        let greatest = self.constant(8, 63);
        let inside = self.compare_integers(Prim::Le, Kind::Unsigned, 8, [count, greatest]);
        let count = self.blend(8, inside, count, greatest);
        let moved = self.binary(shifts, length, x, count);
        let sign = self.constant(8, 1 << 63);
        let sign = self.binary(shifts, length, sign, count);
        let turned = self.binary(rows::XOR, length, moved, sign);
        self.binary(rows::of(rows::SUB, 8), length, turned, sign)
    }

    /// A shift to the right that keeps the sign: of what has the sign bit turned over, turned back where it is then.
    pub(in super::super) fn shift_signed_quads(&mut self, x: Reg, count: u8) -> Reg {
        let length = self.length(8);
        let moved = self.shift_right(8, x, count);
        let sign = self.constant(8, 1 << (63 - count));
        let turned = self.binary(rows::XOR, length, moved, sign);
        self.binary(rows::of(rows::SUB, 8), length, turned, sign)
    }
}
