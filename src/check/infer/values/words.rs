//! Words or dates as the text has them, also words of several columns. Each column has a dictionary of its own, and
//! codes of one mean nothing in another.
//!
//! ```text
//! a: AAPL MSFT IBM → 0 1 2      b: IBM AAPL → 0 1      b in the codes of a: 2 0
//! ```

use super::operand::{Operand, OperandForm};
use super::value::Value;
use crate::array::Array;
use crate::array::logical::Logical;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::statements::assign::Update;
use crate::check::report;
use crate::diagnostic::codes::dtypes;
use crate::diagnostic::suggest;
use crate::ir::NodeId;
use crate::ops::expand::Expand;
use crate::ops::{Form, Op, Role};
use crate::promotion::Class;
use crate::scalar::Scalar;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim};
use std::collections::HashMap;
use std::sync::Arc;

/// The code of a word that a column has not.
const MISSING: i64 = -1;

impl Ctx<'_> {
    /// `symbol == "AAPL"`, `day >= "2026-01-01"`: a text beside an array that words or dates are behind is the element
    /// that it means.
    pub(in crate::check::infer) fn mean_texts(&mut self, values: &mut [(Value, Span)], notations: &[&str]) {
        for at in 0..values.len() {
            let Value::Str(text) = &values[at].0 else { continue };
            let (text, span) = (text.clone(), values[at].1);
            let around = || [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            let neighbours = || around().filter_map(|at| values.get(at));
            if neighbours().any(|(value, _)| matches!(value, Value::Error)) {
                values[at].0 = Value::Error;
                continue;
            }
            let beside = neighbours().find_map(|(value, span)| self.meaningful(value).map(|node| (node, *span)));
            let Some((node, other)) = beside else { continue };
            let notations = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|at| notations.get(at));
            let ordered = notations.clone().find(|notation| !matches!(**notation, "==" | "!="));
            values[at].0 = match ordered {
                Some(notation) if self.words_of(node).is_some() => {
                    self.error(report::words_have_no_order(notation, other, span))
                }
                Some(&"-") => self.date_meant(&text, node, span),
                _ => self.texts_meant(&[text], None, node, span),
            };
        }
    }

    /// `isin(symbol, ["AAPL", "IBM"])`, `clip(day, "2026-01-01", "2026-12-31")`: texts beside an argument that words or
    /// dates are behind are the elements that they mean. Returns whether each text means an element.
    pub(in crate::check::infer) fn mean_given(&mut self, op: &Op, given: &mut [GivenValue]) -> bool {
        if !given.iter().flatten().any(|(value, _)| matches!(value, Value::Str(_) | Value::Tuple(_))) {
            return true;
        }
        let mut all = true;
        let beside = given.iter().flatten().find_map(|(value, at)| self.meaningful(value).map(|node| (node, *at)));
        for (param, given) in op.params.iter().zip(given) {
            let Some((value, span)) = given else { continue };
            let (Role::Operand | Role::Optional(_) | Role::Filling, Some((texts, len))) = (param.role, texts(value))
            else {
                continue;
            };
            *value = match beside {
                Some((node, other)) if self.words_of(node).is_some() && is_ordered(op) => {
                    self.error(report::words_have_no_order(op.shown(), other, *span))
                }
                Some((node, _)) if op.class == Class::Selection && !looks_for_equals(op) => {
                    self.texts_put(&texts, len, node, *span)
                }
                Some((node, _)) => self.texts_meant(&texts, len, node, *span),
                None if len.is_some() => self.error(report::not_an_array(&Value::Str(texts[0].clone()), *span)),
                // Some options of functions are words.
                None => continue,
            };
            all &= !matches!(value, Value::Error);
        }
        all
    }

    /// `symbol[0] = "IBM"`: a text that is put into a variable that words or dates are behind.
    pub(in crate::check) fn mean_stored(&mut self, name: &str, given: Value, update: Update, span: Span) -> Value {
        let (Some((texts, len)), Some(binding)) = (texts(&given), self.frame.scope.find(name)) else { return given };
        // What is combined with the old elements is a number.
        if update.op.is_some() {
            return given;
        }
        match self.meaningful(&binding.value) {
            Some(node) => self.texts_put(&texts, len, node, span),
            None => given,
        }
    }

    /// What the integers of a value mean, if they mean something.
    pub(in crate::check::infer) fn meaning_of(&self, value: &Value) -> Option<&Logical> {
        let Value::Computed(computed) = value else { return None };
        self.graph.builder.program().logical(computed.node)
    }

    /// The node of an array whose integers mean something.
    fn meaningful(&self, value: &Value) -> Option<NodeId> {
        let Value::Computed(computed) = value else { return None };
        self.meaning_of(value).map(|_| computed.node)
    }

    /// The elements that texts mean beside a node: one number, or a vector of `len` numbers.
    fn texts_meant(&mut self, texts: &[Arc<str>], len: Option<usize>, node: NodeId, span: Span) -> Value {
        let dtype = self.graph.builder.dtype(node);
        let shape: Vec<usize> = len.into_iter().collect();
        if self.words_of(node).is_some_and(<[String]>::is_empty) && !self.request.usage.needs_data {
            // Only the data of a column says which code a word has.
            let dims = shape.iter().map(|&len| Dim::Const(len as u64)).collect();
            let node = self.graph.builder.input(&format!("{:?}", &*texts[0]), span, dtype, dims);
            self.graph.builder.means(node, Logical::Words(Vec::new()));
            return self.computed_value(node, dtype.into(), span);
        }
        let mut numbers = Vec::with_capacity(texts.len());
        for text in texts {
            let Some(logical) = self.graph.builder.program().logical(node) else { return Value::Error };
            let number = match (logical.number(text), logical) {
                (Some(number), _) => number,
                (None, Logical::Words(words)) => {
                    let near = suggest::closest(text, words.iter().map(String::as_str)).map(str::to_owned);
                    let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
                    self.findings.push(report::no_such_word(level, text, near.as_deref(), span));
                    MISSING
                }
                (None, other) => {
                    let diagnostic = report::text_means_nothing(text, other.name(), span);
                    return self.error(diagnostic);
                }
            };
            numbers.push(Logical::element(number, dtype));
        }
        let node = match len {
            None => self.graph.builder.constant(numbers[0]),
            Some(_) => self.graph.builder.literal(span, Array::from_scalars(dtype, &shape, numbers)),
        };
        self.computed_value(node, dtype.into(), span)
    }

    /// The date or time that a text means beside a node, as one: what lies between two is a number.
    fn date_meant(&mut self, text: &Arc<str>, node: NodeId, span: Span) -> Value {
        let meaning = self.graph.builder.program().logical(node).cloned();
        match (self.texts_meant(std::slice::from_ref(text), None, node, span), meaning) {
            (Value::Computed(computed), Some(meaning)) => {
                let Some(number) = self.graph.builder.as_constant(computed.node) else { return Value::Error };
                let date = Array::from_scalar(number).with_logical(meaning);
                let node = self.graph.builder.literal(span, date);
                self.computed_value(node, computed.elem, span)
            }
            (value, _) => value,
        }
    }

    /// The elements that texts mean that are put among those of a node: its column may not have the words yet.
    fn texts_put(&mut self, texts: &[Arc<str>], len: Option<usize>, node: NodeId, span: Span) -> Value {
        match self.words_of(node) {
            // Of codes without words nobody knows which are free.
            Some(words) if !words.is_empty() => {}
            _ => return self.texts_meant(texts, len, node, span),
        }
        let dtype = self.graph.builder.dtype(node);
        let mut words: Vec<String> = Vec::new();
        let code = |text: &Arc<str>| {
            let known = words.iter().position(|word| **word == **text);
            let code = known.unwrap_or_else(|| {
                words.push(text.to_string());
                words.len() - 1
            });
            Scalar { dtype, bits: code as u128 }
        };
        let codes: Vec<Scalar> = texts.iter().map(code).collect();
        let shape: Vec<usize> = len.into_iter().collect();
        let codes = Array::from_scalars(dtype, &shape, codes).with_logical(Logical::Words(words));
        let node = self.graph.builder.literal(span, codes);
        self.computed_value(node, dtype.into(), span)
    }

    /// The words that a node's codes stand for, where it is words.
    fn words_of(&self, node: NodeId) -> Option<&[String]> {
        match self.graph.builder.program().logical(node) {
            Some(Logical::Words(words)) => Some(words),
            _ => None,
        }
    }

    /// The words that an operand's codes stand for, where it is words.
    fn words(&self, operand: &Operand) -> Option<&[String]> {
        match operand.form {
            OperandForm::Node(node, _) => self.words_of(node),
            OperandForm::Const(_) | OperandForm::Literal(_) => None,
        }
    }

    /// Whether operands are words all of them: these have no order, though their codes have one.
    pub(in crate::check::infer) fn are_words(&self, operands: &[Operand]) -> bool {
        operands.iter().all(|operand| self.words(operand).is_some())
    }

    /// Gives operands that are words the codes of the first of them; words that it has not get codes behind its own.
    pub(in crate::check::infer) fn share_words(&mut self, operands: &[Operand], nodes: &mut [NodeId]) {
        if operands.len() < 2 {
            return;
        }
        let mut own = operands.iter().enumerate().filter_map(|(at, operand)| Some((at, self.words(operand)?)));
        let Some((_, first)) = own.next() else { return };
        let others: Vec<(usize, Vec<String>)> = own
            .filter(|(_, words)| *words != first && !words.is_empty())
            .map(|(at, words)| (at, words.to_vec()))
            .collect();
        if others.is_empty() {
            return;
        }
        let mut all = first.to_vec();
        let mut codes: HashMap<String, usize> = all.iter().cloned().zip(0..).collect();
        for (at, words) in others {
            let dtype = self.graph.builder.dtype(nodes[at]);
            if !dtype.is_integer() {
                continue;
            }
            let mut code = |word: String| {
                let code = *codes.entry(word).or_insert_with_key(|word| {
                    all.push(word.clone());
                    all.len() - 1
                });
                Scalar { dtype, bits: code as u128 }
            };
            let table: Vec<Scalar> = words.into_iter().map(&mut code).collect();
            let table = Array::from_scalars(dtype, &[table.len()], table);
            let table = table.with_logical(Logical::Words(all.clone()));
            let table = self.graph.builder.literal(operands[at].span, table);
            nodes[at] = translated(&mut self.graph.expand(), nodes[at], table);
        }
    }
}

/// A text, or the texts of a list with how many there are.
fn texts(value: &Value) -> Option<(Vec<Arc<str>>, Option<usize>)> {
    let text = |value: &Value| {
        let Value::Str(text) = value else { return None };
        Some(text.clone())
    };
    if let Value::Tuple(items) = value
        && !items.is_empty()
    {
        let texts: Option<Vec<Arc<str>>> = items.iter().map(text).collect();
        return texts.map(|texts| (texts, Some(items.len())));
    }
    text(value).map(|text| (vec![text], None))
}

/// Whether an operation asks which element is larger. Looking for equal ones sorts, and asks nothing.
fn is_ordered(op: &Op) -> bool {
    !looks_for_equals(op) && !matches!(op.class, Class::Selection | Class::Equality)
}

/// Whether an operation only looks for equal elements.
fn looks_for_equals(op: &Op) -> bool {
    matches!(op.form, Form::Lines(lines) if lines.of_equals)
}

/// Codes as a table has them; what is below zero is missing, and stays so.
fn translated(e: &mut Expand, codes: NodeId, table: NodeId) -> NodeId {
    let zero = e.integer(DType::I64, 0);
    let place = e.convert(codes, DType::I64);
    let missing = e.prim(Prim::Lt, &[place, zero]);
    let place = e.prim(Prim::Max, &[place, zero]);
    let found = e.0.gather(table, place, 0);
    let none = e.integer(e.dtype(codes), MISSING.into());
    e.select(missing, none, found)
}
