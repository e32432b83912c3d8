//! The `arr` command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: arrlang::cli::Noting = arrlang::cli::Noting;

fn main() -> ExitCode {
    arrlang::cli::main()
}
