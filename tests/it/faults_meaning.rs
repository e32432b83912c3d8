//! Bad input, case by case: what a program means (E10 to E19). Overflow under `--checked`, ranges that forget what is
//! not a number, errors that nobody told, names that are declared twice, arrays beyond what can be counted.

use crate::fuzz_edits::Random;
use crate::lab;
use crate::shell::{Folder, arr_in};
use arrlang::diagnostic::Outcome;
use arrlang::ir::Program;
use arrlang::ops;
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Reply, Session};
use std::fmt::Write;
use std::time::{Duration, Instant};

/// Evaluates with `--checked`.
fn checked(text: &str, arguments: &[&str]) -> Reply {
    let mut session = lab::session(Mode::All);
    session.settings.checked = true;
    let arguments = lab::arguments(arguments.iter().copied());
    session.evaluate(&Input { arguments: &arguments, free_names: true, ..Input::new("checked.arr", text) })
}

/// The first error, or the values.
fn outcome(reply: &Reply) -> String {
    match reply.diagnostics.iter().find(|found| found.is_error()) {
        Some(error) => error.message.clone(),
        None => reply.values.iter().map(lab::shown).collect::<Vec<_>>().join(" "),
    }
}

fn codes(reply: &Reply) -> Vec<&'static str> {
    reply.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code.id).collect()
}

#[test]
fn e10_sums_and_products_that_do_not_fit_are_errors() {
    let wide = "x:i64[2]=[9223372036854775807, 9223372036854775806]";
    let cases = [
        ("sum(x)", "`sum` comes to about 1.8446744073709552e+19 and overflows i64"),
        ("x.sum()", "`sum` comes to about 1.8446744073709552e+19 and overflows i64"),
        ("cumsum(x)", "`9223372036854775807 + 9223372036854775806` overflows i64 at [1]"),
        ("prod(x)", "`prod` comes to about 8.507059173023462e+37 and overflows i64"),
        ("cumprod(x)", "`cumprod` comes to about 8.507059173023462e+37 and overflows i64 at [1]"),
        ("dot(x, x)", "`9223372036854775807 * 9223372036854775807` overflows i64 at [0]"),
        ("dot(x, [1, 1])", "`dot` comes to about 1.8446744073709552e+19 and overflows i64"),
        ("nansum(x)", "`nansum` comes to about 1.8446744073709552e+19 and overflows i64"),
        ("x[0]**2", "`9223372036854775807 ** 2` overflows i64"),
        ("sum(x[:, None], axis=1)", "[9223372036854775807 9223372036854775806]"),
        ("sum(x[None] * [[1], [0]], axis=1)", "`sum` comes to about 1.8446744073709552e+19 and overflows i64 at [0]"),
        ("sum(x * [[0], [1]], axis=1)", "`sum` comes to about 1.8446744073709552e+19 and overflows i64 at [1]"),
        ("mean(x)", "9.223372036854776e+18"),
        ("count_nonzero(x)", "2"),
    ];
    for (text, expected) in cases {
        assert_eq!(outcome(&checked(text, &[wide])), expected, "{text}");
    }
    // What counts is the exact result, not the steps to it.
    let back = "x:i64[3]=[9223372036854775807, 9223372036854775807, -9223372036854775807]";
    assert_eq!(outcome(&checked("sum(x)", &[back])), "9223372036854775807");
    assert_eq!(
        outcome(&checked("cumsum(x)[2]", &[back])),
        "`9223372036854775807 + 9223372036854775807` overflows i64 at [1]"
    );
    assert_eq!(outcome(&checked("prod(x) + 1", &["x:i64[3]=[9223372036854775807, 9223372036854775807, 0]"])), "1");
}

#[test]
fn e10_arithmetic_of_literals_is_guarded_too() {
    for (text, expected) in [
        ("100i8**2", "`100 ** 2` overflows i8"),
        ("dot(4i64, 9223372036854775807i64)", "`4 * 9223372036854775807` overflows i64"),
        ("square(100i8)", "`100 * 100` overflows i8"),
        ("-(-128i8)", "`-(-128)` overflows i8"),
        ("abs(-128i8)", "`abs(-128)` overflows i8"),
        ("gcd(-128i8, -128i8)", "`gcd(-128, -128)` overflows i8"),
        ("gcd(-128i8, 6i8)", "2"),
        ("lcm(100i8, 99i8)", "`100 * 99` overflows i8"),
    ] {
        assert_eq!(outcome(&checked(text, &[])), expected, "{text}");
    }
    assert_eq!(outcome(&checked("2i8 ** k", &["k:i8[1]=[-1]"])), "`2 ** -1` is no integer at [0]");
}

/// A declared range lets a cast go unguarded only where it says something of every value.
#[test]
fn e11_ranges_know_what_is_not_a_number_on_both_sides_of_a_comparison() {
    let inputs = "input t: f64[n] in [-1, 1]\ninput b: f64[n] in [0, 1000]\n";
    // Each is false for what is not a number, and then the other arm is taken, 1000.
    for condition in
        ["sqrt(t) < b", "sqrt(t) <= b", "b > sqrt(t)", "b >= log(t - 2)", "0*t/(0*t) < b", "b > sqrt(t) and b > t"]
    {
        let text = format!("{inputs}let y = i32(where({condition}, 0.0, b))\nu8(y)");
        assert_eq!(codes(&checked(&text, &["t=[-1.0]", "b=[1000.0]"])), ["E0534"], "{condition}");
    }
    let text = format!("{inputs}let y = i32(where(sqrt(t) < b, 0.0, b))\noutput z = u8(y)");
    assert_eq!(outcome(&checked(&text, &["t=[-1.0]", "b=[1000.0]"])), "1000 does not fit u8 at [0]");
}

#[test]
fn e34_values_of_the_command_line_that_need_each_other_are_told() {
    let mut chain: Vec<String> = (0..3000).map(|at| format!("y{at}=y{}", at + 1)).collect();
    chain.push("y3000=1".to_owned());
    let chain: Vec<&str> = chain.iter().map(String::as_str).collect();
    let cases: [(&str, &[&str], &str); 5] = [
        ("x", &["x=x"], "the value of `x` uses `x`"),
        ("1 / max", &["max=max([3, 4])"], "the value of `max` uses `max`"),
        ("x + y", &["x=y + 1", "y=z", "z=x"], "the value of `x` needs itself: x → y → z → x"),
        ("y0", &chain, "more than 200 values on the command line use each other one after the other"),
        ("y2900", &chain[2900..], "1"),
    ];
    for (text, arguments, expected) in cases {
        assert_eq!(outcome(&checked(text, arguments)), expected, "{text}");
    }
}

/// `torch` sums `u64` as `i64`: what does not fit was another number before anything was added.
#[test]
fn e35_conversions_that_nobody_wrote_are_guarded() {
    for (text, expected) in [
        ("sum(x)", "18446744073709551615 does not fit i64 at [1]"),
        ("prod(x)", "18446744073709551615 does not fit i64 at [1]"),
        ("cumsum(x)", "18446744073709551615 does not fit i64 at [1]"),
        ("sum(x[:1])", "7"),
    ] {
        let text = format!("promotion torch\n{text}");
        assert_eq!(outcome(&checked(&text, &["x:u64[2]=[7, 18446744073709551615]"])), expected, "{text}");
    }
}

#[test]
fn e12_a_text_of_257_braces_is_an_error_everywhere() {
    let folder = Folder::new();
    for (name, text) in [
        ("braces.arr", format!("output a = 1\n{}\noutput b = 2", "{".repeat(257))),
        ("mixed.arr", format!("output a = 1\n({{{}\noutput b = 2", "[".repeat(255))),
        ("alone.arr", "{".repeat(260)),
    ] {
        folder.write(name, text.as_bytes());
        for command in ["check", "run", "fmt"] {
            let ran = folder.arr(&[command, name]);
            assert_eq!(ran.code, 1, "{command} {name}: {}", ran.stderr);
            assert!(ran.said().contains("E0115"), "{command} {name}: {}", ran.said());
            assert!(!ran.said().contains("bug in arr"), "{}", ran.said());
        }
        assert_eq!(std::fs::read(folder.path().join(name)).expect("it is there"), text.as_bytes());
    }
}

#[test]
fn e13_no_array_has_more_than_2_to_the_48_elements() {
    for text in [
        "broadcast_to(1i8, (281474976710656, 2))[-1]",
        "arange(10**18)[-1]",
        "arange(0.0, 1e18)[-1]",
        "zeros(281474976710657, dtype=bool)[0]",
        "let x = broadcast_to(1i8, 281474976710656)\nsum(x[:, None] + [1i8, 2i8])",
        "let x = broadcast_to(1i8, 281474976710656)\n(x[:, None] == x)[0, 0]",
        "let x = broadcast_to(1i8, 281474976710656)\nconcat([x, x])[0]",
        "let x = broadcast_to(1i8, 281474976710656)\nstack([x, x])[0, 0]",
        "pad([1], 9223372036854775807)",
        "pad([1], 281474976710656)",
        "take([1, 2], broadcast_to(0, (281474976710656, 2)))[0, 0]",
        "linspace(0, 1, 281474976710657)[0]",
        "reshape(zeros(4), (9223372036854775807, 9223372036854775807))",
    ] {
        let reply = lab::run(text, Mode::All);
        assert_eq!(codes(&reply), ["E0406"], "{text}: {}", outcome(&reply));
    }
    assert_eq!(lab::values("broadcast_to(1i8, (281474976710656, 1))[-1]", Mode::All), ["[1] : i8[1]"]);
}

#[test]
fn e14_a_range_has_bounds_that_are_numbers() {
    for text in [
        "arange(0.0, nan, 1.0)",
        "arange(nan, 1.0)",
        "arange(0.0, 1.0, nan)",
        "arange(0.0, inf)",
        "arange(0.0, 1.0, 0.0)",
    ] {
        assert_eq!(codes(&lab::run(text, Mode::All)), ["E0207"], "{text}");
    }
    assert_eq!(lab::values("arange(1.0, 0.0)", Mode::All), ["[] : f64[0]"]);
}

#[test]
fn e15_messages_say_what_happened() {
    use arrlang::exec::RunError;
    let widest = ["x:i64=9223372036854775807"];
    assert_eq!(outcome(&checked("square(x)", &widest)), "`9223372036854775807 * 9223372036854775807` overflows i64");
    let too_large = "an array of i64 has more elements than an array may have";
    assert_eq!(outcome(&lab::run("pad([1], 9223372036854775807)", Mode::All)), too_large);
    // No limit is named that was kept to.
    let refused = RunError::OutOfMemory { needed: Some(72 << 20), limit: Some(20 << 30) };
    let (found, outcome) = arrlang::session::run_error(&refused, &Program::default());
    assert_eq!(
        (found.message.as_str(), outcome),
        ("the program needs at least 72.0 MiB, and the system gives it no more memory", Outcome::Refused)
    );
}

#[test]
fn e16_an_input_costs_the_same_however_many_names_there_are() {
    let cost = |names: usize| {
        let mut script = String::new();
        (0..names).for_each(|at| {
            let _ = writeln!(script, "let name{at} = {at}");
        });
        let folder = Folder::new();
        folder.write("names.arr", script.as_bytes());
        // Long enough that what differs is not the noise of a start.
        let inputs = "let a = 1\n".repeat(1500);
        let time = |inputs: &str| {
            let started = Instant::now();
            let ran = arr_in(folder.path(), &["repl", "--no-init"], format!(":run names.arr\n{inputs}"));
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            started.elapsed()
        };
        let without = time("");
        time(&inputs).saturating_sub(without)
    };
    let (few, many) = (cost(10), cost(8000));
    // Where each input copied the names it took thirty times as long.
    assert!(many < few * 4 + Duration::from_millis(300), "{few:?} among 10 names, {many:?} among 8000");
}

#[test]
fn e17_the_memory_of_a_result_is_asked_for_before_anything_is_computed() {
    let text = "take(arange(10), broadcast_to(3, (100000, 100000)))[0, 0]";
    let mut session = lab::session(Mode::All);
    let options = arrlang::exec::Options { max_memory: Some(1 << 30), ..Default::default() };
    let started = Instant::now();
    let reply = session.evaluate(&Input { options, ..Input::new("take.arr", text) });
    assert_eq!(outcome(&reply), "the program needs at least 74.5 GiB, and the limit is 1.0 GiB");
    // To look at all indices takes a minute.
    assert!(started.elapsed() < Duration::from_secs(5), "{:?}", started.elapsed());
}

/// Arguments of every kind.
const VALUES: [&str; 34] = [
    "true",
    "[true]",
    "[true, false]",
    "1",
    "-1",
    "0",
    "1.5",
    "nan",
    "inf",
    "1j",
    "[1, 2]",
    "[1.5, 2]",
    "[[1, 2], [3, 4]]",
    "[1j]",
    "zeros(0)",
    "zeros((2, 0))",
    "\"s\"",
    "None",
    "f32",
    "bool",
    "c64",
    "(1, 2)",
    "((1, 2), (3, 4))",
    "(true,)",
    "()",
    "sum",
    "x",
    "n",
    "x.shape",
    "k",
    "9223372036854775807",
    "-128i8",
    "255u8",
    "10**40",
];

#[test]
fn e18_what_has_no_value_has_an_error() {
    assert_eq!(lab::values("pad([true], 1)", Mode::All), ["[false true false] : bool[3]"]);
    let count = std::env::var("ARR_SILENCE_CALLS").ok().and_then(|text| text.parse().ok()).unwrap_or(24);
    let mut random = Random::new(7);
    let names: Vec<&str> = ops::all().flat_map(|op| std::iter::once(op.name).chain(op.aliases())).collect();
    for (at, name) in names.iter().enumerate() {
        for _ in 0..count {
            let args: Vec<&str> = (0..=random.below(3)).map(|_| VALUES[random.below(VALUES.len())]).collect();
            let call = format!("{name}({})", args.join(", "));
            let text = format!(
                "input x: f64[n] in [0, 1]\ninput k: u8[3]\nfn f(a) = {name}(a)\nvar v = [1, 2]\nv[0] = {call}\n\
                 output y = {call}\nassert all({call} == {call})\n{call} + f({})",
                args[0]
            );
            for text in [text, format!("input x: f64[n]\ninput k: u8[3]\noutput y = {call}")] {
                let mode = Mode::ALL[(at + args.len()) % Mode::ALL.len()];
                let mut session = Session::default();
                session.settings.mode = mode;
                let prepared = session.check(&Input::new("call.arr", &text));
                let found: Vec<_> =
                    prepared.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.code.id).collect();
                assert!(!found.contains(&"E0531"), "{text}\n{:#?}", lab::messages(&prepared.diagnostics));
                match &prepared.checked.program {
                    Some(program) => {
                        assert!(found.is_empty(), "{text}");
                        assert!(program.outputs.iter().any(|output| output.name.as_deref() == Some("y")), "{text}");
                    }
                    None => assert!(!found.is_empty(), "nothing and no reason: {text}"),
                }
            }
        }
    }
}

#[test]
fn e19_inputs_and_outputs_are_declared_once() {
    let cases = [
        ("input x: f32\ninput x: f64\nx", "the input `x` is declared twice"),
        ("output y = 1\noutput y = 2", "the output `y` is declared twice"),
        ("let y = 1\noutput y\noutput y = y + 1", "the output `y` is declared twice"),
    ];
    for (text, expected) in cases {
        let (_, prepared) = lab::check(text, Mode::All);
        let error = prepared.diagnostics.iter().find(|it| it.is_error()).expect("an error");
        assert_eq!(error.message, expected, "{text}");
        assert_eq!(error.labels.len(), 2, "both places are shown");
    }
    assert_eq!(lab::values("let x = 1\nlet x = 2\noutput x = x + 1", Mode::All), ["3 : i64"]);
    assert!(!lab::check("input x: f32\noutput x = x * 2", Mode::All).1.diagnostics.has_errors());
}

#[test]
fn messages_say_what_is_wrong_and_what_to_write() {
    let cases: [(&str, &[&str]); 45] = [
        ("random.nomal(random.key(1), 3)", &["no function `random.nomal`", "there is `random.normal`"]),
        ("fft.fftt([1.0, 2.0])", &["no function `fft.fftt`", "there is `fft.fft`"]),
        ("np.linalg.detr(eye(2))", &["no function `np.linalg.detr`", "there is `linalg.det`"]),
        // Names of JAX and NumPy that only look like slips.
        ("random.lognormal(random.key(1))", &["`random.lognormal` is not there yet"]),
        ("fft.dct([1.0])", &["`fft.dct` is not there yet"]),
        ("np.r_[1, 2]", &["`concat([[1], [2]])`"]),
        ("np.c_[1, 2]", &["`column_stack([1, 2])`"]),
        ("zeros(3, \"u1\")", &["`u1` is not a dtype", "there is `u8`"]),
        ("zeros(3, \"<f4\")", &["`<f4` is not a dtype", "there is `f32`"]),
        ("[1, 2].astype(\"flaot32\")", &["`flaot32` is not a dtype", "there is `float32`"]),
        (
            "take([1, 2], [0], mode=\"warp\")",
            &["`mode` is one of \"raise\", \"wrap\", \"clip\"", "there is `\"wrap\"`"],
        ),
        ("segment_sum([1], array([18446744073709551615], dtype=u64), 2)", &["the label 18446744073709551615 at [0]"]),
        ("segment_sum([1], [0], 2**63)", &["this is 9223372036854775808"]),
        ("pad([1, 2], max([1, 2]))", &["this is computed then", "`input n: i64 = 10`"]),
        ("interp([1.5], [2.0, 1.0], [1.0, 2.0])", &["`xp[0]` is 2.0, and the next one is less"]),
        ("histogram([1.0, 2.0], [1.0, 3.0, 2.0])", &["`bins[1]` is 3.0, and the next one is less"]),
        ("histogram([1.0, inf], 3)", &["no bins of a finite width reach inf"]),
        ("[1, 2][[1, 2] > 9][0]", &["axis 0 has length 0"]),
        ("add_at(zeros(3), [0, 1], [1.0, 2.0, 3.0])", &["`zeros(3)[…]` stays [2]", "to the shape of the part"]),
        // A dtype is no method, and items of one list may stand before a dot.
        ("[1.7].to(\"cuda:0\")", &["`cuda:0` is not a dtype", "nothing here needs a device"]),
        ("sum([[1.5]], axis='rows')", &["an axis is a whole number", "axes have no names: write `0`"]),
        ("[[1.5]].mean(axis=\"columns\")", &["axes have no names: write `1`"]),
        ("pd.Series([1.5]).mean()", &["`pd.Series` is not defined", "write `x` for `pd.Series(x)`"]),
        (
            "np.apply_along_axis(lambda r: r.sum(), 0, [[1.5]])",
            &["there is no `lambda` here", "in a line above, `fn f(r) = r.sum()`, and write `f`"],
        ),
        ("[1.7].f32()", &["`f32` is a dtype, and no method", "write `f32([1.7])`"]),
        ("([1] + [2]).u8()", &["`u8` is a dtype, and no method", "write `u8([1] + [2])`"]),
        ("[1].concat([2])", &["takes its arrays in one list", "write `concat([[1], [2]])`"]),
        ("[1].concat([2], axis=0)", &["write `concat([[1], [2]], axis=0)`"]),
        ("2 .zeros(3)", &["takes its sizes in one list", "write `zeros([2, 3])`"]),
        ("complex(1, 2)", &["`complex` is not a dtype here", "write `1 + 2*1j`"]),
        ("complex(real=1, imag=2)", &["write `1 + 2*1j`"]),
        ("complex(imag=2)", &["write `0 + 2*1j`"]),
        ("complex(a=1, b=2)", &["write `x + y*1j`"]),
        ("complex(\"1+2j\")", &["write `x + y*1j`"]),
        ("complex(1)", &["write `c128(…)`"]),
        ("f32(1, 2)", &["of several values make one array: `f32([1, 2])`"]),
        ("f32()", &["as in `f32(1)`"]),
        ("f32([1], axis=0)", &["a conversion takes no keywords: write `f32([1])`"]),
        ("f32(x=[1])", &["write the value without a name: `f32([1])`"]),
        ("[1].u8(2)", &["a conversion takes one value alone: `u8([1])`"]),
        ("np.add(1, 2, out=zeros(2))", &["a result has a name: `let y = add(1, 2)`"]),
        (
            "np.divide([1.0], [2.0], out=np.zeros_like([1.0]), where=[true])",
            &["choose between both: `where([true], divide([1.0], [2.0]), np.zeros_like([1.0]))`"],
        ),
        ("c64(1 - 2, 3 + 4)", &["converts exactly one value", "write `c64((1 - 2) + (3 + 4)*1j)`"]),
        ("let\u{a0}s = 1", &["(U+00A0) stands here", "write an ordinary space"]),
        ("pad(zeros((2, 0)), 1, \"edge\")", &["no elements along axis 1", "\"constant\" needs none"]),
    ];
    let folder = Folder::new();
    for (text, wanted) in cases {
        let ran = folder.arr(&["eval", text]);
        assert_eq!(ran.code, 1, "{text}");
        assert!(wanted.iter().all(|part| ran.stderr.contains(part)), "{text}\n{}", ran.stderr);
    }
    let ran = folder.arr(&["eval", "round([1.5], [1])"]);
    assert_eq!(ran.stderr.matches("Error[").count(), 1, "{}", ran.stderr);
}
