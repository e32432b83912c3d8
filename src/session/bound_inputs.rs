//! The arguments of an input, bound to its names.

use super::bindings::Bindings;
use super::opened_files::OpenedFiles;
use crate::array::Array;
use crate::check::BoundName;
use crate::diagnostic::{Diagnostics, Outcome};
use crate::io::{self, IoError};
use crate::promotion::systems::System;
use crate::source::Span;
use crate::syntax::ast::Script;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// What the arguments of an input come to.
#[derive(Default)]
pub(super) struct BoundInputs {
    pub(super) bound: BTreeMap<String, (BoundName, Span)>,
    pub(super) declared: Vec<Arc<Script>>,
    /// The files that texts name.
    pub(super) named: Vec<PathBuf>,
    pub(super) watches: Vec<io::watch::FileWatch>,
    pub(super) systems: BTreeMap<String, &'static System>,
    pub(super) opened: OpenedFiles,
    /// What arguments read together.
    pub(super) bindings: Bindings,
    pub(super) notes: Vec<String>,
    pub(super) outcome: Outcome,
    /// Bytes of files that were read into memory.
    pub(super) held: usize,
}

impl BoundInputs {
    /// The expressions among the values.
    pub(super) fn expressions(&self) -> Vec<Arc<Script>> {
        let expression = |(bound, _): &(BoundName, Span)| match bound {
            BoundName::Expression(script) => Some(script.clone()),
            BoundName::Data(_) => None,
        };
        self.bound.values().filter_map(expression).collect()
    }

    /// Counts what an array from a file takes of memory.
    pub(super) fn hold(&mut self, array: &Array) {
        self.held += if array.mapping().is_none() { array.buffer().len() } else { 0 };
    }

    pub(super) fn refuse(&mut self, error: &IoError, span: Span, sink: &mut Diagnostics) {
        // What is wrong with a whole file is told once, however many arrays of it are wanted.
        if !sink.iter().any(|known| known.message == error.message) {
            sink.push(error.diagnostic().label(span, ""));
        }
        self.outcome = self.outcome.max(error.outcome());
    }
}
