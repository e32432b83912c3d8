//! Where values belong in a line in ascending order.
//!
//! The search halves the line until one place is left, whatever the line holds: of one that is not in order the place is
//! some place, the same everywhere.

use super::keys::{KeyOrder, SortBits, of_scalar};
use super::{LineTask, each, pieces, reserved, with_word};
use crate::exec::options::RunError;
use crate::scalar::Scalar;

/// Before how many elements each value comes; with those that are equal to it if `right`.
pub(super) fn meaning(sorted: &[Scalar], values: &[Scalar], right: bool) -> Vec<Scalar> {
    let keys: Vec<_> = sorted.iter().map(|&element| of_scalar(element)).collect();
    values.iter().map(|&value| Scalar::of(place(&keys, of_scalar(value), right) as i64)).collect()
}

/// How many keys are below a key, or not above it, as halving finds them.
fn place<K: Ord + Copy>(keys: &[K], key: K, right: bool) -> usize {
    let (mut low, mut high) = (0, keys.len());
    while low < high {
        let middle = low + (high - low) / 2;
        let before = if right { keys[middle] <= key } else { keys[middle] < key };
        if before { low = middle + 1 } else { high = middle }
    }
    low
}

/// The fast way.
pub(super) fn search(line: LineTask, right: bool) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => searched::<W>(line, right))
}

fn searched<W: SortBits>(line: LineTask, right: bool) -> Result<(), RunError> {
    let order = KeyOrder::<W>::of(line.dtype);
    let keys = |bytes: &[u8], at: usize| order.key(W::read(&bytes[at..at + W::SIZE]));
    let mut sorted = reserved(line.args[0].len() / W::SIZE, line.watch)?;
    sorted.extend((0..line.args[0].len()).step_by(W::SIZE).map(|at| keys(&line.args[0], at)));
    let piece = pieces(line.out.len() / 8, line.threads);
    let parts = line.out.chunks_mut(piece * 8).zip(line.args[1].chunks(piece * W::SIZE)).collect();
    each(parts, line.threads, line.watch, |(out, values): (&mut [u8], &[u8])| {
        for (place_of, value) in out.chunks_exact_mut(8).zip(values.chunks_exact(W::SIZE)) {
            let found = place(&sorted, order.key(W::read(value)), right);
            place_of.copy_from_slice(&(found as i64).to_le_bytes());
        }
        Ok(())
    })
}
