//! How long it takes from text to value: `cargo bench --bench compile`.

use arrlang::exec;
use arrlang::session::{Input, Session};
use divan::Bencher;
use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

fn main() {
    divan::main();
}

/// A constant that no kernel has had before: code for it is not there yet.
fn fresh() -> f64 {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    1.0 + COUNT.fetch_add(1, Ordering::Relaxed) as f64 / 1e6
}

/// A session that knows two arrays of 1,000 elements.
fn session() -> Session {
    let mut session = Session::default();
    session.evaluate(&Input::new("data", "let a = f32(arange(1000))\nlet b = sqrt(a)"));
    session
}

/// A script of so many operations, a line for each ten.
fn script(ops: usize, constant: f64) -> String {
    let mut text = String::from("let x0 = a\n");
    for line in 0..ops.div_ceil(10) {
        let _ = write!(text, "let x{} = x{line}", line + 1);
        for op in 0..(ops - 10 * line).min(10) {
            let _ = match op % 3 {
                0 => write!(text, "*{}", constant + (10 * line + op) as f64),
                1 => write!(text, " + b"),
                _ => write!(text, " - a"),
            };
        }
        text.push('\n');
    }
    let _ = write!(text, "sum(x{})", ops.div_ceil(10));
    text
}

/// From text to value with code that has to be compiled.
#[divan::bench(args = [3, 10, 60, 250, 2000], max_time = 0.5)]
fn cold(bencher: Bencher, ops: usize) {
    let session = std::cell::RefCell::new(session());
    bencher.with_inputs(|| script(ops, fresh())).bench_local_refs(|text| {
        let reply = session.borrow_mut().evaluate(&Input::new("bench", text));
        assert!(reply.outcome.is_done());
        exec::take_compile_time()
    });
}

/// From text to value with code that is there already.
#[divan::bench(max_time = 0.5)]
fn warm(bencher: Bencher) {
    let mut session = session();
    bencher.bench_local(|| {
        let reply = session.evaluate(&Input::new("bench", "exp(-0.5*((a - 0.3)/1.7)**2) + b"));
        reply.values.into_iter().next().expect("a value")
    });
}

/// Parsing and checking alone.
#[divan::bench(args = [10, 250, 2000], max_time = 0.5)]
fn check(bencher: Bencher, ops: usize) {
    let (mut session, text) = (session(), script(ops, 1.5));
    bencher.bench_local(|| session.prepare(&Input::new("bench", &text)).checked.program.expect("a program"));
}
