//! The standard output, where what goes wrong is told.
//!
//! The standard library lets a program write into nothing: what is closed when the program starts becomes `/dev/null`,
//! and what cannot be written to takes everything. Whoever runs `arr … >&-` would lose values without a word, so
//! whether standard output can be written to is asked before the library does anything.
//!
//! ```
//! use std::io::Write;
//! arrlang::io::standard::output().unwrap().write_all(b"").unwrap();
//! ```

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set when standard output cannot be written to.
static CLOSED: AtomicBool = AtomicBool::new(false);

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
    let flags = unsafe { libc::fcntl(libc::STDOUT_FILENO, libc::F_GETFL) };
    CLOSED.store(flags < 0 || flags & libc::O_ACCMODE == libc::O_RDONLY, Ordering::Relaxed);
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
