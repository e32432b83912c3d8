//! Points and right results as `.npy` files: `NAME.DTYPE.x.npy`, `.y.npy` for a second argument, `.right.npy`.

use crate::oracle::{Oracle, Right};
use crate::points::Points;
use arrlang::types::DType;
use std::io::{BufWriter, Result, Write};
use std::path::Path;

fn save(path: &Path, code: &str, count: usize, bytes: impl Iterator<Item = [u8; 8]>, size: usize) -> Result<()> {
    let mut file = BufWriter::new(std::fs::File::create(path)?);
    let mut header = format!("{{'descr': '<{code}', 'fortran_order': False, 'shape': ({count},), }}");
    // Ten bytes before it, a line end after it, and together a multiple of 64.
    header.push_str(&" ".repeat((64 - (header.len() + 11) % 64) % 64));
    header.push('\n');
    file.write_all(b"\x93NUMPY\x01\x00")?;
    file.write_all(&(header.len() as u16).to_le_bytes())?;
    file.write_all(header.as_bytes())?;
    for word in bytes {
        file.write_all(&word[..size])?;
    }
    file.flush()
}

/// Writes the points of a function; of the two-byte floats there are none.
pub(crate) fn write(folder: &str, oracle: &Oracle, dtype: DType, points: usize) -> Result<()> {
    if !matches!(dtype, DType::F32 | DType::F64) {
        return Ok(());
    }
    let wide = dtype == DType::F64;
    std::fs::create_dir_all(folder)?;
    let pair = matches!(oracle.right, Right::Binary(..));
    let mut source = Points::new(oracle, 1);
    let all: Vec<(f64, f64)> =
        (0..points).map(|_| if pair { source.pair(wide) } else { (source.next(wide), 0.0) }).collect();
    let (code, size) = if wide { ("f8", 8) } else { ("f4", 4) };
    let word = |x: f64| {
        let mut word = x.to_le_bytes();
        if !wide {
            word[..4].copy_from_slice(&(x as f32).to_le_bytes());
        }
        word
    };
    let right = |&(x, y): &(f64, f64)| match (&oracle.right, wide) {
        (Right::Unary(f, _), true) => f(x),
        (Right::Unary(_, f), false) => f(x as f32).into(),
        (Right::Binary(f, _), true) => f(x, y),
        (Right::Binary(_, f), false) => f(x as f32, y as f32).into(),
    };
    let path = |what: &str| Path::new(folder).join(format!("{}.{dtype}.{what}.npy", oracle.name()));
    save(&path("x"), code, points, all.iter().map(|&(x, _)| word(x)), size)?;
    if pair {
        save(&path("y"), code, points, all.iter().map(|&(_, y)| word(y)), size)?;
    }
    save(&path("right"), code, points, all.iter().map(|point| word(right(point))), size)
}
