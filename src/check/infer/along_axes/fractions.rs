//! The fractions that quantiles are asked for.

use crate::check::infer::Ctx;
use crate::check::infer::found::f64_origins::Cause;
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::ir::{NodeId, View};
use crate::ops::Op;
use crate::ops::lines::{LineCall, Lines};
use crate::types::{DType, Dim, Elem, Kind};

impl Ctx<'_> {
    /// Whether an element is picked: by the method or, where a system says so, by integers with the default one.
    pub(super) fn picks_elements(
        &self,
        op: &'static Op,
        lines: &Lines,
        fractions: Option<&Operand>,
        asked: &mut LineCall,
    ) -> bool {
        let whole = fractions.is_some_and(|q| q.elem.kind().is_integer());
        if whole && self.settings.system.rule_of(op.into()).asked.whole_picks {
            lines.pick(asked);
        }
        asked.options.words.first().is_some_and(|&word| lines.picking.contains(&lines.words[word]))
    }

    /// Fractions with a dtype, where the system lets them meet the operand; several of a literal are an array.
    pub(super) fn asked_array(&mut self, op: &'static Op, fractions: Option<&Operand>) -> Option<Operand> {
        let asked = fractions.filter(|q| !q.shape.is_empty() || !q.elem.is_weak())?;
        if !self.settings.system.rule_of(op.into()).asked.meets {
            return None;
        }
        if !asked.elem.is_weak() && asked.elem.kind() == Kind::Float {
            return Some(asked.clone());
        }
        // Whole ones are divided, or are 0 and 1.
        let dtype = self.settings.harden(Elem::WeakFloat);
        self.born(dtype, if asked.is_exact() { Cause::Literal } else { Cause::Operation }, asked.span);
        Some(Operand { elem: dtype.into(), origin: asked.span, ..asked.clone() })
    }

    /// Fractions as a line of `f64`.
    pub(super) fn fractions(&mut self, q: &Operand) -> Option<NodeId> {
        if q.shape.len() > 1 || !matches!(q.elem.kind(), Kind::Unsigned | Kind::Signed | Kind::Float) {
            self.error(report::not_fractions(q));
            return None;
        }
        let node = match q.elem {
            Elem::Strong(_) => self.node(q)?,
            Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex => {
                self.exact(q, DType::F64, None).or_else(|| self.node(q))?
            }
        };
        let node = self.graph.expand().convert(node, DType::F64);
        match q.shape.is_empty() {
            true => Some(self.graph.builder.view(node, View::Reshape, vec![Dim::Const(1)])),
            false => Some(node),
        }
    }
}
