//! Elements that a step puts in arrays.

use super::writer::{ElementStore, Writer};
use crate::exec::jit::clif::numbers::plain;
use crate::exec::stores::{StepStore, StoreFirst, stores};
use crate::ir::NodeId;
use crate::types::{DType, Dim};
use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::condcodes::IntCC;

impl Writer<'_, '_, '_> {
    /// Where an array lies that a node makes of one in memory, with the elements that are put in it first.
    pub(super) fn place_of_stores(&mut self, node: NodeId, stored: &mut Vec<ElementStore>) -> Option<usize> {
        let depth = self.depth();
        let program = self.program(depth);
        let (begin, stores) = stores(program, node);
        let (buffer, _) = self.held(depth, begin)?;
        if !self.buffers[buffer].is_state {
            return None;
        }
        let node = program.node(node);
        for store in &stores {
            stored.push(self.element_stored(buffer, node.dtype, &node.shape, store)?);
        }
        Some(buffer)
    }

    fn element_stored(
        &mut self,
        buffer: usize,
        dtype: DType,
        shape: &[Dim],
        store: &StepStore,
    ) -> Option<ElementStore> {
        let value = self.number(store.value)?;
        let mut place = Vec::with_capacity(shape.len());
        let mut inside = None;
        for (first, dim) in store.place()?.zip(shape) {
            let (at, known) = match first {
                StoreFirst::At(at) => (self.length(at)?, at.known()),
                StoreFirst::Made(node) => (self.number(*node)?, None),
            };
            place.push(at);
            match (known, dim.known()) {
                (Some(at), Some(size)) if at < size => continue,
                (Some(_), Some(_)) => return None,
                _ => {}
            }
            let length = self.length(dim)?;
            let within = self.b.ins().icmp(IntCC::UnsignedLessThan, at, length);
            inside = Some(match inside {
                Some(others) => self.b.ins().band(others, within),
                None => within,
            });
        }
        let flat = self.flat(&place, shape)?;
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
