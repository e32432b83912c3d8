//! The checker: one walk over the tree that gives everything a dtype and a shape, and builds the program.
//!
//! The walk never stops at a mistake: whatever is wrong is reported once, becomes [`Value::Error`], and silences
//! what follows from it. When there are no errors there is a [`Program`], and nothing after this phase can meet
//! a weak type, a conversion that nobody wrote, or a shape that does not fit.
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

mod annotate;
mod apply;
mod arguments;
mod cast;
mod checked;
mod costs;
pub mod env;
mod infer;
mod input;
mod literal;
mod make;
mod operands;
mod ranges;
pub mod record;
mod report;
mod settings;
mod statement;
pub mod value;

pub use settings::{Levels, Settings};

use crate::array::Array;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::build::Builder;
use crate::ir::{NodeId, Program};
use crate::promotion::systems::System;
use crate::range::nodes::Ranges;
use crate::source::{Sources, Span};
use crate::syntax::ast::Script;
use crate::types::Elem;
use env::{Env, Scope};
use record::Record;
use std::collections::{BTreeMap, HashMap};
use value::Value;

/// What a name on the command line stands for.
#[derive(Clone, Debug)]
pub enum Bound {
    /// Data from a file.
    Data(Array),
    /// A literal expression: its own little script of one expression, and the type stated with it, if any.
    Expression(std::sync::Arc<Script>),
}

/// What is to be checked, and under which circumstances.
#[derive(Clone)]
pub struct Request<'a> {
    /// The script.
    pub script: &'a Script,
    /// All sources, to read spellings.
    pub sources: &'a Sources,
    /// System, mode, levels.
    pub settings: Settings,
    /// Names of earlier inputs of the session.
    pub env: Option<&'a Env>,
    /// Values and types given from outside, by name, with the place of the name in its own source.
    pub bound: &'a BTreeMap<String, (Bound, Span)>,
    /// Types given from outside (`x:f32[n]`), each a parsed `input` statement.
    pub declared: &'a [Script],
    /// Whether inputs without data or default are errors (they are when the program is to be run).
    pub needs_data: bool,
    /// Whether values given from outside may go without an `input` line, as in `eval`.
    pub free_names: bool,
    /// Lattices of the user by the path that a `promotion` line writes.
    pub systems: &'a BTreeMap<String, &'static System>,
    /// Whether the types of all expressions are kept.
    pub record: bool,
}

static NOTHING_BOUND: BTreeMap<String, (Bound, Span)> = BTreeMap::new();
static NO_SYSTEMS: BTreeMap<String, &System> = BTreeMap::new();

impl<'a> Request<'a> {
    /// Checks a script on its own, without data.
    pub fn new(script: &'a Script, sources: &'a Sources) -> Request<'a> {
        Request {
            script,
            sources,
            settings: Settings::default(),
            env: None,
            bound: &NOTHING_BOUND,
            declared: &[],
            needs_data: false,
            free_names: false,
            systems: &NO_SYSTEMS,
            record: false,
        }
    }
}

/// What checking found.
#[derive(Debug)]
pub struct Checked {
    /// The program; `None` exactly when there are errors.
    pub program: Option<Program>,
    /// The names that the script defines, in order, with their values in the program.
    pub names: Vec<(String, Value, Span)>,
    /// The settings after the script's `promotion` line.
    pub settings: Settings,
    /// The types of the outputs and printed expressions, in order, as the language sees them.
    pub outputs: Vec<Elem>,
    /// Types of expressions, when they were asked for.
    pub record: Record,
}

/// Checks a script.
pub fn check(request: &Request, sink: &mut Diagnostics) -> Checked {
    let errors_before = sink.error_count();
    let mut found = Diagnostics::new();
    let mut ctx = Ctx {
        script: request.script,
        sources: request.sources,
        settings: request.settings.clone(),
        request,
        builder: Builder::default(),
        ranges: Ranges::default(),
        possible: Vec::new(),
        scope: Scope::default(),
        dims: HashMap::new(),
        sink: &mut found,
        outputs: Vec::new(),
        used: Vec::new(),
        reported: Default::default(),
        record: Record::default(),
    };
    ctx.run();
    ctx.possible_overflows();
    let Ctx { builder, scope, settings, outputs, record, .. } = ctx;
    found.sort();
    sink.append(found);
    let program = (sink.error_count() == 0 && errors_before == 0).then(|| builder.finish());
    let names = scope.take().into_iter().map(|(name, binding)| (name, binding.value, binding.span)).collect();
    Checked { program, names, settings, outputs, record }
}

/// The state of the walk.
struct Ctx<'a, 'r> {
    script: &'a Script,
    sources: &'a Sources,
    settings: Settings,
    request: &'r Request<'a>,
    builder: Builder,
    ranges: Ranges,
    /// Integer arithmetic that can wrap, to be reported unless selections keep it from mattering.
    possible: Vec<(NodeId, Diagnostic)>,
    scope: Scope,
    /// Named dimensions: the size if data says it, and where the name was met first.
    dims: HashMap<String, (Option<u64>, Span)>,
    sink: &'r mut Diagnostics,
    outputs: Vec<Elem>,
    /// Names of values given from outside that something asked for.
    used: Vec<String>,
    /// Names that were reported as unknown: once is enough.
    reported: std::collections::HashSet<String>,
    record: Record,
}

impl Ctx<'_, '_> {
    fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// Reports, and answers the value that silences what follows.
    fn error(&mut self, diagnostic: Diagnostic) -> Value {
        self.sink.push(diagnostic);
        Value::Error
    }
}
