//! Arguments that are lists. They are arrays to be joined, or lengths or axes that are written one by one.

use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Diagnostic;
use crate::ops::elsewhere::keyword_in;
use crate::ops::{Cast, Form, Op, Param, Rearrangement, Role};
use crate::source::Span;
use crate::syntax::ast::{ExprId, ExprKind, Name, Script};
use num_traits::ToPrimitive;

impl Ctx<'_> {
    /// The value of an argument. A list of arrays is no array: its items keep their own shapes and dtypes.
    pub(in crate::check) fn argument(
        &mut self,
        function: &Value,
        name: Option<&Name>,
        place: usize,
        id: ExprId,
    ) -> Value {
        let script = self.frame.script;
        let Value::Builtin(op) = function else {
            return match (function, tuple_items(script, id)) {
                // `np.array((1, 2))`
                (Value::Function(closure), Some(items)) if closure.takes_array(name.map(|name| &*name.text), place) => {
                    let span = script.expr(id).span;
                    self.array_literal(items, span)
                }
                (Value::Function(closure), _) if closure.takes_array(name.map(|name| &*name.text), place) => {
                    let value = self.infer_open(id);
                    let span = script.expr(id).span;
                    // `np.array(np.meshgrid(x, y))`
                    if matches!(value, Value::Tuple(_)) && closure.makes_an_array() {
                        self.items_as_array(value, span)
                    } else {
                        self.lengths_as_array(value, span)
                    }
                }
                (Value::Function(_), _) => self.infer_open(id),
                (Value::DType(_), _) if list_items(script, id).is_some() => self.numbers_to_cast(id),
                _ => self.infer(id),
            };
        };
        let param = match name {
            Some(name) => {
                let called = |name: &str| op.params.iter().find(|param| param.name == name);
                called(&name.text).or_else(|| called(keyword_in(op.name, &name.text)))
            }
            None => op.params.get(place),
        };
        match list_items(script, id) {
            Some(_) if matches!(op.form, Form::Layout(Rearrangement::Block)) => {
                let mut spans = Vec::new();
                let value = self.blocks(id, &mut spans);
                self.frame.text_places.listed.insert(script.expr(id).span, spans);
                value
            }
            Some(items) if param.is_some_and(|param| matches!(param.role, Role::Arrays | Role::Fillings)) => {
                let spans = items.iter().map(|&item| self.place(item)).collect();
                self.frame.text_places.listed.insert(script.expr(id).span, spans);
                let values: Vec<Value> = items.iter().map(|&item| self.infer(item)).collect();
                together(values)
            }
            Some(_) if param.is_some_and(|param| takes_lists(param.role)) => self.written_counts(id),
            Some(items) if param.is_some_and(|param| param.role == Role::Operand) && are_texts(script, items) => {
                together(items.iter().map(|&item| self.infer(item)).collect())
            }
            Some(_) if matches!(op.form, Form::Cast(Cast::Plain)) && tuple_items(script, id).is_none() => {
                self.numbers_to_cast(id)
            }
            // The row says whether it is an array.
            _ if param.is_some_and(|param| takes_apart(op, param)) => self.infer(id),
            _ => match tuple_items(script, id) {
                Some(items) if param.is_some_and(|param| takes_tuples(param.role)) => {
                    let span = script.expr(id).span;
                    let literal = self.array_literal(items, span);
                    self.with_default_dtype(literal, span)
                }
                _ if param.is_some_and(|param| takes_tuples(param.role)) => {
                    let value = self.infer(id);
                    let span = script.expr(id).span;
                    match matches!(op.form, Form::Layout(_)) {
                        // `transpose(nonzero(x))`
                        true => self.alike_as_array(value, span),
                        false => self.lengths_as_array(value, span),
                    }
                }
                _ => self.infer(id),
            },
        }
    }

    /// A list that is cast.
    fn numbers_to_cast(&mut self, id: ExprId) -> Value {
        let value = self.infer_open(id);
        self.settled_to_cast(value, self.frame.script.expr(id).span)
    }

    /// Arrays in lists of lists, all of which are tuples; the places of the arrays are taken down.
    fn blocks(&mut self, id: ExprId, spans: &mut Vec<Span>) -> Value {
        let Some(items) = list_items(self.frame.script, id) else {
            spans.push(self.place(id));
            return self.infer(id);
        };
        together(items.iter().map(|&item| self.blocks(item, spans)).collect())
    }

    /// Numbers in lists and tuples, all of which are tuples.
    fn written_counts(&mut self, id: ExprId) -> Value {
        let Some(items) = list_items(self.frame.script, id) else { return self.infer(id) };
        together(items.iter().map(|&item| self.written_counts(item)).collect())
    }

    /// What to say of `zeros(2, 3)`, `sum(x, 0, 1)` and `concat(x, y)`, whose numbers and arrays stand in one list;
    /// `span` is the call.
    pub(in crate::check) fn listed_apart(&self, op: &Op, given: &[(Value, Span)], span: Span) -> Option<Diagnostic> {
        let is_listed = |role: Role| matches!(role, Role::Shape | Role::Arrays | Role::Axes | Role::Counts);
        let place = op.params.iter().position(|param| is_listed(param.role))?;
        let items = given.get(place..)?;
        let rank = |value: &Value| match (value, self.shape_of(value)) {
            (Value::Dim(_), _) => Some(0),
            // A list of arrays is one too.
            (Value::Tuple(_), _) => Some(1),
            (_, shape) => shape.map(|shape| shape.len()),
        };
        let leading = |fits: &dyn Fn(&Value) -> bool| items.iter().take_while(|(value, _)| fits(value)).count();
        let is_number = |value: &Value| rank(value) == Some(0);
        let is_whole = |value: &Value| is_number(value) && is_whole_number(value);
        // What is written in the list is whole, and no other number follows.
        let whole = || {
            let count = leading(&is_whole);
            (leading(&is_number) == count).then_some(count)
        };
        let (param, next) = (&op.params[place], op.params.get(place + 1).map(|next| next.role));
        let (what, count) = match (param.role, next) {
            (Role::Shape, None | Some(Role::DType)) => ("sizes", whole()?),
            // The last number is the value.
            (Role::Shape, Some(Role::Operand)) => {
                let count = leading(&is_number).checked_sub(1)?;
                ("sizes", Some(count).filter(|&count| count <= leading(&is_whole))?)
            }
            (Role::Axes, None | Some(Role::Flag | Role::Keep | Role::DType)) if place == 1 => {
                let count = whole()?;
                ("axes", Some(count).filter(|&count| self.are_axes(&given[0].0, &items[..count]))?)
            }
            (Role::Counts, None) if param.default.is_none() => (param.name, whole()?),
            (Role::Arrays | Role::Fillings, None) => ("arrays", leading(&|value: &Value| rank(value).is_some())),
            (Role::Arrays, Some(Role::Axis | Role::Axes)) => {
                ("arrays", leading(&|value: &Value| rank(value).is_some_and(|rank| rank > 0)))
            }
            _ => return None,
        };
        let all = items.first()?.1.to(items[count.checked_sub(1)?].1);
        let is_here = all.source == span.source && span.start <= all.start && all.end <= span.end;
        let texts = || items[..count].iter().map(|(_, at)| self.text(*at)).collect::<Vec<_>>().join(", ");
        (count > 1 && is_here).then(|| report::side_by_side(op, what, (span, self.text(span)), (all, texts().as_str())))
    }

    /// Whether each of some numbers is another axis of an array.
    fn are_axes(&self, array: &Value, numbers: &[(Value, Span)]) -> bool {
        let Some(shape) = self.shape_of(array) else { return false };
        let rank = shape.len() as i64;
        let mut axes: Vec<i64> = Vec::new();
        for (value, _) in numbers {
            let Value::Const(Const::Int(number)) = value else { return false };
            let Some(axis) = number.to_i64().filter(|axis| (-rank..rank).contains(axis)) else { return false };
            axes.push(axis.rem_euclid(rank));
        }
        axes.sort_unstable();
        axes.windows(2).all(|pair| pair[0] != pair[1])
    }

    /// The arrays of a list.
    pub(in crate::check) fn arrays_given(&mut self, op: &'static Op, value: Value, span: Span) -> Option<Vec<Operand>> {
        let spans = self.frame.text_places.listed.remove(&span).unwrap_or_default();
        let Value::Tuple(items) = value else {
            let text = self.text(span).to_owned();
            self.error(report::arrays_in_a_list(op, &text, span));
            return None;
        };
        if items.is_empty() {
            self.error(report::no_arrays(op, span));
            return None;
        }
        let items = items.iter().enumerate();
        let operands: Option<Vec<Operand>> =
            items.map(|(index, item)| self.operand(item.clone(), *spans.get(index).unwrap_or(&span))).collect();
        operands?.into_iter().map(|operand| self.as_array(operand)).collect()
    }
}

/// Whether a scalar is a whole number.
fn is_whole_number(value: &Value) -> bool {
    let is_computed = |value: &Value| matches!(value, Value::Computed(it) if it.elem.kind().is_integer());
    matches!(value, Value::Const(Const::Int(_)) | Value::Dim(_)) || is_computed(value)
}

/// Values as one, where none is wrong.
fn together(values: Vec<Value>) -> Value {
    match values.iter().any(|value| matches!(value, Value::Error)) {
        true => Value::Error,
        false => Value::Tuple(values.into()),
    }
}

/// Whether all items are strings, and there are any.
fn are_texts(script: &Script, items: &[ExprId]) -> bool {
    !items.is_empty() && items.iter().all(|&item| matches!(script.expr(item).kind, ExprKind::Str(_)))
}

/// Whether a tuple that is written for an argument is an array: nothing else could be meant.
fn takes_tuples(role: Role) -> bool {
    matches!(role, Role::Operand | Role::Optional(_) | Role::Condition | Role::Fractions | Role::Weights)
}

/// Whether a tuple has parts for several axes in some call of a row that is written in the language.
fn takes_apart(op: &Op, param: &Param) -> bool {
    matches!(op.form, Form::Written(ways) if ways.iter().any(|way| way.parts(param.name).is_some()))
}

/// Whether a list that is written for an argument is a tuple: lengths, axes and the like are numbers and no arrays.
fn takes_lists(role: Role) -> bool {
    matches!(role, Role::Counts | Role::Shape | Role::Axes | Role::Order | Role::Sizes | Role::Interval)
}

/// The items of a tuple as it is written, if it has any.
fn tuple_items(script: &Script, id: ExprId) -> Option<&[ExprId]> {
    let ExprKind::Tuple(items) = written(script, id) else { return None };
    (!items.is_empty()).then_some(items.as_slice())
}

/// The items of a list or a tuple as it is written.
fn list_items(script: &Script, id: ExprId) -> Option<&[ExprId]> {
    let (ExprKind::Array(items) | ExprKind::Tuple(items)) = written(script, id) else { return None };
    Some(items)
}

/// An expression without the parentheses around it.
fn written(script: &Script, mut id: ExprId) -> &ExprKind {
    while let ExprKind::Paren(inner) = &script.expr(id).kind {
        id = *inner;
    }
    &script.expr(id).kind
}

/// Lengths and axes that are given one by one, as one tuple: `x.reshape(2, 3)`.
pub(in crate::check) fn gather_list(op: &Op, mut positional: Vec<(Value, Span)>) -> Vec<(Value, Span)> {
    let Some(place) = op.params.iter().position(|param| param.role.is_variadic()) else { return positional };
    if positional.len() > place + 1 {
        let rest = positional.split_off(place);
        let span = rest[0].1.to(rest[rest.len() - 1].1);
        positional.push((Value::Tuple(rest.into_iter().map(|(value, _)| value).collect()), span));
    }
    positional
}
