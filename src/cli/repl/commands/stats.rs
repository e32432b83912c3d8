//! `:stats EXPR`

use super::super::AfterInput;
use super::super::shell::Shell;
use super::super::stats::line;
use super::expression;

/// Evaluates an expression, and tells what its elements are like; nothing is kept.
pub(super) fn stats(shell: &mut Shell, text: &str) -> AfterInput {
    let values = expression::values(shell, text).unwrap_or_default();
    let answers: String =
        values.iter().map(|value| format!("{}: {}", value.type_text(), line(shell.options(), value))).collect();
    shell.screen.answer(&answers);
    AfterInput::Continue
}
