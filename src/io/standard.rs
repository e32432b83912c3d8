//! The standard streams, where what goes wrong is told.
//!
//! The standard library lets a program write into nothing: what is closed when the program starts becomes `/dev/null`,
//! and what cannot be written to takes everything. Whoever runs `arr … >&-` would lose values without a word, so the
//! command looks at its streams before that happens, and says here which of them cannot be used. A closed standard
//! input would be an empty program.
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

/// From now on standard output is an error: the process began without it.
pub fn refuse_output() {
    CLOSED.store(true, Ordering::Relaxed);
}

/// From now on standard input is an error: the process began without it.
pub fn refuse_input() {
    NO_INPUT.store(true, Ordering::Relaxed);
}

/// Asks whether standard input can be read. It is not locked.
///
/// # Errors
/// When [`refuse_input`] was called: it was closed, or only open for writing, as the program began.
pub(super) fn has_input() -> io::Result<()> {
    if NO_INPUT.load(Ordering::Relaxed) { Err(io::Error::other("it is closed")) } else { Ok(()) }
}

/// The stream, for one writer at a time.
///
/// # Errors
/// When [`refuse_output`] was called: it was closed, or only open for reading, as the program began.
pub fn output() -> io::Result<io::StdoutLock<'static>> {
    if CLOSED.load(Ordering::Relaxed) {
        return Err(io::Error::other("it is closed"));
    }
    Ok(io::stdout().lock())
}
