//! Random data for inputs that are given none: what `arr bench` measures with.
//!
//! `a:f32[1000]` states how large an input is. A name in a declared type takes its size from what is stated, or from
//! the files that other inputs are given, so that one such argument is often enough. Floats are between 0 and 1,
//! integers between 1 and 100, and all of them in the range that the input declares.

use super::{Input, Session};
use crate::array::Array;
use crate::array::random::Random;
use crate::diagnostic::codes::{inputs, running};
use crate::diagnostic::{Diagnostic, Diagnostics};
use crate::io::{self, argument};
use crate::ir::{Fault, NodeKind, Program};
use crate::syntax::ast::{Stmt, StmtKind};
use crate::types::equal::Equation;
use crate::types::{DType, Dim, Kind, shape};
use std::collections::BTreeMap;

/// An input that is filled.
#[derive(Clone, Debug)]
pub struct FilledInput {
    /// The input.
    pub name: String,
    /// Its data.
    pub array: Array,
    /// The least and the greatest number that it may hold.
    pub bounds: (f64, f64),
}

/// What is known of an input's type.
#[derive(Clone)]
struct KnownType {
    name: String,
    dtype: DType,
    dims: Vec<Dim>,
}

impl Session {
    /// Random data for the inputs of a script that have no value: `NAME:TYPE`, or nothing, is what the input's
    /// arguments say of them.
    ///
    /// # Errors
    /// What there is to report, when a size is not known or too large.
    pub fn fill(&mut self, input: &Input, seed: u64) -> Result<Vec<FilledInput>, Diagnostics> {
        let prepared = self.check(input);
        let stated = self.stated(input);
        let given =
            |name: &str| input.arguments.iter().any(|argument| argument.name == name && argument.value.is_some());
        // Without data a script may be refused that is right with some; but what it lacks will not come.
        let Some(program) = prepared.checked.program else {
            let open = prepared.script.stmts.iter().any(|stmt| {
                let StmtKind::Input { name, default: None, .. } = &stmt.kind else { return false };
                !given(&name.text) && !stated.iter().any(|known| known.name == name.text)
            });
            let errors = prepared.diagnostics;
            return if open { Err(errors) } else { self.filled(&stated, &BTreeMap::new(), None, input, seed) };
        };
        let mut declared = inputs_of(&program);
        // Others are files that the script loads, and inputs that have a default.
        declared.retain(|known| {
            let is_input = |stmt: &Stmt| matches!(&stmt.kind, StmtKind::Input { name, default, .. } if name.text == known.name && (default.is_none() || stated.iter().any(|it| it.name == known.name)));
            prepared.script.stmts.iter().any(is_input)
        });
        let mut sizes = BTreeMap::new();
        for known in &declared {
            let own = stated.iter().find(|stated| stated.name == known.name).map(|stated| stated.dims.clone());
            bind(&known.dims, &own.or_else(|| from_file(input, &known.name)).unwrap_or_default(), &mut sizes);
        }
        let wanted: Vec<KnownType> = declared
            .into_iter()
            .filter(|known| !given(&known.name))
            .map(|known| stated.iter().find(|stated| stated.name == known.name).cloned().unwrap_or(known))
            .collect();
        self.filled(&wanted, &sizes, Some(&program), input, seed)
    }

    /// The types that arguments state of inputs without values.
    fn stated(&mut self, input: &Input) -> Vec<KnownType> {
        let arguments = input.arguments.iter().filter(|argument| argument.value.is_none());
        let mut known = Vec::new();
        for argument in arguments {
            let ty = argument.type_text.as_deref().unwrap_or_default();
            let text = format!("input {}: {ty}", argument.name);
            // What is wrong with it was reported with the script.
            let prepared = Session::default().check(&Input::new("the command line", &text));
            known.extend(prepared.checked.program.iter().flat_map(inputs_of));
        }
        known
    }

    fn filled(
        &self,
        wanted: &[KnownType],
        sizes: &BTreeMap<String, u64>,
        program: Option<&Program>,
        input: &Input,
        seed: u64,
    ) -> Result<Vec<FilledInput>, Diagnostics> {
        let (mut found, mut filled, mut total) = (Diagnostics::new(), Vec::new(), 0usize);
        for (index, KnownType { name, dtype, dims }) in wanted.iter().enumerate() {
            let lengths = dims.iter().map(|dim| dim.evaluate(|name| sizes.get(name).copied()));
            let lengths: Option<Vec<usize>> = lengths.map(|length| usize::try_from(length?).ok()).collect();
            let Some(lengths) = lengths else {
                found.push(self.unknown_size(name, *dtype, dims, program));
                continue;
            };
            let bytes = crate::array::extent(&lengths, dtype.size()).map(|(_, bytes)| bytes);
            total = bytes.and_then(|bytes| total.checked_add(bytes)).unwrap_or(usize::MAX);
            if input.options.max_memory.is_some_and(|limit| total > limit) || bytes.is_none() {
                found.push(too_large(name, bytes, input.options.max_memory));
                break;
            }
            let bounds = program.and_then(|program| range(program, name)).unwrap_or_else(|| usual(*dtype));
            let mut random = Random::new(seed.wrapping_add(index as u64).wrapping_mul(0x9e37_79b9));
            match random.array(*dtype, &lengths, bounds) {
                Ok(array) => filled.push(FilledInput { name: name.clone(), array, bounds }),
                Err(_) => found.push(too_large(name, bytes, None)),
            }
        }
        if found.is_empty() { Ok(filled) } else { Err(found) }
    }

    fn unknown_size(&self, name: &str, dtype: DType, dims: &[Dim], program: Option<&Program>) -> Diagnostic {
        let message = format!("input `{name}` is given no value, and nothing says how large {} is", shape::show(dims));
        let span = program.and_then(|program| program.inputs.iter().find(|input| input.name == name)).map(|at| at.span);
        let ones: Vec<&str> = dims.iter().map(|_| "1000").collect();
        match span {
            Some(span) => Diagnostic::error(&inputs::OPEN_TYPE, span, message).label(span, "no data, and no size"),
            None => Diagnostic::unlocated(&inputs::OPEN_TYPE, message),
        }
        .help(format!(
            "`{name}:{dtype}[{}]` fills it with random numbers, `{name}=FILE.npy` with data",
            ones.join(", ")
        ))
    }
}

fn too_large(name: &str, bytes: Option<usize>, limit: Option<usize>) -> Diagnostic {
    let needed = bytes.map_or("more memory than can be addressed".to_owned(), |bytes| io::error::size(bytes as u64));
    let limit = limit.map(|bytes| format!("; the limit for all is {}", io::error::size(bytes as u64)));
    let message = format!("random numbers for `{name}` need {needed}{}", limit.unwrap_or_default());
    Diagnostic::unlocated(&running::OUT_OF_MEMORY, message).help("`--max-mem SIZE` raises the limit")
}

/// The inputs of a program that have no data.
fn inputs_of(program: &Program) -> Vec<KnownType> {
    let nodes = program.nodes.iter().filter_map(|node| {
        let NodeKind::Input(index) = node.kind else { return None };
        let input = &program.inputs[index as usize];
        (input.value.is_none()).then(|| KnownType {
            name: input.name.clone(),
            dtype: node.dtype,
            dims: node.shape.clone(),
        })
    });
    nodes.collect()
}

/// The shape that the header of an input's file says.
fn from_file(input: &Input, name: &str) -> Option<Vec<Dim>> {
    let argument = input.arguments.iter().find(|argument| argument.name == name)?;
    let Some(argument::BoundValue::File(path)) = &argument.value else { return None };
    let header = io::header(path, &io::ReadOptions::default()).ok()?;
    Some(header.shape.iter().map(|&length| Dim::Const(length as u64)).collect())
}

/// Binds the names of declared dimensions to sizes. What does not agree is left for the checker to report.
fn bind(declared: &[Dim], sizes: &[Dim], known: &mut BTreeMap<String, u64>) {
    for (dim, size) in declared.iter().zip(sizes) {
        if size.known().is_some()
            && let Equation::Name(name, Dim::Const(size)) = dim.equation(size)
        {
            known.entry(name).or_insert(size);
        }
    }
}

/// The range that an input declares.
fn range(program: &Program, name: &str) -> Option<(f64, f64)> {
    let declared = program.checks.iter().find_map(|check| {
        let Fault::OutOfRange { input, range, .. } = &check.fault else { return None };
        (input == name).then_some(range)
    })?;
    // As it is written it is an array of two numbers.
    let text = format!("f64({declared})");
    let reply = Session::default().evaluate(&Input::new("range", &text));
    match reply.values.first()?.array.to_vec::<f64>()[..] {
        [low, high] if low <= high && (high - low).is_finite() => Some((low, high)),
        _ => None,
    }
}

/// What inputs without a range hold.
fn usual(dtype: DType) -> (f64, f64) {
    match dtype.kind() {
        Kind::Unsigned | Kind::Signed => (1.0, 100.0),
        Kind::Bool | Kind::Float | Kind::Complex => (0.0, 1.0),
    }
}
