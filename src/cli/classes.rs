//! Rows of a table folded where they say the same: sets of dtypes with short names.

use crate::types::{Elem, Kind};
use std::collections::BTreeMap;

/// Types, each at its [`Elem::index`].
pub(super) type ElemSet = u32;

/// Folds rows of single types into rows of sets: along the last column first, then along those before it. Rows with
/// different keys stay apart; the order is that of the first row of each.
pub(super) fn fold<K: Clone + Ord>(rows: &[(Vec<Elem>, K)]) -> Vec<(Vec<ElemSet>, K)> {
    let columns = rows.first().map_or(0, |(at, _)| at.len());
    let single = |(at, key): &(Vec<Elem>, K)| (at.iter().map(|elem| 1 << elem.index()).collect(), key.clone());
    let mut folded: Vec<(Vec<ElemSet>, K)> = rows.iter().map(single).collect();
    for column in (0..columns).rev() {
        let mut places: BTreeMap<(Vec<ElemSet>, K), usize> = BTreeMap::new();
        let mut next: Vec<(Vec<ElemSet>, K)> = Vec::new();
        for (sets, key) in folded {
            let mut others = sets.clone();
            others[column] = 0;
            let place = *places.entry((others, key.clone())).or_insert(next.len());
            match next.get_mut(place) {
                Some((known, _)) => known[column] |= sets[column],
                None => next.push((sets, key)),
            }
        }
        folded = next;
    }
    folded
}

fn set(holds: impl Fn(Elem) -> bool) -> ElemSet {
    Elem::all().filter(|&elem| holds(elem)).map(|elem| 1 << elem.index()).sum()
}

/// `integers up to 32 bits, f*`
pub(super) fn text(types: ElemSet) -> String {
    let strong = set(|elem| !elem.is_weak());
    if types == set(|_| true) {
        return "any type".to_owned();
    }
    if types == strong {
        return "any dtype".to_owned();
    }
    let of = |kinds: &'static [Kind]| set(|elem| elem.strong().is_some_and(|dtype| kinds.contains(&dtype.kind())));
    let (integers, unsigned, signed) =
        (of(&[Kind::Unsigned, Kind::Signed]), of(&[Kind::Unsigned]), of(&[Kind::Signed]));
    let floats = of(&[Kind::Float]);
    let mut parts = Vec::new();
    let mut left = types;
    for (name, class) in [
        ("integers", integers),
        ("unsigned integers", unsigned),
        ("signed integers", signed),
        ("floats", floats),
        ("floats of 16 bits and more", floats & set(|elem| elem.strong().is_some_and(|dtype| dtype.bits() >= 16))),
    ] {
        // The whole class, or its members up to a width.
        let own = left & class;
        let upto = |bits: u32| class & set(|elem| elem.strong().is_some_and(|dtype| dtype.bits() <= bits));
        let found = if own == class && class != 0 {
            Some(name.to_owned())
        } else if class == integers || own.count_ones() > 2 {
            let width = [8, 16, 32].into_iter().find(|&bits| own == upto(bits) && class & floats == 0);
            width.map(|bits| format!("{name} up to {bits} bits"))
        } else {
            None
        };
        if let Some(name) = found {
            parts.push((own.trailing_zeros(), name));
            left &= !own;
        }
    }
    for elem in Elem::all().filter(|elem| left & (1 << elem.index()) != 0) {
        parts.push((elem.index() as u32, elem.to_string()));
    }
    parts.sort();
    parts.into_iter().map(|(_, name)| name).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::DType;

    fn named(names: &str) -> String {
        text(names.split(' ').map(|name| 1 << name.parse::<Elem>().expect("a type").index()).sum())
    }

    #[test]
    fn sets_have_short_names() {
        assert_eq!(named("u8 u16 u32 i8 i16 i32"), "integers up to 32 bits");
        assert_eq!(named("u8 u16 u32 u64 f32"), "unsigned integers, f32");
        assert_eq!(named("i8 i16 i32 bool"), "bool, signed integers up to 32 bits");
        assert_eq!(named("bf16 f16 f32 f64 i* i8 i16"), "i8, i16, floats of 16 bits and more, i*");
        assert_eq!(named("f8_e4m3 f8_e5m2 bf16 f16 f32 f64"), "floats");
        assert_eq!(named("u8 i8"), "integers up to 8 bits");
        assert_eq!(text(set(|elem| !elem.is_weak())), "any dtype");
    }

    #[test]
    fn equal_rows_are_one() {
        use DType::{F32, F64, I8, U8};
        let both = |a: DType, b: DType| vec![Elem::Strong(a), Elem::Strong(b)];
        let rows =
            [(both(U8, F32), 1), (both(U8, F64), 1), (both(I8, F32), 1), (both(I8, F64), 1), (both(F32, F32), 2)];
        let folded = fold(&rows);
        assert_eq!(folded.len(), 2);
        assert_eq!((text(folded[0].0[0]), text(folded[0].0[1])), ("integers up to 8 bits".into(), "f32, f64".into()));
    }
}
