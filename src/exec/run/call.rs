//! Maps that are one call of their code. One thread runs them, and they end before anybody asks for a stop.

use super::bound::BoundLoops;
use crate::exec::options::{Options, RunError};
use crate::exec::plan_with_code::StepCode;
use crate::exec::runnable_loop::Runner;
use crate::exec::space::PerOperand;
use crate::exec::stepping::{Code, LoopOperand};

/// A call with its operands in place. It can be made again: the operands are where they were.
pub(super) struct BoundCall<'b> {
    /// The loop, if it has something to compute.
    runner: Option<Runner<'b>>,
    operands: PerOperand<LoopOperand>,
    /// Elements of a row that run on their own, so that the results of the others begin at a line.
    lead: usize,
    len: usize,
    rows: usize,
    /// How far each operand moves from row to row.
    to_next: &'b [isize],
}

impl<'b> BoundLoops<'b> {
    /// The call that a map is, if it is one. The code was made before.
    pub(super) fn call(&self, options: &Options) -> Result<Option<BoundCall<'b>>, RunError> {
        let nest = &self.nest.nest;
        let (rows, to_next): (usize, &'b [isize]) = match &nest.outer[..] {
            [] => (1, &[]),
            [rows] => (rows.len, &rows.strides),
            _ => return Ok(None),
        };
        let len = nest.inner.len;
        let is_short = rows > 0 && len.saturating_mul(rows) <= nest.poll;
        let is_direct = is_short && nest.scratched.is_empty() && !nest.is_large;
        if !is_direct || nest.cost.times(rows).times(len).share(options).threads > 1 {
            return Ok(None);
        }
        let code: &'b StepCode = self.code;
        let runner = code.get().map(|ready| ready.runner(options.watch())).transpose()?;
        let mut operands = PerOperand::new();
        self.place(&mut operands, &[]);
        let lead = if rows == 1 { self.short_lead(&operands, 0, len) } else { 0 };
        Ok(Some(BoundCall { runner, operands, lead, len, rows, to_next }))
    }
}

impl BoundCall<'_> {
    /// Computes all elements.
    pub(super) fn run(&mut self) {
        let Some(runner) = &mut self.runner else { return };
        // SAFETY: every address is that of an element: the plan was made from the shapes of the arrays. No two rows
        // have a result in common.
        unsafe {
            if self.lead > 0 {
                runner.run(&self.operands, 0, self.lead);
            }
            let rest = (self.lead, self.len - self.lead);
            if self.rows == 1 {
                runner.run(&self.operands, rest.0, rest.1);
            } else if !runner.rows_at_once(&self.operands, rest, self.rows, self.to_next) {
                runner.run_rows(&mut self.operands.clone(), rest, self.rows, self.to_next);
            }
        }
    }
}
