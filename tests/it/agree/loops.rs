//! Loops whose steps are elementwise: compiled with states in registers, on any vectors and threads, they give what the
//! reference gives step by step.

use super::data::{self, Random};
use super::{agrees, named, program};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::machine::{Level, hold};
use arrlang::exec::plan_text;
use arrlang::types::DType;

/// Loops over `x` and `y` of `{n}` elements and `m` of as many rows as there are steps `{k}`; `d` is the dtype.
const FORMS: &[&str] = &[
    "repeat {k} with s = x { s*y + s }",
    "let (a, b) = repeat {k} as t with s = x, k = 0i64 { (where(s < y, s + y, s - y), k + t) }\noutput p = a\noutput q = b",
    "repeat {k} while s < y with s = x { s + y }",
    "repeat {k} while s != y with s = x { maximum(s, y) }",
    "let (a, n) = repeat 100 while n < {k} with s = x, n = 0i64 { (s - y, n + 1) }\noutput p = a\noutput q = n",
    "repeat {k} while s < y[0] with s = x[0] { s + s }",
    "let (a, b) = repeat {k} with a = x, b = y { (b, a + b) }\noutput p = a\noutput q = b",
    "let (a, b) = repeat {k} while a != b with a = x, b = 0i32 { (a + y, b + 1i32) }\noutput p = a\noutput q = b",
    "let (a, b) = repeat {k} while b < 3i8 with a = x, b = i8(y != y) { (y, b + 1i8) }\noutput p = a\noutput q = b",
    "repeat {k} with s = f64(x), t = f32(f64(x)) { (f64(t)*2.0 + s, t*1.5f32) }",
    "repeat {k} with s = f64(x) { sin(s)*4.0 + cos(s) }",
    "repeat {k} while abs(z) < 2.0 with z = f64(x)*0.01 + f64(y)*0.01j { z*z + 0.3 }",
    "repeat {k} with s = x { s + y[::-1] }",
    "repeat {k} with b = x < y { b != (y < x) }",
    "repeat {k} with s = x[:, None] + y { s*y + x[:, None] }",
    "scan x with s = x[0] { let s = s + x*y[1]; (s, s) }",
    "scan x reverse with s = x[0] { let s = s*y[0] + x; (s, s) }",
    "scan x with s = 0.5 { let s = 0.9*s + 0.1*f64(x); (s, s) }",
    "scan x, y with s = x[0] { (maximum(s, x), s + y) }",
    "scan x, y with c = false { (x < y, c) }",
    "scan m with s = x { (s*y + m, s - m) }",
    "scan m reverse with s = x { (minimum(s, m), m) }",
    "scan m along 1 with s = m[:, 0] { let s = s + m; (s, s) }",
    "scan r = m[:, ::2] along 1 with s = f64(m[:, 0]) { (s + 1.0, f64(r)*s) }",
    "scan r = m.T along 1 reverse with s = y { let s = s*r + y; (s, f64(s)) }",
    "let (a, b) = scan m with s = x, t = 2.0 { (s + m, t*0.5, s, f32(m) + 1f32) }\noutput p = a\noutput q = b",
];

#[test]
fn elementwise_loops_of_every_dtype_agree() {
    let mut random = Random::new(77);
    let mut taken = vec![0; FORMS.len()];
    for (turn, level) in [Level::Sse, Level::Avx2, Level::Avx512].into_iter().cycle().enumerate().take(9) {
        // Whoever runs meanwhile has the same values at any level.
        hold(level);
        for dtype in DType::ALL {
            let n = [1, 3, 8, 17, 33, 70, 4, 9, 130][turn];
            let k = [5, 2, 1, 67, 4, 3, 9, 0, 2][turn];
            let inputs = [
                named("x", data::laid_out(&mut random, dtype, &[n])),
                named("y", data::laid_out(&mut random, dtype, &[n])),
                named("m", data::laid_out(&mut random, dtype, &[k, n])),
            ];
            for (form, taken) in FORMS.iter().zip(&mut taken) {
                let text = form.replace("{k}", &k.to_string()) + "\n";
                let taken_now = agrees(&text, &inputs);
                *taken += usize::from(taken_now);
                if taken_now && k > 0 {
                    let program = program(&text, &inputs, &Settings::default()).expect("it was taken");
                    let plan = plan_text(&program).expect("sizes are known");
                    assert!(plan.contains(", elementwise\n"), "{text}{plan}");
                }
            }
        }
    }
    hold(Level::Avx512);
    let never: Vec<_> = FORMS.iter().zip(&taken).filter(|(_, taken)| **taken == 0).collect();
    assert!(never.is_empty(), "refused with every dtype: {never:#?}");
}

/// Loops that read elements at positions of `x`, `y` and `m`, and put some.
const OF_NUMBERS: &[&str] = &[
    "repeat {k} as t with s = x { var s = s; s[t % {n}] = s[(t + 1) % {n}] + y[t % {n}]; s }",
    "repeat {k} as t with s = x { var s = s; s[0] = s[-1]; s[-1] = s[0] * y[1 % {n}]; s }",
    "repeat {k} as t with m = m { repeat {n} as j with m = m { var m = m; m[t, j] = maximum(m[t, j], m[t, (j + 1) % {n}]); m } }",
    "repeat {k} as t with s = x { let a = repeat t as j with a = y[0] { a - s[j % {n}] }; var s = s; s[t % {n}] = a; s }",
    "repeat {k} as t while s[t % {n}] != y[0] with s = x { var s = s; s[(t + 1) % {n}] = y[t % {n}]; s }",
    "let (a, b) = repeat {k} as t with a = x, b = y { var a = a; var b = b; let u = a[t % {n}]; a[t % {n}] = b[0]; b[t % {n}] = u; (a, b) }\noutput p = a\noutput q = b",
    "let (a, c) = repeat {k} as t with a = x, c = 0i64 { var a = a; a[c % {n}] = where(y[c % {n}] < a[0], y[c % {n}], a[0]); (a, c + i64(a[0] == y[0]) + 1) }\noutput p = a\noutput q = c",
    "repeat {k} as t with m = m { repeat t as i with m = m { repeat 2 as j with m = m { var m = m; m[t, i % {n}] = m[i, j % {n}]; m } } }",
    "repeat {k} as t with b = x < y { var b = b; b[t % {n}] = not b[(t + 1) % {n}]; b }",
    "repeat {k} as t with s = f64(x) { var s = s; s[t % {n}] = sin(s[(t + 1) % {n}]) / 3.0 + f64(y.T[t % {n}]); s }",
    "repeat {k} as t with s = x { var s = s; s[t % {n}] = s[(t + 1) % {n}] // y[t % {n}] - y[0] % s[t % {n}]; s }",
    "repeat {k} as t with s = i32(y != y) + zeros({n}, i32) { var s = s; s[t % {n}] = i32(s[0] // 3i32) + i32(t); s }",
];

/// At one step too, and where a count is 0 or below.
#[test]
fn loops_of_numbers_of_every_dtype_agree() {
    let mut random = Random::new(78);
    let mut whole = vec![0; OF_NUMBERS.len()];
    for (turn, level) in [Level::Sse, Level::Avx2, Level::Avx512].into_iter().cycle().enumerate().take(6) {
        hold(level);
        for dtype in DType::ALL {
            let n = [4, 3, 9, 2, 33, 7][turn];
            let k = [5, 2, 21, 1, 4, 0][turn];
            let inputs = [
                named("x", data::laid_out(&mut random, dtype, &[n])),
                named("y", data::laid_out(&mut random, dtype, &[n])),
                named("m", data::laid_out(&mut random, dtype, &[k, n])),
            ];
            for (form, whole) in OF_NUMBERS.iter().zip(&mut whole) {
                let text = form.replace("{k}", &k.to_string()).replace("{n}", &n.to_string()) + "\n";
                if agrees(&text, &inputs) && k > 0 {
                    let program = program(&text, &inputs, &Settings::default()).expect("it was taken");
                    let plan = plan_text(&program).expect("sizes are known");
                    *whole += usize::from(plan.contains(", of numbers\n"));
                }
            }
        }
    }
    hold(Level::Avx512);
    let never: Vec<_> = OF_NUMBERS.iter().zip(&whole).filter(|(_, whole)| **whole < 20).collect();
    assert!(never.is_empty(), "compiled as a whole too seldom: {never:#?}");
}

/// A loop within may begin with what the one around it only reads, or has stored in: both stay as they were.
#[test]
fn loops_that_go_on_from_what_others_read_leave_it_alone() {
    let inputs = [named("x", Array::from_elements(&[5], &[3i64, 1, 4, 1, 5]))];
    for text in [
        "output s = repeat 40 as t with s = 0 { let b = repeat 2 as j with b = x { var b = b; b[t % 5] += 1; b }; s + b[0] }",
        "output s = repeat 40 as t with y = x { var y = y; y[:4] = where(arange(4) == t, 7, y[:4]); y }",
        "output s = repeat 2000 as t with y = x { var y = y; y[1:] = where(arange(4) == t - 1, y[0] + t, y[1:]); y }",
        "output s = repeat 40 as t with s = 0 { var c = x; c[t % 5] = 7; let b = repeat 2 as j with b = c { var b = b; b[j] += 1; b }; s + b[0] }",
        "output s = repeat 40 as t with y = x { let b = repeat 2 as j with b = y { var b = b; b[t % 5] += y[0]; b }; var y = y; y[1] = b[0]; y }",
        "let (p, q) = repeat 40 as t with y = x, z = x { let b = repeat 3 as j with b = y { var b = b; b[t % 5] += z[j]; b }; (b, y) }\noutput r = p\noutput s = q",
    ] {
        assert!(agrees(&format!("{text}\noutput same = x\n"), &inputs), "{text}");
    }
}

/// Near the number too, where a square would not decide.
#[test]
fn distances_compare_with_numbers_as_the_function_does() {
    let near = |x: f64| (-40i64..=40).map(move |ulps| f64::from_bits((x.to_bits() as i64 + ulps) as u64));
    let odd = [0.0, -0.0, 5.0, -5.0, f64::INFINITY, f64::NAN, f64::MAX, f64::MIN_POSITIVE, 1e-320, 4.9, 5.1, 1e200];
    let pairs: Vec<(f64, f64)> = near(3.0)
        .flat_map(|x| near(4.0).map(move |y| (x, -y)))
        .chain(odd.into_iter().flat_map(|x| odd.map(|y| (x, y))))
        .collect();
    let (x, y): (Vec<f64>, Vec<f64>) = pairs.into_iter().unzip();
    let inputs = [named("x", Array::from_elements(&[x.len()], &x)), named("y", Array::from_elements(&[y.len()], &y))];
    for level in [Level::Sse, Level::Avx2, Level::Avx512] {
        hold(level);
        for text in [
            "hypot(x, y) < 5.0",
            "hypot(x, y) <= 5.0",
            "5.0 < abs(x + y*1j)",
            "hypot(y, x) >= 5.0",
            "hypot(x, y) < 1e200",
        ] {
            assert!(agrees(&format!("{text}\n"), &inputs), "{text}");
        }
    }
    hold(Level::Avx512);
}

/// Constants of a loop that fill the registers stay what they are where a value has to go to memory beside them.
#[test]
fn values_that_find_no_register_leave_constants_alone() {
    let x: Vec<f32> = (0..40).map(|at| at as f32 / 10.0 - 2.0).collect();
    let inputs = [named("x", Array::from_elements(&[x.len()], &x))];
    for level in [Level::Sse, Level::Avx2, Level::Avx512] {
        hold(level);
        for text in [
            "output a = cosh(cosh(x))\noutput b = sigmoid(x)",
            "output a = cosh(cosh(x)) + sigmoid(x)",
            "output a = tanh(cosh(x))\noutput b = sigmoid(x)\noutput c = sinh(x)",
            "output a = sinh(f64(x))\noutput b = erf(cosh(x))\noutput c = exp(sigmoid(x))",
        ] {
            assert!(agrees(&format!("{text}\n"), &inputs), "{text}");
        }
    }
    hold(Level::Avx512);
}
