//! `arr signature`: which dtypes come out for which. Each mode may refuse some.

use super::args::Signature;
use super::classes::{self, ElemSet};
use super::context::Context;
use super::formats::FormatRow;
use super::{output, scripts, tree};
use crate::check::setting;
use crate::diagnostic::{Outcome, wrap};
use crate::promotion::verdict::Mode;
use crate::session::signature::{SignatureOptions, SignatureRow, SignatureTable};
use crate::session::{Input, Session};
use crate::types::Elem;
use serde_json::{Map, Value, json};
use std::fmt::Write;

/// What stands where there is no dtype and no mode.
const REFUSED: &str = "-";

/// `arr signature FILE`
pub(super) fn tables(command: &Signature) -> Outcome {
    let Context { settings, reading } = match command.rules.context(command.file.parent(), None) {
        Ok(context) => context,
        Err(outcome) => return outcome,
    };
    let asked = match asked(&command.at) {
        Ok(asked) => asked,
        Err(message) => return output::usage(&message),
    };
    let name = scripts::display_name(&command.file);
    let text = match scripts::read_script(&command.file, &name) {
        Ok(text) => text,
        Err(outcome) => return outcome,
    };
    let only = settings.fixed.has(&setting::MODE).then_some(settings.mode);
    let mut session = Session { settings, reading, ..Session::default() };
    let input = Input { folder: command.file.parent(), ..Input::new(&name, &text) };
    let mut found = session.signatures(&input, &asked);
    output::diagnostics(&found.diagnostics, &session.sources);
    if !found.outcome.is_done() {
        return found.outcome;
    }
    if found.tables.is_empty() {
        let names: Vec<String> = asked.at.keys().map(|name| format!("`{name}`")).collect();
        return match names.is_empty() {
            true => output::usage(&format!("{name} has no functions and no outputs")),
            false => output::usage(&format!("nothing in {name} takes {}", names.join(" and "))),
        };
    }
    if let Some(mode) = only {
        let rows = found.tables.iter_mut().flat_map(|table| &mut table.rows);
        for row in rows.filter(|row| row.mode < Some(mode)) {
            (row.result, row.mode) = (None, None);
        }
    }
    let text = match command.format {
        FormatRow::Text => found.tables.iter().map(table_text).collect::<Vec<_>>().join("\n"),
        FormatRow::Json => {
            let all: Vec<Value> = found.tables.iter().map(table_json).collect();
            output::json_text(&json!({ "version": 1, "functions": all }))
        }
    };
    output::print(&text)
}

/// `x:f32`, `y:i*`
fn asked(at: &[String]) -> Result<SignatureOptions, String> {
    let mut asked = SignatureOptions::default();
    for text in at {
        let pair = text.split_once(':').map(|(name, elem)| (name.trim(), elem.trim()));
        let Some((name, elem)) = pair.filter(|(name, _)| !name.is_empty()) else {
            return Err(format!("`--at` takes NAME:TYPE, such as x:f32, not `{text}`"));
        };
        let Ok(elem) = elem.parse::<Elem>() else {
            let all: Vec<String> = Elem::all().map(|elem| elem.to_string()).collect();
            return Err(format!("`{elem}` is no type; the types are {}", all.join(" ")));
        };
        if asked.at.insert(name.to_owned(), elem).is_some() {
            return Err(format!("`{name}` is given twice"));
        }
    }
    Ok(asked)
}

fn mode_name(mode: Option<Mode>) -> &'static str {
    mode.map_or(REFUSED, Mode::name)
}

fn table_json(table: &SignatureTable) -> Value {
    let result = |row: &SignatureRow| match row.result.as_deref() {
        None => json!(REFUSED),
        Some([one]) => json!(one.to_string()),
        Some(several) => json!(several.iter().map(Elem::to_string).collect::<Vec<_>>()),
    };
    let row = |row: &SignatureRow| {
        let at = table.params.iter().zip(&row.at).map(|(param, elem)| (param.name.clone(), json!(elem.to_string())));
        json!({
            "at": at.collect::<Map<_, _>>(),
            "result": result(row),
            "mode": mode_name(row.mode),
            "findings": row.findings,
        })
    };
    let params = table.params.iter().map(|param| {
        let types: Vec<String> = param.choices.iter().map(Elem::to_string).collect();
        json!({ "name": param.name, "shape": param.shape, "types": types })
    });
    json!({
        "name": table.name,
        "signature": table.signature,
        "params": params.collect::<Vec<_>>(),
        "results": table.results,
        "complete": table.whole,
        "rows": table.rows.iter().map(row).collect::<Vec<_>>(),
    })
}

/// A part of a result, as one line says it for several rows.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum ResultPart {
    Type(Elem),
    /// The type of a parameter.
    Of(usize),
}

/// What the rows of one line have in common.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct LineKey {
    result: Option<Vec<ResultPart>>,
    mode: Option<Mode>,
    findings: Vec<&'static str>,
}

fn key(row: &SignatureRow, by_param: bool) -> LineKey {
    let part = |&elem: &Elem| match row.at.iter().position(|&at| at == elem) {
        Some(at) if by_param => ResultPart::Of(at),
        _ => ResultPart::Type(elem),
    };
    let result = row.result.as_ref().map(|parts| parts.iter().map(part).collect());
    LineKey { result, mode: row.mode, findings: row.findings.clone() }
}

/// A table as lines of cells.
fn lines(table: &SignatureTable) -> Vec<Vec<String>> {
    let open: Vec<usize> = (0..table.params.len()).filter(|&at| table.params[at].choices.len() > 1).collect();
    let alike = |row: &SignatureRow| open.len() > 1 && open.iter().all(|&at| row.at[at] == row.at[open[0]]);
    let (diagonal, rest): (Vec<&SignatureRow>, Vec<&SignatureRow>) = table.rows.iter().partition(|row| alike(row));
    let result = |parts: &Option<Vec<ResultPart>>, one: bool| match parts {
        None => REFUSED.to_owned(),
        Some(parts) => {
            let text = |part: &ResultPart| match part {
                ResultPart::Type(elem) => elem.to_string(),
                ResultPart::Of(_) if one => "the same".to_owned(),
                ResultPart::Of(at) => format!("that of {}", table.params[*at].name),
            };
            parts.iter().map(text).collect::<Vec<_>>().join(", ")
        }
    };
    let cells = |types: Vec<String>, key: &LineKey, one: bool| {
        let modes = match key.mode {
            None => REFUSED,
            Some(Mode::All) => "all",
            Some(Mode::Safe) => "all, safe",
            Some(Mode::None) => "all, safe, none",
        };
        types
            .into_iter()
            .chain([result(&key.result, one), modes.to_owned(), key.findings.join(", ")])
            .collect::<Vec<_>>()
    };
    let columns = table.params.len();
    let whole = |rows: &[&SignatureRow]| {
        let folded = shortest(rows, |row| row.at.clone());
        let line = |(sets, key): (Vec<ElemSet>, LineKey)| {
            cells(sets.into_iter().map(classes::text).collect(), &key, columns == 1)
        };
        folded.into_iter().map(line).collect::<Vec<_>>()
    };
    let mut lines = Vec::new();
    for (sets, key) in shortest(&diagonal, |row| vec![row.at[open[0]]]) {
        let types = (0..columns).map(|at| match open.iter().position(|&it| it == at) {
            Some(0) => classes::text(sets[0]),
            Some(_) => "the same".to_owned(),
            None => table.params[at].choices[0].to_string(),
        });
        lines.push(cells(types.collect(), &key, true));
    }
    if table.whole {
        lines.extend(whole(&rest));
        let together = whole(&table.rows.iter().collect::<Vec<_>>());
        return if together.len() <= lines.len() { together } else { lines };
    }
    // One parameter has another dtype than the others.
    for &odd in &open {
        let common = *open.iter().find(|&&at| at != odd).unwrap_or(&odd);
        let own: Vec<&SignatureRow> = rest
            .iter()
            .copied()
            .filter(|row| open.iter().all(|&at| (at == odd) == (row.at[at] != row.at[common])))
            .collect();
        for (sets, key) in shortest(&own, |row| vec![row.at[odd], row.at[common]]) {
            let types = (0..columns).map(|at| match at {
                _ if at == odd => classes::text(sets[0]),
                _ if at == common => classes::text(sets[1]),
                _ if open.contains(&at) => format!("that of {}", table.params[common].name),
                _ => table.params[at].choices[0].to_string(),
            });
            lines.push(cells(types.collect(), &key, false));
        }
    }
    lines
}

/// Rows folded into as few lines as the two ways to say a result allow.
fn shortest(rows: &[&SignatureRow], at: impl Fn(&SignatureRow) -> Vec<Elem>) -> Vec<(Vec<ElemSet>, LineKey)> {
    let folded = [true, false]
        .map(|by_param| classes::fold(&rows.iter().map(|row| (at(row), key(row, by_param))).collect::<Vec<_>>()));
    let [by_param, by_type] = folded;
    if by_param.len() < by_type.len() { by_param } else { by_type }
}

fn table_text(table: &SignatureTable) -> String {
    let mut text = format!("{}\n", table.signature);
    if table.too_large {
        return text + "  (its calls come to too many expressions to be shown; `--at` asks for one row)\n";
    }
    let results: Vec<&str> = table.results.iter().flatten().map(String::as_str).collect();
    let result = match results.len() == table.results.len() && !results.is_empty() {
        true => results.join(", "),
        false => "result".to_owned(),
    };
    let params = table.params.iter().map(|param| format!("{}{}", param.name, param.shape));
    let head: Vec<String> =
        params.chain([result, "modes".to_owned(), "what the next mode refuses".to_owned()]).collect();
    let lines = lines(table);
    let refuses = lines.iter().any(|line| line.last().is_some_and(|findings| !findings.is_empty()));
    let shown = head.len() - usize::from(!refuses);
    let all: Vec<&Vec<String>> = std::iter::once(&head).chain(&lines).collect();
    let widths: Vec<usize> =
        (0..shown).map(|at| all.iter().map(|line| line[at].chars().count()).max().unwrap_or(0)).collect();
    let widths = if output::width() > 0 { narrowed(&all, widths, output::width()) } else { widths };
    for line in all {
        // A cell that is cut goes on below itself.
        let parts: Vec<Vec<String>> =
            line.iter().zip(&widths).map(|(cell, &width)| wrap::lines(cell, width, width)).collect();
        for at in 0..parts.iter().map(Vec::len).max().unwrap_or(0) {
            let cell = |part: &Vec<String>, width: usize| tree::pad(part.get(at).map_or("", String::as_str), width);
            let cells: Vec<String> = parts.iter().zip(&widths).map(|(part, &width)| cell(part, width)).collect();
            let _ = writeln!(text, "  {}", cells.join("  ").trim_end());
        }
    }
    if !table.whole {
        text += "  (more than two parameters: all of one dtype, then one of another; `--at` asks for any other row)\n";
    }
    text
}

/// The widths of columns that are cut between words until a line fits the terminal, the widest first.
fn narrowed(all: &[&Vec<String>], mut widths: Vec<usize>, columns: usize) -> Vec<usize> {
    let longest = |at: usize| {
        let words = all.iter().flat_map(|line| line[at].split(' '));
        words.map(|word| word.chars().count()).max().unwrap_or(0)
    };
    let least: Vec<usize> = (0..widths.len()).map(longest).collect();
    let mut over = widths.iter().map(|width| width + 2).sum::<usize>().saturating_sub(columns);
    while over > 0 {
        let open = (0..widths.len()).filter(|&at| widths[at] > least[at]);
        let Some(widest) = open.max_by_key(|&at| widths[at]) else { break };
        widths[widest] -= 1;
        over -= 1;
    }
    widths
}
