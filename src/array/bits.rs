//! The bits of a value, field by field, with what they mean. These are sign, exponent and significand of a float, two's
//! complement of an integer, and the values next to it.
//!
//! ```
//! use arrlang::{array::bits::bits, scalar::Scalar};
//! let [whole] = &bits(Scalar::of(0.1f32))[..] else { unreachable!("a float is one word") };
//! let digits: Vec<&str> = whole.fields.iter().map(|field| field.digits.as_str()).collect();
//! assert_eq!(digits, ["0", "01111011", "10011001100110011001101"]);
//! assert_eq!(whole.hex, "0x3dcccccd");
//! assert_eq!(whole.fact("exactly"), Some("0.100000001490116119384765625"));
//! assert_eq!(whole.fact("above"), Some("0.10000001 (0x3dccccce)"));
//! ```

use super::digits::parts;
use super::digits::value;
use super::show::scalar_text;
use crate::scalar::Scalar;
use crate::types::dtype::{DType, Kind};

/// The most digits of an exact value that are written. If there are more, their number is told.
const MAX_DIGITS: usize = 60;

/// Bits that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitField {
    /// What the bits are: `sign`, `exponent`, `significand`, `value`.
    pub name: &'static str,
    /// The bits, the highest first.
    pub digits: String,
}

/// One word: a number, or a part of a complex one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BitWord {
    /// Which part of a complex number; nothing for what has no parts.
    pub part: &'static str,
    /// The value in its shortest form.
    pub text: String,
    /// The fields, the highest bits first.
    pub fields: Vec<BitField>,
    /// The word in base 16.
    pub hex: String,
    /// What there is to say of it: names and texts.
    pub facts: Vec<(&'static str, String)>,
}

impl BitWord {
    /// What there is to say under a name.
    pub fn fact(&self, name: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == name).map(|(_, text)| text.as_str())
    }
}

/// The words of a value: two of a complex number, else one.
pub fn bits(scalar: Scalar) -> Vec<BitWord> {
    match scalar.dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => vec![integer(scalar)],
        Kind::Float => vec![float(scalar, "")],
        Kind::Complex => {
            let [re, im] = parts(scalar).map(|bits| Scalar { dtype: scalar.dtype.part(), bits });
            vec![float(re, "real"), float(im, "imaginary")]
        }
    }
}

fn binary(bits: u128, width: u32) -> String {
    (0..width).rev().map(|at| if bits >> at & 1 == 1 { '1' } else { '0' }).collect()
}

fn hex(scalar: Scalar) -> String {
    format!("0x{:0width$x}", scalar.bits, width = scalar.dtype.size() * 2)
}

fn integer(scalar: Scalar) -> BitWord {
    let (dtype, width) = (scalar.dtype, scalar.dtype.bits());
    let all = binary(scalar.bits, width);
    let mut facts = Vec::new();
    let fields = match dtype.kind() {
        Kind::Signed => {
            let low = scalar.bits & !(1 << (width - 1));
            let top = if low == scalar.bits { 0 } else { 1i128 << (width - 1) };
            facts.push(("two's complement", format!("{} + {low} = {}", -top, low as i128 - top)));
            vec![
                BitField { name: "sign", digits: all[..1].to_owned() },
                BitField { name: "value", digits: all[1..].to_owned() },
            ]
        }
        Kind::Bool | Kind::Unsigned | Kind::Float | Kind::Complex => vec![BitField { name: "value", digits: all }],
    };
    if let Some((least, most)) = dtype.integer_range().filter(|_| dtype.kind() != Kind::Bool) {
        let mask = u128::MAX >> (128 - width);
        let near = |step: u128, end: i128, past: &str| {
            let near = Scalar { dtype, bits: scalar.bits.wrapping_add(step) & mask };
            let wraps = scalar.bits == end as u128 & mask;
            format!("{} ({}){}", scalar_text(near), hex(near), if wraps { past } else { "" })
        };
        facts.push(("below", near(u128::MAX, least, ": it wraps, this is the least")));
        facts.push(("above", near(1, most, ": it wraps, this is the greatest")));
    }
    BitWord { part: "", text: scalar_text(scalar), fields, hex: hex(scalar), facts }
}

fn float(scalar: Scalar, part: &'static str) -> BitWord {
    let Scalar { dtype, bits } = scalar;
    let (exponents, places) = (dtype.exponent_bits(), dtype.fraction_bits());
    let (ones, bias) = ((1u128 << exponents) - 1, (1i32 << (exponents - 1)) - 1);
    let (exponent, significand) = (bits >> places & ones, bits & ((1 << places) - 1));
    let fields = vec![
        BitField { name: "sign", digits: binary(bits >> (exponents + places), 1) },
        BitField { name: "exponent", digits: binary(exponent, exponents) },
        BitField { name: "significand", digits: binary(significand, places) },
    ];
    let negative = bits >> (exponents + places) == 1;
    let mut facts = vec![("sign", if negative { "-" } else { "+" }.to_owned())];
    let fraction = significand as f64 / (1u64 << places) as f64;
    let power = if exponent == 0 { 1 - bias } else { exponent as i32 - bias };
    let number = value(bits, dtype);
    let finite = number.is_finite();
    facts.push((
        "exponent",
        match (exponent, significand) {
            (0, 0) => "all zeros: zero".to_owned(),
            (0, _) => format!("all zeros: subnormal, 2^{power}"),
            _ if finite => format!("{exponent} - {bias} = {power}, 2^{power}"),
            (_, 0) => "all ones: infinity".to_owned(),
            _ => "all ones: not a number".to_owned(),
        },
    ));
    if finite {
        let whole = u8::from(exponent > 0);
        let written = decimal(f64::from(whole) + fraction);
        facts.push(("significand", format!("{written} (the bit before the point is {whole})")));
        facts.push(("exactly", decimal(number)));
    }
    let near = |bits: Option<u128>| {
        let near = bits.map(|bits| Scalar { dtype, bits });
        near.map_or("nothing".to_owned(), |near| format!("{} ({})", scalar_text(near), hex(near)))
    };
    if !number.is_nan() {
        facts.push(("below", near(below(bits, dtype))));
        facts.push(("above", near(above(bits, dtype))));
    }
    if finite {
        let step = power - places as i32;
        facts.push(("ulp", format!("2^{step} = {:e}", 2f64.powi(step))));
    }
    BitWord { part, text: scalar_text(scalar), fields, hex: hex(scalar), facts }
}

/// The next value up; nothing beyond the infinities, or beyond the largest number where there are none.
fn above(bits: u128, dtype: DType) -> Option<u128> {
    let sign = 1u128 << (dtype.bits() - 1);
    match (bits & !sign, bits & sign != 0) {
        (0, _) => Some(1),
        (_, true) => Some(bits - 1),
        (_, false) => (!value(bits + 1, dtype).is_nan()).then_some(bits + 1),
    }
}

/// The next value down: with its sign turned it is the next value up.
fn below(bits: u128, dtype: DType) -> Option<u128> {
    let sign = 1u128 << (dtype.bits() - 1);
    above(bits ^ sign, dtype).map(|above| above ^ sign)
}

/// A finite number in decimal, exactly; long ones are cut, and say how much is missing.
fn decimal(number: f64) -> String {
    let text = format!("{number:.1074}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    let digits = text.trim_start_matches(['-', '0', '.']);
    let count = digits.chars().filter(char::is_ascii_digit).count();
    if count <= MAX_DIGITS && text.len() <= MAX_DIGITS + 10 {
        return text.to_owned();
    }
    // Far from the point: one digit before it, and the power of ten.
    let whole = format!("{number:.1100e}");
    let (digits, exponent) = whole.split_once('e').unwrap_or((&whole, "0"));
    let digits = digits.trim_end_matches('0');
    let count = digits.chars().filter(char::is_ascii_digit).count();
    let kept = digits.char_indices().nth(MAX_DIGITS).map_or(digits, |(at, _)| &digits[..at]);
    let rest =
        if kept.len() < digits.len() { format!("…e{exponent} ({count} digits)") } else { format!("e{exponent}") };
    format!("{kept}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::dtype::{Complex, Element};
    use half::{bf16, f16};

    fn word<T: Element>(value: T) -> BitWord {
        bits(Scalar::of(value)).remove(0)
    }

    fn fact<T: Element>(value: T, name: &str) -> String {
        word(value).fact(name).unwrap_or("none").to_owned()
    }

    #[test]
    fn fields_put_together_are_the_word() {
        for scalar in [Scalar::of(-1.5f64), Scalar::of(f16::MAX), Scalar::of(bf16::from_f32(0.1)), Scalar::of(-7i32)] {
            let word = bits(scalar).remove(0);
            let digits: String = word.fields.iter().map(|field| field.digits.as_str()).collect();
            assert_eq!(digits.len(), scalar.dtype.bits() as usize);
            assert_eq!(u128::from_str_radix(&digits, 2), Ok(scalar.bits), "{}", word.text);
            assert_eq!(u128::from_str_radix(&word.hex[2..], 16), Ok(scalar.bits));
        }
    }

    #[test]
    fn exact_values_are_those_of_the_bits() {
        assert_eq!(fact(0.1f64, "exactly"), "0.1000000000000000055511151231257827021181583404541015625");
        assert_eq!(fact(bf16::from_f32(0.1), "exactly"), "0.10009765625");
        assert_eq!(fact(f16::from_bits(1), "exactly"), "0.000000059604644775390625");
        assert_eq!(fact(1e300f64, "exactly").split('…').next().map(str::len), Some(60));
        assert_eq!(fact(5e-324f64, "exactly").chars().rev().take(12).collect::<String>(), ")stigid 157(");
        assert_eq!([fact(2.0f32, "exactly"), fact(-0.0f32, "exactly")], ["2", "-0"]);
    }

    #[test]
    fn neighbours_are_found_across_zero_and_at_the_ends() {
        assert_eq!([fact(0.0f32, "below"), fact(0.0f32, "above")], ["-1e-45 (0x80000001)", "1e-45 (0x00000001)"]);
        assert_eq!(fact(-0.0f32, "above"), "1e-45 (0x00000001)");
        assert_eq!(fact(f32::MAX, "above"), "inf (0x7f800000)");
        assert_eq!([fact(f32::INFINITY, "above"), fact(-f64::INFINITY, "below")], ["nothing", "nothing"]);
        assert_eq!(fact(-1.0f64, "above"), "-0.9999999999999999 (0xbfefffffffffffff)");
        assert_eq!(fact(f32::NAN, "above"), "none");
    }

    #[test]
    fn an_ulp_is_the_step_to_the_next_value() {
        for x in [1.0f32, 0.1, 1e-40, f32::MIN_POSITIVE, 3e38, 0.0] {
            let step = f64::from(f32::from_bits(x.to_bits() + 1)) - f64::from(x);
            assert!(fact(x, "ulp").ends_with(&format!("= {step:e}")), "{x}: {}", fact(x, "ulp"));
        }
    }

    #[test]
    fn integers_say_where_they_wrap() {
        assert_eq!(fact(-5i8, "two's complement"), "-128 + 123 = -5");
        assert_eq!(fact(127i8, "above"), "-128 (0x80): it wraps, this is the greatest");
        assert_eq!(fact(0u8, "below"), "255 (0xff): it wraps, this is the least");
        assert_eq!(fact(i64::MIN, "two's complement"), format!("{} + 0 = {}", i64::MIN, i64::MIN));
        assert_eq!(word(5u16).fields[0].digits, "0000000000000101");
    }

    #[test]
    fn complex_numbers_have_two_words() {
        let words = bits(Scalar::of(Complex { re: 1.0f32, im: -2.0 }));
        assert_eq!(
            words.iter().map(|word| (word.part, word.text.as_str())).collect::<Vec<_>>(),
            [("real", "1.0"), ("imaginary", "-2.0")]
        );
    }
}
