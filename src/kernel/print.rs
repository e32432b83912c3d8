//! Prints kernels.
//!
//! ```text
//! kernel [4, 1000] reduced 1
//!   s0 = %0[i0, i1]
//!   s1 = %3[1999-2*i1]
//!   v0 : f32 = load s0
//!   v1 : f32 = load s1
//!   v2 : f32 = mul v0 v1
//!   fold sum v2 -> %5
//! ```
//!
//! `i0` counts along the first axis of the space. A store that makes part of an array says where: `%7[5+i0]`.

use super::{AxisWalk, Extent, InstId, InstOp, Kernel, KernelSource, Sink};
use crate::array::show::scalar_text;
use crate::scalar::Scalar;
use std::fmt::Write;

/// The text of some kernels.
pub fn kernels(kernels: &[Kernel]) -> String {
    kernels.iter().map(kernel).collect::<Vec<String>>().join("\n")
}

/// The text of a kernel.
///
/// # Panics
/// Never: a string takes all that is written.
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
            KernelSource::Array { node, walk } => writeln!(text, "  s{index} = %{}{}", node.0, positions(walk))?,
            KernelSource::Coordinate(place) => writeln!(text, "  s{index} = {}", position(place))?,
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
                args.iter().flatten().try_for_each(|InstId(arg)| write!(text, " v{arg}"))?;
                writeln!(text)?;
            }
        }
    }
    for sink in &kernel.sinks {
        let (value, node) = (sink.value().0, sink.node().0);
        match sink {
            Sink::Store { walk, extent, .. } => {
                write!(text, "  store v{value} -> %{node}")?;
                match extent {
                    Extent::Whole => writeln!(text)?,
                    Extent::Part => writeln!(text, "{}", positions(walk))?,
                    Extent::Over(base) => writeln!(text, "{} over %{}", positions(walk), base.0)?,
                }
            }
            Sink::Fold { fold, .. } => writeln!(text, "  fold {} v{value} -> %{node}", fold.name())?,
            Sink::Scan { fold, .. } => writeln!(text, "  scan {} v{value} -> %{node}", fold.name())?,
            Sink::Gather { arg, axis, .. } => {
                writeln!(text, "  gather %{} at v{value} axis={axis} -> %{node}", arg.0)?;
            }
        }
    }
    Ok(())
}

/// `[i0, 3+2*i1, 0]`
fn positions(walk: &[AxisWalk]) -> String {
    if walk.is_empty() {
        return String::new();
    }
    format!("[{}]", walk.iter().map(position).collect::<Vec<_>>().join(", "))
}

/// `9-i0`
fn position(place: &AxisWalk) -> String {
    let Some(axis) = place.axis else { return place.start.to_string() };
    let start = if place.start == 0 { String::new() } else { place.start.to_string() };
    let sign = match (place.step < 0, start.is_empty()) {
        (true, _) => "-",
        (false, true) => "",
        (false, false) => "+",
    };
    match place.step.unsigned_abs() {
        1 => format!("{start}{sign}i{axis}"),
        step => format!("{start}{sign}{step}*i{axis}"),
    }
}
