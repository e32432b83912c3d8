//! The functions that are called from outside.
//!
//! ```text
//! int NAME(const arr_in_T *x, ..., const arr_out_T *y, ..., void *scratch)
//! int NAME_shape(const arr_in_T *x, ..., int64_t *y, ...)
//! int64_t NAME_scratch(const arr_in_T *x, ...)
//! const char *NAME_error(int code)
//! ```

use super::driver::{Driver, code};
use super::inputs::{Entry, Script};
use super::module::ObjectCode;
use super::symbolic::Step;
use super::writer::{Writer, define};
use crate::exec::plan::Storage;
use crate::ir::NodeId;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::collections::HashMap;

impl Script<'_> {
    /// Defines all functions.
    pub(super) fn write(&self, object: &mut ObjectCode, name: &str) -> Result<(), String> {
        let (inputs, outputs) = (self.inputs.len(), self.program.outputs.len());
        let mut most = 0;
        let signature = object.signature(inputs + outputs + 1, Some(types::I32));
        let count = object.variants();
        let mut functions = Vec::new();
        for variant in 0..count {
            object.in_variant(variant, |object| {
                let id = match count {
                    1 => object.exported(name, &signature)?,
                    _ => object.named(&object.name_of_variant(name), &signature)?,
                };
                functions.push(id);
                define(object, id, signature.clone(), |w, params| {
                    most = most.max(self.run(w, params)?);
                    Ok(())
                })
            })?;
        }
        if count > 1 {
            object.choose(name, &signature, &functions, code::PROCESSOR)?;
        }
        let signature = object.signature(inputs + outputs, Some(types::I32));
        let id = object.exported(&format!("{name}_shape"), &signature)?;
        define(object, id, signature, |w, params| self.shapes(w, params))?;
        let signature = object.signature(inputs, Some(types::I64));
        let id = object.exported(&format!("{name}_scratch"), &signature)?;
        define(object, id, signature, |w, params| self.scratch(w, params, most))?;
        let mut signature = object.signature(0, Some(types::I64));
        signature.params.push(cranelift_codegen::ir::AbiParam::new(types::I32));
        let id = object.exported(&format!("{name}_error"), &signature)?;
        define(object, id, signature, |w, params| self.error(w, params[0]))
    }

    /// The block that returns its parameter, a code; as a negative number if that is `wide`.
    fn end(w: &mut Writer, fail: Block, wide: bool) {
        let code = w.b.append_block_param(fail, types::I64);
        w.b.switch_to_block(fail);
        let code = if wide { w.b.ins().ineg(code) } else { w.b.ins().ireduce(types::I32, code) };
        w.b.ins().return_(&[code]);
        w.b.set_cold_block(fail);
    }

    /// The function itself; the bytes of its workspace.
    fn run(&self, w: &mut Writer, params: &[Value]) -> Result<i64, String> {
        let fail = w.b.create_block();
        let inputs = self.inputs.len();
        let outputs = &params[inputs..params.len() - 1];
        let mut entry = Entry::new(w, self, fail, &params[..inputs])?;
        let given: Vec<Value> = outputs.iter().map(|&output| entry.w.load(output, 0)).collect();
        let bytes = entry.outputs(outputs)?;
        entry.overlaps(&given, &bytes);
        let scratch = *params.last().expect("scratch is the last");
        let scratch = entry.w.plus(scratch, 63);
        let mut top = entry.w.b.ins().band_imm_s(scratch, -64);
        let mut storages = HashMap::new();
        let copies = entry.copies();
        for (index, described) in entry.inputs.iter().enumerate() {
            // What is not in C order is copied to where there is room.
            let place = entry.w.b.ins().select(described.dense, described.data, top);
            storages.insert(Storage::Input(index as u32), (place, top));
            top = entry.w.b.ins().iadd(top, copies[index]);
        }
        let plan = &self.plan.plan;
        let mut fixed = HashMap::new();
        for (index, buffer) in plan.buffers.iter().enumerate() {
            let storage = Storage::Buffer(index as u32);
            if let Some(output) = self.lent(buffer.lent) {
                fixed.insert(storage, given[output]);
                continue;
            }
            let bytes = entry.padded(buffer.dtype, &buffer.sizes);
            fixed.insert(storage, top);
            top = entry.w.b.ins().iadd(top, bytes);
        }
        for (index, scalar) in plan.constants.iter().enumerate() {
            let bytes = scalar.bits.to_le_bytes()[..scalar.dtype.size()].to_vec();
            fixed.insert(Storage::Constant(index as u32), entry.w.data(bytes)?);
        }
        let Entry { w, inputs: described, unknowns, .. } = entry;
        fixed.extend(storages.iter().map(|(storage, (place, _))| (*storage, *place)));
        let mut driver = Driver { w, unknowns, storages: fixed, workspace: top, used: 0, most: 0, fail };
        for (index, (input, of)) in described.iter().zip(&self.inputs).enumerate() {
            let (_, aside) = storages[&Storage::Input(index as u32)];
            let (copy, after) = (driver.w.b.create_block(), driver.w.b.create_block());
            driver.w.b.ins().brif(input.dense, after, &[], copy, &[]);
            driver.w.b.switch_to_block(copy);
            driver.copy_array(of.dtype, &input.sizes, (input.data, &input.strides), aside)?;
            driver.w.b.ins().jump(after, &[]);
            driver.w.b.switch_to_block(after);
        }
        for step in &plan.steps {
            match step {
                Step::Run(nest) => driver.nest(nest)?,
                Step::Check { check, at } => driver.check(*check, at),
            }
        }
        for (index, output) in plan.outputs.iter().enumerate() {
            let made_there = match output.storage {
                Storage::Buffer(buffer) => self.lent(plan.buffers[buffer as usize].lent) == Some(index),
                _ => false,
            };
            if !made_there {
                driver.copy_out(output, given[index])?;
            }
        }
        let most = driver.most;
        let ok = w_int32(driver.w, code::OK);
        driver.w.b.ins().return_(&[ok]);
        Self::end(driver.w, fail, false);
        Ok(most)
    }

    /// The output in whose memory a node is made.
    fn lent(&self, node: Option<NodeId>) -> Option<usize> {
        self.program.outputs.iter().position(|output| Some(output.node) == node)
    }

    /// Writes the shapes of the outputs.
    fn shapes(&self, w: &mut Writer, params: &[Value]) -> Result<(), String> {
        let fail = w.b.create_block();
        let inputs = self.inputs.len();
        let mut entry = Entry::new(w, self, fail, &params[..inputs])?;
        for (place, &to) in self.plan.plan.outputs.iter().zip(&params[inputs..]) {
            for (axis, size) in place.sizes.iter().enumerate() {
                let size = entry.form(size);
                entry.w.store(size, to, 8 * axis as i32);
            }
        }
        let ok = w_int32(w, code::OK);
        w.b.ins().return_(&[ok]);
        Self::end(w, fail, false);
        Ok(())
    }

    /// The bytes of scratch, or the negative code of what is wrong.
    fn scratch(&self, w: &mut Writer, params: &[Value], most: i64) -> Result<(), String> {
        let fail = w.b.create_block();
        let mut entry = Entry::new(w, self, fail, params)?;
        let mut sum = entry.w.int(most + 64);
        for bytes in entry.copies() {
            sum = entry.w.add(sum, bytes);
        }
        for buffer in self.plan.plan.buffers.iter().filter(|buffer| self.lent(buffer.lent).is_none()) {
            let bytes = entry.padded(buffer.dtype, &buffer.sizes);
            sum = entry.w.add(sum, bytes);
        }
        w.b.ins().return_(&[sum]);
        Self::end(w, fail, true);
        Ok(())
    }

    fn error(&self, w: &mut Writer, given: Value) -> Result<(), String> {
        for (code, text) in &self.failures {
            let (yes, no) = (w.b.create_block(), w.b.create_block());
            let is = w.b.ins().icmp_imm_s(IntCC::Equal, given, *code);
            w.b.ins().brif(is, yes, &[], no, &[]);
            w.b.switch_to_block(yes);
            let text = w.data([text.as_bytes(), b"\0"].concat())?;
            w.b.ins().return_(&[text]);
            w.b.switch_to_block(no);
        }
        let text = w.data(b"no such code\0".to_vec())?;
        w.b.ins().return_(&[text]);
        Ok(())
    }
}

fn w_int32(w: &mut Writer, value: i64) -> Value {
    w.b.ins().iconst(types::I32, value)
}
