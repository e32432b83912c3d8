//! Lines of a text. Each has a beginning, and some have a comment at the end.

use super::super::token::Tok;
use super::pieces::{Piece, ScriptPieces};
use super::spacing::{self, TokenSpacing};

/// Blanks for each bracket that a line is in.
const STEP: usize = 2;
/// Blanks before a comment at the end of a line.
const GAP: usize = 2;

#[derive(Default)]
struct Line {
    indent: usize,
    text: String,
    /// At its end.
    comment: Option<String>,
    /// Whether a blank line stands before it.
    blank: bool,
}

/// Writes the tokens and comments of a text.
pub(super) fn write(text: &str, pieces: &ScriptPieces) -> String {
    let places = spacing::places(&pieces.tokens);
    let mut writer = LineWriter { text, lines: Vec::new(), open: Vec::new(), end: 0, last: None };
    let mut comments = pieces.comments.iter().copied().peekable();
    for (piece, place) in pieces.tokens.iter().zip(places) {
        while let Some(comment) = comments.next_if(|(start, _)| *start < piece.start) {
            writer.comment(comment, piece.begins);
        }
        writer.token(piece, place);
    }
    comments.for_each(|comment| writer.comment(comment, true));
    align(&mut writer.lines);
    let mut out = String::with_capacity(text.len());
    for line in writer.lines {
        if line.blank {
            out.push('\n');
        }
        out.extend(std::iter::repeat_n(' ', if line.text.is_empty() { 0 } else { line.indent }));
        out.push_str(&line.text);
        out.push('\n');
    }
    out
}

struct LineWriter<'t> {
    text: &'t str,
    lines: Vec<Line>,
    /// For each open bracket, how far in its line is.
    open: Vec<(Tok, usize)>,
    /// Where what was written last ends.
    end: usize,
    last: Option<(Tok, TokenSpacing)>,
}

impl LineWriter<'_> {
    /// How many lines end before a place.
    fn breaks(&self, start: usize) -> usize {
        self.text[self.end..start].matches('\n').count()
    }

    /// Begins a line.
    fn line(&mut self, indent: usize, breaks: usize, closes: bool) {
        let opened = self.last.is_some_and(|(tok, _)| tok.is_opener());
        let blank = breaks > 1 && !closes && !opened && !self.lines.is_empty();
        self.lines.push(Line { indent, blank, ..Line::default() });
    }

    fn indent(&self) -> usize {
        self.open.last().map_or(0, |(_, indent)| indent + STEP)
    }

    /// Further in, if it goes on with a statement that no bracket holds.
    fn continued(&self, begins: bool) -> usize {
        let block = self.open.last().is_none_or(|(tok, _)| *tok == Tok::LBrace);
        self.indent() + if block && !begins { STEP } else { 0 }
    }

    fn token(&mut self, piece: &Piece, place: TokenSpacing) {
        let breaks = self.breaks(piece.start);
        let closed = if piece.tok.is_closer() { self.open.pop() } else { None };
        if breaks > 0 || self.lines.is_empty() {
            let indent = closed.map_or_else(|| self.continued(piece.begins), |(_, indent)| indent);
            self.line(indent, breaks, closed.is_some());
        } else if self.last.is_some_and(|last| spacing::is_apart(last, (piece.tok, place))) {
            self.now().text.push(' ');
        }
        let spelling = &self.text[piece.start..piece.end];
        self.now().text.push_str(spelling);
        if piece.tok.is_opener() {
            let indent = self.now().indent;
            self.open.push((piece.tok, indent));
        }
        self.end = piece.end;
        self.last = Some((piece.tok, place));
    }

    /// A comment before something that may begin a statement.
    fn comment(&mut self, (start, end): (usize, usize), begins: bool) {
        let breaks = self.breaks(start);
        let comment = self.text[start..end].trim_end().to_owned();
        if breaks > 0 || self.lines.is_empty() {
            let indent = self.continued(begins);
            self.line(indent, breaks, false);
            self.now().text = comment;
        } else {
            self.now().comment = Some(comment);
        }
        self.end = end;
    }

    fn now(&mut self) -> &mut Line {
        self.lines.last_mut().expect("a line was begun")
    }
}

/// Puts comments at the ends of lines that follow each other in one column.
fn align(lines: &mut [Line]) {
    let width = |line: &Line| line.indent + line.text.chars().count();
    let mut rest = lines;
    while let Some(first) = rest.iter().position(|line| line.comment.is_some()) {
        rest = &mut rest[first..];
        let others = rest[1..].iter().take_while(|line| line.comment.is_some() && !line.blank).count();
        let (run, after) = rest.split_at_mut(others + 1);
        let column = run.iter().map(width).max().unwrap_or(0) + GAP;
        for line in run {
            let blanks = column - width(line);
            let comment = line.comment.take().unwrap_or_default();
            line.text.extend(std::iter::repeat_n(' ', blanks));
            line.text.push_str(&comment);
        }
        rest = after;
    }
}
