//! Messages about forms of other languages, or about misspelt words.

use super::excerpt::{depths, short};
use crate::diagnostic::codes::syntax as code;
use crate::diagnostic::{Diagnostic, Edit, Fix, HelpTopic};
use crate::source::Span;
use crate::types::DType;

fn guess(span: Span, text: &str) -> Fix {
    Fix { edits: vec![Edit { span, text: text.to_owned() }], keeps_values: false }
}

/// `// words` at the beginning of a line; `goes_on` is whether a line stands above.
pub(crate) fn comment(here: Span, sign: &str, goes_on: bool) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("a statement cannot begin with `{sign}`"))
        .help("comments begin with `#`")
        .on(HelpTopic::Comments);
    if goes_on { report.help("to go on with the line above, end that line with the operator") } else { report }
}

/// `3 // three words`
pub(crate) fn comment_behind(here: Span, (before, after): (&str, &str), sign: &str) -> Diagnostic {
    let (before, after) = (short(before), short(after));
    let message = format!("expected an operator or the end of the statement between `{before}` and `{after}`");
    Diagnostic::error(&code::MISSING_SEPARATOR, here, message)
        .help(format!("comments begin with `#`; `{sign}` is an operator"))
        .on(HelpTopic::Comments)
}

/// Another mistake in the words behind `//`.
pub(crate) fn also_comment(found: Diagnostic) -> Diagnostic {
    found.help("comments begin with `#`; `//` is an operator").on(HelpTopic::Comments)
}

pub(crate) fn pipe(span: Span, function: &str, value: &str) -> Diagnostic {
    let (function, value) = (short(function), short(value));
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "there is no `|>` here")
        .help(format!("write `{function}({value})`"))
}

pub(crate) fn operator_word(here: Span, word: &str, operator: &str) -> Diagnostic {
    Diagnostic::error(&code::PYTHON_KEYWORD, here, format!("there is no `{word}` here"))
        .fix(format!("write `{operator}`"), guess(here, operator))
}

/// `(y := 3)`
pub(crate) fn walrus_inside(span: Span, name: &str) -> Diagnostic {
    let name = short(name);
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "there is no `:=` here")
        .help(format!("name the value before, on a line of its own: `let {name} = …`"))
}

/// `1:10` outside of brackets.
pub(crate) fn colon_range(here: Span) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, "a range with `:` stands only between brackets, as in `x[1:10]`")
        .help("numbers in a row are `arange(1, 10)`, without the last, and `linspace(0, 1, 11)`, with it")
}

/// A text that is repeated in a message; `…` where it is long.
fn part(text: &str) -> String {
    if text.contains('\n') || short(text) != text { "…".to_owned() } else { text.to_owned() }
}

/// `f(lambda a: a*2)`: the texts of the parameters and of the value.
pub(crate) fn lambda(span: Span, params: &str, value: &str) -> Diagnostic {
    let function = format!("fn f({}) = {}", part(params), part(value));
    Diagnostic::error(&code::PYTHON_KEYWORD, span, "there is no `lambda` here")
        .help(format!("define the function in a line above, `{function}`, and write `f` in its place"))
}

/// `a if c else b`: the texts of the condition and of both values.
pub(crate) fn choice(span: Span, condition: &str, [yes, no]: [&str; 2]) -> Diagnostic {
    Diagnostic::error(&code::PYTHON_KEYWORD, span, "there is no `if` here").help(format!(
        "a choice between values is written `where({}, {}, {})`",
        part(condition),
        part(yes),
        part(no)
    ))
}

pub(crate) fn walrus(here: Span, name: &str, value: &str) -> Diagnostic {
    let (name, value) = (short(name), short(value));
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("`{name} :=` does not begin a statement"))
        .help(format!("write `let {name} = {value}`"))
}

/// `value` is what stands behind the sign, or `…` where it goes on in the next line.
pub(crate) fn product_update(span: Span, name: &str, value: &str) -> Diagnostic {
    let (name, value) = (short(name), short(value));
    let value = if value.contains(' ') { format!("({value})") } else { value };
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "there is no `@=` here")
        .help(format!("write `{name} = {name} @ {value}`"))
}

/// `(p, n) = (10, 20)` of `p, n = 10, 20`.
pub(super) fn in_parentheses(line: &str) -> Option<String> {
    let (names, values) = line.split_once('=')?;
    let (names, values) = (names.trim(), values.trim());
    let is_plain = names.chars().all(|c| c.is_alphanumeric() || "_, ".contains(c));
    // A sign in a string is no sign.
    let is_short = line.chars().count() <= 40 && !values.contains(['#', ';', '"', '\'']) && !values.starts_with('=');
    let is_list = depths(values).any(|(_, c, depth)| depth == 0 && c == ',');
    let is_whole = depths(values).all(|(.., depth)| depth >= 0);
    let is_closed = depths(values).last().is_none_or(|(.., depth)| depth == 0);
    let values = if is_list { format!("({values})") } else { values.to_owned() };
    (is_plain && is_short && is_whole && is_closed).then(|| format!("({names}) = {values}"))
}

/// A second name in a statement that binds one: `let s = 0.0, m = 0.0`.
pub(crate) fn second_name(here: Span, word: &str, name: &str) -> Diagnostic {
    let message = format!("`{word}` binds one name, and a comma goes on with its value");
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, message)
        .help(format!("write `{word} {} = …` on a line of its own, or behind a `;`", short(name)))
}

/// `a = b = 1`: `word` is `let` or `var` where one of them stands before.
pub(crate) fn second_target(here: Span, word: &str, first: &str, second: &str) -> Diagnostic {
    let (first, second) = (short(first), short(second));
    let word = if word.is_empty() { String::new() } else { format!("{word} ") };
    Diagnostic::error(&code::ASSIGNMENT_IN_EXPRESSION, here, "`=` binds a name and is not part of an expression")
        .help(format!("each target has a statement: `{word}{second} = …`, then `{word}{first} = {second}`"))
        .help("to compare, write `==`")
}

pub(crate) fn type_first(span: Span, word: &str, dtype: DType, name: &str) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, format!("`{word}` does not begin a statement"))
        .help(format!("declare it with `let {}: {dtype} = …`", short(name)))
}

pub(crate) fn misspelt(span: Span, word: &str, keyword: &str, rest: &str) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, format!("`{}` does not begin a statement", short(word)))
        .fix(format!("write `{keyword} {}`", short(rest)), guess(span, keyword))
}

/// `fn f(x) -> x + 1`
pub(crate) fn sign_of_body(span: Span, sign: &str, head: &str, body: &str) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "the body of a function stands behind `=`");
    if body.contains(" = ") || body.ends_with('{') || body.ends_with('}') {
        let report = report.help("write `fn f(x) = …` or `fn f(x) { … }`");
        return if sign == ":" { report.help("the type of the result stands behind `->`") } else { report };
    }
    report.help(format!("write `{} = {}`", short(head), short(body)))
}

/// `f"{n}"`
pub(crate) fn string_prefix(span: Span, letters: &str) -> Diagnostic {
    if letters.contains(['f', 'F']) {
        return Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "there are no f-strings")
            .help("write the value on a line of its own: it is printed");
    }
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, format!("no `{letters}` stands before a string"))
        .help("write the string without it; a backslash is written `\\\\`")
}

/// `x as f32`, `(f32)x`
pub(crate) fn cast(span: Span, text: &str, dtype: DType) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, format!("`{}` converts nothing", short(text)))
        .help(format!("a conversion is written `{dtype}(…)`"))
}

/// `x: np.float32`
pub(crate) fn module_of_dtype(span: Span, module: &str, dtype: DType) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, format!("a dtype in a type stands without `{module}.`"))
        .fix(format!("write `{dtype}`"), guess(span, &dtype.to_string()))
}
