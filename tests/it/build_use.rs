//! `arr build` as somebody uses it who makes mistakes: names that C has, types of nothing, tools that are not there.
//! Each is told, and no file is lost. And what it prints of the code.

use crate::build::{built, told, tool};
use crate::shell::{Folder, command, finish};

/// What `arr build` says for some arguments, and how it ends; no file of the folder may change.
fn refused(folder: &Folder, args: &[&str], code: i32, said: &str) {
    refused_with(folder, args, &[], code, said);
}

fn refused_with(folder: &Folder, args: &[&str], variables: &[(&str, &str)], code: i32, said: &str) {
    let before = files(folder);
    let mut command = command(folder.path(), &[&["build"], args].concat());
    command.envs(variables.iter().copied());
    let ran = finish(command, b"input x: f32[n]\noutput y = x + 1\n");
    assert!(ran.stderr.contains(said), "{args:?}: {} {}", ran.code, ran.stderr);
    assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    assert!(files(folder) == before, "{args:?} changes files");
}

fn files(folder: &Folder) -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap());
    let plain = entries.filter(|entry| entry.file_type().unwrap().is_file());
    let read =
        |entry: std::fs::DirEntry| (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap());
    let mut all: Vec<_> = plain.map(read).collect();
    all.sort();
    all
}

fn scripts() -> Folder {
    Folder::with(&[
        ("fine.arr", b"input x: f32[n]\noutput y = x + 1\n"),
        ("open.arr", b"input x: _[n]\noutput y = x * 2\n"),
        ("rank.arr", b"input x: f32[..]\noutput y = x * 2\n"),
        ("fixed.arr", b"input x: f32[2]\noutput y = x + 1\n"),
        ("two.arr", b"input x: f32[n]\ninput w: f32[n]\ninput v: f32[n + 1]\noutput y = x + w + v[1:]\n"),
        ("silent.arr", b"input x: f32[n]\nlet y = x + 1\n"),
        ("empty.arr", b""),
        ("wrong.arr", b"input x: f32[n]\noutput y = x +\n"),
        ("gammas.arr", b"input x: f64[n]\nlet y = lgamma(x)\noutput y = y + 1\n"),
        ("steps.arr", b"input x: f64[n]\noutput y = repeat 3 with s = x {\n  gamma(s)\n}\n"),
        ("exp.arr", b"input x: f32[n]\noutput y = exp(x)\n"),
        ("int.arr", b"input x: f32[n]\noutput y = x\n"),
        ("2x.arr", b"input x: f32[n]\noutput y = x\n"),
        ("inner.arr", b"input x: f64[n]\nlet inner = delete(x, [0, -1])\noutput y = median(inner)\n"),
        ("data.csv", b"a,b\n1,2\n"),
        ("reads.arr", b"output y = load(\"data.csv:a\") + 1\n"),
    ])
}

#[test]
fn types_of_nothing_and_values_are_no_types() {
    let folder = scripts();
    for (args, code, said) in [
        (&["open.arr", "-o", "s.o"][..], 1, "E0507 open-type"),
        (&["open.arr", "-o", "s.o", "--at", ""], 1, "E0507 open-type"),
        (&["open.arr", "-o", "s.o", "--at", "x:_[n]"], 1, "write the whole type, a dtype and each axis: `x:f32[n]`"),
        (&["wrong.arr", "-o", "s.o", "--at", "z:f32[n]"], 1, "E0102 missing-value"),
        (&["open.arr", "-o", "s.o", "--at", "z:f32[n]"], 1, "E0505 no-such-input]: the script has no input `z`"),
        (&["fine.arr", "-o", "s.o", "--at", "z:f32[n]"], 1, "E0505 no-such-input]: the script has no input `z`"),
        (&["fine.arr", "-o", "s.o", "--at", "x:f64[n]"], 1, "input `x` is declared f32 and given f64"),
        (
            &["fine.arr", "-o", "s.o", "--at", "x:f32[n, m]"],
            1,
            "E0504 input-shape]: input `x` is declared [n] and given [n, m]",
        ),
        (
            &["fixed.arr", "-o", "s.o", "--at", "x:f32[3]"],
            1,
            "E0504 input-shape]: input `x` is declared [2] and given [3]",
        ),
        (&["two.arr", "-o", "s.o", "--at", "x:f32[3],w:f32[2]"], 2, "`--at` says 2 for a length of `w` that is 3"),
        (&["two.arr", "-o", "s.o", "--at", "v:f32[5]"], 2, "`--at` says 5 for a length of `v` that is n+1"),
        (&["open.arr", "-o", "s.o", "--at", "x:nope[n]"], 1, "Error[E0330 unknown-dtype]: `nope` is not a dtype"),
        (&["open.arr", "-o", "s.o", "--at", "x:f32[n"], 1, "Error[E0"),
        (&["open.arr", "-o", "s.o", "--at", "x=3"], 2, "`--at` gives types, and `x` has a value"),
        (&["open.arr", "-o", "s.o", "--at", "x"], 2, "`--at` gives types, and `x` has none: write `NAME:TYPE`"),
        (&["open.arr", "-o", "s.o", "--at", "x:f32[n],x:f64[n]"], 2, "`x` is given twice"),
        (
            &["open.arr", "-o", "s.o", "--at", "x:f32[n]", "--at", "x:f32[n]"],
            2,
            "two `--at` make a function `open_f32_n`",
        ),
    ] {
        refused(&folder, args, code, said);
    }
    // Nothing else is said of a type that is none.
    for (at, said) in [("x:nope[n]", "Error[E0330 unknown-dtype]"), ("x:f32[-1]", "Error[E0404 bad-dimension]")] {
        let ran = folder.arr(&["build", "open.arr", "-o", "s.o", "--at", at]);
        assert!(ran.stderr.starts_with(said) && ran.stderr.matches("Error[").count() == 1, "{at}: {}", ran.stderr);
    }
    built(&folder, &["rank.arr", "--at", "x:f32[n, m]", "--at", "x:f32[]", "-o", "rank.o", "--header", "rank.h"]);
    let header = std::fs::read_to_string(folder.path().join("rank.h")).unwrap();
    assert!(header.contains("int rank_f32_n__m(") && header.contains("int rank_f32("), "{header}");
    // A length that is given is one.
    built(&folder, &["two.arr", "--at", "x:f32[3]", "-o", "two.o", "--header", "two.h"]);
    let header = std::fs::read_to_string(folder.path().join("two.h")).unwrap();
    assert!(header.contains("     w: f32[3]\n") && header.contains("     v: f32[4]\n"), "{header}");
}

#[test]
fn names_that_c_has_and_scripts_without_results_are_refused() {
    let folder = scripts();
    for (args, code, said) in [
        (&["silent.arr", "-o", "s.o"][..], 1, "E0525 no-object]: the script has no `output`"),
        (&["empty.arr", "-o", "s.o"], 1, "E0525 no-object]: the script has no `output`"),
        (&["wrong.arr", "-o", "s.o"], 1, "wrong.arr:2:"),
        (&["gammas.arr", "-o", "s.o"], 1, "lgamma of f64 has no code outside of arr\n   ╭─[ gammas.arr:3:"),
        (&["steps.arr", "-o", "s.o"], 1, "gamma of f64 has no code outside of arr\n   ╭─[ steps.arr:2:"),
        (&["inner.arr", "-o", "s.o"], 1, "here it is counted in `delete`"),
        (&["exp.arr", "-o", "s.o"], 1, "E0525 no-object]: `exp` is a name of C already: give another with `--name`"),
        (&["int.arr", "-o", "s.o"], 1, "`int` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "memcpy"], 1, "`memcpy` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "sinf"], 1, "`sinf` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "random"], 1, "`random` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "nextup"], 1, "`nextup` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "main"], 1, "`main` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "co_await"], 1, "`co_await` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "int64_t"], 1, "`int64_t` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "arr_in_f32"], 1, "`arr_in_f32` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "arr_c64"], 1, "`arr_c64` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "ARR_F32"], 1, "`ARR_F32` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "INT8_MAX"], 1, "`INT8_MAX` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "_Bool"], 1, "`_Bool` is a name of C already"),
        (&["fine.arr", "-o", "s.o", "--name", "größe"], 2, "`größe` is no name of a function in C"),
        (&["fine.arr", "-o", "s.o", "--name", "a-b"], 2, "`a-b` is no name of a function in C"),
        (&["fine.arr", "-o", "s.o", "--name", ""], 2, "`` is no name of a function in C"),
        (&["2x.arr", "-o", "s.o"], 2, "`2x` is no name of a function in C"),
        (&["-", "-o", "s.o"], 2, "`-` is no name of a function in C"),
    ] {
        refused(&folder, args, code, said);
    }
    built(&folder, &["exp.arr", "-o", "s.o", "--name", "exp_f32"]);
}

#[test]
fn processors_that_there_are_not_are_refused() {
    let folder = scripts();
    let unknown = "targets begin with x86_64, aarch64 or riscv64gc";
    for target in
        ["pdp11-unknown-linux-gnu", "", "x86_64-linus-gnu", "i686-unknown-linux-gnu", "s390x-unknown-linux-gnu"]
    {
        refused(&folder, &["fine.arr", "-o", "s.o", "--target", target], 1, unknown);
    }
    // They have other calling conventions or other objects.
    for target in
        ["x86_64-pc-windows-msvc", "aarch64-apple-darwin", "aarch64-linux-android", "aarch64_be-unknown-linux-gnu"]
    {
        refused(&folder, &["fine.arr", "-o", "s.o", "--target", target], 1, unknown);
    }
    for (target, has) in [("aarch64", cfg!(feature = "aarch64")), ("riscv64gc", cfg!(feature = "riscv64"))] {
        let args = ["fine.arr", "-o", "s.o", "--target", &format!("{target}-unknown-linux-gnu")];
        match has {
            true => {
                built(&folder, &args);
                std::fs::remove_file(folder.path().join("s.o")).unwrap();
                refused(&folder, &[&args[..], &["--cpu", "avx2"]].concat(), 1, "`--cpu avx2` is of x86-64");
            }
            false => refused(&folder, &args, 1, "it was installed without the cargo feature"),
        }
    }
}

#[test]
fn no_file_is_lost() {
    let folder = scripts();
    std::fs::create_dir(folder.path().join("folder.o")).unwrap();
    std::os::unix::fs::symlink("fine.arr", folder.path().join("link.o")).unwrap();
    for (args, code, said) in [
        (&["fine.arr", "-o", "fine.arr"][..], 2, "the name of the output says what it is"),
        (&["fine.arr", "-o", "fine.dll"], 2, "the name of the output says what it is"),
        (&["fine.arr", "-o", "fine"], 2, "the name of the output says what it is"),
        (&["fine.arr", "-o", "link.o"], 2, "which is `fine.arr`, is read by this command"),
        (&["fine.arr", "-o", "s.o", "--header", "fine.arr"], 2, "`fine.arr` is read by this command"),
        (&["fine.arr", "-o", "s.o", "--header", "s.o"], 2, "two results are to be written to `s.o`"),
        (
            &["reads.arr", "-o", "s.o", "--header", "data.csv"],
            2,
            "is read by this command: writing there would replace it",
        ),
        (&["fine.arr", "-o", "folder.o"], 3, "E0511 file-unwritable]: cannot write `folder.o`"),
        (&["fine.arr", "-o", "no/s.o"], 3, "E0511 file-unwritable]: cannot write `no/s.o`"),
        (&["fine.arr", "-o", "s.o", "--header", "no/s.h"], 3, "E0511 file-unwritable]: cannot write `no/s.h`"),
        (&["fine.arr"], 2, "--output"),
        (&["fine.arr", "--emit", "asm", "-o", "s.o"], 2, "`--emit asm` and the name `s.o` say different things"),
        (&["fine.arr", "--emit", "asm", "--header", "s.h"], 2, "cannot be used with"),
        (&["fine.arr", "--emit", "ir", "-o", "fine.arr"], 2, "`fine.arr` is read by this command"),
        (&["fine.arr", "--emit", "rust"], 2, "possible values: obj, archive, shared, header, clif, asm, ir"),
        (&["fine.arr", "--emit", "obj"], 2, "`--emit obj` says what `-o` is: give `-o FILE`"),
        (&["fine.arr", "--emit", "shared", "-o", "s.o"], 2, "`--emit shared` and the name `s.o` say different things"),
        (&["fine.arr", "--emit", "obj", "-o", "s.h"], 2, "`--emit obj` and the name `s.h` say different things"),
        (&["fine.arr", "-o", "s.h", "--header", "t.h"], 2, "`--header` is one too many"),
        (&["fine.arr", "--header", "fine.arr"], 2, "`fine.arr` is read by this command"),
    ] {
        refused(&folder, args, code, said);
    }
}

#[test]
fn the_form_says_what_the_output_is() {
    let folder = scripts();
    let read = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    built(&folder, &["fine.arr", "-o", "s.o", "--header", "s.h"]);
    built(&folder, &["fine.arr", "-o", "made", "--emit", "obj"]);
    assert!(read("made") == read("s.o"));
    built(&folder, &["fine.arr", "-o", "also.o", "--emit", "obj"]);
    assert!(read("also.o") == read("s.o"));
    // The header alone, in three ways.
    for args in [&["--header", "a.h"][..], &["-o", "a.h"], &["-o", "a.h", "--emit", "header"]] {
        built(&folder, &[&["fine.arr"], args].concat());
        assert!(read("a.h") == read("s.h"), "{args:?}");
        std::fs::remove_file(folder.path().join("a.h")).unwrap();
    }
    built(&folder, &["fine.arr", "-o", "plain", "--emit", "header"]);
    assert!(read("plain") == read("s.h"));
    built(&folder, &["fine.arr", "-o", "module", "--emit", "shared"]);
    assert!(read("module").starts_with(b"\x7fELF"));
    built(&folder, &["fine.arr", "-o", "whole", "--emit", "archive"]);
    assert!(read("whole").starts_with(b"!<arch>\n"));
    let ir = told(&folder.arr(&["build", "fine.arr", "--emit", "ir"])).to_owned();
    assert!(ir.starts_with("%0 = ") && ir.contains("output y %"), "{ir}");
    let both =
        told(&folder.arr(&["build", "open.arr", "--emit", "ir", "--at", "x:f32[n]", "--at", "x:f64[n]"])).to_owned();
    assert!(both.starts_with("open_f32_n:\n%0 = ") && both.contains("\nopen_f64_n:\n%0 = "), "{both}");
    // A text goes to the output, too.
    assert_eq!(told(&folder.arr(&["build", "fine.arr", "--emit", "ir", "-o", "-"])), ir);
    built(&folder, &["fine.arr", "-o", "out.ir", "--emit", "ir"]);
    assert_eq!(read("out.ir"), ir.as_bytes());
    let asm = told(&folder.arr(&["build", "fine.arr", "--emit", "asm", "--cpu", "sse"])).to_owned();
    built(&folder, &["fine.arr", "-o", "out.s", "--emit", "asm", "--cpu", "sse"]);
    assert_eq!(read("out.s"), asm.as_bytes());
}

#[test]
fn bare_expressions_are_outputs() {
    let folder = scripts();
    folder.write("bare.arr", b"input x: i8[n]\nx+1i8\n");
    folder.write("several.arr", b"input x: i8[n]\nx+1i8\noutput y = x\nx & 1\n");
    built(&folder, &["bare.arr", "--header", "bare.h"]);
    let header = |name: &str| std::fs::read_to_string(folder.path().join(name)).unwrap();
    assert!(header("bare.h").contains("const arr_out_i8 *result,"), "{}", header("bare.h"));
    built(&folder, &["several.arr", "--header", "several.h"]);
    for name in ["*result0,", "*y,", "*result2,"] {
        assert!(header("several.h").contains(name), "{}", header("several.h"));
    }
    // A run of the script knows them by these names.
    for (script, name) in [("bare.arr", "result"), ("several.arr", "result2"), ("several.arr", "y")] {
        let file = format!("{name}.npy");
        told(&folder.arr(&["run", script, "x=[4]", "-o", &format!("{name}={file}")]));
        assert!(folder.path().join(file).is_file(), "{script} {name}");
    }
    let ran = folder.arr(&["run", "several.arr", "x=[4]", "-o", "result1=z.npy"]);
    assert!(ran.code == 2 && ran.stderr.contains("the script has no output `result1`"), "{}", ran.stderr);
}

#[test]
fn tools_of_c_that_fail_are_told() {
    let folder = scripts();
    folder.write("libold.so", b"old\n");
    for (output, variables, said) in [
        ("libold.so", &[("PATH", "/nonexistent")][..], "E0526 not-linked]: `cc` makes this file, and cannot be run"),
        ("libold.a", &[("PATH", "/nonexistent")], "E0526 not-linked]: `ar` makes this file, and cannot be run"),
        ("libold.so", &[("CC", "/nonexistent/cc -m64")], "`/nonexistent/cc -m64` makes this file, and cannot be run"),
        ("libold.so", &[("CC", "false")], "`false` fails with exit status: 1"),
        ("libold.so", &[("CC", "true")], "`true` says that all is well, and has made no file"),
    ] {
        refused_with(&folder, &["fine.arr", "-o", output], variables, 3, said);
    }
    let mut with_options = command(folder.path(), &["build", "fine.arr", "-o", "libold.so"]);
    with_options.env("CC", "cc -O2");
    told(&finish(with_options, b""));
    let mut alone = command(folder.path(), &["build", "fine.arr", "-o", "alone.o"]);
    alone.env("PATH", "/nonexistent");
    told(&finish(alone, b""));
}

/// Compiles a header as C and, where there is a compiler, as C++.
fn compiles(folder: &Folder, header: &str) {
    folder.write("none.cc", b"int main() { return 0; }\n");
    let strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    let includes = format!("#include <errno.h>\n#include <math.h>\n#include <stdio.h>\n#include \"{header}\"\n");
    folder.write("use.c", format!("{includes}#include \"{header}\"\nint main(void) {{ return 0; }}\n").as_bytes());
    for standard in ["-std=c99", "-std=gnu11"] {
        told(&tool(folder, "cc", &[&strict[..], &[standard, "use.c"]].concat()));
    }
    if tool(folder, "cc", &["-x", "c++", "-fsyntax-only", "none.cc"]).code == 0 {
        told(&tool(folder, "cc", &[&strict[..], &["-x", "c++", "-std=c++17", "use.c"]].concat()));
    } else {
        println!("there is no compiler for C++: {header} was tried as C alone");
    }
}

#[test]
fn every_name_of_a_script_is_one_in_c() {
    let folder = Folder::new();
    let inputs = [
        "auto", "return", "scratch", "stop", "int64_t", "arr_x", "_A", "__x", "y_shape", "linux", "I", "errno", "α",
        "β", "class", "x", "NAN", "M_PI", "BUFSIZ",
    ];
    let declared: String = inputs.iter().map(|name| format!("input {name}: f32[n]\n")).collect();
    let script = format!("{declared}output y = {}\noutput x = x * 2\noutput while = x\n", inputs.join(" + "));
    folder.write("odd-names.arr", script.as_bytes());
    built(&folder, &["odd-names.arr", "-o", "libodd.so", "--header", "odd.h"]);
    compiles(&folder, "odd.h");
    let header = std::fs::read_to_string(folder.path().join("odd.h")).unwrap();
    for said in ["int odd_names(", "*x_out,", "auto: f32[n] (`auto_` below)", "α: f32[n] (`u3b1` below)", "*while_out,"]
    {
        assert!(header.contains(said), "{said}: {header}");
    }
    // A library takes its inputs by the names of the script.
    let values: Vec<String> = inputs.iter().enumerate().map(|(at, name)| format!("{name}=[{at}, 1]")).collect();
    let values: Vec<&str> = values.iter().map(String::as_str).collect();
    let by = |file: &str| folder.arr(&[&["run", file], &values[..]].concat());
    assert_eq!(told(&by("libodd.so")), told(&by("odd-names.arr")));
}

#[test]
fn the_header_says_what_the_script_says() {
    let folder = Folder::new();
    folder.write(
        "scaled.arr",
        b"# Not this.\n\n## Counts of */ photons, /* raw */.\n## One for each pixel.\ninput counts: u16[h, w] in [0, 4095]\n\
          ## A setting that nothing reads.\ninput gain: f32[k]\n\n## Between 0 and 1.\noutput y = f32(counts) / 4095\n",
    );
    built(&folder, &["scaled.arr", "-o", "scaled.o", "--header", "scaled.h"]);
    compiles(&folder, "scaled.h");
    let header = std::fs::read_to_string(folder.path().join("scaled.h")).unwrap();
    let about = "   Inputs:\n     counts: u16[h, w]\n       Counts of * / photons, / * raw * /.\n       One for each pixel.\n     \
                 gain: f32[k]\n       A setting that nothing reads.\n   Outputs:\n     y: f32[h, w]\n       Between 0 and 1.\n";
    assert!(header.contains(about) && header.contains("a value of counts is outside [0, 4095]"), "{header}");
    assert!(!header.contains("Not this"), "{header}");
}

#[test]
fn an_assertion_that_does_not_hold_is_named() {
    let folder = Folder::new();
    folder.write(
        "sure.arr",
        b"input x: f32[n]\ninput y: f32[n]\nassert x >\n    0\nassert all(y < 10)\noutput z = sqrt(x) + y\n",
    );
    built(&folder, &["sure.arr", "-o", "libsure.so", "--header", "sure.h"]);
    let header = std::fs::read_to_string(folder.path().join("sure.h")).unwrap();
    let [first, second] =
        ["line 3 asserts `x > 0`, which does not hold", "line 5 asserts `all(y < 10)`, which does not hold"];
    assert!(header.contains(first) && header.contains(second), "{header}");
    for (x, y, code, said) in [("[1, -2]", "[3, 4]", 16, first), ("[1, 2]", "[3, 40]", 17, second)] {
        let ran = folder.arr(&["run", "libsure.so", &format!("x={x}"), &format!("y={y}")]);
        assert!(ran.code == 1 && ran.stderr.contains(&format!("`sure` gives code {code}: {said}")), "{}", ran.stderr);
    }
    assert_eq!(told(&folder.arr(&["run", "libsure.so", "x=[4]", "y=[1]"])), "z = [3.] : f32[1]\n");
}

#[test]
fn windows_and_kernels_that_do_not_fit_are_a_code() {
    let folder = Folder::new();
    folder.write(
        "fits.arr",
        b"input x: f64[n]\ninput k: f64[m]\noutput y = convolve(x, k, \"same\")\noutput w = sliding_window_view(x, 3)\n",
    );
    built(&folder, &["fits.arr", "-o", "libfits.so"]);
    let run = |x: &str, k: &str| folder.arr(&["run", "libfits.so", &format!("x={x}"), &format!("k={k}")]);
    let fits = run("[1, 2, 3]", "[1, 2, 3]");
    assert_eq!(told(&fits), "y = [ 4. 10. 12.] : f64[3]\nw = [[1. 2. 3.]] : f64[1, 3]\n");
    for (x, k, said) in [
        ("[1, 2, 3]", "[1, 2, 3, 4]", "y is longer than x, which only"),
        ("[1, 2, 3]", "[]", "another length than the script says"),
        ("[1, 2]", "[1, 2]", "another length than the script says"),
    ] {
        let ran = run(x, k);
        assert!(ran.code == 1 && ran.stderr.contains(said), "{x} {k}: {}", ran.stderr);
    }
}

#[test]
fn an_assertion_about_lengths_is_one_of_the_function() {
    let folder = Folder::new();
    folder.write("lengths.arr", b"input k: i64[n]\nassert n > 1 and n % 2 == 1\nassert n != 7\noutput s = sort(k)\n");
    built(&folder, &["lengths.arr", "-o", "liblengths.so", "--header", "lengths.h"]);
    let header = std::fs::read_to_string(folder.path().join("lengths.h")).unwrap();
    assert!(header.contains("16: line 2 asserts `n > 1`, which does not hold"), "{header}");
    assert!(header.contains("17: line 2 asserts `n % 2 == 1`, which does not hold"), "{header}");
    assert!(header.contains("18: line 3 asserts `n != 7`, which does not hold"), "{header}");
    // What an assertion says of a length at least has a code of its own too.
    for (values, said) in [
        ("k=[]", "16: line 2 asserts `n > 1`"),
        ("k=[5]", "16: line 2 asserts `n > 1`"),
        ("k=[5, 4]", "17: line 2 asserts `n % 2 == 1`"),
        ("k=[7, 6, 5, 4, 3, 2, 1]", "18: line 3 asserts `n != 7`"),
    ] {
        let (script, library) =
            (folder.arr(&["run", "lengths.arr", values]), folder.arr(&["run", "liblengths.so", values]));
        assert!(script.code == 1 && script.stderr.contains("assertion-failed"), "{}", script.stderr);
        assert!(library.code == 1 && library.stderr.contains(said), "{}", library.stderr);
    }
    assert_eq!(told(&folder.arr(&["run", "liblengths.so", "k=[5, 4, 6]"])), "s = [4 5 6] : i64[3]\n");
}

#[test]
fn d23_objects_of_other_versions_or_types_are_refused() {
    let folder = Folder::new();
    folder.write("f.arr", b"input x: _[n]\noutput y = x + 1\n");
    let build = |types: &str, output: &str| {
        built(&folder, &["f.arr", "--at", types, "-o", output, "--header", &output.replace('.', "_")]);
    };
    ["f.so", "f.o"].into_iter().for_each(|output| build("x:f32[n]", output));
    ["other.so", "other.o"].into_iter().for_each(|output| build("x:f64[n]", output));
    // What a library says of itself is not what its code does.
    let library = std::fs::read(folder.path().join("f.so")).unwrap();
    let with = |file: &str, from: &str, to: &str| {
        let at = library.windows(from.len()).position(|bytes| bytes == from.as_bytes()).unwrap();
        folder.write(file, &[&library[..at], to.as_bytes(), &library[at + from.len()..]].concat());
    };
    with("way.so", "arr-object 1", "arr-object 2");
    with("types.so", "input x: f32[n]", "input x: f64[n]");
    with("rank.so", "output y: f32[n]", "output y: f32[1]");
    for (file, said) in [
        ("way.so", "was made by another version of arr"),
        ("types.so", "says other types of `f` than its code has"),
        ("rank.so", "says other types of `f` than its code has"),
    ] {
        let ran = folder.arr(&["run", file, "x=[1, 2]"]);
        assert!(ran.code == 1 && ran.stderr.starts_with("Error[E05"), "{file}: {} {}", ran.code, ran.stderr);
        assert!(ran.stderr.contains(file) && ran.stderr.contains(said), "{}", ran.stderr);
    }
    assert_eq!(told(&folder.arr(&["run", "f.so", "x=[1, 2]"])), "y = [2. 3.] : f32[2]\n");
    // A program whose header is of other types does not link, and does not start with another library.
    let program = "int main(void) {\n    float a[2] = {1, 2}, b[2];\n    int64_t n = 2;\n    arr_in_f32 x = {a, &n, 0};\n    \
                   arr_out_f32 y = {b, &n};\n    static char scratch[4096];\n    \
                   return f(&x, &y, scratch, 0) || b[1] != 3;\n}\n";
    folder.write("main.c", format!("#include \"f_o\"\n{program}").as_bytes());
    let link = |more: &[&str]| {
        let options = ["-std=c99", "-Wall", "-Wextra", "-Werror", "main.c", "-o", "main"];
        tool(&folder, "cc", &[&options, more].concat())
    };
    told(&link(&["f.o"]));
    told(&tool(&folder, "./main", &[]));
    let refused = link(&["other.o"]);
    assert!(refused.code != 0 && refused.stderr.contains("undefined reference to `f_t"), "{}", refused.stderr);
    let here = format!("-Wl,-rpath,{}", folder.path().display());
    told(&link(&["f.so", &here]));
    told(&tool(&folder, "./main", &[]));
    std::fs::copy(folder.path().join("other.so"), folder.path().join("f.so")).unwrap();
    let refused = tool(&folder, "./main", &[]);
    assert!(
        refused.code != 0 && refused.stderr.contains("undefined symbol: f_t"),
        "{} {}",
        refused.code,
        refused.stderr
    );
}

#[test]
fn functions_of_many_arrays_find_them_all() {
    let folder = Folder::new();
    // With the scratch and the flag, 5 to 10 arguments: the first six are in registers.
    for inputs in 2..=7 {
        let names: Vec<String> = (0..inputs).map(|at| format!("x{at}")).collect();
        let declared: String = names.iter().map(|name| format!("input {name}: f64[n]\n")).collect();
        let script = format!("{declared}output y = {}\noutput z = x0 - x{}\n", names.join(" + 2*"), inputs - 1);
        folder.write("many.arr", script.as_bytes());
        built(&folder, &["many.arr", "-o", "libmany.so"]);
        let values: Vec<String> = (0..inputs).map(|at| format!("x{at}=[{at}.5, 1e{at}, -{at}]")).collect();
        let by = |file: &str| {
            let given: Vec<&str> = ["run", file].into_iter().chain(values.iter().map(String::as_str)).collect();
            told(&folder.arr(&given)).to_owned()
        };
        assert_eq!(by("libmany.so"), by("many.arr"), "{inputs}");
    }
    // Of many outputs a loop compares the places.
    let outputs: String = (0..29).map(|at| format!("output y{at} = x*{at}\n")).collect();
    folder.write("many.arr", format!("input x: f64[n]\n{outputs}").as_bytes());
    built(&folder, &["many.arr", "-o", "libmany.so"]);
    let by = |file: &str| told(&folder.arr(&["run", file, "x=[1.5, -2]"])).to_owned();
    assert_eq!(by("libmany.so"), by("many.arr"));
}

#[test]
fn the_code_is_printed_for_each_level_or_one() {
    let folder = scripts();
    let emit = |args: &[&str]| told(&folder.arr(&[&["build", "fine.arr", "--emit"], args].concat())).to_owned();
    for (cpu, register) in [("sse", "%xmm"), ("avx2", "ymm"), ("avx512", "zmm")] {
        let text = emit(&["asm", "--cpu", cpu]);
        assert!(text.contains(register) && text.contains(" fine\n") && !text.starts_with(";;"), "{cpu}: {text}");
        assert!(text.contains(" fine_shape\n") && text.contains("addps"), "{cpu}: {text}");
        assert!(text.contains(" copy 4\n"), "{cpu}: {text}");
    }
    let all = emit(&["asm"]);
    let titles: Vec<&str> = all.lines().filter(|line| line.starts_with(";;")).collect();
    assert_eq!(titles, [";; sse, and what all levels share", ";; avx2", ";; avx512"]);
    let clif = emit(&["clif", "--cpu", "sse"]);
    assert!(clif.contains("fadd") && clif.contains("a loop on vectors of 128 bits\nfunction p"), "{clif}");
    let clif = emit(&["clif", "--cpu", "avx2"]);
    assert!(clif.contains("; it is written without Cranelift: `--emit asm` shows it"), "{clif}");
    if cfg!(feature = "aarch64") {
        let text = emit(&["asm", "--target", "aarch64-unknown-linux-gnu"]);
        assert!(text.contains("fadd v") && !text.contains("xmm"), "{text}");
    }
    if cfg!(feature = "riscv64") {
        assert!(emit(&["asm", "--target", "riscv64gc-unknown-linux-gnu"]).contains("vfadd.vv"));
    }
}
