//! The promotion systems, a row each.
//!
//! A row says how operands meet (a lattice, a table, not at all), what literals are, what each class of operations
//! makes of the joined type, and a few words on where that is written down. Most systems change few rules of
//! another: they match those classes and leave the rest to it. Each file lists its systems.

mod clr;
mod jax;
mod jep;
mod numpy;
mod rfc;
mod tensorflow;
mod torch;

use super::grid::{Grid, GridType};
use super::join::{Join, Scalars, by_rank, by_value};
use super::lattice::Lattice;
use super::rule::{NOTHING, Set};
use super::verdict::{self, Effect, Mode};
use super::{Class, Operand, Operation, Refusal, Rule};
use crate::types::{DType, Elem, Kind};
use std::borrow::Cow;
use std::sync::LazyLock;

/// A promotion system.
#[derive(Debug)]
pub struct System {
    /// How it is selected: `jax`.
    pub name: &'static str,
    /// What its page says.
    pub about: SystemPage,
    /// How operands are joined.
    pub join: Join,
    /// What counts as weak.
    pub weak: WeakRules,
    /// How wide numbers are that nothing gives a dtype.
    pub widths: WidthRules,
    /// What operations make of the joined type.
    pub rules: OperationRules,
    /// What is looked for in its name.
    pub checks: SystemChecks,
    /// The dtypes that the library holds, and computes little or nothing in.
    pub storage: StorageTypes,
}

/// What people are told of a system.
#[derive(Clone, Copy, Debug)]
pub struct SystemPage {
    /// One line.
    pub summary: &'static str,
    /// The document or release it follows.
    pub source: &'static str,
    /// How it differs from `jax`, in at most three lines.
    pub differs: &'static [&'static str],
    /// Whether it is a system of today, shown by `--all-systems`.
    pub current: bool,
}

/// What the operations of a system make of the joined type.
#[derive(Clone, Copy, Debug)]
pub struct OperationRules {
    /// The rule of each class of operations.
    pub of_class: fn(Class) -> Rule,
    /// Operations by name that are unlike the rest of their class, in lists that systems may share.
    pub exceptions: &'static [NamedRules],
    /// What `x op= y` asks of the result.
    pub in_place: InPlace,
}

/// What is looked for in the name of a system.
#[derive(Clone, Copy, Debug)]
pub struct SystemChecks {
    /// Whether integers that are too wide for the float that `/` or `sqrt` makes of them are reported.
    pub inexact: bool,
    /// Names that its laws are not about: weak types of systems that have none as types, and what a document leaves
    /// out.
    pub outside_laws: &'static str,
    /// Whether a method that means something else of PyTorch's tensors is refused.
    pub tensors: bool,
}

/// Operations by name, each with a rule.
pub type NamedRules = &'static [(&'static str, Rule)];

/// What counts as weak, besides literals.
#[derive(Clone, Copy, Debug)]
pub struct WeakRules {
    /// What scalars that are no literals count as.
    pub scalars: Scalars,
    /// Whether an array literal of weak elements is weak.
    pub literals: bool,
    /// Whether results of weak operands are weak; otherwise they have the default dtype.
    pub results: bool,
}

/// How wide numbers are that nothing gives a dtype.
#[derive(Clone, Copy, Debug)]
pub struct WidthRules {
    /// What weak integers, floats and complex numbers become when nothing else decides.
    pub defaults: [DType; 3],
    /// Whether `--width` may change the defaults.
    pub is_option: bool,
    /// Whether there are no 64-bit types: what has one is stored in 32 bits.
    pub narrow: bool,
}

/// Dtypes that a system has not, or holds and converts and computes little in.
#[derive(Clone, Copy, Debug)]
pub struct StorageTypes {
    /// The dtypes.
    pub dtypes: Set,
    /// The classes of operations that take them.
    pub classes: &'static [Class],
    /// Operations by name that do, of other classes.
    pub names: &'static [&'static str],
    /// Whether they go into other operations together with an operand that takes them to another dtype.
    pub are_met: bool,
}

impl StorageTypes {
    /// Every dtype is computed in.
    pub const NOTHING: StorageTypes = StorageTypes::only(NOTHING, &[]);

    /// These dtypes are taken by these classes only.
    const fn only(dtypes: Set, classes: &'static [Class]) -> StorageTypes {
        StorageTypes { dtypes, classes, names: &[], are_met: false }
    }
}

/// When an array may be updated in place with the result of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InPlace {
    /// The result has exactly the array's dtype.
    Exact,
    /// As in the system of this name.
    Like(&'static str),
    /// The result can be cast to it within its kind or to a higher one (NumPy's `same_kind`).
    SameKind,
    /// The result's category is not above the array's: bool, integer, float, complex (PyTorch).
    Category,
}

impl InPlace {
    /// Whether a result of this dtype may be stored in an array of that one.
    pub fn allows(self, result: DType, array: DType) -> bool {
        let category = |dtype: DType| match dtype.kind() {
            Kind::Bool => 0,
            Kind::Unsigned | Kind::Signed => 1,
            Kind::Float => 2,
            Kind::Complex => 3,
        };
        match self {
            InPlace::Exact | InPlace::Like(_) => result == array,
            // ml_dtypes lets every number be cast to bfloat16 within a kind.
            InPlace::SameKind if array == DType::Bf16 => true,
            InPlace::SameKind if result.kind() == Kind::Signed && array.kind() == Kind::Unsigned => false,
            InPlace::SameKind | InPlace::Category => category(result) <= category(array),
        }
    }
}

impl System {
    /// The common type of operands, before the operation says what it makes of it.
    ///
    /// # Errors
    /// When there is none.
    pub fn join(&self, operands: &[Operand]) -> Result<GridType, Refusal> {
        self.join_by(&self.join, operands, false)
    }

    /// The common type of operands by another join than the system's own; `searched` as in the rule.
    ///
    /// # Errors
    /// When there is none.
    pub(super) fn join_by(&self, join: &Join, operands: &[Operand], searched: bool) -> Result<GridType, Refusal> {
        let joined = match self.weak.scalars {
            Scalars::ByKind => by_rank(join, operands, |elem| self.harden(elem)),
            Scalars::AsArrays | Scalars::ByValue => {
                join.of(&self.operands_by_value(operands, searched), |elem| self.harden(elem))
            }
        }?;
        Ok(GridType { elem: self.storage_type(joined.elem), ..joined })
    }

    /// The operands in the types that they are stored in.
    pub(super) fn stored_operands<'o, 'c>(&self, operands: &'o [Operand<'c>]) -> Cow<'o, [Operand<'c>]> {
        match self.widths.narrow {
            true => operands.iter().map(|it| it.with_type(self.storage_type(it.elem))).collect(),
            false => operands.into(),
        }
    }

    /// The operands as what they count for; `searched` as in the rule.
    pub(super) fn operands_by_value<'o, 'c>(
        &self,
        operands: &'o [Operand<'c>],
        searched: bool,
    ) -> Cow<'o, [Operand<'c>]> {
        match self.weak.scalars {
            Scalars::AsArrays | Scalars::ByKind => operands.into(),
            Scalars::ByValue => by_value(operands, searched, |elem| self.harden(elem)).into(),
        }
    }

    /// Whether the system has a rule for the operation of this name, beside that of its class.
    pub(crate) fn names(&self, name: &str) -> bool {
        self.exception(name).is_some()
    }

    /// The rule of the operation of this name, if it is unlike its class.
    fn exception(&self, name: &str) -> Option<Rule> {
        self.rules.exceptions.iter().copied().flatten().find(|(known, _)| *known == name).map(|&(_, rule)| rule)
    }

    /// What the system makes of this operation.
    pub fn rule_of(&self, operation: Operation) -> Rule {
        let rule = self.exception(operation.name).unwrap_or_else(|| (self.rules.of_class)(operation.class));
        match self.computes_all(operation) {
            true => rule,
            false => Rule { accepts: rule.accepts.but(self.storage.dtypes), ..rule },
        }
    }

    /// Whether the operation takes the dtypes that are only stored.
    fn computes_all(&self, operation: Operation) -> bool {
        let StorageTypes { classes, names, .. } = self.storage;
        classes.contains(&operation.class) || names.contains(&operation.name)
    }

    /// The dtypes that the system has not, or only stores, go into few operations.
    ///
    /// # Errors
    /// When the operation does not take one of them.
    pub(super) fn refuse_stored(&self, operation: Operation, operands: &[Operand]) -> Result<(), Refusal> {
        if self.storage.are_met || self.computes_all(operation) {
            return Ok(());
        }
        let stored = operands.iter().find(|operand| self.storage.dtypes.contains(operand.elem));
        stored.map_or(Ok(()), |operand| Err(Refusal::Unsupported(operand.elem)))
    }

    /// The type that values are stored in: where there are no 64-bit types, the one of half the width.
    pub fn storage_type(&self, elem: Elem) -> Elem {
        match elem {
            Elem::Strong(DType::I64) if self.widths.narrow => Elem::Strong(DType::I32),
            Elem::Strong(DType::U64) if self.widths.narrow => Elem::Strong(DType::U32),
            Elem::Strong(DType::F64) if self.widths.narrow => Elem::Strong(DType::F32),
            Elem::Strong(DType::C128) if self.widths.narrow => Elem::Strong(DType::C64),
            other @ (Elem::Strong(_) | Elem::WeakInt | Elem::WeakFloat | Elem::WeakComplex) => other,
        }
    }

    /// How many bits the widest real dtypes have.
    pub fn widest_bits(&self) -> u32 {
        if self.widths.narrow { 32 } else { 64 }
    }

    /// The dtype that a type has when nothing else decides.
    pub fn harden(&self, elem: Elem) -> DType {
        match elem {
            Elem::Strong(dtype) => dtype,
            Elem::WeakInt => self.widths.defaults[0],
            Elem::WeakFloat => self.widths.defaults[1],
            Elem::WeakComplex => self.widths.defaults[2],
        }
    }

    /// What happens when these operands meet as `to`: computed from the dtypes, and for pairs with a literal what
    /// the system's document says. `harden` says what weak types are where nothing else decides.
    pub fn effects(
        &self,
        operation: impl Into<Operation>,
        operands: &[Elem],
        to: Elem,
        harden: impl Fn(Elem) -> DType,
    ) -> Vec<Effect> {
        let mut effects = verdict::effects(operands, to, harden);
        let own = self.rule_of(operation.into()).meet.join;
        let stated = match (own.unwrap_or(&self.join).grid(), operands) {
            (Some(grid), &[left, right]) if own.is_some() || left.is_weak() || right.is_weak() => {
                grid.mode(left.into(), right.into())
            }
            _ => None,
        };
        match (stated, verdict::strictest(&effects)) {
            (Some(Mode::All), Mode::Safe | Mode::None) => effects.push(Effect::KindChange),
            (Some(Mode::None | Mode::Safe), Mode::All) => effects.retain(|effect| *effect == Effect::Implicit),
            _ => {}
        }
        effects
    }

    /// The lattice, if the system is one.
    pub fn lattice(&self) -> Option<&Lattice> {
        self.join.lattice()
    }

    /// The table, if the system is one.
    pub fn grid(&self) -> Option<&Grid> {
        self.join.grid()
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

/// Defaults of 64 bits.
const DEFAULTS_64: [DType; 3] = [DType::I64, DType::F64, DType::C128];
/// Defaults of 32 bits.
const DEFAULTS_32: [DType; 3] = [DType::I32, DType::F32, DType::C64];

/// A table of pairs; it is read when it is asked first.
const fn table(grid: fn() -> Grid) -> Join {
    Join::Table(LazyLock::new(grid))
}

/// The table of a text.
fn grid(text: &str, defaults: [DType; 3]) -> Grid {
    Grid::parse(text, defaults).expect("the tables are read by a test")
}

/// All systems, in the order of these files: the default first.
pub static ALL: LazyLock<Vec<&System>> =
    LazyLock::new(|| [jax::ROWS, numpy::ROWS, torch::ROWS, tensorflow::ROWS, rfc::ROWS, jep::ROWS, clr::ROWS].concat());

/// The system that is used when nothing is said.
pub fn default() -> &'static System {
    &jax::JAX
}

/// The system that operators between literals follow, in every other one: Python's.
pub fn literals() -> &'static System {
    &jep::PYTHON
}

/// The system with this name.
pub fn find(name: &str) -> Option<&'static System> {
    ALL.iter().copied().find(|system| system.name == name)
}
