//! Messages about legal code that is seldom meant.

use super::{cast_fix, covers, quoted, with_operand};
use crate::check::infer::found::f64_origins::{Cause, F64Origin};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::lints;
use crate::diagnostic::{Diagnostic, Edit, Fix, Level};
use crate::ops::Op;
use crate::range::{Interval, integers};
use crate::source::Span;
use crate::syntax::allow;
use crate::syntax::ast::Operator;
use crate::types::{DType, Kind};

/// What is wrong with a suppression.
pub(in crate::check) enum SuppressionFlaw<'s> {
    /// It silences nothing.
    Unused(&'s str),
    /// It is on a line of its own.
    Alone(&'s str),
    /// No finding has the name; perhaps this one is meant.
    Unknown(&'s str, Option<&'s str>),
    /// The name is that of an error.
    Error(&'s str),
    /// It does not say `allow(NAME)`.
    Malformed,
}

/// The negative of an unsigned integer. The dtype that mends it holds `others` too.
pub(in crate::check) fn unsigned_negation(
    level: Level,
    operand: &Operand,
    dtype: DType,
    text: &str,
    others: &[Interval],
    (widest, at): (u32, Span),
) -> Diagnostic {
    let message = format!("{dtype} has no negative values: `-` wraps for everything but 0");
    let diagnostic = with_operand(Diagnostic::new(&lints::UNSIGNED_NEGATION, level, message).label(at, ""), operand);
    let fits = |bits: u32| (dtype.bits() + 1..=widest).contains(&bits);
    let holds = |wide: DType| fits(wide.bits()) && others.iter().all(|range| range.exists_in(wide));
    let signed = DType::ALL.into_iter().find(|wide| wide.kind() == Kind::Signed && holds(*wide));
    let (wide, holds) = match signed {
        Some(wide) => (wide, "holds every result"),
        None if widest == 32 => (DType::I32, "holds the negatives of all that are at most 2^31"),
        None => (DType::I64, "holds the negatives of all that are at most 2^63"),
    };
    diagnostic.fix(format!("`-{wide}({})` {holds}", bare(text)), cast_fix(operand, wide))
}

/// An operand without parentheses of its own.
fn bare(text: &str) -> String {
    quoted(text).trim_matches('`').to_owned()
}

/// What a total of integers does above the largest of its dtype.
fn integer_end(checked: bool) -> &'static str {
    if checked { "is an error" } else { "wraps" }
}

/// Where a total is in a dtype that is soon too narrow.
#[derive(Clone, Copy)]
pub(in crate::check) struct NarrowTotal {
    /// The widest integer dtype of the system.
    pub(in crate::check) wide: DType,
    /// The operation.
    pub(in crate::check) at: Span,
    /// Whether what does not fit is an error. Otherwise it wraps.
    pub(in crate::check) checked: bool,
    /// What it comes to, if the program itself holds the values.
    pub(in crate::check) reached: Option<i128>,
}

impl NarrowTotal {
    /// The total, if it is known, which an integer dtype does not hold.
    fn known(&self, shown: &str, dtype: DType) -> Option<String> {
        let ((least, most), reached) = (integers(dtype), self.reached?);
        let holds = if reached > most { format!("at most {most}") } else { format!("at least {least}") };
        let reached = match reached {
            i128::MAX | i128::MIN => "more than any integer dtype holds".to_owned(),
            value => value.to_string(),
        };
        Some(format!("`{shown}` comes to {reached}, and {dtype} holds {holds}"))
    }
}

/// The float dtype that holds the totals of integers of a dtype, rounded, where no integer dtype is wider.
fn float_instead(dtype: DType, wide: DType) -> Option<DType> {
    let is_widest = dtype.is_integer() && dtype.bits() >= wide.bits();
    is_widest.then_some(if wide.bits() < 64 { DType::F32 } else { DType::F64 })
}

/// A sum or a product in a dtype that is soon too narrow: of an operand that is written so, with what stands before and
/// behind it among the arguments.
pub(in crate::check) fn narrow_accumulation(
    level: Level,
    op: &Op,
    operand: &Operand,
    dtype: DType,
    (before, text, rest): (&str, &str, &str),
    total: NarrowTotal,
) -> Diagnostic {
    let NarrowTotal { wide, at, checked, .. } = total;
    let message = match dtype.integer_range() {
        _ if let Some(known) = total.known(op.shown(), dtype) => known,
        Some((_, most)) => {
            format!("`{}` of {} stays {dtype}: it {} above {most}", op.shown(), operand.elem, integer_end(checked))
        }
        None => {
            format!("`{}` of {} stays {dtype}: {}", op.shown(), operand.elem, float_end(dtype))
        }
    };
    let wide = if dtype.is_integer() { wide } else { DType::F32 };
    let diagnostic = Diagnostic::new(&lints::NARROW_ACCUMULATION, level, message).label(at, format!("gives {dtype}"));
    let diagnostic = with_operand(diagnostic, operand);
    let cast = |to: DType| format!("`{}({before}{to}({}){rest})`", op.name, bare(text));
    match float_instead(dtype, wide) {
        Some(float) => diagnostic.help(format!("no integer dtype is wider: {} is rounded instead", cast(float))),
        None => diagnostic.fix(format!("convert first: {}", cast(wide)), cast_fix(operand, wide)),
    }
}

/// A sum or a product in a dtype that is soon too narrow, which was asked for: `sum(x, dtype=u8)`.
pub(in crate::check) fn narrow_total(
    level: Level,
    op: &Op,
    (dtype, written): (DType, Span),
    total: NarrowTotal,
) -> Diagnostic {
    let NarrowTotal { wide, at, checked, .. } = total;
    let shown = op.shown();
    let message = match dtype.integer_range() {
        _ if let Some(known) = total.known(shown, dtype) => known,
        Some((_, most)) => {
            format!("`{shown}` gives {dtype}, as it is asked: it {} above {most}", integer_end(checked))
        }
        None => format!("`{shown}` gives {dtype}, as it is asked: {}", float_end(dtype)),
    };
    let wide = if dtype.is_integer() { wide } else { DType::F32 };
    let edits = vec![Edit { span: written, text: wide.to_string() }];
    let diagnostic = Diagnostic::new(&lints::NARROW_ACCUMULATION, level, message)
        .label(at, format!("gives {dtype}"))
        .label(written, "asked here");
    match float_instead(dtype, wide) {
        Some(float) => diagnostic.help(format!("no integer dtype is wider: `dtype={float}` is rounded instead")),
        None => diagnostic.fix(format!("ask for a wider one: `dtype={wide}`"), Fix { edits, keeps_values: false }),
    }
}

pub(in crate::check) fn narrow_product(
    level: Level,
    op: &Op,
    operand: &Operand,
    dtype: DType,
    wide: DType,
    factor: Option<(Span, &str)>,
    at: Span,
) -> Diagnostic {
    let (least, most) = dtype.integer_range().unwrap_or_default();
    let message = format!(
        "the products are {dtype} before `{}` adds them up: they wrap outside of {least} to {most}",
        op.shown()
    );
    let diagnostic = Diagnostic::new(&lints::NARROW_ACCUMULATION, level, message)
        .label(operand.span, format!("{}, computed first", operand.describe()))
        .label(at, "adds up more widely");
    match factor {
        Some((span, text)) => {
            let edits = vec![
                Edit { span: Span { end: span.start, ..span }, text: format!("{wide}(") },
                Edit { span: span.after(), text: ")".to_owned() },
            ];
            let help = format!("convert a factor: `{wide}({}) * …`", bare(text));
            diagnostic.fix(help, Fix { edits, keeps_values: false })
        }
        None => diagnostic.help(format!("convert a factor to {wide} where the product is made")),
    }
}

/// What becomes of floats that are too large for a dtype.
fn float_end(dtype: DType) -> String {
    let becomes = if dtype.row().infinities { "infinite" } else { "no number" };
    format!("above {} it is {becomes}", dtype.largest_part())
}

/// Products that are made and added in a narrow dtype, or one operand that is added up. `joins` says whether one
/// operand that is converted to `wide` meets the others there.
pub(in crate::check) fn narrow_dot(
    level: Level,
    shown: &str,
    operands: &[Operand],
    dtype: DType,
    (wide, joins, at): (DType, bool, Span),
) -> Diagnostic {
    let message = match dtype.integer_range() {
        Some((least, most)) => {
            let does = if operands.len() > 1 { "multiplies and adds" } else { "adds" };
            format!("`{shown}` {does} in {dtype}: it wraps outside of {least} to {most}")
        }
        None => format!("`{shown}` of {dtype} gives {dtype}: {}", float_end(dtype)),
    };
    let diagnostic = Diagnostic::new(&lints::NARROW_ACCUMULATION, level, message).label(at, format!("gives {dtype}"));
    let diagnostic = operands.iter().fold(diagnostic, with_operand);
    if let Some(float) = float_instead(dtype, wide) {
        return diagnostic.help(format!("no integer dtype is wider: products of `{float}(…)` are rounded instead"));
    }
    if joins {
        return diagnostic.fix(format!("convert an operand first: `{wide}(…)`"), cast_fix(&operands[0], wide));
    }
    let edits = operands.iter().flat_map(|operand| cast_fix(operand, wide).edits).collect();
    diagnostic.fix(format!("convert the operands first: `{wide}(…)`"), Fix { edits, keeps_values: false })
}

pub(in crate::check) fn float_equality(
    level: Level,
    op: &Op,
    operands: &[Operand],
    texts: &[String],
    at: Span,
) -> Diagnostic {
    let message = format!("`{}` asks whether floats are equal to the last bit", op.shown());
    let diagnostic = Diagnostic::new(&lints::FLOAT_EQUALITY, level, message).label(at, "");
    let not = if op.shown() == "!=" { "not " } else { "" };
    let [left, right] = texts else { return diagnostic };
    operands.iter().fold(diagnostic, with_operand).help(format!(
        "`{not}isclose({}, {})` has tolerances",
        bare(left),
        bare(right)
    ))
}

/// What would be a float of 32 bits or fewer if nobody made it an f64: the dtype of narrow floats, `f32` of integers.
pub(in crate::check) fn narrow_float(narrow: &Operand) -> DType {
    match narrow.elem.strong() {
        Some(dtype) if dtype.is_float() => dtype,
        _ => DType::F32,
    }
}

/// Narrow values that become f64. `wide` is the f64 that they meet and whether they would stay narrow were that one as
/// narrow, `f64_origin` where it came from; without it the operation makes an f64 by itself, or of another operand,
/// `cause`.
pub(in crate::check) fn f64_appears(
    level: Level,
    (shown, result): (&str, DType),
    (narrow, text): (&Operand, &str),
    wide: Option<(&Operand, &str, bool)>,
    cause: Option<(&Operand, &str)>,
    f64_origin: Option<(F64Origin, String)>,
    at: Span,
) -> Diagnostic {
    let own = narrow.elem;
    let new = |message: String| {
        let diagnostic = Diagnostic::new(&lints::F64_APPEARS, level, message).label(at, format!("gives {result}"));
        with_operand(diagnostic, narrow)
    };
    let meant = format!("`{result}({})` says that {result} is meant", bare(text));
    let (Some((wide, wide_text, stays)), Some((f64_origin, made))) = (wide, f64_origin) else {
        let Some((cause, cause_text)) = cause else {
            let message = format!("`{shown}` of {own} gives {result}, and nothing here says {result}");
            return new(message).help(format!("{meant}; `f32(…)` of every operand keeps 32 bits"));
        };
        let both = cause.elem.strong().map_or_else(|| own.to_string(), |dtype| format!("{own} and {dtype}"));
        let made = quoted(cause_text);
        let message =
            format!("`{shown}` of {both} gives {result}, and nothing here says {result}: it comes from {made}");
        let keep = format!("{}({})", narrow_float(narrow), bare(cause_text));
        return new(message).label(cause.span, cause.describe()).help(format!("{meant}; `{keep}` keeps {own}"));
    };
    let keep = narrow_float(narrow);
    let keep = if wide.elem.kind() == Kind::Complex { keep.complex() } else { keep };
    let default = if f64_origin.cause == Cause::Operation { "" } else { ", its default dtype" };
    let is_own = f64_origin.cause == Cause::Operation && covers(wide.span, f64_origin.span);
    let (made_text, wide_elem) = (quoted(if is_own { wide_text } else { &made }), wide.elem);
    let message = format!(
        "`{shown}` of {own} and {wide_elem} gives {result}, which nobody wrote: it comes from {made_text}{default}"
    );
    let diagnostic = new(message);
    // The span of an array covers the values that `add_at` adds to it.
    let is_part = wide.span != narrow.span && covers(wide.span, narrow.span);
    let is_near = covers(f64_origin.span, wide.span) || covers(wide.span, f64_origin.span);
    let diagnostic = match (is_part, is_near) {
        (true, _) => diagnostic.label(f64_origin.span, "f64 from here"),
        (false, true) => diagnostic.label(wide.span, wide.describe()),
        (false, false) => diagnostic.label(wide.span, wide.describe()).label(f64_origin.span, "f64 from here"),
    };
    let (help, fix) = match f64_origin.cause {
        Cause::Call if made.ends_with(')') && f64_origin.alone => {
            let end = Span { start: f64_origin.span.end - 1, end: f64_origin.span.end - 1, ..f64_origin.span };
            let edits = vec![Edit { span: end, text: format!(", dtype={keep}") }];
            let call = made.split_whitespace().collect::<Vec<_>>().join(" ");
            (format!("`{}, dtype={keep})` keeps {keep}", &call[..call.len() - 1]), Fix { edits, keeps_values: false })
        }
        Cause::Literal if is_part => {
            let list = Operand { span: f64_origin.span, ..wide.clone() };
            (format!("`{keep}({})` keeps {keep}", bare(&made)), cast_fix(&list, keep))
        }
        Cause::Call | Cause::Operation if is_part => return diagnostic.help(meant),
        Cause::Call | Cause::Literal | Cause::Operation => {
            (format!("`{keep}({})` keeps {keep}", bare(wide_text)), cast_fix(wide, keep))
        }
    };
    match stays {
        true => diagnostic.fix(help, fix).help(meant),
        // The narrow values have to be converted too, which rounds them.
        false => {
            let help = help.trim_end_matches(&format!(" keeps {keep}")).to_owned();
            diagnostic.help(format!("{help} and `{keep}({})` keep {keep}", bare(text))).help(meant)
        }
    }
}

pub(in crate::check) fn float_mean_of_int(
    level: Level,
    op: &Op,
    operand: &Operand,
    from: DType,
    to: DType,
    text: &str,
    at: Span,
) -> Diagnostic {
    let message = format!("`{}` of {from} is {to}, which the promotion system chose", op.shown());
    let diagnostic = Diagnostic::new(&lints::FLOAT_MEAN_OF_INT, level, message).label(at, format!("gives {to}"));
    let exact = to == DType::F64 && from.bits() <= 32;
    let cast = Fix { keeps_values: exact, ..cast_fix(operand, DType::F64) };
    with_operand(diagnostic, operand).fix(format!("`{}(f64({}))` is f64 everywhere", op.name, bare(text)), cast)
}

/// `a > 0 & b > 0`: `bound` is what the operator binds, `pieces` what was likely meant to be compared.
pub(in crate::check) fn bitwise_precedence(
    level: Level,
    op: Operator,
    bound: Span,
    text: &str,
    span: Span,
    pieces: &[Span],
) -> Diagnostic {
    let word = match op.notation {
        "&" => "and",
        "|" => "or",
        _ => "!=",
    };
    let message = format!("`{}` binds more tightly than the comparisons around it", op.notation);
    let diagnostic = Diagnostic::new(&lints::BITWISE_PRECEDENCE, level, message)
        .label(op.span, "")
        .label(bound, "compared as one")
        .label(span, "");
    let edits = pieces.iter().flat_map(|piece| {
        let before = Span { end: piece.start, ..*piece };
        [Edit { span: before, text: "(".to_owned() }, Edit { span: piece.after(), text: ")".to_owned() }]
    });
    let fix = Fix { edits: edits.collect(), keeps_values: false };
    let diagnostic = diagnostic.fix("put each comparison in parentheses", fix);
    let diagnostic = match word {
        "!=" => diagnostic,
        word => diagnostic.help(format!("or write `{word}`, which binds more loosely than comparisons")),
    };
    diagnostic.help(format!("if it is meant, say so: `({})`", bare(text)))
}

pub(in crate::check) fn shadowed_builtin(
    level: Level,
    name: &str,
    rename: Option<(String, Vec<Edit>)>,
    span: Span,
) -> Diagnostic {
    let message = format!("`{name}` hides the builtin of that name");
    let diagnostic =
        Diagnostic::new(&lints::SHADOWED_BUILTIN, level, message).label(span, "no longer the builtin from here on");
    match rename {
        Some((new, edits)) => {
            diagnostic.fix(format!("call it `{new}`, or what it means"), Fix { edits, keeps_values: true })
        }
        None => diagnostic.help("choose another name"),
    }
}

pub(in crate::check) fn unused_binding(level: Level, name: &str, span: Span) -> Diagnostic {
    // Another file may use it, and a name that nothing uses is often a misspelt one.
    let fix = Fix { edits: vec![Edit { span, text: format!("_{name}") }], keeps_values: false };
    Diagnostic::new(&lints::UNUSED_BINDING, level, format!("nothing uses `{name}`"))
        .label(span, "defined here")
        .fix(format!("remove it, or call it `_{name}` if that is meant"), fix)
}

/// A list of one number times an integer, both as they are written.
pub(in crate::check) fn list_repetition(
    level: Level,
    number: &str,
    count: &str,
    (at, whole): (Span, Span),
) -> Diagnostic {
    let code = format!("full({count}, {number})");
    let full = Fix { edits: vec![Edit { span: whole, text: code.clone() }], keeps_values: false };
    Diagnostic::new(&lints::LIST_REPETITION, level, "a list of one number times an integer has one element")
        .label(at, "multiplies")
        .fix(format!("for a list of `{count}` elements write `{code}`"), full)
        .help("where the product is meant, write it inside the brackets, or without them")
}

/// A call that NumPy's users expect to change an array. `keep` is what stands before it to keep the result, if there is
/// something to call it.
pub(in crate::check) fn unchanged_array(
    level: Level,
    array: &str,
    written: &str,
    keep: Option<&str>,
    span: Span,
) -> Diagnostic {
    let found = Diagnostic::new(&lints::UNCHANGED_ARRAY, level, format!("`{array}` is as it was after this"))
        .label(span, "gives a new array, which nothing reads");
    match keep {
        Some(keep) => {
            let edit = Edit { span: Span { end: span.start, ..span }, text: keep.to_owned() };
            found.fix(format!("write `{keep}{written}`"), Fix { edits: vec![edit], keeps_values: false })
        }
        None => found.help(format!("give it a name: `let z = {written}`")),
    }
}

/// A line that begins with a sign, which has its place with the blanks behind it; `end` is where the line above ends.
pub(in crate::check) fn leading_sign(
    level: Level,
    (sign, text): (Span, &str),
    end: Span,
    ends_body: bool,
) -> Diagnostic {
    let operator = text.trim_end();
    let message = format!("this line does not go on with the one above: `{operator}` is the sign of its value");
    let edits = vec![Edit { span: end, text: format!(" {operator}") }, Edit { span: sign, text: String::new() }];
    let begins = if ends_body { "begins the value of the body" } else { "begins a statement of its own" };
    let found = Diagnostic::new(&lints::LEADING_SIGN, level, message)
        .label(Span { end: sign.start + operator.len() as u32, ..sign }, begins)
        .label(end, "the statement ends here");
    if ends_body {
        // Both lines as one would leave the body without a value.
        return found
            .help(format!("to go on, end the line above with `{operator}`, and write the value of the body below"))
            .help("if this is the value, put it in parentheses");
    }
    found.fix(format!("to go on, end the line above with `{operator}`"), Fix { edits, keeps_values: false })
}

/// A suppression without effect.
pub(in crate::check) fn idle_suppression(
    level: Level,
    idle: &SuppressionFlaw,
    span: Span,
    comment: Span,
    blanks: Span,
    text: &str,
) -> Diagnostic {
    let new = |message: String| Diagnostic::new(&lints::UNUSED_SUPPRESSION, level, message);
    let removed = |name: &str| {
        let text = allow::without(text, &[name]);
        // The blanks before a comment go with it.
        let span = if text.is_empty() { blanks.to(comment) } else { comment };
        let edits = vec![Edit { span, text }];
        Fix { edits, keeps_values: true }
    };
    match idle {
        SuppressionFlaw::Unused(name) => new(format!("there is no {name} here to silence"))
            .label(span, "silences nothing")
            .fix("remove it", removed(name)),
        SuppressionFlaw::Alone(name) => {
            new(format!("{name} is silenced at the end of a line, and this is a line of its own"))
                .label(span, "silences nothing")
                .help("write the comment at the end of the line that it is about")
        }
        SuppressionFlaw::Unknown(name, near) => {
            let diagnostic = new(format!("there is no finding `{name}`")).label(span, "silences nothing");
            match near {
                Some(near) => {
                    let edits = vec![Edit { span, text: (*near).to_owned() }];
                    diagnostic.fix(format!("there is `{near}`"), Fix { edits, keeps_values: true })
                }
                None => diagnostic.fix("remove it", removed(name)),
            }
        }
        SuppressionFlaw::Error(name) => new(format!("`{name}` is an error, which no comment silences"))
            .label(span, "silences nothing")
            .fix("remove it", removed(name)),
        SuppressionFlaw::Malformed => new("this looks like a suppression and is none".to_owned())
            .label(span, "silences nothing")
            .help("write `# arr: allow(NAME)`, with the names of findings between the parentheses"),
    }
}
