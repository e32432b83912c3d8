//! Functions over lanes as vector instructions.

use super::assembler::VectorBits;
use super::avx2::TableLookups;
use super::lower::{ChunkValue, Lowering};
use super::rows;
use super::steps::{Instruction, PreloadedValue, Reg, RegClass};
use crate::exec::jit::lower::VectorOp;
use crate::scalar::math::lanes::LOGARITHM;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// What comparisons ask: less; not less.
const LESS: u8 = 0x11;
const NOT_LESS: u8 = 0x15;
/// Of what is smaller in size, with the first operand's sign; of what is no number, the other.
const SMALLER_SIZE: u8 = 2;

impl Lowering<'_> {
    /// An operation of functions over lanes, the step at a place.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other operation is one of functions over lanes")]
    pub(super) fn operation(
        &mut self,
        place: usize,
        op: VectorOp,
        dtype: DType,
        args: &[ChunkValue],
    ) -> Option<ChunkValue> {
        if let Some(mask) = self.question(op, place, args) {
            return Some(ChunkValue::Mask(mask));
        }
        if !self.target.has_masks()
            && let Some(result) = self.by_bits(op, dtype, args)
        {
            return Some(ChunkValue::Vector(result));
        }
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let vector = |index: usize| args[index].vector();
        Some(ChunkValue::Vector(match op {
            VectorOp::Exponent { .. } => self.exponent_near(bytes, vector(0)),
            VectorOp::Mantissa { .. } => self.mantissa_near(bytes, vector(0)),
            VectorOp::Logarithm => {
                let classes = self.constant(bytes, LOGARITHM.into());
                self.ternary(rows::float(rows::FIXUP, bytes), length, [vector(0), vector(1), classes], Some(0))
            }
            VectorOp::NegatedFma => {
                self.ternary(rows::float(rows::FNMA213, bytes), length, [0, 1, 2].map(vector), None)
            }
            // Of two operands these give the second where they are unordered.
            VectorOp::AtMost => self.binary(rows::float(rows::FMIN, bytes), length, vector(1), vector(0)),
            VectorOp::AtLeast => self.binary(rows::float(rows::FMAX, bytes), length, vector(1), vector(0)),
            VectorOp::Scale { .. } => self.binary(rows::float(rows::SCALE, bytes), length, vector(0), vector(1)),
            VectorOp::ScaleDown => {
                let zero = self.constant(bytes, 0);
                let n = self.binary(rows::float(rows::FSUB, bytes), length, zero, vector(1));
                self.binary(rows::float(rows::SCALE, bytes), length, vector(0), n)
            }
            VectorOp::Limit => {
                let row = rows::float(rows::RANGE, bytes);
                let step = Instruction {
                    first: Some(vector(0)),
                    immediate: Some(SMALLER_SIZE),
                    ..self.blank(row, length, vector(1))
                };
                self.step(RegClass::Vector, step)
            }
            VectorOp::NegateByTurns => self.turned(dtype, vector(0), vector(1)),
            VectorOp::Lookup(from, table) => self.look_up_together(place, from, dtype, vector(0), table)?,
            _ => return None,
        }))
    }

    /// A number without its exponent, from 3/4 up to 3/2.
    fn mantissa_near(&mut self, bytes: usize, x: Reg) -> Reg {
        self.unary(rows::float(rows::MANTISSA, bytes), self.length(bytes), x, Some(3))
    }

    /// The exponent that goes with that: one more where what is left is less than 1.
    fn exponent_near(&mut self, bytes: usize, x: Reg) -> Reg {
        let exponent = self.unary(rows::float(rows::EXPONENT, bytes), self.length(bytes), x, None);
        let one = if bytes == 4 { 1f32.to_bits().into() } else { 1f64.to_bits().into() };
        let (rest, one) = (self.mantissa_near(bytes, x), self.constant(bytes, one));
        let less = self.compare_floats(bytes, (rest, one), LESS);
        self.binary_where(rows::float(rows::FADD, bytes), bytes, less, exponent, [exponent, one])
    }

    /// A truth value of floats; `None` if the operation gives none.
    fn question(&mut self, op: VectorOp, place: usize, args: &[ChunkValue]) -> Option<Reg> {
        let of = self.source.steps[place].operands[0].map(|arg| self.source.dtype(arg))?;
        let bytes = of.size();
        if op == VectorOp::NotLess {
            return Some(self.compare_floats(bytes, (args[0].vector(), args[1].vector()), NOT_LESS));
        }
        if op != VectorOp::Odd {
            return None;
        }
        let (x, one) = (args[0].vector(), self.constant(bytes, 1));
        if self.target.has_masks() {
            return Some(self.common_bits(bytes, x, one));
        }
        let last = self.binary(rows::AND, self.length(bytes), x, one);
        Some(self.compare_integers(Prim::Eq, Kind::Unsigned, bytes, [last, one]))
    }

    /// The first operand, its sign bit changed where the turns have one.
    fn turned(&mut self, dtype: DType, x: Reg, turns: Reg) -> Reg {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let turn = self.shift_left(bytes, turns, dtype.bits() as u8 - 2);
        let sign = self.constant(bytes, 1 << (dtype.bits() - 1));
        if self.target.has_masks() {
            return self.ternary(rows::TERNARY, length, [x, turn, sign], Some(0x78));
        }
        let turn = self.binary(rows::AND, length, turn, sign);
        self.binary(rows::XOR, length, x, turn)
    }

    /// An element of a table; those of other tables that later steps ask for by the same number are looked up with it
    /// where that is better.
    fn look_up_together(&mut self, place: usize, from: u8, dtype: DType, x: Reg, table: usize) -> Option<Reg> {
        let source = self.source;
        if !self.target.has_masks() && !self.looked_up.contains_key(&place) {
            let asked = TableLookups::of(source, place)?;
            let number = self.get(asked.number()).vector();
            let elements = self.look_up_rows(&asked, dtype, number).unwrap_or_default();
            self.looked_up.extend(asked.places.iter().copied().zip(elements));
        }
        match self.looked_up.get(&place) {
            Some(&element) => Some(element),
            None => self.look_up(from, dtype.size(), x, &source.tables[table].1),
        }
    }

    /// The sign bit of the one, the other bits of the other.
    pub(super) fn copysign(&mut self, bytes: usize, x: Reg, sign: Reg) -> Reg {
        let (length, bit) = (self.length(bytes), self.constant(bytes, 1 << (8 * bytes - 1)));
        if self.target.has_masks() {
            return self.ternary(rows::TERNARY, length, [bit, sign, x], Some(0xca));
        }
        let [sign, rest] =
            [self.binary(rows::AND, length, sign, bit), self.binary(rows::avx2::AND_NOT, length, bit, x)];
        self.binary(rows::OR, length, sign, rest)
    }

    /// Elements of a table by the bits of a number from one on.
    fn look_up(&mut self, from: u8, bytes: usize, x: Reg, table: &[u64]) -> Option<Reg> {
        let index = if from == 0 { x } else { self.shift_right(bytes, x, from) };
        if !self.target.has_masks() {
            return self.look_up_parts(bytes, index, table);
        }
        let mut vectors = table.chunks(64 / bytes).map(|part| {
            let mut vector = [0; 64];
            for (lane, bits) in vector.chunks_exact_mut(bytes).zip(part.iter().cycle()) {
                lane.copy_from_slice(&bits.to_le_bytes()[..bytes]);
            }
            self.preload(PreloadedValue::Constant(vector))
        });
        // Whole vectors, as a table fills them, even where the numbers do not.
        match (vectors.next()?, vectors.next(), vectors.next()) {
            (only, None, _) => {
                drop(vectors);
                Some(self.binary(rows::float(rows::PERMUTE, bytes), VectorBits::Zmm, index, only))
            }
            (low, Some(high), None) => {
                drop(vectors);
                Some(self.ternary(rows::float(rows::PICK, bytes), VectorBits::Zmm, [index, low, high], None))
            }
            _ => None,
        }
    }
}
