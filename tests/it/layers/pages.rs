//! The first sentence of a page names what the file is, in few words.
//!
//! Its subject is a noun, so it begins with no question word. A file of two concepts is two files, so there is no `and`.
//! A colon ends the sentence where the rest says more.

use super::texts;

const QUESTIONS: &[&str] = &["How", "What", "Where", "Which", "Whether", "When", "Why", "Who", "Whose"];

/// The most words of a first sentence.
const MAX_WORDS: usize = 14;

/// The first sentence of a text's page, up to a full stop, a colon or a semicolon.
fn first_sentence(text: &str) -> String {
    let page = text.lines().skip_while(|line| !line.starts_with("//!")).map_while(|line| line.strip_prefix("//!"));
    let words = page.take_while(|line| !line.is_empty()).flat_map(str::split_whitespace);
    let mut sentence = Vec::new();
    for word in words {
        sentence.push(word);
        if word.ends_with(['.', ':', ';', '?']) {
            break;
        }
    }
    sentence.join(" ")
}

#[test]
fn pages_begin_with_a_noun() {
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        let sentence = first_sentence(&text);
        let words: Vec<&str> = sentence.split(' ').collect();
        let is_short = (1..=MAX_WORDS).contains(&words.len()) && !sentence.is_empty();
        if QUESTIONS.contains(&words[0]) || words.contains(&"and") || !is_short {
            wrong.push(format!("{file}: {sentence}"));
        }
    }
    assert!(wrong.is_empty(), "begin with a noun, without `and`, in at most {MAX_WORDS} words: {wrong:#?}");
}
