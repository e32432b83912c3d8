//! The walk over a script that gives everything a dtype and a shape.
//!
//! It never stops at a mistake: whatever is wrong is reported once, becomes [`Value::Error`], and silences what follows
//! from it.

mod agree;
mod annotate;
pub(in crate::check) mod annotation;
pub(in crate::check) mod apply;
pub(in crate::check) mod arguments;
mod arrange;
mod assert;
mod assign;
mod assign_slice;
mod attribute;
pub(in crate::check) mod axes;
mod block;
pub(in crate::check) mod bundled_functions;
mod call;
mod cast;
pub mod closure;
mod compare;
mod computed_in;
mod computed_slices;
pub(in crate::check) mod costs;
mod diagonals;
mod dimension;
mod disproved;
pub(in crate::check) mod elements;
pub(in crate::check) mod elsewhere;
pub mod env;
mod exact;
pub(in crate::check) mod expr;
pub(in crate::check) mod f64_origins;
pub(in crate::check) mod facts;
pub(in crate::check) mod findings;
mod fitting;
mod fractions;
pub(in crate::check) mod frame;
pub(in crate::check) mod free;
pub(in crate::check) mod function;
pub(in crate::check) mod graph;
mod groups;
mod index;
mod input;
mod input_sizes;
mod join;
mod joints;
mod layout;
pub mod library;
mod line_axes;
mod linear;
mod lines;
mod list;
pub(in crate::check) mod literal;
pub mod load;
mod loops;
mod make;
mod masked;
mod matrices;
mod memo;
pub(in crate::check) mod operand;
mod operands;
mod outside;
mod pad;
mod pick;
mod places;
mod question;
mod random;
mod range;
mod ranges;
pub mod record;
mod reduce;
mod repeat;
mod replace;
mod scaled;
mod select;
mod selected_elements;
mod shuffle;
pub(in crate::check) mod single_axes;
mod span;
mod spectra;
mod statement;
mod step;
mod stored;
mod subscripts;
mod suppress;
pub(in crate::check) mod unit;
pub(in crate::check) mod unreported;
mod uses;
pub mod value;
pub(in crate::check) mod walk_cause;
mod window;
mod words;

use super::{Request, Settings};
use crate::diagnostic::codes::Row;
use crate::diagnostic::{Diagnostic, Level};
use crate::source::Span;
use crate::types::Elem;
use facts::{Fact, Subject};
use findings::Findings;
use frame::{Frame, Scripts, Shelf};
use function::Calls;
use graph::Graph;
use record::TypedTree;
use single_axes::SingleAxes;
use value::Value;

/// The state of the walk.
pub(in crate::check) struct Ctx<'a> {
    pub(in crate::check) request: &'a Request<'a>,
    /// The scripts of functions, kept for as long as the walk lasts.
    pub(in crate::check) scripts: Shelf<'a>,
    pub(in crate::check) settings: Settings,
    /// The script that is walked, and what its names stand for.
    pub(in crate::check) frame: Frame<'a>,
    /// What values are made of.
    pub(in crate::check) graph: Graph,
    pub(in crate::check) calls: Calls,
    pub(in crate::check) findings: Findings,
    pub(in crate::check) typed: Inferred,
}

/// What the walk leaves behind beside the program.
#[derive(Default)]
pub(in crate::check) struct Inferred {
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
            scripts: Shelf::new(scripts),
            settings: request.settings.clone(),
            frame: Frame::of(request.script),
            graph: Graph::default(),
            calls: Calls::default(),
            findings: Findings::of(request),
            typed: Inferred::default(),
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
