//! The walk over a script that gives everything a dtype and a shape.
//!
//! It never stops at a mistake: whatever is wrong is reported once, becomes [`Value::Error`], and silences what follows
//! from it.

mod agree;
pub(in crate::check) mod annotate;
mod apply;
pub(in crate::check) mod arguments;
mod assert;
mod assign;
mod assign_slice;
mod attribute;
pub(in crate::check) mod axes;
pub(in crate::check) mod call;
mod cast;
pub(in crate::check) mod chosen;
pub mod closure;
pub(in crate::check) mod costs;
mod dimension;
mod elements;
pub(in crate::check) mod elsewhere;
pub mod env;
mod exact;
pub(in crate::check) mod expr;
pub(in crate::check) mod fitting;
mod fork;
mod free;
pub(in crate::check) mod function;
mod index;
pub(in crate::check) mod input;
mod join;
mod layout;
pub mod library;
mod list;
pub(in crate::check) mod literal;
pub mod load;
mod make;
mod memo;
pub(in crate::check) mod operands;
mod pick;
pub mod probe;
mod range;
mod ranges;
pub mod record;
mod reduce;
pub(in crate::check) mod silence;
mod span;
mod statement;
pub(in crate::check) mod unit;
mod uses;
pub mod value;

use super::lint::overflow::Possible;
use super::lint::suppress::Suppressions;
use super::lint::unasked::Unasked;
use super::{Request, Settings};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ir::NodeId;
use crate::ir::build::Builder;
use crate::range::nodes::Ranges;
use crate::scalar::Scalar;
use crate::source::{SourceId, Sources, Span};
use crate::syntax::ast::Script;
use crate::types::equal::Equal;
use crate::types::{Dim, Elem};
use env::Scope;
use function::Calls;
use record::Record;
use std::collections::HashMap;
use std::sync::Arc;
use value::Value;

/// The state of the walk.
pub(in crate::check) struct Ctx<'a, 'r> {
    pub(in crate::check) script: &'a Script,
    pub(in crate::check) sources: &'a Sources,
    pub(in crate::check) settings: Settings,
    pub(in crate::check) request: &'r Request<'a>,
    pub(in crate::check) builder: Builder,
    pub(in crate::check) ranges: Ranges,
    /// The defaults of scalar inputs without data, for what shapes depend on.
    pub(in crate::check) defaults: HashMap<NodeId, Scalar>,
    /// What is to be reported unless the program makes something of it that refutes it.
    pub(in crate::check) possible: Vec<Possible>,
    /// What the comments of the scripts silence.
    pub(in crate::check) suppressed: Suppressions,
    /// The f64 that nobody asked for.
    pub(in crate::check) unasked: Unasked,
    pub(in crate::check) scope: Scope,
    pub(in crate::check) dims: Dims,
    /// Files that are inputs already; `None` for those that were reported.
    pub(in crate::check) loads: HashMap<(SourceId, String), Option<NodeId>>,
    pub(in crate::check) sink: &'r mut Diagnostics,
    pub(in crate::check) outputs: Vec<Elem>,
    /// Names of values given from outside that something asked for.
    pub(in crate::check) used: Vec<String>,
    /// Names that were reported as unknown: once is enough.
    pub(in crate::check) reported: std::collections::HashSet<String>,
    pub(in crate::check) record: Record,
    /// Where the items of lists of arrays stand, by the place of the list.
    pub(in crate::check) listed: HashMap<Span, Vec<Span>>,
    pub(in crate::check) calls: Calls,
    /// Dimensions that are equal because the script asserts it.
    pub(in crate::check) equal: Equal,
    /// Where something first came to nothing; see [`silence`].
    pub(in crate::check) silence: Option<Span>,
    /// Where each input and each output was declared.
    pub(in crate::check) declared: HashMap<(Interface, String), Span>,
    /// What expressions are used for, once a message has asked.
    pub(in crate::check) uses: Option<Arc<uses::Uses>>,
}

/// What a script declares to the outside.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(in crate::check) enum Interface {
    Input,
    Output,
}

/// Named dimensions: what each is known to be, and where the name was met first.
pub(in crate::check) type Dims = HashMap<String, (Option<Dim>, Span)>;

impl<'a, 'r> Ctx<'a, 'r> {
    pub(in crate::check) fn new(request: &'r Request<'a>, sink: &'r mut Diagnostics) -> Ctx<'a, 'r> {
        Ctx {
            script: request.script,
            sources: request.sources,
            settings: request.settings.clone(),
            request,
            builder: Builder::default(),
            ranges: Ranges::default(),
            defaults: HashMap::new(),
            possible: Vec::new(),
            suppressed: Suppressions::of(request),
            unasked: Unasked::default(),
            scope: Scope::default(),
            dims: HashMap::new(),
            loads: HashMap::new(),
            sink,
            outputs: Vec::new(),
            used: Vec::new(),
            reported: Default::default(),
            record: Record::default(),
            listed: HashMap::new(),
            calls: Calls::default(),
            equal: Equal::default(),
            silence: None,
            declared: HashMap::new(),
            uses: None,
        }
    }
}

impl Ctx<'_, '_> {
    pub(in crate::check) fn text(&self, span: Span) -> &str {
        self.sources.text(span)
    }

    /// Reports, and answers the value that silences what follows.
    pub(in crate::check) fn error(&mut self, diagnostic: Diagnostic) -> Value {
        self.sink.push(diagnostic);
        Value::Error
    }
}
