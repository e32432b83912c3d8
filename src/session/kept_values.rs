//! The values of an input that a session keeps: computed values become arrays, also those that functions captured. A
//! length that data decides becomes a number, for the next input has other names for lengths.
//!
//! The arrays of a program come in the order in which [`outputs`] asked for them, and [`ValueKeeper::value`] walks the
//! same way.

use crate::array::Array;
use crate::check::closure::{CapturedValue, Closure};
use crate::check::env::SessionValue;
use crate::check::value::Value;
use crate::check::{CheckedScript, NameDefinition};
use crate::constant::Const;
use crate::ir::{NodeId, Program, ProgramOutput};
use crate::source::Span;
use crate::types::Dim;
use crate::types::equal::Equal;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Adds an output for every computed value that a name keeps, and for every length that data decides.
pub(super) fn outputs(program: &mut Program, checked: &CheckedScript) {
    let mut asked = KeptOutputs { program, equal: &checked.equal, seen: HashSet::new() };
    checked.names.iter().for_each(|NameDefinition { value, span, .. }| asked.value(value, *span));
}

/// Outputs that are asked for.
struct KeptOutputs<'p> {
    program: &'p mut Program,
    equal: &'p Equal,
    /// Functions that are looked at already.
    seen: HashSet<usize>,
}

impl KeptOutputs<'_> {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value has a node")]
    fn value(&mut self, value: &Value, span: Span) {
        match value {
            Value::Computed(computed) => self.output(computed.node, span, computed.elem.is_weak()),
            Value::Dim(dim) => {
                let dim = self.equal.of(dim);
                let lengths = self.program.lengths_of(std::slice::from_ref(&dim));
                let nodes: Vec<NodeId> = lengths.map(|length| length.node).collect();
                nodes.into_iter().for_each(|node| self.output(node, span, true));
            }
            Value::Tuple(items) => items.iter().for_each(|item| self.value(item, span)),
            Value::Function(closure) if self.seen.insert(Arc::as_ptr(closure) as usize) => {
                for (_, captured) in closure.captures() {
                    if let CapturedValue::Live(value) = captured {
                        self.value(value, span);
                    }
                }
            }
            _ => {}
        }
    }

    fn output(&mut self, node: NodeId, span: Span, weak: bool) {
        self.program.outputs.push(ProgramOutput { name: None, node, span, weak });
    }
}

/// Values as the session keeps them.
pub(super) struct ValueKeeper<'p> {
    program: &'p Program,
    equal: &'p Equal,
    /// Functions that are kept already: many may use one.
    functions: HashMap<usize, Arc<Closure>>,
}

impl<'p> ValueKeeper<'p> {
    /// Of a program that ran, and of the dimensions that are equal in it.
    pub(super) fn new(program: &'p Program, equal: &'p Equal) -> ValueKeeper<'p> {
        ValueKeeper { program, equal, functions: HashMap::new() }
    }

    /// One value.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is one of compile time only")]
    pub(super) fn value(&mut self, value: &Value, arrays: &mut impl Iterator<Item = Array>) -> SessionValue {
        match value {
            Value::Computed(computed) => {
                let array = arrays.next().expect("one array for each computed value");
                // The checker takes scalars for constants, wherever they come from.
                let scalar = array.mapping().is_some() && array.shape().is_empty();
                let array = if scalar { Array::from_scalar(array.get(0)) } else { array };
                SessionValue::Array(array, computed.elem, computed.origin)
            }
            Value::Const(value) => SessionValue::Const(value.clone()),
            Value::Dim(dim) => self.size(dim, arrays),
            Value::Tuple(items) => SessionValue::Tuple(items.iter().map(|item| self.value(item, arrays)).collect()),
            Value::Function(closure) => SessionValue::Function(self.function(closure, arrays)),
            other => SessionValue::Other(other.clone()),
        }
    }

    /// A size is a number if data decides it.
    fn size(&self, dim: &Dim, arrays: &mut impl Iterator<Item = Array>) -> SessionValue {
        let dim = self.equal.of(dim);
        let lengths = self.program.lengths_of(std::slice::from_ref(&dim)).map(|length| {
            let array = arrays.next().expect("one array for each length");
            (length.name.as_str(), array.get(0).bits as u64)
        });
        let lengths: Vec<(&str, u64)> = lengths.collect();
        let size_of = |name: &str| lengths.iter().find(|(known, _)| *known == name).map(|(_, size)| *size);
        let size = dim.form().filter(|_| !lengths.is_empty()).and_then(|form| form.evaluate(&size_of));
        match size {
            Some(size) => SessionValue::Const(Const::Int(size.into())),
            None => SessionValue::Other(Value::Dim(dim)),
        }
    }

    /// Functions need each other at most as deep as calls may nest.
    fn function(&mut self, closure: &Arc<Closure>, arrays: &mut impl Iterator<Item = Array>) -> Arc<Closure> {
        let address = Arc::as_ptr(closure) as usize;
        if let Some(kept) = self.functions.get(&address) {
            return kept.clone();
        }
        let captured = closure.captures().iter().map(|(name, captured)| {
            let kept = match captured {
                CapturedValue::Live(value) => CapturedValue::Kept(self.value(value, arrays)),
                CapturedValue::Kept(stored) => CapturedValue::Kept(stored.clone()),
            };
            (name.clone(), kept)
        });
        let captured = captured.collect();
        let kept = Arc::new(closure.with(captured));
        self.functions.insert(address, kept.clone());
        kept
    }
}
