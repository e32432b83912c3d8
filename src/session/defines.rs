//! `x = 3` at a prompt: it gives a name a meaning, as `let x = 3` does in a script.
//!
//! The tree is changed before it is checked, so that what follows sees a `let`. Names that were declared with `var`
//! stay variables: for them `=` is an assignment, and they keep their dtype.

use crate::check::env::Env;
use crate::syntax::ast::{Expr, ExprKind, Name, Pattern, Script, StmtKind};
use std::collections::HashMap;

/// Makes definitions of the plain assignments to names that are no variables.
pub(super) fn by_assignment(script: &mut Script, env: &Env) {
    // What this text said last of a name: whether it is a variable.
    let mut own: HashMap<String, bool> = HashMap::new();
    let Script { stmts, exprs, .. } = script;
    for stmt in stmts {
        let defined = if let StmtKind::Assign { target, op: None, value } = &stmt.kind
            && let Expr { kind: ExprKind::Name(name), span, .. } = &exprs[target.0 as usize]
        {
            Some((Name { text: name.clone(), span: *span }, *value))
        } else {
            None
        };
        if let Some((name, value)) = defined
            && !own.get(&name.text).copied().unwrap_or_else(|| env.is_variable(&name.text))
        {
            stmt.kind = StmtKind::Let { pattern: Pattern::Name(name), ty: None, value };
        }
        let is_variable = matches!(stmt.kind, StmtKind::Var { .. });
        if is_variable || matches!(stmt.kind, StmtKind::Let { .. }) {
            own.extend(stmt.kind.names().iter().map(|name| (name.text.clone(), is_variable)));
        }
    }
}
