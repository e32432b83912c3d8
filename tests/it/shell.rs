//! What the command does to its surroundings: streams, files and exit codes.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// What a run of the command left behind.
pub(crate) struct Ran {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

/// The command, without what the surroundings say about colours and widths.
pub(crate) fn command(folder: &Path, args: &[impl AsRef<std::ffi::OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arr"));
    command.args(args).current_dir(folder).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "COLUMNS", "RUST_BACKTRACE"] {
        command.env_remove(name);
    }
    // Nobody's own `init.arr`.
    command.env("XDG_CONFIG_HOME", "/nonexistent");
    command
}

impl Ran {
    /// Everything that was said: what `check` finds are its results, what others complain of is not.
    pub(crate) fn said(&self) -> String {
        format!("{}{}", self.stdout, self.stderr)
    }
}

/// Runs the command in a folder with a text on standard input.
pub(crate) fn arr_in(folder: &Path, args: &[impl AsRef<std::ffi::OsStr>], input: impl AsRef<[u8]>) -> Ran {
    finish(command(folder, args), input.as_ref())
}

pub(crate) fn finish(mut command: Command, input: &[u8]) -> Ran {
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("standard input is a pipe");
    let input = input.to_vec();
    // A command that does not read its input is no failure.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("writing does not panic");
    Ran {
        code: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).expect("output is text"),
        stderr: String::from_utf8(output.stderr).expect("messages are text"),
    }
}

/// A folder that goes away with the test.
pub(crate) struct Folder(tempfile::TempDir);

impl Folder {
    pub(crate) fn new() -> Folder {
        Folder(tempfile::tempdir().expect("there is a folder for temporary files"))
    }

    pub(crate) fn with(files: &[(&str, &[u8])]) -> Folder {
        let folder = Folder::new();
        files.iter().for_each(|(name, bytes)| folder.write(name, bytes));
        folder
    }

    pub(crate) fn path(&self) -> &Path {
        self.0.path()
    }

    pub(crate) fn write(&self, name: &str, bytes: &[u8]) {
        let path = self.path().join(name);
        std::fs::create_dir_all(path.parent().expect("a file has a folder")).expect("the folder is writable");
        std::fs::write(path, bytes).expect("the folder is writable");
    }

    pub(crate) fn arr(&self, args: &[&str]) -> Ran {
        arr_in(self.path(), args, "")
    }

    pub(crate) fn pipe(&self, args: &[&str], input: impl AsRef<[u8]>) -> Ran {
        arr_in(self.path(), args, input)
    }
}

/// Runs the command in an empty folder.
fn arr(args: &[&str]) -> Ran {
    Folder::new().arr(args)
}

#[test]
fn values_go_to_standard_output() {
    let ran = arr(&["eval", "1 + 2"]);
    assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (0, "3 : i*\n", ""));
}

#[test]
fn exit_codes_tell_programs_command_lines_and_files_apart() {
    assert_eq!(arr(&["eval", "1 +"]).code, 1, "a mistake in the program");
    assert_eq!(arr(&["eval", "x", "x:u8=300"]).code, 1, "a mistake in the data");
    assert_eq!(arr(&["eval", "1", "--unknown"]).code, 2, "an unknown option");
    assert_eq!(arr(&["evaluate"]).code, 2, "an unknown command");
    assert_eq!(arr(&["eval", " "]).code, 2, "no expression");
    assert_eq!(arr(&["run", "missing.arr"]).code, 3, "a missing script");
    assert_eq!(arr(&["eval", "x", "x=missing.npy"]).code, 3, "a missing array");
    assert_eq!(arr(&["eval", "1", "-o", "missing/y.npy"]).code, 3, "an unwritable output");
    assert_eq!(arr(&["eval", "1", "-o", "y.txt"]).code, 1, "an unknown format");
}

#[test]
fn diagnostics_go_to_standard_error() {
    let ran = arr(&["eval", "x + 1"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.starts_with("Error[E0201 unknown-name]: "), "{}", ran.stderr);
}

#[test]
fn findings_are_one_line_unless_asked_for() {
    let ran = arr(&["eval", "[1i32] + [1f32]"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "[2.] : f32[1]\n"));
    assert_eq!(ran.stderr, "1 warning (precision-loss); -v shows them\n");
    let full = arr(&["eval", "[1i32] + [1f32]", "-v"]);
    assert!(full.stderr.contains("Warning[E0301 precision-loss]"), "{}", full.stderr);
    assert!(full.stderr.contains("parse ") && full.stderr.contains(" ms"), "{}", full.stderr);
}

#[test]
fn what_is_given_and_not_used_is_told() {
    let ran = arr(&["eval", "a + d", "a=1", "b=2", "c:f32", "d=e*2", "e=3"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "7 : i*\n"));
    assert_eq!(ran.stderr, "note: `b` is given, and nothing uses it\nnote: `c` is given, and nothing uses it\n");
    assert_eq!(arr(&["eval", "a + 1", "a=1"]).stderr, "");
}

#[test]
fn json_is_one_object_a_line() {
    let folder = Folder::new();
    folder.write("s.arr", b"input a: f32[n]\n\na+1\noutput m = max(a) > 1\n");
    let ran = folder.arr(&["run", "s.arr", "a=[0.5, 1.5]", "--format", "json"]);
    let lines: Vec<&str> = ran.stdout.lines().collect();
    assert_eq!(lines[0], r#"{"line":3,"text":"a+1","dtype":"f32","weak":false,"shape":[2],"data":[1.5,2.5]}"#);
    assert!(lines[1].contains(r#""name":"m","dtype":"bool","weak":false,"shape":[],"data":true}"#), "{}", lines[1]);
}

#[test]
fn json_writes_every_value_exactly() {
    let data = |expression: &str| {
        let ran = arr(&["eval", expression, "--format", "json"]);
        let (_, data) = ran.stdout.trim_end().split_once("\"data\":").expect("a value");
        data.trim_end_matches('}').to_owned()
    };
    assert_eq!(data("[nan, inf, -inf, -0.0, 0.1]"), r#"["nan","inf","-inf",-0.0,0.1]"#);
    assert_eq!(data("18446744073709551615u64"), "18446744073709551615");
    assert_eq!(data("-9223372036854775808"), "-9223372036854775808");
    assert_eq!(data("0.1f32"), "0.1");
    assert_eq!(data("[1 + 2j]"), "[[1.0,2.0]]");
    assert_eq!(data("bool([[1], [0]])"), "[[true],[false]]");
    assert_eq!(data("zeros((2, 0))"), "[[],[]]");
    assert!(arr(&["eval", "1", "--format", "json"]).stdout.contains(r#""dtype":"i64","weak":true"#));
}

#[test]
fn outputs_are_written_and_read_back() {
    let folder = Folder::new();
    let written = folder.arr(&["eval", "f32([[1.5, 2], [3, 4]])", "-o", "y.npy"]);
    assert_eq!((written.code, written.stdout.as_str(), written.stderr.as_str()), (0, "", ""));
    let read = folder.arr(&["eval", "y * 2", "y=y.npy"]);
    assert_eq!(read.stdout, "[[3. 4.]\n [6. 8.]] : f32[2, 2]\n");
}

#[test]
fn several_outputs_are_written_by_name_and_the_rest_is_printed() {
    let folder = Folder::new();
    folder.write("s.arr", b"output a = [1u8]\noutput b = [2u8]\n3\n");
    let ran = folder.arr(&["run", "s.arr", "-o", "b=b.npy"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "a = [1] : u8[1]\n3 : i*\n"));
    assert_eq!(folder.arr(&["eval", "b", "b=b.npy"]).stdout, "[2] : u8[1]\n");
    assert_eq!(folder.arr(&["run", "s.arr", "-o", "y.npy"]).code, 2, "it is not clear which");
    assert_eq!(folder.arr(&["run", "s.arr", "-o", "c=c.npy"]).code, 2, "there is no such output");
    assert!(!folder.path().join("c.npy").exists());
}

#[test]
fn a_failed_run_writes_nothing() {
    let folder = Folder::with(&[("y.npy", b"as it was")]);
    assert_eq!(folder.arr(&["eval", "x", "x:u8=300", "-o", "y.npy"]).code, 1);
    assert_eq!(std::fs::read(folder.path().join("y.npy")).expect("it is there"), b"as it was");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1, "nothing is left behind");
}

#[test]
fn an_output_may_replace_its_input() {
    let folder = Folder::new();
    folder.arr(&["eval", "arange(5)", "-o", "x.npy"]);
    assert_eq!(folder.arr(&["eval", "x + 1", "x=x.npy", "-o", "x.npy"]).code, 0);
    assert_eq!(folder.arr(&["eval", "x", "x=x.npy"]).stdout, "[1 2 3 4 5] : i64[5]\n");
}

#[test]
fn bindings_are_read_as_documented() {
    assert_eq!(arr(&["eval", "x", "x=2.5f32"]).stdout, "2.5 : f32\n");
    assert_eq!(arr(&["eval", "x", "x:f32=2"]).stdout, "2.0 : f32\n");
    assert_eq!(arr(&["eval", "x", "x:f32[3]=2"]).stdout, "[2. 2. 2.] : f32[3]\n");
    assert_eq!(arr(&["eval", "x + y", "x=1", "y=-2"]).stdout, "-1 : i*\n");
    assert_eq!(arr(&["eval", "x", "x=1", "x=2"]).code, 2, "twice");
    assert_eq!(arr(&["eval", "x", "5"]).code, 2, "no name");
}

#[test]
fn check_reports_everything_and_runs_nothing() {
    let folder = Folder::new();
    folder.write("a.arr", b"input x: i32[n]\ninput g: f32[n]\nx * g\n");
    let ran = folder.arr(&["check", "a.arr"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    assert!(ran.stdout.contains("precision-loss") && ran.stdout.ends_with("\n1 warning\n"), "{}", ran.stdout);
    assert_eq!(folder.arr(&["check", "a.arr", "--mode", "safe"]).code, 1);
    assert_eq!(folder.arr(&["check", "a.arr", "--deny", "precision-loss"]).code, 1);
    assert_eq!(folder.arr(&["check", "a.arr", "--allow", "precision-loss"]).said(), "", "a pipe is told nothing");
    // The last level of a finding holds.
    let levels =
        |first: &str, last: &str| folder.arr(&["check", "a.arr", first, "precision-loss", last, "precision-loss"]).code;
    let later = [("--allow", "--deny"), ("--warn", "--deny"), ("--deny", "--allow"), ("--deny", "--warn")];
    assert_eq!(later.map(|(first, last)| levels(first, last)), [1, 1, 0, 0]);
    let concise = folder.arr(&["check", "a.arr", "--format", "concise"]);
    assert!(concise.stdout.starts_with("a.arr:3:3: "), "{}", concise.stdout);
    assert_eq!(concise.stdout.lines().count(), 1);
}

#[test]
fn check_as_json_has_places_and_fixes() {
    let folder = Folder::new();
    folder.write("a.arr", "# é\ninput x: i32[n]\ninput g: f32[n]\nx * g\n".as_bytes());
    let ran = folder.arr(&["check", "a.arr", "--mode", "safe", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    let found = &json["diagnostics"][0];
    assert_eq!((ran.code, ran.stderr.as_str(), &json["version"]), (1, "", &1.into()));
    assert_eq!((&found["code"], &found["level"], &found["file"]), (&"E0301".into(), &"error".into(), &"a.arr".into()));
    assert_eq!((&found["line"], &found["column"]), (&4.into(), &3.into()));
    assert_eq!(found["help"][0]["fix"]["edits"][0]["replacement"], "f64(");
    let clean = folder.pipe(&["check", "-", "--format", "json"], "1 + 1\n");
    let json: serde_json::Value = serde_json::from_str(&clean.stdout).expect("JSON");
    assert_eq!(json["diagnostics"], serde_json::json!([]));
    // What cannot be read is among what is wrong.
    let absent = folder.arr(&["check", "absent.arr", "a.arr", "--format", "json"]);
    let json: serde_json::Value = serde_json::from_str(&absent.stdout).expect("JSON");
    let found = &json["diagnostics"][0];
    assert_eq!((absent.code, &found["code"], &found["level"]), (3, &"E0510".into(), &"error".into()));
}

#[test]
fn check_searches_folders() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    folder.write("b.arr", b"bb\n");
    folder.write("sub/a.arr", b"aa\n");
    folder.write("sub/a.txt", b"not a script\n");
    let ran = folder.arr(&["check", ".", "--format", "concise"]);
    let places: Vec<&str> = ran.stdout.lines().filter_map(|line| line.split(": ").next()).collect();
    assert_eq!((ran.code, places), (1, vec!["./b.arr:1:1", "./sub/a.arr:1:1"]));
    assert_eq!(folder.arr(&["check", "missing"]).code, 3);
}

#[test]
fn check_takes_types_instead_of_data() {
    let folder = Folder::new();
    folder.write("a.arr", b"input x: f32[..]\nx + 1\n");
    assert_eq!(folder.arr(&["check", "a.arr"]).code, 1);
    assert_eq!(folder.arr(&["check", "a.arr", "x:f32[n]"]).code, 0);
}

#[test]
fn explain_prints_pages() {
    let page = arr(&["explain", "precision-loss"]);
    assert!(page.stdout.starts_with("E0301 precision-loss: "), "{}", page.stdout);
    assert_eq!(arr(&["explain", "e0301"]).stdout, page.stdout);
    assert!(arr(&["explain", "E0301", "--format", "json"]).stdout.contains("\"code\": \"E0301\""));
    let unknown = arr(&["explain", "precision-los"]);
    assert_eq!(unknown.code, 2);
    assert!(unknown.stderr.contains("there is `precision-loss`"), "{}", unknown.stderr);
}

#[test]
fn stages_can_be_looked_at() {
    let ast = arr(&["eval", "x+1*2", "x:f32=1", "--emit", "ast"]);
    assert_eq!(ast.code, 0);
    assert!(ast.stdout.contains("name x") && ast.stdout.contains("int 2"), "{}", ast.stdout);
    let typed = arr(&["eval", "(x + y) * 2", "x:i8[3]=2", "y:u8[3]=2", "--emit", "typed"]);
    assert_eq!(
        typed.stdout,
        "(x + y) * 2   i16[3]   i16, i* → i16\n├─ x + y      i16[3]   i8, u8 → i16\n│  ├─ x       i8[3]\n│  └─ y       u8[3]\n└─ 2          i*\n"
    );
    let ir = arr(&["eval", "x + 1", "x:f32[3]=2", "--emit", "ir"]);
    assert_eq!(ir.code, 0);
    assert!(ir.stdout.starts_with("%0 = ") && ir.stdout.contains("print %"), "{}", ir.stdout);
    let stages = arr(&["eval", "sum(sort(x) + 1)", "x:f32[n]", "--emit", "stages"]);
    assert!(stages.stdout.starts_with("stage 0\n  kernels give %0\nstage 1\n  sort %0 -> %1\n"), "{}", stages.stdout);
    let body = arr(&["eval", "exp(x) * 2", "x:f32[3]=2", "--emit", "body"]);
    assert!(body.stdout.contains("= fma v") && body.stdout.contains("store 0 v"), "{}", body.stdout);
    for stage in ["kernel", "body", "clif", "asm"] {
        let nothing = arr(&["eval", "x+1", "x:i8=1", "--emit", stage]);
        assert_eq!((nothing.code, nothing.stdout.as_str()), (0, ""));
        assert_eq!(nothing.stderr, "note: there is no loop to show: the value is computed without one\n");
    }
    assert_eq!(arr(&["eval", "x +", "--emit", "ast"]).code, 1);
    assert_eq!(arr(&["eval", "1", "--emit", "soup"]).code, 2);
}

#[test]
fn scripts_come_from_standard_input_too() {
    let folder = Folder::new();
    assert_eq!(folder.pipe(&["run", "-"], "1 + 1\n").stdout, "2 : i*\n");
    assert_eq!(folder.pipe(&[], "let x = 2\nx * 3").stdout, "6 : i*\n");
    assert_eq!(folder.pipe(&["run", "-", "x=4"], "input x: i8\nx\n").stdout, "4 : i8\n");
    let wrong = folder.pipe(&[], "1 +\n");
    assert_eq!(wrong.code, 1);
    assert!(wrong.stderr.contains("<stdin>:"), "{}", wrong.stderr);
}

#[test]
fn the_repl_works_on_a_pipe() {
    let ran = Folder::new().pipe(&["repl"], "let x = [1,\n  2]\nx + nope\nx * 2\nlet x = x + 1000u\nx\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "[2 4] : i*[2]\n[1 2] : i*[2]\n"), "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("Error[").count(), 2, "{}", ran.stderr);
}

#[test]
fn d18_colours_are_for_those_who_see_them() {
    let folder = Folder::new();
    let escapes = |args: &[&str], env: &[(&str, &str)]| {
        let mut command = command(folder.path(), args);
        command.envs(env.iter().copied());
        finish(command, b"").stderr.contains('\x1b')
    };
    let program = ["eval", "x + 1"];
    assert!(!escapes(&program, &[]), "a pipe has no colours");
    assert!(escapes(&["--color", "always", "eval", "x + 1"], &[]));
    assert!(escapes(&["eval", "x + 1", "--color", "always"], &[]));
    assert!(!escapes(&["eval", "x + 1", "--color", "never"], &[("CLICOLOR_FORCE", "1")]));
    assert!(escapes(&program, &[("CLICOLOR_FORCE", "1")]));
    assert!(!escapes(&program, &[("NO_COLOR", "1")]));
    assert_eq!(folder.arr(&["eval", "1", "--color", "pink"]).code, 2);
}

#[test]
fn every_help_has_examples() {
    for args in [
        &["--help"][..],
        &["run", "--help"],
        &["eval", "--help"],
        &["check", "--help"],
        &["explain", "--help"],
        &["doc", "--help"],
    ] {
        let ran = arr(args);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
        assert!(ran.stdout.contains("Examples:\n  arr "), "{args:?}\n{}", ran.stdout);
    }
    assert!(arr(&["--version"]).stdout.starts_with("arr "));
}

#[test]
fn c19_a_reader_that_leaves_early_is_no_failure() {
    let folder = Folder::new();
    let results = ["eval", "arange(1000000)", "-o", "-"];
    for args in [&["doc"][..], &results, &[&results[..], &["--format", "csv"]].concat()] {
        let mut child = command(folder.path(), args).spawn().expect("the command starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the command ends");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!((output.status.code(), said), (Some(0), String::new()), "{args:?}");
    }
}

#[test]
fn options_win_over_the_script() {
    let folder = Folder::new();
    folder.write("s.arr", b"promotion jax safe\n[1u8] + [1i8]\n");
    assert_eq!(folder.arr(&["run", "s.arr"]).code, 1);
    let loose = folder.arr(&["run", "s.arr", "--mode", "all"]);
    assert_eq!((loose.code, loose.stdout.as_str()), (0, "[2] : i16[1]\n"));
    assert_eq!(loose.stderr, "note: `--mode all` is looser than the script's own mode, `safe`\n");
    let strict = folder.arr(&["run", "s.arr", "--mode", "none"]);
    assert_eq!(strict.code, 1);
    assert!(!strict.stderr.contains("note: `--mode"), "{}", strict.stderr);
    folder.write("w.arr", b"promotion jax, width=32\noutput y = 1\n");
    assert_eq!(folder.arr(&["run", "w.arr"]).stdout, "y = 1 : i32\n");
    assert_eq!(folder.arr(&["run", "w.arr", "--width", "64"]).stdout, "y = 1 : i64\n");
}

#[test]
fn wrong_options_are_usage_errors() {
    for (option, value) in [
        ("--mode", "strict"),
        ("--system", "jaxx"),
        ("--width", "16"),
        ("--width", "x"),
        ("--deny", "E0101"),
        ("--deny", "nothing"),
        ("--max-mem", "much"),
        ("--threads", "0"),
        ("--threads", "1025"),
        ("--threads", "many"),
        ("--format", "xml"),
    ] {
        let ran = arr(&["eval", "1", option, value]);
        assert_eq!((ran.code, ran.stdout.as_str()), (2, ""), "{option} {value}");
        assert!(ran.stderr.starts_with("error: ") && ran.stderr.contains(value), "{}", ran.stderr);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_values() {
    let folder = Folder::new();
    let text = "let x = arange(300000) / 7.0\n(sum(sin(x)), max(x * x), cumsum(x)[-1], argmax(x % 1000.0))";
    folder.write("s.arr", text.as_bytes());
    let one = folder.arr(&["run", "s.arr", "--threads", "1"]);
    assert_eq!(one.code, 0, "{}", one.stderr);
    for threads in ["2", "3", "16", "1024"] {
        let many = folder.arr(&["run", "s.arr", "--threads", threads]);
        assert_eq!((many.code, many.stdout, many.stderr), (0, one.stdout.clone(), one.stderr.clone()));
    }
}

#[test]
fn a_wrong_number_of_threads_in_the_environment_is_named_unless_an_option_says_another() {
    let folder = Folder::new();
    let run = |value: &str, args: &[&str]| {
        let output = command(folder.path(), args).env("ARR_NUM_THREADS", value).output().expect("the command runs");
        (output.status.code(), String::from_utf8(output.stderr).expect("messages are text"))
    };
    for value in ["0", "many", "-3", "1e3", "1025"] {
        let (code, text) = run(value, &["eval", "1 + 1"]);
        assert_eq!(code, Some(2), "{value}");
        assert!(text.contains("ARR_NUM_THREADS") && text.contains(value) && text.contains("from 1 to 1024"), "{text}");
        assert_eq!(run(value, &["eval", "1 + 1", "--threads", "2"]), (Some(0), String::new()));
    }
    assert_eq!(run("2", &["eval", "1 + 1"]).0, Some(0));
    assert_eq!(run("", &["eval", "1 + 1"]).0, Some(0));
}

#[test]
fn the_engine_is_held_to_the_instructions_that_the_environment_says() {
    let folder = Folder::new();
    let run = |value: &str, args: &[&str]| {
        let output = command(folder.path(), args).env("ARR_ISA", value).output().expect("the command runs");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        (output.status.code(), text(output.stdout), text(output.stderr))
    };
    for value in ["avx", "AVX512", "base", "3"] {
        let wrong = format!("invalid value {value:?} for ARR_ISA: write sse, avx2 or avx512");
        let (code, out, text) = run(value, &["eval", "1 + 1"]);
        assert!((code, out.as_str()) == (Some(2), "") && text.contains(&wrong), "{text}");
    }
    let sum = ["eval", "sum(exp(sin(f64(arange(1000)))))", "-v"];
    let (code, meant, _) = run("", &sum);
    assert!(code == Some(0) && meant.contains("1265.79"), "{meant}");
    for value in ["sse", "avx2", "avx512"] {
        let (code, out, text) = run(value, &sum);
        assert_eq!((code, &out), (Some(0), &meant), "{value}");
        // Of a level that the processor lacks, the note says what is taken instead, and that once.
        let taken = match text.split_once("so ARR_ISA is taken as ") {
            Some((before, after)) if before.ends_with(&format!("note: this processor has no {value}, ")) => {
                after.lines().next().expect("a level")
            }
            _ => value,
        };
        assert!(text.trim_end().ends_with(&format!("; instructions: {taken}")), "{text}");
    }
}

/// Waits until a process has a handler of its own for a signal, or has ended.
pub(crate) fn handles(process: &mut std::process::Child, signal: i32) {
    let caught = |text: String| {
        let mask = text.lines().find_map(|line| line.strip_prefix("SigCgt:"))?.trim();
        Some(u64::from_str_radix(mask, 16).ok()? >> (signal - 1) & 1 == 1)
    };
    let status = format!("/proc/{}/status", process.id());
    while process.try_wait().is_ok_and(|ended| ended.is_none())
        && std::fs::read_to_string(&status).is_ok_and(|text| caught(text) != Some(true))
    {
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Bytes that a process handed to the system so far.
pub(crate) fn written(process: &std::process::Child) -> u64 {
    let text = std::fs::read_to_string(format!("/proc/{}/io", process.id())).unwrap_or_default();
    let count = text.lines().find_map(|line| line.strip_prefix("wchar: ")?.parse().ok());
    count.unwrap_or(0)
}
