//! The fast ways against the meaning, on awkward lines.

use super::*;
use crate::exec::machine::{self, Level};
use crate::ir::Fold;
use crate::scalar::eval::eval;
use crate::scalar::prim::Prim;

fn check(routine: Routine, dtype: DType, args: &[Array], len: usize) {
    let scalars: Vec<Vec<Scalar>> = args.iter().map(|array| array.scalars().collect()).collect();
    let expected = meaning(routine, dtype, &scalars, &[], len);
    for threads in [1, 2, 3, 16] {
        let grain = Some(std::time::Duration::ZERO);
        let options = Options { threads: NonZeroUsize::new(threads), grain, ..Options::default() };
        let strays = StrayFlag::default();
        let found = run(routine, dtype, args, &[len], &strays, &mut Meter::new(None), &options).unwrap();
        if let Routine::Segment(_) | Routine::Count | Routine::Scatter(_) = routine {
            let labels = &scalars[usize::from(routine != Routine::Count)];
            let place = |label: &Scalar| eval(Prim::Convert, DType::I64, &[*label]).bits as i64;
            let outside = labels.iter().any(|label| !(0..len as i64).contains(&place(label)));
            assert_eq!(strays.any(), outside, "{routine:?} {dtype} {threads} of {len}");
        }
        for (at, &expected) in expected.iter().enumerate() {
            assert!(found.get(at).same(expected), "{routine:?} {dtype} {threads} at {at} of {len}");
        }
    }
}

/// Bits of every kind, small numbers among them, so that equal elements, zeros of both signs and NaNs are many.
fn awkward(dtype: DType, len: usize, seed: u64) -> Array {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 16
    };
    let part = dtype.part().bits();
    let mut word = || {
        let bits = u128::from(next()) | u128::from(next()) << 48;
        let bits = match next() % 4 {
            0 => bits % 3,
            1 => (bits % 3) << (part - 8),
            2 => 1 << (part - 1),
            _ => bits,
        };
        if dtype == DType::Bool { bits & 1 } else { bits & (u128::MAX >> (128 - part)) }
    };
    let scalars: Vec<Scalar> = (0..len)
        .map(|_| {
            let low = word();
            Scalar { dtype, bits: if dtype.is_complex() { low | word() << part } else { low } }
        })
        .collect();
    Array::from_scalars(dtype, &[len], scalars)
}

fn below(limit: u64, len: usize) -> Array {
    let label = |at: usize| (at as u64).wrapping_mul(2_654_435_761).rotate_left(7) % (limit + 2);
    let labels = (0..len).map(|at| Scalar::of(label(at) as i64 - 1));
    Array::from_scalars(DType::I64, &[len], labels)
}

#[test]
fn lines_are_sorted_and_searched_as_they_mean() {
    for dtype in DType::ALL {
        for len in [0, 1, 2, 32, 33, 64, 65, 257, 2048, 2049, 3000] {
            let x = awkward(dtype, len, len as u64);
            check(Routine::Sort, dtype, std::slice::from_ref(&x), len);
            for descending in [false, true] {
                for wanted in [len, len / 2, len.min(1), len / 70] {
                    check(Routine::ArgSort { descending }, DType::I64, std::slice::from_ref(&x), wanted);
                }
            }
            check(Routine::Firsts, DType::Bool, std::slice::from_ref(&x), len);
            for count in [1, 5, 40, 700] {
                let places = below(len as u64, count);
                check(Routine::Ranks, dtype, &[x.clone(), places], count);
            }
            if !dtype.is_complex() {
                let values = awkward(dtype, 100, 3);
                for routine in [Routine::SearchLeft, Routine::SearchRight] {
                    check(routine, DType::I64, &[x.clone(), values.clone()], 100);
                }
            }
        }
    }
}

#[test]
fn keys_that_lie_close_together_are_found_as_others_are() {
    for dtype in [DType::I64, DType::I32, DType::U8, DType::I8, DType::U64] {
        let numbers = |numbers: &[i64]| {
            let scalar = |&number: &i64| eval(Prim::Convert, dtype, &[Scalar::of(number)]);
            Array::from_scalars(dtype, &[numbers.len()], numbers.iter().map(scalar).collect::<Vec<_>>())
        };
        let values: Vec<i64> = (0..4000).map(|at| (at * 7) % 300 - 150).collect();
        let values = numbers(&values);
        for sorted in [&[-3i64, -3, 0, 1, 1, 1, 9, 40][..], &[5], &[4, 1, 7], &[-128, 127], &[-20, 120, 1_000_000_000]]
        {
            let sorted = numbers(sorted);
            for routine in [Routine::SearchLeft, Routine::SearchRight] {
                check(routine, DType::I64, &[sorted.clone(), values.clone()], 4000);
            }
        }
    }
}

#[test]
fn many_lines_are_each_what_it_means_wherever_it_lies() {
    for dtype in DType::ALL {
        for (count, len) in [(300, 1), (1000, 3), (70, 40), (33, 70)] {
            let flat = awkward(dtype, count * len, 5);
            let size = flat.dtype().size() as isize;
            let rows = flat.view(vec![count, len], vec![len as isize * size, size], 0);
            let columns = flat.view(vec![count, len], vec![size, count as isize * size], 0);
            for x in [rows, columns] {
                let scalars: Vec<Scalar> = x.scalars().collect();
                for (routine, made) in [(Routine::Sort, dtype), (Routine::ArgSort { descending: false }, DType::I64)] {
                    for threads in [1, 3] {
                        let grain = Some(std::time::Duration::ZERO);
                        let options = Options { threads: NonZeroUsize::new(threads), grain, ..Options::default() };
                        let args = std::slice::from_ref(&x);
                        let found = run(
                            routine,
                            made,
                            args,
                            &[count, len],
                            &StrayFlag::default(),
                            &mut Meter::new(None),
                            &options,
                        );
                        let found = found.unwrap();
                        for (line, scalars) in scalars.chunks(len).enumerate() {
                            let expected = meaning(routine, made, &[scalars.to_vec()], &[], len);
                            for (at, expected) in expected.into_iter().enumerate() {
                                assert!(found.get(line * len + at).same(expected), "{routine:?} {dtype} {line} {at}");
                            }
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn long_lines_are_merged_in_order() {
    for dtype in [DType::F32, DType::U8, DType::I64, DType::F64] {
        let len = sort::MIN_SHARED_ITEMS + 3;
        let x = awkward(dtype, len, 1);
        check(Routine::Sort, dtype, std::slice::from_ref(&x), len);
        check(Routine::ArgSort { descending: true }, DType::I64, std::slice::from_ref(&x), len);
        check(Routine::ArgSort { descending: true }, DType::I64, std::slice::from_ref(&x), 1000);
        check(Routine::Ranks, dtype, &[x.clone(), below(len as u64, 90)], 90);
        check(Routine::Ranks, dtype, &[x, below(len as u64, 4)], 4);
    }
}

#[test]
fn lines_of_few_different_elements_are_sorted_as_they_mean() {
    for dtype in [DType::F32, DType::F64, DType::U32, DType::I64] {
        // Some are counted to the end; of the last there are too many, which is seen late: the first half is of few.
        for (len, different) in [(40_000, 1), (40_000, 600), (70_001, 1000), (70_001, 1500), (70_001, 40_000)] {
            let pool = awkward(dtype, different, 9);
            let pick = |at: usize| match different {
                40_000 if at < len / 2 => 0,
                _ => (at.wrapping_mul(2_654_435_761) >> 7) % different,
            };
            let line = Array::from_scalars(dtype, &[len], (0..len).map(|at| pool.get(pick(at))));
            check(Routine::Sort, dtype, std::slice::from_ref(&line), len);
        }
    }
}

/// Lines that sorting could be slow or wrong on.
fn shapes_of_lines(len: usize) -> Vec<Vec<u64>> {
    let at = |at: usize| at as u64;
    let mixed = |at: u64| at.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(23) ^ at;
    vec![
        (0..len).map(at).collect(),
        (0..len).rev().map(at).collect(),
        vec![7; len],
        (0..len).map(|nth| mixed(at(nth))).collect(),
        (0..len).map(|nth| mixed(at(nth)) % 5).collect(),
        (0..len).map(|nth| at(nth.min(len - nth))).collect(),
        (0..len).map(|nth| ((mixed(at(nth)) % 3) << 61) | (mixed(at(nth)) % 1000)).collect(),
        (0..len).map(|nth| if mixed(at(nth)) % 100 == 0 { u64::MAX } else { mixed(at(nth)) >> 40 }).collect(),
    ]
}

fn sorted<W: keys::SortBits + vector::InVectors + scratch::Zeroable>(line: &[W]) -> Vec<W> {
    let options = Options::default();
    let mut words = scratch::Scratch::zeroed(line.len(), options.watch()).unwrap();
    words.copy_from_slice(line);
    sort::words(words, 1, options.watch()).unwrap().to_vec()
}

#[test]
fn words_are_sorted_at_every_level() {
    for level in Level::ALL.into_iter().filter(|level| level.runs_here()) {
        machine::held(level, || {
            for len in (0..150).chain([257, 1000, 4097, 140_000]) {
                // Of long lines some are enough.
                for line in shapes_of_lines(len).into_iter().step_by(if len > 10_000 { 3 } else { 1 }) {
                    let mut expected = line.clone();
                    expected.sort_unstable();
                    assert!(sorted(&line) == expected, "{level:?} {len}");
                    let short = |line: &[u64]| line.iter().map(|&word| (word >> 13) as u32).collect::<Vec<_>>();
                    let mut expected = short(&line);
                    expected.sort_unstable();
                    assert!(sorted(&short(&line)) == expected, "{level:?} {len}");
                }
            }
        });
    }
}

#[test]
fn positions_of_words_are_sorted_at_every_level() {
    for level in Level::ALL.into_iter().filter(|level| level.runs_here()) {
        machine::held(level, || {
            for len in [2049, 40_000] {
                for line in shapes_of_lines(len) {
                    let words = line.iter().map(|&word| Scalar { dtype: DType::U64, bits: word.into() });
                    let line = Array::from_scalars(DType::U64, &[len], words);
                    for wanted in [len, len / 100] {
                        check(Routine::ArgSort { descending: false }, DType::I64, std::slice::from_ref(&line), wanted);
                    }
                }
            }
        });
    }
}

#[test]
fn digits_keep_equal_keys_in_order() {
    for len in [0, 1, 31, 33, 5000, 70_000] {
        for line in shapes_of_lines(len) {
            let mut pairs: Vec<(u64, u32)> = line.into_iter().zip(0..).collect();
            let mut expected = pairs.clone();
            expected.sort_unstable();
            let mut scratch = pairs.clone();
            digits::by_digits(&mut pairs, &mut scratch, |pair| pair.0, Options::default().watch()).unwrap();
            assert!(pairs == expected, "{len}");
        }
    }
}

#[test]
fn groups_and_scatters_are_combined_as_they_mean() {
    let folds = [Fold::Sum, Fold::Prod, Fold::Min, Fold::Max];
    for dtype in DType::ALL.into_iter().filter(|dtype| !dtype.is_complex() && !dtype.is_small_float()) {
        for (groups, len) in [(0, 5), (1, 0), (7, 1000), (5000, 9000), (700, 25_000)] {
            let (x, labels) = (awkward(dtype, len, 9), below(groups, len));
            for fold in folds {
                check(Routine::Segment(fold), dtype, &[x.clone(), labels.clone()], groups as usize);
                let base = awkward(dtype, groups as usize, 4);
                let args = [base, labels.clone(), x.clone()];
                check(Routine::Scatter(Scatter::With(fold)), dtype, &args, groups as usize);
                check(Routine::Scatter(Scatter::Set), dtype, &args, groups as usize);
            }
            let narrow = labels.scalars().map(|label| eval(Prim::Convert, DType::I32, &[label])).collect::<Vec<_>>();
            check(
                Routine::Count,
                DType::I64,
                &[Array::from_scalars(DType::I32, &[narrow.len()], narrow)],
                groups as usize,
            );
            check(Routine::Count, DType::I64, &[labels], groups as usize);
        }
    }
    for dtype in [DType::F16, DType::Bf16] {
        for fold in folds {
            let args = [awkward(dtype, 7, 4), below(7, 1000), awkward(dtype, 1000, 9)];
            check(Routine::Scatter(Scatter::With(fold)), dtype, &args, 7);
            check(Routine::Scatter(Scatter::Set), dtype, &args, 7);
        }
    }
}

#[test]
fn long_scatters_stop_when_they_are_told_to() {
    let (len, flag) = (3 * PIECE, AtomicBool::new(true));
    let options = Options { interrupt: Some(&flag), ..Options::default() };
    let bytes = |array: &Array| Cow::<[u8]>::Owned(array.contiguous_bytes().expect("it is contiguous").to_vec());
    let (base, labels, values) = (awkward(DType::I64, 100, 1), below(98, len), awkward(DType::I64, len, 2));
    let args: [Cow<'_, [u8]>; 3] = [bytes(&base), bytes(&labels), bytes(&values)];
    for scatter in [Scatter::Set, Scatter::With(Fold::Sum)] {
        let (mut out, strays, watch) = (vec![0u8; 800], StrayFlag::default(), options.watch());
        let line = LineTask { args: &args, dtype: DType::I64, out: &mut out, threads: 1, strays: &strays, watch };
        assert_eq!(line.run(Routine::Scatter(scatter)), Err(RunError::Interrupted));
    }
}

#[test]
fn what_sorting_takes_counts() {
    let x = awkward(DType::F64, 1000, 1);
    let sorted = |limit| {
        let mut meter = Meter::new(Some(limit));
        let (strays, options) = (StrayFlag::default(), Options::default());
        run(Routine::Sort, DType::F64, std::slice::from_ref(&x), &[1000], &strays, &mut meter, &options)
    };
    assert!(sorted(24_000).is_ok());
    assert_eq!(sorted(23_999).unwrap_err(), RunError::OutOfMemory { needed: Some(24_000), limit: Some(23_999) });
}

#[test]
fn masks_keep_what_they_mean() {
    for level in Level::ALL.into_iter().filter(|level| level.runs_here()) {
        for (dtype, len) in DType::ALL.into_iter().flat_map(|dtype| [0, 1, 7, 33, 100, 5000].map(|len| (dtype, len))) {
            let (x, mask) = (awkward(dtype, len, 2), awkward(DType::Bool, len, 5));
            let kept = mask.scalars().filter(|kept| kept.bits != 0).count();
            machine::held(level, || check(Routine::Compress, dtype, &[x, mask.clone()], kept));
            check(Routine::Positions, DType::I64, &[mask], kept);
        }
    }
}
