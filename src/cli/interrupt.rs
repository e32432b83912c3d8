//! Signals and the terminal: the few calls that the standard library does not offer.
//!
//! The first Ctrl-C asks a run to stop; the second ends the process with exit code 130, and so does the first where
//! nothing runs that could be asked. Being asked to end, or losing the terminal, is the same. What is half written is
//! finished or removed.

use crate::io::pending;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// Set by the first signal. Until a run asks for it there is nobody to stop, and every signal is the last one.
static INTERRUPTED: AtomicBool = AtomicBool::new(true);

/// How many more times Ctrl-C may be pressed while a run has not stopped yet.
static PATIENCE: AtomicU8 = AtomicU8::new(0);

/// So many times in a shell, which holds what a person would lose.
const PATIENT: u8 = 3;

extern "C" fn on_interrupt(signal: libc::c_int) {
    if INTERRUPTED.swap(true, Ordering::Relaxed) || (signal != libc::SIGINT && shell()) {
        let again = |left: u8| left.checked_sub(1);
        if signal == libc::SIGINT && PATIENCE.fetch_update(Ordering::Relaxed, Ordering::Relaxed, again).is_ok() {
            return;
        }
        pending::abandon();
        // SAFETY: both may be called from a signal handler, and the mode is one that the terminal had.
        unsafe {
            if let Some(mode) = MODE.get() {
                libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, mode);
            }
            libc::_exit(130)
        }
    }
}

/// Whether the process is a shell at a terminal.
static SHELL: AtomicBool = AtomicBool::new(false);

fn shell() -> bool {
    SHELL.load(Ordering::Relaxed)
}

/// The flag that a signal sets, for a run that looks at it.
pub(super) fn flag() -> &'static AtomicBool {
    PATIENCE.store(if shell() { PATIENT } else { 0 }, Ordering::Relaxed);
    INTERRUPTED.store(false, Ordering::Relaxed);
    &INTERRUPTED
}

/// The flag as it is: whether a signal came since [`flag`] was called last.
pub(super) fn asked() -> &'static AtomicBool {
    &INTERRUPTED
}

/// The terminal's mode before lines were edited, to which a shell that must end goes back.
static MODE: OnceLock<libc::termios> = OnceLock::new();

/// From here on the process is a shell: Ctrl-C stops what runs, and only being asked to end ends it.
pub(super) fn stay() {
    let mut mode = std::mem::MaybeUninit::uninit();
    // SAFETY: the call writes a whole `termios` when it succeeds.
    let mode = unsafe { (libc::tcgetattr(libc::STDIN_FILENO, mode.as_mut_ptr()) == 0).then(|| mode.assume_init()) };
    if let Some(mode) = mode {
        let _ = MODE.set(mode);
    }
    SHELL.store(true, Ordering::Relaxed);
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

/// Columns and rows of the terminal on standard error.
pub(super) fn terminal_size() -> Option<(usize, usize)> {
    let mut size = libc::winsize { ws_row: 0, ws_col: 0, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the request writes a `winsize`, which `size` is.
    let outcome = unsafe { libc::ioctl(libc::STDERR_FILENO, libc::TIOCGWINSZ, &raw mut size) };
    (outcome == 0 && size.ws_col > 0).then_some((size.ws_col.into(), size.ws_row.into()))
}
