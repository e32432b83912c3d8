//! Inputs: declared types meet the data or the literal that is given for them.

use crate::array::Array;
use crate::array::logical::Logical;
use crate::check::infer::Ctx;
use crate::check::infer::state::frame::Frame;
use crate::check::infer::values::annotation::Annotation;
use crate::check::infer::values::operand::OperandForm;
use crate::check::infer::values::value::Value;
use crate::check::{BoundName, report};
use crate::diagnostic::Diagnostic;
use crate::ir::{Check, Fault, Fold, NodeId};
use crate::range::{self, Range};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::syntax::ast::{DimsExpr, ExprId, ExprKind, Name, Script, StmtKind, TypeExpr};
use crate::types::{Dim, Elem, shape};
use std::sync::Arc;

impl<'a> Ctx<'a> {
    /// `input name: type in [lo, hi] = default`
    pub(in crate::check) fn input(
        &mut self,
        name: &Name,
        ty: &TypeExpr,
        range: Option<(ExprId, ExprId)>,
        default: Option<ExprId>,
    ) {
        let bound = self.given(&name.text);
        self.typed.used.push(name.text.clone());
        let stated = bound.and_then(|_| self.stated_otherwise(name, ty));
        let value = match bound {
            Some(_) if stated.as_ref().is_some_and(|stated| self.contradicts(name, ty, stated)) => Value::Error,
            Some(given) if self.typed.single_axes.are_by_names() => {
                let by_default = default.and_then(|default| self.as_by_default(name, ty, given, default));
                by_default.unwrap_or_else(|| self.named_input(name, ty, given, stated.as_ref()))
            }
            Some((BoundName::Data(array), at)) => self.declared_data(name, ty, array.clone(), at),
            Some((BoundName::Expression(script), at)) => {
                let given = self.foreign(script);
                self.bind_if_number(&given);
                self.filled(name, ty, given, at)
            }
            None => match default {
                Some(default) => {
                    let span = self.frame.script.expr(default).span;
                    match self.request.usage.needs_data {
                        true => {
                            let value = self.infer_open(default);
                            self.bind_if_number(&value);
                            self.filled(name, ty, value, span)
                        }
                        false => {
                            let value = self.infer_open(default);
                            self.defaulted(name, ty, value, span)
                        }
                    }
                }
                None => self.open_input(name, ty),
            },
        };
        let value = self.storable(&name.text, value, ty.span);
        let value = self.as_stated(name, value, bound, stated.as_ref());
        self.note_error(&value, ty.span);
        if let Some((low, high)) = range {
            self.guard_range(name, &value, low, high);
        }
        self.frame.scope.define(&name.text, value, name.span);
    }

    /// What the command line states of an input that the script declares, too. A name that no line declares is declared
    /// by what is stated, and what is wrong with that is said once.
    fn stated_otherwise(&mut self, name: &Name, ty: &TypeExpr) -> Option<Annotation> {
        let (script, stated) = self.stated(&name.text).filter(|(_, stated)| !std::ptr::eq(*stated, ty))?;
        self.within(script, |ctx| ctx.annotation(stated, None))
    }

    /// Whether the script declares something else, which is told.
    fn contradicts(&mut self, name: &Name, ty: &TypeExpr, stated: &Annotation) -> bool {
        let Some(own) = self.annotation(ty, None) else { return true };
        contradiction(name, &own, stated).map(|error| self.error(error)).is_some()
    }

    /// A value that has the lengths that the command line states beside it.
    fn as_stated(
        &mut self,
        name: &Name,
        value: Value,
        bound: Option<(&BoundName, Span)>,
        stated: Option<&Annotation>,
    ) -> Value {
        let (Value::Computed(computed), Some((_, at)), Some(stated)) = (&value, bound, stated) else { return value };
        let shape = self.graph.builder.shape(computed.node).clone();
        match stated.dims.as_ref().filter(|dims| differ(dims, &shape)) {
            Some(dims) => self.error(report::stated_shape(&name.text, dims, &shape, stated, at)),
            None => value,
        }
    }

    /// An input that the system has a dtype for: without 64-bit types there are no 64-bit inputs.
    fn storable(&mut self, name: &str, value: Value, at: Span) -> Value {
        let system = self.settings.system;
        if let Value::Computed(computed) = &value
            && system.storage_type(computed.elem) != computed.elem
        {
            let narrow = system.harden(system.storage_type(computed.elem));
            return self.error(report::no_wide_inputs(name, system.name, system.harden(computed.elem), narrow, at));
        }
        value
    }

    /// An input of the lengths of its default. It is `None` where that is wrong. A number decides shapes as it is
    /// given.
    fn as_by_default(
        &mut self,
        name: &Name,
        ty: &TypeExpr,
        (given, at): (&'a BoundName, Span),
        default: ExprId,
    ) -> Option<Value> {
        let is_number = matches!(ty.dims, DimsExpr::Scalar);
        let (value, span) = match given {
            BoundName::Data(array) if is_number => (self.declared_data(name, ty, array.clone(), at), at),
            BoundName::Expression(script) if is_number => (self.foreign(script), at),
            BoundName::Data(_) | BoundName::Expression(_) => {
                (self.infer_open(default), self.frame.script.expr(default).span)
            }
        };
        let value = self.defaulted(name, ty, value, span);
        (!matches!(value, Value::Error)).then_some(value)
    }

    /// An input of the lengths that its type names, whatever is given for it.
    fn named_input(
        &mut self,
        name: &Name,
        ty: &TypeExpr,
        (given, at): (&'a BoundName, Span),
        stated: Option<&Annotation>,
    ) -> Value {
        let Some(own) = self.annotation(ty, None) else { return Value::Error };
        let dtype = own.dtype.or_else(|| stated.and_then(|stated| stated.dtype));
        let dims = own.dims.or_else(|| stated.and_then(|stated| stated.dims.clone()));
        let (dtype, dims) = match (dtype, dims, given) {
            (Some(dtype), Some(dims), _) => (dtype, dims),
            (dtype, dims, BoundName::Data(array)) => {
                (dtype.unwrap_or(array.dtype()), dims.unwrap_or_else(|| known(array.shape())))
            }
            (dtype, dims, BoundName::Expression(script)) => {
                let value = self.foreign(script);
                let Some(operand) = self.operand(value, at) else { return Value::Error };
                (dtype.unwrap_or_else(|| self.settings.harden(operand.elem)), dims.unwrap_or(operand.shape))
            }
        };
        let node = self.graph.builder.input(&name.text, name.span, dtype, dims);
        self.means(node, ty);
        self.computed_value(node, dtype.into(), ty.span)
    }

    /// An input whose data is known.
    fn declared_data(&mut self, name: &Name, ty: &TypeExpr, array: Array, at: Span) -> Value {
        let Some(annotation) = self.annotation(ty, Some(&known(array.shape()))) else { return Value::Error };
        if let Some(dims) = &annotation.dims
            && shape::sizes(dims).as_deref() != Some(array.shape())
        {
            let text = self.text(ty.span);
            return self.error(report::input_shape(&name.text, text, dims, array.shape(), &annotation, at));
        }
        if let Some(dtype) = annotation.dtype
            && dtype != array.dtype()
        {
            return self.error(report::input_dtype(&name.text, dtype, array.dtype(), &annotation, at));
        }
        let value = self.data(&name.text, array, name.span, ty.span);
        if let Value::Computed(computed) = &value {
            self.means(computed.node, ty);
        }
        value
    }

    /// An array from outside as a value.
    fn data(&mut self, name: &str, array: Array, span: Span, origin: Span) -> Value {
        let elem = Elem::Strong(array.dtype());
        if array.shape().is_empty() {
            let node = self.graph.builder.constant(array.get(0));
            return self.computed_value(node, elem, origin);
        }
        let dims = array.shape().iter().map(|&size| Dim::Const(size as u64)).collect();
        let node = self.graph.builder.input(name, span, array.dtype(), dims);
        if let Some(values) = range::data::values(&array) {
            self.graph.ranges.declare(node, Range::of_data(values));
        }
        self.graph.builder.bind(node, array);
        self.computed_value(node, elem, origin)
    }

    /// An input that is given by an expression: a weak constant takes the declared dtype, a scalar fills the shape.
    fn filled(&mut self, name: &Name, ty: &TypeExpr, value: Value, at: Span) -> Value {
        if matches!(value, Value::Error) {
            return value;
        }
        if let Value::Absent(path) = &value {
            return self.absent_as(path, at, ty);
        }
        let value = match (&value, Logical::by_name(&ty.dtype.text)) {
            (Value::Str(text), Some(meaning)) => self.text_given(text, meaning, at),
            _ => value,
        };
        let Some(operand) = self.operand(value, at) else { return Value::Error };
        let sizes = shape::sizes(&operand.shape).unwrap_or_default();
        let Some(annotation) = self.annotation(ty, Some(&known(&sizes))) else { return Value::Error };
        let dtype = annotation.dtype.unwrap_or_else(|| self.settings.harden(operand.elem));
        if !operand.elem.is_weak() && operand.elem != Elem::Strong(dtype) {
            return self.error(report::input_dtype(
                &name.text,
                dtype,
                self.settings.harden(operand.elem),
                &annotation,
                at,
            ));
        }
        let Some(mut node) = self.exact(&operand, dtype, None) else { return Value::Error };
        if matches!(operand.form, OperandForm::Literal(_)) {
            // Another run may be given other numbers.
            self.graph.ranges.declare(node, Range::of_dtype(dtype));
        }
        node = self.as_dates(node, ty, at);
        if let Some(dims) = &annotation.dims {
            match shape::broadcast(&operand.shape, dims) {
                Ok(_) if self.request.usage.needs_data && shape::sizes(dims).is_none() => {
                    return self.error(report::unknown_size(&name.text, dims, &annotation, at));
                }
                Ok(joined) if joined == *dims => node = self.graph.expand().broadcast(node, dims),
                _ => {
                    let text = self.text(ty.span);
                    return self.error(report::input_shape(&name.text, text, dims, &sizes, &annotation, at));
                }
            }
        }
        self.computed_value(node, dtype.into(), ty.span)
    }

    /// A text that is given for a date, a time or a word.
    fn text_given(&mut self, text: &str, meaning: Logical, at: Span) -> Value {
        let meaning = match meaning {
            Logical::Words(_) => Logical::Words(vec![text.to_owned()]),
            other @ (Logical::Date | Logical::Time) => other,
        };
        let Some(number) = meaning.number(text) else {
            return self.error(report::text_means_nothing(text, meaning.name(), at));
        };
        let dtype = meaning.dtype();
        let number = Logical::element(number, dtype);
        let array = Array::from_scalars(dtype, &[], [number]).with_logical(meaning);
        let node = self.graph.builder.literal(at, array);
        self.computed_value(node, dtype.into(), at)
    }

    /// Numbers that the text gives for dates or times, as such.
    fn as_dates(&mut self, node: NodeId, ty: &TypeExpr, at: Span) -> NodeId {
        let meaning = Logical::by_name(&ty.dtype.text).filter(|meaning| *meaning != Logical::Words(Vec::new()));
        match meaning.zip(self.known_array(node)) {
            Some((meaning, array)) if array.logical().is_none() => {
                self.graph.builder.literal(at, array.with_logical(meaning))
            }
            _ => node,
        }
    }

    /// An input that has a default and no data yet: of the default's dtype and shape, and of any value.
    fn defaulted(&mut self, name: &Name, ty: &TypeExpr, value: Value, span: Span) -> Value {
        let Value::Computed(filled) = self.filled(name, ty, value, span) else { return Value::Error };
        let (builder, node) = (&self.graph.builder, filled.node);
        let (dtype, shape, scalar) = (builder.dtype(node), builder.shape(node).clone(), builder.as_constant(node));
        // Other data has other words.
        let meaning = builder.program().logical(node).map(|meaning| match meaning {
            Logical::Words(_) => Logical::Words(Vec::new()),
            other @ (Logical::Date | Logical::Time) => other.clone(),
        });
        let node = self.graph.builder.input(&name.text, name.span, dtype, shape);
        meaning.into_iter().for_each(|meaning| self.graph.builder.means(node, meaning));
        // No shape goes by a complex number.
        let scalar = scalar.filter(|_| !dtype.is_complex());
        scalar.into_iter().for_each(|scalar| self.graph.defaults.add(node, scalar));
        self.means(node, ty);
        self.computed_value(node, dtype.into(), ty.span)
    }

    /// An input without data: its type must be complete, and running needs the data.
    fn open_input(&mut self, name: &Name, ty: &TypeExpr) -> Value {
        let stated = self.stated_otherwise(name, ty);
        let Some(annotation) = self.annotation(ty, None) else { return Value::Error };
        // What is wrong with a type that is stated was told.
        if stated.is_none() && self.stated(&name.text).is_some_and(|(_, stated)| !std::ptr::eq(stated, ty)) {
            return Value::Error;
        }
        if self.request.usage.needs_data {
            let (ty, at_prompt) = (self.request.sources.text(ty.span), self.request.usage.defines);
            return self.error(report::missing_input(&name.text, ty, &annotation, at_prompt));
        }
        let dtype = annotation.dtype.or_else(|| stated.as_ref().and_then(|stated| stated.dtype));
        let dims = annotation.dims.clone().or_else(|| stated.as_ref().and_then(|stated| stated.dims.clone()));
        let (Some(dtype), Some(dims)) = (dtype, dims) else {
            let open = stated.as_ref().unwrap_or(&annotation);
            let text = self.request.sources.text(open.span);
            return self.error(report::open_type(&name.text, text, open, stated.is_some()));
        };
        if let Some(stated) = &stated
            && let Some(error) = contradiction(name, &annotation, stated)
        {
            return self.error(error);
        }
        let node = self.graph.builder.input(&name.text, name.span, dtype, dims);
        self.means(node, ty);
        self.computed_value(node, dtype.into(), ty.span)
    }

    /// A value from the command line that no `input` line declares.
    pub(in crate::check) fn free_name(&mut self, name: &str) -> Option<Value> {
        if !self.request.usage.free_names {
            return None;
        }
        if let Some((bound, at)) = self.given(name) {
            self.typed.used.push(name.to_owned());
            let value = match (bound, self.stated(name)) {
                (BoundName::Data(array), None) => self.data(name, array.clone(), at, at),
                (BoundName::Expression(script), None) => {
                    let value = self.foreign(script);
                    self.with_default_dtype(value, at)
                }
                (bound, Some((script, ty))) => {
                    let own = Name { text: name.to_owned(), span: at };
                    match bound {
                        given if self.typed.single_axes.are_by_names() => {
                            self.within(script, |ctx| ctx.named_input(&own, ty, (given, at), None))
                        }
                        BoundName::Data(array) => {
                            self.within(script, |ctx| ctx.declared_data(&own, ty, array.clone(), at))
                        }
                        BoundName::Expression(given) => {
                            let value = self.foreign(given);
                            self.within(script, |ctx| ctx.filled(&own, ty, value, at))
                        }
                    }
                }
            };
            let value = self.storable(name, value, at);
            self.frame.scope.define(name, value.clone(), at);
            return Some(value);
        }
        let (script, ty) = self.stated(name)?;
        self.typed.used.push(name.to_owned());
        let own = Name { text: name.to_owned(), span: ty.span };
        let value = self.within(script, |ctx| ctx.open_input(&own, ty));
        let value = self.storable(name, value, ty.span);
        self.frame.scope.define(name, value.clone(), ty.span);
        Some(value)
    }

    /// A value from the command line that nothing used so far, and whose type has a dimension of this name.
    pub(in crate::check) fn unused_with_dimension(&self, name: &str) -> Option<&'a str> {
        let declared: &'a [Arc<Script>] = self.request.given.declared;
        let inputs = declared.iter().flat_map(|script| script.stmts.iter().map(move |stmt| (script, stmt)));
        let mut owners = inputs.filter_map(|(script, stmt)| {
            let StmtKind::Input { name: owner, ty, .. } = &stmt.kind else { return None };
            let DimsExpr::List(dims) = &ty.dims else { return None };
            let has = dims.iter().any(|&dim| matches!(&script.expr(dim).kind, ExprKind::Name(own) if own == name));
            has.then_some(owner.text.as_str())
        });
        owners.find(|owner| self.frame.scope.find(owner).is_none())
    }

    /// What the command line gives for a name.
    fn given(&self, name: &str) -> Option<(&'a BoundName, Span)> {
        self.request.given.bound.get(name).map(|(bound, at)| (bound, *at))
    }

    /// The type that the command line states for a name.
    fn stated(&self, name: &str) -> Option<(&'a Script, &'a TypeExpr)> {
        self.request.given.declared.iter().find_map(|script| declared_type(script, name).map(|ty| (&**script, ty)))
    }

    /// The value of an expression of its own little script.
    pub(super) fn foreign(&mut self, script: &'a Script) -> Value {
        let Some(StmtKind::Expr { value, .. }) = script.stmts.first().map(|stmt| &stmt.kind) else {
            return Value::Error;
        };
        self.within(script, |ctx| ctx.infer_open(*value))
    }

    /// Does something with another script's tree in place of this one's.
    fn within<T>(&mut self, script: &'a Script, f: impl FnOnce(&mut Self) -> T) -> T {
        let mut frame = std::mem::replace(&mut self.frame, Frame::of(script));
        self.scripts.look(script);
        self.findings.suppressed.add(script, self.request.sources);
        self.swap_names(&mut frame);
        let result = f(self);
        self.swap_names(&mut frame);
        self.frame = frame;
        result
    }

    /// Names stay what they are in the other script.
    fn swap_names(&mut self, frame: &mut Frame<'a>) {
        std::mem::swap(&mut self.frame.scope, &mut frame.scope);
        std::mem::swap(&mut self.frame.dims, &mut frame.dims);
    }

    /// `in [lo, hi]`: every element is checked when the program runs; NaN is outside.
    fn guard_range(&mut self, name: &Name, value: &Value, low: ExprId, high: ExprId) {
        let range = format!(
            "[{}, {}]",
            self.text(self.frame.script.expr(low).span),
            self.text(self.frame.script.expr(high).span)
        );
        let mut bounds = Vec::with_capacity(2);
        for id in [low, high] {
            let span = self.frame.script.expr(id).span;
            let bound = self.infer(id);
            let Some(bound) = self.operand(bound, span) else { return self.note_unreported(span) };
            bounds.push(bound);
        }
        let Some(operand) = self.operand(value.clone(), name.span) else { return self.note_unreported(name.span) };
        let Some(checked) = self.node(&operand) else { return self.note_unreported(name.span) };
        let declared = (bounds[0].clone(), bounds[1].clone());
        let mut inside = Vec::with_capacity(2);
        for (index, bound) in bounds.into_iter().enumerate() {
            let row = Self::operator(crate::ops::Notation::Infix("<="));
            let pair =
                if index == 0 { vec![bound.clone(), operand.clone()] } else { vec![operand.clone(), bound.clone()] };
            let holds = self.quietly(|ctx| ctx.apply_operator(row, pair, bound.span, bound.span));
            let Some(holds) = self.operand(holds, bound.span) else { return self.note_unreported(bound.span) };
            let Some(node) = self.node(&holds) else { return self.note_unreported(bound.span) };
            inside.push(node);
        }
        let mut e = self.graph.expand();
        let both = e.prim(Prim::And, &inside);
        let outside = e.not(both);
        let rank = e.shape(outside).len();
        let axes: Vec<usize> = (0..rank).collect();
        let node = e.fold(Fold::FirstTrue, outside, &axes);
        // Ends that are no literals may be those of an input without elements.
        let ends = [declared.0.span, declared.1.span];
        let is_written = ends.into_iter().all(|end| self.text(end).replace('_', "").parse::<f64>().is_ok());
        if self.declare_range(checked, &declared.0, &declared.1).is_none() && is_written {
            let at = declared.0.span.to(declared.1.span);
            self.error(report::empty_range(&name.text, self.graph.builder.dtype(checked), &range, at));
            return;
        }
        let fault = Fault::OutOfRange { input: name.text.clone(), range, value: checked };
        self.graph.builder.check(Check { node, written: 0, fault, span: name.span, calls: Vec::new() });
    }
}

/// Sizes as dimensions.
fn known(sizes: &[usize]) -> Vec<Dim> {
    sizes.iter().map(|&size| Dim::Const(size as u64)).collect()
}

/// Whether shapes cannot be the same. Names of lengths may be others, and stand for any.
fn differ(own: &[Dim], other: &[Dim]) -> bool {
    let apart = |(own, other): (&Dim, &Dim)| own.known().zip(other.known()).is_some_and(|(own, other)| own != other);
    own.len() != other.len() || own.iter().zip(other).any(apart)
}

/// What is wrong where a type is stated beside the one that the script declares.
fn contradiction(name: &Name, own: &Annotation, stated: &Annotation) -> Option<Diagnostic> {
    if let (Some(own_dtype), Some(dtype)) = (own.dtype, stated.dtype)
        && own_dtype != dtype
    {
        return Some(report::input_dtype(&name.text, own_dtype, dtype, own, stated.span));
    }
    let (dims, other) = (own.dims.as_ref()?, stated.dims.as_ref()?);
    differ(dims, other).then(|| report::stated_shape(&name.text, dims, other, own, stated.span))
}

fn declared_type<'s>(script: &'s Script, wanted: &str) -> Option<&'s TypeExpr> {
    script.stmts.iter().find_map(|stmt| {
        let StmtKind::Input { name, ty, .. } = &stmt.kind else { return None };
        (name.text == wanted).then_some(ty)
    })
}
