//! A memory estimate of a run, before it begins. It names the arrays that pass through windows, what is held, and how
//! much memory that takes.

use super::build::{ShortLoops, build, kernels};
use super::storage::Storage;
use super::windows::{WindowPlan, WindowRoom, bytes_of};
use super::{Plan, PlanStep};
use crate::array::Sizes;
use crate::ir::Program;
use crate::kernel::fuse::UnknownSize;
use crate::types::DType;

/// What a run will do with the arrays of a program.
#[derive(Clone, Debug, Default)]
pub struct Outlook {
    /// For each input, how often all of it is read through windows; 0 if it is mapped, or not read.
    pub inputs: Vec<usize>,
    /// For each output, whether it is written through windows.
    pub outputs: Vec<bool>,
    /// Whole arrays in memory, results included, the largest first: dtype, shape, bytes.
    pub held: Vec<(DType, Sizes, usize)>,
    /// The most bytes that windows and held arrays take at once.
    pub needed: usize,
    /// Bytes that windows read and write.
    pub moved: u64,
    /// Whether the run has stages. Then `held` has all arrays that routines and loops take and give; the memory that
    /// they use while they work is not counted.
    pub staged: bool,
}

/// The outlook of a program whose sizes are known, and whose arrays of at least `least` bytes are files.
pub(crate) fn outlook(program: &Program, least: usize, room: WindowRoom) -> Result<Outlook, UnknownSize> {
    let plan = build(program, &kernels(program)?, &[], ShortLoops::Interpreted);
    let large = |storage: Storage| bytes_of(&plan, storage) >= least;
    let inputs = (0..program.inputs.len()).map(|input| large(Storage::Input(input as u32))).collect();
    let outputs: Vec<bool> = plan.outputs.iter().map(|output| large(output.storage)).collect();
    let passing = WindowPlan::new(&plan, inputs, &outputs, room);
    let passes = || passing.steps.iter().flatten();
    let reads = |input: usize| {
        let of = |storage: Storage| storage == Storage::Input(input as u32);
        passes().filter(|pass| pass.windows.iter().any(|window| of(window.storage))).count()
    };
    let held = plan.buffers.iter().zip(&passing.buffers).enumerate().filter(|(_, (_, passes))| !**passes);
    let mut held: Vec<(DType, Sizes, usize)> = held
        .map(|(at, (buffer, _))| (buffer.dtype, buffer.sizes.clone(), bytes_of(&plan, Storage::Buffer(at as u32))))
        .collect();
    held.sort_by_key(|(_, _, bytes)| std::cmp::Reverse(*bytes));
    Ok(Outlook {
        inputs: (0..program.inputs.len()).map(reads).collect(),
        outputs: plan.outputs.iter().map(|output| passing.passes(output.storage)).collect(),
        held,
        needed: most(&plan, &passing),
        moved: passes().map(super::WindowPass::moved_bytes).sum(),
        staged: false,
    })
}

/// The most bytes that buffers and windows take at once.
fn most(plan: &Plan, passing: &WindowPlan) -> usize {
    let (mut now, mut most) = (0usize, 0);
    for (step, pass) in plan.steps.iter().zip(&passing.steps) {
        match step {
            PlanStep::Allocate(buffer) if !passing.buffers[*buffer as usize] => {
                now = now.saturating_add(bytes_of(plan, Storage::Buffer(*buffer)));
            }
            PlanStep::Release(buffer) if !passing.buffers[*buffer as usize] => {
                now = now.saturating_sub(bytes_of(plan, Storage::Buffer(*buffer)));
            }
            PlanStep::Allocate(_) | PlanStep::Release(_) | PlanStep::Run(_) | PlanStep::Check { .. } => {}
        }
        most = most.max(now.saturating_add(pass.as_ref().map_or(0, super::WindowPass::room)));
    }
    most
}
