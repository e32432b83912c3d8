//! Calls that rearrange elements: grids, repeated elements, axes that move, arrays taken apart.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::expr::MAX_TUPLE;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::{NodeId, View};
use crate::ops::Op;
use crate::ops::arrange::Arrange;
use crate::source::Span;
use crate::types::{Affine, Dim, Shape, shape};

impl Ctx<'_> {
    /// A row of this kind.
    pub(in crate::check) fn arrange(
        &mut self,
        (op, how): (&'static Op, Arrange),
        given: Vec<GivenValue>,
        span: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let first = given.next().flatten();
        if let Arrange::Grid | Arrange::Together = how {
            let operands = self.several(first?)?;
            return if how == Arrange::Together {
                self.together(&operands, span)
            } else {
                self.grid(op, &operands, given.collect(), span)
            };
        }
        let operand = self.array_given(first)?;
        let rest: Vec<GivenValue> = given.collect();
        match how {
            Arrange::MoveAxis => self.moved(&operand, rest),
            Arrange::Turn => self.turned_by_angles(&operand, rest, span),
            Arrange::Repeat => self.each_repeated(op, &operand, rest, span),
            Arrange::Windows => self.windows(&operand, rest, span),
            Arrange::Tile => self.tiled(&operand, rest, span),
            Arrange::Along => self.laid_along(op, &operand, rest),
            Arrange::AtLeast(axes) => self.at_least(&operand, usize::from(axes)),
            Arrange::Unstack => self.unstacked(&operand, rest, span),
            Arrange::Split(uneven) => self.cut(&operand, rest, uneven),
            Arrange::Grid | Arrange::Together => None,
        }
    }

    /// Arrays that are given one by one.
    fn several(&mut self, (value, span): (Value, Span)) -> Option<Vec<Operand>> {
        let Value::Tuple(items) = value else { return Some(vec![self.operand(value, span)?]) };
        items.iter().map(|item| self.operand(item.clone(), span)).collect()
    }

    /// Whole numbers: one, or several.
    fn wholes(&mut self, given: GivenValue, what: &str) -> Option<(Vec<i64>, Span)> {
        let (value, at) = given?;
        let items = value.items();
        let numbers = items.iter().map(|item| self.whole(item, at, what)).collect::<Option<Vec<i64>>>()?;
        Some((numbers, at))
    }

    /// Axes in the order in which they are given.
    pub(super) fn ordered_axes(&mut self, operand: &Operand, list: &[i64], at: Span) -> Option<Vec<usize>> {
        self.resolve_axes(operand, list, at)?;
        let rank = operand.shape.len() as i64;
        Some(list.iter().map(|axis| axis.rem_euclid(rank) as usize).collect())
    }

    /// One axis. It is the default where none is given.
    pub(super) fn one_axis(&mut self, operand: &Operand, given: GivenValue, default: i64) -> Option<usize> {
        match given {
            None => (!operand.shape.is_empty() || default != 0).then_some(0),
            Some((value, at)) => {
                let axis = self.whole(&value, at, "an axis")?;
                Some(self.ordered_axes(operand, &[axis], at)?[0])
            }
        }
    }

    fn moved(&mut self, operand: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let mut given = given.into_iter();
        let (from, from_at) = self.wholes(given.next().flatten(), "an axis")?;
        let (to, to_at) = self.wholes(given.next().flatten(), "an axis")?;
        if from.len() != to.len() {
            self.error(report::axes_do_not_pair(from.len(), to.len(), to_at));
            return None;
        }
        let from = self.ordered_axes(operand, &from, from_at)?;
        let to = self.ordered_axes(operand, &to, to_at)?;
        let mut order: Vec<usize> = (0..operand.shape.len()).filter(|axis| !from.contains(axis)).collect();
        let mut pairs: Vec<(usize, usize)> = to.into_iter().zip(from).collect();
        pairs.sort_unstable();
        pairs.into_iter().for_each(|(place, axis)| order.insert(place, axis));
        self.permute(operand, order)
    }

    fn turned_by_angles(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let mut given = given.into_iter();
        let turns = match given.next().flatten() {
            None => 1,
            Some((value, at)) => self.whole(&value, at, "`k`")?,
        };
        let (axes, at) = match given.next().flatten() {
            None => (vec![0, 1], span),
            axes => self.wholes(axes, "an axis")?,
        };
        let axes = self.ordered_axes(operand, &axes, at)?;
        let [first, second] = axes[..] else {
            self.error(report::axes_do_not_pair(axes.len(), 2, at));
            return None;
        };
        let mut order: Vec<usize> = (0..operand.shape.len()).collect();
        order.swap(first, second);
        match turns.rem_euclid(4) {
            0 => Some(operand.clone().into_value()),
            1 => {
                let flipped = self.flip_along(operand, &[second])?;
                let flipped = self.operand(flipped, span)?;
                self.permute(&flipped, order)
            }
            2 => self.flip_along(operand, &[first, second]),
            _ => {
                let turned = self.permute(operand, order)?;
                let turned = self.operand(turned, span)?;
                self.flip_along(&turned, &[second])
            }
        }
    }

    /// The node under a shape of the same elements, repeated to a larger one, which is seen as a third.
    pub(super) fn several_times(
        &mut self,
        operand: &Operand,
        [seen, wide, shape]: [Shape; 3],
        span: Span,
    ) -> Option<Value> {
        if !self.extent_fits(&shape, self.settings.harden(operand.elem), span) {
            return None;
        }
        let node = self.node(operand)?;
        let node = self.graph.builder.view(node, View::Reshape, seen);
        let node = self.graph.builder.broadcast(node, &wide);
        let node = self.graph.builder.view(node, View::Reshape, shape);
        Some(Self::view_of(operand, node))
    }

    fn tiled(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let (repetitions, at) = given.into_iter().next().flatten()?;
        let mut counts = self.shape_given(repetitions, at)?;
        let mut own = operand.shape.clone();
        let rank = own.len().max(counts.len());
        let front = |shape: &Shape| vec![Dim::Const(1); rank - shape.len()];
        (counts, own) = ([front(&counts), counts].concat(), [front(&own), own].concat());
        let [mut seen, mut wide, mut shape] = [Shape::new(), Shape::new(), Shape::new()];
        for (count, dim) in counts.into_iter().zip(own) {
            let Some(length) = dim.multiply(&count) else {
                self.error(report::open_count(operand, span));
                return None;
            };
            if count != Dim::Const(1) {
                seen.push(Dim::Const(1));
                wide.push(count);
            }
            seen.push(dim.clone());
            wide.push(dim);
            shape.push(length);
        }
        self.several_times(operand, [seen, wide, shape], span)
    }

    /// Another shape of the same elements.
    fn seen_as(&mut self, operand: &Operand, shape: Shape) -> Option<Value> {
        let node = self.node(operand)?;
        let node = self.graph.builder.view(node, View::Reshape, shape);
        Some(Self::view_of(operand, node))
    }

    fn laid_along(&mut self, op: &'static Op, vector: &Operand, given: Vec<GivenValue>) -> Option<Value> {
        let mut given = given.into_iter();
        let whole = self.array_given(given.next().flatten())?;
        let axis = self.one_axis(&whole, given.next().flatten(), 0)?;
        if vector.shape.len() == whole.shape.len() {
            return Some(vector.clone().into_value());
        }
        let [length] = &vector.shape[..] else {
            self.error(report::not_a_vector(op, op.params[0].name, vector));
            return None;
        };
        let mut shape = vec![Dim::Const(1); whole.shape.len()];
        shape[axis] = length.clone();
        self.seen_as(vector, shape)
    }

    fn at_least(&mut self, operand: &Operand, axes: usize) -> Option<Value> {
        let one = Dim::Const(1);
        let shape = match (&operand.shape[..], axes) {
            (own, axes) if own.len() >= axes => return Some(operand.clone().into_value()),
            ([], axes) => vec![one; axes],
            ([n], 2) => vec![one, n.clone()],
            ([n], _) => vec![one.clone(), n.clone(), one],
            ([n, m], _) => vec![n.clone(), m.clone(), one],
            _ => return None,
        };
        self.seen_as(operand, shape)
    }

    fn together(&mut self, operands: &[Operand], span: Span) -> Option<Value> {
        let mut shape = Shape::new();
        for operand in operands {
            match shape::broadcast(&shape, &operand.shape) {
                Ok(both) => shape = both,
                Err(_) => {
                    let diagnostic = report::not_repeated(operand, &shape, span);
                    let diagnostic = self.with_names(diagnostic, operand.shape.iter().chain(&shape));
                    self.error(diagnostic);
                    return None;
                }
            }
        }
        let all = operands.iter().map(|operand| self.repeated_to(operand, &shape)).collect::<Option<Vec<Value>>>()?;
        Some(Value::Tuple(all.into()))
    }

    fn repeated_to(&mut self, operand: &Operand, shape: &Shape) -> Option<Value> {
        let node: NodeId = self.node(operand)?;
        let node = self.graph.builder.broadcast(node, shape);
        Some(Self::view_of(operand, node))
    }

    fn grid(&mut self, op: &'static Op, vectors: &[Operand], given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let mut given = given.into_iter();
        let crossed = match given.next().flatten() {
            None => true,
            Some((Value::Str(word), _)) if matches!(&*word, "xy" | "ij") => &*word == "xy",
            Some((_, at)) => {
                let found = self.text(at).to_owned();
                self.error(report::not_a_word("indexing", &found, &["xy", "ij"], at));
                return None;
            }
        };
        let sparse = match given.next().flatten() {
            None => false,
            Some((value, at)) => self.flag(&op.params[2], value, at)?,
        };
        let mut places: Vec<usize> = (0..vectors.len()).collect();
        if crossed && vectors.len() > 1 {
            places.swap(0, 1);
        }
        let mut shape = vec![Dim::Const(1); vectors.len()];
        for (vector, &place) in vectors.iter().zip(&places) {
            match &vector.shape[..] {
                [] => {}
                [length] => shape[place] = length.clone(),
                _ => {
                    self.error(report::not_a_vector(op, op.params[0].name, vector));
                    return None;
                }
            }
        }
        let Some(first) = vectors.first() else {
            return Some(Value::Tuple(Vec::new().into()));
        };
        let dtype = self.settings.harden(first.elem);
        if !sparse && !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        let mut all = Vec::with_capacity(vectors.len());
        for (vector, &place) in vectors.iter().zip(&places) {
            let mut own = vec![Dim::Const(1); vectors.len()];
            own[place] = shape[place].clone();
            let seen = self.seen_as(vector, own)?;
            all.push(match sparse {
                true => seen,
                false => {
                    let seen = self.operand(seen, vector.span)?;
                    self.repeated_to(&seen, &shape)?
                }
            });
        }
        Some(Value::Tuple(all.into()))
    }

    /// Some positions of an axis, one after the other.
    fn positions_of(&mut self, operand: &Operand, axis: usize, start: Dim, length: Dim) -> Option<Operand> {
        let node = self.node(operand)?;
        let node = self.part(node, axis, start, length);
        self.operand(Self::view_of(operand, node), operand.span)
    }

    /// The length of an axis, which is known now.
    fn known_length(&mut self, operand: &Operand, axis: usize, at: Span) -> Option<u64> {
        let length = operand.shape[axis].known();
        if length.is_none() {
            let diagnostic = report::symbolic_dimension("a length that is taken apart", &operand.shape[axis], at);
            let diagnostic = self.with_names(diagnostic, [&operand.shape[axis]]);
            self.error(diagnostic.help("slices are parts of any length: `x[:2]`, `x[2:]`"));
        }
        length
    }

    fn unstacked(&mut self, operand: &Operand, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let axis = self.axis_of_parts(operand, given.into_iter().next().flatten(), span)?;
        let length = self.known_length(operand, axis, span)?;
        if length > MAX_TUPLE as u64 {
            self.error(report::tuple_too_large(MAX_TUPLE, span));
            return None;
        }
        let mut shape = operand.shape.clone();
        shape.remove(axis);
        let mut all = Vec::with_capacity(length as usize);
        for start in 0..length {
            let part = self.positions_of(operand, axis, Dim::Const(start), Dim::Const(1))?;
            all.push(self.seen_as(&part, shape.clone())?);
        }
        Some(Value::Tuple(all.into()))
    }

    /// An array as the tuple of its parts along the first axis, for `count` names that stand for them. It is an error
    /// if that axis is known to have another length.
    pub(in crate::check::infer) fn parts_of(&mut self, value: Value, count: usize, pattern: Span, span: Span) -> Value {
        let (Value::Computed(_) | Value::Literal(_)) = value else { return value };
        let Some(operand) = self.operand(value.clone(), span) else { return Value::Error };
        match operand.shape.first().and_then(Dim::known) {
            Some(length) if length == count as u64 => {
                self.unstacked(&operand, Vec::new(), span).unwrap_or(Value::Error)
            }
            Some(length) => {
                let report = report::tuple_count(count, length as usize, pattern, span);
                self.error(report.help("an array is taken apart along its first axis; one name stands for all of it"))
            }
            None => value,
        }
    }

    /// The axis that an array is taken apart along: the first unless one is given.
    fn axis_of_parts(&mut self, operand: &Operand, given: GivenValue, span: Span) -> Option<usize> {
        let (axis, at) = match given {
            None => (0, span),
            Some((value, at)) => (self.whole(&value, at, "an axis")?, at),
        };
        Some(self.ordered_axes(operand, &[axis], at)?[0])
    }

    fn cut(&mut self, operand: &Operand, given: Vec<GivenValue>, uneven: bool) -> Option<Value> {
        let mut given = given.into_iter();
        let (sections, at) = given.next().flatten()?;
        let axis = self.axis_of_parts(operand, given.next().flatten(), operand.span)?;
        let length = &operand.shape[axis];
        let parts = if let Value::Tuple(items) = sections {
            let items = items.iter().map(|item| self.whole(item, at, "a position")).collect::<Option<Vec<i64>>>()?;
            let Some(parts) = length.form().and_then(|length| parts_between(&items, &length)) else {
                self.known_length(operand, axis, at)?;
                return None;
            };
            parts
        } else {
            let count = self.whole(&sections, at, "the number of parts")?;
            if count > MAX_TUPLE as i64 {
                self.error(report::tuple_too_large(MAX_TUPLE, at));
                return None;
            }
            let is_count = count >= 1;
            let parts = length.form().filter(|_| is_count).and_then(|length| equal_parts(count, &length, uneven));
            let Some(parts) = parts else {
                let diagnostic = match length.known() {
                    None if is_count => report::open_parts(operand, axis, count, at),
                    None | Some(_) => report::no_equal_parts(operand, axis, at),
                };
                let diagnostic = self.with_names(diagnostic, [length]);
                self.error(diagnostic);
                return None;
            };
            parts
        };
        let mut all = Vec::with_capacity(parts.len());
        for (start, length) in parts {
            all.push(self.positions_of(operand, axis, start, length)?.into_value());
        }
        Some(Value::Tuple(all.into()))
    }
}

/// Where each part of an axis begins that is cut at these positions, and how long it is; positions below 0 count from
/// the end.
fn parts_between(positions: &[i64], length: &Affine) -> Option<Vec<(Dim, Dim)>> {
    let mut parts = Vec::with_capacity(positions.len() + 1);
    let mut start = Affine::constant(0);
    for &at in positions {
        let own = Affine::constant(at.saturating_abs()).least(length)?;
        let end = if at < 0 { length.plus(&own, -1)? } else { own };
        let count = end.plus(&end.least(&start)?, -1)?;
        parts.push((Dim::of(start)?, Dim::of(count)?));
        start = end;
    }
    let count = length.plus(&start, -1)?;
    parts.push((Dim::of(start)?, Dim::of(count)?));
    Some(parts)
}

/// Where each of some parts of one length begins, and how long it is; if they may be uneven, the first are one longer.
/// Nothing where no form says that they are equal.
fn equal_parts(count: i64, length: &Affine, uneven: bool) -> Option<Vec<(Dim, Dim)>> {
    let divisor = Affine::constant(count);
    let each = length.floor_divide(&divisor)?;
    if !uneven && each.multiply(&divisor)? != *length {
        return None;
    }
    let mut parts = Vec::with_capacity(count as usize);
    let mut start = Affine::constant(0);
    for part in 1..=count {
        let own = match uneven {
            true => length.plus(&Affine::constant(count - part), 1)?.floor_divide(&divisor)?,
            false => each.clone(),
        };
        let end = start.plus(&own, 1)?;
        parts.push((Dim::of(start)?, Dim::of(own)?));
        start = end;
    }
    Some(parts)
}
