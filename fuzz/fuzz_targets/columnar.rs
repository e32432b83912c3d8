//! See `tests/it/fuzz_files.rs`.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/it/hostile/columnar.rs"]
mod columnar;
#[path = "../../tests/it/fuzz_edits.rs"]
mod fuzz_edits;
#[path = "../../tests/it/fuzz_files.rs"]
mod fuzz_files;

use fuzz_edits::Random;
use std::path::Path;
use std::sync::LazyLock;

/// The files that pyarrow wrote.
static SEEDS: LazyLock<Vec<Vec<u8>>> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/tables");
    columnar::seeds(&folder, &[".parquet", ".arrow", ".feather"])
});

fn made(random: &mut Random) -> Vec<u8> {
    let seed = &SEEDS[random.below(SEEDS.len())];
    if seed.starts_with(b"PAR1") { columnar::parquet(random, seed) } else { columnar::arrow(random, seed) }
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_files::columns(bytes));

// Some files are made as the format has them, with something wrong; the others are edited byte by byte.
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let made = seed.is_multiple_of(4).then(|| made(&mut Random::new(seed.into())));
    match made {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(&new);
            new.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
