//! Signals and the terminal: the few calls that the standard library does not offer.
//!
//! The first Ctrl-C asks a run to stop; the second ends the process with exit code 130, and so does the first where
//! nothing runs that could be asked. Being asked to end, or losing the terminal, is the same. What is half written is
//! finished or removed.

use crate::io::pending;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set by the first signal. Until a run asks for it there is nobody to stop, and every signal is the last one.
static INTERRUPTED: AtomicBool = AtomicBool::new(true);

extern "C" fn on_interrupt(_: libc::c_int) {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        pending::abandon();
        // SAFETY: `_exit` may be called from a signal handler.
        unsafe { libc::_exit(130) }
    }
}

/// The flag that a signal sets, for a run that looks at it.
pub(super) fn flag() -> &'static AtomicBool {
    INTERRUPTED.store(false, Ordering::Relaxed);
    &INTERRUPTED
}

/// Installs the handler.
pub(super) fn install() {
    let handler: extern "C" fn(libc::c_int) = on_interrupt;
    // SAFETY: the handler touches atomics, and calls `unlink` and `_exit` only.
    unsafe {
        for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
            // Who starts a command with a signal ignored, as `nohup` does, means it.
            if libc::signal(signal, handler as libc::sighandler_t) == libc::SIG_IGN {
                libc::signal(signal, libc::SIG_IGN);
            }
        }
    }
}

/// Columns of the terminal on standard error.
pub(super) fn terminal_columns() -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request writes a `winsize`, which `size` is.
    let outcome = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (outcome == 0 && size.ws_col > 0).then_some(size.ws_col as usize)
}
