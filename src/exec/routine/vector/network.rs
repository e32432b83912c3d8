//! Few words sorted in registers: a bitonic network over up to eight vectors.
//!
//! ```text
//! each vector in itself          one vector with another, reversed      halves of each, down to neighbours
//! 5 1 7 3 → 1 3 5 7              1 3 5 7 │ 8 6 4 2 → 1 3 4 2 │ 8 6 5 7   1 2 3 4 │ 5 6 7 8
//! ```
#![expect(unsafe_code, reason = "words are loaded from addresses into vectors, which need their level")]

use super::lanes::WordLanes;

/// The most vectors that a network sorts.
pub(super) const MAX_VECTORS: usize = 8;

/// Sorts up to [`MAX_VECTORS`] vectors of words into a place, which may be where they are.
///
/// # Safety
/// `from` is valid for reads and `to` for writes of `count` words. The machine has the level of the lanes.
#[inline(always)]
pub(super) unsafe fn sort<L: WordLanes>(from: *const L::Word, to: *mut L::Word, count: usize) {
    // SAFETY: the caller promises `count` words at both places, and the level of the lanes.
    unsafe {
        match count.div_ceil(L::LANES) {
            0 | 1 => sort_of::<L, 1>(from, to, count),
            2 => sort_of::<L, 2>(from, to, count),
            3 | 4 => sort_of::<L, 4>(from, to, count),
            _ => sort_of::<L, MAX_VECTORS>(from, to, count),
        }
    }
}

/// [`sort`] with `K` vectors.
///
/// # Safety
/// As for [`sort`].
#[inline(always)]
unsafe fn sort_of<L: WordLanes, const K: usize>(from: *const L::Word, to: *mut L::Word, count: usize) {
    // SAFETY: the caller promises `count` words at both places: each vector reads and writes what is left of them.
    unsafe {
        let start = |nth: usize| (nth * L::LANES).min(count);
        let mut vectors = [L::load(from, count); K];
        for (nth, vector) in vectors.iter_mut().enumerate() {
            *vector = sorted::<L>(L::load(from.add(start(nth)), count - start(nth)));
        }
        if K >= 2 {
            merge::<L, K, 1>(&mut vectors);
        }
        if K >= 4 {
            merge::<L, K, 2>(&mut vectors);
        }
        if K >= 8 {
            merge::<L, K, 4>(&mut vectors);
        }
        for (nth, vector) in vectors.into_iter().enumerate() {
            L::store(to.add(start(nth)), count - start(nth), vector);
        }
    }
}

/// Merges each `W` vectors in order with as many behind them.
#[inline(always)]
fn merge<L: WordLanes, const K: usize, const W: usize>(vectors: &mut [L::Vector; K]) {
    let before = *vectors;
    for nth in 0..K / 2 {
        let (at, nth) = (nth / W * 2 * W, nth % W);
        let (low, high) = (before[at + nth], before[at + 2 * W - 1 - nth]);
        let high = match L::LANES {
            16 => L::swapped::<15>(high),
            8 => L::swapped::<7>(high),
            _ => L::swapped::<3>(high),
        };
        vectors[at + nth] = L::smaller(low, high);
        vectors[at + W + nth] = L::larger(low, high);
    }
    if W >= 4 {
        compare_exchange::<L, K, 2>(vectors);
    }
    if W >= 2 {
        compare_exchange::<L, K, 1>(vectors);
    }
    for vector in vectors {
        *vector = merged::<L>(*vector);
    }
}

/// Compares vectors that are `STEP` apart, and puts the smaller words into the first of them.
#[inline(always)]
fn compare_exchange<L: WordLanes, const K: usize, const STEP: usize>(vectors: &mut [L::Vector; K]) {
    for nth in 0..K / 2 {
        let at = nth / STEP * 2 * STEP + nth % STEP;
        let (low, high) = (vectors[at], vectors[at + STEP]);
        (vectors[at], vectors[at + STEP]) = (L::smaller(low, high), L::larger(low, high));
    }
}

/// A vector in order.
#[inline(always)]
fn sorted<L: WordLanes>(mut vector: L::Vector) -> L::Vector {
    vector = L::exchanged::<1>(vector);
    vector = L::exchanged::<1>(L::exchanged::<3>(vector));
    if L::LANES >= 8 {
        vector = L::exchanged::<1>(L::exchanged::<2>(L::exchanged::<7>(vector)));
    }
    if L::LANES == 16 {
        vector = L::exchanged::<4>(L::exchanged::<15>(vector));
        vector = L::exchanged::<1>(L::exchanged::<2>(vector));
    }
    vector
}

/// A vector in order that rises and then falls.
#[inline(always)]
fn merged<L: WordLanes>(mut vector: L::Vector) -> L::Vector {
    if L::LANES == 16 {
        vector = L::exchanged::<8>(vector);
    }
    if L::LANES >= 8 {
        vector = L::exchanged::<4>(vector);
    }
    L::exchanged::<1>(L::exchanged::<2>(vector))
}
