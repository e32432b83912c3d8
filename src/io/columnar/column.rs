//! A column as it is gathered from the parts that a library reads.

use super::{bad, named};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::array::logical::Logical;
use crate::diagnostic::codes::running;
use crate::io::ReadOptions;
use crate::io::error::{IoError, printable_path};
use crate::io::stopped::stop_error;
use crate::io::table::ColumnReading;
use crate::types::dtype::{DType, Kind};
use arrow_array::cast::AsArray;
use arrow_array::types::{Decimal32Type, Decimal64Type, Decimal128Type, Decimal256Type};
use arrow_array::{Array as _, ArrayRef};
use arrow_schema::{DataType, TimeUnit};
use std::collections::HashMap;
use std::path::Path;
use std::sync::atomic::Ordering;

/// What the cells of a column are, and how they become elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CellDecoder {
    /// Numbers, as they lie.
    Plain(DType),
    /// Truth values, a bit each.
    Bits,
    /// Days.
    Days,
    /// Moments. `finer` of the file's units are one of ours, or `coarser` of ours are one of the file's.
    Moments { finer: i64, coarser: i64 },
    /// Milliseconds of whole days.
    DaysInMilliseconds,
    /// Numbers of ten's powers.
    Decimals,
    /// Texts.
    Words,
    /// Nothing but missing values.
    Nothing,
}

/// A column.
#[derive(Debug)]
pub(super) struct ArrowColumn {
    name: String,
    cells: CellDecoder,
    wanted: ColumnReading,
    missing: Option<i64>,
    /// The dtype of the elements in `bytes`.
    dtype: DType,
    bytes: Vec<u8>,
    len: usize,
    gaps: Vec<usize>,
    words: Vec<String>,
    codes: HashMap<String, i32>,
    /// Whether missing values made floats of whole numbers.
    floated: bool,
}

/// A number that the dtype holds and that is seldom meant.
fn stand_in(dtype: DType) -> i64 {
    if dtype.kind() == Kind::Unsigned { 0 } else { -1 }
}

/// What to write where a column lacks a value and what is wanted has none that says so.
fn instead_of_nothing(wanted: ColumnReading, dtype: DType) -> String {
    match wanted {
        ColumnReading::Dates => "`--missing=0` puts a day in its place, counted from 1970".to_owned(),
        ColumnReading::Times => "`--missing=0` puts a time in its place, in microseconds since 1970".to_owned(),
        ColumnReading::Found | ColumnReading::Elements(_) | ColumnReading::Words => {
            format!("`f64` holds NaN there; `--missing={}` puts a number in its place", stand_in(dtype))
        }
    }
}

impl ArrowColumn {
    /// A column of which no part is there yet.
    ///
    /// # Errors
    /// When its cells are nothing that an array holds.
    pub(super) fn new(
        name: &str,
        kind: &DataType,
        wanted: ColumnReading,
        missing: Option<i64>,
        path: &Path,
    ) -> Result<ArrowColumn, IoError> {
        let unsupported = |what: &str| {
            let what = format!("holds {what} in column {}: not supported", named(name));
            IoError::data(&running::UNSUPPORTED_FILE_DTYPE, path, what)
        };
        let (cells, dtype) = cells(kind).ok_or_else(|| unsupported(&described(kind)))?;
        if wanted == ColumnReading::Words && cells != CellDecoder::Words {
            let what = format!("has no words in column {}", named(name));
            return Err(bad(path, what));
        }
        let (name, bytes, gaps) = (name.to_owned(), Vec::new(), Vec::new());
        let (words, codes) = (Vec::new(), HashMap::new());
        Ok(ArrowColumn { name, cells, wanted, missing, dtype, bytes, len: 0, gaps, words, codes, floated: false })
    }

    pub(super) fn dtype(&self) -> DType {
        self.dtype
    }

    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Adds a part.
    ///
    /// # Errors
    /// When a cell does not fit, memory is refused, or reading should stop.
    pub(super) fn push(
        &mut self,
        part: &dyn arrow_array::Array,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<(), IoError> {
        if options.stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            return Err(IoError::reading(path, &stop_error()));
        }
        let size = self.dtype.size();
        options.afford(path, (self.len + part.len()).saturating_mul(size))?;
        let more = part.len() * size;
        let no_memory = |_| IoError::memory(path, crate::array::bytes::OutOfMemory { bytes: more });
        self.bytes.try_reserve(more).map_err(no_memory)?;
        if let Some(nulls) = part.logical_nulls() {
            let first = self.len;
            self.gaps.extend((0..part.len()).filter(|&at| nulls.is_null(at)).map(|at| first + at));
        }
        match self.cells {
            CellDecoder::Plain(_) => self.plain(part),
            CellDecoder::Bits => self.bytes.extend(part.as_boolean().values().iter().map(u8::from)),
            CellDecoder::Days | CellDecoder::DaysInMilliseconds | CellDecoder::Moments { .. } => {
                self.times(part, path)?
            }
            CellDecoder::Decimals => self.decimals(part),
            CellDecoder::Words => self.texts(part),
            CellDecoder::Nothing => self.bytes.resize(self.bytes.len() + more, 0),
        }
        self.len += part.len();
        if self.bytes.len() == self.len * size { Ok(()) } else { Err(bad(path, "is damaged")) }
    }

    fn plain(&mut self, part: &dyn arrow_array::Array) {
        let (data, size) = (part.to_data(), self.dtype.size());
        let bytes = data.buffers().first().map_or(&[][..], |buffer| buffer.as_slice());
        self.bytes.extend(bytes.iter().skip(data.offset() * size).take(data.len() * size));
    }

    fn times(&mut self, part: &dyn arrow_array::Array, path: &Path) -> Result<(), IoError> {
        let (data, nulls) = (part.to_data(), part.logical_nulls());
        let narrow = self.cells == CellDecoder::Days;
        let size = if narrow { 4 } else { 8 };
        let bytes = data.buffers().first().map_or(&[][..], |buffer| buffer.as_slice());
        let each = bytes.chunks_exact(size).skip(data.offset()).take(data.len()).enumerate();
        for (at, cell) in each {
            let number = match cell.try_into() {
                Ok(cell) => i64::from_le_bytes(cell),
                Err(_) => i64::from(i32::from_le_bytes([cell[0], cell[1], cell[2], cell[3]])),
            };
            let there = nulls.as_ref().is_none_or(|nulls| nulls.is_valid(at));
            let made = match self.cells {
                _ if !there => Some(0),
                CellDecoder::Moments { finer, coarser } => {
                    (number % finer == 0).then(|| (number / finer).checked_mul(coarser)).flatten()
                }
                CellDecoder::DaysInMilliseconds => (number % 86_400_000 == 0).then_some(number / 86_400_000),
                _ => Some(number),
            };
            let Some(made) = made else {
                let what = format!(
                    "has a moment in row {}, column {} that is no count of microseconds",
                    self.len + at + 1,
                    named(&self.name)
                );
                return Err(bad(path, what).help("`time` counts microseconds since 1970"));
            };
            self.bytes.extend(made.to_ne_bytes());
        }
        Ok(())
    }

    fn decimals(&mut self, part: &dyn arrow_array::Array) {
        let text = |at: usize| match part.data_type() {
            DataType::Decimal32(..) => part.as_primitive::<Decimal32Type>().value_as_string(at),
            DataType::Decimal64(..) => part.as_primitive::<Decimal64Type>().value_as_string(at),
            DataType::Decimal128(..) => part.as_primitive::<Decimal128Type>().value_as_string(at),
            _ => part.as_primitive::<Decimal256Type>().value_as_string(at),
        };
        for at in 0..part.len() {
            let value = if part.is_null(at) { 0.0 } else { text(at).parse().unwrap_or(f64::NAN) };
            self.bytes.extend(f64::to_ne_bytes(value));
        }
    }

    /// Codes of texts; a missing one is the empty word, as in tables of text.
    fn texts(&mut self, part: &dyn arrow_array::Array) {
        if let Some(dictionary) = part.as_any_dictionary_opt() {
            let values = dictionary.values();
            let keys = if dictionary.is_empty() { Vec::new() } else { dictionary.normalized_keys() };
            let mut known: Vec<Option<i32>> = vec![None; values.len()];
            for (at, key) in keys.into_iter().enumerate() {
                let code = match known.get(key).copied().flatten().filter(|_| !part.is_null(at)) {
                    Some(code) => code,
                    None if part.is_null(at) => self.code(""),
                    None => {
                        let code = self.code(text(values, key));
                        known[key] = Some(code);
                        code
                    }
                };
                self.bytes.extend(code.to_ne_bytes());
            }
            return;
        }
        let part = part.slice(0, part.len());
        for at in 0..part.len() {
            let code = self.code(if part.is_null(at) { "" } else { text(&part, at) });
            self.bytes.extend(code.to_ne_bytes());
        }
    }

    fn code(&mut self, word: &str) -> i32 {
        if let Some(&code) = self.codes.get(word) {
            return code;
        }
        let code = self.words.len() as i32;
        self.words.push(word.to_owned());
        self.codes.insert(word.to_owned(), code);
        code
    }

    /// All parts are there: missing values become what stands for them.
    ///
    /// # Errors
    /// When nothing does.
    pub(super) fn finish(mut self, path: &Path) -> Result<ArrowColumn, IoError> {
        if self.gaps.is_empty() || self.cells == CellDecoder::Words {
            return Ok(self);
        }
        let declared = matches!(self.wanted, ColumnReading::Elements(dtype) if dtype.kind() != Kind::Float);
        match (self.dtype.kind(), self.missing) {
            (Kind::Float, _) => self.fill(nan(self.dtype)),
            (Kind::Signed | Kind::Unsigned, Some(number)) => {
                let fits = fits(number, self.dtype).ok_or_else(|| {
                    let what =
                        format!("lacks values in column {}, and {number} is no {}", named(&self.name), self.dtype);
                    bad(path, what).help("`--missing` says what stands for them")
                })?;
                self.fill(&fits);
            }
            (Kind::Signed | Kind::Unsigned, None) if !declared && matches!(self.cells, CellDecoder::Plain(_)) => {
                let floats = self.floats(path)?;
                self.bytes = floats.into_iter().flat_map(f64::to_ne_bytes).collect();
                (self.dtype, self.floated) = (DType::F64, true);
            }
            _ => {
                let row = self.gaps[0] + 1;
                let error = bad(path, format!("has a missing value in row {row}, column {}", named(&self.name)));
                return Err(if self.dtype == DType::Bool {
                    error.help("`bool` has no value that stands for it")
                } else {
                    error.help(instead_of_nothing(self.wanted, self.dtype))
                });
            }
        }
        Ok(self)
    }

    fn fill(&mut self, with: &[u8]) {
        let size = self.dtype.size();
        for &at in &self.gaps {
            self.bytes[at * size..][..size].copy_from_slice(&with[..size]);
        }
    }

    /// Its elements as floats, NaN where one is missing.
    ///
    /// # Errors
    /// When a whole number has no float, or elements are no numbers.
    pub(super) fn floats(&self, path: &Path) -> Result<Vec<f64>, IoError> {
        if matches!(self.cells, CellDecoder::Words | CellDecoder::Bits) {
            return Err(bad(path, format!("has no numbers in column {}", named(&self.name))));
        }
        let elements = Array::from_bytes(self.dtype, vec![self.len], self.aligned(path)?);
        let mut gaps = self.gaps.iter().peekable();
        (0..self.len)
            .map(|at| {
                if gaps.next_if_eq(&&at).is_some() && !self.floated && self.missing.is_none() {
                    return Ok(f64::NAN);
                }
                exact(self.dtype, elements.get(at).bits as u64).ok_or_else(|| {
                    let what =
                        format!("has a number in row {}, column {} that f64 does not hold", at + 1, named(&self.name));
                    let number = stand_in(self.dtype);
                    bad(path, what)
                        .help(format!("`--missing={number}` stands in the place of missing ones, and keeps integers"))
                })
            })
            .collect()
    }

    fn aligned(&self, path: &Path) -> Result<AlignedBytes, IoError> {
        let mut bytes = AlignedBytes::zeroed(self.bytes.len()).map_err(|error| IoError::memory(path, error))?;
        bytes.as_mut_slice().copy_from_slice(&self.bytes);
        Ok(bytes)
    }

    /// What the user should know.
    pub(super) fn note(&self, path: &Path) -> Option<String> {
        let count = self.gaps.len();
        let values = if count == 1 { "value" } else { "values" };
        let (name, path) = (named(&self.name), printable_path(path));
        self.floated.then(|| {
            format!("column {name} of `{path}` lacks {count} {values} and is read as f64, with NaN there; `--missing=-1` keeps its integers")
        })
    }

    /// The array.
    ///
    /// # Errors
    /// When there is no memory.
    pub(super) fn array(self, path: &Path) -> Result<Array, IoError> {
        let array = Array::from_bytes(self.dtype, vec![self.len], self.aligned(path)?);
        Ok(match self.cells {
            CellDecoder::Words => array.with_logical(Logical::Words(self.words)),
            CellDecoder::Days | CellDecoder::DaysInMilliseconds => array.with_logical(Logical::Date),
            CellDecoder::Moments { .. } => array.with_logical(Logical::Time),
            _ => array,
        })
    }
}

/// What cells of a type are, and the dtype of their elements.
fn cells(kind: &DataType) -> Option<(CellDecoder, DType)> {
    let plain = |dtype| Some((CellDecoder::Plain(dtype), dtype));
    let moments = |finer, coarser| Some((CellDecoder::Moments { finer, coarser }, DType::I64));
    match kind {
        DataType::Boolean => Some((CellDecoder::Bits, DType::Bool)),
        DataType::Int8 => plain(DType::I8),
        DataType::Int16 => plain(DType::I16),
        DataType::Int32 => plain(DType::I32),
        DataType::Int64 => plain(DType::I64),
        DataType::UInt8 => plain(DType::U8),
        DataType::UInt16 => plain(DType::U16),
        DataType::UInt32 => plain(DType::U32),
        DataType::UInt64 => plain(DType::U64),
        DataType::Float16 => plain(DType::F16),
        DataType::Float32 => plain(DType::F32),
        DataType::Float64 => plain(DType::F64),
        DataType::Date32 => Some((CellDecoder::Days, DType::I64)),
        DataType::Date64 => Some((CellDecoder::DaysInMilliseconds, DType::I64)),
        DataType::Timestamp(TimeUnit::Second, _) => moments(1, 1_000_000),
        DataType::Timestamp(TimeUnit::Millisecond, _) => moments(1, 1000),
        DataType::Timestamp(TimeUnit::Microsecond, _) => moments(1, 1),
        DataType::Timestamp(TimeUnit::Nanosecond, _) => moments(1000, 1),
        DataType::Decimal32(..) | DataType::Decimal64(..) | DataType::Decimal128(..) | DataType::Decimal256(..) => {
            Some((CellDecoder::Decimals, DType::F64))
        }
        DataType::Utf8 | DataType::LargeUtf8 | DataType::Utf8View => Some((CellDecoder::Words, DType::I32)),
        DataType::Dictionary(_, words) => cells(words).filter(|(cells, _)| *cells == CellDecoder::Words),
        DataType::Null => Some((CellDecoder::Nothing, DType::F64)),
        _ => None,
    }
}

/// A type that no array holds, in words.
fn described(kind: &DataType) -> String {
    match kind {
        DataType::List(_) | DataType::LargeList(_) | DataType::FixedSizeList(..) | DataType::ListView(_) => {
            "lists".into()
        }
        DataType::Struct(_) => "structs".into(),
        DataType::Map(..) => "maps".into(),
        DataType::Binary | DataType::LargeBinary | DataType::FixedSizeBinary(_) | DataType::BinaryView => {
            "bytes".into()
        }
        DataType::Time32(_) | DataType::Time64(_) => "times of a day".into(),
        DataType::Duration(_) | DataType::Interval(_) => "spans of time".into(),
        DataType::Dictionary(..) => "a dictionary of something else than words".into(),
        _ => "elements of another kind".into(),
    }
}

/// A text of an array of texts.
fn text(texts: &ArrayRef, at: usize) -> &str {
    match texts.data_type() {
        DataType::Utf8 => texts.as_string::<i32>().value(at),
        DataType::LargeUtf8 => texts.as_string::<i64>().value(at),
        _ => texts.as_string_view().value(at),
    }
}

/// The float that an element is; `None` for a whole number that has none.
fn exact(dtype: DType, bits: u64) -> Option<f64> {
    let unused = 64 - 8 * dtype.size().min(8) as u32;
    let whole = match (dtype, dtype.kind()) {
        (DType::F16, _) => return Some(half::f16::from_bits(bits as u16).to_f64()),
        (DType::F32, _) => return Some(f64::from(f32::from_bits(bits as u32))),
        (_, Kind::Float) => return Some(f64::from_bits(bits)),
        (_, Kind::Signed) => i128::from((bits << unused) as i64 >> unused),
        _ => i128::from(bits),
    };
    (whole as f64 as i128 == whole).then_some(whole as f64)
}

/// NaN of a dtype, in its first bytes.
fn nan(dtype: DType) -> &'static [u8] {
    match dtype {
        DType::F16 => &[0, 0x7e],
        DType::F32 => &[0, 0, 0xc0, 0x7f],
        _ => &[0, 0, 0, 0, 0, 0, 0xf8, 0x7f],
    }
}

/// A number as an integer of a dtype, in its first bytes.
fn fits(number: i64, dtype: DType) -> Option<[u8; 8]> {
    let bits = 8 * dtype.size() as u32;
    let (least, most) = match dtype.kind() {
        Kind::Unsigned => (0, if bits == 64 { i128::from(u64::MAX) } else { (1 << bits) - 1 }),
        _ => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
    };
    (least..=most).contains(&i128::from(number)).then(|| number.to_le_bytes())
}
