//! Options of reading tables or streams, with those of writing values.

use super::args::ExecutionArgs;
use super::formats::ValueFormat;
use crate::array::show::Show;
use crate::exec;
use crate::io::table::TableOptions;
use crate::io::{FORMATS, Format};
use std::num::NonZeroUsize;

impl ExecutionArgs {
    /// How arrays are printed.
    pub(super) fn show(&self) -> Show {
        let usual = Show::default();
        let digits = self.precision.map_or(usual.digits, usize::from);
        Show { digits, threshold: self.threshold.unwrap_or(usual.threshold), ..usual }
    }

    /// The format of arrays on standard output.
    pub(super) fn standard(&self) -> &'static Format {
        let extension = match self.format.unwrap_or_default() {
            ValueFormat::Text | ValueFormat::Npy => "npy",
            ValueFormat::Json => "json",
            ValueFormat::Csv => "csv",
        };
        FORMATS.iter().find(|format| format.extension == extension).unwrap_or(&FORMATS[0])
    }

    /// How tables are read.
    pub(super) fn tables(&self) -> TableOptions {
        let ExecutionArgs { no_header, missing, delimiter, .. } = *self;
        let threads = self.threads().map_or_else(exec::available_threads, NonZeroUsize::get);
        TableOptions { header: !no_header, missing, delimiter, threads }
    }
}
