//! The rules of every schedule, in the order in which they are checked:
//!
//! 1. A node is made at most once. An input, a constant or a view is never made.
//! 2. The made nodes stand in the order in which they are made: the results of a stage's tasks, then what its kernels
//!    keep. Each stage knows how many there are.
//! 3. A task is a routine or a loop, and its operands are what the kernels of the stage before gave. What it makes is
//!    the routine, or results of the loop.
//! 4. A length is counted before a task or a kernel has it in a shape. It is what the program says that it is.
//! 5. Below what kernels give stands no routine and no loop that is not made yet. A made node that is forgotten is
//!    neither forgotten nor read again.
//! 6. Each condition is looked at once. What waits for a condition is made in a later stage.
//! 7. The last stage gives the outputs of the program.

use super::schedule::{Schedule, Stage, Task};
use crate::exec::stages::{waiting_nodes, waits};
use crate::ir::verify::ensure;
use crate::ir::{Node, NodeId, NodeKind, Program};

/// Checks the schedule of a program.
///
/// # Errors
/// The first broken rule.
pub(super) fn schedule(program: &Program, schedule: &Schedule) -> Result<(), String> {
    let mut run = CheckedRun::new(program, schedule)?;
    for (at, stage) in schedule.stages.iter().enumerate() {
        run.stage(stage).map_err(|reason| format!("stage {at}: {reason}"))?;
    }
    run.end()
}

/// What a run by a schedule has at one stage.
struct CheckedRun<'s> {
    program: &'s Program,
    schedule: &'s Schedule,
    /// The place of each node among the made ones.
    places: Vec<Option<usize>>,
    /// Which of the made nodes are forgotten.
    forgotten: Vec<bool>,
    /// Which conditions were looked at.
    passed: Vec<bool>,
    /// Which nodes wait for a condition that was not looked at before the stage.
    guarded: Vec<bool>,
    before: Option<&'s Stage>,
}

impl<'s> CheckedRun<'s> {
    fn new(program: &'s Program, schedule: &'s Schedule) -> Result<CheckedRun<'s>, String> {
        let mut places = vec![None; program.nodes.len()];
        for (at, id) in schedule.made.iter().enumerate() {
            let place = places.get_mut(id.index()).ok_or("what is made is a node")?;
            ensure(place.replace(at).is_none(), "a node is made twice")?;
            let kind = &program.node(*id).kind;
            let is_free = matches!(kind, NodeKind::Input(_) | NodeKind::Const(_) | NodeKind::View { .. });
            ensure(!is_free, "an input, a constant or a view is made")?;
        }
        Ok(CheckedRun {
            program,
            schedule,
            places,
            forgotten: vec![false; schedule.made.len()],
            passed: vec![false; program.checks.len()],
            guarded: Vec::new(),
            before: None,
        })
    }

    fn stage(&mut self, stage: &'s Stage) -> Result<(), String> {
        let (mut made, lengths) = self
            .before
            .map_or((0, 0), |before| (before.made + before.kept.len(), before.lengths + before.counted.len()));
        ensure(stage.outputs.len() >= stage.checks.len(), "the conditions are among what kernels give")?;
        ensure(stage.lengths == lengths, "the lengths that are known are those that were counted")?;
        ensure(lengths + stage.counted.len() <= self.schedule.lengths.len(), "a length has a name")?;
        let left = (0..self.passed.len()).filter(|&check| !self.passed[check]);
        self.guarded = waiting_nodes(self.program, left);
        for task in &stage.tasks {
            self.task(task, stage, made)?;
            made += task.results.len();
        }
        ensure(stage.made == made, "what is made are the results of tasks, and what was kept")?;
        self.forget(stage)?;
        self.kernels(stage)?;
        self.kept(stage)?;
        self.checks(stage)?;
        self.before = Some(stage);
        Ok(())
    }

    fn node(&self, id: NodeId) -> Result<&'s Node, String> {
        self.program.nodes.get(id.index()).ok_or_else(|| format!("%{} is no node", id.0))
    }

    /// Whether the length of this name is counted before the stage.
    fn is_known(&self, name: &str, stage: &Stage) -> bool {
        self.schedule.lengths[..stage.lengths].iter().any(|known| known == name)
    }

    /// A task, whose results are the made nodes from `first` on.
    fn task(&self, task: &Task, stage: &Stage, first: usize) -> Result<(), String> {
        let node = self.node(task.node)?;
        ensure(waits(node), "a task is a routine or a loop")?;
        ensure(!self.guarded[task.node.index()], "a task runs before the condition that it waits for")?;
        let given = self.before.map_or(&[][..], Stage::outputs_without_checks);
        let args = task.args.iter().map(|&arg| given.get(arg).copied());
        ensure(args.eq(node.operands().map(Some)), "the operands of a task were not given by the stage before")?;
        let known = self.program.lengths_in(node).all(|length| self.is_known(&length.name, stage));
        ensure(known, "a task runs before its length is counted")?;
        let made = self.schedule.made.get(first..first + task.results.len()).unwrap_or_default();
        let is_result = |(id, result): (&NodeId, &usize)| match (&node.kind, &self.program.node(*id).kind) {
            (NodeKind::Loop { of, args, .. }, NodeKind::Loop { of: other, args: others, result: own }) => {
                of == other && args == others && *own as usize == *result
            }
            _ => *id == task.node && *result == 0,
        };
        let are_results = made.contains(&task.node) && made.iter().zip(&task.results).all(is_result);
        ensure(are_results, "what a task makes are its results")
    }

    fn forget(&mut self, stage: &Stage) -> Result<(), String> {
        for &at in &stage.forgotten {
            ensure(at < stage.made, "what is forgotten was made")?;
            ensure(!std::mem::replace(&mut self.forgotten[at], true), "a node is forgotten twice")?;
        }
        Ok(())
    }

    /// Whatever is computed in the kernels of a stage.
    fn kernels(&self, stage: &Stage) -> Result<(), String> {
        let mut seen = vec![false; self.program.nodes.len()];
        let mut left = stage.outputs.clone();
        while let Some(id) = left.pop() {
            let node = self.node(id)?;
            if std::mem::replace(&mut seen[id.index()], true) {
                continue;
            }
            if let Some(place) = self.places[id.index()].filter(|&place| place < stage.made) {
                ensure(!self.forgotten[place], "kernels read what is forgotten")?;
                continue;
            }
            ensure(!waits(node), "kernels run before the task whose result they read")?;
            ensure(!self.guarded[id.index()], "kernels run before the condition that they wait for")?;
            let known = self.program.lengths_of(&node.shape).all(|length| self.is_known(&length.name, stage));
            ensure(known, "kernels run before their length is counted")?;
            left.extend(node.operands());
        }
        Ok(())
    }

    /// What is kept of what kernels give, and the lengths among it.
    fn kept(&self, stage: &Stage) -> Result<(), String> {
        let given = |at: &usize| stage.outputs_without_checks().get(*at).copied();
        let made = self.schedule.made.get(stage.made..stage.made + stage.kept.len()).unwrap_or_default();
        ensure(made.iter().copied().map(Some).eq(stage.kept.iter().map(given)), "what is kept is made thereby")?;
        let mut counted = self.schedule.lengths[stage.lengths..].iter().zip(&stage.counted);
        let is_counted = counted.all(|(name, at)| {
            self.program.lengths.iter().any(|length| length.name == *name && Some(length.node) == given(at))
        });
        ensure(is_counted, "a length is what the program says that it is")
    }

    fn checks(&mut self, stage: &Stage) -> Result<(), String> {
        let conditions = &stage.outputs[stage.outputs.len() - stage.checks.len()..];
        for (&check, condition) in stage.checks.iter().zip(conditions) {
            let found = self.program.checks.get(check).ok_or("what is looked at is a condition")?;
            ensure(found.node == *condition, "what is looked at is given")?;
            ensure(!std::mem::replace(&mut self.passed[check], true), "a condition is looked at twice")?;
        }
        ensure(stage.answered.len() == stage.checks.len(), "a condition is answered or not")?;
        ensure(!stage.tasks.is_empty() || !stage.answered.contains(&true), "only a task answers a condition")
    }

    fn end(&self) -> Result<(), String> {
        let last = self.before.ok_or("there is a stage")?;
        let all = last.made == self.schedule.made.len() && last.lengths == self.schedule.lengths.len();
        ensure(all && last.kept.is_empty() && last.counted.is_empty(), "nothing is made after the last stage")?;
        ensure(!self.passed.contains(&false), "a condition is not looked at")?;
        let outputs = self.program.outputs.iter().map(|output| output.node);
        ensure(
            outputs.eq(last.outputs_without_checks().iter().copied()),
            "the last stage gives the outputs of the program",
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ir::build::ProgramBuilder;
    use crate::ir::routine::Routine;
    use crate::ir::{Check, Fault, Fold, Length, ProgramOutput, Slice};
    use crate::scalar::prim::Prim;
    use crate::source::Span;
    use crate::types::{DType, Dim};

    /// The sum of the first `k` elements of five that are sorted, where `k` is not negative.
    fn program() -> Program {
        program_with(Fault::Asserted { op: None, operands: Vec::new(), said: None, parts: None })
    }

    fn program_with(fault: Fault) -> Program {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::F64, vec![Dim::Const(5)]);
        let count = b.input("count", Span::default(), DType::I64, vec![]);
        let twice = b.map(Prim::Add, &[count, count]);
        let negative = b.map(Prim::Lt, &[twice, count]);
        let node = b.fold(Fold::FirstTrue, negative, &[]);
        b.check(Check { node, written: 0, fault, span: Span::default(), calls: Vec::new() });
        let sorted = b.routine(Routine::Sort, &[x], None);
        let first = b.slice(sorted, &[Slice::all()], vec![Dim::name("k")]);
        let sum = b.fold(Fold::Sum, first, &[0]);
        b.output(ProgramOutput { name: None, node: sum, span: Span::default(), weak: false });
        let mut program = b.finish();
        program.lengths.push(Length { name: "k".to_owned(), node: twice, span: Span::default(), call: None });
        program
    }

    /// What is said of the schedule when something in it is changed.
    fn broken(change: impl FnOnce(&mut Schedule)) -> String {
        let program = program();
        let mut made = Schedule::new(&program).unwrap();
        change(&mut made);
        schedule(&program, &made).unwrap_err()
    }

    #[test]
    fn the_schedule_of_a_program_is_fine() {
        let program = program();
        let made = Schedule::new(&program).unwrap();
        assert_eq!(made.stages.len(), 2);
        assert_eq!(schedule(&program, &made), Ok(()));
        // So is one without tasks.
        let plain = Program { lengths: Vec::new(), outputs: Vec::new(), ..program };
        assert_eq!(schedule(&plain, &Schedule::new(&plain).unwrap()), Ok(()));
    }

    #[test]
    fn every_rule_is_asked_for() {
        type Change = fn(&mut Schedule);
        let cases: [(Change, &str); 19] = [
            (|it| it.made.push(it.made[0]), "a node is made twice"),
            (|it| it.made.push(NodeId(0)), "an input, a constant or a view is made"),
            (|it| it.stages[1].made += 1, "what is made are the results of tasks, and what was kept"),
            (|it| it.stages[0].kept[0] = 0, "what is kept is made thereby"),
            (|it| it.stages[1].tasks[0].node = NodeId(2), "a task is a routine or a loop"),
            (|it| it.stages[1].tasks[0].args[0] += 1, "were not given by the stage before"),
            (|it| it.stages[1].tasks[0].results[0] = 1, "what a task makes are its results"),
            (|it| it.stages[1].lengths = 0, "the lengths that are known are those that were counted"),
            (|it| it.lengths[0] = "m".to_owned(), "a length is what the program says that it is"),
            (|it| it.stages[0].outputs.insert(0, *it.made.last().unwrap()), "before the task whose result they read"),
            (|it| it.stages[0].outputs.insert(0, NodeId(6)), "kernels run before their length is counted"),
            (|it| it.stages[1].forgotten.push(9), "what is forgotten was made"),
            (|it| it.stages[1].forgotten = vec![0, 0], "a node is forgotten twice"),
            (|it| it.stages[1].forgotten = (0..it.made.len()).collect(), "kernels read what is forgotten"),
            (|it| it.stages[0].checks[0] = 7, "what is looked at is a condition"),
            (|it| it.stages[0].answered[0] = true, "only a task answers a condition"),
            (|it| it.stages[0].answered.clear(), "a condition is answered or not"),
            (|it| it.stages[1].outputs.push(NodeId(0)), "the last stage gives the outputs of the program"),
            (|it| it.stages.clear(), "there is a stage"),
        ];
        for (change, rule) in cases {
            let said = broken(change);
            assert!(said.contains(rule), "{said} should be {rule}");
        }
    }

    /// The condition moves to the last stage, or also stays where it is.
    fn check_late(it: &mut Schedule, moves: bool) {
        let condition = *it.stages[0].outputs.last().unwrap();
        if moves {
            it.stages[0].outputs.pop();
            it.stages[0].checks.clear();
            it.stages[0].answered.clear();
        }
        it.stages[1].forgotten.clear();
        it.stages[1].outputs.push(condition);
        it.stages[1].checks.push(0);
        it.stages[1].answered.push(false);
    }

    #[test]
    fn a_condition_is_looked_at_once_before_what_waits_for_it() {
        assert_eq!(broken(|it| check_late(it, false)), "stage 1: a condition is looked at twice");
        let unseen = |it: &mut Schedule| {
            check_late(it, true);
            it.stages[1].outputs.pop();
            it.stages[1].checks.clear();
            it.stages[1].answered.clear();
        };
        assert_eq!(broken(unseen), "a condition is not looked at");
        // The sort and the sum, each as what waits.
        for (waiting, rule) in [(5, "a task runs before the condition"), (7, "kernels run before the condition")] {
            let program = program_with(Fault::Lengths { nodes: [1, 2, waiting].map(NodeId).into() });
            assert_eq!(schedule(&program, &Schedule::new(&program).unwrap()), Ok(()));
            // The schedule is that of the program in which nothing waits.
            let mut made = Schedule::new(&self::program()).unwrap();
            check_late(&mut made, true);
            let said = schedule(&program, &made).unwrap_err();
            assert!(said.contains(rule), "{said} should be {rule}");
        }
    }

    #[test]
    fn a_schedule_is_printed() {
        let program = program();
        let text = super::super::print::schedule(&program, &Schedule::new(&program).unwrap());
        let wanted = "stage 0\n  kernels give %0 %2\n  keep %2\n  length k is %2\n  check %4\n\
                      stage 1\n  sort %0 -> %5\n  forget %2\n  kernels give %7\n";
        assert_eq!(text, wanted);
    }
}
