//! Overlap of a kernel's reads with its writes of one array.

use crate::exec::space::greatest_divisor;
use crate::kernel::AxisWalk;

/// How the elements that a kernel reads overlap those that it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Relation {
    /// No element is both read and written.
    Apart,
    /// Each element is read only where the same one is written.
    Same,
    /// An element may be read after another element of the space has overwritten it.
    Crossing,
}

/// The relation of two walks of one array over a space.
pub(super) fn relation(read: &[AxisWalk], written: &[AxisWalk], space: &[usize]) -> Relation {
    let len = |place: &AxisWalk| place.axis.map_or(1, |axis| space[axis]);
    let pairs = || read.iter().zip(written);
    if space.contains(&0) || pairs().any(|(read, written)| apart(*read, len(read), *written, len(written))) {
        return Relation::Apart;
    }
    let same = |(read, written): (&AxisWalk, &AxisWalk)| {
        read == written || len(read) == 1 && len(written) == 1 && read.start == written.start
    };
    if pairs().all(same) { Relation::Same } else { Relation::Crossing }
}

/// Whether two walks of one axis share no position.
fn apart(a: AxisWalk, a_len: usize, b: AxisWalk, b_len: usize) -> bool {
    let ends = |place: AxisWalk, len: usize| {
        let (first, last) = (place.start, place.position(len - 1));
        (first.min(last), first.max(last))
    };
    let ((a_low, a_high), (b_low, b_high)) = (ends(a, a_len), ends(b, b_len));
    let step = |place: AxisWalk, len: usize| if len > 1 { place.step.unsigned_abs() } else { 0 };
    let common = greatest_divisor(step(a, a_len), step(b, b_len));
    a_high < b_low || b_high < a_low || common > 1 && !a.start.abs_diff(b.start).is_multiple_of(common)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_and_residues_keep_walks_apart() {
        let place = |start, step| [AxisWalk { axis: Some(0), start, step }];
        let between = |a: [AxisWalk; 1], b: [AxisWalk; 1]| relation(&a, &b, &[5]);
        assert_eq!(between(place(0, 1), place(5, 1)), Relation::Apart);
        assert_eq!(between(place(0, 2), place(1, 2)), Relation::Apart);
        assert_eq!(between(place(0, 2), place(9, -2)), Relation::Apart);
        assert_eq!(between(place(3, 1), place(3, 1)), Relation::Same);
        assert_eq!(between(place(0, 1), place(1, 1)), Relation::Crossing);
        assert_eq!(between(place(4, -1), place(0, 1)), Relation::Crossing);
        assert_eq!(between([AxisWalk::fixed(2)], place(0, 1)), Relation::Crossing);
        assert_eq!(between([AxisWalk::fixed(7)], place(0, 1)), Relation::Apart);
        assert_eq!(relation(&[AxisWalk::fixed(2)], &place(2, 1), &[1]), Relation::Same);
    }

    /// Against every position, one by one.
    #[test]
    fn walks_that_are_apart_or_same_are_so() {
        for (space, a_step, b_step) in [(3usize, 1isize, 2isize), (4, 3, -2), (1, 1, 1), (5, 2, 2), (4, 2, 4)] {
            for (a_start, b_start) in (0..12).flat_map(|a| (0..12).map(move |b| (a, b))) {
                let a = AxisWalk { axis: Some(0), start: a_start, step: a_step };
                let b = AxisWalk { axis: Some(0), start: b_start, step: b_step };
                let both = |i: usize, j: usize| a.position(i) == b.position(j);
                let pairs = || (0..space).flat_map(|i| (0..space).map(move |j| (i, j)));
                match relation(&[a], &[b], &[space]) {
                    Relation::Apart => assert!(!pairs().any(|(i, j)| both(i, j))),
                    Relation::Same => assert!(pairs().all(|(i, j)| both(i, j) == (i == j))),
                    Relation::Crossing => {}
                }
            }
        }
    }
}
