//! Arrays to files, in the format that the name of the file tells.

use super::encode::{NamedArray, NumberStyle};
use super::error;
use super::write::{StagedFile, StoppableWriter, Target, UnfinishedFile};
use super::{FORMATS, IoError, npy, table, unknown_format};
use crate::array::mapping::{Mapping, MappingState};
use crate::array::{Array, extent};
use crate::diagnostic::codes::running;
use crate::source::stop::Stop;
use crate::types::dtype::DType;

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
    stage(target, &[NamedArray { name: &stem, array }], NumberStyle::default(), stop)?.replace()
}

/// Writes arrays beside a prepared target, whose place they take by [`StagedFile::replace`]: whoever writes several
/// files replaces none unless all are there.
///
/// # Errors
/// When they do not fit the format, the system refuses, or one lies in a file that became shorter.
pub fn stage(
    target: &Target,
    arrays: &[NamedArray<'_>],
    style: NumberStyle,
    stop: Stop,
) -> Result<StagedFile, IoError> {
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
        let out = &mut StoppableWriter { out, stop };
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
            let what = format!(
                "became shorter while it was in use: `{}` is not written",
                error::printable_path(target.path())
            );
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
pub fn begin(target: &Target, dtype: DType, shape: &[usize]) -> Result<Option<UnfinishedFile>, IoError> {
    match (target.format().extension, extent(shape, dtype.size())) {
        ("npy", Some((_, bytes))) => target.begin(&npy::preamble(dtype, shape), bytes as u64),
        _ => Ok(None),
    }
}
