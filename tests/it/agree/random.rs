//! Random programs, written as text: statements over earlier values. What the checker refuses is left out.

use super::data::{self, Random};
use super::{differ, disagreement, program, run};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::ops::{self, Form, Op, Role};
use arrlang::promotion::systems;
use arrlang::types::DType;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

/// How a program is made; every part shrinks.
#[derive(Clone, Debug)]
struct Plan {
    shape: (usize, usize),
    inputs: Vec<(usize, u8, u64)>,
    steps: Vec<Step>,
    system: usize,
    checked: bool,
}

/// A statement: which form, which row, and where operands come from.
#[derive(Clone, Debug)]
struct Step {
    form: u8,
    row: usize,
    terms: [u16; 3],
    extra: u8,
}

fn plans() -> impl Strategy<Value = Plan> {
    let lengths = prop::sample::select(vec![1usize, 2, 3, 8, 17, 33, 70, 300, 1100]);
    let step = (any::<u8>(), any::<usize>(), any::<[u16; 3]>(), any::<u8>());
    let step = step.prop_map(|(form, row, terms, extra)| Step { form, row, terms, extra });
    (
        (1usize..5, lengths),
        prop::collection::vec((0..DType::ALL.len(), any::<u8>(), any::<u64>()), 1..5),
        prop::collection::vec(step, 1..10),
        prop_oneof![4 => Just(0), 1 => any::<usize>()],
        prop::bool::weighted(0.2),
    )
        .prop_map(|(shape, inputs, steps, system, checked)| Plan { shape, inputs, steps, system, checked })
}

const LITERALS: [&str; 14] =
    ["0", "1", "2", "-1", "3", "7", "0.5", "-2.5", "true", "1j", "255u8", "1e10", "-0.0", "64"];

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
    fn program(&self) -> Option<(String, arrlang::ir::Program)> {
        let (inputs, settings) = (self.inputs(), self.settings());
        let mut names: Vec<String> = inputs.iter().map(|(name, _)| name.clone()).collect();
        let (mut text, mut found) = (String::new(), None);
        for (index, step) in self.steps.iter().enumerate() {
            let name = format!("v{index}");
            let line = format!("output {name} = {}\n", step.text(&names));
            if let Some(program) = program(&format!("{text}{line}"), &inputs, &settings) {
                text += &line;
                names.push(name);
                found = Some(program);
            }
        }
        Some((text, found?))
    }
}

impl Step {
    fn term(&self, index: usize, names: &[String]) -> String {
        let term = usize::from(self.terms[index]);
        // Later names more often.
        let name = |at: usize| names[if at.is_multiple_of(3) { names.len() - 1 } else { at % names.len() }].clone();
        match term % 12 {
            0 => LITERALS[term / 12 % LITERALS.len()].to_owned(),
            1 => format!("{}({})", DType::ALL[term / 12 % DType::ALL.len()], name(term / 200)),
            2 => format!("({} {} 0)", name(term / 12), ["<", "!=", ">=", "+", "-"][term / 50 % 5]),
            _ => name(term / 12),
        }
    }

    fn text(&self, names: &[String]) -> String {
        let t = |index: usize| self.term(index, names);
        let dtype = DType::ALL[self.row % DType::ALL.len()];
        match self.form % 16 {
            0 => format!("{dtype}({})", t(0)),
            1 => format!("saturate({}, {dtype})", t(0)),
            // Not of floats: the payload of a NaN is not specified.
            2 => format!("bitcast(i{}({}), {dtype})", 8 * dtype.size(), t(0)),
            3 => format!("where({} > {}, {}, {})", t(0), t(1), t(2), t(0)),
            4 | 5 => {
                let combining = |op: &&Op| matches!(op.form, Form::Fold(_) | Form::Scan(_));
                let rows: Vec<&Op> = ops::all().filter(combining).collect();
                let axes = ["", ", axis=0", ", axis=-1", ", axis=(0, 1)", ", keepdims=true", ", axis=0, keepdims=true"];
                let op = rows[self.row % rows.len()];
                let axes = if matches!(op.form, Form::Scan(_)) { &axes[..3] } else { &axes };
                format!("{}({}{})", op.name, t(0), axes[self.extra as usize % axes.len()])
            }
            6 => {
                let infix = ["+", "-", "*", "/", "//", "%", "**", "&", "|", "^", "<<", ">>", "<", "==", "and", "or"];
                let symbol = |at: usize| infix[at % infix.len()];
                format!("({} {} {}) {} {}", t(0), symbol(self.row), t(1), symbol(self.extra.into()), t(2))
            }
            7 => format!("{} < {} <= {}", t(0), t(1), t(2)),
            _ => {
                let rows: Vec<&Op> = super::elementwise().filter(|op| op.name != "copysign").collect(); // Likewise its sign.
                let op = rows[self.row % rows.len()];
                let mut next = 0;
                let args = op.params.iter().filter(|param| param.default.is_none()).map(|param| match param.role {
                    Role::Number => "2".to_owned(),
                    role => {
                        next += 1;
                        let term = t((next - 1) % 3);
                        if role == Role::Condition { format!("bool({term})") } else { term }
                    }
                });
                format!("{}({})", op.name, args.collect::<Vec<_>>().join(", "))
            }
        }
    }
}

/// Runs `count` programs; answers how many statements they had.
fn random_programs(count: u32, seed: u64) -> usize {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    let config = Config { cases: count, failure_persistence: None, max_shrink_iters: 2_000, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
    let statements = std::cell::Cell::new(0);
    let outcome = runner.run(&plans(), |plan| {
        let Some((text, program)) = plan.program() else { return Ok(()) };
        statements.set(statements.get() + text.lines().count());
        let verify = plan.shape.1 == 1;
        let meaning = run(&program, Engine::Reference, false);
        let mut difference = differ(&program, &meaning, Engine::Jit, verify);
        if difference.is_none() && plan.shape.1 % 2 == 0 {
            difference = differ(&program, &meaning, Engine::Blocks, false);
        }
        difference.map_or(Ok(()), |difference| Err(TestCaseError::fail(format!("{text}{difference}"))))
    });
    match outcome {
        Ok(()) => statements.get(),
        Err(TestError::Fail(reason, plan)) => {
            let text = plan.program().map(|(text, _)| text).unwrap_or_default();
            let inputs: Vec<String> = plan
                .inputs()
                .iter()
                .map(|(name, array)| format!("{name}: {array:?} strides {:?}", array.strides()))
                .collect();
            panic!("{reason}\n{text}{}\n{:?} checked={}", inputs.join("\n"), plan.settings().system.name, plan.checked)
        }
        Err(TestError::Abort(reason)) => panic!("{reason}"),
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// `ARR_RANDOM_PROGRAMS` programs, from `ARR_RANDOM_SEED` on.
#[test]
fn random_texts_agree() {
    let (count, seed) = (number("ARR_RANDOM_PROGRAMS", 10_000), number("ARR_RANDOM_SEED", 1));
    let started = std::time::Instant::now();
    let halves: Vec<_> =
        (0..2).map(|half| std::thread::spawn(move || random_programs((count / 2) as u32, 2 * seed + half))).collect();
    let statements: Vec<_> = halves.into_iter().map(|half| half.join()).collect();
    let statements: usize =
        statements.into_iter().map(|half| half.unwrap_or_else(|panic| std::panic::resume_unwind(panic))).sum();
    println!("{count} programs, {statements} statements, {:.1} s", started.elapsed().as_secs_f64());
    assert!(statements as u64 > count, "most of what is written is taken");
}

#[test]
fn differences_would_be_seen() {
    let inputs = vec![("x0".to_owned(), Array::from_elements(&[2], &[1i32, 2]))];
    let program = program("output y = x0 + 1", &inputs, &Settings::default()).expect("a program");
    assert_eq!(disagreement(&program, Engine::Jit, true), None);
    let other = Ok(vec![Array::from_elements(&[2], &[2i32, 4])]);
    let found = differ(&program, &other, Engine::Jit, true).expect("a difference");
    assert!(found.contains("element 1"), "{found}");
}
