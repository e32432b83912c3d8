//! Statements, one after the other: what each defines, changes or asserts.
//!
//! | file | job |
//! | --- | --- |
//! | `assert` | `assert`: what is decided now, what holds from here on, and what is left for the run |
//! | `assign` | `var` and assignment to a whole variable |
//! | `assign_slice` | `x[region] = v` and `x[region] += v` |
//! | `disproved` | arrays of which an assertion says something false |
//! | `statement` | the walk over statements, and what each kind of them does |

mod assert;
pub(super) mod assign;
mod assign_slice;
mod disproved;
mod statement;
