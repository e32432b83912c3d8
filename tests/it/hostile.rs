//! Files of every format that is read, mutated by their structure: each is read or told in a message, soon and in
//! little memory.
//!
//! `ARR_HOSTILE_FILES` says how many of each format, `ARR_FUZZ_SEED` which. Memory is measured when the first is given:
//! then one thread only should run, `cargo test --release --test it hostile -- --test-threads 1 --nocapture`. A file
//! that fails stays in the folder for temporary files. The fuzz targets `tables`, `archives` and `columnar` read files
//! the same way, and are given files that the same modules make.

mod archives;
#[cfg(feature = "tables")]
mod columnar;
mod streams;
mod tables;

use crate::fuzz_edits::Random;
use crate::fuzz_files::{read, roughened};
#[cfg(feature = "tables")]
use crate::lab;
use arrlang::io::IoError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Files of each format when nobody says how many.
const FILES: u64 = 100;

/// A reader may take so long; in a search, which may have to wait for everything else on the machine, very long.
const SOON: [Duration; 2] = [Duration::from_secs(30), Duration::from_mins(5)];

/// And so long of its processors, which is asked in a search.
const BRIEF: Duration = Duration::from_secs(1);

/// And so much memory, in bytes.
const LITTLE: usize = 100 << 20;

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
            (status("VmHWM").saturating_sub(memory) << 10, processor().saturating_sub(used))
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

#[test]
fn e119_arrays_with_another_structure() {
    assert!(search("x.npy", archives::npy) > 0);
}

#[test]
fn e119_archives_of_numpy_with_another_structure() {
    assert!(search("all.npz", archives::npz) > 0);
}

#[test]
fn e119_tensors_with_another_structure() {
    assert!(search("all.safetensors", archives::safetensors) > 0);
}

#[test]
fn e120_bombs_in_archives_are_told_before_they_grow() {
    let zeros = |there: usize, said: u64| {
        let header = format!("{{'descr': '|u1', 'fortran_order': False, 'shape': ({said},), }}\n");
        let length = (header.len() as u16).to_le_bytes();
        [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), &vec![0; there]].concat()
    };
    // Zeros that are there, a thousand for each byte of the archive.
    let (bytes, _) = archives::zip(&[("x.npy".into(), zeros(100 << 20, 100 << 20))], true, b"");
    assert_eq!(searched("bomb.npz", 1, |_| bytes.clone()), 0);
    // Ten megabytes that are there, and four gigabytes as the directory and the member say.
    let member = zeros(10 << 20, 4_294_967_200);
    let length = (member.len() as u32).to_le_bytes();
    let (mut bytes, numbers) = archives::zip(&[("x.npy".into(), member)], true, b"");
    for (at, size) in numbers {
        if bytes[at..at + size] == length {
            bytes[at..at + size].copy_from_slice(&u32::MAX.wrapping_sub(9).to_le_bytes());
        }
    }
    assert_eq!(searched("lies.npz", 1, |_| bytes.clone()), 0);
    // A small file of zeros is an array.
    let (bytes, _) = archives::zip(&[("x.npy".into(), zeros(1 << 20, 1 << 20))], true, b"");
    assert_eq!(searched("small.npz", 1, |_| bytes.clone()), 1);
}

#[test]
fn e119_tables_of_text_with_another_structure() {
    for (name, delimiter) in [("t.csv", b','), ("t.tsv", b'\t'), ("t.txt", b' ')] {
        assert!(search(name, |random| tables::mutated(random, delimiter)) > 0);
    }
}

#[test]
fn e119_packed_tables_with_another_structure() {
    type Pack = fn(&mut Random, &[u8]) -> Vec<u8>;
    for (name, pack) in [("t.csv.gz", tables::gzip as Pack), ("t.csv.zst", tables::zstandard as Pack)] {
        let made = |random: &mut Random| {
            let table = tables::mutated(random, b',');
            let bytes = pack(random, &table);
            if random.below(3) == 0 { roughened(random, bytes) } else { bytes }
        };
        assert!(search(name, made) > 0);
    }
}

#[cfg(feature = "tables")]
#[test]
fn e119_files_of_parquet_with_another_structure() {
    let seeds = columnar::seeds(&lab::root("tests/tables"), &[".parquet"]);
    let made = |random: &mut Random| {
        let seed = random.below(seeds.len());
        columnar::parquet(random, &seeds[seed])
    };
    assert!(search("t.parquet", made) > 0);
}

#[cfg(feature = "tables")]
#[test]
fn e119_files_and_streams_of_arrow_with_another_structure() {
    let seeds = columnar::seeds(&lab::root("tests/tables"), &[".arrow", ".feather"]);
    let made = |random: &mut Random| {
        let seed = random.below(seeds.len());
        columnar::arrow(random, &seeds[seed])
    };
    assert!(search("t.arrow", made) > 0);
}
