//! `arr FILE` and `arr 'EXPR'`: what is no command is run, or evaluated.
//!
//! A word may be a command with a slip in it, so it is left to the parser of the arguments, which knows them all. A
//! file that is there, and what looks like the name of one, is run; everything else can only be an expression.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// The arguments with the command that is meant.
pub(super) fn spelled_out(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_command = <super::args::Command as clap::Subcommand>::has_subcommand;
    if let Some(at) = first_word(&arguments)
        && let Some(command) = meant(&arguments[at], &arguments[at + 1..], is_command)
    {
        arguments.insert(at, command.into());
    }
    arguments
}

/// Where the first argument stands that is neither the program, nor an option, nor an option's value.
fn first_word(arguments: &[OsString]) -> Option<usize> {
    let mut at = 1;
    loop {
        match arguments.get(at)?.to_str() {
            Some("--color") => at += 2,
            Some("-") => return Some(at),
            Some(option) if option.starts_with('-') => at += 1,
            _ => return Some(at),
        }
    }
}

/// The command that a first word stands for; `None` when it is one, or may be one with a slip.
fn meant(word: &OsStr, rest: &[OsString], is_command: impl Fn(&str) -> bool) -> Option<&'static str> {
    let path = Path::new(word);
    let Some(text) = word.to_str() else { return Some("run") };
    if is_command(text) {
        return None;
    }
    if text == "-" || path.is_file() {
        return Some("run");
    }
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    if text.chars().all(plain) {
        return text.starts_with(|c: char| c.is_ascii_digit()).then_some("eval");
    }
    // `data/job.arr`, `../job`: with values for its names `a/b` is an expression.
    let named = text.chars().all(|c| plain(c) || matches!(c, '/' | '.' | '~'));
    let digits = text.starts_with(|c: char| c.is_ascii_digit());
    let given = rest.iter().filter_map(|argument| argument.to_str()).any(|argument| {
        let name = argument.split(['=', ':']).next().unwrap_or_default();
        name.len() < argument.len() && path.file_name().is_some() && text.split('/').any(|part| part == name)
    });
    let ends = path.extension().is_some_and(|extension| extension == "arr");
    Some(if ends || (named && !digits && !given) { "run" } else { "eval" })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(arguments: &[&str]) -> Option<String> {
        let given: Vec<OsString> =
            std::iter::once("arr").chain(arguments.iter().copied()).map(OsString::from).collect();
        let found = spelled_out(given.clone());
        let at = (0..given.len()).find(|&at| found[at] != given[at]).unwrap_or(given.len());
        found.get(at).filter(|_| found.len() > given.len()).map(|word| word.to_string_lossy().into_owned())
    }

    #[test]
    fn files_are_run_and_expressions_evaluated() {
        for arguments in
            [&["job.arr"][..], &["--color", "never", "no/job.arr", "x=1"], &["../job"], &["-"], &["Cargo.toml"]]
        {
            assert_eq!(command(arguments).as_deref(), Some("run"), "{arguments:?}");
        }
        for arguments in
            [&["1+1"][..], &["42"], &["sum(x)", "x=x.npy"], &["a/b", "a=1", "b=2"], &["2 ** 10"], &["x +"], &["1.5"]]
        {
            assert_eq!(command(arguments).as_deref(), Some("eval"), "{arguments:?}");
        }
    }

    #[test]
    fn commands_and_slips_are_left_alone() {
        for arguments in
            [&["check", "job.arr"][..], &["chek", "job.arr"], &["x"], &[], &["--version"], &["--color", "never"]]
        {
            assert_eq!(command(arguments), None, "{arguments:?}");
        }
    }
}
