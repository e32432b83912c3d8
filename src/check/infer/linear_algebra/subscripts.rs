//! The subscripts of `einsum` as labels of axes.

/// From here on labels are of axes that broadcast.
pub(super) const SPREAD: u32 = 1 << 16;

/// The labels of the operands' axes, and of the result's. `ranks` says how many axes each operand has.
pub(super) fn parsed_subscripts(text: &str, ranks: &[usize]) -> Result<(Vec<Vec<u32>>, Vec<u32>), String> {
    let text: String = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    let (inputs, output) = match text.split_once("->") {
        Some((inputs, output)) => (inputs, Some(output)),
        None => (text.as_str(), None),
    };
    let inputs: Vec<&str> = inputs.split(',').collect();
    if inputs.len() != ranks.len() {
        return Err(format!("are of {} operands, and there are {}", inputs.len(), ranks.len()));
    }
    let most = |own: &str, rank: usize| rank.saturating_sub(own.chars().filter(char::is_ascii_alphabetic).count());
    let spread = inputs.iter().zip(ranks).filter(|(own, _)| own.contains("...")).map(|(own, rank)| most(own, *rank));
    let spread = spread.max().unwrap_or(0);
    let mut labels = Vec::with_capacity(inputs.len());
    for (own, &rank) in inputs.iter().zip(ranks) {
        let found = lettered(own, most(own, rank), spread)?;
        if found.len() != rank {
            return Err(format!("give `{own}` to an operand of {rank} axes"));
        }
        labels.push(found);
    }
    let all: Vec<u32> = labels.concat();
    let result = match output {
        Some(output) => lettered(output, spread, spread)?,
        None => {
            let once = |label: &u32| *label >= SPREAD || all.iter().filter(|other| *other == label).count() == 1;
            let mut found: Vec<u32> = all.iter().copied().filter(once).collect();
            found.sort_unstable_by_key(|&label| (label < SPREAD, label));
            found.dedup();
            found
        }
    };
    if let Some(label) = result.iter().find(|label| !all.contains(label)) {
        let letter = char::from_u32(*label).filter(|_| *label < SPREAD);
        return Err(letter.map_or("have `...` in the result alone".to_owned(), |letter| {
            format!("have `{letter}` in the result and in no operand")
        }));
    }
    match (1..result.len()).find(|&at| result[..at].contains(&result[at])) {
        Some(_) => Err("have a letter twice in the result".to_owned()),
        None => Ok((labels, result)),
    }
}

/// The labels of one operand; `...` stands for `count` axes of `most`, the last ones.
fn lettered(text: &str, count: usize, most: usize) -> Result<Vec<u32>, String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(letter) = rest.chars().next() {
        if let Some(after) = rest.strip_prefix("...") {
            if found.iter().any(|label| *label >= SPREAD) {
                return Err(format!("have `...` twice in `{text}`"));
            }
            found.extend((most - count..most).map(|at| SPREAD + at as u32));
            rest = after;
            continue;
        }
        if !letter.is_ascii_alphabetic() {
            return Err(format!("have `{letter}`, which is no letter"));
        }
        found.push(u32::from(letter));
        rest = &rest[1..];
    }
    Ok(found)
}
