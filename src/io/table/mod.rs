//! `.csv`, `.tsv`, `.txt`: tables of text. Each column is an array of rank 1, and `t.csv:*` all of them as one of rank
//! 2.
//!
//! What the program declares decides how a column is read. Where it declares nothing a column of whole numbers is
//! `i64`, of other numbers `f64`, of `true` and `false` `bool`, of words their codes. Nothing else is guessed: a word
//! among numbers is an error that names line and column, without repeating what stands there. All wanted columns are
//! read in one pass ([`pass`]); a column that cannot be read fails alone.
//!
//! ```
//! use arrlang::io::{table, ReadOptions};
//! let path = std::env::temp_dir().join(format!("arr-doc-{}.csv", std::process::id()));
//! std::fs::write(&path, "t,ok\n1,true\n2.5,false\n").unwrap();
//! let columns = table::columns(&path, &ReadOptions::default())?;
//! assert_eq!(columns[0].0, "t");
//! assert_eq!(columns[0].1.as_ref().unwrap().to_vec::<f64>(), [1.0, 2.5]);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), arrlang::io::IoError>(())
//! ```

mod blocks;
mod cell;
mod column;
mod fields;
mod first;
mod foreign;
mod joined;
mod loss;
mod messages;
mod open_table;
mod packed;
mod pass;
mod store;
mod tally;
mod words;

pub use blocks::{MAX_RECORD, PACKED_FROM};
pub use column::ColumnReading;
pub use first::{TableHead, first};
pub(super) use packed::write_through;
pub use tally::{CellKind, KindCount, tally};

use super::error::{IoError, Warning, printable_path};
use super::origin::OpenOrigin;
use super::watch::FileWatch;
use super::{Header, LoadedArray, Location, ReadOptions, no_member};
use crate::array::Array;
use crate::array::bytes::AlignedBytes;
use crate::array::logical::Logical;
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use cell::CellFault;
use joined::Column;
use open_table::{OpenTable, shows_contents};
use pass::{Chunk, ReadPlan};
use std::path::Path;

/// Most fields of a record.
pub const MAX_FIELDS: usize = 1 << 20;

/// How tables are read.
#[derive(Clone, Copy, Debug)]
pub struct TableOptions {
    /// Whether a first line names the columns, unless all of it are numbers and missing values. Whole numbers behind an
    /// empty cell are names.
    pub header: bool,
    /// What stands for a missing value among integers.
    pub missing: Option<i64>,
    /// What parts fields; a blank means any number of blanks. Absent: the file's name tells.
    pub delimiter: Option<u8>,
    /// How many threads read.
    pub threads: usize,
}

impl Default for TableOptions {
    fn default() -> TableOptions {
        TableOptions { header: true, missing: None, delimiter: None, threads: 1 }
    }
}

/// A column that is asked for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ColumnRequest {
    /// Its name, or its place from 1; `*` is all columns as one array. Absent: the only one.
    pub member: Option<String>,
    /// What its cells are.
    pub wanted: ColumnReading,
}

/// The kind of table that a file's name says, or the user: `csv`, `tsv`, `txt`.
fn kind_of(path: &Path, options: &ReadOptions) -> Option<&'static str> {
    super::Format::of(path).or(options.format).map(|format| format.extension)
}

/// The columns.
pub(super) fn names(path: &Path, options: &ReadOptions) -> Result<Vec<String>, IoError> {
    let origin = OpenOrigin::open(path, options)?;
    Ok(OpenTable::new(&origin, path, options)?.names.into_iter().take(1000).collect())
}

/// Dtype and length of a column. The whole file is read, though nothing of it is kept: nothing less tells them.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    let one = one(location, options, ReadUpTo::Header)?;
    Ok((Header { dtype: one.dtype, shape: one.shape }, one.warnings))
}

/// A column.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    one(location, options, ReadUpTo::Elements)?.into_loaded(&location.path)
}

fn one(location: &Location, options: &ReadOptions, kept: ReadUpTo) -> Result<ColumnAnswer, IoError> {
    let path = &location.path;
    let request = ColumnRequest { member: location.member.clone(), wanted: options.column_reading() };
    let answers = load(&OpenOrigin::open(path, options)?, path, |_| vec![request], options, kept)?;
    answers.into_iter().next().unwrap_or_else(|| Err(bad(path, "holds no column")))
}

/// What is kept of an array that is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReadUpTo {
    /// Its elements.
    Elements,
    /// Nothing but what it is.
    Header,
}

impl ReadUpTo {
    /// The elements if `are_needed`.
    pub fn elements_if(are_needed: bool) -> ReadUpTo {
        if are_needed { ReadUpTo::Elements } else { ReadUpTo::Header }
    }
}

/// What was read for a request.
#[derive(Debug)]
pub struct ColumnAnswer {
    /// The dtype.
    pub dtype: DType,
    /// One length, or two for all columns.
    pub shape: Vec<usize>,
    /// The elements, unless nothing was to be kept.
    pub array: Option<Array>,
    /// What should be said about the file.
    pub warnings: Vec<Warning>,
    /// What the user should know, a sentence each.
    pub notes: Vec<String>,
    /// Tells later whether the file changed.
    pub watch: Option<FileWatch>,
}

impl From<LoadedArray> for ColumnAnswer {
    fn from(LoadedArray { array, warnings, notes, watch }: LoadedArray) -> ColumnAnswer {
        ColumnAnswer { dtype: array.dtype(), shape: array.shape().to_vec(), array: Some(array), warnings, notes, watch }
    }
}

impl From<(Header, Vec<Warning>)> for ColumnAnswer {
    fn from((Header { dtype, shape }, warnings): (Header, Vec<Warning>)) -> ColumnAnswer {
        ColumnAnswer { dtype, shape, array: None, warnings, notes: Vec::new(), watch: None }
    }
}

impl ColumnAnswer {
    /// What is known of an array in a file before its data is read, with what should be said about the file.
    ///
    /// # Errors
    /// When the file cannot be opened or its contents are wrong.
    pub fn of_header(path: &Path, options: &ReadOptions) -> Result<ColumnAnswer, IoError> {
        let location = Location::named_by_user(path.as_os_str(), options);
        (location.format(options)?.header)(&location, options).map(ColumnAnswer::from)
    }

    /// As what other formats give.
    pub(super) fn into_loaded(self, path: &Path) -> Result<LoadedArray, IoError> {
        let ColumnAnswer { array, warnings, notes, watch, .. } = self;
        let array = array.ok_or_else(|| bad(path, "was not kept"))?;
        Ok(LoadedArray { array, warnings, notes, watch })
    }
}

/// The name of a column, and its array if it can be read.
pub type NamedColumn = (String, Result<Array, IoError>);

/// All columns of a table, by name, in their order; one that cannot be read fails alone.
///
/// # Errors
/// When the file cannot be read or is no table.
pub fn columns(path: &Path, options: &ReadOptions) -> Result<Vec<NamedColumn>, IoError> {
    let origin = OpenOrigin::open(path, options)?;
    let mut names = Vec::new();
    let choose = |all: &[String]| {
        names = all.to_vec();
        all.iter().map(|name| ColumnRequest { member: Some(name.clone()), wanted: ColumnReading::Found }).collect()
    };
    let answers = load(&origin, path, choose, options, ReadUpTo::Elements)?;
    let arrays = answers.into_iter().map(|answer| answer?.into_loaded(path).map(|loaded| loaded.array));
    Ok(names.into_iter().zip(arrays).collect())
}

fn bad(path: &Path, what: impl AsRef<str>) -> IoError {
    IoError::data(&running::BAD_ARRAY_FILE, path, what)
}

/// Reads all requested columns of a table in one pass.
///
/// # Errors
/// When the file cannot be read or is no table: each column has an error of its own.
pub(super) fn load(
    origin: &OpenOrigin,
    path: &Path,
    choose: impl FnOnce(&[String]) -> Vec<ColumnRequest>,
    options: &ReadOptions,
    kept: ReadUpTo,
) -> Result<Vec<Result<ColumnAnswer, IoError>>, IoError> {
    let keep = kept == ReadUpTo::Elements;
    let OpenTable { names, named, quoted, delimiter, blocks, first, size } = OpenTable::new(origin, path, options)?;
    let requests = &choose(&names)[..];
    let table = NamedTable { path, options, names: &names, named, quoted };
    let mut places: Vec<Result<Vec<usize>, IoError>> = requests.iter().map(|request| table.places(request)).collect();
    // Each column with the request that it is for; a request that was made before has the answer of that.
    let mut columns: Vec<(usize, ColumnReading, usize)> = Vec::new();
    for (at, (places, request)) in places.iter().zip(requests).enumerate() {
        if !requests[..at].contains(request) {
            columns.extend(places.iter().flatten().map(|&place| (place, request.elements(), at)));
        }
    }
    columns.sort_by_key(|&(place, ..)| place);
    let mut found: Vec<Result<Vec<Column>, IoError>> = requests.iter().map(|_| Ok(Vec::new())).collect();
    if !columns.is_empty() {
        let cells: Vec<(usize, ColumnReading)> = columns.iter().map(|&(place, wanted, _)| (place, wanted)).collect();
        let wanted = ReadPlan { columns: &cells, width: names.len(), delimiter, keep, size };
        let read = pass::pass(path, blocks, first, &wanted, options);
        for (column, &(_, _, at)) in table.found(read, &cells)?.into_iter().zip(&columns) {
            match (&mut found[at], column) {
                (Ok(columns), Ok(column)) => columns.push(column),
                (failed @ Ok(_), Err(error)) => *failed = Err(error),
                (Err(_), _) => {}
            }
        }
    }
    let watch = origin.watch();
    let mut answers: Vec<Result<ColumnAnswer, IoError>> = Vec::with_capacity(requests.len());
    for (at, (request, columns)) in requests.iter().zip(found).enumerate() {
        let earlier = requests[..at].iter().position(|other| other == request);
        let answer = match (earlier, std::mem::replace(&mut places[at], Ok(Vec::new()))) {
            (Some(earlier), _) => answers[earlier].as_ref().map(ColumnAnswer::again).map_err(IoError::clone),
            (None, Err(error)) => Err(error),
            (None, Ok(places)) => {
                columns.and_then(|columns| table.answer(columns, request, &places, keep, watch.clone()))
            }
        };
        answers.push(answer);
    }
    Ok(answers)
}

impl ColumnRequest {
    /// What its columns are read as: all columns of a table are one array of one dtype.
    fn elements(&self) -> ColumnReading {
        match (self.is_all(), self.wanted) {
            (true, ColumnReading::Found) => ColumnReading::Elements(DType::F64),
            (_, wanted) => wanted,
        }
    }

    fn is_all(&self) -> bool {
        self.member.as_deref() == Some("*")
    }
}

impl ColumnAnswer {
    fn again(&self) -> ColumnAnswer {
        let (shape, array, watch) = (self.shape.clone(), self.array.clone(), self.watch.clone());
        // What was said is said once.
        ColumnAnswer { dtype: self.dtype, shape, array, warnings: Vec::new(), notes: Vec::new(), watch }
    }
}

/// A table as messages speak of it.
struct NamedTable<'t> {
    path: &'t Path,
    options: &'t ReadOptions,
    names: &'t [String],
    named: bool,
    /// Whether the first line is one field in quotes.
    quoted: bool,
}

impl NamedTable<'_> {
    /// Where the columns of a request are.
    fn places(&self, request: &ColumnRequest) -> Result<Vec<usize>, IoError> {
        let names = self.names;
        let location = Location { path: self.path.to_path_buf(), member: request.member.clone() };
        let Some(member) = &request.member else {
            return match names.len() {
                1 => Ok(vec![0]),
                _ if shows_contents(self.path, self.options) => {
                    let error = no_member(&location, "column", (names, names.len()));
                    Err(match self.other_delimiter() {
                        Some((_, help)) => error.help(help),
                        None => error,
                    })
                }
                _ => Err(self.hidden()),
            };
        };
        if request.is_all() && !names.iter().any(|name| name == member) {
            return Ok((0..names.len()).collect());
        }
        let place = || member.parse::<usize>().ok().filter(|place| (1..=names.len()).contains(place)).map(|at| at - 1);
        let mut found = (0..names.len()).filter(|&at| names[at] == *member);
        match (found.next(), found.next()) {
            (Some(_), Some(_)) => {
                let error = bad(&location.whole(), "is the name of two columns");
                Err(error.help("a column is also known by its place, counted from 1: `t.csv:2`"))
            }
            (Some(at), None) => Ok(vec![at]),
            (None, _) => match place() {
                Some(at) if self.named || names[at] == *member => Ok(vec![at]),
                _ if shows_contents(self.path, self.options) => {
                    let error = no_member(&location, "column", (names, names.len()));
                    Err(match self.other_delimiter() {
                        Some((_, help)) => error.help(help),
                        None => error,
                    })
                }
                _ => Err(self.hidden()),
            },
        }
    }

    fn hidden(&self) -> IoError {
        let what = "holds no such column; its link leads to a file that is no table by its name";
        IoError::data(&running::UNKNOWN_MEMBER, self.path, what)
    }

    /// A column as messages call it.
    fn name(&self, at: usize) -> String {
        match self.named && shows_contents(self.path, self.options) {
            true => format!("`{}`", printable_path(Path::new(&self.names[at]))),
            false => (at + 1).to_string(),
        }
    }

    /// What the columns of all chunks come to.
    fn found(
        &self,
        read: pass::PassResult,
        columns: &[(usize, ColumnReading)],
    ) -> Result<Vec<Result<Column, IoError>>, IoError> {
        let mut lines = Vec::with_capacity(read.chunks.len());
        let mut line = 1;
        for chunk in &read.chunks {
            if let Some((behind, broken)) = chunk.broken {
                return Err(self.broken(line + behind, broken));
            }
            lines.push(line);
            line += chunk.lines;
        }
        if let Some(error) = read.failed {
            return Err(error);
        }
        let mut parts: Vec<Vec<column::BlockCells>> = columns.iter().map(|_| Vec::with_capacity(lines.len())).collect();
        let blank = pass::blank_line(&read.chunks, &lines);
        for Chunk { parts: these, .. } in read.chunks {
            these.into_iter().zip(&mut parts).for_each(|(part, column)| column.push(part));
        }
        let shows = shows_contents(self.path, self.options);
        let join =
            |((parts, cells), &(at, wanted)): ((Vec<column::BlockCells>, store::Store), &(usize, ColumnReading))| {
                let mut column = joined::join(parts, cells, wanted, self.options.table.missing)
                    .map_err(|(part, wrong)| self.wrong(at, wanted, (lines[part] + wrong.line, wrong.why)))?;
                // From here on lines are those of the file.
                column.odd.iter_mut().for_each(|it| it.line += lines[it.part]);
                column.losses.iter_mut().for_each(|it| it.line += lines[it.part]);
                column.blank = blank;
                // Words of a file that may be anything are not shown.
                match column.logical {
                    Some(Logical::Words(_)) if !shows => {
                        Err(bad(self.path, format!("has {} in column {}", CellFault::Words.found(), at + 1)))
                    }
                    _ => Ok(column),
                }
            };
        Ok(parts.into_iter().zip(read.cells).zip(columns).map(join).collect())
    }

    /// The array of a request, from its columns.
    fn answer(
        &self,
        mut columns: Vec<Column>,
        request: &ColumnRequest,
        places: &[usize],
        keep: bool,
        watch: Option<FileWatch>,
    ) -> Result<ColumnAnswer, IoError> {
        let mut notes = Vec::new();
        let mut warnings = Vec::new();
        for (column, &at) in columns.iter().zip(places) {
            notes.extend(self.gaps(column, at));
            warnings.extend(self.oddity(column, at));
            warnings.extend(self.losses(column, request.elements(), at));
            warnings.extend(self.blank(column));
        }
        warnings.extend(self.one_column_warning());
        if !self.named && self.options.table.header {
            notes.push(format!("`{}` names no columns: its first line is data", printable_path(self.path)));
        }
        if self.named && columns.iter().all(|column| column.len == 0) {
            notes.push(format!("`{}` has no rows: its first line names its columns", printable_path(self.path)));
        }
        if self.named && open_table::are_labels(self.names.iter().map(String::as_bytes)) {
            let how = "`--no-header` reads its first line as data";
            notes.push(format!("`{}` names columns by numbers: {how}", printable_path(self.path)));
        }
        let missing = |error| IoError::memory(self.path, error);
        let len = columns.first().map_or(0, |column| column.len);
        if request.is_all() && places.len() == self.names.len() {
            let dtype = columns.first().map_or(DType::F64, |column| column.dtype);
            let shape = vec![len, columns.len()];
            let array = match keep {
                true => {
                    let mut bytes = AlignedBytes::zeroed(len * columns.len() * dtype.size()).map_err(missing)?;
                    let step = columns.len();
                    for (at, column) in columns.into_iter().enumerate() {
                        column.write(bytes.as_mut_slice(), at, step);
                    }
                    Some(Array::from_bytes(dtype, shape.clone(), bytes))
                }
                false => None,
            };
            return Ok(ColumnAnswer { dtype, shape, array, warnings, notes, watch });
        }
        let mut column = columns.remove(0);
        let (dtype, logical) = (column.dtype, column.logical.take());
        let array = match keep || matches!(logical, Some(Logical::Words(_))) {
            true => {
                let array = Array::from_bytes(dtype, vec![len], column.bytes().map_err(missing)?);
                Some(match logical {
                    Some(logical) => array.with_logical(logical),
                    None => array,
                })
            }
            false => None,
        };
        Ok(ColumnAnswer { dtype, shape: vec![len], array, warnings, notes, watch })
    }
}
