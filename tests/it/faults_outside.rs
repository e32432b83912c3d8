//! What attacks from outside found about streams, signals, folders and configurations (E20 to E28).
#![expect(unsafe_code, reason = "the standard library sends no signals and makes no pipes with names")]

use crate::shell::{self, Folder, Ran};
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader, Write};
use std::os::unix::fs::{OpenOptionsExt, symlink};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// What a terminal obeys, or shows as something else: a title, a colour, a direction, a mark.
const HOSTILE: &str = "\u{1b}]0;PWN\u{7}\u{1b}[31m\u{9b}2J\u{202e}\u{2066}\u{feff}\u{7f}";

fn obeyed(text: &str) -> Option<char> {
    text.chars().find(|&c| c.is_control() && !matches!(c, '\n' | '\t') || "\u{202e}\u{2066}\u{feff}".contains(c))
}

fn shows_nothing_hostile(ran: &Ran, what: &str) {
    for text in [&ran.stdout, &ran.stderr] {
        assert_eq!(obeyed(text), None, "{what}: {text:?}");
    }
}

/// Strings may hold any character.
fn hostile_folder() -> Folder {
    let script = format!("input x: f64[n]\nlet  y = x + load(\"{HOSTILE}.npy\")\noutput y\n");
    let typed = format!("let y: f64[n] = load(\"{HOSTILE}.npy\")\noutput y\n");
    let comment = format!("let  y = 1 # {HOSTILE}\ny\n");
    let system = "name = \"a\\u202eb\\ufeff\"\nedges = [\"bool -> u8\", \"u8 -> i16\", \"i16 -> f32\"]\n";
    let config = format!("mode = \"{}\"\n", HOSTILE.replace(|c: char| c.is_control(), ""));
    Folder::with(&[
        ("s.arr", script.as_bytes()),
        ("t.arr", typed.as_bytes()),
        ("c.arr", comment.as_bytes()),
        ("s.toml", system.as_bytes()),
        ("bad/arr.toml", config.as_bytes()),
        ("bad/x.arr", b"1\n"),
    ])
}

#[test]
fn e20_no_text_reaches_a_terminal_as_it_is() {
    let folder = hostile_folder();
    let commands: &[&[&str]] = &[
        &["check", "s.arr"],
        &["check", "t.arr", "c.arr"],
        &["check", "--format", "concise", "s.arr", "c.arr"],
        &["check", "--format", "json", "s.arr", "c.arr"],
        &["check", "--format", "sarif", "s.arr", "c.arr"],
        &["check", "--format", "github", "s.arr", "c.arr"],
        &["check", "--compare", "jax,numpy", "t.arr"],
        &["check", "bad"],
        &["run", "s.arr"],
        &["run", "c.arr", "--format", "json"],
        &["signature", "t.arr"],
        &["explain", "x + y", "x:u8", "y:f32", "--system", "s.toml"],
        &["promote", "u8", "f32", "--system", "s.toml"],
        &["promote", "u8", "f32", "--system", "s.toml", "--format", "json"],
        &["table", "--system", "s.toml"],
        &["laws", "--system", "s.toml"],
        &["lattice", "--system", "s.toml"],
    ];
    for args in commands {
        shows_nothing_hostile(&folder.arr(args), &args.join(" "));
    }
}

#[test]
fn e20_no_argument_reaches_a_terminal_as_it_is() {
    let folder = Folder::new();
    let x = HOSTILE;
    let commands: &[&[&str]] = &[
        &[x],
        &["--color", x],
        &["eval", x],
        &["eval", "1", x],
        &["eval", "1", "--system", x],
        &["eval", "1", "--max-mem", x],
        &["eval", "1", "-o", x],
        &["check", x],
        &["check", "--format", x, "x"],
        &["check", &format!("--{x}"), "x"],
        &["run", "-", &format!("{x}=1")],
        &["doc", x],
        &["help", x],
        &["explain", x],
        &["explain", "a + b", &format!("a:{x}")],
        &["promote", x],
        &["promote", "i8", "--op", x],
        &["table", "--op", x],
        &["lattice", "--highlight", x],
        &["completions", x],
        &["bench", x],
    ];
    for args in commands {
        let ran = folder.arr(args);
        assert!(ran.code > 0, "{args:?}");
        shows_nothing_hostile(&ran, &args.join(" "));
        let mut coloured = vec!["--color", "always"];
        coloured.extend(*args);
        let ran = folder.arr(&coloured);
        assert!(!ran.stderr.contains("\u{1b}]") && !ran.stderr.contains("PWN\u{7}"), "{args:?}: {:?}", ran.stderr);
    }
}

#[test]
fn e20_no_input_of_a_session_reaches_a_terminal_as_it_is() {
    let x = HOSTILE;
    let string = format!("load(\"{x}\")");
    let lines = [
        format!("1 # {x}"),
        format!("let y: f64[n] = {string}"),
        string.clone(),
        format!(":{x}"),
        format!(":doc {x}"),
        format!(":set {x} 1"),
        format!(":set mode {x}"),
        format!(":load {x}"),
        format!(":save 1 {x}"),
        format!(":run {x}"),
        format!(":type {string}"),
        format!(":why {string}"),
        format!(":compare {string}"),
        format!(":table {x}"),
        format!(":edit {x}"),
        "fn f(x) {\n  # a\u{2003}b\n  x\n}".to_owned(),
        "f".to_owned(),
        ":history".to_owned(),
        ":vars".to_owned(),
    ];
    let ran = shell::arr_in(Folder::new().path(), &["repl"], lines.join("\n"));
    shows_nothing_hostile(&ran, "the session");
    assert!(ran.stderr.contains("␛]0;PWN␇"), "{}", ran.stderr);
}

#[test]
fn e20_text_for_a_program_stays_as_it_is() {
    let text = format!("load(\"{HOSTILE}\")\n");
    let ran = shell::arr_in(Folder::new().path(), &["fmt", "-"], &text);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, text.as_str()));
    let folder = Folder::with(&[("a.arr", format!("load( \"{HOSTILE}\")\n").as_bytes())]);
    let ran = folder.arr(&["fmt", "--diff", "a.arr"]);
    assert!(ran.stdout.contains(&format!("+{text}")), "{:?}", ran.stdout);
}

#[test]
fn e20_json_says_what_the_text_said() {
    let folder = Folder::with(&[("s.arr", format!("load(\"{HOSTILE}\")\n").as_bytes())]);
    let ran = folder.arr(&["check", "--format", "json", "s.arr"]);
    assert!(ran.stdout.contains("\\u202e") || ran.stdout.contains("\\\\u{202e}"), "{}", ran.stdout);
    let parsed: serde_json::Value = serde_json::from_str(&ran.stdout).expect("JSON");
    assert!(parsed.is_object() || parsed.is_array());
}

#[test]
fn e20_a_comment_holds_no_character_that_a_terminal_obeys() {
    let code = |c: char| {
        let folder = Folder::with(&[("a.arr", format!("1 # a{c}b\n").as_bytes())]);
        let ran = folder.arr(&["check", "--format", "concise", "a.arr"]);
        (ran.code, ran.stdout.contains("E0110"))
    };
    for c in ['\0', '\u{1b}', '\u{8}', '\u{7f}', '\u{9b}', '\u{feff}', '\u{202e}', '\u{2028}'] {
        assert_eq!(code(c), (1, true), "{c:?}");
    }
    for c in ['\t', 'é', '\u{a0}', '\u{200d}', '\u{fe0f}'] {
        assert_eq!(code(c), (0, false), "{c:?}");
    }
}

fn signal(child: &Child, signal: libc::c_int) {
    // SAFETY: the process is our own child, which is not waited for yet.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
}

/// Measured below 0.1 s; a busy machine may need more.
fn ends_soon(child: &mut Child) -> Option<i32> {
    let sent = Instant::now();
    while sent.elapsed() < Duration::from_secs(30) {
        if let Some(status) = child.try_wait().expect("our own child") {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().expect("our own child");
    panic!("it goes on");
}

fn session(folder: &Folder) -> Child {
    shell::command(folder.path(), &["repl"]).stdin(Stdio::piped()).spawn().expect("the command starts")
}

#[test]
fn e21_a_session_on_a_pipe_ends_at_a_signal_when_it_waits() {
    for (number, inputs) in [(libc::SIGTERM, "1\n"), (libc::SIGHUP, "1\n"), (libc::SIGINT, "1\n"), (libc::SIGINT, "")] {
        let folder = Folder::new();
        let mut child = session(&folder);
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(inputs.as_bytes()).expect("it reads");
        match inputs {
            "" => {
                shell::handles(&mut child, number);
                std::thread::sleep(Duration::from_millis(300));
            }
            _ => {
                let mut answer = String::new();
                BufReader::new(child.stdout.as_mut().expect("a pipe")).read_line(&mut answer).expect("it answers");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
        signal(&child, number);
        assert_eq!(ends_soon(&mut child), Some(130), "{number} after {inputs:?}");
    }
}

#[test]
fn e21_a_session_on_a_pipe_ends_at_a_signal_between_many_inputs() {
    for number in [libc::SIGTERM, libc::SIGHUP, libc::SIGINT] {
        let folder = Folder::new();
        let mut child = shell::command(folder.path(), &["repl"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .expect("the command starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || while stdin.write_all(&b"1\n".repeat(1000)).is_ok() {});
        shell::handles(&mut child, number);
        std::thread::sleep(Duration::from_millis(300));
        signal(&child, number);
        assert_eq!(ends_soon(&mut child), Some(130), "{number}");
        writer.join().expect("writing ends");
    }
}

#[test]
fn e21_a_session_ends_when_nobody_reads_its_answers() {
    let folder = Folder::new();
    let mut child = session(&folder);
    let mut stdin = child.stdin.take().expect("a pipe");
    drop(child.stdout.take());
    let writer = std::thread::spawn(move || while stdin.write_all(&b"1\n".repeat(1000)).is_ok() {});
    assert_eq!(ends_soon(&mut child), Some(0));
    writer.join().expect("writing ends");
}

#[test]
fn e22_printing_ends_at_a_signal() {
    let folder = Folder::new();
    let args = ["eval", "arange(30000000) * 1.5", "--format", "json"];
    for number in [libc::SIGTERM, libc::SIGINT] {
        let mut child = shell::command(folder.path(), &args).spawn().expect("the command starts");
        let mut first = [0; 10];
        std::io::Read::read_exact(child.stdout.as_mut().expect("a pipe"), &mut first).expect("it prints");
        signal(&child, number);
        assert_eq!(ends_soon(&mut child), Some(130));
    }
    // In a session too, where the text is taken away as it comes.
    let mut child = shell::command(folder.path(), &["repl", "--format", "json"])
        .stdin(Stdio::piped())
        .spawn()
        .expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(b"arange(30000000) * 1.5\n").expect("it reads");
    let mut out = child.stdout.take().expect("a pipe");
    std::io::Read::read_exact(&mut out, &mut [0; 10]).expect("it prints");
    let reader = std::thread::spawn(move || std::io::copy(&mut out, &mut std::io::sink()));
    signal(&child, libc::SIGINT);
    assert_eq!(ends_soon(&mut child), Some(130));
    let printed = reader.join().expect("reading ends").expect("it can be read");
    assert!(printed < 300_000_000, "{printed}");
}

#[test]
fn e23_a_file_that_may_not_grow_is_an_error_of_its_write() {
    let folder = Folder::new();
    let script = "ulimit -f 100; exec \"$0\" eval 'arange(100000)' -o y.npy";
    let mut command = std::process::Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_arr")]).current_dir(folder.path()).stdin(Stdio::null());
    let output = command.output().expect("there is a shell");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(3) && text.contains("E0511"), "{:?} {text}", output.status);
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file is left");
}

/// Not even the one that no process can answer, where the file system has files without names.
#[test]
fn e23_no_signal_leaves_a_file() {
    for number in [libc::SIGQUIT, libc::SIGUSR1, libc::SIGALRM, libc::SIGXCPU, libc::SIGKILL] {
        let folder = Folder::new();
        let nameless = OpenOptions::new().write(true).custom_flags(libc::O_TMPFILE).open(folder.path()).is_ok();
        if number == libc::SIGKILL && !nameless {
            continue;
        }
        let args = ["eval", "zeros(2000000000, dtype=u8)", "-o", "y.npy", "--max-mem", "4G"];
        let mut child = shell::command(folder.path(), &args).spawn().expect("the command starts");
        let files = || std::fs::read_dir(folder.path()).expect("a folder").count();
        while shell::written(&child) < 1 << 20 && child.try_wait().expect("our own child").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        assert_eq!(files(), usize::from(!nameless), "{number}");
        signal(&child, number);
        let code = ends_soon(&mut child);
        assert!(matches!(code, Some(130 | 1)) || number == libc::SIGKILL, "{number}: {code:?}");
        assert_eq!(files(), 0, "{number}");
    }
}

#[test]
fn e24_folders_hold_scripts_in_regular_files_only() {
    let folder = Folder::with(&[("t/a.arr", b"let  x = 1\nx\n"), ("t/deep/b.arr", b"2\n")]);
    for name in ["t/f.arr", "t/deep/g.arr"] {
        let path = std::ffi::CString::new(folder.path().join(name).into_os_string().into_encoded_bytes()).unwrap();
        // SAFETY: the path ends in a NUL.
        assert_eq!(unsafe { libc::mkfifo(path.as_ptr(), 0o600) }, 0);
    }
    symlink("f.arr", folder.path().join("t/to_pipe.arr")).unwrap();
    symlink(".", folder.path().join("t/loop.arr")).unwrap();
    symlink("deep/b.arr", folder.path().join("t/same.arr")).unwrap();
    for args in [["check", "t"].as_slice(), &["check", "--fix", "t"], &["fmt", "--check", "t"], &["fmt", "t"]] {
        let mut child = shell::command(folder.path(), args).spawn().expect("the command starts");
        let code = ends_soon(&mut child);
        assert!(code == Some(0) || args.contains(&"--check") && code == Some(1), "{args:?}: {code:?}");
    }
    let ran = folder.arr(&["check", "t"]);
    assert!(ran.stderr.contains("note: t/f.arr is no regular file; it is left out"), "{}", ran.stderr);
    assert_eq!(std::fs::read(folder.path().join("t/a.arr")).unwrap(), b"let x = 1\nx\n");
}

/// Every command that prints something.
const PRINTING: &[&[&str]] = &[
    &["--version"],
    &["--help"],
    &["help"],
    &["help", "check"],
    &["help", "limits"],
    &["eval", "--help"],
    &["eval", "1"],
    &["eval", "1", "--format", "json"],
    &["eval", "1", "--emit", "ir"],
    &["eval", "[1, 2]", "-o", "/dev/stdout"],
    &["run", "a.arr"],
    &["check", "--format", "json", "a.arr"],
    &["check", "--format", "concise", "bad.arr"],
    &["check", "--statistics", "bad.arr"],
    &["check", "--compare", "jax,numpy", "a.arr"],
    &["check", "--diff", "fix.arr"],
    &["fmt", "--check", "fix.arr"],
    &["fmt", "--diff", "fix.arr"],
    &["explain", "E0301"],
    &["explain", "1 + 2.0"],
    &["promote", "i8", "u8"],
    &["table"],
    &["table", "--format", "csv"],
    &["lattice"],
    &["laws"],
    &["signature", "f.arr"],
    &["doc"],
    &["doc", "sum", "--format", "json"],
    &["completions", "bash"],
];

#[test]
fn e25_standard_output_that_takes_nothing_is_told_by_every_command() {
    let folder = Folder::with(&[
        ("a.arr", b"1 + 2.5\n"),
        ("f.arr", b"fn f(x, y) = x + y\n"),
        ("bad.arr", b"nope\n"),
        ("fix.arr", b"let  x = 1 && 2\nx\n"),
    ]);
    let sh = |script: &str, args: &[&str]| {
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_arr")]).args(args).current_dir(folder.path());
        let output = command.stdin(Stdio::null()).output().expect("there is a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    for args in PRINTING {
        for stream in [">/dev/full", ">&-", "1</dev/null"] {
            let (code, text) = sh(&format!("exec \"$0\" \"$@\" {stream}"), args);
            // What cannot be formatted prints nothing.
            let silent = args[0] == "fmt";
            assert!(code == Some(3) || silent && code == Some(1), "{args:?} {stream}: {code:?} {text}");
            let told = text.contains("E0511 file-unwritable]: cannot write `");
            assert!(silent || told && !text.contains("os error"), "{args:?} {stream}: {text}");
        }
        assert_ne!(sh("exec \"$0\" \"$@\" >/dev/null", args).0, Some(3), "{args:?}");
    }
    for stream in [">/dev/full", ">&-"] {
        let (code, text) = sh(&format!("printf '1\\n2\\n' | \"$0\" repl {stream}"), &[]);
        assert_eq!((code, text.matches("cannot write").count()), (Some(3), 1), "{stream}: {text}");
    }
    for command in ["", "run -", "check - >&2", "eval x x=-", "head -"] {
        let (code, text) = sh(&format!("\"$0\" {command} <&-"), &[]);
        let told = text.contains("E0510 file-unreadable]: cannot read `standard input`: it is closed");
        assert!(code == Some(3) && told, "{command}: {code:?} {text}");
    }
    let (_, text) = sh("\"$0\" check --fix - <fix.arr >/dev/full", &[]);
    assert!(text.contains("fixed 0, 2 remain (2 with a fix that was not written)\n"), "{text}");
    // Nothing to print is nothing lost; and a stream that is open for both is as good as any.
    assert_eq!(sh("exec \"$0\" eval 1 -o y.npy >&-", &[]).0, Some(0));
    assert_eq!(sh("exec \"$0\" eval 1 1<>/dev/null", &[]).0, Some(0));
}

#[test]
fn e26_a_link_out_of_a_folder_is_not_followed() {
    const LONG: &[u8] = b"let  x = u8(1) + i8(1) && true\nx\n";
    let folder = Folder::with(&[("out/o.arr", LONG), ("in/a.arr", b"1\n")]);
    symlink("../out/o.arr", folder.path().join("in/l.arr")).unwrap();
    symlink("../out", folder.path().join("in/folder.arr")).unwrap();
    for args in [
        ["fmt", "in"].as_slice(),
        &["fmt", "--diff", "in"],
        &["check", "in"],
        &["check", "--fix", "--unsafe-fixes", "in"],
        &["check", "--add-suppressions", "in"],
    ] {
        let ran = folder.arr(args);
        assert_eq!(ran.code, 0, "{args:?} {}", ran.stderr);
        assert!(ran.stderr.contains("note: in/l.arr leads out of the folder; it is left out"), "{}", ran.stderr);
        assert!(!ran.stdout.contains("let") && !ran.stderr.contains("let"), "{} {}", ran.stdout, ran.stderr);
        assert_eq!(std::fs::read(folder.path().join("out/o.arr")).unwrap(), LONG, "{args:?}");
    }
    // Who names the link means it.
    assert_eq!(folder.arr(&["check", "in/l.arr"]).code, 1);
}

const LOSSY: &[u8] = b"input x: i32[n]\ninput y: f32[n]\nx * y\n";

#[test]
fn e28_a_file_of_rules_opens_its_own_project_only() {
    let toml = |folders: &str| format!("allow-read = [{folders}]\n").into_bytes();
    let check = |folders: &str, top: &[(&str, &[u8])]| {
        let files = [("p/q/arr.toml", toml(folders)), ("p/q/s/x.arr", b"1\n".to_vec())];
        let mut all: Vec<(&str, &[u8])> = files.iter().map(|(name, bytes)| (*name, bytes.as_slice())).collect();
        all.extend([("p/q/data/d", &b""[..]), ("p/data/d", b"")]);
        all.extend(top);
        let folder = Folder::with(&all);
        symlink("/", folder.path().join("p/q/root")).unwrap();
        folder.arr(&["check", "p/q/s/x.arr"])
    };
    for folders in ["\"/\"", "\"../data\"", "\"root\"", "\"data\", \"/etc\""] {
        let ran = check(folders, &[]);
        assert!(ran.code == 1 && ran.said().contains("E0523"), "{folders}: {}", ran.said());
        assert!(ran.said().contains("lies outside of the project"), "{folders}: {}", ran.said());
    }
    assert_eq!(check("\"data\", \".\"", &[]).code, 0);
    // A repository is one project.
    let ran = check("\"../data\"", &[("p/.git/HEAD", b"")]);
    assert_eq!(ran.code, 0, "{}", ran.said());
    assert_eq!(check("\"/\"", &[("p/.git/HEAD", b"")]).code, 1);
}

#[test]
fn e28_the_search_ends_with_the_project() {
    let deny: &[u8] = b"[lints]\nprecision-loss = \"deny\"\n";
    let code = |files: &[(&str, &[u8])], home: &str| {
        let folder = Folder::with(files);
        let mut command = shell::command(folder.path(), &["check", "a/b/x.arr"]);
        command.env("HOME", folder.path().join(home));
        shell::finish(command, b"").code
    };
    let script = ("a/b/x.arr", LOSSY);
    assert_eq!(code(&[("arr.toml", deny), script], "elsewhere"), 1);
    assert_eq!(code(&[("arr.toml", deny), ("a/.git/HEAD", b""), script], "elsewhere"), 0);
    assert_eq!(code(&[("a/arr.toml", deny), ("a/.git/HEAD", b""), script], "elsewhere"), 1);
    assert_eq!(code(&[("arr.toml", deny), script], "a"), 0);
    assert_eq!(code(&[("a/arr.toml", deny), script], "a"), 1);
}

#[test]
fn e28_somebody_elses_file_of_rules_is_not_followed() {
    let folder = Folder::with(&[("arr.toml", b"mode = \"safe\"\n"), ("x.arr", LOSSY)]);
    let path = folder.path().join("arr.toml");
    assert_eq!(folder.arr(&["check", "x.arr"]).code, 1);
    // Only the administrator can give files away; the rule itself has a test beside it.
    if std::os::unix::fs::lchown(&path, Some(12_345), None).is_err() {
        return;
    }
    let ran = folder.arr(&["check", "x.arr"]);
    assert!(ran.code == 0 && ran.stderr.contains("belongs to user 12345 and is not followed"), "{}", ran.stderr);
    let mut command = shell::command(folder.path(), &["check", "x.arr"]);
    command.env("ARR_CONFIG", &path);
    assert_eq!(shell::finish(command, b"").code, 1);
    // Nor is a link to an own file that somebody else put there.
    std::fs::rename(&path, folder.path().join("own.toml")).unwrap();
    std::os::unix::fs::lchown(folder.path().join("own.toml"), Some(0), None).unwrap();
    symlink("own.toml", &path).unwrap();
    assert_eq!(folder.arr(&["check", "x.arr"]).code, 1);
    std::os::unix::fs::lchown(&path, Some(12_345), None).unwrap();
    assert_eq!(folder.arr(&["check", "x.arr"]).code, 0);
}
