//! Elements of matrices, and their bytes row by row.

use faer::traits::ComplexField;
use faer::{Mat, c32, c64};
use std::ops::{Div, Mul, Sub};

/// What matrices are made of.
pub(super) trait MatrixElement:
    ComplexField + Copy + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self>
{
    const SIZE: usize;
    /// The size of a part.
    const PART: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut Vec<u8>);
    /// The real and the imaginary part.
    fn parts(self) -> (f64, f64);
    /// An element of parts; a real one leaves the second out.
    fn of(re: f64, im: f64) -> Self;
    /// A part as a number, and a number as a part, which is what it was.
    fn number(part: &Self::Real) -> f64;
    fn write_part(part: f64, bytes: &mut Vec<u8>);
}

macro_rules! real {
    ($float:ty) => {
        impl MatrixElement for $float {
            const SIZE: usize = size_of::<$float>();
            const PART: usize = size_of::<$float>();

            fn read(bytes: &[u8]) -> $float {
                <$float>::from_le_bytes(bytes.try_into().expect("the bytes of one float"))
            }

            fn write(self, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&self.to_le_bytes());
            }

            fn parts(self) -> (f64, f64) {
                (f64::from(self), 0.0)
            }

            fn of(re: f64, _: f64) -> $float {
                re as $float
            }

            fn number(part: &$float) -> f64 {
                f64::from(*part)
            }

            fn write_part(part: f64, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&(part as $float).to_le_bytes());
            }
        }
    };
}
real!(f32);
real!(f64);

macro_rules! complex {
    ($complex:ty, $float:ty) => {
        impl MatrixElement for $complex {
            const SIZE: usize = 2 * size_of::<$float>();
            const PART: usize = size_of::<$float>();

            fn read(bytes: &[u8]) -> $complex {
                let (re, im) = bytes.split_at(size_of::<$float>());
                <$complex>::new(<$float as MatrixElement>::read(re), <$float as MatrixElement>::read(im))
            }

            fn write(self, bytes: &mut Vec<u8>) {
                MatrixElement::write(self.re, bytes);
                MatrixElement::write(self.im, bytes);
            }

            fn parts(self) -> (f64, f64) {
                (f64::from(self.re), f64::from(self.im))
            }

            fn of(re: f64, im: f64) -> $complex {
                <$complex>::new(re as $float, im as $float)
            }

            fn number(part: &$float) -> f64 {
                f64::from(*part)
            }

            fn write_part(part: f64, bytes: &mut Vec<u8>) {
                bytes.extend_from_slice(&(part as $float).to_le_bytes());
            }
        }
    };
}
complex!(c32, f32);
complex!(c64, f64);

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
