//! The target of a format of findings: `--format sarif=FILE`.

use super::formats::CheckFormat;
use clap::ValueEnum;
use std::path::PathBuf;

/// `FORMAT` or `FORMAT=FILE`.
#[derive(Clone, Debug)]
pub(super) struct ReportTarget {
    pub(super) format: CheckFormat,
    pub(super) file: Option<PathBuf>,
}

impl ReportTarget {
    /// Whether it is one of the formats of old, and goes to a stream.
    pub(super) fn is_plain(&self) -> bool {
        self.file.is_none() && counts(self.format)
    }

    /// Whether a program opens the files that it names.
    pub(super) fn is_for_programs(&self) -> bool {
        matches!(self.format, CheckFormat::Json | CheckFormat::Github | CheckFormat::Sarif)
    }

    /// Whether standard output must take it; `text` without a file gives way to what else is to be there.
    pub(super) fn prints(&self) -> bool {
        self.file.is_none() && self.format != CheckFormat::Text
    }
}

/// Reads `FORMAT` or `FORMAT=FILE`.
pub(super) fn target(text: &str) -> Result<ReportTarget, String> {
    let (name, file) = text.split_once('=').map_or((text, None), |(name, file)| (name, Some(file)));
    let format = CheckFormat::from_str(name, false).map_err(|_| {
        let names = CheckFormat::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        let names: Vec<String> = names.map(|value| value.get_name().to_owned()).collect();
        format!("the formats are {}, each also as FORMAT=FILE", names.join(", "))
    })?;
    match file {
        Some("") => Err("a file's name belongs after `=`".to_owned()),
        // `-` is standard output, where a format without a file goes too.
        file => Ok(ReportTarget { format, file: file.filter(|name| *name != "-").map(PathBuf::from) }),
    }
}

/// Whether a format can hold more than diagnostics.
pub(super) fn counts(format: CheckFormat) -> bool {
    matches!(format, CheckFormat::Text | CheckFormat::Concise | CheckFormat::Json)
}
