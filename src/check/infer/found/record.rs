//! The typed tree: what every expression is. It also says how the operands of each operation met.
//!
//! It is always there, for `arr explain`, `--compare`, `:type` and `--emit typed`, and it is small. A type is a number
//! of bytes that does not grow with what it is of, and shapes that follow each other are kept once. What the text of a
//! number says is read there.
//!
//! ```
//! use arrlang::check::{Request, check};
//! use arrlang::{diagnostic::Diagnostics, source::Sources, syntax};
//! let mut sources = Sources::new();
//! let source = sources.add("demo.arr", "1.5f32 + 2i8");
//! let script = syntax::parse(&sources, source, &mut Diagnostics::new());
//! let record = check(&Request::new(&script, &sources), &mut Diagnostics::new()).record;
//! assert_eq!(record.types().count(), 3);
//! assert_eq!(record.steps(&sources).next().unwrap().operands.len(), 2);
//! ```

use crate::check::infer::Ctx;
use crate::check::infer::values::literal;
use crate::check::infer::values::operand::Operand;
use crate::check::infer::values::value::Value;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::promotion::{self, Operation, Rank};
use crate::source::{Sources, Span};
use crate::syntax::ast::{ExprId, ExprKind, Script};
use crate::types::{DType, Dim, Elem, Shape};

/// Types of expressions and steps between them, in the order in which they were found.
#[derive(Clone, Debug, Default)]
pub struct TypedTree {
    pub(super) types: Vec<TypeRow>,
    pub(super) steps: Vec<StepRow>,
    pub(super) parts: Vec<PartRow>,
    pub(super) shapes: Vec<Shape>,
    pub(super) consts: Vec<Const>,
    /// The constants among expressions that are no literals, by their places among the types.
    pub(super) folded: Vec<(usize, usize)>,
    /// The expressions that are tuples.
    pub(super) tuples: Vec<(ExprId, Vec<PartType>)>,
    /// The expressions with a value of compile time only: dtypes, lengths with a name, texts, functions, `None`, and
    /// tuples with one of them.
    pub(super) others: Vec<ExprId>,
    /// How many types, tuples and others there were when the program was complete. Those behind are of functions that
    /// nothing calls.
    pub(super) called: [usize; 3],
}

/// How much of the tree there was.
#[derive(Clone, Copy)]
pub(in crate::check) struct TreeMark([usize; 8]);

/// The type of an expression.
#[derive(Clone, Copy, Debug)]
pub(super) struct TypeRow {
    pub(super) id: ExprId,
    pub(super) elem: Elem,
    pub(super) dtype: DType,
    pub(super) exact: bool,
    pub(super) shape: u32,
    pub(super) origin: Option<Span>,
    /// The node that has its values, if it is computed.
    pub(super) node: Option<NodeId>,
}

/// A part of a tuple.
#[derive(Clone, Debug)]
pub(super) enum PartType {
    Array(TypeRow),
    Tuple(Vec<PartType>),
}

/// A step, with the number of its first operand and how many there are.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepRow {
    at: Span,
    shown: &'static str,
    operation: Operation,
    pub(super) first: u32,
    pub(super) count: u32,
}

/// An operand of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct PartRow {
    elem: Elem,
    scalar: bool,
    exact: bool,
    pub(super) constant: ExactPlace,
}

/// Where the exact value of an operand is found.
#[derive(Clone, Copy, Debug)]
pub(super) enum ExactPlace {
    Nowhere,
    /// In the text of a number.
    Written(Span),
    /// Among the constants.
    Kept(u32),
}

impl TypedTree {
    /// The expressions that are arrays or scalars.
    pub fn types(&self) -> impl Iterator<Item = TypedExpr> {
        self.types.iter().map(|row| self.typed(row))
    }

    /// What an expression is. It is `None` for what is wrong or no value of an array.
    pub fn of(&self, id: ExprId) -> Option<TypedExpr> {
        self.types.iter().find(|row| row.id == id).map(|row| self.typed(row))
    }

    /// What an expression is, also where that is a tuple.
    pub fn value(&self, id: ExprId) -> Option<TypedValue> {
        let tuple = || self.tuples.iter().find(|(of, _)| *of == id).map(|(_, parts)| self.tuple(parts));
        self.of(id).map(TypedValue::Array).or_else(tuple)
    }

    /// Whether no expression has a type.
    pub fn is_empty(&self) -> bool {
        self.types.is_empty() && self.tuples.is_empty()
    }

    fn tuple(&self, parts: &[PartType]) -> TypedValue {
        let part = |part: &PartType| match part {
            PartType::Array(row) => TypedValue::Array(self.typed(row)),
            PartType::Tuple(parts) => self.tuple(parts),
        };
        TypedValue::Tuple(parts.iter().map(part).collect())
    }

    /// The exact value of an expression, if it is a constant.
    pub fn constant(&self, id: ExprId, script: &Script, sources: &Sources) -> Option<Const> {
        let place = self.types.iter().position(|row| row.id == id)?;
        let is_number = matches!(script.expr(id).kind, ExprKind::Int | ExprKind::Float | ExprKind::Imaginary);
        if is_number && self.types[place].exact {
            return Some(literal::number(sources.text(script.expr(id).span)).value);
        }
        self.folded.iter().find(|(at, _)| *at == place).map(|&(_, kept)| self.consts[kept].clone())
    }

    /// How much there is.
    pub(in crate::check) fn mark(&self) -> TreeMark {
        let TypedTree { types, steps, parts, shapes, consts, folded, tuples, others, called: _ } = self;
        let [types, tuples, others] = [types.len(), tuples.len(), others.len()];
        TreeMark([types, steps.len(), parts.len(), shapes.len(), consts.len(), folded.len(), tuples, others])
    }

    /// Says that the program is complete.
    pub(in crate::check) fn end_program(&mut self) {
        self.called = [self.types.len(), self.tuples.len(), self.others.len()];
    }

    /// Forgets what was added since.
    pub(in crate::check) fn back_to(
        &mut self,
        TreeMark([types, steps, parts, shapes, consts, folded, tuples, others]): TreeMark,
    ) {
        self.types.truncate(types);
        self.steps.truncate(steps);
        self.parts.truncate(parts);
        self.shapes.truncate(shapes);
        self.consts.truncate(consts);
        self.folded.truncate(folded);
        self.tuples.truncate(tuples);
        self.others.truncate(others);
    }

    /// The operations in which operands met.
    pub fn steps<'r>(&'r self, sources: &'r Sources) -> impl Iterator<Item = OperandMeeting> + 'r {
        self.steps.iter().map(|row| self.step(row, sources))
    }

    /// The step of the operator or function name at this place.
    pub fn at(&self, at: Span, sources: &Sources) -> Option<OperandMeeting> {
        self.steps.iter().find(|row| row.at == at).map(|row| self.step(row, sources))
    }

    fn typed(&self, row: &TypeRow) -> TypedExpr {
        let TypeRow { id, elem, dtype, exact, shape, origin, node: _ } = *row;
        TypedExpr { id, elem, dtype, shape: self.shapes[shape as usize].clone(), exact, origin }
    }

    fn step(&self, row: &StepRow, sources: &Sources) -> OperandMeeting {
        let StepRow { at, shown, operation, first, count } = *row;
        let parts = &self.parts[first as usize..(first + count) as usize];
        let operands = parts.iter().map(|part| {
            let PartRow { elem, scalar, exact, constant } = *part;
            let constant = match constant {
                ExactPlace::Nowhere => None,
                ExactPlace::Written(span) => Some(literal::number(sources.text(span)).value),
                ExactPlace::Kept(place) => Some(self.consts[place as usize].clone()),
            };
            MetOperand { elem, scalar, exact, constant }
        });
        OperandMeeting { at, shown, operation, operands: operands.collect() }
    }

    /// The place of a shape; the last one is used again.
    fn shape(&mut self, shape: &[Dim]) -> u32 {
        if self.shapes.last().is_none_or(|last| *last != shape) {
            self.shapes.push(shape.to_vec());
        }
        self.shapes.len() as u32 - 1
    }
}

/// What an expression is.
#[derive(Clone, Debug)]
pub struct TypedExpr {
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
    /// Where its dtype was decided, if it is computed: the type of an input, the operation behind a name.
    pub origin: Option<Span>,
}

/// What an expression is.
#[derive(Clone, Debug)]
pub enum TypedValue {
    /// An array or a scalar.
    Array(TypedExpr),
    /// Several values.
    Tuple(Vec<TypedValue>),
}

/// An operand of a step.
#[derive(Clone, Debug)]
pub struct MetOperand {
    /// Its type.
    pub elem: Elem,
    /// Whether it is a scalar.
    pub scalar: bool,
    /// Whether its values are exact: a constant or an array literal.
    pub exact: bool,
    /// Its exact value, where there is one.
    pub constant: Option<Const>,
}

impl MetOperand {
    /// The operand as a system sees it.
    pub fn operand(&self) -> promotion::Operand<'_> {
        let rank = if self.scalar { Rank::Zero } else { Rank::NonZero };
        promotion::Operand { elem: self.elem, rank, constant: self.exact, value: self.constant.as_ref() }
    }
}

/// Operands that met.
#[derive(Clone, Debug)]
pub struct OperandMeeting {
    /// The operator, or the name of the function.
    pub at: Span,
    /// How the operation is written.
    pub shown: &'static str,
    /// The operation.
    pub operation: Operation,
    /// The operands.
    pub operands: Vec<MetOperand>,
}

impl Ctx<'_> {
    /// Keeps the type of an expression, or that it has a value without a type.
    pub(in crate::check) fn note_type(&mut self, id: ExprId, value: &Value) {
        // An expression has its number in its own script.
        if self.frame.script.source != self.request.script.source {
            return;
        }
        if let Value::Tuple(items) = value {
            match self.part_types(id, items) {
                Some(parts) => self.typed.record.tuples.push((id, parts)),
                None => self.typed.record.others.push(id),
            }
            return;
        }
        if let Value::Const(value) = value
            && !matches!(self.frame.script.expr(id).kind, ExprKind::Int | ExprKind::Float | ExprKind::Imaginary)
        {
            let record = &mut self.typed.record;
            record.folded.push((record.types.len(), record.consts.len()));
            record.consts.push(value.clone());
        }
        match self.type_row(id, value) {
            Some(row) => self.typed.record.types.push(row),
            None if matches!(value, Value::Error) => {}
            None => self.typed.record.others.push(id),
        }
    }

    /// The types of the parts of a tuple. It is `None` where one of them has none.
    fn part_types(&mut self, id: ExprId, items: &[Value]) -> Option<Vec<PartType>> {
        let part = |item: &Value| {
            if let Value::Tuple(items) = item {
                return self.part_types(id, items).map(PartType::Tuple);
            }
            if let Value::Dim(_) = item {
                let shape = self.typed.record.shape(&[]);
                return Some(PartType::Array(self.exact_row(id, Elem::WeakInt, shape)));
            }
            self.type_row(id, item).map(PartType::Array)
        };
        items.iter().map(part).collect()
    }

    fn exact_row(&self, id: ExprId, elem: Elem, shape: u32) -> TypeRow {
        TypeRow { id, elem, dtype: self.settings.harden(elem), exact: true, shape, origin: None, node: None }
    }

    /// The type of an array or a scalar.
    fn type_row(&mut self, id: ExprId, value: &Value) -> Option<TypeRow> {
        let record = &mut self.typed.record;
        let builder = &self.graph.builder;
        match value {
            Value::Const(value) => {
                let shape = record.shape(&[]);
                Some(self.exact_row(id, value.elem(), shape))
            }
            Value::Literal(literal) => {
                let shape: Shape = literal.shape.iter().map(|&size| Dim::Const(size as u64)).collect();
                let shape = record.shape(&shape);
                Some(self.exact_row(id, literal.elem, shape))
            }
            Value::Computed(computed) => {
                let (elem, dtype) = (computed.elem, builder.dtype(computed.node));
                let shape = record.shape(builder.shape(computed.node));
                let (origin, node) = (Some(computed.origin), Some(computed.node));
                Some(TypeRow { id, elem, dtype, exact: false, shape, origin, node })
            }
            Value::Error
            | Value::Tuple(_)
            | Value::DType(_)
            | Value::Dim(_)
            | Value::None
            | Value::Str(_)
            | Value::Absent(_)
            | Value::Builtin(_)
            | Value::Function(_) => None,
        }
    }

    /// Keeps how operands met.
    pub(in crate::check) fn note_step(
        &mut self,
        operation: Operation,
        shown: &'static str,
        operands: &[Operand],
        at: Span,
    ) {
        let own = self.frame.script.source == self.request.script.source;
        if !own && (!self.calls.inside() || self.is_library()) {
            return;
        }
        let sources = self.request.sources;
        let mut known = self.scalar_values(self.settings.system, operands).into_iter();
        let record = &mut self.typed.record;
        let (first, count) = (record.parts.len() as u32, operands.len() as u32);
        for operand in operands {
            let known = known.next().flatten();
            let constant = match operand.constant().or(known.as_ref()) {
                None => ExactPlace::Nowhere,
                Some(_) if is_number(sources.text(operand.span)) => ExactPlace::Written(operand.span),
                Some(value) => {
                    record.consts.push(value.clone());
                    ExactPlace::Kept(record.consts.len() as u32 - 1)
                }
            };
            let (elem, scalar, exact) = (operand.elem, operand.shape.is_empty(), operand.is_exact());
            record.parts.push(PartRow { elem, scalar, exact, constant });
        }
        record.steps.push(StepRow { at, shown, operation, first, count });
    }
}

/// Whether a text is a number and nothing else.
fn is_number(text: &str) -> bool {
    text.bytes().all(|byte| byte.is_ascii_digit() || matches!(byte, b'_' | b'.'))
}
