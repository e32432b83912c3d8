//! The conditions under which sizes are equal, with names found to stand for others.

use super::affine::{Affine, Atom};
use super::shape::Dim;
use std::collections::HashMap;

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
    /// What it takes for two sizes to be equal. The last name in alphabetical order goes, so that `n == m` calls both
    /// `m`.
    pub fn equation(&self, other: &Dim) -> Equation {
        self.equation_for(other, |_| 0)
    }

    /// What it takes for two sizes to be equal, where `rank` says which names should go: of the names that could go,
    /// one of the highest rank does.
    pub fn equation_for(&self, other: &Dim, rank: impl Fn(&str) -> usize) -> Equation {
        let difference = self.form().zip(other.form()).and_then(|(left, right)| left.plus(&right, -1));
        let Some(Affine { mut terms, constant }) = difference else { return Equation::Open };
        let Some(divisor) = terms.iter().map(|(_, factor)| factor.unsigned_abs()).reduce(gcd) else {
            return if constant == 0 { Equation::Always } else { Equation::Never };
        };
        let Ok(divisor) = i64::try_from(divisor) else { return Equation::Open };
        if constant % divisor != 0 || self.always_differs(other) {
            return Equation::Never;
        }
        terms.iter_mut().for_each(|(_, factor)| *factor /= divisor);
        // It must not stand in a quotient too.
        let alone = |wanted: &str| {
            let mut found = 0;
            terms.iter().for_each(|(atom, _)| atom.names(&mut |name| found += usize::from(name == wanted)));
            found == 1
        };
        let ranked = terms.iter().enumerate().filter_map(|(at, (atom, factor))| match atom {
            Atom::Name(name) if factor.abs() == 1 && alone(name) => Some((rank(name), at)),
            Atom::Name(_) | Atom::Quotient(..) | Atom::Least(..) | Atom::Product(_) => None,
        });
        let solved = ranked.max().map(|(_, at)| at);
        let Some((Atom::Name(name), sign)) = solved.map(|at| terms.remove(at)) else { return Equation::Open };
        let rest = Affine { terms, constant: constant / divisor };
        match Affine::constant(0).plus(&rest, -sign).map(Dim::of) {
            Some(Some(size)) => Equation::Name(name, size),
            Some(None) => Equation::Never,
            None => Equation::Open,
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
    /// Where each name stands first.
    places: HashMap<String, usize>,
}

impl Equal {
    /// How much was found to be equal.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether nothing was found to be equal.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// A size with what is known by now.
    pub fn of(&self, dim: &Dim) -> Dim {
        let mut first = self.names.len();
        dim.names(&mut |name| first = self.places.get(name).map_or(first, |&place| place.min(first)));
        self.names[first..].iter().fold(dim.clone(), |dim, (name, size)| match dim.has_name(name) {
            true => dim.substitute(name, size),
            false => dim,
        })
    }

    /// From now on a name stands for a size.
    pub fn add(&mut self, name: &str, size: &Dim) {
        for (_, known) in self.names.iter_mut().filter(|(_, known)| known.has_name(name)) {
            *known = known.substitute(name, size);
        }
        self.places.entry(name.to_owned()).or_insert(self.names.len());
        self.names.push((name.to_owned(), size.clone()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(equal.of(&m), Dim::Const(4));
        assert_eq!(equal.of(&Dim::name("k")), Dim::name("k"), "nothing is known of it");
    }
}
