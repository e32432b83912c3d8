//! Diagnostics as values. Phases push it into a sink and go on.
//!
//! Nothing here prints. [`render`] draws a diagnostic for people, [`machine`] writes it for tools, and
//! [`codes`] holds the page behind every code.
//!
//! ```
//! use arrlang::diagnostic::{codes, Diagnostic, Diagnostics};
//! use arrlang::source::Span;
//! let mut sink = Diagnostics::new();
//! sink.push(Diagnostic::error(&codes::names::UNKNOWN_NAME, Span::default(), "no `x` here").help("declare it"));
//! assert!(sink.has_errors());
//! ```

pub mod codes;
pub mod fix;
pub mod github;
pub mod machine;
mod outcome;
pub mod page;
mod place;
pub mod render;
pub mod sarif;
pub mod suggest;
mod topic;
pub mod visible;
pub mod wrap;

use crate::source::Span;
use codes::Row;
pub use outcome::Outcome;
pub use topic::HelpTopic;

/// How much a finding weighs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Level {
    /// Not reported.
    Allow,
    /// Reported; the program still runs.
    Warn,
    /// An error: the program does not run.
    Deny,
}

impl Level {
    /// All levels, the lightest first.
    pub const ALL: [Level; 3] = [Level::Allow, Level::Warn, Level::Deny];

    /// The level as people write it: `allow`, `warn`, `deny`.
    pub fn word(self) -> &'static str {
        match self {
            Level::Allow => "allow",
            Level::Warn => "warn",
            Level::Deny => "deny",
        }
    }
}

/// One span with what to say about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Label {
    /// The characters that are underlined.
    pub span: Span,
    /// A few words; may be empty.
    pub message: String,
}

/// One replacement in one source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// What to replace; empty to insert.
    pub span: Span,
    /// What to put there.
    pub text: String,
}

/// A set of edits that mends the finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    /// The edits, of one source, not overlapping.
    pub edits: Vec<Edit>,
    /// Whether every value that the program computes stays what it was; where it did not run before, whether nothing
    /// else can be meant.
    pub keeps_values: bool,
}

/// What the user could write instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Help {
    /// A sentence.
    pub text: String,
    /// The edits that do it, where a machine can.
    pub fix: Option<Fix>,
    /// The edits that only write down what happens anyway. No command carries them out, for that hides the finding.
    pub restates: Option<Fix>,
    /// What it is about, where that is asked for later.
    pub topic: Option<HelpTopic>,
}

/// One message about a program or its data.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The row with the code, the name and the page.
    pub code: &'static Row,
    /// How much it weighs here.
    pub level: Level,
    /// What is wrong, in one sentence with the user's own names.
    pub message: String,
    /// Where: the first label is the place the message is about. Empty for command-line matters without a source.
    pub labels: Vec<Label>,
    /// The file that is wrong as a whole, where no label says a place.
    pub file: Option<String>,
    /// What to write instead.
    pub helps: Vec<Help>,
    /// Background.
    pub notes: Vec<String>,
}

impl Diagnostic {
    /// An error at `span`.
    pub fn error(code: &'static Row, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Level::Deny, message).label(span, "")
    }

    /// An error about something that is in no source (a file, an argument).
    pub fn unlocated(code: &'static Row, message: impl Into<String>) -> Diagnostic {
        Diagnostic::new(code, Level::Deny, message)
    }

    /// A finding of some level, without a place yet.
    pub fn new(code: &'static Row, level: Level, message: impl Into<String>) -> Diagnostic {
        let (labels, helps, notes) = Default::default();
        Diagnostic { code, level, message: message.into(), labels, file: None, helps, notes }
    }

    /// Adds a label. The words of the first label with the same span are kept when these are empty, and nothing is
    /// said twice.
    #[must_use]
    pub fn label(mut self, span: Span, message: impl Into<String>) -> Diagnostic {
        let message = message.into();
        if self.labels.iter().any(|label| label.span == span && label.message == message) {
            return self;
        }
        match self.labels.iter_mut().find(|label| label.span == span) {
            Some(known) if known.message.is_empty() => known.message = message,
            Some(known) if message.is_empty() || known.message == message => {}
            _ => self.labels.push(Label { span, message }),
        }
        self
    }

    /// Says which file is wrong as a whole.
    #[must_use]
    pub fn about(self, file: &str) -> Diagnostic {
        Diagnostic { file: Some(file.to_owned()), ..self }
    }

    /// As heavy as somebody says.
    #[must_use]
    pub fn weighing(self, level: Level) -> Diagnostic {
        Diagnostic { level, ..self }
    }

    /// Adds a sentence that says what to write instead.
    #[must_use]
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.helps.push(Help { text: text.into(), fix: None, restates: None, topic: None });
        self
    }

    /// Adds a sentence with the edits that carry it out.
    #[must_use]
    pub fn fix(mut self, text: impl Into<String>, fix: Fix) -> Diagnostic {
        self.helps.push(Help { text: text.into(), fix: Some(fix), restates: None, topic: None });
        self
    }

    /// Adds a sentence with the edits that write down what happens anyway.
    #[must_use]
    pub fn restate(mut self, text: impl Into<String>, edits: Fix) -> Diagnostic {
        self.helps.push(Help { text: text.into(), fix: None, restates: Some(edits), topic: None });
        self
    }

    /// Says what the last help is about.
    #[must_use]
    pub fn on(mut self, topic: HelpTopic) -> Diagnostic {
        if let Some(help) = self.helps.last_mut() {
            help.topic = Some(topic);
        }
        self
    }

    /// Adds background.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// The place the message is about.
    pub fn span(&self) -> Option<Span> {
        self.labels.first().map(|label| label.span)
    }

    /// Whether the program cannot run because of this.
    pub fn is_error(&self) -> bool {
        self.level == Level::Deny
    }
}

/// The sink that phases report into.
#[derive(Clone, Debug, Default)]
pub struct Diagnostics {
    list: Vec<Diagnostic>,
    errors: usize,
}

impl Diagnostics {
    /// Nothing reported yet.
    pub fn new() -> Diagnostics {
        Diagnostics::default()
    }

    /// Reports one diagnostic; what is allowed is dropped.
    pub fn push(&mut self, diagnostic: Diagnostic) {
        if diagnostic.level == Level::Allow {
            return;
        }
        self.errors += usize::from(diagnostic.is_error());
        self.list.push(diagnostic);
    }

    /// Takes back what was reported last.
    pub fn take_back(&mut self) {
        let last = self.list.pop();
        self.errors -= usize::from(last.is_some_and(|last| last.is_error()));
    }

    /// Whether something was reported that keeps the program from running.
    pub fn has_errors(&self) -> bool {
        self.errors > 0
    }

    /// How many errors were reported.
    pub fn error_count(&self) -> usize {
        self.errors
    }

    /// How many diagnostics there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// What was reported, in the order of reporting; [`Diagnostics::sort`] puts it in source order.
    pub fn iter(&self) -> std::slice::Iter<'_, Diagnostic> {
        self.list.iter()
    }

    /// Source order: by source, position, then code. Stable, so equal places keep their order.
    pub fn sort(&mut self) {
        self.list.sort_by_key(|d| (d.span().map(|s| (s.source, s.start)), d.code.id));
    }

    /// The diagnostics with something changed in each.
    #[must_use]
    pub fn revise(self, revise: impl FnMut(Diagnostic) -> Diagnostic) -> Diagnostics {
        let mut revised = Diagnostics::new();
        self.list.into_iter().map(revise).for_each(|diagnostic| revised.push(diagnostic));
        revised
    }

    /// Takes everything that `other` holds.
    pub fn append(&mut self, other: Diagnostics) {
        for diagnostic in other.list {
            self.push(diagnostic);
        }
    }
}

impl<'a> IntoIterator for &'a Diagnostics {
    type Item = &'a Diagnostic;
    type IntoIter = std::slice::Iter<'a, Diagnostic>;
    fn into_iter(self) -> Self::IntoIter {
        self.list.iter()
    }
}
