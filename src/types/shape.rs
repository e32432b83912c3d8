//! Shapes with named dimensions, and broadcasting that says why it fails.
//!
//! A dimension is an affine form over names, `2*n - 1`; a number is the form without names. Numbers broadcast as
//! in NumPy. A name never broadcasts as 1, whatever it turns out to be, and two different forms are not assumed
//! equal. With data bound, every name is a number before checking begins.

use std::fmt;

/// A dimension: a number, or a number plus multiples of names.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Dim {
    /// A known size.
    Const(u64),
    /// `2*n - 1`: names in order with nonzero factors, plus a constant.
    Affine(Box<Affine>),
}

/// `sum(factor * name) + constant`, with at least one name.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Affine {
    /// Names in alphabetical order, each once, with its factor, never 0.
    pub terms: Vec<(String, i64)>,
    /// What is added.
    pub constant: i64,
}

/// The dimensions of an array, outermost first.
pub type Shape = Vec<Dim>;

impl Dim {
    /// The dimension with this name.
    pub fn name(name: &str) -> Dim {
        Dim::Affine(Box::new(Affine { terms: vec![(name.to_owned(), 1)], constant: 0 }))
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
        let mut sum = self.parts()?;
        add(&mut sum, &other.parts()?, factor)?;
        Dim::of_parts(sum)
    }

    /// The size with another in place of a name; itself where that would be negative.
    pub fn substituted(&self, name: &str, size: &Dim) -> Dim {
        let Dim::Affine(affine) = self else { return self.clone() };
        let Ok(at) = affine.terms.binary_search_by(|(known, _)| known.as_str().cmp(name)) else { return self.clone() };
        let factor = affine.terms[at].1;
        let mut terms = affine.terms.clone();
        terms.remove(at);
        let mut sum = (terms, affine.constant);
        let found = size.parts().and_then(|parts| {
            add(&mut sum, &parts, factor)?;
            Dim::of_parts(sum)
        });
        found.unwrap_or_else(|| self.clone())
    }

    /// What it takes for two sizes to be equal.
    pub fn equation(&self, other: &Dim) -> Equation {
        let (Some(mut difference), Some(parts)) = (self.parts(), other.parts()) else { return Equation::Open };
        if add(&mut difference, &parts, -1).is_none() {
            return Equation::Open;
        }
        let (terms, constant) = difference;
        let Some(divisor) = terms.iter().map(|(_, factor)| factor.unsigned_abs()).reduce(gcd) else {
            return if constant == 0 { Equation::Always } else { Equation::Never };
        };
        let Ok(divisor) = i64::try_from(divisor) else { return Equation::Open };
        if constant % divisor != 0 {
            return Equation::Never;
        }
        let terms: Vec<(String, i64)> = terms.into_iter().map(|(name, factor)| (name, factor / divisor)).collect();
        let constant = constant / divisor;
        // The last name in alphabetical order goes, so that `n == m` calls both `m`.
        let Some(at) = terms.iter().rposition(|(_, factor)| factor.abs() == 1) else { return Equation::Open };
        let (name, sign) = terms[at].clone();
        let rest = terms.iter().enumerate().filter(|(index, _)| *index != at);
        let rest = rest.map(|(_, (name, factor))| (name.clone(), -sign * factor)).collect();
        match Dim::of_parts((rest, -sign * constant)) {
            Some(size) => Equation::Name(name, size),
            None => Equation::Never,
        }
    }

    fn of_parts((terms, constant): Parts) -> Option<Dim> {
        if terms.is_empty() {
            return u64::try_from(constant).ok().map(Dim::Const);
        }
        Some(Dim::Affine(Box::new(Affine { terms, constant })))
    }

    /// The size when names have the sizes that `size_of` answers.
    pub fn evaluate(&self, size_of: impl Fn(&str) -> Option<u64>) -> Option<u64> {
        match self {
            Dim::Const(size) => Some(*size),
            Dim::Affine(affine) => {
                let mut sum = affine.constant;
                for (name, factor) in &affine.terms {
                    let size = i64::try_from(size_of(name)?).ok()?;
                    sum = sum.checked_add(factor.checked_mul(size)?)?;
                }
                u64::try_from(sum).ok()
            }
        }
    }

    fn parts(&self) -> Option<Parts> {
        match self {
            Dim::Const(size) => Some((Vec::new(), i64::try_from(*size).ok()?)),
            Dim::Affine(affine) => Some((affine.terms.clone(), affine.constant)),
        }
    }
}

/// Names in order with nonzero factors, and a constant, which may be negative here.
type Parts = (Vec<(String, i64)>, i64);

/// Adds `factor` times other parts; nothing when numbers become too large.
fn add(sum: &mut Parts, others: &Parts, factor: i64) -> Option<()> {
    for (name, times) in &others.0 {
        let times = times.checked_mul(factor)?;
        match sum.0.binary_search_by(|(known, _)| known.as_str().cmp(name)) {
            Ok(at) => sum.0[at].1 = sum.0[at].1.checked_add(times)?,
            Err(at) => sum.0.insert(at, (name.clone(), times)),
        }
    }
    sum.0.retain(|&(_, times)| times != 0);
    sum.1 = sum.1.checked_add(others.1.checked_mul(factor)?)?;
    Some(())
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
}

/// What it takes for two sizes to be equal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Equation {
    /// Nothing: they are.
    Always,
    /// They cannot be.
    Never,
    /// This name must be this size.
    Name(String, Dim),
    /// More than one name decides, and none can be told from the others.
    Open,
}

/// Names that stand for other sizes, because they were found to be equal.
#[derive(Clone, Default, Debug)]
pub struct Equal {
    names: Vec<(String, Dim)>,
}

impl Equal {
    /// Whether nothing was found to be equal.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A size with what is known by now.
    pub fn of(&self, dim: &Dim) -> Dim {
        self.names.iter().fold(dim.clone(), |dim, (name, size)| dim.substituted(name, size))
    }

    /// From now on a name stands for a size.
    pub fn add(&mut self, name: &str, size: &Dim) {
        self.names.iter_mut().for_each(|(_, known)| *known = known.substituted(name, size));
        self.names.push((name.to_owned(), size.clone()));
    }
}

impl fmt::Display for Dim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let affine = match self {
            Dim::Const(size) => return write!(f, "{size}"),
            Dim::Affine(affine) => affine,
        };
        for (index, (name, factor)) in affine.terms.iter().enumerate() {
            let sign = if *factor < 0 {
                "-"
            } else if index > 0 {
                "+"
            } else {
                ""
            };
            match factor.unsigned_abs() {
                1 => write!(f, "{sign}{name}")?,
                times => write!(f, "{sign}{times}*{name}")?,
            }
        }
        match affine.constant {
            0 => Ok(()),
            constant => write!(f, "{constant:+}"),
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
        /// The other.
        right: Dim,
    },
    /// A name meets another name or a number: they may be equal, but nothing says so.
    Names {
        /// Position from the right, 0 for the last.
        from_right: usize,
        /// The one dimension.
        left: Dim,
        /// The other.
        right: Dim,
    },
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Mismatch::Sizes { left, right, .. } => write!(f, "length {left} and {right} differ"),
            Mismatch::Names { left, right, .. } => write!(f, "dimension {left} and {right} are not known to be equal"),
        }
    }
}

/// The shape that two shapes broadcast to.
///
/// # Errors
/// The first position from the right where they do not fit.
pub fn broadcast(left: &[Dim], right: &[Dim]) -> Result<Shape, Mismatch> {
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
    fn equations_are_solved_for_a_name() {
        let (n, m) = (Dim::name("n"), Dim::name("m"));
        assert_eq!(n.equation(&n), Equation::Always);
        assert_eq!(Dim::Const(3).equation(&Dim::Const(4)), Equation::Never);
        assert_eq!(m.equation(&n), Equation::Name("n".into(), m.clone()));
        assert_eq!(n.equation(&Dim::Const(3)), Equation::Name("n".into(), Dim::Const(3)));
        let twice = n.add_scaled(&n, 1).unwrap();
        assert_eq!(twice.equation(&Dim::Const(6)), Equation::Name("n".into(), Dim::Const(3)));
        assert_eq!(twice.equation(&Dim::Const(7)), Equation::Never);
        let longer = n.add_scaled(&Dim::Const(5), 1).unwrap();
        assert_eq!(longer.equation(&Dim::Const(3)), Equation::Never, "n would be negative");
        let mut equal = Equal::default();
        equal.add("n", &m);
        equal.add("m", &Dim::Const(4));
        assert_eq!(equal.of(&longer), Dim::Const(9));
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
