//! `repeat` or `scan` as a loop. A step is walked with parameters in place of what the loop carries, and the loop is
//! made of it.
//!
//! | file | job |
//! | --- | --- |
//! | `states` | what a loop carries, and the dtype and shape that it keeps |
//! | `step` | one step, tried or walked for good |
//! | `way` | what a loop goes through: a number of steps, or the rows of arrays |
//! | `whole` | the way in: the loop as nodes, and its value |

mod states;
pub(super) mod step;
mod way;
mod whole;
