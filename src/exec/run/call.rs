//! Maps that are one call of their code. One thread runs them, and they end before anybody asks for a stop.
#![expect(unsafe_code, reason = "a loop gets the addresses of its operands")]

use super::bound::BoundLoops;
use crate::exec::options::{Options, RunError};
use crate::exec::plan_with_code::StepCode;
use crate::exec::runnable_loop::Runner;
use crate::exec::space::PerOperand;
use crate::exec::stepping::{Code, LoopOperand};

/// A map that is one call of its code, but for its operands.
#[derive(Clone, Copy)]
struct CallShape<'b> {
    len: usize,
    rows: usize,
    /// How far each operand moves from row to row.
    to_next: &'b [isize],
}

/// A call with its operands in place. It can be made again: the operands are where they were.
pub(super) struct BoundCall<'b> {
    /// The loop, if it has something to compute.
    runner: Option<Runner<'b>>,
    operands: PerOperand<LoopOperand>,
    /// Elements of a row that run on their own, so that the results of the others begin at a line.
    lead: usize,
    shape: CallShape<'b>,
}

impl<'b> BoundLoops<'b> {
    /// The shape of the call that a map is, if it is one.
    fn call_shape(&self, options: &Options) -> Option<CallShape<'b>> {
        let nest = &self.nest.nest;
        let (rows, to_next): (usize, &'b [isize]) = match &nest.outer[..] {
            [] => (1, &[]),
            [rows] => (rows.len, &rows.strides),
            _ => return None,
        };
        let len = nest.inner.len;
        let is_short = rows > 0 && len.saturating_mul(rows) <= nest.poll;
        let is_direct = is_short && nest.scratched.is_empty() && !nest.is_large;
        let is_alone = is_direct && nest.cost.times(rows).times(len).share(options).threads == 1;
        is_alone.then_some(CallShape { len, rows, to_next })
    }

    /// The operands of a call, and how many elements of a row run on their own.
    fn call_operands(&self, shape: CallShape) -> (PerOperand<LoopOperand>, usize) {
        let mut operands = PerOperand::new();
        self.place(&mut operands, &[]);
        let lead = if shape.rows == 1 { self.short_lead(&operands, 0, shape.len) } else { 0 };
        (operands, lead)
    }

    /// The call that a map is, if it is one. The code was made before.
    pub(super) fn call(&self, options: &Options) -> Result<Option<BoundCall<'b>>, RunError> {
        let Some(shape) = self.call_shape(options) else { return Ok(None) };
        let code: &'b StepCode = self.code;
        let runner = code.get().map(|ready| ready.runner(options.watch())).transpose()?;
        let (operands, lead) = self.call_operands(shape);
        Ok(Some(BoundCall { runner, operands, lead, shape }))
    }

    /// Runs a map that is one call of its code, once. Any other is not run: false.
    pub(super) fn run_call(&self, options: &Options) -> Result<bool, RunError> {
        let Some(shape) = self.call_shape(options) else { return Ok(false) };
        if let Some(code) = self.code.get() {
            let mut runner = code.runner(options.watch())?;
            let (operands, lead) = self.call_operands(shape);
            shape.run(&mut runner, &operands, lead);
        }
        Ok(true)
    }
}

impl CallShape<'_> {
    /// Computes all elements, of which the first `lead` of a single row on their own.
    fn run(self, runner: &mut Runner, operands: &PerOperand<LoopOperand>, lead: usize) {
        // SAFETY: every address is that of an element: the plan was made from the shapes of the arrays. No two rows
        // have a result in common.
        unsafe {
            if lead > 0 {
                runner.run(operands, 0, lead);
            }
            let rest = (lead, self.len - lead);
            if self.rows == 1 {
                runner.run(operands, rest.0, rest.1);
            } else if !runner.rows_at_once(operands, rest, self.rows, self.to_next) {
                runner.run_rows(&mut operands.clone(), rest, self.rows, self.to_next);
            }
        }
    }
}

impl BoundCall<'_> {
    /// Computes all elements.
    pub(super) fn run(&mut self) {
        if let Some(runner) = &mut self.runner {
            self.shape.run(runner, &self.operands, self.lead);
        }
    }
}
