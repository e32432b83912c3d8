//! `arr check --plan`: the needs of a run. It says what is read and written in pieces, what is held, and how much
//! memory that takes.
//!
//! ```text
//! scale.arr
//!   a  f64[8388608, 128]  8.0 GiB  read 3 times in pieces
//!   y  f64[8388608, 128]  8.0 GiB  written in pieces
//!   held: 4 arrays, the largest f64[128] of 1024 bytes
//!   needs 8.0 MiB of memory, reads and writes 32.0 GiB
//! ```

use super::{lengths, memory, output};
use crate::array::extent;
use crate::diagnostic::Outcome;
use crate::exec::{Options, outlook};
use crate::io::error::size;
use crate::ir::{NodeId, NodeKind, Program};
use crate::session::{Input, Session};
use crate::types::shape;
use std::fmt::Write;

/// Prints the outlook of a text that checks. Returns how that ended. Sizes come from the data, else from the stated
/// types. `session` is made for this, and opens the data.
pub(super) fn show(mut session: Session, input: &Input, max_mem: Option<usize>) -> Outcome {
    let name = input.name;
    let with_data = session.prepare(input).checked.program;
    let Some(mut program) = with_data.or_else(|| session.check(input).checked.program) else {
        return Outcome::Refused;
    };
    if let Err(told) = lengths::fix(&mut program, input.arguments) {
        return output::usage(&format!("a type on the command line says {told}"));
    }
    let (program, sources) = (&program, &session.sources);
    let max_memory = max_mem.or_else(memory::ceiling);
    let options = Options { max_memory, ..Options::default() };
    let Ok(found) = outlook(program, memory::windows(max_mem), &options) else {
        let open =
            program.inputs.iter().enumerate().find_map(|(at, input)| open_type(program, at).map(|ty| (input, ty)));
        let how = open.map_or_else(String::new, |(input, ty)| {
            format!(", or a type with numbers in place of names, as `{}:{ty}`", input.name)
        });
        return output::usage(&format!("the plan of `{name}` depends on sizes: give the data, `NAME=FILE`{how}"));
    };
    let mut rows: Vec<[String; 4]> = Vec::new();
    for (at, input) in program.inputs.iter().enumerate() {
        let node =
            program.nodes.iter().position(|node| matches!(node.kind, NodeKind::Input(own) if own as usize == at));
        let Some(node) = node else { continue };
        let how = match found.inputs[at] {
            0 => "whole".to_owned(),
            1 => "read once in pieces".to_owned(),
            times => format!("read {times} times in pieces"),
        };
        rows.push(row(&input.name, program, NodeId(node as u32), how));
    }
    for (output, passes) in program.outputs.iter().zip(&found.outputs) {
        let name = output.name.as_deref().unwrap_or_else(|| sources.text(output.span));
        let how = if *passes { "written in pieces" } else { "held" };
        rows.push(row(name, program, output.node, how.to_owned()));
    }
    let width = |column: usize| rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    let mut text = format!("{name}\n");
    for [name, ty, bytes, how] in &rows {
        let [first, second, third] = widths;
        let _ = writeln!(text, "  {name:first$}  {ty:second$}  {bytes:>third$}  {how}");
    }
    if let Some((dtype, sizes, bytes)) = found.held.first() {
        let count = found.held.len();
        let which = if count == 1 { "one array," } else { "" };
        let many = if count == 1 { String::new() } else { format!("{count} arrays, the largest") };
        let _ = writeln!(text, "  held: {which}{many} {dtype}{sizes:?} of {}", size(*bytes as u64));
    }
    if found.staged {
        let why = "sorting, selections, groups, matrices and loops take whole arrays";
        let _ = writeln!(text, "  nothing passes in pieces: {why}");
    }
    let about = if found.staged { "about " } else { "" };
    let _ = write!(text, "  needs {about}{} of memory", size(found.needed as u64));
    if found.moved > 0 {
        let _ = write!(text, ", reads and writes {}", size(found.moved));
    }
    text.push('\n');
    if let Some(most) = max_memory.filter(|most| *most < found.needed) {
        let _ =
            writeln!(text, "  that is more than it may have: {}; `--max-mem SIZE` raises the limit", size(most as u64));
    }
    output::print(&text)
}

/// The type of an input whose lengths are not all known, with a number for each of those.
fn open_type(program: &Program, input: usize) -> Option<String> {
    let node = program.nodes.iter().find(|node| matches!(node.kind, NodeKind::Input(own) if own as usize == input))?;
    if shape::sizes(&node.shape).is_some() {
        return None;
    }
    let lengths = node.shape.iter().map(|dim| dim.known().unwrap_or(1000).to_string());
    Some(format!("{}[{}]", node.dtype, lengths.collect::<Vec<_>>().join(", ")))
}

/// A name, its type and size, and what happens to it.
fn row(name: &str, program: &Program, node: NodeId, how: String) -> [String; 4] {
    let node = program.node(node);
    // How long an array is that data shapes is not known before.
    let bytes = shape::sizes(&node.shape)
        .map(|sizes| extent(&sizes, node.dtype.size()).map_or(u64::MAX, |(_, bytes)| bytes as u64));
    let shape = if node.shape.is_empty() { String::new() } else { shape::show(&node.shape) };
    [name.to_owned(), format!("{}{shape}", node.dtype), bytes.map_or_else(String::new, size), how]
}
