//! An assertion of one length: that it has a least value, a most value, or a remainder.
//!
//! The length is then a sum over a part of it, which may be any size: after `assert n >= 3` the length `n` is `n-3`,
//! as one name, plus 3, and after `assert n % 2 == 0` it is two times `n//2`. Whatever is computed with it knows so.
//! The name of a part says what it is of, and the most that it can be: after `assert n <= 10` the length `n` has the
//! name `n<=10`. No name of a script has such characters.
//!
//! ```
//! use arrlang::types::{Affine, parts};
//! let n = Affine::name("n");
//! let (name, size) = parts::of_least(&n.plus(&Affine::constant(3), -1).unwrap()).unwrap();
//! let known = n.substitute(&|it| if it == name { size.form() } else { None }).unwrap();
//! assert_eq!(known.least(&Affine::constant(3)), Some(Affine::constant(3)));
//! assert_eq!(known.to_string(), "n");
//! ```

use super::affine::{Affine, Atom};
use super::most;
use super::shape::Dim;

/// A part of a length, which is `step*part + least`.
struct LengthPart<'n> {
    length: &'n str,
    step: i64,
    least: i64,
    /// The most that the part can be.
    most: Option<i64>,
}

/// What is said of a length: it is `least`, or more by a multiple of `step`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct SaidLength {
    /// What it grows by.
    pub step: i64,
    /// The least that it can be.
    pub least: i64,
    /// The most that it can be.
    pub most: Option<i64>,
}

impl LengthPart<'_> {
    /// What a name says: of `(n-3)//2` the length `n`, 2 and 3.
    fn of(name: &str) -> LengthPart<'_> {
        let (name, most) = most::split(name);
        let split = |text: &str, at: &str| text.rsplit_once(at).and_then(|(_, number)| number.parse().ok());
        let step: Option<i64> = split(name, "//");
        let whole = step.and_then(|_| name.rsplit_once("//")).map_or(name, |(whole, _)| whole);
        let whole = whole.trim_start_matches('(').trim_end_matches(')');
        let least: Option<i64> = split(whole, "-");
        let length = least.and_then(|_| whole.rsplit_once('-')).map_or(whole, |(length, _)| length);
        LengthPart { length, step: step.unwrap_or(1), least: least.unwrap_or(0), most }
    }

    fn name(&self) -> String {
        let LengthPart { length, step, least, most } = self;
        let part = match (step, least) {
            (1, 0) => (*length).to_owned(),
            (1, least) => format!("{length}-{least}"),
            (step, 0) => format!("{length}//{step}"),
            (step, least) => format!("({length}-{least})//{step}"),
        };
        match most {
            Some(most) => format!("{part}<={most}"),
            None => part,
        }
    }

    /// The name of the part of this one that it is `step` times, plus `least`; and this one as that.
    fn part(&self, step: i64, least: i64) -> Option<Dim> {
        let most = match self.most {
            Some(most) => Some(most.checked_sub(least)?.div_euclid(step)),
            None => None,
        };
        match most {
            Some(..0) => return None,
            Some(0) => return Dim::of(Affine::constant(least)),
            Some(1..) | None => {}
        }
        let own = LengthPart {
            length: self.length,
            most,
            step: self.step.checked_mul(step)?,
            least: self.least.checked_add(self.step.checked_mul(least)?)?,
        };
        Dim::of(Affine::constant(least).plus(&Affine::name(&own.name()), step)?)
    }

    /// Some of it, in the name of the length.
    fn times(&self, times: i64) -> Option<Affine> {
        let above = Affine::name(self.length).plus(&Affine::constant(self.least), -1)?;
        let part = above.floor_divide(&Affine::constant(self.step))?;
        Affine::constant(0).plus(&above, times / self.step)?.plus(&part, times % self.step)
    }
}

/// The name in a form, and what it is where the form is at least 0; nothing where that says nothing.
pub fn of_least(form: &Affine) -> Option<(String, Dim)> {
    let [(Atom::Name(name), times)] = form.terms.as_slice() else { return None };
    if *times < 0 {
        let part = LengthPart::of(name);
        let most = form.constant.div_euclid(times.checked_neg()?);
        return match most {
            ..0 => None,
            0 => Some((name.clone(), Dim::Const(0))),
            _ if part.most.is_some_and(|known| known <= most) => None,
            _ => Some((name.clone(), Dim::name(&LengthPart { most: Some(most), ..part }.name()))),
        };
    }
    let least = form.constant.div_euclid(*times).checked_neg()?;
    if least <= 0 {
        return None;
    }
    Some((name.clone(), LengthPart::of(name).part(1, least)?))
}

/// The name in a form, and what it is where the form is 0: `n - 2*(n//2)`, and the same with other remainders.
pub fn of_remainder(form: &Affine) -> Option<(String, Dim)> {
    let [(Atom::Name(name), sign @ (1 | -1)), (Atom::Quotient(dividend, step), times)] = form.terms.as_slice() else {
        return None;
    };
    let [(Atom::Name(divided), 1)] = dividend.terms.as_slice() else { return None };
    if divided != name || step.checked_mul(-*sign)? != *times {
        return None;
    }
    // `n + c` leaves the rest `r`, so `n` leaves `r - c`.
    let rest = dividend.constant.checked_sub(form.constant.checked_mul(*sign)?)?;
    if !(0..*step).contains(&rest) {
        return None;
    }
    let least = rest.checked_sub(dividend.constant)?.rem_euclid(*step);
    Some((name.clone(), LengthPart::of(name).part(*step, least)?))
}

/// A form in the names of the script; nothing where it is so.
pub fn in_names(form: &Affine) -> Option<Affine> {
    let mut any = false;
    form.names(&mut |name| any |= name.contains(['-', '/', '<']));
    if any { renamed(form) } else { None }
}

/// The length that a name is a part of.
pub fn length_of(name: &str) -> &str {
    LengthPart::of(name).length
}

/// The name of the part that a size is made of.
pub fn part_of(size: &Dim) -> Option<String> {
    let form = size.form()?;
    let [(Atom::Name(part), _)] = form.terms.as_slice() else { return None };
    Some(part.clone())
}

/// What the name of a part says of the length.
pub fn said_by(part: &str) -> SaidLength {
    let LengthPart { step, least, most, .. } = LengthPart::of(part);
    let most = most.and_then(|most| most.checked_mul(step)?.checked_add(least));
    SaidLength { step, least, most }
}

fn renamed(form: &Affine) -> Option<Affine> {
    let mut sum = Affine::constant(form.constant);
    for (atom, times) in &form.terms {
        sum = sum.plus(&renamed_atom(atom, *times)?, 1)?;
    }
    Some(sum)
}

/// Some of an unknown, in the names of the script.
fn renamed_atom(atom: &Atom, times: i64) -> Option<Affine> {
    let one = match atom {
        Atom::Name(name) => return LengthPart::of(name).times(times),
        Atom::Quotient(dividend, divisor) => renamed(dividend)?.floor_divide(&Affine::constant(*divisor))?,
        Atom::Least(left, right) => renamed(left)?.least(&renamed(right)?)?,
        Atom::Product(factors) => {
            let (mut left, mut product) = (times, Affine::constant(1));
            for factor in factors {
                let step = if let Atom::Name(name) = factor { LengthPart::of(name).step } else { 1 };
                let own = if left % step == 0 { step } else { 1 };
                left /= own;
                product = product.multiply(&renamed_atom(factor, own)?)?;
            }
            return product.multiply(&Affine::constant(left));
        }
    };
    one.multiply(&Affine::constant(times))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(form: &Affine, fact: Option<(String, Dim)>) -> Affine {
        let (name, size) = fact.expect("a fact");
        form.substitute(&|it| if it == name { size.form() } else { None }).unwrap()
    }

    fn rest(form: &Affine, divisor: i64) -> Affine {
        let quotient = form.floor_divide(&Affine::constant(divisor)).unwrap();
        form.plus(&quotient, -divisor).unwrap()
    }

    #[test]
    fn facts_add_up() {
        let mut n = Affine::name("n");
        n = known(&n, of_least(&n.plus(&Affine::constant(3), -1).unwrap()));
        assert_eq!(of_least(&n), None);
        n = known(&n, of_remainder(&rest(&n, 2)));
        assert_eq!((rest(&n, 2), n.to_string().as_str()), (Affine::constant(0), "n"));
        assert_eq!(n.least(&Affine::constant(4)), Some(Affine::constant(4)), "4 is the first even number from 3 on");
        let half = n.floor_divide(&Affine::constant(2)).unwrap();
        assert_eq!(half.to_string(), "n//2");
        assert_eq!(n.plus(&half, -1), Some(half));
    }

    #[test]
    fn a_length_has_a_most_value() {
        let at_most = |form: &Affine, most: i64| of_least(&Affine::constant(most).plus(form, -1).unwrap());
        let mut n = Affine::name("n");
        n = known(&n, at_most(&n, 11));
        assert_eq!((n.least(&Affine::constant(11)), n.to_string().as_str()), (Some(n.clone()), "n"));
        assert_eq!(at_most(&n, 11), None);
        n = known(&n, of_least(&n.plus(&Affine::constant(3), -1).unwrap()));
        n = known(&n, of_remainder(&rest(&n, 2)));
        assert_eq!((rest(&n, 2), n.to_string().as_str()), (Affine::constant(0), "n"));
        assert_eq!(n.least(&Affine::constant(10)), Some(n.clone()), "10 is the last even number up to 11");
        assert!(!Affine::constant(9).plus(&n, -1).unwrap().is_never_negative());
        let part = part_of(&Dim::of(n.clone()).unwrap()).unwrap();
        assert_eq!(said_by(&part), SaidLength { step: 2, least: 4, most: Some(10) });
        n = known(&n, at_most(&n, 5));
        assert_eq!(n, Affine::constant(4));
    }

    #[test]
    fn forms_over_parts_are_right() {
        for (least, step) in [(1, 2), (3, 5), (0, 4)] {
            let mut n = Affine::name("n");
            if least > 0 {
                n = known(&n, of_least(&n.plus(&Affine::constant(least), -1).unwrap()));
            }
            n = known(&n, of_remainder(&rest(&n, step)));
            let (mut name, mut own) = (String::new(), n.clone());
            n.names(&mut |it| it.clone_into(&mut name));
            own = own.multiply(&Affine::name("d")).unwrap();
            assert_eq!((length_of(&name), own.to_string().as_str()), ("n", "d*n"));
            let part = Affine::name(&name);
            for times in -7..=7 {
                let form = Affine::constant(0).plus(&part, times).unwrap();
                for size in 0..9u64 {
                    let whole = n.evaluate(&|_| Some(size)).unwrap() as u64;
                    let shown = renamed(&form).unwrap();
                    assert_eq!(shown.evaluate(&|_| Some(whole)), form.evaluate(&|_| Some(size)), "{times}*{name}");
                }
            }
        }
    }
}
