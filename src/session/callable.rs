//! A text, checked once for its input types, then called often from any thread.
//!
//! Types come before data: `x: f32[n]` says all that is needed to know what comes out, and to compile. A call brings
//! arrays of any lengths that agree with the names. Code is shared by all lengths. What depends on them is kept for the
//! last few. Nothing of a call stays, so a process that lives long does not grow.
//!
//! ```
//! use arrlang::array::Array;
//! use arrlang::exec::Options;
//! use arrlang::io::argument::Argument;
//! use arrlang::session::{Callable, Input, Session};
//!
//! let types = ["x:f32[n]", "gain:f32"].map(|text| Argument::parse(text.as_ref()).unwrap());
//! let input = Input { arguments: &types, free_names: true, ..Input::new("demo", "gain * x + 1") };
//! let scaled = Callable::new(&Session::default(), &input).unwrap();
//! assert_eq!(scaled.results()[0].type_text(), "f32[n]");
//!
//! for n in [3, 5] {
//!     let arrays = [Array::from_elements(&[n], &vec![2f32; n]), Array::from_elements(&[], &[1.5f32])];
//!     let results = scaled.call(&arrays, &Options::default()).unwrap();
//!     assert_eq!(results[0].to_vec::<f32>(), vec![4.0; n]);
//! }
//! ```

mod fitted;

use super::{Input, Preparation, Session, fault};
use crate::array::Array;
use crate::diagnostic::codes::dtypes::NOT_AN_ARRAY;
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::exec::{self, LentMemory, PlannedCall, RunError};
use crate::io::argument::{Argument, BoundValue};
use crate::ir::{NodeKind, Program};
use crate::locks::lock;
use crate::source::Sources;
use crate::syntax::ast::StmtKind;
use crate::types::{DType, Dim, Elem, shape};
use fitted::FittedProgram;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

/// The most shapes of arguments that are remembered.
const MAX_SHAPES: usize = 32;

/// An input or a result: its name, its dtype and its dimensions.
#[derive(Clone, PartialEq, Debug)]
pub struct TypedName {
    /// The name. It is `None` for the value of a bare expression.
    pub name: Option<String>,
    /// The dtype.
    pub dtype: DType,
    /// The type as the language sees it: weak where only literals decide.
    pub elem: Elem,
    /// The dimensions.
    pub dims: Vec<Dim>,
}

impl TypedName {
    /// `f32[n, 3]`
    pub fn type_text(&self) -> String {
        if self.dims.is_empty() { self.elem.to_string() } else { format!("{}{}", self.elem, shape::show(&self.dims)) }
    }
}

/// What was found wrong, with the texts that it points into.
#[derive(Debug)]
pub struct CheckErrors {
    /// What there is to report.
    pub diagnostics: Diagnostics,
    /// The texts.
    pub sources: Sources,
    /// Whose fault it is.
    pub outcome: Outcome,
}

/// Why a call gave nothing.
#[derive(Debug)]
pub enum CallError {
    /// There is something to report.
    Refused(Box<CheckErrors>),
    /// Memory that is lent for a result has another dtype or shape.
    Misfit {
        /// Which result.
        result: usize,
    },
}

/// A text with the types of its inputs.
#[derive(Debug)]
pub struct Callable {
    session: Session,
    script: CalledText,
    parameters: Vec<TypedName>,
    results: Vec<TypedName>,
    found: Diagnostics,
    sources: Sources,
    /// Whether shapes may depend on values, which are only known in a call.
    needs_values: bool,
    /// The last used first.
    fitted: Mutex<Vec<Arc<FittedProgram>>>,
}

/// The text that a call runs, with what its input says of it.
#[derive(Debug)]
struct CalledText {
    name: String,
    text: String,
    arguments: Vec<Argument>,
    free_names: bool,
    folder: Option<PathBuf>,
}

impl Callable {
    /// Checks a text for the types that its `input` lines and arguments state. Files and names of the session are as
    /// they are now.
    ///
    /// # Errors
    /// What is wrong with the text, or with the types.
    pub fn new(session: &Session, input: &Input) -> Result<Callable, Box<CheckErrors>> {
        let mut own = session.clone();
        let prepared = own.check(input);
        let open =
            prepared.checked.program.as_ref().and_then(Program::open_word).map(|word| (word.name.clone(), word.span));
        let Some(program) = prepared.checked.program.as_ref().filter(|_| open.is_none()) else {
            let (mut diagnostics, mut outcome) = (prepared.diagnostics, prepared.outcome);
            if let Some((word, span)) = open {
                let message = format!("an array has no words, and no code for {word}: compare with a number");
                diagnostics.push(Diagnostic::error(&NOT_AN_ARRAY, span, message).label(span, "a word of a table"));
                outcome = Outcome::Refused;
            }
            return Err(Box::new(CheckErrors { diagnostics, sources: own.sources, outcome }));
        };
        let (parameters, needs_values) = parameters(&prepared, program, input);
        let defaults = defaults(&prepared, &own.sources, input);
        let results = program.outputs.iter().zip(&prepared.checked.outputs).map(|(output, &elem)| {
            let node = program.node(output.node);
            TypedName { name: output.name.clone(), dtype: node.dtype, elem, dims: node.shape.clone() }
        });
        Ok(Callable {
            session: session.clone(),
            script: CalledText {
                name: input.name.to_owned(),
                text: input.text.to_owned(),
                arguments: input.arguments.iter().cloned().chain(defaults).collect(),
                free_names: input.free_names,
                folder: input.folder.map(Into::into),
            },
            parameters,
            results: results.collect(),
            needs_values,
            found: prepared.diagnostics,
            sources: own.sources,
            fitted: Mutex::default(),
        })
    }

    /// What a call takes, in this order: the inputs of the text, then names of which only arguments state the type. An
    /// input with a default keeps it, unless an argument states its type.
    pub fn parameters(&self) -> &[TypedName] {
        &self.parameters
    }

    /// What a call gives.
    pub fn results(&self) -> &[TypedName] {
        &self.results
    }

    /// What checking found that is no error, and the texts that it points into.
    pub fn findings(&self) -> (&Diagnostics, &Sources) {
        (&self.found, &self.sources)
    }

    /// One array for each result, given one for each parameter. Results share no memory with what is given.
    ///
    /// # Errors
    /// What is wrong with the arrays or their values.
    pub fn call(&self, arrays: &[Array], options: &exec::Options) -> Result<Vec<Array>, CallError> {
        let results = self.call_into(arrays, &[], options)?;
        Ok(results.into_iter().flatten().collect())
    }

    /// One array for each result, given one for each parameter. Results for which memory is lent are put there, and
    /// `None` stands for them.
    ///
    /// # Errors
    /// As for [`Callable::call`], and when memory does not fit its result.
    pub fn call_into(
        &self,
        arrays: &[Array],
        lent: &[Option<LentMemory>],
        options: &exec::Options,
    ) -> Result<Vec<Option<Array>>, CallError> {
        let fitted = match self.known(arrays) {
            Some(fitted) => fitted,
            None => self.fit(arrays)?,
        };
        // Elements in a file may vanish meanwhile, which a session looks after.
        if !fitted.is_complete() || arrays.iter().any(|array| array.mapping().is_some()) {
            return self.afresh(arrays, lent, options);
        }
        fitted.run(arrays, lent, options).map_err(|error| call_error(error, &fitted))
    }

    /// Does what [`Callable::call_into`] does, if a call with arrays and memory that lie like these was made before, and
    /// takes some microseconds at most: a host that would let its other threads run meanwhile loses more than they win.
    /// Otherwise nothing is done.
    ///
    /// # Errors
    /// As for [`Callable::call_into`].
    pub fn call_if_brief(
        &self,
        arrays: &[Array],
        lent: &[Option<LentMemory>],
        options: &exec::Options,
    ) -> Option<Result<Vec<Option<Array>>, CallError>> {
        let fitted = self.known(arrays).filter(|fitted| fitted.is_complete())?;
        if arrays.iter().any(|array| array.mapping().is_some()) {
            return None;
        }
        let results = fitted.run_again(arrays, lent, options, PlannedCall::is_brief)?;
        Some(results.map_err(|error| call_error(error, &fitted)))
    }

    /// What is known of arguments with these dtypes and shapes.
    fn known(&self, arrays: &[Array]) -> Option<Arc<FittedProgram>> {
        let mut known = lock(&self.fitted);
        let at = known.iter().position(|fitted| fitted.is_for(arrays))?;
        known[..=at].rotate_right(1);
        Some(known[0].clone())
    }

    /// Checks the text for these dtypes and shapes.
    fn fit(&self, arrays: &[Array]) -> Result<Arc<FittedProgram>, CallError> {
        let mut session = self.session.clone();
        let samples = self.named(arrays.iter().map(fitted::sample));
        // Of scalars only the type is known: their values are those of a call.
        let samples: Vec<(String, Array)> = samples.filter(|(_, array)| !array.shape().is_empty()).collect();
        let scalars = self.named(arrays.iter()).filter(|(_, array)| array.shape().is_empty());
        let stated = scalars.filter(|(name, _)| !self.script.arguments.iter().any(|argument| argument.name == *name));
        let stated =
            stated.map(|(name, array)| Argument { name, type_text: Some(array.dtype().to_string()), value: None });
        let arguments: Vec<Argument> = self.script.arguments.iter().cloned().chain(stated).collect();
        let prepared = session.check(&self.input(&arguments, &samples));
        let Some(program) = prepared.checked.program else {
            return Err(self.refused(prepared.diagnostics, session.sources, prepared.outcome));
        };
        let wrong = self.parameters.len() != arrays.len()
            || self.parameters.iter().zip(arrays).any(|(typed, array)| typed.dtype != array.dtype());
        let fitted = FittedProgram::new(program, session.sources, &self.parameters, arrays, self.needs_values || wrong);
        let fitted = Arc::new(fitted);
        let mut known = lock(&self.fitted);
        known.truncate(MAX_SHAPES - 1);
        known.insert(0, fitted.clone());
        Ok(fitted)
    }

    /// A call with all that a session does around one.
    fn afresh(
        &self,
        arrays: &[Array],
        lent: &[Option<LentMemory>],
        options: &exec::Options,
    ) -> Result<Vec<Option<Array>>, CallError> {
        let mut session = self.session.clone();
        let given: Vec<(String, Array)> = self.named(arrays.iter().cloned()).collect();
        let input = Input { options: *options, ..self.input(&self.script.arguments, &given) };
        let reply = session.peek(&input);
        if reply.values.is_empty() && !reply.outcome.is_done() {
            return Err(self.refused(reply.diagnostics, session.sources, reply.outcome));
        }
        let mut results = Vec::with_capacity(reply.values.len());
        for (at, shown) in reply.values.into_iter().enumerate() {
            results.push(match lent.get(at).and_then(Option::as_ref) {
                None => Some(shown.array),
                Some(memory) => {
                    exec::copy_into(&shown.array, memory, options).map_err(|_| CallError::Misfit { result: at })?;
                    None
                }
            });
        }
        Ok(results)
    }

    fn named<T>(&self, arrays: impl Iterator<Item = T>) -> impl Iterator<Item = (String, T)> {
        self.parameters.iter().map(|typed| typed.name.clone().unwrap_or_default()).zip(arrays)
    }

    fn input<'i>(&'i self, arguments: &'i [Argument], arrays: &'i [(String, Array)]) -> Input<'i> {
        let CalledText { name, text, free_names, folder, .. } = &self.script;
        Input { arguments, arrays, free_names: *free_names, folder: folder.as_deref(), ..Input::new(name, text) }
    }

    fn refused(&self, diagnostics: Diagnostics, sources: Sources, outcome: Outcome) -> CallError {
        CallError::Refused(Box::new(CheckErrors { diagnostics, sources, outcome }))
    }
}

/// What there is to report of a run that went wrong.
fn call_error((error, program): (RunError, Box<Program>), fitted: &FittedProgram) -> CallError {
    if let RunError::Misfit { output } = error {
        return CallError::Misfit { result: output };
    }
    let (found, outcome) = fault::run_error(&error, &program);
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(found);
    CallError::Refused(Box::new(CheckErrors { diagnostics, sources: fitted.sources().clone(), outcome }))
}

/// What a call takes, and whether values of it may decide shapes.
fn parameters(prepared: &Preparation, program: &Program, input: &Input) -> (Vec<TypedName>, bool) {
    let stated = |name: &str| input.arguments.iter().find(|argument| argument.name == name);
    let (mut parameters, mut needs_values) = (Vec::<TypedName>::new(), false);
    for stmt in &prepared.script.stmts {
        let StmtKind::Input { name, default, .. } = &stmt.kind else { continue };
        match (stated(&name.text), default) {
            (Some(Argument { value: Some(_), .. }), _) | (None, Some(_)) => {}
            (Some(_), Some(_)) => {
                needs_values = true;
                parameters.extend(of_program(program, &name.text));
            }
            (_, None) => parameters.extend(of_program(program, &name.text)),
        }
    }
    for argument in input.arguments.iter().filter(|argument| argument.value.is_none()) {
        if !parameters.iter().any(|known| known.name.as_ref() == Some(&argument.name)) {
            parameters.extend(of_program(program, &argument.name).or_else(|| unused(argument)));
        }
    }
    (parameters, needs_values)
}

/// Defaults that are numbers, as if they were given: they are constants then, and not looked for in every call.
fn defaults(prepared: &Preparation, sources: &Sources, input: &Input) -> Vec<Argument> {
    let script = &prepared.script;
    let defaults = script.stmts.iter().filter_map(|stmt| {
        let StmtKind::Input { name, default: Some(default), .. } = &stmt.kind else { return None };
        Some((name, sources.text(script.expr(*default).span)))
    });
    let open = defaults.filter(|(name, text)| {
        text.parse::<f64>().is_ok() && !input.arguments.iter().any(|argument| argument.name == name.text)
    });
    open.map(|(name, text)| Argument {
        name: name.text.clone(),
        type_text: None,
        value: Some(BoundValue::Text(text.to_owned())),
    })
    .collect()
}

fn of_program(program: &Program, name: &str) -> Option<TypedName> {
    program.nodes.iter().find_map(|node| {
        let NodeKind::Input(index) = node.kind else { return None };
        (program.inputs[index as usize].name == name).then(|| {
            let (name, dims) = (Some(name.to_owned()), node.shape.clone());
            TypedName { name, dtype: node.dtype, elem: node.dtype.into(), dims }
        })
    })
}

/// A name that the text does not mention: it may be given all the same.
fn unused(argument: &Argument) -> Option<TypedName> {
    let text = format!("input {}: {}", argument.name, argument.type_text.as_deref()?);
    let prepared = Session::default().check(&Input::new("a type", &text));
    of_program(prepared.checked.program.as_ref()?, &argument.name)
}
