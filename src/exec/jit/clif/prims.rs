//! Prims as instructions of Cranelift: the one place that knows which have any.
//!
//! They are those of Cranelift that were tested lane by lane against plain arithmetic, on every architecture.

use super::ClifWriter;
use super::bundle::{Bundle, Lane};
use super::numbers::{float_condition, integer_condition, is_signed};
use crate::exec::jit::lower::{VectorBody, VectorStep};
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value, types};

/// Whether there are instructions for a step that is a prim; else it is a call.
#[expect(clippy::wildcard_enum_match_arm, reason = "every other prim has instructions")]
pub(super) fn has_instructions(body: &VectorBody, prim: Prim, step: &VectorStep) -> bool {
    let arg = |index: usize| body.dtype(step.operands[index].expect("a prim has its operands"));
    match prim {
        // By a constant: there are no shifts by vectors.
        Prim::Shl | Prim::Shr => body.constant(step.operands[1]).is_some(),
        // By a positive power of two, rounding down is a shift and the remainder a mask.
        Prim::FloorDiv | Prim::Rem => body.power_of_two(step.operands[1]).is_some(),
        Prim::Convert => converts(arg(0), step.dtype),
        Prim::Bitcast => arg(0) != DType::Bool && step.dtype != DType::Bool,
        _ => true,
    }
}

fn converts(from: DType, to: DType) -> bool {
    use DType::{Bool, F32, F64};
    match (from, to) {
        (_, Bool) | (Bool, _) => true,
        (from, to) if from.is_integer() && to.is_integer() => true,
        // 64-bit integers round once to `f64`; through it to `f32` they would round twice. Likewise what an `f32` has
        // not all of, to small floats.
        (from, F32) if from.is_integer() => from.size() <= 4,
        (_, F64) | (F64, F32) => true,
        (from, to) if to.is_small_float() => {
            from.is_small_float() || from == F32 || from.is_integer() && from.size() <= 2
        }
        (from, F32) => from.is_small_float(),
        (F64, _) => false,
        (_, to) => to.is_integer() && to.size() <= 4,
    }
}

impl ClifWriter<'_, '_> {
    /// The result of a step that is a prim and has instructions.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other prim is told apart by how many operands it has")]
    pub(super) fn prim(&mut self, prim: Prim, step: &VectorStep, args: &[Bundle]) -> Bundle {
        let from = self.body.dtype(step.operands[0].expect("a prim has operands"));
        let power = || self.body.power_of_two(step.operands[1]).expect("a division inline is by a power of two");
        match prim {
            Prim::Select => self.select(&args[0], &args[1], &args[2]),
            Prim::Convert => self.convert(&args[0], from, step.dtype),
            Prim::Bitcast => self.retype(Lane::of(step.dtype), &args[0]),
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le if from == DType::Bool => self.test_bools(prim, args),
            Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le => self.test(prim, from, args),
            Prim::And | Prim::Or | Prim::Xor | Prim::Not if from == DType::Bool => self.logic(prim, args),
            Prim::Shl | Prim::Shr => {
                let bits = self.body.constant(step.operands[1]).expect("a shift inline is by a constant");
                self.shift(prim, from, &args[0], bits)
            }
            Prim::FloorDiv => {
                let power = power();
                self.shift(Prim::Shr, from, &args[0], power.into())
            }
            Prim::Rem => {
                let power = power();
                let mask = self.constant(args[0].lane, (1 << power) - 1);
                self.zip(args[0].lane, &args[0], &mask, |e, a, b| e.b.ins().band(a, b))
            }
            Prim::Fma => self.fma(args),
            Prim::Min | Prim::Max if from.is_float() => match self.body.plain_bound(&step.operands, prim) {
                Some((bound, bits)) => self.bounded(prim, &args[1 - bound], &args[bound], from, bits),
                None => self.zip(args[0].lane, &args[0], &args[1], |e, a, b| e.binary(prim, from, a, b)),
            },
            _ if args.len() == 1 => self.map(args[0].lane, &args[0], |e, a| e.unary(prim, from, a)),
            _ => self.zip(args[0].lane, &args[0], &args[1], |e, a, b| e.binary(prim, from, a, b)),
        }
    }

    pub(super) fn fma(&mut self, args: &[Bundle]) -> Bundle {
        let regs = (0..args[0].regs.len()).map(|k| self.b.ins().fma(args[0].regs[k], args[1].regs[k], args[2].regs[k]));
        Bundle { lane: args[0].lane, regs: regs.collect() }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim is a unary instruction")]
    fn unary(&mut self, prim: Prim, dtype: DType, a: Value) -> Value {
        let float = dtype.is_float();
        let ins = self.b.ins();
        match prim {
            Prim::Neg if float => ins.fneg(a),
            Prim::Neg => ins.ineg(a),
            Prim::Abs if float => ins.fabs(a),
            Prim::Abs if is_signed(dtype) => ins.iabs(a),
            Prim::Abs => a,
            Prim::Not => ins.bnot(a),
            Prim::Sqrt => ins.sqrt(a),
            Prim::Floor => ins.floor(a),
            Prim::Ceil => ins.ceil(a),
            Prim::Trunc => ins.trunc(a),
            Prim::Round => ins.nearest(a),
            _ => unreachable!("{} is not a unary instruction", prim.name()),
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other prim is a binary instruction")]
    pub(super) fn binary(&mut self, prim: Prim, dtype: DType, a: Value, b: Value) -> Value {
        let float = dtype.is_float();
        let signed = is_signed(dtype);
        if prim == Prim::Mul && dtype.size() == 1 {
            return self.multiply_bytes(a, b);
        }
        if prim == Prim::Copysign {
            return self.copysign(dtype, a, b);
        }
        let ins = self.b.ins();
        match prim {
            Prim::Add if float => ins.fadd(a, b),
            Prim::Add => ins.iadd(a, b),
            Prim::Sub if float => ins.fsub(a, b),
            Prim::Sub => ins.isub(a, b),
            Prim::Mul if float => ins.fmul(a, b),
            Prim::Mul => ins.imul(a, b),
            Prim::Div => ins.fdiv(a, b),
            Prim::Min if float => ins.fmin(a, b),
            Prim::Min if signed => ins.smin(a, b),
            Prim::Min => ins.umin(a, b),
            Prim::Max if float => ins.fmax(a, b),
            Prim::Max if signed => ins.smax(a, b),
            Prim::Max => ins.umax(a, b),
            Prim::And => ins.band(a, b),
            Prim::Or => ins.bor(a, b),
            Prim::Xor => ins.bxor(a, b),
            _ => unreachable!("{} is not a binary instruction", prim.name()),
        }
    }

    /// The lesser or greater of floats and a number, where one comparison nearly decides: NaN is not beyond it, and of
    /// equal values the one that is not the bound is taken.
    fn bounded(&mut self, prim: Prim, x: &Bundle, bound: &Bundle, from: DType, bits: u128) -> Bundle {
        let bounded = self.nearer(prim, x, bound);
        if bits != 0 || prim == Prim::Min {
            return bounded;
        }
        // The greater zero is +0: a sum with it is nothing else.
        self.zip(x.lane, &bounded, bound, |e, x, zero| e.binary(Prim::Add, from, x, zero))
    }

    /// A bound where it is less (or more) than lanes, else these: what is no number stays.
    pub(super) fn nearer(&mut self, prim: Prim, x: &Bundle, bound: &Bundle) -> Bundle {
        self.zip(x.lane, x, bound, |e, x, bound| {
            let beyond = if prim == Prim::Min {
                e.b.ins().fcmp(FloatCC::LessThan, bound, x)
            } else {
                e.b.ins().fcmp(FloatCC::LessThan, x, bound)
            };
            let mask = e.cast(e.b.func.dfg.value_type(x), beyond);
            e.b.ins().bitselect(mask, bound, x)
        })
    }

    /// Bytes multiply as the even and odd bytes of 16-bit lanes.
    fn multiply_bytes(&mut self, a: Value, b: Value) -> Value {
        let (a, b) = (self.cast(types::I16X8, a), self.cast(types::I16X8, b));
        let low = self.constant_register(Lane::integer(2), 0xff);
        let even = self.b.ins().imul(a, b);
        let even = self.b.ins().band(even, low);
        let (a, b) = (self.b.ins().ushr_imm_u(a, 8), self.b.ins().ushr_imm_u(b, 8));
        let odd = self.b.ins().imul(a, b);
        let odd = self.b.ins().ishl_imm_u(odd, 8);
        let both = self.b.ins().bor(even, odd);
        self.cast(types::I8X16, both)
    }

    /// The bits of `a` with the sign bit of `b`.
    fn copysign(&mut self, dtype: DType, a: Value, b: Value) -> Value {
        let lane = Lane::integer(dtype.size());
        let sign = self.constant_register(lane, 1 << (dtype.bits() - 1));
        let (a, b) = (self.cast(lane.vector(), a), self.cast(lane.vector(), b));
        let mixed = self.b.ins().bitselect(sign, b, a);
        self.cast(Lane::of(dtype).vector(), mixed)
    }

    /// A shift by a constant; counts outside the width leave 0, or the sign.
    fn shift(&mut self, prim: Prim, dtype: DType, a: &Bundle, bits: u128) -> Bundle {
        let width = u128::from(dtype.bits());
        let arithmetic = prim == Prim::Shr && is_signed(dtype);
        let count = match bits < width {
            true => bits,
            false if arithmetic => width - 1,
            false => return self.constant(a.lane, 0),
        };
        let count = self.b.ins().iconst(types::I32, count as i64);
        self.map(a.lane, a, |e, a| {
            if prim == Prim::Shl {
                e.b.ins().ishl(a, count)
            } else if arithmetic {
                e.b.ins().sshr(a, count)
            } else {
                e.b.ins().ushr(a, count)
            }
        })
    }

    fn test(&mut self, prim: Prim, dtype: DType, args: &[Bundle]) -> Bundle {
        if dtype.is_small_float() {
            let singles = [self.single(&args[0], dtype), self.single(&args[1], dtype)];
            return self.test(prim, DType::F32, &singles);
        }
        let lane = Lane::mask(args[0].lane.bytes);
        if dtype.is_float() {
            let condition = float_condition(prim);
            return self.zip(lane, &args[0], &args[1], |e, a, b| e.b.ins().fcmp(condition, a, b));
        }
        let condition = integer_condition(prim, dtype);
        self.zip(lane, &args[0], &args[1], |e, a, b| e.b.ins().icmp(condition, a, b))
    }

    /// Masks of one width: the widest, so that nothing is narrowed before it is stored.
    fn same_width(&mut self, masks: &[Bundle]) -> Vec<Bundle> {
        let bytes = masks.iter().map(|mask| mask.lane.bytes).max().unwrap_or(1);
        masks.iter().map(|mask| self.mask_width(mask, bytes)).collect()
    }

    pub(super) fn not(&mut self, mask: &Bundle) -> Bundle {
        self.map(mask.lane, mask, |e, a| e.b.ins().bnot(a))
    }

    fn logic(&mut self, prim: Prim, args: &[Bundle]) -> Bundle {
        let args = self.same_width(args);
        if prim == Prim::Not {
            self.not(&args[0])
        } else {
            self.zip(args[0].lane, &args[0], &args[1], |e, a, b| e.binary(prim, DType::U8, a, b))
        }
    }

    /// `false` is less than `true`.
    fn test_bools(&mut self, prim: Prim, args: &[Bundle]) -> Bundle {
        if matches!(prim, Prim::Eq | Prim::Ne) {
            let differ = self.logic(Prim::Xor, args);
            return if prim == Prim::Eq { self.not(&differ) } else { differ };
        }
        let first = self.not(&args[0]);
        self.logic(if prim == Prim::Lt { Prim::And } else { Prim::Or }, &[first, args[1].clone()])
    }

    pub(super) fn select(&mut self, mask: &Bundle, a: &Bundle, b: &Bundle) -> Bundle {
        let (mask, a, b) = match a.lane.mask {
            true => match &self.same_width(&[mask.clone(), a.clone(), b.clone()])[..] {
                [mask, a, b] => (mask.clone(), a.clone(), b.clone()),
                _ => unreachable!("three in, three out"),
            },
            false => (self.mask_width(mask, a.lane.bytes), a.clone(), b.clone()),
        };
        let ty = a.lane.vector();
        let masks = self.map(a.lane, &mask, |e, mask| e.cast(ty, mask));
        let regs = (0..masks.regs.len()).map(|k| self.b.ins().bitselect(masks.regs[k], a.regs[k], b.regs[k]));
        Bundle { lane: a.lane, regs: regs.collect() }
    }

    /// One part of complex numbers: the real or the imaginary one.
    pub(super) fn part(&mut self, z: &Bundle, second: bool, lane: Lane) -> Bundle {
        let ty = lane.vector();
        // Of every pair of parts, the first or the second.
        let pick = std::array::from_fn(|byte| {
            let (part, within) = (byte / lane.bytes, byte % lane.bytes);
            (part * 2 * lane.bytes + usize::from(second) * lane.bytes + within) as u8
        });
        let regs = (0..self.count(lane)).map(|k| {
            let first = z.regs[2 * k];
            let other = z.regs.get(2 * k + 1).copied().unwrap_or(first);
            self.shuffle(ty, first, other, pick)
        });
        Bundle { lane, regs: regs.collect() }
    }

    /// Complex numbers of two parts.
    pub(super) fn pair(&mut self, re: &Bundle, im: &Bundle) -> Bundle {
        let bytes = re.lane.bytes;
        let lane = Lane::integer(2 * bytes);
        let ty = lane.vector();
        let regs = (0..self.count(lane)).map(|k| {
            // The low or the high half of both parts, in turns.
            let pick = std::array::from_fn(|byte| {
                let (part, within) = (byte / bytes, byte % bytes);
                (part % 2 * 16 + (k % 2) * 8 + part / 2 * bytes + within) as u8
            });
            self.shuffle(ty, re.regs[k / 2], im.regs[k / 2], pick)
        });
        Bundle { lane, regs: regs.collect() }
    }
}
