//! A step that is repeated on the lanes of a chunk. States stay in registers.
//!
//! ```text
//! fn(report, operands, start, len):
//!   states are loaded, and what no step changes is computed
//!   turn:   the step; results are stored; again while there is another step
//!   exit:   states are stored; the report is whether to go on
//! ```
//!
//! Behind the operands come as many again, whose strides are the distances from one step to the next.

use super::bundle::{Bundle, Lane};
use super::frame::Access;
use super::numbers::plain;
use super::{ClifWriter, Link, written};
use crate::exec::jit::lower::{VectorBody, VectorOp};
use crate::exec::stepping::{End, LoopInput, Recurrence, Step};
use crate::types::{DType, Kind};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, Function, InstBuilder, Value, types};
use cranelift_codegen::isa::TargetFrontendConfig;

/// Bytes of the report.
pub(in crate::exec::jit) const REPORT: usize = 8;

/// Bytes of an operand's description.
const OPERAND: i32 = 16;

/// The function of a recurrence, and how many lanes it has. Its tables stay where they are while it runs.
pub(in crate::exec::jit) fn recurrence(
    code: &Recurrence,
    body: &VectorBody,
    link: Link,
    target: TargetFrontendConfig,
) -> (Function, usize) {
    let lanes = lanes(code, body);
    written(&code.step, body, link, lanes, target, |writer| {
        RecurrenceWriter { writer, code, changes: changes(code, body), distances: Vec::new() }.write();
        lanes
    })
}

/// How many lanes run side by side: as many as hide how long one step waits for the one before.
fn lanes(code: &Recurrence, body: &VectorBody) -> usize {
    if code.most == 1 {
        return 1;
    }
    let computed = body.steps.iter().filter(|step| !matches!(step.op, VectorOp::Const(_))).count();
    let vectors = if computed <= 24 { 4 } else { 2 };
    (vectors * 16 / body.widest()).max(4)
}

/// Which values differ from step to step.
fn changes(code: &Recurrence, body: &VectorBody) -> Vec<bool> {
    let mut changes: Vec<bool> = Vec::with_capacity(body.steps.len());
    for step in &body.steps {
        let moves = matches!(step.op, VectorOp::Load { input, .. } if input < code.states || code.moves[input]);
        // Branches and calls stay where they are.
        let own = moves
            || matches!(
                step.op,
                VectorOp::Count { .. } | VectorOp::Store { .. } | VectorOp::Call(_) | VectorOp::SlowPath(_)
            );
        changes.push(own || step.args().any(|arg| changes[arg.0 as usize]));
    }
    changes
}

/// Writes a recurrence.
struct RecurrenceWriter<'e, 'f> {
    writer: ClifWriter<'e, 'f>,
    code: &'e Recurrence,
    /// Which values differ from step to step.
    changes: Vec<bool>,
    /// How far operands move from step to step, with their numbers.
    distances: Vec<(usize, Value)>,
}

/// The parts of a state: one, or the real and the imaginary one.
type Parts = Vec<Bundle>;

/// What a step leaves.
struct StepResult {
    next: Vec<Parts>,
    condition: Option<Bundle>,
}

impl RecurrenceWriter<'_, '_> {
    fn write(&mut self) {
        let entry = self.writer.b.create_block();
        self.writer.b.append_block_params_for_function_params(entry);
        self.writer.b.switch_to_block(entry);
        let [report, operands, start, len] =
            self.writer.b.block_params(entry).try_into().expect("the signature has four parameters");
        let base = self.find(operands);
        let first: Vec<Parts> = (0..self.code.states).map(|state| self.load_state(state)).collect();
        let end = self.writer.b.ins().iadd(start, len);
        let [turn, exit] = [(); 2].map(|()| self.writer.b.create_block());
        let places: Vec<Value> = self.distances.iter().map(|&(operand, _)| base[operand].address).collect();
        let arguments = self.arguments(start, &places, &first);
        self.writer.b.ins().jump(turn, &arguments);

        let number = self.writer.b.append_block_param(turn, types::I64);
        for &(operand, _) in &self.distances {
            self.writer.accesses[operand].address = self.writer.b.append_block_param(turn, types::I64);
        }
        let states = self.parameters(turn);
        self.writer.b.switch_to_block(turn);
        let left = self.step(number, &states);
        self.next(turn, exit, (number, end), &states, &left);

        self.writer.b.append_block_param(exit, types::I64);
        let last = self.parameters(exit);
        let on = self.writer.b.append_block_param(exit, types::I64);
        self.writer.b.switch_to_block(exit);
        for (parts, access) in last.iter().zip(&base) {
            let whole = if let [re, im] = &parts[..] { self.writer.pair(re, im) } else { parts[0].clone() };
            self.writer.store(&whole, access.place());
        }
        self.writer.b.ins().store(plain(), on, report, 0);
        self.writer.b.ins().return_(&[]);
    }

    /// Operands where they are at first, how far they move, and what no step changes.
    fn find(&mut self, operands: Value) -> Vec<Access> {
        let zero = self.writer.number(0);
        let base = self.writer.find_operands(operands, zero);
        self.writer.load_repeated_inputs(&base);
        for operand in (0..base.len()).filter(|&operand| self.code.moves[operand]) {
            let at = (base.len() + operand) as i32 * OPERAND + 8;
            let distance = self.writer.b.ins().load(types::I64, plain(), operands, at);
            self.distances.push((operand, distance));
        }
        self.writer.accesses.clone_from(&base);
        for index in (0..self.changes.len()).filter(|&index| !self.changes[index]) {
            self.writer.values.steps[index] = self.writer.step(self.writer.body.steps[index]);
        }
        base
    }

    /// The dtype of a state in memory, and the lanes of its parts.
    fn state(&self, state: usize) -> (DType, Vec<Lane>) {
        let LoopInput::Array(dtype, _) = self.code.step.inputs[state] else { unreachable!("states are no counts") };
        let lanes = match dtype.kind() {
            Kind::Bool => vec![Lane::mask(self.mask_bytes())],
            Kind::Complex => vec![Lane::of(dtype.part()); 2],
            Kind::Unsigned | Kind::Signed | Kind::Float => vec![Lane::of(dtype)],
        };
        (dtype, lanes)
    }

    /// Bytes of a truth value between steps.
    fn mask_bytes(&self) -> usize {
        self.writer.body.widest()
    }

    fn load_state(&mut self, state: usize) -> Parts {
        let (dtype, lanes) = self.state(state);
        let whole = self.writer.load(dtype, self.writer.accesses[state].place());
        match dtype.kind() {
            Kind::Bool => vec![self.writer.mask_width(&whole, lanes[0].bytes)],
            Kind::Complex => [false, true].map(|second| self.writer.part(&whole, second, lanes[0])).to_vec(),
            Kind::Unsigned | Kind::Signed | Kind::Float => vec![whole],
        }
    }

    /// The states as parameters of a block.
    fn parameters(&mut self, block: Block) -> Vec<Parts> {
        let states = self.code.states;
        let of_state = |state| {
            let (_, lanes) = self.state(state);
            let parts = lanes.into_iter().map(|lane| {
                let regs = (0..self.writer.count(lane)).map(|_| self.writer.b.append_block_param(block, lane.vector()));
                Bundle { lane, regs: regs.collect() }
            });
            parts.collect()
        };
        (0..states).map(of_state).collect()
    }

    /// What a block is called with: a number, where operands are, states.
    fn arguments(&mut self, number: Value, places: &[Value], states: &[Parts]) -> Vec<BlockArg> {
        let mut values = vec![number];
        values.extend(places);
        for part in states.iter().flatten() {
            for &register in &part.regs {
                values.push(self.writer.cast(part.lane.vector(), register));
            }
        }
        values.into_iter().map(BlockArg::from).collect()
    }

    /// The step of a number.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other step is written as in any body")]
    fn step(&mut self, number: Value, states: &[Parts]) -> StepResult {
        for (input, of) in self.code.step.inputs.iter().enumerate() {
            if let (true, &LoopInput::Array(dtype, Step::Repeat)) = (self.code.moves[input], of) {
                let address = self.writer.accesses[input].address;
                self.writer.values.repeated[input] = Some(self.writer.load_repeated(dtype, address));
            }
        }
        let mut left = StepResult { next: Vec::new(), condition: None };
        for index in 0..self.changes.len() {
            if !self.changes[index] {
                continue;
            }
            let step = self.writer.body.steps[index];
            self.writer.values.steps[index] = match step.op {
                VectorOp::Load { input, part } if input < self.code.states => Some(states[input][part].clone()),
                VectorOp::Count { .. } => Some(self.writer.splat(Lane::of(DType::I64), number)),
                VectorOp::Store { output } if output < self.code.states => {
                    let parts: Parts = step.args().map(|arg| self.writer.get(arg)).collect();
                    left.next.push(self.kept(output, parts));
                    None
                }
                VectorOp::Store { output }
                    if self.code.end != End::Never && output + 1 == self.code.step.outputs.len() =>
                {
                    left.condition = step.args().next().map(|arg| self.writer.get(arg));
                    None
                }
                _ => self.writer.step(step),
            };
        }
        left
    }

    /// The parts of a state as they are between steps.
    fn kept(&mut self, state: usize, parts: Parts) -> Parts {
        let (dtype, lanes) = self.state(state);
        if dtype == DType::Bool { vec![self.writer.mask_width(&parts[0], lanes[0].bytes)] } else { parts }
    }

    /// Goes on with the next step, or not.
    fn next(&mut self, turn: Block, exit: Block, (number, end): (Value, Value), states: &[Parts], left: &StepResult) {
        let after = self.writer.b.ins().iadd_imm_s(number, 1);
        let [no, yes] = [0, 1].map(|on| self.writer.number(on));
        let arguments = |turns: &mut Self, number: Value, states: &[Parts], on: Value| {
            let mut all = turns.arguments(number, &[], states);
            all.push(on.into());
            all
        };
        if let Some(condition) = &left.condition {
            let any = self.any(condition);
            let on = self.writer.b.create_block();
            let leave = match self.code.end {
                End::Before => arguments(self, number, states, no),
                End::After | End::Never => arguments(self, after, &left.next, no),
            };
            self.writer.b.ins().brif(any, on, &[], exit, &leave);
            self.writer.b.switch_to_block(on);
        }
        let places: Vec<Value> = self
            .distances
            .clone()
            .into_iter()
            .map(|(operand, distance)| {
                let address = self.writer.accesses[operand].address;
                self.writer.b.ins().iadd(address, distance)
            })
            .collect();
        let again = self.arguments(after, &places, &left.next);
        let leave = arguments(self, after, &left.next, yes);
        let more = self.writer.b.ins().icmp(IntCC::SignedLessThan, after, end);
        self.writer.b.ins().brif(more, turn, &again, exit, &leave);
    }

    /// Whether a truth value holds in any lane.
    fn any(&mut self, mask: &Bundle) -> Value {
        if self.writer.chunk == 1 {
            let first = self.writer.b.ins().extractlane(mask.regs[0], 0);
            return self.writer.b.ins().icmp_imm_s(IntCC::NotEqual, first, 0);
        }
        // As wide as registers are full.
        let wide = self.writer.mask_width(mask, self.mask_bytes());
        let mut any = wide.regs[0];
        for &other in &wide.regs[1..] {
            any = self.writer.b.ins().bor(any, other);
        }
        self.writer.b.ins().vany_true(any)
    }
}
