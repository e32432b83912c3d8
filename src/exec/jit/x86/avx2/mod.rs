//! Operations that AVX2 lacks, by sequences of what it has.
//!
//! Each gives the bits of the one instruction that AVX-512 has in its place. [`integers`] has those of 64 bits,
//! [`quotients`] their divisions, [`convert`] those between dtypes, [`layout`] what moves lanes about, [`functions`]
//! the parts of floats, [`tables`] what they look up.

mod convert;
mod functions;
mod integers;
mod layout;
mod quotients;
mod tables;

use super::lower::Lowering;
use super::prims::UNORDERED;
use super::rows;
use super::steps::Reg;
use crate::exec::jit::lower::VectorOperands;
use crate::scalar::prim::Prim;
use crate::types::DType;
pub(super) use tables::TableLookups;

impl Lowering<'_> {
    /// The lesser or greater of two floats: -0 is less than +0, and where one is no number there is none.
    ///
    /// Of two equal operands, or where one is no number, the instructions give the second.
    pub(super) fn extreme(&mut self, prim: Prim, dtype: DType, [x, y]: [Reg; 2], values: VectorOperands) -> Reg {
        let (bytes, length) = (dtype.size(), self.length(dtype.size()));
        let row = rows::float(if prim == Prim::Min { rows::FMIN } else { rows::FMAX }, bytes);
        if let Some((bound, bits)) = self.source.plain_bound(&values, prim) {
            let (bound, other) = if bound == 0 { (x, y) } else { (y, x) };
            let nearer = self.binary(row, length, bound, other);
            // Of zeros it is the other one, which must give way to a bound of +0.
            return match (prim, bits) {
                (Prim::Max, 0) => self.binary(rows::float(rows::FADD, bytes), length, nearer, bound),
                _ => nearer,
            };
        }
        let [one, other] = [[x, y], [y, x]].map(|[first, last]| self.binary(row, length, first, last));
        if prim == Prim::Min {
            // What is no number stays so, whichever bits it gains; zeros gain a sign.
            return self.binary(rows::OR, length, one, other);
        }
        let both = self.binary(rows::AND, length, one, other);
        let unordered = self.compare_floats(bytes, (x, y), UNORDERED);
        self.binary(rows::OR, length, both, unordered)
    }
}
