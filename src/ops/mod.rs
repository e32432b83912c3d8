//! The table of operations. Every operator is one row, and so is every builtin.
//!
//! A row says how the operation is written, what it takes, which promotion class it belongs to, and how it expands
//! into prims. The checker, both evaluators, `arr doc`, completion and the tests read the rows; they name one only to
//! expand another one into it. To add one, add a row:
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
//!
//! | part | job |
//! | --- | --- |
//! | `op`, `param` | what a row is: notation, parameters, class, form; and short forms of rows |
//! | `table` | lists the families, and finds a row by name or notation |
//! | `expand`, `formula`, `complex`, `power`, `contract`, `draws`, `threefry`, … | what rows are written with |
//! | `library`, `options` | functions and options that are written in the language |
//! | `constants`, `attributes` | two more tables: names of numbers, and what an array says of itself |
//! | `elsewhere` | what things are called elsewhere |
//!
//! Most other files are families: their rows, and what these rows share.

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
pub mod elsewhere;
mod exact;
pub mod expand;
mod extremes;
mod factors;
mod floats;
mod formula;
mod groups;
mod histogram;
mod layout;
pub mod library;
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
mod op;
pub mod options;
mod order;
mod param;
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
mod table;
#[cfg(test)]
mod tests;
pub mod threefry;
mod trigonometry;
pub mod types;

pub use elsewhere::CallForm as Way;
pub use exact::ExactOp;
pub use layout::{Placement, Rearrangement};
pub use make::{Creation, Fill};
pub use matrices::Matrices;
pub use norms::{ORDERS as NORM_ORDERS, WORDS as NORM_WORDS};
pub use op::{Cast, CastRefusal, Form, Notation, Op, Reduce, ScaledOperation};
pub use param::{Param, Role};
pub use random::Draw;
pub use spectra::{NORMS, Spectrum};
pub use table::{all, by_name, families, find, find_notation, find_notation_by_text};

use elsewhere::form as way;
use op::{ANY, binary, domain, row, ternary, unary, written};
use param::{X, XY, XYZ, operand};
