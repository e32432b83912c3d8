//! The ends of an operation of bits for integers of two ranges.
//!
//! They are found bit by bit from the highest on. Each bit is the better one if any operands in the ranges give it
//! behind the bits found so far. Of these operands it is enough to know which ends they still have all bits of: beyond
//! an end every bit is free. Among numbers of one sign the order is that of the bits, so each range is split at 0.

/// Two ends, both included.
pub type Ends = (i128, i128);

/// Which ends the operands have all bits of so far: the low and the high one of the first operand, and of the second.
type Prefix = [bool; 4];

/// Between what the results lie; both ends are results.
pub(super) fn ends(op: impl Fn(i128, i128) -> i128 + Copy, a: Ends, b: Ends) -> Ends {
    let (mut least, mut most) = (i128::MAX, i128::MIN);
    for x in signs(a).into_iter().flatten() {
        for y in signs(b).into_iter().flatten() {
            least = least.min(extreme(op, x, y, false));
            most = most.max(extreme(op, x, y, true));
        }
    }
    (least, most)
}

/// The negative numbers of a range, and the others.
fn signs(ends: Ends) -> [Option<Ends>; 2] {
    let (low, high) = ends;
    [(low < 0).then(|| (low, high.min(-1))), (high >= 0).then(|| (low.max(0), high))]
}

/// The greatest or the least result for two ranges without a change of sign.
fn extreme(op: impl Fn(i128, i128) -> i128, x: Ends, y: Ends, greatest: bool) -> i128 {
    let ends = [x.0, x.1, y.0, y.1];
    // Above these bits there are only signs.
    let spare = ends.map(|end| (end ^ (end >> 127)).leading_zeros()).into_iter().min().unwrap_or(0);
    let mut found = op(x.0 >> 127, y.0 >> 127);
    let mut prefixes: Vec<Prefix> = vec![[true; 4]];
    for place in (0..128 - spare).rev() {
        let own = ends.map(|end| (end >> place) & 1);
        let better = longer(&op, &prefixes, own, i128::from(greatest));
        let is_better = !better.is_empty();
        prefixes = if is_better { better } else { longer(&op, &prefixes, own, i128::from(!greatest)) };
        found = (found << 1) | i128::from(is_better == greatest);
    }
    found
}

/// The prefixes with one bit more of each operand, `own` at the ends, where the operation gives the bit `wanted`.
fn longer(op: &impl Fn(i128, i128) -> i128, prefixes: &[Prefix], own: [i128; 4], wanted: i128) -> Vec<Prefix> {
    let mut found: Vec<Prefix> = Vec::new();
    for is_end in prefixes {
        for (p, q) in [(0, 0), (0, 1), (1, 0), (1, 1)] {
            let bits = [p, p, q, q];
            // Each operand has its least value, then its greatest.
            let beyond = |at: usize| if at.is_multiple_of(2) { bits[at] < own[at] } else { bits[at] > own[at] };
            let next: Prefix = std::array::from_fn(|at| is_end[at] && bits[at] == own[at]);
            let inside = (0..4).all(|at| !(is_end[at] && beyond(at)));
            if inside && op(p, q) == wanted && !found.contains(&next) {
                found.push(next);
            }
        }
    }
    found
}
