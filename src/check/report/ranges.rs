//! Messages about facts that ranges prove.

use super::{WrittenOperation, cast_fix, labelled, quoted, with_operand};
use crate::check::infer::values::operand::Operand;
use crate::diagnostic::codes::{dtypes, lints};
use crate::diagnostic::{Diagnostic, Edit, Fix, Help, HelpTopic, Level};
use crate::ops::{Form, Op, ScaledOperation};
use crate::promotion::Class;
use crate::range::{Interval, integers};
use crate::source::Span;
use crate::types::{DType, Elem, Kind};

/// Ends beyond it say little: seldom did somebody state them.
const MAX_TELLING_END: i128 = 1 << 40;

/// How a help ends that says what leaves arithmetic as it is.
const MEANT: &str = "says that wrapping is meant";

/// What a wider dtype holds, where nothing else is to be held.
const EVERY_RESULT: &str = "every result";

/// Arithmetic that wraps, as it is written.
pub(in crate::check) struct WrappedArithmetic<'w> {
    pub(in crate::check) text: &'w str,
    pub(in crate::check) shown: &'w str,
    pub(in crate::check) written: &'w WrittenOperation,
    pub(in crate::check) class: Class,
    /// How many bits the widest dtypes have.
    pub(in crate::check) widest: u32,
    /// Whether a dtype has a common one with that of the operands.
    pub(in crate::check) meets: &'w dyn Fn(DType) -> bool,
    /// What the dtype that mends it holds besides: the values of other calls of the function.
    pub(in crate::check) others: &'w [Interval],
    /// What is made of the result and would be computed in that dtype too.
    pub(in crate::check) later: Option<Interval>,
    /// Whether it was found in some steps of a loop, and may be otherwise in the others.
    pub(in crate::check) in_steps: bool,
    /// The end of the dtype that an operand begins with, as it is written: `i64.max`.
    pub(in crate::check) begins_at: Option<&'w str>,
    pub(in crate::check) at: Span,
}

/// Whether an operation is computed in a dtype when only these operands are cast to it.
type Enough<'a> = &'a dyn Fn(&[usize], DType) -> bool;

/// Integers that wrap: `a + b` can reach 8190, and i8 holds at most 127.
pub(in crate::check) fn integer_overflow(
    level: Level,
    wrapped: &WrappedArithmetic,
    exact: Interval,
    dtype: DType,
    operands: &[Operand],
    ranges: &[Option<Interval>],
    enough: Enough,
) -> Diagnostic {
    let WrappedArithmetic { text, shown, written, class, others, in_steps, at, .. } = *wrapped;
    let short = text.len() <= 40 && !text.contains('\n');
    let expression = if short { text } else { shown };
    let message = reached(expression, exact, dtype, in_steps);
    let until = if in_steps && is_apart(exact, dtype) { " up to the step that wraps" } else { "" };
    let diagnostic = Diagnostic::new(&dtypes::INTEGER_OVERFLOW, level, message).label(at, format!("in {exact}{until}"));
    let mut diagnostic = ranged(diagnostic, operands, ranges);
    if let Some(end) = wrapped.begins_at {
        diagnostic =
            diagnostic.help(format!("begin with a number that leaves room, as `{end} // 4`")).on(HelpTopic::Room);
    }
    let own = |operand: &&Operand| matches!(operand.elem, Elem::Strong(own) if own.is_integer());
    let strong: Vec<usize> = (0..operands.len()).filter(|&index| own(&&operands[index])).collect();
    let held: Vec<Interval> = ranges.iter().flatten().chain(others).copied().collect();
    let (wide, results) = mending(wrapped, exact, dtype, held);
    if let Some(wide) = wide.filter(|_| !strong.is_empty()) {
        let first = strong.iter().find(|&&index| enough(&[index], wide));
        // Integers of a dtype that meets no bool need its cast too.
        let truth = |index: &usize| operands[*index].elem == Elem::Strong(DType::Bool);
        let cast: Vec<usize> = match first {
            Some(&index) => vec![index],
            None if enough(&strong, wide) => strong.clone(),
            None => strong.iter().copied().chain((0..operands.len()).filter(truth)).collect(),
        };
        let casts: Vec<(usize, DType)> = cast.into_iter().map(|index| (index, wide)).collect();
        let edits = casts.iter().flat_map(|&(index, wide)| cast_fix(&operands[index], wide).edits).collect();
        if written.is_update(shown, operands) {
            let name = written.texts[0].split('[').next().unwrap_or_default();
            return diagnostic.help(format!("a variable keeps its dtype: declare `{name}` as {wide}"));
        }
        let cast = written.with_casts(shown, operands, &casts);
        // The range is that of what the operands become. Where one of them may become another number, the results of
        // the numbers as they are may lie anywhere.
        let stays = |(operand, range): (&Operand, &Option<Interval>)| {
            operand.is_exact() || operand.is_open() || range.is_none_or(|range| range.exists_in(dtype))
        };
        if !operands.iter().zip(ranges).all(stays) {
            return diagnostic.help(format!("`{cast}` computes in {wide}, which holds every operand as it is"));
        }
        diagnostic = diagnostic.fix(format!("`{cast}` holds {results}, as {wide}"), Fix { edits, keeps_values: false });
        if results == EVERY_RESULT {
            diagnostic = diagnostic.on(HelpTopic::Holds(wide.name()));
        }
        if dtype.bits() <= 16 && short {
            let stops = integers(dtype).0.min(0) == 0 && matches!(exact, Interval::Integer { low, .. } if low < 0);
            let end = if stops { integers(dtype).0 } else { integers(dtype).1 };
            diagnostic =
                diagnostic.help(format!("`saturate({cast}, {dtype})` stops at {end}; `{dtype}({text})` {MEANT}"));
            diagnostic = diagnostic.on(HelpTopic::Wrapping);
        }
    } else if let Some(wide) = wide {
        diagnostic = diagnostic.help(format!("{wide} holds every value"));
    } else if short && !written.is_update(shown, operands) && wrapped.begins_at.is_none() {
        diagnostic = diagnostic.help(format!("`{dtype}({text})` {MEANT}")).on(HelpTopic::Wrapping);
    }
    match (class, written.texts.as_slice()) {
        (Class::Subtraction, [a, b]) if dtype.kind() == Kind::Unsigned && operands.iter().all(|it| !it.is_exact()) => {
            diagnostic.help(format!("`maximum({a}, {b}) - minimum({a}, {b})` is how far they are apart, in {dtype}"))
        }
        _ => diagnostic,
    }
}

/// The dtype that mends arithmetic, and what it holds. In wide unsigned integers nobody would be told of what wraps
/// later: there the dtype holds that too, or else is signed, where it is told.
fn mending(
    wrapped: &WrappedArithmetic,
    exact: Interval,
    dtype: DType,
    mut held: Vec<Interval>,
) -> (Option<DType>, &'static str) {
    let WrappedArithmetic { widest, meets, .. } = *wrapped;
    let holds = |held: &[Interval]| wider(exact, dtype, held, meets).filter(|wide| wide.bits() <= widest);
    let wide = holds(&held);
    let is_silent = |wide: &DType| wide.kind() == Kind::Unsigned && wide.bits() > 16;
    if let (Some(limit), Some(later @ Interval::Integer { high, .. })) =
        (wide.filter(is_silent).map(|wide| integers(wide).1), wrapped.later)
        && high > limit
    {
        held.push(later);
        if let Some(roomy) = holds(&held) {
            return (Some(roomy), "every result and what is made of it");
        }
        held.pop();
        held.push(Interval::Integer { low: -1, high: 0 });
        return (holds(&held).or(wide), EVERY_RESULT);
    }
    (wide, EVERY_RESULT)
}

/// Says why nothing mends it: what it is made of has to be mended too.
pub(in crate::check) fn held_by_no_dtype(found: Diagnostic, text: &str, dtype: DType) -> Diagnostic {
    let found = found.note("no integer dtype holds every result once the operands are mended");
    let is_said = found.helps.iter().any(|help| help.topic == Some(HelpTopic::Wrapping));
    match text.len() <= 40 && !text.contains('\n') && !is_said {
        true => found.help(format!("`{dtype}({text})` {MEANT}")).on(HelpTopic::Wrapping),
        false => found,
    }
}

/// Another run may have values of which none wraps.
pub(in crate::check) fn of_given_values(found: Diagnostic) -> Diagnostic {
    found.note("this follows from the values that are given: `arr check` does not know them")
}

/// What a loop carries wraps: its dtype is that of what it begins with. There is a text where a cast may stand around
/// it.
pub(in crate::check) fn of_a_state(found: &mut Diagnostic, text: Option<&str>, dtype: DType) {
    let (room, had): (Vec<Help>, Vec<Help>) =
        std::mem::take(&mut found.helps).into_iter().partition(|help| help.topic == Some(HelpTopic::Room));
    let text = text.filter(|_| room.is_empty());
    found.helps = room;
    if !had.is_empty() {
        let mut help = |text: String, topic| found.helps.push(Help { text, fix: None, restates: None, topic });
        // Where no dtype is wider, wrapping may still be meant.
        if had.iter().any(|help| help.topic != Some(HelpTopic::Wrapping)) {
            help("a state keeps its dtype: begin it in a wider one".to_owned(), None);
        }
        if let Some(text) = text.filter(|text| text.len() <= 40 && !text.contains('\n')) {
            help(format!("`{dtype}({text})` {MEANT}"), Some(HelpTopic::Wrapping));
        }
    }
}

/// What is converted does not fit for all that is known of it.
pub(in crate::check) fn lies_beyond(found: Diagnostic, range: Interval, dtype: DType) -> Diagnostic {
    let (least, most) = integers(dtype);
    found.note(format!("it lies in {range}, and {dtype} holds {least} to {most}: others wrap"))
}

/// A cast that wraps.
pub(in crate::check) fn cast_overflow(
    level: Level,
    text: &str,
    exact: Interval,
    dtype: DType,
    operand: &Operand,
    ranges: &[Option<Interval>],
    at: Span,
) -> Diagnostic {
    let message = reached(&cast_words(text, dtype), exact, dtype, false);
    let diagnostic = Diagnostic::new(&dtypes::INTEGER_OVERFLOW, level, message).label(at, format!("in {exact}"));
    let diagnostic = ranged(diagnostic, std::slice::from_ref(operand), ranges);
    let held: Vec<Interval> = ranges.iter().flatten().copied().collect();
    match wider(exact, dtype, &held, &|_| true) {
        Some(wide) => diagnostic.help(format!("{wide} holds every value")),
        None => diagnostic,
    }
}

/// A cast as it is written, or without what it is of where that is long.
fn cast_words(text: &str, dtype: DType) -> String {
    let short = text.len() <= 40 && !text.contains('\n');
    if short { text.to_owned() } else { format!("{dtype}(…)") }
}

/// A cast of floats that stops at the ends of a dtype of integers.
pub(in crate::check) fn cast_stops(
    level: Level,
    text: &str,
    (low, high): (f64, f64),
    dtype: DType,
    operand: &Operand,
    at: Span,
) -> Diagnostic {
    let (least, most) = integers(dtype);
    let is_above = high.trunc() as i128 > most;
    let (reached, end) = if is_above { (high, most) } else { (low, least) };
    let shown = cast_words(text, dtype);
    let does = if low == high { "is" } else { "can reach" };
    // A float is printed with the digits that tell it from others, and zeros.
    let is_whole = reached.fract() == 0.0 && reached.abs() <= 2f64.powi(64);
    let reached = if is_whole { (reached as i128).to_string() } else { reached.to_string() };
    let message = format!("`{shown}` {does} {reached}, and {dtype} stops at {end}");
    let diagnostic = Diagnostic::new(&dtypes::INTEGER_OVERFLOW, level, message).label(at, format!("stops at {end}"));
    let exact = Interval::Integer { low: low.trunc() as i128, high: high.trunc() as i128 };
    let diagnostic = with_operand(diagnostic, operand);
    match wider(exact, dtype, &[], &|_| true) {
        Some(wide) => diagnostic.help(format!("{wide} holds every value, without its fraction")),
        None => diagnostic,
    }
}

/// Whether no exact value is one of the dtype.
fn is_apart(exact: Interval, dtype: DType) -> bool {
    let (least, most) = integers(dtype);
    matches!(exact, Interval::Integer { low, high } if low > most || high < least)
}

/// Says how far exact values go beyond those of the dtype. With `in_steps` they are those of some steps of a loop.
fn reached(expression: &str, exact: Interval, dtype: DType, in_steps: bool) -> String {
    let (least, most) = integers(dtype);
    let Interval::Integer { low, high } = exact else { unreachable!("integers overflow") };
    let always = !in_steps && is_apart(exact, dtype);
    let (reached, limit) = if high > most { (high, most) } else { (low, least) };
    let reached = match reached {
        i128::MAX | i128::MIN => "more than any integer dtype holds".to_owned(),
        value => value.to_string(),
    };
    let holds = if high > most { "at most" } else { "at least" };
    match always {
        true if low == high => format!("`{expression}` is {reached}, and {dtype} holds {holds} {limit}: it wraps"),
        true => format!("`{expression}` always wraps: it lies in {exact}, and {dtype} holds {holds} {limit}"),
        // How far it falls follows from the most elements that an array may have.
        false if low < -MAX_TELLING_END && high <= most && dtype.kind() == Kind::Unsigned => {
            format!("`{expression}` can fall far below 0, and {dtype} holds {holds} {limit}")
        }
        false => format!("`{expression}` can reach {reached}, and {dtype} holds {holds} {limit}"),
    }
}

/// The narrowest dtype that holds the exact values and other ones, such as those of the operands, if there is one among
/// those that meet others.
fn wider(exact: Interval, dtype: DType, held: &[Interval], meets: &dyn Fn(DType) -> bool) -> Option<DType> {
    let holds = |wide: &DType| {
        wide.is_integer()
            && (wide.kind() == dtype.kind() || wide.kind() == Kind::Signed)
            && exact.exists_in(*wide)
            && held.iter().all(|range| range.exists_in(*wide))
    };
    DType::ALL.into_iter().find(|wide| holds(wide) && meets(*wide)).or_else(|| DType::ALL.into_iter().find(holds))
}

/// An integer divided by what can be 0.
pub(in crate::check) fn division_by_zero(
    level: Level,
    op: &Op,
    divisor: &Operand,
    range: Interval,
    text: &str,
    (checked, at): (bool, Span),
) -> Diagnostic {
    let shown = op.shown();
    let always = range.single().is_some();
    let does = if checked { "is an error under `checked`" } else { "gives 0 for integers" };
    let message = match always {
        true => format!("`{shown}` by zero, which {does}"),
        false => format!("the divisor {} can be 0, and `{shown}` by zero {does}", quoted(text)),
    };
    let words = if always { "always 0".to_owned() } else { format!("{} in {range}", divisor.describe()) };
    let diagnostic = labelled(Diagnostic::new(&lints::DIVISION_BY_ZERO, level, message).label(at, ""), divisor, words);
    match (always, range) {
        (false, Interval::Integer { low: 0, .. }) => {
            diagnostic.help(format!("`maximum({text}, 1)` is never 0; a declared range may begin at 1"))
        }
        (false, _) => {
            diagnostic.help(format!("say what is meant: `where({text} != 0, … {shown} {}, 0)`", beside_operator(text)))
        }
        (true, _) => diagnostic,
    }
}

/// A shift by as many bits as there are or more, or by fewer than none.
pub(in crate::check) fn shift_by_a_range(
    level: Level,
    op: &Op,
    count: &Operand,
    range: Interval,
    text: &str,
    dtype: DType,
) -> Diagnostic {
    let (shown, bits) = (op.shown(), i128::from(dtype.bits()));
    let Interval::Integer { low, high } = range else { unreachable!("counts are integers") };
    let is_left = matches!(op.form, Form::Scaled(ScaledOperation::ShiftLeft));
    let always = low >= bits || high < 0;
    let lost = match is_left || dtype.kind() == Kind::Unsigned {
        true => format!("moves every bit of {dtype} out"),
        false => "leaves nothing but the sign".to_owned(),
    };
    let message = match always {
        true => format!("`{shown}` by {} {lost}", quoted(text)),
        false => {
            let reached = if high >= bits { high } else { low };
            format!("{} can be {reached}, and `{shown}` by that {lost}", quoted(text))
        }
    };
    let words = format!("{} in {range}, and {dtype} has {bits} bits", count.describe());
    let diagnostic = labelled(Diagnostic::new(&dtypes::SHIFT_OUT_OF_RANGE, level, message), count, words);
    let wide = DType::ALL.into_iter().find(|wide| wide.kind() == dtype.kind() && i128::from(wide.bits()) > high);
    match wide.filter(|_| is_left && low >= 0) {
        Some(wide) => diagnostic.help(format!("{wide} has room for the bits")),
        None if always => diagnostic.help(format!("counts of {dtype} lie between 0 and {}", bits - 1)),
        None => {
            let by = beside_operator(text);
            let inside = match (low < 0, high >= bits) {
                (true, true) => format!("0 <= {by} < {bits}"),
                (true, false) => format!("0 <= {by}"),
                (false, _) => format!("{by} < {bits}"),
            };
            diagnostic.help(format!("say what is meant: `where({inside}, … {shown} {by}, 0)`"))
        }
    }
}

/// The text of an operand, in parentheses where it has an operator outside its own.
pub(super) fn beside_operator(text: &str) -> String {
    let mut depth = 0;
    let is_open = text.chars().any(|c| {
        depth += i32::from(matches!(c, '(' | '[')) - i32::from(matches!(c, ')' | ']'));
        depth == 0 && "+-*/%@&|^<>".contains(c)
    });
    if is_open { format!("({text})") } else { text.to_owned() }
}

/// A comparison with not-a-number.
pub(in crate::check) fn compared_with_nan(
    level: Level,
    op: &Op,
    value: &Operand,
    nan: &Operand,
    text: &str,
    span: Span,
) -> Diagnostic {
    let shown = op.shown();
    let message = format!("`{shown}` with nan is always {}", shown == "!=");
    let diagnostic = Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message)
        .label(value.span, value.describe())
        .label(nan.span, "nan equals nothing, not even itself");
    let instead = match shown {
        "==" => format!("isnan({text})"),
        "!=" => format!("~isnan({text})"),
        _ => return diagnostic,
    };
    let edits = vec![Edit { span, text: instead.clone() }];
    diagnostic.fix(format!("`{instead}` asks for it"), Fix { edits, keeps_values: false })
}

/// Integers that are compared with a fraction.
pub(in crate::check) fn compared_with_fraction(
    level: Level,
    op: &Op,
    value: &Operand,
    fraction: &Operand,
) -> Diagnostic {
    let shown = op.shown();
    let message = format!("`{shown}` of integers with a fraction is always {}", shown == "!=");
    Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message)
        .label(value.span, value.describe())
        .label(fraction.span, "no integer equals it")
}

/// A comparison that has one answer in the ranges of its operands.
pub(in crate::check) fn decided_comparison(
    level: Level,
    op: &Op,
    truth: bool,
    operands: &[Operand],
    ranges: &[Option<Interval>],
    span: Span,
) -> Diagnostic {
    let message = format!("`{}` is always {truth} here", op.shown());
    ranged(Diagnostic::new(&dtypes::CONSTANT_COMPARISON, level, message).label(span, ""), operands, ranges)
}

/// Each operand with its range, or with its dtype.
fn ranged(diagnostic: Diagnostic, operands: &[Operand], ranges: &[Option<Interval>]) -> Diagnostic {
    operands.iter().zip(ranges).fold(diagnostic, |diagnostic, (operand, range)| match range {
        Some(range) => {
            let words = match range.single() {
                Some(value) => format!("{}, {value}", operand.describe()),
                None => format!("{} in {range}", operand.describe()),
            };
            labelled(diagnostic, operand, words)
        }
        None => with_operand(diagnostic, operand),
    })
}
