//! Words sorted by partitions of whole vectors; few are left to a network.
//!
//! A partition goes from one place to the other and back: what is below the pivot to the front, the rest to the end.
#![expect(unsafe_code, reason = "words are loaded from addresses into vectors, which need their level")]

use super::super::digits::by_digits;
use super::super::keys::SortBits;
use super::PlaceRequest;
use super::lanes::{Lanes256, Lanes512, WordLanes};
use super::network::{self, MAX_VECTORS};
use crate::exec::options::{RunError, Watch};

/// A partition of more words than this looks first whether someone wants it to stop.
const MAX_UNASKED_WORDS: usize = 1 << 18;

/// Lanes with code for their level.
///
/// # Safety
/// A type that implements it has functions that do what is said.
///
/// Whoever calls a function, [`LevelLanes::sort_narrow`] too, knows this: the machine has the level of the lanes.
/// `from` is valid for reads and `to` for writes of `count` words. The two places of [`LevelLanes::split_words`] are as
/// long as each other.
pub(super) unsafe trait LevelLanes: WordLanes {
    /// Sorts as many words as [`network`] can into a place, which may be where they are.
    /// See the safety of [`LevelLanes`].
    unsafe fn network(from: *const Self::Word, to: *mut Self::Word, count: usize);
    /// [`WordLanes::split`]. See the safety of [`LevelLanes`].
    unsafe fn split_words<const OR_EQUAL: bool>(from: &[Self::Word], to: &mut [Self::Word], pivot: Self::Word)
    -> usize;
    /// Sorts words as narrower ones if all of them lie near the first. Returns whether it sorted them.
    fn sort_narrow(words: &mut [Self::Word], scratch: &mut [Self::Word], watch: Watch) -> Result<bool, RunError>;
}

// SAFETY: the functions do what the trait says.
unsafe impl<W: NarrowableWord> LevelLanes for Lanes512<W>
where
    Lanes512<W>: WordLanes<Word = W>,
{
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
    unsafe fn network(from: *const W, to: *mut W, count: usize) {
        // SAFETY: the caller promises `count` words at both places; the level has these features.
        unsafe { network::sort::<Self>(from, to, count) }
    }
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
    unsafe fn split_words<const OR_EQUAL: bool>(from: &[W], to: &mut [W], pivot: W) -> usize {
        // SAFETY: the caller promises places of one length; the level has these features.
        unsafe { Self::split::<OR_EQUAL>(from, to, pivot) }
    }
    fn sort_narrow(words: &mut [W], scratch: &mut [W], watch: Watch) -> Result<bool, RunError> {
        W::sort_narrow::<Lanes512<u32>>(words, scratch, watch)
    }
}

// SAFETY: the functions do what the trait says.
unsafe impl<W: NarrowableWord> LevelLanes for Lanes256<W>
where
    Lanes256<W>: WordLanes<Word = W>,
{
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn network(from: *const W, to: *mut W, count: usize) {
        // SAFETY: the caller promises `count` words at both places; the level has these features.
        unsafe { network::sort::<Self>(from, to, count) }
    }
    #[target_feature(enable = "avx2,popcnt")]
    unsafe fn split_words<const OR_EQUAL: bool>(from: &[W], to: &mut [W], pivot: W) -> usize {
        // SAFETY: the caller promises places of one length; the level has these features.
        unsafe { Self::split::<OR_EQUAL>(from, to, pivot) }
    }
    fn sort_narrow(words: &mut [W], scratch: &mut [W], watch: Watch) -> Result<bool, RunError> {
        W::sort_narrow::<Lanes256<u32>>(words, scratch, watch)
    }
}

/// Sorts words, as far as wanted places are; the machine has the level of the lanes.
///
/// # Errors
/// When someone does not want to wait.
pub(super) fn sort<L: LevelLanes>(
    words: &mut [L::Word],
    scratch: &mut [L::Word],
    wanted: PlaceRequest,
    watch: Watch,
) -> Result<(), RunError> {
    assert_eq!(words.len(), scratch.len(), "scratch is as long as the words");
    if matches!(wanted, PlaceRequest::All)
        && words.len() > MAX_VECTORS * L::LANES
        && L::sort_narrow(words, scratch, watch)?
    {
        return Ok(());
    }
    let mut sorting = Sorting { watch, depth: 2 * words.len().max(1).ilog2() as usize };
    sorting.sort::<L>(words, scratch, wanted, true)
}

/// Words that narrower ones may stand for.
pub(super) trait NarrowableWord: SortBits {
    /// Sorts words as words of 32 bits if all of them are wider and lie within 31 bits of the first. Returns whether it
    /// sorted them. The machine has the level of the lanes.
    ///
    /// # Errors
    /// When someone does not want to wait.
    fn sort_narrow<L: LevelLanes<Word = u32>>(
        words: &mut [Self],
        scratch: &mut [Self],
        watch: Watch,
    ) -> Result<bool, RunError>;
}

impl NarrowableWord for u32 {
    fn sort_narrow<L: LevelLanes<Word = u32>>(_: &mut [u32], _: &mut [u32], _: Watch) -> Result<bool, RunError> {
        Ok(false)
    }
}

impl NarrowableWord for u64 {
    fn sort_narrow<L: LevelLanes<Word = u32>>(
        words: &mut [u64],
        scratch: &mut [u64],
        watch: Watch,
    ) -> Result<bool, RunError> {
        // Nothing below the base is so near behind it that distances wrap around.
        let base = words[0].saturating_sub(1 << 31).min(u64::MAX << 32);
        let far = words.iter().fold(0, |far, word| far | word.wrapping_sub(base));
        if far > u32::MAX.into() {
            return Ok(false);
        }
        // SAFETY: words of 64 bits are twice as many of 32 bits, of which every one is a number.
        let narrow_words =
            unsafe { std::slice::from_raw_parts_mut(scratch.as_mut_ptr().cast::<u32>(), 2 * scratch.len()) };
        let (narrow, other) = narrow_words.split_at_mut(words.len());
        for (narrow, word) in narrow.iter_mut().zip(&*words) {
            *narrow = word.wrapping_sub(base) as u32;
        }
        sort::<L>(narrow, &mut other[..words.len()], PlaceRequest::All, watch)?;
        for (word, narrow) in words.iter_mut().zip(narrow) {
            *word = base + u64::from(*narrow);
        }
        Ok(true)
    }
}

struct Sorting<'w> {
    watch: Watch<'w>,
    /// Partitions of partitions that are left: where pivots are bad, digits sort the rest.
    depth: usize,
}

impl Sorting<'_> {
    /// Sorts words where they are if `home`, else into the other place.
    fn sort<L: LevelLanes>(
        &mut self,
        words: &mut [L::Word],
        other: &mut [L::Word],
        wanted: PlaceRequest,
        home: bool,
    ) -> Result<(), RunError> {
        let count = words.len();
        if wanted.is_none() {
            return Ok(());
        }
        if count <= MAX_VECTORS * L::LANES {
            let to = if home { words.as_mut_ptr() } else { other.as_mut_ptr() };
            // SAFETY: both places have `count` words, and the caller knows the machine.
            unsafe { L::network(words.as_ptr(), to, count) };
            return Ok(());
        }
        if self.depth == 0 {
            by_digits(words, other, |&word| word, self.watch)?;
            if !home {
                other.copy_from_slice(words);
            }
            return Ok(());
        }
        if count > MAX_UNASKED_WORDS {
            self.watch.poll()?;
        }
        self.depth -= 1;
        let pivot = pivot(words);
        // SAFETY: the places are as long as each other, and the caller knows the machine.
        let mut cut = unsafe { L::split_words::<false>(words, other, pivot) };
        let is_least = cut == 0;
        if is_least {
            // The pivot is the smallest word: all that are equal to it are in order.
            // SAFETY: the places are as long as each other, and the caller knows the machine.
            cut = unsafe { L::split_words::<true>(words, other, pivot) };
        }
        let [before, behind] = wanted.split(cut);
        if !is_least {
            self.sort::<L>(&mut other[..cut], &mut words[..cut], before, !home)?;
        } else if home {
            words[..cut].fill(pivot);
        }
        self.sort::<L>(&mut other[cut..], &mut words[cut..], behind, !home)?;
        self.depth += 1;
        Ok(())
    }
}

/// The middle of some words.
fn pivot<W: SortBits>(words: &[W]) -> W {
    let step = words.len() / 9;
    let middle = |a: W, b: W, c: W| a.min(b).max(a.max(b).min(c));
    let three = |nth: usize| {
        let at = |third: usize| words[(nth + 3 * third) * step + step / 2];
        middle(at(0), at(1), at(2))
    };
    middle(three(0), three(1), three(2))
}
