//! Where outputs are written: paths are checked before anything is computed.

use super::Shown;
use crate::io;
use crate::io::Format;
use crate::io::argument;
use std::path::Path;

/// A file, with the outputs that go to it.
#[derive(Debug)]
struct Destination {
    /// Their names; none is all of them, or the only one.
    names: Vec<Option<String>>,
    target: io::write::Target,
}

/// Files that outputs go to.
#[derive(Debug)]
pub struct Destinations {
    targets: Vec<Destination>,
}

impl Destinations {
    /// Checks every path; `-` is standard output, in the format that is given.
    ///
    /// # Errors
    /// The first that cannot be written.
    pub fn prepare(
        outputs: &[argument::Output],
        standard: &'static Format,
    ) -> Result<Destinations, io::error::IoError> {
        let mut targets: Vec<Destination> = Vec::new();
        for output in outputs {
            let target = match output.path.as_os_str() == "-" {
                true => io::write::Target::standard_output(standard),
                false => io::prepare(&output.path)?,
            };
            let same = |it: &&mut Destination| it.target.replaces(&target) && it.target.format().takes_several();
            match targets.iter_mut().find(same) {
                Some(known) => known.names.push(output.name.clone()),
                None => targets.push(Destination { names: vec![output.name.clone()], target }),
            }
        }
        Ok(Destinations { targets })
    }

    /// A sentence when something would be lost: two of them are one file, or a file among `kept`.
    pub fn clash(&self, kept: &[&Path]) -> Option<String> {
        let targets: Vec<&io::write::Target> = self.targets.iter().map(|it| &it.target).collect();
        io::write::clash(&targets, kept.iter().copied())
    }

    /// The values that each path asks for.
    ///
    /// # Errors
    /// A sentence about the name that no output has.
    pub fn assign<'v>(&self, values: &'v [Shown]) -> Result<Vec<(&io::write::Target, Vec<&'v Shown>)>, String> {
        let named: Vec<&Shown> = values.iter().filter(|value| value.name.is_some()).collect();
        let all = if named.is_empty() { values.iter().collect() } else { named };
        let assigned = self.targets.iter().map(|Destination { names, target }| {
            let mut found = Vec::new();
            for name in names {
                match (name, all.as_slice()) {
                    (Some(name), _) => {
                        let value = values.iter().find(|value| value.name.as_ref() == Some(name));
                        found.push(value.ok_or_else(|| format!("the script has no output `{name}`"))?);
                    }
                    (None, []) => return Err("there is no output to write".to_owned()),
                    (None, [only]) => found.push(*only),
                    (None, _) if target.format().takes_several() => found.extend(&all),
                    (None, _) => return Err("there are several outputs: say which with `-o NAME=FILE`".to_owned()),
                }
            }
            Ok((target, found))
        });
        assigned.collect()
    }
}
