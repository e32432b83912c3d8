//! What it takes for two sizes to be equal, and names that stand for other sizes because they are.

use super::affine::Affine;
use super::atom::Atom;
use super::shape::Dim;

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

impl Dim {
    /// The size with another in place of a name; itself where that would be negative.
    #[must_use]
    pub fn substituted(&self, name: &str, size: &Dim) -> Dim {
        let Dim::Affine(form) = self else { return self.clone() };
        let Some(size) = size.form() else { return self.clone() };
        let of = |other: &str| (other == name).then(|| size.clone());
        form.substitute(&of).and_then(Dim::of).unwrap_or_else(|| self.clone())
    }

    /// What it takes for two sizes to be equal.
    pub fn equation(&self, other: &Dim) -> Equation {
        if self == other {
            return Equation::Always;
        }
        if self.always_differs(other) {
            return Equation::Never;
        }
        let difference = self.form().and_then(|form| form.plus(&other.form()?, -1));
        let Some(difference) = difference else { return Equation::Open };
        let divisor = difference.terms.iter().map(|(_, factor)| factor.unsigned_abs()).reduce(gcd);
        let Some(Ok(divisor)) = divisor.map(i64::try_from) else {
            return if difference.known() == Some(0) { Equation::Always } else { Equation::Never };
        };
        if difference.constant % divisor != 0 {
            return Equation::Never;
        }
        // The last name in alphabetical order goes, so that `n == m` calls both `m`.
        let decided = difference.terms.iter().rev().find_map(|(atom, factor)| {
            let Atom::Name(name) = atom else { return None };
            let factor = factor / divisor;
            let mut rest = difference.clone();
            rest.terms.retain(|(other, _)| other != atom);
            rest.terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
            rest.constant /= divisor;
            let mut within = false;
            rest.names(&mut |other| within |= other == name);
            (factor.abs() == 1 && !within).then(|| (name.clone(), Affine::constant(0).plus(&rest, -factor)))
        });
        match decided {
            Some((name, Some(form))) => match Dim::of(form) {
                Some(size) => Equation::Name(name, size),
                None => Equation::Never,
            },
            _ => Equation::Open,
        }
    }
}

fn gcd(a: u64, b: u64) -> u64 {
    if b == 0 { a } else { gcd(b, a % b) }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn dim(name: &str, factor: i64, constant: u64) -> Dim {
        let none = Dim::Const(0);
        none.add_scaled(&Dim::name(name), factor).and_then(|it| it.add_scaled(&Dim::Const(constant), 1)).unwrap()
    }

    #[test]
    fn an_equation_says_which_name_must_be_what() {
        let name = |name: &str, size| Equation::Name(name.to_owned(), size);
        assert_eq!(dim("n", 1, 0).equation(&dim("m", 1, 0)), name("n", Dim::name("m")));
        assert_eq!(dim("n", 2, 0).equation(&Dim::Const(6)), name("n", Dim::Const(3)));
        assert_eq!(dim("n", 2, 0).equation(&Dim::Const(5)), Equation::Never);
        assert_eq!(dim("n", 1, 3).equation(&Dim::Const(2)), Equation::Never);
        assert_eq!(dim("n", 1, 3).equation(&dim("n", 1, 3)), Equation::Always);
        assert_eq!(dim("n", 2, 0).equation(&dim("m", 3, 0)), Equation::Open);
    }

    #[test]
    fn equal_names_stand_for_each_other() {
        let mut equal = Equal::default();
        equal.add("n", &dim("m", 1, 1));
        equal.add("m", &Dim::Const(4));
        assert_eq!(equal.of(&dim("n", 2, 0)), Dim::Const(10));
        let half = Dim::name("n").form().unwrap().floor_divide(&Affine::constant(2)).and_then(Dim::of).unwrap();
        assert_eq!(equal.of(&half), Dim::Const(2));
    }
}
