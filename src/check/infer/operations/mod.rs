//! Operations that go element by element. Dtypes are promoted at a cost, shapes must fit, and nodes compute the result.
//!
//! | file | job |
//! | --- | --- |
//! | `apply` | applies an operation: promotion, shapes and nodes |
//! | `cast` | `f32(x)`, `saturate(x, u8)`: conversions that somebody wrote |
//! | `compare` | comparisons of integers, by their values |
//! | `computed_in` | `add(x, y, dtype=f32)`: an operation in a dtype that the call names |
//! | `costs` | the worst that a promotion does, and whether the mode refuses it |
//! | `counted` | numbers of literals and counters, all of whose values are known |
//! | `exact` | operations of literals |
//! | `fitting` | shapes that do not fit, and would with an axis more |
//! | `scaled` | powers and shifts by constants |

pub(in crate::check) mod apply;
mod cast;
mod compare;
pub(super) mod computed_in;
pub(in crate::check) mod costs;
mod counted;
mod exact;
mod fitting;
mod scaled;
