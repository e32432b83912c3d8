//! What every expression is and how each operation came to its type, kept when someone asks for it.
//!
//! `arr explain` and `--compare` ask; checking for a run does not, and then nothing here is filled:
//!
//! ```
//! use arrlang::check::{Request, check};
//! use arrlang::{diagnostic::Diagnostics, source::Sources, syntax};
//! let mut sources = Sources::new();
//! let source = sources.add("demo.arr", "1.5f32 + 2i8");
//! let script = syntax::parse(&sources, source, &mut Diagnostics::new());
//! let request = Request { record: true, ..Request::new(&script, &sources) };
//! let record = check(&request, &mut Diagnostics::new()).record;
//! assert_eq!(record.types.len(), 3);
//! assert_eq!(record.steps[0].operands.len(), 2);
//! ```

use super::Ctx;
use super::operand::Operand;
use super::value::Value;
use crate::constant::Const;
use crate::promotion::{self, Operation, Rank};
use crate::source::Span;
use crate::syntax::ast::ExprId;
use crate::types::{DType, Dim, Elem, Shape};

/// Types of expressions and steps between them, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// The expressions that are arrays or scalars.
    pub types: Vec<Typed>,
    /// The operations in which operands met.
    pub steps: Vec<Step>,
}

impl Record {
    /// What an expression is; nothing for what is wrong or no value of an array.
    pub fn of(&self, id: ExprId) -> Option<&Typed> {
        self.types.iter().find(|typed| typed.id == id)
    }

    /// The step of the operator or function name at this place.
    pub fn at(&self, at: Span) -> Option<&Step> {
        self.steps.iter().find(|step| step.at == at)
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub struct Typed {
    /// The expression.
    pub id: ExprId,
    /// Its type as the language sees it.
    pub elem: Elem,
    /// The dtype that it is stored in, where nothing around it decides another.
    pub dtype: DType,
    /// Its shape.
    pub shape: Shape,
    /// Whether its values are exact and it has no dtype yet: a constant or an array literal.
    pub exact: bool,
    /// Its exact value, if it is a constant.
    pub constant: Option<Const>,
    /// Where its dtype was decided, if it is computed: the type of an input, the operation behind a name.
    pub origin: Option<Span>,
}

/// An operand of a step.
#[derive(Clone, Debug)]
pub struct Part {
    /// Its type.
    pub elem: Elem,
    /// Whether it is a scalar.
    pub scalar: bool,
    /// Whether its values are exact: a constant or an array literal.
    pub exact: bool,
    /// Its exact value, where there is one.
    pub constant: Option<Const>,
}

impl Part {
    /// The operand as a system sees it.
    pub fn operand(&self) -> promotion::Operand<'_> {
        let rank = if self.scalar { Rank::Zero } else { Rank::NonZero };
        promotion::Operand { elem: self.elem, rank, constant: self.exact, value: self.constant.as_ref() }
    }
}

/// Operands that met.
#[derive(Clone, Debug)]
pub struct Step {
    /// The operator, or the name of the function.
    pub at: Span,
    /// How the operation is written.
    pub shown: String,
    /// The operation.
    pub operation: Operation,
    /// The operands.
    pub operands: Vec<Part>,
}

impl Ctx<'_> {
    /// Keeps the type of an expression.
    pub(in crate::check) fn note_type(&mut self, id: ExprId, value: &Value) {
        if !self.request.record {
            return;
        }
        let (elem, shape, exact, constant) = match value {
            Value::Const(value) => (value.elem(), Shape::new(), true, Some(value.clone())),
            Value::Literal(literal) => {
                let shape = literal.shape.iter().map(|&size| Dim::Const(size as u64)).collect();
                (literal.elem, shape, true, None)
            }
            Value::Computed(computed) => (computed.elem, self.graph.builder.shape(computed.node).clone(), false, None),
            Value::Error
            | Value::Tuple(_)
            | Value::DType(_)
            | Value::Dim(_)
            | Value::None
            | Value::Str(_)
            | Value::Absent(_)
            | Value::Builtin(_)
            | Value::Function(_) => return,
        };
        let dtype = match value {
            Value::Computed(computed) => self.graph.builder.dtype(computed.node),
            _ => self.settings.harden(elem),
        };
        let origin = match value {
            Value::Computed(computed) => Some(computed.origin),
            _ => None,
        };
        self.typed.record.types.push(Typed { id, elem, dtype, shape, exact, constant, origin });
    }

    /// Keeps how operands met.
    pub(in crate::check) fn note_step(
        &mut self,
        operation: Operation,
        shown: &'static str,
        operands: &[Operand],
        at: Span,
    ) {
        if !self.request.record {
            return;
        }
        let part = |operand: &Operand| Part {
            elem: operand.elem,
            scalar: operand.shape.is_empty(),
            exact: operand.is_exact(),
            constant: operand.constant().cloned(),
        };
        let operands = operands.iter().map(part).collect();
        self.typed.record.steps.push(Step { at, shown: shown.to_owned(), operation, operands });
    }
}
