//! The signatures of a script or of its functions. They say which dtypes come out for which, and in which modes.
//!
//! Every row is the checker's answer for arguments of those dtypes; nothing here knows a promotion rule.

use super::{Input, Session};
use crate::check::closure::Closure;
use crate::check::probe::{self, OpenParts, Probe, ProbeArgument, ProbeShape};
use crate::check::setting;
use crate::check::{self, Request, Settings};
use crate::diagnostic::{Diagnostics, Outcome};
use crate::io::table::ReadUpTo;
use crate::promotion::verdict::Mode;
use crate::source::Sources;
use crate::syntax;
use crate::syntax::ast::{DimsExpr, Script, StmtKind};
use crate::types::{DType, Elem};
use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

/// With at most this many open parameters, the table has every combination of dtypes.
const WHOLE: usize = 2;
/// With more open parameters than this, the table has only rows in which all parameters are of one dtype.
const MAX_MIXED_DTYPES: usize = 8;
/// With at most this many open parameters, every mix of shapes is tried.
const MAX_MIXED_SHAPES: usize = 4;

/// What is asked of a script.
#[derive(Clone, Debug, Default)]
pub struct SignatureOptions {
    /// Types of parameters, for one row. The map is empty for the tables.
    pub at: BTreeMap<String, Elem>,
}

/// The table of a function, or of the script.
#[derive(Clone, Debug)]
pub struct SignatureTable {
    /// The name of the function. It is `None` for the script.
    pub name: Option<String>,
    /// How it is called, as it is written.
    pub signature: String,
    /// The parameters without those that keep their default.
    pub params: Vec<SignatureParam>,
    /// What the parts of the result are called, for the script: its outputs.
    pub results: Vec<Option<String>>,
    /// The rows: every combination, or with more than two open parameters those in which all but one agree.
    pub rows: Vec<SignatureRow>,
    /// Whether the rows are every combination.
    pub whole: bool,
    /// Whether there are no rows because the calls of the function come to too many expressions.
    pub too_large: bool,
}

/// A parameter of a table.
#[derive(Clone, Debug)]
pub struct SignatureParam {
    /// Its name.
    pub name: String,
    /// Its shape: `[n]`, nothing for a scalar.
    pub shape: String,
    /// The types that it takes.
    pub choices: Vec<Elem>,
}

/// What comes out for some types.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureRow {
    /// The types of the parameters.
    pub at: Vec<Elem>,
    /// The types of the result. It is `None` where the program is wrong in every mode.
    pub result: Option<Vec<Elem>>,
    /// The strictest mode that allows it.
    pub mode: Option<Mode>,
    /// What the next stricter mode refuses it for, or mode `all`.
    pub findings: Vec<&'static str>,
}

impl SignatureRow {
    /// From the loosest mode to the strictest, until one refuses.
    fn of(at: Vec<Elem>, mut ask: impl FnMut(Mode) -> probe::ProbeAnswer) -> SignatureRow {
        let mut row = SignatureRow { at, result: None, mode: None, findings: Vec::new() };
        for mode in [Mode::All, Mode::Safe, Mode::None] {
            let answer = ask(mode);
            match answer.result {
                Some(result) => (row.result, row.mode) = (Some(row.result.unwrap_or(result)), Some(mode)),
                None => {
                    row.findings = answer.errors;
                    break;
                }
            }
        }
        row
    }
}

/// The tables of a script.
#[derive(Debug)]
pub struct Signatures {
    /// Functions in the order of their definitions, then the script itself.
    pub tables: Vec<SignatureTable>,
    /// What is wrong with the text, or with files that it names.
    pub diagnostics: Diagnostics,
    /// How it ended: done, refused, or unreachable.
    pub outcome: Outcome,
}

impl Session {
    /// Which dtypes a script and its functions give for which.
    pub fn signatures(&mut self, input: &Input, asked: &SignatureOptions) -> Signatures {
        let mut diagnostics = Diagnostics::new();
        let source = self.sources.add(input.name, input.text);
        let script = syntax::parse(&self.sources, source, &mut diagnostics);
        let (given, library) = self.gather(input, ReadUpTo::Header, &script, &mut diagnostics);
        if diagnostics.has_errors() || !given.outcome.is_done() {
            let outcome = given.outcome.max(given.opened.outcome).max(Outcome::Refused);
            return Signatures { tables: Vec::new(), diagnostics, outcome };
        }
        let inputs = inputs(&script, &mut self.sources, asked);
        let mut settings = Settings { mode: Mode::All, ..self.settings.clone() };
        settings.fixed.add(&setting::MODE);
        let first: Vec<Arc<Script>> =
            inputs.iter().map(|input| input.stated(Elem::Strong(DType::F32)).clone()).collect();
        let request = Request {
            settings,
            given: check::GivenNames { bound: &given.bound, declared: &first, offered: &[] },
            files: check::GivenFiles { loaded: &given.opened.loaded, library: &library, systems: &given.systems },
            usage: check::ScriptUse { whole: true, ..check::ScriptUse::default() },
            ..Request::new(&script, &self.sources)
        };
        let mut tables: Vec<SignatureTable> = probe::ask(&request, |probe| {
            let functions = probe.functions();
            functions.iter().filter_map(|function| of_function(probe, function, &self.sources, asked)).collect()
        });
        tables.extend(of_script(&request, &inputs, asked));
        Signatures { tables, diagnostics, outcome: Outcome::Done }
    }
}

/// An input whose type is asked, and the statement that gives it each of its types.
struct AskedInput {
    param: SignatureParam,
    stated: Vec<Arc<Script>>,
}

impl AskedInput {
    fn stated(&self, elem: Elem) -> &Arc<Script> {
        let at = self.param.choices.iter().position(|&choice| choice == elem).unwrap_or(0);
        &self.stated[at]
    }
}

/// The inputs of a script without those that have a default or data.
fn inputs(script: &Script, sources: &mut Sources, asked: &SignatureOptions) -> Vec<AskedInput> {
    let mut found = Vec::new();
    for stmt in &script.stmts {
        let StmtKind::Input { name, ty, default: None, .. } = &stmt.kind else { continue };
        let written = sources.text(ty.span).trim_start_matches(ty.dtype.text.as_str()).trim().to_owned();
        let shape = if matches!(ty.dims, DimsExpr::Any) { ProbeShape::Vector.text().to_owned() } else { written };
        let choices = chosen(DType::from_str(&ty.dtype.text).ok(), false, asked.at.get(&name.text));
        let stated = choices.iter().map(|elem| {
            let source = sources.add("the command line", format!("input {}: {elem}{shape}", name.text));
            syntax::parse(sources, source, &mut Diagnostics::new())
        });
        let stated = stated.collect();
        found.push(AskedInput { param: SignatureParam { name: name.text.clone(), shape, choices }, stated });
    }
    found
}

/// The types that a parameter takes.
fn chosen(dtype: Option<DType>, weak: bool, asked: Option<&Elem>) -> Vec<Elem> {
    match (asked, dtype) {
        (Some(&elem), _) => vec![elem],
        (None, Some(dtype)) => vec![dtype.into()],
        (None, None) => Elem::all().filter(|elem| weak || !elem.is_weak()).collect(),
    }
}

/// The rows of a table, and whether they are every combination.
fn combinations(params: &[SignatureParam]) -> (Vec<Vec<Elem>>, bool) {
    let open = params.iter().filter(|param| param.choices.len() > 1).count();
    if open <= WHOLE {
        let mut rows = vec![Vec::new()];
        for param in params {
            let longer = rows.iter().flat_map(|row: &Vec<Elem>| {
                param.choices.iter().map(move |&choice| row.iter().copied().chain([choice]).collect())
            });
            rows = longer.collect();
        }
        return (rows, true);
    }
    // All of one dtype, then one parameter of another.
    let others: Vec<Elem> = DType::ALL.into_iter().map(Elem::Strong).collect();
    let row = |common: Elem, odd: Option<(usize, Elem)>| -> Vec<Elem> {
        let value = |(at, param): (usize, &SignatureParam)| match odd {
            _ if param.choices.len() == 1 => param.choices[0],
            Some((index, elem)) if index == at => elem,
            _ => common,
        };
        params.iter().enumerate().map(value).collect()
    };
    let mut rows: Vec<Vec<Elem>> = others.iter().map(|&common| row(common, None)).collect();
    if open <= MAX_MIXED_DTYPES {
        for (index, _) in params.iter().enumerate().filter(|(_, param)| param.choices.len() > 1) {
            for &common in &others {
                rows.extend(others.iter().filter(|&&odd| odd != common).map(|&odd| row(common, Some((index, odd)))));
            }
        }
    }
    (rows, false)
}

fn of_function(
    probe: &mut Probe,
    closure: &Arc<Closure>,
    sources: &Sources,
    asked: &SignatureOptions,
) -> Option<SignatureTable> {
    let function = closure.function();
    let applies = asked.at.keys().all(|name| function.params.iter().any(|param| param.name.text == *name));
    if !applies {
        return None;
    }
    // Where each parameter of the table stands among those of the function.
    let mut places = Vec::new();
    let mut params = Vec::new();
    let mut free = Vec::new();
    for (place, param) in function.params.iter().enumerate() {
        let wanted = asked.at.get(&param.name.text);
        if param.default.is_some() && wanted.is_none() {
            continue;
        }
        let open = OpenParts::of(param, sources);
        let weak = open.dims.as_deref().is_none_or(str::is_empty) && param.ty.is_none();
        let shape = open.dims.clone().unwrap_or_default();
        places.push(place);
        free.push(open.dims.is_none());
        params.push(SignatureParam { name: param.name.text.clone(), shape, choices: chosen(open.dtype, weak, wanted) });
    }
    let found = probe.about(closure, |probe| {
        let mut call = |at: &[Elem], forms: &[ProbeShape], mode: Mode| {
            let mut given: Vec<Option<ProbeArgument>> = vec![None; function.params.len()];
            for ((&place, &elem), &form) in places.iter().zip(at).zip(forms) {
                given[place] = Some((elem, form));
            }
            probe.call(closure, &given, mode)
        };
        let forms = shapes(&params, &free, &mut call);
        let (rows, whole) = combinations(&params);
        let rows = rows.into_iter().map(|at| SignatureRow::of(at.clone(), |mode| call(&at, &forms, mode)));
        let rows: Vec<SignatureRow> = rows.collect();
        (forms, rows, whole)
    });
    let too_large = found.is_none();
    let (forms, rows, whole) = found.unwrap_or_default();
    for ((param, form), free) in params.iter_mut().zip(&forms).zip(&free) {
        if *free {
            form.text().clone_into(&mut param.shape);
        }
    }
    let (name, signature) = (Some(function.name.text.clone()), closure.signature(sources));
    Some(SignatureTable { name, signature, params, results: Vec::new(), rows, whole, too_large })
}

/// Shapes that a function takes for the parameters that say none: all `[n]` if it does, else all scalars, else all
/// `[m, n]`, else the first mix of these.
fn shapes(
    params: &[SignatureParam],
    free: &[bool],
    call: &mut impl FnMut(&[Elem], &[ProbeShape], Mode) -> probe::ProbeAnswer,
) -> Vec<ProbeShape> {
    let mut takes = |forms: &[ProbeShape]| {
        [DType::F32, DType::I32, DType::Bool].iter().any(|&dtype| {
            let at = params.iter().map(|param| match param.choices.as_slice() {
                [only] => *only,
                _ => Elem::Strong(dtype),
            });
            call(&at.collect::<Vec<_>>(), forms, Mode::All).result.is_some()
        })
    };
    let uniform = ProbeShape::ALL.map(|form| vec![form; params.len()]);
    if let Some(found) = uniform.iter().find(|forms| takes(forms)) {
        return found.clone();
    }
    let open = free.iter().filter(|&&free| free).count();
    if (2..=MAX_MIXED_SHAPES).contains(&open) {
        for mix in 0..ProbeShape::ALL.len().pow(open as u32) {
            let mut rest = mix;
            let forms: Vec<ProbeShape> = free
                .iter()
                .map(|&free| {
                    let form = ProbeShape::ALL[if free { rest % ProbeShape::ALL.len() } else { 0 }];
                    rest /= if free { ProbeShape::ALL.len() } else { 1 };
                    form
                })
                .collect();
            if takes(&forms) {
                return forms;
            }
        }
    }
    uniform[0].clone()
}

/// The table of the script itself: its inputs and what it puts out.
fn of_script(request: &Request, inputs: &[AskedInput], asked: &SignatureOptions) -> Option<SignatureTable> {
    // Data has a dtype: no input is a literal.
    let applies = |(name, elem): (&String, &Elem)| !elem.is_weak() && inputs.iter().any(|it| it.param.name == *name);
    if !asked.at.iter().all(applies) {
        return None;
    }
    let outputs = request.script.stmts.iter().filter_map(|stmt| {
        if let StmtKind::Output { name, .. } = &stmt.kind {
            return Some(Some(name.text.clone()));
        }
        matches!(stmt.kind, StmtKind::Expr { .. }).then_some(None)
    });
    let results: Vec<Option<String>> = outputs.collect();
    if results.is_empty() {
        return None;
    }
    let params: Vec<SignatureParam> = inputs.iter().map(|input| input.param.clone()).collect();
    let (rows, whole) = combinations(&params);
    let rows = rows.into_iter().map(|at| {
        let declared: Vec<Arc<Script>> =
            inputs.iter().zip(&at).map(|(input, &elem)| input.stated(elem).clone()).collect();
        SignatureRow::of(at, |mode| {
            let settings = Settings { mode, ..request.settings.clone() };
            let given = check::GivenNames { declared: &declared, ..request.given };
            let mut found = Diagnostics::new();
            let checked = check::check(&Request { settings, given, ..request.clone() }, &mut found);
            let mut errors: Vec<&'static str> = Vec::new();
            for error in found.iter().filter(|found| found.is_error()) {
                if !errors.contains(&error.code.name) {
                    errors.push(error.code.name);
                }
            }
            probe::ProbeAnswer { result: checked.program.map(|_| checked.outputs), errors }
        })
    });
    let rows = rows.collect();
    let signature = "the script".to_owned();
    Some(SignatureTable { name: None, signature, params, results, rows, whole, too_large: false })
}
