//! The contents of a run's buffers.

use crate::array::bytes::AlignedBytes;
use crate::array::{Array, c_strides};
use crate::exec::lent::LentMemory;
use crate::exec::memory::Meter;
use crate::exec::options::RunError;
use crate::exec::plan::{Plan, PlannedBuffer, Storage, StoredArray};
use crate::ir::{NodeId, Program, ProgramInput};
use smallvec::SmallVec;

/// The arrays that a run reads: those that the program was given, then those that were made on the way.
#[derive(Clone, Copy)]
pub(in crate::exec) struct RunInputs<'r> {
    pub(in crate::exec) given: &'r [ProgramInput],
    pub(in crate::exec) made: &'r [Option<Array>],
}

impl<'r> RunInputs<'r> {
    /// What a program was given.
    pub(in crate::exec) fn of(program: &'r Program) -> RunInputs<'r> {
        RunInputs { given: &program.inputs, made: &[] }
    }

    /// The array of an input, if there is one.
    pub(in crate::exec) fn get(&self, input: u32) -> Option<&'r Array> {
        let input = input as usize;
        match self.given.get(input) {
            Some(given) => given.value.as_ref(),
            None => self.made.get(input - self.given.len())?.as_ref(),
        }
    }
}

/// The memory of a run.
pub(super) struct RunMemory<'r> {
    inputs: RunInputs<'r>,
    plan: &'r Plan,
    meter: &'r mut Meter,
    /// Memory that is to hold nodes.
    lent: &'r [(NodeId, &'r LentMemory<'r>)],
    buffers: SmallVec<[Option<AlignedBytes>; 2]>,
}

impl<'r> RunMemory<'r> {
    /// No memory yet.
    ///
    /// # Errors
    /// When a buffer exceeds the ceiling by itself: what is computed before it would be for nothing.
    pub(super) fn new(
        inputs: RunInputs<'r>,
        plan: &'r Plan,
        lent: &'r [(NodeId, &'r LentMemory<'r>)],
        meter: &'r mut Meter,
    ) -> Result<RunMemory<'r>, RunError> {
        plan.buffers.iter().try_for_each(|buffer| meter.could_hold(buffer.dtype, &buffer.sizes))?;
        let buffers = (0..plan.buffers.len()).map(|_| None).collect();
        Ok(RunMemory { inputs, plan, meter, lent, buffers })
    }

    /// No memory yet, for a run in which the buffers that are `passing` need none: what would be in them passes.
    pub(super) fn passing(
        inputs: RunInputs<'r>,
        plan: &'r Plan,
        passing: &[bool],
        meter: &'r mut Meter,
    ) -> Result<RunMemory<'r>, RunError> {
        let held = plan.buffers.iter().zip(passing).filter(|(_, passes)| !**passes);
        held.into_iter().try_for_each(|(buffer, _)| meter.could_hold(buffer.dtype, &buffer.sizes))?;
        let buffers = (0..plan.buffers.len()).map(|_| None).collect();
        Ok(RunMemory { inputs, plan, meter, lent: &[], buffers })
    }

    /// Gives a buffer its memory.
    pub(super) fn allocate(&mut self, buffer: u32) -> Result<(), RunError> {
        let planned = &self.plan.buffers[buffer as usize];
        let lent = planned.lent.and_then(|node| self.lent.iter().find(|(known, _)| *known == node));
        let bytes = match lent {
            Some((_, lent)) => lent.bytes(),
            None => buffer_memory(planned, self.meter)?,
        };
        self.buffers[buffer as usize] = Some(bytes);
        Ok(())
    }

    /// Takes it back.
    pub(super) fn release(&mut self, buffer: u32) {
        let planned = &self.plan.buffers[buffer as usize];
        self.buffers[buffer as usize] = None;
        self.meter.release(planned.dtype, &planned.sizes);
    }

    fn input(&self, input: u32) -> &Array {
        self.inputs.get(input).expect("the plan was made for this data")
    }

    /// The address of the first byte of a storage.
    pub(super) fn address(&self, storage: Storage) -> usize {
        let first = match storage {
            Storage::Input(input) => self.input(input).pointer(),
            Storage::Constant(constant) => self.plan.constants[constant as usize].pointer(),
            Storage::Buffer(buffer) => {
                self.buffers[buffer as usize].as_ref().expect("a buffer is used while it has memory").as_ptr()
            }
        };
        first as usize
    }

    /// The number of the first element at fault, or -1: what a check is.
    pub(super) fn fault(&self, check: &StoredArray) -> i64 {
        read_word(self.address(check.storage).wrapping_add_signed(check.offset))
    }

    /// What the program gives.
    pub(super) fn outputs(self) -> Vec<Array> {
        let given: Vec<Option<Array>> = self.outputs_but(&[]);
        given.into_iter().map(|array| array.expect("none is left out")).collect()
    }

    /// What the program gives, but for the outputs that are `left` out.
    pub(super) fn outputs_but(mut self, left: &[bool]) -> Vec<Option<Array>> {
        let plan = self.plan;
        let mut made: SmallVec<[Option<Array>; 2]> = plan.buffers.iter().map(|_| None).collect();
        let is_left = |index: usize| left.get(index).is_some_and(|left| *left);
        let outputs = plan.outputs.iter().enumerate().map(|(index, output)| match output.storage {
            _ if is_left(index) => None,
            Storage::Input(input) => Some(shown(self.input(input).clone(), output)),
            Storage::Constant(constant) => Some(shown(plan.constants[constant as usize].clone(), output)),
            Storage::Buffer(buffer) => {
                let array = &mut made[buffer as usize];
                if let Some(bytes) = self.buffers[buffer as usize].take() {
                    // The dtype of what was made there last.
                    let sizes = plan.buffers[buffer as usize].sizes.clone();
                    *array = Some(Array::from_bytes(output.dtype, sizes, bytes));
                }
                let is_last = plan.outputs[index + 1..].iter().all(|later| later.storage != output.storage);
                let given = if is_last { array.take() } else { array.clone() };
                Some(shown(given.expect("what is given has memory"), output))
            }
        });
        outputs.collect()
    }
}

/// Memory for a buffer, whose elements are not written yet.
pub(super) fn buffer_memory(buffer: &PlannedBuffer, meter: &mut Meter) -> Result<AlignedBytes, RunError> {
    // SAFETY: the loops of a plan write every element of a buffer before one is read or given; when they fail, the
    // memory is dropped unread.
    unsafe { meter.uninit(buffer.dtype, &buffer.sizes) }
}

/// The scalar at an address: what a check says, or a position.
pub(super) fn read_word(at: usize) -> i64 {
    // SAFETY: checks and positions are scalars of this dtype, and they lie in their storage.
    unsafe { (at as *const i64).read_unaligned() }
}

/// Whether the truth value at an address is true.
pub(super) fn read_truth(at: usize) -> bool {
    // SAFETY: a scalar of this dtype lies there, in its storage.
    unsafe { (at as *const u8).read() != 0 }
}

/// The elements of an array that another shows.
fn shown(array: Array, output: &StoredArray) -> Array {
    let offset = array.offset().wrapping_add_signed(output.offset);
    let same = output.offset == 0 && array.shape() == &output.sizes[..] && array.strides() == &output.strides[..];
    if same { array } else { array.view(output.sizes.clone(), output.strides.clone(), offset) }
}

/// Copies elements, in C order.
///
/// # Safety
/// An element of `size` bytes can be read at each place that `sizes` and `strides` say, from the address `at` on. `to`
/// has as many bytes as all of them together.
pub(super) unsafe fn read_elements(at: usize, sizes: &[usize], strides: &[isize], size: usize, to: &mut [u8]) {
    if strides == &c_strides(sizes, size)[..] {
        // SAFETY: the caller promises these elements, which lie one behind the other, as many bytes as `to` has.
        unsafe { std::ptr::copy_nonoverlapping(at as *const u8, to.as_mut_ptr(), to.len()) };
        return;
    }
    let ([len, sizes @ ..], [stride, strides @ ..]) = (sizes, strides) else { return };
    let part = to.len() / (*len).max(1);
    if sizes.is_empty() {
        for (index, element) in to.chunks_exact_mut(size).enumerate() {
            let at = at.wrapping_add_signed(stride.wrapping_mul(index as isize)) as *const u8;
            // SAFETY: the caller promises an element of `size` bytes at each place; `element` is as long.
            unsafe { std::ptr::copy_nonoverlapping(at, element.as_mut_ptr(), size) };
        }
        return;
    }
    for index in 0..*len {
        let at = at.wrapping_add_signed(stride.wrapping_mul(index as isize));
        // SAFETY: the caller promises the places of the whole, and these are some of them; `to` has their bytes.
        unsafe { read_elements(at, sizes, strides, size, &mut to[index * part..][..part]) };
    }
}
