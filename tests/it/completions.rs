//! `arr completions`: shells take what it prints, and complete by it.

use crate::shell::Folder;
use std::process::Command;

fn script(shell: &str) -> String {
    let ran = Folder::new().arr(&["completions", shell]);
    assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{shell}");
    ran.stdout
}

/// A table with names that a shell could take for something else.
const COLUMNS: &[u8] = b"price,pro rata,$(touch bad),symbol\n1,2,3,a\n";

/// What bash offers for the last of some words.
fn offered(folder: &Folder, words: &[&str]) -> Vec<String> {
    let last = words.len() - 1;
    let text = format!(
        "source completions.bash\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n_arr arr '{}' '{}'\nprintf '%s\\n' \"${{COMPREPLY[@]}}\"",
        words.iter().map(|word| format!("'{word}'")).collect::<Vec<_>>().join(" "),
        words[last],
        words[last - 1],
    );
    let ran =
        Command::new("bash").args(["--norc", "-c", &text]).current_dir(folder.path()).output().expect("bash runs");
    assert!(ran.status.success(), "{}", String::from_utf8_lossy(&ran.stderr));
    String::from_utf8(ran.stdout).expect("text").lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_commands_options_and_values() {
    let folder = Folder::with(&[("completions.bash", script("bash").as_bytes())]);
    assert_eq!(offered(&folder, &["arr", "pro"]), ["promote"]);
    assert_eq!(offered(&folder, &["arr", "run", "--verb"]), ["--verbose"]);
    assert_eq!(offered(&folder, &["arr", "check", "--color", "n"]), ["never"]);
    assert_eq!(offered(&folder, &["arr", "completions", "z"]), ["zsh"]);
}

#[test]
fn bash_completes_the_columns_of_a_file() {
    let folder = Folder::with(&[("completions.bash", script("bash").as_bytes()), ("t.csv", COLUMNS)]);
    let of = |line: &str, breaks: &str| {
        let (arr, words): (&str, Vec<&str>) = (env!("CARGO_BIN_EXE_arr"), line.split(' ').collect());
        let (count, last) = (words.len() - 1, words[words.len() - 1]);
        let text = format!(
            "source completions.bash\narr() {{ '{arr}' \"$@\"; }}\nCOMP_WORDBREAKS='{breaks}'\nCOMP_LINE='{line}'\n\
             COMP_POINT=${{#COMP_LINE}}\nCOMP_WORDS=({line})\nCOMP_CWORD={count}\n_arr_columns arr '{last}' ''\n\
             printf '%s\\n' \"${{COMPREPLY[@]}}\""
        );
        let mut bash = Command::new("bash");
        let ran = bash.args(["--norc", "-c", &text]).current_dir(folder.path()).output().expect("bash runs");
        String::from_utf8(ran.stdout).expect("text").lines().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(of("arr eval x=t.csv:pr", "=:"), ["price", "pro\\ rata"]);
    assert_eq!(of("arr head t.csv:s", ""), ["t.csv:symbol"]);
    assert_eq!(of("arr head t.csv:", ":").len(), 4);
    assert!(!folder.path().join("bad").exists());
    assert_eq!(of("arr chec", "=:"), ["check"]);
}

/// What a shell prints, if it is there; the command is the first on its path.
fn said(shell: &str, folder: &Folder, args: &[&str]) -> Option<String> {
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_arr")).parent().expect("a folder").display();
    let path = format!("{own}:{}", std::env::var("PATH").unwrap_or_default());
    let mut command = Command::new(shell);
    let ran = command.args(args).env("PATH", path).env("TERM", "dumb").current_dir(folder.path()).output();
    if ran.is_err() {
        println!("{shell} is not there");
    }
    ran.ok().map(|ran| String::from_utf8_lossy(&ran.stdout).into_owned())
}

#[test]
fn fish_completes_the_columns_of_a_file() {
    let folder = Folder::with(&[("arr.fish", script("fish").as_bytes()), ("t.csv", COLUMNS)]);
    let of = |line: &str| {
        let text = format!("source arr.fish; complete -C '{line}'");
        said("fish", &folder, &["-N", "-c", &text])
            .map(|said| said.lines().map(str::to_owned).filter(|line| !line.is_empty()).collect::<Vec<_>>())
    };
    let Some(found) = of("arr eval x=t.csv:pr") else { return };
    assert_eq!(found, ["x=t.csv:price", "x=t.csv:pro rata"]);
    assert_eq!(of("arr head t.csv:").expect("fish").len(), 4);
    assert!(of("arr chec").expect("fish")[0].starts_with("check"));
    assert!(!folder.path().join("bad").exists());
}

/// What zsh has while it completes, in functions that print: no terminal is needed, and no machine is too slow for it.
const COMPLETING: &str = r#"
compdef() { :; }
compset() { PREFIX="${PREFIX##*:}"; }
compadd() { while [[ "$1" != -- ]]; do shift; done; shift; for name in "$@"; do [[ "$name" == "$PREFIX"* ]] && print -r -- "$name"; done; }
source ./_arr
_arr_arguments() { print -r -- others }
for PREFIX in "$@"; do words=(arr eval "$PREFIX"); _arr_columns; print -r -- .; done
"#;

#[test]
fn zsh_completes_the_columns_of_a_file() {
    let folder = Folder::with(&[("_arr", script("zsh").as_bytes()), ("t.csv", COLUMNS), ("z", COMPLETING.as_bytes())]);
    let lines = ["x=t.csv:sy", "t.csv:pr", "t.csv:", "missing.csv:", "chec"];
    let Some(found) = said("zsh", &folder, &[&["-f", "z"][..], &lines].concat()) else { return };
    let found: Vec<&str> = found.split("\n.\n").collect();
    assert_eq!(found[..2], ["symbol", "price\npro rata"]);
    assert_eq!(found[2].lines().count(), 4, "{found:?}");
    assert_eq!(found[3..], ["others", "others", ""]);
    assert!(!folder.path().join("bad").exists());
}

#[test]
fn every_shell_knows_every_command() {
    let help = Folder::new().arr(&["--help"]).stdout;
    let commands = help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let commands: Vec<&str> = commands.filter_map(|line| line.split_whitespace().next()).collect();
    assert!(commands.len() >= 13 && commands.contains(&"completions"), "{commands:?}");
    for (shell, begins) in [("bash", "_arr() {"), ("zsh", "#compdef arr"), ("fish", "")] {
        let text = script(shell);
        assert!(text.starts_with(begins), "{shell}");
        for command in &commands {
            assert!(text.contains(command), "{shell} does not know {command}");
        }
    }
}

#[test]
fn another_shell_is_told_which_there_are() {
    let ran = Folder::new().arr(&["completions", "tcsh"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (2, ""));
    assert!(ran.stderr.contains("[possible values: bash, zsh, fish]"), "{}", ran.stderr);
}
