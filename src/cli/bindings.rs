//! What the command line gives to names: `x=x.npy`, `n:i32=3`.

use super::output;
use crate::diagnostic::Outcome;
use crate::io::argument::Argument;
use std::ffi::OsString;

/// Bindings of the command line.
pub(super) fn arguments(inputs: &[OsString]) -> Result<Vec<Argument>, Outcome> {
    let mut arguments: Vec<Argument> = Vec::with_capacity(inputs.len());
    for text in inputs {
        let argument = Argument::parse(text).map_err(|error| match &error.help {
            Some(help) => output::usage(&format!("{}\n  help: {help}", error.message)),
            None => output::usage(&error.message),
        })?;
        if arguments.iter().any(|known| known.name == argument.name) {
            return Err(output::usage(&format!("`{}` is given twice", argument.name)));
        }
        arguments.push(argument);
    }
    Ok(arguments)
}
