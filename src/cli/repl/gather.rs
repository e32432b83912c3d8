//! Lines to inputs: lines are gathered until they are whole.

use crate::syntax::PendingLines;

/// Lines that do not make a whole input yet.
#[derive(Default)]
pub(super) struct Gather {
    pending: String,
    /// What the lines so far leave open.
    open: PendingLines,
    /// Whether there is more than blanks and comments.
    has_code: bool,
    /// Lines that were taken before those.
    passed: usize,
}

impl Gather {
    /// Takes a line, which is given without its end; answers an input when it is whole, with its first line, counted
    /// from 0. Comments wait for what they stand above: they may be its documentation.
    pub(super) fn line(&mut self, line: &str) -> Option<(usize, String)> {
        if is_command(line) && !self.has_code {
            self.take();
            self.pending.push_str(line);
            return Some(self.take());
        }
        self.pending.push_str(line);
        self.pending.push('\n');
        self.open.add(line);
        self.has_code |= !is_empty(line);
        if !self.has_code || self.open.ask_for_more() { None } else { Some(self.take()) }
    }

    /// What is left at the end.
    pub(super) fn rest(mut self) -> Option<(usize, String)> {
        if self.has_code { Some(self.take()) } else { None }
    }

    fn take(&mut self) -> (usize, String) {
        let text = std::mem::take(&mut self.pending);
        (self.open, self.has_code) = (PendingLines::default(), false);
        let first = self.passed;
        self.passed += text.matches('\n').count().max(usize::from(is_command(&text)));
        (first, text)
    }
}

/// Whether a line is a command of the shell.
pub(super) fn is_command(text: &str) -> bool {
    text.trim_start().starts_with(':')
}

/// Whether a text holds blanks and comments only.
pub(super) fn is_empty(text: &str) -> bool {
    let code = |line: &str| !line.trim_start().is_empty() && !line.trim_start().starts_with('#');
    !text.lines().any(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::is_incomplete;

    fn inputs(text: &str) -> Vec<(usize, String)> {
        let mut gather = Gather::default();
        let mut found: Vec<_> = text.lines().filter_map(|line| gather.line(line)).collect();
        found.extend(gather.rest());
        found
    }

    #[test]
    fn inputs_end_where_nothing_is_open() {
        let found = inputs("let x = [1,\n2]\n\nx +\n1\n:vars\n(3");
        let expected = [(0, "let x = [1,\n2]\n"), (2, "\nx +\n1\n"), (5, ":vars"), (6, "(3\n")];
        assert_eq!(found, expected.map(|(line, text)| (line, text.to_owned())));
    }

    #[test]
    fn lines_that_are_read_once_leave_open_what_the_whole_text_does() {
        let texts =
            ["fn f(x) {\n  # (\n  (x +\n\n 1)\n}\n2", "'(\n[1,\n  \")\"\n]", "let y = (1\n+ 2]\n(", "x +  # y\n\n2"];
        for text in texts {
            let (mut lines, mut whole) = (PendingLines::default(), String::new());
            for line in text.lines() {
                lines.add(line);
                whole.push_str(line);
                whole.push('\n');
                assert_eq!(lines.ask_for_more(), is_incomplete(&whole), "{whole}");
            }
        }
    }

    #[test]
    fn what_is_no_text_is_an_input_of_its_own() {
        assert_eq!(inputs("\u{fffd}\n2").len(), 2);
        assert_eq!(inputs("1 +\0 1\n2").len(), 2);
    }

    #[test]
    fn comments_belong_to_what_follows() {
        assert_eq!(inputs("## Twice.\nfn f(x) = 2 * x\n# end").len(), 1);
        assert_eq!(inputs("# about\n:help\n1"), [(1, ":help".to_owned()), (2, "1\n".to_owned())]);
    }
}
