//! Objects from programs, linked by `cc`, beside the reference.
#![expect(unsafe_code, reason = "a library is called as other programs call it")]

mod elsewhere;
mod many;

use super::{BuildRefusal, build};
use crate::array::Array;
use crate::exec::machine::Level;
use crate::exec::tests::Random;
use crate::exec::tests::random::random_program;
use crate::exec::{Engine, Options, RunError, run};
use crate::ir::Program;
use crate::scalar::Scalar;
use crate::session::{Input, Session};
use std::ffi::{CString, c_void};
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// An input or an output, as the header has them; outputs have no strides.
#[repr(C)]
struct DescribedArray {
    data: *const u8,
    shape: *const i64,
    strides: *const i64,
}

/// A shared library that stays loaded.
struct Library(*mut c_void);

impl Library {
    /// Builds and loads a library of some programs, by their names.
    fn new(programs: &[(&str, &Program)], cpu: Option<&str>) -> Library {
        let built = build(programs, None, cpu).unwrap_or_else(|refused| panic!("{}", refused.reason));
        let folder = tempfile::tempdir().unwrap();
        let (object, library) = (folder.path().join("code.o"), folder.path().join("code.so"));
        std::fs::write(&object, built.object).unwrap();
        let linked = Command::new("cc").arg("-shared").arg("-o").arg(&library).arg(&object).output().unwrap();
        assert!(linked.status.success(), "{}", String::from_utf8_lossy(&linked.stderr));
        let name = CString::new(library.as_os_str().as_bytes()).unwrap();
        // SAFETY: the library runs no code when it is loaded.
        let loaded = unsafe { libc::dlopen(name.as_ptr(), libc::RTLD_NOW) };
        assert!(!loaded.is_null());
        Library(loaded)
    }

    fn symbol(&self, name: &str) -> *mut c_void {
        let name = CString::new(name).unwrap();
        // SAFETY: the library is loaded, and the name ends in a NUL.
        let symbol = unsafe { libc::dlsym(self.0, name.as_ptr()) };
        assert!(!symbol.is_null(), "{name:?}");
        symbol
    }

    /// Calls a function with addresses, at most sixteen.
    fn call(&self, name: &str, arguments: &[*const c_void]) -> i64 {
        type P = *const c_void;
        type Sixteen = unsafe extern "C" fn(P, P, P, P, P, P, P, P, P, P, P, P, P, P, P, P) -> i64;
        let mut all = [std::ptr::null(); 16];
        all[..arguments.len()].copy_from_slice(arguments);
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = all;
        // SAFETY: more arguments than a function takes do no harm in this calling convention.
        unsafe {
            let function = std::mem::transmute::<*mut c_void, Sixteen>(self.symbol(name));
            function(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p)
        }
    }

    /// Runs a program over its inputs. Returns the outputs, or the code of what went wrong.
    fn run(&self, name: &str, inputs: &[Array], outputs: &[Array]) -> Result<Vec<Array>, i64> {
        let lengths = |array: &Array| array.shape().iter().map(|&size| size as i64).collect::<Vec<i64>>();
        let shapes: Vec<Vec<i64>> = inputs.iter().map(lengths).collect();
        let strides: Vec<Vec<i64>> =
            inputs.iter().map(|array| array.strides().iter().map(|&stride| stride as i64).collect()).collect();
        let describe = |at: usize| DescribedArray {
            data: inputs[at].pointer(),
            shape: shapes[at].as_ptr(),
            strides: strides[at].as_ptr(),
        };
        let described: Vec<DescribedArray> = (0..inputs.len()).map(describe).collect();
        let results: Vec<Vec<i64>> = outputs.iter().map(lengths).collect();
        let mut made: Vec<Vec<u8>> =
            outputs.iter().map(|array| vec![0xa5; array.len() * array.dtype().size() + 16]).collect();
        let given: Vec<DescribedArray> = (made.iter_mut().zip(&results))
            .map(|(bytes, shape)| DescribedArray {
                data: bytes.as_mut_ptr(),
                shape: shape.as_ptr(),
                strides: std::ptr::null(),
            })
            .collect();
        let of = |described: &DescribedArray| std::ptr::from_ref(described).cast::<c_void>();
        let ins: Vec<*const c_void> = described.iter().map(of).collect();
        let outs: Vec<*const c_void> = given.iter().map(of).collect();
        let mut told: Vec<Vec<i64>> = results.iter().map(|shape| vec![-1; shape.len() + 1]).collect();
        let shapes: Vec<*const c_void> = told.iter_mut().map(|shape| shape.as_mut_ptr() as *const c_void).collect();
        let code = self.call(&format!("{name}_shape"), &[ins.clone(), shapes].concat()) as i32;
        if code != 0 {
            return Err(code.into());
        }
        for (told, shape) in told.iter().zip(&results) {
            assert_eq!(told[..shape.len()], shape[..], "{name}");
        }
        let bytes = self.call(&format!("{name}_scratch"), &ins);
        assert!(bytes >= 0, "{name} {bytes}");
        let mut scratch = vec![0x5au8; bytes as usize + 32];
        let scratch_at = [scratch.as_mut_ptr() as *const c_void];
        let code = self.call(name, &[ins, outs, scratch_at.to_vec()].concat()) as i32;
        assert!(scratch[bytes as usize..].iter().all(|&byte| byte == 0x5a), "{name} writes beyond its scratch");
        if code != 0 {
            return Err(code.into());
        }
        let arrays = made.into_iter().zip(outputs).map(|(bytes, like)| {
            let (bytes, beyond) = bytes.split_at(like.len() * like.dtype().size());
            assert!(beyond.iter().all(|&byte| byte == 0xa5), "{name} writes beyond an output");
            array_of(bytes, like)
        });
        Ok(arrays.collect())
    }
}

/// The levels of `--cpu` that run here, and none, which is for all processors.
fn levels() -> Vec<Option<&'static str>> {
    let levels = Level::ALL.into_iter().filter(|level| level.vector_bits() > 0 && level.runs_here());
    std::iter::once(None).chain(levels.map(|level| Some(level.name()))).collect()
}

/// A program as an object has it: without data.
fn without_data(program: &Program) -> Program {
    let mut program = program.clone();
    program.inputs.iter_mut().for_each(|input| input.value = None);
    program
}

/// What the reference makes of a program, and outputs of the same shapes.
type ExpectedResults = (Result<Vec<Array>, RunError>, Vec<Array>);

/// What the reference makes of a program, and outputs of the same shapes. `None` if these shapes are not known.
fn expected(program: &Program) -> Option<ExpectedResults> {
    let reference = run(program, &Options { engine: Engine::Reference, ..Options::default() });
    let like = match &reference {
        Ok(arrays) => arrays.clone(),
        Err(_) => {
            let unchecked = Program { checks: Vec::new(), ..program.clone() };
            run(&unchecked, &Options::default()).ok()?
        }
    };
    Some((reference, like))
}

fn inputs(program: &Program) -> Vec<Array> {
    program.inputs.iter().map(|input| input.value.clone().unwrap()).collect()
}

/// Runs a program in a library and by the reference.
fn agree(library: &Library, name: &str, program: &Program) {
    if let Some((reference, like)) = expected(program) {
        compare(name, library.run(name, &inputs(program), &like), reference);
    }
}

fn compare(name: &str, ours: Result<Vec<Array>, i64>, reference: Result<Vec<Array>, RunError>) {
    match (ours, reference) {
        (Ok(ours), Ok(theirs)) => {
            for (at, (ours, theirs)) in ours.iter().zip(&theirs).enumerate() {
                for index in 0..ours.len() {
                    let (a, b) = (ours.get(index), theirs.get(index));
                    assert!(a.same(b), "{name} output {at} element {index}: {a:?} is not {b:?}");
                }
            }
        }
        (Err(code), Err(RunError::CheckFailed { check, .. })) => assert_eq!(code, 16 + check as i64, "{name}"),
        (Err(16..), Err(RunError::Step(_))) => {}
        (Err(3), Err(RunError::EmptyReduction { .. })) | (Err(1), Err(RunError::TooShort { .. })) => {}
        (ours, theirs) => panic!("{name}: {:?} and {:?}", ours.map(|_| ()), theirs.map(|_| ())),
    }
}

/// An output from its bytes.
fn array_of(bytes: &[u8], like: &Array) -> Array {
    let size = like.dtype().size();
    let scalars = bytes.chunks_exact(size).map(|element| {
        let mut bits = [0; 16];
        bits[..size].copy_from_slice(element);
        Scalar { dtype: like.dtype(), bits: u128::from_le_bytes(bits) }
    });
    Array::from_scalars(like.dtype(), like.shape(), scalars)
}

/// A program with its data, and as it is built.
struct Case {
    name: String,
    alone: Program,
    program: Program,
}

/// Cases of some random programs, those that can be built.
fn random_cases(seeds: std::ops::Range<u64>) -> Vec<Case> {
    let case = |seed: u64| {
        let mut random = Random::new(seed + 1);
        let size = 2 + random.below(25);
        let program = random_program(&mut random, size);
        let alone = without_data(&program);
        match build(&[("p", &alone)], None, Some("sse")) {
            Ok(_) => Some(Case { name: format!("p{seed}"), alone, program }),
            Err(refused) => {
                let is_known = matches!(refused.reason, BuildRefusal::Prim { .. } | BuildRefusal::Conversion { .. });
                assert!(is_known, "{seed}: {}", refused.reason);
                None
            }
        }
    };
    seeds.filter_map(case).collect()
}

/// The scripts, named by a letter and their number, each with inputs of several lengths.
fn script_cases(letter: char, scripts: &[&str], lengths: &[(u64, u64)]) -> Vec<(String, Program, Vec<Program>)> {
    let mut random = Random::new(7);
    let case = |(number, script): (usize, &&str)| {
        let mut session = Session::default();
        let prepared = session.check(&Input::new("<test>", script));
        let program = prepared.checked.program.unwrap_or_else(|| panic!("{script}\n{:?}", prepared.diagnostics));
        let mut bind = |&(n, m): &(u64, u64)| {
            let mut bound = program.clone();
            for (symbol, size) in [("n", n), ("m", m)] {
                bound.equate(symbol, &crate::types::Dim::Const(size));
            }
            for index in 0..bound.inputs.len() {
                let node = bound.nodes.iter().find(|it| it.kind == crate::ir::NodeKind::Input(index as u32)).unwrap();
                let sizes = crate::types::shape::sizes(&node.shape).unwrap();
                let array = crate::exec::tests::random_array(&mut random, node.dtype, &sizes);
                bound.inputs[index].value = Some(array);
            }
            bound
        };
        let bound = lengths.iter().map(&mut bind).collect();
        (format!("{letter}{number}"), program, bound)
    };
    scripts.iter().enumerate().map(case).collect()
}

#[test]
fn random_programs_in_objects_agree() {
    // More random programs run in programs of their own, with guard pages.
    let cases = random_cases(0..60);
    let named: Vec<(&str, &Program)> = cases.iter().map(|case| (case.name.as_str(), &case.alone)).collect();
    for cpu in levels() {
        let library = Library::new(&named, cpu);
        cases.iter().for_each(|case| agree(&library, &case.name, &case.program));
    }
}

/// Loops that compute numbers and put some in states. The last ones end in a fault, at most lengths.
pub(super) const NUMBERS: [&str; 16] = [
    "input a: i64[n]\ninput b: i64[m]\noutput d = repeat n as i with d = arange(n + 1)[:, None] + arange(m + 1) {\n\
     repeat m as j with d = d { let change = where(a[i] == b[j], 0, 1)\n var d = d\n\
     d[i+1, j+1] = minimum(minimum(d[i, j+1], d[i+1, j]) + 1, d[i, j] + change)\n d } }",
    "input x: i64[n]\noutput c = repeat n as i with c = zeros(n, dtype=i64) {\n\
     let (v, k) = repeat 50 while v != 1 with v = x[i] % 1000, k = 0 { (where(v % 2 == 0, v // 2, 3*v + 1), k + 1) }\n\
     var c = c\n c[i] = k\n c }",
    "input x: i64[n]\noutput t = repeat n - 1 as down with t = zeros((n, n), dtype=i64) { let i = n - 2 - down\n\
     repeat n - 1 - i as right with t = t { let j = i + 1 + right\n var t = t\n\
     t[i, j] = maximum(t[i, j-1], t[i+1, j] + x[j] % 3)\n\
     repeat j - i - 1 as s with t = t { let k = i + 1 + s\n var t = t\n t[i, j] = maximum(t[i, j], t[i, k] + t[k+1, j])\n t } } }",
    "input x: f32[n]\noutput y = repeat 2*n as t with s = x { var s = s\n s[t % n] = s[(t + 1) % n] * f32(0.5) + s[0]\n s }",
    "input x: f64[n]\ninput y: f64[n]\nlet (a, b) = repeat 40 as t with a = x, b = y { let u = a[t % n]\n var a = a\n var b = b\n\
     a[t % n] = minimum(b[0], -u)\n b[t % n] = u\n (a, b) }\noutput a\noutput b",
    "input x: i8[n]\ninput y: i8[n]\noutput z = repeat 33 as t with s = x { var s = s\n\
     s[t % n] = s[(t + 1) % n] // y[t % n] - y[0] % s[t % n]\n s }",
    "input x: u16[n]\noutput z = repeat 50 as t with s = x { var s = s\n s[t % n] = (s[(t + 3) % n] >> u16(t % 5)) + s[0]**3\n s }",
    "input x: f64[n, m]\noutput y = repeat n as i with y = x { repeat m as j with y = y { var y = y\n\
     y[i, j] = y[j % n, i % m] + 1.0\n y } }",
    "input x: i64[n]\nlet (s, p) = repeat n as i while s < 5000 with s = 0, p = x[0] { (s + x[::-1][i] % 100, p + 1) }\noutput s\noutput p",
    "input x: f64[n]\noutput y = repeat n as i with b = x > 0 { var b = b\n b[i] = not b[n - 1 - i]\n b }",
    "input x: f32[n]\nlet (a, s) = repeat 20 as t with a = f64(x), s = 0.0 { var a = a\n\
     a[t % n] = floor(a[t % n]) + sqrt(abs(s))\n (a, s + a[0]) }\noutput a\noutput s",
    "input x: f64[n]\noutput y = repeat n as i with y = x { var y = y\n y[i] = (x[1:] - x[:-1])[i % (n - 1)]\n y }",
    "input x: i32[n, m]\noutput y = repeat m as j with y = x { var y = y\n y[-1, j] = y[0, m - 1 - j] + x.T[j, 0]\n y }",
    "input x: i64[n]\noutput y = repeat n + 1 as i with y = x { var y = y\n y[0] = y[i] + 1\n y }",
    "input x: f64[n]\noutput y = repeat n as i with y = x { assert y[i] < 1e300\n var y = y\n y[i] = y[i] * 1e200 * 1e200\n y }",
    "input x: i64[n]\noutput y = repeat 30 as i with y = x { var y = y\n repeat 30 as j with y = y { var y = y\n y[x[j % n] % 7] = i\n y } }",
];

/// Scripts whose lengths are names, with inputs of some sizes.
const SCRIPTS: [&str; 18] = [
    "input x: f32[n]\noutput y = 2*x + 1",
    "input x: f32[n, m]\noutput z = (x - mean(x, axis=0)) / std(x, axis=0)\noutput t = sum(x)",
    "input x: f64[n]\noutput y = sin(x) + cos(2*x) * tan(x)\noutput m = mean(y)",
    "input x: f64[n]\noutput y = x[1:] - x[:-1]\noutput z = x[::-1] + x[::2][0]",
    "input x: f16[n]\ninput y: f16[n]\noutput s = sum(x*y)\noutput c = cumsum(x)",
    "input x: i32[n, m]\noutput a = x.T\noutput b = sum(x, axis=1)\noutput c = max(x, axis=0)",
    "input x: u8[n]\noutput y = x // 3 + x % 7\noutput s = sum(x)",
    "input x: f32[n, 3]\ninput w: f32[3]\noutput y = sum(x * w, axis=1)\noutput best = argmax(x, axis=0)",
    "input x: c64[n]\noutput y = x*x\noutput s = sum(x)\noutput a = abs(x)",
    "input x: i64[n]\ninput y: i64[n]\noutput q = x // y\noutput r = x % y",
    "input x: f64[n]\ninput y: f64[n]\noutput q = x // y\noutput r = x % y\noutput p = x ** y",
    "input x: f32[n, m]\noutput e = exp(x - max(x, axis=1, keepdims=true))\noutput s = cumsum(x, axis=0)",
    "input x: bf16[n]\noutput y = x * 1.5\noutput h = x > 0",
    "input x: f64[n] in [0, 1]\noutput y = sqrt(x)",
    "input x: f32[n]\ninput y: f32[n]\noutput d = sum(x*y)\noutput e = mean((x - y)**2)\noutput l = max(x)\noutput k = min(y)",
    "input x: f64[n, m]\noutput a = sum(exp(x), axis=1)\noutput b = min(x, axis=1)\noutput c = cumsum(x, axis=1)\noutput p = prod(x)",
    "input x: i16[n]\ninput y: i64[n]\noutput a = max(x)\noutput b = sum(y)\noutput c = min(y)\noutput d = cumsum(y)\noutput e = prod(x)",
    "input x: f32[n]\noutput t = sum(x * arange(shape(x)[0]))\noutput r = sum(x[::-1] * x)\noutput w = sum(sin(1000000*x))",
];

/// Lengths of inputs.
const LENGTHS: [(u64, u64); 9] =
    [(1, 1), (2, 3), (17, 5), (64, 1), (1000, 7), (1025, 3), (5000, 2), (3, 700), (1, 4500)];

/// Scripts with loops and routines.
const STAGED: [&str; 31] = [
    "input x: f64[n]\noutput y = repeat n // 3 as t with y = zeros(2) { y + x[t:t+3:2] }",
    "input x: f64[n]\noutput y = repeat n as i with y = x { var y = y\n\
     y[:-1] = where(arange(n - 1) == i, 1.0 + i, y[:-1])\n y }",
    "input x: f64[n]\noutput y = repeat 5 with s = x { s * 0.5 + x }\noutput z = y[::-1]",
    "input x: f64[n]\nlet (a, b) = repeat 9 while sum(a) > -1e3 with a = x, b = 0.0 { (a - abs(x) - 1.0, b + sum(a)) }\n\
     output a\noutput b",
    "input x: f64[n]\nlet (z, k) = repeat 20 while abs(z) < 4.0 with z = x, k = 0i32 { (z * z + x, k + 1i32) }\n\
     output z\noutput k",
    "input x: f32[n, m]\noutput y = scan x with s = zeros(m, dtype=f32) { let s = f32(0.5)*s + x\n (s, s) }",
    "input x: f32[n, m]\nlet (y, z) = scan x, t = -x along 1 reverse with s = x[:, 0] { let s = s + x\n (s, s, s * t) }\n\
     output y\noutput z",
    "input x: i64[n]\noutput t = repeat 3 with s = x { let (q, r) = repeat 4 with q = s, r = s { (q + x, q) }\n q - r }",
    "input x: f64[n, m]\nlet p = repeat 4 with p = x { var q = p\n q[0, :] = p[-1, :]\n q + 1 }\noutput p\noutput s = sum(p)",
    "input x: f32[n]\nlet a = repeat 6 with s = sum(x) { s * 0.9 + 1 }\noutput a\noutput b = a + x",
    "input x: i32[n]\noutput y = repeat 0 with s = x { s * 2 }\nlet (z, t) = repeat 1 with s = x, t = x { (t, s + 1) }\noutput z\noutput t",
    "input x: f64[n] in [-5, 5]\noutput y = repeat 3 with s = x { assert s < 50\n s * s }\noutput z = x + 1",
    "input x: f32[n]\noutput y = sort(x)\noutput p = argsort(x)\noutput m = median(x)",
    "input x: i16[n, m]\noutput y = sort(x, axis=0)\noutput p = argsort(x, axis=1)",
    "input x: c64[n]\noutput y = sort(x)\noutput p = argsort(x)",
    "input x: f16[n]\noutput y = sort(x)\noutput p = argsort(x[::-1])",
    "input x: f8_e4m3[n]\noutput y = sort(x)\noutput p = argsort(x)",
    "input x: u8[n]\noutput y = sort(x)\noutput u = sort(f64(x))[::2]",
    "input x: f64[n]\ninput v: f64[m]\noutput l = searchsorted(sort(x), v)\n\
     output r = searchsorted(sort(x), v, side=\"right\")",
    "input x: f32[n, m]\noutput p = x.T @ x\noutput q = x @ x.T\noutput v = x @ x[0]\noutput t = trace(x.T @ x)",
    "input x: i32[n, m]\ninput y: i32[m, n]\noutput p = x @ y\noutput b = (x > 0) @ (y > 0)",
    "input x: i8[n, m]\noutput p = x.T @ x\noutput o = outer(x[0], x[:, 0])",
    "input x: f64[3, n, m]\noutput p = einsum(\"bij,bkj->bik\", x, x)\noutput d = einsum(\"bij,bij->b\", x, x)",
    "input x: c64[n, m]\noutput p = x.T @ x\ninput h: f16[n, m]\noutput q = h.T @ h",
    "input j: i64[n]\ninput x: f64[n]\nlet k = j % 4\noutput s = segment_sum(x, k, 4)\noutput m = segment_max(x, k, 4)\n\
     output c = bincount(k, length=4)",
    "input x: f32[n]\ninput k: i64[n]\nlet at = clip(k, 0, n - 1)\noutput g = take(x, at)\nvar y = x\ny[at] = x * 2\noutput y",
    "input x: f16[n]\ninput k: i64[n] in [-2, 3]\noutput a = segment_sum(x, k, 4)\noutput b = segment_prod(x, k, 4)\n\
     output c = segment_min(x, k, 4)",
    "input x: f64[n]\noutput h = histogram(x, 5, range=(-3, 3))[0]\noutput q = quantile(x, 0.25)",
    "input x: f64[n]\ninput y: f64[m]\noutput a = max(sliding_window_view(x, 4), axis=-1)\noutput c = convolve(x, y)",
    "input x: i64[n]\ninput y: u64[n]\noutput a = f16(x)\noutput b = bf16(x >> 20)\noutput c = f16(y >> 50)\noutput d = bf16(y)",
    "input x: f64[n]\nlet s = repeat 3 with s = x { sort(s * 0.5 + x[::-1]) }\noutput s\noutput d = sort(s) - s",
];

#[test]
fn one_object_serves_all_lengths() {
    agree_at(&SCRIPTS, &LENGTHS);
}

/// Rows and columns around the lengths at which folds take other ways: chunks, strips, 32 accumulators, a block.
#[test]
fn folds_of_all_lengths_agree() {
    let around = [1u64, 16, 31, 33, 72];
    let mut lengths: Vec<(u64, u64)> = around.iter().flat_map(|&n| around.map(|m| (n, m))).collect();
    lengths.extend([
        (0, 40),
        (40, 0),
        (9, 400),
        (100, 64),
        (1023, 33),
        (1024, 33),
        (1056, 33),
        (3, 1024),
        (3, 1025),
        (2, 2100),
        (2100, 33),
    ]);
    agree_at(
        &[
            "input x: f32[n, m]\noutput r = sum(x, axis=1)\noutput c = sum(x, axis=0)\noutput a = mean(x, axis=1)",
            "input x: f64[n, m]\noutput r = prod(x, axis=1)\noutput c = sum(x * x, axis=0)\noutput a = mean(x, axis=0)",
            "input x: f32[n, m]\ninput w: f32[m]\noutput r = sum((x - w)**2, axis=1)\noutput c = sum(x * w, axis=0)",
            "input x: f32[n, m]\ninput w: f32[n]\noutput r = sum(x * w[:, None], axis=1)\n\
             output c = sum(x * w[:, None], axis=0)\noutput s = std(x)",
            "input x: i32[n, m]\noutput r = max(x, axis=1)\noutput c = prod(x, axis=0)\noutput s = sum(x[:, ::-1], axis=1)",
            "input x: f16[n, m]\noutput r = sum(x, axis=1)\noutput c = sum(x, axis=0)\noutput e = sum(sin(f32(x)), axis=1)",
            "input x: c64[n, m]\noutput r = sum(abs(x), axis=1)\noutput c = sum(real(x), axis=0)\noutput v = var(imag(x), axis=1)",
            "input x: u8[n, m]\noutput r = sum(x, axis=1)\noutput c = max(x, axis=0)\noutput h = sum(x[::2], axis=1)",
        ],
        &lengths,
    );
}

#[test]
fn loops_and_routines_in_objects_agree() {
    agree_at(&STAGED, &[(1, 1), (2, 3), (17, 5), (64, 1), (70, 9), (3, 40)]);
}

#[test]
fn loops_over_numbers_in_objects_agree() {
    agree_at(&NUMBERS, &[(1, 1), (2, 3), (9, 5), (16, 1), (21, 4), (3, 20)]);
    agree_at(&NUMBERS[..2], &[(0, 4), (5, 0), (0, 0)]);
}

fn agree_at(scripts: &[&str], lengths: &[(u64, u64)]) {
    let cases = script_cases('s', scripts, lengths);
    let named: Vec<(&str, &Program)> = cases.iter().map(|(name, program, _)| (name.as_str(), program)).collect();
    for cpu in levels() {
        let library = Library::new(&named, cpu);
        for (name, _, bound) in &cases {
            bound.iter().for_each(|program| agree(&library, name, program));
        }
    }
}

#[test]
fn a_raised_flag_stops_a_call() {
    let script = "input x: f64[n]\noutput y = repeat 1000000000 with s = x { s * 0.5 + 1 }";
    let mut session = Session::default();
    let program = session.check(&Input::new("<test>", script)).checked.program.unwrap();
    let library = Library::new(&[("f", &program)], None);
    let (x, mut y, shape, stop) = ([1f64; 4], [7f64; 4], [4i64], std::sync::atomic::AtomicI32::new(0));
    let mut scratch = vec![0u8; 1 << 12];
    let (x, y) = (x.as_ptr().cast(), y.as_mut_ptr().cast::<u8>().cast_const());
    let [x, y] = [x, y].map(|data| DescribedArray { data, shape: shape.as_ptr(), strides: std::ptr::null() });
    let of = |it: &DescribedArray| std::ptr::from_ref(it).cast::<c_void>();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(std::time::Duration::from_millis(30));
            stop.store(1, std::sync::atomic::Ordering::Relaxed);
        });
        let flag = stop.as_ptr().cast_const().cast();
        let code = library.call("f", &[of(&x), of(&y), scratch.as_mut_ptr() as *const c_void, flag]);
        assert_eq!(code as i32, 6);
    });
}

#[test]
fn wrong_calls_get_codes_and_write_nothing() {
    let script = "input x: f64[n] in [0, 1]\ninput w: f64[n]\noutput y = sqrt(x) * w\noutput m = max(w)";
    let mut session = Session::default();
    let program = session.check(&Input::new("<test>", script)).checked.program.unwrap();
    for cpu in levels() {
        wrong_calls(&Library::new(&[("f", &program)], cpu));
    }
}

fn wrong_calls(library: &Library) {
    let array = |values: &[f64]| Array::from_elements(&[values.len()], values);
    let result = |n: usize| [Array::from_elements(&[n], &vec![0f64; n]), Array::from_elements(&[], &[0f64])];
    let run = |x: &[f64], w: &[f64], n: usize| library.run("f", &[array(x), array(w)], &result(n)).map(|_| ());
    assert_eq!(run(&[0.5, 1.0], &[1.0, 2.0], 2), Ok(()));
    assert_eq!(run(&[0.5, 1.0], &[1.0, 2.0, 3.0], 2), Err(1), "lengths differ");
    assert_eq!(run(&[], &[], 0), Err(3), "the largest of nothing");
    assert_eq!(run(&[0.5, 1.5], &[1.0, 2.0], 2), Err(16), "a value outside of its range");

    every_refusal_writes_nothing(library);
}

/// Calls `f` in every wrong way: each call gives its code, and both outputs are as they were.
fn every_refusal_writes_nothing(library: &Library) {
    type Wrong = (&'static str, i32, [i64; 4], [usize; 3], f64);
    const HUGE_LENGTH: i64 = 1 << 47;
    let w = [3f64, 4.0];
    let mut scratch = vec![0u8; 1 << 16];
    // Elements 0 and 1 are of `y`, 2 is `m`, 3 and 4 are of `x`, whose second is outside of its range.
    let wrong: [Wrong; 14] = [
        ("nothing is wrong", 0, [2, 2, 2, 8], [0, 2, 3], 1.0),
        ("a value outside of its range", 16, [2, 2, 2, 8], [0, 2, 3], 1.5),
        ("a value that is no number", 16, [2, 2, 2, 8], [0, 2, 3], f64::NAN),
        ("`w` is longer than `x`", 1, [2, 3, 2, 8], [0, 2, 3], 1.0),
        ("`y` is too short", 1, [2, 2, 1, 8], [0, 2, 3], 1.0),
        ("`y` is too long", 1, [2, 2, 3, 8], [0, 2, 3], 1.0),
        ("a length below zero", 4, [-1, 2, 2, 8], [0, 2, 3], 1.0),
        ("more elements than memory holds", 4, [HUGE_LENGTH, HUGE_LENGTH, HUGE_LENGTH, 8], [0, 2, 3], 1.0),
        ("`y` is `x`", 2, [2, 2, 2, 8], [3, 2, 3], 1.0),
        ("`y` begins in `x`", 2, [2, 2, 2, 8], [4, 2, 3], 1.0),
        ("`m` is in `x`", 2, [2, 2, 2, 8], [0, 4, 3], 1.0),
        ("`m` is in `y`", 2, [2, 2, 2, 8], [0, 1, 3], 1.0),
        ("`x` goes through `m` by its stride", 2, [2, 2, 2, 16], [0, 3, 2], 1.0),
        ("`x` goes back through `m` by its stride", 2, [2, 2, 2, -16], [0, 3, 4], 1.0),
    ];
    for (what, code, [x_len, w_len, y_len, stride], [y_at, m_at, x_at], last) in wrong {
        let mut memory = [7.0, 7.0, 7.0, 0.25, last, 0.5];
        let before = memory;
        let place = memory.as_mut_ptr();
        let described = |data: *const f64, shape: &i64, strides: *const i64| DescribedArray {
            data: data.cast(),
            shape: std::ptr::from_ref(shape),
            strides,
        };
        let x = described(place.wrapping_add(x_at), &x_len, std::ptr::from_ref(&stride));
        let w = described(w.as_ptr(), &w_len, std::ptr::null());
        let y = described(place.wrapping_add(y_at), &y_len, std::ptr::null());
        let m = described(place.wrapping_add(m_at), &0, std::ptr::null());
        let of = |it: &DescribedArray| std::ptr::from_ref(it).cast::<c_void>();
        let arguments = [of(&x), of(&w), of(&y), of(&m), scratch.as_mut_ptr() as *const c_void, std::ptr::null()];
        assert_eq!(library.call("f", &arguments) as i32, code, "{what}");
        let is_same = before.iter().zip(&memory).all(|(a, b)| a.to_bits() == b.to_bits());
        assert_eq!(is_same, code != 0, "{what}: {memory:?}");
    }
}
