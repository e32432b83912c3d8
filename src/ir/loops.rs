//! Loops: a step is a program of its own.
//!
//! | | arguments of the node | inputs of a step | outputs of a step |
//! | --- | --- | --- | --- |
//! | `repeat` | the count (`i64`), first states, what is used from outside | states, the counter (`i64`), what is used | next states, and whether to go on |
//! | `scan` | first states, arrays, what is used from outside | states, a row of each array, what is used | next states, a row of each result |
//!
//! States keep their dtype and shape. What a step does not change is an argument: it is computed once, outside. Where
//! elements end one by one, the mask of those that go on is one more state; the step selects, and says whether any is
//! left. While the checker builds a program, a step lies among the other nodes, over [`NodeKind::Param`]s; [`OpenLoop`]
//! knows which.
//!
//! ```text
//! %4 = repeat %1 %2 %3 result=0      : f32[n]
//!      | %0 = input p                : f32[n]
//!      …
//! ```

use super::columns::RowColumns;
use super::{Check, Fold, Node, NodeId, NodeKind, Program, ProgramInput, ProgramOutput, View};
use crate::hash::{QuickMap, QuickSet};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// A `repeat` or a `scan` of a program.
#[derive(Clone, Debug)]
pub struct ProgramLoop {
    /// What it goes through.
    pub over: LoopOver,
    /// How many states it carries.
    pub states: usize,
    /// One step.
    pub step: Program,
    /// What must hold before a step, if that ends the loop: a truth value, of the same inputs.
    pub condition: Option<Program>,
    /// Whether the step says itself whether to go on.
    pub asks: bool,
    /// The loop in the text.
    pub span: Span,
}

/// What a loop goes through.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LoopOver {
    /// A number of steps, which is the loop's first argument.
    Steps,
    /// The rows of arrays along an axis.
    Rows {
        /// How many arrays.
        arrays: usize,
        /// The axis.
        axis: u32,
        /// Whether it begins with the last row.
        reverse: bool,
    },
}

impl ProgramLoop {
    /// The word that begins it.
    pub fn word(&self) -> &'static str {
        match self.over {
            LoopOver::Steps => "repeat",
            LoopOver::Rows { .. } => "scan",
        }
    }

    /// How many arguments stand before the first states.
    pub fn before_states(&self) -> usize {
        usize::from(self.over == LoopOver::Steps)
    }
}

/// A loop that several nodes share: two are the same if they are one in memory.
#[derive(Clone, Debug)]
pub struct LoopRef(pub Arc<ProgramLoop>);

impl LoopRef {
    /// Puts a size in place of the name of a dimension.
    pub(super) fn equate(&mut self, name: &str, size: &Dim) {
        let own = Arc::make_mut(&mut self.0);
        own.step.equate(name, size);
        if let Some(condition) = &mut own.condition {
            condition.equate(name, size);
        }
    }
}

impl PartialEq for LoopRef {
    fn eq(&self, other: &LoopRef) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for LoopRef {}

impl Hash for LoopRef {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (Arc::as_ptr(&self.0) as usize).hash(state);
    }
}

/// A loop whose step lies among the nodes of the program around it.
#[derive(Clone, Debug)]
pub struct OpenLoop {
    /// What it goes through.
    pub over: LoopOver,
    /// The states, then the counter or the rows, with their names.
    pub params: Vec<(NodeId, String)>,
    /// The count, first states, arrays.
    pub args: Vec<NodeId>,
    /// The next states, then whether to go on, or the rows of results.
    pub gives: Vec<NodeId>,
    /// How many states it carries.
    pub states: usize,
    /// What must hold before a step.
    pub condition: Option<NodeId>,
    /// How many nodes there were when the condition was complete.
    pub condition_end: usize,
    /// Which elements go on, where they end one by one.
    pub active: Option<NodeId>,
    /// The columns in whose place rows may be.
    pub columns: Vec<RowColumns>,
    /// The loop in the text.
    pub span: Span,
}

impl OpenLoop {
    /// The loop as nodes know it before it is closed; no two are the same.
    pub(super) fn reference(&self) -> LoopRef {
        let OpenLoop { over, states, span, .. } = self;
        LoopRef(Arc::new(ProgramLoop {
            over: over.clone(),
            states: *states,
            step: Program::default(),
            condition: None,
            asks: self.active.is_some(),
            span: *span,
        }))
    }

    /// Takes the step out of a program: the closed loop, and its arguments.
    pub(super) fn close(
        &self,
        program: &mut Program,
        results: &[NodeId],
        followers: &Followers,
    ) -> (LoopRef, Box<[NodeId]>) {
        let mut step = LoopStep::new(self, program, results, followers);
        let checks = step.own_checks(program, self.takes_a_step(program));
        let mut gives = self.gives.clone();
        gives.extend(self.condition);
        let mut roots = gives.clone();
        for check in &checks {
            roots.push(check.node);
            roots.extend(check.fault.shown());
        }
        let lengths = step.own_lengths(program, &roots, &checks);
        roots.extend(lengths.iter().map(|length| length.node));
        step.copy(program, &roots);
        let place = |node: NodeId| *step.place.get(&node).expect("roots were copied");
        let output = |node: NodeId| ProgramOutput { name: None, node: place(node), span: self.span, weak: false };
        let (mut own, mut before) = (Vec::new(), Vec::new());
        for mut check in checks {
            let early = check.written <= self.condition_end;
            check.fault.nodes().iter_mut().for_each(|node| *node = place(*node));
            check.node = place(check.node);
            if self.condition.is_some() && early { before.push(check) } else { own.push(check) }
        }
        let lengths = lengths.into_iter().map(|mut length| {
            length.node = place(length.node);
            length
        });
        let outputs = self.gives.iter().map(|&node| output(node)).collect();
        let lengths: Vec<_> = lengths.collect();
        let condition = self.condition.map(output);
        let mut nodes = step.nodes;
        if let Some(active) = self.active.and_then(|active| step.place.get(&active).copied()) {
            own.iter_mut().for_each(|check| masked(&mut nodes, check, active));
        }
        let args = self.args.iter().chain(&step.used).copied().collect();
        let nodes = Arc::new(nodes);
        let step = Program { nodes, inputs: step.inputs, outputs, checks: own, lengths, read: Vec::new() };
        let condition = condition.map(|output| Program { outputs: vec![output], checks: before, ..step.clone() });
        let (over, states, asks) = (self.over.clone(), self.states, self.active.is_some());
        (LoopRef(Arc::new(ProgramLoop { over, states, step, condition, asks, span: self.span })), args)
    }
}

impl OpenLoop {
    /// The first node of its step.
    pub(super) fn first(&self, program: &Program) -> usize {
        self.params.iter().map(|(param, _)| param.index()).min().unwrap_or(program.nodes.len())
    }

    /// The loop over columns in the place of the rows of which its step reads nothing else.
    pub(super) fn by_columns(mut self, program: &Program, followers: &Followers) -> OpenLoop {
        for columns in std::mem::take(&mut self.columns) {
            let place = self.params.iter().position(|(param, _)| *param == columns.row);
            let Some(at) = place.filter(|_| columns.are_all(program, |node| followers.after(node))) else { continue };
            let name = self.params[at].1.clone();
            self.params.splice(at..=at, columns.picks.iter().map(|(pick, _)| (*pick, name.clone())));
            self.args.splice(at..=at, columns.picks.iter().map(|(_, column)| *column));
            if let LoopOver::Rows { arrays, .. } = &mut self.over {
                *arrays += columns.picks.len() - 1;
            }
        }
        self
    }

    /// Whether there is a step for certain.
    fn takes_a_step(&self, program: &Program) -> bool {
        let some = match self.over {
            LoopOver::Steps => {
                matches!(program.node(self.args[0]).kind, NodeKind::Const(count) if count.bits as u64 as i64 > 0)
            }
            LoopOver::Rows { axis, .. } => {
                let rows = &program.node(self.args[self.states]).shape;
                rows[axis as usize].known().is_some_and(|len| len > 0)
            }
        };
        some && self.condition.is_none() && self.active.is_none()
    }
}

/// Elements that do not go on are at no fault.
fn masked(nodes: &mut Vec<Node>, check: &mut Check, active: NodeId) {
    let NodeKind::Fold { fold, arg, axes, keep } = nodes[check.node.index()].kind.clone() else { return };
    let mut active = active;
    if nodes[arg.index()].shape != nodes[active.index()].shape {
        // What is no element of theirs is computed as long as one of them goes on.
        let all = (0..nodes[active.index()].shape.len() as u32).collect();
        let any = NodeKind::Fold { fold: Fold::Any, arg: active, axes: all, keep: false };
        let repeated = NodeKind::View { arg: NodeId(nodes.len() as u32), view: View::Broadcast };
        let shape = nodes[arg.index()].shape.clone();
        nodes.push(Node { kind: any, dtype: DType::Bool, shape: Vec::new() });
        active = NodeId(nodes.len() as u32);
        nodes.push(Node { kind: repeated, dtype: DType::Bool, shape });
    }
    let both = Node {
        kind: NodeKind::Map(Prim::And, [Some(arg), Some(active), None]),
        dtype: DType::Bool,
        shape: nodes[arg.index()].shape.clone(),
    };
    let first = Node {
        kind: NodeKind::Fold { fold, arg: NodeId(nodes.len() as u32), axes, keep },
        ..nodes[check.node.index()].clone()
    };
    nodes.extend([both, first]);
    check.node = NodeId(nodes.len() as u32 - 1);
}

/// What takes the nodes of a program, for loops that are taken out of it one after the other.
pub(super) struct Followers {
    /// The users of each node from `first` on.
    users: Vec<Vec<NodeId>>,
    first: usize,
    /// What makes the lengths that data decides, by their names.
    counts: QuickMap<String, NodeId>,
    /// In which nodes the name of a length stands, by what makes it.
    waiting: QuickMap<NodeId, Vec<NodeId>>,
}

impl Followers {
    /// Those in a program whose loops have no parameter before the node `first`.
    pub(super) fn of(program: &Program, first: usize) -> Followers {
        let counts = program.counts().into_iter().map(|(name, node)| (name.to_owned(), node)).collect();
        let users = vec![Vec::new(); program.nodes.len().saturating_sub(first)];
        let mut followers = Followers { users, first, counts, waiting: QuickMap::default() };
        for index in first..program.nodes.len() {
            followers.add(program, NodeId(index as u32));
        }
        followers
    }

    /// Takes note of what a node is made of now.
    pub(super) fn add(&mut self, program: &Program, user: NodeId) {
        let node = program.node(user);
        let Followers { users, first, counts, waiting } = self;
        let first = *first;
        for operand in node.operands().filter(|operand| operand.index() >= first) {
            users[operand.index() - first].push(user);
        }
        if !counts.is_empty() {
            node.names(&mut |name| {
                if let Some(&count) = counts.get(name) {
                    waiting.entry(count).or_default().push(user);
                }
            });
        }
    }

    /// What takes a node, or waits for the length that it makes.
    fn after(&self, node: NodeId) -> impl Iterator<Item = NodeId> {
        let users = node.index().checked_sub(self.first).map(|at| &self.users[at]);
        users.into_iter().chain(self.waiting.get(&node)).flatten().copied()
    }
}

/// A step on its way out of a program.
struct LoopStep {
    first_result: NodeId,
    /// The first parameter.
    first: usize,
    /// The nodes of the step.
    inside: QuickSet<NodeId>,
    /// Where nodes of the program are in the step.
    place: QuickMap<NodeId, NodeId>,
    nodes: Vec<Node>,
    inputs: Vec<ProgramInput>,
    /// What is used from outside.
    used: Vec<NodeId>,
}

impl LoopStep {
    fn new(open: &OpenLoop, program: &Program, results: &[NodeId], followers: &Followers) -> LoopStep {
        let mut step = LoopStep {
            first_result: results[0],
            first: open.first(program),
            inside: QuickSet::default(),
            place: QuickMap::default(),
            nodes: Vec::new(),
            inputs: Vec::new(),
            used: Vec::new(),
        };
        let mut left: Vec<NodeId> = Vec::new();
        for (param, name) in &open.params {
            step.inside.insert(*param);
            step.input(program, *param, name);
            left.push(*param);
        }
        while let Some(node) = left.pop() {
            for user in followers.after(node) {
                // What comes of the loop is none of its step, though it is made of it until the loop is closed.
                if user.index() >= step.first && !results.contains(&user) && step.inside.insert(user) {
                    left.push(user);
                }
            }
        }
        step
    }

    fn is_inside(&self, node: NodeId) -> bool {
        node.index() >= self.first && self.inside.contains(&node)
    }

    /// A node of the program as an input of the step.
    fn input(&mut self, program: &Program, node: NodeId, name: &str) {
        let Node { dtype, shape, .. } = program.node(node).clone();
        let kind = NodeKind::Input(self.inputs.len() as u32);
        self.place.insert(node, NodeId(self.nodes.len() as u32));
        self.nodes.push(Node { kind, dtype, shape });
        self.inputs.push(ProgramInput { name: name.to_owned(), span: Span::default(), value: None, meaning: None });
    }

    /// Takes the checks that depend on a step out of the program. If the loop may run no step (`steps` is false),
    /// checks of unchanged values that stand in the loop are taken too: a value that is never computed must not fail.
    fn own_checks(&self, program: &mut Program, steps: bool) -> Vec<Check> {
        let all = std::mem::take(&mut program.checks);
        let here = |check: &Check| self.first < check.written && check.written <= self.first_result.index();
        // What is outside may wait for a condition on lengths: it is not of the step.
        let moves = |check: &Check| !steps && here(check) && check.fault.waiting().is_empty();
        // Its message may show what only a step has.
        let shows = |check: &Check| check.fault.shown().iter().any(|&node| self.is_inside(node));
        let is_own = |check: &Check| self.is_inside(check.node) || shows(check) || moves(check);
        let (own, others) = all.into_iter().partition(is_own);
        program.checks = others;
        own
    }

    /// The lengths that a step decides, for what is made of it; others stood in a walk of it that was forgotten.
    fn own_lengths(&self, program: &mut Program, roots: &[NodeId], checks: &[Check]) -> Vec<super::Length> {
        if !program.lengths.iter().any(|length| self.is_inside(length.node)) {
            return Vec::new();
        }
        let needed = self.needed(program, roots);
        let all = std::mem::take(&mut program.lengths);
        let (mut own, others): (Vec<_>, Vec<_>) = all.into_iter().partition(|length| self.is_inside(length.node));
        program.lengths = others;
        let stands = |name: &str| needed.iter().any(|&node| program.node(node).mentions(name));
        own.retain(|length| stands(&length.name) || checks.iter().any(|check| check.tells(&length.name)));
        own
    }

    /// The nodes from the first parameter on that some are made of, with these.
    fn needed(&self, program: &Program, roots: &[NodeId]) -> QuickSet<NodeId> {
        let counts = program.counts();
        let (mut needed, mut left) = (QuickSet::default(), roots.to_vec());
        while let Some(node) = left.pop() {
            if node.index() >= self.first && needed.insert(node) {
                let node = program.node(node);
                left.extend(node.operands());
                node.names(&mut |name| left.extend(counts.get(name)));
            }
        }
        needed
    }

    /// Copies nodes with what they are made of. What the step does not change is used from outside, but for what costs
    /// nothing to make again.
    fn copy(&mut self, program: &Program, roots: &[NodeId]) {
        let (mut wanted, mut used) = (QuickSet::default(), QuickSet::default());
        let mut left = roots.to_vec();
        while let Some(node) = left.pop() {
            if wanted.contains(&node) || used.contains(&node) || self.place.contains_key(&node) {
                continue;
            }
            let kind = &program.node(node).kind;
            let cheap = matches!(kind, NodeKind::Const(_) | NodeKind::Iota { .. } | NodeKind::View { .. })
                || compares_places(program, node);
            // What was added later, to guard the step, is not there before the loop.
            if self.is_inside(node) || cheap || node >= self.first_result {
                wanted.insert(node);
                left.extend(program.node(node).operands());
            } else {
                used.insert(node);
            }
        }
        for node in in_order(used) {
            self.used.push(node);
            self.input(program, node, "");
        }
        for node in in_order(wanted) {
            let mut known = program.node(node).clone();
            known.kind.each_operand(|operand| *operand = *self.place.get(operand).expect("operands come first"));
            self.place.insert(node, NodeId(self.nodes.len() as u32));
            self.nodes.push(known);
        }
    }
}

/// Nodes in the order of the program.
fn in_order(nodes: QuickSet<NodeId>) -> Vec<NodeId> {
    let mut nodes: Vec<NodeId> = nodes.into_iter().collect();
    nodes.sort_unstable();
    nodes
}

/// Whether a node compares coordinates with scalars: it says where something is, and takes no longer than to read it.
fn compares_places(program: &Program, node: NodeId) -> bool {
    let known = program.node(node);
    let is_place = |arg: NodeId| {
        let node = program.node(arg);
        let shifted = matches!(node.kind, NodeKind::Map(Prim::Sub, [Some(place), Some(by), None])
            if matches!(program.node(place).kind, NodeKind::Iota { .. }) && program.node(by).shape.is_empty());
        shifted || node.shape.is_empty() || matches!(node.kind, NodeKind::Iota { .. })
    };
    let NodeKind::Map(prim, [Some(x), Some(y), None]) = known.kind else { return false };
    if known.shape.is_empty() {
        false
    } else if prim == Prim::And {
        compares_places(program, x) && compares_places(program, y)
    } else {
        matches!(prim, Prim::Eq | Prim::Le | Prim::Lt) && is_place(x) && is_place(y)
    }
}

/// Takes the lengths out of a program that parameters decide which are among its nodes from one on.
pub(super) fn forget_lengths(program: &mut Program, from: usize) {
    let mut of_params = vec![false; program.nodes.len() - from];
    for (index, node) in program.nodes[from..].iter().enumerate() {
        let made_of = |arg: NodeId| arg.index() >= from && of_params[arg.index() - from];
        of_params[index] = matches!(node.kind, NodeKind::Param(_)) || node.operands().any(made_of);
    }
    let is_theirs = |node: NodeId| node.index() >= from && of_params[node.index() - from];
    program.lengths.retain(|length| !is_theirs(length.node));
}

/// Which nodes of a program are of steps of loops that were taken out of it, and so nobody's.
pub(super) fn leftovers(program: &Program) -> Vec<bool> {
    let mut left = vec![false; program.nodes.len()];
    for (index, node) in program.nodes.iter().enumerate() {
        let is_param = matches!(node.kind, NodeKind::Param(_));
        let unclosed = is_param || matches!(&node.kind, NodeKind::Loop { of, .. } if of.0.step.outputs.is_empty());
        left[index] = unclosed || node.operands().any(|arg| left[arg.index()]);
    }
    left
}

/// The shape of rows put side by side along an axis.
pub fn stacked_shape(row: &[Dim], axis: usize, len: Dim) -> Vec<Dim> {
    row[..axis].iter().cloned().chain([len]).chain(row[axis..].iter().cloned()).collect()
}

/// The node under views that only repeat.
pub fn bare(program: &Program, node: NodeId) -> NodeId {
    program.below(node, |kind| matches!(kind, NodeKind::View { view: View::Broadcast, .. }))
}
