//! What a script asserts of the lengths of its inputs. All other lengths are found as if that held, so it is looked at
//! first.

use crate::ir::{Check, Fault};
use crate::types::affine::Atom;
use crate::types::{Dim, parts};

/// What an assertion says of a length: it is `least`, or more by a multiple of `step`.
#[derive(Debug)]
pub(super) struct AssertedLength {
    /// The code where that is not so.
    pub(super) code: i64,
    /// The input and the axis that say how long it is.
    pub(super) place: (usize, usize),
    /// How often the axis has the length, and what it has besides.
    pub(super) times: i64,
    pub(super) besides: i64,
    pub(super) step: i64,
    pub(super) least: i64,
}

impl AssertedLength {
    /// What a check says of a length that inputs of these shapes have. Nothing for a check of anything else.
    pub(super) fn new(check: &Check, code: i64, shapes: &[&[Dim]]) -> Option<AssertedLength> {
        let Fault::Asserted { part: Some(part), .. } = &check.fault else { return None };
        let (length, step, least) = parts::said_by(part);
        for (input, shape) in shapes.iter().enumerate() {
            for (axis, dim) in shape.iter().enumerate() {
                let Some(form) = dim.form() else { continue };
                let form = parts::in_names(&form).unwrap_or(form);
                if let [(Atom::Name(name), times @ 1..)] = form.terms.as_slice()
                    && name == length
                {
                    let (place, besides) = ((input, axis), form.constant);
                    return Some(AssertedLength { code, place, times: *times, besides, step, least });
                }
            }
        }
        None
    }
}
