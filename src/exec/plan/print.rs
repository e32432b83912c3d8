//! Prints plans.
//!
//! ```text
//! in0 = f32[1000] [4]
//! b0 = f32[], 4 bytes
//! allocate b0
//! rows 1000, 22 ps an element
//!   s0 : f32 = in0 [4]
//!   v1 : f32 sum -> b0 [0]
//! give b0 f32[]
//! ```
//!
//! Loops stand outermost first, those over terms after a `|`, the innermost one last. Each operand has the number of
//! bytes that it moves along each loop.

use super::build::{ShortLoops, build, kernels};
use super::loops::Use;
use super::storage::{Storage, StoredArray};
use super::{LoopNest, NestKind, Origin, Plan, PlanStep};
use crate::array::extent;
use crate::array::show::scalar_text;
use crate::exec::space::LoopDim;
use crate::ir::Program;
use crate::kernel::fuse::UnknownSize;
use std::fmt::Write;

/// The text of a program's plan; inputs without data lie in C order.
///
/// # Errors
/// When a size is not known.
pub(crate) fn text(program: &Program) -> Result<String, UnknownSize> {
    Ok(build(program, &kernels(program)?, &[], ShortLoops::Interpreted).to_string())
}

impl std::fmt::Display for Plan {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for input in &self.inputs {
            writeln!(f, "in{} = {}{:?} {:?}", input.input, input.dtype, input.sizes, input.strides)?;
        }
        for (index, constant) in self.constants.iter().enumerate() {
            writeln!(f, "c{index} = {} {}", constant.dtype(), scalar_text(constant.get(0)))?;
        }
        for (index, buffer) in self.buffers.iter().enumerate() {
            let bytes = extent(&buffer.sizes, buffer.dtype.size()).map_or(0, |(_, bytes)| bytes);
            let lent = if buffer.lent.is_some() { ", lent" } else { "" };
            writeln!(f, "b{index} = {}{:?}, {bytes} bytes{lent}", buffer.dtype, buffer.sizes)?;
        }
        for step in &self.steps {
            match step {
                PlanStep::Allocate(buffer) => writeln!(f, "allocate b{buffer}")?,
                PlanStep::Release(buffer) => writeln!(f, "release b{buffer}")?,
                PlanStep::Check { check, at } => writeln!(f, "check {check}: {}", located(at))?,
                PlanStep::Run(nest) => f.write_str(&loops(nest))?,
            }
        }
        self.outputs.iter().try_for_each(|output| writeln!(f, "give {}", located(output)))
    }
}

/// `in0+16`
fn place(storage: Storage, offset: isize) -> String {
    let storage = match storage {
        Storage::Input(input) => format!("in{input}"),
        Storage::Buffer(buffer) => format!("b{buffer}"),
        Storage::Constant(constant) => format!("c{constant}"),
    };
    if offset == 0 { storage } else { format!("{storage}{offset:+}") }
}

fn located(array: &StoredArray) -> String {
    let strides = if array.is_whole() { String::new() } else { format!(" {:?}", array.strides) };
    format!("{} {}{:?}{strides}", place(array.storage, array.offset), array.dtype, array.sizes)
}

fn loops(step: &LoopNest) -> String {
    let (loops, nest) = (&step.loops, &step.nest);
    let mut text = match nest.kind {
        NestKind::Element => "element".to_owned(),
        NestKind::Map => "map".to_owned(),
        NestKind::Rows => "rows".to_owned(),
        NestKind::Columns => "columns".to_owned(),
    };
    let all: Vec<&LoopDim> = nest.outer.iter().chain(&nest.between).chain([&nest.inner]).collect();
    for (index, dim) in all.iter().enumerate() {
        let mark = if index == nest.outer.len() && !nest.between.is_empty() { " |" } else { "" };
        let _ = write!(text, "{mark} {}", dim.len);
    }
    let notes = [
        (loops.short, ", interpreted: too short to be compiled"),
        (nest.code.is_none(), ", nothing to compute"),
        (nest.is_large, ", more than caches hold"),
    ];
    let notes: String = notes.iter().filter(|(holds, _)| *holds).map(|(_, note)| *note).collect();
    let _ = writeln!(text, ", {} ps an element{notes}", nest.cost.picoseconds());
    for (operand, origin) in step.origins.iter().enumerate() {
        let moves: Vec<isize> = all.iter().map(|dim| dim.strides[operand]).collect();
        let dtype = loops.dtypes[operand];
        let origin = match *origin {
            Origin::Count(first) => format!("from {first}"),
            Origin::At { storage, offset } => place(storage, offset),
        };
        let _ = match operand.checked_sub(loops.inputs()) {
            None => writeln!(text, "  s{operand} : {dtype} = {origin} {moves:?}"),
            Some(output) => {
                let (value, what) = &loops.outputs[output];
                let what = match what {
                    Use::Store => String::new(),
                    Use::Buffered => " where it is read".to_owned(),
                    Use::Fold(fold) => format!(" {}", fold.name()),
                    Use::Scan(fold) => format!(" scan {}", fold.name()),
                    Use::Gather { reader, .. } => {
                        let reader = &step.readers[*reader];
                        format!(" read in {}", place(reader.storage, reader.offset))
                    }
                };
                writeln!(text, "  v{} : {dtype}{what} -> {origin} {moves:?}", value.0)
            }
        };
    }
    text
}
