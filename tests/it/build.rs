//! `arr build`: objects, libraries and headers, used from C, Python and Rust.

use crate::lab;
use crate::shell::{Folder, Ran, finish};
use std::process::{Command, Stdio};

/// Runs a tool in a folder.
pub(crate) fn tool(folder: &Folder, name: &str, args: &[&str]) -> Ran {
    let mut command = Command::new(name);
    command.args(args).current_dir(folder.path()).stdout(Stdio::piped()).stderr(Stdio::piped());
    finish(command, b"")
}

pub(crate) fn told(ran: &Ran) -> &str {
    assert_eq!(ran.code, 0, "{}{}", ran.stdout, ran.stderr);
    &ran.stdout
}

/// A folder with the example.
fn example() -> Folder {
    let folder = Folder::new();
    let rust = ["rust/Cargo.toml", "rust/build.rs", "rust/src/main.rs"];
    for name in ["standard.arr", "main.c", "call.py"].into_iter().chain(rust) {
        folder.write(name, &std::fs::read(lab::root(&format!("examples/build/{name}"))).unwrap());
    }
    folder
}

pub(crate) fn built(folder: &Folder, args: &[&str]) {
    told(&folder.arr(&[&["build"], args].concat()));
}

/// The bits of the scores that `arr run` gives, a row in each line.
fn bits_of_run(folder: &Folder) -> Vec<String> {
    let rows = "x=[[1, 10], [2, 20], [3, 15], [4, 40], [5, 30]]";
    let ran = folder.arr(&["run", "standard.arr", rows, "--format", "json"]);
    let first: serde_json::Value = serde_json::from_str(told(&ran).lines().next().unwrap()).unwrap();
    let bits = |value: &serde_json::Value| format!("{:08x}", (value.as_f64().unwrap() as f32).to_bits());
    let row = |row: &serde_json::Value| row.as_array().unwrap().iter().map(bits).collect::<Vec<_>>().join(" ");
    first["data"].as_array().unwrap().iter().map(row).collect()
}

/// `0x1.8p+0` of C and Python as the bits of a float.
fn bits_of(text: &str) -> String {
    let (sign, text) = text.strip_prefix('-').map_or((1.0, text), |rest| (-1.0, rest));
    let (mantissa, exponent) = text.trim_start_matches("0x").split_once('p').unwrap();
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, "0"));
    let digits = u64::from_str_radix(fraction, 16).unwrap() as f64 / 16f64.powi(fraction.len() as i32);
    let value = sign * (whole.parse::<f64>().unwrap() + digits) * 2f64.powi(exponent.parse().unwrap());
    format!("{:08x}", (value as f32).to_bits())
}

fn as_bits(printed: &str) -> Vec<String> {
    let rows = printed.lines().filter(|line| !line.starts_with("row "));
    rows.map(|line| line.split(' ').map(bits_of).collect::<Vec<_>>().join(" ")).collect()
}

#[test]
fn c_python_and_rust_get_the_bits_of_a_run() {
    let folder = example();
    let wanted = bits_of_run(&folder);
    built(&folder, &["standard.arr", "-o", "standard.o", "--header", "standard.h"]);
    let c = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "main.c", "standard.o", "-o", "standard"];
    told(&tool(&folder, "cc", &c));
    let ran = tool(&folder, "./standard", &[]);
    assert_eq!(as_bits(told(&ran)), wanted);
    assert!(ran.stdout.ends_with("row 0 is farthest\n"), "{}", ran.stdout);

    built(&folder, &["standard.arr", "-o", "libstandard.so"]);
    if let Ok(python) = Command::new("python3").arg("--version").output()
        && python.status.success()
    {
        let ran = tool(&folder, "python3", &["call.py", "./libstandard.so"]);
        assert_eq!(as_bits(told(&ran)), wanted);
    }

    let mut cargo = Command::new(std::env::var("CARGO").unwrap_or_else(|_| "cargo".to_owned()));
    cargo.args(["run", "--offline", "--quiet"]).current_dir(folder.path().join("rust"));
    cargo.env("ARR", env!("CARGO_BIN_EXE_arr")).env_remove("CARGO_TARGET_DIR").env_remove("RUSTFLAGS");
    let ran = finish(
        {
            cargo.stdout(Stdio::piped()).stderr(Stdio::piped());
            cargo
        },
        b"",
    );
    assert_eq!(told(&ran).lines().take(5).collect::<Vec<_>>(), wanted);
    assert!(ran.stdout.ends_with("row 0 is farthest\n"), "{}", ran.stdout);
}

#[test]
fn an_object_needs_nothing_and_says_so() {
    let folder = example();
    built(&folder, &["standard.arr", "-o", "standard.o", "--header", "standard.h"]);
    let undefined = tool(&folder, "nm", &["-u", "standard.o"]);
    let undefined: Vec<&str> = told(&undefined).lines().map(|line| line.trim_start_matches([' ', 'U'])).collect();
    assert!(undefined.iter().all(|name| ["memcpy", "memset"].contains(name)), "{undefined:?}");
    let sections = tool(&folder, "readelf", &["-SW", "standard.o"]);
    for line in told(&sections).lines() {
        let writable = line.contains(" WA ");
        let size = line.split_whitespace().nth(if line.starts_with("  [ ") { 6 } else { 5 });
        assert!(!writable || size == Some("000000"), "{line}");
    }
    assert!(sections.stdout.contains(".note.GNU-stack"), "{}", sections.stdout);
    built(&folder, &["standard.arr", "-o", "libstandard.so"]);
    let segments = tool(&folder, "readelf", &["-lW", "libstandard.so"]);
    let stack = told(&segments).lines().find(|line| line.contains("GNU_STACK")).unwrap_or_default().to_owned();
    assert!(stack.contains("RW ") && !stack.contains("RWE"), "{stack}");
    assert!(!tool(&folder, "readelf", &["-dW", "libstandard.so"]).stdout.contains("TEXTREL"));
}

#[test]
fn the_header_is_c_and_cpp() {
    let folder = Folder::new();
    let every = "input a: bool[n]\ninput b: f16[n]\ninput c: bf16[n]\ninput d: c64[n]\ninput int: u8[n]\n\
                 output p = where(a, b, f16(c))\noutput q = d * 2\noutput new = int + 1u8\n";
    folder.write("every.arr", every.as_bytes());
    built(&folder, &["every.arr", "-o", "every.o", "--header", "every.h"]);
    folder.write("use.c", b"#include \"every.h\"\n#include \"every.h\"\nint main(void) { return 0; }\n");
    let strict = ["-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-pedantic"];
    told(&tool(&folder, "cc", &[&strict[..], &["-std=c99", "use.c"]].concat()));
    folder.write("none.cc", b"int main() { return 0; }\n");
    if tool(&folder, "cc", &["-x", "c++", "-fsyntax-only", "none.cc"]).code == 0 {
        told(&tool(&folder, "cc", &[&strict[..], &["-x", "c++", "-std=c++17", "use.c"]].concat()));
    } else {
        println!("there is no compiler for C++: the header was tried as C alone");
    }
}

#[test]
fn what_cannot_be_built_is_told() {
    let folder = Folder::new();
    folder.write("solves.arr", b"input a: f64[n, n]\n\noutput y = linalg.inv(a)\n");
    folder.write("steps.arr", b"input a: f64[n, n]\noutput y = repeat 3 with x = a {\n  linalg.inv(x)\n}\n");
    folder.write("selects.arr", b"input x: f32[n]\noutput y = x[x > 0]\n");
    folder.write("values.arr", b"input a: f64[n, m]\noutput y = linalg.svd(a)[1]\noutput z = linalg.qr(a)[0]\n");
    folder.write("open.arr", b"input x: f32[..]\noutput y = x + 1\n");
    folder.write("fine.arr", b"input x: f32[n]\noutput y = x + 1\n");
    for (args, code, said) in [
        (
            &["solves.arr", "-o", "s.o"][..],
            1,
            "this is computed by a library, and an object needs none\n   ╭─[ solves.arr:3:",
        ),
        (
            &["steps.arr", "-o", "s.o"],
            1,
            "this is computed by a library, and an object needs none\n   ╭─[ steps.arr:2:",
        ),
        (
            &["values.arr", "-o", "s.o"],
            1,
            "this is computed by a library, and an object needs none\n   ╭─[ values.arr:2:",
        ),
        (
            &["selects.arr", "-o", "s.o"],
            1,
            "or take a length of an input, as `k` of `input y: f32[k]`\n   ╭─[ selects.arr:2:",
        ),
        (&["fine.arr", "-o", "s.txt"], 2, ".o, .a or .so"),
        (&["fine.arr", "-o", "-", "--emit", "obj"], 2, "`-` is no file"),
        (&["fine.arr", "--header", "-"], 2, "`-` is no file"),
        (&["fine.arr", "-o", "fine.arr"], 2, ".o, .a or .so"),
        (&["fine.arr", "-o", "no/such/folder/s.o"], 3, "no/such/folder"),
        (&["fine.arr", "-o", "s.o", "--target", "pdp11-unknown-linux-gnu"], 1, "there is no target `pdp11"),
        (&["fine.arr", "-o", "s.o", "--name", "2x"], 2, "`2x` is no name of a function"),
        (&["missing.arr", "-o", "s.o"], 3, "missing.arr"),
    ] {
        let ran = folder.arr(&[&["build"], args].concat());
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
        assert!(ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
        assert!(!folder.path().join("s.o").exists(), "{args:?}");
    }
}

#[test]
fn types_that_are_open_are_given() {
    let folder = Folder::new();
    folder.write("scale.arr", b"input x: _[n]\noutput y = x * 2\n");
    built(&folder, &["scale.arr", "--at", "x:f32[n]", "--at", "x:i64[n]", "-o", "scale.o", "--header", "scale.h"]);
    let header = std::fs::read_to_string(folder.path().join("scale.h")).unwrap();
    for function in ["int scale_f32_n(const arr_in_f32 *x", "int scale_i64_n(const arr_in_i64 *x"] {
        assert!(header.contains(function), "{header}");
    }
    let ran = folder.arr(&["build", "scale.arr", "-o", "other.o"]);
    assert!(ran.code != 0 && !folder.path().join("other.o").exists(), "{}", ran.stderr);
}

#[test]
fn the_loader_chooses_among_levels_and_cpu_fixes_one() {
    let folder = Folder::new();
    folder.write("scale.arr", b"input x: f32[n]\noutput y = 2*x + 1\n");
    let symbols = |object: &str| tool(&folder, "nm", &[object]).stdout;
    built(&folder, &["scale.arr", "-o", "all.o", "--header", "all.h"]);
    let all = symbols("all.o");
    for name in [" i scale\n", " t scale.sse\n", " t scale.avx2\n", " t scale.avx512\n"] {
        assert!(all.contains(name), "{name}: {all}");
    }
    assert!(std::fs::read_to_string(folder.path().join("all.h")).unwrap().contains("5: the processor has no"));
    for (cpu, wide) in [("sse", 'x'), ("avx2", 'y'), ("avx512", 'z'), ("x86-64-v3", 'y'), ("x86-64-v4", 'z')] {
        built(&folder, &["scale.arr", "-o", "one.o", "--cpu", cpu]);
        let one = symbols("one.o");
        assert!(one.contains(" T scale\n") && !one.contains("scale."), "{cpu}: {one}");
        let code = tool(&folder, "objdump", &["-d", "one.o"]).stdout;
        let widest = ['z', 'y', 'x'].into_iter().find(|letter| code.contains(&format!("%{letter}mm")));
        assert_eq!(widest, Some(wide), "{cpu}");
    }
    built(&folder, &["scale.arr", "-o", "musl.o", "--target", "x86_64-unknown-linux-musl"]);
    assert!(symbols("musl.o").contains(" T scale\n"));
    for (args, said) in [
        (["--cpu", "x86-64"], "no fused multiplication and addition"),
        (["--cpu", "pentium"], "it is sse, avx2, avx512, x86-64-v3 or x86-64-v4"),
    ] {
        let ran = folder.arr(&[&["build", "scale.arr", "-o", "no.o"], &args[..]].concat());
        assert!(ran.code == 1 && ran.stderr.contains(said), "{args:?}: {}", ran.stderr);
    }
}

/// The kernels of the benchmarks, and the bytes that an object of each with the code of all levels stays below.
const BARS: [(&str, &str, u64); 33] = [
    ("k1", "a:f32[n],b:f32[n]", 8192),
    ("k1", "a:f64[n],b:f64[n]", 8192),
    ("k2", "a:f32[n],b:f32[n],c:f32[n]", 8192),
    ("k2", "a:f16[n],b:f16[n],c:f16[n]", 8192),
    ("k2", "a:bf16[n],b:bf16[n],c:bf16[n]", 8192),
    ("k3", "a:f32[n],b:f32[n],c:f32[n]", 8192),
    ("k3", "a:f64[n],b:f64[n],c:f64[n]", 8192),
    ("k4", "x:f32[n]", 8192),
    ("k4", "x:f64[n]", 8192),
    ("k6_softplus", "x:f32[n]", 8192),
    ("k6_gelu", "x:f32[n]", 8192),
    ("k8", "a:f32[n],b:f32[n]", 8192),
    ("k9", "a:u8[n],b:u8[n]", 8192),
    ("k10_mixed", "i:i16[n],x:f32[n]", 8192),
    ("k11_centre", "x:f32[r,c],m:f32[c]", 8192),
    ("k11_outer", "a:f32[r],b:f32[c]", 8192),
    ("k12", "a:f32[2*n],b:f32[n]", 8192),
    ("k13_dot", "a:f32[n],b:f32[n]", 8192),
    ("k13_mse", "a:f32[n],b:f32[n]", 8192),
    ("k13_axis1", "x:f32[r,c]", 8192),
    ("k14", "z:c64[n],c:c64[n]", 8192),
    ("k15_lcg", "a:u32[n]", 8192),
    ("k15_div", "a:i32[n],b:i32[n]", 8192),
    ("k15_mod", "a:i32[n],b:i32[n]", 8192),
    ("exp", "x:f32[n]", 8192),
    ("log", "x:f32[n]", 8192),
    ("sin", "x:f32[n]", 8192),
    ("tanh", "x:f32[n]", 8192),
    // The loop of each level has two functions in line, and the reduction of large angles stands beside.
    ("k5", "a:f32[n],b:f32[n]", 9344),
    ("k5", "a:f64[n],b:f64[n]", 10_560),
    // The loop of each level has a logarithm, a root, an exponential and twice the error function in line.
    ("k7", "s:f32[n],k:f32[n],t:f32[n]", 11_840),
    ("k7", "s:f64[n],k:f64[n],t:f64[n]", 15_552),
    // Narrow tables and long ones are summed by other loops, and SSE has loops and a frame of its own.
    ("k13_axis0", "x:f32[r,c]", 11_520),
];

#[test]
fn an_object_of_one_kernel_is_small() {
    let folder = Folder::new();
    let check = |(kernel, types, bar): (&str, &str, u64), cpu: &[&str]| {
        let script = format!("{}/benches/kernels/{kernel}.arr", env!("CARGO_MANIFEST_DIR"));
        built(&folder, &[&[&script, "--at", types, "--name", "f", "-o", "one.o"], cpu].concat());
        let bytes = std::fs::metadata(folder.path().join("one.o")).unwrap().len();
        assert!(bytes < bar, "{kernel} {types} {cpu:?}: {bytes}");
    };
    for kernel in BARS {
        check(kernel, &[]);
        // Every one with the code of one level.
        ["sse", "avx2", "avx512"].into_iter().for_each(|cpu| check((kernel.0, kernel.1, 8192), &["--cpu", cpu]));
    }
}

#[test]
fn a_library_runs_as_its_script_does() {
    let folder = Folder::new();
    folder.write(
        "norm.arr",
        b"input x: f32[n, m]\ninput a: f64 in [0, 1]\noutput z = x * f32(a)\noutput s = sum(x, axis=0)\n",
    );
    built(&folder, &["norm.arr", "-o", "libnorm.so"]);
    let values = ["x=[[1, 2], [3, 4.5]]", "a=0.3"];
    let by = |file: &str, more: &[&str]| folder.arr(&[&["run", file], &values[..], more].concat());
    for more in [&[][..], &["--precision", "3"]] {
        let (script, library) = (by("norm.arr", more), by("libnorm.so", more));
        assert_eq!(told(&library), told(&script), "{more:?}");
    }
    told(&by("libnorm.so", &["-o", "z=z.npy"]));
    told(&by("norm.arr", &["-o", "z=y.npy"]));
    let bytes = |name: &str| std::fs::read(folder.path().join(name)).unwrap();
    assert_eq!(bytes("z.npy"), bytes("y.npy"));
    assert_eq!(told(&by("libnorm.so:norm", &[])), told(&by("norm.arr", &[])));
}

#[test]
fn a_mask_stores_one_value_without_a_count() {
    let folder = Folder::new();
    folder.write(
        "clip.arr",
        b"input x: f64[n, m]\nvar z = x\nz[z[:, 0] < 0] = z[0]\nz[z > 2] *= 2\nz[z == 0] = -1\noutput z = z\n",
    );
    built(&folder, &["clip.arr", "-o", "libclip.so"]);
    let by = |file: &str| folder.arr(&["run", file, "x=[[1, -2, 3], [-1, 2, 2], [0, 3, 2.5]]"]);
    let script = by("clip.arr");
    assert_eq!(told(&by("libclip.so")), told(&script));
    assert_eq!(script.stdout, "z =\n[[ 1. -2.  6.]\n [ 1. -2.  6.]\n [-1.  6.  5.]] : f64[3, 3]\n");
}

#[test]
fn a_library_has_the_defaults_that_stand_alone() {
    let folder = Folder::new();
    let script = |eps: &str| {
        format!(
            "let half = 0.5\ninput x: f32[n]\ninput eps: f32 = {eps}\ninput w: f32[n] = half\noutput y = x*w + eps\n"
        )
    };
    folder.write("f.arr", script("-2.5e-1").as_bytes());
    built(&folder, &["f.arr", "-o", "libf.so", "--header", "f.h"]);
    let header = std::fs::read_to_string(folder.path().join("f.h")).unwrap();
    assert!(header.contains("eps: f32, -2.5e-1 in the script\n") && header.contains("w: f32[n]\n"), "{header}");
    assert_eq!(told(&folder.arr(&["run", "libf.so", "x=[1, 2]", "w=0.5"])), "y = [0.25 0.75] : f32[2]\n");
    assert_eq!(told(&folder.arr(&["run", "libf.so", "x=[1, 2]", "w=0.5", "eps=1"])), "y = [1.5 2. ] : f32[2]\n");
    // One that needs another name of the script must be given.
    let ran = folder.arr(&["run", "libf.so", "x=[1, 2]"]);
    assert!(ran.code == 1 && ran.stderr.contains("input `w` is given no value"), "{}", ran.stderr);
    // What to give has the length that the type says.
    folder.write("three.arr", b"input w: i32[3]\noutput y = w\n");
    built(&folder, &["three.arr", "-o", "libthree.so"]);
    let ran = folder.arr(&["run", "libthree.so"]);
    assert!(ran.code == 1 && ran.stderr.contains("or `w=[3, 3, 3]`"), "{}", ran.stderr);
    // The name of the types is the same with another default.
    folder.write("f.arr", script("3").as_bytes());
    built(&folder, &["f.arr", "-o", "libg.so", "--header", "g.h"]);
    let other = std::fs::read_to_string(folder.path().join("g.h")).unwrap();
    assert_eq!(header.replace("-2.5e-1", "3"), other);
}

#[test]
fn the_largest_of_nothing_is_a_code_where_nothing_is_stored() {
    let folder = Folder::new();
    folder.write("top.arr", b"input x: f64[n, k]\noutput y = max(x, axis=1)\noutput at = argmin(x, axis=1)\n");
    built(&folder, &["top.arr", "-o", "libtop.so"]);
    for shape in ["(0, 0)", "(2, 0)"] {
        let value = format!("x=zeros({shape})");
        let (script, library) = (folder.arr(&["run", "top.arr", &value]), folder.arr(&["run", "libtop.so", &value]));
        assert!(script.code == 1 && script.stderr.contains("empty-reduction"), "{}", script.stderr);
        assert!(library.code == 1 && library.stderr.contains("`top` gives code 3"), "{}", library.stderr);
    }
    assert_eq!(told(&folder.arr(&["run", "libtop.so", "x=zeros((0, 2))"])), "y = [] : f64[0]\nat = [] : i64[0]\n");
}

/// What a library makes of some values is what its script makes of them.
fn as_the_script(folder: &Folder, script: &str, values: &[&str]) {
    folder.write("k.arr", script.as_bytes());
    built(folder, &["k.arr", "-o", "libk.so"]);
    let by = |file: &str| folder.arr(&[&["run", file], values].concat());
    assert_eq!(told(&by("libk.so")), told(&by("k.arr")), "{script} {values:?}");
}

#[test]
fn a_default_that_decides_is_no_other_value() {
    let folder = Folder::new();
    let script = "input x: f32[n]\ninput k: i64 = 2\noutput y = x[:k]\n";
    as_the_script(&folder, script, &["x=[1, 2, 3]"]);
    as_the_script(&folder, script, &["x=[1, 2, 3]", "k=2"]);
    let other = folder.arr(&["run", "libk.so", "x=[1, 2, 3]", "k=1"]);
    let said = "a value of k is outside [2, 2]: the script decides shapes by its default";
    assert!(other.code != 0 && other.stderr.contains(said), "{}", other.stderr);
    // Where it decides nothing, any value is as good.
    let script = "input x: f32[n]\ninput k: i64 = 2\noutput y = where(k > 1, x*k, -x) + x[k]\noutput z = repeat k with s = x { s + 1 }\n";
    as_the_script(&folder, script, &["x=[1, 2, 3]", "k=1"]);
}

#[test]
fn casts_and_slices_at_the_end_have_code_at_every_level() {
    let folder = Folder::new();
    let casts: String = ["u8", "u16", "u32", "i8", "i16", "i32", "i64", "u64"]
        .iter()
        .map(|to| format!("output a_{to} = {to}(x)\noutput b_{to} = {to}(f16(x))\noutput c_{to} = {to}(f32(x))\n"))
        .collect();
    let values = "x=[0, -0.5, 1.5, -1e300, 1e300, 254.9, 65535.5, -129, 3e9, nan, inf, -inf, 6e-8]";
    as_the_script(&folder, &format!("input x: f64[n]\n{casts}"), &[values]);
    let script = "input x: f64[n]\noutput a = x[-3:]\noutput b = x[-4:-1]\noutput c = x[n//2:]\noutput d = x + n % 3\n";
    for values in ["x=[1, 2, 3, 4, 5, 6]", "x=[1, 2]", "x=[1]"] {
        as_the_script(&folder, script, &[values]);
    }
    as_the_script(&folder, "input x: f32[n]\noutput y = x + linspace(0.0, 1.0, n)\n", &["x=[1]"]);
}

#[test]
fn what_is_no_number_is_sorted_last() {
    let folder = Folder::new();
    for dtype in ["f8_e4m3", "f8_e5m2", "f16", "bf16"] {
        let script = format!("input x: f32[n]\nlet s = {dtype}(x)\noutput y = sort(s)\noutput p = argsort(s)\n");
        as_the_script(&folder, &script, &["x=[1, -inf, 2, nan, -3, -0.0, 1e9]"]);
    }
}

#[test]
fn nothing_is_read_of_an_array_of_nothing() {
    let folder = Folder::new();
    folder.write("k.arr", b"input x: f32[n]\ninput i: i64[m]\noutput y = x[i]\n");
    built(&folder, &["k.arr", "-o", "libk.so", "--header", "k.h"]);
    let main = "#include \"k.h\"\nint main(void) {\n  int64_t i = 0, none = 0, one = 1; float y = 0;\n  \
                static char scratch[1 << 16];\n  arr_in_f32 x = {0, &none, 0};\n  arr_in_i64 at = {&i, &one, 0};\n  \
                arr_out_f32 out = {&y, &one};\n  return k(&x, &at, &out, scratch, 0);\n}\n";
    folder.write("main.c", main.as_bytes());
    let header = std::fs::read_to_string(folder.path().join("k.h")).unwrap();
    tool(&folder, "cc", &["main.c", "-o", "main", "-L.", "-lk", "-Wl,-rpath,."]);
    let ran = Command::new(folder.path().join("main")).current_dir(folder.path()).status().unwrap();
    assert_eq!(ran.code(), Some(16), "{header}");
}

#[test]
fn a_length_fits_the_dtype_that_it_meets() {
    let folder = Folder::new();
    let script = "input u: u8\ninput x: f32[n]\noutput y = u + n\n";
    as_the_script(&folder, script, &["u=5", "x=[1, 2]"]);
    let many = format!("x=[{}]", vec!["1"; 300].join(", "));
    let ran = folder.arr(&["run", "libk.so", "u=5", &many]);
    assert!(ran.code != 0 && ran.stderr.contains("a cast to u8 changes a value"), "{} {}", ran.stdout, ran.stderr);
}

#[test]
fn what_is_no_library_of_arr_is_not_loaded() {
    let folder = Folder::new();
    folder.write("f.arr", b"input x: f32[n] in [0, 1]\noutput y = x + 1\n");
    built(&folder, &["f.arr", "-o", "libf.so"]);
    folder.write("g.arr", b"input x: _[n]\noutput y = x + 1\n");
    built(&folder, &["g.arr", "--at", "x:f32[n]", "--at", "x:i8[n]", "-o", "libg.so"]);
    folder
        .write("foreign.c", b"#include <stdlib.h>\n__attribute__((constructor)) static void go(void) { exit(77); }\n");
    told(&tool(&folder, "cc", &["-shared", "-fPIC", "foreign.c", "-o", "foreign.so"]));
    folder.write("text.so", b"nothing\n");
    let library = std::fs::read(folder.path().join("libf.so")).unwrap();
    let at = library.windows(12).position(|bytes| bytes == b"arr-object 1").unwrap();
    let mut other = library.clone();
    other[at + 11] = b'9';
    folder.write("other.so", &other);
    folder.write("cut.so", &library[..library.len() / 2]);
    built(&folder, &["f.arr", "-o", "f.o"]);
    built(&folder, &["f.arr", "-o", "f.a"]);
    // A library runs under any name.
    for name in ["libf.so.1", "f.module"] {
        folder.write(name, &library);
        assert_eq!(told(&folder.arr(&["run", name, "x=[0.5, 1]"])), "y = [1.5 2. ] : f32[2]\n");
        assert_eq!(told(&folder.arr(&["run", &format!("{name}:f"), "x=[0.5, 1]"])), "y = [1.5 2. ] : f32[2]\n");
    }
    for (args, said) in [
        (["check", "libf.so"], "E0512 bad-array-file]: `libf.so` is a shared library, and no script"),
        (["bench", "f.o"], "E0512 bad-array-file]: `f.o` is an object, and no script"),
        (["bench", "f.a"], "E0512 bad-array-file]: `f.a` is an archive of objects, and no script"),
    ] {
        let ran = folder.arr(&args);
        assert!(ran.code == 1 && ran.said().contains(said), "{args:?}: {} {}", ran.code, ran.said());
    }
    let many: String = (0..30).map(|at| format!("output y{at} = x + {at}\n")).collect();
    folder.write("many.arr", format!("input x: f32[n]\n{many}").as_bytes());
    built(&folder, &["many.arr", "-o", "libmany.so"]);
    for (args, code, said) in [
        (&["f.o", "x=[0.5]"][..], 1, "`f.o` is an object, and no shared library"),
        (&["f.a", "x=[0.5]"], 1, "`f.a` is an archive, and no shared library"),
        (
            &["libf.so", "x=[1]", "z=2"],
            1,
            "E0505 no-such-input]: `f` of the library has no input `z`\n  Help: it has x",
        ),
        (&["libmany.so", "x=[1]"], 1, "E0517 too-large]: `libmany.so` has 31 inputs and outputs in `many`"),
        (&["libf.so", "x=[0.5, 2]"], 1, "`f` gives code 16: a value of x is outside [0, 1]"),
        (&["libf.so", "x=[1i64]"], 1, "input-dtype"),
        (&["libf.so", "x:f32[1, 1]=[[1]]"], 1, "Error[E05"),
        (&["libf.so"], 1, "missing-input"),
        (&["libf.so:g", "x=[1]"], 1, "has the functions f"),
        (&["libg.so", "x=[1]"], 1, "has the functions g_f32_n, g_i8_n"),
        (&["foreign.so"], 1, "holds nothing that `arr build` made"),
        (&["text.so"], 1, "is no shared library"),
        (&["other.so", "x=[1]"], 1, "was made by another version of arr"),
        (&["cut.so", "x=[1]"], 1, "holds nothing"),
        (&["missing.so"], 3, "missing.so"),
    ] {
        let ran = folder.arr(&[&["run"], args].concat());
        assert!(ran.stderr.contains(said), "{args:?}: {} {}", ran.code, ran.stderr);
        assert_eq!(ran.code, code, "{args:?}: {}", ran.stderr);
    }
}
