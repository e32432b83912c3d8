//! Values of whole expressions against what NumPy, JAX, PyTorch and TensorFlow give: order, groups, gathering,
//! statistics, matrices, spectra.
//!
//! A line of `tests/oracle/values/expressions*.txt` is the name of a rule, or a point where the values are the
//! library's; a script; and its results in their order, each a dtype, a shape and the elements. A rule says why values
//! differ, and a line that it covers must differ.

use super::probes::{dtype, number};
use crate::lab;
use crate::oracle;
use arrlang::array::Array;
use arrlang::promotion::verdict::Mode;
use arrlang::scalar::Scalar;
use arrlang::scalar::eval;
use arrlang::scalar::prim::Prim;
use arrlang::session::Input;
use arrlang::types::{DType, Kind};
use std::collections::BTreeMap;

/// What a library gives, under the promotion system that is its own.
struct Library {
    name: &'static str,
    table: &'static str,
    system: &'static str,
    /// Where values are not the library's, and why.
    rules: &'static [(&'static str, &'static str)],
}

const NUMPY: Library = Library { name: "NumPy", table: "values/expressions.txt", system: "numpy", rules: NUMPYS_RULES };
const JAX: Library = Library { name: "JAX", table: "values/expressions-jax.txt", system: "jax", rules: JAXS_RULES };
const TORCH: Library =
    Library { name: "PyTorch", table: "values/expressions-torch.txt", system: "torch", rules: TORCHS_RULES };

const TENSORFLOW: Library =
    Library { name: "TensorFlow", table: "values/expressions-tf.txt", system: "tf", rules: TENSORFLOWS_RULES };

const NUMPYS_RULES: &[(&str, &str)] = &[
    (
        "accumulators",
        "sums and what is made of them run in a wider dtype and are rounded once; NumPy's round each step",
    ),
    ("arguments", "other argument checks: sums of weights that are 0, axes that NumPy infers, scalars taken as arrays"),
    ("bf16", "ml_dtypes lacks functions for bf16, or puts nan elsewhere: `arr` computes in f32 and rounds once"),
    ("dtypes", "NumPy keeps f16 in `irfft`, and edges of a histogram are integers"),
    ("nonfinite", "nan and infinities in decompositions, spectra and quantiles: nan where NumPy stops or the reverse"),
    ("nothing", "empty arrays: an error in place of nan, or nan in place of an error"),
    ("refused", "values that the array does not hold are not stored without a cast"),
    (
        "rounding",
        "long sums in another order, matrices without an inverse: other last bits, other order of eigenvalues",
    ),
    ("wraps", "NumPy computes in the small dtype inside `trapezoid`, `mean` and `round` and leaves its range"),
    ("zeros", "-0 is below +0 in extrema, and sums of nothing but -0 are -0; signs of nan are not kept"),
];

const JAXS_RULES: &[(&str, &str)] = &[
    (
        "arguments",
        "other argument checks: fractions beyond 1, bins that turn, axes that are inferred, dtypes of `add_at`",
    ),
    ("dtypes", "`gradient` of integers by a number is f64, and `histogram` takes the dtype of its edges"),
    ("methods", "five of the nine methods of quantiles are not in JAX, and one is for f64 alone"),
    ("modes", "`take` has no mode \"fill\"; rows with nan equal none in `unique`, as in NumPy"),
    (
        "nonfinite",
        "nan and infinities in decompositions, spectra, quantiles and `sinc`: nan where JAX goes on, or the reverse",
    ),
    ("nothing", "empty arrays, and variances without freedom: an error in place of nan, or nan in place of an error"),
    ("refused", "JAX moves or forgets positions and labels that are out of range, and stores what does not fit"),
    ("rounding", "matrices without an inverse, `sinc` of whole numbers, symmetric parts: other last bits and order"),
    ("subnormals", "XLA takes subnormal floats as 0"),
    ("unfit", "a matrix without an inverse, or that is not positive definite: an error in place of inf and nan"),
    ("wraps", "JAX computes in the small dtype inside `mean`, `std`, `median` and `round`, and leaves its range"),
    ("zeros", "-0 is below +0 in extrema and equal in sorting; signs of nan, and of 0 in `qr`, are not kept"),
];

const TORCHS_RULES: &[(&str, &str)] = &[
    (
        "arguments",
        "other argument checks: vectors only in `dot` and `outer`, none in `matrix_rank`, bins and positions from the end; `lstsq` gives what its method has",
    ),
    (
        "groups",
        "a group of nothing is 0 in PyTorch, whatever is made of it, and integers have averages that are rounded",
    ),
    ("kernels", "PyTorch lacks a kernel for the dtype, and raises"),
    ("medians", "PyTorch's is the lower one of the two in the middle; `arr` takes their mean, as others do"),
    (
        "nonfinite",
        "nan and infinities in decompositions, spectra, searches and steps: nan where PyTorch goes on, or the reverse",
    ),
    ("nothing", "empty arrays, and variances without freedom: an error in place of nan, or nan in place of an error"),
    ("refused", "what does not fit is not stored without a cast"),
    (
        "rounding",
        "long sums in another order, matrices without an inverse, sorts that are not stable: other last bits and order",
    ),
    (
        "wraps",
        "PyTorch computes in the small dtype inside `trapezoid`, `gradient` and means of groups, and leaves its range",
    ),
    (
        "zeros",
        "-0 is below +0 in extrema; products of -0 begin with the first one; signs of nan, and of 0 in `qr`, are not kept",
    ),
];

const TENSORFLOWS_RULES: &[(&str, &str)] = &[
    (
        "arguments",
        "other argument checks: matrices only in `matmul`, `solve` and `matrix_rank`, positions from the end, labels below zero, bounds that cross",
    ),
    (
        "dtypes",
        "counts, ranks and positions are `i32` in TensorFlow, whatever they count; counts of bins have the dtype of the elements",
    ),
    ("groups", "the extreme of a group of nothing is the last finite number in TensorFlow, and its mean 0"),
    ("kernels", "TensorFlow lacks a kernel for the dtype, or the norm, and raises"),
    (
        "nans",
        "TensorFlow leaves nan where it stood in sorts and searches, and forgets it in `min_at`; infinities in decompositions and spectra",
    ),
    ("norms", "`tf.norm` of a matrix is that of all its elements, and of complex numbers may be complex"),
    ("nothing", "empty arrays: an error in place of an infinity, or nan in place of 0"),
    ("order", "`unique` sorts; TensorFlow keeps the order in which elements come, and each nan"),
    ("rounding", "sums of f16 and bf16 run in a wider dtype and are rounded once; long sums go in another order"),
    ("subnormals", "TensorFlow takes subnormal floats as 0"),
    ("unfit", "a matrix that is not positive definite: an error in place of nan"),
    (
        "zeros",
        "products of -0 begin with the first one; -0 is below +0 in bounds; signs of 0 in `qr`, `det` and inverses are not kept",
    ),
];

/// How far floats may be apart, in steps of their dtype at 1 and relative to them.
const STEPS: f64 = 16.0;

fn wide(scalar: Scalar) -> f64 {
    f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[scalar]).bits as u64)
}

fn near(a: Scalar, b: Scalar) -> bool {
    if a.same(b) {
        return true;
    }
    match a.dtype.kind() {
        Kind::Float => {
            let (x, y) = (wide(a), wide(b));
            let step = 2f64.powi(-(a.dtype.fraction_bits() as i32));
            x != y && (x - y).abs() <= STEPS * step * x.abs().max(y.abs()).min(f64::MAX)
        }
        Kind::Complex => {
            let part = a.dtype.part();
            let mask = u128::MAX >> (128 - part.bits());
            let parts = |z: Scalar| [z.bits & mask, z.bits >> part.bits()].map(|bits| Scalar { dtype: part, bits });
            let (a, b) = (parts(a), parts(b));
            let size = a.iter().chain(&b).fold(0.0f64, |size, &x| size.max(wide(x).abs()));
            let step = 2f64.powi(-(part.fraction_bits() as i32));
            a.iter().zip(&b).all(|(&x, &y)| x.same(y) || (wide(x) - wide(y)).abs() <= STEPS * step * size.min(f64::MAX))
        }
        Kind::Bool | Kind::Unsigned | Kind::Signed => false,
    }
}

/// Whether an array is what a text says: `f64[2] 1.0 nan`, `f16[4096] all 1.0`.
fn is(array: &Array, text: &str) -> bool {
    let (name, rest) = text.split_once('[').expect("a dtype");
    let (shape, elements) = rest.split_once(']').expect("a shape");
    let of = dtype(name);
    let shape: Vec<usize> =
        shape.split(", ").filter(|size| !size.is_empty()).map(|size| size.parse().expect("a size")).collect();
    if array.dtype() != of || array.shape() != shape {
        return false;
    }
    let words: Vec<&str> = elements.split_whitespace().collect();
    let wanted: Vec<&str> = match words[..] {
        ["all", value] => vec![value; array.len()],
        ["first", value] => vec![value],
        _ => words,
    };
    let fits = |(at, wanted): (usize, &&str)| *wanted == "?" || near(array.get(at), number(wanted, of));
    wanted.iter().enumerate().all(fits)
}

/// What a script gives, or nothing where it is refused.
enum Given {
    Values(Vec<Array>),
    Refused,
    /// This build lacks what computes it.
    NotBuilt,
}

fn given(system: &str, script: &str) -> Given {
    let text = format!("promotion {system}\n{}", script.replace(" ⏎ ", "\n"));
    let reply = lab::session(Mode::All).evaluate(&Input::new("expression", &text));
    if reply.outcome.is_done() {
        return Given::Values(reply.values.into_iter().map(|shown| shown.array).collect());
    }
    match lab::ids(&reply.diagnostics).contains(&"E0535") {
        true => Given::NotBuilt,
        false => Given::Refused,
    }
}

#[test]
fn values_of_expressions_are_numpys() {
    compare(&NUMPY);
}

#[test]
fn values_of_expressions_are_those_of_jax() {
    compare(&JAX);
}

#[test]
fn values_of_expressions_are_those_of_torch() {
    compare(&TORCH);
}

#[test]
fn values_of_expressions_are_those_of_tensorflow() {
    compare(&TENSORFLOW);
}

fn compare(library: &Library) {
    let &Library { name, table, system, rules } = library;
    let (mut wrong, mut stale) = (Vec::new(), Vec::new());
    let mut used: BTreeMap<&str, usize> = BTreeMap::new();
    let text = oracle::read(table);
    let (mut equal, mut not_built) = (0, 0);
    for line in text.lines().filter(|line| !line.starts_with('#')) {
        let parts: Vec<&str> = line.split('\t').collect();
        let [rule, script, wanted] = parts[..] else { panic!("no line of values: {line}") };
        let agrees = match given(system, script) {
            Given::NotBuilt => {
                not_built += 1;
                if let Some((name, _)) = rules.iter().find(|(name, _)| *name == rule) {
                    used.entry(name).or_default();
                }
                continue;
            }
            Given::Refused => wanted == "error",
            Given::Values(_) if wanted == "error" => false,
            Given::Values(arrays) => {
                let wanted: Vec<&str> = wanted.split("; ").collect();
                arrays.len() == wanted.len() && arrays.iter().zip(wanted).all(|(array, text)| is(array, text))
            }
        };
        match (rule, agrees) {
            (".", true) => equal += 1,
            (".", false) => wrong.push(format!("{script} is not {wanted}")),
            (rule, true) => stale.push(format!("{rule}: {script} is that of {name}")),
            (rule, false) => {
                let known = rules.iter().find(|(name, _)| *name == rule).unwrap_or_else(|| panic!("no rule {rule}"));
                *used.entry(known.0).or_default() += 1;
            }
        }
    }
    println!("{equal} expressions have the values of {name}; {not_built} need libraries that are not built");
    for (name, why) in rules {
        println!("{:4} {name}: {why}", used.get(name).copied().unwrap_or(0));
    }
    assert!(wrong.is_empty(), "{} differ\n{}", wrong.len(), wrong.join("\n"));
    assert!(stale.is_empty(), "{} need no rule\n{}", stale.len(), stale.join("\n"));
    assert!(rules.len() <= 12 && rules.iter().all(|(name, _)| used.contains_key(name)));
}
