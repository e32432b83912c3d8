//! Scans: every element combined with all before it along an axis.

use super::masked::DTYPE;
use super::{Form, Op, Param, Role, domain, operand, row};
use crate::ir::Fold;
use crate::promotion::Class;

const SCAN: &[Param] = &[operand("x"), Param { name: "axis", role: Role::Axis, default: Some("None") }];

const TOTAL: &[Param] = &[
    operand("x"),
    Param { name: "axis", role: Role::Axis, default: Some("None") },
    DTYPE,
    Param { name: "include_initial", role: Role::Flag, default: Some("false") },
];

const fn scan(name: &'static str, class: Class, fold: Fold) -> Op {
    row(name, SCAN, class, Form::Scan(fold))
}

/// The rows.
pub(super) static ROWS: &[Op] = &[
    Op {
        summary: "running sums along an axis",
        special: "Without `axis` it runs over all elements in C order. It adds the elements one after the other, \
                  from the first on. Integers wrap. f16 and bf16 are added in f32, and each sum is rounded once. With \
                  include_initial=true it begins with 0",
        examples: &[
            ("cumsum([1, 2, 3])", "[1, 3, 6]"),
            ("cumsum([[1, 2], [3, 4]], axis=0)", "[[1, 2], [4, 6]]"),
            ("cumsum([[1, 2], [3, 4]])", "[1, 3, 6, 10]"),
            ("cumsum([1, 2, 3], include_initial=true)", "[0, 1, 3, 6]"),
        ],
        params: TOTAL,
        ..scan("cumsum", Class::Accumulation, Fold::Sum)
    },
    Op {
        summary: "running products along an axis",
        special: "Without `axis` it runs over all elements in C order. It multiplies as `cumsum` adds",
        examples: &[
            ("cumprod([1, 2, 3, 4])", "[1, 2, 6, 24]"),
            ("cumprod([[1, 2], [3, 4]], axis=1)", "[[1, 2], [3, 12]]"),
        ],
        params: TOTAL,
        ..scan("cumprod", Class::Accumulation, Fold::Prod)
    },
    Op {
        summary: "largest element so far along an axis",
        special: "Without `axis` it runs over all elements in C order. From the first nan on, the result is nan. \
                  Complex numbers are refused",
        examples: &[("cummax([1, 3, 2, 5])", "[1, 3, 3, 5]"), ("cummax([1.0, nan, 2.0])", "[1.0, nan, nan]")],
        domain: domain(Class::Ordered),
        ..scan("cummax", Class::Reduction, Fold::Max)
    },
    Op {
        summary: "smallest element so far along an axis",
        special: "Without `axis` it runs over all elements in C order. From the first nan on, the result is nan. \
                  Complex numbers are refused",
        examples: &[("cummin([3, 1, 2, 0])", "[3, 1, 1, 0]"), ("cummin([[2, 1], [1, 2]], axis=0)", "[[2, 1], [1, 1]]")],
        domain: domain(Class::Ordered),
        ..scan("cummin", Class::Reduction, Fold::Min)
    },
];
