//! The meaning of integers: words, days, moments. Kernels compute with the integers; people see what is meant.
//!
//! ```
//! use arrlang::array::{Array, logical::Logical};
//! let codes = Array::from_elements(&[3], &[0i32, 1, 0]);
//! let words = Logical::Words(vec!["AAPL".to_owned(), "MSFT".to_owned()]);
//! assert_eq!(words.text(1), "MSFT");
//! assert_eq!(codes.with_logical(words).logical().unwrap().text(0), "AAPL");
//! assert_eq!((Logical::Date.text(20_779), Logical::Time.text(1_500_000)), ("2026-11-22".into(), "1970-01-01T00:00:01.5".into()));
//! ```

use super::{Array, calendar};
use crate::scalar::Scalar;
use crate::types::DType;
use std::sync::Arc;

/// What the integers of an array mean.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Logical {
    /// Each is the place of its word among these.
    Words(Vec<String>),
    /// Days since 1970-01-01.
    Date,
    /// Microseconds since 1970-01-01T00:00Z.
    Time,
}

impl Logical {
    /// How people write an element.
    pub fn text(&self, number: i64) -> String {
        match self {
            Logical::Words(words) => {
                usize::try_from(number).ok().and_then(|at| words.get(at)).cloned().unwrap_or_else(|| number.to_string())
            }
            Logical::Date => calendar::date_text(number),
            Logical::Time => calendar::time_text(number),
        }
    }

    /// The element that a text means; `None` where it means none.
    pub fn number(&self, text: &str) -> Option<i64> {
        match self {
            Logical::Words(words) => words.iter().position(|word| word == text).and_then(|at| i64::try_from(at).ok()),
            Logical::Date => calendar::date(text.as_bytes()),
            Logical::Time => calendar::time(text.as_bytes()).ok(),
        }
    }

    /// A number of this meaning as an element of some integer dtype.
    pub fn element(number: i64, dtype: DType) -> Scalar {
        Scalar { dtype, bits: number as u128 & (u128::MAX >> (128 - dtype.bits())) }
    }

    /// What elements of this meaning and of another mean beside each other. Words are those of the longer list, where
    /// it begins with the other.
    pub fn join<'a>(&'a self, other: &'a Logical) -> Option<&'a Logical> {
        match (self, other) {
            // Codes whose words are not known mean none of those that are.
            (Logical::Words(one), Logical::Words(two)) if one.is_empty() != two.is_empty() => None,
            (Logical::Words(one), Logical::Words(two)) if one.len() < two.len() => {
                two.starts_with(one).then_some(other)
            }
            (Logical::Words(one), Logical::Words(two)) => one.starts_with(two).then_some(self),
            _ => (self == other).then_some(self),
        }
    }

    /// The meaning that a type says: `date[n]`, `time[n]`, `words[n]`. No type says which words.
    pub fn by_name(name: &str) -> Option<Logical> {
        [Logical::Date, Logical::Time, Logical::Words(Vec::new())].into_iter().find(|it| it.name() == name)
    }

    /// The dtype of the integers.
    pub fn dtype(&self) -> DType {
        match self {
            Logical::Words(_) => DType::I32,
            Logical::Date | Logical::Time => DType::I64,
        }
    }

    /// What the elements are called.
    pub fn name(&self) -> &'static str {
        match self {
            Logical::Words(_) => "words",
            Logical::Date => "date",
            Logical::Time => "time",
        }
    }
}

impl Array {
    /// The same array, of which it is known what its integers mean.
    #[must_use]
    pub fn with_logical(mut self, logical: Logical) -> Array {
        self.logical = Some(Arc::new(logical));
        self
    }

    /// The same array with the meaning of another's elements.
    #[must_use]
    pub fn meaning_as(mut self, other: &Array) -> Array {
        self.logical.clone_from(&other.logical);
        self
    }

    /// What the integers mean, if they mean anything else.
    pub fn logical(&self) -> Option<&Logical> {
        self.logical.as_deref()
    }
}
