//! Random programs, written as text: statements over earlier values. What the checker refuses is left out.

mod arrays;
mod functions;
mod loops;
mod variables;
mod write;

use super::data::{self, Random};
use super::{Verify, differ, disagreement, program, run};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::ir::{Program, print};
use arrlang::promotion::systems;
use arrlang::types::DType;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use write::{Name, Writer};

/// Most elements of a value: what is larger only takes time.
const MAX_ELEMENTS: usize = 1 << 14;
/// How many programs lie between two lines of progress.
const PROGRESS: u64 = 100_000;

/// How a program is made; every part shrinks.
#[derive(Clone, Debug)]
struct Plan {
    shape: (usize, usize),
    inputs: Vec<(usize, u8, u64)>,
    /// For each statement the choices that write it; where they end, the simplest is chosen.
    steps: Vec<Vec<u16>>,
    system: usize,
    checked: bool,
}

fn plans() -> impl Strategy<Value = Plan> {
    let lengths = prop::sample::select(vec![1usize, 2, 3, 8, 17, 33, 70, 300, 1100]);
    let step = prop::collection::vec(any::<u16>(), 2..32);
    (
        (1usize..5, lengths),
        prop::collection::vec((0..DType::ALL.len(), any::<u8>(), any::<u64>()), 1..5),
        prop::collection::vec(step, 1..10),
        prop_oneof![4 => Just(0), 1 => any::<usize>()],
        prop::bool::weighted(0.2),
    )
        .prop_map(|(shape, inputs, steps, system, checked)| Plan { shape, inputs, steps, system, checked })
}

/// What a plan comes to.
struct Written {
    text: String,
    /// How many statements the checker took.
    taken: usize,
    program: Program,
}

impl Plan {
    fn inputs(&self) -> Vec<(String, Array)> {
        let (rows, columns) = self.shape;
        let shapes = [vec![], vec![columns], vec![rows, 1], vec![rows, columns], vec![1, columns], vec![1]];
        let make = |(index, &(dtype, shape, seed)): (usize, &(usize, u8, u64))| {
            let shape = &shapes[shape as usize % shapes.len()];
            (format!("x{index}"), data::laid_out(&mut Random::new(seed), DType::ALL[dtype], shape))
        };
        self.inputs.iter().enumerate().map(make).collect()
    }

    fn settings(&self) -> Settings {
        let system = systems::ALL[self.system % systems::ALL.len()];
        Settings { system, checked: self.checked, ..Settings::default() }
    }

    /// The text, statement by statement, with what the checker made of it.
    fn written(&self) -> Option<Written> {
        let (inputs, settings) = (self.inputs(), self.settings());
        let name = |(name, array): &(String, Array)| Name::new(name, array.dtype(), array.shape().to_vec());
        let mut names: Vec<Name> = inputs.iter().map(name).collect();
        let mut functions = Vec::new();
        let (mut text, mut taken, mut found) = (String::new(), 0, None);
        for (number, choices) in self.steps.iter().enumerate() {
            let mut writer = Writer::new(&names, &functions, choices, number);
            let lines = writer.statement();
            let defined = writer.defined;
            let Some(program) = program(&format!("{text}{lines}"), &inputs, &settings).filter(is_small) else {
                continue;
            };
            text += &lines;
            taken += 1;
            functions.extend(defined);
            let known = names.len() - inputs.len();
            names.extend(program.outputs[known..].iter().map(|output| {
                let node = program.node(output.node);
                let shape = node.shape.iter().map(|dim| dim.known().expect("inputs are bound") as usize).collect();
                Name::new(output.name.as_deref().expect("outputs are named"), node.dtype, shape)
            }));
            found = Some(program);
        }
        Some(Written { text, taken, program: found? })
    }
}

/// Whether no value is large, whatever masks keep, and every output has a known shape.
fn is_small(program: &Program) -> bool {
    let elements = |node: &arrlang::ir::Node| {
        let sizes = node.shape.iter().map(|dim| usize::try_from(dim.known().unwrap_or(64)).ok());
        sizes.into_iter().try_fold(1usize, |all, size| all.checked_mul(size?))
    };
    let known = |node: &arrlang::ir::Node| node.shape.iter().all(|dim| dim.known().is_some());
    program.nodes.iter().all(|node| elements(node).is_some_and(|elements| elements <= MAX_ELEMENTS))
        && program.outputs.iter().all(|output| known(program.node(output.node)))
}

/// What came of many programs.
#[derive(Default)]
struct Tally {
    programs: AtomicU64,
    ran: AtomicU64,
    statements: AtomicU64,
    taken: AtomicU64,
}

impl Tally {
    fn count(&self, plan: &Plan, taken: usize, ran: bool) {
        self.statements.fetch_add(plan.steps.len() as u64, Relaxed);
        self.taken.fetch_add(taken as u64, Relaxed);
        self.ran.fetch_add(ran.into(), Relaxed);
        if (self.programs.fetch_add(1, Relaxed) + 1).is_multiple_of(PROGRESS) {
            println!("{}", self.report());
        }
    }

    fn report(&self) -> String {
        let share =
            |part: &AtomicU64, whole: &AtomicU64| 100.0 * part.load(Relaxed) as f64 / whole.load(Relaxed).max(1) as f64;
        format!(
            "{} programs, {:.1}% ran; {} statements, {:.1}% taken",
            self.programs.load(Relaxed),
            share(&self.ran, &self.programs),
            self.statements.load(Relaxed),
            share(&self.taken, &self.statements),
        )
    }
}

/// The first difference between the engines on what a plan comes to.
fn difference(plan: &Plan, tally: &Tally) -> Option<String> {
    let Some(written) = plan.written() else {
        tally.count(plan, 0, false);
        return None;
    };
    let program = &written.program;
    let meaning = run(program, Engine::Reference, Verify::No);
    tally.count(plan, written.taken, meaning.is_ok());
    let verify = if plan.shape.1 == 1 { Verify::Yes } else { Verify::No };
    let mut difference = differ(program, &meaning, Engine::Jit, verify);
    if difference.is_none() && plan.shape.1.is_multiple_of(2) {
        difference = differ(program, &meaning, Engine::Blocks, Verify::No);
    }
    if difference.is_none() {
        difference = differently_formatted(plan, &written);
    }
    difference.map(|difference| format!("{}{difference}", written.text))
}

/// What the formatter makes of a text, if that is another program.
fn differently_formatted(plan: &Plan, written: &Written) -> Option<String> {
    let text = crate::fmt::formatted(&written.text).unwrap_or_default();
    let again = program(&text, &plan.inputs(), &plan.settings());
    let same = again.is_some_and(|again| print::program(&again) == print::program(&written.program));
    (!same).then(|| format!("is formatted as\n{text}"))
}

/// Runs `count` programs.
fn random_programs(count: u32, seed: u64, tally: &Tally) {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: count, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let outcome =
        runner.run(&plans(), |plan| difference(&plan, tally).map_or(Ok(()), |text| Err(TestCaseError::fail(text))));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(reason, plan)) => {
            let inputs: Vec<String> = plan
                .inputs()
                .iter()
                .map(|(name, array)| format!("{name}: {array:?} strides {:?}", array.strides()))
                .collect();
            panic!("{reason}\n{}\n{:?} checked={}", inputs.join("\n"), plan.settings().system.name, plan.checked)
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

pub(super) fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `ARR_RANDOM_PROGRAMS` programs, from `ARR_RANDOM_SEED` on.
#[test]
fn random_texts_agree() {
    let (count, seed) = (number("ARR_RANDOM_PROGRAMS", 10_000), number("ARR_RANDOM_SEED", 1));
    let started = std::time::Instant::now();
    let tally = Tally::default();
    std::thread::scope(|scope| {
        for half in 0..2 {
            let tally = &tally;
            scope.spawn(move || random_programs((count / 2) as u32, 2 * seed + half, tally));
        }
    });
    println!("{}, {:.1} s", tally.report(), started.elapsed().as_secs_f64());
    assert!(2 * tally.ran.load(Relaxed) > tally.programs.load(Relaxed), "most programs run");
    assert!(2 * tally.taken.load(Relaxed) > tally.statements.load(Relaxed), "most of what is written is taken");
}

#[test]
fn differences_would_be_seen() {
    let inputs = vec![("x0".to_owned(), Array::from_elements(&[2], &[1i32, 2]))];
    let program = program("output y = x0 + 1", &inputs, &Settings::default()).expect("a program");
    assert_eq!(disagreement(&program, Engine::Jit, Verify::Yes), None);
    let other = Ok(vec![Array::from_elements(&[2], &[2i32, 4])]);
    let found = differ(&program, &other, Engine::Jit, Verify::Yes).expect("a difference");
    assert!(found.contains("element 1"), "{found}");
}

/// Every form of statement is written, and taken by the checker, in a few programs.
#[test]
fn every_form_is_written() {
    let mut runner = TestRunner::new_with_rng(Config::default(), TestRng::from_seed(RngAlgorithm::ChaCha, &[9; 32]));
    let mut text = String::new();
    for _ in 0..1_500 {
        let plan = plans().new_tree(&mut runner).expect("a plan").current();
        text += &plan.written().map(|written| written.text).unwrap_or_default();
    }
    let forms = [
        "(a, b=1)",
        "{\n  let t",
        "  var u",
        "-> _[",
        ": _[n0]",
        "a=",
        "let (l",
        "var w",
        "] = ",
        " += ",
        " //= ",
        "[::-1",
        ":-1",
        "None",
        "...",
        "argmax(",
        "reshape(",
        "transpose(",
        "flip(",
        "roll(",
        "diff(",
        "pad(",
        "take(",
        "stack(",
        "concat(",
        "squeeze(",
        "expand_dims(",
        "broadcast_to(",
        "swapaxes(",
        "ravel(",
        ".T",
        "keepdims=true",
        "axis=-1",
        "cumsum(",
        "dot(",
        "nansum(",
        "argmin(",
        "std(",
        "norm(",
        "arange(",
        "linspace(",
        "eye(",
        "zeros(",
        "full(",
        "zeros_like(",
        "full_like(",
        "where(",
        "bitcast(",
        "saturate(",
        "= apply",
        "= repeat ",
        "= scan ",
        " as t while ",
        " reverse with ",
    ];
    let missing: Vec<&str> = forms.into_iter().filter(|form| !text.contains(form)).collect();
    assert!(missing.is_empty(), "{missing:?}");
}
