//! See `tests/it/fuzz_files.rs`.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/it/hostile/archives.rs"]
mod archives;
#[path = "../../tests/it/fuzz_edits.rs"]
mod fuzz_edits;
#[path = "../../tests/it/fuzz_files.rs"]
mod fuzz_files;

use fuzz_edits::Random;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| fuzz_files::archive(bytes));

// Some files are made as the format has them, with something wrong; the others are edited byte by byte.
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let made = seed.is_multiple_of(4).then(|| archives::made(&mut Random::new(seed.into())));
    match made {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(&new);
            new.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
