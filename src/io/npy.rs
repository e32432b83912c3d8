//! `.npy`: one array, the format of NumPy.
//!
//! Files are mapped, so an array of any size opens at once; every size is compared with the file's length first. Two
//! things force a copy: the other byte order, and a `bool` byte that is neither 0 nor 1 (it counts as true; arrays in
//! memory hold 0 and 1 only, and kernels rely on that).
//!
//! ```
//! use arrlang::{array::Array, io};
//! let path = std::env::temp_dir().join(format!("arr-doc-{}.npy", std::process::id()));
//! io::write(&io::prepare(&path)?, &Array::from_elements(&[3], &[1.5f32, 2.0, 2.5]))?;
//! let (array, _) = io::read(&path, &io::ReadOptions::default())?;
//! assert_eq!(array.to_vec::<f32>(), [1.5, 2.0, 2.5]);
//! # std::fs::remove_file(&path).unwrap();
//! # Ok::<(), io::IoError>(())
//! ```

use super::encode::{NamedArray, NumberStyle};
use super::error::{IoError, Warning, size};
use super::file::OpenFile;
use super::mapped::worthless;
use super::npy_header::{self, HeaderFault, MAX_HEADER, StoredDType, UnreadElements, anonymous};
use super::{Header, LoadedArray, Location, ReadOptions, checked_extent};
use crate::array::bytes::AlignedBytes;
use crate::array::mapping::MappingState;
use crate::array::{Array, Buffer, Strides, c_strides};
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// A header that was compared with its file.
pub(super) struct CheckedHeader {
    /// The dtype and the shape.
    pub(super) header: Header,
    layout: StoredDType,
    fortran: bool,
    /// Where the data begins and how many bytes it has.
    pub(super) data: (u64, usize),
    warnings: Vec<Warning>,
}

/// Dtype and shape without the data.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    let source = options.open(&location.path)?;
    Ok(check(source.path(), &source.up_to(0, START)?, source.len(), options)?.told())
}

/// The array, mapped when it can be.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    let source = options.open(&location.path)?;
    let checked = check(source.path(), &source.up_to(0, START)?, source.len(), options)?;
    checked.load(&source, &location.path, 0, options)
}

/// How many bytes of a file [`check`] wants to see.
pub(super) const START: usize = MAX_HEADER + 12;

/// Reads the header at the start of `len` bytes, which `start` is the first part of, and compares the two.
pub(super) fn check(path: &Path, start: &[u8], len: u64, options: &ReadOptions) -> Result<CheckedHeader, IoError> {
    let fields = npy_header::parse(start, len).map_err(|fault| of_header(path, fault))?;
    let layout = npy_header::layout(&fields.descr, options.dtype)
        .map_err(|what| unsupported(path, Some(&fields.descr), what))?;
    let (shape, bytes) = checked_extent(path, &fields.shape, layout.dtype)?;
    let there = len - fields.data;
    if there < bytes as u64 {
        let (needed, there) = (size(bytes as u64), size(there));
        let what = format!("is cut short: its header needs {needed} of data, but it holds {there}");
        return Err(IoError::data(&running::TRUNCATED_FILE, path, what));
    }
    let extra = there - bytes as u64;
    let said = format!("has {} behind the array its header describes; they are ignored", size(extra));
    let warnings = (extra > 0).then(|| Warning::new(&running::TRAILING_DATA, path, said)).into_iter().collect();
    let header = Header { dtype: layout.dtype, shape };
    Ok(CheckedHeader { header, layout, fortran: fields.fortran, data: (fields.data, bytes), warnings })
}

impl CheckedHeader {
    /// The dtype and the shape, and what should be said about the file.
    pub(super) fn told(self) -> (Header, Vec<Warning>) {
        (self.header, self.warnings)
    }

    /// The array whose file, `path` to the user, begins at `base` of `source`.
    pub(super) fn load(
        self,
        source: &OpenFile,
        path: &Path,
        base: u64,
        options: &ReadOptions,
    ) -> Result<LoadedArray, IoError> {
        let (offset, bytes) = self.data;
        let copies = options.copy || self.layout.swapped;
        if copies {
            options.afford(path, bytes)?;
        }
        let at = base + offset;
        let map = || source.map(at, bytes, windows(self.layout.dtype, options), options);
        let buffer = if copies { Buffer::Owned(source.read(at, bytes)?) } else { map()? };
        self.finish(buffer, source, path, options)
    }

    /// The array whose data, as it stands in the file, is in `buffer`.
    pub(super) fn finish(
        self,
        buffer: Buffer,
        source: &OpenFile,
        path: &Path,
        options: &ReadOptions,
    ) -> Result<LoadedArray, IoError> {
        let buffer = in_memory_form(buffer, self.layout, path, options)?;
        let Header { dtype, shape } = self.header;
        let strides =
            if self.fortran { fortran_strides(&shape, dtype.size()) } else { c_strides(&shape, dtype.size()) };
        let array = Array::new(dtype, shape, strides, 0, Arc::new(buffer));
        Ok(LoadedArray { array, warnings: self.warnings, notes: Vec::new(), watch: Some(source.watch()) })
    }
}

fn of_header(path: &Path, fault: HeaderFault) -> IoError {
    match fault {
        HeaderFault::Bad(what) => IoError::data(&running::BAD_ARRAY_FILE, path, what),
        HeaderFault::TooLarge(what) => IoError::data(&running::TOO_LARGE, path, what),
        HeaderFault::Dtype(what) => unsupported(path, None, what),
    }
}

fn unsupported(path: &Path, descr: Option<&str>, what: UnreadElements) -> IoError {
    let shown = descr.map_or_else(String::new, |descr| format!(" (`{}`)", npy_header::brief(descr)));
    let message = format!("holds {what}{shown}: dtype not supported");
    let error = IoError::data(&running::UNSUPPORTED_FILE_DTYPE, path, message);
    let bytes = descr.unwrap_or_default().trim_start_matches(['<', '>', '|', '=']);
    let is_meant = |dtype: &DType| anonymous(*dtype) && !bytes.is_empty() && dtype.row().descr.ends_with(bytes);
    if let Some(row) = DType::ALL.into_iter().find(is_meant).map(DType::row) {
        let (long, name) = (row.long, row.name);
        return error
            .help(format!("if these are {long} numbers, an input of `{name}[..]` reads them: `NAME:{name}[..]=FILE`"));
    }
    match saved_as(bytes, what) {
        Some(how) => error.help(how),
        None => error,
    }
}

/// How NumPy saves such elements as numbers, where it can.
fn saved_as(bytes: &str, what: UnreadElements) -> Option<&'static str> {
    Some(match bytes.chars().next() {
        Some('M') => "save it as counts of days, `x.astype(\"M8[D]\").astype(\"i8\")`, or of another unit",
        Some('m') => "save it as a count of its unit, `x.astype(\"i8\")`",
        Some('f' | 'c') if what == UnreadElements::LongDoubles => "save it as doubles, `x.astype(\"f8\")` or `\"c16\"`",
        Some('S' | 'U') => {
            "save numbers for the words, `np.unique(x, return_inverse=True)[1]`, or write a table, whose words are read"
        }
        Some('O') => "save it with a dtype, such as `x.astype(\"f8\")`",
        _ if what == UnreadElements::Records => "save each field by itself, `x[\"name\"]`",
        _ => return None,
    })
}

/// Strides of elements of `size` bytes with the first axis fastest.
fn fortran_strides(shape: &[usize], size: usize) -> Strides {
    let reversed: Vec<usize> = shape.iter().rev().copied().collect();
    let mut strides = c_strides(&reversed, size);
    strides.reverse();
    strides
}

/// The bytes from which on elements are read through windows. Truth values never are: all of them are looked at first.
pub(super) fn windows(dtype: DType, options: &ReadOptions) -> Option<usize> {
    options.windows.filter(|_| dtype != DType::Bool)
}

/// Puts bytes into this machine's order and truth values into 0 and 1.
#[expect(clippy::needless_bitwise_bool, reason = "without a branch it becomes vector code")]
pub(super) fn in_memory_form(
    buffer: Buffer,
    layout: StoredDType,
    path: &Path,
    options: &ReadOptions,
) -> Result<Buffer, IoError> {
    // Of a file; memory of somebody else never comes here.
    let Some(bytes) = buffer.bytes() else { return Ok(buffer) };
    let odd = layout.dtype == DType::Bool && !bytes.iter().fold(true, |plain, &byte| plain & (byte <= 1));
    if !odd && !layout.swapped {
        return Ok(buffer);
    }
    let mut owned = match buffer {
        Buffer::Owned(bytes) => bytes,
        Buffer::Mapped(mapping) => {
            let bytes = mapping.bytes();
            options.afford(path, bytes.len())?;
            let mut copy = AlignedBytes::zeroed(bytes.len()).map_err(|missing| IoError::memory(path, missing))?;
            copy.as_mut_slice().copy_from_slice(bytes);
            // The copy does not know where it comes from.
            if mapping.state() == MappingState::Lost {
                return Err(worthless(&*mapping));
            }
            copy
        }
        Buffer::Foreign(_) => return Ok(buffer),
    };
    if layout.swapped {
        owned.as_mut_slice().chunks_exact_mut(layout.dtype.part().size()).for_each(<[u8]>::reverse);
    }
    if odd {
        owned.as_mut_slice().iter_mut().for_each(|byte| *byte = u8::from(*byte != 0));
    }
    Ok(Buffer::Owned(owned))
}

/// Writes an array in C order, whatever its strides.
pub(super) fn write(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let Some(NamedArray { array, .. }) = arrays.first() else { return Ok(()) };
    out.write_all(&preamble(array.dtype(), array.shape()))?;
    super::gather::each_chunk(array, |bytes| out.write_all(bytes))
}

/// Everything before the data: NumPy's version 1.0, padded so that the data begins at a multiple of 64.
pub(super) fn preamble(dtype: DType, shape: &[usize]) -> Vec<u8> {
    let lengths: Vec<String> = shape.iter().map(usize::to_string).collect();
    let comma = if shape.len() == 1 { "," } else { "" };
    let descr = dtype.row().descr;
    let mut text =
        format!("{{'descr': '{descr}', 'fortran_order': False, 'shape': ({}{comma}), }}", lengths.join(", "));
    let unpadded = 10 + text.len() + 1;
    text.extend(std::iter::repeat_n(' ', unpadded.next_multiple_of(64) - unpadded));
    text.push('\n');
    let length = u16::try_from(text.len()).expect("32 lengths fit in a header");
    let mut bytes = npy_header::MAGIC.to_vec();
    bytes.extend([1, 0]);
    bytes.extend(length.to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes
}
