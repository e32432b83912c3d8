//! Habits from other prompts: `exit`, `help(sum)`, `whos`, `%timeit e`. Each is a row that says what does it here; a
//! name of the session with the same spelling wins.

use crate::check::env::Env;
use HabitMeaning::{Command, Instead};
use Wording::{About, Alone, Any, Called};

/// A habit.
pub(super) struct Habit {
    /// The words, each with the sign that it begins with.
    pub(super) words: &'static [&'static str],
    form: Wording,
    pub(super) means: HabitMeaning,
}

impl Habit {
    /// A word as it is typed: `help(x)`, `%timeit x`.
    pub(super) fn written(&self, word: &str) -> String {
        match self.form {
            Alone => word.to_owned(),
            Any if word == "%" => "%…".to_owned(),
            Any => word.to_owned(),
            About if word.starts_with('?') => format!("{word}x"),
            About if word.starts_with(char::is_alphabetic) => format!("{word}(x)"),
            About => format!("{word} x"),
            Called => format!("{word}(x)"),
        }
    }
}

/// How the words are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Wording {
    /// `exit`, `exit()`.
    Alone,
    /// `help(sum)`, `help sum`.
    About,
    /// `type(x)`.
    Called,
    /// Whatever follows.
    Any,
}

/// What the words of another prompt mean here.
pub(super) enum HabitMeaning {
    /// A command, without its colon; what the words are about follows it.
    Command(&'static str),
    /// There is none: what to do instead.
    Instead(&'static str),
}

const fn row(words: &'static [&'static str], form: Wording, means: HabitMeaning) -> Habit {
    Habit { words, form, means }
}

/// The habits, in the order of the page of the REPL.
pub(super) const TABLE: &[Habit] = &[
    row(&["exit", "quit"], Alone, Command("quit")),
    row(&["help", "?"], Alone, Command("help")),
    row(&["help", "doc", "?", "??"], About, Command("doc")),
    row(&["whos", "who", "%whos", "%who", "vars", "dir", "globals", "locals"], Alone, Command("vars")),
    row(&["%timeit", "%time", "%%timeit", "%%time", "@time", "@btime", "timeit"], About, Command("time")),
    row(&["time"], Called, Command("time")),
    row(&["type", "typeof"], Called, Command("type")),
    row(&["plot", "plt.plot"], Called, Command("plot")),
    row(&["hist", "plt.hist"], Called, Command("hist")),
    row(&["history", "%history", "%hist"], Alone, Command("history")),
    row(&["%run", "include"], About, Command("run")),
    row(&["%edit", "edit"], Alone, Command("edit")),
    row(&["%edit", "edit"], About, Command("edit")),
    row(&["undo"], Alone, Command("undo")),
    row(&["reset", "%reset"], Alone, Command("reset")),
    row(&["clear", "cls", "clc"], Alone, Instead("Ctrl-L clears the screen, `:reset` forgets the names")),
    row(
        &["ls", "%ls", "!ls", "cd", "%cd", "!cd", "pwd", "%pwd", "!pwd"],
        Any,
        Instead("paths begin in the folder that `arr` was started in; Tab after `:load ` shows its files"),
    ),
    row(
        &["%"],
        Any,
        Instead("there are no `%` commands here; those of this prompt begin with `:`, and `:help` lists them"),
    ),
];

/// What a habit comes to.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Replacement {
    /// A command line, without its colon.
    Command(String),
    /// What to do instead.
    Instead(&'static str),
}

/// What an input means as a habit, if it is one.
pub(super) fn find(env: &Env, text: &str) -> Option<Replacement> {
    meaning(text, |name| env.get(name).is_some())
}

fn meaning(text: &str, is_name: impl Fn(&str) -> bool) -> Option<Replacement> {
    let text = text.trim().trim_end_matches(';').trim_end();
    if text.contains('\n') {
        return None;
    }
    // `sum?` and `sum??` ask about `sum`, as `?sum` does.
    if let Some(name) = text.strip_suffix('?').map(|name| name.trim_end_matches('?').trim_end())
        && is_topic(name)
    {
        return Some(Replacement::Command(format!("doc {name}")));
    }
    TABLE.iter().find_map(|row| {
        let argument = row.words.iter().find_map(|word| argument(text, word, row.form, &is_name))?;
        Some(match row.means {
            Command(command) => Replacement::Command(format!("{command} {argument}").trim_end().to_owned()),
            Instead(words) => Replacement::Instead(words),
        })
    })
}

/// What follows a word in this form.
fn argument<'t>(text: &'t str, word: &str, form: Wording, is_name: &impl Fn(&str) -> bool) -> Option<&'t str> {
    let sign = !word.starts_with(char::is_alphabetic);
    let rest = text.strip_prefix(word)?;
    let first = word.split('.').next().unwrap_or(word);
    // A longer word is another one.
    let longer = rest.starts_with(|c: char| c.is_alphanumeric() || c == '_');
    if is_name(first) || (longer && word != "%" && !word.starts_with('?')) {
        return None;
    }
    let called = || {
        let inner = rest.strip_prefix('(')?.strip_suffix(')')?;
        let closes = inner.chars().scan(0i32, |depth, c| {
            *depth += i32::from(c == '(') - i32::from(c == ')');
            Some(*depth)
        });
        closes.into_iter().all(|depth| depth >= 0).then(|| inner.trim())
    };
    let behind = || {
        let bare = rest.trim_start();
        // What continues an expression is about a name of that spelling.
        let fits =
            sign || bare.len() < rest.len() && bare.starts_with(|c: char| c.is_alphanumeric() || "_\"'".contains(c));
        (fits && !bare.is_empty()).then_some(bare)
    };
    match form {
        Alone => (rest.is_empty() || called() == Some("")).then_some(""),
        Called => called().filter(|inner| !inner.is_empty()),
        About => called().or_else(behind).filter(|inner| !inner.is_empty()).map(unquoted),
        Any if rest.is_empty() || word == "%" => Some(""),
        Any => (called().is_some() || behind().is_some() || rest.trim_start().starts_with(['.', '/', '~', '-']))
            .then_some(""),
    }
}

/// `help("sum")`
fn unquoted(text: &str) -> &str {
    let inside = |quote: char| text.strip_prefix(quote)?.strip_suffix(quote);
    inside('"').or_else(|| inside('\'')).unwrap_or(text)
}

/// Whether a page may be called so.
fn is_topic(text: &str) -> bool {
    let is_word = text.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '*' | '.' | ':'));
    let is_symbol = text.chars().all(|c| c.is_ascii_punctuation());
    !text.is_empty() && (is_word || is_symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Option<String> {
        match meaning(text, |name| name == "time")? {
            Replacement::Command(line) => Some(line),
            Replacement::Instead(words) => Some(format!("# {words}")),
        }
    }

    #[test]
    fn words_of_other_prompts_are_commands_of_this_one() {
        let pairs = [
            ("exit", "quit"),
            ("quit()", "quit"),
            ("help", "help"),
            ("help(sum)", "doc sum"),
            ("help \"sum\"", "doc sum"),
            ("sum?", "doc sum"),
            ("?sum", "doc sum"),
            ("+?", "doc +"),
            ("whos", "vars"),
            ("%who", "vars"),
            ("%timeit (x + 1) * (y)", "time (x + 1) * (y)"),
            ("%time sum(x)", "time sum(x)"),
            ("hist(x)", "hist x"),
            ("type(x + 1)", "type x + 1"),
            ("%history", "history"),
        ];
        for (typed, wanted) in pairs {
            assert_eq!(command(typed).as_deref(), Some(wanted), "{typed}");
        }
        for typed in ["ls", "cd ..", "%cd /tmp", "!ls -l", "%matplotlib inline", "clear"] {
            assert!(command(typed).is_some_and(|text| text.starts_with('#')), "{typed}");
        }
    }

    #[test]
    fn expressions_are_no_habits() {
        for text in
            ["exit + 1", "help = 3", "time(x)", "hist", "type(x) == type(y)", "who[0]", "!true", "sum(x)", "a\n?"]
        {
            assert_eq!(command(text), None, "{text}");
        }
    }
}
