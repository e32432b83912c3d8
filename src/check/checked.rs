//! `--checked`: the run-time faults that are silent otherwise, as conditions of the program.
//!
//! After an operation is expanded, each integer prim it is made of gets a predicate that is true where the prim
//! went wrong; the index of the first such element is one more result of the fused loop. No evaluator knows of this.

use super::Ctx;
use crate::ir::{Check, Fault, Fold, NodeId, NodeKind};
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Kind};

impl Ctx<'_, '_> {
    /// Guards the integer arithmetic among the nodes that were added since there were `before` of them.
    pub(super) fn guard_arithmetic(&mut self, before: usize, shown: &str, at: Span) {
        if !self.settings.checked {
            return;
        }
        for index in before..self.builder.program().nodes.len() {
            let id = NodeId(index as u32);
            let node = self.builder.program().node(id);
            let NodeKind::Map(prim, args) = node.kind else { continue };
            if !node.dtype.is_integer() {
                continue;
            }
            let operands: Vec<NodeId> = args.into_iter().flatten().collect();
            let dtype = node.dtype;
            let mut e = Expand(&mut self.builder);
            let wrapped = wrapped(&mut e, prim, &operands, id);
            let op = shown.to_owned();
            if matches!(prim, Prim::FloorDiv | Prim::Rem) {
                let zero = e.integer(dtype, 0);
                let by_zero = e.prim(Prim::Eq, &[operands[1], zero]);
                let wrong = wrapped.map_or(by_zero, |wrapped| e.prim(Prim::Or, &[by_zero, wrapped]));
                self.guard(wrong, Fault::Division { op, operands, dtype }, at);
            } else if let Some(wrapped) = wrapped {
                self.guard(wrapped, Fault::Overflow { op, operands, dtype }, at);
            }
        }
    }

    /// Guards a cast: integers that wrap, floats that are NaN or beyond the integers that they become.
    pub(super) fn guard_cast(&mut self, from: NodeId, to: NodeId, at: Span) {
        let (source, target) = (self.builder.dtype(from), self.builder.dtype(to));
        if !self.settings.checked || !target.is_integer() || source.is_complex() {
            return;
        }
        let mut e = Expand(&mut self.builder);
        let changed = match source.kind() {
            Kind::Unsigned | Kind::Signed => {
                let back = e.convert(to, source);
                let differs = e.prim(Prim::Ne, &[back, from]);
                // A sign that flips survives the way back where the widths are equal.
                let sign = match (source.kind(), target.kind()) {
                    (Kind::Signed, Kind::Unsigned) => Some(e.is_negative(from)),
                    (Kind::Unsigned, Kind::Signed) => Some(e.is_negative(to)),
                    _ => None,
                };
                match sign {
                    Some(sign) => e.prim(Prim::Or, &[differs, sign]),
                    None => differs,
                }
            }
            Kind::Float => {
                let wide = e.convert(from, DType::F64);
                let whole = e.prim(Prim::Trunc, &[wide]);
                let back = e.convert(to, DType::F64);
                // 2^64 and 2^63 are rounded up from the largest integers: what reaches them is outside.
                let (_, high) = target.integer_range().expect("the target is an integer dtype");
                let bound = e.of(DType::F64, (high + 1) as f64);
                let differs = e.prim(Prim::Ne, &[back, whole]);
                let reaches = e.prim(Prim::Le, &[bound, whole]);
                e.prim(Prim::Or, &[differs, reaches])
            }
            Kind::Bool | Kind::Complex => return,
        };
        self.guard(changed, Fault::LossyCast { value: from, dtype: target }, at);
    }

    /// Adds the condition that `fault` is nowhere true.
    pub(super) fn guard(&mut self, fault_at: NodeId, fault: Fault, span: Span) {
        let axes: Vec<usize> = (0..self.builder.shape(fault_at).len()).collect();
        let node = self.builder.fold(Fold::FirstTrue, fault_at, &axes, false);
        if self.builder.as_constant(fault_at).is_none_or(|scalar| scalar.bits != 0) {
            self.builder.check(Check { node, fault, span });
        }
    }
}

/// Where an integer prim's result is not the exact one.
fn wrapped(e: &mut Expand, prim: Prim, x: &[NodeId], result: NodeId) -> Option<NodeId> {
    let dtype = e.dtype(result);
    let signed = dtype.kind() == Kind::Signed;
    let smallest = dtype.integer_range()?.0;
    Some(match prim {
        Prim::Add if signed => {
            // Operands of one sign and a result of the other.
            let (left, right) = (e.prim(Prim::Xor, &[x[0], result]), e.prim(Prim::Xor, &[x[1], result]));
            let both = e.prim(Prim::And, &[left, right]);
            e.is_negative(both)
        }
        Prim::Add => e.prim(Prim::Lt, &[result, x[0]]),
        Prim::Sub if signed => {
            let (signs, turned) = (e.prim(Prim::Xor, &[x[0], x[1]]), e.prim(Prim::Xor, &[x[0], result]));
            let both = e.prim(Prim::And, &[signs, turned]);
            e.is_negative(both)
        }
        Prim::Sub => e.prim(Prim::Lt, &[x[0], x[1]]),
        Prim::Mul => {
            // Exact products divide back; the one exception is the wrapping quotient of the smallest value and -1.
            let quotient = e.prim(Prim::FloorDiv, &[result, x[0]]);
            let differs = e.prim(Prim::Ne, &[quotient, x[1]]);
            let zero = e.integer(dtype, 0);
            let nonzero = e.prim(Prim::Ne, &[x[0], zero]);
            let differs = e.prim(Prim::And, &[differs, nonzero]);
            if !signed {
                return Some(differs);
            }
            let turned = smallest_by_minus_one(e, x[1], x[0], smallest);
            e.prim(Prim::Or, &[differs, turned])
        }
        Prim::Neg if !signed => {
            let zero = e.integer(dtype, 0);
            e.prim(Prim::Ne, &[x[0], zero])
        }
        Prim::Neg | Prim::Abs => {
            let edge = e.integer(dtype, smallest);
            e.prim(Prim::Eq, &[x[0], edge])
        }
        Prim::FloorDiv if signed => smallest_by_minus_one(e, x[0], x[1], smallest),
        Prim::Pow => power_wrapped(e, x, result),
        _ => return None,
    })
}

/// `x == MIN and y == -1`
fn smallest_by_minus_one(e: &mut Expand, x: NodeId, y: NodeId, smallest: i128) -> NodeId {
    let dtype = e.dtype(x);
    let (edge, minus_one) = (e.integer(dtype, smallest), e.integer(dtype, -1));
    let (first, second) = (e.prim(Prim::Eq, &[x, edge]), e.prim(Prim::Eq, &[y, minus_one]));
    e.prim(Prim::And, &[first, second])
}

/// A power is compared with its value in `f64`: a wrapped one differs by a multiple of 2^N, far more than the
/// rounding. A negative exponent is at fault too: its value is a fraction, unless the base is 1 or -1.
fn power_wrapped(e: &mut Expand, x: &[NodeId], result: NodeId) -> NodeId {
    let (base, exponent) = (e.convert(x[0], DType::F64), e.convert(x[1], DType::F64));
    let value = e.prim(Prim::Pow, &[base, exponent]);
    let found = e.convert(result, DType::F64);
    let distance = e.prim(Prim::Sub, &[value, found]);
    let distance = e.prim(Prim::Abs, &[distance]);
    let magnitude = e.prim(Prim::Abs, &[value]);
    let slack = e.of(DType::F64, 2f64.powi(-40));
    let slack = e.prim(Prim::Mul, &[magnitude, slack]);
    let near = e.prim(Prim::Le, &[distance, slack]);
    e.not(near)
}
