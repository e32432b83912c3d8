//! Which files a script may read, and the arrays that its `load` calls name.
//!
//! The checker reads nothing, so files are read before it: their headers when a script is checked, their data when it
//! runs. Each is opened once, however often it is named. A file that the script uses has roots of its own for this,
//! those of [`Roots::from_folder`]: its paths begin in its own folder, and may lead wherever the script's may.

use super::given::Given;
use crate::check::load::{Content, Files, Loaded, load_path, stated_types};
use crate::io::{self, IoError, Kind, ReadOptions, Roots};
use crate::source::{Sources, Span};
use crate::syntax::ast::{ExprId, Script};
use crate::types::DType;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// How data files are read, and which.
#[derive(Debug, Default, Clone)]
pub struct Reading {
    /// Read instead of map.
    pub copy: bool,
    /// Most bytes read into memory.
    pub max_bytes: Option<usize>,
    /// Folders that scripts may read besides their own.
    pub allowed: Vec<PathBuf>,
    /// Becomes true when reading should stop.
    pub stop: Option<&'static AtomicBool>,
}

impl Reading {
    /// What a script in this folder may read; without one, what text that is in no file may: the working directory.
    ///
    /// ```
    /// use arrlang::session::Reading;
    /// let reading = Reading { allowed: vec!["/data".into()], ..Reading::default() };
    /// let roots = reading.roots(Some("scripts".as_ref()));
    /// assert_eq!(roots.whole("x.npy".as_ref()), std::path::Path::new("scripts/x.npy"));
    /// ```
    pub fn roots(&self, folder: Option<&Path>) -> Roots {
        Roots::new(folder, &self.allowed)
    }
}

/// The files that scripts name, by the name the system knows them by, so that each is opened once.
#[derive(Default)]
pub(super) struct Opened {
    files: HashMap<PathBuf, Loaded>,
    /// For the checker.
    pub(super) loaded: Files,
    /// The exit code if a file that could not be read is an error.
    pub(super) exit: u8,
}

impl Given {
    /// Reads the files that a script, or a part of it, loads: data to `run`, headers to check.
    pub(super) fn files(
        &mut self,
        script: &Script,
        part: Option<Span>,
        roots: &Roots,
        reading: &Reading,
        run: bool,
        sources: &Sources,
    ) {
        let wanted = |id: &ExprId| part.is_none_or(|part| part.to(script.expr(*id).span) == part);
        let ids = (0..script.exprs.len() as u32).map(ExprId).filter(wanted);
        let mut paths = ids.filter_map(|id| load_path(script, id)).peekable();
        if paths.peek().is_none() {
            return;
        }
        let types = stated_types(script);
        for path in paths {
            let key = (script.source, path.to_owned());
            if self.opened.loaded.contains_key(&key) {
                continue;
            }
            let ty = types.get(path);
            let options = ReadOptions {
                copy: reading.copy,
                dtype: ty.and_then(|ty| DType::from_str(&ty.dtype.text).ok()),
                roots: Some(roots.clone()),
                max_bytes: reading.max_bytes,
                held: self.held,
                stop: reading.stop,
            };
            let whole = roots.whole(Path::new(path));
            self.named.push(io::Location::parse(whole.as_os_str()).path);
            let loaded = match self.opened.files.get(&whole) {
                Some(known) => known.clone(),
                None => self.open(Path::new(path), &options, run).unwrap_or_else(|error| {
                    let absent = !run && error.kind == Kind::Io(std::io::ErrorKind::NotFound);
                    match ty.filter(|_| absent) {
                        Some(ty) => self.notes.push(format!(
                            "there is no `{}`; it is checked as `{}`, its annotation",
                            error.path,
                            sources.text(ty.span)
                        )),
                        None => self.opened.exit = self.opened.exit.max(error.exit_code()),
                    }
                    let mut why = error.diagnostic();
                    if matches!(error.kind, Kind::Io(_)) && whole != Path::new(".").join(path) && error.help.is_none() {
                        why =
                            why.help(format!("its path begins in the script's folder: `{}`", io::error::shown(&whole)));
                    }
                    let content = if absent { Content::Absent(why) } else { Content::Unreadable(why) };
                    Loaded { content, warnings: Vec::new() }
                }),
            };
            self.opened.files.insert(whole, loaded.clone());
            self.opened.loaded.insert(key, loaded);
        }
    }

    fn open(&mut self, path: &Path, options: &ReadOptions, run: bool) -> Result<Loaded, IoError> {
        if !run {
            let header = io::header(path, options)?;
            return Ok(Loaded { content: Content::Header(header.dtype, header.shape), warnings: Vec::new() });
        }
        let io::Loaded { array, warnings, watch } = io::load(path, options)?;
        self.hold(&array);
        self.watches.push(watch);
        let warnings = warnings.iter().map(io::Warning::diagnostic).collect();
        Ok(Loaded { content: Content::Data(array), warnings })
    }
}
