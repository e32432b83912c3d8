//! The functions of earlier inputs that an input may call: the files that they load are read with its own.

use crate::check::closure::{CapturedValue, Closure};
use crate::check::env::{Env, SessionValue};
use crate::syntax::ast::{Expr, Script};
use std::collections::HashSet;
use std::sync::Arc;

/// The functions that the names in a script lead to, directly or through other functions.
pub(super) fn functions(script: &Script, env: &Env) -> Vec<Arc<Closure>> {
    let names = script.exprs.iter().filter_map(Expr::last_name);
    let mut left: Vec<&SessionValue> = names.filter_map(|(name, _)| env.get(name)).map(|(stored, _)| stored).collect();
    let mut seen = HashSet::new();
    let mut found: Vec<Arc<Closure>> = Vec::new();
    while let Some(stored) = left.pop() {
        match stored {
            SessionValue::Function(closure) if seen.insert(Arc::as_ptr(closure)) => {
                found.push(closure.clone());
                left.extend(closure.captures().iter().filter_map(|(_, captured)| match captured {
                    CapturedValue::Kept(stored) => Some(stored),
                    CapturedValue::Live(_) => None,
                }));
            }
            SessionValue::Tuple(items) => left.extend(items),
            SessionValue::Array(..) | SessionValue::Const(_) | SessionValue::Function(_) | SessionValue::Other(_) => {}
        }
    }
    found
}
