//! The 54 kernels of npbench, written anew from their mathematics, against NumPy: `numpy/loops.py` and
//! `numpy/npbench.py`.

use crate::lab;
use arrlang::exec::{Engine, Options};
use arrlang::session::{Input, Session};
use std::collections::BTreeMap;

/// How far a float may be, as a share of the largest of its array: sums are made in another order.
const SHARE: f64 = 1e-11;

/// The outputs of NumPy: shape and values, by kernel and name.
fn wanted() -> BTreeMap<(String, String), (Vec<usize>, Vec<f64>)> {
    let read =
        |name: &str| std::fs::read_to_string(lab::root(&format!("tests/numpy/{name}.txt"))).expect("NumPy's results");
    let text = read("loops") + &read("npbench");
    let line = |line: &str| {
        let mut words = line.split(' ');
        let mut next = || words.next().expect("a word").to_owned();
        let (kernel, output, shape) = (next(), next(), next());
        let sizes = shape.split(',').filter(|size| *size != "-");
        let shape = sizes.map(|size| size.parse().expect("a size")).collect();
        ((kernel, output), (shape, words.map(|word| word.parse().expect("a number")).collect()))
    };
    text.lines().map(line).collect()
}

/// What needs a library that is not built by default.
const LINEAR: [&str; 2] = ["cholesky2", "contour_integral"];

#[test]
fn the_kernels_of_npbench_give_the_values_of_numpy() {
    let wanted = wanted();
    let mut kernels: std::collections::BTreeSet<&String> = wanted.keys().map(|(kernel, _)| kernel).collect();
    assert_eq!(kernels.len(), 56);
    if cfg!(not(feature = "linalg")) {
        kernels.retain(|kernel| !LINEAR.contains(&kernel.as_str()));
    }
    let mut wrong = Vec::new();
    for kernel in kernels {
        let path = lab::root(&format!("tests/npbench/{kernel}.arr"));
        let text = std::fs::read_to_string(&path).expect("a kernel");
        for engine in [Engine::Jit, Engine::Reference] {
            let options = Options { engine, ..Options::default() };
            let reply = Session::default().evaluate(&Input { options, ..Input::new(kernel, &text) });
            let found: Vec<String> =
                reply.diagnostics.iter().filter(|it| it.is_error()).map(|it| it.message.clone()).collect();
            if !found.is_empty() {
                wrong.push(format!("{kernel}: {found:?}"));
                continue;
            }
            for ((_, output), (shape, values)) in wanted.iter().filter(|((own, _), _)| own == kernel) {
                let array = reply.values.iter().find(|it| it.name.as_deref() == Some(output)).map(|it| &it.array);
                let Some(array) = array.filter(|array| array.shape() == shape) else {
                    wrong.push(format!("{kernel}: no `{output}` of {shape:?}"));
                    continue;
                };
                let scale = values.iter().fold(0f64, |most, value| most.max(value.abs()));
                let number = |flat: usize| {
                    let text = arrlang::array::show::scalar_text(array.get(flat));
                    text.parse::<f64>().expect("a number")
                };
                if let Some(at) = (0..values.len()).find(|&at| (number(at) - values[at]).abs() > SHARE * scale) {
                    wrong.push(format!("{kernel} {output} at {at}: {} and not {}", number(at), values[at]));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
