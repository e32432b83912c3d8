//! `:time`: how long an expression takes. Compiling is told apart from running.

use super::super::super::interrupt;
use super::super::shell::Shell;
use super::super::{AfterInput, progress};
use super::expression;
use crate::array::Array;
use crate::exec;
use crate::ir::{NodeId, NodeKind, Program};
use crate::session::{ShownValue, lost_input};
use crate::types::shape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::num::NonZero;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How long runs are repeated.
const LONG_ENOUGH: Duration = Duration::from_millis(300);
/// The most time of the runs so far if there is to be a third one.
const MAX_WAIT: Duration = Duration::from_secs(3);
/// The most runs.
const MAX_RUNS: usize = 10_000;

/// `:time EXPR`
pub(super) fn time(shell: &mut Shell, text: &str) -> AfterInput {
    exec::take_compile_time();
    let Some(reply) = expression::reply(shell, text) else { return AfterInput::Continue };
    let prepared = expression::with_data(shell, text);
    let Some(program) = prepared.and_then(|prepared| prepared.checked.program) else { return AfterInput::Continue };
    let Some(runs) = progress::with_progress(shell.screen.live, || repeated(shell.options(), &program)) else {
        shell.screen.report("interrupted");
        return AfterInput::Continue;
    };
    if let Some((lost, _)) = lost_input(&program) {
        shell.screen.diagnostics([&lost], &shell.session.sources);
        return AfterInput::Continue;
    }
    let types: Vec<String> = reply.values.iter().map(ShownValue::type_text).collect();
    let results: Vec<&Array> = reply.values.iter().map(|value| &value.array).collect();
    let mut answer = format!("{text} : {}\n\n", types.join(", "));
    let compile = match reply.times.compile {
        Duration::ZERO => "nothing: the code was there already, or none is needed".to_owned(),
        spent => format!("{}, once", shown(spent)),
    };
    let _ = writeln!(answer, "compile   {compile}");
    let (best, median) = (runs[0], runs[runs.len() / 2]);
    let _ = writeln!(answer, "run       {}, the best of {} (median {})", shown(best), runs.len(), shown(median));
    let read = read(&program);
    let written = results.iter().map(|array| array.len());
    let elements = written.chain(read.iter().map(|part| part.elements)).max().unwrap_or(1);
    if elements > 1 {
        let each = best.as_secs_f64() * 1e9 / elements as f64;
        let _ = writeln!(answer, "element   {} ns, {elements} of them", digits(each));
        let from = read.iter().map(|part| part.bytes).sum::<usize>();
        let to = results.iter().map(|array| bytes(array)).sum::<usize>();
        let speed = (from + to) as f64 / best.as_secs_f64() / 1e9;
        let _ = writeln!(answer, "memory    {} GB/s: {} read, {} written", digits(speed), decimal(from), decimal(to));
    }
    let threads = shell.manner.running.threads().map_or_else(exec::available_threads, NonZero::get);
    let _ = writeln!(answer, "threads   {threads} at most");
    shell.screen.answer(&answer);
    AfterInput::Continue
}

/// The time of each run, the shortest first; `None` when interrupted.
fn repeated(options: exec::Options, program: &Program) -> Option<Vec<Duration>> {
    let begun = Instant::now();
    let mut runs = Vec::new();
    let more = |count: usize| match begun.elapsed() {
        spent if spent < LONG_ENOUGH => count < MAX_RUNS,
        spent if spent < MAX_WAIT => count < 3,
        _ => count == 0,
    };
    while more(runs.len()) {
        let started = Instant::now();
        let outcome = exec::run(program, &options);
        runs.push(started.elapsed());
        if outcome.is_err() || interrupt::stop_flag().load(Ordering::Relaxed) {
            return None;
        }
    }
    runs.sort_unstable();
    Some(runs)
}

/// What a program reads of an input.
struct InputRead {
    /// How many elements it sees; repeated ones count each time.
    elements: usize,
    /// Bytes of those that lie in memory, each once.
    bytes: usize,
}

/// What a program reads: of an input that is only seen through a slice, that slice.
fn read(program: &Program) -> Vec<InputRead> {
    let mut seen: BTreeMap<u32, BTreeSet<NodeId>> = BTreeMap::new();
    let mut note = |mut id: NodeId| {
        let top = id;
        while let Some(arg) = seen_through(program, id) {
            id = arg;
        }
        if let NodeKind::Input(input) = program.node(id).kind {
            seen.entry(input).or_default().insert(top);
        }
    };
    let needed = program.needed_nodes();
    let used = (0..program.nodes.len() as u32).map(NodeId).filter(|id| needed[id.index()]);
    for id in used {
        let node = program.node(id);
        if let NodeKind::Gather { index, .. } = node.kind {
            [id, index].into_iter().for_each(&mut note);
        } else if !matches!(node.kind, NodeKind::View { .. }) {
            node.operands().for_each(&mut note);
        }
    }
    program.outputs.iter().for_each(|output| note(output.node));
    let part = |(input, tops): (u32, BTreeSet<NodeId>)| {
        let whole = program.inputs[input as usize].value.as_ref()?;
        let size = whole.dtype().size();
        let lengths: Vec<usize> = tops.iter().map(|&top| length(program, top).unwrap_or(whole.len())).collect();
        let bytes_seen = tops.iter().map(|&top| in_memory(program, top, bytes(whole), size)).sum::<usize>();
        Some(InputRead { elements: lengths.into_iter().max().unwrap_or(0), bytes: bytes_seen.min(bytes(whole)) })
    };
    seen.into_iter().filter_map(part).collect()
}

/// What a value shows some elements of.
fn seen_through(program: &Program, id: NodeId) -> Option<NodeId> {
    let (NodeKind::View { arg, .. } | NodeKind::Gather { arg, .. }) = program.node(id).kind else { return None };
    Some(arg)
}

/// How many elements a value has.
fn length(program: &Program, id: NodeId) -> Option<usize> {
    shape::sizes(&program.node(id).shape).map(|sizes| sizes.iter().product())
}

/// The bytes of an input that a chain of views reaches. The input has `whole` bytes, and no view reaches more than what
/// it is a view of.
fn in_memory(program: &Program, mut id: NodeId, whole: usize, size: usize) -> usize {
    let mut least = whole;
    while let Some(arg) = seen_through(program, id) {
        least = least.min(length(program, id).map_or(whole, |elements| elements * size));
        id = arg;
    }
    least
}

/// Bytes in memory: repeated elements lie there once.
fn bytes(array: &Array) -> usize {
    let axes = array.shape().iter().zip(array.strides()).filter(|(_, stride)| **stride != 0);
    axes.map(|(len, _)| *len).product::<usize>() * array.dtype().size()
}

/// `1.35 ms`
fn shown(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    let (number, unit) = match seconds {
        ..1e-6 => (seconds * 1e9, "ns"),
        ..1e-3 => (seconds * 1e6, "µs"),
        ..1.0 => (seconds * 1e3, "ms"),
        _ => (seconds, "s"),
    };
    format!("{} {unit}", digits(number))
}

/// Three digits that count.
fn digits(number: f64) -> String {
    let before = if number >= 1.0 { number.log10() as usize + 1 } else { 1 };
    format!("{number:.places$}", places = 3usize.saturating_sub(before))
}

/// Bytes in the units of speed: `4.0 MB` is four million.
fn decimal(bytes: usize) -> String {
    let bytes = bytes as f64;
    match bytes {
        ..1e3 => format!("{bytes} B"),
        ..1e6 => format!("{} kB", digits(bytes / 1e3)),
        ..1e9 => format!("{} MB", digits(bytes / 1e6)),
        _ => format!("{} GB", digits(bytes / 1e9)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_and_sizes_have_three_digits() {
        let of = |nanos| shown(Duration::from_nanos(nanos));
        assert_eq!([of(7), of(1234), of(98_765_432), of(12_345_678_900)], ["7.00 ns", "1.23 µs", "98.8 ms", "12.3 s"]);
        assert_eq!([digits(0.4321), digits(123.4), digits(99_999.0)], ["0.43", "123", "99999"]);
        assert_eq!([decimal(0), decimal(999), decimal(4_000_000)], ["0 B", "999 B", "4.00 MB"]);
    }

    #[test]
    fn repeated_elements_count_once() {
        let row = Array::from_elements(&[1, 4], &[1.0f32; 4]);
        assert_eq!(bytes(&row.broadcast_to(&[100, 4])), 16);
    }
}
