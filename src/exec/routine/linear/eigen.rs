//! Eigenvalues of any square matrix, with their eigenvectors.

use super::element::{MatrixElement, eps, numbers};
use faer::complex::Complex;
use faer::linalg::solvers::Solve;
use faer::{Mat, MatRef, c64};

/// Eigenvalues, and below them eigenvectors of length 1 whose largest element is real.
pub(super) fn eigen<T: MatrixElement>(a: MatRef<T>) -> Option<Vec<u8>> {
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

/// The eigenvector that is meant. The library divides by differences of eigenvalues, which may be next to nothing where
/// many lie close together: what is far from an eigenvector then is found by inverse iteration.
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
