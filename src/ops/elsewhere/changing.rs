//! Calls that change an array in NumPy, and give a new one here.

use super::modules;

/// How such a function is called.
#[derive(Clone, Copy, PartialEq, Eq)]
enum CalledAs {
    /// `x.sort()`; the function `np.sort(x)` gives a new array there too.
    Method,
    /// `np.putmask(x, mask, values)`, or by our name.
    Function,
    /// `x.put(i, values)` and `np.put(x, i, values)`.
    Both,
}

static ROWS: &[(&str, CalledAs)] = &[
    ("sort", CalledAs::Method),
    ("partition", CalledAs::Method),
    ("append", CalledAs::Method),
    ("resize", CalledAs::Method),
    ("put", CalledAs::Both),
    ("place", CalledAs::Function),
    ("fill_diagonal", CalledAs::Function),
    ("putmask", CalledAs::Function),
    ("put_along_axis", CalledAs::Function),
    ("add_at", CalledAs::Function),
    ("multiply_at", CalledAs::Function),
    ("min_at", CalledAs::Function),
    ("max_at", CalledAs::Function),
];

/// Those of them that give another shape, which no variable takes.
static SHAPES: &[&str] = &["append", "resize"];

/// Whether a call by a name that changes an array elsewhere gives it another shape.
pub fn changes_a_shape(name: &str) -> bool {
    SHAPES.contains(&name)
}

/// Whether a call by a name changes an array elsewhere: that before the dot, `np` of `np.putmask`, or the first
/// argument.
pub fn changes_an_array(before_dot: Option<&str>, name: &str) -> bool {
    let called_as = match before_dot {
        Some(path) if modules::find(path).is_none() => CalledAs::Method,
        _ => CalledAs::Function,
    };
    ROWS.contains(&(name, called_as)) || ROWS.contains(&(name, CalledAs::Both))
}
