//! The options that say how tables and streams are read, and how values are written.

use super::args::{Running, ValueFormat};
use crate::array::show::Show;
use crate::exec;
use crate::io::table::TableOptions;
use crate::io::{FORMATS, Format};
use std::num::NonZeroUsize;

/// `;`, `tab`, `blank`
pub(super) fn delimiter(text: &str) -> Result<u8, String> {
    match text.as_bytes() {
        b"tab" | b"\\t" => Ok(b'\t'),
        b"blank" | b" " => Ok(b' '),
        [byte] if byte.is_ascii() && !byte.is_ascii_alphanumeric() && !b"\"\r\n.+-".contains(byte) => Ok(*byte),
        _ => Err("write one character that no number has, such as `;`, or `tab`, or `blank`".to_owned()),
    }
}

/// `csv`
pub(super) fn format(text: &str) -> Result<&'static Format, String> {
    let readable = || FORMATS.iter().filter(|format| format.can_read());
    let known = || readable().map(|format| format.extension).collect::<Vec<_>>().join(", ");
    readable().find(|format| format.extension == text).ok_or_else(|| format!("known are {}", known()))
}

/// `5000`, `all`
pub(super) fn threshold(text: &str) -> Result<usize, String> {
    match text {
        "all" => Ok(usize::MAX),
        _ => text.parse().map_err(|_| "write a number of elements, or `all`".to_owned()),
    }
}

impl Running {
    /// How arrays are printed.
    pub(super) fn show(&self) -> Show {
        let usual = Show::default();
        let digits = self.precision.map_or(usual.digits, usize::from);
        Show { digits, threshold: self.threshold.unwrap_or(usual.threshold), ..usual }
    }

    /// The format of arrays on standard output.
    pub(super) fn standard(&self) -> &'static Format {
        let extension = match self.format {
            ValueFormat::Text | ValueFormat::Npy => "npy",
            ValueFormat::Json => "json",
            ValueFormat::Csv => "csv",
        };
        FORMATS.iter().find(|format| format.extension == extension).unwrap_or(&FORMATS[0])
    }

    /// How tables are read.
    pub(super) fn tables(&self) -> TableOptions {
        let Running { no_header, missing, delimiter, .. } = *self;
        let threads = self.threads().map_or_else(exec::available_threads, NonZeroUsize::get);
        TableOptions { header: !no_header, missing, delimiter, threads }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiters_are_characters_that_no_number_has() {
        assert_eq!([delimiter(";"), delimiter("tab"), delimiter("blank")], [Ok(b';'), Ok(b'\t'), Ok(b' ')]);
        assert!(["", "1", "a", "\"", "ab", "é", "-"].iter().all(|text| delimiter(text).is_err()));
    }
}
