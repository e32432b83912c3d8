//! Generates the parser from `arr.lalrpop` into the build directory; `src/syntax` includes it from there. And says
//! which commit is built.

mod commit;

use std::{env, error::Error, path::Path};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo:rerun-if-changed=grammar/build.rs");
    println!("cargo:rerun-if-changed=grammar/commit.rs");
    commit::tell(Path::new(&env::var("CARGO_MANIFEST_DIR")?));
    lalrpop::Configuration::new()
        .emit_rerun_directives(true)
        .never_use_colors()
        .set_in_dir(Path::new(&env::var("CARGO_MANIFEST_DIR")?).join("grammar"))
        .set_out_dir(env::var("OUT_DIR")?)
        .process()
}
