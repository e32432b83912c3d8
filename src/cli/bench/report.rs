//! The report of a measurement, for people or as JSON.

use super::{BenchOperand, BenchReport};
use crate::cli::isa;
use crate::cli::thousands::thousands;
use crate::diagnostic::visible;
use crate::exec::machine::level;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

impl BenchReport<'_> {
    fn ns_per_element(&self) -> f64 {
        self.run.median / self.elements as f64
    }

    /// Billions of bytes a second.
    fn gb_per_s(&self) -> f64 {
        self.bytes as f64 / self.run.median
    }

    fn share_of_copy(&self) -> f64 {
        if self.copy > 0.0 { self.gb_per_s() * 1e9 / self.copy } else { 0.0 }
    }
}

/// One object, on one line.
pub(super) fn json(found: &BenchReport) -> String {
    let operand = |operand: &BenchOperand| {
        let mut row = json!({ "name": operand.name, "dtype": operand.dtype.name(), "shape": operand.shape });
        if let Some((low, high)) = operand.random {
            row["random"] = json!([low, high]);
        }
        row
    };
    let object = json!({
        "version": 1,
        "script": found.script,
        "ns_per_element": short(found.ns_per_element()),
        "compile_us": short(micros(found.run.compile)),
        "gb_per_s": short(found.gb_per_s()),
        "copy_gb_per_s": short(found.copy / 1e9),
        "share_of_copy": short(found.share_of_copy()),
        "threads": found.threads,
        "isa": level().name(),
        "elements": found.elements,
        "bytes": found.bytes,
        "runs": found.run.runs,
        "run_us": short(found.run.median / 1e3),
        "run_us_least": short(found.run.least / 1e3),
        "front_us": short(micros(found.front)),
        "inputs": found.inputs.iter().map(operand).collect::<Vec<_>>(),
        "outputs": found.outputs.iter().map(operand).collect::<Vec<_>>(),
    });
    visible::json(&format!("{object}\n")).into_owned()
}

/// Four digits are more than any measurement has.
fn short(value: f64) -> Value {
    let rounded: f64 = format!("{value:.3e}").parse().unwrap_or(0.0);
    json!(rounded)
}

fn micros(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// A line for each number.
pub(super) fn text(found: &BenchReport) -> String {
    let mut text = format!("{}\n\n", found.script);
    let operands = || found.inputs.iter().chain(&found.outputs);
    let name =
        |operand: &BenchOperand| if operand.name.is_empty() { "result".to_owned() } else { operand.name.clone() };
    let width = operands().map(|operand| name(operand).chars().count()).max().unwrap_or(0).max(9);
    let types = operands().map(|operand| type_text(operand).chars().count()).max().unwrap_or(0);
    for (role, operands) in [("", &found.inputs), ("computed", &found.outputs)] {
        for operand in operands {
            let what = match operand.random {
                Some((low, high)) => format!("random, from {low} to {high}"),
                None if role.is_empty() => "given".to_owned(),
                None => role.to_owned(),
            };
            let _ = writeln!(text, "  {:width$}  {:types$}  {what}", name(operand), type_text(operand));
        }
    }
    text.push('\n');
    let median = found.run.median;
    let rows = [
        ReportLine::new(
            "run",
            time_text(median),
            format!("median of {}; the fastest {}", count(found.run.runs, "run"), time_text(found.run.least)),
        ),
        ReportLine::new(
            "element",
            time_text(found.ns_per_element()),
            format!("{} in each run", count(found.elements, "element")),
        ),
        ReportLine::new(
            "bandwidth",
            rate_text(found.gb_per_s()),
            format!("{} read and written", bytes_text(found.bytes)),
        ),
        ReportLine::new(
            "copy",
            rate_text(found.copy / 1e9),
            format!("what this machine copies; the run reaches {} of it", percent(found.share_of_copy())),
        ),
        compiled(found.run.compile),
        ReportLine::new("check", time_text(found.front.as_nanos() as f64), "once: parsing, reading data, checking"),
        ReportLine::new("threads", found.threads.to_string(), "at most"),
        ReportLine::new("isa", level().to_string(), isa::in_words()),
    ];
    let values = rows.iter().map(|row| row.value.chars().count()).max().unwrap_or(0);
    for ReportLine { label, value, note } in rows {
        let _ = writeln!(text, "  {label:width$}  {value:>values$}  {note}");
    }
    text
}

/// A line of the report.
struct ReportLine {
    label: &'static str,
    value: String,
    note: String,
}

impl ReportLine {
    fn new(label: &'static str, value: String, note: impl Into<String>) -> ReportLine {
        ReportLine { label, value, note: note.into() }
    }
}

fn compiled(spent: Duration) -> ReportLine {
    match spent {
        Duration::ZERO => {
            ReportLine::new("compile", "none".to_owned(), "so little is computed without code of its own")
        }
        spent => ReportLine::new("compile", time_text(spent.as_nanos() as f64), "once, in the first run"),
    }
}

/// `78 %`, `0.4 %`
fn percent(share: f64) -> String {
    if share < 0.0995 { format!("{:.1} %", share * 100.0) } else { format!("{:.0} %", share * 100.0) }
}

fn type_text(operand: &BenchOperand) -> String {
    let sizes: Vec<String> = operand.shape.iter().map(usize::to_string).collect();
    if sizes.is_empty() { operand.dtype.to_string() } else { format!("{}[{}]", operand.dtype, sizes.join(", ")) }
}

/// Three digits: `0.151 ns`, `15.1 µs`, `4.20 ms`.
fn time_text(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        value if value < 1e3 => (value, "ns"),
        value if value < 1e6 => (value / 1e3, "µs"),
        value if value < 1e9 => (value / 1e6, "ms"),
        value => (value / 1e9, "s"),
    };
    format!("{} {unit}", digits(value))
}

fn rate_text(gb_per_s: f64) -> String {
    format!("{} GB/s", digits(gb_per_s))
}

fn digits(value: f64) -> String {
    match value {
        value if value < 0.9995 => format!("{value:.3}"),
        value if value < 9.995 => format!("{value:.2}"),
        value if value < 99.95 => format!("{value:.1}"),
        value => format!("{value:.0}"),
    }
}

/// `1.2 MB`: in powers of ten, as rates are.
fn bytes_text(bytes: usize) -> String {
    match bytes as f64 {
        value if value < 1e3 => format!("{value} bytes"),
        value if value < 1e6 => format!("{} kB", digits(value / 1e3)),
        value if value < 1e9 => format!("{} MB", digits(value / 1e6)),
        value => format!("{} GB", digits(value / 1e9)),
    }
}

/// `1 run`, `12,345 runs`
fn count(number: usize, noun: &str) -> String {
    format!("{} {noun}{}", thousands(number as u64), if number == 1 { "" } else { "s" })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_three_digits_and_a_unit() {
        let times = [0.1514, 9.999, 15.14, 151.4, 1514.0, 15_140_000.0, 2.5e9].map(time_text);
        assert_eq!(times, ["0.151 ns", "10.0 ns", "15.1 ns", "151 ns", "1.51 µs", "15.1 ms", "2.50 s"]);
        assert_eq!([0, 999, 1_200_000, 12_345_678].map(bytes_text), ["0 bytes", "999 bytes", "1.20 MB", "12.3 MB"]);
        assert_eq!(
            [1, 999, 1000, 1_234_567].map(|n| count(n, "run")),
            ["1 run", "999 runs", "1,000 runs", "1,234,567 runs"]
        );
        assert_eq!(short(0.123_456), json!(0.1235));
    }
}
