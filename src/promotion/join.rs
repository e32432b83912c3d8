//! The join of operands: by a lattice, by a table, or only with their own kind.

use super::grid::{Grid, GridType, by_kind};
use super::lattice::Lattice;
use super::{Operand, Rank, Refusal};
use crate::constant::Const;
use crate::types::{DType, Elem, Kind};
use std::cmp::Reverse;
use std::sync::LazyLock;

/// How a system joins operands.
#[derive(Debug)]
pub enum Join {
    /// The least upper bound in a lattice that has the weak types as nodes.
    Lattice(LazyLock<Lattice>),
    /// The least upper bound in a lattice that was read while the program runs.
    Own(Lattice),
    /// A table of pairs. Operands of one call are joined together, those of the highest kind first and literals last:
    /// `i16`, `u16` and `f32` are `f32` in every order, as each of them alone is with `f32` (NumPy). Every two must
    /// meet.
    Table(LazyLock<Grid>),
    /// A table of pairs that is applied from left to right: whether there is an answer depends on the order (PyTorch).
    Chain(LazyLock<Grid>),
    /// Strong operands have one dtype, and weak ones meet it by kind; they may not change it.
    Strict,
    /// As strict; but only literals are weak, and between two literals the first decides (TensorFlow).
    Leading,
    /// All operands have one dtype, literals their default one.
    Identical,
    /// As identical; but an integer exponent may have any dtype (jax.lax's `pow`).
    Base,
}

impl Join {
    /// The lattice, if it is one.
    pub fn lattice(&self) -> Option<&Lattice> {
        match self {
            Join::Lattice(lattice) => Some(lattice),
            Join::Own(lattice) => Some(lattice),
            Join::Table(_) | Join::Chain(_) | Join::Strict | Join::Leading | Join::Identical | Join::Base => None,
        }
    }

    /// The table, if it is one.
    pub fn grid(&self) -> Option<&Grid> {
        match self {
            Join::Table(grid) | Join::Chain(grid) => Some(grid),
            Join::Lattice(_) | Join::Own(_) | Join::Strict | Join::Leading | Join::Identical | Join::Base => None,
        }
    }

    /// The common type of these operands; `default` is what weak types are where nothing else decides.
    ///
    /// # Errors
    /// The first two operands that have none, or a type that the system does not know.
    pub fn of(&self, operands: &[Operand], default: impl Fn(Elem) -> DType) -> Result<GridType, Refusal> {
        let Some(first) = operands.first() else { return Ok(Elem::Strong(DType::Bool).into()) };
        if let Some(lattice) = self.lattice()
            && let Some(outside) = operands.iter().find(|operand| !lattice.contains(operand.elem))
        {
            return Err(Refusal::Unsupported(outside.elem));
        }
        self.together(operands, &default).ok_or_else(|| {
            let pairs =
                operands.iter().enumerate().flat_map(|(at, left)| operands[at + 1..].iter().map(move |it| (left, it)));
            let apart = pairs.map(|(left, right)| [*left, *right]).find(|pair| self.together(pair, &default).is_none());
            let [left, right] = apart.unwrap_or([*first, operands[operands.len() - 1]]);
            Refusal::NoJoin(left.elem, right.elem)
        })
    }

    /// The common type of the operands of one call, if there is one.
    fn together(&self, operands: &[Operand], default: &impl Fn(Elem) -> DType) -> Option<GridType> {
        let elems = || operands.iter().map(|operand| operand.elem);
        match self {
            Join::Lattice(_) | Join::Own(_) => self.lattice()?.join(elems()).map(GridType::from),
            Join::Table(grid) => {
                let mut sorted: Vec<Elem> = elems().collect();
                sorted.sort_by_key(|&elem| (elem.is_weak(), Reverse(category(elem)), elem.index()));
                let meets = |(at, &left): (usize, &Elem)| {
                    sorted[at + 1..].iter().all(|&right| grid.join(left.into(), right.into()).is_some())
                };
                sorted.iter().enumerate().all(meets).then(|| chain(grid, &sorted))?
            }
            Join::Chain(grid) => chain(grid, &elems().collect::<Vec<_>>()),
            Join::Strict => {
                let mut elems = elems();
                let first = elems.next()?;
                elems.try_fold(first, strict).map(GridType::from)
            }
            Join::Leading => leading(operands, default).map(GridType::from),
            Join::Identical => {
                let mut joined = GridType::from(elems().next()?);
                for elem in elems() {
                    if default(joined.elem) != default(elem) {
                        return None;
                    }
                    joined = if joined.weak { elem.into() } else { joined };
                }
                Some(joined)
            }
            Join::Base => match operands {
                [base, exponent] if exponent.elem.kind().is_integer() => Some(GridType {
                    elem: if exponent.elem.is_weak() { base.elem } else { default(base.elem).into() },
                    weak: base.elem.is_weak() && exponent.elem.is_weak(),
                }),
                _ => Join::Identical.together(operands, default),
            },
        }
    }
}

/// A table from left to right; one operand alone is asked about too.
fn chain(grid: &Grid, elems: &[Elem]) -> Option<GridType> {
    let first = GridType::from(*elems.first()?);
    match &elems[1..] {
        [] => grid.join(first, first),
        rest => rest.iter().try_fold(first, |joined, &elem| grid.join(joined, elem.into())),
    }
}

/// TensorFlow's: literals take the dtype of a tensor among them; between literals alone the first decides.
fn leading(operands: &[Operand], default: &impl Fn(Elem) -> DType) -> Option<Elem> {
    let own = |operand: &Operand| if operand.constant { operand.elem } else { default(operand.elem).into() };
    let mut elems: Vec<Elem> = operands.iter().map(own).collect();
    elems.sort_by_key(|elem| elem.is_weak());
    let first = *elems.first()?;
    elems[1..].iter().try_fold(first, |joined, &elem| {
        let next = strict(joined, elem)?;
        (!joined.is_weak() || next == joined).then_some(next)
    })
}

/// The dtype of two operands of which neither may change.
fn strict(left: Elem, right: Elem) -> Option<Elem> {
    let next = by_kind(left, right)?;
    let changed = |elem: Elem| !elem.is_weak() && elem != next;
    (!changed(left) && !changed(right)).then_some(next)
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

fn is_array(operand: &Operand) -> bool {
    operand.rank != Rank::Zero && !operand.elem.is_weak()
}

/// Arrays, then scalars, then literals: what comes later changes the kind at most (PyTorch).
pub(super) fn by_rank(join: &Join, operands: &[Operand], default: impl Fn(Elem) -> DType) -> Result<GridType, Refusal> {
    let group = |operand: &Operand| match operand {
        operand if operand.elem.is_weak() || operand.constant => 2,
        operand if operand.rank == Rank::Zero => 1,
        _ => 0,
    };
    let mut joined: Option<GridType> = None;
    for rank in [2, 1, 0] {
        let members: Vec<Operand> = operands.iter().filter(|operand| group(operand) == rank).copied().collect();
        if members.is_empty() {
            continue;
        }
        let higher = join.of(&members, &default)?;
        joined = Some(match joined {
            None => higher,
            Some(lower) => combine(join, higher, lower, &default)?,
        });
    }
    Ok(joined.unwrap_or(Elem::Strong(DType::Bool).into()))
}

/// What a group that decides makes of one that does not.
fn combine(
    join: &Join,
    higher: GridType,
    lower: GridType,
    default: impl Fn(Elem) -> DType,
) -> Result<GridType, Refusal> {
    let node = |elem: Elem| Operand { rank: Rank::NonZero, ..Operand::array(elem) };
    match (category(higher.elem), category(lower.elem)) {
        (3, _) | (2, 0..=2) | (1, 0..=1) => Ok(higher),
        (2, _) => {
            let whole =
                |joined: GridType| higher.elem.strong().map_or(joined, |dtype| Elem::Strong(dtype.complex()).into());
            join.of(&[node(higher.elem), node(lower.elem)], default).map(whole)
        }
        _ => join.of(&[node(higher.elem), node(lower.elem)], default).or_else(|refusal| match lower.elem.kind() {
            Kind::Complex => Ok(lower),
            Kind::Bool | Kind::Unsigned | Kind::Signed | Kind::Float => Err(refusal),
        }),
    }
}

/// Scalars as the smallest dtypes that hold their values, beside arrays of their kind or above (NumPy 1). Where loops
/// are searched, a scalar that unsigned arrays do not hold counts as signed.
pub(super) fn by_value<'c>(
    operands: &[Operand<'c>],
    searched: bool,
    default: impl Fn(Elem) -> DType,
) -> Vec<Operand<'c>> {
    let level = |elem: Elem| category(elem).min(2);
    let highest = operands.iter().filter(|operand| is_array(operand)).map(|operand| level(operand.elem)).max();
    let below = |it: &Operand| highest.is_some_and(|highest| level(it.elem) <= highest);
    let fits = operands.iter().filter(|operand| !is_array(operand)).all(below);
    let signed = operands.iter().any(|operand| is_array(operand) && operand.elem.kind() == Kind::Signed);
    let mut unsigned = operands.iter().filter(|it| is_array(it) && it.elem.kind() == Kind::Unsigned);
    let unsigned: Option<DType> = unsigned.next().and_then(|it| it.elem.strong()).filter(|_| searched);
    let outgrows = |value: &Const| unsigned.is_some_and(|dtype| value.fit(dtype).is_err());
    let counts = |it: &Operand<'c>| match is_array(it) {
        true => *it,
        false if fits => {
            let signed = signed || it.value.is_some_and(outgrows);
            it.with_type(Elem::Strong(smallest(it.elem, it.value, signed)))
        }
        false => it.with_type(Elem::Strong(default(it.elem))),
    };
    operands.iter().map(counts).collect()
}

/// `bool`, integer, float, complex.
fn category(elem: Elem) -> u32 {
    match elem.kind() {
        Kind::Bool => 0,
        Kind::Unsigned | Kind::Signed => 1,
        Kind::Float => 2,
        Kind::Complex => 3,
    }
}

/// The smallest dtype of its kind that holds a value; a value that is not known counts as 1. Beside signed integers
/// a small positive one is signed.
fn smallest(elem: Elem, value: Option<&Const>, signed: bool) -> DType {
    use DType::{Bf16, Bool, C64, C128, F16, F32, F64, I8, I16, I32, I64, U8, U16, U32, U64};
    let part = |dtypes: [DType; 3], magnitude: f64| match magnitude {
        magnitude if magnitude >= 3.4e38 && magnitude.is_finite() => dtypes[2],
        magnitude if magnitude >= 65000.0 && magnitude.is_finite() => dtypes[1],
        _ => dtypes[0],
    };
    match (elem.kind(), value) {
        (Kind::Bool, _) => Bool,
        (Kind::Float, _) if elem == Elem::Strong(Bf16) => Bf16,
        (Kind::Unsigned | Kind::Signed, value) => {
            let one = Const::Int(1.into());
            let value = value.unwrap_or(&one);
            let first = |dtypes: &[DType]| dtypes.iter().copied().find(|&dtype| value.fit(dtype).is_ok());
            let narrow = first(&[U8, I8, U16, I16, U32, I32, U64, I64]).unwrap_or(I64);
            match first(&[I8, I16, I32, I64]) {
                Some(same) if signed && same.size() == narrow.size() => same,
                _ => narrow,
            }
        }
        (Kind::Float, value) => part([F16, F32, F64], value.map_or(1.0, |value| value.parts().0.abs())),
        (Kind::Complex, value) => {
            let magnitude = value.map_or(1.0, |value| value.parts().0.abs().max(value.parts().1.abs()));
            part([C64, C64, C128], magnitude)
        }
    }
}
