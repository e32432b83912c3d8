//! The page of the REPL, in Markdown: the commands are those of the table.

use super::super::habits::{self, Means};
use super::{TABLE, general};
use std::fmt::Write;

/// What is to be known before any command.
const OPENING: &str = "\
# The REPL

`arr` on a terminal, or `arr repl`, which also reads a pipe: values go to standard output, what is wrong to standard
error, and an input that fails leaves nothing behind. Statements and expressions are those of a script, and `x = 3` defines
`x` as `let x = 3` does: a name may get another value, of another type too, at any time, also by `x += 1` and `x[0] = 1`.
A variable, `var x = 3`, keeps its dtype as in a script. At a terminal the types of new names stand in a faint line. `_` is
the last value, `_3` the value of the third input; a `;` at the end of a line silences it.

An input that is not whole goes on in the next line, behind `...>`; Backspace there joins the lines again. Long pages go
through `$PAGER`, else through `less`; `PAGER=cat` prints them.

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
    text + &habits_table()
}

/// What other prompts have, and what it is here.
fn habits_table() -> String {
    let mut text =
        "\n## Habits\n\nWhat other prompts have works here too, or says what to do, unless a name of the session \
                    is spelled so.\n\n| typed | here |\n| --- | --- |\n"
            .to_owned();
    for row in habits::TABLE {
        let words: Vec<String> = row.words.iter().map(|word| format!("`{}`", row.written(word))).collect();
        let here = match row.means {
            Means::Command(command) => format!("`:{command}`"),
            Means::Instead(words) => words.to_owned(),
        };
        let _ = writeln!(text, "| {} | {here} |", words.join(" "));
    }
    text
}
