//! Elements of several tables by the same numbers.
//!
//! AVX2 picks lanes of four bytes from one vector of eight. A table of sixteen `f64` takes four vectors and choices
//! among them, and every table as much again. Some functions ask several tables for the element of the same number, as
//! for the coefficients of a piece. There it is better to keep what stands side by side in a row of memory: each lane
//! loads its row, and the rows' columns are the elements.

use super::super::lower::Lowering;
use super::super::rows::{self, avx2};
use super::super::steps::{Instruction, InstructionForm, Reg, RegClass};
use crate::exec::jit::lower::{VectorBody, VectorOp, Virtual};
use crate::types::DType;

/// Bytes of a part of a row: two loads bring as many into one vector.
const PART: usize = avx2::HALF;

/// The steps of a body that ask tables for the same element, and the tables.
pub(in super::super) struct TableLookups<'t> {
    from: u8,
    number: Virtual,
    pub(in super::super) places: Vec<usize>,
    tables: Vec<&'t [u64]>,
}

impl<'t> TableLookups<'t> {
    /// The steps that ask for the same element as the step at a place.
    pub(in super::super) fn of(source: &'t VectorBody, place: usize) -> Option<TableLookups<'t>> {
        let step = source.steps[place];
        let (VectorOp::Lookup(from, table), Some(number)) = (step.op, step.operands[0]) else { return None };
        let entries = source.tables[table].1.len();
        let mut asked = TableLookups { from, number, places: Vec::new(), tables: Vec::new() };
        for (place, step) in source.steps.iter().enumerate() {
            if let (VectorOp::Lookup(of, table), Some(at)) = (step.op, step.operands[0])
                && (of, at, source.tables[table].1.len()) == (from, number, entries)
            {
                asked.places.push(place);
                asked.tables.push(&source.tables[table].1);
            }
        }
        Some(asked)
    }

    pub(in super::super) fn number(&self) -> Virtual {
        self.number
    }
}

impl Lowering<'_> {
    /// The elements of all tables; `None` where each by itself is as good.
    pub(in super::super) fn look_up_rows(&mut self, asked: &TableLookups, dtype: DType, x: Reg) -> Option<Vec<Reg>> {
        let bytes = dtype.size();
        let lanes = self.target.bytes() / bytes;
        let entries = asked.tables[0].len();
        let parts = (asked.tables.len() * bytes).div_ceil(PART);
        // Elements are picked from each vector of a table, and chosen from; or each lane's row is loaded, part by part.
        let picks = asked.tables.len() * (2 * entries.div_ceil(lanes) - 1);
        if self.target.has_masks() || self.body.chunk != lanes || picks <= lanes * (1 + 2 * parts) {
            return None;
        }
        let distances = self.distances(asked.from, bytes, x, entries, (parts * PART).next_power_of_two());
        let table = self.rows_of(&asked.tables, bytes, (parts * PART).next_power_of_two());
        let (moving, whole) = (self.target.moving(4), self.target.whole());
        let upper = self.shorten(avx2::EXTRACT, whole, distances, Some(1));
        let mut pairs = vec![Vec::new(); parts];
        for lane in 0..lanes / 2 {
            for (part, pairs) in pairs.iter_mut().enumerate() {
                // Of this lane, and of the one half a vector further.
                let form = InstructionForm::Rows { table, word: (lane * bytes / 4) as u8, part };
                let step = Instruction { form, first: Some(distances), ..self.blank(moving, whole, upper) };
                pairs.push(self.step(RegClass::Vector, step));
            }
        }
        let mut columns: Vec<Reg> = pairs.iter().flat_map(|pairs| self.columns(bytes, pairs)).collect();
        columns.truncate(asked.tables.len());
        Some(columns)
    }

    /// How far the rows are from the table's beginning.
    fn distances(&mut self, first: u8, bytes: usize, x: Reg, entries: usize, size: usize) -> Reg {
        let scale = size.trailing_zeros() as u8;
        let moved = match first >= scale {
            true => self.shift_right(bytes, x, first - scale),
            false => self.shift_left(bytes, x, scale - first),
        };
        let mask = self.constant(bytes, ((entries - 1) * size) as u128);
        self.binary(rows::AND, self.length(bytes), moved, mask)
    }

    /// The table with a row for each entry.
    fn rows_of(&mut self, tables: &[&[u64]], bytes: usize, size: usize) -> usize {
        let mut memory = vec![0; tables[0].len() * size];
        for (column, table) in tables.iter().enumerate() {
            for (row, bits) in memory.chunks_exact_mut(size).zip(*table) {
                row[column * bytes..][..bytes].copy_from_slice(&bits.to_le_bytes()[..bytes]);
            }
        }
        self.body.tables.iter().position(|known| *known == memory).unwrap_or_else(|| {
            self.body.tables.push(memory);
            self.body.tables.len() - 1
        })
    }

    /// The columns of rows, two of which are in each vector.
    fn columns(&mut self, bytes: usize, pairs: &[Reg]) -> Vec<Reg> {
        match *pairs {
            [a, b] => self.unpack(bytes, a, b).to_vec(),
            [a, b, c, d] => {
                let (one, other) = (self.unpack(bytes, a, b), self.unpack(bytes, c, d));
                let whole = self.target.whole();
                let mut columns = Vec::new();
                for (one, other) in one.into_iter().zip(other) {
                    // The first two of each, then the last two.
                    columns.extend([0x44, 0xee].map(|which| self.shuffle(4, whole, [one, other], which)));
                }
                columns
            }
            _ => unreachable!("a vector has four lanes or eight"),
        }
    }

    /// The lower lanes of two vectors in turns, and the upper ones.
    pub(super) fn unpack(&mut self, bytes: usize, a: Reg, b: Reg) -> [Reg; 2] {
        let length = self.length(bytes);
        [avx2::UNPACK_LOW, avx2::UNPACK_HIGH].map(|rows| self.binary(rows::float(rows, bytes), length, a, b))
    }
}
