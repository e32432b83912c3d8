//! The layout of scratch: addresses that are known when a call begins, whatever it does.
//!
//! ```text
//! held | buffers of a kernel, workspace
//!      | what a routine needs
//!      | states of a loop, twice | held by its step | …
//! ```
//!
//! Parts of one program follow each other, so they begin at the same place.

use super::inputs::EntryWriter;
use super::staged::{ArrayOf, KeptArray, LoopPart, Part, StagedProgram};
use crate::ir::loops::LoopOver;
use cranelift_codegen::ir::{InstBuilder, Value};

/// Where a program in parts lies.
pub(super) struct ProgramLayout {
    pub(super) held: Vec<Value>,
    pub(super) parts: Vec<PartLayout>,
    /// The address behind all of it.
    pub(super) end: Value,
}

/// Where a part lies.
pub(super) enum PartLayout {
    Kernels {
        buffers: Vec<Value>,
        end: Value,
    },
    /// A routine's own memory.
    Call {
        scratch: Value,
    },
    Turning(Box<LoopLayout>),
}

/// Where a loop lies.
pub(super) struct LoopLayout {
    /// Two places for each state.
    pub(super) states: Vec<[Value; 2]>,
    /// A row of each array, and of each result, in C order.
    pub(super) rows: Vec<Value>,
    pub(super) given: Vec<Value>,
    /// The counter, and whether to go on.
    pub(super) counter: Value,
    pub(super) asked: Value,
    pub(super) step: ProgramLayout,
    pub(super) condition: Option<ProgramLayout>,
}

impl PartLayout {
    fn end(&self) -> Value {
        match self {
            PartLayout::Kernels { end, .. } => *end,
            PartLayout::Call { scratch } => *scratch,
            PartLayout::Turning(laid) => laid.step.end,
        }
    }
}

impl EntryWriter<'_, '_, '_> {
    /// Lays a program in parts from an address on. An array that is held in the memory of an output takes no scratch.
    pub(super) fn lay(&mut self, staged: &StagedProgram, top: Value) -> ProgramLayout {
        let (mut held, mut top) = (Vec::new(), top);
        for KeptArray { kind, output } in &staged.held {
            held.push(if output.is_some() { top } else { self.take(&mut top, kind) });
        }
        let (mut parts, mut end) = (Vec::new(), top);
        for part in &staged.parts {
            let laid = match part {
                Part::Kernels(kernels) => {
                    let mut buffers = Vec::new();
                    let mut top = top;
                    for buffer in &kernels.plan.plan.buffers {
                        buffers.push(top);
                        if !kernels.lends || !buffer.lent.is_some_and(|node| kernels.nodes.contains(&node)) {
                            let bytes = self.padded_of(buffer.dtype, &buffer.sizes, &kernels.plan.unknowns);
                            top = self.w.add(top, bytes);
                        }
                    }
                    PartLayout::Kernels { buffers, end: top }
                }
                Part::Call(_) => PartLayout::Call { scratch: top },
                Part::Turning(turning) => PartLayout::Turning(Box::new(self.lay_loop(turning, top))),
            };
            let mut own = laid.end();
            if let Part::Call(call) = part {
                let bytes = self.call_scratch(call);
                own = self.w.add(own, bytes);
            }
            end = self.w.b.ins().umax(end, own);
            parts.push(laid);
        }
        ProgramLayout { held, parts, end }
    }

    fn take(&mut self, top: &mut Value, kind: &ArrayOf) -> Value {
        let place = *top;
        let bytes = self.bytes_of_kind(kind);
        let bytes = self.pad(bytes);
        *top = self.w.add(*top, bytes);
        place
    }

    fn lay_loop(&mut self, turning: &LoopPart, mut top: Value) -> LoopLayout {
        let (counter, asked) = (top, self.w.plus(top, 8));
        top = self.w.plus(top, 64);
        let states = turning.gives[..turning.states].iter();
        let states = states.map(|kind| [(); 2].map(|()| self.take(&mut top, kind))).collect();
        let (mut rows, mut given) = (Vec::new(), Vec::new());
        if let LoopOver::Rows { arrays, axis, .. } = turning.over {
            for (_, kind) in &turning.args[turning.states..turning.states + arrays] {
                rows.push(self.take(&mut top, &kind.row(axis as usize)));
            }
            for kind in &turning.gives[turning.states..] {
                given.push(self.take(&mut top, kind));
            }
        }
        let condition = turning.condition.as_ref().map(|condition| self.lay(condition, top));
        let mut step = self.lay(&turning.step, top);
        if let Some(condition) = &condition {
            step.end = self.w.b.ins().umax(step.end, condition.end);
        }
        LoopLayout { states, rows, given, counter, asked, step, condition }
    }
}
