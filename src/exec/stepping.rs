//! Inner loops: what a plan asks of code that steps over elements. Compiled code and the block interpreter take the
//! same.
//!
//! A [`Loop`] is a kernel's body with, for each operand, how its address moves from one element to the next.
//! Together they decide the code, so equal loops share it. Addresses and strides come at each call in [`LoopOperand`]s,
//! inputs first, then outputs.
#![expect(unsafe_code, reason = "the operands of a loop are addresses with strides, not slices")]

use crate::kernel::{Body, InstId};
use crate::types::DType;

/// How an operand's address moves.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Step {
    /// The address does not move: there is one element for all.
    Repeat,
    /// The address moves by the size of an element.
    Dense,
    /// The address moves backwards by the size of an element. This is for inputs alone.
    Back,
    /// The address moves by the size of two elements. This is for inputs alone.
    Alternate,
    /// The address moves by some other distance, which each call says.
    Strided,
    /// The address moves by the size of an element, and the stores go past the caches. This is for outputs alone; their
    /// first element begins a cache line.
    Stream,
}

impl Step {
    /// The class of a stride.
    pub(crate) fn of(stride: isize, dtype: DType) -> Step {
        match stride {
            0 => Step::Repeat,
            stride if stride == dtype.size() as isize => Step::Dense,
            stride if stride == -(dtype.size() as isize) => Step::Back,
            stride if stride == 2 * dtype.size() as isize => Step::Alternate,
            _ => Step::Strided,
        }
    }

    /// Whether elements are apart from each other, so that each is loaded by itself, or shares its vector with others.
    pub(crate) fn is_sparse(self) -> bool {
        matches!(self, Step::Alternate | Step::Strided)
    }

    /// The class of an output's stride. One element may be called dense: it does not matter how its address would move.
    pub(crate) fn of_output(stride: isize, dtype: DType) -> Step {
        match Step::of(stride, dtype) {
            Step::Repeat => Step::Dense,
            Step::Back | Step::Alternate => Step::Strided,
            step @ (Step::Dense | Step::Strided | Step::Stream) => step,
        }
    }
}

/// What a load or an iota reads.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum LoopInput {
    /// Elements in memory.
    Array(DType, Step),
    /// A count: the operand's "address" is its first value and its stride what is added.
    Count,
}

/// Where a value goes. Outputs never repeat.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct LoopOutput {
    pub(crate) value: InstId,
    pub(crate) step: Step,
}

/// An inner loop.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Loop {
    pub(crate) body: Body,
    pub(crate) inputs: Vec<LoopInput>,
    pub(crate) outputs: Vec<LoopOutput>,
}

impl Loop {
    /// The dtype of a value.
    pub(crate) fn dtype(&self, value: InstId) -> DType {
        self.body.dtype(value)
    }

    /// The same loop with dense outputs that pass the caches by.
    pub(crate) fn streaming(&self) -> Loop {
        let past = |output: &LoopOutput| LoopOutput { step: Step::Stream, ..*output };
        Loop { outputs: self.outputs.iter().map(past).collect(), ..self.clone() }
    }

    /// Whether outputs pass the caches by.
    #[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiled loops make such stores"))]
    pub(crate) fn streams(&self) -> bool {
        self.outputs.iter().any(|output| output.step == Step::Stream)
    }
}

/// When a recurrence ends before its last step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiled loops are recurrences"))]
pub(crate) enum End {
    Never,
    /// When the condition does not hold: states stay as they were.
    Before,
    /// When the condition holds for no element: the step counts.
    After,
}

/// A step that runs again and again on the same elements, whose states stay in registers meanwhile.
///
/// Inputs of the step are the states, then what else it reads; outputs are the next states, then results, then the
/// condition where there is one. A count is the number of the step.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
#[cfg_attr(not(feature = "jit"), allow(dead_code, reason = "only compiled loops are recurrences"))]
pub(crate) struct Recurrence {
    pub(crate) step: Loop,
    pub(crate) states: usize,
    /// Which operands of the step, inputs first, are elsewhere at each step.
    pub(crate) moves: Vec<bool>,
    pub(crate) end: End,
    /// The most elements that run side by side: one runs alone.
    pub(crate) most: usize,
}

/// Where an operand is, at each call.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct LoopOperand {
    /// The address of the element with index 0 of the inner loop, or the first value of a count.
    pub(crate) address: usize,
    /// The distance in bytes to the next element, or to the next value of a count.
    pub(crate) stride: isize,
}

/// What runs the elements `start..start + len` of an inner loop.
pub(crate) trait Code {
    /// Runs them.
    ///
    /// # Safety
    /// For each input the addresses of these elements can be read; that of one that repeats, even if there are none.
    /// For each output they can be written. Outputs overlap nothing else, and strides fit the steps of the loop.
    unsafe fn run(&mut self, operands: &[LoopOperand], start: usize, len: usize);

    /// Runs the same elements of `rows` rows, at least one, and returns true, if the code goes from row to row by
    /// itself. Other code runs nothing and returns false. After each row, operands move `to_next` bytes.
    ///
    /// # Safety
    /// As for [`Code::run`], of every row.
    unsafe fn rows_at_once(&mut self, _: &[LoopOperand], _: (usize, usize), _rows: usize, _to_next: &[isize]) -> bool {
        false
    }

    /// Runs the same elements of some rows, at least one. Where the operands are at the end is not said.
    ///
    /// # Safety
    /// As for [`Code::rows_at_once`].
    unsafe fn run_rows(
        &mut self,
        operands: &mut [LoopOperand],
        (start, len): (usize, usize),
        rows: usize,
        to_next: &[isize],
    ) {
        // SAFETY: the caller promises the elements of all rows, from these operands on.
        if unsafe { self.rows_at_once(operands, (start, len), rows, to_next) } {
            return;
        }
        for _ in 0..rows {
            // SAFETY: the caller promises the elements of each row, and the operands are at the one that runs.
            unsafe { self.run(operands, start, len) };
            for (operand, &step) in operands.iter_mut().zip(to_next) {
                operand.address = operand.address.wrapping_add_signed(step);
            }
        }
    }
}
