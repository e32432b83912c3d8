//! Cuts a body into stages: loops of inline code with block calls between them.
//!
//! The calls of stage `s` run after its loop and give values for stage `s + 1`. A value that is computed in one stage
//! and needed by a call or in a later stage goes through a *slot*: a row of scratch with a block of elements. Loads,
//! counts and constants are not kept: every stage makes its own. A body without calls is one stage without slots.

use super::support::{How, how};
use crate::exec::machine::Level;
use crate::exec::stepping::{Input, Loop, Step};
use crate::exec::vmath::{BlockFn, block_fn_for, half_fn_for};
use crate::kernel::{BLOCK, InstOp, Value};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Where a call finds an operand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Argument {
    /// In a slot.
    Slot(usize),
    /// In the memory of a dense input.
    Input(usize),
    /// The prim has no such operand.
    None,
}

/// Where a call leaves its result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Result {
    /// In a slot.
    Slot(usize),
    /// In the memory of a dense output.
    Output(usize),
}

/// A block call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub(super) function: BlockFn,
    pub(super) args: [Argument; 3],
    pub(super) result: Result,
}

/// A loop, and the calls after it.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    /// The prims computed inline, in order.
    pub(super) insts: Vec<usize>,
    /// Values that are stored to slots.
    pub(super) keep: Vec<(usize, usize)>,
    /// Values that are stored to outputs.
    pub(super) outputs: Vec<(usize, usize)>,
    pub(super) calls: Vec<Call>,
}

/// A slot: a row of scratch.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Where it begins.
    pub(super) offset: usize,
    pub(super) dtype: DType,
    /// The value that fills it once, if it does not change: a constant or an element that is repeated.
    pub(super) fixed: Option<usize>,
}

/// A body in stages.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    pub(super) stages: Vec<Stage>,
    pub(super) slots: Vec<Slot>,
    /// The slot of each value that has one.
    pub(super) slot_of: Vec<Option<usize>>,
    /// Elements of a block; a multiple of 64.
    pub(super) block: usize,
    /// Bytes of scratch.
    pub(super) scratch: usize,
}

impl Stages {
    /// Whether there are calls, and so blocks.
    pub(super) fn has_calls(&self) -> bool {
        self.stages.iter().any(|stage| !stage.calls.is_empty())
    }
}

/// Scratch that should fit in the first-level cache.
const CACHE: usize = 24 << 10;

struct Planner<'l> {
    code: &'l Loop,
    level: Level,
    used: Vec<u32>,
    calls: Vec<bool>,
    /// For arithmetic on two-byte floats, at its last conversion, the function and operands that do it at once.
    halves: Vec<Option<(BlockFn, [Option<Value>; 3])>>,
    /// The stage that computes a prim.
    stage: Vec<usize>,
    slot_of: Vec<Option<usize>>,
    slots: Vec<Slot>,
}

/// Cuts a loop's body; its calls are of functions for a level.
pub(super) fn plan(code: &Loop, level: Level) -> Stages {
    let count = code.body.insts.len();
    let mut planner = Planner {
        code,
        level,
        used: vec![0; count],
        calls: Vec::new(),
        halves: (0..count).map(|index| half(code, level, index)).collect(),
        stage: vec![0; count],
        slot_of: vec![None; count],
        slots: Vec::new(),
    };
    let calls = |index: usize| planner.halves[index].is_some() || how(code, &code.body.insts[index]) == How::Call;
    planner.calls = (0..count).map(calls).collect();
    planner.wide_division();
    planner.count_uses();
    let mut stages = vec![Stage::default()];
    for index in (0..count).filter(|&index| planner.used[index] > 0) {
        if let Some(args) = planner.args(index) {
            let stage = args.iter().flatten().map(|arg| planner.available(arg.0 as usize)).max().unwrap_or(0);
            planner.stage[index] = stage;
            while stages.len() <= stage + usize::from(planner.calls[index]) {
                stages.push(Stage::default());
            }
        }
    }
    planner.needs_slots();
    for index in (0..count).filter(|&index| planner.used[index] > 0) {
        let stage = planner.stage[index];
        if planner.calls[index] {
            let call = planner.call(index);
            stages[stage].calls.push(call);
            continue;
        }
        if matches!(code.body.insts[index].op, InstOp::Prim(..)) {
            stages[stage].insts.push(index);
        }
        if let Some(slot) = planner.slot_of[index]
            && planner.slots[slot].fixed.is_none()
        {
            stages[stage].keep.push((index, slot));
        }
    }
    for (number, output) in code.outputs.iter().enumerate() {
        let value = output.value.0 as usize;
        if planner.direct_output(value) != Some(number) {
            stages[planner.available(value)].outputs.push((value, number));
        }
    }
    planner.finish(stages)
}

/// Whether an instruction rounds to a two-byte float what arithmetic made of such floats, widened.
fn half(code: &Loop, level: Level, index: usize) -> Option<(BlockFn, [Option<Value>; 3])> {
    let inst = code.body.insts[index];
    let InstOp::Prim(Prim::Convert, [Some(value), ..]) = inst.op else { return None };
    if !inst.dtype.is_half() {
        return None;
    }
    let InstOp::Prim(prim, operands) = code.body.insts[value.0 as usize].op else { return None };
    let widened = |value: Value| match code.body.insts[value.0 as usize].op {
        InstOp::Prim(Prim::Convert, [Some(from), ..]) if code.dtype(from) == inst.dtype => Some(from),
        _ => None,
    };
    let single = code.dtype(value) == DType::F32 && operands.iter().flatten().all(|&v| code.dtype(v) == DType::F32);
    let [Some(a), Some(b), None] = operands else { return None };
    let function = half_fn_for(level, prim, inst.dtype).filter(|_| single)?;
    Some((function, [Some(widened(a)?), Some(widened(b)?), None]))
}

impl Planner<'_> {
    /// The operands of a prim.
    fn args(&self, index: usize) -> Option<[Option<Value>; 3]> {
        match (self.halves[index], *self.inst(index)) {
            (Some((_, args)), _) => Some(args),
            (None, InstOp::Prim(_, args)) => Some(args),
            _ => None,
        }
    }

    fn inst(&self, index: usize) -> &InstOp {
        &self.code.body.insts[index].op
    }

    /// Has quotients and roots computed by calls in a body that has calls anyway: wider registers divide faster, by
    /// more than a row of scratch costs.
    fn wide_division(&mut self) {
        if self.level != Level::Avx512 || !self.calls.contains(&true) {
            return;
        }
        for index in 0..self.calls.len() {
            self.calls[index] |= matches!(self.inst(index), InstOp::Prim(Prim::Div | Prim::Sqrt, _));
        }
    }

    fn count_uses(&mut self) {
        for output in &self.code.outputs {
            self.used[output.value.0 as usize] += 1;
        }
        for index in (0..self.used.len()).rev() {
            if self.used[index] > 0
                && let Some(args) = self.args(index)
            {
                args.iter().flatten().for_each(|arg| self.used[arg.0 as usize] += 1);
            }
        }
    }

    /// The first stage in which a value can be had.
    fn available(&self, index: usize) -> usize {
        self.stage[index] + usize::from(self.calls[index])
    }

    /// Gives a slot to each value that needs one.
    fn needs_slots(&mut self) {
        for index in 0..self.used.len() {
            if self.used[index] == 0 {
                continue;
            }
            let Some(args) = self.args(index) else { continue };
            for arg in args.iter().flatten().map(|arg| arg.0 as usize) {
                let computed = matches!(self.inst(arg), InstOp::Prim(..));
                let later = computed && (self.calls[arg] || self.stage[arg] < self.stage[index]);
                if later || self.calls[index] && self.direct_input(arg).is_none() {
                    self.give_slot(arg);
                }
            }
        }
        for output in 0..self.code.outputs.len() {
            let value = self.code.outputs[output].value.0 as usize;
            if self.calls[value] && self.direct_output(value).is_none() {
                self.give_slot(value);
            }
        }
    }

    fn give_slot(&mut self, index: usize) {
        if self.slot_of[index].is_none() {
            let fixed = match *self.inst(index) {
                InstOp::Const(_) => true,
                InstOp::Load(source) => {
                    matches!(self.code.inputs[source as usize], Input::Array(_, Step::Repeat))
                }
                InstOp::Iota(_) | InstOp::Prim(..) => false,
            };
            let dtype = self.code.body.insts[index].dtype;
            self.slot_of[index] = Some(self.slots.len());
            self.slots.push(Slot { offset: 0, dtype, fixed: fixed.then_some(index) });
        }
    }

    /// The input whose memory holds a value as a block function wants it.
    fn direct_input(&self, index: usize) -> Option<usize> {
        match *self.inst(index) {
            InstOp::Load(source) => match self.code.inputs[source as usize] {
                Input::Array(dtype, Step::Dense) if dtype != DType::Bool => Some(source as usize),
                _ => None,
            },
            _ => None,
        }
    }

    /// The output whose memory a call may write: the only use of its result.
    fn direct_output(&self, index: usize) -> Option<usize> {
        if !self.calls[index] || self.used[index] != 1 {
            return None;
        }
        let is_this =
            |output: &crate::exec::stepping::Output| output.value == Value(index as u32) && output.step == Step::Dense;
        self.code.outputs.iter().position(is_this)
    }

    fn call(&self, index: usize) -> Call {
        let inst = self.code.body.insts[index];
        let values = self.args(index).expect("only prims are called");
        let function = match self.halves[index] {
            Some((function, _)) => function,
            None => {
                let InstOp::Prim(prim, _) = inst.op else { unreachable!("only prims are called") };
                let dtypes: Vec<DType> = values.iter().flatten().map(|&value| self.code.dtype(value)).collect();
                block_fn_for(self.level, prim, &dtypes, inst.dtype).expect("every prim of a verified kernel has one")
            }
        };
        let args = values.map(|value| match value.map(|value| value.0 as usize) {
            None => Argument::None,
            Some(value) => match (self.slot_of[value], self.direct_input(value)) {
                (_, Some(input)) => Argument::Input(input),
                (slot, None) => Argument::Slot(slot.expect("operands of calls have slots")),
            },
        });
        let result = match self.direct_output(index) {
            Some(output) => Result::Output(output),
            None => Result::Slot(self.slot_of[index].expect("results of calls have slots")),
        };
        Call { function, args, result }
    }

    fn finish(mut self, stages: Vec<Stage>) -> Stages {
        let width: usize = self.slots.iter().map(|slot| slot.dtype.size()).sum();
        let block = (CACHE / width.max(1) / 64 * 64).clamp(256, BLOCK);
        let mut end = 0;
        for slot in &mut self.slots {
            slot.offset = end;
            // A line more, so that rows do not fall on the same cache sets.
            end += block * slot.dtype.size() + 64;
        }
        Stages { stages, slots: self.slots, slot_of: self.slot_of, block, scratch: end }
    }
}
