//! The binary of the `arr` command.

use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: arrlang::cli::NotingAllocator = arrlang::cli::NotingAllocator;

/// Called before `main`, while a closed stream can still be told from `/dev/null`. Other systems have no such section.
#[cfg(any(target_os = "linux", target_os = "android", target_os = "freebsd"))]
#[used]
// SAFETY: the section holds pointers to functions, which are called once, without arguments that are used here.
#[unsafe(link_section = ".init_array")]
#[expect(unsafe_code, reason = "only a section of the linker is called before `main`")]
static AT_START: extern "C" fn() = arrlang::cli::look_at_streams;

fn main() -> ExitCode {
    arrlang::cli::main()
}
