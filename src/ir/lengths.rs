//! Dimensions that data decides: how long the result of `x[x > 0]` is.
//!
//! ```text
//! %4 = sum %3 axes=0                   : i64
//! %5 = compress %0 %1                  : f64[k]
//! length k %4
//! ```

use super::loops::ProgramLoop;
use super::{Check, Fault, Fold, Node, NodeId, NodeKind, Program, Slice, View};
use crate::hash::QuickMap;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};

/// A dimension that data decides.
#[derive(Clone, Debug)]
pub struct Length {
    /// Its name in shapes.
    pub name: String,
    /// Its length: an `i64` scalar, at least 0.
    pub node: NodeId,
    /// What the length counts, in the text.
    pub span: Span,
    /// The call of the script in which the library counts it.
    pub call: Option<Span>,
}

/// A length that something reads as a number: `n-3` for `len(x[3:])`.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ReadLength {
    /// The length.
    pub dim: Dim,
    /// The array that has it, and the axis. Perhaps nothing else needs the array.
    pub of: Option<(NodeId, u32)>,
}

impl Program {
    /// Whether a length is how many elements of a mask are true; else it is computed in some other way.
    pub fn counts_a_mask(&self, length: &Length) -> bool {
        self.mask_of(length).is_some()
    }

    /// How many elements the mask has that a length counts, which is the most that the length can be.
    pub fn most_counted(&self, length: &Length) -> Option<Dim> {
        let mask = self.node(self.mask_of(length)?);
        mask.shape.iter().try_fold(Dim::Const(1), |all, dim| all.multiply(dim))
    }

    fn mask_of(&self, length: &Length) -> Option<NodeId> {
        let NodeKind::Fold { fold: Fold::Sum, arg, .. } = self.node(length.node).kind else { return None };
        let NodeKind::Map(Prim::Convert, [Some(mask), ..]) = self.node(arg).kind else { return None };
        (self.node(mask).dtype == DType::Bool).then_some(mask)
    }

    /// The lengths that a shape waits for.
    pub fn lengths_of<'p>(&'p self, shape: &'p [Dim]) -> impl Iterator<Item = &'p Length> {
        let mut names = Vec::new();
        shape.iter().for_each(|dim| dim.names(&mut |name| names.push(name)));
        let lengths: &[Length] = if names.is_empty() { &[] } else { &self.lengths };
        lengths.iter().filter(move |length| names.contains(&length.name.as_str()))
    }

    /// Whether the shape of a node waits for a length, or a place that it takes or stores at: of `x[k]` the place does.
    pub fn is_open(&self, node: &Node) -> bool {
        let region: &[Slice] =
            if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &node.kind {
                region
            } else {
                &[]
            };
        let mut dims = node.shape.iter().chain(region.iter().map(|slice| &slice.start));
        dims.any(|dim| self.lengths_of(std::slice::from_ref(dim)).next().is_some())
    }

    /// The lengths that a node waits for: those of its shape, and of a loop those in its step that the step does not
    /// count.
    pub fn lengths_in<'p>(&'p self, node: &'p Node) -> impl Iterator<Item = &'p Length> {
        self.lengths.iter().filter(|length| node.mentions(&length.name))
    }

    /// The nodes that make the lengths, by their names.
    pub(super) fn counts(&self) -> QuickMap<&str, NodeId> {
        self.lengths.iter().map(|length| (length.name.as_str(), length.node)).collect()
    }

    /// Calls `each` with the names of dimensions in its nodes, and in what its conditions say.
    pub(super) fn names<'p>(&'p self, each: &mut impl FnMut(&'p str)) {
        self.nodes.iter().for_each(|node| node.names(each));
        for check in &self.checks {
            if let Fault::Index { len, .. } | Fault::Count { wanted: len, .. } = &check.fault {
                len.names(each);
            }
        }
    }

    /// The nodes in which the name of a dimension stands, but those that these are made of.
    pub fn waiting_for(&self, name: &str, made: &[NodeId]) -> Vec<NodeId> {
        let below = self.needed_for(made.iter().copied());
        let waits = |&index: &usize| !below[index] && self.nodes[index].mentions(name);
        (0..self.nodes.len()).filter(waits).map(|index| NodeId(index as u32)).collect()
    }

    /// Whether the name of a dimension from outside stands in it.
    fn mentions(&self, name: &str) -> bool {
        let stands =
            || self.nodes.iter().any(|node| node.mentions(name)) || self.checks.iter().any(|check| check.tells(name));
        self.lengths.iter().all(|own| own.name != name) && stands()
    }
}

impl Check {
    /// Whether the name of a dimension stands in what it says.
    pub(super) fn tells(&self, name: &str) -> bool {
        let (Fault::Index { len, .. } | Fault::Count { wanted: len, .. }) = &self.fault else { return false };
        len.has_name(name)
    }
}

impl ProgramLoop {
    /// Calls `each` with the names of dimensions in its step, and in its condition.
    pub(super) fn names<'p>(&'p self, each: &mut impl FnMut(&'p str)) {
        std::iter::once(&self.step).chain(&self.condition).for_each(|part| part.names(each));
    }

    /// Whether the name of a dimension from outside stands in its step, or in its condition.
    pub(super) fn mentions(&self, name: &str) -> bool {
        std::iter::once(&self.step).chain(&self.condition).any(|part| part.mentions(name))
    }
}

impl Node {
    /// Calls `each` with the names of dimensions in its shape, in what it takes, and in the step of its loop.
    pub(super) fn names<'n>(&'n self, each: &mut impl FnMut(&'n str)) {
        self.shape.iter().for_each(|dim| dim.names(each));
        if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &self.kind {
            region.iter().for_each(|slice| slice.start.names(each));
        } else if let NodeKind::Loop { of, .. } = &self.kind {
            of.0.names(each);
        }
    }

    /// Whether the name of a dimension stands in its shape, in what it takes, or in the step of its loop.
    pub(super) fn mentions(&self, name: &str) -> bool {
        let inside =
            if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &self.kind {
                region.iter().any(|slice| slice.start.has_name(name))
            } else {
                matches!(&self.kind, NodeKind::Loop { of, .. } if of.0.mentions(name))
            };
        inside || self.shape.iter().any(|dim| dim.has_name(name))
    }
}
