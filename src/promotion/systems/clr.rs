//! `clr`: a table with the names of the common language runtime.
//!
//! It has complex numbers of integer parts, Cuint and Cint, which take part in the table and its laws alone, and a
//! Half that meets nothing, not even itself.

use super::{DEFAULTS_64, StorageTypes, System, SystemChecks, SystemPage, WidthRules, grid, numpy, table};
use crate::promotion::rule::BYTES;
use crate::types::DType;

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&CLR];

/// The row.
pub(super) static CLR: System = System {
    name: "clr",
    about: SystemPage {
        summary: "a table of the common language runtime's numbers",
        source: "a table of 16 types: Bool, Byte … Double, Cuint, Cint, Cfloat, Cdouble",
        differs: &[
            "u64 with signed integers is i64; integers below 64 bits keep f32, i64 with f32 is f64.",
            "f16 has no common type with anything; there is no bf16.",
            "Its Byte is u8, its Double f64. Cuint and Cint, complex numbers of integer parts, are in `arr laws` alone.",
        ],
        current: false,
    },
    join: table(|| grid(include_str!("tables/clr.txt"), DEFAULTS_64)),
    widths: WidthRules { is_option: false, ..numpy::NUMPY.widths },
    checks: SystemChecks { outside_laws: "Half", ..numpy::NUMPY.checks },
    storage: StorageTypes::only(BYTES.and(&[DType::F16, DType::Bf16]), &[]),
    ..numpy::NUMPY
};
