//! The probes: how they are written, and what they are.

use crate::oracle;
use arrlang::scalar::Scalar;
use arrlang::scalar::eval;
use arrlang::scalar::prim::Prim;
use arrlang::types::DType;

/// What a probe is given.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Param {
    /// A value of a dtype.
    Scalar(DType),
    /// An array of a dtype.
    Array(DType),
    /// A literal of the program.
    Literal(String),
}

/// Probes of one signature.
#[derive(Debug)]
pub(super) struct Group {
    pub(super) category: String,
    /// `floordiv`, `cast<u8>`
    pub(super) call: String,
    pub(super) params: Vec<Param>,
    /// The dtype that NumPy gives; nothing where it refuses.
    pub(super) result: Option<String>,
    /// Arguments and values as they are written.
    pub(super) probes: Vec<(Vec<String>, String)>,
}

pub(super) fn dtype(text: &str) -> DType {
    let name = if text == "b" { "bool" } else { text };
    name.parse().unwrap_or_else(|()| panic!("no dtype `{text}`"))
}

pub(super) fn groups(file: &str) -> Vec<Group> {
    let (mut groups, mut category): (Vec<Group>, String) = (Vec::new(), String::new());
    for line in oracle::read(file).lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix("% ") {
            name.clone_into(&mut category);
        } else if let Some(probes) = line.strip_prefix("  ") {
            let probe = |text: &str| {
                let (given, value) = text.split_once('=').unwrap_or((text, ""));
                (given.split(' ').filter(|word| !word.is_empty()).map(str::to_owned).collect(), value.to_owned())
            };
            let group = groups.last_mut().expect("a signature comes first");
            group.probes.extend(probes.split(';').map(str::trim).filter(|text| !text.is_empty()).map(probe));
        } else {
            let (head, result) = line.split_once(" -> ").expect("a signature has a result");
            let mut words = head.split(' ');
            let call = words.next().expect("a function").to_owned();
            let params = words.map(|word| match (word.strip_prefix('='), word.strip_suffix("[]")) {
                (Some(literal), _) => Param::Literal(literal.to_owned()),
                (_, Some(of)) => Param::Array(dtype(of)),
                _ => Param::Scalar(dtype(word)),
            });
            let result = (result != "refused").then(|| result.to_owned());
            groups.push(Group {
                category: category.clone(),
                call,
                params: params.collect(),
                result,
                probes: Vec::new(),
            });
        }
    }
    groups
}

/// A number as the file writes it, rounded to the dtype once.
pub(super) fn number(text: &str, dtype: DType) -> Scalar {
    if dtype.is_complex() {
        let (re, im) = parts(text);
        let part = dtype.part();
        let (re, im) = (number(&re, part), number(&im, part));
        return Scalar { dtype, bits: re.bits | im.bits << part.bits() };
    }
    if dtype.is_float() {
        let value: f64 = text.parse().unwrap_or_else(|_| panic!("no number `{text}`"));
        return eval::eval(Prim::Convert, dtype, &[Scalar::of(value)]);
    }
    let value: i128 = text.parse().unwrap_or_else(|_| panic!("no integer `{text}`"));
    Scalar { dtype, bits: value as u128 & (u128::MAX >> (128 - dtype.bits())) }
}

/// `1+2j`, `0+nanj`, `2j`, `0.44&0.08`
fn parts(text: &str) -> (String, String) {
    if let Some((re, im)) = text.split_once('&') {
        return (re.to_owned(), im.to_owned());
    }
    let body = text.strip_suffix('j').unwrap_or_else(|| panic!("no complex number `{text}`"));
    let sign = body
        .char_indices()
        .rev()
        .find(|&(at, c)| at > 0 && matches!(c, '+' | '-') && !matches!(body.as_bytes()[at - 1], b'e' | b'E'));
    match sign {
        Some((at, _)) => (body[..at].to_owned(), body[at..].to_owned()),
        None => ("0".to_owned(), body.to_owned()),
    }
}
