//! Random numbers of other distributions: even ones between bounds, through the inverse of a distribution.
//!
//! The last bits of a logarithm are a matter of the steps in which it is computed. Those of `f32` take the steps of JAX
//! on a processor: the polynomials of Cephes, products and sums with one rounding. The inverse of `erf` is Giles's.

use super::expand::Expand;
use super::formula::{Real, real};
use super::threefry::RandomKey;
use crate::ir::NodeId;
use crate::scalar::prim::Prim;
use crate::types::{DType, Shape};
use std::f64::consts::{FRAC_1_SQRT_2, PI, SQRT_2};

/// Distributions that have no parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Distribution {
    /// Mean 0 and variance 1.
    Normal,
    /// Mean 1.
    Exponential,
    /// The largest of many.
    Gumbel,
    /// Exponential to both sides.
    Laplace,
    /// Log-odds of even numbers.
    Logistic,
    /// Quotients of normal ones.
    Cauchy,
}

/// Which of two products of a sum is rounded before they are added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum RoundedProduct {
    Exponent,
    Series,
}

/// The coefficients of the inverse of `erf`, for `f32`: near 0 and near the ends.
const INVERSE_F32: [&[f64]; 2] = [
    &[
        2.810_226_36e-08,
        3.432_739_39e-07,
        -3.523_387_7e-06,
        -4.391_506_54e-06,
        0.000_218_580_87,
        -0.001_253_725_03,
        -0.004_177_681_64,
        0.246_640_727,
        1.501_409_41,
    ],
    &[
        -0.000_200_214_257,
        0.000_100_950_558,
        0.001_349_343_22,
        -0.003_673_428_44,
        0.005_739_507_73,
        -0.007_622_461_3,
        0.009_438_870_47,
        1.001_674_06,
        2.832_976_82,
    ],
];

/// The coefficients of the inverse of `erf`, for `f64`: near 0, further out, and near the ends.
const INVERSE_F64: [&[f64]; 3] = [
    &[
        -3.644_412_064_017_82e-21,
        -1.685_059_138_182_016_6e-19,
        1.285_848_071_525_64e-18,
        1.115_787_767_802_518_1e-17,
        -1.333_171_662_854_621e-16,
        2.097_276_787_596_856_2e-17,
        6.637_638_134_358_324e-15,
        -4.054_566_272_975_207e-14,
        -8.151_934_197_605_472e-14,
        2.633_509_315_308_232_3e-12,
        -1.297_513_325_345_353_2e-11,
        -5.415_412_054_294_628e-11,
        1.051_212_273_321_532_3e-09,
        -4.112_633_980_346_984e-09,
        -2.907_036_995_788_200_5e-08,
        4.234_787_782_793_240_4e-07,
        -1.365_469_200_083_467_9e-06,
        -1.388_252_336_278_646_9e-05,
        0.000_186_734_208_034_057_14,
        -0.000_740_702_534_166_267,
        -0.006_033_670_871_430_149,
        0.240_158_182_425_589_62,
        1.653_654_562_683_102_7,
    ],
    &[
        2.213_737_692_177_578_7e-09,
        9.075_656_193_888_539e-08,
        -2.751_740_629_706_454_5e-07,
        1.823_962_921_438_922_8e-08,
        1.502_740_396_890_982_8e-06,
        -4.013_867_526_981_546e-06,
        2.923_444_908_995_544_6e-06,
        1.247_530_448_167_177_9e-05,
        -4.731_822_900_905_573_4e-05,
        6.828_485_145_957_318e-05,
        2.403_111_038_709_789_4e-05,
        -0.000_355_037_520_362_847_5,
        0.000_953_289_379_737_380_5,
        -0.001_688_275_556_023_504_7,
        0.002_491_442_096_107_851,
        -0.003_751_208_507_569_241,
        0.005_370_914_553_590_064,
        1.005_258_967_694_159_2,
        3.083_885_610_492_220_8,
    ],
    &[
        -2.710_992_061_643_857_3e-11,
        -2.555_641_816_996_525e-10,
        1.507_657_269_350_054_8e-09,
        -3.789_465_440_126_737e-09,
        7.615_701_208_078_34e-09,
        -1.496_002_662_714_924e-08,
        2.914_795_345_090_108e-08,
        -6.771_199_775_845_234e-08,
        2.290_048_222_802_665_5e-07,
        -9.929_827_294_231_7e-07,
        4.526_062_597_223_154e-06,
        -1.968_177_810_553_167e-05,
        7.599_527_703_001_776e-05,
        -0.000_215_030_119_300_444_77,
        -0.000_138_719_318_336_231_22,
        1.010_300_464_864_534_4,
        4.849_906_401_408_584,
    ],
];

/// The polynomials of a logarithm near 1, and the two parts of that of 2.
const SERIES: [[f64; 3]; 3] = [
    [0.070_376_836, -0.115_146_1, 0.116_769_984],
    [-0.124_201_41, 0.142_493_23, -0.166_680_57],
    [0.200_007_14, -0.249_999_94, 0.333_333_3],
];
const LOG_2: [f64; 2] = [0.693_359_4, -0.000_212_194_44];

/// The quotient of `log1p` near 0.
const ABOVE: [f64; 7] = [4.527e-05, 0.498_541_03, 6.578_732_5, 29.911_919, 60.949_67, 57.112_965, 20.039_553];
const BELOW: [f64; 7] = [1.0, 15.062_909, 83.047_57, 221.762_4, 309.098_72, 216.427_89, 60.118_66];

/// Up to here `log1p` of `f32` is that quotient.
const QUOTIENT_LIMIT: f64 = 0.414_213_57;

/// `c[0] x^n + c[1] x^(n-1) + …`, each step with one rounding.
fn horner<'s>(x: Real<'s>, coefficients: &[f64]) -> Real<'s> {
    let first = x.like(coefficients[0]);
    coefficients[1..].iter().fold(first, |sum, &next| sum.fma(x, x.like(next)))
}

/// `1 - sqrt(1/2)`: where `f64` goes over from `log1p(x)` to `log(1 + x)`.
const LOG1P_LIMIT: f64 = 1.0 - FRAC_1_SQRT_2;

impl Expand<'_> {
    /// `log(x)` of positive numbers in `f32` or `f64`.
    fn log_of(&mut self, x: NodeId, rounded: RoundedProduct) -> NodeId {
        if self.dtype(x) != DType::F32 {
            return self.prim(Prim::Log, &[x]);
        }
        let bits = self.bitcast(x, DType::U32);
        let (away, bias) = (self.integer(DType::U32, 23), self.integer(DType::I32, 126));
        let exponent = self.prim(Prim::Shr, &[bits, away]);
        let exponent = self.convert(exponent, DType::I32);
        let exponent = self.sub(exponent, bias);
        let exponent = self.convert(exponent, DType::F32);
        let (mask, half) = (self.integer(DType::U32, 0x007F_FFFF), self.integer(DType::U32, 0x3F00_0000));
        let bits = self.prim(Prim::And, &[bits, mask]);
        let bits = self.prim(Prim::Or, &[bits, half]);
        let fraction = self.bitcast(bits, DType::F32);
        real(self, [exponent, fraction], |[exponent, fraction]| {
            let low = fraction.lt(FRAC_1_SQRT_2);
            let exponent = low.pick(exponent - 1.0, exponent);
            let x = (fraction - 1.0) + low.pick(fraction, fraction.like(0.0));
            let square = x * x;
            let cube = square * x;
            let [first, second, third] = SERIES.map(|series| horner(x, &series));
            let series = first.fma(cube, second).fma(cube, third);
            let small = exponent.like(LOG_2[1]);
            let rest = match rounded {
                RoundedProduct::Exponent => series.fma(cube, exponent * small),
                RoundedProduct::Series => exponent.fma(small, series * cube),
            };
            let sum = square.fma(square.like(-0.5), x) + rest;
            exponent.fma(exponent.like(LOG_2[0]), sum)
        })
    }

    /// `log1p(x)` of numbers from -1 to 0, in `f32` or `f64`.
    fn log1p_of(&mut self, x: NodeId) -> NodeId {
        if self.dtype(x) != DType::F32 {
            // That of `1 + x` after rounding, where it is rounded.
            let x = real(self, [x], |[x]| x.lt(-LOG1P_LIMIT).pick((x + 1.0) - 1.0, x));
            return self.prim(Prim::Log1p, &[x]);
        }
        let one = self.number(x, 1.0);
        let whole = self.add(x, one);
        let far = self.log_of(whole, RoundedProduct::Exponent);
        real(self, [x, far], |[x, far]| {
            let square = x * x;
            let quotient = horner(x, &ABOVE) / horner(x, &BELOW);
            let near = x + square.fma(square.like(-0.5), (x * square) * quotient);
            x.abs().lt(QUOTIENT_LIMIT).pick(near, far)
        })
    }

    /// The inverse of `erf`, in `f32` or `f64`.
    fn erf_inverse(&mut self, x: NodeId) -> NodeId {
        let wide = self.dtype(x) == DType::F64;
        let square = real(self, [x], |[x]| x * -x);
        let log = self.log1p_of(square);
        real(self, [x, log], |[x, log]| {
            let w = -log;
            let factor = if wide {
                let near = horner(w - 3.125, INVERSE_F64[0]);
                let further = horner(w.sqrt() - 3.25, INVERSE_F64[1]);
                let far = horner(w.sqrt() - 5.0, INVERSE_F64[2]);
                w.lt(6.25).pick(near, w.lt(16.0).pick(further, far))
            } else {
                let near = w.lt(5.0);
                let w = near.pick(w - 2.5, w.sqrt() - 3.0);
                let mut both = INVERSE_F32[0].iter().zip(INVERSE_F32[1]);
                let mut next = || both.next().map(|(&here, &there)| near.pick(w.like(here), w.like(there)));
                let mut sum = next().unwrap_or(w);
                while let Some(next) = next() {
                    sum = sum.fma(w, next);
                }
                sum
            };
            x.abs().eq(1.0).pick(x * f64::INFINITY, factor * x)
        })
    }

    /// Normal numbers of even ones between -1 and 1, in the dtype that `dtype` is computed in.
    fn normal_of(&mut self, x: NodeId, dtype: DType) -> NodeId {
        let x = self.erf_inverse(x);
        let x = self.rounded_to(x, dtype);
        let root = self.of(dtype, SQRT_2);
        let root = self.widen(root);
        self.mul(x, root)
    }

    /// The number of a dtype that follows -1.
    fn above_minus_one(&mut self, dtype: DType) -> NodeId {
        self.of(dtype, -1.0 + (-f64::from(dtype.row().value_bits)).exp2())
    }

    /// The least positive normal number of a dtype.
    fn least_normal(&mut self, dtype: DType) -> NodeId {
        self.of(dtype, dtype.smallest_normal())
    }

    /// Numbers of a distribution, in a float dtype.
    pub fn draw_from(&mut self, key: RandomKey, distribution: Distribution, dtype: DType, shape: &Shape) -> NodeId {
        let one = self.of(dtype, 1.0);
        let bounds = match distribution {
            Distribution::Normal | Distribution::Laplace => (self.above_minus_one(dtype), one),
            Distribution::Exponential => (self.of(dtype, 0.0), one),
            Distribution::Gumbel | Distribution::Logistic => (self.of(dtype, 0.0), one),
            Distribution::Cauchy => (self.step_of(dtype), one),
        };
        let even = self.uniform(key, dtype, shape, bounds);
        let x = self.widen(even);
        let x = match distribution {
            Distribution::Gumbel | Distribution::Logistic => {
                let least = self.least_normal(dtype);
                let least = self.widen(least);
                self.prim(Prim::Max, &[x, least])
            }
            Distribution::Normal | Distribution::Exponential | Distribution::Laplace | Distribution::Cauchy => x,
        };
        let number = match distribution {
            Distribution::Normal => self.normal_of(x, dtype),
            Distribution::Exponential => {
                let x = self.neg(x);
                let log = self.log1p_of(x);
                self.neg(log)
            }
            Distribution::Gumbel => {
                let log = self.log_of(x, RoundedProduct::Exponent);
                let log = self.rounded_to(log, dtype);
                let log = self.neg(log);
                let log = self.log_of(log, RoundedProduct::Exponent);
                self.neg(log)
            }
            Distribution::Laplace => {
                let away = real(self, [x], |[x]| -x.abs());
                let log = self.log1p_of(away);
                let log = self.rounded_to(log, dtype);
                real(self, [x, log], |[x, log]| x.is_zero().pick(x, x.like(1.0).copysign(x)) * log)
            }
            Distribution::Logistic => {
                let (log, other) = (self.log_of(x, RoundedProduct::Series), self.neg(x));
                let other = self.log1p_of(other);
                let (log, other) = (self.rounded_to(log, dtype), self.rounded_to(other, dtype));
                self.sub(log, other)
            }
            Distribution::Cauchy => {
                let (half, pi) = (self.number(x, 0.5), self.of(dtype, PI));
                let x = self.sub(x, half);
                let (x, pi) = (self.rounded_to(x, dtype), self.widen(pi));
                let x = self.mul(x, pi);
                let x = self.rounded_to(x, dtype);
                self.prim(Prim::Tan, &[x])
            }
        };
        self.convert(number, dtype)
    }

    /// `log(p)` of probabilities, also of 0.
    pub(super) fn log_of_weight(&mut self, p: NodeId) -> NodeId {
        let log = self.log_of(p, RoundedProduct::Exponent);
        real(self, [p, log], |[p, log]| {
            let none = p.like(f64::NEG_INFINITY);
            p.is_zero().pick(none, p.lt(0.0).pick(p.like(f64::NAN), log))
        })
    }

    /// The distance from 1 to the next number of a dtype.
    fn step_of(&mut self, dtype: DType) -> NodeId {
        self.of(dtype, (-f64::from(dtype.fraction_bits())).exp2())
    }

    /// Normal numbers between two bounds, in `f32` or `f64`.
    pub fn truncated_normal(
        &mut self,
        key: RandomKey,
        dtype: DType,
        shape: &Shape,
        (low, high): (NodeId, NodeId),
    ) -> NodeId {
        let share = |e: &mut Self, bound: NodeId| {
            let root = e.of(dtype, SQRT_2);
            let bound = e.prim(Prim::Div, &[bound, root]);
            e.prim(Prim::Erf, &[bound])
        };
        let bounds = (share(self, low), share(self, high));
        let even = self.uniform(key, dtype, shape, bounds);
        let number = self.normal_of(even, dtype);
        let (up, down) = (self.of(dtype, f64::INFINITY), self.of(dtype, f64::NEG_INFINITY));
        let (low, high) = (self.prim(Prim::Nextafter, &[low, up]), self.prim(Prim::Nextafter, &[high, down]));
        let number = self.prim(Prim::Max, &[number, low]);
        self.prim(Prim::Min, &[number, high])
    }
}
