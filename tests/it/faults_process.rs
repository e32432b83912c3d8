//! Bad surroundings, case by case: compiled code, signals and the process (D).
#![expect(unsafe_code, reason = "the standard library sends no signals")]

use crate::lab;
use crate::shell::{self, Folder};
use arrlang::check::Settings;
use arrlang::diagnostic::Outcome;
use arrlang::promotion::verdict::Mode;
use arrlang::session::{Input, Session};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

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
        let name = "faults_process::d03_code_that_is_freed_leaves_nothing_behind";
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
        let program = crate::agree::program(&text, &inputs, &Settings::default()).expect("a program");
        let arrays =
            crate::agree::run(&program, arrlang::exec::Engine::Jit, crate::agree::Verify::No).expect("it runs");
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
            assert_ne!(reply.outcome, Outcome::Broken, "{text}");
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
        assert!(reply.outcome.is_done());
    };
    let thread = std::thread::Builder::new().stack_size(2 << 20).spawn(work).expect("a thread");
    thread.join().expect("no overflow");
}

/// Starts the command, sends it a signal after a while, and answers its exit code, output, and how long it took to end.
fn signalled(folder: &Folder, args: &[&str], signal: i32) -> (Option<i32>, String, Duration) {
    let mut child = shell::command(folder.path(), args).spawn().expect("the command starts");
    shell::handles(&mut child, signal);
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
        assert!(taken < Duration::from_secs(30), "{taken:?}");
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
        assert!(taken < Duration::from_secs(30), "{taken:?}");
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
    shell::handles(&mut child, libc::SIGINT);
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

/// Waits until it ends or has written something, then interrupts it.
fn interrupted_while_writing(folder: &Folder) -> Option<i32> {
    let args = ["eval", "zeros(400000000, dtype=u8)", "-o", "y.npy"];
    let mut child = shell::command(folder.path(), &args).spawn().expect("the command starts");
    while child.try_wait().expect("our own child").is_none() {
        if shell::written(&child) > 1000 {
            // SAFETY: the process is our own child, which is not waited for yet.
            unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
        }
        std::thread::sleep(Duration::from_micros(200));
    }
    child.wait().expect("it has ended").code()
}

#[test]
fn d14_an_interrupt_ends_even_a_write_and_leaves_no_file() {
    let folder = Folder::new();
    folder.write("y.npy", b"old");
    // A machine may be so fast, or so busy, that the file is complete before the second signal comes.
    let hit = (0..20).any(|_| {
        let code = interrupted_while_writing(&folder);
        let names: Vec<_> =
            std::fs::read_dir(folder.path()).expect("a folder").flatten().map(|it| it.file_name()).collect();
        assert_eq!(names, ["y.npy"], "{code:?}");
        let old = std::fs::read(folder.path().join("y.npy")).expect("it is there");
        // A signal may come between the new file and the end of the process.
        assert!(code == Some(130) || code == Some(0) && old != b"old", "{code:?}");
        assert!(old == b"old" || old.len() == 400_000_128, "{}", old.len());
        folder.write("y.npy", b"old");
        code == Some(130)
    });
    assert!(hit, "no interrupt came while the file was written");
}

#[test]
fn d14_what_waits_for_its_script_ends_at_the_first_signal() {
    let folder = Folder::new();
    let mut child = shell::command(folder.path(), &["run", "-"]).stdin(Stdio::piped()).spawn().expect("it starts");
    shell::handles(&mut child, libc::SIGINT);
    std::thread::sleep(Duration::from_millis(300));
    // SAFETY: the process is our own child, which is not waited for yet.
    unsafe { libc::kill(child.id() as libc::pid_t, libc::SIGINT) };
    assert_eq!(child.wait().expect("it ends").code(), Some(130));
}
