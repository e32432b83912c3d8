//! Questions about a dtype, its numbers, or a shape.

use super::arguments::GivenValue;
use crate::array::calendar;
use crate::array::logical::Logical;
use crate::check::infer::Ctx;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::ops::types::Question;
use crate::ops::{self, Form, Op};
use crate::promotion::{self, Class};
use crate::scalar::Scalar;
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprKind};
use crate::types::{DType, Dim, Kind, Shape, shape};

/// The kinds of dtypes, by the names that the array API has for them.
const KINDS: &[(&str, &[Kind])] = &[
    ("bool", &[Kind::Bool]),
    ("signed integer", &[Kind::Signed]),
    ("unsigned integer", &[Kind::Unsigned]),
    ("integral", &[Kind::Signed, Kind::Unsigned]),
    ("real floating", &[Kind::Float]),
    ("complex floating", &[Kind::Complex]),
    ("numeric", &[Kind::Signed, Kind::Unsigned, Kind::Float, Kind::Complex]),
];

/// The values of a list of arguments, and of tuples among them.
fn items(value: Value) -> Vec<Value> {
    if let Value::Tuple(parts) = value { parts.iter().cloned().flat_map(items).collect() } else { vec![value] }
}

impl Ctx<'_> {
    /// A row of this form.
    pub(in crate::check) fn answer(
        &mut self,
        (op, question): (&'static Op, Question),
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let mut given = given.into_iter().flatten();
        let Some((first, first_at)) = given.next() else { return Value::Error };
        let answered = match question {
            Question::Float | Question::Integer => self.number_dtype(op, question, &first, first_at),
            Question::Together => self.common_dtype(items(first), first_at, at).map(Value::DType),
            Question::Holds => given.next().and_then(|(to, to_at)| {
                let to = self.dtype_asked(&to, to_at)?;
                let both = self.common_dtype(vec![first, Value::DType(to)], first_at, at)?;
                Some(self.truth(both == to, span))
            }),
            Question::Kind => given.next().and_then(|(kinds, kinds_at)| {
                let dtype = self.dtype_asked(&first, first_at)?;
                let mut is_it = false;
                for kind in items(kinds) {
                    is_it |= self.is_of_kind(dtype, &kind, kinds_at)?;
                }
                Some(self.truth(is_it, span))
            }),
            Question::Shape => self.common_shape(first, first_at),
            Question::Ticks => self.ticks(op, &first, first_at),
        };
        answered.unwrap_or(Value::Error)
    }

    /// How many units a day has, in which dates or times count.
    fn ticks(&mut self, op: &'static Op, value: &Value, at: Span) -> Option<Value> {
        let dtype = self.operand(value.clone(), at).map(|operand| self.settings.harden(operand.elem))?;
        if !dtype.is_integer() {
            self.error(report::no_date(op, dtype, at));
            return None;
        }
        let times = self.meaning_of(value) == Some(&Logical::Time);
        Some(Value::Const(Const::Int(if times { calendar::DAY } else { 1 }.into())))
    }

    fn truth(&mut self, truth: bool, span: Span) -> Value {
        let node = self.graph.builder.constant(Scalar { dtype: DType::Bool, bits: truth.into() });
        self.computed_value(node, DType::Bool.into(), span)
    }

    fn number_dtype(&mut self, op: &'static Op, question: Question, value: &Value, at: Span) -> Option<Value> {
        let dtype = if let Value::DType(_) | Value::Str(_) = value {
            self.dtype_asked(value, at)?
        } else {
            let operand = self.operand(value.clone(), at)?;
            self.settings.harden(operand.elem)
        };
        let part = dtype.part();
        let fits = match question {
            Question::Float => part.is_float(),
            Question::Integer
            | Question::Together
            | Question::Holds
            | Question::Kind
            | Question::Shape
            | Question::Ticks => dtype.is_integer(),
        };
        if !fits {
            self.error(report::no_numbers_of(op, dtype, at));
            return None;
        }
        Some(Value::DType(part))
    }

    /// A value of a dtype, or the value itself.
    fn typed_operand(&mut self, value: Value, at: Span) -> Option<Operand> {
        let value = if let Value::DType(dtype) = value {
            let zero = self.graph.builder.constant(Scalar { dtype, bits: 0 });
            let node = self.graph.builder.broadcast(zero, &vec![Dim::Const(1)]);
            self.computed_value(node, dtype.into(), at)
        } else {
            value
        };
        self.operand(value, at)
    }

    fn common_dtype(&mut self, values: Vec<Value>, values_at: Span, at: Span) -> Option<DType> {
        let mut operands = Vec::with_capacity(values.len());
        for value in values {
            operands.push(self.typed_operand(value, values_at)?);
        }
        let asked = Operand::all_asked(&operands);
        match promotion::result(self.settings.system, Class::Selection, &asked) {
            Ok(decision) => Some(self.settings.harden(decision.result)),
            Err(refusal) => {
                self.report_refusal(refusal, Class::Selection, "result_type", &operands, at);
                None
            }
        }
    }

    /// The command that says what dtypes give together, where an expression asks for that: `result_type(f32, np.int8)`.
    pub(in crate::check) fn promotion_command(&self, span: Span) -> Option<String> {
        let script = self.frame.script;
        let expr = script.exprs.iter().rev().find(|expr| expr.span == span)?;
        let ExprKind::Call(callee, args) = &expr.kind else { return None };
        let (name, _) = script.expr(*callee).last_name()?;
        ops::find(name).filter(|op| matches!(op.form, Form::Question(Question::Together)))?;
        let dtype = |arg: &Arg| script.expr(arg.value).last_name()?.0.parse::<DType>().ok();
        let dtypes: Vec<DType> = args.iter().map(dtype).collect::<Option<_>>()?;
        let names: String = dtypes.iter().map(|dtype| format!(" {dtype}")).collect();
        (dtypes.len() > 1).then(|| format!("arr promote{names}"))
    }

    fn is_of_kind(&mut self, dtype: DType, kind: &Value, at: Span) -> Option<bool> {
        if let Value::DType(other) = kind {
            return Some(dtype == *other);
        }
        if let Value::Str(word) = kind
            && let Some((_, kinds)) = KINDS.iter().find(|(name, _)| *name == &**word)
        {
            return Some(kinds.contains(&dtype.kind()));
        }
        let words: Vec<&str> = KINDS.iter().map(|(name, _)| *name).collect();
        let found = self.text(at).to_owned();
        self.error(report::not_a_word("kind", &found, &words, at));
        None
    }

    fn common_shape(&mut self, shapes: Value, at: Span) -> Option<Value> {
        let list = if let Value::Tuple(items) = &shapes
            && items.iter().any(|item| matches!(item, Value::Tuple(_)))
        {
            items.to_vec()
        } else {
            vec![shapes]
        };
        let mut all = Shape::new();
        for shape in list {
            let shape = self.shape_given(shape, at)?;
            match shape::broadcast(&all, &shape) {
                Ok(both) => all = both,
                Err(_) => {
                    let diagnostic = report::shapes_do_not_meet(&all, &shape, at);
                    let diagnostic = self.with_names(diagnostic, all.iter().chain(&shape));
                    self.error(diagnostic);
                    return None;
                }
            }
        }
        Some(Value::Tuple(all.into_iter().map(Value::Dim).collect()))
    }

    /// What a dtype says of its numbers: `f32.eps`, `u8.max`.
    pub(in crate::check) fn dtype_attribute(&mut self, dtype: DType, name: &str, span: Span) -> Value {
        let row = dtype.row();
        let power = |exponent: i32| Some(Const::float(2f64.powi(exponent)));
        let integers = dtype.integer_range().filter(|_| dtype.is_integer());
        let largest = dtype.largest();
        let found = match (name, integers) {
            ("dtype", _) => return Value::DType(dtype),
            ("bits" | "nbits", _) => Some(Const::Int(dtype.bits().into())),
            ("itemsize", _) => Some(Const::Int(dtype.size().into())),
            ("min", Some((low, _))) => Some(Const::Int(low.into())),
            ("max", Some((_, high))) => Some(Const::Int(high.into())),
            ("max", None) => largest.map(Const::float),
            ("min", None) => largest.map(|largest| Const::float(-largest)),
            _ if !dtype.is_float() => None,
            ("eps" | "epsilon", _) => power(1 - row.value_bits as i32),
            ("smallest_normal" | "tiny", _) => Some(Const::float(dtype.smallest_normal())),
            ("smallest_subnormal", _) => power(row.min_exponent),
            _ => None,
        };
        match found {
            Some(value) => Value::Const(value),
            None => self.error(report::no_dtype_attribute(dtype, name, span)),
        }
    }
}
