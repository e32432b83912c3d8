//! The `arr` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    arrlang::cli::main()
}
