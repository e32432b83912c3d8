//! The knowledge that a call has before anything is computed. It is the same at every level, so two functions of an
//! object find it, and leave it in a frame of words on the stack of their caller.
//!
//! ```text
//! inputs(x, ..., frame): each unknown | of each input its strides, and what else [is known](super::described) of it
//! ready(x, ..., y, ..., scratch, frame): the same | where each input lies in C order | the scratch behind | 0
//! ```
//!
//! Both return a code.

use super::described::{self, BYTES_WORD, DENSE_WORD, DescribedInput, HIGH_WORD, LOW_WORD};
use super::driver::code;
use super::inputs::{EntryWriter, InputOf, ScriptFunctions};
use super::module::ObjectCode;
use super::params::Parameters;
use super::refusal::BuildRefusal;
use super::writer::{CodeWriter, define};
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_module::FuncId;

const WORD: usize = 8;

/// Inputs that lie in C order.
pub(super) struct ReadyInputs {
    /// Where each lies.
    pub(super) places: Vec<Value>,
    /// The scratch behind their copies.
    pub(super) top: Value,
    /// The address of a 0.
    pub(super) zero: Value,
}

/// The functions, and where things are in a frame.
#[derive(Clone, Copy)]
pub(super) struct Frames<'s> {
    script: &'s ScriptFunctions<'s>,
    pub(super) inputs: FuncId,
    pub(super) ready: FuncId,
}

impl ScriptFunctions<'_> {
    /// Defines the functions.
    pub(super) fn frames(&self, object: &mut ObjectCode) -> Result<Frames<'_>, BuildRefusal> {
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
        let words = |of: &InputOf| of.shape.len() + described::WORDS;
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

    /// Writes the first function.
    fn find(&self, w: &mut CodeWriter, params: &[Value]) -> Result<(), BuildRefusal> {
        let fail = w.b.create_block();
        let (&frame, inputs) = params.split_last().expect("the frame comes last");
        let inputs = Parameters::new(w, inputs);
        for (number, of) in self.script.inputs.iter().enumerate() {
            let words = w.plus(frame, self.input(number) as i64);
            let (param, rank) = (inputs.get(w, number), of.shape.len());
            let is_only = self.script.inputs.iter().filter(|other| other.shape.len() == rank).count() == 1;
            let input = DescribedInput { param, rank, dtype: of.dtype };
            described::describe(w, input, words, is_only, fail)?;
        }
        let EntryWriter { w, unknowns, .. } = EntryWriter::new(w, self.script, fail, &inputs)?;
        for (number, value) in unknowns.into_iter().enumerate() {
            w.store(value, frame, (WORD * number) as i32);
        }
        let ok = w.int(code::OK);
        w.b.ins().jump(fail, &[ok.into()]);
        w.end(fail, |_, code| code);
        Ok(())
    }

    /// A writer that knows the unknowns of a frame.
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

    /// A word of the description of an input.
    fn known(&self, w: &mut CodeWriter, frame: Value, number: usize, word: usize) -> Value {
        let at = self.input(number) + WORD * (self.script.inputs[number].shape.len() + word);
        w.load(frame, at as i32)
    }

    /// Some bytes, and those that a copy of each input takes. An input in C order needs no copy.
    pub(super) fn with_copies(&self, entry: &mut EntryWriter, frame: Value, mut sum: Value) -> Value {
        for number in 0..self.script.inputs.len() {
            let [dense, bytes] = [DENSE_WORD, BYTES_WORD].map(|word| self.known(entry.w, frame, number, word));
            let bytes = entry.pad(bytes);
            let zero = entry.w.int(0);
            let bytes = entry.w.b.ins().select(dense, zero, bytes);
            sum = entry.w.add(sum, bytes);
            // What is stored is computed here, and not of all inputs at the end. Nobody else needs the word.
            entry.w.store(sum, frame, self.places() as i32);
        }
        sum
    }

    /// Writes the second function, which checks the outputs, and copies inputs that do not lie in C order.
    fn make_ready(&self, w: &mut CodeWriter, params: &[Value]) -> Result<(), BuildRefusal> {
        let fail = w.b.create_block();
        let (inputs, more) = params.split_at(self.script.inputs.len());
        let (outputs, &[scratch, frame]) = more.split_at(more.len() - 2) else { unreachable!("both come last") };
        let (ins, outs) = (Parameters::new(w, inputs), Parameters::new(w, outputs));
        w.call_or(self.inputs, &[inputs, &[frame]].concat(), fail);
        let mut entry = self.entry(w, frame, fail);
        let count = self.script.inputs.len();
        entry.outputs(&outs, &|w, number| {
            let [low, high] = [LOW_WORD, HIGH_WORD].map(|word| self.known(w, frame, number, word));
            (low, high)
        });
        let EntryWriter { w, .. } = entry;
        let scratch = w.plus(scratch, 63);
        let mut top = w.b.ins().band_imm_s(scratch, -64);
        for (number, of) in self.script.inputs.iter().enumerate() {
            let param = ins.get(w, number);
            // An input that is not in C order is copied to free scratch.
            let kind = |of: &InputOf| (of.shape.len(), of.dtype.size());
            let is_only = self.script.inputs.iter().filter(|other| kind(other) == kind(of)).count() == 1;
            let words = w.plus(frame, self.input(number) as i64);
            let place = w.plus(frame, (self.places() + WORD * number) as i64);
            let input = DescribedInput { param, rank: of.shape.len(), dtype: of.dtype };
            top = described::settle(w, input, [words, place, top], is_only)?;
        }
        let zero = w.int(0);
        let behind = (self.places() + WORD * count) as i32;
        w.store(top, frame, behind);
        w.store(zero, frame, behind + WORD as i32);
        w.b.ins().jump(fail, &[zero.into()]);
        w.end(fail, |_, code| code);
        Ok(())
    }

    /// What the frame holds when the inputs are ready.
    pub(super) fn made(&self, w: &mut CodeWriter, frame: Value) -> ReadyInputs {
        let count = self.script.inputs.len();
        let word = |number: usize| (self.places() + WORD * number) as i32;
        let places = (0..count).map(|number| w.load(frame, word(number))).collect();
        let top = w.load(frame, word(count));
        let zero = w.plus(frame, i64::from(word(count + 1)));
        ReadyInputs { places, top, zero }
    }
}
