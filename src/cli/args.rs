//! The arguments of every command.

mod build;

use super::deferred::DeferredArgs;
use super::formats::{DocFormat, FormatRow, TableFormat, ValueFormat};
use super::rules::Rules;
use super::shared::UnheededOptions;
use super::{parsers, target};
pub(super) use build::{Build, EmitCode};
use clap::{Args, Parser, Subcommand, ValueEnum};
use std::ffi::OsString;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Know the dtype of everything before anything runs.
#[derive(Parser, Debug)]
#[command(name = "arr", version = VERSION, about, max_term_width = 100, disable_help_subcommand = true, after_help = EXAMPLES)]
pub(super) struct Arguments {
    #[command(subcommand)]
    pub(super) command: Option<Command>,
    /// When to use colours
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto")]
    pub(super) color: Color,
}

/// The version, and the commit where it was built from one.
const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), env!("ARR_COMMIT"));

const EXAMPLES: &str = "Examples:
  arr script.arr counts=counts.npy gain=2.5     short for `arr run`
  arr '2**10'                                   short for `arr eval`
  arr eval '2*a + 3*b' a=a.npy b=b.npy -o y.npy
  arr check --mode safe script.arr
  arr explain precision-loss
  arr explain 'x*y + 1.0' 'x:f32[n]' 'y:i64[n]'
  arr promote i8 u32 --all-systems
  arr                                           the REPL";

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum Color {
    Auto,
    Always,
    Never,
}

impl Color {
    /// Makes it the choice of this process. A terminal that calls itself dumb gets none unless they are asked for,
    /// on machines of continuous integration too, which `anstream` takes for terminals with colours.
    pub(super) fn apply(self) {
        let dumb = || std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        let forced = || std::env::var_os("CLICOLOR_FORCE").is_some_and(|told| told != "0");
        let choice = match self {
            Color::Auto if dumb() && !forced() => anstream::ColorChoice::Never,
            Color::Auto => anstream::ColorChoice::Auto,
            Color::Always => anstream::ColorChoice::Always,
            Color::Never => anstream::ColorChoice::Never,
        };
        choice.write_global();
    }
}

#[derive(Subcommand, Debug)]
pub(super) enum Command {
    /// Check, compile and run a script
    #[command(
        after_help = "Examples:\n  arr run script.arr counts=counts.npy gain=2.5\n  arr run script.arr x=@data -o score=score.npy"
    )]
    Run(DeferredArgs<RunArgs>),
    /// Evaluate one expression
    #[command(
        after_help = "Examples:\n  arr eval '2**10'\n  arr eval 'sqrt(x) + 1' x=x.npy -o y.npy\n  arr eval 'x + 1' x:i8=100 --emit ir"
    )]
    Eval(DeferredArgs<Eval>),
    /// Measure how fast a script runs
    #[command(
        after_help = "Examples:\n  arr bench script.arr a=a.npy b=b.npy\n  arr bench script.arr 'a:f32[100000]'\n  arr bench script.arr 'a:f32[100000]' --threads 1 --json\n\n\
        Inputs without values are filled with random numbers, the same ones every time: floats between 0 and 1, integers \
        between 1 and 100, or in the range that the input declares. `a:f32[100000]` says how large an input is; one \
        such argument is enough where the others have the same named dimensions.\n\n\
        An element is one of the largest input or result. Bytes are those of the inputs, read once, and of the results, \
        written once. The copy bandwidth is that of copying as many bytes on as many threads, measured just before."
    )]
    Bench(DeferredArgs<Bench>),
    /// Check scripts without running them
    #[command(
        after_help = "Examples:\n  arr check script.arr\n  arr check --mode safe --format json scripts/\n  arr check script.arr 'x:f32[n]'\n  arr check --compare jax,numpy,torch script.arr\n  arr check --fix --diff scripts/\n  arr check --format sarif=out.sarif --format github scripts/"
    )]
    Check(DeferredArgs<CheckArgs>),
    /// Format scripts: the one canonical way to write them
    #[command(
        after_help = "Examples:\n  arr fmt script.arr scripts/\n  arr fmt --check .\n  arr fmt --diff script.arr\n  echo 'let  y=2 * a.sum( )+b' | arr fmt -\n\n\
        Line breaks stay. Blanks, indentation and blank lines become the same everywhere, long names of dtypes short \
        (`float32` is `f32`), `np.` goes, and `x.f(y)` becomes `f(x, y)`. A script with errors of syntax is left alone."
    )]
    Fmt(DeferredArgs<Fmt>),
    /// Explain a code, a finding, or why an expression or a column has its dtype
    #[command(
        after_help = "Examples:\n  arr explain precision-loss\n  arr explain E0401\n  arr explain 'x*y + 1.0' 'x:f32[n]' 'y:i64[n]'\n  arr explain 'a / b' a:i32 b:i32 --compare jax,numpy,torch\n  arr explain prices.csv:close"
    )]
    Explain(DeferredArgs<Explain>),
    /// Show what is in a file: names, dtypes, shapes, and the first rows
    #[command(
        after_help = "Examples:\n  arr head prices.csv\n  arr head prices.csv:close -n 20\n  arr head model.safetensors\n  zcat t.csv.gz | arr head - --format-in csv"
    )]
    Head(DeferredArgs<super::head::HeadArgs>),
    /// Show what dtypes meet as, the path there, and what each mode says
    #[command(
        after_help = "Examples:\n  arr promote i8 u32\n  arr promote u8 300 --system numpy1\n  arr promote i32 --op sqrt --all-systems\n  arr promote u64 i64 --system my.toml --format json"
    )]
    Promote(DeferredArgs<Promote>),
    /// Print the promotion table of an operation
    #[command(
        after_help = "Examples:\n  arr table\n  arr table --system rfc --op +\n  arr table --op neg --format csv\n  arr table --op sqrt --system numpy --format markdown"
    )]
    Table(DeferredArgs<TableArgs>),
    /// Draw a system as a lattice
    #[command(
        after_help = "Examples:\n  arr lattice --highlight i8,u32\n  arr lattice -o lattice.svg --highlight i8,u32\n  arr lattice --system tf-numpy -o lattice.dot"
    )]
    Lattice(DeferredArgs<LatticeArgs>),
    /// Test whether order or grouping of operands can change a dtype
    #[command(
        after_help = "Examples:\n  arr laws\n  arr laws --system numpy\n  arr laws --system my.toml --format json"
    )]
    Laws(DeferredArgs<Laws>),
    /// Show which dtypes a script and its functions give for which, and in which modes
    #[command(
        after_help = "Examples:\n  arr signature script.arr\n  arr signature script.arr --at x:f32,y:i64\n  arr signature script.arr --system numpy --format json\n\nTypes: a weak type (i*, f*, c*) stands for a literal (1, 1.5, 1j)."
    )]
    Signature(DeferredArgs<Signature>),
    /// Build a script for programs in C, Rust or Python: an object, a library and a header
    #[command(
        after_help = "Examples:\n  arr build norm.arr -o norm.o --header norm.h\n  arr build norm.arr -o libnorm.so\n  arr build norm.arr -o norm.o --target aarch64-unknown-linux-gnu\n  arr build scale.arr --at 'x:f32[n]' --at 'x:f64[n]' -o s.o --header s.h\n  arr build norm.arr --emit asm --cpu avx2\n\n\
        The name of the output says what it is: .o an object, .a an archive, .so a shared library, for which `cc` and `ar` \
        are called. The functions take their inputs by pointers with lengths and strides and write to memory of the \
        caller; the header says how. Their results have the bits of `arr run`."
    )]
    Build(DeferredArgs<Build>),
    /// Show the reference of the language, its builtins and the promotion systems
    #[command(
        after_help = "Examples:\n  arr doc\n  arr doc sum\n  arr doc language\n  arr doc edges\n  arr doc systems"
    )]
    Doc(DeferredArgs<Doc>),
    /// Show the help of a command, or the limits of programs and data
    #[command(after_help = "Examples:\n  arr help\n  arr help check\n  arr help limits")]
    Help(DeferredArgs<HelpArgs>),
    /// Print what a shell needs to complete `arr` commands
    #[command(
        after_help = "Examples:\n  arr completions bash > ~/.local/share/bash-completion/completions/arr\n  arr completions zsh > ~/.zfunc/_arr\n  arr completions fish > ~/.config/fish/completions/arr.fish"
    )]
    Completions(DeferredArgs<Completions>),
    /// Start the interactive session, also on a pipe
    #[command(
        after_help = "Examples:\n  arr                          the same on a terminal\n  arr repl --mode safe\n  printf 'let x = [1, 2]\\nsum(x)\\n' | arr repl\n\n\
        `:help` shows the commands. Tab completes, Up and Ctrl-R look into the history, Ctrl-C stops what runs, \
        Ctrl-D leaves. `_` is the last result, `_3` that of input 3. A line that ends in `;` shows nothing. \
        On a pipe the exit code is 1 if an input had an error.\n\n\
        Files: $XDG_CONFIG_HOME/arr/init.arr (else ~/.config/arr/init.arr) is evaluated first; \
        $XDG_STATE_HOME/arr/history (else ~/.local/state/arr/history) keeps what was typed; \
        ARR_HISTORY names another file, or none when it is empty."
    )]
    Repl(DeferredArgs<Repl>),
}

/// How programs are run.
#[derive(Args, Debug, Default, Clone)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent of each other")]
pub(super) struct ExecutionArgs {
    /// Ceiling for the memory of arrays, such as 500M or 8G [default: 80% of the machine's]
    #[arg(long, value_name = "SIZE", value_parser = parsers::size, allow_negative_numbers = true)]
    pub(super) max_mem: Option<usize>,
    /// The most threads that compute at once [default: $`ARR_NUM_THREADS`, or as many as the machine offers]
    #[arg(long, value_name = "N", value_parser = parsers::threads, allow_negative_numbers = true)]
    pub(super) threads: Option<NonZeroUsize>,
    /// Read files instead of mapping them
    #[arg(long)]
    pub(super) copy: bool,
    /// The first line of tables is data, not the names of columns
    #[arg(long)]
    pub(super) no_header: bool,
    /// What stands for a missing value in columns of integers
    #[arg(long, value_name = "NUMBER", value_parser = parsers::number, allow_hyphen_values = true)]
    pub(super) missing: Option<i64>,
    /// What parts the fields of tables: a character, `tab` or `blank` [default: by the file's name]
    #[arg(long, value_name = "CHARACTER", value_parser = parsers::delimiter)]
    pub(super) delimiter: Option<u8>,
    /// The format of standard input and of pipes [default: by the first bytes], and of files whose names tell none
    #[arg(long, value_name = "FORMAT", value_parser = parsers::format)]
    pub(super) format_in: Option<&'static crate::io::Format>,
    /// Verify every stage of compilation
    #[arg(long)]
    pub(super) verify: bool,
    /// Show findings in full and the time of each phase
    #[arg(short, long)]
    pub(super) verbose: bool,
    /// How values are printed, and what `-o -` writes [default: text]
    #[arg(long, value_name = "FORMAT")]
    pub(super) format: Option<ValueFormat>,
    /// Digits of floats after the point in tables and arrays, not in a scalar [default: 8 in text, all in tables]
    #[arg(long, value_name = "DIGITS", value_parser = parsers::digits, allow_negative_numbers = true)]
    pub(super) precision: Option<u8>,
    /// Arrays with more elements are printed in part; `all` prints them whole [default: 1000]
    #[arg(long, value_name = "COUNT", value_parser = parsers::threshold, allow_negative_numbers = true)]
    pub(super) threshold: Option<usize>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Emit {
    Ast,
    Typed,
    Ir,
    Stages,
    Kernel,
    Plan,
    Body,
    Clif,
    Asm,
}

#[derive(Args, Debug, Default)]
pub(super) struct RunArgs {
    /// The script; `-` is standard input
    pub(super) file: PathBuf,
    /// Inputs: NAME=FILE, NAME=NUMBER, NAME:TYPE=VALUE
    #[arg(value_name = "NAME=VALUE")]
    pub(super) inputs: Vec<OsString>,
    /// Where to write an output; the others are printed
    #[arg(short, long = "output", value_name = "[NAME=]FILE")]
    pub(super) output: Vec<OsString>,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) running: ExecutionArgs,
}

#[derive(Args, Debug)]
pub(super) struct Eval {
    /// The expression
    #[arg(allow_hyphen_values = true)]
    pub(super) expression: String,
    /// Values: NAME=FILE, NAME=NUMBER, NAME:TYPE=VALUE
    #[arg(value_name = "NAME=VALUE")]
    pub(super) inputs: Vec<OsString>,
    /// Where to write the result instead of printing it
    #[arg(short, long = "output", value_name = "FILE")]
    pub(super) output: Vec<OsString>,
    /// Show a stage of compilation instead of running
    #[arg(long, value_name = "STAGE")]
    pub(super) emit: Option<Emit>,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) running: ExecutionArgs,
}

#[derive(Args, Debug)]
pub(super) struct Bench {
    /// The script; `-` is standard input
    pub(super) file: PathBuf,
    /// Inputs: NAME=FILE, NAME=NUMBER, NAME:TYPE=VALUE; NAME:TYPE fills one with random numbers
    #[arg(value_name = "NAME=VALUE")]
    pub(super) inputs: Vec<OsString>,
    /// How long to measure, in seconds
    #[arg(long, value_name = "SECONDS", default_value = "1", value_parser = parsers::seconds)]
    pub(super) time: Duration,
    /// What the random numbers begin with
    #[arg(
        long,
        value_name = "NUMBER",
        default_value = "1",
        value_parser = parsers::seed,
        allow_negative_numbers = true
    )]
    pub(super) seed: u64,
    /// Short for `--format json`
    #[arg(long)]
    pub(super) json: bool,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) running: ExecutionArgs,
}

#[derive(Args, Debug)]
#[expect(clippy::struct_excessive_bools, reason = "flags of a command are independent of each other")]
pub(super) struct CheckArgs {
    /// Scripts, folders of scripts, and NAME:TYPE for inputs without data
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    #[command(flatten)]
    pub(super) rules: Rules,
    /// Show where these systems give an expression different dtypes
    #[arg(long, value_name = "SYSTEM,…", value_delimiter = ',')]
    pub(super) compare: Vec<String>,
    /// Silence every finding there is now by a comment at the end of its line
    #[arg(long, conflicts_with_all = ["compare", "diff"])]
    pub(super) add_suppressions: bool,
    /// How diagnostics are written: text, concise, json, github or sarif; several times with files
    #[arg(long, value_name = "FORMAT[=FILE]", default_value = "text", value_parser = target::target)]
    pub(super) format: Vec<target::ReportTarget>,
    /// Carry out the fixes that change no value
    #[arg(long, conflicts_with = "compare")]
    pub(super) fix: bool,
    /// With --fix or --diff: those that may change values too
    #[arg(long, conflicts_with = "compare")]
    pub(super) unsafe_fixes: bool,
    /// Show what --fix would change, and change nothing
    #[arg(long, conflicts_with = "compare")]
    pub(super) diff: bool,
    /// Count findings instead of showing them
    #[arg(long, conflicts_with_all = ["compare", "diff"])]
    pub(super) statistics: bool,
    /// Show which files a run would read and write in pieces, what it would hold, and how much memory it needs
    #[arg(long, conflicts_with_all = ["compare", "diff", "fix"])]
    pub(super) plan: bool,
    /// With --plan: the ceiling for the memory of arrays
    #[arg(long, value_name = "SIZE", value_parser = parsers::size, requires = "plan")]
    pub(super) max_mem: Option<usize>,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Fmt {
    /// Scripts, and folders of scripts; `-` formats standard input to standard output
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<OsString>,
    /// Change nothing; name what would change, and exit with 1 if something would
    #[arg(long)]
    pub(super) check: bool,
    /// Change nothing; show what would change, and exit with 1 if something would
    #[arg(long, conflicts_with = "check")]
    pub(super) diff: bool,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Explain {
    /// A code (E0301), a finding's name (precision-loss), an expression, or a column (t.csv:price)
    #[arg(allow_hyphen_values = true, value_name = "CODE|NAME|EXPR")]
    pub(super) name: String,
    /// Types of the names in the expression: NAME:TYPE, or NAME=VALUE
    #[arg(value_name = "NAME:TYPE")]
    pub(super) inputs: Vec<OsString>,
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// Default width of weak values in bits: 32 or 64 [default: the system's]
    #[arg(long, value_name = "BITS")]
    pub(super) width: Option<String>,
    /// Show every part of the expression in these systems, side by side
    #[arg(long, value_name = "SYSTEM,…", value_delimiter = ',', conflicts_with = "system")]
    pub(super) compare: Vec<String>,
    /// How the page is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: FormatRow,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Promote {
    /// Dtypes (i8), weak types (i*, f*), constants (300, 1.5) or inputs (x:f32[n])
    #[arg(required = true, value_name = "TYPE", allow_negative_numbers = true)]
    pub(super) types: Vec<String>,
    /// The operation, by symbol or name
    #[arg(long, value_name = "OP", default_value = "+", allow_hyphen_values = true)]
    pub(super) op: String,
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// Default width of weak values in bits: 32 or 64 [default: the system's]
    #[arg(long, value_name = "BITS")]
    pub(super) width: Option<String>,
    /// One line for each system of today
    #[arg(long, conflicts_with = "system")]
    pub(super) all_systems: bool,
    /// One line for each system, with earlier ones and proposals
    #[arg(long, conflicts_with = "system")]
    pub(super) historical: bool,
    /// How the answer is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: FormatRow,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct TableArgs {
    /// The operation, by symbol or name; unary minus is `neg`
    #[arg(long, value_name = "OP", default_value = "+", allow_hyphen_values = true)]
    pub(super) op: String,
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// Default width of weak values in bits: 32 or 64 [default: the system's]
    #[arg(long, value_name = "BITS")]
    pub(super) width: Option<String>,
    /// How the table is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: TableFormat,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct LatticeArgs {
    /// Where to write the picture, FILE.svg or FILE.dot; without it the lattice is drawn here
    #[arg(short, long, value_name = "FILE")]
    pub(super) output: Option<PathBuf>,
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// Mark the ways of these types to what they meet as
    #[arg(long, value_name = "TYPE,…", value_delimiter = ',')]
    pub(super) highlight: Vec<String>,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Laws {
    /// The promotion system, or a file with one of your own [default: jax]
    #[arg(long, value_name = "NAME|FILE.toml")]
    pub(super) system: Option<String>,
    /// Show every counterexample
    #[arg(long)]
    pub(super) all: bool,
    /// How the report is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: FormatRow,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Signature {
    /// The script; `-` is standard input
    pub(super) file: PathBuf,
    /// Only the row of these types
    #[arg(long, value_name = "NAME:TYPE,…", value_delimiter = ',')]
    pub(super) at: Vec<String>,
    #[command(flatten)]
    pub(super) rules: Rules,
    /// How the tables are written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: FormatRow,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct Doc {
    /// A builtin, an operator, a keyword, a promotion system, a chapter such as `language`, or `systems`
    #[arg(allow_hyphen_values = true)]
    pub(super) name: Option<String>,
    /// How the page is written
    #[arg(long, value_name = "FORMAT", default_value = "text")]
    pub(super) format: DocFormat,
    #[command(flatten)]
    pub(super) _shared: UnheededOptions,
}

#[derive(Args, Debug)]
pub(super) struct HelpArgs {
    /// A command, or `limits`
    #[arg(value_name = "COMMAND")]
    pub(super) topic: Option<String>,
}

#[derive(Args, Debug)]
pub(super) struct Completions {
    /// Which shell
    pub(super) shell: ShellName,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(super) enum ShellName {
    Bash,
    Zsh,
    Fish,
}

#[derive(Args, Debug, Default)]
pub(super) struct Repl {
    /// Do not begin with the user's init.arr
    #[arg(long)]
    pub(super) no_init: bool,
    #[command(flatten)]
    pub(super) rules: Rules,
    #[command(flatten)]
    pub(super) running: ExecutionArgs,
}
