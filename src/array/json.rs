//! Values as JSON text: exact, and in the shortest digits of their own dtype.
//!
//! Text is written directly because a JSON value in memory would turn every float into `f64`, and `0.1f32` into
//! `0.10000000149011612`. What JSON cannot say is a string (`"nan"`, `"inf"`, `"-inf"`); a complex number is a pair.
//!
//! ```
//! use arrlang::array::{json::write_json, Array};
//! let mut out = String::new();
//! write_json(&Array::from_elements(&[2], &[0.1f32, f32::INFINITY]), &mut out);
//! assert_eq!(out, r#"[0.1,"inf"]"#);
//! ```

use super::Array;
use super::digits::value;
use super::digits::{integer_text, parts};
use super::show::write_float;
use crate::scalar::Scalar;
use crate::types::dtype::{DType, Kind};
use std::convert::Infallible;

/// Appends an array as nested lists, a scalar as the value itself.
pub fn write_json(array: &Array, out: &mut String) {
    let whole: Result<(), Infallible> = write_json_pieces(array, out, &mut |_| Ok(()));
    whole.unwrap_or_else(|never| match never {});
}

/// As [`write_json`]. Whenever the text is long enough, `drain` may take it away: that of a large array is never whole
/// in memory.
///
/// # Errors
/// The first error of `drain`, which ends the walk.
pub fn write_json_pieces<E>(
    array: &Array,
    out: &mut String,
    drain: &mut dyn FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    write_nested(array, &|array, at, out| write_json_scalar(array.get(at), out), out, drain)
}

/// How an element is written: the array, the element's number in C order, and the text that it is appended to.
pub type WriteElement<'a> = &'a dyn Fn(&Array, usize, &mut String);

/// As [`write_json_pieces`], with elements that `element` writes.
///
/// # Errors
/// The first error of `drain`, which ends the walk.
pub fn write_nested<E>(
    array: &Array,
    element: WriteElement,
    out: &mut String,
    drain: &mut dyn FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    nested(array, (0, 0), element, out, drain)
}

/// How long a piece is before it is offered.
const PIECE: usize = 64 << 10;

/// The part of an array at an axis that begins at an element. Recursion is as deep as the rank, which is at most 32.
fn nested<E>(
    array: &Array,
    (axis, base): (usize, usize),
    element: WriteElement,
    out: &mut String,
    drain: &mut dyn FnMut(&mut String) -> Result<(), E>,
) -> Result<(), E> {
    let Some(&len) = array.shape().get(axis) else {
        element(array, base, out);
        return Ok(());
    };
    out.push('[');
    for index in 0..len {
        if index > 0 {
            out.push(',');
        }
        nested(array, (axis + 1, base * len + index), element, out, drain)?;
        if out.len() >= PIECE {
            drain(out)?;
        }
    }
    out.push(']');
    Ok(())
}

/// Appends one scalar.
pub fn write_json_scalar(scalar: Scalar, out: &mut String) {
    match scalar.dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => out.push_str(&integer_text(scalar)),
        Kind::Float => float(scalar.bits, scalar.dtype, out),
        Kind::Complex => {
            let [re, im] = parts(scalar);
            out.push('[');
            float(re, scalar.dtype.part(), out);
            out.push(',');
            float(im, scalar.dtype.part(), out);
            out.push(']');
        }
    }
}

fn float(bits: u128, part: DType, out: &mut String) {
    let quote = if value(bits, part).is_finite() { "" } else { "\"" };
    out.push_str(quote);
    write_float(bits, part, out);
    out.push_str(quote);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::dtype::Complex;

    fn json(array: &Array) -> String {
        let mut out = String::new();
        write_json(array, &mut out);
        out
    }

    #[test]
    fn floats_have_the_shortest_digits_of_their_dtype() {
        assert_eq!(json(&Array::from_elements(&[3], &[0.1f32, -0.0, 1e16])), "[0.1,-0.0,1e+16]");
        assert_eq!(json(&Array::from_elements(&[1], &[half::bf16::from_f32(0.1)])), "[0.1]");
        assert_eq!(
            json(&Array::from_elements(&[3], &[f64::NAN, f64::INFINITY, -f64::INFINITY])),
            r#"["nan","inf","-inf"]"#
        );
    }

    #[test]
    fn e06_pieces_are_the_whole_and_none_is_long() {
        let array = Array::from_elements(&[300, 1000], &vec![0.1f64; 300_000]);
        let (mut out, mut pieces, mut longest) = (String::new(), String::new(), 0);
        let mut take = |text: &mut String| -> Result<(), ()> {
            longest = longest.max(text.len());
            pieces += text;
            text.clear();
            Ok(())
        };
        write_json_pieces(&array, &mut out, &mut take).unwrap();
        assert_eq!(pieces + &out, json(&array));
        assert!(longest < PIECE + 100);
        let mut calls = 0;
        let stop = |_: &mut String| {
            calls += 1;
            Err(())
        };
        assert!(write_json_pieces(&array, &mut String::new(), &mut { stop }).is_err() && calls == 1);
    }

    #[test]
    fn integers_are_exact_and_shapes_nest() {
        assert_eq!(json(&Array::from_scalar(Scalar::of(u64::MAX))), "18446744073709551615");
        assert_eq!(json(&Array::from_elements(&[2, 1], &[i64::MIN, 1])), "[[-9223372036854775808],[1]]");
        assert_eq!(json(&Array::from_elements::<i8>(&[0, 2], &[])), "[]");
        assert_eq!(json(&Array::from_elements::<i8>(&[2, 0], &[])), "[[],[]]");
    }

    #[test]
    fn complex_numbers_are_pairs() {
        assert_eq!(json(&Array::from_scalar(Scalar::of(Complex { re: 1.5f32, im: f32::NAN }))), r#"[1.5,"nan"]"#);
    }
}
