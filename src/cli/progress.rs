//! Progress of a run over large files: a line at a terminal, after a second.
//!
//! ```text
//!  42%  3.4 of 8.0 GiB  1.9 GiB/s  2 s left
//! ```

use super::output;
use crate::io::error::size;
use crate::locks::lock;
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// A run that takes longer shows its progress.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

/// The time between two lines.
const PAUSE: Duration = Duration::from_millis(100);

/// A run that is going on.
pub(super) struct ProgressLine {
    begun: Instant,
    /// When the last line was written.
    told: Mutex<Option<Instant>>,
}

impl Default for ProgressLine {
    fn default() -> ProgressLine {
        ProgressLine { begun: Instant::now(), told: Mutex::new(None) }
    }
}

impl ProgressLine {
    /// Shows a terminal how many bytes of how many have passed.
    pub(super) fn show(&self, done: u64, total: u64) {
        let now = Instant::now();
        let mut told = lock(&self.told);
        let early = now - self.begun < PROGRESS_AFTER || told.is_some_and(|told| now - told < PAUSE);
        if early || !output::errors_are_watched() {
            return;
        }
        *told = Some(now);
        output::over_line(&line(done, total, now - self.begun));
    }

    /// Takes the line away.
    pub(super) fn clear(&self) {
        if lock(&self.told).take().is_some() {
            output::over_line("");
        }
    }
}

/// What is said after some time.
fn line(done: u64, total: u64, spent: Duration) -> String {
    let rate = done as f64 / spent.as_secs_f64().max(1e-9);
    let left = total.saturating_sub(done) as f64 / rate.max(1.0);
    let percent = 100.0 * done as f64 / total.max(1) as f64;
    let left = match left {
        seconds if seconds < 100.0 => format!("{seconds:.0} s"),
        seconds => format!("{:.0} min", seconds / 60.0),
    };
    format!("{percent:3.0}%  {} of {}  {}/s  {left} left", size(done), size(total), size(rate as u64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_says_share_rate_and_time() {
        let gib = 1 << 30;
        assert_eq!(line(gib, 4 * gib, Duration::from_secs(2)), " 25%  1.0 GiB of 4.0 GiB  512.0 MiB/s  6 s left");
        assert_eq!(line(0, 0, Duration::ZERO), "  0%  0 bytes of 0 bytes  0 bytes/s  0 s left");
    }
}
