//! Calls that make arrays from sizes or numbers: `zeros`, `ones_like`, `full`, `eye`.

use crate::array::extent;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::found::f64_origins::Cause;
use crate::check::infer::values::operand::{Operand, OperandForm};
use crate::check::infer::values::value::{NodeValue, Value};
use crate::check::report;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::ops::{Creation, Fill, Op};
use crate::promotion::verdict;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::{DType, Dim, Elem, Shape, shape};
use std::str::FromStr;

impl Ctx<'_> {
    pub(in crate::check) fn make(
        &mut self,
        op: &'static Op,
        make: Creation,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let made = match make {
            Creation::Fill(fill) => self.fill(op, fill, given, span, at),
            Creation::Like(fill) => self.filled_like(op, fill, given, span, at),
            Creation::Range => self.range(given, span),
            Creation::Spaced => self.linspace(op, given, span, at),
            Creation::Diagonal => self.diagonal(given, span),
        };
        made.unwrap_or(Value::Error)
    }

    /// `dtype=`, if it was given.
    #[expect(clippy::option_option, reason = "None for an error that was reported, Some(None) for no dtype")]
    pub(in crate::check) fn dtype_given(&mut self, given: GivenValue) -> Option<Option<DType>> {
        match given {
            None | Some((Value::None, _)) => Some(None),
            Some((value, at)) => self.dtype_of(&value, at).map(Some),
        }
    }

    /// `dtype=`, or the default float; `span` is the call.
    fn dtype_or_default(&mut self, given: GivenValue, span: Span) -> Option<DType> {
        let given = self.dtype_given(given)?;
        let dtype = given.unwrap_or(self.settings.harden(Elem::WeakFloat));
        self.born(if given.is_some() { DType::Bool } else { dtype }, Cause::Call, span);
        Some(dtype)
    }

    /// A dtype that elements are stored in, given as a dtype or as the text of its name.
    pub(in crate::check) fn dtype_of(&mut self, value: &Value, at: Span) -> Option<DType> {
        self.dtype_asked(value, at).filter(|&dtype| self.is_storable(dtype, at))
    }

    /// A dtype that a question is about, given as a dtype or as the text of its name. The system need not have it.
    pub(in crate::check) fn dtype_asked(&mut self, value: &Value, at: Span) -> Option<DType> {
        if let Value::DType(dtype) = value {
            return Some(*dtype);
        }
        let Value::Str(text) = value else {
            self.error(report::not_a_dtype(at));
            return None;
        };
        // A letter and a number count bytes where names of dtypes are strings: "i8" is an i64 there.
        let found = if matches!(&**text, "i8" | "u8") { None } else { DType::from_str(text).ok() };
        if found.is_none() {
            self.error(report::unknown_dtype(text, at));
        }
        found
    }

    /// Whether the system has a dtype that a script asks for. Reports a dtype that is wider than all of the system.
    pub(in crate::check::infer) fn is_storable(&mut self, dtype: DType, at: Span) -> bool {
        let system = self.settings.system;
        let narrow = system.harden(system.storage_type(dtype.into()));
        if narrow == dtype || at.source.is_library() {
            return true;
        }
        self.error(report::no_wide_dtype(dtype, narrow, system.name, at));
        false
    }

    /// `zeros((2, n))`, `full(3, x)`
    fn fill(&mut self, op: &'static Op, fill: Fill, given: Vec<GivenValue>, span: Span, at: Span) -> Option<Value> {
        let mut given = given.into_iter();
        let (sizes, sizes_span) = given.next()??;
        let shape = self.shape_given(sizes, sizes_span)?;
        let Fill::Number(number) = fill else {
            let value = given.next()??;
            let dtype = self.dtype_given(given.next()?)?;
            return self.full(op, value, shape, dtype, span, at);
        };
        let dtype = self.dtype_or_default(given.next()?, span)?;
        if !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        let mut e = self.graph.expand();
        let number = e.of(dtype, number.into());
        let node = e.broadcast(number, &shape);
        Some(self.computed_value(node, dtype.into(), span))
    }

    fn full(
        &mut self,
        op: &'static Op,
        (value, value_span): (Value, Span),
        shape: Shape,
        dtype: Option<DType>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let operand = self.operand(value.clone(), value_span)?;
        let size = dtype.unwrap_or(self.settings.harden(operand.elem));
        if !self.fill_fits(op, &operand, &shape, at) || !self.extent_fits(&shape, size, span) {
            return None;
        }
        match dtype {
            Some(dtype) => {
                let node = self.cast_node(value, value_span, dtype)?;
                let node = self.graph.builder.broadcast(node, &shape);
                Some(self.computed_value(node, dtype.into(), span))
            }
            None => {
                let operands = [operand];
                let (decision, nodes) = self.meet_for(op, &operands, at)?;
                let node = self.graph.builder.broadcast(nodes[0], &shape);
                let arms = self.arms(op, &operands);
                Some(self.made(node, decision, span, arms))
            }
        }
    }

    /// `zeros_like(x)`, `full_like(x, 3)`
    fn filled_like(
        &mut self,
        op: &'static Op,
        fill: Fill,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let (like, like_span) = given.next()??;
        let like = self.operand(like, like_span)?;
        let value = if fill == Fill::Given { given.next()? } else { None };
        let dtype = self.dtype_given(given.next()?)?;
        let shape = like.shape.clone();
        self.graph.builder.note_read(like.in_node(), &shape);
        // The operand's values are not asked for, only what its type becomes.
        let (decision, _) = self.meet_for(op, std::slice::from_ref(&like), at)?;
        let own = self.settings.harden(decision.result);
        let to = dtype.unwrap_or(own);
        if !self.extent_fits(&shape, to, span) {
            return None;
        }
        let (node, constant) = match (fill, value) {
            (Fill::Number(number), _) => (self.graph.expand().of(to, number.into()), Some(Const::Int(number.into()))),
            (Fill::Given, Some((value, value_span))) => {
                let operand = self.operand(value.clone(), value_span)?;
                if !self.fill_fits(op, &operand, &shape, at) {
                    return None;
                }
                let node = match dtype {
                    Some(dtype) => self.cast_node(value, value_span, dtype)?,
                    None => self.exactly(&operand, to, &like)?,
                };
                (node, operand.constant().cloned())
            }
            (Fill::Given, None) => return None,
        };
        let node = self.graph.builder.broadcast(node, &shape);
        match dtype {
            Some(dtype) => Some(self.computed_value(node, dtype.into(), span)),
            None => Some(self.made(node, decision, span, constant.map(|value| [value].into()))),
        }
    }

    /// A value in a dtype that must hold it exactly: nobody wrote a cast.
    fn exactly(&mut self, operand: &Operand, dtype: DType, meets: &Operand) -> Option<NodeId> {
        let OperandForm::Node(node, _) = operand.form else { return self.exact(operand, dtype, Some(meets)) };
        if !verdict::exact(self.graph.builder.dtype(node), dtype) {
            self.error(report::fill_misfit(operand, dtype, meets));
            return None;
        }
        Some(self.graph.expand().convert(node, dtype))
    }

    fn cast_node(&mut self, value: Value, span: Span, dtype: DType) -> Option<NodeId> {
        let Value::Computed(NodeValue { node, .. }) = self.cast(value, span, dtype, span) else { return None };
        Some(node)
    }

    /// Whether a value broadcasts to the shape that it fills.
    pub(in crate::check) fn fill_fits(&mut self, op: &Op, operand: &Operand, shape: &Shape, at: Span) -> bool {
        let fits = shape::broadcast(&operand.shape, shape).as_ref() == Ok(shape);
        if !fits {
            self.error(report::fill_shape(op, operand, shape, at));
        }
        fits
    }

    fn diagonal(&mut self, given: Vec<GivenValue>, span: Span) -> Option<Value> {
        let [rows, columns, diagonal, dtype]: [GivenValue; 4] = given.try_into().expect("the row has four parameters");
        let (rows, rows_span) = rows?;
        let rows = self.size_given(rows, rows_span)?;
        let columns = match columns {
            None | Some((Value::None, _)) => rows.clone(),
            Some((columns, columns_span)) => self.size_given(columns, columns_span)?,
        };
        let diagonal = match diagonal {
            None => 0,
            Some((value, value_span)) => self.whole(&value, value_span, "`k`")?,
        };
        let dtype = self.dtype_or_default(dtype, span)?;
        let shape: Shape = vec![rows, columns];
        if !self.extent_fits(&shape, dtype, span) {
            return None;
        }
        let (row, column) = (self.graph.builder.iota(0, shape.clone()), self.graph.builder.iota(1, shape));
        let mut e = self.graph.expand();
        // Counts are below 2^63: the difference cannot wrap, the sum with `k` could.
        let (distance, diagonal) = (e.sub(column, row), e.integer(DType::I64, diagonal.into()));
        let on = e.prim(Prim::Eq, &[distance, diagonal]);
        let node = e.convert(on, dtype);
        Some(self.computed_value(node, dtype.into(), span))
    }

    /// Whether an array of this shape can exist at all.
    pub(in crate::check) fn extent_fits(&mut self, dims: &[Dim], dtype: DType, span: Span) -> bool {
        if dims.len() > crate::array::MAX_RANK {
            self.error(report::rank_limit(dims.len(), span));
            return false;
        }
        let sizes: Option<Vec<usize>> = shape::sizes(dims);
        let known = sizes.is_none_or(|sizes| extent(&sizes, dtype.size()).is_some());
        if !known {
            self.error(report::too_large(dims, dtype, span));
        }
        known
    }
}
