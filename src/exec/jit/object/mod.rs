//! Scripts as object files: functions that need nothing but memory of their caller.
//!
//! A program is planned once for all lengths ([`symbolic`]), and what the plan says is written as code ([`driver`],
//! [`folds`]) around the loops that every run has ([`module`]). What vectors have no instructions for is code too
//! ([`scalars`]). [`entry`] is what others call, [`header`] tells them how.

mod choice;
mod driver;
mod entry;
mod folds;
mod form;
mod header;
mod inputs;
mod loops;
mod module;
mod positions;
mod reduce;
mod scalars;
mod symbolic;
mod target;
#[cfg(test)]
mod tests;
mod totals;
mod writer;

use crate::ir::{Fault, NodeKind, Program};
use crate::types::DType;
use driver::code;
use inputs::{InputOf, Script};
use module::ObjectCode;
use symbolic::SymbolicPlan;

/// An object file and the C header that describes it.
#[derive(Clone, Debug)]
pub struct Built {
    /// The bytes of the object.
    pub object: Vec<u8>,
    /// The text of the header.
    pub header: String,
}

/// A part of a program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum About {
    /// One of its outputs.
    Output(usize),
    /// One of the lengths that data decides.
    Length(usize),
}

/// Why there is no object.
#[derive(Clone, Debug)]
pub struct Refused {
    /// A sentence.
    pub message: String,
    /// What of the program it is about, if it is about a part.
    pub about: Option<About>,
}

impl From<String> for Refused {
    fn from(message: String) -> Refused {
        Refused { message, about: None }
    }
}

/// Builds programs whose inputs have no data, each as functions whose names begin with its own, for a target, by
/// default this machine's, and a processor, by default every level of x86-64.
///
/// # Errors
/// What cannot be built.
pub fn build(programs: &[(&str, &Program)], triple: Option<&str>, cpu: Option<&str>) -> Result<Built, Refused> {
    let name = programs.first().map_or("empty", |(name, _)| name);
    let mut object = ObjectCode::new(target::variants(triple, cpu)?, name)?;
    let mut header = header::Header::new(name);
    for (name, program) in programs {
        refuse(program)?;
        // What a check may refuse is not written before it was looked at.
        let lent: Vec<_> = match program.checks.is_empty() {
            true => program.outputs.iter().map(|output| output.node).collect(),
            false => Vec::new(),
        };
        let (inputs, mut failures) = (inputs(program), failures(program));
        if object.variants() == 1 {
            failures.retain(|(code, _)| *code != code::PROCESSOR);
        }
        header.add(program, name, &inputs, &failures);
        let script = Script { program, inputs, plan: SymbolicPlan::new(program, &lent)?, failures };
        script.write(&mut object, name)?;
    }
    Ok(Built { object: object.finish()?, header: header.finish() })
}

/// What an object cannot do.
fn refuse(program: &Program) -> Result<(), Refused> {
    if !program.lengths.is_empty() {
        let message = "a length that data decides has no bound in an object".to_owned();
        return Err(Refused { message, about: Some(About::Length(0)) });
    }
    let needed = program.needed();
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        let what = match &node.kind {
            NodeKind::Routine { routine, .. } => Some(routine.row().name),
            NodeKind::Loop { of, .. } => Some(of.0.word()),
            _ => None,
        };
        if let Some(what) = what {
            let uses = program.outputs.iter().position(|output| depends(program, output.node.index(), index));
            let message = format!("`{what}` runs in arr alone: an object has no code for it");
            return Err(Refused { message, about: uses.map(About::Output) });
        }
    }
    Ok(())
}

fn depends(program: &Program, on: usize, what: usize) -> bool {
    let mut wanted = vec![false; program.nodes.len()];
    wanted[on] = true;
    for index in (what..=on).rev().filter(|&index| index < program.nodes.len()) {
        if wanted[index] {
            program.nodes[index].operands().for_each(|operand| wanted[operand.index()] = true);
        }
    }
    wanted[what]
}

/// The inputs as functions take them; one that nothing reads is there too.
fn inputs(program: &Program) -> Vec<InputOf> {
    let of = |input: u32| {
        let node = program.nodes.iter().find(|node| node.kind == NodeKind::Input(input));
        match node {
            Some(node) => InputOf { dtype: node.dtype, shape: node.shape.clone() },
            None => InputOf { dtype: DType::U8, shape: Vec::new() },
        }
    };
    (0..program.inputs.len() as u32).map(of).collect()
}

/// What the codes of a program say.
fn failures(program: &Program) -> Vec<(i64, String)> {
    let mut all = vec![
        (code::OK, "all is well".to_owned()),
        (code::SHAPE, "an input or an output has another length than the script says".to_owned()),
        (code::ALIAS, "an output overlaps an input or another output".to_owned()),
        (code::EMPTY, "the smallest or largest of no elements".to_owned()),
        (code::SIZE, "an array has more elements than memory can hold".to_owned()),
        (code::PROCESSOR, "the processor has no SSE4.1 or no FMA".to_owned()),
    ];
    for (index, check) in program.checks.iter().enumerate() {
        let text = match &check.fault {
            Fault::OutOfRange { input, range, .. } => format!("a value of {input} is outside {range}"),
            Fault::Overflow { op, dtype, .. } => format!("`{op}` does not fit {dtype}"),
            Fault::Division { op, .. } => format!("`{op}` divides by zero"),
            Fault::Total { op, dtype, .. } => format!("{op} does not fit {dtype}"),
            Fault::Count { wanted, .. } => format!("a mask does not keep {wanted} elements"),
            Fault::Index { axis, .. } => format!("a position is outside of axis {axis}"),
            Fault::Refused { text, .. } => text.replace("{value}", "a value").replace("{place}", ""),
            Fault::Unfit { function, is } => format!("`{function}`: the matrix is {is}"),
            Fault::NotBuilt { function, .. } => format!("`{function}` is not in this build"),
            Fault::Asserted { .. } => "what the script asserts does not hold".to_owned(),
            Fault::LossyCast { dtype, .. } => format!("a cast to {dtype} changes a value"),
        };
        all.push((code::CHECK + index as i64, text));
    }
    all
}
