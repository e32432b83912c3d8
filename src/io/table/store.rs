//! The cells of a column, each where the file has it.
//!
//! Each takes eight bytes until the dtype of the column is known: what a block reads is copied here while it is in the cache,
//! and a column of eight-byte elements is its array already. Room for as many cells as the file seems to have is asked for at
//! once; what nobody touches costs nothing.
//!
//! ```text
//! block 0: [1, 2] · block 1: [3]   →   01 00 … 02 00 … 03 00 …
//! ```

use crate::array::bytes::{AlignedBytes, OutOfMemory};

/// Bytes of a cell.
const CELL: usize = 8;

/// Cells of a column.
#[derive(Debug)]
pub(super) struct Store {
    bytes: AlignedBytes,
    /// How many cells there are.
    len: usize,
}

impl Store {
    /// Room for so many cells.
    pub(super) fn new(cells: usize) -> Result<Store, OutOfMemory> {
        Ok(Store { bytes: AlignedBytes::zeroed(cells * CELL)?, len: 0 })
    }

    /// Puts cells where they belong, whatever comes first.
    pub(super) fn put(&mut self, at: usize, bits: &[u64]) -> Result<(), OutOfMemory> {
        let (from, to) = (at * CELL, (at + bits.len()) * CELL);
        if to > self.bytes.as_slice().len() {
            let (mut wider, used) = (AlignedBytes::zeroed(to.saturating_add(to / 2))?, self.len * CELL);
            wider.as_mut_slice()[..used].copy_from_slice(&self.bytes.as_slice()[..used]);
            self.bytes = wider;
        }
        let cells = self.bytes.as_mut_slice()[from..to].as_chunks_mut::<CELL>().0;
        cells.iter_mut().zip(bits).for_each(|(cell, bits)| *cell = bits.to_ne_bytes());
        self.len = self.len.max(at + bits.len());
        Ok(())
    }

    /// The cells.
    pub(super) fn cells(&self) -> impl Iterator<Item = u64> {
        self.bytes.as_slice()[..self.len * CELL].as_chunks::<CELL>().0.iter().map(|cell| u64::from_ne_bytes(*cell))
    }

    /// The cells from one on, so many.
    pub(super) fn between(&mut self, from: usize, count: usize) -> StoredCells<'_> {
        StoredCells(self.bytes.as_mut_slice()[from * CELL..(from + count) * CELL].as_chunks_mut::<CELL>().0)
    }

    /// Their first `size` bytes, one after the other.
    pub(super) fn bytes(self, size: usize) -> Result<AlignedBytes, OutOfMemory> {
        if size == CELL {
            return Ok(self.bytes.shortened(self.len * CELL));
        }
        let mut bytes = AlignedBytes::zeroed(self.len * size)?;
        let places = bytes.as_mut_slice().chunks_exact_mut(size).zip(self.cells());
        places.for_each(|(place, bits)| place.copy_from_slice(&bits.to_le_bytes()[..size]));
        Ok(bytes)
    }
}

/// Some cells of a column, to be changed.
pub(super) struct StoredCells<'s>(&'s mut [[u8; CELL]]);

impl StoredCells<'_> {
    /// Makes each of them another.
    pub(super) fn each(&mut self, mut other: impl FnMut(usize, u64) -> u64) {
        for (at, cell) in self.0.iter_mut().enumerate() {
            *cell = other(at, u64::from_ne_bytes(*cell)).to_ne_bytes();
        }
    }

    /// Makes one of them another, if it is there.
    pub(super) fn set(&mut self, at: usize, bits: u64) {
        if let Some(cell) = self.0.get_mut(at) {
            *cell = bits.to_ne_bytes();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_stay_when_there_are_more_of_them_than_expected() {
        let mut store = Store::new(1).unwrap();
        store.put(3, &(4..2000).collect::<Vec<u64>>()).unwrap();
        store.put(0, &[1, 2, 3]).unwrap();
        assert!(store.cells().eq(1..2000));
        store.between(1, 2).each(|at, bits| bits * 10 + at as u64);
        assert_eq!(store.cells().take(4).collect::<Vec<_>>(), [1, 20, 31, 4]);
        assert_eq!(store.bytes(1).unwrap().as_slice()[..4], [1, 20, 31, 4]);
    }
}
