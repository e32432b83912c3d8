//! Labels of axes that a call gives for matrices. Products follow from them.

use super::subscripts::{SPREAD, parsed_subscripts};
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::facts::Subject;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{NodeId, View};
use crate::ops::contract::LabelledArray;
use crate::ops::expand::Expand;
use crate::ops::{Matrices, Op};
use crate::promotion::Class;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Shape, shape};

/// Operands with labels for their axes, and those of the result.
struct Product {
    operands: Vec<Operand>,
    /// Their shapes as they are written, before some were made equal.
    written: Vec<Shape>,
    labels: Vec<Vec<u32>>,
    result: Vec<u32>,
}

impl Ctx<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other row is a product")]
    pub(in crate::check) fn call_matrices(
        &mut self,
        op: &'static Op,
        matrices: Matrices,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let made = match matrices {
            Matrices::Trace | Matrices::Diagonal => self.diagonal_of(op, given, span, at),
            Matrices::Diag => self.diag(op, given, span, at),
            Matrices::Lower | Matrices::Upper => self.triangle(op, matrices, given, at),
            Matrices::Chain => self.chain(op, given, span, at),
            Matrices::Power => self.matrix_power(op, given, span, at),
            _ => self.product_given(op, matrices, given, span, at),
        };
        made.unwrap_or(Value::Error)
    }

    /// `x @ y`
    pub(in crate::check) fn matrix_product(
        &mut self,
        op: &'static Op,
        [x, y]: [Operand; 2],
        span: Span,
        at: Span,
    ) -> Value {
        let product = self.matmul(op, x, y, at);
        product.and_then(|product| self.product(op, product, span, at)).unwrap_or(Value::Error)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "the other products sum over one axis of each operand")]
    fn product_given(
        &mut self,
        op: &'static Op,
        matrices: Matrices,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let spec = if matrices == Matrices::Einsum { Some(given.next()??) } else { None };
        let (mut operands, mut rest) = (Vec::new(), None);
        for (param, given) in op.params.iter().skip(usize::from(spec.is_some())).zip(given) {
            match given {
                None => {}
                Some((Value::None, _)) if param.default.is_some() => {}
                Some((value, value_at)) if param.role == crate::ops::Role::Operand => {
                    operands.push(self.operand(value, value_at)?);
                }
                given => rest = given,
            }
        }
        if let Some((spec, spec_at)) = spec {
            let product = self.subscripts(op, &spec, operands, spec_at, at)?;
            return self.product(op, product, span, at);
        }
        let [x, y] = <[Operand; 2]>::try_from(operands).ok()?;
        let product = match matrices {
            Matrices::Matmul => self.matmul(op, x, y, at)?,
            Matrices::Vecdot => return self.vecdot(op, x, y, rest, span, at),
            Matrices::Kronecker => return self.kronecker(op, x, y, span, at),
            Matrices::Outer => {
                let (x, y) = (self.as_vector(x, span)?, self.as_vector(y, span)?);
                Product::new(x, y, &[], &[])
            }
            Matrices::Tensordot => {
                let (own, other) = self.tensor_axes(&x, &y, rest, at)?;
                Product::new(x, y, &own, &other)
            }
            _ if x.shape.is_empty() || y.shape.is_empty() => Product::new(x, y, &[], &[]),
            _ => {
                let other = if matrices == Matrices::Inner { 1 } else { y.shape.len().min(2) };
                let (own, other) = (x.shape.len() - 1, y.shape.len() - other);
                Product::new(x, y, &[own], &[other])
            }
        };
        self.product(op, product, span, at)
    }

    /// All elements as one axis.
    fn as_vector(&mut self, operand: Operand, span: Span) -> Option<Operand> {
        if operand.shape.len() == 1 {
            return Some(operand);
        }
        self.flatten(&operand, span)
    }

    /// The labels of `x @ y`, whose axes before the last two are made equal.
    fn matmul(&mut self, op: &'static Op, mut x: Operand, mut y: Operand, at: Span) -> Option<Product> {
        if let Some(scalar) = [&x, &y].into_iter().find(|operand| operand.shape.is_empty()) {
            self.error(report::too_few_axes(op, scalar, "matrices and vectors", at));
            return None;
        }
        let before = |operand: &Operand| operand.shape[..operand.shape.len().saturating_sub(2)].to_vec();
        let Ok(places) = shape::broadcast(&before(&x), &before(&y)) else {
            let (left, right) = (before(&x), before(&y));
            self.error(report::places_differ(op, (&x, &left), (&y, &right), at));
            return None;
        };
        let written = vec![x.shape.clone(), y.shape.clone()];
        for operand in [&mut x, &mut y] {
            if operand.shape.len() > 1 || !places.is_empty() {
                let own = operand.shape.len().min(2);
                let wanted: Shape = places.iter().chain(&operand.shape[operand.shape.len() - own..]).cloned().collect();
                *operand = self.spread_to(operand, wanted)?;
            }
        }
        let count = places.len() as u32;
        let along: Vec<u32> = (0..count).collect();
        let own = |operand: &Operand, two: [u32; 2], one: u32| match operand.shape.len() - places.len() {
            1 => [along.clone(), vec![one]].concat(),
            _ => [along.clone(), two.to_vec()].concat(),
        };
        let (row, column, summed) = (count, count + 1, count + 2);
        let labels = vec![own(&x, [row, summed], summed), own(&y, [summed, column], summed)];
        let has = |labels: &[u32], label: u32| labels.contains(&label).then_some(label);
        let result = along.iter().copied().chain(has(&labels[0], row)).chain(has(&labels[1], column)).collect();
        Some(Product { operands: vec![x, y], written, labels, result })
    }

    /// An operand repeated to a shape.
    fn spread_to(&mut self, operand: &Operand, wanted: Shape) -> Option<Operand> {
        if operand.shape == wanted {
            return Some(operand.clone());
        }
        let node = self.node(operand)?;
        let node = self.graph.builder.broadcast(node, &wanted);
        let value = Self::view_of(operand, node);
        self.operand(value, operand.span)
    }

    /// Axes of `tensordot`: how many, or which.
    fn tensor_axes(
        &mut self,
        x: &Operand,
        y: &Operand,
        given: GivenValue,
        at: Span,
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let (value, axes_at) = given.unwrap_or((Value::Const(crate::constant::Const::Int(2.into())), at));
        if let Value::Tuple(pair) = &value
            && let [own, other] = &pair[..]
        {
            let (own, other) = (self.axes_given(own.clone(), axes_at)??, self.axes_given(other.clone(), axes_at)??);
            let (left, right) = (self.several_axes(x, &own, axes_at)?, self.several_axes(y, &other, axes_at)?);
            if left.len() != right.len() {
                self.error(report::axes_in_pairs(left.len(), right.len(), axes_at));
                return None;
            }
            return Some((left, right));
        }
        let count = self.whole(&value, axes_at, "`axes`")?;
        let most = x.shape.len().min(y.shape.len());
        match usize::try_from(count).ok().filter(|count| *count <= most) {
            Some(count) => Some(((x.shape.len() - count..x.shape.len()).collect(), (0..count).collect())),
            None => {
                self.error(report::too_many_axes(count, x, y, axes_at));
                None
            }
        }
    }

    /// Axes in the order in which they are given.
    pub(in crate::check) fn several_axes(&mut self, operand: &Operand, list: &[i64], at: Span) -> Option<Vec<usize>> {
        self.resolve_axes(operand, list, at)?;
        let rank = operand.shape.len() as i64;
        Some(list.iter().map(|&axis| if axis < 0 { axis + rank } else { axis } as usize).collect())
    }

    /// `sum(conj(x) * y, axis)`
    fn vecdot(
        &mut self,
        op: &'static Op,
        x: Operand,
        y: Operand,
        axis: GivenValue,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let axis = match axis {
            Some((value, axis_at)) => self.whole(&value, axis_at, "an axis")?,
            None => -1,
        };
        let own = [&x, &y].map(|operand| self.resolve_axes(operand, &[axis], at));
        let [Some(own), Some(other)] = own else { return None };
        if x.shape[own[0]] != y.shape[other[0]] {
            let counted = self.any_counted([&x.shape[..], &y.shape]);
            let texts = [self.text(x.span), self.text(y.span)];
            let diagnostic = report::product_lengths(op, (&x, own[0]), (&y, other[0]), texts, counted, at);
            let diagnostic = self.with_names(diagnostic, [&x.shape[own[0]], &y.shape[other[0]]]);
            self.typed.single_axes.misfit(&x.shape[own[0]], &y.shape[other[0]]);
            self.error(diagnostic);
            return None;
        }
        let operands = vec![x, y];
        let (decision, nodes) = self.meet_for(op, &operands, at)?;
        let turned = [(nodes[0], own[0]), (nodes[1], other[0])].map(|(node, axis)| {
            let last = self.graph.builder.shape(node).len() - 1;
            self.move_axis_to(node, axis, last)
        });
        let shapes = turned.map(|node| self.graph.builder.shape(node).clone());
        let Ok(shape) = shape::broadcast(&shapes[0], &shapes[1]) else {
            self.error(report::places_differ(op, (&operands[0], &shapes[0]), (&operands[1], &shapes[1]), at));
            return None;
        };
        let count = shape.last().cloned();
        self.found(Subject::Product { shown: op.shown(), operands, nodes: nodes.clone(), count, at });
        let before = self.graph.builder.program().nodes.len();
        let node = self.graph.build_guarded(self.settings.checked, |builder| {
            let mut e = Expand(builder);
            let [x, y] = turned.map(|node| {
                let node = e.widen(node);
                e.broadcast(node, &shape)
            });
            let x = conjugated(&mut e, x);
            let labels: Vec<u32> = (0..shape.len() as u32).collect();
            let wanted = labels[..shape.len() - 1].to_vec();
            let left = LabelledArray { node: x, labels: labels.clone() };
            e.contract(left, LabelledArray { node: y, labels }, &wanted).map(|made| made.node)
        })?;
        self.may_wrap(before, op.shown(), at);
        Some(self.made(node, decision, span, None))
    }

    /// Each element of x times all of y, block by block.
    fn kronecker(&mut self, op: &'static Op, x: Operand, y: Operand, span: Span, at: Span) -> Option<Value> {
        let rank = x.shape.len().max(y.shape.len());
        let full = |operand: &Operand| -> Shape {
            let missing = rank - operand.shape.len();
            std::iter::repeat_n(Dim::Const(1), missing).chain(operand.shape.iter().cloned()).collect()
        };
        let (left, right) = (full(&x), full(&y));
        let lengths: Option<Shape> = left.iter().zip(&right).map(|(x, y)| x.multiply(y)).collect();
        let Some(shape) = lengths else {
            self.error(report::open_count(&x, span));
            return None;
        };
        let operands = [x, y];
        let (decision, nodes) = self.meet_for(op, &operands, at)?;
        if !self.extent_fits(&shape, self.graph.builder.dtype(nodes[0]), span) {
            return None;
        }
        let apart = |own: &Shape, first: bool| -> Shape {
            own.iter()
                .flat_map(|dim| if first { [dim.clone(), Dim::Const(1)] } else { [Dim::Const(1), dim.clone()] })
                .collect()
        };
        let before = self.graph.builder.program().nodes.len();
        let node = self.graph.build_guarded(self.settings.checked, |builder| {
            let mut e = Expand(builder);
            let (x, y) = (e.widen(nodes[0]), e.widen(nodes[1]));
            let x = e.view(x, View::Reshape, apart(&left, true));
            let y = e.view(y, View::Reshape, apart(&right, false));
            let both = multiplied(&mut e, x, y);
            e.view(both, View::Reshape, shape)
        });
        self.made_inside((op, op.shown()), &operands, node, before, (span, at));
        Some(self.made(node, decision, span, None))
    }

    /// The product that labels say.
    fn product(&mut self, op: &'static Op, product: Product, span: Span, at: Span) -> Option<Value> {
        self.lengths_agree(op, &product, at)?;
        let Product { operands, written, labels, result } = product;
        let told = operands.iter().zip(written).map(|(operand, shape)| Operand { shape, ..operand.clone() });
        let mut told: Vec<Operand> = told.collect();
        if self.settings.system.rule_of(op.into()).sums_apart {
            told = self.summed_apart(op, told, (&labels, &result), at)?;
        }
        let (decision, nodes) = self.meet_for(op, &told, at)?;
        let summed = |label: &u32| !result.contains(label);
        let shared = labels[0].iter().position(summed);
        let count = shared.map(|axis| operands[0].shape[axis].clone());
        if shared.is_some() {
            let (operands, nodes) = (told, nodes.clone());
            self.found(Subject::Product { shown: op.shown(), operands, nodes, count, at });
        }
        let before = self.graph.builder.program().nodes.len();
        let made =
            self.graph.build_guarded(self.settings.checked, |builder| contracted(builder, &nodes, &labels, &result));
        let Some(node) = made else {
            self.error(report::open_count(&operands[0], span));
            return None;
        };
        let shape = self.graph.builder.shape(node).clone();
        if !self.extent_fits(&shape, self.graph.builder.dtype(node), span) {
            return None;
        }
        match shared {
            Some(_) => self.may_wrap(before, op.shown(), at),
            None => self.made_inside((op, op.shown()), &operands, node, before, (span, at)),
        }
        Some(self.made(node, decision, span, None))
    }

    /// Operands of a product. Those with an axis that they alone have, and that is summed over, are in the dtype of sums.
    fn summed_apart(
        &mut self,
        op: &'static Op,
        operands: Vec<Operand>,
        (labels, result): (&[Vec<u32>], &[u32]),
        at: Span,
    ) -> Option<Vec<Operand>> {
        let mut made = Vec::with_capacity(operands.len());
        for (index, operand) in operands.into_iter().enumerate() {
            let elsewhere = |label: &u32| {
                let mut others = labels.iter().enumerate().filter(|(other, _)| *other != index);
                result.contains(label) || others.any(|(_, it)| it.contains(label))
            };
            if labels[index].iter().all(elsewhere) || operand.elem.kind().is_inexact() {
                made.push(operand);
                continue;
            }
            let (decision, nodes) = self.meet(Class::Sum, op.shown(), std::slice::from_ref(&operand), at)?;
            let dtype = self.settings.harden(decision.compute);
            let value = self.computed_value(nodes[0], dtype.into(), operand.span);
            made.push(Operand { shape: operand.shape, ..self.operand(value, operand.span)? });
        }
        Some(made)
    }

    /// Whether axes with one label have one length. Those that broadcast were made equal before.
    fn lengths_agree(&mut self, op: &'static Op, product: &Product, at: Span) -> Option<()> {
        let mut known: Vec<(u32, usize, usize)> = Vec::new();
        for (index, labels) in product.labels.iter().enumerate() {
            for (axis, &label) in labels.iter().enumerate() {
                let Some(&(_, other, first)) = known.iter().find(|(own, ..)| *own == label) else {
                    known.push((label, index, axis));
                    continue;
                };
                let (left, right) = (&product.operands[other], &product.operands[index]);
                let (x, y) = (&left.shape[first], &right.shape[axis]);
                if x != y {
                    let counted = self.any_counted([&left.shape[..], &right.shape]);
                    let texts = [self.text(left.span), self.text(right.span)];
                    let diagnostic = report::product_lengths(op, (left, first), (right, axis), texts, counted, at);
                    let diagnostic = self.with_names(diagnostic, [x, y]);
                    self.typed.single_axes.misfit(x, y);
                    self.error(diagnostic);
                    return None;
                }
            }
        }
        Some(())
    }

    /// `"ij,jk->ik"` and the operands.
    fn subscripts(
        &mut self,
        op: &'static Op,
        spec: &Value,
        mut operands: Vec<Operand>,
        spec_at: Span,
        at: Span,
    ) -> Option<Product> {
        let Value::Str(text) = spec else {
            let problem = format!("are a text, not {}", spec.describe());
            self.error(report::not_subscripts(&problem, spec_at));
            return None;
        };
        let parsed = parsed_subscripts(text, &operands.iter().map(|operand| operand.shape.len()).collect::<Vec<_>>());
        let (mut labels, result) = match parsed {
            Ok(parsed) => parsed,
            Err(problem) => {
                self.error(report::not_subscripts(&problem, spec_at));
                return None;
            }
        };
        let written = operands.iter().map(|operand| operand.shape.clone()).collect();
        // Axes that broadcast become equal.
        let mut places = Shape::new();
        let spread = |labels: &[u32]| labels.iter().filter(|label| **label >= SPREAD).count();
        for index in 0..operands.len() {
            let from = labels[index].iter().position(|label| *label >= SPREAD).unwrap_or(0);
            let own = operands[index].shape[from..from + spread(&labels[index])].to_vec();
            match shape::broadcast(&places, &own) {
                Ok(joined) => places = joined,
                Err(_) => {
                    let (x, y) = (operands[0].clone(), operands[index].clone());
                    self.error(report::places_differ(op, (&x, &places), (&y, &own), at));
                    return None;
                }
            }
        }
        for (operand, labels) in operands.iter_mut().zip(&mut labels) {
            let count = spread(labels);
            let Some(from) = labels.iter().position(|label| *label >= SPREAD) else { continue };
            let own = &places[places.len() - count..];
            if operand.shape[from..from + count] != *own {
                let mut wanted = operand.shape.clone();
                wanted[from..from + count].clone_from_slice(own);
                *operand = self.spread_to(operand, wanted)?;
            }
        }
        Some(Product { operands, written, labels, result })
    }
}

impl Product {
    /// Some axes of two operands along each other, the others in the result.
    fn new(x: Operand, y: Operand, own: &[usize], other: &[usize]) -> Product {
        let mut labels = [(0..x.shape.len() as u32).collect::<Vec<u32>>(), Vec::new()];
        let first = x.shape.len() as u32;
        labels[1] = (first..first + y.shape.len() as u32).collect();
        for (&axis, &with) in own.iter().zip(other) {
            labels[1][with] = axis as u32;
        }
        let summed: Vec<u32> = own.iter().map(|&axis| axis as u32).collect();
        let result = labels.concat().into_iter().filter(|label| !summed.contains(label)).collect();
        let written = vec![x.shape.clone(), y.shape.clone()];
        Product { operands: vec![x, y], written, labels: labels.into(), result }
    }
}

fn multiplied(e: &mut Expand, x: NodeId, y: NodeId) -> NodeId {
    if e.dtype(x) == DType::Bool { e.prim(Prim::And, &[x, y]) } else { e.mul(x, y) }
}

fn conjugated(e: &mut Expand, x: NodeId) -> NodeId {
    if !e.dtype(x).is_complex() {
        return x;
    }
    let (re, im) = e.parts(x);
    let im = e.prim(Prim::Neg, &[im]);
    e.pair(re, im)
}

/// The product of all operands, the first two first.
fn contracted(
    builder: &mut crate::ir::build::ProgramBuilder,
    nodes: &[NodeId],
    labels: &[Vec<u32>],
    result: &[u32],
) -> Option<NodeId> {
    let mut e = Expand(builder);
    let mut all = Vec::with_capacity(nodes.len());
    for (&node, labels) in nodes.iter().zip(labels) {
        let node = e.widen(node);
        all.push(distinct(&mut e, LabelledArray { node, labels: labels.clone() })?);
    }
    let mut rest = all.into_iter();
    let mut made = rest.next()?;
    while let Some(next) = rest.next() {
        let later = rest.as_slice().iter().flat_map(|other| &other.labels);
        let wanted: Vec<u32> = result.iter().chain(later).copied().collect();
        made = e.contract(made, next, &wanted)?;
    }
    let made = e.without(made, |label| result.contains(&label));
    Some(e.in_order(&made, result))
}

/// An array whose labels occur once: of equal ones the diagonal.
fn distinct(e: &mut Expand, mut of: LabelledArray) -> Option<LabelledArray> {
    while let Some((first, second)) = (0..of.labels.len())
        .find_map(|at| of.labels[..at].iter().position(|label| *label == of.labels[at]).map(|first| (first, at)))
    {
        let label = of.labels[first];
        let rest: Vec<usize> = (0..of.labels.len()).filter(|axis| ![first, second].contains(axis)).collect();
        let order: Vec<u32> = rest.iter().chain(&[first, second]).map(|&axis| axis as u32).collect();
        let own = e.shape(of.node);
        let shape = order.iter().map(|&axis| own[axis as usize].clone()).collect();
        let node = e.view(of.node, View::Transpose(order), shape);
        let node = e.diagonal(node, (0, 0), own[first].clone())?;
        let labels = rest.into_iter().map(|axis| of.labels[axis]).chain([label]).collect();
        of = LabelledArray { node, labels };
    }
    Some(of)
}
