//! Calls that change an array in NumPy but give a new one here.

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

/// Calls that change an array elsewhere, and that are refused here.
static REFUSED: &[(&str, CalledAs)] = &[
    ("fill", CalledAs::Method),
    ("itemset", CalledAs::Method),
    ("copyto", CalledAs::Function),
    ("shuffle", CalledAs::Function),
];

/// Where the array stands that a call changes elsewhere.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChangedArray {
    /// `x` of `x.fill(0)`.
    BeforeDot,
    /// `x` of `np.copyto(x, y)`.
    FirstArgument,
}

/// The array that a call by a name changes elsewhere, if it does, whether the call is taken here or refused.
pub fn changed_by(before_dot: Option<&str>, name: &str) -> Option<ChangedArray> {
    let module = before_dot.filter(|path| modules::find(path).is_some());
    // `np.add.at`
    let ufunc_of = before_dot.filter(|_| name == "at").and_then(|path| path.split_once('.'));
    if ufunc_of.is_some_and(|(path, _)| modules::find(path).is_some()) {
        return Some(ChangedArray::FirstArgument);
    }
    let is_method = before_dot.is_some() && module.is_none();
    let called_as = if is_method { CalledAs::Method } else { CalledAs::Function };
    let changes = changes_an_array(before_dot, name) || REFUSED.contains(&(name, called_as));
    let place = if is_method { ChangedArray::BeforeDot } else { ChangedArray::FirstArgument };
    changes.then_some(place)
}

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
