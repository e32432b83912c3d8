//! A function against what is right, a block at a time.
#![expect(unsafe_code, reason = "block functions take addresses")]

use crate::oracle::{Oracle, Right};
use crate::points::Points;
use arrlang::exec::vmath::block_fn;
use arrlang::scalar::convert::ConvertTo;
use arrlang::scalar::prim::Prim;
use arrlang::types::DType;
use half::{bf16, f16};
use serde_json::{Value, json};

/// Points at a time.
const BLOCK: usize = 1024;

/// What was found.
pub(crate) struct Row {
    function: &'static str,
    dtype: DType,
    points: u64,
    /// Points with the correctly rounded result.
    exact: u64,
    /// The largest distance in representable values.
    pub(crate) steps: u64,
    /// The largest error in units of the last place, where a wider format tells it.
    ulps: Option<f64>,
    worst: (f64, f64),
    pair: bool,
}

impl Row {
    pub(crate) const HEAD: &'static str =
        "function dtype       points  correctly rounded  off by at most  largest error  at argument";

    pub(crate) fn text(&self) -> String {
        let share = 100.0 * self.exact as f64 / self.points as f64;
        let ulps = self.ulps.map_or("-".to_owned(), |ulps| format!("{ulps:.3} ulp"));
        let values = if self.steps == 1 { "value" } else { "values" };
        let second = if self.pair { format!(", {:e}", self.worst.1) } else { String::new() };
        format!(
            "{:8} {:5} {:12} {share:16.4} % {:8} {values:6} {ulps:>13}  {:e}{second}",
            self.function, self.dtype, self.points, self.steps, self.worst.0
        )
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "function": self.function, "dtype": self.dtype.to_string(), "points": self.points,
            "correctly_rounded": self.exact, "steps": self.steps, "ulps": self.ulps,
            "worst": if self.pair { vec![self.worst.0, self.worst.1] } else { vec![self.worst.0] },
        })
    }
}

/// Floats as the report needs them.
trait Float: Copy + Default {
    const DTYPE: DType;
    /// Digits behind the point.
    const DIGITS: i32;
    const LEAST: i32;
    fn of(x: f64) -> Self;
    fn wide(self) -> f64;
    fn order(self) -> i64;
    fn right(oracle: &Oracle, x: Self, y: Self) -> (Self, Option<f64>);
}

fn wide_right(right: &Right, x: f64, y: f64) -> f64 {
    match right {
        Right::Unary(f, _) => f(x),
        Right::Binary(f, _) => f(x, y),
    }
}

macro_rules! float {
    ($T:ident, $dtype:ident, $digits:literal, $least:literal, $I:ident, $of:expr, $wide:expr, $right:expr) => {
        impl Float for $T {
            const DTYPE: DType = DType::$dtype;
            const DIGITS: i32 = $digits;
            const LEAST: i32 = $least;
            fn of(x: f64) -> Self {
                $of(x)
            }
            fn wide(self) -> f64 {
                $wide(self)
            }
            fn order(self) -> i64 {
                let bits = i64::from(self.to_bits() as $I);
                if bits < 0 { i64::from($I::MIN) - bits } else { bits }
            }
            fn right(oracle: &Oracle, x: Self, y: Self) -> (Self, Option<f64>) {
                $right(oracle, x, y)
            }
        }
    };
}

fn half_right<T: Float>(oracle: &Oracle, x: T, y: T) -> (T, Option<f64>) {
    let exact = wide_right(&oracle.right, x.wide(), y.wide());
    (T::of(exact), Some(exact))
}

float!(f64, F64, 52, -1022, i64, |x| x, |x| x, |oracle: &Oracle, x, y| (wide_right(&oracle.right, x, y), None));
float!(f32, F32, 23, -126, i32, |x| x as f32, f64::from, |oracle: &Oracle, x, y| {
    let nearest = match oracle.right {
        Right::Unary(_, f) => f(x),
        Right::Binary(_, f) => f(x, y),
    };
    (nearest, Some(wide_right(&oracle.right, x.into(), y.into())))
});
float!(f16, F16, 10, -14, i16, <f16 as ConvertTo>::of, f16::to_f64, half_right);
float!(bf16, Bf16, 7, -126, i16, <bf16 as ConvertTo>::of, bf16::to_f64, half_right);

/// Measures a function in a dtype.
#[expect(clippy::wildcard_enum_match_arm, reason = "the dtypes that are measured are four")]
pub(crate) fn row(oracle: &Oracle, dtype: DType, points: usize, all: bool) -> Row {
    match dtype {
        DType::F64 => measured::<f64>(oracle, points, false),
        DType::F32 => measured::<f32>(oracle, points, all),
        DType::F16 => measured::<f16>(oracle, points, true),
        _ => measured::<bf16>(oracle, points, true),
    }
}

/// Applies the block functions that kernels call: two-byte floats go through `f32`.
fn apply<T: Float>(oracle: &Oracle, x: &[T], y: &[T]) -> Vec<T> {
    let n = x.len();
    let args = if matches!(oracle.right, Right::Unary(..)) { 1 } else { 2 };
    let mut out = vec![T::default(); n];
    let run = |prim: Prim, from: DType, to: DType, count: usize, x: *const u8, y: *const u8, out: *mut u8| {
        let function = block_fn(prim, &[from, from][..count], to).expect("floats have these functions");
        // SAFETY: every row has `n` elements.
        unsafe { function(out, x, y, std::ptr::null(), n) }
    };
    if !T::DTYPE.is_small_float() {
        run(oracle.prim, T::DTYPE, T::DTYPE, args, x.as_ptr().cast(), y.as_ptr().cast(), out.as_mut_ptr().cast());
        return out;
    }
    let [mut wide_x, mut wide_y, mut result] = [(); 3].map(|()| vec![0f32; n]);
    let null = std::ptr::null();
    run(Prim::Convert, T::DTYPE, DType::F32, 1, x.as_ptr().cast(), null, wide_x.as_mut_ptr().cast());
    run(Prim::Convert, T::DTYPE, DType::F32, 1, y.as_ptr().cast(), null, wide_y.as_mut_ptr().cast());
    let (a, b) = (wide_x.as_ptr().cast(), wide_y.as_ptr().cast());
    run(oracle.prim, DType::F32, DType::F32, args, a, b, result.as_mut_ptr().cast());
    run(Prim::Convert, DType::F32, T::DTYPE, 1, result.as_ptr().cast(), null, out.as_mut_ptr().cast());
    out
}

fn measured<T: Float>(oracle: &Oracle, points: usize, all: bool) -> Row {
    let pair = matches!(oracle.right, Right::Binary(..));
    let width = 8 * size_of::<T>() as u32;
    let all = all && !pair;
    let total = if all { 1u64 << width } else { points as u64 };
    let mut row = Row {
        function: oracle.name(),
        dtype: T::DTYPE,
        points: total,
        exact: 0,
        steps: 0,
        ulps: None,
        worst: (0.0, 0.0),
        pair,
    };
    let mut source = Points::new(oracle, 1);
    let (mut x, mut y) = (Vec::with_capacity(BLOCK), Vec::with_capacity(BLOCK));
    for first in (0..total).step_by(BLOCK) {
        x.clear();
        y.clear();
        for index in first..total.min(first + BLOCK as u64) {
            let (a, b) = match (all, pair) {
                (true, _) => (every::<T>(index), T::default()),
                (false, true) => {
                    let (a, b) = source.pair(width == 64);
                    (T::of(a), T::of(b))
                }
                (false, false) => (T::of(source.next(width == 64)), T::default()),
            };
            x.push(a);
            y.push(b);
        }
        for (index, &got) in apply(oracle, &x, &y).iter().enumerate() {
            row.point(oracle, x[index], y[index], got);
        }
    }
    row
}

/// The number with these bits.
fn every<T: Float>(bits: u64) -> T {
    let mut number = T::default();
    // SAFETY: a float is any bits, and the first bytes of a little-endian word are its low ones.
    unsafe { std::ptr::copy_nonoverlapping((&raw const bits).cast::<u8>(), (&raw mut number).cast(), size_of::<T>()) };
    number
}

impl Row {
    fn point<T: Float>(&mut self, oracle: &Oracle, x: T, y: T, got: T) {
        let (right, exact) = T::right(oracle, x, y);
        let steps = match (got.wide().is_nan(), right.wide().is_nan()) {
            (true, true) => 0,
            (false, false) => got.order().abs_diff(right.order()),
            _ => u64::MAX,
        };
        self.exact += u64::from(steps == 0);
        let mut worse = steps > self.steps;
        self.steps = self.steps.max(steps);
        if let Some(exact) = exact.filter(|exact| steps > 0 && exact.is_finite() && got.wide().is_finite()) {
            let exponent = exact.abs().log2().floor().max(f64::from(T::LEAST)) as i32;
            let error = (got.wide() - exact).abs() * 2f64.powi(T::DIGITS - exponent);
            if self.ulps.is_none_or(|ulps| error > ulps) {
                self.ulps = Some(error);
                worse |= steps == self.steps;
            }
        }
        if worse {
            self.worst = (x.wide(), y.wide());
        }
    }
}
