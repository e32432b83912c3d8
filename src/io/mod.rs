//! Arrays in files. This is the one place where arrays are read and written.
//!
//! A format is a row of [`FORMATS`]: the end of the file's name, how to read a header, an array, and how to write one.
//! Files that hold several arrays are followed by the name of one: `d.npz:x`. Reading never trusts a file: every
//! size it states is compared with what is there before memory is asked for. Writing is all or nothing ([`write()`]).
//!
//! | part | job |
//! | --- | --- |
//! | `format` | the table of formats |
//! | `read_arrays`, `write_arrays` | arrays from files and to files, whatever the format |
//! | `npy`, `npy_header`, `npz`, `zip`, `safetensors`, `table`, `columnar`, `encode` | one format each, or those that are alike |
//! | `location`, `argument` | which array is meant: `d.npz:x`; bindings on the command line |
//! | `origin`, `file`, `mapped`, `roots`, `owner` | opening files, and which of them may be opened |
//! | `write`, `beside`, `pending`, `scratch` | new files, so that the old or the new one is always complete |
//! | `watch`, `fault`, `stopped` | files that change or shrink while they are in use; reading that is stopped |
//! | `error` | what went wrong, as a code and a message |
//! | `together`, `gather`, `text`, `standard` | several arrays of one file, elements in order, texts, streams |
//!
//! ```
//! use arrlang::io::{header, ReadOptions};
//! let error = header("weights.bin".as_ref(), &ReadOptions::default()).unwrap_err();
//! assert_eq!((error.code.name, error.outcome()), ("unknown-format", arrlang::diagnostic::Outcome::Refused));
//! ```

pub mod argument;
mod beside;
#[cfg_attr(not(feature = "tables"), path = "columnar/absent.rs")]
mod columnar;
pub mod encode;
pub mod error;
pub mod fault;
pub mod file;
mod format;
mod gather;
mod location;
pub mod mapped;
mod npy;
mod npy_header;
mod npz;
pub mod origin;
pub mod owner;
pub mod pending;
mod read_arrays;
mod roots;
mod safetensors;
pub mod scratch;
pub mod standard;
mod stopped;
pub mod table;
#[cfg(test)]
mod tests;
pub mod text;
pub mod together;
pub mod watch;
pub mod write;
mod write_arrays;
mod zip;

pub use error::{FaultOwner, IoError, MAX_PACKED, Warning};
pub use format::{FORMATS, Format};
pub use location::Location;
pub(crate) use location::is_file_name;
pub use npy_header::MAX_HEADER;
pub use npz::PACKED_FROM as NPZ_PACKED_FROM;
pub use read_arrays::{Header, LoadedArray, ReadOptions, header, load, members, members_by, read};
pub use roots::Roots;
pub use safetensors::MAX_HEADER as MAX_SAFETENSORS_HEADER;
pub use table::{MAX_FIELDS, MAX_RECORD, PACKED_FROM as TABLE_PACKED_FROM};
pub use write::{Target, prepare};
pub use write_arrays::{begin, stage, write, write_until};

use format::unknown_format;
use location::no_member;
use read_arrays::checked_extent;
