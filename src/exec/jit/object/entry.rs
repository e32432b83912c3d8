//! The functions that are called from outside.
//!
//! ```text
//! int NAME(const arr_in_T *x, ..., const arr_out_T *y, ..., void *scratch, const volatile int *stop)
//! int NAME_shape(const arr_in_T *x, ..., int64_t *y, ...)
//! int64_t NAME_scratch(const arr_in_T *x, ...)
//! const char *NAME_error(int code)
//! ```

use super::driver::code;
use super::frame::{Frames, ReadyInputs};
use super::inputs::{EntryWriter, ScriptFunctions};
use super::module::ObjectCode;
use super::readable::reads_at_positions;
use super::refusal::BuildRefusal;
use super::running::StagedWriter;
use super::shared::SharedLoops;
use super::writer::{CodeWriter, define};
use crate::array::Array;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value, types};
use cranelift_module::FuncId;

impl ScriptFunctions<'_> {
    /// Defines all functions.
    pub(super) fn write(&self, object: &mut ObjectCode, name: &str) -> Result<(), BuildRefusal> {
        let (inputs, outputs) = (self.inputs.len(), self.program.outputs.len());
        let mut most = 0;
        let frames = self.frames(object)?;
        let signature = object.signature(inputs + outputs + 2, Some(types::I32));
        let count = object.variants();
        let mut functions = vec![None; count];
        for group in self.groups(count) {
            let [first, _, ..] = group.variants() else { continue };
            let first = *first;
            let shared = object.signature(inputs + outputs + 3, Some(types::I32));
            let all = object.in_variant(first, |object| object.local(&shared))?;
            let made = object.in_variants(group, |object| {
                define(object, all, shared, |w, params| {
                    let (&table, params) = params.split_last().expect("the table comes last");
                    w.find_loops(table);
                    most = most.max(self.run(w, params, frames)?);
                    Ok(())
                })
            });
            // If levels have loops of several forms, each level has a function of its own. What else is refused here is
            // refused there too.
            let Ok(made) = made else { continue };
            for &variant in made.variants() {
                object.in_variant(variant, |object| {
                    let id = object.declare_named(&object.name_of_variant(name), &signature)?;
                    functions[variant] = Some(id);
                    object.lead(id, inputs + outputs + 2, all, made.of(variant))
                })?;
            }
        }
        for (variant, function) in functions.iter_mut().enumerate().filter(|(_, known)| known.is_none()) {
            object.in_variant(variant, |object| {
                let id = match count {
                    1 => object.export(name, &signature)?,
                    _ => object.declare_named(&object.name_of_variant(name), &signature)?,
                };
                *function = Some(id);
                define(object, id, signature.clone(), |w, params| {
                    most = most.max(self.run(w, params, frames)?);
                    Ok(())
                })
            })?;
        }
        let functions: Vec<FuncId> = functions.into_iter().flatten().collect();
        if count > 1 {
            object.choose(name, &signature, &functions, code::PROCESSOR)?;
        }
        let signature = object.signature(inputs + outputs, Some(types::I32));
        let id = object.export(&format!("{name}_shape"), &signature)?;
        define(object, id, signature, |w, params| {
            self.shapes(w, params, frames);
            Ok(())
        })?;
        let signature = object.signature(inputs, Some(types::I64));
        let id = object.export(&format!("{name}_scratch"), &signature)?;
        define(object, id, signature, |w, params| {
            self.scratch(w, params, most, frames);
            Ok(())
        })?;
        let mut signature = object.signature(0, Some(types::I64));
        signature.params.push(cranelift_codegen::ir::AbiParam::new(types::I32));
        let id = object.export(&format!("{name}_error"), &signature)?;
        define(object, id, signature, |w, params| self.error(w, params[0]))
    }

    /// The levels that may share a function: all, if their loops are called in one way.
    fn groups(&self, variants: usize) -> Vec<SharedLoops> {
        match variants {
            0 | 1 => Vec::new(),
            _ if self.staged.is_flat() => vec![SharedLoops::new((0..variants).collect(), true)],
            // The lowest level has other loops for rows, and for folds.
            _ => vec![SharedLoops::new((1..variants).collect(), false)],
        }
    }

    /// Writes the function itself. Returns the bytes of its workspace.
    fn run(&self, w: &mut CodeWriter, params: &[Value], frames: Frames) -> Result<i64, BuildRefusal> {
        let fail = w.b.create_block();
        let (&stop, before) = params.split_last().expect("the flag comes last");
        let outputs = &before[self.inputs.len()..before.len() - 1];
        let frame = frames.room(w);
        w.call_or(frames.ready, &[before, &[frame]].concat(), fail);
        let given: Vec<Value> = outputs.iter().map(|&output| w.load(output, 0)).collect();
        let ReadyInputs { places, top, zero } = frames.made(w, frame);
        let none = w.is(stop, IntCC::Equal, 0);
        let stop = w.b.ins().select(none, zero, stop);
        let mut entry = frames.entry(w, frame, fail);
        let laid = entry.lay(&self.staged, top);
        let places = if reads_at_positions(self.program) { entry.readable(places)? } else { places };
        let EntryWriter { w, unknowns: values, .. } = entry;
        let starts = !self.started.is_empty();
        let mut running = StagedWriter { w, unknowns: &self.unknowns, values, fail, stop, most: 0, starts };
        let mut inputs = Vec::new();
        for (number, input) in self.program.inputs.iter().enumerate() {
            let given = self.inputs.iter().position(|of| of.number == number);
            inputs.push(match (given, &input.value) {
                (Some(at), _) => places[at],
                // An array that the script itself holds is in the object.
                (None, Some(array)) => running.w.data(elements(array))?,
                (None, None) => running.w.int(0),
            });
        }
        running.program(&self.staged, &laid, &inputs, &given)?;
        let most = running.most;
        let ok = running.w.int(code::OK);
        running.w.b.ins().jump(fail, &[ok.into()]);
        running.w.end(fail, |w, code| w.b.ins().ireduce(types::I32, code));
        Ok(most)
    }

    /// Writes the function that stores the shapes of the outputs.
    fn shapes(&self, w: &mut CodeWriter, params: &[Value], frames: Frames) {
        let fail = w.b.create_block();
        let (inputs, outputs) = params.split_at(self.inputs.len());
        let frame = frames.room(w);
        w.call_or(frames.inputs, &[inputs, &[frame]].concat(), fail);
        let mut entry = frames.entry(w, frame, fail);
        for (output, &to) in self.program.outputs.iter().zip(outputs) {
            for (axis, size) in self.program.node(output.node).shape.iter().enumerate() {
                let size = entry.dim(size);
                entry.w.store(size, to, 8 * axis as i32);
            }
        }
        let ok = w.int(code::OK);
        w.b.ins().jump(fail, &[ok.into()]);
        w.end(fail, |w, code| w.b.ins().ireduce(types::I32, code));
    }

    /// Writes the function that returns the bytes of scratch, or the negative code of what is wrong.
    fn scratch(&self, w: &mut CodeWriter, params: &[Value], most: i64, frames: Frames) {
        let fail = w.b.create_block();
        let frame = frames.room(w);
        w.call_or(frames.inputs, &[params, &[frame]].concat(), fail);
        let mut entry = frames.entry(w, frame, fail);
        let top = entry.w.int(most + 64);
        let top = frames.with_copies(&mut entry, frame, top);
        let sum = entry.lay(&self.staged, top).end;
        w.b.ins().return_(&[sum]);
        w.end(fail, |w, code| w.b.ins().ineg(code));
    }

    /// Writes the function that returns the text of a code. Texts lie one after the other, behind a table that says how
    /// far each is from the first byte.
    fn error(&self, w: &mut CodeWriter, given: Value) -> Result<(), BuildRefusal> {
        let known = self.failures.iter().map(|(code, _)| *code as usize + 1).max().unwrap_or(0);
        let mut distances = vec![0u16; known + 1];
        let mut texts = Vec::new();
        let mut add = |text: &str| {
            let at = 2 * (known + 1) + texts.len();
            texts.extend([text.as_bytes(), b"\0"].concat());
            u16::try_from(at).map_err(|_| BuildRefusal::Failed("its checks have too many words".to_owned()))
        };
        distances.fill(add("no such code")?);
        for (code, text) in &self.failures {
            distances[*code as usize] = add(text)?;
        }
        let bytes = distances.iter().flat_map(|distance| distance.to_le_bytes()).chain(texts).collect();
        let table = w.data(bytes)?;
        // A code below 0 counts as a large one.
        let last = w.b.ins().iconst(types::I32, known as i64);
        let code = w.b.ins().umin(given, last);
        let code = w.b.ins().uextend(types::I64, code);
        let place = w.times(code, 2);
        let place = w.add(table, place);
        let distance = w.b.ins().uload16(types::I64, MemFlagsData::new().with_notrap(), place, 0);
        let text = w.add(table, distance);
        w.b.ins().return_(&[text]);
        Ok(())
    }
}

/// The elements of an array in C order.
fn elements(array: &Array) -> Vec<u8> {
    let size = array.dtype().size();
    (0..array.len()).flat_map(|at| array.get(at).bits.to_le_bytes()[..size].to_vec()).collect()
}
