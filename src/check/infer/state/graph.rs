//! The nodes of the program that inference writes. Beside them stands what is known of them, and which sizes are
//! equal.
//!
//! Once the script has ended its program is finished. What is walked after that, functions that nothing calls, adds
//! nodes behind it, which can use those of the program and are no part of it.

use crate::array::show::scalar_text;
use crate::check::infer::inputs::load::FileKey;
use crate::ir::build::{Conversion, Mark, ProgramBuilder};
use crate::ir::{Check, Fault, Fold, NodeId, NodeKind, Program, ProgramInput};
use crate::ops::expand::Expand;
use crate::range::Interval;
use crate::range::nodes::Ranges;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::Dim;
use crate::types::equal::Equal;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// The nodes, and what is known of them.
#[derive(Clone, Default)]
pub(in crate::check) struct Graph {
    pub(in crate::check) builder: ProgramBuilder,
    pub(in crate::check) ranges: Ranges,
    /// The defaults of scalar inputs without data, for what shapes depend on.
    pub(in crate::check) defaults: Defaults,
    /// Files that are inputs already. `None` stands for those that were reported.
    pub(in crate::check) loads: HashMap<FileKey, Option<NodeId>>,
    pub(in crate::check) steps: LoopSteps,
    /// The calls of the functions that are walked, the outermost first.
    pub(in crate::check) calls: Vec<Span>,
    /// Where the program ends, once it does.
    finished: Option<Mark>,
    /// What is walked and then forgotten, the innermost last: functions that nothing calls, and steps that are tried.
    /// Each with the graph before it made dimensions equal, if it did: that holds in it alone.
    before: Vec<Option<Box<Graph>>>,
}

/// What is known of the steps of loops.
#[derive(Clone, Default)]
pub(in crate::check) struct LoopSteps {
    /// The values that loops carry from step to step, of the loops that are written out.
    pub(in crate::check) carried: Vec<NodeId>,
    /// Steps that a `while` begins.
    guarded: Vec<GuardedStep>,
    /// The counters of loops, each with how many steps there are.
    counters: HashMap<NodeId, NodeId>,
}

impl LoopSteps {
    /// Takes note of a counter, which lies below the count in every step.
    pub(in crate::check) fn add_counter(&mut self, counter: NodeId, count: NodeId) {
        self.counters.insert(counter, count);
    }

    /// How many steps the loop has of which a node is the counter.
    pub(in crate::check) fn count(&self, counter: NodeId) -> Option<NodeId> {
        self.counters.get(&counter).copied()
    }
}

/// The defaults of scalar inputs.
#[derive(Clone, Default)]
pub(in crate::check) struct Defaults {
    all: HashMap<NodeId, Scalar>,
    /// The inputs whose defaults decided something.
    decisive: RefCell<BTreeSet<NodeId>>,
}

impl Defaults {
    pub(in crate::check) fn add(&mut self, input: NodeId, value: Scalar) {
        self.all.insert(input, value);
    }

    pub(in crate::check) fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The default of an input, by which something is decided now.
    pub(in crate::check) fn get(&self, input: NodeId) -> Option<Scalar> {
        let value = self.all.get(&input).copied()?;
        self.decisive.borrow_mut().insert(input);
        Some(value)
    }

    /// The inputs by whose defaults something was decided, with these.
    pub(in crate::check) fn decisive(&self) -> Vec<(NodeId, Scalar)> {
        self.decisive.borrow().iter().map(|input| (*input, self.all[input])).collect()
    }
}

/// The nodes of a step that is taken where a condition holds.
#[derive(Clone)]
struct GuardedStep {
    nodes: Range<usize>,
    condition: NodeId,
}

impl Graph {
    /// What builds the nodes of an operation.
    pub(in crate::check) fn expand(&mut self) -> Expand<'_> {
        Expand(&mut self.builder)
    }

    /// Says that nodes, and those that are added until now, are computed only where a condition holds.
    pub(in crate::check) fn guard(&mut self, from: usize, condition: NodeId) {
        let nodes = from..self.len();
        self.steps.guarded.push(GuardedStep { nodes, condition });
    }

    /// Whether a divisor is not 0 in the steps that its quotient is computed in.
    pub(in crate::check) fn is_divisor(&mut self, quotient: NodeId, divisor: NodeId) -> bool {
        let program = self.builder.program();
        let around = self.steps.guarded.iter().filter(|step| step.nodes.contains(&quotient.index()));
        let conditions: Vec<NodeId> = around.map(|step| step.condition).collect();
        conditions.into_iter().any(|condition| self.ranges.is_nonzero_under(program, condition, true, divisor))
    }

    /// Whether arithmetic does not wrap in the steps that it is written in, as the conditions of whole steps say. There
    /// were `made` nodes when it was reached: the same node may be used elsewhere.
    pub(in crate::check) fn fits_in_its_step(&mut self, node: NodeId, made: usize) -> bool {
        let program = self.builder.program();
        let around = self.steps.guarded.iter().filter(|step| step.nodes.start <= made && made <= step.nodes.end);
        let whole = around.map(|step| step.condition).filter(|&it| program.node(it).shape.is_empty());
        let conditions: Vec<NodeId> = whole.collect();
        conditions.into_iter().any(|condition| self.ranges.fits_under(program, condition, true, node))
    }

    /// Says that the program is complete.
    pub(in crate::check) fn finish(&mut self) {
        self.finished = Some(self.builder.mark());
    }

    /// Whether what is added now is no part of the program.
    pub(in crate::check) fn is_finished(&self) -> bool {
        self.finished.is_some()
    }

    /// How many nodes there are.
    pub(in crate::check) fn len(&self) -> usize {
        self.builder.program().nodes.len()
    }

    /// The values that a node can have.
    pub(in crate::check) fn interval(&mut self, node: NodeId) -> Interval {
        self.ranges.of(self.builder.program(), node).interval
    }

    /// The condition that `fault` is nowhere true, unless it is known to hold.
    pub(in crate::check) fn condition(&mut self, fault_at: NodeId, fault: Fault, span: Span) -> Option<Check> {
        let axes: Vec<usize> = (0..self.builder.shape(fault_at).len()).collect();
        let node = self.builder.fold(Fold::FirstTrue, fault_at, &axes);
        let open = self.builder.as_constant(fault_at).is_none_or(|scalar| scalar.bits != 0);
        let calls = self.calls.iter().rev().copied().collect();
        open.then_some(Check { node, written: self.len(), fault, span, calls })
    }

    /// Adds the condition that a fault is nowhere true to the program, if it could be.
    pub(in crate::check) fn refuse(&mut self, fault_at: NodeId, fault: Fault, span: Span) {
        if let Some(check) = self.condition(fault_at, fault, span) {
            self.builder.check(check);
        }
    }

    /// Adds the conditions that scalar inputs are their defaults, as far as something was decided by these: without
    /// data, whoever runs the program may give others.
    pub(in crate::check) fn require_defaults(&mut self) {
        for (node, value) in self.defaults.decisive() {
            let NodeKind::Input(number) = self.builder.program().node(node).kind else { continue };
            let ProgramInput { name: input, span, .. } = self.builder.program().inputs[number as usize].clone();
            let wanted = self.builder.constant(value);
            let differs = self.builder.map(Prim::Ne, &[node, wanted]);
            let range = format!("[{0}, {0}]: the script decides shapes by its default", scalar_text(value));
            self.refuse(differs, Fault::OutOfRange { input, range, value: node }, span);
        }
    }

    /// Builds nodes whose arithmetic is to be guarded, if it is: then also of constants each prim stays.
    pub(in crate::check) fn build_guarded<T>(
        &mut self,
        guarded: bool,
        build: impl FnOnce(&mut ProgramBuilder) -> T,
    ) -> T {
        self.builder.fold_constants(!guarded);
        let made = build(&mut self.builder);
        self.builder.fold_constants(true);
        made
    }

    /// Puts a size in place of the name of a dimension from here on.
    pub(in crate::check) fn equate(&mut self, name: &str, size: &Dim) {
        if self.is_finished() && self.before.is_empty() {
            self.enter();
        }
        if let Some(None) = self.before.last() {
            let outer = std::mem::take(&mut self.before);
            let now = Box::new(self.clone());
            self.before = outer;
            self.before.last_mut().expect("there is one").replace(now);
        }
        self.builder.equate(name, size);
    }

    /// Dimensions that are equal because the script asserts it.
    pub(in crate::check) fn equal(&self) -> &Equal {
        self.builder.equal()
    }

    /// Begins something that will be forgotten.
    pub(in crate::check) fn enter(&mut self) {
        self.before.push(None);
    }

    /// Ends what was begun last, or a function that nothing calls: what it says of dimensions holds no more. Answers
    /// whether it said any.
    pub(in crate::check) fn leave(&mut self) -> bool {
        let Some(Some(before)) = self.before.pop() else { return false };
        let (outer, calls) = (std::mem::take(&mut self.before), std::mem::take(&mut self.calls));
        *self = Graph { before: outer, calls, ..*before };
        true
    }

    /// The program, and the conversions in it that nobody wrote.
    pub(in crate::check) fn into_program(self) -> (Program, Vec<Conversion>) {
        match self.finished {
            Some(end) => self.builder.finish_at(end),
            None => {
                let end = self.builder.mark();
                self.builder.finish_at(end)
            }
        }
    }
}
