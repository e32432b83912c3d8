//! An assertion about the lengths of a script's inputs. All other lengths are found as if that held, so it is looked at
//! first.

use crate::ir::{Check, Fault};
use crate::types::affine::Atom;
use crate::types::parts::SaidLength;
use crate::types::{Dim, parts};

/// What an assertion says of a length.
#[derive(Debug)]
pub(super) struct AssertedLength {
    /// The code where that is not so.
    pub(super) code: i64,
    /// The input and the axis that say how long it is.
    pub(super) place: (usize, usize),
    /// How often the axis has the length, and what it has besides.
    pub(super) times: i64,
    pub(super) besides: i64,
    /// What is said of the length before, and where the assertion holds.
    pub(super) before: SaidLength,
    pub(super) said: SaidLength,
}

impl AssertedLength {
    /// What a check says of a length that inputs of these shapes have. Nothing for a check of anything else.
    pub(super) fn new(check: &Check, code: i64, shapes: &[&[Dim]]) -> Option<AssertedLength> {
        let Fault::Asserted { parts: Some([before, part]), .. } = &check.fault else { return None };
        let length = parts::length_of(part);
        let axes = shapes
            .iter()
            .enumerate()
            .flat_map(|(input, shape)| shape.iter().enumerate().map(move |(axis, dim)| ((input, axis), dim)));
        let places = axes.filter_map(|(place, dim)| {
            let form = dim.form()?;
            let form = parts::in_names(&form).unwrap_or(form);
            let [(Atom::Name(name), times @ 1..)] = form.terms.as_slice() else { return None };
            if name == length { Some((place, *times, form.constant)) } else { None }
        });
        // An axis of just this length comes before one that has it several times, or more besides.
        let (place, times, besides) = places.min_by_key(|&(_, times, besides)| (times, besides) != (1, 0))?;
        let (before, said) = (parts::said_by(before), parts::said_by(part));
        Some(AssertedLength { code, place, times, besides, before, said })
    }
}
