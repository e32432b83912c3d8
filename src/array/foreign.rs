//! Elements in memory of somebody else: an array of another library, which is read where it lies.
//!
//! Whoever gave the memory may write to it meanwhile, so no slice of it is ever taken: elements are read through
//! pointers. An owner keeps the memory for as long as an array looks at it. What outlives a call is
//! [copied](Array::is_foreign) first: a value never changes.
//!
//! ```
//! use arrlang::array::Array;
//! use arrlang::types::DType;
//! use std::sync::Arc;
//! let rows: Arc<Vec<f32>> = Arc::new(vec![1.0, 2.0, 3.0, 4.0]);
//! // SAFETY: the vector has four elements, and the array holds it.
//! let backwards = unsafe {
//!     Array::foreign(DType::F32, &[4], &[-4], rows[3..].as_ptr().cast(), Box::new(rows.clone()))
//! };
//! assert_eq!(backwards.unwrap().to_vec::<f32>(), [4.0, 3.0, 2.0, 1.0]);
//! ```
#![expect(unsafe_code, reason = "memory of somebody else has no lifetime, and is read through pointers")]

use super::{Array, Buffer, MAX_RANK, Sizes, Strides, extent};
use crate::types::DType;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Memory of somebody else, with what keeps it.
#[derive(Debug)]
pub struct Foreign {
    first: *const u8,
    len: usize,
    _owner: Box<dyn Any + Send + Sync>,
}

// SAFETY: the memory is only read, and whoever made the array has promised that it may be from any thread.
unsafe impl Send for Foreign {}
// SAFETY: the memory is only read, and whoever made the array has promised that it may be from any thread.
unsafe impl Sync for Foreign {}

impl Foreign {
    /// The address of the first byte.
    pub(super) fn first(&self) -> *const u8 {
        self.first
    }

    /// How many bytes there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Copies the bytes that begin at `at`.
    pub(super) fn read(&self, at: usize, to: &mut [u8]) {
        assert!(at.checked_add(to.len()).is_some_and(|end| end <= self.len), "bytes of the memory");
        // SAFETY: within the memory, which the owner keeps; what is written meanwhile is read as it is, old or new.
        unsafe { std::ptr::copy_nonoverlapping(self.first.add(at), to.as_mut_ptr(), to.len()) };
    }
}

/// Such an array cannot be: it has too many axes or elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotThere;

impl fmt::Display for NotThere {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "an array has at most {MAX_RANK} axes and 2^48 elements")
    }
}

impl std::error::Error for NotThere {}

impl Array {
    /// An array over memory of somebody else. `first` is the address of the element with index 0 everywhere; strides
    /// are in bytes, and elements may have any alignment.
    ///
    /// # Errors
    /// When it has more axes or elements than an array may have.
    ///
    /// # Safety
    /// Until `owner` is dropped every element can be read, from any thread. What is written to the memory while a
    /// program reads it is read old or new.
    pub unsafe fn foreign(
        dtype: DType,
        shape: &[usize],
        strides: &[isize],
        first: *const u8,
        owner: Box<dyn Any + Send + Sync>,
    ) -> Result<Array, NotThere> {
        if shape.len() > MAX_RANK || shape.len() != strides.len() || extent(shape, dtype.size()).is_none() {
            return Err(NotThere);
        }
        let (mut low, mut high) = (0isize, 0isize);
        if !shape.contains(&0) {
            high = dtype.size() as isize;
            for (&len, &stride) in shape.iter().zip(strides) {
                let reach = (len as isize - 1).checked_mul(stride).ok_or(NotThere)?;
                let end = if reach < 0 { &mut low } else { &mut high };
                *end = end.checked_add(reach).ok_or(NotThere)?;
            }
        }
        let len = high.checked_sub(low).ok_or(NotThere)? as usize;
        let memory = Foreign { first: first.wrapping_offset(low), len, _owner: owner };
        let (shape, strides) = (Sizes::from_slice(shape), Strides::from_slice(strides));
        Ok(Array {
            dtype,
            shape,
            strides,
            offset: low.unsigned_abs(),
            buffer: Arc::new(Buffer::Foreign(memory)),
            logical: None,
        })
    }

    /// An array of the same dtype and shape that stands for any: its only element is a zero that is of no meaning, and
    /// nothing that asks for the bytes of a whole array is told.
    pub(crate) fn unreadable(&self) -> Array {
        static ZERO: [u8; 16] = [0; 16];
        let memory = Foreign { first: ZERO.as_ptr(), len: ZERO.len(), _owner: Box::new(()) };
        let strides = self.shape.iter().map(|_| 0).collect();
        let buffer = Arc::new(Buffer::Foreign(memory));
        Array {
            dtype: self.dtype,
            shape: self.shape.clone(),
            strides,
            offset: 0,
            buffer,
            logical: self.logical.clone(),
        }
    }

    /// Whether the elements lie in memory of somebody else, who may write to it.
    pub fn is_foreign(&self) -> bool {
        match &*self.buffer {
            Buffer::Foreign(_) => true,
            Buffer::Owned(bytes) => bytes.is_lent(),
            Buffer::Mapped(_) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_read_where_they_lie_until_the_last_array_lets_go() {
        let memory: Arc<Vec<u8>> = Arc::new((0..64).collect());
        // SAFETY: elements at 8, 7 … and 1 more of each row, all within the vector.
        let array = unsafe {
            Array::foreign(DType::I16, &[2, 3], &[-6, 2], memory.as_ptr().wrapping_add(7), Box::new(memory.clone()))
        };
        let array = array.unwrap();
        let at = |index: usize| i16::from_le_bytes([memory[index], memory[index + 1]]);
        assert_eq!(array.to_vec::<i16>(), [at(7), at(9), at(11), at(1), at(3), at(5)]);
        assert!(array.is_foreign() && array.contiguous_bytes().is_none());
        let view = array.view(vec![2], vec![2], array.offset());
        drop(array);
        assert_eq!(Arc::strong_count(&memory), 2);
        drop(view);
        assert_eq!(Arc::strong_count(&memory), 1);
    }

    #[test]
    fn what_no_memory_holds_is_refused() {
        let foreign = |shape: &[usize], strides: &[isize]| {
            // SAFETY: refused before anything is read.
            unsafe { Array::foreign(DType::F64, shape, strides, std::ptr::dangling(), Box::new(())) }
        };
        assert_eq!(foreign(&[1 << 40, 1 << 40], &[0, 0]).unwrap_err(), NotThere);
        assert_eq!(foreign(&[1; 33], &[0; 33]).unwrap_err(), NotThere);
        assert_eq!(foreign(&[1 << 30, 1 << 10], &[isize::MAX, 8]).unwrap_err(), NotThere);
        assert!(foreign(&[0, 3], &[8, 8]).unwrap().is_empty());
    }
}
