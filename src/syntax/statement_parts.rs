//! The parts of a statement, by the kind of it.
//!
//! A walk over statements asks here for what it looks at, and matches the kinds itself only where it does something
//! else for each.

use super::ast::{ExprId, Name, Pattern, StmtKind, TypeExpr};

impl StmtKind {
    /// The names that it binds.
    pub fn names(&self) -> &[Name] {
        match self {
            StmtKind::Input { name, .. }
            | StmtKind::Var { name, .. }
            | StmtKind::Output { name, .. }
            | StmtKind::Let { pattern: Pattern::Name(name), .. } => std::slice::from_ref(name),
            StmtKind::Let { pattern: Pattern::Tuple(names, _), .. } => names,
            StmtKind::Fn(function) => std::slice::from_ref(&function.name),
            StmtKind::Error
            | StmtKind::Promotion(_)
            | StmtKind::Assign { .. }
            | StmtKind::Expr { .. }
            | StmtKind::Assert(_)
            | StmtKind::Use { .. } => &[],
        }
    }

    /// The word that it begins with. An assignment and a bare expression have none.
    pub fn word(&self) -> Option<&'static str> {
        match self {
            StmtKind::Promotion(_) => Some("promotion"),
            StmtKind::Input { .. } => Some("input"),
            StmtKind::Let { .. } => Some("let"),
            StmtKind::Var { .. } => Some("var"),
            StmtKind::Fn(_) => Some("fn"),
            StmtKind::Output { .. } => Some("output"),
            StmtKind::Assert(_) => Some("assert"),
            StmtKind::Use { .. } => Some("use"),
            StmtKind::Error | StmtKind::Assign { .. } | StmtKind::Expr { .. } => None,
        }
    }

    /// The type that it states for its value.
    pub fn ty(&self) -> Option<&TypeExpr> {
        match self {
            StmtKind::Input { ty, .. } => Some(ty),
            StmtKind::Let { ty, .. } | StmtKind::Var { ty, .. } | StmtKind::Output { ty, .. } => ty.as_ref(),
            StmtKind::Error
            | StmtKind::Promotion(_)
            | StmtKind::Assign { .. }
            | StmtKind::Fn(_)
            | StmtKind::Expr { .. }
            | StmtKind::Assert(_)
            | StmtKind::Use { .. } => None,
        }
    }

    /// The types that it states. Those in the body of a function are not among them.
    pub fn types(&self) -> impl Iterator<Item = &TypeExpr> {
        let function = if let StmtKind::Fn(function) = self { Some(function) } else { None };
        let heads = function
            .into_iter()
            .flat_map(|function| function.params.iter().filter_map(|param| param.ty.as_ref()).chain(&function.result));
        self.ty().into_iter().chain(heads)
    }

    /// The value that it ends with. The body of a function is none.
    pub fn value(&self) -> Option<ExprId> {
        match self {
            StmtKind::Let { value, .. }
            | StmtKind::Var { value, .. }
            | StmtKind::Assign { value, .. }
            | StmtKind::Expr { value, .. }
            | StmtKind::Assert(value) => Some(*value),
            StmtKind::Input { default: value, .. } | StmtKind::Output { value, .. } => *value,
            StmtKind::Error | StmtKind::Promotion(_) | StmtKind::Fn(_) | StmtKind::Use { .. } => None,
        }
    }

    /// Whether it may stand in a block.
    pub fn is_of_blocks(&self) -> bool {
        matches!(
            self,
            StmtKind::Let { .. }
                | StmtKind::Var { .. }
                | StmtKind::Assign { .. }
                | StmtKind::Assert(_)
                | StmtKind::Error
        )
    }

    /// Calls `each` with every expression directly below, from left to right. Dimensions of types are not among them,
    /// nor is the body of a function.
    pub fn each_child(&self, each: &mut impl FnMut(ExprId)) {
        match self {
            StmtKind::Error | StmtKind::Promotion(_) | StmtKind::Use { .. } => {}
            StmtKind::Input { range, default, .. } => {
                range.iter().flat_map(|&(low, high)| [low, high]).chain(*default).for_each(each);
            }
            StmtKind::Let { value, .. }
            | StmtKind::Var { value, .. }
            | StmtKind::Expr { value, .. }
            | StmtKind::Assert(value) => each(*value),
            StmtKind::Output { value, .. } => value.iter().copied().for_each(each),
            StmtKind::Assign { target, value, .. } => [*target, *value].into_iter().for_each(each),
            StmtKind::Fn(function) => function.params.iter().filter_map(|param| param.default).for_each(each),
        }
    }
}
