//! Lengths that types on the command line say as numbers: in `x:f32[3, n]` the first.

use crate::io::argument::Argument;
use crate::ir::{Node, NodeKind, Program};
use crate::types::equal::Equation;
use crate::types::{Dim, parts};

/// Puts them in place of the names of the script.
///
/// # Errors
/// A length that the script does not leave open, as the rest of a sentence.
pub(super) fn fix(program: &mut Program, arguments: &[Argument]) -> Result<(), String> {
    for argument in arguments {
        let dims = argument.type_text.as_deref().and_then(|ty| ty.trim().strip_suffix(']')?.split_once('['));
        for (axis, said) in dims.iter().flat_map(|(_, dims)| dims.split(',')).enumerate() {
            let Ok(said) = said.trim().parse::<u64>() else { continue };
            let of = |node: &&Node| matches!(node.kind, NodeKind::Input(at) if program.inputs[at as usize].name == argument.name);
            let Some(size) = program.nodes.iter().find(of).and_then(|node| node.shape.get(axis)).cloned() else {
                continue;
            };
            // After `assert n >= 3` the length `n` is a part of it and 3.
            let is_name = size.form().is_some_and(|form| parts::in_names(&form).unwrap_or(form).is_name());
            match size.equation(&Dim::Const(said)) {
                Equation::Always => {}
                Equation::Name(name, only @ Dim::Const(_)) if is_name => program.equate(&name, &only),
                // After `assert n >= m` it is `m` and what it is longer.
                Equation::Name(name, only) if is_name && parts::lengths_of(&name).count() > 1 => {
                    program.equate(&name, &only);
                }
                Equation::Name(..) | Equation::Never | Equation::Open => {
                    let name = &argument.name;
                    return Err(format!("{said} for a length of `{name}` that is {size}"));
                }
            }
        }
    }
    Ok(())
}
