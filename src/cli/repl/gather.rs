//! Lines to inputs: lines are gathered until they are whole.

use crate::syntax::is_incomplete;

/// Lines that do not make a whole input yet.
#[derive(Default)]
pub(super) struct Gather {
    pending: String,
    /// Lines that were taken before those.
    passed: usize,
}

impl Gather {
    /// Takes a line, which is given without its end; answers an input when it is whole, with its first line, counted
    /// from 0. Comments wait for what they stand above: they may be its documentation.
    pub(super) fn line(&mut self, line: &str) -> Option<(usize, String)> {
        if is_command(line) && is_empty(&self.pending) {
            self.take();
            self.pending.push_str(line);
            return self.take();
        }
        self.pending.push_str(line);
        self.pending.push('\n');
        if is_empty(&self.pending) || is_incomplete(&self.pending) { None } else { self.take() }
    }

    /// What is left at the end.
    pub(super) fn rest(mut self) -> Option<(usize, String)> {
        if is_empty(&self.pending) { None } else { self.take() }
    }

    fn take(&mut self) -> Option<(usize, String)> {
        let text = std::mem::take(&mut self.pending);
        let first = self.passed;
        self.passed += text.matches('\n').count().max(usize::from(is_command(&text)));
        Some((first, text))
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
