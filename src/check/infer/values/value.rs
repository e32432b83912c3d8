//! The value of an expression to the checker: a constant, a node of the program, or something of compile time only.

use crate::array::Array;
use crate::check::infer::functions::free::FreeName;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::ops::Op;
use crate::source::Span;
use crate::syntax::ast::Script;
use crate::types::{DType, Dim, Elem};
use std::sync::{Arc, OnceLock};

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
    Computed(NodeValue),
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

impl Literal {
    /// Its type as it is written: `i*[2, 3]`.
    pub fn type_text(&self) -> String {
        let sizes: Vec<String> = self.shape.iter().map(usize::to_string).collect();
        format!("{}[{}]", self.elem, sizes.join(", "))
    }
}

/// A node with what the program does not keep of it.
#[derive(Clone, Debug)]
pub struct NodeValue {
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
    /// The numbers that were given where several may be: those of a tuple, or of a list. Any other value stands for
    /// itself.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is one by itself")]
    pub fn items(self) -> Vec<Value> {
        match self {
            Value::Tuple(items) => items.to_vec(),
            Value::Literal(list) if list.shape.len() == 1 => list.consts.iter().cloned().map(Value::Const).collect(),
            single => vec![single],
        }
    }

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

/// What a name stands for between the inputs of a session.
#[derive(Clone, Debug)]
pub enum SessionValue {
    /// An array that was computed, with its type as the language sees it (weak or not) and where that came from.
    Array(Array, Elem, Span),
    /// A constant.
    Const(Const),
    /// Several values.
    Tuple(Vec<SessionValue>),
    /// A function; what it captured is kept with it.
    Function(Arc<Closure>),
    /// A value of compile time only.
    Other(Value),
}

/// A function with what it needs from outside.
pub struct Closure {
    pub(in crate::check) script: Arc<Script>,
    /// Which statement of the script defines it.
    pub(in crate::check) stmt: usize,
    pub(in crate::check) free: Vec<FreeName>,
    pub(in crate::check) captured: OnceLock<Vec<(String, CapturedValue)>>,
    /// How many calls of functions it leads to, one in the other; known once all that it needs is there.
    pub(in crate::check) depth: OnceLock<u32>,
}

/// The value of a name that a function does not bind itself.
#[derive(Clone, Debug)]
pub enum CapturedValue {
    /// A value of the program under construction.
    Live(Value),
    /// A value that the session keeps.
    Kept(SessionValue),
}
