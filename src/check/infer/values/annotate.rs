//! Types as written: dtype names with dimensions. The walk asks whether a value agrees with one.

use super::annotation::Annotation;
use super::operand::Operand;
use super::value::Value;
use crate::array::logical::Logical;
use crate::check::infer::Ctx;
use crate::check::report;
use crate::ir::NodeId;
use crate::ops::Notation;
use crate::source::Span;
use crate::syntax::ast::{DimsExpr, ExprId, ExprKind, TypeExpr};
use crate::types::affine::Atom;
use crate::types::{Affine, DType, Dim, Elem, Shape};
use std::str::FromStr;

impl Ctx<'_> {
    /// Resolves a type; `sizes` are the axes of the data that binds its names, if there is data.
    pub(in crate::check) fn annotation(&mut self, ty: &TypeExpr, sizes: Option<&[Dim]>) -> Option<Annotation> {
        let dtype = match ty.dtype.text.as_str() {
            "_" => None,
            // Days, microseconds and codes are read and shown as what they mean.
            name => match Logical::by_name(name).map(|it| it.dtype()).or_else(|| DType::from_str(name).ok()) {
                Some(dtype) => Some(dtype),
                None => {
                    self.error(report::unknown_dtype(name, ty.dtype.span));
                    return None;
                }
            },
        };
        let dims = match &ty.dims {
            DimsExpr::Scalar => Some(Shape::new()),
            DimsExpr::Any => None,
            DimsExpr::List(list) => {
                let fits = sizes.filter(|sizes| sizes.len() == list.len());
                let mut dims = Vec::with_capacity(list.len());
                for (index, &dim) in list.iter().enumerate() {
                    dims.push(self.dim(dim, fits.map(|sizes| sizes[index].clone()))?);
                }
                Some(dims)
            }
        };
        Some(Annotation { dtype, dims, span: ty.span })
    }

    /// A dimension as written; a new name is bound to `size`.
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other expression is a dimension")]
    fn dim(&mut self, id: ExprId, size: Option<Dim>) -> Option<Dim> {
        let span = self.frame.script.expr(id).span;
        match &self.frame.script.expr(id).kind {
            ExprKind::Int => match super::literal::number(self.text(span)).value {
                crate::constant::Const::Int(value) => match u64::try_from(&value) {
                    Ok(size) if i64::try_from(size).is_ok() => Some(Dim::Const(size)),
                    _ => self.bad_dim(span),
                },
                crate::constant::Const::Float(_) | crate::constant::Const::Complex(..) => self.bad_dim(span),
            },
            ExprKind::Name(name) if name.parse::<Elem>().is_ok() => {
                self.error(report::dtype_bound(name, span));
                None
            }
            ExprKind::Name(name) => {
                let entry = self.frame.dims.entry(name.clone()).or_insert((None, span));
                entry.0 = entry.0.take().or(size);
                let dim = entry.0.clone().unwrap_or_else(|| Dim::name(name));
                Some(self.graph.equal().of(&dim))
            }
            ExprKind::Paren(inner) => self.dim(*inner, size),
            // Chains of operators may be longer than the stack is deep.
            ExprKind::Infix(..) => {
                let (mut spine, mut first) = (Vec::new(), id);
                while let ExprKind::Infix(op, left, right) = &self.frame.script.expr(first).kind {
                    spine.push((*op, *right));
                    first = *left;
                }
                let mut form = self.dim(first, None)?.form()?;
                for (op, right) in spine.into_iter().rev() {
                    let right = self.dim(right, None)?.form()?;
                    match super::dimension::size_operation(op.notation, &form, &right) {
                        Some(made) => form = made,
                        None => return self.bad_dim(span),
                    }
                }
                self.sized(Some(form), size, span)
            }
            // `min(5, n)`: the length of `x[:5]`.
            ExprKind::Call(callee, args)
                if args.len() == 2 && self.text(self.frame.script.expr(*callee).span) == "min" =>
            {
                let (left, right) = (self.dim(args[0].value, None)?, self.dim(args[1].value, None)?);
                let made = left.form()?.least(&right.form()?);
                self.sized(made, size, span)
            }
            ExprKind::Error => None,
            _ => self.bad_dim(span),
        }
    }

    /// A computed dimension. Where the size is known and one name in it has no length yet, the name is solved for.
    fn sized(&mut self, form: Option<Affine>, size: Option<Dim>, span: Span) -> Option<Dim> {
        let Some(form) = form else { return self.bad_dim(span) };
        if let ([(Atom::Name(name), factor)], Some(size)) = (form.terms.as_slice(), size)
            && let Some(entry) = self.frame.dims.get_mut(name)
            && entry.0.is_none()
        {
            let rest = size.form().and_then(|size| size.plus(&Affine::constant(form.constant), -1));
            let (times, rest) = (Affine::constant(*factor), rest?);
            let solved = rest.floor_divide(&times).filter(|found| found.multiply(&times).as_ref() == Some(&rest));
            entry.0 = solved.and_then(Dim::of);
            if entry.0.is_some() {
                return Some(size);
            }
        }
        Dim::of(form).map(|dim| self.graph.equal().of(&dim)).or_else(|| self.bad_dim(span))
    }

    fn bad_dim(&mut self, span: Span) -> Option<Dim> {
        self.error(report::bad_dimension(self.text(span), span));
        None
    }

    /// An input of such a type holds days, moments or words.
    pub(in crate::check) fn means(&mut self, node: NodeId, ty: &TypeExpr) {
        if let Some(meaning) = Logical::by_name(&ty.dtype.text) {
            self.graph.builder.means(node, meaning);
        }
    }

    /// Whether a value agrees with its annotation. A constant takes the annotated dtype if it fits.
    pub(in crate::check) fn annotate(&mut self, value: Value, span: Span, ty: Option<&TypeExpr>) -> Value {
        self.annotate_part(value, span, ty, None)
    }

    /// The same for one of several values. `part` is its name if `span` is the place of all of them.
    pub(in crate::check) fn annotate_part(
        &mut self,
        value: Value,
        span: Span,
        ty: Option<&TypeExpr>,
        part: Option<&str>,
    ) -> Value {
        let Some(ty) = ty else { return value };
        if let Value::Absent(path) = &value {
            return self.absent_as(path, span, ty);
        }
        if matches!(value, Value::Error) {
            return value;
        }
        let Some(operand) = self.operand(value.clone(), span) else { return Value::Error };
        self.name_lengths(ty, &operand);
        let Some(operand) = self.operand(value.clone(), span) else { return Value::Error };
        // In a function the names are its own, and stand for whatever the caller's sizes are.
        let known = self.calls.inside() || operand.shape.iter().all(|dim| dim.known().is_some());
        let sizes = known.then(|| operand.shape.clone());
        let Some(annotation) = self.annotation(ty, sizes.as_deref()) else { return Value::Error };
        if let Some(dims) = &annotation.dims
            && *dims != operand.shape
        {
            if dims.len() == operand.shape.len() {
                operand.shape.iter().zip(dims).for_each(|(own, dim)| self.typed.single_axes.misfit(own, dim));
            }
            let found = report::annotated_shape(&operand, dims, &annotation, part);
            let found = self.with_counts(found, &operand.shape);
            return self.error(found);
        }
        let Some(dtype) = annotation.dtype else { return value };
        let own = self.settings.harden(operand.elem);
        if (operand.is_exact() || own != dtype) && !self.is_storable(dtype, annotation.span) {
            return Value::Error;
        }
        if operand.is_exact() {
            return match self.exact(&operand, dtype, None) {
                Some(node) => self.computed_value(node, dtype.into(), annotation.span),
                None => Value::Error,
            };
        }
        if own != dtype {
            return self.error(report::annotated_dtype(&operand, dtype, &annotation, self.text(span), part));
        }
        let Value::Computed(computed) = value else { return value };
        self.means(computed.node, ty);
        self.computed_value(computed.node, dtype.into(), computed.origin)
    }

    /// A length that data decides takes the name that an annotation gives it.
    fn name_lengths(&mut self, ty: &TypeExpr, operand: &Operand) {
        let DimsExpr::List(list) = &ty.dims else { return };
        if self.calls.inside() || list.len() != operand.shape.len() {
            return;
        }
        for (&id, dim) in list.iter().zip(&operand.shape) {
            let ExprKind::Name(name) = &self.frame.script.expr(id).kind else { continue };
            let own = self.graph.builder.length_of(dim).map(|length| length.name.clone());
            let taken = self.frame.dims.contains_key(name) || self.graph.builder.length_named(name).is_some();
            if let Some(own) = own.filter(|_| !taken) {
                self.graph.builder.rename_length(&own, name);
            }
        }
    }

    /// The row that an operator's notation stands for.
    pub(in crate::check) fn operator(notation: Notation) -> &'static crate::ops::Op {
        crate::ops::find_notation(notation).expect("the grammar knows only notations that have rows")
    }
}
