//! The wording of everything that the checker reports: one function per situation.
//!
//! A message says what was found, what was expected, and what to write instead, with the user's own names. Both
//! operands are labelled with their dtype and with the place that the dtype comes from.

mod assertions;
mod bits;
mod calls;
mod casts;
mod dtypes;
mod elsewhere;
mod files;
mod functions;
mod inputs;
mod libraries;
mod lines;
mod lints;
mod literals;
mod loops;
mod random;
mod ranges;
mod refusals;
mod settings;
mod shapes;
mod updates;
mod views;

pub(in crate::check) use assertions::*;
pub(in crate::check) use bits::*;
pub(in crate::check) use calls::*;
pub(in crate::check) use casts::*;
pub(in crate::check) use dtypes::*;
pub(in crate::check) use elsewhere::*;
pub(in crate::check) use files::*;
pub(in crate::check) use functions::*;
pub(in crate::check) use inputs::*;
pub(in crate::check) use libraries::*;
pub(in crate::check) use lines::*;
pub(in crate::check) use lints::*;
pub(in crate::check) use literals::*;
pub(in crate::check) use loops::*;
pub(in crate::check) use random::*;
pub(in crate::check) use ranges::*;
pub(in crate::check) use refusals::*;
pub(in crate::check) use settings::*;
pub(in crate::check) use shapes::*;
pub(in crate::check) use updates::*;
pub(in crate::check) use views::*;

use super::infer::values::operand::Operand;
use crate::array::show::scalar_text;
use crate::constant::Const;
use crate::diagnostic::codes::inputs as inputs_codes;
use crate::diagnostic::{Diagnostic, Edit, Fix};
use crate::promotion::verdict;
use crate::scalar::Scalar;
use crate::source::Span;
use crate::types::{DType, Elem};

/// What this version does not do, and what to write meanwhile.
pub(super) fn not_supported(what: &str, meanwhile: impl Into<String>, span: Span) -> Diagnostic {
    Diagnostic::error(&inputs_codes::NOT_SUPPORTED, span, format!("{what} is not there yet"))
        .label(span, "this version does not do it")
        .help(meanwhile)
}

/// What came to nothing without a reason.
pub(super) fn unexplained(span: Span) -> Diagnostic {
    let message = "internal error: this came to nothing, and no error says why; please report it";
    Diagnostic::error(&inputs_codes::INTERNAL, span, message)
}

/// A fix that writes another word in the place of one.
fn rename(span: Span, to: &str) -> Fix {
    Fix { edits: vec![Edit { span, text: to.to_owned() }], keeps_values: false }
}

/// Labels an operand with its type, and the place that its dtype comes from.
fn with_operand(diagnostic: Diagnostic, operand: &Operand) -> Diagnostic {
    labelled(diagnostic, operand, operand.describe())
}

/// Labels an operand with these words, and the place that its dtype comes from.
fn labelled(diagnostic: Diagnostic, operand: &Operand, words: String) -> Diagnostic {
    let labelled = diagnostic.label(operand.span, words);
    match operand.origin == operand.span || covers(operand.origin, operand.span) || covers(operand.span, operand.origin)
    {
        true => labelled,
        false => labelled.label(operand.origin, format!("{} from here", operand.elem)),
    }
}

/// Whether one span lies in the other.
pub(super) fn covers(outer: Span, inner: Span) -> bool {
    outer.source == inner.source && outer.start <= inner.start && inner.end <= outer.end
}

/// The edits that write `f64(text)`, which may change values.
fn cast_fix(operand: &Operand, dtype: DType) -> Fix {
    let before = Span { end: operand.span.start, ..operand.span };
    let edits = vec![
        Edit { span: before, text: format!("{dtype}(") },
        Edit { span: operand.span.after(), text: ")".to_owned() },
    ];
    Fix { edits, keeps_values: false }
}

/// Whether an operation computes the same when these operands, by index, are cast first.
type Keeps<'a> = &'a dyn Fn(&[(usize, DType)]) -> bool;

/// What operands meet as when these are cast first, and the dtype of the result, if the system has an answer.
type GivenBy<'a> = &'a dyn Fn(&[(usize, DType)]) -> Option<(DType, DType)>;

/// What is known of casts of the operands.
pub(in crate::check) struct Casts<'a> {
    pub(in crate::check) keeps: Keeps<'a>,
    pub(in crate::check) gives: GivenBy<'a>,
    /// Whether the result has the dtype of the first operand, whatever it meets: then that one stays.
    pub(in crate::check) first_stays: bool,
    /// The widest bits that the system has.
    pub(in crate::check) widest: u32,
    /// An operand whose dtype is that of the result, whatever is computed.
    pub(in crate::check) stays: Option<KeptOperand>,
}

/// An operand that takes the result and keeps its dtype.
pub(in crate::check) struct KeptOperand {
    /// Which one.
    pub(in crate::check) operand: usize,
    /// What to do about it, but for the dtype.
    pub(in crate::check) words: String,
    /// Whether it is what a call changes, which has no place of its own.
    pub(in crate::check) is_part: bool,
}

impl Casts<'_> {
    /// Casts to a dtype after which the operands meet as what holds it: these, or those of all `strong` operands. Where
    /// neither do, or there is nothing to cast, nothing is to be advised.
    fn that_meet(
        &self,
        casts: Vec<(usize, DType)>,
        strong: &[usize],
        operands: &[Operand],
        dtype: DType,
    ) -> Option<Vec<(usize, DType)>> {
        let meet = |casts: &[(usize, DType)]| (self.gives)(casts).is_some_and(|(met, _)| verdict::exact(dtype, met));
        if casts.is_empty() || meet(&casts) {
            return Some(casts).filter(|casts| !casts.is_empty());
        }
        let others = strong.iter().filter(|&&index| operands[index].elem != Elem::Strong(dtype));
        let all: Vec<(usize, DType)> = others.map(|&index| (index, dtype)).collect();
        meet(&all).then_some(all)
    }
}

/// An operation as a program has it.
pub(in crate::check) struct WrittenOperation {
    /// Its operands.
    pub(in crate::check) texts: Vec<String>,
    /// The expression and its place, if it is short.
    pub(in crate::check) whole: Option<(String, Span)>,
}

impl WrittenOperation {
    /// The operation with some of its operands cast: `u16(a) + b`, `abs(i16(x))`.
    fn with_casts(&self, shown: &str, operands: &[Operand], casts: &[(usize, DType)]) -> String {
        if let Some((text, span)) = &self.whole
            && operands.iter().all(|operand| covers(*span, operand.span))
        {
            return with_edits(text, *span, casts.iter().map(|&(index, dtype)| (operands[index].span, dtype)));
        }
        let part = |(index, text): (usize, &String)| match casts.iter().find(|(cast, _)| *cast == index) {
            Some((_, dtype)) => format!("{dtype}({text})"),
            None => text.clone(),
        };
        let parts: Vec<String> = self.texts.iter().enumerate().map(part).collect();
        match (parts.as_slice(), shown.starts_with(char::is_alphabetic)) {
            ([left, right], false) => format!("{left} {shown} {right}"),
            ([operand], false) => format!("{shown}{operand}"),
            // What else it is given does not stand there.
            _ => format!("{shown}({}, …)", parts.join(", ")),
        }
    }

    /// Whether it is `a += b`, which writes what it reads.
    fn is_update(&self, shown: &str, operands: &[Operand]) -> bool {
        let Some((text, span)) = &self.whole else { return false };
        let [first, _] = operands else { return false };
        let rest = (first.span.start == span.start).then(|| text.get((first.span.end - span.start) as usize..));
        let rest = rest.flatten().and_then(|rest| rest.trim_start().strip_prefix(shown));
        rest.is_some_and(|rest| rest.starts_with('=') && !rest.starts_with("=="))
    }
}

/// The text of a place with casts around parts of it.
fn with_edits(text: &str, span: Span, casts: impl Iterator<Item = (Span, DType)>) -> String {
    let mut edits: Vec<(usize, String)> = Vec::new();
    for (part, dtype) in casts {
        let (start, end) = ((part.start - span.start) as usize, (part.end - span.start) as usize);
        // Parentheses that are there already are those of the cast.
        let own = text[..start].ends_with('(') && text[end..].starts_with(')');
        let is_call = text[..start].trim_end_matches('(').ends_with(|last: char| last.is_alphanumeric() || last == '_');
        match own && !is_call {
            true => edits.push((start - 1, dtype.to_string())),
            false => edits.extend([(start, format!("{dtype}(")), (end, ")".to_owned())]),
        }
    }
    edits.sort_by_key(|(at, _)| *at);
    let mut result = text.to_owned();
    for (at, edit) in edits.into_iter().rev() {
        result.insert_str(at, &edit);
    }
    result
}

/// What a literal near 0 is in a float dtype, with the digits that tell the two apart.
fn near_zero(value: &Const, becomes: Scalar) -> String {
    let (written, exact) = (value.parts().0, becomes.to_f64());
    let rounded = format!("{exact:.4e}").parse::<f64>().unwrap_or(exact);
    scalar_text(Scalar::of(if written == exact || written == rounded { exact } else { rounded }))
}

/// An expression as it stands in a sentence: cut when it is long, on one line.
fn quoted(text: &str) -> String {
    let one_line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match one_line.char_indices().nth(40) {
        Some((at, _)) => format!("`{}…`", &one_line[..at]),
        None => format!("`{one_line}`"),
    }
}
