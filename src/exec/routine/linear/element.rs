//! Elements of matrices, with their bytes row by row.

use faer::Mat;
use faer::complex::Complex;
use faer::traits::{ComplexField, RealField};
use std::ops::{Div, Mul, Sub};

/// A float that elements are, or that the parts of complex ones are.
pub(super) trait MatrixFloat: RealField + Copy + Into<f64> {
    fn of_bytes(bytes: &[u8]) -> Self;
    fn write_bytes(self, bytes: &mut Vec<u8>);
    /// The nearest to a number.
    fn nearest(number: f64) -> Self;
}

impl MatrixFloat for f32 {
    fn of_bytes(bytes: &[u8]) -> f32 {
        f32::from_le_bytes(bytes.try_into().expect("the bytes of one float"))
    }

    fn write_bytes(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn nearest(number: f64) -> f32 {
        number as f32
    }
}

impl MatrixFloat for f64 {
    fn of_bytes(bytes: &[u8]) -> f64 {
        f64::from_le_bytes(bytes.try_into().expect("the bytes of one float"))
    }

    fn write_bytes(self, bytes: &mut Vec<u8>) {
        bytes.extend_from_slice(&self.to_le_bytes());
    }

    fn nearest(number: f64) -> f64 {
        number
    }
}

/// What matrices are made of: floats, or pairs of them.
pub(super) trait MatrixElement:
    ComplexField<Real: MatrixFloat> + Copy + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const SIZE: usize = size_of::<Self>();
    /// The size of a part.
    const PART: usize = size_of::<Self::Real>();
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut Vec<u8>);
    /// The real and the imaginary part.
    fn parts(self) -> (f64, f64);
    /// An element of parts; a real one leaves the second out.
    fn of(re: f64, im: f64) -> Self;

    /// A part as a number.
    fn number(part: &Self::Real) -> f64 {
        (*part).into()
    }

    /// Writes a number as the part that it was.
    fn write_part(part: f64, bytes: &mut Vec<u8>) {
        Self::Real::nearest(part).write_bytes(bytes);
    }
}

impl<F: MatrixFloat> MatrixElement for F {
    fn read(bytes: &[u8]) -> F {
        F::of_bytes(bytes)
    }

    fn write(self, bytes: &mut Vec<u8>) {
        self.write_bytes(bytes);
    }

    fn parts(self) -> (f64, f64) {
        (self.into(), 0.0)
    }

    fn of(re: f64, _: f64) -> F {
        F::nearest(re)
    }
}

impl<F: MatrixFloat> MatrixElement for Complex<F>
where
    Complex<F>: ComplexField<Real = F>,
{
    fn read(bytes: &[u8]) -> Complex<F> {
        let (re, im) = bytes.split_at(size_of::<F>());
        Complex { re: F::of_bytes(re), im: F::of_bytes(im) }
    }

    fn write(self, bytes: &mut Vec<u8>) {
        self.re.write_bytes(bytes);
        self.im.write_bytes(bytes);
    }

    fn parts(self) -> (f64, f64) {
        (self.re.into(), self.im.into())
    }

    fn of(re: f64, im: f64) -> Complex<F> {
        Complex { re: F::nearest(re), im: F::nearest(im) }
    }
}

/// The distance from 1 to the next number.
pub(super) fn eps<T: MatrixElement>() -> f64 {
    if T::PART == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

pub(super) fn flag<T: MatrixElement>(is: bool) -> T {
    T::of(f64::from(u8::from(is)), 0.0)
}

/// The matrix whose rows are these bytes.
pub(super) fn matrix<T: MatrixElement>(bytes: &[u8], sizes: &[usize]) -> Mat<T> {
    let columns = sizes[1];
    Mat::from_fn(sizes[0], columns, |i, j| T::read(&bytes[(i * columns + j) * T::SIZE..][..T::SIZE]))
}

/// The bytes of a matrix, row by row.
pub(super) fn written<T: MatrixElement>(rows: usize, columns: usize, element: impl Fn(usize, usize) -> T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows * columns * T::SIZE);
    (0..rows).for_each(|i| (0..columns).for_each(|j| element(i, j).write(&mut bytes)));
    bytes
}

/// The bytes of a matrix of real numbers, row by row. Each number has the size of a part of an element.
pub(super) fn numbers<T: MatrixElement>(rows: usize, columns: usize, number: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows * columns * T::PART);
    (0..rows).for_each(|i| (0..columns).for_each(|j| T::write_part(number(i, j), &mut bytes)));
    bytes
}
