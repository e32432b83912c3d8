//! The parts of a column, from all blocks, as one array.
//!
//! ```text
//! [1, 2] [3] → i64[3]   [1, 2] [2.5] → f64[3]   [A, B] [B] → codes 0 1 1 of A, B
//! ```

use super::cell::Resemblance;
use super::column::{BlockCells, ColumnKind, ColumnReading, WrongCell, common_kind, floating};
use super::loss::Loss;
use super::store::Store;
use crate::array::bytes::{AlignedBytes, OutOfMemory};
use crate::array::logical::Logical;
use crate::types::dtype::DType;
use std::collections::HashMap;

/// A column: its cells and what they are together.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) dtype: DType,
    pub(super) len: usize,
    cells: Store,
    /// How many values are missing.
    pub(super) gaps: usize,
    /// Whether missing values made floats of whole numbers.
    pub(super) floated: bool,
    /// Whether there is no value at all.
    pub(super) is_empty: bool,
    /// Of words that nobody asked for: which looks like something else.
    pub(super) odd: Option<CellRemark<Resemblance>>,
    /// The first cell of each kind that loses something.
    pub(super) losses: Vec<CellRemark<Loss>>,
    /// The line that may be meant as a row without a value.
    pub(super) blank: Option<usize>,
    pub(super) logical: Option<Logical>,
}

/// What is to be said of a cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct CellRemark<T> {
    /// Which part of the column it is in.
    pub(super) part: usize,
    /// Line ends before it there.
    pub(super) line: usize,
    pub(super) what: T,
}

/// A mistake in a column: in which part, and there.
pub(super) type Mistake = (usize, WrongCell);

/// What the parts of a column come to; the bits of all of its cells are then those of its dtype.
pub(super) fn join(
    mut parts: Vec<BlockCells>,
    mut cells: Store,
    wanted: ColumnReading,
    missing: Option<i64>,
) -> Result<Column, Mistake> {
    let mut kind = ColumnKind::Nothing;
    let mut gap = None;
    for (at, part) in parts.iter().enumerate() {
        let mixed = common_kind(kind, part.kind).is_none();
        // Cells that have no value have no code either.
        let lacks = part.kind == ColumnKind::Words && wanted == ColumnReading::Found && gap.is_some();
        // Both are in this part: what it meets first is what is wrong.
        let first = part.firsts.value.filter(|first| part.firsts.wrong.is_none_or(|it| first.record < it.record));
        if let Some(first) = first.filter(|_| mixed || lacks) {
            let words = part.kind == ColumnKind::Words;
            return Err((at, WrongCell { why: if words { kind.unlike_words() } else { first.why }, ..first }));
        }
        if let Some(wrong) = part.firsts.wrong {
            return Err((at, wrong));
        }
        gap = gap.or(part.gaps.first.map(|gap| (at, gap)));
        kind = common_kind(kind, part.kind).unwrap_or(kind);
    }
    let gaps = parts.iter().map(|part| part.gaps.count).sum();
    let len = parts.iter().map(|part| part.len).sum();
    let (dtype, logical) = match (kind, wanted, gap) {
        (ColumnKind::Flags, _, Some((at, gap))) => return Err((at, gap)),
        (ColumnKind::Flags, _, None) => (DType::Bool, None),
        (ColumnKind::Nothing | ColumnKind::Floats, ColumnReading::Found, _) => (DType::F64, None),
        (ColumnKind::Huge, ..) => {
            let huge = parts.iter().enumerate().find_map(|(at, part)| Some((at, part.firsts.huge?)));
            return Err(huge.expect("it is in some part"));
        }
        (ColumnKind::Whole, _, None) => (DType::I64, None),
        (ColumnKind::Whole, _, Some(_)) if missing.is_some() => (DType::I64, None),
        (ColumnKind::Whole, _, Some(_)) => (DType::F64, None),
        (ColumnKind::Words, ..) | (_, ColumnReading::Words, _) => {
            (DType::I32, Some(Logical::Words(words(&mut parts, &mut cells))))
        }
        (_, ColumnReading::Dates, _) => (DType::I64, Some(Logical::Date)),
        (_, ColumnReading::Times, _) => (DType::I64, Some(Logical::Time)),
        (_, ColumnReading::Elements(dtype), _) => (dtype, None),
        (ColumnKind::Declared, ColumnReading::Found, _) => (DType::F64, None),
    };
    let floated = kind == ColumnKind::Whole && dtype == DType::F64;
    let is_empty = kind == ColumnKind::Nothing && wanted == ColumnReading::Found && len > 0;
    let of_words = wanted == ColumnReading::Found && matches!(logical, Some(Logical::Words(_)));
    let odd = if of_words { odd(&parts) } else { None };
    let losses = losses(&parts, dtype);
    let mut first = 0;
    for part in &parts {
        let mut these = cells.between(first, part.kept);
        first += part.kept;
        match (part.kind, dtype) {
            (ColumnKind::Whole, DType::F64) => these.each(floating(&part.gaps.places)),
            (ColumnKind::Whole | ColumnKind::Nothing, DType::I64) => {
                part.gaps.places.iter().for_each(|&at| these.set(at, missing.unwrap_or_default() as u64));
            }
            _ => {}
        }
    }
    Ok(Column { dtype, len, cells, gaps, floated, is_empty, odd, losses, blank: None, logical })
}

/// What the numbers of a column lose. Whole numbers have all of their digits where they stay whole.
fn losses(parts: &[BlockCells], dtype: DType) -> Vec<CellRemark<Loss>> {
    let first = |loss: Loss| {
        let found = |(part, cells): (usize, &BlockCells)| {
            Some(CellRemark { part, line: cells.losses.first(loss)?, what: loss })
        };
        parts.iter().enumerate().find_map(found)
    };
    Loss::ALL.into_iter().filter(|&loss| loss != Loss::Digits || dtype.is_float()).filter_map(first).collect()
}

/// The first word that looks like something else; one that says that there is nothing only if there is no other.
fn odd(parts: &[BlockCells]) -> Option<CellRemark<Resemblance>> {
    let found =
        |(part, cells): (usize, &BlockCells)| cells.firsts.odd.map(|(line, what)| CellRemark { part, line, what });
    let all = || parts.iter().enumerate().filter_map(found);
    all().find(|it| it.what != Resemblance::Missing).or_else(|| all().next())
}

/// The words of all parts in the order in which they appear; the codes of each part become those among them. Those of
/// words that were known before are theirs already.
fn words(parts: &mut [BlockCells], cells: &mut Store) -> Vec<String> {
    let (mut all, mut places) = (Vec::new(), HashMap::new());
    let mut first = 0;
    for part in parts {
        let (known, own) = part.own_words();
        let codes: Vec<u64> = own
            .into_iter()
            .map(|word| match places.get(&word) {
                Some(&code) => code,
                None => {
                    let next = all.len() as u64;
                    places.insert(word.clone(), next);
                    all.push(word);
                    next
                }
            })
            .collect();
        let changed = !codes.iter().copied().eq(known as u64..(known + codes.len()) as u64);
        if changed {
            let mut these = cells.between(first, part.kept);
            these.each(|_, code| match (code as usize).checked_sub(known) {
                Some(own) => codes.get(own).copied().unwrap_or_default(),
                None => code,
            });
        }
        first += part.kept;
    }
    all
}

impl Column {
    /// Its elements, `step` elements apart from `first` on.
    pub(super) fn write(self, bytes: &mut [u8], first: usize, step: usize) {
        let size = self.dtype.size();
        let places = bytes.chunks_exact_mut(size).skip(first).step_by(step).zip(self.cells.cells());
        places.for_each(|(place, bits)| place.copy_from_slice(&bits.to_le_bytes()[..size]));
    }

    /// Its elements one after the other.
    pub(super) fn bytes(self) -> Result<AlignedBytes, OutOfMemory> {
        self.cells.bytes(self.dtype.size())
    }
}
