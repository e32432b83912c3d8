//! The gathering of what comes with an input. Its arguments are read, and the files that its script names.

use super::bound_inputs::BoundInputs;
use super::{Input, Session, cycle, kept_functions, lattice, uses};
use crate::check::BoundName;
use crate::check::library::UsedFiles;
use crate::check::setting;
use crate::diagnostic::codes::inputs;
use crate::diagnostic::codes::names::{DTYPE_BOUND, UNKNOWN_NAME};
use crate::diagnostic::{Diagnostic, Diagnostics, Outcome};
use crate::io::argument::{self, Argument};
use crate::io::table::{ColumnAnswer, ReadUpTo};
use crate::io::{self, Format, IoError, ReadOptions, Roots};
use crate::source::Span;
use crate::syntax;
use crate::syntax::ast::{Script, StmtKind};
use crate::types::{DType, Elem};
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

/// Whose arguments are sources, too.
const COMMAND_LINE: &str = "the command line";

/// What to write for a value that is the name of a file, or of a folder.
fn of_file(name: &str) -> Option<String> {
    let path = Path::new(name);
    if let Some((file, member)) = name.split_once(':')
        && Path::new(file).is_file()
        && Format::of(Path::new(file)).is_some_and(Format::can_read)
    {
        return Some(format!("`{file}` holds one array, and none is called `{member}` in it: `{file}` reads it"));
    }
    if path.is_dir() {
        return Some(format!("`{name}` is a folder; a value is a file or an expression"));
    }
    if !path.exists() {
        return None;
    }
    Some(match path.extension() {
        Some(end) if end == "gz" || end == "zst" => {
            format!("a file has that name, and only tables are read as they are packed: unpack `{name}` first")
        }
        _ => format!(
            "a file has that name: `@{name}` reads it, with `--format-in FORMAT` where no ending tells its format"
        ),
    })
}

impl Session {
    /// What the arguments of an input and the files that its script names come to.
    pub(super) fn gather(
        &mut self,
        input: &Input,
        kept: ReadUpTo,
        script: &Arc<Script>,
        sink: &mut Diagnostics,
    ) -> (BoundInputs, UsedFiles) {
        let mut given = BoundInputs { bindings: self.together(input, kept, script), ..BoundInputs::default() };
        for argument in input.arguments {
            self.argument(argument, kept, script, &mut given, sink);
        }
        if input.free_names && cycle::refuse(&mut given.bound, sink) {
            given.outcome = given.outcome.max(Outcome::Refused);
        }
        for (name, array) in input.arrays {
            let argument = input.arguments.iter().find(|argument| argument.name == *name);
            let text = argument.map_or_else(|| name.clone(), argument_text);
            let source = self.sources.add(COMMAND_LINE, text.clone());
            let span = Span::new(source, 0, text.len());
            given.bound.insert(name.clone(), (BoundName::Data(array.clone()), span));
        }
        let roots = self.reading.roots(input.folder);
        if !self.settings.fixed.has(&setting::SYSTEM) {
            self.lattices(script, &roots, &mut given, sink);
        }
        given.files(script, None, &roots, &self.reading, kept, &self.sources);
        let (library, used) = uses::read(script, &roots, &mut self.sources, &mut given, sink);
        for (script, roots) in &used {
            given.files(script, None, roots, &self.reading, kept, &self.sources);
        }
        let elsewhere = self.reading.roots(None);
        for argument in given.expressions() {
            given.files(&argument, None, &elsewhere, &self.reading, kept, &self.sources);
        }
        for closure in kept_functions::functions(script, &self.env) {
            let (script, span) = closure.place();
            let roots = self.roots.get(&script.source).unwrap_or(&elsewhere);
            given.files(script, Some(span), roots, &self.reading, kept, &self.sources);
        }
        if input.folder.is_some() {
            self.roots.insert(script.source, roots);
        }
        self.roots.extend(used.into_iter().map(|(script, roots)| (script.source, roots)));
        (given, library)
    }

    /// Where a value on the command line is no expression, or has a name that nothing defines, and some file is called
    /// so: what reads the file.
    pub(super) fn with_files(&self, found: Diagnostics) -> Diagnostics {
        found.revise(|told| {
            let may_be_file = told.code.id == UNKNOWN_NAME.id || told.code.is_syntax();
            let value = told.span().filter(|_| may_be_file).map(|span| self.sources.get(span.source));
            match value.filter(|source| source.name == COMMAND_LINE).and_then(|source| of_file(source.text.trim())) {
                Some(help) => Diagnostic { helps: Vec::new(), ..told }.help(help),
                None => told,
            }
        })
    }

    /// The files that `promotion` lines name.
    fn lattices(&mut self, script: &Script, roots: &Roots, given: &mut BoundInputs, sink: &mut Diagnostics) {
        for (path, span) in lattice::named_files(script, &self.sources) {
            given.named.push(roots.whole(Path::new(path)));
            match lattice::named_system(Path::new(path), span, roots, &mut self.sources, sink) {
                Ok(system) => {
                    given.systems.insert(path.to_owned(), system);
                }
                Err(outcome) => given.outcome = given.outcome.max(outcome),
            }
        }
    }

    /// One `NAME=VALUE` or `NAME:TYPE`.
    fn argument(
        &mut self,
        argument: &Argument,
        kept: ReadUpTo,
        script: &Script,
        given: &mut BoundInputs,
        sink: &mut Diagnostics,
    ) {
        let text = argument_text(argument);
        let source = self.sources.add(COMMAND_LINE, text.clone());
        let span = Span::new(source, 0, text.len());
        if argument.name == argument::EVERY {
            for (name, read) in std::mem::take(&mut given.bindings.every) {
                self.bind(&name, read, span, given, sink);
            }
            return;
        }
        // `i8:i8` gives nothing another meaning: the dtype stands for an array that has it.
        let stands_for_itself = argument.value.is_none() && argument.type_text.as_deref() == Some(&argument.name);
        if argument.name.parse::<Elem>().is_ok() && !stands_for_itself {
            let message = format!("`{}` is a dtype and cannot be bound", argument.name);
            given.outcome = given.outcome.max(Outcome::Refused);
            sink.push(Diagnostic::error(&DTYPE_BOUND, span, message).label(span, "choose another name"));
            return;
        }
        if let Some(ty) = &argument.type_text {
            let declaration = format!("input {}: {ty}", argument.name);
            let source = self.sources.add(COMMAND_LINE, declaration);
            let mut found = Diagnostics::new();
            let parsed = syntax::parse(&self.sources, source, &mut found);
            given.outcome = given.outcome.max(Outcome::refused_if(found.has_errors()));
            sink.append(found);
            given.declared.push(parsed);
        }
        match &argument.value {
            None => {}
            Some(argument::BoundValue::Text(text)) => {
                // `from=2024-03-01` is no difference of three numbers.
                let text = if is_date(text) { format!("\"{text}\"") } else { text.clone() };
                let source = self.sources.add(COMMAND_LINE, text.clone());
                let mut found = Diagnostics::new();
                let parsed = syntax::parse(&self.sources, source, &mut found);
                let single = matches!(parsed.stmts.as_slice(), [stmt] if matches!(stmt.kind, StmtKind::Expr { .. }));
                if !single && !found.has_errors() {
                    let span = Span::new(source, 0, text.len());
                    let message = format!("the value of `{}` is one expression", argument.name);
                    found.push(Diagnostic::error(&inputs::MISSING_INPUT, span, message));
                }
                given.outcome = given.outcome.max(Outcome::refused_if(found.has_errors()));
                sink.append(found);
                given.bound.insert(argument.name.clone(), (BoundName::Expression(parsed), span));
            }
            Some(argument::BoundValue::File(path)) => {
                let read = match given.bindings.answers.remove(&argument.name) {
                    Some(answer) => answer,
                    None => self.one_file(argument, path, kept, script, given.held),
                };
                self.bind(&argument.name, read, span, given, sink);
            }
        }
    }

    /// A file that is read for one argument alone.
    fn one_file(
        &self,
        argument: &Argument,
        path: &Path,
        kept: ReadUpTo,
        script: &Script,
        held: usize,
    ) -> Result<ColumnAnswer, IoError> {
        let stated = argument.type_text.as_deref().and_then(leading_dtype);
        let dtype = stated.or_else(|| self.declared_dtype(script, &argument.name));
        let options = ReadOptions { dtype, held, ..self.reading.options() };
        match kept {
            ReadUpTo::Elements => io::load(path, &options).map(ColumnAnswer::from),
            ReadUpTo::Header => ColumnAnswer::of_header(path, &options),
        }
    }

    /// Gives a name what was read for it: its data, or, where only checking is wanted, its type.
    fn bind(
        &mut self,
        name: &str,
        read: Result<ColumnAnswer, IoError>,
        span: Span,
        given: &mut BoundInputs,
        sink: &mut Diagnostics,
    ) {
        let ColumnAnswer { dtype, shape, array, warnings, notes, watch } = match read {
            Ok(answer) => answer,
            Err(error) => return given.refuse(&error, span, sink),
        };
        for warning in warnings {
            let found = warning.diagnostic().weighing(self.settings.level(warning.code)).label(span, "");
            given.outcome = given.outcome.max(Outcome::refused_if(found.is_error()));
            sink.push(found);
        }
        for note in notes {
            if !given.notes.contains(&note) {
                given.notes.push(note);
            }
        }
        given.watches.extend(watch);
        match array {
            Some(array) => {
                given.hold(&array);
                given.bound.insert(name.to_owned(), (BoundName::Data(array), span));
            }
            None => {
                let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
                let shape = if sizes.is_empty() { String::new() } else { format!("[{}]", sizes.join(", ")) };
                let source = self.sources.add(COMMAND_LINE, format!("input {name}: {dtype}{shape}"));
                given.declared.push(syntax::parse(&self.sources, source, sink));
            }
        }
    }

    fn declared_dtype(&self, script: &Script, name: &str) -> Option<DType> {
        script.stmts.iter().find_map(|stmt| {
            let StmtKind::Input { name: own, ty, .. } = &stmt.kind else { return None };
            if own.text == name { DType::from_str(&ty.dtype.text).ok() } else { None }
        })
    }
}

fn argument_text(argument: &Argument) -> String {
    let ty = argument.type_text.as_deref().map(|ty| format!(":{ty}")).unwrap_or_default();
    let value = match &argument.value {
        None => String::new(),
        Some(argument::BoundValue::Text(text)) => format!("={text}"),
        Some(argument::BoundValue::File(path)) => format!("={}", io::error::printable_path(path)),
    };
    format!("{}{ty}{value}", argument.name)
}

/// The dtype at the start of a type's text: `bf16` of `bf16[n]`.
fn leading_dtype(ty: &str) -> Option<DType> {
    DType::from_str(ty.split('[').next().unwrap_or(ty).trim()).ok()
}

/// Whether a text begins as a date does, `2024-03-01`.
fn is_date(text: &str) -> bool {
    let begins = text.as_bytes().first_chunk::<10>();
    begins.is_some_and(|begins| {
        begins.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
    })
}
