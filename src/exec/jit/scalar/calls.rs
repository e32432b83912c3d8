//! The surroundings of a loop's code in this process. They are the meaning of prims, and who is asked, by their
//! addresses.
#![expect(unsafe_code, reason = "compiled code calls this function with the address of its prim")]

use super::prims::{bits, of_bits};
use super::writer::LoopSurroundings;
use crate::exec::jit::clif::CalledPrim;
use crate::exec::jit::clif::numbers::plain;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::types::DType;
use cranelift_codegen::ir::{AbiParam, InstBuilder, SigRef, Signature, Value, types};
use cranelift_frontend::FunctionBuilder;

/// What code calls. The code has the addresses.
pub(super) type PrimCalls = Vec<Box<CalledPrim>>;

/// Calls a prim of up to three numbers, all as bits.
///
/// # Safety
/// `called` points to a [`CalledPrim`] that lives as long as this runs, and that nobody changes meanwhile.
unsafe extern "C" fn call(called: *const CalledPrim, a: u64, b: u64, c: u64) -> u64 {
    // SAFETY: the caller promises that `called` points to one that outlives this call unchanged.
    let CalledPrim { prim, operands, result } = unsafe { &*called };
    let scalar = |(dtype, bits): (&DType, u64)| Scalar { dtype: *dtype, bits: bits.into() };
    let mut args = [Scalar { dtype: DType::Bool, bits: 0 }; 3];
    for (arg, of) in args.iter_mut().zip(operands.iter().zip([a, b, c])) {
        *arg = scalar(of);
    }
    eval(*prim, *result, &args[..operands.len()]).bits as u64
}

/// Functions of this process.
pub(super) struct ByAddress {
    pub(super) calls: PrimCalls,
    prim: SigRef,
    ask: SigRef,
    /// Who is asked whether to go on: a [`super::AskedBy`].
    asked: Value,
}

impl ByAddress {
    pub(super) fn new(b: &mut FunctionBuilder, asked: Value) -> ByAddress {
        let [prim, ask] = [4, 3].map(|words| {
            let mut signature = Signature::new(b.func.signature.call_conv);
            signature.params.extend(std::iter::repeat_n(AbiParam::new(types::I64), words));
            signature.returns.push(AbiParam::new(types::I64));
            b.import_signature(signature)
        });
        ByAddress { calls: Vec::new(), prim, ask, asked }
    }
}

impl LoopSurroundings for ByAddress {
    fn prim(&mut self, b: &mut FunctionBuilder, called: &CalledPrim, args: &[Value]) -> Option<Value> {
        if args.len() > 3 {
            return None;
        }
        let kept = Box::new(called.clone());
        let address = b.ins().iconst(types::I64, &raw const *kept as i64);
        self.calls.push(kept);
        let zero = b.ins().iconst(types::I64, 0);
        let mut given = [address, zero, zero, zero];
        for ((given, &arg), &dtype) in given[1..].iter_mut().zip(args).zip(&called.operands) {
            *given = bits(b, arg, dtype);
        }
        let function = b.ins().iconst(types::I64, call as *const () as i64);
        let made = b.ins().call_indirect(self.prim, function, &given);
        let made = b.inst_results(made)[0];
        Some(of_bits(b, made, called.result))
    }

    fn asked(&mut self, b: &mut FunctionBuilder, done: Value, count: Value) -> Value {
        let function = b.ins().load(types::I64, plain(), self.asked, 0);
        let context = b.ins().load(types::I64, plain(), self.asked, 8);
        let answer = b.ins().call_indirect(self.ask, function, &[context, done, count]);
        b.inst_results(answer)[0]
    }
}
