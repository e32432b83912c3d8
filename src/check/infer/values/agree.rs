//! Values of compile time compared: equal, different, or equal if some dimensions are.

use super::value::Value;
use crate::check::infer::Ctx;
use crate::check::report;
use crate::source::Span;
use crate::types::{DType, Dim};

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
            known @ (Agreement::Equal | Agreement::Different) => {
                let truth = crate::scalar::Scalar { dtype: DType::Bool, bits: (known == wanted).into() };
                let node = self.graph.builder.constant(truth);
                Some(self.computed_value(node, DType::Bool.into(), span))
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
}
