//! `load("raw.npy")`: whoever asks for the check has read the files; here their arrays become inputs of the program.
//!
//! Checking alone needs no file where a type is annotated: `let raw: i16[n] = load("raw.npy")` says all that the walk
//! wants to know. Such a call is [`Value::Absent`] until its annotation is met.

use crate::array::Array;
use crate::check::infer::Ctx;
use crate::check::infer::calls::arguments::GivenValue;
use crate::check::infer::values::value::Value;
use crate::check::{BoundName, report};
use crate::diagnostic::Diagnostic;
use crate::ir::NodeId;
use crate::ops::load::FileCells;
use crate::ops::{self, Form};
use crate::range::{self, Range};
use crate::source::{SourceId, Span};
use crate::syntax::ast::{DimsExpr, ExprId, ExprKind, Script, StmtKind, TypeExpr};
use crate::types::{DType, Dim, Elem, Shape};
use std::collections::BTreeMap;

/// What is known of the files that scripts name.
pub type Files = BTreeMap<FileKey, LoadedFile>;

/// How a script names a file.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub struct FileKey {
    /// The script, where relative paths begin.
    pub source: SourceId,
    /// The path as written.
    pub path: String,
    /// Whether the codes of words are wanted.
    pub words: bool,
}

impl FileKey {
    /// The key of a file whose array is what it states.
    fn stated(source: SourceId, path: &str) -> FileKey {
        FileKey { source, path: path.to_owned(), words: false }
    }
}

/// A file that a script names.
#[derive(Clone, Debug)]
pub struct LoadedFile {
    /// What is in it.
    pub content: Content,
    /// What should be said about it.
    pub warnings: Vec<Diagnostic>,
}

/// What is in a file, as far as it is known.
#[derive(Clone, Debug)]
pub enum Content {
    /// Its array.
    Data(Array),
    /// The dtype and shape that its header states.
    Header(DType, Vec<usize>),
    /// There is no file, which is an error only where nothing states its type.
    Absent(Diagnostic),
    /// It cannot be read.
    Unreadable(Diagnostic),
}

impl Content {
    fn shape(&self) -> Option<&[usize]> {
        match self {
            Content::Data(array) => Some(array.shape()),
            Content::Header(_, shape) => Some(shape),
            Content::Absent(_) | Content::Unreadable(_) => None,
        }
    }
}

/// The path between the quotes, and whether the call asks for words, if an expression is a call of `load` or of
/// `codes`.
pub fn load_path(script: &Script, id: ExprId) -> Option<(&str, bool)> {
    let ExprKind::Call(callee, args) = &script.expr(id).kind else { return None };
    let loads = |name: &str| {
        let Form::Load(cells) = ops::find(name)?.form else { return None };
        Some(cells == FileCells::Words)
    };
    let (name, text) = match (&script.expr(*callee).kind, args.as_slice()) {
        (ExprKind::Name(name), [path]) => (name, path.value),
        (ExprKind::Attribute(base, name), args) => match (&script.expr(*base).kind, args) {
            (ExprKind::Name(_), [path]) => (&name.text, path.value),
            (_, []) => (&name.text, *base),
            _ => return None,
        },
        _ => return None,
    };
    // Few calls are of a text alone, and to look a name up takes its time.
    let ExprKind::Str(path) = &script.expr(text).kind else { return None };
    Some((path, loads(name)?))
}

/// The types that a script's statements state for the files that they load, those inside of functions and loops too.
pub fn stated_types(script: &Script) -> BTreeMap<&str, &TypeExpr> {
    let mut blocks = vec![&script.stmts];
    blocks.extend(script.exprs.iter().filter_map(|expr| {
        let ExprKind::Loop(it) = &expr.kind else { return None };
        Some(&it.body.stmts)
    }));
    let mut types = BTreeMap::new();
    while let Some(block) = blocks.pop() {
        for stmt in block {
            if let StmtKind::Fn(function) = &stmt.kind {
                blocks.push(&function.body.stmts);
            }
            if let Some((ty, value)) = stated(&stmt.kind)
                && let Some((path, false)) = load_path(script, value)
            {
                types.insert(path, ty);
            }
        }
    }
    types
}

/// The type that a statement states for its value.
fn stated(stmt: &StmtKind) -> Option<(&TypeExpr, ExprId)> {
    stmt.ty().zip(stmt.value())
}

impl Ctx<'_> {
    /// Data comes first: whatever is read, from the command line or by `load`, binds the names in its type before the
    /// walk begins, so that a statement above may use them.
    pub(in crate::check) fn bind_sizes(&mut self) {
        let (script, request) = (self.frame.script, self.request);
        for stmt in &script.stmts {
            let given =
                if let StmtKind::Input { name, .. } = &stmt.kind { request.given.bound.get(&name.text) } else { None };
            let (ty, shape) = match (&stmt.kind, given) {
                (StmtKind::Input { ty, .. }, Some((BoundName::Data(array), _)))
                    if !self.typed.single_axes.are_by_names() =>
                {
                    (ty, array.shape())
                }
                (_, Some(_)) => continue,
                (other, None) => {
                    let Some((ty, value)) = stated(other) else { continue };
                    let path = load_path(script, value)
                        .map(|(path, words)| FileKey { words, ..FileKey::stated(script.source, path) });
                    match path.and_then(|key| request.files.loaded.get(&key)?.content.shape()) {
                        Some(shape) => (ty, shape),
                        None => continue,
                    }
                }
            };
            let DimsExpr::List(dims) = &ty.dims else { continue };
            if dims.len() != shape.len() {
                continue;
            }
            for (&dim, &size) in dims.iter().zip(shape) {
                let dim = script.expr(dim);
                if let ExprKind::Name(name) = &dim.kind {
                    self.frame.dims.entry(name.clone()).or_insert((Some(Dim::Const(size as u64)), dim.span));
                }
            }
        }
    }

    /// `load("raw.npy")`. A file is one input of the program however often it is named.
    pub(in crate::check) fn load(&mut self, cells: FileCells, given: Vec<GivenValue>, span: Span) -> Value {
        let Some((value, at)) = given.into_iter().flatten().next() else { return Value::Error };
        let path = if let Value::Str(path) = &value
            && self.text(at).starts_with(['"', '\''])
        {
            path
        } else {
            return self.error(report::not_a_path(&value, at));
        };
        let words = cells == FileCells::Words;
        let key = FileKey { words, ..FileKey::stated(at.source, path) };
        if let Some(known) = self.graph.loads.get(&key) {
            return known
                .map_or(Value::Error, |node| self.computed_value(node, self.graph.builder.dtype(node).into(), span));
        }
        let Some(loaded) = self.request.files.loaded.get(&key) else {
            return self.error(report::not_read(path, at));
        };
        for warning in &loaded.warnings {
            let level = self.level(warning.code, at);
            self.findings.push(warning.clone().weighing(level).label(at, ""));
        }
        let (dtype, shape, array) = match &loaded.content {
            // No type says which words there are.
            Content::Absent(why) if words => {
                self.graph.loads.insert(key, None);
                return self.error(why.clone().label(at, ""));
            }
            Content::Absent(_) => return Value::Absent(path.clone()),
            Content::Unreadable(why) => {
                self.graph.loads.insert(key, None);
                return self.error(why.clone().label(at, ""));
            }
            Content::Header(dtype, shape) => (*dtype, shape.as_slice(), None),
            Content::Data(array) => (array.dtype(), array.shape(), Some(array)),
        };
        let dims = shape.iter().map(|&size| Dim::Const(size as u64)).collect();
        let node = self.file_input(path, dtype, dims, array.cloned(), at);
        self.graph.loads.insert(key, node);
        node.map_or(Value::Error, |node| self.computed_value(node, dtype.into(), span))
    }

    /// A file that is not there, where an annotation says what it would hold.
    pub(in crate::check) fn absent_as(&mut self, path: &str, span: Span, ty: &TypeExpr) -> Value {
        let Some(annotation) = self.annotation(ty, None) else { return Value::Error };
        let (Some(dtype), Some(dims)) = (annotation.dtype, annotation.dims.clone()) else {
            return self.error(report::open_file(path, self.text(ty.span), &annotation));
        };
        let node = self.file_input(path, dtype, dims, None, span);
        node.into_iter().for_each(|node| self.means(node, ty));
        self.graph.loads.insert(FileKey::stated(span.source, path), node);
        node.map_or(Value::Error, |node| self.computed_value(node, dtype.into(), ty.span))
    }

    /// A value that must be there: the type of an absent file is known to its annotation only.
    pub(in crate::check) fn present(&mut self, value: Value, span: Span) -> Value {
        let Value::Absent(path) = &value else { return value };
        let key = FileKey::stated(span.source, path);
        let why = match self.request.files.loaded.get(&key) {
            Some(LoadedFile { content: Content::Absent(why), .. }) => report::absent_file(why, span),
            _ => report::not_read(path, span),
        };
        self.graph.loads.insert(key, None);
        self.error(why)
    }

    /// A file's array as an input, if the system has a dtype for it.
    fn file_input(&mut self, path: &str, dtype: DType, dims: Shape, array: Option<Array>, at: Span) -> Option<NodeId> {
        let system = self.settings.system;
        let stored = system.storage_type(Elem::Strong(dtype));
        if stored != Elem::Strong(dtype) {
            self.error(report::no_wide_files(path, system.name, dtype, system.harden(stored), at));
            return None;
        }
        match array {
            Some(array) if dims.is_empty() => Some(self.graph.builder.constant(array.get(0))),
            array => {
                let node = self.graph.builder.input(path, at, dtype, dims);
                if let Some(array) = array {
                    if let Some(values) = range::data::values(&array) {
                        self.graph.ranges.declare(node, Range::of_data(values));
                    }
                    self.graph.builder.bind(node, array);
                }
                Some(node)
            }
        }
    }
}
