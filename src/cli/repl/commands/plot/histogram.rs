//! Histograms: a bar for each interval.

use super::super::super::super::painted::{StyledText, TextStyle};
use super::scale::{Scale, round_step, short};
use std::fmt::Write;
use std::sync::atomic::{AtomicBool, Ordering};

/// The most intervals.
const MAX_INTERVALS: usize = 20;
/// Eighths of a character.
const PARTS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// The bars of numbers, whole ones or any.
///
/// # Errors
/// A sentence when there is nothing to count.
pub(super) fn text(numbers: &[f64], whole: bool, columns: usize, stop: &AtomicBool) -> Result<StyledText, String> {
    let heeded = numbers.iter().copied().take_while(|_| !stop.load(Ordering::Relaxed));
    let finite: Vec<f64> = heeded.filter(|number| number.is_finite()).collect();
    if finite.is_empty() {
        return Err(match numbers.len() {
            0 => "there are no elements to count".to_owned(),
            count => format!("none of the {count} elements is finite"),
        });
    }
    let Intervals { low, step, count } = intervals(&finite, whole);
    let mut counts = vec![0usize; count];
    for number in &finite {
        let at = ((number / step).floor() - low) as usize;
        counts[at.min(count - 1)] += 1;
    }
    let edge = |at: usize| short((low + at as f64) * step, 12);
    let labels: Vec<String> = (0..count)
        .map(|at| if whole && step == 1.0 { edge(at) } else { format!("{} … {}", edge(at), edge(at + 1)) })
        .collect();
    let margin = labels.iter().map(|label| label.chars().count()).max().unwrap_or(0);
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    let room = columns.saturating_sub(margin + most.to_string().len() + 4).max(8);
    let mut text = StyledText::default();
    for (label, &count) in labels.iter().zip(&counts) {
        let bar = bar(count, most, room);
        let gap = if bar.is_empty() { "" } else { " " };
        let _ = write!(text, "{label:>margin$} │");
        text.ink(TextStyle::Cyan, &bar);
        let _ = writeln!(text, "{gap}{count}");
    }
    let others = numbers.len() - finite.len();
    let left = if others > 0 { format!("; {others} nan or infinite are not counted") } else { String::new() };
    let _ = writeln!(text, "{} elements{left}", numbers.len());
    Ok(text)
}

/// Intervals side by side.
struct Intervals {
    /// Where the first begins, in steps.
    low: f64,
    /// How wide each is.
    step: f64,
    /// How many there are.
    count: usize,
}

fn intervals(finite: &[f64], whole: bool) -> Intervals {
    let least = finite.iter().copied().fold(f64::INFINITY, f64::min);
    let most = finite.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let wanted = ((finite.len() as f64).log2().ceil() + 1.0).clamp(5.0, MAX_INTERVALS as f64 - 2.0);
    let span = if least < most {
        (least, most)
    } else {
        Scale::of([least].into_iter()).map_or((0.0, 1.0), |s| (s.low, s.high))
    };
    let mut step = round_step(span.1 / wanted - span.0 / wanted);
    if whole {
        step = if most - least < MAX_INTERVALS as f64 { 1.0 } else { step.max(1.0) };
    }
    // Steps below the distance between neighbours are none.
    let coarse = least.abs().max(most.abs()) * f64::EPSILON * 4.0;
    let step = step.max(coarse).max(f64::MIN_POSITIVE);
    let low = (least / step).floor();
    let count = ((most / step).floor() - low) as usize + 1;
    Intervals { low, step, count: count.clamp(1, 2 * MAX_INTERVALS) }
}

fn bar(count: usize, most: usize, room: usize) -> String {
    let eighths = (count as f64 / most as f64 * (room * 8) as f64).round() as usize;
    // One is more than none.
    let eighths = if count > 0 { eighths.max(1) } else { 0 };
    format!("{}{}", "█".repeat(eighths / 8), PARTS[eighths % 8])
}

#[cfg(test)]
mod tests {
    use super::*;

    static GO_ON: AtomicBool = AtomicBool::new(false);

    fn plain(numbers: &[f64], whole: bool) -> String {
        text(numbers, whole, 40, &GO_ON).unwrap().plain()
    }

    #[test]
    fn small_whole_numbers_have_a_bar_each() {
        let bar = |length: usize| "█".repeat(length);
        let wanted = format!("1 │{} 2\n2 │0\n3 │{} 1\n3 elements\n", bar(34), bar(17));
        assert_eq!(plain(&[1.0, 1.0, 3.0], true), wanted);
    }

    #[test]
    fn every_number_is_counted_once() {
        let awkward: Vec<f64> = (0..1000).map(|at| f64::from(at) * 0.37 - 100.0).collect();
        for numbers in [&awkward[..], &[1e308, -1e308, 0.0], &[5e-324, 0.0], &[7.0; 9], &[1e16, 1e16 + 2.0]] {
            let text = plain(numbers, false);
            let counted: usize = text
                .lines()
                .filter(|line| line.contains('│'))
                .filter_map(|line| line.rsplit([' ', '│']).next()?.parse::<usize>().ok())
                .sum();
            assert_eq!(counted, numbers.len(), "{text}");
            assert!(text.lines().count() <= 2 * MAX_INTERVALS + 1, "{text}");
        }
    }

    #[test]
    fn what_is_not_finite_is_told() {
        assert!(plain(&[1.0, f64::NAN], false).ends_with("2 elements; 1 nan or infinite are not counted\n"));
        assert!(text(&[f64::NAN], false, 40, &GO_ON).is_err() && text(&[], true, 40, &GO_ON).is_err());
    }
}
