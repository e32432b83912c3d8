//! The text of a schedule. Each stage stands there with its tasks, what its kernels give, and what becomes of that.
//!
//! ```text
//! x[x > 0]    stage 0
//!               kernels give %0 %2 %4
//!               keep %2 %4
//!               length k is %4
//!             stage 1
//!               compress %0 %2 -> %5
//!               forget %2 %4
//!               kernels give %5
//! ```

use super::schedule::{Schedule, Stage};
use crate::ir::{NodeId, NodeKind, Program};
use std::fmt::Write;

/// The text of the schedule of a program.
pub(super) fn schedule(program: &Program, schedule: &Schedule) -> String {
    let mut text = String::new();
    let mut made = 0;
    for (at, stage) in schedule.stages.iter().enumerate() {
        let _ = writeln!(text, "stage {at}");
        for line in lines(program, schedule, stage, made) {
            let _ = writeln!(text, "  {line}");
        }
        made = stage.made + stage.kept.len();
    }
    text
}

/// The lines of a stage, before which `made` nodes are made.
fn lines(program: &Program, schedule: &Schedule, stage: &Stage, mut made: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for task in &stage.tasks {
        let results = made + task.results.len();
        let node = program.node(task.node);
        let (args, given) = (names(node.operands()), names(schedule.made[made..results].iter().copied()));
        lines.push(format!("{}{args} ->{given}", word(&node.kind)));
        made = results;
    }
    let forgotten = names(stage.forgotten.iter().map(|&at| schedule.made[at]));
    let given = stage.outputs_without_checks();
    let kept = names(stage.kept.iter().map(|&at| given[at]));
    for (what, nodes) in [("forget", forgotten), ("kernels give", names(given.iter().copied())), ("keep", kept)] {
        if !nodes.is_empty() {
            lines.push(format!("{what}{nodes}"));
        }
    }
    for (name, &at) in schedule.lengths[stage.lengths..].iter().zip(&stage.counted) {
        lines.push(format!("length {name} is %{}", given[at].0));
    }
    let conditions = &stage.outputs[given.len()..];
    for (condition, answered) in conditions.iter().zip(&stage.answered) {
        let by = if *answered { ", unless a task answers it" } else { "" };
        lines.push(format!("check %{}{by}", condition.0));
    }
    lines
}

/// What a task is called.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other node is a task")]
fn word(kind: &NodeKind) -> &'static str {
    match kind {
        NodeKind::Routine { routine, .. } => routine.row().name,
        NodeKind::Loop { of, .. } => of.0.word(),
        _ => "?",
    }
}

/// ` %3 %5`: nodes, each behind a space.
fn names(nodes: impl Iterator<Item = NodeId>) -> String {
    nodes.map(|id| format!(" %{}", id.0)).collect()
}
