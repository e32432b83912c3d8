//! The exponential of a matrix: a quotient of two polynomials of the matrix. The matrix is halved before, and the
//! quotient squared after.
//!
//! The method is that of Al-Mohy and Higham (A new scaling and squaring algorithm for the matrix exponential, 2009):
//! roots of norms of powers say how often to halve, so that a large part above the diagonal costs no digits.

use super::element::MatrixElement;
use faer::Mat;
use faer::linalg::solvers::Solve;

/// A degree of the polynomials.
struct Approximation {
    degree: u32,
    /// The size of the largest matrix that it serves.
    max_size: f64,
}

/// The degrees for small matrices, in ascending order.
const APPROXIMATIONS: [Approximation; 4] = [
    Approximation { degree: 3, max_size: 1.495_585_217_958_292e-2 },
    Approximation { degree: 5, max_size: 2.539_398_330_063_23e-1 },
    Approximation { degree: 7, max_size: 9.504_178_996_162_932e-1 },
    Approximation { degree: 9, max_size: 2.097_847_961_257_068 },
];

/// The degree for all others, which are halved until they are no larger than it serves.
const HIGHEST: Approximation = Approximation { degree: 13, max_size: 4.25 };

/// e to the power of a square matrix.
pub(super) fn exponential<T: MatrixElement>(a: &Mat<T>) -> Mat<T> {
    let n = a.nrows();
    let of_diagonal = (0..n).all(|j| (0..n).all(|i| i == j || a[(i, j)].parts() == (0.0, 0.0)));
    if of_diagonal {
        return Mat::from_fn(n, n, |i, j| if i == j { of_number(a[(i, i)]) } else { T::of(0.0, 0.0) });
    }
    // A matrix with a large norm is made smaller first, so that its powers stay in the range.
    let norm = norm(a);
    let first = if norm >= 8.0 { norm.log2().floor() as i32 } else { 0 };
    let a = combined(n, &[(a, halved(first))], 0.0);
    let second = &a * &a;
    let fourth = &second * &second;
    let sixth = &fourth * &second;
    let eighth = &fourth * &fourth;
    let roots = [
        root(norm_of(&fourth), 4),
        root(norm_of(&sixth), 6),
        root(norm_of(&eighth), 8),
        root(norm_of(&(&fourth * &sixth)), 10),
    ];
    let sizes = [roots[0].max(roots[1]), roots[0].max(roots[1]), roots[1].max(roots[2]), roots[1].max(roots[2])];
    let powers = [&second, &fourth, &sixth, &eighth];
    for (Approximation { degree, max_size }, size) in APPROXIMATIONS.into_iter().zip(sizes) {
        if first == 0 && size <= max_size && further(&a, degree) == 0 {
            return quotient(&a, &powers[..degree as usize / 2], degree);
        }
    }
    let size = sizes[3].min(roots[2].max(roots[3]));
    let mut steps = if size > 0.0 { (size / HIGHEST.max_size).log2().ceil() as i32 } else { 0 }.max(-first);
    steps += further(&combined(n, &[(&a, halved(steps))], 0.0), HIGHEST.degree);
    let scaled = |x: &Mat<T>, power: i32| combined(n, &[(x, halved(steps * power))], 0.0);
    let powers = [scaled(&second, 2), scaled(&fourth, 4), scaled(&sixth, 6)];
    let mut made = quotient(&scaled(&a, 1), &[&powers[0], &powers[1], &powers[2]], HIGHEST.degree);
    for _ in 0..first + steps {
        made = &made * &made;
    }
    made
}

fn of_number<T: MatrixElement>(z: T) -> T {
    let (re, im) = z.parts();
    let size = re.exp();
    if im == 0.0 { T::of(size, 0.0) } else { T::of(size * im.cos(), size * im.sin()) }
}

/// One, halved `times` times.
fn halved(times: i32) -> f64 {
    2f64.powi(-times)
}

fn root(x: f64, degree: i32) -> f64 {
    x.powf(1.0 / f64::from(degree))
}

/// The largest sum of magnitudes of a column.
fn norm<T: MatrixElement>(a: &Mat<T>) -> f64 {
    let column = |j: usize| (0..a.nrows()).map(|i| size(a[(i, j)])).sum::<f64>();
    (0..a.ncols()).map(column).fold(0.0, f64::max)
}

/// The largest sum of magnitudes of a column of a power. The power may be no number where it leaves the range of its
/// dtype.
fn norm_of<T: MatrixElement>(a: &Mat<T>) -> f64 {
    norm(a).min(f64::MAX)
}

fn size<T: MatrixElement>(z: T) -> f64 {
    let (re, im) = z.parts();
    re.hypot(im)
}

/// A sum of matrices, each times a number, and of `identity` times the identity.
fn combined<T: MatrixElement>(n: usize, terms: &[(&Mat<T>, f64)], identity: f64) -> Mat<T> {
    Mat::from_fn(n, n, |i, j| {
        let start = (if i == j { identity } else { 0.0 }, 0.0);
        let (re, im) = terms.iter().fold(start, |(re, im), (term, by)| {
            let part = term[(i, j)].parts();
            (re + by * part.0, im + by * part.1)
        });
        T::of(re, im)
    })
}

/// How often to halve beyond what the norms of powers say: where a power of the magnitudes is much larger than they
/// are.
fn further<T: MatrixElement>(a: &Mat<T>, degree: u32) -> i32 {
    let n = a.nrows();
    let (mut sums, length) = (vec![1.0f64; n], norm(a));
    for _ in 0..2 * degree + 1 {
        sums = (0..n).map(|j| (0..n).map(|i| sums[i] * size(a[(i, j)])).sum()).collect();
    }
    let most = sums.into_iter().fold(0.0, f64::max);
    if most == 0.0 || length == 0.0 || !most.is_finite() {
        return 0;
    }
    // One over the first coefficient of the error: C(2m, m) times (2m + 1)!.
    let m = f64::from(degree);
    let choose = (1..=degree).fold(1.0, |all, k| all * (m + f64::from(k)) / f64::from(k));
    let factorial = (1..=2 * degree + 1).fold(1.0, |all, k| all * f64::from(k));
    let apart = (most / (length * choose * factorial) / f64::EPSILON * 2.0).log2();
    ((apart / (2.0 * m)).ceil() as i32).max(0)
}

/// The coefficients of the polynomial of this degree, the constant first: (2m - j)! / ((m - j)! j!).
fn coefficients(degree: u32) -> Vec<f64> {
    let mut all = vec![1u128];
    for j in (0..u128::from(degree)).rev() {
        let m = u128::from(degree);
        let next = all[all.len() - 1] * (2 * m - j) * (j + 1) / (m - j);
        all.push(next);
    }
    all.into_iter().rev().map(|whole| whole as f64).collect()
}

/// The polynomial of a matrix divided by that of its negative; of the powers 2, 4, 6, 8 as many as the degree needs.
fn quotient<T: MatrixElement>(a: &Mat<T>, powers: &[&Mat<T>], degree: u32) -> Mat<T> {
    let (n, by) = (a.nrows(), coefficients(degree));
    // Coefficients of every other power from a place on.
    let sum = |start: usize, identity: f64| {
        let terms: Vec<(&Mat<T>, f64)> =
            powers.iter().enumerate().filter_map(|(at, power)| Some((*power, *by.get(start + 2 * at)?))).collect();
        combined(n, &terms, identity)
    };
    let part = |start: usize| {
        let low = sum(start + 2, by[start]);
        // What is beyond the highest power is made of it.
        if degree != HIGHEST.degree { low } else { powers[2] * sum(start + 8, 0.0) + low }
    };
    let (even, odd) = (part(0), a * part(1));
    let (below, above) = (&even - &odd, &even + &odd);
    below.partial_piv_lu().solve(above)
}
