//! Findings about legal code that is seldom meant. Passes over inferred facts and over the ranges of values make them.
//!
//! A finding is a row of `diagnostic::codes`, a pass in the file of its theme, which lists it, and its wording in
//! `report`; no file of inference knows of it. A finding is quiet where ranges or constants prove that nothing
//! unexpected can happen. Findings about names look at the whole script.

mod accumulate;
mod apart;
mod bindings;
mod calls;
mod comparisons;
mod costs;
mod fleeting;
mod floats;
mod keys;
mod leading;
mod lists;
mod literals;
mod lookalikes;
mod negation;
mod overflow;
mod possible;
mod powers;
mod precedence;
mod series;
mod shadow;
mod suppress;
mod unasked;
mod unchanged;
mod words;

use super::Request;
use super::infer::Ctx;
use super::infer::found::f64_origins::F64Origins;
use super::infer::found::facts::{AppliedOp, Fact, FoldedAxes, Subject};
use super::infer::found::findings::Findings;
use super::infer::found::walk_cause::WalkId;
use super::infer::state::env::Scope;
use super::infer::state::frame::ScriptStore;
use super::infer::state::graph::Graph;
use super::infer::values::operand::{Operand, OperandForm};
use super::report::{self, WrittenOperation};
use super::settings::Settings;
use crate::diagnostic::codes::Row;
use crate::diagnostic::{Diagnostic, Level};
use crate::ir::NodeId;
use crate::range::Interval;
use crate::source::Span;
use crate::syntax::ast::{Expr, ExprKind, LoopExpr, Script};
use keys::FirstDraw;
use possible::PossibleFinding;
use std::collections::HashMap;
use unasked::UnaskedValues;

/// The longest text of an operand that is repeated in a message.
const MAX_QUOTED_BYTES: usize = 200;

/// How many expressions are looked at around another one.
const MAX_SEARCHED_EXPRESSIONS: usize = 16;

/// Looks at one kind of fact.
type Pass<T> = fn(&mut Lint, &T);

/// The passes over operations, by file.
const APPLIED: &[&[Pass<AppliedOp>]] =
    &[literals::APPLIED, overflow::APPLIED, floats::APPLIED, comparisons::APPLIED, powers::APPLIED, lists::APPLIED];

/// The passes over reductions, scans and sorts, by file.
const FOLDED: &[&[Pass<FoldedAxes>]] = &[floats::FOLDED, accumulate::FOLDED, words::FOLDED];

/// What the passes know from one part of a script to the next.
pub(in crate::check) struct LintState {
    settings: Settings,
    /// Findings that are reported at the end, unless the program does something with the value that refutes them.
    possible: Vec<PossibleFinding>,
    /// The values of the operands in functions, by their places: those of all calls.
    given: HashMap<Span, Interval>,
    /// The f64 that nobody asked for.
    unasked: UnaskedValues,
    /// The keys that numbers were drawn from, each with its first draw.
    drawn: HashMap<NodeId, FirstDraw>,
    /// Where keys are written that no step of a loop changes.
    kept: Vec<Span>,
}

impl LintState {
    pub(in crate::check) fn of(request: &Request) -> LintState {
        LintState {
            settings: request.settings.clone(),
            possible: Vec::new(),
            given: HashMap::new(),
            unasked: UnaskedValues::default(),
            drawn: HashMap::new(),
            kept: Vec::new(),
        }
    }

    /// The f64 that nobody asked for.
    pub(in crate::check) fn into_f64_origins(self) -> F64Origins {
        self.unasked.into_f64_origins()
    }
}

/// Looks at what was inferred.
pub(in crate::check) fn look(ctx: &mut Ctx, known: &mut LintState, facts: &[Fact]) {
    Lint::new(ctx, known).all(facts);
}

/// Reports values that can wrap, unless the program uses them in a way that refutes this, or never takes them.
pub(in crate::check) fn settle(ctx: &mut Ctx, known: &mut LintState) {
    Lint::new(ctx, known).possible_overflows();
}

/// Looks at a script as a whole; `broken` says that it could not be read.
pub(in crate::check) fn script(ctx: &mut Ctx, known: &mut LintState, broken: bool) {
    let mut lint = Lint::new(ctx, known);
    // At a prompt an input is a part of something larger: only its definitions can be judged.
    if lint.request.usage.whole || lint.request.usage.defines {
        lint.shadowed_builtins(broken);
    }
    if lint.request.usage.whole && !broken {
        let reads = bindings::reads(lint.request.script);
        let told = lint.unchanged_sources(&reads);
        lint.unused_bindings(&reads, &told);
        lint.unchanged_arrays();
        lint.leading_signs();
    }
    lint.lookalikes();
    lint.lint_suppressions(broken);
}

/// The passes at work.
struct Lint<'l, 'a> {
    request: &'a Request<'a>,
    scripts: &'l ScriptStore<'a>,
    /// The names of the script.
    scope: &'l Scope,
    graph: &'l mut Graph,
    findings: &'l mut Findings,
    known: &'l mut LintState,
    /// The walk in which a fact was inferred.
    walk: WalkId,
}

impl<'l, 'a> Lint<'l, 'a> {
    fn new(ctx: &'l mut Ctx<'a>, known: &'l mut LintState) -> Lint<'l, 'a> {
        let Ctx { request, scripts, frame, graph, findings, .. } = ctx;
        let walk = findings.walk();
        Lint { request, scripts: &*scripts, scope: &frame.scope, graph, findings, known, walk }
    }

    fn all(&mut self, facts: &[Fact]) {
        let mut hushed = 0usize;
        for fact in facts {
            let quiet = fact.quiet || hushed > 0;
            hushed = hushed.saturating_sub(1);
            self.walk = fact.walk;
            if quiet {
                self.findings.hush();
            }
            if let Subject::Chain(chain) = &fact.about
                && self.bitwise_precedence(chain)
            {
                // Other findings about these comparisons follow from this one.
                hushed = chain.facts;
            } else {
                self.one(&fact.about);
            }
            if quiet {
                self.findings.unhush();
            }
        }
    }

    fn one(&mut self, about: &Subject) {
        match about {
            Subject::Settings(settings) => self.known.settings = (**settings).clone(),
            Subject::Chain(_) | Subject::Guarded(_) => {}
            Subject::Meeting { shown, operands, decision, at } => self.f64_appears(shown, operands, *decision, *at),
            Subject::Made { dtype, span } => self.born_of_operation(*dtype, *span),
            Subject::Born { dtype, cause, span } => self.born(*dtype, *cause, *span),
            Subject::Entered { into, given } => self.enter(*into, given),
            Subject::Returned { shown, operands, dtype, call, at } => {
                self.bundled_result(shown, operands, *dtype, (*call, *at));
            }
            Subject::Applied(applied) => APPLIED.iter().copied().flatten().for_each(|pass| pass(self, applied)),
            Subject::Folded(folded) => FOLDED.iter().copied().flatten().for_each(|pass| pass(self, folded)),
            Subject::Grouped(grouped) => self.narrow_groups(grouped),
            Subject::Product { shown, operands, nodes, count, at } => {
                self.narrow_dot(shown, (operands, nodes), count.as_ref(), *at);
            }
            Subject::Cast { from, to, operand, written, span, made } => {
                self.cast((*from, *to), operand, *written, (*span, *made));
                self.cast_of_constants((*from, *to), operand, *span);
            }
            Subject::Cost(cost) => self.cost(cost),
            Subject::Narrowed { level, operand, from, dtype, meets } => {
                self.weak_narrowing(*level, operand, *from, *dtype, meets.as_ref());
            }
            Subject::Rounded { value, becomes, span } => self.rounded_literal(value, *becomes, *span),
            Subject::Stored { row, level, name, from, to, given, shown } => {
                self.report(report::update_loses(row, *level, name, *from, *to, given, shown));
            }
            Subject::Drawn(drawn) => self.reused_key(drawn),
            Subject::Shifted { op, operands, dtype } => self.shift_count(op, operands, *dtype),
            Subject::BitsOfConstants { op, operands, at } => {
                self.shifted_constant(op, operands);
                self.xor_as_power(operands, *at);
            }
            Subject::Outside { op, operand, other, dtype, span } => self.outside(op, operand, other, *dtype, *span),
        }
    }

    /// How many bits the widest dtypes of the system have.
    fn widest(&self) -> u32 {
        self.known.settings.system.widest_bits()
    }

    fn text(&self, span: Span) -> &'a str {
        self.request.sources.text(span)
    }

    /// Operands as messages show them: nobody reads a long one twice, and there may be thousands.
    fn texts(&self, operands: &[Operand]) -> Vec<String> {
        let shown = |text: &str| if text.len() <= MAX_QUOTED_BYTES { text.to_owned() } else { "(…)".to_owned() };
        operands.iter().map(|operand| shown(self.text(operand.span))).collect()
    }

    /// An operation as it is written at a place.
    fn written(&self, operands: &[Operand], place: Span) -> WrittenOperation {
        let text = self.text(place);
        let short = text.len() <= MAX_QUOTED_BYTES && !text.contains('\n');
        WrittenOperation { texts: self.texts(operands), whole: short.then(|| (text.to_owned(), place)) }
    }

    /// The smallest expression that holds an operator, or the name of a function, and all operands.
    fn around(&self, at: Span, operands: &[Operand]) -> Span {
        let last = operands.iter().map(|operand| operand.span).chain([at]).filter(|span| span.source == at.source);
        let last = last.max_by_key(|span| span.end).unwrap_or(at);
        let holds = |span: Span| operands.iter().all(|operand| report::covers(span, operand.span));
        let mut found = self.nearby(last).filter(|expr| report::covers(expr.span, at) && holds(expr.span));
        found.next().map_or(at, |expr| expr.span)
    }

    fn report(&mut self, found: Diagnostic) {
        self.findings.push_from(self.walk, found);
    }

    /// The level of a finding, whatever its place.
    fn set(&self, row: &'static Row) -> Level {
        self.known.settings.level(row)
    }

    /// The level of a finding whose primary place is `at`: `Allow` if a comment silences it there.
    fn level(&mut self, row: &'static Row, at: Span) -> Level {
        self.findings.level(row, (at, self.walk), self.request.sources, &self.known.settings)
    }

    /// The values that a node can have.
    fn interval(&mut self, node: NodeId) -> Interval {
        self.graph.interval(node)
    }

    /// The values of operands that are computed.
    fn intervals(&mut self, operands: &[Operand]) -> Vec<Option<Interval>> {
        let interval = |operand: &Operand| match operand.form {
            OperandForm::Node(node, _) => Some(self.interval(node)),
            OperandForm::Const(_) | OperandForm::Literal(_) => None,
        };
        operands.iter().map(interval).collect()
    }

    /// The script that a place is in.
    fn script(&self, span: Span) -> Option<&'a Script> {
        let own: &'a Script = self.request.script;
        if own.source == span.source { Some(own) } else { self.scripts.of(span.source) }
    }

    /// The expressions that end where a place ends, or soon after: the arena is in the order of their ends.
    fn nearby(&self, place: Span) -> impl Iterator<Item = &'a Expr> {
        let exprs = self.script(place).map_or(&[][..], |script| &script.exprs);
        exprs[exprs.partition_point(|expr| expr.span.end < place.end)..].iter().take(MAX_SEARCHED_EXPRESSIONS)
    }
}

/// The loops of a script.
fn loops(script: &Script) -> impl Iterator<Item = &LoopExpr> {
    script.exprs.iter().filter_map(|expr| if let ExprKind::Loop(it) = &expr.kind { Some(&**it) } else { None })
}

/// The names that expressions read, with their places: also the functions that are called as methods.
fn names_read(script: &Script) -> impl Iterator<Item = (&str, Span)> {
    script.exprs.iter().filter_map(|expr| {
        if let ExprKind::Name(name) = &expr.kind {
            return Some((name.as_str(), expr.span));
        }
        let ExprKind::Call(callee, _) = &expr.kind else { return None };
        let ExprKind::Attribute(_, name) = &script.expr(*callee).kind else { return None };
        Some((name.text.as_str(), name.span))
    })
}
