//! Values that the command line gives to names: `x=x.npy`, `n:i32=3`.

use super::{output, tree};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::io::argument::Argument;
use crate::source::Sources;
use crate::syntax;
use crate::syntax::ast::{ExprId, ExprKind, Script};
use crate::types::DType;
use std::ffi::OsString;

/// Bindings of the command line.
pub(super) fn arguments(inputs: &[OsString]) -> Result<Vec<Argument>, Outcome> {
    Argument::parse_all(inputs).map_err(|error| match &error.help {
        Some(help) => output::usage(&format!("{}\n  help: {help}", error.message)),
        None => output::usage(&error.message),
    })
}

/// What the command line gives an expression to be explained, in which a dtype is also an operand, `i8 + u32 * 1.5`:
/// such a dtype stands for a number that has it.
pub(super) fn with_operands(inputs: &[OsString], text: &str) -> Result<Vec<Argument>, Outcome> {
    let mut arguments = arguments(inputs)?;
    let mut sources = Sources::default();
    let source = sources.add("", text.to_owned());
    let script = syntax::parse(&sources, source, &mut Diagnostics::new());
    let mut left: Vec<ExprId> = tree::roots(&script).collect();
    while let Some(id) = left.pop() {
        let parts = tree::parts(&script, id);
        for name in dtypes_of_operands(&script, id, &parts) {
            if arguments.iter().all(|known| known.name != name) {
                arguments.push(Argument { name: name.to_owned(), type_text: Some(name.to_owned()), value: None });
            }
        }
        left.extend(parts);
    }
    Ok(arguments)
}

/// The dtypes that stand where an expression takes values; a call takes values where all of its arguments are dtypes.
fn dtypes_of_operands<'s>(script: &'s Script, id: ExprId, parts: &[ExprId]) -> Vec<&'s str> {
    let dtype = |part: &ExprId| {
        let ExprKind::Name(name) = &script.expr(tree::inside(script, *part)).kind else { return None };
        name.parse::<DType>().is_ok().then_some(name.as_str())
    };
    let kind = &script.expr(id).kind;
    if matches!(kind, ExprKind::Prefix(..) | ExprKind::Infix(..) | ExprKind::Compare(..)) {
        parts.iter().filter_map(dtype).collect()
    } else if matches!(kind, ExprKind::Call(..)) {
        parts.iter().map(dtype).collect::<Option<_>>().unwrap_or_default()
    } else {
        Vec::new()
    }
}
