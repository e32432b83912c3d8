//! Lengths that other lengths decide, or numbers of the script alone. That of `x[:minimum(n, m)]` is `min(m, n)`, and
//! that of `triu_indices(3, 1)[0]` is 3.
//!
//! The checker gives them names, like those that data decides. What a node computes of lengths and numbers alone is a
//! form, and this form takes the place of the name. What is made of no inputs is computed while building. Lengths that
//! data decides keep their names.

use super::counted::counted_length;
use crate::exec::{Engine, Options, run};
use crate::ir::{Node, NodeId, NodeKind, Program, ProgramOutput, ReadLength};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{Affine, DType, Dim};

/// How many operations, one below the other, are looked through.
const DEPTH: usize = 16;

/// The most elements of an array that is made while building, to count something in it.
const MAX_BUILT_ELEMENTS: u64 = 1 << 20;

/// The program with forms in place of the names of lengths that other lengths decide.
pub(super) fn with_forms(program: &Program) -> Program {
    let mut decided = program.clone();
    for length in &program.lengths {
        let mut formula = LengthFormula { program: &decided, assumed: Vec::new() };
        let form = match settled(&decided, length.node) {
            Some(count) => Some(Affine::constant(count)),
            None => formula.form(length.node, DEPTH),
        };
        let Some(dim) = form.and_then(Dim::of) else { continue };
        let assumed = formula.assumed.into_iter().filter_map(Dim::of);
        let assumed: Vec<ReadLength> = assumed.map(|dim| ReadLength { dim, of: None }).collect();
        decided.read.extend(assumed);
        decided.lengths.retain(|other| other.name != length.name);
        decided.equate(&length.name, &dim);
    }
    decided
}

/// The number that a node is whatever the inputs are, if it is made of what the script says alone, and of arrays that
/// are not too large.
fn settled(program: &Program, id: NodeId) -> Option<i64> {
    let needed = program.needed_for([id]);
    let mut nodes = program.nodes.iter().zip(&needed).filter(|(_, needed)| **needed);
    if !nodes.all(|(node, _)| is_said(program, node)) {
        return None;
    }
    let output = ProgramOutput { name: None, node: id, span: Span::default(), weak: false };
    let alone = Program { outputs: vec![output], checks: Vec::new(), lengths: Vec::new(), ..program.clone() };
    let found = run(&alone, &Options { engine: Engine::Reference, ..Options::default() }).ok()?;
    Some(found.first()?.get(0).bits as u64 as i64)
}

/// Whether a node is no input and no loop, and not too large. Arrays in brackets are what the script says.
fn is_said(program: &Program, node: &Node) -> bool {
    let is_open = if let NodeKind::Input(input) = &node.kind {
        let input = &program.inputs[*input as usize];
        !input.is_literal() || input.value.is_none()
    } else {
        matches!(node.kind, NodeKind::Param(_) | NodeKind::Loop { .. })
    };
    let elements = node.shape.iter().try_fold(1u64, |all, dim| all.checked_mul(dim.known()?));
    !is_open && elements.is_some_and(|elements| elements <= MAX_BUILT_ELEMENTS)
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
        if let Some(form) = counted_length(program, node) {
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
        counted_length(self.program, self.program.node(id)).or_else(|| self.form(id, depth))
    }

    fn assume(&mut self, form: &Affine) {
        if !form.is_never_negative() {
            self.assumed.push(form.clone());
        }
    }
}
