//! The table of formats. Each has a name, a reader and a writer.

use super::encode::{self, Encoder};
use super::error::escape;
use super::{Header, IoError, LoadedArray, Location, ReadOptions, Warning};
use super::{columnar, npy, npz, safetensors, table};
use crate::diagnostic::codes::running;
use std::path::Path;

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
    pub(super) names: fn(&Path, &ReadOptions) -> Result<Vec<String>, IoError>,
    pub(super) header: fn(&Location, &ReadOptions) -> HeaderRead,
    pub(super) read: fn(&Location, &ReadOptions) -> Result<LoadedArray, IoError>,
    pub(super) write: Option<Encoder>,
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
pub(super) fn without_tables(path: &Path) -> IoError {
    let what = "is Parquet or Arrow, which this `arr` was built without";
    let help = "`cargo install --path . --features tables` builds one that reads and writes them";
    IoError::data(&running::UNKNOWN_FORMAT, path, what).help(help)
}

pub(super) fn unknown_format(path: &Path, formats: impl Iterator<Item = &'static Format>) -> IoError {
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
            let extension = escape(&extension.to_string_lossy()).chars().take(20).collect::<String>();
            format!("ends in `.{extension}`, which is no known format")
        }
        None => "has no extension that would tell its format".to_string(),
    };
    IoError::data(&running::UNKNOWN_FORMAT, path, what).help(format!("known here: {}", known.join(", ")))
}
