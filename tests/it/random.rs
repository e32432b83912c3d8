//! Random numbers: against those of `jax.random` (`tests/random.jsonl`, recorded with JAX 0.12), the same whatever runs
//! them, and at their faults.
//!
//! A line of the file is a call, the width of the system, how keys count where that is not JAX's default, and the
//! dtype, the shape and the bits of the result, the most significant digit first. Of long results there are the first
//! elements and a hash of all digits (FNV-1a).

use crate::lab;
use arrlang::array::Array;
use arrlang::exec::{Engine, Options};
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;
use serde_json::Value;
use std::num::NonZeroUsize;

/// How many representable values a result may be away: the last bits of these belong to the logarithm of a machine.
const STEPS: &[(&str, i128)] = &[
    ("random.normal", 1),
    ("random.exponential", 1),
    ("random.logistic", 4),
    ("random.cauchy", 4),
    ("random.gumbel", 4),
];

/// The bits of an element.
fn digits(array: &Array, index: usize) -> String {
    let element = array.get(index);
    let width = if array.dtype().name() == "bool" { 1 } else { array.dtype().size() * 2 };
    format!("{:0width$x}", element.bits)
}

/// The place of a float among those of its dtype.
fn place(bits: i128, width: usize) -> i128 {
    let sign = 1i128 << (width * 4 - 1);
    if bits & sign != 0 { sign - bits } else { bits }
}

fn hash(digits: &str) -> u64 {
    digits.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// What is wrong with the result of a case.
fn difference(case: &Value, array: &Array) -> Option<String> {
    let shape: Vec<usize> = case["shape"].as_array()?.iter().map(|size| size.as_u64().unwrap_or(0) as usize).collect();
    if array.shape() != shape || case["dtype"] != array.dtype().name() {
        return Some(format!("{}{:?}", array.dtype(), array.shape()));
    }
    let found: Vec<String> = (0..array.len()).map(|index| digits(array, index)).collect();
    let wanted = case["bits"].as_str()?;
    let width = found.first().map_or(1, String::len);
    let name = case["call"].as_str()?;
    let steps = STEPS.iter().find(|(function, _)| name.starts_with(function)).map_or(0, |(_, steps)| *steps);
    for (index, wanted) in (0..wanted.len() / width).map(|index| &wanted[index * width..][..width]).enumerate() {
        let number = |digits: &str| place(i128::from_str_radix(digits, 16).unwrap_or(i128::MAX), width);
        if found[index] != wanted && (number(&found[index]) - number(wanted)).abs() > steps {
            return Some(format!("element {index} is {}, not {wanted}", found[index]));
        }
    }
    match case["hash"].as_str() {
        Some(wanted) if format!("{:016x}", hash(&found.concat())) != wanted => Some("later elements differ".to_owned()),
        _ => None,
    }
}

/// The values of calls in one script, whose system has a width.
fn values(width: u64, calls: &[&str]) -> Vec<Array> {
    values_under(if width == 32 { "promotion jax32\n" } else { "" }, calls)
}

/// The values of calls in one script.
fn values_under(system: &str, calls: &[&str]) -> Vec<Array> {
    let script = format!("{system}{}", calls.join("\n"));
    let reply = lab::session(Mode::All).evaluate(&Input::new("random.arr", &script));
    assert_eq!(reply.diagnostics.error_count(), 0, "{script}\n{}", lab::messages(&reply.diagnostics).join("\n"));
    reply.values.into_iter().map(|shown| shown.array).collect()
}

#[test]
fn numbers_are_those_of_jax() {
    let text = std::fs::read_to_string(lab::root("tests/random.jsonl")).expect("the file is there");
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    let call = |case: &Value| case["call"].as_str().expect("a call").to_owned();
    let mut wrong = Vec::new();
    let systems = [(32, "", "promotion jax32\n"), (64, "", ""), (64, "original", "promotion jax, random=original\n")];
    for (width, counting, system) in systems {
        let asked = |case: &&Value| {
            case["width"] == width && case["counting"].as_str().unwrap_or("") == counting && case["error"] != true
        };
        let valued: Vec<&Value> = cases.iter().filter(asked).collect();
        for some in valued.chunks(40) {
            let calls: Vec<String> = some.iter().map(|case| call(case)).collect();
            let calls: Vec<&str> = calls.iter().map(String::as_str).collect();
            let made = values_under(system, &calls);
            assert_eq!(made.len(), calls.len());
            let differ =
                some.iter().zip(&made).filter_map(|(case, array)| Some((call(case), difference(case, array)?)));
            wrong.extend(differ.map(|(call, why)| format!("{width} {counting} {call}: {why}")));
        }
    }
    assert!(wrong.is_empty(), "{} of {}\n{}", wrong.len(), cases.len(), wrong.join("\n"));
    for case in cases.iter().filter(|case| case["error"] == true) {
        errors(&call(case));
    }
}

/// The codes and messages of a script that fails.
fn errors(text: &str) -> String {
    let reply = lab::session(Mode::All).evaluate(&Input::new("random.arr", text));
    assert!(reply.diagnostics.error_count() > 0, "{text} has no error");
    let all = reply.diagnostics.iter().map(|it| format!("{} {}", it.code.name, it.message));
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn every_way_to_run_gives_the_same_numbers() {
    let script = "let keys = random.split(random.key(3), 5)
random.uniform(keys[0], (70, 50), f32, -2, 3)
random.uniform(keys[1], (3, 40, 50), f16, minval=0.25)
random.randint(keys[2], 5000, -7, 90)
random.randint(keys[3], (30, 4), arange(4)*10, 1000, u8)
sum(random.bits(keys[4], 100_000, u64))
random.normal(keys[0], (30, 40), f32)
random.normal(keys[1], 700, c128)
random.gumbel(keys[2], 800, bf16)
random.permutation(keys[0], 3000)
random.choice(keys[1], 3000, (20, 30), replace=false)
random.choice(keys[3], 4, 500, p=f32([0.1, 0.2, 0.3, 0.4]))";
    let bits = |engine: Engine, threads: usize| {
        let options = Options { engine, threads: NonZeroUsize::new(threads), ..Options::default() };
        let reply = lab::session(Mode::All).evaluate(&Input { options, ..Input::new("random.arr", script) });
        assert_eq!(reply.diagnostics.error_count(), 0, "{}", lab::messages(&reply.diagnostics).join("\n"));
        let all = reply.values.iter().flat_map(|shown| shown.array.scalars().map(|it| it.bits).collect::<Vec<_>>());
        all.collect::<Vec<_>>()
    };
    let one = bits(Engine::Reference, 1);
    assert_eq!(one, bits(Engine::Jit, 1));
    assert_eq!(one, bits(Engine::Jit, 4));
    assert_eq!(one, bits(Engine::Blocks, 2));
}

#[test]
fn bounds_that_are_computed_mean_what_constants_mean() {
    for (dtype, of, low, high) in [
        ("u8", "i32", 0i64, 256i64),
        ("u8", "i64", -5, 300),
        ("i8", "u16", 3, 90),
        ("i16", "i64", -40000, 40000),
        ("i32", "i64", -9, 2_147_483_648),
        ("i32", "i64", -2_147_483_648, 4_000_000_000),
        ("u32", "i64", 7, 4_294_967_296),
        ("i64", "i32", -5, 6),
        ("u64", "i64", -5, 1 << 40),
        ("i64", "i64", 5, 5),
    ] {
        let text = format!(
            "let k = random.key(9)
random.randint(k, 40, {low}, {high}, {dtype})
random.randint(k, 40, {of}({low} + zeros(40)), {of}({high} + zeros(1)), {dtype})"
        );
        let made = values(64, &[&text]);
        assert!(made[0].scalars().eq(made[1].scalars()), "{text}");
    }
}

#[test]
fn what_is_no_key_shape_or_bound_is_an_error_in_place() {
    for (call, words) in [
        ("random.uniform(7, 3)", "a key is u32[2]"),
        ("random.uniform(random.split(random.key(7), 3), 3)", "a key is u32[2]"),
        ("random.uniform([1, 2], 3)", "a key is u32[2]"),
        ("random.key(1.5)", "one integer"),
        ("random.key([1, 2])", "one integer"),
        ("random.key(2**64)", "64"),
        ("random.fold_in(random.key(1), 2**32)", "u32"),
        ("random.fold_in(random.key(1), [2])", "one integer"),
        ("random.uniform(random.key(1), sum(arange(3.0)))", "whole number"),
        ("random.uniform(random.key(1), -3)", "cannot be -3"),
        ("random.uniform(random.key(1), 3, i32)", "draws floats"),
        ("random.uniform(random.key(1), 3, f32, zeros(3), 1.0)", "draws f32"),
        ("random.uniform(random.key(1), 3, f64, zeros(4), 1.0)", "shape"),
        ("random.bits(random.key(1), 3, i32)", "unsigned"),
        ("random.randint(random.key(1), 3, 0, 1.5)", "integers"),
        ("random.randint(random.key(1), 3, 0, 10, f32)", "integers"),
        ("random.randint(random.key(1), 3, 0, arange(4))", "shape"),
        ("random.bernoulli(random.key(1), u8(1))", "probability"),
        ("random.uniform(random.key(1), 2**60)", "more elements"),
        ("random.normal(random.key(1), 3, i32)", "draws floats"),
        ("random.truncated_normal(random.key(1), 0, 1, 3, f16)", "draws f32 and f64"),
        ("random.truncated_normal(random.key(1), [0, 1], [1, 2, 3])", "shape"),
        ("promotion random=original\nrandom.bits(random.key(1), 2**31, u64)", "2147483647 words"),
        ("promotion random=older\nrandom.key(1)", "partitionable or original"),
    ] {
        let found = errors(call);
        assert!(found.contains(words), "{call}: {found}");
    }
}

#[test]
fn an_order_has_every_element_once() {
    // Of a length that data decides it is the same order.
    let made = values(
        64,
        &[
            "let x = arange(4000)",
            "all(sort(random.permutation(random.key(3), 4000)) == x)",
            "random.permutation(random.key(3), x[x >= 1000])",
            "random.permutation(random.key(3), 3000) + 1000",
            "random.choice(random.key(5), x[x >= 2], 10, replace=false)",
            "random.choice(random.key(5), 3998, 10, replace=false) + 2",
        ],
    );
    assert_eq!(made[0].get(0).bits, 1);
    for pair in made[1..].chunks(2) {
        assert!(pair[0].scalars().eq(pair[1].scalars()));
    }
    assert!(errors("let x = arange(4)\nrandom.choice(random.key(1), x[x > sum(x)], 3)").contains("index"));
}

#[test]
fn lengths_may_be_names() {
    let (_, prepared) = lab::check(
        "input x: f32[m, n]\nlet k = random.key(0)\noutput r = x + random.uniform(k, x.shape, f32)\noutput i = random.randint(k, n, 0, 6)",
        Mode::All,
    );
    assert!(!prepared.diagnostics.has_errors());
}
