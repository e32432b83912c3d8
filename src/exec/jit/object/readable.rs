//! Readable places of inputs, also of inputs without elements.

use super::inputs::EntryWriter;
use super::refusal::BuildRefusal;
use crate::ir::{Node, NodeKind, Program, View};
use crate::types::Dim;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Bytes on each side of the place that stands for an empty array.
const BLANK: usize = 64;

impl EntryWriter<'_, '_, '_> {
    /// The addresses of inputs. An input without elements gets one where something can be read: an element is read
    /// before its position is found to be wrong, and the caller may give no address.
    pub(super) fn readable(&mut self, places: Vec<Value>) -> Result<Vec<Value>, BuildRefusal> {
        let blank = self.w.data(vec![0; 2 * BLANK])?;
        let blank = self.w.plus(blank, BLANK as i64);
        let shapes: Vec<Vec<Dim>> = self.script.inputs.iter().map(|of| of.shape.clone()).collect();
        let mut readable = Vec::with_capacity(places.len());
        for (place, shape) in places.into_iter().zip(shapes) {
            let mut place = place;
            for dim in shape.iter().filter(|dim| dim.known().is_none()) {
                let len = self.dim(dim);
                let none = self.w.is(len, IntCC::Equal, 0);
                place = self.w.b.ins().select(none, blank, place);
            }
            readable.push(place);
        }
        Ok(readable)
    }
}

/// Whether a program, or a step of its loops, reads elements at computed positions.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other node reads at positions that are computed")]
pub(super) fn reads_at_positions(program: &Program) -> bool {
    let reads = |node: &Node| match &node.kind {
        NodeKind::Gather { .. } | NodeKind::Routine { .. } => true,
        NodeKind::Loop { of, .. } => {
            reads_at_positions(&of.0.step) || of.0.condition.as_ref().is_some_and(reads_at_positions)
        }
        NodeKind::View { view: View::Slice(region), .. } => region.iter().any(|slice| slice.start.known().is_none()),
        _ => false,
    };
    program.nodes.iter().any(reads)
}
