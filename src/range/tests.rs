//! Ranges are sound: what a prim or a program gives lies in the range that was found for it.

mod search;
mod weighted;

use super::float::{self, Floats};
use super::nodes::Ranges;
use super::{Interval, Range, integer, integers, largest_finite};
use crate::exec::tests::Random;
use crate::exec::{Engine, Options, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, ProgramOutput};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::{DType, Dim, Kind};

const INTEGERS: [DType; 9] =
    [DType::Bool, DType::U8, DType::U16, DType::U32, DType::U64, DType::I8, DType::I16, DType::I32, DType::I64];

fn whole(dtype: DType, value: i128) -> Scalar {
    let mask = if dtype.bits() == 128 { u128::MAX } else { (1u128 << dtype.bits()) - 1 };
    Scalar { dtype, bits: value as u128 & mask }
}

fn value(scalar: Scalar) -> i128 {
    match Interval::of_scalar(scalar) {
        Interval::Integer { low, .. } => low,
        _ => panic!("an integer"),
    }
}

/// Two values of a dtype, the smaller first, and often near its ends or near 0.
fn pick(random: &mut Random, dtype: DType) -> (i128, i128) {
    let (least, most) = integers(dtype);
    let mut one = || match random.below(4) {
        0 => least + random.below(4) as i128 % (most - least + 1),
        1 => most - random.below(4) as i128 % (most - least + 1),
        2 => (random.below(9) as i128 - 4).clamp(least, most),
        _ => least + (i128::from(random.next()) % (most - least + 1)),
    };
    let (a, b) = (one(), one());
    (a.min(b), a.max(b))
}

fn inside(random: &mut Random, (low, high): (i128, i128)) -> i128 {
    match random.below(4) {
        0 => low,
        1 => high,
        _ => low + i128::from(random.next()) % (high - low + 1),
    }
}

#[test]
fn integer_prims_stay_in_their_range_or_wrap() {
    let mut random = Random::new(7);
    for round in 0..200_000 {
        let dtype = INTEGERS[round % INTEGERS.len()];
        let prim = random.pick(&Prim::ALL);
        let arity = prim.arity();
        if prim.result(&vec![dtype; arity], dtype) != Some(dtype) || matches!(prim, Prim::Convert | Prim::Bitcast) {
            continue;
        }
        let ends: Vec<(i128, i128)> = (0..arity).map(|_| pick(&mut random, dtype)).collect();
        let Some((low, high)) = integer::exact(prim, dtype, &ends) else { continue };
        assert!(low <= high, "{prim:?} {dtype} {ends:?}");
        let (least, most) = integers(dtype);
        for _ in 0..4 {
            let args: Vec<Scalar> = ends.iter().map(|&ends| whole(dtype, inside(&mut random, ends))).collect();
            let result = value(eval::eval(prim, dtype, &args));
            let fits = least <= low && high <= most;
            assert!(!fits || (low..=high).contains(&result), "{prim:?} {dtype} {ends:?}: {args:?} gives {result}");
        }
    }
}

#[test]
fn the_ends_of_operations_of_bits_are_met() {
    let ends: [i128; 11] = [-17, -8, -5, -1, 0, 1, 2, 6, 9, 16, 21];
    let all: Vec<(i128, i128)> = ends.into_iter().flat_map(|low| ends.map(|high| (low, high))).collect();
    let ranges: Vec<(i128, i128)> = all.into_iter().filter(|(low, high)| low <= high).collect();
    let op = |prim: Prim, x: i128, y: i128| match prim {
        Prim::And => x & y,
        Prim::Or => x | y,
        _ => x ^ y,
    };
    for &a in &ranges {
        for (&b, prim) in ranges.iter().flat_map(|b| [Prim::And, Prim::Or, Prim::Xor].map(|prim| (b, prim))) {
            let (mut least, mut most) = (i128::MAX, i128::MIN);
            for x in a.0..=a.1 {
                for y in b.0..=b.1 {
                    (least, most) = (least.min(op(prim, x, y)), most.max(op(prim, x, y)));
                }
            }
            assert_eq!(integer::exact(prim, DType::I64, &[a, b]), Some((least, most)), "{prim:?} {a:?} {b:?}");
        }
    }
    let most = i128::from(u64::MAX);
    assert_eq!(integer::exact(Prim::Or, DType::U64, &[(0, most), (1, most - 1)]), Some((1, most)));
    let least = i128::from(i64::MIN);
    assert_eq!(integer::exact(Prim::And, DType::I64, &[(least, 5), (least, -1)]), Some((least, 5)));
}

#[test]
fn what_cannot_wrap_is_exact_and_what_must_wrap_does() {
    let mut random = Random::new(8);
    for round in 0..100_000 {
        let dtype = INTEGERS[1 + round % 8];
        let prim = random.pick(&[Prim::Add, Prim::Sub, Prim::Mul]);
        let (a, b) = (pick(&mut random, dtype), pick(&mut random, dtype));
        let (low, high) = integer::exact(prim, dtype, &[a, b]).unwrap();
        let (least, most) = integers(dtype);
        let (x, y) = (inside(&mut random, a), inside(&mut random, b));
        let exact = match prim {
            Prim::Add => x + y,
            Prim::Sub => x - y,
            _ => x.saturating_mul(y),
        };
        assert!((low..=high).contains(&exact));
        let wrapped = value(eval::eval(prim, dtype, &[whole(dtype, x), whole(dtype, y)])) != exact;
        if low >= least && high <= most {
            assert!(!wrapped);
        }
        if low > most || high < least {
            assert!(wrapped);
        }
    }
}

#[test]
fn float_prims_stay_in_their_range() {
    let mut random = Random::new(9);
    for round in 0..300_000 {
        let dtype = if round % 2 == 0 { DType::F32 } else { DType::F64 };
        let prim = random.pick(&Prim::ALL);
        let arity = prim.arity();
        let test = prim.result(&vec![dtype; arity], dtype) == Some(dtype);
        if !test || matches!(prim, Prim::Convert | Prim::Bitcast) {
            continue;
        }
        let draw = |random: &mut Random| -> f64 {
            let small = (random.below(2001) as f64 - 1000.0) / [1.0, 8.0, 10.0][random.below(3)];
            let all = [small, small * 1e30, 0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, 1.0, largest_finite(dtype)];
            let value = all[random.below(12).min(all.len() - 1).min(random.below(8))];
            if dtype == DType::F32 { f64::from(value as f32) } else { value }
        };
        let mut args = Vec::new();
        let mut scalars = Vec::new();
        for _ in 0..arity {
            let (a, b) = (draw(&mut random), draw(&mut random));
            let (low, high) = (a.min(b), a.max(b));
            let whole_only = low.trunc() == low && high.trunc() == high && random.below(2) == 0;
            let inner = low + (high - low) * (random.below(5) as f64 / 4.0);
            let inner = if whole_only { inner.round() } else { inner };
            let inner = if inner.is_nan() { low } else { inner.clamp(low, high) };
            let inner = if dtype == DType::F32 { f64::from(inner as f32) } else { inner };
            // Zero has two signs.
            let inner =
                if low <= 0.0 && high >= 0.0 && random.below(6) == 0 { random.pick(&[0.0, -0.0]) } else { inner };
            args.push(Floats { low, high, nan: false, whole: whole_only });
            scalars.push(match dtype {
                DType::F32 => Scalar::of(inner as f32),
                _ => Scalar::of(inner),
            });
        }
        let found = float::result(prim, dtype, &args).unwrap_or(Floats::ALL);
        let result = eval::eval(prim, dtype, &scalars);
        let wide = f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[result]).bits as u64);
        let sound = match wide.is_nan() {
            true => found.nan,
            false => {
                found.low <= wide && wide <= found.high && (!found.whole || wide.is_infinite() || wide == wide.trunc())
            }
        };
        assert!(sound, "{prim:?} {dtype} of {args:?}: {scalars:?} gives {wide}, outside of {found:?}");
    }
}

#[test]
fn functions_of_floats_go_no_further_than_their_ends() {
    use std::f64::consts::PI;
    // A prim, the ends of its operands, and those of what it gives.
    type FunctionEnds = (Prim, &'static [(f64, f64)], (f64, f64));
    let of = |prim: Prim, args: &[(f64, f64)]| {
        let args: Vec<Floats> =
            args.iter().map(|&(low, high)| Floats { low, high, nan: false, whole: low == high }).collect();
        float::result(prim, DType::F64, &args)
    };
    let cases: [FunctionEnds; 18] = [
        (Prim::Pow, &[(0.0, 10.0), (2.5, 2.5)], (0.0, 10f64.powf(2.5))),
        (Prim::Pow, &[(2.0, 3.0), (-1.0, 2.0)], (1.0 / 3.0, 9.0)),
        (Prim::Pow, &[(-2.0, 3.0), (3.0, 3.0)], (-8.0, 27.0)),
        (Prim::Pow, &[(-2.0, 1.0), (2.0, 2.0)], (0.0, 4.0)),
        (Prim::Pow, &[(-2.0, -1.0), (-1.0, -1.0)], (-1.0, -0.5)),
        (Prim::Hypot, &[(-3.0, 2.0), (1.0, 4.0)], (1.0, 5.0)),
        (Prim::Atan2, &[(0.0, 1.0), (1.0, 2.0)], (0.0, PI / 2.0)),
        (Prim::Atan2, &[(1.0, 2.0), (-1.0, 2.0)], (0.0, PI)),
        (Prim::Atan2, &[(0.0, 1.0), (0.0, 1.0)], (-PI, PI)),
        (Prim::Acos, &[(-1.0, 1.0)], (0.0, PI)),
        (Prim::Cbrt, &[(-8.0, 27.0)], (-2.0, 3.0)),
        (Prim::Log1p, &[(0.0, 1.0)], (0.0, 2f64.ln())),
        (Prim::Cosh, &[(-1.0, 2.0)], (1.0, 2f64.cosh())),
        (Prim::FloorDiv, &[(0.0, 10.0), (7.0, 7.0)], (0.0, 1.0)),
        (Prim::FloorDiv, &[(-3.0, 4.0), (0.75, 0.75)], (-4.0, 5.0)),
        (Prim::FloorDiv, &[(-1e-300, 1.0), (1e300, 1e300)], (-1.0, 0.0)),
        (Prim::Fmod, &[(-2.0, 10.0), (-3.5, 3.5)], (-2.0, 3.5)),
        (Prim::Rem, &[(-100.0, 100.0), (7.0, 7.0)], (0.0, 7.0)),
    ];
    for (prim, args, (low, high)) in cases {
        let found = of(prim, args).expect("there is a rule");
        let near = |one: f64, other: f64| (one - other).abs() <= 1e-12 * (1.0 + other.abs());
        assert!(near(found.low, low) && near(found.high, high), "{prim:?} {args:?}: {found:?}");
        assert_eq!(found.nan, prim == Prim::Fmod, "{prim:?} {args:?}: {found:?}");
    }
    assert_eq!(of(Prim::Pow, &[(0.0, 1.0), (-1.0, 2.0)]), None, "0 and -0 have other powers");
    assert_eq!(of(Prim::Tan, &[(0.0, 3.0)]), None);
    assert_eq!(of(Prim::Lgamma, &[(1.0, 3.0)]), None);
}

fn bound(b: &mut ProgramBuilder, name: &str, dtype: DType, low: i128, high: i128, ranges: &mut Ranges) -> NodeId {
    let node = b.input(name, Span::default(), dtype, vec![Dim::name("n")]);
    ranges.declare(node, Range::stated(Interval::Integer { low, high }));
    node
}

#[test]
fn declared_ranges_go_through_casts_arithmetic_and_selections() {
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let x = bound(&mut b, "x", DType::U16, 0, 4095, &mut ranges);
    let sum = b.map(Prim::Add, &[x, x]);
    assert_eq!(ranges.of(b.program(), sum).interval, Interval::Integer { low: 0, high: 8190 });
    let narrow = b.convert(sum, DType::I8);
    let exact = ranges.exact_range(b.program(), narrow).unwrap();
    assert_eq!((exact.interval, exact.is_stated()), (Interval::Integer { low: 0, high: 8190 }, true));
    assert!(!exact.interval.exists_in(DType::I8));
    let float = b.convert(x, DType::F32);
    assert!(!ranges.of(b.program(), float).interval.exists_in(DType::F16));
    assert!(ranges.of(b.program(), float).interval.exists_in(DType::U16));

    let hundred = b.constant(Scalar::of(100u16));
    let small = b.map(Prim::Lt, &[x, hundred]);
    let arm = b.map(Prim::Select, &[small, x, hundred]);
    assert_eq!(ranges.of(b.program(), arm).interval, Interval::Integer { low: 0, high: 100 });
    let doubled = b.map(Prim::Select, &[small, sum, hundred]);
    assert_eq!(ranges.of(b.program(), doubled).interval, Interval::Integer { low: 0, high: 198 });
}

#[test]
fn a_dtype_alone_states_nothing() {
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let x = b.input("x", Span::default(), DType::U8, vec![Dim::Const(3)]);
    let one = b.constant(Scalar::of(1u8));
    let sum = b.map(Prim::Add, &[x, one]);
    assert!(!ranges.exact_range(b.program(), sum).unwrap().high_stated);
    let mask = b.constant(Scalar::of(15u8));
    let low = b.map(Prim::And, &[x, mask]);
    let shifted = b.map(Prim::Add, &[low, mask]);
    let range = ranges.of(b.program(), shifted);
    assert_eq!((range.interval, range.is_stated()), (Interval::Integer { low: 15, high: 30 }, true));
    let wide = b.convert(x, DType::U32);
    let total = b.fold(Fold::Sum, wide, &[0]);
    assert_eq!(ranges.of(b.program(), total).interval, Interval::Integer { low: 0, high: 765 });
}

#[test]
fn products_have_the_range_of_their_factors() {
    let cases = [
        ((7, 127), 4, Some((2401, 260_144_641))),
        ((-3, 2), 3, Some((-27, 18))),
        ((0, 9), 0, Some((1, 1))),
        ((-1, 0), 5, Some((-1, 1))),
        ((0, 1), 1000, Some((0, 1))),
        ((0, 127), 40, None),
    ];
    for ((low, high), len, expected) in cases {
        let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
        let x = b.input("x", Span::default(), DType::I64, vec![Dim::Const(len)]);
        ranges.declare(x, Range::stated(Interval::Integer { low, high }));
        let product = b.fold(Fold::Prod, x, &[0]);
        let found = ranges.of(b.program(), product);
        let expected = expected.map(|(low, high)| Interval::Integer { low, high });
        assert_eq!(found.interval, expected.unwrap_or(Interval::of_dtype(DType::I64)), "{low} {high} {len}");
        assert_eq!(found.is_stated(), expected.is_some(), "{low} {high} {len}");
    }
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let x = b.input("x", Span::default(), DType::I64, vec![Dim::Const(3)]);
    ranges.declare(x, Range::stated(Interval::Integer { low: 2, high: 5 }));
    let running = b.scan(Fold::Prod, x, 0);
    assert_eq!(ranges.of(b.program(), running).interval, Interval::Integer { low: 2, high: 125 });
}

#[test]
fn conversions_stay_in_their_range() {
    let mut random = Random::new(10);
    for _ in 0..40_000 {
        let from = random.pick(&DType::ALL);
        let to = random.pick(&DType::ALL);
        if from.is_complex() || to.is_complex() {
            continue;
        }
        let scalar = random.scalar(from);
        let mut b = ProgramBuilder::default();
        b.fold_constants(false);
        let node = b.constant(scalar);
        let converted = b.convert(node, to);
        b.output(ProgramOutput { name: None, node: converted, span: Span::default(), weak: false });
        let mut ranges = Ranges::default();
        let range = ranges.of(b.program(), converted).interval;
        let result = run(&b.finish(), &Options { engine: Engine::Reference, ..Options::default() }).unwrap()[0].get(0);
        let inside = match (range, Interval::of_scalar(result)) {
            (Interval::Integer { low, high }, Interval::Integer { low: value, .. }) => (low..=high).contains(&value),
            (Interval::Float { low, high, .. }, Interval::Float { low: value, nan: false, .. }) => {
                low <= value && value <= high
            }
            (Interval::Float { nan, .. }, Interval::Float { nan: true, .. }) => nan,
            _ => false,
        };
        assert!(inside, "{scalar:?} to {to}: {result:?} outside of {range}");
        assert_eq!(to.kind() == Kind::Float, matches!(range, Interval::Float { .. }));
    }
}

/// Programs of related values, `a + minimum(b, 255 - a)` and the like, built at random and run: every element lies in
/// the range of its node, in eight bits where intervals alone know little.
#[test]
fn what_operands_have_to_do_with_each_other_is_sound() {
    use Prim::{Add, And, FloorDiv, Lt, Max, Min, Mul, Or, Rem, Select, Shl, Shr, Sub, Xor};
    const PRIMS: [Prim; 15] = [Add, Sub, Sub, Sub, Min, Max, Mul, And, Or, Xor, Rem, FloorDiv, Shr, Shl, Select];
    let mut random = Random::new(11);
    let mut sharper = 0;
    for round in 0..900 {
        let dtype = [DType::U8, DType::I8, DType::U16][round % 3];
        let (rows, columns) = (3, 4);
        let shape = vec![Dim::Const(rows), Dim::Const(columns)];
        let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
        let mut nodes = Vec::new();
        for name in ["a", "b"] {
            let node = b.input(name, Span::default(), dtype, shape.clone());
            let scalars: Vec<Scalar> = (0..rows * columns).map(|_| random.scalar(dtype)).collect();
            b.bind(node, crate::array::Array::from_scalars(dtype, &[rows as usize, columns as usize], scalars));
            nodes.push(node);
        }
        let (_, most) = integers(dtype);
        for constant in [1, 3, most] {
            nodes.push(b.constant(whole(dtype, constant)));
        }
        for _ in 0..14 {
            let mut one = || {
                nodes[if random.below(3) == 0 {
                    random.below(nodes.len())
                } else {
                    nodes.len() - 1 - random.below(nodes.len().min(5))
                }]
            };
            let (x, y, z) = (one(), one(), one());
            let node = match random.below(18) {
                0 if !b.shape(x).is_empty() => {
                    let fold = random.pick(&[Fold::Min, Fold::Max]);
                    let axes: &[usize] =
                        if b.shape(x).len() == 1 { &[0] } else { [&[0][..], &[1], &[0, 1]][random.below(3)] };
                    b.fold_keeping_if(fold, x, axes, random.below(2) == 0)
                }
                1 if !b.shape(x).is_empty() => b.scan(random.pick(&[Fold::Min, Fold::Max]), x, 0),
                _ => match random.pick(&PRIMS) {
                    Select => {
                        let condition = if fits(&b, &[x, y]) { b.map(Lt, &[x, y]) } else { continue };
                        let (yes, no) = if fits(&b, &[condition, x, y]) {
                            (b.map(Sub, &[x, y]), b.map(Sub, &[y, x]))
                        } else {
                            continue;
                        };
                        if fits(&b, &[condition, yes, z]) && random.below(2) == 0 {
                            b.map(Select, &[condition, yes, z])
                        } else {
                            b.map(Select, &[condition, yes, no])
                        }
                    }
                    prim if fits(&b, &[x, y]) => b.map(prim, &[x, y]),
                    _ => continue,
                },
            };
            nodes.push(node);
        }
        for &node in &nodes {
            b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false });
        }
        let found: Vec<Interval> = nodes.iter().map(|&node| ranges.of(b.program(), node).interval).collect();
        for &node in &nodes {
            let exact = ranges.exact_range(b.program(), node);
            sharper += usize::from(exact.is_some_and(|exact| exact.interval.exists_in(dtype)));
        }
        let text = format!("{:#?}", b.program().nodes);
        let arrays = run(&b.finish(), &Options { engine: Engine::Reference, ..Options::default() }).expect("it runs");
        for ((array, found), node) in arrays.iter().zip(found).zip(&nodes) {
            let Interval::Integer { low, high } = found else { panic!("integers") };
            for scalar in array.scalars() {
                assert!(
                    (low..=high).contains(&value(scalar)),
                    "{node:?}: {} outside of {found}\n{text}",
                    value(scalar)
                );
            }
        }
    }
    assert!(sharper > 700, "{sharper} of the sums are known not to wrap");
}

fn fits(b: &ProgramBuilder, nodes: &[NodeId]) -> bool {
    let mut shape = Vec::new();
    nodes.iter().all(|&node| match crate::types::shape::broadcast(&shape, b.shape(node)) {
        Ok(joined) => {
            shape = joined;
            true
        }
        Err(_) => false,
    })
}
