//! The page of the REPL, in Markdown: the commands are those of the table.

use super::super::habits::{self, HabitMeaning};
use super::{TABLE, general};
use std::fmt::Write;

/// What is to be known before any command.
const OPENING: &str = "\
# The REPL

`arr` opens a session at a terminal. `arr repl` does so too, and can also read its input from a pipe. Values go to standard
output, errors and warnings to standard error. An input that fails changes nothing; on a pipe it makes the exit code 1.

You type the statements and expressions of a script. `x = 3` defines `x`, as `let x = 3` does. Such a name may get another
value at any time, also of another type; `x += 1` and `x[0] = 1` work too. A variable, `var x = 3`, keeps its dtype as in a
script. At a terminal, a faint line shows the types of new names. `_` is the last value, and `_3` is the value of the third
input. If an input ends with `;`, its value is not shown.

An input that is not complete continues on the next line, after `...>`. Backspace at the beginning of that line joins it to
the line before. Long pages are shown in the program that `$PAGER` names, or in `less`. With `PAGER=cat` they are printed.

Lines that begin with `:` are commands. You may shorten the name of a command while it stays clear: `:ty x`. A command about
an expression checks or computes it with the names of the session, and defines no name. `:undo` takes back what a command
changed.
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
        "\n## Habits\n\nCommands of other prompts work here too, or tell you what to do. A name of the session with the \
                    same spelling comes first.\n\n| typed | here |\n| --- | --- |\n"
            .to_owned();
    for row in habits::TABLE {
        let words: Vec<String> = row.words.iter().map(|word| format!("`{}`", row.written(word))).collect();
        let here = match row.means {
            HabitMeaning::Command(command) => format!("`:{command}`"),
            HabitMeaning::Instead(words) => words.to_owned(),
        };
        let _ = writeln!(text, "| {} | {here} |", words.join(" "));
    }
    text
}
