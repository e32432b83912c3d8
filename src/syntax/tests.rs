//! stub
#[test]
fn try_file() {
    use crate::{diagnostic::Diagnostics, source::Sources};
    let Ok(path) = std::env::var("ARR_TRY") else { return };
    let text = std::fs::read_to_string(path).unwrap();
    for part in text.split("----\n") {
        let mut sources = Sources::new();
        let id = sources.add("t", part);
        let mut sink = Diagnostics::new();
        let script = super::parse(&sources, id, &mut sink);
        sink.sort();
        eprintln!("=== {part:?}\n    {} stmts: {:?}", script.stmts.len(), script.stmts.iter().map(|s| format!("{:?}", s.kind).split(['(', ' ']).next().unwrap_or("").to_owned()).collect::<Vec<_>>());
        for d in &sink {
            let s = d.span().unwrap_or_default();
            eprintln!("    {} {} @{:?} {:?} {:?}", d.code.id, d.message, s, sources.text(s), d.helps.first().map(|h| &h.text));
        }
    }
}
