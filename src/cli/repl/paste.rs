//! Text pasted with prompts. Those of Python, IPython and this shell are taken off, and what their sessions answered is
//! left out.

/// The text without prompts; a text without them as it is.
///
/// ```text
/// >>> x = 1        →   x = 1
/// >>> (x +             (x +
/// ...  1)               1)
/// 2
/// ```
pub(super) fn without_prompts(text: &str) -> String {
    let starts = text.lines().find(|line| !line.trim().is_empty()).and_then(prompt);
    let Some(Prompt::First(_)) = starts else { return text.to_owned() };
    let mut kept = Vec::new();
    let mut open = false;
    for line in text.lines() {
        match prompt(line) {
            Some(Prompt::First(rest)) => {
                open = true;
                kept.push(rest);
            }
            Some(Prompt::Next(rest)) if open => kept.push(rest),
            // An answer, or a blank line between inputs.
            _ => open = false,
        }
    }
    kept.join("\n")
}

/// A line with a prompt.
enum Prompt<'a> {
    /// The first line of an input.
    First(&'a str),
    /// A later one.
    Next(&'a str),
}

fn prompt(line: &str) -> Option<Prompt<'_>> {
    let bare = line.trim_start();
    for (mark, first) in [(">>>", true), ("...>", false), ("...:", false), ("...", false)] {
        if let Some(rest) = after(bare, mark) {
            return Some(if first { Prompt::First(rest) } else { Prompt::Next(rest) });
        }
    }
    let numbered = bare.strip_prefix("In [").and_then(|rest| rest.split_once("]:"));
    let own = || bare.strip_prefix("arr:").and_then(|rest| rest.split_once('>'));
    let (number, rest) = numbered.or_else(own)?;
    let is_number = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| Prompt::First(rest.strip_prefix(' ').unwrap_or(rest)))
}

/// What follows a mark: nothing, or a blank and the rest.
fn after<'a>(line: &'a str, mark: &str) -> Option<&'a str> {
    let rest = line.strip_prefix(mark)?;
    if rest.is_empty() { Some(rest) } else { rest.strip_prefix(' ') }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_of_python_go_and_so_do_its_answers() {
        let pasted = ">>> let x = [1,\n...          2]\n>>> sum(x)\n3\n>>> x\narray([1, 2])\n";
        assert_eq!(without_prompts(pasted), "let x = [1,\n         2]\nsum(x)\nx");
    }

    #[test]
    fn prompts_of_ipython_go() {
        let pasted = "In [3]: fn f(x) {\n   ...:   x + 1\n   ...: }\n\nIn [4]: f(2)\nOut[4]: 3\n";
        assert_eq!(without_prompts(pasted), "fn f(x) {\n  x + 1\n}\nf(2)");
    }

    #[test]
    fn prompts_of_this_shell_go() {
        assert_eq!(without_prompts("arr:12> 1 + 1\n2 : i*\narr:13> _"), "1 + 1\n_");
    }

    #[test]
    fn text_without_prompts_stays_as_it_is() {
        for text in ["x[..., 0]\n", "a\n>>> b", "let x = 1\n\nx\n", ">>>x", ""] {
            assert_eq!(without_prompts(text), text);
        }
    }
}
