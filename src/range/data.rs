//! The values of arrays that are there. The least and the greatest integer are looked for, where looking costs nothing
//! to speak of.

use super::Interval;
use crate::array::{Array, Buffer};
use crate::with_element;

/// The most elements of a mapped file that are read only to find their range.
const MAX_MAPPED_ELEMENTS: usize = 1 << 16;
/// The most elements of an array that was made in memory, as a column of text is, that are read to find their range.
const MAX_MEMORY_ELEMENTS: usize = 1 << 24;

/// The interval of an array of integers, if it is not too large to ask.
pub fn values(array: &Array) -> Option<Interval> {
    let most = if matches!(**array.buffer(), Buffer::Mapped(..)) { MAX_MAPPED_ELEMENTS } else { MAX_MEMORY_ELEMENTS };
    if array.is_empty() || array.len() > most {
        return None;
    }
    let bytes = array.contiguous_bytes()?;
    with_element!(array.dtype(), T in integers => {
        let (chunks, _) = bytes.as_chunks::<{ size_of::<T>() }>();
        let all = chunks.iter().map(|&bytes| T::from_le_bytes(bytes));
        let (low, high) = all.fold((T::MAX, T::MIN), |(low, high), x| (low.min(x), high.max(x)));
        Interval::Integer { low: low.into(), high: high.into() }
    })
}
