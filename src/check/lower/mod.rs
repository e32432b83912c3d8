//! From what was inferred to what runs: the guards of `--checked`.

mod guards;
mod totals;
