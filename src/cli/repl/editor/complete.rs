//! Completions that Tab offers. They are names, builtins, dtypes, keywords, parameters, commands, files and the arrays
//! in them.

use super::super::commands;
use super::calls;
use super::members::{self, FileFilter};
use super::words::{self, SessionWords, ShownWord};
use crate::check::setting;
use crate::diagnostic::codes;
use crate::ops::elsewhere::modules;
use crate::promotion::systems;
use crate::promotion::verdict::Mode;
use crate::syntax::{TokenKind, tokens};
use crate::types::DType;
use rustyline::completion::Pair;

/// A longer list shows words alone, without what they are.
const MAX_DESCRIBED: usize = 40;

/// Where the word at the cursor begins, and what it may become.
pub(super) fn find(line: &str, pos: usize, words: &SessionWords) -> (usize, Vec<Pair>) {
    let before = &line[..pos];
    if let Some(rest) = before.strip_prefix(':') {
        return match rest.split_once(char::is_whitespace) {
            None => (1, command_names(rest)),
            Some((name, argument)) => {
                let start = pos - argument.len();
                command_argument(name, argument, start, words)
            }
        };
    }
    if before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty()) {
        // At the beginning of a line, Tab indents.
        return (pos, vec![Pair { display: String::new(), replacement: "  ".to_owned() }]);
    }
    expression(before, words)
}

fn command_names(prefix: &str) -> Vec<Pair> {
    let rows = commands::TABLE.iter().filter(|row| row.name.starts_with(prefix));
    let pair = |row: &commands::CommandRow| {
        let gap = if row.argument.is_empty() { "" } else { " " };
        let usage = format!(":{} {}", row.name, row.argument);
        Pair { display: format!("{usage:<24} {}", row.help), replacement: format!("{}{gap}", row.name) }
    };
    rows.map(pair).collect()
}

/// The argument of a command: what its row says stands there.
fn command_argument(name: &str, argument: &str, start: usize, words: &SessionWords) -> (usize, Vec<Pair>) {
    let Ok(row) = commands::find(name) else { return (start, Vec::new()) };
    let blank = argument.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let (place, word) = (argument[..blank].split_whitespace().count(), &argument[blank..]);
    let wanted: Vec<&str> = row.argument.split_whitespace().map(|word| word.trim_matches(['[', ']'])).collect();
    let at = start + blank;
    let candidates: Vec<ShownWord> = match wanted.get(place).or(wanted.last()).copied().unwrap_or_default() {
        "FILE" => {
            let kind = match row.name {
                "run" | "edit" => FileFilter::Scripts,
                _ => FileFilter::Arrays,
            };
            let (from, found) = members::find(word, kind);
            return (at + from, found);
        }
        "COMMAND" => return (at, command_names(word.trim_start_matches(':'))),
        "SYSTEM" => systems::ALL.iter().map(|system| plain(system.name)).collect(),
        "NAME" if row.name == "doc" => {
            let names = words.expression(false).into_iter().map(ShownWord::uncalled);
            let systems = systems::ALL.iter().map(|system| plain(system.name));
            names.chain(systems).chain(codes::all().map(|code| plain(code.name))).collect()
        }
        "OP" => words::builtins().map(ShownWord::uncalled).collect(),
        "DTYPE…" => DType::ALL.iter().map(|dtype| plain(dtype.name())).collect(),
        "as" => vec![plain("as")],
        "SETTING" => commands::settings::names().map(plain).collect(),
        "MODE" => Mode::ALL.iter().map(|mode| plain(mode.name())).collect(),
        "NAME" => words.names().map(ShownWord::uncalled).collect(),
        choice if choice.contains('|') => choice.split('|').map(plain).collect(),
        "" => Vec::new(),
        _ => {
            let (from, found) = expression(argument, words);
            return (start + from, found);
        }
    };
    (at, matching(word, candidates))
}

/// The end of a piece of a script.
fn expression(before: &str, words: &SessionWords) -> (usize, Vec<Pair>) {
    if let Some((start, path)) = open_string(before) {
        let kind = if before[..start].trim_end_matches(['"', '\'']).trim_end().ends_with("use") {
            FileFilter::Scripts
        } else {
            FileFilter::Arrays
        };
        let (from, found) = members::find(path, kind);
        return (start + from, found);
    }
    if ends_in_comment(before) {
        return (before.len(), Vec::new());
    }
    let is_word_char = |c: char| c.is_alphanumeric() || c == '_';
    let start = before
        .rfind(|c: char| !is_word_char(c))
        .map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
    let (left, word) = before.split_at(start);
    if word.starts_with(|c: char| c.is_ascii_digit()) {
        return (start, Vec::new());
    }
    let line = left.rsplit(['\n', ';']).next().unwrap_or(left);
    let found = if let Some(receiver) = left.strip_suffix('.') {
        let path = receiver
            .rfind(|c| !is_word_char(c) && c != '.')
            .map_or(receiver, |at| receiver[at..].trim_start_matches(|c| !is_word_char(c)));
        match modules::find(path).is_some() {
            true => words::builtins().collect(),
            false if receiver.ends_with(|c: char| c.is_alphanumeric() || "_)]".contains(c)) => {
                words::attributes().chain(words::builtins()).collect()
            }
            false => Vec::new(),
        }
    } else if line.trim_start().starts_with("promotion ") {
        setting::words().map(|word| plain(&word)).collect()
    } else {
        let mut found = parameters(left, words);
        found.extend(words.expression(line.trim().is_empty()));
        found
    };
    (start, matching(word, found))
}

/// `axis=` in a call that takes it.
fn parameters(left: &str, words: &SessionWords) -> Vec<ShownWord> {
    let Some(call) = calls::open(left).filter(|call| !call.begun && call.done > 0) else { return Vec::new() };
    let signature = words.signature(call.name).unwrap_or_default();
    let optional = calls::params(&signature).into_iter().filter_map(|param| param.split_once('='));
    let named = optional.map(|(name, default)| {
        let name = name.split(':').next().unwrap_or(name).trim();
        ShownWord { text: format!("{name}="), shown: format!("{name}={}", default.trim()), called: false }
    });
    named.collect()
}

fn plain(word: &str) -> ShownWord {
    ShownWord { text: word.to_owned(), shown: word.to_owned(), called: false }
}

/// The words that begin like this.
fn matching(prefix: &str, words: Vec<ShownWord>) -> Vec<Pair> {
    let found: Vec<ShownWord> = words.into_iter().filter(|word| word.text.starts_with(prefix)).collect();
    let brief = found.len() > MAX_DESCRIBED;
    let pair = |word: ShownWord| {
        let replacement = if word.called { format!("{}(", word.text) } else { word.text.clone() };
        Pair { display: if brief { word.text } else { word.shown }, replacement }
    };
    found.into_iter().map(pair).collect()
}

/// A string that is not closed at the end of a text: where what is in it begins, and what that is.
pub(super) fn open_string(text: &str) -> Option<(usize, &str)> {
    let (kind, range) = tokens(text).pop()?;
    let inside = text[range.clone()].strip_prefix(['"', '\''])?;
    // A string that is closed is whole, whatever quotes are in it.
    (kind == TokenKind::Broken && range.end == text.len()).then_some((range.start + 1, inside))
}

/// Whether a text ends in a comment.
fn ends_in_comment(text: &str) -> bool {
    tokens(text).pop().is_some_and(|(kind, range)| kind == TokenKind::Comment && range.end == text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::{Input, Session};

    fn offered(line: &str) -> Vec<String> {
        let mut session = Session::default();
        let reply = session.evaluate(&Input::new("<test>", "let energy = [1f32]\nfn enlarge(x, by=2) = x * by"));
        assert!(reply.outcome.is_done());
        let (start, found) = find(line, line.len(), &SessionWords::of(&session));
        found.into_iter().map(|pair| format!("{}{}", &line[..start], pair.replacement)).collect()
    }

    fn shown(line: &str) -> Vec<String> {
        let mut session = Session::default();
        session.evaluate(&Input::new("<test>", "let energy = [1f32]\nfn enlarge(x, by=2) = x * by"));
        find(line, line.len(), &SessionWords::of(&session)).1.into_iter().map(|pair| pair.display).collect()
    }

    #[test]
    fn names_come_with_types_and_builtins_with_signatures() {
        assert_eq!(shown("1 + en"), ["energy : f32[1]", "enlarge(x, by=2)"]);
        assert_eq!(shown("hypo"), ["hypot(x, y)"]);
        assert_eq!(offered("1 + hypo"), ["1 + hypot("]);
        assert_eq!(offered("bf"), ["bf16"]);
        assert!(offered("le").contains(&"let".to_owned()));
        assert_eq!(offered("12"), Vec::<String>::new());
    }

    #[test]
    fn strings_and_comments_are_no_place_for_names() {
        for line in ["\"ener", "1 + 'ener", "\"a \\\" ener", "# ener", "1 # ener", ":type \"ener"] {
            assert_eq!(offered(line), Vec::<String>::new(), "{line}");
        }
        assert_eq!(offered("\"a # b\" + ener"), ["\"a # b\" + energy"]);
    }

    #[test]
    fn methods_and_attributes_follow_a_dot() {
        assert_eq!(offered("energy.sha"), ["energy.shape"]);
        assert_eq!(offered("energy.cumpr"), ["energy.cumprod("]);
        assert_eq!(offered("np.hypo"), ["np.hypot("]);
    }

    #[test]
    fn calls_offer_their_parameters() {
        assert_eq!(offered("sum(energy, keep"), ["sum(energy, keepdims="]);
        assert_eq!(shown("enlarge(1, b").first().map(String::as_str), Some("by=2"));
    }

    #[test]
    fn commands_are_offered_by_their_rows() {
        assert_eq!(offered(":qu"), [":quit"]);
        assert_eq!(offered(":help qu"), [":help quit"]);
        assert_eq!(offered(":stats en"), [":stats energy", ":stats enlarge("]);
    }

    #[test]
    fn settings_follow_promotion() {
        assert_eq!(offered("promotion numpy1"), ["promotion numpy1"]);
        assert_eq!(offered("promotion jax sa"), ["promotion jax safe"]);
    }

    #[test]
    fn tab_indents_at_the_beginning_of_a_line() {
        assert_eq!(offered("fn f(x) {\n"), ["fn f(x) {\n  "]);
    }
}
