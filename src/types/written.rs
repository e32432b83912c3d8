//! Forms as written text: `2*n-1`, `max(0, n-1)`.

use super::affine::{Affine, Atom};
use super::parts;
use std::fmt;

impl Affine {
    /// `max(0, n-1)` of `n - 1`, which is `n - min(1, n)`.
    pub fn or_none(&self) -> Option<Affine> {
        let below = |&&(_, times): &&(Atom, i64)| times < 0;
        let less = Affine { terms: self.terms.iter().filter(below).cloned().collect(), constant: self.constant.min(0) };
        let (cut, whole) = (Affine::constant(0).plus(&less, -1)?, self.plus(&less, -1)?);
        whole.plus(&cut.least(&whole)?, -1)
    }

    /// `n` and `1` of `n - min(1, n)`, which is `max(0, n-1)`.
    pub fn cut_off(&self) -> Option<(&Affine, &Affine)> {
        let (Atom::Least(left, right), -1) = self.terms.last().map(|(atom, times)| (atom, *times))? else {
            return None;
        };
        let mut whole = self.clone();
        whole.terms.pop();
        [(left, right), (right, left)]
            .into_iter()
            .find(|(_, side)| ***side == whole)
            .map(|(cut, side)| (&**side, &**cut))
    }
}

impl fmt::Display for Affine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let named = parts::in_names(self);
        let form = named.as_ref().unwrap_or(self);
        if let Some(rest) = form.cut_off().and_then(|(whole, cut)| whole.plus(cut, -1)) {
            return write!(f, "max(0, {rest})");
        }
        // What is taken away comes after what it is taken from.
        let signed = |below: bool| form.terms.iter().filter(move |(_, factor)| (*factor < 0) == below);
        for (index, (atom, factor)) in signed(false).chain(signed(true)).enumerate() {
            let sign = match (*factor < 0, index) {
                (true, _) => "-",
                (false, 0) => "",
                (false, _) => "+",
            };
            match factor.unsigned_abs() {
                // A sign or a factor beside `n//2` would bind tighter than `//`.
                1 if index == 0 && *factor < 0 && matches!(atom, Atom::Quotient(..)) => write!(f, "-({atom})")?,
                1 => write!(f, "{sign}{atom}")?,
                times if matches!(atom, Atom::Quotient(..)) => write!(f, "{sign}{times}*({atom})")?,
                times => write!(f, "{sign}{times}*{atom}")?,
            }
        }
        match (form.constant, form.terms.is_empty()) {
            (0, false) => Ok(()),
            (constant, true) => write!(f, "{constant}"),
            (constant, false) => write!(f, "{constant:+}"),
        }
    }
}

impl fmt::Display for Atom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Atom::Name(name) => f.write_str(name),
            Atom::Quotient(dividend, divisor) if dividend.is_single() => write!(f, "{dividend}//{divisor}"),
            Atom::Quotient(dividend, divisor) => write!(f, "({dividend})//{divisor}"),
            Atom::Least(left, right) => write!(f, "min({left}, {right})"),
            Atom::Product(factors) => {
                for (index, factor) in factors.iter().enumerate() {
                    let star = if index > 0 { "*" } else { "" };
                    match factor {
                        Atom::Quotient(..) => write!(f, "{star}({factor})")?,
                        Atom::Name(_) | Atom::Least(..) | Atom::Product(_) => write!(f, "{star}{factor}")?,
                    }
                }
                Ok(())
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
    fn what_may_be_too_short_is_written_as_such() {
        let cut = n().plus(&number(1).least(&n()).unwrap(), -1).unwrap();
        assert_eq!(cut.to_string(), "max(0, n-1)");
        assert!(cut.is_never_negative());
        assert_eq!(cut.evaluate(&|_| Some(0)), Some(0));
        assert_eq!(cut.plus(&number(2), 1).unwrap().to_string(), "n-min(1, n)+2");
        let gap = n().plus(&Affine::name("m"), -2).unwrap().plus(&number(3), 1).unwrap();
        let cut = gap.or_none().unwrap();
        assert!(cut.is_never_negative());
        for (n, m) in (0..5u64).flat_map(|n| (0..5u64).map(move |m| (n, m))) {
            let value = |form: &Affine| form.evaluate(&|name| Some(if name == "n" { n } else { m })).unwrap();
            assert_eq!(value(&cut), value(&gap).max(0), "{cut} of {n} and {m}");
        }
    }
}
