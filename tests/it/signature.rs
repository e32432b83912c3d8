//! `arr signature`: the tables of functions and scripts, against recorded outputs and against the checker itself.

use crate::lab;
use crate::shell::Folder;
use arrlang::check::Settings;
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::session::signature::{SignatureOptions, Signatures};
use arrlang::session::{Input, Session};
use arrlang::types::Elem;
use serde_json::Value;

/// What the command prints for a script; it must succeed.
fn printed(script: &str, more: &[&str]) -> String {
    let folder = Folder::new();
    folder.write("s.arr", script.as_bytes());
    let ran = folder.arr(&[&["signature", "s.arr"], more].concat());
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    ran.stdout
}

fn signatures(script: &str, settings: Settings) -> Signatures {
    let mut session = Session { settings, ..Session::default() };
    let found = session.signatures(&Input::new("s.arr", script), &SignatureOptions::default());
    assert!(found.outcome.is_done());
    found
}

#[test]
fn one_parameter() {
    let text = printed("fn norm(x) = (x - mean(x)) / sqrt(mean(x * x))\n", &[]);
    assert_eq!(
        text,
        "\
norm(x)
  x[n]                          result    modes            what the next mode refuses
  bool, integers up to 16 bits  f32       all, safe        implicit-promotion
  u32, i32                      f32       all              inexact-conversion
  u64, i64                      f64       all              inexact-conversion
  floats, c64, c128             the same  all, safe, none
  i*, f*                        f64       all, safe, none
  c*                            c128      all, safe, none
"
    );
}

#[test]
fn a_terminal_is_not_too_narrow() {
    let folder = Folder::new();
    folder.write("s.arr", b"fn both(x, y) = x + y\n");
    let mut narrow = crate::shell::command(folder.path(), &["signature", "s.arr"]);
    let output = narrow.env("COLUMNS", "80").output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("implicit-promotion") && text.lines().all(|line| line.chars().count() <= 80), "{text}");
}

#[test]
fn annotations_restrict_the_table() {
    let script = "fn both(x: f32[n], y) {\n  let s = x + y\n  (s, argmax(s))\n}\n";
    assert_eq!(
        printed(script, &["--mode", "safe"]),
        "\
both(x: f32[n], y)
  x[n]  y[n]                                     result    modes            what the next mode refuses
  f32   bool, integers up to 16 bits, bf16, f16  f32, i64  all, safe        implicit-promotion
  f32   u32, u64, i32, i64                       -         -                precision-loss
  f32   f8_e4m3, f8_e5m2                         -         -                no-common-dtype
  f32   f32, i*, f*                              f32, i64  all, safe, none
  f32   f64                                      f64, i64  all, safe        implicit-promotion
  f32   c64, c128, c*                            -         -                unsupported-dtype
"
    );
}

#[test]
fn two_parameters_have_every_combination() {
    let script = "fn scale(x, k) = x * k\n";
    let found: Value = serde_json::from_str(&printed(script, &["--format", "json"])).expect("JSON");
    let table = &found["functions"][0];
    assert_eq!((&table["name"], &table["complete"]), (&"scale".into(), &true.into()));
    let rows = table["rows"].as_array().expect("rows");
    assert_eq!(rows.len(), 20 * 20);
    let row = |x: &str, k: &str| rows.iter().find(|row| row["at"]["x"] == x && row["at"]["k"] == k).expect("a row");
    let means = |x, k| (row(x, k)["result"].clone(), row(x, k)["mode"].clone());
    assert_eq!(means("i8", "u32"), ("i64".into(), "all".into()));
    assert_eq!(means("u8", "i16"), ("i16".into(), "all".into()));
    assert_eq!(means("u8", "f32"), ("f32".into(), "safe".into()));
    assert_eq!(means("f32", "f32"), ("f32".into(), "none".into()));
    assert_eq!(means("f32", "f*"), ("f32".into(), "none".into()));
    let text = printed(script, &[]);
    assert!(text.contains("  integers up to 16 bits ") && text.lines().count() < 80, "{text}");
}

#[test]
fn one_row_is_asked_for() {
    let script = "input t: _[n]\nfn scale(x, k) = x * k\noutput y = t / 2\n";
    let row = printed(script, &["--at", "x:f32,k:i64"]);
    assert_eq!(
        row,
        "scale(x, k)\n  x[n]  k[n]  result  modes  what the next mode refuses\n  f32   i64   f32     all    precision-loss\n"
    );
    let script_row = printed(script, &["--at", "t:i32", "--system", "numpy"]);
    assert!(script_row.starts_with("the script\n  t[n]  y    modes"), "{script_row}");
    assert!(script_row.contains("  i32   f64 "), "{script_row}");
}

#[test]
fn options_and_mistakes_are_answered() {
    let folder = Folder::new();
    folder.write("s.arr", b"fn f(x) = x + 1\n");
    folder.write("broken.arr", b"fn f(x) = \n");
    folder.write("empty.arr", b"let a = 1\n");
    for (args, code, words) in [
        (vec!["s.arr", "--at", "q:f32"], 2, "takes `q`"),
        (vec!["s.arr", "--at", "x:f33"], 2, "`f33` is no type"),
        (vec!["s.arr", "--at", "x"], 2, "NAME:TYPE"),
        (vec!["s.arr", "--at", "x:f32,x:f64"], 2, "given twice"),
        (vec!["empty.arr"], 2, "no functions and no outputs"),
        (vec!["broken.arr"], 1, "expected"),
        (vec!["gone.arr"], 3, "gone.arr"),
    ] {
        let ran = folder.arr(&[vec!["signature"], args.clone()].concat());
        assert_eq!((ran.code, ran.stderr.contains(words)), (code, true), "{args:?}\n{}", ran.stderr);
    }
}

#[test]
fn three_parameters_have_rules() {
    let text = printed("fn mix(a, b, t) = a + b + t\n", &[]);
    assert!(text.contains("  integers up to 16 bits  ") && text.contains("that of b"), "{text}");
    assert!(text.ends_with("`--at` asks for any other row)\n"), "{text}");
    let one = printed("fn mix(a, b, t) = a + b + t\n", &["--at", "a:u8,b:i8,t:f16"]);
    assert!(one.contains("  u8    i8    f16   f16     all    widening"), "{one}");
}

/// Every row says what a script that calls the function so is told.
#[test]
fn rows_are_what_calls_are_told() {
    let bodies = [
        "x * k",
        "x / k + 1",
        "where(x > 0, x, k)",
        "sum(x) - mean(k)",
        "sqrt(abs(x)) + k**2",
        "x[0] << k",
        "maximum(x & 7, k)",
        "cumsum(x) % k",
    ];
    let mut rows = 0;
    for (at, body) in bodies.iter().enumerate() {
        let system = systems::find(["jax", "numpy", "torch", "rfc"][at % 4]).expect("a system");
        let settings = Settings { system, ..Settings::default() };
        let function = format!("fn f(x, k) = {body}\n");
        let found = signatures(&function, settings.clone());
        let table = &found.tables[0];
        for row in table.rows.iter().filter(|row| row.at.iter().all(|elem| !elem.is_weak())).step_by(3) {
            let inputs: String = table
                .params
                .iter()
                .zip(&row.at)
                .map(|(param, elem)| format!("input {}: {elem}{}\n", param.name, param.shape))
                .collect();
            let script = format!("{inputs}{function}f(x, k)\n");
            let mut strictest: (Option<Mode>, Option<Vec<Elem>>) = (None, None);
            for mode in [Mode::All, Mode::Safe, Mode::None] {
                let settings = Settings { mode, ..settings.clone() };
                let mut session = Session { settings, ..Session::default() };
                let prepared = session.check(&Input::new("s.arr", &script));
                if prepared.checked.program.is_none() {
                    break;
                }
                strictest = (Some(mode), strictest.1.or(Some(prepared.checked.outputs)));
            }
            assert_eq!((row.mode, row.result.clone()), strictest, "{script}{row:?}");
            rows += 1;
        }
    }
    println!("{rows} rows");
    assert!(rows > 500);
}

/// The mode of the row, and what the next one refuses.
fn verdict(printed: &str) -> (Value, Value) {
    let found: Value = serde_json::from_str(printed).expect("JSON");
    let row = &found["functions"][0]["rows"][0];
    (row["mode"].clone(), row["findings"].clone())
}

#[test]
fn verdicts_are_those_of_a_check() {
    let doubled = "input x: u8[n]\noutput y = x + x\n";
    let tripled = "fn f(x) = x * 3\n";
    let silenced = "input x: u8[n]\noutput y = x + x  # arr: allow(integer-overflow)\n";
    let (overflow, nothing) = (serde_json::json!(["integer-overflow"]), serde_json::json!([]));
    let unused = "input x: u8[n]\nlet a = x\noutput y = x & 1\n";
    for (script, options, mode, findings) in [
        (doubled, &[][..], "all", &overflow),
        (doubled, &["--allow", "integer-overflow"], "none", &nothing),
        (doubled, &["--warn", "integer-overflow"], "none", &nothing),
        (doubled, &["--deny", "integer-overflow"], "-", &overflow),
        (silenced, &[], "none", &nothing),
        (unused, &[], "none", &nothing),
        (unused, &["--deny", "unused-binding"], "-", &serde_json::json!(["unused-binding"])),
        (tripled, &["--at", "x:u8"], "all", &overflow),
        (tripled, &["--at", "x:i32"], "none", &nothing),
        (tripled, &["--at", "x:u8", "--allow", "integer-overflow"], "none", &nothing),
        (tripled, &["--at", "x:u8", "--deny", "integer-overflow"], "-", &overflow),
    ] {
        let told = verdict(&printed(script, &[options, &["--format", "json"]].concat()));
        assert_eq!(told, (mode.into(), findings.clone()), "{script}{options:?}");
    }
    // A script that is given no types is checked as it is.
    for mode in ["all", "safe", "none"] {
        let folder = Folder::with(&[("s.arr", doubled.as_bytes())]);
        assert_eq!(folder.arr(&["check", "--mode", mode, "s.arr"]).code, i32::from(mode != "all"));
    }
}

#[test]
fn tables_are_fast() {
    let script = lab::root("examples/promotions.arr");
    let text = std::fs::read_to_string(script).expect("the example is there");
    let functions: String =
        (0..20).map(|at| format!("fn f{at}(x, k) = (x - mean(x)) * k + sqrt(abs(k)) / 2\n")).collect();
    let started = std::time::Instant::now();
    let found = signatures(&format!("{functions}{text}"), Settings::default());
    assert!(found.tables.iter().filter(|table| table.rows.len() == 400).count() >= 20);
    let each = started.elapsed().as_secs_f64() / 20.0;
    println!("{:.1} ms for a table of 400 rows in three modes", 1e3 * each);
    assert!(each < 0.5, "{each} s");
}

/// Functions that call functions are no more than what their bodies come to, and there is a limit.
#[test]
fn chains_of_calls_end() {
    let chain = |body: &str| -> String {
        let links = (1..40).map(|at| format!("fn g{at}(x) = {}\n", body.replace('g', &format!("g{}", at - 1))));
        std::iter::once("fn g0(x) = x + 1\n".to_owned()).chain(links).collect()
    };
    let short = signatures(&chain("g(x) + 1"), Settings::default());
    assert!(short.tables.len() == 40 && short.tables.iter().all(|table| !table.too_large && table.whole));
    let text = printed(&chain("g(g(g(x)))"), &[]);
    let told = "(its calls come to too many expressions to be shown; `--at` asks for one row)\n";
    assert!(text.contains("g5(x)\n  x[n] ") && text.ends_with(&format!("g39(x)\n  {told}")), "{text}");
    assert!((25..35).contains(&text.matches(told).count()), "{text}");
}
