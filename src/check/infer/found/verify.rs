//! The rules of every typed tree, in the order in which they are checked:
//!
//! 1. An expression with a type is one of the script, and its shape is there.
//! 2. A strong type is the dtype. A weak type has a dtype of its kind.
//! 3. What is exact has a weak type, and no node. All else is a node, and its dtype was decided somewhere.
//! 4. The node is one of the program, of this dtype and of as many axes. Functions that nothing calls have no nodes in
//!    the program.
//! 5. An exact value belongs to a scalar that is exact. They stand in the order of the expressions.
//! 6. The operands of meetings stand one after another, and each belongs to one meeting. An exact value of theirs is
//!    there.
//! 7. Where there is a program, the value of a statement is there: as a type, a tuple or a value of compile time.
//!    Nothing that was walked is left out, so an expression that is there has its parts there. A negative number is one
//!    expression, and rows of a list may be one, too. What brackets, calls, attributes and loops have inside may mean
//!    something else than a value.

use super::record::{ExactPlace, PartType, TypeRow, TypedTree};
use crate::ir::verify::ensure;
use crate::ir::{NodeId, Program};
use crate::promotion::systems::System;
use crate::syntax::ast::{ExprId, ExprKind, Script, StmtKind};
use crate::types::Elem;
use std::collections::HashSet;

impl TypedTree {
    /// Checks the tree of a script. There is no program where something is wrong with the script.
    ///
    /// # Errors
    /// The first broken rule.
    pub fn verify(&self, script: &Script, program: Option<&Program>) -> Result<(), String> {
        let checked = CheckedRows { tree: self, script, program };
        for (at, row) in self.types.iter().enumerate() {
            let told = |reason| format!("expression {} of the typed tree: {reason}", row.id.0);
            checked.row(row, at < self.called[0]).map_err(told)?;
        }
        for (at, (id, parts)) in self.tuples.iter().enumerate() {
            let told = |reason| format!("tuple {} of the typed tree: {reason}", id.0);
            checked.parts(parts, at < self.called[1]).map_err(told)?;
        }
        let all = || if program.is_some() { self.complete(script) } else { Ok(()) };
        let rest = self.exact_values().and_then(|()| self.meetings()).and_then(|()| all());
        rest.map_err(|reason| format!("the typed tree: {reason}"))
    }

    /// The seventh rule. A statement that stores an element may do without a value of its own.
    fn complete(&self, script: &Script) -> Result<(), String> {
        let types = self.types.iter().map(|row| row.id);
        let tuples = self.tuples.iter().map(|(id, _)| *id);
        let others = self.others.iter().copied();
        let [called_types, called_tuples, called_others] = self.called;
        let called = types.clone().take(called_types).chain(tuples.clone().take(called_tuples));
        let called: HashSet<ExprId> = called.chain(others.clone().take(called_others)).collect();
        let there: HashSet<ExprId> = types.chain(tuples).chain(others).collect();
        let binds = |kind: &StmtKind| matches!(kind, StmtKind::Let { .. } | StmtKind::Var { .. });
        let gives = |kind: &StmtKind| matches!(kind, StmtKind::Output { .. } | StmtKind::Expr { .. });
        let kinds = script.stmts.iter().map(|stmt| &stmt.kind).filter(|kind| binds(kind) || gives(kind));
        for id in kinds.filter_map(StmtKind::value) {
            ensure(called.contains(&id), "the value of each statement is there")?;
        }
        for &id in &called {
            ensure((id.0 as usize) < script.exprs.len(), "a value of compile time is one of the script")?;
            let mut is_there = true;
            each_part(script, id, &mut |part| is_there &= there.contains(&part));
            ensure(is_there, "the parts of each expression are there")?;
        }
        Ok(())
    }

    fn exact_values(&self) -> Result<(), String> {
        ensure(self.folded.is_sorted_by(|(before, _), (at, _)| before < at), "exact values are in order")?;
        for &(at, kept) in &self.folded {
            let row = self.types.get(at).ok_or("an exact value belongs to an expression")?;
            let value = self.consts.get(kept).ok_or("an exact value is there")?;
            let is_scalar = self.shapes[row.shape as usize].is_empty();
            ensure(row.exact && is_scalar && row.elem == value.elem(), "an exact value belongs to an exact scalar")?;
        }
        Ok(())
    }

    fn meetings(&self) -> Result<(), String> {
        let mut end = 0;
        for step in &self.steps {
            ensure(step.first as usize == end, "the operands of meetings stand one after another")?;
            end += step.count as usize;
        }
        ensure(end == self.parts.len(), "each operand belongs to one meeting")?;
        let is_there = |place: ExactPlace| !matches!(place, ExactPlace::Kept(at) if at as usize >= self.consts.len());
        ensure(self.parts.iter().all(|part| is_there(part.constant)), "the exact value of an operand is there")
    }
}

/// A tree with what its rows speak of.
struct CheckedRows<'t> {
    tree: &'t TypedTree,
    script: &'t Script,
    program: Option<&'t Program>,
}

impl CheckedRows<'_> {
    /// A type; `called` says that it is not in a function that nothing calls.
    fn row(&self, row: &TypeRow, called: bool) -> Result<(), String> {
        ensure((row.id.0 as usize) < self.script.exprs.len(), "it is none of the script")?;
        let shape = self.tree.shapes.get(row.shape as usize).ok_or("its shape is there")?;
        let fits = match row.elem {
            Elem::Strong(dtype) => dtype == row.dtype,
            weak @ (Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex) => System::weak_of(row.dtype.kind()) == weak,
        };
        ensure(fits, "its dtype is not of its type")?;
        let Some(node) = row.node else {
            return ensure(row.exact && row.elem.is_weak() && row.origin.is_none(), "it is neither exact nor computed");
        };
        ensure(!row.exact && row.origin.is_some(), "it is exact, or nothing decided its dtype, and it is computed")?;
        match self.program {
            Some(program) if called => node_is(program, node, row, shape.len()),
            _ => Ok(()),
        }
    }

    fn parts(&self, parts: &[PartType], called: bool) -> Result<(), String> {
        parts.iter().try_for_each(|part| match part {
            PartType::Array(row) => self.row(row, called),
            PartType::Tuple(parts) => self.parts(parts, called),
        })
    }
}

/// Calls `each` with the parts of an expression that have a value if it has one.
#[expect(clippy::wildcard_enum_match_arm, reason = "parts of other expressions may mean something else than a value")]
fn each_part(script: &Script, id: ExprId, each: &mut impl FnMut(ExprId)) {
    let kind = |id: ExprId| &script.expr(id).kind;
    match kind(id) {
        ExprKind::Prefix(op, operand) => {
            let is_number = matches!(kind(*operand), ExprKind::Int | ExprKind::Float | ExprKind::Imaginary);
            if op.notation != "-" || !is_number {
                each(*operand);
            }
        }
        ExprKind::Array(items) | ExprKind::Tuple(items) => {
            let is_row = |id: &ExprId| matches!(kind(*id), ExprKind::Array(_) | ExprKind::Tuple(_));
            items.iter().copied().filter(|item| !is_row(item)).for_each(each);
        }
        whole @ (ExprKind::Paren(_) | ExprKind::Infix(..) | ExprKind::Compare(..)) => whole.each_child(each),
        _ => {}
    }
}

fn node_is(program: &Program, node: NodeId, row: &TypeRow, axes: usize) -> Result<(), String> {
    let node = program.nodes.get(node.index()).ok_or("its node is one of the program")?;
    ensure(node.dtype == row.dtype, "its node has another dtype")?;
    ensure(node.shape.len() == axes, "its node has another number of axes")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::check::{CheckedScript, Request, check};
    use crate::diagnostic::Diagnostics;
    use crate::source::Sources;
    use crate::syntax;
    use crate::syntax::ast::ExprId;
    use crate::types::DType;
    use std::sync::Arc;

    const TEXT: &str = "input x: f32[3]\nlet t = (x, 2 + 3)\nfn unused(y: f64[2]) = y + 1\nx * 2 + 1.5";

    fn checked(text: &str) -> (Arc<Script>, CheckedScript) {
        let mut sources = Sources::new();
        let source = sources.add("test.arr", text);
        let mut sink = Diagnostics::new();
        let script = syntax::parse(&sources, source, &mut sink);
        let found = check(&Request::new(&script, &sources), &mut sink);
        (script, found)
    }

    #[test]
    fn the_tree_of_a_script_is_fine() {
        let others = "input x: f32[n]\nlet (f, k) = (sum, n)\nlet e = [[-1, k], [2, (3)]]\nf(x * n) * -k < 2 <= 3";
        for text in [TEXT, others, "x +", "let a = [1, 2]\na[5] + 1", "repeat 3 with s = 1.0 { s * 2 }"] {
            let (script, found) = checked(text);
            assert_eq!(found.record.verify(&script, found.program.as_ref()), Ok(()), "{text}");
        }
        let (_, found) = checked(TEXT);
        assert!(found.program.is_some() && !found.record.folded.is_empty() && !found.record.tuples.is_empty());
    }

    #[test]
    fn every_rule_is_asked_for() {
        type Change = fn(&mut TypedTree);
        fn computed(tree: &mut TypedTree) -> &mut TypeRow {
            tree.types.iter_mut().find(|row| row.node.is_some()).unwrap()
        }
        fn exact(tree: &mut TypedTree) -> &mut TypeRow {
            tree.types.iter_mut().find(|row| row.exact).unwrap()
        }
        let cases: [(Change, &str); 19] = [
            (|it| it.types[0].id = ExprId(900), "it is none of the script"),
            (|it| it.types[0].shape = 900, "its shape is there"),
            (|it| computed(it).dtype = DType::F64, "its dtype is not of its type"),
            (|it| exact(it).dtype = DType::Bool, "its dtype is not of its type"),
            (|it| exact(it).exact = false, "it is neither exact nor computed"),
            (|it| computed(it).origin = None, "nothing decided its dtype"),
            (|it| computed(it).node = Some(NodeId(900)), "its node is one of the program"),
            (
                |it| {
                    let row = computed(it);
                    (row.elem, row.dtype) = (DType::I8.into(), DType::I8);
                },
                "its node has another dtype",
            ),
            (
                |it| {
                    it.shapes.push(Vec::new());
                    let none = it.shapes.len() as u32 - 1;
                    computed(it).shape = none;
                },
                "its node has another number of axes",
            ),
            (|it| it.folded.push(it.folded[0]), "exact values are in order"),
            (|it| it.folded[0].1 = 900, "an exact value is there"),
            (|it| it.folded.insert(0, (0, 0)), "an exact value belongs to an exact scalar"),
            (|it| it.steps[0].first += 1, "stand one after another"),
            (|it| it.parts.truncate(1), "each operand belongs to one meeting"),
            (|it| it.parts[0].constant = ExactPlace::Kept(900), "the exact value of an operand is there"),
            (|it| it.types[it.called[0] - 1].id = it.types[0].id, "the value of each statement is there"),
            (|it| it.tuples[0].0 = it.types[0].id, "the value of each statement is there"),
            (|it| it.types[1].id = it.types[0].id, "the parts of each expression are there"),
            (
                |it| {
                    it.others.push(ExprId(900));
                    it.called[2] = it.others.len();
                },
                "a value of compile time is one of the script",
            ),
        ];
        let (script, found) = checked(TEXT);
        for (change, rule) in cases {
            let mut tree = found.record.clone();
            change(&mut tree);
            let said = tree.verify(&script, found.program.as_ref()).unwrap_err();
            assert!(said.contains(rule), "{said} should be {rule}");
        }
    }
}
