//! Lines of words by whole vectors: keys of elements, sorting, and what a mask keeps.
//!
//! What the level of the machine has no code for says so, and the caller goes word by word. The results are the same.
#![cfg_attr(target_arch = "x86_64", expect(unsafe_code, reason = "vectors need their level"))]

#[cfg(target_arch = "x86_64")]
mod compress;
#[cfg(target_arch = "x86_64")]
mod lanes;
#[cfg(target_arch = "x86_64")]
mod network;
#[cfg(target_arch = "x86_64")]
mod partition;

use super::keys::{KeyOrder, SortBits};
use crate::exec::machine::{Level, level};
use crate::exec::options::{RunError, Watch};
#[cfg(target_arch = "x86_64")]
use partition::LevelLanes;

/// The places of a line that someone asks for.
#[derive(Clone, Copy)]
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "vectors alone read them"))]
pub(super) enum PlaceRequest<'p> {
    All,
    /// These places, in ascending order. The first element of the line has the second field as its number: the line may
    /// be a part of a longer one.
    Places(&'p [usize], usize),
}

#[cfg(target_arch = "x86_64")]
impl PlaceRequest<'_> {
    /// The wanted places before a cut, and those behind it.
    fn split(self, cut: usize) -> [Self; 2] {
        match self {
            PlaceRequest::All => [self, self],
            PlaceRequest::Places(places, first) => {
                let (before, behind) = places.split_at(places.partition_point(|&place| place - first < cut));
                [PlaceRequest::Places(before, first), PlaceRequest::Places(behind, first + cut)]
            }
        }
    }

    fn is_none(self) -> bool {
        matches!(self, PlaceRequest::Places([], _))
    }
}

/// Whether vectors sort words of four and eight bytes here.
pub(super) fn sorts_words() -> bool {
    level() >= Level::Avx2
}

/// Words that vectors have lanes for.
pub(super) trait InVectors: Sized {
    /// Moves words to where they are in ascending order. At least the words that belong in the wanted places are moved
    /// there. Scratch has room for all words. Returns whether there is code for that; if not, no word has moved.
    ///
    /// # Errors
    /// When someone does not want to wait.
    fn sort(
        _words: &mut [Self],
        _scratch: &mut [Self],
        _wanted: PlaceRequest,
        _watch: Watch,
    ) -> Result<bool, RunError> {
        Ok(false)
    }

    /// Moves the elements that a mask keeps to the front of `out`, as many as `out` has room for; what is behind them
    /// may be anything. Returns how many bytes they take, or nothing where there is no code for that.
    fn compress(_elements: &[u8], _mask: &[u8], _out: &mut [u8]) -> Option<usize> {
        None
    }
}

impl InVectors for u8 {}
impl InVectors for u16 {}
impl InVectors for u128 {}

impl InVectors for u32 {
    #[cfg(target_arch = "x86_64")]
    fn sort(words: &mut [u32], scratch: &mut [u32], wanted: PlaceRequest, watch: Watch) -> Result<bool, RunError> {
        sort_at_level(words, scratch, wanted, watch)
    }

    #[cfg(target_arch = "x86_64")]
    fn compress(elements: &[u8], mask: &[u8], out: &mut [u8]) -> Option<usize> {
        compress::compress::<u32>(level(), elements, mask, out)
    }
}

impl InVectors for u64 {
    #[cfg(target_arch = "x86_64")]
    fn sort(words: &mut [u64], scratch: &mut [u64], wanted: PlaceRequest, watch: Watch) -> Result<bool, RunError> {
        sort_at_level(words, scratch, wanted, watch)
    }

    #[cfg(target_arch = "x86_64")]
    fn compress(elements: &[u8], mask: &[u8], out: &mut [u8]) -> Option<usize> {
        compress::compress::<u64>(level(), elements, mask, out)
    }
}

/// [`InVectors::sort`] of words that both levels have lanes for.
#[cfg(target_arch = "x86_64")]
fn sort_at_level<W>(words: &mut [W], scratch: &mut [W], wanted: PlaceRequest, watch: Watch) -> Result<bool, RunError>
where
    lanes::Lanes512<W>: LevelLanes<Word = W>,
    lanes::Lanes256<W>: LevelLanes<Word = W>,
{
    match level() {
        Level::Avx512 => partition::sort::<lanes::Lanes512<W>>(words, scratch, wanted, watch)?,
        Level::Avx2 => partition::sort::<lanes::Lanes256<W>>(words, scratch, wanted, watch)?,
        Level::Base | Level::Sse => return Ok(false),
    }
    Ok(true)
}

/// What is done with a line, compiled for each level: [`at_level`].
trait LinePass<W> {
    type From;
    type To;
    /// It is inlined into the function of a level.
    fn pass(order: KeyOrder<W>, from: &[Self::From], to: &mut [Self::To]);
}

/// Goes through a line with the vectors of the level of the machine.
fn at_level<W: SortBits, P: LinePass<W>>(order: KeyOrder<W>, from: &[P::From], to: &mut [P::To]) {
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn avx512<W: SortBits, P: LinePass<W>>(order: KeyOrder<W>, from: &[P::From], to: &mut [P::To]) {
        P::pass(order, from, to);
    }
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn avx2<W: SortBits, P: LinePass<W>>(order: KeyOrder<W>, from: &[P::From], to: &mut [P::To]) {
        P::pass(order, from, to);
    }
    match level() {
        // SAFETY: a level is only what the machine has.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { avx512::<W, P>(order, from, to) },
        // SAFETY: a level is only what the machine has.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { avx2::<W, P>(order, from, to) },
        _ => P::pass(order, from, to),
    }
}

/// The keys of elements.
pub(super) fn keys<W: SortBits>(order: KeyOrder<W>, from: &[u8], to: &mut [W]) {
    at_level::<W, KeyPass>(order, from, to);
}

/// The elements that have keys; a zero is positive.
pub(super) fn elements<W: SortBits>(order: KeyOrder<W>, from: &[W], to: &mut [u8]) {
    at_level::<W, ElementPass>(order, from, to);
}

/// Whether each element of a line but the first is another than the one before.
pub(super) fn others<W: SortBits>(order: KeyOrder<W>, from: &[u8], to: &mut [u8]) {
    at_level::<W, OtherPass>(order, from, to);
}

struct KeyPass;

impl<W: SortBits> LinePass<W> for KeyPass {
    type From = u8;
    type To = W;
    #[inline(always)]
    fn pass(order: KeyOrder<W>, from: &[u8], to: &mut [W]) {
        for (key, word) in to.iter_mut().zip(from.chunks_exact(W::SIZE)) {
            *key = order.key(W::read(word));
        }
    }
}

struct ElementPass;

impl<W: SortBits> LinePass<W> for ElementPass {
    type From = W;
    type To = u8;
    #[inline(always)]
    fn pass(order: KeyOrder<W>, from: &[W], to: &mut [u8]) {
        for (place, &key) in to.chunks_exact_mut(W::SIZE).zip(from) {
            order.element(key).write(place);
        }
    }
}

struct OtherPass;

impl<W: SortBits> LinePass<W> for OtherPass {
    type From = u8;
    type To = u8;
    #[inline(always)]
    fn pass(order: KeyOrder<W>, from: &[u8], to: &mut [u8]) {
        let words = || from.chunks_exact(W::SIZE).map(W::read);
        for ((place, before), word) in to.iter_mut().zip(words()).zip(words().skip(1)) {
            *place = u8::from(!order.same(before, word));
        }
    }
}
