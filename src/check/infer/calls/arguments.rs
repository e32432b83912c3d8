//! Arguments of builtins: each is what the role of its parameter says.

use crate::check::infer::Ctx;
use crate::check::infer::operations::apply::Application;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::ir::{Fault, NodeId};
use crate::ops::{self, Form, Op, Param, Role};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Shape};
use num_traits::ToPrimitive;

/// The value given for a parameter, with its place.
pub(in crate::check) type GivenValue = Option<(Value, Span)>;

impl Ctx<'_> {
    pub(in crate::check) fn call_builtin(
        &mut self,
        op: &'static Op,
        mut given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        if given.iter().flatten().any(|(value, _)| matches!(value, Value::Error)) || !self.mean_given(op, &mut given) {
            return Value::Error;
        }
        if let Some(ways) = self.written_options(op, &given) {
            return self.call_written((op, ways), given, span, at);
        }
        match op.form {
            Form::Make(make) => self.make(op, make, given, span, at),
            Form::Layout(layout) => self.layout(op, layout, given, span, at),
            Form::Lines(lines) => self.call_lines(op, &lines, given, span, at),
            Form::Places(places) => self.call_places(op, places, given, span, at),
            Form::Load(cells) => self.load(cells, given, span),
            Form::Fold(_) => self.call_reduction(op, given, span, at),
            Form::Scan(fold) => self.call_scan(op, fold, given, span, at),
            Form::Question(question) => self.answer((op, question), given, span, at),
            Form::Written(ways) => self.call_written((op, ways), given, span, at),
            Form::Matrices(matrices) => self.call_matrices(op, matrices, given, span, at),
            Form::Spectrum(spectrum) => self.call_spectrum(op, spectrum, given, span, at),
            Form::Random(draw) => self.call_random(op, draw, given, span, at),
            Form::Cast(cast) => self.cast_to_given(op, cast, given, span),
            Form::Map(_) | Form::Tuned(_) | Form::Kept(_) | Form::Compare(_) | Form::Scaled(_) => {
                let (mut conditions, mut operands, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
                let mut named: Option<&str> = None;
                for (param, given) in op.params.iter().zip(given) {
                    if matches!(param.role, Role::Number | Role::Whole) {
                        let whole = match (&given, param.role) {
                            (Some((value, at)), Role::Whole) => {
                                self.whole(value, *at, &format!("`{}`", param.name)).is_some()
                            }
                            _ => true,
                        };
                        if !whole {
                            return Value::Error;
                        }
                        let Some(number) = self.number_given(param, given) else { return Value::Error };
                        numbers.push(number);
                        continue;
                    }
                    let given =
                        given.filter(|(value, _)| !matches!((value, param.role), (Value::None, Role::Optional(_))));
                    if let (None, Role::Optional(instead)) = (&given, param.role) {
                        // Without any of them nothing happens to the first operand.
                        named = Some(if named.is_some() { "positive" } else { instead });
                        continue;
                    }
                    let Some((value, value_span)) = given else { continue };
                    let Some(operand) = self.operand(value, value_span) else { return Value::Error };
                    if param.role != Role::Condition {
                        operands.push(operand);
                    } else if operand.elem == Elem::Strong(DType::Bool) {
                        conditions.push(operand);
                    } else {
                        let text = self.text(operand.span).to_owned();
                        return self.error(report::condition_not_bool(op, &operand, &text));
                    }
                }
                // What is left is another operation, whose promotion is that of what was written.
                let (called, op) = (op, named.and_then(ops::by_name).unwrap_or(op));
                let system = self.settings.system;
                let asked = Application { system, op, called, span, at, weak: None, is_call: true };
                self.apply_to(asked, &conditions, operands, &numbers)
            }
        }
    }

    pub(in crate::check) fn flag(&mut self, param: &Param, value: Value, span: Span) -> Option<bool> {
        if let Value::Computed(computed) = &value
            && computed.elem == Elem::Strong(DType::Bool)
            && let Some(scalar) = self.now(computed.node)
        {
            return Some(scalar.bits != 0);
        }
        self.error(report::not_a_flag(param.name, &value, span));
        None
    }

    /// A real number that is known now: the argument, or the default as the row writes it.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is refused below")]
    pub(in crate::check) fn number_given(&mut self, param: &Param, given: GivenValue) -> Option<f64> {
        let Some((value, span)) = given.filter(|(value, _)| !matches!(value, Value::None)) else {
            // What is not there is without end.
            let default = param.default.and_then(|text| text.replace("None", "inf").parse().ok());
            return Some(default.expect("arguments without a default are required"));
        };
        let found = match &value {
            Value::Const(Const::Complex(..)) => None,
            Value::Const(value) => Some(value.parts().0),
            Value::Computed(computed) => self
                .now(computed.node)
                .filter(|scalar| !scalar.dtype.is_complex())
                .map(|scalar| crate::scalar::eval::eval(Prim::Convert, DType::F64, &[scalar]))
                .map(|scalar| f64::from_bits(scalar.bits as u64)),
            _ => None,
        };
        if found.is_none() {
            self.error(report::not_a_known_number(param.name, span));
        }
        found
    }

    /// A whole number that is known now.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value is a whole number")]
    pub(in crate::check) fn whole(&mut self, value: &Value, span: Span, what: &str) -> Option<i64> {
        let found = match value {
            Value::Const(Const::Int(value)) => {
                let found = value.to_i64();
                if found.is_none() {
                    self.error(report::whole_too_large(what, value, span));
                }
                return found;
            }
            Value::Dim(Dim::Const(size)) => i64::try_from(*size).ok(),
            Value::Computed(computed) => self
                .now(computed.node)
                .filter(|scalar| scalar.dtype.is_integer())
                .map(|scalar| crate::scalar::eval::eval(Prim::Convert, DType::I64, &[scalar]))
                .map(|scalar| scalar.bits as u64 as i64),
            Value::Error => return None,
            Value::Str(word) => {
                let found = report::not_a_whole_number(what, span);
                let is_axis = what == "an axis";
                self.error(if is_axis { report::with_axis_number(found, word, span) } else { found });
                return None;
            }
            Value::Dim(dim) => {
                let diagnostic = report::symbolic_dimension(what, dim, span);
                let diagnostic = self.with_names(diagnostic, [dim]);
                self.error(diagnostic);
                return None;
            }
            _ => None,
        };
        if found.is_none() {
            self.error(match self.computed_integer(value) {
                Some(_) => report::whole_of_data(what, span),
                None => report::not_a_whole_number(what, span),
            });
        }
        found
    }

    /// A scalar integer that only the run knows.
    pub(in crate::check) fn computed_integer(&self, value: &Value) -> Option<NodeId> {
        let Value::Computed(computed) = value else { return None };
        let integer = computed.elem.kind().is_integer();
        let scalar = self.graph.builder.shape(computed.node).is_empty();
        (integer && scalar && self.form(value).is_none()).then_some(computed.node)
    }

    /// A size that data decides: a dimension of its own. One below 0 is refused when the program runs.
    fn counted_size(&mut self, node: NodeId, span: Span) -> Dim {
        let size = self.long_bound(node);
        let size = self.straight(size);
        let count = self.steps_within(size, 1);
        if count != size {
            let below = self.graph.builder.map(Prim::Lt, &[size, count]);
            let text = "{value} is no size: it is below 0";
            self.graph.refuse(below, Fault::Refused { text, value: size }, span);
        }
        self.counted_length(count, span)
    }

    /// A size, or a tuple of sizes.
    pub(in crate::check) fn shape_given(&mut self, value: Value, span: Span) -> Option<Shape> {
        let mut shape = Shape::new();
        for item in value.items() {
            shape.push(self.size_given(item, span)?);
        }
        Some(shape)
    }

    /// One size.
    pub(in crate::check) fn size_given(&mut self, value: Value, span: Span) -> Option<Dim> {
        if let Value::Dim(dim) = value {
            return Some(self.size_within_counts(dim));
        }
        if let Some(node) = self.computed_integer(&value) {
            return Some(self.counted_size(node, span));
        }
        let size = self.whole(&value, span, "a size")?;
        let found = u64::try_from(size).ok().map(Dim::Const);
        if found.is_none() {
            self.error(report::negative_size(size, span));
        }
        found
    }
}
