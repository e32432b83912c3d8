//! Prints kernels.
//!
//! ```text
//! kernel [4, 1000] reduced 1
//!   s0 = %0 axes [0, 1]
//!   s1 = coordinate 1
//!   v0 : f32 = load s0
//!   v1 : f32 = mul v0 v0
//!   fold sum v1 -> %5
//! ```

use super::{InstOp, Kernel, Sink, Source, Value};
use crate::array::show::scalar_text;
use crate::scalar::Scalar;
use std::fmt::Write;

/// The text of some kernels.
pub fn kernels(kernels: &[Kernel]) -> String {
    kernels.iter().map(kernel).collect::<Vec<String>>().join("\n")
}

/// The text of a kernel.
pub fn kernel(kernel: &Kernel) -> String {
    let mut text = String::new();
    write(kernel, &mut text).expect("writing to a string succeeds");
    text
}

fn write(kernel: &Kernel, text: &mut String) -> std::fmt::Result {
    write!(text, "kernel {:?}", kernel.space)?;
    match kernel.reduced {
        0 => writeln!(text)?,
        reduced => writeln!(text, " reduced {reduced}")?,
    }
    for (index, source) in kernel.sources.iter().enumerate() {
        match source {
            Source::Array { node, axes } => {
                let axes: Vec<String> =
                    axes.iter().map(|axis| axis.map_or("_".to_owned(), |axis| axis.to_string())).collect();
                writeln!(text, "  s{index} = %{} axes [{}]", node.0, axes.join(", "))?;
            }
            Source::Coordinate { axis } => writeln!(text, "  s{index} = coordinate {axis}")?,
        }
    }
    for (index, inst) in kernel.body.insts.iter().enumerate() {
        write!(text, "  v{index} : {} = ", inst.dtype)?;
        match inst.op {
            InstOp::Load(source) => writeln!(text, "load s{source}")?,
            InstOp::Iota(source) => writeln!(text, "iota s{source}")?,
            InstOp::Const(bits) => writeln!(text, "const {}", scalar_text(Scalar { dtype: inst.dtype, bits }))?,
            InstOp::Prim(prim, args) => {
                write!(text, "{}", prim.name())?;
                args.iter().flatten().try_for_each(|Value(arg)| write!(text, " v{arg}"))?;
                writeln!(text)?;
            }
        }
    }
    for sink in &kernel.sinks {
        match sink {
            Sink::Store { value, node, .. } => writeln!(text, "  store v{} -> %{}", value.0, node.0)?,
            Sink::Fold { value, fold, node } => writeln!(text, "  fold {} v{} -> %{}", fold.name(), value.0, node.0)?,
        }
    }
    Ok(())
}
