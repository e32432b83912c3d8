//! Messages about the heads of loops. `word` is the one that begins the loop, `repeat` or `scan`.

use super::excerpt::short;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::syntax as code;
use crate::source::Span;

pub(crate) fn missing_count(here: Span, word: &str) -> Diagnostic {
    if word == "scan" {
        return Diagnostic::error(&code::UNEXPECTED_TOKEN, here, "a scan goes through all rows: it has no `while`")
            .label(here, "not in a scan")
            .help("carry a truth value as a state, and keep the others with `where(done, s, …)`");
    }
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, "a loop says first how many steps it takes at most")
        .label(here, "a number belongs before this word")
        .help("write `repeat 1000 while …`: it ends earlier when the condition is false")
}

pub(crate) fn missing_with(here: Span, found: &str, word: &str) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("expected `with`, found {found}"));
    match (found, word) {
        ("`as`", "scan") => {
            report.help("a scan has no counter: scan places beside, `scan x, t = arange(len(x)) with …`")
        }
        ("`as`", _) => {
            report.help("the counter stands before the condition: `repeat 10 as t while x < 1 with x = x0 { … }`")
        }
        ("`{`", "scan") => report.help("a scan carries something: `scan x with s = 0 { (s + x, s + x) }`"),
        ("`{`", _) => report.help(
            "a loop carries something: `repeat 10 as t with x = x0 { … }`; values of the counter alone need no loop: \
             `f(arange(10))`",
        ),
        (_, "scan") => report.help("a scan names what it carries: `scan x with s = 0 { (s + x, s + x) }`"),
        _ => report.help("a loop names what it carries: `repeat 10 with x = x0 { … }`"),
    }
}

/// `with s { … }`
pub(crate) fn missing_start(here: Span, name: &str) -> Diagnostic {
    let name = short(name);
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("the state `{name}` has no first value"))
        .label(here, "a value belongs before this")
        .help(format!(
            "write what it begins with, as in `{name} = 0`; `{name} = {name}` is what the name stands for here"
        ))
}

pub(crate) fn loop_in_expression(here: Span, word: &str) -> Diagnostic {
    let message = format!("a loop is no part of an expression: `{word}` begins a statement, or stands after `=`");
    Diagnostic::error(&code::MISSING_SEPARATOR, here, message)
        .help(format!("give it a name before: `let result = {word} …`"))
}

/// `repeat 3 with x = 1 { … }[0]`
pub(crate) fn behind_brace(here: Span, sign: &str) -> Diagnostic {
    let message = format!("`{sign}` stands behind a `}}`, and a block or a loop is no part of an expression");
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, message)
        .help("give its value a name: `let result = repeat …`, and write `result[…]` or `result.f()` in the next line")
}
