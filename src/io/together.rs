//! Several arrays of one file, which is opened once: the columns of a table, what a stream holds.
//!
//! ```
//! use arrlang::io::{ReadOptions, table::{ColumnReading, ColumnRequest, ReadUpTo}, together};
//! let path = std::env::temp_dir().join(format!("arr-doc-together-{}.csv", std::process::id()));
//! std::fs::write(&path, "a,b\n1,x\n2,y\n").unwrap();
//! let all = |names: &[String]| names.iter().map(|name| ColumnRequest { member: Some(name.clone()), wanted: ColumnReading::Found }).collect();
//! let arrays = together::load(&path, all, &ReadOptions::default(), ReadUpTo::Elements)?;
//! assert_eq!(arrays[0].as_ref().unwrap().array.as_ref().unwrap().to_vec::<i64>(), [1, 2]);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), arrlang::io::IoError>(())
//! ```

use super::error::IoError;
use super::origin::{OpenOrigin, STANDARD_INPUT, is_standard, is_stream};
use super::table::{self, ColumnAnswer, ColumnReading, ColumnRequest, ReadUpTo};
use super::{Format, Location, ReadOptions};
use std::path::Path;
use std::sync::Arc;

/// Whether the arrays that a path names are worth asking for together: each would read all of it, or there is only one
/// time.
pub fn is_worthwhile(path: &Path, options: &ReadOptions) -> bool {
    let is_table = Format::of(path).or(options.format).is_some_and(Format::is_table);
    is_table || (options.roots.is_none() && is_stream(path))
}

/// Reads the arrays that `choose` picks among the names of those that a file, or a stream, holds.
///
/// # Errors
/// When nothing of it can be read: each array has an error of its own.
pub fn load(
    path: &Path,
    choose: impl FnOnce(&[String]) -> Vec<ColumnRequest>,
    options: &ReadOptions,
    kept: ReadUpTo,
) -> Result<Vec<Result<ColumnAnswer, IoError>>, IoError> {
    let known = Format::of(path).or(options.format);
    if known.is_some_and(Format::is_table) && !is_standard(path) {
        return table::load(&OpenOrigin::open(path, options)?, path, choose, options, kept);
    }
    if options.roots.is_some() || !is_stream(path) {
        let location = Location { path: path.to_path_buf(), member: None };
        return others(location.format(options)?, path, choose, options, kept);
    }
    let origin = OpenOrigin::open(path, options)?;
    let path = if is_standard(path) { Path::new(STANDARD_INPUT) } else { path };
    match known.or_else(|| origin.format()) {
        None => table::load(&origin, path, choose, options, kept),
        Some(format) if format.is_table() => table::load(&origin, path, choose, options, kept),
        Some(format) => {
            let spooled = Some(Arc::new(origin.spool(path, options)?));
            others(format, path, choose, &ReadOptions { spooled, ..options.clone() }, kept)
        }
    }
}

/// Arrays that are found without reading the others.
fn others(
    format: &'static Format,
    path: &Path,
    choose: impl FnOnce(&[String]) -> Vec<ColumnRequest>,
    options: &ReadOptions,
    kept: ReadUpTo,
) -> Result<Vec<Result<ColumnAnswer, IoError>>, IoError> {
    let requests = choose(&(format.names)(path, options)?);
    let mut held = options.held;
    let mut answers = Vec::with_capacity(requests.len());
    for ColumnRequest { member, wanted } in requests {
        let location = Location { path: path.to_path_buf(), member };
        let dtype = match wanted {
            ColumnReading::Elements(dtype) => Some(dtype),
            ColumnReading::Found | ColumnReading::Dates | ColumnReading::Times | ColumnReading::Words => None,
        };
        let options = ReadOptions { dtype, cells: wanted, held, ..options.clone() };
        let answer = match kept {
            ReadUpTo::Elements => (format.read)(&location, &options).map(ColumnAnswer::from),
            ReadUpTo::Header => (format.header)(&location, &options).map(ColumnAnswer::from),
        };
        let read = answer.as_ref().ok().and_then(|answer| answer.array.as_ref());
        held += read.filter(|array| array.mapping().is_none()).map_or(0, |array| array.buffer().len());
        answers.push(answer);
    }
    Ok(answers)
}
