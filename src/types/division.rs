//! Quotients by forms with unknowns, where nothing is left over: `(m*n + 3*m)//(n + 3)` is `m`.

use super::affine::{Affine, Atom, factors};

/// A quotient of more terms is not looked for.
const MAX_TERMS: usize = 16;

impl Affine {
    /// The quotient by a form with unknowns, where nothing is left over.
    pub(super) fn divide(&self, other: &Affine) -> Option<Affine> {
        self.terms.first()?;
        let (divisor, factor) = leading(other)?;
        let (mut quotient, mut rest) = (Affine::constant(0), self.clone());
        for _ in 0..MAX_TERMS {
            let Some((mut left, times)) = leading(&rest) else { break };
            for own in &divisor {
                let at = left.iter().position(|known| known == own)?;
                left.remove(at);
            }
            if times.checked_rem(factor)? != 0 {
                return None;
            }
            let term = multiple(left, times.checked_div(factor)?);
            quotient = quotient.plus(&term, 1)?;
            rest = rest.plus(&term.multiply(other)?, -1)?;
        }
        (rest.known() == Some(0)).then_some(quotient)
    }
}

/// The factors of the largest product in a form, and how often it stands there. To multiply two products by a third
/// keeps their order.
fn leading(form: &Affine) -> Option<(Vec<Atom>, i64)> {
    let products = form.terms.iter().map(|(atom, times)| (factors(atom), *times));
    products.max_by(|(a, _), (b, _)| a.len().cmp(&b.len()).then_with(|| a.cmp(b)))
}

/// A product of unknowns, this many times.
fn multiple(mut product: Vec<Atom>, times: i64) -> Affine {
    let atom = match product.len() {
        0 => return Affine::constant(times),
        1 => product.remove(0),
        _ => Atom::Product(product),
    };
    Affine { terms: vec![(atom, times)], constant: 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_product_has_its_factors() {
        let (n, m) = (Affine::name("n"), Affine::name("m"));
        let longer = n.plus(&Affine::constant(3), 1).unwrap();
        let sum = m.plus(&n, 2).unwrap();
        for (left, right) in [(&longer, &m), (&longer, &sum), (&sum, &sum), (&longer, &longer)] {
            let product = left.multiply(right).unwrap();
            assert_eq!(product.floor_divide(right).as_ref(), Some(left), "{product}");
            assert_eq!(product.floor_divide(left).as_ref(), Some(right), "{product}");
            assert_eq!(product.plus(&Affine::constant(1), 1).unwrap().floor_divide(right), None);
        }
        assert_eq!(n.floor_divide(&longer), None);
    }
}
