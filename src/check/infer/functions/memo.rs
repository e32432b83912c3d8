//! Calls that were made before: the same function of the same values is not walked again.
//!
//! `fn f1(x) = f0(x) + f0(x)`, and so on to `f40`, is forty walks and not 2^40.

use super::closure::Closure;
use crate::check::infer::found::facts::KeyUse;
use crate::check::infer::values::value::Value;
use crate::constant::Const;
use crate::ir::NodeId;
use crate::source::Span;
use crate::types::{DType, Dim, Elem};
use num_bigint::BigInt;
use std::collections::HashMap;
use std::sync::Arc;

/// A function and its arguments, such that equal keys give equal results; of a function of the library also the call
/// that led there, which is told what is found.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(in crate::check) struct Key(usize, Vec<KeyPart>, Option<Span>);

/// A piece of a value. What is compared by its address is kept alive by the entry.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
enum KeyPart {
    Left,
    Int(BigInt),
    Float(u64, Option<Box<str>>),
    Complex(u64, u64),
    Node(NodeId, Elem, usize),
    Tuple(usize),
    DType(DType),
    Dim(Dim),
    None,
    Str(Arc<str>),
    Same(usize),
}

impl Key {
    /// The key of a call. `None` stands for a parameter that takes its default. `site` is the call that led into the
    /// library, if it is a function of that.
    pub(in crate::check) fn new(closure: &Arc<Closure>, args: &[Option<(Value, Span)>], site: Option<Span>) -> Key {
        let mut parts = Vec::with_capacity(args.len());
        let mut left: Vec<Option<&Value>> = args.iter().rev().map(|arg| arg.as_ref().map(|(value, _)| value)).collect();
        while let Some(value) = left.pop() {
            let Some(value) = value else {
                parts.push(KeyPart::Left);
                continue;
            };
            parts.push(match value {
                Value::Const(Const::Int(value)) => KeyPart::Int(value.clone()),
                Value::Const(Const::Float(decimal)) => KeyPart::Float(decimal.value.to_bits(), decimal.text.clone()),
                Value::Const(Const::Complex(re, im)) => KeyPart::Complex(re.to_bits(), im.to_bits()),
                Value::Computed(it) => {
                    let arms = it.arms.as_ref().map_or(0, |arms| Arc::as_ptr(arms).cast::<()>() as usize);
                    KeyPart::Node(it.node, it.elem, arms)
                }
                Value::Tuple(items) => {
                    left.extend(items.iter().rev().map(Some));
                    KeyPart::Tuple(items.len())
                }
                Value::DType(dtype) => KeyPart::DType(*dtype),
                Value::Dim(dim) => KeyPart::Dim(dim.clone()),
                Value::None | Value::Error => KeyPart::None,
                Value::Str(text) | Value::Absent(text) => KeyPart::Str(text.clone()),
                Value::Literal(literal) => KeyPart::Same(Arc::as_ptr(literal) as usize),
                Value::Builtin(op) => KeyPart::Same(std::ptr::from_ref(*op) as usize),
                Value::Function(closure) => KeyPart::Same(Arc::as_ptr(closure) as usize),
            });
        }
        Key(Arc::as_ptr(closure) as usize, parts, site)
    }
}

/// A call that was made.
#[derive(Debug)]
struct KnownCall {
    args: Vec<Option<(Value, Span)>>,
    result: Value,
    /// The keys that numbers were drawn from in it.
    drawn: Vec<KeyUse>,
    /// Keys hold addresses, so what lives there must not go.
    _function: Arc<Closure>,
}

/// All calls that were made.
#[derive(Default, Debug)]
pub(in crate::check) struct Memo {
    known: HashMap<Key, KnownCall>,
}

impl Memo {
    /// The result of a call that was made before. A dtype that came from an argument comes from this one now.
    pub(in crate::check) fn find(&self, key: &Key, args: &[Option<(Value, Span)>]) -> Option<Value> {
        let entry = self.known.get(key)?;
        let mut result = entry.result.clone();
        if let Value::Computed(found) = &mut result {
            let pairs = entry.args.iter().flatten().zip(args.iter().flatten());
            for ((before, _), (now, _)) in pairs {
                if let (Value::Computed(before), Value::Computed(now)) = (before, now)
                    && before.origin == found.origin
                {
                    found.origin = now.origin;
                    break;
                }
            }
        }
        Some(result)
    }

    /// The keys that numbers were drawn from in a call that was made before.
    pub(in crate::check) fn drawn(&self, key: &Key) -> Vec<KeyUse> {
        self.known.get(key).map(|known| known.drawn.clone()).unwrap_or_default()
    }

    pub(in crate::check) fn keep(
        &mut self,
        key: Key,
        function: &Arc<Closure>,
        args: Vec<Option<(Value, Span)>>,
        result: Value,
        drawn: Vec<KeyUse>,
    ) {
        self.known.insert(key, KnownCall { args, result, drawn, _function: function.clone() });
    }
}
