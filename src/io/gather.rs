//! The elements of any array in C order, a piece at a time.
//!
//! A contiguous array is one piece. Any other is copied through a small buffer, so writing a transposed view of
//! a large file needs no second copy of it.

use crate::array::Array;
use std::io;

/// Bytes that are gathered before they are handed on.
const PIECE: usize = 64 * 1024;

/// Hands the bytes of all elements, in C order, to `each`.
///
/// # Errors
/// The first error of `each`, which ends the walk.
pub(super) fn each_chunk(array: &Array, mut each: impl FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    if let Some(bytes) = array.contiguous_bytes() {
        return if bytes.is_empty() { Ok(()) } else { each(bytes) };
    }
    match array.dtype().size() {
        1 => strided::<1>(array, &mut each),
        2 => strided::<2>(array, &mut each),
        4 => strided::<4>(array, &mut each),
        8 => strided::<8>(array, &mut each),
        _ => strided::<16>(array, &mut each),
    }
}

/// Walks the outer axes like an odometer and the innermost one in a loop.
fn strided<const SIZE: usize>(array: &Array, each: &mut dyn FnMut(&[u8]) -> io::Result<()>) -> io::Result<()> {
    let (outer_shape, inner) = array.shape().split_at(array.shape().len() - 1);
    let (outer_strides, step) = array.strides().split_at(outer_shape.len());
    let buffer = array.buffer();
    let mut element = [0; SIZE];
    let mut index = vec![0usize; outer_shape.len()];
    let mut start = array.offset() as isize;
    let mut piece = Vec::with_capacity(PIECE + SIZE);
    loop {
        let mut at = start;
        for _ in 0..inner[0] {
            buffer.read(at as usize, &mut element);
            piece.extend_from_slice(&element);
            at += step[0];
            if piece.len() >= PIECE {
                each(&piece)?;
                piece.clear();
            }
        }
        // The next row: the last outer axis that is not at its end goes on, those behind it begin again.
        let mut axis = index.len();
        loop {
            let Some(previous) = axis.checked_sub(1) else {
                return if piece.is_empty() { Ok(()) } else { each(&piece) };
            };
            axis = previous;
            index[axis] += 1;
            start += outer_strides[axis];
            if index[axis] < outer_shape[axis] {
                break;
            }
            start -= outer_strides[axis] * outer_shape[axis] as isize;
            index[axis] = 0;
        }
    }
}
