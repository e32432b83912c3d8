//! Tests of bad inputs or faults, named by ids of the list of faults.

mod containers;
mod encode;
mod headers;
mod losses;
mod opening;
mod packed_tables;
mod tables;
mod writing;

use super::file::OpenFile;
use super::watch::{FileWatch, identity};
use super::*;
use crate::array::Array;
use crate::diagnostic::Outcome;
use crate::diagnostic::codes;
use crate::types::dtype::Element;
use std::fs;
use std::io::{Error, Write};
use std::os::unix::fs::{FileTypeExt, MetadataExt, PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().unwrap()
}

/// A `.npy` file of version 1 with this header and data.
fn npy(header: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend((header.len() as u16 + 1).to_le_bytes());
    bytes.extend(header.as_bytes());
    bytes.push(b'\n');
    bytes.extend(data);
    bytes
}

fn header_of(descr: &str, shape: &str) -> String {
    format!("{{'descr': {descr}, 'fortran_order': False, 'shape': {shape}, }}")
}

/// Reads these bytes as a file of their own.
fn read_bytes(bytes: &[u8], options: &ReadOptions) -> Result<(Array, Vec<Warning>), IoError> {
    let folder = folder();
    let path = folder.path().join("a.npy");
    fs::write(&path, bytes).unwrap();
    read(&path, options)
}

fn read_npy(descr: &str, shape: &str, data: &[u8]) -> Result<(Array, Vec<Warning>), IoError> {
    read_bytes(&npy(&header_of(descr, shape), data), &ReadOptions::default())
}

/// The code and the message without the path.
fn fault(result: Result<(Array, Vec<Warning>), IoError>) -> (&'static str, String) {
    let error = result.unwrap_err();
    assert_eq!(
        error.outcome(),
        if matches!(error.kind, FaultOwner::Io(_)) { Outcome::Unreachable } else { Outcome::Refused }
    );
    let message = error.message.rsplit("a.npy` ").next().unwrap().to_string();
    (error.code.name, message)
}

fn bad(bytes: &[u8]) -> String {
    let (code, message) = fault(read_bytes(bytes, &ReadOptions::default()));
    assert_eq!(code, "bad-array-file", "{message}");
    message
}

fn bad_header(header: &str) -> String {
    bad(&npy(header, &[0; 64]))
}

fn save(path: &Path, array: &Array) {
    write(&prepare(path).unwrap(), array).unwrap();
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

fn ramp<T: Element>(count: usize) -> Array {
    let mut bytes = crate::array::bytes::AlignedBytes::zeroed(count * size_of::<T>()).unwrap();
    bytes.as_mut_slice().iter_mut().enumerate().for_each(|(at, byte)| *byte = (at % 2) as u8);
    Array::from_bytes(T::DTYPE, vec![count], bytes)
}

#[test]
fn the_files_of_the_examples_are_what_they_claim() {
    let folder = folder();
    for (name, contents) in codes::running::FILES {
        fs::write(folder.path().join(name), contents).unwrap();
    }
    let outcome = |name: &str| match read(&folder.path().join(name), &ReadOptions::default()) {
        Ok((_, warnings)) => warnings.first().map_or("fine", |warning| warning.code.name),
        Err(error) => error.code.name,
    };
    let expected = [
        ("good.npy", "fine"),
        ("long.npy", "trailing-data"),
        ("short.npy", "truncated-file"),
        ("huge.npy", "too-large"),
        ("objects.npy", "unsupported-file-dtype"),
        ("text.npy", "bad-array-file"),
    ];
    for (name, code) in expected {
        assert_eq!(outcome(name), code, "{name}");
    }
}
