//! Times of runs: one that compiles, then as many as fit into the time that is given.

use crate::exec::{self, Options, RunError};
use crate::ir::Program;
use std::time::{Duration, Instant};

/// The fewest samples from which a median means something.
const MIN_SAMPLES: usize = 5;
/// Short runs are timed in batches of about this length, so that reading the clock does not count.
const BATCH: Duration = Duration::from_micros(50);

/// What was measured.
pub(super) struct Measurement {
    /// Compiling, in the first run.
    pub(super) compile: Duration,
    /// A run, in nanoseconds: the median and the least of the samples.
    pub(super) median: f64,
    pub(super) least: f64,
    /// How many runs were timed.
    pub(super) runs: usize,
}

/// Runs a program for about `time`.
pub(super) fn runs(program: &Program, options: &Options, time: Duration) -> Result<Measurement, RunError> {
    exec::take_compile_time();
    exec::run(program, options)?;
    let compile = exec::take_compile_time();
    // The second run finds its code, its memory and its threads as all later ones do.
    let begun = Instant::now();
    exec::run(program, options)?;
    let batch = (BATCH.as_nanos() / begun.elapsed().as_nanos().max(1)).clamp(1, 1000) as usize;
    let (mut samples, begun) = (Vec::new(), Instant::now());
    while samples.len() < MIN_SAMPLES || begun.elapsed() < time {
        let started = Instant::now();
        for _ in 0..batch {
            exec::run(program, options)?;
        }
        samples.push(started.elapsed().as_nanos() as f64 / batch as f64);
    }
    samples.sort_by(f64::total_cmp);
    Ok(Measurement { compile, median: samples[samples.len() / 2], least: samples[0], runs: samples.len() * batch })
}
