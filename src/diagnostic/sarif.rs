//! Diagnostics as a SARIF 2.1.0 log, for code scanning services or editors.
//!
//! Columns count characters (`columnKind` is `unicodeCodePoints`). Files below the folder that the command ran in are
//! relative to `%SRCROOT%`; the log holds nothing of the machine, so that the same programs give the same bytes. A
//! fingerprint is made from the rule, the file and the text of the line, not from its number: a finding keeps it when
//! lines are added above.
//!
//! ```
//! use arrlang::diagnostic::{Diagnostic, codes, sarif};
//! use arrlang::source::{Sources, Span};
//! let mut sources = Sources::new();
//! let id = sources.add("demo.arr", "xx + 1\n");
//! let unknown = Diagnostic::error(&codes::names::UNKNOWN_NAME, Span::new(id, 0, 2), "no `xx` here");
//! let log = sarif::log([&unknown], &sources, &sarif::Invocation { root: "/home", exit: 1 });
//! let place = &log["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
//! assert_eq!(place["artifactLocation"]["uri"], "demo.arr");
//! assert_eq!(place["region"]["endColumn"], 3);
//! ```

mod uri;

use super::codes::Row;
use super::place::PlaceFinder;
use super::{Diagnostic, Fix, Help, Label, Level, machine, page};
use crate::source::{Sources, Span};
use serde_json::{Value, json};
use std::collections::{BTreeMap, HashMap};

/// Where and how the command ran.
#[derive(Clone, Copy, Debug)]
pub struct Invocation<'a> {
    /// The folder that relative paths begin in.
    pub root: &'a str,
    /// The exit code.
    pub exit: u8,
}

/// The log: one run, with a rule for every code that was found.
pub fn log<'a>(diagnostics: impl IntoIterator<Item = &'a Diagnostic>, sources: &Sources, run: &Invocation) -> Value {
    let all: Vec<&Diagnostic> = diagnostics.into_iter().collect();
    let rows: BTreeMap<&str, &'static Row> = all.iter().map(|one| (one.code.id, one.code)).collect();
    let indices: HashMap<&str, usize> = rows.keys().enumerate().map(|(index, id)| (*id, index)).collect();
    let mut writer = SarifWriter { places: PlaceFinder::new(sources), root: run.root, seen: HashMap::new() };
    let results: Vec<Value> = all.iter().map(|one| writer.result(one, indices[one.code.id])).collect();
    let mut log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "arr",
                "fullName": "arr, a typed array-expression language",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rows.values().map(|row| rule(row)).collect::<Vec<_>>(),
            } },
            // The command did its work, whatever it found; files that cannot be read are another matter.
            "invocations": [{ "executionSuccessful": run.exit < 2, "exitCode": run.exit }],
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": {
                "%SRCROOT%": { "description": { "text": "the folder that the command ran in" } },
            },
        }],
    });
    // `json!` would copy them.
    log["runs"][0]["results"] = Value::Array(results);
    log
}

/// What a code means, with its page.
fn rule(row: &Row) -> Value {
    let [level, ..] = row.levels;
    json!({
        "id": row.id,
        "name": row.name,
        "shortDescription": { "text": row.summary },
        "fullDescription": { "text": row.page },
        "help": { "text": page::page(row) },
        "defaultConfiguration": { "enabled": level != Level::Allow, "level": machine::level(level) },
    })
}

struct SarifWriter<'a> {
    places: PlaceFinder<'a>,
    root: &'a str,
    /// How often a finding of this rule, file and line text was there before.
    seen: HashMap<u64, usize>,
}

impl SarifWriter<'_> {
    fn result(&mut self, diagnostic: &Diagnostic, index: usize) -> Value {
        let helps = diagnostic.helps.iter().map(|help| format!("\nHelp: {}", help.text));
        let mut result = json!({
            "ruleId": diagnostic.code.id,
            "ruleIndex": index,
            "level": machine::level(diagnostic.level),
            "message": { "text": format!("{}{}", diagnostic.message, helps.collect::<String>()) },
        });
        let mut labels = diagnostic.labels.iter();
        if let Some(place) = labels.next().and_then(|label| self.location(label)) {
            result["locations"] = Value::Array(vec![place]);
        } else if let Some(file) = &diagnostic.file {
            let artifact = uri::artifact(file, self.root);
            result["locations"] = json!([{ "physicalLocation": { "artifactLocation": artifact } }]);
        }
        let related: Vec<Value> = labels.filter_map(|label| self.location(label)).collect();
        if !related.is_empty() {
            result["relatedLocations"] = related.into();
        }
        let fixes: Vec<Value> = diagnostic.helps.iter().filter_map(|help| self.fix(help)).collect();
        if !fixes.is_empty() {
            result["fixes"] = fixes.into();
        }
        if let Some(print) = self.fingerprint(diagnostic) {
            result["partialFingerprints"] = json!({ "arrFinding/v1": print });
        }
        result
    }

    fn location(&mut self, label: &Label) -> Option<Value> {
        let (artifact, region) = (self.artifact(label.span)?, self.region(label.span)?);
        let mut place = json!({ "physicalLocation": {} });
        place["physicalLocation"]["artifactLocation"] = artifact;
        place["physicalLocation"]["region"] = region;
        if !label.message.is_empty() {
            place["message"] = json!({ "text": label.message });
        }
        Some(place)
    }

    fn artifact(&mut self, span: Span) -> Option<Value> {
        Some(uri::artifact(self.places.of(span)?.name, self.root))
    }

    fn region(&mut self, span: Span) -> Option<Value> {
        let (start, end) = (self.places.of(span)?, self.places.of(span.after())?);
        Some(json!({
            "startLine": start.line,
            "startColumn": start.column,
            "endLine": end.line,
            "endColumn": end.column,
        }))
    }

    fn fix(&mut self, help: &Help) -> Option<Value> {
        let Fix { edits, keeps_values } = help.fix.as_ref()?;
        let file = self.artifact(edits.first()?.span)?;
        let mut replacements = Vec::new();
        for edit in edits {
            let (region, text) = (self.region(edit.span)?, edit.text.as_str());
            replacements.push(json!({ "deletedRegion": region, "insertedContent": { "text": text } }));
        }
        Some(json!({
            "description": { "text": help.text },
            "artifactChanges": [{ "artifactLocation": file, "replacements": replacements }],
            "properties": { "keepsValues": keeps_values },
        }))
    }

    /// A name of a finding that stays the same when its line moves. Equal findings on equal lines are counted.
    fn fingerprint(&mut self, diagnostic: &Diagnostic) -> Option<String> {
        let place = self.places.of(diagnostic.span()?)?;
        let source = self.places.sources.get(place.source);
        let line = source.text[source.line_range(place.line - 1)].split_whitespace();
        let marked = source.text[place.range].split_whitespace();
        let words = [diagnostic.code.id, place.name].into_iter().chain(line).chain(marked);
        let hash = words.fold(FNV_START, |hash, word| fnv(fnv(hash, word.as_bytes()), b"\n"));
        let count = self.seen.entry(hash).or_insert(0);
        *count += 1;
        Some(format!("{hash:016x}:{count}"))
    }
}

const FNV_START: u64 = 0xcbf2_9ce4_8422_2325;

/// Fowler, Noll and Vo's hash (FNV-1a, 64 bits): the same on every machine and in every version.
fn fnv(hash: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(hash, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
