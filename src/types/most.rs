//! The most that a part of a length can be: its name says so, `n<=10`.

/// The most that an unknown with this name can be, if anything says so.
pub(crate) fn most(name: &str) -> Option<i64> {
    split(name).1
}

/// A name without the most that it can be, and that.
pub(super) fn split(name: &str) -> (&str, Option<i64>) {
    match name.rsplit_once("<=").map(|(part, most)| (part, most.parse())) {
        Some((part, Ok(most))) => (part, Some(most)),
        Some((_, Err(_))) | None => (name, None),
    }
}
