//! Functions of `f32` in sixteen pieces.
//!
//! A piece is a polynomial of the fifth degree around a point, of which little but the last rounding is lost. Tables of
//! sixteen `f32` stay in registers: one of 512 bits, or two of 256, whose elements a single instruction picks.

use super::lanes::{Lanes, Shift};

/// Evaluates the polynomial whose coefficients stand in `tables`, the lowest power first. The bits of `by` from `from`
/// on select the element of each table.
#[inline(always)]
fn piecewise_polynomial<L: Lanes<Number = f32>>(by: L, from: u32, t: L, tables: &[[f32; 16]]) -> L {
    let mut value = by.lookup(from, &tables[tables.len() - 1]);
    for table in tables[..tables.len() - 1].iter().rev() {
        value = value.fma(t, by.lookup(from, table));
    }
    value
}

/// The hyperbolic tangent of a number from 0 up to 8.97.
///
/// Pieces have equal lengths next to 0 and grow further on, as those of a float do: four for each power of two that a
/// sum is between, from 1/2 up to 8.
#[inline(always)]
pub(super) fn tanh<L: Lanes<Number = f32>>(size: L) -> L {
    let by = size.fma(L::splat(0.8314), L::splat(0.5));
    let t = size.sub(by.lookup(21, &TANH[0]));
    piecewise_polynomial(by, 21, t, &TANH[2..]).fma(t, by.lookup(21, &TANH[1]))
}

/// The error function of a number from 0 up to 3.94, in pieces of equal lengths around multiples of it.
#[inline(always)]
pub(super) fn erf<L: Lanes<Number = f32>>(size: L) -> L {
    let by = size.fma(L::splat(1.0 / LENGTH), L::splat(f32::WHOLE));
    let t = by.sub(L::splat(f32::WHOLE)).fnma(L::splat(LENGTH), size);
    // The first piece is what there is beyond the number itself: its greatest coefficient is no float.
    let first = by.less(L::splat(f32::WHOLE + 1.0));
    piecewise_polynomial(by, 0, t, &ERF[1..]).fma(t, L::choose(first, t, by.lookup(0, &ERF[0])))
}

/// The length of a piece of the error function.
const LENGTH: f32 = 0.25472066;

/// The hyperbolic tangent. The first column is the point that a piece is developed around.
const TANH: [[f32; 16]; 7] = [
    [
        2.1045668, 2.7067122, 3.3074622, 3.909361, 4.8107753, 6.0149064, 7.2176967, 8.417162, 0.0, 0.22551082,
        0.37591162, 0.52616596, 0.7518555, 1.052659, 1.3529851, 1.6536751,
    ],
    [
        0.97071666, 0.99112684, 0.99732316, 0.99919605, 0.99986744, 0.9999881, 0.9999989, 0.9999999, 0.0, 0.22176422,
        0.3591517, 0.48244488, 0.6362546, 0.782838, 0.87475604, 0.9293602,
    ],
    [
        0.05770914,
        0.01766761,
        0.0053465297,
        0.0016072508,
        0.00026512702,
        2.3854695e-5,
        2.1520266e-6,
        1.9543657e-7,
        1.0,
        0.9508206,
        0.87101007,
        0.76724696,
        0.5951801,
        0.38716468,
        0.23480186,
        0.1362896,
    ],
    [
        -0.056017574,
        -0.017508795,
        -0.0053314376,
        -0.0016057091,
        -0.0002643814,
        -2.3908751e-5,
        -2.2112617e-6,
        2.590085e-7,
        7.797673e-7,
        -0.21085724,
        -0.3128238,
        -0.37015402,
        -0.3786859,
        -0.3030914,
        -0.20539694,
        -0.12666291,
    ],
    [
        0.035145573,
        0.0114651555,
        0.0035352786,
        0.0010687356,
        0.00017618992,
        1.5875108e-5,
        1.431724e-6,
        1.16994045e-7,
        -0.3333797,
        -0.27017996,
        -0.17798805,
        -0.07718321,
        0.042537708,
        0.1082151,
        0.10140647,
        0.072286025,
    ],
    [
        -0.015501937,
        -0.0056002517,
        -0.001776509,
        -0.00054156483,
        -9.436791e-5,
        -8.200358e-6,
        -5.948665e-7,
        -1.2803899e-6,
        0.00081753463,
        0.1297129,
        0.1676566,
        0.16031891,
        0.0991304,
        0.016918067,
        -0.019869264,
        -0.024846468,
    ],
    [
        0.0044929986,
        0.0020694048,
        0.00069414754,
        0.00021523109,
        3.7640428e-5,
        3.368728e-6,
        3.0615996e-7,
        7.8930874e-8,
        0.12851578,
        0.082524285,
        0.0188272,
        -0.032986563,
        -0.063174136,
        -0.040325075,
        -0.011128755,
        0.0020219502,
    ],
];

/// The error function.
const ERF: [[f32; 16]; 6] = [
    [
        0.0, 0.28132442, 0.52875745, 0.7201642, 0.85039204, 0.9283203, 0.9693337, 0.98831797, 0.99604636, 0.99881333,
        0.9996846, 0.99992585, 0.99998456, 0.9999972, 0.9999995, 0.99999994,
    ],
    [
        0.12837917,
        1.0574917,
        0.8704472,
        0.6292912,
        0.3995807,
        0.22284405,
        0.1091544,
        0.046959683,
        0.017744051,
        0.005888762,
        0.0017164808,
        0.00043943795,
        9.880976e-5,
        1.951398e-5,
        3.3848191e-6,
        5.1566633e-7,
    ],
    [
        3.0483298e-7,
        -0.2693606,
        -0.44343603,
        -0.48087806,
        -0.40712506,
        -0.28381568,
        -0.16681631,
        -0.08374077,
        -0.036171306,
        -0.013500391,
        -0.004368813,
        -0.0012374396,
        -0.0002887012,
        -7.676325e-5,
        -3.1049262e-6,
        -4.681092e-6,
    ],
    [
        -0.3761425,
        -0.30678463,
        -0.13955948,
        0.035204016,
        0.14334585,
        0.16669634,
        0.13359009,
        0.083878435,
        0.04320646,
        0.01866939,
        0.0068524084,
        0.0021533945,
        0.0005824795,
        0.00013612566,
        2.7562386e-5,
        4.8452557e-6,
    ],
    [
        0.00029450527,
        0.12795417,
        0.1822354,
        0.14630443,
        0.06274112,
        -0.011149153,
        -0.046593674,
        -0.046179138,
        -0.031197764,
        -0.01692009,
        -0.0075146207,
        -0.002263466,
        -0.001590323,
        0.0005139691,
        -0.00057829835,
        0.00015213212,
    ],
    [
        0.1109428,
        0.08006952,
        0.0053975526,
        -0.054535206,
        -0.068174504,
        -0.044062536,
        -0.011848747,
        0.008136155,
        0.013056924,
        0.0098858895,
        0.005366198,
        0.0022902817,
        0.00079865835,
        0.00023248036,
        5.7151457e-5,
        1.1965685e-5,
    ],
];
