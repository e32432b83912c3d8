//! Words of several columns beside each other: each column has a dictionary of its own, and codes of one mean nothing in
//! another.
//!
//! ```text
//! a: AAPL MSFT IBM → 0 1 2      b: IBM AAPL → 0 1      b in the codes of a: 2 0
//! ```

use super::Ctx;
use super::operand::{LITERAL, Operand, OperandForm};
use crate::array::Array;
use crate::array::logical::Logical;
use crate::ir::NodeId;
use crate::ops::expand::Expand;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::types::DType;
use std::collections::HashMap;

impl Ctx<'_> {
    /// The words that an operand's codes stand for, where it is words.
    fn words(&self, operand: &Operand) -> Option<&[String]> {
        match operand.form {
            OperandForm::Node(node, _) => match self.graph.builder.program().logical(node) {
                Some(Logical::Words(words)) => Some(words),
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether operands are words all of them: these have no order, though their codes have one.
    pub(super) fn are_words(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|operand| self.words(operand).is_some())
    }

    /// Gives operands that are words the codes of the first of them; words that it has not get codes behind its own.
    pub(super) fn share_words(&mut self, operands: &[Operand], nodes: &mut [NodeId]) {
        if operands.len() < 2 {
            return;
        }
        let mut own = operands.iter().enumerate().filter_map(|(at, operand)| Some((at, self.words(operand)?)));
        let Some((_, first)) = own.next() else { return };
        let others: Vec<(usize, Vec<String>)> = own
            .filter(|(_, words)| *words != first && !words.is_empty())
            .map(|(at, words)| (at, words.to_vec()))
            .collect();
        if others.is_empty() {
            return;
        }
        let first = first.iter().cloned().zip(0..);
        let mut codes: HashMap<String, usize> = first.collect();
        for (at, words) in others {
            let dtype = self.graph.builder.dtype(nodes[at]);
            if !dtype.is_integer() {
                continue;
            }
            let mut code = |word| {
                let next = codes.len();
                Scalar { dtype, bits: *codes.entry(word).or_insert(next) as u128 }
            };
            let table: Vec<Scalar> = words.into_iter().map(&mut code).collect();
            let table = Array::from_scalars(dtype, &[table.len()], table);
            let table = self.graph.builder.literal(LITERAL, operands[at].span, table);
            nodes[at] = translated(&mut Expand(&mut self.graph.builder), nodes[at], table);
        }
    }
}

/// Codes as a table has them; what is below zero is missing, and stays.
fn translated(e: &mut Expand, codes: NodeId, table: NodeId) -> NodeId {
    let zero = e.integer(DType::I64, 0);
    let place = e.convert(codes, DType::I64);
    let missing = e.prim(Prim::Lt, &[place, zero]);
    let place = e.prim(Prim::Max, &[place, zero]);
    let found = e.0.gather(table, place, 0);
    e.select(missing, codes, found)
}
