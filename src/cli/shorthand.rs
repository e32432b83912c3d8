//! Commands without a word, `arr FILE` or `arr 'EXPR'`: a first word that is no command is run, or evaluated. Options
//! may stand in front of it, or alone.
//!
//! A word may be a command with a slip in it, so it is left to the parser of the arguments, which knows them all. A
//! file that is there, and what looks like the name of one, is run; everything else can only be an expression.

use super::args::{Repl, RunArgs};
use clap::{Arg, Args, Command};
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::Path;

/// The options that ask for the help or the version of `arr` itself, where there is no command.
const ASKED: [&str; 4] = ["-h", "--help", "-V", "--version"];

/// The arguments with the command that is meant.
pub(super) fn spelled_out(arguments: impl IntoIterator<Item = OsString>) -> Vec<OsString> {
    let mut arguments: Vec<OsString> = arguments.into_iter().collect();
    let is_command = <super::args::Command as clap::Subcommand>::has_subcommand;
    let in_front = options_in_front(&arguments);
    let word = first_word(&arguments, in_front.as_ref());
    let command = word.and_then(|at| meant(&arguments[at], &arguments[at + 1..], is_command));
    match (word, command) {
        (Some(at), Some(command)) => arguments.insert(if in_front.is_some() { 1 } else { at }, command.into()),
        (Some(at), None) if in_front.is_some() && arguments[at] == "help" => drop(arguments.drain(1..at)),
        // The options go behind their command, where they are known.
        (Some(at), None) if in_front.is_some() => arguments[1..=at].rotate_right(1),
        (None, _) if in_front.is_some() => {
            let is_asked = |at: &usize| ASKED.iter().any(|flag| arguments[*at] == *flag);
            if let Some(at) = (1..arguments.len()).find(is_asked) {
                arguments.swap(1, at);
                arguments.truncate(2);
                return arguments;
            }
            let words: &[&str] = if std::io::stdin().is_terminal() { &["repl"] } else { &["run", "-"] };
            words.iter().rev().for_each(|word| arguments.insert(1, word.into()));
        }
        (Some(_), None) | (None, _) => {}
    }
    arguments
}

/// The options of a session and of scripts that run, if the first argument besides `--color` is one of them.
fn options_in_front(arguments: &[OsString]) -> Option<Command> {
    let mut texts = arguments.iter().skip(1).map(|argument| argument.to_str().unwrap_or_default());
    let first = loop {
        match texts.next()? {
            "--color" => {
                texts.next();
            }
            text if text.starts_with("--color=") => {}
            text => break text,
        }
    };
    if !first.starts_with('-') {
        return None;
    }
    let options = RunArgs::augment_args(Repl::augment_args(Command::new("arr")));
    takes_next(first, &options).is_some().then_some(options)
}

/// Whether the argument behind an option is its value. `None` if `text` is none of these options.
fn takes_next(text: &str, options: &Command) -> Option<bool> {
    let (name, is_whole) = text.split_once('=').map_or((text, true), |(name, _)| (name, false));
    let is_named = |option: &&Arg| match name.strip_prefix("--") {
        Some(long) => option.get_long() == Some(long),
        None => option.get_short().is_some_and(|short| name == format!("-{short}")),
    };
    let option = options.get_arguments().find(is_named)?;
    Some(is_whole && option.get_action().takes_values())
}

/// Where the first argument stands that is neither the program, nor an option, nor the value of one of `options`.
fn first_word(arguments: &[OsString], options: Option<&Command>) -> Option<usize> {
    let mut at = 1;
    loop {
        match arguments.get(at)?.to_str() {
            Some("--color") => at += 2,
            Some("-") => return Some(at),
            Some(option) if option.starts_with('-') => {
                let has_value = options.and_then(|options| takes_next(option, options)) == Some(true);
                at += 1 + usize::from(has_value);
            }
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
    fn options_may_stand_in_front() {
        let spelled = |arguments: &[&str]| {
            let given = std::iter::once("arr").chain(arguments.iter().copied()).map(OsString::from);
            let found: Vec<String> =
                spelled_out(given).iter().map(|word| word.to_string_lossy().into_owned()).collect();
            found[1..].join(" ")
        };
        for (given, meant) in [
            (&["--mode", "safe", "job.arr", "a=1"][..], "run --mode safe job.arr a=1"),
            (&["--color", "never", "--width=32", "1+1"], "eval --color never --width=32 1+1"),
            (&["--system", "numpy", "check", "job.arr"], "check --system numpy job.arr"),
            (&["-v", "chek", "job.arr"], "chek -v job.arr"),
            (&["--diff", "check", "job.arr"], "--diff check job.arr"),
            (&["-o", "y.npy", "job.arr", "x=1"], "run -o y.npy job.arr x=1"),
            (&["-o", "k.o", "build", "job.arr"], "build -o k.o job.arr"),
            (&["--system", "numpy", "--version"], "--version"),
            (&["--system", "numpy", "-h"], "-h"),
            (&["--system", "numpy", "help", "run"], "help run"),
            (&["--system", "numpy", "check", "--help"], "check --system numpy --help"),
        ] {
            assert_eq!(spelled(given), meant);
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
