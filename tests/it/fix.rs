//! `arr check --fix`: what is mended, what is left alone, and that no value changes where none should.

use crate::lab;
use crate::shell::{Folder, Ran, arr_in};
use arrlang::array::json::write_json;
use arrlang::diagnostic::Level;
use arrlang::diagnostic::codes;
use arrlang::exec::{Engine, Options};
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;
use std::fmt::Write;
use std::path::Path;

/// A script with a value-preserving fix in its second line, in mode `safe`.
const WIDENS: &str = "input a: i16[n]\ninput b: i32[n]\nlet c = a + b\noutput d = c + b\n";

fn fixed(text: &str, args: &[&str]) -> Ran {
    let args: Vec<&str> = ["check", "-", "--fix"].iter().chain(args).copied().collect();
    arr_in(Path::new("."), &args, text)
}

#[test]
fn a_body_that_several_calls_share_is_mended_on_demand_alone() {
    let script = "input a: i32[n]\ninput b: f32[n]\nfn f(x, y) = x * y\nf(a, b)\nf(f64(a), b)\n";
    let folder = Folder::with(&[("a.arr", script.as_bytes())]);
    folder.arr(&["check", "--fix", "a.arr"]);
    let text = |folder: &Folder| std::fs::read_to_string(folder.path().join("a.arr")).expect("the script is there");
    assert_eq!(text(&folder), script);
    folder.arr(&["check", "--fix", "--unsafe-fixes", "a.arr"]);
    assert!(text(&folder).contains("fn f(x, y) = f64(x) * y"), "{}", text(&folder));
}

#[test]
fn a_body_is_not_mended_for_one_of_several_dtypes() {
    let script = "input a: u8[n]\ninput b: i32[n]\nfn f(x, y) = x + y\nf(a, a)\nf(b, b)\n";
    let all = fixed(script, &["--unsafe-fixes"]);
    assert_eq!(all.stdout, script.replace("= x + y", "= i32(x) + y"), "`u16(x)` would wrap what the second call gives");
    let floats = script.replace("b: i32[n]", "b: f32[n]");
    assert_eq!(fixed(&floats, &["--unsafe-fixes"]).stdout, floats, "no cast to integers holds floats");
    let one = script.replace("f(b, b)", "f(a[1:], a[1:])");
    assert_eq!(fixed(&one, &["--unsafe-fixes"]).stdout, one.replace("= x + y", "= u16(x) + y"));
    let misspelt = script.replace("x + y", "maximum(x, yy)");
    assert_eq!(fixed(&misspelt, &["--unsafe-fixes"]).stdout, script.replace("x + y", "maximum(x, y)"));
}

/// A cast in a function holds the values of all calls, not only of that which is told.
#[test]
fn a_body_is_mended_for_all_calls() {
    let inputs = "input a: u8[n] in [0, 15]\ninput b: u8[n]\ninput c: u16[n]\ninput d: i8[n]\n";
    for (script, mended) in [
        ("fn f(x) = x - 20\nf(a)\nf(b)\n", "fn f(x) = i16(x) - 20\nf(a)\nf(b)\n"),
        ("fn f(x) = x - 20\nf(a)\n", "fn f(x) = i8(x) - 20\nf(a)\n"),
        ("fn f(x) = x + x\nf(b)\nf(c)\n", "fn f(x) = u32(x) + x\nf(b)\nf(c)\n"),
        ("fn f(x) = x + x\nf(b)\nf(d)\n", "fn f(x) = i16(x) + x\nf(b)\nf(d)\n"),
        ("fn f(x) = -x\nf(b)\nf(c)\n", "fn f(x) = -i32(x)\nf(b)\nf(c)\n"),
    ] {
        let done = fixed(&format!("{inputs}{script}"), &["--unsafe-fixes"]);
        assert_eq!(done.stdout, format!("{inputs}{mended}"), "{}", done.stderr);
        assert!(done.stderr.ends_with(", 0 remain\n"), "{}", done.stderr);
    }
}

/// Two casts in one expression are each right alone. What the script makes of a sum follows to the dtype that mends it,
/// and nobody would be told of what wraps in u32.
#[test]
fn a_cast_has_room_for_what_is_made_of_the_result() {
    let inputs = "input a: u16[n]\ninput b: u16[n]\ninput c: i8[n]\ninput d: i16[n]\n";
    for (script, mended) in [
        ("b * (a + b)\n", "u64(b) * (u64(a) + b)\n"),
        ("let v = a + b\nb * v\n", "let v = u64(a) + b\nb * v\n"),
        ("fn f(x) = (x + x) * x\nf(a)\n", "fn f(x) = (u64(x) + x) * x\nf(a)\n"),
        ("u16(b * (a + b))\n", "u16(b * (a + b))\n"),
        ("maximum(a, c) * a\n", "i64(maximum(a, c)) * a\n"),
        ("fn f(x) = 200 + (x + x)\nf(c)\nf(d)\n", "fn f(x) = 200 + (i32(x) + x)\nf(c)\nf(d)\n"),
    ] {
        let done = fixed(&format!("{inputs}{script}"), &["--unsafe-fixes"]);
        assert_eq!(done.stdout, format!("{inputs}{mended}"), "{}", done.stderr);
        assert!(done.stderr.ends_with(", 0 remain\n"), "{}", done.stderr);
    }
    let beyond = fixed(&format!("{inputs}let v = b * (a + b)\n(b * 3) * (v * v)\n"), &["--unsafe-fixes"]);
    assert!(beyond.stdout.contains("let v = i64(b) * (i32(a) + b)\n"), "{}", beyond.stdout);
    assert!(!beyond.stderr.contains(", 0 remain"), "no dtype holds it: {}", beyond.stderr);
}

/// What was found by random programs: a second run found more to do, and made casts of the first one lose values.
#[test]
fn a_second_run_finds_nothing_to_do() {
    let inputs = "input a: u16[n]\ninput b: u8[n]\ninput c: u16[n] in [0, 3000]\ninput d: i16[n]\n";
    for script in [
        "fn f(x) = -x\nlet v = f(a) + a\nv\nf(b)\n",
        "fn f(x, y) = 2 + (-x)\nlet v = f(a, a) + a\nlet w = f(d, d) + v\nw\n",
        "fn f(x) = -(x * x)\nlet v = f(c)\nf(v)\n",
        "fn f(x) = x * x\nlet v = f(b) + b\nf(v)\n",
        "fn f(x, y) = (x * y) - (x - y)\nlet v = f(a, b) + b\nv\n",
        "let v = u16(b - 20)\nv\n",
    ] {
        let text = format!("{inputs}{script}");
        let once = fixed(&text, &["--unsafe-fixes"]).stdout;
        assert_eq!(fixed(&once, &["--unsafe-fixes"]).stdout, once, "{text}");
    }
    let mended = fixed(&format!("{inputs}fn f(x) = -x\nf(a) + a\n"), &["--unsafe-fixes"]).stdout;
    assert!(mended.contains("fn f(x) = -i32(x)\n"), "the body comes first: {mended}");
}

#[test]
fn a_fix_does_what_its_help_says() {
    let inputs = "input c: u16[4]\ninput i: i32[4]\ninput f: f32[4]\n";
    for (system, line, mended) in [
        ("jax", "setdiff1d(i, f)", "setdiff1d(i, f64(f))"),
        ("jax", "setdiff1d(f, i)", "setdiff1d(f, f64(i))"),
        ("jax", "cumsum(c)", "cumsum(i64(c))"),
        ("jax32", "cumsum(c)", "cumsum(i32(c))"),
        ("jax32", "sum(c, dtype=u16)", "sum(c, dtype=i32)"),
        ("jax32", "i / 3", "i / 3"),
        ("jax32", "i + f", "i + f"),
        ("torch", "dot(c, c)", "dot(i64(c), i64(c))"),
        ("numpy", "dot(c, c)", "dot(i64(c), c)"),
        ("numpy", "zeros(4) + f", "zeros(4, dtype=f32) + f"),
        ("numpy", "zeros(4) + i", "zeros(4) + i"),
        ("jax", "choose(i, 3)", "choose(i, [3])"),
        ("jax", "select(f > 0, [f])", "select([f > 0], [f])"),
        ("jax", "lexsort(3)", "lexsort(3)"),
    ] {
        let done = fixed(&format!("{inputs}{line}\n"), &["--unsafe-fixes", "--system", system]);
        assert_eq!(done.stdout.lines().last(), Some(mended), "{system}: {}", done.stderr);
    }
    assert_eq!(fixed("fn f(x) = { x + 1 }\nf(1)\n", &[]).stdout, "fn f(x) { x + 1 }\nf(1)\n");
    let apart = "fn f(x) =\n{ x }\nf(1)\n";
    assert_eq!(fixed(apart, &[]).stdout, apart, "the brace would stand on a line of its own");
    let beside = "let x = 1\nassert x > 0, \"text\"; x\n";
    assert_eq!(fixed(beside, &[]).stdout, beside, "what stands behind the text would be a comment");
}

#[test]
fn a_complex_number_is_not_said_to_need_a_dtype() {
    let ran = arr_in(Path::new("."), &["eval", "modf(1j)"], "");
    assert!(ran.stderr.contains("take the parts first"), "{}", ran.stderr);
}

/// A fix is made for the dtype that a value has. Where another fix makes that one wider, it waits, and is made anew.
#[test]
fn no_cast_is_written_for_a_dtype_that_another_fix_changes() {
    for (script, mended) in [
        ("let s = cumsum(a)\ns[3:] - s[:-3]\n", "let s = cumsum(i64(a))\ns[3:] - s[:-3]\n"),
        ("let s = cumsum(a)\ns + 1\n", "let s = cumsum(i64(a))\ns + 1\n"),
        ("let d = a * a\n-d\n", "let d = u16(a) * a\n-i32(d)\n"),
        ("let d = a * a\nlet e = d * d\ne - a\n", "let d = u16(a) * a\nlet e = u32(d) * d\ni64(e) - a\n"),
        ("fn f(x) = x * x\nlet s = f(a)\ns - 1\n", "fn f(x) = u16(x) * x\nlet s = f(a)\ni32(s) - 1\n"),
        ("fn f(x) = x + 1\nf(cumsum(a))\n", "fn f(x) = x + 1\nf(cumsum(i64(a)))\n"),
        (
            "repeat 2 with s = a {\n  let t = cumsum(s)\n  u8(-t)\n}\n",
            "repeat 2 with s = a {\n  let t = cumsum(i64(s))\n  u8(-t)\n}\n",
        ),
    ] {
        let inputs = "input a: u8[n]\n";
        let done = fixed(&format!("{inputs}{script}"), &["--unsafe-fixes"]);
        assert_eq!(done.stdout, format!("{inputs}{mended}"), "{}", done.stderr);
        assert!(done.stderr.ends_with(", 0 remain\n"), "{}", done.stderr);
    }
}

/// A cast of a state to integers would make an error a silent wrap.
#[test]
fn a_state_is_not_cast_to_integers() {
    let script = "input a: u8[n]\ninput b: i32[n]\nrepeat 2 with s = a { s + b }\n";
    assert_eq!(fixed(script, &["--unsafe-fixes"]).stdout, script);
}

#[test]
fn files_are_mended_where_they_stand() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("a.arr", WIDENS.as_bytes()), ("b.arr", WIDENS.as_bytes())]);
    let path = folder.path().join("a.arr");
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).expect("it is ours");
    assert_eq!(folder.arr(&["check", "--mode", "none", "a.arr"]).code, 1);
    let ran = folder.arr(&["check", "--mode", "none", "--fix", "a.arr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, ""), "{}", ran.stderr);
    assert_eq!(ran.stderr, "fixed 1 in 1 file, 0 remain\n");
    let text = std::fs::read_to_string(&path).expect("it is text");
    assert_eq!(text, WIDENS.replace("a + b", "i32(a) + b"));
    assert_eq!(std::fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
    assert_eq!(std::fs::read(folder.path().join("b.arr")).expect("it is there"), WIDENS.as_bytes(), "not named");
    let again = folder.arr(&["check", "--mode", "none", "--fix", "a.arr"]);
    assert_eq!((again.code, again.stderr.as_str()), (0, "fixed 0, 0 remain\n"));
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2, "no file is left behind");
}

#[test]
fn fixes_that_change_values_are_asked_for() {
    let script = "input x: i32[n]\ninput y: f32[n]\nx * y\n";
    let kept = fixed(script, &[]);
    assert_eq!(kept.stdout, script, "a cast that writes the loss down would hide it");
    assert!(kept.stderr.ends_with("fixed 0, 1 remains (1 with a fix that may change values: --unsafe-fixes)\n"));
    let all = fixed(script, &["--unsafe-fixes"]);
    assert_eq!(all.stdout, script.replace("x * y", "f64(x) * y"), "nothing is rounded any more");
    let named = fixed("let total = 1\ntotl + 1\n", &[]);
    assert_eq!((named.code, named.stdout.as_str()), (1, "let total = 1\ntotl + 1\n"));
    assert!(named.stderr.ends_with("fixed 0, 2 remain (2 with a fix that may change values: --unsafe-fixes)\n"));
    let named = fixed("let total = 1\ntotl + 1\n", &["--unsafe-fixes"]);
    assert_eq!((named.code, named.stdout.as_str()), (0, "let total = 1\ntotal + 1\n"));
    assert_eq!(arr_in(Path::new("."), &["check", "-", "--unsafe-fixes"], "1").code, 2);
}

/// To put a part back would undo what was stored in its source since the part was made.
#[test]
fn a_part_is_put_back_where_nothing_else_was_stored() {
    let mixed = "var g = zeros(4)\nvar s = g[1:3]\ng[2] = 5\ns[0] = 1\noutput r = g\noutput s\n";
    assert_eq!(fixed(mixed, &["--unsafe-fixes"]).stdout, mixed);
    let parts = mixed.replace("g[2] = 5", "var t = g[2:]\nt[0] = 5\noutput t");
    let kept = fixed(&parts, &["--unsafe-fixes"]).stdout;
    assert!(!kept.contains("g[1:3] = s"), "{kept}");
    let plain = mixed.replace("g[2] = 5\n", "");
    assert_eq!(fixed(&plain, &["--unsafe-fixes"]).stdout, plain.replace("= 1\n", "= 1\ng[1:3] = s\n"));
}

#[test]
fn line_ends_and_the_byte_order_mark_stay() {
    let text = format!("\u{feff}{}", WIDENS.replace('\n', "\r\n"));
    let ran = fixed(&text, &["--mode", "none"]);
    assert_eq!((ran.code, ran.stdout), (0, text.replace("a + b", "i32(a) + b")));
}

#[test]
fn a_diff_changes_nothing() {
    let folder = Folder::with(&[("a.arr", WIDENS.as_bytes())]);
    for args in
        [&["check", "--mode", "none", "--fix", "--diff", "a.arr"][..], &["check", "--mode", "none", "--diff", "a.arr"]]
    {
        let ran = folder.arr(args);
        assert_eq!(
            ran.stdout,
            "--- a.arr\n+++ a.arr\n@@ -1,4 +1,4 @@\n input a: i16[n]\n input b: i32[n]\n-let c = a + b\n+let c = i32(a) + b\n output d = c + b\n"
        );
        assert_eq!((ran.code, ran.stderr.as_str()), (1, "would fix 1 in 1 file, 0 remain\n"));
        assert_eq!(std::fs::read(folder.path().join("a.arr")).expect("it is there"), WIDENS.as_bytes());
    }
    let clean = folder.arr(&["check", "--diff", "a.arr"]);
    assert_eq!((clean.code, clean.stdout.as_str()), (0, ""));
}

#[test]
fn what_cannot_be_written_stays() {
    let broken = "input a: i16[n]\ninput b: i32[n]\nlet c = a && (b\n";
    let ran = fixed(broken, &["--unsafe-fixes"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, broken), "it does not parse afterwards");
    let folder = Folder::with(&[("a.arr", WIDENS.as_bytes()), ("lib.arr", b"fn f(x) = x + 1i32\n")]);
    folder.write("user.arr", b"use \"lib.arr\"\ninput a: i16[n]\nf(a)\n");
    let ran = folder.arr(&["check", "--mode", "none", "--fix", "user.arr"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert_eq!(
        std::fs::read(folder.path().join("lib.arr")).expect("it is there"),
        b"fn f(x) = x + 1i32\n",
        "not named"
    );
    assert_eq!(folder.arr(&["check", "--fix", "missing.arr"]).code, 3);
    assert_eq!(fixed("1", &["--format", "json"]).code, 2, "two texts for one stream");
}

/// What `--fix` makes of the programs on the pages: each is mended for good, or left as it is.
#[test]
fn the_programs_of_the_pages_are_mended() {
    let mut shown = String::new();
    for row in codes::all().filter(|row| row.failing.args.is_empty() && !row.failing.script.is_empty()) {
        let mode = Mode::ALL.into_iter().find(|&mode| row.levels[mode as usize] != Level::Allow);
        let mode = mode.expect("some mode reports it").name();
        for (word, more) in [("fix", &["--mode", mode][..]), ("unsafe", &["--mode", mode, "--unsafe-fixes"])] {
            let ran = fixed(row.failing.script, more);
            let again = fixed(&ran.stdout, more);
            assert_eq!(again.stdout, ran.stdout, "{}: the second run changes something", row.id);
            assert!(again.stderr.contains("fixed 0, "), "{}: {}", row.id, again.stderr);
            if ran.stdout != row.failing.script {
                let before = faults(row.failing.script, mode);
                let after = faults(&ran.stdout, mode);
                assert!(after < before, "{}: {before:?} became {after:?}\n{}", row.id, ran.stdout);
                let _ = writeln!(shown, "{} {}, {word}:", row.id, row.name);
                let (old, new) = (row.failing.script.lines(), ran.stdout.lines());
                for (old, new) in old.zip(new).filter(|(old, new)| old != new) {
                    let _ = writeln!(shown, "- {}\n+ {}", old.escape_debug(), new.escape_debug());
                }
            }
        }
    }
    println!("{shown}");
    assert!(shown.contains("E0106 c-operator, fix:\n") && shown.contains(", unsafe:\n"), "{shown}");
}

/// How many errors of syntax, errors and findings a text has.
fn faults(text: &str, mode: &str) -> (usize, usize, usize) {
    let found = arr_in(Path::new("."), &["check", "-", "--mode", mode, "--format", "concise"], text).stdout;
    let count = |part: &str| found.lines().filter(|line| line.contains(part)).count();
    (count(": error[E01"), count(": error["), found.lines().count())
}

/// Numbers that look random and are the same in every run.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % sides
    }

    fn one<'a>(&mut self, all: &[&'a str]) -> &'a str {
        all[self.roll(all.len())]
    }
}

const DTYPES: &[&str] =
    &["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64", "bf16", "f16", "f32", "f64", "c64", "bool"];
const NAMES: &[&str] = &["a", "b", "c"];

/// An operation of operands that are names, literals or operations.
fn expression(dice: &mut Dice, depth: usize) -> String {
    if depth == 0 || dice.roll(5) == 0 {
        return match dice.roll(6) {
            0 => dice.one(&["2", "1.5", "300", "-1"]).to_owned(),
            _ => dice.one(NAMES).to_owned(),
        };
    }
    let mut part = || expression(dice, depth - 1);
    let (x, y) = (part(), part());
    match dice.roll(12) {
        0 => format!("{}({x})", dice.one(&["sqrt", "mean", "sum", "exp", "abs", "cumsum", "std"])),
        1 => format!("{}({x}, {y})", dice.one(&["maximum", "minimum", "arctan2"])),
        2 => format!("where(a > b, {x}, {y})"),
        3 => format!("({x}) {} ({y})", dice.one(&["<", "==", ">="])),
        _ => format!("({x}) {} {y}", dice.one(&["+", "-", "*", "/", "//", "%", "**"])),
    }
}

fn program(dice: &mut Dice) -> (String, Vec<String>) {
    let (mut text, mut given) = (String::new(), Vec::new());
    for name in NAMES {
        let dtype = dice.one(DTYPES);
        let _ = writeln!(text, "input {name}: {dtype}[3]");
        let values: Vec<String> = (0..3)
            .map(|_| match dtype {
                "bool" => dice.one(&["true", "false"]).to_owned(),
                "u8" | "i8" => dice.roll(128).to_string(),
                _ if dtype.starts_with(['f', 'b', 'c']) => format!("{}.{}", dice.roll(900), dice.roll(1000)),
                "u16" | "i16" => dice.roll(32768).to_string(),
                "u64" | "i64" => format!("{}{:09}", dice.roll(1 << 30), dice.roll(1_000_000_000)),
                _ => dice.roll((1 << 31) - 1).to_string(),
            })
            .collect();
        given.push(format!("{name}=[{}]", values.join(", ")));
    }
    for at in 0..=dice.roll(3) {
        let _ = writeln!(text, "let v{at} = {}", expression(dice, 2));
        let _ = writeln!(text, "v{at}");
    }
    if dice.roll(3) == 0 {
        let _ = writeln!(text, "var w = a\nw {} {}\nw", dice.one(&["+=", "*=", "-="]), dice.one(NAMES));
    }
    (text, given)
}

/// What a program gives, dtypes and digits, or nothing when it does not run.
fn results(text: &str, given: &[String], system: &str) -> Option<Vec<String>> {
    let mut session = lab::session(Mode::All);
    lab::set(&mut session.settings, "system", system);
    let arguments = lab::arguments(given.iter().map(String::as_str));
    let options = Options { engine: Engine::Reference, ..Options::default() };
    let reply = session.evaluate(&Input { arguments: &arguments, options, ..Input::new("p.arr", text) });
    let digits = |value: &arrlang::session::ShownValue| {
        let mut text = format!("{} ", value.array.dtype());
        write_json(&value.array, &mut text);
        text
    };
    (reply.outcome.is_done()).then(|| reply.values.iter().map(digits).collect())
}

/// Random programs in random systems and modes: mended by fixes that claim to keep values they give the same bits, and
/// a second run finds nothing to do.
#[test]
fn values_stay_what_they_were() {
    let (mut mended, mut compared) = (0, 0);
    for seed in 0..cases() {
        let mut dice = Dice(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) + 1);
        dice.roll(2);
        let (text, given) = program(&mut dice);
        let system = dice.one(&["jax", "numpy", "torch", "tf-numpy", "jax32"]);
        let mode = dice.one(&["all", "safe", "none"]);
        let options = ["--system", system, "--mode", mode];
        let ran = fixed(&text, &options);
        assert!(ran.code <= 1, "{text}{}", ran.stderr);
        if ran.stdout == text {
            continue;
        }
        mended += 1;
        let again = fixed(&ran.stdout, &options);
        assert_eq!(again.stdout, ran.stdout, "{system} {mode}: the second run changes something\n{text}");
        let (old, new) = (results(&text, &given, system), results(&ran.stdout, &given, system));
        if let (Some(old), Some(new)) = (old, new) {
            compared += 1;
            assert_eq!(old, new, "{system} {mode} {given:?}\n{text}became\n{}", ran.stdout);
        }
    }
    println!("{mended} of {} programs mended, {compared} of them compared", cases());
    assert!(compared * 16 > cases(), "{compared} compared");
}

/// `ARR_CASES` sets how many programs are tried.
fn cases() -> u64 {
    std::env::var("ARR_CASES").ok().and_then(|text| text.parse().ok()).unwrap_or(200)
}
