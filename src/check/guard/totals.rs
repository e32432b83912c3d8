//! `--checked` sums or products of many integers: where the exact one does not fit.
//!
//! What counts is the exact result, not the steps: `sum([127i8, 1i8, -1i8])` in `i8` is 127 and no fault, in whatever
//! order and on however many threads it is added. A result that wrapped differs from the exact one by a multiple of
//! 2^N, so an approximation tells them apart:
//!
//! - A sum is compared with the sum in `f64`. Of n integers of N bits the fixed order rounds less than 75 times on the
//!   way to the result, each time by at most `n * 2^N * 2^-53`: together less than 2^(N-1) up to 2^46 elements.
//! - A product is compared with the product in `f64`. Only factors beyond 1 and -1 are rounded, and of these at most N
//!   fit. A zero makes the exact product 0, and the other one 0 or, after an infinity, not a number, which is no fault.
//! - Sums and products by groups or at positions are compared in the same way, of up to 2^26 elements in a group.
//! - For a product of matrices, the routine `product_fits` computes exactly which sums fit.
//! - Running products are compared like products. Of running sums the first that does not fit is the first whose last
//!   step wraps; what comes after it in its row was wrapped already.

use super::prims::{Guards, where_wrapped};
use crate::ir::routine::Routine;
use crate::ir::{Fault, Fold, NodeId, NodeKind};
use crate::range::Interval;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::DType;

impl Guards<'_> {
    /// Guards a sum or a product of integers, or running ones.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other node is no total")]
    pub(super) fn guard_total(&mut self, id: NodeId, shown: &str, at: Span) {
        if self.graph.ranges.total_fits(self.graph.builder.program(), id) {
            return;
        }
        let dtype = self.graph.builder.dtype(id);
        let kind = self.graph.builder.program().node(id).kind.clone();
        let mut e = self.graph.expand();
        let exact = match kind {
            NodeKind::Scan { fold: Fold::Sum, arg, .. } => {
                let before = e.prim(Prim::Sub, &[id, arg]);
                if let Some(wrapped) = where_wrapped(&mut e, Prim::Add, &[before, arg], id) {
                    self.guard(wrapped, Fault::Overflow { op: "+", operands: vec![before, arg], dtype }, at);
                }
                return;
            }
            NodeKind::Scan { fold, arg, axis } => {
                let arg = e.convert(arg, DType::F64);
                e.0.scan(fold, arg, axis as usize)
            }
            NodeKind::Fold { fold, arg, axes, keep } => {
                let axes: Vec<usize> = axes.iter().map(|&axis| axis as usize).collect();
                let arg = e.convert(arg, DType::F64);
                e.0.fold_keeping_if(fold, arg, &axes, keep)
            }
            NodeKind::Routine { routine: routine @ Routine::Segment(_), args } => {
                let len = e.shape(id).last().cloned();
                let arg = e.convert(args[0], DType::F64);
                e.routine(routine, &[arg, args[1]], len)
            }
            NodeKind::Routine { routine: routine @ Routine::Scatter(_), args } => {
                let [into, values] = [args[0], args[2]].map(|arg| e.convert(arg, DType::F64));
                e.routine(routine, &[into, args[1], values], None)
            }
            _ => return,
        };
        let found = e.convert(id, DType::F64);
        let distance = e.prim(Prim::Sub, &[exact, found]);
        let distance = e.prim(Prim::Abs, &[distance]);
        let far = e.of(DType::F64, 2f64.powi(dtype.bits() as i32 - 1));
        let wrong = e.prim(Prim::Le, &[far, distance]);
        self.guard(wrong, Fault::Total { op: shown.to_owned(), exact, dtype }, at);
    }

    /// Guards a product of matrices of integers.
    pub(super) fn guard_product(&mut self, id: NodeId, shown: &str, at: Span) {
        let program = self.graph.builder.program();
        let NodeKind::Routine { args, .. } = program.node(id).kind.clone() else { return };
        let dtype = program.node(id).dtype;
        if self.graph.ranges.of(self.graph.builder.program(), id).interval != Interval::of_dtype(dtype) {
            // The range is narrower than the dtype only where no sum can leave it.
            return;
        }
        let fits = self.graph.builder.routine(Routine::ProductFits, &args, None);
        let mut e = self.graph.expand();
        let wrong = e.not(fits);
        let wide = [args[0], args[1]].map(|arg| e.convert(arg, DType::F64));
        let exact = e.0.routine(Routine::Product, &wide, None);
        self.guard(wrong, Fault::Total { op: shown.to_owned(), exact, dtype }, at);
    }
}
