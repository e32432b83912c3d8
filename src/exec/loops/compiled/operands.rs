//! The places in memory of an elementwise step's operands. They are the states that the loop carries, the arrays that a
//! step reads, and the results that it leaves.
#![expect(unsafe_code, reason = "a compiled loop takes the addresses of its arrays")]

use super::elementwise::{Elementwise, StepSource};
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, c_strides};
use crate::exec::loops::row;
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError};
use crate::exec::run::{copied_metered, run_metered};
use crate::exec::space::PerOperand;
use crate::ir::loops::{LoopOver, ProgramLoop};
use crate::ir::{Program, ProgramOutput};
use crate::source::Span;
use crate::types::DType;

/// Where an operand is.
#[derive(Clone, Debug)]
pub(super) struct OperandAddress {
    pub(super) dtype: DType,
    /// The address of the first lane at the first step.
    pub(super) address: usize,
    /// How far apart lanes are, for each axis.
    pub(super) strides: PerOperand<isize>,
    /// How far the operand moves from one step to the next.
    pub(super) distance: isize,
    /// Whether the operand is the number of the step.
    pub(super) counts: bool,
}

/// The operands of a step.
#[derive(Debug)]
pub(super) struct Operands {
    /// Inputs, then outputs. The next states and the condition are in registers, and so have no address.
    pub(super) all: Vec<OperandAddress>,
    /// How many of the operands are inputs.
    pub(super) inputs: usize,
    states: Vec<AlignedBytes>,
    results: Vec<AlignedBytes>,
    /// The arrays that are read, kept alive.
    read: Vec<Array>,
    lanes: Vec<usize>,
}

/// The rows that a loop goes through.
#[derive(Clone, Copy, Debug)]
struct LoopRows {
    axis: usize,
    len: usize,
    reverse: bool,
}

impl LoopRows {
    fn of(of: &ProgramLoop, arrays: &[Array]) -> LoopRows {
        match of.over {
            LoopOver::Steps => LoopRows { axis: 0, len: 0, reverse: false },
            LoopOver::Rows { axis, reverse, .. } => {
                let axis = axis as usize;
                LoopRows { axis, len: arrays[0].shape()[axis], reverse }
            }
        }
    }

    /// The number of the first row.
    fn first(self) -> usize {
        if self.reverse { self.len - 1 } else { 0 }
    }

    /// How far the next row is, if the axis of rows has this stride.
    fn distance(self, stride: isize) -> isize {
        if self.reverse { -stride } else { stride }
    }
}

impl Operands {
    /// The operands for a run with these arguments.
    pub(super) fn new(
        of: &ProgramLoop,
        step: &Elementwise,
        args: &[Array],
        meter: &mut Meter,
        options: &Options,
    ) -> Result<Operands, RunError> {
        let arrays = if let LoopOver::Rows { arrays, .. } = of.over { arrays } else { 0 };
        let (starts, behind) = args[of.before_states()..].split_at(of.states);
        let (arrays, used) = behind.split_at(arrays);
        let rows = LoopRows::of(of, arrays);
        let mut operands = Operands {
            all: Vec::new(),
            inputs: 0,
            states: Vec::new(),
            results: Vec::new(),
            read: Vec::new(),
            lanes: step.lanes.clone(),
        };
        for start in starts {
            operands.state(start, meter, options)?;
        }
        let mut made = made_before(of, step, used, meter, options)?.into_iter();
        for source in &step.sources {
            match *source {
                StepSource::Count => {
                    let nowhere = operands.nowhere(DType::I64);
                    operands.all.push(OperandAddress { counts: true, ..nowhere });
                }
                StepSource::Row(at) => {
                    let distance = rows.distance(arrays[at].strides()[rows.axis]);
                    operands.input(&row(&arrays[at], rows.axis, rows.first()), distance);
                }
                StepSource::Used(at) => operands.input(&used[at], 0),
                StepSource::Made(_) => operands.input(&made.next().expect("it was asked for"), 0),
            }
        }
        operands.inputs = operands.all.len();
        for (output, value) in step.outputs.iter().enumerate() {
            let dtype = step.body.dtype(*value);
            match of.over {
                LoopOver::Rows { .. } if output >= of.states => operands.result(dtype, rows, meter)?,
                LoopOver::Steps | LoopOver::Rows { .. } => operands.all.push(operands.nowhere(dtype)),
            }
        }
        Ok(operands)
    }

    fn nowhere(&self, dtype: DType) -> OperandAddress {
        let strides = PerOperand::from_elem(0, self.lanes.len());
        OperandAddress { dtype, address: 0, strides, distance: 0, counts: false }
    }

    /// Adds a state. Its memory holds the value that it begins with.
    fn state(&mut self, start: &Array, meter: &mut Meter, options: &Options) -> Result<(), RunError> {
        let own = copied_metered(&start.broadcast_to(&self.lanes), options, meter)?;
        let dtype = own.dtype();
        let mut bytes = own.into_bytes().map_err(|_| RunError::Internal("a copy has other owners".to_owned()))?;
        let strides = c_strides(&self.lanes, dtype.size()).into_iter().collect();
        self.all.push(OperandAddress {
            dtype,
            address: bytes.as_mut_ptr() as usize,
            strides,
            distance: 0,
            counts: false,
        });
        self.states.push(bytes);
        Ok(())
    }

    fn input(&mut self, array: &Array, distance: isize) {
        let array = array.broadcast_to(&self.lanes);
        let strides = array.strides().iter().copied().collect();
        let address = array.pointer() as usize;
        self.all.push(OperandAddress { dtype: array.dtype(), address, strides, distance, counts: false });
        self.read.push(array);
    }

    /// Adds a result. Each step makes a row of it.
    fn result(&mut self, dtype: DType, rows: LoopRows, meter: &mut Meter) -> Result<(), RunError> {
        let sizes = self.whole(rows.axis, rows.len);
        // SAFETY: every step writes its row; when one fails, the memory is dropped unread.
        let mut bytes = unsafe { meter.uninit(dtype, &sizes)? };
        let mut strides: PerOperand<isize> = c_strides(&sizes, dtype.size()).into_iter().collect();
        let stride = strides.remove(rows.axis);
        let address = (bytes.as_mut_ptr() as usize).wrapping_add(rows.first() * stride as usize);
        self.all.push(OperandAddress { dtype, address, strides, distance: rows.distance(stride), counts: false });
        self.results.push(bytes);
        Ok(())
    }

    /// The shape of `len` rows that lie along an axis.
    fn whole(&self, axis: usize, len: usize) -> Vec<usize> {
        let mut sizes = self.lanes.clone();
        sizes.insert(axis, len);
        sizes
    }

    /// The values of the loop, when all steps are done.
    pub(super) fn values(mut self, of: &ProgramLoop, steps: u64, meter: &mut Meter) -> Vec<Array> {
        let LoopOver::Rows { axis, .. } = of.over else { return self.last_states(of, meter) };
        (0..of.states).for_each(|state| meter.release(self.all[state].dtype, &self.lanes));
        let sizes = self.whole(axis as usize, steps as usize);
        let results = std::mem::take(&mut self.results).into_iter();
        let places = &self.all[self.inputs + of.states..];
        results.zip(places).map(|(bytes, place)| Array::from_bytes(place.dtype, &sizes[..], bytes)).collect()
    }

    fn last_states(self, of: &ProgramLoop, meter: &mut Meter) -> Vec<Array> {
        let state = |(state, bytes): (usize, AlignedBytes)| {
            let array = Array::from_bytes(self.all[state].dtype, Sizes::from_slice(&self.lanes), bytes);
            let is_scalar = of.step.node(of.step.outputs[state].node).shape.is_empty();
            if !is_scalar || self.lanes.is_empty() {
                return array;
            }
            // Each lane has the scalar.
            meter.release(array.dtype(), array.shape());
            Array::from_scalar(array.get(0))
        };
        self.states.into_iter().enumerate().map(state).collect()
    }
}

/// The arrays that are made before the first step from arrays outside of the loop.
fn made_before(
    of: &ProgramLoop,
    step: &Elementwise,
    used: &[Array],
    meter: &mut Meter,
    options: &Options,
) -> Result<Vec<Array>, RunError> {
    let nodes = step.sources.iter().filter_map(|source| match source {
        StepSource::Made(node) => Some(*node),
        StepSource::Count | StepSource::Row(_) | StepSource::Used(_) => None,
    });
    let outputs: Vec<ProgramOutput> =
        nodes.map(|node| ProgramOutput { name: None, node, span: Span::default(), weak: false }).collect();
    if outputs.is_empty() {
        return Ok(Vec::new());
    }
    let mut before = Program { outputs, ..of.step.clone() };
    let first = before.inputs.len() - used.len();
    for (input, array) in before.inputs[first..].iter_mut().zip(used) {
        input.value = Some(array.clone());
    }
    run_metered(&before, options, &[], meter)
}
