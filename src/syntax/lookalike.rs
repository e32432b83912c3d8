//! Names that look like other names: letters of another alphabet among Latin ones, or in the place of all of them.
//!
//! Names may be written in any alphabet, and in several: `Δx`, `скорость_x`. What a reader cannot see is a letter that
//! has a Latin twin, in a word with Latin letters, or a word of such letters beside the name that it looks like.

use super::token::{Tok, Token};
use crate::source::{SourceId, Span};
use std::collections::{BTreeMap, BTreeSet};

/// A name that may be taken for another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lookalike {
    /// Where the name is written first.
    pub span: Span,
    /// The first letter with a Latin twin, and its alphabet.
    pub letter: (char, &'static str),
    /// Whether Latin letters stand in the same word.
    pub mixed: bool,
    /// The name that it looks like.
    pub latin: String,
    /// Where that name is written first, if it is.
    pub twin: Option<Span>,
}

/// Letters with a Latin twin.
const TWINS: [(&str, &str, &str); 3] = [
    ("Cyrillic", "аеорсухіјѕһԛԝԁүӏАВЕКМНОРСТУХІЈЅԚԜҮ", "aeopcyxijshqwdylABEKMHOPCTYXIJSQWY"),
    ("Greek", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧο", "ABEZHIKMNOPTYXo"),
    ("Armenian", "օհսոզ", "ohunq"),
];

/// The Latin letter that this one looks like, and the alphabet that it is from.
fn twin(c: char) -> Option<(char, &'static str)> {
    let wide = match c {
        'Ａ'..='Ｚ' | 'ａ'..='ｚ' => char::from_u32(u32::from(c) - 0xfee0),
        _ => None,
    };
    let letters = TWINS.iter().find_map(|(alphabet, letters, latin)| {
        let at = letters.chars().position(|it| it == c)?;
        Some((latin.chars().nth(at)?, *alphabet))
    });
    wide.map(|latin| (latin, "fullwidth")).or(letters)
}

/// The names of a text that may be taken for other names, each once. The other names may exist beyond this text, which
/// is not known here.
pub(super) fn find(text: &str, source: SourceId, tokens: &[Token]) -> Vec<Lookalike> {
    if text.is_ascii() {
        return Vec::new();
    }
    let names = || tokens.iter().filter(|token| token.tok == Tok::Name);
    let written = |token: &Token| &text[token.start as usize..token.end as usize];
    let span = |token: &Token| Span::new(source, token.start as usize, token.end as usize);
    let mut seen = BTreeSet::new();
    let mut found: Vec<Lookalike> = names()
        .filter(|token| !written(token).is_ascii() && seen.insert(written(token)))
        .filter_map(|token| {
            let name = written(token);
            let letter = name.chars().find_map(|c| Some((c, twin(c)?.1)))?;
            let latin: String = name.chars().map(|c| twin(c).map_or(c, |(latin, _)| latin)).collect();
            Some(Lookalike { span: span(token), letter, mixed: mixed(name), latin, twin: None })
        })
        .filter(|found| found.mixed || found.latin.is_ascii())
        .collect();
    let mut wanted: BTreeMap<String, Option<Span>> = found.iter().map(|it| (it.latin.clone(), None)).collect();
    for token in names() {
        if let Some(place @ None) = wanted.get_mut(written(token)) {
            *place = Some(span(token));
        }
    }
    for lookalike in &mut found {
        lookalike.twin = wanted[&lookalike.latin];
    }
    found
}

/// Whether Latin letters and twins of Latin letters stand in one word; `_` and digits are between words.
fn mixed(name: &str) -> bool {
    let words = name.split(|c: char| !c.is_alphabetic());
    words
        .into_iter()
        .any(|word| word.contains(|c: char| c.is_ascii_alphabetic()) && word.contains(|c| twin(c).is_some()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostic::Diagnostics;
    use crate::source::Sources;

    fn found(text: &str) -> Vec<(String, bool, bool)> {
        let mut sources = Sources::new();
        let source = sources.add("names.arr", text);
        let tokens = crate::syntax::lexer::lex(text, source, &mut Diagnostics::new()).tokens;
        find(text, source, &tokens).into_iter().map(|it| (it.latin, it.mixed, it.twin.is_some())).collect()
    }

    #[test]
    fn every_letter_has_its_twin() {
        for (alphabet, letters, latin) in TWINS {
            assert_eq!(letters.chars().count(), latin.len(), "{alphabet}");
            assert!(letters.chars().all(|c| !c.is_ascii() && c.is_alphabetic()) && latin.is_ascii());
        }
        assert_eq!(twin('ｘ'), Some(('x', "fullwidth")));
    }

    #[test]
    fn words_of_one_alphabet_and_letters_without_twins_are_fine() {
        for text in [
            "let größe = 1",
            "let Δx = 1",
            "let скорость_x = 1",
            "let σ2 = 1",
            "let αβ_max = 1",
            "let 変数x = 1",
            "# pаy",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn a_twin_among_latin_letters_and_a_double_of_another_name_are_found_once() {
        assert_eq!(found("let pаy = 1\npаy + pаy"), [("pay".to_owned(), true, false)]);
        assert_eq!(found("let сору = 1\nlet copy = 2\nсору"), [("copy".to_owned(), false, true)]);
        assert_eq!(found("ехр(1)"), [("exp".to_owned(), false, false)]);
    }
}
