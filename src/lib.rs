//! `arr`: a small typed array-expression language. It knows the dtype of everything before anything runs, says plainly
//! when a promotion is unsafe, and then runs at the speed of the machine.
//!
//! # Six tables and one pipeline
//!
//! What `arr` knows is rows: dtypes ([`types::dtype`]), promotion systems ([`promotion::systems`]), operations
//! ([`ops`]), diagnostic codes ([`diagnostic::codes`]), settings ([`check::setting`]), file formats ([`io`]). What it
//! does is a handful of phases, each a function from one value to the next:
//!
//! ```text
//! &str ─syntax─▶ Script ─check─▶ Program ─kernel─▶ [Kernel] ─exec::plan─▶ Plan ─exec::run─▶ Array
//!                AST, spans,      names, dtypes,    one loop each,         buffers, nests,       ▲
//!                error nodes      shapes known;     one Body of prims      engine of each        │ bit for bit
//!                                 casts explicit;        └────────── exec::reference ────────────┘
//!                                 weak types gone
//! ```
//!
//! `docs/architecture.md` follows one program through all of them, form by form. Kernels are not all:
//!
//! - Sorting, groups, decompositions and loops whose steps are arrays run between kernels. A program that has some goes
//!   through the pipeline in stages, each a program of its own, and so does each step of such a loop (`exec::staged`).
//!   Which node runs in which stage is decided once for a program. The plan of a stage is kept for runs of the same
//!   lengths.
//! - A loop over numbers is one function (`exec::jit::scalar`), and so is a loop whose steps are elementwise
//!   (`exec::loops`).
//! - `arr build` makes the stages beforehand, plans them for all lengths, and writes the code to an object file instead
//!   of running it (`exec::jit::object`).
//! - Linear algebra and Fourier transforms are functions of libraries, which are called between kernels too
//!   ([`ir::library`]).
//!
//! # The modules, a sentence each, lowest first
//!
//! | module | job |
//! | --- | --- |
//! | [`hash`] | quick hashes for keys of our own making |
//! | [`locks`] | locks that a panic elsewhere does not close |
//! | [`panics`] | panics of libraries, answered as errors |
//! | [`source`] | texts, spans into them, line and column |
//! | [`types`] | dtypes, weak types, shapes with named dimensions |
//! | [`scalar`] | the primitive operations and their one meaning |
//! | [`array`] | a dtype, a shape, strides and bytes; arrays as text and JSON |
//! | [`constant`] | exact values of literals, and arithmetic on them |
//! | [`diagnostic`] | messages as values, the table of codes, and how they are drawn |
//! | [`promotion`] | which dtype operands meet as, and what that costs |
//! | [`syntax`] | from text to tree, whatever the text; and back to well-written text |
//! | [`ir`] | the checked program, a flat list of typed nodes |
//! | [`range`] | which values a node can have: interval arithmetic over the prims |
//! | [`ops`] | the table of operators and builtins, each expanded into prims |
//! | [`check`] | from tree to program: types, then findings and guards as passes over what was inferred |
//! | [`kernel`] | fused loops, each a straight-line body over a space |
//! | [`exec`] | plans what programs do with memory, and runs them: compiled, interpreted, or by the reference evaluator; writes objects |
//! | [`io`] | array files read and written, command-line bindings |
//! | [`session`] | text in, reply out; transactional |
//! | `cli` | the `arr` command, the only place with text for people on streams, and with exit codes |
//!
//! # Invariants
//!
//! - [`syntax::parse`] always gives a tree, [`check::check`] always a type for every expression. There is a
//!   [`ir::Program`] exactly when there are no errors, and from there on nothing fails but what only data can show.
//! - Weak types, implicit conversions and complex arithmetic end in the checker: no kernel meets one.
//! - The reference evaluator is the meaning. Compiled code gives the same bits, for every operation, dtype, shape,
//!   instruction set and number of threads; NaNs compare as a class. Functions of libraries ([`ir::library`]) run the
//!   same code both ways; they alone may differ in the last bits between processors.
//! - Nothing recurses over user-controlled depth after the parser, which limits nesting to 256.
//! - An operation is one row; a phase names one only to expand another one into it.
//! - Text for people leaves through `cli` alone, and only `cli` chooses an exit code. `io` reads or writes a standard
//!   stream only where a source or a target names it: `x=-`, `-o y=-`.
//! - The library sets up one handler for the whole process: `io` installs that of SIGBUS when it maps the first file,
//!   and hands on what is not its own. Threads that it began wait for the next run. What runs before `main` stands in
//!   the binary of the command.
//! - The checker reads no files: the session has read what texts name, below folders that `io::Roots` allows. Nothing
//!   of a file is shown that is not what it is taken for.
//! - Elements may lie in a file that others change: who reads them asks their [`array::mapping`] afterwards, and a file
//!   that became shorter is an error for good, never a value.
//! - What a script asserts of a length that data decides is checked before anything that relies on it is made.
//! - A session's failed input leaves no trace.
//! - A panic of a library or of the code generator is an error. The panic hook of the process still hears of it, and
//!   has nothing to say while [`panics::panics_are_caught`].
//! - Memory of a caller is read through pointers while a call lasts, and by nobody afterwards: what a result or a
//!   session keeps of it is a copy.
//!
//! Deliberately absent: recursion and unbounded loops in the language, references that can observe a later write,
//! contraction of `a*b + c` into one rounding, traps in compiled code, calls of the platform's math library.
//!
//! # Using it as a library
//!
//! Four types are all that a program needs: a [`Session`] evaluates an [`Input`] and answers a [`Reply`], and values
//! are [`Array`]s. A [`Callable`] is for a text that runs often. It is checked once for the types of its inputs and called
//! from any thread with arrays of any lengths. It reads memory of the caller where it lies ([`Array::foreign`]) and
//! writes results into memory of the caller ([`exec::LentMemory`]). The modules hold everything else; they are the
//! inside of the house, and change as it does.
//!
//! ```
//! use arrlang::{Input, Session};
//!
//! let mut session = Session::default();
//! let reply = session.evaluate(&Input::new("demo", "let gain = 1.5f32\nlet counts = [1, 2, 3]\ngain * counts"));
//! assert_eq!(reply.values[0].type_text(), "f32[3]");
//! assert_eq!(reply.values[0].array.to_vec::<f32>(), [1.5, 3.0, 4.5]);
//!
//! // Names stay, and a mistake is a value with a code, a place and help.
//! let reply = session.evaluate(&Input::new("demo", "gain + i64([16777217])"));
//! assert_eq!(reply.values[0].type_text(), "f32[1]");
//! assert_eq!(reply.diagnostics.iter().next().unwrap().code.name, "precision-loss");
//! ```
//!
//! # Features
//!
//! `jit` compiles kernels, for AVX-512 and AVX2 by its own assembler and else with Cranelift; `cli` is the command;
//! `repl` its line editing; `object` is `arr build`; `aarch64` and `riscv64` let `arr build` write for those
//! processors; `fft` brings Fourier transforms, `linalg` decompositions and solvers; `tables` reads and writes Parquet
//! and Arrow IPC. Without features the front end, the promotion systems, the interpreter of loops and the reference
//! evaluator remain.

#![cfg_attr(test, allow(clippy::wildcard_enum_match_arm, reason = "a test fails on what it does not expect"))]

pub mod array;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod constant;
pub mod diagnostic;
pub mod exec;
pub mod hash;
pub mod io;
pub mod ir;
pub mod kernel;
pub mod locks;
pub mod ops;
pub mod panics;
pub mod promotion;
pub mod range;
pub mod scalar;
pub mod session;
pub mod source;
pub mod syntax;
pub mod types;

pub use array::Array;
pub use session::{Callable, Input, Reply, Session};
