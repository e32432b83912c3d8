//! Lines of words by whole vectors: keys of elements, sorting, and what a mask keeps.
//!
//! What the level of the machine has no code for says so, and the caller goes word by word. The results are the same.

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
    matches!(level(), Level::Avx512 | Level::Avx2)
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

macro_rules! words {
    ($($W:ident)*) => {$(
        impl InVectors for $W {
            #[cfg(target_arch = "x86_64")]
            fn sort(words: &mut [$W], scratch: &mut [$W], wanted: PlaceRequest, watch: Watch) -> Result<bool, RunError> {
                match level() {
                    Level::Avx512 => partition::sort::<lanes::Lanes512<$W>>(words, scratch, wanted, watch)?,
                    Level::Avx2 => partition::sort::<lanes::Lanes256<$W>>(words, scratch, wanted, watch)?,
                    Level::Base | Level::Sse => return Ok(false),
                }
                Ok(true)
            }

            #[cfg(target_arch = "x86_64")]
            fn compress(elements: &[u8], mask: &[u8], out: &mut [u8]) -> Option<usize> {
                compress::compress::<$W>(level(), elements, mask, out)
            }
        }
    )*};
}
words! { u32 u64 }

/// Defines a function that is compiled for each level; `$inner` is inlined into it.
macro_rules! for_each_level {
    ($(#[$doc:meta])* $name:ident, $inner:ident, $from:ty, $to:ty) => {
        $(#[$doc])*
        pub(super) fn $name<W: SortBits>(order: KeyOrder<W>, from: $from, to: $to) {
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
            fn avx512<W: SortBits>(order: KeyOrder<W>, from: $from, to: $to) {
                $inner(order, from, to);
            }
            #[cfg(target_arch = "x86_64")]
            #[target_feature(enable = "avx2")]
            fn avx2<W: SortBits>(order: KeyOrder<W>, from: $from, to: $to) {
                $inner(order, from, to);
            }
            match level() {
                // SAFETY: a level is only what the machine has.
                #[cfg(target_arch = "x86_64")]
                Level::Avx512 => unsafe { avx512(order, from, to) },
                // SAFETY: a level is only what the machine has.
                #[cfg(target_arch = "x86_64")]
                Level::Avx2 => unsafe { avx2(order, from, to) },
                _ => $inner(order, from, to),
            }
        }
    };
}

for_each_level! {
    /// The keys of elements.
    keys, keys_inner, &[u8], &mut [W]
}

for_each_level! {
    /// The elements that have keys; a zero is positive.
    elements, elements_inner, &[W], &mut [u8]
}

for_each_level! {
    /// Whether each element of a line but the first is another than the one before.
    others, others_inner, &[u8], &mut [u8]
}

#[inline(always)]
fn others_inner<W: SortBits>(order: KeyOrder<W>, from: &[u8], to: &mut [u8]) {
    let words = || from.chunks_exact(W::SIZE).map(W::read);
    for ((place, before), word) in to.iter_mut().zip(words()).zip(words().skip(1)) {
        *place = u8::from(!order.same(before, word));
    }
}

#[inline(always)]
fn keys_inner<W: SortBits>(order: KeyOrder<W>, from: &[u8], to: &mut [W]) {
    for (key, word) in to.iter_mut().zip(from.chunks_exact(W::SIZE)) {
        *key = order.key(W::read(word));
    }
}

#[inline(always)]
fn elements_inner<W: SortBits>(order: KeyOrder<W>, from: &[W], to: &mut [u8]) {
    for (place, &key) in to.chunks_exact_mut(W::SIZE).zip(from) {
        order.element(key).write(place);
    }
}
