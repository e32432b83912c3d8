//! Characters that can hide code, or that have no place in a script.
//!
//! A reviewer must see what the compiler sees: direction overrides, zero-width characters and stray control
//! characters are errors outside strings (and most of them in comments too).

/// What an invisible character is called, if it is one.
pub(crate) fn hidden(c: char) -> Option<&'static str> {
    Some(match c {
        '\0' => "a NUL character",
        '\r' => "a carriage return without a line feed",
        '\u{85}' | '\u{2028}' | '\u{2029}' => "a Unicode line separator",
        '\u{1b}' => "an escape character",
        '\u{1}'..='\u{1f}' | '\u{7f}'..='\u{9f}' => "a control character",
        '\u{feff}' => "a byte order mark in the middle of the text",
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => {
            "a character that changes the direction of text"
        }
        _ if is_blank(c) => "a blank that is not an ordinary space",
        '\u{ad}'
        | '\u{34f}'
        | '\u{115f}'
        | '\u{1160}'
        | '\u{17b4}'
        | '\u{17b5}'
        | '\u{180b}'..='\u{180f}'
        | '\u{200b}'..='\u{200d}'
        | '\u{2060}'..='\u{2065}'
        | '\u{206a}'..='\u{206f}'
        | '\u{3164}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{ffa0}'
        | '\u{fff0}'..='\u{fffb}'
        | '\u{e0000}'..='\u{e0fff}' => "an invisible character",
        _ => return None,
    })
}

/// Whether a character shows as a blank and is no ordinary space.
pub(crate) fn is_blank(c: char) -> bool {
    matches!(c, '\u{a0}' | '\u{2000}'..='\u{200a}' | '\u{202f}' | '\u{205f}' | '\u{1680}' | '\u{3000}')
}

/// Whether not even a comment may hold a character: it moves or breaks the text around it, a terminal obeys it, or it
/// marks the beginning of a text. Blanks and joiners of any sort are for people to write in.
pub(crate) fn unfit(c: char) -> bool {
    (c.is_control() && c != '\t')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{feff}')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// How many characters are looked at for the end of a text between quotes of another sort.
const MAX_QUOTED: usize = 200;

/// The length of what stands between quotes of another sort, `“abc”`, them included, at the beginning of a text.
pub(crate) fn quoted_length(text: &str) -> Option<usize> {
    let open = text.chars().next()?;
    let closers: &[char] = match open {
        '“' | '„' => &['”', '“'],
        '”' => &['”'],
        '‘' => &['’', '‘'],
        '’' => &['’'],
        '`' => &['`'],
        _ => return None,
    };
    // Where no quote closes, the rest of a long line is not looked at for each.
    let mut inside = text.char_indices().skip(1).take(MAX_QUOTED).take_while(|&(_, c)| c != '\n');
    let (end, close) = inside.find(|(_, c)| closers.contains(c))?;
    (end > open.len_utf8()).then(|| end + close.len_utf8())
}

/// What to write instead of a character that the language does not use.
pub(crate) fn instead(c: char) -> Option<&'static str> {
    Some(match c {
        '×' | '·' | '⋅' | '∗' => "write `*`",
        '÷' | '∕' => "write `/`",
        '−' | '–' | '—' => "write `-`",
        '≤' => "write `<=`",
        '≥' => "write `>=`",
        '≠' => "write `!=`",
        '“' | '”' | '„' | '‘' | '’' | '`' => "strings are written with `\"`",
        '√' => "write `sqrt(x)`",
        '²' => "write `**2`",
        '³' => "write `**3`",
        '?' => "a choice is written `where(condition, a, b)`",
        '\\' => "a line goes on after an operator or a comma and inside brackets; no `\\` is needed",
        '$' => "names are written without `$`",
        // Behind a value; before one it is an operator.
        '!' => "write `not x` for the opposite, `gamma(x + 1)` for the factorial",
        _ => return None,
    })
}
