//! Columns in place of rows, of which a loop's step reads single elements: `scan z with … { … z[0] … }`.

use super::ProgramBuilder;
use crate::ir::columns::RowColumns;
use crate::ir::loops::{LoopOver, OpenLoop};
use crate::ir::{NodeId, NodeKind, Slice, View};
use crate::types::Dim;

/// The most columns that stand in the place of a row.
const MAX_COLUMNS: usize = 16;

impl ProgramBuilder {
    /// Makes the columns of a loop. Whether they are gone through is known once nothing more is added to its step.
    pub(super) fn columns(&mut self, open: &OpenLoop) -> Vec<RowColumns> {
        let LoopOver::Rows { arrays, axis: 0, .. } = open.over else { return Vec::new() };
        if open.states == 0 {
            return Vec::new();
        }
        let mut found = Vec::new();
        for at in open.states..open.states + arrays {
            let (row, array) = (open.params[at].0, open.args[at]);
            let elements = self.elements_of(row);
            if (1..=MAX_COLUMNS).contains(&elements.len()) {
                let picks = elements.into_iter().map(|(element, place)| (element, self.column(array, place)));
                let picks = picks.collect();
                found.push(RowColumns { row, picks });
            }
        }
        found
    }

    /// The numbers that are elements of a row at fixed places, each with its place.
    fn elements_of(&self, row: NodeId) -> Vec<(NodeId, Vec<Slice>)> {
        let lens = self.shape(row);
        if lens.is_empty() || lens.iter().any(|len| len.known().is_none()) {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (index, node) in self.program.nodes.iter().enumerate().skip(row.index() + 1) {
            if let NodeKind::View { arg, view: View::Reshape } = &node.kind
                && node.shape.is_empty()
                && let NodeKind::View { arg: of, view: View::Slice(region) } = &self.program.node(*arg).kind
                && *of == row
                && region.iter().all(|slice| slice.start.known().is_some())
            {
                found.push((NodeId(index as u32), region.to_vec()));
            }
        }
        found
    }

    /// The elements at one place of all rows.
    fn column(&mut self, array: NodeId, place: Vec<Slice>) -> NodeId {
        let len = self.shape(array)[0].clone();
        let mut lens = vec![len.clone()];
        lens.resize(place.len() + 1, Dim::Const(1));
        let region: Vec<Slice> = std::iter::once(Slice::all()).chain(place).collect();
        let part = self.slice(array, &region, lens);
        self.view(part, View::Reshape, vec![len])
    }
}
