//! Array literals: `[1, x]`, `[[a, b], [c, d]]`. Their elements, those of lists in lists too, are the operands of one
//! join: where a list ends changes no dtype.

use crate::array::{Array, MAX_RANK};
use crate::check::infer::Ctx;
use crate::check::infer::found::f64_origins::Cause;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{Literal, Value};
use crate::check::report;
use crate::ir::{NodeId, NodeKind};
use crate::promotion::{self, Class, Operation};
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Script};
use crate::types::{DType, Dim, Elem, Shape, shape};
use std::sync::Arc;

/// How elements stand in lists.
enum Nesting {
    /// The next element.
    Element(Shape, Span),
    /// Rows of one shape.
    List(Vec<Nesting>, Span),
}

impl Nesting {
    fn span(&self) -> Span {
        match self {
            Nesting::Element(_, span) | Nesting::List(_, span) => *span,
        }
    }

    fn shape(&self) -> Shape {
        match self {
            Nesting::Element(shape, _) => shape.clone(),
            Nesting::List(rows, _) => {
                let len = Dim::Const(rows.len() as u64);
                std::iter::once(len).chain(rows.first().map(Nesting::shape).unwrap_or_default()).collect()
            }
        }
    }
}

impl Ctx<'_> {
    pub(in crate::check) fn array_literal(&mut self, items: &[ExprId], span: Span) -> Value {
        let mut elements = Vec::with_capacity(items.len());
        let Some(layout) = self.list(items, span, &mut elements) else { return Value::Error };
        let rank = layout.shape().len();
        if rank > MAX_RANK {
            return self.error(report::rank_limit(rank, span));
        }
        match literal(&layout, &elements) {
            Some(literal) => literal,
            None => self.array_of(&layout, &elements, span),
        }
    }

    /// A tuple of lengths, such as `x.shape`, as an array; other values stay.
    pub(in crate::check) fn lengths_as_array(&mut self, value: Value, span: Span) -> Value {
        let Value::Tuple(items) = &value else { return value };
        let are_lengths = items.iter().all(|item| matches!(item, Value::Dim(_) | Value::Const(_)));
        if are_lengths { self.items_as_array(value, span) } else { value }
    }

    /// A tuple of arrays of one dtype, such as `nonzero(x)`, as an array; other values stay.
    pub(in crate::check) fn alike_as_array(&mut self, value: Value, span: Span) -> Value {
        let Value::Tuple(items) = &value else { return value };
        let elem = |item: &Value| match item {
            Value::Computed(item) => Some(item.elem),
            Value::Literal(item) => Some(item.elem),
            Value::Const(_) | Value::Dim(_) => Some(Elem::WeakInt),
            Value::Error
            | Value::Tuple(_)
            | Value::DType(_)
            | Value::None
            | Value::Str(_)
            | Value::Absent(_)
            | Value::Builtin(_)
            | Value::Function(_) => None,
        };
        let first = items.first().and_then(elem);
        let are_alike = first.is_some() && items.iter().all(|item| elem(item) == first);
        if are_alike { self.items_as_array(value, span) } else { value }
    }

    /// A tuple of arrays or numbers of one shape as an array, each item a row; other values stay.
    pub(in crate::check) fn items_as_array(&mut self, value: Value, span: Span) -> Value {
        let Value::Tuple(items) = &value else { return value };
        let shape = |item: &Value| if let Value::Dim(_) = item { Some(Shape::new()) } else { self.shape_of(item) };
        let first = items.first().and_then(shape);
        if first.is_none() || items.iter().any(|item| shape(item) != first) {
            return value;
        }
        let rank = first.map_or(0, |shape| shape.len() + 1);
        if rank > MAX_RANK {
            return self.error(report::rank_limit(rank, span));
        }
        let elements: Option<Vec<Operand>> = items.iter().map(|item| self.operand(item.clone(), span)).collect();
        let Some(elements) = elements else { return Value::Error };
        let rows = elements.iter().map(|element| Nesting::Element(element.shape.clone(), span)).collect();
        self.array_of(&Nesting::List(rows, span), &elements, span)
    }

    /// A tuple of numbers as an array; other values stay.
    pub(in crate::check) fn numbers_as_array(&mut self, value: Value, span: Span) -> Value {
        let Value::Tuple(items) = &value else { return value };
        let elements: Option<Vec<Operand>> = items.iter().map(|item| self.operand(item.clone(), span)).collect();
        let Some(elements) = elements else { return Value::Error };
        if elements.is_empty() || elements.iter().any(|element| !element.shape.is_empty()) {
            return value;
        }
        let rows = elements.iter().map(|element| Nesting::Element(element.shape.clone(), span)).collect();
        let layout = Nesting::List(rows, span);
        let array = literal(&layout, &elements).unwrap_or_else(|| self.array_of(&layout, &elements, span));
        self.with_default_dtype(array, span)
    }

    /// An array literal on its own has the default dtype in systems where it is not weak.
    pub(in crate::check) fn with_default_dtype(&mut self, value: Value, span: Span) -> Value {
        let Value::Literal(literal) = &value else { return value };
        let dtype = self.settings.harden(literal.elem);
        self.settled_in(dtype, value, span)
    }

    /// An array literal that is cast: its integers have to fit, as a number does. Its floats are Python's, which have 64
    /// bits, and are rounded as those of any array.
    pub(in crate::check) fn settled_to_cast(&mut self, value: Value, span: Span) -> Value {
        let Value::Literal(literal) = &value else { return value };
        let elem = literal.elem;
        match elem {
            Elem::WeakInt => value,
            Elem::WeakFloat => self.settled_in(DType::F64, value, span),
            Elem::WeakComplex => self.settled_in(DType::C128, value, span),
            Elem::Strong(_) => self.with_default_dtype(value, span),
        }
    }

    /// An array literal in a dtype, in systems where it is not weak.
    fn settled_in(&mut self, dtype: DType, value: Value, span: Span) -> Value {
        if self.settings.system.weak.literals {
            return value;
        }
        let Some(operand) = self.operand(value, span) else { return Value::Error };
        let Some(node) = self.exact(&operand, dtype, None) else { return Value::Error };
        // Its numbers are those of the text, whatever else the dtype holds that nobody named.
        if let Some(values) = self.known_array(node).and_then(|array| crate::range::data::values(&array)) {
            self.graph.ranges.declare(node, crate::range::Range::stated(values));
        }
        self.born(dtype, Cause::Literal, span);
        self.computed_value(node, dtype.into(), span)
    }

    /// The layout of a list, whose elements are added to others; reports rows of different shapes.
    fn list(&mut self, items: &[ExprId], span: Span, elements: &mut Vec<Operand>) -> Option<Nesting> {
        let rows: Vec<Option<Nesting>> = items.iter().map(|&item| self.row(item, elements)).collect();
        self.of_rows(rows.into_iter().collect::<Option<_>>()?, span)
    }

    /// A list of rows, which are of one shape; reports those of another.
    fn of_rows(&mut self, rows: Vec<Nesting>, span: Span) -> Option<Nesting> {
        if let Some(first) = rows.first() {
            let wanted = first.shape();
            if let Some(other) = rows.iter().find(|row| row.shape() != wanted) {
                let diagnostic = report::ragged_array((&wanted, first.span()), (&other.shape(), other.span()));
                self.error(diagnostic);
                return None;
            }
        }
        Some(Nesting::List(rows, span))
    }

    /// One item of a list: a list or an element.
    fn row(&mut self, item: ExprId, elements: &mut Vec<Operand>) -> Option<Nesting> {
        let script = self.frame.script;
        let expr = script.expr(item);
        let is_empty_tuple = matches!(&expr.kind, ExprKind::Tuple(items) if items.is_empty());
        if let ExprKind::Array(items) | ExprKind::Tuple(items) = &expr.kind
            && !is_empty_tuple
        {
            let before = elements.len();
            let layout = self.list(items, expr.span, elements)?;
            if let Some(literal) = literal(&layout, &elements[before..]) {
                self.note_type(item, &literal);
            }
            return Some(layout);
        }
        let value = self.infer_open(item);
        // The parts of a tuple, such as `nonzero(x)`, are rows as those of a list are.
        if let Value::Tuple(parts) = &value
            && !parts.is_empty()
        {
            let mut rows = Vec::with_capacity(parts.len());
            for part in parts.iter() {
                rows.push(self.element(part.clone(), expr.span, elements)?);
            }
            return self.of_rows(rows, expr.span);
        }
        self.element(value, expr.span, elements)
    }

    fn element(&mut self, value: Value, span: Span, elements: &mut Vec<Operand>) -> Option<Nesting> {
        let element = self.operand(value, span)?;
        let layout = Nesting::Element(element.shape.clone(), span);
        elements.push(element);
        Some(layout)
    }

    /// An array of elements that have a dtype; when all are known now, so is the array.
    fn array_of(&mut self, layout: &Nesting, elements: &[Operand], span: Span) -> Value {
        // A number with a dtype says that of the numbers beside it, `[1f32, 2]`; so does a cast, `f32([x, 2])`.
        let is_said = elements.iter().all(|it| it.elem.is_weak() || is_number(self.text(it.span)))
            || has_stated_dtype(self.frame.script, span, |span| self.text(span));
        let operation = if is_said { Operation::from(Class::Selection) } else { Operation::LIST };
        let as_in_numpy: Vec<Operand>;
        let elements = if is_said || self.settings.system.weak.literals {
            elements
        } else {
            as_in_numpy = elements.iter().map(unsigned).collect();
            let asked: Vec<promotion::Operand> = as_in_numpy.iter().map(Operand::as_promotion_operand).collect();
            let is_joined = promotion::result(self.settings.system, operation, &asked).is_ok();
            if is_joined { &as_in_numpy } else { elements }
        };
        let Some((decision, nodes)) = self.meet(operation, Operation::LIST.name, elements, span) else {
            return Value::Error;
        };
        let known: Option<Vec<Array>> = nodes.iter().map(|&node| self.known_array(node)).collect();
        let (Some(arrays), Some(shape)) = (known, shape::sizes(&layout.shape())) else {
            let Some(node) = self.rows(layout, &mut nodes.into_iter()) else { return Value::Error };
            return self.made(node, decision, span, None);
        };
        let scalars: Vec<_> = arrays.iter().flat_map(|array| array.scalars().collect::<Vec<_>>()).collect();
        let array = Array::from_scalars(arrays[0].dtype(), &shape, scalars);
        let dtype = array.dtype();
        let node = self.array(array, span);
        self.computed_value(node, dtype.into(), span)
    }

    /// Nodes of the elements, side by side as they stand in lists.
    fn rows(&mut self, layout: &Nesting, nodes: &mut impl Iterator<Item = NodeId>) -> Option<NodeId> {
        match layout {
            Nesting::Element(..) => nodes.next(),
            Nesting::List(rows, span) => {
                let rows: Vec<NodeId> = rows.iter().map(|row| self.rows(row, nodes)).collect::<Option<_>>()?;
                self.side_by_side(&rows, 0, *span)
            }
        }
    }

    /// The value of a node that is known now: a constant or an array literal.
    pub(in crate::check::infer) fn known_array(&self, node: NodeId) -> Option<Array> {
        if let Some(scalar) = self.graph.builder.as_constant(node) {
            return Some(Array::from_scalar(scalar));
        }
        let program = self.graph.builder.program();
        let NodeKind::Input(input) = program.node(node).kind else { return None };
        let input = &program.inputs[input as usize];
        input.value.clone().filter(|_| input.is_literal())
    }
}

/// An element, which counts as u64 beside others where it is a number that no i64 holds.
fn unsigned(element: &Operand) -> Operand {
    let is_beyond =
        element.constant().is_some_and(|value| value.fit(DType::I64).is_err() && value.fit(DType::U64).is_ok());
    let is_beyond = is_beyond && element.elem == Elem::WeakInt;
    Operand { elem: if is_beyond { DType::U64.into() } else { element.elem }, ..element.clone() }
}

/// Whether a text is a number, perhaps with a sign or in parentheses.
fn is_number(text: &str) -> bool {
    let digits = text.trim_matches(['-', '+', '(', ')', ' ']);
    let is_signed = |at: usize| !digits.starts_with("0x") && digits[..at].ends_with(['e', 'E']);
    let is_part = |(at, c): (usize, char)| match c {
        '-' | '+' => is_signed(at),
        _ => c.is_ascii_alphanumeric() || matches!(c, '.' | '_'),
    };
    digits.starts_with(|c: char| c.is_ascii_digit() || c == '.') && digits.char_indices().all(is_part)
}

/// How many expressions are looked at behind a list.
const MAX_SEARCHED_EXPRESSIONS: usize = 16;

/// Whether the call that a list is given to says the dtype: `f32([x, 1.5])`, `np.array([x, 1.5], np.float32)`.
pub(in crate::check) fn has_stated_dtype<'t>(script: &Script, list: Span, text: impl Fn(Span) -> &'t str) -> bool {
    let is_list = |id: ExprId| script.expr(id).span == list;
    let is_dtype = |id: ExprId| {
        let text = text(script.expr(id).span).trim_matches('"');
        text.rsplit('.').next().unwrap_or(text).parse::<DType>().is_ok()
    };
    let behind = script.exprs.partition_point(|expr| expr.span.end < list.end);
    script.exprs[behind..].iter().take(MAX_SEARCHED_EXPRESSIONS).any(|expr| {
        let ExprKind::Call(callee, args) = &expr.kind else { return false };
        let is_method = matches!(script.expr(*callee).kind, ExprKind::Attribute(base, _) if is_list(base));
        let is_given = is_method || args.iter().any(|arg| is_list(arg.value));
        is_given && (is_dtype(*callee) || args.iter().any(|arg| is_dtype(arg.value)))
    })
}

/// A list of exact values is a literal.
fn literal(layout: &Nesting, elements: &[Operand]) -> Option<Value> {
    if !elements.iter().all(Operand::is_exact) {
        return None;
    }
    let elem = elements.iter().map(|element| element.elem).max().unwrap_or(Elem::WeakFloat);
    let consts = elements.iter().flat_map(|element| match &element.form {
        OperandForm::Const(value) => vec![value.clone()],
        OperandForm::Literal(literal) => literal.consts.clone(),
        OperandForm::Node(..) => Vec::new(),
    });
    let consts = consts.collect();
    let shape = shape::sizes(&layout.shape()).unwrap_or_default();
    Some(Value::Literal(Arc::new(Literal { elem, consts, shape })))
}
