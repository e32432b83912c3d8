//! Indexing with brackets, or by calls that mean the same. It reads elements or replaces them.
//!
//! | file | job |
//! | --- | --- |
//! | `computed_slices` | slices between places that are computed: `x[lo:hi]` |
//! | `index` | which elements `a[i, lo:hi, ..., None]` means: the way in |
//! | `linear_sum` | sums of multiples of values, and lengths that are equal as such sums |
//! | `outside` | positions that are outside of their axis whatever the data |
//! | `pick` | what an index does to each axis |
//! | `places` | `take_along_axis`, `put_along_axis`, `add_at` |
//! | `replace` | assignment to what masks and positions choose |
//! | `replace_picked` | an array in which what picks select is replaced |
//! | `select` | which axes masks and integer arrays stand for |
//! | `select_picked` | the nodes of what picks select |
//! | `selected_elements` | the elements that masks and positions choose |
//! | `span` | which positions a slice takes of an axis, as in Python |
//! | `stored` | what is read of an array in which elements were stored |
//! | `window` | slices that begin at a computed place and have a constant length |

mod computed_slices;
mod index;
mod linear_sum;
mod outside;
mod pick;
mod places;
mod replace;
mod replace_picked;
pub(super) mod select;
mod select_picked;
mod selected_elements;
pub(super) mod span;
mod stored;
mod window;
