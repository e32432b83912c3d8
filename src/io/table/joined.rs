//! The parts of a column, from all blocks, as one array.
//!
//! ```text
//! [1, 2] [3] → i64[3]   [1, 2] [2.5] → f64[3]   [A, B] [B] → codes 0 1 1 of A, B
//! ```

use super::cell::Why;
use super::column::{As, Kind, Part, Wrong, joined};
use crate::array::bytes::{AlignedBytes, OutOfMemory};
use crate::array::logical::Logical;
use crate::types::dtype::DType;
use std::collections::HashMap;

/// A column: its parts and what they are together.
#[derive(Debug)]
pub(super) struct Column {
    pub(super) dtype: DType,
    pub(super) len: usize,
    pub(super) parts: Vec<Part>,
    /// How many values are missing.
    pub(super) gaps: usize,
    /// Whether missing values made floats of whole numbers.
    pub(super) floated: bool,
    pub(super) logical: Option<Logical>,
}

/// A mistake in a column: in which part, and there.
pub(super) type Mistake = (usize, Wrong);

/// What the parts of a column come to; the bits of all of them are then those of its dtype.
pub(super) fn join(mut parts: Vec<Part>, wanted: As, missing: Option<i64>) -> Result<Column, Mistake> {
    let mut kind = Kind::Nothing;
    let mut gap = None;
    for (at, part) in parts.iter().enumerate() {
        let mixed = joined(kind, part.kind).is_none();
        // Both are in this part: what it meets first is what is wrong.
        if let Some(first) = part.first.filter(|first| mixed && part.wrong.is_none_or(|it| first.record < it.record)) {
            return Err((at, first));
        }
        if let Some(wrong) = part.wrong {
            return Err((at, wrong));
        }
        gap = gap.or(part.gap.map(|gap| (at, gap)));
        kind = joined(kind, part.kind).unwrap_or(kind);
    }
    let gaps = parts.iter().map(|part| part.gaps.len()).sum();
    let len = parts.iter().map(|part| part.len).sum();
    let (dtype, logical) = match (kind, wanted, gap) {
        (Kind::Flags, _, Some((at, gap))) => return Err((at, gap)),
        (Kind::Flags, _, None) => (DType::Bool, None),
        (Kind::Nothing | Kind::Floats, As::Found, _) => (DType::F64, None),
        (Kind::Huge, ..) => {
            let at = parts.iter().position(|part| part.kind == Kind::Huge).unwrap_or_default();
            let first = parts[at].first.unwrap_or(Wrong { record: 0, line: 0, why: Why::Mixed });
            return Err((at, Wrong { why: Why::Unfit(DType::I64), ..first }));
        }
        (Kind::Whole, _, None) => (DType::I64, None),
        (Kind::Whole, _, Some(_)) if missing.is_some() => (DType::I64, None),
        (Kind::Whole, _, Some(_)) => (DType::F64, None),
        (Kind::Words, ..) | (_, As::Words, _) => (DType::I32, Some(Logical::Words(words(&mut parts)))),
        (_, As::Dates, _) => (DType::I64, Some(Logical::Date)),
        (_, As::Times, _) => (DType::I64, Some(Logical::Time)),
        (_, As::Elements(dtype), _) => (dtype, None),
        (Kind::Declared, As::Found, _) => (DType::F64, None),
    };
    let floated = kind == Kind::Whole && dtype == DType::F64;
    for part in &mut parts {
        match (part.kind, dtype) {
            (Kind::Whole, DType::F64) => part.float(),
            (Kind::Whole | Kind::Nothing, DType::I64) => {
                for &at in &part.gaps {
                    if let Some(bits) = part.bits.get_mut(at) {
                        *bits = missing.unwrap_or_default() as u64;
                    }
                }
            }
            _ => {}
        }
    }
    Ok(Column { dtype, len, parts, gaps, floated, logical })
}

/// The words of all parts in the order in which they appear, and the codes of each part among them.
fn words(parts: &mut [Part]) -> Vec<String> {
    let (mut all, mut known) = (Vec::new(), HashMap::new());
    for part in parts {
        let mut codes = Vec::with_capacity(part.words.len());
        for word in std::mem::take(&mut part.words) {
            let next = all.len() as u64;
            let code = *known.entry(word.clone()).or_insert_with(|| {
                all.push(word);
                next
            });
            codes.push(code);
        }
        part.bits.iter_mut().for_each(|bits| *bits = codes.get(*bits as usize).copied().unwrap_or_default());
    }
    all
}

impl Column {
    /// Its elements, `step` elements apart from `first` on; each part goes when it is copied, so that they are there
    /// once only.
    pub(super) fn write(self, bytes: &mut [u8], first: usize, step: usize) {
        let size = self.dtype.size();
        let mut places = bytes.chunks_exact_mut(size).skip(first).step_by(step);
        for part in self.parts {
            for (bits, place) in part.bits.iter().zip(&mut places) {
                place.copy_from_slice(&bits.to_le_bytes()[..size]);
            }
        }
    }

    /// Its elements one after the other.
    pub(super) fn bytes(self) -> Result<AlignedBytes, OutOfMemory> {
        let size = self.dtype.size();
        let mut bytes = AlignedBytes::zeroed(self.len * size)?;
        let mut rest = bytes.as_mut_slice();
        for part in self.parts {
            let (these, others) = rest.split_at_mut(part.bits.len() * size);
            rest = others;
            match size {
                8 => {
                    these.as_chunks_mut::<8>().0.iter_mut().zip(&part.bits).for_each(|(at, it)| *at = it.to_le_bytes())
                }
                _ => {
                    let places = these.chunks_exact_mut(size).zip(&part.bits);
                    places.for_each(|(place, bits)| place.copy_from_slice(&bits.to_le_bytes()[..size]));
                }
            }
        }
        Ok(bytes)
    }
}
