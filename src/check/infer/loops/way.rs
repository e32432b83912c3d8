//! The way that a loop goes through: a number of steps, or the rows of arrays.

use super::step::{LoopWay, RowSource};
use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::NodeId;
use crate::range::Interval;
use crate::syntax::ast::{ExprId, LoopDomain, LoopExpr, Name};
use crate::types::{DType, Dim};

impl Ctx<'_> {
    /// What a loop goes through.
    pub(super) fn way<'s>(&mut self, it: &'s LoopExpr) -> Option<LoopWay<'s>> {
        match &it.over {
            LoopDomain::Steps { count, counter, .. } => {
                let count = self.count(*count)?;
                Some(LoopWay::Steps { count, counter: counter.as_ref() })
            }
            LoopDomain::Rows { arrays, axis, reverse } => self.scanned_arrays(arrays, *axis, reverse.is_some()),
        }
    }

    /// The most steps that a loop takes.
    pub(super) fn steps(&mut self, way: &LoopWay) -> Option<u64> {
        match way {
            LoopWay::Steps { count, .. } => {
                let range = self.graph.ranges.of(self.graph.builder.program(), *count);
                let Interval::Integer { high, .. } = range.interval else { return None };
                u64::try_from(high.max(0)).ok().filter(|_| range.high_stated)
            }
            LoopWay::Rows { len, .. } => len.known(),
        }
    }

    /// How often: an integer, as an `i64`.
    fn count(&mut self, id: ExprId) -> Option<NodeId> {
        let at = self.frame.script.expr(id).span;
        let value = self.infer(id);
        let count = self.operand(value, at)?;
        if !count.shape.is_empty() || !count.elem.kind().is_integer() {
            let text = self.text(at).to_owned();
            self.error(report::not_a_count(&count, &text));
            return None;
        }
        if count.is_exact() {
            return self.exact(&count, DType::I64, None);
        }
        let node = self.node(&count)?;
        Some(self.as_long(node))
    }

    /// The arrays of a scan.
    fn scanned_arrays<'s>(
        &mut self,
        arrays: &'s [(Name, ExprId)],
        axis: Option<ExprId>,
        reverse: bool,
    ) -> Option<LoopWay<'s>> {
        let mut found: Vec<RowSource> = Vec::with_capacity(arrays.len());
        let mut broken = arrays.is_empty();
        for (name, id) in arrays {
            let at = self.frame.script.expr(*id).span;
            let value = self.infer(*id);
            let array = self.operand(value, at);
            let node = array.as_ref().and_then(|array| self.node(array));
            match (array, node) {
                (Some(array), Some(node)) => found.push(RowSource { name, array, node }),
                _ => broken = true,
            }
        }
        let axis = match axis {
            Some(id) => {
                let at = self.frame.script.expr(id).span;
                let value = self.infer(id);
                match self.form(&value).and_then(|form| form.known()) {
                    Some(axis) => Some((axis, at)),
                    None if matches!(value, Value::Error) => return None,
                    None => {
                        self.error(report::open_scan_axis(at));
                        return None;
                    }
                }
            }
            None => None,
        };
        if broken {
            return None;
        }
        let first = &found[0].array;
        let rank = first.shape.len() as i64;
        let (asked, at) = axis.unwrap_or((0, first.span));
        if !(-rank..rank).contains(&asked) {
            self.error(report::no_scan_axis(asked, first, at));
            return None;
        }
        let axis = asked.rem_euclid(rank) as usize;
        let len = first.shape[axis].clone();
        if let Some(other) = found.iter().find(|it| it.array.shape.get(axis) != Some(&len)) {
            let diagnostic = report::scans_differ(&found[0].array, &other.array, axis);
            let dims: Vec<Dim> = [&found[0].array.shape, &other.array.shape].into_iter().flatten().cloned().collect();
            let diagnostic = self.with_names(diagnostic, &dims);
            self.error(diagnostic);
            return None;
        }
        Some(LoopWay::Rows { arrays: found, axis, len, reverse })
    }
}
