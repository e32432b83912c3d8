//! `arr eval --emit STAGE`: what the expression looks like on its way to machine code.

use super::args::{Emit, Eval};
use super::{output, run};
use crate::check::Settings;
use crate::session::{Input, Session};

pub(super) fn stage(stage: Emit, command: &Eval, settings: Settings) -> u8 {
    let arguments = match run::arguments(&command.inputs) {
        Ok(arguments) => arguments,
        Err(code) => return code,
    };
    let mut session = Session { settings, ..Session::default() };
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
    let text = match stage {
        Emit::Ast | Emit::Ir => crate::ir::print::program(program),
        Emit::Kernel | Emit::Clif | Emit::Asm => String::new(),
    };
    output::print(&text)
}
