//! Lengths that types on the command line say as numbers: in `x:f32[3, n]` the first.

use crate::io::argument::Argument;
use crate::ir::{Node, NodeKind, Program};
use crate::types::equal::Equation;
use crate::types::parts::SaidLength;
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
                Equation::Name(name, only @ Dim::Const(_)) if is_name => {
                    program.equate(&name, &only);
                    // A length that would be below 0 keeps the name.
                    if let Some(read) = program.read.iter().find(|read| read.dim.has_name(&name)) {
                        let (input, dim) = (&argument.name, &read.dim);
                        return Err(format!("{said} for a length of `{input}` that is {size}: {dim} would be below 0"));
                    }
                }
                Equation::Name(..) | Equation::Never | Equation::Open => {
                    let name = &argument.name;
                    let why = if is_name { known(&size) } else { String::new() };
                    return Err(format!("{said} for a length of `{name}` that is {size}{why}"));
                }
            }
        }
    }
    Ok(())
}

/// What the script says of a length that has a name, as the end of a sentence.
fn known(size: &Dim) -> String {
    let Some(part) = parts::part_of(size) else { return String::new() };
    let SaidLength { step, least, most } = parts::said_by(&part);
    let mut facts = Vec::new();
    if least > 0 {
        facts.push(format!("at least {least}"));
    }
    facts.extend(most.map(|most| format!("at most {most}")));
    match least.checked_rem(step) {
        Some(0) if step > 1 => facts.push(format!("a multiple of {step}")),
        Some(more) if step > 1 => facts.push(format!("{more} more than a multiple of {step}")),
        Some(_) | None => {}
    }
    if facts.is_empty() { String::new() } else { format!(", and the script says that it is {}", facts.join(" and ")) }
}
