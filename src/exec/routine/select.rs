//! What a mask keeps: elements, or their positions.

use super::keys::SortBits;
use super::vector::InVectors;
use super::{LineTask, with_word};
use crate::exec::options::RunError;
use crate::scalar::Scalar;

/// Where a mask is true.
pub(super) fn meaning(mask: &[Scalar]) -> impl Iterator<Item = usize> {
    mask.iter().enumerate().filter(|(_, kept)| kept.bits != 0).map(|(at, _)| at)
}

/// The elements that a mask keeps.
pub(super) fn compress(line: LineTask) -> Result<(), RunError> {
    with_word!(line.dtype.size(), W => {
        if !W::compress(&line.args[0], &line.args[1], line.out) {
            kept::<W>(&line.args[0], &line.args[1], line.out);
        }
    });
    Ok(())
}

/// The positions that a mask keeps.
pub(super) fn positions(line: LineTask) -> Result<(), RunError> {
    let mut places = line.out.chunks_exact_mut(8);
    for (at, _) in line.args[0].iter().enumerate().filter(|(_, kept)| **kept != 0) {
        if let Some(place) = places.next() {
            place.copy_from_slice(&(at as i64).to_le_bytes());
        }
    }
    Ok(())
}

/// Every element is written to the next place, which moves on where the mask is true: no branch to guess.
fn kept<W: SortBits>(elements: &[u8], mask: &[u8], out: &mut [u8]) {
    let mut at = 0;
    let room = out.len();
    for (element, &keep) in elements.chunks_exact(W::SIZE).zip(mask) {
        if at >= room {
            return;
        }
        out[at..at + W::SIZE].copy_from_slice(element);
        at += W::SIZE * usize::from(keep);
    }
}
