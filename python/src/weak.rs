//! Numbers of Python's own as inputs of a text, where it means the same for all of them.
//!
//! Such a number is weak: the dtype that it takes is decided when the text is checked, and so is whether it fits and
//! what is said of it. So each number would have a program of its own. But for most texts only the constants in these
//! programs differ: `x*s + 1` with `x: f32[n]` is a product with an `f32`, whichever float `s` is. Here that is found
//! out, and never assumed: the text is compiled for two sets of probes and for inputs in the place of the numbers, and
//! [`crate::same`] compares the programs. What is reported must be about dtypes and the same for both probes. A number
//! that is 0, subnormal, not finite or at the ends of its dtype is compiled as it stands.

use crate::found;
use crate::kernel::{Given, arguments};
use crate::number::Number;
use crate::same::Comparison;
use crate::texts::Sort;
use arrlang::array::Array;
use arrlang::constant::{Const, Decimal};
use arrlang::diagnostic::Label;
use arrlang::ir::{NodeKind, Program};
use arrlang::scalar::Scalar;
use arrlang::scalar::eval::eval;
use arrlang::scalar::prim::Prim;
use arrlang::session::{Callable, Input, Session};
use arrlang::types::DType;

/// Numbers that are computed with before they meet an array are between the inverse of this and this: so few are, that
/// no result is infinite, or 0 for its size.
const MODERATE: f64 = 1e50;

/// What the values of a text have in common with others that it means the same for.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Pattern {
    Is(Sort),
    AnyInt,
    AnyFloat,
}

/// A text with inputs in the place of numbers.
pub(crate) struct Opened {
    pub(crate) callable: Callable,
    /// The text with a number, whose findings are those for all.
    pub(crate) told: Callable,
    pub(crate) warnings: found::Warnings,
    /// The dtype of each name's input that stands for a number.
    dtypes: Vec<Option<DType>>,
    /// Whether each is an exponent, of which some have a meaning of their own.
    exponents: Vec<bool>,
    /// Whether numbers are computed with.
    folds: bool,
}

/// What may be reported: it is about dtypes and not about values.
const OF_DTYPES: [&str; 9] = [
    "precision-loss",
    "range-loss",
    "kind-change",
    "widening",
    "implicit-promotion",
    "weak-narrowing",
    "weak-default",
    "inexact-conversion",
    "f64-appears",
];

/// Powers that are no powers: a root, a product, the number itself.
const EXPONENTS: [f64; 5] = [-1.0, 0.0, 0.5, 1.0, 2.0];

/// What two calls have in common, if only numbers of a kind differ.
pub(crate) fn pattern(one: &[Sort], other: &[Sort]) -> Option<Vec<Pattern>> {
    let common = |(one, other): (&Sort, &Sort)| match (one, other) {
        _ if one == other => Some(Pattern::Is(one.clone())),
        (Sort::Number(Number::Int(_)), Sort::Number(Number::Int(_))) => Some(Pattern::AnyInt),
        (Sort::Number(Number::Float(_)), Sort::Number(Number::Float(_))) => Some(Pattern::AnyFloat),
        _ => None,
    };
    one.iter().zip(other).map(common).collect()
}

/// Whether the values of a call follow a pattern.
pub(crate) fn fits(pattern: &[Pattern], sorts: &[Sort]) -> bool {
    pattern.iter().zip(sorts).all(|(pattern, sort)| match pattern {
        Pattern::Is(known) => known == sort,
        Pattern::AnyInt => matches!(sort, Sort::Number(Number::Int(_))),
        Pattern::AnyFloat => matches!(sort, Sort::Number(Number::Float(_))),
    })
}

impl Opened {
    /// An array for each name, of those that are arrays and of numbers; `None` if a number is to be compiled as it
    /// stands.
    pub(crate) fn arrays(&self, sorts: &[Sort], given: &[Array]) -> Option<Vec<Array>> {
        let mut given = given.iter();
        let mut arrays = Vec::with_capacity(sorts.len());
        for ((sort, dtype), exponent) in sorts.iter().zip(&self.dtypes).zip(&self.exponents) {
            arrays.push(match (sort, dtype) {
                (Sort::Array(..), _) => given.next()?.clone(),
                (Sort::Number(number), Some(dtype)) => {
                    let value = plain(number, *dtype, self.folds)?;
                    if *exponent && EXPONENTS.contains(&value.to_f64()) {
                        return None;
                    }
                    Array::from_scalar(value)
                }
                // Nothing asks for the array of a name that is no input.
                _ => Array::from_scalar(Scalar::zero(DType::Bool)),
            });
        }
        Some(arrays)
    }
}

/// A number in a dtype, if it is there what any other is.
fn plain(number: &Number, dtype: DType, folds: bool) -> Option<Scalar> {
    let value = constant(number)?;
    let (size, _) = value.parts();
    let size = size.abs();
    let plain = match (number, dtype.integer_range()) {
        (Number::Int(value), Some((low, high))) => low < i128::from(*value) && i128::from(*value) < high,
        (Number::Int(value), None) => value.unsigned_abs() <= 1 << digits(dtype),
        _ => {
            size.is_finite()
                && size >= 4.0 * dtype.smallest_normal()
                && !(folds && (size > MODERATE || size * MODERATE < 1.0))
        }
    };
    if size == 0.0 || !plain { None } else { value.fit(dtype).ok() }
}

/// So many bits of an integer a float holds exactly.
fn digits(dtype: DType) -> u32 {
    match dtype {
        DType::F64 => 53,
        DType::F32 => 24,
        _ => 3,
    }
}

/// A number as checking sees it, which reads its digits.
fn constant(number: &Number) -> Option<Const> {
    match number {
        Number::Int(value) => Some(Const::Int((*value).into())),
        Number::Float(bits) => {
            let value = f64::from_bits(*bits);
            Some(Const::Float(Decimal { value, text: Some(format!("{value:?}").into()), stored: false }))
        }
        _ => None,
    }
}

fn negated(number: &Number) -> Number {
    match number {
        Number::Int(value) => Number::Int(value.wrapping_neg()),
        Number::Float(bits) => Number::Float((-f64::from_bits(*bits)).to_bits()),
        other => other.clone(),
    }
}

/// The text with inputs for the numbers that a pattern leaves open; `None` where their values matter.
pub(crate) fn open(session: &Session, text: &str, names: &[String], pattern: &[Pattern]) -> Option<Opened> {
    let probes = [probes(pattern, 0)?, probes(pattern, 1)?];
    let given = |set: usize| stated(names, pattern, |at| Some(Sort::Number(probes[set][at].clone()?)));
    let (first, second) = (checked(session, text, &given(0))?, checked(session, text, &given(1))?);
    let dtypes: Vec<Option<DType>> =
        probes[0].iter().map(|probe| probe.as_ref().and_then(|probe| dtype(&first.program, probe))).collect();
    if first.found != second.found
        || probes[0].iter().zip(&dtypes).any(|(probe, dtype)| probe.is_some() != dtype.is_some())
    {
        return None;
    }
    let inputs = stated(names, pattern, |at| Some(Sort::Array(dtypes[at]?, Default::default())));
    let general = checked(session, text, &inputs)?;
    if !general.found.iter().all(|(name, ..)| first.found.iter().any(|(known, ..)| known == name)) {
        return None;
    }
    let mut folds = 0;
    for (special, probes) in [(&first, &probes[0]), (&second, &probes[1])] {
        let values = probes.iter().zip(names).zip(&dtypes).filter_map(|((probe, name), dtype)| {
            let (number, dtype) = (probe.as_ref()?, (*dtype)?);
            Some((name.as_str(), (constant(number)?.fit(dtype).ok()?, matches!(number, Number::Float(_)))))
        });
        folds = Comparison::new(&general.program, &special.program, values.collect()).folds()?;
    }
    let exponents = names.iter().map(|name| is_exponent(&general.program, name)).collect();
    let (callable, told) = (callable(session, text, &inputs)?, callable(session, text, &given(0))?);
    Some(Opened { callable, told, warnings: found::Warnings::new(), dtypes, exponents, folds: folds > 0 })
}

fn callable(session: &Session, text: &str, given: &[Given]) -> Option<Callable> {
    let types = arguments(given);
    Callable::new(session, &Input { arguments: &types, free_names: true, ..Input::new("<arr>", text) }).ok()
}

/// Whether something is raised to the power of an input.
fn is_exponent(program: &Program, name: &str) -> bool {
    program.nodes.iter().any(|node| match node.kind {
        NodeKind::Map(Prim::Pow, [_, Some(exponent), _]) => match program.node(exponent).kind {
            NodeKind::Input(index) => program.inputs[index as usize].name == name,
            _ => false,
        },
        _ => false,
    })
}

/// A number for each that is open: none of them stands in texts, and all fit small dtypes.
fn probes(pattern: &[Pattern], set: usize) -> Option<Vec<Option<Number>>> {
    let probe = |(at, pattern): (usize, &Pattern)| match pattern {
        Pattern::Is(_) => None,
        Pattern::AnyInt => Some(Number::Int([61, 83][set] + at as i64)),
        Pattern::AnyFloat => {
            Some(Number::Float(([1.731_928_374_1, 2.619_283_746_3][set] + 0.017 * at as f64).to_bits()))
        }
    };
    (pattern.len() < 20).then(|| pattern.iter().enumerate().map(probe).collect())
}

/// The names with what a pattern says of them, and with something else where it is open.
fn stated(names: &[String], pattern: &[Pattern], open: impl Fn(usize) -> Option<Sort>) -> Vec<Given> {
    let one = |(at, (name, pattern)): (usize, (&String, &Pattern))| match pattern {
        Pattern::Is(sort) => sort.stated(name),
        Pattern::AnyInt | Pattern::AnyFloat => open(at)?.stated(name),
    };
    names.iter().zip(pattern).enumerate().filter_map(one).collect()
}

/// A program, and what was found: names, messages and places.
struct Checked {
    program: Program,
    found: Vec<(&'static str, String, Vec<Label>)>,
}

/// The program of a text, if there is nothing to check or to count in it, and what is found is about dtypes.
fn checked(session: &Session, text: &str, given: &[Given]) -> Option<Checked> {
    let types = arguments(given);
    let input = Input { arguments: &types, free_names: true, ..Input::new("<arr>", text) };
    let prepared = session.clone().check(&input);
    let program = prepared.checked.program?;
    let found =
        prepared.diagnostics.iter().map(|one| (one.code.name, one.message.clone(), one.labels.clone())).collect();
    let checked = Checked { program, found };
    let plain = checked.program.checks.is_empty() && checked.program.lengths.is_empty();
    (plain && checked.found.iter().all(|(name, ..)| OF_DTYPES.contains(name))).then_some(checked)
}

/// The dtype in which a probe stands in a program.
fn dtype(program: &Program, probe: &Number) -> Option<DType> {
    let candidates = DType::ALL.into_iter().filter(|dtype| dtype.is_integer() || dtype.is_float());
    // A half is computed with as an `f32`, and has fewer digits: the narrow dtypes are asked first.
    let there = candidates.filter(|dtype| program.nodes.iter().any(|node| node.dtype == *dtype));
    let mut candidates: Vec<DType> = there.collect();
    candidates.sort_by_key(|dtype| dtype.bits());
    let constants: Vec<Scalar> = program
        .nodes
        .iter()
        .filter_map(|node| if let NodeKind::Const(scalar) = node.kind { Some(scalar) } else { None })
        .collect();
    let stands = |dtype: &DType| {
        // A number may stand there with the sign that the text puts before it.
        [probe.clone(), negated(probe)].iter().filter_map(|number| constant(number)?.fit(*dtype).ok()).any(|own| {
            let same_kind = constants.iter().filter(|constant| constant.dtype.kind() == own.dtype.kind());
            same_kind.into_iter().any(|constant| eval(Prim::Convert, constant.dtype, &[own]).same(*constant))
        })
    };
    candidates.into_iter().find(stands).or(matches!(probe, Number::Float(_)).then_some(DType::F64))
}
