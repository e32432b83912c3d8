//! Files of every format that is read, mutated by their structure: each is read or told in a message, soon and in
//! little memory.
//!
//! `ARR_HOSTILE_FILES` says how many of each format, `ARR_FUZZ_SEED` which. Memory is measured when the first is given:
//! then one thread only should run, `cargo test --release --test it hostile -- --test-threads 1 --nocapture`. A file
//! that fails stays in the folder for temporary files.

mod archives;
#[cfg(feature = "tables")]
mod columnar;
mod streams;
mod tables;

use crate::fuzz_edits::Random;
use arrlang::io::{IoError, ReadOptions, load, members};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Files of each format when nobody says how many.
const FILES: u64 = 100;

/// A reader may take so long; in a search, which may have to wait for everything else on the machine, very long.
const SOON: [Duration; 2] = [Duration::from_secs(30), Duration::from_secs(300)];

/// And so long of its processors, which is asked in a search.
const BRIEF: Duration = Duration::from_secs(1);

/// And so much memory, in bytes.
const LITTLE: usize = 100 << 20;

/// Numbers that are wrong in the place of most.
const EXTREME: [u64; 14] =
    [0, 1, 2, 7, 0x7f, 0x80, 0xff, 0x7fff, 0xffff, 0x7fff_ffff, 0xffff_ffff, 1 << 40, i64::MAX as u64, u64::MAX];

/// A number in the place of `own`.
fn other_number(random: &mut Random, own: u64) -> u64 {
    match random.below(4) {
        0 => own.wrapping_add(1 << random.below(8)),
        1 => own.wrapping_sub(1 << random.below(8)),
        _ => EXTREME[random.below(EXTREME.len())],
    }
}

/// Puts another number into the field of `size` bytes at `at`, whose lowest byte is first.
fn overwrite(random: &mut Random, bytes: &mut [u8], at: usize, size: usize) {
    let Some(field) = bytes.get_mut(at..at + size) else { return };
    let mut own = [0; 8];
    own[..size].copy_from_slice(field);
    let other = other_number(random, u64::from_le_bytes(own)).to_le_bytes();
    field.copy_from_slice(&other[..size]);
}

/// Cuts, repeats or changes some bytes anywhere.
fn roughened(random: &mut Random, mut bytes: Vec<u8>) -> Vec<u8> {
    if bytes.is_empty() {
        return bytes;
    }
    let at = random.below(bytes.len());
    let end = (at + 1 + random.below(40)).min(bytes.len());
    match random.below(4) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
        _ => bytes[at] = [0, 0xff, 0x7f, 0x80, b'"', b'\n', random.below(256) as u8][random.below(7)],
    }
    bytes
}

/// Reads what is in a file: its names, some of its arrays alone, and all columns as one.
fn read(path: &Path) -> Result<(), IoError> {
    let options = ReadOptions::default();
    let names = members(path);
    let some = names.iter().flatten().take(3).cloned().chain(["*".to_owned(), "2".to_owned()]);
    let mut outcome = load(path, &options).map(drop);
    for name in some {
        let mut location = path.as_os_str().to_owned();
        location.push(":");
        location.push(&name);
        outcome = load(Path::new(&location), &options).map(drop).or(outcome);
    }
    outcome.inspect_err(is_message)
}

/// Asserts that an error has something to say, and not too much.
fn is_message(error: &IoError) {
    assert!(!error.message.is_empty() && error.message.len() < 4096, "a message of {}", error.message.len());
    assert!(!error.message.to_lowercase().contains("panic"), "{}", error.message);
}

/// Kilobytes of a line of the process's status.
fn status(line: &str) -> usize {
    let text = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let value = text.lines().find_map(|found| found.strip_prefix(line)).expect("there is such a line");
    value.trim_start_matches(':').trim().trim_end_matches(" kB").parse().expect("a number")
}

/// What this process had of the processors so far.
fn processor() -> Duration {
    let text = std::fs::read_to_string("/proc/self/stat").expect("Linux");
    let fields = text.rsplit(") ").next().expect("what stands behind the name").split(' ');
    // In hundredths of seconds: what the process had, and what the system did for it.
    let ticks: u64 = fields.skip(11).take(2).map(|ticks| ticks.parse::<u64>().expect("a number")).sum();
    Duration::from_millis(10 * ticks)
}

/// Makes files of a format and reads each. Returns how many were read as arrays.
fn search(name: &str, make: impl FnMut(&mut Random) -> Vec<u8>) -> u64 {
    searched(name, FILES, make)
}

/// Reads `files` files that `make` makes, or as many as the environment says.
fn searched(name: &str, files: u64, make: impl FnMut(&mut Random) -> Vec<u8>) -> u64 {
    searched_by(name, files, make, read)
}

/// Reads `files` files that `make` makes, as `read` does, or as many as the environment says. Returns how many were
/// read as arrays.
fn searched_by(
    name: &str,
    files: u64,
    mut make: impl FnMut(&mut Random) -> Vec<u8>,
    read: impl Fn(&Path) -> Result<(), IoError>,
) -> u64 {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (wanted, seed) = (number("ARR_HOSTILE_FILES"), number("ARR_FUZZ_SEED").unwrap_or(1));
    let files = wanted.filter(|_| files > 1).unwrap_or(files);
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    let (mut fine, mut longest, mut most) = (0, Duration::ZERO, 0);
    for file in 0..files {
        let bytes = make(&mut Random::new(seed.wrapping_mul(0x9e37_79b9).wrapping_add(file)));
        std::fs::write(&path, &bytes).expect("the folder is writable");
        if wanted.is_some() {
            std::fs::write("/proc/self/clear_refs", "5").expect("Linux");
        }
        let before = wanted.map(|_| (status("VmRSS"), processor()));
        let begun = Instant::now();
        let outcome = catch_unwind(AssertUnwindSafe(|| read(&path)));
        let took = begun.elapsed();
        let (memory, used) = before.map_or((0, Duration::ZERO), |(memory, used)| {
            (status("VmHWM").saturating_sub(memory) << 10, processor() - used)
        });
        if outcome.is_err() || took > SOON[usize::from(wanted.is_some())] || used > BRIEF || memory > LITTLE {
            let kept: PathBuf = std::env::temp_dir().join(format!("hostile-{file}-{name}"));
            std::fs::copy(&path, &kept).expect("the folder is writable");
            panic!(
                "file {file} of {name} took {took:?}, {used:?} of processors, and {memory} bytes: {}",
                kept.display()
            );
        }
        fine += u64::from(outcome.is_ok_and(|outcome| outcome.is_ok()));
        (longest, most) = (longest.max(if wanted.is_some() { used } else { took }), most.max(memory));
    }
    println!("{name}: {files} files, {fine} have arrays, longest {longest:?}, most memory {} MiB", most >> 20);
    fine
}
