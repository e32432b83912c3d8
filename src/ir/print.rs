//! Prints a program, one node a line; see the example in [`super`].

use super::{NodeId, NodeKind, Program, Slice, View};
use crate::array::show::scalar_text;
use crate::types::{Dim, shape};
use std::fmt::Write;

/// The text of a program.
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
    match &program.node(id).kind {
        NodeKind::Input(index) => format!("input {}", program.inputs[*index as usize].name),
        NodeKind::Const(scalar) => format!("const {}", scalar_text(*scalar)),
        NodeKind::Iota { axis } => format!("iota axis={axis}"),
        NodeKind::Map(prim, args) => {
            let args: Vec<String> = args.iter().flatten().map(|arg| format!("%{}", arg.0)).collect();
            format!("{} {}", prim.name(), args.join(" "))
        }
        NodeKind::Fold { fold, arg, axes, keep } => {
            let axes: Vec<String> = axes.iter().map(u32::to_string).collect();
            let keep = if *keep { " keepdims" } else { "" };
            format!("{} %{} axes={}{keep}", fold.name(), arg.0, axes.join(","))
        }
        NodeKind::Scan { fold, arg, axis } => format!("scan {} %{} axis={axis}", fold.name(), arg.0),
        NodeKind::Gather { arg, index, axis } => format!("gather %{} %{} axis={axis}", arg.0, index.0),
        NodeKind::Concat { parts, axis } => {
            let parts: Vec<String> = parts.iter().map(|part| format!("%{}", part.0)).collect();
            format!("concat {} axis={axis}", parts.join(" "))
        }
        NodeKind::Routine { routine, args } => {
            let args: Vec<String> = args.iter().map(|arg| format!("%{}", arg.0)).collect();
            format!("{} {}", routine.row().name, args.join(" "))
        }
        NodeKind::Loop { of, args, result } => {
            let args: Vec<String> = args.iter().map(|arg| format!("%{}", arg.0)).collect();
            format!("{} {} result={result}", of.0.word(), args.join(" "))
        }
        NodeKind::Param(number) => format!("param {number}"),
        NodeKind::Update { base, region, value } => {
            format!("update %{} [{}] %{}", base.0, slices(region, &program.node(*value).shape), value.0)
        }
        NodeKind::View { arg, view } => match view {
            View::Slice(region) => format!("slice %{} [{}]", arg.0, slices(region, &program.node(id).shape)),
            View::Broadcast => format!("broadcast %{}", arg.0),
            View::Reshape => format!("reshape %{}", arg.0),
            View::Transpose(order) => format!("transpose %{} {order:?}", arg.0),
            View::Windows(axis) => format!("windows %{} axis={axis}", arg.0),
        },
    }
}

/// `0 3 +1, n-1 n -1`: for each axis the first position, how many, and the step.
fn slices(region: &[Slice], lens: &[Dim]) -> String {
    let axes = region.iter().zip(lens).map(|(slice, len)| format!("{} {len} {:+}", slice.start, slice.step));
    axes.collect::<Vec<_>>().join(", ")
}
