//! The meaning of the prims against wide, naive arithmetic.

use super::Scalar;
use super::eval::eval;
use super::prim::Prim;
use crate::types::DType;
use crate::types::dtype::{Element, Flag};
use half::{bf16, f16};

fn floor_div(a: i128, b: i128) -> i128 {
    if b == 0 { 0 } else { a.div_euclid(b) - i128::from(b < 0 && a.rem_euclid(b) != 0) }
}

/// What an integer prim gives, before it wraps.
fn wide(prim: Prim, a: i128, b: i128, bits: u32) -> i128 {
    match prim {
        Prim::Add => a + b,
        Prim::Sub => a - b,
        // Modulo 2^128, which is enough.
        Prim::Mul => a.wrapping_mul(b),
        Prim::FloorDiv => floor_div(a, b),
        Prim::Rem => {
            if b == 0 {
                0
            } else {
                a - b * floor_div(a, b)
            }
        }
        Prim::Min => a.min(b),
        Prim::Max => a.max(b),
        Prim::Pow if b < 0 => match a {
            1 => 1,
            -1 => 1 - 2 * (b & 1),
            _ => 0,
        },
        Prim::Pow => (0..b).fold(1i128, |power, _| power.wrapping_mul(a) % (1 << bits)),
        Prim::Shl => {
            if (0..i128::from(bits)).contains(&b) {
                a.wrapping_shl(b as u32)
            } else {
                0
            }
        }
        Prim::Shr => {
            let inside = (0..i128::from(bits)).contains(&b);
            a >> if inside { b } else { 100 }
        }
        Prim::Gcd => {
            let (mut a, mut b) = (a.abs(), b.abs());
            while b != 0 {
                (a, b) = (b, a % b);
            }
            a
        }
        Prim::And => a & b,
        Prim::Or => a | b,
        Prim::Xor => a ^ b,
        other => unreachable!("{other:?}"),
    }
}

const BINARY: [Prim; 14] = [
    Prim::Add,
    Prim::Sub,
    Prim::Mul,
    Prim::FloorDiv,
    Prim::Rem,
    Prim::Min,
    Prim::Max,
    Prim::Pow,
    Prim::Shl,
    Prim::Shr,
    Prim::Gcd,
    Prim::And,
    Prim::Or,
    Prim::Xor,
];

fn check_pair(dtype: DType, a: i128, b: i128) {
    let mask = u128::MAX >> (128 - dtype.bits());
    let args = [a, b].map(|x| Scalar { dtype, bits: x as u128 & mask });
    for prim in BINARY {
        if prim == Prim::Pow && b > 300 {
            continue;
        }
        let expected = wide(prim, a, b, dtype.bits()) as u128 & mask;
        assert_eq!(eval(prim, dtype, &args).bits, expected, "{} {dtype} {a} {b}", prim.name());
    }
    for (prim, expected) in [(Prim::Eq, a == b), (Prim::Ne, a != b), (Prim::Lt, a < b), (Prim::Le, a <= b)] {
        assert_eq!(eval(prim, DType::Bool, &args).bits, u128::from(expected), "{} {dtype} {a} {b}", prim.name());
    }
}

#[test]
fn bytes_compute_as_integers_that_wrap() {
    for dtype in [DType::U8, DType::I8] {
        let (low, high) = dtype.integer_range().expect("an integer dtype");
        for a in low..=high {
            for b in low..=high {
                check_pair(dtype, a, b);
            }
            let x = Scalar { dtype, bits: a as u128 & 0xff };
            assert_eq!(eval(Prim::Neg, dtype, &[x]).bits, -a as u128 & 0xff);
            assert_eq!(eval(Prim::Abs, dtype, &[x]).bits, a.unsigned_abs() & 0xff);
            assert_eq!(eval(Prim::Not, dtype, &[x]).bits, !(a as u128) & 0xff);
            assert_eq!(eval(Prim::Popcount, dtype, &[x]).bits, u128::from((a as u8).count_ones()));
            assert_eq!(eval(Prim::Clz, dtype, &[x]).bits, u128::from((a as u8).leading_zeros()));
        }
    }
}

#[test]
fn wider_integers_compute_as_integers_that_wrap() {
    for dtype in [DType::U16, DType::I16, DType::U32, DType::I32, DType::U64, DType::I64] {
        let (low, high) = dtype.integer_range().expect("an integer dtype");
        let mut values: Vec<i128> = (0..=66).flat_map(|bit| [-1, 0, 1].map(|d| (1i128 << bit) + d)).collect();
        values.extend(values.clone().iter().map(|x| -x));
        values.extend([3, 7, 10, 100, 641, 65_535 * 3, 6_700_417, 0x5555_5555, 0xdead_beef]);
        values.extend([low, low + 1, low + 2, high, high - 1, high / 3, low / 7]);
        values.retain(|x| (low..=high).contains(x));
        values.sort_unstable();
        values.dedup();
        for &a in &values {
            for &b in &values {
                check_pair(dtype, a, b);
            }
        }
    }
}

#[test]
fn short_divisions_are_exact_next_to_every_multiple() {
    for divisor in [1i128, 2, 3, 5, 7, 255, 257, 32_767, 32_768, 46_341, 65_535, 65_537, i128::from(i32::MAX)] {
        for multiple in [1i128, 2, 3, 1_000, 4_095, 65_535, i128::from(i32::MAX) / divisor] {
            for d in -1..=1 {
                for (a, b) in [(1, 1), (1, -1), (-1, 1), (-1, -1)] {
                    let (a, b) = (a * (divisor * multiple + d), b * divisor);
                    for dtype in [DType::I16, DType::U16, DType::I32, DType::U32] {
                        let (low, high) = dtype.integer_range().expect("an integer dtype");
                        if (low..=high).contains(&a) && (low..=high).contains(&b) {
                            check_pair(dtype, a, b);
                        }
                    }
                }
            }
        }
    }
}

/// NumPy 2.4's `floor_divide` and `remainder`.
#[test]
fn floats_divide_as_numpy_does() {
    const TABLE: &[(f64, f64, f64, f64)] = &include!("tests/divmod.in");
    for &(a, b, quotient, rest) in TABLE {
        let same = |prim, expected: f64| {
            let got = eval(prim, DType::F64, &[Scalar::of(a), Scalar::of(b)]);
            assert!(got.same(Scalar::of(expected)), "{prim:?} {a:?} {b:?}: {got:?} is not {expected:?}");
        };
        same(Prim::FloorDiv, quotient);
        same(Prim::Rem, rest);
    }
}

fn convert<T: Element>(x: T, to: DType) -> u128 {
    eval(Prim::Convert, to, &[Scalar::of(x)]).bits
}

#[test]
fn two_byte_floats_widen_exactly() {
    for bits in 0..=u16::MAX {
        let (f, b) = (f16::from_bits(bits), bf16::from_bits(bits));
        let same = |ours: u128, theirs: f32| {
            let ours = f32::from_bits(ours as u32);
            assert!(ours.to_bits() == theirs.to_bits() || ours.is_nan() && theirs.is_nan(), "{bits:#x}");
        };
        same(convert(f, DType::F32), f.to_f32());
        same(convert(b, DType::F32), b.to_f32());
        if !f.is_nan() {
            assert_eq!(convert(f.to_f32(), DType::F16), u128::from(bits));
            assert_eq!(convert(f.to_f64(), DType::F16), u128::from(bits));
        }
        if !b.is_nan() {
            assert_eq!(convert(b.to_f32(), DType::Bf16), u128::from(bits));
            assert_eq!(convert(b.to_f64(), DType::Bf16), u128::from(bits));
        }
    }
}

/// Between two neighbouring two-byte floats: the midpoint goes to the even one, what is beside it to the nearer one.
#[test]
fn ties_are_rounded_once() {
    for bits in 0..0x7c00u16 {
        // The step beyond the greatest finite value ends at what would be the next power of two.
        let next = if bits == 0x7bff { 65_536.0 } else { f16::from_bits(bits + 1).to_f64() };
        ties(DType::F16, bits, f16::from_bits(bits).to_f64(), next);
    }
    for bits in 0..0x7f80u16 {
        let next = if bits == 0x7f7f { 2f64.powi(128) } else { bf16::from_bits(bits + 1).to_f64() };
        ties(DType::Bf16, bits, bf16::from_bits(bits).to_f64(), next);
    }
}

fn ties(dtype: DType, bits: u16, low: f64, high: f64) {
    let tie = low + (high - low) / 2.0;
    let even = bits + (bits & 1);
    for (x, expected) in [
        (tie, even),
        (tie.next_up(), bits + 1),
        (tie.next_down(), bits),
        (tie * (1.0 + 2f64.powi(-40)), bits + 1),
        (tie * (1.0 - 2f64.powi(-40)), bits),
    ] {
        assert_eq!(convert(x, dtype), u128::from(expected), "{dtype} {x:e}");
        assert_eq!(convert(-x, dtype), u128::from(expected | 0x8000), "{dtype} -{x:e}");
        let single = x as f32;
        if f64::from(single) == x {
            assert_eq!(convert(single, dtype), u128::from(expected), "{dtype} {x:e} from f32");
        }
        // The conversion from integers that are wide enough to hold the number.
        if x >= 1.0 && x < 2f64.powi(63) && x.trunc() == x {
            assert_eq!(convert(x as i64, dtype), u128::from(expected), "{dtype} {x:e} from i64");
            assert_eq!(convert(-(x as i64), dtype), u128::from(expected | 0x8000), "{dtype} -{x:e} from i64");
            assert_eq!(convert(x as u64, dtype), u128::from(expected), "{dtype} {x:e} from u64");
        }
        if x.trunc() == x && (x as i64) < 1 << 61 && x >= 1.0 && tie == x && x >= 4_096.0 {
            let (above, below) = (x as i64 + 1, x as i64 - 1);
            assert_eq!(convert(above, dtype), u128::from(bits + 1), "{dtype} {above}");
            assert_eq!(convert(below, dtype), u128::from(bits), "{dtype} {below}");
            assert_eq!(convert(-above, dtype), u128::from((bits + 1) | 0x8000), "{dtype} -{above}");
            assert_eq!(convert(above as u64, dtype), u128::from(bits + 1), "{dtype} {above}");
            if let Ok(above) = i32::try_from(above) {
                assert_eq!(convert(above, dtype), u128::from(bits + 1), "{dtype} {above}");
                assert_eq!(convert(above as u32, dtype), u128::from(bits + 1), "{dtype} {above}");
            }
        }
    }
}

#[test]
fn floats_convert_to_integers_by_truncating_and_saturating() {
    assert_eq!(convert(-3.9f32, DType::I8), 0xfd);
    assert_eq!(convert(300f32, DType::U8), 255);
    assert_eq!(convert(f64::NAN, DType::I64), 0);
    assert_eq!(convert(-1e30f64, DType::I64), u128::from(i64::MIN as u64));
    assert_eq!(convert(f64::NAN, DType::Bool), 1);
    assert_eq!(convert(-0.0f64, DType::Bool), 0);
    assert_eq!(convert(300i32, DType::U8), 44);
    assert_eq!(convert(Flag(1), DType::F16), 0x3c00);
    assert_eq!(convert(i64::MAX, DType::F32), u128::from((i64::MAX as f32).to_bits()));
    assert_eq!(convert(f16::from_f32(-7.5), DType::I16), 0xfff9);
}

/// Rust's `as` truncates and saturates too.
#[test]
fn floats_convert_to_integers_as_rust_does() {
    let mut values = vec![f64::NAN, f64::INFINITY, 0.0, 0.5, 0.999, 1.5, 1e300, 5e-324, 123_456_789_012_345.6];
    for bits in [7, 8, 15, 16, 31, 32, 52, 53, 62, 63, 64, 65] {
        let power = 2f64.powi(bits);
        values.extend([power, power.next_up(), power.next_down(), power - 0.5, power + 0.5, power - 1.0, power + 1.0]);
        values.extend([power * 0.7, power * 0.123_456_789, f64::from(power as f32 * 0.999_999)]);
    }
    values.extend(values.clone().iter().map(|x| -x));
    for x in values {
        assert_eq!(convert(x, DType::U8) as u8, x as u8, "{x:e}");
        assert_eq!(convert(x, DType::I8) as i8, x as i8, "{x:e}");
        assert_eq!(convert(x, DType::U16) as u16, x as u16, "{x:e}");
        assert_eq!(convert(x, DType::I16) as i16, x as i16, "{x:e}");
        assert_eq!(convert(x, DType::U32) as u32, x as u32, "{x:e}");
        assert_eq!(convert(x, DType::I32) as i32, x as i32, "{x:e}");
        assert_eq!(convert(x, DType::U64) as u64, x as u64, "{x:e}");
        assert_eq!(convert(x, DType::I64) as i64, x as i64, "{x:e}");
        let single = x as f32;
        assert_eq!(convert(single, DType::I32) as i32, single as i32, "{single:e}");
        assert_eq!(convert(single, DType::U64) as u64, single as u64, "{single:e}");
    }
}

#[test]
fn minimum_and_maximum_order_zeros_and_keep_nan() {
    let two =
        |prim, a: f64, b: f64| f64::from_bits(eval(prim, DType::F64, &[Scalar::of(a), Scalar::of(b)]).bits as u64);
    for (a, b) in [(0.0, -0.0), (-0.0, 0.0)] {
        assert!(two(Prim::Min, a, b).is_sign_negative());
        assert!(two(Prim::Max, a, b).is_sign_positive());
    }
    for x in [1.0, f64::INFINITY, f64::NAN] {
        assert!(two(Prim::Min, x, f64::NAN).is_nan() && two(Prim::Max, f64::NAN, x).is_nan());
    }
    assert_eq!(two(Prim::Max, -1.0, 2.0), 2.0);
    assert_eq!(two(Prim::Min, -1.0, f64::NEG_INFINITY), f64::NEG_INFINITY);
}

#[test]
fn fmod_is_exact_for_every_exponent() {
    // `x % y` where `x = k * y + r` exactly, by construction.
    for shift in 0..900 {
        let y = 3.0 * 2f64.powi(-500);
        let x = 2f64.powi(shift - 500);
        let expected = if shift % 2 == 0 { 2f64.powi(-500) } else { 2f64.powi(-499) };
        let expected = if shift == 0 { 2f64.powi(-500) } else { expected };
        let got = eval(Prim::Fmod, DType::F64, &[Scalar::of(-x), Scalar::of(y)]);
        assert_eq!(got, Scalar::of(-expected), "2^{shift} % 3");
    }
    let two =
        |a: f32, b: f32| f32::from_bits(eval(Prim::Fmod, DType::F32, &[Scalar::of(a), Scalar::of(b)]).bits as u32);
    assert_eq!(two(1e38, 1e-45), 0.0);
    assert_eq!(two(5.5, 2.0), 1.5);
    assert_eq!(two(f32::MAX, 3.0e-40), (f64::from(f32::MAX) % f64::from(3.0e-40f32)) as f32);
}
