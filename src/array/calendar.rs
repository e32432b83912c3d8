//! Dates or times as people write them, counted in days or microseconds since 1970.
//!
//! ```
//! use arrlang::array::calendar;
//! assert_eq!(calendar::date(b"2026-11-22"), Some(20_779));
//! assert_eq!(calendar::time_text(1_500_000), "1970-01-01T00:00:01.5");
//! ```

/// Microseconds of a day.
pub const DAY: i64 = 86_400_000_000;

/// Days since 1970-01-01 of `2026-11-22`, by the calendar of today extended to all years.
pub fn date(text: &[u8]) -> Option<i64> {
    let [y0, y1, y2, y3, b'-', m0, m1, b'-', d0, d1] = *text else { return None };
    let year = digits(&[y0, y1, y2, y3])?;
    let (month, day) = (digits(&[m0, m1])?, digits(&[d0, d1])?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let most = match month {
        2 => 28 + i64::from(leap),
        4 | 6 | 9 | 11 => 30,
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=most).contains(&day) {
        return None;
    }
    // Years that begin in March end in the leap day.
    let (year, month) = if month <= 2 { (year - 1, month + 9) } else { (year, month - 3) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    Some(era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 + day - 1 - 719_468)
}

/// Why a text is no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoTime {
    /// The text says more than microseconds.
    Finer,
    /// Anything else.
    Other,
}

/// Microseconds since 1970-01-01T00:00Z of `2026-11-22T10:00:00.5Z`; a blank may stand for `T`, seconds and the zone
/// may be absent (then it is UTC), and a date alone is its midnight.
///
/// # Errors
/// When it is no time, or one that says more than microseconds.
pub fn time(text: &[u8]) -> Result<i64, NoTime> {
    let (day, rest) = text.split_at_checked(10).ok_or(NoTime::Other)?;
    let midnight = date(day).ok_or(NoTime::Other)? * 86_400;
    let [separator, rest @ ..] = rest else { return Ok(midnight * 1_000_000) };
    if !matches!(separator, b'T' | b't' | b' ') {
        return Err(NoTime::Other);
    }
    let zone = rest.iter().position(|byte| matches!(byte, b'Z' | b'z' | b'+' | b'-')).unwrap_or(rest.len());
    let (clock, zone) = rest.split_at(zone);
    let (clock, fraction) = match clock.iter().position(|&byte| byte == b'.') {
        Some(at) => (&clock[..at], microseconds(&clock[at + 1..])?),
        None => (clock, 0),
    };
    let (hour, minute, second) = match *clock {
        [h0, h1, b':', m0, m1] if fraction == 0 => (digits(&[h0, h1]), digits(&[m0, m1]), Some(0)),
        [h0, h1, b':', m0, m1, b':', s0, s1] => (digits(&[h0, h1]), digits(&[m0, m1]), digits(&[s0, s1])),
        _ => return Err(NoTime::Other),
    };
    let within = |number: Option<i64>, most: i64| number.filter(|number| *number <= most).ok_or(NoTime::Other);
    let seconds = within(hour, 23)? * 3600 + within(minute, 59)? * 60 + within(second, 59)?;
    let shift = match *zone {
        [] | [b'Z' | b'z'] => 0,
        [sign, h0, h1, b':', m0, m1] | [sign, h0, h1, m0, m1] => {
            let east = within(digits(&[h0, h1]), 23)? * 3600 + within(digits(&[m0, m1]), 59)? * 60;
            if sign == b'-' { -east } else { east }
        }
        _ => return Err(NoTime::Other),
    };
    Ok((midnight + seconds - shift) * 1_000_000 + fraction)
}

/// The digits behind the point of a second; more than six say something only if they are not 0.
fn microseconds(text: &[u8]) -> Result<i64, NoTime> {
    let (first, rest) = text.split_at(text.len().min(6));
    let number = digits(first).filter(|_| !first.is_empty()).ok_or(NoTime::Other)?;
    match rest.iter().find(|&&byte| byte != b'0') {
        Some(byte) if byte.is_ascii_digit() => return Err(NoTime::Finer),
        Some(_) => return Err(NoTime::Other),
        None => {}
    }
    Ok(number * 10i64.pow(6 - first.len() as u32))
}

fn digits(text: &[u8]) -> Option<i64> {
    text.iter().try_fold(0, |number, byte| byte.is_ascii_digit().then(|| number * 10 + i64::from(byte - b'0')))
}

/// `2026-11-22T10:00:00.5` for a number of microseconds, in UTC.
pub fn time_text(microseconds: i64) -> String {
    let (day, rest) = (microseconds.div_euclid(DAY), microseconds.rem_euclid(DAY));
    let (seconds, fraction) = (rest / 1_000_000, rest % 1_000_000);
    let clock = format!("{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60);
    let digits = format!(".{fraction:06}");
    let fraction = if fraction == 0 { "" } else { digits.trim_end_matches('0') };
    format!("{}T{clock}{fraction}", date_text(day))
}

/// `2026-11-22` for a number of days; a year beyond four digits has a sign.
pub fn date_text(days: i64) -> String {
    // Wide enough that no day overflows. Years begin in March, so that the leap day is the last of one.
    let days = i128::from(days) + 719_468;
    let (era, of_era) = (days.div_euclid(146_097), days.rem_euclid(146_097));
    let year_of_era = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = if from_march < 10 { from_march + 3 } else { from_march - 9 };
    let year = year_of_era + era * 400 + i128::from(month <= 2);
    match year {
        0..=9999 => format!("{year:04}-{month:02}-{day:02}"),
        _ => format!("{year:+}-{month:02}-{day:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_microseconds_count_from_1970() {
        let days = [("1970-01-01", 0), ("2000-03-01", 11_017), ("2026-11-22", 20_779), ("1969-12-31", -1)];
        for (text, day) in days {
            assert_eq!((date(text.as_bytes()), date_text(day)), (Some(day), text.to_owned()));
        }
        for text in ["2023-02-29", "2023-13-01", "2023-00-01", "2023-1-01", "20230101", "2023-04-31"] {
            assert_eq!(date(text.as_bytes()), None, "{text}");
        }
        assert_eq!(time(b"1970-01-02"), Ok(86_400_000_000));
        assert_eq!(time(b"1970-01-01T00:00:01.5Z"), Ok(1_500_000));
        assert_eq!(time(b"1970-01-01 01:00+01:00"), Ok(0));
        assert_eq!(time(b"1970-01-01T00:00:00.123456000-0030"), Ok(1_800_123_456));
        assert_eq!(time(b"1970-01-01T00:00:00.1234567"), Err(NoTime::Finer));
        for text in ["1970-01-01T24:00", "1970-01-01T", "1970-01-01T00", "1970-01-01X00:00", "1970-01-01T00:00.5"] {
            assert_eq!(time(text.as_bytes()), Err(NoTime::Other), "{text}");
        }
    }
}
