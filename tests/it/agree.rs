//! Agreement: compiled code, interpreted blocks and the reference evaluator give the same bits.
//!
//! Every row of the table of operations runs on everything that fits in two bytes, and on awkward values of all other
//! dtypes; `random` writes whole programs.

pub(crate) mod data;
mod loops;
mod random;
mod shaped;
mod updates;

use crate::lab;
use arrlang::array::Array;
use arrlang::check::{self, BoundName, GivenNames, Request, ScriptUse, Settings};
use arrlang::diagnostic::Diagnostics;
use arrlang::exec::{self, Engine, Options, RunError};
use arrlang::ir::Program;
use arrlang::ops::{self, Form, Op, Role};
use arrlang::source::{Sources, Span};
use arrlang::syntax;
use arrlang::types::DType;
use data::Random;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// The program of a text with these inputs; `None` when the checker refuses it.
pub(crate) fn program(text: &str, inputs: &[(String, Array)], settings: &Settings) -> Option<Program> {
    let mut sources = Sources::new();
    let source = sources.add("agree.arr", text);
    let place = Span::new(source, 0, 0);
    let mut found = Diagnostics::new();
    let script = syntax::parse(&sources, source, &mut found);
    let bound: BTreeMap<String, (BoundName, Span)> =
        inputs.iter().map(|(name, array)| (name.clone(), (BoundName::Data(array.clone()), place))).collect();
    let request = Request {
        settings: settings.clone(),
        given: GivenNames { bound: &bound, ..GivenNames::default() },
        usage: ScriptUse { needs_data: true, free_names: true, ..ScriptUse::default() },
        ..Request::new(&script, &sources)
    };
    check::check(&request, &mut found).program
}

/// Whether what an engine makes is verified before it runs.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Verify {
    Yes,
    No,
}

/// Runs a program one way.
pub(crate) fn run(program: &Program, engine: Engine, verify: Verify) -> Result<Vec<Array>, RunError> {
    // Also the smallest array is shared by some number of threads.
    static TURN: AtomicUsize = AtomicUsize::new(0);
    let notes = std::cell::RefCell::default();
    let max_memory = Some(256 << 20);
    let threads = NonZeroUsize::new(1 + TURN.fetch_add(1, Ordering::Relaxed) % 16);
    let grain = Some(Duration::ZERO);
    let verify = verify == Verify::Yes;
    let options = Options { engine, verify, max_memory, threads, grain, notes: Some(&notes), ..Options::default() };
    let result = exec::run(program, &options);
    assert!(notes.borrow().is_empty(), "{notes:?}");
    result
}

/// The first difference between what an engine and the reference give.
pub(crate) fn disagreement(program: &Program, engine: Engine, verify: Verify) -> Option<String> {
    differ(program, &run(program, Engine::Reference, Verify::No), engine, verify)
}

/// The first difference between what an engine gives and `meaning`.
pub(crate) fn differ(
    program: &Program,
    meaning: &Result<Vec<Array>, RunError>,
    engine: Engine,
    verify: Verify,
) -> Option<String> {
    let fast = run(program, engine, verify);
    let (fast, meaning) = match (&fast, meaning) {
        (Ok(fast), Ok(meaning)) => (fast, meaning),
        // How much is held at once is a matter of the engine.
        (Err(RunError::OutOfMemory { .. }), _) | (_, Err(RunError::OutOfMemory { .. })) => return None,
        (fast, meaning) if fast == meaning => return None,
        // Of several faults a program with loops tells any: what needs no loop is looked at first.
        (Err(fast), Err(meaning)) if is_fault(fast) && is_fault(meaning) && !program.loops().is_empty() => return None,
        (fast, meaning) => return Some(format!("{engine:?} gives {fast:?}, the reference {meaning:?}")),
    };
    for (number, (fast, meaning)) in fast.iter().zip(meaning).enumerate() {
        if fast.shape() != meaning.shape() || fast.dtype() != meaning.dtype() {
            return Some(format!("output {number}: {fast:?} should be {meaning:?}"));
        }
        if let (Some(fast), Some(meaning)) = (fast.contiguous_bytes(), meaning.contiguous_bytes())
            && fast == meaning
        {
            continue;
        }
        if let Some(flat) = (0..fast.len()).find(|&flat| !fast.get(flat).same(meaning.get(flat))) {
            let (fast, meaning) = (fast.get(flat), meaning.get(flat));
            return Some(format!("{engine:?} output {number} element {flat}: {fast:?} should be {meaning:?}"));
        }
    }
    None
}

fn is_fault(error: &RunError) -> bool {
    matches!(error, RunError::CheckFailed { .. } | RunError::Step(_))
}

/// Asserts that all engines agree on a text, if the checker takes it; answers whether it did.
fn agrees(text: &str, inputs: &[(String, Array)]) -> bool {
    let Some(program) = program(text, inputs, &Settings::default()) else { return false };
    let meaning = run(&program, Engine::Reference, Verify::No);
    for engine in [Engine::Jit, Engine::Blocks] {
        if let Some(difference) = differ(&program, &meaning, engine, Verify::Yes) {
            let dtypes: Vec<String> = inputs.iter().map(|(name, array)| format!("{name}: {}", array.dtype())).collect();
            panic!("{text}  with {dtypes:?}\n{difference}");
        }
    }
    true
}

/// A row called with these names for its operands; a condition is whether `c` is true.
fn call(op: &Op, operands: &[&str]) -> String {
    let mut operands = operands.iter();
    let args = op.params.iter().filter(|param| param.default.is_none()).map(|param| match param.role {
        Role::Operand => (*operands.next().expect("as many operands as the row has")).to_owned(),
        Role::Condition => "bool(c)".to_owned(),
        _ => "2".to_owned(),
    });
    format!("{}({})", op.name, args.collect::<Vec<_>>().join(", "))
}

fn elementwise() -> impl Iterator<Item = &'static Op> {
    ops::all().filter(|op| {
        !matches!(
            op.form,
            Form::Make(_)
                | Form::Cast(_)
                | Form::Fold(_)
                | Form::Scan(_)
                | Form::Matrices(_)
                | Form::Spectrum(_)
                | Form::Load(_)
        )
    })
}

/// Every cast of `x`, by whichever means.
fn casts() -> impl Iterator<Item = String> {
    DType::ALL
        .into_iter()
        .flat_map(|to| [format!("{to}(x)"), format!("saturate(x, {to})"), format!("bitcast(x, {to})")])
}

fn named(name: &str, array: Array) -> (String, Array) {
    (name.to_owned(), array)
}

/// All rows of one operand, and all casts, on all values of a dtype.
fn all_values(dtype: DType) -> usize {
    let x = [named("x", data::all(dtype))];
    // A text with a loop takes as many steps over all values as there are values.
    let loops = |op: &Op| matches!(op.form, Form::Written(ways) if ways.iter().any(|way| way.code.contains("repeat ")));
    let has_one = |op: &Op| op.params.iter().filter(|param| param.default.is_none()).count() == 1;
    let calls = elementwise().filter(|op| has_one(op) && !loops(op));
    calls.map(|op| call(op, &["x"])).chain(casts()).filter(|text| agrees(text, &x)).count()
}

#[test]
fn all_values_of_f16_agree() {
    assert!(all_values(DType::F16) > 60);
}

#[test]
fn all_values_of_bf16_agree() {
    assert!(all_values(DType::Bf16) > 60);
}

#[test]
fn all_values_of_i16_agree() {
    assert!(all_values(DType::I16) > 60);
}

#[test]
fn all_values_of_u16_agree() {
    assert!(all_values(DType::U16) > 60);
}

#[test]
fn all_pairs_of_bytes_agree() {
    let mut random = Random::new(5);
    for dtype in [DType::I8, DType::U8] {
        let (x, y) = data::pairs(dtype);
        let c = data::array(&mut random, DType::Bool, &[65_536]);
        let inputs = [named("x", x), named("y", y), named("c", c)];
        let binary = elementwise().filter(|op| op.operand_count() == 2);
        let ran = binary.filter(|op| agrees(&call(op, &["x", "y"]), &inputs)).count();
        println!("{dtype}: {ran} operations on all pairs");
        assert!(ran > 25, "{ran}");
        let repeated =
            [named("x", inputs[0].1.clone()), named("y", data::all(dtype).view(vec![256, 1], vec![1, 0], 0))];
        assert!(agrees("x // y + x % y - x ** y + (x << y) + (x >> y)", &inputs));
        assert!(agrees("sum(x[None] // y, axis=0)", &repeated) || agrees("sum(x // y, axis=0)", &repeated));
    }
}

/// Rows on awkward values: all dtypes of the operands are the same; lengths around the widths of vectors and blocks.
fn awkward(dtype: DType) -> usize {
    let mut random = Random::new(dtype as u64 + 77);
    let mut ran = 0;
    for op in elementwise() {
        for len in [0, 1, 7, 33, 130] {
            let inputs: Vec<(String, Array)> = ["x", "y", "z", "c"]
                .iter()
                .map(|name| {
                    named(name, data::laid_out(&mut random, if *name == "c" { DType::Bool } else { dtype }, &[len]))
                })
                .collect();
            ran += usize::from(agrees(&call(op, &["x", "y", "z"][..op.operand_count().min(3)]), &inputs));
        }
    }
    for text in casts() {
        for len in [5, 67] {
            ran += usize::from(agrees(&text, &[named("x", data::laid_out(&mut random, dtype, &[len]))]));
        }
    }
    ran
}

#[test]
fn awkward_values_of_the_other_dtypes_agree() {
    let two_bytes = [DType::F16, DType::Bf16, DType::I16, DType::U16];
    let ran: usize = DType::ALL.into_iter().filter(|dtype| !two_bytes.contains(dtype)).map(awkward).sum();
    println!("{ran} calls");
    assert!(ran > 3_000, "{ran}");
}

/// Two-operand rows of two dtypes: the conversions in between, and comparisons across signedness.
#[test]
fn operands_of_two_dtypes_agree() {
    let mut random = Random::new(3);
    let mut ran = 0;
    let rows =
        ["add", "less", "equal", "power", "floor_divide", "left_shift", "maximum", "true_divide", "where", "hypot"];
    for x in DType::ALL {
        for y in DType::ALL {
            let inputs = [
                named("x", data::laid_out(&mut random, x, &[2, 19])),
                named("y", data::laid_out(&mut random, y, &[19])),
                named("c", data::laid_out(&mut random, DType::Bool, &[2, 1])),
            ];
            for op in rows.iter().filter_map(|name| ops::find(name)) {
                ran += usize::from(agrees(&call(op, &["x", "y"]), &inputs));
            }
        }
    }
    println!("{ran} calls");
    assert!(ran > 500, "{ran}");
}

#[test]
fn reductions_and_scans_of_every_dtype_agree() {
    let mut random = Random::new(9);
    let mut ran = 0;
    for op in ops::all().filter(|op| matches!(op.form, Form::Fold(_) | Form::Scan(_))) {
        for dtype in DType::ALL {
            for (shape, axes) in [
                (&[][..], ""),
                (&[0], ""),
                (&[1025], ", axis=-1, keepdims=true"),
                (&[9, 130], ", axis=-1"),
                (&[3, 1, 50], ""),
                (&[3, 40, 5], ", axis=(0, -1)"),
                (&[40, 1, 17], ", axis=1"),
                (&[70, 33], ", axis=0"),
                (&[2, 0, 3], ", axis=1"),
                (&[2, 0, 3], ", axis=0"),
            ] {
                let x = [named("x", data::laid_out(&mut random, dtype, shape))];
                ran += usize::from(agrees(&format!("{}(x{axes})", op.name), &x));
            }
        }
    }
    println!("{ran} calls");
    assert!(ran > 2_000, "{ran}");
}

#[test]
fn products_of_every_dtype_agree() {
    let mut random = Random::new(10);
    let mut ran = 0;
    let matrices = [
        "x @ y",
        "x @ y[..., 0]",
        "x[0] @ y",
        "einsum(\"ij,jk->ki\", x, y)",
        "einsum(\"ij,jk,kl->il\", x, y, y.T)",
        "einsum(\"ij,jk->\", x, y)",
        "tensordot(x, y, axes=((1), (0)))",
        "inner(x, y.T) + dot(x, y)",
        "vecdot(x, x)",
        "outer(x[0], y[0])",
        "kron(x[:2], y[:3, :2])",
        "x.T[:, None] @ x[None] @ y",
        "diagonal(x, 1)",
        "trace(x, offset=-1)",
        "tril(x, k=1) @ triu(y)",
        "diag(x[0], k=-2)",
        "diag(y)",
    ];
    for dtype in DType::ALL {
        for (left, right) in [([3, 40], [40, 5]), ([17, 9], [9, 70]), ([1, 130], [130, 1]), ([2, 1], [1, 3])] {
            let x = named("x", data::laid_out(&mut random, dtype, &left));
            let y = named("y", data::laid_out(&mut random, dtype, &right));
            ran += matrices.iter().filter(|text| agrees(text, &[x.clone(), y.clone()])).count();
        }
        for (left, right) in [
            (&[1100][..], &[1100][..]),
            (&[3, 40], &[40]),
            (&[], &[7]),
            (&[2, 5], &[]),
            (&[0], &[0]),
            (&[2, 0], &[0, 3]),
        ] {
            let x = named("x", data::laid_out(&mut random, dtype, left));
            let y = named("y", data::laid_out(&mut random, dtype, right));
            assert!(agrees("dot(x, y)", &[x, y]), "{dtype}");
        }
        let (x, y) =
            (data::laid_out(&mut random, dtype, &[2, 1, 3, 4]), data::laid_out(&mut random, dtype, &[5, 4, 6]));
        ran += usize::from(agrees("x @ y", &[named("x", x), named("y", y)]));
    }
    println!("{ran} products");
    assert!(ran > 900, "{ran}");
}

#[test]
fn the_session_gives_the_same() {
    let text = "let x = [1.5f32, -2]\nsqrt(x) + 1";
    assert_eq!(lab::values(text, arrlang::promotion::verdict::Mode::All), ["[2.2247448 nan] : f32[2]"]);
}
