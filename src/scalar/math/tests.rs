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
    if a.is_sign_negative() != b.is_sign_negative() { u64::MAX } else { a.to_bits().abs_diff(b.to_bits()) }
}

fn apart32(a: f32, b: f32) -> u64 {
    if a.is_nan() || b.is_nan() {
        return if a.is_nan() && b.is_nan() { 0 } else { u64::MAX };
    }
    if a.is_sign_negative() != b.is_sign_negative() { u64::MAX } else { a.to_bits().abs_diff(b.to_bits()).into() }
}

const SPECIAL: [f64; 30] = [
    0.0,
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
    1.5707963267948966,
    1_600_000.0,
    f64::INFINITY,
    f64::NAN,
];

/// Points of all sizes, of the sizes that matter, and special ones.
fn points(count: usize, range: f64, seed: u64) -> Vec<f64> {
    let mut random = Random(seed);
    let mut points: Vec<f64> = SPECIAL.into_iter().flat_map(|x| [x, -x, x.next_up(), x.next_down()]).collect();
    for i in 0..count {
        points.push(match i % 8 {
            0 => f64::from_bits(random.bits()),
            1 => random.between(-1.0, 1.0),
            2 => random.between(0.5, 2.0),
            3 => 2f64.powf(random.between(-60.0, 4.0)) * if i & 8 == 0 { 1.0 } else { -1.0 },
            4 => random.between(-10.0, 10.0),
            5 => 2f64.powf(random.between(0.0, 30.0)),
            _ => random.between(-range, range),
        });
    }
    points
}

const COUNT: usize = 200_000;

type Oracle1 = (Prim, f64, fn(f64) -> f64, fn(f32) -> f32);

const UNARY: [Oracle1; 26] = [
    (Prim::Exp, 760.0, pxfm::f_exp, pxfm::f_expf),
    (Prim::Exp2, 1080.0, pxfm::f_exp2, pxfm::f_exp2f),
    (Prim::Expm1, 720.0, pxfm::f_expm1, pxfm::f_expm1f),
    (Prim::Log, 1e9, pxfm::f_log, pxfm::f_logf),
    (Prim::Log2, 1e9, pxfm::f_log2, pxfm::f_log2f),
    (Prim::Log10, 1e9, pxfm::f_log10, pxfm::f_log10f),
    (Prim::Log1p, 1e3, pxfm::f_log1p, pxfm::f_log1pf),
    (Prim::Sin, 1e6, pxfm::f_sin, pxfm::f_sinf),
    (Prim::Cos, 1e6, pxfm::f_cos, pxfm::f_cosf),
    (Prim::Tan, 1e6, pxfm::f_tan, pxfm::f_tanf),
    (Prim::Tanh, 25.0, pxfm::f_tanh, pxfm::f_tanhf),
    (Prim::Cbrt, 1e9, pxfm::f_cbrt, pxfm::f_cbrtf),
    (Prim::Erf, 6.5, pxfm::f_erf, pxfm::f_erff),
    (Prim::Asin, 1.0, pxfm::f_asin, pxfm::f_asinf),
    (Prim::Acos, 1.0, pxfm::f_acos, pxfm::f_acosf),
    (Prim::Atan, 1e3, pxfm::f_atan, pxfm::f_atanf),
    (Prim::Sinh, 720.0, pxfm::f_sinh, pxfm::f_sinhf),
    (Prim::Cosh, 720.0, pxfm::f_cosh, pxfm::f_coshf),
    (Prim::Asinh, 1e3, pxfm::f_asinh, pxfm::f_asinhf),
    (Prim::Acosh, 1e3, pxfm::f_acosh, pxfm::f_acoshf),
    (Prim::Atanh, 1.0, pxfm::f_atanh, pxfm::f_atanhf),
    (Prim::Erfc, 28.0, pxfm::f_erfc, pxfm::f_erfcf),
    (Prim::Gamma, 180.0, pxfm::f_tgamma, pxfm::f_tgammaf),
    (Prim::Lgamma, 1e3, pxfm::f_lgamma, pxfm::f_lgammaf),
    (Prim::Sqrt, 1e3, f64::sqrt, f32::sqrt),
    (Prim::Abs, 1e3, f64::abs, f32::abs),
];

#[test]
fn functions_of_one_number_are_one_value_off_at_most() {
    let mut report = String::new();
    let mut bad = false;
    for (prim, range, oracle, oraclef) in UNARY {
        let (mut worst, mut at, mut off) = (0, 0.0, 0);
        let (mut worst32, mut at32, mut off32) = (0, 0.0, 0);
        for x in points(COUNT, range, 1) {
            let got = f64::from_bits(eval(prim, DType::F64, &[Scalar::of(x)]).bits as u64);
            let d = apart64(got, oracle(x));
            off += u64::from(d > 0);
            if d > worst {
                (worst, at) = (d, x);
            }
            let x = x as f32;
            let got = f32::from_bits(eval(prim, DType::F32, &[Scalar::of(x)]).bits as u32);
            let d = apart32(got, oraclef(x));
            off32 += u64::from(d > 0);
            if d > worst32 {
                (worst32, at32) = (d, x);
            }
        }
        bad |= worst > 1 || worst32 > 1;
        report += &format!(
            "{:8} f64: {worst} at {at:e} ({off} of {COUNT} off)   f32: {worst32} at {at32:e} ({off32} off)\n",
            prim.name()
        );
    }
    eprintln!("{report}");
    assert!(!bad, "\n{report}");
}

type Oracle2 = (Prim, fn(f64, f64) -> f64, fn(f32, f32) -> f32);

const BINARY: [Oracle2; 3] = [
    (Prim::Pow, pxfm::f_pow, pxfm::f_powf),
    (Prim::Hypot, pxfm::f_hypot, pxfm::f_hypotf),
    (Prim::Atan2, pxfm::f_atan2, pxfm::f_atan2f),
];

#[test]
fn functions_of_two_numbers_are_one_value_off_at_most() {
    let mut report = String::new();
    let mut bad = false;
    let mut random = Random(7);
    let mut pairs: Vec<(f64, f64)> = Vec::new();
    for x in SPECIAL.into_iter().flat_map(|x| [x, -x]) {
        pairs.extend(SPECIAL.into_iter().flat_map(|y| [(x, y), (x, -y)]));
    }
    let (xs, ys) = (points(COUNT, 100.0, 2), points(COUNT, 100.0, 3));
    pairs.extend(xs.into_iter().zip(ys));
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
        let (mut worst, mut at, mut off) = (0, (0.0, 0.0), 0);
        let (mut worst32, mut at32, mut off32) = (0, (0.0, 0.0), 0);
        for &(x, y) in &pairs {
            let got = f64::from_bits(eval(prim, DType::F64, &[Scalar::of(x), Scalar::of(y)]).bits as u64);
            let d = apart64(got, oracle(x, y));
            off += u64::from(d > 0);
            if d > worst {
                (worst, at) = (d, (x, y));
            }
            let (x, y) = (x as f32, y as f32);
            let got = f32::from_bits(eval(prim, DType::F32, &[Scalar::of(x), Scalar::of(y)]).bits as u32);
            let d = apart32(got, oraclef(x, y));
            off32 += u64::from(d > 0);
            if d > worst32 {
                (worst32, at32) = (d, (x, y));
            }
        }
        bad |= worst > 1 || worst32 > 1;
        let count = pairs.len();
        report += &format!(
            "{:8} f64: {worst} at {at:?} {:?} ({off} of {count} off)   f32: {worst32} at {at32:?} {:?} ({off32} off)\n",
            prim.name(),
            oracle(at.0, at.1),
            oraclef(at32.0, at32.1)
        );
    }
    eprintln!("{report}");
    assert!(!bad, "\n{report}");
}
