//! Loads that widen: one instruction, where nothing else reads the narrow elements.

use super::super::steps::InstructionForm;
use super::super::target::InstructionSet;
use super::super::{lower, rows, steps, widening};
use crate::exec::machine::Level;
use crate::exec::stepping::{Loop, LoopInput, LoopOutput, Step};
use crate::kernel::{Body, Inst, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// How many loads of a level's body widen, and how many of its instructions do.
fn widening(level: Level, insts: Vec<Inst>, narrow: DType) -> (usize, usize) {
    let outputs = vec![LoopOutput { value: InstId(insts.len() as u32 - 1), step: Step::Dense }];
    let code = Loop { body: Body { insts }, inputs: vec![LoopInput::Array(narrow, Step::Dense)], outputs };
    let target = InstructionSet::of(level).unwrap();
    let mut body = lower::lower(&code, &steps(&code, target.abilities_of_all()), target).unwrap();
    widening::widen_loads(&mut body);
    let wide = body.steps.iter().filter(|step| rows::widens(step.row));
    let loads = wide.clone().filter(|step| matches!(step.form, InstructionForm::Load { .. }));
    (loads.count(), wide.count())
}

fn load(dtype: DType) -> Inst {
    Inst { op: InstOp::Load(0), dtype }
}

fn convert(value: u32, dtype: DType) -> Inst {
    Inst { op: InstOp::Prim(Prim::Convert, [Some(InstId(value)), None, None]), dtype }
}

#[test]
fn a_load_widens_what_nothing_else_reads() {
    let pairs = [
        (DType::U8, DType::U16),
        (DType::I8, DType::I32),
        (DType::U16, DType::U64),
        (DType::I32, DType::F64),
        (DType::F32, DType::F64),
        (DType::F16, DType::F32),
    ];
    for (narrow, wide) in pairs {
        let found = widening(Level::Avx2, vec![load(narrow), convert(0, wide)], narrow);
        assert_eq!(found, (1, 1), "{narrow} to {wide}");
    }
}

#[test]
fn elements_that_are_read_twice_are_loaded_once() {
    let sum =
        |a: u32, b: u32, dtype| Inst { op: InstOp::Prim(Prim::Add, [Some(InstId(a)), Some(InstId(b)), None]), dtype };
    let (narrow, wide) = (DType::I32, DType::I64);
    let insts = vec![load(narrow), convert(0, wide), sum(0, 0, narrow), convert(2, wide), sum(1, 3, wide)];
    assert_eq!(widening(Level::Avx2, insts, narrow), (0, 2));
}

#[test]
fn loads_under_the_masks_of_avx512_stay_as_they_are() {
    let insts = vec![load(DType::U8), convert(0, DType::U16)];
    assert_eq!(widening(Level::Avx512, insts, DType::U8), (0, 1));
}
