//! Reductions, scans and construction against models of a few lines, on awkward values, through every engine.
//!
//! The values are such that sums and products are exact in any order; what is averaged may differ by rounding.

use crate::agree::{self, data};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::scalar::Scalar;
use arrlang::scalar::eval;
use arrlang::scalar::prim::Prim;
use arrlang::types::DType;
use data::Random;

const VALUES: [f64; 14] =
    [0.0, -0.0, 1.0, -1.0, 2.0, -2.0, 0.5, 0.25, -0.5, 4.0, 1.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY];

fn plain(x: &[f64]) -> Vec<f64> {
    x.iter().copied().filter(|x| !x.is_nan()).collect()
}

fn sum(x: &[f64]) -> f64 {
    x.iter().sum()
}

fn mean(x: &[f64]) -> f64 {
    sum(x) / x.len() as f64
}

/// The extreme in the total order of IEEE 754, or NaN if there is one.
fn extreme(x: &[f64], sign: f64) -> f64 {
    if x.is_empty() || x.iter().any(|x| x.is_nan()) {
        return f64::NAN;
    }
    sign * x.iter().map(|x| sign * x).max_by(f64::total_cmp).expect("not empty")
}

/// The first NaN, else the first extreme.
fn place(x: &[f64], sign: f64) -> f64 {
    let found = x.iter().position(|x| x.is_nan()).unwrap_or_else(|| {
        (0..x.len()).reduce(|best, at| if sign * x[at] > sign * x[best] { at } else { best }).expect("not empty")
    });
    found as f64
}

fn variance(x: &[f64], ddof: f64) -> f64 {
    let mean = mean(x);
    x.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / (x.len() as f64 - ddof)
}

type Model = fn(&[f64]) -> f64;

/// Reductions with their models; those that round come with `true`.
const MODELS: &[(&str, Model, bool)] = &[
    ("sum(x)", sum, false),
    ("prod(x)", |x| x.iter().product(), false),
    ("mean(x)", mean, true),
    ("var(x)", |x| variance(x, 0.0), true),
    ("std(x)", |x| variance(x, 0.0).sqrt(), true),
    ("var(x, ddof=0.5)", |x| variance(x, 0.5), true),
    ("norm(x)", |x| x.iter().map(|x| x * x).sum::<f64>().sqrt(), true),
    ("min(x)", |x| extreme(x, -1.0), false),
    ("max(x)", |x| extreme(x, 1.0), false),
    ("argmin(x)", |x| place(x, -1.0), false),
    ("argmax(x)", |x| place(x, 1.0), false),
    ("any(x)", |x| f64::from(u8::from(x.iter().any(|&x| x != 0.0))), false),
    ("all(x)", |x| f64::from(u8::from(x.iter().all(|&x| x != 0.0))), false),
    ("count_nonzero(x)", |x| x.iter().filter(|&&x| x != 0.0).count() as f64, false),
    ("nansum(x)", |x| sum(&plain(x)), false),
    ("nanmean(x)", |x| mean(&plain(x)), true),
    ("nanmin(x)", |x| extreme(&plain(x), -1.0), false),
    ("nanmax(x)", |x| extreme(&plain(x), 1.0), false),
    ("dot(x, x)", |x| x.iter().map(|x| x * x).sum(), false),
];

/// Scans: each element is the model of the elements up to it.
const SCANS: &[(&str, Model, bool)] = &[
    ("cumsum(x)", sum, false),
    ("cumprod(x)", |x| x.iter().product(), false),
    ("cummax(x)", |x| extreme(x, 1.0), false),
    ("cummin(x)", |x| extreme(x, -1.0), false),
];

fn wide(x: Scalar) -> f64 {
    f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[x]).bits as u64)
}

fn narrow(value: f64, dtype: DType) -> Scalar {
    eval::eval(Prim::Convert, dtype, &[Scalar::of(value)])
}

/// Asserts that every engine gives these numbers; those of averages may be a few roundings away.
fn gives(text: &str, x: &Array, wanted: &[f64], rounds: bool) {
    let program = agree::program(text, &[("x".to_owned(), x.clone())], &Settings::default());
    let program = program.unwrap_or_else(|| panic!("{text} of {} is refused", x.dtype()));
    for engine in [Engine::Reference, Engine::Blocks, Engine::Jit] {
        let found = agree::run(&program, engine, agree::Verify::Yes).expect("it runs").remove(0);
        assert_eq!(found.len(), wanted.len(), "{text}");
        let tolerance = if x.dtype() == DType::F64 { 1e-13 } else { 1e-5 };
        for (at, &wanted) in wanted.iter().enumerate() {
            let ours = wide(found.get(at));
            let near = rounds && (ours - wanted).abs() <= tolerance * wanted.abs().max(1.0);
            let zeros = wanted == 0.0 && ours == 0.0 && !text.contains("min(") && !text.contains("max(");
            let same = ours.to_bits() == wanted.to_bits() || ours.is_nan() && wanted.is_nan();
            assert!(near || zeros || same, "{engine:?} {text} at {at}: {ours}, not {wanted}, of {x:?}");
        }
    }
}

/// The rows of a matrix along an axis.
fn rows(values: &[f64], shape: [usize; 2], axis: usize) -> Vec<Vec<f64>> {
    let [height, width] = shape;
    match axis {
        0 => (0..width).map(|column| (0..height).map(|row| values[row * width + column]).collect()).collect(),
        _ => values.chunks(width).map(<[f64]>::to_vec).collect(),
    }
}

#[test]
fn reductions_are_what_their_models_say() {
    let mut random = Random::new(31);
    for case in 0..24 {
        let shape = [1 + random.below(5), 1 + random.below(6)];
        // Without NaN and infinities every second time, and now and then nothing but NaN.
        let choice = match case % 8 {
            7 => &VALUES[11..12],
            case if case % 2 == 0 => &VALUES[..11],
            _ => &VALUES[..],
        };
        let values: Vec<f64> = (0..shape[0] * shape[1]).map(|_| choice[random.below(choice.len())]).collect();
        for dtype in [DType::F64, DType::F32] {
            let x = Array::from_scalars(dtype, &shape, values.iter().map(|&value| narrow(value, dtype)));
            let flat = Array::from_scalars(dtype, &[values.len()], values.iter().map(|&value| narrow(value, dtype)));
            for &(text, model, rounds) in MODELS {
                gives(text, &flat, &[model(&values)], rounds);
                for axis in [0, 1] {
                    let wanted: Vec<f64> = rows(&values, shape, axis).iter().map(|row| model(row)).collect();
                    if !text.starts_with("dot") {
                        gives(&text.replacen(')', &format!(", axis={axis})"), 1), &x, &wanted, rounds);
                    }
                }
            }
            for &(text, model, rounds) in SCANS {
                let along = |row: &[f64]| (1..=row.len()).map(|end| model(&row[..end])).collect::<Vec<f64>>();
                gives(text, &x, &along(&values), rounds);
                let wanted: Vec<f64> = rows(&values, shape, 1).iter().flat_map(|row| along(row)).collect();
                gives(&text.replacen(')', ", axis=-1)", 1), &x, &wanted, rounds);
                let columns: Vec<Vec<f64>> = rows(&values, shape, 0).iter().map(|row| along(row)).collect();
                let wanted: Vec<f64> = (0..shape[0]).flat_map(|at| columns.iter().map(move |row| row[at])).collect();
                gives(&text.replacen(')', ", axis=0)", 1), &x, &wanted, rounds);
            }
        }
    }
}

/// Sums of integers are exact and so are their means, also where the mean is a narrow float.
#[test]
fn means_of_integers_do_not_lose_in_the_sum() {
    let len = 100_000;
    for (dtype, value) in [(DType::U8, 255.0), (DType::I16, -32768.0), (DType::I32, 16_777_217.0)] {
        let x = Array::from_scalars(dtype, &[len], (0..len).map(|_| narrow(value, dtype)));
        gives("f64(mean(x))", &x, &[f64::from(value as f32)], false);
        gives("var(x)", &x, &[0.0], false);
    }
}

/// NumPy's formula, step by step.
fn spaced(start: f64, stop: f64, num: usize, endpoint: bool) -> Vec<f64> {
    let div = if endpoint { num as f64 - 1.0 } else { num as f64 };
    let (delta, step) = (stop - start, (stop - start) / div);
    let element = |i: usize| match i {
        i if endpoint && num > 1 && i == num - 1 => stop,
        i if div > 0.0 && step == 0.0 => i as f64 / div * delta + start,
        i if div > 0.0 => i as f64 * step + start,
        i => i as f64 * delta + start,
    };
    (0..num).map(element).collect()
}

#[test]
fn equal_distances_are_those_of_the_formula() {
    let mut random = Random::new(32);
    let ends = [0.0, 1.0, -3.5, 1e300, 0.1, 5e-324, 1e-310, 7.0, -0.0, 1.0 / 3.0];
    let nothing = Array::from_scalars(DType::F64, &[0], []);
    for _ in 0..60 {
        let (start, stop) = (ends[random.below(ends.len())], ends[random.below(ends.len())]);
        let (num, endpoint) = (random.below(70), random.below(2) == 0);
        let text = format!("linspace({start:e}, {stop:e}, {num}, endpoint={endpoint})");
        let wanted = spaced(start, stop, num, endpoint);
        gives(&format!("{text} + 0*sum(x)"), &nothing, &wanted, false);
    }
}

/// One value everywhere takes no memory of its own: far more of it than there is can be summed.
#[test]
fn one_number_everywhere_is_stored_once() {
    let x = Array::from_scalars(DType::F64, &[], [Scalar::of(1.0)]);
    let size = "(64, 1048576)";
    for text in ["sum(ones(SIZE))", "sum(full(SIZE, x))", "sum(zeros(SIZE) + 1)", "argmax(eye(8192)) + sum(ones(SIZE))"]
    {
        let text = text.replace("SIZE", size);
        let program = agree::program(&text, &[("x".to_owned(), x.clone())], &Settings::default()).expect("a program");
        // The limit of these runs is 256 MiB, half of what the array would take.
        let found = agree::run(&program, Engine::Jit, agree::Verify::No).expect("it fits").remove(0);
        assert_eq!(wide(found.get(0)), 67_108_864.0, "{text}");
    }
}
