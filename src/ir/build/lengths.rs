//! Dimensions that data decides, and names that were found to stand for other sizes.

use super::ProgramBuilder;
use crate::ir::{Length, NodeId};
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

impl ProgramBuilder {
    /// A dimension as long as an `i64` scalar says: the same one for the same node. `name` gives it a name if it is
    /// new.
    pub fn length(&mut self, node: NodeId, span: Span, name: impl FnOnce() -> String) -> Dim {
        if let Some(size) = self.as_constant(node) {
            return Dim::Const(size.bits as u64);
        }
        if let Some(known) = self.program.lengths.iter().find(|length| length.node == node) {
            return self.equal.of(&Dim::name(&known.name));
        }
        let name = name();
        let dim = Dim::name(&name);
        self.program.lengths.push(Length { name, node, span });
        dim
    }

    /// A dimension as long as an `i64` scalar says: the same one for the same node. A new one has the first of the free
    /// names.
    pub fn named_length(&mut self, node: NodeId, names: &mut LengthNames) -> Dim {
        let LengthNames { free, span } = names;
        self.length(node, *span, || free.remove(0))
    }

    /// Gives a dimension that data decides another name.
    pub fn rename_length(&mut self, name: &str, other: &str) {
        self.equate(name, &Dim::name(other));
        for length in self.program.lengths.iter_mut().filter(|length| length.name == name) {
            other.clone_into(&mut length.name);
        }
    }

    /// Whether a dimension that data decides has a name, or had it.
    pub fn has_length(&self, name: &str) -> bool {
        self.program.lengths.iter().any(|length| length.name == name) || self.spent.iter().any(|spent| spent == name)
    }

    /// Puts a size in place of the name of a dimension, in every shape.
    pub fn equate(&mut self, name: &str, size: &Dim) {
        self.program.equate(name, size);
        self.equal.add(name, size);
        // Of nodes that are equal now the first is found; the others stay with who has them.
        self.known.clear();
        for (index, node) in self.program.nodes.iter().enumerate() {
            if let Err(free) = self.known(node) {
                self.known.insert(free, NodeId(index as u32));
            }
        }
    }

    /// The names that stand for other sizes.
    pub fn equal(&self) -> &Equal {
        &self.equal
    }
}
