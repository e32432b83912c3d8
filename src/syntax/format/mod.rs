//! The one canonical formatting of a script: `arr fmt`.
//!
//! Line breaks are the author's; everything between them is not. Products are written tightly beside sums, `2*a + 3*b`;
//! `**` and what stands in an index are always tight. A line is as far in as the brackets around it are deep. Comments
//! at the ends of lines one below the other stand in one column. Of blank lines one is left. Long names of dtypes
//! become short, `np.` goes, names from elsewhere become ours, and `x.f(y)` becomes `f(x, y)`.
//!
//! ```
//! use arrlang::syntax::format::{Spellings, format};
//! let words = Spellings {
//!     short: &|_| None,
//!     function: &|name| (name == "sum").then_some("sum"),
//!     qualified: &|_, _| None,
//!     keyword: &|_, _| None,
//!     spoken: &|_, _| false,
//!     ordered: &|_, _, _| false,
//! };
//! assert_eq!(format("let  y=2 * a.sum( )+b", &words).as_deref(), Some("let y = 2*sum(a) + b\n"));
//! assert_eq!(format("let y = (", &words), None);
//! ```

mod lines;
mod pieces;
mod spacing;
mod spelling;

pub use spelling::Spellings;
#[cfg(test)]
pub(super) use spelling::all_statements;

use crate::diagnostic::Diagnostics;
use crate::source::Sources;
use pieces::ScriptPieces;

/// A text as it should be written; `None` if it has errors of syntax, or cannot be formatted without becoming another.
pub fn format(text: &str, words: &Spellings) -> Option<String> {
    let mut sources = Sources::new();
    let id = sources.add("", text);
    let mut found = Diagnostics::new();
    let script = super::parse(&sources, id, &mut found);
    if found.has_errors() {
        return None;
    }
    let respelled = spelling::apply(text, &script, words);
    let pieces = ScriptPieces::of(&respelled)?;
    let formatted = lines::write(&respelled, &pieces);
    let again = ScriptPieces::of(&formatted)?;
    pieces.say_the_same(&respelled, &again, &formatted).then_some(formatted)
}
