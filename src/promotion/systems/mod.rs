//! The promotion systems, a row each.

mod jax;

use super::lattice::Lattice;
use super::verdict::{self, Effect};
use super::{Class, Operand, Operation, Refusal, Rule};
use crate::types::{DType, Elem, Kind};
use std::sync::LazyLock;

/// A promotion system.
#[derive(Debug)]
pub struct System {
    /// How it is selected: `jax`.
    pub name: &'static str,
    /// One line.
    pub summary: &'static str,
    /// The document or release it follows.
    pub source: &'static str,
    /// How operands are joined.
    pub join: Join,
    /// What weak integers, floats and complex numbers become when nothing else decides.
    pub defaults: [DType; 3],
    /// Whether `--width` may change the defaults.
    pub width_option: bool,
    /// Whether an array literal of weak elements is weak.
    pub weak_literals: bool,
    /// What each class of operations makes of the joined type.
    pub rule: fn(Class) -> Rule,
    /// Operations by name that are unlike the rest of their class.
    pub exceptions: &'static [(&'static str, Rule)],
    /// Whether integers that are too wide for the float that `/` or `sqrt` makes of them are reported.
    pub reports_inexact: bool,
}

/// How a system joins operands.
#[derive(Debug)]
pub enum Join {
    /// The least upper bound in a lattice that has the weak types as nodes.
    Lattice(LazyLock<Lattice>),
}

impl System {
    /// The common type of operands, before the operation says what it makes of it.
    ///
    /// # Errors
    /// When there is none.
    pub fn join(&self, operands: &[Operand]) -> Result<Elem, Refusal> {
        match &self.join {
            Join::Lattice(lattice) => {
                let mut elems = operands.iter().map(|operand| operand.elem);
                let first = elems.next().unwrap_or(Elem::Strong(DType::Bool));
                let mut joined = first;
                for (index, elem) in elems.enumerate() {
                    let so_far = operands[..=index + 1].iter().map(|operand| operand.elem);
                    joined = lattice.join(so_far).ok_or(Refusal::NoJoin(first, elem))?;
                }
                Ok(joined)
            }
        }
    }

    /// What the system makes of this operation.
    pub fn rule_of(&self, operation: Operation) -> Rule {
        let exception = self.exceptions.iter().find(|(name, _)| *name == operation.name);
        exception.map_or_else(|| (self.rule)(operation.class), |&(_, rule)| rule)
    }

    /// The dtype that a type has when nothing else decides.
    pub fn harden(&self, elem: Elem) -> DType {
        match elem {
            Elem::Strong(dtype) => dtype,
            Elem::WeakInt => self.defaults[0],
            Elem::WeakFloat => self.defaults[1],
            Elem::WeakComplex => self.defaults[2],
        }
    }

    /// What happens when these operands meet as `to`.
    pub fn effects(&self, operands: &[Elem], to: Elem) -> Vec<Effect> {
        verdict::effects(operands, to, |elem| self.harden(elem))
    }

    /// The lattice, if the system is one.
    pub fn lattice(&self) -> Option<&Lattice> {
        match &self.join {
            Join::Lattice(lattice) => Some(lattice),
        }
    }

    /// Whether literals take part as types of their own that operands decide about.
    pub fn weak_of(kind: Kind) -> Elem {
        match kind {
            Kind::Bool => Elem::Strong(DType::Bool),
            Kind::Unsigned | Kind::Signed => Elem::WeakInt,
            Kind::Float => Elem::WeakFloat,
            Kind::Complex => Elem::WeakComplex,
        }
    }
}

/// All systems, the default first.
pub static ALL: &[&System] = &[&jax::JAX];

/// The system that is used when nothing is said.
pub fn default() -> &'static System {
    ALL[0]
}

/// The system with this name.
pub fn find(name: &str) -> Option<&'static System> {
    ALL.iter().copied().find(|system| system.name == name)
}
