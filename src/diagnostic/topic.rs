//! The topic of a help, for what is said about the finding later.

/// What a help is about. Most are about nothing that is asked for later.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum HelpTopic {
    /// How comments begin.
    Comments,
    /// What holds every result: the name of a dtype.
    Holds(&'static str),
    /// A number that leaves room, in place of the end of a dtype.
    Room,
    /// What is written where wrapping is meant.
    Wrapping,
}
