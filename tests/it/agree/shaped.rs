//! Random programs that select, gather, scatter, group and sort: lengths that only data decides.
//!
//! Each statement makes one value of earlier ones. What the checker refuses is left out; what remains gives the same
//! values, or the same error, compiled on some number of threads as by the reference.

use super::data::{self, Random};
use super::{Verify, differ, named, program, run};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::types::DType;

/// Forms of a statement: `{x}` and `{y}` are vectors, `{n}` is a vector of the first length, `{m}` a matrix, `{c}` a
/// number.
const FORMS: &[&str] = &[
    "{x}[{x} > {c}]",
    "{x}[{x} == {x}]",
    "{x}[not isnan(f64({x}))]",
    "{n}[{n} <= {c}] + {n}[{n} <= {c}]",
    "{m}[{n} > {c}]",
    "{m}.T[:, {n} > {c}]",
    "{m}[{m} > {c}]",
    "{x}[argsort({x})]",
    "{x}[argsort({x}, descending=true)]",
    "{x}[i64(abs(i8(isnan(f64({y}))) - 1)) * 0]",
    "{x}[i32({y} > {c})]",
    "{x}[{i}]",
    "{m}[{i}]",
    "{m}[:, {i} % 3]",
    "{m}[{i}, {i} % 3]",
    "{x}[1:]",
    "{x}[::-1]",
    "{x}[{x} > {c}][1:]",
    "diff({x}[{x} < {c}])",
    "{x}[:count_nonzero({y} > {c})]",
    "{x}[count_nonzero({y} > {c}):]",
    "{x}[{x}.size - count_nonzero({x} > {c}) - 2::-2]",
    "{x}[sum({i}) - 9:count_nonzero({y} == {y}):3]",
    "{m}[sum({i}) % 5:, :count_nonzero({n} > {c}) - 1]",
    "{n}[:sum({i})] + {n}[:sum({i})]",
    "{m}[argsort({n})[:3], count_nonzero({n} > {c}) % 3:]",
    "{m}[{n} > {c}, {i}]",
    "sort({x})",
    "sort({m}, axis=0, descending=true)",
    "argsort({m}, axis=1)",
    "topk({n}, 1)[0]",
    "rank({x})",
    "median({x})",
    "median({m}, axis=0)",
    "quantile({x}, [0.25, 0.9])",
    "nanquantile({m}, 0.3, axis=1)",
    "searchsorted(sort({x}), {y})",
    "digitize({x}, sort({y}), right=true)",
    "isin({x}, {y})",
    "interp(f64({x}), sort(f64({n})), f64({n}))",
    "unique({x})",
    "unique_inverse({x})[1]",
    "unique_counts({x})[1]",
    "unique_all({x})[1]",
    "unique_inverse({m})[1]",
    "intersect1d({x}, {y})",
    "union1d({x}, {y})",
    "setdiff1d({x}, {y})",
    "setxor1d({x}, {y})",
    "nonzero({m})[1]",
    "flatnonzero({x})",
    "argwhere({m} > {c})",
    "bincount({i})",
    "bincount({i}, minlength=9)",
    "bincount({i}, weights={n}, length=7)",
    "segment_sum({n}, {i}, 16)",
    "segment_mean({n}, {i}, 16)",
    "segment_min({m}, {i}, 20)",
    "segment_prod({n}, {i}, 5)",
    "segment_count({i}, 16)",
    "segment_sum({n}, unique_inverse({n})[1], unique({n}).size)",
    "histogram({x}, 5, range=(-100, 100))[0]",
    "histogram({n}, sort({x}))[0]",
    "histogram({x}, 3)[1]",
    "histogram({n}, 4, range=(-3, 9), weights={n})[0]",
    "take_along_axis({m}, argsort({m}, axis=0), axis=0)",
    "take_along_axis({x}, argsort({x}))",
    "put_along_axis({m}, argsort({m}, axis=1), {m})",
    "put_along_axis({x}, argsort({x}), {x})",
    "add_at({n}, {i}, {n})",
    "multiply_at({n}, {i}, 2)",
    "max_at({n}, {i}, {n})",
    "min_at({m}, {i}, {m})",
    "sum({x})",
    "mean({x})",
    "max({x})",
    "cumsum({x})",
    "{x} + {y}",
    "where({x} > {c}, {x}, {y})",
    "concat([{x}, {y}])",
    "{x}.size + 1",
];

/// Assignments to a copy of `{x}`.
const UPDATES: &[&str] = &[
    "{v}[{v} > {c}] = {c}",
    "{v}[{v} > {c}] += {c}",
    "{v}[{x} < {c}] = {x}[{x} < {c}]",
    "{v}[argsort({x})] = {x}",
    "{v}[{i}] = {n}",
    "{v}[{i}] = {c}",
    "{v}[1:] = {c}",
    "{v}[{i}] += {c}",
    "{v}[{i}] *= {n}",
    "{v}[count_nonzero({x} > {c}):] = {c}",
    "{v}[:count_nonzero({x} > {c})] += {x}[:count_nonzero({x} > {c})]",
    "{v}[count_nonzero({x} > {c})::2] = {x}[count_nonzero({x} > {c})::2]",
    "{v}[:count_nonzero({x} > {c}):-3] += {c}",
];

/// How many programs run unless told otherwise: code that is not optimised takes a second for forty.
const PROGRAMS: u64 = if cfg!(debug_assertions) { 500 } else { 10_000 };

struct Writer {
    random: Random,
    vectors: Vec<String>,
    matrices: Vec<String>,
}

impl Writer {
    fn pick<'s>(&mut self, list: &'s [&str]) -> &'s str {
        list[self.random.below(list.len())]
    }

    /// A form with names in it.
    fn filled(&mut self, form: &str) -> String {
        let mut text = form.to_owned();
        for (slot, list) in
            [("{x}", self.vectors.clone()), ("{y}", self.vectors.clone()), ("{m}", self.matrices.clone())]
        {
            let name = list[self.random.below(list.len())].clone();
            text = text.replace(slot, &name);
        }
        let number = self.pick(&["0", "1", "3", "100"]).to_owned();
        // Positions that are there, mostly.
        let positions =
            self.pick(&["(arange(a.size) % 7)", "(arange(a.size)[::-1] % 4)", "p", "p", "(p - 5)"]).to_owned();
        text.replace("{c}", &number).replace("{i}", &positions).replace("{n}", "a")
    }

    fn statement(&mut self, number: usize) -> String {
        let name = format!("v{number}");
        if self.random.below(5) == 0 {
            let update = self.pick(UPDATES).replace("{v}", &name);
            let first = self.vectors[self.random.below(self.vectors.len())].clone();
            let filled = self.filled(&update.replace("{x}", &first));
            return format!("var {name} = {first}\n{filled}\noutput o{number} = {name}\n");
        }
        let form = self.pick(FORMS);
        let filled = self.filled(form);
        format!("let {name} = {filled}\noutput o{number} = {name}\n")
    }
}

/// The text of a program and its inputs, and how many statements it has.
fn written(seed: u64) -> (String, Vec<(String, Array)>, usize) {
    let mut random = Random::new(seed);
    let len = [0, 1, 2, 5, 17, 70, 300][random.below(7)];
    let dtypes = [random.below(DType::ALL.len()), random.below(DType::ALL.len())].map(|at| DType::ALL[at]);
    let positions = (0..len).map(|_| arrlang::scalar::Scalar::of(random.below(len.min(16)) as i64));
    let positions = Array::from_scalars(DType::I64, &[len], positions.collect::<Vec<_>>());
    let inputs = vec![
        named("a", data::laid_out(&mut random, dtypes[0], &[len])),
        named("b", data::laid_out(&mut random, dtypes[1], &[9])),
        named("m", data::laid_out(&mut random, dtypes[1], &[len, 3])),
        named("p", positions),
    ];
    let vectors = vec!["a".to_owned(), "b".to_owned()];
    let mut writer = Writer { random, vectors, matrices: vec!["m".to_owned()] };
    let (mut text, mut taken) = (String::new(), 0);
    for number in 0..6 {
        let lines = writer.statement(number);
        if program(&format!("{text}{lines}"), &inputs, &Settings::default()).is_some() {
            text += &lines;
            taken += 1;
            writer.vectors.push(format!("v{number}"));
        }
    }
    (text, inputs, taken)
}

/// What the engines differ in on the program of a seed, how many of its statements the checker took, and whether the
/// program ran without an error.
fn difference(seed: u64) -> (Option<String>, usize, bool) {
    let (text, inputs, taken) = written(seed);
    let Some(program) = program(&text, &inputs, &Settings::default()) else { return (None, 0, false) };
    let meaning = run(&program, Engine::Reference, Verify::No);
    let engine = if seed.is_multiple_of(4) { Engine::Blocks } else { Engine::Jit };
    let found = match (&meaning, run(&program, engine, Verify::No)) {
        // Of several faults each way meets one.
        (Err(_), Err(_)) => None,
        _ => differ(&program, &meaning, engine, Verify::No),
    };
    let inputs = || inputs.iter().map(|(name, array)| format!("{name}: {array:?}\n")).collect::<String>();
    (found.map(|found| format!("seed {seed}\n{text}{}{found}", inputs())), taken, meaning.is_ok())
}

/// `ARR_RANDOM_PROGRAMS` programs, from `ARR_RANDOM_SEED` on.
#[test]
fn random_selections_groups_and_orders_agree() {
    let (count, seed) =
        (super::random::number("ARR_RANDOM_PROGRAMS", PROGRAMS), super::random::number("ARR_RANDOM_SEED", 1));
    let halves: Vec<(usize, usize)> = std::thread::scope(|scope| {
        let work = (0..2).map(|half| {
            scope.spawn(move || {
                let (mut statements, mut ran) = (0, 0);
                for at in (half..count).step_by(2) {
                    let (found, taken, whole) = difference(seed.wrapping_mul(1_000_003) + at);
                    assert!(found.is_none(), "{}", found.unwrap_or_default());
                    statements += taken;
                    ran += usize::from(whole);
                }
                (statements, ran)
            })
        });
        work.collect::<Vec<_>>().into_iter().map(|it| it.join().expect("engines agree")).collect()
    });
    let (statements, ran) = halves.into_iter().fold((0, 0), |sum, half| (sum.0 + half.0, sum.1 + half.1));
    println!("{count} programs, {statements} statements, {ran} without an error");
    assert!(statements as u64 > count && 4 * ran as u64 > count, "{statements} {ran}");
}

/// Every form is taken by the checker in some program.
#[test]
fn every_form_of_selections_is_taken() {
    let mut rest: Vec<&str> = FORMS.iter().chain(UPDATES).copied().collect();
    for seed in 0..400 {
        let inputs: Vec<(String, Array)> = written(seed).1;
        let mut random = Random::new(seed + 9);
        rest.retain(|form| {
            let text = |filled: String| match form.starts_with("{v}") {
                true => format!("var w = a\n{filled}\noutput o = w"),
                false => format!("output o = {filled}"),
            };
            let mut writer = Writer {
                random: Random::new(random.next()),
                vectors: vec!["a".to_owned(), "b".to_owned()],
                matrices: vec!["m".to_owned()],
            };
            let form = form.replace("{v}", "w");
            let form = if form.starts_with("w[") { form.replace("{x}", "a") } else { form };
            program(&text(writer.filled(&form)), &inputs, &Settings::default()).is_none()
        });
        if rest.is_empty() {
            break;
        }
    }
    assert!(rest.is_empty(), "{rest:?}");
}
