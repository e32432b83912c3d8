//! Builds standard.arr by `arr`, or by what the variable `ARR` names, for the machine that the package is built for.

use std::env;
use std::process::Command;

const SCRIPT: &str = "../standard.arr";

fn main() {
    println!("cargo::rerun-if-changed={SCRIPT}");
    println!("cargo::rerun-if-env-changed=ARR");
    let arr = env::var("ARR").unwrap_or_else(|_| "arr".to_owned());
    let [folder, target] = ["OUT_DIR", "TARGET"].map(|name| env::var(name).expect("cargo says where and for which machine"));
    let library = format!("{folder}/libstandard.a");
    let built = Command::new(&arr).args(["build", SCRIPT, "-o", &library, "--target", &target]).status();
    let built = built.unwrap_or_else(|error| panic!("`{arr}` cannot be run: {error}"));
    assert!(built.success(), "`{arr} build {SCRIPT}` fails: {built}");
    println!("cargo::rustc-link-search=native={folder}");
    println!("cargo::rustc-link-lib=static=standard");
}
