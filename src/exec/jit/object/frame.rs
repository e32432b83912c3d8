//! What is found out before anything is computed, which is the same at every level: two functions of an object do it, and
//! leave it in a frame of words on the stack of their caller.
//!
//! ```text
//! inputs(x, ..., frame): each unknown | of each input its strides, whether it lies in C order, its bytes
//! ready(x, ..., y, ..., scratch, frame): likewise | where each input lies in C order | the scratch behind | 0
//! ```
//!
//! Both return a code.

use super::driver::{Driver, code};
use super::inputs::{Described, EntryWriter, ScriptFunctions};
use super::module::ObjectCode;
use super::writer::{CodeWriter, define};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, Value, types};
use cranelift_module::FuncId;
use std::collections::HashMap;

const WORD: usize = 8;

/// The functions, and where things are in a frame.
#[derive(Clone, Copy)]
pub(super) struct Frames<'s> {
    script: &'s ScriptFunctions<'s>,
    pub(super) inputs: FuncId,
    pub(super) ready: FuncId,
}

impl ScriptFunctions<'_> {
    /// Defines the functions.
    pub(super) fn frames(&self, object: &mut ObjectCode) -> Result<Frames<'_>, String> {
        let (inputs, outputs) = (self.inputs.len(), self.program.outputs.len());
        let [found, made] = [inputs + 1, inputs + outputs + 2].map(|params| object.signature(params, Some(types::I64)));
        let frames = Frames { script: self, inputs: object.local(&found)?, ready: object.local(&made)? };
        define(object, frames.inputs, found, |w, params| frames.find(w, params))?;
        define(object, frames.ready, made, |w, params| frames.make_ready(w, params))?;
        Ok(frames)
    }
}

impl<'s> Frames<'s> {
    /// Where the words of an input begin.
    fn input(&self, number: usize) -> usize {
        let words = |of: &super::inputs::InputOf| of.shape.len() + 2;
        WORD * (self.script.unknowns.all.len() + self.script.inputs[..number].iter().map(words).sum::<usize>())
    }

    /// Where the places of inputs begin.
    fn places(&self) -> usize {
        self.input(self.script.inputs.len())
    }

    /// Memory for a frame.
    pub(super) fn room(&self, w: &mut CodeWriter) -> Value {
        let slot = w.stack(self.places() + WORD * (self.script.inputs.len() + 2));
        w.stack_address(slot)
    }

    /// Goes on if a function of this object finds nothing wrong.
    pub(super) fn call(w: &mut CodeWriter, function: FuncId, arguments: &[Value], fail: Block) {
        let code = w.call(function, arguments)[0];
        let next = w.b.create_block();
        w.b.ins().brif(code, fail, &[BlockArg::from(code)], next, &[]);
        w.b.switch_to_block(next);
    }

    /// What the first function finds.
    fn find(&self, w: &mut CodeWriter, params: &[Value]) -> Result<(), String> {
        let fail = w.b.create_block();
        let (&frame, inputs) = params.split_last().expect("the frame comes last");
        let EntryWriter { w, inputs, unknowns, .. } = EntryWriter::new(w, self.script, fail, inputs)?;
        for (number, value) in unknowns.into_iter().enumerate() {
            w.store(value, frame, (WORD * number) as i32);
        }
        for (number, input) in inputs.iter().enumerate() {
            let dense = w.b.ins().uextend(types::I64, input.dense);
            for (word, &value) in input.strides.iter().chain([&dense, &input.bytes]).enumerate() {
                w.store(value, frame, (self.input(number) + WORD * word) as i32);
            }
        }
        let ok = w.int(code::OK);
        w.b.ins().return_(&[ok]);
        end(w, fail, |_, code| code);
        Ok(())
    }

    /// A writer that knows what is in a frame; without its inputs.
    pub(super) fn entry<'e, 'w, 'f>(
        &self,
        w: &'e mut CodeWriter<'w, 'f>,
        frame: Value,
        fail: Block,
    ) -> EntryWriter<'e, 'w, 'f>
    where
        's: 'e,
    {
        let count = self.script.unknowns.all.len();
        let unknowns = (0..count).map(|number| w.load(frame, (WORD * number) as i32)).collect();
        EntryWriter::known(w, self.script, fail, unknowns)
    }

    /// Reads the inputs of a frame.
    pub(super) fn read(&self, entry: &mut EntryWriter, frame: Value, params: &[Value]) {
        for (number, (of, &param)) in self.script.inputs.iter().zip(params).enumerate() {
            let w = &mut *entry.w;
            let (data, shape) = (w.load(param, 0), w.load(param, 8));
            let mut word = |at: usize| w.load(frame, (self.input(number) + WORD * at) as i32);
            let rank = of.shape.len();
            let strides = (0..rank).map(&mut word).collect();
            let (dense, bytes) = (word(rank), word(rank + 1));
            let sizes = (0..rank).map(|axis| w.load(shape, (WORD * axis) as i32)).collect();
            let dense = w.b.ins().ireduce(types::I8, dense);
            entry.inputs.push(Described { data, sizes, strides, dense, bytes });
        }
    }

    /// Checks the outputs, and copies inputs that do not lie in C order.
    fn make_ready(&self, w: &mut CodeWriter, params: &[Value]) -> Result<(), String> {
        let fail = w.b.create_block();
        let (inputs, more) = params.split_at(self.script.inputs.len());
        let (outputs, &[scratch, frame]) = more.split_at(more.len() - 2) else { unreachable!("both come last") };
        Frames::call(w, self.inputs, &[inputs, &[frame]].concat(), fail);
        let mut entry = self.entry(w, frame, fail);
        self.read(&mut entry, frame, inputs);
        let given: Vec<Value> = outputs.iter().map(|&output| entry.w.load(output, 0)).collect();
        let bytes = entry.outputs(outputs)?;
        entry.overlaps(&given, &bytes);
        let copies = entry.copies();
        let EntryWriter { w, inputs, .. } = entry;
        let scratch = w.plus(scratch, 63);
        let mut top = w.b.ins().band_imm_s(scratch, -64);
        for (number, ((of, input), &bytes)) in self.script.inputs.iter().zip(&inputs).zip(&copies).enumerate() {
            // What is not in C order is copied to where there is room.
            let place = w.b.ins().select(input.dense, input.data, top);
            w.store(place, frame, (self.places() + WORD * number) as i32);
            let strided = w.is(input.dense, IntCC::Equal, 0);
            let after = w.begin_if(strided);
            let (unknowns, storages) = (Vec::new(), HashMap::new());
            let mut driver = Driver { w: &mut *w, unknowns, storages, workspace: top, used: 0, most: 0, fail };
            driver.copy_array(of.dtype, &input.sizes, (input.data, &input.strides), top)?;
            w.end_if(after);
            top = w.add(top, bytes);
        }
        let zero = w.int(0);
        let behind = (self.places() + WORD * inputs.len()) as i32;
        w.store(top, frame, behind);
        w.store(zero, frame, behind + WORD as i32);
        w.b.ins().return_(&[zero]);
        end(w, fail, |_, code| code);
        Ok(())
    }

    /// Where each input lies, the scratch behind those that were copied, and the address of a 0.
    pub(super) fn made(&self, w: &mut CodeWriter, frame: Value) -> (Vec<Value>, Value, Value) {
        let count = self.script.inputs.len();
        let word = |number: usize| (self.places() + WORD * number) as i32;
        let places = (0..count).map(|number| w.load(frame, word(number))).collect();
        let top = w.load(frame, word(count));
        let zero = w.plus(frame, i64::from(word(count + 1)));
        (places, top, zero)
    }
}

/// The block that returns what is made of its parameter, a code.
pub(super) fn end(w: &mut CodeWriter, fail: Block, of: impl FnOnce(&mut CodeWriter, Value) -> Value) {
    let code = w.b.append_block_param(fail, types::I64);
    w.b.switch_to_block(fail);
    let code = of(w, code);
    w.b.ins().return_(&[code]);
    w.b.set_cold_block(fail);
}
