//! Fused programs, kept for the next run.
//!
//! A program is told by its nodes and by which of them it gives or checks: its inputs' data, and what errors would say,
//! do not matter to its kernels. Programs are compared in full, never by their hash alone.

use super::laid::Last;
use super::lives::Lives;
use crate::exec::machine::{Level, level};
use crate::exec::options::RunError;
use crate::exec::preflight::{prepare, same_as_bound};
use crate::ir::{Node, NodeId, NodeKind, Program};
use crate::kernel::fuse::{self, UnknownSize};
use crate::kernel::hash::Quick;
use crate::kernel::{self, Kernel};
use std::collections::VecDeque;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard};

/// The most programs kept, the longest of them, and the most nodes of all together.
const PROGRAMS: usize = 256;
const LONGEST: usize = 4096;
const NODES: usize = 32 << 10;

/// The kernels of a program that can run if its inputs have data.
#[derive(Debug)]
pub(super) struct Fused {
    pub(super) kernels: Vec<Kernel>,
    pub(super) lives: Lives,
    /// The layout of each kernel.
    pub(super) layouts: Vec<Last>,
    /// The inputs that are needed.
    inputs: Vec<NodeId>,
    hash: u64,
    /// What its layouts have code for.
    level: Level,
    /// What it was made from; nothing for a program that is too long to be kept.
    nodes: Arc<Vec<Node>>,
    given: Vec<NodeId>,
}

impl Fused {
    /// Whether it was made from this program, or from one that differs in nothing that matters to kernels.
    fn is_of(&self, program: &Program) -> bool {
        let same = Arc::ptr_eq(&self.nodes, &program.nodes) || self.nodes == program.nodes;
        same && self.level == level() && self.given.iter().copied().eq(given(program))
    }
}

/// What a program gives, and what it checks.
fn given(program: &Program) -> impl Iterator<Item = NodeId> {
    let outputs = program.outputs.iter().map(|output| output.node);
    outputs.chain(program.checks.iter().map(|check| check.node))
}

fn hash(program: &Program) -> u64 {
    let mut hasher = Quick::default();
    program.nodes.hash(&mut hasher);
    given(program).for_each(|node| node.hash(&mut hasher));
    hasher.finish()
}

/// Programs, the last used at the end.
#[derive(Debug)]
struct Kept {
    programs: VecDeque<Arc<Fused>>,
    nodes: usize,
}

impl Kept {
    fn get(&mut self, program: &Program) -> Option<Arc<Fused>> {
        // Mostly it is the last one, and comparing takes less time than hashing.
        if let Some(last) = self.programs.back().filter(|last| last.is_of(program)) {
            return Some(last.clone());
        }
        let hash = hash(program);
        let same = |known: &Arc<Fused>| known.hash == hash && known.is_of(program);
        let index = self.programs.iter().rposition(same)?;
        let last = self.programs.len() - 1;
        if index < last {
            let known = self.programs.remove(index)?;
            self.programs.push_back(known);
        }
        self.programs.back().cloned()
    }

    fn insert(&mut self, fused: Arc<Fused>) {
        self.nodes += fused.nodes.len();
        self.programs.push_back(fused);
        while self.programs.len() > PROGRAMS || self.nodes > NODES {
            let oldest = self.programs.pop_front().expect("it has just grown");
            self.nodes -= oldest.nodes.len();
        }
    }
}

fn kept() -> MutexGuard<'static, Kept> {
    static KEPT: Mutex<Kept> = Mutex::new(Kept { programs: VecDeque::new(), nodes: 0 });
    // A panic elsewhere leaves the list as it was, but for the count, which is made up for by what is dropped.
    KEPT.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
}

/// The kernels of a program whose inputs have their data; verified if asked.
///
/// # Errors
/// What is wrong before anything runs.
pub(super) fn fused(program: &Program, verify: bool) -> Result<Arc<Fused>, RunError> {
    let short = program.nodes.len() <= LONGEST;
    if short && let Some(known) = kept().get(program) {
        for &node in &known.inputs {
            same_as_bound(program, node)?;
        }
        return verified(program, known, verify);
    }
    let needed = program.needed();
    prepare(program, &needed)?;
    let kernels = fuse::fuse(program).map_err(|UnknownSize(node)| RunError::UnknownSize { node })?;
    let ids = (0..program.nodes.len() as u32).map(NodeId);
    let inputs = ids.filter(|id| needed[id.index()] && matches!(program.node(*id).kind, NodeKind::Input(_))).collect();
    let (nodes, hash) = if short { (program.nodes.clone(), hash(program)) } else { Default::default() };
    let given: Vec<NodeId> = given(program).collect();
    let (lives, layouts) = (Lives::new(program, &kernels, &given), kernels.iter().map(|_| Last::default()).collect());
    let fresh = Arc::new(Fused { kernels, lives, layouts, inputs, hash, level: level(), nodes, given });
    if short {
        kept().insert(fresh.clone());
    }
    verified(program, fresh, verify)
}

fn verified(program: &Program, fused: Arc<Fused>, verify: bool) -> Result<Arc<Fused>, RunError> {
    if verify {
        for kernel in &fused.kernels {
            kernel::verify::kernel(program, kernel).map_err(RunError::Internal)?;
        }
    }
    Ok(fused)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::array::Array;
    use crate::ir::Output;
    use crate::ir::build::Builder;
    use crate::scalar::Scalar;
    use crate::scalar::prim::Prim;
    use crate::types::{DType, Dim};

    /// `x * factor`, or the factor first.
    fn program(count: usize, factor: f32, turned: bool) -> Program {
        let mut b = Builder::default();
        let x = b.input("x", Default::default(), DType::F32, vec![Dim::Const(count as u64)]);
        b.bind(x, Array::from_elements(&[count], &vec![1f32; count]));
        let factor = b.constant(Scalar::of(factor));
        let node = b.map(Prim::Mul, &if turned { [factor, x] } else { [x, factor] });
        b.output(Output { name: None, node, span: Default::default(), weak: false });
        b.finish()
    }

    #[test]
    fn a_program_is_fused_once_and_another_is_not_mistaken_for_it() {
        let first = fused(&program(5, 2.5, false), true).unwrap();
        let second = fused(&program(5, 2.5, false), true).unwrap();
        assert!(Arc::ptr_eq(&first, &second));
        for other in [program(6, 2.5, false), program(5, 2.25, false), program(5, 2.5, true)] {
            assert!(!Arc::ptr_eq(&first, &fused(&other, true).unwrap()));
        }
    }

    #[test]
    fn a_known_program_still_needs_its_data() {
        let mut known = program(7, 0.5, false);
        fused(&known, true).unwrap();
        known.inputs[0].value = Some(Array::from_elements(&[6], &[1f32; 6]));
        assert_eq!(fused(&known, true).unwrap_err(), RunError::Unbound { input: 0 });
        known.inputs[0].value = None;
        assert_eq!(fused(&known, true).unwrap_err(), RunError::Unbound { input: 0 });
    }

    #[test]
    fn the_least_used_go_first() {
        let mut kept = Kept { programs: VecDeque::new(), nodes: 0 };
        let make = |count| {
            let program = program(count, 1.5, false);
            let given: Vec<NodeId> = given(&program).collect();
            let fused = Fused {
                kernels: Vec::new(),
                lives: Lives::new(&program, &[], &given),
                layouts: Vec::new(),
                inputs: Vec::new(),
                hash: hash(&program),
                level: level(),
                nodes: program.nodes.clone(),
                given,
            };
            (program, Arc::new(fused))
        };
        let (first, fused) = make(1);
        kept.insert(fused);
        let (second, fused) = make(2);
        kept.insert(fused);
        for count in 3..=PROGRAMS + 1 {
            kept.insert(make(count).1);
            assert!(kept.get(&first).is_some());
        }
        assert!(kept.get(&second).is_none());
        assert_eq!(kept.nodes, kept.programs.iter().map(|fused| fused.nodes.len()).sum::<usize>());
    }
}
