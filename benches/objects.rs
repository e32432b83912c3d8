//! What `arr build` makes beside runs of the same kernels, on one thread: `cargo bench --bench objects [-- FILTER]`.
//!
//! Each kernel of `benches/kernels` is built for all lengths, linked by `cc`, loaded into this process, and called in
//! turns with a run of the library over the same arrays. A time is the least of many short turns: what else goes on in
//! the machine makes some longer, none shorter. Results are compared bit for bit first.
#![expect(unsafe_code, reason = "a library is called as other programs call it")]
#![expect(clippy::print_stdout, reason = "its results")]

#[path = "common/mod.rs"]
mod common;

use arrlang::array::Array;
use arrlang::exec::jit::object;
use arrlang::exec::machine::level;
use arrlang::exec::{self, Options};
use common::{Bench, KERNELS};
use std::ffi::{CString, c_void};
use std::num::NonZeroUsize;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;
use std::time::{Duration, Instant};

const TURNS: usize = 600;
/// How long a turn is.
const TURN: Duration = Duration::from_micros(300);

/// An array as the header describes it.
#[repr(C)]
struct Described {
    data: *const u8,
    shape: *const i64,
    strides: *const i64,
}

/// Results begin where a line of caches does, as those of runs do.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([u8; 64]);

type P = *const c_void;
type Function = unsafe extern "C" fn(P, P, P, P, P, P, P, P) -> i64;

/// A function of eight words in a library that stays loaded.
fn symbol(library: *mut c_void, name: &str) -> Function {
    let name = CString::new(name).expect("no NUL");
    // SAFETY: the library is loaded; more arguments than a function takes do no harm.
    unsafe { std::mem::transmute::<*mut c_void, Function>(libc::dlsym(library, name.as_ptr())) }
}

fn loaded(object: &[u8]) -> *mut c_void {
    let folder = tempfile::tempdir().expect("a folder");
    let (from, to) = (folder.path().join("code.o"), folder.path().join("code.so"));
    std::fs::write(&from, object).expect("written");
    let linked = Command::new("cc").arg("-shared").arg("-o").arg(&to).arg(&from).status().expect("cc runs");
    assert!(linked.success());
    let name = CString::new(to.as_os_str().as_bytes()).expect("no NUL");
    // SAFETY: what it runs when it is loaded asks the processor what it is.
    let library = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
    assert!(!library.is_null());
    library
}

/// Calls in a turn, and the time of each.
fn turn(count: usize, mut call: impl FnMut()) -> f64 {
    let started = Instant::now();
    (0..count).for_each(|_| call());
    started.elapsed().as_secs_f64() / count as f64
}

/// What one kernel takes: a run, a call, and the bytes of the object.
fn compare(bench: &Bench, n: usize) -> (f64, f64, usize) {
    let options = Options { threads: NonZeroUsize::new(1), ..Options::default() };
    let (program, open) = (bench.program(n), bench.open());
    let size = object::build(&[("f", &open)], None, Some(level().name())).expect("it is built").object.len();
    let built = object::build(&[("f", &open)], None, None).expect("it is built");
    let library = loaded(&built.object);
    let like = exec::run(&program, &options).expect("it runs");
    let inputs: Vec<&Array> = program.inputs.iter().map(|input| input.value.as_ref().expect("it has data")).collect();
    let lengths = |array: &Array| array.shape().iter().map(|&size| size as i64).collect::<Vec<i64>>();
    let line = |array: &Array| vec![Line([0; 64]); (array.len() * array.dtype().size()).div_ceil(64)];
    let mut made: Vec<Vec<Line>> = like.iter().map(line).collect();
    let shapes: Vec<Vec<i64>> = inputs.iter().map(|array| lengths(array)).chain(like.iter().map(lengths)).collect();
    let places =
        inputs.iter().map(|array| array.pointer()).chain(made.iter_mut().map(|bytes| bytes.as_mut_ptr() as *const u8));
    let described: Vec<Described> = (places.zip(&shapes))
        .map(|(data, shape)| Described { data, shape: shape.as_ptr(), strides: std::ptr::null() })
        .collect();
    let mut arguments = [std::ptr::null::<c_void>(); 8];
    arguments.iter_mut().zip(&described).for_each(|(to, one)| *to = std::ptr::from_ref(one).cast());
    let call = |function: Function, [a, b, c, d, e, f, g, h]: [P; 8]| {
        // SAFETY: the arguments are those of the header.
        unsafe { function(a, b, c, d, e, f, g, h) }
    };
    let need = call(symbol(library, "f_scratch"), arguments);
    let mut scratch = vec![0u8; usize::try_from(need).expect("no code of a failure")];
    arguments[described.len()] = scratch.as_mut_ptr() as P;
    let function = symbol(library, "f");
    assert_eq!(call(function, arguments) as i32, 0);
    for (made, like) in made.iter().zip(&like) {
        let bytes = made.iter().flat_map(|line| line.0).collect::<Vec<u8>>();
        let size = like.dtype().size();
        for (index, element) in bytes.chunks_exact(size).take(like.len()).enumerate() {
            assert_eq!(element, &like.get(index).bits.to_le_bytes()[..size], "{bench} element {index}");
        }
    }
    let run = || drop(exec::run(&program, &options).expect("it runs"));
    let object = || assert_eq!(call(function, arguments) as i32, 0);
    let count = |once: f64| (TURN.as_secs_f64() / once).ceil() as usize;
    let counts = [count(turn(5, run)), count(turn(5, object))];
    let turns: Vec<[f64; 2]> = (0..TURNS).map(|_| [turn(counts[0], run), turn(counts[1], object)]).collect();
    let least = |which: usize| turns.iter().map(|turn| turn[which]).fold(f64::INFINITY, f64::min);
    (least(0), least(1), size)
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|argument| argument != "--bench").collect();
    println!("| kernel at 1e5 elements | run, us | object, us | object / run | bytes at {} |", level());
    println!("| --- | ---: | ---: | ---: | ---: |");
    for bench in KERNELS {
        let name = bench.to_string();
        if arguments.iter().all(|wanted| name.contains(wanted.as_str())) {
            let (run, object, size) = compare(bench, 100_000);
            let ratio = object / run;
            println!("| {name} | {:.1} | {:.1} | {ratio:.2} | {size} |", run * 1e6, object * 1e6);
        }
    }
}
