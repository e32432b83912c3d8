//! Elements that a step puts in arrays.

use super::writer::{ElementStore, Writer};
use crate::exec::jit::clif::numbers::plain;
use crate::exec::patches::{Patch, PatchFirst, stores};
use crate::ir::NodeId;
use crate::types::{DType, shape};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

impl Writer<'_, '_, '_> {
    /// Where an array lies that a node makes of one in memory, with the elements that are put in it first.
    pub(super) fn changed(&mut self, node: NodeId, stored: &mut Vec<ElementStore>) -> Option<usize> {
        let depth = self.depth();
        let program = self.program(depth);
        let (begin, patches) = stores(program, node);
        let (buffer, _) = self.held(depth, begin)?;
        if !self.buffers[buffer].is_state {
            return None;
        }
        let sizes = shape::sizes(&program.node(node).shape)?;
        let dtype = program.node(node).dtype;
        for patch in &patches {
            stored.push(self.element_stored(buffer, dtype, &sizes, patch)?);
        }
        Some(buffer)
    }

    fn element_stored(
        &mut self,
        buffer: usize,
        dtype: DType,
        sizes: &[usize],
        patch: &Patch<NodeId>,
    ) -> Option<ElementStore> {
        let value = self.number(patch.value)?;
        let mut place = Vec::with_capacity(sizes.len());
        let mut inside = None;
        for (first, &size) in patch.place()?.zip(sizes) {
            place.push(match first {
                PatchFirst::Known(at) => {
                    let at = usize::try_from(at).ok().filter(|at| *at < size)?;
                    self.b.ins().iconst(types::I64, at as i64)
                }
                PatchFirst::Made(node) => {
                    let at = self.number(node)?;
                    let size = self.b.ins().iconst(types::I64, size as i64);
                    let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, size);
                    inside = Some(match inside {
                        Some(others) => self.b.ins().band(others, within),
                        None => within,
                    });
                    at
                }
            });
        }
        let flat = self.flat(&place, sizes);
        let address = self.address(buffer, dtype, flat);
        Some(ElementStore { address, value, inside })
    }

    /// Stores elements, in their order.
    pub(super) fn store(&mut self, stored: Vec<ElementStore>) {
        for ElementStore { address, value, inside } in stored {
            let Some(inside) = inside else {
                self.b.ins().store(plain(), value, address, 0);
                continue;
            };
            let [put, on] = [(); 2].map(|()| self.b.create_block());
            self.b.ins().brif(inside, put, &[], on, &[]);
            self.b.switch_to_block(put);
            self.b.ins().store(plain(), value, address, 0);
            self.b.ins().jump(on, &[]);
            self.b.switch_to_block(on);
        }
    }
}
