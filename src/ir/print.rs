//! Prints a program, one node a line; see the example in [`super`].

use super::{NodeId, NodeKind, Program, Slice, View};
use crate::array::show::scalar_text;
use crate::types::{Dim, shape};
use std::fmt::Write;

/// The text of a program.
///
/// # Panics
/// Never: a string takes all that is written.
pub fn program(program: &Program) -> String {
    let mut text = String::new();
    let leftovers = super::loops::leftovers(program);
    for index in (0..program.nodes.len()).filter(|&index| !leftovers[index]) {
        let id = NodeId(index as u32);
        let node = program.node(id);
        let line = format!("%{index} = {}", kind(program, id));
        let _ = writeln!(text, "{line:<36} : {}{}", node.dtype, shape::show(&node.shape));
        if let NodeKind::Loop { of, result: 0, .. } = &node.kind {
            let condition = of.0.condition.iter().map(|condition| ("while", condition));
            for (word, part) in condition.chain([("step", &of.0.step)]) {
                let _ = writeln!(text, "  {word}");
                self::program(part).lines().for_each(|line| {
                    let _ = writeln!(text, "  | {line}");
                });
            }
        }
    }
    for length in &program.lengths {
        let _ = writeln!(text, "length {} %{}", length.name, length.node.0);
    }
    for check in &program.checks {
        let _ = writeln!(text, "check %{}", check.node.0);
    }
    for output in &program.outputs {
        match &output.name {
            Some(name) => writeln!(text, "output {name} %{}", output.node.0),
            None => writeln!(text, "print %{}", output.node.0),
        }
        .expect("writing to a string succeeds");
    }
    text
}

fn kind(program: &Program, id: NodeId) -> String {
    let node = program.node(id);
    let operands: Vec<String> = node.operands().map(|arg| format!("%{}", arg.0)).collect();
    let operands = operands.join(" ");
    match &node.kind {
        NodeKind::Input(index) => format!("input {}", program.inputs[*index as usize].name),
        NodeKind::Const(scalar) => format!("const {}", scalar_text(*scalar)),
        NodeKind::Iota { axis } => format!("iota axis={axis}"),
        NodeKind::Map(prim, _) => format!("{} {operands}", prim.name()),
        NodeKind::Fold { fold, axes, keep, .. } => {
            let axes: Vec<String> = axes.iter().map(u32::to_string).collect();
            let keep = if *keep { " keepdims" } else { "" };
            format!("{} {operands} axes={}{keep}", fold.name(), axes.join(","))
        }
        NodeKind::Scan { fold, axis, .. } => format!("scan {} {operands} axis={axis}", fold.name()),
        NodeKind::Gather { axis, .. } => format!("gather {operands} axis={axis}"),
        NodeKind::Concat { axis, .. } => format!("concat {operands} axis={axis}"),
        NodeKind::Routine { routine, .. } => format!("{} {operands}", routine.row().name),
        NodeKind::Loop { of, result, .. } => format!("{} {operands} result={result}", of.0.word()),
        NodeKind::Param(number) => format!("param {number}"),
        NodeKind::Update { base, region, value } => {
            format!("update %{} [{}] %{}", base.0, slices(region, &program.node(*value).shape), value.0)
        }
        NodeKind::View { view, .. } => match view {
            View::Slice(region) => format!("slice {operands} [{}]", slices(region, &node.shape)),
            View::Broadcast => format!("broadcast {operands}"),
            View::Reshape => format!("reshape {operands}"),
            View::Transpose(order) => format!("transpose {operands} {order:?}"),
            View::Windows(axis) => format!("windows {operands} axis={axis}"),
        },
    }
}

/// `0 3 +1, n-1 n -1`: for each axis the first position, how many, and the step.
fn slices(region: &[Slice], lens: &[Dim]) -> String {
    let axes = region.iter().zip(lens).map(|(slice, len)| format!("{} {len} {:+}", slice.start, slice.step));
    axes.collect::<Vec<_>>().join(", ")
}
