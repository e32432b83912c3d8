//! Shapes with named dimensions, whose broadcasting says why it fails.
//!
//! A dimension is a number or a form over names, `2*n - 1`. Numbers broadcast as in NumPy. A name never broadcasts
//! as 1, whatever it turns out to be, and two different forms are not assumed equal. With data bound, every name is
//! a number before checking begins; but no axis goes for its length of 1 whose length has a name without data.

use super::affine::{Affine, Atom};
use std::fmt;

/// A dimension: a number, or a form over names.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Dim {
    /// A known size.
    Const(u64),
    /// `2*n - 1`, with at least one unknown.
    Affine(Box<Affine>),
}

/// The dimensions of an array, outermost first.
pub type Shape = Vec<Dim>;

impl Dim {
    /// The dimension with this name.
    pub fn name(name: &str) -> Dim {
        Dim::Affine(Box::new(Affine::name(name)))
    }

    /// The name, if the dimension is one and nothing else.
    pub fn as_name(&self) -> Option<&str> {
        match self {
            Dim::Affine(form) => match (form.terms.as_slice(), form.constant) {
                ([(Atom::Name(name), 1)], 0) => Some(name),
                _ => None,
            },
            Dim::Const(_) => None,
        }
    }

    /// The dimension of a form; `None` when it is a number below 0.
    pub fn of(form: Affine) -> Option<Dim> {
        match form.known() {
            Some(size) => u64::try_from(size).ok().map(Dim::Const),
            None => Some(Dim::Affine(Box::new(form))),
        }
    }

    /// As a form, in which arithmetic is done; `None` beyond 63 bits.
    pub fn form(&self) -> Option<Affine> {
        match self {
            Dim::Const(size) => i64::try_from(*size).ok().map(Affine::constant),
            Dim::Affine(form) => Some((**form).clone()),
        }
    }

    /// The size, if it is known.
    pub fn known(&self) -> Option<u64> {
        match self {
            Dim::Const(size) => Some(*size),
            Dim::Affine(_) => None,
        }
    }

    /// `self + factor * other`; `None` when it overflows or would be negative.
    pub fn add_scaled(&self, other: &Dim, factor: i64) -> Option<Dim> {
        Dim::of(self.form()?.plus(&other.form()?, factor)?)
    }

    /// The product; `None` when it overflows.
    pub fn multiply(&self, other: &Dim) -> Option<Dim> {
        Dim::of(self.form()?.multiply(&other.form()?)?)
    }

    /// The size when names have the sizes that `size_of` answers.
    pub fn evaluate(&self, size_of: impl Fn(&str) -> Option<u64>) -> Option<u64> {
        match self {
            Dim::Const(size) => Some(*size),
            Dim::Affine(form) => u64::try_from(form.evaluate(&size_of)?).ok(),
        }
    }

    /// The size with another in place of a name; itself where that would be negative.
    pub fn substitute(&self, name: &str, size: &Dim) -> Dim {
        let Dim::Affine(form) = self else { return self.clone() };
        if !self.has_name(name) {
            return self.clone();
        }
        let found = form.substitute(&|known| if known == name { size.form() } else { None });
        found.and_then(Dim::of).unwrap_or_else(|| self.clone())
    }

    /// Whether it is known to be at least this large, whatever sizes the names have.
    pub fn is_at_least(&self, least: u64) -> bool {
        match self {
            Dim::Const(size) => *size >= least,
            Dim::Affine(form) => {
                let rest = i64::try_from(least).ok().and_then(|least| form.plus(&Affine::constant(least), -1));
                rest.is_some_and(|rest| rest.is_never_negative())
            }
        }
    }

    /// Whether the two are different lengths, whatever sizes the names have.
    pub fn always_differs(&self, other: &Dim) -> bool {
        let above = |low: &Dim, high: &Dim| {
            let gap = high.form()?.plus(&low.form()?, -1)?.plus(&Affine::constant(1), -1)?;
            Some(gap.is_never_negative())
        };
        above(self, other) == Some(true) || above(other, self) == Some(true)
    }

    /// Whether this name is in it.
    pub fn has_name(&self, wanted: &str) -> bool {
        let mut found = false;
        self.names(&mut |name| found |= name == wanted);
        found
    }

    /// Calls `each` with every name in it.
    pub fn names<'a>(&'a self, each: &mut impl FnMut(&'a str)) {
        if let Dim::Affine(form) = self {
            form.names(each);
        }
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Dim::Const(size) => write!(f, "{size}"),
            Dim::Affine(form) => form.fmt(f),
        }
    }
}

/// Writes a shape as in types: `[3, n]`, and nothing for a scalar.
pub fn show(shape: &[Dim]) -> String {
    if shape.is_empty() {
        return String::new();
    }
    let dims: Vec<String> = shape.iter().map(Dim::to_string).collect();
    format!("[{}]", dims.join(", "))
}

/// The sizes of a shape, when all are known.
pub fn sizes(shape: &[Dim]) -> Option<Vec<usize>> {
    shape.iter().map(|dim| dim.known().and_then(|size| usize::try_from(size).ok())).collect()
}

/// Why two shapes do not broadcast.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mismatch {
    /// Two numbers differ and neither is 1.
    Sizes {
        /// Position from the right, 0 for the last.
        from_right: usize,
        /// The one size.
        left: Dim,
        /// The other length.
        right: Dim,
    },
    /// A name meets another name or a number: they may be equal, but nothing says so.
    Names {
        /// Position from the right, 0 for the last.
        from_right: usize,
        /// The one dimension.
        left: Dim,
        /// The other length.
        right: Dim,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Sizes { left, right, .. } => write!(f, "length {left} and {right} differ"),
            Mismatch::Names { left, right, .. } if left.always_differs(right) => {
                write!(f, "length {left} and {right} differ")
            }
            Mismatch::Names { left, right, .. } => write!(f, "dimension {left} and {right} are not known to be equal"),
        }
    }
}

/// The shape that two shapes broadcast to.
///
/// # Errors
/// The first position from the right where they do not fit.
pub fn broadcast(left: &[Dim], right: &[Dim]) -> Result<Shape, Mismatch> {
    if right.is_empty() || left == right {
        return Ok(left.to_vec());
    }
    if left.is_empty() {
        return Ok(right.to_vec());
    }
    let rank = left.len().max(right.len());
    let mut shape = Vec::with_capacity(rank);
    for from_right in (0..rank).rev() {
        let at = |shape: &[Dim]| shape.len().checked_sub(from_right + 1).map(|index| shape[index].clone());
        shape.push(match (at(left), at(right)) {
            (Some(dim), None) | (None, Some(dim)) => dim,
            (Some(Dim::Const(1)), Some(dim)) | (Some(dim), Some(Dim::Const(1))) => dim,
            (Some(left), Some(right)) if left == right => left,
            (Some(left), Some(right)) => {
                let numbers = left.known().is_some() && right.known().is_some();
                return Err(match numbers {
                    true => Mismatch::Sizes { from_right, left, right },
                    false => Mismatch::Names { from_right, left, right },
                });
            }
            (None, None) => unreachable!("a position below the rank is in one of the shapes"),
        });
    }
    Ok(shape)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shape(dims: &[&str]) -> Shape {
        dims.iter().map(|dim| dim.parse().map_or_else(|_| Dim::name(dim), Dim::Const)).collect()
    }

    #[test]
    fn one_stretches_and_missing_dimensions_are_added_on_the_left() {
        assert_eq!(broadcast(&shape(&["3", "1"]), &shape(&["n"])), Ok(shape(&["3", "n"])));
    }

    #[test]
    fn a_name_does_not_broadcast_as_a_number() {
        let error = broadcast(&shape(&["n"]), &shape(&["3"])).unwrap_err();
        assert_eq!(error.to_string(), "dimension n and 3 are not known to be equal");
    }

    #[test]
    fn affine_forms_add_and_cancel() {
        let n = Dim::name("n");
        let twice = n.add_scaled(&n, 1).and_then(|d| d.add_scaled(&Dim::Const(1), -1)).unwrap();
        assert_eq!(twice.to_string(), "2*n-1");
        assert_eq!(twice.add_scaled(&n, -2), None, "would be -1");
        assert_eq!(twice.evaluate(|_| Some(5)), Some(9));
    }
}
