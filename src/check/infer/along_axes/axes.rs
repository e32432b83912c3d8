//! `axis=`: which axes of an operand are meant.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ops::Op;
use crate::source::Span;

impl Ctx<'_> {
    /// `axis=None`, `axis=-1`, `axis=(0, 1)`.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for all axes")]
    pub(in crate::check) fn axes_given(&mut self, value: Value, span: Span) -> Option<Option<Vec<i64>>> {
        if matches!(value, Value::None) {
            return Some(None);
        }
        let axes = value.items();
        let axes = axes.iter().map(|axis| self.whole(axis, span, "an axis")).collect::<Option<Vec<i64>>>()?;
        Some(Some(axes))
    }

    /// `axis=None`, `axis=-1`: for operations that go along one axis.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for all axes")]
    pub(in crate::check) fn axis_given(&mut self, op: &Op, value: Value, span: Span) -> Option<Option<Vec<i64>>> {
        if let Value::Tuple(_) | Value::Literal(_) = value {
            self.error(report::several_axes(op, span));
            return None;
        }
        self.axes_given(value, span)
    }

    /// Axes counted from the start, ascending, each once.
    pub(in crate::check) fn resolve_axes(&mut self, operand: &Operand, list: &[i64], span: Span) -> Option<Vec<usize>> {
        let rank = operand.shape.len() as i64;
        let mut axes = Vec::with_capacity(list.len());
        for &axis in list {
            let from_start = if axis < 0 { axis.saturating_add(rank) } else { axis };
            if !(0..rank).contains(&from_start) {
                self.error(report::axis_out_of_range(axis, operand, span));
                return None;
            }
            axes.push(from_start as usize);
        }
        axes.sort_unstable();
        if axes.windows(2).any(|pair| pair[0] == pair[1]) {
            self.error(report::axis_twice(operand, span));
            return None;
        }
        Some(axes)
    }
}
