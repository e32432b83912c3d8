//! A program up to some place.

use super::{Conversion, ProgramBuilder};
use crate::ir::Program;

/// How far a program was built.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    nodes: usize,
    inputs: usize,
    outputs: usize,
    checks: usize,
    lengths: usize,
    read: usize,
}

impl ProgramBuilder {
    /// What there is so far.
    pub fn mark(&self) -> Mark {
        let Program { nodes, inputs, outputs, checks, lengths, read } = &self.program;
        let [nodes, lengths, read] = [nodes.len(), lengths.len(), read.len()];
        Mark { nodes, inputs: inputs.len(), outputs: outputs.len(), checks: checks.len(), lengths, read }
    }

    /// The program up to a mark, and the conversions that were noted in it.
    pub fn finish_at(mut self, end: Mark) -> (Program, Vec<Conversion>) {
        self.nodes().truncate(end.nodes);
        self.conversions.retain(|it| it.from.index().max(it.to.index()) < end.nodes);
        self.program.inputs.truncate(end.inputs);
        self.program.outputs.truncate(end.outputs);
        self.program.checks.truncate(end.checks);
        self.program.lengths.truncate(end.lengths);
        self.program.read.truncate(end.read);
        self.close_loops();
        (self.program, self.conversions)
    }
}
