//! Words sorted by partitions of 512 bits at a time; few are left to a network.
//!
//! A partition goes from one place to the other and back: what is below the pivot to the front, the rest to the end.

use super::super::digits::by_digits;
use super::network::{self, Lanes, VECTORS};
use crate::exec::options::{RunError, Watch};

/// Partitions of so many words look whether someone does not want to wait.
const LONG: usize = 1 << 18;

/// Sorts words; the machine has AVX-512.
///
/// # Errors
/// When someone does not want to wait.
pub(super) fn sort<W: Lanes>(words: &mut [W], scratch: &mut [W], watch: Watch) -> Result<(), RunError> {
    let mut sorting = Sorting { watch, depth: 2 * words.len().max(1).ilog2() as usize };
    sorting.sort(words, scratch, true)
}

struct Sorting<'w> {
    watch: Watch<'w>,
    /// Partitions of partitions that are left: where pivots are bad, digits sort the rest.
    depth: usize,
}

impl Sorting<'_> {
    /// Sorts words where they are if `home`, else into the other place.
    fn sort<W: Lanes>(&mut self, words: &mut [W], other: &mut [W], home: bool) -> Result<(), RunError> {
        let count = words.len();
        if count <= VECTORS * W::LANES {
            let to = if home { words.as_mut_ptr() } else { other.as_mut_ptr() };
            // SAFETY: both places have so many words, and the caller knows the machine.
            unsafe { network::sort(words.as_ptr(), to, count) };
            return Ok(());
        }
        if self.depth == 0 {
            by_digits(words, other, |&word| word, self.watch)?;
            if !home {
                other.copy_from_slice(words);
            }
            return Ok(());
        }
        if count > LONG {
            self.watch.poll()?;
        }
        self.depth -= 1;
        let pivot = pivot(words);
        // SAFETY: the places are as long as each other, and the caller knows the machine.
        let mut cut = unsafe { split::<W, false>(words, other, pivot) };
        if cut == 0 {
            // The pivot is the smallest word: all that are equal to it are in order.
            // SAFETY: likewise.
            cut = unsafe { split::<W, true>(words, other, pivot) };
            if home {
                words[..cut].fill(pivot);
            }
        } else {
            self.sort(&mut other[..cut], &mut words[..cut], !home)?;
        }
        self.sort(&mut other[cut..], &mut words[cut..], !home)?;
        self.depth += 1;
        Ok(())
    }
}

/// The middle of some words.
fn pivot<W: Lanes>(words: &[W]) -> W {
    let step = words.len() / 9;
    let middle = |a: W, b: W, c: W| a.min(b).max(a.max(b).min(c));
    let three = |nth: usize| {
        let at = |third: usize| words[(nth + 3 * third) * step + step / 2];
        middle(at(0), at(1), at(2))
    };
    middle(three(0), three(1), three(2))
}

/// Moves words to the front of another place if they are below a pivot, or not above it with `OR_EQUAL`, else to its end;
/// how many are at the front.
///
/// # Safety
/// The places are as long as each other, and the machine has AVX-512.
#[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl,popcnt")]
unsafe fn split<W: Lanes, const OR_EQUAL: bool>(from: &[W], to: &mut [W], pivot: W) -> usize {
    let (mut front, mut end) = (0, to.len());
    for part in from.chunks(W::LANES) {
        let all = network::first(part.len());
        // SAFETY: a part has at most as many words as a vector; front and end never pass each other, for each word goes
        // to one of them once.
        unsafe {
            let vector = W::load(part.as_ptr(), part.len());
            let below = W::below::<OR_EQUAL>(vector, pivot) & all;
            let count = below.count_ones() as usize;
            W::store(to.as_mut_ptr().add(front), count, W::packed(below, vector));
            front += count;
            end -= part.len() - count;
            W::store(to.as_mut_ptr().add(end), part.len() - count, W::packed(!below & all, vector));
        }
    }
    front
}
