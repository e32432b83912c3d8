//! Diagnostics as commands of GitHub's workflow log, for lines of a pull request.
//!
//! ```
//! use arrlang::diagnostic::{Diagnostic, codes, github};
//! use arrlang::source::{Sources, Span};
//! let mut sources = Sources::new();
//! let id = sources.add("a,b.arr", "xx + 1\n");
//! let unknown = Diagnostic::error(&codes::names::UNKNOWN_NAME, Span::new(id, 0, 2), "100% no `xx`");
//! assert_eq!(
//!     github::commands([&unknown], &sources),
//!     "::error file=a%2Cb.arr,line=1,col=1,endLine=1,endColumn=3,title=E0201 unknown-name::100%25 no `xx`\n"
//! );
//! ```

use super::place::PlaceFinder;
use super::{Diagnostic, Level};
use crate::source::Sources;
use std::fmt::Write;

/// One line for each diagnostic, help included.
pub fn commands<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &Sources) -> String {
    let mut places = PlaceFinder::new(sources);
    let mut text = String::new();
    for diagnostic in diagnostics {
        let word = match diagnostic.level {
            Level::Deny => "error",
            Level::Warn => "warning",
            Level::Allow => "notice",
        };
        let _ = write!(text, "::{word} ");
        let ends = diagnostic.span().and_then(|span| Some((places.of(span)?, places.of(span.after())?)));
        if let Some((start, end)) = ends {
            let _ = write!(
                text,
                "file={},line={},col={},endLine={},endColumn={},",
                property(start.name),
                start.line,
                start.column,
                end.line,
                end.column
            );
        } else if let Some(file) = &diagnostic.file {
            let _ = write!(text, "file={},", property(file));
        }
        let helps = diagnostic.helps.iter().map(|help| format!("\nHelp: {}", help.text));
        let message = format!("{}{}", diagnostic.message, helps.collect::<String>());
        let code = diagnostic.code;
        let _ = writeln!(text, "title={}::{}", property(&format!("{} {}", code.id, code.name)), data(&message));
    }
    text
}

/// What stands after `::`. Other control characters would reach the terminal of who reads the log; a tab does nothing
/// there, and the name of a file may have one.
fn data(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '%' => escaped.push_str("%25"),
            '\r' => escaped.push_str("%0D"),
            '\n' => escaped.push_str("%0A"),
            '\t' => escaped.push('\t'),
            c if c.is_control() => escaped.extend(c.escape_default()),
            c => escaped.push(c),
        }
    }
    escaped
}

/// The value of a property: `:` and `,` have a meaning there.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}
