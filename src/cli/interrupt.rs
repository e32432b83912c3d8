//! Signals to a command at a terminal: the few calls that the standard library does not offer.
//!
//! A signal ends the process at once, whatever it is doing: the handler removes what is half written, gives the
//! terminal its mode back, and answers exit code 130. Nothing has to ask for that, so nothing can forget to ask.
//!
//! Only Ctrl-C in a session is for what runs there: the first one asks it to stop. A run that does not stop, a session
//! on a pipe between its inputs, and one that is asked again, end like everything else. A session at a terminal holds
//! what a person would lose, and is asked a few times more.
#![expect(unsafe_code, reason = "the standard library knows no signals and no modes of a terminal")]

use super::allocation;
use crate::io::pending;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

/// What would end the process and leave its files behind.
const ENDING: [libc::c_int; 10] = [
    libc::SIGINT,
    libc::SIGTERM,
    libc::SIGHUP,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGALRM,
    libc::SIGVTALRM,
    libc::SIGPROF,
    libc::SIGXCPU,
];

/// What is said where a person may wonder why nothing came: the words of `E0530`.
const INTERRUPTED: &[u8] = b"Error[E0530 interrupted]: interrupted\n";

/// What is said when the system gives no memory: the words of `E0518`.
const OUT_OF_MEMORY: &[u8] = b"Error[E0518 out-of-memory]: the system gives this process no more memory\n";

/// Whom Ctrl-C is for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Manner {
    /// A command, which it ends.
    Command = 0,
    /// A session on a pipe.
    Pipe = 1,
    /// A session at a terminal.
    Terminal = 2,
}

static MANNER: AtomicU8 = AtomicU8::new(Manner::Command as u8);

/// Whether something runs that looks at [`ASKED`].
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Set by Ctrl-C while something runs.
static ASKED: AtomicBool = AtomicBool::new(false);

/// How often it was asked.
static TIMES: AtomicU8 = AtomicU8::new(0);

/// How many times Ctrl-C may be pressed at a terminal before a run that does not stop ends the session.
const MAX_INTERRUPTS: u8 = 4;

extern "C" fn on_signal(signal: libc::c_int) {
    if signal != libc::SIGINT || !heard() {
        end()
    }
}

/// Ends the process as a signal does, and may be called from its handler.
pub(super) fn end() -> ! {
    match MANNER.load(Ordering::Relaxed) == Manner::Terminal as u8 {
        true => end_with(b"", 130),
        false => end_with(INTERRUPTED, 130),
    }
}

/// Removes what is half written, says why, and ends; may be called from a signal handler.
pub(super) fn end_with(reason: &[u8], code: libc::c_int) -> ! {
    pending::abandon();
    // SAFETY: all of these may be called from a signal handler, and the mode is one that the terminal had.
    unsafe {
        if let Some(mode) = MODE.get() {
            libc::tcsetattr(libc::STDIN_FILENO, libc::TCSANOW, mode);
            // Pasted text is no longer put between marks.
            write_now(libc::STDOUT_FILENO, b"\x1b[?2004l");
        }
        write_now(libc::STDERR_FILENO, reason);
        libc::_exit(code)
    }
}

/// Whether Ctrl-C goes to what runs in a session; at a terminal where nothing runs it means nothing.
fn heard() -> bool {
    let manner = MANNER.load(Ordering::Relaxed);
    if manner == Manner::Command as u8 {
        return false;
    }
    let terminal = manner == Manner::Terminal as u8;
    if !RUNNING.load(Ordering::Relaxed) {
        return terminal;
    }
    ASKED.store(true, Ordering::Relaxed);
    TIMES.fetch_add(1, Ordering::Relaxed) < if terminal { MAX_INTERRUPTS } else { 1 }
}

/// Writes what there is room for: a signal must not wait for a reader.
fn write_now(stream: libc::c_int, text: &[u8]) {
    let mut room = libc::pollfd { fd: stream, events: libc::POLLOUT, revents: 0 };
    // SAFETY: `poll` gets one `pollfd`, `write` a text with its length. Both may be called from a signal handler.
    unsafe {
        if libc::poll(&raw mut room, 1, 0) == 1 && room.revents == libc::POLLOUT {
            libc::write(stream, text.as_ptr().cast(), text.len());
        }
    }
}

/// Makes the process a session: from here on Ctrl-C stops what runs.
pub(super) fn session(manner: Manner) {
    if manner == Manner::Terminal {
        let mut mode = std::mem::MaybeUninit::uninit();
        // SAFETY: the call writes a whole `termios` when it succeeds.
        let mode = unsafe { (libc::tcgetattr(libc::STDIN_FILENO, mode.as_mut_ptr()) == 0).then(|| mode.assume_init()) };
        if let Some(mode) = mode {
            let _ = MODE.set(mode);
        }
    }
    MANNER.store(manner as u8, Ordering::Relaxed);
}

/// The terminal's mode before lines were edited, to which a session that must end goes back.
static MODE: OnceLock<libc::termios> = OnceLock::new();

/// Something begins to run that looks at [`stop_flag`], which begins anew.
pub(super) fn begin() {
    TIMES.store(0, Ordering::Relaxed);
    ASKED.store(false, Ordering::Relaxed);
    RUNNING.store(true, Ordering::Relaxed);
}

/// Notes that nothing runs any more. Returns whether what ran was asked to stop.
pub(super) fn done() -> bool {
    RUNNING.store(false, Ordering::Relaxed);
    ASKED.load(Ordering::Relaxed)
}

/// Set when what runs in a session is to stop. Of a command it never is: a signal has ended that.
pub(super) fn stop_flag() -> &'static AtomicBool {
    &ASKED
}

/// An abort after memory was refused; the standard library has written before how much was asked for. Any other abort
/// goes on when this returns.
extern "C" fn on_abort(_: libc::c_int) {
    if allocation::was_refused() {
        end_with(OUT_OF_MEMORY, 1);
    }
}

/// Does nothing, where doing nothing by default would go on in the programs that are started.
extern "C" fn on_limit(_: libc::c_int) {}

/// Installs the handlers.
pub(super) fn install() {
    let handler: extern "C" fn(libc::c_int) = on_signal;
    let limit: extern "C" fn(libc::c_int) = on_limit;
    let abort: extern "C" fn(libc::c_int) = on_abort;
    let handlers = ENDING.map(|signal| (signal, handler)).into_iter();
    // A file that may not grow is an error of its write.
    for (signal, handler) in handlers.chain([(libc::SIGXFSZ, limit), (libc::SIGABRT, abort)]) {
        // SAFETY: the handlers touch atomics, and call `unlink`, `rmdir`, `tcsetattr`, `poll`, `write` and `_exit`
        // only.
        unsafe {
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
