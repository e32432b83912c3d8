//! Words behind the name of a command. Blanks part them, quotes and backslashes hold them together.

/// The words.
///
/// # Errors
/// A sentence, when a quote is not closed.
pub(super) fn words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '"' | '\'') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, '\\') => word.get_or_insert_default().extend(chars.next()),
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    match quote {
        Some(open) => Err(format!("the quote {open} is not closed")),
        None => Ok(words),
    }
}

/// What stands before the last word, and that word: an expression and a file.
///
/// # Errors
/// A sentence, when a quote is not closed.
pub(super) fn before_last(text: &str) -> Result<Option<(&str, String)>, String> {
    let starts = text.char_indices().filter(|&(at, c)| at > 0 && !c.is_whitespace());
    let starts = starts.filter(|&(at, _)| text[..at].ends_with(char::is_whitespace)).map(|(at, _)| at);
    for at in starts.collect::<Vec<_>>().into_iter().rev() {
        // A quote that was opened before is no part of the last word.
        if let Ok(last) = words(&text[at..])
            && let [last] = last.as_slice()
            && !text[..at].trim_end().ends_with('\\')
            && words(&text[..at]).is_ok()
        {
            return Ok(Some((text[..at].trim_end(), last.clone())));
        }
    }
    words(text).map(|_| None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_and_backslashes_hold_words_together() {
        assert_eq!(words(r#"a "b c".npy d\ e 'it"s'"#).unwrap(), ["a", "b c.npy", "d e", "it\"s"]);
        assert_eq!(words("  ").unwrap(), Vec::<String>::new());
        assert_eq!(words("'' x").unwrap(), ["", "x"]);
        assert!(words("\"a").is_err());
    }

    #[test]
    fn the_last_word_is_the_file() {
        let (expression, file) = before_last(r#"x + 1  "my file.npy""#).unwrap().unwrap();
        assert_eq!((expression, file.as_str()), ("x + 1", "my file.npy"));
        assert_eq!(before_last("x y.npy").unwrap().unwrap().1, "y.npy");
        assert_eq!(before_last(r"x my\ file.npy").unwrap().unwrap(), ("x", "my file.npy".to_owned()));
        assert!(before_last("y.npy").unwrap().is_none());
        assert!(before_last(r#"1 "x y.npy"#).is_err());
    }
}
