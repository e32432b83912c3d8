//! Words that are written in another way: long names of dtypes, `np.`, names from elsewhere, calls as methods, quotes.

use super::super::ast::{Arg, ExprId, ExprKind, Script, Stmt, StmtKind};
use super::super::lexer;
use super::super::token::Tok;
use crate::diagnostic::Diagnostics;
use crate::source::SourceId;
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// What a formatter must know of names.
pub struct Spellings<'a> {
    /// The short name of a dtype that has a long one.
    pub short: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Our name of a builtin function, whatever it is called.
    pub function: &'a dyn Fn(&str) -> Option<&'static str>,
    /// Our name of what stands behind a module, `np.linalg` and `norm`.
    pub qualified: &'a dyn Fn(&str, &str) -> Option<&'static str>,
    /// Our name of a keyword of a function, where it is another.
    pub keyword: &'a dyn Fn(&str, &str) -> Option<&'static str>,
    /// Whether a function that is called with a keyword is that of another library: `x.std(dim=1)`.
    pub spoken: &'a dyn Fn(&str, &str) -> bool,
    /// Whether a function behind a module takes this number of positional arguments in another order than ours.
    pub ordered: &'a dyn Fn(&str, &str, usize) -> bool,
}

impl std::fmt::Debug for Spellings<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Spellings")
    }
}

/// An edit, and the expression that it is made for.
struct SpellingEdit {
    range: Range<usize>,
    text: String,
    of: u32,
}

/// The text with its words as they should be.
pub(super) fn apply(text: &str, script: &Script, words: &Spellings) -> String {
    let spelling = Spelling { text, script, words, bound: bound(script) };
    let mut edits = spelling.tokens();
    let ordered = spelling.ordered();
    for (id, expr) in (0..).zip(&script.exprs) {
        if let ExprKind::Attribute(base, name) = &expr.kind {
            if ordered.contains(&expr.span.start) {
                continue;
            }
            if let Some(ours) = spelling.qualified(*base, &name.text) {
                // The module may be a name that has another here: `np.fft`.
                let whole = expr.span.range();
                edits.retain(|edit| edit.range.start < whole.start || edit.range.end > whole.end);
                edits.push(SpellingEdit { range: expr.span.range(), text: ours.to_owned(), of: id });
            }
        } else if let ExprKind::Call(callee, args) = &expr.kind
            && !spelling.is_spoken(*callee, args)
        {
            let positional = args.iter().any(|arg| arg.name.is_none());
            edits.extend(spelling.method(*callee, !args.is_empty(), positional, id).into_iter().flatten());
            edits.extend(spelling.function(*callee, id));
            edits.extend(args.iter().filter_map(|arg| spelling.function(arg.value, id)));
            edits.extend(spelling.keywords(*callee, args, id));
        }
    }
    // Where several begin, what belongs to the larger expression comes first.
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end, Reverse(edit.of)));
    let (mut out, mut done) = (String::with_capacity(text.len()), 0);
    for SpellingEdit { range, text: new, .. } in edits {
        debug_assert!(range.start >= done);
        out.push_str(&text[done..range.start]);
        out.push_str(&new);
        done = range.end;
    }
    out.push_str(&text[done..]);
    out
}

/// The names that a script gives to something, with whether all of them are functions.
fn bound(script: &Script) -> HashMap<&str, bool> {
    let mut bound = HashMap::new();
    let mut names: Vec<(&str, bool)> = Vec::new();
    for stmt in all_statements(script) {
        let is_function = matches!(stmt.kind, StmtKind::Fn(_));
        names.extend(stmt.kind.names().iter().map(|name| (name.text.as_str(), is_function)));
        if let StmtKind::Fn(function) = &stmt.kind {
            names.extend(function.params.iter().map(|param| (param.name.text.as_str(), false)));
        }
    }
    for expr in &script.exprs {
        if let ExprKind::Loop(it) = &expr.kind {
            names.extend(it.names().map(|name| (name.text.as_str(), false)));
        }
    }
    for (name, function) in names {
        *bound.entry(name).or_insert(true) &= function;
    }
    bound
}

struct Spelling<'s> {
    text: &'s str,
    script: &'s Script,
    words: &'s Spellings<'s>,
    bound: HashMap<&'s str, bool>,
}

impl Spelling<'_> {
    /// Whether a module stands there, of which this version may know nothing.
    fn is_module(&self, base: ExprId) -> bool {
        self.path(base).is_some_and(|path| (self.words.qualified)(&path, "abs").is_some())
    }

    /// `np.linalg`, of which the script binds nothing.
    fn path(&self, base: ExprId) -> Option<String> {
        self.script.dotted_name(base, |name| !self.bound.contains_key(name))
    }

    /// What `np.absolute` is without its module.
    fn qualified(&self, base: ExprId, name: &str) -> Option<&'static str> {
        let ours = (self.words.qualified)(&self.path(base)?, name)?;
        let first = ours.split('.').next().unwrap_or(ours);
        (!self.bound.contains_key(ours) && !self.bound.contains_key(first)).then_some(ours)
    }

    /// Whether another library's function is called, which its keyword tells: without it the call would be ours.
    fn is_spoken(&self, callee: ExprId, args: &[Arg]) -> bool {
        let Some((name, _)) = self.script.expr(callee).last_name() else { return false };
        let mut keywords = args.iter().filter_map(|arg| arg.name.as_ref());
        keywords.any(|keyword| (self.words.spoken)(name, &keyword.text))
    }

    /// Where functions behind modules are called whose arguments have another order without the module.
    fn ordered(&self) -> HashSet<u32> {
        let exprs = self.script.exprs.iter();
        let called = exprs.filter_map(|expr| {
            let ExprKind::Call(callee, args) = &expr.kind else { return None };
            let callee = self.script.expr(*callee);
            let ExprKind::Attribute(base, name) = &callee.kind else { return None };
            let given = args.iter().filter(|arg| arg.name.is_none()).count();
            (self.words.ordered)(&self.path(*base)?, &name.text, given).then_some(callee.span.start)
        });
        called.collect()
    }

    /// Our name of a function of elsewhere that is called or handed over.
    fn function(&self, id: ExprId, of: u32) -> Option<SpellingEdit> {
        let expr = self.script.expr(id);
        let ExprKind::Name(name) = &expr.kind else { return None };
        let free = |name: &str| !self.bound.contains_key(name);
        let ours = (self.words.function)(name).filter(|ours| ours != name && free(name) && free(ours))?;
        Some(SpellingEdit { range: expr.span.range(), text: ours.to_owned(), of })
    }

    /// `dim=` of a builtin is `axis=`.
    fn keywords(&self, callee: ExprId, args: &[Arg], of: u32) -> Vec<SpellingEdit> {
        let callee = self.script.expr(callee);
        let Some((name, _)) = callee.last_name() else { return Vec::new() };
        let function = if let ExprKind::Attribute(base, _) = &callee.kind {
            self.qualified(*base, name).unwrap_or(name)
        } else {
            name
        };
        if self.bound.contains_key(function) {
            return Vec::new();
        }
        let named = args.iter().filter_map(|arg| arg.name.as_ref());
        let ours = named.filter_map(|name| Some((name, (self.words.keyword)(function, &name.text)?)));
        ours.map(|(name, ours)| SpellingEdit { range: name.span.range(), text: ours.to_owned(), of }).collect()
    }

    /// Names of dtypes become short: they cannot be bound, so every one that is no attribute is one. Strings get double
    /// quotes.
    fn tokens(&self) -> Vec<SpellingEdit> {
        let lexed = lexer::lex(self.text, SourceId(0), &mut Diagnostics::new());
        let mut edits = Vec::new();
        let mut before = Tok::Nl;
        for token in lexed.tokens {
            let (start, name) = (token.start as usize, token.text(self.text));
            if token.tok == Tok::Name
                && before != Tok::Dot
                && let Some(short) = (self.words.short)(name)
            {
                edits.push(SpellingEdit { range: start..token.end as usize, text: short.to_owned(), of: 0 });
            }
            if token.tok == Tok::Str
                && let Some(body) = name.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\''))
                && !body.contains('"')
            {
                edits.push(SpellingEdit { range: start..token.end as usize, text: format!("\"{body}\""), of: 0 });
            }
            before = token.tok;
        }
        edits
    }

    /// `x.f(y)` becomes `f(x, y)` where that calls the same function.
    fn method(&self, callee: ExprId, arguments: bool, positional: bool, id: u32) -> Option<[SpellingEdit; 2]> {
        let ExprKind::Attribute(base, name) = &self.script.expr(callee).kind else { return None };
        let function = match self.bound.get(name.text.as_str()) {
            Some(function) => function.then_some(name.text.as_str())?,
            // `max(x, 1)` would be of two numbers.
            None => (self.words.function)(&name.text)
                .filter(|ours| !(positional && matches!(*ours, "min" | "max")))
                .filter(|ours| !self.bound.contains_key(ours))?,
        };
        if self.qualified(*base, &name.text).is_some() || self.is_module(*base) {
            return None;
        }
        let operand = self.script.expr(*base);
        let (Range { start, end }, dot) = (operand.span.range(), name.span.range());
        let open = dot.end + self.text[dot.end..].find('(')?;
        if self.text[end..open].contains(['\n', '#']) {
            return None;
        }
        // Brackets around all of the operand are no longer needed.
        let brackets = usize::from(matches!(operand.kind, ExprKind::Paren(_)));
        let call = SpellingEdit { range: start..start + brackets, text: format!("{function}("), of: id };
        let rest = if arguments { ", " } else { "" };
        Some([call, SpellingEdit { range: end - brackets..open + 1, text: rest.to_owned(), of: id }])
    }
}

/// The statements of a script and of all blocks in it, in no order.
pub(in crate::syntax) fn all_statements(script: &Script) -> Vec<&Stmt> {
    let mut found: Vec<&Stmt> = script.stmts.iter().collect();
    for expr in &script.exprs {
        if let ExprKind::Loop(it) = &expr.kind {
            found.extend(&it.body.stmts);
        }
    }
    let mut at = 0;
    while let Some(stmt) = found.get(at) {
        if let StmtKind::Fn(function) = &stmt.kind {
            found.extend(&function.body.stmts);
        }
        at += 1;
    }
    found
}
