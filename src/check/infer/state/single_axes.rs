//! Axes of length 1 that a call takes away where lengths have names.
//!
//! A named dimension stays, whatever its length turns out to be. With data bound its name is gone, so the script is
//! walked once more with inputs of the lengths that their types name, and only what goes there goes. Where the names
//! alone do not fit, as in `x + [5, 6]`, the next such walk takes the lengths to be equal that have to be.

use super::frame::Dims;
use crate::source::Span;
use crate::types::Dim;
use crate::types::equal::Equation;
use std::collections::HashMap;

/// Where an operand is written, and the call that led into the library, if it is written there.
type AxisPlace = (Span, Option<Span>);

/// The axes that a call took away from an array of some rank.
#[derive(Debug)]
struct RemovedAxes {
    rank: usize,
    axes: Vec<usize>,
}

/// What was taken away at each place, call by call.
type AllRemoved = HashMap<AxisPlace, Vec<RemovedAxes>>;

/// What was taken away so far, and what goes where lengths have names.
#[derive(Default, Debug)]
pub(in crate::check) struct SingleAxes {
    by_names: bool,
    now: AllRemoved,
    named: AllRemoved,
    /// Lengths that did not fit in a walk by names.
    misfits: Vec<(Dim, Dim)>,
    /// Names, each with the length that it was taken to be because nothing else fits, one after the other.
    taken: Vec<(String, Dim)>,
}

impl SingleAxes {
    /// For a walk whose inputs have the lengths that their types name, whatever is given for them.
    pub(in crate::check) fn by_names() -> SingleAxes {
        SingleAxes { by_names: true, ..SingleAxes::default() }
    }

    /// For the walk that follows, in which inputs have the lengths of their data.
    pub(in crate::check) fn for_next_walk(self) -> SingleAxes {
        SingleAxes { named: self.now, ..SingleAxes::default() }
    }

    /// For another walk by names after one with errors, if it can take lengths to be equal that did not fit: some of
    /// `names` are other lengths then.
    pub(in crate::check) fn for_fitting_walk(&mut self, names: &Dims) -> Option<SingleAxes> {
        let mut taken = std::mem::take(&mut self.taken);
        let before = taken.len();
        for (left, right) in std::mem::take(&mut self.misfits) {
            let now = |dim: Dim| taken.iter().fold(dim, |dim, (name, size)| dim.substitute(name, size));
            let declared = |name: &str| usize::from(names.contains_key(name));
            if let Equation::Name(name, size) = now(left).equation_for(&now(right), declared)
                && names.contains_key(&name)
            {
                taken.push((name, size));
            }
        }
        (taken.len() > before).then(|| SingleAxes { taken, ..SingleAxes::by_names() })
    }

    /// Names, each with the length that it is in this walk, one after the other.
    pub(in crate::check) fn taken(&self) -> &[(String, Dim)] {
        &self.taken
    }

    /// Whether inputs have the lengths that their types name.
    pub(in crate::check) fn are_by_names(&self) -> bool {
        self.by_names
    }

    /// Whether any axis was taken away because its length is 1.
    pub(in crate::check) fn were_removed(&self) -> bool {
        self.now.values().flatten().any(|removed| !removed.axes.is_empty())
    }

    /// Notes lengths that would have to be equal.
    pub(in crate::check) fn misfit(&mut self, left: &Dim, right: &Dim) {
        if self.by_names && left != right {
            self.misfits.push((left.clone(), right.clone()));
        }
    }

    /// The axes that a call takes away, which is noted.
    pub(in crate::check) fn axes_to_remove(&mut self, place: AxisPlace, shape: &[Dim]) -> Vec<usize> {
        let calls = self.now.entry(place).or_default();
        let named = self.named.get(&place).and_then(|named| named.get(calls.len()).or(named.last()));
        let named = named.filter(|named| named.rank == shape.len());
        let goes = |axis: &usize| shape[*axis] == Dim::Const(1) && named.is_none_or(|named| named.axes.contains(axis));
        let axes: Vec<usize> = (0..shape.len()).filter(goes).collect();
        calls.push(RemovedAxes { rank: shape.len(), axes: axes.clone() });
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
        assert_eq!(named.axes_to_remove(place, &[Dim::name("n"), Dim::Const(1)]), [1]);
        let mut with_data = named.for_next_walk();
        assert_eq!(with_data.axes_to_remove(place, &[Dim::Const(1), Dim::Const(1)]), [1]);
        // Of another place, or of another rank, nothing is known by names.
        assert_eq!(with_data.axes_to_remove(place, &[Dim::Const(1)]), [0]);
        assert_eq!(with_data.axes_to_remove((Span::default(), Some(Span::default())), &[Dim::Const(1)]), [0]);
    }

    #[test]
    fn names_are_taken_to_be_the_lengths_that_they_have_to_be() {
        let names: Dims = ["n", "m"].map(|name| (name.to_owned(), (None, Span::default()))).into();
        let mut axes = SingleAxes::by_names();
        axes.misfit(&Dim::name("m"), &Dim::name("n"));
        axes.misfit(&Dim::name("n"), &Dim::Const(2));
        axes.misfit(&Dim::name("k"), &Dim::Const(2));
        let mut next = axes.for_fitting_walk(&names).unwrap();
        assert_eq!(next.taken(), [("n".to_owned(), Dim::name("m")), ("m".to_owned(), Dim::Const(2))]);
        assert!(next.for_fitting_walk(&names).is_none(), "nothing more is known");
    }
}
