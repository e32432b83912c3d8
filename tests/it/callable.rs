//! A text that is checked once and called often: shapes, memory of the caller in and out, threads, interruption.
#![expect(unsafe_code, reason = "memory of the caller is given by its address")]

use arrlang::array::Array;
use arrlang::exec::{Ask, Engine, LentMemory, Options};
use arrlang::io::argument::Argument;
use arrlang::session::{CallError, Callable, CheckErrors, Input, Session, TypedName};
use arrlang::types::DType;
use std::num::NonZeroUsize;
use std::ptr::NonNull;
use std::sync::Arc;

fn compiled(text: &str, types: &[&str]) -> Result<Callable, Box<CheckErrors>> {
    let types: Vec<Argument> = types.iter().map(|text| Argument::parse(text.as_ref()).unwrap()).collect();
    Callable::new(&Session::default(), &Input { arguments: &types, free_names: true, ..Input::new("test", text) })
}

fn call(callable: &Callable, arrays: &[Array]) -> Vec<Array> {
    callable.call(arrays, &Options::default()).expect("it runs")
}

fn refused(error: CallError) -> String {
    match error {
        CallError::Refused(refused) => {
            refused.diagnostics.iter().find(|found| found.is_error()).unwrap().message.clone()
        }
        CallError::Misfit { result } => format!("result {result} does not fit"),
    }
}

fn vector(elements: &[f32]) -> Array {
    Array::from_elements(&[elements.len()], elements)
}

/// Elements of a vector, forwards or backwards, read where they lie.
fn foreign(memory: &Arc<Vec<f32>>, step: isize) -> Array {
    let first = if step < 0 { &memory[memory.len() - 1] } else { &memory[0] };
    let (len, strides) = (memory.len() / step.unsigned_abs(), [4 * step]);
    // SAFETY: every element lies in the vector, which the array keeps.
    unsafe { Array::foreign(DType::F32, &[len], &strides, std::ptr::from_ref(first).cast(), Box::new(memory.clone())) }
        .unwrap()
}

#[test]
fn types_are_known_before_data_and_any_length_is_taken() {
    let centred = compiled("input x: f32[n]\noutput low = x[1:] - mean(x)\noutput count = i32(n)", &[]).unwrap();
    let types: Vec<String> = centred.results().iter().map(TypedName::type_text).collect();
    assert_eq!(types, ["f32[n-1]", "i32"]);
    for n in [1, 2, 7, 2, 1] {
        let x: Vec<f32> = (0..n).map(|at| at as f32).collect();
        let results = call(&centred, &[vector(&x)]);
        assert_eq!(results[0].shape(), [n - 1]);
        assert_eq!(results[1].to_vec::<i32>(), [n as i32]);
    }
}

/// Every call gives what a session gives that knows the data.
#[test]
fn a_call_gives_what_a_run_gives() {
    let texts: [(&str, &[&str]); 7] = [
        ("2*x + 3*y", &["x:f32[n]", "y:f32[n]"]),
        ("sum(x[:, None] * y, axis=0)", &["x:f32[m]", "y:f32[n]"]),
        ("x[::-1]", &["x:f32[n]", "y:f32[n]"]),
        ("x", &["x:f32[n]", "y:f32[n]"]),
        ("input x: f32[n]\ninput y: f32[n]\ninput k: i64 = 3\nx[:k] + y[:k]", &[]),
        ("input x: f32[n]\ninput y: f32[m]\nsum(x) * y.shape[0] + n", &[]),
        ("cumsum(where(x > y, x, y))", &["x:f32[n]", "y:f32[n]"]),
    ];
    let names = ["x", "y"];
    for (text, types) in texts {
        let callable = compiled(text, types).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
        for n in [3usize, 4, 1000] {
            let x: Vec<f32> = (0..n).map(|at| (at * 7 % 11) as f32).collect();
            let y: Vec<f32> = (0..n).map(|at| (at * 5 % 13) as f32 - 4.0).collect();
            let (x, y) = (Arc::new(x), Arc::new(y));
            let arrays = vec![foreign(&x, -1), foreign(&y, 1)];
            let given: Vec<(String, Array)> = names.iter().map(ToString::to_string).zip(arrays.clone()).collect();
            let input = Input { arrays: &given, free_names: true, ..Input::new("test", text) };
            let expected = Session::default().evaluate(&input);
            let expected: Vec<Array> = expected.values.into_iter().map(|shown| shown.array).collect();
            assert_eq!(call(&callable, &arrays), expected, "{text} of {n}");
            let reference = Options { engine: Engine::Reference, ..Options::default() };
            assert_eq!(callable.call(&arrays, &reference).unwrap(), expected, "{text} of {n}");
        }
    }
}

/// The arrays of a fresh session, or what it says.
fn fresh(text: &str, given: &[(String, Array)]) -> Result<Vec<Array>, String> {
    let reply = Session::default().evaluate(&Input { arrays: given, free_names: true, ..Input::new("test", text) });
    match reply.diagnostics.iter().find(|found| found.is_error()) {
        Some(error) => Err(error.message.clone()),
        None => Ok(reply.values.into_iter().map(|shown| shown.array).collect()),
    }
}

/// A named dimension stays, so a result has as many axes as checking says, whatever the data is.
#[test]
fn results_have_the_axes_that_checking_says() {
    let texts = [
        "squeeze(x)",
        "x.squeeze()",
        "squeeze(x[:1])",
        "squeeze(x[None])",
        "x[:, :1].squeeze()",
        "x[:, :1].squeeze(axis=1)",
        "sum(squeeze(x), axis=0)",
        "fn f(a) = squeeze(a)\nf(x[None]) * 2",
        "cov(x)",
        "cov(x, rowvar=false)",
        "corrcoef(x)",
        "cov(x[0])",
    ];
    for text in texts {
        let text = format!("input x: f64[n, m]\n{text}");
        let callable = compiled(&text, &[]).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
        let rank = callable.results()[0].dims.len();
        for shape in [[1, 3], [3, 1], [1, 1], [2, 3]] {
            let given = [("x".to_owned(), Array::from_elements(&shape, &vec![1.5; shape[0] * shape[1]]))];
            assert_eq!(call(&callable, &[given[0].1.clone()])[0].shape().len(), rank, "{text} of {shape:?}");
            assert_eq!(fresh(&text, &given).unwrap()[0].shape().len(), rank, "{text} of {shape:?}, which is run");
        }
    }
    let given = [("x".to_owned(), Array::from_elements(&[1, 3], &[1.0, 2.0, 4.0]))];
    let sums = fresh("input x: f64[n, m]\nsum(squeeze(x), axis=0)", &given).unwrap();
    assert_eq!(sums[0].to_vec::<f64>(), [1.0, 2.0, 4.0]);
    // Lengths of an array whose type nothing declares are known.
    assert_eq!(fresh("squeeze(x)", &given).unwrap()[0].shape(), [3]);
    // So are those of a default, whatever is given in its place.
    for (default, shape) in [("[1, 2]", vec![1]), ("[2, 1]", vec![1]), ("[2, 2]", vec![1, 1])] {
        let given = [("x".to_owned(), Array::from_elements(&[1, 1], &[1.5]))];
        let text = format!("input x: f64[n, m] = ones({default}, dtype=f64)\nsqueeze(x)");
        assert_eq!(fresh(&text, &given).unwrap()[0].shape(), shape, "{default}");
    }
}

/// Where names alone do not fit, they are the lengths that they have to be, and the others stay names.
#[test]
fn names_that_do_not_fit_leave_others_as_they_are() {
    let texts = [
        "let y = x + [[5.0, 6.0]]\nsqueeze(y)",
        "squeeze(x @ [[1.0, 0.0], [0.0, 1.0]])",
        "let y: f64[n, 2] = x\nsqueeze(y)",
        "let y = concat([x, [[5.0, 6.0]]])\nsqueeze(y[1:])",
        "fn f(a: f64[k, 2]) = squeeze(a)\nf(x)",
    ];
    for text in texts {
        let text = format!("input x: f64[n, m]\n{text}");
        for (n, shape) in [(1, [1, 2]), (3, [3, 2])] {
            let given = [("x".to_owned(), Array::from_elements(&shape, &vec![1.5; n * 2]))];
            assert_eq!(fresh(&text, &given).unwrap()[0].shape(), shape, "{text} of {shape:?}");
        }
    }
}

/// Data decides lengths in a call, which is checked no more than others: what is counted differs from call to call.
#[test]
fn lengths_that_data_decides_are_counted_in_each_call() {
    let texts: [(&str, &[&str]); 9] = [
        ("x[x > 0].sum()", &["x:f32[n]", "k:i64[m]"]),
        ("x[x > 0]", &["x:f32[n]", "k:i64[m]"]),
        ("cumsum(x[x > 0])[1:]", &["x:f32[n]", "k:i64[m]"]),
        ("unique(x)", &["x:f32[n]", "k:i64[m]"]),
        ("nonzero(x > 0)", &["x:f32[n]", "k:i64[m]"]),
        ("x[k[0]:k[1]] * 2", &["x:f32[n]", "k:i64[m]"]),
        ("max(x[k[0]:k[1]])", &["x:f32[n]", "k:i64[m]"]),
        ("x[k]", &["x:f32[n]", "k:i64[m]"]),
        ("repeat 3 as i with s = 0f32 { s + sum(x[i:k[1]]) }", &["x:f32[n]", "k:i64[m]"]),
    ];
    let mut random = 7u64;
    let mut below = |most: u64| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % most
    };
    for (text, types) in texts {
        let callable = compiled(text, types).unwrap_or_else(|refused| panic!("{text}: {refused:?}"));
        for _ in 0..40 {
            let x: Vec<f32> = (0..6).map(|_| below(7) as f32 - 3.0).collect();
            // Some positions are outside.
            let k = [0, 1].map(|_| below(9) as i64 - 2);
            let arrays = [vector(&x), Array::from_elements(&[2], &k)];
            let given: Vec<(String, Array)> = ["x", "k"].map(str::to_owned).into_iter().zip(arrays.clone()).collect();
            let called = callable.call(&arrays, &Options::default()).map_err(refused);
            assert_eq!(called, fresh(text, &given), "{text} of {x:?} and {k:?}");
        }
    }
}

#[test]
fn memory_for_a_result_that_data_counts_fits_or_is_refused() {
    let positive = compiled("x[x > 0]", &["x:f32[n]"]).unwrap();
    let mut memory = [9f32; 2];
    let mut lend = |x: &[f32]| {
        let lent = LentMemory::slice(DType::F32, &[2], &mut memory);
        positive.call_into(&[vector(x)], &[Some(lent)], &Options::default()).map_err(refused)
    };
    assert_eq!(lend(&[1.0, -1.0, 2.0]), Ok(vec![None]));
    assert_eq!(lend(&[1.0, 3.0, 2.0]), Err("result 0 does not fit".to_owned()));
    assert_eq!(lend(&[-1.0, 4.0, 5.0]), Ok(vec![None]));
    assert_eq!(memory, [4.0, 5.0]);
}

#[test]
fn what_does_not_fit_is_said_in_the_words_of_a_session() {
    let sum = compiled("x + y", &["x:f32[n]", "y:f32[n]"]).unwrap();
    let message = |arrays: &[Array]| refused(sum.call(arrays, &Options::default()).unwrap_err());
    let lengths = message(&[vector(&[1.0; 3]), vector(&[1.0; 4])]);
    assert!(lengths.contains("`y`") && lengths.contains('4'), "{lengths}");
    let dtype = message(&[vector(&[1.0; 3]), Array::from_elements(&[3], &[1i64, 2, 3])]);
    assert!(dtype.contains("i64") && dtype.contains("f32"), "{dtype}");
    let rank = message(&[vector(&[1.0; 3]), Array::from_elements(&[1, 3], &[1f32, 2.0, 3.0])]);
    assert!(rank.contains("`y`"), "{rank}");
    let small = compiled("input x: i8[n]\nx + n", &[]).unwrap();
    assert_eq!(call(&small, &[Array::from_elements(&[2], &[1i8, 2])])[0].to_vec::<i8>(), [3, 4]);
    let misfit = small.call(&[Array::from_elements(&[200], &[0i8; 200])], &Options::default()).unwrap_err();
    assert!(refused(misfit).contains("200"));
    let checked = "promotion numpy\ninput x: f32[n]\ninput at: i64[m]\ntake(x, at)";
    let taken = compiled(checked, &[]).unwrap();
    let outside = taken.call(&[vector(&[1.0; 3]), Array::from_elements(&[1], &[5i64])], &Options::default());
    assert!(refused(outside.unwrap_err()).contains('5'));
}

#[test]
fn results_and_sessions_keep_nothing_of_foreign_memory() {
    let mut memory = vec![1f32, 2.0, 3.0];
    let first: *mut f32 = memory.as_mut_ptr();
    // SAFETY: the vector outlives the arrays that are read below.
    let x = || unsafe { Array::foreign(DType::F32, &[3], &[4], first.cast(), Box::new(())) }.unwrap();
    let whole = compiled("x", &["x:f32[n]"]).unwrap();
    let kept = call(&whole, &[x()]).remove(0);
    let mut session = Session::default();
    let given = [("x".to_owned(), x())];
    session.evaluate(&Input { arrays: &given, free_names: true, ..Input::new("test", "let back = x[::-1]") });
    // SAFETY: within the vector; nobody holds a reference to it.
    unsafe { first.write(9.0) };
    assert_eq!(kept.to_vec::<f32>(), [1.0, 2.0, 3.0]);
    let back = session.evaluate(&Input::new("test", "back"));
    assert_eq!(back.values[0].array.to_vec::<f32>(), [3.0, 2.0, 1.0]);
    assert_eq!(call(&whole, &[x()])[0].to_vec::<f32>(), [9.0, 2.0, 3.0]);
    drop(memory);
}

#[test]
fn results_are_written_into_memory_that_is_lent() {
    let text = "input x: f32[m, n]\noutput a = 2*x + 1\noutput b = sum(x, axis=0)\noutput c = a[::-1]";
    let both = compiled(text, &[]).unwrap();
    for (m, n) in [(2, 3), (64, 1000), (0, 4), (1, 1)] {
        let x: Vec<f32> = (0..m * n).map(|at| at as f32).collect();
        let x = Array::from_elements(&[m, n], &x);
        let expected = call(&both, std::slice::from_ref(&x));
        for dense in [true, false] {
            let (mut a, mut b) = (vec![0f32; 2 * m * n + 1], vec![0f32; n]);
            let step = if dense { 1 } else { 2 };
            let strides = [(4 * n * step) as isize, (4 * step) as isize];
            let first = NonNull::new(a.as_mut_ptr().wrapping_add(usize::from(dense))).unwrap().cast();
            // SAFETY: the elements lie in the vector, which nobody else uses until they are written.
            let lent_a = unsafe { LentMemory::new(first, DType::F32, &[m, n], &strides) };
            let lent = [Some(lent_a), Some(LentMemory::slice(DType::F32, &[n], &mut b))];
            let given = both.call_into(std::slice::from_ref(&x), &lent, &Options::default()).unwrap();
            assert!(given[0].is_none() && given[1].is_none());
            // The last one shows what lies in memory that is lent: it has a copy.
            let last = given[2].clone().unwrap();
            let written: Vec<f32> = a[usize::from(dense)..].iter().step_by(step).copied().take(m * n).collect();
            assert_eq!(written, expected[0].to_vec::<f32>());
            assert_eq!(b, expected[1].to_vec::<f32>());
            a.fill(-1.0);
            assert_eq!(last, expected[2]);
        }
    }
    let mut short = [0f32; 5];
    let lent = [Some(LentMemory::slice(DType::F32, &[5], &mut short))];
    let error = both.call_into(&[Array::from_elements(&[2, 3], &[0f32; 6])], &lent, &Options::default());
    assert_eq!(refused(error.unwrap_err()), "result 0 does not fit");
}

/// Memory that begins anywhere in a line, of few elements and of more than caches hold: nothing around it changes.
#[test]
fn memory_that_is_lent_begins_anywhere_in_a_line() {
    const AROUND: usize = 16;
    let two = compiled("input x: f32[n]\noutput a = 2*x + 1\noutput b = x*0.5", &[]).unwrap();
    for (n, threads) in [(5, 1), (4095, 1), (4099, 1), (70_001, 2), (2_900_003, 1), (2_900_003, 2)] {
        let x: Vec<f32> = (0..n).map(|at| (at % 1013) as f32).collect();
        let given = Array::from_elements(&[n], &x);
        let (mut a, mut b) = (vec![-1f32; n + 2 * AROUND], vec![-1f32; n + 2 * AROUND]);
        for (from_a, from_b) in [(0, 0), (4, 4), (12, 12), (3, 3), (15, 2)] {
            let (lent_a, lent_b) = (from_a..from_a + n, from_b..from_b + n);
            let lent = [(&mut a[lent_a.clone()]), (&mut b[lent_b.clone()])]
                .map(|memory| Some(LentMemory::slice(DType::F32, &[n], memory)));
            let options = Options { threads: NonZeroUsize::new(threads), ..Options::default() };
            two.call_into(std::slice::from_ref(&given), &lent, &options).unwrap();
            assert!(x.iter().zip(&a[lent_a.clone()]).all(|(x, a)| *a == 2.0 * x + 1.0), "{n} {from_a} {threads}");
            assert!(x.iter().zip(&b[lent_b.clone()]).all(|(x, b)| *b == 0.5 * x), "{n} {from_b} {threads}");
            for (memory, lent) in [(&mut a, lent_a), (&mut b, lent_b)] {
                assert!(memory[..lent.start].iter().chain(&memory[lent.end..]).all(|&other| other == -1.0));
                memory.fill(-1.0);
            }
        }
    }
}

/// As in NumPy, a result that overlaps an input is what it would be elsewhere.
#[test]
fn memory_that_overlaps_an_input_gets_what_it_would_elsewhere() {
    let turned = compiled("x[::-1] + x", &["x:f32[n]"]).unwrap();
    for shift in [0usize, 1, 3] {
        let mut memory: Vec<f32> = (0..1003).map(|at| (at * at % 97) as f32).collect();
        let x: Vec<f32> = memory[..1000].to_vec();
        let expected: Vec<f32> = x.iter().rev().zip(&x).map(|(a, b)| a + b).collect();
        let first = memory.as_mut_ptr();
        // SAFETY: within the vector, which is used through these alone.
        let given = unsafe { Array::foreign(DType::F32, &[1000], &[4], first.cast(), Box::new(())) }.unwrap();
        let there = NonNull::new(first.wrapping_add(shift)).unwrap().cast();
        // SAFETY: as above; a result that overlaps an input is made aside.
        let lent = unsafe { LentMemory::new(there, DType::F32, &[1000], &[4]) };
        turned.call_into(&[given], &[Some(lent)], &Options::default()).unwrap();
        assert_eq!(memory[shift..shift + 1000], expected);
    }
}

#[test]
fn a_default_holds_unless_its_type_is_stated() {
    let text = "input x: f32[n]\ninput k: i64 = 2\nx[:k] * k";
    let x = vector(&[1.0, 2.0, 3.0, 4.0]);
    let kept = compiled(text, &[]).unwrap();
    assert_eq!(call(&kept, std::slice::from_ref(&x))[0].to_vec::<f32>(), [2.0, 4.0]);
    let stated = compiled(text, &["k:i64"]).unwrap();
    for k in [3i64, 1] {
        let result = call(&stated, &[x.clone(), Array::from_elements(&[], &[k])]).remove(0);
        assert_eq!(result, vector(&[k as f32, 2.0 * k as f32, 3.0 * k as f32][..k as usize]));
    }
    let given = compiled(text, &["k=3"]).unwrap();
    assert_eq!(call(&given, &[x])[0].to_vec::<f32>(), [3.0, 6.0, 9.0]);
}

/// A call that is over soon is made at once, but not for the first time, and as any other call.
#[test]
fn a_brief_call_is_one_that_was_made_before() {
    let scaled = compiled("2 * x + gain", &["x:f32[n]", "gain:f32"]).unwrap();
    let (options, gain) = (Options::default(), |value: f32| Array::from_elements(&[], &[value]));
    let brief = |x: &Array, memory: Option<&mut [f32]>| {
        let lent: Vec<_> = memory.into_iter().map(|to| Some(LentMemory::slice(DType::F32, &[3], to))).collect();
        let results = scaled.call_if_brief(&[x.clone(), gain(0.5)], &lent, &options)?;
        Some(results.expect("it runs").into_iter().flatten().map(|array| array.to_vec::<f32>()).collect::<Vec<_>>())
    };
    let few = vector(&[1.0, 2.0, 3.0]);
    assert_eq!(brief(&few, None), None);
    assert_eq!(call(&scaled, &[few.clone(), gain(1.0)])[0].to_vec::<f32>(), [3.0, 5.0, 7.0]);
    assert_eq!(brief(&few, None), Some(vec![vec![2.5, 4.5, 6.5]]));
    // Neither for arrays that lie in another way, nor with memory for results, nor by another engine.
    let memory = Arc::new(vec![1.0f32, 2.0, 3.0]);
    assert_eq!(brief(&foreign(&memory, -1), None), None);
    let mut room = [0f32; 3];
    assert_eq!(brief(&few, Some(&mut room)), None);
    let blocks = Options { engine: Engine::Blocks, ..Options::default() };
    assert!(scaled.call_if_brief(&[few.clone(), gain(1.0)], &[], &blocks).is_none());
    for _ in 0..2 {
        scaled
            .call_into(&[few.clone(), gain(3.0)], &[Some(LentMemory::slice(DType::F32, &[3], &mut room))], &options)
            .unwrap();
        assert_eq!(room, [5.0, 7.0, 9.0]);
        room = [0.0; 3];
    }
    assert_eq!(brief(&few, Some(&mut room)), Some(vec![]));
    assert_eq!(room, [2.5, 4.5, 6.5]);
    // What takes longer is not.
    let many = vector(&vec![1.0; 1_000_000]);
    call(&scaled, &[many.clone(), gain(1.0)]);
    assert_eq!(brief(&many, None), None);
}

#[test]
fn a_brief_call_says_what_is_wrong() {
    let checked = compiled("assert x > 0\nx + 1", &["x:f32[n]"]).unwrap();
    let options = Options::default();
    call(&checked, &[vector(&[1.0, 2.0])]);
    let again = |x: &[f32]| checked.call_if_brief(&[vector(x)], &[], &options).expect("it is known");
    assert_eq!(again(&[1.0, 2.0]).unwrap()[0].as_ref().unwrap().to_vec::<f32>(), [2.0, 3.0]);
    let known = refused(again(&[1.0, -2.0]).unwrap_err());
    assert_eq!(known, refused(checked.call(&[vector(&[1.0, -2.0])], &options).unwrap_err()));
}

#[test]
fn many_threads_call_one_value() {
    let scaled = compiled("sqrt(x) * k + 1", &["x:f64[n]", "k:f64"]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8usize {
            let scaled = &scaled;
            scope.spawn(move || {
                for round in 0..200 {
                    let n = 1 + (thread * 31 + round) % 40;
                    let x = Array::from_elements(&[n], &vec![4f64; n]);
                    let k = Array::from_elements(&[], &[thread as f64]);
                    assert_eq!(call(scaled, &[x, k])[0].to_vec::<f64>(), vec![2.0 * thread as f64 + 1.0; n]);
                }
            });
        }
    });
}

#[test]
fn a_question_stops_a_long_call() {
    let long = compiled("input n: i64 in [0, 1] = 1\nsum(sin(arange(4000000000) * 0.5))", &[]).unwrap();
    let ask = Ask::new(|| true);
    let options = Options { ask: Some(&ask), ..Options::default() };
    let error = long.call(&[], &options).unwrap_err();
    assert_eq!(refused(error), "interrupted");
}
