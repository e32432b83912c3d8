//! Linear algebra: against NumPy (`tests/numpy/linalg.txt`, written by the script beside it), as laws, and at its
//! faults.

use crate::lab;
#[cfg(feature = "linalg")]
use crate::spectra::{parts, values};
use arrlang::promotion::verdict::Mode;

/// The codes and messages of a script that fails.
fn errors(text: &str) -> String {
    let reply = lab::run(text, Mode::All);
    assert!(reply.diagnostics.error_count() > 0, "{text} has no error");
    let all = reply.diagnostics.iter().map(|it| format!("{} {}", it.code.name, it.message));
    all.collect::<Vec<_>>().join("\n")
}

#[test]
fn matrices_of_other_shapes_are_refused_before_anything_runs() {
    for (text, words) in [
        ("linalg.inv(ones((2, 3)))", "takes a square matrix"),
        ("linalg.det(ones(3))", "takes a square matrix"),
        ("linalg.eigh(1.0)", "takes a square matrix"),
        ("linalg.svdvals(ones(3))", "takes a matrix"),
        ("linalg.solve(ones((2, 2)), ones(3))", "the matrix has 2 rows, and the right-hand side 3"),
        ("linalg.solve(ones((4, 2, 2)), ones((4, 3)))", "the matrix has 2 rows, and the right-hand side 4"),
        ("linalg.solve(ones((2, 2)), 1.0)", "a vector or a matrix on the right"),
        ("linalg.solve(ones((3, 2, 2)), ones((2, 2, 1)))", "do not broadcast"),
        ("linalg.qr(ones((2, 2)), mode=\"full\")", "`mode` is one of"),
        ("linalg.eigh(ones((2, 2)), UPLO=\"l\")", "`UPLO` is one of"),
        ("linalg.norm(ones((2, 2)), ord=3)", "`ord` of a norm of matrices"),
        ("linalg.norm(ones(2), ord=\"nuc\")", "`ord` of a norm of vectors"),
        ("linalg.norm(ones((2, 2, 2)), ord=1)", "an `axis`, or two, for an `ord`"),
        ("linalg.norm(ones((2, 2)), ord=\"two\")", "`ord` is one of"),
        ("linalg.matrix_power(ones((2, 3)), 2)", "takes a square matrix"),
        ("linalg.matrix_power(ones(3), 2)", "takes a square matrix"),
        ("linalg.multi_dot([ones((2, 3)), ones((2, 3))])", "3"),
        ("linalg.multi_dot([ones(2)])", "two matrices or more"),
        ("linalg.norm(zeros(0), ord=-inf)", "of nothing has no value"),
        ("linalg.norm(zeros((0, 3)), ord=-2)", "of nothing has no value"),
        ("linalg.cond(zeros((0, 3)))", "of nothing has no value"),
        ("linalg.lu(ones(3))", "takes a matrix"),
        ("linalg.expm(ones((2, 3)))", "takes a square matrix"),
        ("linalg.tensorsolve(ones((2, 3, 5)), ones((2, 3)))", "cannot reshape f64[2, 3, 5] with 30 elements to [6, 6]"),
        ("linalg.tensorinv(ones((2, 3, 6)), ind=1)", "cannot reshape f64[2, 3, 6]"),
    ] {
        let found = errors(text);
        assert!(found.contains(words), "{text}: {found}");
        assert!(!found.contains("not-built"), "{text}: {found}");
    }
}

#[test]
fn dtypes_and_shapes_are_known_before_anything_runs() {
    let (_, prepared) = lab::check(
        "input a: f32[k, n, n]\ninput b: c64[n]\ninput c: i32[m, n]\ninput h: f16[n, n]
input t: f32[n, m, m, n]
linalg.solve(a, b)\nlinalg.det(a)\nlinalg.svdvals(c)\nlinalg.svd(c)[1]\nlinalg.qr(c, mode=\"complete\")[0]\nlinalg.eig(a)[1]
linalg.eigvalsh(a*1j)\nlinalg.det(h)\nlinalg.lu(a)[1]\nlinalg.lu(ones((3, 5)))[2]\nlinalg.expm(a)\nlinalg.tensorinv(t)",
        Mode::All,
    );
    assert_eq!(prepared.diagnostics.error_count(), 0, "{:?}", lab::messages(&prepared.diagnostics));
    let program = prepared.checked.program.expect("it is checked");
    let found: Vec<String> = program
        .outputs
        .iter()
        .map(|it| {
            let node = program.node(it.node);
            format!("{}{}", node.dtype, arrlang::types::shape::show(&node.shape))
        })
        .collect();
    assert_eq!(found[0], "c64[k, n]");
    assert_eq!(found[1], "f32[k]");
    assert!(found[2].starts_with("f32[") && found[2] != "f32[n]" && found[2] != "f32[m]", "{found:?}");
    let wanted = [
        "f32[m, m]",
        "c64[k, n, n]",
        "f32[k, n]",
        "f16",
        "f32[k, n, n]",
        "f64[3, 5]",
        "f32[k, n, n]",
        "f32[m, n, n, m]",
    ];
    assert_eq!(&found[4..], wanted);
}

#[test]
fn norms_and_cross_products_need_no_library() {
    let made = lab::values(
        "linalg.norm([3.0, 4.0])\nlinalg.norm([[1.0, 2.0], [3.0, 4.0]], ord=1)\nlinalg.cross([1, 0, 0], [0, 1, 0])",
        Mode::All,
    );
    assert_eq!(made, ["5.0 : f64", "6.0 : f64", "[0 0 1] : i64[3]"]);
}

#[test]
fn powers_and_chains_of_matrices_are_products() {
    let made = lab::values(
        "let f = [[1, 1], [1, 0]]\nlinalg.matrix_power(u8(f), 13)\nlinalg.matrix_power(f32(f), 0)\nlinalg.matrix_power(stack((f, eye(2, dtype=i64))), 3)
linalg.multi_dot([[1, 2], f, f, [3, 4]])\nlinalg.matrix_power([[1j]], 3)",
        Mode::All,
    );
    let wanted = [
        "[[121 233] [233 144]] : u8[2, 2]",
        "[[1. 0.] [0. 1.]] : f32[2, 2]",
        "[[[3 2] [2 1]] [[1 0] [0 1]]] : i64[2, 2, 2]",
        "24 : i*",
        "[[0.-1.j]] : c*[1, 1]",
    ];
    assert_eq!(made, wanted);
}

#[cfg(not(feature = "linalg"))]
#[test]
fn a_build_without_the_library_says_so() {
    let found = errors("let a = eye(2)\nlinalg.inv(a)");
    assert_eq!(found, "not-built this `arr` was built without `linalg.inv`");
}

#[cfg(feature = "linalg")]
mod built {
    use super::*;
    use arrlang::exec::{Engine, Options};
    use arrlang::session::Input;
    use proptest::prelude::*;
    use std::num::NonZeroUsize;

    #[test]
    fn linear_algebra_gives_the_values_of_numpy() {
        let text = std::fs::read_to_string(lab::root("tests/numpy/linalg.txt")).expect("the file is there");
        let mut script: String =
            text.lines().filter(|line| line.starts_with("let ")).map(|line| format!("{line}\n")).collect();
        let cases: Vec<Vec<&str>> =
            text.lines().filter(|line| line.contains('\t')).map(|line| line.split('\t').collect()).collect();
        cases.iter().for_each(|case| script += &format!("{}\n", case[0]));
        let numbers =
            |text: &str| text.split_whitespace().map(|word| word.parse().expect("a number")).collect::<Vec<f64>>();
        let made = values(&script);
        assert_eq!(made.len(), cases.len());
        let mut wrong = Vec::new();
        for (case, array) in cases.iter().zip(&made) {
            let shape: Vec<f64> = array.shape().iter().map(|&size| size as f64).collect();
            let (re, im) = parts(array);
            let zeros = vec![0.0; re.len()];
            let wanted = [numbers(case[2]), case.get(3).map_or(zeros, |text| numbers(text))].concat();
            let found = [re, im].concat();
            let largest = wanted.iter().filter(|x| x.is_finite()).fold(1e-300f64, |most, x| most.max(x.abs()));
            let near = found.iter().zip(&wanted).all(|(x, y)| x == y || (x - y).abs() <= 1e-11 * largest);
            if shape != numbers(case[1]) || found.len() != wanted.len() || !near {
                wrong.push(format!("{}: {shape:?}\n  {found:?}\n  {wanted:?}", case[0]));
            }
        }
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(16))]

        /// Factors multiply to what they are factors of, and equations hold, in every dtype that there is a library
        /// for.
        #[test]
        fn factors_keep_their_laws(n in 0usize..40, m in 0usize..40, seed in 0.0f64..9.0) {
            for (dtype, near) in [("f64", 1e-11), ("f32", 2e-3), ("c128", 1e-11), ("c64", 2e-3)] {
                let turn = if dtype.starts_with('c') { "1 + 0.5j" } else { "1" };
                let script = format!(
                    "let a = {dtype}((sin(arange({n}*{n})*3.7 + {seed:.3}) * ({turn})).reshape({n}, {n}) + cos(arange({n}) + {seed:.3}) + 2*eye({n}))
let x = {dtype}((cos(arange({m}*{n})*1.9 + {seed:.3}) * ({turn})).reshape({m}, {n}))
let h = a + conj(a.T)
let p = a @ conj(a.T) + {dtype}(eye({n}))
let i = {dtype}(eye({n}))
fn far(u, v) = sum(abs(u - v)).astype(f64) / (1 + sum(abs(v)).astype(f64))
far(p @ linalg.inv(p), i) / (1 + linalg.norm(p).astype(f64))
let l = linalg.cholesky(p)
far(l @ conj(l.T), p)
far(linalg.solve(p, x.T), linalg.inv(p) @ x.T) / (1 + linalg.norm(p).astype(f64))
let (q, r) = linalg.qr(x)
far(q @ r, x)
far(conj(q.T) @ q, {dtype}(eye(q.shape[1])))
let (qc, rc) = linalg.qr(x, mode=\"complete\")
far(qc @ rc, x)
far(conj(qc.T) @ qc, {dtype}(eye({m})))
let (u, s, vh) = linalg.svd(x, full_matrices=false)
far((u * s) @ vh, x)
let (uf, sf, vf) = linalg.svd(x)
far(conj(uf.T) @ uf, {dtype}(eye({m})))
far(vf @ conj(vf.T), {dtype}(eye({n})))
far((uf[:, :s.size] * sf) @ vf[:s.size], x)
far(linalg.svdvals(x), s)
let (w, v) = linalg.eigh(h)
far(h @ v, v * w)
far(conj(v.T) @ v, i)
far(linalg.eigvalsh(h), w)
far(linalg.eigvalsh(h, UPLO=\"U\"), w)
let (z, t) = linalg.eig(a)
far(a @ t, t * z)
far(sum(abs(t)**2, axis=0), ones({n}))
far(sort(abs(linalg.eigvals(a))), sort(abs(z)))
let (sign, log) = linalg.slogdet(a)
abs(sign * exp(log) / linalg.det(a) - 1).astype(f64)
far(prod(z), linalg.det(a)) / (10 + {n})
let (order, low, up) = linalg.lu(x)
far(order @ low @ up, x)
far(order @ order.T, {dtype}(eye({m})))
far(tril(low), low) + far(triu(up), up)
count_nonzero(abs(low) > 1.00001).astype(f64)
let size = 1 + linalg.norm(h)
far(linalg.expm(h / size), (v * exp(w / size)) @ conj(v.T))
far(linalg.expm(a / size) @ linalg.expm(-a / size), i)
far(linalg.expm(a / size * 20), linalg.matrix_power(linalg.expm(a / size), 20)) / 50
let edges = {dtype}(ones(({n}, 1)))
far(linalg.tensorsolve(reshape(p, ({n}, 1, 1, {n})), edges)[0], linalg.solve(p, ravel(edges)))
far(ravel(linalg.tensorinv(reshape(p, ({n}, 1, {n}, 1)))), ravel(linalg.inv(p)))"
                );
                for (law, array) in values(&script).iter().enumerate() {
                    let far = array.to_vec::<f64>()[0];
                    prop_assert!(far < near, "law {law} of {dtype}, n={n}, m={m}, seed {seed:.3}: {far:e}");
                }
            }
        }
    }

    #[test]
    fn matrices_without_an_answer_are_errors_in_place() {
        for (text, words) in [
            ("linalg.inv([[1.0, 2.0], [2.0, 4.0]])", "unfit-matrix `linalg.inv`: the matrix is singular"),
            ("linalg.solve(zeros((2, 2)), ones(2))", "unfit-matrix `linalg.solve`: the matrix is singular"),
            ("linalg.solve(stack((eye(2), zeros((2, 2)))), ones(2))", "the matrix at [1] is singular"),
            ("linalg.cholesky([[1.0, 2.0], [2.0, 1.0]])", "`linalg.cholesky`: the matrix is not positive definite"),
            ("linalg.cholesky([[nan]])", "not positive definite"),
            ("linalg.inv([[0j]])", "singular"),
        ] {
            let found = errors(text);
            assert!(found.contains(words), "{text}: {found}");
        }
    }

    #[test]
    fn what_is_no_finite_number_gives_nan_and_ends() {
        let all = "linalg.lu(x)[1]\nlinalg.inv(x)\nlinalg.solve(x, ones(3))\nlinalg.det(x)\nlinalg.slogdet(x)[1]\nlinalg.eigvals(x)\n";
        let more = "linalg.expm(x)\nlinalg.qr(x)[0]\nlinalg.svdvals(x)\nlinalg.svd(x)[0]\nlinalg.eigh(x)[1]\nlinalg.eig(x)[1]\nlinalg.pinv(x)\n";
        for dtype in ["f64", "c64"] {
            let made =
                values(&format!("let x = {dtype}([[1.0, 2.0, 3.0], [4.0, nan, 6.0], [7.0, 8.0, 10.0]])\n{all}{more}"));
            assert!(made.iter().all(|array| parts(array).0.iter().all(|x| x.is_nan())), "{dtype}");
        }
        let made = values(&format!("let x = [[1.0, inf, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 10.0]]\n{more}"));
        assert!(made.iter().all(|array| parts(array).0.iter().all(|x| x.is_nan())));
    }

    #[test]
    fn matrices_of_nothing_have_factors() {
        let made = values(
            "let x = zeros((0, 0))\nlinalg.det(x)\nlinalg.inv(x)\nlinalg.svd(zeros((0, 3)))[2]\nlinalg.qr(zeros((3, 0)), mode=\"complete\")[0]
linalg.slogdet(zeros((2, 0, 0)))[1]\nlinalg.eigvals(x)\nlinalg.svdvals(zeros((0, 3)))\nlinalg.solve(eye(2), zeros((2, 0)))\nlinalg.norm(zeros(0))
linalg.lu(zeros((0, 3)))[2]\nlinalg.lu(zeros((3, 0)))[0]\nlinalg.lu(zeros((3, 0)))[1]\nlinalg.expm(zeros((2, 0, 0)))",
        );
        let shapes: Vec<&[usize]> = made.iter().map(|array| array.shape()).collect();
        let wanted: [&[usize]; 13] =
            [&[], &[0, 0], &[3, 3], &[3, 3], &[2], &[0], &[0], &[2, 0], &[], &[0, 3], &[3, 3], &[3, 0], &[2, 0, 0]];
        assert_eq!(shapes, wanted);
        assert_eq!(parts(&made[0]).0, [1.0]);
        assert_eq!(parts(&made[2]).0, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
        assert_eq!(parts(&made[4]).0, [0.0, 0.0]);
        assert_eq!(parts(&made[10]).0, [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }

    #[test]
    fn the_reference_and_threads_give_the_same_bits() {
        let script = "let x = (sin(arange(4*9*9)*3.7)).reshape(4, 9, 9)\nlinalg.inv(x)\nlinalg.svd(x)[0]\nlinalg.eigvals(x[:, :3, ::3].copy())\nlinalg.solve(swapaxes(x, 1, 2), x[0])\nlinalg.lu(x[:, :3])[1]\nlinalg.expm(x)\nlinalg.det(reshape(sin(arange(300*9)*1.7), (300, 3, 3)))\nlinalg.inv(reshape(sin(arange(300*9)*1.7), (3, 100, 3, 3)))";
        let script = script.replace(".copy()", "");
        let bits = |engine: Engine, threads: usize| {
            let options = Options { engine, threads: NonZeroUsize::new(threads), ..Options::default() };
            let reply = lab::session(Mode::All).evaluate(&Input { options, ..Input::new("linear.arr", &script) });
            assert_eq!(reply.diagnostics.error_count(), 0, "{:?}", lab::messages(&reply.diagnostics));
            let numbers = reply.values.iter().map(|shown| parts(&shown.array));
            numbers
                .map(|(re, im)| [re, im].concat().into_iter().map(f64::to_bits).collect::<Vec<_>>())
                .collect::<Vec<_>>()
        };
        let one = bits(Engine::Reference, 1);
        assert_eq!(one, bits(Engine::Jit, 1));
        assert_eq!(one, bits(Engine::Jit, 4));
        assert_eq!(one, bits(Engine::Blocks, 2));
    }

    #[test]
    fn what_is_written_in_the_language_runs_under_every_system() {
        for system in ["jax", "jax-strict", "numpy", "numpy1", "torch", "tf", "tf-numpy"] {
            let made = values(&format!(
                "promotion {system}\nlet x = f32([[2.0f32, 0.0], [0.0, 4.0], [0.0, 0.0]])\nlet b = f32([2.0f32, 4.0, 0.0])\nlinalg.matrix_rank(x)
linalg.pinv(x)\nlet (s, d, r, v) = linalg.lstsq(x, b)\ns\nlinalg.cond(x)\nlinalg.tensorsolve(reshape(x[:2], (1, 2, 2)), reshape(b[:2], (1, 2)))
linalg.tensorinv(x[:2], ind=1)"
            ));
            let found: Vec<Vec<f64>> = made.iter().map(|array| parts(array).0).collect();
            let wanted: [&[f64]; 6] =
                [&[2.0], &[0.5, 0.0, 0.0, 0.0, 0.25, 0.0], &[1.0, 1.0], &[2.0], &[1.0, 1.0], &[0.5, 0.0, 0.0, 0.25]];
            assert_eq!(found, wanted, "{system}");
        }
    }

    #[test]
    fn a_negative_power_is_one_of_the_inverse() {
        let made = values("linalg.matrix_power([[2, 0], [0, 4]], -2)");
        assert_eq!(parts(&made[0]).0, [0.25, 0.0, 0.0, 0.0625]);
        assert!(errors("linalg.matrix_power([[1.0, 1.0], [1.0, 1.0]], -1)").contains("singular"));
    }

    #[test]
    fn a_determinant_may_leave_the_range_on_the_way() {
        let made = values(
            "linalg.det(diag(concat([full(200, 1e3), full(200, 1e-3)])))\nlinalg.slogdet(eye(400) * 1e3)[1] / log(1e3)",
        );
        assert!((parts(&made[0]).0[0] - 1.0).abs() < 1e-9, "{:?}", parts(&made[0]));
        assert!((parts(&made[1]).0[0] - 400.0).abs() < 1e-9);
    }
}
