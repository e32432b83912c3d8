//! The page of the REPL, in Markdown: the commands are those of the table.

use super::{TABLE, general};
use std::fmt::Write;

/// What is to be known before any command.
const OPENING: &str = "\
# The REPL

`arr` on a terminal, or `arr repl`, which also reads a pipe: values go to standard output, what is wrong to standard
error, and an input that fails leaves nothing behind. Statements and expressions are those of a script. `_` is the last
value, `_3` the value of the third input; a `;` at the end of a line silences it.

Lines that begin with `:` are commands. The beginning of a name will do where it is clear (`:ty x`). Commands about an
expression check or compute it with the names of the session, and define none. What a command changes, `:undo` takes
back.
";

/// `arr doc repl`
pub(in super::super) fn chapter() -> String {
    let mut text = OPENING.to_owned();
    for row in TABLE {
        let _ = write!(text, "\n## `{}`\n\n{}.", row.usage(), general::sentence(row.help));
        if !row.aliases.is_empty() {
            let names: Vec<String> = row.aliases.iter().map(|name| format!("`:{name}`")).collect();
            let _ = write!(text, " Also {}.", names.join(", "));
        }
        let _ = write!(text, "\n\n```text\n{}```\n", general::examples(row));
    }
    text
}
