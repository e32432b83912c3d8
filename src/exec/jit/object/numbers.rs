//! Loops over numbers in an object. The code is what [`crate::exec::jit::scalar`] writes, and behind it stands the same
//! loop step by step.
//!
//! States are copied once, and the copies change in place. At a fault the copies are dropped. Then the loop runs again
//! from its beginning, a step after the other, and that says what is wrong.

use super::driver::code;
use super::layout::LoopLayout;
use super::running::StagedWriter;
use super::scalars;
use super::staged::{ArrayOf, LoopPart};
use crate::exec::jit::clif::CalledPrim;
use crate::exec::jit::clif::numbers::plain;
use crate::exec::jit::scalar::{Exits, Lengths, LoopArgument, LoopSurroundings, LoopTurns, write};
use crate::exec::stages::needed_ids;
use crate::ir::loops::ProgramLoop;
use crate::ir::{NodeKind, View};
use crate::types::Dim;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{Block, BlockArg, Function, InstBuilder, Value, types};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext, Variable};
use std::collections::BTreeSet;

/// What an object has for the code of a loop.
struct InObject {
    /// The address of the flag that says that nobody wants to wait.
    stop: Value,
}

impl LoopSurroundings for InObject {
    fn prim(&mut self, b: &mut FunctionBuilder, called: &CalledPrim, args: &[Value]) -> Option<Value> {
        scalars::value(b, called, args)
    }

    fn asked(&mut self, b: &mut FunctionBuilder, _: Value, _: Value) -> Value {
        b.ins().load(types::I32, plain(), self.stop, 0)
    }
}

/// The lengths in a loop that are not known yet, also those in loops within.
#[derive(Default)]
struct OpenLengths {
    /// Lengths of arrays.
    sizes: BTreeSet<Dim>,
    /// Starts of slices.
    starts: BTreeSet<Dim>,
}

impl OpenLengths {
    fn of(of: &ProgramLoop) -> OpenLengths {
        let mut open = OpenLengths::default();
        open.collect(of);
        open
    }

    fn collect(&mut self, of: &ProgramLoop) {
        for program in std::iter::once(&of.step).chain(&of.condition) {
            for node in needed_ids(&program.needed_nodes()).map(|id| program.node(id)) {
                let is_open = |dim: &&Dim| dim.known().is_none();
                self.sizes.extend(node.shape.iter().filter(is_open).cloned());
                if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &node.kind {
                    self.starts.extend(region.iter().map(|slice| &slice.start).filter(is_open).cloned());
                } else if let NodeKind::Loop { of, .. } = &node.kind {
                    self.collect(&of.0);
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = &Dim> {
        self.sizes.iter().chain(&self.starts)
    }
}

/// The arguments of a loop without the number of steps, each at a place.
fn arguments(part: &LoopPart, places: impl Iterator<Item = Value>) -> Vec<LoopArgument> {
    let kinds = part.args[1..].iter().map(|(_, kind)| kind);
    let argument =
        |(kind, place): (&ArrayOf, Value)| LoopArgument { dtype: kind.dtype, shape: kind.shape.clone(), place };
    kinds.zip(places).map(argument).collect()
}

/// Whether a loop can be written in this way. That is tried in a function of its own.
fn is_of_numbers(of: &ProgramLoop, part: &LoopPart, open: &OpenLengths) -> bool {
    let (mut function, mut context) = (Function::new(), FunctionBuilderContext::new());
    let mut b = FunctionBuilder::new(&mut function, &mut context);
    let entry = b.create_block();
    b.switch_to_block(entry);
    let any = b.ins().iconst(types::I64, 1);
    let lengths: Lengths = open.all().map(|dim| (dim.clone(), any)).collect();
    let exits = Exits { fault: b.create_block(), stopped: b.create_block() };
    let args = arguments(part, std::iter::repeat(any));
    let around = &mut InObject { stop: any };
    write(&mut b, around, &lengths, exits, of, &args, LoopTurns { from: any, to: any, asks: true }).is_some()
}

impl StagedWriter<'_, '_, '_> {
    /// Writes a loop that computes numbers. When all steps are done, it goes to `done`, with the states at the
    /// addresses `now`. The code behind it begins the loop anew, a step after the other.
    pub(super) fn numbers(
        &mut self,
        part: &LoopPart,
        laid: &LoopLayout,
        (args, count): (&[Value], Value),
        (now, done): (&[Variable], Block),
    ) {
        let Some(of) = &part.whole else { return };
        let open = OpenLengths::of(&of.0);
        if !is_of_numbers(&of.0, part, &open) {
            return;
        }
        let [begin, step_by_step, stopped] = [(); 3].map(|()| self.w.b.create_block());
        let lengths: Lengths = open.all().map(|dim| (dim.clone(), self.dim(dim))).collect();
        // Elements of an empty array cannot be read, so a loop with one goes step by step.
        let one = self.w.int(1);
        let least = open.sizes.iter().fold(one, |least, dim| self.w.least(least, lengths[dim]));
        let is_empty = self.w.is(least, IntCC::SignedLessThan, 1);
        self.w.b.ins().brif(is_empty, step_by_step, &[], begin, &[]);
        self.w.b.switch_to_block(begin);
        let own: Vec<Value> = laid.states.iter().map(|places| places[0]).collect();
        for ((&to, &from), kind) in own.iter().zip(&args[1..]).zip(&part.gives) {
            let bytes = self.bytes(kind);
            self.w.copy(to, from, bytes);
        }
        let places = own.iter().chain(&args[1 + part.states..]).copied();
        let (zero, exits) = (self.w.int(0), Exits { fault: step_by_step, stopped });
        let around = &mut InObject { stop: self.stop };
        let given = arguments(part, places);
        let turns = LoopTurns { from: zero, to: count, asks: true };
        let written = write(self.w.b, around, &lengths, exits, &of.0, &given, turns);
        written.expect("it was written before");
        now.iter().zip(own).for_each(|(&state, place)| self.w.b.def_var(state, place));
        self.w.b.ins().jump(done, &[]);
        self.w.b.switch_to_block(stopped);
        let code = self.w.int(code::INTERRUPT);
        self.w.b.ins().jump(self.fail, &[BlockArg::from(code)]);
        self.w.b.switch_to_block(step_by_step);
    }
}

#[cfg(test)]
mod tests {
    use super::super::staged::{Part, StagedProgram};
    use super::super::tests::NUMBERS;
    use super::*;
    use crate::ir::Program;
    use crate::session::{Input, Session};

    #[test]
    fn loops_of_the_tests_are_written_so() {
        for script in NUMBERS {
            let program = Session::default().check(&Input::new("<test>", script)).checked.program.unwrap();
            let mut codes = |of: &Program| vec![16; of.checks.len()];
            let own = codes(&program);
            let staged = StagedProgram::new((&program, own), false, &mut codes).unwrap();
            let loops = staged.parts.iter().filter_map(|part| match part {
                Part::Turning(part) => Some(part),
                _ => None,
            });
            let are: Vec<bool> = loops
                .map(|part| part.whole.as_ref().is_some_and(|of| is_of_numbers(&of.0, part, &OpenLengths::of(&of.0))))
                .collect();
            assert!(!are.is_empty() && !are.contains(&false), "{script}");
        }
    }
}
