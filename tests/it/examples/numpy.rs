//! Twenty programs against NumPy: the values that the programs of `tests/numpy/examples` left in `tests/examples`.
//!
//! All engines give the same bits. Booleans and integers are NumPy's exactly. A float may be some steps away, a step
//! being the distance to the next value of its dtype. Sums are added in another order. Elementary functions are within
//! one step of the exact value here, and a few in NumPy. Where values nearly cancel, the steps are those of what they
//! came from.

use crate::lab;
use arrlang::array::Array;
use arrlang::exec::{Engine, Options};
use arrlang::io::{self, ReadOptions};
use arrlang::scalar::Scalar;
use arrlang::session::{Input, Session, ShownValue};
use arrlang::types::DType;
use std::path::Path;

/// How far the floats of an example may be from NumPy's.
struct Rule {
    example: &'static str,
    /// How many steps.
    steps: f64,
    /// The least magnitude that a step is counted at.
    of: f64,
}

const fn rule(example: &'static str, steps: f64, of: f64) -> Rule {
    Rule { example, steps, of }
}

const RULES: [Rule; 20] = [
    // Means of 150 values of f32, and what is left of values without them.
    rule("zscore", 5.0, 1.0),
    // Differences of two values below the spot price.
    rule("black_scholes", 2.0, 100.0),
    // NumPy's `exp` of f32 is within 3 steps.
    rule("softmax", 5.0, 0.0),
    // The power is rounded to eight bits.
    rule("gamma_blend", 0.0, 0.0),
    rule("yuv", 0.0, 0.0),
    // Differences of running sums, which grow to 15,000, divided by 11.
    rule("moving_average", 4.0, 1400.0),
    // The same operations in the same order.
    rule("horner", 0.0, 0.0),
    rule("haversine", 3.0, 0.0),
    // Sums of 24 products of both signs.
    rule("quantise", 3.0, 1.0),
    // Rounded to bf16.
    rule("layer_norm", 0.0, 0.0),
    // Counts.
    rule("mandelbrot", 0.0, 0.0),
    rule("life", 0.0, 0.0),
    // The same operations in the same order.
    rule("filters", 0.0, 0.0),
    // Sums of the flowers of a group.
    rule("kmeans", 8.0, 0.0),
    // The sum of all elements.
    rule("heat", 8.0, 0.0),
    // Sums of five pulls in each of 7304 halves of steps, of lengths up to 30.
    rule("nbody", 600.0, 8.0),
    // Products of matrices in 500 steps.
    rule("logistic", 40.0, 0.0),
    // The means of three prices.
    rule("prices", 2.0, 1.0),
    // The mean of eight numbers.
    rule("distribution", 2.0, 0.0),
    // Sums of whole numbers are exact; `hypot` is within one step.
    rule("edges", 2.0, 0.0),
];

#[test]
fn twenty_programs_give_the_values_of_numpy() {
    let failures: Vec<String> = RULES.iter().flat_map(wrong).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// What is wrong with an example's values.
fn wrong(rule: &Rule) -> Vec<String> {
    let script = lab::root(&format!("examples/{}.arr", rule.example));
    let meaning = values(&script, Engine::Reference);
    let mut found = Vec::new();
    for engine in [Engine::Jit, Engine::Blocks] {
        for (value, meaning) in values(&script, engine).iter().zip(&meaning) {
            if value.array != meaning.array {
                found.push(format!("{}: {engine:?} gives {:?} for {}", rule.example, value.array, meaning.text));
            }
        }
    }
    found.extend(meaning.iter().filter_map(|value| differs(rule, value)));
    found
}

/// The outputs of a script, run one way.
fn values(script: &Path, engine: Engine) -> Vec<ShownValue> {
    let text = super::text(script);
    let reply = Session::default().evaluate(&Input {
        folder: script.parent(),
        options: Options { engine, ..Options::default() },
        ..Input::new("example.arr", &text)
    });
    assert!(reply.diagnostics.is_empty(), "{}: {:?}", script.display(), lab::messages(&reply.diagnostics));
    reply.values
}

/// How a value differs from the one that NumPy computed.
fn differs(rule: &Rule, value: &ShownValue) -> Option<String> {
    let name = value.name.as_ref().expect("an output has a name");
    let path = lab::root(&format!("tests/examples/{}.npz:{name}", rule.example));
    let dtype = Some(value.array.dtype());
    let wanted = match io::read(&path, &ReadOptions { dtype, ..ReadOptions::default() }) {
        Ok((wanted, _)) => wanted,
        Err(error) => return Some(format!("{} {name}: {error:?}", rule.example)),
    };
    let of = |array: &Array| format!("{}{:?}", array.dtype(), array.shape());
    if of(&value.array) != of(&wanted) {
        return Some(format!("{} {name} is {}, and {} in NumPy", rule.example, of(&value.array), of(&wanted)));
    }
    let pairs = value.array.scalars().zip(wanted.scalars());
    let farthest = pairs.map(|(found, wanted)| steps(found, wanted, rule.of)).fold(0.0, f64::max);
    println!("{} {name}: {farthest} steps", rule.example);
    (farthest > rule.steps).then(|| format!("{} {name} is {farthest} steps away", rule.example))
}

/// How many steps two values are apart; infinitely many for values that must be equal and are not.
fn steps(found: Scalar, wanted: Scalar, of: f64) -> f64 {
    if found.same(wanted) {
        return 0.0;
    }
    match (float(found), float(wanted)) {
        (Some((found, _)), Some((wanted, fraction))) if found.is_finite() && wanted.is_finite() => {
            let exponent = wanted.abs().max(of).max(f64::MIN_POSITIVE).log2().floor();
            (found - wanted).abs() / 2f64.powf(exponent - fraction)
        }
        _ => f64::INFINITY,
    }
}

/// The value of a float, and how many bits its fraction has.
fn float(scalar: Scalar) -> Option<(f64, f64)> {
    match scalar.dtype {
        DType::Bf16 => Some((f32::from_bits((scalar.bits as u32) << 16).into(), 7.0)),
        DType::F32 => Some((f32::from_bits(scalar.bits as u32).into(), 23.0)),
        DType::F64 => Some((f64::from_bits(scalar.bits as u64), 52.0)),
        _ => None,
    }
}
