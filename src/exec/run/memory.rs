//! The contents of a run's buffers.
#![expect(unsafe_code, reason = "elements lie at addresses with strides")]

use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Buffer, Sizes, Strides, c_strides};
use crate::exec::lent::LentMemory;
use crate::exec::memory::Meter;
use crate::exec::options::RunError;
use crate::exec::plan::{Plan, PlannedBuffer, Storage, StoredArray};
use crate::ir::{NodeId, Program, ProgramInput};
use smallvec::SmallVec;
use std::sync::Arc;

/// Arrays for the inputs of a program.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InputArrays<'r> {
    /// The arrays, in any order.
    pub(crate) arrays: &'r [Array],
    /// Which of them each input of the program is; `None` if it has no data.
    pub(crate) places: &'r [Option<usize>],
}

/// The inputs of a program with their data.
#[derive(Clone, Copy)]
enum GivenInputs<'r> {
    /// The program holds it.
    Bound(&'r [ProgramInput]),
    /// The data is that of a call.
    Called(InputArrays<'r>),
}

/// The arrays that a run reads: those that the program was given, then those that were made on the way.
#[derive(Clone, Copy)]
pub(in crate::exec) struct RunInputs<'r> {
    given: GivenInputs<'r>,
    made: &'r [Option<Array>],
}

impl<'r> RunInputs<'r> {
    /// What a program was given.
    pub(in crate::exec) fn of(program: &'r Program) -> RunInputs<'r> {
        RunInputs { given: GivenInputs::Bound(&program.inputs), made: &[] }
    }

    /// What a program was given, and what was made on the way.
    pub(in crate::exec) fn with(program: &'r Program, made: &'r [Option<Array>]) -> RunInputs<'r> {
        RunInputs { made, ..RunInputs::of(program) }
    }

    /// What a call gives to a program.
    pub(in crate::exec) fn of_call(arrays: InputArrays<'r>) -> RunInputs<'r> {
        RunInputs { given: GivenInputs::Called(arrays), made: &[] }
    }

    /// How many inputs the program has.
    fn count(&self) -> usize {
        match self.given {
            GivenInputs::Bound(inputs) => inputs.len(),
            GivenInputs::Called(InputArrays { places, .. }) => places.len(),
        }
    }

    /// The array of an input, if there is one.
    pub(in crate::exec) fn get(&self, input: u32) -> Option<&'r Array> {
        let input = input as usize;
        if input >= self.count() {
            return self.made.get(input - self.count())?.as_ref();
        }
        match self.given {
            GivenInputs::Bound(inputs) => inputs[input].value.as_ref(),
            GivenInputs::Called(InputArrays { arrays, places }) => Some(&arrays[places[input]?]),
        }
    }

    /// The arrays that the program was given.
    pub(in crate::exec) fn given(self) -> impl Iterator<Item = &'r Array> {
        (0..self.count()).filter_map(move |input| self.get(input as u32))
    }
}

/// Whether a ceiling lets a run have each of its buffers: what is computed before one that it may not have would be for
/// nothing.
pub(super) fn could_hold(plan: &Plan, meter: &Meter) -> Result<(), RunError> {
    plan.buffers.iter().try_for_each(|buffer| meter.could_hold(buffer.dtype, &buffer.sizes))
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
    pub(super) fn new(
        inputs: RunInputs<'r>,
        plan: &'r Plan,
        lent: &'r [(NodeId, &'r LentMemory<'r>)],
        meter: &'r mut Meter,
    ) -> RunMemory<'r> {
        let mut buffers = SmallVec::new();
        buffers.resize_with(plan.buffers.len(), || None);
        RunMemory { inputs, plan, meter, lent, buffers }
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
        Ok(RunMemory::new(inputs, plan, &[], meter))
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

    /// What the program gives. Nothing is left.
    pub(super) fn outputs(&mut self) -> Vec<Array> {
        let mut given = GivenBuffers::new(self.plan);
        (0..self.plan.outputs.len()).map(|output| self.output(output, &mut given)).collect()
    }

    /// What the program gives, but for the outputs that are `left` out.
    pub(super) fn outputs_but(&mut self, left: &[bool]) -> Vec<Option<Array>> {
        let mut given = GivenBuffers::new(self.plan);
        let outputs = (0..self.plan.outputs.len()).zip(left);
        outputs.map(|(output, left)| (!left).then(|| self.output(output, &mut given))).collect()
    }

    /// An output, after those before it.
    fn output(&mut self, index: usize, given: &mut GivenBuffers) -> Array {
        let plan = self.plan;
        let output = &plan.outputs[index];
        match output.storage {
            Storage::Input(input) => shown(self.input(input).clone(), output),
            Storage::Constant(constant) => shown(plan.constants[constant as usize].clone(), output),
            Storage::Buffer(buffer) => {
                let buffer = buffer as usize;
                let memory = match self.buffers[buffer].take() {
                    Some(bytes) => Arc::new(Buffer::Owned(bytes)),
                    None => given.0[buffer].take().expect("what is given has memory"),
                };
                if plan.outputs[index + 1..].iter().any(|later| later.storage == output.storage) {
                    given.0[buffer] = Some(memory.clone());
                }
                // From slices: their elements are copied, not cloned one by one.
                let (sizes, strides) = (Sizes::from_slice(&output.sizes), Strides::from_slice(&output.strides));
                Array::new(output.dtype, sizes, strides, output.offset as usize, memory)
            }
        }
    }
}

/// Buffers of which one output was given, and another will be.
struct GivenBuffers(SmallVec<[Option<Arc<Buffer>>; 2]>);

impl GivenBuffers {
    fn new(plan: &Plan) -> GivenBuffers {
        let mut given = SmallVec::new();
        given.resize_with(plan.buffers.len(), || None);
        GivenBuffers(given)
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
