//! The command at a terminal of its own: keys in, screen out.
#![expect(unsafe_code, reason = "the standard library knows no pseudo-terminals")]

use super::screen::Screen;
use std::ffi::OsStr;
use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nothing takes as long unless something is wrong.
const PATIENCE: Duration = Duration::from_mins(1);

/// The command, its terminal and what that shows.
pub(super) struct Terminal {
    child: Child,
    /// Our end of the terminal.
    keys: File,
    pub(super) screen: Screen,
    /// All bytes that were written so far.
    pub(super) raw: Vec<u8>,
}

/// How a session begins.
pub(super) struct Setting<'a> {
    pub(super) columns: u16,
    pub(super) rows: u16,
    pub(super) args: &'a [&'a str],
    pub(super) env: &'a [(&'a str, &'a str)],
}

impl Default for Setting<'_> {
    fn default() -> Self {
        Setting { columns: 80, rows: 30, args: &[], env: &[] }
    }
}

impl Terminal {
    /// Starts the command in a folder, which is also its user's home.
    pub(super) fn start(folder: &Path, setting: &Setting) -> Terminal {
        let (ours, theirs) = pair(setting.columns, setting.rows);
        let stream = || Stdio::from(theirs.try_clone().expect("a descriptor"));
        let mut command = Command::new(env!("CARGO_BIN_EXE_arr"));
        command.args(setting.args).current_dir(folder).stdin(stream()).stdout(stream()).stderr(stream());
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "LINES", "ARR_HISTORY", "CI", "LESS"] {
            command.env_remove(name);
        }
        command.env("PAGER", "cat");
        let home = |name: &str| folder.join(name).into_os_string();
        command.env("HOME", folder).env("TERM", "xterm-256color");
        command.env("XDG_STATE_HOME", home("state")).env("XDG_CONFIG_HOME", home("config"));
        command.envs(setting.env.iter().map(|(name, value)| (OsStr::new(name), OsStr::new(value))));
        // SAFETY: `setsid` and `ioctl` may be called between `fork` and `exec`; descriptor 0 is the terminal by then.
        unsafe {
            command.pre_exec(|| {
                if libc::setsid() < 0 || libc::ioctl(0, libc::TIOCSCTTY, 0) < 0 {
                    return Err(std::io::Error::last_os_error());
                }
                Ok(())
            });
        }
        let child = command.spawn().expect("the command starts");
        let screen = Screen::new(setting.columns.into(), setting.rows.into());
        Terminal { child, keys: File::from(ours), screen, raw: Vec::new() }
    }

    /// A session at its first prompt.
    pub(super) fn at_prompt(folder: &Path, setting: &Setting) -> Terminal {
        let mut terminal = Terminal::start(folder, setting);
        terminal.until("the first prompt", |screen| screen.line() == "arr:1>");
        terminal
    }

    /// Sends a signal.
    pub(super) fn signal(&self, signal: libc::c_int) {
        // SAFETY: the process is ours and not waited for yet.
        unsafe { libc::kill(self.child.id() as libc::pid_t, signal) };
    }

    /// Whether the terminal itself shows what is typed.
    pub(super) fn echoes(&self) -> bool {
        // SAFETY: `termios` is plain data, for which zeros are a value; the call writes one.
        unsafe {
            let mut mode: libc::termios = std::mem::zeroed();
            assert_eq!(libc::tcgetattr(self.keys.as_raw_fd(), &raw mut mode), 0);
            mode.c_lflag & libc::ECHO != 0
        }
    }

    /// Presses keys.
    pub(super) fn keys(&mut self, keys: &str) {
        self.keys.write_all(keys.as_bytes()).expect("the terminal takes keys");
    }

    /// Types an input at a prompt, and waits for the next prompt, which has this number.
    pub(super) fn enter(&mut self, text: &str, next: usize) {
        self.keys(text);
        self.keys("\r");
        // The number may be the same when the input fails: the prompt must come after the keys.
        let seen = self.raw.len();
        let prompt = format!("arr:{next}>");
        let ended = |terminal: &Terminal| terminal.raw[seen..].contains(&b'\n');
        let what = format!("`{prompt}` after `{text}`");
        self.wait(&what, |terminal| ended(terminal) && terminal.screen.line() == prompt);
    }

    /// Types an input, and waits for a prompt, whatever its number.
    pub(super) fn enter_any(&mut self, text: &str) {
        self.keys(text);
        self.keys("\r");
        let seen = self.raw.len();
        let is_prompt = |line: &str| line.starts_with("arr:") && line.ends_with('>');
        let ended = |terminal: &Terminal| terminal.raw[seen..].contains(&b'\n');
        self.wait(&format!("a prompt after `{text}`"), |it| ended(it) && is_prompt(&it.screen.line()));
    }

    /// The screen, once nothing comes any more.
    pub(super) fn settled(&mut self) -> String {
        loop {
            let count = self.raw.len();
            self.read(Duration::from_millis(300));
            if self.raw.len() == count {
                return self.screen.text();
            }
        }
    }

    /// Waits until the screen is as it should be.
    pub(super) fn until(&mut self, what: &str, is_so: impl Fn(&Screen) -> bool) {
        self.wait(what, |terminal| is_so(&terminal.screen));
    }

    fn wait(&mut self, what: &str, is_so: impl Fn(&Terminal) -> bool) {
        let started = Instant::now();
        while !is_so(self) {
            let left = PATIENCE.saturating_sub(started.elapsed());
            assert!(!left.is_zero() && self.read(left), "waiting for {what}:\n{}", self.screen.text());
        }
    }

    /// Reads what there is, once something is; false at the end.
    fn read(&mut self, most: Duration) -> bool {
        let mut poll = libc::pollfd { fd: self.keys.as_raw_fd(), events: libc::POLLIN, revents: 0 };
        // SAFETY: `poll` is one `pollfd`.
        let ready = unsafe { libc::poll(&raw mut poll, 1, most.as_millis() as libc::c_int) };
        if ready <= 0 {
            return true;
        }
        let mut bytes = [0; 4096];
        match self.keys.read(&mut bytes) {
            Ok(0) | Err(_) => false,
            Ok(count) => {
                self.raw.extend_from_slice(&bytes[..count]);
                self.screen.write(&bytes[..count]);
                true
            }
        }
    }

    /// Waits for the end; the exit code.
    pub(super) fn end(mut self) -> Option<i32> {
        let started = Instant::now();
        while self.read(Duration::from_millis(100)) && started.elapsed() < PATIENCE {}
        self.child.wait().expect("it ends").code()
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The two ends of a new terminal.
fn pair(columns: u16, rows: u16) -> (OwnedFd, OwnedFd) {
    let (mut ours, mut theirs) = (0, 0);
    let size = libc::winsize { ws_row: rows, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
    // SAFETY: the two descriptors are written, the size is read, the others may be null.
    let outcome = unsafe {
        libc::openpty(&raw mut ours, &raw mut theirs, std::ptr::null_mut(), std::ptr::null_mut(), &raw const size)
    };
    assert_eq!(outcome, 0, "there is a terminal");
    // SAFETY: both were just opened, and nobody else knows them. Ours must not reach the command.
    unsafe {
        libc::fcntl(ours, libc::F_SETFD, libc::FD_CLOEXEC);
        libc::fcntl(theirs, libc::F_SETFD, libc::FD_CLOEXEC);
        (OwnedFd::from_raw_fd(ours), OwnedFd::from_raw_fd(theirs))
    }
}
