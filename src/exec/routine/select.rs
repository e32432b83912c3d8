//! The selection by a mask: elements, or their positions.

use super::keys::SortBits;
use super::vector::InVectors;
use super::{LineTask, by_pieces, each, pieces, with_word};
use crate::exec::fold::trues;
use crate::exec::options::{RunError, Watch};
use crate::scalar::Scalar;

/// The most elements of a part: between two parts it is asked whether someone waits.
const MAX_PART_ELEMENTS: usize = 1 << 20;

/// Where a mask is true.
pub(super) fn meaning(mask: &[Scalar]) -> impl Iterator<Item = usize> {
    mask.iter().enumerate().filter(|(_, kept)| kept.bits != 0).map(|(at, _)| at)
}

/// The elements that a mask keeps.
pub(super) fn compress(line: LineTask) -> Result<(), RunError> {
    let elements = &line.args[0];
    with_word!(line.dtype.size(), W => by_parts(&line.args[1], line.out, W::SIZE, line.threads, line.watch, |start, mask, out| {
        let elements = &elements[start * W::SIZE..][..mask.len() * W::SIZE];
        W::compress(elements, mask, out).unwrap_or_else(|| {
            kept(mask, out, |at, place: &mut [u8; W::SIZE]| place.copy_from_slice(&elements[at * W::SIZE..][..W::SIZE]))
        })
    }))
}

/// The positions that a mask keeps.
pub(super) fn positions(line: LineTask) -> Result<(), RunError> {
    by_parts(&line.args[0], line.out, 8, line.threads, line.watch, |start, mask, out| {
        kept(mask, out, |at, place| *place = ((start + at) as i64).to_le_bytes())
    })
}

/// Shares a mask by threads. What each part keeps is counted first, so that all know where theirs belongs; one thread
/// goes on where it is. `work` gets where the part begins, the part, and places for what it keeps, and gives how many
/// bytes that takes. Zeros are in the places that are left, if the mask has changed since somebody counted.
fn by_parts(
    mask: &[u8],
    out: &mut [u8],
    size: usize,
    threads: usize,
    watch: Watch,
    work: impl Fn(usize, &[u8], &mut [u8]) -> usize + Sync,
) -> Result<(), RunError> {
    if threads == 1 {
        let mut end = 0;
        by_pieces(mask.len(), watch, |at| end += work(at.start, &mask[at], &mut out[end..]))?;
        out[end..].fill(0);
        return Ok(());
    }
    let piece = pieces(mask.len(), threads).min(MAX_PART_ELEMENTS);
    let mut counts = vec![0; mask.len().div_ceil(piece)];
    each(mask.chunks(piece).zip(&mut counts).collect(), threads, watch, |(mask, count): (&[u8], &mut usize)| {
        *count = trues(mask);
        Ok(())
    })?;
    let (mut parts, mut rest) = (Vec::new(), out);
    for (nth, (mask, count)) in mask.chunks(piece).zip(counts).enumerate() {
        let room = (count * size).min(rest.len());
        let (own, after) = rest.split_at_mut(room);
        parts.push((nth * piece, mask, own));
        rest = after;
    }
    rest.fill(0);
    each(parts, threads, watch, |(start, mask, out): (usize, &[u8], &mut [u8])| {
        let end = work(start, mask, out);
        out[end..].fill(0);
        Ok(())
    })
}

/// Every element is written to the next place, which moves on where the mask is true: no branch to guess. Returns how
/// many bytes are kept.
fn kept<const SIZE: usize>(mask: &[u8], out: &mut [u8], write: impl Fn(usize, &mut [u8; SIZE])) -> usize {
    let (places, _) = out.as_chunks_mut();
    let mut next = 0;
    for (at, &keep) in mask.iter().enumerate() {
        let Some(place) = places.get_mut(next) else { break };
        write(at, place);
        next += usize::from(keep != 0);
    }
    next * SIZE
}
