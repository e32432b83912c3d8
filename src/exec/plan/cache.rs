//! Plans, kept for the next run, with the code that their loops got meanwhile.
//!
//! A plan is known by the nodes of its program, by those nodes that the program gives or checks, and by how the inputs
//! lie in memory. The data of the inputs and the words of errors do not matter to it. Programs are compared in full,
//! never by their hash alone.

use super::build::{ShortLoops, build, kernels};
use super::{Plan, verify};
use crate::exec::lent::LentMemory;
use crate::exec::machine::{Level, level};
use crate::exec::options::{Engine, Options, RunError};
use crate::exec::plan_with_code::PlanWithCode;
use crate::exec::preflight;
use crate::hash::WordHasher;
use crate::ir::{Node, NodeId, Program};
use crate::kernel;
use crate::kernel::fuse::UnknownSize;
use crate::locks::lock;
use smallvec::SmallVec;
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

/// The most programs kept, the longest of them, and the most nodes of all together.
const MAX_PROGRAMS: usize = 256;
const MAX_PROGRAM_NODES: usize = 4096;
const MAX_TOTAL_NODES: usize = 32 << 10;

/// How many of the plans that were made last are compared with a program before anything is hashed.
const RECENT_PLANS: usize = 16;

/// What a run asks of a plan besides its program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Demands {
    engine: Engine,
    /// Whether the plan is verified. Then every loop is compiled, however short it is.
    verify: bool,
    /// The level that its loops have code for.
    level: Level,
}

impl Demands {
    pub(crate) fn of(options: &Options) -> Demands {
        Demands { engine: options.engine, verify: options.verify, level: level() }
    }
}

/// Nodes that memory is lent for; mostly none.
pub(crate) type LentNodes = SmallVec<[NodeId; 2]>;

/// A plan with what it was made from.
#[derive(Debug)]
struct KnownPlan {
    plan: Arc<PlanWithCode>,
    demands: Demands,
    nodes: Arc<Vec<Node>>,
    given: Vec<NodeId>,
    /// The nodes that memory is lent for.
    lent: LentNodes,
    hash: u64,
}

impl KnownPlan {
    fn new(program: &Program, demands: Demands, lent: LentNodes, plan: Arc<PlanWithCode>, hash: u64) -> KnownPlan {
        let given = program.given().collect();
        KnownPlan { plan, demands, nodes: program.nodes.clone(), given, lent, hash }
    }

    /// Whether it was made from this program, or from one that differs in nothing that matters to plans.
    fn is_of(&self, program: &Program, demands: Demands, lent: &[NodeId]) -> bool {
        let same = Arc::ptr_eq(&self.nodes, &program.nodes) || self.nodes == program.nodes;
        let lies = |input: &super::InputLayout| {
            program.inputs[input.input as usize].value.as_ref().is_some_and(|array| input.is_of(array))
        };
        same && self.demands == demands
            && self.lent[..] == *lent
            && self.given.iter().copied().eq(program.given())
            // Both lists of nodes hold outputs and checks, so the number of outputs tells them apart.
            && self.plan.outputs.len() == program.outputs.len()
            && self.plan.inputs.iter().all(lies)
    }
}

fn hash(program: &Program) -> u64 {
    let mut hasher = WordHasher::default();
    program.nodes.hash(&mut hasher);
    program.given().for_each(|node| node.hash(&mut hasher));
    hasher.finish()
}

/// Plans, the last used at the end.
#[derive(Debug)]
struct PlanCache {
    known: VecDeque<KnownPlan>,
    /// How many nodes the programs of all plans have.
    nodes: usize,
}

impl PlanCache {
    /// The plan, or the hash of the program.
    fn get(&mut self, program: &Program, demands: Demands, lent: &[NodeId]) -> Result<Arc<PlanWithCode>, u64> {
        // Mostly it is the last one, and comparing takes less time than hashing.
        if let Some(last) = self.known.back().filter(|last| last.is_of(program, demands, lent)) {
            return Ok(last.plan.clone());
        }
        // Or it is one of the last, as in a program with stages.
        let is_of = |known: &KnownPlan| known.is_of(program, demands, lent);
        let mut lately =
            self.known.iter().rev().take(RECENT_PLANS).filter(|known| Arc::ptr_eq(&known.nodes, &program.nodes));
        if let Some(known) = lately.find(|known| is_of(known)) {
            return Ok(known.plan.clone());
        }
        let hash = hash(program);
        let index = self.known.iter().rposition(|known| known.hash == hash && is_of(known)).ok_or(hash)?;
        let known = self.known.remove(index).ok_or(hash)?;
        let plan = known.plan.clone();
        self.known.push_back(known);
        Ok(plan)
    }

    fn insert(&mut self, known: KnownPlan) {
        self.nodes += known.nodes.len();
        self.known.push_back(known);
        while self.known.len() > MAX_PROGRAMS || self.nodes > MAX_TOTAL_NODES {
            let oldest = self.known.pop_front().expect("it has just grown");
            self.nodes -= oldest.nodes.len();
        }
    }
}

fn cache() -> MutexGuard<'static, PlanCache> {
    static CACHE: Mutex<PlanCache> = Mutex::new(PlanCache { known: VecDeque::new(), nodes: 0 });
    // A panic elsewhere leaves the list as it was. Only the count of nodes may be too high, and then more plans are
    // dropped.
    lock(&CACHE)
}

/// The plan of a program whose inputs have their data; verified if asked.
///
/// # Errors
/// What is wrong before anything runs.
pub(crate) fn plan_with_code(
    program: &Program,
    options: &Options,
    lent: &[(NodeId, &LentMemory)],
) -> Result<Arc<PlanWithCode>, RunError> {
    let lent: LentNodes = lent.iter().map(|(node, _)| *node).collect();
    let short = program.nodes.len() <= MAX_PROGRAM_NODES;
    let demands = Demands::of(options);
    let mut hash = None;
    if short {
        match cache().get(program, demands, &lent) {
            Ok(known) => return Ok(known),
            Err(found) => hash = Some(found),
        }
    }
    let plan = Arc::new(PlanWithCode::new(plan_of(program, options, &lent)?));
    if let Some(hash) = hash {
        cache().insert(KnownPlan::new(program, demands, lent, plan.clone(), hash));
    }
    Ok(plan)
}

/// The plan of such a program, made anew, with memory lent for some nodes.
///
/// # Errors
/// What is wrong before anything runs.
pub(crate) fn plan_of(program: &Program, options: &Options, lent: &[NodeId]) -> Result<Plan, RunError> {
    preflight::prepare(program, &program.needed_nodes())?;
    let kernels = kernels(program).map_err(|UnknownSize(node)| RunError::UnknownSize { node })?;
    let short_loops = if options.verify { ShortLoops::Compiled } else { ShortLoops::Interpreted };
    let plan = build(program, &kernels, lent, short_loops);
    if options.verify {
        kernels.iter().try_for_each(|one| kernel::verify::kernel(program, one)).map_err(RunError::Internal)?;
        verify::plan(&plan).map_err(RunError::Internal)?;
    }
    Ok(plan)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::build::ProgramBuilder;
    use crate::ir::{Check, Fault, ProgramOutput};
    use crate::scalar::Scalar;
    use crate::scalar::prim::Prim;
    use crate::source::Span;
    use crate::types::{DType, Dim};

    const VERIFIED: Options = Options {
        engine: Engine::Jit,
        verify: true,
        max_memory: None,
        threads: None,
        grain: None,
        interrupt: None,
        ask: None,
        on_progress: None,
        notes: None,
    };

    /// `x * factor`, or the factor first.
    fn program(count: usize, factor: f32, turned: bool) -> Program {
        let mut b = ProgramBuilder::default();
        let x = b.input("x", Span::default(), DType::F32, vec![Dim::Const(count as u64)]);
        b.bind(x, Array::from_elements(&[count], &vec![1f32; count]));
        let factor = b.constant(Scalar::of(factor));
        let node = b.map(Prim::Mul, &if turned { [factor, x] } else { [x, factor] });
        b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
        b.finish()
    }

    #[test]
    fn a_program_is_planned_once_and_another_is_not_mistaken_for_it() {
        let first = plan_with_code(&program(5, 2.5, false), &VERIFIED, &[]).unwrap();
        let second = plan_with_code(&program(5, 2.5, false), &VERIFIED, &[]).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        let mut back = program(5, 2.5, false);
        let value = back.inputs[0].value.take().unwrap();
        back.inputs[0].value = Some(value.view([5].as_slice(), [-4].as_slice(), 16));
        for other in [program(6, 2.5, false), program(5, 2.25, false), program(5, 2.5, true), back] {
            assert!(!Arc::ptr_eq(&first, &plan_with_code(&other, &VERIFIED, &[]).unwrap()));
        }
        let blocks = Options { engine: Engine::Blocks, ..VERIFIED };
        assert!(!Arc::ptr_eq(&first, &plan_with_code(&program(5, 2.5, false), &blocks, &[]).unwrap()));
    }

    #[test]
    fn what_is_checked_is_not_given() {
        let mut b = ProgramBuilder::default();
        let (one, fine) = (b.constant(Scalar::of(1i64)), b.constant(Scalar::of(-1i64)));
        b.output(ProgramOutput { name: None, node: one, span: Span::default(), weak: false });
        let mut program = b.finish();
        let span = Span::default();
        let fault = Fault::Asserted { op: None, operands: Vec::new(), said: None, parts: None };
        program.checks.push(Check { node: fine, written: 0, fault, span, calls: Vec::new() });
        assert_eq!(plan_with_code(&program, &VERIFIED, &[]).unwrap().outputs.len(), 1);
        program.checks.clear();
        program.outputs.push(ProgramOutput { name: None, node: fine, span: Span::default(), weak: false });
        assert_eq!(plan_with_code(&program, &VERIFIED, &[]).unwrap().outputs.len(), 2);
    }

    #[test]
    fn a_known_program_still_needs_its_data() {
        let mut known = program(7, 0.5, false);
        plan_with_code(&known, &VERIFIED, &[]).unwrap();
        known.inputs[0].value = Some(Array::from_elements(&[6], &[1f32; 6]));
        assert_eq!(plan_with_code(&known, &VERIFIED, &[]).unwrap_err(), RunError::Unbound { input: 0 });
        known.inputs[0].value = None;
        assert_eq!(plan_with_code(&known, &VERIFIED, &[]).unwrap_err(), RunError::Unbound { input: 0 });
    }

    #[test]
    fn the_least_used_go_first() {
        let mut cache = PlanCache { known: VecDeque::new(), nodes: 0 };
        let demands = Demands { engine: Engine::Jit, verify: false, level: level() };
        let make = |count| {
            let program = program(count, 1.5, false);
            let plan =
                Arc::new(PlanWithCode::new(build(&program, &kernels(&program).unwrap(), &[], ShortLoops::Interpreted)));
            let known = KnownPlan::new(&program, demands, LentNodes::new(), plan, hash(&program));
            (program, known)
        };
        let (first, known) = make(1);
        cache.insert(known);
        let (second, known) = make(2);
        cache.insert(known);
        for count in 3..=MAX_PROGRAMS + 1 {
            cache.insert(make(count).1);
            assert!(cache.get(&first, demands, &[]).is_ok());
        }
        assert!(cache.get(&second, demands, &[]).is_err());
        assert_eq!(cache.nodes, cache.known.iter().map(|known| known.nodes.len()).sum::<usize>());
    }
}
