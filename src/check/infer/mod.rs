//! The walk over a script that gives everything its type.
//!
//! It never stops at a mistake: whatever is wrong is reported once, becomes [`Value::Error`], and silences what follows
//! from it. [`Ctx`] is the state of the walk. Each file adds to it what the walk does at one kind of text; the folders
//! are ordered here as a reader meets them.
//!
//! | part | job |
//! | --- | --- |
//! | `statements` | statements, one after the other |
//! | `expr` | expressions: every one has a value, whatever is wrong with it |
//! | `calls` | which operation or function a call means, and its arguments |
//! | `functions` | functions that are written in the language |
//! | `loops` | `repeat` and `scan` as loops |
//! | `indexing` | what stands between brackets |
//! | `operations` | operations element by element: promotion, shapes, costs, conversions |
//! | `along_axes` | reductions, scans, sorts, transforms |
//! | `linear_algebra` | products and decompositions of matrices |
//! | `layout` | other shapes and orders, and arrays put together |
//! | `creation` | arrays that are written, counted, filled or drawn |
//! | `inputs` | what is given from outside |
//! | `values` | what an expression is: values, operands, literals, sizes, annotations |
//! | `state` | where the walk is, and what values are made of |
//! | `found` | what the walk leaves behind: findings, facts, the typed tree |

pub(in crate::check) mod along_axes;
pub(in crate::check) mod calls;
pub(in crate::check) mod creation;
pub(in crate::check) mod expr;
pub(in crate::check) mod found;
pub(in crate::check) mod functions;
mod indexing;
pub(in crate::check) mod inputs;
mod layout;
mod linear_algebra;
mod loops;
pub(in crate::check) mod operations;
pub(in crate::check) mod state;
mod statements;
pub(in crate::check) mod values;

use super::{Request, Settings};
use crate::diagnostic::codes::Row;
use crate::diagnostic::{Diagnostic, Level};
use crate::source::Span;
use crate::types::Elem;
use found::facts::{Fact, Subject};
use found::findings::Findings;
use found::record::TypedTree;
use functions::function::Calls;
use state::frame::{Frame, ScriptStore, Scripts};
use state::graph::Graph;
use state::single_axes::SingleAxes;
use values::value::Value;

/// The state of the walk.
pub(in crate::check) struct Ctx<'a> {
    pub(in crate::check) request: &'a Request<'a>,
    /// The scripts of functions, kept for as long as the walk lasts.
    pub(in crate::check) scripts: ScriptStore<'a>,
    pub(in crate::check) settings: Settings,
    /// The script that is walked, and what its names stand for.
    pub(in crate::check) frame: Frame<'a>,
    /// What values are made of.
    pub(in crate::check) graph: Graph,
    pub(in crate::check) calls: Calls,
    pub(in crate::check) findings: Findings,
    pub(in crate::check) typed: WalkResults,
}

/// What the walk leaves behind beside the program.
#[derive(Default)]
pub(in crate::check) struct WalkResults {
    /// The types of outputs and printed expressions.
    pub(in crate::check) outputs: Vec<Elem>,
    /// Names of values given from outside that something asked for.
    pub(in crate::check) used: Vec<String>,
    pub(in crate::check) record: TypedTree,
    /// What was found since the last look.
    pub(in crate::check) facts: Vec<Fact>,
    /// The axes that went because their length is 1.
    pub(in crate::check) single_axes: SingleAxes,
}

impl<'a> Ctx<'a> {
    pub(in crate::check) fn new(request: &'a Request<'a>, scripts: &'a Scripts) -> Ctx<'a> {
        Ctx {
            request,
            scripts: ScriptStore::new(scripts),
            settings: request.settings.clone(),
            frame: Frame::of(request.script),
            graph: Graph::default(),
            calls: Calls::default(),
            findings: Findings::of(request),
            typed: WalkResults::default(),
        }
    }

    pub(in crate::check) fn text(&self, span: Span) -> &'a str {
        self.request.sources.text(span)
    }

    /// Says what was inferred.
    pub(in crate::check) fn found(&mut self, about: Subject) {
        let fact = Fact { walk: self.findings.walk(), quiet: self.findings.is_quiet(), about };
        self.typed.facts.push(fact);
    }

    /// How much a finding weighs whose primary place is `at`: nothing where a comment silences it.
    pub(in crate::check) fn level(&mut self, row: &'static Row, at: Span) -> Level {
        let walk = self.findings.walk();
        self.findings.level(row, (at, walk), self.request.sources, &self.settings)
    }

    /// Reports, and answers the value that silences what follows.
    pub(in crate::check) fn error(&mut self, diagnostic: Diagnostic) -> Value {
        self.findings.push(diagnostic);
        Value::Error
    }
}
