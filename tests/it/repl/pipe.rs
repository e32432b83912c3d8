//! The REPL without a terminal: values on standard output, everything else on standard error.

use crate::shell::{Folder, Ran, command, finish};

fn repl_in(folder: &Folder, args: &[&str], input: &str) -> Ran {
    let mut command = command(folder.path(), &[&["repl"], args].concat());
    command.env("XDG_CONFIG_HOME", folder.path().join("config")).env("XDG_STATE_HOME", folder.path().join("state"));
    finish(command, input.as_bytes())
}

fn repl(input: &str) -> Ran {
    repl_in(&Folder::new(), &[], input)
}

#[test]
fn values_alone_are_on_standard_output_and_failures_do_not_end_it() {
    let ran = repl("let x = [1, 2]\nnope\nx * 2.5\n[1i32] + [1f32]\n1 +* 2\n:nope\nsum(x)\n");
    assert_eq!(ran.stdout, "[2.5 5. ] : f*[2]\n[2.] : f32[1]\n3 : i64\n");
    assert_eq!(ran.code, 1);
    assert!(
        ran.stderr.contains("`nope` is not defined") && ran.stderr.contains("no command `:nope`"),
        "{}",
        ran.stderr
    );
    assert!(ran.stderr.contains("1 warning: precision-loss; :why shows it"), "{}", ran.stderr);
}

/// The names of lengths are those of one input: the next one counts others by the same names.
#[test]
fn a_length_that_data_decides_is_kept_as_a_number() {
    let ran = repl(
        "x = [1.0, 2, 3, 4, 5]\nz = x[x > 1].size\nz\nz + x[x > 4].size\n(x[x > 4], z)\nzeros(z)\n\
         w = x[x > 3].shape\nx[x > 4].size + w[0]\nu = x[x > 4].size - 3\nu + x[x > 1].size\n\
         x[x > 2].size\n_ * 2\n\
         let m = x[x > 2].size; fn h(y) = y + m\nh(x[x > 4].size)\n\
         let r = x[x > 2]; let s = r.size; let q: f64[q] = f64(r)\ns + x[x > 4].size\n",
    );
    let said = "4 : i*\n5 : i*\n[5.] : f*[1]\n4 : i*\n[0. 0. 0. 0.] : f64[4]\n\
                3 : i*\n2 : i*\n3 : i*\n6 : i*\n4 : i*\n4 : i*\n";
    assert_eq!((ran.code, ran.stdout.as_str()), (0, said), "{}", ran.stderr);
}

#[test]
fn advice_in_a_session_is_what_a_session_can_do() {
    let ran = repl("input a: f32\nfoo\n");
    assert!(ran.stderr.contains("declare it with `let a = …`"), "{}", ran.stderr);
    assert!(ran.stderr.contains("declare it with `let foo = …` or `var foo = …`"), "{}", ran.stderr);
    assert!(!ran.stderr.contains("command line"), "{}", ran.stderr);
}

/// By the exit codes of every command: 1 where the program has errors, also in the end of a session.
#[test]
fn a_session_with_errors_ends_with_1() {
    for (input, code) in [
        ("1\n", 0),
        ("[1i32] + [1f32]\n", 0),
        ("nope\n1\n", 1),
        (":nope\n1\n", 1),
        (":load nope.npy\n1\n", 1),
        ("nope\n:quit\n", 1),
        (":quit\nnope\n", 0),
    ] {
        assert_eq!(repl(input).code, code, "{input}");
    }
    // The user's own file is no part of it.
    let folder = Folder::with(&[("config/arr/init.arr", b"nope\n")]);
    assert_eq!(repl_in(&folder, &[], "1\n").code, 0);
}

#[test]
fn a_pipe_is_no_beginning_of_a_session() {
    let folder = Folder::with(&[("config/arr/init.arr", b"")]);
    let path = folder.path().join("config/arr/init.arr");
    std::fs::remove_file(&path).expect("it was written");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().expect("there is mkfifo").success());
    let ran = repl_in(&folder, &[], "1\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "1 : i*\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("init.arr` is a pipe, not a regular file"), "{}", ran.stderr);
}

#[test]
fn the_rest_of_a_session_is_no_script() {
    let ran = repl(":run -\n1+1\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, "2 : i*\n"), "{}", ran.stderr);
    assert!(ran.stderr.contains("error: `:run` reads a file"), "{}", ran.stderr);
    let folder = Folder::with(&[("-", b"2 + 3\n")]);
    assert_eq!(repl_in(&folder, &[], ":run ./-\n").stdout, "5 : i*\n");
}

#[test]
fn nothing_is_kept_in_files() {
    let folder = Folder::new();
    assert_eq!(repl_in(&folder, &[], "1\n").stdout, "1 : i*\n");
    assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
}

#[test]
fn without_a_command_a_pipe_is_a_script() {
    let folder = Folder::new();
    let ran = finish(command(folder.path(), &[] as &[&str]), b"let x = 1\nx + 1\nnope\n");
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    let ran = finish(command(folder.path(), &[] as &[&str]), b"x + 1\n");
    assert!(ran.stderr.contains("<stdin>"), "{}", ran.stderr);
}

#[test]
fn results_have_names_that_failures_do_not_count() {
    let ran = repl("let a = 1\n2 * a\nnope\n_ + 10\n(_2, _3)\n(7, 8)\n_\n_1\n");
    assert_eq!(ran.stdout, "2 : i*\n12 : i*\n2 : i*\n12 : i*\n7 : i*\n8 : i*\n7 : i*\n8 : i*\n");
    assert!(ran.stderr.contains("`_1` is not defined"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`_1` stands for the value of input 1; the last results are"), "{}", ran.stderr);
    let ran = repl("_\n_99\n1\n_99\n");
    assert!(ran.stderr.contains("`_` stands for the last value; no input has given one yet"), "{}", ran.stderr);
    assert!(ran.stderr.contains("`_99` stands for the value of input 99; the only result is `_1`"), "{}", ran.stderr);
    // A result stays what it was: exact, weak, and with its dtype.
    let ran = repl("2**62\n_ * 4 // 2**61\n[1u8] + [2u8]\n_3 + 254\n_2 + [1.5f16]\n");
    let expected = "4611686018427387904 : i*\n8 : i*\n[3] : u8[1]\n[1] : u8[1]\n[9.5] : f16[1]\n";
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
}

#[test]
fn results_are_names_in_no_script() {
    let ran = Folder::with(&[("s.arr", b"1\n_\n")]).arr(&["run", "s.arr"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("`_` is not defined"), "{}", ran.stderr);
}

#[test]
fn outputs_may_be_names_of_earlier_inputs() {
    let ran = repl("y = [1i8, 2]\nz = 3\noutput y\noutput z\n:type z\noutput nope\n");
    assert_eq!(ran.stdout, "y = [1 2] : i8[2]\nz = 3 : i64\nz : i64\n", "{}", ran.stderr);
    assert_eq!(ran.stderr.matches("Error[").count(), 1, "{}", ran.stderr);
}

#[test]
fn a_semicolon_silences_a_line() {
    let ran = repl("1;\n_\nlet x = 2; x\nx; x;\n[1,\n 2];\noutput y = 3;\n4 # ;\n");
    assert_eq!(ran.stdout, "1 : i*\n2 : i*\n4 : i*\n", "{}", ran.stderr);
}

#[test]
fn commands_work_and_can_be_shortened() {
    let ran = repl("let x = 1\n:un\nx\n5\n:reset\n_\n:q\n6\n");
    assert_eq!(ran.stdout, "5 : i*\n");
    assert_eq!(ran.stderr.matches("is not defined").count(), 2, "{}", ran.stderr);
    let help = repl(":help\n").stdout;
    assert!(help.contains(":quit") && help.lines().count() > 3, "{help}");
    assert!(repl(":help qu").stdout.starts_with(":quit"));
}

#[test]
fn comments_above_a_function_are_its_documentation() {
    let ran = repl("## Twice.\nfn f(x) = 2 * x\nf(2)\n# the end\n");
    assert_eq!((ran.stdout.as_str(), ran.stderr.as_str()), ("4 : i*\n", ""));
}

#[test]
fn elements_are_described_on_request() {
    let ran = repl(
        ":stats [1.5, nan, -2]\n:stats [[1u8, 2], [3, 5]]\n:stats [true, false]\n:stats zeros((0,))\n:stats nope\n_\n",
    );
    let expected = "f*[3]: min -2.0, mean -0.25, max 1.5, 1 of 3 nan\nu8[2, 2]: min 1, mean 2.75, max 5\n\
                    bool[2]: 1 of 2 true\nf64[0]: no elements\n";
    assert_eq!(ran.stdout, expected, "{}", ran.stderr);
    assert!(ran.stderr.contains("`_` is not defined"), "{}", ran.stderr);
}

#[test]
fn help_says_where_the_files_are() {
    let ran = Folder::new().arr(&["repl", "--help"]);
    for word in ["init.arr", "ARR_HISTORY", "Ctrl-C", "--no-init"] {
        assert!(ran.stdout.contains(word), "{word}: {}", ran.stdout);
    }
}
