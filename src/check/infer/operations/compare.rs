//! Comparisons of integers by value, whatever a common dtype would make of them.

use super::apply::Application;
use crate::check::infer::Ctx;
use crate::check::infer::found::facts::{AppliedOp, Expansion, Subject};
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::ops::expand::Expand;
use crate::promotion::{self, Class};
use crate::types::DType;
use num_bigint::BigInt;

impl Ctx<'_> {
    /// Integers of any two dtypes compare exactly, where the system compares them at all. A constant outside the
    /// other's dtype decides the comparison.
    pub(super) fn compare_integers(
        &mut self,
        asked: Application,
        expand: fn(&mut Expand, NodeId, NodeId) -> NodeId,
        operands: Vec<Operand>,
    ) -> Value {
        let Application { system, op, span, at, .. } = asked;
        if self.follows(system)
            && !at.source.is_library()
            && let Err(refusal) = promotion::result(system, op, &Operand::all_asked(&operands))
        {
            self.report_refusal(refusal, op.class, op.shown(), &operands, at);
            return Value::Error;
        }
        if op.class != Class::Equality && self.are_words(&operands) {
            return self.error(report::words_have_no_order(op.shown(), operands[0].span, operands[1].span));
        }
        let mut nodes = Vec::with_capacity(2);
        let mut told = false;
        for (index, operand) in operands.iter().enumerate() {
            let other = &operands[1 - index];
            if let Some(Const::Int(value)) = operand.constant() {
                let own = self.settings.harden(other.elem);
                let fits =
                    [own, DType::I64, DType::U64].into_iter().find_map(|dtype| operand.constant()?.fit(dtype).ok());
                let outside = own
                    .integer_range()
                    .is_some_and(|(low, high)| *value < BigInt::from(low) || *value > BigInt::from(high));
                if outside && !other.is_exact() {
                    told = true;
                    let (operand, other) = (operand.clone(), other.clone());
                    self.found(Subject::Outside { op, operand, other, dtype: own, span });
                }
                let scalar = fits.unwrap_or_else(|| {
                    // Beyond 64 bits: the extreme that compares the same way with everything the other can hold.
                    let negative = value.sign() == num_bigint::Sign::Minus;
                    let extreme = if negative { Const::Int(i64::MIN.into()) } else { Const::Int(u64::MAX.into()) };
                    extreme.fit(if negative { DType::I64 } else { DType::U64 }).expect("the extremes fit")
                });
                nodes.push(self.graph.builder.constant(scalar));
            } else {
                let Some(node) = self.node(operand) else { return Value::Error };
                nodes.push(node);
            }
        }
        self.share_words(&operands, &mut nodes);
        let mut e = self.graph.expand();
        let nodes: Vec<NodeId> = nodes
            .into_iter()
            .map(|node| if e.dtype(node) == DType::Bool { e.convert(node, DType::U8) } else { node })
            .collect();
        let node = expand(&mut e, nodes[0], nodes[1]);
        if !told {
            let (how, nodes) = (Expansion::Compared, node.index()..node.index() + 1);
            self.found(Subject::Applied(AppliedOp { op, operands, how, node, nodes, span, at }));
        }
        self.computed_value(node, DType::Bool.into(), span)
    }
}
