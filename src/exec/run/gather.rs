//! Reads elements by position.
#![expect(unsafe_code, reason = "elements are read from addresses that positions choose")]

use crate::exec::options::{RunError, Watch};
use crate::exec::plan::PositionReader;
use crate::exec::space::Odometer;
use crate::types::DType;

/// Bytes between two looks at the interrupt flag.
const POLL: usize = 4 << 20;

/// How many positions are read at once.
const BLOCK_POSITIONS: usize = 8;

/// Positions in memory.
#[derive(Clone, Copy)]
pub(super) struct Positions {
    pub(super) first: *const i64,
    pub(super) count: usize,
    /// What negative ones are counted from.
    pub(super) end: i64,
}

impl Positions {
    /// # Safety
    /// There is one with this number, which can be read, with any alignment.
    unsafe fn get(self, index: usize) -> i64 {
        // SAFETY: the caller promises a position with this number to read; no alignment is needed.
        from_end(unsafe { self.first.add(index).read_unaligned() }, self.end)
    }
}

/// A position, which is counted from the end where it is negative.
fn from_end(position: i64, end: i64) -> i64 {
    if position < 0 { position.wrapping_add(end) } else { position }
}

impl PositionReader {
    /// Reads the elements at some positions of the array at `table`. The first goes to the address `to` of the result,
    /// and each further one `stride` bytes behind the one before. `since` counts bytes since the interrupt flag was
    /// looked at.
    ///
    /// # Safety
    /// The positions can be read, whatever they are, also if somebody writes them meanwhile. The elements of the array
    /// at `table` can be read. The result has room for those that the positions name, and for the other axes.
    pub(super) unsafe fn read(
        &self,
        table: usize,
        positions: Positions,
        (to, stride): (usize, isize),
        since: &mut usize,
        watch: Watch,
    ) -> Result<(), RunError> {
        if self.is_empty {
            return Ok(());
        }
        let size = self.dtype.size();
        let mut odometer = Odometer::new(&self.dims, 2);
        loop {
            let from = table.wrapping_add_signed(odometer.offsets()[0]);
            let to = to.wrapping_add_signed(odometer.offsets()[1]);
            // SAFETY: the caller promises the positions, the elements of the axis, and room in the result; positions are
            // kept within the axis.
            unsafe {
                match self.dtype.size() {
                    _ if self.run > 1 || self.len == 0 || self.dtype == DType::Bool => {
                        self.read_runs(positions, from, (to, stride), since, watch)?;
                    }
                    1 => self.read_elements::<u8>(positions, from, (to, stride)),
                    2 => self.read_elements::<u16>(positions, from, (to, stride)),
                    4 => self.read_elements::<u32>(positions, from, (to, stride)),
                    8 => self.read_elements::<u64>(positions, from, (to, stride)),
                    _ => self.read_elements::<u128>(positions, from, (to, stride)),
                }
            }
            *since += positions.count * self.run * size;
            if *since >= POLL {
                watch.poll()?;
                *since = 0;
            }
            if !odometer.advance() {
                return Ok(());
            }
        }
    }

    /// The address of the element at a position, or at the nearest that exists.
    fn at(&self, from: usize, position: i64) -> *const u8 {
        let position = position.clamp(0, self.len as i64 - 1) as isize;
        from.wrapping_add_signed(position.wrapping_mul(self.stride)) as *const u8
    }

    /// # Safety
    /// As for [`PositionReader::read`]; the axis has elements of the size of `T`, and runs are one element.
    #[expect(clippy::needless_bitwise_bool, reason = "without a branch it becomes vector code")]
    unsafe fn read_elements<T: Copy>(&self, positions: Positions, from: usize, (to, stride): (usize, isize)) {
        let Positions { first, count, end } = positions;
        let size = size_of::<T>() as isize;
        if (self.stride, stride) == (size, size) {
            let (from, to) = (from as *const T, to as *mut T);
            let nearest = |position: i64| self.at(from as usize, from_end(position, end)).cast::<T>();
            let whole = count - count % BLOCK_POSITIONS;
            // SAFETY: the caller promises `count` positions that can be read, and room for an element of each. What is
            // read is an element of the axis, or the nearest that there is.
            unsafe {
                let put = |index: usize, element: *const T| to.add(index).write_unaligned(element.read_unaligned());
                for start in (0..whole).step_by(BLOCK_POSITIONS) {
                    // Read once: what somebody else writes there meanwhile is not what was asked about.
                    let block: [i64; BLOCK_POSITIONS] =
                        first.add(start).cast::<[i64; BLOCK_POSITIONS]>().read_unaligned();
                    // Most positions exist, and need not be brought nearer: that is asked of several at once.
                    let exist = block.iter().fold(true, |exist, &at| exist & ((at as u64) < self.len as u64));
                    let places = block.iter().zip(start..);
                    if exist {
                        places.for_each(|(&position, place)| put(place, from.wrapping_add(position as usize)));
                    } else {
                        places.for_each(|(&position, place)| put(place, nearest(position)));
                    }
                }
                for place in whole..count {
                    put(place, self.at(from as usize, positions.get(place)).cast::<T>());
                }
            }
            return;
        }
        for index in 0..count {
            let place = to.wrapping_add_signed(stride.wrapping_mul(index as isize)) as *mut T;
            // SAFETY: the caller promises this position, and room for its element; it is brought within the axis.
            unsafe { place.write_unaligned(self.at(from, positions.get(index)).cast::<T>().read_unaligned()) };
        }
    }

    /// # Safety
    /// As for [`PositionReader::read`].
    unsafe fn read_runs(
        &self,
        positions: Positions,
        from: usize,
        (to, stride): (usize, isize),
        since: &mut usize,
        watch: Watch,
    ) -> Result<(), RunError> {
        let bytes = self.run * self.dtype.size();
        for index in 0..positions.count {
            let place = to.wrapping_add_signed(stride.wrapping_mul(index as isize)) as *mut u8;
            for start in (0..bytes).step_by(POLL) {
                let len = POLL.min(bytes - start);
                // SAFETY: part of a run that can be read, and for which there is room.
                unsafe {
                    let place = place.add(start);
                    if self.len == 0 {
                        place.write_bytes(0, len);
                        continue;
                    }
                    let element = self.at(from, positions.get(index)).add(start);
                    if self.dtype == DType::Bool {
                        // A truth value from outside may be any byte.
                        (0..len).for_each(|at| place.add(at).write(u8::from(element.add(at).read() != 0)));
                    } else {
                        std::ptr::copy_nonoverlapping(element, place, len);
                    }
                }
                if bytes > POLL {
                    watch.poll()?;
                    *since = 0;
                }
            }
        }
        Ok(())
    }
}
