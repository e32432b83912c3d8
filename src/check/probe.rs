//! Probes of functions, as if the script called them with arguments of some types.
//!
//! The body is walked as for any call, in any mode, on a copy of the program: the answer is the checker's own.

use super::Request;
use super::infer::Ctx;
use super::infer::calls::arguments::GivenValue;
use super::infer::functions::closure::Closure;
use super::infer::functions::function::MAX_EXPRESSIONS;
use super::infer::state::frame::Scripts;
use super::infer::state::graph::Graph;
use super::infer::state::single_axes::SingleAxes;
use super::infer::values::value::Value;
use super::lint::LintState;
use crate::constant::Const;
use crate::promotion::verdict::Mode;
use crate::source::Sources;
use crate::syntax::ast::{DimsExpr, ExprKind, FunctionDefinition, FunctionParam};
use crate::types::{DType, Dim, Elem, Shape};
use std::str::FromStr;
use std::sync::Arc;

/// The shape of an argument whose parameter says none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProbeShape {
    /// `[]`
    Scalar,
    /// `[n]`
    Vector,
    /// `[m, n]`
    Matrix,
}

impl ProbeShape {
    /// Each of them.
    pub const ALL: [ProbeShape; 3] = [ProbeShape::Vector, ProbeShape::Scalar, ProbeShape::Matrix];

    /// `[n]`, nothing for a scalar.
    pub fn text(self) -> &'static str {
        match self {
            ProbeShape::Scalar => "",
            ProbeShape::Vector => "[n]",
            ProbeShape::Matrix => "[m, n]",
        }
    }

    fn shape(self) -> Shape {
        match self {
            ProbeShape::Scalar => Shape::new(),
            ProbeShape::Vector => vec![Dim::name("n")],
            ProbeShape::Matrix => vec![Dim::name("m"), Dim::name("n")],
        }
    }
}

/// An argument: its type, and its shape where the annotation of its parameter leaves that open. A weak type stands
/// for a literal.
pub type ProbeArgument = (Elem, ProbeShape);

/// What a function gives.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProbeAnswer {
    /// The types of the result: one, or those of a tuple. It is `None` where the call is refused.
    pub result: Option<Vec<Elem>>,
    /// The names of the errors, each once, in source order.
    pub errors: Vec<&'static str>,
}

/// What a parameter leaves open.
#[derive(Clone, Debug)]
pub struct OpenParts {
    /// The dtype that its annotation says.
    pub dtype: Option<DType>,
    /// The dimensions that its annotation says, as they are written.
    pub dims: Option<String>,
}

impl OpenParts {
    /// What the annotation of a parameter says.
    pub fn of(param: &FunctionParam, sources: &Sources) -> OpenParts {
        let Some(ty) = &param.ty else { return OpenParts { dtype: None, dims: None } };
        let dims = match &ty.dims {
            DimsExpr::Any => None,
            DimsExpr::Scalar | DimsExpr::List(_) => {
                Some(sources.text(ty.span).trim_start_matches(ty.dtype.text.as_str()).trim().to_owned())
            }
        };
        OpenParts { dtype: DType::from_str(&ty.dtype.text).ok(), dims }
    }
}

/// How many nodes questions may add to those of a short script.
const MAX_ADDED_NODES: usize = 1000;
/// How many expressions all questions may come to.
const MAX_ALL_EXPRESSIONS: u32 = MAX_EXPRESSIONS;
/// How many expressions the questions about one function may come to.
const MAX_FUNCTION_EXPRESSIONS: u32 = MAX_EXPRESSIONS / 4;

/// A checked script whose functions can be asked.
pub struct Probe<'a> {
    ctx: Ctx<'a>,
    known: LintState,
    /// What the script itself is made of.
    graph: Graph,
    /// How many more expressions the questions may come to.
    left: u32,
    /// Functions about which they came to too many.
    large: Vec<Arc<Closure>>,
}

impl std::fmt::Debug for Probe<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Probe").field("left", &self.left).field("large", &self.large).finish_non_exhaustive()
    }
}

/// Checks a script and lets its functions be asked. What is found in the script itself is not reported here.
pub fn ask<T>(request: &Request, f: impl FnOnce(&mut Probe) -> T) -> T {
    let scripts = Scripts::default();
    let (ctx, known) = super::walk(request, &scripts, SingleAxes::default());
    let graph = ctx.graph.clone();
    f(&mut Probe { ctx, known, graph, left: MAX_ALL_EXPRESSIONS, large: Vec::new() })
}

impl Probe<'_> {
    /// The functions of the script, in the order of their definitions.
    pub fn functions(&self) -> Vec<Arc<Closure>> {
        self.ctx.calls.unit.closures()
    }

    /// Asks questions about a function. There is no answer if these, or those about a function that it uses, come to
    /// too many expressions.
    pub fn about<T>(&mut self, closure: &Arc<Closure>, questions: impl FnOnce(&mut Self) -> T) -> Option<T> {
        let is_large = |function: &Arc<Closure>| self.large.iter().any(|large| Arc::ptr_eq(large, function));
        let uses_large = closure.needs().iter().any(is_large);
        let mut answer = None;
        if !uses_large {
            let most = self.left.min(MAX_FUNCTION_EXPRESSIONS);
            self.ctx.calls.depth.allow(most);
            let found = questions(self);
            let left = self.ctx.calls.depth.left();
            self.left -= most - left.unwrap_or(0).min(most);
            answer = left.map(|_| found);
        }
        if answer.is_none() {
            self.large.push(closure.clone());
        }
        answer
    }

    /// What a function gives in a mode; parameters without an argument take their default.
    pub fn call(&mut self, closure: &Arc<Closure>, given: &[Option<ProbeArgument>], mode: Mode) -> ProbeAnswer {
        let Probe { ctx, known, graph, .. } = self;
        let own = std::mem::replace(&mut ctx.settings.mode, mode);
        ctx.settings_change();
        ctx.findings.take();
        ctx.calls.forget();
        ctx.findings.reported.clear();
        let name = closure.function().name.span;
        let result = if matches!(ctx.ready(closure, name), Value::Error) {
            None
        } else {
            let value = ctx.try_call(closure, |ctx| ctx.arguments_of(closure.function(), given));
            let value = ctx.with_default_dtype(value, name);
            super::settle(ctx, known);
            let mut elems = Vec::new();
            types(&value, &mut elems).then_some(elems)
        };
        ctx.graph.leave();
        // Questions add to a copy of the program, which is made anew when they have made it long.
        if ctx.graph.len() > 2 * graph.len() + MAX_ADDED_NODES {
            ctx.graph = graph.clone();
        }
        ctx.settings.mode = own;
        ctx.settings_change();
        let mut errors: Vec<&'static str> = Vec::new();
        for error in ctx.findings.take().iter().filter(|found| found.is_error()) {
            if !errors.contains(&error.code.name) {
                errors.push(error.code.name);
            }
        }
        ProbeAnswer { result: result.filter(|_| errors.is_empty()), errors }
    }
}

impl Ctx<'_> {
    fn arguments_of(
        &mut self,
        function: &FunctionDefinition,
        given: &[Option<ProbeArgument>],
    ) -> Option<Vec<GivenValue>> {
        let mut values = Vec::with_capacity(given.len());
        for (param, given) in function.params.iter().zip(given) {
            let Some((elem, form)) = *given else {
                values.push(None);
                continue;
            };
            let at = param.name.span;
            let value = match elem {
                Elem::Strong(dtype) => {
                    let stated = match &param.ty {
                        Some(ty) => self.annotation(ty, None)?.dims,
                        None => None,
                    };
                    let node =
                        self.graph.builder.input(&param.name.text, at, dtype, stated.unwrap_or_else(|| form.shape()));
                    self.computed_value(node, elem, at)
                }
                Elem::WeakInt => Value::Const(Const::Int(1.into())),
                Elem::WeakFloat => Value::Const(Const::float(1.5)),
                Elem::WeakComplex => Value::Const(Const::Complex(0.0, 1.0)),
            };
            values.push(Some((value, at)));
        }
        // The names that stand alone among dimensions are bound by the call, as those of any other.
        for param in &function.params {
            let Some(DimsExpr::List(list)) = param.ty.as_ref().map(|ty| &ty.dims) else { continue };
            for &dim in list {
                if let ExprKind::Name(name) = &self.frame.script.expr(dim).kind {
                    self.frame.dims.remove(name);
                }
            }
        }
        Some(values)
    }
}

/// The types of an array or of the arrays in a tuple. The answer is whether it is nothing else.
#[expect(clippy::wildcard_enum_match_arm, reason = "no other value has elements of a known type")]
fn types(value: &Value, into: &mut Vec<Elem>) -> bool {
    match value {
        Value::Const(value) => into.push(value.elem()),
        Value::Literal(literal) => into.push(literal.elem),
        Value::Computed(computed) => into.push(computed.elem),
        Value::Dim(_) => into.push(Elem::WeakInt),
        Value::Tuple(items) => return items.iter().all(|item| types(item, into)),
        _ => return false,
    }
    true
}
