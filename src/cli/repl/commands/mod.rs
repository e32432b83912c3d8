//! The commands: lines that begin with `:`. Each is a row; help and completion are printed from the rows.

mod bits;
mod chapter;
mod expression;
mod files;
mod general;
mod names;
mod pages;
mod plot;
mod scripts;
pub(super) mod settings;
mod stages;
mod stats;
mod time;
mod types;
mod words;

pub(super) use chapter::chapter;

use super::AfterInput;
use super::shell::Shell;
use crate::diagnostic::suggest::closest;

/// A command.
pub(super) struct CommandRow {
    /// Without the colon.
    pub(super) name: &'static str,
    /// Other names, without the colon.
    pub(super) aliases: &'static [&'static str],
    /// What follows the name: `EXPR`, `[EXPR]`, `FILE [as NAME]`; empty when nothing does. What is not in brackets must
    /// be there.
    pub(super) argument: &'static str,
    /// One line for `:help`.
    pub(super) help: &'static str,
    /// Lines to type, each with what it does.
    pub(super) examples: &'static [(&'static str, &'static str)],
    /// Does it. The text is what follows the name, without blanks at its ends.
    pub(super) run: fn(&mut Shell, &str) -> AfterInput,
}

impl CommandRow {
    /// `:load FILE [as NAME]`
    pub(super) fn usage(&self) -> String {
        format!(":{} {}", self.name, self.argument).trim_end().to_owned()
    }

    /// Whether something must follow the name.
    fn needs_argument(&self) -> bool {
        let mut depth = 0;
        self.argument.chars().any(|c| {
            depth += i32::from(c == '[') - i32::from(c == ']');
            depth == 0 && c.is_alphabetic()
        })
    }
}

/// All commands, in the order of `:help`.
pub(super) const TABLE: &[CommandRow] = &[
    CommandRow {
        name: "help",
        aliases: &["?"],
        argument: "[COMMAND]",
        help: "list the commands, or show one with examples",
        examples: &[(":help", "all commands"), (":help bits", "one command with examples")],
        run: general::help,
    },
    CommandRow {
        name: "type",
        aliases: &["t"],
        argument: "EXPR",
        help: "show dtype, weakness and shape; nothing runs",
        examples: &[
            (":type x * 2", "the type of an array"),
            (":type 1.5", "a weak type, and the dtype that it gets alone"),
        ],
        run: types::type_of,
    },
    CommandRow {
        name: "why",
        aliases: &[],
        argument: "[EXPR]",
        help: "explain the dtype of EXPR, or the last input",
        examples: &[
            (":why x * 0.1f64", "how the operands meet, step by step"),
            (":why", "the dtype and the findings of the last input"),
        ],
        run: types::why,
    },
    CommandRow {
        name: "compare",
        aliases: &[],
        argument: "EXPR",
        help: "show the type in every current system",
        examples: &[(":compare x + 1.5", "one line for each system")],
        run: types::compare,
    },
    CommandRow {
        name: "mode",
        aliases: &[],
        argument: "[all|safe|none]",
        help: "show or set how strict the check of promotions is",
        examples: &[(":mode safe", "lossy promotions are errors"), (":mode", "shows the mode")],
        run: settings::mode,
    },
    CommandRow {
        name: "system",
        aliases: &[],
        argument: "[SYSTEM]",
        help: "show or set the promotion system",
        examples: &[
            (":system numpy", "promotes as NumPy does from here on"),
            (":system my.toml", "promotes by a lattice of your own"),
            (":system", "shows the system"),
        ],
        run: settings::system,
    },
    CommandRow {
        name: "width",
        aliases: &[],
        argument: "[32|64|own]",
        help: "show or set the default width of weak values",
        examples: &[(":width 32", "`1.5` alone is f32"), (":width own", "the width is that of the system")],
        run: settings::width,
    },
    CommandRow {
        name: "checked",
        aliases: &[],
        argument: "[on|off]",
        help: "show or set whether integer overflow is an error",
        examples: &[(":checked on", "`x // 0` is an error")],
        run: settings::set_checked,
    },
    CommandRow {
        name: "set",
        aliases: &[],
        argument: "[SETTING [VALUE]]",
        help: "show all settings, or show or change one",
        examples: &[
            (":set", "all settings"),
            (":set max-mem 2G", "arrays take at most 2 GiB"),
            (":set precision-loss deny", "a finding is an error"),
        ],
        run: settings::set,
    },
    CommandRow {
        name: "vars",
        aliases: &["who"],
        argument: "",
        help: "list the names, with types and sizes",
        examples: &[(":vars", "every name, its type, and its size in bytes")],
        run: names::vars,
    },
    CommandRow {
        name: "load",
        aliases: &[],
        argument: "FILE [as NAME]",
        help: "read arrays from a file",
        examples: &[
            (":load y.npy", "defines y, the name of the file"),
            (":load table.csv:price as p", "defines p, one column of the table"),
            (":load table.csv", "defines every column under its own name"),
            (":load table.csv --missing -1", "reads a table as an option of `arr run` says"),
        ],
        run: files::load,
    },
    CommandRow {
        name: "save",
        aliases: &[],
        argument: "EXPR FILE",
        help: "write a value to a file",
        examples: &[
            (":save x x2.npy", "writes an array as it is"),
            (":save f32(x / 2) \"half x.npy\"", "writes any expression; quotes allow blanks in the name"),
        ],
        run: files::save,
    },
    CommandRow {
        name: "run",
        aliases: &[],
        argument: "FILE [NAME=VALUE…]",
        help: "run a script as if it were typed",
        examples: &[
            (":run script.arr", "runs it; its names stay"),
            (":run script.arr gain=2.5", "runs it with a value for an input"),
        ],
        run: scripts::run,
    },
    CommandRow {
        name: "edit",
        aliases: &[],
        argument: "[NAME]",
        help: "edit the last input, or what defines NAME",
        examples: &[
            (":edit", "opens the last input in $VISUAL, $EDITOR, vi or nano; what you save is run"),
            (":edit x", "opens the statement that defines x"),
        ],
        run: scripts::edit,
    },
    CommandRow {
        name: "doc",
        aliases: &[],
        argument: "[NAME]",
        help: "show the page of a builtin, system, finding or name",
        examples: &[
            (":doc sum", "a builtin"),
            (":doc numpy", "a promotion system"),
            (":doc precision-loss", "a finding"),
            ("x?", "the same as `:doc x`"),
        ],
        run: pages::doc,
    },
    CommandRow {
        name: "table",
        aliases: &[],
        argument: "[OP]",
        help: "show the promotion table of OP, or of +",
        examples: &[(":table", "the table of `+`"), (":table sqrt", "the table of `sqrt`")],
        run: pages::table,
    },
    CommandRow {
        name: "lattice",
        aliases: &[],
        argument: "[DTYPE…]",
        help: "draw the lattice of the system; mark dtypes in it",
        examples: &[(":lattice", "the whole lattice"), (":lattice i8 u32", "how i8 and u32 meet")],
        run: pages::lattice,
    },
    CommandRow {
        name: "time",
        aliases: &[],
        argument: "EXPR",
        help: "measure how long compiling and running take",
        examples: &[(":time sum(x * x)", "time, time per element, memory read and written")],
        run: time::time,
    },
    CommandRow {
        name: "bits",
        aliases: &[],
        argument: "EXPR",
        help: "show bits, exact decimal value, neighbours",
        examples: &[
            (":bits 0.1f32", "sign, exponent and significand"),
            (":bits -5i8", "two's complement"),
            (":bits x", "the bits of the first elements"),
        ],
        run: bits::show,
    },
    CommandRow {
        name: "stats",
        aliases: &[],
        argument: "EXPR",
        help: "show smallest, mean and largest element; count nan",
        examples: &[(":stats x", "min, mean and max, and the number of nan")],
        run: stats::stats,
    },
    CommandRow {
        name: "plot",
        aliases: &[],
        argument: "[FORM] EXPR[, EXPR]",
        help: "draw a line, points for `x, y`, or a histogram",
        examples: &[
            (":plot y", "y over its index"),
            (":plot x, y", "a point for each x and y"),
            (":plot line x, y", "a line from point to point"),
            (":plot hist y", "a histogram: how often values occur"),
        ],
        run: plot::plot,
    },
    CommandRow {
        name: "hist",
        aliases: &[],
        argument: "EXPR",
        help: "draw a histogram: how often values occur",
        examples: &[(":hist y", "the same as `:plot hist y`; `:history` lists inputs")],
        run: plot::hist,
    },
    CommandRow {
        name: "ir",
        aliases: &[],
        argument: "EXPR",
        help: "show the typed program",
        examples: &[(":ir x * 2 + 1", "operations and conversions, one on each line")],
        run: stages::ir,
    },
    CommandRow {
        name: "kernel",
        aliases: &[],
        argument: "EXPR",
        help: "show the fused loops",
        examples: &[(":kernel x * 2 + 1", "what runs in one pass over the data")],
        run: stages::kernel,
    },
    CommandRow {
        name: "plan",
        aliases: &[],
        argument: "EXPR",
        help: "show the buffers and the order of the loops",
        examples: &[(":plan x * 2 + 1", "where every array lies, and for how long")],
        run: stages::plan,
    },
    CommandRow {
        name: "body",
        aliases: &[],
        argument: "EXPR",
        help: "show the loops as operations on vectors",
        examples: &[(":body exp(x)", "the same for any processor, with functions written out")],
        run: stages::body,
    },
    CommandRow {
        name: "clif",
        aliases: &[],
        argument: "EXPR",
        help: "show the loops in Cranelift's representation",
        examples: &[(":clif x * 2 + 1", "the code before it becomes machine code")],
        run: stages::clif,
    },
    CommandRow {
        name: "asm",
        aliases: &[],
        argument: "EXPR",
        help: "show the loops in machine code",
        examples: &[(":asm x * 2 + 1", "the code for this processor")],
        run: stages::asm,
    },
    CommandRow {
        name: "history",
        aliases: &[],
        argument: "[N]",
        help: "list the inputs that worked, or the last N of them",
        examples: &[(":history", "all inputs"), (":history 5", "the last five inputs")],
        run: general::history,
    },
    CommandRow {
        name: "undo",
        aliases: &["u"],
        argument: "",
        help: "take back the last input or setting; may be repeated",
        examples: &[(":undo", "what the last input defined is gone")],
        run: general::undo,
    },
    CommandRow {
        name: "reset",
        aliases: &[],
        argument: "",
        help: "forget names and settings; `:undo` brings them back",
        examples: &[(":reset", "the session is as at the start")],
        run: general::reset,
    },
    CommandRow {
        name: "quit",
        aliases: &["exit", "q"],
        argument: "",
        help: "leave the session, as Ctrl-D does",
        examples: &[(":quit", "")],
        run: general::quit,
    },
];

/// Runs a line, which is given without its colon.
pub(super) fn run(shell: &mut Shell, line: &str) -> AfterInput {
    let end = line.find(char::is_whitespace).unwrap_or(line.len());
    let (word, rest) = (&line[..end], line[end..].trim());
    match find(word) {
        Ok(row) if row.argument.is_empty() && !rest.is_empty() => {
            shell.screen.error(&format!("`:{}` takes nothing after it", row.name));
        }
        Ok(row) if row.needs_argument() && rest.is_empty() => {
            let example = row.examples.first().map_or(String::new(), |(line, _)| format!(", such as `{line}`"));
            shell.screen.error(&format!("usage: `{}`{example}", row.usage()));
        }
        Ok(row) => return (row.run)(shell, rest),
        Err(message) => shell.screen.error(&message),
    }
    AfterInput::Continue
}

/// The row that a word names, in full or by a beginning that no other shares; else why there is none.
pub(super) fn find(word: &str) -> Result<&'static CommandRow, String> {
    let exact = TABLE.iter().find(|row| row.name == word || row.aliases.contains(&word));
    if let Some(row) = exact {
        return Ok(row);
    }
    let begins: Vec<&CommandRow> = TABLE.iter().filter(|row| !word.is_empty() && row.name.starts_with(word)).collect();
    match begins.as_slice() {
        [row] => Ok(row),
        [] => {
            let near = closest(word, TABLE.iter().map(|row| row.name));
            let advice =
                near.map_or("`:help` shows what there is".to_owned(), |name| format!("did you mean `:{name}`?"));
            Err(format!("there is no command `:{word}`; {advice}"))
        }
        [first, others @ ..] => {
            let others: Vec<String> = others.iter().map(|row| format!("`:{}`", row.name)).collect();
            Err(format!("`:{word}` may be `:{}` or {}", first.name, others.join(" or ")))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings_stand_for_commands_when_they_are_clear() {
        assert_eq!(find("help").map(|row| row.name), Ok("help"));
        assert_eq!(find("hel").map(|row| row.name), Ok("help"));
        assert_eq!(find("q").map(|row| row.name), Ok("quit"));
        assert_eq!(find("hlep").map(|row| row.name), Err("there is no command `:hlep`; did you mean `:help`?".into()));
        assert!(find("").is_err());
    }

    #[test]
    fn what_must_follow_is_known_from_the_usage() {
        let needs = |name: &str| find(name).is_ok_and(CommandRow::needs_argument);
        assert!(needs("type") && needs("load") && needs("plot") && needs("save") && needs("run"));
        assert!(!needs("help") && !needs("mode") && !needs("vars") && !needs("edit") && !needs("set"));
    }

    #[test]
    fn every_row_has_examples() {
        for row in TABLE {
            assert!(!row.examples.is_empty(), ":{}", row.name);
            assert!(!row.help.ends_with('.'), ":{}", row.name);
        }
    }

    #[test]
    fn no_two_rows_share_a_name() {
        let mut names: Vec<&str> = TABLE.iter().flat_map(|row| row.aliases.iter().copied().chain([row.name])).collect();
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}
