//! The destinations of outputs: paths are checked before anything is computed.

use super::ShownValue;
use crate::array::extent;
use crate::io::write::UnfinishedFile;
use crate::io::{self, Format, IoError, argument};
use crate::ir::Program;
use crate::types::shape;
use std::path::Path;

/// A file, with the outputs that go to it.
#[derive(Debug)]
struct Destination {
    /// Their names. An empty list stands for all of them, or for the only one.
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
    pub fn prepare(outputs: &[argument::OutputArgument], standard: &'static Format) -> Result<Destinations, IoError> {
        let mut targets: Vec<Destination> = Vec::new();
        for output in outputs {
            let target = match output.path.as_os_str() == "-" {
                true => io::write::Target::standard_output(standard),
                false => io::prepare(&output.path)?,
            };
            let is_one = |it: &io::write::Target| {
                it.replaces(&target) || (it.is_standard_output() && target.is_standard_output())
            };
            let same = |it: &&mut Destination| is_one(&it.target) && it.target.format().takes_several();
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
        if targets.iter().filter(|target| target.is_standard_output()).count() > 1 {
            let why = "two results are to be written to standard output, and `.npy` holds one";
            return Some(format!("{why}: `--format csv` and `--format json` take several"));
        }
        io::write::clash(&targets, kept.iter().copied())
    }

    /// The values that each path asks for.
    ///
    /// # Errors
    /// A sentence about the name that no output has.
    pub fn assign<'v>(
        &self,
        values: &'v [ShownValue],
    ) -> Result<Vec<(&io::write::Target, Vec<&'v ShownValue>)>, String> {
        let names: Vec<Option<&str>> = values.iter().map(|value| value.name.as_deref()).collect();
        let assigned = self.outputs(&names)?.into_iter();
        Ok(assigned.map(|(target, outputs)| (target, outputs.into_iter().map(|at| &values[at]).collect())).collect())
    }

    /// Why values that have no file are not printed behind what standard output takes, in words. Outputs are a name, if
    /// they have one, and a text.
    pub fn why_not_mixed(&self, outputs: &[(Option<&str>, &str)]) -> Option<String> {
        let names: Vec<Option<&str>> = outputs.iter().map(|&(name, _)| name).collect();
        let assigned = self.outputs(&names).ok()?;
        let (target, taken) = assigned.iter().find(|(target, _)| target.is_standard_output())?;
        let is_left = |at: &usize| !assigned.iter().any(|(_, outputs)| outputs.contains(at));
        let left = (0..outputs.len()).find(is_left)?;
        let said = |at: usize| format!("`{}`", io::error::escape(outputs[at].0.unwrap_or(outputs[at].1)));
        let (stream, written) = (io::error::printable_path(target.path()), said(*taken.first()?));
        let what = match outputs[left].0 {
            Some(_) => "give it a file, too",
            None => "name it, `output y = …`, and give it a file, too",
        };
        Some(format!("{stream} takes {written}, and {} would be printed behind it: {what}", said(left)))
    }

    /// The outputs that each path asks for, of those with these names.
    fn outputs(&self, outputs: &[Option<&str>]) -> Result<Vec<(&io::write::Target, Vec<usize>)>, String> {
        let named: Vec<usize> = (0..outputs.len()).filter(|&at| outputs[at].is_some()).collect();
        let all = if named.is_empty() { (0..outputs.len()).collect() } else { named };
        let assigned = self.targets.iter().map(|Destination { names, target }| {
            let mut found = Vec::new();
            for name in names {
                match (name, all.as_slice()) {
                    (Some(name), _) => {
                        let output = outputs.iter().position(|output| *output == Some(name));
                        let output = output.or_else(|| unnamed_output(outputs, name));
                        found.push(output.ok_or_else(|| format!("the script has no output `{name}`"))?);
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

    /// Begins the files of outputs that have at least `least` bytes, and whose bytes a file takes in any order. There
    /// is a place for each output of the program; it is empty if no file is begun.
    pub(super) fn begin(&self, program: &Program, least: usize) -> Result<Vec<Option<UnfinishedFile>>, IoError> {
        let names: Vec<Option<&str>> = program.outputs.iter().map(|output| output.name.as_deref()).collect();
        let mut begun: Vec<Option<UnfinishedFile>> = names.iter().map(|_| None).collect();
        // What is wrong with names is told when all is computed.
        let assigned = self.outputs(&names).unwrap_or_default();
        let count = |output: usize| assigned.iter().filter(|(_, outputs)| outputs.contains(&output)).count();
        for (target, outputs) in &assigned {
            let &[output] = outputs.as_slice() else { continue };
            let node = program.node(program.outputs[output].node);
            let Some(sizes) = shape::sizes(&node.shape) else { continue };
            let bytes = extent(&sizes, node.dtype.size()).map_or(0, |(_, bytes)| bytes);
            if bytes >= least && count(output) == 1 {
                begun[output] = io::begin(target, node.dtype, &sizes)?;
            }
        }
        Ok(begun)
    }
}

/// The output without a name that a built library calls so: `result`, among several outputs `result` and its place.
fn unnamed_output(outputs: &[Option<&str>], name: &str) -> Option<usize> {
    let called = |at: usize| if outputs.len() == 1 { "result".to_owned() } else { format!("result{at}") };
    (0..outputs.len()).find(|&at| outputs[at].is_none() && called(at) == name)
}
