//! Linear algebra by `faer`, one matrix at a time, on one thread.
//!
//! Each function gives one matrix with all that it found, as [`crate::ir::library`] says. A matrix that has a nan somewhere
//! has no factors, and neither has one with an infinity where they go by iteration: then everything is nan.

use crate::ir::library::Factor;
use crate::types::DType;
use faer::complex::Complex;
use faer::linalg::solvers::{DenseSolveCore, PartialPivLu, Solve};
use faer::traits::ComplexField;
use faer::{Mat, MatRef, Side, c32, c64};

/// What matrices are made of.
trait MatrixElement: ComplexField + Copy {
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

/// What a function finds in matrices with these bytes and sizes, as so many bytes.
pub(super) fn found(
    factor: Factor,
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

fn of<T: MatrixElement>(factor: Factor, args: &[Vec<u8>], axes: &[&[usize]], bytes: usize) -> Result<Vec<u8>, String> {
    let a = matrix::<T>(&args[0], axes[0]);
    let iterates = !matches!(factor, Factor::Solve | Factor::Inverse | Factor::Determinant | Factor::Cholesky);
    let is_bad = |x: &T| {
        let (re, im) = x.parts();
        if iterates { !re.is_finite() || !im.is_finite() } else { re.is_nan() || im.is_nan() }
    };
    let bad = (0..a.ncols()).any(|j| (0..a.nrows()).any(|i| is_bad(&a[(i, j)])));
    let known = if bad { None } else { packed(factor, a.as_ref(), args.get(1).zip(axes.get(1)), bytes) };
    let made = known.unwrap_or_else(|| unknown::<T>(factor, axes, bytes));
    if made.len() == bytes { Ok(made) } else { Err(format!("a library gave {} bytes for {bytes}", made.len())) }
}

/// What it finds; nothing where an iteration does not end.
fn packed<T: MatrixElement>(
    factor: Factor,
    a: MatRef<T>,
    right: Option<(&Vec<u8>, &&[usize])>,
    bytes: usize,
) -> Option<Vec<u8>> {
    let (m, n) = a.shape();
    Some(match factor {
        Factor::Solve => {
            let (right, sizes) = right?;
            solved(a, |lu| lu.solve(matrix::<T>(right, sizes)), sizes[1])
        }
        Factor::Inverse => solved(a, PartialPivLu::inverse, n),
        Factor::Determinant => determinant(a),
        Factor::Cholesky => {
            let lower = Mat::from_fn(n, n, |i, j| if i == j { T::of(a[(i, i)].parts().0, 0.0) } else { a[(i, j)] });
            let made = lower.llt(Side::Lower).ok();
            let is_made = made.is_some();
            let zero = Mat::from_fn(n, n, |_, _| T::of(0.0, 0.0));
            let factor = made.as_ref().map_or(zero.as_ref(), |made| made.L());
            written(n + 1, n, |i, j| if i < n { factor[(i, j)] } else { flag(!is_made) })
        }
        Factor::Qr => {
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
        Factor::ThinSvd | Factor::FullSvd => {
            let made = if factor == Factor::ThinSvd { a.thin_svd() } else { a.svd() }.ok()?;
            let (u, s, v) = (made.U(), made.S().column_vector(), made.V());
            let within = |of: MatRef<T>, i: usize, j: usize| if j < of.ncols() { of[(i, j)] } else { T::of(0.0, 0.0) };
            written(m + 1 + n, bytes / ((m + 1 + n) * T::SIZE), |i, j| match i.checked_sub(m) {
                None => within(u, i, j),
                Some(0) if j < s.nrows() => s[j],
                Some(0) => T::of(0.0, 0.0),
                Some(i) => T::conj_impl(&within(v, i - 1, j)),
            })
        }
        Factor::SingularValues => {
            let values = a.singular_values().ok()?;
            numbers::<T>(1, values.len(), |_, j| T::number(&values[j]))
        }
        Factor::HermitianEigen => {
            let made = a.self_adjoint_eigen(Side::Lower).ok()?;
            let (values, vectors) = (made.S().column_vector(), made.U());
            written(n + 1, n, |i, j| if i == 0 { values[j] } else { vectors[(i - 1, j)] })
        }
        Factor::HermitianEigenvalues => {
            let values = a.self_adjoint_eigenvalues(Side::Lower).ok()?;
            numbers::<T>(1, n, |_, j| T::number(&values[j]))
        }
        Factor::Eigen => eigen(a)?,
        Factor::Eigenvalues => {
            let values = a.eigenvalues().ok()?;
            let part = |j: usize| T::number(if j.is_multiple_of(2) { &values[j / 2].re } else { &values[j / 2].im });
            numbers::<T>(1, 2 * n, |_, j| part(j))
        }
    })
}

/// Nan everywhere; but a factor that there is none of is said in the last row.
fn unknown<T: MatrixElement>(factor: Factor, axes: &[&[usize]], bytes: usize) -> Vec<u8> {
    let last = match (factor, axes.last()) {
        (Factor::Solve | Factor::Inverse | Factor::Cholesky, Some([.., columns])) => columns * T::SIZE,
        _ => 0,
    };
    let mut made = Vec::with_capacity(bytes);
    (0..(bytes - last) / T::PART).for_each(|_| T::write_part(f64::NAN, &mut made));
    (0..last / T::SIZE).for_each(|_| flag::<T>(factor == Factor::Cholesky).write(&mut made));
    made
}

/// Solutions by rows and columns that are exchanged, and whether there are none.
fn solved<T: MatrixElement>(a: MatRef<T>, solve: impl Fn(&PartialPivLu<T>) -> Mat<T>, columns: usize) -> Vec<u8> {
    let n = a.nrows();
    let factors = a.partial_piv_lu();
    let singular = (0..n).any(|i| factors.U()[(i, i)].parts() == (0.0, 0.0));
    let made = if singular || n == 0 { Mat::from_fn(n, columns, |_, _| T::of(0.0, 0.0)) } else { solve(&factors) };
    written(n + 1, columns, |i, j| if i < n { made[(i, j)] } else { flag(singular) })
}

/// The product of the pivots, which may leave the range on the way; its sign; the logarithm of its magnitude.
fn determinant<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
    let n = a.nrows();
    let factors = a.partial_piv_lu();
    let mut product = (if is_odd(factors.P().arrays().0) { -1.0 } else { 1.0 }, 0.0f64);
    let (mut sign, mut log, mut exponent) = (product, 0.0, 0i32);
    let times = |x: (f64, f64), y: (f64, f64)| match (x.1, y.1) {
        (0.0, 0.0) => (x.0 * y.0, 0.0),
        _ => (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0),
    };
    for i in 0..n {
        let pivot = factors.U()[(i, i)].parts();
        if pivot == (0.0, 0.0) {
            // What is eliminated after a pivot of 0 means nothing.
            (product, sign, log, exponent) = (pivot, (0.0, 0.0), f64::NEG_INFINITY, 0);
            break;
        }
        let size = pivot.0.hypot(pivot.1);
        log += size.ln();
        sign = times(sign, (pivot.0 / size, pivot.1 / size));
        product = times(product, pivot);
        let most = product.0.abs().max(product.1.abs());
        if most.is_finite() && most > 0.0 && !(1e-100..1e100).contains(&most) {
            let power = most.log2() as i32;
            product = (scaled(product.0, -power), scaled(product.1, -power));
            exponent += power;
        }
    }
    let size = sign.0.hypot(sign.1);
    if size > 0.0 && sign.1 != 0.0 {
        sign = (sign.0 / size, sign.1 / size);
    }
    let product = (scaled(product.0, exponent), scaled(product.1, exponent));
    written(1, 3, |_, j| {
        let (re, im) = [product, sign, (log, 0.0)][j];
        T::of(re, im)
    })
}

/// Times a power of two.
fn scaled(mut x: f64, mut power: i32) -> f64 {
    while power != 0 {
        let step = power.clamp(-1000, 1000);
        x *= 2f64.powi(step);
        power -= step;
    }
    x
}

/// Whether a permutation is an odd number of exchanges.
fn is_odd(places: &[usize]) -> bool {
    let mut seen = vec![false; places.len()];
    let mut odd = false;
    for start in 0..places.len() {
        let (mut at, mut length) = (start, 0);
        while !seen[at] {
            seen[at] = true;
            (at, length) = (places[at], length + 1);
        }
        odd ^= length > 0 && length % 2 == 0;
    }
    odd
}

/// Eigenvalues, and below them eigenvectors of length 1 whose largest element is real.
fn eigen<T: MatrixElement>(a: MatRef<T>) -> Option<Vec<u8>> {
    let n = a.nrows();
    let made = a.eigen().ok()?;
    let part = |z: &Complex<T::Real>| c64::new(T::number(&z.re), T::number(&z.im));
    let values: Vec<c64> = made.S().column_vector().iter().map(part).collect();
    let wide = Mat::from_fn(n, n, |i, j| {
        let (re, im) = a[(i, j)].parts();
        c64::new(re, im)
    });
    let mut vectors: Vec<Vec<c64>> = Vec::with_capacity(n);
    for j in 0..n {
        let twin = vectors.last().filter(|_| T::IS_REAL && are_twins(values[j - 1], values[j]));
        vectors.push(match twin {
            Some(twin) => twin.iter().map(|z| z.conj()).collect(),
            None => close(wide.as_ref(), values[j], made.U().col(j).iter().map(part).collect(), eps::<T>()),
        });
    }
    Some(numbers::<T>(n + 1, 2 * n, |i, j| {
        let z = i.checked_sub(1).map_or(values[j / 2], |i| vectors[j / 2][i]);
        if j.is_multiple_of(2) { z.re } else { z.im }
    }))
}

/// Whether the second of two eigenvalues is the mirror of the first.
fn are_twins(one: c64, other: c64) -> bool {
    other.im < 0.0 && one == other.conj()
}

/// The eigenvector that is meant. The library divides by differences of eigenvalues, which may be next to nothing where many
/// lie close together: what is far from an eigenvector then is found by inverse iteration.
fn close(a: MatRef<c64>, value: c64, start: Vec<c64>, eps: f64) -> Vec<c64> {
    let n = a.nrows();
    let most = 50.0 * n as f64 * eps * a.norm_l2();
    let is_finite = |v: &[c64]| v.iter().all(|z| z.re.is_finite() && z.im.is_finite());
    let start = turned(start);
    let even = || turned((0..n).map(|i| c64::new(1.0, 1.0 / (i + 1) as f64)).collect());
    let mut best = if is_finite(&start) { start } else { even() };
    let mut far = distance(a, value, &best);
    for step in 0..4 {
        if far <= most {
            break;
        }
        let near = value + most * f64::from(step) / 50.0;
        let shifted = Mat::from_fn(n, n, |i, j| if i == j { a[(i, i)] - near } else { a[(i, j)] });
        let right = Mat::from_fn(n, 1, |i, _| best[i]);
        let found = turned(shifted.partial_piv_lu().solve(right).col(0).iter().copied().collect());
        let now = distance(a, value, &found);
        if is_finite(&found) && now < far {
            (best, far) = (found, now);
        }
    }
    best
}

/// How far a @ v is from value * v.
fn distance(a: MatRef<c64>, value: c64, v: &[c64]) -> f64 {
    let rows = (0..v.len()).map(|i| {
        let product = (0..v.len()).fold(c64::new(0.0, 0.0), |sum, j| sum + a[(i, j)] * v[j]);
        product - value * v[i]
    });
    rows.fold(0.0, |length: f64, z| length.hypot(z.re.hypot(z.im)))
}

/// A vector made one of length 1 whose largest element is real.
fn turned(mut v: Vec<c64>) -> Vec<c64> {
    let size = |z: &c64| z.re.hypot(z.im);
    let length = v.iter().fold(0.0, |length: f64, z| length.hypot(size(z)));
    let largest = v.iter().fold(c64::new(0.0, 0.0), |most, z| if size(z) > size(&most) { *z } else { most });
    let turn = if largest.im == 0.0 { c64::new(1.0, 0.0) } else { largest.conj() / size(&largest) };
    v.iter_mut().for_each(|z| {
        *z = if turn.im == 0.0 { *z / length } else { *z * turn / length };
    });
    v
}

/// The distance from 1 to the next number.
fn eps<T: MatrixElement>() -> f64 {
    if T::PART == 4 { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

fn flag<T: MatrixElement>(is: bool) -> T {
    T::of(f64::from(u8::from(is)), 0.0)
}

/// The matrix whose rows are these bytes.
fn matrix<T: MatrixElement>(bytes: &[u8], sizes: &[usize]) -> Mat<T> {
    let columns = sizes[1];
    Mat::from_fn(sizes[0], columns, |i, j| T::read(&bytes[(i * columns + j) * T::SIZE..][..T::SIZE]))
}

/// The bytes of a matrix, row by row.
fn written<T: MatrixElement>(rows: usize, columns: usize, element: impl Fn(usize, usize) -> T) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows * columns * T::SIZE);
    (0..rows).for_each(|i| (0..columns).for_each(|j| element(i, j).write(&mut bytes)));
    bytes
}

/// The same of numbers that are parts of elements.
fn numbers<T: MatrixElement>(rows: usize, columns: usize, number: impl Fn(usize, usize) -> f64) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(rows * columns * T::PART);
    (0..rows).for_each(|i| (0..columns).for_each(|j| T::write_part(number(i, j), &mut bytes)));
    bytes
}
