//! The functions against correctly rounded ones: at most one representable value apart.

use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// Pseudo-random bits (SplitMix64).
struct Random(u64);

impl Random {
    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    /// Uniform between two numbers.
    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * (self.bits() >> 11) as f64 * 2f64.powi(-53)
    }
}

/// How many representable values apart; two NaNs are 0 apart, and zeros of two signs are far.
fn apart64(a: f64, b: f64) -> u64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    if a.is_sign_negative() == b.is_sign_negative() { a.to_bits().abs_diff(b.to_bits()) } else { u64::MAX }
}

fn apart32(a: f32, b: f32) -> u64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    if a.is_sign_negative() == b.is_sign_negative() { a.to_bits().abs_diff(b.to_bits()).into() } else { u64::MAX }
}

const SPECIAL: [f64; 29] = [
    1.0,
    2.0,
    0.5,
    3.0,
    10.0,
    100.0,
    1e-5,
    1e-8,
    1e-16,
    3e-17,
    1e-40,
    1e-300,
    5e-324,
    2.3e-308,
    1e17,
    1e22,
    1e38,
    1e300,
    1.797e308,
    709.78,
    710.0,
    88.72,
    745.13,
    1024.0,
    0.9,
    std::f64::consts::FRAC_PI_2,
    1_600_000.0,
    f64::INFINITY,
    f64::NAN,
];

/// Points of all sizes, of the sizes that matter, and special ones.
fn points(count: usize, range: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    let mut points: Vec<f64> = SPECIAL.into_iter().flat_map(|x| [x, -x, x.next_up(), x.next_down()]).collect();
    points.retain(|x| x.is_finite() && *x != 0.0);
    while points.len() < count {
        let i = points.len();
        let x = match i % 8 {
            0 => f64::from_bits(random.bits()),
            1 => random.between(-1.0, 1.0),
            2 => random.between(0.5, 2.0),
            3 => 2f64.powf(random.between(-60.0, 4.0)) * if i & 8 == 0 { 1.0 } else { -1.0 },
            4 => random.between(-10.0, 10.0),
            5 => 2f64.powf(random.between(0.0, 30.0)),
            _ => random.between(-range, range),
        };
        if x.is_finite() && x != 0.0 {
            points.push(x);
        }
    }
    points
}

const COUNT: usize = 200_000;

type Oracle1 = (Prim, f64, u64, fn(f64) -> f64, fn(f32) -> f32);

/// A prim, the range of its arguments, how far off it may be in `f64`, and what is right.
const UNARY: [Oracle1; 24] = [
    (Prim::Exp, 760.0, 1, pxfm::f_exp, pxfm::f_expf),
    (Prim::Exp2, 1080.0, 1, pxfm::f_exp2, pxfm::f_exp2f),
    (Prim::Expm1, 720.0, 1, pxfm::f_expm1, pxfm::f_expm1f),
    (Prim::Log, 1e9, 1, pxfm::f_log, pxfm::f_logf),
    (Prim::Log2, 1e9, 1, pxfm::f_log2, pxfm::f_log2f),
    (Prim::Log10, 1e9, 1, pxfm::f_log10, pxfm::f_log10f),
    (Prim::Log1p, 1e3, 1, pxfm::f_log1p, pxfm::f_log1pf),
    (Prim::Sin, 1e6, 1, pxfm::f_sin, pxfm::f_sinf),
    (Prim::Cos, 1e6, 1, pxfm::f_cos, pxfm::f_cosf),
    (Prim::Tan, 1e6, 1, pxfm::f_tan, pxfm::f_tanf),
    (Prim::Tanh, 25.0, 1, pxfm::f_tanh, pxfm::f_tanhf),
    (Prim::Cbrt, 1e9, 1, pxfm::f_cbrt, pxfm::f_cbrtf),
    (Prim::Erf, 6.5, 1, pxfm::f_erf, pxfm::f_erff),
    (Prim::Sinh, 720.0, 1, pxfm::f_sinh, pxfm::f_sinhf),
    (Prim::Cosh, 720.0, 1, pxfm::f_cosh, pxfm::f_coshf),
    (Prim::Asin, 1.0, 1, pxfm::f_asin, pxfm::f_asinf),
    (Prim::Acos, 1.0, 1, pxfm::f_acos, pxfm::f_acosf),
    (Prim::Atan, 1e3, 1, pxfm::f_atan, pxfm::f_atanf),
    (Prim::Asinh, 1e3, 1, pxfm::f_asinh, pxfm::f_asinhf),
    (Prim::Acosh, 1e3, 1, pxfm::f_acosh, pxfm::f_acoshf),
    (Prim::Atanh, 1.0, 1, pxfm::f_atanh, pxfm::f_atanhf),
    (Prim::Erfc, 28.0, 1, pxfm::f_erfc, pxfm::f_erfcf),
    (Prim::Gamma, 170.0, 1, pxfm::f_tgamma, pxfm::f_tgammaf),
    (Prim::Sqrt, 1e3, 0, f64::sqrt, f32::sqrt),
];

fn call1(prim: Prim, x: f64) -> f64 {
    f64::from_bits(eval(prim, DType::F64, &[Scalar::of(x)]).bits as u64)
}

fn call1f(prim: Prim, x: f32) -> f32 {
    f32::from_bits(eval(prim, DType::F32, &[Scalar::of(x)]).bits as u32)
}

fn call2(prim: Prim, x: f64, y: f64) -> f64 {
    f64::from_bits(eval(prim, DType::F64, &[Scalar::of(x), Scalar::of(y)]).bits as u64)
}

fn call2f(prim: Prim, x: f32, y: f32) -> f32 {
    f32::from_bits(eval(prim, DType::F32, &[Scalar::of(x), Scalar::of(y)]).bits as u32)
}

#[test]
fn functions_of_one_number_are_one_value_off_at_most() {
    for (prim, range, limit, oracle, oraclef) in UNARY {
        for x in points(COUNT, range, 1) {
            let domain = match prim {
                Prim::Acosh => x >= 1.0,
                // The oracle is no better than this where the function is steep.
                Prim::Gamma => x > 1e-300 && x < 171.0,
                _ => true,
            };
            if domain {
                let (got, exact) = (call1(prim, x), oracle(x));
                assert!(apart64(got, exact) <= limit, "{} {x:e}: {got:e}, not {exact:e}", prim.name());
            }
            let x = x as f32;
            if domain && x != 0.0 && x.is_finite() {
                let (got, exact) = (call1f(prim, x), oraclef(x));
                assert!(apart32(got, exact) <= limit.min(1), "{} {x:e}f32: {got:e}, not {exact:e}", prim.name());
            }
        }
    }
}

type Oracle2 = (Prim, fn(f64, f64) -> f64, fn(f32, f32) -> f32);

const BINARY: [Oracle2; 3] = [
    (Prim::Pow, pxfm::f_pow, pxfm::f_powf),
    (Prim::Hypot, pxfm::f_hypot, pxfm::f_hypotf),
    (Prim::Atan2, pxfm::f_atan2, pxfm::f_atan2f),
];

#[test]
fn functions_of_two_numbers_are_one_value_off_at_most() {
    let mut random = Random(7);
    let mut pairs: Vec<(f64, f64)> = points(COUNT, 100.0, 2).into_iter().zip(points(COUNT, 100.0, 3)).collect();
    for _ in 0..COUNT {
        // Powers that neither overflow nor vanish, and some that just do.
        let x = 2f64.powf(random.between(-30.0, 30.0));
        pairs.push((x, random.between(-1100.0, 1100.0) / x.log2()));
        let near = random.between(0.9, 1.1);
        pairs.push((near, random.between(-750.0, 750.0) / near.ln()));
        let x = 2f64.powf(random.between(-4.0, 4.0));
        pairs.push((x, random.between(-150.0, 130.0) / x.log2()));
    }
    for (prim, oracle, oraclef) in BINARY {
        for &(x, y) in &pairs {
            let (got, exact) = (call2(prim, x, y), oracle(x, y));
            // The oracle loses the sign of an angle that vanishes.
            let limit = if got == 0.0 && exact == 0.0 { u64::MAX } else { 1 };
            assert!(apart64(got, exact) <= limit, "{} {x:e} {y:e}: {got:e}, not {exact:e}", prim.name());
            let (x, y) = (x as f32, y as f32);
            if x != 0.0 && y != 0.0 && x.is_finite() && y.is_finite() {
                let (got, exact) = (call2f(prim, x, y), oraclef(x, y));
                let limit = if got == 0.0 && exact == 0.0 { u64::MAX } else { 1 };
                assert!(apart32(got, exact) <= limit, "{} {x:e} {y:e} f32: {got:e}, not {exact:e}", prim.name());
            }
        }
    }
}

/// `libm` follows C's Annex F, though not to the last digit: its special results are ours.
#[test]
fn special_values_are_those_of_annex_f() {
    type Row2 = (Prim, fn(f64, f64) -> f64);
    type Row1 = (Prim, fn(f64) -> f64);
    let unary: [Row1; 24] = [
        (Prim::Exp, libm::exp),
        (Prim::Exp2, libm::exp2),
        (Prim::Expm1, libm::expm1),
        (Prim::Log, libm::log),
        (Prim::Log2, libm::log2),
        (Prim::Log10, libm::log10),
        (Prim::Log1p, libm::log1p),
        (Prim::Sin, libm::sin),
        (Prim::Cos, libm::cos),
        (Prim::Tan, libm::tan),
        (Prim::Asin, libm::asin),
        (Prim::Acos, libm::acos),
        (Prim::Atan, libm::atan),
        (Prim::Sinh, libm::sinh),
        (Prim::Cosh, libm::cosh),
        (Prim::Tanh, libm::tanh),
        (Prim::Asinh, libm::asinh),
        (Prim::Acosh, |x| if x < 1.0 { f64::NAN } else { libm::acosh(x) }),
        (Prim::Atanh, libm::atanh),
        (Prim::Cbrt, libm::cbrt),
        (Prim::Erf, libm::erf),
        (Prim::Erfc, libm::erfc),
        (Prim::Gamma, libm::tgamma),
        (Prim::Lgamma, libm::lgamma),
    ];
    let special =
        [0.0, -0.0, 1.0, -1.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, -2.0, -0.5, 0.5, 2.0, -3.0, 1e9, -1e9];
    let special = special.into_iter().chain([2.5, -2.5, 1e300, -1e300, 1e15 + 1.0, -1e15 - 1.0, 0.25, -0.25]);
    let special: Vec<f64> = special.collect();
    let agree = |got: f64, expected: f64, what: &dyn Fn() -> String| {
        let odd = |x: f64| x == 0.0 || !x.is_finite();
        let near = !odd(got) && !odd(expected) && (got / expected - 1.0).abs() < 1e-6;
        assert!(apart64(got, expected) == 0 || near, "{}: {got:e}, not {expected:e}", what());
    };
    for (prim, expected) in unary {
        for &x in &special {
            agree(call1(prim, x), expected(x), &|| format!("{} {x:e}", prim.name()));
            let single = expected(f64::from(x as f32)) as f32;
            agree(call1f(prim, x as f32).into(), single.into(), &|| format!("{} {x:e}f32", prim.name()));
        }
    }
    let binary: [Row2; 3] = [(Prim::Pow, libm::pow), (Prim::Hypot, libm::hypot), (Prim::Atan2, libm::atan2)];
    for (prim, expected) in binary {
        for &x in &special {
            for &y in &special {
                agree(call2(prim, x, y), expected(x, y), &|| format!("{} {x:e} {y:e}", prim.name()));
                let single = expected(f64::from(x as f32), f64::from(y as f32)) as f32;
                let got = call2f(prim, x as f32, y as f32);
                agree(got.into(), single.into(), &|| format!("{} {x:e} {y:e} f32", prim.name()));
            }
        }
    }
}

/// What tends to a number reaches it, and stays there; so do single floats.
#[test]
fn functions_reach_their_limits() {
    for prim in [Prim::Tanh, Prim::Erf] {
        let mut last = 0.0;
        for bits in f32::to_bits(8.8)..=f32::to_bits(12.0) {
            let value = call1f(prim, f32::from_bits(bits));
            assert!(value >= last, "{} {:e}: {value:e} after {last:e}", prim.name(), f32::from_bits(bits));
            last = value;
        }
        for size in [12.0, 1e9, f32::INFINITY] {
            assert_eq!((call1f(prim, size), call1f(prim, -size)), (1.0, -1.0), "{} {size}", prim.name());
        }
        for size in [30.0, 1e300, f64::INFINITY] {
            assert_eq!((call1(prim, size), call1(prim, -size)), (1.0, -1.0), "{} {size}", prim.name());
        }
    }
    assert_eq!([call1f(Prim::Sigmoid, f32::INFINITY), call1f(Prim::Sigmoid, f32::NEG_INFINITY)], [1.0, 0.0]);
    assert_eq!(call1f(Prim::Atan, f32::INFINITY), std::f32::consts::FRAC_PI_2);
}

/// Exact cases that everyone expects.
#[test]
fn exact_results_are_exact() {
    for n in -1074..1024 {
        assert_eq!(
            call1(Prim::Exp2, f64::from(n)),
            2f64.powi(n.max(-1022)) * if n < -1022 { 2f64.powi(n + 1022) } else { 1.0 }
        );
        assert_eq!(call1(Prim::Log2, call1(Prim::Exp2, f64::from(n))), f64::from(n));
    }
    for n in 0..=22 {
        let power = (0..n).fold(1.0, |power, _| power * 10.0);
        assert_eq!(call1(Prim::Log10, power), f64::from(n));
        assert_eq!(call2(Prim::Pow, 10.0, f64::from(n)), power);
        assert_eq!(call1f(Prim::Log10, power as f32), (power as f32 as f64).log10() as f32);
    }
    for n in 1..2_000 {
        let n = f64::from(n);
        assert_eq!(call1(Prim::Cbrt, n * n * n), n);
        assert_eq!(call2(Prim::Pow, n, 2.0), n * n);
        assert_eq!(call2(Prim::Pow, n * n, 0.5), n);
        assert_eq!(call2(Prim::Hypot, 3.0 * n, 4.0 * n), 5.0 * n);
    }
}
