//! Faults of memory and time: operands that share their memory with each other and with an output (B07), clocks and
//! times of files (D21), code that is freed while it is used (D24).

use crate::agree::{self, data::Random};
use crate::lab;
use crate::shell::Folder;
use arrlang::array::{Array, Buffer};
use arrlang::check::Settings;
use arrlang::exec::Engine;
use arrlang::io::ReadOptions;
use arrlang::types::DType;
use std::time::{Duration, SystemTime};

/// Texts over `x` and `y`, with elementwise results, reductions, and an input that is an output.
const TEXTS: [&str; 5] =
    ["x + y", "where(x > y, x, y) * 2 - x", "sum(x) + y", "x\ny + y", "minimum(x, y)\nmaximum(y, x)\nmax(x)"];

/// A view of `len` elements into `base`: from some place, forwards or backwards, at some distance.
fn window(random: &mut Random, base: &Array, len: usize) -> Array {
    let (size, reach) = (base.dtype().size(), base.len() - 1);
    let step = 1 + random.below((reach / (len - 1)).min(2));
    let from = random.below(reach - step * (len - 1) + 1);
    let stride = (step * size) as isize;
    match random.below(2) {
        0 => base.view(vec![len], vec![stride], from * size),
        _ => base.view(vec![len], vec![-stride], (from + step * (len - 1)) * size),
    }
}

/// Where an array's memory begins and ends.
fn place(array: &Array) -> (usize, usize) {
    let bytes = array.buffer().bytes().expect("memory of our own");
    (bytes.as_ptr() as usize, bytes.as_ptr() as usize + bytes.len())
}

#[test]
fn b07_operands_that_overlap_exactly_shifted_or_reversed() {
    let mut random = Random::new(7);
    let (mut compared, mut shared) = (0, 0);
    for round in 0..600 {
        let dtype = DType::ALL[round % DType::ALL.len()];
        if dtype.is_complex() {
            continue; // they have no order
        }
        let base = agree::data::array(&mut random, dtype, &[100]);
        let before = base.buffer().bytes().expect("memory of our own").to_vec();
        let len = [2, 3, 8, 17, 33][random.below(5)];
        let x = window(&mut random, &base, len);
        let y = if random.below(4) == 0 { x.clone() } else { window(&mut random, &base, len) };
        let own = |array: &Array| array.to_contiguous().expect("memory for a few elements");
        let apart = [("x".to_owned(), own(&x)), ("y".to_owned(), own(&y))];
        let together = [("x".to_owned(), x), ("y".to_owned(), y)];
        for text in TEXTS {
            let program = |inputs: &[(String, Array)]| agree::program(text, inputs, &Settings::default());
            // Sums and differences of truth values are refused.
            let (Some(apart), Some(together)) = (program(&apart), program(&together)) else { continue };
            let meaning = agree::run(&apart, Engine::Reference, agree::Verify::No);
            for engine in [Engine::Jit, Engine::Blocks] {
                let difference = agree::differ(&together, &meaning, engine, agree::Verify::No);
                assert_eq!(difference, None, "{text} {dtype}");
                for output in agree::run(&together, engine, agree::Verify::No).expect("it ran before") {
                    let ((begin, end), (low, high)) = (place(&output), place(&base));
                    let same = std::sync::Arc::ptr_eq(output.buffer(), base.buffer());
                    assert!(same || end <= low || high <= begin, "an output of its own, or the whole input");
                    shared += usize::from(same);
                }
                compared += 1;
            }
        }
        assert!(base.buffer().bytes() == Some(&before[..]), "no operand is written to");
    }
    println!("{compared} runs with operands in one buffer, {shared} outputs that are an input");
    assert!(compared > 3_000 && shared > 500, "{compared} {shared}");
}

#[test]
fn b07_an_output_file_over_its_own_input_in_another_order() {
    let folder = Folder::new();
    // Columns first, and large enough to be mapped: elements are read in another order than they are written.
    let (rows, columns) = (300usize, 400usize);
    let mut header = format!("{{'descr': '<i4', 'fortran_order': True, 'shape': ({rows}, {columns}), }}").into_bytes();
    header.resize(117, b' ');
    header.push(b'\n');
    let mut file = b"\x93NUMPY\x01\x00".to_vec();
    file.extend((header.len() as u16).to_le_bytes());
    file.extend(&header);
    file.extend((0..(rows * columns) as i32).flat_map(i32::to_le_bytes));
    folder.write("a.npy", &file);
    let ran = folder.arr(&["eval", "a * 10", "a=./a.npy", "-o", "a.npy"]);
    assert_eq!(ran.code, 0, "{}", ran.stderr);
    let (array, _) = arrlang::io::read(&folder.path().join("a.npy"), &ReadOptions::default()).expect("it can be read");
    let wanted: Vec<i32> = (0..rows * columns).map(|at| ((at % columns * rows + at / columns) * 10) as i32).collect();
    assert_eq!((array.shape(), array.to_vec::<i32>()), ([rows, columns].as_slice(), wanted));
}

#[test]
fn d21_times_are_never_negative_and_files_may_be_of_any_year() {
    let folder = Folder::new();
    let ran = folder.arr(&["eval", "sum(sqrt(arange(1000)))", "-v"]);
    let line = ran.stderr.lines().find(|line| line.starts_with("parse ")).expect("a line with times");
    let times: Vec<f64> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
    assert!(times.len() == 5 && times.iter().all(|&time| (0.0..60_000.0).contains(&time)), "{line}");
    // Durations come from a clock that does not go backwards; the other one is asked for nothing.
    let mut folders = vec![lab::root("src")];
    while let Some(path) = folders.pop() {
        match std::fs::read_dir(&path) {
            Ok(entries) => folders.extend(entries.flatten().map(|entry| entry.path())),
            Err(_) => {
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let test = path.to_string_lossy().contains("/tests");
                assert!(test || !text.contains("SystemTime"), "{} asks for the time of day", path.display());
            }
        }
    }
    // Before 1970, after 2038 and after 2106.
    let epoch = SystemTime::UNIX_EPOCH;
    let after = |seconds: u64| epoch + Duration::from_secs(seconds);
    let times = [epoch - Duration::from_secs(1_000_000_000), after(1 << 31), after((1 << 32) + 1)];
    let bytes = agree::data::array(&mut Random::new(1), DType::F32, &[8]);
    let save = folder.path().join("a.npy");
    arrlang::io::write(&arrlang::io::prepare(&save).expect("a new file"), &bytes).expect("it is written");
    for time in times {
        let file = std::fs::File::options().write(true).open(&save).expect("our own file");
        file.set_times(std::fs::FileTimes::new().set_modified(time)).expect("our own file");
        let ran = folder.arr(&["eval", "sum(a) == sum(a)", "a=./a.npy"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""));
    }
}

#[test]
fn d24_code_that_others_free_stays_while_it_runs() {
    // More loops than the cache keeps, in several threads: each drives out what the others have just compiled, and
    // results outlive the program, its inputs and its code.
    let work = |thread: usize| {
        let mut kept: Vec<(usize, Array)> = Vec::new();
        for round in 0..500 {
            let k = round * 4 + if round % 3 == 0 { 0 } else { thread };
            let inputs = [("x".to_owned(), Array::from_elements(&[5], &[1i64, 2, 3, 4, 5]))];
            let text = format!("x * {} + {k}", 7_000_000 + k);
            let program = agree::program(&text, &inputs, &Settings::default()).expect("a program");
            kept.extend(
                agree::run(&program, Engine::Jit, agree::Verify::No).expect("it runs").into_iter().map(|it| (k, it)),
            );
        }
        kept
    };
    let threads: Vec<_> = (0..4).map(|thread| std::thread::spawn(move || work(thread))).collect();
    for (k, array) in threads.into_iter().flat_map(|thread| thread.join().expect("no thread panics")) {
        let wanted: Vec<i64> = (1..=5).map(|x| x * (7_000_000 + k as i64) + k as i64).collect();
        assert_eq!(array.to_vec::<i64>(), wanted);
        let owners = std::sync::Arc::strong_count(array.buffer());
        assert!(owners == 1 && matches!(**array.buffer(), Buffer::Owned(_)), "{owners} owners");
    }
}
