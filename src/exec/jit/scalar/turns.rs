//! The function of a loop, from the nodes of its step.
//!
//! What has one element is a number, computed once. Of an array an element is computed where it is read, from elements of
//! what the array is made of; the elements of inputs and of states are in memory. What a step puts in a state is stored
//! when nothing of the step reads the state as it was: at its end, or before the loop within that goes on with it.

use super::ArgumentKind;
use super::writer::{
    ArrayMemory, Exits, InputValue, LoopResult, Poll, PrimCalls, Writer, WrittenLoop, WrittenStep, is_one, register,
};
use crate::exec::jit::clif::numbers::plain;
use crate::ir::loops::{Loop, LoopOver, LoopRef};
use crate::ir::{Check, NodeId, NodeKind, Program};
use crate::types::{DType, shape};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{AbiParam, Block, InstBuilder, Signature, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::HashMap;

/// Steps of loops within between two questions whether to go on.
const UNASKED: i64 = 1 << 10;

/// A state of a loop.
#[derive(Clone, Copy)]
enum State {
    Number(Variable, DType),
    Array(usize),
}

/// Where a loop goes on.
struct Course {
    number: Variable,
    end: Value,
    states: Vec<State>,
    used: Vec<InputValue>,
    /// Whether it is a loop within, which asks now and then.
    asks: bool,
}

/// Whether the inputs of a step but for the counter have these sizes.
fn fits(of: &Loop, sizes: &[&[usize]]) -> bool {
    let counter = of.states;
    of.step.inputs.len() == sizes.len() + 1
        && of.step.nodes.iter().all(|node| match node.kind {
            NodeKind::Input(input) if input as usize == counter => node.shape.is_empty(),
            NodeKind::Input(input) => {
                let given = sizes[input as usize - usize::from(input as usize > counter)];
                shape::sizes(&node.shape).is_some_and(|own| own == given)
            }
            _ => true,
        })
}

/// Writes the function of a loop; nothing where a step is no matter of numbers.
pub(super) fn write(b: &mut FunctionBuilder, of: &Loop, kinds: &[ArgumentKind]) -> Option<PrimCalls> {
    let mut prim = Signature::new(b.func.signature.call_conv);
    prim.params.extend([AbiParam::new(types::I64); 4]);
    prim.returns.push(AbiParam::new(types::I64));
    let mut ask = Signature::new(b.func.signature.call_conv);
    ask.params.extend([AbiParam::new(types::I64); 3]);
    ask.returns.push(AbiParam::new(types::I64));
    let (prim_signature, ask_signature) = (b.import_signature(prim), b.import_signature(ask));
    let entry = b.create_block();
    b.append_block_params_for_function_params(entry);
    b.switch_to_block(entry);
    let [asked, arrays, scalars, from, to] = b.block_params(entry).try_into().ok()?;
    let [fault, stopped] = [(); 2].map(|()| b.create_block());
    let unasked = b.declare_var(types::I64);
    let most = b.ins().iconst(types::I64, UNASKED);
    b.def_var(unasked, most);
    let mut writer = Writer {
        b,
        calls: Vec::new(),
        prim_signature,
        buffers: Vec::new(),
        steps: Vec::new(),
        question: Poll { signature: ask_signature, of: asked, unasked },
        exits: Exits { fault, stopped },
    };
    writer.whole(of, kinds, (arrays, scalars), (from, to))?;
    Some(writer.calls)
}

impl<'p> Writer<'_, '_, 'p> {
    /// The outermost loop, with its arguments from memory.
    fn whole(
        &mut self,
        of: &'p Loop,
        kinds: &[ArgumentKind],
        (arrays, scalars): (Value, Value),
        (from, to): (Value, Value),
    ) -> Option<()> {
        let sizes: Vec<&[usize]> = kinds.iter().map(|(_, sizes)| &sizes[..]).collect();
        if !fits(of, &sizes) {
            return None;
        }
        let (mut states, mut used, mut places) = (Vec::new(), Vec::new(), Vec::new());
        let (mut numbers, mut pointers) = (0, (0..).map(|array: i32| 8 * array));
        for (input, (dtype, sizes)) in kinds.iter().enumerate() {
            let ty = register(*dtype)?;
            let is_state = input < of.states;
            if is_one(sizes) {
                let bits = self.b.ins().load(types::I64, plain(), scalars, 8 * numbers);
                let value = self.of_bits(bits, *dtype);
                numbers += 1;
                match is_state {
                    true => {
                        let variable = self.b.declare_var(ty);
                        self.b.def_var(variable, value);
                        places.push((variable, *dtype, 8 * (numbers - 1)));
                        states.push(State::Number(variable, *dtype));
                    }
                    false => used.push(InputValue::Number(value)),
                }
                continue;
            }
            let base = self.b.ins().load(types::I64, plain(), arrays, pointers.next()?);
            self.buffers.push(ArrayMemory { base, version: 0, is_state });
            let buffer = self.buffers.len() - 1;
            match is_state {
                true => states.push(State::Array(buffer)),
                false => used.push(InputValue::Array((buffer, 0))),
            }
        }
        let number = self.b.declare_var(types::I64);
        self.b.def_var(number, from);
        let ended = self.turns(of, Course { number, end: to, states, used, asks: false })?;
        for (variable, dtype, place) in places {
            let value = self.b.use_var(variable);
            let bits = self.bits(value, dtype);
            self.b.ins().store(plain(), bits, scalars, place);
        }
        self.b.ins().return_(&[ended]);
        for (block, code) in [(self.exits.fault, 2), (self.exits.stopped, 3)] {
            self.b.switch_to_block(block);
            let code = self.b.ins().iconst(types::I64, code);
            self.b.ins().return_(&[code]);
        }
        Some(())
    }

    /// All turns of a loop: behind them, 1 where its condition ended it and 0 where its count did.
    fn turns(&mut self, of: &'p Loop, course: Course) -> Option<Value> {
        if of.over != LoopOver::Steps || of.asks || !of.step.lengths.is_empty() {
            return None;
        }
        let Course { number, end, states, used, asks } = course;
        let ended = self.b.declare_var(types::I64);
        let [head, body, exit] = [(); 3].map(|()| self.b.create_block());
        let not_ended = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(ended, not_ended);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let at = self.b.use_var(number);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, at, end);
        self.b.ins().brif(more, body, &[], exit, &[]);
        self.b.switch_to_block(body);
        if asks {
            self.ask(at, end);
        }
        let mut given: Vec<InputValue> = Vec::with_capacity(of.step.inputs.len());
        for state in &states {
            given.push(match *state {
                State::Number(variable, _) => InputValue::Number(self.b.use_var(variable)),
                State::Array(buffer) => {
                    self.buffers[buffer].version += 1;
                    InputValue::Array((buffer, self.buffers[buffer].version))
                }
            });
        }
        given.push(InputValue::Number(at));
        given.extend(used);
        let (numbers, left) = (HashMap::new(), HashMap::new());
        self.steps.push(WrittenStep { program: &of.step, given, numbers, left, loops: Vec::new() });
        if let Some(condition) = &of.condition {
            self.condition(condition, ended, exit)?;
        }
        self.step(&of.step)?;
        let next = self.next(&of.step, &states)?;
        self.steps.pop();
        for (variable, value) in next {
            self.b.def_var(variable, value);
        }
        let after = self.b.ins().iadd_imm_s(at, 1);
        self.b.def_var(number, after);
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(exit);
        for state in &states {
            if let State::Array(buffer) = *state {
                self.buffers[buffer].version += 1;
            }
        }
        Some(self.b.use_var(ended))
    }

    /// Asks after some steps whether to go on.
    fn ask(&mut self, done: Value, count: Value) {
        let left = self.b.use_var(self.question.unasked);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(self.question.unasked, left);
        let [ask, on] = [(); 2].map(|()| self.b.create_block());
        self.b.set_cold_block(ask);
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.b.ins().brif(none, ask, &[], on, &[]);
        self.b.switch_to_block(ask);
        let function = self.b.ins().load(types::I64, plain(), self.question.of, 0);
        let context = self.b.ins().load(types::I64, plain(), self.question.of, 8);
        let answer = self.b.ins().call_indirect(self.question.signature, function, &[context, done, count]);
        let answer = self.b.inst_results(answer)[0];
        let most = self.b.ins().iconst(types::I64, UNASKED);
        self.b.def_var(self.question.unasked, most);
        self.b.ins().brif(answer, self.exits.stopped, &[], on, &[]);
        self.b.switch_to_block(on);
    }

    /// Leaves the loop where its condition does not hold.
    fn condition(&mut self, condition: &'p Program, ended: Variable, exit: Block) -> Option<()> {
        // Both are of the same nodes, so that what the condition computed is known to the step.
        if condition.nodes != self.program(self.depth()).nodes || !condition.lengths.is_empty() {
            return None;
        }
        self.checks(&condition.checks)?;
        let holds = self.number(condition.outputs.first()?.node)?;
        let yes = self.b.ins().iconst(types::I64, 1);
        let [on, over] = [(); 2].map(|()| self.b.create_block());
        self.b.ins().brif(holds, on, &[], over, &[]);
        self.b.switch_to_block(over);
        self.b.def_var(ended, yes);
        self.b.ins().jump(exit, &[]);
        self.b.switch_to_block(on);
        Some(())
    }

    /// Leaves the function where one of some conditions fails.
    fn checks<'c>(&mut self, checks: impl IntoIterator<Item = &'c Check>) -> Option<()> {
        for check in checks {
            let first = self.number(check.node)?;
            let fails = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, first, 0);
            let on = self.b.create_block();
            self.b.ins().brif(fails, self.exits.fault, &[], on, &[]);
            self.b.switch_to_block(on);
        }
        Some(())
    }

    /// All numbers of a step, its conditions, and the loops within. No loop runs before the conditions that stand before it.
    fn step(&mut self, step: &'p Program) -> Option<()> {
        let depth = self.depth();
        let needed = step.needed();
        let mut looked_at = 0;
        for index in (0..step.nodes.len()).filter(|&index| needed[index]) {
            let id = NodeId(index as u32);
            let node = step.node(id);
            match &node.kind {
                NodeKind::Loop { of, args, result } => {
                    self.checks(step.checks.iter().filter(|check| (looked_at..index).contains(&check.node.index())))?;
                    looked_at = index;
                    self.within(id, of, args, *result as usize)?;
                }
                NodeKind::Input(_) => {}
                _ if is_one(&shape::sizes(&node.shape)?) => {
                    self.number_at(depth, id)?;
                }
                _ => {}
            }
        }
        self.checks(step.checks.iter().filter(|check| check.node.index() >= looked_at))
    }

    /// A loop within, or one more of its results.
    fn within(&mut self, id: NodeId, of: &'p LoopRef, args: &'p [NodeId], result: usize) -> Option<()> {
        let known = self.current().loops.iter().position(|known| known.of == of && known.args == args);
        if known.is_none() {
            self.run_within(of, args)?;
        }
        let at = known.unwrap_or(self.current().loops.len() - 1);
        match self.current().loops[at].results[result] {
            LoopResult::Array(held) => self.current().left.insert(id, held).map(drop),
            LoopResult::Number(number) => self.current().numbers.insert(id, number).map(drop),
        };
        Some(())
    }

    fn run_within(&mut self, of: &'p LoopRef, args: &'p [NodeId]) -> Option<()> {
        let depth = self.depth();
        let program = self.program(depth);
        let (count, rest) = args.split_first()?;
        let end = self.number(*count)?;
        let sizes = rest.iter().map(|arg| shape::sizes(&program.node(*arg).shape)).collect::<Option<Vec<_>>>()?;
        if !fits(&of.0, &sizes.iter().map(|sizes| &sizes[..]).collect::<Vec<_>>()) {
            return None;
        }
        let (first, used) = rest.split_at_checked(of.0.states)?;
        let (mut states, mut stored) = (Vec::new(), Vec::new());
        for &arg in first {
            let node = program.node(arg);
            if is_one(&shape::sizes(&node.shape)?) {
                let value = self.number(arg)?;
                let variable = self.b.declare_var(register(node.dtype)?);
                self.b.def_var(variable, value);
                states.push(State::Number(variable, node.dtype));
                continue;
            }
            let buffer = self.changed(arg, &mut stored)?;
            let is_taken = states.iter().any(|state| matches!(state, State::Array(taken) if *taken == buffer));
            if is_taken {
                return None;
            }
            states.push(State::Array(buffer));
        }
        let mut given = Vec::with_capacity(used.len());
        for &arg in used {
            let is_number = is_one(&shape::sizes(&program.node(arg).shape)?);
            given.push(match self.held(depth, arg) {
                _ if is_number => InputValue::Number(self.number(arg)?),
                Some(held) => InputValue::Array(held),
                None => InputValue::Outer(arg),
            });
        }
        self.store(stored);
        let number = self.b.declare_var(types::I64);
        let zero = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(number, zero);
        for state in &states {
            if let State::Array(buffer) = *state {
                self.buffers[buffer].version += 1;
            }
        }
        self.turns(&of.0, Course { number, end, states: states.clone(), used: given, asks: true })?;
        let results = states.into_iter().map(|state| match state {
            State::Number(variable, _) => LoopResult::Number(self.b.use_var(variable)),
            State::Array(buffer) => LoopResult::Array((buffer, self.buffers[buffer].version)),
        });
        let results = results.collect();
        self.current().loops.push(WrittenLoop { of, args, results });
        Some(())
    }

    /// The next states: numbers as they will be, and elements are put in arrays.
    fn next(&mut self, step: &'p Program, states: &[State]) -> Option<Vec<(Variable, Value)>> {
        let (mut next, mut stored) = (Vec::new(), Vec::new());
        for (state, output) in states.iter().zip(&step.outputs) {
            match *state {
                State::Number(variable, dtype) => {
                    if step.node(output.node).dtype != dtype {
                        return None;
                    }
                    next.push((variable, self.number(output.node)?));
                }
                State::Array(buffer) => {
                    if self.changed(output.node, &mut stored)? != buffer {
                        return None;
                    }
                }
            }
        }
        self.store(stored);
        Some(next)
    }
}
