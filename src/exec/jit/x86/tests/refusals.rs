//! Loops that are left to others. Nothing goes to Cranelift if elements lie side by side, and few prims go to functions
//! of memory.

use super::super::lower::lower as select;
use super::super::steps::InstructionBody;
use super::super::target::InstructionSet;
use super::super::{compile, steps};
use crate::exec::jit::tests::single;
use crate::exec::machine::Level;
use crate::exec::stepping::Step;
use crate::exec::tests::edges::signatures;
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::collections::BTreeSet;

#[test]
fn every_prim_of_every_dtype_has_code() {
    let (mut refused, mut called) = (BTreeSet::new(), BTreeSet::new());
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for (level, target) in [(Level::Avx2, InstructionSet::Avx2), (Level::Avx512, InstructionSet::Avx512)] {
                let [dense, mixed] = [[Step::Dense; 3], [Step::Dense, Step::Repeat, Step::Dense]]
                    .map(|steps| single(prim, &args, result, &steps, Step::Dense));
                if compile(&dense, level).is_none() || compile(&mixed, level).is_none() {
                    refused.insert(format!("{level} {} {args:?} -> {result}", prim.name()));
                }
                let body = select(&dense, &steps(&dense, target.abilities()), target);
                if body.is_some_and(|body: InstructionBody| {
                    body.steps.iter().any(|step| step.calls() && step.mask.is_none())
                }) {
                    called.insert((prim, args[0], result));
                }
            }
        }
    }
    assert_eq!(refused, BTreeSet::new());
    let functions = [Prim::Nextafter, Prim::Gamma, Prim::Lgamma];
    let floats = functions.into_iter().flat_map(|prim| [DType::F32, DType::F64].map(|dtype| (prim, dtype, dtype)));
    let integers = DType::ALL.into_iter().filter(|dtype| dtype.is_integer());
    let counted = integers.flat_map(|dtype| [Prim::Pow, Prim::Clz, Prim::Gcd].map(|prim| (prim, dtype, dtype)));
    // An `f64` does not have them all, and rounds another time.
    let long = [DType::I64, DType::U64].into_iter();
    let small: Vec<DType> = DType::ALL.into_iter().filter(|dtype| dtype.is_small_float()).collect();
    let halves = long.flat_map(|from| small.iter().map(move |&to| (Prim::Convert, from, to)));
    let bytes = DType::ALL.into_iter().filter(|dtype| dtype.size() == 1 && *dtype != DType::Bool);
    let truths = bytes.flat_map(|byte| [(byte, DType::Bool), (DType::Bool, byte)]);
    let bits = truths.map(|(from, to)| (Prim::Bitcast, from, to));
    assert_eq!(called, floats.chain(counted).chain(halves).chain(bits).collect());
}
