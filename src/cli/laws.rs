//! `arr laws`: whether a system's promotion depends on the order and the grouping of operands.

use super::args::Laws;
use super::formats::FormatRow;
use super::{context, output};
use crate::diagnostic::Outcome;
use crate::promotion::laws;
use serde_json::json;

/// Counterexamples of one law that are shown unless all are asked for.
const EXAMPLES: usize = 8;

/// `arr laws`
pub(super) fn check(command: Laws) -> Outcome {
    let system = match context::system_or_default(command.system.as_deref()) {
        Ok(system) => system,
        Err(outcome) => return outcome,
    };
    let report = laws::check(system);
    if command.format == FormatRow::Json {
        let mut object = json!({ "version": 1, "system": system.name });
        if let (Some(object), serde_json::Value::Object(fields)) = (object.as_object_mut(), report.json()) {
            object.extend(fields);
        }
        return output::json(&object);
    }
    let verdict = match report.holds() {
        true => "keeps every law: neither order nor grouping of operands matters",
        false if report.unordered.is_empty() && report.ungrouped.is_empty() => {
            "refuses some pairs; where it has an answer neither order nor grouping of operands matters"
        }
        false => "does not keep every law: rewriting an expression can change its dtype",
    };
    let examples = if command.all { usize::MAX } else { EXAMPLES };
    output::print(&format!("{} {verdict}\n{}", system.name, report.text(examples)))
}
