//! Arrays in files: the one place where files are read and written.
//!
//! A format is a row of [`FORMATS`]: the end of the file's name, how to read a header, an array, and how to write one.
//! Files that hold several arrays are followed by the name of one: `d.npz:x`. Reading never trusts a file: every
//! size it states is compared with what is there before memory is asked for. Writing is all or nothing ([`write()`]).
//!
//! ```
//! use arrlang::io::{header, ReadOptions};
//! let error = header("weights.bin".as_ref(), &ReadOptions::default()).unwrap_err();
//! assert_eq!((error.code.name, error.outcome()), ("unknown-format", arrlang::diagnostic::Outcome::Refused));
//! ```

pub mod argument;
mod beside;
mod caught;
#[cfg_attr(not(feature = "tables"), path = "columnar/absent.rs")]
mod columnar;
pub mod encode;
pub mod error;
pub mod fault;
pub mod file;
mod gather;
mod location;
pub mod mapped;
mod npy;
mod npy_header;
mod npz;
pub mod origin;
pub mod owner;
pub mod pending;
mod roots;
mod safetensors;
pub mod scratch;
pub mod standard;
pub mod table;
#[cfg(test)]
mod tests;
pub mod text;
pub mod together;
pub mod watch;
pub mod write;
mod zip;

pub use caught::panics_are_caught;
pub use error::{Blame, IoError, PACKED_MOST, Warning};
pub use location::Location;
pub(crate) use location::is_file_name;
use location::no_member;
pub use npy_header::HEADER_MOST;
pub use npz::PACKED_FROM as NPZ_PACKED_FROM;
pub use roots::Roots;
pub use safetensors::HEADER_MOST as SAFETENSORS_HEADER_MOST;
pub use table::{FIELDS_MOST, PACKED_FROM as TABLE_PACKED_FROM, RECORD_MOST};
pub use write::{Target, prepare};

use crate::array::mapping::{Mapping, MappingState};
use crate::array::{Array, MAX_ELEMENTS, MAX_RANK, extent};
use crate::diagnostic::codes::running;
use crate::source::stop::Stop;
use crate::types::dtype::DType;
use encode::{Encoder, Named, NumberStyle};
use error::{escaped, size};
use file::OpenFile;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use table::{As, TableOptions};
use watch::FileWatch;

/// A header that was read, with what the user is warned of.
type HeaderRead = Result<(Header, Vec<Warning>), IoError>;

/// A format: what it is called and what can be done with it.
#[derive(Debug)]
pub struct Format {
    /// The end of the file's name, without the point.
    pub extension: &'static str,
    /// What it is, for documentation.
    pub summary: &'static str,
    /// Whether a file holds several arrays by name.
    pub members: bool,
    names: fn(&Path, &ReadOptions) -> Result<Vec<String>, IoError>,
    header: fn(&Location, &ReadOptions) -> HeaderRead,
    read: fn(&Location, &ReadOptions) -> Result<Loaded, IoError>,
    write: Option<Encoder>,
}

/// What may stand behind the name of a packed table.
const PACKED: &[&str] = &["gz", "zst"];

/// Every format.
pub static FORMATS: &[Format] = &[
    Format {
        extension: "npy",
        summary: "one array, the format of NumPy",
        members: false,
        names: |_, _| Ok(Vec::new()),
        header: npy::header,
        read: npy::read,
        write: Some(Encoder { several: false, fits: encode::one, write: npy::write }),
    },
    Format {
        extension: "npz",
        summary: "named arrays, NumPy's archive: `d.npz:x`",
        members: true,
        names: |path, options| npz::names(&options.open(path)?),
        header: npz::header,
        read: npz::read,
        write: Some(Encoder { several: true, fits: encode::npz::fits, write: encode::npz::write }),
    },
    Format {
        extension: "safetensors",
        summary: "named arrays of a model: `m.safetensors:weight`",
        members: true,
        names: |path, options| safetensors::names(&options.open(path)?),
        header: safetensors::header,
        read: safetensors::read,
        write: Some(Encoder { several: true, fits: safetensors::fits, write: safetensors::write }),
    },
    Format {
        extension: "csv",
        summary: "a table; a column is an array: `t.csv:column`",
        members: true,
        names: table::names,
        header: table::header,
        read: table::read,
        write: Some(Encoder { several: true, fits: encode::table::fits_as_text, write: encode::table::commas }),
    },
    Format {
        extension: "tsv",
        summary: "a table whose fields are parted by tabs: `t.tsv:column`",
        members: true,
        names: table::names,
        header: table::header,
        read: table::read,
        write: Some(Encoder { several: true, fits: encode::table::fits_as_text, write: encode::table::tabs }),
    },
    Format {
        extension: "txt",
        summary: "a table of text, parted by what its first line has: `t.txt:2`",
        members: true,
        names: table::names,
        header: table::header,
        read: table::read,
        write: None,
    },
    Format {
        extension: "parquet",
        summary: "a table of typed columns: `t.parquet:column`",
        members: true,
        names: columnar::names,
        header: columnar::header,
        read: columnar::read,
        write: Some(Encoder { several: true, fits: columnar::fits, write: columnar::write_parquet }),
    },
    Format {
        extension: "arrow",
        summary: "a table of typed columns, Arrow IPC: `t.arrow:column`",
        members: true,
        names: columnar::names,
        header: columnar::header,
        read: columnar::read,
        write: Some(Encoder { several: true, fits: columnar::fits, write: columnar::write_arrow }),
    },
    Format {
        extension: "feather",
        summary: "the same by another name: `t.feather:column`",
        members: true,
        names: columnar::names,
        header: columnar::header,
        read: columnar::read,
        write: Some(Encoder { several: true, fits: columnar::fits, write: columnar::write_arrow }),
    },
    Format {
        extension: "json",
        summary: "written only: nested lists, or an object of several",
        members: false,
        names: |path, _| Err(only_written(path)),
        header: |location, _| Err(only_written(&location.path)),
        read: |location, _| Err(only_written(&location.path)),
        write: Some(Encoder { several: true, fits: encode::distinct, write: encode::json::write }),
    },
    Format {
        extension: "png",
        summary: "written only: a picture, `u8[y, x]`, `u8[y, x, 3]` or `u8[y, x, 4]`",
        members: false,
        names: |path, _| Err(only_written(path)),
        header: |location, _| Err(only_written(&location.path)),
        read: |location, _| Err(only_written(&location.path)),
        write: Some(Encoder { several: false, fits: encode::png::fits, write: encode::png::write }),
    },
];

impl Format {
    /// The format that a file's name tells, in any case of letters; tables may be packed: `t.csv.gz`.
    pub fn of(path: &Path) -> Option<&'static Format> {
        let extension = path.extension()?;
        if PACKED.iter().any(|packed| extension.eq_ignore_ascii_case(packed)) {
            return Format::of(Path::new(path.file_stem()?)).filter(|format| format.is_table());
        }
        FORMATS.iter().find(|format| extension.eq_ignore_ascii_case(format.extension))
    }

    /// Whether files of this format are tables of text.
    pub fn is_table(&self) -> bool {
        matches!(self.extension, "csv" | "tsv" | "txt")
    }

    /// Whether files of this format are tables of typed columns.
    pub fn has_columns(&self) -> bool {
        matches!(self.extension, "parquet" | "arrow" | "feather")
    }

    /// Whether a file of this format says what the integers of words and dates mean.
    pub fn keeps_meaning(&self) -> bool {
        self.is_table() || self.has_columns() || self.extension == "json"
    }

    /// Whether arrays can be read in this format.
    pub fn can_read(&self) -> bool {
        self.is_here() && !matches!(self.extension, "json" | "png")
    }

    /// Whether a file of this format holds all arrays that are written to it.
    pub fn takes_several(&self) -> bool {
        self.write.is_some_and(|encoder| encoder.several)
    }

    /// Whether arrays can be written in this format.
    pub fn can_write(&self) -> bool {
        self.is_here() && self.write.is_some()
    }

    /// Whether this `arr` was built with the format.
    fn is_here(&self) -> bool {
        cfg!(feature = "tables") || !matches!(self.extension, "parquet" | "arrow" | "feather")
    }
}

fn only_written(path: &Path) -> IoError {
    let what = "is of a format that is written and not read";
    IoError::data(&running::UNKNOWN_FORMAT, path, what).help("`.npy`, `.npz` and `.safetensors` keep everything")
}

/// What is of a format that this `arr` was built without.
fn without_tables(path: &Path) -> IoError {
    let what = "is Parquet or Arrow, which this `arr` was built without";
    let help = "`cargo install --path . --features tables` builds one that reads and writes them";
    IoError::data(&running::UNKNOWN_FORMAT, path, what).help(help)
}

fn unknown_format(path: &Path, formats: impl Iterator<Item = &'static Format>) -> IoError {
    if Format::of(path).is_some_and(|format| !format.is_here()) {
        return without_tables(path);
    }
    let known: Vec<String> = formats.map(|format| format!("`.{}`", format.extension)).collect();
    let what = match path.extension() {
        Some(extension) if Format::of(path).is_some() => {
            let extension = extension.to_string_lossy().to_lowercase();
            format!("ends in `.{extension}`, a format that is read and not written yet")
        }
        Some(extension) => {
            let extension = escaped(&extension.to_string_lossy()).chars().take(20).collect::<String>();
            format!("ends in `.{extension}`, which is no known format")
        }
        None => "has no extension that would tell its format".to_string(),
    };
    IoError::data(&running::UNKNOWN_FORMAT, path, what).help(format!("known here: {}", known.join(", ")))
}

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
    pub cells: As,
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
    fn open(&self, path: &Path) -> Result<OpenFile, IoError> {
        if let Some(file) = &self.spooled {
            return Ok(OpenFile::unnamed(file, path)?.until(self.stop));
        }
        Ok(OpenFile::open(path, self.roots.as_ref())?.until(self.stop))
    }

    /// What a column is read as.
    fn wanted(&self) -> As {
        match (self.cells, self.dtype) {
            (As::Found, Some(dtype)) => As::Elements(dtype),
            (cells, _) => cells,
        }
    }

    /// Refuses memory beyond the ceiling.
    fn afford(&self, path: &Path, bytes: usize) -> Result<(), IoError> {
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
pub struct Loaded {
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
    let location = Location::named(path.as_os_str(), options);
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
    let Loaded { array, warnings, .. } = load(path, options)?;
    Ok((array, warnings))
}

/// As [`read()`], with a [`FileWatch`] that tells after the run whether the file changed.
///
/// # Errors
/// As [`read()`].
pub fn load(path: &Path, options: &ReadOptions) -> Result<Loaded, IoError> {
    let location = Location::named(path.as_os_str(), options);
    (location.format(options)?.read)(&location, options)
}

/// Writes an array to a prepared target, all or nothing, in the format that its name tells.
///
/// # Errors
/// When the system refuses, or the array lies in a file that became shorter; what was there before is then still there.
pub fn write(target: &Target, array: &Array) -> Result<(), IoError> {
    write_until(target, array, Stop::default())
}

/// As [`write()`], unless told to stop. The array's name, where the format has one, is that of the file.
///
/// # Errors
/// As [`write()`], and when told to stop.
pub fn write_until(target: &Target, array: &Array, stop: Stop) -> Result<(), IoError> {
    let stem = target.path().file_stem().unwrap_or_default().to_string_lossy();
    stage(target, &[Named { name: &stem, array }], NumberStyle::default(), stop)?.replace()
}

/// Writes arrays beside a prepared target, whose place they take by [`write::Staged::replace`]: whoever writes several
/// files replaces none unless all are there.
///
/// # Errors
/// When they do not fit the format, the system refuses, or one lies in a file that became shorter.
pub fn stage(target: &Target, arrays: &[Named<'_>], style: NumberStyle, stop: Stop) -> Result<write::Staged, IoError> {
    let Some(encoder) = target.format().write else { return Err(unknown_format(target.path(), FORMATS.iter())) };
    (encoder.fits)(arrays)
        .map_err(|why| IoError::data(&running::FILE_UNWRITABLE, target.path(), format!("cannot be written: {why}")))?;
    let bytes = match target.format().extension {
        "npy" | "npz" | "safetensors" => {
            arrays.iter().map(|it| it.array.len() * it.array.dtype().size()).sum::<usize>()
        }
        _ => 0,
    };
    let mappings = || arrays.iter().filter_map(|it| it.array.mapping());
    let lost = || mappings().find(|mapping| mapping.state() == MappingState::Lost);
    let written = target.stage(bytes as u64, |out| {
        let out = &mut write::Stoppable { out, stop };
        let done = match target.format().is_table() {
            true => table::write_through(target.path(), out, |out| (encoder.write)(arrays, style, out)),
            false => (encoder.write)(arrays, style, out),
        };
        done.inspect_err(|error| {
            // The kernel met a lost page where no signal could tell.
            if error.raw_os_error() == Some(libc::EFAULT) {
                mappings().for_each(Mapping::lose);
            }
        })?;
        // All has been read, and nothing has taken the old file's place.
        if lost().is_some() { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
    });
    written.map_err(|error| match lost() {
        Some(mapping) => {
            let what = format!("became shorter while it was in use: `{}` is not written", error::shown(target.path()));
            IoError::shrunk(mapping.path(), what)
        }
        None => error,
    })
}

/// Begins the file of an array whose elements come a window at a time; `None` where the target or its format takes
/// none.
///
/// # Errors
/// When the system refuses, or has no room for it.
pub fn begin(target: &Target, dtype: DType, shape: &[usize]) -> Result<Option<write::Unfinished>, IoError> {
    match (target.format().extension, extent(shape, dtype.size())) {
        ("npy", Some((_, bytes))) => target.begin(&npy::preamble(dtype, shape), bytes as u64),
        _ => Ok(None),
    }
}

/// Checks a shape from a file against the limits; its lengths and the number of bytes of its elements.
fn checked_extent(path: &Path, shape: &[u64], dtype: DType) -> Result<(Vec<usize>, usize), IoError> {
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

/// Whether a file's name is that of a table.
fn owned_by_table(path: &Path) -> bool {
    Format::of(path).is_some_and(Format::is_table)
}

/// Bytes of the command line as a path.
pub(crate) fn to_path(text: &[u8]) -> PathBuf {
    PathBuf::from(OsString::from(OsStr::from_bytes(text)))
}
