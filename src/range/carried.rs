//! The nodes that loops carry, also those of loops inside others.

use super::{Range, arms};
use crate::ir::NodeId;

/// What a loop carries, as nodes.
#[derive(Clone, Copy, Debug)]
pub struct CarriedNodes {
    /// What the state begins with.
    pub start: NodeId,
    /// The state in a step.
    pub state: NodeId,
    /// What the step makes of it.
    pub next: NodeId,
    /// The most steps there are, where that is known.
    pub steps: Option<u64>,
    /// What must hold before a step, if it is one number.
    pub condition: Option<NodeId>,
    /// What counts the steps from 0 on, if anything does.
    pub counter: Option<NodeId>,
}

/// What a step has besides its states, as nodes.
#[derive(Clone, Debug, Default)]
pub struct StepParams {
    /// The counter, if there is one.
    pub counter: Option<NodeId>,
    /// The rows, each with the array that it is of.
    pub rows: Vec<(NodeId, NodeId)>,
}

/// A loop that was looked at by itself. What is known of it then holds whatever is around it.
#[derive(Clone, Debug)]
pub(super) struct KnownLoop {
    /// Where its step begins among the nodes.
    pub(super) first: usize,
    /// Where its step ends: there are its results, if it has any.
    pub(super) end: usize,
    pub(super) carried: Vec<CarriedNodes>,
    /// The ranges of its states.
    pub(super) states: Vec<Range>,
    pub(super) rows: Vec<KnownRow>,
    pub(super) results: Vec<KnownResult>,
}

/// A row of an array that a loop goes through.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownRow {
    pub(super) row: NodeId,
    pub(super) array: NodeId,
    pub(super) range: Range,
}

/// What a loop gives.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnownResult {
    pub(super) result: NodeId,
    /// What the result is of: which state, or a row.
    pub(super) of: ResultOf,
    pub(super) range: Range,
}

/// What a result of a loop is of.
#[derive(Clone, Copy, Debug)]
pub(super) enum ResultOf {
    /// A state after the last step.
    State(usize),
    /// What the steps give.
    Row(NodeId),
}

impl KnownLoop {
    /// Takes note of what is known of a node, if it is a result.
    pub(super) fn says(&mut self, node: NodeId, range: Range) {
        for it in self.results.iter_mut().filter(|it| it.result == node) {
            it.range = arms::meet(it.range, range);
        }
    }
}
