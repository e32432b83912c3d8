//! `--checked`: integer arithmetic that wraps, division by zero and casts that change a value are errors that name the
//! first element, and nothing else is.

use crate::shell::Folder;
use arrlang::array::Array;
use arrlang::check::Settings;
use arrlang::io::argument::Argument;
use arrlang::session::{Input, Reply, Session};
use arrlang::types::dtype::Element;

/// Evaluates with `--checked`, names bound by literal text.
fn checked(expression: &str, arguments: &[String]) -> Reply {
    let arguments: Vec<Argument> =
        arguments.iter().map(|text| Argument::parse(text.as_ref()).expect("a binding")).collect();
    let settings = Settings { checked: true, ..Settings::default() };
    let mut session = Session { settings, ..Session::default() };
    session.evaluate(&Input { arguments: &arguments, free_names: true, ..Input::new("<test>", expression) })
}

fn list<T: std::fmt::Display>(values: impl Iterator<Item = T>) -> String {
    let values: Vec<String> = values.map(|value| value.to_string()).collect();
    format!("[{}]", values.join(","))
}

/// The index in the message of the only error, or `None` when all went well.
fn first_fault(reply: &Reply) -> Option<usize> {
    let error = reply.diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    let place = error.message.rsplit_once(" at [").expect("a place");
    Some(place.1.trim_end_matches(']').parse().expect("an index"))
}

/// Whether the exact result of `x op y` is the one that the dtype gives.
fn fits(op: &str, x: i64, y: i64, range: &std::ops::RangeInclusive<i64>) -> bool {
    match op {
        "+" => range.contains(&(x + y)),
        "-" => range.contains(&(x - y)),
        "*" => range.contains(&(x * y)),
        "//" => y != 0 && range.contains(&x.div_euclid(y)) && (x, y) != (*range.start(), -1),
        "%" => y != 0,
        _ => unreachable!("the operators below"),
    }
}

fn every_pair<T: Element>(range: std::ops::RangeInclusive<i64>) {
    let ys: Vec<i64> = range.clone().collect();
    let dtype = T::DTYPE;
    let all = list(ys.iter());
    for op in ["+", "-", "*", "//", "%"] {
        for x in range.clone().step_by(5).chain([*range.end(), 0.max(*range.start()), 1]) {
            let reply = checked(&format!("x {op} y"), &[format!("x:{dtype}={x}"), format!("y:{dtype}[256]={all}")]);
            let expected = ys.iter().position(|&y| !fits(op, x, y, &range));
            assert_eq!(first_fault(&reply), expected, "{dtype}: {x} {op} y");
        }
    }
}

#[test]
fn arithmetic_of_eight_bits_is_an_error_exactly_where_it_wraps() {
    every_pair::<i8>(-128..=127);
    every_pair::<u8>(0..=255);
}

#[test]
fn wide_arithmetic_at_its_ends() {
    let cases = [
        ("x + y", "i64", "9223372036854775806", "1", None),
        ("x + y", "i64", "9223372036854775807", "1", Some("overflow")),
        ("x * y", "i64", "4611686018427387904", "2", Some("overflow")),
        ("x * y", "i64", "-4611686018427387904", "2", None),
        ("x * y", "i64", "-9223372036854775808", "-1", Some("overflow")),
        ("x * y", "i64", "-1", "-9223372036854775808", Some("overflow")),
        ("x * y", "u64", "4294967296", "4294967296", Some("overflow")),
        ("x - y", "u64", "1", "2", Some("overflow")),
        ("x // y", "i32", "-2147483648", "-1", Some("overflow")),
        ("x % y", "i32", "5", "0", Some("divided-by-zero")),
        ("x ** y", "i32", "2", "31", Some("overflow")),
        ("x ** y", "i32", "2", "30", None),
        ("x ** y", "i32", "2", "-1", Some("overflow")),
        ("abs(x) + y", "i8", "-128", "0", Some("overflow")),
        ("-x + y", "i8", "-128", "0", Some("overflow")),
        ("-x + y", "u8", "0", "0", None),
        ("-x + y", "u8", "1", "0", Some("overflow")),
    ];
    for (expression, dtype, x, y, expected) in cases {
        let reply = checked(expression, &[format!("x:{dtype}[1]=[{x}]"), format!("y:{dtype}[1]=[{y}]")]);
        let found = reply.diagnostics.iter().find(|diagnostic| diagnostic.is_error()).map(|d| d.code.name);
        assert_eq!(found, expected, "{expression} of {x} and {y} in {dtype}");
    }
}

#[test]
fn casts_that_change_a_value() {
    let cases = [
        ("u8(x)", "i32", "[0, 255]", None),
        ("u8(x)", "i32", "[0, 256]", Some(1)),
        ("u8(x)", "i32", "[-1]", Some(0)),
        ("i8(x)", "u8", "[127, 128]", Some(1)),
        ("u64(x)", "i64", "[0, -1]", Some(1)),
        ("i64(x)", "u64", "[9223372036854775807, 9223372036854775808]", Some(1)),
        ("i32(x)", "f64", "[1.9, -1.9]", None),
        ("i32(x)", "f64", "[2147483647.5, 2147483648.0]", Some(1)),
        ("u8(x)", "f32", "[-0.5, nan]", Some(1)),
        ("i64(x)", "f64", "[9223372036854775808.0]", Some(0)),
        ("i16(x)", "f16", "[1.0, inf]", Some(1)),
        ("f32(x)", "f64", "[0.1]", None),
    ];
    for (expression, dtype, x, expected) in cases {
        let count = x.split(',').count();
        let reply = checked(expression, &[format!("x:{dtype}[{count}]={x}")]);
        assert_eq!(first_fault(&reply), expected, "{expression} of {x} in {dtype}");
    }
}

#[test]
fn a_fault_names_its_operands_and_its_place_in_every_axis() {
    let reply = checked("x + y", &["x:i8[2,2]=[[1, 2], [3, 100]]".into(), "y:i8[2]=[0, 100]".into()]);
    let message = reply.diagnostics.iter().find(|d| d.is_error()).map(|d| d.message.clone());
    assert_eq!(message.as_deref(), Some("`100 + 100` overflows i8 at [1, 1]"));
}

#[test]
fn without_faults_the_values_are_those_of_an_unchecked_run() {
    let arguments = ["x:i32[3]=[7, -8, 9]".to_owned(), "y:i32[3]=[2, 3, -4]".to_owned()];
    for expression in ["x * y + x // y - x % y", "(x - y)**3", "abs(x) * -y", "f32(x) / f32(y)", "i8(x) + i8(y)"] {
        let values = |reply: Reply| reply.values.into_iter().map(|value| value.array).collect::<Vec<Array>>();
        let given: Vec<Argument> =
            arguments.iter().map(|text| Argument::parse(text.as_ref()).expect("a binding")).collect();
        let mut plain = Session::default();
        let input = Input { arguments: &given, free_names: true, ..Input::new("<test>", expression) };
        let unchecked = values(plain.evaluate(&input));
        assert_eq!(unchecked.len(), 1, "{expression}");
        assert_eq!(values(checked(expression, &arguments)), unchecked, "{expression}");
    }
}

/// Small floats take their step in integers, which are nobody's arithmetic.
#[test]
fn the_next_small_float_of_zero_and_of_none_is_no_overflow() {
    for dtype in ["f16", "bf16", "f8_e4m3", "f8_e5m2"] {
        let x = [format!("x:{dtype}[7]=[0,-0.0,nan,-nan,1.5,-2,448]")];
        for towards in ["x", "x + 1", "x * 0", "logaddexp(x, x)"] {
            assert_eq!(first_fault(&checked(&format!("nextafter(x, {towards})"), &x)), None, "{dtype} {towards}");
            assert_eq!(first_fault(&checked(&format!("nextafter({towards}, x)"), &x)), None, "{dtype} {towards}");
        }
    }
}

#[test]
fn what_ranges_prove_to_go_right_is_not_looked_at() {
    let checks = |text: &str| {
        let mut session = Session::default();
        session.settings.checked = true;
        let x = "let a = [1u8, 255]\nlet b = [255u8, 0]\n";
        assert!(session.evaluate(&Input::new("x", x)).outcome.is_done());
        let prepared = session.prepare(&Input::new("text", text));
        prepared.checked.program.expect("a program").checks.len()
    };
    assert_eq!(checks("u8((u16(a)*3 + u16(b))//4)"), 0);
    assert_eq!(checks("u8((u16(a)*3 + u16(b))//3)"), 1);
    assert_eq!(checks("a + b"), 1);
    assert_eq!(checks("u16(a) * 257 + u16(b)"), 1);
}

/// The exact totals along the rows of a table, and where the first one is that does not fit: which row for a total,
/// which element for running ones.
fn first_misfit(function: &str, rows: &[Vec<i128>], range: (i128, i128)) -> Option<usize> {
    let fits = |total: i128| (range.0..=range.1).contains(&total);
    let (start, combine): (i128, fn(i128, i128) -> i128) = match function {
        "sum" | "cumsum" => (0, i128::saturating_add),
        _ => (1, i128::saturating_mul),
    };
    let running = function.starts_with("cum");
    rows.iter().enumerate().find_map(|(at, row)| {
        let mut total = start;
        let misfit = row.iter().position(|&x| {
            total = combine(total, x);
            running && !fits(total)
        });
        match running {
            true => misfit.map(|place| at * row.len() + place),
            false => (!fits(total)).then_some(at),
        }
    })
}

#[test]
fn totals_are_at_fault_exactly_where_the_exact_ones_do_not_fit() {
    let mut random = crate::fuzz_edits::Random::new(25);
    for round in 0..600 {
        let dtype = ["i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64"][round % 8];
        let bits: u32 = dtype[1..].parse().expect("a width");
        let range = match dtype.starts_with('u') {
            true => (0, (1i128 << bits) - 1),
            false => (-(1i128 << (bits - 1)), (1i128 << (bits - 1)) - 1),
        };
        let function = ["sum", "prod", "cumsum", "cumprod"][round / 8 % 4];
        let columns = [1, 2, 3, 5, 40, 1100][random.below(6)];
        // Near the ends, or so small that the total may fit, or just not.
        let large = random.below(3) == 0;
        let element = |random: &mut crate::fuzz_edits::Random| -> i128 {
            let small = if function.ends_with("prod") { 3 } else { 1 + range.1 / columns as i128 };
            let value = match random.below(8) {
                0 if large => range.1 - random.below(3) as i128,
                1 if large => range.0 + random.below(3) as i128,
                2 if function.ends_with("prod") => [0, 1, 2, -2][random.below(4)],
                _ if function.ends_with("prod") && columns > 40 => [1, -1][random.below(2)],
                _ => ((random.below(1 << 30) as i128 * small) >> 30) * [1, -1, 1][random.below(3)],
            };
            value.clamp(range.0, range.1)
        };
        let rows: Vec<Vec<i128>> = (0..3).map(|_| (0..columns).map(|_| element(&mut random)).collect()).collect();
        let text = list(rows.iter().map(|row| list(row.iter())));
        let mut session = Session::default();
        session.settings.checked = true;
        // It adds integers in the dtype that they have.
        session.settings.system = arrlang::promotion::systems::find("tf").expect("a system");
        let arguments = [Argument::parse(format!("x:{dtype}[3,{columns}]={text}").as_ref()).expect("a binding")];
        let expression = format!("{function}(x, axis=1)");
        let input = Input { arguments: &arguments, free_names: true, ..Input::new("<test>", &expression) };
        let reply = session.evaluate(&input);
        let place = reply.diagnostics.iter().find(|found| found.is_error()).map(|error| {
            assert_eq!(error.code.name, "overflow", "{error:?}");
            let place = error.message.rsplit_once(" at [").expect("a place").1.trim_end_matches(']').to_owned();
            place.split(", ").fold(0, |flat, index| flat * columns + index.parse::<usize>().expect("an index"))
        });
        assert!(reply.values.iter().all(|value| value.elem.to_string() == dtype));
        assert_eq!(place, first_misfit(function, &rows, range), "{function} of {dtype}[3,{columns}]: {text:.300}");
    }
}

#[test]
fn what_is_told_before_is_true_under_checked() {
    for (expression, dtype, told) in [
        ("x + x", "u8", "`x + x` can reach 510"),
        ("x * x", "u8", "`x * x` can reach 65025"),
        ("x // 0", "i32", "`//` by zero, which is an error under `checked`"),
        ("sum(x, dtype=u8)", "u8", "it is an error above 255"),
    ] {
        let script = format!("input x: {dtype}[n]\n{expression}\n");
        let folder = Folder::with(&[("a.arr", script.as_bytes())]);
        let found = folder.arr(&["check", "a.arr", "--checked", "--format", "json"]).stdout;
        assert!(found.contains(told), "{expression}: {found}");
    }
}

#[test]
fn a_fault_within_a_function_shows_the_calls_that_led_there() {
    let dbl = "fn dbl(x) = x + x\nfn twice(x) = dbl(x) * 1i8\nlet b = dbl(a[1:])\ntwice(a)\n";
    let pick = "fn pick(x, j) = x[j]\npick(a, a)\n";
    let held = "fn held(x) {\n  assert x[0] > 100\n  x\n}\nheld(a)\n";
    let turns = "fn turns(x) = repeat 2 with s = x { s * 20i8 }\nturns(a)\n";
    for (checked, text, calls) in [
        (true, dbl, &["dbl(x)", "twice(a)"][..]),
        (false, pick, &["pick(a, a)"]),
        (false, held, &["held(a)"]),
        (true, turns, &["turns(a)"]),
    ] {
        let settings = Settings { checked, ..Settings::default() };
        let mut session = Session { settings, ..Session::default() };
        let arguments = [Argument::parse("a:i8[1]=[100]".as_ref()).expect("a binding")];
        let reply = session.evaluate(&Input { arguments: &arguments, free_names: true, ..Input::new("<test>", text) });
        let error = reply.diagnostics.iter().find(|found| found.is_error()).expect("a fault");
        let led = error.labels.iter().filter(|label| label.message == "in this call");
        let led: Vec<&str> = led.map(|label| session.sources.text(label.span)).collect();
        assert_eq!(led, calls, "{error:?}");
    }
}
