//! The streams that the process began without: closed streams are found before the standard library hides them.
//!
//! The standard library opens `/dev/null` for a stream that is closed when the process starts. The command asks before
//! that happens, and [`standard`] answers an error from then on.
#![expect(unsafe_code, reason = "the standard library cannot say whether a stream is closed")]

use crate::io::standard;

/// Tells [`standard`] which streams cannot be used. The binary of the command has it called before `main`: a library
/// that is part of another process has no say there.
pub extern "C" fn look_at_streams() {
    // SAFETY: the call reads the flags of a stream, which may be closed.
    let lacks = |stream, other| match unsafe { libc::fcntl(stream, libc::F_GETFL) } {
        flags if flags < 0 => true,
        flags => flags & libc::O_ACCMODE == other,
    };
    if lacks(libc::STDOUT_FILENO, libc::O_RDONLY) {
        standard::refuse_output();
    }
    if lacks(libc::STDIN_FILENO, libc::O_WRONLY) {
        standard::refuse_input();
    }
}
