//! Calls that go along axes: reductions, scans, sorts, statistics and transforms.
//!
//! | file | job |
//! | --- | --- |
//! | `axes` | `axis=`: which axes of an operand are meant |
//! | `fractions` | the fractions that quantiles are asked for |
//! | `groups` | what a call folds by groups |
//! | `line_axes` | puts lines together from any axes, and results back in their places |
//! | `lines` | calls over whole lines: arguments, the axis that becomes the line, results |
//! | `masked` | what a reduction is told beside its axes: `where=`, `initial=`, `dtype=` |
//! | `reduce` | reductions and scans |
//! | `spectra` | Fourier transforms |

pub(in crate::check) mod axes;
mod fractions;
mod groups;
pub(super) mod line_axes;
mod lines;
mod masked;
mod reduce;
mod spectra;
