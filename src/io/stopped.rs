//! The error of a transfer that somebody stopped.
//!
//! Decoders pass it on, so it is told from what is wrong with their bytes by its type.

use std::{fmt, io};

/// Somebody asked a transfer to stop.
#[derive(Clone, Copy, Debug)]
struct StoppedTransfer;

impl fmt::Display for StoppedTransfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("interrupted")
    }
}

impl std::error::Error for StoppedTransfer {}

/// The error of a transfer that was asked to stop.
pub(super) fn stop_error() -> io::Error {
    io::Error::other(StoppedTransfer)
}

/// Whether a transfer failed because it was asked to stop.
pub(super) fn is_stopped(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.downcast_ref::<StoppedTransfer>().is_some())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stop_is_told_by_its_type() {
        assert!(is_stopped(&stop_error()));
        assert_eq!(stop_error().to_string(), "interrupted");
        assert!(!is_stopped(&io::Error::other("interrupted")));
        assert!(!is_stopped(&io::Error::from_raw_os_error(libc::EINTR)));
    }
}
