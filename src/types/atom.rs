//! The unknowns of a dimension: names, and what arithmetic makes of them that is no sum of multiples.

use super::affine::Affine;
use std::fmt;

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
                        _ => write!(f, "{star}{factor}")?,
                    }
                }
                Ok(())
            }
        }
    }
}
