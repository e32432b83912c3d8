//! The rules of every generated function, beyond those of Cranelift's own verifier:
//!
//! 1. No instruction that traps: no traps, no integer division, no conversion to integers that does not saturate.
//! 2. No memory access claims to be aligned: addresses come from files and views.
//! 3. Every vector has 128 bits: others are miscompiled or refused.
//! 4. No calls but indirect ones, whose targets are the block functions that [`super::clif`] puts there.

use cranelift_codegen::ir::{Function, Inst, Opcode};

/// Checks a function.
///
/// # Errors
/// The first broken rule, with the instruction.
pub(super) fn function(function: &Function) -> Result<(), String> {
    kept(function, rule)
}

/// Checks a function that divides integers, by divisors that it has made safe.
///
/// # Errors
/// The first broken rule, with the instruction.
pub(super) fn function_that_divides(function: &Function) -> Result<(), String> {
    kept(function, |function, inst| rule(function, inst).filter(|broken| *broken != DIVIDES))
}

/// What an integer division is.
const DIVIDES: &str = "a division that traps";

fn kept(function: &Function, rule: impl Fn(&Function, Inst) -> Option<&'static str>) -> Result<(), String> {
    for block in function.layout.blocks() {
        for inst in function.layout.block_insts(block) {
            if let Some(rule) = rule(function, inst) {
                return Err(format!("{rule}: {}", function.dfg.display_inst(inst)));
            }
        }
    }
    Ok(())
}

#[expect(clippy::wildcard_enum_match_arm, reason = "every other opcode is bound by the later rules alone")]
fn rule(function: &Function, inst: Inst) -> Option<&'static str> {
    let dfg = &function.dfg;
    let opcode = dfg.insts[inst].opcode();
    match opcode {
        Opcode::Trap | Opcode::Trapz | Opcode::Trapnz | Opcode::UaddOverflowTrap => return Some("a trap"),
        Opcode::Sdiv | Opcode::Udiv | Opcode::Srem | Opcode::Urem => return Some(DIVIDES),
        Opcode::FcvtToSint | Opcode::FcvtToUint => return Some("a conversion that traps"),
        Opcode::Call | Opcode::ReturnCall | Opcode::ReturnCallIndirect | Opcode::TryCall | Opcode::TryCallIndirect => {
            return Some("a call of a symbol");
        }
        _ => {}
    }
    if let Some(flags) = dfg.insts[inst].memflags().map(|index| dfg.mem_flags[index])
        && flags.aligned()
    {
        return Some("an access that claims to be aligned");
    }
    let values = dfg.inst_results(inst).iter().chain(dfg.inst_args(inst));
    let odd = values.map(|&value| dfg.value_type(value)).any(|ty| ty.is_vector() && ty.bits() != 128);
    odd.then_some("a vector that has not 128 bits")
}
