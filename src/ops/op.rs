//! A row of the table. It says how an operation is written, what it takes and what it does. Short forms of rows, for
//! the files that list them, stand at the end.

use super::expand::Expand;
use super::{Creation, Draw, ExactOp, Matrices, Param, Rearrangement, Role, Spectrum, Way, X, XY, XYZ};
use super::{elsewhere, lines, load, places, types};
use crate::ir::{Fold, NodeId};
use crate::promotion::systems::System;
use crate::promotion::{self, Class, Operand, Operation};
use crate::types::{DType, Elem, Kind};
use std::fmt;

/// How an operator is written.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Notation {
    /// `a + b`
    Infix(&'static str),
    /// `-a`
    Prefix(&'static str),
    /// `z.real`
    Attribute(&'static str),
}

/// What an operation does with its operands.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// Element by element. Operands arrive converted to the type that the class computes in (conditions as `bool`,
    /// before them), small floats as `f32`.
    Map(fn(&mut Expand, &[NodeId]) -> NodeId),
    /// A map with numbers that are known now: the arguments for its parameters with the role [`Role::Number`].
    Tuned(fn(&mut Expand, &[NodeId], &[f64]) -> NodeId),
    /// A map with such numbers, of operands in their own dtype, also one that other maps compute with in `f32`.
    Kept(fn(&mut Expand, &[NodeId], &[f64]) -> NodeId),
    /// A conversion to a dtype that is an argument. The operand arrives in its own dtype.
    Cast(Cast),
    /// A comparison: as a map, but integers of any two dtypes arrive as they are and compare exactly.
    Compare(fn(&mut Expand, NodeId, NodeId) -> NodeId),
    /// A power or a shift: as a map, but a constant second operand need not fit the dtype of the first.
    Scaled(ScaledOperation),
    /// A reduction of one operand over axes.
    Fold(fn(&mut Expand, NodeId, &Reduce) -> NodeId),
    /// A scan of one operand along an axis: as many elements come out as go in.
    Scan(Fold),
    /// A product of matrices, or a part of one.
    Matrices(Matrices),
    /// A Fourier transform, or what belongs to one.
    Spectrum(Spectrum),
    /// Random numbers, or keys.
    Random(Draw),
    /// An array made of compile-time arguments.
    Make(Creation),
    /// The elements of arrays in another shape or order.
    Layout(Rearrangement),
    /// An operation over whole lines.
    Lines(lines::Lines),
    /// Elements read from, or put to, places that positions say.
    Places(places::Places),
    /// The array in a file.
    Load(load::FileCells),
    /// Something that is known before anything runs.
    Question(types::Question),
    /// Code of the language, one for each way to call it: that of the first whose parameters are those that are given.
    Written(&'static [Way]),
}

/// Operations whose constant second operand is an exact integer of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScaledOperation {
    /// `**`
    Power,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// The axes of a reduction, and what else it was told.
#[derive(Clone, Debug)]
pub struct Reduce {
    /// Ascending axes of the operand.
    pub axes: Vec<usize>,
    /// Whether they stay, with length 1.
    pub keep: bool,
    /// How many elements do not count when squares are averaged.
    pub freedom: f64,
}

/// A conversion between dtypes.
#[derive(Clone, Copy, Debug)]
pub enum Cast {
    /// The conversion that the dtype is when it is called: `f32(x)`.
    Plain,
    /// A conversion of its own.
    Own {
        /// Why there is no conversion between two dtypes, if there is none.
        refuses: fn(DType, DType) -> Option<CastRefusal>,
        /// The converted value.
        expand: fn(&mut Expand, NodeId, DType) -> NodeId,
    },
}

/// Why a conversion of its own has no value. Its text is the end of a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastRefusal {
    /// A complex number has no nearest integer.
    Complex,
    /// Only integers have ends, and this dtype is none.
    NoEnds(DType),
    /// Complex numbers are read part by part.
    ComplexBits,
    /// Most bytes are no bool.
    BoolBits,
    /// Two dtypes have other numbers of bits.
    Sizes(DType, DType),
}

impl fmt::Display for CastRefusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CastRefusal::Complex => f.write_str("a complex number has no nearest integer; say `real(z)` or `abs(z)`"),
            CastRefusal::NoEnds(to) => write!(f, "only integers have ends; to convert, write `{to}(x)`"),
            CastRefusal::ComplexBits => f.write_str("complex numbers are read part by part: `real(z)`, `imag(z)`"),
            CastRefusal::BoolBits => f.write_str("most bytes are no bool; write `x != 0`"),
            CastRefusal::Sizes(from, to) => {
                write!(f, "{from} has {} bits and {to} has {}", 8 * from.size(), 8 * to.size())
            }
        }
    }
}

/// A row of the table.
#[derive(Clone, Copy)]
pub struct Op {
    /// The name it is called by.
    pub name: &'static str,
    /// How it is written as an operator, if it is one.
    pub notation: Option<Notation>,
    /// One line without a full stop.
    pub summary: &'static str,
    /// What happens at the edges, if that needs saying: sentences, the last one without its full stop.
    pub special: &'static str,
    /// Expressions with the values they print; every one is run.
    pub examples: &'static [(&'static str, &'static str)],
    /// What it takes.
    pub params: &'static [Param],
    /// The kinds of operands that it has a meaning for, whatever a system allows.
    pub domain: &'static [Kind],
    /// How systems give it a dtype.
    pub class: Class,
    /// What it does.
    pub form: Form,
    /// Whether an operand of bools is a mask, under which the result is the other operand and elsewhere 0.
    pub masks: bool,
    /// What it makes of literals, if that is computed exactly.
    pub exact: Option<ExactOp>,
}

impl Op {
    /// `where(condition, x, y)`, `sum(x, axis=None, keepdims=false)`, `x + y`, `not x`.
    pub fn usage(&self) -> String {
        match self.notation {
            Some(Notation::Infix(symbol)) => format!("{} {symbol} {}", self.params[0].name, self.params[1].name),
            Some(Notation::Prefix(word)) if word.ends_with(char::is_alphabetic) => {
                format!("{word} {}", self.params[0].name)
            }
            Some(Notation::Prefix(symbol)) => format!("{symbol}{}", self.params[0].name),
            Some(Notation::Attribute(name)) => format!("{}.{name}", self.params[0].name),
            None => self.signature(),
        }
    }

    /// As a call: `add(x, y)`.
    pub fn signature(&self) -> String {
        let params = self.params.iter().map(|param| match param.default {
            Some(default) => format!("{}={default}", param.name),
            None => param.name.to_owned(),
        });
        format!("{}({})", self.name, params.collect::<Vec<_>>().join(", "))
    }

    /// What messages call it: the operator's symbol, or the name.
    pub fn shown(&self) -> &'static str {
        match self.notation {
            Some(Notation::Infix(symbol) | Notation::Prefix(symbol)) => symbol,
            Some(Notation::Attribute(_)) | None => self.name,
        }
    }

    /// The type among operands that the operation has no meaning for, whatever the system: `~` of floats. What a system
    /// computes in another kind, as a `bool` beside integers, is none.
    pub fn outside(&self, system: &System, operands: &[Operand]) -> Option<Elem> {
        let has = |elem: Elem| self.domain.contains(&elem.kind());
        let outside = operands.iter().map(|operand| operand.elem).find(|&elem| !has(elem))?;
        let inside = promotion::result(system, self, operands).is_ok_and(|decision| has(decision.compute));
        (!inside).then_some(outside)
    }

    /// Other names for it, which users of NumPy and others will paste.
    pub fn aliases(&self) -> Vec<&'static str> {
        elsewhere::aliases(self.name)
    }

    /// How many operands take part in promotion.
    pub fn operand_count(&self) -> usize {
        self.params.iter().filter(|param| matches!(param.role, Role::Operand | Role::Optional(_))).count()
    }
}

impl From<&Op> for Operation {
    fn from(op: &Op) -> Operation {
        Operation { name: op.name, class: op.class, is_call: false }
    }
}

impl fmt::Debug for Op {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.signature())
    }
}

/// A row with empty documentation, to be filled in.
pub(super) const fn row(name: &'static str, params: &'static [Param], class: Class, form: Form) -> Op {
    let domain = domain(class);
    Op {
        name,
        notation: None,
        summary: "",
        special: "",
        examples: &[],
        params,
        domain,
        class,
        form,
        masks: false,
        exact: None,
    }
}

/// Every kind.
pub(super) const ANY: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex];

/// What the operations of a class are defined for, unless their row says otherwise.
#[expect(clippy::wildcard_enum_match_arm, reason = "the operations of every other class are defined for all kinds")]
pub(super) const fn domain(class: Class) -> &'static [Kind] {
    match class {
        Class::RealInexact | Class::FloorDivision | Class::Ordering | Class::Ordered => {
            &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float]
        }
        Class::Bitwise | Class::Shift => &[Kind::Bool, Kind::Unsigned, Kind::Signed],
        Class::Integral => &[Kind::Unsigned, Kind::Signed],
        _ => ANY,
    }
}

/// An elementwise row of one operand.
pub(super) const fn unary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, X, class, Form::Map(expand))
}

/// An elementwise row of two operands.
pub(super) const fn binary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, XY, class, Form::Map(expand))
}

/// An elementwise row of three operands.
pub(super) const fn ternary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, XYZ, class, Form::Map(expand))
}

/// A row whose meaning is code of the language: each operation in it has its own class.
pub(super) const fn written(name: &'static str, params: &'static [Param], ways: &'static [Way]) -> Op {
    row(name, params, Class::Selection, Form::Written(ways))
}
