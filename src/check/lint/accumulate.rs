//! Totals in dtypes that are soon too narrow for them.

use super::possible::{PossibleFinding, Refutation};
use super::{Lint, Pass};
use crate::check::infer::found::facts::{FoldedAxes, FoldedGroups};
use crate::check::infer::values::operand::Operand;
use crate::check::report;
use crate::diagnostic::codes::lints;
use crate::diagnostic::{Diagnostic, Level};
use crate::ir::{Fold, NodeId, NodeKind, ProgramInput};
use crate::ops::{Form, Op};
use crate::promotion::{self, Class, Operation};
use crate::range::integer::Ends;
use crate::range::{Interval, integers};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::ExprKind;
use crate::types::{DType, Dim, Elem, shape};

/// The most parts of a total that are looked at.
const MAX_PARTS: usize = 64;

/// The passes over reductions and scans.
pub(super) const FOLDED: &[Pass<FoldedAxes>] = &[|lint, it| lint.narrow_fold(it)];

/// What grows with the number of elements.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Growth {
    Sum,
    Product,
}

impl<'a> Lint<'_, 'a> {
    /// Reports a sum or product whose accumulator, `node`'s dtype, is narrow, or whose operand is a narrow product.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other class has a total that can be narrow")]
    fn narrow_fold(&mut self, folded: &FoldedAxes) {
        let FoldedAxes { op, operand, node, axes, asked, at, .. } = folded;
        let (op, node, at) = (*op, *node, *at);
        let growth = match op.class {
            Class::Sum => Growth::Sum,
            Class::Product => Growth::Product,
            Class::Accumulation if matches!(op.form, Form::Scan(Fold::Prod)) => Growth::Product,
            Class::Accumulation => Growth::Sum,
            Class::Mean => return self.narrow_product(op, node, operand, at),
            _ => return,
        };
        let own = self.graph.builder.dtype(node);
        let dtype = asked.map_or(own, |(dtype, _)| dtype);
        let is_running = matches!(op.form, Form::Scan(_));
        let is_known = dtype.is_integer() && axes.len() == 1;
        let total = is_known.then(|| self.known_total(node, growth == Growth::Product, is_running)).flatten();
        let wraps = is_narrow(dtype) || total.is_some() || self.ends_are_stated(node, dtype);
        if !wraps {
            return self.narrow_product(op, node, operand, at);
        }
        // Functions of the library make floats small before they add them up.
        if at.source.is_library() && dtype.is_float() {
            return;
        }
        // A scan of all elements is over one axis of a reshaped node.
        let lengths = self.graph.builder.shape(node);
        let folded: Vec<_> = axes.iter().filter_map(|&axis| lengths.get(axis).cloned()).collect();
        let count = shape::sizes(&folded).map(|sizes| sizes.iter().map(|&size| size as f64).product::<f64>());
        let count = match growth {
            _ if is_narrow(dtype) => count,
            // Of stated ranges a sum of unknown length says nothing.
            Growth::Sum if count.is_none() => return self.narrow_product(op, node, operand, at),
            Growth::Sum => count,
            // Of stated ranges it is enough that two do not fit.
            Growth::Product => count.or(Some(2.0)),
        };
        let range = self.known_range(node);
        let is_held = match total {
            Some((low, high)) => Interval::Integer { low, high }.exists_in(dtype),
            None => {
                operand.is_exact()
                    || fits(growth, range, count, dtype)
                    || growth == Growth::Sum
                        && (self.telescopes(node, axes, dtype) || !is_running && self.fits_by_terms(node, axes, dtype))
            }
        };
        if is_held {
            return;
        }
        let level = self.level(&lints::NARROW_ACCUMULATION, at);
        if level != Level::Allow {
            let text = self.text(operand.span).to_owned();
            let most = integers(dtype).1;
            let reached = total.map(|(low, high)| if high > most { high } else { low });
            let end = report::NarrowTotal { reached, ..self.narrow_at(at) };
            let place = self.around(at, std::slice::from_ref(operand));
            if let Some(asked) = asked {
                // The dtype that is asked for is a cast itself.
                return self.report_total(report::narrow_total(level, op, *asked, end), dtype, place);
            }
            let found = report::narrow_accumulation(level, op, operand, dtype, ("", &text, ""), end);
            self.report_total(found, own, place);
        }
    }

    /// Whether a dtype holds the sums over some axes, where the weights of their terms are known: of bits times 1, 2, 4
    /// and so on.
    fn fits_by_terms(&mut self, node: NodeId, axes: &[usize], dtype: DType) -> bool {
        let axes: Vec<u32> = axes.iter().map(|&axis| axis as u32).collect();
        let ends = self.graph.ranges.sum_by_terms(self.graph.builder.program(), node, &axes);
        ends.is_some_and(|(low, high)| Interval::Integer { low, high }.exists_in(dtype))
    }

    /// A total here that is in a narrow dtype.
    fn narrow_at(&self, at: Span) -> report::NarrowTotal {
        report::NarrowTotal { wide: self.wide(), at, checked: self.known.settings.checked, reached: None }
    }

    /// Reports a sum or product by groups whose accumulator is narrow, or whose operand is a narrow product.
    pub(super) fn narrow_groups(&mut self, grouped: &FoldedGroups) {
        let FoldedGroups { op, operand, node, into, fold, count, at, .. } = grouped;
        let growth = match fold {
            Fold::Sum => Growth::Sum,
            Fold::Prod => Growth::Product,
            Fold::Min | Fold::Max | Fold::Any | Fold::All | Fold::ArgMin | Fold::ArgMax | Fold::FirstTrue => return,
        };
        // Floats are added up in a wider dtype, but the result has their own.
        let own = operand.elem.strong().filter(|own| ends_soon(*own));
        let dtype = own.unwrap_or_else(|| self.graph.builder.dtype(*node));
        let count = count.as_ref().and_then(Dim::known).map(|size| size as f64);
        // The elements that are added to count as one more element, unless they are zeros.
        let (own, begins) = (self.known_range(*node), into.map(|into| self.known_range(into)));
        let (range, count) = match begins.filter(|begins| *begins != Interval::Integer { low: 0, high: 0 }) {
            None => (Some(own), count),
            Some(begins) => (hull(Some(begins), Some(own)), count.map(|count| count + 1.0)),
        };
        let fits = range.is_some_and(|range| fits(growth, range, count, dtype));
        let is_stated = growth == Growth::Sum
            && count.is_some()
            && self.ends_are_stated(*node, dtype)
            && into.is_none_or(|into| self.ends_are_stated(into, dtype));
        if fits || !is_narrow(dtype) && !is_stated {
            return;
        }
        let level = self.level(&lints::NARROW_ACCUMULATION, *at);
        if level == Level::Allow {
            return;
        }
        let text = self.text(operand.span).to_owned();
        let (before, rest) = if grouped.weighs { ("…, ", "") } else { ("", ", …") };
        let text = (before, text.as_str(), rest);
        let end = self.narrow_at(*at);
        let place = self.around(*at, std::slice::from_ref(operand));
        self.report_total(report::narrow_accumulation(level, op, operand, dtype, text, end), dtype, place);
    }

    /// Reports a product of narrow integers that can wrap before it is added up more widely.
    fn narrow_product(&mut self, op: &'static Op, node: NodeId, operand: &Operand, at: Span) {
        let program = self.graph.builder.program();
        let mut product = node;
        while let NodeKind::Map(Prim::Convert, [Some(from), ..]) = program.node(product).kind {
            product = from;
        }
        let dtype = program.node(product).dtype;
        if !matches!(program.node(product).kind, NodeKind::Map(Prim::Mul, _))
            || !dtype.is_integer()
            || !is_narrow(dtype)
        {
            return;
        }
        // Stated ranges are the business of `integer-overflow`, whatever they prove.
        let Some(exact) = self.graph.ranges.exact_range(self.graph.builder.program(), product) else { return };
        // The elements of arrays that the program itself holds do not change.
        let now = self.graph.ranges.unwrapped_now(self.graph.builder.program(), product);
        let fits = [Some(exact), now].into_iter().flatten().any(|range| range.interval.exists_in(dtype));
        if fits || exact.is_stated() {
            return;
        }
        let level = self.level(&lints::NARROW_ACCUMULATION, operand.span);
        if level == Level::Allow {
            return;
        }
        self.told_of(product, operand.span);
        let wide = self.graph.builder.dtype(node);
        let wide = if wide.is_integer() && wide.bits() > dtype.bits() { wide } else { self.wide() };
        let factor = self.left_factor(operand.span).filter(|_| self.joins(wide, Elem::Strong(dtype)));
        let place = self.around(at, std::slice::from_ref(operand));
        self.report_total(report::narrow_product(level, op, operand, dtype, wide, factor, at), dtype, place);
    }

    /// Whether an integer dtype is not soon too narrow, and somebody said what values a node has. In the widest dtype
    /// it must be said of an input: of `10 ** arange(19)` the greatest value is met once.
    fn ends_are_stated(&mut self, node: NodeId, dtype: DType) -> bool {
        let known = dtype.is_integer() && !is_narrow(dtype);
        known
            && self.graph.ranges.of(self.graph.builder.program(), node).is_stated()
            && (dtype.bits() < self.widest() || self.is_of_a_declared_input(node))
    }

    /// Whether a node is computed from an input whose values somebody stated.
    fn is_of_a_declared_input(&mut self, node: NodeId) -> bool {
        let (program, ranges) = (self.graph.builder.program(), &mut self.graph.ranges);
        let mut parts = vec![node];
        let mut at = 0;
        while let Some(&part) = parts.get(at).filter(|_| at < MAX_PARTS) {
            at += 1;
            let of = program.node(part);
            if let NodeKind::Input(input) = of.kind {
                let is_literal = program.inputs.get(input as usize).is_some_and(ProgramInput::is_literal);
                if !is_literal && ranges.of(program, part).is_stated() {
                    return true;
                }
            }
            // A condition decides which values there are, and gives none.
            let condition = if let NodeKind::Map(Prim::Select, [condition, ..]) = of.kind { condition } else { None };
            let new: Vec<NodeId> = of.operands().filter(|it| Some(*it) != condition && !parts.contains(it)).collect();
            parts.extend(new);
        }
        false
    }

    /// The widest integer dtype of the system.
    fn wide(&self) -> DType {
        if self.widest() < 64 { DType::I32 } else { DType::I64 }
    }

    /// Whether one factor of a dtype is enough for products in it.
    fn joins(&self, wide: DType, other: Elem) -> bool {
        let asked = [Elem::Strong(wide), other].map(promotion::Operand::array);
        let system = self.known.settings.system;
        promotion::result(system, Operation::from(Class::Arithmetic), &asked)
            .is_ok_and(|decision| decision.compute == Elem::Strong(wide))
    }

    /// The left factor of a product that is written at this place, with its text.
    fn left_factor(&self, place: Span) -> Option<(Span, &'a str)> {
        let product = self.nearby(place).find(|expr| expr.span == place)?;
        let ExprKind::Infix(op, left, _) = &product.kind else { return None };
        let span = self.script(place)?.expr(*left).span;
        (op.notation == "*").then(|| (span, self.text(span)))
    }

    /// The range of a node. For an array literal, it is the range of its values.
    fn known_range(&mut self, node: NodeId) -> Interval {
        let program = self.graph.builder.program();
        let literal = if let NodeKind::Input(input) = program.node(node).kind {
            program.inputs.get(input as usize).filter(|input| input.is_literal())
        } else {
            None
        };
        let values = literal.and_then(|input| input.value.as_ref());
        let hull = values.and_then(|array| array.scalars().map(Interval::of_scalar).map(Some).reduce(hull).flatten());
        hull.unwrap_or_else(|| self.interval(node))
    }

    /// Reports sums of products in narrow integers, and sums of products of whole vectors in narrow floats: rows of
    /// matrices are shorter. A single operand is added up as it is.
    pub(super) fn narrow_dot(
        &mut self,
        shown: &str,
        (operands, nodes): (&[Operand], &[NodeId]),
        count: Option<&Dim>,
        at: Span,
    ) {
        let vectors = operands.iter().all(|operand| operand.shape.len() == 1);
        // Functions of the library make floats small before they add them up.
        let whole = vectors && !at.source.is_library();
        let float = common_dtype(operands).filter(|dtype| whole && ends_soon(*dtype));
        let dtype = float.unwrap_or_else(|| self.graph.builder.dtype(nodes[0]));
        let is_stated = nodes.iter().all(|&node| self.ends_are_stated(node, dtype));
        if float.is_none() && !is_stated && (!dtype.is_integer() || !is_narrow(dtype)) {
            return;
        }
        let count = count.and_then(Dim::known).map(|size| size as f64);
        // Of stated ranges it is enough that one product does not fit.
        let count = count.or(is_stated.then_some(1.0));
        let ranges = nodes.iter().map(|&node| Some(self.known_range(node)));
        let range = ranges.reduce(|one, other| product(one?, other?)).flatten();
        if range.is_some_and(|range| fits(Growth::Sum, range, count, dtype)) {
            return;
        }
        let level = self.level(&lints::NARROW_ACCUMULATION, at);
        if level != Level::Allow {
            let wide = if float.is_some() { DType::F32 } else { self.wide() };
            let joins = operands[1..].iter().all(|other| self.joins(wide, other.elem));
            let found = report::narrow_dot(level, shown, operands, dtype, (wide, joins, at));
            let place = self.around(at, operands);
            self.report_total(found, dtype, place);
        }
    }

    /// Reports a total at a place, unless a mask, a cast, or a remainder of a power of two straight around it takes the
    /// low bits alone, which are right.
    fn report_total(&mut self, found: Diagnostic, dtype: DType, place: Span) {
        let walk = self.walk;
        self.perhaps(PossibleFinding::new(Refutation::Total(dtype.bits()), place, found, walk));
    }
}

/// The range of products, if both are ranges of numbers.
fn product(one: Interval, other: Interval) -> Option<Interval> {
    match (one, other) {
        (Interval::Integer { low: a, high: b }, Interval::Integer { low: c, high: d }) => {
            let ends = [(a, c), (a, d), (b, c), (b, d)].map(|(x, y)| x.saturating_mul(y));
            Some(Interval::Integer { low: ends.into_iter().min()?, high: ends.into_iter().max()? })
        }
        (Interval::Float { low: a, high: b, nan: false, .. }, Interval::Float { low: c, high: d, nan: false, .. }) => {
            let most = a.abs().max(b.abs()) * c.abs().max(d.abs());
            Some(Interval::Float { low: -most, high: most, nan: false, whole: false })
        }
        _ => None,
    }
}

/// The dtype that all operands have, if it is one.
fn common_dtype(operands: &[Operand]) -> Option<DType> {
    let first = operands.first()?.elem.strong()?;
    operands.iter().all(|operand| operand.elem.strong() == Some(first)).then_some(first)
}

/// The smallest range that holds two others, if both are ranges of numbers.
fn hull(one: Option<Interval>, other: Option<Interval>) -> Option<Interval> {
    match (one?, other?) {
        (Interval::Integer { low: a, high: b }, Interval::Integer { low: c, high: d }) => {
            Some(Interval::Integer { low: a.min(c), high: b.max(d) })
        }
        (
            Interval::Float { low: a, high: b, nan: false, whole: p },
            Interval::Float { low: c, high: d, nan: false, whole: q },
        ) => Some(Interval::Float { low: a.min(c), high: b.max(d), nan: false, whole: p && q }),
        _ => None,
    }
}

/// Whether sums soon leave the range of a float dtype.
fn ends_soon(dtype: DType) -> bool {
    dtype.is_float() && dtype.row().max_exponent < 32
}

/// Whether sums are soon too large: integers of 16 bits or fewer, f16, which ends at 65504, and floats of one byte,
/// which end sooner.
fn is_narrow(dtype: DType) -> bool {
    ends_soon(dtype) || dtype.is_integer() && dtype.bits() <= 16
}

/// Whether the result of folding `count` values of a range fits.
fn fits(growth: Growth, range: Interval, count: Option<f64>, dtype: DType) -> bool {
    if let (Interval::Integer { low, high }, Some(count), true) = (range, count, dtype.is_integer()) {
        return integers_fit(growth, (low, high), count, dtype);
    }
    let (low, high) = match range {
        Interval::Integer { low, high } => (low as f64, high as f64),
        Interval::Float { low, high, nan: false, .. } => (low, high),
        Interval::Float { .. } | Interval::Complex => return false,
    };
    let most = if ends_soon(dtype) { dtype.largest_part() } else { integers(dtype).1 as f64 };
    let least = if ends_soon(dtype) { -most } else { integers(dtype).0 as f64 };
    match growth {
        _ if low == 0.0 && high == 0.0 => return true,
        Growth::Product if low >= -1.0 && high <= 1.0 => return true,
        Growth::Sum | Growth::Product => {}
    }
    let Some(count) = count else { return false };
    match growth {
        Growth::Sum => low.min(0.0) * count >= least && high.max(0.0) * count <= most,
        Growth::Product => low.abs().max(high.abs()).max(1.0).powf(count) <= most,
    }
}

/// Whether the result of folding `count` integers between two ends fits an integer dtype.
fn integers_fit(growth: Growth, (low, high): Ends, count: f64, dtype: DType) -> bool {
    let (least, most) = integers(dtype);
    let ends = match growth {
        Growth::Sum => (low.min(0).saturating_mul(count as i128), high.max(0).saturating_mul(count as i128)),
        Growth::Product if low >= -1 && high <= 1 => (low, high),
        Growth::Product => {
            let size = low.saturating_abs().max(high.saturating_abs()).saturating_pow(count.min(128.0) as u32);
            (if low < 0 { -size } else { low }, size)
        }
    };
    least <= ends.0 && ends.1 <= most
}
