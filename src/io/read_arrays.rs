//! Arrays from files. The caller says how to read; some is known before the data is.

use super::error::size;
use super::file::OpenFile;
use super::table::{ColumnReading, TableOptions};
use super::watch::FileWatch;
use super::{Format, IoError, Location, Roots, Warning};
use crate::array::{Array, MAX_ELEMENTS, MAX_RANK, extent};
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// How to read.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// Read instead of map, so that later changes of the file do not show.
    pub copy: bool,
    /// What the program says the dtype is. That matters where formats hold elements as anonymous bytes, as those of
    /// `bf16`; whether the dtype that was read is the one declared is for the checker to say.
    pub dtype: Option<DType>,
    /// Which files may be read, and where relative paths begin. Absent: any file, from the working directory.
    pub roots: Option<Roots>,
    /// Whether the user names the file also where `roots` say which may be read, as `:load` does.
    pub by_user: bool,
    /// Most bytes that may be read into memory, mappings not counted.
    pub max_bytes: Option<usize>,
    /// How many of them other files have already.
    pub held: usize,
    /// Becomes true when reading should stop, which is then an error of the file.
    pub stop: Option<&'static AtomicBool>,
    /// What the program says the cells of a column are, where a dtype does not say it all.
    pub cells: ColumnReading,
    /// How tables are read.
    pub table: TableOptions,
    /// What the user says the format is, where no name tells it.
    pub format: Option<&'static Format>,
    /// Arrays of at least this many bytes can be read through windows instead of being mapped. Absent: none can.
    pub windows: Option<usize>,
    /// What stands for the file: all of a stream, which is read once.
    pub spooled: Option<Arc<File>>,
}

impl ReadOptions {
    pub(super) fn open(&self, path: &Path) -> Result<OpenFile, IoError> {
        if let Some(file) = &self.spooled {
            return Ok(OpenFile::unnamed(file, path)?.until(self.stop));
        }
        Ok(OpenFile::open(path, self.roots.as_ref())?.until(self.stop))
    }

    /// What a column is read as.
    pub(super) fn column_reading(&self) -> ColumnReading {
        match (self.cells, self.dtype) {
            (ColumnReading::Found, Some(dtype)) => ColumnReading::Elements(dtype),
            (cells, _) => cells,
        }
    }

    /// Refuses memory beyond the ceiling.
    pub(super) fn afford(&self, path: &Path, bytes: usize) -> Result<(), IoError> {
        match self.max_bytes {
            Some(most) if self.held.saturating_add(bytes) > most => {
                let [needed, held, most] = [bytes, self.held, most].map(|bytes| size(bytes as u64));
                let beside = if self.held > 0 { format!(" beside the {held} of other files") } else { String::new() };
                let what = format!("needs {needed} of memory{beside}; the limit is {most}");
                Err(IoError::data(&running::TOO_LARGE, path, what).help("`--max-mem SIZE` raises the limit"))
            }
            _ => Ok(()),
        }
    }
}

/// What is known of an array before its data is read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The dtype.
    pub dtype: DType,
    /// The length of each axis.
    pub shape: Vec<usize>,
}

/// An array from a file.
#[derive(Debug)]
pub struct LoadedArray {
    /// The array.
    pub array: Array,
    /// What should be said about the file.
    pub warnings: Vec<Warning>,
    /// What the user should know, a sentence each.
    pub notes: Vec<String>,
    /// Tells later whether the file changed meanwhile. `None` for what was a stream.
    pub watch: Option<FileWatch>,
}

/// The dtype and shape of the array in a file, `d.npz:x` included; its data is not read.
///
/// # Errors
/// When the file cannot be opened or its contents are wrong.
pub fn header(path: &Path, options: &ReadOptions) -> Result<Header, IoError> {
    let location = Location::named_by_user(path.as_os_str(), options);
    Ok((location.format(options)?.header)(&location, options)?.0)
}

/// The names of the arrays in a file that holds several: the first thousand of them. No data is read.
///
/// # Errors
/// When the file cannot be opened or its contents are wrong.
pub fn members(path: &Path) -> Result<Vec<String>, IoError> {
    members_by(path, TableOptions::default(), None)
}

/// As [`members`], of a table that is read so, and of a format that stands where no name tells it.
///
/// # Errors
/// As [`members`].
pub fn members_by(path: &Path, table: TableOptions, format: Option<&'static Format>) -> Result<Vec<String>, IoError> {
    let options = ReadOptions { table, format, ..ReadOptions::default() };
    let location = Location { path: path.to_path_buf(), member: None };
    (location.format(&options)?.names)(path, &options)
}

/// The array in a file, `d.npz:x` included, with what should be said about it.
///
/// # Errors
/// When the file cannot be read, its contents are wrong, or there is no memory.
pub fn read(path: &Path, options: &ReadOptions) -> Result<(Array, Vec<Warning>), IoError> {
    let LoadedArray { array, warnings, .. } = load(path, options)?;
    Ok((array, warnings))
}

/// As [`read()`], with a [`FileWatch`] that tells after the run whether the file changed.
///
/// # Errors
/// As [`read()`].
pub fn load(path: &Path, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    let location = Location::named_by_user(path.as_os_str(), options);
    (location.format(options)?.read)(&location, options)
}

/// Checks a shape from a file against the limits; its lengths and the number of bytes of its elements.
pub(super) fn checked_extent(path: &Path, shape: &[u64], dtype: DType) -> Result<(Vec<usize>, usize), IoError> {
    let too_large = |what: String| Err(IoError::data(&running::TOO_LARGE, path, what));
    if shape.len() > MAX_RANK {
        return too_large(format!("holds an array of {} axes; at most {MAX_RANK} are possible", shape.len()));
    }
    let lengths: Option<Vec<usize>> = shape.iter().map(|&len| usize::try_from(len).ok()).collect();
    // Axes of length 0 do not excuse the others: strides are computed from all of them.
    let nonzero = shape.iter().filter(|&&len| len > 0).try_fold(1u64, |count, &len| count.checked_mul(len));
    let fits = nonzero.is_some_and(|count| count <= MAX_ELEMENTS as u64);
    match lengths.and_then(|shape| extent(&shape, dtype.size()).map(|(_, bytes)| (shape, bytes))) {
        Some(known) if fits => Ok(known),
        _ if shape.contains(&0) => too_large(
            "has axes that are too long: without those of length 0 they hold more than 2^48 elements".to_string(),
        ),
        _ => too_large("holds an array of more than 2^48 elements, by its shape".to_string()),
    }
}
