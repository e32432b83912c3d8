//! The REPL: what it answers on a pipe and on a terminal, and what it remembers.

mod at_random;
mod hostile;
mod keys;
mod pictures;
mod pipe;
mod pty;
mod screen;
