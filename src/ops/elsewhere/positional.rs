//! The order of arguments in NumPy, where ours is another after some of them: `np.mean(x, 0, None, None, True)`. Other
//! libraries have few such functions.
//!
//! A positional argument that stands elsewhere there is read as the keyword that NumPy calls it, so that what holds for
//! keywords holds for it. JAX and the array API take the same order.
//!
//! ```
//! use arrlang::ops::elsewhere::positional::{self, ArgumentPlace};
//! let order = positional::order("np", "nan_to_num").unwrap();
//! assert_eq!(order.place(0, "x"), ArgumentPlace::Same);
//! assert_eq!(order.place(1, "True"), ArgumentPlace::Needless);
//! assert_eq!(order.place(2, "5.0"), ArgumentPlace::Keyword("nan"));
//! assert!(positional::order("torch", "nan_to_num").is_none());
//! ```

use super::modules::{self, Meaning};
use super::{Counterpart, Home};
use crate::ops::Op;

/// The parameters of functions in NumPy's order: by our names where they mean the same, with the default where leaving
/// it out says the same.
const ORDERS: &[(&[&str], &str)] = &[
    (
        &["sum", "prod", "product", "nansum", "nanprod"],
        "x, axis=None, dtype=None, out=None, keepdims=False, initial, where",
    ),
    (&["mean", "nanmean"], "x, axis=None, dtype=None, out=None, keepdims=False, where"),
    (&["max", "min", "amax", "amin", "nanmax", "nanmin"], "x, axis=None, out=None, keepdims=False, initial, where"),
    (&["any", "all", "sometrue", "alltrue"], "x, axis=None, out=None, keepdims=False, where"),
    (&["std", "var", "nanstd", "nanvar"], "x, axis=None, dtype=None, out=None, ddof=0, keepdims=False, where"),
    (&["median", "nanmedian"], "x, axis=None, out=None, overwrite_input=False, keepdims=False"),
    (
        &["quantile", "percentile", "nanquantile", "nanpercentile"],
        "x, q, axis=None, out=None, overwrite_input=False, method=linear, keepdims=False",
    ),
    (&["argmax", "argmin", "nanargmax", "nanargmin", "ptp"], "x, axis=None, out=None, keepdims=False"),
    (&["cumsum", "cumprod", "cumproduct", "nancumsum", "nancumprod"], "x, axis=None, dtype=None, out=None"),
    (&["sort", "argsort"], "x, axis=-1, kind=None, order=None, stable=None"),
    (&["partition", "argpartition"], "x, k, axis=-1, kind=introselect, order=None"),
    (&["gradient"], "x, spacing, varargs, varargs"),
    (&["average"], "x, axis=None, weights=None, returned=False, keepdims=False"),
    (&["cov"], "x, y=None, rowvar=True, bias=False, ddof=None, fweights=None, aweights=None"),
    (&["cross"], "x, y, axisa=-1, axisb=-1, axisc=-1, axis=None"),
    (&["nan_to_num"], "x, copy=True, nan=0.0, posinf=None, neginf=None"),
    (&["clip"], "x, lo, hi, out=None"),
    (&["round", "around", "round_"], "x, decimals, out=None"),
    (&["dot", "outer"], "x, y, out=None"),
    (&["isposinf", "isneginf", "fix"], "x, out=None"),
    (&["trace"], "x, offset, axis1, axis2, dtype=None, out=None"),
    (&["linspace"], "start, stop, num, endpoint, retstep=False, dtype=None, axis=0"),
    (&["logspace"], "start, stop, num=50, endpoint=True, base=10.0, dtype=None, axis=0"),
    (&["geomspace"], "start, stop, num=50, endpoint=True, dtype=None, axis=0"),
    (&["zeros", "ones", "empty"], "shape, dtype, order=C"),
    (&["full"], "shape, fill_value, dtype, order=C"),
    (&["zeros_like", "ones_like", "empty_like"], "x, dtype, order=K, subok=True, shape=None"),
    (&["full_like"], "x, fill_value, dtype, order=K, subok=True, shape=None"),
    (&["eye"], "n, m, k, dtype, order=C"),
    (&["tri"], "n, m=None, k=0, dtype=float"),
    (&["identity"], "n, dtype=None"),
    (&["asarray", "asanyarray"], "x, dtype=None, order=None"),
    (&["ravel"], "x, order=C"),
    (&["take"], "x, indices, axis, out=None, mode"),
    (&["concatenate", "concat", "stack"], "arrays, axis, out=None, dtype=None"),
    (&["append"], "x, values, axis=None"),
    (&["trim_zeros"], "x, trim=fb, axis=None"),
    (&["unravel_index"], "indices, shape, order=C"),
    (&["ravel_multi_index"], "indices, dims, mode, order=C"),
    (&["choose"], "i, choices, out=None, mode"),
    (&["tril_indices", "triu_indices"], "n, k=0, m=None"),
    (&["isin", "in1d"], "x, values, assume_unique=False, invert=False"),
    (&["intersect1d"], "x, y, assume_unique=False, return_indices=False"),
    (&["setdiff1d", "setxor1d"], "x, y, assume_unique=False"),
    (&["ediff1d"], "x, to_end=None, to_begin=None"),
    (&["vander"], "x, n=None, increasing=False"),
    (&["polyfit"], "x, y, deg, rcond=None, full=False, w=None, cov=False"),
    (&["linalg.matrix_rank"], "x, tol=None, hermitian=False"),
    (&["linalg.pinv"], "x, rtol=None, hermitian=False"),
    (&["linalg.svd"], "x, full_matrices, compute_uv, hermitian=False"),
    (&["linalg.tensorsolve"], "a, b, axes=None"),
];

/// The same for functions of other libraries, or of a part of one.
const OTHERS: &[(Home, &[&str], &str)] = &[
    (Home::Torch, &["quantile", "nanquantile"], "x, q, axis=None, keepdims=False"),
    (Home::SciPy, &["logsumexp"], "x, axis=None, b=None, keepdims=False"),
    (Home::Jax, &["nn.logsumexp"], "x, axis=None, b=None, keepdims=False"),
    (Home::Jax, &["lax.sort"], "x, axis=-1, stable=True"),
];

/// Where a positional argument belongs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentPlace {
    /// Where it stands.
    Same,
    /// To this parameter.
    Keyword(&'static str),
    /// Nowhere: it says what holds without it.
    Needless,
}

/// The order of a function of a library.
#[derive(Clone, Copy, Debug)]
pub struct Order {
    params: &'static str,
    /// The operation of ours that the function is, if it is one.
    op: Option<&'static Op>,
}

/// The order in which the function takes its arguments, if the library has one of its own for it.
pub fn order(path: &str, name: &str) -> Option<Order> {
    let module = modules::find(path)?;
    let full = if module.part.is_empty() { name.to_owned() } else { format!("{}.{name}", module.part) };
    let other = OTHERS.iter().find(|(home, names, _)| *home == module.home && names.contains(&full.as_str()));
    let is_numpy = matches!(module.home, Home::NumPy | Home::ArrayApi | Home::Jax);
    let numpy = || ORDERS.iter().find(|(names, _)| is_numpy && names.contains(&full.as_str()));
    let params = other.map(|(_, _, params)| *params).or_else(|| numpy().map(|(_, params)| *params))?;
    let op = match modules::meaning(path, name)? {
        Meaning::Plain => crate::ops::by_name(name),
        Meaning::Row(row) => match row.becomes {
            Counterpart::Same(ours) => crate::ops::by_name(ours),
            Counterpart::Code { .. } => None,
            Counterpart::Missing(_) | Counterpart::Advice(_) => return None,
        },
        Meaning::Unknown(_) => return None,
    };
    Some(Order { params, op })
}

impl Order {
    /// The name and the default of each.
    fn params(&self) -> impl Iterator<Item = (&'static str, Option<&'static str>)> {
        self.params.split(", ").map(|param| match param.split_once('=') {
            Some((name, default)) => (name, Some(default)),
            None => (param, None),
        })
    }

    /// Whether the function has a parameter of this name.
    pub fn has(&self, name: &str) -> bool {
        self.params().any(|(param, _)| param == name)
    }

    /// Whether the function has places for `count` positional arguments.
    pub fn takes(&self, count: usize) -> bool {
        count <= self.params().count()
    }

    /// How many of them stand where ours do. Code from elsewhere has the first alone.
    pub fn agreeing(&self) -> usize {
        let Some(op) = self.op else { return 1 };
        self.params().zip(op.params).take_while(|((name, _), own)| *name == own.name).count()
    }

    /// Where the argument belongs that stands there, by its text.
    pub fn place(&self, index: usize, text: &str) -> ArgumentPlace {
        if index < self.agreeing() {
            return ArgumentPlace::Same;
        }
        let Some((name, default)) = self.params().nth(index) else { return ArgumentPlace::Same };
        let own = self.op.and_then(|op| op.params.iter().find(|param| param.name == name));
        // What is left out has our default, which may be another; `None` is what is not given.
        let holds = |default: &str| {
            default == "None" || own.is_none_or(|own| own.default.is_some_and(|own| is_said(default, own)))
        };
        match default.filter(|default| is_said(default, text) && holds(default)) {
            Some(_) => ArgumentPlace::Needless,
            None => ArgumentPlace::Keyword(name),
        }
    }
}

/// Whether a text says a default: `False` and `false`, `0` and `0.0`, `"C"`.
fn is_said(default: &str, text: &str) -> bool {
    let text = text.trim_matches(['"', '\'']);
    let number = |text: &str| text.parse::<f64>().ok();
    text.eq_ignore_ascii_case(default) || number(text).is_some_and(|value| number(default) == Some(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_is_of_a_function_that_is_here_and_differs() {
        for name in ORDERS.iter().flat_map(|(names, _)| *names) {
            let (path, last) = name.rsplit_once('.').map_or(("np", *name), |(_, last)| ("np.linalg", last));
            let order = order(path, last).unwrap_or_else(|| panic!("`{name}` is not there"));
            if let Some(op) = order.op {
                let agreeing = order.agreeing();
                assert!(agreeing > 0 && agreeing < order.params().count(), "`{name}`: {}", op.signature());
                assert!(order.takes(op.params.len()), "`{name}` takes more here than there: {}", op.signature());
            }
        }
    }

    #[test]
    fn an_argument_goes_where_numpy_has_it() {
        let sum = order("np", "sum").unwrap();
        assert_eq!(sum.place(1, "0"), ArgumentPlace::Same);
        assert_eq!(sum.place(2, "np.float32"), ArgumentPlace::Keyword("dtype"));
        assert_eq!(sum.place(3, "None"), ArgumentPlace::Needless);
        assert_eq!(sum.place(4, "True"), ArgumentPlace::Keyword("keepdims"));
        assert_eq!(order("torch", "quantile").unwrap().place(3, "True"), ArgumentPlace::Keyword("keepdims"));
        assert_eq!(order("scipy.special", "logsumexp").unwrap().place(2, "w"), ArgumentPlace::Keyword("b"));
        assert_eq!(order("jax.nn", "logsumexp").unwrap().place(2, "None"), ArgumentPlace::Needless);
        assert!(order("torch", "logsumexp").is_none());
        assert_eq!(order("jnp", "sort").unwrap().place(2, "'stable'"), ArgumentPlace::Keyword("kind"));
        assert_eq!(order("np", "cov").unwrap().place(4, "None"), ArgumentPlace::Needless);
        assert_eq!(order("np", "vander").unwrap().place(1, "None"), ArgumentPlace::Needless);
        assert!(order("np", "sin").is_none() && order("", "sum").is_none() && order("x", "sum").is_none());
    }
}
