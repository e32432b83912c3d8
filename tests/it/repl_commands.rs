//! The commands of the REPL, as a person sees them: transcripts in `repl_commands/`, one for each family, played to
//! `arr repl` on a pipe. `ARR_UPDATE=1` rewrites them.
//!
//! Lines after `arr> ` and `...> ` are typed; the others are what comes back on both streams, in order.

use crate::lab;
use crate::shell::{self, Folder};
use std::fmt::Write as _;
use std::fs::File;
use std::io::Write;
use std::process::Stdio;

/// Nobody's command: its complaint marks where the answer to an input ends.
const MARK: &str = ":end-of-answer";

/// The folder of every transcript: arrays, a table, an archive, scripts.
fn folder() -> Folder {
    let folder = Folder::with(&[
        ("table.csv", b"day,price\n1,2.5\n2,3.5\n3,10\n"),
        ("mixed.csv", b"date,open,name,close\n2024-01-02,1.5,a,2\n2024-01-03,2.5,b,3\n"),
        ("words.csv", b"a,b\nx,y\n"),
        ("gain.arr", b"## Makes it louder.\nfn gain(x, g=2) = x * g\nlet a = [1f32, 2]\ngain(a)\noutput z = a + 1\n"),
        ("needs.arr", b"input k: f32\nlet twice = k * 2\ntwice\n"),
        ("wrong.arr", b"let fine = 1\nfine + nope\n"),
        ("mine.toml", b"nonsense = 1\n"),
        ("notes.md", b"no array\n"),
    ]);
    for (expression, file) in [
        ("sin(linspace(0, 6, 40))", "wave.npy"),
        ("f32([1.5, -2, nan])", "my data.npy"),
        ("reshape(arange(6, dtype=i16), (2, 3))", "raw.npy"),
        ("i32([120, 118, 131])", "counts.npy"),
    ] {
        assert_eq!(folder.arr(&["eval", expression, "-o", file]).code, 0);
    }
    std::fs::copy(lab::root("examples/data/options.npz"), folder.path().join("options.npz")).expect("it is there");
    folder
}

/// What comes back for each input.
fn play(folder: &Folder, inputs: &[String]) -> Vec<String> {
    let script: String = inputs.iter().map(|input| format!("{input}\n{MARK}\n")).collect();
    let path = folder.path().join(".answers");
    let out = File::create(&path).expect("the folder is writable");
    let mut command = shell::command(folder.path(), &["repl", "--no-init"]);
    command.env("COLUMNS", "80").env("EDITOR", "sed -i s/100/200/").env_remove("VISUAL");
    command.env("HOME", folder.path()).env("XDG_CONFIG_HOME", folder.path()).stdin(Stdio::piped());
    command.stdout(out.try_clone().expect("a file")).stderr(out);
    let mut child = command.spawn().expect("the command starts");
    child.stdin.take().expect("a pipe").write_all(script.as_bytes()).expect("it reads");
    // The marks are errors.
    assert_eq!(child.wait().expect("it ends").code(), Some(1));
    let text = std::fs::read_to_string(&path).expect("answers are text");
    let mut answers = vec![String::new()];
    for line in text.lines() {
        match line.contains(MARK) {
            true => answers.push(String::new()),
            false => answers.last_mut().expect("an answer").extend([line, "\n"]),
        }
    }
    answers.truncate(inputs.len());
    answers
}

/// The inputs of a transcript.
fn inputs(transcript: &str) -> Vec<String> {
    let mut inputs: Vec<String> = Vec::new();
    for line in transcript.lines() {
        if let Some(input) = line.strip_prefix("arr>") {
            inputs.push(input.trim().to_owned());
        } else if let Some(more) = line.strip_prefix("...>") {
            inputs.last_mut().expect("a first line").extend(["\n", more.trim_start_matches(' ')]);
        }
    }
    inputs
}

/// Times and speeds are another number each time.
fn without_times(answer: &str) -> String {
    let timed = |line: &&str| {
        ["compile ", "run ", "element ", "memory "].iter().any(|word| line.starts_with(word))
            || line.starts_with("threads ") && line.ends_with(" at most")
    };
    let hide = |line: &str| {
        let words = line.split(' ').map(|word| match word.trim_end_matches([',', ')']) {
            number if number.parse::<f64>().is_ok() => word.replace(number, "N"),
            unit @ ("ns" | "µs" | "ms" | "s") => word.replace(unit, "T"),
            _ => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    };
    let lines = answer.lines().map(|line| if timed(&line) { hide(line) } else { line.to_owned() });
    lines.map(|line| format!("{line}\n")).collect()
}

fn check(name: &str) {
    let path = lab::root(&format!("tests/it/repl_commands/{name}.txt"));
    let known = std::fs::read_to_string(&path).expect("the transcript is there");
    let inputs = inputs(&known);
    let answers = play(&folder(), &inputs);
    let mut found = String::new();
    for (input, answer) in inputs.iter().zip(&answers) {
        for (at, line) in input.lines().enumerate() {
            let prompt = if at == 0 { "arr> " } else { "...> " };
            let _ = writeln!(found, "{prompt}{line}");
        }
        found.push_str(&without_times(answer));
    }
    if std::env::var_os("ARR_UPDATE").is_some() {
        std::fs::write(&path, &found).expect("the transcript is written");
        return;
    }
    assert!(found == known, "{name}.txt is not what comes back; ARR_UPDATE=1 rewrites it:\n{found}");
}

#[test]
fn types_and_reasons() {
    check("types");
}

#[test]
fn settings() {
    check("settings");
}

#[test]
fn files_and_names() {
    check("files");
}

#[test]
fn scripts() {
    check("scripts");
}

#[test]
fn pages_and_tables() {
    check("pages");
}

#[test]
fn bits() {
    check("bits");
}

#[test]
fn plots() {
    check("plots");
}

#[test]
fn stages_and_times() {
    check("stages");
}

#[test]
fn ways_back() {
    check("back");
}

#[test]
fn names_by_assignment() {
    check("defines");
}

#[test]
fn habits_of_other_prompts() {
    check("habits");
}

/// What a new user wants to do, with `:help` alone.
#[test]
fn ten_tasks() {
    check("tasks");
}

/// Whatever fails leaves names, settings and numbers as they were.
#[test]
fn commands_that_fail_leave_no_trace() {
    let folder = folder();
    let before = ["let x = f32([1, 2])", ":load counts.npy"];
    let wrong = [
        ":type x +",
        ":why nope",
        ":compare x @",
        ":mode loud",
        ":system nunpy",
        ":system mine.toml",
        ":width 12",
        ":checked maybe",
        ":set loud on",
        ":set mode loud",
        ":set max-mem much",
        ":set digits 99",
        ":load nope.npy",
        ":load notes.md",
        ":load options.npz:nope",
        ":load raw.npy as 3x",
        ":load \"raw.npy",
        ":save x",
        ":save nope y.npy",
        ":save x no/y.npy",
        ":save x y.txt",
        ":run wrong.arr",
        ":run needs.arr",
        ":run nope.arr",
        ":run needs.arr k",
        ":edit nope",
        ":doc nope",
        ":table nope",
        ":lattice nope",
        ":time x +",
        ":time let q = 1",
        ":bits let q = 1; q",
        ":plot 1",
        ":plot x, [1]",
        ":ir x +",
        ":kernel nope",
        ":clif nope",
        ":asm nope",
        ":history x",
        ":help nope",
        ":nope",
        ":",
        ":vars x",
        ":reset x",
        "let q = nope",
        ":stats nope",
        ":type",
        ":load",
        ":save",
        ":run",
        ":plot",
    ];
    let after = [":vars", ":set", ":history", "_ + nope", "x"];
    let all = |lines: &[&[&str]]| lines.concat().into_iter().map(str::to_owned).collect::<Vec<String>>();
    let plain = play(&folder, &all(&[&before, &after]));
    let broken = play(&folder, &all(&[&before, &wrong, &after]));
    for (input, answer) in wrong.iter().zip(&broken[before.len()..]) {
        assert!(!answer.trim().is_empty() && !answer.contains("internal error"), "{input}: {answer}");
    }
    assert_eq!(plain[before.len()..], broken[before.len() + wrong.len()..]);
    assert!(!folder.path().join("y.npy").exists());
}

#[test]
fn listings_fit_the_window() {
    let inputs = [
        ":set",
        ":bits 0.1",
        ":bits 1 + 2j",
        ":bits [0.1, 0.30000000000000004]",
        ":bits [1, 2]",
        ":table",
        ":table //",
        ":table sum",
        ":lattice",
        ":vars",
        ":help",
    ];
    let answers = play(&folder(), &inputs.map(str::to_owned));
    for (input, answer) in inputs.iter().zip(&answers) {
        assert!(answer.lines().all(|line| line.chars().count() <= 80), "{input}:\n{answer}");
    }
    assert!(answers[1].contains("\n  0x3fb999999999999a\n"), "{}", answers[1]);
    assert_eq!(answers[5].matches("\nc128 ").count(), 3, "{}", answers[5]);
}

/// What the pages of the commands say can be typed, can be typed.
#[test]
fn the_examples_of_every_command_work() {
    let page = folder().arr(&["doc", "repl", "--format", "markdown"]).stdout;
    let mut examples: Vec<String> = Vec::new();
    for block in page.split("```text\n").skip(1) {
        let lines = block.split("```").next().unwrap_or_default().lines();
        examples.extend(lines.map(|line| line.split("   ").next().unwrap_or(line).to_owned()));
    }
    assert!(examples.len() > 50, "{examples:?}");
    let folder = folder();
    std::fs::copy(folder.path().join("wave.npy"), folder.path().join("y.npy")).expect("it is there");
    std::fs::copy(folder.path().join("gain.arr"), folder.path().join("script.arr")).expect("it is there");
    let own = "name = \"mine\"\nedges = [\"bool -> i*\", \"i* -> i32\", \"i32 -> f*\", \"f* -> f32\"]\n\
               defaults = { int = \"i32\", float = \"f32\" }\n";
    folder.write("my.toml", own.as_bytes());
    for example in examples.iter().filter(|example| !example.contains("gain=2.5") && *example != ":quit") {
        let given = ["let x = [3i32, 1, 2]".to_owned(), "let y = [0.5f32, 2, 1]".to_owned(), example.clone()];
        let answer = play(&folder, &given).pop().unwrap_or_default();
        let wrong = |line: &str| line.starts_with("error:") || line.starts_with("Error[");
        assert!(!answer.lines().any(wrong), "{example}: {answer}");
    }
}

/// `docs/repl.md` is what `arr doc repl --format markdown` prints; `ARR_UPDATE=1` writes it.
#[test]
fn the_page_of_the_repl_is_current() {
    let printed = folder().arr(&["doc", "repl", "--format", "markdown"]).stdout;
    let path = lab::root("docs/repl.md");
    if std::env::var_os("ARR_UPDATE").is_some() {
        std::fs::write(&path, &printed).expect("the page is written");
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(kept == printed, "docs/repl.md is out of date: run the tests with ARR_UPDATE=1");
}
