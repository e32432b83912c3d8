//! Loops that run a step at a time: what a step makes the next one reads, wherever it lies.

use crate::agree::{Verify, disagreement, program};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::{Engine, Options, RunError, plan_text, run};
use arrlang::ir::{NodeKind, Program, loops::LoopRef};
use arrlang::types::Dim;

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
                let by_jit = disagreement(&program, Engine::Jit, Verify::Yes);
                let found = by_jit.or(disagreement(&program, Engine::Blocks, Verify::No));
                assert_eq!(found, None, "{text}");
            }
        }
    }
}

/// Steps that store elements in `z`, which is the state `a` of 100 elements, or `m` of 12 by 20, before. `t` counts.
const STORES: [&str; 29] = [
    "z[t] = a[t + 1] + 1",
    "z[t] = 5",
    "z[7 * t % 100] = a[t] + t",
    "z[3:7] = a[t]",
    "z[t:t + 3] = a[t + 2:t + 5] + 0.5",
    "z[t + 1:t + 4] = a[:3] * 2",
    "z[t] = a[t + 1]\n  z[t + 1] = a[t]",
    "z[t] = 1\n  z[t] = 2\n  z[t + 1] = z[t] + 1",
    "z[t + 1] = z[t] + 1\n  z[0] = z[t + 1]",
    "z[5] = a[6]\n  z[6] = a[5]",
    "z[t] = 3\n  z[t + 1] = z[t] * 2\n  z[t + 2] = z[t] + z[t + 1]",
    "z[3 * t % 5] = 7\n  z[50] = z[t] + z[4]",
    "z[::25] = t",
    "z = where(arange(100) == t, a[99 - t], a)",
    "z = where((arange(100) == t) & (arange(100) == 3), 7.0, a)",
    "z = where(arange(100) == 200 + t, 7.0, a)",
    "z = where(arange(100) == t, a[::-1], a)",
    "z = where(arange(1) == t - 1, 7.0, a)",
    "z = where(arange(1) == t - 1, 7.0, a)\n  z[50] = z[t] + z[t + 1]",
    "z[t, t + 1] = m[t + 2, 3] + m[t, t]",
    "z[t, :] = m[t + 1, :] * 2",
    "z[:, t] = m[:, t + 1] - 1",
    "z[2, t] = m[t, 2]\n  z[t, 5:7] = [1.0, 2.0]",
    "z[t, t:t + 2] = m[t + 1, t + 3:t + 5]",
    "z[t:t + 2, t] = m[t + 1, t + 3:t + 5]\n  z[-1, 0] = sum(m[t, :t])",
    "z[t, 0] = sum(m[:, :t + 1])",
    "z = where(arange(12)[:, None] == t, m[3, 3], m)",
    "z = where((arange(20) == t) & (arange(1) == t - 1), m[1, 1], m)",
    "z[t, 2] = m[0, 0]\n  z[2, t + 3] = z[t, 2] + z[2, 3]",
];

#[test]
fn what_is_stored_at_few_places_is_put_in_the_state() {
    let line: Vec<f64> = (0..100).map(|at| f64::from(at * at % 37)).collect();
    let inputs = vec![
        ("x".to_owned(), Array::from_elements(&[100], &line)),
        ("y".to_owned(), Array::from_elements(&[12, 20], &line.repeat(3)[..240])),
    ];
    for store in STORES {
        let (state, start) = if store.contains("m[") { ("m", "y") } else { ("a", "x") };
        for count in [0, 1, 2, 3, 7] {
            let ending = |value: &str| format!("{{\n  var z = {state}\n  {store}\n  {value}\n}}");
            let step = ending("z");
            let texts = [
                format!("output r = repeat {count} as t with {state} = {start} {step}\noutput given = {start}"),
                format!(
                    "let (p, q) = repeat {count} as t with {state} = {start}, k = 0 {}\noutput r = p\noutput s = q",
                    ending("(z, t + k)")
                ),
                format!("output r = repeat {count} as t while sum({state}) < 4000 with {state} = {start} {step}"),
                format!(
                    "output r = repeat 2 with {state} = {start} {{\n  repeat {count} as t with {state} = {state} {step}\n}}"
                ),
                format!(
                    "output r = scan w = {start}[:{count}] with {state} = {start}, t = 0 {}",
                    ending("(z, t + 1, w + sum(z))")
                ),
            ];
            for text in texts {
                let program = program(&text, &inputs, &Settings::default()).unwrap_or_else(|| panic!("{text}"));
                let by_jit = disagreement(&program, Engine::Jit, Verify::Yes);
                let found = by_jit.or(disagreement(&program, Engine::Blocks, Verify::No));
                assert_eq!(found, None, "{text}");
            }
        }
    }
}

/// Whether a loop with this step stores in its states, which are `x` of 100 elements, or `m` of 12 by 20.
fn is_in_place(step: &str) -> bool {
    let text = format!("let x = arange(100.0)\nlet m = reshape(arange(240.0), (12, 20))\nrepeat 3 as t with {step}");
    let program = program(&text, &[], &Settings::default()).unwrap_or_else(|| panic!("{text}"));
    let plan = plan_text(&program).expect("sizes are known");
    // What computes numbers puts them in place, too.
    ["in place", "of numbers"].iter().any(|kind| plan.contains(&format!("step of a repeat, {kind}")))
}

/// A row that is read at fixed places alone is so many numbers: then the loop is compiled as a whole.
#[test]
fn rows_of_numbers_are_columns() {
    let whole = |step: &str| {
        let text = format!("let m = reshape(arange(240.0), (80, 3))\nscan r = m with s = 0.5 {{ {step} }}");
        let program = program(&text, &[], &Settings::default()).unwrap_or_else(|| panic!("{text}"));
        assert_eq!(disagreement(&program, Engine::Jit, Verify::Yes), None, "{text}");
        plan_text(&program).expect("sizes are known").contains("step of a scan, elementwise")
    };
    assert!(whole("let s = 0.9*s + r[0] - r[2]; (s, s)"));
    assert!(whole("let s = 0.9*s + r[-1]; (s, r[1])"));
    assert!(!whole("let s = 0.9*s + r[0] - sum(r); (s, s)"));
    assert!(!whole("let s = 0.9*s + r[0]; (s, r)"));
}

#[test]
fn stores_of_few_elements_are_found() {
    for store in [
        "z[t] = x[t + 1]",
        "z[t:t + 3] = x[t + 2:t + 5]",
        "z[t] = x[t + 1]\n z[5] = 2.0",
        "z = where(arange(100) == t, x[3], x)",
    ] {
        assert!(is_in_place(&format!("x = x {{\n var z = x\n {store}\n z\n}}")), "{store}");
    }
    for store in ["z[t, t + 1] = m[t + 2, 3]", "z[t, :] = m[t + 1, :] * 2", "z[2, t] = m[t, 1]\n z[t, t:t + 2] = 3.0"] {
        assert!(is_in_place(&format!("m = m {{\n var z = m\n {store}\n z\n}}")), "{store}");
    }
    assert!(is_in_place("x = x, y = x {\n var z = x\n z[t] = y[t]\n (z, y + 1)\n}"));
    let more = [
        "z[t:t + 50] = 1.0",
        "z = where(arange(100) > t, x[t], x)",
        "z = where(arange(100) == t, x[::-1], x)",
        "z[t] = x[t + 1]\n z = z + 1",
    ];
    for store in more {
        assert!(!is_in_place(&format!("x = x {{\n var z = x\n {store}\n z\n}}")), "{store}");
    }
    assert!(!is_in_place("x = x, y = x {\n var z = y\n z[t] = y[t + 1]\n (z, x)\n}"));
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
            assert_eq!(disagreement(&program, Engine::Jit, Verify::Yes), None, "{text}");
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

/// A loop that needs no length runs where lengths are counted: it stays the loop that its results name, and runs once.
#[test]
fn a_length_that_a_loop_does_not_need_leaves_it_alone() {
    let text = "let (a, b) = repeat 3 with a = x, b = y { (a * 2, b + a) }\nx[x > 0]\na + b";
    let mut program = program(text, &inputs(), &Settings::default()).expect("it is right");
    let loops = |program: &Program| -> Vec<LoopRef> {
        let of = program.nodes.iter().filter_map(|node| match &node.kind {
            NodeKind::Loop { of, .. } => Some(of.clone()),
            _ => None,
        });
        of.collect()
    };
    let before = loops(&program);
    assert_eq!((before.len(), program.lengths.len()), (2, 1));
    let name = program.lengths[0].name.clone();
    program.equate(&name, &Dim::Const(3));
    assert_eq!(loops(&program), before);
}
