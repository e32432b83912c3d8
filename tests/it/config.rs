//! `arr.toml`, and comments that silence findings: which rule wins, what is refused, what is written.

use crate::shell::Folder;
use std::fmt::Write;
use std::os::unix::fs::symlink;

const LOSSY: &str = "input x: i32[n]\ninput y: f32[n]\nx * y\n";

/// Checks a script in a folder with these files; answers the exit code and what is reported, a line each.
fn check(files: &[(&str, &str)], args: &[&str]) -> (i32, String) {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(name, text)| (*name, text.as_bytes())).collect();
    let mut all = vec!["check", "--format", "concise"];
    all.extend(args);
    let ran = Folder::with(&files).arr(&all);
    (ran.code, ran.stdout + &ran.stderr)
}

#[test]
fn the_nearest_file_upward_holds() {
    let deny = "[lints]\nprecision-loss = \"deny\"\n";
    let files = [("arr.toml", deny), ("a/b/x.arr", LOSSY)];
    let (code, text) = check(&files, &["a/b/x.arr"]);
    assert!(code == 1 && text.contains("error[E0301"), "{text}");
    let files = [("arr.toml", deny), ("a/arr.toml", "mode = \"all\"\n"), ("a/b/x.arr", LOSSY)];
    let (code, text) = check(&files, &["a/b/x.arr"]);
    assert!(code == 0 && text.contains("warning[E0301"), "{text}");
}

#[test]
fn the_script_wins_over_the_file_and_the_command_line_over_both() {
    let safe = ("arr.toml", "mode = \"safe\"\nsystem = \"numpy\"\n");
    let (code, text) = check(&[safe, ("x.arr", LOSSY)], &["x.arr"]);
    // Under numpy they meet as f64, wider than both.
    assert!(code == 1 && text.contains("widening"), "{text}");
    let own = format!("promotion jax all\n{LOSSY}");
    let (code, text) = check(&[safe, ("x.arr", &own)], &["x.arr"]);
    assert!(code == 0 && text.contains("warning[E0301"), "{text}");
    let (code, text) = check(&[safe, ("x.arr", &own)], &["x.arr", "--mode", "safe"]);
    assert!(code == 1 && text.contains("error[E0301"), "{text}");
    let (code, text) = check(&[safe, ("x.arr", LOSSY)], &["x.arr", "--allow", "widening"]);
    assert!(code == 0 && text.lines().count() == 1 && text.contains("f64-appears"), "{text}");
}

#[test]
fn a_script_that_is_named_twice_is_checked_once() {
    let files = [("a/x.arr", LOSSY)];
    let once = check(&files, &["a"]);
    assert_eq!(check(&files, &["a", "a/x.arr", "a/../a/x.arr"]), once);
}

#[test]
fn every_script_has_the_rules_of_its_folder() {
    let files = [("a/arr.toml", "mode = \"safe\"\n"), ("a/x.arr", LOSSY), ("b/x.arr", LOSSY)];
    let (code, text) = check(&files, &["a", "b"]);
    assert!(text.contains("a/x.arr:3:3: error") && text.contains("b/x.arr:3:3: warning"), "{text}");
    assert_eq!(code, 1);
}

#[test]
fn what_a_file_does_not_know_is_an_error_at_its_place() {
    for (toml, said) in [
        ("mod = \"safe\"\n", "there is no key `mod`"),
        ("mode = \"save\"\n", "there is no mode `save`"),
        ("system = \"nunpy\"\n", "there is no promotion system `nunpy`"),
        ("width = 48\n", "the width is 32, 64 or own, not `48`"),
        ("checked = 1\n", "`checked` is true or false"),
        ("allow-read = \"x\"\n", "a list of folders"),
        ("[lints]\nprecison-loss = \"deny\"\n", "there is no finding `precison-loss`"),
        ("[lints]\nprecision-loss = \"error\"\n", "there is no level `error`"),
        ("[lints]\nunknown-name = \"allow\"\n", "there is no finding `unknown-name`"),
        ("mode = \n", "E0523"),
    ] {
        let ran = Folder::with(&[("arr.toml", toml.as_bytes()), ("x.arr", b"1 + 1\n")]).arr(&["check", "x.arr"]);
        assert!(
            ran.code == 1 && ran.stdout.contains(said) && ran.stdout.contains("arr.toml:"),
            "{toml}: {}",
            ran.said()
        );
    }
}

#[test]
fn a_finding_is_known_by_its_code_too() {
    let row = arrlang::diagnostic::codes::find("precision-loss").expect("there is one");
    let toml = format!("[lints]\n{} = \"deny\"\n", row.id);
    let (code, text) = check(&[("arr.toml", toml.as_str()), ("x.arr", LOSSY)], &["x.arr"]);
    assert!(code == 1 && text.contains("x.arr:3:3: error"), "{text}");
    let ran = Folder::with(&[("x.arr", LOSSY.as_bytes())]).arr(&["check", "--deny", "precision_loss", "x.arr"]);
    assert!(ran.stderr.contains("there is `precision-loss`"), "{}", ran.said());
}

#[test]
fn running_and_evaluating_read_it_too() {
    let folder =
        Folder::with(&[("arr.toml", b"checked = true\nsystem = \"numpy\"\n"), ("x.arr", b"[100i8] + 100i8\n")]);
    let ran = folder.arr(&["run", "x.arr"]);
    assert!(ran.code == 1 && ran.stderr.contains("Error["), "{}", ran.stderr);
    assert_eq!(folder.arr(&["eval", "sqrt([4i32])"]).stdout, "[2.] : f64[1]\n");
    assert!(folder.arr(&["promote", "i8", "u32"]).stdout.contains("in numpy"));
}

#[test]
fn a_silenced_finding_lets_the_program_run() {
    let script =
        b"promotion jax safe\ninput x: i32[1] = [3]\ninput y: f32[1] = [0.5]\nx * y # arr: allow(precision-loss)\n";
    let ran = Folder::with(&[("x.arr", script)]).arr(&["run", "x.arr"]);
    assert_eq!((ran.stdout.as_str(), ran.code), ("[1.5] : f32[1]\n", 0), "{}", ran.stderr);
}

#[test]
fn findings_in_functions_are_silenced_where_they_are() {
    let script = "promotion jax safe\ninput x: i32[n]\ninput y: f32[n]\nfn f(a, b) {\n  let c = a * b  # arr: allow(precision-loss)\n  c + a\n}\nf(x, y)\n";
    let (code, text) = check(&[("x.arr", script)], &["x.arr"]);
    assert!(code == 1 && text.lines().count() == 1 && text.contains("x.arr:6:5: error[E0301"), "{text}");
}

#[test]
fn suppressions_are_added_once_and_nothing_else_changes() {
    let script = "promotion jax safe\r\ninput x: i32[n]\r\ninput y: f32[n]\r\nx * y # exact enough\r\nlet u = (x\r\n  * y)\r\ncumsum(u8(x)) + sum(x / y)";
    let folder = Folder::with(&[("x.arr", script.as_bytes())]);
    let ran = folder.arr(&["check", "--add-suppressions", "x.arr"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let read = || std::fs::read_to_string(folder.path().join("x.arr")).expect("the script is there");
    let written = read();
    assert!(written.contains("x * y # exact enough  # arr: allow(precision-loss)\r\n"), "{written}");
    assert!(written.contains("let u = (x  # arr: allow(unused-binding)\r\n"), "{written}");
    let mut parts = written.split("  # arr: allow(");
    let first = parts.next().expect("a split has a part").to_owned();
    let bare = parts.fold(first, |text, part| text + part.split_once(')').expect("it is closed").1);
    assert_eq!(bare, script);
    assert_eq!(folder.arr(&["check", "--add-suppressions", "x.arr"]).code, 0);
    assert_eq!(read(), written);
}

#[test]
fn suppressions_are_added_to_comments_and_never_to_strings() {
    for (end, written) in [
        ("", "  # arr: allow(precision-loss)"),
        ("  # arr: todo", "  # arr: allow(precision-loss)  # arr: todo"),
        ("  # so  # arr: allow(x", "  # so  # arr: allow(precision-loss)  # arr: allow(x"),
        ("  # arr: allow()", "  # arr: allow(precision-loss)  # arr: allow()"),
        ("  # arr: allow(widening) so", "  # arr: allow(widening, precision-loss) so"),
    ] {
        let line = "output x = q * 0.2f32 * load(\"a # arr: allow(widening).csv:a\")";
        let script = format!("input q: i32[n]\n{line}{end}\n");
        let folder = Folder::with(&[("x.arr", script.as_bytes()), ("a # arr: allow(widening).csv", b"a\n1.5\n")]);
        for _ in 0..2 {
            let ran = folder.arr(&["check", "--add-suppressions", "x.arr"]);
            assert_eq!(ran.code, 0, "{}", ran.stderr);
            let read = std::fs::read_to_string(folder.path().join("x.arr")).expect("the script is there");
            assert_eq!(read, format!("input q: i32[n]\n{line}{written}\n"));
        }
    }
}

#[test]
fn what_the_library_does_is_silenced_at_the_call() {
    let script = "input x: i8[3]\ninput y: i8[3]\noutput p = polyval(x, y)\n";
    let folder = Folder::with(&[("x.arr", script.as_bytes())]);
    let ran = folder.arr(&["check", "--add-suppressions", "x.arr"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    let written = std::fs::read_to_string(folder.path().join("x.arr")).expect("the script is there");
    assert_eq!(written, script.replace("(x, y)", "(x, y)  # arr: allow(integer-overflow)"));
    let deny = ["--deny", "integer-overflow", "--deny", "unused-suppression", "x.arr"];
    let (code, text) = check(&[("x.arr", &written)], &deny);
    assert_eq!((code, text.as_str()), (0, ""));
    // The same call on a line of its own is new.
    let (code, text) = check(&[("x.arr", &format!("{written}output q = polyval(x, y)\n"))], &deny);
    assert!(code == 1 && text.lines().count() == 1 && text.contains("x.arr:4:12: error[E0312"), "{text}");
}

/// Findings that are about the same stand in one line; `ARR_UPDATE=1` writes the table.
#[test]
fn the_page_of_checks_lists_every_finding() {
    let mut lines: Vec<(&str, Vec<String>)> = Vec::new();
    for row in arrlang::diagnostic::codes::all() {
        assert_eq!(row.lint().is_some(), !row.about.is_empty(), "findings say what they are about: {}", row.name);
        if row.lint().is_none() {
            continue;
        }
        let name = format!("`{}`", row.name);
        match lines.iter().position(|(about, _)| *about == row.about) {
            Some(at) => lines[at].1.push(name),
            None => lines.push((row.about, vec![name])),
        }
    }
    let mut table = String::from("| findings | about |\n| --- | --- |\n");
    for (about, names) in lines {
        let _ = writeln!(table, "| {} | {about} |", names.join(" "));
    }
    let path = crate::lab::root("docs/checking.md");
    let page = std::fs::read_to_string(&path).expect("there is a page");
    let (before, rest) = page.split_once("<!-- findings -->\n").expect("a place for the table");
    let (_, after) = rest.split_once("<!-- end -->").expect("the end of the table");
    let current = format!("{before}<!-- findings -->\n{table}<!-- end -->{after}");
    if std::env::var_os("ARR_UPDATE").is_some() {
        std::fs::write(&path, &current).expect("the page can be written");
    } else {
        assert!(page == current, "docs/checking.md is out of date: run the tests with ARR_UPDATE=1");
    }
}

/// However many folders and scripts it holds for, and where the findings go.
#[test]
fn a_mistake_in_arr_toml_is_told_once_and_in_the_chosen_format() {
    let script: &[u8] = b"1 + 1\n";
    let folder = Folder::with(&[
        ("arr.toml", b"mode = \"loud\"\n"),
        ("a.arr", script),
        ("b/c.arr", script),
        ("d/e/f.arr", script),
    ]);
    let ran = folder.arr(&["check", "."]);
    assert_eq!((ran.code, ran.stdout.matches("Error[").count(), ran.stderr.as_str()), (1, 1, ""), "{}", ran.stdout);
    let json = folder.arr(&["check", ".", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_str(&json.stdout).expect("JSON");
    assert_eq!(found["diagnostics"].as_array().map(Vec::len), Some(1), "{}", json.stdout);
    assert_eq!(json.stderr, "");
}

/// A rule must not be lost because of what the file is.
#[test]
fn a_link_to_a_file_of_rules_is_followed_and_what_is_no_file_is_told() {
    let folder = Folder::with(&[("real.toml", b"mode = \"safe\"\nsystem = \"numpy\"\n"), ("x.arr", LOSSY.as_bytes())]);
    let path = folder.path().join("arr.toml");
    symlink("real.toml", &path).expect("a link");
    let ran = folder.arr(&["check", "x.arr"]);
    assert!(ran.code == 1 && ran.said().contains("widening"), "{}", ran.said());
    std::fs::remove_file(&path).expect("it is there");
    let told = |what: &str| {
        for command in [["check", "x.arr"], ["eval", "1 + 1"]] {
            let ran = folder.arr(&command);
            assert!(ran.code != 0 && ran.said().contains("E0510"), "{what}: {}", ran.said());
        }
    };
    for target in ["arr.toml", "nowhere.toml"] {
        symlink(target, &path).expect("a link");
        told(target);
        std::fs::remove_file(&path).expect("it is there");
    }
    std::fs::create_dir(&path).expect("a folder");
    told("a folder");
    std::fs::remove_dir(&path).expect("it is empty");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("there is mkfifo").success());
    told("a pipe");
}

#[test]
fn what_is_to_be_utf8_is_named_by_what_it_is() {
    let help = |rules: &[u8], script: &[u8]| {
        let ran = Folder::with(&[("arr.toml", rules), ("x.arr", script)]).arr(&["check", "x.arr"]);
        assert_eq!(ran.code, 1, "{}", ran.said());
        ran.said()
    };
    assert!(help(b"mode = \xff\n", b"1\n").contains("save the file as UTF-8"));
    assert!(help(b"", b"\xff\n").contains("save the script as UTF-8"));
}
