//! Arrays made from sizes and numbers: `zeros`, `arange`.

use super::arguments::Given;
use super::value::Value;
use super::{Ctx, report};
use crate::array::extent;
use crate::ops::Make;
use crate::ops::expand::Expand;
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::constant::Const;
use crate::types::{DType, Dim, Elem, Shape, shape};
use num_bigint::BigInt;
use num_traits::ToPrimitive;

impl Ctx<'_, '_> {
    pub(super) fn make(&mut self, make: Make, given: Vec<Given>, span: Span) -> Value {
        match make {
            Make::Zeros => self.zeros(given, span),
            Make::Range => self.range(given, span),
        }
    }

    fn zeros(&mut self, given: Vec<Given>, span: Span) -> Value {
        let mut given = given.into_iter();
        let (Some(Some((sizes, sizes_span))), dtype) = (given.next(), given.next().flatten()) else {
            return Value::Error;
        };
        let Some(shape) = self.shape_given(sizes, sizes_span) else { return Value::Error };
        let dtype = match dtype {
            None => self.settings.harden(Elem::WeakFloat),
            Some((Value::DType(dtype), _)) => dtype,
            Some((_, at)) => return self.error(report::not_a_dtype(at)),
        };
        if !self.extent_fits(&shape, dtype, span) {
            return Value::Error;
        }
        let mut e = Expand(&mut self.builder);
        let zero = e.of(dtype, 0.0);
        let node = e.broadcast(zero, &shape);
        self.computed(node, dtype.into(), span)
    }

    /// Whether an array of this shape can exist at all.
    pub(super) fn extent_fits(&mut self, dims: &Shape, dtype: DType, span: Span) -> bool {
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

    fn range(&mut self, given: Vec<Given>, span: Span) -> Value {
        let [start, stop, step, dtype]: [Given; 4] = given.try_into().expect("the row has four parameters");
        let (start, stop) = match (start, stop) {
            (start, None | Some((Value::None, _))) => (None, start),
            (start, stop) => (start, stop),
        };
        let Some((stop, stop_span)) = stop else { return Value::Error };
        if let (None, None, Value::Dim(dim @ Dim::Affine(_))) = (&start, &step, &stop) {
            let dtype = self.settings.harden(Elem::WeakInt);
            let node = self.builder.iota(0, vec![dim.clone()]);
            let node = self.builder.convert(node, dtype);
            return self.computed(node, dtype.into(), span);
        }
        let Some(stop) = self.known_number(stop, stop_span) else { return Value::Error };
        let mut number = |given: Given, default: i32| match given {
            None => Some(Const::Int(default.into())),
            Some((value, at)) => self.known_number(value, at),
        };
        let (Some(start), Some(step)) = (number(start, 0), number(step, 1)) else { return Value::Error };
        let dtype = match dtype {
            None | Some((Value::None, _)) => None,
            Some((Value::DType(dtype), _)) => Some(dtype),
            Some((_, at)) => return self.error(report::not_a_dtype(at)),
        };
        match (&start, &stop, &step) {
            (Const::Int(start), Const::Int(stop), Const::Int(step)) => {
                self.integer_range(start, stop, step, dtype, span)
            }
            _ => self.float_range(start.parts().0, stop.parts().0, step.parts().0, dtype, span),
        }
    }

    fn known_number(&mut self, value: Value, span: Span) -> Option<Const> {
        match value {
            Value::Const(value) if value.elem() != Elem::WeakComplex => Some(value),
            Value::Const(_) | Value::Computed(_) | Value::Dim(_) | Value::Tuple(_) => {
                let whole = self.whole(&value, span, "a bound of `arange`")?;
                Some(Const::Int(whole.into()))
            }
            Value::Error => None,
            _ => {
                self.error(report::not_a_whole_number("a bound of `arange`", span));
                None
            }
        }
    }

    fn integer_range(
        &mut self,
        start: &BigInt,
        stop: &BigInt,
        step: &BigInt,
        dtype: Option<DType>,
        span: Span,
    ) -> Value {
        if crate::types::constant::is_zero(step) {
            return self.error(report::zero_step(span));
        }
        let one = BigInt::from(if step.sign() == num_bigint::Sign::Minus { 1 } else { -1 });
        let count: BigInt = ((stop - start + step + &one) / step).max(BigInt::ZERO);
        let last = start + step * BigInt::max(&count - 1, BigInt::ZERO);
        let dtype = dtype.unwrap_or_else(|| self.settings.harden(Elem::WeakInt));
        for bound in [start, &last] {
            if let Err(misfit) = Const::Int(bound.clone()).fit(dtype) {
                return self.error(report::range_misfit(bound, misfit, dtype, span));
            }
        }
        let Some(count) = count.to_u64() else { return self.error(report::too_large(&[], dtype, span)) };
        let dims = vec![Dim::Const(count)];
        if !self.extent_fits(&dims, dtype, span) {
            return Value::Error;
        }
        let index = self.builder.iota(0, dims);
        let (start, step) = (start.to_i128().unwrap_or(0), step.to_i128().unwrap_or(0));
        let mut e = Expand(&mut self.builder);
        // Wrapping arithmetic in 64 bits is exact for every element, as the ends fit.
        let (start, step) = (e.integer(DType::I64, start), e.integer(DType::I64, step));
        let scaled = e.mul(index, step);
        let node = e.add(scaled, start);
        let node = e.convert(node, dtype);
        self.computed(node, dtype.into(), span)
    }

    fn float_range(&mut self, start: f64, stop: f64, step: f64, dtype: Option<DType>, span: Span) -> Value {
        let count = ((stop - start) / step).ceil().max(0.0);
        if step == 0.0 || !count.is_finite() {
            return self.error(report::zero_step(span));
        }
        let dtype = dtype.unwrap_or_else(|| self.settings.harden(Elem::WeakFloat));
        if count >= 2f64.powi(62) {
            return self.error(report::too_large(&[Dim::Const(u64::MAX)], dtype, span));
        }
        let dims = vec![Dim::Const(count as u64)];
        if !self.extent_fits(&dims, dtype, span) {
            return Value::Error;
        }
        let index = self.builder.iota(0, dims);
        let mut e = Expand(&mut self.builder);
        let index = e.convert(index, DType::F64);
        let (start, step) = (e.of(DType::F64, start), e.of(DType::F64, step));
        let scaled = e.prim(Prim::Mul, &[index, step]);
        let node = e.prim(Prim::Add, &[scaled, start]);
        let node = e.convert(node, dtype);
        self.computed(node, dtype.into(), span)
    }
}
