//! Messages about calls, their names included.

use super::{quoted, rename, with_operand};
use crate::check::ScriptUse;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::diagnostic::codes::{dtypes, names};
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::ops::elsewhere::modules::Module;
use crate::ops::{self, CastRefusal, Op, Param};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};
use num_bigint::BigInt;

/// A function as calls see it: its name and its parameters, each with whether it may be left out.
pub(in crate::check) struct FunctionHead<'f> {
    pub(in crate::check) name: &'f str,
    /// How it is called, which only a message asks for.
    pub(in crate::check) signature: &'f dyn Fn() -> String,
    /// Each parameter, and whether it may be left out.
    pub(in crate::check) params: Vec<(&'f str, bool)>,
    /// Whether its keywords may be called as elsewhere.
    pub(in crate::check) builtin: bool,
}

/// How many names of a file are listed.
const MAX_LISTED_NAMES: usize = 12;

/// What to write for a comment of C.
pub(in crate::check) const COMMENT: &str = "comments begin with `#`; `//` is an operator";

/// A name without a meaning. Where the command line may give it one, `outside` is what files there offer.
pub(in crate::check) fn unknown_name(
    name: &str,
    near: Option<&str>,
    outside: Option<&[String]>,
    usage: ScriptUse,
    span: Span,
) -> Diagnostic {
    let diagnostic = Diagnostic::error(&names::UNKNOWN_NAME, span, format!("`{name}` is not defined"));
    if let Some(advice) = python_word(name) {
        return diagnostic.label(span, "a word of Python").help(advice);
    }
    match near {
        Some(near) => diagnostic
            .label(span, "not found")
            .fix(format!("there is `{near}`: is that what is meant?"), rename(span, near)),
        None => diagnostic.label(span, "not found").help(match outside {
            Some([only]) => {
                format!("`*=` gives `{only}` alone; if its file is a table, `--delimiter` says what parts the fields")
            }
            Some([]) if !usage.needs_data => format!("give it a type on the command line: `{name}:f32[n]`"),
            Some([]) => format!("give it a value on the command line: `{name}=1.5` or `{name}=FILE.npy`"),
            Some(offered) => {
                let listed: Vec<String> =
                    offered.iter().take(MAX_LISTED_NAMES).map(|name| format!("`{name}`")).collect();
                let more = if offered.len() > MAX_LISTED_NAMES { " …" } else { "" };
                format!("`*=` gives {}{more}", listed.join(" "))
            }
            None if usage.defines => format!("declare it with `let {name} = …` or `var {name} = …`"),
            None => format!("declare it with `let {name} = …` or `input {name}: …`"),
        }),
    }
}

/// A name of a result that no input gave, or that was forgotten; `known` are the numbers that there are.
pub(in crate::check) fn no_result(name: &str, number: Option<usize>, known: &[usize], span: Span) -> Diagnostic {
    const MAX_LISTED_RESULTS: usize = 3;
    let meant = match number {
        Some(number) => format!("`{name}` stands for the value of input {number}"),
        None => format!("`{name}` stands for the last value"),
    };
    let last: Vec<String> =
        known[known.len().saturating_sub(MAX_LISTED_RESULTS)..].iter().map(|number| format!("`_{number}`")).collect();
    let there = match known.len() {
        0 => "no input has given one yet".to_owned(),
        1 => format!("the only result is {}", last.join(" ")),
        2..=MAX_LISTED_RESULTS => format!("the results are {}", last.join(" ")),
        _ => format!("the last results are {}", last.join(" ")),
    };
    Diagnostic::error(&names::UNKNOWN_NAME, span, format!("`{name}` is not defined"))
        .label(span, "no result")
        .help(format!("{meant}; {there}"))
}

/// What to write for a word of Python that is a statement there, all by itself.
fn python_word(name: &str) -> Option<&'static str> {
    Some(match name {
        "pass" => "leave it out: a script may be empty, and a body ends with its value",
        "break" | "continue" => {
            "a loop ends early by its condition, `repeat 100 while x > 1 with x = x0 { … }`, and a step keeps x by \
             `where(condition, next, x)`"
        }
        _ => return None,
    })
}

pub(in crate::check) fn dtype_bound(name: &str, span: Span) -> Diagnostic {
    Diagnostic::error(&names::DTYPE_BOUND, span, format!("`{name}` is a dtype and cannot be bound"))
        .label(span, "choose another name")
}

/// `is_method` says whether there is a function of this name, which is called.
pub(in crate::check) fn unknown_attribute(name: &str, is_method: bool, span: Span) -> Diagnostic {
    let report = Diagnostic::error(&names::UNKNOWN_ATTRIBUTE, span, format!("arrays have no attribute `{name}`"));
    if is_method {
        return report.label(span, "a function, and not called").help(format!("write `.{name}()`"));
    }
    report
        .label(span, "not an attribute")
        .help("arrays have `.shape`, `.ndim`, `.size`, `.dtype`, `.T`, `.real` and `.imag`")
}

pub(in crate::check) fn no_dtype_attribute(dtype: DType, name: &str, span: Span) -> Diagnostic {
    let known = match dtype.is_float() {
        true => "`.bits`, `.eps`, `.max`, `.min`, `.smallest_normal` and `.smallest_subnormal`",
        false if dtype.is_integer() => "`.bits`, `.max` and `.min`",
        false => "`.bits`",
    };
    Diagnostic::error(&names::UNKNOWN_ATTRIBUTE, span, format!("{dtype} has no attribute `{name}`"))
        .label(span, "not an attribute")
        .help(format!("{dtype} has {known}"))
}

/// A dtype that a function asks about and that has no such numbers.
pub(in crate::check) fn no_numbers_of(op: &Op, dtype: DType, at: Span) -> Diagnostic {
    let (what, other) = if op.name == "finfo" { ("floats", "iinfo") } else { ("integers", "finfo") };
    Diagnostic::error(&dtypes::UNSUPPORTED_DTYPE, at, format!("{dtype} has no {what}"))
        .help(format!("`{}` is about {what}; there is `{other}`", op.name))
}

/// What dates and times are asked of, and is neither.
pub(in crate::check) fn no_date(op: &Op, dtype: DType, at: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::UNSUPPORTED_DTYPE, at, format!("{dtype} is no date and no time"))
        .help(format!("`{}` is about integers: days, or microseconds of a time", op.name))
}

/// A name that is called, and that no function has.
pub(in crate::check) fn unknown_function(name: &str, near: Option<&str>, method: bool, span: Span) -> Diagnostic {
    let label = if method { "`x.f(y)` is `f(x, y)` for every function" } else { "not found" };
    let diagnostic =
        Diagnostic::error(&names::UNKNOWN_NAME, span, format!("there is no function `{name}`")).label(span, label);
    match near {
        Some(near) => diagnostic.fix(format!("there is `{near}`: is that what is meant?"), rename(span, near)),
        None => diagnostic
            .help(format!("define it: `fn {name}(x) = …`"))
            .help("`arr doc` lists the functions that there are"),
    }
}

/// A name behind a module that has none like it here.
pub(in crate::check) fn not_in_module(module: &Module, name: &str, span: Span) -> Diagnostic {
    let message = format!("nothing here is `{name}` of {}", module.home.name());
    Diagnostic::error(&names::UNKNOWN_NAME, span, message)
        .label(span, "not found")
        .help("`arr doc` lists the functions that there are")
}

pub(in crate::check) fn not_a_function(value: &Value, text: &str, at: Span) -> Diagnostic {
    let diagnostic = Diagnostic::error(
        &names::NOT_A_FUNCTION,
        at,
        format!("{} is {}, not a function", quoted(text), value.describe()),
    );
    let help = match ops::find(text) {
        Some(_) => format!("the name hides the function `{text}`: give what it stands for another name"),
        None if value.describe() == "an array" => {
            format!("a product is written with `*`, an element with brackets: `{text} * (…)`, `{text}[…]`")
        }
        None => format!("a product is written with `*`: `{text} * (…)`"),
    };
    diagnostic.label(at, "called here").help(help)
}

/// A call of a dimension that has the name of a function of the program.
pub(in crate::check) fn hidden_by_dimension(found: Diagnostic, name: &str) -> Diagnostic {
    found.help(format!("the dimension hides the function `{name}`: give one of them another name"))
}

fn wrong_arguments(head: &FunctionHead, span: Span, message: String) -> Diagnostic {
    Diagnostic::error(&names::WRONG_ARGUMENTS, span, message).help(format!("it is `{}`", (head.signature)()))
}

/// `advice` is what to write for what the argument means elsewhere.
pub(in crate::check) fn too_many_arguments(
    head: &FunctionHead,
    count: usize,
    advice: Option<String>,
    extra: Span,
) -> Diagnostic {
    let takes = head.params.len();
    let noun = if takes == 1 { "argument" } else { "arguments" };
    let message = format!("`{}` takes at most {takes} {noun}, not {count}", head.name);
    let diagnostic = match advice {
        Some(advice) => Diagnostic::error(&names::WRONG_ARGUMENTS, extra, message).help(advice),
        None => wrong_arguments(head, extra, message),
    };
    diagnostic.label(extra, "one too many")
}

pub(in crate::check) fn unknown_keyword(
    head: &FunctionHead,
    name: &str,
    near: Option<&str>,
    variable: bool,
    advice: Option<String>,
    span: Span,
) -> Diagnostic {
    let message = format!("`{}` has no parameter `{name}`", head.name);
    if let Some(advice) = advice {
        let diagnostic = Diagnostic::error(&names::WRONG_ARGUMENTS, span, message);
        return diagnostic.label(span, "unknown parameter").help(advice);
    }
    let diagnostic = wrong_arguments(head, span, message);
    match (variable, near) {
        (true, _) => diagnostic.label(span, "a keyword argument here").help(format!("to compare, write `{name} == …`")),
        (false, Some(near)) => diagnostic
            .label(span, "unknown parameter")
            .fix(format!("there is `{near}`: is that what is meant?"), rename(span, near)),
        (false, None) => diagnostic.label(span, "unknown parameter"),
    }
}

pub(in crate::check) fn repeated_argument(head: &FunctionHead, name: &str, span: Span) -> Diagnostic {
    wrong_arguments(head, span, format!("`{name}` of `{}` is given twice", head.name)).label(span, "given already")
}

pub(in crate::check) fn missing_argument(head: &FunctionHead, name: &str, span: Span, at: Span) -> Diagnostic {
    let found =
        wrong_arguments(head, span, format!("`{}` needs `{name}`", head.name)).label(at, "an argument is missing");
    // Elsewhere `where` of a condition alone says where it holds.
    match (head.name, name) {
        ("where", "x") if head.builtin => found.fix(
            "to know where the condition holds, write `nonzero`: positions along each axis",
            rename(at, "nonzero"),
        ),
        _ => found,
    }
}

/// A dtype of another language where a value or an argument stands.
pub(in crate::check) fn foreign_dtype(name: &str, at: Span) -> Diagnostic {
    foreign(name, "", at)
}

/// A conversion to a dtype of another language.
pub(in crate::check) fn foreign_conversion(name: &str, at: Span) -> Diagnostic {
    foreign(name, "(…)", at)
}

/// A name of a dtype elsewhere, with what stands behind it in advice.
fn foreign(name: &str, call: &str, at: Span) -> Diagnostic {
    let dtype = match name {
        "int" => "i64",
        "complex" => "c128",
        _ => "f64",
    };
    Diagnostic::error(&dtypes::UNKNOWN_DTYPE, at, format!("`{name}` is not a dtype here"))
        .label(at, "does not say how many bits")
        .fix(format!("write `{dtype}{call}`"), rename(at, dtype))
}

fn wrong_value(message: String, span: Span) -> Diagnostic {
    Diagnostic::error(&names::WRONG_VALUE, span, message)
}

/// An operand of another kind than the dtype that a call names.
pub(in crate::check) fn not_computed_in(op: &Op, operand: &Operand, text: &str, dtype: DType) -> Diagnostic {
    let message = format!("`dtype={dtype}` makes no {dtype} of {}: `{}` would lose its kind", operand.elem, op.name);
    let found = with_operand(wrong_value(message, operand.span), operand);
    if dtype == DType::Bool || operand.elem.kind() == Kind::Complex {
        // A cast of the operand would change what the operation is asked for.
        return found.help("leave `dtype` out");
    }
    found.help(format!("convert first: `{dtype}({text})`"))
}

/// A result of another dtype than the one that a call names.
pub(in crate::check) fn computed_in_another(op: &Op, elem: Elem, dtype: DType, at: Span) -> Diagnostic {
    wrong_value(format!("`{}` of {dtype} is {elem}, so it does not compute in {dtype}", op.name), at)
        .label(at, "not its dtype")
        .help(format!("leave `dtype` out, or name another one, `dtype={elem}`"))
}

pub(in crate::check) fn not_a_flag(name: &str, value: &Value, span: Span) -> Diagnostic {
    let diagnostic =
        wrong_value(format!("`{name}` is `true` or `false`"), span).label(span, "neither, or not known before running");
    let number = if let Value::Const(number) = value { Some(number.parts()) } else { None };
    let word = match number {
        Some((1.0, 0.0)) => "true",
        Some((0.0, 0.0)) => "false",
        _ => return diagnostic.help(format!("write `{name}=true` or `{name}=false`")),
    };
    diagnostic.fix(
        format!("write `{name}={word}`"),
        Fix { edits: vec![Edit { span, text: word.to_owned() }], keeps_values: true },
    )
}

pub(in crate::check) fn not_a_whole_number(what: &str, span: Span) -> Diagnostic {
    wrong_value(format!("{what} is a whole number that is known before anything runs"), span).label(span, "this is not")
}

/// A float of the run as a bound of a range, whose length would follow from it.
pub(in crate::check) fn bound_of_data(operand: &Operand, advice: &str, span: Span) -> Diagnostic {
    let message =
        format!("a bound of `arange` that only the run knows is a whole number, and this is {}", operand.elem);
    wrong_value(message, span)
        .label(span, "how many numbers there are would follow from it")
        .help(format!("say how many there are: `{advice}` has n of them"))
}

/// A number of the run where one is wanted before.
pub(in crate::check) fn whole_of_data(what: &str, span: Span) -> Diagnostic {
    wrong_value(format!("{what} is known before anything runs, and this is computed then"), span)
        .label(span, "follows from data")
        .help("write a number, or a size such as `x.shape[0]`; or make it an input, `input n: i64 = 10`")
}

pub(in crate::check) fn whole_too_large(what: &str, value: &BigInt, span: Span) -> Diagnostic {
    wrong_value(format!("{what} lies between -2^63 and 2^63, and this is {value}"), span).label(span, "too large")
}

pub(in crate::check) fn not_a_known_number(name: &str, span: Span) -> Diagnostic {
    wrong_value(format!("`{name}` is a real number that is known before anything runs"), span)
        .label(span, "this is not")
}

pub(in crate::check) fn no_cast(op: &Op, operand: &Operand, dtype: DType, why: CastRefusal, span: Span) -> Diagnostic {
    wrong_value(format!("`{}` makes no {dtype} of {}: {why}", op.name, operand.elem), span)
        .label(operand.span, operand.describe())
}

pub(in crate::check) fn negative_freedom(param: &Param, span: Span) -> Diagnostic {
    wrong_value(format!("`{}` is a finite number, at least 0", param.name), span).label(span, "this is not")
}

pub(in crate::check) fn no_freedom(op: &Op, freedom: f64, count: f64, operand: &Operand, span: Span) -> Diagnostic {
    let noun = if count == 1.0 { "element" } else { "elements" };
    let message = format!("`{}` of {count} {noun} with ddof={freedom} would divide by {}", op.name, count - freedom);
    let diagnostic = wrong_value(message, span).label(span, format!("must be below {count}"));
    diagnostic.label(operand.span, operand.describe())
}

pub(in crate::check) fn fill_misfit(operand: &Operand, dtype: DType, like: &Operand) -> Diagnostic {
    let message = format!("a value of {} is not always exact in {dtype}", operand.elem);
    wrong_value(message, operand.span)
        .label(operand.span, operand.describe())
        .label(like.span, format!("{}: its dtype is kept", like.describe()))
        .help(format!("write `dtype={}` to keep all of it, or `dtype={dtype}` to cast", operand.elem))
}

pub(in crate::check) fn not_a_scalar(op: &Op, operand: &Operand) -> Diagnostic {
    wrong_value(format!("`{}` goes from one number to another", op.name), operand.span)
        .label(operand.span, operand.describe())
}

pub(in crate::check) fn negative_size(size: i64, span: Span) -> Diagnostic {
    wrong_value(format!("a size cannot be {size}"), span).label(span, "negative")
}

pub(in crate::check) fn not_a_dtype(span: Span) -> Diagnostic {
    wrong_value("`dtype` is a dtype, such as `f32`".to_owned(), span).label(span, "this is none")
}

pub(in crate::check) fn zero_step(span: Span) -> Diagnostic {
    wrong_value("`arange` never gets from its start to its stop".to_owned(), span)
        .label(span, "the step is 0, or something of it is inf or nan")
}

pub(in crate::check) fn tuple_count(wanted: usize, found: usize, pattern: Span, span: Span) -> Diagnostic {
    Diagnostic::error(&names::TUPLE_MISMATCH, pattern, format!("{wanted} names for {found} values"))
        .label(pattern, format!("{wanted} names"))
        .label(span, format!("{found} values"))
}

pub(in crate::check) fn states_of_scan(value: &Value, pattern: Span, span: Span) -> Diagnostic {
    Diagnostic::error(
        &names::TUPLE_MISMATCH,
        pattern,
        "a `scan` gives the rows of its results, and not its last states",
    )
    .label(pattern, "several names")
    .label(span, value.describe())
    .help("name the rows, `let rows = scan …`; a state that is a result, too, is at last its last row, `rows[-1]`")
}

pub(in crate::check) fn not_a_tuple(value: &Value, pattern: Span, span: Span) -> Diagnostic {
    Diagnostic::error(&names::TUPLE_MISMATCH, pattern, format!("{} cannot be taken apart into names", value.describe()))
        .label(pattern, "several names")
        .label(span, value.describe())
        .help("a tuple can, and an array whose first axis has a length that is known before it runs")
}

pub(in crate::check) fn function_printed(op: &Op, span: Span) -> Diagnostic {
    let message = format!("`{}` is a function and needs arguments", op.name);
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, span, message).help(format!(
        "write `{}`; `arr doc {}` explains it",
        op.signature(),
        op.name
    ))
}

pub(in crate::check) fn dtype_printed(dtype: DType, command: Option<&str>, span: Span) -> Diagnostic {
    let (message, help) = match command {
        None => (format!("`{dtype}` is a dtype, not a value"), format!("to convert, write `{dtype}(x)`")),
        Some(command) => (
            format!("the answer is `{dtype}`, a dtype and not a value"),
            format!("`{command}` says it and why; to convert, write `{dtype}(x)`"),
        ),
    };
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, span, message).help(help)
}

pub(in crate::check) fn not_an_array(value: &Value, span: Span) -> Diagnostic {
    let message = format!("an array or a number is needed here, not {}", value.describe());
    let diagnostic = Diagnostic::error(&dtypes::NOT_AN_ARRAY, span, message).label(span, value.describe());
    if let Value::Builtin(op) = value {
        diagnostic.help(format!("call it: `{}`", op.signature()))
    } else if let Value::DType(dtype) = value {
        diagnostic.help(format!("to convert, write `{dtype}(x)`"))
    } else if let Value::None = value {
        diagnostic.help("no value is ever None; a number that is missing is nan: `isnan(x)`")
    } else if let Value::Str(text) = value {
        let number = text.trim().to_ascii_lowercase();
        let is_number = matches!(number.trim_start_matches(['+', '-']), "nan" | "inf");
        let what = if is_number { format!("write `{number}`") } else { "nothing is computed with text".to_owned() };
        diagnostic.help(format!("numbers stand without quotes: {what}"))
    } else if let Value::Tuple(parts) = value {
        let names = match parts.len() {
            0 => return diagnostic.help("an array without elements is `[]`, or `zeros(0)`"),
            1 => "a,",
            2 => "a, b",
            3 => "a, b, c",
            _ => "a, b, c, …",
        };
        diagnostic.help(format!("its parts get names, `let ({names}) = …`, and the first is `(…)[0]`"))
    } else {
        diagnostic
    }
}

pub(in crate::check) fn type_in_expression(text: &str, span: Span, dtype: Span) -> Diagnostic {
    Diagnostic::error(&dtypes::NOT_AN_ARRAY, span, format!("`{text}` is a type, and types stand only after `:`"))
        .label(dtype, "in an expression a dtype converts a value")
        .help("write `f32(x)` to convert, or `let y: f32[n] = x` to check a type")
}

pub(in crate::check) fn not_bool(op: &Op, operand: &Operand, text: &str) -> Diagnostic {
    let message = format!("`{}` takes bool, not {}", op.shown(), operand.elem);
    let fix = Fix {
        edits: vec![
            Edit { span: Span { end: operand.span.start, ..operand.span }, text: "(".to_owned() },
            Edit { span: operand.span.after(), text: " != 0)".to_owned() },
        ],
        keeps_values: true,
    };
    Diagnostic::error(&dtypes::NOT_BOOL, operand.span, message)
        .label(operand.span, operand.describe())
        .fix(format!("write `({text} != 0)`"), fix)
}

pub(in crate::check) fn condition_not_bool(op: &Op, operand: &Operand, text: &str) -> Diagnostic {
    let mut diagnostic = not_bool(op, operand, text);
    diagnostic.message = format!("the condition of `{}` is bool, not {}", op.name, operand.elem);
    diagnostic
}

/// Arguments that a function does not take together.
pub(in crate::check) fn not_together(op: &Op, names: &[&str], span: Span) -> Diagnostic {
    let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let message = format!("`{}` does not take {} together", op.name, names.join(", "));
    Diagnostic::error(&names::WRONG_ARGUMENTS, span, message).note(op.signature())
}
