//! Values against what NumPy gives: every recorded probe that `arr` can express, as data, through the JIT.
//!
//! `tests/oracle/values/numpy.txt` holds the probes by signature, `more.txt` others of the same kinds. Those of one
//! signature are one array; it is repeated, so that whole vectors are tried as well as the rest behind them. `cargo
//! test --release --test it values
//! -- --nocapture` prints the counts, the rules of [`rules`], and why probes were skipped.

use crate::lab;
use arrlang::array::Array;
use arrlang::check::env::SessionValue;
use arrlang::ops;
use arrlang::promotion::verdict::Mode;
use arrlang::scalar::Scalar;
use arrlang::scalar::eval;
use arrlang::scalar::prim::Prim;
use arrlang::session::{Input, Session};
use arrlang::source::Span;
use arrlang::types::{DType, Elem};
use std::collections::BTreeMap;

mod bytes;
mod expressions;
mod halves;
mod probes;
mod rules;

use probes::{Group, Param, dtype, number};

/// As many copies of the probes as make at least this many elements.
const ELEMENTS: usize = 67;

/// How `arr` writes a call, or why it cannot.
fn spelling(call: &str, args: &[String]) -> Result<String, String> {
    const INFIX: &[(&str, &str)] = &[
        ("floordiv", "//"),
        ("mod", "%"),
        ("div", "/"),
        ("add", "+"),
        ("sub", "-"),
        ("mul", "*"),
        ("pow", "**"),
        ("shl", "<<"),
        ("shr", ">>"),
        ("and", "&"),
        ("or", "|"),
        ("xor", "^"),
        ("lt", "<"),
        ("le", "<="),
        ("gt", ">"),
        ("ge", ">="),
        ("eq", "=="),
        ("ne", "!="),
    ];
    if let Some((_, symbol)) = INFIX.iter().find(|(name, _)| *name == call) {
        return Ok(format!("{} {symbol} {}", args[0], args[1]));
    }
    if let Some(to) = call.strip_prefix("cast<").and_then(|rest| rest.strip_suffix('>')) {
        return Ok(format!("{}({})", dtype(to), args[0]));
    }
    if call.starts_with("round_n:") {
        return Err("`round` takes no number of digits".to_owned());
    }
    let name = match call {
        "neg" => return Ok(format!("-{}", args[0])),
        "invert" => return Ok(format!("~{}", args[0])),
        "where_true" => return Ok(format!("where(yes, {}, {})", args[0], args[1])),
        "where_false" => return Ok(format!("where(no, {}, {})", args[0], args[1])),
        "min" => "minimum",
        "max" => "maximum",
        "rmin" => "min",
        "rmax" => "max",
        name => name,
    };
    match ops::find(name) {
        Some(_) => Ok(format!("{name}({})", args.join(", "))),
        None => Err(format!("no function `{name}`")),
    }
}

/// What a program gave: an array, or the codes of what was reported.
type Outcome = Result<Array, Vec<&'static str>>;

/// Runs one expression under `numpy`.
fn run(text: &str, given: &[(&str, Array)]) -> Outcome {
    let mut session: Session = lab::session(Mode::All);
    lab::set(&mut session.settings, "system", "numpy");
    let source = session.sources.add("given", "");
    for (name, array) in given {
        let span = Span::new(source, 0, 0);
        session.env.set(name, SessionValue::Array(array.clone(), Elem::Strong(array.dtype()), span), span);
    }
    let mut reply = session.evaluate(&Input::new("probe", text));
    if !reply.outcome.is_done() {
        let mut ids = lab::ids(&reply.diagnostics);
        ids.retain(|id| id.starts_with('E'));
        return Err(ids);
    }
    Ok(reply.values.remove(0).array)
}

/// What became of a probe.
struct Found<'g> {
    group: &'g Group,
    given: &'g [String],
    wanted: &'g str,
    /// `Err` with the codes of the refusal.
    ours: Result<Scalar, Vec<&'static str>>,
}

impl Found<'_> {
    fn agrees(&self) -> bool {
        match (&self.group.result, &self.ours) {
            (None, Err(_)) => true,
            (Some(result), Ok(ours)) => {
                let wanted = dtype(result.trim_end_matches("[]"));
                ours.dtype == wanted && close(*ours, number(self.wanted, wanted), tolerance(self.group))
            }
            _ => false,
        }
    }
}

/// Functions that are no exact operation may differ by one representable value.
fn tolerance(group: &Group) -> u128 {
    const INEXACT: &str = " exp exp2 expm1 log log2 log10 log1p sin cos tan asin acos atan sinh cosh tanh asinh acosh \
                           atanh cbrt hypot atan2 logaddexp angle ";
    let complex = group.params.iter().any(|param| matches!(param, Param::Scalar(dtype) if dtype.is_complex()));
    match group.call.as_str() {
        "pow" => group.result.as_deref().is_some_and(|result| !dtype(result).is_integer()).into(),
        "sqrt" | "sign" | "abs" | "div" => complex.into(),
        name => INEXACT.contains(&format!(" {name} ")).into(),
    }
}

/// Whether two values are equal, or each part of one is at most `steps` representable values from that of the other.
/// All NaNs are one value.
fn close(a: Scalar, b: Scalar, steps: u128) -> bool {
    if a.same(b) || steps == 0 {
        return a.same(b);
    }
    let part = a.dtype.part();
    let pieces = |x: Scalar| {
        let mask = u128::MAX >> (128 - part.bits());
        [x.bits & mask, x.bits >> part.bits().min(127) & mask].map(|bits| Scalar { dtype: part, bits })
    };
    let near = |a: Scalar, b: Scalar| a.same(b) || (a.bits.abs_diff(b.bits) <= steps && nan_free(a) && nan_free(b));
    let ((a, b), complex) = ((pieces(a), pieces(b)), a.dtype.is_complex());
    near(a[0], b[0]) && (!complex || near(a[1], b[1]))
}

fn nan_free(x: Scalar) -> bool {
    let wide = eval::eval(Prim::Convert, DType::F64, &[x]);
    !f64::from_bits(wide.bits as u64).is_nan()
}

/// A probe that gives an array: the first element that differs, or the first one.
fn first_difference<'g>(
    group: &'g Group,
    given: &'g [String],
    wanted: &'g str,
    dtype: DType,
    ours: Outcome,
) -> Found<'g> {
    let ours = match ours {
        Ok(array) => array,
        Err(codes) => return Found { group, given, wanted, ours: Err(codes) },
    };
    let elements: Vec<&str> = wanted.split(',').filter(|element| !element.is_empty()).collect();
    assert_eq!(elements.len(), ours.len(), "{} of {given:?}: the lengths differ", group.call);
    let differs = |at: &usize| !ours.get(*at).same(number(elements[*at], dtype));
    match (0..ours.len()).find(differs).or((!elements.is_empty()).then_some(0)) {
        Some(at) => Found { group, given, wanted: elements[at], ours: Ok(ours.get(at)) },
        None => {
            let wanted = if dtype.is_complex() { "0j" } else { "0" };
            Found { group, given, wanted, ours: Ok(Scalar::zero(ours.dtype())) }
        }
    }
}

/// Runs the probes of a group; each with each of its copies.
fn probe(group: &Group) -> Result<Vec<Found<'_>>, String> {
    let names: Vec<String> = ["a", "b"].iter().map(|&name| name.to_owned()).collect();
    let args: Vec<String> = std::iter::zip(&group.params, names)
        .map(|(param, name)| match param {
            Param::Literal(text) => text.clone(),
            _ => name,
        })
        .collect();
    let text = spelling(&group.call, &args)?;
    if let [Param::Array(of)] = group.params[..] {
        return Ok(group
            .probes
            .iter()
            .map(|(given, wanted)| {
                let items: Vec<Scalar> = match given[0].split_once('*') {
                    Some((item, count)) => vec![number(item, of); count.parse().expect("a count")],
                    None if given[0] == "none" => Vec::new(),
                    None => given[0].split(',').map(|item| number(item, of)).collect(),
                };
                let array = Array::from_scalars(of, &[items.len()], items);
                let ours = run(&text, &[("a", array)]);
                match group.result.as_deref().and_then(|result| result.strip_suffix("[]")) {
                    Some(result) => first_difference(group, given, wanted, dtype(result), ours),
                    None => Found { group, given, wanted, ours: ours.map(|array| array.get(0)) },
                }
            })
            .collect());
    }
    let copies = ELEMENTS.div_ceil(group.probes.len());
    let len = copies * group.probes.len();
    let mut column = 0;
    let mut given = vec![
        ("yes", Array::from_scalars(DType::Bool, &[len], vec![Scalar::one(DType::Bool); len])),
        ("no", Array::from_scalars(DType::Bool, &[len], vec![Scalar::zero(DType::Bool); len])),
    ];
    for (param, name) in std::iter::zip(&group.params, ["a", "b"]) {
        if let Param::Scalar(dtype) = *param {
            let cells = group.probes.iter().cycle().take(len).map(|(given, _)| number(&given[column], dtype));
            given.push((name, Array::from_scalars(dtype, &[len], cells)));
            column += 1;
        }
    }
    let ours = run(&text, &given);
    Ok(group
        .probes
        .iter()
        .enumerate()
        .map(|(at, (given, wanted))| {
            let ours = ours.clone().map(|array| {
                let first = array.get(at);
                for copy in (at..len).step_by(group.probes.len()) {
                    assert!(array.get(copy).same(first), "{text} of {given:?}: copies differ");
                }
                first
            });
            Found { group, given, wanted, ours }
        })
        .collect())
}

#[test]
fn values_are_numpys() {
    let mut groups = probes::groups("values/numpy.txt");
    let recorded: usize = groups.iter().map(|group| group.probes.len()).sum();
    groups.extend(probes::groups("values/more.txt"));
    let (mut all, mut equal) = (0, 0);
    let (mut skipped, mut used): (BTreeMap<String, usize>, BTreeMap<&str, usize>) = Default::default();
    let mut wrong = Vec::new();
    for group in &groups {
        all += group.probes.len();
        let found = match probe(group) {
            Ok(found) => found,
            Err(reason) => {
                *skipped.entry(reason).or_default() += group.probes.len();
                continue;
            }
        };
        for found in found {
            if found.agrees() {
                equal += 1;
            } else if let Some(rule) = rules::find(&found) {
                *used.entry(rule.name).or_default() += 1;
            } else {
                wrong.push(format!(
                    "{}: {} {:?} {:?}: {:?} {}, not {:?}",
                    group.category, group.call, group.params, found.given, group.result, found.wanted, found.ours
                ));
            }
        }
    }
    let expressed = all - skipped.values().sum::<usize>();
    println!(
        "{all} probes of NumPy 2 ({recorded} recorded ones, the others of the same kinds), {expressed} that arr can express: {equal} equal, {} by rules",
        expressed - equal - wrong.len()
    );
    for rule in rules::RULES {
        println!("{:6} {}: {}", used.get(rule.name).unwrap_or(&0), rule.name, rule.reason);
    }
    for (reason, count) in &skipped {
        println!("{count:6} skipped: {reason}");
    }
    assert!(wrong.is_empty(), "{} values differ:\n{}", wrong.len(), wrong.join("\n"));
    assert!(
        rules::RULES.len() <= 12 && rules::RULES.iter().all(|rule| used.contains_key(rule.name)),
        "a rule is unused"
    );
}
