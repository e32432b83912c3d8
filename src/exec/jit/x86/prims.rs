//! Prims as instructions of AVX2 or AVX-512.

use super::assembler::{InstructionRow, VectorBits};
use super::lower::{ChunkValue, Lowering, shift_name};
use super::masks::Logic;
use super::quotient;
use super::rows::{self, avx2};
use super::steps::{Instruction, InstructionForm, Reg, RegClass};
use crate::exec::jit::lower::{VectorOperands, VectorStep};
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};

/// What a comparison of floats asks: whether one is no number.
pub(super) const UNORDERED: u8 = 3;

impl Lowering<'_> {
    /// A prim of values: the one that a step has.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other prim is one of floats or of integers")]
    pub(super) fn prim(&mut self, prim: Prim, index: usize, args: &[ChunkValue]) -> Option<ChunkValue> {
        let VectorStep { dtype: to, operands: values, .. } = self.source.steps[index];
        let from = self.source.dtype(values[0].expect("a prim has operands"));
        let bytes = from.size();
        let length = self.length(bytes.min(8));
        Some(match prim {
            Prim::Real | Prim::Imag | Prim::Pair => unreachable!("complex numbers are two vectors"),
            Prim::Select => return Some(self.select(index, args)),
            Prim::Convert => {
                let bounds = values[0].map(|value| self.bounds[value.0 as usize]).filter(|bounds| bounds.fit(to));
                return match bounds {
                    Some(bounds) if from.is_float() => self.integer_within(args[0], from, to, bounds),
                    _ => self.convert(args[0], from, to),
                };
            }
            Prim::Bitcast if from == DType::Bool || to == DType::Bool => return None,
            Prim::Bitcast => args[0],
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le => ChunkValue::Mask(self.compare(prim, from, args)),
            Prim::And | Prim::Or | Prim::Xor | Prim::Not if from == DType::Bool => {
                ChunkValue::Mask(self.logic_of(prim, args))
            }
            Prim::And => self.of_two(rows::AND, length, args),
            Prim::Or => self.of_two(rows::OR, length, args),
            Prim::Xor => self.of_two(rows::XOR, length, args),
            Prim::Not => {
                let ones = self.constant(bytes, u128::MAX);
                ChunkValue::Vector(self.binary(rows::XOR, length, args[0].vector(), ones))
            }
            Prim::Shl | Prim::Shr => ChunkValue::Vector(self.shifted(prim, from, args, values)),
            Prim::FloorDiv | Prim::Rem => ChunkValue::Vector(match (self.source.power_of_two(values[1]), prim) {
                _ if !from.is_integer() => return None,
                (Some(count), Prim::FloorDiv) => self.shift_any(from, Prim::Shr, args[0].vector(), count as u8),
                (Some(count), _) => {
                    let mask = self.constant(bytes, (1u128 << count) - 1);
                    self.binary(rows::AND, length, args[0].vector(), mask)
                }
                (None, _) => self.whole(prim, from, args, values[1])?,
            }),
            Prim::Mul if from.is_integer() && bytes == 8 && self.is_lower_half(index) => {
                self.of_two(avx2::MULTIPLY_LOW, length, args)
            }
            Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Sqrt if from == DType::F32 => {
                let result = self.float(prim, from, args, values)?;
                self.note_arithmetic(args, result);
                result
            }
            _ if from.is_float() => return self.float(prim, from, args, values),
            _ => return self.integer(prim, from, args),
        })
    }

    fn of_two(&mut self, row: InstructionRow, length: VectorBits, args: &[ChunkValue]) -> ChunkValue {
        ChunkValue::Vector(self.binary(row, length, args[0].vector(), args[1].vector()))
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim of floats has instructions")]
    fn float(&mut self, prim: Prim, dtype: DType, args: &[ChunkValue], values: VectorOperands) -> Option<ChunkValue> {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let x = args[0].vector();
        let sign = 1 << (dtype.bits() - 1);
        let rounded = |lowering: &mut Self, how: u8| {
            ChunkValue::Vector(lowering.unary(rows::float(rows::ROUND, bytes), length, x, Some(how | 8)))
        };
        Some(match prim {
            Prim::Add => self.of_two(rows::float(rows::FADD, bytes), length, args),
            Prim::Sub => self.of_two(rows::float(rows::FSUB, bytes), length, args),
            Prim::Mul => self.of_two(rows::float(rows::FMUL, bytes), length, args),
            Prim::Div => {
                let [Some(value), Some(divisor), ..] = values else { unreachable!("a quotient is of two") };
                match quotient::inverse(self.source, dtype, value, divisor) {
                    Some(inverse) => ChunkValue::Vector(self.products(dtype, x, inverse)),
                    None => self.of_two(rows::float(rows::FDIV, bytes), length, args),
                }
            }
            Prim::Sqrt => ChunkValue::Vector(self.unary(rows::float(rows::FSQRT, bytes), length, x, None)),
            Prim::Round => rounded(self, 0),
            Prim::Floor => rounded(self, 1),
            Prim::Ceil => rounded(self, 2),
            Prim::Trunc => rounded(self, 3),
            Prim::Fma => {
                let operands = [args[0].vector(), args[1].vector(), args[2].vector()];
                ChunkValue::Vector(self.ternary(rows::float(rows::FMA213, bytes), length, operands, None))
            }
            Prim::Neg => {
                let sign = self.constant(bytes, sign);
                ChunkValue::Vector(self.binary(rows::XOR, length, x, sign))
            }
            Prim::Abs => {
                let rest = self.constant(bytes, sign - 1);
                ChunkValue::Vector(self.binary(rows::AND, length, x, rest))
            }
            Prim::Copysign => ChunkValue::Vector(self.copysign(bytes, x, args[1].vector())),
            Prim::Min | Prim::Max if !self.target.has_masks() => {
                ChunkValue::Vector(self.extreme(prim, dtype, [x, args[1].vector()], values))
            }
            Prim::Min | Prim::Max => {
                let y = args[1].vector();
                // -0 is less than +0; and where one is no number, so is the sum.
                let step = Instruction {
                    first: Some(x),
                    immediate: Some(if prim == Prim::Min { 4 } else { 5 }),
                    ..self.blank(rows::float(rows::RANGE, bytes), length, y)
                };
                let number = self.step(RegClass::Vector, step);
                let unordered = self.compare_floats(bytes, (x, y), UNORDERED);
                ChunkValue::Vector(self.binary_where(rows::float(rows::FADD, bytes), bytes, unordered, number, [x, y]))
            }
            _ => return None,
        })
    }

    pub(super) fn integer(&mut self, prim: Prim, dtype: DType, args: &[ChunkValue]) -> Option<ChunkValue> {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let signed = dtype.kind() == Kind::Signed;
        if bytes == 8
            && !self.target.has_masks()
            && let Some(result) = self.quads(prim, dtype.kind(), args)
        {
            return Some(ChunkValue::Vector(result));
        }
        let widths = match (prim, signed) {
            (Prim::Add, _) => rows::ADD,
            (Prim::Sub, _) => rows::SUB,
            (Prim::Mul, _) if bytes == 1 => return Some(self.multiply_bytes(args)),
            (Prim::Mul, _) => rows::MUL,
            (Prim::Min, true) => rows::MIN_SIGNED,
            (Prim::Min, false) => rows::MIN_UNSIGNED,
            (Prim::Max, true) => rows::MAX_SIGNED,
            (Prim::Max, false) => rows::MAX_UNSIGNED,
            (Prim::Neg, _) => {
                let zero = self.constant(bytes, 0);
                let row = rows::of(rows::SUB, bytes);
                return Some(ChunkValue::Vector(self.binary(row, length, zero, args[0].vector())));
            }
            (Prim::Abs, true) => {
                let row = rows::of(rows::ABS, bytes);
                return Some(ChunkValue::Vector(self.unary(row, length, args[0].vector(), None)));
            }
            (Prim::Abs, false) => return Some(args[0]),
            (Prim::Popcount, _) => {
                let row = rows::of(rows::POPCOUNT, bytes);
                return Some(ChunkValue::Vector(self.unary(row, length, args[0].vector(), None)));
            }
            _ => return None,
        };
        Some(self.of_two(rows::of(widths, bytes), length, args))
    }

    /// Bytes multiply as the even and odd bytes of 16-bit lanes.
    fn multiply_bytes(&mut self, args: &[ChunkValue]) -> ChunkValue {
        let (a, b, length) = (args[0].vector(), args[1].vector(), self.length(1));
        let (high, mul) = (self.constant(2, 0xff00), rows::of(rows::MUL, 2));
        let even = self.binary(mul, length, a, b);
        let a = self.shift_words(Prim::Shr, a, 8);
        let b = self.binary(rows::AND, length, b, high);
        let odd = self.binary(mul, length, a, b);
        // The high bytes of the one, the low bytes of the other.
        ChunkValue::Vector(match self.target.has_masks() {
            true => self.ternary(rows::TERNARY, length, [high, odd, even], Some(0xca)),
            false => self.blend(1, high, odd, even),
        })
    }

    /// A shift of the 16-bit lanes that a vector of bytes has.
    fn shift_words(&mut self, prim: Prim, x: Reg, count: u8) -> Reg {
        let digit = if prim == Prim::Shl { 6 } else { 2 };
        let row = rows::of(rows::SHIFT, 2).with_name(shift_name(digit, 2));
        let step = Instruction {
            form: InstructionForm::Digit(digit),
            immediate: Some(count),
            ..self.blank(row, self.length(1), x)
        };
        self.step(RegClass::Vector, step)
    }

    /// A shift by a constant count less than the width.
    fn shift_any(&mut self, dtype: DType, prim: Prim, x: Reg, count: u8) -> Reg {
        let signed = dtype.kind() == Kind::Signed;
        if dtype.size() > 1 {
            return match (prim, signed) {
                (Prim::Shl, _) => self.shift_left(dtype.size(), x, count),
                (_, false) => self.shift_right(dtype.size(), x, count),
                (_, true) => self.shift_right_signed(dtype.size(), x, count),
            };
        }
        let length = self.length(1);
        let moved = self.shift_words(prim, x, count);
        let kept = self.constant(1, if prim == Prim::Shl { 0xff << count } else { 0xff >> count });
        let moved = self.binary(rows::AND, length, moved, kept);
        if prim == Prim::Shl || !signed {
            return moved;
        }
        // The bit that was the sign, taken from what has it as a digit.
        let sign = self.constant(1, 0x80 >> count);
        let flipped = self.binary(rows::XOR, length, moved, sign);
        self.binary(rows::of(rows::SUB, 1), length, flipped, sign)
    }

    /// Counts outside the width leave 0, or the sign.
    fn shifted(&mut self, prim: Prim, dtype: DType, args: &[ChunkValue], values: VectorOperands) -> Reg {
        let bytes = dtype.size();
        let signed = prim == Prim::Shr && dtype.kind() == Kind::Signed;
        let x = args[0].vector();
        let Some(count) = self.source.constant(values[1]) else {
            return self.shifted_by(prim, signed, bytes, [x, args[1].vector()]);
        };
        let width = u128::from(dtype.bits());
        match count < width {
            true => self.shift_any(dtype, prim, x, count as u8),
            false if signed => self.shift_any(dtype, prim, x, width as u8 - 1),
            false => self.constant(bytes, 0),
        }
    }

    /// Each lane by a count of its own.
    fn shifted_by(&mut self, prim: Prim, signed: bool, bytes: usize, [x, count]: [Reg; 2]) -> Reg {
        let widths = match (prim, signed) {
            (Prim::Shl, _) => rows::SHIFTS_LEFT,
            (_, false) => rows::SHIFTS_RIGHT,
            (_, true) => rows::SHIFTS_SIGNED,
        };
        // In lanes that there are shifts of: what they leave is the same.
        let lane = bytes.max(if self.target.has_masks() { 2 } else { 4 });
        if lane == 8 && signed && !self.target.has_masks() {
            return self.shift_signed_quads_by(x, count);
        }
        let kind = if signed { Kind::Signed } else { Kind::Unsigned };
        let (x, count) = (self.resize(x, kind, bytes, lane), self.resize(count, Kind::Unsigned, bytes, lane));
        let moved = self.binary(rows::of(widths, lane), self.length(lane), x, count);
        self.resize(moved, kind, lane, bytes)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only comparisons come here, and `Le` is the one left")]
    pub(super) fn compare(&mut self, prim: Prim, dtype: DType, args: &[ChunkValue]) -> Reg {
        if dtype == DType::Bool {
            let (a, b) = (args[0].mask(), args[1].mask());
            return match prim {
                Prim::Eq => self.logic(Logic::Equal, a, b),
                Prim::Ne => self.logic(Logic::Xor, a, b),
                // `false` is less than `true`.
                Prim::Lt => self.logic(Logic::AndNot, a, b),
                _ => {
                    let not = self.not(a);
                    self.logic(Logic::Or, not, b)
                }
            };
        }
        let (a, b) = (args[0].vector(), args[1].vector());
        if dtype.is_float() {
            let (a, b) = (self.as_single(a, dtype), self.as_single(b, dtype));
            let bytes = dtype.size().max(4);
            let how = match prim {
                Prim::Eq => 0,
                Prim::Ne => 4,
                Prim::Lt => 0x11,
                _ => 0x12,
            };
            return self.compare_floats(bytes, (a, b), how);
        }
        self.compare_integers(prim, dtype.kind(), dtype.size(), [a, b])
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "only logic comes here, and `Not` is what is left")]
    fn logic_of(&mut self, prim: Prim, args: &[ChunkValue]) -> Reg {
        let how = match prim {
            Prim::And => Logic::And,
            Prim::Or => Logic::Or,
            Prim::Xor => Logic::Xor,
            _ => return self.not(args[0].mask()),
        };
        self.logic(how, args[0].mask(), args[1].mask())
    }

    fn select(&mut self, index: usize, args: &[ChunkValue]) -> ChunkValue {
        let step = self.source.steps[index];
        let (dtype, mask) = (step.dtype, args[0].mask());
        if dtype == DType::Bool {
            let yes = self.logic(Logic::And, mask, args[1].mask());
            let no = self.logic(Logic::AndNot, mask, args[2].mask());
            return ChunkValue::Mask(self.logic(Logic::Or, yes, no));
        }
        if let (Some(prim), DType::F32 | DType::F64) = (self.source.choice(&step), dtype) {
            let row = rows::float(if prim == Prim::Min { rows::FMIN } else { rows::FMAX }, dtype.size());
            return self.of_two(row, self.length(dtype.size()), &args[1..]);
        }
        if let (Some(prim), true) = (self.source.choice(&step), dtype.is_integer())
            && (dtype.size() < 8 || self.target.has_masks())
            && let Some(result) = self.integer(prim, dtype, &args[1..])
        {
            return result;
        }
        ChunkValue::Vector(self.blend(dtype.size(), mask, args[1].vector(), args[2].vector()))
    }

    /// Whether nobody reads more of a result than its lower half, where the whole takes more than one instruction.
    fn is_lower_half(&self, index: usize) -> bool {
        !self.target.has_masks() && self.demanded[index] >> 32 == 0
    }

    /// The number one in the lanes of a mask.
    pub(super) fn one_where(&mut self, dtype: DType, mask: Reg) -> Reg {
        let bytes = dtype.size();
        let one = self.constant(bytes, Scalar::one(dtype).bits);
        self.kept(bytes, mask, one)
    }
}
