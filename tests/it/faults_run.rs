//! Bad input, case by case: shapes and evaluation (B01 to B24).

use crate::lab;
use crate::shell::Folder;
use arrlang::promotion::verdict::Mode;
use arrlang::session::Input;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The values of texts that must run, all modes.
fn values(text: &str) -> Vec<String> {
    lab::values(text, Mode::All)
}

/// The code of what `--checked` finds.
fn checked(text: &str) -> Vec<&'static str> {
    let mut session = lab::session(Mode::All);
    session.settings.checked = true;
    let reply = session.evaluate(&Input::new("checked.arr", text));
    reply.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code.name).collect()
}

fn errors(text: &str) -> Vec<&'static str> {
    let reply = lab::run(text, Mode::All);
    reply.diagnostics.iter().filter(|found| found.is_error()).map(|found| found.code.name).collect()
}

/// A version 1 array file whose data begins at `start`.
fn npy(descr: &str, fortran: &str, shape: &str, start: usize, data: &[u8]) -> Vec<u8> {
    let header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
    let header = format!("{header:<width$}\n", width = start - 11);
    let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
    bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
    bytes.extend_from_slice(header.as_bytes());
    assert_eq!(bytes.len(), start);
    bytes.extend_from_slice(data);
    bytes
}

#[test]
fn b01_sizes_that_overflow_are_errors_before_anything_is_allocated() {
    for text in [
        "sum(zeros((4294967296, 4294967296)))",
        "zeros((1073741824, 4294967296))",
        "zeros((9223372036854775807, 3, 0))",
    ] {
        assert_eq!(errors(text), ["array-too-large"], "{text}");
    }
}

#[test]
fn b02_what_is_repeated_is_not_stored_and_what_is_stored_is_limited() {
    let folder = Folder::new();
    let ran = folder.arr(&["eval", "zeros((1048576, 1)) + arange(1048576)", "--max-mem", "1G"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("the limit is 1"), "{}", ran.stderr);
    assert_eq!(values("sum(zeros((1000, 1)) + arange(1000))"), ["499500000.0 : f64"]);
}

#[test]
fn b03_nothing_has_a_sum_but_no_smallest_element() {
    assert_eq!(
        values("sum(zeros((2, 0)), axis=1)\nsum(zeros((0, 2)), axis=1)\nsum(zeros((2, 0)))")[..2],
        ["[0. 0.] : f64[2]", "[] : f64[0]"]
    );
    assert_eq!(values("mean(zeros(0))"), ["nan : f64"]);
    assert_eq!(errors("max(zeros((2, 0)))"), ["empty-reduction"]);
    assert_eq!(errors("min(zeros((2, 0)), axis=1)"), ["empty-reduction"]);
    assert_eq!(errors("min(zeros((0, 2)), axis=1)"), [""; 0]);
}

#[test]
fn b04_ranks_from_0_to_32() {
    let ones = |rank: usize| format!("({})", "1,".repeat(rank));
    assert_eq!(values("sum(1.5)\nsqrt(4f32)"), ["1.5 : f64", "2.0 : f32"]);
    assert_eq!(errors(&format!("zeros({}) + 1", ones(32))), [""; 0]);
    assert_eq!(values(&format!("sum(zeros({}) + 1)", ones(32))), ["1.0 : f64"]);
    assert_eq!(errors(&format!("zeros({})", ones(33))), ["rank-limit"]);
    let nested = |item: &str, rank: usize| format!("{}{item}{}", "[".repeat(rank), "]".repeat(rank));
    assert_eq!(errors(&nested("1", 32)), [""; 0]);
    assert_eq!(errors(&nested("1", 33)), ["rank-limit"]);
    assert_eq!(errors(&nested(&format!("zeros({})", ones(30)), 3)), ["rank-limit"]);
}

#[test]
fn b05_transposed_data_gives_the_same_values() {
    let data: Vec<u8> = (0..6i32).flat_map(i32::to_le_bytes).collect();
    let turned: Vec<u8> = [0, 3, 1, 4, 2, 5i32].iter().flat_map(|x| x.to_le_bytes()).collect();
    let folder = Folder::with(&[
        ("c.npy", &npy("<i4", "False", "(2, 3)", 128, &data)),
        ("f.npy", &npy("<i4", "True", "(2, 3)", 128, &turned)),
    ]);
    for text in ["x * 2 + 1", "sum(x, axis=0)", "sum(x, axis=1) // 2", "f16(x) / 7", "x << x"] {
        let (c, f) = (folder.arr(&["eval", text, "x=c.npy"]), folder.arr(&["eval", text, "x=f.npy"]));
        assert_eq!((c.code, &c.stdout), (0, &f.stdout), "{text}\n{}", c.stderr);
    }
}

#[test]
fn b06_data_may_begin_anywhere_in_its_file() {
    let data: Vec<u8> = (0..1000).flat_map(|x| f64::from(x).to_le_bytes()).collect();
    let folder = Folder::new();
    for start in [96, 97, 98, 100, 103, 111] {
        folder.write("x.npy", &npy("<f8", "False", "(1000,)", start, &data));
        for copy in [&["eval", "sum(x * 2 + sqrt(x - x))", "x=x.npy"][..], &["eval", "sum(x + x)", "x=x.npy", "--copy"]]
        {
            let ran = folder.arr(copy);
            assert_eq!((ran.code, ran.stdout.as_str()), (0, "999000.0 : f64\n"), "{start}: {}", ran.stderr);
        }
    }
}

#[test]
fn b09_integers_divided_by_zero() {
    let text =
        "let x = [7i32, -7, 0]\nlet y = [0i32, 0, 0]\nx // y\nx % y\nu8(x) // u8(y)\ni64(x) % i64(y)\ni8(x) % i8(y)";
    let zeros = ["i32", "i32", "u8", "i64", "i8"].map(|dtype| format!("[0 0 0] : {dtype}[3]"));
    assert_eq!(values(text), zeros);
    assert_eq!(checked("[7i32, 8] // [1i32, 0]"), ["divided-by-zero"]);
    assert_eq!(checked("[7u8] % [0u8]"), ["divided-by-zero"]);
}

#[test]
fn b10_the_smallest_integer_has_no_positive_counterpart() {
    for (dtype, min) in
        [("i8", i64::from(i8::MIN)), ("i16", i64::from(i16::MIN)), ("i32", i64::from(i32::MIN)), ("i64", i64::MIN)]
    {
        let text = format!("let x = {dtype}([{min}])\nlet y = {dtype}([-1])\nx // y\nx % y\nabs(x)\n-x");
        let same = format!("[{min}] : {dtype}[1]");
        assert_eq!(values(&text), [same.clone(), format!("[0] : {dtype}[1]"), same.clone(), same], "{dtype}");
        for op in ["x // y", "abs(x)", "-x"] {
            assert_eq!(
                checked(&format!("let x = {dtype}([{min}])\nlet y = {dtype}([-1])\n{op}")),
                ["overflow"],
                "{dtype} {op}"
            );
        }
    }
}

#[test]
fn b11_shifts_by_too_much_or_less_than_nothing() {
    for (dtype, bits) in [("i8", 8), ("i16", 16), ("i32", 32), ("i64", 64)] {
        let text = format!(
            "let x = {dtype}([-5, -5, 5, 5])\nlet n = {dtype}([{bits}, -1, {bits}, -1])\nx << n\nx >> n\n{dtype}([1, 1]) << {dtype}([0, {}])",
            bits - 1
        );
        let min = i64::MIN >> (64 - bits);
        let expected = [
            format!("[0 0 0 0] : {dtype}[4]"),
            format!("[-1 -1 0 0] : {dtype}[4]"),
            values(&format!("{dtype}([1, {min}])"))[0].clone(),
        ];
        assert_eq!(values(&text), expected, "{dtype}");
    }
    assert_eq!(values("u8([255]) >> u8([8])\nu64([1]) << u64([64])"), ["[0] : u8[1]", "[0] : u64[1]"]);
}

#[test]
fn b12_floats_become_integers_without_a_trap() {
    let text = "let x = f64([nan, inf, -inf, 1e30, -1e30, -0.5, 300.7])\ni8(x)\nu8(x)\ni64(x)\nu64(x)\ni32(f32(x))\nu16(f16(x))";
    assert_eq!(
        values(text),
        [
            "[0 127 -128 127 -128 0 127] : i8[7]",
            "[0 255 0 255 0 0 255] : u8[7]",
            "[0 9223372036854775807 -9223372036854775808 9223372036854775807 -9223372036854775808 0 300] : i64[7]",
            "[0 18446744073709551615 0 18446744073709551615 0 0 300] : u64[7]",
            "[0 2147483647 -2147483648 2147483647 -2147483648 0 300] : i32[7]",
            "[0 65535 0 65535 0 0 300] : u16[7]",
        ]
    );
    for text in ["i32(f64([nan]))", "u8(f64([-1.5]))", "i64(f64([inf]))"] {
        assert_eq!(checked(text), ["lossy-cast"], "{text}");
    }
}

#[test]
fn b13_integer_sums_and_powers_wrap() {
    assert_eq!(
        values("sum([9223372036854775807, 1])\n[100i8] * [100i8]\n[3i8] ** [5i8]\n[0i32] ** [0i32]\n[2i32] ** [-1i32]"),
        ["-9223372036854775808 : i64", "[16] : i8[1]", "[-13] : i8[1]", "[1] : i32[1]", "[0] : i32[1]"]
    );
    for text in ["[100i8] * [100i8]", "[3i8] ** [5i8]", "[127i8] + [1i8]", "[0u8] - [1u8]"] {
        assert_eq!(checked(text), ["overflow"], "{text}");
    }
}

#[test]
fn b14_not_a_number_and_signed_zeros() {
    let text = "let x = f64([1, nan])\nmin(x)\nmax(x)\nminimum(f64([0]), f64([-0.0]))\nmaximum(f64([-0.0]), f64([0]))\nx == x\nf64([-0.0]) == f64([0])";
    assert_eq!(
        values(text),
        ["nan : f64", "nan : f64", "[-0.] : f64[1]", "[0.] : f64[1]", "[true false] : bool[2]", "[true] : bool[1]"]
    );
}

#[test]
fn b16_wide_numbers_become_halves_with_one_rounding() {
    // Through f32 each of these would be a tie that goes the other way.
    assert_eq!(values("bitcast(f16(f64([1.0004882812500002, 1.000488281249999])), u16)"), ["[15361 15360] : u16[2]"]);
    assert_eq!(values("bitcast(f16(f64([65519.99999999, 65520.0])), u16)"), ["[31743 31744] : u16[2]"]);
    assert_eq!(values("bitcast(bf16(f64([1.00390625000001, 1.0039062499999])), u16)"), ["[16257 16256] : u16[2]"]);
    assert_eq!(values("bitcast(bf16(i64([16842753, 16842752])), u16)"), ["[19329 19328] : u16[2]"]);
    assert_eq!(values("bitcast(f16(i32([2049, 2051, 2053])), u16)"), ["[26624 26626 26626] : u16[3]"]);
}

#[test]
fn b17_unlike_operands_meet_as_the_table_says() {
    let text = "promotion numpy\nu64([1]) + i64([1])\nf32([1]) + i64([1])\nf32([1]) + 1\nbool([1]) + bool([1])\nu8([1]) + i8([1])";
    assert_eq!(values(text), ["[2.] : f64[1]", "[2.] : f64[1]", "[2.] : f32[1]", "[true] : bool[1]", "[2] : i16[1]"]);
    assert_eq!(values("u64([18446744073709551615]) > i64([-1])"), ["[true] : bool[1]"]);
}

#[test]
fn b18_wide_integers_become_floats_with_one_rounding() {
    let text = "bitcast(f32(u64([9223372586610589697, 18446744073709551615])), u32)\nbitcast(f64(i64([9007199254740993, 9007199254740995])), u64)\nbitcast(f32(i64([9007199791611905])), u32)";
    assert_eq!(
        values(text),
        [
            "[1593835521 1602224128] : u32[2]",
            "[4845873199050653696 4845873199050653698] : u64[2]",
            "[1509949441] : u32[1]"
        ]
    );
}

#[test]
fn b19_extreme_arguments_of_functions() {
    let text = "let x = f64([1e308, -1e308, 5e-324, inf, -inf, nan])\n";
    for name in ["sin", "cos", "tan", "exp", "expm1", "log", "log1p", "gamma", "lgamma", "erf", "tanh", "cbrt", "atan"]
    {
        let found = values(&format!("{text}{name}(x)\n{name}(f32(x))\n{name}(f16(x))\n{name}(bf16(x))"));
        assert_eq!(found.len(), 4, "{name}");
        assert!(found[0].contains("nan"), "{name}: {}", found[0]);
    }
    assert_eq!(values("sin([1e308])\ntanh([inf, -inf])\nexp([-inf, 710.0])").len(), 3);
}

#[test]
fn b20_float_sums_do_not_depend_on_the_layout() {
    let data: Vec<f32> = (0..6000).map(|k| (k as f32).sin() * 1e3).collect();
    let bytes =
        |order: &mut dyn Iterator<Item = usize>| order.flat_map(|at| data[at].to_le_bytes()).collect::<Vec<u8>>();
    let c = npy("<f4", "False", "(60, 100)", 128, &bytes(&mut (0..6000)));
    let f = npy("<f4", "True", "(60, 100)", 128, &bytes(&mut (0..6000).map(|at| at % 60 * 100 + at / 60)));
    let folder = Folder::with(&[("c.npy", &c), ("f.npy", &f)]);
    for text in ["bitcast(sum(x), u32)", "bitcast(sum(x, axis=0), u32)", "bitcast(sum(x, axis=1), u32)"] {
        let (c, f) = (folder.arr(&["eval", text, "x=c.npy"]), folder.arr(&["eval", text, "x=f.npy"]));
        assert_eq!((c.code, &c.stdout), (0, &f.stdout), "{text}\n{}", c.stderr);
    }
}

#[test]
fn b22_memory_is_refused_before_it_is_touched() {
    let started = Instant::now();
    let folder = Folder::new();
    let ran = folder.arr(&["eval", "arange(100000000) + 1", "--max-mem", "100M"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (1, ""));
    assert!(ran.stderr.contains("the limit is") && ran.stderr.contains("--max-mem"), "{}", ran.stderr);
    // A script's names end with it: what its outputs do not need is not kept.
    let folder = Folder::with(&[("s.arr", &b"let a = f64(arange(10000000))\nlet b = a * 0.5 + 1.0\nsum(b - a)"[..])]);
    let ran = folder.arr(&["run", "s.arr", "--max-mem", "1M"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (0, "-24999987500000.0 : f64\n"), "{}", ran.stderr);
    // Without an option, the machine's own memory is the limit.
    let ran = folder.arr(&["eval", "arange(100000000000000) + 1"]);
    assert_eq!(ran.code, 1, "{}", ran.stderr);
    assert!(ran.stderr.contains("the limit is"), "{}", ran.stderr);
    assert!(started.elapsed() < Duration::from_secs(20));
}

#[test]
fn what_the_values_of_data_alone_say_stops_no_run_that_check_lets_through() {
    let wide: Vec<u8> = [(1u64 << 60) + 1, (1 << 61) + 3].into_iter().flat_map(u64::to_le_bytes).collect();
    let (hash, square) = ("let h = x * 0xff51afd7ed558ccd\nsort(h ^ (h >> 33))\n", "x * x\n");
    let folder = Folder::with(&[
        ("hash.arr", format!("promotion numpy safe\ninput x: u64[n]\n{hash}").as_bytes()),
        ("square.arr", format!("promotion numpy safe\ninput x: i64[n]\n{square}").as_bytes()),
        ("narrow.arr", &b"promotion numpy safe\ninput x: u8[n]\nx + 200\n"[..]),
        ("u.npy", &npy("<u8", "False", "(2,)", 128, &wide)),
        ("i.npy", &npy("<i8", "False", "(2,)", 128, &wide)),
        ("b.npy", &npy("|u1", "False", "(2,)", 128, &[100, 200])),
    ]);
    for (script, data, product, dtype) in
        [("hash.arr", "x=u.npy", "x * 0xff51afd7ed558ccd", "u64"), ("square.arr", "x=i.npy", "x * x", "i64")]
    {
        let checked = folder.arr(&["check", script]);
        assert_eq!(checked.code, 0, "{script}\n{}{}", checked.stdout, checked.stderr);
        let ran = folder.arr(&["run", "-v", script, data]);
        assert_eq!(ran.code, 0, "{script}\n{}", ran.stderr);
        let wanted = [
            "Warning[E0312 integer-overflow]".to_owned(),
            format!("`{dtype}({product})` says that wrapping is meant"),
            "the values that are given".to_owned(),
        ];
        assert!(wanted.iter().all(|text| ran.stderr.contains(text)), "{script}\n{}", ran.stderr);
        // Who asks for an error has it.
        assert_eq!(folder.arr(&["run", script, data, "--deny", "integer-overflow"]).code, 1, "{script}");
    }
    // What its dtype says of a script is said of any data.
    assert_eq!(folder.arr(&["check", "narrow.arr"]).code, 1);
    assert_eq!(folder.arr(&["run", "narrow.arr", "x=b.npy"]).code, 1);
}

/// Runs the command under the limits of a shell's `ulimit`.
fn limited(limit: &str, args: &[&str]) -> (i32, String) {
    let folder = Folder::new();
    let script = format!("{limit}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_arr")])
        .args(args)
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .expect("there is a shell");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code().unwrap_or(-1), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn b23_an_address_space_that_is_too_small_is_an_error() {
    let (code, text) = limited("ulimit -v 600000", &["eval", "sum(arange(10)) + 1"]);
    assert_eq!((code, text.as_str()), (0, "46 : i64\n"));
    let (code, text) = limited("ulimit -v 600000", &["eval", "arange(200000000) + 1", "--max-mem", "100G"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("out-of-memory") && !text.contains("panicked"), "{text}");
}

/// A tree, unlike an array, cannot go on without its memory: the process ends with the error, and leaves nothing.
#[test]
fn e36_a_text_that_takes_more_memory_than_there_is_ends_with_the_error() {
    let script = "(yes 1+ | head -3000000 | tr -d '\\n'; echo 1) > a.arr; ulimit -c 0; ulimit -v 400000";
    let (code, text) = limited(script, &["run", "a.arr"]);
    assert_eq!(code, 1, "{text}");
    assert!(text.contains("Error[E0518 out-of-memory]: the system gives this process no more memory"), "{text}");
}

/// What is given for an input that is not there says which type takes it.
#[test]
fn a_value_for_no_input_says_its_type() {
    let folder = Folder::with(&[("q.arr", b"1 + 1\n")]);
    folder.write("n.npy", &npy("|b1", "False", "(3, 2)", 128, &[1; 6]));
    for (given, said) in
        [("n=5", "`input n: i64`"), ("n=[1, 2.5]", "`input n: f64[2]`"), ("n=n.npy", "`input n: bool[3, 2]`")]
    {
        let ran = folder.arr(&["run", "q.arr", given]);
        assert!(ran.code != 0 && ran.stderr.contains(said), "{given}: {}", ran.stderr);
    }
}
