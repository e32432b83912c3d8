//! A promotion lattice: nodes with edges upwards. The least upper bound is found by bit masks.
//!
//! The join of some nodes is the smallest node that all of them reach: of the nodes in the intersection of their
//! upward closures, the one whose own closure is the whole intersection. Masks are closed once, so a join of any
//! number of nodes is a few `and`s and one search.

use crate::types::Elem;
use std::str::FromStr;

/// A closed lattice, or a partial order that is not quite one: where no least upper bound exists, joins say so.
#[derive(Clone, Debug)]
pub struct Lattice {
    /// Bit `j` of `up[i]` says that node `i` reaches node `j`; 0 for a node that is not part of it.
    up: [u32; Elem::COUNT],
    edges: Vec<(Elem, Elem)>,
}

impl Lattice {
    /// Closes the edges given as lines `u8 -> u16 i16`.
    ///
    /// # Panics
    /// On names that are no dtype: rows are constants, and user files are read elsewhere.
    pub fn from_rows(rows: &[(&str, &str)]) -> Lattice {
        let node = |name: &str| Elem::from_str(name).expect("rows name dtypes");
        let edges = rows.iter().flat_map(|(from, to)| to.split_whitespace().map(|to| (node(from), node(to)))).collect();
        Lattice::from_edges(edges)
    }

    /// Closes a list of edges.
    pub fn from_edges(edges: Vec<(Elem, Elem)>) -> Lattice {
        let mut up = [0u32; Elem::COUNT];
        for &(from, to) in &edges {
            up[from.index()] |= 1 << from.index() | 1 << to.index();
            up[to.index()] |= 1 << to.index();
        }
        // Warshall: after step k, paths through the first k nodes are in.
        for through in 0..Elem::COUNT {
            for from in 0..Elem::COUNT {
                if up[from] >> through & 1 == 1 {
                    up[from] |= up[through];
                }
            }
        }
        Lattice { up, edges }
    }

    /// The edges, as they were given.
    pub fn edges(&self) -> &[(Elem, Elem)] {
        &self.edges
    }

    /// Whether the node is part of the lattice.
    pub fn contains(&self, node: Elem) -> bool {
        self.up[node.index()] != 0
    }

    /// Whether `to` is `from` or lies above it.
    pub fn reaches(&self, from: Elem, to: Elem) -> bool {
        self.up[from.index()] >> to.index() & 1 == 1
    }

    /// The least upper bound, if there is one.
    pub fn join(&self, nodes: impl IntoIterator<Item = Elem>) -> Option<Elem> {
        let above = nodes.into_iter().fold(u32::MAX, |mask, node| mask & self.up[node.index()]);
        let least = (0..Elem::COUNT).find(|&node| above >> node & 1 == 1 && self.up[node] == above)?;
        Elem::from_index(least)
    }

    /// A shortest path upwards from one node to another, both included.
    pub fn path(&self, from: Elem, to: Elem) -> Vec<Elem> {
        let mut paths = std::collections::VecDeque::from([vec![from]]);
        while let Some(path) = paths.pop_front() {
            let last = path[path.len() - 1];
            if last == to {
                return path;
            }
            for &(_, next) in self.edges.iter().filter(|&&(start, next)| start == last && self.reaches(next, to)) {
                let mut longer = path.clone();
                longer.push(next);
                paths.push_back(longer);
            }
        }
        Vec::new()
    }
}
