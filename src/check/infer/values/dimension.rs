//! Sizes as values: integers that are known before anything runs, as numbers or as forms over names.
//!
//! With data bound every size is a number. Without, arithmetic on sizes stays exact as long as it has a form, so that
//! `zeros(n - 1)` has the type `f64[n-1]`; where a number is wanted, a size is a weak integer that is not known yet.

use super::operand::Operand;
use super::value::Value;
use crate::check::infer::Ctx;
use crate::check::report;
use crate::constant::Const;
use crate::diagnostic::Diagnostic;
use crate::ir::{NodeId, NodeKind};
use crate::ops;
use crate::scalar::Scalar;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;
use crate::source::{Span, library_line};
use crate::types::{Affine, DType, Dim, parts};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

/// The largest exponent of a size that is a form.
const MAX_FACTORS: i64 = 8;
/// How many nodes are looked at for the value of one.
const MAX_STEPS: usize = 64;

impl Ctx<'_> {
    /// A value as an integer of compile time, if it is one.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value is an integer of compile time")]
    pub(in crate::check) fn form(&self, value: &Value) -> Option<Affine> {
        match value {
            Value::Const(Const::Int(value)) => value.to_i64().map(Affine::constant),
            Value::Dim(dim) => dim.form(),
            Value::Computed(computed) => {
                self.now(computed.node).filter(|scalar| scalar.dtype.is_integer()).and_then(|scalar| {
                    let wide = eval(Prim::Convert, DType::I64, &[scalar]).bits as u64 as i64;
                    (scalar.dtype != DType::U64 || wide >= 0).then(|| Affine::constant(wide))
                })
            }
            _ => None,
        }
    }

    /// The value of a node as far as anything can be known before data is: a constant, or what defaults make of it.
    ///
    /// Sizes, axes and flags decide shapes, and a script whose defaults decide them is checked with these. Nothing else
    /// may ask: the value of an input is any of its dtype or range.
    pub(in crate::check) fn now(&self, node: NodeId) -> Option<Scalar> {
        let mut budget = MAX_STEPS;
        self.computed_now(node, true, &mut budget)
    }

    /// The value of a node that is made of constants alone. Where prims are guarded these stay what they are.
    pub(in crate::check::infer) fn of_constants(&self, node: NodeId) -> Option<Scalar> {
        let mut budget = MAX_STEPS;
        self.computed_now(node, false, &mut budget)
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "no other node is known before data is")]
    fn computed_now(&self, node: NodeId, defaults: bool, budget: &mut usize) -> Option<Scalar> {
        *budget = budget.checked_sub(1)?;
        let found = self.graph.builder.program().node(node);
        match found.kind {
            NodeKind::Const(scalar) => Some(scalar),
            NodeKind::Input(_) if defaults => self.graph.defaults.get(node),
            // Without guards and defaults what is made of constants is one already.
            NodeKind::Map(prim, args)
                if found.shape.is_empty() && (self.settings.checked || !self.graph.defaults.is_empty()) =>
            {
                let args = args.into_iter().flatten().map(|arg| self.computed_now(arg, defaults, budget));
                let args: Option<Vec<Scalar>> = args.collect();
                Some(eval(prim, found.dtype, &args?))
            }
            _ => None,
        }
    }

    /// Whether a value is known because defaults are, and not in itself.
    pub(in crate::check) fn depends_on_data(&self, value: &Value) -> bool {
        matches!(value, Value::Computed(computed) if self.graph.builder.as_constant(computed.node).is_none())
    }

    /// A form as a value: a number is a constant.
    pub(in crate::check) fn form_value(form: Affine) -> Value {
        match form.known() {
            Some(value) => Value::Const(Const::Int(BigInt::from(value))),
            None => Value::Dim(Dim::Affine(Box::new(form))),
        }
    }

    /// `n - 1`, `2*n`, `n // 2` where a size that is not known takes part. It is `None` for other operands and
    /// operators.
    pub(in crate::check) fn size_arithmetic(&mut self, notation: &str, left: &Value, right: &Value) -> Option<Value> {
        let unknown = |value: &Value| matches!(value, Value::Dim(Dim::Affine(_)));
        if !unknown(left) && !unknown(right) {
            return None;
        }
        let (left, right) = (self.form(left)?, self.form(right)?);
        size_operation(notation, &left, &right).map(Self::form_value)
    }

    /// Reports something about dimensions, with the places where their names come from.
    pub(in crate::check) fn error_about(&mut self, diagnostic: Diagnostic, pairs: &[(Dim, Dim)]) -> Value {
        let dims = pairs.iter().flat_map(|(left, right)| [left, right]);
        let diagnostic = self.with_names(diagnostic, dims);
        self.error(diagnostic)
    }

    /// Labels the places where the names of dimensions were met first.
    pub(in crate::check) fn with_names<'d>(
        &self,
        diagnostic: Diagnostic,
        dims: impl IntoIterator<Item = &'d Dim>,
    ) -> Diagnostic {
        names_in(dims).into_iter().fold(diagnostic, |diagnostic, name| {
            match (self.counted_in(name), self.frame.dims.get(name)) {
                (Some((place, of)), _) => diagnostic.label(place, format!("`{name}` is the {of}")),
                (None, Some((_, span))) => diagnostic.label(*span, format!("`{name}` comes from here")),
                (None, None) => diagnostic,
            }
        })
    }

    /// Labels the lengths that data decides, for nobody wrote their names.
    pub(in crate::check) fn with_counts<'d>(
        &self,
        diagnostic: Diagnostic,
        dims: impl IntoIterator<Item = &'d Dim>,
    ) -> Diagnostic {
        names_in(dims).into_iter().fold(diagnostic, |diagnostic, name| {
            let counted = self.counted_in(name).filter(|(place, _)| library_line(*place).is_none());
            match counted {
                Some((place, of)) => diagnostic.label(place, format!("`{name}` is the {of}")),
                None => diagnostic,
            }
        })
    }

    /// Which data decides a length, and where it stands.
    fn counted_in(&self, name: &str) -> Option<(Span, &'static str)> {
        let program = self.graph.builder.program();
        let length = self.graph.builder.length_named(name)?;
        let text = self.text(length.span);
        let of = match () {
            // The place of a length that a call makes is the name of the function.
            () if ops::find(text.rsplit('.').next().unwrap_or(text)).is_some() => "length of what this gives",
            () if is_slice(text) => "length of this slice",
            () if program.counts_a_mask(length) => "count of this mask",
            () => "length of this, which the run decides",
        };
        Some((length.span, of))
    }

    /// How many elements an array of this shape has, if that has a form.
    pub(in crate::check) fn element_count(shape: &[Dim]) -> Option<Dim> {
        shape.iter().try_fold(Dim::Const(1), |count, dim| count.multiply(dim))
    }

    /// How many elements an operand has. Where that has no form, it is an error.
    pub(in crate::check) fn known_count(&mut self, operand: &Operand, at: Span) -> Option<Dim> {
        let count = Self::element_count(&operand.shape);
        if count.is_none() {
            self.error(report::open_count(operand, at));
        }
        count
    }
}

/// What an operator makes of two sizes. It is `None` where there is no form for it.
pub(in crate::check) fn size_operation(notation: &str, left: &Affine, right: &Affine) -> Option<Affine> {
    match notation {
        "+" => left.plus(right, 1),
        "-" => left.plus(right, -1),
        "*" => left.multiply(right),
        "//" => left.floor_divide(right),
        "%" => left.plus(&left.floor_divide(right)?.multiply(right)?, -1),
        "**" => {
            let times = right.known().filter(|times| (1..=MAX_FACTORS).contains(times))?;
            (1..times).try_fold(left.clone(), |power, _| power.multiply(left))
        }
        _ => None,
    }
}

/// The names in dimensions, each once.
fn names_in<'d>(dims: impl IntoIterator<Item = &'d Dim>) -> Vec<&'d str> {
    let mut names: Vec<&str> = Vec::new();
    for dim in dims {
        dim.names(&mut |name| {
            let name = parts::length_of(name);
            if !names.contains(&name) {
                names.push(name);
            }
        });
    }
    names
}

/// Whether a text is that of a slice: it has a colon outside of brackets.
fn is_slice(text: &str) -> bool {
    let mut open = 0i32;
    text.chars().any(|c| {
        open += i32::from(matches!(c, '(' | '[' | '{')) - i32::from(matches!(c, ')' | ']' | '}'));
        c == ':' && open == 0
    })
}
