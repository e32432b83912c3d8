//! Parts of dates or times: integers made of integers, in the calendar that everybody uses (proleptic Gregorian).
//!
//! Days are counted from a first of March on, so that the day that some years have is the last one of a year. Then the
//! months have 31, 30, 31, 30, 31 days, over and over, and (153m + 2)//5 is how many days there are before month m.

use super::{Op, Param, Way, operand, way, written};

const X: &[Param] = &[operand("x")];

const fn of_x(code: &'static str) -> Way {
    way("x", code)
}

/// Code that knows the year of an era of 400 years, the day of that year, and the month from March on.
const CALENDAR: &str = "{
  let days = x // ticks_per_day(x)
  let since = days + 719468  # days of dates are integers of 32 bits or more: `i64(x)` converts them
  let (era, day) = (since // 146097, since % 146097)
  let year = (day - day//1460 + day//36524 - day//146096) // 365
  let in_year = day - (365*year + year//4 - year//100)
  let month = (5*in_year + 2) // 153
  $part
}";

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "years of dates or times",
        special: "It is an integer. Integers that are neither dates nor times count days since 1970, and have 32 \
                  bits or more",
        examples: &[("year_of([20779, 0, -1])", "[2026, 1970, 1969]")],
        ..written("year_of", X, &[of_x(CALENDAR).with(&[("part", "year + 400*era + (month + 2)//12")])])
    },
    Op {
        summary: "months of dates or times, from 1 to 12",
        special: "As year_of. `12*year_of(x) + month_of(x)` tells the months of different years apart",
        examples: &[("month_of([20779, 0])", "[11, 1]")],
        ..written("month_of", X, &[of_x(CALENDAR).with(&[("part", "(month + 2)%12 + 1")])])
    },
    Op {
        summary: "days of the month of dates or times, from 1 to 31",
        special: "As year_of",
        examples: &[("day_of([20779, 0])", "[22, 1]")],
        ..written("day_of", X, &[of_x(CALENDAR).with(&[("part", "in_year - (153*month + 2)//5 + 1")])])
    },
    Op {
        summary: "days of the week of dates or times, from 0, a Monday, to 6",
        special: "As year_of",
        examples: &[("weekday_of([20779, 0])", "[6, 3]")],
        ..written("weekday_of", X, &[of_x("(x // ticks_per_day(x) % 7 + 3) % 7")])
    },
    Op {
        summary: "hours of times, from 0 to 23",
        special: "Of a date it is 0",
        examples: &[("hour_of([20779])", "[0]")],
        ..written("hour_of", X, &[of_x("24 * (x % ticks_per_day(x)) // ticks_per_day(x)")])
    },
];
