//! The code of a loop, from the nodes of its step.
//!
//! What has one element is a number, computed once. Of an array an element is computed where it is read, from elements
//! of what the array is made of; the elements of inputs and of states are in memory. What a step puts in a state is
//! stored when nothing of the step reads the state as it was: at its end, or before the loop within that goes on with
//! it.

use super::writer::{
    ArrayMemory, Exits, InputValue, Lengths, LoopResult, LoopSurroundings, Writer, WrittenLoop, WrittenStep, is_one,
    register,
};
use crate::exec::jit::clif::numbers::plain;
use crate::exec::stages::needed_ids;
use crate::ir::loops::{LoopOver, LoopRef, ProgramLoop};
use crate::ir::{Check, NodeId, NodeKind, Program};
use crate::types::{DType, Dim, Shape};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};

/// Steps of loops within between two questions whether to go on.
const STEPS_PER_QUESTION: i64 = 1 << 10;

/// A state of a loop.
#[derive(Clone, Copy)]
enum State {
    Number(Variable, DType),
    Array(usize),
}

/// Where a loop goes on.
struct LoopVariables {
    number: Variable,
    end: Value,
    states: Vec<State>,
    used: Vec<InputValue>,
    /// Whether it is a loop within, which asks now and then.
    asks: bool,
}

/// Whether the inputs of a step but for the counter have these shapes.
fn fits(of: &ProgramLoop, shapes: &[&[Dim]]) -> bool {
    let counter = of.states;
    of.step.inputs.len() == shapes.len() + 1
        && of.step.nodes.iter().all(|node| {
            let NodeKind::Input(input) = node.kind else { return true };
            if input as usize == counter {
                return node.shape.is_empty();
            }
            node.shape == shapes[input as usize - usize::from(input as usize > counter)]
        })
}

/// An argument of a loop: the counter is none.
pub(in crate::exec::jit) struct LoopArgument {
    pub(in crate::exec::jit) dtype: DType,
    pub(in crate::exec::jit) shape: Shape,
    /// The address of its elements, in C order. The loop changes those of a state; of others the states must be no
    /// part.
    pub(in crate::exec::jit) place: Value,
}

/// Which steps of a loop run.
#[derive(Clone, Copy)]
pub(in crate::exec::jit) struct LoopTurns {
    /// The first step.
    pub(in crate::exec::jit) from: Value,
    /// The step behind the last.
    pub(in crate::exec::jit) to: Value,
    /// Whether the loop itself asks whether to go on, before its first step and now and then, as those within do now
    /// and then.
    pub(in crate::exec::jit) asks: bool,
}

/// The code of a loop from the current block on: what is 1 behind it where its condition ended it, and 0 where its
/// count did. States are where they were. Nothing where a step is no matter of numbers; then what was written is of no
/// use.
pub(in crate::exec::jit) fn write(
    b: &mut FunctionBuilder,
    around: &mut dyn LoopSurroundings,
    lengths: &Lengths,
    exits: Exits,
    of: &ProgramLoop,
    args: &[LoopArgument],
    turns: LoopTurns,
) -> Option<Value> {
    let unasked = b.declare_var(types::I64);
    let first = b.ins().iconst(types::I64, if turns.asks { 0 } else { STEPS_PER_QUESTION });
    b.def_var(unasked, first);
    let before = b.func.dfg.num_insts();
    let (buffers, steps) = (Vec::new(), Vec::new());
    let mut writer = Writer { b, around, lengths, buffers, steps, unasked, exits, before };
    writer.whole(of, args, turns)
}

impl<'p> Writer<'_, '_, 'p> {
    /// The outermost loop, with its arguments in memory.
    fn whole(&mut self, of: &'p ProgramLoop, args: &[LoopArgument], turns: LoopTurns) -> Option<Value> {
        if !fits(of, &args.iter().map(|arg| &arg.shape[..]).collect::<Vec<_>>()) {
            return None;
        }
        let (mut states, mut used, mut places) = (Vec::new(), Vec::new(), Vec::new());
        for (input, LoopArgument { dtype, shape, place }) in args.iter().enumerate() {
            let ty = register(*dtype)?;
            let is_state = input < of.states;
            if is_one(shape) {
                let value = self.b.ins().load(ty, plain(), *place, 0);
                match is_state {
                    true => {
                        let variable = self.b.declare_var(ty);
                        self.b.def_var(variable, value);
                        places.push((variable, *place));
                        states.push(State::Number(variable, *dtype));
                    }
                    false => used.push(InputValue::Number(value)),
                }
                continue;
            }
            self.buffers.push(ArrayMemory { base: *place, version: 0, is_state });
            let buffer = self.buffers.len() - 1;
            match is_state {
                true => states.push(State::Array(buffer)),
                false => used.push(InputValue::Array((buffer, 0))),
            }
        }
        let number = self.b.declare_var(types::I64);
        self.b.def_var(number, turns.from);
        let ended = self.turns(of, LoopVariables { number, end: turns.to, states, used, asks: turns.asks })?;
        for (variable, place) in places {
            let value = self.b.use_var(variable);
            self.b.ins().store(plain(), value, place, 0);
        }
        Some(ended)
    }

    /// All turns of a loop: behind them, 1 where its condition ended it and 0 where its count did.
    fn turns(&mut self, of: &'p ProgramLoop, course: LoopVariables) -> Option<Value> {
        if of.over != LoopOver::Steps || of.asks || !of.step.lengths.is_empty() {
            return None;
        }
        let LoopVariables { number, end, states, used, asks } = course;
        let ended = self.b.declare_var(types::I64);
        let [enter, head, body, exit] = [(); 4].map(|()| self.b.create_block());
        let not_ended = self.b.ins().iconst(types::I64, 0);
        self.b.def_var(ended, not_ended);
        let at = self.b.use_var(number);
        let any = self.b.ins().icmp(IntCC::SignedLessThan, at, end);
        self.b.ins().brif(any, enter, &[], exit, &[]);
        self.b.switch_to_block(enter);
        // The states and the counter have their values in the body.
        let mut given = vec![InputValue::Number(end); of.states + 1];
        given.extend(used);
        self.steps.push(WrittenStep::new(&of.step, given));
        self.invariants(of)?;
        self.b.ins().jump(head, &[]);
        self.b.switch_to_block(head);
        let at = self.b.use_var(number);
        let more = self.b.ins().icmp(IntCC::SignedLessThan, at, end);
        self.b.ins().brif(more, body, &[], exit, &[]);
        self.b.switch_to_block(body);
        if asks {
            self.ask(at, end);
        }
        for (input, state) in states.iter().enumerate() {
            let value = match *state {
                State::Number(variable, _) => InputValue::Number(self.b.use_var(variable)),
                State::Array(buffer) => {
                    self.buffers[buffer].version += 1;
                    InputValue::Array((buffer, self.buffers[buffer].version))
                }
            };
            self.current().given[input] = value;
        }
        self.current().given[of.states] = InputValue::Number(at);
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

    /// What is the same in every step, before the first: numbers, and, where no condition may end the loop before its
    /// first step, conditions.
    fn invariants(&mut self, of: &'p ProgramLoop) -> Option<()> {
        let step = &of.step;
        let mut is_same: Vec<bool> = Vec::with_capacity(step.nodes.len());
        for node in step.nodes.iter() {
            is_same.push(if let NodeKind::Input(input) = node.kind {
                input as usize > of.states
            } else {
                !matches!(node.kind, NodeKind::Param(_) | NodeKind::Loop { .. })
                    && node.operands().all(|operand| is_same[operand.index()])
            });
        }
        for id in needed_ids(&step.needed_nodes()).filter(|id| is_same[id.index()]) {
            if is_one(&step.node(id).shape) {
                self.number(id)?;
            }
        }
        if of.condition.is_none() {
            let checks = step.checks.iter().filter(|check| is_same[check.node.index()]);
            self.checks(checks)?;
        }
        Some(())
    }

    /// Asks after some steps whether to go on.
    fn ask(&mut self, done: Value, count: Value) {
        let left = self.b.use_var(self.unasked);
        let left = self.b.ins().iadd_imm_s(left, -1);
        self.b.def_var(self.unasked, left);
        let [ask, on] = [(); 2].map(|()| self.b.create_block());
        self.b.set_cold_block(ask);
        let none = self.b.ins().icmp_imm_s(IntCC::SignedLessThan, left, 0);
        self.b.ins().brif(none, ask, &[], on, &[]);
        self.b.switch_to_block(ask);
        let answer = self.around.asked(self.b, done, count);
        let most = self.b.ins().iconst(types::I64, STEPS_PER_QUESTION);
        self.b.def_var(self.unasked, most);
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
            if self.current().checked.contains(&check.node) {
                continue;
            }
            self.current().checked.push(check.node);
            let first = self.number(check.node)?;
            let fails = self.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, first, 0);
            let on = self.b.create_block();
            self.b.ins().brif(fails, self.exits.fault, &[], on, &[]);
            self.b.switch_to_block(on);
        }
        Some(())
    }

    /// All numbers of a step, its conditions, and the loops within. No loop runs before the conditions that stand
    /// before it.
    fn step(&mut self, step: &'p Program) -> Option<()> {
        let depth = self.depth();
        let mut looked_at = 0;
        for id in needed_ids(&step.needed_nodes()) {
            let (index, node) = (id.index(), step.node(id));
            if let NodeKind::Loop { of, args, result } = &node.kind {
                self.checks(step.checks.iter().filter(|check| (looked_at..index).contains(&check.node.index())))?;
                looked_at = index;
                self.within(id, of, args, *result as usize)?;
            } else if !matches!(node.kind, NodeKind::Input(_)) && is_one(&node.shape) {
                self.number_at(depth, id)?;
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
        if !fits(&of.0, &rest.iter().map(|arg| self.shape(depth, *arg)).collect::<Vec<_>>()) {
            return None;
        }
        let (first, used) = rest.split_at_checked(of.0.states)?;
        let (mut states, mut stored) = (Vec::new(), Vec::new());
        for &arg in first {
            let node = program.node(arg);
            if is_one(&node.shape) {
                let value = self.number(arg)?;
                let variable = self.b.declare_var(register(node.dtype)?);
                self.b.def_var(variable, value);
                states.push(State::Number(variable, node.dtype));
                continue;
            }
            let buffer = self.place_of_stores(arg, &mut stored)?;
            let is_taken = states.iter().any(|state| matches!(state, State::Array(taken) if *taken == buffer));
            if is_taken {
                return None;
            }
            states.push(State::Array(buffer));
        }
        let mut given = Vec::with_capacity(used.len());
        for &arg in used {
            let is_number = is_one(&program.node(arg).shape);
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
        self.turns(&of.0, LoopVariables { number, end, states: states.clone(), used: given, asks: true })?;
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
                    if self.place_of_stores(output.node, &mut stored)? != buffer {
                        return None;
                    }
                }
            }
        }
        self.store(stored);
        Some(next)
    }
}
