//! Slices whose bounds are computed of a counter and a length: the elements that Python takes, whatever is known of the
//! bounds, and on every engine.

use crate::agree::{Verify, disagreement, program, run};
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::exec::Engine;

/// How many steps the loops take.
const STEPS: i64 = 4;

/// `by*k + of*n + more` for the counter `k` and the length `n`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct SliceEnd {
    text: &'static str,
    by: i64,
    of: i64,
    more: i64,
}

const fn end(text: &'static str, by: i64, of: i64, more: i64) -> SliceEnd {
    SliceEnd { text, by, of, more }
}

/// No bound is the empty text.
const ENDS: [SliceEnd; 14] = [
    end("", 0, 0, 0),
    end("k", 1, 0, 0),
    end("k+1", 1, 0, 1),
    end("k-1", 1, 0, -1),
    end("2*k", 2, 0, 0),
    end("n-k", -1, 1, 0),
    end("n-k-1", -1, 1, -1),
    end("n-2*k", -2, 1, 0),
    end("3-k", -1, 0, 3),
    end("-k", -1, 0, 0),
    end("k-n", 1, -1, 0),
    end("n-1", 0, 1, -1),
    end("-1", 0, 0, -1),
    end("2", 0, 0, 2),
];

/// The positions that Python takes.
fn positions([start, stop]: [Option<i64>; 2], step: i64, len: i64) -> Vec<i64> {
    let (lowest, highest) = if step > 0 { (0, len) } else { (-1, len - 1) };
    let place = |bound: i64| (if bound < 0 { bound + len } else { bound }).clamp(lowest, highest);
    let (first, last) = if step > 0 { (lowest, highest) } else { (highest, lowest) };
    let (mut at, last) = (start.map_or(first, place), stop.map_or(last, place));
    let mut found = Vec::new();
    while if step > 0 { at < last } else { at > last } {
        found.push(at);
        at += step;
    }
    found
}

/// Which elements the slices of all steps have, as one number: an element of 2^i is the one at i.
fn wanted(ends: [SliceEnd; 2], step: i64, len: i64) -> i64 {
    (0..STEPS).fold(0, |all, k| {
        let bound = |end: SliceEnd| (!end.text.is_empty()).then_some(end.by * k + end.of * len + end.more);
        let found = positions(ends.map(bound), step, len);
        let sum: i64 = found.iter().map(|&at| 1i64 << at).sum();
        all * 10_000 + sum * 10 + found.len() as i64
    })
}

fn powers(len: i64) -> Vec<(String, Array)> {
    let powers: Vec<i64> = (0..len).map(|at| 1i64 << at).collect();
    vec![("x".to_owned(), Array::from_elements(&[powers.len()], &powers))]
}

fn settings(width: u32) -> Settings {
    Settings { width: Some(width), ..Settings::default() }
}

#[test]
fn slices_at_a_counter_take_what_python_takes() {
    let mut ran = 0;
    for len in [0, 1, 3, 5] {
        let inputs = powers(len);
        for (start, stop) in ENDS.iter().flat_map(|start| ENDS.iter().map(move |stop| (*start, *stop))) {
            for (step, width) in [(1, 64), (1, 32), (-2, 64)] {
                let slice = format!("x[{}:{}:{step}]", start.text, stop.text);
                let text = format!(
                    "input x: i64[n]\nrepeat {STEPS} as k with s = i64(0) {{ \
                     let y = {slice}\ns * 10000 + sum(y) * 10 + i64(len(y)) }}"
                );
                // A slice of a constant length lies in its axis, or is refused.
                let is_window = start.by != 0 && start.by == stop.by;
                let Some(program) = program(&text, &inputs, &settings(width)) else {
                    assert!(is_window, "{slice} of {len}");
                    continue;
                };
                match run(&program, Engine::Reference, Verify::No) {
                    Ok(results) => {
                        let found = results[0].get(0).bits as u64 as i64;
                        assert_eq!(found, wanted([start, stop], step, len), "{slice} of {len}, {width} bits");
                        ran += 1;
                    }
                    Err(error) => assert!(is_window, "{slice} of {len}: {error:?}"),
                }
                if (len, step, width) == (5, 1, 64) {
                    assert_eq!(disagreement(&program, Engine::Jit, Verify::Yes), None, "{slice}");
                }
            }
        }
    }
    assert!(ran > 1_900, "{ran}");
}

/// Two slices of one length, in every default width.
#[test]
fn slices_whose_bounds_are_as_far_apart_are_as_long() {
    let pairs = [
        ("x[:n-k]", "x[k:]"),
        ("x[n-k:]", "x[:k]"),
        ("x[k+1:]", "x[k:-1]"),
        ("x[k:n-1]", "x[k+1:]"),
        ("x[:k]", "x[k:2*k]"),
        ("x[2*k:]", "x[:n-2*k]"),
        ("x[:n-k][:k]", "x[k:][:k]"),
    ];
    for ((one, other), width) in pairs.into_iter().flat_map(|pair| [32, 64].map(|width| (pair, width))) {
        let text = format!("input x: i64[n]\nrepeat {STEPS} as k with s = i64(0) {{ s * 31 + sum({one} * {other}) }}");
        for len in [8, 9] {
            let program = program(&text, &powers(len), &settings(width));
            let program = program.unwrap_or_else(|| panic!("{one} * {other} of {len}, {width} bits"));
            assert_eq!(disagreement(&program, Engine::Jit, Verify::Yes), None, "{one} * {other} of {len}");
        }
    }
}
