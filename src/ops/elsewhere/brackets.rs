//! Names that NumPy has brackets behind, which make arrays of slices: `np.mgrid[0:3, 0:4]`, `np.r_[x, 1:4]`.
//!
//! ```
//! use arrlang::ops::elsewhere::{BracketItem, code_of_brackets};
//! let slice = BracketItem::Slice { start: Some("0"), stop: Some("3"), step: None };
//! assert_eq!(code_of_brackets("mgrid", &[slice]).unwrap(), "arange(0, 3)");
//! assert_eq!(code_of_brackets("r_", &[BracketItem::At("x"), slice]).unwrap(), "concat([x, arange(0, 3)])");
//! ```

/// What stands between brackets, as it is written.
#[derive(Clone, Copy, Debug)]
pub enum BracketItem<'a> {
    /// `x`
    At(&'a str),
    /// `n`, which has no axes.
    Number(&'a str),
    /// `start:stop:step`
    Slice {
        /// `0` where it is left out.
        start: Option<&'a str>,
        /// Where it ends.
        stop: Option<&'a str>,
        /// `5j` says how many numbers there are, the stop among them.
        step: Option<&'a str>,
    },
}

/// The code for a name with these items in its brackets, where there is one.
pub fn code_of_brackets(name: &str, items: &[BracketItem]) -> Option<String> {
    let parts: Vec<String> = items.iter().map(vector).collect::<Option<_>>()?;
    let slices = items.iter().filter(|item| matches!(item, BracketItem::Slice { .. })).count();
    match (name, &parts[..]) {
        ("mgrid" | "ogrid", _) if slices != items.len() => None,
        ("mgrid" | "ogrid", [only]) => Some(only.clone()),
        ("mgrid", _) => Some(format!("meshgrid({}, indexing=\"ij\")", parts.join(", "))),
        ("ogrid", _) => Some(format!("meshgrid({}, indexing=\"ij\", sparse=true)", parts.join(", "))),
        ("r_", [only]) if slices == 1 => Some(only.clone()),
        ("r_", _) => {
            // `concat` joins no numbers.
            let part = |(item, part): (&BracketItem, &String)| match item {
                BracketItem::Number(text) if text.parse::<f64>().is_ok() => format!("[{part}]"),
                BracketItem::Number(_) => format!("atleast_1d({part})"),
                BracketItem::At(_) | BracketItem::Slice { .. } => part.clone(),
            };
            Some(format!("concat([{}])", items.iter().zip(&parts).map(part).collect::<Vec<_>>().join(", ")))
        }
        ("c_", _) => Some(format!("column_stack([{}])", parts.join(", "))),
        _ => None,
    }
}

/// An item as an array; a text says how NumPy puts others together.
fn vector(item: &BracketItem) -> Option<String> {
    match *item {
        BracketItem::At(text) | BracketItem::Number(text) => (!text.starts_with(['"', '\''])).then(|| text.to_owned()),
        BracketItem::Slice { start, stop, step } => {
            let (start, stop) = (start.unwrap_or("0"), stop?);
            Some(match step.map(|step| (step, step.strip_suffix(['j', 'J']))) {
                None => format!("arange({start}, {stop})"),
                Some((_, Some(count))) => format!("linspace({start}, {stop}, {})", count.parse::<u32>().ok()?),
                Some((step, None)) => format!("arange({start}, {stop}, {step})"),
            })
        }
    }
}
