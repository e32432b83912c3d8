//! Markdown as text for a terminal: headings, paragraphs, lists, tables and code, cut between words.
//!
//! Headings begin at the left edge, everything else is indented, so that a page has its shape without colours too;
//! then code keeps its backquotes.

use super::super::painted::{StyledText, TextStyle};
use super::super::repl::paint;
use pulldown_cmark::{CodeBlockKind, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

/// Columns before what is no heading.
const INDENT: usize = 2;
/// A column of a table is at least as wide.
const MIN_COLUMN_WIDTH: usize = 8;
/// Blanks between columns of a table.
const COLUMN_GAP: usize = 2;

/// Draws a page that is at most `columns` columns wide.
pub(super) fn draw(text: &str, columns: usize, colour: bool) -> StyledText {
    let mut page = MarkdownPage { columns, colour, ..MarkdownPage::default() };
    Parser::new_ext(text, Options::ENABLE_TABLES).for_each(|event| page.event(event));
    page.out
}

#[derive(Default)]
struct MarkdownPage {
    out: StyledText,
    columns: usize,
    colour: bool,
    /// The words of the paragraph, the cell or the heading that is open.
    words: StyledText,
    /// How they are written.
    style: Option<TextStyle>,
    /// Depth of lists, and whether an item has just begun.
    depth: usize,
    bullet: bool,
    /// The language of the code that is open, and its text.
    code: Option<(String, String)>,
    /// The rows of the table that is open.
    rows: Vec<Vec<StyledText>>,
}

impl MarkdownPage {
    fn event(&mut self, event: Event) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            // Pages hold no HTML and no mathematics.
            Event::Text(text)
            | Event::Html(text)
            | Event::InlineHtml(text)
            | Event::InlineMath(text)
            | Event::DisplayMath(text) => self.text(&text),
            Event::Code(code) => self.inline(&code),
            Event::SoftBreak | Event::HardBreak => self.words.push(" "),
            Event::Rule => {
                self.gap();
                self.line(INDENT, &StyledText::from("─".repeat(self.columns.saturating_sub(INDENT)).as_str()));
            }
            Event::FootnoteReference(_) | Event::TaskListMarker(_) => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what else Markdown has is drawn as plain text")]
    fn start(&mut self, tag: Tag) {
        match tag {
            Tag::CodeBlock(kind) => {
                let language = match kind {
                    CodeBlockKind::Fenced(language) => language.into_string(),
                    CodeBlockKind::Indented => String::new(),
                };
                self.code = Some((language, String::new()));
            }
            Tag::List(_) => {
                // What stands before a list within an item.
                self.paragraph();
                if self.depth == 0 {
                    self.gap();
                }
                self.depth += 1;
            }
            Tag::Item => self.bullet = true,
            Tag::Heading { level, .. } if level <= HeadingLevel::H2 => self.style = Some(TextStyle::BoldCyan),
            Tag::Heading { .. } | Tag::Strong | Tag::TableHead => self.style = Some(TextStyle::Bold),
            Tag::Emphasis => self.style = Some(TextStyle::Italic),
            _ => {}
        }
    }

    #[expect(clippy::wildcard_enum_match_arm, reason = "what else Markdown has is drawn as plain text")]
    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(_) => {
                self.style = None;
                let words = std::mem::take(&mut self.words);
                self.gap();
                self.line(0, &words);
            }
            TagEnd::Paragraph | TagEnd::Item => self.paragraph(),
            TagEnd::List(_) => self.depth = self.depth.saturating_sub(1),
            TagEnd::CodeBlock => self.block(),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.words);
                match self.rows.last_mut() {
                    Some(row) => row.push(cell),
                    None => self.rows.push(vec![cell]),
                }
            }
            TagEnd::TableHead | TagEnd::TableRow => {
                self.style = None;
                self.rows.push(Vec::new());
            }
            TagEnd::Table => self.table(),
            TagEnd::Strong | TagEnd::Emphasis => self.style = None,
            _ => {}
        }
    }

    fn text(&mut self, text: &str) {
        match (&mut self.code, self.style) {
            (Some((_, code)), _) => code.push_str(text),
            (None, None) => self.words.push(text),
            // Word by word: no style crosses the end of a line.
            (None, Some(style)) => {
                for word in text.split_inclusive(' ') {
                    self.words.ink(style, word.trim_end_matches(' '));
                    self.words.push(&word[word.trim_end_matches(' ').len()..]);
                }
            }
        }
    }

    /// A blank line, but at the top.
    fn gap(&mut self) {
        let text = self.out.with_colours();
        if !text.is_empty() && !text.ends_with("\n\n") {
            self.out.push("\n");
        }
    }

    fn line(&mut self, indent: usize, text: &StyledText) {
        let mut line = StyledText::from(" ".repeat(indent).as_str());
        line.append(text);
        line.trim_end();
        self.out.append(&line);
        self.out.push("\n");
    }

    /// Code among words; a short piece is not cut.
    fn inline(&mut self, code: &str) {
        let code = if code.len() <= self.columns / 3 { code.replace(' ', "\u{a0}") } else { code.to_owned() };
        match self.colour {
            true => self.words.ink(TextStyle::Cyan, &code),
            false => self.words.push(&format!("`{code}`")),
        }
    }

    fn paragraph(&mut self) {
        let words = std::mem::take(&mut self.words);
        if words.width() == 0 {
            return;
        }
        let bullet = std::mem::take(&mut self.bullet);
        if !bullet {
            self.gap();
        }
        let indent = INDENT + 2 * self.depth;
        let room = self.columns.saturating_sub(indent).max(MIN_COLUMN_WIDTH);
        for (at, line) in words.lines(room).iter().enumerate() {
            if at == 0 && bullet {
                let mut item = StyledText::from("- ");
                item.append(line);
                self.line(indent - 2, &item);
            } else {
                self.line(indent, line);
            }
        }
    }

    fn block(&mut self) {
        let (language, text) = self.code.take().unwrap_or_default();
        let is_script = language.split_whitespace().next() == Some("arr");
        self.gap();
        for line in text.lines() {
            let shown = if is_script { paint::source(line, &[]) } else { StyledText::from(line) };
            self.line(2 * INDENT, &shown);
        }
    }

    fn table(&mut self) {
        let mut rows = std::mem::take(&mut self.rows);
        rows.retain(|row| !row.is_empty());
        let widths = widths(&rows, self.columns.saturating_sub(INDENT));
        self.gap();
        for (at, row) in rows.iter().enumerate() {
            let cells: Vec<Vec<StyledText>> = row.iter().zip(&widths).map(|(cell, &room)| cell.lines(room)).collect();
            for line in 0..cells.iter().map(Vec::len).max().unwrap_or(0) {
                let mut whole = StyledText::default();
                for (cell, &room) in cells.iter().zip(&widths) {
                    let taken = cell.get(line).map_or(0, StyledText::width);
                    cell.get(line).into_iter().for_each(|part| whole.append(part));
                    whole.push(&" ".repeat(room.saturating_sub(taken) + COLUMN_GAP));
                }
                self.line(INDENT, &whole);
            }
            if at == 0 {
                let whole = widths.iter().sum::<usize>() + COLUMN_GAP * widths.len().saturating_sub(1);
                self.line(INDENT, &StyledText::from("─".repeat(whole).as_str()));
            }
        }
    }
}

/// How wide the columns of a table are: as wide as they want, or where there is too little room, the widest less.
fn widths(rows: &[Vec<StyledText>], room: usize) -> Vec<usize> {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let natural = |at: usize| rows.iter().filter_map(|row| row.get(at)).map(StyledText::width).max().unwrap_or(0);
    let mut widths: Vec<usize> = (0..columns).map(natural).collect();
    let room = room.saturating_sub(COLUMN_GAP * columns.saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let Some(widest) = widths.iter_mut().filter(|width| **width > MIN_COLUMN_WIDTH).max() else { break };
        *widest -= 1;
    }
    widths
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: &str = "\
## Heading

Words with `some code` and *weight*, hard-wrapped
in the source.

```arr
let x = 1  # kept as it is
```

- one `a b`
- two, which is longer than a line can be

| name | meaning |
| --- | --- |
| `x` | the first of several coordinates |
| y | |
";

    #[test]
    fn a_page_has_its_shape_without_colours() {
        let drawn = draw(PAGE, 30, false).plain();
        let wanted = "\
Heading

  Words with `some code` and
  weight, hard-wrapped in the
  source.

    let x = 1  # kept as it is

  - one `a b`
  - two, which is longer than
    a line can be

  name  meaning
  ────────────────────────────
  `x`   the first of several
        coordinates
  y
";
        assert_eq!(drawn, wanted);
    }

    #[test]
    fn colours_change_no_words() {
        let drawn = draw(PAGE, 60, true);
        let coloured = drawn.with_colours();
        assert!(coloured.contains("\x1b[36msome\u{20}code\x1b[0m") && coloured.contains("\x1b[1;35mlet"), "{coloured}");
        let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
        assert_eq!(letters(&drawn.plain()), letters(&draw(PAGE, 60, false).plain()));
    }

    #[test]
    fn nothing_is_wider_than_the_page() {
        for columns in [30, 40, 80] {
            let drawn = draw(PAGE, columns, false).plain();
            assert!(drawn.lines().all(|line| StyledText::from(line).width() <= columns), "{drawn}");
        }
    }
}
