//! The name of a constant says a quantity: `MAX_LANES`, `MIN_SAMPLES`, `PREFETCH_BYTES`.
//!
//! A limit is called `MAX_…`. The docs tell which constants are limits: they begin with "The most", or as [`LIMITS`]
//! do.

use super::{sources, texts};

/// Words that say how much, and of nothing.
const ADVERBS: &str = "
    ABREAST AHEAD AROUND BACK BEAT BESIDE BETWEEN COPIED DEEP DEEPEST DENSE FAR FEW FEWEST FOLLOWED GATHERED GLANCE
    GLANCES HUGE INSERTED KEPT LARGE LARGER LARGEST LATELY LATEST LEAST LEGIBLE LISTED LONG LONGEST LOOK MANY MEDIUM
    MIXED MOST MUCH NARROW NARROWEST NEAR NEARBY NEIGHBOURS NEVER NOTICED PAIRED PATIENCE PATIENT RECENT SCANNED
    SHARED SHORT SHORTER SHORTEST SHOWN SMALL SMALLER SMALLEST SPARE SPARSE STRIDED TOGETHER TRIAL UNASKED VARIED
    WIDE WIDEST WITHIN WORTH
";

/// Beginnings of the docs of limits.
const LIMITS: &[&str] = &["The most ", "Most ", "At most ", "The longest ", "Longest ", "The largest ", "Largest "];

/// The name of a constant that a line of code defines.
fn defined(line: &str) -> Option<&str> {
    let (before, after) = line.split_once("const ")?;
    let (name, _) = after.split_once(": ")?;
    let is_name = name.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_');
    (is_name && !before.contains(['<', '/'])).then_some(name)
}

#[test]
fn constants_say_a_quantity() {
    let adverbs: Vec<&str> = ADVERBS.split_whitespace().collect();
    let is_vague = |name: &str| adverbs.contains(&name) || name.starts_with("MOST_") || name.ends_with("_MOST");
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        let vague = code.lines().filter_map(defined).filter(|name| is_vague(name));
        wrong.extend(vague.map(|name| format!("{file}: {name}")));
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn constants_that_are_limits_say_so() {
    let mut wrong = Vec::new();
    for (file, text) in texts() {
        // The first line of the docs above.
        let mut docs: Option<&str> = None;
        for line in text.lines().map(str::trim_start) {
            if let Some(words) = line.strip_prefix("/// ") {
                docs = docs.or(Some(words));
            } else if line != "///" && !line.starts_with("#[") {
                let is_limit = docs.take().is_some_and(|docs| LIMITS.iter().any(|limit| docs.starts_with(limit)));
                if let Some(name) = defined(line).filter(|name| is_limit && !name.starts_with("MAX_")) {
                    wrong.push(format!("{file}: {name}"));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "a limit is called MAX_…: {wrong:#?}");
}
