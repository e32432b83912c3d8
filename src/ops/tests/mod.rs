//! Tests of the rows: what they document is what they do.

mod complex;
mod points;

use super::{Form, Op, Role};
use crate::array::Array;
use crate::array::show::scalar_text;
use crate::check::{Request, check};
use crate::diagnostic::Diagnostics;
use crate::exec::{Engine, Options, run};
use crate::ir::library::Feature;
use crate::ir::{Program, verify};
use crate::source::Sources;
use crate::syntax;
use std::collections::HashSet;

/// The program of a script, or the messages of its errors.
fn program(script: &str) -> Result<Program, String> {
    let mut sources = Sources::new();
    let source = sources.add("test.arr", script);
    let mut sink = Diagnostics::new();
    let parsed = syntax::parse(&sources, source, &mut sink);
    let checked = check(&Request::new(&parsed, &sources), &mut sink);
    checked.program.ok_or_else(|| sink.iter().map(|found| found.message.clone()).collect::<Vec<_>>().join("; "))
}

/// What an expression prints, whichever way it is run.
fn value(script: &str) -> Result<String, String> {
    let program = program(script)?;
    verify::program(&program)?;
    let results = [Engine::Reference, Engine::Blocks, Engine::Jit].map(|engine| {
        let arrays = run(&program, &Options { engine, ..Options::default() }).map_err(|error| error.to_string())?;
        Ok(written(&arrays[0], &mut 0, 0))
    });
    let [reference, blocks, jit]: [Result<String, String>; 3] = results;
    assert_eq!(reference, blocks, "{script}");
    assert_eq!(reference, jit, "{script}");
    reference
}

/// An array as the language writes it: `[1.0, 2.0]`.
fn written(array: &Array, flat: &mut usize, axis: usize) -> String {
    if axis == array.shape().len() {
        *flat += 1;
        return scalar_text(array.get(*flat - 1));
    }
    let items = (0..array.shape()[axis]).map(|_| written(array, flat, axis + 1));
    format!("[{}]", items.collect::<Vec<_>>().join(", "))
}

fn prints(expression: &str, expected: &str) {
    assert_eq!(value(expression).as_deref(), Ok(expected), "{expression}");
}

#[test]
fn every_example_prints_what_it_says() {
    let mut wrong = Vec::new();
    // What reads files needs a session; the tests of the documentation have one.
    let is_built = |op: &&Op| Feature::Linear.is_built() || !op.name.starts_with("linalg.");
    for op in super::all().filter(|op| !matches!(op.form, Form::Load(_))).filter(is_built) {
        for &(expression, expected) in op.examples {
            let found = value(expression).unwrap_or_else(|error| format!("error: {error}"));
            if found != expected {
                wrong.push(format!("{}: {expression} prints {found}, not {expected}", op.name));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Arrays, so that nothing folds: [`value`] compares the ways of running.
#[test]
fn every_elementwise_row_runs_the_same_every_way() {
    let dtypes = [
        ("bool", "[1, 0, 1]"),
        ("i8", "[-128, 0, 3]"),
        ("u32", "[4294967295, 0, 3]"),
        ("i64", "[-1, 0, 70]"),
        ("f16", "[-0.0, 0.3, 65504.0]"),
        ("bf16", "[nan, -2.5, inf]"),
        ("f32", "[-0.0, 0.3, 1e30]"),
        ("f64", "[nan, -2.5, -inf, 1e-310, 800.0]"),
        ("c64", "[0.3-1.7j, -0.0, 1e30j]"),
        ("c128", "[0.6+0.8j, -2.5, nan*1j, inf-1j, 800+1j]"),
    ];
    let mut ran = 0;
    for op in
        super::all().filter(|op| matches!(op.form, Form::Map(_) | Form::Tuned(_) | Form::Kept(_) | Form::Compare(_)))
    {
        for (dtype, values) in dtypes {
            let args = op.params.iter().filter(|param| param.default.is_none()).map(|param| match param.role {
                Role::Condition => "bool(x)",
                _ => "x",
            });
            let call = format!("let x = {dtype}({values})\n{}({})", op.name, args.collect::<Vec<_>>().join(", "));
            if program(&call).is_ok() {
                let run = value(&call);
                assert!(run.is_ok(), "{call}: {run:?}");
                ran += 1;
            }
        }
    }
    assert!(ran > 500, "{ran} calls were accepted");
}

/// Whatever a system accepts, the rows have a meaning for it.
#[test]
fn every_row_can_be_built_in_every_system() {
    for system in crate::promotion::systems::ALL.iter() {
        for op in super::all().filter(|op| !matches!(op.form, Form::Make(_) | Form::Cast(_) | Form::Load(_))) {
            for dtype in crate::types::DType::ALL {
                let args = op.params.iter().filter(|param| param.default.is_none()).map(|param| match param.role {
                    Role::Condition => "x == x",
                    _ => "x",
                });
                let call = format!("{}({})", op.name, args.collect::<Vec<_>>().join(", "));
                let script = format!("promotion {}\ninput x: {dtype}[3]\n{call}", system.name);
                if let Ok(program) = program(&script) {
                    assert_eq!(verify::program(&program), Ok(()), "{script}");
                }
            }
        }
    }
}

#[test]
fn every_row_is_documented_and_named_once() {
    let mut names = HashSet::new();
    let mut notations = HashSet::new();
    for op in super::all() {
        assert!(!op.summary.is_empty() && !op.summary.ends_with('.'), "{}: {:?}", op.name, op.summary);
        assert!(!op.special.ends_with('.'), "{}: {:?}", op.name, op.special);
        assert!(!op.examples.is_empty(), "{} has no example", op.name);
        for &name in std::iter::once(&op.name).chain(&op.aliases()) {
            assert!(names.insert(name), "{name} is there twice");
        }
        assert!(op.notation.is_none_or(|notation| notations.insert(notation)), "{:?} is there twice", op.notation);
        let takes_numbers = op.params.iter().any(|param| param.role == Role::Number);
        assert!(
            !takes_numbers || matches!(op.form, Form::Tuned(_) | Form::Kept(_) | Form::Make(_)),
            "{} drops its numbers",
            op.name
        );
    }
}

#[test]
fn every_elementwise_builtin_of_the_language_is_a_row() {
    let names = "bitcast saturate abs sign sqrt cbrt rsqrt square exp exp2 expm1 log log2 log10 log1p sin cos tan \
                 asin acos atan atan2 sinh cosh tanh asinh acosh atanh hypot sigmoid relu softplus gelu erf erfc \
                 gamma lgamma floor ceil trunc round minimum maximum clip where fma copysign isnan isinf isfinite \
                 isclose logaddexp real imag conj angle popcount clz gcd lcm logical_and logical_or logical_xor \
                 logical_not";
    for name in names.split_whitespace() {
        assert!(super::find(name).is_some(), "{name}");
    }
}

#[test]
fn an_alias_leads_to_the_row() {
    assert_eq!(super::find("arcsin").map(|op: &Op| op.name), Some("asin"));
    prints("np.absolute(-3)", "3");
}

#[test]
fn casts_with_a_dtype_saturate_and_reinterpret() {
    prints("saturate([-1, 0, 255, 256], u8)", "[0, 0, 255, 255]");
    prints("saturate([0.5, 1.5, 2.5, -0.5, 300.0], u8)", "[0, 2, 2, 0, 255]");
    prints("saturate(f16([nan, inf, -inf]), i8)", "[0, 127, -128]");
    prints("saturate(18446744073709551615u64, i64)", "9223372036854775807");
    prints("saturate(-9223372036854775808i64, u64)", "0");
    prints("saturate(true, i32)", "1");
    prints("bitcast(1065353216u32, f32)", "1.0");
    prints("bitcast(f16([1.0, -0.0]), u16)", "[15360, 32768]");
    prints("bitcast(1.0, u64)", "4607182418800017408");
    for (script, why) in [
        ("bitcast(1.0f32, u64)", "`bitcast` makes no u64 of f32: f32 has 32 bits and u64 has 64"),
        ("bitcast(1u8, bool)", "`bitcast` makes no bool of u8: most bytes are no bool; write `x != 0`"),
        (
            "bitcast(1j, u64)",
            "`bitcast` makes no u64 of c*: complex numbers are read part by part: `real(z)`, `imag(z)`",
        ),
        ("saturate(1, f32)", "`saturate` makes no f32 of i*: only integers have ends; to convert, write `f32(x)`"),
        ("saturate(1, 8)", "`dtype` is a dtype, such as `f32`"),
    ] {
        assert_eq!(value(script), Err(why.to_owned()));
    }
}

#[test]
fn integers_keep_their_dtype_and_wrap() {
    prints("sign(i8([-128, 0, 5]))", "[-1, 0, 1]");
    prints("lcm(-128i8, 3i8)", "-128");
    prints("lcm(i32([0, 4, -6]), 0)", "[0, 0, 0]");
    prints("round(i16([7]))", "[7]");
    prints("relu(i8([-5, 5]))", "[0, 5]");
    prints("square(true)", "1");
    prints("square(2**40) // 2**60", "1048576");
    prints("imag(u8([1, 2]))", "[0, 0]");
}

#[test]
fn tails_neither_overflow_nor_lose_their_value() {
    prints("sigmoid(-745.0)", "5e-324");
    prints("softplus([nan, inf, -inf, -800.0])", "[nan, inf, 0.0, 0.0]");
    prints("gelu([-40.0, 0.0, -0.0])", "[-0.0, 0.0, -0.0]");
    prints("isclose(gelu(-10.0), -7.61985302416052e-23, 1e-13, 0)", "true");
    prints("logaddexp(1000, 1000)", "1000.6931471805599");
    prints("logaddexp([inf, -inf, nan], [-inf, inf, 0.0])", "[inf, inf, nan]");
    prints("rsqrt([0.0, -0.0, inf])", "[inf, -inf, 0.0]");
    prints("isclose([1.0, inf, nan, -inf], [1.0, inf, nan, inf])", "[true, true, false, false]");
    prints("isclose(1e-9, 0, atol=0)", "false");
    prints("isclose(1+1j, 1+1.000001j)", "true");
}

#[test]
fn complex_extremes_go_by_the_real_part_first() {
    prints("maximum(1+5j, 2+0j)", "(2+0j)");
    prints("minimum(1+5j, 1-5j)", "(1-5j)");
    prints("maximum(1+0j, 3 + nan*1j)", "(nan+nanj)");
}

#[test]
fn parts_of_real_numbers_keep_their_shape() {
    prints("imag(c64([1, 2]))", "[0.0, 0.0]");
    prints("sum(c64([1, 2]))", "(3+0j)");
    prints("max(c64([1, 2]))", "(2+0j)");
    prints("max([1+5j, 1 + nan*1j])", "(nan+nanj)");
    prints("min([[1+5j, 0j], [1-5j, 2j]], axis=0)", "[(1-5j), 0j]");
}

#[test]
fn real_functions_refuse_complex_numbers() {
    for call in ["cbrt(1j)", "erf(1j)", "hypot(1j, 1)", "floor(1j)", "relu(1j)", "gcd(1j, 1)", "sign(true)"] {
        assert!(value(call).is_err(), "{call}");
    }
}

#[test]
fn powers_of_complex_numbers() {
    prints("(1+2j) ** 2", "(-3+4j)");
    prints("(1+2j) ** 3", "(-11-2j)");
    prints("2j ** -1", "-0.5j");
    prints("2j ** 10", "(-1024+0j)");
    prints("(-4+0j) ** 0.5", "2j");
    prints("(3+4j) ** 0", "(1+0j)");
    prints("c64([0j, 1j]) ** [1+1j, 0j]", "[0j, (1+0j)]");
    prints("c64([0j]) ** [-1+1j]", "[(nan+nanj)]");
}

#[test]
fn attributes_are_the_parts() {
    prints("let z = [1+2j, 3-4j]\nz.imag", "[2.0, -4.0]");
    prints("(c64(1+2j)).real", "1.0");
    prints("(5i8).imag", "0");
}
