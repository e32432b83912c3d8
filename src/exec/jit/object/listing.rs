//! The code of an object as text: of Cranelift, or as assembly.
//!
//! In the text, functions are called `u0:3` or `p3`, and constants `u1:2`, by their numbers. A line above each function
//! says what the function is.

use super::text::{NAMELESS, TextSection};
use crate::exec::jit::Listing;
use cranelift_codegen::ir::Function;
use cranelift_module::FuncId;
use std::collections::HashMap;
use std::fmt::Write;

/// The text in the making.
pub(super) struct ListingText {
    pub(super) form: Listing,
    functions: Vec<ListedFunction>,
    /// What functions without names are.
    kinds: HashMap<FuncId, String>,
}

struct ListedFunction {
    /// The kind of code that it is in.
    variant: usize,
    id: FuncId,
    name: Option<String>,
    code: String,
}

impl ListingText {
    pub(super) fn new(form: Listing) -> ListingText {
        ListingText { form, functions: Vec::new(), kinds: HashMap::new() }
    }

    /// Adds a function.
    pub(super) fn add(&mut self, variant: usize, id: FuncId, name: Option<String>, code: String) {
        self.functions.push(ListedFunction { variant, id, name, code });
    }

    /// Says what a function is.
    pub(super) fn describe(&mut self, id: FuncId, kind: String) {
        self.kinds.insert(id, kind);
    }

    fn shown(&self, function: &ListedFunction) -> String {
        let ListedFunction { id, name, code, .. } = function;
        let what = name.as_ref().or_else(|| self.kinds.get(id)).map_or("a part of others", |what| what.as_str());
        format!("; u0:{} {what}\n{}\n", id.as_u32(), code.trim_end())
    }

    /// All functions, under the names of their kinds of code.
    pub(super) fn finish(&self, names: &[String]) -> String {
        let mut text = String::new();
        for (variant, name) in names.iter().enumerate() {
            let functions = self.functions.iter().filter(|function| function.variant == variant);
            let title = match (names.len(), variant) {
                (1, _) => String::new(),
                (_, 0) => format!(";; {name}, and what all levels share\n\n"),
                _ => format!("\n;; {name}\n\n"),
            };
            let _ = write!(
                text,
                "{title}{}",
                functions.map(|function| self.shown(function)).collect::<Vec<_>>().join("\n")
            );
        }
        // Functions without names have large numbers: `p3` is shorter.
        let nameless = self.functions.iter().filter(|function| TextSection::is_nameless(function.id));
        nameless
            .map(|function| function.id.as_u32())
            .fold(text, |text, number| text.replace(&format!("u0:{number}"), &format!("p{}", number - NAMELESS)))
    }
}

/// Assembly with names as they are in other functions.
pub(super) fn with_names(assembly: &str, function: &Function) -> String {
    let mut text = assembly.to_owned();
    // The longest numbers first: `userextname1` begins `userextname12`.
    let names: Vec<_> = function.params.user_named_funcs().iter().collect();
    for (at, name) in names.into_iter().rev() {
        let shown = format!("u{}:{}", name.namespace, name.index);
        text = text.replace(&format!("User({at})"), &shown).replace(&at.to_string(), &shown);
    }
    text
}
