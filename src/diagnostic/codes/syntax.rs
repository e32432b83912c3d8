//! Codes E01xx: what is wrong with the text before it means anything.

use super::{ERROR, Row, WARNING, rows, script};

rows! {
    /// A token that does not fit where it stands.
    UNEXPECTED_TOKEN = Row {
        id: "E0101",
        name: "unexpected-token",
        summary: "a word or sign that does not fit where it stands",
        levels: ERROR,
        page: "The message says what would fit. Parsing goes on with the next statement, so one run shows every \
               mistake.",
        failing: script("let 3 = x"),
        corrected: script("let y = 3\ny"),
    };
    /// An operator without its operand.
    MISSING_VALUE = Row {
        id: "E0102",
        name: "missing-value",
        summary: "an operator, a comma or `=` with nothing after it",
        levels: ERROR,
        page: "A line that ends in an operator goes on in the next line; so an operator too many is noticed only \
               at the next statement.",
        failing: script("let x = 1 +\nlet y = 2"),
        corrected: script("let x = 1 + 1\nlet y = 2"),
    };
    /// Two operands side by side.
    MISSING_SEPARATOR = Row {
        id: "E0103",
        name: "missing-separator",
        summary: "two values side by side with nothing between them",
        levels: ERROR,
        page: "Statements end at the line end or at `;`. Arguments and elements are separated by `,`. \
               Multiplication is written `*`.",
        failing: script("let x = 1 let y = 2"),
        corrected: script("let x = 1; let y = 2"),
    };
    /// `=` where `==` was meant.
    ASSIGNMENT_IN_EXPRESSION = Row {
        id: "E0104",
        name: "assignment-in-expression",
        summary: "`=` inside an expression",
        levels: ERROR,
        page: "`=` binds a name and stands once in a statement, or names an argument of a call. Equality is `==`.",
        failing: script("let a = 1\nlet b = (a = 1)"),
        corrected: script("let a = 1\nlet b = (a == 1)"),
    };
    /// A word of another language.
    PYTHON_KEYWORD = Row {
        id: "E0105",
        name: "python-keyword",
        summary: "a keyword of Python that scripts do not have",
        levels: ERROR,
        page: "Scripts are expressions over whole arrays: `where(c, a, b)` chooses, `repeat` loops a bounded \
               number of times, `fn` defines a function, and the last line of a block is its value.",
        failing: script("let x = 1\nlet y = 2 if x > 0 else 3"),
        corrected: script("let x = 1\nlet y = where(x > 0, 2, 3)"),
    };
    /// `&&`, `||` or `!`.
    C_OPERATOR = Row {
        id: "E0106",
        name: "c-operator",
        summary: "an operator of C that is a word here",
        levels: ERROR,
        page: "`and`, `or` and `not` work elementwise on bool.",
        failing: script("let x = true\nlet y = x && !x"),
        corrected: script("let x = true\nlet y = x and not x"),
    };
    /// A bracket that is never closed.
    UNCLOSED_BRACKET = Row {
        id: "E0107",
        name: "unclosed-bracket",
        summary: "a bracket that is never closed",
        levels: ERROR,
        page: "The message points at the opening bracket and at the last place where its closing one could stand. \
               Inside brackets a line end means nothing, but a line that begins with `let`, `fn`, `var`, `input \
               x` or `output x` ends them.",
        failing: script("let x = (1 + 2\nlet y = 3"),
        corrected: script("let x = (1 + 2)\nlet y = 3"),
    };
    /// A closing bracket without its opening one.
    UNMATCHED_BRACKET = Row {
        id: "E0108",
        name: "unmatched-bracket",
        summary: "a closing bracket that closes nothing, or another kind of bracket",
        levels: ERROR,
        page: "Every `)`, `]` and `}` closes the innermost open bracket, which must be of its kind.",
        failing: script("let x = [1, 2)"),
        corrected: script("let x = [1, 2]"),
    };
    /// A character without a meaning.
    UNKNOWN_CHARACTER = Row {
        id: "E0109",
        name: "unknown-character",
        summary: "a character that the language does not use",
        levels: ERROR,
        page: "Outside strings and comments a script is made of names, numbers, brackets and operators. \
               Typographic signs that look like operators are not operators.",
        failing: script("let x = 2 × 3"),
        corrected: script("let x = 2 * 3"),
    };
    /// A character that cannot be seen.
    HIDDEN_CHARACTER = Row {
        id: "E0110",
        name: "hidden-character",
        summary: "a character that cannot be seen or that moves other text",
        levels: ERROR,
        page: "Direction overrides, zero-width characters, control characters and unusual blanks can make a \
               script look different from what it does, and a terminal obeys some of them. They are allowed in \
               strings; comments may hold blanks and joiners of any sort.",
        failing: script("let a = 1\nlet b = a\u{200b} + 1"),
        corrected: script("let a = 1\nlet b = a + 1"),
    };
    /// A malformed number.
    INVALID_NUMBER = Row {
        id: "E0111",
        name: "invalid-number",
        summary: "a number that is not written as one",
        levels: ERROR,
        page: "Numbers are `7`, `1_000`, `0xff`, `0b101`, `0o17`, `1.5`, `.5`, `1e-3`, `0x1.8p3`, `2j`; a dtype \
               may follow, as in `255u8` or `1.5f16`. A number takes every letter and digit that touches it.",
        failing: script("let x = 12abc"),
        corrected: script("let x = 12"),
    };
    /// A string without its closing quote.
    UNTERMINATED_STRING = Row {
        id: "E0112",
        name: "unterminated-string",
        summary: "a string that is not closed before its line ends",
        levels: ERROR,
        page: "Strings do not span lines. A line break inside a string is written `\\n`.",
        failing: script("pad([1, 2], 1, mode=\"constant)"),
        corrected: script("pad([1, 2], 1, mode=\"constant\")"),
    };
    /// An escape without a meaning.
    INVALID_ESCAPE = Row {
        id: "E0113",
        name: "invalid-escape",
        summary: "a backslash in a string with something it cannot stand before",
        levels: ERROR,
        page: "Known are `\\n \\t \\r \\0 \\\\ \\\" \\'`, `\\x41` and `\\u{e9}`.",
        failing: script("pad([1, 2], 1, mode=\"con\\stant\")"),
        corrected: script("pad([1, 2], 1, mode=\"constant\")"),
    };
    /// Brackets or expressions that nest too deeply.
    NESTING_LIMIT = Row {
        id: "E0115",
        name: "nesting-limit",
        summary: "brackets, blocks or operators nest more than 256 levels deep",
        levels: ERROR,
        page: "A chain such as `a + b + c + …` does not nest and may be of any length. What does nest can be \
               given names with `let`.",
        failing: script(include_str!("nesting-limit.txt")),
        corrected: script("let x = -(-1)"),
    };
    /// A name, number or script that is too long.
    TEXT_LIMIT = Row {
        id: "E0116",
        name: "text-limit",
        summary: "a name of more than 1,024 bytes, a number of more than 10,000 digits, a script of more than 64 MiB",
        levels: ERROR,
        page: "Data belongs into files: `load(\"data.npy\")` reads an array of any size.",
        failing: script(include_str!("text-limit.txt")),
        corrected: script("let x = 1"),
    };
    /// A positional argument after a keyword argument.
    POSITIONAL_AFTER_KEYWORD = Row {
        id: "E0117",
        name: "positional-after-keyword",
        summary: "a positional argument after a keyword argument",
        levels: ERROR,
        page: "Arguments without a name are told apart by their order, so they come first.",
        failing: script("let x = [1, 2]\nlet y = sum(axis=0, x)"),
        corrected: script("let x = [1, 2]\nlet y = sum(x, axis=0)"),
    };
    /// A function without a body.
    MISSING_BODY = Row {
        id: "E0118",
        name: "missing-body",
        summary: "a function without a body",
        levels: ERROR,
        page: "A body is `= expression`, or a block whose last line is the result.",
        failing: script("fn f(x)"),
        corrected: script("fn f(x) = x + 1"),
    };
    /// An assignment to something that is no variable.
    INVALID_TARGET = Row {
        id: "E0119",
        name: "invalid-target",
        summary: "an assignment to something that is not a variable",
        levels: ERROR,
        page: "Assigned to are a `var` and elements of it: `x = …`, `x[1:] = …`. Several names are bound with \
               `let (a, b) = …`.",
        failing: script("var x = 1.5\n-x = 2.5"),
        corrected: script("var x = 1.5\nx = 2.5"),
    };
    /// A statement that no block may hold.
    BLOCK_STATEMENT = Row {
        id: "E0120",
        name: "block-statement",
        summary: "a statement that does not belong into a block",
        levels: ERROR,
        page: "A block is `let`, `var`, assignments and `assert`, then one expression: its value. Everything else stands \
               outside.",
        failing: script("fn f(x) {\n  output y = x\n  x\n}"),
        corrected: script("fn f(x) {\n  let y = x\n  y\n}"),
    };
    /// A block that ends without a value.
    BLOCK_WITHOUT_VALUE = Row {
        id: "E0121",
        name: "block-without-value",
        summary: "a block that ends without a value",
        levels: ERROR,
        page: "The last line of a block is an expression, the block's value.",
        failing: script("fn f(x) {\n  let y = x + 1\n}"),
        corrected: script("fn f(x) {\n  let y = x + 1\n  y\n}"),
    };
    /// A script that is not UTF-8.
    INVALID_UTF8 = Row {
        id: "E0122",
        name: "invalid-utf8",
        summary: "a script that is not UTF-8",
        levels: ERROR,
        page: "A script is read as UTF-8 or not at all, so that nothing runs other than what was written. The \
               message gives the offset of the first byte that does not fit. (The example stands for such a file: \
               text cannot show it.)",
        failing: script("let x = \u{0}1"),
        corrected: script("let x = 1"),
    };
    /// A name that may be taken for another.
    MIXED_SCRIPT = Row {
        id: "E0123",
        name: "mixed-script",
        summary: "a name that looks like another name",
        levels: WARNING,
        about: "names and notation",
        page: "Names may be written in any alphabet, but Cyrillic, Greek, Armenian and fullwidth letters have Latin \
               twins that a reader cannot tell apart. A word with Latin letters and such twins, and a word of twins \
               beside the Latin word that it looks like, can make code look different from what it does.",
        failing: script("let s\u{441}ale = 2\nlet scale = 3\nscale * 2"),
        corrected: script("let first_scale = 2\nlet scale = 3\nscale * 2"),
    };
}
