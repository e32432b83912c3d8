//! The files that arguments name, each opened once. There are columns of one table, what standard input holds, and
//! `*=FILE`.
//!
//! ```
//! use arrlang::{io::argument::Argument, session::{Input, Session}};
//! let arguments = [Argument::parse("*=examples/data/prices.csv".as_ref()).unwrap()];
//! let input = Input { arguments: &arguments, free_names: true, ..Input::new("demo", "max(close)") };
//! assert_eq!(Session::default().evaluate(&input).values[0].array.to_vec::<f64>(), [370.87]);
//! ```

use super::{Input, Session};
use crate::array::logical::Logical;
use crate::check::load::load_path;
use crate::diagnostic::codes::running;
use crate::io::argument::{Argument, BoundValue, EVERY};
use crate::io::error::printable_path;
use crate::io::table::{ColumnAnswer, ColumnReading, ColumnRequest, ReadUpTo};
use crate::io::{IoError, Location, ReadOptions, together};
use crate::syntax::ast::{Expr, ExprKind, Script, StmtKind};
use crate::syntax::{TokenKind, tokens};
use crate::types::DType;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What was read for arguments.
#[derive(Default)]
pub(super) struct Bindings {
    /// By the argument's name.
    pub(super) answers: HashMap<String, Result<ColumnAnswer, IoError>>,
    /// What `*=FILE` binds, by its own names; or why it binds nothing.
    pub(super) every: Vec<(String, Result<ColumnAnswer, IoError>)>,
    /// All names of the files that `*=FILE` names.
    pub(super) offered: Vec<String>,
}

/// What a type's text says of the elements: `f64[n]`, `date[n]`.
pub(super) fn elements(ty: &str) -> ColumnReading {
    let name = ty.split('[').next().unwrap_or(ty).trim();
    match Logical::by_name(name) {
        Some(Logical::Date) => ColumnReading::Dates,
        Some(Logical::Time) => ColumnReading::Times,
        Some(Logical::Words(_)) => ColumnReading::Words,
        None => DType::from_str(name).map_or(ColumnReading::Found, ColumnReading::Elements),
    }
}

impl Session {
    /// Reads what is best read together; other files are read one by one.
    pub(super) fn together(&self, input: &Input, kept: ReadUpTo, script: &Script) -> Bindings {
        let mut files: BTreeMap<PathBuf, Vec<(&Argument, Location)>> = BTreeMap::new();
        let options = self.reading.options();
        for argument in input.arguments {
            let Some(BoundValue::File(path)) = &argument.value else { continue };
            let location = Location::named_by_user(path.as_os_str(), &options);
            if argument.name == EVERY || together::is_worthwhile(&location.path, &options) {
                files.entry(location.path.clone()).or_default().push((argument, location));
            }
        }
        let (mut bindings, mut held) = (Bindings::default(), 0);
        for (path, wanted) in files {
            let options = ReadOptions { held, ..options.clone() };
            self.read(&path, &wanted, (input, kept, script), &options, &mut bindings);
            let read = bindings.answers.values().chain(bindings.every.iter().map(|(_, answer)| answer));
            let arrays = read.filter_map(|answer| answer.as_ref().ok()?.array.as_ref());
            held = arrays.filter(|array| array.mapping().is_none()).map(|array| array.buffer().len()).sum();
        }
        bindings
    }

    /// Reads one file for all arguments that name it.
    fn read(
        &self,
        path: &Path,
        wanted: &[(&Argument, Location)],
        (input, kept, script): (&Input, ReadUpTo, &Script),
        options: &ReadOptions,
        bindings: &mut Bindings,
    ) {
        let stated = |name: &str, text: Option<&str>| match text {
            Some(text) => elements(text),
            None => declared(script, name),
        };
        let mut names: Vec<(String, bool)> = Vec::new();
        let (offered, unclear) = (&mut bindings.offered, &mut bindings.every);
        let choose = |members: &[String]| {
            let mut requests = Vec::new();
            for (argument, location) in wanted {
                if argument.name != EVERY {
                    names.push((argument.name.clone(), false));
                    let wanted = stated(&argument.name, argument.type_text.as_deref());
                    requests.push(ColumnRequest { member: location.member.clone(), wanted });
                    continue;
                }
                offered.extend(members.iter().map(|member| legal_name(member)));
                for name in used(input, script) {
                    match meant(&name, members).as_slice() {
                        [] => {}
                        [member, other, ..] => {
                            let error = shared(&location.path, [*member, *other], &name);
                            unclear.push((name, Err(error)));
                        }
                        [member] => {
                            let member = Some((*member).clone());
                            requests.push(ColumnRequest { member, wanted: stated(&name, None) });
                            names.push((name, true));
                        }
                    }
                }
            }
            requests
        };
        match together::load(path, choose, options, kept) {
            Ok(answers) => {
                for ((name, every), answer) in names.into_iter().zip(answers) {
                    match every {
                        true => bindings.every.push((name, answer)),
                        false => drop(bindings.answers.insert(name, answer)),
                    }
                }
            }
            // It is told once, with the first argument; the others are not there for the same reason.
            Err(error) => match wanted {
                [(first, _), ..] if first.name == EVERY => bindings.every.push((EVERY.to_owned(), Err(error))),
                all => {
                    for (argument, _) in all {
                        bindings.answers.insert(argument.name.clone(), Err(error.clone()));
                    }
                }
            },
        }
    }
}

/// What the script's own `input` line says of the elements. Where `codes(…)` is the default, other data is words too.
fn declared(script: &Script, name: &str) -> ColumnReading {
    let stated = script.stmts.iter().find_map(|stmt| {
        let StmtKind::Input { name: own, ty, default, .. } = &stmt.kind else { return None };
        (own.text == name).then_some((ty.dtype.text.as_str(), *default))
    });
    match stated {
        Some((_, Some(default))) if matches!(load_path(script, default), Some((_, true))) => ColumnReading::Words,
        Some((ty, _)) => elements(ty),
        None => ColumnReading::Found,
    }
}

/// The names that `*=FILE` may give a meaning: the inputs of a script, or every name of an expression that is not
/// called and has no value of its own.
fn used(input: &Input, script: &Script) -> BTreeSet<String> {
    let mut names: BTreeSet<String> = BTreeSet::new();
    for stmt in &script.stmts {
        if let StmtKind::Input { name, .. } = &stmt.kind {
            names.insert(name.text.clone());
        }
    }
    if input.free_names {
        let callee = |expr: &Expr| {
            let ExprKind::Call(callee, _) = &expr.kind else { return None };
            Some(callee.0)
        };
        let called: BTreeSet<u32> = script.exprs.iter().filter_map(callee).collect();
        for (at, expr) in script.exprs.iter().enumerate() {
            if let ExprKind::Name(name) = &expr.kind
                && !called.contains(&(at as u32))
            {
                names.insert(name.clone());
            }
        }
    }
    for argument in input.arguments {
        names.remove(&argument.name);
        if let Some(BoundValue::Text(text)) = &argument.value {
            let found = tokens(text).into_iter().filter(|(kind, _)| *kind == TokenKind::Name);
            names.extend(found.map(|(_, range)| text[range].to_owned()));
        }
    }
    names
}

/// The members that a name may mean: the one that has it, else all whose own names are no names and become this one.
fn meant<'m>(name: &str, members: &'m [String]) -> Vec<&'m String> {
    let mut found: Vec<&String> = Vec::new();
    for member in members.iter().filter(|member| legal_name(member) == name) {
        if member == name {
            return vec![member];
        }
        if !found.contains(&member) {
            found.push(member);
        }
    }
    found
}

/// The error of a name that two members of a file would have.
fn shared(path: &Path, [one, other]: [&String; 2], name: &str) -> IoError {
    let [first, second, name] = [one.as_str(), other.as_str(), name].map(|name| printable_path(Path::new(name)));
    let what = format!("holds `{first}` and `{second}`, and both would be `{name}`");
    let help = format!("say which one: `'{name}={}:{first}'`", printable_path(path));
    IoError::data(&running::UNKNOWN_MEMBER, path, what).help(help)
}

/// The name of an array: its member's, or the file's stem, with `_` for what no name may have.
///
/// ```
/// use arrlang::session::legal_name;
/// assert_eq!([legal_name("layer.0"), legal_name("2020"), legal_name("f32")], ["layer_0", "x_2020", "x_f32"]);
/// ```
pub fn legal_name(wanted: &str) -> String {
    let mut name: String = wanted.chars().map(|c| if c.is_alphanumeric() || c == '_' { c } else { '_' }).collect();
    let is_name = |name: &str| match tokens(name).as_slice() {
        [(TokenKind::Name, range)] => range.len() == name.len() && name.parse::<DType>().is_err(),
        _ => false,
    };
    if !is_name(&name) {
        name = format!("x_{name}");
    }
    name
}
