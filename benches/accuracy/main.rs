//! How accurate the functions are: `cargo bench --bench accuracy -- [FUNCTION..] [OPTIONS]`.
//!
//! ```text
//! --points N    points for each function and dtype [10000000]
//! --dtype D     f64, f32, f16 or bf16 alone; of the last two every number is a point
//! --all-f32     every f32 is a point
//! --json        as JSON
//! --dump DIR    writes points and correctly rounded results as .npy, for `peers.py`
//! ```
//!
//! The functions are asked through the vectorised block functions, as kernels ask them. What is right says `pxfm`,
//! whose functions are correctly rounded, for `f32` and less in `f64`. It ends with 1 if a result is further than one
//! representable value from the right one.
#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a report")]

mod dump;
mod measure;
mod oracle;
mod points;

use arrlang::types::DType;
use measure::Row;
use oracle::ORACLES;
use serde_json::json;
use std::process::ExitCode;
use std::str::FromStr;

/// What is asked for.
struct Options {
    functions: Vec<String>,
    points: usize,
    dtypes: Vec<DType>,
    all: bool,
    json: bool,
    dump: Option<String>,
}

fn options() -> Result<Options, String> {
    let dtypes = vec![DType::F64, DType::F32, DType::F16, DType::Bf16];
    let mut options =
        Options { functions: Vec::new(), points: 10_000_000, dtypes, all: false, json: false, dump: None };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        let mut value = || args.next().ok_or(format!("{arg} wants a value"));
        match arg.as_str() {
            // What `cargo bench` adds.
            "--bench" => {}
            "--points" => options.points = value()?.parse().map_err(|_| "--points wants a number".to_owned())?,
            "--dtype" => options.dtypes = vec![DType::from_str(&value()?).map_err(|()| "no such dtype".to_owned())?],
            "--all-f32" => (options.all, options.dtypes) = (true, vec![DType::F32]),
            "--json" => options.json = true,
            "--dump" => options.dump = Some(value()?),
            name if ORACLES.iter().any(|oracle| oracle.name() == name) => options.functions.push(arg),
            _ => return Err(format!("`{arg}` is neither an option nor a function")),
        }
    }
    Ok(options)
}

fn main() -> ExitCode {
    let options = match options() {
        Ok(options) => options,
        Err(message) => {
            eprintln!("error: {message}");
            return ExitCode::from(2);
        }
    };
    let chosen = |name: &str| options.functions.is_empty() || options.functions.iter().any(|f| f == name);
    if !options.json {
        println!("{}", Row::HEAD);
    }
    let (mut kept, mut rows) = (true, Vec::new());
    for oracle in ORACLES.iter().filter(|oracle| chosen(oracle.name())) {
        for &dtype in &options.dtypes {
            let row = match &options.dump {
                Some(folder) => match dump::write(folder, oracle, dtype, options.points) {
                    Ok(()) => continue,
                    Err(error) => {
                        eprintln!("error: {folder}: {error}");
                        return ExitCode::from(3);
                    }
                },
                None => measure::row(oracle, dtype, options.points, options.all),
            };
            kept &= row.steps <= 1;
            match options.json {
                true => rows.push(row.json()),
                false => println!("{}", row.text()),
            }
        }
    }
    if options.json {
        println!("{:#}", json!({ "version": 1, "rows": rows }));
    }
    ExitCode::from(u8::from(!kept))
}
