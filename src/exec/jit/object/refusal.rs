//! The reason why a program becomes no object. A reason has words, and says what it is about, by which its place is
//! found.

use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};
use std::fmt;

/// Why there is no object.
#[derive(Clone, Debug)]
pub struct NotBuilt {
    /// The reason, whose text is a sentence.
    pub reason: BuildRefusal,
    /// The line that it is about, if it is about one.
    pub span: Option<Span>,
}

impl From<BuildRefusal> for NotBuilt {
    fn from(reason: BuildRefusal) -> NotBuilt {
        NotBuilt { reason, span: None }
    }
}

/// What a program has or needs that no object has.
#[derive(Clone, PartialEq, Debug)]
pub enum BuildRefusal {
    /// The script gives no result.
    NoOutput,
    /// The function would have the name of a function of C.
    TakenName(String),
    /// There is no code for a target or a processor: a sentence says what there is.
    Target(String),
    /// Something is computed by a library.
    Library,
    /// A length is found when the program runs.
    Length {
        /// How it is found.
        found: LengthOrigin,
        /// The function of the language that counts it, if one does.
        function: Option<&'static str>,
    },
    /// A length that is below 0 or too large for some inputs.
    Bounds(Dim),
    /// A length that no input has.
    UnknownLength(String),
    /// Kernels wait for a length.
    LaterLength,
    /// There are more unknown lengths than code is built for.
    TooManyLengths {
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// There is no one plan for all lengths.
    SeveralPlans,
    /// A prim without instructions on vectors has no code for single elements either.
    Prim {
        /// The prim.
        prim: Prim,
        /// The dtype of its first operand.
        of: DType,
    },
    /// A conversion without instructions on vectors has no code for single elements either.
    Conversion {
        /// The dtype that is converted.
        from: DType,
        /// The dtype that it would become.
        to: DType,
    },
    /// The loops of several levels are called in several ways, so that these levels share no function.
    SeveralForms,
    /// The code generator or the format of the file says no: a sentence for people.
    Failed(String),
}

/// What decides a length that is no length of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LengthOrigin {
    /// Data decides it.
    Data,
    /// Data decides it, and the elements are reduced, so that no result has the length.
    Reduced,
    /// A mask decides it, and no data decides the mask.
    Counted,
    /// Other lengths decide it, in a way that `decided.rs` does not know.
    Computed,
    /// The step of a loop decides it.
    Step,
}

impl LengthOrigin {
    fn text(self) -> &'static str {
        match self {
            LengthOrigin::Data => {
                "data decides a length, and memory is the caller's, so it must be known before: take all elements and \
                 a mask, as in `where(x > 0, x, 0)`, say how many there are, as in `bincount(k, length=5)`, or take a \
                 length of an input, as `k` of `input y: f32[k]`"
            }
            LengthOrigin::Reduced => {
                "data decides a length, and memory is the caller's, so it must be known before: reduce all elements \
                 under a mask, as in `sum(x, where=x > 0)`, `mean(x, where=x > 0)`, \
                 `max(x, where=x > 0, initial=-inf)`"
            }
            LengthOrigin::Counted => {
                "the length of this is counted when it runs, and memory is the caller's, so it must be known before: \
                 take all elements and a mask, as in `where(arange(n)[:, None] < arange(n), x, 0)`"
            }
            LengthOrigin::Computed => {
                "the length of this is computed when it runs, and memory is the caller's, so it must be known before: \
                 of other lengths it is made with `+`, `-`, `*`, `//`, `minimum`, `maximum` and `abs`"
            }
            LengthOrigin::Step => {
                "each step of a loop decides a length, and memory is the caller's: take all elements and a mask, as in \
                 `sort(where(arange(n) < t, x, inf))` for `sort(x[:t])`, or as many in each step, as in `x[t:t+3]`"
            }
        }
    }
}

impl fmt::Display for BuildRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildRefusal::NoOutput => {
                f.write_str("the script has no `output` and no bare expression, so there is nothing to compute")
            }
            BuildRefusal::TakenName(name) => write!(f, "`{name}` is a name of C already: give another with `--name`"),
            BuildRefusal::Target(said) | BuildRefusal::Failed(said) => f.write_str(said),
            BuildRefusal::Library => f.write_str("this is computed by a library, and an object needs none"),
            BuildRefusal::Length { found, function: None } => f.write_str(found.text()),
            BuildRefusal::Length { found, function: Some(name) } => {
                write!(f, "{}; here it is counted in `{name}`", found.text())
            }
            BuildRefusal::Bounds(length) => write!(
                f,
                "the length {length} is below 0 or too large for some inputs: give the lengths of inputs as numbers, \
                 as in `--at 'x:f32[2]'`"
            ),
            BuildRefusal::UnknownLength(name) => write!(f, "the length `{name}` is that of no input"),
            BuildRefusal::LaterLength => f.write_str("a length of it is not known before it runs"),
            BuildRefusal::TooManyLengths { count, most } => {
                write!(f, "its shapes have {count} unknown lengths, and code is built for at most {most}")
            }
            BuildRefusal::SeveralPlans => f.write_str("what it does with memory depends on the lengths of its inputs"),
            BuildRefusal::Prim { prim, of } => write!(f, "{} of {of} has no code outside of arr", prim.name()),
            BuildRefusal::Conversion { from, to } => {
                write!(f, "the conversion of {from} to {to} has no code outside of arr")
            }
            BuildRefusal::SeveralForms => f.write_str("levels have loops of several forms"),
        }
    }
}
