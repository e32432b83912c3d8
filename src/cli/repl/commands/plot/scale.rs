//! The labelled scale of an axis, from the smallest to the largest number.

/// An interval that is not empty.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Scale {
    pub(super) low: f64,
    pub(super) high: f64,
}

impl Scale {
    /// The interval of the finite ones among numbers; `None` when there are none.
    pub(super) fn of(numbers: impl Iterator<Item = f64>) -> Option<Scale> {
        let finite = numbers.filter(|number| number.is_finite());
        let found = finite.fold(None, |found: Option<Scale>, number| {
            let Scale { low, high } = found.unwrap_or(Scale { low: number, high: number });
            Some(Scale { low: low.min(number), high: high.max(number) })
        })?;
        if found.low < found.high {
            return Some(found);
        }
        // A single number is in the middle.
        let room = if found.low == 0.0 { 1.0 } else { found.low.abs() / 10.0 };
        let Scale { low, high } = found;
        Some(Scale { low: (low - room).max(f64::MIN), high: (high + room).min(f64::MAX) })
    }

    /// Where a number lies: 0 at the low end, 1 at the high one. Differences of large numbers do not overflow.
    pub(super) fn place(self, number: f64) -> f64 {
        (number / 2.0 - self.low / 2.0) / (self.high / 2.0 - self.low / 2.0)
    }

    /// The number at a place.
    pub(super) fn at(self, place: f64) -> f64 {
        self.low * (1.0 - place) + self.high * place
    }

    /// Numbers of the scale with as many digits as tell them apart.
    pub(super) fn labels<const N: usize>(self, places: [f64; N]) -> [String; N] {
        let numbers = places.map(|place| self.at(place));
        // What is nothing beside the others is 0.
        let least = self.low.abs().max(self.high.abs()) / 1e4;
        let numbers = numbers.map(|number| if number.abs() < least { 0.0 } else { number });
        let different = |digits: usize| {
            let shown = numbers.map(|number| short(number, digits));
            (1..N).all(|at| shown[at] != shown[at - 1])
        };
        let digits = (4..17).find(|&digits| different(digits)).unwrap_or(17);
        numbers.map(|number| short(number, digits))
    }
}

/// A number rounded to `digits` digits that count, without zeros that say nothing.
pub(super) fn short(number: f64, digits: usize) -> String {
    let rounded = format!("{number:.places$e}", places = digits.saturating_sub(1));
    let Ok(rounded) = rounded.parse::<f64>() else { return rounded };
    if rounded != 0.0 && !(1e-4..1e7).contains(&rounded.abs()) {
        return format!("{rounded:e}");
    }
    // `-0` is 0 on an axis.
    format!("{}", rounded + 0.0)
}

/// The next of 1, 2, 5, 10, 20, … that is not smaller.
pub(super) fn round_step(step: f64) -> f64 {
    let power = 10f64.powf(step.log10().floor());
    let factors = [1.0, 2.0, 5.0, 10.0];
    factors.into_iter().map(|factor| factor * power).find(|&nice| nice >= step * (1.0 - 1e-9)).unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scales_hold_what_is_finite() {
        let of = |numbers: &[f64]| Scale::of(numbers.iter().copied());
        assert_eq!(of(&[3.0, f64::NAN, -1.0, f64::INFINITY]), Some(Scale { low: -1.0, high: 3.0 }));
        assert_eq!(of(&[2.0]), Some(Scale { low: 1.8, high: 2.2 }));
        assert_eq!(of(&[f64::NAN]), None);
        let whole = of(&[f64::MIN, f64::MAX]).unwrap();
        assert_eq!([whole.place(f64::MIN), whole.place(0.0), whole.place(f64::MAX)], [0.0, 0.5, 1.0]);
        assert!(of(&[f64::MAX]).unwrap().place(f64::MAX).is_finite());
    }

    #[test]
    fn labels_tell_the_ends_apart() {
        assert_eq!(Scale { low: 0.0, high: 1.0 }.labels([0.0, 0.5, 1.0]), ["0", "0.5", "1"]);
        assert_eq!(Scale { low: 100_000.0, high: 100_000.5 }.labels([0.0, 1.0]), ["100000", "100000.5"]);
        assert_eq!(
            [short(1.0 / 3.0, 4), short(1e-9, 4), short(-0.0, 4), short(123_456.0, 4)],
            ["0.3333", "1e-9", "0", "123500"]
        );
    }

    #[test]
    fn steps_are_round() {
        assert_eq!([0.9, 1.1, 3.0, 6.0, 0.03].map(round_step), [1.0, 2.0, 5.0, 10.0, 0.05]);
    }
}
