//! The worker of `arr` among the peers: a line of JSON in, a line of JSON out.
//!
//! What is timed is [`exec::run`] of a program that was checked before: outputs are allocated by every run, as by a
//! peer without `out=`, and dropped before the next. Compiling happens in `prepare`.
//!
//! ```text
//! {"do":"prepare","text":"input a: _[n]\n2*a","arguments":["a=/tmp/a.npy"]}    {"variants":["arr"],"once":[21000],"compile_us":310.2}
//! {"do":"result","variant":0,"file":"/tmp/y.npy"}                              {}
//! {"do":"time","variant":0,"ms":50}                                            {"median":15400.0,"min":15100.0,"calls":3200}
//! ```

use arrlang::array::Array;
use arrlang::exec::machine::{self, Level};
use arrlang::exec::{self, Options};
use arrlang::io::{self, argument::Argument};
use arrlang::ir::Program;
use arrlang::session::{Input, ReadPolicy, Session};
use serde_json::{Value, json};
use std::io::{BufRead, Write};
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

/// Runs that take so long are measured once in each turn.
const LONG: Duration = Duration::from_millis(50);

fn main() {
    if let Some(level) = std::env::var("ARR_ISA").ok().and_then(|name| Level::by_name(&name)) {
        machine::hold(level);
    }
    let mut program = Program::default();
    for line in std::io::stdin().lock().lines() {
        let request: Value = serde_json::from_str(&line.expect("a line")).expect("JSON");
        let reply = answer(&request, &mut program).unwrap_or_else(|error| json!({ "error": error }));
        let mut out = std::io::stdout().lock();
        writeln!(out, "{reply}").and_then(|()| out.flush()).expect("somebody listens");
    }
}

fn answer(request: &Value, program: &mut Program) -> Result<Value, String> {
    match request["do"].as_str() {
        Some("prepare") => {
            // The arrays of the last one go first.
            *program = Program::default();
            *program = checked(request)?;
            exec::take_compile_time();
            run(program)?;
            let compile = exec::take_compile_time();
            let begun = Instant::now();
            run(program)?;
            let once = begun.elapsed().as_nanos() as u64;
            Ok(json!({ "variants": ["arr"], "once": [once], "compile_us": compile.as_secs_f64() * 1e6 }))
        }
        Some("result") => {
            let array = run(program)?.swap_remove(0);
            let path = Path::new(request["file"].as_str().ok_or("no file")?);
            let target = io::prepare(path).map_err(|error| error.to_string())?;
            io::write(&target, &sample(&array)).map_err(|error| error.to_string())?;
            Ok(json!({}))
        }
        Some("time") => time(program, Duration::from_millis(request["ms"].as_u64().ok_or("no time")?)),
        _ => Err("an unknown request".to_owned()),
    }
}

fn checked(request: &Value) -> Result<Program, String> {
    let given = request["arguments"].as_array().ok_or("no arguments")?.iter().filter_map(Value::as_str);
    let arguments: Result<Vec<Argument>, _> = given.map(|text| Argument::parse(text.as_ref())).collect();
    let arguments = arguments.map_err(|error| error.to_string())?;
    // Copied, not mapped: all peers have their operands in memory of their own.
    let mut session = Session { reading: ReadPolicy { copy: true, ..ReadPolicy::default() }, ..Session::default() };
    let text = request["text"].as_str().ok_or("no text")?;
    let prepared = session.prepare(&Input { arguments: &arguments, ..Input::new("kernel", text) });
    let errors = || prepared.diagnostics.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join("; ");
    prepared.checked.program.ok_or_else(errors)
}

fn run(program: &Program) -> Result<Vec<Array>, String> {
    exec::run(program, &options()).map_err(|error| error.to_string())
}

/// As many threads as `ARR_NUM_THREADS` says.
fn options() -> Options<'static> {
    static THREADS: LazyLock<Option<NonZeroUsize>> =
        LazyLock::new(|| std::env::var("ARR_NUM_THREADS").ok().and_then(|text| text.parse().ok()));
    Options { threads: *THREADS, ..Options::default() }
}

/// Some elements, the same as every peer shows: the first and last 1,000, and 50,000 or so between.
fn sample(array: &Array) -> Array {
    let len = array.len();
    let step = (len / 50_000).max(1);
    let places = (0..len.min(1000)).chain((0..len).step_by(step)).chain(len.saturating_sub(1000)..len);
    let elements: Vec<_> = places.map(|place| array.get(place)).collect();
    Array::from_scalars(array.dtype(), &[elements.len()], elements)
}

/// Runs for a while; the time of a run in nanoseconds. Short runs are timed in batches.
fn time(program: &Program, whole: Duration) -> Result<Value, String> {
    let begun = Instant::now();
    run(program)?;
    run(program)?;
    let once = begun.elapsed() / 2;
    let batch = (Duration::from_micros(50).as_nanos() / once.as_nanos().max(1)).clamp(1, 1000) as usize;
    let mut samples = Vec::new();
    let begun = Instant::now();
    let least = if once < LONG { 3 } else { 1 };
    while samples.len() < least || begun.elapsed() < whole {
        let started = Instant::now();
        for _ in 0..batch {
            run(program)?;
        }
        samples.push(started.elapsed().as_nanos() as f64 / batch as f64);
    }
    samples.sort_by(f64::total_cmp);
    Ok(json!({ "median": samples[samples.len() / 2], "min": samples[0], "calls": samples.len() * batch }))
}
