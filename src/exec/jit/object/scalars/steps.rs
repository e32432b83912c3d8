//! Bodies of one element: the rest of a slow path over lanes.

use super::{ScalarWriter, bits_type, scalar_type};
use crate::exec::jit::lower::{VectorBody, VectorOp, VectorStep};
use crate::scalar::prim::Prim;
use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type, Value, types};

impl ScalarWriter<'_, '_> {
    /// The value of a body of one element.
    pub(super) fn steps(&mut self, body: &VectorBody, inputs: &[Value]) -> Value {
        let mut values: Vec<Option<Value>> = Vec::with_capacity(body.steps.len());
        for step in &body.steps {
            let args: Vec<Value> =
                step.args().map(|arg| values[arg.0 as usize].expect("operands come first")).collect();
            if let VectorOp::Store { .. } = step.op {
                return args[0];
            }
            values.push(Some(self.step(body, step, &args, inputs)));
        }
        unreachable!("a body stores its result")
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other operation is in a tail")]
    fn step(&mut self, body: &VectorBody, step: &VectorStep, args: &[Value], inputs: &[Value]) -> Value {
        let ty = scalar_type(step.dtype);
        let flags = MemFlagsData::new();
        match step.op {
            VectorOp::Const(bits) if ty == types::F32 => self.b.ins().f32const(f32::from_bits(bits as u32)),
            VectorOp::Const(bits) => self.b.ins().f64const(f64::from_bits(bits as u64)),
            VectorOp::Load { input, .. } => inputs[input],
            VectorOp::NegatedFma => {
                let negative = self.b.ins().fneg(args[0]);
                self.b.ins().fma(negative, args[1], args[2])
            }
            VectorOp::NegateByTurns => {
                let integer = bits_type(ty);
                let [x, turns] = [args[0], args[1]].map(|value| self.b.ins().bitcast(integer, flags, value));
                let second = self.b.ins().band_imm_s(turns, 2);
                let sign = self.b.ins().ishl_imm_u(second, i64::from(integer.bits()) - 2);
                let bits = self.b.ins().bxor(x, sign);
                self.b.ins().bitcast(ty, flags, bits)
            }
            VectorOp::Odd => {
                let of = scalar_type(body.dtype(step.operands[0].expect("it has an operand")));
                let bits = self.b.ins().bitcast(bits_type(of), flags, args[0]);
                let last = self.b.ins().band_imm_s(bits, 1);
                self.b.ins().icmp_imm_s(IntCC::NotEqual, last, 0)
            }
            VectorOp::NotLess => {
                let less = self.b.ins().fcmp(FloatCC::LessThan, args[0], args[1]);
                self.b.ins().icmp_imm_s(IntCC::Equal, less, 0)
            }
            VectorOp::Prim(prim) => self.lane_prim(prim, ty, args),
            op => unreachable!("{op:?} is in no tail"),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim is in a tail")]
    fn lane_prim(&mut self, prim: Prim, ty: Type, args: &[Value]) -> Value {
        match prim {
            Prim::Add => self.b.ins().fadd(args[0], args[1]),
            Prim::Sub => self.b.ins().fsub(args[0], args[1]),
            Prim::Mul => self.b.ins().fmul(args[0], args[1]),
            Prim::Div => self.b.ins().fdiv(args[0], args[1]),
            Prim::Fma => self.b.ins().fma(args[0], args[1], args[2]),
            Prim::Abs => self.b.ins().fabs(args[0]),
            Prim::Floor => self.b.ins().floor(args[0]),
            Prim::Trunc => self.b.ins().trunc(args[0]),
            Prim::Copysign => self.b.ins().fcopysign(args[0], args[1]),
            Prim::Select => self.b.ins().select(args[0], args[1], args[2]),
            Prim::Eq => self.b.ins().fcmp(FloatCC::Equal, args[0], args[1]),
            Prim::Lt => self.b.ins().fcmp(FloatCC::LessThan, args[0], args[1]),
            Prim::And => self.b.ins().band(args[0], args[1]),
            Prim::Or => self.b.ins().bor(args[0], args[1]),
            Prim::Convert if ty == types::F32 => self.b.ins().fdemote(types::F32, args[0]),
            Prim::Convert => self.b.ins().fpromote(types::F64, args[0]),
            _ => unreachable!("{} is in no tail", prim.name()),
        }
    }
}
