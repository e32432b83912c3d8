//! What helps: `arr help`, the limits, each tried on both sides, and what stands for a command without one.

use crate::shell::Folder;

#[test]
fn help_is_that_of_the_option() {
    let folder = Folder::new();
    for (asked, option) in [(vec!["help"], vec!["--help"]), (vec!["help", "check"], vec!["check", "--help"])] {
        let (asked, option) = (folder.arr(&asked), folder.arr(&option));
        assert_eq!((asked.code, asked.stderr.as_str()), (0, ""));
        assert_eq!(asked.stdout, option.stdout);
    }
    let unknown = folder.arr(&["help", "chekc"]);
    assert_eq!((unknown.code, unknown.stdout.as_str()), (2, ""));
    assert!(unknown.stderr.contains("there is `check`"), "{}", unknown.stderr);
}

/// The numbers of the page, by what they limit.
fn most(page: &str, of: &str) -> usize {
    let row = page.lines().find(|line| line.starts_with(&format!("| {of} |"))).expect(of);
    let cell = row.split('|').nth(2).expect("a limit").trim();
    let digits: String = cell.chars().filter(|c| *c != ',').take_while(char::is_ascii_digit).collect();
    let number: usize = digits.parse().expect(cell);
    match cell.rsplit(' ').next() {
        Some("KiB") => number << 10,
        Some("MiB") => number << 20,
        _ => number,
    }
}

/// As much of a message as one wants to see.
fn start(text: &str) -> String {
    text.chars().take(400).collect()
}

/// Each limit that a script can meet: a program at the limit and one beyond it, which the diagnostic of the page
/// refuses.
#[test]
fn programs_at_a_limit_run_and_beyond_it_do_not() {
    let folder = Folder::new();
    let page = folder.arr(&["doc", "limits", "--format", "markdown"]).stdout;
    let chain = |calls: usize| {
        let functions: String = (1..calls).map(|at| format!("fn step{at}(x) = step{}(x)\n", at - 1)).collect();
        format!("fn step0(x) = x\n{functions}step{}(1)", calls - 1)
    };
    let shape = |axes: usize| format!("sum(zeros(({})))", "1, ".repeat(axes));
    let cases: [(&str, &dyn Fn(usize) -> String); 8] = [
        ("a script", &|bytes| format!("1{}", " ".repeat(bytes - 1))),
        ("a name", &|bytes| format!("let {} = 1", "n".repeat(bytes))),
        ("a number", &|digits| format!("let x = 0.{}", "1".repeat(digits - 1))),
        ("brackets, blocks and operators inside each other", &|depth| {
            format!("{}1{}", "(".repeat(depth), ")".repeat(depth))
        }),
        ("an integer constant", &|bits| format!("let x = 2**{} > 0", bits - 1)),
        ("calls inside each other", &chain),
        ("axes of an array", &shape),
        ("a tuple", &|values| format!("let t = ({})", "1, ".repeat(values))),
    ];
    for (of, program) in cases {
        let most = most(&page, of);
        let ran = |size: usize| {
            let folder = Folder::with(&[("script.arr", program(size).as_bytes())]);
            folder.arr(&["run", "--allow", "unused-binding", "script.arr"])
        };
        let (at, beyond) = (ran(most), ran(most + 1));
        assert_eq!(at.code, 0, "{of}: {}", start(&at.stderr));
        let row = page.lines().find(|line| line.starts_with(&format!("| {of} |"))).expect(of);
        let code = row.split('|').nth(3).and_then(|cell| cell.split_whitespace().next()).expect("a code");
        assert!(beyond.code != 0 && beyond.stderr.contains(code), "{of}: {}", start(&beyond.stderr));
    }
    let deep = folder.arr(&["eval", &format!("{}1f32{}", "abs(".repeat(257), ")".repeat(257))]);
    assert!(deep.stderr.contains("E0115") && !deep.stderr.contains("E0332"), "{}", start(&deep.stderr));
    let threads = most(&page, "`--threads`");
    assert_eq!(folder.arr(&["eval", "--threads", &threads.to_string(), "1"]).code, 0);
    assert_eq!(folder.arr(&["eval", "--threads", &(threads + 1).to_string(), "1"]).code, 2);
}

#[test]
fn every_code_of_the_limits_has_a_page() {
    let folder = Folder::new();
    let page = folder.arr(&["doc", "limits", "--format", "markdown"]).stdout;
    let codes: Vec<&str> = page
        .lines()
        .filter_map(|line| line.split('|').nth(3)?.split_whitespace().find(|word| word.starts_with("E0")))
        .collect();
    assert!(codes.len() > 10, "{page}");
    for code in codes {
        assert_eq!(folder.arr(&["explain", code]).code, 0, "{code}");
    }
}

/// `arr FILE` runs, `arr 'EXPR'` evaluates, and a slip in a command is still one.
#[test]
fn files_and_expressions_need_no_command() {
    let folder = Folder::with(&[("job.arr", b"input k: i32 = 2\nk * 2\n"), ("plain", b"1 + 1\n")]);
    for (args, stdout) in [
        (&["job.arr"][..], "4 : i32\n"),
        (&["./job.arr", "k=5", "--mode", "safe"], "10 : i32\n"),
        (&["plain"], "2 : i*\n"),
        (&["2**10"], "1024 : i*\n"),
        (&["--mode", "safe", "job.arr", "k=5"], "10 : i32\n"),
        (&["--mode", "safe", "eval", "--threads", "2", "1 + 1"], "2 : i*\n"),
        (&["--color", "never", "sum(x)", "x=[1, 2]"], "3 : i64\n"),
    ] {
        let ran = folder.arr(args);
        assert_eq!((ran.code, ran.stdout.as_str()), (0, stdout), "{args:?}: {}", ran.stderr);
    }
    for (args, code, says) in [
        (&["chek", "job.arr"][..], 2, "'check'"),
        (&["no/job.arr"], 3, "no such file"),
        (&["1 +"], 1, "expected a value"),
    ] {
        let ran = folder.arr(args);
        assert!(ran.code == code && ran.stderr.contains(says), "{args:?}: {}", ran.stderr);
    }
}

#[test]
fn a_pipe_is_run_under_the_options() {
    let folder = Folder::new();
    let ran = crate::shell::arr_in(folder.path(), &["--format", "json"], "1+1\n");
    assert!(ran.code == 0 && ran.stdout.contains("\"data\":2}"), "{}{}", ran.stdout, ran.stderr);
    assert_eq!(crate::shell::arr_in(folder.path(), &["--mode", "saef"], "1+1\n").code, 2);
}

/// Paragraphs are cut where the terminal ends, and nowhere else; examples fit on 80 columns.
#[test]
fn helps_are_cut_once() {
    let folder = Folder::new();
    let mut command = crate::shell::command(folder.path(), &["help", "build"]);
    command.env("COLUMNS", "100");
    let told = crate::shell::finish(command, b"").stdout;
    assert!(told.contains("\n`cc` and `ar` are called. The functions take"), "{told}");
    let all = folder.arr(&["--help"]).stdout;
    let commands = all.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    for command in commands.filter_map(|line| line.strip_prefix("  ")?.split(' ').next()).filter(|it| !it.is_empty()) {
        let help = folder.arr(&["help", command]).stdout;
        let examples = help.lines().skip_while(|line| *line != "Examples:").take_while(|line| !line.is_empty());
        examples.for_each(|line| assert!(line.chars().count() <= 80, "{command}: {line}"));
    }
}

/// What the chapter about statements says of `#!` works.
#[test]
fn scripts_can_be_commands() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::with(&[("twice.arr", b"#!/usr/bin/env -S arr run\ninput x: i64\nx * 2\n")]);
    let script = folder.path().join("twice.arr");
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).expect("it is ours");
    let binary = std::path::Path::new(env!("CARGO_BIN_EXE_arr")).parent().expect("a folder");
    let path = format!("{}:{}", binary.display(), std::env::var("PATH").unwrap_or_default());
    let ran = std::process::Command::new(&script).arg("x=21").env("PATH", path).output().expect("it starts");
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "42 : i64\n", "{}", String::from_utf8_lossy(&ran.stderr));
}

#[test]
fn a_part_of_a_findings_name_is_enough_to_be_told_the_name() {
    let ran = Folder::new().arr(&["explain", "precision"]);
    assert!(ran.code == 2 && ran.stderr.contains("there is `precision-loss`"), "{}", ran.stderr);
}
