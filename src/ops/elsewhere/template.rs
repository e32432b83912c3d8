//! Code with the arguments of a call in the places of parameters.
//!
//! ```
//! use arrlang::ops::elsewhere::{TemplateArgument, form, written};
//! let forms = [form("a, b", "a[:, None] * b")];
//! let given = |text| TemplateArgument { name: None, text };
//! assert_eq!(written(&forms, &[given("x + 1"), given("y")]).unwrap(), "(x + 1)[:, None] * y");
//! assert_eq!(written(&forms, &[given("x")]), None);
//! ```

use crate::types::DType;

/// A way to call a function of elsewhere, and the code for it.
///
/// A parameter with a `?` may be left out: then `, axis=axis` goes from the code, which does the same as with what
/// stands behind the `?`. `mode="same"` is a parameter that must be this text, `n=2` one that must be this number;
/// `x[]` must be a vector, `x[,]` a matrix, `x[.]` a number, `axis(,)` a tuple of two, and `dtype!` a dtype as it is
/// written.
#[derive(Clone, Copy, Debug)]
pub struct CallForm {
    /// `x, axis?`
    pub params: &'static str,
    /// `max(x, axis=axis) - min(x, axis=axis)`
    pub code: &'static str,
    /// Names of holes in the code, each with the text that fills it: `part` that of `$part`.
    pub holes: &'static [(&'static str, &'static str)],
}

/// A way to call something: its parameters, and what it does with them.
pub const fn form(params: &'static str, code: &'static str) -> CallForm {
    CallForm { params, code, holes: &[] }
}

/// An argument as it is written.
#[derive(Clone, Copy, Debug)]
pub struct TemplateArgument<'a> {
    /// The keyword, if it has one.
    pub name: Option<&'a str>,
    /// The expression.
    pub text: &'a str,
}

impl CallForm {
    /// The same with texts for the holes in its code.
    pub const fn with(self, holes: &'static [(&'static str, &'static str)]) -> CallForm {
        CallForm { holes, ..self }
    }

    /// The code, its holes filled.
    pub fn filled_code(&self) -> String {
        self.holes.iter().fold(self.code.to_owned(), |code, (hole, text)| code.replace(&format!("${hole}"), text))
    }

    /// Its parameters, each with whether it may be left out.
    pub fn params(&self) -> impl Iterator<Item = (&'static str, bool)> {
        let params = self.params.split(", ").filter(|param| !param.is_empty());
        params.map(|param| match (param.split_once('?'), param.split_once('=')) {
            (Some((name, _)), _) => (name, true),
            (None, Some((name, _))) => (name, false),
            (None, None) => (param.split(['[', '(', '!']).next().unwrap_or(param), false),
        })
    }

    /// What a parameter is that is left out, where that is said: `true` in `num?50, endpoint?true`.
    pub fn default(&self, param: &str) -> Option<&'static str> {
        let (_, default) =
            self.params.split(", ").filter_map(|it| it.split_once('?')).find(|(name, _)| *name == param)?;
        Some(default).filter(|default| !default.is_empty())
    }

    /// The text that a parameter must be, where there is one: `"same"` in `x, y, mode="same"`.
    pub fn word(&self, param: &str) -> Option<&'static str> {
        let (_, word) = self.params.split(", ").filter_map(|it| it.split_once('=')).find(|(name, _)| *name == param)?;
        Some(word.trim_matches('"'))
    }

    /// How many axes a parameter must have, if that is said.
    pub fn rank(&self, param: &str) -> Option<usize> {
        let (_, axes) = self.params.split(", ").filter_map(|it| it.split_once('[')).find(|(name, _)| *name == param)?;
        Some(if axes == ".]" { 0 } else { axes.len() })
    }

    /// How many parts the tuple has that a parameter must be, if that is said.
    pub fn parts(&self, param: &str) -> Option<usize> {
        let (_, commas) =
            self.params.split(", ").filter_map(|it| it.split_once('(')).find(|(name, _)| *name == param)?;
        Some(commas.len())
    }

    /// Whether a parameter must be a dtype as it is written.
    fn is_dtype(&self, param: &str) -> bool {
        self.params.split(", ").any(|it| it.strip_suffix('!') == Some(param))
    }

    /// How it is called elsewhere, without what may be left out: `x, k`.
    pub fn required_params(&self) -> String {
        self.params().filter(|(_, optional)| !optional).map(|(name, _)| name).collect::<Vec<_>>().join(", ")
    }

    /// The code without what may be left out.
    pub fn plain(&self) -> String {
        let mut code = self.filled_code();
        for (name, _) in self.params().filter(|(_, optional)| *optional) {
            code = without(&code, name);
        }
        code
    }

    /// Whether it has a parameter that is called so.
    pub fn takes(&self, keyword: &str) -> Option<&'static str> {
        self.params().map(|(name, _)| name).find(|name| super::keyword(name) == super::keyword(keyword))
    }

    /// Which argument each parameter has, with whether it may be left out; the first argument without a place if one
    /// has none.
    fn placed<'a>(&self, arguments: &[TemplateArgument<'a>]) -> Result<Vec<PlacedArgument<'a>>, usize> {
        let place = |(name, optional)| PlacedArgument { name, optional, text: None };
        let mut places: Vec<PlacedArgument> = self.params().map(place).collect();
        for (index, argument) in arguments.iter().enumerate() {
            let place = match argument.name {
                None => places.get_mut(index),
                Some(name) => {
                    let name = super::keyword(name);
                    places.iter_mut().find(|place| super::keyword(place.name) == name)
                }
            };
            let Some(place) = place else { return Err(index) };
            // A word is said as Python or as we say it: `False`, `false`.
            let word = self.word(place.name);
            let said = word.is_none_or(|word| word.eq_ignore_ascii_case(argument.text.trim_matches(['"', '\''])));
            let said = said && (!self.is_dtype(place.name) || says_a_dtype(argument.text));
            let said = said && self.parts(place.name).is_none_or(|parts| parts_written(argument.text) == Some(parts));
            if !said || place.text.replace(argument.text).is_some() {
                return Err(index);
            }
        }
        Ok(places)
    }

    /// Which argument each parameter has, if they fit.
    fn matched<'a>(&self, arguments: &[TemplateArgument<'a>]) -> Option<Vec<(&'static str, Option<&'a str>)>> {
        let places = self.placed(arguments).ok()?.into_iter();
        places
            .map(|PlacedArgument { name, optional, text }| (text.is_some() || optional).then_some((name, text)))
            .collect()
    }
}

/// A parameter with its argument.
struct PlacedArgument<'a> {
    name: &'static str,
    /// Whether it may be left out.
    optional: bool,
    text: Option<&'a str>,
}

/// The argument for which no form has a place; `None` where one has places for all and needs others.
pub fn stray(forms: &[CallForm], arguments: &[TemplateArgument]) -> Option<usize> {
    let strays: Option<Vec<usize>> = forms.iter().map(|form| form.placed(arguments).err()).collect();
    strays?.into_iter().max()
}

/// The first form that the arguments fit.
pub fn fitting(forms: &'static [CallForm], arguments: &[TemplateArgument]) -> Option<&'static CallForm> {
    forms.iter().find(|form| form.matched(arguments).is_some())
}

/// The code of the first form that the arguments fit.
pub fn written(forms: &[CallForm], arguments: &[TemplateArgument]) -> Option<String> {
    forms.iter().find_map(|form| {
        let matched = form.matched(arguments)?;
        let mut code = form.filled_code();
        for (name, _) in matched.iter().filter(|(_, text)| text.is_none()) {
            code = without(&code, name);
        }
        // A part is stored in without more brackets: `m[0] = 1`.
        Some(substituted(&code, &matched).replace("][:] = ", "] = "))
    })
}

/// The code without `, axis=axis`.
fn without(code: &str, param: &str) -> String {
    let mut kept = String::with_capacity(code.len());
    let mut rest = code;
    let end = format!("={param}");
    while let Some(at) = rest.find(&end) {
        let after = &rest[at + end.len()..];
        let begins = rest[..at].rfind(", ");
        match begins {
            Some(begins) if after.starts_with([',', ')']) => kept.push_str(&rest[..begins]),
            _ => kept.push_str(&rest[..at + end.len()]),
        }
        rest = after;
    }
    kept + rest
}

fn substituted(code: &str, arguments: &[(&str, Option<&str>)]) -> String {
    let mut out = String::with_capacity(code.len());
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let word = |c: char| c.is_alphanumeric() || c == '_';
        let len = match word(first) {
            true => rest.find(|c: char| !word(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, after) = rest.split_at(len);
        let keyword = after.starts_with('=') && !after.starts_with("==");
        let found = arguments.iter().find(|(name, _)| *name == token).and_then(|(_, text)| *text);
        match found {
            Some(text) if !keyword && !out.ends_with('.') => {
                let text = if token == "dtype" { dtype(text) } else { text };
                let alone = out.is_empty() && after.is_empty() || stands_alone(&out, after);
                let brackets = !alone && !is_atom(text);
                if brackets {
                    out.extend(["(", text, ")"]);
                } else {
                    out.push_str(text);
                }
            }
            _ => out.push_str(token),
        }
        rest = after;
    }
    out
}

/// How many parts a tuple or a list has that is written out.
fn parts_written(text: &str) -> Option<usize> {
    let inside = text.strip_prefix('(').and_then(|text| text.strip_suffix(')'));
    let inside = inside.or_else(|| text.strip_prefix('[')?.strip_suffix(']'))?;
    let inside = inside.trim_end().trim_end_matches(',');
    let mut depth = 0usize;
    let commas = inside.chars().filter(|c| {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        *c == ',' && depth == 0
    });
    Some(commas.count() + 1)
}

/// Whether a text is a dtype by its words: `np.int64`, `'float32'`, `y.dtype`.
fn says_a_dtype(text: &str) -> bool {
    let last = text.rsplit('.').next().unwrap_or(text);
    text.starts_with(['"', '\''])
        || matches!(last, "dtype" | "float" | "int" | "complex")
        || last.parse::<DType>().is_ok()
}

/// A dtype as it is written here; Python's words for kinds have NumPy's widths.
pub(super) fn dtype(text: &str) -> &str {
    match text.trim_matches(['"', '\'']) {
        "float" => "f64",
        "int" => "i64",
        "complex" => "c128",
        text => text,
    }
}

/// Whether an expression between these texts needs no parentheses, whatever it is.
pub fn stands_alone(before: &str, after: &str) -> bool {
    let opens = before.trim_end_matches(' ').ends_with(['(', '[', ',', '{', ';', '\n'])
        || before.trim_end().ends_with('=')
            && !["==", "!=", "<=", ">="].iter().any(|op| before.trim_end().ends_with(op))
        || before.trim().is_empty();
    let after = after.trim_start_matches(' ');
    opens && (after.is_empty() || after.starts_with([')', ']', ',', '}', ';', '\n', '#', '\r']))
}

/// Whether it is one operand whatever stands beside it: a name, a literal, a call, something in brackets.
pub fn is_atom(text: &str) -> bool {
    let mut depth = 0usize;
    let mut inside = true;
    for (at, c) in text.char_indices() {
        match c {
            '(' | '[' => depth += 1,
            ')' | ']' => depth = depth.saturating_sub(1),
            _ if depth > 0 => {}
            '.' | '_' | '"' => {}
            c if c.is_alphanumeric() => {}
            '-' | '+'
                if at > 0 && text[..at].ends_with(['e', 'E']) && text.starts_with(|c: char| c.is_ascii_digit()) => {}
            _ => inside = false,
        }
    }
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    fn given(text: &str) -> TemplateArgument<'_> {
        match text.split_once('=') {
            Some((name, text)) => TemplateArgument { name: Some(name), text },
            None => TemplateArgument { name: None, text },
        }
    }

    fn code(params: &'static str, code: &'static str, arguments: &[&str]) -> Option<String> {
        let arguments: Vec<TemplateArgument> = arguments.iter().map(|text| given(text)).collect();
        written(&[form(params, code)], &arguments)
    }

    #[test]
    fn arguments_take_the_places_of_parameters() {
        let found = code("x, k", "take(x, arange(x.size*k)//k)", &["a + b", "2"]);
        assert_eq!(found.unwrap(), "take(a + b, arange((a + b).size*2)//2)");
        assert_eq!(code("a, b", "a[:, None] * b", &["f(x)", "-y"]).unwrap(), "f(x)[:, None] * (-y)");
        assert_eq!(code("x", "x[0]", &["2e-5"]).unwrap(), "2e-5[0]");
    }

    #[test]
    fn holes_are_filled() {
        let form = form("x", "$part + 2*$part$rest").with(&[("part", "x[0]"), ("rest", " - 1")]);
        assert_eq!(
            (form.filled_code(), form.plain()),
            ("x[0] + 2*x[0] - 1".to_owned(), "x[0] + 2*x[0] - 1".to_owned())
        );
    }

    #[test]
    fn what_may_be_left_out_goes_with_its_keyword() {
        let (params, text) = ("x, axis?, keepdims?", "max(x, axis=axis, keepdims=keepdims) - min(x, axis=axis)");
        assert_eq!(code(params, text, &["y"]).unwrap(), "max(y) - min(y)");
        assert_eq!(code(params, text, &["y", "dim=1"]).unwrap(), "max(y, axis=1) - min(y, axis=1)");
        assert_eq!(code(params, text, &["y", "where=m"]), None);
        assert_eq!(code(params, text, &["y", "0", "true", "1"]), None);
        let form = form(params, text);
        assert_eq!((form.required_params().as_str(), form.plain().as_str()), ("x", "max(x) - min(x)"));
    }

    #[test]
    fn the_argument_without_a_place_is_known() {
        let forms = [form("x, n", "x"), form("x, up=true", "x")];
        let stray = |arguments: &[&str]| {
            let arguments: Vec<TemplateArgument> = arguments.iter().map(|text| given(text)).collect();
            stray(&forms, &arguments)
        };
        assert_eq!(stray(&["x", "2", "order=C"]), Some(2));
        assert_eq!(stray(&["x", "up=flag"]), Some(1));
        assert_eq!(stray(&["x", "2", "3"]), Some(2));
        assert_eq!(stray(&["x"]), None);
    }

    #[test]
    fn a_form_says_how_many_axes_a_parameter_has() {
        let form = CallForm { params: "x[], y[,], n[.], z", code: "x", holes: &[] };
        assert_eq!(["x", "y", "n", "z"].map(|name| form.rank(name)), [Some(1), Some(2), Some(0), None]);
        assert_eq!(form.required_params(), "x, y, n, z");
    }

    #[test]
    fn a_form_says_which_parameter_is_a_dtype() {
        let found = |text: &str| code("x, dtype!", "bitcast(x, dtype)", &["y", text]);
        assert_eq!(found("np.int64").unwrap(), "bitcast(y, np.int64)");
        assert_eq!(found("'float32'").unwrap(), "bitcast(y, float32)");
        assert_eq!(found("float").unwrap(), "bitcast(y, f64)");
        assert_eq!((found("-1"), found("(2, 3)")), (None, None));
        assert_eq!(form("x, dtype!", "bitcast(x, dtype)").required_params(), "x, dtype");
    }

    #[test]
    fn a_tuple_that_is_written_has_as_many_parts_as_the_form_wants() {
        let found = |text: &str| code("x, width(,)", "pad(x, width)", &["y", text]);
        assert_eq!(found("(1, 2)").unwrap(), "pad(y, (1, 2))");
        assert_eq!(found("pad=[f(1, 2), 2,]").unwrap(), "pad(y, [f(1, 2), 2,])");
        assert_eq!((found("(1, 2, 3, 4)"), found("width"), found("2")), (None, None, None));
    }

    #[test]
    fn a_form_says_how_many_parts_a_tuple_has() {
        let form = form("x, axis(,), spacing(,,), n?", "x");
        assert_eq!(["x", "axis", "spacing", "n"].map(|name| form.parts(name)), [None, Some(2), Some(3), None]);
        assert_eq!(form.required_params(), "x, axis, spacing");
    }

    #[test]
    fn code_among_operators_needs_parentheses() {
        assert!(stands_alone("let y = ", "\n"));
        assert!(stands_alone("f(a, ", ")"));
        assert!(stands_alone("", ""));
        assert!(!stands_alone("a == ", ""));
        assert!(!stands_alone("2*", ""));
        assert!(!stands_alone("(", " + 1)"));
        assert!(!stands_alone("let y = ", "**2"));
    }
}
