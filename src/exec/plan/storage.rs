//! The places of an array's elements, before there is memory: views of it are arithmetic.
//!
//! A view needs no step of a plan, unless it is a reshape whose elements no strides show: [`StoredArray::reshape`] says
//! so.

use crate::array::{Sizes, Strides, c_strides};
use crate::ir::Slice;
use crate::types::DType;
use smallvec::smallvec;

/// What holds elements.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Storage {
    /// An input of the program, from its first element on.
    Input(u32),
    /// A buffer of the plan.
    Buffer(u32),
    /// A constant of the plan.
    Constant(u32),
}

/// An array that lies in some storage.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct StoredArray {
    pub(crate) storage: Storage,
    pub(crate) dtype: DType,
    pub(crate) sizes: Sizes,
    /// The strides, in bytes.
    pub(crate) strides: Strides,
    /// The bytes from where the storage begins to the element with index 0 everywhere.
    pub(crate) offset: isize,
}

impl StoredArray {
    /// All of a storage, in C order.
    pub(crate) fn whole(storage: Storage, dtype: DType, sizes: Sizes) -> StoredArray {
        let strides = c_strides(&sizes, dtype.size());
        StoredArray { storage, dtype, sizes, strides, offset: 0 }
    }

    /// Whether it is all of its storage, in C order.
    pub(crate) fn is_whole(&self) -> bool {
        self.offset == 0 && self.strides == c_strides(&self.sizes, self.dtype.size())
    }

    /// Whether there are no elements.
    pub(crate) fn is_empty(&self) -> bool {
        self.sizes.contains(&0)
    }

    /// The same elements, repeated by the broadcasting rule.
    pub(crate) fn broadcast(self, sizes: Sizes) -> StoredArray {
        let missing = sizes.len() - self.sizes.len();
        let stride = |axis: usize| match axis.checked_sub(missing) {
            Some(own) if self.sizes[own] == sizes[axis] => self.strides[own],
            _ => 0,
        };
        let strides = (0..sizes.len()).map(stride).collect();
        StoredArray { sizes, strides, ..self }
    }

    /// Axis `i` is axis `order[i]` of this one.
    pub(super) fn transpose(self, order: &[u32], sizes: Sizes) -> StoredArray {
        let strides = order.iter().map(|&from| self.strides[from as usize]).collect();
        StoredArray { sizes, strides, ..self }
    }

    /// Some elements of each axis.
    pub(super) fn slice(self, region: &[Slice], sizes: Sizes) -> StoredArray {
        let mut offset = self.offset;
        let mut strides = Strides::new();
        for (slice, stride) in region.iter().zip(&self.strides) {
            strides.push(stride.wrapping_mul(slice.step as isize));
            if !sizes.contains(&0) {
                let first = slice.position(0).expect("regions were checked");
                offset = offset.wrapping_add(first.wrapping_mul(*stride));
            }
        }
        StoredArray { sizes, strides, offset, ..self }
    }

    /// All windows along an axis: one element further in a window is one further along the axis too.
    pub(super) fn windows(self, axis: u32, sizes: Sizes) -> StoredArray {
        let mut strides = self.strides;
        strides.push(strides[axis as usize]);
        StoredArray { sizes, strides, ..self }
    }

    /// The elements in logical C order under other sizes; `None` when no strides show them.
    ///
    /// Axes longer than 1 are matched in groups of equal products; within a group the array must be one run of equal
    /// steps.
    pub(super) fn reshape(&self, sizes: &[usize]) -> Option<StoredArray> {
        let strides = self.strides_under(sizes)?;
        Some(StoredArray { sizes: sizes.into(), strides, ..self.clone() })
    }

    fn strides_under(&self, sizes: &[usize]) -> Option<Strides> {
        if self.is_empty() {
            return Some(c_strides(sizes, self.dtype.size()));
        }
        let own = self.sizes.iter().copied().zip(self.strides.iter().copied());
        let old: Vec<(usize, isize)> = own.filter(|(len, _)| *len != 1).collect();
        let mut strides: Strides = smallvec![0; sizes.len()];
        let (mut from, mut to) = (0, 0);
        while from < old.len() {
            let (mut have, first) = (old[from].0, from);
            from += 1;
            while to < sizes.len() && sizes[to] == 1 {
                to += 1;
            }
            let begin = to;
            let mut want = *sizes.get(to)?;
            to += 1;
            while have != want {
                if have < want {
                    have = have.checked_mul(old.get(from)?.0)?;
                    from += 1;
                } else {
                    want = want.checked_mul(*sizes.get(to)?)?;
                    to += 1;
                }
            }
            let run = old[first..from].windows(2).all(|pair| pair[0].1 == pair[1].1.wrapping_mul(pair[1].0 as isize));
            if !run {
                return None;
            }
            let mut step = old[from - 1].1;
            for axis in (begin..to).rev() {
                strides[axis] = step;
                step = step.wrapping_mul(sizes[axis] as isize);
            }
        }
        Some(strides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(sizes: &[usize]) -> StoredArray {
        StoredArray::whole(Storage::Input(0), DType::U8, sizes.into())
    }

    #[test]
    fn a_reshape_is_a_view_where_strides_allow() {
        let strides = |array: &StoredArray, sizes: &[usize]| array.reshape(sizes).map(|seen| seen.strides);
        let array = bytes(&[4, 6]);
        assert_eq!(strides(&array, &[2, 2, 1, 6]), Some(smallvec![12, 6, 0, 1]));
        assert_eq!(strides(&array, &[24]), Some(smallvec![1]));
        let turned = array.transpose(&[1, 0], smallvec![6, 4]);
        assert_eq!(strides(&turned, &[24]), None);
        assert_eq!(strides(&turned, &[2, 3, 4]), Some(smallvec![3, 1, 6]));
        assert_eq!(strides(&turned, &[6, 1, 2, 2]), Some(smallvec![1, 0, 12, 6]));
    }

    #[test]
    fn a_slice_begins_at_its_first_element() {
        let back = Slice { start: crate::types::Dim::Const(5), step: -2 };
        let some = bytes(&[4, 6]).slice(&[Slice::all(), back], smallvec![4, 3]);
        assert_eq!((some.offset, &some.strides[..]), (5, &[6, -2][..]));
        assert_eq!(some.broadcast(smallvec![2, 4, 3]).strides[..], [0, 6, -2]);
    }
}
