//! Codes E02xx: names and calls.

use super::{ERROR, Row, rows, script, unshown};

rows! {
    /// A name that nothing defines.
    UNKNOWN_NAME = Row {
        id: "E0201",
        name: "unknown-name",
        summary: "a name that nothing defines",
        levels: ERROR,
        page: "A name is defined by `input`, `let`, `output`, or is a builtin. Names are looked up where they are used: a definition further down does not count.",
        failing: script("let x = 1.5\nxx + 1"),
        corrected: script("let x = 1.5\nx + 1"),
    };
    /// A dtype name bound as a variable.
    DTYPE_BOUND = Row {
        id: "E0202",
        name: "dtype-name-bound",
        summary: "the name of a dtype bound to something else",
        levels: ERROR,
        page: "The names of dtypes (`f32`, `int8`, `bool`, …) always mean the dtype, so that `f32(x)` is a cast in every program. Choose another name.",
        failing: script("let f32 = 1.5"),
        corrected: script("let gain = 1.5"),
    };
    /// `x.name` that arrays do not have.
    UNKNOWN_ATTRIBUTE = Row {
        id: "E0203",
        name: "unknown-attribute",
        summary: "an attribute that arrays do not have",
        levels: ERROR,
        page: "Arrays have `.shape`, `.ndim`, `.size`, `.dtype` and `.T`, and complex ones `.real` and `.imag`. Every builtin can be called as a method: `x.sum()` is `sum(x)`.",
        failing: script("let x = [1, 2]\nx.sizes"),
        corrected: script("let x = [1, 2]\nx.size"),
    };
    /// A call whose arguments do not fit the function.
    WRONG_ARGUMENTS = Row {
        id: "E0204",
        name: "wrong-arguments",
        summary: "arguments that do not fit the function",
        levels: ERROR,
        page: "Too many, too few, twice the same, or a keyword that the function does not have. `arr doc NAME` shows the parameters.",
        failing: script("sum([1, 2], axes=0)"),
        corrected: script("sum([1, 2], axis=0)"),
    };
    /// A call of something that is no function.
    NOT_A_FUNCTION = Row {
        id: "E0205",
        name: "not-a-function",
        summary: "a call of something that is no function",
        levels: ERROR,
        page: "Only builtins and dtypes can be called. A product needs its operator: `2 * (x + 1)`, not `2(x + 1)`.",
        failing: script("let x = 2\nx(3)"),
        corrected: script("let x = 2\nx * 3"),
    };
    /// A word of a `promotion` line that means nothing.
    UNKNOWN_SETTING = Row {
        id: "E0206",
        name: "unknown-setting",
        summary: "a word of a `promotion` line that is no system and no mode, or such a line that is not the first",
        levels: ERROR,
        page: "A `promotion` line names a system, a mode (`all`, `safe`, `none`), `width=32`, `width=64`, or `checked`. It is the first statement of a script, so that one set of rules holds everywhere.",
        failing: script("promotion jaxx"),
        corrected: script("promotion jax safe"),
    };
    /// An argument that is not what the parameter stands for.
    WRONG_VALUE = Row {
        id: "E0207",
        name: "wrong-value",
        summary: "a compile-time argument of the wrong sort",
        levels: ERROR,
        page: "Axes and sizes are whole numbers that are known before anything runs, `keepdims` is `true` or `false`, `dtype` is a dtype, `ddof` is below the number of elements, the range of an input begins with its lower end, and `load` takes the name of a file between quotes.",
        failing: script("sum([1, 2], axis=0.5)"),
        corrected: script("sum([1, 2], axis=0)"),
    };
    /// A tuple pattern that does not fit the value.
    TUPLE_MISMATCH = Row {
        id: "E0208",
        name: "tuple-mismatch",
        summary: "a tuple pattern that does not fit the value",
        levels: ERROR,
        page: "`let (a, b) = …` needs a value of exactly two parts: a tuple, or an array of shape `[2, …]`, whose parts along the first axis these are.",
        failing: script("let (a, b) = (1, 2, 3)"),
        corrected: script("let (a, b) = (1, 2)"),
    };
    /// Functions that lead back to themselves.
    FUNCTION_CYCLE = Row {
        id: "E0209",
        name: "function-cycle",
        summary: "functions that lead back to themselves",
        levels: ERROR,
        page: "A function is put in place where it is called, so that the types of everything are known before anything runs and every program ends. None may therefore need itself, directly or by way of others.",
        failing: script("fn half(x) = rest(x) / 2\nfn rest(x) = half(x) + 1\nhalf(1.5)"),
        corrected: script("fn half(x) = rest(x) / 2\nfn rest(x) = x + 1\nhalf(1.5)"),
    };
    /// A definition of a function that contradicts itself.
    BAD_DEFINITION = Row {
        id: "E0210",
        name: "bad-definition",
        summary: "a definition of a function that contradicts itself",
        levels: ERROR,
        page: "A script defines a function once, its parameters have different names, and those with defaults come last.",
        failing: script("fn scale(x, x) = x * x"),
        corrected: script("fn scale(x, y) = x * y"),
    };
    /// A function that is used before a value that it needs is there.
    USED_BEFORE = Row {
        id: "E0211",
        name: "used-before-definition",
        summary: "a function that is used before a value that it needs is there",
        levels: ERROR,
        page: "Functions may be used above their definitions, values may not: what a function takes from outside must be defined above the first use of the function.",
        failing: script("area(2)\nlet ratio = 3\nfn area(r) = ratio * r * r"),
        corrected: script("let ratio = 3\narea(2)\nfn area(r) = ratio * r * r"),
    };
    /// A function that uses a variable from outside.
    CAPTURED_VARIABLE = Row {
        id: "E0212",
        name: "captured-variable",
        summary: "a function that uses a `var` from outside",
        levels: ERROR,
        page: "A function keeps the values that its names have where it is defined. A variable changes, so which value is meant would not be seen in the call: pass it as an argument.",
        failing: script("var total = 0\nfn next(x) = total + x\nnext(1)"),
        corrected: script("var total = 0\nfn next(total, x) = total + x\nnext(total, 1)"),
    };
    /// Calls that come to too much.
    EXPANSION_LIMIT = Row {
        id: "E0213",
        name: "expansion-limit",
        summary: "calls or loops that nest too deep or come to too much",
        levels: ERROR,
        page: "A call stands for the body of its function. Calls nest at most 200 deep, and all of them together come to at most a million expressions; equal calls count once. The body of a loop is looked at more than once, and counts each time, so loops inside each other count many times.",
        failing: script("fn twice(f, x) = f(f, x) * 2\ntwice(twice, 1)"),
        corrected: script("fn twice(f, x) = f(f(x)) * 2\ntwice(abs, 1)"),
    };
    /// Assignment to a name that is no variable.
    NOT_A_VARIABLE = Row {
        id: "E0214",
        name: "not-a-variable",
        summary: "assignment to a name that is no variable",
        levels: ERROR,
        page: "Names that `let`, `input` and `output` bind keep their values. A name that `var` declares may be assigned to: it keeps its dtype and its shape.",
        failing: script("let total = 0\ntotal += 2"),
        corrected: script("var total = 0\ntotal += 2"),
    };
    /// Files that use each other.
    FILE_CYCLE = Row {
        id: "E0215",
        name: "file-cycle",
        summary: "files that use each other",
        levels: ERROR,
        page: "A used file is checked before the one that uses it, so none may use itself, directly or by way of others. Move what both need into a file of its own.",
        failing: unshown(),
        corrected: unshown(),
    };
    /// A used file that is more than functions and constants.
    BAD_LIBRARY = Row {
        id: "E0216",
        name: "bad-library",
        summary: "a used file that is more than functions and constants",
        levels: ERROR,
        page: "`use` shares functions, and names of constants: a file that is used has no inputs, prints nothing and computes nothing by itself. A `promotion` line in it says for which system it is written; the program decides.",
        failing: unshown(),
        corrected: unshown(),
    };
}
