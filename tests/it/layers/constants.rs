//! The name of a numeric constant says a quantity: `MAX_LANES`, `MIN_SAMPLES`, `PREFETCH_BYTES`.

use super::sources;

/// Words that say how much, and of nothing.
const ADVERBS: &str = "
    ABREAST AHEAD AROUND BACK BEAT BESIDE BETWEEN COPIED DEEP DEEPEST DENSE FAR FEW FEWEST FOLLOWED GATHERED GLANCE
    GLANCES HUGE INSERTED KEPT LARGE LARGER LARGEST LATELY LATEST LEAST LEGIBLE LISTED LONG LONGEST LOOK MANY MEDIUM
    MIXED MOST MUCH NARROW NARROWEST NEAR NEARBY NEIGHBOURS NEVER NOTICED PAIRED PATIENCE PATIENT RECENT SCANNED
    SHARED SHORT SHORTER SHORTEST SHOWN SMALL SMALLER SMALLEST SPARE SPARSE STRIDED TOGETHER TRIAL UNASKED VARIED
    WIDE WIDEST WITHIN WORTH
";

const NUMBERS: &[&str] =
    &["usize", "isize", "u8", "u16", "u32", "u64", "u128", "i32", "i64", "i128", "f32", "f64", "Duration", "Self"];

#[test]
fn constants_say_a_quantity() {
    let adverbs: Vec<&str> = ADVERBS.split_whitespace().collect();
    let mut wrong = Vec::new();
    for (file, code) in sources() {
        for (before, after) in code.lines().filter_map(|line| line.split_once("const ")) {
            let Some((name, rest)) = after.split_once(": ") else { continue };
            let is_number = NUMBERS.contains(&rest.split([' ', ';']).next().unwrap_or(rest));
            let is_vague = adverbs.contains(&name) || name.starts_with("MOST_") || name.ends_with("_MOST");
            if is_number && is_vague && !before.contains('<') {
                wrong.push(format!("{file}: {name}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{wrong:#?}");
}
