//! Lengths that other lengths decide: that of `x[:minimum(n, m)]` is `min(m, n)`.
//!
//! The checker gives them names, like those that data decides. What a node computes of lengths and numbers alone is a
//! form, and this form takes the place of the name. Lengths that data decides keep their names.

use super::counted::counted;
use crate::ir::{NodeId, NodeKind, Program, ReadLength};
use crate::scalar::prim::Prim;
use crate::types::{Affine, DType, Dim};

/// How many operations, one below the other, are looked through.
const DEPTH: usize = 16;

/// The program with forms in place of the names of lengths that other lengths decide.
pub(super) fn with_forms(program: &Program) -> Program {
    let mut decided = program.clone();
    for length in &program.lengths {
        let mut formula = LengthFormula { program: &decided, assumed: Vec::new() };
        let Some(dim) = formula.form(length.node, DEPTH).and_then(Dim::of) else { continue };
        let assumed = formula.assumed.into_iter().filter_map(Dim::of);
        let assumed: Vec<ReadLength> = assumed.map(|dim| ReadLength { dim, of: None }).collect();
        decided.read.extend(assumed);
        decided.lengths.retain(|other| other.name != length.name);
        decided.equate(&length.name, &dim);
    }
    decided
}

/// What a node computes of lengths.
struct LengthFormula<'p> {
    program: &'p Program,
    /// What the checker took for a length: it is not below 0, or the formula is another one.
    assumed: Vec<Affine>,
}

impl LengthFormula<'_> {
    fn form(&mut self, id: NodeId, depth: usize) -> Option<Affine> {
        let depth = depth.checked_sub(1)?;
        let program = self.program;
        let node = program.node(id);
        if node.dtype != DType::I64 || !node.shape.is_empty() {
            return None;
        }
        if let NodeKind::Const(number) = node.kind {
            return Some(Affine::constant(number.bits as u64 as i64));
        }
        if let Some(form) = counted(program, node) {
            self.assume(&form);
            return Some(form);
        }
        let NodeKind::Map(prim, [Some(left), right, None]) = node.kind else { return None };
        match (prim, right) {
            (Prim::Add, Some(right)) => self.form(left, depth)?.plus(&self.form(right, depth)?, 1),
            (Prim::Sub, Some(right)) => self.form(left, depth)?.plus(&self.form(right, depth)?, -1),
            (Prim::Mul, Some(right)) => self.form(left, depth)?.multiply(&self.form(right, depth)?),
            (Prim::FloorDiv, Some(right)) => self.form(left, depth)?.floor_divide(&self.form(right, depth)?),
            (Prim::Min, Some(right)) => self.form(left, depth)?.least(&self.form(right, depth)?),
            (Prim::Max, Some(right)) => {
                let (left, right) = (self.number(left, depth)?, self.number(right, depth)?);
                if !left.is_never_negative() && !right.is_never_negative() {
                    self.assume(&left);
                    self.assume(&right);
                }
                left.plus(&right, 1)?.plus(&left.least(&right)?, -1)
            }
            (Prim::Abs, None) => {
                let number = self.number(left, depth)?;
                number.plus(&number.least(&Affine::constant(0))?, -2)
            }
            _ => None,
        }
    }

    /// An operand of which no result is below 0, even if it is: `n - 2` in `maximum(n - 2, 0)`.
    fn number(&mut self, id: NodeId, depth: usize) -> Option<Affine> {
        counted(self.program, self.program.node(id)).or_else(|| self.form(id, depth))
    }

    fn assume(&mut self, form: &Affine) {
        if !form.is_never_negative() {
            self.assumed.push(form.clone());
        }
    }
}
