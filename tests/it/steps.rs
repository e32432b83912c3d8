//! Loops that run a step at a time: what a step makes the next one reads, wherever it lies.

use crate::agree::{disagreement, program};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::{Engine, Options, RunError, run};

/// Steps whose states are made anew, kept, exchanged, the same, or views of something larger. `N` is how many.
const STEPS: [&str; 16] = [
    "repeat N with a = x { a[::-1] + sum(a) }",
    "repeat N with a = x { let b = a / 2; b[::-1] + a }",
    "repeat N with a = x, b = y { (b[::-1] + 0, a) }",
    "repeat N with a = x, b = y { (b, a[::-1] + 1) }",
    "repeat N with a = x, b = y { (b, a) }",
    "repeat N with a = x, b = y { let c = a + sum(b); (c, c) }",
    "repeat N with a = x, b = y { (a, b[::-1] + sum(a)) }",
    "repeat N with a = x, b = y { (a[::-1], b + a) }",
    "repeat N as t with a = x { a[::-1] + sum(a[:t + 1]) }",
    "repeat N as t with a = x { concat([a[1:], [sum(a) + t]]) }",
    "repeat N with a = x { var b = a; b[1:-1] = (a[2:] + a[:-2]) / 2; b }",
    "repeat N while sum(a) < 40 with a = x { a[::-1] + 1 }",
    "repeat N as t while t < 4 with a = x, k = 0 { (a[::-1] + k, k + 2) }",
    "repeat N with a = x { repeat N as u with b = a { b[::-1] + u } }",
    "repeat N with a = x { let m = sort(a); m[::-1] - a }",
    "repeat N with a = reshape(x, (2, 4)) { (a.T @ a)[:2, :4] / 9 }",
];

fn inputs() -> Vec<(String, Array)> {
    let line = |from: f64| Array::from_elements(&[8], &std::array::from_fn::<f64, 8, _>(|at| from + at as f64));
    vec![("x".to_owned(), line(0.0)), ("y".to_owned(), line(0.5))]
}

#[test]
fn every_way_of_passing_states_on_gives_what_the_reference_does() {
    for step in STEPS {
        for count in 0..6 {
            let names = if step.contains(" = y {") || step.contains("k = 0") { "(p, q)" } else { "p" };
            let outputs = if names == "p" { "output r = p" } else { "output r = p\noutput s = q" };
            let text = step.replace('N', &count.to_string());
            // What a loop begins with stays as it is.
            let text = format!("let {names} = {text}\n{outputs}\noutput before = x + 0\noutput given = x");
            let program = program(&text, &inputs(), &Settings::default()).unwrap_or_else(|| panic!("{text}"));
            for _ in 0..3 {
                let found = disagreement(&program, Engine::Jit, true).or(disagreement(&program, Engine::Blocks, false));
                assert_eq!(found, None, "{text}");
            }
        }
    }
}

#[test]
fn a_base_is_made_around_what_is_stored_over_it() {
    let place = ["1:-1, 1:-1", ":, 0", "-1, :", "5:60, 2:", "::-1, 1:-1", "::2, :", "3:70, -1"];
    for first in place {
        for second in place {
            let text = format!(
                "let a = reshape(arange(6400.0), (80, 80))\nvar y = a * 2\ny[{first}] = a[{first}] - 1\n\
                 y[{second}] = y[{second}][::-1] / 3\noutput r = repeat 3 with z = y {{\n  var n = z\n  n[{first}] = z[{first}] + 1\n\
                 \x20 n[{second}] = -n[{second}]\n  n\n}}"
            );
            let program = program(&text, &[], &Settings::default()).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(disagreement(&program, Engine::Jit, true), None, "{text}");
        }
    }
}

#[test]
fn a_late_step_at_fault_says_what_it_was_given() {
    let text = "output r = repeat 9 as t with a = x { assert sum(a) < 60; a[::-1] + t }";
    let program = program(text, &inputs(), &Settings::default()).unwrap();
    let [fast, meaning] = [Engine::Jit, Engine::Reference].map(|engine| {
        let options = Options { engine, ..Options::default() };
        match run(&program, &options) {
            Err(RunError::Step(step)) => *step,
            other => panic!("{engine:?} gives {other:?}"),
        }
    });
    assert_eq!(fast, meaning);
    assert_eq!(fast.number, 4);
    let given = |step: &arrlang::exec::FailedStep| {
        let values = step.program.inputs.iter().map(|input| input.value.clone().expect("it was given"));
        values.map(|value| value.scalars().collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    assert_eq!(given(&fast), given(&meaning));
}
