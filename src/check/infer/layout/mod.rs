//! Elements in other shapes or orders, repeated, or put together with others.
//!
//! | file | job |
//! | --- | --- |
//! | `arrange` | grids, repeated elements, axes that move, arrays taken apart |
//! | `block` | `block`: arrays put together in rows and columns |
//! | `join` | `stack`, `concat`, computed array literals, and what is made of pieces: `roll`, `diff` |
//! | `joints` | how long arrays are together that are joined along one axis |
//! | `pad` | margins around an array |
//! | `repeat` | `repeat(x, 3)`, `repeat(x, counts)` and `sliding_window_view(x, n)` |
//! | `reshape` | the same elements in another shape or order; the rows of this folder come in here |

mod arrange;
mod block;
mod join;
mod joints;
mod pad;
mod repeat;
mod reshape;
