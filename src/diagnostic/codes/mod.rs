//! The one list of diagnostic codes, with a page for each.
//!
//! A row holds a program that raises the code and a corrected one; a test runs both. `arr explain NAME` prints
//! the page. Rows live in one file per hundred of codes.

pub mod dtypes;
pub mod inputs;
pub mod lints;
pub mod loops;
pub mod names;
pub mod running;
pub mod shapes;
pub mod syntax;
pub mod views;

use super::Level;

/// A code with its page.
#[derive(Debug)]
pub struct Row {
    /// `E0301`.
    pub id: &'static str,
    /// `precision-loss`: the same at every level.
    pub name: &'static str,
    /// One line without a full stop.
    pub summary: &'static str,
    /// The level in the modes `all`, `safe` and `none`; errors are denied in each.
    pub levels: [Level; 3],
    /// What a finding is about, in words that others may share: `integers that wrap`. Errors have none.
    pub about: &'static str,
    /// Why it matters and what to do, in a few sentences.
    pub page: &'static str,
    /// A program that raises it.
    pub failing: Example,
    /// The same program, mended.
    pub corrected: Example,
}

impl Row {
    /// Whether it says that a text cannot be read. Findings about notation have codes of the same hundred.
    pub fn is_syntax(&self) -> bool {
        self.id.starts_with("E01") && self.lint().is_none()
    }

    /// The name of a finding, which has levels and can be silenced; nothing for an error.
    pub fn lint(&self) -> Option<&'static str> {
        (self.levels != ERROR).then_some(self.name)
    }
}

/// A program with the command line that it needs.
#[derive(Debug)]
pub struct Example {
    /// The script.
    pub script: &'static str,
    /// Arguments of `arr run`, beginning with bindings such as `x=2`; when empty the program is only checked.
    pub args: &'static [&'static str],
}

/// A script that only needs checking.
pub(crate) const fn script(script: &'static str) -> Example {
    Example { script, args: &[] }
}

/// A script that is run with arguments.
pub(crate) const fn run(script: &'static str, args: &'static [&'static str]) -> Example {
    Example { script, args }
}

/// What no script can show on its own.
pub(crate) const fn unshown() -> Example {
    Example { script: "", args: &[] }
}

/// Levels of what is always an error.
pub(crate) const ERROR: [Level; 3] = [Level::Deny; 3];
/// Levels of what is always a warning.
pub(crate) const WARNING: [Level; 3] = [Level::Warn; 3];
/// Levels of what loses: a warning in `all`, refused in `safe` and `none`.
pub(crate) const LOSS: [Level; 3] = [Level::Warn, Level::Deny, Level::Deny];

/// Declares the rows of one family as statics, and the list of them. `about` stands in the rows of findings alone.
macro_rules! rows {
    ($($(#[$meta:meta])* $row:ident = $kind:ident {
        id: $id:expr,
        name: $name:expr,
        summary: $summary:expr,
        levels: $levels:expr,
        $(about: $about:literal,)?
        page: $page:expr,
        failing: $failing:expr,
        corrected: $corrected:expr,
    };)*) => {
        $($(#[$meta])* pub static $row: super::Row = $kind {
            id: $id,
            name: $name,
            summary: $summary,
            levels: $levels,
            about: concat!($($about)?),
            page: $page,
            failing: $failing,
            corrected: $corrected,
        };)*
        /// All rows of this family, in order.
        pub static ROWS: &[&super::Row] = &[$(&$row),*];
    };
}
pub(crate) use rows;

/// Every row, in the order of the families.
pub fn all() -> impl Iterator<Item = &'static Row> {
    [
        syntax::ROWS,
        names::ROWS,
        dtypes::ROWS,
        shapes::ROWS,
        views::ROWS,
        loops::ROWS,
        inputs::ROWS,
        running::ROWS,
        lints::ROWS,
    ]
    .into_iter()
    .flatten()
    .copied()
}

/// The rows of findings, which have levels and can be silenced.
pub fn findings() -> impl Iterator<Item = &'static Row> {
    all().filter(|row| row.lint().is_some())
}

/// The row with this code (`E0301`, any case) or name (`precision-loss`).
pub fn find(key: &str) -> Option<&'static Row> {
    all().find(|row| row.id.eq_ignore_ascii_case(key) || row.name == key)
}
