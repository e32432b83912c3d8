//! What checks clean in mode `safe` loses nothing. Random programs have inputs with ranges and defaults, files that are
//! loaded, and assertions. They run with the reference evaluator, and every conversion that the checker put in is
//! compared, value by value, with what it converted.
//!
//! `ARR_LOSSLESS_PROGRAMS` sets how many, `ARR_LOSSLESS_SEED` where they begin.

use crate::agree::data::Random;
use arrlang::array::Array;
use arrlang::check::load::{Content, FileKey, LoadedFile};
use arrlang::check::{self, CheckedScript, GivenFiles, Request, Settings};
use arrlang::diagnostic::{Diagnostics, Level, codes};
use arrlang::exec::Engine;
use arrlang::ir::build::Conversion;
use arrlang::ir::{Program, ProgramOutput};
use arrlang::promotion::systems;
use arrlang::promotion::verdict::Mode;
use arrlang::scalar::prim::Prim;
use arrlang::scalar::{Scalar, eval};
use arrlang::source::Sources;
use arrlang::syntax;
use arrlang::types::{DType, Kind};

/// Elements of an array input: the ends of its range, and others.
const ELEMENTS: usize = 16;

/// Findings about what a conversion does to values.
const LOSSES: [&str; 5] = ["precision-loss", "range-loss", "weak-narrowing", "kind-change", "inexact-conversion"];

const RANGES: [(i64, i64); 12] = [
    (0, 1),
    (0, 100),
    (-100, 100),
    (0, 255),
    (-128, 127),
    (0, 4095),
    (-2048, 2048),
    (0, 65535),
    (0, 16_777_216),
    (-16_777_217, 16_777_217),
    (0, 4_294_967_295),
    (-9_007_199_254_740_993, 9_007_199_254_740_993),
];

const LITERALS: [&str; 12] = ["0", "1", "2", "3", "-1", "100", "0.5", "-2.5", "300", "1e3", "true", "7"];

/// An input with its range and its data.
struct Given {
    line: String,
    data: Array,
}

fn input(random: &mut Random, index: usize) -> Given {
    let dtype = DType::ALL[random.below(DType::ALL.len())];
    let scalar = random.below(4) == 0;
    let least = dtype.integer_range();
    let fits = |&(low, high): &(i64, i64)| match least {
        Some((least, most)) => i128::from(low) >= least && i128::from(high) <= most,
        None => dtype.is_float() && dtype.size() > 2,
    };
    let ranges: Vec<(i64, i64)> = RANGES.into_iter().filter(fits).collect();
    let range = match ranges.len() {
        count if count > 0 && dtype != DType::Bool && random.below(5) < 3 => Some(ranges[random.below(count)]),
        _ => None,
    };
    let count = if scalar { 1 } else { ELEMENTS };
    let element = |random: &mut Random, at: usize| match range {
        None => random.scalar(dtype),
        Some((low, high)) => {
            let span = (i128::from(high) - i128::from(low)) as u128;
            let offset = (u128::from(random.next()) % (span + 1)) as i128;
            let value = match at {
                0 => low,
                1 => high,
                2 => high - 1,
                _ => (i128::from(low) + offset) as i64,
            };
            if dtype.is_integer() {
                eval::eval(Prim::Convert, dtype, &[Scalar::of(value)])
            } else {
                // Fractions too, and never outside.
                let fraction = if at > 6 { (random.next() % 1000) as f64 / 1000.0 } else { 0.0 };
                let inside = (value as f64 - fraction).clamp(low as f64, high as f64);
                let rounded = eval::eval(Prim::Convert, dtype, &[Scalar::of(inside)]);
                let back = f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[rounded]).bits as u64);
                if (low as f64..=high as f64).contains(&back) { rounded } else { Scalar::zero(dtype) }
            }
        }
    };
    let start = random.below(ELEMENTS);
    let scalars: Vec<Scalar> = (0..count).map(|at| element(random, if scalar { start } else { at })).collect();
    let shape: &[usize] = if scalar { &[] } else { &[ELEMENTS] };
    let dims = if scalar { String::new() } else { format!("[{ELEMENTS}]") };
    let data = Array::from_scalars(dtype, shape, scalars);
    // The data is not what the default says: a default is no value.
    let default = match (random.below(3), range) {
        (0, Some((low, high))) => format!(" = {}", if random.below(2) == 0 { low.max(0).min(high) } else { low }),
        (0, None) if dtype == DType::Bool => " = true".to_owned(),
        (0, None) => " = 3".to_owned(),
        _ => String::new(),
    };
    let line = match range {
        Some((low, high)) => format!("input x{index}: {dtype}{dims} in [{low}, {high}]{default}\n"),
        None if random.below(5) == 0 => format!("let x{index}: {dtype}{dims} = load(\"x{index}.npy\")\n"),
        None => format!("input x{index}: {dtype}{dims}{default}\n"),
    };
    Given { line, data }
}

/// An operand of a statement.
fn term(random: &mut Random, names: &[String]) -> String {
    let name = match random.below(3) {
        0 => names[names.len() - 1].clone(),
        _ => names[random.below(names.len())].clone(),
    };
    match random.below(16) {
        0 | 1 => LITERALS[random.below(LITERALS.len())].to_owned(),
        2 => format!("{}({name})", DType::ALL[random.below(DType::ALL.len())]),
        3 => format!("({name} % {})", ["7", "128", "300", "100000"][random.below(4)]),
        4 => format!("clip({name}, 0, {})", ["1", "100", "2048", "70000"][random.below(4)]),
        5 => format!("({name} & {})", ["1", "15", "127"][random.below(3)]),
        6 => format!("({name} > 0) * {}", ["3", "1.5", "200", "70000"][random.below(4)]),
        // What is not a number for some values, in every place where a number may stand.
        7 => format!("{}({name})", ["sqrt", "log", "arccosh", "sqrt"][random.below(4)]),
        8 => format!("({name} / {})", names[random.below(names.len())]),
        _ => name,
    }
}

/// A statement that defines or changes a name.
fn statement(random: &mut Random, index: usize, names: &[String], variables: &[String]) -> (String, Option<String>) {
    const INFIX: [&str; 14] = ["+", "-", "*", "*", "+", "/", "//", "%", "**", "&", "|", "^", "<<", ">>"];
    const CALLS: [&str; 14] =
        ["sqrt", "exp", "abs", "mean", "sum", "cumsum", "min", "max", "-", "floor", "var", "round", "prod", "log1p"];
    let a = term(random, names);
    let b = term(random, names);
    let c = term(random, names);
    let value = match random.below(16) {
        0..4 => format!("{a} {} {b}", INFIX[random.below(INFIX.len())]),
        4 => format!("({a} {} {b}) {} {c}", INFIX[random.below(INFIX.len())], INFIX[random.below(INFIX.len())]),
        5 => format!("where({a} > {b}, {b}, {c})"),
        6 => format!("where({a} < {}, {a}, {})", LITERALS[random.below(12)], LITERALS[random.below(12)]),
        7 => format!("clip({a}, {b}, {c})"),
        8 => format!("{}({a})", DType::ALL[random.below(DType::ALL.len())]),
        9 => format!("{}({a})", CALLS[random.below(CALLS.len())]),
        10 => format!("{}({a}, {b})", ["minimum", "maximum", "hypot", "arctan2"][random.below(4)]),
        11 => format!("arange({ELEMENTS}) {} {a}", INFIX[random.below(8)]),
        12 => format!("({a} < {b}) * {c}"),
        13 if !variables.is_empty() => {
            let name = &variables[random.below(variables.len())];
            let op = ["=", "+=", "-=", "*=", "/=", "//="][random.below(6)];
            return (format!("{name} {op} {a}\n"), None);
        }
        14 if !variables.is_empty() => {
            let name = &variables[random.below(variables.len())];
            return (format!("{name}[2:5] {} {a}\n", ["=", "+="][random.below(2)]), None);
        }
        _ => return (format!("var v{index} = {a}\n"), Some(format!("v{index}"))),
    };
    (format!("let v{index} = {value}\n"), Some(format!("v{index}")))
}

/// An assertion that holds for the data: what it says may be used, and no more.
fn assertion(random: &mut Random, index: usize, given: &Given) -> Option<String> {
    let values = || given.data.scalars().map(number);
    let whole = |value: Number| if let Number::Integer(value) = value { Some(value) } else { None };
    let (low, high) = (values().filter_map(whole).min()?, values().filter_map(whole).max()?);
    let ends = i64::try_from(low).is_ok() && i64::try_from(high).is_ok() && given.data.dtype() != DType::Bool;
    ends.then(|| match random.below(3) {
        0 => format!("assert x{index} >= {low}\n"),
        1 => format!("assert x{index} >= {low} and x{index} <= {high}\n"),
        _ => format!("assert max(x{index}) <= {high}\n"),
    })
}

/// What the checker makes of a text, and the names of its errors.
fn checked(text: &str, settings: &Settings, given: &[Given]) -> (CheckedScript, Vec<&'static str>) {
    let mut sources = Sources::new();
    let source = sources.add("lossless.arr", text);
    let mut found = Diagnostics::new();
    let script = syntax::parse(&sources, source, &mut found);
    let header = |(index, given): (usize, &Given)| {
        let content = Content::Header(given.data.dtype(), given.data.shape().to_vec());
        let key = FileKey { source, path: format!("x{index}.npy"), words: false };
        (key, LoadedFile { content, warnings: Vec::new() })
    };
    let loaded = given.iter().enumerate().map(header).collect();
    let files = GivenFiles { loaded: &loaded, ..GivenFiles::default() };
    let request = Request { settings: settings.clone(), files, ..Request::new(&script, &sources) };
    let checked = check::check(&request, &mut found);
    let errors = found.iter().filter(|it| it.is_error()).map(|it| it.code.name).collect();
    (checked, errors)
}

/// A number, whatever its dtype.
#[derive(Clone, Copy, Debug)]
enum Number {
    Integer(i128),
    Float(f64),
    Complex(f64, f64),
}

fn number(x: Scalar) -> Number {
    let float = |x: Scalar| f64::from_bits(eval::eval(Prim::Convert, DType::F64, &[x]).bits as u64);
    match x.dtype.kind() {
        Kind::Bool | Kind::Unsigned => Number::Integer(x.bits as i128),
        Kind::Signed => Number::Integer((eval::eval(Prim::Convert, DType::I64, &[x]).bits as u64 as i64).into()),
        Kind::Float => Number::Float(float(x)),
        Kind::Complex => {
            let part = |prim| float(eval::eval(prim, x.dtype.part(), &[x]));
            Number::Complex(part(Prim::Real), part(Prim::Imag))
        }
    }
}

/// Whether two numbers are the same, of whatever dtypes; not-a-number is itself.
fn same(x: Number, y: Number) -> bool {
    let floats = |x: f64, y: f64| x == y || x.is_nan() && y.is_nan();
    match (x, y) {
        (Number::Integer(x), Number::Integer(y)) => x == y,
        (Number::Float(x), Number::Float(y)) => floats(x, y),
        (Number::Integer(x), Number::Float(y)) | (Number::Float(y), Number::Integer(x)) => {
            y.abs() < 1e38 && y.fract() == 0.0 && y as i128 == x
        }
        (Number::Complex(x, i), Number::Complex(y, j)) => floats(x, y) && floats(i, j),
        (real, Number::Complex(x, i)) | (Number::Complex(x, i), real) => i == 0.0 && same(real, Number::Float(x)),
    }
}

/// The first value that a conversion changes.
fn escape(mut program: Program, conversions: &[Conversion], given: &[Given]) -> Option<String> {
    for input in program.inputs.iter_mut().filter(|input| input.value.is_none()) {
        let index: usize = input.name[1..].trim_end_matches(".npy").parse().expect("inputs have numbers");
        input.value = Some(given[index].data.clone());
    }
    let nodes = conversions.iter().flat_map(|it| [(it.from, it.span), (it.to, it.span)]);
    program.outputs = nodes.map(|(node, span)| ProgramOutput { name: None, node, span, weak: false }).collect();
    let arrays =
        crate::agree::run(&program, Engine::Reference, crate::agree::Verify::No).expect("the data is in its ranges");
    arrays.chunks(2).find_map(|pair| {
        let (from, to) = (&pair[0], &pair[1]);
        let values = (0..from.len()).map(|at| (from.get(at), to.get(at)));
        let changed = values.into_iter().find(|&(from, to)| !same(number(from), number(to)))?;
        let (from, to) = (number(changed.0), number(changed.1));
        Some(format!("{from:?} : {} became {to:?} : {}", changed.0.dtype, changed.1.dtype))
    })
}

/// What was counted.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    programs: usize,
    statements: usize,
    conversions: usize,
    escapes: usize,
    /// Statements that mode `safe` refused for a loss and mode `all` takes.
    flagged: usize,
    /// Those of them that lost nothing for any value that was tried.
    lossless: usize,
}

/// One random program; answers its text when something escapes.
fn one(seed: u64, mode: Mode, counts: &mut Counts) -> Option<String> {
    let mut random = Random::new(seed);
    let system = systems::find(["jax", "numpy"][random.below(2)]).expect("a system");
    let mut settings = Settings { system, mode, ..Settings::default() };
    // Integers that wrap keep their dtype: no conversion loses them, and most random arithmetic would be refused.
    settings.levels.set(&codes::dtypes::INTEGER_OVERFLOW, Level::Warn);
    let loose = Settings { mode: Mode::All, ..settings.clone() };
    let given: Vec<Given> = (0..2 + random.below(3)).map(|index| input(&mut random, index)).collect();
    let mut text: String = given.iter().map(|given| given.line.as_str()).collect();
    for (index, given) in given.iter().enumerate() {
        if random.below(4) == 0 {
            text.extend(assertion(&mut random, index, given));
        }
    }
    let (mut names, mut variables) = ((0..given.len()).map(|at| format!("x{at}")).collect::<Vec<_>>(), Vec::new());
    let mut taken = None;
    for index in 0..3 + random.below(7) {
        let (line, name) = statement(&mut random, index, &names, &variables);
        let longer = format!("{text}{line}");
        let (checked, errors) = checked(&longer, &settings, &given);
        if checked.program.is_some() {
            counts.statements += 1;
            if line.starts_with("var") {
                variables.extend(name.clone());
            }
            names.extend(name);
            text = longer;
            taken = Some(checked);
        } else if mode == Mode::Safe && errors.iter().all(|name| LOSSES.contains(name)) {
            let before = self::checked(&text, &loose, &given).0.conversions.len();
            let (checked, _) = self::checked(&longer, &loose, &given);
            let Some(program) = checked.program else { continue };
            counts.flagged += 1;
            let lost = escape(program, &checked.conversions[before.min(checked.conversions.len())..], &given);
            counts.lossless += usize::from(lost.is_none());
        }
    }
    let checked = taken?;
    counts.programs += 1;
    counts.conversions += checked.conversions.len();
    let found = escape(checked.program?, &checked.conversions, &given)?;
    counts.escapes += 1;
    Some(format!("under {}:\n{text}{found}", system.name))
}

fn many(count: u64, first: u64, mode: Mode) -> (Counts, Vec<String>) {
    let mut counts = Counts::default();
    let found = (0..count).filter_map(|at| one(first + at, mode, &mut counts)).collect();
    (counts, found)
}

fn setting(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn what_checks_clean_in_safe_mode_loses_nothing() {
    let (count, seed) = (setting("ARR_LOSSLESS_PROGRAMS", 10_000), setting("ARR_LOSSLESS_SEED", 1));
    let started = std::time::Instant::now();
    let halves: Vec<_> =
        (0..2).map(|half| std::thread::spawn(move || many(count / 2, seed + half * count, Mode::Safe))).collect();
    let mut total = Counts::default();
    let mut escapes = Vec::new();
    for half in halves {
        let (counts, mut found) = half.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        total.programs += counts.programs;
        total.statements += counts.statements;
        total.conversions += counts.conversions;
        total.escapes += counts.escapes;
        total.flagged += counts.flagged;
        total.lossless += counts.lossless;
        escapes.append(&mut found);
    }
    println!("{total:?} in {:.1} s", started.elapsed().as_secs_f64());
    println!("{:.1} % of what is flagged lost nothing", 100.0 * total.lossless as f64 / total.flagged.max(1) as f64);
    assert!(
        escapes.is_empty(),
        "{} of {count} lose something:\n{}",
        escapes.len(),
        escapes[..escapes.len().min(8)].join("\n\n")
    );
    assert!(total.conversions as u64 > count / 4, "conversions that could lose are among those that do not");
}

#[test]
fn losses_would_be_seen() {
    let (counts, found) = many(400, 1, Mode::All);
    assert!(counts.escapes > 20 && !found.is_empty(), "{counts:?}");
    let three = |dtype| number(eval::eval(Prim::Convert, dtype, &[Scalar::of(3i64)]));
    assert!(
        DType::ALL[1..].iter().filter(|dtype| !dtype.is_complex()).all(|&dtype| same(three(dtype), three(DType::I64)))
    );
    assert!(!same(three(DType::F32), number(Scalar::of(3.5f64))));
    assert!(same(Number::Float(f64::NAN), Number::Float(f64::NAN)));
}
