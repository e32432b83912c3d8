//! The cells of a column, each where the file has it.
//!
//! What a block reads is copied here while it is in the cache. Where the dtype of the column is known from its first
//! block on, each cell takes as many bytes as an element, and the cells are the array already; elsewhere a cell takes
//! eight. Room for as many cells as the file seems to have is asked for at once; what nobody touches costs nothing.
//!
//! ```text
//! block 0: [1, 2] · block 1: [3]   →   01 00 … 02 00 … 03 00 …
//! ```

use crate::array::bytes::{AlignedBytes, OutOfMemory};

/// Bytes of a cell of which nothing is known.
pub(super) const MAX_CELL_BYTES: usize = 8;

/// Cells of a column.
#[derive(Debug)]
pub(super) struct Store {
    bytes: AlignedBytes,
    /// How many cells there are.
    len: usize,
    /// Bytes of a cell.
    size: usize,
}

impl Store {
    /// Room for `cells` cells of `size` bytes.
    pub(super) fn new(cells: usize, size: usize) -> Result<Store, OutOfMemory> {
        Ok(Store { bytes: AlignedBytes::zeroed(cells * size)?, len: 0, size })
    }

    /// Bytes of a cell.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    /// Puts cells where they belong. They may come in any order.
    pub(super) fn put(&mut self, at: usize, bits: &[u64]) -> Result<(), OutOfMemory> {
        let (from, to) = (at * self.size, (at + bits.len()) * self.size);
        if to > self.bytes.as_slice().len() {
            let (mut wider, used) = (AlignedBytes::zeroed(to.saturating_add(to / 2))?, self.len * self.size);
            wider.as_mut_slice()[..used].copy_from_slice(&self.bytes.as_slice()[..used]);
            self.bytes = wider;
        }
        let mut these = StoredCells { bytes: &mut self.bytes.as_mut_slice()[from..to], size: self.size };
        these.each(|index, _| bits[index]);
        self.len = self.len.max(at + bits.len());
        Ok(())
    }

    /// The bits of all cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = u64> {
        let cells = self.bytes.as_slice()[..self.len * self.size].chunks_exact(self.size);
        cells.map(|cell| {
            let mut bits = [0; MAX_CELL_BYTES];
            bits[..cell.len()].copy_from_slice(cell);
            u64::from_le_bytes(bits)
        })
    }

    /// `count` cells, from the one with the number `from` on.
    pub(super) fn between(&mut self, from: usize, count: usize) -> StoredCells<'_> {
        let size = self.size;
        StoredCells { bytes: &mut self.bytes.as_mut_slice()[from * size..(from + count) * size], size }
    }

    /// The first `size` bytes of each cell, one after the other.
    pub(super) fn bytes(self, size: usize) -> Result<AlignedBytes, OutOfMemory> {
        if size == self.size {
            return Ok(self.bytes.shorten(self.len * size));
        }
        let mut bytes = AlignedBytes::zeroed(self.len * size)?;
        let places = bytes.as_mut_slice().chunks_exact_mut(size).zip(self.cells());
        places.for_each(|(place, bits)| place.copy_from_slice(&bits.to_le_bytes()[..size]));
        Ok(bytes)
    }
}

/// Some cells of a column, to be changed.
pub(super) struct StoredCells<'s> {
    bytes: &'s mut [u8],
    size: usize,
}

impl StoredCells<'_> {
    /// Replaces each cell by what `other` makes of its number and its bits.
    pub(super) fn each(&mut self, other: impl FnMut(usize, u64) -> u64) {
        match self.size {
            1 => self.each_of::<1>(other),
            2 => self.each_of::<2>(other),
            4 => self.each_of::<4>(other),
            _ => self.each_of::<MAX_CELL_BYTES>(other),
        }
    }

    fn each_of<const SIZE: usize>(&mut self, mut other: impl FnMut(usize, u64) -> u64) {
        for (at, cell) in self.bytes.as_chunks_mut::<SIZE>().0.iter_mut().enumerate() {
            let mut bits = [0; MAX_CELL_BYTES];
            bits[..SIZE].copy_from_slice(cell);
            cell.copy_from_slice(&other(at, u64::from_le_bytes(bits)).to_le_bytes()[..SIZE]);
        }
    }

    /// Replaces the cell with the number `at`, if it is there.
    pub(super) fn set(&mut self, at: usize, bits: u64) {
        if let Some(cell) = self.bytes.chunks_exact_mut(self.size).nth(at) {
            cell.copy_from_slice(&bits.to_le_bytes()[..self.size]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_when_there_are_more_of_them_than_expected() {
        for size in [2, 4, 8] {
            let mut store = Store::new(1, size).unwrap();
            store.put(3, &(4..2000).collect::<Vec<u64>>()).unwrap();
            store.put(0, &[1, 2, 3]).unwrap();
            assert!(store.cells().eq(1..2000));
            store.between(1, 2).each(|at, bits| bits * 10 + at as u64);
            store.between(3, 2).set(1, 7);
            assert_eq!(store.cells().take(5).collect::<Vec<_>>(), [1, 20, 31, 4, 7]);
            assert_eq!(store.bytes(2).unwrap().as_slice()[..6], [1, 0, 20, 0, 31, 0]);
        }
    }
}
