//! What an expression is to the checker: a constant, a node of the program, or something of compile time only.

use super::closure::Closure;
use crate::ir::NodeId;
use crate::ops::Op;
use crate::source::Span;
use crate::types::constant::Const;
use crate::types::{DType, Dim, Elem};
use std::sync::Arc;

/// The value of an expression while checking.
#[derive(Clone, Debug)]
pub enum Value {
    /// Something wrong that was reported: whatever uses it is wrong too, silently.
    Error,
    /// A weak scalar that is known exactly.
    Const(Const),
    /// An array literal of constants that has no dtype yet.
    Literal(Arc<Literal>),
    /// A value that is computed.
    Computed(Computed),
    /// Several values.
    Tuple(Arc<[Value]>),
    /// A dtype.
    DType(DType),
    /// A size that has a name.
    Dim(Dim),
    /// `None`
    None,
    /// A string.
    Str(Arc<str>),
    /// An array whose file is not there; only an annotation can say its type.
    Absent(Arc<str>),
    /// A builtin function.
    Builtin(&'static Op),
    /// A function that is written in the language.
    Function(Arc<Closure>),
}

/// An array literal of weak elements.
#[derive(Clone, Debug)]
pub struct Literal {
    /// The weak type that its elements join to.
    pub elem: Elem,
    /// The elements in C order.
    pub consts: Vec<Const>,
    /// Its shape.
    pub shape: Vec<usize>,
}

/// A node with what the program does not keep of it.
#[derive(Clone, Debug)]
pub struct Computed {
    /// The node; it has a dtype also when its type is weak: the default width.
    pub node: NodeId,
    /// The type as the language sees it.
    pub elem: Elem,
    /// Where its dtype was decided: the input's type, the literal, the call.
    pub origin: Span,
    /// The only values that it can have, when they are known: the arms of a `where`, a constant times a mask.
    pub arms: Option<Arc<[Const]>>,
}

impl Value {
    /// What messages call a value that is no array.
    pub fn describe(&self) -> &'static str {
        match self {
            Value::Error => "an error",
            Value::Const(_) => "a number",
            Value::Computed(_) | Value::Literal(_) => "an array",
            Value::Tuple(_) => "a tuple",
            Value::DType(_) => "a dtype",
            Value::Dim(_) => "a dimension",
            Value::None => "None",
            Value::Str(_) => "a string",
            Value::Absent(_) => "an array of unknown type",
            Value::Builtin(_) | Value::Function(_) => "a function",
        }
    }
}
