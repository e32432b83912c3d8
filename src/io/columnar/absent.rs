//! Columnar files in an `arr` that was built without them: a message that says so.

use super::encode::{NamedArray, NumberStyle};
use super::format::without_tables;
use super::{Header, IoError, LoadedArray, Location, ReadOptions, Warning};
use std::io::{self, Write};
use std::path::Path;

pub(super) fn names(path: &Path, options: &ReadOptions) -> Result<Vec<String>, IoError> {
    options.open(path)?;
    Err(without_tables(path))
}

pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    options.open(&location.path)?;
    Err(without_tables(&location.path))
}

pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    options.open(&location.path)?;
    Err(without_tables(&location.path))
}

pub(super) fn fits(_: &[NamedArray<'_>]) -> Result<(), String> {
    Err("this `arr` was built without the feature `tables`".to_owned())
}

pub(super) fn write_parquet(_: &[NamedArray<'_>], _: NumberStyle, _: &mut dyn Write) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

pub(super) use write_parquet as write_arrow;
