//! Steps that have nothing but kernels: from the second one on, their arrays already have addresses.

use super::{RunningLoop, in_step};
use crate::array::Array;
use crate::exec::memory::Meter;
use crate::exec::options::RunError;
use crate::exec::plan::plan_with_code;
use crate::exec::run::repeated::{PlannedProgram, RepeatedStep, can_repeat};
use crate::exec::stages::has_stages;
use std::ops::Range;

/// The first step that may run in this way: the states before it are somebody else's arrays.
pub(super) const FIRST: u64 = 1;

/// How the steps of a loop ended.
enum StepsEnd {
    Done,
    /// The states got no second place.
    Unplaced,
    Failed {
        number: u64,
        of_condition: bool,
        error: RunError,
    },
}

impl RunningLoop<'_, '_> {
    /// Runs the steps with these numbers. Returns the last states, or `None` if a step has more than kernels, or gives
    /// states in memory that they share.
    pub(super) fn kernel_steps(
        &mut self,
        numbers: Range<u64>,
        early: bool,
        meter: &mut Meter,
    ) -> Result<Option<Vec<Array>>, RunError> {
        let (states, options) = (self.of.states, self.options);
        if std::iter::once(&self.step).chain(&self.condition).any(has_stages) {
            return Ok(None);
        }
        let plan = plan_with_code(&self.step, options, &[])?;
        let condition = self.condition.as_ref().map(|condition| plan_with_code(condition, options, &[])).transpose()?;
        if !can_repeat(&plan, states) {
            return Ok(None);
        }
        let held = meter.held_bytes();
        let taken = self.take_states();
        let step = PlannedProgram { program: &self.step, plan: &plan };
        let asked = self.condition.as_ref().zip(condition.as_deref());
        let asked = asked.map(|(program, plan)| PlannedProgram { program, plan });
        let asks = (&self.patches[..], self.of.asks);
        let (given, ended) = match RepeatedStep::new(step, asked, taken, asks, (options, meter)) {
            Err(taken) => (taken, StepsEnd::Unplaced),
            Ok(mut repeated) => {
                let mut ended = StepsEnd::Done;
                for number in numbers.clone() {
                    options.poll()?;
                    self.pace.note(number, numbers.end, early, options);
                    let (of_condition, outcome) = match repeated.holds(number, options) {
                        Ok(true) => (false, repeated.run(options)),
                        other => (true, other),
                    };
                    match outcome {
                        Ok(true) => {}
                        Ok(false) => break,
                        Err(error) => {
                            ended = StepsEnd::Failed { number, of_condition, error };
                            break;
                        }
                    }
                }
                (repeated.states(), ended)
            }
        };
        match ended {
            StepsEnd::Done => {
                meter.hold(held);
                Ok(Some(given))
            }
            StepsEnd::Unplaced => {
                meter.hold(held);
                self.bind(0, &given);
                Ok(None)
            }
            StepsEnd::Failed { number, of_condition, error } => {
                self.bind(0, &given);
                self.bind(states, &[Array::from_elements(&[], &[number as i64])]);
                let failed = self.condition.as_ref().filter(|_| of_condition).unwrap_or(&self.step);
                Err(in_step(self.of, failed, number, error))
            }
        }
    }

    /// Takes the states out of the programs.
    fn take_states(&mut self) -> Vec<Array> {
        if let Some(program) = &mut self.condition {
            program.inputs[..self.of.states].iter_mut().for_each(|input| input.value = None);
        }
        let states = self.step.inputs[..self.of.states].iter_mut();
        states.map(|input| input.value.take().expect("states are bound")).collect()
    }
}
