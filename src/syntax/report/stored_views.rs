//! Advice about stores in what is a view in NumPy. Here nothing is one.

use super::excerpt::{depths, short};

/// What to write for a target that is an array of its own here, and in NumPy a part or the shape of another one. The
/// `sign` is that of an update: `+` of `+=`.
pub(crate) fn advice(text: &str, sign: Option<&str>, value: &str) -> Option<String> {
    let is_name = |text: &str| text.chars().all(|c| c.is_alphanumeric() || c == '_');
    let value = if value.contains('\n') || short(value) != value { "…" } else { value };
    if let Some(name) = text.strip_suffix(".shape").filter(|name| is_name(name) && sign.is_none()) {
        return Some(format!("no array changes its shape: `let {name} = {name}.reshape({value})`"));
    }
    if let Some(advice) = other_view(text, sign, value) {
        return Some(advice);
    }
    // The value that takes the place of `elements`.
    let new = |elements: String| match sign {
        Some(sign) if value.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '.') => {
            format!("{elements} {sign} {value}")
        }
        Some(sign) => format!("{elements} {sign} ({value})"),
        None => value.to_owned(),
    };
    if let Some(name) = text.strip_suffix(".flat").filter(|name| is_name(name)) {
        let new = new(format!("ravel({name})"));
        return Some(format!("nothing is a view here: `{name} = put({name}, arange({name}.size), {new})`"));
    }
    let (target, index) = text.strip_suffix(']')?.split_once('[')?;
    let is_one = depths(index).all(|(_, c, depth)| depth > 0 || depth == 0 && c != ',');
    let flat = [".flat", ".ravel()", ".reshape(-1)"].iter().find_map(|view| target.strip_suffix(view));
    if let Some(name) = flat.filter(|name| is_name(name)) {
        let places = match index {
            ":" => format!("arange({name}.size)"),
            _ if !is_one || short(index) != index => return None,
            _ if index.contains(':') => format!("arange({name}.size)[{index}]"),
            _ if index.starts_with('[') => index.to_owned(),
            // A tuple is no place, and a mask is none.
            _ if index.starts_with('(') && index.contains(',') => return None,
            _ if index.contains(['<', '>', '!', '~']) || index.contains("==") => return None,
            _ => format!("[{index}]"),
        };
        let new = new(format!("ravel({name})[{index}]"));
        return Some(format!("nothing is a view here: `{name} = put({name}, {places}, {new})`"));
    }
    let name = ["np.diag(", "diag("].iter().find_map(|view| target.strip_prefix(view))?.strip_suffix(')')?;
    (is_name(name) && index == ":" && sign.is_none())
        .then(|| format!("nothing is a view here: `{name} = fill_diagonal({name}, {value})`"))
}

/// What to write for a store in a view whose places are those of an array with other axes: `m.T[0]`, `m.reshape(4)[2]`.
fn other_view(text: &str, sign: Option<&str>, value: &str) -> Option<String> {
    let (name, rest) = text.split_at(text.find('.')?);
    let brackets = depths(rest).filter(|&(_, c, depth)| c == '[' && depth == 1);
    let index_at = brackets.last().map_or(rest.len(), |(at, ..)| at);
    let (view, index) = rest.split_at(index_at);
    let is_call = |start: &str| view.starts_with(start) && view.ends_with(')') && !view.contains(").");
    let back = match view {
        ".T" | ".mT" | ".transpose()" => view.to_owned(),
        _ if is_call(".swapaxes(") => view.to_owned(),
        // This is `ravel`, which has advice of its own.
        ".reshape(-1)" => return None,
        _ if is_call(".reshape(") => format!(".reshape({name}.shape)"),
        _ => return None,
    };
    // What stands behind the dot of a module is a function, not a view.
    let is_module = ["np", "numpy", "jnp", "torch", "xp"].contains(&name);
    let is_name = !is_module && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let is_whole = index.is_empty() || index.ends_with(']');
    // NumPy does not assign to the attribute itself.
    if !is_name || !is_whole || index.is_empty() && sign.is_none() || short(text) != text {
        return None;
    }
    let part = if name == "part" { "view" } else { "part" };
    let sign = sign.unwrap_or_default();
    let code = format!("var {part} = {name}{view}; {part}{index} {sign}= {value}; {name} = {part}{back}");
    Some(format!("nothing is a view here: `{code}`"))
}
