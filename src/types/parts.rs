//! What an assertion says of one length: that it has a least value, a most value, or a remainder.
//!
//! The length is then a sum over a part of it, which may be any size: after `assert n >= 3` the length `n` is `n-3`,
//! as one name, plus 3, and after `assert n % 2 == 0` it is two times `n//2`. Whatever is computed with it knows so.
//! The name of a part says what it is of, and the most that it can be: after `assert n <= 10` the length `n` has the
//! name `n<=10`. After `assert n >= m` it is `m` and a part `~n-m`. No name of a script has such characters.
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
        let above = whole(self.length)?.plus(&Affine::constant(self.least), -1)?;
        let part = above.floor_divide(&Affine::constant(self.step))?;
        Affine::constant(0).plus(&above, times / self.step)?.plus(&part, times % self.step)
    }
}

/// A length, or what a length is longer than others: `~n-2*m` is `n-2*m`.
fn whole(length: &str) -> Option<Affine> {
    let Some(sum) = length.strip_prefix('~') else { return Some(Affine::name(length)) };
    let mut names = sum.split('-');
    names.clone().skip(1).try_fold(Affine::name(names.next()?), |sum, part| {
        let (times, name) = part.split_once('*').unwrap_or(("1", part));
        sum.plus(&Affine::name(name), times.parse::<i64>().ok()?.checked_neg()?)
    })
}

/// A name in a form, and what it is where the form is at least 0; nothing where that says nothing.
pub fn of_least(form: &Affine) -> Option<(String, Dim)> {
    let [(Atom::Name(name), times)] = form.terms.as_slice() else { return of_gap(form) };
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

/// A name in a form over several, and what it is where the form is at least 0: after `n >= m` the length `n` is `m` and
/// what it is longer.
fn of_gap(form: &Affine) -> Option<(String, Dim)> {
    let (Atom::Name(name), 1) = form.terms.iter().find(|(_, times)| *times > 0)? else { return None };
    let others = Affine::name(name).plus(form, -1)?;
    let mut within = false;
    others.names(&mut |it| within |= it == name);
    if within || most::most(name).is_some() || !others.is_never_negative() {
        return None;
    }
    let shown = in_names(form).unwrap_or_else(|| form.clone());
    let (mut length, least) = (String::new(), shown.constant.checked_neg()?);
    for (atom, times) in &shown.terms {
        match (atom, times) {
            (Atom::Name(longer), 1) if length.is_empty() || length.starts_with('-') => length.insert_str(0, longer),
            (Atom::Name(shorter), -1) => length.push_str(&format!("-{shorter}")),
            (Atom::Name(shorter), ..=-2) => length.push_str(&format!("-{}*{shorter}", times.checked_neg()?)),
            (Atom::Name(_) | Atom::Quotient(..) | Atom::Least(..) | Atom::Product(_), _) => return None,
        }
    }
    if least < 0 || length.is_empty() || length.starts_with('-') {
        return None;
    }
    length.insert(0, '~');
    let gap = LengthPart { length: &length, step: 1, least, most: None }.name();
    Some((name.clone(), Dim::of(others.plus(&Affine::name(&gap), 1)?)?))
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

/// The lengths that a name is a part of.
pub fn lengths_of(name: &str) -> impl Iterator<Item = &str> {
    let length = LengthPart::of(name).length;
    let lengths = length.strip_prefix('~').unwrap_or(length).split('-');
    lengths.map(|length| length.split_once('*').map_or(length, |(_, length)| length))
}

/// The name of the part that a size is made of, if that says no more than steps and a least value of one length.
pub fn part_of(size: &Dim) -> Option<String> {
    let form = size.form()?;
    let [(Atom::Name(part), _)] = form.terms.as_slice() else { return None };
    let LengthPart { length, most, .. } = LengthPart::of(part);
    if most.is_some() || length.starts_with('~') { None } else { Some(part.clone()) }
}

/// What the name of a part says of the length: its name, its steps, and its least value.
pub fn said_by(part: &str) -> (&str, i64, i64) {
    let LengthPart { length, step, least, .. } = LengthPart::of(part);
    (length, step, least)
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
        n = known(&n, at_most(&n, 5));
        assert_eq!(n, Affine::constant(4));
    }

    #[test]
    fn a_length_is_no_shorter_than_another() {
        let (n, m) = (Affine::name("n"), Affine::name("m"));
        let gap = n.plus(&m, -2).unwrap().plus(&Affine::constant(3), -1).unwrap();
        let longer = known(&n, of_least(&gap));
        assert_eq!((longer.least(&m), longer.to_string().as_str()), (Some(m.clone()), "n"));
        let (name, _) = of_least(&longer.plus(&m, -2).unwrap().plus(&Affine::constant(4), -1).unwrap()).unwrap();
        assert_eq!(lengths_of(&name).collect::<Vec<_>>(), ["n", "m"]);
        assert_eq!(of_least(&n.plus(&m, 1).unwrap().plus(&Affine::constant(5), -1).unwrap()), None);
        assert_eq!(of_least(&n.plus(&m, -1).unwrap().plus(&Affine::constant(1), 1).unwrap()), None);
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
            assert_eq!((lengths_of(&name).collect::<Vec<_>>(), own.to_string().as_str()), (vec!["n"], "d*n"));
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
