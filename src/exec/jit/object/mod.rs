//! Scripts as object files: functions that need nothing but memory of their caller.
//!
//! A program is planned once for all lengths ([`symbolic`]). The plan is written as code ([`driver`], [`folds`]) around
//! the loops that every run has ([`module`]). Prims that vectors have no instructions for are code too ([`scalars`]).
//! Others call the functions of [`entry`], and [`header`] tells them how.

mod asserted;
mod choice;
mod counted;
mod counters;
mod counts;
mod decided;
mod described;
mod driver;
mod entry;
mod folds;
mod form;
mod frame;
mod fused;
mod header;
mod inputs;
mod layout;
mod listing;
mod loops;
mod module;
mod names;
mod number_writer;
mod numbers;
mod params;
mod positions;
mod readable;
mod reduce;
mod refusal;
mod routines;
mod running;
mod scalars;
mod shared;
mod staged;
mod started;
mod symbolic;
mod target;
#[cfg(test)]
mod tests;
mod text;
mod totals;
mod unmade;
mod whole_axes;
mod writer;

use super::Listing;
use crate::ir::loops::ProgramLoop;
use crate::ir::{Check, Fault, Length, Node, NodeId, NodeKind, Program, Slice, View};
use crate::scalar::prim::Prim;
use crate::source::{Span, library_function};
use crate::types::{DType, Dim};
use asserted::AssertedLength;
use counted::CountedProgram;
use driver::code;
use form::Unknown;
use header::HeaderWriter;
pub use header::ScriptTexts;
use inputs::{InputOf, ScriptFunctions};
use module::ObjectCode;
pub use refusal::{BuildRefusal, LengthOrigin, NotBuilt};
use staged::StagedProgram;

/// An object file and the C header that describes it.
#[derive(Clone, Debug)]
pub struct BuiltObject {
    /// The bytes of the object.
    pub object: Vec<u8>,
    /// The text of the header.
    pub header: String,
}

/// What is built, and for which machine.
#[derive(Clone, Copy)]
pub struct BuildOrder<'o> {
    /// Programs whose inputs have no data, each as functions whose names begin with its own.
    pub programs: &'o [(&'o str, &'o Program)],
    /// The target, by default this machine.
    pub triple: Option<&'o str>,
    /// The processor, by default every level of x86-64.
    pub cpu: Option<&'o str>,
    /// What the script says.
    pub script: &'o dyn ScriptTexts,
}

impl std::fmt::Debug for BuildOrder<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let names: Vec<&str> = self.programs.iter().map(|(name, _)| *name).collect();
        let mut shown = f.debug_struct("BuildOrder");
        shown.field("programs", &names).field("triple", &self.triple).field("cpu", &self.cpu).finish_non_exhaustive()
    }
}

/// A program without a script.
struct NoScript;

impl ScriptTexts for NoScript {}

/// Builds programs for a target and a processor.
///
/// # Errors
/// What cannot be built.
pub fn build(programs: &[(&str, &Program)], triple: Option<&str>, cpu: Option<&str>) -> Result<BuiltObject, NotBuilt> {
    BuildOrder { programs, triple, cpu, script: &NoScript }.build()
}

impl BuildOrder<'_> {
    /// The object and its header.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn build(&self) -> Result<BuiltObject, NotBuilt> {
        let (object, header) = self.written(None)?;
        Ok(BuiltObject { object: object.finish(&header.stamp, &header.types)?, header: header.finish() })
    }

    /// The code of the object as text, of Cranelift or as assembly.
    ///
    /// # Errors
    /// What cannot be built.
    pub fn listing(&self, form: Listing) -> Result<String, NotBuilt> {
        Ok(self.written(Some(form))?.0.listing())
    }

    fn written(&self, listed: Option<Listing>) -> Result<(ObjectCode, HeaderWriter), NotBuilt> {
        let name = self.programs.first().map_or("empty", |(name, _)| name);
        let variants = target::variants(self.triple, self.cpu).map_err(BuildRefusal::Target)?;
        let mut object = ObjectCode::new(variants, name, listed)?;
        let mut header = HeaderWriter::new(name);
        for &(name, program) in self.programs {
            if names::is_taken(name) {
                return Err(BuildRefusal::TakenName(name.to_owned()).into());
            }
            let formed = decided::with_forms(program);
            let program = whole_axes::with_whole_axes(&formed);
            refuse(&program)?;
            let mut counted = CountedProgram::new(&program);
            counted.unmade.folds_of_steps(&formed);
            let added = self.add((name, &counted), &mut object, &mut header);
            added.map_err(|refused| {
                let place = refused.span.or_else(|| place_of(&counted.program, &refused.reason));
                NotBuilt { span: place, ..refused }
            })?;
        }
        Ok((object, header))
    }

    fn add(
        &self,
        (name, CountedProgram { program, unmade, started }): (&str, &CountedProgram),
        object: &mut ObjectCode,
        header: &mut HeaderWriter,
    ) -> Result<(), NotBuilt> {
        let (inputs, mut failures) = (inputs(program), failures());
        let mut unknowns = symbolic::all_unknowns(program);
        // Inputs that nothing reads have lengths too.
        inputs.iter().flat_map(|input| &input.shape).for_each(|dim| unknowns.add(dim));
        let is_input = |name: &str| unknowns.all.iter().any(|of| matches!(of, Unknown::Name(own) if own == name));
        let unmade = unmade.only(|dim| has_only(dim, is_input));
        unmade.dims().for_each(|dim| unknowns.add(dim));
        let shapes: Vec<&[Dim]> = inputs.iter().map(|input| input.shape.as_slice()).collect();
        // Codes are in the order of the checks, but those of lengths are looked at first.
        let (mut asserted, mut left, mut rest, mut next) = (Vec::new(), Vec::new(), program.clone(), code::CHECK);
        rest.checks.retain(|check| {
            let of_length = AssertedLength::new(check, next, &shapes);
            let is_left = of_length.is_none();
            if is_left {
                left.push(next);
            }
            asserted.extend(of_length);
            failures.push((next, fault_text(check, self.script)));
            next += 1;
            is_left
        });
        let program = &rest;
        let mut codes = |step: &Program| {
            let first = next;
            next += step.checks.len() as i64;
            let texts = step.checks.iter().map(|check| fault_text(check, self.script));
            failures.extend((first..).zip(texts));
            (first..next).collect::<Vec<i64>>()
        };
        // A result that a check may refuse is not written before the check was looked at.
        let staged = StagedProgram::new((program, left), !has_checks(program), &mut codes)?;
        if object.variants() == 1 {
            failures.retain(|(code, _)| *code != code::PROCESSOR);
        }
        if !needs_elements(program, started) {
            failures.retain(|(code, _)| *code != code::EMPTY);
        }
        header.add((name, program), &inputs, &failures, self.script);
        let script = ScriptFunctions { program, inputs, unknowns, unmade, started, asserted, staged, failures };
        script.write(object, name)?;
        Ok(())
    }
}

/// Whether a program, or a step of its loops, has checks.
fn has_checks(program: &Program) -> bool {
    let own = |program: &Program| !program.checks.is_empty();
    own(program) || program.loops().iter().any(|of| has_checks(&of.step) || of.condition.as_ref().is_some_and(own))
}

/// Whether a program, or a step of its loops, has folds that need at least one element: all but those that start with
/// a value.
fn needs_elements(program: &Program, started: &[NodeId]) -> bool {
    let is_one = |(index, node): (usize, &Node)| {
        let needs = matches!(node.kind, NodeKind::Fold { fold, .. } if !fold.has_identity());
        needs && !started.contains(&NodeId(index as u32))
    };
    let of_loop = |part: &Program| needs_elements(part, &[]);
    program.nodes.iter().enumerate().any(is_one)
        || program.loops().iter().any(|of| of_loop(&of.step) || of.condition.as_ref().is_some_and(of_loop))
}

/// Refuses what an object cannot do.
fn refuse(program: &Program) -> Result<(), NotBuilt> {
    if program.outputs.is_empty() {
        return Err(BuildRefusal::NoOutput.into());
    }
    refuse_part(program, LengthOrigin::Data)
}

/// Refuses what an object cannot do in a program, or in a step of a loop. `decided` says what decides the lengths that
/// are found there.
#[expect(clippy::wildcard_enum_match_arm, reason = "nothing else is given")]
fn refuse_part(program: &Program, decided: LengthOrigin) -> Result<(), NotBuilt> {
    let needed = program.needed_nodes();
    for (index, node) in program.nodes.iter().enumerate().filter(|(index, _)| needed[*index]) {
        if let NodeKind::Routine { routine, .. } = &node.kind
            && !routines::is_built(*routine)
        {
            let uses = program.outputs.iter().find(|output| depends(program, output.node.index(), index));
            return Err(NotBuilt { reason: BuildRefusal::Library, span: uses.map(|output| output.span) });
        }
    }
    if let Some(length) = program.lengths.first() {
        // Arrays in brackets are what the script says.
        let given = |node: &Node| match node.kind {
            NodeKind::Input(input) => !program.inputs[input as usize].is_literal(),
            NodeKind::Param(_) => true,
            _ => false,
        };
        let mut decides = program.nodes.iter().enumerate().filter(|(_, node)| given(node)).map(|(index, _)| index);
        let is_constant = !decides.any(|index| depends(program, length.node.index(), index));
        let function = library_function(length.span);
        let found = match is_constant {
            true if function.is_none() && !program.counts_a_mask(length) => LengthOrigin::Computed,
            true => LengthOrigin::Counted,
            false if decided == LengthOrigin::Data && is_reduced(program, length) => LengthOrigin::Reduced,
            false => decided,
        };
        // A length of the library is reported at the call, or at an output that is made with it, or at the first one.
        let made = program.outputs.iter().find(|output| depends(program, output.node.index(), length.node.index()));
        let uses = || length.call.or(made.or(program.outputs.first()).map(|output| output.span));
        let span = if length.span.source.is_library() { uses().unwrap_or(length.span) } else { length.span };
        return Err(NotBuilt { reason: BuildRefusal::Length { found, function }, span: Some(span) });
    }
    for of in program.loops() {
        for part in std::iter::once(&of.step).chain(&of.condition) {
            refuse_part(part, LengthOrigin::Step)
                .map_err(|refused| NotBuilt { span: refused.span.or(Some(of.span)), ..refused })?;
        }
    }
    Ok(())
}

/// Whether elements are reduced of which there are so many, and no result has as many.
fn is_reduced(program: &Program, length: &Length) -> bool {
    let dim = Dim::name(&length.name);
    let has = |node: NodeId| program.node(node).shape.contains(&dim);
    let folds = |node: &Node| matches!(node.kind, NodeKind::Fold { arg, .. } if has(arg));
    program.nodes.iter().any(folds) && !program.outputs.iter().any(|output| has(output.node))
}

/// Whether all names in a dimension are of some kind.
fn has_only(dim: &Dim, is_one: impl Fn(&str) -> bool) -> bool {
    let mut all = true;
    dim.names(&mut |name| all &= is_one(name));
    all
}

/// The place of an output or a loop that a refusal is about: it has the refused length, or it is computed by the
/// refused prim.
fn place_of(program: &Program, refused: &BuildRefusal) -> Option<Span> {
    let depending = |index| program.outputs.iter().find(|output| depends(program, output.node.index(), index));
    if let BuildRefusal::Bounds(length) = refused {
        let with = |of: &Program| {
            of.needed_nodes().iter().zip(of.nodes.iter()).position(|(used, node)| *used && has(node, length))
        };
        let output = with(program).and_then(depending).map(|output| output.span);
        let turning = || program.loops().into_iter().find(|of| with(&of.step).is_some()).map(|of| of.span);
        return output.or_else(turning);
    }
    let &BuildRefusal::Prim { prim, .. } = refused else { return None };
    if let Some(output) = use_of(program, prim).and_then(depending) {
        return Some(output.span);
    }
    program.loops().into_iter().find(|of| is_in_steps(of, prim)).map(|of| of.span)
}

/// Whether a length stands in a node.
fn has(node: &Node, length: &Dim) -> bool {
    let mut starts: &[Slice] = &[];
    if let NodeKind::View { view: View::Slice(region), .. } | NodeKind::Update { region, .. } = &node.kind {
        starts = region;
    }
    node.shape.iter().chain(starts.iter().map(|slice| &slice.start)).any(|dim| dim == length)
}

fn use_of(program: &Program, prim: Prim) -> Option<usize> {
    program.nodes.iter().position(|node| matches!(node.kind, NodeKind::Map(own, _) if own == prim))
}

fn is_in_steps(of: &ProgramLoop, prim: Prim) -> bool {
    let uses =
        |part: &Program| use_of(part, prim).is_some() || part.loops().into_iter().any(|of| is_in_steps(of, prim));
    std::iter::once(&of.step).chain(&of.condition).any(uses)
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

/// The inputs that functions take. An input that the script declares is one of them even if nothing reads it. An array
/// that the script says in brackets is none, and neither is a file in whose place the caller gives a value.
fn inputs(program: &Program) -> Vec<InputOf> {
    let needed = program.needed_nodes();
    let mut all = Vec::new();
    for (number, input) in program.inputs.iter().enumerate() {
        let of = |index: &usize| program.nodes[*index].kind == NodeKind::Input(number as u32);
        let nodes: Vec<usize> = (0..program.nodes.len()).filter(of).collect();
        let read = nodes.iter().any(|&index| needed[index]);
        if input.is_literal() || !read && !is_name(&input.name) {
            continue;
        }
        let (dtype, shape) = nodes.first().map_or((DType::U8, Vec::new()), |&index| {
            let node = &program.nodes[index];
            (node.dtype, node.shape.clone())
        });
        all.push(InputOf { name: input.name.clone(), number, dtype, shape });
    }
    all
}

/// Whether an input has a name of the script, and is no file.
fn is_name(name: &str) -> bool {
    name.chars().all(|c| c.is_alphanumeric() || c == '_')
}

/// The codes that every script has, with their texts.
fn failures() -> Vec<(i64, String)> {
    [
        (code::OK, "all is well"),
        (code::SHAPE, "an input or an output has another length than the script says"),
        (code::ALIAS, "an output overlaps an input or another output"),
        (code::EMPTY, "the smallest or largest of no elements"),
        (code::SIZE, "a length is below 0, or too large"),
        (code::PROCESSOR, "the processor has no SSE4.1 or no FMA"),
        (code::INTERRUPT, "the caller has stopped it"),
    ]
    .map(|(code, text)| (code, text.to_owned()))
    .to_vec()
}

/// Characters of the script that a text of a code shows.
const MAX_QUOTED_CHARS: usize = 40;

/// Which expression of the script a check is about.
fn place_text(check: &Check, script: &dyn ScriptTexts) -> String {
    let Some((text, line)) = script.said(check.span) else { return String::new() };
    let shown: String = text.chars().take(MAX_QUOTED_CHARS).collect();
    let more = if shown.len() < text.len() { "…" } else { "" };
    format!(": `{shown}{more}` in line {line}")
}

/// The text of a check that does not hold.
fn fault_text(check: &Check, script: &dyn ScriptTexts) -> String {
    let place = || place_text(check, script);
    match &check.fault {
        Fault::OutOfRange { input, range, .. } => format!("a value of {input} is outside {range}"),
        Fault::Overflow { op, dtype, .. } => format!("`{op}` does not fit {dtype}{}", place()),
        Fault::Division { op, .. } => format!("`{op}` divides by zero{}", place()),
        Fault::Total { op, dtype, .. } => format!("{op} does not fit {dtype}{}", place()),
        Fault::Count { wanted, .. } => format!("a mask does not keep {wanted} elements{}", place()),
        Fault::Index { axis, .. } => format!("a position is outside of axis {axis}{}", place()),
        Fault::Refused { text, .. } => {
            // Who reads the text of a code does not know the value.
            let text = text.replace(" at [{place}]", "").replace("[{place}]", "").replace("{value}", "N");
            format!("{text}{}", place())
        }
        Fault::Nothing { function, axis } => {
            format!("`{function}` of nothing has no value: axis {axis} has length 0{}", place())
        }
        Fault::Unfit { function, is } => format!("`{function}`: the matrix is {is}"),
        Fault::NotBuilt { function, .. } => format!("`{function}` is not in this build"),
        Fault::Asserted { said: Some(said), .. } => (*said).to_owned(),
        Fault::Asserted { .. } | Fault::Lengths { .. } => match script.said(check.span) {
            Some((text, line)) => format!("line {line} asserts `{text}`, which does not hold"),
            None => "what the script asserts does not hold".to_owned(),
        },
        Fault::LossyCast { dtype, .. } => format!("a cast to {dtype} changes a value{}", place()),
    }
}
