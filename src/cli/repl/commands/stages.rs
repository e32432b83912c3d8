//! `:ir`, `:kernel`, `:plan`, `:body`, `:clif`, `:asm`: an expression on its way to machine code.

use super::super::super::args::Emit;
use super::super::super::emit;
use super::super::AfterInput;
use super::super::shell::Shell;
use super::expression;

/// `:ir EXPR`
pub(super) fn ir(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Ir)
}

/// `:kernel EXPR`
pub(super) fn kernel(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Kernel)
}

/// `:plan EXPR`
pub(super) fn plan(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Plan)
}

/// `:body EXPR`
pub(super) fn body(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Body)
}

/// `:clif EXPR`
pub(super) fn clif(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Clif)
}

/// `:asm EXPR`
pub(super) fn asm(shell: &mut Shell, text: &str) -> AfterInput {
    stage(shell, text, Emit::Asm)
}

fn stage(shell: &mut Shell, text: &str, stage: Emit) -> AfterInput {
    let prepared = expression::with_data(shell, text);
    let Some(program) = prepared.and_then(|prepared| prepared.checked.program) else { return AfterInput::Continue };
    match emit::text(stage, &program) {
        Ok(shown) if shown.trim().is_empty() => {
            shell.screen.answer("nothing is computed: the value is known before anything runs, or is there already");
        }
        Ok(shown) => shell.screen.answer(&shown),
        Err(message) => shell.screen.error(&message),
    }
    AfterInput::Continue
}
