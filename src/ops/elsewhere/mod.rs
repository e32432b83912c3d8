//! Names from elsewhere, in one table. People bring them along from NumPy, the array API standard, JAX, PyTorch,
//! pandas, MATLAB, SciPy, TensorFlow and Python, and each stands there with what it becomes here.
//!
//! A name that means exactly what one of ours means is accepted, and `arr fmt` writes ours. For the others a row has
//! the code to write, with the arguments in their places, or a sentence. The checker, `arr doc` and `arr fmt` read the
//! rows; where a row answers, nothing is guessed from spelling.
//!
//! ```text
//! same(&["amin"], NP, "min"),
//! noted(&["add.outer"], NP, &[form("a, b", "a[:, None] + b")], "of vectors"),
//! missing(&["lu_factor"], TORCH, "…"),
//! ```

mod arrays;
mod brackets;
mod changing;
mod elementwise;
mod indexing;
mod keywords;
mod libraries;
mod margins;
mod matrices;
pub mod modules;
pub mod positional;
mod python;
mod reductions;
mod same;
mod template;
mod tensors;
mod ufuncs;
mod unavailable;
mod words;

pub use brackets::{BracketItem, code_of_brackets};
pub use changing::{ChangedArray, changed_by, changes_a_shape, changes_an_array};
pub use keywords::{keyword, keyword_advice, keyword_in, keyword_of};
pub use template::{CallForm, TemplateArgument, fitting, form, is_atom, stands_alone, stray, written};

use std::collections::HashMap;
use std::sync::LazyLock;

/// Where a name is used.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Home {
    /// `numpy`, as `np`.
    NumPy,
    /// The Python array API standard, as `xp`.
    ArrayApi,
    /// `jax.numpy` as `jnp`, `jax.nn`, `jax.lax`.
    Jax,
    /// `torch`.
    Torch,
    /// `tensorflow`, as `tf`.
    TensorFlow,
    /// `scipy.special` and others.
    SciPy,
    /// `pandas`.
    Pandas,
    /// MATLAB and Octave.
    Matlab,
    /// Python itself and its `math`.
    Python,
}

impl Home {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Home::NumPy => "NumPy",
            Home::ArrayApi => "the array API",
            Home::Jax => "JAX",
            Home::Torch => "PyTorch",
            Home::TensorFlow => "TensorFlow",
            Home::SciPy => "SciPy",
            Home::Pandas => "pandas",
            Home::Matlab => "MATLAB",
            Home::Python => "Python",
        }
    }

    /// The word before a name that means something else there than everywhere: `torch.std`.
    fn word(self) -> &'static str {
        match self {
            Home::NumPy => "numpy",
            Home::ArrayApi => "xp",
            Home::Jax => "jax",
            Home::Torch => "torch",
            Home::TensorFlow => "tf",
            Home::SciPy => "scipy",
            Home::Pandas => "pandas",
            Home::Matlab => "matlab",
            Home::Python => "math",
        }
    }
}

/// A row: names that become the same.
#[derive(Clone, Copy, Debug)]
pub struct ElsewhereRow {
    /// As they are written behind their module: `hstack`, `maximum.accumulate`. With a module in front (`torch.std`,
    /// `fft.fft`) it is the name in that module alone; `random.*` stands for every name in one.
    pub names: &'static [&'static str],
    /// Where they are used, the best known place first.
    pub homes: &'static [Home],
    /// What to write here.
    pub becomes: Counterpart,
}

impl ElsewhereRow {
    /// Whether nothing here does the same in one expression.
    pub fn is_missing(&self) -> bool {
        matches!(self.becomes, Counterpart::Missing(_) | Counterpart::Advice(_))
    }
}

/// What a name from elsewhere becomes.
#[derive(Clone, Copy, Debug)]
pub enum Counterpart {
    /// Another name for the same thing: an operation, a dtype, a constant.
    Same(&'static str),
    /// Code that does the same.
    Code {
        /// One form for each way to call it.
        forms: &'static [CallForm],
        /// What to know about it, if anything.
        note: &'static str,
        /// Whether it gives the same whatever the arguments are, but for rounding: then a fix may write it.
        exact: bool,
    },
    /// What does not exist yet; the sentence says what to write meanwhile.
    Missing(&'static str),
    /// What is not needed here, cannot be, or is written in too many ways for a template; a sentence.
    Advice(&'static str),
}

const fn same(names: &'static [&'static str], homes: &'static [Home], ours: &'static str) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Same(ours) }
}

/// Code that gives the same whatever the arguments are, but for rounding.
const fn exact(names: &'static [&'static str], homes: &'static [Home], forms: &'static [CallForm]) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Code { forms, note: "", exact: true } }
}

/// Code that gives the same or is refused; then the note says what to write.
const fn noted(
    names: &'static [&'static str],
    homes: &'static [Home],
    forms: &'static [CallForm],
    note: &'static str,
) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Code { forms, note, exact: true } }
}

/// Code that does the same in the cases that the note names.
const fn code(
    names: &'static [&'static str],
    homes: &'static [Home],
    forms: &'static [CallForm],
    note: &'static str,
) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Code { forms, note, exact: false } }
}

const fn missing(names: &'static [&'static str], homes: &'static [Home], meanwhile: &'static str) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Missing(meanwhile) }
}

const fn advice(names: &'static [&'static str], homes: &'static [Home], sentence: &'static str) -> ElsewhereRow {
    ElsewhereRow { names, homes, becomes: Counterpart::Advice(sentence) }
}

/// NumPy and what follows it.
const NP: &[Home] = &[Home::NumPy, Home::Jax];
/// In NumPy, the standard, JAX and PyTorch.
const STD: &[Home] = &[Home::NumPy, Home::ArrayApi, Home::Jax, Home::Torch];
const API: &[Home] = &[Home::ArrayApi, Home::NumPy, Home::Jax];
const JAX: &[Home] = &[Home::Jax];
const TORCH: &[Home] = &[Home::Torch];
const NETS: &[Home] = &[Home::Torch, Home::Jax, Home::TensorFlow];
const TF: &[Home] = &[Home::TensorFlow];
const SCIPY: &[Home] = &[Home::SciPy, Home::Jax];
const PANDAS: &[Home] = &[Home::Pandas];
const MATLAB: &[Home] = &[Home::Matlab];
const PYTHON: &[Home] = &[Home::Python];

/// Every row.
pub fn all() -> impl Iterator<Item = &'static ElsewhereRow> {
    [
        same::ROWS,
        elementwise::ROWS,
        reductions::ROWS,
        arrays::ROWS,
        indexing::ROWS,
        libraries::ROWS,
        margins::ROWS,
        matrices::ROWS,
        python::ROWS,
        tensors::ROWS,
        ufuncs::ROWS,
        unavailable::ROWS,
        words::ROWS,
    ]
    .into_iter()
    .flatten()
}

static INDEX: LazyLock<HashMap<&'static str, &'static ElsewhereRow>> =
    LazyLock::new(|| all().flat_map(|row| row.names.iter().map(move |&name| (name, row))).collect());

/// The row of a name that stands alone.
pub fn find(name: &str) -> Option<&'static ElsewhereRow> {
    INDEX.get(name).copied()
}

/// What a name is that is called with a keyword of one library alone, where it means something else there than
/// everywhere: `x.std(dim=1)` is PyTorch's.
pub fn spoken(name: &str, keyword: &str) -> Option<&'static ElsewhereRow> {
    find(&format!("{}.{name}", keywords::keyword_home(keyword)?.word()))
}

/// Names that are a reduction of one array along an axis, and something else of two arrays.
const OF_TWO: &[(&str, &str)] = &[("torch.max", "maximum"), ("torch.min", "minimum")];

/// What the name of a row is of two arrays, where it is something else of an array and a number: `torch.max(x, y)`.
pub fn of_two_arrays(row: &ElsewhereRow) -> Option<&'static str> {
    OF_TWO.iter().find(|(name, _)| row.names.contains(name)).map(|&(_, ours)| ours)
}

/// The names that are accepted for one of ours, in alphabetical order; those in one module alone are none.
pub fn aliases(ours: &str) -> Vec<&'static str> {
    let rows = all().filter(|row| matches!(row.becomes, Counterpart::Same(name) if name == ours));
    let mut names: Vec<&str> =
        rows.flat_map(|row| row.names.iter().copied()).filter(|name| !name.contains('.')).collect();
    names.sort_unstable();
    names
}
