//! Linear algebra by `faer`, one matrix at a time, on one thread.
//!
//! Each function gives one matrix with all that it found, as [`crate::ir::library`] says. A matrix that has a nan
//! somewhere has no factors, and neither has one with an infinity where they go by iteration: then everything is nan.

mod eigen;
mod element;
mod elimination;
mod exponential;

use crate::ir::library::MatrixFunction;
use crate::types::DType;
use eigen::eigen;
use element::{MatrixElement, flag, matrix, numbers, written};
use elimination::{determinant, inverse, solutions, triangles};
use exponential::exponential;
use faer::{Mat, MatRef, Side, c32, c64};

/// What a function finds in matrices with these bytes and sizes. The result has `bytes` bytes.
pub(super) fn decompose(
    factor: MatrixFunction,
    dtype: DType,
    args: &[Vec<u8>],
    axes: &[&[usize]],
    bytes: usize,
) -> Result<Vec<u8>, String> {
    match dtype {
        DType::F32 => of::<f32>(factor, args, axes, bytes),
        DType::C64 => of::<c32>(factor, args, axes, bytes),
        DType::C128 => of::<c64>(factor, args, axes, bytes),
        _ => of::<f64>(factor, args, axes, bytes),
    }
}

fn of<T: MatrixElement>(
    factor: MatrixFunction,
    args: &[Vec<u8>],
    axes: &[&[usize]],
    bytes: usize,
) -> Result<Vec<u8>, String> {
    let a = matrix::<T>(&args[0], axes[0]);
    let iterates = !matches!(
        factor,
        MatrixFunction::Solve
            | MatrixFunction::Inverse
            | MatrixFunction::Determinant
            | MatrixFunction::Lu
            | MatrixFunction::Cholesky
    );
    let is_bad = |x: &T| {
        let (re, im) = x.parts();
        if iterates { !re.is_finite() || !im.is_finite() } else { re.is_nan() || im.is_nan() }
    };
    let bad = (0..a.ncols()).any(|j| (0..a.nrows()).any(|i| is_bad(&a[(i, j)])));
    let known = if bad { None } else { packed(factor, a.as_ref(), args.get(1).zip(axes.get(1)), bytes) };
    let made = known.unwrap_or_else(|| unknown::<T>(factor, axes, bytes));
    if made.len() == bytes { Ok(made) } else { Err(format!("a library gave {} bytes for {bytes}", made.len())) }
}

/// What a function finds in a matrix. `None` where an iteration does not end.
fn packed<T: MatrixElement>(
    factor: MatrixFunction,
    a: MatRef<T>,
    right: Option<(&Vec<u8>, &&[usize])>,
    bytes: usize,
) -> Option<Vec<u8>> {
    let (m, n) = a.shape();
    Some(match factor {
        MatrixFunction::Solve => {
            let (right, sizes) = right?;
            solutions(a, matrix::<T>(right, sizes).as_ref())
        }
        MatrixFunction::Inverse => inverse(a),
        MatrixFunction::Determinant => determinant(a),
        MatrixFunction::Lu => triangles(a),
        MatrixFunction::Exponential => {
            let made = exponential(&a.to_owned());
            written(n, n, |i, j| made[(i, j)])
        }
        MatrixFunction::Cholesky => {
            let lower = Mat::from_fn(n, n, |i, j| if i == j { T::of(a[(i, i)].parts().0, 0.0) } else { a[(i, j)] });
            let made = lower.llt(Side::Lower).ok();
            let is_made = made.is_some();
            let zero = Mat::from_fn(n, n, |_, _| T::of(0.0, 0.0));
            let factor = made.as_ref().map_or(zero.as_ref(), |made| made.L());
            written(n + 1, n, |i, j| if i < n { factor[(i, j)] } else { flag(!is_made) })
        }
        MatrixFunction::Qr => {
            let columns = bytes / (m * T::SIZE) - n;
            let made = a.qr();
            let q = if columns == m { made.compute_Q() } else { made.compute_thin_Q() };
            let (r, rows) = (made.R(), made.R().nrows());
            written(m, columns + n, |i, j| match j.checked_sub(columns) {
                None => q[(i, j)],
                Some(j) if i <= j && i < rows => r[(i, j)],
                Some(_) => T::of(0.0, 0.0),
            })
        }
        MatrixFunction::ThinSvd | MatrixFunction::FullSvd => {
            let made = if factor == MatrixFunction::ThinSvd { a.thin_svd() } else { a.svd() }.ok()?;
            let (u, s, v) = (made.U(), made.S().column_vector(), made.V());
            let within = |of: MatRef<T>, i: usize, j: usize| if j < of.ncols() { of[(i, j)] } else { T::of(0.0, 0.0) };
            written(m + 1 + n, bytes / ((m + 1 + n) * T::SIZE), |i, j| match i.checked_sub(m) {
                None => within(u, i, j),
                Some(0) if j < s.nrows() => s[j],
                Some(0) => T::of(0.0, 0.0),
                Some(i) => T::conj_impl(&within(v, i - 1, j)),
            })
        }
        MatrixFunction::SingularValues => {
            let values = a.singular_values().ok()?;
            numbers::<T>(1, values.len(), |_, j| T::number(&values[j]))
        }
        MatrixFunction::HermitianEigen => {
            let made = a.self_adjoint_eigen(Side::Lower).ok()?;
            let (values, vectors) = (made.S().column_vector(), made.U());
            written(n + 1, n, |i, j| if i == 0 { values[j] } else { vectors[(i - 1, j)] })
        }
        MatrixFunction::HermitianEigenvalues => {
            let values = a.self_adjoint_eigenvalues(Side::Lower).ok()?;
            numbers::<T>(1, n, |_, j| T::number(&values[j]))
        }
        MatrixFunction::Eigen => eigen(a)?,
        MatrixFunction::Eigenvalues => {
            let values = a.eigenvalues().ok()?;
            let part = |j: usize| T::number(if j.is_multiple_of(2) { &values[j / 2].re } else { &values[j / 2].im });
            numbers::<T>(1, 2 * n, |_, j| part(j))
        }
    })
}

/// Nan everywhere; but a factor that there is none of is said in the last row.
fn unknown<T: MatrixElement>(factor: MatrixFunction, axes: &[&[usize]], bytes: usize) -> Vec<u8> {
    let last = match (factor, axes.last()) {
        (MatrixFunction::Solve | MatrixFunction::Inverse | MatrixFunction::Cholesky, Some([.., columns])) => {
            columns * T::SIZE
        }
        _ => 0,
    };
    let mut made = Vec::with_capacity(bytes);
    (0..(bytes - last) / T::PART).for_each(|_| T::write_part(f64::NAN, &mut made));
    (0..last / T::SIZE).for_each(|_| flag::<T>(factor == MatrixFunction::Cholesky).write(&mut made));
    made
}
