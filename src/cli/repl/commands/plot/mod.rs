//! `:plot`: lines, points and histograms, drawn with characters.

mod canvas;
mod histogram;
mod scale;

use super::super::super::interrupt;
use super::super::AfterInput;
use super::super::shell::Shell;
use super::expression;
use crate::array::Array;
use crate::check::env::{Env, SessionValue};
use crate::session::{Input, Session, ShownValue};
use crate::source::Span;
use crate::syntax::tokens;
use crate::types::Kind;
use canvas::{Plot, PointForm};
use std::sync::atomic::{AtomicBool, Ordering};

/// What is drawn.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum PlotSpec {
    Line,
    Scatter,
    Histogram,
}

/// The widest drawing, and the lines it has.
const MAX_COLUMNS: usize = 100;
const ROWS: usize = 16;

/// `:plot [line|scatter|hist] EXPR[, EXPR]`
pub(super) fn plot(shell: &mut Shell, text: &str) -> AfterInput {
    if let Err(message) = draw(shell, text) {
        shell.screen.error(&message);
    }
    AfterInput::Continue
}

/// `:hist EXPR`
pub(super) fn hist(shell: &mut Shell, text: &str) -> AfterInput {
    plot(shell, &format!("hist {text}"))
}

fn draw(shell: &mut Shell, text: &str) -> Result<(), String> {
    let (wanted, rest) = form(text);
    let parts = parts(rest);
    if parts.len() > 2 || (parts.len() == 2 && wanted == Some(PlotSpec::Histogram)) {
        return Err("one expression, or two with a comma between them: `:plot x, y`, `:plot hist x`".to_owned());
    }
    // The comma as `;`: every character keeps its place.
    let mut script = rest.to_owned();
    if let [first, _] = parts[..] {
        script.replace_range(first..=first, ";");
    }
    let Some(reply) = expression::script(shell, &script) else { return Ok(()) };
    if reply.values.len() != parts.len() {
        return Err(format!("`{rest}` is {} values", reply.values.len()));
    }
    let mut numbers = Vec::new();
    for value in &reply.values {
        let Some(array) = number_array(shell, value, wanted)? else { return Ok(()) };
        numbers.push(array);
    }
    // Set by Ctrl-C since the expression was begun.
    let stop = interrupt::stop_flag();
    let numbers: Vec<Vec<f64>> = numbers.iter().map(|array| elements(array, stop)).collect();
    let wanted = wanted.unwrap_or(if parts.len() == 2 { PlotSpec::Scatter } else { PlotSpec::Line });
    let columns = shell.screen.columns().min(MAX_COLUMNS);
    let whole = reply.values.iter().all(|value| !matches!(value.array.dtype().kind(), Kind::Float));
    let drawn = match (wanted, numbers.as_slice()) {
        _ if stopped(stop) => return Err("interrupted".to_owned()),
        (PlotSpec::Histogram, [values]) => histogram::text(values, whole, columns, stop),
        (_, [xs, ys]) if xs.len() != ys.len() => {
            return Err(format!("there are {} x and {} y: as many of one as of the other", xs.len(), ys.len()));
        }
        (form, [all @ .., ys]) => {
            let form = if form == PlotSpec::Line { PointForm::Line } else { PointForm::Points };
            Plot { xs: all.first().map(Vec::as_slice), ys, form, columns, rows: ROWS, stop }.text()
        }
        (_, []) => return Ok(()),
    };
    if stopped(stop) {
        return Err("interrupted".to_owned());
    }
    shell.screen.show(drawn?);
    Ok(())
}

fn stopped(stop: &AtomicBool) -> bool {
    stop.load(Ordering::Relaxed)
}

/// The elements of an array of `f64` in C order, as many as there were before Ctrl-C.
fn elements(array: &Array, stop: &AtomicBool) -> Vec<f64> {
    let Some(bytes) = array.contiguous_bytes() else {
        let scalars = array.scalars().map(|scalar| f64::from_bits(scalar.bits as u64));
        return scalars.take_while(|_| !stopped(stop)).collect();
    };
    let bytes = bytes.chunks_exact(8);
    let numbers = bytes.map(|bytes| f64::from_le_bytes(bytes.try_into().expect("eight bytes")));
    numbers.take_while(|_| !stopped(stop)).collect()
}

/// `hist x` read apart. A word before an operator is a name.
fn form(text: &str) -> (Option<PlotSpec>, &str) {
    let forms = [("line", PlotSpec::Line), ("scatter", PlotSpec::Scatter), ("hist", PlotSpec::Histogram)];
    for (word, wanted) in forms {
        if let Some(rest) = text.strip_prefix(word)
            && rest.starts_with(char::is_whitespace)
            && rest.trim_start().starts_with(|c: char| c.is_alphanumeric() || "_([-~.".contains(c))
        {
            return (Some(wanted), rest.trim_start());
        }
    }
    (None, text)
}

/// Where the expressions end that commas part: the places of the commas outside of brackets, and the end.
fn parts(text: &str) -> Vec<usize> {
    let mut depth = 0usize;
    let mut ends = Vec::new();
    for (_, range) in tokens(text) {
        match &text[range.clone()] {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth = depth.saturating_sub(1),
            "," if depth == 0 => ends.push(range.start),
            _ => {}
        }
    }
    ends.push(text.len());
    ends
}

/// The elements as `f64`, converted by the language itself; `None` when that was interrupted, which was told.
fn number_array(shell: &Shell, value: &ShownValue, wanted: Option<PlotSpec>) -> Result<Option<Array>, String> {
    let ShownValue { array, text, .. } = value;
    let (ty, rank) = (value.type_text(), array.shape().len());
    if array.dtype().kind() == Kind::Complex {
        return Err(format!("`{text}` is {ty}: draw `abs({text})`, or its `real` and `imag`"));
    }
    match (wanted, rank) {
        (_, 0) => return Err(format!("`{text}` is one number, {ty}: there is nothing to draw")),
        (Some(PlotSpec::Histogram), _) | (_, 1) => {}
        _ => return Err(format!("`{text}` is {ty}: draw one axis of it, such as `{text}[0]`, or `:plot hist {text}`")),
    }
    let mut env = Env::default();
    env.set("x", SessionValue::Array(array.clone(), array.dtype().into(), Span::default()), Span::default());
    let mut session = Session { env, ..Session::default() };
    session.sources.add("<plot>", "");
    let reply = session.peek(&Input { options: shell.options(), ..Input::new("<plot>", "reshape(f64(x), (-1,))") });
    match reply.values.into_iter().next() {
        Some(value) => Ok(Some(value.array)),
        None => {
            let why = reply.diagnostics.iter().next().map_or("interrupted", |diagnostic| diagnostic.message.as_str());
            shell.screen.report(why);
            Ok(None)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_before_an_expression_says_what_to_draw() {
        assert_eq!(form("hist x"), (Some(PlotSpec::Histogram), "x"));
        assert_eq!(form("scatter [1, 2], y"), (Some(PlotSpec::Scatter), "[1, 2], y"));
        assert_eq!(form("hist * 2"), (None, "hist * 2"));
        assert_eq!(form("hist(x)"), (None, "hist(x)"));
        assert_eq!(form("line"), (None, "line"));
    }

    #[test]
    fn commas_inside_brackets_part_nothing() {
        assert_eq!(parts("f(a, b), c[0, 1]"), [7, 16]);
        assert_eq!(parts("x"), [1]);
    }
}
