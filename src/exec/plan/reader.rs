//! An array read by position along one axis, walked along the others.

use super::storage::{Storage, StoredArray};
use crate::exec::space::{LoopDim, coalesce};
use crate::types::DType;
use smallvec::smallvec;

/// An array that is read by position, and how its elements go to the result.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct PositionReader {
    /// Where the element with index 0 everywhere is.
    pub(crate) storage: Storage,
    pub(crate) offset: isize,
    /// The length and the stride of the axis.
    pub(crate) len: usize,
    pub(crate) stride: isize,
    /// The other axes: operands are the array, then the result.
    pub(crate) dims: Vec<LoopDim>,
    /// How many elements lie one after the other both in the array and in the result.
    pub(crate) run: usize,
    pub(crate) dtype: DType,
    /// Whether there is nothing to read.
    pub(crate) is_empty: bool,
}

impl PositionReader {
    /// A reader of an array along `axis`, into a result with these strides. The axes of `space` take the place of that
    /// axis.
    pub(super) fn new(array: &StoredArray, axis: usize, result: &[isize], space: &[usize]) -> PositionReader {
        let size = array.dtype.size();
        let others = (0..array.sizes.len()).filter(|&other| other != axis).map(|other| {
            let there = if other < axis { other } else { other + space.len() - 1 };
            LoopDim { len: array.sizes[other], strides: smallvec![array.strides[other], result[there]] }
        });
        let others: Vec<LoopDim> = others.collect();
        let is_empty = others.iter().any(|dim| dim.len == 0);
        let mut dims = coalesce(others);
        let dense = |dim: &mut LoopDim| dim.strides[..] == [size as isize; 2];
        let run = dims.pop_if(dense).map_or(1, |dim| dim.len);
        PositionReader {
            storage: array.storage,
            offset: array.offset,
            len: array.sizes[axis],
            stride: array.strides[axis],
            dims,
            run,
            dtype: array.dtype,
            is_empty,
        }
    }

    /// How many bytes are read for a position.
    pub(super) fn bytes(&self) -> usize {
        self.dims.iter().map(|dim| dim.len).product::<usize>() * self.run * self.dtype.size()
    }
}
