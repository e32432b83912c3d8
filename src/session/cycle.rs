//! Values on the command line that need each other: `x=y+1 y=x-1` gives neither of them a value.
//!
//! A free name of `arr eval` stands for the expression that the command line gives for it, and that expression may use
//! other such names. The checker follows them, one inside the other: so they must come to an end, and soon.

use crate::check::{BoundName, MAX_CALLS as MAX_NESTED};
use crate::diagnostic::codes::{inputs, names};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::source::Span;
use crate::syntax::ast::ExprKind;
use std::collections::BTreeMap;

/// The most values that may use each other one after the other: as many as calls may be nested.
const MAX_CHAIN: usize = MAX_NESTED as usize;

/// Of each name that has an expression: where that is, and which other such names it uses.
type NameUses<'g> = BTreeMap<&'g str, (Span, Vec<&'g str>)>;

/// Reports the first values that need each other, or that need too many one after the other. Returns whether there are
/// such values. If there are, no expression is kept.
pub(super) fn refuse(values: &mut BTreeMap<String, (BoundName, Span)>, sink: &mut Diagnostics) -> bool {
    let Err(diagnostic) = in_order(&uses(values)) else { return false };
    sink.push(*diagnostic);
    values.retain(|_, (bound, _)| matches!(bound, BoundName::Data(_)));
    true
}

fn uses(bound: &BTreeMap<String, (BoundName, Span)>) -> NameUses<'_> {
    let is_expression = |name: &str| matches!(bound.get(name), Some((BoundName::Expression(_), _)));
    let used = |bound| match bound {
        &BoundName::Data(_) => None,
        BoundName::Expression(script) => Some(script.exprs.iter().filter_map(|expr| {
            let ExprKind::Name(name) = &expr.kind else { return None };
            is_expression(name).then_some(name.as_str())
        })),
    };
    bound.iter().filter_map(|(name, (bound, at))| Some((name.as_str(), (*at, used(bound)?.collect())))).collect()
}

/// Finds for each name how long a chain of values it begins.
fn in_order(uses: &NameUses) -> Result<(), Box<Diagnostic>> {
    let mut lengths: BTreeMap<&str, usize> = BTreeMap::new();
    for &start in uses.keys() {
        // The names on the way, each with the number of the next one that it uses.
        let mut path: Vec<(&str, usize)> = vec![(start, 0)];
        while let Some(&mut (name, ref mut next)) = path.last_mut() {
            let used = &uses[name].1;
            let Some(&to) = used.get(*next) else {
                path.pop();
                let length = 1 + used.iter().map(|to| lengths[to]).max().unwrap_or(0);
                if length > MAX_CHAIN {
                    return Err(Box::new(too_long(name, uses)));
                }
                lengths.insert(name, length);
                continue;
            };
            *next += 1;
            if let Some(from) = path.iter().position(|&(name, _)| name == to) {
                let cycle: Vec<&str> = path[from..].iter().map(|&(name, _)| name).collect();
                return Err(Box::new(needs_itself(&cycle, uses)));
            }
            if path.len() > MAX_CHAIN {
                return Err(Box::new(too_long(start, uses)));
            }
            if !lengths.contains_key(to) {
                path.push((to, 0));
            }
        }
    }
    Ok(())
}

fn needs_itself(cycle: &[&str], uses: &NameUses) -> Diagnostic {
    let next = |index: usize| cycle[(index + 1) % cycle.len()];
    let message = match cycle {
        [only] => format!("the value of `{only}` uses `{only}`"),
        [first, rest @ ..] => format!("the value of `{first}` needs itself: {first} → {} → {first}", rest.join(" → ")),
        [] => unreachable!("a cycle has a name"),
    };
    let mut diagnostic = Diagnostic::error(&inputs::VALUE_CYCLE, uses[cycle[0]].0, message);
    for (index, name) in cycle.iter().enumerate().take(8) {
        diagnostic = diagnostic.label(uses[name].0, format!("uses `{}`", next(index)));
    }
    diagnostic.help(match cycle {
        [only] => format!("call the value something else than `{only}`"),
        _ => "give one of them a value that uses none of the others".to_owned(),
    })
}

fn too_long(name: &str, uses: &NameUses) -> Diagnostic {
    let at = uses[name].0;
    let message = format!("more than {MAX_CHAIN} values on the command line use each other one after the other");
    Diagnostic::error(&names::EXPANSION_LIMIT, at, message).label(at, format!("`{name}` begins such a chain"))
}
