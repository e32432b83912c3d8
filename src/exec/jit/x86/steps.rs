//! A loop's body as instructions on virtual registers, which have no number yet. `lower` writes it, and `registers`
//! reads it.

use super::assembler::{InstructionRow, VectorBits};
use super::target::InstructionSet;
use crate::scalar::prim::Prim;
use crate::types::DType;

/// A register without a number; each is written once.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Reg(pub(super) u32);

/// Which registers a [`Reg`] is one of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum RegClass {
    Vector,
    Mask,
}

/// How an instruction's operands are laid out.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum InstructionForm {
    /// `result = row(first, last)`
    Plain,
    /// The result stands where the last operand does otherwise.
    ResultLast,
    /// A shift by an immediate: a digit, the result, the last operand.
    Digit(u8),
    /// Masks alone.
    Masks,
    /// Reads a vector of an input from memory. `part` counts its vectors, `copy` the chunks of an interleaved body.
    Load { input: usize, part: usize, copy: usize },
    /// Calls the body's [`CalledFunction`] with this number. Its operands are the first, the last and the tied one, as many as
    /// it takes. Under a mask it takes the first and the last, and is called if the mask has any lane; other lanes stay
    /// as they were.
    Call(usize),
    /// Writes the operand to a row of scratch that outlives the round.
    Keep(usize),
    /// Reads the row of scratch that [`InstructionForm::Keep`] wrote.
    Recall(usize),
    /// Reads parts of two rows of a table. A word of the first and one of the last operand say how far from its
    /// beginning the rows are.
    Rows { table: usize, word: u8, part: usize },
    /// Reads one of [`RowSetup::fetched`] before the loop.
    Fetch(usize),
    /// Makes the last operand the body's fixed value of this number, before the loop.
    Preload(usize),
    /// Writes a vector of an output to memory.
    Store { output: usize, part: usize, copy: usize },
}

/// One instruction.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct Instruction {
    pub(super) row: InstructionRow,
    pub(super) length: VectorBits,
    pub(super) form: InstructionForm,
    pub(super) result: Option<Reg>,
    /// What the result's register holds before.
    pub(super) tied: Option<Reg>,
    pub(super) first: Option<Reg>,
    pub(super) last: Option<Reg>,
    /// Lanes outside it are zeroed (`true`), or stay as they were. Of AVX2, the fourth operand of a choice.
    pub(super) mask: Option<(Reg, bool)>,
    pub(super) immediate: Option<u8>,
    /// The half of a pipelined body that it belongs to.
    pub(super) half: PipelineHalf,
}

/// One half of a pipelined body.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PipelineHalf {
    First,
    Second,
}

impl Instruction {
    /// An instruction without operands and result.
    pub(super) fn blank(row: InstructionRow, length: VectorBits, form: InstructionForm) -> Instruction {
        Instruction {
            row,
            length,
            form,
            result: None,
            tied: None,
            first: None,
            last: None,
            mask: None,
            immediate: None,
            half: PipelineHalf::First,
        }
    }

    /// The registers that it reads.
    pub(super) fn operands(&self) -> impl Iterator<Item = Reg> {
        [self.tied, self.first, self.last, self.mask.map(|(reg, _)| reg)].into_iter().flatten()
    }

    /// Whether it is a call, or branches to one.
    #[cfg(test)]
    pub(super) fn calls(&self) -> bool {
        matches!(self.form, InstructionForm::Call(_))
    }

    /// Whether a target has the instruction.
    pub(super) fn runs(&self, target: InstructionSet) -> bool {
        target.has_masks() || self.row.avx2.is_some() && self.length <= VectorBits::Ymm
    }

    /// The instruction on other registers, for a chunk of an interleaved body.
    pub(super) fn rename(&self, moved: impl Fn(Reg) -> Reg, copy: usize) -> Instruction {
        Instruction {
            form: self.form.of_copy(copy),
            result: self.result.map(&moved),
            tied: self.tied.map(&moved),
            first: self.first.map(&moved),
            last: self.last.map(&moved),
            mask: self.mask.map(|(reg, zeroing)| (moved(reg), zeroing)),
            ..*self
        }
    }
}

/// What a register holds before the loop begins, and throughout.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PreloadedValue {
    Constant([u8; 64]),
    /// An input's one element, or the part of it at `offset`, in every lane of `bytes` bytes.
    Repeat {
        input: usize,
        offset: i32,
        bytes: usize,
    },
    /// What a step of [`RowSetup`] makes.
    Made,
}

impl PreloadedValue {
    /// Whether every lane of `bytes` bytes is known to hold the same.
    pub(super) fn is_each(&self, bytes: usize) -> bool {
        match self {
            PreloadedValue::Constant(vector) => vector.chunks_exact(bytes).all(|lane| *lane == vector[..bytes]),
            PreloadedValue::Repeat { .. } | PreloadedValue::Made => false,
        }
    }
}

/// Where a value is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Allocation {
    Register(u8),
    /// A row of scratch.
    Slot(usize),
    /// A vector behind the code, by its number among the fixed values.
    Pool(usize),
}

/// A function of elements in memory that a step calls, which is that of a prim.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct CalledFunction {
    pub(super) prim: Prim,
    pub(super) operands: Vec<DType>,
    pub(super) result: DType,
    /// How many elements a call computes.
    pub(super) chunk: usize,
}

/// What is done once for each row, before the loop.
#[derive(Debug, Default)]
pub(super) struct RowSetup {
    pub(super) steps: Vec<Instruction>,
    /// What [`InstructionForm::Fetch`] brings.
    pub(super) fetched: Vec<PreloadedValue>,
}

/// The body of a loop.
#[derive(Debug, Default)]
pub(super) struct InstructionBody {
    pub(super) classes: Vec<RegClass>,
    pub(super) fixed: Vec<(Reg, PreloadedValue)>,
    pub(super) once: RowSetup,
    pub(super) steps: Vec<Instruction>,
    /// Elements that the steps handle.
    pub(super) chunk: usize,
    pub(super) target: InstructionSet,
    pub(super) calls: Vec<CalledFunction>,
    /// What [`InstructionForm::Rows`] reads.
    pub(super) tables: Vec<Vec<u8>>,
    /// The first vector registers that the steps leave alone.
    pub(super) reserved: usize,
    /// Whether it matters how many bytes it takes: a lane of a constant takes less than all of it.
    pub(super) compact: bool,
}

impl InstructionBody {
    /// The body of some chunks at once, a step of each in turn: while one waits for a result, the others have work.
    pub(super) fn interleave(&self, copies: usize) -> InstructionBody {
        let regs = self.classes.len() as u32;
        let mut shared = vec![false; self.classes.len()];
        self.fixed.iter().for_each(|(reg, _)| shared[reg.0 as usize] = true);
        let (stores, others): (Vec<&Instruction>, Vec<&Instruction>) =
            self.steps.iter().partition(|step| matches!(step.form, InstructionForm::Store { .. }));
        let steps = others.into_iter().chain(stores).flat_map(|step| {
            let shared = &shared;
            (0..copies).map(move |copy| {
                let moved = |reg: Reg| if shared[reg.0 as usize] { reg } else { Reg(reg.0 + copy as u32 * regs) };
                step.rename(moved, copy)
            })
        });
        InstructionBody {
            steps: steps.collect(),
            classes: self.classes.repeat(copies),
            fixed: self.fixed.clone(),
            once: RowSetup::default(),
            chunk: self.chunk * copies,
            target: self.target,
            calls: self.calls.clone(),
            tables: self.tables.clone(),
            reserved: self.reserved,
            compact: self.compact,
        }
    }
}

impl InstructionForm {
    fn of_copy(mut self, copy: usize) -> InstructionForm {
        if let InstructionForm::Load { copy: own, .. } | InstructionForm::Store { copy: own, .. } = &mut self {
            *own = copy;
        }
        self
    }
}
