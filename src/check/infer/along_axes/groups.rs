//! The groups that a call folds, for lints of narrow dtypes.

use crate::check::infer::Ctx;
use crate::check::infer::found::facts::{FoldedGroups, Subject};
use crate::check::infer::values::operand::Operand;
use crate::ir::routine::Routine;
use crate::ir::{Fold, NodeId, NodeKind};
use crate::ops::Op;
use crate::ops::lines::LineCall;
use crate::source::Span;

impl Ctx<'_> {
    /// Says what results fold by groups, and whether the operand is weights. The nodes may have been there before.
    pub(in crate::check) fn found_groups(
        &mut self,
        op: &'static Op,
        operand: Option<&Operand>,
        (results, weighs): (&[NodeId], bool),
        asked: &LineCall,
        at: Span,
    ) {
        let Some(operand) = operand else { return };
        if let Some((fold, node)) = self.first_fold(results, asked) {
            let count = operand.shape.first().cloned();
            self.found(Subject::Grouped(FoldedGroups {
                op,
                operand: operand.clone(),
                weighs,
                node,
                into: None,
                fold,
                count,
                at,
            }));
        }
    }

    /// The first fold by groups that results are made of, up to what a call was given, and what it folds.
    fn first_fold(&self, results: &[NodeId], asked: &LineCall) -> Option<(Fold, NodeId)> {
        let program = self.graph.builder.program();
        let given: Vec<NodeId> = asked
            .operands
            .args
            .iter()
            .chain(&asked.operands.positions)
            .chain(&asked.operands.weights)
            .copied()
            .collect();
        let mut found: Vec<NodeId> = results.to_vec();
        let mut at = 0;
        while let Some(&node) = found.get(at) {
            at += 1;
            if given.contains(&node) {
                continue;
            }
            if let NodeKind::Routine { routine: Routine::Segment(fold), args, .. } = &program.node(node).kind {
                return Some((*fold, args[0]));
            }
            for operand in program.node(node).operands() {
                if !found.contains(&operand) {
                    found.push(operand);
                }
            }
        }
        None
    }
}
