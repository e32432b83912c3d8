//! Reads elements by position.

use crate::array::Array;
use crate::exec::space::{Dim, Odometer, coalesce};
use crate::exec::{Options, RunError};
use crate::types::DType;

/// Bytes between two looks at the interrupt flag.
const POLL: usize = 4 << 20;

/// An array that is read along an axis, and how its other axes are walked.
#[derive(Debug)]
pub(super) struct Reader {
    /// The element with index 0 everywhere.
    address: usize,
    /// The length and the stride of the axis.
    len: usize,
    stride: isize,
    /// The other axes: operands are the array, then the result.
    dims: Vec<Dim>,
    /// Elements of the result that lie one after the other in both, and their size.
    run: usize,
    dtype: DType,
    empty: bool,
}

impl Reader {
    /// Of an array along `axis`, into a result with these strides; the axes of `space` take the place of the axis.
    pub(super) fn new(array: &Array, axis: usize, result: &[isize], space: &[usize]) -> Reader {
        let size = array.dtype().size();
        let others = (0..array.shape().len()).filter(|&other| other != axis).map(|other| {
            let there = if other < axis { other } else { other + space.len() - 1 };
            Dim { len: array.shape()[other], strides: vec![array.strides()[other], result[there]] }
        });
        let others: Vec<Dim> = others.collect();
        let empty = others.iter().any(|dim| dim.len == 0);
        let mut dims = coalesce(others);
        let dense = |dim: &mut Dim| dim.strides == [size as isize; 2];
        let run = dims.pop_if(dense).map_or(1, |dim| dim.len);
        Reader {
            address: array.pointer() as usize,
            len: array.shape()[axis],
            stride: array.strides()[axis],
            dims,
            run,
            dtype: array.dtype(),
            empty,
        }
    }

    /// Reads at `count` positions, `stride` bytes apart in the result from `to` on. `since` counts bytes since the
    /// interrupt flag was looked at.
    ///
    /// # Safety
    /// The positions can be read; the result has room for what they name, and for the other axes.
    pub(super) unsafe fn read(
        &self,
        positions: *const i64,
        count: usize,
        to: usize,
        stride: isize,
        since: &mut usize,
        options: &Options,
    ) -> Result<(), RunError> {
        if self.empty {
            return Ok(());
        }
        let size = self.dtype.size();
        let mut odometer = Odometer::new(&self.dims, 2);
        loop {
            let from = self.address.wrapping_add_signed(odometer.offsets()[0]);
            let to = to.wrapping_add_signed(odometer.offsets()[1]);
            for index in 0..count {
                // SAFETY: the caller's promise.
                let position = unsafe { positions.add(index).read() };
                let place = to.wrapping_add_signed(stride.wrapping_mul(index as isize)) as *mut u8;
                let last = self.len.saturating_sub(1) as i64;
                let at = position.clamp(0, last) as isize;
                let element = from.wrapping_add_signed(at.wrapping_mul(self.stride)) as *const u8;
                // SAFETY: the position was clamped, so the run lies in the array; there is room for it in the result.
                unsafe {
                    match self.len {
                        0 => place.write_bytes(0, self.run * size),
                        _ if self.run == 1 => copy_one(self.dtype, element, place),
                        _ => self.copy_run(element, place, since, options)?,
                    }
                }
            }
            *since += count * self.run * size;
            if *since >= POLL {
                options.poll()?;
                *since = 0;
            }
            if !odometer.advance() {
                return Ok(());
            }
        }
    }

    /// # Safety
    /// A run can be read, and written.
    unsafe fn copy_run(
        &self,
        from: *const u8,
        to: *mut u8,
        since: &mut usize,
        options: &Options,
    ) -> Result<(), RunError> {
        let bytes = self.run * self.dtype.size();
        for start in (0..bytes).step_by(POLL) {
            let len = POLL.min(bytes - start);
            // SAFETY: part of the run.
            unsafe {
                let (from, to) = (from.add(start), to.add(start));
                match self.dtype {
                    // A truth value from outside may be any byte.
                    DType::Bool => (0..len).for_each(|at| to.add(at).write(u8::from(from.add(at).read() != 0))),
                    _ => std::ptr::copy_nonoverlapping(from, to, len),
                }
            }
            if bytes > POLL {
                options.poll()?;
                *since = 0;
            }
        }
        Ok(())
    }
}

/// # Safety
/// An element can be read, and written.
unsafe fn copy_one(dtype: DType, from: *const u8, to: *mut u8) {
    // SAFETY: the caller's promise.
    unsafe {
        match dtype.size() {
            1 if dtype == DType::Bool => to.write(u8::from(from.read() != 0)),
            1 => to.write(from.read()),
            2 => to.cast::<u16>().write_unaligned(from.cast::<u16>().read_unaligned()),
            4 => to.cast::<u32>().write_unaligned(from.cast::<u32>().read_unaligned()),
            8 => to.cast::<u64>().write_unaligned(from.cast::<u64>().read_unaligned()),
            _ => to.cast::<u128>().write_unaligned(from.cast::<u128>().read_unaligned()),
        }
    }
}
