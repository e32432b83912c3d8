//! The integration tests: one binary, one file for each way of looking at the program.
//!
//! `spec` reads the language's chapters, `codes` the pages of the diagnostics, `docs` the reference and the README,
//! `load` what scripts read, `config` under which rules scripts of a folder are checked and what their comments
//! silence, `examples` the folder of that name, `porting` its guide; `laws` states properties, `faults` and its kin
//! what bad input must lead to, `agree` that every way to run gives the same bits, `reductions` that they are those of
//! simple models, `fuzz_twins` that no bytes break anything, `fix` that fixes mend and keep values, `fmt` that
//! formatting does not, `formats` what services read, `shell` what the command does to its surroundings,
//! `repl_commands` what the commands of the REPL answer, `commands` what the commands about promotion answer,
//! `signature` and `build` what the commands of those names do, `bench` how programs are measured, `lossless` that nothing
//! is lost in what checks clean, `layers` what may import what, `views` that indexing and layout are NumPy's,
//! `windows` that files may be larger than memory.

#![allow(clippy::print_stdout, reason = "tests print what they counted")]

mod agree;
mod bench;
mod build;
mod build_examples;
mod build_use;
mod callable;
mod checked;
mod codes;
mod commands;
mod completions;
mod config;
mod docs;
mod examples;
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
mod filters;
mod fix;
mod fmt;
mod formats;
mod found;
mod fuzz_bodies;
mod fuzz_edits;
mod fuzz_twins;
mod head;
mod help;
mod hostile;
mod lab;
mod laws;
mod layers;
mod library;
mod linear;
mod load;
mod lossless;
mod names;
mod npbench;
mod oracle;
mod porting;
mod quiet;
mod random;
mod reductions;
mod repl;
mod repl_commands;
mod shell;
mod signature;
mod spec;
mod spectra;
mod standard;
mod steps;
mod values;
mod views;
mod windows;
mod words;
