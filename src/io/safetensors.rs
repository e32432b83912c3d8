//! `.safetensors`: named arrays behind a header in JSON.
//!
//! ```text
//! length of the header, 8 bytes | {"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}, …} | data
//! ```
//!
//! The arrays must lie one after the other and fill the file exactly; together with the sizes that follow from dtype
//! and shape, this leaves a file nothing to lie about. Arrays are mapped.

use super::error::{IoError, size};
use super::file::Source;
use super::npy::in_memory_form;
use super::npy_header::Layout;
use super::{Header, Loaded, Location, ReadOptions, checked_extent, no_member};
use crate::array::{Array, Buffer, c_strides};
use crate::diagnostic::codes::running;
use crate::types::dtype::DType;
use serde_json::{Map, Value};
use std::path::Path;
use std::sync::Arc;

/// Longest header that is read: a million tensors have less.
pub const HEADER_MOST: u64 = 64 << 20;

/// Where an array lies.
struct Found {
    header: Header,
    offset: u64,
    bytes: usize,
}

/// The members.
pub(super) fn names(source: &Source) -> Result<Vec<String>, IoError> {
    Ok(directory(source)?.0.keys().take(1000).cloned().collect())
}

/// Dtype and shape of a member.
pub(super) fn header(location: &Location, options: &ReadOptions) -> Result<Header, IoError> {
    let source = options.open(&location.path)?;
    Ok(find(&source, location)?.header)
}

/// A member.
pub(super) fn read(location: &Location, options: &ReadOptions) -> Result<Loaded, IoError> {
    let source = options.open(&location.path)?;
    let Found { header: Header { dtype, shape }, offset, bytes } = find(&source, location)?;
    let whole = location.whole();
    let buffer = if options.copy {
        options.afford(&whole, bytes)?;
        Buffer::Owned(source.read(offset, bytes)?)
    } else {
        source.map(offset, bytes, options)?
    };
    let buffer = in_memory_form(buffer, Layout { dtype, swapped: false }, &whole, options)?;
    let strides = c_strides(&shape, dtype.size());
    let array = Array::new(dtype, shape, strides, 0, Arc::new(buffer));
    Ok(Loaded { array, warnings: Vec::new(), watch: source.watch() })
}

fn bad<T>(path: &Path, what: impl AsRef<str>) -> Result<T, IoError> {
    Err(IoError::data(&running::BAD_ARRAY_FILE, path, what))
}

fn find(source: &Source, location: &Location) -> Result<Found, IoError> {
    let path = &location.path;
    let (tensors, data) = directory(source)?;
    let spans = spans(path, &tensors, source.len() - data)?;
    let name = match &location.member {
        Some(name) => Some(name.as_str()),
        None if tensors.len() == 1 => tensors.keys().next().map(String::as_str),
        None => None,
    };
    let Some((tensor, [start, end])) = name.and_then(|name| Some((tensors.get(name)?, *spans.get(name)?))) else {
        let names: Vec<String> = tensors.keys().cloned().collect();
        return Err(no_member(location, "array", &names));
    };
    let whole = location.whole();
    let named = tensor.get("dtype").and_then(Value::as_str).unwrap_or_default();
    let Some(dtype) = dtype_of(named) else {
        let what = format!("holds elements of dtype `{}`: not supported", super::error::shown(Path::new(named)));
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
    Ok(Found { header: Header { dtype, shape }, offset: data + start, bytes })
}

/// The entries of the header, and where the data begins.
fn directory(source: &Source) -> Result<(Map<String, Value>, u64), IoError> {
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
    if declared > HEADER_MOST {
        let what = format!("has a header of {}; at most {} are read", size(declared), size(HEADER_MOST));
        return Err(IoError::data(&running::TOO_LARGE, path, what));
    }
    let text = source.up_to(8, declared as usize)?;
    match serde_json::from_slice(&text) {
        Ok(Value::Object(mut tensors)) => {
            // Free text about the file.
            tensors.shift_remove("__metadata__");
            Ok((tensors, 8 + declared))
        }
        _ => bad(path, "has a header that is no JSON object"),
    }
}

/// The bytes of each array, which must follow one another and fill the data.
fn spans<'a>(
    path: &Path,
    tensors: &'a Map<String, Value>,
    len: u64,
) -> Result<std::collections::HashMap<&'a str, [u64; 2]>, IoError> {
    let mut spans = Vec::new();
    for (name, tensor) in tensors {
        let offsets = tensor.get("data_offsets").and_then(Value::as_array).map(Vec::as_slice);
        let Some([Some(start), Some(end)]) =
            offsets.and_then(|pair| Some([pair.first()?.as_u64(), pair.get(1)?.as_u64()]))
        else {
            return bad(path, "has an array without `data_offsets` in its header");
        };
        spans.push(([start, end], name.as_str()));
    }
    spans.sort_unstable();
    let mut at = 0;
    for ([start, end], _) in &spans {
        if *start != at || end < start {
            return bad(path, "has arrays that overlap or leave gaps");
        }
        at = *end;
    }
    if at > len {
        let what = format!("is cut short: its header needs {} of data, but it holds {}", size(at), size(len));
        return Err(IoError::data(&running::TRUNCATED_FILE, path, what));
    }
    if at < len {
        return bad(path, format!("has {} that belong to no array", size(len - at)));
    }
    Ok(spans.into_iter().map(|(span, name)| (name, span)).collect())
}

/// The dtype of a name in a header: `F32`, `BF16`, `BOOL`.
fn dtype_of(name: &str) -> Option<DType> {
    let plain = name.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    plain.then(|| name.to_ascii_lowercase().parse().ok()).flatten().filter(|dtype| *dtype != DType::C128)
}
