//! Files by their beginnings, with the arrays in them: `d.npz:` offers the members of the archive.

use crate::cli::repl::folders::place;
use crate::io::{self, Format, ReadOptions};
use rustyline::completion::Pair;
use std::path::Path;

/// Files are opened to say what is in them only if at most this many match.
const MAX_OPENED: usize = 40;

/// Which files.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum FileFilter {
    /// Files that hold arrays.
    Arrays,
    /// Files that end in `.arr`.
    Scripts,
}

/// Where the last part of a path begins, and what it may become. Folders end in `/`, files with members in `:`.
pub(super) fn find(path: &str, wanted: FileFilter) -> (usize, Vec<Pair>) {
    if let Some((file, member)) = with_member(path) {
        return (file.len() + 1, members(file, member));
    }
    let (folder, prefix) =
        path.rsplit_once('/').map_or(("", path), |(folder, prefix)| (&path[..=folder.len()], prefix));
    let mut found: Vec<(bool, String)> = entries(&place(if folder.is_empty() { "." } else { folder }), prefix, wanted);
    found.sort();
    let opened = found.len() <= MAX_OPENED;
    let pair = |(is_folder, name): (bool, String)| {
        if is_folder {
            return Pair { display: format!("{name}/"), replacement: format!("{name}/") };
        }
        let whole = place(&format!("{folder}{name}"));
        let several = Format::of(&whole).is_some_and(|format| format.members);
        let about = if opened && !several && wanted == FileFilter::Arrays { type_of(&whole) } else { None };
        let display = about.map_or(name.clone(), |about| format!("{name} : {about}"));
        Pair { display, replacement: if several { format!("{name}:") } else { name } }
    };
    (path.len() - prefix.len(), found.into_iter().map(pair).collect())
}

fn entries(folder: &Path, prefix: &str, wanted: FileFilter) -> Vec<(bool, String)> {
    let Ok(list) = std::fs::read_dir(folder) else { return Vec::new() };
    let entry = |entry: std::fs::DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        let hidden = name.starts_with('.') && !prefix.starts_with('.');
        // Quotes, backslashes and control characters would have to be written otherwise.
        let odd = name.contains(|c: char| c.is_control() || matches!(c, '"' | '\\'));
        let is_folder = entry.path().is_dir();
        let fits = is_folder
            || match wanted {
                FileFilter::Arrays => Format::of(Path::new(&name)).is_some_and(Format::can_read),
                FileFilter::Scripts => Path::new(&name).extension().is_some_and(|extension| extension == "arr"),
            };
        (name.starts_with(prefix) && !hidden && !odd && fits).then_some((is_folder, name))
    };
    list.flatten().filter_map(entry).collect()
}

/// `f32[150, 4]`, when the file tells.
fn type_of(path: &Path) -> Option<String> {
    let io::Header { dtype, shape } = io::header(path, &ReadOptions::default()).ok()?;
    let sizes: Vec<String> = shape.iter().map(usize::to_string).collect();
    Some(if sizes.is_empty() { dtype.to_string() } else { format!("{dtype}[{}]", sizes.join(", ")) })
}

/// `d.npz:x` as file and member.
fn with_member(path: &str) -> Option<(&str, &str)> {
    let colons = path.match_indices(':').map(|(at, _)| at);
    let split = |at: usize| (&path[..at], &path[at + 1..]);
    colons.map(split).find(|(file, _)| Format::of(Path::new(file)).is_some_and(|format| format.members))
}

fn members(file: &str, prefix: &str) -> Vec<Pair> {
    let names = io::members(&place(file)).unwrap_or_default();
    let found: Vec<String> = names.into_iter().filter(|name| name.starts_with(prefix)).collect();
    let opened = found.len() <= MAX_OPENED && !Format::of(Path::new(file)).is_some_and(Format::is_table);
    let pair = |name: String| {
        let about = if opened { type_of(&place(&format!("{file}:{name}"))) } else { None };
        Pair { display: about.map_or(name.clone(), |about| format!("{name} : {about}")), replacement: name }
    };
    found.into_iter().map(pair).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_folders_and_members_are_offered() {
        let folder = tempfile::tempdir().unwrap();
        let at = |name: &str| folder.path().join(name);
        std::fs::create_dir(at("data")).unwrap();
        std::fs::write(at("table.csv"), "time,volts\n1,2\n").unwrap();
        std::fs::write(at("notes.md"), "").unwrap();
        std::fs::write(at("job.arr"), "1\n").unwrap();
        let base = folder.path().to_str().unwrap();
        let offered = |path: &str, wanted| -> Vec<String> {
            let path = format!("{base}/{path}");
            let (from, found) = find(&path, wanted);
            found.into_iter().map(|pair| format!("{}{}", &path[base.len() + 1..from], pair.replacement)).collect()
        };
        assert_eq!(offered("", FileFilter::Arrays), ["table.csv:", "data/"]);
        assert_eq!(offered("", FileFilter::Scripts), ["job.arr", "data/"]);
        assert_eq!(offered("table.csv:v", FileFilter::Arrays), ["table.csv:volts"]);
        assert_eq!(offered("nowhere/", FileFilter::Arrays), Vec::<String>::new());
    }
}
