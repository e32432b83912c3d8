//! Lengths that types on the command line say as numbers: in `x:f32[3, n]` the first.

use crate::io::argument::Argument;
use crate::ir::{Node, NodeKind, Program};
use crate::types::Dim;
use crate::types::affine::{Affine, Atom};

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
            let form = size.form().unwrap_or_else(|| Affine::constant(0));
            match (size.known(), form.terms.as_slice(), form.constant) {
                (Some(known), ..) if known == said => {}
                (None, [(Atom::Name(name), 1)], 0) => program.equate(name, &Dim::Const(said)),
                _ => {
                    let name = &argument.name;
                    return Err(format!("{said} for a length of `{name}` that is {size}"));
                }
            }
        }
    }
    Ok(())
}
