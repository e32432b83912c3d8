//! Elimination with pivots: equations, inverses, determinants, triangles.

use super::element::{MatrixElement, flag, written};
use faer::linalg::solvers::{DenseSolveCore, PartialPivLu, Solve};
use faer::{Mat, MatRef};

/// Sides up to which matrices are eliminated here: larger ones are worth what the library prepares.
const MAX_SIDE: usize = 12;

/// Elimination with rows exchanged.
struct Factors<T> {
    /// Which row came to each place.
    places: Vec<usize>,
    /// Both triangles; the left one has ones on its diagonal, which are not there.
    packed: Mat<T>,
}

impl<T: MatrixElement> Factors<T> {
    fn of(a: MatRef<T>) -> Factors<T> {
        let (m, n) = a.shape();
        if is_small(a) {
            return eliminated(a.to_owned());
        }
        let factors = a.partial_piv_lu();
        let mut packed = Mat::from_fn(m, n, |_, _| T::of(0.0, 0.0));
        for (i, j) in (0..m).flat_map(|i| (0..n).map(move |j| (i, j))) {
            packed[(i, j)] = if i <= j { factors.U()[(i, j)] } else { factors.L()[(i, j)] };
        }
        let made = Factors { places: factors.P().arrays().0.to_vec(), packed };
        if made.is_singular() { eliminated(a.to_owned()) } else { made }
    }

    /// Whether a pivot is 0.
    fn is_singular(&self) -> bool {
        let (m, n) = self.packed.shape();
        (0..m.min(n)).any(|i| is_zero(&self.packed[(i, i)]))
    }

    /// The x of a @ x = right, where no pivot is 0.
    fn solve(&self, right: MatRef<T>) -> Mat<T> {
        let (n, a) = (right.nrows(), &self.packed);
        let mut x = Mat::from_fn(n, right.ncols(), |i, j| right[(self.places[i], j)]);
        for j in 0..right.ncols() {
            for k in 0..n {
                for i in k + 1..n {
                    x[(i, j)] = x[(i, j)] - a[(i, k)] * x[(k, j)];
                }
            }
            for k in (0..n).rev() {
                x[(k, j)] = ratio(x[(k, j)], a[(k, k)]);
                for i in 0..k {
                    x[(i, j)] = x[(i, j)] - a[(i, k)] * x[(k, j)];
                }
            }
        }
        x
    }
}

fn is_small<T: MatrixElement>(a: MatRef<T>) -> bool {
    a.nrows().max(a.ncols()) <= MAX_SIDE
}

fn is_zero<T: MatrixElement>(z: &T) -> bool {
    z.parts() == (0.0, 0.0)
}

/// A quotient, also where the squares of parts leave the range.
fn ratio<T: MatrixElement>(x: T, y: T) -> T {
    if T::IS_REAL { x / y } else { x * T::recip_impl(&y) }
}

/// Solutions by rows and columns that are exchanged, and whether there are none.
pub(super) fn solutions<T: MatrixElement>(a: MatRef<T>, right: MatRef<T>) -> Vec<u8> {
    if is_small(a) {
        let factors = Factors::of(a);
        return answered(right.shape(), (!factors.is_singular()).then(|| factors.solve(right)));
    }
    answered(right.shape(), regular(a).map(|factors| factors.solve(right)))
}

/// The inverse, and whether there is none.
pub(super) fn inverse<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
    let n = a.nrows();
    match is_small(a) {
        true => solutions(a, Mat::from_fn(n, n, |i, j| flag::<T>(i == j)).as_ref()),
        false => answered((n, n), regular(a).map(|factors| factors.inverse())),
    }
}

/// The library's factors, if no pivot is 0.
fn regular<T: MatrixElement>(a: MatRef<T>) -> Option<PartialPivLu<T>> {
    let factors = a.partial_piv_lu();
    (0..a.nrows()).all(|i| !is_zero(&factors.U()[(i, i)])).then_some(factors)
}

/// An answer with a row below it that is 1 if there is none.
fn answered<T: MatrixElement>((rows, columns): (usize, usize), made: Option<Mat<T>>) -> Vec<u8> {
    written(rows + 1, columns, |i, j| match &made {
        Some(made) if i < rows => made[(i, j)],
        made => flag(i == rows && made.is_none()),
    })
}

/// Which row went where, and the two triangles: the left one with ones on its diagonal, as wide as it is high.
pub(super) fn triangles<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
    let (m, n) = a.shape();
    let k = m.min(n);
    let Factors { places, packed } = Factors::of(a);
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
fn eliminated<T: MatrixElement>(mut a: Mat<T>) -> Factors<T> {
    let (m, n) = a.shape();
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
            let by = ratio(a[(i, k)], a[(k, k)]);
            a[(i, k)] = by;
            (k + 1..n).for_each(|j| {
                a[(i, j)] = a[(i, j)] - by * a[(k, j)];
            });
        }
    }
    Factors { places, packed: a }
}

/// The magnitude.
fn size<T: MatrixElement>(z: &T) -> f64 {
    match z.parts() {
        (re, 0.0) => re.abs(),
        (re, im) => re.hypot(im),
    }
}

/// The pivots, and whether an odd number of rows were exchanged.
fn pivots<T: MatrixElement>(a: MatRef<T>) -> (Vec<(f64, f64)>, bool) {
    if is_small(a) {
        let Factors { places, packed } = Factors::of(a);
        return ((0..a.nrows()).map(|i| packed[(i, i)].parts()).collect(), is_odd(&places));
    }
    let factors = a.partial_piv_lu();
    ((0..a.nrows()).map(|i| factors.U()[(i, i)].parts()).collect(), is_odd(factors.P().arrays().0))
}

/// The product of the pivots, which may leave the range on the way; its sign; the logarithm of its magnitude.
pub(super) fn determinant<T: MatrixElement>(a: MatRef<T>) -> Vec<u8> {
    let (pivots, is_odd) = pivots(a);
    let mut product = (if is_odd { -1.0 } else { 1.0 }, 0.0f64);
    let (mut sign, mut log, mut exponent) = (product, 0.0, 0i32);
    let times = |x: (f64, f64), y: (f64, f64)| match (x.1, y.1) {
        (0.0, 0.0) => (x.0 * y.0, 0.0),
        _ => (x.0 * y.0 - x.1 * y.1, x.0 * y.1 + x.1 * y.0),
    };
    for pivot in pivots {
        if pivot == (0.0, 0.0) {
            // What is eliminated after a pivot of 0 means nothing.
            (product, sign, log, exponent) = (pivot, (0.0, 0.0), f64::NEG_INFINITY, 0);
            break;
        }
        let size = if pivot.1 == 0.0 { pivot.0.abs() } else { pivot.0.hypot(pivot.1) };
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
