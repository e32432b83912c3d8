//! The checker: from tree to program.
//!
//! | part | job |
//! | --- | --- |
//! | `infer` | gives everything a dtype and a shape, and says what it inferred, fact by fact |
//! | `guard` | the conditions of `--checked`, from those facts |
//! | `lint` | passes over the facts and the ranges of values: what is legal and seldom meant |
//! | `report` | the wording of everything |
//! | `setting`, `settings` | the table of settings, and what a script sets |
//! | `probe` | calls of functions that no text makes, for signatures |
//!
//! Passes know inference, and never the other way round. Inference never stops at a mistake: whatever is wrong is
//! reported once, becomes [`Value::Error`], and silences what follows from it. When there are no errors there is a
//! [`Program`], and nothing after this phase can meet a weak type, a conversion that nobody wrote, or a shape that does
//! not fit.
//!
//! ```
//! use arrlang::check::{Request, check};
//! use arrlang::{diagnostic::Diagnostics, source::Sources, syntax};
//! let mut sources = Sources::new();
//! let source = sources.add("demo.arr", "let x = 1.5f32\nx + 1\n");
//! let mut sink = Diagnostics::new();
//! let script = syntax::parse(&sources, source, &mut sink);
//! let checked = check(&Request::new(&script, &sources), &mut sink);
//! assert_eq!(checked.program.unwrap().outputs.len(), 1);
//! ```

mod guard;
mod infer;
mod lint;
pub mod probe;
mod report;
pub mod setting;
mod settings;

pub use infer::expr::MAX_TUPLE;
pub use infer::found::record;
pub use infer::functions::free::free_names;
pub use infer::functions::function::MAX_EXPRESSIONS;
pub use infer::functions::unit::MAX_CALLS;
pub use infer::functions::{closure, library};
pub use infer::inputs::load;
pub use infer::state::env;
pub use infer::values::value;
pub use settings::{Levels, Settings};

use crate::array::Array;
use crate::diagnostic::Diagnostics;
use crate::ir::Program;
use crate::ir::build::Conversion;
use crate::promotion::systems::System;
use crate::source::stop::Stop;
use crate::source::{Sources, Span};
use crate::syntax::ast::{Script, StmtKind};
use crate::types::Elem;
use crate::types::equal::Equal;
use env::Env;
use infer::found::f64_origins::F64Origins;
use infer::found::unreported;
use infer::state::frame::Scripts;
use infer::state::single_axes::SingleAxes;
use infer::{Ctx, WalkResults};
use lint::LintState;
use record::TypedTree;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use value::Value;

/// What a name on the command line stands for.
#[derive(Clone, Debug)]
pub enum BoundName {
    /// Data from a file.
    Data(Array),
    /// A literal expression: its own little script of one expression, and the type stated with it, if any.
    Expression(Arc<Script>),
}

/// What is to be checked, and under which circumstances.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    /// The script.
    pub script: &'a Arc<Script>,
    /// All sources, to read spellings.
    pub sources: &'a Sources,
    /// System, mode, levels.
    pub settings: Settings,
    /// Names of earlier inputs of the session.
    pub env: Option<&'a Env>,
    /// What is given from outside by name.
    pub given: GivenNames<'a>,
    /// What was read from files.
    pub files: GivenFiles<'a>,
    /// What the script is for.
    pub usage: ScriptUse,
    /// When to stop: then nothing that was found means anything.
    pub stop: Stop<'a>,
}

/// What is given to a script from outside by name.
#[derive(Clone, Copy, Debug)]
pub struct GivenNames<'a> {
    /// Values and types given from outside, by name, with the place of the name in its own source.
    pub bound: &'a BTreeMap<String, (BoundName, Span)>,
    /// Types given from outside (`x:f32[n]`), each a parsed `input` statement.
    pub declared: &'a [Arc<Script>],
    /// The names that `*=FILE` would give values that have no `input` line.
    pub offered: &'a [String],
}

/// What was read from the files that a script names.
#[derive(Clone, Copy, Debug)]
pub struct GivenFiles<'a> {
    /// The files that `load` names, as far as they were read.
    pub loaded: &'a load::Files,
    /// The files that `use` names.
    pub library: &'a library::UsedFiles,
    /// Lattices of the user by the path that a `promotion` line writes.
    pub systems: &'a BTreeMap<String, &'static System>,
}

/// What a script is for, and so what may stand in it.
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each answers a question of its own")]
pub struct ScriptUse {
    /// Whether inputs without data or default are errors (they are when the program is to be run).
    pub needs_data: bool,
    /// Whether values given from outside may go without an `input` line, as in `eval`.
    pub free_names: bool,
    /// Whether the text is a whole script, of which everything should be used.
    pub whole: bool,
    /// Whether the name [`RESULT`] stands for the value of the last bare expression.
    pub results: bool,
    /// Whether `x += 1` and `x[0] = 1` give any name another value, as at a prompt, not variables alone.
    pub defines: bool,
}

/// The name of the value of the last bare expression, where such values have names.
pub const RESULT: &str = "_";

static NOTHING_BOUND: BTreeMap<String, (BoundName, Span)> = BTreeMap::new();
static NO_SYSTEMS: BTreeMap<String, &System> = BTreeMap::new();
static NO_FILES: load::Files = BTreeMap::new();
static NO_LIBRARY: library::UsedFiles = library::UsedFiles { named: BTreeMap::new(), files: Vec::new() };

impl Default for GivenNames<'_> {
    fn default() -> Self {
        GivenNames { bound: &NOTHING_BOUND, declared: &[], offered: &[] }
    }
}

impl Default for GivenFiles<'_> {
    fn default() -> Self {
        GivenFiles { loaded: &NO_FILES, library: &NO_LIBRARY, systems: &NO_SYSTEMS }
    }
}

impl<'a> Request<'a> {
    /// Checks a script on its own, without data.
    pub fn new(script: &'a Arc<Script>, sources: &'a Sources) -> Request<'a> {
        Request {
            script,
            sources,
            settings: Settings::default(),
            env: None,
            given: GivenNames::default(),
            files: GivenFiles::default(),
            usage: ScriptUse::default(),
            stop: Stop::default(),
        }
    }
}

/// What checking found.
#[derive(Debug)]
pub struct CheckedScript {
    /// The program. It is `None` exactly when there are errors.
    pub program: Option<Program>,
    /// The names that the script defines, in order, with their values in the program.
    pub names: Vec<NameDefinition>,
    /// The settings after the script's `promotion` line.
    pub settings: Settings,
    /// The types of the outputs and printed expressions, in order, as the language sees them.
    pub outputs: Vec<Elem>,
    /// The types of all expressions, and how operands met.
    pub record: TypedTree,
    /// Names given from outside that nothing asked for.
    pub unused: Vec<String>,
    /// The conversions between dtypes that the program does and the text does not write, but for those that are exact
    /// for every value of their dtype.
    pub conversions: Vec<Conversion>,
    /// The f64 among the values that nobody asked for.
    pub(crate) f64_origins: F64Origins,
    /// Names of dimensions that stand for other sizes.
    pub(crate) equal: Equal,
}

impl CheckedScript {
    /// No program, and nothing about one.
    pub(crate) fn nothing(settings: Settings) -> CheckedScript {
        CheckedScript {
            program: None,
            names: Vec::new(),
            settings,
            outputs: Vec::new(),
            record: TypedTree::default(),
            unused: Vec::new(),
            conversions: Vec::new(),
            f64_origins: F64Origins::new(),
            equal: Equal::default(),
        }
    }
}

/// A name that a script defines.
#[derive(Debug)]
pub struct NameDefinition {
    /// The name.
    pub name: String,
    /// Its value in the program.
    pub value: Value,
    /// Where it is defined.
    pub span: Span,
    /// Whether it is a `var`.
    pub variable: bool,
}

/// Infers a script, then the functions that nothing calls, and looks at what was inferred.
fn walk<'a>(request: &'a Request<'a>, scripts: &'a Scripts, axes: SingleAxes) -> (Ctx<'a>, LintState) {
    let mut ctx = Ctx::new(request, scripts);
    axes.taken().iter().for_each(|(name, size)| ctx.graph.equate(name, size));
    ctx.typed.single_axes = axes;
    let mut known = LintState::of(request);
    ctx.script(|ctx| pass(ctx, &mut known));
    if !request.stop.now() {
        settle(&mut ctx, &mut known);
        if !request.usage.needs_data {
            ctx.graph.require_defaults();
        }
        ctx.unused_functions(|ctx| settle(ctx, &mut known));
        ctx.unused_values();
    }
    (ctx, known)
}

/// Guards what was inferred since the last time, and looks at it.
fn pass(ctx: &mut Ctx, known: &mut LintState) {
    if !ctx.typed.facts.is_empty() {
        let facts = std::mem::take(&mut ctx.typed.facts);
        guard::guard(&mut ctx.graph, &ctx.findings, &facts);
        lint::look(ctx, known, &facts);
    }
}

/// Guards what was inferred since the last time, and looks at it, where nothing more will be made of it.
fn settle(ctx: &mut Ctx, known: &mut LintState) {
    pass(ctx, known);
    lint::settle(ctx, known);
}

/// Whether something is given for an input whose type is declared.
fn has_given_inputs(request: &Request) -> bool {
    let scripts = std::iter::once(request.script).chain(request.given.declared);
    scripts
        .flat_map(|script| &script.stmts)
        .any(|stmt| matches!(&stmt.kind, StmtKind::Input { name, .. } if request.given.bound.contains_key(&name.text)))
}

/// The axes of length 1 that go if inputs have the lengths that their types name, as they have without data.
fn single_axes_by_names(request: &Request) -> SingleAxes {
    let request = Request { usage: ScriptUse { needs_data: false, ..request.usage }, ..request.clone() };
    let mut axes = SingleAxes::by_names();
    loop {
        let scripts = Scripts::default();
        let (mut ctx, _) = walk(&request, &scripts, axes);
        let fitting = match ctx.findings.has_errors_since(0) && !request.stop.now() {
            true => ctx.typed.single_axes.for_fitting_walk(&ctx.frame.dims),
            false => None,
        };
        match fitting {
            Some(next) => axes = next,
            None => return ctx.typed.single_axes.for_next_walk(),
        }
    }
}

/// Checks a script.
pub fn check(request: &Request, sink: &mut Diagnostics) -> CheckedScript {
    let errors_before = sink.error_count();
    let (scripts, others) = (Scripts::default(), Scripts::default());
    let (mut ctx, mut known) = walk(request, &scripts, SingleAxes::default());
    if ctx.typed.single_axes.were_removed() && has_given_inputs(request) && !request.stop.now() {
        (ctx, known) = walk(request, &others, single_axes_by_names(request));
    }
    if request.stop.now() {
        return CheckedScript::nothing(request.settings.clone());
    }
    let broken = errors_before > 0;
    lint::script(&mut ctx, &mut known, broken);
    let Ctx { graph, frame, settings, typed, mut findings, .. } = ctx;
    let mut found = findings.take();
    found.sort();
    sink.append(found);
    unreported::explain(findings.unreported, sink);
    let equal = graph.equal().clone();
    let (program, conversions) = graph.into_program();
    let program = (sink.error_count() == 0 && errors_before == 0).then_some(program);
    let WalkResults { outputs, used, record, .. } = typed;
    let scope = frame.scope;
    let names = scope.take().into_iter().map(|(name, binding)| {
        let env::Binding { value, span, mutable, doubted: _ } = binding;
        NameDefinition { name, value, span, variable: mutable }
    });
    let names = names.collect();
    let stated = request.given.declared.iter().flat_map(|script| &script.stmts).filter_map(|stmt| {
        let StmtKind::Input { name, .. } = &stmt.kind else { return None };
        Some(&name.text)
    });
    let given: BTreeSet<&String> = request.given.bound.keys().chain(stated).collect();
    let unused = given.into_iter().filter(|&name| !used.contains(name)).cloned().collect();
    let f64_origins = known.into_f64_origins();
    CheckedScript { program, names, settings, outputs, record, unused, conversions, f64_origins, equal }
}
