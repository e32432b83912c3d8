//! Names of sources as URIs: `artifact("a b.arr", "/home")` has the `uri` `a%20b.arr`, relative to `%SRCROOT%`.

use serde_json::{Value, json};
use std::fmt::Write;

/// Where a source is: below `root` relative to it, elsewhere absolute; what is no file is described.
pub(super) fn artifact(name: &str, root: &str) -> Value {
    if name.starts_with('<') || name == "the command line" {
        return json!({ "description": { "text": name } });
    }
    let whole = if name.starts_with('/') { plain(name) } else { plain(&format!("{root}/{name}")) };
    let root = plain(root);
    match whole.strip_prefix(root.trim_end_matches('/')).and_then(|rest| rest.strip_prefix('/')) {
        Some(below) => json!({ "uri": encoded(below), "uriBaseId": "%SRCROOT%" }),
        None => json!({ "uri": format!("file://{}", encoded(&whole)) }),
    }
}

/// An absolute path without `.`, `..` and empty parts.
fn plain(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    format!("/{}", parts.join("/"))
}

fn encoded(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => text.push(byte.into()),
            _ => {
                let _ = write!(text, "%{byte:02X}");
            }
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::artifact;

    #[test]
    fn files_below_the_root_are_relative() {
        for (name, uri) in [("a.arr", "a.arr"), ("./d/../é 1.arr", "%C3%A9%201.arr"), ("/home/u/c:d.arr", "c%3Ad.arr")]
        {
            assert_eq!(artifact(name, "/home/u")["uri"], uri);
            assert_eq!(artifact(name, "/home/u")["uriBaseId"], "%SRCROOT%");
        }
        assert_eq!(artifact("a.arr", "/")["uri"], "a.arr");
    }

    #[test]
    fn others_are_absolute() {
        for (name, uri) in [("../a.arr", "file:///home/a.arr"), ("/tmp/x.arr", "file:///tmp/x.arr")] {
            let found = artifact(name, "/home/u");
            assert_eq!((found["uri"].as_str(), found.get("uriBaseId")), (Some(uri), None));
        }
        assert_eq!(artifact("/home/user2/a.arr", "/home/u")["uri"], "file:///home/user2/a.arr");
        assert_eq!(artifact("<stdin>", "/home")["description"]["text"], "<stdin>");
    }
}
