//! `arr doc`: the reference of the language, its builtins and the systems.

use super::args::Doc;
use super::formats::DocFormat;
use super::painted::StyledText;
use super::{output, page, reference as chapters};
use crate::diagnostic::{Outcome, suggest, wrap};
use crate::ops::elsewhere::modules::{self, Meaning};
use crate::ops::elsewhere::{self, Counterpart};
use crate::ops::{self, Notation, Op};
use crate::promotion::systems::{self, System};
use serde_json::json;
use std::fmt::Write;

/// A page, before it is shown.
pub(super) enum DocPage {
    /// Lines as they stand.
    Text(String),
    /// A chapter in Markdown.
    Markdown(String),
}

impl DocPage {
    /// The page as a terminal shows it.
    pub(super) fn drawn(&self) -> StyledText {
        match self {
            DocPage::Text(text) => page::plain(text),
            DocPage::Markdown(text) => page::drawn(text),
        }
    }

    fn source(&self) -> &str {
        match self {
            DocPage::Text(text) | DocPage::Markdown(text) => text,
        }
    }
}

/// `arr doc [NAME]`
pub(super) fn reference(command: Doc) -> Outcome {
    let name = command.name.as_deref();
    let found = match name {
        None => Some(DocPage::Text(index())),
        Some(name) => page(name),
    };
    let Some(found) = found else { return output::usage(&no_page(name.unwrap_or_default(), &[])) };
    match command.format {
        DocFormat::Text => page::show(&found.drawn()),
        DocFormat::Markdown => output::print(found.source()),
        DocFormat::Json => output::json(&json(name, &found)),
    }
}

/// The rows of builtins, the row of one or of a system, else the text of a page.
fn json(name: Option<&str>, found: &DocPage) -> serde_json::Value {
    let Some(name) = name else {
        let rows: Vec<_> = ops::all().map(op_json).collect();
        return json!({ "version": 1, "builtins": rows });
    };
    match (operation(name), systems::find(name)) {
        (Some(op), _) => versioned(op_json(op)),
        (None, Some(system)) => versioned(system_json(system)),
        (None, None) => json!({ "version": 1, "name": name, "text": found.source() }),
    }
}

/// The operation of this name, of one that it has elsewhere, also behind a module, or with this symbol.
fn operation(name: &str) -> Option<&'static Op> {
    let qualified = || {
        let (path, last) = name.rsplit_once('.')?;
        ops::by_name(modules::ours(path, last)?)
    };
    ops::find(name).or_else(|| ops::find_notation_by_text(name)).or_else(qualified)
}

/// The page of a builtin, an operator, a system or a chapter.
pub(super) fn page(name: &str) -> Option<DocPage> {
    match name {
        "systems" => return Some(DocPage::Text(systems_index())),
        "repl" => return Some(DocPage::Markdown(super::repl::reference())),
        _ => {}
    }
    // A function may have the name of a word of the language.
    let with_word = |page: String| match chapters::chapter_of(name) {
        Some(chapter) => format!("{page}\n  The word stands in the language too: `arr doc {chapter}`.\n"),
        None => page,
    };
    let own = operation(name).map(op_page).map(with_word).or_else(|| systems::find(name).map(system_page));
    let own = own.map(DocPage::Text).or_else(|| chapters::text(name).map(DocPage::Markdown));
    own.or_else(|| foreign(name).map(DocPage::Text))
}

/// What a name from elsewhere becomes that is none of ours.
fn foreign(name: &str) -> Option<String> {
    let row = match name.rsplit_once('.') {
        Some((path, last)) => match modules::meaning(path, last)? {
            Meaning::Row(row) => row,
            Meaning::Plain | Meaning::Unknown(_) => return None,
        },
        None => elsewhere::find(name)?,
    };
    let homes: Vec<&str> = row.homes.iter().map(|home| home.name()).collect();
    let mut text = format!("{name}: a name of {}\n\n", homes.join(", "));
    match row.becomes {
        Counterpart::Same(ours) => {
            let _ = writeln!(text, "  It is `{ours}`.");
        }
        Counterpart::Code { forms, note, .. } => {
            let own = name.rsplit('.').next().unwrap_or(name);
            for form in forms {
                let _ = writeln!(text, "  {own}({}) is written\n{}", form.required_params(), indented(&form.plain()));
            }
            if !note.is_empty() {
                let _ = writeln!(text, "  ({note})");
            }
        }
        Counterpart::Missing(sentence) => {
            let _ = writeln!(text, "  It is not there yet: {sentence}.");
        }
        Counterpart::Advice(sentence) => {
            let _ = writeln!(text, "  {}.", capital(sentence));
        }
    }
    Some(text)
}

/// A sentence about a name without a page; `others` have one too.
pub(super) fn no_page(name: &str, others: &[&str]) -> String {
    let names = ops::all().map(|op| op.name).chain(systems::ALL.iter().map(|system| system.name));
    let mut known: Vec<&str> = names.chain(chapters::topics()).collect();
    known.extend(others);
    let near = suggest::closest(name, known);
    let hint = near.map(|near| format!("; there is `{near}`")).unwrap_or_default();
    format!("there is no builtin or system `{name}`{hint}")
}

/// The column of the index where summaries begin.
const SUMMARY_COLUMN: usize = 39;
/// The columns that they need to stand beside anything.
const MIN_SUMMARY_COLUMNS: usize = 20;

/// Every builtin with its summary beside it, family by family.
pub(super) fn index() -> String {
    let mut text = String::new();
    for (family, rows) in ops::families() {
        let _ = writeln!(text, "{family}");
        for op in rows {
            let _ = writeln!(text, "{}", beside(&op.usage(), op.summary, output::width()));
        }
        text.push('\n');
    }
    let topics: Vec<&str> = chapters::topics().collect();
    let _ = writeln!(text, "`arr doc NAME` shows one; `arr doc systems` lists the promotion systems.");
    let _ = writeln!(text, "The language: `arr doc` with {}; the REPL: `arr doc repl`.", topics.join(", "));
    text
}

/// A line of the index; at a terminal that is wide enough a long summary stays in its column.
fn beside(usage: &str, summary: &str, columns: usize) -> String {
    let room = columns.saturating_sub(SUMMARY_COLUMN);
    if room < MIN_SUMMARY_COLUMNS {
        return format!("  {usage:<36} {summary}");
    }
    let indent = format!("\n{:SUMMARY_COLUMN$}", "");
    let lines = wrap::lines(summary, room, room).join(&indent);
    match usage.chars().count() > SUMMARY_COLUMN - 3 {
        true => format!("  {usage}{indent}{lines}"),
        false => format!("  {usage:<36} {lines}"),
    }
}

fn op_page(op: &Op) -> String {
    let mut text = format!("{}\n", op.signature());
    if op.notation.is_some() {
        let _ = writeln!(text, "{}", op.usage());
    }
    let _ = writeln!(text, "\n  {}.", capital(op.summary));
    if !op.special.is_empty() {
        let _ = writeln!(text, "  {}.", op.special);
    }
    text.push('\n');
    for (expression, value) in op.examples {
        let _ = writeln!(text, "  >>> {expression}\n  {value}");
    }
    text
}

fn capital(text: &str) -> String {
    let mut chars = text.chars();
    // Names and formulas keep their case.
    let starts_word =
        text.split_whitespace().next().is_some_and(|word| word.chars().all(char::is_alphabetic) && word.len() > 1);
    match chars.next() {
        Some(first) if starts_word => first.to_uppercase().chain(chars).collect(),
        _ => text.to_owned(),
    }
}

/// An answer, which begins with the version of its form.
fn versioned(fields: serde_json::Value) -> serde_json::Value {
    let mut answer = json!({ "version": 1 });
    if let (serde_json::Value::Object(answer), serde_json::Value::Object(fields)) = (&mut answer, fields) {
        answer.extend(fields);
    }
    answer
}

fn op_json(op: &Op) -> serde_json::Value {
    let notation = op.notation.map(|notation| match notation {
        Notation::Infix(symbol) | Notation::Prefix(symbol) => symbol.to_owned(),
        Notation::Attribute(name) => format!(".{name}"),
    });
    let params: Vec<_> =
        op.params.iter().map(|param| json!({ "name": param.name, "default": param.default })).collect();
    let examples: Vec<_> =
        op.examples.iter().map(|(expression, value)| json!({ "expression": expression, "value": value })).collect();
    json!({
        "name": op.name,
        "aliases": op.aliases(),
        "notation": notation,
        "signature": op.signature(),
        "summary": op.summary,
        "special": op.special,
        "params": params,
        "examples": examples,
    })
}

fn systems_index() -> String {
    systems::ALL.iter().map(|system| format!("{:<14} {}\n", system.name, system.about.summary)).collect()
}

fn system_page(system: &System) -> String {
    let [int, float, complex] = system.widths.defaults;
    let differs: String = system.about.differs.iter().map(|line| format!("  {line}\n")).collect();
    let heading = if system.name == systems::default().name { "" } else { "\n  How it differs from jax:\n" };
    format!(
        "{name}\n\n  {}.\n  Source: {}.\n  Literals become {int}, {float}, {complex} when nothing else decides.\n\
         {heading}{differs}\n  `arr table --system {name}` prints its table, `arr laws --system {name}` tests it.\n",
        capital(system.about.summary),
        system.about.source,
        name = system.name,
    )
}

fn system_json(system: &System) -> serde_json::Value {
    let defaults: Vec<&str> = system.widths.defaults.iter().map(|dtype| dtype.name()).collect();
    json!({ "name": system.name, "summary": system.about.summary, "source": system.about.source, "differs": system.about.differs, "defaults": defaults })
}

/// The lines of a code, without comments.
fn indented(code: &str) -> String {
    let lines = code.lines().map(|line| line.split("  #").next().unwrap_or(line));
    lines.map(|line| format!("    {line}")).collect::<Vec<_>>().join("\n")
}
