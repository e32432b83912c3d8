//! Arrays of which an assertion says something that is known to be false: a length that they do not have.
//!
//! What follows from such an array would say the same again, line by line, so nothing is known of it any more, but in
//! other assertions, each of which is decided by itself.

use crate::check::infer::Ctx;
use crate::check::infer::values::value::Value;
use crate::source::Span;
use crate::syntax::ast::{Stmt, StmtKind};

impl Ctx<'_> {
    /// The value of a name, or that nothing is known of it.
    pub(in crate::check) fn unless_disproved(&mut self, name: &str, value: Value) -> Value {
        if self.frame.assertions.named.is_none() && self.frame.assertions.disproved.is_empty() {
            return value;
        }
        let place = self.frame.scope.find(name).map(|binding| binding.span);
        if self.frame.assertions.named.is_none() {
            let is_disproved = place.is_some_and(|place| self.frame.assertions.disproved.contains(&place));
            return if is_disproved { Value::Error } else { value };
        }
        let arrays = match place {
            Some(place) if self.is_array(&value) => vec![place],
            Some(_) => Vec::new(),
            None => self.inputs_with(name),
        };
        if let Some(asserted) = &mut self.frame.assertions.named {
            asserted.extend(arrays);
        }
        value
    }

    /// Takes note that what the assertion says of arrays is false.
    pub(in crate::check) fn disprove(&mut self) {
        self.frame.assertions.disproved.extend(self.frame.assertions.named.iter().flatten().copied());
    }

    fn is_array(&self, value: &Value) -> bool {
        match value {
            Value::Literal(literal) => !literal.shape.is_empty(),
            Value::Computed(computed) => !self.graph.builder.shape(computed.node).is_empty(),
            Value::Error
            | Value::Const(_)
            | Value::Dim(_)
            | Value::DType(_)
            | Value::Str(_)
            | Value::Tuple(_)
            | Value::None
            | Value::Absent(_)
            | Value::Builtin(_)
            | Value::Function(_) => false,
        }
    }

    /// Where the inputs are defined in whose types the name of a dimension stands.
    fn inputs_with(&self, name: &str) -> Vec<Span> {
        let of = |stmt: &Stmt| {
            let StmtKind::Input { name: input, ty, .. } = &stmt.kind else { return None };
            let mut words = self.text(ty.span).split(|c: char| !c.is_alphanumeric() && c != '_').skip(1);
            let binding = if words.any(|word| word == name) { self.frame.scope.find(&input.text) } else { None };
            binding.map(|binding| binding.span)
        };
        self.frame.script.stmts.iter().filter_map(of).collect()
    }
}
