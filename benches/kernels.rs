//! The kernels of `benches/kernels`, run by `cargo bench --bench kernels`; `benches/peers` sets them beside other
//! libraries.

#[path = "common/mod.rs"]
mod common;

use arrlang::exec::{self, Options};
use common::{Bench, KERNELS};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

/// A run of a checked program that has been compiled.
#[divan::bench(args = KERNELS, consts = [1_000, 100_000], max_time = 0.2)]
fn run<const N: usize>(bencher: Bencher, bench: &Bench) {
    let program = bench.program(N);
    bencher
        .counter(ItemsCount::new(N))
        .bench_local(|| exec::run(&program, &Options::default()).expect("the kernel runs"));
}
