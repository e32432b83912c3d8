//! Calls of Fourier transforms. They say the axes, the lengths, and what the results are divided by.

use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::check::report;
use crate::ir::library::{Feature, Library};
use crate::ir::routine::Routine;
use crate::ir::{Fault, NodeId};
use crate::ops::expand::Expand;
use crate::ops::{NORMS, Op, Role, Spectrum};
use crate::scalar::prim::Prim;
use crate::source::Span;
use crate::types::affine::Affine;
use crate::types::{DType, Dim};

/// Which transforms are divided by the length.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Norm {
    Backward,
    Ortho,
    Forward,
}

/// The arguments of a call.
struct SpectrumCall {
    operand: Operand,
    /// Which axes, in the order of the call.
    axes: Vec<usize>,
    /// The length of each of them, where it is given.
    lengths: Vec<Option<Dim>>,
    norm: Norm,
}

impl Ctx<'_> {
    pub(in crate::check) fn call_spectrum(
        &mut self,
        op: &'static Op,
        spectrum: Spectrum,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Value {
        let made = match spectrum {
            Spectrum::Shift | Spectrum::InverseShift => self.shifted_spectrum(op, spectrum, given, span, at),
            Spectrum::Forward
            | Spectrum::Inverse
            | Spectrum::Real
            | Spectrum::InverseReal
            | Spectrum::Hermitian
            | Spectrum::InverseHermitian => self.transformed(op, spectrum, given, span, at),
        };
        made.unwrap_or(Value::Error)
    }

    /// Says at run time that this build has no library for it.
    pub(in crate::check) fn ask_for(&mut self, op: &'static Op, feature: Feature, at: Span) {
        if feature.is_built() {
            return;
        }
        let always = self.graph.expand().of(DType::Bool, 1.0);
        let fault = Fault::NotBuilt { function: op.name, feature: feature.name() };
        self.graph.refuse(always, fault, at);
    }

    fn transformed(
        &mut self,
        op: &'static Op,
        spectrum: Spectrum,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let SpectrumCall { operand, axes, lengths, norm } = self.spectrum_arguments(op, given, at)?;
        self.ask_for(op, Feature::Spectra, at);
        let (decision, nodes) = self.meet_for(op, std::slice::from_ref(&operand), at)?;
        // The last axis is the one of which half is enough; a real result comes of it at the end.
        let mut order: Vec<usize> = (0..axes.len()).rev().collect();
        if spectrum.gives_real() {
            order = (0..axes.len()).collect();
        }
        let mut node = nodes[0];
        if matches!(spectrum, Spectrum::Hermitian) {
            node = conjugated(&mut self.graph.expand(), node);
        }
        for &nth in &order {
            let real = nth + 1 == axes.len();
            let function = match spectrum {
                Spectrum::Real | Spectrum::InverseHermitian if real => Library::RealFourier,
                Spectrum::InverseReal | Spectrum::Hermitian if real => Library::InverseRealFourier,
                Spectrum::Forward | Spectrum::Real | Spectrum::Hermitian => Library::Fourier,
                Spectrum::Inverse
                | Spectrum::InverseReal
                | Spectrum::InverseHermitian
                | Spectrum::Shift
                | Spectrum::InverseShift => Library::InverseFourier,
            };
            node =
                self.along_axis(op, function, node, (axes[nth], lengths[nth].clone()), (norm, spectrum), &operand, at)?;
        }
        if matches!(spectrum, Spectrum::InverseHermitian) {
            node = conjugated(&mut self.graph.expand(), node);
        }
        let shape = self.graph.builder.shape(node).clone();
        if !self.extent_fits(&shape, self.graph.builder.dtype(node), span) {
            return None;
        }
        Some(self.made(node, decision, span, None))
    }

    /// One transform along an axis.
    #[expect(clippy::too_many_arguments, reason = "all of them say what one transform is")]
    fn along_axis(
        &mut self,
        op: &'static Op,
        function: Library,
        node: NodeId,
        (axis, len): (usize, Option<Dim>),
        (norm, spectrum): (Norm, Spectrum),
        operand: &Operand,
        at: Span,
    ) -> Option<NodeId> {
        let last = self.graph.builder.shape(node).len() - 1;
        let own = self.graph.builder.shape(node)[axis].clone();
        let len = match (len, function) {
            (Some(len), _) => len,
            (None, Library::InverseRealFourier) => {
                let twice = own.multiply(&Dim::Const(2)).and_then(|twice| twice.add_scaled(&Dim::Const(2), -1));
                twice.unwrap_or(Dim::Const(0))
            }
            (None, _) => own,
        };
        if len == Dim::Const(0) {
            self.error(report::no_points(op, axis, operand, at));
            return None;
        }
        let taken = match function {
            Library::InverseRealFourier => half(&len)?,
            Library::Fourier | Library::InverseFourier | Library::RealFourier | Library::Matrices(_) => len.clone(),
        };
        let node = self.move_axis_to(node, axis, last);
        let mut shape = self.graph.builder.shape(node).clone();
        shape[last] = taken.clone();
        if !self.extent_fits(&shape, self.graph.builder.dtype(node), at) {
            return None;
        }
        let mut e = self.graph.expand();
        let node = fitted(&mut e, node, taken);
        let node = e.routine(Routine::Library(function), &[node], Some(len.clone()));
        let divides = match norm {
            Norm::Ortho => true,
            Norm::Backward => spectrum.is_inverse(),
            Norm::Forward => !spectrum.is_inverse(),
        };
        let node = if divides { divided(&mut e, node, &len, norm == Norm::Ortho) } else { node };
        Some(self.move_axis_to(node, last, axis))
    }

    fn spectrum_arguments(&mut self, op: &'static Op, given: Vec<GivenValue>, at: Span) -> Option<SpectrumCall> {
        let mut given = given.into_iter();
        let operand = self.array_given(given.next().flatten())?;
        if operand.shape.is_empty() {
            self.error(report::too_few_axes(op, &operand, "an array with an axis or more", at));
            return None;
        }
        let (mut lengths, mut axes, mut norm) = (None, None, Norm::Backward);
        for (param, given) in op.params[1..].iter().zip(given) {
            match (param.role, given.filter(|(value, _)| !matches!(value, Value::None))) {
                (Role::Size, Some((value, value_at))) => {
                    lengths = Some((vec![self.size_given(value, value_at)?], value_at));
                }
                (Role::Shape, Some((value, value_at))) => {
                    lengths = Some((self.shape_given(value, value_at)?, value_at));
                }
                (Role::Text, Some((value, value_at))) => norm = self.norm_given(&value, value_at)?,
                (Role::Axis | Role::Axes, Some((value, value_at))) => {
                    axes = self.axes_given(value, value_at)?.map(|list| (list, value_at));
                }
                (Role::Axis, None) => axes = Some((vec![-1], at)),
                (Role::Axes, None) if param.default != Some("None") => axes = Some((vec![-2, -1], at)),
                _ => {}
            }
        }
        let rank = operand.shape.len() as i64;
        let (list, axes_at) = axes.unwrap_or_else(|| {
            let count = lengths.as_ref().map_or(rank, |(lengths, _)| lengths.len() as i64);
            ((rank - count..rank).collect(), at)
        });
        self.resolve_axes(&operand, &list, axes_at)?;
        let axes = self.several_axes(&operand, &list, axes_at)?;
        let lengths = match lengths {
            None => vec![None; axes.len()],
            Some((lengths, _)) if lengths.len() == axes.len() => lengths.into_iter().map(Some).collect(),
            Some((lengths, lengths_at)) => {
                self.error(report::axes_do_not_pair(axes.len(), lengths.len(), lengths_at));
                return None;
            }
        };
        if axes.is_empty() {
            self.error(report::too_few_axes(op, &operand, "an axis or more", at));
            return None;
        }
        Some(SpectrumCall { operand, axes, lengths, norm })
    }

    fn norm_given(&mut self, value: &Value, at: Span) -> Option<Norm> {
        let Value::Str(text) = value else {
            self.error(report::not_a_word("norm", value.describe(), NORMS, at));
            return None;
        };
        let norms = [Norm::Backward, Norm::Ortho, Norm::Forward];
        let found = NORMS.iter().position(|known| *known == &**text).map(|nth| norms[nth]);
        if found.is_none() {
            self.error(report::not_a_word("norm", &format!("\"{text}\""), NORMS, at));
        }
        found
    }

    /// `fft.fftshift(x, axes)`
    fn shifted_spectrum(
        &mut self,
        op: &'static Op,
        spectrum: Spectrum,
        given: Vec<GivenValue>,
        span: Span,
        at: Span,
    ) -> Option<Value> {
        let mut given = given.into_iter();
        let operand = self.array_given(given.next().flatten())?;
        let list = match given.next().flatten() {
            Some((value, axes_at)) => self.axes_given(value, axes_at)?.map(|list| (list, axes_at)),
            None => None,
        };
        let rank = operand.shape.len();
        let (list, axes_at) = list.unwrap_or_else(|| ((0..rank as i64).collect(), at));
        let axes = self.resolve_axes(&operand, &list, axes_at)?;
        if rank == 0 {
            self.error(report::too_few_axes(op, &operand, "an array with an axis or more", at));
            return None;
        }
        let mut node = self.node(&operand)?;
        for axis in axes {
            let len = self.graph.builder.shape(node)[axis].clone();
            let middle = half_of(&len).and_then(|half| Some((half.clone(), len.add_scaled(&half, -1)?)));
            let Some((less, more)) = middle else {
                self.error(report::open_count(&operand, span));
                return None;
            };
            // What comes first: of an odd length the negative frequencies are fewer by one.
            let first = if spectrum == Spectrum::Shift { more } else { less };
            let rest = len.add_scaled(&first, -1)?;
            let end = self.part(node, axis, first.clone(), rest);
            let start = self.part(node, axis, Dim::Const(0), first);
            node = self.graph.builder.concat(&[end, start], axis);
        }
        Some(Self::view_of(&operand, node))
    }
}

/// `n//2`
fn half_of(len: &Dim) -> Option<Dim> {
    Dim::of(len.form()?.floor_divide(&Affine::constant(2))?)
}

/// `n//2 + 1`
fn half(len: &Dim) -> Option<Dim> {
    half_of(len)?.add_scaled(&Dim::Const(1), 1)
}

fn conjugated(e: &mut Expand, z: NodeId) -> NodeId {
    let (re, im) = e.parts(z);
    let im = e.prim(Prim::Neg, &[im]);
    e.pair(re, im)
}

/// Lines of a length: cut, or lengthened with zeros.
fn fitted(e: &mut Expand, x: NodeId, len: Dim) -> NodeId {
    let own = e.line(x);
    if own == len {
        return x;
    }
    let mut missing = e.shape(x);
    let last = missing.len() - 1;
    match (own.known(), len.known()) {
        (Some(own), Some(wanted)) if own > wanted => e.part(x, 0, len),
        (Some(own), Some(wanted)) => {
            missing[last] = Dim::Const(wanted - own);
            let zero = e.number(x, 0.0);
            let zeros = e.broadcast(zero, &missing);
            e.0.concat(&[x, zeros], last)
        }
        _ => {
            // Which is longer is not known yet.
            let (place, count, one) = (e.0.iota(0, vec![len]), e.dim(&own), e.whole(1));
            let inside = e.prim(Prim::Lt, &[place, count]);
            let most = e.prim(Prim::Sub, &[count, one]);
            let near = e.prim(Prim::Min, &[place, most]);
            let found = e.at(x, near);
            let zero = e.number(x, 0.0);
            e.select(inside, found, zero)
        }
    }
}

/// Divided by a length, or by its root.
fn divided(e: &mut Expand, x: NodeId, len: &Dim, root: bool) -> NodeId {
    let part = e.dtype(x).part();
    let factor = match len.known() {
        Some(len) => {
            let len = len as f64;
            e.of(part, 1.0 / if root { len.sqrt() } else { len })
        }
        None => {
            let len = e.dim(len);
            let mut len = e.convert(len, DType::F64);
            if root {
                len = e.prim(Prim::Sqrt, &[len]);
            }
            let one = e.of(DType::F64, 1.0);
            let factor = e.prim(Prim::Div, &[one, len]);
            e.convert(factor, part)
        }
    };
    if !e.dtype(x).is_complex() {
        return e.prim(Prim::Mul, &[x, factor]);
    }
    let (re, im) = e.parts(x);
    let (re, im) = (e.prim(Prim::Mul, &[re, factor]), e.prim(Prim::Mul, &[im, factor]));
    e.pair(re, im)
}
