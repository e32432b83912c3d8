//! The functions of the report, and what is right.

use arrlang::scalar::prim::Prim;

/// The right results, correctly rounded.
pub(crate) enum Right {
    /// Of one number.
    Unary(fn(f64) -> f64, fn(f32) -> f32),
    /// Of two.
    Binary(fn(f64, f64) -> f64, fn(f32, f32) -> f32),
}

/// A function.
pub(crate) struct Oracle {
    pub(crate) prim: Prim,
    pub(crate) right: Right,
    /// Where most of what is interesting happens, by the greatest argument.
    pub(crate) range: f64,
    /// Arguments next to which results overflow, vanish or change their formula.
    pub(crate) borders: &'static [f64],
}

impl Oracle {
    pub(crate) fn name(&self) -> &'static str {
        self.prim.name()
    }
}

const fn unary(
    prim: Prim,
    range: f64,
    borders: &'static [f64],
    double: fn(f64) -> f64,
    single: fn(f32) -> f32,
) -> Oracle {
    Oracle { prim, right: Right::Unary(double, single), range, borders }
}

const EXP: &[f64] = &[709.782712893384, -708.396418532264, -745.133219101941, 88.72284, -87.33655, -103.97208];
const EXP2: &[f64] = &[1024.0, -1022.0, -1075.0, 128.0, -126.0, -150.0];
const TURNS: &[f64] = &[std::f64::consts::FRAC_PI_4, 2.356194490192345, 100_000.0, 1_600_000.0, 1e22];
const POSITIVE: &[f64] = &[1.0, 0.75, 1.5, 1.0625, 0.96875, 2.2250738585072014e-308, 1.1754944e-38];

/// What `pxfm` says, unless it is further than `libm` can be wrong from what that says: next to the least numbers
/// `pxfm` is wrong by up to whole factors.
fn checked(right: f64, near: f64) -> f64 {
    if right.to_bits().abs_diff(near.to_bits()) > 4 { near } else { right }
}

fn exp(x: f64) -> f64 {
    checked(pxfm::f_exp(x), libm::exp(x))
}

/// `pxfm` does not follow C's Annex F for one, zeros, infinities and NaN; `libm` does.
fn pow(x: f64, y: f64) -> f64 {
    if !(plain(x) && plain(y)) {
        return libm::pow(x, y);
    }
    let size = checked(pxfm::f_pow(x, y).abs(), libm::pow(x, y).abs());
    size.copysign(libm::pow(x, y))
}

fn powf(x: f32, y: f32) -> f32 {
    if plain(x.into()) && plain(y.into()) { pxfm::f_powf(x, y) } else { libm::powf(x, y) }
}

/// `pxfm` loses the sign of an angle that vanishes, and does not follow C's Annex F for zeros, infinities and NaN.
fn atan2(y: f64, x: f64) -> f64 {
    if plain(y) && plain(x) { pxfm::f_atan2(y, x).abs().copysign(y) } else { libm::atan2(y, x) }
}

fn atan2f(y: f32, x: f32) -> f32 {
    if plain(y.into()) && plain(x.into()) { pxfm::f_atan2f(y, x).abs().copysign(y) } else { libm::atan2f(y, x) }
}

fn plain(x: f64) -> bool {
    x.is_finite() && x != 0.0 && x != 1.0
}

/// The functions that are held to one representable value.
pub(crate) const ORACLES: [Oracle; 26] = [
    unary(Prim::Exp, 760.0, EXP, exp, pxfm::f_expf),
    unary(Prim::Exp2, 1080.0, EXP2, pxfm::f_exp2, pxfm::f_exp2f),
    unary(Prim::Expm1, 760.0, EXP, pxfm::f_expm1, pxfm::f_expm1f),
    unary(Prim::Log, 100.0, POSITIVE, pxfm::f_log, pxfm::f_logf),
    unary(Prim::Log2, 100.0, POSITIVE, pxfm::f_log2, pxfm::f_log2f),
    unary(Prim::Log10, 100.0, POSITIVE, pxfm::f_log10, pxfm::f_log10f),
    unary(Prim::Log1p, 100.0, &[-1.0, 0.5, -0.25, 0.0625, -0.03125], pxfm::f_log1p, pxfm::f_log1pf),
    unary(Prim::Sin, 1e4, TURNS, pxfm::f_sin, pxfm::f_sinf),
    unary(Prim::Cos, 1e4, TURNS, pxfm::f_cos, pxfm::f_cosf),
    unary(Prim::Tan, 1e4, TURNS, pxfm::f_tan, pxfm::f_tanf),
    unary(Prim::Tanh, 22.0, &[9.02, 19.06, 0.125, 0.0108, 0.55], pxfm::f_tanh, pxfm::f_tanhf),
    Oracle { prim: Prim::Pow, right: Right::Binary(pow, powf), range: 100.0, borders: &[1.0] },
    unary(Prim::Cbrt, 1e3, &[1.0, 8.0, 2.2250738585072014e-308], pxfm::f_cbrt, pxfm::f_cbrtf),
    Oracle {
        prim: Prim::Hypot,
        right: Right::Binary(pxfm::f_hypot, pxfm::f_hypotf),
        range: 1e3,
        borders: &[1.0, 3.273390607896142e150, 3.4e-136, 1.3e154, 1.5e-154],
    },
    unary(Prim::Erf, 6.5, &[1.0, 0.125, 2.0, 3.83, 3.92, 4.0, 5.92, 6.0], pxfm::f_erf, pxfm::f_erff),
    unary(Prim::Sinh, 720.0, &[40.0, 710.4758600739439, 89.415985], pxfm::f_sinh, pxfm::f_sinhf),
    unary(Prim::Cosh, 720.0, &[40.0, 710.4758600739439, 89.415985], pxfm::f_cosh, pxfm::f_coshf),
    unary(Prim::Asin, 1.0, &[1.0, std::f64::consts::FRAC_1_SQRT_2], pxfm::f_asin, pxfm::f_asinf),
    unary(Prim::Acos, 1.0, &[1.0, std::f64::consts::FRAC_1_SQRT_2], pxfm::f_acos, pxfm::f_acosf),
    unary(Prim::Atan, 10.0, &[1.0], pxfm::f_atan, pxfm::f_atanf),
    Oracle { prim: Prim::Atan2, right: Right::Binary(atan2, atan2f), range: 10.0, borders: &[1.0] },
    unary(Prim::Asinh, 100.0, &[0.25, 268_435_456.0], pxfm::f_asinh, pxfm::f_asinhf),
    unary(Prim::Acosh, 100.0, &[1.0, 268_435_456.0], pxfm::f_acosh, pxfm::f_acoshf),
    unary(Prim::Atanh, 1.0, &[0.25, 1.0], pxfm::f_atanh, pxfm::f_atanhf),
    unary(Prim::Erfc, 28.0, &[0.5, 26.5, 10.05], pxfm::f_erfc, pxfm::f_erfcf),
    unary(Prim::Sqrt, 1e3, &[1.0, 2.2250738585072014e-308], f64::sqrt, f32::sqrt),
];
