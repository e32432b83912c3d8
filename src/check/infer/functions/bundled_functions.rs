//! Functions that came with the language, written in it: a call is a call of the function.
//!
//! Nobody sees their texts. What is found in one is told of the call, and so is what fails when the program runs.

use super::closure::Closure;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::f64_origins::{Cause, is_wide};
use crate::check::infer::found::facts::Subject;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::ops::library::{self, LibraryFunction};
use crate::ops::{self, Form, Op, Param, Role, Way};
use crate::promotion::systems::System;
use crate::promotion::{Class, Decision, Refusal};
use crate::source::{self, SourceId, Sources, Span};
use crate::syntax;
use crate::types::{DType, Elem, Kind};
use num_traits::ToPrimitive;
use std::collections::HashMap;
use std::sync::{Arc, LazyLock, OnceLock};

/// The number of a text, and its function once it was read.
type WrittenFunction = (usize, OnceLock<Arc<Closure>>);

/// The functions by their keys.
static FUNCTIONS: LazyLock<HashMap<usize, WrittenFunction>> = LazyLock::new(|| {
    let functions: Vec<LibraryFunction> = library::functions().collect();
    source::keep_library(functions.iter().map(|function| function.text.clone()));
    functions.iter().enumerate().map(|(number, function)| (function.key, (number, OnceLock::new()))).collect()
});

/// The function of a way to call something.
pub(in crate::check) fn function(way: &'static Way) -> Option<Arc<Closure>> {
    let (number, read) = FUNCTIONS.get(&library::key(way))?;
    let read = read.get_or_init(|| {
        let script = syntax::parse(&Sources::new(), SourceId::library(*number), &mut Diagnostics::new());
        Arc::new(Closure::new(&script, 0).expect("a text of the library is one function"))
    });
    Some(read.clone())
}

/// What to say of a text that no way has for its parameter.
fn no_such_word(ways: &[Way], given: &[(&str, GivenValue)], said: &[Option<String>]) -> Option<Diagnostic> {
    given.iter().zip(said).find_map(|((name, given), said)| {
        let (Some((Value::Str(_), at)), Some(said)) = (given, said) else { return None };
        let mut words: Vec<&str> = Vec::new();
        for word in ways.iter().filter_map(|way| way.word(name)) {
            if !words.contains(&word) {
                words.push(word);
            }
        }
        let unknown = !words.is_empty() && !words.contains(&said.as_str());
        unknown.then(|| report::not_a_word(name, &format!("\"{said}\""), &words, *at))
    })
}

/// Whether a parameter counts as left out where its default is given.
fn is_option(role: Role) -> bool {
    matches!(role, Role::Flag | Role::Keep | Role::Whole)
}

/// Whether an argument is a tuple of so many parts.
fn is_tuple_of(parts: usize, given: &GivenValue) -> bool {
    matches!(given, Some((Value::Tuple(items), _)) if items.len() == parts)
}

/// Whether an argument is a tuple whose parts have places of their own in a way.
fn is_taken_apart(ways: &[Way], param: &str, value: &Value) -> bool {
    matches!(value, Value::Tuple(_)) && ways.iter().any(|way| way.parts(param).is_some())
}

/// Whether an argument is a flag: its role says so, or the ways of an option.
fn is_flag(param: &Param, ways: &[Way], value: &Value) -> bool {
    let by_ways = || ways.iter().any(|way| matches!(way.word(param.name), Some("true" | "false")));
    let by_role = matches!(param.role, Role::Flag | Role::Keep);
    by_role || param.role == Role::Written && !matches!(value, Value::None) && by_ways()
}

/// What to write for an array of `rank` axes where several arrays are needed: its parts, or a list of it.
fn as_a_list(ways: &[Way], param: &str, rank: usize, text: &str) -> Option<String> {
    let ranks: Vec<usize> = ways.iter().filter_map(|way| way.rank(param)).collect();
    if ranks.iter().max().is_some_and(|most| rank > *most) {
        return Some(format!("unstack({text})"));
    }
    ranks.iter().min().is_none_or(|least| rank + 1 >= *least).then(|| format!("[{text}]"))
}

impl Ctx<'_> {
    /// The ways of a row that has an option with which it is written in the language, if one is given.
    pub(in crate::check) fn written_options(&self, op: &Op, given: &[GivenValue]) -> Option<&'static [Way]> {
        let is_given = |given: &GivenValue| given.as_ref().is_some_and(|(value, _)| !matches!(value, Value::None));
        let ways = ops::options::of(op)?;
        op.params.iter().zip(given).any(|(param, it)| param.role == Role::Written && is_given(it)).then_some(ways)
    }

    /// A text, a number, or a flag that is known now.
    fn word_said(&mut self, given: &GivenValue) -> Option<String> {
        match given {
            Some((Value::Str(text), _)) => Some(text.to_string()),
            Some((Value::Const(Const::Int(number)), _)) => Some(number.to_string()),
            Some((Value::Computed(flag), _)) if flag.elem == Elem::Strong(DType::Bool) => {
                Some((self.now(flag.node)?.bits != 0).to_string())
            }
            _ => None,
        }
    }

    /// A call of a row that is written in the language, in the first way that has the arguments.
    pub(in crate::check) fn call_written(
        &mut self,
        (op, ways): (&'static Op, &'static [Way]),
        mut given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        for (param, it) in op.params.iter().zip(&given) {
            if let Some((value, flag_span)) = it
                && is_flag(param, ways, value)
                && self.flag(param, value.clone(), *flag_span).is_none()
            {
                return Value::Error;
            }
            if param.role == Role::Axis && self.has_no_axis(op, &given, it) {
                return Value::Error;
            }
        }
        self.numbers_alone((op, ways), &mut given);
        if matches!(op.form, Form::Written(_)) && !self.takes_arrays((op, ways), &given, at)
            || self.each_cast(op, &mut given).is_none()
        {
            return Value::Error;
        }
        let mut is_weak = false;
        for place in (0..op.params.len()).filter(|&place| op.params[place].role == Role::Arrays) {
            match self.met(op, &mut given, place, at) {
                Some(weak) => is_weak |= weak,
                None => return Value::Error,
            }
        }
        let left_out = |param: &Param, given: &GivenValue, word: Option<&str>| match given {
            None => true,
            Some((Value::None, _)) => param.default.is_some(),
            Some(_) => is_option(param.role) && word.is_some() && word == param.default,
        };
        let words: Vec<Option<String>> = given.iter().map(|given| self.word_said(given)).collect();
        let given = op.params.iter().zip(given).zip(words);
        let given = given.filter(|((param, given), word)| !left_out(param, given, word.as_deref()));
        let (mut given, words): (Vec<(&str, GivenValue)>, Vec<Option<String>>) =
            given.map(|((param, given), word)| ((param.name, given), word)).unzip();
        let fits = |way: &&Way| {
            let takes = |name: &str| way.params().any(|(param, _)| param == name);
            let has = |name: &str| given.iter().any(|(given, _)| *given == name);
            let says = |said: &Option<String>, word: &str| said.as_deref() == Some(word);
            let fits =
                |name: &str, said: &Option<String>| takes(name) && way.word(name).is_none_or(|word| says(said, word));
            given.iter().zip(&words).all(|((name, given), said)| fits(name, said) && self.lies(way, name, given))
                && way.params().all(|(param, optional)| optional || has(param))
        };
        let Some(way) = ways.iter().find(fits) else {
            if let Some(diagnostic) = no_such_word(ways, &given, &words) {
                return self.error(diagnostic);
            }
            let names: Vec<&str> = given.iter().map(|(name, _)| *name).collect();
            return self.error(report::not_together(op, &names, span));
        };
        let closure = function(way).expect("every way is a function");
        if matches!(op.form, Form::Written(_))
            && self.settings.system.names(op.name)
            && self.meet_written(op, &mut given, at).is_none()
        {
            return Value::Error;
        }
        let averaged = arrays_of_an_average(op, &given);
        let mut taken = |name: &str| given.iter_mut().find(|(given, _)| *given == name).and_then(|(_, it)| it.take());
        let given = way.params().map(|(param, _)| taken(param)).collect();
        let mut value = self.call_function(&closure, given, span, at);
        self.found_average(op, averaged, &value, at);
        if let Value::Computed(made) = &mut value
            && is_weak
        {
            made.elem = System::weak_of(made.elem.kind());
        }
        value
    }

    /// Whether an argument has as many axes as a way wants of it, or is a tuple of as many parts.
    fn lies(&self, way: &Way, name: &str, given: &GivenValue) -> bool {
        let shape = || given.as_ref().and_then(|(value, _)| self.shape_of(value));
        way.rank(name).is_none_or(|rank| shape().is_some_and(|shape| shape.len() == rank))
            && way.parts(name).is_none_or(|parts| is_tuple_of(parts, given))
    }

    /// Makes an array of each tuple that no way takes apart beside the other arguments: it is a list of numbers then.
    fn numbers_alone(&mut self, (op, ways): (&'static Op, &'static [Way]), given: &mut [GivenValue]) {
        for (place, param) in op.params.iter().enumerate().filter(|(_, param)| param.role == Role::Operand) {
            let Some((value, span)) = given[place].clone() else { continue };
            let is_alone = |way: &Way| way.parts(param.name).is_none() || !self.has_place_for(way, op, given);
            if is_taken_apart(ways, param.name, &value) && ways.iter().all(is_alone) {
                given[place] = Some((self.numbers_as_array(value, span), span));
            }
        }
    }

    /// Whether a way has a place for each argument, and gets what it needs. What words say is not looked at.
    fn has_place_for(&self, way: &Way, op: &Op, given: &[GivenValue]) -> bool {
        let is_given = |it: &GivenValue| it.as_ref().is_some_and(|(value, _)| !matches!(value, Value::None));
        let all = || op.params.iter().zip(given).filter(|(_, it)| is_given(it));
        let takes = |name: &str| way.params().any(|(param, _)| param == name);
        all().all(|(param, it)| takes(param.name) && self.lies(way, param.name, it))
            && way.params().all(|(name, optional)| optional || all().any(|(param, _)| param.name == name))
    }

    /// What a function that came with the language gives a call: the dtype of an f64 was decided at the call.
    pub(in crate::check) fn result_of_bundled(
        &mut self,
        closure: &Closure,
        given: &[GivenValue],
        value: Value,
        (span, at): (Span, Span),
    ) -> Value {
        let Value::Computed(mut made) = value else { return value };
        let wide = made.elem.strong().filter(|dtype| is_wide(*dtype));
        let Some(dtype) = wide.filter(|_| !says_dtype(closure, given)) else { return Value::Computed(made) };
        let mut operands = Vec::new();
        for (value, span) in given.iter().flatten() {
            self.note_arrays(value, *span, &mut operands);
        }
        let shown = closure.function().name.text.clone();
        self.found(Subject::Returned { shown, operands, dtype, call: span, at });
        if made.origin.source.is_library() {
            made.origin = span;
        }
        Value::Computed(made)
    }

    /// The arrays and floats in what a call is given. An array literal has the dtype that it has on its own.
    fn note_arrays(&mut self, value: &Value, span: Span, found: &mut Vec<Operand>) {
        if let Value::Tuple(items) = value {
            for item in items.iter() {
                self.note_arrays(item, span, found);
            }
        }
        let is_list = matches!(value, Value::Literal(_));
        let is_float = matches!(value, Value::Const(Const::Float(_) | Const::Complex(..)));
        if !is_list && !is_float && !matches!(value, Value::Computed(_)) {
            return;
        }
        let Some(mut operand) = self.operand(value.clone(), span) else { return };
        if is_list && !self.settings.system.weak.literals {
            let dtype = self.settings.harden(operand.elem);
            self.born(dtype, Cause::Literal, span);
            operand.elem = dtype.into();
        }
        found.push(operand);
    }

    /// An f64 that is an average belongs to the call, as that of a row with code of its own does.
    fn found_average(&mut self, op: &'static Op, averaged: Vec<(Value, Span)>, value: &Value, at: Span) {
        let Value::Computed(made) = value else { return };
        let Some(dtype) = made.elem.strong().filter(|dtype| is_wide(*dtype) && !averaged.is_empty()) else { return };
        let mut operands = Vec::with_capacity(averaged.len());
        for (value, span) in averaged {
            let Some(operand) = self.operand(value, span) else { return };
            operands.push(operand);
        }
        let elem = Elem::Strong(dtype);
        let decision = Decision { joined: elem, compute: elem, result: elem, weak: false };
        self.found(Subject::Meeting { shown: op.shown(), operands, decision, at });
        self.found(Subject::Made { dtype, span: made.origin });
    }

    /// Whether what is given for arrays can be what the row takes. What cannot is told of the row, not of its code.
    fn takes_arrays(&mut self, (op, ways): (&'static Op, &[Way]), given: &[GivenValue], at: Span) -> bool {
        for (param, it) in op.params.iter().zip(given) {
            let Some((value, span)) = it else { continue };
            let is_list = matches!(param.role, Role::Arrays | Role::Fillings);
            if let (true, Value::Tuple(items)) = (is_list, value)
                && items.is_empty()
            {
                self.error(report::no_arrays(op, *span));
                return false;
            }
            if is_list && !matches!(value, Value::Tuple(_)) {
                let rank = self.shape_of(value).map(|shape| shape.len());
                if rank.is_none() || ways.iter().all(|way| way.rank(param.name) != rank) {
                    let instead = rank.and_then(|rank| as_a_list(ways, param.name, rank, self.text(*span)));
                    self.error(report::outside_of_a_list(op, instead, *span));
                    return false;
                }
            }
            // What may be left out may be a word too, as the norm of `linalg.cond`: the code says so.
            let is_left_out = matches!(value, Value::None | Value::Str(_)) && param.default.is_some();
            if param.role != Role::Operand || is_left_out || is_taken_apart(ways, param.name, value) {
                continue;
            }
            let is_array = !matches!(value, Value::Str(_) | Value::DType(_) | Value::Builtin(_) | Value::Function(_));
            if is_array && op.domain.contains(&Kind::Complex) {
                continue;
            }
            let Some(operand) = self.operand(value.clone(), *span) else { return false };
            if !op.domain.contains(&operand.elem.kind()) {
                // The class of the row is not that of its code. It refuses complex numbers as rounding does.
                let class = if operand.elem.kind() == Kind::Complex { Class::Rounding } else { op.class };
                self.report_refusal(Refusal::Unsupported(operand.elem), class, op.shown(), &[operand], at);
                return false;
            }
        }
        true
    }

    /// Brings the arrays of a list to the dtype that they have together: numbers among them take it, as in operators.
    /// An operand right behind the list takes part. The answer is whether what is chosen among them all is weak.
    fn met(&mut self, op: &'static Op, given: &mut [GivenValue], place: usize, at: Span) -> Option<bool> {
        let Some(Some((Value::Tuple(items), span))) = given.get(place) else { return Some(false) };
        let span = *span;
        let spans = self.frame.text_places.listed.get(&span).cloned().unwrap_or_default();
        let span_of = |index: usize| *spans.get(index).unwrap_or(&span);
        let mut all: Vec<(Value, Span)> =
            items.iter().enumerate().map(|(index, item)| (item.clone(), span_of(index))).collect();
        let is_operand = op.params.get(place + 1).is_some_and(|param| param.role == Role::Operand);
        let beside = given.get(place + 1).cloned().flatten();
        let beside = beside.filter(|(value, _)| is_operand && !matches!(value, Value::None));
        let has_beside = beside.is_some();
        all.extend(beside);
        let mut operands = Vec::with_capacity(all.len());
        for (value, span) in all {
            let operand = self.operand(value, span)?;
            operands.push(if operand.shape.is_empty() { operand } else { self.as_array(operand)? });
        }
        if operands.iter().all(|operand| operand.elem.is_weak()) {
            return Some(has_beside && self.settings.system.weak.results);
        }
        let (decision, nodes) = self.meet(op.class, op.shown(), &operands, at)?;
        let dtype = self.settings.harden(decision.compute);
        let values = nodes.into_iter().zip(&operands);
        let mut values: Vec<Value> =
            values.map(|(node, operand)| self.computed_value(node, dtype.into(), operand.span)).collect();
        if has_beside && let (Some(value), Some(Some(beside))) = (values.pop(), given.get_mut(place + 1)) {
            beside.0 = value;
        }
        given[place] = Some((Value::Tuple(values.into()), span));
        Some(has_beside && decision.weak)
    }

    /// Brings the arrays of a list to the dtype of the first operand, one by one.
    fn each_cast(&mut self, op: &Op, given: &mut [GivenValue]) -> Option<()> {
        let Some(place) = op.params.iter().position(|param| param.role == Role::Fillings) else { return Some(()) };
        let (first, first_span) = given.first()?.clone()?;
        let first = self.operand(first, first_span)?;
        let dtype = self.settings.harden(first.elem);
        let Some(Some((Value::Tuple(items), span))) = given.get(place).cloned() else { return Some(()) };
        let spans = self.frame.text_places.listed.get(&span).cloned().unwrap_or_default();
        let mut values = Vec::with_capacity(items.len());
        for (index, item) in items.iter().enumerate() {
            let at = *spans.get(index).unwrap_or(&span);
            let is_cast = self.operand(item.clone(), at)?.elem == Elem::Strong(dtype);
            let value = if is_cast { item.clone() } else { self.cast(item.clone(), at, dtype, at) };
            if matches!(value, Value::Error) {
                return None;
            }
            values.push(value);
        }
        given[place] = Some((Value::Tuple(values.into()), span));
        Some(())
    }

    /// Whether the first operand lacks an axis that is one number. What is wrong is reported.
    fn has_no_axis(&mut self, op: &'static Op, given: &[GivenValue], axis: &GivenValue) -> bool {
        let Some((Value::Const(Const::Int(axis)), at)) = axis else { return false };
        let is_array = |(param, _): &(&Param, &GivenValue)| param.role == Role::Operand;
        let Some((_, Some((array, span)))) = op.params.iter().zip(given).find(is_array) else { return false };
        let Some(rank) = self.shape_of(array).map(|shape| shape.len() as i64) else { return false };
        let Some(axis) = axis.to_i64().filter(|axis| rank > 0 && !(-rank..rank).contains(axis)) else { return false };
        if let Some(operand) = self.operand(array.clone(), *span) {
            self.error(report::axis_out_of_range(axis, &operand, *at));
        }
        true
    }

    /// Brings the operands of a row to the type that the system computes it in. A system that has no rule for the row
    /// leaves that to its code.
    fn meet_written(&mut self, op: &'static Op, given: &mut [(&str, GivenValue)], at: Span) -> Option<()> {
        let takes_part = |name: &str, value: &Value| {
            let number = matches!(value, Value::Const(_) | Value::Dim(_));
            let apart = matches!(op.form, Form::Written(ways) if is_taken_apart(ways, name, value));
            !number && !apart && op.params.iter().any(|param| param.name == name && param.role == Role::Operand)
        };
        let given = given.iter_mut().filter_map(|(name, given)| Some((*name, given.as_mut()?)));
        let mut values: Vec<&mut (Value, Span)> =
            given.filter(|(name, (value, _))| takes_part(name, value)).map(|(_, given)| given).collect();
        let mut operands = Vec::with_capacity(values.len());
        for (value, span) in &values {
            operands.push(self.operand(value.clone(), *span)?);
        }
        let (decision, nodes) = self.meet_for(op, &operands, at)?;
        let dtype = self.settings.harden(decision.compute);
        let elem = if decision.weak { System::weak_of(dtype.kind()) } else { dtype.into() };
        for ((value, span), node) in values.iter_mut().map(|given| &mut **given).zip(nodes) {
            *value = self.computed_value(node, elem, *span);
        }
        Some(())
    }

    /// Walks a function: what it adds to the program fails at the call, if it is one of the library.
    pub(in crate::check) fn at_call<T>(
        &mut self,
        closure: &Closure,
        call: Span,
        walk: impl FnOnce(&mut Self) -> T,
    ) -> T {
        let (script, _) = closure.place();
        if !script.source.is_library() || call.source.is_library() {
            return walk(self);
        }
        let program = self.graph.builder.program();
        let (checks, lengths) = (program.checks.len(), program.lengths.len());
        let outer = self.calls.depth.site.replace(call);
        let result = walk(self);
        self.calls.depth.site = outer;
        self.graph.builder.locate(checks, lengths, call);
        result
    }

    /// Where something fails that is written there: in the library, at the call.
    pub(in crate::check) fn site(&self, at: Span) -> Span {
        match self.calls.depth.site {
            Some(call) if at.source.is_library() => call,
            _ => at,
        }
    }
}

/// Whether a call says the dtype of its result: an argument is a dtype or the name of one, or the code has one.
fn says_dtype(closure: &Closure, given: &[GivenValue]) -> bool {
    let is_name = |value: &Value| matches!(value, Value::Str(text) if text.parse::<DType>().is_ok());
    let is_dtype = |value: &Value| is_name(value) || matches!(value, Value::DType(_));
    let code = source::library_line(closure.place().1).and_then(|line| line.split_once(") = "));
    given.iter().flatten().any(|(value, _)| is_dtype(value))
        || code.is_some_and(|(_, code)| code.contains("f64") || code.contains("c128"))
}

/// What is given for the arrays of a row that averages. The list is empty for other rows.
fn arrays_of_an_average(op: &Op, given: &[(&str, GivenValue)]) -> Vec<(Value, Span)> {
    let is_array = |name: &str| op.params.iter().any(|param| param.name == name && param.role == Role::Operand);
    let arrays = given.iter().filter(|(name, _)| op.class == Class::Mean && is_array(name));
    arrays.filter_map(|(_, given)| given.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_of_the_library_is_one_function_and_no_more() {
        LazyLock::force(&FUNCTIONS);
        let sources = Sources::new();
        for (number, function) in library::functions().enumerate() {
            let mut sink = Diagnostics::new();
            let script = syntax::parse(&sources, SourceId::library(number), &mut sink);
            assert!(sink.is_empty() && script.stmts.len() == 1, "{}", function.text);
            let closure = Closure::new(&script, 0).expect("a function");
            let known = |name: &str| ops::find(name).is_some() || ops::constants::find(name).is_some();
            for free in &closure.free {
                let dtype = free.name.parse::<DType>().is_ok();
                let module = ops::elsewhere::modules::find(&free.name).is_some();
                assert!(known(&free.name) || dtype || module, "`{}` in {}", free.name, function.text);
            }
        }
    }
}
