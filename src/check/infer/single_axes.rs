//! Axes of length 1 that a call takes away where lengths have names.
//!
//! A named dimension stays, whatever its length turns out to be. With data bound its name is gone, so the script is
//! walked once more with inputs of the lengths that their types name, and only what goes there goes.

use crate::source::Span;
use crate::types::Dim;
use std::collections::HashMap;

/// Where an operand is written, and the call that led into the library, if it is written there.
type Place = (Span, Option<Span>);

/// The axes that a call took away, of so many.
#[derive(Debug)]
struct Removed {
    rank: usize,
    axes: Vec<usize>,
}

/// What was taken away at each place, call by call.
type AllRemoved = HashMap<Place, Vec<Removed>>;

/// What was taken away so far, and what goes where lengths have names.
#[derive(Default, Debug)]
pub(in crate::check) struct SingleAxes {
    by_names: bool,
    now: AllRemoved,
    named: AllRemoved,
}

impl SingleAxes {
    /// For a walk whose inputs have the lengths that their types name, whatever is given for them.
    pub(in crate::check) fn by_names() -> SingleAxes {
        SingleAxes { by_names: true, ..SingleAxes::default() }
    }

    /// For the walk that follows it.
    pub(in crate::check) fn followed(self) -> SingleAxes {
        SingleAxes { named: self.now, ..SingleAxes::default() }
    }

    /// Whether inputs have the lengths that their types name.
    pub(in crate::check) fn are_by_names(&self) -> bool {
        self.by_names
    }

    /// Whether any axis was taken away because its length is 1.
    pub(in crate::check) fn were_removed(&self) -> bool {
        self.now.values().flatten().any(|removed| !removed.axes.is_empty())
    }

    /// The axes that a call takes away.
    pub(in crate::check) fn remove(&mut self, place: Place, shape: &[Dim]) -> Vec<usize> {
        let calls = self.now.entry(place).or_default();
        let named = self.named.get(&place).and_then(|named| named.get(calls.len()).or(named.last()));
        let named = named.filter(|named| named.rank == shape.len());
        let goes = |axis: &usize| shape[*axis] == Dim::Const(1) && named.is_none_or(|named| named.axes.contains(axis));
        let axes: Vec<usize> = (0..shape.len()).filter(goes).collect();
        calls.push(Removed { rank: shape.len(), axes: axes.clone() });
        axes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stays_by_its_name_stays_whatever_its_length_is() {
        let place = (Span::default(), None);
        let mut named = SingleAxes::by_names();
        assert_eq!(named.remove(place, &[Dim::name("n"), Dim::Const(1)]), [1]);
        let mut with_data = named.followed();
        assert_eq!(with_data.remove(place, &[Dim::Const(1), Dim::Const(1)]), [1]);
        // Of another place, or of another rank, nothing is known by names.
        assert_eq!(with_data.remove(place, &[Dim::Const(1)]), [0]);
        assert_eq!(with_data.remove((Span::default(), Some(Span::default())), &[Dim::Const(1)]), [0]);
    }
}
