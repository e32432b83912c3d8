//! `arrlang.Kernel`: a text that was checked for the types of its inputs.

use crate::arrays::Borrowing;
use crate::rules::Rules;
use crate::texts::spelled;
use crate::{arrays, dtype, fork, found, run};
use arrlang::array::Array;
use arrlang::diagnostic::Diagnostics;
use arrlang::exec::Options;
use arrlang::io::argument::{Argument, BoundValue};
use arrlang::scalar::Scalar;
use arrlang::session::{CallError, Callable, Input, TypedName};
use arrlang::source::Sources;
use arrlang::syntax::{self, ast::StmtKind};
use arrlang::types::{DType, Dim};
use numpy::{PyArrayDescr, PyUntypedArray};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat, PyInt, PyList, PyTuple};
use std::hash::{DefaultHasher, Hash, Hasher};

/// A name with its type, or with its value: `("x", "f32[n]", None)`, `("k", None, "2.5")`.
pub(crate) type Given = (String, Option<String>, Option<String>);

/// Names as arguments of the command would say them.
pub(crate) fn arguments(given: &[Given]) -> Vec<Argument> {
    let argument = |(name, type_text, value): &Given| Argument {
        name: name.clone(),
        type_text: type_text.clone(),
        value: value.clone().map(BoundValue::Text),
    };
    given.iter().map(argument).collect()
}

/// A text that was checked once for the types of its inputs, to be called with arrays of any lengths.
///
/// Made by `arrlang.compile`. It pickles, is hashable, and may be called from several threads at once.
///
/// `kernel(*args, out=None, threads=None, copy=None, **named)` computes: arrays by place or by name; `out` is an array
/// for the result, or a tuple of them for several; `threads` is how many a call may use; with `copy=False` what cannot
/// be taken where it lies is refused.
#[pyclass(frozen, weakref, module = "arrlang._arrlang")]
pub(crate) struct Kernel {
    callable: Callable,
    text: String,
    given: Vec<Given>,
    rules: Rules,
    options: Py<PyDict>,
    threads: Option<usize>,
    /// The class of several results.
    results: Option<Py<PyAny>>,
    warnings: found::Warnings,
}

#[pymethods]
impl Kernel {
    #[new]
    #[pyo3(signature = (text, given, options, threads=None))]
    fn new(
        py: Python<'_>,
        text: String,
        given: Vec<Given>,
        options: Bound<'_, PyDict>,
        #[pyo3(from_py_with = run::count)] threads: Option<usize>,
    ) -> PyResult<Kernel> {
        let rules: Rules = options.extract()?;
        let session = rules.session()?;
        let types = arguments(&given);
        let made = fork::detached(py, || {
            Callable::new(&session, &Input { arguments: &types, free_names: true, ..Input::new("<arr>", &text) })
        });
        let callable = made.map_err(|refused| found::raised(py, &refused, false))?;
        let results = match callable.results().len() {
            0 | 1 => None,
            _ => {
                let names = callable
                    .results()
                    .iter()
                    .enumerate()
                    .map(|(at, it)| it.name.clone().unwrap_or_else(|| format!("_{at}")));
                let names = PyTuple::new(py, names.collect::<Vec<_>>())?;
                Some(py.import("arrlang._results")?.getattr("named")?.call1(names)?.unbind())
            }
        };
        Ok(Kernel {
            callable,
            text,
            given,
            rules,
            options: options.unbind(),
            threads,
            results,
            warnings: found::Warnings::new(),
        })
    }

    #[pyo3(signature = (*args, out=None, threads=None, copy=None, **named))]
    fn __call__<'py>(
        &self,
        py: Python<'py>,
        args: &Bound<'py, PyTuple>,
        out: Option<&Bound<'py, PyAny>>,
        #[pyo3(from_py_with = run::count)] threads: Option<usize>,
        copy: Option<bool>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if let Some(named) = named
            && named.len() + args.len() != self.callable.parameters().len()
            && let Some(other) = self.others(py, named, args.len())?
        {
            let call = named.copy()?;
            for (typed, value) in self.callable.parameters().iter().zip(args) {
                call.set_item(typed.name.as_deref().unwrap_or_default(), value)?;
            }
            call.set_item("out", out)?;
            call.set_item("threads", threads)?;
            call.set_item("copy", copy)?;
            return other.call((), Some(&call));
        }
        let given = self.given(args, copy, named)?;
        run::call(
            py,
            &self.callable,
            &given,
            out.filter(|out| !out.is_none()),
            run::threads(threads.or(self.threads)),
            self.results.as_ref(),
        )
    }

    /// The text.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// The names of the inputs, in the order of the arguments of a call; those with defaults are given by name alone.
    #[getter]
    fn names(&self) -> Vec<&str> {
        self.callable.parameters().iter().map(|typed| typed.name.as_deref().unwrap_or_default()).collect()
    }

    /// The names of the results; `None` for those without.
    #[getter]
    fn outputs(&self) -> Vec<Option<&str>> {
        self.callable.results().iter().map(|typed| typed.name.as_deref()).collect()
    }

    /// The dtype of the result; a tuple of them if there are several.
    #[getter]
    fn dtype<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, |typed| Ok(dtype::descr(py, typed.dtype)?.into_any()))
    }

    /// The shape of the result, with names where lengths are not known: `("n", 3)`.
    #[getter]
    fn shape<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        self.each(py, |typed| {
            let dims = typed.dims.iter().map(|dim| match dim {
                Dim::Const(size) => Ok(size.into_pyobject(py)?.into_any()),
                Dim::Affine(_) => Ok(dim.to_string().into_pyobject(py)?.into_any()),
            });
            Ok(PyTuple::new(py, dims.collect::<PyResult<Vec<_>>>()?)?.into_any())
        })
    }

    /// An empty array of the dtype and rank of the result, as dask wants it.
    #[getter]
    fn meta<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let empty = py.import("numpy")?.getattr("empty")?;
        self.each(py, |typed| {
            empty.call1((PyTuple::new(py, vec![0; typed.dims.len()])?, dtype::descr(py, typed.dtype)?))
        })
    }

    /// `(x: f32[n], m: f32) -> f32[n]`
    #[getter]
    fn signature(&self) -> String {
        let one = |typed: &TypedName| match &typed.name {
            Some(name) => format!("{name}: {}", typed.type_text()),
            None => typed.type_text(),
        };
        let mut inputs: Vec<String> = self.callable.parameters().iter().map(one).collect();
        inputs.extend(self.optional().into_iter().map(|(name, kind, value)| format!("{name}: {kind} = {value}")));
        let results: Vec<String> = self.callable.results().iter().map(one).collect();
        match results.as_slice() {
            [one] => format!("({}) -> {one}", inputs.join(", ")),
            several => format!("({}) -> ({})", inputs.join(", "), several.join(", ")),
        }
    }

    /// Nanoseconds of a run without Python, the middle of so many: what `python/measure.py` compares a call with.
    #[pyo3(signature = (count, *args, threads=None))]
    fn _alone(&self, py: Python<'_>, count: usize, args: &Bound<'_, PyTuple>, threads: Option<usize>) -> PyResult<f64> {
        let given = &*self.given(args, None, None)?;
        let threads = run::threads(threads.or(self.threads));
        let times = fork::detached(py, || {
            let options = Options { threads, ..Options::default() };
            let timed = |_| {
                let begun = std::time::Instant::now();
                drop(self.callable.call(given, &options)?);
                Ok(begun.elapsed().as_nanos() as f64)
            };
            (0..count).map(timed).collect::<Result<Vec<f64>, CallError>>()
        });
        let mut times = times.map_err(|error| found::failed(py, error))?;
        times.sort_by(f64::total_cmp);
        Ok(times.get(count / 2).copied().unwrap_or_default())
    }

    /// What checking found that is no error.
    fn _findings<'py>(&self, py: Python<'py>) -> PyResult<Option<Bound<'py, PyAny>>> {
        Ok(self.warnings.list(py, &self.callable)?.cloned())
    }

    fn __repr__(&self) -> String {
        format!("<arrlang.Kernel {}>", self.signature())
    }

    /// For `inspect.signature`.
    #[getter]
    fn __signature__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let inputs = self.callable.parameters().iter();
        let inputs: Vec<_> =
            inputs.map(|typed| (typed.name.as_deref().unwrap_or_default(), typed.type_text())).collect();
        py.import("arrlang._keywords")?.getattr("signature")?.call1((inputs, true, self.optional()))
    }

    #[getter]
    fn __name__(&self) -> &'static str {
        "arr_kernel"
    }

    fn __reduce__<'py>(&self, py: Python<'py>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let made = py.import("arrlang")?.getattr("_again")?;
        let given = self.given.clone().into_pyobject(py)?;
        let threads = self.threads.into_pyobject(py)?;
        let parts = [
            self.text.as_str().into_pyobject(py)?.into_any(),
            given.into_any(),
            self.options.bind(py).clone().into_any(),
            threads.into_any(),
        ];
        Ok((made, PyTuple::new(py, parts)?))
    }

    fn __dask_tokenize__(&self) -> (&'static str, String, Vec<Given>, String) {
        ("arrlang.Kernel", self.text.clone(), self.given.clone(), format!("{:?}", self.rules))
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.text, &self.given, &self.rules).hash(&mut hasher);
        hasher.finish()
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.cast::<Kernel>().is_ok_and(|other| {
            let other = other.get();
            (&self.text, &self.given, &self.rules) == (&other.text, &other.given, &other.rules)
        })
    }
}

impl Kernel {
    /// One thing of each result: itself if there is one result, else a tuple.
    fn each<'py>(
        &self,
        py: Python<'py>,
        of: impl Fn(&TypedName) -> PyResult<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        match self.callable.results() {
            [one] => of(one),
            several => Ok(PyTuple::new(py, several.iter().map(of).collect::<PyResult<Vec<_>>>()?)?.into_any()),
        }
    }

    /// The inputs that a call may leave out, each with its type and its default.
    fn optional(&self) -> Vec<(String, String, String)> {
        let mut defaults = defaults(&self.text);
        defaults.retain(|(name, ..)| !self.given.iter().any(|(known, ..)| known == name));
        defaults
    }

    /// An array for each parameter.
    fn given<'a, 'py>(
        &self,
        args: &'a Bound<'py, PyTuple>,
        copy: Option<bool>,
        named: Option<&Bound<'py, PyDict>>,
    ) -> PyResult<Borrowing<'a, 'py>> {
        let parameters = self.callable.parameters();
        if args.len() > parameters.len() {
            return Err(PyTypeError::new_err(format!(
                "it takes {} arrays, and {} were given",
                parameters.len(),
                args.len()
            )));
        }
        let mut given = Borrowing::new(args, parameters.len());
        for (at, typed) in parameters.iter().enumerate() {
            let name = typed.name.as_deref().unwrap_or_default();
            if at < args.len() && given.borrow().map_err(|error| found::about(args.py(), name, error))? {
                continue;
            }
            let value = match (at < args.len(), named) {
                (true, _) => args.get_item(at)?,
                (false, Some(named)) => by_name(named, name)?.ok_or_else(|| missing(name, typed))?,
                (false, None) => return Err(missing(name, typed)),
            };
            let array = self.argument(&value, typed, copy);
            given.push(array.map_err(|error| found::about(args.py(), name, error))?);
        }
        Ok(given)
    }

    /// A value for a parameter. A number of Python's own takes the dtype that the parameter has.
    fn argument(&self, value: &Bound<'_, PyAny>, typed: &TypedName, copy: Option<bool>) -> PyResult<Array> {
        let py = value.py();
        if typed.dims.is_empty() && value.cast::<PyUntypedArray>().is_err() {
            if let Some(number) = number(value, typed.dtype).or_else(|| arrays::scalar(value)) {
                return Ok(Array::from_scalar(number));
            }
            let descr: Bound<'_, PyArrayDescr> = dtype::descr(py, typed.dtype)?;
            let scalar = py.import("arrlang._arrays")?.getattr("scalar")?.call1((value, descr))?;
            return arrays::array(&scalar, None);
        }
        if copy != Some(false) && (value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()) {
            let listed = py.import("arrlang._arrays")?.getattr("listed")?;
            let listed = listed.call1((value, dtype::descr(py, typed.dtype)?, typed.dims.len()))?;
            return arrays::array(&listed, None);
        }
        arrays::array(value, copy)
    }

    /// The kernel in which inputs that have defaults are given too, if the names of a call ask for it; an error for
    /// names that are no inputs.
    fn others<'py>(
        &self,
        py: Python<'py>,
        named: &Bound<'py, PyDict>,
        positional: usize,
    ) -> PyResult<Option<Bound<'py, PyAny>>> {
        let (parameters, mut given) = (self.callable.parameters(), self.given.clone());
        for (name, _) in named.iter() {
            let name: String = name.extract()?;
            let is_it = |own: &str| own == name || spelled(py, own).is_some_and(|own| own == name);
            match parameters.iter().position(|typed| typed.name.as_deref().is_some_and(is_it)) {
                None => {
                    match defaulted(&self.text, &name).filter(|_| !given.iter().any(|(known, ..)| *known == name)) {
                        Some(type_text) => given.push((name, Some(type_text), None)),
                        None => {
                            return Err(PyTypeError::new_err(format!(
                                "there is no input {name:?} in {}",
                                self.signature()
                            )));
                        }
                    }
                }
                Some(at) if at < positional => return Err(PyTypeError::new_err(format!("{name:?} is given twice"))),
                Some(_) => {}
            }
        }
        if given.len() == self.given.len() {
            return Ok(None);
        }
        let again = py.import("arrlang")?.getattr("_again")?;
        again.call1((self.text.as_str(), given, self.options.bind(py), self.threads)).map(Some)
    }
}

/// The inputs that have defaults, each with its type and its default.
fn defaults(text: &str) -> Vec<(String, String, String)> {
    let mut sources = Sources::new();
    let id = sources.add("<arr>", text);
    let script = syntax::parse(&sources, id, &mut Diagnostics::new());
    let mut found = Vec::new();
    for stmt in &script.stmts {
        if let StmtKind::Input { name, ty, default: Some(default), .. } = &stmt.kind {
            let value = sources.text(script.expr(*default).span).split_whitespace().collect::<Vec<_>>().join(" ");
            found.push((name.text.clone(), sources.text(ty.span).to_owned(), value));
        }
    }
    found
}

/// The type of an input that has a default.
fn defaulted(text: &str, wanted: &str) -> Option<String> {
    defaults(text).into_iter().find(|(name, ..)| name == wanted).map(|(_, kind, _)| kind)
}

/// An argument of a call, whose name Python may spell in another way.
fn by_name<'py>(named: &Bound<'py, PyDict>, name: &str) -> PyResult<Option<Bound<'py, PyAny>>> {
    match (named.get_item(name)?, spelled(named.py(), name)) {
        (None, Some(own)) => named.get_item(own),
        (found, _) => Ok(found),
    }
}

/// The error for an input that nobody gives.
pub(crate) fn missing(name: &str, typed: &TypedName) -> PyErr {
    PyTypeError::new_err(format!("{name}: {} is missing", typed.type_text()))
}

/// A number of Python's own in the dtype of a parameter, where that is plain; `None` for whatever has to be looked at.
fn number(value: &Bound<'_, PyAny>, dtype: DType) -> Option<Scalar> {
    if value.is_exact_instance_of::<PyFloat>() {
        let value: f64 = value.extract().ok()?;
        return match dtype {
            DType::F64 => Some(Scalar::of(value)),
            // A number that would become infinite is refused, as all others that do not fit.
            DType::F32 if value.abs() <= f64::from(f32::MAX) => Some(Scalar::of(value as f32)),
            _ => None,
        };
    }
    if !value.is_exact_instance_of::<PyInt>() {
        return None;
    }
    let value: i64 = value.extract().ok()?;
    match dtype {
        DType::I64 => Some(Scalar::of(value)),
        DType::I32 => i32::try_from(value).ok().map(Scalar::of),
        DType::I16 => i16::try_from(value).ok().map(Scalar::of),
        DType::I8 => i8::try_from(value).ok().map(Scalar::of),
        DType::U64 => u64::try_from(value).ok().map(Scalar::of),
        DType::U32 => u32::try_from(value).ok().map(Scalar::of),
        DType::U16 => u16::try_from(value).ok().map(Scalar::of),
        DType::U8 => u8::try_from(value).ok().map(Scalar::of),
        DType::F64 if value.unsigned_abs() <= 1 << 53 => Some(Scalar::of(value as f64)),
        DType::F32 if value.unsigned_abs() <= 1 << 24 => Some(Scalar::of(value as f32)),
        _ => None,
    }
}
