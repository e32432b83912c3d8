//! A kernel's loops over addresses.

use super::gather::Reader;
use super::laid::{Laid, Last};
use super::loops::{Loops, Use};
use crate::array::bytes::AlignedBytes;
use crate::array::{Array, Sizes, c_strides};
use crate::exec::memory::Meter;
use crate::exec::options::{Options, RunError, Watch};
use crate::exec::space::PerOperand;
use crate::exec::stepping::Operand;
use crate::kernel::{Body, Inst, InstOp, Value};
use smallvec::smallvec;
use std::ops::Deref;

/// A kernel's loops with the address of each operand.
pub(super) struct Bound<'b> {
    pub(super) loops: &'b Loops,
    pub(super) addresses: PerOperand<usize>,
    pub(super) readers: &'b [Reader],
}

impl Deref for Bound<'_> {
    type Target = Loops;

    fn deref(&self) -> &Loops {
        self.loops
    }
}

/// Elements copied into C order.
pub(super) fn copied(array: &Array, meter: &mut Meter, options: &Options) -> Result<AlignedBytes, RunError> {
    // SAFETY: the loop writes every element; when it fails, the memory is dropped unread.
    let mut bytes = unsafe { meter.uninit(array.dtype(), array.shape())? };
    let strides = c_strides(array.shape(), array.dtype().size());
    copy_to(array, bytes.as_mut_ptr() as usize, &strides, options)?;
    Ok(bytes)
}

/// Copies elements to an address and strides where there is room for them.
pub(super) fn copy_to(array: &Array, to: usize, strides: &[isize], options: &Options) -> Result<(), RunError> {
    let (dtype, sizes) = (array.dtype(), array.shape());
    let loops = Loops {
        body: Body { insts: vec![Inst { op: InstOp::Load(0), dtype }] },
        dtypes: smallvec![dtype; 2],
        counts: smallvec![false; 2],
        strides: smallvec![array.strides().into(), strides.into()],
        outputs: smallvec![(Value(0), Use::Store)],
        space: Sizes::from_slice(sizes),
        kept: sizes.len(),
        short: false,
        is_last: false,
    };
    if loops.is_empty() {
        return Ok(());
    }
    let kept = Last::default().kept(loops, None, options);
    let addresses = smallvec![array.pointer() as usize, to];
    Bound { loops: &kept.loops, addresses, readers: &[] }.run(&kept.laid, options)
}

impl Bound<'_> {
    /// Runs them as they are laid out.
    pub(super) fn run(&self, laid: &Laid, options: &Options) -> Result<(), RunError> {
        match laid {
            Laid::Map(layout) => self.run_map(layout, options),
            Laid::Rows(layout) => self.run_rows(layout, options),
            Laid::Columns(layout) => self.run_columns(layout, options),
        }
    }

    /// Places the operands at some distance from their beginning, moving as an inner loop [moves](Loops::moves) them.
    pub(super) fn place(&self, operands: &mut PerOperand<Operand>, offsets: &[&[isize]], moves: &[isize]) {
        operands.clear();
        for (operand, (&address, &stride)) in self.addresses.iter().zip(moves).enumerate() {
            let distance = offsets.iter().fold(0isize, |sum, offsets| sum.wrapping_add(offsets[operand]));
            operands.push(Operand { address: address.wrapping_add_signed(distance), stride });
        }
    }

    /// Scratch for `count` elements of each of some operands.
    pub(super) fn scratch(
        &self,
        operands: impl Iterator<Item = usize>,
        count: usize,
        watch: Watch,
    ) -> Result<Vec<AlignedBytes>, RunError> {
        let bytes = operands.map(|operand| AlignedBytes::zeroed(count * self.dtypes[operand].size()));
        bytes.collect::<Result<_, _>>().map_err(|_| watch.refused())
    }
}
