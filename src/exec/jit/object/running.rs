//! The code that runs a schedule. Its kernels, routines and loops stand one after the other.

use super::driver::{Driver, code};
use super::form::{LinearForm, Unknowns};
use super::layout::{LoopLayout, PartLayout, ProgramLayout};
use super::refusal::BuildRefusal;
use super::staged::{ArrayOf, Kernels, LoopPart, Part, PartSource, PartTarget, StagedProgram};
use super::symbolic::SymbolicStep;
use super::writer::CodeWriter;
use crate::exec::plan::Storage;
use crate::ir::loops::LoopOver;
use crate::types::Dim;
use crate::types::affine::Affine;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, InstBuilder, MemFlagsData, Value, types};
use cranelift_frontend::Variable;
use std::collections::HashMap;

/// What writes programs in parts.
pub(super) struct StagedWriter<'r, 'w, 'f> {
    pub(super) w: &'r mut CodeWriter<'w, 'f>,
    pub(super) unknowns: &'r Unknowns,
    /// The value of each unknown.
    pub(super) values: Vec<Value>,
    /// The block that a failure goes to, with its code.
    pub(super) fail: Block,
    /// The address of the flag that says that nobody wants to wait.
    pub(super) stop: Value,
    /// The most bytes of workspace that a kernel has used.
    pub(super) most: i64,
    /// Whether a fold that needs an element may have none here.
    pub(super) starts: bool,
}

impl<'w, 'f> StagedWriter<'_, 'w, 'f> {
    /// The length of a dimension.
    pub(super) fn dim(&mut self, dim: &Dim) -> Value {
        let size = dim.form().unwrap_or_else(|| Affine::constant(i64::MAX));
        let form: LinearForm = self.unknowns.form(&size);
        form.write(self.w, &self.values)
    }

    pub(super) fn sizes(&mut self, kind: &ArrayOf) -> Vec<Value> {
        kind.shape.iter().map(|dim| self.dim(dim)).collect()
    }

    pub(super) fn bytes(&mut self, kind: &ArrayOf) -> Value {
        let mut bytes = self.w.int(kind.dtype.size() as i64);
        for size in self.sizes(kind) {
            bytes = self.w.mul(bytes, size);
        }
        bytes
    }

    /// Ends the call if somebody does not want to wait.
    pub(super) fn poll(&mut self) {
        let flags = MemFlagsData::new().with_notrap();
        let stop = self.w.b.ins().load(types::I32, flags, self.stop, 0);
        let next = self.w.b.create_block();
        let code = self.w.int(code::INTERRUPT);
        self.w.b.ins().brif(stop, self.fail, &[BlockArg::from(code)], next, &[]);
        self.w.b.switch_to_block(next);
    }

    /// Writes a program whose inputs and outputs lie at addresses.
    pub(super) fn program(
        &mut self,
        staged: &StagedProgram,
        laid: &ProgramLayout,
        inputs: &[Value],
        outputs: &[Value],
    ) -> Result<(), BuildRefusal> {
        let held = staged.held.iter().zip(&laid.held);
        let held: Vec<Value> = held.map(|(held, &at)| held.output.map_or(at, |output| outputs[output])).collect();
        let place = |source: &PartSource| match *source {
            PartSource::Input(input) => inputs[input],
            PartSource::Held(at) => held[at],
        };
        for (part, at) in staged.parts.iter().zip(&laid.parts) {
            match (part, at) {
                (Part::Kernels(kernels), PartLayout::Kernels { buffers, end }) => {
                    let sources: Vec<Value> = kernels.inputs.iter().map(place).collect();
                    let target = |target: &PartTarget| match *target {
                        PartTarget::Output(output) => outputs[output],
                        PartTarget::Held(at) => held[at],
                    };
                    let targets: Vec<Value> = kernels.targets.iter().map(target).collect();
                    self.kernels((staged, kernels), (buffers, *end), &sources, &targets)?;
                }
                (Part::Call(call), PartLayout::Call { scratch }) => {
                    let args: Vec<Value> = call.args.iter().map(|(source, _)| place(source)).collect();
                    self.call(call, &args, held[call.to], *scratch)?;
                }
                (Part::Turning(turning), PartLayout::Turning(own)) => {
                    let args: Vec<Value> = turning.args.iter().map(|(source, _)| place(source)).collect();
                    // What a step folds was not looked at before.
                    let starts = std::mem::take(&mut self.starts);
                    self.turn(turning, own, &args, &held)?;
                    self.starts = starts;
                }
                _ => unreachable!("parts are laid one by one"),
            }
        }
        Ok(())
    }

    /// A driver of kernels.
    pub(super) fn driver<'d>(
        &'d mut self,
        unknowns: &Unknowns,
        storages: HashMap<Storage, Value>,
        workspace: Value,
    ) -> Driver<'d, 'w, 'f> {
        let value = |unknown| {
            let at = self.unknowns.all.iter().position(|known| known == unknown);
            self.values[at.expect("the unknowns of a plan are those of the script")]
        };
        let unknowns = unknowns.all.iter().map(value).collect();
        let (most, fail, starts) = (self.most, self.fail, self.starts);
        Driver { w: self.w, unknowns, storages, workspace, used: 0, most, fail, starts }
    }

    fn kernels(
        &mut self,
        (staged, kernels): (&StagedProgram, &Kernels),
        (buffers, workspace): (&[Value], Value),
        sources: &[Value],
        targets: &[Value],
    ) -> Result<(), BuildRefusal> {
        let plan = &kernels.plan.plan;
        let target_of = |node| {
            let at = kernels.nodes.iter().position(|own| Some(*own) == node);
            at.filter(|_| kernels.lends)
        };
        let mut storages = HashMap::new();
        for input in &plan.inputs {
            storages.insert(Storage::Input(input.input), sources[input.input as usize]);
        }
        for (index, buffer) in plan.buffers.iter().enumerate() {
            let place = target_of(buffer.lent).map_or(buffers[index], |at| targets[at]);
            storages.insert(Storage::Buffer(index as u32), place);
        }
        for (index, scalar) in plan.constants.iter().enumerate() {
            let bytes = scalar.bits.to_le_bytes()[..scalar.dtype.size()].to_vec();
            storages.insert(Storage::Constant(index as u32), self.w.data(bytes)?);
        }
        for step in &plan.steps {
            match step {
                SymbolicStep::Run(nest) => {
                    self.poll();
                    let mut driver = self.driver(&kernels.plan.unknowns, storages.clone(), workspace);
                    driver.nest(nest)?;
                    self.most = driver.most;
                }
                SymbolicStep::Check { check, at } => {
                    let mut driver = self.driver(&kernels.plan.unknowns, storages.clone(), workspace);
                    driver.check(kernels.codes[*check], at);
                }
            }
        }
        let mut driver = self.driver(&kernels.plan.unknowns, storages, workspace);
        for (index, output) in plan.outputs.iter().enumerate() {
            let made_there = match output.storage {
                Storage::Buffer(buffer) => target_of(plan.buffers[buffer as usize].lent) == Some(index),
                // A routine made it in the memory of the output.
                Storage::Input(input) => match (kernels.inputs[input as usize], kernels.targets[index]) {
                    (PartSource::Held(held), PartTarget::Output(output)) => staged.held[held].output == Some(output),
                    _ => false,
                },
                Storage::Constant(_) => false,
            };
            if !made_there {
                driver.copy_out(output, targets[index])?;
            }
        }
        Ok(())
    }

    /// Writes a loop, a step after the other. Each step reads the states in one place and writes them to another.
    fn turn(&mut self, of: &LoopPart, laid: &LoopLayout, args: &[Value], held: &[Value]) -> Result<(), BuildRefusal> {
        let (count, first) = match of.over {
            LoopOver::Steps => (self.w.load(args[0], 0), 1),
            LoopOver::Rows { axis, .. } => (self.dim(&of.args[of.states].1.shape[axis as usize]), 0),
        };
        let now: Vec<Variable> = (0..of.states).map(|_| self.w.b.declare_var(types::I64)).collect();
        for (state, &variable) in now.iter().enumerate() {
            self.w.b.def_var(variable, args[first + state]);
        }
        let (head, inside, done) = (self.w.b.create_block(), self.w.b.create_block(), self.w.b.create_block());
        self.numbers(of, laid, (args, count), (&now, done));
        let number = self.w.b.append_block_param(head, types::I64);
        let zero = self.w.int(0);
        self.w.b.ins().jump(head, &[zero.into()]);
        self.w.b.switch_to_block(head);
        let more = self.w.b.ins().icmp(IntCC::SignedLessThan, number, count);
        self.w.b.ins().brif(more, inside, &[], done, &[]);
        self.w.b.switch_to_block(inside);
        self.poll();
        let states: Vec<Value> = now.iter().map(|&variable| self.w.b.use_var(variable)).collect();
        let place = match of.over {
            LoopOver::Rows { reverse: true, .. } => {
                let last = self.w.plus(count, -1);
                self.w.sub(last, number)
            }
            LoopOver::Steps | LoopOver::Rows { .. } => number,
        };
        let mut inputs = states.clone();
        let used = self.steps_of(of, laid, (number, place), args, &mut inputs)?;
        inputs.extend(used);
        if let (Some(condition), Some(laid_condition)) = (&of.condition, &laid.condition) {
            self.program(condition, laid_condition, &inputs, &[laid.asked])?;
            self.go_on_if_asked(laid.asked, done);
        }
        let mut next = Vec::new();
        for (places, &now) in laid.states.iter().zip(&states) {
            // The next state goes to the place that the step does not read.
            let is_first = self.w.b.ins().icmp(IntCC::Equal, now, places[0]);
            next.push(self.w.b.ins().select(is_first, places[1], places[0]));
        }
        let results = self.results_of(of, laid, place, held);
        let mut outputs = next.clone();
        outputs.extend(results.iter().copied());
        outputs.extend(of.asks.then_some(laid.asked));
        self.program(&of.step, &laid.step, &inputs, &outputs)?;
        self.put_rows(of, &results, place, held)?;
        for (&variable, &next) in now.iter().zip(&next) {
            self.w.b.def_var(variable, next);
        }
        if of.asks {
            self.go_on_if_asked(laid.asked, done);
        }
        let following = self.w.plus(number, 1);
        self.w.b.ins().jump(head, &[following.into()]);
        self.w.b.switch_to_block(done);
        if of.over == LoopOver::Steps {
            for (state, result) in of.results.iter().enumerate() {
                let Some(result) = result else { continue };
                let from = self.w.b.use_var(now[state]);
                let bytes = self.bytes(&of.gives[state]);
                self.w.copy(held[*result], from, bytes);
            }
        }
        Ok(())
    }

    /// Leaves a loop unless a truth value holds.
    fn go_on_if_asked(&mut self, asked: Value, done: Block) {
        let flags = MemFlagsData::new().with_notrap();
        let holds = self.w.b.ins().load(types::I8, flags, asked, 0);
        let next = self.w.b.create_block();
        self.w.b.ins().brif(holds, next, &[], done, &[]);
        self.w.b.switch_to_block(next);
    }

    /// Adds the counter, or the rows of the step, to the step's inputs. Returns what the step uses from outside.
    fn steps_of(
        &mut self,
        of: &LoopPart,
        laid: &LoopLayout,
        (number, place): (Value, Value),
        args: &[Value],
        inputs: &mut Vec<Value>,
    ) -> Result<Vec<Value>, BuildRefusal> {
        let LoopOver::Rows { arrays, axis, .. } = of.over else {
            self.w.store(number, laid.counter, 0);
            inputs.push(laid.counter);
            return Ok(args[of.states + 1..].to_vec());
        };
        let axis = axis as usize;
        for array in 0..arrays {
            let kind = &of.args[of.states + array].1;
            let sizes = self.sizes(kind);
            let strides = self.w.dense_strides(kind.dtype, &sizes);
            let distance = self.w.mul(place, strides[axis]);
            let from = self.w.add(args[of.states + array], distance);
            if axis == 0 {
                inputs.push(from);
                continue;
            }
            let without = |all: &[Value]| [&all[..axis], &all[axis + 1..]].concat();
            let (sizes, strides) = (without(&sizes), without(&strides));
            let mut driver = self.driver(&Unknowns::default(), HashMap::new(), from);
            driver.copy_array(kind.dtype, &sizes, (from, &strides), laid.rows[array])?;
            inputs.push(laid.rows[array]);
        }
        Ok(args[of.states + arrays..].to_vec())
    }

    /// The addresses for the rows of a step's results: the final place if a row is in C order there, else a buffer.
    fn results_of(&mut self, of: &LoopPart, laid: &LoopLayout, place: Value, held: &[Value]) -> Vec<Value> {
        let LoopOver::Rows { axis, .. } = of.over else { return Vec::new() };
        let mut results = Vec::new();
        for (row, &aside) in laid.given.iter().enumerate() {
            results.push(match of.results[row] {
                Some(result) if axis == 0 => {
                    let bytes = self.bytes(&of.gives[of.states + row]);
                    let distance = self.w.mul(place, bytes);
                    self.w.add(held[result], distance)
                }
                _ => aside,
            });
        }
        results
    }

    /// Copies rows that are not in C order at their final place from the buffers to there.
    fn put_rows(&mut self, of: &LoopPart, rows: &[Value], place: Value, held: &[Value]) -> Result<(), BuildRefusal> {
        let LoopOver::Rows { axis: axis @ 1.., .. } = of.over else { return Ok(()) };
        let axis = axis as usize;
        for (row, &from) in rows.iter().enumerate() {
            let Some(result) = of.results[row] else { continue };
            let kind = &of.gives[of.states + row];
            let sizes = self.sizes(kind);
            let strides = self.w.dense_strides(kind.dtype, &sizes);
            let count = self.dim(&of.args[of.states].1.shape[axis]);
            let mut whole = sizes.clone();
            whole.insert(axis, count);
            let mut others = self.w.dense_strides(kind.dtype, &whole);
            let apart = others.remove(axis);
            let distance = self.w.mul(place, apart);
            let to = self.w.add(held[result], distance);
            let mut driver = self.driver(&Unknowns::default(), HashMap::new(), from);
            driver.copy_between(kind.dtype, &sizes, (from, &strides), (to, &others))?;
        }
        Ok(())
    }
}
