//! Arrays as the bytes of a file: one format a file, each for one array or for several under their names.
//!
//! Whether arrays fit a format is asked before anything is written. Writing goes through [`super::write`], so the old
//! file or the new one is always complete.
//!
//! ```
//! use arrlang::{array::Array, io::{self, encode::{NamedArray, NumberStyle}}};
//! let path = std::env::temp_dir().join(format!("arr-doc-{}.csv", std::process::id()));
//! let (a, b) = (Array::from_elements(&[2], &[1i32, 2]), Array::from_elements(&[2], &[0.5f64, 1.5]));
//! let named = [NamedArray { name: "a", array: &a }, NamedArray { name: "b", array: &b }];
//! io::stage(&io::prepare(&path)?, &named, NumberStyle::default(), Default::default())?.replace()?;
//! assert_eq!(std::fs::read_to_string(&path).unwrap(), "a,b\n1,0.5\n2,1.5\n");
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), arrlang::io::IoError>(())
//! ```

pub(super) mod json;
pub(super) mod npz;
pub(super) mod png;
pub(super) mod table;

use crate::array::Array;
use std::io::{self, Write};

/// An array under its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedArray<'a> {
    /// Its name, or what it was computed by.
    pub name: &'a str,
    /// The array.
    pub array: &'a Array,
}

/// How numbers are written as text.
#[derive(Clone, Copy, Debug, Default)]
pub struct NumberStyle {
    /// Digits of a float after the point; as many as it takes to read the same number back, where it is absent.
    pub digits: Option<usize>,
}

/// How a format is written.
#[derive(Clone, Copy, Debug)]
pub struct Encoder {
    /// Whether a file holds several arrays.
    pub several: bool,
    /// Why these arrays do not fit, in words that follow "cannot be written: ".
    pub fits: fn(&[NamedArray<'_>]) -> Result<(), String>,
    /// Writes them.
    pub write: fn(&[NamedArray<'_>], NumberStyle, &mut dyn Write) -> io::Result<()>,
}

/// Whatever there is, if it is one array.
pub(super) fn one(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    if arrays.len() == 1 { Ok(()) } else { Err(format!("it holds one array, not {}", arrays.len())) }
}

/// Arrays under different names.
pub(super) fn distinct(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    let twice = arrays.iter().enumerate().find(|(at, it)| arrays[..*at].iter().any(|other| other.name == it.name));
    twice.map_or(Ok(()), |(_, it)| Err(format!("two arrays have the name `{}`", it.name)))
}

/// The type of an array as messages write it.
pub(super) fn type_of(array: &Array) -> String {
    let sizes: Vec<String> = array.shape().iter().map(usize::to_string).collect();
    format!("{}[{}]", array.dtype(), sizes.join(", "))
}
