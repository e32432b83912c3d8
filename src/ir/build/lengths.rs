//! Dimensions that data decides, and names that were found to stand for other sizes.

use super::ProgramBuilder;
use crate::hash::{QuickSet, quick};
use crate::ir::{Length, NodeId, NodeKind, ReadLength, View};
use crate::source::Span;
use crate::types::Dim;
use crate::types::equal::Equal;

/// Names for dimensions that data decides.
#[derive(Debug)]
pub struct LengthNames {
    /// Names that nothing has.
    pub free: Vec<String>,
    /// What makes the dimensions.
    pub span: Span,
}

/// What is known of lengths while a program is built.
#[derive(Default, Debug, Clone)]
pub(super) struct BuiltLengths {
    /// How many were noted before the last array whose lengths were read.
    read_before: usize,
    /// Those that were read, to find one among many.
    read: QuickSet<ReadLength>,
    /// Whether an input has a length that is not known.
    pub(super) open: bool,
    /// Names that lengths have or had: of those that were forgotten, shapes of nodes that are nobody's have them.
    names: QuickSet<String>,
    /// Of the names `k`, `k1`, `k2` … the first that may be free.
    taken: usize,
    /// Names of dimensions that stand for other sizes.
    equal: Equal,
}

impl ProgramBuilder {
    /// A dimension as long as an `i64` scalar says: the same one for the same node. `name` gives it a name if it is
    /// new.
    pub fn length(&mut self, node: NodeId, span: Span, name: impl FnOnce() -> String) -> Dim {
        if let Some(size) = self.as_constant(node) {
            return Dim::Const(size.bits as u64);
        }
        if let Some(known) = self.program.lengths.iter().find(|length| length.node == node) {
            return self.lengths.equal.of(&Dim::name(&known.name));
        }
        let name = name();
        let dim = Dim::name(&name);
        self.lengths.names.insert(name.clone());
        self.program.lengths.push(Length { name, node, span, call: None });
        dim
    }

    /// A dimension as long as an `i64` scalar says: the same one for the same node. A new one has the first of the free
    /// names.
    pub fn named_length(&mut self, node: NodeId, names: &mut LengthNames) -> Dim {
        let LengthNames { free, span } = names;
        self.length(node, *span, || free.remove(0))
    }

    /// Notes that something reads the lengths of an array as numbers: of a node, or of an array that is none.
    pub fn note_read(&mut self, node: Option<NodeId>, dims: &[Dim]) {
        self.lengths.read_before = self.program.read.len();
        for (axis, dim) in dims.iter().enumerate() {
            self.note_length(ReadLength { dim: dim.clone(), of: node.map(|node| (node, axis as u32)) });
        }
    }

    /// Notes that something reads a length as a number. It is as it says if it is never below 0, and no slice is cut
    /// short on the way to its array.
    pub fn note_length(&mut self, length: ReadLength) {
        let is_made = |(node, _): (NodeId, u32)| !matches!(self.program.node(node).kind, NodeKind::Input(_));
        let may_differ = match &length.dim {
            Dim::Affine(form) if !form.is_never_negative() => true,
            Dim::Affine(_) | Dim::Const(_) => self.lengths.open && length.of.is_some_and(is_made),
        };
        if may_differ && self.lengths.read.insert(length.clone()) {
            self.program.read.push(length);
        }
    }

    /// Notes that a sum of an array of ones reads its length.
    pub fn note_summed(&mut self, node: NodeId) {
        if let NodeKind::View { arg, view: View::Broadcast } = self.program.node(node).kind
            && self.as_constant(arg).is_some()
        {
            let dims = self.shape(node).clone();
            self.note_read(None, &dims);
        }
    }

    /// Forgets some of the lengths that were noted of the last array.
    pub fn forget_read(&mut self, dims: &[&Dim]) {
        let mut last = self.program.read.split_off(self.lengths.read_before.min(self.program.read.len()));
        last.retain(|length| !dims.contains(&&length.dim) || !self.lengths.read.remove(length));
        self.program.read.append(&mut last);
    }

    /// Gives a dimension that data decides another name.
    pub fn rename_length(&mut self, name: &str, other: &str) {
        self.equate(name, &Dim::name(other));
        for length in self.program.lengths.iter_mut().filter(|length| length.name == name) {
            other.clone_into(&mut length.name);
            self.lengths.names.remove(name);
            self.lengths.names.insert(other.to_owned());
            self.lengths.taken = 0;
        }
    }

    /// The first of the names `k`, `k1`, `k2` … that no dimension that data decides has or had, and that are neither
    /// written nor known.
    pub fn free_lengths(
        &mut self,
        count: usize,
        written: impl Fn(&str) -> bool,
        known: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let is_taken = |name: &String| written(name) || self.lengths.names.contains(name);
        let first = (self.lengths.taken..).find(|&number| !is_taken(&numbered(number))).unwrap_or(self.lengths.taken);
        let names = (first..).map(numbered).filter(|name| !is_taken(name) && !known(name)).take(count).collect();
        self.lengths.taken = first;
        names
    }

    /// Puts a size in place of the name of a dimension, in every shape.
    pub fn equate(&mut self, name: &str, size: &Dim) {
        let nodes = self.program.nodes.iter().enumerate().filter(|(_, node)| node.mentions(name));
        let changed: Vec<NodeId> = nodes.map(|(index, _)| NodeId(index as u32)).collect();
        self.program.equate(name, size);
        self.lengths.equal.add(name, size);
        changed.into_iter().for_each(|id| self.find_again(id));
    }

    /// Lets a node that changed be found as what it is now. Of nodes that are equal now the first is found; the others
    /// stay with who has them. What it was before finds it no more, as the nodes themselves are compared.
    fn find_again(&mut self, id: NodeId) {
        let node = self.program.node(id);
        let mut number = quick(node);
        while let Some(&known) = self.shared.nodes.get(&number) {
            if self.program.node(known) == node {
                if id < known {
                    self.shared.nodes.insert(number, id);
                }
                return;
            }
            number = number.wrapping_add(1);
        }
        self.shared.nodes.insert(number, id);
    }

    /// The names that stand for other sizes.
    pub fn equal(&self) -> &Equal {
        &self.lengths.equal
    }
}

/// One of the names that lengths have.
fn numbered(number: usize) -> String {
    if number == 0 { "k".to_owned() } else { format!("k{number}") }
}
