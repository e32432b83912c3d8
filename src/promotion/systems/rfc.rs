//! `rfc` with its drafts: the conversion modes that TensorFlow's RFC 431 proposed.
//!
//! The RFC prints a table of every pair, coloured by the strictest mode that allows it, and four earlier modes:
//! implicit promotion or not, with or without float64. What it says nothing of goes as in `jax`.

use super::{
    DEFAULTS_32, DEFAULTS_64, InPlace, OperationRules, StorageTypes, System, SystemChecks, SystemPage, WeakRules,
    WidthRules, grid, jax, numpy, table,
};
use crate::promotion::join::{Join, Scalars};
use crate::promotion::rule::{ANY, BYTES};
use crate::promotion::{Class, Rule};
use crate::types::DType;

/// The systems of this file, in the order of lists.
pub(super) static ROWS: &[&System] = &[&RFC, &DRAFT_1, &DRAFT_2, &DRAFT_3, &DRAFT_4];

/// As proposed.
pub(super) static RFC: System = System {
    name: "rfc",
    about: SystemPage {
        summary: "the dtype modes ALL, SAFE and NONE as TensorFlow's RFC 431 proposed them",
        source: "TensorFlow RFC 431, the tables with their colours",
        differs: &[
            "The table is that of numpy, literals included; no mode but ALL lets a literal change the kind of an array.",
            "`/` of integers is f32 for 8 and 16 bits, else f64, in every mode; a bool keeps the other dtype.",
            "A list of literals is weak, as one literal is.",
        ],
        current: true,
    },
    join: table(|| grid(include_str!("tables/rfc.txt"), DEFAULTS_64)),
    weak: WeakRules { scalars: Scalars::AsArrays, literals: true, ..numpy::NUMPY.weak },
    widths: WidthRules { defaults: DEFAULTS_64, ..numpy::NUMPY.widths },
    rules: OperationRules { of_class: rule, exceptions: &[], in_place: InPlace::Exact },
    checks: SystemChecks { inexact: false, outside_laws: "i* f* c*", tensors: false },
    storage: StorageTypes::only(BYTES, &[]),
};

/// Implicit promotion with float64.
pub(super) static DRAFT_1: System = System {
    name: "rfc-draft-1",
    about: SystemPage {
        summary: "an earlier mode of the RFC: implicit promotion, float64 allowed",
        source: "TensorFlow RFC 431, mode 1 of 4",
        differs: &[
            "The table is that of numpy, literals included: they have to fit, and their values choose no dtype.",
        ],
        current: false,
    },
    join: table(|| grid(include_str!("tables/rfc_draft_1.txt"), DEFAULTS_64)),
    weak: WeakRules { literals: false, ..RFC.weak },
    ..RFC
};

/// Implicit promotion without float64.
pub(super) static DRAFT_2: System = System {
    name: "rfc-draft-2",
    about: SystemPage {
        summary: "an earlier mode of the RFC: implicit promotion, never to float64",
        source: "TensorFlow RFC 431, mode 2 of 4",
        differs: &["The table is that of numpy with f32 and c64 for f64 and c128, even of f64 with f64."],
        ..DRAFT_1.about
    },
    join: table(|| grid(include_str!("tables/rfc_draft_2.txt"), [DType::I64, DType::F32, DType::C64])),
    widths: WidthRules { defaults: [DType::I64, DEFAULTS_32[1], DEFAULTS_32[2]], ..DRAFT_1.widths },
    ..DRAFT_1
};

/// No implicit promotion, with float64.
pub(super) static DRAFT_3: System = System {
    name: "rfc-draft-3",
    about: SystemPage {
        summary: "an earlier mode of the RFC: no implicit promotion, float64 allowed",
        source: "TensorFlow RFC 431, mode 3 of 4",
        differs: &["Strong operands have one dtype; a literal meets it as in numpy: u8 + 1.5 is f64."],
        ..DRAFT_1.about
    },
    join: table(|| grid(include_str!("tables/rfc_draft_3.txt"), DEFAULTS_64)),
    ..DRAFT_1
};

/// No implicit promotion, without float64.
pub(super) static DRAFT_4: System = System {
    name: "rfc-draft-4",
    about: SystemPage {
        summary: "an earlier mode of the RFC: no implicit promotion, never to float64",
        source: "TensorFlow RFC 431, mode 4 of 4",
        differs: &["Strong operands have one dtype; a literal meets it as in numpy, but f64 + 1 is f32."],
        ..DRAFT_2.about
    },
    join: table(|| grid(include_str!("tables/rfc_draft_4.txt"), [DType::I64, DType::F32, DType::C64])),
    ..DRAFT_2
};

static DIVIDE: Join = table(|| grid(include_str!("tables/rfc_divide.txt"), DEFAULTS_64));

fn rule(class: Class) -> Rule {
    if class == Class::Division { Rule::keep(ANY).meeting(&DIVIDE) } else { jax::rule(class) }
}
