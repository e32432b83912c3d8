//! The life of arrays between kernels, from their making to the last reader.

use crate::array::Sizes;
use crate::ir::{NodeId, Program};
use crate::kernel::{Kernel, StoredNodes};

/// The arrays of a program, by the node that they hold. Kernels are numbered in the order in which they run.
#[derive(Debug)]
pub(super) struct Liveness {
    pub(super) stored: StoredNodes,
    /// How many stores make each node.
    pub(super) stores: Vec<u32>,
    /// The number of each node among the nodes that kernels make.
    places: Vec<Option<u32>>,
    /// How many nodes are made.
    pub(super) made: usize,
    /// The last kernel that reads each node in memory; 0 if none does, and `u32::MAX` for outputs and checks.
    pub(super) last: Vec<u32>,
    /// The last kernel that reads each node in memory; `None` if none does.
    pub(super) read: Vec<Option<u32>>,
    /// The nodes in memory that each kernel is the last to read.
    pub(super) ending: Vec<Vec<NodeId>>,
    /// The sizes of each node that is made.
    pub(super) sizes: Vec<Sizes>,
}

/// The sizes of a node's shape.
pub(super) fn sizes(program: &Program, node: NodeId) -> Sizes {
    let shape = &program.node(node).shape;
    shape.iter().map(|dim| dim.known().expect("sizes were checked") as usize).collect()
}

impl Liveness {
    /// Finds how long the nodes live that these kernels make. Outputs and checks live to the end.
    pub(super) fn new(program: &Program, kernels: &[Kernel]) -> Liveness {
        let count = program.nodes.len();
        let stored = StoredNodes::by(program, kernels);
        let (mut read, mut stores) = (vec![None; count], vec![0u32; count]);
        for (index, kernel) in kernels.iter().enumerate() {
            kernel.reads().for_each(|node| read[stored.home(program, node).index()] = Some(index as u32));
            kernel.sinks.iter().for_each(|sink| stores[sink.node().index()] += 1);
        }
        let mut made = 0u32;
        let place = |&stores: &u32| {
            made += u32::from(stores > 0);
            (stores > 0).then(|| made - 1)
        };
        let places = stores.iter().map(place).collect();
        let mut last: Vec<u32> = read.iter().map(|last| last.unwrap_or(0)).collect();
        program.given().for_each(|node| last[stored.home(program, node).index()] = u32::MAX);
        let ending = kernels.iter().enumerate().map(|(index, kernel)| {
            let mut homes: Vec<NodeId> = kernel.reads().map(|node| stored.home(program, node)).collect();
            homes.sort_unstable_by_key(|node| node.0);
            homes.dedup();
            homes.retain(|node| last[node.index()] == index as u32);
            homes
        });
        let ending = ending.collect();
        let made_nodes = (0..count as u32).map(NodeId).filter(|node| stores[node.index()] > 0);
        let sizes = made_nodes.map(|node| sizes(program, node)).collect();
        Liveness { stored, stores, places, made: made as usize, last, read, ending, sizes }
    }

    /// The number of a node among the nodes that kernels make; `None` for other nodes.
    pub(super) fn place(&self, node: NodeId) -> Option<usize> {
        self.places[node.index()].map(|place| place as usize)
    }
}
