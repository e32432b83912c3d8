//! Bad input, case by case: shapes and evaluation (B01 to B24), then compiled code and the process (D).

use crate::lab;
use crate::shell::{self, Folder};
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Session};
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
}

#[test]
fn b05_transposed_data_gives_the_same_values() {
    let data: Vec<u8> = (0..6i32).flat_map(|x| x.to_le_bytes()).collect();
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
    assert_eq!(checked("[7i32, 8] // [1i32, 0]"), ["division-by-zero"]);
    assert_eq!(checked("[7u8] % [0u8]"), ["division-by-zero"]);
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

#[test]
fn d02_long_programs_compile_in_linear_time() {
    let body: String = (0..10_000).map(|k| format!("let v{} = v{k} * 3 + {}\n", k + 1, k % 100)).collect();
    let text = format!("let v0 = i64([1, 2, 3])\n{body}v10000");
    let started = Instant::now();
    assert_eq!(lab::run(&text, Mode::All).values.len(), 1);
    assert!(started.elapsed() < Duration::from_secs(10), "{:?}", started.elapsed());
}

/// Resident memory in bytes.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux has it");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages") * 4096
}

/// In a process of its own, so that no other test's memory is counted. `ARR_TEST_D03_CYCLES` asks for more cycles.
#[test]
fn d03_code_that_is_freed_leaves_nothing_behind() {
    const CHILD: &str = "ARR_TEST_D03_CHILD";
    if std::env::var_os(CHILD).is_none() {
        let name = "faults_run::d03_code_that_is_freed_leaves_nothing_behind";
        let output = Command::new(std::env::current_exe().expect("this test"))
            .args(["--exact", name, "--nocapture", "--test-threads=1"])
            .env(CHILD, "1")
            .output()
            .expect("the test starts again");
        let text = String::from_utf8_lossy(&output.stdout);
        println!("{}", text.lines().find(|line| line.contains("KiB")).unwrap_or_default());
        assert!(output.status.success() && text.contains("KiB"), "{text}\n{}", String::from_utf8_lossy(&output.stderr));
        return;
    }
    // Every program has a constant of its own: none is found in the cache, and from 1,024 on each drives out another.
    let inputs = [("x".to_owned(), arrlang::array::Array::from_elements(&[8], &[1i64, 2, 3, 4, 5, 6, 7, 8]))];
    let cycle = |k: usize| {
        let text = format!("x * {} + 1", 1_000_000 + k);
        let program = crate::agree::program(&text, &inputs, &Default::default()).expect("a program");
        let arrays = crate::agree::run(&program, arrlang::exec::Engine::Jit, false).expect("it runs");
        assert_eq!(arrays[0].to_vec::<i64>()[1], 2 * (1_000_000 + k as i64) + 1);
    };
    (0..3_000).for_each(cycle);
    let before = resident();
    let cycles = std::env::var("ARR_TEST_D03_CYCLES").ok().and_then(|text| text.parse().ok()).unwrap_or(20_000);
    (3_000..3_000 + cycles).for_each(cycle);
    let grown = resident().saturating_sub(before);
    println!("{cycles} kernels compiled and freed: {} KiB more", grown >> 10);
    assert!(grown < 1 << 20, "{grown}");
}

#[test]
fn d06_where_no_memory_may_become_code_kernels_are_interpreted() {
    use std::os::unix::process::CommandExt;
    const PR_SET_MDWE: i32 = 65;
    let folder = Folder::new();
    let mut command = shell::command(folder.path(), &["eval", "arange(5) * 3 + 1"]);
    // SAFETY: one system call between fork and exec; where the kernel does not know it, nothing changes.
    unsafe {
        command.pre_exec(|| {
            libc::prctl(PR_SET_MDWE, 1, 0, 0, 0);
            Ok(())
        })
    };
    let output = command.output().expect("the command runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(lab::one_line(&String::from_utf8_lossy(&output.stdout)), "[1 4 7 10 13] : i64[5]", "{text}");
    assert_eq!(output.status.code(), Some(0));
    assert!(
        text.is_empty() || (text.starts_with("note: kernels are interpreted: ") && text.lines().count() == 1),
        "{text}"
    );
}

#[test]
fn d09_verification_can_be_asked_for() {
    let ran = Folder::new().arr(&["eval", "sum(sqrt(arange(100))) // 3", "--verify"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
}

#[test]
fn d10_no_argument_makes_a_function_panic() {
    let mut session = Session::default();
    for op in arrlang::ops::all().filter(|op| op.operand_count() == 1 && op.params.len() == 1) {
        for dtype in ["u8", "i64", "f16", "f32", "f64", "c128"] {
            let text = format!("let x = {dtype}([0, 1, 100])\n{}((x - x - 1) * x)\n{}(x / (x - x))", op.name, op.name);
            let reply = session.evaluate(&Input::new("d10.arr", &text));
            assert_ne!(reply.exit, 101, "{text}");
        }
    }
}

#[test]
fn d11_a_small_stack_is_enough() {
    let text = format!("let x = [1.5f32, 2]\n{}x{}", "(".repeat(200), "*2)+x".repeat(100) + &")".repeat(100));
    let long: String = (0..2_000).map(|k| format!("let v{} = sqrt(v{k} * 3 + 1)\n", k + 1)).collect();
    let work = move || {
        let _ = lab::run(&text, Mode::All);
        let reply = lab::run(&format!("let v0 = [1.5f32]\n{long}v2000"), Mode::All);
        assert_eq!(reply.exit, 0);
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}

/// Starts the command, sends it a signal after a while, and answers its exit code, output, and how long it took to end.
fn signalled(folder: &Folder, args: &[&str], signal: i32) -> (Option<i32>, String, Duration) {
    let child = shell::command(folder.path(), args).spawn().expect("the command starts");
    std::thread::sleep(Duration::from_millis(700));
    let sent = Instant::now();
    // SAFETY: the process is our own child, which is not waited for yet.
    unsafe { libc::kill(child.id() as libc::pid_t, signal) };
    let output = child.wait_with_output().expect("the command ends");
    (output.status.code(), String::from_utf8_lossy(&output.stdout).into_owned(), sent.elapsed())
}

/// Minutes of work.
const LONG: &str = "sum(sin(zeros((100000, 1)) + arange(1000000)))";

#[test]
fn d13_an_interrupt_ends_a_long_run_at_once() {
    let folder = Folder::new();
    for text in [LONG, "sum(arange(1000000000000))", "max(exp(zeros((1000000, 1)) + arange(100000)), axis=0)"] {
        let (code, output, taken) = signalled(&folder, &["eval", text, "-o", "y.npy"], libc::SIGINT);
        assert_eq!((code, output.as_str()), (Some(130), ""), "{text}");
        // Measured well below 0.1 s; a busy machine may need more.
        assert!(taken < Duration::from_secs(5), "{taken:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file is left");
    }
}

#[test]
fn d14_other_signals_end_a_run_as_tidily() {
    let folder = Folder::new();
    for signal in [libc::SIGTERM, libc::SIGHUP] {
        let (code, output, taken) = signalled(&folder, &["eval", LONG, "-o", "y.npy"], signal);
        assert_eq!((code, output.as_str()), (Some(130), ""));
        // Measured well below 0.1 s; a busy machine may need more.
        assert!(taken < Duration::from_secs(5), "{taken:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0, "no file is left");
    }
}

#[test]
fn d13_the_repl_on_a_pipe_survives_an_interrupt() {
    use std::io::Write;
    let folder = Folder::new();
    let mut child = shell::command(folder.path(), &["repl"]).stdin(Stdio::piped()).spawn().expect("the command starts");
    let mut stdin = child.stdin.take().expect("a pipe");
    stdin.write_all(format!("{LONG}\n").as_bytes()).expect("it reads");
    std::thread::sleep(Duration::from_millis(700));
    // SAFETY: as above.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    stdin.write_all(b"1 + 1\n").expect("it still reads");
    drop(stdin);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 : i*\n", "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn d15_a_terminal_that_can_do_nothing() {
    let folder = Folder::new();
    for (name, value) in [("TERM", "dumb"), ("COLUMNS", "0"), ("COLUMNS", "1"), ("COLUMNS", "x")] {
        let output = shell::command(folder.path(), &["eval", "nope + 1"]).env(name, value).output().expect("it runs");
        assert_eq!(output.status.code(), Some(1));
    }
}

#[test]
fn d20_odd_surroundings_do_not_matter() {
    let folder = Folder::new();
    for (name, value) in [("TMPDIR", Some("/nonexistent")), ("HOME", None), ("HOME", Some("/proc")), ("PATH", None)] {
        let mut command = shell::command(folder.path(), &["eval", "1 + 1", "-o", "y.npy"]);
        match value {
            Some(value) => command.env(name, value),
            None => command.env_remove(name),
        };
        let output = command.output().expect("it runs");
        assert_eq!(output.status.code(), Some(0), "{name} {}", String::from_utf8_lossy(&output.stderr));
    }
    let script = "mkdir gone && cd gone && rmdir ../gone && exec \"$0\" eval '1 + 1'";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_arr")]).current_dir(folder.path()).stdin(Stdio::null());
    let output = command.output().expect("there is a shell");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "2 : i*\n");
}

#[test]
fn d26_profiling_that_cannot_write_is_no_failure() {
    let folder = Folder::new();
    let mut command = shell::command(folder.path(), &["eval", "arange(3) * 7"]);
    let output = command.env("PERF_BUILDID_DIR", "/nonexistent").output().expect("it runs");
    assert_eq!(lab::one_line(&String::from_utf8_lossy(&output.stdout)), "[0 7 14] : i64[3]");
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

/// Until it ends or has a half-written file, then interrupts it until it ends.
fn interrupted_while_writing(folder: &Folder) -> Option<i32> {
    let args = ["eval", "zeros(400000000, dtype=u8)", "-o", "y.npy"];
    let mut child = shell::command(folder.path(), &args).spawn().expect("the command starts");
    let half_written = || {
        let files = std::fs::read_dir(folder.path()).expect("a folder").flatten();
        files.filter(|file| file.file_name() != "y.npy").any(|file| file.metadata().is_ok_and(|data| data.len() > 1000))
    };
    while child.try_wait().expect("our own child").is_none() {
        if half_written() {
            // SAFETY: the process is our own child, which is not waited for yet.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    child.wait().expect("it has ended").code()
}

#[test]
fn d14_a_second_interrupt_ends_even_a_write_and_leaves_no_file() {
    let folder = Folder::new();
    folder.write("y.npy", b"old");
    // A machine may be so fast, or so busy, that the file is complete before the second signal comes.
    let hit = (0..20).any(|_| {
        let code = interrupted_while_writing(&folder);
        let names: Vec<_> =
            std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|it| it.file_name()).collect();
        assert_eq!(names, ["y.npy"], "{code:?}");
        let old = std::fs::read(folder.path().join("y.npy")).expect("it is there");
        assert_eq!(code, Some(if old == b"old" { 130 } else { 0 }));
        folder.write("y.npy", b"old");
        code == Some(130)
    });
    assert!(hit, "no interrupt came while the file was written");
}

#[test]
fn d14_what_waits_for_its_script_ends_at_the_first_signal() {
    let folder = Folder::new();
    let mut child = shell::command(folder.path(), &["run", "-"]).stdin(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_millis(300));
    // SAFETY: the process is our own child, which is not waited for yet.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
