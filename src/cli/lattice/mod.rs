//! `arr lattice`: the picture of a system in which every two types have one lowest type above both.

mod drawing;
mod picture;

use super::args::LatticeArgs;
use super::{context, output};
use crate::diagnostic::Outcome;
use crate::io;
use crate::promotion::systems::System;
use picture::HasseDiagram;
use std::path::Path;

/// `arr lattice [-o FILE]`
pub(super) fn draw(command: LatticeArgs) -> Outcome {
    let system = match context::system_or_default(command.system.as_deref()) {
        Ok(system) => system,
        Err(outcome) => return outcome,
    };
    let order = match order(system) {
        Ok(order) => order,
        Err(message) => {
            output::report(&format!("error: {message}"));
            return Outcome::Refused;
        }
    };
    let marked: Vec<&str> = command.highlight.iter().map(|name| name.trim()).collect();
    if let Some(message) = unknown(system, &order, &marked) {
        return output::usage(&message);
    }
    let Some(path) = command.output else {
        return output::print(&drawing::text(&order, &marked, output::columns()));
    };
    let picture = match path.extension().and_then(|extension| extension.to_str()) {
        Some("svg") => picture::svg(&order, &marked),
        Some("dot" | "gv") => picture::dot(&order, &marked),
        _ if path == Path::new("-") => picture::svg(&order, &marked),
        _ => return output::usage("a picture is written to FILE.svg or FILE.dot; without -o it is drawn here"),
    };
    if path == Path::new("-") {
        return output::print(&picture);
    }
    let written = io::write::prepare_text(&path).and_then(|target| {
        let system = command.system.as_deref().map(Path::new);
        match io::write::clash(&[&target], system) {
            Some(message) => Ok(output::usage(&message)),
            None => io::text::commit(&target, &picture).map(|()| Outcome::Done),
        }
    });
    written.unwrap_or_else(|error| output::report_refusal(&error))
}

/// The lattice drawn in `columns` columns, with the types `marked` marked. If the system is no lattice, or lacks such a
/// type, the error says so.
pub(super) fn drawn(system: &'static System, marked: &[&str], columns: usize) -> Result<String, String> {
    let order = order(system)?;
    match unknown(system, &order, marked) {
        Some(message) => Err(message),
        None => Ok(drawing::text(&order, marked, columns)),
    }
}

fn order(system: &'static System) -> Result<HasseDiagram, String> {
    picture::order(system).map_err(|report| {
        let message = format!("`{}` is no lattice, so there is no picture of it", system.name);
        format!("{message}\n\n{}", report.text(3).trim_end())
    })
}

/// A sentence about the first type that a system has not.
fn unknown(system: &System, order: &HasseDiagram, marked: &[&str]) -> Option<String> {
    let name = marked.iter().find(|name| !order.names.iter().any(|known| known == *name))?;
    Some(format!("`{name}` is no type of `{}`; there is {}", system.name, order.names.join(", ")))
}
