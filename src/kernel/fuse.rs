//! Fuses a program into kernels.
//!
//! Nodes that must exist in memory are *roots*: outputs, checks, the operands of real reshapes, windows and gathers,
//! and the results of folds, scans, gathers, concatenations and updates. A fold of a few terms is no root: it is part
//! of the body that uses it (`short`). Everything elementwise between roots is computed inside the loops that need it:
//! the *fusion cluster* of a value is everything it needs down to arrays in memory. Views move no data: slices,
//! broadcasts, transposes and reshapes that only add or drop axes of length 1 change how an operand is walked.
//!
//! A root is a *materialisation point* in one of four cases:
//!
//! - Its users must wait for all of it (a fold, a reshape's operand).
//! - Its cluster has become too long to compile well, or would be computed again at too many places.
//! - It is costly, and several kernels would compute it again.
//! - It divides, and many rows would repeat that.
//!
//! The *level* of a node is the number of materialisation points below it. Roots of one level over one space share a
//! loop.
//!
//! The parts of a concatenation, and the base and the new elements of an update, are stored where they belong in the
//! result, each by the kernel that computes it.

use super::fusion::Fusion;
pub use super::fusion::UnknownSize;
pub use super::limits::MAX_INSTS;
use super::{Kernel, cluster};
use crate::ir::Program;

/// The kernels of a program, each after those whose results it reads.
///
/// # Errors
/// When a size is not known.
pub fn fuse(program: &Program) -> Result<Vec<Kernel>, UnknownSize> {
    let mut fusion = Fusion::new(program)?;
    fusion.cut();
    fusion.levels();
    if fusion.take_snapshots() {
        fusion.levels();
    }
    if fusion.materialise_shared_costs() {
        fusion.levels();
    }
    let groups = fusion.groups();
    let kernels = groups.iter().flat_map(|group| cluster::build(&fusion, group)).collect();
    Ok(super::merge::merge(program, kernels))
}
