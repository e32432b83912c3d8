//! Limits of a program or of its data.

use crate::array::{MAX_ELEMENTS, MAX_RANK};
use crate::check::{MAX_CALLS, MAX_EXPRESSIONS, MAX_TUPLE};
use crate::cli::thousands::thousands;
use crate::constant::MAX_BITS;
use crate::diagnostic::codes::{self, Row};
use crate::diagnostic::render::{MAX_COLUMNS, MAX_DIAGNOSTICS, MAX_LABELS};
use crate::exec::MAX_THREADS;
use crate::exec::built::MAX_ARRAYS;
use crate::io::text::MAX_SETTINGS;
use crate::io::{
    MAX_FIELDS, MAX_HEADER, MAX_PACKED, MAX_RECORD, MAX_SAFETENSORS_HEADER, NPZ_PACKED_FROM, TABLE_PACKED_FROM,
};
use crate::syntax::{MAX_NAME, MAX_SCRIPT, ast::MAX_DEPTH, number::MAX_DIGITS};
use std::fmt::Write;

/// A limit: of what, how much, and the diagnostic of what is beyond it; some are kept to in silence.
struct Limit {
    of: &'static str,
    most: String,
    code: Option<&'static Row>,
}

fn limit(of: &'static str, most: impl Into<String>, code: &'static Row) -> Limit {
    Limit { of, most: most.into(), code: Some(code) }
}

fn silent(of: &'static str, most: impl Into<String>) -> Limit {
    Limit { of, most: most.into(), code: None }
}

/// A number with commas between thousands.
fn number(number: impl TryInto<u64>) -> String {
    thousands(number.try_into().unwrap_or(u64::MAX))
}

/// A number of bytes that is whole in some unit.
fn bytes(bytes: impl TryInto<u64>) -> String {
    let bytes = bytes.try_into().unwrap_or(u64::MAX);
    match bytes.trailing_zeros() {
        20.. => format!("{} MiB", number(bytes >> 20)),
        10.. => format!("{} KiB", number(bytes >> 10)),
        _ => format!("{} bytes", number(bytes)),
    }
}

fn limits() -> Vec<Limit> {
    use codes::{dtypes, names, running, shapes, syntax};
    vec![
        limit("a script", bytes(MAX_SCRIPT), &running::TOO_LARGE),
        limit("a name", bytes(MAX_NAME), &syntax::TEXT_LIMIT),
        limit("a number", format!("{} digits", number(MAX_DIGITS)), &syntax::TEXT_LIMIT),
        limit("brackets, blocks and operators inside each other", number(MAX_DEPTH), &syntax::NESTING_LIMIT),
        limit("an integer constant", format!("{} bits", number(MAX_BITS)), &dtypes::CONSTANT_TOO_BIG),
        limit("calls inside each other", number(MAX_CALLS), &names::EXPANSION_LIMIT),
        limit(
            "expressions, after every call is replaced by its body",
            number(MAX_EXPRESSIONS),
            &names::EXPANSION_LIMIT,
        ),
        limit("a tuple", format!("{} values", number(MAX_TUPLE)), &names::EXPANSION_LIMIT),
        limit("axes of an array", number(MAX_RANK), &shapes::RANK_LIMIT),
        limit("elements of an array", format!("2^{}", MAX_ELEMENTS.ilog2()), &shapes::TOO_LARGE),
        limit("memory of all arrays", "4/5 of the machine's, or `--max-mem SIZE`", &running::OUT_OF_MEMORY),
        limit("the header of a `.npy` file", bytes(MAX_HEADER), &running::TOO_LARGE),
        limit(
            "a record of a table",
            format!("{}, {} fields", bytes(MAX_RECORD), number(MAX_FIELDS)),
            &running::TOO_LARGE,
        ),
        limit(
            "what a packed table or a member of a `.npz` file unpacks to",
            format!(
                "{} times its length, or {} of a table and {} of a member",
                number(MAX_PACKED),
                bytes(TABLE_PACKED_FROM),
                bytes(NPZ_PACKED_FROM)
            ),
            &running::TOO_LARGE,
        ),
        limit("an `arr.toml`, or the file of a system", bytes(MAX_SETTINGS as u64), &running::TOO_LARGE),
        limit("the header of a `.safetensors` file", bytes(MAX_SAFETENSORS_HEADER), &running::TOO_LARGE),
        limit("inputs and outputs of a library that `arr run` calls", number(MAX_ARRAYS), &running::TOO_LARGE),
        silent("`--threads`", number(MAX_THREADS)),
        silent("diagnostics shown in one run", number(MAX_DIAGNOSTICS)),
        silent("labels in one diagnostic", number(MAX_LABELS)),
        silent("characters shown of one line", number(MAX_COLUMNS)),
    ]
}

pub(super) fn chapter() -> String {
    let mut text = include_str!("limits.md").to_owned();
    text += "| | at most | error beyond it |\n| --- | --- | --- |\n";
    for Limit { of, most, code } in limits() {
        let beyond = code.map_or_else(String::new, |row| format!("{} `{}`", row.id, row.name));
        let _ = writeln!(text, "| {of} | {most} | {beyond} |");
    }
    text
}
