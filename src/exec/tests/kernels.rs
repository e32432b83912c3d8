//! Measurements of kernels k1 to k15, as `docs` name them, with the folds:
//!
//! ```text
//! ARR_KERNELS=k13 cargo test --release --lib kernels -- --ignored --nocapture
//! ```
//!
//! `ARR_SIZES` lists other sizes, `ARR_CHECKED=1` measures what `--checked` makes of them.
#![expect(clippy::print_stdout, reason = "it measures")]

use crate::exec::{Options, run};
use crate::session::{Input, Session};
use std::time::Instant;

/// A name, dtypes, names to define first, and what is measured. `$t` is the dtype, `$n` the count, `$r` and `$c` rows
/// and columns whose product is the count.
const KERNELS: [(&str, &[&str], &str, &str); 50] = [
    ("k1 2a+3b", &["f32", "f64"], "a b", "2*a + 3*b"),
    ("k2 ab+c", &["f32", "f64"], "a b c", "a*b + c"),
    ("k3", &["f32", "f64"], "a b c", "(a-b)**2 + (a+b)**2 - 1.5*a*b + c/(1+a*a)"),
    ("k4 gauss", &["f32", "f64"], "a", "exp(-0.5*((a - 0.3)/1.7)**2)"),
    ("k5 sin2+cos2", &["f32", "f64"], "a b", "sin(a)**2 + cos(b)**2"),
    ("k6 softplus", &["f32", "f64"], "a", "log1p(exp(-abs(a))) + maximum(a, 0)"),
    ("k6 gelu", &["f32", "f64"], "a", "0.5*a*(1 + tanh(0.7978845608028654*(a + 0.044715*a*a*a)))"),
    ("k7 Black-Scholes", &["f32", "f64"], "s k t", PRICE),
    ("exp", &["f32", "f64"], "a", "exp(a)"),
    ("log", &["f32", "f64"], "s", "log(s)"),
    ("sin", &["f32", "f64"], "a", "sin(a)"),
    ("tanh", &["f32", "f64"], "a", "tanh(a)"),
    ("erf", &["f32", "f64"], "a", "erf(a)"),
    ("k8 where", &["f32", "f64"], "a b", "where(a > b, a-b, a+b*2)"),
    ("k9 blend", &["u8"], "a b", "u8((u16(a)*3 + u16(b)) // 4)"),
    ("k10a i16+f32", &["i16"], "a f", "a + f"),
    ("k11 X-mean", &["f32", "f64"], "X row", "X - row[None, :]"),
    ("k11 outer", &["f32", "f64"], "col row", "col[:, None] * row[None, :]"),
    ("k12 strided", &["f32", "f64"], "A b", "A[::2]*2 + b"),
    ("k13 sum(ab)", &["f32", "f64"], "a b", "sum(a*b)"),
    ("k13 mean sq diff", &["f32", "f64"], "a b", "mean((a-b)**2)"),
    ("k13 sum axis 0", &["f32", "f64"], "X", "sum(X, axis=0)"),
    ("k13 sum axis 1", &["f32", "f64"], "X", "sum(X, axis=1)"),
    ("k14 zz+c", &["c64"], "a b", "a*a + b"),
    ("k15 lcg", &["u32", "i64"], "a", "(a*1103515245 + 12345) & 0x7fffffff"),
    ("sum", &["f32", "f64", "i32", "u8", "c64"], "a", "sum(a)"),
    ("sum of squares", &["f32", "f64"], "a", "sum(a*a)"),
    ("mean abs diff", &["f32", "f64"], "a b", "mean(abs(a-b))"),
    ("var", &["f32", "f64"], "a", "var(a)"),
    ("std axis 1", &["f32", "f64"], "X", "std(X, axis=1)"),
    ("var axis 0", &["f32", "f64"], "X", "var(X, axis=0)"),
    ("max", &["f32", "f64", "i32", "u8", "i16"], "a", "max(a)"),
    ("max axis 0", &["f32"], "X", "max(X, axis=0)"),
    ("max axis 1", &["f32"], "X", "max(X, axis=1)"),
    ("argmax", &["f32", "f64", "i32", "u8"], "a", "argmax(a)"),
    ("argmax axis 0", &["f32"], "X", "argmax(X, axis=0)"),
    ("argmax axis 1", &["f32"], "X", "argmax(X, axis=1)"),
    ("any(a > 1e9)", &["f32", "f64"], "a", "any(a > 1e9)"),
    ("all(a < 1e9)", &["f32", "f64"], "a", "all(a < 1e9)"),
    ("sum(a > b)", &["f32"], "a b", "sum(a > b)"),
    ("cumsum", &["f32", "f64", "i32"], "a", "cumsum(a)"),
    ("cumsum axis 0", &["f32", "f64"], "X", "cumsum(X, axis=0)"),
    ("cumsum axis 1", &["f32", "f64"], "X", "cumsum(X, axis=1)"),
    ("transposed sum", &["f32"], "X", "sum(X.T, axis=0)"),
    ("a.T + X", &["f32"], "X", "X.T + 1"),
    ("a < b", &["f32", "u8"], "a b", "a < b"),
    ("(a<b) and (b<c)", &["f32"], "a b c", "(a < b) and (b < c)"),
    ("f64(a)", &["f32", "i32", "u8"], "a", "f64(a)"),
    ("i32(a)", &["f32", "f64"], "a", "i32(a)"),
    ("clip", &["f32", "f64"], "a", "clip(a, -0.5, 0.5)"),
];

/// The price of a European call.
const PRICE: &str = "let d = 0.2*sqrt(t)
let p = (log(s/k) + 0.05*t)/d
fn normal(x) = 0.5*(1 + erf(x*0.7071067811865476))
s*normal(p) - k*exp(-0.03*t)*normal(p - d)";

/// Defines a name: numbers between -1 and 1, positive ones, or small ones where the dtype has no fractions.
fn define(name: &str, dtype: &str, count: usize) -> String {
    let (rows, columns) = (count / columns(count), columns(count));
    let vector = |seed: usize, dtype: &str, count: usize| match dtype.starts_with(['f', 'c']) {
        true => format!("{dtype}(f64(arange({count}) * {seed} % 2003) / 1001.5 - 1)"),
        false => format!("{dtype}(arange({count}) * {seed} % 113)"),
    };
    let value = match name {
        "a" => vector(7919, dtype, count),
        "b" => vector(104729, dtype, count),
        "c" => vector(1299709, dtype, count),
        "s" => format!("1.5 + {}", vector(7919, dtype, count)),
        "k" => format!("1.5 + {}", vector(104729, dtype, count)),
        "t" => format!("1.25 + {}", vector(1299709, dtype, count)),
        "f" => vector(7919, "f32", count),
        "A" => vector(7919, dtype, 2 * count),
        "X" => format!("reshape({}, {rows}, {columns})", vector(7919, dtype, count)),
        "row" => vector(7919, dtype, columns),
        _ => vector(104729, dtype, rows),
    };
    format!("let {name} = {value}\n")
}

fn columns(count: usize) -> usize {
    match count {
        ..=1000 => 50,
        1001..=100_000 => 250,
        _ => 1000,
    }
}

#[test]
#[ignore = "measures"]
fn kernels() {
    let wanted = std::env::var("ARR_KERNELS").unwrap_or_default();
    let sizes = std::env::var("ARR_SIZES").unwrap_or("1000 100000 10000000".to_owned());
    for count in sizes.split_whitespace().map(|size| size.parse::<usize>().expect("a count")) {
        for (name, dtypes, names, text) in KERNELS {
            if !name.contains(&wanted) {
                continue;
            }
            for dtype in dtypes {
                let mut session = Session::default();
                session.settings.checked = std::env::var_os("ARR_CHECKED").is_some();
                for name in names.split_whitespace() {
                    let reply = session.evaluate(&Input::new("define", &define(name, dtype, count)));
                    assert!(reply.outcome.is_done(), "{:?}", reply.diagnostics);
                }
                let prepared = session.prepare(&Input::new("kernel", text));
                let program = prepared.checked.program.unwrap_or_else(|| panic!("{text}: {:?}", prepared.diagnostics));
                let options = Options { threads: std::num::NonZeroUsize::new(1), ..Options::default() };
                let once = || {
                    let begun = Instant::now();
                    let _ = std::hint::black_box(run(&program, &options));
                    begun.elapsed().as_secs_f64() * 1e9
                };
                once();
                let rounds = (30_000_000 / count).clamp(5, 3000);
                let mut times: Vec<f64> = (0..rounds).map(|_| once()).collect();
                times.sort_by(f64::total_cmp);
                let (best, middle) = (times[0], times[rounds / 2]);
                let per = count as f64;
                println!("{name:18}\t{dtype}\t{count}\t{:.4}\t{:.4}\t{middle:.0}", best / per, middle / per);
            }
        }
    }
}
