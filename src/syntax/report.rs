//! The words of every message about syntax, one function per code or case.

mod excerpt;
pub(crate) mod habits;
mod loops;
pub(crate) mod stored_views;
mod targets;

pub(crate) use excerpt::short;
pub(crate) use loops::{behind_brace, loop_in_expression, missing_count, missing_start, missing_with};
pub(crate) use targets::{Brackets, bare_tuple, invalid_target, nested_target, several_targets};

use super::ast::{MAX_DEPTH, MAX_NAME, Name, StmtKind};
use super::characters::{hidden, instead, is_blank};
use super::lookalike::Lookalike;
use super::number::{Flaw, MAX_DIGITS};
use super::token::Tok;
use crate::diagnostic::codes::syntax as code;
use crate::diagnostic::{Diagnostic, Edit, Fix, Level};
use crate::source::Span;
use crate::types::DType;
use targets::UNPACKED;

fn replace(span: Span, text: impl Into<String>) -> Fix {
    Fix { edits: vec![Edit { span, text: text.into() }], keeps_values: true }
}

// ---- Characters

pub(crate) fn unknown_character(span: Span, c: char) -> Diagnostic {
    let report = Diagnostic::error(&code::UNKNOWN_CHARACTER, span, format!("`{c}` has no meaning here"));
    match instead(c) {
        Some(advice) => report.help(advice),
        None => report.help("remove it"),
    }
}

/// Quotes of another sort around a text.
pub(crate) fn foreign_quotes(span: Span, text: &str) -> Diagnostic {
    let inside = text.trim_matches(|c: char| "“”„‘’`".contains(c));
    let report = Diagnostic::error(&code::UNKNOWN_CHARACTER, span, "quotes of this sort have no meaning here");
    if text.starts_with('`') || inside.contains(['"', '\\']) {
        return report.help("strings are written with `\"`, names without quotes");
    }
    report.fix(format!("write `\"{}\"`", short(inside)), replace(span, format!("\"{inside}\"")))
}

pub(crate) fn hidden_character(span: Span, c: char) -> Diagnostic {
    hidden_character_at(span, c, "here")
}

pub(crate) fn hidden_character_in_comment(span: Span, c: char) -> Diagnostic {
    hidden_character_at(span, c, "here in a comment")
}

fn hidden_character_at(span: Span, c: char, place: &str) -> Diagnostic {
    let what = hidden(c).unwrap_or("a hidden character");
    let message = format!("{what} (U+{:04X}) stands {place}", u32::from(c));
    let (help, text) = match is_blank(c) {
        true => ("write an ordinary space", " "),
        false => ("remove it", ""),
    };
    Diagnostic::error(&code::HIDDEN_CHARACTER, span, message)
        .fix(help, replace(span, text))
        .note("characters that cannot be seen can make code look different from what it does")
}

pub(crate) fn c_operator(span: Span, found: &str, word: &str) -> Diagnostic {
    let text = if word == "not" { "not ".to_owned() } else { word.to_owned() };
    Diagnostic::error(&code::C_OPERATOR, span, format!("`{found}` is written `{word}`"))
        .fix(format!("write `{word}`"), replace(span, text))
}

// ---- Literals

pub(crate) fn number(span: Span, text: &str, flaw: &Flaw) -> Diagnostic {
    let text = short(text);
    if let Flaw::Long(digits) = flaw {
        let message = format!("a number of {digits} digits; the limit is {MAX_DIGITS}");
        return Diagnostic::error(&code::TEXT_LIMIT, span, message);
    }
    let (message, advice) = match flaw {
        Flaw::Suffix(power) if power.starts_with(['²', '³']) => (
            format!("`{}` has no meaning here", short(power)),
            power.chars().next().and_then(instead).unwrap_or("write `**`").to_owned(),
        ),
        Flaw::NoDigits => (format!("`{text}` has no digits"), "write the digits after it".to_owned()),
        Flaw::Digit(digit, range) => {
            // `0bf16` begins as a binary number does.
            let dtype = DType::ALL.iter().find(|dtype| text.strip_prefix('0') == Some(dtype.name()));
            let advice = match dtype {
                Some(dtype) => format!("its digits are {range}; for a zero of {dtype} write `0.0{dtype}`"),
                None => format!("its digits are {range}"),
            };
            (format!("`{digit}` is not a digit of `{text}`"), advice)
        }
        Flaw::LeadingZero => (
            format!("`{text}` begins with a zero"),
            format!("write `{}`, or `0o…` for an octal number", text.trim_start_matches(['0', '_'])),
        ),
        Flaw::Underscore => (format!("a misplaced `_` in `{text}`"), "one `_` may stand between two digits".to_owned()),
        Flaw::Exponent => (format!("`{text}` has no digits in its exponent"), "write for example `1e5`".to_owned()),
        Flaw::Suffix(suffix) => (
            format!("`{}` is not a dtype that a number can end in", short(suffix)),
            format!("known are {}, and `j`", crate::types::dtype::NAMES),
        ),
        Flaw::Fraction(suffix) if text.contains(['e', 'E']) => (
            format!("`{text}` has an exponent, and numbers of {suffix} have none"),
            "write the digits out, as in `100000`, or use a float dtype".to_owned(),
        ),
        Flaw::Fraction(suffix) => (
            format!("`{text}` is not a whole number, which {suffix} needs"),
            "use a float dtype, or a whole number".to_owned(),
        ),
        Flaw::HexSuffix => (
            format!("`{text}` cannot have this dtype at its end"),
            "only integer dtypes can follow here; write a cast, such as `f32(…)`".to_owned(),
        ),
        Flaw::HexPoint => (
            format!("`{text}` has no exponent"),
            "a hexadecimal fraction ends in `p` and an exponent: `0x1.8p0`".to_owned(),
        ),
        Flaw::Points | Flaw::Long(_) => (format!("`{text}` has more than one point"), "write one number".to_owned()),
    };
    Diagnostic::error(&code::INVALID_NUMBER, span, message).help(advice)
}

/// `is_behind` is whether the quote stands directly behind a value, as a transpose of MATLAB does.
pub(crate) fn unterminated_string(quote: &str, is_behind: bool, opener: Span, end: Span) -> Diagnostic {
    let report =
        Diagnostic::error(&code::UNTERMINATED_STRING, opener, "this string is not closed before its line ends")
            .label(end, format!("a closing `{quote}` is missing here"));
    let report = if is_behind && quote == "'" { report.help("a transpose is written `x.T`") } else { report };
    report.help(format!("close it with `{quote}`; a line break inside is written `\\n`"))
}

pub(crate) fn invalid_escape(span: Span, text: &str) -> Diagnostic {
    Diagnostic::error(&code::INVALID_ESCAPE, span, format!("`{}` means nothing in a string", short(text)))
        .help("known are `\\n \\t \\r \\0 \\\\ \\\" \\'`, `\\x41` and `\\u{e9}`; write `\\\\` for a backslash")
}

/// A finding, whose level the checker knows.
pub(crate) fn lookalike(found: &Lookalike, name: &str, level: Level) -> Diagnostic {
    let (letter, alphabet) = found.letter;
    let (name, latin) = (short(name), short(&found.latin));
    let message = match found.mixed && found.twin.is_none() {
        true => format!("`{name}` has letters of two alphabets in one word"),
        false => format!("`{name}` and `{latin}` look alike and are two names"),
    };
    let report = Diagnostic::new(&code::MIXED_SCRIPT, level, message)
        .label(found.span, format!("`{letter}` (U+{:04X}) is {alphabet}", u32::from(letter)));
    let report = match found.twin {
        Some(twin) => report.label(twin, "this is Latin"),
        None => report,
    };
    report.help(format!("write `{latin}` with Latin letters, or choose a name that cannot be confused with it"))
}

// ---- Limits

pub(crate) fn nesting(span: Span) -> Diagnostic {
    let message = format!("this nests more than {MAX_DEPTH} levels deep, which is the nesting limit");
    Diagnostic::error(&code::NESTING_LIMIT, span, message).help("give a part of it a name with `let`")
}

pub(crate) fn long_name(span: Span, len: usize) -> Diagnostic {
    Diagnostic::error(&code::TEXT_LIMIT, span, format!("a name of {len} bytes; the limit is {MAX_NAME}"))
}

pub(crate) fn long_script(span: Span, len: usize, limit: usize) -> Diagnostic {
    let mib = limit >> 20;
    Diagnostic::error(&code::TEXT_LIMIT, span, format!("a script of {len} bytes; the limit is {mib} MiB"))
}

/// For bytes of a script or another file, as `what` says, that are no text; `at` is the first of them.
pub fn invalid_utf8(name: &str, what: &str, at: usize) -> Diagnostic {
    Diagnostic::unlocated(
        &code::INVALID_UTF8,
        format!("{name} is not UTF-8: byte {at} does not belong to any character"),
    )
    .about(name)
    .help(format!("save the {what} as UTF-8"))
}

// ---- Brackets

pub(crate) fn unclosed_bracket(opener: Span, tok: Tok, place: Span, others: &[Span], count: usize) -> Diagnostic {
    let (open, close) = (tok.notation(), tok.closer().notation());
    let mut report = Diagnostic::error(&code::UNCLOSED_BRACKET, opener, format!("this `{open}` is never closed"))
        .label(place, format!("a `{close}` is missing here at the latest"));
    for &other in others {
        report = report.label(other, "not closed either");
    }
    if count > others.len() {
        report = report.note(format!("{} more brackets around it are not closed", count - others.len()));
    }
    report.help(format!("write `{close}` where it should end"))
}

pub(crate) fn mismatched_bracket(span: Span, found: Tok, opener: Span, open: Tok) -> Diagnostic {
    let (found, open, close) = (found.notation(), open.notation(), open.closer().notation());
    let message = format!("`{found}` does not close `{open}`");
    Diagnostic::error(&code::UNMATCHED_BRACKET, span, message)
        .label(opener, format!("`{open}` is opened here"))
        .fix(format!("write `{close}`"), replace(span, close))
}

pub(crate) fn stray_closer(span: Span, found: Tok) -> Diagnostic {
    let found = found.notation();
    Diagnostic::error(&code::UNMATCHED_BRACKET, span, format!("`{found}` closes nothing"))
        .fix("remove it", replace(span, ""))
}

pub(crate) fn stray_brace(span: Span) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "`{` opens only the body of an `fn`, a `repeat` or a `scan`")
        .help("group with `( )`, write arrays with `[ ]`")
}

/// `fn f(x) = { … }`; `apart` is whether the brace stands on a line behind.
pub(crate) fn brace_behind_sign(brace: Span, sign: Span, apart: bool) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, brace, "a body in braces takes no `=`");
    match apart {
        true => report.help("the `{` stands on the line of the head, without the `=`"),
        false => report.fix("remove the `=`, or the braces around one expression", replace(sign, "")),
    }
}

// ---- Statements and expressions

pub(crate) fn unexpected(span: Span, found: &str, expected: &[String]) -> Diagnostic {
    let mut known: Vec<&String> = Vec::new();
    for item in expected {
        if !known.contains(&item) {
            known.push(item);
        }
    }
    let message = match known[..] {
        [] => format!("{found} does not fit here"),
        [one] => format!("expected {one}, found {found}"),
        [ref first @ .., last] => {
            let first: Vec<&str> = first.iter().map(|item| item.as_str()).collect();
            format!("expected {} or {last}, found {found}", first.join(", "))
        }
    };
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, message)
}

pub(crate) fn missing_value(before: Span, here: Span, operator: &str, found: &str, pair: bool) -> Diagnostic {
    let place = if here.start == here.end { before } else { here };
    let message = format!("expected a value after `{operator}`, found {found}");
    let report = Diagnostic::error(&code::MISSING_VALUE, place, message);
    match found {
        _ if pair => report.help(format!("to add one write `x {operator}= 1`")),
        "`not`" => {
            report.help(format!("after `{operator}` write `~`, as in `x {operator} ~y`; or `and not`, `or not`"))
        }
        "`*`" | "`**`" if matches!(operator, "(" | "," | "[") => report.help(UNPACKED),
        "`var`" | "`let`" | "`fn`" => {
            report.help(format!("{found} is a word of the language and cannot be a name; choose another, such as `v`"))
        }
        _ => report,
    }
}

/// `assert x > 0, "text"`; `is_last` is whether nothing follows on the line.
pub(crate) fn assertion_text(comma: Span, is_last: bool) -> Diagnostic {
    let advice = "write it as a comment, `assert x > 0  # text`";
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, comma, "an assertion has no text of its own");
    let report = if is_last { report.fix(advice, replace(comma, "  #")) } else { report.help(advice) };
    report.note("a failing assertion shows its expression and the values in it")
}

/// `x in y`, `x not in y`
pub(crate) fn membership(span: Span) -> Diagnostic {
    Diagnostic::error(&code::PYTHON_KEYWORD, span, "there is no `in` here")
        .help("whether a value is among those of `y`: `any(x == y)`; for each element of `x`: `isin(x, y)`")
}

/// `1, 2, 3`: values without brackets.
pub(crate) fn bare_list(comma: Span, line: &str) -> Diagnostic {
    let line = short(line);
    Diagnostic::error(&code::UNEXPECTED_TOKEN, comma, "values side by side stand in brackets")
        .help(format!("an array is written `[{line}]`, several values `({line})`"))
}

pub(crate) fn missing_name(here: Span, before: &str, found: &str, reserved: bool) -> Diagnostic {
    let report = Diagnostic::error(
        &code::UNEXPECTED_TOKEN,
        here,
        format!("expected a name after `{}`, found {found}", short(before)),
    );
    if found == "`*`" {
        return report.help(UNPACKED);
    }
    if matches!(before, "let" | "var") && found == "`[`" {
        return report.help(format!("several names stand in parentheses: `{before} (a, b) = …`"));
    }
    if reserved { report.help(format!("{found} is a word of the language; choose another name")) } else { report }
}

pub(crate) fn missing_type(here: Span, name: &str) -> Diagnostic {
    let name = short(name);
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("expected `:` and a type after `{name}`"))
        .help(format!("write its type, for example `{name}: f32[n]`, or `{name}: _[..]` for any"))
}

pub(crate) fn unnamed_row(text: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, span, "this array has no name in the body of the scan")
        .label(span, "a row of it needs a name")
        .help(match text.starts_with('(') {
            true => "several arrays stand without brackets, `scan a, b with …`, each with a name of its own".to_owned(),
            false => format!("give it one: `scan row = {text} with …`"),
        })
}

pub(crate) fn bare_keyword(here: Span, word: &str, wanted: &str) -> Diagnostic {
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("expected {wanted} after `{word}`")).help(match word {
        "output" => OUTPUT.to_owned(),
        _ => format!("on its own, `{word}` is a variable"),
    })
}

/// How values are given.
pub(crate) const OUTPUT: &str =
    "write `output name = …`; the value of an expression on a line of its own needs no name";

pub(crate) fn nameless_output(here: Span, name: &str, found: &str) -> Diagnostic {
    let message = format!("expected `=` or the end of the statement after `output {}`, found {found}", short(name));
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, message).help(OUTPUT)
}

pub(crate) fn statement_start(here: Span, found: &str, operator: bool) -> Diagnostic {
    let report = Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("a statement cannot begin with {found}"));
    if operator { report.help("to go on with the line above, end that line with the operator") } else { report }
}

pub(crate) fn missing_comma(here: Span, (before, after): (&str, &str), closer: Option<&str>) -> Diagnostic {
    let (before, after) = (short(before), short(after));
    let closer = closer.map(|closer| format!(" or `{closer}`")).unwrap_or_default();
    let message = format!("expected `,`{closer} between `{before}` and `{after}`");
    Diagnostic::error(&code::MISSING_SEPARATOR, here, message)
}

/// `call` is whether a function and its argument may stand there.
pub(crate) fn missing_separator(here: Span, (before, after): (&str, &str), call: bool) -> Diagnostic {
    let (before, after) = (short(before), short(after));
    let message = format!("expected an operator or the end of the statement between `{before}` and `{after}`");
    let report = Diagnostic::error(&code::MISSING_SEPARATOR, here, message)
        .help(format!("put `{after}` on a line of its own, or write `;` before it"));
    if call { report.help(format!("if `{before}` is a function, write `{before}({after})`")) } else { report }
}

pub(crate) fn assignment_in_expression(here: Span) -> Diagnostic {
    Diagnostic::error(&code::ASSIGNMENT_IN_EXPRESSION, here, "`=` binds a name and is not part of an expression")
        .fix("to compare, write `==`", replace(here, "=="))
}

pub(crate) fn annotation_without_let(here: Span, name: &str) -> Diagnostic {
    let name = short(name);
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, format!("`{name}:` does not begin a statement"))
        .help(format!("declare it with `let {name}: …`, `var {name}: …` or `input {name}: …`"))
}

pub(crate) fn function_after_let(here: Span, name: &str, word: Span, text: &str) -> Diagnostic {
    let message = format!("`{text}` names a value, and `{}(` begins a function", short(name));
    Diagnostic::error(&code::UNEXPECTED_TOKEN, here, message).fix("functions begin with `fn`", replace(word, "fn"))
}

pub(crate) fn missing_body(here: Span) -> Diagnostic {
    Diagnostic::error(&code::MISSING_BODY, here, "this function has no body")
        .help("write `= expression`, or `{ … }` with the result on its last line")
}

pub(crate) fn positional_after_keyword(late: Span, keyword: &Name) -> Diagnostic {
    let message = format!("a positional argument after the keyword argument `{}`", short(&keyword.text));
    Diagnostic::error(&code::POSITIONAL_AFTER_KEYWORD, late, message)
        .label(keyword.span, "keyword arguments begin here")
        .help("put it before the keyword arguments, or name it")
}

/// A value that is not used, where its line or the next one begins with a sign.
pub(crate) fn line_of_its_own(found: Diagnostic, sign: char) -> Diagnostic {
    found
        .help(format!("a line that begins with `{sign}` does not go on with the one above: end that one with `{sign}`"))
}

/// A call in a block whose value is not used, and which may be meant to change a variable.
pub(crate) fn call_for_effect(found: Diagnostic, variable: &str) -> Diagnostic {
    let name = short(variable);
    found.help(format!(
        "no call changes an array: `{name}[:] = …` stores in all of the variable `{name}`, and `{name} = …` gives it \
         another value"
    ))
}

pub(crate) fn block_statement(span: Span, kind: &StmtKind) -> Diagnostic {
    let (message, advice) = match kind {
        StmtKind::Expr { .. } => ("this value is not used", "bind it with `let`, or make it the last line"),
        StmtKind::Fn(_) => ("functions are defined outside blocks", "move the `fn` before this one"),
        StmtKind::Promotion(_) => ("`promotion` stands outside blocks", "move it to the top of the script"),
        StmtKind::Input { .. } => ("`input` stands outside blocks", "move it out, or make it a parameter"),
        StmtKind::Output { .. } => ("`output` stands outside blocks", "make the value the block's last line"),
        StmtKind::Use { .. } => ("`use` stands outside blocks", "move it to the top of the script"),
        StmtKind::Let { .. }
        | StmtKind::Var { .. }
        | StmtKind::Assign { .. }
        | StmtKind::Assert(_)
        | StmtKind::Error => ("this does not belong into a block", "move it out"),
    };
    Diagnostic::error(&code::BLOCK_STATEMENT, span, message)
        .help(advice)
        .note("a block is `let`, `var`, assignments and `assert`, then one expression, its value")
}

pub(crate) fn block_without_value(closer: Span) -> Diagnostic {
    Diagnostic::error(&code::BLOCK_WITHOUT_VALUE, closer, "this block ends without a value")
        .help("write the result as its last line")
}

/// `with np.errstate(…):`
pub(crate) fn with_block(span: Span) -> Diagnostic {
    Diagnostic::error(&code::PYTHON_KEYWORD, span, "`with` belongs to loops here, and no line is set for a block")
        .help("write the lines of the block without it")
}

/// `[f(k) for k in range(10)]`; `counts` is whether numbers in a row are gone through.
pub(crate) fn comprehension(span: Span, name: &str, counts: bool) -> Diagnostic {
    let name = short(name);
    let report = Diagnostic::error(&code::PYTHON_KEYWORD, span, "there is no `for` here");
    match counts {
        true => report.help(format!(
            "values for each `{name}` are an axis more, as in `x[:, None] ** arange(10)`; where each takes a step of its \
             own, a loop stores them: `repeat 10 as {name} with r = zeros(10) {{ var r = r; r[{name}] = …; r }}`"
        )),
        false => report.help(format!(
            "operators and functions take whole arrays: `f(x)` has `f({name})` for each `{name}` in `x`; what goes from row \
             to row is `scan x with s = 0.0 {{ … }}`"
        )),
    }
}

/// What to write for a word that Python, C or Rust has and `arr` has not.
pub(crate) fn foreign_word(span: Span, word: &str) -> Option<Diagnostic> {
    let advice = match word {
        "if" | "elif" | "else" => {
            "a choice between values is written `where(condition, a, b)`, and what changes where a condition holds \
             `y = where(condition, a, y)`"
        }
        "for" => {
            "operators work on whole arrays; a loop that counts is `repeat 100 as i with x = x0 { … }`, whose last line is \
             the next `x`, as in `{ var x = x; x[i] = …; x }`; one along an axis is `scan x with s = 0.0 { … }`"
        }
        "while" => {
            "a loop is `repeat 100 while x > 1 with x = x0 { … }`: at most so many steps, as long as the condition holds; \
             its last line is the next `x`"
        }
        "def" | "lambda" | "function" | "func" => "a function is written `fn f(x) = …` or `fn f(x) { … }`",
        "import" | "from" => "nothing needs importing: the functions are built in, and `np.` is accepted",
        "return" => "the last line of a block is its value, without a word before it",
        "mut" => "what can be assigned to is declared with `var`",
        "const" => "write `let`",
        "is" => "values are compared with `==`, and none of them is ever None: what is missing is nan, `isnan(x)`",
        "print" => "an expression on a line of its own prints its value",
        "try" | "except" | "raise" => "errors are found before anything runs; what must hold is written `assert x > 0`",
        "del" | "pass" | "global" => {
            "leave it out: names end with their block, and memory is freed when nothing needs it"
        }
        "class" | "yield" | "async" | "await" => "scripts are `let`, `fn`, `input`, `output` and expressions",
        _ => return None,
    };
    Some(Diagnostic::error(&code::PYTHON_KEYWORD, span, format!("there is no `{word}` here")).help(advice))
}
