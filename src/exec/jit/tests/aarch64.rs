//! Cranelift's code for aarch64 of every loop that it gets here: compiled, not run.

use super::super::compile::function_of;
use super::single;
use crate::exec::stepping::Step;
use crate::exec::tests::edges::signatures;
use crate::scalar::prim::Prim;
use cranelift_codegen::Context;
use cranelift_codegen::isa::{OwnedTargetIsa, lookup_by_name};
use cranelift_codegen::settings::{self, Configurable};
use std::collections::BTreeSet;

fn aarch64() -> OwnedTargetIsa {
    let mut flags = settings::builder();
    flags.set("opt_level", "speed").expect("a flag");
    lookup_by_name("aarch64").expect("the feature has it").finish(settings::Flags::new(flags)).expect("a target")
}

#[test]
fn every_prim_of_every_dtype_is_compiled_for_aarch64() {
    let isa = aarch64();
    let (mut refused, mut compiled) = (BTreeSet::new(), 0);
    for prim in Prim::ALL {
        for (args, result) in signatures(prim) {
            for step in [Step::Repeat, Step::Dense, Step::Back, Step::Alternate, Step::Strided] {
                let out = if step == Step::Strided { Step::Strided } else { Step::Dense };
                let mut context = Context::for_function(function_of(&single(prim, &args, result, &[step; 3], out)));
                context.func.signature.call_conv = isa.default_call_conv();
                let attempt = std::panic::AssertUnwindSafe(|| context.compile(&*isa, &mut Default::default()).is_ok());
                if std::panic::catch_unwind(attempt).unwrap_or(false) {
                    compiled += 1;
                } else {
                    refused.insert(format!("{} {args:?} -> {result} {step:?}", prim.name()));
                }
            }
        }
    }
    assert_eq!(refused, BTreeSet::new(), "beside {compiled} that are compiled");
    assert!(compiled > 1000, "{compiled}");
}
