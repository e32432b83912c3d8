//! See `tests/it/fuzz_bodies.rs`.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/it/fuzz_bodies.rs"]
mod bodies;
#[path = "../../tests/it/fuzz_edits.rs"]
mod fuzz_edits;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| -> libfuzzer_sys::Corpus {
    if bodies::object(bytes) { libfuzzer_sys::Corpus::Keep } else { libfuzzer_sys::Corpus::Reject }
});

// Most edits follow the structure of the text, so that the checker takes it.
libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
    let text = (!seed.is_multiple_of(16)).then(|| std::str::from_utf8(&data[..size]).ok()).flatten();
    match text.map(|text| bodies::edited(text, seed.into())) {
        Some(new) if new.len() <= max_size => {
            data[..new.len()].copy_from_slice(new.as_bytes());
            new.len()
        }
        _ => libfuzzer_sys::fuzzer_mutate(data, size, max_size),
    }
});
