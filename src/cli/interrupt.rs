//! Signals and the terminal: the few calls that the standard library does not offer.
//!
//! The first Ctrl-C asks the run to stop; the second ends the process with exit code 130. Being asked to end, or
//! losing the terminal, is the same: what is half written is finished or removed first.

use std::sync::atomic::{AtomicBool, Ordering};

static INTERRUPTED: AtomicBool = AtomicBool::new(false);

extern "C" fn on_interrupt(_: libc::c_int) {
    if INTERRUPTED.swap(true, Ordering::Relaxed) {
        // SAFETY: `_exit` may be called from a signal handler.
        unsafe { libc::_exit(130) }
    }
}

/// The flag that a signal sets; the handler is installed at the first call.
pub(super) fn flag() -> &'static AtomicBool {
    static ONCE: std::sync::Once = std::sync::Once::new();
    ONCE.call_once(|| {
        let handler: extern "C" fn(libc::c_int) = on_interrupt;
        // SAFETY: the handler touches an atomic and `_exit` only.
        unsafe {
            for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
                // Who starts a command with a signal ignored, as `nohup` does, means it.
                if libc::signal(signal, handler as libc::sighandler_t) == libc::SIG_IGN {
                    libc::signal(signal, libc::SIG_IGN);
                }
            }
        }
    });
    INTERRUPTED.store(false, Ordering::Relaxed);
    &INTERRUPTED
}

/// Columns of the terminal on standard error.
pub(super) fn terminal_columns() -> Option<usize> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request writes a `winsize`, which `size` is.
    let outcome = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (outcome == 0 && size.ws_col > 0).then_some(size.ws_col as usize)
}
