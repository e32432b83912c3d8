//! The table: the rows of all families. There are several ways to find one.

use super::{Notation, Op, elsewhere};
use super::{
    activation, arith, arrange, bits, cast, choices, compare, dates, edits, elementary, extremes, floats, groups,
    histogram, layout, linear, load, logic, make, matrices, nans, order, parts, places, polynomials, quantiles, random,
    reduce, rounding, scan, sets, special, spectra, statistics, trigonometry, types,
};
use crate::hash::QuickMap;
use std::sync::LazyLock;

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
pub fn by_name(name: &str) -> Option<&'static Op> {
    BY_NAME.get(name).copied()
}

/// The operation with this name, or with one that is used for it elsewhere.
pub fn find(name: &str) -> Option<&'static Op> {
    by_name(name).or_else(|| by_name(elsewhere::modules::ours("", name)?))
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
