//! The `arr` command. It is the only place with arguments, exit codes, and text for people on standard streams.
//!
//! One file per command. Exit codes: 0 fine, 1 the program or its data has errors, 2 the command line is wrong,
//! 3 a file could not be read or written, 101 a mistake of ours, 130 interrupted.

mod allocation;
mod args;
mod bench;
mod bindings;
mod build;
mod cells;
mod check;
mod choose;
mod classes;
mod compare;
mod completions;
mod context;
mod deferred;
mod diff;
mod doc;
mod emit;
mod explain;
mod fix;
mod fix_order;
mod fix_run;
mod fmt;
mod formats;
mod head;
mod help;
mod interrupt;
mod isa;
mod lattice;
mod laws;
mod lengths;
mod library;
mod memory;
mod outlook;
mod output;
mod page;
mod painted;
mod parsers;
mod programs;
mod progress;
mod promote;
mod reference;
mod repl;
mod report;
mod rules;
mod run;
mod scripts;
mod shared;
mod shorthand;
mod signature;
mod statistics;
mod streams;
mod suppress;
mod table;
mod tables;
mod target;
mod thousands;
mod threads;
mod tree;
mod why;
mod written_casts;

use crate::diagnostic::Outcome;
use crate::promotion::systems;
pub use allocation::NotingAllocator;
use args::{Arguments, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use deferred::DeferredArgs;
use painted::StyledText;
use std::io::IsTerminal;
use std::process::ExitCode;
pub use streams::look_at_streams;

/// Parses the arguments, runs the command, answers its exit code.
pub fn main() -> ExitCode {
    std::panic::set_hook(Box::new(report_panic));
    interrupt::install();
    let arguments = match Arguments::try_parse_from(shorthand::spelled_out(std::env::args_os())) {
        Ok(arguments) => arguments,
        Err(told) => return exit_code(told_by_clap(&told)),
    };
    arguments.color.apply();
    let outcome = std::panic::catch_unwind(|| dispatch(arguments)).unwrap_or(Outcome::Broken);
    // A reader that went away (`arr … | head`) is no failure.
    exit_code(outcome)
}

/// The number that says how the command ended.
fn exit_code(outcome: Outcome) -> ExitCode {
    ExitCode::from(status(outcome))
}

/// The number of an outcome: the only place that knows them.
fn status(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Done => 0,
        Outcome::Refused => 1,
        Outcome::Misused => 2,
        Outcome::Unreachable => 3,
        Outcome::Broken => 101,
        Outcome::Interrupted => 130,
    }
}

/// What is asked of the command line itself, or wrong with it.
fn told_by_clap(told: &clap::Error) -> Outcome {
    if !told.use_stderr() {
        return output::show(&StyledText::of_the_command_line(&told.render())).outcome();
    }
    // It repeats arguments: those are told apart from its colours by being parsed again as they may be seen.
    let seen = std::env::args_os().map(|word| StyledText::from(&*word.to_string_lossy()).plain());
    match Arguments::try_parse_from(shorthand::spelled_out(seen.map(Into::into))) {
        Err(same) if same.use_stderr() => output::err(&StyledText::of_the_command_line(&same.render())),
        _ => output::report(told.render().to_string().trim_end()),
    }
    if let Some(tip) = option_of_a_word(told) {
        output::note(&tip);
    }
    if told.use_stderr() { Outcome::Misused } else { Outcome::Done }
}

/// A sentence about a word that a command takes behind an option only: `arr table +`, `arr laws numpy`.
fn option_of_a_word(told: &clap::Error) -> Option<String> {
    let Some(ContextValue::String(word)) = told.get(ContextKind::InvalidArg) else { return None };
    if told.kind() != ErrorKind::UnknownArgument || word.starts_with("--") {
        return None;
    }
    let command = std::env::args_os().nth(1)?.into_string().ok()?;
    let option = match command.as_str() {
        "table" if systems::find(word).is_none() => "--op",
        "table" | "lattice" | "laws" => "--system",
        _ => return None,
    };
    Some(format!("write `arr {command} {option} '{word}'`"))
}

fn dispatch(arguments: Arguments) -> Outcome {
    match arguments.command {
        Some(Command::Run(DeferredArgs(command))) => run::script(command),
        Some(Command::Eval(DeferredArgs(command))) => run::expression(command),
        Some(Command::Bench(DeferredArgs(command))) => bench::script(command),
        Some(Command::Check(DeferredArgs(command))) => check::files(command),
        Some(Command::Fmt(DeferredArgs(command))) => fmt::files(&command),
        Some(Command::Explain(DeferredArgs(command))) => explain::answer(&command),
        Some(Command::Head(DeferredArgs(command))) => head::show(&command),
        Some(Command::Promote(DeferredArgs(command))) => promote::answer(command),
        Some(Command::Table(DeferredArgs(command))) => table::print(command),
        Some(Command::Lattice(DeferredArgs(command))) => lattice::draw(command),
        Some(Command::Laws(DeferredArgs(command))) => laws::check(command),
        Some(Command::Signature(DeferredArgs(command))) => signature::tables(&command),
        Some(Command::Build(DeferredArgs(command))) => build::script(&command),
        Some(Command::Doc(DeferredArgs(command))) => doc::reference(command),
        Some(Command::Help(DeferredArgs(command))) => help::answer(&command),
        Some(Command::Completions(DeferredArgs(command))) => completions::print(&command),
        Some(Command::Repl(DeferredArgs(command))) => repl::start(command),
        None if std::io::stdin().is_terminal() => repl::start(args::Repl::default()),
        None => run::script(args::RunArgs { file: "-".into(), ..args::RunArgs::default() }),
    }
}

/// A panic is a mistake of ours: one line, never a raw trace. One that is answered as an error is no news.
fn report_panic(info: &std::panic::PanicHookInfo) {
    if crate::panics::panics_are_caught() {
        return;
    }
    let place = info.location().map(|at| format!(" at {}:{}", at.file(), at.line())).unwrap_or_default();
    let text = info
        .payload()
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| info.payload().downcast_ref::<String>().cloned())
        .unwrap_or_default();
    output::report(&format!(
        "internal error{place}: {text}\nthis is a bug in arr; please report it with the script that shows it"
    ));
}
