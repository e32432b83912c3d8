//! The table of operations: every operator and builtin is one row.
//!
//! A row says how the operation is written, what it takes, which promotion class it belongs to, and how it expands
//! into prims. The checker, both evaluators, `arr doc`, completion and the tests read the rows; none of them knows
//! an operation by name. To add one, add a row:
//!
//! ```text
//! Op {
//!     summary: "length of the hypotenuse of three sides",
//!     examples: &[("hypot3(2.0, 3.0, 6.0)", "7.0")],
//!     ..ternary("hypot3", Class::RealInexact, |e, x| {
//!         let xy = e.prim(Prim::Hypot, &[x[0], x[1]]);
//!         e.prim(Prim::Hypot, &[xy, x[2]])
//!     })
//! }
//! ```

pub mod elsewhere;
pub mod expand;
pub mod library;

mod activation;
mod arith;
pub mod arrange;
pub mod attributes;
mod bits;
pub mod cast;
mod choices;
mod compare;
mod complex;
pub mod constants;
pub mod contract;
mod dates;
pub mod distributions;
pub mod draws;
mod edits;
mod elementary;
mod exact;
mod extremes;
mod factors;
mod floats;
mod formula;
mod groups;
mod histogram;
mod layout;
mod linear;
pub mod lines;
pub mod load;
mod logic;
mod make;
pub mod margins;
pub mod masked;
mod matrices;
mod nans;
mod norms;
pub mod options;
mod order;
mod parts;
pub mod places;
mod polynomials;
pub(crate) mod power;
mod quantiles;
mod random;
mod reduce;
mod rounding;
mod scan;
mod sets;
pub mod shuffle;
mod special;
mod spectra;
mod statistics;
#[cfg(test)]
mod tests;
pub mod threefry;
mod trigonometry;
pub mod types;

use crate::hash::QuickMap;
use crate::ir::{Fold, NodeId};
use crate::promotion::systems::System;
use crate::promotion::{self, Class, Operand, Operation};
use crate::types::{DType, Elem, Kind};
use elsewhere::form as way;
use expand::Expand;
use std::sync::LazyLock;

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

/// What a parameter stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// An array or scalar that takes part in promotion.
    Operand,
    /// One that may be left out: then the operation is the one of this name, of the others.
    Optional(&'static str),
    /// A `bool` array that does not.
    Condition,
    /// `axis=`: a number, a tuple of numbers, or `None` for all axes.
    Axes,
    /// `axis=`: one number, or `None` for all elements in C order.
    Axis,
    /// `ddof=`: how many elements do not count when squares are averaged.
    Freedom,
    /// `true` or `false`, known now.
    Flag,
    /// `keepdims=`: a flag, whether axes that are reduced stay, of length 1.
    Keep,
    /// A dtype.
    DType,
    /// A size or a tuple of sizes.
    Shape,
    /// One size.
    Size,
    /// A number that is known now.
    Number,
    /// A whole number that is known now.
    Whole,
    /// A value that becomes the dtype of an operand and takes no part in promotion.
    Filling,
    /// The name of a file, a string literal.
    Path,
    /// Arrays in a tuple or a list, which take part in promotion. An operand right behind them is promoted with them.
    Arrays,
    /// Arrays in a tuple or a list, each of which becomes the dtype of the first operand.
    Fillings,
    /// Arrays that are given one by one.
    Several,
    /// A shape in which one length may be -1; its lengths may also be given one by one.
    Sizes,
    /// All axes in a new order; they may also be given one by one.
    Order,
    /// An integer array of positions.
    Positions,
    /// Numbers between 0 and 1, or 100: one, or a vector.
    Fractions,
    /// Integers that are known now: one, or a tuple.
    Counts,
    /// A word out of a few, a string literal.
    Text,
    /// Which norm: a number that is known now, or a word.
    Norm,
    /// Numbers that elements are counted with; may be left out.
    Weights,
    /// How many bins, or their edges.
    Bins,
    /// Two real numbers, or `None`.
    Interval,
    /// What random numbers are drawn from: two words.
    Key,
    /// An array, or a length that stands for the numbers below it.
    Elements,
    /// An option with which the operation is written in the language ([`options`]).
    Written,
}

impl Role {
    /// Whether what it stands for may be given as several arguments.
    pub fn is_variadic(self) -> bool {
        matches!(self, Role::Sizes | Role::Order | Role::Several)
    }
}

/// A parameter of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Param {
    /// Its name, for keyword arguments and messages.
    pub name: &'static str,
    /// What it stands for.
    pub role: Role,
    /// The default as written in the documentation; `None` when it must be given.
    pub default: Option<&'static str>,
}

/// What an operation does with its operands.
#[derive(Clone, Copy)]
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
    Scaled(Scaled),
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
    Make(make::Make),
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
pub enum Scaled {
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
#[derive(Clone, Copy)]
pub enum Cast {
    /// The conversion that the dtype is when it is called: `f32(x)`.
    Plain,
    /// A conversion of its own.
    Own {
        /// Why there is no conversion between two dtypes, as the end of a sentence, if there is none.
        refuses: fn(DType, DType) -> Option<String>,
        /// The converted value.
        expand: fn(&mut Expand, NodeId, DType) -> NodeId,
    },
}

pub use elsewhere::CallForm as Way;
pub use exact::ExactOp;
pub use layout::{Beside, Rearrangement};
pub use make::{Fill, Make};
pub use matrices::Matrices;
pub use norms::{ORDERS as NORM_ORDERS, WORDS as NORM_WORDS};
pub use random::Draw;
pub use spectra::{NORMS, Spectrum};

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

impl std::fmt::Debug for Op {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.signature())
    }
}

const fn operand(name: &'static str) -> Param {
    Param { name, role: Role::Operand, default: None }
}

const X: &[Param] = &[operand("x")];
const XY: &[Param] = &[operand("x"), operand("y")];
const XYZ: &[Param] = &[operand("x"), operand("y"), operand("z")];

/// A row with empty documentation, to be filled in.
const fn row(name: &'static str, params: &'static [Param], class: Class, form: Form) -> Op {
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
const ANY: &[Kind] = &[Kind::Bool, Kind::Unsigned, Kind::Signed, Kind::Float, Kind::Complex];

/// What the operations of a class are defined for, unless their row says otherwise.
#[expect(clippy::wildcard_enum_match_arm, reason = "the operations of every other class are defined for all kinds")]
const fn domain(class: Class) -> &'static [Kind] {
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
const fn unary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, X, class, Form::Map(expand))
}

/// An elementwise row of two operands.
const fn binary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, XY, class, Form::Map(expand))
}

/// An elementwise row of three operands.
const fn ternary(name: &'static str, class: Class, expand: fn(&mut Expand, &[NodeId]) -> NodeId) -> Op {
    row(name, XYZ, class, Form::Map(expand))
}

/// A row whose meaning is code of the language: each operation in it has its own class.
const fn written(name: &'static str, params: &'static [Param], ways: &'static [Way]) -> Op {
    row(name, params, Class::Selection, Form::Written(ways))
}

/// The rows, family by family, as they are documented.
pub fn families() -> [(&'static str, &'static [Op]); 36] {
    [
        ("arithmetic", arith::ROWS),
        ("comparison", compare::ROWS),
        ("choices", choices::ROWS),
        ("logic", logic::ROWS),
        ("bits", bits::ROWS),
        ("roots, powers and logarithms", elementary::ROWS),
        ("trigonometric and hyperbolic functions", trigonometry::ROWS),
        ("rounding", rounding::ROWS),
        ("fractions and exponents", floats::ROWS),
        ("special functions", special::ROWS),
        ("activation functions", activation::ROWS),
        ("parts of complex numbers", parts::ROWS),
        ("casts", cast::ROWS),
        ("reductions", reduce::ROWS),
        ("extremes", extremes::ROWS),
        ("reductions that leave out nan", nans::ROWS),
        ("matrices", matrices::ROWS),
        ("linear algebra", linear::ROWS),
        ("Fourier transforms", spectra::ROWS),
        ("scans", scan::ROWS),
        ("order", order::ROWS),
        ("medians and quantiles", quantiles::ROWS),
        ("sets", sets::ROWS),
        ("statistics", statistics::ROWS),
        ("polynomials", polynomials::ROWS),
        ("groups", groups::ROWS),
        ("bins", histogram::ROWS),
        ("dates", dates::ROWS),
        ("places", places::ROWS),
        ("random numbers", random::ROWS),
        ("construction", make::ROWS),
        ("layout", layout::ROWS),
        ("grids, copies and parts", arrange::ROWS),
        ("elements put in and taken out", edits::ROWS),
        ("dtypes and shapes", types::ROWS),
        ("files", load::ROWS),
    ]
}

/// Every row.
pub fn all() -> impl Iterator<Item = &'static Op> {
    families().into_iter().flat_map(|(_, rows)| rows)
}

/// The rows by name.
static BY_NAME: LazyLock<QuickMap<&'static str, &'static Op>> =
    LazyLock::new(|| all().map(|op| (op.name, op)).collect());

/// The few that have a notation.
static BY_NOTATION: LazyLock<QuickMap<Notation, &'static Op>> =
    LazyLock::new(|| all().filter_map(|op| Some((op.notation?, op))).collect());

/// The operation with this name.
pub fn named(name: &str) -> Option<&'static Op> {
    BY_NAME.get(name).copied()
}

/// The operation with this name, or with one that is used for it elsewhere.
pub fn find(name: &str) -> Option<&'static Op> {
    named(name).or_else(|| named(elsewhere::modules::ours("", name)?))
}

/// The operation with this notation.
pub fn find_notation(notation: Notation) -> Option<&'static Op> {
    BY_NOTATION.get(&notation).copied()
}

/// The operation that is written with this symbol; an infix one first.
pub fn find_notation_by_text(symbol: &str) -> Option<&'static Op> {
    let infix = all().find(|op| matches!(op.notation, Some(Notation::Infix(own)) if own == symbol));
    infix.or_else(|| all().find(|op| matches!(op.notation, Some(Notation::Prefix(own)) if own == symbol)))
}
