//! How operands meet: by a lattice, by a table, or only with their own kind.

use super::grid::{Grid, Node, by_kind};
use super::lattice::Lattice;
use super::{Operand, Refusal};
use crate::types::{DType, Elem, Kind};
use std::sync::LazyLock;

/// How a system joins operands.
#[derive(Debug)]
pub enum Join {
    /// The least upper bound in a lattice that has the weak types as nodes.
    Lattice(LazyLock<Lattice>),
    /// A table, applied from left to right.
    Table(LazyLock<Grid>),
    /// Strong operands have one dtype, and literals meet it by kind; they may not change it.
    Strict,
    /// All operands have one dtype, literals their default one.
    Identical,
}

impl Join {
    /// The common type of these operands; `default` is what weak types are where nothing else decides.
    ///
    /// # Errors
    /// The first operand that does not fit, beside what came before it.
    pub fn of(&self, operands: &[Operand], default: impl Fn(Elem) -> DType) -> Result<Node, Refusal> {
        let Some((first, rest)) = operands.split_first() else { return Ok(Elem::Strong(DType::Bool).into()) };
        let mut joined = Node::from(first.elem);
        let refusal = |other: &Operand| Refusal::NoJoin(first.elem, other.elem);
        match self {
            Join::Lattice(lattice) => {
                for (index, operand) in operands.iter().enumerate() {
                    let so_far = operands[..=index].iter().map(|operand| operand.elem);
                    joined = lattice.join(so_far).ok_or_else(|| refusal(operand))?.into();
                }
            }
            Join::Table(grid) => {
                joined = grid.join(joined, joined).ok_or_else(|| refusal(first))?;
                for operand in rest {
                    joined = grid.join(joined, operand.elem.into()).ok_or_else(|| refusal(operand))?;
                }
            }
            Join::Strict => {
                for operand in rest {
                    let next = by_kind(joined.elem, operand.elem).ok_or_else(|| refusal(operand))?;
                    let changed = |elem: Elem| !elem.is_weak() && elem != next;
                    if changed(joined.elem) || changed(operand.elem) {
                        return Err(refusal(operand));
                    }
                    joined = next.into();
                }
            }
            Join::Identical => {
                for operand in rest {
                    let same = default(joined.elem) == default(operand.elem);
                    if !same {
                        return Err(refusal(operand));
                    }
                    if joined.weak {
                        joined = operand.elem.into();
                    }
                }
            }
        }
        Ok(joined)
    }
}

/// How a system treats operands that are scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scalars {
    /// As arrays: only literals are weak.
    AsArrays,
    /// They do not widen arrays within a kind (PyTorch's dimension rule).
    ByKind,
    /// Beside arrays of their kind or above they have the smallest dtype that holds their value (NumPy 1).
    ByValue,
}

/// Leaves out the scalars that arrays win over: what is left decides the dtype.
pub(super) fn deciding<'c>(scalars: Scalars, operands: &[Operand<'c>]) -> Vec<Operand<'c>> {
    let rank = |operand: &Operand| match operand.elem.kind() {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    };
    let is_scalar = |operand: &Operand| operand.rank == super::Rank::Zero && !operand.elem.is_weak();
    let highest = operands.iter().filter(|operand| !is_scalar(operand) && !operand.elem.is_weak()).map(rank).max();
    let loses = |operand: &Operand| is_scalar(operand) && highest.is_some_and(|highest| rank(operand) <= highest);
    match scalars {
        Scalars::AsArrays | Scalars::ByValue => operands.to_vec(),
        Scalars::ByKind => operands.iter().filter(|operand| !loses(operand)).copied().collect(),
    }
}
