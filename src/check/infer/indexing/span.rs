//! Python's slices: which positions `a[start:stop:step]` takes of an axis.

use crate::types::Affine;

/// The first position and how many there are; bounds beyond the ends are clipped, as in Python.
pub(in crate::check) fn exact(start: Option<i64>, stop: Option<i64>, step: i64, len: i64) -> (i64, i64) {
    let (len, wide_step) = (i128::from(len), i128::from(step));
    let (lowest, highest) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let clip = |bound: Option<i64>, default: i128| match bound.map(i128::from) {
        None => default,
        Some(bound) if bound < 0 => (bound + len).clamp(lowest, highest),
        Some(bound) => bound.clamp(lowest, highest),
    };
    let (first, end) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (first, end) = (clip(start, first), clip(stop, end));
    let (distance, stride) = if step > 0 { (end - first, wide_step) } else { (first - end, -wide_step) };
    let count = if distance > 0 { (distance + stride - 1) / stride } else { 0 };
    (if count > 0 { first as i64 } else { 0 }, count as i64)
}

/// The first position of a slice and how many there are, where the length or a bound is not a number.
///
/// What is kept from an end is exact: `a[:5]` has `min(5, n)` elements. What is cut off an end is taken to be there:
/// `a[1:]` has `n-1`, as the run, which knows the length, will find out. Where only data decides the length or a bound,
/// that may not be so when the run goes on: there `a[1:]` has `max(0, k-1)`, and `a[-k:]`, which is `a[0:]` for a `k`
/// of 0, has no form. Nothing when that leaves the length open.
pub(in crate::check) fn symbolic(
    start: Option<&Affine>,
    stop: Option<&Affine>,
    step: i64,
    len: &Affine,
    counted: bool,
) -> Option<(Affine, Affine)> {
    let edge = |bound: Option<&Affine>| match bound {
        None => Some(None),
        Some(bound) => SliceEdge::of(bound, step, counted).map(Some),
    };
    let (start, stop) = (edge(start)?, edge(stop)?);
    let ends = if counted { clipped_ends } else { ends };
    if step < 0 {
        // Backwards from `start` down to `stop` is `[stop + 1 : start + 1]` read from its end.
        let SliceEnds { end, count, .. } = ends(stop.as_ref(), start.as_ref(), len)?;
        return Some((end.plus(&Affine::constant(1), -1)?, stepped(&count, step.checked_neg()?)?));
    }
    let SliceEnds { first, count, .. } = ends(start.as_ref(), stop.as_ref(), len)?;
    Some((first, stepped(&count, step)?))
}

/// Where a bound lies between two elements.
enum SliceEdge {
    /// So many elements are before it.
    FromStart(Affine),
    /// So many elements are behind it.
    FromEnd(Affine),
}

impl SliceEdge {
    /// The edge of a bound. Backwards it is behind the element that the bound names. A bound such as `1-m` counts from
    /// the end, as it does for long axes; where data decide that, there is no edge.
    fn of(bound: &Affine, step: i64, counted: bool) -> Option<SliceEdge> {
        let one = Affine::constant(1);
        let behind = Affine::constant(0).plus(bound, -1)?;
        let least = match bound.known() {
            _ if counted => behind.plus(&one, -1)?,
            Some(_) => behind.clone(),
            None => behind.plus(&Affine::constant(behind.evaluate(&|_| Some(0))?), -1)?,
        };
        if bound.known() != Some(0) && least.is_never_negative() {
            return Some(SliceEdge::FromEnd(if step < 0 { behind.plus(&one, -1)? } else { behind }));
        }
        let is_open = counted && !bound.is_never_negative();
        (!is_open).then_some(SliceEdge::FromStart(if step < 0 { bound.plus(&one, 1)? } else { bound.clone() }))
    }
}

/// What must not be below 0 so that a bound counts from the end that [`symbolic`] takes it to: of `a[:-m]` that is
/// `m - 1`, because `a[:-0]` is `a[:0]`. Nothing where that is certain, or where the count, which `count` is, or a
/// position is below 0 otherwise.
pub(in crate::check) fn deciding(bound: &Affine, step: i64, count: &Affine) -> Option<Affine> {
    if bound.known().is_some() {
        return None;
    }
    let deciding = if let SliceEdge::FromEnd(_) = SliceEdge::of(bound, step, false)? {
        Affine::constant(-1).plus(bound, -1)?
    } else {
        // Neither is below 0 where nothing is taken, or where steps are longer than what is missing. Backwards, the
        // edge of the bound -1 is position 0.
        (!(0..=1).contains(&step) || count.known() == Some(0)).then(|| bound.clone())?
    };
    (!deciding.is_never_negative()).then_some(deciding)
}

/// Whether a bound that is made of lengths counts from the end, as `-n` and `1-n` do.
pub(in crate::check) fn counts_from_end(bound: &Affine) -> bool {
    bound.known().is_none() && matches!(SliceEdge::of(bound, 1, false), Some(SliceEdge::FromEnd(_)))
}

fn stepped(count: &Affine, step: i64) -> Option<Affine> {
    count.plus(&Affine::constant(step - 1), 1)?.floor_divide(&Affine::constant(step))
}

/// Where a run of positions begins and ends, and how many there are.
struct SliceEnds {
    first: Affine,
    end: Affine,
    count: Affine,
}

impl SliceEnds {
    fn none() -> SliceEnds {
        let [first, end, count] = [(); 3].map(|()| Affine::constant(0));
        SliceEnds { first, end, count }
    }
}

/// The positions of a slice.
fn ends(start: Option<&SliceEdge>, stop: Option<&SliceEdge>, len: &Affine) -> Option<SliceEnds> {
    let none = Affine::constant(0);
    let first = match start {
        None => none.clone(),
        Some(SliceEdge::FromEnd(behind)) => len.plus(&behind.least(len)?, -1)?,
        Some(SliceEdge::FromStart(before)) => before.clone(),
    };
    let end = match stop {
        None => len.clone(),
        Some(SliceEdge::FromEnd(behind)) => len.plus(behind, -1)?,
        Some(SliceEdge::FromStart(before)) => before.least(len)?,
    };
    let count = end.plus(&first, -1)?;
    if none.plus(&count, -1)?.is_never_negative() {
        return Some(SliceEnds::none());
    }
    // From near one end to near the other: how many lie between, if any, no form says.
    let crossing = matches!((start, stop), (Some(SliceEdge::FromEnd(_)), Some(SliceEdge::FromStart(_)))) && end != *len;
    (!crossing || count.is_never_negative()).then_some(SliceEnds { first, end, count })
}

/// The positions of a slice, if what is cut off an end may not be there.
fn clipped_ends(start: Option<&SliceEdge>, stop: Option<&SliceEdge>, len: &Affine) -> Option<SliceEnds> {
    let none = Affine::constant(0);
    let (first, end, count) = match (start, stop) {
        (Some(SliceEdge::FromEnd(_)), Some(SliceEdge::FromStart(_))) => return None,
        (Some(SliceEdge::FromEnd(own)), None | Some(SliceEdge::FromEnd(_))) => {
            let behind = if let Some(SliceEdge::FromEnd(behind)) = stop { behind.least(len)? } else { none.clone() };
            let own = own.least(len)?;
            (len.plus(&own, -1)?, len.plus(&behind, -1)?, own.plus(&behind, -1)?)
        }
        (None | Some(SliceEdge::FromStart(_)), stop) => {
            let start = if let Some(SliceEdge::FromStart(start)) = start { start } else { &none };
            if let Some(SliceEdge::FromStart(stop)) = stop {
                let end = stop.least(len)?;
                // `a[k+1:8]` is as long as `a[k:7]`: without what is added to both bounds, both lengths are one form.
                let added = Affine::constant(start.constant.min(end.constant).max(0));
                let (from, to) = (start.plus(&added, -1)?, end.plus(&added, -1)?);
                let first = from.least(&to)?.plus(&added, 1)?;
                (first.clone(), end.clone(), end.plus(&first, -1)?)
            } else {
                let behind = if let Some(SliceEdge::FromEnd(behind)) = stop { behind } else { &none };
                (start.least(len)?, without(len, behind)?, without(len, &start.plus(behind, 1)?)?)
            }
        }
    };
    if none.plus(&count, -1)?.is_never_negative() {
        return Some(SliceEnds::none());
    }
    count.is_never_negative().then_some(SliceEnds { first, end, count })
}

/// `max(0, len - cut)`; of what was cut before, `max(0, max(0, n-1) - 2)` is `max(0, n-3)`.
fn without(len: &Affine, cut: &Affine) -> Option<Affine> {
    match len.cut_off() {
        Some((whole, before)) => whole.plus(&before.plus(cut, 1)?.least(whole)?, -1),
        None => len.plus(&cut.least(len)?, -1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What Python's definition says: all positions from the start on, one after the other.
    fn walked(start: Option<i64>, stop: Option<i64>, step: i64, len: i64) -> Vec<i64> {
        let place = |bound: i64| if bound < 0 { bound + len } else { bound };
        let inside = |position: i64| (0..len).contains(&position);
        let (first, end) = if step > 0 { (0, len) } else { (len - 1, -1) };
        let from = start.map_or(first, place).clamp(-1, len);
        let from = if step > 0 { from.max(0) } else { from.min(len - 1) };
        let to = stop.map_or(end, place).clamp(-1, len);
        let (mut at, mut found) = (from, Vec::new());
        while inside(at) && (if step > 0 { at < to } else { at > to }) {
            found.push(at);
            at += step;
        }
        found
    }

    fn each(mut check: impl FnMut(Option<i64>, Option<i64>, i64, i64)) {
        let bounds = || std::iter::once(None).chain((-7..=7).map(Some));
        for len in 0..6 {
            for step in [-7, -3, -2, -1, 1, 2, 3, 7] {
                bounds().for_each(|start| bounds().for_each(|stop| check(start, stop, step, len)));
            }
        }
    }

    #[test]
    fn positions_are_those_of_python() {
        each(|start, stop, step, len| {
            let (first, count) = exact(start, stop, step, len);
            let found: Vec<i64> = (0..count).map(|index| first + step * index).collect();
            assert_eq!(found, walked(start, stop, step, len), "[{start:?}:{stop:?}:{step}] of {len}");
        });
    }

    #[test]
    fn bounds_may_be_as_large_as_integers_are() {
        assert_eq!(exact(Some(i64::MIN), Some(i64::MAX), 1, 3), (0, 3));
        assert_eq!(exact(Some(i64::MAX), Some(i64::MIN), i64::MIN, 3), (2, 1));
        assert_eq!(exact(None, None, i64::MAX, 3), (0, 1));
    }

    /// A form is what the run will find for all lengths that have what is cut off.
    #[test]
    fn forms_are_right_for_long_axes() {
        let len = Affine::name("n");
        each(|start, stop, step, _| {
            let form = |bound: Option<i64>| bound.map(Affine::constant);
            let Some((first, count)) = symbolic(form(start).as_ref(), form(stop).as_ref(), step, &len, false) else {
                return;
            };
            for size in 14..20u64 {
                let value = |form: &Affine| form.evaluate(&|_| Some(size)).expect("a number");
                let (wanted, length) = exact(start, stop, step, size as i64);
                assert_eq!(value(&count).max(0), length, "[{start:?}:{stop:?}:{step}] of {size}: {count}");
                assert!(length == 0 || value(&first) == wanted, "[{start:?}:{stop:?}:{step}] of {size}: {first}");
            }
        });
    }

    /// Where data decides the length, a form is what the run will find, however short the axis is.
    #[test]
    fn forms_of_counts_are_right_for_every_length() {
        let len = Affine::name("k");
        let mut open = 0;
        each(|start, stop, step, _| {
            let form = |bound: Option<i64>| bound.map(Affine::constant);
            let (start_form, stop_form) = (form(start), form(stop));
            let found = symbolic(start_form.as_ref(), stop_form.as_ref(), step, &len, true);
            open += usize::from(found.is_none());
            let Some((first, count)) = found else { return };
            for size in 0..20u64 {
                let value = |form: &Affine| form.evaluate(&|_| Some(size)).expect("a number");
                let (wanted, length) = exact(start, stop, step, size as i64);
                assert_eq!(value(&count), length, "[{start:?}:{stop:?}:{step}] of {size}: {count}");
                assert!(length == 0 || value(&first) == wanted, "[{start:?}:{stop:?}:{step}] of {size}: {first}");
            }
        });
        assert!(open < 2_700, "{open} of 12 288");
        let after =
            |len: &Affine, start: i64| symbolic(Some(&Affine::constant(start)), None, 1, len, true).expect("a form").1;
        assert_eq!(after(&len, 1).to_string(), "max(0, k-1)");
        assert_eq!(after(&after(&len, 1), 2), after(&len, 3));
        let from = |start: i64| {
            let start = Affine::constant(start).plus(&len, 1).expect("a form");
            let stop = Affine::constant(start.constant + 7);
            symbolic(Some(&start), Some(&stop), 1, &Affine::constant(9), true).expect("a form").1
        };
        assert_eq!(from(0), from(1));
    }

    /// With what decides the sides, forms are right also where bounds are lengths that may be 0.
    #[test]
    fn bounds_of_lengths_count_from_their_ends() {
        let (len, name) = (Affine::constant(6), Affine::name("m"));
        let bound = |sign: i64, more: i64| Affine::constant(more).plus(&name, sign).expect("a form");
        let some = [(1, 0), (1, -1), (-1, 0), (-1, -1), (-1, 2)].map(|(sign, more)| Some(bound(sign, more)));
        let all: Vec<Option<Affine>> = std::iter::once(None).chain(some).collect();
        let pairs = all.iter().flat_map(|start| all.iter().map(move |stop| (start.as_ref(), stop.as_ref())));
        for (start, stop) in pairs {
            for step in [-2, -1, 1, 2] {
                let Some((first, count)) = symbolic(start, stop, step, &len, false) else { continue };
                let bounds = [start, stop].into_iter().flatten();
                let sides: Vec<Affine> = bounds.filter_map(|bound| deciding(bound, step, &count)).collect();
                for size in 0..7u64 {
                    let value = |form: &Affine| form.evaluate(&|_| Some(size)).expect("a number");
                    let (found, from) = (value(&count), value(&first));
                    let inside = |position: i64| (0..6).contains(&position);
                    let fits = found >= 0 && (found == 0 || inside(from) && inside(from + (found - 1) * step));
                    if !fits || sides.iter().any(|side| value(side) < 0) {
                        continue;
                    }
                    let (wanted, length) = exact(start.map(value), stop.map(value), step, 6);
                    assert_eq!(found, length, "[{start:?}:{stop:?}:{step}] of 6, m = {size}: {count}");
                    assert!(length == 0 || from == wanted, "[{start:?}:{stop:?}:{step}] of 6, m = {size}: {first}");
                }
            }
        }
        let shown = |form: Option<Affine>| form.map(|form| form.to_string());
        assert_eq!(shown(deciding(&bound(-1, 0), 1, &len)).as_deref(), Some("m-1"));
        assert_eq!(shown(deciding(&bound(-1, -1), 1, &len)), None);
        assert_eq!(shown(deciding(&bound(1, -1), 1, &len)), None);
        assert_eq!(shown(deciding(&bound(1, -1), 2, &len)).as_deref(), Some("m-1"));
        assert_eq!(shown(deciding(&bound(1, -1), -1, &len)).as_deref(), Some("m-1"));
        assert_eq!(shown(deciding(&bound(1, 0), -1, &len)), None);
    }

    /// The forms of bounds that are names or made of names, with what the names are.
    fn named_bounds() -> Vec<Affine> {
        let (m, zero) = (Affine::name("m"), Affine::constant(0));
        let half = m.floor_divide(&Affine::constant(2)).expect("a form");
        let more = |form: &Affine, sign: i64, by: i64| Affine::constant(by).plus(form, sign).expect("a form");
        let all = [&m, &half].into_iter().flat_map(|form| [-1, 1].map(|sign| (form, sign)));
        all.flat_map(|(form, sign)| [-2, -1, 0, 1].map(|by| more(form, sign, by))).chain([zero]).collect()
    }

    /// A form of bounds that are names is what the run will find for all axes that have what is cut off.
    #[test]
    fn named_bounds_are_right_for_long_axes() {
        let (len, bounds) = (Affine::name("n"), named_bounds());
        let all: Vec<Option<&Affine>> = std::iter::once(None).chain(bounds.iter().map(Some)).collect();
        for (start, stop) in all.iter().flat_map(|&start| all.iter().map(move |&stop| (start, stop))) {
            for step in [-2, -1, 1, 2] {
                let Some((first, count)) = symbolic(start, stop, step, &len, false) else { continue };
                for (size, m) in (20..23u64).flat_map(|size| (4..7u64).map(move |m| (size, m))) {
                    let of = |name: &str| Some(if name == "m" { m } else { size });
                    let value = |form: &Affine| form.evaluate(&of).expect("a number");
                    let (wanted, length) = exact(start.map(value), stop.map(value), step, size as i64);
                    let told = format!("[{start:?}:{stop:?}:{step}] of {size}, m = {m}: {first}, {count}");
                    assert_eq!(value(&count).max(0), length, "{told}");
                    assert!(length == 0 || value(&first) == wanted, "{told}");
                }
            }
        }
    }

    /// Where data decides, a form of bounds that are names is what the run will find, whatever the names are.
    #[test]
    fn named_bounds_of_counts_are_right_for_every_length() {
        let (len, bounds) = (Affine::name("k"), named_bounds());
        let all: Vec<Option<&Affine>> = std::iter::once(None).chain(bounds.iter().map(Some)).collect();
        for (start, stop) in all.iter().flat_map(|&start| all.iter().map(move |&stop| (start, stop))) {
            for step in [-2, -1, 1, 2] {
                let Some((first, count)) = symbolic(start, stop, step, &len, true) else { continue };
                for (size, m) in (0..6u64).flat_map(|size| (0..8u64).map(move |m| (size, m))) {
                    let of = |name: &str| Some(if name == "m" { m } else { size });
                    let value = |form: &Affine| form.evaluate(&of).expect("a number");
                    let (wanted, length) = exact(start.map(value), stop.map(value), step, size as i64);
                    let told = format!("[{start:?}:{stop:?}:{step}] of {size}, m = {m}: {first}, {count}");
                    assert_eq!(value(&count), length, "{told}");
                    assert!(length == 0 || value(&first) == wanted, "{told}");
                }
            }
        }
    }

    #[test]
    fn what_is_kept_is_exact_for_every_length() {
        let len = Affine::name("n");
        for bound in 1..5 {
            let (stop, start) = (Affine::constant(bound), Affine::constant(-bound));
            for (start, stop) in [(None, Some(&stop)), (Some(&start), None)] {
                let (_, count) = symbolic(start, stop, 1, &len, false).expect("a form");
                assert_eq!(count.to_string(), format!("min({bound}, n)"));
            }
        }
        let shown = |start: Option<i64>, stop: Option<i64>, step| {
            let form = |bound: Option<i64>| bound.map(Affine::constant);
            symbolic(form(start).as_ref(), form(stop).as_ref(), step, &len, false).map(|(_, count)| count.to_string())
        };
        assert_eq!(shown(None, None, 2).as_deref(), Some("(n+1)//2"));
        assert_eq!(shown(Some(1), None, 2).as_deref(), Some("n//2"));
        assert_eq!(shown(Some(1), Some(-1), 1).as_deref(), Some("n-2"));
        assert_eq!(shown(None, None, -1).as_deref(), Some("n"));
        assert_eq!(shown(Some(-2), Some(5), 1), None);
    }
}
