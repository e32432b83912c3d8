//! The type of an expression's elements: a dtype, or one of the weak types of literals.
//!
//! A weak type is a node of the promotion lattice like any dtype, visible in every message (`1 : i*`), and gone
//! before anything runs.

use super::dtype::{DType, Kind};
use std::fmt;
use std::str::FromStr;

/// A dtype or a weak type.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub enum Elem {
    /// A dtype that was chosen.
    Strong(DType),
    /// `i*`: an integer whose dtype the other operands decide.
    WeakInt,
    /// `f*`: a float whose dtype the other operands decide.
    WeakFloat,
    /// `c*`: a complex number whose dtype the other operands decide.
    WeakComplex,
}

impl Elem {
    /// The dtypes, then the weak types: rows and columns of every table.
    pub fn all() -> impl Iterator<Item = Elem> + Clone {
        DType::ALL.into_iter().map(Elem::Strong).chain(Elem::WEAK)
    }

    const WEAK: [Elem; 3] = [Elem::WeakInt, Elem::WeakFloat, Elem::WeakComplex];

    /// How many dtypes and weak types there are.
    pub const COUNT: usize = DType::ALL.len() + Elem::WEAK.len();

    /// A number below [`Elem::COUNT`], for tables and bit masks.
    pub const fn index(self) -> usize {
        match self {
            Elem::Strong(dtype) => dtype as usize,
            Elem::WeakInt => DType::ALL.len(),
            Elem::WeakFloat => DType::ALL.len() + 1,
            Elem::WeakComplex => DType::ALL.len() + 2,
        }
    }

    /// The inverse of [`Elem::index`].
    pub fn from_index(index: usize) -> Option<Elem> {
        match DType::ALL.get(index) {
            Some(&dtype) => Some(Elem::Strong(dtype)),
            None => Elem::WEAK.get(index - DType::ALL.len()).copied(),
        }
    }

    /// Whether the type is weak.
    pub fn is_weak(self) -> bool {
        !matches!(self, Elem::Strong(_))
    }

    /// The dtype, unless it is weak.
    pub fn strong(self) -> Option<DType> {
        match self {
            Elem::Strong(dtype) => Some(dtype),
            Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex => None,
        }
    }

    /// The kind; a weak integer counts as signed.
    pub fn kind(self) -> Kind {
        match self {
            Elem::Strong(dtype) => dtype.kind(),
            Elem::WeakInt => Kind::Signed,
            Elem::WeakFloat => Kind::Float,
            Elem::WeakComplex => Kind::Complex,
        }
    }

    /// The name as users write and see it.
    pub fn name(self) -> &'static str {
        match self {
            Elem::Strong(dtype) => dtype.name(),
            Elem::WeakInt => "i*",
            Elem::WeakFloat => "f*",
            Elem::WeakComplex => "c*",
        }
    }
}

impl From<DType> for Elem {
    fn from(dtype: DType) -> Elem {
        Elem::Strong(dtype)
    }
}

impl fmt::Display for Elem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Elem {
    type Err = ();
    fn from_str(text: &str) -> Result<Elem, ()> {
        let weak = Elem::WEAK.into_iter().find(|elem| elem.name() == text);
        weak.map_or_else(|| text.parse().map(Elem::Strong), Ok)
    }
}
