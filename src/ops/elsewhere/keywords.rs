//! Keyword arguments that have another name elsewhere: `dim=` is `axis=`.

use super::Home;

/// Names of ours, each with what it is called elsewhere where it means the same, and the operations that have it under
/// these names: none for all. Names of operands are not among them: `all(a = b)` means `a == b`.
const KEYWORDS: &[(&str, &[&str], &[&str])] = &[
    ("axis", &["dim", "dims", "dimension", "dimensions"], &[]),
    ("keepdims", &["keepdim", "keep_dims"], &[]),
    ("ddof", &["correction"], &[]),
    ("lo", &["min", "a_min", "min_val", "lower"], &["clip"]),
    ("hi", &["max", "a_max", "max_val", "upper"], &["clip"]),
    ("num", &["steps"], &["linspace"]),
    ("width", &["pad_width", "pad"], &["pad"]),
    ("value", &["constant_values", "end_values"], &["pad"]),
    ("shape", &["newshape"], &["reshape"]),
    ("shape", &["new_shape"], &["resize"]),
    ("shape", &["size"], &[]),
    ("repetitions", &["reps"], &["tile"]),
    ("sections", &["indices_or_sections"], &["split", "array_split"]),
    // No operation has these: code from elsewhere does, and a loss of PyTorch calls its operands so.
    ("x", &["input"], &["F."]),
    ("y", &["target"], &["F."]),
    ("k", &["kth"], &["partition", "argpartition"]),
    ("conditions", &["condlist"], &["select", "piecewise"]),
    ("values", &["funclist"], &["piecewise"]),
    ("choices", &["choicelist"], &["select"]),
    ("minval", &["low"], &["random."]),
    ("maxval", &["high"], &["random."]),
    ("shift", &["shifts"], &["roll"]),
    ("m", &["M"], &["eye", "kaiser"]),
    ("m", &["n_cols"], &["eye"]),
    ("n", &["N"], &["eye"]),
    ("n", &["n_rows"], &["eye"]),
    ("n", &["num_classes"], &["one_hot"]),
    ("k", &["diagonal"], &["triu", "tril", "diag"]),
    ("axes", &["dims"], &["tensordot"]),
    ("x", &["data"], SEGMENTS),
    ("labels", &["segment_ids"], SEGMENTS),
    ("n", &["num_segments"], SEGMENTS),
];

/// JAX's sums of stretches, and those beside them.
const SEGMENTS: &[&str] = &["segment_sum", "segment_prod", "segment_min", "segment_max"];

/// The library whose functions alone have a keyword of this name.
pub(super) fn keyword_home(name: &str) -> Option<Home> {
    OWN.iter().find(|(own, _)| *own == name).map(|&(_, home)| home)
}

/// Our name of a keyword; one that has no other stays.
pub fn keyword(name: &str) -> &str {
    KEYWORDS.iter().find(|(_, names, _)| names.contains(&name)).map_or(name, |(ours, ..)| ours)
}

/// Our name of a keyword of an operation; one that has no other there stays.
pub fn keyword_in<'a>(operation: &str, name: &'a str) -> &'a str {
    // `random.` is every operation of the module.
    let is_of = |of: &str| of == operation || of.ends_with('.') && operation.starts_with(of);
    let rows = || KEYWORDS.iter().filter(move |(_, names, _)| names.contains(&name));
    let own = rows().find(|(_, _, operations)| operations.iter().any(|of| is_of(of)));
    own.or_else(|| rows().find(|(_, _, operations)| operations.is_empty())).map_or(name, |(ours, ..)| ours)
}

/// Keywords of one library alone.
const OWN: &[(&str, Home)] =
    &[("dim", Home::Torch), ("keepdim", Home::Torch), ("other", Home::Torch), ("unbiased", Home::Torch)];

/// Our name of a keyword of an operation that does not have it under this name.
pub fn keyword_of(function: &str, name: &str) -> Option<&'static str> {
    let op = crate::ops::find(function).filter(|op| op.params.iter().all(|param| param.name != name))?;
    op.params.iter().map(|param| param.name).find(|param| *param == keyword_in(op.name, name))
}

/// What nobody needs to say here.
const NEEDLESS: &[&str] = &[
    "order",
    "copy",
    "subok",
    "casting",
    "like",
    "device",
    "layout",
    "requires_grad",
    "inplace",
    "memory_format",
    "sparse",
    "precision",
    "preferred_element_type",
    "kind",
    "stable",
    "mode",
    "blocking",
    "non_blocking",
    "overwrite_input",
    "names",
    "name",
    "optimize",
    "hermitian",
    "assume_unique",
    "indices_are_sorted",
    "unique_indices",
];

/// The name in `(g,)`, which NumPy takes for an array that gets the result.
fn without_tuple(value: &str) -> &str {
    let inside = value.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let name = inside.map(|text| text.trim_end().trim_end_matches(',').trim());
    let is_name = |text: &&str| !text.is_empty() && text.chars().all(|c| c.is_alphanumeric() || c == '_');
    name.filter(is_name).unwrap_or(value)
}

/// Whether a text is a place that can be stored in: a name, or a name with one index.
fn is_place(text: &str) -> bool {
    let (name, index) = text.split_at(text.find('[').unwrap_or(text.len()));
    let is_name = name.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    // Of `m[0][1]` and `m[0] + n[1]` the first bracket does not end the text.
    is_name && (index.is_empty() || index.find(']') == Some(index.len() - 1))
}

/// What to write for a call with an array that gets its result, at the elements of a mask if there is one.
fn out_advice(out: &str, call: &str, mask: Option<&str>) -> String {
    match (mask, is_place(out)) {
        (Some(mask), true) => format!("choose between both: `{out} = where({mask}, {call}, {out})` of a `var`"),
        // Several names in brackets are no array.
        (Some(mask), false) if out.starts_with('(') => {
            format!("choose between both: `let y = where({mask}, {call}, …)`")
        }
        (Some(mask), false) => format!("choose between both: `where({mask}, {call}, {out})`"),
        (None, true) => format!("a result has a name: `{out} = {call}` of a `var`, `let y = …` else"),
        (None, false) => format!("a result has a name: `let y = {call}`"),
    }
}

/// What to write for a keyword argument that a function of ours does not have: `first` is its first argument, `others`
/// are those behind it, without a name where they have no keyword.
pub fn keyword_advice(function: &str, first: &str, others: &[(&str, String)], keyword: &str) -> Option<String> {
    let value = &others.iter().find(|(name, _)| *name == keyword)?.1;
    // `None` says what holds without it.
    let rest = others.iter().filter(|(name, text)| *name != keyword && text != "None");
    let rest: String = rest
        .map(|(name, value)| match *name {
            "" => format!(", {value}"),
            name => format!(", {}={value}", self::keyword(name)),
        })
        .collect();
    if let Some(advice) = choice_advice(function, first, &rest, keyword, value) {
        return Some(advice);
    }
    let masked = |instead: &str| format!("write `{function}(where({value}, {first}, {instead}){rest})`");
    let also = |keyword: &str| others.iter().find(|(name, _)| *name == keyword).map(|(_, value)| value);
    Some(match (keyword, function) {
        ("dtype", "einsum") => {
            format!("convert the result: `{}({function}({first}, …{rest}))`", super::template::dtype(value))
        }
        // They are written in the language, so their rows have no class that says it.
        ("dtype", "allclose" | "array_equal") => {
            format!("leave `dtype` out: `{function}` gives bool already, and NumPy has no such keyword there either")
        }
        ("dtype", _) if crate::ops::by_name(function).is_some_and(|op| op.class.is_question()) => {
            format!("leave `dtype` out: `{function}` gives bool already")
        }
        ("dtype", _) if crate::ops::by_name(function).is_some_and(|op| op.operand_count() > 1) => {
            format!("convert first: `{function}({}({first}), …)`", super::template::dtype(value))
        }
        ("dtype", _) => format!("convert first: `{function}({}({first}){rest})`", super::template::dtype(value)),
        ("varargs", "gradient") => spacings_advice(first, others),
        ("out", _) => {
            let mask = also("where").map(String::as_str);
            let rest = mask.map_or_else(|| rest.clone(), |mask| rest.replace(&format!(", where={mask}"), ""));
            out_advice(without_tuple(value), &format!("{function}({first}{rest})"), mask)
        }
        ("where" | "mask", "sum" | "norm" | "count_nonzero") => masked("0"),
        ("where" | "mask", "prod") => masked("1"),
        ("where" | "mask", "min") => masked("inf"),
        ("where" | "mask", "max") => masked("-inf"),
        ("where" | "mask", "any") => masked("false"),
        ("where" | "mask", "all") => masked("true"),
        ("where" | "mask", "mean") => {
            format!("write `sum(where({value}, {first}, 0){rest}) / count_nonzero({value}{rest})`")
        }
        ("ord" | "p", "norm") => match value.trim_matches('"') {
            "1" => format!("the sum of magnitudes is `sum(abs({first}){rest})`"),
            "inf" | "np.inf" => format!("the largest magnitude is `max(abs({first}){rest})`"),
            "2" | "fro" => format!("it is this norm already: `norm({first}{rest})`"),
            _ => format!("other norms are `linalg.norm({first}, ord={value}{rest})`"),
        },
        ("where", _) => format!("choose between both: `where({value}, {function}({first}, …), …)`"),
        ("retstep", "linspace") => "the step is `(stop - start)/(num - 1)`".to_owned(),
        ("total_repeat_length", _) => format!(
            "the length follows from the counts: `let y = {function}({first}{rest})`, and `assert y.size == {value}` says it"
        ),
        ("base", _) => format!("write `{function}({first}) / log({value})`"),
        ("order", _) if let Some(advice) = order_advice(function, first, &rest, value) => advice,
        ("copy", "nan_to_num") if value.eq_ignore_ascii_case("false") => {
            format!("no call changes an array: the result has a name, `let y = {function}({first}{rest})`")
        }
        (word, _) if NEEDLESS.contains(&word) => format!("nothing here needs `{word}`: leave it out"),
        _ => return None,
    })
}

/// What to write for the distances along several axes, which are arguments of their own in NumPy.
fn spacings_advice(first: &str, others: &[(&str, String)]) -> String {
    let is_distance = |name: &str| matches!(name, "" | "varargs");
    let distances = others.iter().filter(|(name, _)| is_distance(name)).map(|(_, text)| text.as_str());
    let distances: Vec<&str> = distances.collect();
    let rest = others.iter().filter(|(name, _)| !is_distance(name));
    let rest: String = rest.map(|(name, text)| format!(", {}={text}", keyword(name))).collect();
    format!("the distances along several axes are one tuple: `gradient({first}, ({}){rest})`", distances.join(", "))
}

/// What to write for an argument that says in which order elements lie or are taken.
fn order_advice(function: &str, first: &str, rest: &str, value: &str) -> Option<String> {
    if matches!(function, "zeros" | "ones" | "full" | "empty" | "array" | "asarray") {
        return Some(format!("how elements lie in memory changes no value: `{function}({first}{rest})`"));
    }
    if let ("ravel" | "flatten", Some(advice)) = (function, flat_between(first, value, rest)) {
        return Some(advice);
    }
    if !is_columns_first(value) {
        return None;
    }
    Some(match function {
        "reshape" => "elements are taken row by row here, and column by column by transposing before and after: \
                      `reshape(x.T, (3, 2)).T` for the shape (2, 3)"
            .to_owned(),
        "unravel_index" => format!(
            "of the other order the parts are those of the sizes backwards: \
             `let (j, i) = {function}({first}, (3, 2))` for the shape (2, 3)"
        ),
        "ravel_multi_index" => format!(
            "of the other order the parts and the sizes stand backwards: \
             `{function}((j, i), (3, 2))` for the shape (2, 3)"
        ),
        "ravel" | "flatten" => format!(
            "elements are taken row by row here, and column by column of `{first}.T`: \
             write `{function}({first}.T{rest})`"
        ),
        _ => return None,
    })
}

/// What to write for PyTorch's `flatten` of the axes from one to another; `end` is what stands behind the first.
fn flat_between(first: &str, start: &str, end: &str) -> Option<String> {
    let start = start.parse::<i64>().ok()?;
    let end = end.trim_start_matches(", ").trim_start_matches("end_dim=").parse::<i64>().unwrap_or(-1);
    let array = if super::is_atom(first) { first.to_owned() } else { format!("({first})") };
    let lengths: String = (0..start.min(8)).map(|axis| format!("{array}.shape[{axis}], ")).collect();
    Some(match (start, end) {
        (0, -1) => format!("all axes become one by `ravel({first})`"),
        (1..8, -1) => format!("write `reshape({first}, ({lengths}-1))`, of which the first axes stay"),
        (0..8, 0..) => format!(
            "axes {start} to {end} become one by `reshape({first}, ({lengths}-1, …))`, \
             with the lengths of the axes behind them for `…`"
        ),
        _ => format!("axes become one by `reshape({first}, …)`, with -1 for the length of all of them together"),
    })
}

/// What to write for an argument that chooses how something is counted: a divisor, axes.
fn choice_advice(function: &str, first: &str, rest: &str, keyword: &str, value: &str) -> Option<String> {
    let is_true = value.eq_ignore_ascii_case("true");
    Some(match (keyword, function) {
        ("fweights", "cov") => format!("repeat the observations: `cov(repeat({first}, {value}, axis=-1){rest})`"),
        ("aweights", "cov") => "with `w = weights/sum(weights)` and `d = x - (x @ w)[:, None]` it is \
                                `(d*w) @ d.T/(1 - sum(w*w))`, where variables are rows"
            .to_owned(),
        ("return_indices", "intersect1d") => "of `c = intersect1d(x, y)` the first positions are \
                                              `argmax(x == c[:, None], axis=1)`, and those in `y` alike"
            .to_owned(),
        ("mean", "std" | "var") => format!("the mean is computed here: `{function}({first}{rest})`"),
        ("sorted", "unique") => format!("the values are always sorted: `unique({first}{rest})`"),
        ("beta", "softplus") => "for another slope write `softplus(beta*x)/beta`".to_owned(),
        ("b", "logsumexp") => format!("of weights above 0 write `logsumexp({first} + log({value}){rest})`"),
        ("stat_length", "pad") => "these modes look at a whole axis; with the mean of the first k in front it is \
                                   `pad(x, (2, 0), value=mean(x[:k]))`"
            .to_owned(),
        ("reflect_type", "pad") => "of a vector the odd reflection is \
                                    `concat([2*x[0] - x[k:0:-1], x, 2*x[-1] - x[-2:-k-2:-1]])`"
            .to_owned(),
        ("axisa" | "axisb" | "axisc", _) => format!(
            "one axis holds for all of them, `axis=…` of `{function}`; `moveaxis(x, from, to)` puts another in its place"
        ),
        ("start_dim", "ravel" | "flatten") => return flat_between(first, value, rest),
        ("end_dim", "ravel" | "flatten") => return flat_between(first, "0", value),
        ("skipna", _) if !is_true => format!("nan is never left out: `{function}({first}{rest})`"),
        ("skipna", _) if is_there(&format!("nan{function}")) => {
            format!("what is no number is left out by `nan{function}({first}{rest})`")
        }
        ("ascending", "sort" | "argsort") if is_true => format!("that is so already: `{function}({first}{rest})`"),
        ("ascending", "sort" | "argsort") => format!("write `{function}({first}{rest}, descending=true)`"),
        ("returned", "average") => "the sum of the weights is a result of its own, `sum(weights)`".to_owned(),
        ("rounding_mode", _) => {
            let operand = |text: &str| if super::is_atom(text) { text.to_owned() } else { format!("({text})") };
            let (x, y) = (operand(first), operand(rest.trim_start_matches(", ")));
            format!("towards 0 it is `trunc({x} / {y})` of floats, and `({x} - fmod({x}, {y})) // {y}` of integers")
        }
        ("unbiased", _) => {
            let ddof = u8::from(is_true);
            format!("that is `ddof`, 1 for true and 0 for false: `{function}({first}{rest}, ddof={ddof})`")
        }
        _ => return None,
    })
}

/// Whether there is such a function, of ours or of another name.
fn is_there(name: &str) -> bool {
    crate::ops::find(name).is_some() || super::find(name).is_some()
}

/// Whether an order of NumPy is another one than that of the elements here.
fn is_columns_first(order: &str) -> bool {
    matches!(order.trim_matches(['"', '\'']), "F" | "f")
}
