//! The axes of a node in the space of a kernel that computes it.

use super::AxisWalk;
use super::fusion::{Fusion, axes_of_length_one_aside};
use crate::hash::QuickMap;
use crate::ir::{NodeId, NodeKind, View};

/// A place for each axis of a node; one of length 1 is fixed.
pub(super) type Walk = Vec<AxisWalk>;

/// The walks in use, so that a node and how it is walked are a small key.
#[derive(Default)]
pub(super) struct WalkTable {
    walks: Vec<Walk>,
    known: QuickMap<Walk, u32>,
}

impl WalkTable {
    /// The number of a walk.
    pub(super) fn intern(&mut self, walk: Walk) -> u32 {
        let fresh = self.walks.len() as u32;
        *self.known.entry(walk).or_insert_with_key(|walk| {
            self.walks.push(walk.clone());
            fresh
        })
    }

    pub(super) fn get(&self, walk: u32) -> &Walk {
        &self.walks[walk as usize]
    }

    /// The operands of a node inside a cluster, and how they are walked.
    pub(super) fn operands(&mut self, fusion: &Fusion, (id, walk): (NodeId, u32)) -> Vec<(NodeId, u32)> {
        let operands = operands(fusion, id, self.get(walk));
        operands.into_iter().map(|(arg, walk)| (arg, self.intern(walk))).collect()
    }
}

/// The walk of a shape whose axes are these axes of the space.
pub(super) fn whole(axes: impl Iterator<Item = usize>, sizes: &[usize]) -> Walk {
    axes.zip(sizes).map(|(axis, &len)| if len == 1 { AxisWalk::fixed(0) } else { AxisWalk::along(axis) }).collect()
}

#[expect(clippy::wildcard_enum_match_arm, reason = "no other node has operands inside a cluster")]
fn operands(fusion: &Fusion, id: NodeId, walk: &[AxisWalk]) -> Vec<(NodeId, Walk)> {
    let sizes = |id: NodeId| &fusion.sizes[id.index()];
    let aligned = |arg: NodeId| -> Walk {
        let theirs = sizes(arg);
        let missing = walk.len() - theirs.len();
        let place = |axis: usize| if theirs[axis] == 1 { AxisWalk::fixed(0) } else { walk[axis + missing] };
        (0..theirs.len()).map(place).collect()
    };
    match &fusion.node(id).kind {
        NodeKind::Map(_, args) => args.iter().flatten().map(|&arg| (arg, aligned(arg))).collect(),
        NodeKind::View { arg, view } => {
            let theirs = match view {
                View::Broadcast => aligned(*arg),
                View::Transpose(order) => {
                    let mut theirs = vec![AxisWalk::fixed(0); order.len()];
                    order.iter().zip(walk).for_each(|(&from, &place)| theirs[from as usize] = place);
                    theirs
                }
                View::Reshape => {
                    let map = axes_of_length_one_aside(sizes(*arg), sizes(id)).expect("other reshapes are sources");
                    let mut theirs = vec![AxisWalk::fixed(0); sizes(*arg).len()];
                    map.iter().zip(walk).for_each(|(own, &place)| {
                        if let Some(own) = own {
                            theirs[*own] = place;
                        }
                    });
                    theirs
                }
                View::Windows(_) => unreachable!("windows are sources"),
                View::Slice(region) => {
                    // An empty slice has no start; any number does.
                    let start = |slice: &crate::ir::Slice| slice.position(0).unwrap_or(0);
                    region
                        .iter()
                        .zip(walk)
                        .map(|(slice, place)| place.through(start(slice), slice.step as isize))
                        .collect()
                }
            };
            vec![(*arg, theirs)]
        }
        NodeKind::Fold { arg, .. } if fusion.is_short(id) => {
            fusion.term_walks(id, walk).into_iter().map(|walk| (*arg, walk)).collect()
        }
        _ => Vec::new(),
    }
}
