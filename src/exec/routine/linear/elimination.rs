//! Elimination with pivots: equations, inverses, determinants, triangles.

use super::element::{MatrixElement, flag, written};
use faer::linalg::solvers::PartialPivLu;
use faer::{Mat, MatRef};

/// Solutions by rows and columns that are exchanged, and whether there are none.
pub(super) fn solved<T: MatrixElement>(
    a: MatRef<T>,
    solve: impl Fn(&PartialPivLu<T>) -> Mat<T>,
    columns: usize,
) -> Vec<u8> {
    let n = a.nrows();
    let factors = a.partial_piv_lu();
    let singular = (0..n).any(|i| factors.U()[(i, i)].parts() == (0.0, 0.0));
    let made = if singular || n == 0 { Mat::from_fn(n, columns, |_, _| T::of(0.0, 0.0)) } else { solve(&factors) };
    written(n + 1, columns, |i, j| if i < n { made[(i, j)] } else { flag(singular) })
}

/// Which row went where, and the two triangles: the left one with ones on its diagonal, as wide as it is high.
pub(super) fn triangles<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
    let (m, n) = a.shape();
    let k = m.min(n);
    let factors = a.partial_piv_lu();
    let (mut places, mut packed) = (factors.P().arrays().0.to_vec(), Mat::from_fn(m, n, |_, _| T::of(0.0, 0.0)));
    for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
        packed[(i, j)] = if i <= j { factors.U()[(i, j)] } else { factors.L()[(i, j)] };
    }
    if (0..k).any(|i| packed[(i, i)].parts() == (0.0, 0.0)) {
        (places, packed) = eliminated(a.to_owned());
    }
    let to: Vec<usize> = {
        let mut to = vec![0; m];
        places.iter().enumerate().for_each(|(at, &row)| to[row] = at);
        to
    };
    let number = |is: bool| flag::<T>(is);
    written(m, 2 * m + n, |i, j| match (j.checked_sub(m), j.checked_sub(2 * m)) {
        (None, _) => number(to[i] == j),
        (Some(j), None) if i <= j => number(i == j && j < k),
        (Some(j), None) if j < k => packed[(i, j)],
        (_, Some(j)) if i <= j && i < k => packed[(i, j)],
        _ => number(false),
    })
}

/// Elimination row by row, where a column of nothing but 0 is left as it is: the library divides by its pivot.
fn eliminated<T: MatrixElement>(mut a: Mat<T>) -> (Vec<usize>, Mat<T>) {
    let (m, n) = a.shape();
    let size = |z: &T| z.parts().0.hypot(z.parts().1);
    let mut places: Vec<usize> = (0..m).collect();
    for k in 0..m.min(n) {
        let largest = (k..m).fold(k, |best, i| if size(&a[(i, k)]) > size(&a[(best, k)]) { i } else { best });
        places.swap(k, largest);
        (0..n).for_each(|j| {
            (a[(k, j)], a[(largest, j)]) = (a[(largest, j)], a[(k, j)]);
        });
        if size(&a[(k, k)]) == 0.0 {
            continue;
        }
        for i in k + 1..m {
            let by = a[(i, k)] / a[(k, k)];
            a[(i, k)] = by;
            (k + 1..n).for_each(|j| {
                a[(i, j)] = a[(i, j)] - by * a[(k, j)];
            });
        }
    }
    (places, a)
}

/// The product of the pivots, which may leave the range on the way; its sign; the logarithm of its magnitude.
pub(super) fn determinant<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
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
