//! Fourier transforms: against NumPy (`tests/numpy/fft.txt`, written by the script beside it), as laws, and at their
//! faults.

use crate::lab;
use arrlang::array::Array;
use arrlang::exec::{Engine, Options};
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;
use arrlang::types::dtype::Complex;
use proptest::prelude::*;
use std::fmt::Write;
use std::num::NonZeroUsize;

/// The real and the imaginary parts of the elements.
pub(crate) fn parts(array: &Array) -> (Vec<f64>, Vec<f64>) {
    match array.dtype().name() {
        "c128" => array.to_vec::<Complex<f64>>().into_iter().map(|z| (z.re, z.im)).unzip(),
        "c64" => array.to_vec::<Complex<f32>>().into_iter().map(|z| (f64::from(z.re), f64::from(z.im))).unzip(),
        "f32" => array.to_vec::<f32>().into_iter().map(|x| (f64::from(x), 0.0)).unzip(),
        "f64" => array.to_vec::<f64>().into_iter().map(|x| (x, 0.0)).unzip(),
        "i64" => array.to_vec::<i64>().into_iter().map(|x| (x as f64, 0.0)).unzip(),
        other => panic!("{other} has no parts here"),
    }
}

/// The values of a script.
pub(crate) fn values(text: &str) -> Vec<Array> {
    let reply = lab::session(Mode::All).evaluate(&Input::new("spectra.arr", text));
    assert_eq!(reply.diagnostics.error_count(), 0, "{text}\n{}", lab::messages(&reply.diagnostics).join("\n"));
    reply.values.into_iter().map(|shown| shown.array).collect()
}

/// The codes and messages of a script that fails.
pub(crate) fn errors(text: &str) -> String {
    let reply = lab::session(Mode::All).evaluate(&Input::new("spectra.arr", text));
    assert!(reply.diagnostics.error_count() > 0, "{text} has no error");
    let all = reply.diagnostics.iter().map(|it| format!("{} {}", it.code.name, it.message));
    all.collect::<Vec<_>>().join("\n")
}

/// The largest distance between two arrays, as a share of the largest magnitude in them.
fn distance(one: &[f64], other: &[f64]) -> f64 {
    let largest = one.iter().chain(other).fold(1e-300f64, |most, x| most.max(x.abs()));
    one.iter().zip(other).fold(0.0f64, |most, (x, y)| most.max((x - y).abs())) / largest
}

#[test]
fn transforms_give_the_values_of_numpy() {
    let text = std::fs::read_to_string(lab::root("tests/numpy/fft.txt")).expect("the file is there");
    let mut script: String =
        text.lines().filter(|line| line.starts_with("let ")).map(|line| format!("{line}\n")).collect();
    let prelude = script.clone();
    let cases: Vec<Vec<&str>> =
        text.lines().filter(|line| line.contains('\t')).map(|line| line.split('\t').collect()).collect();
    let valued: Vec<&Vec<&str>> = cases.iter().filter(|case| case[1] != "-").collect();
    valued.iter().for_each(|case| {
        let _ = writeln!(script, "{}", case[0]);
    });
    let numbers =
        |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect::<Vec<f64>>();
    let made = values(&script);
    assert_eq!(made.len(), valued.len());
    for (case, array) in valued.iter().zip(&made) {
        let shape: Vec<f64> = array.shape().iter().map(|&size| size as f64).collect();
        assert_eq!(shape, numbers(case[1]), "{}", case[0]);
        let (re, im) = parts(array);
        let zeros = vec![0.0; re.len()];
        let wanted = (numbers(case[2]), case.get(3).map_or(zeros, |text| numbers(text)));
        assert_eq!(array.dtype().is_complex(), case.len() > 3, "{}", case[0]);
        let both = |(re, im): (Vec<f64>, Vec<f64>)| [re, im].concat();
        let far = distance(&both((re, im)), &both(wanted));
        assert!(far < 1e-14, "{}: {far:e}", case[0]);
    }
    let refused: Vec<_> = cases.iter().filter(|case| case[1] == "-").collect();
    assert!(!refused.is_empty());
    refused.iter().for_each(|case| drop(errors(&format!("{prelude}{}", case[0]))));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// What is transformed and back is what it was; half a spectrum says all of a real line; energy stays.
    #[test]
    fn transforms_keep_their_laws(n in 1usize..200, m in 1usize..6, seed in 0.0f64..9.0, norm in 0usize..3) {
        let norm = ["backward", "ortho", "forward"][norm];
        for (dtype, near) in [("f64", 1e-13), ("f32", 1e-5)] {
            let made = values(&format!(
                "let x = {dtype}(sin(arange({m}*{n})*3.7 + {seed:.3}) * 4).reshape({m}, {n})
let y = {dtype}(cos(arange({m}*{n})*1.9 + {seed:.3})).reshape({m}, {n})
let z = x + 1j*y
max(abs(fft.ifft(fft.fft(z, norm=\"{norm}\"), norm=\"{norm}\") - z)).astype(f64)
max(abs(fft.irfft(fft.rfft(x, norm=\"{norm}\"), {n}, norm=\"{norm}\") - x)).astype(f64)
max(abs(fft.rfft(x) - fft.fft(x)[:, :{n}//2 + 1])).astype(f64) / {n}
max(abs(fft.ifft2(fft.fft2(z)) - z)).astype(f64)
max(abs(fft.irfftn(fft.rfftn(x), s=x.shape) - x)).astype(f64)
abs(sum(abs(fft.fft(z, norm=\"ortho\"))**2) / sum(abs(z)**2) - 1).astype(f64)
max(abs(fft.ihfft(fft.hfft(fft.ihfft(x), {n})) - fft.ihfft(x))).astype(f64)
max(abs(fft.ifftshift(fft.fftshift(x)) - x)).astype(f64)"
            ));
            for (law, far) in made.iter().enumerate() {
                let far = far.to_vec::<f64>()[0];
                prop_assert!(far < near * 8.0, "law {law} of {dtype}[{m}, {n}]: {far:e}");
            }
        }
    }
}

#[test]
fn e80_the_reference_and_threads_give_the_same_bits() {
    let script = "let x = sin(arange(4*3*50)*3.7).reshape(4, 50, 3)\nfft.fft(x, axis=1)\nfft.rfftn(x)\nfft.irfft(x, 7)\nfft.fft(x, n=64)";
    let bits = |engine: Engine, threads: usize| {
        let options = Options { engine, threads: NonZeroUsize::new(threads), ..Options::default() };
        let reply = lab::session(Mode::All).evaluate(&Input { options, ..Input::new("spectra.arr", script) });
        assert_eq!(reply.diagnostics.error_count(), 0);
        reply
            .values
            .iter()
            .map(|shown| {
                let (re, im) = parts(&shown.array);
                [re, im].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>()
            })
            .collect::<Vec<_>>()
    };
    let one = bits(Engine::Reference, 1);
    assert_eq!(one, bits(Engine::Jit, 1));
    assert_eq!(one, bits(Engine::Jit, 4));
    assert_eq!(one, bits(Engine::Blocks, 2));
}

#[test]
fn e80_transforms_of_nothing_are_errors_in_place() {
    for text in [
        "fft.fft([1.0, 2.0], n=0)",
        "fft.rfft(zeros((3, 0)))",
        "fft.irfft([1.0])",
        "fft.hfft(zeros(0))",
        "fft.fftn(zeros((2, 0)))",
    ] {
        assert!(errors(text).starts_with("empty-reduction "), "{text}: {}", errors(text));
    }
    assert!(errors("fft.fft(1.0)").contains("takes an array with an axis or more"));
    assert!(errors("fft.fft2([1.0, 2.0])").contains("axis"));
    assert!(errors("fft.fft([1.0], axis=1)").contains("axis"));
    assert!(errors("fft.fft([1.0], norm=\"unit\")").contains("`norm` is one of"));
    assert!(errors("fft.fftn(ones((2, 2)), s=(2, 2, 2), axes=(0, 1))").contains("no pairs"));
    assert!(errors("fft.fft([1.0], n=2**50)").contains("more elements"));
}

#[test]
fn e80_a_selection_that_is_empty_has_an_empty_transform() {
    let made = values("let x = [1.0, 2.0]\nfft.fft(x[x > 5])\nfft.rfft(x[x > 1])");
    assert_eq!(made[0].shape(), [0]);
    assert_eq!(parts(&made[1]).0, [2.0]);
}

#[test]
fn e80_what_is_no_finite_number_goes_through() {
    let made = values("fft.fft([nan, 1.0])\nfft.rfft([inf, 1.0])\nfft.irfft([inf, 1.0])");
    assert!(made.iter().all(|array| parts(array).0.iter().all(|x| !x.is_finite())));
}

/// Lengths that are prime, and far from every power of two, take no more than they need.
#[test]
fn e80_lengths_of_every_kind_are_planned() {
    for n in [1, 2, 3, 31, 64, 97, 997, 1009, 1024, 4099, 10007] {
        let made = values(&format!("let x = cos(arange({n})*0.7)\nmax(abs(fft.irfft(fft.rfft(x), {n}) - x))"));
        assert!(made[0].to_vec::<f64>()[0] < 1e-12, "{n}");
    }
}
