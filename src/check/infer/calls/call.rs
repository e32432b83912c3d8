//! Calls of functions. The function is found, and each argument its parameter.

use super::arguments::GivenValue;
use super::elsewhere::WrittenCall;
use crate::check::infer::Ctx;
use crate::check::infer::operations::computed_in;
use crate::check::infer::values::value::Value;
use crate::check::report::{self, FunctionHead};
use crate::diagnostic::suggest;
use crate::ops::elsewhere::ElsewhereRow;
use crate::ops::elsewhere::modules::Meaning;
use crate::ops::elsewhere::positional::{self, ArgumentPlace};
use crate::ops::{self, Op, elsewhere};
use crate::source::Span;
use crate::syntax::ast::{Arg, ExprId, ExprKind, Name};
use crate::types::{DType, Elem, Kind};
use std::str::FromStr;

/// Arguments as they are written: positional ones, then those with keywords.
#[derive(Default)]
struct CallArguments<'s> {
    positional: Vec<(Value, Span)>,
    named: Vec<(&'s Name, (Value, Span))>,
}

/// A number that may be left out, and the flag behind it.
const SLIPS: (&str, &str) = ("ddof", "keepdims");

/// The place of a bool that has slipped from the flag to the number before it.
fn slipped_flag(head: &FunctionHead, positional: &[(Value, Span)]) -> Option<Span> {
    let (number, flag) = SLIPS;
    let place = head.params.iter().position(|(param, optional)| *param == number && *optional)?;
    let (value, at) = positional.get(place)?;
    let truth = Elem::Strong(DType::Bool);
    let is_bool = matches!(value, Value::Computed(computed) if computed.elem == truth);
    (head.builtin && is_bool && head.params.iter().any(|(param, _)| *param == flag)).then_some(*at)
}

impl CallArguments<'_> {
    fn values(&self) -> impl Iterator<Item = &Value> {
        self.positional.iter().map(|(value, _)| value).chain(self.named.iter().map(|(_, (value, _))| value))
    }
}

impl Ctx<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other callee is an expression like any other")]
    pub(in crate::check) fn call(&mut self, callee: ExprId, args: &[Arg], span: Span) -> Value {
        let script = self.frame.script;
        let callee_expr = script.expr(callee);
        let at = callee_expr.span;
        let placed = self.in_our_order(callee, args);
        let args = placed.as_ref();
        let written = WrittenCall { first: None, args, span };
        let function = match &callee_expr.kind {
            ExprKind::Name(name) => match self.slip(name, args, at) {
                Some(diagnostic) => return self.error(diagnostic),
                None if let Some(row) = self.spoken(name, args) => self.foreign_function(row, name, &written, at),
                None if self.is_beside_dimension(name, at) => self.called_beside_dimension(name, &written, at),
                None if self.is_known(name) => self.infer(callee),
                None => self.called(name, &written, at),
            },
            ExprKind::Attribute(base, name) => match self.meaning_of_path(*base, &name.text) {
                Some(_) if let Some(diagnostic) = self.slip_in_module(*base, &name.text, at) => self.error(diagnostic),
                Some(Meaning::Plain) if self.is_known(&name.text) => self.infer(callee),
                Some(Meaning::Plain) => self.called(&name.text, &written, at),
                Some(Meaning::Row(row)) => {
                    let name = self.text(at).to_owned();
                    self.foreign_function(row, &name, &written, at)
                }
                Some(Meaning::Unknown(module)) => self.error(report::not_in_module(module, &name.text, at)),
                // `x.f(args)` is `f(x, args)`.
                None => return self.method(*base, name, args, span),
            },
            _ => self.infer(callee),
        };
        // Of what is not there, no argument is looked at.
        if matches!(function, Value::Error) && self.is_missing(callee) {
            return Value::Error;
        }
        let numbers = matches!(&callee_expr.kind, ExprKind::Attribute(base, _) if self.gives_numbers(*base));
        let given = self.written_arguments(&function, None, args);
        let function = self.of_two_arrays(callee, &given).unwrap_or(function);
        // Of an array NumPy makes a scalar of its own.
        let scalars = numbers && given.values().all(|value| self.shape_of(value).is_some_and(|shape| shape.is_empty()));
        let value = self.call_given(function, given, span, at);
        if scalars { self.python_number(value) } else { value }
    }

    /// Whether a name that is called is one of another library that is told to be written in another way.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other callee is a name")]
    fn is_missing(&self, callee: ExprId) -> bool {
        let row = match &self.frame.script.expr(callee).kind {
            ExprKind::Name(name) if !self.is_known(name) => elsewhere::find(name),
            ExprKind::Attribute(base, name) => match self.meaning_of_path(*base, &name.text) {
                Some(Meaning::Row(row)) => Some(row),
                Some(Meaning::Plain | Meaning::Unknown(_)) | None => None,
            },
            _ => None,
        };
        row.is_some_and(ElsewhereRow::is_missing)
    }

    /// What the name of a library is of two arrays, where it is something else of an array and a number. A scalar that is
    /// no whole number and no literal is an array too: it is no axis.
    fn of_two_arrays(&self, callee: ExprId, given: &CallArguments) -> Option<Value> {
        let ExprKind::Attribute(base, name) = &self.frame.script.expr(callee).kind else { return None };
        let ([_, (second, _)], true) = (&given.positional[..], given.named.is_empty()) else { return None };
        let is_fraction = matches!(second, Value::Computed(computed) if computed.elem.kind() == Kind::Float);
        if !is_fraction && self.shape_of(second).is_none_or(|shape| shape.is_empty()) {
            return None;
        }
        let Some(Meaning::Row(row)) = self.meaning_of_path(*base, &name.text) else { return None };
        elsewhere::of_two_arrays(row).and_then(Self::own)
    }

    fn method(&mut self, base: ExprId, name: &Name, args: &[Arg], span: Span) -> Value {
        if let Some(row) = self.spoken(&name.text, args) {
            let call = WrittenCall { first: Some(base), args, span };
            let function = self.foreign_function(row, &name.text, &call, name.span);
            return self.call_value(function, Some(base), args, span, name.span);
        }
        if let Some(refused) = self.refused_of_tensors(base, name, args, span) {
            return refused;
        }
        // `x.compress(mask)` is `compress(mask, x)`: as a method it has a row of its own.
        let own = elsewhere::find(&format!("array.{}", name.text)).filter(|_| !self.is_bound(&name.text));
        if let Some(row) = own {
            let call = WrittenCall { first: Some(base), args, span };
            let array = &self.frame.script.expr(base).kind;
            let array = if let ExprKind::Name(array) = array { array.as_str() } else { "x" };
            let function = self.foreign_function(row, &format!("{array}.{}", name.text), &call, name.span);
            return self.call_value(function, Some(base), args, span, name.span);
        }
        let function = match self.definition(&name.text, name.span) {
            Some(function @ (Value::Function(_) | Value::Builtin(_) | Value::Error)) => function,
            _ => match ops::by_name(&name.text) {
                Some(op) => Value::Builtin(op),
                // Of what is not known, no function is missed.
                None if self.is_unknown_path(base) => return Value::Error,
                None => self.called(&name.text, &WrittenCall { first: Some(base), args, span }, name.span),
            },
        };
        self.call_value(function, Some(base), args, span, name.span)
    }

    /// Whether a name, or names with dots between, mean nothing, which is reported then.
    fn is_unknown_path(&mut self, base: ExprId) -> bool {
        let script = self.frame.script;
        let (mut root, mut is_missing) = (base, false);
        // `x.at[0].set(1)` has an attribute that arrays have elsewhere alone.
        while let ExprKind::Attribute(inner, _) | ExprKind::Index(inner, _) = &script.expr(root).kind {
            if let ExprKind::Attribute(_, name) = &script.expr(root).kind {
                is_missing |= elsewhere::find(&format!(".{}", name.text)).is_some_and(ElsewhereRow::is_missing);
            }
            root = *inner;
        }
        // What a function of elsewhere gives that is not here has no methods: `np.random.default_rng(0).normal()`.
        if let ExprKind::Call(callee, _) = &script.expr(root).kind {
            return root == base && self.is_missing(*callee) && matches!(self.infer(base), Value::Error);
        }
        let ExprKind::Name(name) = &script.expr(root).kind else { return false };
        let may_be = root == base || is_missing || !self.is_bound(name);
        may_be && matches!(self.infer(base), Value::Error)
    }

    /// Whether a name of a function, of ours or of a library, is also the name of a dimension. No dimension is called,
    /// so a call means the function.
    fn is_beside_dimension(&mut self, name: &str, at: Span) -> bool {
        let is_function = ops::by_name(name).is_some() || elsewhere::find(name).is_some();
        is_function
            && !self.calls.unit.has_function(name)
            && self.frame.dims.contains_key(name)
            && self.frame.scope.find(name).is_none()
            && matches!(self.definition(name, at), Some(Value::Dim(_)))
    }

    /// The function that such a name means.
    fn called_beside_dimension(&mut self, name: &str, call: &WrittenCall, at: Span) -> Value {
        if let Some(op) = ops::by_name(name) {
            return Value::Builtin(op);
        }
        match elsewhere::find(name) {
            Some(row) => self.foreign_function(row, name, call, at),
            None => Value::Error,
        }
    }

    /// What a name is that is called with a keyword of another library, unless it is the program's.
    fn spoken(&self, name: &str, args: &[Arg]) -> Option<&'static ElsewhereRow> {
        let mut keywords = args.iter().filter_map(|arg| arg.name.as_ref());
        keywords.find_map(|keyword| elsewhere::spoken(name, &keyword.text)).filter(|_| !self.is_bound(name))
    }

    /// The function of a name that has no meaning of its own in the program.
    fn called(&mut self, name: &str, call: &WrittenCall, at: Span) -> Value {
        if self.frame.script.told.contains(name) {
            return Value::Error;
        }
        if let Some(later) = self.defined_below(name) {
            return self.error(report::defined_later(name, at, later));
        }
        if let Some(row) = elsewhere::find(name) {
            return self.foreign_function(row, name, call, at);
        }
        // A dtype is called in front of what it converts.
        if let (Some(first), Ok(dtype)) = (call.first, DType::from_str(name)) {
            let text = self.text(self.place(first));
            return self.error(report::cast_as_method(dtype, text, call.args.is_empty(), call.span, at));
        }
        let near = self.meant(name, |ctx| ctx.callable_names(call));
        self.error(report::unknown_function(name, near.as_deref(), call.first.is_some(), at))
    }

    fn call_value(&mut self, function: Value, first: Option<ExprId>, args: &[Arg], span: Span, at: Span) -> Value {
        let given = self.written_arguments(&function, first, args);
        self.call_given(function, given, span, at)
    }

    /// The arguments of a call, as they are written.
    fn written_arguments<'s>(&mut self, function: &Value, first: Option<ExprId>, args: &'s [Arg]) -> CallArguments<'s> {
        let mut given = CallArguments::default();
        for (name, id) in
            first.map(|id| (None, id)).into_iter().chain(args.iter().map(|arg| (arg.name.as_ref(), arg.value)))
        {
            let value = self.argument(function, name, given.positional.len(), id);
            let value = (value, self.frame.script.expr(id).span);
            match name {
                Some(name) => given.named.push((name, value)),
                None => given.positional.push(value),
            }
        }
        given
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value can be called")]
    fn call_given(&mut self, function: Value, mut given: CallArguments, span: Span, at: Span) -> Value {
        match function {
            Value::Error => Value::Error,
            Value::DType(dtype) if !self.is_storable(dtype, at) => Value::Error,
            Value::DType(dtype) => {
                let texts: Vec<&str> = given.positional.iter().map(|(_, at)| self.text(*at)).collect();
                let named = given.named.first().map(|(_, (_, at))| self.text(*at));
                let mut positional = given.positional.into_iter();
                match (positional.next(), positional.next(), named) {
                    (Some((value, value_span)), None, None) => self.cast(value, value_span, dtype, span),
                    _ => self.error(report::cast_arguments(dtype, &texts, named, span)),
                }
            }
            Value::Builtin(op) => {
                given.positional = super::list::gather_list(op, given.positional);
                if let Some(diagnostic) = self.listed_apart(op, &self.as_written(&given), span) {
                    return self.error(diagnostic);
                }
                let params = op.params.iter().map(|param| (param.name, param.default.is_some())).collect();
                let signature = || op.signature();
                let head = FunctionHead { name: op.name, signature: &signature, params, builtin: true };
                let stated = match self.take_besides(op, &head, &mut given) {
                    Ok(stated) => stated,
                    Err(wrong) => return wrong,
                };
                match (self.match_arguments(&head, given, span, at), stated) {
                    (Some(given), Some(stated)) => self.call_computed_in(op, given, stated, span, at),
                    (Some(given), None) => self.call_builtin(op, given, span, at),
                    (None, _) => Value::Error,
                }
            }
            Value::Function(closure) => {
                let (function, sources) = (closure.function(), self.request.sources);
                let params = function.params.iter().map(|param| (param.name.text.as_str(), param.default.is_some()));
                let signature = || closure.signature(sources);
                let head = FunctionHead {
                    name: &function.name.text,
                    signature: &signature,
                    params: params.collect(),
                    builtin: function.name.span.source.is_library(),
                };
                let Some(mut given) = self.match_arguments(&head, given, span, at) else { return Value::Error };
                // An annotation may decide the dtype of an array literal, or a cast; nothing else does.
                for (param, given) in function.params.iter().zip(&mut given) {
                    if let (None, Some((value, value_span))) = (&param.ty, given) {
                        let written = std::mem::replace(value, Value::Error);
                        *value = match closure.casts(&param.name.text) {
                            true => self.settled_to_cast(written, *value_span),
                            false => self.with_default_dtype(written, *value_span),
                        };
                    }
                }
                self.call_function(&closure, given, span, at)
            }
            other => {
                let name = self.text(at);
                let found = report::not_a_function(&other, name, at);
                let hides = matches!(other, Value::Dim(_)) && self.calls.unit.has_function(name);
                self.error(if hides { report::hidden_by_dimension(found, name) } else { found })
            }
        }
    }

    /// The positional arguments, with the next one too where NumPy's order made a keyword of it: `np.sum(x, 0, 1)`.
    fn as_written(&self, given: &CallArguments) -> Vec<(Value, Span)> {
        let mut written = given.positional.clone();
        let moved = given.named.iter().find(|(name, (_, at))| name.span == *at).map(|(_, moved)| moved);
        if let (Some(moved), Some((_, last))) = (moved, written.last())
            && last.source == moved.1.source
            && last.end <= moved.1.start
            && self.text(Span { start: last.end, end: moved.1.start, ..*last }).trim() == ","
        {
            written.push(moved.clone());
        }
        written
    }

    /// Takes out what NumPy has for an operation besides its parameters: `None` for `out`, and the dtype in which it
    /// computes, which is the answer.
    fn take_besides(
        &mut self,
        op: &Op,
        head: &FunctionHead,
        given: &mut CallArguments,
    ) -> Result<Option<(Value, Span)>, Value> {
        let has = |name: &str| match name {
            "out" => computed_in::takes_out(op),
            "dtype" => computed_in::takes_dtype(op),
            _ => false,
        };
        let is_placed = computed_in::gives_out_none(op, &given.positional);
        if is_placed {
            given.positional.pop();
        }
        let repeated = given.named.iter().enumerate().find(|(at, (name, _))| {
            let before = given.named[..*at].iter().any(|(other, _)| other.text == name.text);
            has(&name.text) && (before || is_placed && name.text == "out")
        });
        if let Some((_, (name, _))) = repeated {
            return Err(self.error(report::repeated_argument(head, &name.text, name.span)));
        }
        given.named.retain(|(name, (value, _))| name.text != "out" || !matches!(value, Value::None) || !has("out"));
        let stated = given.named.iter().position(|(name, _)| name.text == "dtype" && has("dtype"));
        Ok(stated.map(|place| given.named.remove(place).1))
    }

    /// One value for each parameter, in the order of the parameters.
    fn match_arguments(
        &mut self,
        head: &FunctionHead,
        arguments: CallArguments,
        span: Span,
        at: Span,
    ) -> Option<Vec<GivenValue>> {
        let CallArguments { positional, named } = arguments;
        let mut given: Vec<GivenValue> = vec![None; head.params.len()];
        if positional.len() > head.params.len() {
            let extra = positional[head.params.len()].1;
            let advice = if head.builtin { self.advice_beyond(head, &positional) } else { None };
            if let (Some(_), Some((_, last))) = (&advice, positional.last()) {
                // The last argument may be the array that was to take the result.
                let last = self.text(*last);
                self.frame.scope.doubt(last);
            }
            self.error(report::too_many_arguments(head, positional.len(), advice, extra));
            return None;
        }
        if let Some(slipped_at) = slipped_flag(head, &positional) {
            let text = self.text(slipped_at).to_owned();
            self.error(report::bool_for_a_number(SLIPS, &text, slipped_at));
            return None;
        }
        for (slot, value) in given.iter_mut().zip(positional) {
            *slot = Some(value);
        }
        let text = |span: Span| self.text(span).to_owned();
        let places: Vec<Span> = given.iter().flatten().map(|(_, span)| *span).collect();
        let first = places.first().copied();
        let beside = places.iter().skip(1).map(|span| ("", text(*span)));
        let others: Vec<(&str, String)> =
            beside.chain(named.iter().map(|(name, (_, span))| (name.text.as_str(), text(*span)))).collect();
        for (name, value) in named {
            let ours = match head.builtin {
                true if ops::by_name(head.name).is_some() => elsewhere::keyword_in(head.name, &name.text),
                true => elsewhere::keyword(&name.text),
                false => name.text.as_str(),
            };
            let place = head.params.iter().position(|(param, _)| *param == name.text);
            let Some(index) = place.or_else(|| head.params.iter().position(|(param, _)| *param == ours)) else {
                let positional = self.text(name.span) != name.text;
                let variable = self.frame.scope.find(&name.text).is_some() && !positional;
                let near = suggest::closest(&name.text, head.params.iter().map(|(param, _)| *param));
                // What other functions call so may be meant, where it is not given.
                let meant = if head.builtin { elsewhere::keyword(&name.text) } else { name.text.as_str() };
                let open = head.params.iter().zip(&given).filter(|(_, given)| given.is_none());
                let near = near.or_else(|| open.map(|((param, _), _)| *param).find(|param| *param == meant));
                let near = near.filter(|_| !positional);
                let first = first.map_or_else(|| "x".to_owned(), |span| self.text(span).to_owned());
                let advice = head.builtin.then(|| elsewhere::keyword_advice(head.name, &first, &others, &name.text));
                let advice = advice.flatten();
                self.error(report::unknown_keyword(head, &name.text, near, variable, advice, name.span));
                return None;
            };
            if let Some((before, _)) = &given[index] {
                // A value that cannot be read may be meant for another parameter.
                if !matches!(before, Value::Error) {
                    self.error(report::repeated_argument(head, &name.text, name.span));
                }
                return None;
            }
            given[index] = Some(value);
        }
        let missing = head.params.iter().zip(&given).find(|((_, optional), given)| !optional && given.is_none());
        if let Some(((param, _), _)) = missing {
            // Arguments that cannot be read may be all of them.
            if given.iter().flatten().any(|(value, _)| matches!(value, Value::Error)) {
                return None;
            }
            self.error(report::missing_argument(head, param, span, at));
            return None;
        }
        Some(given)
    }

    /// What to write for the first argument that is too many, where NumPy has a place for it.
    fn advice_beyond(&self, head: &FunctionHead, given: &[(Value, Span)]) -> Option<String> {
        let texts: Vec<&str> = given.iter().map(|(_, span)| self.text(*span)).collect();
        let extra = head.params.len();
        let Some(order) = positional::order("np", head.name) else { return Self::result_beyond(head, &texts) };
        let ArgumentPlace::Keyword(keyword) = order.place(extra, texts[extra]) else { return None };
        let others = texts.iter().enumerate().skip(1).filter_map(|(index, text)| match order.place(index, text) {
            ArgumentPlace::Same => Some(("", (*text).to_owned())),
            ArgumentPlace::Keyword(name) => Some((name, (*text).to_owned())),
            ArgumentPlace::Needless => None,
        });
        let others: Vec<(&str, String)> = others.collect();
        elsewhere::keyword_advice(head.name, texts[0], &others, keyword)
    }

    /// What to write for a name behind the operands, where NumPy has a place for the array that takes the result.
    fn result_beyond(head: &FunctionHead, texts: &[&str]) -> Option<String> {
        let op = ops::by_name(head.name).filter(|op| op.operand_count() == op.params.len())?;
        let (out, operands) = texts.split_last().filter(|(_, operands)| operands.len() == op.params.len())?;
        let is_name = out.starts_with(char::is_alphabetic) && out.chars().all(|c| c.is_alphanumeric() || c == '_');
        let (first, others) = operands.split_first().filter(|_| is_name)?;
        let others: Vec<(&str, String)> =
            others.iter().map(|text| ("", (*text).to_owned())).chain([("out", (*out).to_owned())]).collect();
        let advice = elsewhere::keyword_advice(head.name, first, &others, "out")?;
        Some(format!("it is `{}`; where the last one is to take the result, {advice}", (head.signature)()))
    }

    /// The texts of two arguments of which the second may be meant as an axis.
    fn array_and_axis(&self, args: &[Arg]) -> Option<[&str; 2]> {
        let [array, axis] = args else { return None };
        let texts = [array, axis].map(|arg| self.text(self.frame.script.expr(arg.value).span));
        let is_axis = array.name.is_none() && matches!(texts[1], "0" | "1" | "2" | "3" | "-1" | "-2" | "-3");
        is_axis.then_some(texts)
    }

    /// Likely slips that deserve words of their own.
    fn slip(&self, name: &str, args: &[Arg], at: Span) -> Option<crate::diagnostic::Diagnostic> {
        if self.frame.scope.find(name).is_some() {
            return None;
        }
        let positional = args.iter().filter(|arg| arg.name.is_none()).count();
        match (name, positional) {
            ("min" | "max", 2..) => Some(report::reduction_of_two(name, self.array_and_axis(args), at)),
            ("complex", _) if let Some(texts) = self.parts_of_complex(args) => {
                Some(report::complex_of_parts(&texts, at))
            }
            ("float" | "int" | "double" | "complex", _) => Some(report::foreign_conversion(name, at)),
            _ => None,
        }
    }

    /// The parts that a call of Python's `complex` names. `None` if it converts one number; the list is empty if the
    /// parts are not known.
    fn parts_of_complex(&self, args: &[Arg]) -> Option<Vec<&str>> {
        let script = self.frame.script;
        let is_text = |arg: &Arg| matches!(script.expr(arg.value).kind, ExprKind::Str(_));
        if let [Arg { name: None, .. }] = args
            && !args.iter().any(is_text)
        {
            return None;
        }
        let mut parts = ["0", "0"];
        for (index, arg) in args.iter().enumerate() {
            let place = match arg.name.as_ref().map(|name| name.text.as_str()) {
                None => index,
                Some("real") => 0,
                Some("imag") => 1,
                Some(_) => parts.len(),
            };
            match parts.get_mut(place).filter(|_| !is_text(arg)) {
                Some(part) => *part = self.text(self.place(arg.value)),
                None => return Some(Vec::new()),
            }
        }
        Some(if args.is_empty() { Vec::new() } else { parts.to_vec() })
    }
}
