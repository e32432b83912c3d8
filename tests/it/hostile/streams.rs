//! Pipes, whose first bytes say what they hold, and which are read once.

use super::{FILES, archives, searched_by, tables};
use crate::fuzz_edits::Random;
use crate::fuzz_files::is_message;
use arrlang::io::table::{ColumnReading, ColumnRequest, ReadUpTo};
use arrlang::io::{IoError, ReadOptions, together};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::time::Duration;

/// What some program may write into a pipe: a table, a packed one, an array, an archive.
fn written(random: &mut Random) -> Vec<u8> {
    if random.below(2) == 0 { tables::made(random) } else { archives::made(random) }
}

/// Reads all that comes through a pipe into which the bytes of a file are written.
fn read_piped(path: &Path) -> Result<(), IoError> {
    let (pipe, bytes) = (path.with_file_name("pipe"), std::fs::read(path).expect("it was written"));
    if !pipe.exists() {
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().expect("there is mkfifo").success());
    }
    // Whoever stops reading closes the pipe.
    let writer = std::thread::spawn({
        let pipe = pipe.clone();
        move || drop(std::fs::write(pipe, bytes))
    });
    let all = |names: &[String]| match names {
        [] => vec![ColumnRequest { member: None, wanted: ColumnReading::Found }],
        names => names
            .iter()
            .map(|name| ColumnRequest { member: Some(name.clone()), wanted: ColumnReading::Found })
            .collect(),
    };
    let answers = together::load(&pipe, all, &ReadOptions::default(), ReadUpTo::Elements);
    while !writer.is_finished() {
        let mut reading = std::fs::OpenOptions::new();
        drop(reading.read(true).custom_flags(libc::O_NONBLOCK).open(&pipe));
        std::thread::sleep(Duration::from_micros(100));
    }
    writer.join().expect("it only writes");
    let mut answers = answers.inspect_err(is_message)?;
    answers.iter().filter_map(|answer| answer.as_ref().err()).for_each(is_message);
    answers.pop().map_or(Ok(()), |answer| answer.map(drop))
}

#[test]
fn e119_pipes_with_another_structure() {
    assert!(searched_by("stream", FILES, written, read_piped) > 0);
}
