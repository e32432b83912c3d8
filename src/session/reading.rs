//! The files that a script may read, with the arrays of its `load` calls.
//!
//! The checker reads nothing, so files are read before it: their headers when a script is checked, their data when it
//! runs. Each is opened once, however often it is named. A file that the script uses has roots of its own for this,
//! those of [`Roots::from_folder`]: its paths begin in its own folder, and may lead wherever the script's may.

use super::bindings::elements;
use super::bound_inputs::BoundInputs;
use crate::check::load::{Content, FileKey, LoadedFile, load_path, stated_types};
use crate::io::table::{ColumnAnswer, ColumnReading, ColumnRequest, ReadUpTo, TableOptions};
use crate::io::{self, FaultOwner, Format, IoError, ReadOptions, Roots, together};
use crate::source::{Sources, Span};
use crate::syntax::ast::{ExprId, Script, TypeExpr};
use crate::types::DType;
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// What a table is asked for: under which path as written, with words or without, and what.
type PathRequest<'p> = ((&'p str, bool), ColumnRequest);

/// How data files are read, and which.
#[derive(Debug, Default, Clone)]
pub struct ReadPolicy {
    /// Read instead of map.
    pub copy: bool,
    /// Most bytes read into memory.
    pub max_bytes: Option<usize>,
    /// Folders that scripts may read besides their own.
    pub allowed: Vec<PathBuf>,
    /// Whether the user names the files, and not a script.
    pub by_user: bool,
    /// Becomes true when reading should stop.
    pub stop: Option<&'static AtomicBool>,
    /// Arrays of at least this many bytes are read through windows, where the program allows it. Absent: none is.
    pub windows: Option<usize>,
    /// How tables are read.
    pub table: TableOptions,
    /// What the format is where no name tells it.
    pub format: Option<&'static Format>,
}

impl ReadPolicy {
    /// How one file is read that the user names.
    pub(super) fn options(&self) -> ReadOptions {
        let ReadPolicy { copy, by_user, max_bytes, stop, windows, table, format, .. } = *self;
        ReadOptions { copy, by_user, max_bytes, stop, table, format, windows, ..ReadOptions::default() }
    }

    /// What a script in this folder may read; without one, what text that is in no file may: the working directory.
    ///
    /// ```
    /// use arrlang::session::ReadPolicy;
    /// let reading = ReadPolicy { allowed: vec!["/data".into()], ..ReadPolicy::default() };
    /// let roots = reading.roots(Some("scripts".as_ref()));
    /// assert_eq!(roots.whole("x.npy".as_ref()), std::path::Path::new("scripts/x.npy"));
    /// ```
    pub fn roots(&self, folder: Option<&Path>) -> Roots {
        Roots::new(folder, &self.allowed)
    }
}

impl BoundInputs {
    /// Reads the files that a script, or a part of it, loads, as much of each as is kept.
    pub(super) fn files(
        &mut self,
        script: &Script,
        part: Option<Span>,
        roots: &Roots,
        reading: &ReadPolicy,
        kept: ReadUpTo,
        sources: &Sources,
    ) {
        let wanted = |id: &ExprId| part.is_none_or(|part| part.to(script.expr(*id).span) == part);
        let ids = (0..script.exprs.len() as u32).map(ExprId).filter(wanted);
        let mut paths = ids.filter_map(|id| load_path(script, id)).peekable();
        if paths.peek().is_none() {
            return;
        }
        let types = stated_types(script);
        let paths: Vec<(&str, bool)> = paths.collect();
        let mut tables = self.tables(&paths, &types, roots, reading, kept);
        for (path, words) in paths {
            let key = FileKey { source: script.source, path: path.to_owned(), words };
            if self.opened.loaded.contains_key(&key) {
                continue;
            }
            let ty = types.get(path);
            let options = ReadOptions {
                dtype: ty.and_then(|ty| DType::from_str(&ty.dtype.text).ok()),
                roots: Some(roots.clone()),
                held: self.held,
                ..reading.options()
            };
            let whole = roots.whole(Path::new(path));
            self.named.push(io::Location::named_by_user(whole.as_os_str(), &options).path);
            let cells = if words { ColumnReading::Words } else { ColumnReading::Found };
            let options = ReadOptions { cells, ..options };
            let loaded = match self.opened.files.get(&(whole.clone(), words)) {
                Some(known) => known.clone(),
                None => self
                    .open(Path::new(path), tables.remove(&(path.to_owned(), words)), &options, kept)
                    .unwrap_or_else(|error| {
                        let absent =
                            kept == ReadUpTo::Header && error.kind == FaultOwner::Io(std::io::ErrorKind::NotFound);
                        match ty.filter(|_| absent) {
                            Some(ty) => self.notes.push(format!(
                                "there is no `{}`; it is checked as `{}`, its annotation",
                                error.path,
                                sources.text(ty.span)
                            )),
                            None => self.opened.outcome = self.opened.outcome.max(error.outcome()),
                        }
                        let mut why = error.diagnostic();
                        if matches!(error.kind, FaultOwner::Io(_))
                            && whole != Path::new(".").join(path)
                            && error.help.is_none()
                        {
                            why = why.help(format!(
                                "its path begins in the script's folder: `{}`",
                                io::error::printable_path(&whole)
                            ));
                        }
                        let content = if absent { Content::Absent(why) } else { Content::Unreadable(why) };
                        LoadedFile { content, warnings: Vec::new() }
                    }),
            };
            self.opened.files.insert((whole, words), loaded.clone());
            self.opened.loaded.insert(key, loaded);
        }
    }

    /// The columns of tables that are read for the first time, by their paths as written: each table in one pass.
    fn tables(
        &self,
        paths: &[(&str, bool)],
        types: &BTreeMap<&str, &TypeExpr>,
        roots: &Roots,
        reading: &ReadPolicy,
        kept: ReadUpTo,
    ) -> HashMap<(String, bool), Result<ColumnAnswer, IoError>> {
        let mut files: BTreeMap<PathBuf, Vec<PathRequest>> = BTreeMap::new();
        for &(path, words) in paths {
            let io::Location { path: file, member } = io::Location::parse(OsStr::new(path));
            let is_table = Format::of(&file).is_some_and(Format::is_table);
            let columns = files.entry(file).or_default();
            if is_table && !self.opened.files.contains_key(&(roots.whole(Path::new(path)), words)) {
                let stated = || types.get(path).map_or(ColumnReading::Found, |ty| elements(&ty.dtype.text));
                let wanted = if words { ColumnReading::Words } else { stated() };
                columns.push(((path, words), ColumnRequest { member, wanted }));
            }
        }
        let (mut found, mut held) = (HashMap::new(), self.held);
        for (file, columns) in files.into_iter().filter(|(_, columns)| !columns.is_empty()) {
            let options = ReadOptions { roots: Some(roots.clone()), held, ..reading.options() };
            let (names, requests): (Vec<(&str, bool)>, Vec<ColumnRequest>) = columns.into_iter().unzip();
            let answers = match together::load(&file, |_| requests, &options, kept) {
                Ok(answers) => answers,
                Err(error) => names.iter().map(|_| Err(error.clone())).collect(),
            };
            for ((name, words), answer) in names.into_iter().zip(answers) {
                held += answer.iter().filter_map(|it| it.array.as_ref()).map(|it| it.buffer().len()).sum::<usize>();
                found.insert((name.to_owned(), words), answer);
            }
        }
        found
    }

    /// What is in a file, unless it was read with others.
    fn open(
        &mut self,
        path: &Path,
        read: Option<Result<ColumnAnswer, IoError>>,
        options: &ReadOptions,
        kept: ReadUpTo,
    ) -> Result<LoadedFile, IoError> {
        let ColumnAnswer { dtype, shape, array, warnings, notes, watch } = match (read, kept) {
            (Some(answer), _) => answer?,
            (None, ReadUpTo::Elements) => io::load(path, options)?.into(),
            (None, ReadUpTo::Header) => ColumnAnswer::of_header(path, options)?,
        };
        self.watches.extend(watch);
        for note in notes {
            if !self.notes.contains(&note) {
                self.notes.push(note);
            }
        }
        let warnings = warnings.iter().map(io::Warning::diagnostic).collect();
        let content = match array {
            Some(array) => {
                self.hold(&array);
                Content::Data(array)
            }
            None => Content::Header(dtype, shape),
        };
        Ok(LoadedFile { content, warnings })
    }
}
