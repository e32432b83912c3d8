//! `arr eval --emit STAGE`: what the expression looks like on its way to machine code.

use super::args::{Emit, Eval};
use super::context::Context;
use super::{output, run};
use crate::exec::plan_text;
use crate::ir::Program;
use crate::kernel::{fuse, print};
use crate::session::{Input, Session};

pub(super) fn stage(stage: Emit, command: &Eval, context: Context) -> u8 {
    let arguments = match run::arguments(&command.inputs) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let Context { settings, reading } = context;
    let mut session = Session { settings, reading, ..Session::default() };
    let input = Input { arguments: &arguments, free_names: true, ..Input::new("<eval>", &command.expression) };
    let needs_data = !matches!(stage, Emit::Ast | Emit::Ir);
    let prepared = session.prepare(&input, needs_data);
    if stage == Emit::Ast {
        let text = crate::syntax::print::print(&session.sources, &prepared.script);
        run::report(&prepared.diagnostics, &session.sources, command.running.verbose);
        return output::print(&text).max(prepared.exit);
    }
    run::report(&prepared.diagnostics, &session.sources, command.running.verbose);
    let Some(program) = &prepared.checked.program else { return prepared.exit };
    match text(stage, program) {
        Ok(text) => output::print(&text),
        Err(message) => output::usage(&message),
    }
}

/// A program at a stage; a sentence when it cannot be shown.
pub(super) fn text(stage: Emit, program: &Program) -> Result<String, String> {
    match stage {
        Emit::Ast | Emit::Ir => Ok(crate::ir::print::program(program)),
        Emit::Kernel => match fuse::fuse(program) {
            Ok(kernels) => Ok(print::kernels(&kernels)),
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
fn code(program: &Program, form: &str) -> Result<String, String> {
    use crate::exec::jit::{Form, emit_text};
    let form = match form {
        "body" => Form::Body,
        "clif" => Form::Clif,
        _ => Form::Asm,
    };
    let kernels = fuse::fuse(program).unwrap_or_default();
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
