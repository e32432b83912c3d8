//! A plan with the code of its loops. Loops get their code when they first run, and keep it for the next run.

use super::options::Options;
use super::plan::{ElementCost, LoopNest, Plan, PlanStep};
use super::runnable_loop::RunnableLoop;
use std::ops::Deref;
use std::sync::OnceLock;

/// The code of the innermost of nested loops.
#[derive(Debug, Default)]
pub(crate) struct StepCode {
    code: OnceLock<RunnableLoop>,
    /// The code with stores that pass the caches by, if there is such code.
    streaming: OnceLock<Option<RunnableLoop>>,
}

impl StepCode {
    /// Makes the code of these loops unless they have run before, and tells the user where it is interpreted.
    pub(crate) fn prepare(&self, nest: &LoopNest, options: &Options) {
        if let Some(code) = &nest.nest.code {
            self.code.get_or_init(|| RunnableLoop::new(code, nest.loops.short, options)).note(options);
        }
    }

    /// The code, if the loops have something to compute.
    pub(crate) fn get(&self) -> Option<&RunnableLoop> {
        self.code.get()
    }

    /// The code of these loops with stores that pass the caches by, if there is such code.
    pub(crate) fn streaming(&self, nest: &LoopNest, options: &Options) -> Option<&RunnableLoop> {
        let compile = || nest.nest.code.as_ref().and_then(|code| RunnableLoop::streaming(code, options));
        self.streaming.get_or_init(compile).as_ref()
    }
}

/// A plan with the code of its loops.
#[derive(Debug)]
pub(crate) struct PlanWithCode {
    plan: Plan,
    /// One for each step; that of a step without loops stays empty.
    codes: Vec<StepCode>,
    /// Whether a run is over soon, once the loops have their code.
    is_brief: bool,
}

impl PlanWithCode {
    /// A plan whose loops have not run yet.
    pub(crate) fn new(plan: Plan) -> PlanWithCode {
        let codes = plan.steps.iter().map(|_| StepCode::default()).collect();
        let work = plan.steps.iter().filter_map(|step| match step {
            PlanStep::Run(nest) => Some(nest.nest.work()),
            PlanStep::Allocate(_) | PlanStep::Release(_) | PlanStep::Check { .. } => None,
        });
        let is_brief = ElementCost::sum(work).is_brief();
        PlanWithCode { plan, codes, is_brief }
    }

    /// Whether a run is over soon, once the loops have their code.
    pub(crate) fn is_brief(&self) -> bool {
        self.is_brief
    }

    /// The steps, each with the code of its loops.
    pub(crate) fn coded_steps(&self) -> impl Iterator<Item = (&PlanStep, &StepCode)> {
        self.plan.steps.iter().zip(&self.codes)
    }
}

impl Deref for PlanWithCode {
    type Target = Plan;

    fn deref(&self) -> &Plan {
        &self.plan
    }
}
