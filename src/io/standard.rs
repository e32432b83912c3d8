//! The standard streams, where what goes wrong is told.
//!
//! The standard library lets a program write into nothing: what is closed when the program starts becomes `/dev/null`,
//! and what cannot be written to takes everything. Whoever runs `arr … >&-` would lose values without a word, so
//! whether standard output can be written to is asked before the library does anything. So is whether standard input
//! can be read: a closed one would be an empty program.
//!
//! ```
//! use std::io::Write;
//! arrlang::io::standard::output().unwrap().write_all(b"").unwrap();
//! ```

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when standard output cannot be written to.
static CLOSED: AtomicBool = AtomicBool::new(false);

/// Set when standard input cannot be read.
static NO_INPUT: AtomicBool = AtomicBool::new(false);

/// Called before `main`, by whoever calls constructors; only the command needs it.
#[cfg(all(feature = "cli", any(target_os = "linux", target_os = "android", target_os = "freebsd")))]
#[used]
// SAFETY: the section holds pointers to functions, which are called once, without arguments that are used here.
#[unsafe(link_section = ".init_array")]
static AT_START: extern "C" fn() = look;

#[cfg(feature = "cli")]
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android", target_os = "freebsd")),
    allow(dead_code, reason = "other systems have no such section")
)]
extern "C" fn look() {
    // SAFETY: the call reads the flags of a stream, which may be closed.
    let lacks = |stream, other| match unsafe { libc::fcntl(stream, libc::F_GETFL) } {
        flags if flags < 0 => true,
        flags => flags & libc::O_ACCMODE == other,
    };
    CLOSED.store(lacks(libc::STDOUT_FILENO, libc::O_RDONLY), Ordering::Relaxed);
    NO_INPUT.store(lacks(libc::STDIN_FILENO, libc::O_WRONLY), Ordering::Relaxed);
}

/// Asks whether standard input can be read. It is not locked.
///
/// # Errors
/// When it was closed, or only open for writing, as the program began.
pub(super) fn has_input() -> io::Result<()> {
    if NO_INPUT.load(Ordering::Relaxed) { Err(io::Error::other("it is closed")) } else { Ok(()) }
}

/// The stream, for one writer at a time.
///
/// # Errors
/// When it was closed, or only open for reading, as the program began.
pub fn output() -> io::Result<io::StdoutLock<'static>> {
    if CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout().lock())
}
