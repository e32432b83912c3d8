//! Values as text for people: scalars in their shortest form, arrays in aligned columns.
//!
//! Arrays look as NumPy prints them: nested brackets, one format for all elements, at most 8 digits after the point,
//! and `...` in the middle of long axes. However large an array is, only the elements that appear are looked at.
//!
//! ```
//! use arrlang::array::{show::{array_text, Show}, Array};
//! let a = Array::from_elements(&[2, 2], &[1.0f32, 0.5, -2.25, 10.0]);
//! assert_eq!(array_text(&a, &Show::default()), "[[ 1.    0.5 ]\n [-2.25 10.  ]]");
//! ```

use super::Array;
use super::columns::words;
use super::digits::{integer_text, layout, not_finite, parts, shortest, value};
use super::logical::Logical;
use crate::scalar::Scalar;
use crate::types::dtype::{DType, Kind};

/// An element as a cell of a table: a word or a date as what it means, a float in its shortest form, or with `digits`
/// digits after the point.
///
/// ```
/// use arrlang::array::{Array, show::cell_text};
/// assert_eq!(cell_text(&Array::from_elements(&[1], &[1.5f32]), 0, Some(3)), "1.500");
/// ```
pub fn cell_text(array: &Array, flat: usize, digits: Option<usize>) -> String {
    let scalar = array.get(flat);
    match (array.logical(), digits) {
        (Some(logical), _) => logical.text(number(scalar)),
        (None, Some(digits)) if scalar.dtype.kind() == Kind::Float && value(scalar.bits, scalar.dtype).is_finite() => {
            format!("{:.digits$}", value(scalar.bits, scalar.dtype))
        }
        (None, _) => scalar_text(scalar),
    }
}

/// How arrays are laid out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Show {
    /// Characters in a line; 0 for lines of any length.
    pub width: usize,
    /// Arrays with more elements are summarised.
    pub threshold: usize,
    /// Elements shown at either end of a summarised axis.
    pub edge_items: usize,
    /// Most digits of a float after the point.
    pub digits: usize,
}

impl Default for Show {
    fn default() -> Show {
        Show { width: 75, threshold: 1000, edge_items: 3, digits: 8 }
    }
}

/// The most elements that a summary shows, whatever the rank: six at each of twenty axes would be too many.
const MAX_SUMMARY: usize = 10_000;

/// A scalar in its shortest form that reads back as the same bits: `-1`, `0.1`, `true`, `(1+2j)`.
///
/// ```
/// use arrlang::{array::show::scalar_text, scalar::Scalar};
/// assert_eq!(scalar_text(Scalar::of(1e16)), "1e+16");
/// ```
pub fn scalar_text(scalar: Scalar) -> String {
    let mut out = String::new();
    write_scalar(scalar, &mut out);
    out
}

/// Appends [`scalar_text`].
pub(super) fn write_scalar(scalar: Scalar, out: &mut String) {
    match scalar.dtype.kind() {
        Kind::Bool | Kind::Unsigned | Kind::Signed => out.push_str(&integer_text(scalar)),
        Kind::Float => write_float(scalar.bits, scalar.dtype, out),
        Kind::Complex => write_complex(scalar, out),
    }
}

/// A float, which has a point also where it is whole.
pub(super) fn write_float(bits: u128, part: DType, out: &mut String) {
    write_number(bits, part, true, out);
}

/// A part of a complex number, which has no point where it is whole.
fn write_part(bits: u128, part: DType, out: &mut String) {
    write_number(bits, part, false, out);
}

fn write_number(bits: u128, part: DType, dot: bool, out: &mut String) {
    match shortest(bits, part) {
        Some(digits) => layout(&digits, dot, out),
        None => out.push_str(not_finite(value(bits, part))),
    }
}

/// As Python: `(1+2j)`, and `2j` alone when the real part is a positive zero.
fn write_complex(scalar: Scalar, out: &mut String) {
    let [re, im] = parts(scalar);
    let part = scalar.dtype.part();
    if re == 0 {
        write_part(im, part, out);
        out.push('j');
        return;
    }
    out.push('(');
    write_part(re, part, out);
    let mut imaginary = String::new();
    write_part(im, part, &mut imaginary);
    if !imaginary.starts_with('-') {
        out.push('+');
    }
    out.extend([&imaginary, "j)"]);
}

/// An array in aligned columns; a scalar as [`scalar_text`].
pub fn array_text(array: &Array, show: &Show) -> String {
    let meaning = array.logical().filter(|logical| !matches!(logical, Logical::Words(_)));
    if array.shape().is_empty() {
        return match meaning {
            Some(logical) => logical.text(number(array.get(0))),
            None => scalar_text(array.get(0)),
        };
    }
    if array.is_empty() {
        return "[]".to_string();
    }
    let axes = shown(array, show);
    let elements: Vec<Scalar> = positions(array.shape(), &axes).into_iter().map(|flat| array.get(flat)).collect();
    let words = match meaning {
        Some(logical) => elements.iter().map(|&element| logical.text(number(element))).collect(),
        None => words(array.dtype(), &elements, show.digits),
    };
    let mut page = ShownPage { axes: &axes, words: words.iter(), width: show.width };
    page.lay(0, 1, show.width)
}

/// The integer that a scalar is.
fn number(scalar: Scalar) -> i64 {
    let unused = 64 - scalar.dtype.bits().min(64);
    (scalar.bits as i64) << unused >> unused
}

/// Most words that are named beside their codes.
const MAX_WORDS: usize = 10;

/// What the codes of words stand for: `0 is AAPL, 1 is MSFT`; nothing for other arrays.
pub fn words_text(array: &Array) -> Option<String> {
    let Some(Logical::Words(words)) = array.logical() else { return None };
    let named = words.iter().take(MAX_WORDS).enumerate().map(|(code, word)| format!("{code} is {word:?}"));
    let mut named: Vec<String> = named.collect();
    if words.len() > MAX_WORDS {
        named.push(format!("{} more", words.len() - MAX_WORDS));
    }
    // Codes that came without words have none to tell.
    (!named.is_empty()).then(|| named.join(", "))
}

/// For each axis the indices that are shown; `None` stands for `...`.
fn shown(array: &Array, show: &Show) -> Vec<Vec<Option<usize>>> {
    let shape = array.shape();
    let count = shape.iter().fold(1usize, |count, &len| count.saturating_mul(len));
    if count <= show.threshold {
        return shape.iter().map(|&len| (0..len).map(Some).collect()).collect();
    }
    // Inner axes are served first: they make the rows that people compare.
    let mut left = MAX_SUMMARY;
    let mut axes: Vec<Vec<Option<usize>>> = Vec::new();
    for &len in shape.iter().rev() {
        let wanted = show.edge_items.max(1);
        let axis: Vec<Option<usize>> = if len <= 2 * wanted && len <= left {
            (0..len).map(Some).collect()
        } else {
            let edge = wanted.min(left / 2);
            match edge {
                0 => [Some(0)].into_iter().chain((len > 1).then_some(None)).collect(),
                _ => (0..edge).map(Some).chain([None]).chain((len - edge..len).map(Some)).collect(),
            }
        };
        left /= axis.iter().flatten().count();
        axes.push(axis);
    }
    axes.reverse();
    axes
}

/// The C-order positions of the shown elements, in the order in which they appear.
fn positions(shape: &[usize], axes: &[Vec<Option<usize>>]) -> Vec<usize> {
    axes.iter().zip(shape).fold(vec![0], |outer, (axis, &len)| {
        outer.iter().flat_map(|&base| axis.iter().flatten().map(move |&index| base * len + index)).collect()
    })
}

/// Lays words out in brackets.
struct ShownPage<'a> {
    axes: &'a [Vec<Option<usize>>],
    words: std::slice::Iter<'a, String>,
    width: usize,
}

impl ShownPage<'_> {
    /// The axes from `axis` on, in brackets; lines after the first begin with `indent` spaces and, with what must
    /// follow the last one, end before `width`. Recursion is as deep as the rank, which is at most 32.
    fn lay(&mut self, axis: usize, indent: usize, width: usize) -> String {
        let axes = self.axes;
        if axis + 1 == axes.len() {
            return self.row(&axes[axis], indent, width.saturating_sub(1));
        }
        let mut text = String::from("[");
        for (place, index) in axes[axis].iter().enumerate() {
            if place > 0 {
                text.extend(std::iter::repeat_n('\n', axes.len() - axis - 1));
                text.extend(std::iter::repeat_n(' ', indent));
            }
            match index {
                Some(_) => text.push_str(&self.lay(axis + 1, indent + 1, width.saturating_sub(1))),
                None => text.push_str("..."),
            }
        }
        text.push(']');
        text
    }

    /// The innermost axis: words, with line breaks where the line is full.
    fn row(&mut self, axis: &[Option<usize>], indent: usize, width: usize) -> String {
        let mut text = String::from("[");
        let mut column = indent;
        for (place, index) in axis.iter().enumerate() {
            let word = match index {
                Some(_) => self.words.next().expect("a word for each shown element"),
                None => "...",
            };
            let gap = usize::from(place > 0);
            if place > 0 && column + gap + word.len() > width && self.width > 0 {
                text.truncate(text.trim_end().len());
                text.push('\n');
                text.extend(std::iter::repeat_n(' ', indent));
                column = indent;
            } else if place > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        }
        text.push(']');
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::dtype::{Complex, Element};
    use half::{bf16, f16};

    fn text<T: Element>(shape: &[usize], elements: &[T]) -> String {
        array_text(&Array::from_elements(shape, elements), &Show::default())
    }

    fn one<T: Element>(value: T) -> String {
        scalar_text(Scalar::of(value))
    }

    #[test]
    fn scalars_are_shortest_in_their_own_dtype() {
        assert_eq!([one(1.0), one(0.1), one(1e-7), one(1e16), one(-0.0)], ["1.0", "0.1", "1e-7", "1e+16", "-0.0"]);
        assert_eq!(
            [one(1e-4), one(123456.75f32), one(1e15), one(5e-324)],
            ["0.0001", "123456.75", "1000000000000000.0", "5e-324"]
        );
        assert_eq!([one(f16::from_f32(0.1)), one(f16::MAX), one(f16::from_bits(1))], ["0.1", "65500.0", "6e-8"]);
        assert_eq!([one(bf16::from_f32(0.1)), one(bf16::MAX), one(bf16::from_bits(1))], ["0.1", "3.39e+38", "9e-41"]);
        assert_eq!([one(f64::NAN), one(-f32::INFINITY)], ["nan", "-inf"]);
        assert_eq!([one(i8::MIN), one(-1i8), one(255u8)], ["-128", "-1", "255"]);
        assert_eq!(one(u64::MAX), "18446744073709551615");
    }

    #[test]
    fn complex_scalars_look_as_in_python() {
        assert_eq!(one(Complex { re: 1.0, im: 2.0 }), "(1+2j)");
        assert_eq!(one(Complex { re: 0.0f32, im: 0.5 }), "0.5j");
        assert_eq!(one(Complex { re: -0.0, im: -1e16 }), "(-0-1e+16j)");
        assert_eq!(one(Complex { re: f64::NAN, im: f64::INFINITY }), "(nan+infj)");
    }

    #[test]
    fn every_float_of_16_bits_reads_back_from_its_text() {
        // Not through `half`'s conversion from `f64`, which looks at the upper 32 bits alone.
        for part in [DType::F16, DType::Bf16] {
            let infinity = if part == DType::F16 { 0x7c00u16 } else { 0x7f80 };
            for bits in 1..infinity {
                let text = scalar_text(Scalar { dtype: part, bits: bits.into() });
                let read: f64 = text.parse().unwrap();
                let [below, exact, above] = [bits - 1, bits, bits + 1].map(|bits| value(bits.into(), part));
                let [off, other] = [(read - exact).abs(), (read - below).abs().min((above - read).abs())];
                assert!(off < other || (off == other && bits % 2 == 0), "{text} is not {part} {bits:#x}");
            }
        }
    }

    #[test]
    fn columns_are_aligned() {
        assert_eq!(text(&[3], &[1, -20, 300]), "[  1 -20 300]");
        assert_eq!(text(&[2], &[1.0f32, 0.1]), "[1.  0.1]");
        assert_eq!(text(&[2], &[1e-10, 1.25]), "[1.00e-10 1.25e+00]");
        assert_eq!(text(&[3], &[1.0, f64::NAN, -f64::INFINITY]), "[  1.  nan -inf]");
        assert_eq!(text(&[1], &[1.0 / 3.0]), "[0.33333333]");
        assert_eq!(text(&[2], &[0.999_999_999_9, 12.5]), "[ 1.  12.5]");
        assert_eq!(text(&[2], &[Complex { re: 1.0, im: -2.0 }, Complex { re: 3.5, im: 4.0 }]), "[1. -2.j 3.5+4.j]");
        assert_eq!(text(&[1, 1, 2], &[1u8, 2]), "[[[1 2]]]");
        assert_eq!(text::<u8>(&[0, 3], &[]), "[]");
    }

    #[test]
    fn fewer_digits_are_rounded() {
        let with = |digits: usize, x: &[f64]| {
            array_text(&Array::from_elements(&[x.len()], x), &Show { digits, ..Show::default() })
        };
        assert_eq!(with(2, &[1.0 / 3.0, 0.0019, 0.5]), "[0.33 0.   0.5 ]");
        assert_eq!(with(0, &[0.4, 2.6]), "[0. 3.]");
        assert_eq!(with(1, &[1e-10, 1.25]), "[1.0e-10 1.2e+00]");
        assert_eq!(with(17, &[1.0 / 3.0]), "[0.3333333333333333]");
    }

    #[test]
    fn long_rows_break_and_planes_are_apart() {
        let rows = text(&[40], &(0..40).collect::<Vec<i32>>());
        assert!(rows.lines().all(|line| line.len() <= 75), "{rows}");
        assert_eq!(rows.lines().nth(1).unwrap(), " 24 25 26 27 28 29 30 31 32 33 34 35 36 37 38 39]");
        assert_eq!(text(&[2, 2, 1], &[1, 2, 3, 4]), "[[[1]\n  [2]]\n\n [[3]\n  [4]]]");
    }

    #[test]
    fn d17_a_billion_elements_are_summarised() {
        let row = Array::from_elements(&[1], &[1.5f32]);
        let many = row.broadcast_to(&[1000, 1000, 1000]);
        let text = array_text(&many, &Show::default());
        assert!(text.starts_with("[[[1.5 1.5 1.5 ... 1.5 1.5 1.5]\n") && text.len() < 4000, "{text}");
        let flat = row.broadcast_to(&[1 << 40]);
        assert_eq!(array_text(&flat, &Show::default()), "[1.5 1.5 1.5 ... 1.5 1.5 1.5]");
        let deep = row.broadcast_to(&[3; 32]);
        assert!(array_text(&deep, &Show::default()).len() < 1_000_000);
    }
}
