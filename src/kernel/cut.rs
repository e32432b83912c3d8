//! Materialises values so that fusion clusters stay short.
//!
//! A cluster grows with its nodes, and again with the ways in which a node is walked: `y[1:] - y[:-1]` computes `y`
//! twice for each element. That pays for cheap nodes. It explodes if it is applied to its own result again and again.
//! Clusters are counted only when an upper bound, which counts shared nodes twice, exceeds a limit.

use super::fusion::Fusion;
use super::limits::MAX_INSTS;
use super::walk::{WalkTable, whole};
use crate::hash::QuickMap;
use crate::ir::{NodeId, NodeKind, View};

/// The most instructions that a cluster has beyond one for each of its nodes.
const MAX_REPEATED_INSTS: usize = 24;

/// A quotient that at least `MIN_QUOTIENT_ROWS` rows use, for at least `MIN_QUOTIENT_ELEMENTS` elements in all, is
/// worth a kernel of its own.
const MIN_QUOTIENT_ROWS: usize = 16;
/// The elements that must use such a quotient, in all rows together.
const MIN_QUOTIENT_ELEMENTS: usize = 4096;

/// What a cluster computes for each element.
struct Census {
    /// How many instructions there are: a node counts once for each way in which it is walked.
    insts: usize,
    /// How many instructions there would be if each node were computed only as often as terms need it.
    nodes: usize,
    /// The last node that is walked in several ways.
    repeated: Option<NodeId>,
}

impl Fusion<'_> {
    /// Materialises values so that no cluster is longer than [`MAX_INSTS`], and none repeats more than
    /// `MAX_REPEATED_INSTS` instructions.
    pub(super) fn cut(&mut self) {
        let count = self.program.nodes.len();
        // For each node: an upper bound of its instructions, a lower bound of its nodes, and whether a view is below
        // it.
        let (mut insts, mut nodes, mut moved) = (vec![0usize; count], vec![0usize; count], vec![false; count]);
        for id in self.needed_ids() {
            let index = id.index();
            let leaf = matches!(self.node(id).kind, NodeKind::Const(_) | NodeKind::Iota { .. });
            if !leaf && (self.is_source(id) || !self.is_fused(id)) {
                continue;
            }
            loop {
                let (own, terms) = (self.own_insts(id), self.term_count(id));
                insts[index] = own + terms * self.inside(id).map(|arg| insts[arg.index()]).sum::<usize>();
                nodes[index] = own + terms * self.inside(id).map(|arg| nodes[arg.index()]).max().unwrap_or(0);
                let view = matches!(self.node(id).kind, NodeKind::View { .. });
                moved[index] = view || self.inside(id).any(|arg| moved[arg.index()]);
                let repeats = |insts: usize, nodes: usize| moved[index] && insts - nodes > MAX_REPEATED_INSTS;
                if insts[index] < MAX_INSTS && !repeats(insts[index], nodes[index]) {
                    break;
                }
                let census = self.census(id);
                (insts[index], nodes[index]) = (census.insts, census.nodes);
                let point = match census.repeated {
                    Some(node) if repeats(census.insts, census.nodes) => Some(node),
                    _ if census.insts < MAX_INSTS => break,
                    _ => self.largest(id, &insts),
                };
                let Some(point) = point else { break };
                self.materialise(point);
                // Views between the new materialisation point and this node cost nothing any more.
                for arg in self.node(id).operands() {
                    if self.program.below_views(arg) == point {
                        (insts[arg.index()], nodes[arg.index()]) = (1, 1);
                    }
                }
            }
        }
    }

    /// The operand with the longest cluster; `None` if no operand is computed here.
    fn largest(&self, id: NodeId, insts: &[usize]) -> Option<NodeId> {
        let operands = self.node(id).operands().map(|arg| self.program.below_views(arg));
        let computed = |&arg: &NodeId| !self.is_source(arg) && !matches!(self.node(arg).kind, NodeKind::Const(_));
        operands.filter(computed).max_by_key(|arg| insts[arg.index()])
    }

    /// Counts the instructions of a cluster. Counting stops at twice the limit.
    fn census(&self, id: NodeId) -> Census {
        let mut walks = WalkTable::default();
        let sizes = &self.sizes[id.index()];
        let first = (id, walks.intern(whole(0..sizes.len(), sizes)));
        // For each node, the walks that were met, and how many of them the terms of folds need: no term is computed
        // twice.
        let mut seen: QuickMap<NodeId, (Vec<u32>, usize)> = QuickMap::from_iter([(id, (vec![first.1], 1))]);
        let mut census = Census { insts: 0, nodes: 0, repeated: None };
        let mut stack = vec![(first, 1)];
        while let Some((key, ways)) = stack.pop() {
            census.insts += self.own_insts(key.0);
            if census.insts >= 2 * MAX_INSTS {
                break;
            }
            let ways = ways * self.term_count(key.0);
            for (arg, walk) in walks.operands(self, key) {
                if self.is_source(arg) {
                    continue;
                }
                let (known, expected) = seen.entry(arg).or_insert_with(|| (Vec::new(), ways));
                if !known.contains(&walk) {
                    known.push(walk);
                    stack.push(((arg, walk), *expected));
                    if known.len() > *expected
                        && (self.is_short(arg) || matches!(self.node(arg).kind, NodeKind::Map(..)))
                    {
                        census.repeated = census.repeated.max(Some(arg));
                    }
                }
            }
        }
        let once = seen.iter().map(|(&id, (known, expected))| self.own_insts(id) * known.len().min(*expected));
        census.nodes = once.sum::<usize>().min(census.insts);
        census
    }

    /// For each node, whether its cluster has a node of this kind. Nodes that a broadcast repeats do not count.
    pub(super) fn clusters_with(&self, kind: impl Fn(&Self, NodeId) -> bool) -> Vec<bool> {
        let mut found = vec![false; self.program.nodes.len()];
        for index in 0..found.len() {
            let id = NodeId(index as u32);
            let below = |arg: NodeId| found[arg.index()] && !self.repeats(id, arg);
            found[index] = self.needed[index] && (kind(self, id) || self.is_fused(id) && self.inside(id).any(below));
        }
        found
    }

    /// Whether many rows of a node use the same row of an operand. An operand with one element for each row is computed
    /// once in a row anyway.
    pub(super) fn repeats_in_rows(&self, id: NodeId, arg: NodeId) -> bool {
        let (each, all) = (self.elements(arg), self.elements(id));
        self.sizes[arg.index()].last().is_some_and(|&row| row > 1)
            && all >= MIN_QUOTIENT_ELEMENTS
            && all / each.max(1) >= MIN_QUOTIENT_ROWS
    }

    /// Whether a node uses the elements of an operand several times.
    pub(super) fn repeats(&self, id: NodeId, arg: NodeId) -> bool {
        self.elements(arg) < self.elements(id)
    }

    /// Whether a node sees elements of an operand at other places than its own.
    pub(super) fn moves(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, NodeKind::View { view: View::Slice(_) | View::Transpose(_), .. })
    }
}
