//! The arguments of `arr build`.

use super::super::rules::Rules;
use super::super::shared::UnheededOptions;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum EmitCode {
    Obj,
    Archive,
    Shared,
    Header,
    Clif,
    Asm,
    Ir,
}

#[derive(Args, Debug)]
pub(in crate::cli) struct Build {
    /// The script
    pub(in crate::cli) file: PathBuf,
    /// Where the code goes: a name that ends in .o, .a or .so; or in .h, for the header alone
    #[arg(short, long, value_name = "FILE", required_unless_present_any = ["emit", "header"])]
    pub(in crate::cli) output: Option<PathBuf>,
    /// Where the C header goes
    #[arg(long, value_name = "FILE.h")]
    pub(in crate::cli) header: Option<PathBuf>,
    /// What the output is, whatever its name: obj, archive, shared or header. Or the program, ir, or the code of each
    /// level, clif or asm, as text: printed, or written to the output
    #[arg(long, value_name = "FORM")]
    pub(in crate::cli) emit: Option<EmitCode>,
    /// The name of the function [default: that of the file]
    #[arg(long, value_name = "NAME")]
    pub(in crate::cli) name: Option<String>,
    /// Types of inputs that the script leaves open; several make several functions
    #[arg(long, value_name = "NAME:TYPE,…")]
    pub(in crate::cli) at: Vec<String>,
    /// The machine that the code is for [default: this one]
    #[arg(long, value_name = "TRIPLE")]
    pub(in crate::cli) target: Option<String>,
    /// The one processor of x86-64 that the code is for: sse, avx2, avx512, x86-64-v3, x86-64-v4 [default: all, chosen
    /// when it is loaded]
    #[arg(long, value_name = "CPU")]
    pub(in crate::cli) cpu: Option<String>,
    #[command(flatten)]
    pub(in crate::cli) rules: Rules,
    #[command(flatten)]
    pub(in crate::cli) _shared: UnheededOptions,
}
