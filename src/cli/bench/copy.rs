//! The speed at which this machine copies memory: what a run that only moves its bytes would reach.

use crate::array::bytes::AlignedBytes;
use crate::exec::{Options, RunError};
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How long each thread copies.
const TIME: Duration = Duration::from_millis(60);
/// Copies of more than this are no slower, and take memory.
const MAX_COPIED_BYTES: usize = 512 << 20;
const MIN_COPIED_BYTES: usize = 4 << 10;

/// Bytes a second that `threads` threads read and write when they copy: half of `bytes` to the other half.
pub(super) fn bandwidth(bytes: usize, threads: usize, options: &Options) -> Result<f64, RunError> {
    let half = (bytes.clamp(MIN_COPIED_BYTES, MAX_COPIED_BYTES) / 2 / threads).max(64);
    let refused = RunError::OutOfMemory { needed: Some(2 * half * threads), limit: options.max_memory };
    let pair = |_| Some((AlignedBytes::zeroed(half).ok()?, AlignedBytes::zeroed(half).ok()?));
    let pairs: Vec<_> = (0..threads).map(pair).collect::<Option<_>>().ok_or(refused)?;
    let (together, interrupt) = (Barrier::new(threads), options.interrupt);
    let rates: f64 = std::thread::scope(|scope| {
        let copies = pairs.into_iter().map(|(mut from, mut to)| {
            let together = &together;
            scope.spawn(move || {
                // Memory that was never written to is no memory yet.
                from.as_mut_slice().fill(1);
                to.as_mut_slice().fill(1);
                together.wait();
                rate(from.as_slice(), to.as_mut_slice(), interrupt)
            })
        });
        let copies: Vec<_> = copies.collect();
        copies.into_iter().map(|copy| copy.join().expect("copying does not panic")).sum()
    });
    match interrupt {
        Some(flag) if flag.load(Ordering::Relaxed) => Err(RunError::Interrupted),
        _ => Ok(rates),
    }
}

/// Bytes a second of the median copy.
fn rate(from: &[u8], to: &mut [u8], interrupt: Option<&AtomicBool>) -> f64 {
    let batch = (1 << 20) / from.len().max(1) + 1;
    let (mut samples, begun) = (Vec::new(), Instant::now());
    while samples.len() < 3 || begun.elapsed() < TIME {
        if interrupt.is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            break;
        }
        let started = Instant::now();
        for _ in 0..batch {
            to.copy_from_slice(std::hint::black_box(from));
            std::hint::black_box(&mut *to);
        }
        samples.push(started.elapsed().as_secs_f64() / batch as f64);
    }
    samples.sort_by(f64::total_cmp);
    samples.get(samples.len() / 2).map_or(0.0, |median| 2.0 * from.len() as f64 / median)
}
