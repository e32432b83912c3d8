//! The first terms of rows that are true, from 0 on; -1 where none is.
#![expect(unsafe_code, reason = "a row is an address, and vectors need their level")]

use super::kinds::TermOperands;
use super::rows::FoldedElement;
use super::{Rows, part};
use crate::exec::machine::{Level, level};
use crate::exec::vmath::Unaligned;

/// Where the first true term is, of those that were seen.
#[derive(Clone, Copy, Default)]
struct FirstPlace {
    seen: usize,
    found: Option<usize>,
}

impl FirstPlace {
    /// Takes the next terms; `first` says where the first true one of them is.
    fn pass(&mut self, count: usize, first: impl FnOnce() -> Option<usize>) {
        if self.found.is_none() {
            self.found = first().map(|index| self.seen + index);
        }
        self.seen += count;
    }

    fn join(&mut self, later: FirstPlace) {
        self.found = self.found.or(later.found.map(|index| self.seen + index));
        self.seen += later.seen;
    }

    /// The place, or -1. Begins anew.
    fn finish(&mut self) -> FoldedElement {
        FoldedElement::of(std::mem::take(self).found.map_or(-1, |index| index as i64))
    }
}

/// The first true value of each row.
#[derive(Default)]
pub(super) struct FirstTrueRows(FirstPlace);

impl Rows for FirstTrueRows {
    unsafe fn terms(&mut self, operands: TermOperands, count: usize) {
        // SAFETY: the caller promises `count` truth values, which are bytes.
        let bytes = unsafe { std::slice::from_raw_parts(operands[0], count) };
        self.0.pass(count, || {
            let any = bytes.iter().fold(0, |any, byte| any | byte) != 0;
            any.then(|| bytes.iter().position(|&byte| byte != 0)).flatten()
        });
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        self.0.join(part::<Self>(later).0);
    }

    fn finish(&mut self) -> FoldedElement {
        self.0.finish()
    }
}

/// An integer that may be a position.
pub(super) trait Position: Copy + Ord + Into<i128> + TryFrom<i128> + Send + 'static {
    const MIN_POSITION: Self;
    const MAX_POSITION: Self;
    /// The nearest that there is.
    fn nearest(number: i128) -> Self {
        Self::try_from(number).unwrap_or(if number < 0 { Self::MIN_POSITION } else { Self::MAX_POSITION })
    }
}

impl Position for i32 {
    const MIN_POSITION: i32 = i32::MIN;
    const MAX_POSITION: i32 = i32::MAX;
}

impl Position for i64 {
    const MIN_POSITION: i64 = i64::MIN;
    const MAX_POSITION: i64 = i64::MAX;
}

/// The integers from one to another. The range is empty where the first is greater.
#[derive(Clone, Copy)]
struct PositionRange<T> {
    least: T,
    most: T,
}

impl<T: Position> PositionRange<T> {
    /// The `count` integers from `least` on.
    fn new(least: i64, count: u64) -> PositionRange<T> {
        let (least, most) = (i128::from(least), i128::from(least) + i128::from(count) - 1);
        let [first, last] = [least, most].map(T::nearest);
        let is_empty = most < least || most < T::MIN_POSITION.into() || least > T::MAX_POSITION.into();
        if is_empty {
            PositionRange { least: T::MAX_POSITION, most: T::MIN_POSITION }
        } else {
            PositionRange { least: first, most: last }
        }
    }

    #[inline(always)]
    #[expect(clippy::needless_bitwise_bool, reason = "without a branch it becomes vector code")]
    fn excludes(self, number: T) -> bool {
        (number < self.least) | (number > self.most)
    }

    /// Whether it excludes any of some integers. All are looked at, many at once.
    #[inline(always)]
    fn excludes_any(self, numbers: &[Unaligned<T>]) -> bool {
        numbers.iter().fold(false, |any, number| any | self.excludes(number.0))
    }

    /// [`PositionRange::excludes_any`] with AVX-512.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx512f,avx512bw,avx512dq,avx512vl")]
    fn excludes_any_avx512(self, numbers: &[Unaligned<T>]) -> bool {
        self.excludes_any(numbers)
    }

    /// [`PositionRange::excludes_any`] with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn excludes_any_avx2(self, numbers: &[Unaligned<T>]) -> bool {
        self.excludes_any(numbers)
    }
}

/// The first integer of each row that is outside of a range: [`super::TermForm::Outside`].
pub(super) struct OutsideRows<T> {
    place: FirstPlace,
    range: PositionRange<T>,
}

impl<T: Position> OutsideRows<T> {
    pub(super) fn new(least: i64, count: u64) -> OutsideRows<T> {
        OutsideRows { place: FirstPlace::default(), range: PositionRange::new(least, count) }
    }
}

impl<T: Position> Rows for OutsideRows<T> {
    unsafe fn terms(&mut self, operands: TermOperands, count: usize) {
        let range = self.range;
        // SAFETY: the caller promises `count` numbers; such ones have no alignment.
        let numbers = unsafe { std::slice::from_raw_parts(operands[0].cast::<Unaligned<T>>(), count) };
        self.place.pass(count, || {
            let any = match level() {
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this is the level of the machine.
                Level::Avx512 => unsafe { range.excludes_any_avx512(numbers) },
                #[cfg(target_arch = "x86_64")]
                // SAFETY: this is the level of the machine.
                Level::Avx2 => unsafe { range.excludes_any_avx2(numbers) },
                _ => range.excludes_any(numbers),
            };
            any.then(|| numbers.iter().position(|number| range.excludes(number.0))).flatten()
        });
    }

    fn join(&mut self, later: Box<dyn Rows>) {
        self.place.join(part::<Self>(later).place);
    }

    fn finish(&mut self) -> FoldedElement {
        self.place.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_outside_is_found_in_any_place_and_part() {
        for (least, count) in [(-5, 10u64), (0, 1), (0, 1 << 63), (i64::MIN, 1 << 63), (i64::MAX - 1, 2), (0, 0)] {
            let inside = if count > 0 { least.wrapping_add(count as i64 - 1) } else { 0 };
            for place in (0..70).step_by(3) {
                for wrong in [least.wrapping_sub(1), least.wrapping_add(count as i64), i64::MIN, i64::MAX, 0] {
                    let mut numbers = [inside; 70];
                    numbers[place] = wrong;
                    check(least, count, &numbers);
                }
            }
        }
    }

    fn check(least: i64, count: u64, numbers: &[i64; 70]) {
        let is_outside = |number: i64| !(0..i128::from(count)).contains(&(i128::from(number) - i128::from(least)));
        let first = |wrong: &dyn Fn(usize) -> bool| (0..70).find(|&at| wrong(at)).map_or(-1, |at| at as i64);
        let narrow = numbers.map(|number| number as i32);
        let wide = first(&|at| is_outside(numbers[at]));
        let narrow_first = first(&|at| is_outside(narrow[at].into()));
        for cut in [0, 1, 33, 70] {
            let parts = |(from, size): (*const u8, usize), rows: [Box<dyn Rows>; 2]| {
                let ([mut rows, mut later], mut out) = (rows, [0; 8]);
                // SAFETY: the numbers are there, and the result has room.
                unsafe {
                    rows.terms([from; 2], cut);
                    later.terms([from.add(cut * size); 2], 70 - cut);
                    rows.join(later);
                    rows.finish().write(out.as_mut_ptr());
                }
                i64::from_le_bytes(out)
            };
            let rows = || -> Box<dyn Rows> { Box::new(OutsideRows::<i64>::new(least, count)) };
            assert_eq!(parts((numbers.as_ptr().cast(), 8), [rows(), rows()]), wide, "{least} {count} {cut}");
            let rows = || -> Box<dyn Rows> { Box::new(OutsideRows::<i32>::new(least, count)) };
            assert_eq!(parts((narrow.as_ptr().cast(), 4), [rows(), rows()]), narrow_first, "{least} {count} {cut}");
        }
    }
}
