//! The nodes that must exist in memory, in the order of their making.

use crate::ir::{Fold, Node, NodeId, NodeKind, Program, View};
use crate::scalar::prim::{Prim, PrimCost};
use crate::types::shape;

/// The largest exponent of an integer power that is computed as products.
const MAX_PRODUCT_EXPONENT: u32 = 16;

/// The node whose size is not a number, as in a program without data. Such a program cannot be fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct UnknownSize(pub NodeId);

/// What is known of each node while fusing.
pub(super) struct Fusion<'a> {
    pub(super) program: &'a Program,
    pub(super) sizes: Vec<Vec<usize>>,
    pub(super) needed: Vec<bool>,
    /// Whether a kernel stores the node.
    pub(super) root: Vec<bool>,
    /// Whether users read the node from memory, in a later kernel.
    pub(super) materialised: Vec<bool>,
    /// How many materialisation points are below.
    pub(super) level: Vec<u32>,
    /// Whether the node is a fold of a few terms, which the body of a kernel combines.
    short: Vec<bool>,
}

impl<'a> Fusion<'a> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node that kernels make needs an operand in memory")]
    pub(super) fn new(program: &'a Program) -> Result<Fusion<'a>, UnknownSize> {
        let count = program.nodes.len();
        let needed = program.needed_nodes();
        let mut sizes = Vec::with_capacity(count);
        for (index, node) in program.nodes.iter().enumerate() {
            let known = if needed[index] { shape::sizes(&node.shape) } else { Some(Vec::new()) };
            sizes.push(known.ok_or(UnknownSize(NodeId(index as u32)))?);
        }
        let mut fusion = Fusion {
            program,
            sizes,
            needed,
            root: vec![false; count],
            materialised: vec![false; count],
            level: vec![0; count],
            short: Vec::new(),
        };
        let ids = fusion.needed_ids();
        fusion.short = fusion.short_folds(&ids);
        let own: Vec<NodeId> = ids.iter().copied().filter(|&id| fusion.is_own(id)).collect();
        own.into_iter().for_each(|id| fusion.materialise(id));
        // Whole arrays that the program gives become roots first. A slice of one of them is then a view of it.
        let (slices, whole): (Vec<NodeId>, Vec<NodeId>) =
            program.given().partition(|&id| fusion.anchor(id) != program.below_views(id));
        whole.into_iter().chain(slices).for_each(|id| fusion.make_root(id));
        for id in ids {
            match &program.node(id).kind {
                NodeKind::View { arg, view: View::Reshape | View::Windows(_) } if fusion.is_source(id) => {
                    fusion.materialise(*arg);
                }
                NodeKind::Gather { arg, .. } => fusion.materialise(*arg),
                NodeKind::Fold { fold: Fold::Sum, arg, .. } if !fusion.is_short(id) => {
                    if let Some(origin) = fusion.origin_of_squares(*arg) {
                        fusion.materialise(origin);
                    }
                }
                _ => {}
            }
        }
        Ok(fusion)
    }

    /// The `o` of `(x - o) * (x - o)`, if it has fewer elements than `x - o`. A sum of such squares has a fast loop
    /// that reads `o` from memory.
    fn origin_of_squares(&self, squares: NodeId) -> Option<NodeId> {
        let NodeKind::Map(Prim::Mul, [Some(distance), Some(same), _]) = self.node(squares).kind else { return None };
        let NodeKind::Map(Prim::Sub, [_, Some(origin), _]) = self.node(distance).kind else { return None };
        (distance == same && self.repeats(distance, origin)).then_some(origin)
    }

    /// The nodes that are needed, operands before users.
    pub(super) fn needed_ids(&self) -> Vec<NodeId> {
        let ids = self.needed.iter().enumerate().filter(|(_, needed)| **needed);
        ids.map(|(index, _)| NodeId(index as u32)).collect()
    }

    pub(super) fn node(&self, id: NodeId) -> &'a Node {
        self.program.node(id)
    }

    pub(super) fn elements(&self, id: NodeId) -> usize {
        self.sizes[id.index()].iter().product()
    }

    /// Whether a body computes the node: a map, a view, or a fold of a few terms.
    pub(super) fn is_fused(&self, id: NodeId) -> bool {
        matches!(self.node(id).kind, NodeKind::Map(..) | NodeKind::View { .. }) || self.is_short(id)
    }

    /// The exponent of an integer power that is computed as products; `None` for other nodes. Products of integers wrap
    /// in any order.
    pub(super) fn few_factors(&self, id: NodeId) -> Option<u32> {
        let NodeKind::Map(Prim::Pow, [_, Some(exponent), _]) = self.node(id).kind else { return None };
        let NodeKind::Const(count) = self.node(exponent).kind else { return None };
        let few = |count: u128| u32::try_from(count).ok().filter(|count| (1..=MAX_PRODUCT_EXPONENT).contains(count));
        few(count.bits).filter(|_| count.dtype.is_integer())
    }

    /// Whether a node's own work is worth a place in memory if several kernels use the result.
    pub(super) fn is_costly(&self, id: NodeId) -> bool {
        if let NodeKind::Map(prim, _) = self.node(id).kind {
            prim.is_costly() && self.few_factors(id).is_none()
        } else {
            self.is_short(id)
        }
    }

    /// Whether a node divides, or does something that takes longer.
    pub(super) fn divides(&self, id: NodeId) -> bool {
        self.is_costly(id) || matches!(self.node(id).kind, NodeKind::Map(prim, _) if prim.cost() >= PrimCost::Division)
    }

    /// Whether the node is a fold of a few terms, which the body of a kernel combines.
    pub(super) fn is_short(&self, id: NodeId) -> bool {
        self.short[id.index()]
    }

    /// Whether a node is always made in memory, by kernels of its own.
    fn is_own(&self, id: NodeId) -> bool {
        use NodeKind::{Concat, Fold, Gather, Scan, Update};
        matches!(self.node(id).kind, Fold { .. } | Scan { .. } | Gather { .. } | Concat { .. } | Update { .. })
            && !self.is_short(id)
    }

    /// The node that is stored so that a chain of views can show its elements: the one below the chain, or a slice
    /// that is smaller, unless the whole is stored anyway.
    fn anchor(&self, id: NodeId) -> NodeId {
        let base = self.program.below_views(id);
        let elsewhere = self.is_elsewhere(base);
        if elsewhere || self.root[base.index()] {
            return base;
        }
        let mut at = id;
        while let NodeKind::View { arg, view } = &self.node(at).kind {
            if matches!(view, View::Slice(_)) && self.elements(at) < self.elements(base) {
                return at;
            }
            at = *arg;
        }
        base
    }

    /// Whether no kernel makes a node.
    fn is_elsewhere(&self, id: NodeId) -> bool {
        let kind = &self.node(id).kind;
        matches!(kind, NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::Routine { .. } | NodeKind::Loop { .. })
    }

    /// Marks the node that a chain of views shows as stored.
    fn make_root(&mut self, id: NodeId) {
        let anchor = self.anchor(id);
        if !self.is_elsewhere(anchor) {
            self.root[anchor.index()] = true;
        }
    }

    /// Marks the node that a chain of views shows as stored, where its users find it.
    pub(super) fn materialise(&mut self, id: NodeId) {
        let anchor = self.anchor(id);
        if !self.is_elsewhere(anchor) {
            self.root[anchor.index()] = true;
            self.materialised[anchor.index()] = true;
        }
    }

    /// Whether users find the node in memory.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is in memory if it is marked so")]
    pub(super) fn is_source(&self, id: NodeId) -> bool {
        match &self.node(id).kind {
            NodeKind::Input(_) | NodeKind::Routine { .. } | NodeKind::Loop { .. } | NodeKind::Param(_) => true,
            NodeKind::Const(_) => false,
            // Two axes together give the position of an element of a window.
            NodeKind::View { view: View::Windows(_), .. } => true,
            NodeKind::View { arg, view: View::Reshape }
                if axes_of_length_one_aside(&self.sizes[arg.index()], &self.sizes[id.index()]).is_none() =>
            {
                true
            }
            _ => self.materialised[id.index()],
        }
    }

    /// The operands of a node that are computed where they are used.
    pub(super) fn inside(&self, id: NodeId) -> impl Iterator<Item = NodeId> {
        self.node(id).operands().filter(|&arg| !self.is_source(arg))
    }

    /// Whether an update may write into its base: the base is a whole array that a kernel makes.
    pub(super) fn is_written_over(&self, base: NodeId) -> bool {
        self.materialised[base.index()] && !matches!(self.node(base).kind, NodeKind::View { .. })
    }

    /// The level at which a kernel can read or compute a value.
    pub(super) fn ready(&self, id: NodeId) -> u32 {
        self.level[id.index()] + u32::from(self.materialised[id.index()])
    }

    pub(super) fn levels(&mut self) {
        for id in self.needed_ids() {
            let below = self.node(id).operands().map(|arg| self.ready(arg)).max().unwrap_or(0);
            self.level[id.index()] = if let NodeKind::Update { base, .. } = self.node(id).kind
                && !self.is_written_over(base)
            {
                // The base is stored first, then the new elements.
                below.max(self.ready(base) + 1)
            } else {
                below
            };
        }
    }
}

/// For each axis of `to`, the axis of `from`, or `None` if it is new. The whole is `None` unless the two shapes differ
/// in axes of length 1 alone.
pub(super) fn axes_of_length_one_aside(from: &[usize], to: &[usize]) -> Option<Vec<Option<usize>>> {
    let long = |sizes: &[usize]| -> Vec<usize> { (0..sizes.len()).filter(|&axis| sizes[axis] != 1).collect() };
    let (theirs, ours) = (long(from), long(to));
    if !theirs.iter().map(|&axis| from[axis]).eq(ours.iter().map(|&axis| to[axis])) {
        return None;
    }
    let mut map = vec![None; to.len()];
    ours.iter().zip(theirs).for_each(|(&own, other)| map[own] = Some(other));
    Some(map)
}
