//! Where outputs are written: paths are checked before anything is computed.

use super::Shown;
use crate::io;
use crate::io::argument;
use std::path::Path;

/// Files that outputs go to.
#[derive(Debug)]
pub struct Destinations {
    targets: Vec<(Option<String>, io::write::Target)>,
}

impl Destinations {
    /// Checks every path.
    ///
    /// # Errors
    /// The first that cannot be written.
    pub fn prepare(outputs: &[argument::Output]) -> Result<Destinations, io::error::IoError> {
        let targets = outputs.iter().map(|output| Ok((output.name.clone(), io::write::prepare(&output.path)?)));
        Ok(Destinations { targets: targets.collect::<Result<_, _>>()? })
    }

    /// A sentence when something would be lost: two of them are one file, or a file among `kept`.
    pub fn clash(&self, kept: &[&Path]) -> Option<String> {
        let targets: Vec<&io::write::Target> = self.targets.iter().map(|(_, target)| target).collect();
        io::write::clash(&targets, kept.iter().copied())
    }

    /// The value that each path asks for.
    ///
    /// # Errors
    /// A sentence about the name that no output has.
    pub fn assign<'v>(&self, values: &'v [Shown]) -> Result<Vec<(&io::write::Target, &'v Shown)>, String> {
        let named: Vec<&Shown> = values.iter().filter(|value| value.name.is_some()).collect();
        self.targets
            .iter()
            .map(|(name, target)| match name {
                Some(name) => {
                    let found = values.iter().find(|value| value.name.as_ref() == Some(name));
                    found.map(|value| (target, value)).ok_or_else(|| format!("the script has no output `{name}`"))
                }
                None => match (named.as_slice(), values) {
                    ([only], _) => Ok((target, *only)),
                    ([], [only]) => Ok((target, only)),
                    ([], []) => Err("there is no output to write".to_owned()),
                    _ => Err("there are several outputs: say which with `-o NAME=FILE`".to_owned()),
                },
            })
            .collect()
    }
}
