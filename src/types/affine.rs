//! Integers of compile time over the sizes of dimensions: sums of multiples of unknowns, `2*n - 1`.
//!
//! Forms are kept in one shape, so that equal ones compare equal: unknowns in order, each once, no factor 0.
//! Arithmetic gives nothing where it overflows or where a form becomes too long to be of use.
//!
//! ```
//! use arrlang::types::affine::Affine;
//! let n = Affine::name("n");
//! let half = n.floor_divide(&Affine::constant(2)).unwrap();
//! assert_eq!(half.plus(&n, 2).unwrap().to_string(), "2*n+n//2");
//! assert!(n.plus(&half, -1).unwrap().is_never_negative());
//! ```

use super::most::most;

/// The most unknowns that a form may hold, counted with those inside quotients and products.
pub const MAX_WEIGHT: usize = 64;

/// Lengths below this are looked at one by one.
const TRIED_LENGTHS: u64 = 2;

/// `sum(factor * unknown) + constant`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Affine {
    /// Unknowns in order, each once, with its factor, never 0.
    pub terms: Vec<(Atom, i64)>,
    /// What is added.
    pub constant: i64,
}

/// Something whose size is not known: a name, or an operation on forms that has no simpler form.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Atom {
    /// `n`
    Name(String),
    /// `(n+1)//2`, rounded down. Multiples of the divisor are taken out, so that equal quotients look the same.
    Quotient(Box<Affine>, i64),
    /// `min(5, n)`: the smaller of two forms, in order.
    Least(Box<Affine>, Box<Affine>),
    /// `m*n`: at least two factors, in order.
    Product(Vec<Atom>),
}

impl Affine {
    /// A number.
    pub fn constant(constant: i64) -> Affine {
        Affine { terms: Vec::new(), constant }
    }

    /// The size with this name.
    pub fn name(name: &str) -> Affine {
        Affine::atom(Atom::Name(name.to_owned()))
    }

    fn atom(atom: Atom) -> Affine {
        Affine { terms: vec![(atom, 1)], constant: 0 }
    }

    /// The number, if there are no unknowns.
    pub fn known(&self) -> Option<i64> {
        self.terms.is_empty().then_some(self.constant)
    }

    /// The atom, if the form is nothing else.
    fn as_atom(&self) -> Option<&Atom> {
        match self.terms.as_slice() {
            [(atom, 1)] if self.constant == 0 => Some(atom),
            _ => None,
        }
    }

    /// Whether it is nothing but a name.
    pub fn is_name(&self) -> bool {
        matches!(self.as_atom(), Some(Atom::Name(_)))
    }

    /// Whether it needs no parentheses beside `//`.
    pub fn is_single(&self) -> bool {
        self.known().is_some_and(|value| value >= 0) || matches!(self.as_atom(), Some(Atom::Name(_) | Atom::Least(..)))
    }

    /// How many unknowns it holds, with those inside of others.
    pub fn weight(&self) -> usize {
        self.terms.iter().map(|(atom, _)| atom.weight()).sum()
    }

    /// Calls `each` with every name in it.
    pub fn names<'a>(&'a self, each: &mut impl FnMut(&'a str)) {
        self.terms.iter().for_each(|(atom, _)| atom.names(each));
    }

    /// `self + factor * other`
    pub fn plus(&self, other: &Affine, factor: i64) -> Option<Affine> {
        let mut sum = self.clone();
        for (atom, times) in &other.terms {
            sum.add_term(atom, times.checked_mul(factor)?)?;
        }
        sum.constant = sum.constant.checked_add(other.constant.checked_mul(factor)?)?;
        sum.limited()
    }

    fn add_term(&mut self, atom: &Atom, times: i64) -> Option<()> {
        match self.terms.binary_search_by(|(known, _)| known.cmp(atom)) {
            Ok(at) => {
                self.terms[at].1 = self.terms[at].1.checked_add(times)?;
                if self.terms[at].1 == 0 {
                    self.terms.remove(at);
                }
            }
            Err(_) if times == 0 => {}
            Err(at) => self.terms.insert(at, (atom.clone(), times)),
        }
        Some(())
    }

    fn limited(mut self) -> Option<Affine> {
        self.merge_quotients()?;
        (self.weight() <= MAX_WEIGHT).then_some(self)
    }

    /// Gives sums of quotients one form: `n//2 + (n+1)//2` is `n`, and `n - n//2` is `(n+1)//2`.
    fn merge_quotients(&mut self) -> Option<()> {
        let mut groups = Vec::new();
        self.quotients(&mut groups);
        // What a quotient is made of weighs less than it, and is looked at later.
        groups.sort_by(|a, b| b.0.weight().cmp(&a.0.weight()).then_with(|| a.cmp(b)));
        for (dividend, divisor) in &groups {
            // Of more quotients than there are terms, one is not there.
            let count = if *divisor > self.terms.len() as i64 { (*divisor).min(2) } else { *divisor };
            let factors: Vec<i64> = (0..count).map(|plus| self.times(&shifted(dividend, plus, *divisor))).collect();
            let taken = match *divisor {
                2 => factors[1],
                _ if count < *divisor => 0,
                _ if factors.iter().all(|times| *times > 0) => factors.into_iter().min()?,
                _ if factors.iter().all(|times| *times < 0) => factors.into_iter().max()?,
                _ => 0,
            };
            self.exchange(dividend, *divisor, taken)?;
        }
        for (dividend, divisor) in groups.iter().filter(|(_, divisor)| *divisor == 2) {
            let lower = self.times(&shifted(dividend, 0, 2));
            let whole = dividend.terms.first().map_or(0, |(atom, _)| self.times(atom));
            if lower < 0 && whole.checked_add(lower)? >= 0 {
                self.exchange(dividend, *divisor, lower)?;
            }
        }
        Some(())
    }

    /// The dividends of quotients, without a number that is added, and their divisors.
    fn quotients(&self, found: &mut Vec<(Affine, i64)>) {
        for (atom, _) in &self.terms {
            let Atom::Quotient(dividend, divisor) = atom else { continue };
            dividend.quotients(found);
            let group = (Affine { constant: 0, terms: dividend.terms.clone() }, *divisor);
            if !found.contains(&group) {
                found.push(group);
            }
        }
    }

    /// The factor of an unknown.
    fn times(&self, atom: &Atom) -> i64 {
        self.terms.binary_search_by(|(known, _)| known.cmp(atom)).map_or(0, |at| self.terms[at].1)
    }

    /// Puts `n`, this many times, in the place of `n//3 + (n+1)//3 + (n+2)//3`.
    fn exchange(&mut self, dividend: &Affine, divisor: i64, times: i64) -> Option<()> {
        if times == 0 {
            return Some(());
        }
        for plus in 0..divisor {
            self.add_term(&shifted(dividend, plus, divisor), times.checked_neg()?)?;
        }
        dividend.terms.iter().try_for_each(|(atom, more)| self.add_term(atom, times.checked_mul(*more)?))
    }

    /// `self * other`
    pub fn multiply(&self, other: &Affine) -> Option<Affine> {
        if let Some(factor) = other.known() {
            return Affine::constant(0).plus(self, factor);
        }
        let mut product = Affine::constant(0).plus(other, self.constant)?;
        product = product.plus(&Affine { constant: 0, ..self.clone() }, other.constant)?;
        for (left, times) in &self.terms {
            for (right, more) in &other.terms {
                product.add_term(&joined(left, right), times.checked_mul(*more)?)?;
                if product.weight() > MAX_WEIGHT {
                    return None;
                }
            }
        }
        product.limited()
    }

    /// `self // other`, rounded down; only by a number that is not 0, or where nothing is left over.
    pub fn floor_divide(&self, other: &Affine) -> Option<Affine> {
        let Some(divisor) = other.known() else { return self.divide(other) };
        match divisor {
            0 => None,
            ..0 => Affine::constant(0).plus(self, -1)?.floor_divide(&Affine::constant(divisor.checked_neg()?)),
            _ => self.quotient(divisor),
        }
    }

    fn quotient(&self, divisor: i64) -> Option<Affine> {
        let mut whole = Affine::constant(self.constant.div_euclid(divisor));
        let mut rest = Affine::constant(self.constant.rem_euclid(divisor));
        for (atom, times) in &self.terms {
            whole.add_term(atom, times.div_euclid(divisor))?;
            rest.add_term(atom, times.rem_euclid(divisor))?;
        }
        if rest.terms.is_empty() {
            return whole.limited();
        }
        // `(n//2 + 1)//3` is `(n + 2)//6`.
        let atom = match rest.terms.as_slice() {
            [(Atom::Quotient(dividend, inner), 1)] => {
                let shift = rest.constant.checked_mul(*inner)?;
                let dividend = dividend.plus(&Affine::constant(shift), 1)?;
                return whole.plus(&dividend.quotient(divisor.checked_mul(*inner)?)?, 1);
            }
            _ => Atom::Quotient(Box::new(rest), divisor),
        };
        whole.add_term(&atom, 1)?;
        whole.limited()
    }

    /// The smaller of two.
    pub fn least(&self, other: &Affine) -> Option<Affine> {
        if other.plus(self, -1).is_some_and(|rest| rest.is_never_negative()) {
            return Some(self.clone());
        }
        if self.plus(other, -1).is_some_and(|rest| rest.is_never_negative()) {
            return Some(other.clone());
        }
        let (low, high) = if self <= other { (self, other) } else { (other, self) };
        // `min(n, min(5, n))` is `min(5, n)`, and `min(3, min(5, n))` is `min(3, n)`.
        for (form, bound) in [(low, high), (high, low)] {
            if let Some(Atom::Least(left, right)) = form.as_atom() {
                let (left_bound, right_bound) = (left.least(bound)?, right.least(bound)?);
                if left_bound == **left || left_bound == *bound {
                    return left_bound.least(right);
                }
                if right_bound == **right || right_bound == *bound {
                    return left.least(&right_bound);
                }
            }
        }
        Affine::atom(Atom::Least(Box::new(low.clone()), Box::new(high.clone()))).limited()
    }

    /// Whether it is at least 0 whatever sizes the names have. `false` where that is not obvious.
    pub fn is_never_negative(&self) -> bool {
        self.bounded(8) || self.bounded_but_for_short()
    }

    /// As [`Affine::bounded`] from some size of the only name on, and computed below that: of `n - (n+2)//3`.
    fn bounded_but_for_short(&self) -> bool {
        let [(Atom::Name(name), _), rest @ ..] = self.terms.as_slice() else { return false };
        let mut alone = !rest.is_empty() && rest.iter().all(|(atom, _)| matches!(atom, Atom::Quotient(..)));
        rest.iter().for_each(|(atom, _)| atom.names(&mut |it| alone &= it == name));
        let short = |size: u64| self.evaluate(&|_| Some(size)).is_some_and(|value| value >= 0);
        let longer = |size: i64| Affine::name(name).plus(&Affine::constant(size), 1);
        let from = |size: i64| self.substitute(&|_| longer(size)).is_some_and(|form| form.bounded(8));
        alone && (0..TRIED_LENGTHS).all(short) && from(TRIED_LENGTHS as i64)
    }

    /// Replaces one unknown after the other by a bound of it, until only sizes with positive factors are left.
    fn bounded(&self, depth: usize) -> bool {
        // The smaller of two is one or the other: to look at both first loses nothing.
        let either = self.terms.iter().find(|(atom, times)| matches!(atom, Atom::Least(..)) && *times > 0);
        let negative = self.terms.iter().any(|(_, times)| *times < 0);
        let replaceable = either.filter(|_| negative).or_else(|| {
            self.terms.iter().find(|(atom, times)| match atom {
                Atom::Name(_) => false,
                Atom::Quotient(..) | Atom::Least(..) => *times < 0 || !is_size(atom),
                Atom::Product(_) => false,
            })
        });
        let part = || self.terms.iter().find(|(atom, times)| matches!(atom, Atom::Quotient(..)) && *times > 0);
        let has_most = |atom: &Atom| matches!(atom, Atom::Name(name) if most(name).is_some());
        let named = || self.terms.iter().find(|(atom, times)| *times < 0 && has_most(atom));
        let Some((atom, times)) = replaceable.or_else(|| part().filter(|_| negative)).or_else(named) else {
            return self.constant >= 0 && self.terms.iter().all(|(atom, times)| *times > 0 && is_size(atom));
        };
        if depth == 0 {
            return false;
        }
        let mut rest = self.clone();
        rest.terms.retain(|(other, _)| other != atom);
        match atom {
            // `-k * (e // d)` is at least `-k * e / d`, `k * (e // d)` at least `k * (e - d + 1) / d`.
            Atom::Quotient(dividend, divisor) => {
                let bound = match *times < 0 {
                    true => (**dividend).clone(),
                    false => match dividend.plus(&Affine::constant(1 - divisor), 1) {
                        Some(bound) => bound,
                        None => return false,
                    },
                };
                let scaled = Affine::constant(0).plus(&rest, *divisor);
                scaled.and_then(|all| all.plus(&bound, *times)).is_some_and(|all| all.bounded(depth - 1))
            }
            // `-k * min(a, b)` is at least `-k * a` and `-k * b`; `k * min(a, b)` is one of the two.
            Atom::Least(left, right) => {
                let mut each = [left, right]
                    .into_iter()
                    .map(|side| rest.plus(side, *times).is_some_and(|all| all.bounded(depth - 1)));
                if *times < 0 { each.any(|holds| holds) } else { each.all(|holds| holds) }
            }
            Atom::Name(name) => most(name)
                .and_then(|most| rest.plus(&Affine::constant(most), *times))
                .is_some_and(|all| all.bounded(depth - 1)),
            Atom::Product(_) => false,
        }
    }

    /// The number when names have the sizes that `size_of` answers.
    pub fn evaluate(&self, size_of: &impl Fn(&str) -> Option<u64>) -> Option<i64> {
        let form_of = |name: &str| Some(Affine::constant(i64::try_from(size_of(name)?).ok()?));
        self.substitute(&form_of)?.known()
    }

    /// The form when some names stand for other forms.
    pub fn substitute(&self, form_of: &impl Fn(&str) -> Option<Affine>) -> Option<Affine> {
        let mut sum = Affine::constant(self.constant);
        for (atom, times) in &self.terms {
            sum = sum.plus(&atom.substitute(form_of)?, *times)?;
        }
        Some(sum)
    }
}

/// Whether an unknown cannot be negative: names are sizes, and so is what is made of nothing else.
fn is_size(atom: &Atom) -> bool {
    match atom {
        Atom::Name(_) => true,
        Atom::Quotient(dividend, _) => dividend.is_never_negative(),
        Atom::Least(left, right) => left.is_never_negative() && right.is_never_negative(),
        Atom::Product(factors) => factors.iter().all(is_size),
    }
}

/// `(n+1)//2` of `n`, 1 and 2.
fn shifted(dividend: &Affine, plus: i64, divisor: i64) -> Atom {
    Atom::Quotient(Box::new(Affine { constant: plus, terms: dividend.terms.clone() }), divisor)
}

/// The product of two unknowns, its factors in order.
fn joined(left: &Atom, right: &Atom) -> Atom {
    let mut all = factors(left);
    all.extend(factors(right));
    all.sort();
    Atom::Product(all)
}

/// What an unknown is the product of, in order.
pub(super) fn factors(atom: &Atom) -> Vec<Atom> {
    match atom {
        Atom::Product(factors) => factors.clone(),
        other @ (Atom::Name(_) | Atom::Quotient(..) | Atom::Least(..)) => vec![other.clone()],
    }
}

impl Atom {
    /// How much there is of it: names count one. Forms beyond a limit are refused.
    pub fn weight(&self) -> usize {
        match self {
            Atom::Name(_) => 1,
            Atom::Quotient(dividend, _) => 1 + dividend.weight(),
            Atom::Least(left, right) => 1 + left.weight() + right.weight(),
            Atom::Product(factors) => factors.iter().map(Atom::weight).sum(),
        }
    }

    /// Calls `each` with every name in it.
    pub fn names<'a>(&'a self, each: &mut impl FnMut(&'a str)) {
        match self {
            Atom::Name(name) => each(name),
            Atom::Quotient(dividend, _) => dividend.names(each),
            Atom::Least(left, right) => {
                left.names(each);
                right.names(each);
            }
            Atom::Product(factors) => factors.iter().for_each(|factor| factor.names(each)),
        }
    }

    /// The form when each name stands for another form.
    pub fn substitute(&self, form_of: &impl Fn(&str) -> Option<Affine>) -> Option<Affine> {
        match self {
            Atom::Name(name) => Some(form_of(name).unwrap_or_else(|| Affine::name(name))),
            Atom::Quotient(dividend, divisor) => {
                dividend.substitute(form_of)?.floor_divide(&Affine::constant(*divisor))
            }
            Atom::Least(left, right) => left.substitute(form_of)?.least(&right.substitute(form_of)?),
            Atom::Product(factors) => {
                factors.iter().try_fold(Affine::constant(1), |all, it| all.multiply(&it.substitute(form_of)?))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn n() -> Affine {
        Affine::name("n")
    }

    fn number(value: i64) -> Affine {
        Affine::constant(value)
    }

    #[test]
    fn equal_forms_look_the_same() {
        let half = |form: &Affine| form.floor_divide(&number(2)).unwrap();
        let odd = n().multiply(&number(2)).unwrap().plus(&number(3), 1).unwrap();
        assert_eq!(half(&odd).to_string(), "n+1");
        assert_eq!(half(&half(&n())).to_string(), "n//4");
        assert_eq!(half(&n().plus(&number(1), 1).unwrap()).to_string(), "(n+1)//2");
        assert_eq!(half(&n().plus(&number(-1), 1).unwrap()).to_string(), "(n+1)//2-1");
        assert_eq!(n().floor_divide(&n()), Some(number(1)));
        let m = Affine::name("m");
        let square = n().plus(&m, 1).unwrap().multiply(&m.plus(&n(), 1).unwrap()).unwrap();
        assert_eq!(square.to_string(), "m*m+2*m*n+n*n");
        let shifted = n().plus(&number(1), 1).unwrap().multiply(&n().plus(&number(2), 1).unwrap()).unwrap();
        assert_eq!(shifted.to_string(), "3*n+n*n+2");
        let area = n().multiply(&m).unwrap().multiply(&number(6)).unwrap();
        assert_eq!(area.floor_divide(&m.multiply(&number(3)).unwrap()).unwrap().to_string(), "2*n");
        assert_eq!(area.floor_divide(&square), None);
    }

    #[test]
    fn sums_of_quotients_look_the_same() {
        let part = |plus: i64, by: i64| n().plus(&number(plus), 1).unwrap().floor_divide(&number(by)).unwrap();
        assert_eq!(part(0, 2).plus(&part(1, 2), 1), Some(n()));
        assert_eq!(n().plus(&part(0, 2), -1), Some(part(1, 2)));
        assert_eq!(n().least(&part(1, 2)), Some(part(1, 2)));
        assert_eq!(part(0, 3).plus(&part(1, 3), 1).unwrap().plus(&part(2, 3), 1), Some(n()));
        assert_eq!(n().plus(&part(0, 2), -2), part(1, 2).plus(&part(0, 2), -1));
        let rest = n().multiply(&number(2)).unwrap().plus(&part(0, 2), -3).unwrap();
        assert_eq!(rest, part(1, 2).multiply(&number(3)).unwrap().plus(&n(), -1).unwrap());
        assert!(rest.is_never_negative());
    }

    #[test]
    fn the_smaller_of_two_is_found_or_kept() {
        let five = n().least(&number(5)).unwrap();
        assert_eq!(five.to_string(), "min(5, n)");
        assert_eq!(five.least(&n()), Some(five.clone()));
        assert_eq!(five.least(&number(3)).unwrap().to_string(), "min(3, n)");
        assert_eq!(n().least(&n().plus(&number(-1), 1).unwrap()).unwrap().to_string(), "n-1");
    }

    #[test]
    fn what_is_never_negative_is_seen() {
        let half = n().floor_divide(&number(2)).unwrap();
        assert!(n().plus(&half, -2).unwrap().is_never_negative());
        assert!(!half.plus(&n(), -1).unwrap().is_never_negative());
        let third = |more: i64| n().plus(&number(more), 1).unwrap().floor_divide(&number(3)).unwrap();
        assert!(n().plus(&third(2), -1).unwrap().is_never_negative());
        assert!(!n().plus(&third(3), -1).unwrap().is_never_negative());
        assert!(!n().plus(&number(-1), 1).unwrap().is_never_negative());
        let five = n().least(&number(5)).unwrap();
        assert!(n().plus(&five, -1).unwrap().is_never_negative());
        assert!(number(5).plus(&five, -1).unwrap().is_never_negative());
    }

    #[test]
    fn forms_that_grow_are_refused() {
        let mut form = n();
        for name in ["a", "b", "c"] {
            form = form.plus(&Affine::name(name), 1).unwrap();
        }
        let grown = (0..9).try_fold(form, |form, _| form.multiply(&form));
        assert_eq!(grown, None);
    }

    #[test]
    fn names_stand_for_other_forms() {
        let half = n().plus(&number(1), 1).unwrap().floor_divide(&number(2)).unwrap();
        assert_eq!(half.evaluate(&|_| Some(6)), Some(3));
        let doubled = half.substitute(&|_| Affine::name("m").plus(&Affine::name("m"), 1)).unwrap();
        assert_eq!(doubled.to_string(), "m");
    }
}
