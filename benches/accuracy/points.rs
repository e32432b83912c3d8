//! Where functions are measured: all sizes of numbers, and clusters where they are hard.

use crate::oracle::Oracle;
use arrlang::scalar::prim::Prim;
use std::f64::consts::FRAC_PI_2;

/// Reproducible bits (SplitMix64).
pub(crate) struct Points<'o> {
    oracle: &'o Oracle,
    state: u64,
    index: usize,
}

impl Points<'_> {
    pub(crate) fn new(oracle: &Oracle, seed: u64) -> Points<'_> {
        Points { oracle, state: seed, index: 0 }
    }

    fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.state ^ self.state >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ x >> 31
    }

    fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.bits() >> 11) as f64 * 2f64.powi(-53))
    }

    fn sign(&mut self) -> f64 {
        if self.bits() & 1 == 0 { 1.0 } else { -1.0 }
    }

    /// The next argument; `wide` for the exponents of `f64`.
    pub(crate) fn next(&mut self, wide: bool) -> f64 {
        self.index += 1;
        let range = self.oracle.range;
        match self.index % 10 {
            // Every exponent alike, subnormal numbers and infinities among them.
            0 if wide => f64::from_bits(self.bits()),
            0 => f64::from(f32::from_bits(self.bits() as u32)),
            1 => self.between(-range, range),
            2 => self.between(-1.0, 1.0),
            3 => self.between(0.5, 2.0),
            4 => 2f64.powf(self.between(-60.0, 12.0)) * self.sign(),
            // Next to 0, as far as numbers go.
            5 => 2f64.powf(self.between(if wide { -1074.0 } else { -149.0 }, 0.0)) * self.sign(),
            // Next to 1.
            6 => 1.0 + 2f64.powf(self.between(-53.0, -1.0)) * self.sign(),
            // Next to multiples of a quarter turn, small and large.
            7 => {
                let turns = 2f64.powf(self.between(0.0, 40.0)).floor();
                let off = 2f64.powf(self.between(-50.0, -4.0)) * self.sign();
                turns * FRAC_PI_2 * (1.0 + if self.bits() & 1 == 0 { 0.0 } else { off }) * self.sign()
            }
            8 => {
                let borders = self.oracle.borders;
                let border = borders[self.bits() as usize % borders.len()];
                border * (1.0 + 2f64.powf(self.between(-53.0, -3.0)) * self.sign()) * self.sign()
            }
            _ => (self.between(-64.0, 64.0) * 4.0).round() / 4.0,
        }
    }

    /// The next pair of arguments.
    pub(crate) fn pair(&mut self, wide: bool) -> (f64, f64) {
        let (x, y) = (self.next(wide), self.next(wide));
        let limits = if wide { (-1080.0, 1030.0) } else { (-152.0, 130.0) };
        match (self.oracle.prim, self.index % 4) {
            // Powers within the exponents of floats, and some just outside.
            (Prim::Pow, 0) => (x.abs(), self.between(limits.0, limits.1) / x.abs().log2()),
            (Prim::Pow, 1) => {
                let x = self.between(0.5, 2.0);
                (x, self.between(limits.0, limits.1) / x.log2())
            }
            // Sides of a like length.
            (Prim::Hypot, 0 | 1) => (x, x * 2f64.powf(self.between(-30.0, 30.0)) * self.sign()),
            _ => (x, y),
        }
    }
}
