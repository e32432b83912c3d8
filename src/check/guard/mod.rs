//! Guards of `--checked`: conditions of the program, from what was inferred.
//!
//! What an operation computes is in the graph as soon as it is inferred, as sizes may depend on it. What can go wrong
//! in it is known once its statement is inferred, and becomes a condition of the program here.

mod prims;
mod totals;

pub(in crate::check) use prims::guard;
