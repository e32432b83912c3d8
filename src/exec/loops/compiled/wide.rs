//! Elementwise loops on wide vectors. Lanes are copied to scratch, go through some steps there, and are copied back.
//!
//! In scratch the parts of complex numbers lie apart, and the number of the step is one more state. An operand that
//! moves from step to step is read and written at its own place.
#![expect(unsafe_code, reason = "a compiled loop takes the addresses of its states and arrays")]

use super::elementwise::Elementwise;
use super::operands::Operands;
use crate::array::bytes::AlignedBytes;
use crate::exec::block::copy_strided;
use crate::exec::jit::{PreparedWide, prepare_wide};
use crate::exec::options::{RunError, Watch};
use crate::exec::space::LoopDim;
use crate::exec::stepping::{End, Loop, LoopInput, LoopOperand, LoopOutput, Recurrence, Step};
use crate::ir::loops::ProgramLoop;
use crate::kernel::{Body, InstId, InstOp};
use crate::scalar::prim::Prim;
use crate::types::DType;

/// The fewest lanes that are taken together.
const MIN_LANES: usize = 4;

/// The most lanes of one call.
const MAX_LANES: usize = 128;

/// Where an operand of the step over parts comes from.
#[derive(Clone, Copy, Debug)]
enum OperandSource {
    /// An operand of the loop by its number. The part of each of its elements begins this many bytes into the element.
    Operand(usize, usize),
    /// The number of the step.
    Count,
    /// The operand is in scratch only.
    Scratch,
}

/// What one call does.
pub(super) struct LaneSteps {
    /// How many lanes it takes through steps.
    pub(super) lanes: usize,
    /// The number of the first step.
    pub(super) start: u64,
    /// How many steps.
    pub(super) steps: u64,
}

/// A loop on wide vectors.
pub(super) struct WideLoop {
    code: PreparedWide,
    end: End,
    /// Inputs, then outputs.
    from: Vec<OperandSource>,
    /// How many of the inputs are states.
    states: usize,
    /// Bytes of a lane of each input.
    sizes: Vec<usize>,
    /// Whether something moves from step to step.
    moves: bool,
}

impl WideLoop {
    /// The code for lanes along an axis; `None` if there is no such code.
    pub(super) fn new(of: &ProgramLoop, step: &Elementwise, operands: &Operands, inner: &LoopDim) -> Option<WideLoop> {
        if step.end == End::Before || inner.len < MIN_LANES {
            return None;
        }
        let writer = PartWriter::of(of, step, operands, inner)?;
        let PartWriter { body, inputs, from, states, outputs, moves, .. } = writer;
        let sizes = inputs.iter().map(|input| dtype_of(*input).size()).collect();
        let moving = moves.contains(&true);
        let step_loop = Loop { body, inputs, outputs };
        let recurrence = Recurrence { step: step_loop, states, moves, end: step.end, most: inner.len.min(MAX_LANES) };
        let code = prepare_wide(&recurrence)?;
        let fits = !moving || inner.len >= code.lanes();
        fits.then_some(WideLoop { code, end: step.end, from, states, sizes, moves: moving })
    }

    pub(super) fn lanes(&self) -> usize {
        self.code.lanes()
    }

    /// How many calls take how many lanes through some steps. If nothing moves, the last call may have fewer lanes than
    /// the others.
    pub(super) fn calls(&self, lanes: usize) -> usize {
        if self.moves { lanes / self.lanes() } else { lanes.div_ceil(self.lanes()) }
    }

    /// Scratch for a thread.
    pub(super) fn scratch(&self, watch: Watch) -> Result<AlignedBytes, RunError> {
        AlignedBytes::zeroed(self.code.scratch()).map_err(|_| watch.out_of_memory())
    }

    /// Takes lanes through some steps. Returns whether the lanes go on. The first half of `first` says where the first
    /// lane of each operand is at the first step, and how far lanes are apart; the second half says how far steps are
    /// apart.
    ///
    /// # Safety
    /// Each operand has as many lanes at each of these steps. Lanes of inputs can be read, lanes of states and results
    /// written. There is at least one step, and at least one lane. There are no more lanes than [`WideLoop::lanes`] says,
    /// and no fewer where something moves from step to step. `scratch` is what [`WideLoop::scratch`] made.
    pub(super) unsafe fn run(
        &self,
        scratch: &mut AlignedBytes,
        first: &[LoopOperand],
        LaneSteps { lanes, start, steps }: LaneSteps,
    ) -> bool {
        let all = first.len() / 2;
        // SAFETY: the caller promises lanes of the operands; scratch has room for all lanes.
        self.copied(scratch, |place, from, size| match from {
            OperandSource::Operand(operand, offset) => {
                let LoopOperand { address, stride } = first[operand];
                let from = address.wrapping_add(offset);
                let last = from.wrapping_add_signed(stride.wrapping_mul(lanes as isize - 1));
                let beyond = place.wrapping_add(lanes * size);
                // SAFETY: the caller promises these lanes of the operand; scratch has room for all lanes. Lanes beyond
                // the last are copies of it, and end when it does.
                unsafe {
                    copy_strided(size, from as *const u8, stride, place, size as isize, lanes);
                    copy_strided(size, last as *const u8, 0, beyond, size as isize, self.lanes() - lanes);
                }
            }
            OperandSource::Count => {
                let number = &raw const start;
                // SAFETY: scratch has room for all lanes.
                unsafe { copy_strided(8, number.cast(), 0, place, 8, self.lanes()) };
            }
            OperandSource::Scratch => {}
        });
        let mut operands = vec![LoopOperand { address: 0, stride: 0 }; 2 * self.from.len()];
        for (index, from) in self.from.iter().enumerate() {
            if let (OperandSource::Operand(operand, _), None) = (from, self.code.place(index)) {
                operands[index] = first[*operand];
                operands[self.from.len() + index] = first[all + operand];
            }
        }
        // SAFETY: the caller promises operands at each step; what lies in scratch was copied there, for all lanes.
        unsafe { self.code.run(scratch.as_mut_ptr(), &operands, steps as usize) };
        for state in 0..self.states {
            let (OperandSource::Operand(operand, offset), Some(place)) = (self.from[state], self.code.place(state))
            else {
                continue;
            };
            let LoopOperand { address, stride } = first[operand];
            let size = self.sizes[state];
            let from = scratch.as_ptr().wrapping_add(place);
            // SAFETY: the caller promises these lanes of the state, no more than scratch has.
            unsafe { copy_strided(size, from, size as isize, address.wrapping_add(offset) as *mut u8, stride, lanes) };
        }
        let condition = self.code.place(self.from.len() - 1).filter(|_| self.end != End::Never);
        condition.is_none_or(|place| scratch.as_slice()[place..place + self.lanes()].iter().any(|&lane| lane != 0))
    }

    /// Calls `copy` for each input that lies in scratch: with its address there, its origin, and the bytes of a lane.
    fn copied(&self, scratch: &mut AlignedBytes, copy: impl Fn(*mut u8, OperandSource, usize)) {
        let begin = scratch.as_mut_ptr();
        for (input, from) in self.from[..self.sizes.len()].iter().enumerate() {
            if let Some(place) = self.code.place(input) {
                copy(begin.wrapping_add(place), *from, self.sizes[input]);
            }
        }
    }
}

/// Writes a step over the parts of complex numbers.
struct PartWriter {
    body: Body,
    inputs: Vec<LoopInput>,
    outputs: Vec<LoopOutput>,
    from: Vec<OperandSource>,
    moves: Vec<bool>,
    states: usize,
    /// The first input of each operand of the loop.
    begins: Vec<usize>,
}

impl PartWriter {
    fn of(of: &ProgramLoop, step: &Elementwise, operands: &Operands, inner: &LoopDim) -> Option<PartWriter> {
        let mut writer = PartWriter {
            body: Body::default(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            from: Vec::new(),
            moves: Vec::new(),
            states: 0,
            begins: Vec::new(),
        };
        (0..of.states).for_each(|state| writer.parts(operands, state));
        let counter = operands.all[..operands.inputs].iter().any(|place| place.counts).then(|| {
            writer.input(LoopInput::Array(DType::I64, Step::Dense), OperandSource::Count, false);
            writer.inputs.len() - 1
        });
        writer.states = writer.inputs.len();
        for operand in of.states..operands.inputs {
            let place = &operands.all[operand];
            let (stride, size) = (inner.strides[operand], place.dtype.size() as isize);
            match (place.distance != 0, stride) {
                _ if place.counts => writer.begins.push(counter?),
                (true, stride) if stride != size => return None,
                (true, _) => writer.whole(operands, operand, Step::Dense),
                (false, 0) => writer.whole(operands, operand, Step::Repeat),
                (false, _) => writer.parts(operands, operand),
            }
        }
        let values = writer.steps(step, operands);
        writer.leave(of, step, operands, (inner, counter), &values)?;
        Some(writer)
    }

    fn input(&mut self, input: LoopInput, from: OperandSource, moves: bool) {
        self.inputs.push(input);
        self.from.push(from);
        self.moves.push(moves);
    }

    fn whole(&mut self, operands: &Operands, operand: usize, step: Step) {
        self.begins.push(self.inputs.len());
        let place = &operands.all[operand];
        self.input(LoopInput::Array(place.dtype, step), OperandSource::Operand(operand, 0), place.distance != 0);
    }

    /// Adds an operand whose parts lie in scratch.
    fn parts(&mut self, operands: &Operands, operand: usize) {
        self.begins.push(self.inputs.len());
        let dtype = operands.all[operand].dtype;
        let part = dtype.part();
        let count = if dtype.is_complex() { 2 } else { 1 };
        (0..count).for_each(|number| {
            let from = OperandSource::Operand(operand, number * part.size());
            self.input(LoopInput::Array(part, Step::Dense), from, false);
        });
    }

    /// Writes the instructions of the step. Returns their values.
    fn steps(&mut self, step: &Elementwise, operands: &Operands) -> Vec<InstId> {
        let mut values: Vec<InstId> = Vec::with_capacity(step.body.insts.len());
        for inst in &step.body.insts {
            let value = match inst.op {
                InstOp::Const(_) => self.body.push(inst.op, inst.dtype),
                InstOp::Prim(prim, args) => {
                    let args = args.map(|arg| arg.map(|InstId(arg)| values[arg as usize]));
                    self.body.push(InstOp::Prim(prim, args), inst.dtype)
                }
                InstOp::Load(operand) | InstOp::Iota(operand) => {
                    let begin = self.begins[operand as usize];
                    let apart =
                        operands.all[operand as usize].dtype.is_complex() && !dtype_of(self.inputs[begin]).is_complex();
                    if apart {
                        let [re, im] =
                            [0, 1].map(|part| self.body.push(InstOp::Load((begin + part) as u32), inst.dtype.part()));
                        self.body.push(InstOp::Prim(Prim::Pair, [Some(re), Some(im), None]), inst.dtype)
                    } else {
                        self.body.push(InstOp::Load(begin as u32), inst.dtype)
                    }
                }
            };
            values.push(value);
        }
        values
    }

    /// Writes the outputs. `None` if the lanes of a result do not lie side by side.
    fn leave(
        &mut self,
        of: &ProgramLoop,
        step: &Elementwise,
        operands: &Operands,
        (inner, counter): (&LoopDim, Option<usize>),
        values: &[InstId],
    ) -> Option<()> {
        let next = &step.outputs[..of.states];
        for &InstId(value) in next {
            let (whole, dtype) = (values[value as usize], step.body.insts[value as usize].dtype);
            if dtype.is_complex() {
                for part in [Prim::Real, Prim::Imag] {
                    let value = self.body.push(InstOp::Prim(part, [Some(whole), None, None]), dtype.part());
                    self.output(value, OperandSource::Scratch);
                }
            } else {
                self.output(whole, OperandSource::Scratch);
            }
        }
        if let Some(counter) = counter {
            let number = self.body.push(InstOp::Load(counter as u32), DType::I64);
            let one = self.body.push(InstOp::Const(1), DType::I64);
            let after = self.body.push(InstOp::Prim(Prim::Add, [Some(number), Some(one), None]), DType::I64);
            self.output(after, OperandSource::Count);
        }
        let rest = step.outputs.iter().enumerate().skip(of.states);
        for (output, &InstId(value)) in rest {
            let operand = operands.inputs + output;
            let is_condition = step.end != End::Never && output + 1 == step.outputs.len();
            let dense = inner.strides[operand] == operands.all[operand].dtype.size() as isize;
            match is_condition {
                true => self.output(values[value as usize], OperandSource::Scratch),
                false if dense => self.output(values[value as usize], OperandSource::Operand(operand, 0)),
                false => return None,
            }
        }
        Some(())
    }

    fn output(&mut self, value: InstId, from: OperandSource) {
        self.outputs.push(LoopOutput { value, step: Step::Dense });
        self.from.push(from);
        self.moves.push(matches!(from, OperandSource::Operand(..)));
    }
}

fn dtype_of(input: LoopInput) -> DType {
    match input {
        LoopInput::Array(dtype, _) => dtype,
        LoopInput::Count => DType::I64,
    }
}
