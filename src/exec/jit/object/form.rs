//! Numbers that wait for the lengths of inputs: polynomials over the unknowns of a program's shapes.

use crate::types::Dim;
use crate::types::affine::Affine;
use crate::types::affine::Atom;

/// Something that is not known before a call: a length by its name, or a quotient or a minimum of lengths.
pub(super) type Unknown = Atom;

/// A product of unknowns, which are given by their numbers in order. The product of none is 1.
pub(super) type Monomial = Vec<usize>;

/// A sum of multiples of products. A known number is a multiple of no unknowns.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct LinearForm {
    pub(super) terms: Vec<(Monomial, i64)>,
}

impl LinearForm {
    pub(super) fn known(&self) -> Option<i64> {
        match self.terms.as_slice() {
            [] => Some(0),
            [(monomial, factor)] if monomial.is_empty() => Some(*factor),
            _ => None,
        }
    }
}

/// The unknowns of some dimensions. Each stands behind those that it is made of.
#[derive(Debug, Default)]
pub(super) struct Unknowns {
    pub(super) all: Vec<Unknown>,
}

impl Unknowns {
    /// Adds the unknowns of a dimension.
    pub(super) fn add(&mut self, dim: &Dim) {
        if let Dim::Affine(form) = dim {
            self.add_form(form);
        }
    }

    fn add_form(&mut self, form: &Affine) {
        form.terms.iter().for_each(|(atom, _)| self.add_atom(atom));
    }

    pub(super) fn add_atom(&mut self, atom: &Atom) {
        match atom {
            Atom::Name(_) => {}
            Atom::Quotient(dividend, _) => self.add_form(dividend),
            Atom::Least(left, right) => {
                self.add_form(left);
                self.add_form(right);
            }
            Atom::Product(factors) => return factors.iter().for_each(|factor| self.add_atom(factor)),
        }
        if !self.all.contains(atom) {
            self.all.push(atom.clone());
        }
    }

    /// A size of compile time as a form over the unknowns, all of which must be known here.
    pub(super) fn form(&self, size: &Affine) -> LinearForm {
        let number = |atom: &Atom| self.all.iter().position(|known| known == atom).expect("its unknowns were added");
        let mut terms = Vec::new();
        if size.constant != 0 {
            terms.push((Monomial::new(), size.constant));
        }
        for (atom, factor) in &size.terms {
            let mut monomial: Monomial = match atom {
                Atom::Product(factors) => factors.iter().map(number).collect(),
                atom @ (Atom::Name(_) | Atom::Quotient(..) | Atom::Least(..)) => vec![number(atom)],
            };
            monomial.sort_unstable();
            terms.push((monomial, *factor));
        }
        LinearForm { terms }
    }

    /// The value of a dimension for these values of the unknowns.
    pub(super) fn value(&self, dim: &Dim, values: &[i64]) -> Option<i64> {
        let form = self.form(&dim.form()?);
        form.terms.iter().try_fold(0i64, |sum, (monomial, factor)| {
            let product = monomial.iter().try_fold(*factor, |product, &at| product.checked_mul(values[at]));
            sum.checked_add(product?)
        })
    }
}

/// Finds forms from the values that numbers have for several values of the unknowns.
#[derive(Debug)]
pub(super) struct Fit {
    monomials: Vec<Monomial>,
    /// For each monomial, how much each probe counts for its factor: the inverse of the matrix of their values.
    inverse: Vec<Vec<u64>>,
    /// The values of the monomials at the probes that only test.
    tests: Vec<Vec<i128>>,
}

/// The equations are solved modulo this prime. Factors are far below it.
const PRIME: u64 = (1 << 61) - 1;

/// How many probes test the form that the others gave.
const TESTS: usize = 3;

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn residue(value: i128) -> u64 {
    value.rem_euclid(i128::from(PRIME)) as u64
}

fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut exponent) = (1, a, PRIME - 2);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        exponent >>= 1;
    }
    result
}

/// Products of at most `degree` unknowns.
fn monomials(unknowns: usize, degree: usize) -> Vec<Monomial> {
    let mut all = vec![Monomial::new()];
    let mut last = all.clone();
    for _ in 0..degree {
        let longer = last.iter().flat_map(|short: &Monomial| {
            (short.last().copied().unwrap_or(0)..unknowns).map(|next| [short.clone(), vec![next]].concat())
        });
        last = longer.collect();
        all.extend(last.iter().cloned());
    }
    all
}

impl Fit {
    /// How many probes forms of a degree need.
    pub(super) fn probes(unknowns: usize, degree: usize) -> usize {
        monomials(unknowns, degree).len() + TESTS
    }

    /// A fit for these values of the unknowns at each probe. `None` if they do not tell the monomials apart.
    pub(super) fn new(probes: &[Vec<i64>], degree: usize) -> Option<Fit> {
        let monomials = monomials(probes.first()?.len(), degree);
        let value = |monomial: &Monomial, probe: &Vec<i64>| {
            monomial.iter().fold(1i128, |product, &unknown| product * i128::from(probe[unknown]))
        };
        let rows: Vec<Vec<i128>> =
            probes.iter().map(|probe| monomials.iter().map(|monomial| value(monomial, probe)).collect()).collect();
        let (solved, tests) = rows.split_at(monomials.len());
        Some(Fit { inverse: inverted(solved)?, monomials, tests: tests.to_vec() })
    }

    /// The form with these values at the probes, if there is one.
    pub(super) fn form(&self, values: &[i64]) -> Option<LinearForm> {
        if values.iter().all(|&value| value == values[0]) {
            let terms = if values[0] == 0 { Vec::new() } else { vec![(Monomial::new(), values[0])] };
            return Some(LinearForm { terms });
        }
        let residues: Vec<u64> = values.iter().map(|&value| residue(value.into())).collect();
        let factor = |row: &Vec<u64>| {
            let sum = row.iter().zip(&residues).fold(0u64, |sum, (&a, &b)| (sum + times(a, b)) % PRIME);
            if sum > PRIME / 2 { -((PRIME - sum) as i64) } else { sum as i64 }
        };
        let factors: Vec<i64> = self.inverse.iter().map(factor).collect();
        // Values that fit no form give factors of any size.
        if factors.iter().any(|factor| factor.unsigned_abs() > 1 << 48) {
            return None;
        }
        let solved = self.monomials.len();
        let holds = self.tests.iter().zip(&values[solved..]).all(|(row, &value)| {
            let sum: i128 = row.iter().zip(&factors).map(|(&value, &factor)| value * i128::from(factor)).sum();
            sum == i128::from(value)
        });
        let terms = self.monomials.iter().zip(&factors).filter(|(_, factor)| **factor != 0);
        holds.then(|| LinearForm { terms: terms.map(|(monomial, &factor)| (monomial.clone(), factor)).collect() })
    }
}

/// The inverse of a square matrix.
fn inverted(rows: &[Vec<i128>]) -> Option<Vec<Vec<u64>>> {
    let size = rows.len();
    let unit = |row: usize| (0..size).map(move |column| u64::from(row == column));
    let mut rows: Vec<Vec<u64>> = rows
        .iter()
        .enumerate()
        .map(|(index, row)| row.iter().map(|&value| residue(value)).chain(unit(index)).collect())
        .collect();
    for column in 0..size {
        let pivot = (column..size).find(|&row| rows[row][column] != 0)?;
        rows.swap(column, pivot);
        let by = inverse(rows[column][column]);
        rows[column].iter_mut().for_each(|value| *value = times(*value, by));
        let pivot = rows[column].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(row, _)| *row != column) {
            let factor = row[column];
            if factor != 0 {
                row.iter_mut().zip(&pivot).for_each(|(value, &above)| *value = minus(*value, times(factor, above)));
            }
        }
    }
    Some(rows.into_iter().map(|mut row| row.split_off(size)).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms_are_found_from_their_values() {
        let probes: Vec<Vec<i64>> =
            (0..Fit::probes(2, 2) as i64).map(|at| vec![1000 + at * at * 7, 5000 + at * 31 + at % 3]).collect();
        let fit = Fit::new(&probes, 2).unwrap();
        let of = |f: &dyn Fn(i64, i64) -> i64| fit.form(&probes.iter().map(|p| f(p[0], p[1])).collect::<Vec<_>>());
        assert_eq!(of(&|_, _| 7).unwrap().known(), Some(7));
        assert_eq!(of(&|n, _| n).unwrap().terms, [(vec![0], 1)]);
        let form = of(&|n, m| 8 * n * m - 4 * m + 3).unwrap();
        assert_eq!(form.terms, [(vec![], 3), (vec![1], -4), (vec![0, 1], 8)]);
        assert_eq!(of(&|n, m| n * m * m), None);
        assert_eq!(of(&|n, _| n / 2), None);
    }
}
