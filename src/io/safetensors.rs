//! `.safetensors`: named arrays behind a header in JSON.
//!
//! ```text
//! length of the header, 8 bytes | {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …} | data
//! ```
//!
//! The arrays must lie one after the other and fill the file exactly; together with the sizes that follow from dtype
//! and shape, this leaves a file nothing to lie about. Arrays are mapped.

use super::encode::{NamedArray, NumberStyle};
use super::error::{IoError, Warning, size};
use super::file::{OpenFile, spare};
use super::npy::{in_memory_form, windows};
use super::npy_header::StoredDType;
use super::{Header, LoadedArray, Location, ReadOptions, checked_extent, no_member};
use crate::array::{Array, Buffer, c_strides};
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use serde_json::Value;
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

/// Longest header that is read: a million tensors have less.
pub const MAX_HEADER: u64 = 64 << 20;

/// Where an array lies.
struct TensorRange {
    header: Header,
    offset: u64,
    bytes: usize,
}

/// The members.
pub(super) fn names(source: &OpenFile) -> Result<Vec<String>, IoError> {
    let (text, _) = header_text(source, &ReadOptions::default())?;
    Ok(tensors(source.path(), &text)?.into_keys().take(1000).collect())
}

/// Dtype and shape of a member.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<(Header, Vec<Warning>), IoError> {
    let source = options.open(&location.path)?;
    Ok((find(&source, location, options)?.header, Vec::new()))
}

/// A member.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<LoadedArray, IoError> {
    let source = options.open(&location.path)?;
    let TensorRange { header: Header { dtype, shape }, offset, bytes } = find(&source, location, options)?;
    let whole = location.whole();
    let buffer = if options.copy {
        options.afford(&whole, bytes)?;
        Buffer::Owned(source.read(offset, bytes)?)
    } else {
        source.map(offset, bytes, windows(dtype, options), options)?
    };
    let buffer = in_memory_form(buffer, StoredDType { dtype, swapped: false }, &whole, options)?;
    let strides = c_strides(&shape, dtype.size());
    let array = Array::new(dtype, shape, strides, 0, Arc::new(buffer));
    Ok(LoadedArray { array, warnings: Vec::new(), notes: Vec::new(), watch: Some(source.watch()) })
}

fn bad<T>(path: &Path, what: impl AsRef<str>) -> Result<T, IoError> {
    Err(IoError::data(&running::BAD_ARRAY_FILE, path, what))
}

fn find(source: &OpenFile, location: &Location, options: &ReadOptions) -> Result<TensorRange, IoError> {
    let path = &location.path;
    let (text, data) = header_text(source, options)?;
    let tensors = tensors(path, &text)?;
    check_spans(path, &tensors, source.len() - data)?;
    let wanted = match &location.member {
        Some(name) => tensors.get(name),
        None if tensors.len() == 1 => tensors.values().next(),
        None => None,
    };
    let Some(tensor) = wanted.and_then(|text| tensor(text)) else {
        let total = tensors.len();
        let names: Vec<String> = tensors.into_keys().take(1000).collect();
        return Err(no_member(location, "array", (&names, total)));
    };
    let Some([start, end]) = span(&tensor) else { return without_span(path) };
    let whole = location.whole();
    let named = tensor.get("dtype").and_then(Value::as_str).unwrap_or_default();
    let Some(dtype) = dtype_of(named) else {
        let what =
            format!("holds elements of dtype `{}`: not supported", super::error::printable_path(Path::new(named)));
        return Err(IoError::data(&running::UNSUPPORTED_FILE_DTYPE, &whole, what));
    };
    let lengths = tensor.get("shape").and_then(Value::as_array);
    let lengths: Option<Vec<u64>> = lengths.and_then(|lengths| lengths.iter().map(Value::as_u64).collect());
    let Some(lengths) = lengths else {
        return bad(&whole, "has no shape of whole numbers");
    };
    let (shape, bytes) = checked_extent(&whole, &lengths, dtype)?;
    if end - start != bytes as u64 {
        let (needed, there) = (size(bytes as u64), size(end - start));
        return bad(&whole, format!("needs {needed} by its dtype and shape, but {there} belong to it"));
    }
    Ok(TensorRange { header: Header { dtype, shape }, offset: data + start, bytes })
}

/// What stands in the header, and where the data begins.
fn header_text(source: &OpenFile, options: &ReadOptions) -> Result<(Vec<u8>, u64), IoError> {
    let path = source.path();
    let Ok(prefix) = <[u8; 8]>::try_from(source.up_to(0, 8)?) else {
        return bad(path, "is too short to be a .safetensors file");
    };
    let declared = u64::from_le_bytes(prefix);
    if declared > source.len() - 8 {
        return bad(
            path,
            format!("says that its header has {declared} bytes, but the whole file has {}", source.len()),
        );
    }
    if declared > MAX_HEADER {
        let what = format!("has a header of {}; at most {} are read", size(declared), size(MAX_HEADER));
        return Err(IoError::data(&running::TOO_LARGE, path, what));
    }
    // The text, and the places of its entries.
    let needed = declared as usize * TIMES;
    options.afford(path, needed)?;
    spare(path, needed)?;
    Ok((source.up_to(8, declared as usize)?, 8 + declared))
}

/// To read a header takes at most this many times its length in memory: an entry has at least 26 bytes.
const TIMES: usize = 6;

/// The entries of a header, none of them read.
fn tensors<'t>(path: &Path, text: &'t [u8]) -> Result<BTreeMap<String, &'t RawValue>, IoError> {
    match serde_json::from_slice::<BTreeMap<String, &RawValue>>(text) {
        Ok(tensors) if has_twice(text, &tensors) => bad(path, "has the name of an array twice in its header"),
        Ok(mut tensors) => {
            // Free text about the file.
            tensors.remove("__metadata__");
            Ok(tensors)
        }
        Err(_) => bad(path, "has a header that is no JSON object"),
    }
}

/// Whether a header names an entry twice. Only the last such entry is known, so the text between two known entries is
/// longer than a name.
fn has_twice(text: &[u8], tensors: &BTreeMap<String, &RawValue>) -> bool {
    let place = |entry: &RawValue| entry.get().as_ptr().addr() - text.as_ptr().addr();
    let mut places: Vec<(usize, usize)> = tensors.values().map(|entry| (place(entry), entry.get().len())).collect();
    places.sort_unstable();
    let mut end = 0;
    places.into_iter().any(|(begin, len)| {
        // A brace or a comma, a name, a colon.
        let name = text[end..begin].trim_ascii().get(1..).and_then(|behind| behind.strip_suffix(b":"));
        end = begin + len;
        name.is_none_or(|name| serde_json::from_slice::<String>(name).is_err())
    })
}

/// Longest entry: a dtype, 32 lengths and two offsets are far less. A longer one would be many times larger in memory.
const MAX_ENTRY: usize = 16 << 10;

/// An entry; `None` when it cannot be one.
fn tensor(text: &RawValue) -> Option<Value> {
    let text = text.get();
    if text.len() > MAX_ENTRY { None } else { serde_json::from_str(text).ok() }
}

/// The bytes that belong to an array, counted from where the data begins.
fn span(tensor: &Value) -> Option<[u64; 2]> {
    match tensor.get("data_offsets")?.as_array()?.as_slice() {
        [start, end, ..] => Some([start.as_u64()?, end.as_u64()?]),
        _ => None,
    }
}

fn without_span<T>(path: &Path) -> Result<T, IoError> {
    bad(path, "has an array without `data_offsets` in its header")
}

/// The bytes of the arrays must follow one another and fill the data.
fn check_spans(path: &Path, tensors: &BTreeMap<String, &RawValue>, len: u64) -> Result<(), IoError> {
    let mut spans = Vec::new();
    for text in tensors.values() {
        let Some(span) = tensor(text).as_ref().and_then(span) else { return without_span(path) };
        spans.push(span);
    }
    spans.sort_unstable();
    let mut at = 0;
    for [start, end] in spans {
        if start != at || end < start {
            return bad(path, "has arrays that overlap or leave gaps");
        }
        at = end;
    }
    if at > len {
        let what = format!("is cut short: its header needs {} of data, but it holds {}", size(at), size(len));
        return Err(IoError::data(&running::TRUNCATED_FILE, path, what));
    }
    if at < len {
        return bad(path, format!("has {} that belong to no array", size(len - at)));
    }
    Ok(())
}

/// The dtype of a name in a header: `F32`, `BF16`, `BOOL`.
fn dtype_of(name: &str) -> Option<DType> {
    DType::ALL.into_iter().find(|dtype| dtype.row().safetensors == Some(name))
}

/// Whether all have names of their own and dtypes that the format has.
pub(super) fn fits(arrays: &[NamedArray<'_>]) -> Result<(), String> {
    let lacking = arrays.iter().find(|it| it.array.dtype().row().safetensors.is_none());
    lacking.map_or_else(
        || super::encode::distinct(arrays),
        |it| Err(format!("`{}` is {}, which the format lacks", it.name, it.array.dtype())),
    )
}

/// The header, padded so that the data begins at a multiple of 8, and the elements one array after the other.
pub(super) fn write(arrays: &[NamedArray<'_>], _: NumberStyle, out: &mut dyn Write) -> io::Result<()> {
    let mut header = serde_json::Map::new();
    let mut at = 0;
    for NamedArray { name, array } in arrays {
        let end = at + array.len() * array.dtype().size();
        let dtype = array.dtype().row().safetensors;
        let entry = serde_json::json!({ "dtype": dtype, "shape": array.shape(), "data_offsets": [at, end] });
        header.insert((*name).to_owned(), entry);
        at = end;
    }
    let mut header = Value::Object(header).to_string().into_bytes();
    header.resize(header.len().next_multiple_of(8), b' ');
    out.write_all(&(header.len() as u64).to_le_bytes())?;
    out.write_all(&header)?;
    arrays.iter().try_for_each(|it| super::gather::each_chunk(it.array, |bytes| out.write_all(bytes)))
}
