//! The name that was probably meant.
//!
//! Distance is that of Damerau and Levenshtein with adjacent transpositions (optimal string alignment), over
//! characters and without regard to case, because `F32` and `Sum` are slips of the shift key. How far a candidate may
//! be grows with the length of the word; a candidate that shares nothing is never proposed.
//!
//! ```
//! use arrlang::diagnostic::suggest::closest;
//! assert_eq!(closest("maxmium", ["minimum", "maximum", "mean"]), Some("maximum"));
//! assert_eq!(closest("F32", ["f16", "f32"]), Some("f32"));
//! assert_eq!(closest("y", ["x"]), None);
//! ```

/// Words longer than this are compared for equality without case only; nobody mistypes one letter of them by hand.
const MAX_COMPARED_CHARS: usize = 64;

/// The candidate closest to `word`, when one is close enough. Among equals the one that also matches in case, then
/// the first in alphabetical order: the order of the candidates does not matter. `word` itself is not a suggestion.
pub fn closest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let exact: Vec<char> = word.chars().collect();
    let folded = fold(word);
    let mut best: Option<(usize, usize, &str)> = None;
    for candidate in candidates {
        if candidate == word {
            continue;
        }
        let Some(distance) = near(&folded, candidate) else { continue };
        let case = candidate.chars().zip(&exact).filter(|(a, b)| a != *b).count();
        let rank = (distance, case, candidate);
        if best.is_none_or(|known| rank < known) {
            best = Some(rank);
        }
    }
    best.map(|(_, _, candidate)| candidate)
}

fn fold(word: &str) -> Vec<char> {
    word.chars().flat_map(char::to_lowercase).collect()
}

/// How many slips a word of this length may have. A single letter is a name of its own.
fn allowed(length: usize) -> usize {
    match length {
        0..=1 => 0,
        2..=4 => 1,
        5..=8 => 2,
        _ => 3,
    }
}

/// The distance, if it is small enough to propose the candidate.
fn near(word: &[char], candidate: &str) -> Option<usize> {
    // A letter has at least one byte and at most four; what differs by more is not looked at.
    if candidate.len() > 4 * (word.len() + 3) {
        return None;
    }
    let candidate = fold(candidate);
    if candidate == word {
        return Some(0);
    }
    let longer = word.len().max(candidate.len());
    let limit = allowed(word.len()).min(longer.saturating_sub(1));
    if longer > MAX_COMPARED_CHARS || word.len().abs_diff(candidate.len()) > limit {
        return None;
    }
    Some(distance(word, &candidate)).filter(|&found| found <= limit)
}

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
fn distance(from: &[char], to: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut above: Vec<usize> = (0..=to.len()).collect();
    for (i, a) in from.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, b) in to.iter().enumerate() {
            let mut cost = (above[j] + usize::from(a != b)).min(above[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && *a == to[j - 1] && from[i - 1] == *b {
                cost = cost.min(before[j - 1] + 1);
            }
            row.push(cost);
        }
        before = std::mem::replace(&mut above, row);
    }
    above[to.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const BUILTINS: [&str; 10] =
        ["sum", "mean", "cumsum", "maximum", "minimum", "sqrt", "where", "reshape", "transpose", "f32"];

    #[test]
    fn usual_slips_are_found() {
        let found = ["smu", "maen", "cumsun", "maximun", "Minimum", "sqr", "wehre", "reshpe", "tranpsose", "F32"]
            .map(|word| closest(word, BUILTINS));
        let meant = ["sum", "mean", "cumsum", "maximum", "minimum", "sqrt", "where", "reshape", "transpose", "f32"];
        assert_eq!(found, meant.map(Some));
    }

    #[test]
    fn unrelated_words_are_not_proposed() {
        for word in ["", "x", "q", "energy", "counts", "zip", "matrix"] {
            assert_eq!(closest(word, BUILTINS), None, "{word}");
        }
        assert_eq!(closest("a", ["b", ""]), None);
    }

    #[test]
    fn short_names_need_something_in_common() {
        assert_eq!(closest("xx", ["x"]), Some("x"));
        assert_eq!(closest("X", ["x"]), Some("x"));
        assert_eq!(closest("i", ["i8", "u8", "in"]), None);
        assert_eq!(closest("ab", ["cd"]), None);
    }

    #[test]
    fn ties_do_not_depend_on_the_order() {
        assert_eq!(closest("bat", ["rat", "cat", "hat"]), Some("cat"));
        assert_eq!(closest("bat", ["hat", "cat", "rat"]), Some("cat"));
        assert_eq!(closest("SUM", ["Sum", "sum", "SUm"]), Some("SUm"));
    }

    #[test]
    fn the_word_itself_is_no_suggestion() {
        assert_eq!(closest("sum", ["sum", "sun"]), Some("sun"));
    }

    #[test]
    fn long_words_cost_little() {
        let long = "a".repeat(1_000_000);
        let other = format!("{long}b");
        assert_eq!(closest(&long, [other.as_str(), "sum"]), None);
        assert_eq!(closest("sum", [long.as_str()]), None);
    }

    proptest! {
        #[test]
        fn distance_is_symmetric(a in "[abAB]{0,9}", b in "[abAB]{0,9}") {
            let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
            prop_assert_eq!(distance(&a, &b), distance(&b, &a));
            prop_assert_eq!(distance(&a, &a), 0);
        }
    }
}
