//! Takes snapshots: slices of an array before it is written over.
//!
//! An update happens in place when nobody reads its base later. `total = total + a[i]` in a loop that also updates `a`
//! would read every version of `a` in the end, and so keep them all. A slice, or a fold of a few terms, that is read
//! later than its array is updated is stored for itself instead: it is the smaller copy.

use super::fusion::Fusion;
use crate::ir::{NodeId, NodeKind, View};

impl Fusion<'_> {
    /// Takes snapshots of slices that are read after their array would be written over. Levels must be known.
    pub(super) fn take_snapshots(&mut self) -> bool {
        // The last level at which each array in memory is written over, if it is.
        let mut written: Vec<Option<u32>> = vec![None; self.program.nodes.len()];
        let ids = self.needed_ids();
        for id in &ids {
            if let NodeKind::Update { base, .. } = self.node(*id).kind
                && self.is_written_over(base)
            {
                let last = &mut written[base.index()];
                *last = (*last).max(Some(self.level[id.index()]));
            }
        }
        if written.iter().all(Option::is_none) {
            return false;
        }
        let read = self.last_reads(&ids);
        let mut changed = false;
        // For each node that is not stored: the last level at which an array below it is written over.
        let mut made = vec![None; written.len()];
        for id in ids {
            let below = self.node(id).operands().map(|arg| written[arg.index()].max(made[arg.index()])).max().flatten();
            let over = if let NodeKind::View { arg, view: View::Slice(_) } = self.node(id).kind
                && self.elements(id) < self.elements(arg)
            {
                written[arg.index()]
            } else {
                below.filter(|_| self.is_short(id))
            };
            if over.is_some_and(|level| read[id.index()] > level) {
                self.root[id.index()] = true;
                self.materialised[id.index()] = true;
                changed = true;
            } else if self.is_fused(id) && !self.materialised[id.index()] {
                made[id.index()] = below;
            }
        }
        changed
    }

    /// For each node, the level of the last kernel that needs it. Views that the program gives are needed after all
    /// kernels.
    fn last_reads(&self, ids: &[NodeId]) -> Vec<u32> {
        let mut read = vec![0; self.program.nodes.len()];
        for (level, task) in self.tasks() {
            let read = &mut read[task.value.index()];
            *read = level.max(*read);
        }
        for &id in ids.iter().rev().filter(|&&id| self.is_fused(id)) {
            let level = if self.materialised[id.index()] { self.level[id.index()] } else { read[id.index()] };
            for arg in self.node(id).operands() {
                read[arg.index()] = read[arg.index()].max(level);
            }
        }
        for mut id in self.program.given() {
            while let NodeKind::View { arg, .. } = self.node(id).kind
                && !self.root[id.index()]
            {
                read[id.index()] = u32::MAX;
                id = arg;
            }
        }
        read
    }
}
