//! Values of compile time compared: equal, different, or equal if some dimensions are.

use super::Ctx;
use super::value::Value;
use crate::array::logical::Logical;
use crate::check::report;
use crate::diagnostic::codes::dtypes;
use crate::diagnostic::suggest;
use crate::source::Span;
use crate::types::{DType, Dim, Shape};

/// Whether two values of compile time are the same.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(in crate::check) enum Agreement {
    /// They are.
    Equal,
    /// They are not, whatever the data.
    Different,
    /// They are when these dimensions are equal, pair by pair.
    Unknown(Vec<(Dim, Dim)>),
}

impl Ctx<'_> {
    /// `a.shape == b.shape`, `x.dtype == f32`, `n == m`: the truth, where it is known before anything runs. Nothing for
    /// values that are compared element by element.
    pub(in crate::check) fn compare_known(
        &mut self,
        notation: &str,
        left: &Value,
        right: &Value,
        span: Span,
    ) -> Option<Value> {
        let wanted = match notation {
            "==" => Agreement::Equal,
            "!=" => Agreement::Different,
            _ => return None,
        };
        let sizes = matches!((left, right), (Value::Dim(_) | Value::Const(_), Value::Dim(_) | Value::Const(_)));
        match self.agreement(left, right)? {
            Agreement::Unknown(_) if sizes => None,
            Agreement::Unknown(pairs) => Some(self.error_about(report::sizes_unknown(&pairs, span), &pairs)),
            known => {
                let truth = crate::scalar::Scalar { dtype: DType::Bool, bits: (known == wanted).into() };
                let node = self.graph.builder.constant(truth);
                Some(self.computed(node, DType::Bool.into(), span))
            }
        }
    }

    /// Whether two values of compile time agree: sizes, dtypes, strings, `None`, and tuples of these. Nothing when one
    /// of them is an array.
    pub(in crate::check) fn agreement(&self, left: &Value, right: &Value) -> Option<Agreement> {
        let truth = |equal| Some(if equal { Agreement::Equal } else { Agreement::Different });
        match (left, right) {
            (Value::DType(left), Value::DType(right)) => truth(left == right),
            (Value::Str(left), Value::Str(right)) => truth(left == right),
            (Value::None, Value::None) => truth(true),
            (Value::None, Value::DType(_) | Value::Tuple(_)) | (Value::DType(_) | Value::Tuple(_), Value::None) => {
                truth(false)
            }
            (Value::Tuple(left), Value::Tuple(right)) if left.len() != right.len() => truth(false),
            (Value::Tuple(left), Value::Tuple(right)) => {
                let mut open = Vec::new();
                let mut different = false;
                for (left, right) in left.iter().zip(right.iter()) {
                    match self.agreement(left, right)? {
                        Agreement::Equal => {}
                        Agreement::Different => different = true,
                        Agreement::Unknown(pairs) => open.extend(pairs),
                    }
                }
                Some(match (different, open.is_empty()) {
                    (true, _) => Agreement::Different,
                    (false, true) => Agreement::Equal,
                    (false, false) => Agreement::Unknown(open),
                })
            }
            _ => {
                let (left, right) = (self.form(left)?, self.form(right)?);
                if left == right {
                    return truth(true);
                }
                match (Dim::of(left), Dim::of(right)) {
                    (Some(left), Some(right)) if !left.always_differs(&right) => {
                        Some(Agreement::Unknown(vec![(left, right)]))
                    }
                    _ => truth(false),
                }
            }
        }
    }

    /// `symbol == "AAPL"`, `day >= "2026-01-01"`: a text beside an array that words or dates are behind is the element that
    /// it means.
    pub(super) fn mean_texts(&mut self, values: &mut [(Value, Span)], notations: &[&str]) {
        for at in 0..values.len() {
            let Value::Str(text) = &values[at].0 else { continue };
            let (text, span) = (text.clone(), values[at].1);
            let neighbours = [at.checked_sub(1), Some(at + 1)].into_iter().flatten();
            if neighbours.filter_map(|at| values.get(at)).any(|(value, _)| matches!(value, Value::Error)) {
                values[at].0 = Value::Error;
                continue;
            }
            let beside =
                [at.checked_sub(1), Some(at + 1)].into_iter().flatten().find_map(|other| match values.get(other) {
                    Some((Value::Computed(computed), other_span)) => Some((computed.node, *other_span)),
                    _ => None,
                });
            let Some((node, other)) = beside else { continue };
            let Some(logical) = self.graph.builder.program().logical(node) else { continue };
            let around = [at.checked_sub(1), Some(at)].into_iter().flatten().filter_map(|at| notations.get(at));
            let ordered = around.clone().find(|notation| !matches!(**notation, "==" | "!="));
            let dtype = self.graph.builder.dtype(node);
            values[at].0 = match (logical, logical.number(&text), ordered) {
                (Logical::Words(_), _, Some(notation)) => {
                    self.error(report::words_have_no_order(notation, other, span))
                }
                (_, Some(number), _) => self.meant(number, dtype, span),
                (Logical::Words(words), None, None) if words.is_empty() && !self.request.needs_data => {
                    let name = format!("{:?}", &*text);
                    let node = self.graph.builder.input(&name, span, dtype, Shape::new());
                    self.graph.builder.means(node, Logical::Words(Vec::new()));
                    self.computed(node, dtype.into(), span)
                }
                (Logical::Words(words), None, None) => {
                    let near = suggest::closest(&text, words.iter().map(String::as_str)).map(str::to_owned);
                    let level = self.level(&dtypes::CONSTANT_COMPARISON, span);
                    self.findings.push(report::no_such_word(level, &text, near.as_deref(), span));
                    self.meant(-1, dtype, span)
                }
                (logical, None, _) => self.error(report::text_means_nothing(&text, logical.name(), span)),
            };
        }
    }

    fn meant(&mut self, number: i64, dtype: DType, span: Span) -> Value {
        let bits = number as u128 & (u128::MAX >> (128 - dtype.bits()));
        let node = self.graph.builder.constant(crate::scalar::Scalar { dtype, bits });
        self.computed(node, dtype.into(), span)
    }
}
