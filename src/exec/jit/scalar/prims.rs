//! Prims of one number. They are instructions, or what the code finds around it.

use super::writer::{Writer, register};
use crate::exec::jit::clif::CalledPrim;
use crate::exec::jit::clif::numbers::{divide, float_condition, integer_condition, is_signed};
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};
use cranelift_frontend::FunctionBuilder;

/// The bits of a number, in a word whose others are 0.
pub(super) fn bits(b: &mut FunctionBuilder, value: Value, dtype: DType) -> Value {
    let whole = if dtype == DType::F32 {
        b.ins().bitcast(types::I32, MemFlagsData::new(), value)
    } else if dtype == DType::F64 {
        b.ins().bitcast(types::I64, MemFlagsData::new(), value)
    } else {
        value
    };
    match b.func.dfg.value_type(whole) {
        types::I64 => whole,
        _ => b.ins().uextend(types::I64, whole),
    }
}

/// The number of these bits.
pub(super) fn of_bits(b: &mut FunctionBuilder, bits: Value, dtype: DType) -> Value {
    let whole = match dtype.size() {
        8 => bits,
        size => b.ins().ireduce(Type::int(8 * size as u16).expect("dtypes have whole bytes"), bits),
    };
    if dtype == DType::F32 {
        b.ins().bitcast(types::F32, MemFlagsData::new(), whole)
    } else if dtype == DType::F64 {
        b.ins().bitcast(types::F64, MemFlagsData::new(), whole)
    } else {
        whole
    }
}

impl Writer<'_, '_, '_> {
    /// A prim of numbers.
    pub(super) fn prim(&mut self, prim: Prim, dtypes: &[DType], result: DType, args: &[Value]) -> Option<Value> {
        register(result)?;
        if let Some(value) = self.instruction(prim, dtypes, result, args) {
            return Some(value);
        }
        if dtypes.iter().any(|dtype| register(*dtype).is_none()) {
            return None;
        }
        self.around.prim(self.b, &CalledPrim { prim, operands: dtypes.to_vec(), result }, args)
    }

    /// The instructions of a prim, if it has any.
    fn instruction(&mut self, prim: Prim, dtypes: &[DType], result: DType, args: &[Value]) -> Option<Value> {
        let from = dtypes[0];
        match (prim, args) {
            (Prim::Select, &[mask, yes, no]) => Some(self.b.ins().select(mask, yes, no)),
            (Prim::Convert, &[x]) => self.converted(from, result, x),
            (Prim::Bitcast, &[x]) if from.is_integer() && result.is_integer() => Some(x),
            (Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le, &[x, y]) => Some(self.test(prim, from, x, y)),
            (Prim::Fma, _) => None,
            (Prim::FloorDiv | Prim::Rem, &[x, y]) if from.is_integer() && from.size() >= 4 => {
                Some(divide(self.b, prim, is_signed(from), x, y))
            }
            (_, &[x]) => self.unary(prim, from, x),
            (_, &[x, y]) => self.binary(prim, from, x, y),
            _ => None,
        }
    }

    fn converted(&mut self, from: DType, to: DType, x: Value) -> Option<Value> {
        let ins = self.b.ins();
        Some(match (from, to) {
            (from, to) if from == to => x,
            (DType::F32, DType::F64) => ins.fpromote(types::F64, x),
            (DType::F64, DType::F32) => ins.fdemote(types::F32, x),
            (from, to) if (from.is_integer() || from == DType::Bool) && to.is_integer() => {
                let ty = register(to)?;
                match from.size().cmp(&to.size()) {
                    std::cmp::Ordering::Less if is_signed(from) => ins.sextend(ty, x),
                    std::cmp::Ordering::Less => ins.uextend(ty, x),
                    std::cmp::Ordering::Equal => x,
                    std::cmp::Ordering::Greater => ins.ireduce(ty, x),
                }
            }
            (from, DType::F32 | DType::F64) if is_signed(from) => {
                let wide = if from.size() < 8 { ins.sextend(types::I64, x) } else { x };
                self.b.ins().fcvt_from_sint(register(to)?, wide)
            }
            (from, DType::F32 | DType::F64) if from.size() < 8 && (from.is_integer() || from == DType::Bool) => {
                let wide = ins.uextend(types::I64, x);
                self.b.ins().fcvt_from_sint(register(to)?, wide)
            }
            _ => return None,
        })
    }

    /// The quotient or the remainder of an integer by a power of two that the dtype has: a shift, or a mask.
    pub(super) fn divided_by_power(&mut self, prim: Prim, dtype: DType, x: Value, power: u32) -> Value {
        if prim == Prim::Rem {
            self.b.ins().band_imm_u(x, (1 << power) - 1)
        } else if is_signed(dtype) {
            self.b.ins().sshr_imm_u(x, i64::from(power))
        } else {
            self.b.ins().ushr_imm_u(x, i64::from(power))
        }
    }

    /// The lesser or the greater of floats; what is no number is the sum of both.
    fn extreme(&mut self, prim: Prim, x: Value, y: Value) -> Value {
        let is_nan = self.b.ins().fcmp(FloatCC::Unordered, x, y);
        let sum = self.b.ins().fadd(x, y);
        let extreme = if prim == Prim::Min { self.b.ins().fmin(x, y) } else { self.b.ins().fmax(x, y) };
        self.b.ins().select(is_nan, sum, extreme)
    }

    fn test(&mut self, prim: Prim, dtype: DType, x: Value, y: Value) -> Value {
        if dtype.is_float() {
            let condition = float_condition(prim);
            return self.b.ins().fcmp(condition, x, y);
        }
        let condition = integer_condition(prim, dtype);
        self.b.ins().icmp(condition, x, y)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim of one number is one instruction")]
    fn unary(&mut self, prim: Prim, dtype: DType, x: Value) -> Option<Value> {
        let float = dtype.is_float();
        let ins = self.b.ins();
        Some(match prim {
            Prim::Not if dtype == DType::Bool => ins.bxor_imm_u(x, 1),
            Prim::Not => ins.bnot(x),
            Prim::Neg if float => ins.fneg(x),
            Prim::Neg => ins.ineg(x),
            Prim::Abs if float => ins.fabs(x),
            Prim::Sqrt if float => ins.sqrt(x),
            Prim::Floor if float => ins.floor(x),
            Prim::Ceil if float => ins.ceil(x),
            Prim::Trunc if float => ins.trunc(x),
            _ => return None,
        })
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim of two numbers has instructions here")]
    fn binary(&mut self, prim: Prim, dtype: DType, x: Value, y: Value) -> Option<Value> {
        let float = dtype.is_float();
        let signed = is_signed(dtype);
        let ins = self.b.ins();
        Some(match prim {
            Prim::Add if float => ins.fadd(x, y),
            Prim::Sub if float => ins.fsub(x, y),
            Prim::Mul if float => ins.fmul(x, y),
            Prim::Div if float => ins.fdiv(x, y),
            Prim::Min | Prim::Max if float => self.extreme(prim, x, y),
            Prim::And => ins.band(x, y),
            Prim::Or => ins.bor(x, y),
            Prim::Xor => ins.bxor(x, y),
            _ if dtype == DType::Bool || float => return None,
            Prim::Add => ins.iadd(x, y),
            Prim::Sub => ins.isub(x, y),
            Prim::Mul => ins.imul(x, y),
            Prim::Min if signed => ins.smin(x, y),
            Prim::Min => ins.umin(x, y),
            Prim::Max if signed => ins.smax(x, y),
            Prim::Max => ins.umax(x, y),
            _ => return None,
        })
    }
}
