//! A column of a table, block by block, then as a whole.
//!
//! Blocks are read at the same time, so each learns by itself what its cells are; [`join`] says what the column is.
//! What nobody declared is `i64`, else `f64`, else `bool`, else words: a block of whole numbers becomes floats when
//! another one has a point. Words among numbers are a mistake, never a reason to read all of them as words.
//!
//! ```text
//! [1, 2] ∪ [2.5] → f64   [1] ∪ [true] → mixed   [AAPL] ∪ [MSFT] → words
//! ```

use super::cell::{self, CellFault, Resemblance};
use super::fields::Field;
use super::loss::{self, Loss, Losses};
use super::store::MAX_CELL_BYTES;
use super::words::{Dictionary, KnownWords};
use crate::array::calendar::{self, NoTime};
use crate::scalar::Scalar;
use crate::types::dtype::DType;

/// What a column is to be read as.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum ColumnReading {
    /// Whatever its cells are.
    #[default]
    Found,
    /// Elements of a dtype.
    Elements(DType),
    /// Days since 1970, `i64`.
    Dates,
    /// Microseconds since 1970, `i64`.
    Times,
    /// Codes of words, `i32`.
    Words,
}

/// What the cells of a column are, so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnKind {
    /// Missing values only.
    Nothing,
    /// Whole numbers that fit in `i64`.
    Whole,
    /// Whole numbers, one of which does not.
    Huge,
    Floats,
    Flags,
    Words,
    /// What was declared.
    Declared,
}

impl ColumnKind {
    /// What a word is in a column of this kind.
    pub(super) fn unlike_words(self) -> CellFault {
        if self == ColumnKind::Flags { CellFault::NoFlag } else { CellFault::NoNumber }
    }
}

/// What is wrong with a cell.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct WrongCell {
    /// Its record, counted from the first of the block.
    pub(super) record: usize,
    /// Line ends before it in the block.
    pub(super) line: usize,
    pub(super) why: CellFault,
}

/// What is asked of the cells of a column.
#[derive(Debug)]
struct CellRequest {
    wanted: ColumnReading,
    keep: bool,
    /// What stands for a missing value among integers.
    missing: Option<i64>,
}

/// The cells without a value.
#[derive(Debug, Default)]
pub(super) struct Gaps {
    /// How many there are in a column of which nothing is declared.
    pub(super) count: usize,
    /// Their numbers, where cells are kept; their bits are those of NaN until they are known to be integers.
    pub(super) places: Vec<usize>,
    /// Where the first one is.
    pub(super) first: Option<WrongCell>,
}

/// Where cells are met first that say something about the column.
#[derive(Debug, Default)]
pub(super) struct FirstCells {
    /// The first cell with a value.
    pub(super) value: Option<WrongCell>,
    /// The first whole number that does not fit in `i64`.
    pub(super) huge: Option<WrongCell>,
    /// The first word that looks like something else, and line ends before it. `None` only if there is no
    /// other.
    pub(super) odd: Option<(usize, Resemblance)>,
    /// The first mistake. Cells behind it are not looked at.
    pub(super) wrong: Option<WrongCell>,
}

/// The cells of one column in one block.
#[derive(Debug)]
pub(super) struct BlockCells {
    request: CellRequest,
    pub(super) kind: ColumnKind,
    pub(super) len: usize,
    /// Each cell that is kept as the bits of its kind: a code of `words`, of floats those of `f64`. They move to the
    /// column when the block is read.
    pub(super) bits: Vec<u64>,
    /// How many cells there were.
    pub(super) kept: usize,
    pub(super) gaps: Gaps,
    pub(super) firsts: FirstCells,
    /// Where its numbers lose something; digits of whole numbers only if they become floats.
    pub(super) losses: Losses,
    /// Its words.
    words: Dictionary,
}

impl BlockCells {
    /// A part without cells, which has room for them.
    pub(super) fn new(wanted: ColumnReading, keep: bool, missing: Option<i64>, room: Vec<u64>) -> BlockCells {
        let kind = if wanted == ColumnReading::Found { ColumnKind::Nothing } else { ColumnKind::Declared };
        // Words without their codes say nothing.
        let keep = keep || wanted == ColumnReading::Words;
        BlockCells {
            request: CellRequest { wanted, keep, missing },
            kind,
            len: 0,
            bits: room,
            kept: 0,
            gaps: Gaps::default(),
            firsts: FirstCells::default(),
            losses: Losses::default(),
            words: Dictionary::default(),
        }
    }

    /// Bytes of a cell, by all that can be known when the first block is read: blocks behind it decide what its numbers
    /// are, but not what is declared, or words.
    pub(super) fn size(&self) -> usize {
        match (self.request.wanted, self.kind) {
            (ColumnReading::Elements(dtype), _) => dtype.size().min(MAX_CELL_BYTES),
            (ColumnReading::Words, _) | (ColumnReading::Found, ColumnKind::Words) => DType::I32.size(),
            (ColumnReading::Found | ColumnReading::Dates | ColumnReading::Times, _) => MAX_CELL_BYTES,
        }
    }

    /// Gives back the room that no cell came for.
    pub(super) fn trim(&mut self) {
        self.kept = self.bits.len();
        self.gaps.places.shrink_to_fit();
        self.words.trim();
    }

    /// Gives the part the words that are known already: their codes are those of the column.
    pub(super) fn knowing(mut self, known: Option<KnownWords>) -> BlockCells {
        self.words = Dictionary::new(known);
        self
    }

    /// What later blocks should know of the words.
    pub(super) fn known(&self) -> Option<KnownWords> {
        (self.kind == ColumnKind::Words || self.request.wanted == ColumnReading::Words).then(|| self.words.known())
    }

    /// The words that only this part has, and how many were known before.
    pub(super) fn own_words(&mut self) -> (usize, Vec<String>) {
        self.words.take()
    }

    /// Bytes of memory that it holds, besides its cells.
    pub(super) fn held(&self) -> usize {
        self.gaps.places.capacity() * 8 + self.words.held()
    }

    /// Takes a cell; `line` counts line ends before it when that is needed.
    #[inline]
    pub(super) fn push(&mut self, field: Field<'_>, line: impl Fn() -> usize) {
        if self.firsts.wrong.is_some() {
            return;
        }
        match self.bits_of(field, &line) {
            Ok(bits) => {
                if self.request.keep {
                    self.bits.push(bits);
                }
                self.len += 1;
            }
            Err(why) => self.firsts.wrong = Some(WrongCell { record: self.len, line: line(), why }),
        }
    }

    #[inline]
    fn bits_of(&mut self, field: Field<'_>, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        let text = field.text;
        match (self.request.wanted, self.kind) {
            (ColumnReading::Found, ColumnKind::Whole) => match cell::plain(text) {
                Some(number) => Ok(number as u64),
                None => self.found(field, line),
            },
            (ColumnReading::Found, ColumnKind::Floats) => match cell::short(text) {
                Some(number) => Ok(number.to_bits()),
                None => self.long(field, line),
            },
            (ColumnReading::Found, ColumnKind::Flags) => match cell::flag(text) {
                Some(flag) => Ok(flag),
                None => self.found(field, line),
            },
            (ColumnReading::Elements(DType::F64), _) => match cell::short(text) {
                Some(number) => Ok(number.to_bits()),
                None => self.declared(field.bare(), DType::F64, line),
            },
            (ColumnReading::Elements(dtype), _) => self.declared(field.bare(), dtype, line),
            (ColumnReading::Words, _) => self.word(field, line),
            (ColumnReading::Dates | ColumnReading::Times, _) => self.moment(field.bare(), line),
            (ColumnReading::Found, _) => self.found(field, line),
        }
    }

    /// A cell of dates or times.
    fn moment(&mut self, text: &[u8], line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        if cell::is_missing(text) {
            return self.absent(DType::I64, line);
        }
        if self.request.wanted == ColumnReading::Dates {
            return calendar::date(text).map(|days| days as u64).ok_or_else(|| checked(text, CellFault::NoDate));
        }
        match calendar::time(text) {
            Ok(time) => Ok(time as u64),
            Err(NoTime::Finer) => Err(CellFault::Finer),
            Err(NoTime::Other) => Err(checked(text, CellFault::NoTime)),
        }
    }

    /// A cell of a declared dtype.
    #[inline(never)]
    fn declared(&mut self, text: &[u8], dtype: DType, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        match cell::number(text, dtype) {
            Ok(bits) => {
                if dtype.is_float() {
                    self.losses.note(loss::of_float(text, bits, dtype), line);
                }
                Ok(bits)
            }
            Err(_) if cell::is_missing(text) => self.absent(dtype, line),
            Err(why) => Err(checked(text, why)),
        }
    }

    /// A cell of a column of floats of which nothing is declared, that is no short number.
    #[inline(never)]
    fn long(&mut self, field: Field<'_>, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        match cell::any_float(field.bare()) {
            Some(number) => Ok(self.float(field.bare(), number, line)),
            None => self.found(field, line),
        }
    }

    /// The bits of a float that nobody declared.
    fn float(&mut self, text: &[u8], number: f64, line: &impl Fn() -> usize) -> u64 {
        self.losses.note(loss::has_leading_zero(text).then_some(Loss::Zeros), line);
        self.losses.note(loss::of_value(text, number), line);
        number.to_bits()
    }

    /// A missing value where the dtype is known.
    fn absent(&mut self, dtype: DType, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        self.gaps.first.get_or_insert_with(|| WrongCell { record: self.len, line: line(), why: CellFault::Missing });
        match (dtype, self.request.missing) {
            (dtype, _) if dtype.is_float() => Ok(Scalar::of_f64(dtype, f64::NAN).bits as u64),
            (DType::Bool, _) | (_, None) => Err(CellFault::Missing),
            (_, Some(instead)) => cell::number(instead.to_string().as_bytes(), dtype)
                .map_err(|why| if dtype.is_integer() { CellFault::Filler(instead, dtype) } else { why }),
        }
    }

    /// A cell of a column of which nothing is declared.
    fn found(&mut self, field: Field<'_>, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        let text = field.bare();
        let record = self.len;
        let here = |why| WrongCell { record, line: line(), why };
        if self.kind == ColumnKind::Words {
            return self.word(field, line);
        }
        if cell::is_missing(text) {
            self.gaps.first.get_or_insert_with(|| here(CellFault::Missing));
            self.gaps.count += 1;
            if self.request.keep {
                self.gaps.places.push(self.len);
            }
            return Ok(f64::NAN.to_bits());
        }
        self.firsts.value.get_or_insert_with(|| here(CellFault::Mixed));
        if let Some(flag) = cell::flag(text) {
            return self.becomes(ColumnKind::Flags).map(|()| flag);
        }
        let is_minus_zero = cell::is_minus_zero(text);
        if let Some(number) = cell::int(text).filter(|_| !is_minus_zero) {
            self.losses.note(loss::has_leading_zero(text).then_some(Loss::Zeros), line);
            self.losses.note((!loss::is_exact(number)).then_some(Loss::Digits), line);
            return match self.kind {
                ColumnKind::Huge | ColumnKind::Floats => Ok((number as f64).to_bits()),
                ColumnKind::Nothing
                | ColumnKind::Whole
                | ColumnKind::Flags
                | ColumnKind::Words
                | ColumnKind::Declared => self.becomes(ColumnKind::Whole).map(|()| number as u64),
            };
        }
        if let Some(number) = cell::float(text) {
            let is_whole = cell::is_whole(text) && !is_minus_zero;
            if is_whole {
                self.firsts.huge.get_or_insert_with(|| here(cell::unfit(text, DType::I64)));
            }
            self.becomes(if is_whole { ColumnKind::Huge } else { ColumnKind::Floats })?;
            return Ok(self.float(text, number, line));
        }
        if calendar::date(text).is_some() {
            return Err(CellFault::Date);
        }
        if calendar::time(text).is_ok() {
            return Err(CellFault::Time);
        }
        if self.kind != ColumnKind::Nothing {
            return Err(checked(text, self.kind.unlike_words()));
        }
        (self.kind, self.request.keep) = (ColumnKind::Words, true);
        // What said that nothing is there was a word, perhaps; which one is not known any more.
        if self.gaps.first.is_some() {
            return Err(checked(text, CellFault::NoNumber));
        }
        self.word(field, line)
    }

    /// Makes the part one of a kind that holds what it holds and the next cell.
    fn becomes(&mut self, next: ColumnKind) -> Result<(), CellFault> {
        let joint = common_kind(self.kind, next).ok_or(CellFault::Mixed)?;
        if self.kind == ColumnKind::Whole && matches!(joint, ColumnKind::Floats | ColumnKind::Huge) {
            let mut float = floating(&self.gaps.places);
            self.bits.iter_mut().enumerate().for_each(|(at, bits)| *bits = float(at, *bits));
        }
        self.kind = joint;
        Ok(())
    }

    #[inline]
    fn word(&mut self, field: Field<'_>, line: &impl Fn() -> usize) -> Result<u64, CellFault> {
        let before = self.words.own();
        let code = match field.quoted {
            false => self.words.code(field.text),
            true => self.words.code(&field.said()),
        };
        if self.words.own() > before && self.firsts.odd.is_none_or(|(_, odd)| odd == Resemblance::Missing) {
            self.note_odd(field.bare(), line);
        }
        code.map(u64::from).ok_or(CellFault::NoText)
    }

    /// A word that was not met before.
    #[inline(never)]
    fn note_odd(&mut self, text: &[u8], line: &impl Fn() -> usize) {
        match cell::odd(text) {
            Some(Resemblance::Missing) if self.firsts.odd.is_some() => {}
            Some(odd) => self.firsts.odd = Some((line(), odd)),
            None => {}
        }
    }
}

/// What makes whole numbers floats, one after the other: the same single rounding as reading each of them as one. Gaps
/// are NaN already.
pub(super) fn floating(gaps: &[usize]) -> impl FnMut(usize, u64) -> u64 {
    let mut gaps = gaps.iter().peekable();
    move |at, bits| match gaps.next_if_eq(&&at) {
        Some(_) => bits,
        None => (bits as i64 as f64).to_bits(),
    }
}

/// A cell that is not even text is told as such.
fn checked(text: &[u8], why: CellFault) -> CellFault {
    if std::str::from_utf8(text).is_ok() { why } else { CellFault::NoText }
}

/// The kind of a column that has cells of both kinds.
pub(super) fn common_kind(one: ColumnKind, other: ColumnKind) -> Option<ColumnKind> {
    match (one, other) {
        (ColumnKind::Nothing, kind) | (kind, ColumnKind::Nothing) => Some(kind),
        (one, other) if one == other => Some(one),
        (ColumnKind::Whole | ColumnKind::Huge, ColumnKind::Whole | ColumnKind::Huge) => Some(ColumnKind::Huge),
        (ColumnKind::Floats, ColumnKind::Whole | ColumnKind::Huge)
        | (ColumnKind::Whole | ColumnKind::Huge, ColumnKind::Floats) => Some(ColumnKind::Floats),
        (
            ColumnKind::Whole
            | ColumnKind::Huge
            | ColumnKind::Floats
            | ColumnKind::Flags
            | ColumnKind::Words
            | ColumnKind::Declared,
            _,
        ) => None,
    }
}
