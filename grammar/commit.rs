//! The commit that is built, for `arr --version`.
//!
//! Nothing but files is read, and no program is run: a checkout has `.git`, a package of crates.io the file that cargo
//! wrote of it. Only a release says its commit: else every commit would have everything built again.

use std::{env, fs, path::Path};

/// Tells the compiler ` (63dde1a2b)`, or nothing where no commit is known.
pub(crate) fn tell(root: &Path) {
    let release = env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let commit = if release { from_git(root).or_else(|| from_package(root)) } else { None };
    let commit = commit.filter(|commit| commit.len() >= 40 && commit.bytes().all(|byte| byte.is_ascii_hexdigit()));
    let shown = commit.map(|commit| format!(" ({})", &commit[..9])).unwrap_or_default();
    println!("cargo:rustc-env=ARR_COMMIT={shown}");
}

fn from_git(root: &Path) -> Option<String> {
    let git = root.join(".git");
    // A file stands there in a work tree: it names the folder.
    let folder = match fs::read_to_string(&git) {
        Ok(text) => root.join(text.strip_prefix("gitdir:")?.trim()),
        Err(_) => git,
    };
    // Every commit adds a line here, wherever git then keeps what the branch is.
    let _ = watched(&folder.join("logs/HEAD"));
    let head = watched(&folder.join("HEAD"))?;
    let Some(name) = head.strip_prefix("ref:").map(str::trim) else { return Some(head.trim().to_owned()) };
    let common = fs::read_to_string(folder.join("commondir")).map_or(folder.clone(), |text| folder.join(text.trim()));
    if let Some(commit) = watched(&common.join(name)) {
        return Some(commit.trim().to_owned());
    }
    let packed = watched(&common.join("packed-refs"))?;
    packed.lines().find_map(|line| line.strip_suffix(name)?.strip_suffix(' ').map(str::to_owned))
}

fn from_package(root: &Path) -> Option<String> {
    let text = fs::read_to_string(root.join(".cargo_vcs_info.json")).ok()?;
    let (_, rest) = text.split_once("\"sha1\"")?;
    rest.split('"').nth(1).map(str::to_owned)
}

/// A file that is read again when it changes.
fn watched(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).ok()?;
    println!("cargo:rerun-if-changed={}", path.display());
    Some(text)
}
