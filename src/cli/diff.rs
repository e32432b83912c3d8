//! A unified diff of two texts, as `patch` or `git apply` reads it.

use std::fmt::Write;

/// Lines around a change.
const CONTEXT: usize = 3;

/// What turns `old` into `new`; nothing when they are the same.
pub(super) fn unified_diff(name: &str, old: &str, new: &str) -> String {
    let (old, new): (Vec<&str>, Vec<&str>) = (lines(old), lines(new));
    let changes = changes(&old, &new);
    let mut text = String::new();
    let mut rest = changes.as_slice();
    while !rest.is_empty() {
        // Changes with little between them share one hunk.
        let near = rest.windows(2).take_while(|pair| pair[1].old.0 - pair[0].old.1 <= 2 * CONTEXT).count() + 1;
        let (hunk, others) = rest.split_at(near);
        if text.is_empty() {
            let _ = writeln!(text, "--- {name}\n+++ {name}");
        }
        write(&mut text, hunk, &old, &new);
        rest = others;
    }
    text
}

/// Lines `old` are replaced by lines `new`; from the first to one past the last.
struct Change {
    old: (usize, usize),
    new: (usize, usize),
}

/// Lines with their ends.
fn lines(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Where the number of lines is the same they are compared one by one; else all from the first to the last difference
/// are replaced.
fn changes(old: &[&str], new: &[&str]) -> Vec<Change> {
    if old.len() != new.len() {
        let head = old.iter().zip(new).take_while(|(old, new)| old == new).count();
        let most = old.len().min(new.len()) - head;
        let tail = old.iter().rev().zip(new.iter().rev()).take(most).take_while(|(old, new)| old == new).count();
        return vec![Change { old: (head, old.len() - tail), new: (head, new.len() - tail) }];
    }
    let mut found: Vec<Change> = Vec::new();
    for at in (0..old.len()).filter(|&at| old[at] != new[at]) {
        match found.last_mut() {
            Some(last) if last.old.1 == at => (last.old.1, last.new.1) = (at + 1, at + 1),
            _ => found.push(Change { old: (at, at + 1), new: (at, at + 1) }),
        }
    }
    found
}

fn write(text: &mut String, hunk: &[Change], old: &[&str], new: &[&str]) {
    let (first, last) = (&hunk[0], &hunk[hunk.len() - 1]);
    let before = CONTEXT.min(first.old.0);
    let after = CONTEXT.min(old.len() - last.old.1);
    let removed = (first.old.0 - before, last.old.1 + after);
    let added = (first.new.0 - before, last.new.1 + after);
    let _ = writeln!(text, "@@ -{} +{} @@", range(removed), range(added));
    let mut at = removed.0;
    for change in hunk {
        put(text, ' ', &old[at..change.old.0]);
        put(text, '-', &old[change.old.0..change.old.1]);
        put(text, '+', &new[change.new.0..change.new.1]);
        at = change.old.1;
    }
    put(text, ' ', &old[at..removed.1]);
}

/// `first,count`; a lone line has no count, and an empty range names the line before it.
fn range((start, end): (usize, usize)) -> String {
    match end - start {
        0 => format!("{start},0"),
        1 => (start + 1).to_string(),
        count => format!("{},{count}", start + 1),
    }
}

fn put(text: &mut String, sign: char, lines: &[&str]) {
    for line in lines {
        text.push(sign);
        text.push_str(line);
        if !line.ends_with('\n') {
            text.push_str("\n\\ No newline at end of file\n");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::unified_diff;

    #[test]
    fn changes_stand_in_hunks() {
        let old: String = (0..20).map(|line| format!("{line}\n")).collect();
        let new = old.replace("\n4\n", "\nfour\n").replace("\n9\n", "\nnine\n").replace("\n19\n", "\nlast");
        assert_eq!(
            unified_diff("a.arr", &old, &new),
            "--- a.arr\n+++ a.arr\n@@ -2,12 +2,12 @@\n 1\n 2\n 3\n-4\n+four\n 5\n 6\n 7\n 8\n-9\n+nine\n 10\n 11\n 12\n\
             @@ -17,4 +17,4 @@\n 16\n 17\n 18\n-19\n+last\n\\ No newline at end of file\n"
        );
        assert_eq!(unified_diff("a.arr", &old, &old), "");
    }

    #[test]
    fn lines_come_and_go() {
        assert_eq!(unified_diff("a", "x\ny\n", "x\nz\ny\n"), "--- a\n+++ a\n@@ -1,2 +1,3 @@\n x\n+z\n y\n");
        assert_eq!(unified_diff("a", "", "x\n"), "--- a\n+++ a\n@@ -0,0 +1 @@\n+x\n");
        assert_eq!(unified_diff("a", "x\n", ""), "--- a\n+++ a\n@@ -1 +0,0 @@\n-x\n");
    }
}
