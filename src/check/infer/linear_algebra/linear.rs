//! Matrices as operands. They lie along axes, and some of their sides must go together.

use crate::check::infer::Ctx;
use crate::check::infer::along_axes::line_axes::LineAxes;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::routine::Routine;
use crate::ir::{Fault, NodeId, NodeKind, View};
use crate::ops::lines::{LineCall, MatrixShape};
use crate::ops::{self, NORM_ORDERS, NORM_WORDS, Op};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{Dim, Shape, shape};

impl Ctx<'_> {
    /// Operands whose last two axes are matrices.
    pub(in crate::check::infer) fn matrices_given(
        &mut self,
        op: &'static Op,
        wanted: MatrixShape,
        operands: &[Operand],
        nodes: Vec<NodeId>,
        asked: &mut LineCall,
        at: Span,
    ) -> Option<LineAxes> {
        let first = &operands[0];
        let [before @ .., rows, columns] = first.shape.as_slice() else {
            let wanted = if wanted == MatrixShape::Any { "a matrix" } else { "a square matrix" };
            self.error(report::too_few_axes(op, first, wanted, at));
            return None;
        };
        if wanted != MatrixShape::Any && rows != columns {
            self.error(report::not_square(op, first, at));
            return None;
        }
        let mut nodes: Vec<NodeId> = nodes.into_iter().map(|node| self.graph.expand().widen(node)).collect();
        let mut axes = Vec::new();
        if wanted == MatrixShape::System {
            let right = &operands[1];
            let (own, others) = match right.shape.as_slice() {
                [] => {
                    self.error(report::too_few_axes(op, right, "a vector or a matrix on the right", at));
                    return None;
                }
                [only] => (vec![only.clone(), Dim::Const(1)], Vec::new()),
                [others @ .., rows, columns] => (vec![rows.clone(), columns.clone()], others.to_vec()),
            };
            if own[0] != *rows {
                self.error(report::sides_differ(op, first, right, at));
                return None;
            }
            let Ok(places) = shape::broadcast(before, &others) else {
                self.error(report::places_differ(op, (first, &before.to_vec()), (right, &others), at));
                return None;
            };
            let left: Shape = places.iter().cloned().chain([rows.clone(), columns.clone()]).collect();
            let wide: Shape = places.iter().cloned().chain(own.clone()).collect();
            let dtype = self.graph.builder.dtype(nodes[0]);
            if !self.extent_fits(&left, dtype, at) || !self.extent_fits(&wide, dtype, at) {
                return None;
            }
            let e = &mut self.graph.builder;
            let b = if right.shape.len() == 1 { e.view(nodes[1], View::Reshape, own) } else { nodes[1] };
            nodes = vec![e.broadcast(nodes[0], &left), e.broadcast(b, &wide)];
            if right.shape.len() == 1 {
                axes = vec![places.len() + 1];
            }
        }
        asked.operands.args = nodes;
        Some(LineAxes { others: Shape::new(), axes })
    }

    /// The operand of a norm, with the vectors along its last axis or the matrices along its last two.
    pub(in crate::check::infer) fn norms_given(
        &mut self,
        op: &'static Op,
        (operand, node): (&Operand, NodeId),
        axes: Option<(Vec<i64>, Span)>,
        asked: &mut LineCall,
        span: Span,
        at: Span,
    ) -> Option<LineAxes> {
        let axes = match axes {
            Some((list, axes_at)) => Some(self.several_axes(operand, &list, axes_at)?),
            None => None,
        };
        let plain = asked.options.words.is_empty() && asked.options.numbers.is_empty();
        let rank = operand.shape.len();
        let is_matrix = match &axes {
            Some(axes) if plain || axes.len() == 1 => axes.len() == 2,
            None if plain || rank == 1 => false,
            Some(axes) if axes.len() == 2 => true,
            None if rank == 2 => true,
            _ => {
                self.error(report::too_few_axes(op, operand, "an `axis`, or two, for an `ord`", at));
                return None;
            }
        };
        let bad = match asked.options.numbers.first() {
            Some(order) => is_matrix && !NORM_ORDERS.contains(order),
            None => !is_matrix && !asked.options.words.is_empty(),
        };
        if bad {
            self.error(report::not_a_norm(is_matrix, at));
            return None;
        }
        let node = self.graph.expand().widen(node);
        asked.options.flags.push(is_matrix);
        let own = axes.unwrap_or_else(|| (0..rank).collect());
        if let Some(&order) = asked.options.numbers.first().filter(|order| order.is_infinite() || is_matrix) {
            // The extreme is one of columns, of rows, or of singular values.
            let over = match (is_matrix, order.abs()) {
                (true, 1.0) => &own[1..],
                (true, f64::INFINITY) => &own[..1],
                _ => &own[..],
            };
            if let Some(&axis) = over.iter().find(|&&axis| order < 0.0 && operand.shape[axis] == Dim::Const(0)) {
                self.error(report::empty_reduction(op, axis, operand, at));
                return None;
            }
            if order < 0.0 {
                self.refuse_nothing(op, operand, over, at);
            }
        }
        if !is_matrix {
            let mut sorted = own;
            sorted.sort_unstable();
            let (node, moved) = self.lines_along(operand, node, Some(sorted), span)?;
            asked.operands.args = vec![node];
            return Some(moved);
        }
        let others: Vec<usize> = (0..rank).filter(|axis| !own.contains(axis)).collect();
        let order: Vec<u32> = others.iter().chain(&own).map(|&axis| axis as u32).collect();
        let turned: Shape = order.iter().map(|&axis| operand.shape[axis as usize].clone()).collect();
        asked.operands.args = vec![self.graph.builder.view(node, View::Transpose(order), turned)];
        let mut sorted = own;
        sorted.sort_unstable();
        Some(LineAxes { others: others.iter().map(|&axis| operand.shape[axis].clone()).collect(), axes: sorted })
    }

    /// Which norm: a number, or a word.
    pub(in crate::check) fn norm_order(
        &mut self,
        param: &'static ops::Param,
        given: GivenValue,
        asked: &mut LineCall,
    ) -> Option<()> {
        match given {
            None | Some((Value::None, _)) => {}
            Some((Value::Str(text), at)) => {
                let Some(place) = NORM_WORDS.iter().position(|known| *known == &*text) else {
                    self.error(report::not_a_word(param.name, &format!("\"{text}\""), NORM_WORDS, at));
                    return None;
                };
                asked.options.words.push(place);
            }
            given => {
                let order = self.number_given(param, given)?;
                asked.options.numbers.push(order);
            }
        }
        Some(())
    }

    /// `linalg.multi_dot((a, b, c))`
    pub(in crate::check::infer) fn chain(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let (value, list_at) = given.into_iter().next()??;
        let mut operands = self.arrays_given(op, value, list_at)?.into_iter();
        let mut product = operands.next()?;
        let Some(second) = operands.next() else {
            self.error(report::too_few_axes(op, &product, "two matrices or more", at));
            return None;
        };
        let mut made = self.matrix_product(op, [product, second], span, at);
        for next in operands {
            product = self.operand(made, span)?;
            made = self.matrix_product(op, [product, next], span, at);
        }
        Some(made)
    }

    /// `linalg.matrix_power(x, n)`
    pub(super) fn matrix_power(
        &mut self,
        op: &'static Op,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let [x, n] = <[GivenValue; 2]>::try_from(given).ok()?;
        let ((mut value, x_at), (n, n_at)) = (x?, n?);
        let n = self.whole(&n, n_at, "`n`")?;
        if n < 0 {
            value = self.call_builtin(ops::by_name("linalg.inv")?, vec![Some((value, x_at))], span, at);
        }
        let mut square = self.operand(value, x_at)?;
        match square.shape.as_slice() {
            [.., rows, columns] if rows == columns => {}
            [.., _, _] => {
                self.error(report::not_square(op, &square, at));
                return None;
            }
            _ => {
                self.error(report::too_few_axes(op, &square, "a square matrix", at));
                return None;
            }
        }
        let mut made: Option<Operand> = None;
        let mut left = n.unsigned_abs();
        if left == 0 {
            return self.identity(&square);
        }
        while left > 0 {
            if left % 2 == 1 {
                made = Some(match made {
                    None => square.clone(),
                    Some(made) => {
                        let product = self.matrix_product(op, [made, square.clone()], span, at);
                        self.operand(product, span)?
                    }
                });
            }
            left /= 2;
            if left > 0 {
                let product = self.matrix_product(op, [square.clone(), square], span, at);
                square = self.operand(product, span)?;
            }
        }
        let made = made?;
        let node = self.node(&made)?;
        Some(Self::view_of(&made, node))
    }

    /// 1 where the row and the column are one, in the dtype and the shape of an operand.
    fn identity(&mut self, like: &Operand) -> Option<Value> {
        let node = self.node(like)?;
        let dtype = self.graph.builder.dtype(node);
        let rank = like.shape.len();
        let mut e = self.graph.expand();
        let (row, column) = (e.0.iota(rank - 2, like.shape.clone()), e.0.iota(rank - 1, like.shape.clone()));
        let same = e.prim(Prim::Eq, &[row, column]);
        let made = e.convert(same, dtype);
        Some(self.computed_value(made, like.elem, like.span))
    }

    /// Says what the nodes from a place on need: a library, and matrices that have an answer.
    pub(in crate::check) fn ask_of_matrices(&mut self, op: &'static Op, before: usize, asked: &LineCall, at: Span) {
        let made = self.graph.builder.program().nodes.get(before..).unwrap_or_default();
        let feature = made.iter().find_map(|node| {
            let NodeKind::Routine { routine: Routine::Library(function), .. } = &node.kind else { return None };
            Some(function.row().feature)
        });
        if let Some(feature) = feature {
            self.ask_for(op, feature, at);
        }
        if let Some((unfit, is)) = asked.results.unfit {
            self.graph.refuse(unfit, Fault::Unfit { function: op.name, is }, at);
        }
    }
}
