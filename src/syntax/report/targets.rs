//! Messages about what stands on the left of `=`.

use super::excerpt::short;
use super::habits;
use crate::diagnostic::Diagnostic;
use crate::diagnostic::codes::syntax as code;
use crate::source::Span;

/// `a, b = b, a`
pub(crate) fn several_targets(comma: Span, line: &str) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, comma, "one thing is assigned at a time");
    let targets = line.split_once('=').map_or(line, |(targets, _)| targets).trim();
    if targets.split(',').any(|target| target.trim_start().starts_with('*')) {
        return report.help(UNPACKED);
    }
    let is_name = |name: &str| name.trim().chars().all(|c| c.is_alphanumeric() || c == '_');
    match targets.split(',').all(is_name) {
        true => report.help(format!("new names for several values are `let ({}) = …`", short(targets))),
        false => report.help(SWAP),
    }
}

/// What to write for `f(*x)` and `a, *b = x`.
pub(super) const UNPACKED: &str = "nothing is unpacked by `*`: values are taken by position, as in `f(x[0], x[1])`, parts as in \
     `x[1:]`, and `let (a, b, c) = x` names all of them";

/// How elements change places.
const SWAP: &str = "elements change places by a name for one: `let old = a[0]`, then `a[0] = a[1]` and `a[1] = old`";

/// `line` is what stands behind the word: `p, n = 10, 20`.
pub(crate) fn bare_tuple(here: Span, name: &str, word: &str, line: &str) -> Diagnostic {
    let name = short(name);
    let help = match habits::in_parentheses(line) {
        Some(both) => format!("several names, and several values, stand in parentheses: `{word} {both}`"),
        None => format!("several names stand in parentheses: `{word} ({name}, …) = …`"),
    };
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("expected `=` or `:` after `{word} {name}`, found `,`"))
        .help(help)
}

pub(crate) fn invalid_target(span: Span, text: &str, tuple: bool, advice: Option<String>) -> Diagnostic {
    let text = short(text);
    let report = Diagnostic::error(&code::INVALID_TARGET, span, format!("`{text}` cannot be assigned to"));
    if let Some(advice) = advice {
        return report.help(advice);
    }
    if tuple && text.contains('[') {
        return report.help(SWAP);
    }
    if tuple {
        return report
            .help(format!("to bind several new names write `let {text} = …`; variables change one at a time"));
    }
    if text.ends_with(')') && text.starts_with(|c: char| c.is_alphabetic() || c == '_') {
        return report.help(format!("a function is defined with `fn {text} = …`; to compare write `==`"));
    }
    report.help("a `var` can be assigned to, or some of its elements: `x = …`, `x[0] = …`; to compare write `==`")
}

/// What stands in the brackets before the last ones of `a[0][1] = …`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Brackets {
    /// Numbers alone: one position each.
    Numbers,
    /// Names and other expressions, which may be positions.
    Values,
    /// A slice, `...` or a new axis.
    Parts,
    /// A list or a mask.
    Chosen,
}

/// `a[0][1] = …`: the name, the text of all brackets, and that of the last ones.
pub(crate) fn nested_target(span: Span, (name, all, last): (&str, &str, &str), before: Brackets) -> Diagnostic {
    let target = short(&format!("{name}{all}"));
    let report = Diagnostic::error(&code::INVALID_TARGET, span, format!("`{target}` cannot be assigned to"));
    let joined = match target.contains('…') || all.contains("] [") {
        true => "x[0, 1]".to_owned(),
        false => target.replace("][", ", "),
    };
    let first = &all[..all.len() - last.len()];
    report.help(match before {
        Brackets::Numbers => format!("all places stand in one pair of brackets: `{joined} = …`"),
        Brackets::Values => format!("places that are one integer each stand in one pair of brackets: `{joined} = …`"),
        Brackets::Parts if target.contains('…') || first.contains("][") => {
            "nothing is stored in a part of a part".to_owned()
        }
        Brackets::Parts => format!(
            "nothing is stored in a part of a part; give the first a name: `var part = {name}{first}`, then \
             `part{last} = …` and `{name}{first} = part`"
        ),
        Brackets::Chosen => {
            format!("a list or a mask chooses copies, and what is stored in one is not in `{}`", short(name))
        }
    })
}
