//! See `tests/it/fuzz_bodies.rs`.
#![no_main]
#![allow(dead_code)]

#[path = "../../tests/it/fuzz_bodies.rs"]
mod bodies;
#[path = "../../tests/it/fuzz_edits.rs"]
mod fuzz_edits;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| bodies::session(bytes));
