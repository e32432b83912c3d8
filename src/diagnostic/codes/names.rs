//! Codes E02xx: names.

use super::{ERROR, Row, rows, script};

rows! {
    /// A name that nothing defines.
    UNKNOWN_NAME = Row {
        id: "E0201",
        name: "unknown-name",
        summary: "a name that nothing defines",
        levels: ERROR,
        page: "A name is defined by `input`, `let`, `var`, `fn`, or is a builtin. Names are looked up where they are \
               used: a definition further down does not count.",
        failing: script("let x = 1.5\nxx + 1"),
        corrected: script("let x = 1.5\nx + 1"),
    };
}
