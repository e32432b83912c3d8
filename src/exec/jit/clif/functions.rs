//! Operations of functions over lanes, as arithmetic on the bits: step for step as
//! [`Lanes`](crate::scalar::math::lanes::Lanes) defines them for one number.

use super::bundle::{Bundle, Lane, constant_memory};
use super::{ClifWriter, Link};
use crate::exec::jit::lower::{VectorOp, float_bits};
use crate::scalar::math::lanes::Shift;
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// A format's numbers, as bits.
struct FloatBits {
    /// Bits of the fraction.
    fraction: u8,
    one: u128,
    infinity: u128,
    nan: u128,
    least_normal: u128,
    /// 3/4.
    near: u128,
    /// Two to the number of bits of the fraction: its last place is 1.
    units: u128,
    /// `units + bias`, and `units + bias + fraction`.
    biased: [u128; 2],
    /// What leaves an integer in the last bits.
    shifter: u128,
    /// 100.
    most: u128,
}

impl FloatBits {
    /// The numbers of `f32`, or those of `f64`.
    const fn new(is_single: bool) -> FloatBits {
        let (digits, bias, least_normal, shifter, nan) = if is_single {
            let (least, shifter) = (f32::MIN_POSITIVE as f64, <f32 as Shift>::WHOLE as f64);
            (f32::MANTISSA_DIGITS, 127.0, least, shifter, (-f32::NAN).to_bits() as u128)
        } else {
            (f64::MANTISSA_DIGITS, 1023.0, f64::MIN_POSITIVE, <f64 as Shift>::WHOLE, (-f64::NAN).to_bits() as u128)
        };
        let fraction = digits - 1;
        let units = (1u64 << fraction) as f64;
        FloatBits {
            fraction: fraction as u8,
            one: float_bits(1.0, is_single),
            infinity: float_bits(f64::INFINITY, is_single),
            nan,
            least_normal: float_bits(least_normal, is_single),
            near: float_bits(0.75, is_single),
            units: float_bits(units, is_single),
            biased: [float_bits(units + bias, is_single), float_bits(units + bias + fraction as f64, is_single)],
            shifter: float_bits(shifter, is_single),
            most: float_bits(100.0, is_single),
        }
    }
}

const SINGLE: FloatBits = FloatBits::new(true);
const DOUBLE: FloatBits = FloatBits::new(false);

impl ClifWriter<'_, '_> {
    /// The result of an operation on floats of a dtype.
    pub(super) fn operation(&mut self, op: VectorOp, dtype: DType, args: &[Bundle]) -> Bundle {
        let format = if dtype == DType::F64 { &DOUBLE } else { &SINGLE };
        match op {
            VectorOp::NegatedFma => {
                let negative = self.map(args[0].lane, &args[0], |e, a| e.b.ins().fneg(a));
                self.fma(&[negative, args[1].clone(), args[2].clone()])
            }
            VectorOp::AtMost => self.nearer(Prim::Min, &args[0], &args[1]),
            VectorOp::AtLeast => self.nearer(Prim::Max, &args[0], &args[1]),
            VectorOp::NegateByTurns => self.turned(dtype, &args[0], &args[1]),
            VectorOp::Scale { below, normal } => self.scale(format, &args[0], &args[2], (below, normal)),
            VectorOp::Odd => {
                let lane = Lane::integer(dtype.size());
                let one = self.constant(lane, 1);
                let bits = self.retype(lane, &args[0]);
                let last = self.zip(lane, &bits, &one, |e, a, one| e.b.ins().band(a, one));
                self.zip(Lane::mask(lane.bytes), &last, &one, |e, a, one| e.b.ins().icmp(IntCC::Equal, a, one))
            }
            VectorOp::NotLess => {
                let less = self.compare(FloatCC::LessThan, &args[0], &args[1]);
                self.not(&less)
            }
            VectorOp::ScaleDown => self.lowered(format, &args[0], &args[1]),
            VectorOp::Exponent { normal } => self.exponent(format, &args[0], normal),
            VectorOp::Mantissa { normal } => {
                let x = if normal { args[0].clone() } else { self.normal(format, &args[0]).1 };
                // Above 3/4, what the bits have of the last power of two: so it ends at 3/2.
                let above = self.with(&x, format.near, |e, a, near| e.b.ins().isub(a, near));
                let fraction = self.masked(&above, (1 << format.fraction) - 1);
                let bits = self.with(&fraction, format.near, |e, a, near| e.b.ins().iadd(a, near));
                self.retype(args[0].lane, &bits)
            }
            VectorOp::Logarithm => self.logarithm(format, &args[0], &args[1]),
            VectorOp::Lookup(from, table) => self.look_up(from, &args[0], table),
            VectorOp::Limit
            | VectorOp::Const(_)
            | VectorOp::Load { .. }
            | VectorOp::Count { .. }
            | VectorOp::Store { .. }
            | VectorOp::Prim(_)
            | VectorOp::Call(_)
            | VectorOp::SlowPath(_) => unreachable!("{op:?} is no operation of functions here"),
        }
    }

    fn compare(&mut self, how: FloatCC, a: &Bundle, b: &Bundle) -> Bundle {
        self.zip(Lane::mask(a.lane.bytes), a, b, |e, a, b| e.b.ins().fcmp(how, a, b))
    }

    fn compare_with(&mut self, how: FloatCC, a: &Bundle, bits: u128) -> Bundle {
        let bound = self.constant(a.lane, bits);
        self.compare(how, a, &bound)
    }

    /// Bits and a constant, made one.
    fn with(&mut self, a: &Bundle, bits: u128, f: impl FnMut(&mut Self, Value, Value) -> Value) -> Bundle {
        let lane = Lane::integer(a.lane.bytes);
        let (a, constant) = (self.retype(lane, a), self.constant(lane, bits));
        self.zip(lane, &a, &constant, f)
    }

    fn masked(&mut self, a: &Bundle, bits: u128) -> Bundle {
        self.with(a, bits, |e, a, mask| e.b.ins().band(a, mask))
    }

    /// A mask of the subnormal numbers among positive ones, and all numbers with the subnormal ones multiplied until
    /// they are normal.
    fn normal(&mut self, format: &FloatBits, x: &Bundle) -> (Bundle, Bundle) {
        let subnormal = self.compare_with(FloatCC::LessThan, x, format.least_normal);
        let units = self.constant(x.lane, format.units);
        let larger = self.zip(x.lane, x, &units, |e, x, units| e.b.ins().fmul(x, units));
        let normal = self.select(&subnormal, &larger, x);
        (subnormal, normal)
    }

    fn exponent(&mut self, format: &FloatBits, x: &Bundle, normal: bool) -> Bundle {
        let (bias, x) = if normal {
            (self.constant(x.lane, format.biased[0]), x.clone())
        } else {
            let (subnormal, x) = self.normal(format, x);
            let [plain, larger] = format.biased.map(|bits| self.constant(x.lane, bits));
            (self.select(&subnormal, &larger, &plain), x)
        };
        // Where the bits of 3/4 go beyond a power of two, the next exponent begins.
        let above = self.with(&x, format.one - format.near, |e, a, more| e.b.ins().iadd(a, more));
        let exponent = self.map(above.lane, &above, |e, a| e.b.ins().ushr_imm_u(a, i64::from(format.fraction)));
        let number = self.with(&exponent, format.units, |e, a, units| e.b.ins().bor(a, units));
        let number = self.retype(x.lane, &number);
        self.zip(x.lane, &number, &bias, |e, a, bias| e.b.ins().fsub(a, bias))
    }

    /// Times a power of two, whose exponent is in the last bits but some: by its bits where both are normal, or else by
    /// two powers, whose biased exponents are the halves of a sum.
    fn scale(&mut self, format: &FloatBits, x: &Bundle, bits: &Bundle, (below, normal): (u8, bool)) -> Bundle {
        let lane = Lane::integer(x.lane.bytes);
        let bits = self.retype(lane, bits);
        let whole = self.map(lane, &bits, |e, a| {
            let whole = if below == 0 { a } else { e.b.ins().ushr_imm_u(a, i64::from(below)) };
            e.b.ins().ishl_imm_u(whole, i64::from(format.fraction))
        });
        if normal {
            let x_bits = self.retype(lane, x);
            let sum = self.zip(lane, &x_bits, &whole, |e, x, whole| e.b.ins().iadd(x, whole));
            return self.retype(x.lane, &sum);
        }
        let half = self.map(lane, &bits, |e, a| e.b.ins().ishl_imm_u(a, i64::from(format.fraction - 1 - below)));
        let half = self.masked(&half, format.infinity);
        let other = self.zip(lane, &whole, &half, |e, a, half| e.b.ins().isub(a, half));
        let (half, other) = (self.retype(x.lane, &half), self.retype(x.lane, &other));
        let product = self.zip(x.lane, x, &half, |e, x, half| e.b.ins().fmul(x, half));
        self.zip(x.lane, &product, &other, |e, x, other| e.b.ins().fmul(x, other))
    }

    /// Times a power of two, whose negated exponent is a number.
    fn lowered(&mut self, format: &FloatBits, x: &Bundle, k: &Bundle) -> Bundle {
        let [most, shifter, one] = [format.most, format.shifter, format.one].map(|bits| self.constant(x.lane, bits));
        let k = self.nearer(Prim::Min, k, &most);
        let bits = self.zip(x.lane, &shifter, &k, |e, shifter, k| e.b.ins().fsub(shifter, k));
        let power = self.scale(format, &one, &bits, (0, true));
        self.zip(x.lane, x, &power, |e, x, power| e.b.ins().fmul(x, power))
    }

    /// Negated where the bits of `turns` have a 2.
    fn turned(&mut self, dtype: DType, x: &Bundle, turns: &Bundle) -> Bundle {
        let lane = Lane::integer(dtype.size());
        let (x, turns) = (self.retype(lane, x), self.retype(lane, turns));
        let moved = self.map(lane, &turns, |e, a| e.b.ins().ishl_imm_u(a, i64::from(dtype.bits()) - 2));
        let sign = self.masked(&moved, 1 << (dtype.bits() - 1));
        let bits = self.zip(lane, &x, &sign, |e, x, sign| e.b.ins().bxor(x, sign));
        self.retype(Lane::of(dtype), &bits)
    }

    /// What is no positive finite number has another logarithm than was computed.
    fn logarithm(&mut self, format: &FloatBits, value: &Bundle, of: &Bundle) -> Bundle {
        let sign = 1 << (8 * of.lane.bytes - 1);
        let [lowest, nan] = [format.infinity | sign, format.nan].map(|bits| self.constant(of.lane, bits));
        let is_finite = self.compare_with(FloatCC::LessThan, of, format.infinity);
        // Infinity, and not-a-number.
        let value = self.select(&is_finite, value, of);
        let is_zero = self.compare_with(FloatCC::Equal, of, 0);
        let edge = self.select(&is_zero, &lowest, &nan);
        let at_most_zero = self.compare_with(FloatCC::LessThanOrEqual, of, 0);
        self.select(&at_most_zero, &edge, &value)
    }

    fn table_address(&mut self, table: usize) -> Value {
        match self.link {
            Link::Here { tables, .. } => self.b.ins().iconst(types::I64, tables[table] as i64),
            Link::Module { tables, .. } => self.data_address(tables[table]),
        }
    }

    /// Elements of a table by some bits of numbers: one after the other.
    fn look_up(&mut self, from: u8, x: &Bundle, table: usize) -> Bundle {
        let lane = Lane::integer(x.lane.bytes);
        let entries = self.body.tables[table].1.len() as u128;
        let bits = self.retype(lane, x);
        let index = self.map(lane, &bits, |e, a| e.b.ins().ushr_imm_u(a, i64::from(from)));
        let index = self.masked(&index, entries - 1);
        let address = self.table_address(table);
        let lanes = 16 / lane.bytes;
        let shift = lane.bytes.trailing_zeros();
        self.map(x.lane, &index, |e, index| {
            let mut row = None;
            for at in 0..lanes {
                let number = e.b.ins().extractlane(index, at as u8);
                let number = if shift == 2 { e.b.ins().uextend(types::I64, number) } else { number };
                let distance = e.b.ins().ishl_imm_u(number, i64::from(shift));
                let place = e.b.ins().iadd(address, distance);
                let element = e.b.ins().load(x.lane.scalar(), constant_memory(), place, 0);
                row = Some(match row {
                    None => e.b.ins().scalar_to_vector(x.lane.vector(), element),
                    Some(row) => e.b.ins().insertlane(row, element, at as u8),
                });
            }
            row.expect("a register has lanes")
        })
    }
}
