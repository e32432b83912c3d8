//! What the parts of the writer share: what is written so far, and what values are.

use crate::ir::loops::LoopRef;
use crate::ir::{NodeId, Program};
use crate::scalar::prim::Prim;
use crate::types::DType;
use cranelift_codegen::ir::{Block, SigRef, Type, Value, types};
use cranelift_frontend::{FunctionBuilder, Variable};
use std::collections::HashMap;

/// Memory of an array, and how often it changed as far as this was written.
pub(super) struct ArrayMemory {
    pub(super) base: Value,
    pub(super) version: u32,
    /// Whether it is a state's own: nothing else may be written.
    pub(super) is_state: bool,
}

/// An array in memory, as it was when that had changed so often.
pub(super) type Held = (usize, u32);

/// What the input of a step is.
#[derive(Clone, Copy)]
pub(super) enum InputValue {
    Number(Value),
    Array(Held),
    /// A node of the step around it.
    Outer(NodeId),
}

/// A step that is being written.
pub(super) struct WrittenStep<'p> {
    pub(super) program: &'p Program,
    pub(super) given: Vec<InputValue>,
    pub(super) numbers: HashMap<NodeId, Value>,
    /// What loops within leave in memory.
    pub(super) left: HashMap<NodeId, Held>,
    pub(super) loops: Vec<WrittenLoop<'p>>,
}

/// A loop within: what each of its results is, an array in memory or a number.
pub(super) struct WrittenLoop<'p> {
    pub(super) of: &'p LoopRef,
    pub(super) args: &'p [NodeId],
    pub(super) results: Vec<LoopResult>,
}

#[derive(Clone, Copy)]
pub(super) enum LoopResult {
    Array(Held),
    Number(Value),
}

/// Writes the function of a loop.
pub(super) struct Writer<'e, 'f, 'p> {
    pub(super) b: &'e mut FunctionBuilder<'f>,
    pub(super) calls: PrimCalls,
    /// Of a prim that is called.
    pub(super) prim_signature: SigRef,
    pub(super) buffers: Vec<ArrayMemory>,
    pub(super) steps: Vec<WrittenStep<'p>>,
    pub(super) question: Poll,
    pub(super) exits: Exits,
}

/// How loops within ask whether to go on.
pub(super) struct Poll {
    pub(super) signature: SigRef,
    /// Who is asked.
    pub(super) of: Value,
    /// Steps until then.
    pub(super) unasked: Variable,
}

/// Where the function ends before its time.
#[derive(Clone, Copy)]
pub(super) struct Exits {
    pub(super) fault: Block,
    pub(super) stopped: Block,
}

pub(super) fn is_one(sizes: &[usize]) -> bool {
    sizes.iter().all(|size| *size == 1)
}

/// What code calls: it has their addresses.
#[allow(clippy::vec_box, reason = "an element of a vector moves when that grows")]
pub(super) type PrimCalls = Vec<Box<PrimCall>>;

/// A prim that is called.
pub(super) struct PrimCall {
    pub(super) prim: Prim,
    pub(super) args: Vec<DType>,
    pub(super) result: DType,
}

/// An element that is put in an array.
pub(super) struct ElementStore {
    pub(super) address: Value,
    pub(super) value: Value,
    /// Whether its place is in the array, where that is not certain.
    pub(super) inside: Option<Value>,
}

/// What a number of a dtype is in a register; nothing for those that are computed in parts or by way of others.
pub(super) fn register(dtype: DType) -> Option<Type> {
    match dtype {
        DType::Bool => Some(types::I8),
        DType::F32 => Some(types::F32),
        DType::F64 => Some(types::F64),
        dtype if dtype.is_integer() => Type::int(8 * dtype.size() as u16),
        _ => None,
    }
}

impl<'p> Writer<'_, '_, 'p> {
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
