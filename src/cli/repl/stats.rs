//! Statistics of an array's elements: smallest, mean, largest, number of NaN.

use crate::array::show::scalar_text;
use crate::check::env::{Env, SessionValue};
use crate::exec::Options;
use crate::session::{Input, Session, ShownValue};
use crate::source::Span;
use crate::types::Kind;

/// A line about an array, computed by the language itself: `min -1.5, mean 0.25, max 3.0, 2 of 12 nan`.
pub(super) fn line(options: Options<'static>, value: &ShownValue) -> String {
    if value.array.is_empty() {
        return "no elements\n".to_owned();
    }
    // The elements that are numbers: NaN is counted apart.
    let rows: &[(&str, &str)] = match value.array.dtype().kind() {
        Kind::Bool => &[("true", "count_nonzero(x)")],
        Kind::Unsigned | Kind::Signed => &[("min", "min(x)"), ("mean", "mean(f64(x))"), ("max", "max(x)")],
        Kind::Float => &[
            ("min", "nanmin(x)"),
            ("mean", "nanmean(f64(x))"),
            ("max", "nanmax(x)"),
            ("nan", "count_nonzero(isnan(x))"),
        ],
        Kind::Complex => &[
            ("min |x|", "nanmin(abs(x))"),
            ("max |x|", "nanmax(abs(x))"),
            ("nan", "count_nonzero(isnan(real(x)) or isnan(imag(x)))"),
        ],
    };
    let script = rows.iter().map(|(_, expression)| format!("{expression}\n")).collect::<String>();
    let mut env = Env::default();
    let elem = value.array.dtype().into();
    env.set("x", SessionValue::Array(value.array.clone(), elem, Span::default()), Span::default());
    let mut session = Session { env, ..Session::default() };
    // `x` is defined in a text of its own.
    session.sources.add("<stats>", "");
    let reply = session.evaluate(&Input { options, ..Input::new("<stats>", &script) });
    let mut parts = Vec::with_capacity(rows.len());
    for ((name, _), found) in rows.iter().zip(&reply.values) {
        let text = scalar_text(found.array.get(0));
        match *name {
            "nan" if text == "0" => {}
            "nan" | "true" => parts.push(format!("{text} of {} {name}", value.array.len())),
            _ => parts.push(format!("{name} {text}")),
        }
    }
    format!("{}\n", parts.join(", "))
}
