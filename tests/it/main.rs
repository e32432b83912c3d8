//! The integration tests: one binary, one file for each way of looking at the program.
//!
//! Each file opens with a sentence that says what it tries. Here they stand by the question that they answer.

#![expect(clippy::print_stdout, reason = "tests print what they counted")]
#![expect(clippy::unwrap_used, reason = "what a test cannot unwrap is its failure")]
#![expect(clippy::wildcard_enum_match_arm, reason = "a test fails on what it does not expect")]

// What a user sees.
mod bench;
mod codes;
mod commands;
mod completions;
mod config;
mod docs;
mod examples;
mod filters;
mod fix;
mod fmt;
mod formats;
mod head;
mod help;
mod porting;
mod repl;
mod repl_commands;
mod signature;
mod spans;
mod spec;
mod together;

// What the language means.
mod checked;
mod found;
mod laws;
mod library;
mod linear;
mod load;
mod lossless;
mod names;
mod npbench;
mod oracle;
mod quiet;
mod random;
mod reductions;
mod slices;
mod spectra;
mod standard;
mod values;
mod views;
mod words;

// That every way to run gives the same.
mod agree;
mod build;
mod build_examples;
mod build_lengths;
mod build_steps;
mod build_told;
mod build_use;
mod callable;
mod steps;
mod windows;

// What bad input leads to.
mod faults;
mod faults_files;
mod faults_loops;
mod faults_meaning;
mod faults_memory;
mod faults_outside;
mod faults_process;
mod faults_promotion;
mod faults_run;
mod faults_shapes;
mod fuzz_bodies;
mod fuzz_edits;
mod fuzz_files;
mod fuzz_twins;
mod hostile;
mod shell;

// The house itself.
mod lab;
mod layers;
