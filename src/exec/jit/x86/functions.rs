//! Functions over lanes as vector instructions.

use super::assembler::Length;
use super::avx2::Asked;
use super::lower::{Held, Lowering};
use super::rows;
use super::steps::{Class, Fixed, Form, Reg, Step};
use super::trace::{At, Binary, Lookup, Op, Tape, Test, Unary, trace};
use crate::kernel::hash::QuickMap;
use crate::scalar::math::lanes::LOGARITHM;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// What comparisons ask: less; not less.
const LESS: u8 = 0x11;
const NOT_LESS: u8 = 0x15;
/// Of what is smaller in size, with the first operand's sign; of what is no number, the other.
const SMALLER: u8 = 2;

impl Lowering<'_> {
    /// A function of one operand; `None` where it has no definition over lanes.
    pub(super) fn function(&mut self, prim: Prim, dtype: DType, x: Reg) -> Option<Held> {
        let tape = trace(prim, dtype, self.target)?;
        let mut held: Vec<Held> = Vec::with_capacity(tape.ops.len());
        let mut looked_up: QuickMap<usize, Reg> = QuickMap::default();
        for (place, op) in tape.ops.iter().enumerate() {
            let alone = self.target.has_masks() || looked_up.contains_key(&place);
            if let Some(asked) = Asked::of(&tape, place).filter(|_| !alone) {
                let number = held[asked.number() as usize].vector();
                let elements = self.look_up_rows(&asked, dtype, number).unwrap_or_default();
                looked_up.extend(asked.places.iter().copied().zip(elements));
            }
            let value = match looked_up.get(&place) {
                Some(&element) => Held::Vector(element),
                None => self.op(op, dtype, x, &held)?,
            };
            held.push(value);
        }
        self.guard(&tape, dtype, &held);
        Some(held[tape.result as usize])
    }

    /// Leaves the loop where an argument is hard.
    fn guard(&mut self, tape: &Tape, dtype: DType, held: &[Held]) {
        let Some(hard) = tape.hard else { return };
        let mask = held[hard as usize].mask();
        let row = if self.target.has_masks() { rows::KORTEST } else { rows::avx2::ANY };
        let step = Step { form: Form::Guard, ..self.blank(row, self.length(dtype.size()), mask) };
        self.body.steps.push(step);
        self.body.guarded = true;
    }

    fn op(&mut self, op: &Op, dtype: DType, x: Reg, held: &[Held]) -> Option<Held> {
        let bytes = dtype.size();
        let length = self.length(bytes);
        let vector = |at: At| held[at as usize].vector();
        if !self.target.has_masks()
            && let Some(result) = self.by_bits(op, dtype, held)
        {
            return Some(Held::Vector(result));
        }
        Some(Held::Vector(match *op {
            Op::Argument => x,
            Op::Splat(bits) => self.constant(bytes, bits.into()),
            Op::Unary(Unary::Abs, a) => {
                let rest = self.constant(bytes, (1 << (dtype.bits() - 1)) - 1);
                self.binary(rows::AND, length, vector(a), rest)
            }
            Op::Unary(Unary::Exponent, a) => self.unary(rows::float(rows::EXPONENT, bytes), length, vector(a), None),
            Op::Unary(Unary::Mantissa, a) => self.unary(rows::float(rows::MANTISSA, bytes), length, vector(a), Some(0)),
            Op::Binary(how, a, b) => self.two(how, dtype, vector(a), vector(b)),
            Op::Unary(Unary::MantissaNear, a) => {
                self.unary(rows::float(rows::MANTISSA, bytes), length, vector(a), Some(3))
            }
            Op::AddWhere(mask, a, b) => {
                let (row, mask, a) = (rows::float(rows::FADD, bytes), held[mask as usize].mask(), vector(a));
                self.binary_where(row, bytes, mask, a, [a, vector(b)])
            }
            Op::Logarithm(a, of) => {
                let classes = self.constant(bytes, LOGARITHM.into());
                self.ternary(rows::float(rows::FIXUP, bytes), length, [vector(a), vector(of), classes], Some(0))
            }
            Op::Fma { negated, operands } => {
                let row = rows::float(if negated { rows::FNMA213 } else { rows::FMA213 }, bytes);
                self.ternary(row, length, operands.map(vector), None)
            }
            Op::Test(how, a, b) => return Some(Held::Mask(self.question(how, bytes, vector(a), vector(b)))),
            Op::Choose(mask, yes, no) => self.blend(bytes, held[mask as usize].mask(), vector(yes), vector(no)),
            Op::Lookup(how, a, ref table) => self.look_up(how, dtype, vector(a), table)?,
        }))
    }

    fn two(&mut self, how: Binary, dtype: DType, a: Reg, b: Reg) -> Reg {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let (rows, a, b) = match how {
            Binary::Add => (rows::FADD, a, b),
            Binary::Sub => (rows::FSUB, a, b),
            Binary::Mul => (rows::FMUL, a, b),
            Binary::Div => (rows::FDIV, a, b),
            // Of two operands these give the second where they are unordered.
            Binary::AtMost => (rows::FMIN, b, a),
            Binary::AtLeast => (rows::FMAX, b, a),
            Binary::Scale => (rows::SCALE, a, b),
            Binary::Limit => {
                let row = rows::float(rows::RANGE, bytes);
                let step = Step { first: Some(a), immediate: Some(SMALLER), ..self.blank(row, length, b) };
                return self.step(Class::Vector, step);
            }
            Binary::Copysign => return self.copysign(bytes, a, b),
            Binary::Turned => {
                let turn = self.shift(bytes, Prim::Shl, false, b, dtype.bits() as u8 - 2);
                let sign = self.constant(bytes, 1 << (dtype.bits() - 1));
                // The first operand, its sign bit changed where the turns have one.
                if !self.target.has_masks() {
                    let turn = self.binary(rows::AND, length, turn, sign);
                    return self.binary(rows::XOR, length, a, turn);
                }
                return self.ternary(rows::TERNARY, length, [a, turn, sign], Some(0x78));
            }
        };
        self.binary(rows::float(rows, bytes), length, a, b)
    }

    fn question(&mut self, how: Test, bytes: usize, a: Reg, b: Reg) -> Reg {
        match how {
            Test::Less => self.compare_floats(bytes, (a, b), LESS),
            Test::Outside => self.compare_floats(bytes, (a, b), NOT_LESS),
            Test::Odd => {
                let one = self.constant(bytes, 1);
                if self.target.has_masks() {
                    return self.common_bits(bytes, a, one);
                }
                let last = self.binary(rows::AND, self.length(bytes), a, one);
                self.compare_integers(Prim::Eq, false, bytes, [last, one])
            }
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

    /// Elements of a table by some bits of a number.
    fn look_up(&mut self, how: Lookup, dtype: DType, x: Reg, table: &[u64]) -> Option<Reg> {
        let bytes = dtype.size();
        let fraction = if bytes == 4 { 23 } else { 52 };
        let index = match how {
            Lookup::Sixteen => x,
            Lookup::Fraction => self.shift(bytes, Prim::Shr, false, x, fraction - 4),
            Lookup::Quarter => self.shift(bytes, Prim::Shr, false, x, fraction - 2),
        };
        if !self.target.has_masks() {
            return self.look_up_parts(bytes, index, table);
        }
        let mut vectors = table.chunks(64 / bytes).map(|part| {
            let mut vector = [0; 64];
            for (lane, bits) in vector.chunks_exact_mut(bytes).zip(part) {
                lane.copy_from_slice(&bits.to_le_bytes()[..bytes]);
            }
            self.fixed(Fixed::Constant(vector))
        });
        // Whole vectors, as a table fills them, even where the numbers do not.
        match (vectors.next()?, vectors.next(), vectors.next()) {
            (only, None, _) => {
                drop(vectors);
                Some(self.binary(rows::float(rows::PERMUTE, bytes), Length::Zmm, index, only))
            }
            (low, Some(high), None) => {
                drop(vectors);
                Some(self.ternary(rows::float(rows::PICK, bytes), Length::Zmm, [index, low, high], None))
            }
            _ => None,
        }
    }
}
