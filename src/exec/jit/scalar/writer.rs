//! The common ground of the writer's parts. It is what is written so far, and what values are.

use crate::exec::jit::clif::CalledPrim;
use crate::ir::loops::LoopRef;
use crate::ir::{NodeId, Program};
use crate::types::{DType, Dim, Kind};
use cranelift_codegen::ir::{Block, InstBuilder, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::HashMap;

/// Memory of an array, and how often it changed as far as this was written.
pub(super) struct ArrayMemory {
    pub(super) base: Value,
    pub(super) version: u32,
    /// Whether it is a state's own: nothing else may be written.
    pub(super) is_state: bool,
}

/// An array in memory, by its number, and the version of that memory when the array was there. Each change makes a new
/// version.
pub(super) type ArrayVersion = (usize, u32);

/// What the input of a step is.
#[derive(Clone, Copy)]
pub(super) enum InputValue {
    Number(Value),
    Array(ArrayVersion),
    /// A node of the step around it.
    Outer(NodeId),
}

/// A step that is being written.
pub(super) struct WrittenStep<'p> {
    pub(super) program: &'p Program,
    pub(super) given: Vec<InputValue>,
    pub(super) numbers: HashMap<NodeId, Value>,
    /// What loops within leave in memory.
    pub(super) left: HashMap<NodeId, ArrayVersion>,
    pub(super) loops: Vec<WrittenLoop<'p>>,
    /// Conditions that hold from here on.
    pub(super) checked: Vec<NodeId>,
}

impl<'p> WrittenStep<'p> {
    pub(super) fn new(program: &'p Program, given: Vec<InputValue>) -> WrittenStep<'p> {
        let (numbers, left, loops, checked) = Default::default();
        WrittenStep { program, given, numbers, left, loops, checked }
    }
}

/// A loop within: what each of its results is, an array in memory or a number.
pub(super) struct WrittenLoop<'p> {
    pub(super) of: &'p LoopRef,
    pub(super) args: &'p [NodeId],
    pub(super) results: Vec<LoopResult>,
}

#[derive(Clone, Copy)]
pub(super) enum LoopResult {
    Array(ArrayVersion),
    Number(Value),
}

/// Writes the code of a loop.
pub(super) struct Writer<'e, 'f, 'p> {
    pub(super) b: &'e mut FunctionBuilder<'f>,
    pub(super) around: &'e mut dyn LoopSurroundings,
    /// Lengths that are no numbers yet, each at least 1.
    pub(super) lengths: &'e Lengths,
    pub(super) buffers: Vec<ArrayMemory>,
    pub(super) steps: Vec<WrittenStep<'p>>,
    /// Steps until the next question whether to go on.
    pub(super) unasked: Variable,
    pub(super) exits: Exits,
    /// How many instructions stood there before.
    pub(super) before: usize,
}

/// The values of lengths that only a call knows.
pub(in crate::exec::jit) type Lengths = HashMap<Dim, Value>;

/// What the code of a loop finds around it.
pub(in crate::exec::jit) trait LoopSurroundings {
    /// A prim of numbers that has no instruction of its own, if there is code for it.
    fn prim(&mut self, b: &mut FunctionBuilder, called: &CalledPrim, args: &[Value]) -> Option<Value>;

    /// Whether to stop when `done` of `count` steps are done: other than 0 stops.
    fn asked(&mut self, b: &mut FunctionBuilder, done: Value, count: Value) -> Value;
}

/// Where a loop ends before its time: at a fault, or because it was told to stop.
#[derive(Clone, Copy)]
pub(in crate::exec::jit) struct Exits {
    pub(in crate::exec::jit) fault: Block,
    pub(in crate::exec::jit) stopped: Block,
}

pub(super) fn is_one(shape: &[Dim]) -> bool {
    shape.iter().all(|dim| dim.known() == Some(1))
}

/// An element that is put in an array.
pub(super) struct ElementStore {
    pub(super) address: Value,
    pub(super) value: Value,
    /// Whether its place is in the array, where that is not certain.
    pub(super) inside: Option<Value>,
}

/// What a number of a dtype is in a register. `None` for those that are computed in parts or by way of others.
pub(super) fn register(dtype: DType) -> Option<Type> {
    match dtype.kind() {
        Kind::Bool => Some(types::I8),
        Kind::Unsigned | Kind::Signed => Type::int(8 * dtype.size() as u16),
        Kind::Float if dtype == DType::F32 => Some(types::F32),
        Kind::Float if dtype == DType::F64 => Some(types::F64),
        Kind::Float | Kind::Complex => None,
    }
}

impl<'p> Writer<'_, '_, 'p> {
    /// A length. `None` where nobody knows it.
    pub(super) fn length(&mut self, dim: &Dim) -> Option<Value> {
        match dim.known() {
            Some(size) => Some(self.b.ins().iconst(types::I64, i64::try_from(size).ok()?)),
            None => self.lengths.get(dim).copied(),
        }
    }

    pub(super) fn shape(&self, depth: usize, node: NodeId) -> &'p [Dim] {
        &self.steps[depth].program.node(node).shape
    }

    /// The step that is being written.
    pub(super) fn current(&mut self) -> &mut WrittenStep<'p> {
        self.steps.last_mut().expect("a step is being written")
    }

    pub(super) fn program(&self, depth: usize) -> &'p Program {
        self.steps[depth].program
    }

    pub(super) fn depth(&self) -> usize {
        self.steps.len() - 1
    }
}
