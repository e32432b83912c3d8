//! The meter of the memory of a run. Memory is sized with checked arithmetic, and refused before it is touched.
//!
//! A [`Meter`] counts the bytes that a run holds and compares them with the ceiling, so that a program that needs
//! more than it may have ends with two numbers instead of a dead machine.
#![expect(unsafe_code, reason = "memory of results is not filled before loops write to it")]

use super::options::RunError;
use crate::array::bytes::{AlignedBytes, OutOfMemory, trim_idle};
use crate::array::extent;
use crate::types::DType;

/// Counts the bytes a run holds.
#[derive(Debug)]
pub(crate) struct Meter {
    limit: Option<usize>,
    used: usize,
    /// The bytes of each block that it gave.
    #[cfg(test)]
    pub(crate) blocks: Vec<usize>,
}

impl Meter {
    pub(crate) fn new(limit: Option<usize>) -> Meter {
        Meter {
            limit,
            used: 0,
            #[cfg(test)]
            blocks: Vec::new(),
        }
    }

    /// Zeros for `shape` elements of `dtype`.
    pub(crate) fn zeroed(&mut self, dtype: DType, shape: &[usize]) -> Result<AlignedBytes, RunError> {
        self.reserve(dtype, shape, AlignedBytes::zeroed)
    }

    /// Bytes of any value for `shape` elements of `dtype`, for what writes all of them.
    pub(crate) fn any(&mut self, dtype: DType, shape: &[usize]) -> Result<AlignedBytes, RunError> {
        self.reserve(dtype, shape, AlignedBytes::any)
    }

    /// Bytes for `shape` elements of `dtype`.
    ///
    /// # Safety
    /// As for [`AlignedBytes::uninit`]: all of them are written before they are read.
    #[inline]
    pub(crate) unsafe fn uninit(&mut self, dtype: DType, shape: &[usize]) -> Result<AlignedBytes, RunError> {
        // SAFETY: the caller promises to write all of the bytes before they are read.
        self.reserve(dtype, shape, |bytes| unsafe { AlignedBytes::uninit(bytes) })
    }

    #[inline]
    fn reserve(
        &mut self,
        dtype: DType,
        shape: &[usize],
        allocate: impl FnOnce(usize) -> Result<AlignedBytes, OutOfMemory>,
    ) -> Result<AlignedBytes, RunError> {
        let refused = |needed| RunError::OutOfMemory { needed, limit: self.limit };
        let (_, bytes) = extent(shape, dtype.size()).ok_or(refused(None))?;
        let total = self.used.checked_add(bytes).ok_or(refused(None))?;
        if self.limit.is_some_and(|limit| total > limit) {
            return Err(refused(Some(total)));
        }
        if let Some(limit) = self.limit {
            // What is kept for the next result counts too.
            trim_idle(limit - self.used);
        }
        let memory = allocate(bytes).map_err(|_| refused(Some(total)))?;
        self.used = total;
        #[cfg(test)]
        self.blocks.push(bytes);
        Ok(memory)
    }

    /// Counts bytes that somebody takes for a while; [`Meter::give_back`] ends it.
    pub(crate) fn take(&mut self, bytes: usize) -> Result<(), RunError> {
        let total = self.used.checked_add(bytes);
        match total.filter(|&total| self.limit.is_none_or(|limit| total <= limit)) {
            Some(total) => {
                self.used = total;
                Ok(())
            }
            None => Err(RunError::OutOfMemory { needed: total, limit: self.limit }),
        }
    }

    /// Ends what [`Meter::take`] began.
    pub(crate) fn give_back(&mut self, bytes: usize) {
        self.used = self.used.saturating_sub(bytes);
    }

    /// Fails when an array of this size exceeds the ceiling by itself.
    pub(crate) fn could_hold(&self, dtype: DType, shape: &[usize]) -> Result<(), RunError> {
        match extent(shape, dtype.size()) {
            Some((_, bytes)) if self.limit.is_none_or(|limit| bytes <= limit) => Ok(()),
            needed => Err(RunError::OutOfMemory { needed: needed.map(|(_, bytes)| bytes), limit: self.limit }),
        }
    }

    /// The bytes that are held.
    pub(crate) fn held_bytes(&self) -> usize {
        self.used
    }

    /// Notes that `bytes` bytes are held, whatever was held before.
    pub(crate) fn hold(&mut self, bytes: usize) {
        self.used = bytes;
    }

    /// Notes that the memory of an array of this shape is gone.
    pub(crate) fn release(&mut self, dtype: DType, shape: &[usize]) {
        let bytes = extent(shape, dtype.size()).map_or(0, |(_, bytes)| bytes);
        self.used = self.used.saturating_sub(bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn b22_the_ceiling_is_for_what_is_held_at_once() {
        let mut meter = Meter::new(Some(1000));
        let bytes = meter.zeroed(DType::F64, &[100]).unwrap();
        let refused = meter.zeroed(DType::F64, &[26]).unwrap_err();
        assert_eq!(refused, RunError::OutOfMemory { needed: Some(1008), limit: Some(1000) });
        drop(bytes);
        meter.release(DType::F64, &[100]);
        assert!(meter.zeroed(DType::F64, &[26]).is_ok());
    }

    #[test]
    fn b01_sizes_that_overflow_are_refused() {
        let refused = Meter::new(None).zeroed(DType::F64, &[1 << 32, 1 << 32]).unwrap_err();
        assert_eq!(refused, RunError::OutOfMemory { needed: None, limit: None });
    }
}
