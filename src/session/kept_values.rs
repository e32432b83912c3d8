//! What a session keeps of an input: computed values become arrays, also those that functions captured.
//!
//! The arrays of a program come in the order in which [`outputs`] asked for them, and [`Keep::value`] walks the same
//! way.

use crate::array::Array;
use crate::check::Defined;
use crate::check::closure::{Captured, Closure};
use crate::check::env::Stored;
use crate::check::value::Value;
use crate::ir::{Program, ProgramOutput};
use crate::source::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Adds an output for every computed value that a name keeps.
pub(super) fn outputs(program: &mut Program, names: &[Defined]) {
    #[expect(clippy::wildcard_enum_match_arm, reason = "no other value has a node")]
    fn keep(program: &mut Program, value: &Value, span: Span, seen: &mut HashSet<usize>) {
        match value {
            Value::Computed(computed) => {
                program.outputs.push(ProgramOutput {
                    name: None,
                    node: computed.node,
                    span,
                    weak: computed.elem.is_weak(),
                });
            }
            Value::Tuple(items) => items.iter().for_each(|item| keep(program, item, span, seen)),
            Value::Function(closure) if seen.insert(Arc::as_ptr(closure) as usize) => {
                for (_, captured) in closure.captured() {
                    if let Captured::Live(value) = captured {
                        keep(program, value, span, seen);
                    }
                }
            }
            _ => {}
        }
    }
    let mut seen = HashSet::new();
    names.iter().for_each(|defined| keep(program, &defined.value, defined.span, &mut seen));
}

/// Values as the session keeps them.
#[derive(Default)]
pub(super) struct Keep {
    /// Functions that are kept already: many may use one.
    functions: HashMap<usize, Arc<Closure>>,
}

impl Keep {
    /// One value.
    #[expect(clippy::wildcard_enum_match_arm, reason = "every other value is one of compile time only")]
    pub(super) fn value(&mut self, value: &Value, arrays: &mut impl Iterator<Item = Array>) -> Stored {
        match value {
            Value::Computed(computed) => {
                let array = arrays.next().expect("one array for each computed value");
                // The checker takes scalars for constants, wherever they come from.
                let scalar = array.mapping().is_some() && array.shape().is_empty();
                let array = if scalar { Array::from_scalar(array.get(0)) } else { array };
                Stored::Array(array, computed.elem, computed.origin)
            }
            Value::Const(value) => Stored::Const(value.clone()),
            Value::Tuple(items) => Stored::Tuple(items.iter().map(|item| self.value(item, arrays)).collect()),
            Value::Function(closure) => Stored::Function(self.function(closure, arrays)),
            other => Stored::Other(other.clone()),
        }
    }

    /// Functions need each other at most as deep as calls may nest.
    fn function(&mut self, closure: &Arc<Closure>, arrays: &mut impl Iterator<Item = Array>) -> Arc<Closure> {
        let address = Arc::as_ptr(closure) as usize;
        if let Some(kept) = self.functions.get(&address) {
            return kept.clone();
        }
        let captured = closure.captured().iter().map(|(name, captured)| {
            let kept = match captured {
                Captured::Live(value) => Captured::Kept(self.value(value, arrays)),
                Captured::Kept(stored) => Captured::Kept(stored.clone()),
            };
            (name.clone(), kept)
        });
        let captured = captured.collect();
        let kept = Arc::new(closure.with(captured));
        self.functions.insert(address, kept.clone());
        kept
    }
}
