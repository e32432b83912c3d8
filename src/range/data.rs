//! The values of arrays that are there: the least and the greatest integer, where looking costs nothing to speak of.

use super::Interval;
use crate::array::{Array, Buffer};
use crate::types::{DType, Kind};

/// The most elements of a mapped file that are read only to find their range.
const SMALL: usize = 1 << 16;
/// The most elements of an array that was made in memory, as a column of text is, that are read to find their range.
const LARGE: usize = 1 << 24;

/// The interval of an array of integers, if it is not too large to ask.
pub fn values(array: &Array) -> Option<Interval> {
    let most = if matches!(**array.buffer(), Buffer::Mapped(..)) { SMALL } else { LARGE };
    if array.is_empty() || array.len() > most {
        return None;
    }
    let bytes = array.contiguous_bytes()?;
    match array.dtype().kind() {
        Kind::Unsigned | Kind::Signed => {}
        Kind::Bool | Kind::Float | Kind::Complex => return None,
    }
    macro_rules! ends {
        ($($dtype:ident: $native:ty),*) => {
            match array.dtype() {
                $(DType::$dtype => {
                    let (chunks, _) = bytes.as_chunks::<{ size_of::<$native>() }>();
                    let all = chunks.iter().map(|&bytes| <$native>::from_le_bytes(bytes));
                    let (low, high) = all.fold((<$native>::MAX, <$native>::MIN), |(low, high), x| (low.min(x), high.max(x)));
                    (i128::from(low), i128::from(high))
                })*
                _ => return None,
            }
        };
    }
    let (low, high) = ends!(U8: u8, U16: u16, U32: u32, U64: u64, I8: i8, I16: i16, I32: i32, I64: i64);
    Some(Interval::Integer { low, high })
}
