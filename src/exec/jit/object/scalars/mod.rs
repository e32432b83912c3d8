//! Code for prims that vectors have no instructions for, one element after the other.
//!
//! Loops that run in this process call functions of this program for them. An object cannot call those, so the same
//! definitions, of [`crate::scalar`], are written as Cranelift's IR: the integer parts here, and the parts over lanes
//! by way of [`lower::tail`].

mod angles;
mod remainder;
mod steps;

use super::refusal::BuildRefusal;
use crate::exec::jit::clif::CalledPrim;
use crate::exec::jit::clif::numbers::{divide, is_signed};
use crate::exec::jit::lower;
use crate::scalar::prim::Prim;
use crate::types::{DType, Kind};
use angles::ReducedAngle;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{
    ExternalName, GlobalValueData, InstBuilder, MemFlagsData, Type, UserExternalName, Value, types,
};
use cranelift_frontend::FunctionBuilder;

/// The address of the data with this number in an object.
pub(super) fn address_of_data(b: &mut FunctionBuilder, index: u32) -> Value {
    let name = b.func.declare_imported_user_function(UserExternalName { namespace: 1, index });
    let name = ExternalName::user(name);
    let symbol = GlobalValueData::Symbol { name, offset: 0.into(), colocated: true, tls: false };
    let symbol = b.create_global_value(symbol);
    b.ins().symbol_value(types::I64, symbol)
}

/// The type of an element; truth values and small floats are integers.
pub(super) fn scalar_type(dtype: DType) -> Type {
    match (dtype, dtype.size()) {
        (DType::F32, _) => types::F32,
        (DType::F64, _) => types::F64,
        (_, 1) => types::I8,
        (_, 2) => types::I16,
        (_, 4) => types::I32,
        _ => types::I64,
    }
}

/// The integer type with as many bits.
fn bits_type(ty: Type) -> Type {
    if ty == types::F32 { types::I32 } else { types::I64 }
}

/// The table that a function reads beside its arguments, if it reads one.
pub(super) fn table(called: &CalledPrim) -> Option<Vec<u8>> {
    matches!(called.prim, Prim::Sin | Prim::Cos | Prim::Tan).then(angles::digits)
}

/// Writes the body of a block function: `(out, a, b, c, count)`. It reads the table with this number, if there is one.
/// With `is_turned`, the number of quarter turns that come first stands in the place of `b`.
///
/// # Errors
/// When a prim has no code here.
pub(super) fn write(
    b: &mut FunctionBuilder,
    CalledPrim { prim, operands, result }: &CalledPrim,
    table: Option<u32>,
    is_turned: bool,
) -> Result<(), BuildRefusal> {
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let params: Vec<Value> = b.block_params(entry).to_vec();
    let table = table.map(|index| address_of_data(b, index));
    let (head, done) = (b.create_block(), b.create_block());
    let index = b.append_block_param(head, types::I64);
    let zero = b.ins().iconst(types::I64, 0);
    b.ins().jump(head, &[zero.into()]);
    b.switch_to_block(head);
    let flags = MemFlagsData::new().with_notrap();
    let mut args = Vec::new();
    for (&dtype, &from) in operands.iter().zip(&params[1..]) {
        let distance = b.ins().imul_imm_s(index, dtype.size() as i64);
        let place = b.ins().iadd(from, distance);
        args.push(b.ins().load(scalar_type(dtype), flags, place, 0));
    }
    let first_turn = is_turned.then_some(params[2]);
    let value = ScalarWriter { b, table, first_turn }.prim(*prim, operands, *result, &args)?;
    let distance = b.ins().imul_imm_s(index, result.size() as i64);
    let place = b.ins().iadd(params[0], distance);
    b.ins().store(flags, value, place, 0);
    let next = b.ins().iadd_imm_s(index, 1);
    let more = b.ins().icmp(IntCC::SignedLessThan, next, params[4]);
    b.ins().brif(more, head, &[next.into()], done, &[]);
    b.switch_to_block(done);
    b.ins().return_(&[]);
    Ok(())
}

/// The value of a prim of single elements. `None` if the prim has no code here, or reads a table.
pub(super) fn value(b: &mut FunctionBuilder, called: &CalledPrim, args: &[Value]) -> Option<Value> {
    if table(called).is_some() {
        return None;
    }
    let CalledPrim { prim, operands, result } = called;
    ScalarWriter { b, table: None, first_turn: None }.prim(*prim, operands, *result, args).ok()
}

/// Writes operations on single elements.
struct ScalarWriter<'s, 'f> {
    b: &'s mut FunctionBuilder<'f>,
    /// Where the table begins.
    table: Option<Value>,
    /// How many quarter turns come first, if that is an argument.
    first_turn: Option<Value>,
}

impl ScalarWriter<'_, '_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other prim is refused")]
    fn prim(&mut self, prim: Prim, dtypes: &[DType], result: DType, args: &[Value]) -> Result<Value, BuildRefusal> {
        let from = dtypes[0];
        let refused = || Err(BuildRefusal::Prim { prim, of: from });
        Ok(match prim {
            Prim::FloorDiv | Prim::Rem if from.is_integer() => self.divided(prim, from, args),
            Prim::Shl | Prim::Shr => self.shifted(prim, from, args),
            Prim::Pow if from.is_integer() => self.power(from, args),
            Prim::Clz => {
                let wide = self.extended_by_zeros(from, args[0]);
                let zeros = self.b.ins().clz(wide);
                let zeros = self.b.ins().iadd_imm_s(zeros, i64::from(from.bits()) - 64);
                self.reduced_to(from, zeros)
            }
            Prim::Gcd => self.divisor(from, args),
            Prim::Nextafter => self.next_after(from, args),
            Prim::Fmod => self.remainder(from, args[0], args[1]),
            Prim::FloorDiv | Prim::Rem => {
                let rest = self.remainder(from, args[0], args[1]);
                let Some(tail) = lower::tail(prim, from) else { return refused() };
                self.steps(&tail, &[args[0], args[1], rest])
            }
            Prim::Sin | Prim::Cos | Prim::Tan => {
                let Some(tail) = lower::tail(prim, from) else { return refused() };
                let ReducedAngle { turns, r, rest } = self.angle(from, args[0]);
                let turns = match self.first_turn {
                    Some(first) => self.b.ins().iadd(turns, first),
                    None if prim == Prim::Cos => self.b.ins().iadd_imm_s(turns, 1),
                    None => turns,
                };
                let turns = self.b.ins().bitcast(types::F64, MemFlagsData::new(), turns);
                self.steps(&tail, &[turns, r, rest])
            }
            Prim::Convert => match self.converted(from, result, args[0]) {
                Some(value) => value,
                None => return Err(BuildRefusal::Conversion { from, to: result }),
            },
            _ => return refused(),
        })
    }

    fn int(&mut self, value: i64) -> Value {
        self.b.ins().iconst(types::I64, value)
    }

    fn double(&mut self, value: f64) -> Value {
        self.b.ins().f64const(value)
    }

    /// An integer with 64 bits: extended by its sign if its dtype has one.
    fn extended(&mut self, dtype: DType, value: Value) -> Value {
        if dtype.kind() == Kind::Signed && dtype.size() < 8 {
            return self.b.ins().sextend(types::I64, value);
        }
        self.extended_by_zeros(dtype, value)
    }

    /// The bits of an integer as 64, with zeros before them.
    fn extended_by_zeros(&mut self, dtype: DType, value: Value) -> Value {
        if dtype.size() == 8 { value } else { self.b.ins().uextend(types::I64, value) }
    }

    fn reduced_to(&mut self, dtype: DType, value: Value) -> Value {
        if dtype.size() == 8 { value } else { self.b.ins().ireduce(scalar_type(dtype), value) }
    }

    /// The quotient rounded down, or the remainder. In a division by zero both are 0.
    fn divided(&mut self, prim: Prim, dtype: DType, args: &[Value]) -> Value {
        let [a, b] = [args[0], args[1]].map(|value| self.extended(dtype, value));
        let value = divide(self.b, prim, is_signed(dtype), a, b);
        self.reduced_to(dtype, value)
    }

    fn shifted(&mut self, prim: Prim, dtype: DType, args: &[Value]) -> Value {
        let value = self.extended(dtype, args[0]);
        let count = self.extended_by_zeros(dtype, args[1]);
        let bits = i64::from(dtype.bits());
        let inside = self.b.ins().icmp_imm_u(IntCC::UnsignedLessThan, count, bits);
        let zero = self.int(0);
        let shifted = if prim == Prim::Shl {
            let shifted = self.b.ins().ishl(value, count);
            self.b.ins().select(inside, shifted, zero)
        } else if dtype.kind() == Kind::Signed {
            let most = self.int(bits - 1);
            let count = self.b.ins().select(inside, count, most);
            self.b.ins().sshr(value, count)
        } else {
            let shifted = self.b.ins().ushr(value, count);
            self.b.ins().select(inside, shifted, zero)
        };
        self.reduced_to(dtype, shifted)
    }

    /// A power by squaring. With a negative exponent it is 0, unless the base is 1 or -1.
    fn power(&mut self, dtype: DType, args: &[Value]) -> Value {
        let base = self.extended(dtype, args[0]);
        let exponent = self.extended(dtype, args[1]);
        let left = self.extended_by_zeros(dtype, args[1]);
        let (head, body, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let [result, square, bits] = [(); 3].map(|()| self.b.append_block_param(head, types::I64));
        let one = self.int(1);
        self.b.ins().jump(head, &[one.into(), base.into(), left.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(bits, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let last = self.b.ins().band_imm_s(bits, 1);
        let product = self.b.ins().imul(result, square);
        let next = self.b.ins().select(last, product, result);
        let squared = self.b.ins().imul(square, square);
        let bits = self.b.ins().ushr_imm_u(bits, 1);
        self.b.ins().jump(head, &[next.into(), squared.into(), bits.into()]);
        self.b.switch_to_block(done);
        if dtype.kind() != Kind::Signed {
            return self.reduced_to(dtype, result);
        }
        let [zero, minus_one] = [0, -1].map(|value| self.int(value));
        let odd = self.b.ins().band_imm_s(exponent, 1);
        let of_minus_one = self.b.ins().select(odd, minus_one, one);
        let is_minus_one = self.b.ins().icmp_imm_s(IntCC::Equal, base, -1);
        let inverse = self.b.ins().select(is_minus_one, of_minus_one, zero);
        let is_one = self.b.ins().icmp_imm_s(IntCC::Equal, base, 1);
        let inverse = self.b.ins().select(is_one, one, inverse);
        let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, exponent, 0);
        let value = self.b.ins().select(negative, inverse, result);
        self.reduced_to(dtype, value)
    }

    /// The greatest common divisor, by Euclid on absolute values.
    fn divisor(&mut self, dtype: DType, args: &[Value]) -> Value {
        let [a, b] = [args[0], args[1]].map(|value| {
            let value = self.extended(dtype, value);
            if dtype.kind() != Kind::Signed {
                return value;
            }
            let negative = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, value, 0);
            let opposite = self.b.ins().ineg(value);
            self.b.ins().select(negative, opposite, value)
        });
        let (head, body, done) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let [left, right] = [(); 2].map(|()| self.b.append_block_param(head, types::I64));
        self.b.ins().jump(head, &[a.into(), b.into()]);
        self.b.switch_to_block(head);
        self.b.ins().brif(right, body, &[], done, &[]);
        self.b.switch_to_block(body);
        let rest = self.b.ins().urem(left, right);
        self.b.ins().jump(head, &[right.into(), rest.into()]);
        self.b.switch_to_block(done);
        self.reduced_to(dtype, left)
    }

    fn next_after(&mut self, dtype: DType, args: &[Value]) -> Value {
        let (x, y) = (args[0], args[1]);
        let ty = scalar_type(dtype);
        let integer = bits_type(ty);
        let flags = MemFlagsData::new();
        let [from, to] = [x, y].map(|value| self.b.ins().bitcast(integer, flags, value));
        let zero = if ty == types::F32 { self.b.ins().f32const(0.0) } else { self.b.ins().f64const(0.0) };
        let less = self.b.ins().fcmp(FloatCC::LessThan, x, y);
        let positive = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, from, 0);
        let inwards = self.b.ins().bxor(less, positive);
        let [up, down] = [1, -1].map(|by| self.b.ins().iadd_imm_s(from, by));
        let step = self.b.ins().select(inwards, down, up);
        let shift = i64::from(dtype.bits()) - 1;
        let sign = self.b.ins().ushr_imm_u(to, shift);
        let sign = self.b.ins().ishl_imm_u(sign, shift);
        let least = self.b.ins().bor_imm_s(sign, 1);
        let is_zero = self.b.ins().fcmp(FloatCC::Equal, x, zero);
        let bits = self.b.ins().select(is_zero, least, step);
        let moved = self.b.ins().bitcast(ty, flags, bits);
        let same = self.b.ins().fcmp(FloatCC::Equal, x, y);
        let moved = self.b.ins().select(same, y, moved);
        let unordered = self.b.ins().fcmp(FloatCC::Unordered, x, y);
        let sum = self.b.ins().fadd(x, y);
        self.b.ins().select(unordered, sum, moved)
    }

    fn infinity(&mut self, ty: Type) -> Value {
        if ty == types::F32 { self.b.ins().f32const(f32::INFINITY) } else { self.double(f64::INFINITY) }
    }

    /// Conversions between wide integers, floats, and floats of one or two bytes.
    fn converted(&mut self, from: DType, to: DType, value: Value) -> Option<Value> {
        let signed = |dtype: DType| dtype.kind() == Kind::Signed;
        Some(match (from, to) {
            (from, DType::F32) if from.is_integer() => match signed(from) {
                true => self.b.ins().fcvt_from_sint(types::F32, value),
                false => self.b.ins().fcvt_from_uint(types::F32, value),
            },
            (DType::F32 | DType::F64, to) if to.is_integer() && to.size() == 8 => match signed(to) {
                true => self.b.ins().fcvt_to_sint_sat(types::I64, value),
                false => self.b.ins().fcvt_to_uint_sat(types::I64, value),
            },
            // A value out of range becomes the nearest integer, and NaN becomes 0: in 64 bits, and so in fewer.
            (DType::F32 | DType::F64, to) if to.is_integer() => {
                let wide = if signed(to) { DType::I64 } else { DType::U64 };
                let value = self.converted(from, wide, value)?;
                let (least, most) = to.integer_range()?;
                let [least, most] = [least, most].map(|end| self.int(end as i64));
                let value = match signed(to) {
                    true => {
                        let value = self.b.ins().smin(value, most);
                        self.b.ins().smax(value, least)
                    }
                    false => self.b.ins().umin(value, most),
                };
                self.reduced_to(to, value)
            }
            (DType::F16, to) if to.is_integer() => {
                let single = self.single_of_half(value);
                return self.converted(DType::F32, to, single);
            }
            (DType::Bf16, to) if to.is_integer() => {
                let wide = self.b.ins().uextend(types::I32, value);
                let bits = self.b.ins().ishl_imm_u(wide, 16);
                let single = self.b.ins().bitcast(types::F32, MemFlagsData::new(), bits);
                return self.converted(DType::F32, to, single);
            }
            (from, to) if from.is_integer() && to.is_small_float() => self.small_of(from, to, value),
            _ => return None,
        })
    }

    /// A float of two bytes with five bits of exponent, as a float of four bytes.
    fn single_of_half(&mut self, half: Value) -> Value {
        let flags = MemFlagsData::new();
        let wide = self.b.ins().uextend(types::I32, half);
        let size = self.b.ins().band_imm_s(wide, 0x7fff);
        let bits = self.b.ins().ishl_imm_u(size, 13);
        // A power of two makes up for the other bias of exponents, also for subnormal numbers.
        let number = self.b.ins().bitcast(types::F32, flags, bits);
        let power = self.b.ins().f32const(f32::from_bits((254 - 15) << 23));
        let number = self.b.ins().fmul(number, power);
        let none = self.b.ins().bor_imm_s(bits, 0x7f80_0000);
        let none = self.b.ins().bitcast(types::F32, flags, none);
        let is_none = self.b.ins().icmp_imm_s(IntCC::UnsignedGreaterThanOrEqual, size, 0x7c00);
        let number = self.b.ins().select(is_none, none, number);
        let sign = self.b.ins().ishl_imm_u(wide, 16);
        let sign = self.b.ins().bitcast(types::F32, flags, sign);
        self.b.ins().fcopysign(number, sign)
    }

    /// An integer as a float of one or two bytes, rounded once: ties go to even.
    fn small_of(&mut self, from: DType, to: DType, value: Value) -> Value {
        let digits = i64::from(to.fraction_bits());
        let bias = (1i64 << (to.exponent_bits() - 1)) - 1;
        let wide = self.extended(from, value);
        let zero = self.int(0);
        let negative = match from.kind() {
            Kind::Signed => self.b.ins().icmp_imm_s(IntCC::SignedLessThan, wide, 0),
            Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => self.b.ins().icmp(IntCC::NotEqual, zero, zero),
        };
        let opposite = self.b.ins().ineg(wide);
        let mut size = self.b.ins().select(negative, opposite, wide);
        // The least integer that is too large for the dtype. Larger ones count as this one. For bf16 no integer is too
        // large.
        let most = match to.row().infinities {
            true => 1i64.checked_shl(bias as u32 + 1),
            false => Some(((2 << digits) - 1) << (bias + 1 - digits)),
        };
        if let Some(most) = most {
            let most = self.int(most);
            size = self.b.ins().umin(size, most);
        }
        let zeros = self.b.ins().clz(size);
        let top = self.int(63);
        let exponent = self.b.ins().isub(top, zeros);
        let over = self.b.ins().iadd_imm_s(exponent, -digits);
        let under = self.b.ins().ineg(over);
        let exact = self.b.ins().ishl(size, under);
        let cut = self.b.ins().ushr(size, over);
        let back = self.b.ins().ishl(cut, over);
        let rest = self.b.ins().isub(size, back);
        let one = self.int(1);
        let below = self.b.ins().iadd_imm_s(over, -1);
        let half = self.b.ins().ishl(one, below);
        let more = self.b.ins().icmp(IntCC::UnsignedGreaterThan, rest, half);
        let tie = self.b.ins().icmp(IntCC::Equal, rest, half);
        let odd = self.b.ins().band_imm_s(cut, 1);
        let odd = self.b.ins().icmp_imm_s(IntCC::NotEqual, odd, 0);
        let up = self.b.ins().band(tie, odd);
        let up = self.b.ins().bor(more, up);
        let up = self.b.ins().uextend(types::I64, up);
        let rounded = self.b.ins().iadd(cut, up);
        let is_cut = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThan, over, 0);
        let mantissa = self.b.ins().select(is_cut, rounded, exact);
        let shifted = self.b.ins().iadd_imm_s(exponent, bias - 1);
        let shifted = self.b.ins().ishl_imm_u(shifted, digits);
        let bits = self.b.ins().iadd(shifted, mantissa);
        let is_zero = self.b.ins().icmp_imm_s(IntCC::Equal, size, 0);
        let bits = self.b.ins().select(is_zero, zero, bits);
        let signed = self.b.ins().bor_imm_s(bits, 1 << (to.bits() - 1));
        let bits = self.b.ins().select(negative, signed, bits);
        self.b.ins().ireduce(if to.size() == 1 { types::I8 } else { types::I16 }, bits)
    }
}
