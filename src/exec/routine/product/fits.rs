//! The check that elements of an integer product fit their dtype: sums that are exact, whatever their size.
//!
//! A product of two integers of 64 bits has 128. Its halves are added apart, so a sum of them is exact.
#![expect(unsafe_code, reason = "an element is read from an address with strides")]

use super::{Matrix, ProductExtent};
use crate::exec::options::{RunError, Watch};
use crate::exec::routine::each;
use crate::scalar::Scalar;
use crate::types::DType;

/// An exact sum of products: `high * 2^64 + low`.
#[derive(Clone, Copy, Default)]
struct ExactSum {
    high: i128,
    low: u128,
}

impl ExactSum {
    fn add(&mut self, x: i128, y: i128) {
        // Two numbers of 64 bits without a sign may have a product of 128 bits, with one at most one of 127.
        let (high, low) = match i64::try_from(x).is_ok() && i64::try_from(y).is_ok() {
            true => ((x * y) >> 64, (x * y) as u64),
            false => {
                let product = x.unsigned_abs() * y.unsigned_abs();
                ((product >> 64) as i128, product as u64)
            }
        };
        self.high += high;
        self.low += u128::from(low);
    }

    /// Whether it is between two numbers of 64 bits.
    fn within(self, (least, most): (i128, i128)) -> bool {
        let high = self.high + (self.low >> 64) as i128;
        let total = high << 64 | (self.low & u128::from(u64::MAX)) as i128;
        matches!(high, 0 | -1) && (least..=most).contains(&total)
    }
}

/// Where the product of two matrices in C order fits.
pub(in crate::exec::routine) fn fits_meaning(left: &[Scalar], right: &[Scalar], extent: ProductExtent) -> Vec<Scalar> {
    let ProductExtent { rows, products, columns } = extent;
    let mut found = Vec::with_capacity(rows * columns);
    for row in 0..rows {
        for column in 0..columns {
            let mut sum = ExactSum::default();
            (0..products)
                .for_each(|at| sum.add(left[row * products + at].to_i128(), right[at * columns + column].to_i128()));
            let fits = left.first().and_then(|x| x.dtype.integer_range()).is_none_or(|range| sum.within(range));
            found.push(Scalar { dtype: DType::Bool, bits: fits.into() });
        }
    }
    found
}

/// Where the product of two matrices fits, the fast way: rows are shared by threads.
pub(in crate::exec::routine) fn fits(
    dtype: DType,
    (left, right): (Matrix, Matrix),
    extent: ProductExtent,
    out: &mut [u8],
    threads: usize,
    watch: Watch,
) -> Result<(), RunError> {
    let ProductExtent { products, columns, .. } = extent;
    let (size, range) = (dtype.size(), dtype.integer_range().unwrap_or_default());
    let read = |matrix: Matrix, row: usize, column: usize| {
        let (at, mut bytes) = (matrix.from(row, column).first, [0; 16]);
        // SAFETY: the matrix has an element there, of `size` bytes.
        unsafe { std::ptr::copy_nonoverlapping(at, bytes.as_mut_ptr(), size) };
        Scalar { dtype, bits: u128::from_le_bytes(bytes) }.to_i128()
    };
    if columns == 0 {
        return Ok(());
    }
    let rows = out.chunks_exact_mut(columns).enumerate().collect();
    each(rows, threads, watch, |(row, out): (usize, &mut [u8])| {
        let mut sums = vec![ExactSum::default(); columns];
        for at in 0..products {
            watch.poll()?;
            let x = read(left, row, at);
            for (column, sum) in sums.iter_mut().enumerate() {
                sum.add(x, read(right, at, column));
            }
        }
        out.iter_mut().zip(sums).for_each(|(place, sum)| *place = sum.within(range).into());
        Ok(())
    })
}
