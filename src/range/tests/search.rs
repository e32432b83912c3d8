//! Random programs of inputs with ranges, whose every node is computed: each element lies in the range of its node.
//!
//! `ARR_RANGE_PROGRAMS` sets how many, `ARR_RANGE_SEED` where they begin. What is not a number for some values (roots
//! and logarithms of negative numbers, `0/0`) is drawn in every position, and so are comparisons that selections take
//! apart.

use super::whole;
use crate::array::Array;
use crate::exec::tests::Random;
use crate::exec::{Engine, Options, run};
use crate::ir::build::ProgramBuilder;
use crate::ir::{Fold, NodeId, ProgramOutput};
use crate::range::nodes::Ranges;
use crate::range::{Interval, Range, integers};
use crate::scalar::prim::Prim;
use crate::scalar::{Scalar, eval};
use crate::source::Span;
use crate::types::{DType, Dim, Kind};

const COUNT: usize = 16;

const DTYPES: [DType; 12] = [
    DType::F64,
    DType::F64,
    DType::F32,
    DType::F16,
    DType::Bf16,
    DType::I32,
    DType::I64,
    DType::U8,
    DType::U16,
    DType::I8,
    DType::U64,
    DType::Bool,
];

const ENDS: [f64; 13] = [0.0, 1.0, -1.0, 0.5, -0.25, 2.0, 3.0, 100.0, -1000.0, 4095.0, 1e6, -1e9, 3.1];

const OUTSIDE: [f64; 3] = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

const MAKE_NAN: [Prim; 6] = [Prim::Sqrt, Prim::Log, Prim::Acosh, Prim::Asin, Prim::Log1p, Prim::Lgamma];

fn float(scalar: Scalar) -> f64 {
    f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[scalar]).bits as u64)
}

/// An input, half of them with a range that its data keeps to.
fn input(random: &mut Random, b: &mut ProgramBuilder, ranges: &mut Ranges, index: usize) -> NodeId {
    let dtype = random.pick(&DTYPES);
    let shape = if random.below(4) == 0 { vec![] } else { vec![COUNT] };
    let dims = shape.iter().map(|&len| Dim::Const(len as u64)).collect();
    let node = b.input(&format!("x{index}"), Span::default(), dtype, dims);
    let most = if dtype == DType::F16 { 6e4 } else { f64::INFINITY };
    let (first, second) = (random.pick(&ENDS).clamp(-most, most), random.pick(&ENDS).clamp(-most, most));
    let (low, high) = (first.min(second), first.max(second));
    let ranged = random.below(2) == 0;
    let elements: Vec<Scalar> = match dtype.kind() {
        Kind::Float if ranged => {
            // The ends as the dtype rounds them.
            let [low, high] = [low, high].map(|end| float(eval::eval(Prim::Convert, dtype, &[Scalar::of(end)])));
            let whole = low == low.trunc() && high == high.trunc() && random.below(2) == 0;
            ranges.declare(node, Range::stated(Interval::Float { low, high, nan: false, whole }));
            let mut one = |at: usize| {
                let value = low + (high - low) * ([0.0, 1.0, 0.5][at % 3] + random.below(64) as f64 / 640.0);
                let value = if whole { value.trunc() } else { value };
                float(eval::eval(Prim::Convert, dtype, &[Scalar::of(value.clamp(low, high))])).clamp(low, high)
            };
            let values: Vec<f64> = (0..COUNT).map(&mut one).collect();
            values.iter().map(|&value| eval::eval(Prim::Convert, dtype, &[Scalar::of(value)])).collect()
        }
        Kind::Unsigned | Kind::Signed if ranged => {
            let (least, most) = integers(dtype);
            let (low, high) = ((low as i128).clamp(least, most), (high as i128).clamp(least, most));
            ranges.declare(node, Range::stated(Interval::Integer { low, high }));
            (0..COUNT)
                .map(|at| {
                    let inner = low + i128::from(random.next()) % (high - low + 1);
                    whole(dtype, [low, high, inner, inner][at % 4])
                })
                .collect()
        }
        _ => (0..COUNT).map(|_| random.scalar(dtype)).collect(),
    };
    let count = shape.iter().product::<usize>();
    b.bind(node, Array::from_scalars(dtype, &shape, elements.into_iter().take(count).collect::<Vec<_>>()));
    node
}

/// A condition: a comparison, or some of them joined.
fn condition(random: &mut Random, b: &mut ProgramBuilder, nodes: &[NodeId], depth: usize) -> NodeId {
    if depth > 0 && random.below(3) == 0 {
        let prim = random.pick(&[Prim::And, Prim::Or, Prim::Not]);
        let args: Vec<NodeId> = (0..prim.arity()).map(|_| condition(random, b, nodes, depth - 1)).collect();
        return b.map(prim, &args);
    }
    let x = operand(random, b, nodes);
    let y = like(random, b, nodes, x);
    let prim = random.pick(&[Prim::Lt, Prim::Le, Prim::Lt, Prim::Le, Prim::Eq, Prim::Ne]);
    if random.below(2) == 0 { b.map(prim, &[x, y]) } else { b.map(prim, &[y, x]) }
}

/// A node, often the last, or a function of one that is not a number for some values.
fn operand(random: &mut Random, b: &mut ProgramBuilder, nodes: &[NodeId]) -> NodeId {
    let node = if random.below(3) == 0 { nodes[nodes.len() - 1] } else { random.pick(nodes) };
    let dtype = b.dtype(node);
    if !dtype.is_float() || dtype.is_small_float() || random.below(4) > 0 {
        return node;
    }
    match random.below(3) {
        0 => b.map(Prim::Div, &[node, node]),
        _ => {
            let prim = random.pick(&MAKE_NAN);
            b.map(prim, &[node])
        }
    }
}

/// An operand of the same dtype as another: a node, a constant, or what is converted to it.
fn like(random: &mut Random, b: &mut ProgramBuilder, nodes: &[NodeId], x: NodeId) -> NodeId {
    let dtype = b.dtype(x);
    match random.below(4) {
        0 => {
            let end = if random.below(4) == 0 { random.pick(&OUTSIDE) } else { random.pick(&ENDS) };
            b.constant(eval::eval(Prim::Convert, dtype, &[Scalar::of(end)]))
        }
        1 => {
            let other = operand(random, b, nodes);
            b.convert(other, dtype)
        }
        _ => {
            let known: Vec<NodeId> = nodes.iter().copied().filter(|&node| b.dtype(node) == dtype).collect();
            let known = if known.is_empty() { x } else { random.pick(&known) };
            if b.dtype(known) == dtype { known } else { x }
        }
    }
}

fn step(random: &mut Random, b: &mut ProgramBuilder, nodes: &[NodeId]) -> NodeId {
    let x = operand(random, b, nodes);
    match random.below(10) {
        0 | 1 => {
            let target = random.pick(&DTYPES);
            b.convert(x, target)
        }
        2..=4 => {
            let condition = condition(random, b, nodes, 2);
            let other = like(random, b, nodes, x);
            if random.below(2) == 0 {
                b.map(Prim::Select, &[condition, x, other])
            } else {
                b.map(Prim::Select, &[condition, other, x])
            }
        }
        5 if !b.shape(x).is_empty() && b.dtype(x) != DType::Bool && !b.dtype(x).is_small_float() => {
            let fold = random.pick(&[Fold::Sum, Fold::Prod, Fold::Min, Fold::Max]);
            if random.below(2) == 0 { b.fold_keeping(fold, x, &[0]) } else { b.scan(fold, x, 0) }
        }
        6 if b.dtype(x).is_integer() && random.below(2) == 0 => weighted(random, b, x),
        _ => {
            let prim = random.pick(&Prim::ALL);
            let dtype = b.dtype(x);
            let halves = dtype.is_small_float();
            let whole = matches!(prim, Prim::Convert | Prim::Bitcast | Prim::Select | Prim::Pair | Prim::Copysign);
            let fits = prim.result(&vec![dtype; prim.arity()], DType::Bool).is_some();
            if whole || !fits || halves {
                return x;
            }
            let args: Vec<NodeId> =
                (0..prim.arity()).map(|at| if at == 0 { x } else { like(random, b, nodes, x) }).collect();
            b.map(prim, &args)
        }
    }
}

/// Integers with weights along an axis, half of them added up.
fn weighted(random: &mut Random, b: &mut ProgramBuilder, x: NodeId) -> NodeId {
    let dtype = b.dtype(x);
    let places = b.iota(0, vec![Dim::Const(COUNT as u64)]);
    let places = b.convert(places, dtype);
    let weights = if random.below(2) == 0 {
        let one = b.constant(whole(dtype, 1));
        b.map(Prim::Shl, &[one, places])
    } else {
        places
    };
    let prim = random.pick(&[Prim::Mul, Prim::Shl, Prim::Sub]);
    let terms = b.map(prim, &[x, weights]);
    if random.below(2) == 0 { b.fold_keeping(Fold::Sum, terms, &[0]) } else { terms }
}

/// Whether a value lies in an interval.
fn inside(interval: Interval, value: Scalar) -> bool {
    match (interval, value.dtype.kind()) {
        (Interval::Float { low, high, nan, whole }, Kind::Float) => {
            let value = float(value);
            match value.is_nan() {
                true => nan,
                false => low <= value && value <= high && (!whole || value.is_infinite() || value == value.trunc()),
            }
        }
        (Interval::Integer { low, high }, _) => match Interval::of_scalar(value) {
            Interval::Integer { low: value, .. } => (low..=high).contains(&value),
            _ => false,
        },
        _ => true,
    }
}

/// The first value outside of the range of its node, in words.
fn escape(seed: u64) -> Option<String> {
    let mut random = Random::new(seed);
    let (mut b, mut ranges) = (ProgramBuilder::default(), Ranges::default());
    let mut nodes: Vec<NodeId> = (0..3).map(|index| input(&mut random, &mut b, &mut ranges, index)).collect();
    for _ in 0..3 + random.below(8) {
        let node = step(&mut random, &mut b, &nodes);
        nodes.push(node);
    }
    let all: Vec<NodeId> = (0..b.program().nodes.len() as u32).map(NodeId).collect();
    let known: Vec<Interval> = all.iter().map(|&node| ranges.of(b.program(), node).interval).collect();
    all.iter().for_each(|&node| b.output(ProgramOutput { name: None, node, span: Span::default(), weak: false }));
    let program = b.finish();
    let arrays = run(&program, &Options { engine: Engine::Reference, ..Options::default() }).expect("it runs");
    all.iter().zip(known).zip(arrays).find_map(|((node, interval), array)| {
        let outside = (0..array.len()).map(|at| array.get(at)).find(|&value| !inside(interval, value))?;
        Some(format!(
            "seed {seed}: {outside:?} of %{} is outside of {interval:?} in\n{}",
            node.0,
            crate::ir::print::program(&program)
        ))
    })
}

#[test]
fn every_value_of_a_random_program_lies_in_its_range() {
    let setting = |name: &str, default| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default);
    let (count, first): (u64, u64) = (setting("ARR_RANGE_PROGRAMS", 20_000), setting("ARR_RANGE_SEED", 1));
    let escapes: Vec<String> = (first..first + count).filter_map(escape).take(3).collect();
    assert!(escapes.is_empty(), "{}", escapes.join("\n\n"));
}
