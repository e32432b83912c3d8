//! The names that completion offers, with what they are.

use super::super::past::is_result;
use crate::check::env::SessionValue;
use crate::check::value::Value;
use crate::ops::attributes::ATTRIBUTES;
use crate::ops::constants::CONSTANTS;
use crate::ops::{self, Notation, Op};
use crate::session::Session;
use crate::types::{DType, Elem};

/// Statements begin with these.
const STATEMENTS: [&str; 10] = ["assert", "fn", "input", "let", "output", "promotion", "repeat", "scan", "use", "var"];
/// Words of expressions.
const WORDS: [&str; 8] = ["and", "false", "inf", "nan", "None", "not", "or", "true"];

/// Names of the session.
#[derive(Default)]
pub(super) struct SessionWords {
    /// Each with what it is: `f32[150, 4]`, `blend(a, b)`.
    names: Vec<(String, String)>,
}

/// A word with what is shown of it.
pub(super) struct ShownWord {
    pub(super) text: String,
    /// What stands in a list: the word with its type, or its signature.
    pub(super) shown: String,
    /// Whether it is called.
    pub(super) called: bool,
}

impl ShownWord {
    /// The word by itself, where nothing is called.
    pub(super) fn uncalled(self) -> ShownWord {
        ShownWord { called: false, ..self }
    }
}

impl SessionWords {
    /// The names that a session has now; results only by `_`.
    pub(super) fn of(session: &Session) -> SessionWords {
        let names = session.env.names().into_iter().filter(|name| *name == "_" || !is_result(name));
        let described = names.filter_map(|name| {
            let (value, _) = session.env.get(name)?;
            Some((name.to_owned(), described(value, session)))
        });
        SessionWords { names: described.collect() }
    }

    /// How a function is called: one of the session's, or a builtin.
    pub(super) fn signature(&self, name: &str) -> Option<String> {
        match self.names.iter().find(|(known, _)| known == name) {
            Some((_, about)) => about.starts_with(&format!("{name}(")).then(|| about.clone()),
            None if name.parse::<DType>().is_ok() => Some(format!("{name}(x)")),
            None => ops::find(name).map(Op::signature),
        }
    }

    /// The names of the session.
    pub(super) fn names(&self) -> impl Iterator<Item = ShownWord> {
        self.names.iter().map(|(name, about)| {
            let called = about.starts_with(&format!("{name}("));
            let shown = if called { about.clone() } else { format!("{name} : {about}") };
            ShownWord { text: name.clone(), shown, called }
        })
    }

    /// Everything that an expression may hold, the session's own names first.
    pub(super) fn expression(&self, first: bool) -> Vec<ShownWord> {
        let plain = |word: &str| ShownWord { text: word.to_owned(), shown: word.to_owned(), called: false };
        let mut found: Vec<ShownWord> = self.names().collect();
        let statements = STATEMENTS.into_iter().filter(|word| first || *word == "repeat");
        found.extend(statements.map(plain));
        found.extend(builtins());
        found.extend(DType::ALL.iter().map(|dtype| {
            let name = dtype.to_string();
            ShownWord { shown: name.clone(), text: name, called: false }
        }));
        found.extend(WORDS.into_iter().chain(CONSTANTS.iter().map(|constant| constant.name)).map(plain));
        let mut seen = std::collections::HashSet::new();
        found.retain(|word| seen.insert(word.text.clone()));
        found
    }
}

/// The builtins that are called by name.
pub(super) fn builtins() -> impl Iterator<Item = ShownWord> {
    let called = ops::all().filter(|op| {
        let written = matches!(op.notation, Some(Notation::Infix(_) | Notation::Prefix(_) | Notation::Attribute(_)));
        !written && op.name.parse::<Elem>().is_err() && !op.params.is_empty()
    });
    called.map(|op| ShownWord { text: op.name.to_owned(), shown: op.signature(), called: true })
}

/// The attributes of a value: `.T`, `.shape`, `.real`.
pub(super) fn attributes() -> impl Iterator<Item = ShownWord> {
    let rows = ops::all().filter_map(|op| match op.notation {
        Some(Notation::Attribute(name)) => Some(name),
        _ => None,
    });
    let names = rows.chain(ATTRIBUTES.iter().map(|(name, _)| *name));
    names.map(|name| ShownWord { text: name.to_owned(), shown: name.to_owned(), called: false })
}

/// What a name stands for, in a few words.
fn described(value: &SessionValue, session: &Session) -> String {
    match value {
        SessionValue::Array(array, elem, _) => {
            let sizes: Vec<String> = array.shape().iter().map(usize::to_string).collect();
            if sizes.is_empty() { elem.to_string() } else { format!("{elem}[{}]", sizes.join(", ")) }
        }
        SessionValue::Const(value) => value.elem().to_string(),
        SessionValue::Tuple(items) => {
            let items: Vec<String> = items.iter().map(|item| described(item, session)).collect();
            format!("({})", items.join(", "))
        }
        SessionValue::Function(closure) => closure.signature(&session.sources),
        SessionValue::Other(Value::DType(dtype)) => format!("the dtype {dtype}"),
        SessionValue::Other(Value::Literal(literal)) => literal.type_text(),
        SessionValue::Other(other) => other.describe().to_owned(),
    }
}
