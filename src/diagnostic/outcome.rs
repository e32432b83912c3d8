//! The outcome of a task. The command turns it into its exit code, and a caller of the library asks it instead of a
//! number.

/// How a task ended. Of several, the worst counts, and that is the greatest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Outcome {
    /// Everything was done.
    #[default]
    Done,
    /// The program, or its data, has errors.
    Refused,
    /// What was asked for makes no sense: a wrong option, a name that is none.
    Misused,
    /// A file could not be read or written.
    Unreachable,
    /// A mistake of ours.
    Broken,
    /// Someone did not want to wait.
    Interrupted,
}

impl Outcome {
    /// Whether everything was done.
    pub fn is_done(self) -> bool {
        self == Outcome::Done
    }

    /// [`Outcome::Refused`] where something is wrong, [`Outcome::Done`] elsewhere.
    pub fn refused_if(wrong: bool) -> Outcome {
        if wrong { Outcome::Refused } else { Outcome::Done }
    }
}
