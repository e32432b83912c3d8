//! The functions that are called from outside.
//!
//! ```text
//! int NAME(const arr_in_T *x, ..., const arr_out_T *y, ..., void *scratch, const volatile int *stop)
//! int NAME_shape(const arr_in_T *x, ..., int64_t *y, ...)
//! int64_t NAME_scratch(const arr_in_T *x, ...)
//! const char *NAME_error(int code)
//! ```

use super::driver::code;
use super::form::Unknowns;
use super::inputs::{EntryWriter, ScriptFunctions};
use super::module::ObjectCode;
use super::running::StagedWriter;
use super::writer::{CodeWriter, define};
use crate::array::Array;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use std::collections::HashMap;

impl ScriptFunctions<'_> {
    /// Defines all functions.
    pub(super) fn write(&self, object: &mut ObjectCode, name: &str) -> Result<(), String> {
        let (inputs, outputs) = (self.inputs.len(), self.program.outputs.len());
        let mut most = 0;
        let signature = object.signature(inputs + outputs + 2, Some(types::I32));
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
    fn end(w: &mut CodeWriter, fail: Block, wide: bool) {
        let code = w.b.append_block_param(fail, types::I64);
        w.b.switch_to_block(fail);
        let code = if wide { w.b.ins().ineg(code) } else { w.b.ins().ireduce(types::I32, code) };
        w.b.ins().return_(&[code]);
        w.b.set_cold_block(fail);
    }

    /// The function itself; the bytes of its workspace.
    fn run(&self, w: &mut CodeWriter, params: &[Value]) -> Result<i64, String> {
        let fail = w.b.create_block();
        let inputs = self.inputs.len();
        let (outputs, more) = params[inputs..].split_at(self.program.outputs.len());
        let &[scratch, stop] = more else { unreachable!("scratch and the flag come last") };
        let mut entry = EntryWriter::new(w, self, fail, &params[..inputs])?;
        let given: Vec<Value> = outputs.iter().map(|&output| entry.w.load(output, 0)).collect();
        let bytes = entry.outputs(outputs)?;
        entry.overlaps(&given, &bytes);
        let (never, none) = (entry.w.data(vec![0; 4])?, entry.w.is(stop, IntCC::Equal, 0));
        let stop = entry.w.b.ins().select(none, never, stop);
        let scratch = entry.w.plus(scratch, 63);
        let mut top = entry.w.b.ins().band_imm_s(scratch, -64);
        let copies = entry.copies();
        let mut places = Vec::new();
        for (described, &bytes) in entry.inputs.iter().zip(&copies) {
            // What is not in C order is copied to where there is room.
            places.push((entry.w.b.ins().select(described.dense, described.data, top), top));
            top = entry.w.b.ins().iadd(top, bytes);
        }
        let laid = entry.lay(&self.staged, top);
        let EntryWriter { w, inputs: described, unknowns: values, .. } = entry;
        let mut running = StagedWriter { w, unknowns: &self.unknowns, values, fail, stop, most: 0 };
        for ((input, of), &(_, aside)) in described.iter().zip(&self.inputs).zip(&places) {
            let (copy, after) = (running.w.b.create_block(), running.w.b.create_block());
            running.w.b.ins().brif(input.dense, after, &[], copy, &[]);
            running.w.b.switch_to_block(copy);
            let mut driver = running.driver(&Unknowns::default(), HashMap::new(), top);
            driver.copy_array(of.dtype, &input.sizes, (input.data, &input.strides), aside)?;
            running.w.b.ins().jump(after, &[]);
            running.w.b.switch_to_block(after);
        }
        let mut inputs = Vec::new();
        for (number, input) in self.program.inputs.iter().enumerate() {
            let given = self.inputs.iter().position(|of| of.number == number);
            inputs.push(match (given, &input.value) {
                (Some(at), _) => places[at].0,
                // What the script itself says is in the object.
                (None, Some(array)) => running.w.data(elements(array))?,
                (None, None) => running.w.int(0),
            });
        }
        running.program(&self.staged, &laid, &inputs, &given)?;
        let most = running.most;
        let ok = w_int32(running.w, code::OK);
        running.w.b.ins().return_(&[ok]);
        Self::end(running.w, fail, false);
        Ok(most)
    }

    /// Writes the shapes of the outputs.
    fn shapes(&self, w: &mut CodeWriter, params: &[Value]) -> Result<(), String> {
        let fail = w.b.create_block();
        let inputs = self.inputs.len();
        let mut entry = EntryWriter::new(w, self, fail, &params[..inputs])?;
        for (output, &to) in self.program.outputs.iter().zip(&params[inputs..]) {
            for (axis, size) in self.program.node(output.node).shape.iter().enumerate() {
                let size = entry.dim(size);
                entry.w.store(size, to, 8 * axis as i32);
            }
        }
        let ok = w_int32(w, code::OK);
        w.b.ins().return_(&[ok]);
        Self::end(w, fail, false);
        Ok(())
    }

    /// The bytes of scratch, or the negative code of what is wrong.
    fn scratch(&self, w: &mut CodeWriter, params: &[Value], most: i64) -> Result<(), String> {
        let fail = w.b.create_block();
        let mut entry = EntryWriter::new(w, self, fail, params)?;
        let mut top = entry.w.int(most + 64);
        for bytes in entry.copies() {
            top = entry.w.add(top, bytes);
        }
        let sum = entry.lay(&self.staged, top).end;
        w.b.ins().return_(&[sum]);
        Self::end(w, fail, true);
        Ok(())
    }

    fn error(&self, w: &mut CodeWriter, given: Value) -> Result<(), String> {
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

/// The elements of an array in C order.
fn elements(array: &Array) -> Vec<u8> {
    let size = array.dtype().size();
    (0..array.len()).flat_map(|at| array.get(at).bits.to_le_bytes()[..size].to_vec()).collect()
}

fn w_int32(w: &mut CodeWriter, value: i64) -> Value {
    w.b.ins().iconst(types::I32, value)
}
