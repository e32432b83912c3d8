//! The walk over expressions: every expression has a value, whatever is wrong with it.

use super::Ctx;
use super::found::facts::{Chain, Fact, Subject};
use super::state::env::{Env, SessionValue, result_number};
use super::values::literal;
use super::values::operand::{Operand, OperandForm};
use super::values::value::{NodeValue, Value};
use crate::check::{RESULT, report};
use crate::constant::Const;
use crate::diagnostic::suggest;
use crate::ir::NodeId;
use crate::ops::{self, Form, Notation};
use crate::promotion::Class;
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind};
use crate::types::{DType, Dim, Elem, shape};
use std::str::FromStr;

/// How many values a tuple may hold, those of tuples in it included.
pub const MAX_TUPLE: usize = 4096;

impl Ctx<'_> {
    /// The value of an expression.
    pub(in crate::check) fn infer(&mut self, id: ExprId) -> Value {
        self.calls.depth.enter();
        let value = self.value_of(id);
        let span = self.frame.script.expr(id).span;
        let value = self.present(value, span);
        let value = self.countable(value, span);
        self.note_error(&value, span);
        self.calls.depth.leave();
        self.note_type(id, &value);
        value
    }

    /// A value whose elements can be counted: operands may be repeated to a shape that no array can have.
    fn countable(&mut self, value: Value, span: Span) -> Value {
        let Value::Computed(computed) = &value else { return value };
        let shape = self.graph.builder.shape(computed.node);
        let fits = shape.len() < 2 || shape::sizes(shape).is_none_or(|sizes| crate::array::extent(&sizes, 1).is_some());
        if fits {
            return value;
        }
        let (shape, dtype) = (shape.clone(), self.graph.builder.dtype(computed.node));
        self.error(report::too_large(&shape, dtype, span))
    }

    fn value_of(&mut self, id: ExprId) -> Value {
        if self.request.stop.now() {
            return Value::Error;
        }
        let script = self.frame.script;
        let expr = script.expr(id);
        let span = expr.span;
        match &expr.kind {
            ExprKind::Error => Value::Error,
            ExprKind::Int | ExprKind::Float | ExprKind::Imaginary => self.number(span, false),
            ExprKind::Bool(truth) => {
                let node =
                    self.graph.builder.constant(crate::scalar::Scalar { dtype: DType::Bool, bits: (*truth).into() });
                self.computed_value(node, DType::Bool.into(), span)
            }
            ExprKind::None => Value::None,
            ExprKind::Str(text) => Value::Str(text.as_str().into()),
            ExprKind::Name(name) => self.name(name, span),
            ExprKind::Paren(inner) => self.infer(*inner),
            ExprKind::Tuple(items) => self.tuple(items, span),
            ExprKind::Array(items) => {
                let literal = self.array_literal(items, span);
                self.with_default_dtype(literal, span)
            }
            ExprKind::Prefix(op, operand) => self.prefix(*op, *operand, span),
            ExprKind::Infix(..) => self.infix(id),
            ExprKind::Compare(first, rest) => self.comparison(id, *first, rest, span),
            ExprKind::Call(callee, args) => self.call(*callee, args, span),
            ExprKind::Attribute(base, name) => self.attribute(*base, name, span),
            ExprKind::Index(base, index) => self.index(*base, index, span),
            ExprKind::Loop(it) => self.loop_value(it, span),
        }
    }

    /// Several values. Tuples of tuples may share their parts, but what is made of them would not.
    fn tuple(&mut self, items: &[ExprId], span: Span) -> Value {
        let items: Vec<Value> = items.iter().map(|&item| self.infer(item)).collect();
        let mut count = 0;
        let mut left: Vec<&[Value]> = vec![&items];
        while let Some(items) = left.pop() {
            count += items.len();
            if count > MAX_TUPLE {
                return self.error(report::tuple_too_large(MAX_TUPLE, span));
            }
            left.extend(items.iter().filter_map(|item| {
                let Value::Tuple(items) = item else { return None };
                Some(&**items)
            }));
        }
        Value::Tuple(items.into())
    }

    /// The characters that an operand is pointed at by: parentheses around it do not belong to it.
    pub(in crate::check) fn place(&self, id: ExprId) -> Span {
        let mut expr = self.frame.script.expr(id);
        while let ExprKind::Paren(inner) = expr.kind {
            expr = self.frame.script.expr(inner);
        }
        expr.span
    }

    pub(in crate::check) fn computed_value(&self, node: NodeId, elem: Elem, origin: Span) -> Value {
        Value::Computed(NodeValue { node, elem, origin, arms: None })
    }

    fn number(&mut self, span: Span, negative: bool) -> Value {
        let number = literal::number(self.text(span));
        let value = if negative { literal::negative_literal(&number) } else { number.value };
        // A number with a suffix is looked at where it takes that dtype.
        let (part, kept) = match &value {
            Const::Float(decimal) => (decimal.value, number.suffix.is_some()),
            Const::Complex(_, part) => (*part, false),
            Const::Int(_) => (0.0, true),
        };
        if part.is_infinite() {
            return self.error(report::infinite_literal(self.text(span), number.suffix, span));
        }
        if part == 0.0 && !kept && literal::has_nonzero_digit(self.text(span)) {
            return self.error(report::vanishing_literal(self.text(span), span));
        }
        if let Const::Int(value) = &value
            && value.bits() > crate::constant::MAX_BITS
        {
            return self.error(report::constant_too_big(span));
        }
        let Some(dtype) = number.suffix else { return Value::Const(value) };
        if !self.is_storable(dtype, span) {
            return Value::Error;
        }
        match value.fit(dtype) {
            Ok(scalar) => {
                let node = self.graph.builder.constant(scalar);
                self.computed_value(node, dtype.into(), span)
            }
            Err(misfit) => self.error(report::suffix_misfit(&value, misfit, dtype, span)),
        }
    }

    pub(in crate::check) fn name(&mut self, name: &str, span: Span) -> Value {
        if let Some(value) = self.definition(name, span) {
            return self.unless_disproved(name, value);
        }
        if let Ok(dtype) = DType::from_str(name) {
            return Value::DType(dtype);
        }
        if let Some(op) = ops::by_name(name) {
            return Value::Builtin(op);
        }
        if let Some(constant) = ops::constants::find(name) {
            return Value::Const(Const::float(constant.value));
        }
        if let Some(value) = self.foreign_name(name, span) {
            return value;
        }
        if self.frame.script.told.contains(name) || !self.findings.reported.insert(name.to_owned()) {
            return Value::Error;
        }
        if let Some(later) = self.defined_below(name) {
            return self.error(report::defined_later(name, span, later));
        }
        let numbered = self.numbered_results();
        if (name == RESULT || result_number(name).is_some()) && (self.request.usage.results || !numbered.is_empty()) {
            return self.error(report::no_result(name, result_number(name), &numbered, span));
        }
        let outside = self.request.usage.free_names.then_some(self.request.given.offered);
        let near = self.meant(name, |ctx| {
            let offered = outside.unwrap_or_default().iter().cloned();
            ctx.known_values().into_iter().chain(offered).collect()
        });
        let unknown = report::unknown_name(name, near.as_deref(), outside, self.request.usage, span);
        let unknown = report::with_constant(unknown, name);
        self.error(if self.ends_a_quotient(span) { unknown.help(report::COMMENT) } else { unknown })
    }

    /// The known name that was probably meant by an unknown one. Among very many unknown names only the first ones are
    /// worth the search.
    pub(in crate::check) fn meant(&mut self, name: &str, known: impl FnOnce(&Self) -> Vec<String>) -> Option<String> {
        if !self.findings.search() {
            return None;
        }
        let known = known(self);
        suggest::closest(name, known.iter().map(String::as_str)).map(str::to_owned)
    }

    /// Whether a name is all that stands on its line behind `//`, where elsewhere a comment is.
    fn ends_a_quotient(&self, span: Span) -> bool {
        let source = self.request.sources.get(span.source);
        let line = source.line_range(source.line_of(span.start));
        let (start, end) = (span.start as usize, span.end as usize);
        let before = source.text.get(line.start..start).unwrap_or_default().trim_end();
        let behind = source.text.get(end..line.end.max(end)).unwrap_or_default().trim();
        before.ends_with("//") && (behind.is_empty() || behind.starts_with('#'))
    }

    /// The numbers of the results that a session has, ascending.
    fn numbered_results(&self) -> Vec<usize> {
        let stored = self.request.env.into_iter().flat_map(Env::numbered_results);
        let mut numbers: Vec<usize> = stored.map(|(number, _)| number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// What a name stands for that a script defines, its arguments or an earlier input.
    pub(in crate::check) fn definition(&mut self, name: &str, span: Span) -> Option<Value> {
        if let Some(binding) = self.frame.scope.find(name) {
            if binding.doubted {
                return Some(Value::Error);
            }
            let found = binding.value.clone();
            if let Value::Function(closure) = &found
                && !self.calls.inside()
            {
                return Some(self.ready(closure, span));
            }
            if matches!(found, Value::Dim(_) | Value::Tuple(_)) && !self.graph.equal().is_empty() {
                return Some(self.with_equal(&found));
            }
            return Some(found);
        }
        if self.calls.inside() {
            return self.dimension(name);
        }
        self.own_function(name, span).or_else(|| self.visible(name))
    }

    /// What a name stands for in a script, but for its functions that are defined further down.
    pub(in crate::check) fn visible(&mut self, name: &str) -> Option<Value> {
        if let Some(binding) = self.frame.scope.find(name) {
            return Some(binding.value.clone());
        }
        if self.is_library() {
            return self.dimension(name);
        }
        if let Some((stored, defined)) = self.request.env.and_then(|env| env.get(name)) {
            let (stored, defined) = (stored.clone(), *defined);
            let value = self.restore(name, stored, defined);
            match self.request.env.is_some_and(|env| env.is_variable(name)) {
                true => self.frame.scope.define_variable(name, value.clone(), defined),
                false => self.frame.scope.define(name, value.clone(), defined),
            }
            return Some(value);
        }
        self.free_name(name).or_else(|| self.dimension(name)).or_else(|| {
            // The length of something else that is given for the expression.
            let owner = self.unused_with_dimension(name)?;
            self.free_name(owner)?;
            self.dimension(name)
        })
    }

    /// A value with the dimensions that are equal by now.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value stays")]
    pub(super) fn with_equal(&self, value: &Value) -> Value {
        match value {
            Value::Dim(dim) => Value::Dim(self.graph.equal().of(dim)),
            Value::Tuple(items) => Value::Tuple(items.iter().map(|item| self.with_equal(item)).collect()),
            value => value.clone(),
        }
    }

    fn dimension(&mut self, name: &str) -> Option<Value> {
        let (size, _) = self.frame.dims.get(name)?;
        let dim = self.graph.equal().of(&size.clone().unwrap_or_else(|| Dim::name(name)));
        self.graph.builder.note_read(None, std::slice::from_ref(&dim));
        Some(Value::Dim(dim))
    }

    /// The values that could be meant by a name: functions are called.
    fn known_values(&self) -> Vec<String> {
        let own = self.frame.scope.names().chain(self.calls.outside.names()).map(str::to_owned);
        let dims = self.frame.dims.keys().cloned();
        // Nobody means the number of a result by a mistyped word.
        let stored = self.request.env.into_iter().flat_map(|env| env.names());
        let stored = stored.filter(|name| name.contains(char::is_alphabetic)).map(str::to_owned);
        let dtypes = DType::ALL.into_iter().map(|dtype| dtype.name().to_owned());
        let mut names: Vec<String> = own.chain(dims).chain(stored).chain(dtypes).collect();
        names.sort_unstable();
        names
    }

    /// A value that the session keeps, as part of this program.
    pub(in crate::check) fn restore(&mut self, name: &str, stored: SessionValue, defined: Span) -> Value {
        match stored {
            SessionValue::Const(value) => Value::Const(value),
            SessionValue::Other(value) => value,
            SessionValue::Function(closure) => Value::Function(self.restore_function(&closure, defined)),
            SessionValue::Tuple(items) => {
                Value::Tuple(items.into_iter().map(|item| self.restore(name, item, defined)).collect())
            }
            SessionValue::Array(array, elem, origin) => {
                let shape: Vec<Dim> = array.shape().iter().map(|&size| Dim::Const(size as u64)).collect();
                let node = match array.shape() {
                    [] => self.graph.builder.constant(array.get(0)),
                    _ => {
                        let node = self.graph.builder.input(name, defined, array.dtype(), shape);
                        self.graph.builder.bind(node, array);
                        node
                    }
                };
                self.computed_value(node, elem, origin)
            }
        }
    }

    /// An expression whose dtype something around it decides: an array literal stays open in every system, and
    /// a file that is not there.
    #[expect(clippy::wildcard_enum_match_arm, reason = "nothing around another expression decides its dtype")]
    pub(in crate::check) fn infer_open(&mut self, id: ExprId) -> Value {
        let expr = self.frame.script.expr(id);
        match &expr.kind {
            ExprKind::Array(items) => {
                let value = self.array_literal(items, expr.span);
                self.note_error(&value, expr.span);
                self.note_type(id, &value);
                value
            }
            ExprKind::Call(..) => {
                let value = self.value_of(id);
                let value = self.countable(value, expr.span);
                self.note_error(&value, expr.span);
                self.note_type(id, &value);
                value
            }
            _ => self.infer(id),
        }
    }

    fn prefix(&mut self, op: crate::syntax::ast::Operator, operand: ExprId, span: Span) -> Value {
        let inner = self.frame.script.expr(operand);
        let inner_span = self.place(operand);
        let is_number = matches!(inner.kind, ExprKind::Int | ExprKind::Float | ExprKind::Imaginary);
        if op.notation == "-" && is_number {
            return self.number(inner.span, true);
        }
        let value = self.infer(operand);
        if op.notation == "-"
            && let Some(size) = self.size_arithmetic("-", &Value::Const(Const::Int(0.into())), &value)
        {
            return size;
        }
        let row = Self::operator(Notation::Prefix(op.notation));
        let Some(operand) = self.operand(value, inner_span) else { return Value::Error };
        self.apply_operator(row, vec![operand], span, op.span)
    }

    /// A chain of binary operators, from the left; chains may be longer than the stack is deep.
    fn infix(&mut self, id: ExprId) -> Value {
        let script = self.frame.script;
        let mut spine = Vec::new();
        let mut first = id;
        while let ExprKind::Infix(op, left, right) = &script.expr(first).kind {
            spine.push((first, *op, *right, script.expr(first).span));
            first = *left;
        }
        let mut value = self.infer(first);
        let mut left_span = self.place(first);
        for (whole, op, right, span) in spine.into_iter().rev() {
            let mut right_value = self.infer(right);
            let right_span = self.place(right);
            // `day - "2026-01-01"`
            if matches!((&value, &right_value), (Value::Str(_), _) | (_, Value::Str(_)))
                && Self::operator(Notation::Infix(op.notation)).class == Class::Subtraction
            {
                let mut pair = [(value, left_span), (right_value, right_span)];
                self.mean_texts(&mut pair, &[op.notation]);
                [value, right_value] = pair.map(|(value, _)| value);
            }
            let size = self.size_arithmetic(op.notation, &value, &right_value);
            let (left, right) = match size {
                Some(_) => (None, None),
                None => (self.operand(value, left_span), self.operand(right_value, right_span)),
            };
            value = match (left, right) {
                (Some(left), Some(right)) => {
                    let row = Self::operator(Notation::Infix(op.notation));
                    if let Form::Matrices(_) = row.form {
                        self.matrix_product(row, [left, right], span, op.span)
                    } else {
                        self.apply_operator(row, vec![left, right], span, op.span)
                    }
                }
                _ => size.unwrap_or(Value::Error),
            };
            if whole != id {
                self.note_type(whole, &value);
            }
            left_span = span;
        }
        value
    }

    /// `0 <= x < 1`: each neighbouring pair compares, and all must hold.
    fn comparison(
        &mut self,
        id: ExprId,
        first: ExprId,
        rest: &[(crate::syntax::ast::Operator, ExprId)],
        span: Span,
    ) -> Value {
        let mut values = Vec::with_capacity(rest.len() + 1);
        for id in std::iter::once(first).chain(rest.iter().map(|&(_, id)| id)) {
            values.push((self.infer(id), self.place(id)));
        }
        let broken = values.iter().any(|(value, _)| matches!(value, Value::Error));
        let elem = |(value, _): &(Value, Span)| {
            let Value::Computed(computed) = value else { return None };
            Some(computed.elem)
        };
        let elems = if broken { Vec::new() } else { values.iter().map(elem).collect() };
        let at = self.typed.facts.len();
        self.found(Subject::Chain(Chain { id, span, elems, facts: 0 }));
        let value = self.compare(values, rest, span);
        let facts = self.typed.facts.len() - at - 1;
        if let Some(Fact { about: Subject::Chain(chain), .. }) = self.typed.facts.get_mut(at) {
            chain.facts = facts;
        }
        value
    }

    /// Values side by side, with the operators between them.
    pub(in crate::check) fn compare(
        &mut self,
        mut values: Vec<(Value, Span)>,
        rest: &[(crate::syntax::ast::Operator, ExprId)],
        span: Span,
    ) -> Value {
        let notations: Vec<&str> = rest.iter().map(|(op, _)| op.notation).collect();
        self.mean_texts(&mut values, &notations);
        if let ([(op, _)], [(left, _), (right, _)]) = (rest, values.as_slice())
            && let Some(truth) = self.compare_known(op.notation, left, right, span)
        {
            return truth;
        }
        // What is not known may be a dtype, or a shape, as what it is compared with.
        let unknown = values.iter().any(|(value, _)| matches!(value, Value::Error));
        let no_array = |value: &Value| matches!(value, Value::DType(_) | Value::Str(_) | Value::None | Value::Tuple(_));
        if unknown && values.iter().any(|(value, _)| no_array(value)) {
            return Value::Error;
        }
        let operands: Vec<_> = values.into_iter().map(|(value, at)| self.operand(value, at)).collect();
        let mut all: Option<Operand> = None;
        for (index, (op, _)) in rest.iter().enumerate() {
            let (Some(left), Some(right)) = (operands[index].clone(), operands[index + 1].clone()) else {
                return Value::Error;
            };
            let pair_span = left.span.to(right.span);
            let row = Self::operator(Notation::Infix(op.notation));
            let holds = self.apply_operator(row, vec![left, right], pair_span, op.span);
            let Some(holds) = self.operand(holds, pair_span) else { return Value::Error };
            all = match all {
                None => Some(holds),
                Some(before) => {
                    let and = Self::operator(Notation::Infix("and"));
                    let both = self.apply_operator(and, vec![before, holds], span, op.span);
                    match self.operand(both, span) {
                        Some(both) => Some(both),
                        None => return Value::Error,
                    }
                }
            };
        }
        match all {
            Some(operand) => match operand.form {
                OperandForm::Node(node, _) => self.computed_value(node, operand.elem, span),
                OperandForm::Const(_) | OperandForm::Literal(_) => Value::Error,
            },
            None => Value::Error,
        }
    }
}
