//! Dimensions that data decides, with names that stand for other sizes.

use super::ProgramBuilder;
use crate::hash::{QuickMap, QuickSet, quick};
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

/// The names of lengths, and where the lengths stand: a script may have thousands.
#[derive(Default, Debug, Clone)]
pub(super) struct KnownLengths {
    /// Names that lengths have or had: of those that were forgotten, shapes of nodes that are nobody's have them.
    names: QuickSet<String>,
    /// Of the names `k`, `k1`, `k2` … the first that may be free.
    taken: usize,
    /// Where the first length with a name stands.
    named: QuickMap<String, usize>,
    /// Where the first length stands that a node says.
    said: QuickMap<NodeId, usize>,
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
    /// Their names, and where they stand.
    pub(super) known: KnownLengths,
    /// Names of dimensions that stand for other sizes.
    equal: Equal,
}

impl KnownLengths {
    /// Notes a length that stands behind all others.
    fn note(&mut self, length: &Length, place: usize) {
        self.named.entry(length.name.clone()).or_insert(place);
        self.said.entry(length.node).or_insert(place);
    }

    /// Notes where lengths stand after some were taken out or have other names.
    pub(super) fn find_again(&mut self, lengths: &[Length]) {
        self.named.clear();
        self.said.clear();
        lengths.iter().enumerate().for_each(|(place, length)| self.note(length, place));
    }
}

impl ProgramBuilder {
    /// The length with a name.
    pub fn length_named(&self, name: &str) -> Option<&Length> {
        self.lengths.known.named.get(name).map(|&place| &self.program.lengths[place])
    }

    /// The length that a node says.
    pub fn length_said_by(&self, node: NodeId) -> Option<&Length> {
        self.lengths.known.said.get(&node).map(|&place| &self.program.lengths[place])
    }

    /// The length that a dimension is.
    pub fn length_of(&self, dim: &Dim) -> Option<&Length> {
        self.length_named(dim.as_name()?)
    }

    /// The lengths that a dimension waits for, from the first to the last.
    pub fn lengths_in(&self, dim: &Dim) -> Vec<&Length> {
        let mut places: Vec<usize> = Vec::new();
        dim.names(&mut |name| places.extend(self.lengths.known.named.get(name)));
        places.sort_unstable();
        places.dedup();
        places.into_iter().map(|place| &self.program.lengths[place]).collect()
    }

    /// Whether a dimension waits for a length.
    pub fn is_counted(&self, dim: &Dim) -> bool {
        let mut found = false;
        dim.names(&mut |name| found = found || self.lengths.known.named.contains_key(name));
        found
    }

    /// A dimension as long as an `i64` scalar says: the same one for the same node. `name` gives it a name if it is
    /// new.
    pub fn length(&mut self, node: NodeId, span: Span, name: impl FnOnce() -> String) -> Dim {
        if let Some(size) = self.as_constant(node) {
            return Dim::Const(size.bits as u64);
        }
        if let Some(known) = self.length_said_by(node) {
            return self.lengths.equal.of(&Dim::name(&known.name));
        }
        let name = name();
        let dim = Dim::name(&name);
        self.lengths.known.names.insert(name.clone());
        let length = Length { name, node, span, call: None };
        self.lengths.known.note(&length, self.program.lengths.len());
        self.program.lengths.push(length);
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
            self.lengths.known.names.remove(name);
            self.lengths.known.names.insert(other.to_owned());
            self.lengths.known.taken = 0;
        }
        self.lengths.known.find_again(&self.program.lengths);
    }

    /// The first of the names `k`, `k1`, `k2` … that no dimension that data decides has or had, and that are neither
    /// written nor known.
    pub fn free_lengths(
        &mut self,
        count: usize,
        written: impl Fn(&str) -> bool,
        known: impl Fn(&str) -> bool,
    ) -> Vec<String> {
        let is_taken = |name: &String| written(name) || self.lengths.known.names.contains(name);
        let mut first = self.lengths.known.taken;
        while is_taken(&numbered(first)) {
            first += 1;
        }
        let names = (first..).map(numbered).filter(|name| !is_taken(name) && !known(name)).take(count).collect();
        self.lengths.known.taken = first;
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scalar::Scalar;
    use crate::scalar::prim::Prim;
    use crate::types::DType;

    /// Where each length is found is where it stands, whatever was renamed or forgotten.
    #[test]
    fn lengths_are_found_where_they_stand() {
        let mut b = ProgramBuilder::default();
        let span = Span::default();
        let before = b.note_counts();
        let param = b.param(DType::I64, Vec::new());
        let mut nodes = Vec::new();
        for place in 0..4usize {
            let count = if place == 1 { param } else { b.input("n", span, DType::I64, Vec::new()) };
            let one = b.constant(Scalar::of(place as i64 + 1));
            nodes.push(b.map(Prim::Mul, &[count, one]));
            let dim = b.length(nodes[place], span, || format!("k{place}"));
            assert_eq!(dim, b.length(nodes[place], span, || unreachable!("it has a name")));
        }
        b.rename_length("k2", "rows");
        b.forget_since(before);
        let names: Vec<&str> = b.program().lengths.iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["k0", "rows", "k3"], "a parameter decides `k1`");
        for (name, node) in [("k0", nodes[0]), ("rows", nodes[2]), ("k3", nodes[3])] {
            assert_eq!(b.length_named(name).map(|it| it.node), Some(node));
            assert_eq!(b.length_said_by(node).map(|it| it.name.as_str()), Some(name));
            assert!(b.is_counted(&Dim::name(name)));
        }
        assert!([b.length_named("k1"), b.length_named("k2"), b.length_said_by(nodes[1])].iter().all(Option::is_none));
        let both = Dim::name("k3").add_scaled(&Dim::name("k0"), 2).expect("a size");
        let names: Vec<&str> = b.lengths_in(&both).into_iter().map(|it| it.name.as_str()).collect();
        assert_eq!(names, ["k0", "k3"]);
        assert!(b.length_of(&both).is_none());
    }
}
