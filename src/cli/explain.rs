//! `arr explain`: the page of a code or finding.

use super::args::{Explain, Format};
use super::output;
use crate::diagnostic::{codes, page, suggest};

/// `arr explain precision-loss`
pub(super) fn page(command: Explain) -> u8 {
    match codes::find(&command.name) {
        Some(row) => match command.format {
            Format::Text => output::print(&page::page(row)),
            Format::Json => output::print(&format!("{:#}\n", page::json(row))),
        },
        None => {
            let names = codes::all().flat_map(|row| [row.id, row.name]);
            let near = suggest::closest(&command.name, names);
            let hint = near.map(|near| format!("; there is `{near}`")).unwrap_or_default();
            output::usage(&format!("there is no code or finding `{}`{hint}", command.name))
        }
    }
}
