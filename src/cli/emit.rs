//! `arr eval --emit STAGE`: what the expression looks like on its way to machine code.

use super::args::{Emit, Eval};
use super::context::Context;
use super::{bindings, output, tree};
use crate::check::Settings;
use crate::check::record::OperandMeeting;
use crate::diagnostic::Outcome;
use crate::exec::plan::kernels;
use crate::exec::{plan_text, stages_text};
use crate::ir::Program;
use crate::kernel::print;
use crate::promotion;
use crate::session::{Input, Preparation, Session};
use crate::source::Sources;
use crate::syntax::ast::ExprId;
use std::fmt::Write;

pub(super) fn stage(stage: Emit, command: &Eval, context: Context) -> Outcome {
    let arguments = match bindings::arguments(&command.inputs) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let Context { settings, reading } = context;
    let mut session = Session { settings, reading, ..Session::default() };
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("<eval>", &command.expression) };
    let needs_data = !matches!(stage, Emit::Ast | Emit::Typed | Emit::Ir | Emit::Stages);
    let prepared = if needs_data { session.prepare(&input) } else { session.check(&input) };
    if let Emit::Ast | Emit::Typed = stage {
        let text = if stage == Emit::Ast {
            crate::syntax::print::print(&session.sources, &prepared.script)
        } else {
            typed(&prepared, &session.sources)
        };
        output::findings(&prepared.diagnostics, &session.sources, command.running.verbose);
        return output::print(&text).max(prepared.outcome);
    }
    output::findings(&prepared.diagnostics, &session.sources, command.running.verbose);
    let Some(program) = &prepared.checked.program else { return prepared.outcome };
    match text(stage, program) {
        Ok(text) => {
            if text.trim().is_empty() {
                output::note("there is no loop to show: the value is computed without one");
            }
            output::print(&text)
        }
        Err(message) => output::usage(&message),
    }
}

/// The tree with the type of every part, and how the operands of each came to it.
fn typed(prepared: &Preparation, sources: &Sources) -> String {
    let (script, record) = (&prepared.script, &prepared.checked.record);
    let mut text = String::new();
    for root in tree::roots(script) {
        let rows = tree::rows(script, root, |id| record.value(id).is_some() || tree::operates(script, id));
        let part = |row: &tree::TreeRow| format!("{}{}", row.branch, tree::text(script, sources, row.id));
        let shown = |id: ExprId| record.value(id).map(|value| tree::value_text(&value, tree::type_text));
        let ty = |id: ExprId| shown(id).unwrap_or_else(|| "error".to_owned());
        let cells: Vec<[String; 2]> = rows.iter().map(|row| [part(row), ty(row.id)]).collect();
        let width = |at: usize| cells.iter().map(|row| row[at].chars().count()).max().unwrap_or(0);
        for (row, [part, ty]) in rows.iter().zip(&cells) {
            let steps = tree::places(script, row.id);
            let met = steps
                .iter()
                .filter_map(|&at| record.at(at, sources))
                .map(|step| met(&step, &prepared.checked.settings));
            let met = met.collect::<Vec<_>>().join("; ");
            let line = format!("{}   {}   {met}", tree::pad(part, width(0)), tree::pad(ty, width(1)));
            let _ = writeln!(text, "{}", line.trim_end());
        }
    }
    text
}

/// `i8, u8 → i16`: the types of the operands, and what is computed in.
fn met(step: &OperandMeeting, settings: &Settings) -> String {
    let operands: Vec<_> = step.operands.iter().map(|part| part.operand()).collect();
    let types: Vec<String> = operands.iter().map(|operand| operand.elem.to_string()).collect();
    let computed = match promotion::result(settings.system, step.operation, &operands) {
        Ok(decision) => settings.harden(decision.compute).name(),
        Err(_) => "refused",
    };
    format!("{} → {computed}", types.join(", "))
}

/// A program at a stage; a sentence when it cannot be shown.
pub(super) fn text(stage: Emit, program: &Program) -> Result<String, String> {
    match stage {
        Emit::Ast | Emit::Typed | Emit::Ir => Ok(crate::ir::print::program(program)),
        Emit::Stages => stages_text(program).map_err(|error| error.to_string()),
        Emit::Kernel => match kernels(program) {
            Ok(kernels) => {
                let mut text = print::kernels(&kernels);
                for of in program.loops() {
                    let _ = writeln!(text, "step of a {}", of.word());
                    self::text(stage, &of.step)?.lines().for_each(|line| {
                        let _ = writeln!(text, "  {line}");
                    });
                }
                Ok(text)
            }
            Err(_) => Err("the kernels depend on sizes: give the data, `NAME=FILE`".to_owned()),
        },
        Emit::Plan => {
            plan_text(program).map_err(|_| "the plan depends on sizes: give the data, `NAME=FILE`".to_owned())
        }
        Emit::Body => code(program, "body"),
        Emit::Clif => code(program, "clif"),
        Emit::Asm => code(program, "asm"),
    }
}

/// The code of every kernel.
#[cfg(all(feature = "jit", target_arch = "x86_64"))]
#[expect(clippy::unnecessary_wraps, reason = "without the compiler there is no code")]
fn code(program: &Program, form: &str) -> Result<String, String> {
    use crate::exec::jit::{Listing, emit_text};
    let form = match form {
        "body" => Listing::Body,
        "clif" => Listing::Clif,
        _ => Listing::Asm,
    };
    let kernels = kernels(program).unwrap_or_default();
    let mut text = String::new();
    for kernel in &kernels {
        text.push_str(&emit_text(kernel, form));
    }
    Ok(text)
}

/// Without the compiler there is none.
#[cfg(not(all(feature = "jit", target_arch = "x86_64")))]
fn code(_: &Program, form: &str) -> Result<String, String> {
    Err(format!("this build of arr has no compiler, so there is no {form} to show"))
}
