//! One input of a session: a text, with what comes along.

use super::Destinations;
use crate::array::Array;
use crate::exec;
use crate::io::argument::Argument;
use std::path::Path;

/// One input of a session.
#[derive(Debug, Clone)]
pub struct Input<'a> {
    /// What diagnostics call the text.
    pub name: &'a str,
    /// The text.
    pub text: &'a str,
    /// Values and types given from outside.
    pub arguments: &'a [Argument],
    /// Data for inputs, by their names.
    pub arrays: &'a [(String, Array)],
    /// Whether given values may be used without an `input` line.
    pub free_names: bool,
    /// The folder that paths in the text begin in, and below which `load` reads: the script's own.
    pub folder: Option<&'a Path>,
    /// Whether the text is a whole script: what nothing in it uses is reported.
    pub whole: bool,
    /// Whether results have names, and which number this input has: its last value is called `_`, and `_3` when it is
    /// the third.
    pub result: Option<usize>,
    /// Whether `x = 3` gives a name a meaning, as at a prompt. In scripts `let` does, and `=` is for variables.
    pub defines: bool,
    /// How programs are run.
    pub options: exec::Options<'a>,
    /// Files that results go to. Large ones are written while they are computed, and are in no value.
    pub destinations: Option<&'a Destinations>,
    /// Is told how many bytes of how many have passed, while files are read and written so.
    pub progress: Option<Progress<'a>>,
}

/// Is told how many bytes of how many have passed.
#[derive(Clone, Copy)]
pub struct Progress<'a>(pub &'a (dyn Fn(u64, u64) + Sync));

impl std::fmt::Debug for Progress<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Progress")
    }
}

impl<'a> Input<'a> {
    /// An input without arguments, run by the defaults.
    pub fn new(name: &'a str, text: &'a str) -> Input<'a> {
        Input {
            name,
            text,
            arguments: &[],
            arrays: &[],
            free_names: false,
            folder: None,
            whole: false,
            result: None,
            defines: false,
            options: exec::Options::default(),
            destinations: None,
            progress: None,
        }
    }
}
