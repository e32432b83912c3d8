//! Complex functions against values of other libraries.

use super::super::Form;
use super::super::expand::Expand;
use super::points::points;
use crate::ir::build::ProgramBuilder;
use crate::scalar::Scalar;
use crate::types::DType;
use crate::types::dtype::{Complex, Element};

/// A function of one complex constant.
fn apply(name: &str, z: Scalar) -> Scalar {
    let op = crate::ops::find(name).expect("the points name rows");
    let Form::Map(expand) = op.form else { panic!("{name} is a map") };
    let mut builder = ProgramBuilder::default();
    let z = builder.constant(z);
    let node = expand(&mut Expand(&mut builder), &[z]);
    builder.as_constant(node).expect("functions of constants are constants")
}

/// Whether a part is as expected: exactly for zeros, infinities and NaN, else within `tolerance` of it.
fn close(found: f64, wanted: f64, tolerance: f64) -> bool {
    if wanted.is_nan() || wanted.is_infinite() || wanted == 0.0 {
        return found.to_bits() == wanted.to_bits() || (found.is_nan() && wanted.is_nan());
    }
    (found - wanted).abs() <= tolerance * wanted.abs() + 5e-324
}

#[test]
fn functions_agree_with_other_libraries_and_annex_g() {
    let mut wrong = Vec::new();
    for &(name, [x, y], [re, im]) in points() {
        let found: Complex<f64> = Element::from_bits(apply(name, Scalar::of(Complex { re: x, im: y })).bits);
        if !close(found.re, re, 1e-15) || !close(found.im, im, 1e-15) {
            wrong.push(format!("{name}({x:?}, {y:?}) is {:?} {:?}, not {re:?} {im:?}", found.re, found.im));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn single_precision_is_the_double_value_rounded_once() {
    let points = [(0.3f32, -1.7f32), (-2.5, 0.125), (1e30, 1e30), (-1e-30, 1e-38), (0.0, -0.0)];
    for name in ["sqrt", "exp", "log", "sin", "tanh", "acos", "atanh", "expm1", "log1p"] {
        for (x, y) in points {
            let wide: Complex<f64> =
                Element::from_bits(apply(name, Scalar::of(Complex { re: f64::from(x), im: f64::from(y) })).bits);
            let narrow: Complex<f32> = Element::from_bits(apply(name, Scalar::of(Complex { re: x, im: y })).bits);
            let same = |narrow: f32, wide: f64| narrow.to_bits() == (wide as f32).to_bits() || narrow.is_nan();
            assert!(same(narrow.re, wide.re) && same(narrow.im, wide.im), "{name}({x}, {y})");
        }
    }
    assert_eq!(apply("abs", Scalar::of(Complex { re: 3f32, im: 4f32 })).dtype, DType::F32);
}

/// Functions that commute with conjugation do so bit for bit.
#[test]
fn conjugates_have_conjugate_values() {
    let values = [0.0, 0.5, 1.0, 3.0, 1e200, f64::INFINITY];
    for name in ["sqrt", "exp", "log", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin", "acos", "atan", "asinh"] {
        for (x, y) in values.iter().flat_map(|&x| values.iter().map(move |&y| (x, y))) {
            let at = |im| -> Complex<f64> { Element::from_bits(apply(name, Scalar::of(Complex { re: x, im })).bits) };
            let (above, below) = (at(y), at(-y));
            let same = |a: f64, b: f64| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
            assert!(same(above.re, below.re) && same(above.im, -below.im), "{name}({x}, {y})");
        }
    }
}
