//! Loops that are long, large, or go wrong in the middle.

use crate::agree::program;
use crate::lab;
use arrlang::check::Settings;
use arrlang::exec::{Engine, Options, RunError, run};
use arrlang::promotion::verdict::Mode;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

static SAID: AtomicBool = AtomicBool::new(false);

fn told(text: &str) {
    assert!(text.contains("of 1099511627776 steps") && text.contains("Ctrl-C stops it"), "{text}");
    SAID.store(true, Ordering::Relaxed);
}

#[test]
fn e65_a_loop_of_two_to_the_forty_steps_says_how_long_it_takes_and_stops() {
    let program = program("repeat 1 << 40 with x = 1.5 { x * 1.0000001 }", &[], &Settings::default()).unwrap();
    let stop = AtomicBool::new(false);
    let stopped = std::thread::scope(|scope| {
        let asked = scope.spawn(|| {
            let begun = Instant::now();
            while !SAID.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_mins(1) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
            Instant::now()
        });
        let options = Options { interrupt: Some(&stop), on_progress: Some(told), ..Options::default() };
        assert_eq!(run(&program, &options).unwrap_err(), RunError::Interrupted);
        let ended = Instant::now();
        ended - asked.join().unwrap()
    });
    assert!(SAID.load(Ordering::Relaxed), "nothing was said");
    // A loaded machine may need longer than the tenth of a second that it takes alone.
    assert!(stopped < Duration::from_secs(1), "{stopped:?}");
}

static SAID_WITHIN: AtomicBool = AtomicBool::new(false);

fn told_within(text: &str) {
    SAID_WITHIN.fetch_or(text.contains("of 1099511627775 steps"), Ordering::Relaxed);
}

#[test]
fn e65_a_loop_within_the_first_step_of_another_says_how_long_it_takes() {
    let text = "repeat 1 << 40 with x = ones(9) { repeat (1 << 40) - 1 while sum(z) > 0 with z = x { z / sum(z) } }";
    let program = program(text, &[], &Settings::default()).unwrap();
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let begun = Instant::now();
            while !SAID_WITHIN.load(Ordering::Relaxed) && begun.elapsed() < Duration::from_mins(1) {
                std::thread::sleep(Duration::from_millis(5));
            }
            stop.store(true, Ordering::Relaxed);
        });
        let options = Options { interrupt: Some(&stop), on_progress: Some(told_within), ..Options::default() };
        assert_eq!(run(&program, &options).unwrap_err(), RunError::Interrupted);
    });
    assert!(SAID_WITHIN.load(Ordering::Relaxed), "nothing was said");
}

#[test]
fn e66_many_steps_hold_no_more_memory_than_ten() {
    let text = |steps: usize| {
        format!(
            "let (x, y) = repeat {steps} with x = zeros(1000), y = ones(1000) {{ (x + y, y[::-1]) }}\noutput a = x\n\
             output b = y\noutput c = scan z = zeros({steps}) with s = zeros(1000) {{ (s + z + 1, sum(s)) }}"
        )
    };
    let needs = |steps: usize, limit: usize| {
        let program = program(&text(steps), &[], &Settings::default()).unwrap();
        let options = Options { engine: Engine::Jit, max_memory: Some(limit), ..Options::default() };
        run(&program, &options)
    };
    let least = (8..512).map(|kib| kib << 10).find(|&limit| needs(10, limit).is_ok()).unwrap();
    // The rows of the scan, and the array that it goes through.
    let steps = 3_000;
    let more = 2 * 8 * steps;
    let found = needs(steps, least + more).unwrap();
    assert_eq!(found[0].to_vec::<f64>()[..2], [steps as f64; 2]);
}

#[test]
fn e66_elements_that_go_through_many_steps_alone_hold_no_more_memory() {
    let run_within = |steps: usize, limit: usize| {
        let text = format!(
            "let (x, n) = repeat {steps} with x = zeros(1000), n = 0 {{ (x*0.5 + 1, n + 1) }}\noutput a = x\noutput b = n"
        );
        let program = program(&text, &[], &Settings::default()).unwrap();
        run(&program, &Options { max_memory: Some(limit), ..Options::default() })
    };
    let least = (8..512).map(|kib| kib << 10).find(|&limit| run_within(100_000, limit).is_ok()).unwrap();
    assert_eq!(run_within(1_000_000, least).unwrap()[1].to_vec::<i64>(), [1_000_000]);
}

#[test]
fn e65_elements_that_go_on_and_on_are_stopped() {
    for text in [
        "repeat 1 << 40 while x != 3 with x = arange(100.0) + 0.5 { 0.5*x + 1 }",
        "repeat 1 << 50 with x = 1, y = 2 { (y, x + y) }",
        "scan x = zeros((200000, 400), dtype=i8) with s = ones(400) { (sin(cos(sin(cos(sin(cos(sin(cos(s)))))))) + f64(x), x) }",
    ] {
        let program = program(text, &[], &Settings::default()).unwrap();
        let stopped = || {
            let stop = AtomicBool::new(false);
            std::thread::scope(|scope| {
                let asked = scope.spawn(|| {
                    std::thread::sleep(Duration::from_millis(100));
                    stop.store(true, Ordering::Relaxed);
                    Instant::now()
                });
                // On one thread the shortest of them takes most of a second on a fast machine.
                let options = Options { interrupt: Some(&stop), threads: NonZeroUsize::new(1), ..Options::default() };
                assert_eq!(run(&program, &options).map(|_| ()), Err(RunError::Interrupted), "{text}");
                let ended = Instant::now();
                ended - asked.join().unwrap()
            })
        };
        // A loaded machine may need longer than the tenth of a second that is promised, but not each time.
        assert!((0..9).any(|_| stopped() < Duration::from_millis(100)), "{text}");
    }
}

#[test]
fn e67_elements_that_are_done_are_at_no_fault() {
    let text = "output n = repeat 20 while x < [100i8, 50, 3] with x = [1i8, 2, 3] { x + x }";
    let checked = Settings { checked: true, ..Settings::default() };
    // The first ends at 127 or below only if it stops in time: 64 + 64 does not fit.
    for engine in [Engine::Jit, Engine::Reference] {
        let options = Options { engine, ..Options::default() };
        let program = program(text, &[], &checked).unwrap();
        assert!(matches!(run(&program, &options), Err(RunError::Step(_))));
        let text = text.replace("100i8", "64i8");
        let program = crate::agree::program(&text, &[], &checked).unwrap();
        assert_eq!(run(&program, &options).unwrap()[0].to_vec::<i8>(), [64, 64, 3]);
    }
}

#[test]
fn e67_a_step_at_fault_says_so_before_a_long_loop_within() {
    let text = "let a = arange(10)\nrepeat 1000 as t with s = 0 {\n  let k = a[t + 10]\n  \
                let w = repeat 1 << 40 as j with q = k { q + a[j % 10] % 3 }\n  s + w\n}";
    let program = program(text, &[], &Settings::default()).unwrap();
    let options = Options { on_progress: Some(|text| panic!("{text}")), ..Options::default() };
    assert!(matches!(run(&program, &options), Err(RunError::Step(_))));
}

/// The helps and the notes of all that is found in a program.
fn said(text: &str) -> String {
    let reply = lab::run(text, Mode::All);
    let helps = reply.diagnostics.iter().flat_map(|found| found.helps.iter().map(|help| help.text.clone()));
    let notes = reply.diagnostics.iter().flat_map(|found| found.notes.clone());
    helps.chain(notes).collect::<Vec<String>>().join("\n")
}

#[test]
fn advice_about_loops_can_be_followed() {
    let (x, bytes) = ("let x = [1.0, 2.0]\n", "let x = u8([1, 2, 3])\n");
    for (text, wanted) in [
        ("repeat 2 with q = 1f32 { q + ones((2, 3), f32) }".to_owned(), "`q = full((2, 3), 1f32)`"),
        ("repeat 2 with q = 0f32 { q + ones((2, 3), f32) }".to_owned(), "`q = zeros((2, 3), dtype=f32)`"),
        (format!("{x}repeat 2 with q = x {{ q + ones((3, 2)) }}"), "`q = broadcast_to(x, (3, 2))`"),
        (
            "repeat 3 as t with s = zeros(3, u8) { var y = s; y[t] = t + 255; y }".to_owned(),
            "it lies in [255, 257], and u8 holds 0 to 255",
        ),
        (format!("{x}scan x {{ (x, x) }}"), "`scan x with s = 0 { (s + x, s + x) }`"),
        ("repeat 2 with z = 0u8 { repeat 3 with s = z { s + 200u8 } }".to_owned(), "begin it in a wider one"),
        (
            format!("{x}repeat 5 as t with s = 0.0 {{ repeat 3 as j with s = s {{ s + x[t + j] }} }}"),
            "in step 2 of the loop over `j`, counted from 0\nin step 0 of the loop over `t`",
        ),
    ] {
        let found = said(&text);
        assert!(found.contains(wanted), "{text}: {found}");
    }
    for (text, unwanted) in [
        ("repeat 2 with a = 1 { [a, a] }".to_owned(), "begin with that shape"),
        ("repeat 3 with s = random.key(3) { random.split(s) }".to_owned(), "begin with that shape"),
        (format!("{bytes}repeat 3 as t with s = x {{ var y = s; y[t] += 255; y }}"), "+= 255)"),
        ("repeat 300 as t with s = 0u8 { u8(t) }".to_owned(), "u8(u8("),
        ("var y = zeros(3, u8)\ny[0] = 300".to_owned(), "the other operand"),
    ] {
        let found = said(&text);
        assert!(!found.contains(unwanted), "{text}: {found}");
    }
}

#[test]
fn many_loops_are_checked_one_after_the_other() {
    let key = "let key = random.key(1)";
    for (head, line) in [
        ("input x: f64[n]", "repeat 9 with s = 0.0 { s + sum(x[x > s])*N }"),
        ("input x: f64[n]", "sum(x[x > N])"),
        (key, "repeat 9 as t with s = 0.0 { s + random.uniform(random.fold_in(key, 10*t + N), (), f64) }"),
    ] {
        let lines: Vec<String> = (0..500).map(|number| line.replace('N', &number.to_string())).collect();
        let begun = Instant::now();
        let (_, prepared) = lab::check(&format!("{head}\n{}", lines.join("\n")), Mode::All);
        assert!(prepared.diagnostics.iter().next().is_none(), "{line}");
        // What each loop looks for in the whole program takes minutes.
        assert!(begun.elapsed() < Duration::from_secs(30), "{line}: {:?}", begun.elapsed());
    }
}
