//! Arrays: a dtype, a shape, strides, and bytes that are owned or mapped from a file.
//!
//! An array is a value: its bytes never change once it is shared. Cloning shares the bytes. Strides are in bytes
//! and may be 0 or negative.
//!
//! ```
//! use arrlang::array::Array;
//! let a = Array::from_elements(&[2, 3], &[1i32, 2, 3, 4, 5, 6]);
//! assert_eq!((a.shape(), a.strides()), (&[2, 3][..], &[12, 4][..]));
//! ```

pub mod bits;
pub mod bytes;
pub mod calendar;
mod columns;
mod digits;
mod foreign;
pub mod json;
pub mod logical;
pub mod mapping;
pub mod random;
pub mod show;

use crate::scalar::Scalar;
use crate::types::dtype::{DType, Element};
use bytes::{AlignedBytes, OutOfMemory};
pub use foreign::{Foreign, NotThere};
use logical::Logical;
use mapping::Mapping;
use smallvec::{SmallVec, smallvec};
use std::sync::Arc;

/// The length of each axis of an array; of few axes without memory of its own.
pub type Sizes = SmallVec<[usize; 4]>;

/// The distance in bytes between neighbours along each axis; of few axes without memory of its own.
pub type Strides = SmallVec<[isize; 4]>;

/// Largest rank of an array.
pub const MAX_RANK: usize = 32;

/// Most elements of an array.
pub const MAX_ELEMENTS: usize = 1 << 48;

/// Where elements live.
pub enum Buffer {
    /// Memory of our own, aligned to 64 bytes.
    Owned(AlignedBytes),
    /// Memory that something else keeps and nobody writes: a file, mapped read-only.
    Mapped(Box<dyn Mapping>),
    /// Memory of somebody else, who may write to it.
    Foreign(Foreign),
}

impl std::fmt::Debug for Buffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Buffer::Owned(bytes) => f.debug_tuple("Owned").field(bytes).finish(),
            Buffer::Mapped(file) => write!(f, "Mapped({} bytes)", file.len()),
            Buffer::Foreign(memory) => f.debug_tuple("Foreign").field(memory).finish(),
        }
    }
}

impl Buffer {
    /// The bytes, unless somebody else may write to them: those are read one element at a time.
    pub fn bytes(&self) -> Option<&[u8]> {
        match self {
            Buffer::Owned(bytes) => Some(bytes.as_slice()),
            Buffer::Mapped(mapping) => Some(mapping.bytes()),
            Buffer::Foreign(_) => None,
        }
    }

    /// How many bytes there are.
    pub fn len(&self) -> usize {
        match self {
            Buffer::Owned(bytes) => bytes.as_slice().len(),
            Buffer::Mapped(mapping) => mapping.len(),
            Buffer::Foreign(foreign) => foreign.len(),
        }
    }

    /// Whether there are no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The address of the first byte.
    #[inline]
    fn first(&self) -> *const u8 {
        match self {
            Buffer::Owned(bytes) => bytes.as_slice().as_ptr(),
            Buffer::Mapped(mapping) => {
                assert!(mapping.is_mapped(), "what is read through windows has no addresses");
                mapping.bytes().as_ptr()
            }
            Buffer::Foreign(foreign) => foreign.first(),
        }
    }

    /// Copies the bytes that begin at `at`.
    ///
    /// # Panics
    /// When there are not as many.
    pub(crate) fn read(&self, at: usize, to: &mut [u8]) {
        match self {
            Buffer::Owned(bytes) => to.copy_from_slice(&bytes.as_slice()[at..][..to.len()]),
            Buffer::Mapped(mapping) => to.copy_from_slice(&mapping.bytes()[at..][..to.len()]),
            Buffer::Foreign(foreign) => foreign.read(at, to),
        }
    }
}

/// A dtype, a shape, strides and the bytes they look at.
pub struct Array {
    dtype: DType,
    shape: Sizes,
    strides: Strides,
    offset: usize,
    buffer: Arc<Buffer>,
    /// What the integers stand for.
    logical: Option<Arc<Logical>>,
}

/// Strides, in bytes, of elements of `size` bytes in C order.
pub fn c_strides(shape: &[usize], size: usize) -> Strides {
    let mut strides: Strides = smallvec![0; shape.len()];
    let mut step = size as isize;
    for (axis, &len) in shape.iter().enumerate().rev() {
        strides[axis] = step;
        step = step.wrapping_mul(len.max(1) as isize);
    }
    strides
}

/// Whether elements of `size` bytes with these strides lie one after the other in C order.
pub fn is_dense(shape: &[usize], strides: &[isize], size: usize) -> bool {
    let dense = c_strides(shape, size);
    shape.contains(&0) || (0..shape.len()).all(|axis| shape[axis] == 1 || strides[axis] == dense[axis])
}

/// The number of elements of a shape and of bytes at `size` each; `None` when it has more than [`MAX_ELEMENTS`].
#[inline]
pub fn extent(shape: &[usize], size: usize) -> Option<(usize, usize)> {
    // The nonzero lengths must not overflow either: strides are computed from them.
    let nonzero = shape.iter().filter(|&&len| len > 0).try_fold(1usize, |count, &len| count.checked_mul(len))?;
    if nonzero > MAX_ELEMENTS {
        return None;
    }
    let count = if shape.contains(&0) { 0 } else { nonzero };
    Some((count, count * size))
}

impl Array {
    /// An array over part of a buffer.
    ///
    /// # Panics
    /// When an element would lie outside the buffer: callers check what files say before they come here.
    pub fn new(
        dtype: DType,
        shape: impl Into<Sizes>,
        strides: impl Into<Strides>,
        offset: usize,
        buffer: Arc<Buffer>,
    ) -> Array {
        let (shape, strides) = (shape.into(), strides.into());
        assert_eq!(shape.len(), strides.len(), "a stride for each axis");
        if shape.iter().all(|&len| len > 0) {
            let (mut low, mut high) = (offset as i128, offset as i128 + dtype.size() as i128);
            for (&len, &stride) in shape.iter().zip(&strides) {
                let reach = (len as i128 - 1) * stride as i128;
                if reach < 0 { low += reach } else { high += reach }
            }
            assert!(low >= 0 && high <= buffer.len() as i128, "every element lies in the buffer");
        }
        Array { dtype, shape, strides, offset, buffer, logical: None }
    }

    /// An array of its own bytes in C order.
    ///
    /// # Panics
    /// When `bytes` is too short for the shape.
    pub fn from_bytes(dtype: DType, shape: impl Into<Sizes>, bytes: AlignedBytes) -> Array {
        let shape = shape.into();
        let strides = c_strides(&shape, dtype.size());
        let needed = extent(&shape, dtype.size()).map(|(_, needed)| needed);
        assert!(needed.is_some_and(|needed| needed <= bytes.as_slice().len()), "every element lies in the bytes");
        Array { dtype, shape, strides, offset: 0, buffer: Arc::new(Buffer::Owned(bytes)), logical: None }
    }

    /// An array of zeros.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn zeros(dtype: DType, shape: &[usize]) -> Result<Array, OutOfMemory> {
        let (_, bytes) = extent(shape, dtype.size()).ok_or(OutOfMemory { bytes: usize::MAX })?;
        Ok(Array::from_bytes(dtype, shape, AlignedBytes::zeroed(bytes)?))
    }

    /// An array with these elements in C order.
    ///
    /// # Panics
    /// When their number is not that of the shape.
    pub fn from_elements<T: Element>(shape: &[usize], elements: &[T]) -> Array {
        assert_eq!(elements.len(), shape.iter().product::<usize>(), "as many elements as the shape has");
        let scalars = elements.iter().map(|&element| Scalar::of(element));
        Array::from_scalars(T::DTYPE, shape, scalars)
    }

    /// An array with these scalars in C order, each of dtype `dtype`.
    ///
    /// # Panics
    /// When their number is not that of the shape.
    pub fn from_scalars(dtype: DType, shape: &[usize], scalars: impl IntoIterator<Item = Scalar>) -> Array {
        let size = dtype.size();
        let count: usize = shape.iter().product();
        let mut bytes = AlignedBytes::zeroed(count * size).expect("small arrays fit in memory");
        let mut written = 0;
        for (place, scalar) in bytes.as_mut_slice().chunks_exact_mut(size).zip(scalars) {
            place.copy_from_slice(&scalar.bits.to_le_bytes()[..size]);
            written += 1;
        }
        assert_eq!(written, count, "as many elements as the shape has");
        Array::from_bytes(dtype, shape, bytes)
    }

    /// A scalar as an array of rank 0.
    pub fn from_scalar(scalar: Scalar) -> Array {
        Array::from_scalars(scalar.dtype, &[], [scalar])
    }

    /// The dtype.
    #[inline]
    pub fn dtype(&self) -> DType {
        self.dtype
    }

    /// The length of each axis.
    #[inline]
    pub fn shape(&self) -> &[usize] {
        &self.shape
    }

    /// The distance in bytes between neighbours along each axis.
    #[inline]
    pub fn strides(&self) -> &[isize] {
        &self.strides
    }

    /// The number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.shape.contains(&0)
    }

    /// The buffer, to share it with a view.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// Where in the buffer the first element lies.
    pub fn offset(&self) -> usize {
        self.offset
    }

    /// The address of the element with index 0 everywhere. Meaningless for an empty array.
    #[inline]
    pub fn pointer(&self) -> *const u8 {
        self.buffer.first().wrapping_add(self.offset)
    }

    /// Whether elements lie one after the other in C order.
    pub fn is_contiguous(&self) -> bool {
        is_dense(&self.shape, &self.strides, self.dtype.size())
    }

    /// The bytes of the elements, if they lie one after the other in C order and nobody writes to them.
    pub fn contiguous_bytes(&self) -> Option<&[u8]> {
        if self.is_empty() {
            return Some(&[]);
        }
        let bytes = self.buffer.bytes().filter(|_| self.is_contiguous())?;
        Some(&bytes[self.offset..][..self.len() * self.dtype.size()])
    }

    /// The element at logical C-order position `flat`.
    ///
    /// # Panics
    /// When `flat` is not below [`Array::len`].
    pub fn get(&self, flat: usize) -> Scalar {
        assert!(flat < self.len(), "an element of the array");
        let mut distance = 0;
        let mut rest = flat;
        for (&len, &stride) in self.shape.iter().zip(&self.strides).rev() {
            distance += (rest % len) as isize * stride;
            rest /= len;
        }
        self.element_at(distance)
    }

    /// The element that begins `distance` bytes behind the first.
    ///
    /// # Panics
    /// When it lies outside the buffer.
    pub(crate) fn element_at(&self, distance: isize) -> Scalar {
        let mut word = [0; 16];
        let (at, size) = (self.offset.wrapping_add_signed(distance), self.dtype.size());
        self.buffer.read(at, &mut word[..size]);
        let bits = u128::from_le_bytes(word);
        // A `bool` in a foreign file may be any byte; it is true when it is not 0.
        let bits = if self.dtype == DType::Bool { u128::from(bits != 0) } else { bits };
        Scalar { dtype: self.dtype, bits }
    }

    /// The elements in logical C order.
    pub fn scalars(&self) -> impl Iterator<Item = Scalar> + '_ {
        (0..self.len()).map(|flat| self.get(flat))
    }

    /// The elements in logical C order, as the Rust type of the dtype.
    ///
    /// # Panics
    /// When `T` is the type of another dtype.
    pub fn to_vec<T: Element>(&self) -> Vec<T> {
        assert_eq!(T::DTYPE, self.dtype, "the type of this dtype");
        self.scalars().map(|scalar| T::from_bits(scalar.bits)).collect()
    }

    /// The same elements under other strides over the same buffer.
    ///
    /// # Panics
    /// When an element would lie outside the buffer.
    #[must_use]
    pub fn view(&self, shape: impl Into<Sizes>, strides: impl Into<Strides>, offset: usize) -> Array {
        Array::new(self.dtype, shape, strides, offset, self.buffer.clone())
    }

    /// The bytes, if they are nobody else's and hold these elements in C order and nothing before them.
    ///
    /// # Errors
    /// The array, when that is not so.
    pub fn into_bytes(self) -> Result<AlignedBytes, Array> {
        if self.offset != 0 || self.strides != c_strides(&self.shape, self.dtype.size()) {
            return Err(self);
        }
        let Array { dtype, shape, strides, offset, buffer, logical } = self;
        let whole = |buffer| Array { dtype, shape, strides, offset, buffer, logical };
        match Arc::try_unwrap(buffer) {
            Ok(Buffer::Owned(bytes)) => Ok(bytes),
            Ok(other) => Err(whole(Arc::new(other))),
            Err(shared) => Err(whole(shared)),
        }
    }

    /// The same elements repeated to a larger shape with strides of 0.
    ///
    /// # Panics
    /// When the shapes do not broadcast.
    #[must_use]
    pub fn broadcast_to(&self, shape: &[usize]) -> Array {
        let missing = shape.len() - self.shape.len();
        let strides = (0..shape.len()).map(|axis| match axis.checked_sub(missing) {
            Some(own) if self.shape[own] == shape[axis] => self.strides[own],
            Some(own) => {
                assert_eq!(self.shape[own], 1, "only a length of 1 repeats");
                0
            }
            None => 0,
        });
        self.view(shape, strides.collect::<Strides>(), self.offset)
    }

    /// The same elements in a buffer of their own, in C order; the array itself if it is that already.
    ///
    /// # Errors
    /// When there is no memory.
    pub fn to_contiguous(&self) -> Result<Array, OutOfMemory> {
        if self.is_contiguous() {
            return Ok(self.clone());
        }
        let size = self.dtype.size();
        let mut bytes = AlignedBytes::zeroed(self.len() * size)?;
        for (place, scalar) in bytes.as_mut_slice().chunks_exact_mut(size).zip(self.scalars()) {
            place.copy_from_slice(&scalar.bits.to_le_bytes()[..size]);
        }
        Ok(Array::from_bytes(self.dtype, self.shape.clone(), bytes))
    }
}

impl Clone for Array {
    fn clone(&self) -> Array {
        let Array { dtype, shape, strides, offset, buffer, logical } = self;
        // From slices: their elements are copied, not cloned one by one.
        let (shape, strides) = (Sizes::from_slice(shape), Strides::from_slice(strides));
        Array { dtype: *dtype, shape, strides, offset: *offset, buffer: buffer.clone(), logical: logical.clone() }
    }
}

/// Equal dtype, shape and bits, where all NaNs of a dtype count as one.
impl PartialEq for Array {
    fn eq(&self, other: &Array) -> bool {
        self.dtype == other.dtype
            && self.shape == other.shape
            && self.scalars().zip(other.scalars()).all(|(a, b)| a.same(b))
    }
}

impl std::fmt::Debug for Array {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let some: Vec<Scalar> = self.scalars().take(64).collect();
        write!(f, "{}{:?} {:?}", self.dtype, self.shape, some)
    }
}

impl Scalar {
    /// The scalar with this value.
    pub fn of<T: Element>(value: T) -> Scalar {
        Scalar { dtype: T::DTYPE, bits: value.to_bits() }
    }

    /// Whether the bits are equal, counting all NaNs of a dtype as one.
    pub fn same(self, other: Scalar) -> bool {
        self.dtype == other.dtype && (self.bits == other.bits || self.canonical() == other.canonical())
    }

    /// The bits with every NaN (in either part) replaced by one.
    fn canonical(self) -> u128 {
        fn part(bits: u128, dtype: DType) -> u128 {
            if dtype.is_float() && digits::value(bits, dtype).is_nan() {
                u128::MAX >> (128 - dtype.bits())
            } else {
                bits
            }
        }
        let piece = self.dtype.part();
        if piece == self.dtype {
            return part(self.bits, piece);
        }
        let width = piece.bits();
        let low = self.bits & (u128::MAX >> (128 - width));
        part(low, piece) | part(self.bits >> width, piece) << width
    }

    /// The zero of a dtype.
    pub fn zero(dtype: DType) -> Scalar {
        Scalar { dtype, bits: 0 }
    }

    /// The one of a dtype.
    pub fn one(dtype: DType) -> Scalar {
        Scalar { dtype, ..Scalar::of_f64(dtype.part(), 1.0) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transposed_view_reads_in_its_own_order() {
        let a = Array::from_elements(&[2, 3], &[1i32, 2, 3, 4, 5, 6]);
        let t = a.view(vec![3, 2], vec![4, 12], 0);
        assert_eq!(t.to_vec::<i32>(), [1, 4, 2, 5, 3, 6]);
        assert_eq!(t.to_contiguous().unwrap().strides(), [8, 4]);
    }

    #[test]
    fn sizes_that_overflow_are_refused() {
        assert_eq!(extent(&[1 << 40, 1 << 40], 8), None);
        assert_eq!(extent(&[0, 1 << 62], 8), None);
        assert_eq!(extent(&[0, 5], 8), Some((0, 0)));
    }
}
